// Strips on a timeline: whose pose it is where, how they follow one another over the ground, and keys on top.
#include "people.h"

#include <string.h>

enum { KEYS = 31 };

// An arm that goes from one angle to another while the hips go ahead, for a second.
static snClip* reach_out(const snSkeleton* s, const char* name, float from, float to, float way) {
    static float times[KEYS], turns[4 * KEYS], places[3 * KEYS];
    uint32_t hips = sn_skeleton_find(s, "Hips");
    for (uint32_t k = 0; k < KEYS; k++) {
        float t = (float)k / (KEYS - 1);
        snQuat q = sn_quat_axis_angle(sn_vec3(0, 1, 0), sn_lerpf(from, to, t));
        snVec3 place = sn_add(s->rest[hips].translation, sn_vec3(0.0f, 0.0f, way * t));
        times[k] = t;
        memcpy(turns + 4 * k, &q, sizeof q);
        memcpy(places + 3 * k, &place, sizeof place);
    }
    snChannel channels[] = {{sn_skeleton_find(s, "LeftUpperArm"), SN_PATH_ROTATION, SN_INTERPOLATION_LINEAR,
                             KEYS, 4, times, turns},
                            {hips, SN_PATH_TRANSLATION, SN_INTERPOLATION_LINEAR, KEYS, 3, times, places}};
    snClipDef def = {name, 0.0f, 2, channels};
    snClip* clip = NULL;
    assert_ok(sn_clip_create(&def, s->joint_count, NULL, &clip, NULL));
    return clip;
}

typedef struct Stage {
    snModel* model;
    const snSkeleton* s;
    snClip* clips[3];
    uint32_t arm, hips;
} Stage;

static Stage set_up(void) {
    Stage stage = {.model = people_body()};
    stage.s = stage.model->skeleton;
    stage.clips[0] = reach_out(stage.s, "a", 0.0f, 0.4f, 1.0f);
    stage.clips[1] = reach_out(stage.s, "b", 1.0f, 1.0f, 0.5f);
    stage.clips[2] = reach_out(stage.s, "c", -0.6f, -0.6f, 0.0f);
    stage.arm = sn_skeleton_find(stage.s, "LeftUpperArm");
    stage.hips = sn_skeleton_find(stage.s, "Hips");
    return stage;
}

static void tear_down(Stage* stage) {
    for (int i = 0; i < 3; i++) sn_clip_destroy(stage->clips[i]);
    sn_model_destroy(stage->model);
}

static snClip* mix(const Stage* stage, const snMixDef* def) {
    snClip* clip = NULL;
    snError error = sn_error_none();
    snResult result = sn_clip_mix(def, stage->s, (const snClip* const*)stage->clips, 3, NULL, &clip, &error);
    if (result != SN_RESULT_OK) print_message("%s\n", error.text);
    assert_ok(result);
    return clip;
}

static snTrs at(const Stage* stage, const snClip* clip, uint32_t joint, float time) {
    snTrs locals[PEOPLE_MOST];
    memcpy(locals, stage->s->rest, stage->s->joint_count * sizeof *locals);
    sn_clip_sample(clip, time, SN_WRAP_CLAMP, stage->s->joint_count, locals);
    return locals[joint];
}

// The angle about y, which is all that these clips turn.
static float angle(const Stage* stage, const snClip* clip, float time) {
    snQuat q = at(stage, clip, stage->arm, time).rotation;
    return 2.0f * sn_atan2(q.y, q.w);
}

// How far ahead of their rest the hips are in the world.
static float ahead(const Stage* stage, const snClip* clip, float time) {
    snTrs locals[PEOPLE_MOST];
    snMat4 world[PEOPLE_MOST], rest[PEOPLE_MOST];
    memcpy(locals, stage->s->rest, stage->s->joint_count * sizeof *locals);
    sn_clip_sample(clip, time, SN_WRAP_CLAMP, stage->s->joint_count, locals);
    sn_skeleton_world(stage->s, locals, world);
    sn_skeleton_world(stage->s, NULL, rest);
    return world[stage->hips].m[14] - rest[stage->hips].m[14];
}

static void one_strip_is_its_clip(void** state) {
    (void)state;
    Stage stage = set_up();
    snStrip strip = sn_strip();
    snMixDef def = sn_mix_def();
    def.strip_count = 1;
    def.strips = &strip;
    snClip* clip = mix(&stage, &def);
    assert_near(clip->duration, 1.0f, 1e-6f);
    for (int k = 0; k <= 10; k++) {
        float t = 0.1f * (float)k;
        assert_near(angle(&stage, clip, t), 0.4f * t, 1e-5f);
        assert_near(ahead(&stage, clip, t), t, 1e-5f);
    }
    sn_clip_destroy(clip);
    tear_down(&stage);
}

// A strip of a part, twice as fast, twice in a row: it goes on over the ground, and the arm's jump is spread.
static void trimmed_fast_and_in_rounds(void** state) {
    (void)state;
    Stage stage = set_up();
    snStrip strip = sn_strip();
    strip.start = 0.5f;
    strip.from = 0.25f;
    strip.to = 0.75f;
    strip.speed = 2.0f;
    strip.rounds = 2.0f;
    snMixDef def = sn_mix_def();
    def.strip_count = 1;
    def.strips = &strip;
    def.fps = 120.0f;
    snClip* clip = mix(&stage, &def);
    assert_near(sn_strip_length(&strip, stage.clips[0]), 0.5f, 1e-6f);
    assert_near(clip->duration, 1.0f, 1e-5f);
    assert_near(angle(&stage, clip, 0.0f), 0.1f, 1e-4f); // it holds before its beginning
    assert_near(ahead(&stage, clip, 0.5f), 0.25f, 1e-4f);
    assert_near(ahead(&stage, clip, 0.75f), 0.75f, 0.02f);
    assert_near(ahead(&stage, clip, 1.0f), 1.25f, 1e-4f);
    for (int k = 0; k < 60; k++) {
        float t = 0.5f + (float)k / 120.0f;
        assert_true(sn_maxf(angle(&stage, clip, t + 1.0f / 120.0f) - angle(&stage, clip, t),
                            angle(&stage, clip, t) - angle(&stage, clip, t + 1.0f / 120.0f)) < 0.06f);
    }
    assert_near(angle(&stage, clip, 1.0f), 0.3f, 1e-4f); // the last round ends as the clip does
    sn_clip_destroy(clip);
    tear_down(&stage);
}

static void overlaps_blend_and_gaps_are_passed(void** state) {
    (void)state;
    Stage stage = set_up();
    snStrip strips[2] = {sn_strip(), sn_strip()};
    strips[0].clip = 1;
    strips[0].start = 0.6f;
    strips[1].clip = 0; // comes first
    snMixDef def = sn_mix_def();
    def.strip_count = 2;
    def.strips = strips;
    def.fps = 60.0f;
    snClip* clip = mix(&stage, &def);
    assert_near(clip->duration, 1.6f, 1e-5f);
    assert_near(angle(&stage, clip, 0.5f), 0.2f, 1e-4f);
    assert_near(angle(&stage, clip, 0.8f), 0.5f * (0.32f + 1.0f), 5e-3f); // half way over
    assert_near(angle(&stage, clip, 1.2f), 1.0f, 1e-4f);
    // Where the second begins it stands where the first one is.
    assert_near(ahead(&stage, clip, 0.6f), 0.6f, 1e-4f);
    assert_near(ahead(&stage, clip, 1.6f), 1.1f, 1e-3f);
    sn_clip_destroy(clip);
    strips[0].start = 2.0f;
    clip = mix(&stage, &def);
    assert_near(angle(&stage, clip, 1.5f), 0.7f, 1e-3f); // the middle of a passage of one second
    assert_near(ahead(&stage, clip, 1.5f), 1.0f, 1e-3f);
    assert_near(ahead(&stage, clip, 3.0f), 1.5f, 1e-3f);
    def.travel = false;
    sn_clip_destroy(clip);
    clip = mix(&stage, &def);
    assert_near(ahead(&stage, clip, 3.0f), 0.5f, 1e-3f);
    sn_clip_destroy(clip);
    tear_down(&stage);
}

static void one_within_another_comes_and_goes(void** state) {
    (void)state;
    Stage stage = set_up();
    snStrip strips[2] = {sn_strip(), sn_strip()};
    strips[0].speed = 0.25f; // four seconds
    strips[1].clip = 2;
    strips[1].start = 1.0f;
    snMixDef def = sn_mix_def();
    def.strip_count = 2;
    def.strips = strips;
    def.fps = 60.0f;
    snClip* clip = mix(&stage, &def);
    assert_near(clip->duration, 4.0f, 1e-5f);
    assert_near(angle(&stage, clip, 1.0f), 0.1f, 1e-3f);
    assert_near(angle(&stage, clip, 1.5f), -0.6f, 1e-3f);
    assert_near(angle(&stage, clip, 2.0f), 0.2f, 1e-3f);
    assert_near(angle(&stage, clip, 4.0f), 0.4f, 1e-3f);
    sn_clip_destroy(clip);
    tear_down(&stage);
}

// A walk of the built-in body three times in a row: the feet go on, and nothing jumps.
static void rounds_of_a_walk_are_smooth(void** state) {
    (void)state;
    snModel* model = people_body();
    const snSkeleton* s = model->skeleton;
    uint32_t walk = sn_model_find_clip(model, "walk");
    snStrip strip = sn_strip();
    strip.clip = walk;
    strip.rounds = 3.0f;
    snMixDef def = sn_mix_def();
    def.strip_count = 1;
    def.strips = &strip;
    def.fps = 60.0f;
    snClip* clip = NULL;
    assert_ok(sn_clip_mix(&def, s, (const snClip* const*)model->clips, model->clip_count, NULL, &clip, NULL));
    float most[2] = {0.0f, 0.0f}; // angular step within the first round, and over all
    snTrs before[PEOPLE_MOST], now[PEOPLE_MOST];
    float length = model->clips[walk]->duration;
    for (uint32_t f = 0; (float)f / 60.0f < clip->duration; f++) {
        float t = (float)f / 60.0f;
        memcpy(now, s->rest, s->joint_count * sizeof *now);
        sn_clip_sample(clip, t, SN_WRAP_CLAMP, s->joint_count, now);
        for (uint32_t j = 0; j < s->joint_count && f > 0; j++) {
            float cosine = sn_quat_dot(before[j].rotation, now[j].rotation);
            float step = 1.0f - cosine * cosine;
            if (t < length) most[0] = sn_maxf(most[0], step);
            most[1] = sn_maxf(most[1], step);
        }
        memcpy(before, now, sizeof before);
    }
    assert_true(most[1] < 1.5f * most[0]);
    sn_clip_destroy(clip);
    sn_model_destroy(model);
}

static void keys_pass_through_and_never_swing_beyond(void** state) {
    (void)state;
    Stage stage = set_up();
    snStrip strip = sn_strip();
    snJointKey keys[4];
    const float times[4] = {0.8f, 0.2f, 0.4f, 0.6f}; // in any order
    const float turns[4] = {0.5f, 0.0f, 0.5f, 0.5f};
    for (int i = 0; i < 4; i++)
        keys[i] =
            (snJointKey){stage.arm, times[i], sn_quat_axis_angle(sn_vec3(0, 1, 0), turns[i]), {0, 0, 0}};
    strip.clip = 2;
    snMixDef def = sn_mix_def();
    def.strip_count = 1;
    def.strips = &strip;
    def.key_count = 4;
    def.keys = keys;
    def.fps = 100.0f;
    snClip* clip = mix(&stage, &def);
    assert_near(angle(&stage, clip, 0.0f), -0.6f, 1e-4f);
    for (int i = 0; i < 4; i++) assert_near(angle(&stage, clip, times[i]), -0.6f + turns[i], 1e-4f);
    float last = -1.0f;
    for (int k = 20; k <= 80; k++) {
        float now = angle(&stage, clip, 0.01f * (float)k);
        assert_true(now >= last - 1e-5f && now <= -0.1f + 1e-4f);
        last = now;
    }
    keys[3].time = 0.4f;
    snError error = sn_error_none();
    snClip* none = NULL;
    assert_int_equal(sn_clip_mix(&def, stage.s, (const snClip* const*)stage.clips, 3, NULL, &none, &error),
                     SN_RESULT_INVALID_ARGUMENT);
    assert_null(none);
    assert_non_null(strstr(error.text, "two keys"));
    sn_clip_destroy(clip);
    // Keys alone: the joints are at rest under them, and a move lifts the hips.
    keys[0] = (snJointKey){stage.hips, 1.0f, sn_quat_identity(), {0.0f, 0.25f, 0.0f}};
    def.strip_count = 0;
    def.key_count = 1;
    clip = mix(&stage, &def);
    assert_near(clip->duration, 1.0f, 1e-6f);
    assert_near(at(&stage, clip, stage.hips, 0.5f).translation.y,
                stage.s->rest[stage.hips].translation.y + 0.25f, 1e-6f);
    sn_clip_destroy(clip);
    tear_down(&stage);
}

static void morphs_come_along(void** state) {
    (void)state;
    Stage stage = set_up();
    float times[2] = {0.0f, 1.0f}, values[4] = {0.0f, 1.0f, 1.0f, 0.0f};
    snChannel channel = {stage.hips, SN_PATH_MORPH, SN_INTERPOLATION_LINEAR, 2, 2, times, values};
    snClipDef made = {"smile", 0.0f, 1, &channel};
    sn_clip_destroy(stage.clips[1]);
    stage.clips[1] = NULL;
    assert_ok(sn_clip_create(&made, stage.s->joint_count, NULL, &stage.clips[1], NULL));
    snStrip strips[2] = {sn_strip(), sn_strip()};
    strips[0].clip = 1;
    strips[1].start = 1.0f; // without morphs
    snMixDef def = sn_mix_def();
    def.strip_count = 2;
    def.strips = strips;
    snClip* clip = mix(&stage, &def);
    float weights[2] = {9.0f, 9.0f};
    assert_true(sn_clip_sample_morph(clip, 0.5f, SN_WRAP_CLAMP, stage.hips, 2, weights));
    assert_near(weights[0], 0.5f, 1e-5f);
    assert_true(sn_clip_sample_morph(clip, 1.5f, SN_WRAP_CLAMP, stage.hips, 2, weights));
    assert_near(weights[0], 0.0f, 1e-5f);
    sn_clip_destroy(clip);
    tear_down(&stage);
}

static void refuses(void** state) {
    (void)state;
    Stage stage = set_up();
    const snClip* const* clips = (const snClip* const*)stage.clips;
    snClip* none = NULL;
    snStrip strip = sn_strip();
    snMixDef def = sn_mix_def();
    def.strip_count = 1;
    def.strips = &strip;
    strip.clip = 3;
    assert_int_equal(sn_clip_mix(&def, stage.s, clips, 3, NULL, &none, NULL), SN_RESULT_NOT_FOUND);
    strip = sn_strip();
    strip.speed = 0.0f;
    assert_int_equal(sn_clip_mix(&def, stage.s, clips, 3, NULL, &none, NULL), SN_RESULT_INVALID_ARGUMENT);
    strip = sn_strip();
    strip.from = 2.0f;
    assert_int_equal(sn_clip_mix(&def, stage.s, clips, 3, NULL, &none, NULL), SN_RESULT_INVALID_ARGUMENT);
    strip = sn_strip();
    strip.start = NAN;
    assert_int_equal(sn_clip_mix(&def, stage.s, clips, 3, NULL, &none, NULL), SN_RESULT_INVALID_ARGUMENT);
    strip = sn_strip();
    strip.rounds = NAN;
    assert_int_equal(sn_clip_mix(&def, stage.s, clips, 3, NULL, &none, NULL), SN_RESULT_INVALID_ARGUMENT);
    strip = sn_strip();
    strip.speed = 0.01f;
    strip.rounds = 1000.0f;
    assert_int_equal(sn_clip_mix(&def, stage.s, clips, 3, NULL, &none, NULL), SN_RESULT_LIMIT);
    strip = sn_strip();
    snJointKey key = {999, 0.0f, sn_quat_identity(), {0, 0, 0}};
    def.key_count = 1;
    def.keys = &key;
    assert_int_equal(sn_clip_mix(&def, stage.s, clips, 3, NULL, &none, NULL), SN_RESULT_INVALID_ARGUMENT);
    assert_null(none);
    tear_down(&stage);
}

static snResult try_mix(const snAllocator* allocator, void* user) {
    const Stage* stage = user;
    snStrip strips[2] = {sn_strip(), sn_strip()};
    strips[0].rounds = 2.0f;
    strips[1].start = 1.5f;
    snJointKey key = {stage->arm, 0.5f, sn_quat_identity(), {0, 0, 0}};
    snMixDef def = sn_mix_def();
    def.strip_count = 2;
    def.strips = strips;
    def.key_count = 1;
    def.keys = &key;
    snClip* clip = NULL;
    snResult result =
        sn_clip_mix(&def, stage->s, (const snClip* const*)stage->clips, 3, allocator, &clip, NULL);
    sn_clip_destroy(clip);
    return result;
}

static void survives_every_allocation(void** state) {
    (void)state;
    Stage stage = set_up();
    test_every_allocation(try_mix, &stage);
    tear_down(&stage);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_strip_is_its_clip),
        cmocka_unit_test(trimmed_fast_and_in_rounds),
        cmocka_unit_test(overlaps_blend_and_gaps_are_passed),
        cmocka_unit_test(one_within_another_comes_and_goes),
        cmocka_unit_test(rounds_of_a_walk_are_smooth),
        cmocka_unit_test(keys_pass_through_and_never_swing_beyond),
        cmocka_unit_test(morphs_come_along),
        cmocka_unit_test(refuses),
        cmocka_unit_test(survives_every_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
