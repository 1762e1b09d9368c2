// Golden hashes of files: read from memory and written to it, the same bytes natively and as WASM, where
// there is no file system.
//
// usage: golden_files [--print]
// Exit code 0 when every hash is the one below. --print writes them instead of comparing.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "document.h"
#include "embedded.h"
#include "sinew/io.h"
#include "sinew/sinew.h"

static int failures;
static bool print_only;

static void require(snResult result, const snError* error, const char* what) {
    if (result == SN_RESULT_OK) return;
    printf("golden_files: %s: %s: %s\n", what, sn_result_name(result), error->text);
    exit(1);
}

static void check(const char* name, uint64_t hash, uint64_t golden) {
    bool same = hash == golden;
    if (print_only)
        printf("%-14s 0x%016" PRIx64 "\n", name, hash);
    else
        printf("%-14s %s\n", name, same ? "agrees" : "DIFFERS");
    failures += !print_only && !same;
}

static uint64_t hash_away(snBytes* bytes) {
    uint64_t hash = sn_hash_bytes(SN_HASH_SEED, bytes->data, bytes->size);
    sn_bytes_free(bytes);
    return hash;
}

// ------------------------------------------------------------------------------------------------- models

static snModel* read_model(const char* name, const void* data, size_t size) {
    snModel* model = NULL;
    snError error = sn_error_none();
    require(sn_model_read_memory(name, data, size, NULL, &model, &error), &error, name);
    return model;
}

// Nothing in it depends on Sinew's version.
static snBytes write_model(const snModel* model, const char* name) {
    snBytes bytes = {0};
    snError error = sn_error_none();
    snWriteDef def = sn_write_def();
    def.generator = "golden";
    require(sn_model_write_memory(model, name, &def, NULL, &bytes, &error), &error, name);
    if (bytes.data[0] == '#') memset(bytes.data, '#', strcspn((const char*)bytes.data, "\n"));
    return bytes;
}

// A body made in code, as each format; and what was read from it, written once more.
static void check_body(void) {
    snBodyDef def = sn_body_def();
    def.vertex_target = 2000;
    snModel* body = NULL;
    snError error = sn_error_none();
    require(sn_builtin_body(&def, NULL, &body, &error), &error, "body");
    snBytes glb = write_model(body, "body.glb"), obj = write_model(body, "body.obj"),
            bvh = write_model(body, "body.bvh");
    snModel* again = read_model("body.glb", glb.data, glb.size);
    snModel* motion = read_model("body.bvh", bvh.data, bvh.size);
    snBytes through = write_model(again, "again.glb"), moved = write_model(motion, "motion.glb");
    check("glb", hash_away(&glb), UINT64_C(0x2ee1c99c85488ce7));
    check("glb again", hash_away(&through), UINT64_C(0x2ee1c99c85488ce7));
    check("obj", hash_away(&obj), UINT64_C(0x6e2a0a3112c15816));
    check("bvh", hash_away(&bvh), UINT64_C(0x904115dcc9f75ce6));
    check("bvh as glb", hash_away(&moved), UINT64_C(0xb2a15c2feec5169e));
    sn_model_destroy(motion);
    sn_model_destroy(again);
    sn_model_destroy(body);
}

static void check_old_model(void) {
    snModel* model = read_model("bar.glb", bar_glb, sizeof bar_glb);
    snBytes through = write_model(model, "bar.glb");
    check("old glb", hash_away(&through), UINT64_C(0x65d80367f7d48b91));
    sn_model_destroy(model);
}

// ------------------------------------------------------------------------------------------------- others

// Not the bytes: what packed pictures look like depends on zlib's version.
static uint64_t hash_style(const snStyle* style) {
    uint64_t hash = sn_hash_bytes(SN_HASH_SEED, style->name, strlen(style->name));
    const float numbers[] = {style->bend_angle, style->twist_angle, style->fade};
    hash = sn_hash_floats(hash, numbers, 3);
    for (uint32_t d = 0; d < SN_STYLE_DIRECTIONS; d++) {
        const snStyleTexture* texture = &style->textures[d];
        hash = sn_hash_bytes(hash, texture->texels, (size_t)texture->width * texture->height * 2);
        for (uint32_t k = 0; k < style->curves[d].count; k++) {
            hash = sn_hash_floats(hash, &style->curves[d].keys[k].x, 2);
        }
    }
    return hash;
}

// As it is in the old file, and after it was packed and unpacked here.
static void check_style(void) {
    snStyle *style = NULL, *again = NULL;
    snBytes bytes = {0};
    snError error = sn_error_none();
    require(sn_style_read_memory("old.snstyle", old_snstyle, sizeof old_snstyle, NULL, &style, &error),
            &error, "style");
    require(sn_style_write_memory(style, NULL, NULL, &bytes, &error), &error, "style");
    require(sn_style_read_memory("new.snstyle", bytes.data, bytes.size, NULL, &again, &error), &error,
            "style");
    check("style", hash_style(style), UINT64_C(0x2d9bcf39ae9b9d21));
    if (hash_style(again) != hash_style(style)) check("style again", 0, 1);
    sn_bytes_free(&bytes);
    sn_style_destroy(style);
    sn_style_destroy(again);
}

static void check_handles(void) {
    snHandles* handles = NULL;
    snHandlePose* pose = NULL;
    snBytes rig = {0}, posed = {0};
    snError error = sn_error_none();
    require(sn_handles_read_memory("bar.snrig", bar_snrig, sizeof bar_snrig, NULL, NULL, &handles, &error),
            &error, "rig");
    require(
        sn_handle_pose_read_memory("bar.snpose", bar_snpose, sizeof bar_snpose, handles, NULL, &pose, &error),
        &error, "pose");
    require(sn_handles_write_memory(handles, NULL, &rig, &error), &error, "rig");
    require(sn_handle_pose_write_memory(pose, handles, NULL, &posed, &error), &error, "pose");
    check("rig", hash_away(&rig), UINT64_C(0x1e3b6519fb755c58));
    check("pose", hash_away(&posed), UINT64_C(0x5c76e9fc83f703fb));
    sn_handle_pose_destroy(pose);
    sn_handles_destroy(handles);
}

static void check_settings(void) {
    snSettings* settings = NULL;
    snBytes bytes = {0};
    snError error = sn_error_none();
    require(sn_settings_create(NULL, &settings, &error), &error, "settings");
    require(sn_settings_read_memory("settings.json", settings_json, sizeof settings_json, settings, &error),
            &error, "settings");
    require(sn_settings_write_memory(settings, NULL, &bytes, &error), &error, "settings");
    check("settings", hash_away(&bytes), UINT64_C(0x05ecd416ff0ed1c3));
    sn_settings_destroy(settings);
}

static void check_document(void) {
    GoldenDocument golden = golden_document(bar_glb, sizeof bar_glb, NULL);
    check("document", golden.document, UINT64_C(0x99cf667f145f7ccd));
    if (golden.path != 0) check("path", golden.path, UINT64_C(0xd13a0003b9d2a9fa));
    check("bake", golden.bake, UINT64_C(0x46dfd281b2532481));
    check("check", golden.check, UINT64_C(0xcb76e79d769923ff));
}

int main(int argc, char** argv) {
    print_only = argc > 1 && strcmp(argv[1], "--print") == 0;
    check_body();
    check_old_model();
    check_style();
    check_handles();
    check_settings();
    check_document();
    if (!print_only) printf("golden_files: %s\n", failures == 0 ? "all hashes agree" : "hashes differ");
    return failures == 0 ? 0 : 1;
}
