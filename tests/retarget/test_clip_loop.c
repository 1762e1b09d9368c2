// Loops: the cut is found, the seam is told and closed, travel stays.
#include "people.h"

#include <string.h>

enum { KEYS = 121 };

// An arm that swings with a period of one second for two seconds and a bit, drifting slowly; hips that
// travel.
static snClip* swing(const snSkeleton* s, float drift, float speed) {
    static float times[KEYS];
    static float turns[4 * KEYS];
    static float drifts[4 * KEYS];
    static float places[3 * KEYS];
    for (uint32_t k = 0; k < KEYS; k++) {
        float t = 2.4f * (float)k / (KEYS - 1);
        snQuat q = sn_quat_axis_angle(sn_vec3(0, 1, 0), 0.8f * sn_sin(2.0f * SN_PI * t));
        snQuat away = sn_quat_axis_angle(sn_vec3(0, 0, 1), drift * t);
        times[k] = t;
        memcpy(turns + 4 * k, &q, sizeof q);
        memcpy(drifts + 4 * k, &away, sizeof away);
        snVec3 place = sn_vec3(0.0f, 1.0f + 0.01f * t, speed * t);
        memcpy(places + 3 * k, &place, sizeof place);
    }
    snInterpolation linear = SN_INTERPOLATION_LINEAR;
    snChannel channels[] = {
        {sn_skeleton_find(s, "LeftUpperArm"), SN_PATH_ROTATION, linear, KEYS, 4, times, turns},
        {sn_skeleton_find(s, "RightUpperArm"), SN_PATH_ROTATION, linear, KEYS, 4, times, drifts},
        {sn_skeleton_find(s, "Hips"), SN_PATH_TRANSLATION, linear, KEYS, 3, times, places},
    };
    snClipDef def = {"swing", 0.0f, 3, channels};
    snClip* clip = NULL;
    assert_ok(sn_clip_create(&def, s->joint_count, NULL, &clip, NULL));
    return clip;
}

static void finds_the_period_and_closes_it(void** state) {
    (void)state;
    snModel* model = people_body();
    const snSkeleton* s = model->skeleton;
    snClip* clip = swing(s, 0.05f, 1.0f);
    snClip* loop = NULL;
    snLoopReport report;
    assert_ok(sn_clip_close_loop(s, clip, 0.2f, NULL, &loop, &report, NULL));
    float periods = report.duration;
    assert_true((periods > 0.95f && periods < 1.05f) || (periods > 1.95f && periods < 2.05f));
    assert_near(report.seam, 0.05f * report.duration, 0.02f);
    assert_near(loop->duration, report.duration, 1e-4f);
    snTrs a[PEOPLE_MOST];
    snTrs b[PEOPLE_MOST];
    memcpy(a, s->rest, s->joint_count * sizeof *a);
    memcpy(b, s->rest, s->joint_count * sizeof *b);
    sn_clip_sample(loop, 0.0f, SN_WRAP_CLAMP, s->joint_count, a);
    sn_clip_sample(loop, loop->duration, SN_WRAP_CLAMP, s->joint_count, b);
    uint32_t arm = sn_skeleton_find(s, "RightUpperArm");
    snQuat qa = a[arm].rotation;
    snQuat qb = b[arm].rotation;
    assert_near(sn_quat_dot(qa, qb) * sn_quat_dot(qa, qb), 1.0f, 1e-6f);
    uint32_t hips = sn_skeleton_find(s, "Hips");
    assert_near(a[hips].translation.y, b[hips].translation.y, 1e-5f);
    assert_near(b[hips].translation.z - a[hips].translation.z, report.duration, 0.02f);
    // Before the blend nothing is changed.
    snTrs original[PEOPLE_MOST];
    memcpy(original, s->rest, s->joint_count * sizeof *original);
    sn_clip_sample(clip, report.start + 0.5f, SN_WRAP_CLAMP, s->joint_count, original);
    sn_clip_sample(loop, 0.5f, SN_WRAP_CLAMP, s->joint_count, a);
    assert_near(sn_quat_dot(a[arm].rotation, original[arm].rotation), 1.0f, 1e-5f);
    sn_clip_destroy(loop);
    sn_clip_destroy(clip);
    sn_model_destroy(model);
}

// A small slip in place is a jump and is closed too.
static void closes_small_slips(void** state) {
    (void)state;
    snModel* model = people_body();
    const snSkeleton* s = model->skeleton;
    snClip* clip = swing(s, 0.0f, 0.01f);
    snClip* loop = NULL;
    assert_ok(sn_clip_close_loop(s, clip, 0.2f, NULL, &loop, NULL, NULL));
    snVec3 a[PEOPLE_MOST];
    snVec3 b[PEOPLE_MOST];
    people_sample(s, loop, 0.0f, a);
    people_sample(s, loop, loop->duration, b);
    for (uint32_t j = 0; j < s->joint_count; j++) assert_vec3_near(a[j], b[j], 1e-5f);
    sn_clip_destroy(loop);
    sn_clip_destroy(clip);
    sn_model_destroy(model);
}

// A clip that already loops stays whole, with no seam.
static void loops_stay_whole(void** state) {
    (void)state;
    snModel* model = people_body();
    for (uint32_t c = 0; c < model->clip_count; c++) {
        snClip* loop = NULL;
        snLoopReport report;
        assert_ok(sn_clip_close_loop(model->skeleton, model->clips[c], 0.1f, NULL, &loop, &report, NULL));
        assert_near(report.seam, 0.0f, 0.02f);
        sn_clip_destroy(loop);
    }
    sn_model_destroy(model);
}

static void refuses_stills_and_strangers(void** state) {
    (void)state;
    snModel* model = people_body();
    const snSkeleton* s = model->skeleton;
    snClip* clip = swing(s, 0.0f, 0.0f);
    snClip* loop = NULL;
    snError error = sn_error_none();
    assert_int_equal(sn_clip_close_loop(s, clip, -1.0f, NULL, &loop, NULL, &error),
                     SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_clip_close_loop(s, NULL, 0.1f, NULL, &loop, NULL, &error),
                     SN_RESULT_INVALID_ARGUMENT);
    uint32_t joint = clip->channels[0].joint;
    clip->channels[0].joint = 1000;
    assert_int_equal(sn_clip_close_loop(s, clip, 0.1f, NULL, &loop, NULL, &error),
                     SN_RESULT_INVALID_ARGUMENT);
    clip->channels[0].joint = joint;
    clip->duration = 0.0f;
    assert_int_equal(sn_clip_close_loop(s, clip, 0.1f, NULL, &loop, NULL, &error), SN_RESULT_BAD_DATA);
    assert_null(loop);
    sn_clip_destroy(clip);
    sn_model_destroy(model);
}

typedef struct Input {
    const snSkeleton* skeleton;
    const snClip* clip;
} Input;

static snResult build(const snAllocator* allocator, void* context) {
    const Input* input = context;
    snClip* loop = NULL;
    snResult result = sn_clip_close_loop(input->skeleton, input->clip, 0.1f, allocator, &loop, NULL, NULL);
    sn_clip_destroy(loop);
    return result;
}

static void survives_every_failing_allocation(void** state) {
    (void)state;
    snModel* model = people_body();
    snClip* clip = swing(model->skeleton, 0.1f, 0.0f);
    Input input = {model->skeleton, clip};
    test_every_allocation(build, &input);
    sn_clip_destroy(clip);
    sn_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_the_period_and_closes_it),
        cmocka_unit_test(closes_small_slips),
        cmocka_unit_test(loops_stay_whole),
        cmocka_unit_test(refuses_stills_and_strangers),
        cmocka_unit_test(survives_every_failing_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
