// Glitches put into a clean walk are found and taken out; the walk itself is left alone.
#include <string.h>

#include "people.h"

enum { KEYS = 361 };
#define RATE 120.0f

// The walk of the built-in body as a capture has it: every joint keyed 120 times a second.
static snClip* capture(const snModel* model) {
    snClip* clip = NULL;
    uint32_t walk = sn_model_find_clip(model, "walk");
    uint32_t joints = model->skeleton->joint_count;
    static float times[KEYS];
    static float values[PEOPLE_MOST][4 * KEYS];
    static float places[3 * KEYS];
    snChannel channels[PEOPLE_MOST + 1];
    for (uint32_t k = 0; k < KEYS; k++) {
        snTrs locals[PEOPLE_MOST];
        times[k] = (float)k / RATE;
        memcpy(locals, model->skeleton->rest, joints * sizeof *locals);
        sn_clip_sample(model->clips[walk], times[k], SN_WRAP_LOOP, joints, locals);
        for (uint32_t j = 0; j < joints; j++)
            memcpy(&values[j][4 * k], &locals[j].rotation, 4 * sizeof(float));
        memcpy(&places[3 * k], &locals[0].translation, 3 * sizeof(float));
    }
    for (uint32_t j = 0; j < joints; j++)
        channels[j] = (snChannel){j, SN_PATH_ROTATION, SN_INTERPOLATION_LINEAR, KEYS, 4, times, values[j]};
    channels[joints] = (snChannel){0, SN_PATH_TRANSLATION, SN_INTERPOLATION_LINEAR, KEYS, 3, times, places};
    snClipDef def = {"capture", 0.0f, joints + 1, channels};
    assert_ok(sn_clip_create(&def, joints, NULL, &clip, NULL));
    return clip;
}

static float* key_of(snClip* clip, uint32_t joint, uint32_t key) {
    for (uint32_t c = 0; c < clip->channel_count; c++)
        if (clip->channels[c].joint == joint && clip->channels[c].path == SN_PATH_ROTATION)
            return clip->channels[c].values + 4 * (size_t)key;
    fail();
    return NULL;
}

static void turn_key(snClip* clip, uint32_t joint, uint32_t key, snQuat by) {
    snQuat q;
    memcpy(&q, key_of(clip, joint, key), sizeof q);
    q = sn_quat_normalize(sn_quat_mul(q, by));
    memcpy(key_of(clip, joint, key), &q, sizeof q);
}

// The rest pose, arms lifted, at the origin: what captures are calibrated by.
static void put_reference(const snModel* model, snClip* clip, uint32_t from, uint32_t to) {
    for (uint32_t k = from; k < to; k++) {
        for (uint32_t j = 0; j < model->skeleton->joint_count; j++) {
            snQuat q = model->skeleton->rest[j].rotation;
            const char* name = model->skeleton->names[j];
            if (strstr(name, "UpperArm") != NULL || strstr(name, "UpperLeg") != NULL ||
                strstr(name, "LowerArm") != NULL)
                q = sn_quat_mul(q, sn_quat_axis_angle(sn_vec3(0.3f, 0.2f, 1.0f), 1.0f));
            memcpy(key_of(clip, j, k), &q, sizeof q);
        }
    }
}

// The largest turn between the two clips, over all keys from one to another.
static float difference(const snModel* model, snClip* a, snClip* b, uint32_t from, uint32_t to) {
    float worst = 0.0f;
    for (uint32_t j = 0; j < model->skeleton->joint_count; j++) {
        for (uint32_t k = from; k < to; k++) {
            snQuat p, q;
            memcpy(&p, key_of(a, j, k), sizeof p);
            memcpy(&q, key_of(b, j, k), sizeof q);
            float dot = sn_quat_dot(p, q);
            worst = sn_maxf(worst, 2.0f * sn_acos(sn_minf(dot < 0.0f ? -dot : dot, 1.0f)));
        }
    }
    return worst;
}

typedef struct Scene {
    snModel* model;
    snClip *clean, *dirty, *out;
    snCleanReport report;
} Scene;

static Scene begin(void) {
    Scene scene = {.model = people_body()};
    scene.clean = capture(scene.model);
    scene.dirty = capture(scene.model);
    return scene;
}

static void run(Scene* scene) {
    assert_ok(sn_clip_clean(scene->model->skeleton, scene->dirty, NULL, &scene->out, &scene->report, NULL));
}

static void end(Scene* scene) {
    sn_clip_destroy(scene->clean);
    sn_clip_destroy(scene->dirty);
    sn_clip_destroy(scene->out);
    sn_model_destroy(scene->model);
}

static void a_clean_walk_stays_as_it_is(void** state) {
    (void)state;
    Scene s = begin();
    run(&s);
    assert_near(difference(s.model, s.clean, s.out, 0, KEYS), 0.0f, 5e-3f);
    assert_int_equal(s.report.references + s.report.spikes + s.report.flips, 0);
    assert_near(s.report.from, 0.0f, 0.0f);
    assert_near(s.report.to, s.clean->duration, 0.0f);
    assert_near(s.report.jerk_before, s.report.jerk_after, 1e-3f * s.report.jerk_before);
    end(&s);
}

static void reference_poses_are_found_wherever_they_stand(void** state) {
    (void)state;
    Scene s = begin();
    put_reference(s.model, s.dirty, 0, 2);
    put_reference(s.model, s.dirty, 150, 153);
    put_reference(s.model, s.dirty, KEYS - 4, KEYS);
    run(&s);
    assert_int_equal(s.report.references, 3);
    assert_near(s.report.from, 2.0f / RATE, 1e-4f);
    assert_near(s.report.to, (float)(KEYS - 5) / RATE, 1e-4f);
    // Bridged over three frames of a walk: nothing that anybody sees.
    assert_true(difference(s.model, s.clean, s.out, 2, KEYS - 4) < 0.05f);
    assert_true(s.report.jerk_after < 0.5f * s.report.jerk_before);
    end(&s);
}

static void a_spike_of_one_joint_is_bridged(void** state) {
    (void)state;
    Scene s = begin();
    uint32_t hand = sn_skeleton_find(s.model->skeleton, "LeftHand");
    turn_key(s.dirty, hand, 200, sn_quat_axis_angle(sn_vec3(1, 0, 0), 1.5f));
    turn_key(s.dirty, hand, 201, sn_quat_axis_angle(sn_vec3(1, 0, 0), 1.2f));
    run(&s);
    assert_int_equal(s.report.spikes, 1);
    assert_int_equal(s.report.flips, 0);
    assert_int_equal(s.report.changes[0].joint, hand);
    assert_near(s.report.changes[0].from, 199.0f / RATE, 1e-4f);
    assert_true(difference(s.model, s.clean, s.out, 0, KEYS) < 0.02f);
    end(&s);
}

static void a_wrist_that_flips_is_turned_back(void** state) {
    (void)state;
    Scene s = begin();
    uint32_t hand = sn_skeleton_find(s.model->skeleton, "RightHand");
    for (uint32_t k = 100; k < 170; k++)
        turn_key(s.dirty, hand, k, sn_quat_axis_angle(sn_vec3(0, 1, 0.2f), SN_PI));
    run(&s);
    assert_int_equal(s.report.flips, 1);
    assert_int_equal(s.report.changes[0].joint, hand);
    assert_true(difference(s.model, s.clean, s.out, 0, KEYS) < 0.05f);
    end(&s);
}

// The hips turn by a few degrees one way, back and once more in three keys: far slower than a spin, and no
// body does it. A nod that goes and comes once is left alone.
static void hips_that_shake_are_steadied(void** state) {
    (void)state;
    Scene s = begin();
    snQuat one = sn_quat_axis_angle(sn_vec3(0, 1, 0), 0.15f),
           back = sn_quat_axis_angle(sn_vec3(0, 1, 0), -0.12f);
    turn_key(s.dirty, 0, 1, one); // right at the beginning
    turn_key(s.dirty, 0, 2, back);
    turn_key(s.dirty, 0, 200, one);
    turn_key(s.dirty, 0, 201, back);
    turn_key(s.dirty, 0, 300, one); // once
    run(&s);
    assert_int_equal(s.report.spikes, 2);
    assert_near(difference(s.model, s.clean, s.out, 0, 290), 0.0f, 0.01f);
    assert_near(difference(s.model, s.dirty, s.out, 290, KEYS), 0.0f, 5e-3f);
    end(&s);
}

// A blow that was keyed by hand and baked: wound up, struck and taken back in three keys. So are knocks that
// go and come once each.
static void blows_are_motion(void** state) {
    (void)state;
    Scene s = begin();
    uint32_t arm = sn_skeleton_find(s.model->skeleton, "LeftLowerArm");
    snVec3 axis = sn_vec3(0, 0, 1);
    turn_key(s.dirty, arm, 200, sn_quat_axis_angle(axis, -0.08f));
    turn_key(s.dirty, arm, 201, sn_quat_axis_angle(axis, 0.26f));
    static const float beats[] = {0.35f, 0.0f, 0.33f, 0.25f, 0.32f, 0.24f, 0.0f, 0.36f, 0.01f};
    for (uint32_t k = 0; k < 9; k++) turn_key(s.dirty, arm, 300 + 4 * k, sn_quat_axis_angle(axis, beats[k]));
    run(&s);
    assert_int_equal(s.report.spikes, 0);
    assert_near(difference(s.model, s.dirty, s.out, 0, KEYS), 0.0f, 5e-3f);
    end(&s);
}

// Fast, but as a body can be: a kick of three radians in a tenth of a second.
static void fast_motion_is_motion(void** state) {
    (void)state;
    Scene s = begin();
    uint32_t leg = sn_skeleton_find(s.model->skeleton, "LeftUpperLeg");
    for (uint32_t k = 0; k < 36; k++) {
        float t = (float)k / 35.0f;
        turn_key(s.dirty, leg, 180 + k, sn_quat_axis_angle(sn_vec3(1, 0, 0), 2.0f * sn_sin(SN_PI * t)));
    }
    run(&s);
    assert_int_equal(s.report.references + s.report.spikes + s.report.flips, 0);
    assert_near(difference(s.model, s.dirty, s.out, 0, KEYS), 0.0f, 5e-3f);
    end(&s);
}

static void keys_set_by_hand_are_meant(void** state) {
    (void)state;
    snModel* model = people_body();
    float times[] = {0.0f, 0.3f, 0.6f, 0.9f, 1.2f, 1.5f, 1.8f, 2.1f, 2.4f};
    float values[36];
    for (uint32_t k = 0; k < 9; k++) {
        snQuat q = sn_quat_axis_angle(sn_vec3(1, 0, 0), k % 2 == 0 ? 0.0f : 3.0f);
        memcpy(values + 4 * k, &q, sizeof q);
    }
    snChannel channel = {5, SN_PATH_ROTATION, SN_INTERPOLATION_LINEAR, 9, 4, times, values};
    snClipDef def = {"keys", 0.0f, 1, &channel};
    snClip *clip = NULL, *out = NULL;
    snCleanReport report;
    assert_ok(sn_clip_create(&def, model->skeleton->joint_count, NULL, &clip, NULL));
    assert_ok(sn_clip_clean(model->skeleton, clip, NULL, &out, &report, NULL));
    assert_memory_equal(out->channels[0].values, values, sizeof values);
    assert_int_equal(report.references + report.spikes + report.flips, 0);
    sn_clip_destroy(clip);
    sn_clip_destroy(out);
    sn_model_destroy(model);
}

static snResult clean(const snAllocator* allocator, void* context) {
    const Scene* scene = context;
    snClip* out = NULL;
    snResult result = sn_clip_clean(scene->model->skeleton, scene->dirty, allocator, &out, NULL, NULL);
    sn_clip_destroy(out);
    return result;
}

static void survives_every_failing_allocation(void** state) {
    (void)state;
    Scene s = begin();
    put_reference(s.model, s.dirty, 0, 1);
    test_every_allocation(clean, &s);
    end(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_clean_walk_stays_as_it_is),
        cmocka_unit_test(reference_poses_are_found_wherever_they_stand),
        cmocka_unit_test(a_spike_of_one_joint_is_bridged),
        cmocka_unit_test(a_wrist_that_flips_is_turned_back),
        cmocka_unit_test(hips_that_shake_are_steadied),
        cmocka_unit_test(blows_are_motion),
        cmocka_unit_test(fast_motion_is_motion),
        cmocka_unit_test(keys_set_by_hand_are_meant),
        cmocka_unit_test(survives_every_failing_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
