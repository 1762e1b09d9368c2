// A document driven through its edits and back, natively and as WASM: the same hashes at every step.
#include "document.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sinew/bake.h"
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
    GoldenRunFn* run;
} Scene;

typedef snResult StepFn(const Scene* scene, const snProgress* progress, snError* error);

static snResult open_glb(const Scene* scene, const snProgress* progress, snError* error) {
    snOpenDef def = sn_open_def();
    def.progress = *progress;
    return sn_document_open_memory(scene->document, "bar.glb", scene->glb, scene->glb_size, &def, error);
}

static snResult fit(const Scene* scene, const snProgress* progress, snError* error) {
    return sn_document_refit(scene->document, progress, NULL, error);
}

static snResult bind(const Scene* scene, const snProgress* progress, snError* error) {
    snBindDef def = sn_bind_def();
    def.cells = 12;
    return sn_document_bind(scene->document, &def, progress, NULL, error);
}

static snResult move(const Scene* scene, const snProgress* progress, snError* error) {
    snSource* source = NULL;
    snMotionDef def = sn_motion_def();
    def.progress = *progress;
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

static snResult add_style(const Scene* scene, const snProgress* progress, snError* error) {
    (void)progress;
    return change(scene, true, error);
}
static snResult add_profile(const Scene* scene, const snProgress* progress, snError* error) {
    (void)progress;
    return change(scene, false, error);
}
static snResult soften(const Scene* scene, const snProgress* progress, snError* error) {
    (void)progress;
    return sn_document_set(scene->document, "flesh.delta", "0.123", error);
}

static snResult paint(const Scene* scene, const snProgress* progress, snError* error) {
    (void)progress;
    snBrush brush = sn_brush();
    brush.vertex = 98;
    brush.radius = 0.3f;
    return sn_document_paint_weights(scene->document, &brush, 1, SN_PAINT_ADD, 0.5f, error);
}

static snResult make_handles(const Scene* scene, const snProgress* progress, snError* error) {
    snMakeHandlesDef def = sn_make_handles_def();
    def.from = SN_HANDLES_FROM_SKELETON;
    def.progress = *progress;
    return sn_document_make_handles(scene->document, &def, NULL, error);
}

// A pose and the keyframes that show it, as one edit.
static snResult lead(const Scene* scene, const snProgress* progress, snError* error) {
    (void)progress;
    static const char bow[] = "{\"sinew_pose\": 1, \"name\": \"bow\", \"steps\": [{\"turn\": \"Bone2\", "
                              "\"axis\": [1, 0, 0], \"degrees\": 30}]}";
    static const char keys[] =
        "{\"sinew_path\": 1, \"fps\": 10, \"keyframes\": [{\"time\": 0, \"poses\": {}}, "
        "{\"time\": 0.5, \"poses\": {\"bow\": 1}}]}";
    snDocument* document = scene->document;
    snResult result = sn_document_begin(document, "Path", error);
    if (result != SN_RESULT_OK) return result;
    result = sn_document_read_pose(document, "bow.snpose", bow, strlen(bow), NULL, NULL, error);
    if (result == SN_RESULT_OK)
        result = sn_document_set_path(document, "path.json", keys, strlen(keys), NULL, error);
    if (result == SN_RESULT_OK) return sn_document_end(document, error);
    sn_document_cancel(document);
    return result;
}

static const struct {
    const char* name;
    StepFn* run;
} steps[] = {{"open", open_glb},  {"fit", fit},         {"bind", bind},
             {"retarget", move},  {"style", add_style}, {"profile", add_profile},
             {"setting", soften}, {"weights", paint},   {"handles", make_handles},
             {"path", lead}};
enum { STEPS = sizeof steps / sizeof steps[0] };

// A step with what it works on.
typedef struct Work {
    const Scene* scene;
    StepFn* step;
} Work;

static snResult call_step(void* user, const snProgress* progress, snError* error) {
    const Work* work = user;
    return work->step(work->scene, progress, error);
}

static snResult run_step(const Scene* scene, StepFn* step, const snProgress* progress, snError* error) {
    Work work = {scene, step};
    return scene->run != NULL ? scene->run(call_step, &work, progress, error)
                              : call_step(&work, progress, error);
}

static bool stop_at(void* user, const char* stage, float share) {
    int* left = user;
    (void)stage, (void)share;
    return (*left)-- > 0;
}

// ------------------------------------------------------------------------------------------------- drive

// Each step is stopped at every place where it tells progress before it is done.
static void do_steps(const Scene* scene, uint64_t* hashes) {
    snError error = sn_error_none();
    hashes[0] = sn_document_hash(scene->document);
    for (int i = 0; i < STEPS; i++) {
        snResult result = SN_RESULT_CANCELLED;
        for (int n = 0; result == SN_RESULT_CANCELLED; n++) {
            int left = n;
            snProgress progress = {stop_at, &left};
            result = run_step(scene, steps[i].run, &progress, &error);
            if (result == SN_RESULT_CANCELLED)
                expect(sn_document_hash(scene->document) == hashes[i], "a cancelled step");
        }
        require(result, &error, steps[i].name);
        hashes[i + 1] = sn_document_hash(scene->document);
        expect(hashes[i + 1] != hashes[i], "a step that changes nothing");
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

// ---------------------------------------------------------------------------------------------- its looks

static uint64_t hash_frames(const Scene* scene, uint64_t hash) {
    snError error = sn_error_none();
    snCharacter* character = NULL;
    for (int i = 0; i < 8; i++) {
        require(sn_document_play(scene->document, 0, (float)i / 30.0f, SN_WRAP_LOOP, &error), &error, "pose");
        require(sn_document_character(scene->document, &character, &error), &error, "character");
        uint64_t frame = sn_character_hash(character);
        hash = sn_hash_bytes(hash, &frame, sizeof frame);
    }
    return hash;
}

static uint64_t looks; // of the step that ran last

#ifdef SINEW_HAVE_SPARSE
static snResult play_path(const Scene* scene, const snProgress* progress, snError* error) {
    snHandlePlayer* player = NULL;
    snHandlePlayerDef def = sn_handle_player_def();
    snPuppetDef options = sn_puppet_def();
    options.progress = *progress;
    snTakeDef plan = sn_take_def();
    looks = SN_HASH_SEED;
    snResult result = sn_handle_player_create(scene->document, &def, &player, error);
    if (result == SN_RESULT_OK) result = sn_handle_player_build(player, &options, error);
    if (result == SN_RESULT_OK) sn_handle_player_plan(player, &plan);
    for (uint32_t i = 0; i < plan.frames && result == SN_RESULT_OK; i++) {
        snTakeSource source = sn_handle_player_source(player);
        result = source.pose(source.user, i);
        uint64_t frame = source.hash(source.user);
        looks = sn_hash_bytes(looks, &frame, sizeof frame);
    }
    sn_handle_player_destroy(player);
    return result;
}
#endif

static snResult frames_of_take(void* user, uint32_t frame, snSurface* out_surfaces) {
    snResult result = sn_take_pose(user, frame, NULL);
    if (result == SN_RESULT_OK) out_surfaces[0] = sn_take_surface(user, 0);
    return result;
}

static snResult bake(const Scene* scene, const snProgress* progress, snError* error) {
    snTakeDef take_def = sn_take_def();
    snMorphBakeDef def = sn_morph_bake_def();
    snTake* take = NULL;
    snMorphBake* made = NULL;
    take_def.clip = 0;
    take_def.to = 0.5f;
    def.model = sn_document_model(scene->document);
    def.clip = 0;
    def.frames = frames_of_take;
    def.progress = *progress;
    snResult result = sn_take_create(scene->document, &take_def, NULL, &take, error);
    if (result == SN_RESULT_OK) {
        def.user = take;
        def.frame_count = sn_take_report(take)->frames;
        result = sn_morph_bake_create(&def, NULL, &made, error);
    }
    if (result == SN_RESULT_OK) {
        const snMorphPart* part = &made->parts[0];
        size_t count = (size_t)part->target_count * part->vertex_count * 3;
        looks = sn_hash_floats(SN_HASH_SEED, part->weights, (size_t)part->target_count * part->key_count);
        if (count > 0) looks = sn_hash_floats(looks, &part->targets->x, count);
    }
    sn_morph_bake_destroy(made);
    sn_take_destroy(take);
    return result;
}

static snResult check(const Scene* scene, const snProgress* progress, snError* error) {
    snCheck* made = NULL;
    snCheckDef def = sn_check_def();
    def.model = sn_document_model(scene->document);
    def.settings = sn_document_settings(scene->document);
    def.clip = 0;
    def.progress = *progress;
    snResult result = sn_check_create(&def, NULL, &made, error);
    looks = SN_HASH_SEED;
    for (int m = 0; m < SN_MEASURE_COUNT && result == SN_RESULT_OK; m++) {
        float value = sn_check_value(made, (snMeasure)m, 3, 1);
        looks = sn_hash_floats(looks, &value, 1);
    }
    sn_check_destroy(made);
    return result;
}

// Stopped now and then, too.
static uint64_t hash_looks(const Scene* scene, StepFn* step, const char* what) {
    snError error = sn_error_none();
    snResult result = SN_RESULT_CANCELLED;
    for (int n = 0; result == SN_RESULT_CANCELLED; n += 7) {
        int left = n;
        snProgress progress = {stop_at, &left};
        result = run_step(scene, step, &progress, &error);
    }
    require(result, &error, what);
    return looks;
}

GoldenDocument golden_document(const void* glb, size_t size, GoldenRunFn* run) {
    snDocumentDef def = sn_document_def();
    Scene scene = {NULL, glb, size, run};
    GoldenDocument golden = {0};
    uint64_t hashes[STEPS + 1];
    snError error = sn_error_none();
#ifdef SINEW_HAVE_SPARSE
    def.sparse = sn_sparse_cholmod();
#endif
    require(sn_document_create(&def, NULL, &scene.document, &error), &error, "create");
    do_steps(&scene, hashes);
    undo_and_redo(&scene, hashes);
    save_and_open(&scene, hashes[STEPS]);
    golden.document = hash_frames(&scene, hashes[STEPS]);
#ifdef SINEW_HAVE_SPARSE
    golden.path = hash_looks(&scene, play_path, "path");
#endif
    golden.bake = hash_looks(&scene, bake, "bake");
    golden.check = hash_looks(&scene, check, "check");
    expect(sn_document_hash(scene.document) == hashes[STEPS], "the document after it was looked at");
    sn_document_destroy(scene.document);
    return golden;
}
