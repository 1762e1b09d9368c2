// Baking to helper joints: motions that are known come back, what is reported is what a viewer shows, and
// clips without keys show the plain skin.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frames.h"
#include "joint_viewer.h"
#include "rigs.h"

static snModel* make_tube(void) { return test_tube(12, 24); }

static snJointBakeDef def_of(const snModel* model, const snBakeClip* clips, uint32_t count) {
    snJointBakeDef def = sn_joint_bake_def();
    def.model = model;
    def.clips = clips;
    def.clip_count = count;
    return def;
}

// -------------------------------------------------------------------------------------------------- viewer

// Rms and worst of what is shown at the frames (step 1), or half way between too (step 2).
static void measure(TestFrames* frames, const snJointBake* bake, uint32_t c, uint32_t step, double* rms,
                    double* worst) {
    snSurface surfaces[4] = {0};
    double squares = 0.0, samples = 0.0;
    uint32_t count = (bake->clips[c].frame_count - 1) * step + 1;
    *worst = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        assert_ok(test_frames_get(frames, i, surfaces));
        if (step == 2 && i % 2 == 0) continue;
        snMat4* world = test_joint_world(frames->model, bake, c, (double)i / step);
        for (uint32_t p = 0; p < bake->part_count; p++) {
            for (uint32_t v = 0; v < surfaces[p].vertex_count; v++) {
                snVec3 shown = test_joint_point(frames->model, bake, world, p, v);
                double error = (double)sn_distance(shown, surfaces[p].positions[v]);
                *worst = fmax(*worst, error);
                squares += error * error;
                samples += 1.0;
            }
        }
        free(world);
    }
    *rms = sqrt(squares / samples);
}

// ------------------------------------------------------------------------------------------- known answers

// Half of a tube is the flesh of its joint: it swings about a place on it, as one helper does.
typedef struct Swing {
    TestFrames frames;
    snVec3* positions;
    uint32_t joint;
    float kick; // radians more at every second moment of the first half
} Swing;

static float swing_share(snVec3 rest) { return sn_clampf(4.0f * (rest.y - 0.6f), 0.0f, 1.0f); }

static snResult swing_frame(void* user, uint32_t frame, snSurface* out) {
    Swing* s = user;
    snResult result = test_frames_get(&s->frames, frame, out);
    const snModel* model = s->frames.model;
    const snSkin* skin = &model->skins[model->parts[0].skin];
    uint32_t slot = 0;
    while (skin->joints[slot] != s->joint) slot++;
    const snMat4* world = sn_character_world(s->frames.character);
    float time = (float)frame / s->frames.fps;
    float kick = frame % 2 != 0 && frame < 12 ? s->kick : 0.0f;
    snTrs motion = {sn_vec3(0.02f * sn_sin(7.0f * time), 0.0f, 0.01f),
                    sn_quat_axis_angle(sn_vec3(0.0f, 0.0f, 1.0f), 0.3f * sn_sin(9.0f * time) + kick),
                    {1.0f, 1.0f, 1.0f}};
    snMat4 local = sn_mat4_from_trs(&motion), moved = sn_mat4_mul(&world[s->joint], &local);
    snMat4 m = sn_mat4_mul(&moved, &skin->inverse_binds[slot]);
    for (uint32_t v = 0; v < out[0].vertex_count; v++) {
        snVec3 rest = model->parts[0].mesh->positions[v];
        snVec3 there = sn_mat4_point(&m, rest);
        s->positions[v] = sn_lerp(out[0].positions[v], there, swing_share(rest));
    }
    out[0].positions = s->positions;
    return result;
}

// Weights of one joint alone, so that there is one answer.
static snModel* make_rod(void) {
    snModel* model = make_tube();
    snWeights* w = &model->parts[0].weights;
    for (uint32_t v = 0; v < w->vertex_count; v++) {
        memset(w->weights + (size_t)v * w->influences, 0, w->influences * sizeof(float));
        w->weights[(size_t)v * w->influences] = 1.0f;
        w->joints[(size_t)v * w->influences] = 0;
    }
    return model;
}

// What happens between two frames gets keys there, and only there; without, the figure says what is missed.
static void keys_what_frames_miss(void** state) {
    (void)state;
    snModel* model = make_rod();
    Swing s = {.frames = test_frames_open(model, 0, 40.0f, TEST_FRAMES_PLAIN),
               .joint = model->skins[0].joints[0],
               .kick = 0.2f};
    s.positions = calloc(model->parts[0].mesh->vertex_count, sizeof(snVec3));
    snBakeClip clip = test_frames_clip(&s.frames);
    clip.frames = swing_frame;
    clip.user = &s;
    clip.fps = 20.0f;
    clip.frame_count = (clip.frame_count - 1) / 2 + 1;
    clip.middles = true;
    snJointBakeDef def = def_of(model, &clip, 1);
    def.helper_count = 1;
    def.tolerance = 0.03f; // the swing itself is off by less between two frames
    snJointBake* bake = test_joint_bake(&def);
    const snHelperClip* keys = &bake->clips[0];
    assert_int_equal(keys->frame_count, clip.frame_count);
    assert_int_equal(keys->key_count, clip.frame_count + 6);
    for (uint32_t k = 1; k < keys->key_count; k++) assert_true(keys->times[k - 1] < keys->times[k]);
    assert_true(bake->middles.worst < 0.03);
    sn_joint_bake_destroy(bake);
    def.tolerance = 1.0f; // nothing misses it
    bake = test_joint_bake(&def);
    assert_int_equal(bake->clips[0].key_count, clip.frame_count);
    assert_true(bake->middles.worst > 0.05);
    sn_joint_bake_destroy(bake);
    free(s.positions);
    test_frames_close(&s.frames);
    sn_model_destroy(model);
}

static void finds_a_known_helper(void** state) {
    (void)state;
    snModel* model = make_rod();
    Swing s = {.frames = test_frames_open(model, 0, 20.0f, TEST_FRAMES_PLAIN),
               .joint = model->skins[0].joints[0]};
    s.positions = calloc(model->parts[0].mesh->vertex_count, sizeof(snVec3));
    snBakeClip clip = test_frames_clip(&s.frames);
    clip.frames = swing_frame;
    clip.user = &s;
    snJointBakeDef def = def_of(model, &clip, 1);
    def.helper_count = 1;
    snJointBake* bake = test_joint_bake(&def);
    assert_int_equal(bake->helper_count, 1);
    assert_int_equal(bake->helpers[0].parent, s.joint);
    char name[64];
    snprintf(name, sizeof name, "sinew_%s_01", model->skeleton->names[s.joint]);
    assert_string_equal(bake->helpers[0].name, name);
    assert_true(bake->plain.worst > 0.05);
    if (bake->frames.worst > 0.01 * bake->plain.worst)
        fail_msg("worst %g of %g", bake->frames.worst, bake->plain.worst);
    assert_true(bake->rest_error < 1e-6); // one joint: nowhere else to go
    // Where the plain skin is right the weights stay the joint's.
    const snWeights* w = &bake->parts[0].weights;
    for (uint32_t v = 0; v < w->vertex_count; v++) {
        if (swing_share(model->parts[0].mesh->positions[v]) > 0.0f) continue;
        float own = 0.0f;
        for (uint32_t k = 0; k < w->influences; k++)
            own +=
                w->joints[(size_t)v * w->influences + k] == 0 ? w->weights[(size_t)v * w->influences + k] : 0;
        assert_true(own > 0.99f);
    }
    sn_joint_bake_destroy(bake);
    free(s.positions);
    test_frames_close(&s.frames);
    sn_model_destroy(model);
}

static void leaves_a_plain_skin_alone(void** state) {
    (void)state;
    snModel* model = make_tube();
    TestFrames frames = test_frames_open(model, 0, 20.0f, TEST_FRAMES_PLAIN);
    snBakeClip clip = test_frames_clip(&frames);
    snJointBakeDef def = def_of(model, &clip, 1);
    snJointBake* bake = test_joint_bake(&def);
    assert_int_equal(bake->helper_count, 0);
    assert_int_equal(bake->parts[0].weights.influences, 0);
    assert_true(bake->frames.worst < 1e-5);
    assert_int_equal(bake->clips[0].turn_helper, SN_NONE);
    sn_joint_bake_destroy(bake);
    test_frames_close(&frames);
    sn_model_destroy(model);
}

// -------------------------------------------------------------------------------------------------- report

// Frames at twice the rate, of which every second is half way.
static void check_report(const snModel* model, TestFramesKind kind, uint32_t influences, double better) {
    TestFrames frames = test_frames_open(model, 0, 24.0f, kind);
    snBakeClip clip = test_frames_clip(&frames);
    clip.fps = 12.0f;
    clip.frame_count = (clip.frame_count + 1) / 2;
    clip.middles = true;
    snJointBakeDef def = def_of(model, &clip, 1);
    def.helper_count = 12;
    def.influences = influences;
    snJointBake* bake = test_joint_bake(&def);
    double rms = 0.0, worst = 0.0;
    measure(&frames, bake, 0, 2, &rms, &worst);
    assert_near(rms, bake->middles.rms, 3e-6);
    assert_near(worst, bake->middles.worst, 1e-5);
    TestFrames whole = test_frames_open(model, 0, 12.0f, kind);
    measure(&whole, bake, 0, 1, &rms, &worst);
    assert_near(rms, bake->frames.rms, 3e-6);
    assert_near(worst, bake->frames.worst, 1e-5);
    if (bake->frames.rms * better > bake->plain.rms)
        fail_msg("rms %g of %g", bake->frames.rms, bake->plain.rms);
    for (uint32_t i = 1; i < bake->stage_count; i++) {
        assert_true(bake->stages[i].helper_count > bake->stages[i - 1].helper_count);
        assert_true(bake->stages[i].bytes > bake->stages[i - 1].bytes);
        assert_true(bake->stages[i].rms < bake->stages[i - 1].rms);
    }
    sn_joint_bake_destroy(bake);
    test_frames_close(&whole);
    test_frames_close(&frames);
}

static void reports_what_a_viewer_shows(void** state) {
    (void)state;
    snModel* model = make_tube();
    check_report(model, TEST_FRAMES_DUAL, 4, 5.0);
    check_report(model, TEST_FRAMES_JELLY, 4, 1.2);
    check_report(model, TEST_FRAMES_JELLY, 8, 1.2);
    sn_model_destroy(model);
}

// A skinned cube with a target of its own, and one that moves rigidly: both wobble.
static void helps_rigid_and_morphed_parts(void** state) {
    (void)state;
    snModel* model = NULL;
    assert_ok(sn_model_create(test_model_def(), NULL, &model, NULL));
    TestFrames frames = test_frames_open(model, 0, 16.0f, TEST_FRAMES_JELLY);
    snBakeClip clip = test_frames_clip(&frames);
    snJointBakeDef def = def_of(model, &clip, 1);
    def.helper_count = 8;
    def.rest_tolerance = 1.0f; // no matter here
    snJointBake* bake = test_joint_bake(&def);
    if (bake->frames.rms > 0.5 * bake->plain.rms)
        fail_msg("rms %g of %g, H %u size %g", bake->frames.rms, bake->plain.rms, bake->helper_count,
                 bake->size);
    for (uint32_t p = 0; p < model->part_count; p++) {
        const snJointPart* part = &bake->parts[p];
        assert_true(part->weights.influences == 4 && part->skin < bake->skin_count);
        assert_true(part->skin >= model->skin_count || model->parts[p].skin == part->skin);
        for (uint32_t v = 0; v < part->vertex_count; v++) {
            int32_t steps = 0; // exactly one in 16 bits
            for (uint32_t k = 0; k < 4; k++) {
                float w = part->weights.weights[4 * (size_t)v + k];
                int32_t step = (int32_t)(w * 65535.0f + 0.5f);
                assert_true(w == (float)step / 65535.0f);
                steps += step;
            }
            assert_int_equal(steps, 65535);
        }
    }
    sn_joint_bake_destroy(bake);
    test_frames_close(&frames);
    sn_model_destroy(model);
}

// One skin for two clips, and a third that was not baked stays near the plain skin.
static void bakes_clips_into_one_skin(void** state) {
    (void)state;
    snBodyDef body = {.vertex_target = 1500};
    snModel* model = NULL;
    assert_ok(sn_builtin_body(&body, NULL, &model, NULL));
    TestFrames walk = test_frames_open(model, 0, 15.0f, TEST_FRAMES_DUAL);
    TestFrames bend = test_frames_open(model, 2, 10.0f, TEST_FRAMES_DUAL);
    snBakeClip clips[2] = {test_frames_clip(&walk), test_frames_clip(&bend)};
    snJointBakeDef def = def_of(model, clips, 2);
    def.helper_count = 24;
    snJointBake* bake = test_joint_bake(&def);
    double worst[2], rms[2];
    measure(&walk, bake, 0, 1, &rms[0], &worst[0]);
    measure(&bend, bake, 1, 1, &rms[1], &worst[1]);
    assert_near(fmax(worst[0], worst[1]), bake->frames.worst, 1e-5);
    assert_true(bake->frames.rms < 0.4 * bake->plain.rms);
    assert_true(bake->rest_error < 0.3 * bake->plain.worst);
    sn_joint_bake_destroy(bake);
    test_frames_close(&walk);
    test_frames_close(&bend);
    sn_model_destroy(model);
}

// How far resting helpers may be off the plain skin is held to, and costs error at the frames.
static void rests_near_the_plain_skin(void** state) {
    (void)state;
    snBodyDef body = {.vertex_target = 1500};
    snModel* model = NULL;
    assert_ok(sn_builtin_body(&body, NULL, &model, NULL));
    TestFrames jump = test_frames_open(model, 1, 15.0f, TEST_FRAMES_JELLY);
    snBakeClip clip = test_frames_clip(&jump);
    snJointBakeDef def = def_of(model, &clip, 1);
    def.helper_count = 16;
    def.rest_tolerance = 1.0f;
    snJointBake* loose = test_joint_bake(&def);
    def.rest_tolerance = 1e-3f;
    snJointBake* tight = test_joint_bake(&def);
    assert_true(loose->rest_error > 2e-3);
    if (tight->rest_error > 1.2e-3) fail_msg("%g at rest", tight->rest_error);
    assert_true(loose->frames.rms < tight->frames.rms && tight->frames.rms < tight->plain.rms);
    sn_joint_bake_destroy(loose);
    sn_joint_bake_destroy(tight);
    test_frames_close(&jump);
    sn_model_destroy(model);
}

// The tolerance asks for as few as are enough.
static void adds_what_the_tolerance_asks_for(void** state) {
    (void)state;
    snModel* model = make_tube();
    TestFrames frames = test_frames_open(model, 0, 12.0f, TEST_FRAMES_DUAL);
    snBakeClip clip = test_frames_clip(&frames);
    snJointBakeDef def = def_of(model, &clip, 1);
    def.tolerance = 1e-2f;
    snJointBake* few = test_joint_bake(&def);
    def.tolerance = 1e-4f;
    snJointBake* many = test_joint_bake(&def);
    assert_true(few->helper_count < many->helper_count);
    assert_true(few->frames.worst <= 1e-2 && few->tolerance == 1e-2f);
    assert_true(many->helper_count <= 64 && many->frames.worst < few->frames.worst);
    sn_joint_bake_destroy(few);
    sn_joint_bake_destroy(many);
    test_frames_close(&frames);
    sn_model_destroy(model);
}

static void refits_normals(void** state) {
    (void)state;
    snModel* model = make_tube();
    TestFrames frames = test_frames_open(model, 0, 12.0f, TEST_FRAMES_DUAL);
    snBakeClip clip = test_frames_clip(&frames);
    snJointBakeDef def = def_of(model, &clip, 1);
    def.helper_count = 8;
    snJointBake* own = test_joint_bake(&def);
    def.refit_normals = true;
    snJointBake* refitted = test_joint_bake(&def);
    assert_null(own->parts[0].normals);
    assert_true(refitted->mean_normal < own->mean_normal);
    for (uint32_t v = 0; v < refitted->parts[0].vertex_count; v++)
        assert_near((double)sn_length(refitted->parts[0].normals[v]), 1.0, 1e-5);
    sn_joint_bake_destroy(own);
    sn_joint_bake_destroy(refitted);
    test_frames_close(&frames);
    sn_model_destroy(model);
}

// ------------------------------------------------------------------------------------------------ the same

static uint64_t hash_of(void* context, snTasks tasks, snCpuLevel level) {
    snJointBakeDef def = *(const snJointBakeDef*)context;
    def.tasks = tasks;
    def.level = level;
    snJointBake* bake = test_joint_bake(&def);
    uint64_t hash = SN_HASH_SEED;
    for (uint32_t p = 0; p < bake->part_count; p++) {
        const snWeights* w = &bake->parts[p].weights;
        size_t count = (size_t)w->vertex_count * w->influences;
        if (count == 0) continue;
        hash = sn_hash_floats(hash, w->weights, count);
        hash = sn_hash_bytes(hash, w->joints, count * sizeof *w->joints);
    }
    size_t keys = (size_t)bake->helper_count * bake->clips[0].key_count;
    hash = sn_hash_floats(hash, &bake->clips[0].rotations->x, 4 * keys);
    hash = sn_hash_floats(hash, &bake->clips[0].translations->x, 3 * keys);
    hash = sn_hash_bytes(hash, &bake->frames.rms, sizeof(double));
    sn_joint_bake_destroy(bake);
    return hash;
}

static void same_bits_everywhere(void** state) {
    (void)state;
    snModel* model = test_travelling_tube(2.0f);
    TestFrames frames =
        test_frames_open(model, sn_model_find_clip(model, "travel"), 90.0f, TEST_FRAMES_JELLY);
    snBakeClip clip = test_frames_clip(&frames);
    snJointBakeDef def = def_of(model, &clip, 1);
    def.helper_count = 10;
    assert_true(clip.frame_count > 80); // some of them are not fitted
    test_same_bits(hash_of, &def);
    test_frames_close(&frames);
    sn_model_destroy(model);
}

// Less memory fits fewer frames, and every frame still has its keys.
static void memory_limit_fits_fewer_frames(void** state) {
    (void)state;
    snModel* model = make_tube();
    TestFrames frames = test_frames_open(model, 0, 30.0f, TEST_FRAMES_DUAL);
    snBakeClip clip = test_frames_clip(&frames);
    snJointBakeDef def = def_of(model, &clip, 1);
    def.helper_count = 8;
    snJointBake* whole = test_joint_bake(&def);
    assert_int_equal(whole->fitted_frames, clip.frame_count);
    def.memory_limit = 700000;
    snJointBake* less = test_joint_bake(&def);
    assert_true(less->fitted_frames < clip.frame_count);
    assert_true(less->frames.rms < 2.0 * whole->frames.rms);
    sn_joint_bake_destroy(whole);
    sn_joint_bake_destroy(less);
    snJointBake* none = NULL;
    snError error = sn_error_none();
    def.memory_limit = 100000;
    assert_int_equal(sn_joint_bake_create(&def, NULL, &none, &error), SN_RESULT_LIMIT);
    assert_non_null(strstr(error.text, "fewer helpers need less"));
    assert_null(none);
    test_frames_close(&frames);
    sn_model_destroy(model);
}

typedef struct Listener {
    float last;
    uint32_t calls, stop;
} Listener;

static bool listen(void* user, const char* stage, float share) {
    Listener* listener = user;
    assert_non_null(stage);
    assert_true(share >= listener->last && share <= 1.0f);
    listener->last = share;
    return ++listener->calls != listener->stop;
}

static void tells_progress_and_stops(void** state) {
    (void)state;
    snModel* model = make_tube();
    TestFrames frames = test_frames_open(model, 0, 12.0f, TEST_FRAMES_DUAL);
    snBakeClip clip = test_frames_clip(&frames);
    snJointBakeDef def = def_of(model, &clip, 1);
    Listener listener = {0};
    def.helper_count = 4;
    def.progress = (snProgress){listen, &listener};
    sn_joint_bake_destroy(test_joint_bake(&def));
    assert_true(listener.last == 1.0f && listener.calls > 40);
    for (uint32_t stop = 1; stop < listener.calls; stop += 13) {
        Listener stopping = {.stop = stop};
        snJointBake* bake = NULL;
        def.progress.user = &stopping;
        assert_int_equal(sn_joint_bake_create(&def, NULL, &bake, NULL), SN_RESULT_CANCELLED);
        assert_null(bake);
    }
    test_frames_close(&frames);
    sn_model_destroy(model);
}

// -------------------------------------------------------------------------------------------------- errors

static snResult build(const snAllocator* allocator, void* context) {
    snJointBake* bake = NULL;
    snResult result = sn_joint_bake_create(context, allocator, &bake, NULL);
    assert_true((result == SN_RESULT_OK) == (bake != NULL));
    sn_joint_bake_destroy(bake);
    return result;
}

static void survives_every_failing_allocation(void** state) {
    (void)state;
    snModel* model = NULL;
    assert_ok(sn_model_create(test_model_def(), NULL, &model, NULL));
    TestFrames frames = test_frames_open(model, 0, 8.0f, TEST_FRAMES_JELLY);
    snBakeClip clip = test_frames_clip(&frames);
    snJointBakeDef def = def_of(model, &clip, 1);
    def.helper_count = 3;
    def.refit_normals = true;
    test_every_allocation(build, &def);
    test_frames_close(&frames);
    sn_model_destroy(model);
}

static void expect(const snJointBakeDef* def, snResult result, const char* sentence) {
    snJointBake* bake = NULL;
    snError error = sn_error_none();
    assert_int_equal(sn_joint_bake_create(def, NULL, &bake, &error), result);
    assert_int_equal(error.code, result);
    if (strstr(error.text, sentence) == NULL) fail_msg("%s", error.text);
    assert_null(bake);
}

static void refuses_bad_defs(void** state) {
    (void)state;
    snModel* model = make_tube();
    TestFrames frames = test_frames_open(model, 0, 8.0f, TEST_FRAMES_DUAL);
    snBakeClip clip = test_frames_clip(&frames), bad = clip;
    snJointBakeDef good = def_of(model, &clip, 1), def = good;
    def.model = NULL;
    expect(&def, SN_RESULT_INVALID_ARGUMENT, "a model, clips");
    def = good, def.clip_count = 0;
    expect(&def, SN_RESULT_INVALID_ARGUMENT, "a model, clips");
    def = good, def.tolerance = NAN;
    expect(&def, SN_RESULT_INVALID_ARGUMENT, "tolerance");
    def = good, def.influences = 9;
    expect(&def, SN_RESULT_INVALID_ARGUMENT, "1 to 8 joints");
    def = good, def.influences = 0;
    expect(&def, SN_RESULT_INVALID_ARGUMENT, "1 to 8 joints");
    def = good, def.helper_count = SN_HELPERS_MAX + 1;
    expect(&def, SN_RESULT_INVALID_ARGUMENT, "at most 256 helpers");
    def = good, def.clips = &bad;
    bad.fps = 0.0f;
    expect(&def, SN_RESULT_INVALID_ARGUMENT, "fps above 0");
    bad = clip, bad.frame_count = 0;
    expect(&def, SN_RESULT_INVALID_ARGUMENT, "1 or more");
    bad = clip, bad.clip = 99;
    expect(&def, SN_RESULT_NOT_FOUND, "clip 99");
    test_frames_close(&frames);
    sn_model_destroy(model);
}

static void refuses_frames_that_drift(void** state) {
    (void)state;
    snModel* model = make_tube();
    TestFrames frames = test_frames_open(model, 0, 8.0f, TEST_FRAMES_JELLY);
    snBakeClip clip = test_frames_clip(&frames);
    frames.drift_from = clip.frame_count;
    snJointBakeDef def = def_of(model, &clip, 1);
    def.helper_count = 2;
    expect(&def, SN_RESULT_BAD_DATA, "differ from one request to the next");
    test_frames_close(&frames);
    sn_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_a_known_helper),
        cmocka_unit_test(keys_what_frames_miss),
        cmocka_unit_test(leaves_a_plain_skin_alone),
        cmocka_unit_test(reports_what_a_viewer_shows),
        cmocka_unit_test(helps_rigid_and_morphed_parts),
        cmocka_unit_test(bakes_clips_into_one_skin),
        cmocka_unit_test(rests_near_the_plain_skin),
        cmocka_unit_test(adds_what_the_tolerance_asks_for),
        cmocka_unit_test(refits_normals),
        cmocka_unit_test(same_bits_everywhere),
        cmocka_unit_test(memory_limit_fits_fewer_frames),
        cmocka_unit_test(tells_progress_and_stops),
        cmocka_unit_test(survives_every_failing_allocation),
        cmocka_unit_test(refuses_bad_defs),
        cmocka_unit_test(refuses_frames_that_drift),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
