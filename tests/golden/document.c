// A document driven through its edits and back, natively and as WASM: the same hashes at every step.
#include "document.h"

#include <stdio.h>
#include <stdlib.h>

#include "sinew/document.h"

static void require(snResult result, const snError* error, const char* what) {
    if (result == SN_RESULT_OK) return;
    printf("golden_files: document: %s: %s: %s\n", what, sn_result_name(result), error->text);
    exit(1);
}

static void expect(bool right, const char* what) {
    if (right) return;
    printf("golden_files: document: %s differs\n", what);
    exit(1);
}

// ------------------------------------------------------------------------------------------------- steps

typedef struct Scene {
    snDocument* document;
    const void* glb;
    size_t glb_size;
    snProgress progress;
} Scene;

typedef snResult StepFn(const Scene* scene, snError* error);

static snResult open_glb(const Scene* scene, snError* error) {
    snOpenDef def = sn_open_def();
    def.progress = scene->progress;
    return sn_document_open_memory(scene->document, "bar.glb", scene->glb, scene->glb_size, &def, error);
}

static snResult fit(const Scene* scene, snError* error) {
    return sn_document_refit(scene->document, &scene->progress, NULL, error);
}

static snResult bind(const Scene* scene, snError* error) {
    snBindDef def = sn_bind_def();
    def.cells = 12;
    return sn_document_bind(scene->document, &def, &scene->progress, NULL, error);
}

static snResult move(const Scene* scene, snError* error) {
    snSource* source = NULL;
    snMotionDef def = sn_motion_def();
    def.progress = scene->progress;
    def.to = 0.5f;
    snResult result = sn_source_open(scene->document, "builtin:bar", NULL, &source, error);
    if (result == SN_RESULT_OK) result = sn_document_add_motion(scene->document, source, &def, NULL, error);
    sn_source_close(source);
    return result;
}

// A style for all joints, and a profile of exact volume.
static snResult change(const Scene* scene, bool style, snError* error) {
    static char all[] = "*", muscle[] = "muscle";
    const snSettings* old = sn_document_settings(scene->document);
    snSettings* settings = NULL;
    snStyle* made = NULL;
    snResult result = sn_settings_copy(old, NULL, &settings, error);
    if (result == SN_RESULT_OK) result = sn_style_preset(muscle, NULL, &made, error);
    const snStyle* styles[] = {made};
    snStyleRule rule = {all, muscle, 0.7f};
    snVolumeRule volume = {all, *sn_volume_preset(1), 0.9f};
    if (result == SN_RESULT_OK && style) result = sn_settings_set_style_rules(settings, NULL, 0, error);
    if (result == SN_RESULT_OK && style) result = sn_settings_set_styles(settings, styles, 1, error);
    if (result == SN_RESULT_OK && style) result = sn_settings_set_style_rules(settings, &rule, 1, error);
    if (result == SN_RESULT_OK && !style) result = sn_settings_set_volume_rules(settings, &volume, 1, error);
    if (result == SN_RESULT_OK) result = sn_document_set_settings(scene->document, settings, error);
    sn_style_destroy(made);
    sn_settings_destroy(settings);
    return result;
}

static snResult add_style(const Scene* scene, snError* error) { return change(scene, true, error); }
static snResult add_profile(const Scene* scene, snError* error) { return change(scene, false, error); }
static snResult soften(const Scene* scene, snError* error) {
    return sn_document_set(scene->document, "flesh.delta", "0.123", error);
}

static const struct {
    const char* name;
    StepFn* run;
} steps[] = {{"open", open_glb}, {"fit", fit},         {"bind", bind},
             {"motion", move},   {"style", add_style}, {"profile", add_profile},
             {"soften", soften}};
enum { STEPS = sizeof steps / sizeof steps[0] };

static bool stop_at(void* user, const char* stage, float share) {
    int* left = user;
    (void)stage, (void)share;
    return (*left)-- > 0;
}

// ------------------------------------------------------------------------------------------------- drive

// Each step is stopped at every place where it tells progress before it is done.
static void do_steps(Scene* scene, uint64_t* hashes) {
    snError error = sn_error_none();
    hashes[0] = sn_document_hash(scene->document);
    for (int i = 0; i < STEPS; i++) {
        snResult result = SN_RESULT_CANCELLED;
        for (int n = 0; result == SN_RESULT_CANCELLED; n++) {
            int left = n;
            scene->progress = (snProgress){stop_at, &left};
            result = steps[i].run(scene, &error);
            if (result == SN_RESULT_CANCELLED)
                expect(sn_document_hash(scene->document) == hashes[i], "a cancelled step");
        }
        require(result, &error, steps[i].name);
        hashes[i + 1] = sn_document_hash(scene->document);
        expect(sn_document_undo_count(scene->document) == (uint32_t)i + 1, "the number of edits");
    }
}

static void undo_and_redo(const Scene* scene, const uint64_t* hashes) {
    snError error = sn_error_none();
    for (int i = STEPS; i > 0; i--) {
        require(sn_document_undo(scene->document, &error), &error, "undo");
        expect(sn_document_hash(scene->document) == hashes[i - 1], steps[i - 1].name);
    }
    for (int i = 0; i < STEPS; i++) {
        require(sn_document_redo(scene->document, &error), &error, "redo");
        expect(sn_document_hash(scene->document) == hashes[i + 1], "redo");
    }
}

static void save_and_open(const Scene* scene, uint64_t hash) {
    snBytes project = {0}, history = {0};
    snError error = sn_error_none();
    require(sn_document_save_memory(scene->document, &project, &error), &error, "save");
    require(sn_document_history_write_memory(scene->document, &history, &error), &error, "history");
    snDocumentDef def = sn_document_def();
    snDocument* opened = NULL;
    require(sn_document_create(&def, NULL, &opened, &error), &error, "create");
    require(sn_document_open_memory(opened, "a.snproject", project.data, project.size, NULL, &error), &error,
            "open");
    expect(sn_document_hash(opened) == hash, "the opened project");
    require(sn_document_history_read_memory(opened, "a.history", history.data, history.size, &error), &error,
            "history");
    expect(sn_document_undo_count(opened) == STEPS, "the history");
    sn_document_destroy(opened);
    sn_bytes_free(&project);
    sn_bytes_free(&history);
}

uint64_t golden_document(const void* glb, size_t size) {
    snDocumentDef def = sn_document_def();
    Scene scene = {NULL, glb, size, {0}};
    uint64_t hashes[STEPS + 1];
    snError error = sn_error_none();
    require(sn_document_create(&def, NULL, &scene.document, &error), &error, "create");
    do_steps(&scene, hashes);
    undo_and_redo(&scene, hashes);
    save_and_open(&scene, hashes[STEPS]);
    // And what it looks like in motion.
    uint64_t hash = hashes[STEPS];
    snCharacter* character = NULL;
    for (int i = 0; i < 8; i++) {
        require(sn_document_play(scene.document, 0, (float)i / 30.0f, SN_WRAP_LOOP, &error), &error, "pose");
        require(sn_document_character(scene.document, &character, &error), &error, "character");
        uint64_t frame = sn_character_hash(character);
        hash = sn_hash_bytes(hash, &frame, sizeof frame);
    }
    sn_document_destroy(scene.document);
    return hash;
}
