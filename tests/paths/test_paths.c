#include <string.h>

#include "support.h"

static snPathDef path_of(const snPathKey* keys, uint32_t count, bool smooth) {
    snPathDef path = {.strength = 1.0f, .smooth = smooth, .key_count = count, .keys = keys};
    return path;
}

static const snPathKey zigzag[] = {{0.0f, 0.5f, {0.0f, 0.0f, 0.0f}},
                                   {1.0f, 0.0f, {0.0f, 0.2f, 1.0f}},
                                   {1.5f, 0.25f, {1.0f, 0.0f, 3.0f}},
                                   {2.0f, 0.0f, {1.0f, -1.0f, 2.0f}}};

static void keys_are_met_and_rests_hold_still(void** state) {
    (void)state;
    for (int smooth = 0; smooth < 2; smooth++) {
        snPathDef path = path_of(zigzag, 4, smooth == 1);
        assert_ok(sn_path_validate(&path, NULL));
        for (uint32_t i = 0; i < 4; i++)
            assert_vec3_near(sn_path_at(&path, NULL, zigzag[i].time).place, zigzag[i].place, 0);
        const float still[] = {0.0f, 0.25f, 0.5f}, again[] = {1.5f, 1.6f, 1.75f};
        for (uint32_t i = 0; i < 3; i++) {
            assert_true(sn_path_at(&path, NULL, still[i]).resting);
            assert_vec3_near(sn_path_at(&path, NULL, still[i]).place, zigzag[0].place, 0);
            assert_true(sn_path_at(&path, NULL, again[i]).resting);
            assert_vec3_near(sn_path_at(&path, NULL, again[i]).place, zigzag[2].place, 0);
        }
        assert_false(sn_path_at(&path, NULL, 0.51f).resting);
        assert_false(sn_path_at(&path, NULL, 2.0f).resting);
        assert_vec3_near(sn_path_at(&path, NULL, -5.0f).place, zigzag[0].place, 0);
        assert_vec3_near(sn_path_at(&path, NULL, 99.0f).place, zigzag[3].place, 0);
    }
    snPathDef straight = path_of(zigzag, 4, false);
    assert_vec3_near(sn_path_at(&straight, NULL, 0.75f).place, sn_vec3(0.0f, 0.1f, 0.5f), 1e-6f);
}

static void rests_are_told_before_and_after(void** state) {
    (void)state;
    snPathDef path = path_of(zigzag, 4, true);
    snPathPoint point = sn_path_at(&path, NULL, 1.25f);
    assert_near(point.since, 0.75, 1e-6);
    assert_near(point.until, 0.25, 1e-6);
    point = sn_path_at(&path, NULL, 1.6f);
    assert_near(point.since, 0, 0);
    assert_near(point.until, 0, 0);
    point = sn_path_at(&path, NULL, 1.9f);
    assert_near(point.since, 0.15, 1e-6);
    assert_true(point.until == INFINITY);
    path.key_count = 3; // what rests at last, stays
    assert_true(sn_path_at(&path, NULL, 1.9f).resting && sn_path_at(&path, NULL, 99.0f).resting);
    assert_vec3_near(sn_path_at(&path, NULL, 99.0f).place, zigzag[2].place, 0);
}

// Through random keys: never beyond two neighbours, and without jumps in place or speed.
static void curves_stay_between_their_keys(void** state) {
    (void)state;
    uint32_t seed = 77;
    snPathKey keys[12];
    for (uint32_t i = 0; i < 12; i++) {
        float before = i > 0 ? keys[i - 1].time + keys[i - 1].rest : 0.0f;
        keys[i].time = before + test_random_float(&seed, 0.2f, 1.0f);
        keys[i].rest = i % 4 == 2 ? 0.3f : 0.0f;
        keys[i].place = sn_vec3(test_random_float(&seed, -1, 1), test_random_float(&seed, -1, 1),
                                test_random_float(&seed, -1, 1));
    }
    snPathDef path = path_of(keys, 12, true);
    float step = 1e-3f, begin = keys[0].time, end = keys[11].time;
    snVec3 last = keys[0].place, speed = {0, 0, 0};
    uint32_t k = 0;
    for (float t = begin; t < end; t += step) {
        while (k + 1 < 12 && keys[k + 1].time <= t) k++;
        snVec3 at = sn_path_at(&path, NULL, t).place, a = keys[k].place, b = keys[k < 11 ? k + 1 : k].place;
        assert_true(at.x >= sn_minf(a.x, b.x) && at.x <= sn_maxf(a.x, b.x));
        assert_true(at.y >= sn_minf(a.y, b.y) && at.y <= sn_maxf(a.y, b.y));
        assert_true(at.z >= sn_minf(a.z, b.z) && at.z <= sn_maxf(a.z, b.z));
        snVec3 now = sn_scale(sn_sub(at, last), 1.0f / step);
        // At most 2 metres in 0.2 seconds: speeds up to 15, and they change within the time of a key.
        if (t > begin + step) assert_near(sn_distance(now, speed), 0, 1.0);
        last = at;
        speed = now;
    }
}

static void drapes_follow_the_ground(void** state) {
    (void)state;
    snTerrain hills = {.kind = SN_TERRAIN_HILLS, .height = 0.5f, .direction = {0.0f, 1.0f}, .length = 1.0f};
    snPathKey keys[] = {{0.0f, 1.0f, {0.0f, 0.0f, 0.25f}}, {2.0f, 0.0f, {0.0f, 0.4f, 2.25f}}};
    snPathDef path = path_of(keys, 2, false);
    path.draped = true;
    assert_near(sn_path_at(&path, &hills, 0.5f).place.y, 0.25, 1e-6);
    for (float t = 1.0f; t <= 2.0f; t += 0.05f) {
        snVec3 at = sn_path_at(&path, &hills, t).place;
        assert_near(at.y, sn_terrain_height(&hills, at.x, at.z) + 0.4f * (t - 1.0f), 1e-5);
    }
    assert_near(sn_path_at(&path, NULL, 2.0f).place.y, 0.4, 1e-6);
}

static void refused(snPathDef path, const char* words) {
    snError error = sn_error_none();
    assert_int_equal(sn_path_validate(&path, &error), SN_RESULT_BAD_DATA);
    if (strstr(error.text, words) == NULL) fail_msg("\"%s\" lacks \"%s\"", error.text, words);
}

static void bad_paths_are_refused(void** state) {
    (void)state;
    snPathKey keys[2] = {{0.0f, 0.5f, {0, 0, 0}}, {1.0f, 0.0f, {1, 0, 0}}};
    refused(path_of(keys, 0, true), "no key");
    snPathDef path = path_of(keys, 2, true);
    path.strength = -1.0f;
    refused(path, "strength");
    path = path_of(keys, 2, true);
    path.point.y = NAN;
    refused(path, "point");
    keys[1].time = 0.5f;
    refused(path_of(keys, 2, true), "lasts until 0.5");
    keys[1].time = NAN;
    refused(path_of(keys, 2, true), "key 1");
    keys[1].time = 1.0f;
    keys[1].rest = -1.0f;
    refused(path_of(keys, 2, true), "has a rest of -1");
    keys[1].rest = 0.0f;
    keys[1].place.x = INFINITY;
    refused(path_of(keys, 2, true), "key 1");
    assert_int_equal(sn_path_validate(NULL, NULL), SN_RESULT_INVALID_ARGUMENT);
}

// --------------------------------------------------------------------------------------------------- walks

static const snWalkFoot feet[2] = {{3, {0.1f, 0.0f, 0.05f}, 0.0f, 0.0f, 0.0f},
                                   {5, {-0.1f, 0.0f, 0.05f}, 0.5f, 0.0f, 0.0f}};
static const snVec2 line[3] = {{0.0f, 0.0f}, {0.0f, 3.0f}, {2.0f, 3.0f}};

static snWalkDef walk_def(void) {
    snWalkDef def = sn_walk_def();
    def.foot_count = 2;
    def.feet = feet;
    def.line_count = 3;
    def.line = line;
    return def;
}

static void walks_start_and_end_standing(void** state) {
    (void)state;
    snWalkDef def = walk_def();
    snPaths* paths = NULL;
    assert_ok(sn_walk_paths(&def, NULL, NULL, &paths, NULL));
    assert_int_equal(paths->path_count, 2);
    for (uint32_t f = 0; f < 2; f++) {
        const snPathDef* path = &paths->paths[f];
        assert_ok(sn_path_validate(path, NULL));
        assert_int_equal(path->handle, feet[f].handle);
        assert_true(path->contact && path->global && path->smooth);
        assert_vec3_near(path->keys[0].place, feet[f].point, 1e-6f);
        // At the end the line runs along +X: left of it is -Z.
        snVec3 end = path->keys[path->key_count - 1].place;
        assert_vec3_near(end, sn_vec3(2.05f, 0.0f, 3.0f - feet[f].point.x), 1e-5f);
    }
    sn_paths_destroy(paths);
}

// Between two steps the same foot travels a stride; feet take turns, and one always stands.
static void feet_take_turns(void** state) {
    (void)state;
    snWalkDef def = walk_def();
    def.line_count = 2; // 3 m straight on: three strides of 1 m are nearer to 1.2 m than two
    snPaths* paths = NULL;
    assert_ok(sn_walk_paths(&def, NULL, NULL, &paths, NULL));
    snPathKey last = paths->paths[0].keys[paths->paths[0].key_count - 1];
    for (float t = 0.0f; t <= last.time + last.rest; t += 0.01f) {
        snPathPoint left = sn_path_at(&paths->paths[0], NULL, t);
        snPathPoint right = sn_path_at(&paths->paths[1], NULL, t);
        assert_true(left.resting || right.resting);
        assert_near(left.place.x, 0.1, 1e-6);
        assert_near(right.place.x, -0.1, 1e-6);
        if (left.resting) assert_near(left.place.y, 0, 0);
        assert_true(left.place.y >= 0.0f && left.place.y <= def.lift + 1e-6f);
        assert_true(fabsf(left.place.z - right.place.z) <= 0.5f + 1e-4f);
    }
    // Landings of the left foot: half a stride, then whole ones, then it closes up.
    const float landings[] = {0.5f, 1.5f, 2.5f, 3.0f};
    assert_int_equal(paths->paths[0].key_count, 1 + 4 * 4);
    for (uint32_t k = 0; k < 4; k++)
        assert_near(paths->paths[0].keys[4 * (k + 1)].place.z, 0.05f + landings[k], 1e-5);
    sn_paths_destroy(paths);
}

// Faster is more and longer steps, which take the ratio of people who walk as they like; feet stand shorter,
// but one always does.
static void paces_are_those_of_people(void** state) {
    (void)state;
    const float speeds[4] = {0.5f, 1.0f, 1.4f, 2.0f};
    float length = 0.0f, cadence = 0.0f, duty = 1.0f;
    for (int i = 0; i < 4; i++) {
        snWalkDef def = walk_def();
        const snVec2 far[2] = {{0.0f, 0.0f}, {0.0f, 100.0f}}; // the line changes strides by little
        def.line_count = 2;
        def.line = far;
        assert_ok(sn_walk_pace(&def, speeds[i], 0.9f, NULL));
        assert_near(def.stride / def.cycle, speeds[i], 1e-5);
        assert_true(0.5f * def.stride > length && 2.0f / def.cycle > cadence && def.duty < duty);
        length = 0.5f * def.stride;
        cadence = 2.0f / def.cycle;
        duty = def.duty;
        assert_near(length / cadence, 0.37, 0.02);
        assert_true(duty > 0.54f && duty < 0.67f);
    }
    // 1.4 m/s is how adults walk: 100 to 125 steps a minute of 0.65 to 0.8 m.
    snWalkDef def = walk_def(), small = walk_def();
    assert_ok(sn_walk_pace(&def, 1.4f, 0.9f, NULL));
    assert_true(120.0f / def.cycle > 100.0f && 120.0f / def.cycle < 125.0f);
    // Half the leg at the speed of the same pendulum: half the steps.
    const snVec2 half[3] = {{0.0f, 0.0f}, {0.0f, 1.5f}, {1.0f, 1.5f}};
    small.line = half;
    assert_ok(sn_walk_pace(&small, 1.4f * sqrtf(0.5f), 0.45f, NULL));
    assert_near(small.stride, 0.5f * def.stride, 1e-5);
    assert_near(small.duty, def.duty, 1e-5);
}

static void bad_paces_are_refused(void** state) {
    (void)state;
    snError error = sn_error_none();
    snWalkDef def = walk_def();
    assert_int_equal(sn_walk_pace(&def, 3.1f, 0.9f, &error), SN_RESULT_BAD_DATA);
    assert_non_null(strstr(error.text, "above 2.97"));
    assert_near(def.stride, sn_walk_def().stride, 0);
    assert_int_equal(sn_walk_pace(&def, 0.0f, 0.9f, NULL), SN_RESULT_BAD_DATA);
    assert_int_equal(sn_walk_pace(&def, 1.0f, NAN, NULL), SN_RESULT_BAD_DATA);
    def.line_count = 1;
    assert_int_equal(sn_walk_pace(&def, 1.0f, 0.9f, NULL), SN_RESULT_INVALID_ARGUMENT);
}

static void steps_clear_the_ground(void** state) {
    (void)state;
    snTerrain hills = {.kind = SN_TERRAIN_HILLS, .height = 0.3f, .direction = {0.0f, 1.0f}, .length = 1.4f};
    snWalkDef def = walk_def();
    snPaths* paths = NULL;
    assert_ok(sn_walk_paths(&def, &hills, NULL, &paths, NULL));
    for (uint32_t f = 0; f < 2; f++) {
        for (float t = 0.0f; t < 6.0f; t += 0.01f) {
            snPathPoint at = sn_path_at(&paths->paths[f], &hills, t);
            float over = at.place.y - sn_terrain_height(&hills, at.place.x, at.place.z);
            if (at.resting) assert_near(over, 0, 1e-6);
            assert_true(over > -0.005f);
        }
    }
    sn_paths_destroy(paths);
}

static void walk_refused(snWalkDef def, snResult result, const char* words) {
    snPaths* paths = NULL;
    snError error = sn_error_none();
    assert_int_equal(sn_walk_paths(&def, NULL, NULL, &paths, &error), result);
    assert_null(paths);
    if (strstr(error.text, words) == NULL) fail_msg("\"%s\" lacks \"%s\"", error.text, words);
}

static void bad_walks_are_refused(void** state) {
    (void)state;
    snWalkDef def = walk_def();
    def.foot_count = 0;
    walk_refused(def, SN_RESULT_INVALID_ARGUMENT, "feet");
    def = walk_def();
    def.stride = 0.0f;
    walk_refused(def, SN_RESULT_BAD_DATA, "stride");
    def = walk_def();
    def.duty = 1.0f;
    walk_refused(def, SN_RESULT_BAD_DATA, "duty");
    def = walk_def();
    def.stride = 1e-6f;
    walk_refused(def, SN_RESULT_LIMIT, "100000");
    const snVec2 twice[2] = {{1.0f, 1.0f}, {1.0f, 1.0f}};
    def = walk_def();
    def.line_count = 2;
    def.line = twice;
    walk_refused(def, SN_RESULT_BAD_DATA, "points 0 and 1");
    snWalkFoot late = feet[0];
    late.phase = 1.5f;
    def = walk_def();
    def.foot_count = 1;
    def.feet = &late;
    walk_refused(def, SN_RESULT_BAD_DATA, "foot 0");
    snTerrain bad = {.kind = SN_TERRAIN_HILLS};
    def = walk_def();
    snPaths* paths = NULL;
    assert_int_equal(sn_walk_paths(&def, &bad, NULL, &paths, NULL), SN_RESULT_BAD_DATA);
}

static snResult build_walk(const snAllocator* allocator, void* context) {
    (void)context;
    snWalkDef def = walk_def();
    snPaths *paths = NULL, *copy = NULL;
    snResult result = sn_walk_paths(&def, NULL, allocator, &paths, NULL);
    if (result == SN_RESULT_OK)
        result = sn_paths_copy(paths->paths, paths->path_count, allocator, &copy, NULL);
    if (result == SN_RESULT_OK) {
        assert_int_equal(copy->path_count, 2);
        assert_ptr_not_equal(copy->paths[1].keys, paths->paths[1].keys);
        assert_memory_equal(copy->paths[1].keys, paths->paths[1].keys,
                            copy->paths[1].key_count * sizeof *copy->paths[1].keys);
    }
    sn_paths_destroy(copy);
    sn_paths_destroy(paths);
    return result;
}

static void memory_failures_leak_nothing(void** state) {
    (void)state;
    test_every_allocation(build_walk, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_are_met_and_rests_hold_still),
        cmocka_unit_test(rests_are_told_before_and_after),
        cmocka_unit_test(curves_stay_between_their_keys),
        cmocka_unit_test(drapes_follow_the_ground),
        cmocka_unit_test(bad_paths_are_refused),
        cmocka_unit_test(walks_start_and_end_standing),
        cmocka_unit_test(feet_take_turns),
        cmocka_unit_test(paces_are_those_of_people),
        cmocka_unit_test(bad_paces_are_refused),
        cmocka_unit_test(steps_clear_the_ground),
        cmocka_unit_test(bad_walks_are_refused),
        cmocka_unit_test(memory_failures_leak_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
