// The document of document.c with every call in slices: the same hashes as in one go, natively and as WASM,
// where a program has one thread and one stack.
#include <stdio.h>
#include <stdlib.h>

#include "document.h"
#include "embedded.h"
#include "sinew/io.h"
#include "sinew/job.h"

static unsigned slices, longest;

static snJob* begin(GoldenCallFn* call, void* user, const snProgress* progress) {
    snJobDef def = sn_job_def();
    def.run = call;
    def.user = user;
    def.progress = *progress;
    snJob* job = NULL;
    if (sn_job_create(&def, NULL, &job, NULL) != SN_RESULT_OK) exit(1);
    return job;
}

// Before it runs to its end it is begun, and destroyed in its second slice: that must not be seen.
static snResult run(GoldenCallFn* call, void* user, const snProgress* progress, snError* error) {
    snProgress nobody = {0};
    snJob* job = begin(call, user, &nobody);
    bool runs = sn_job_step(job);
    if (runs) runs = sn_job_step(job);
    if (runs) {
        sn_job_destroy(job);
        job = begin(call, user, progress);
    }
    unsigned count = 1;
    while (sn_job_step(job)) count++;
    snResult result = sn_job_result(job, error);
    sn_job_destroy(job);
    slices += count;
    if (count > longest) longest = count;
    return result;
}

static void expect(uint64_t sliced, uint64_t plain, const char* what) {
    if (sliced == plain) return;
    printf("golden_slices: %s differs\n", what);
    exit(1);
}

// Pictures pause within the library that reads them, which jumps out of itself where it is stopped.
static snBytes picture;

static snResult read_picture(void* user, const snProgress* progress, snError* error) {
    snReadDef def = sn_read_def();
    def.progress = *progress;
    return sn_png_read_memory("a.png", picture.data, picture.size, &def, user, error);
}

static void check_picture(void) {
    snImage *image = NULL, *read = NULL;
    snProgress nobody = {0};
    snError error = sn_error_none();
    if (sn_image_create(8, 300, NULL, &image) != SN_RESULT_OK) exit(1);
    for (uint32_t i = 0; i < 8 * 300 * 4; i++) image->pixels[i] = (uint8_t)(i * i % 251);
    if (sn_png_write_memory(image, NULL, &picture, &error) != SN_RESULT_OK) exit(1);
    unsigned before = slices;
    expect(run(read_picture, &read, &nobody, &error), SN_RESULT_OK, "result of a picture");
    expect(slices - before > 3, true, "number of slices of a picture");
    expect(sn_hash_bytes(SN_HASH_SEED, read->pixels, (size_t)8 * 300 * 4),
           sn_hash_bytes(SN_HASH_SEED, image->pixels, (size_t)8 * 300 * 4), "picture");
    sn_image_destroy(read);
    sn_image_destroy(image);
    sn_bytes_free(&picture);
}

int main(void) {
    check_picture();
    GoldenDocument plain = golden_document(bar_glb, sizeof bar_glb, NULL);
    GoldenDocument sliced = golden_document(bar_glb, sizeof bar_glb, run);
    expect(sliced.document, plain.document, "document");
    expect(sliced.path, plain.path, "path");
    expect(sliced.bake, plain.bake, "bake");
    expect(sliced.check, plain.check, "check");
    printf("golden_slices: the same in %u slices, %u of one call\n", slices, longest);
    exit(0); // what main returns is lost where it was unwound
}
