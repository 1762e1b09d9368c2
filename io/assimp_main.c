// sinew-import EXTENSION UNIT: reads a file with assimp and writes the model to standard output.
//
// assimp has bugs that a bad file can reach, so it lives in this program; Sinew starts it with limits on time
// and memory. The file comes on standard input; when it is read the program enters a sandbox, before assimp
// sees a byte. sinew-import --sandbox UNIT tries what that refuses and says so instead.
#define _POSIX_C_SOURCE 200809L

#include <assimp/cimport.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "assimp_scene.h"
#include "gltf.h"
#include "import_process.h"
#include "import_stream.h"
#include "sandbox.h"

#if SNI_SANITIZED
// assimp leaks. What comes from C++ is its own, so our leaks still show.
__attribute__((visibility("default"))) const char* __lsan_default_suppressions(void);
const char* __lsan_default_suppressions(void) { return "leak:libassimp\nleak:libstdc++\n"; }
// The limit on memory would refuse the sanitizer its shadow. Without any, a file on which assimp never ends
// fills memory for a minute.
__attribute__((visibility("default"))) const char* __asan_default_options(void);
const char* __asan_default_options(void) { return "hard_rss_limit_mb=2560"; }
#endif

// ------------------------------------------------------------------------------------------- in and out

static bool read_input(sniBytes* input) {
    enum { STEP = 1 << 20 };
    for (;;) {
        uint8_t* room = sni_bytes_extend(input, STEP);
        ssize_t part = room != NULL ? read(STDIN_FILENO, room, STEP) : -1;
        if (part < 0) return false;
        input->size -= STEP - (size_t)part;
        if (part == 0) return true;
    }
}

static bool write_output(const sniBytes* output) {
    for (size_t done = 0; done < output->size;) {
        ssize_t part = write(STDOUT_FILENO, output->data + done, output->size - done);
        if (part <= 0) return false;
        done += (size_t)part;
    }
    return true;
}

// ------------------------------------------------------------------------------------------------- model

bool sni_scene_materials(sniScene* s) {
    s->materials = SNI_ARENA_ARRAY(&s->arena, snMaterial, s->scene->mNumMaterials);
    if (s->materials == NULL) return false;
    s->material_count = s->scene->mNumMaterials;
    for (uint32_t m = 0; m < s->material_count; m++) {
        const struct aiMaterial* from = s->scene->mMaterials[m];
        struct aiString* name = SNI_ARENA_ARRAY(&s->arena, struct aiString, 1);
        if (name == NULL) return false;
        aiGetMaterialString(from, AI_MATKEY_NAME, name);
        struct aiColor4D color = {1.0f, 1.0f, 1.0f, 1.0f};
        aiGetMaterialColor(from, AI_MATKEY_COLOR_DIFFUSE, &color);
        int two_sided = 0;
        aiGetMaterialIntegerArray(from, AI_MATKEY_TWOSIDED, &two_sided, NULL);
        s->materials[m] = (snMaterial){.name = name->data,
                                       .base_color = {color.r, color.g, color.b, color.a},
                                       .double_sided = two_sided != 0};
    }
    return true;
}

// Lends the model what a definition has no place for; `take_back` must follow.
static void lend_materials(snModel* model, const sniScene* s) {
    model->material_count = s->material_count;
    model->materials = s->materials;
    for (uint32_t p = 0; p < model->part_count; p++) {
        model->parts[p].group_materials = (uint32_t*)s->group_materials[p];
    }
}

static void take_back(snModel* model) {
    model->material_count = 0;
    model->materials = NULL;
    for (uint32_t p = 0; p < model->part_count; p++) model->parts[p].group_materials = NULL;
}

static snResult convert(const struct aiScene* scene, const sniBytes* input, float unit, sniBytes* output,
                        snError* error) {
    sniScene s = {.scene = scene, .arena = {sn_allocator_default(), NULL, false}};
    sniFbx fbx;
    if (sni_fbx_open(input->data, input->size, &s.arena, &fbx)) s.fbx = &fbx;
    snResult result = SN_RESULT_LIMIT;
    snModel* model = NULL;
    sni_fail(error, result, "out of memory");
    if (sni_scene_joints(&s, unit * sni_scene_unit(scene)) && sni_scene_materials(&s) &&
        sni_scene_parts(&s) && sni_scene_clips(&s)) {
        snSkeletonDef skeleton = {s.joint_count, s.names, s.parents, s.rest};
        snModelDef def = {&skeleton, s.skin_count, s.skins, s.part_count, s.parts, s.clip_count, s.clips};
        result = sn_model_create(&def, NULL, &model, error);
    }
    if (result == SN_RESULT_OK) {
        lend_materials(model, &s);
        sni_stream_write(model, &s.notes, output);
        take_back(model);
    }
    sn_model_destroy(model);
    sni_arena_free(&s.arena);
    return result;
}

// --------------------------------------------------------------------------------------------------- main

static void refuse(sniBytes* output, const snError* error) {
    bool memory = output->failed || error->code == SN_RESULT_OUT_OF_MEMORY || error->code == SN_RESULT_LIMIT;
    snAllocator allocator = output->allocator;
    sni_bytes_free(output);
    *output = sni_bytes(&allocator);
    sni_stream_write_error(memory ? SN_RESULT_LIMIT : SN_RESULT_BAD_DATA,
                           error->text[0] != '\0' ? error->text : "out of memory", output);
}

// A line for each: "refused", "possible", and what.
static bool print_probes(sniBytes* output) {
    const char* missing = SNI_SANITIZED ? "all, in a build with sanitizers" : sn_sandbox_enter();
    sniProbe probes[SNI_PROBE_COUNT];
    sni_sandbox_probe(probes);
    for (uint32_t i = 0; i < SNI_PROBE_COUNT; i++) {
        sni_bytes_text(output, probes[i].refused ? "refused " : "possible ");
        sni_bytes_text(output, probes[i].act);
        sni_bytes_text(output, "\n");
    }
    sni_bytes_text(output, "missing ");
    sni_bytes_text(output, missing);
    sni_bytes_text(output, "\n");
    bool written = !output->failed && write_output(output);
    sni_bytes_free(output);
    return written;
}

int main(int argc, char** argv) {
    float unit = argc == 3 ? strtof(argv[2], NULL) : 0.0f;
    if (argc != 3 || !(unit > 0.0f) || !sn_finite(unit)) {
        fprintf(stderr, "usage: sinew-import EXTENSION UNIT <FILE >MODEL\n");
        return 2;
    }
    snAllocator memory = sn_allocator_default();
    sniBytes input = sni_bytes(&memory), output = sni_bytes(&memory);
    snError error = sn_error_none();
    snResult result = SN_RESULT_LIMIT;
    if (!read_input(&input) || input.size > UINT32_MAX) {
        sni_fail(&error, result, "is too large for the importer");
    } else if (strcmp(argv[1], "--sandbox") == 0) {
        sni_bytes_free(&input);
        return print_probes(&output) ? 0 : 1;
    } else {
        // Sanitizers open files of their own.
        if (!SNI_SANITIZED) sn_sandbox_enter();
        const struct aiScene* scene =
            aiImportFileFromMemory((const char*)input.data, (unsigned)input.size, 0, argv[1]);
        if (scene != NULL && scene->mRootNode != NULL) {
            result = convert(scene, &input, unit, &output, &error);
        } else {
            const char* reason = aiGetErrorString();
            result = strstr(reason, "bad_alloc") != NULL ? SN_RESULT_LIMIT : SN_RESULT_BAD_DATA;
            sni_fail(&error, result, "assimp cannot read it: %.300s",
                     reason[0] != '\0' ? reason : "no reason given");
        }
    }
    if (result != SN_RESULT_OK || output.failed) refuse(&output, &error);
    bool written = !output.failed && write_output(&output);
    sni_bytes_free(&input);
    sni_bytes_free(&output);
    // assimp is left as it is: cleaning up after some files it frees memory twice, and the answer is out.
    return written ? 0 : 1;
}
