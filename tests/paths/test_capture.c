// Motion-capture joints as paths.
#include <string.h>

#include "figure.h"

// A root at hip height with one leg: the ankle stands, swings ahead in half a second, and stands again.
typedef struct Leg {
    Figure figure;
    snSkeleton* skeleton;
    snClip* clip;
} Leg;

static Leg leg_create(void) {
    static const char* const names[] = {"Hips", "LeftFoot"};
    static const uint32_t parents[] = {SN_NONE, 0};
    Leg leg = {.figure = figure_create(1.0f)};
    snTrs rest[2] = {sn_trs_identity(), sn_trs_identity()};
    rest[0].translation.y = 100.0f;
    rest[1].translation.y = -90.0f;
    snSkeletonDef def = {2, names, parents, rest};
    assert_ok(sn_skeleton_create(&def, NULL, &leg.skeleton, NULL));
    float times[4] = {0.0f, 1.0f, 1.5f, 2.5f}, hip_times[2] = {0.0f, 2.5f};
    float foot[12] = {0, -90, 0, 0, -90, 0, 0, -90, 60, 0, -90, 60}, hip[6] = {0, 100, 0, 0, 100, 0};
    snChannel channels[2] = {{1, SN_PATH_TRANSLATION, SN_INTERPOLATION_LINEAR, 4, 3, times, foot},
                             {0, SN_PATH_TRANSLATION, SN_INTERPOLATION_LINEAR, 2, 3, hip_times, hip}};
    snClipDef clip = {"step", 0.0f, 2, channels};
    assert_ok(sn_clip_create(&clip, 2, NULL, &leg.clip, NULL));
    return leg;
}

static void leg_destroy(Leg* leg) {
    sn_clip_destroy(leg->clip);
    sn_skeleton_destroy(leg->skeleton);
    figure_destroy(&leg->figure);
}

static const snCapturePair pairs[2] = {{0, 0, 0.5f, false, true, 0.0f, 0.0f},
                                       {13, 1, 1.0f, true, false, 1.0f, 0.0f}};

static snCaptureDef leg_def(const Leg* leg) {
    snCaptureDef def = sn_capture_def();
    def.handles = leg->figure.handles;
    def.skeleton = leg->skeleton;
    def.clip = leg->clip;
    def.scale = 0.01f;
    def.pair_count = 2;
    def.pairs = pairs;
    return def;
}

static void joints_become_paths(void** state) {
    (void)state;
    Leg leg = leg_create();
    snCaptureDef def = leg_def(&leg);
    snPaths* paths = NULL;
    assert_ok(sn_capture_paths(&def, NULL, &paths, NULL));
    assert_int_equal(paths->path_count, 2);
    const snPathDef *hips = &paths->paths[0], *foot = &paths->paths[1];
    assert_ok(sn_path_validate(hips, NULL));
    assert_ok(sn_path_validate(foot, NULL));
    assert_true(hips->global && !hips->contact && foot->contact && !foot->global);
    assert_near(foot->roll, 1, 0);
    assert_near(hips->strength, 0.5, 0);
    assert_vec3_near(hips->point, leg.figure.handles->handles[0].center, 0);
    assert_vec3_near(foot->point, leg.figure.handles->handles[13].center, 0);
    assert_int_equal(hips->key_count, 76);
    // Ankles 0.1 above their ground are as high as the handle's center; the hips are lifted as much.
    float level = foot->point.y;
    for (float t = 0.0f; t <= 2.5f; t += 0.1f)
        assert_vec3_near(sn_path_at(hips, NULL, t).place, sn_vec3(0, 0.9f + level, 0), 1e-6f);
    // It stands twice, exactly still, and is where the joint is in between.
    assert_true(sn_path_at(foot, NULL, 0.5f).resting);
    assert_true(sn_path_at(foot, NULL, 2.0f).resting);
    assert_false(sn_path_at(foot, NULL, 1.25f).resting);
    assert_vec3_near(sn_path_at(foot, NULL, 0.5f).place, sn_vec3(0, level, 0), 1e-3f);
    assert_vec3_near(sn_path_at(foot, NULL, 2.0f).place, sn_vec3(0, level, 0.6f), 1e-3f);
    assert_vec3_near(sn_path_at(foot, NULL, 1.25f).place, sn_vec3(0, level, 0.3f), 0.02f);
    uint32_t rests = 0;
    for (uint32_t k = 0; k < foot->key_count; k++) rests += foot->keys[k].rest > 0.0f;
    assert_int_equal(rests, 2);
    sn_paths_destroy(paths);
    leg_destroy(&leg);
}

// A first frame from another pose, whose foot hangs lower, is not the ground.
static void single_low_frames_are_no_ground(void** state) {
    (void)state;
    Leg leg = leg_create();
    sn_clip_destroy(leg.clip);
    float times[5] = {0.0f, 1.0f / 30.0f, 1.0f, 1.5f, 2.5f};
    float foot[15] = {0, -99, 0, 0, -90, 0, 0, -90, 0, 0, -90, 60, 0, -90, 60};
    snChannel channel = {1, SN_PATH_TRANSLATION, SN_INTERPOLATION_LINEAR, 5, 3, times, foot};
    snClipDef clip = {"step", 0.0f, 1, &channel};
    assert_ok(sn_clip_create(&clip, 2, NULL, &leg.clip, NULL));
    snCaptureDef def = leg_def(&leg);
    snPaths* paths = NULL;
    assert_ok(sn_capture_paths(&def, NULL, &paths, NULL));
    const snPathDef* path = &paths->paths[1];
    assert_ok(sn_path_validate(path, NULL));
    assert_true(sn_path_at(path, NULL, 0.5f).resting);
    assert_true(sn_path_at(path, NULL, 2.0f).resting);
    assert_vec3_near(sn_path_at(path, NULL, 0.5f).place, sn_vec3(0, path->point.y, 0), 1e-3f);
    assert_vec3_near(sn_path_at(path, NULL, 2.0f).place, sn_vec3(0, path->point.y, 0.6f), 1e-3f);
    for (uint32_t k = 0; k < path->key_count; k++) assert_true(path->keys[k].place.y >= path->point.y);
    sn_paths_destroy(paths);
    leg_destroy(&leg);
}

static void a_stretch_starts_at_zero(void** state) {
    (void)state;
    Leg leg = leg_create();
    snCaptureDef def = leg_def(&leg);
    def.from = 1.0f;
    def.to = 1.5f;
    def.fps = 10.0f;
    snPaths* paths = NULL;
    assert_ok(sn_capture_paths(&def, NULL, &paths, NULL));
    const snPathDef* hips = &paths->paths[0];
    assert_int_equal(hips->key_count, 6);
    assert_near(hips->keys[0].time, 0, 0);
    assert_near(hips->keys[5].time, 0.5, 1e-6);
    sn_paths_destroy(paths);
    leg_destroy(&leg);
}

static void refused(const snCaptureDef* def, snResult result, const char* words) {
    snPaths* paths = NULL;
    snError error = sn_error_none();
    assert_int_equal(sn_capture_paths(def, NULL, &paths, &error), result);
    assert_null(paths);
    if (strstr(error.text, words) == NULL) fail_msg("\"%s\" lacks \"%s\"", error.text, words);
}

// The foot jumps from a bind pose to where it stands within a frame, or goes there as a foot does.
static void bind_poses_come_before_the_beginning(void** state) {
    (void)state;
    Leg leg = leg_create();
    static const float jump = 2.0f / 30.0f; // seconds; two frames are held
    for (uint32_t slow = 0; slow < 2; slow++) {
        float times[4] = {0.0f, jump, jump + (slow != 0 ? 0.4f : 0.01f), 2.5f};
        float foot[12] = {0, -90, 0, 0, -90, 0, 0, -60, 40, 0, -60, 42};
        snChannel channel = {1, SN_PATH_TRANSLATION, SN_INTERPOLATION_LINEAR, 4, 3, times, foot};
        snClipDef clip = {"bound", 0.0f, 1, &channel};
        sn_clip_destroy(leg.clip);
        assert_ok(sn_clip_create(&clip, 2, NULL, &leg.clip, NULL));
        snCaptureDef def = leg_def(&leg);
        float at = -1.0f;
        assert_ok(sn_capture_begin(&def, NULL, &at, NULL));
        assert_near(at, slow != 0 ? 0.0 : 3.0 / 30.0, 1e-6);
        def.fps = 120.0f; // frames closer than keys: the jump takes several
        times[2] = jump + (slow != 0 ? 0.4f : 1.0f / 30.0f);
        sn_clip_destroy(leg.clip);
        assert_ok(sn_clip_create(&clip, 2, NULL, &leg.clip, NULL));
        def.clip = leg.clip;
        assert_ok(sn_capture_begin(&def, NULL, &at, NULL));
        assert_near(at, slow != 0 ? 0.0 : 3.0 / 30.0, 1e-6);
        def.from = 1.0f; // behind it there is nothing to leave out
        assert_ok(sn_capture_begin(&def, NULL, &at, NULL));
        assert_near(at, 1, 0);
    }
    leg_destroy(&leg);
}

static void bad_captures_are_refused(void** state) {
    (void)state;
    Leg leg = leg_create();
    snCaptureDef def = leg_def(&leg);
    def.clip = NULL;
    refused(&def, SN_RESULT_INVALID_ARGUMENT, "clip");
    def = leg_def(&leg);
    def.fps = 0.5f;
    refused(&def, SN_RESULT_INVALID_ARGUMENT, "rate");
    def = leg_def(&leg);
    def.pair_count = 0;
    refused(&def, SN_RESULT_BAD_DATA, "no joint");
    def = leg_def(&leg);
    def.from = 1.0f;
    def.to = 0.5f;
    refused(&def, SN_RESULT_INVALID_ARGUMENT, "before the start, 1 s");
    def.from = 1e8f;
    def.to = SN_CLIP_END;
    refused(&def, SN_RESULT_INVALID_ARGUMENT, "the clip lasts");
    snClip endless = *leg.clip;
    endless.duration = 1e8f;
    def = leg_def(&leg);
    def.clip = &endless;
    refused(&def, SN_RESULT_LIMIT, "frames");
    snCapturePair beyond = {0, 2, 1.0f, false, false, 0.0f, 0.0f};
    def = leg_def(&leg);
    def.pair_count = 1;
    def.pairs = &beyond;
    refused(&def, SN_RESULT_INVALID_ARGUMENT, "pair 0");
    beyond = (snCapturePair){0, 0, 1.0f, true, false, 3.0f, 0.0f};
    refused(&def, SN_RESULT_INVALID_ARGUMENT, "pair 0");
    float begin = -1.0f;
    assert_int_equal(sn_capture_begin(&def, NULL, &begin, NULL), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_capture_begin(&def, NULL, NULL, NULL), SN_RESULT_INVALID_ARGUMENT);
    assert_near(begin, -1, 0);
    leg_destroy(&leg);
}

static snResult build(const snAllocator* allocator, void* context) {
    snCaptureDef def = leg_def(context);
    snPaths* paths = NULL;
    snResult result = sn_capture_paths(&def, allocator, &paths, NULL);
    sn_paths_destroy(paths);
    return result;
}

static snResult begin(const snAllocator* allocator, void* context) {
    snCaptureDef def = leg_def(context);
    float at = 0.0f;
    return sn_capture_begin(&def, allocator, &at, NULL);
}

static void memory_failures_leak_nothing(void** state) {
    (void)state;
    Leg leg = leg_create();
    test_every_allocation(build, &leg);
    test_every_allocation(begin, &leg);
    leg_destroy(&leg);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joints_become_paths),
        cmocka_unit_test(single_low_frames_are_no_ground),
        cmocka_unit_test(a_stretch_starts_at_zero),
        cmocka_unit_test(bad_captures_are_refused),
        cmocka_unit_test(bind_poses_come_before_the_beginning),
        cmocka_unit_test(memory_failures_leak_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
