// Trees in any order, forward kinematics, and what is refused.
#include <stdlib.h>

#include "support.h"

// A chain of three listed child first, and a second root.
static snSkeletonDef chain_def(void) {
    static const char* const names[] = {"tip", "middle", "root", NULL};
    static const uint32_t parents[] = {1, 2, SN_NONE, SN_NONE};
    static snTrs rest[4];
    for (int j = 0; j < 4; j++) rest[j] = sn_trs_identity();
    rest[0].translation = sn_vec3(0, 1, 0);
    rest[1].translation = sn_vec3(0, 2, 0);
    rest[1].rotation = sn_quat_axis_angle(sn_vec3(0, 0, 1), SN_PI / 2);
    rest[2].translation = sn_vec3(5, 0, 0);
    rest[2].rotation = sn_quat(0, 0, 0, 3); // not unit: normalised on creation
    snSkeletonDef def = {4, names, parents, rest};
    return def;
}

static void world_follows_the_tree(void** state) {
    (void)state;
    snSkeletonDef def = chain_def();
    snSkeleton* s = NULL;
    assert_ok(sn_skeleton_create(&def, NULL, &s, NULL));
    assert_int_equal(s->order[0], 2);
    for (uint32_t i = 0; i < 4; i++) {
        for (uint32_t k = 0; k <= i; k++) assert_true(s->parents[s->order[k]] != s->order[i]);
    }
    snMat4 world[4];
    sn_skeleton_world(s, NULL, world);
    assert_vec3_near(sn_mat4_translation(&world[2]), sn_vec3(5, 0, 0), 1e-6f);
    assert_vec3_near(sn_mat4_translation(&world[1]), sn_vec3(5, 2, 0), 1e-6f);
    assert_vec3_near(sn_mat4_translation(&world[0]), sn_vec3(4, 2, 0), 1e-6f); // y turned to -x
    assert_vec3_near(sn_mat4_translation(&world[3]), sn_vec3(0, 0, 0), 0.0f);
    assert_int_equal(sn_skeleton_find(s, "middle"), 1);
    assert_int_equal(sn_skeleton_find(s, ""), 3);
    assert_int_equal(sn_skeleton_find(s, "nobody"), SN_NONE);
    sn_skeleton_destroy(s);
    sn_skeleton_destroy(NULL);
}

static void refuse(uint32_t parent_of_0, uint32_t parent_of_2, snResult expected) {
    snSkeletonDef def = chain_def();
    uint32_t parents[4] = {parent_of_0, 2, parent_of_2, SN_NONE};
    def.parents = parents;
    snSkeleton* s = NULL;
    snError error = sn_error_none();
    assert_int_equal(sn_skeleton_create(&def, NULL, &s, &error), expected);
    assert_true(error.joint != SN_NONE && error.text[0] != '\0');
    assert_null(s);
}

static void refuses_cycles_and_strangers(void** state) {
    (void)state;
    refuse(1, 0, SN_RESULT_BAD_DATA);
    refuse(0, SN_NONE, SN_RESULT_BAD_DATA);
    refuse(77, SN_NONE, SN_RESULT_BAD_DATA);
    snSkeletonDef def = chain_def();
    snTrs rest[4];
    for (int j = 0; j < 4; j++) rest[j] = def.rest[j];
    def.rest = rest;
    snSkeleton* s = NULL;
    rest[1].translation.y = NAN;
    assert_int_equal(sn_skeleton_create(&def, NULL, &s, NULL), SN_RESULT_BAD_DATA);
    rest[1] = sn_trs_identity();
    rest[1].rotation = sn_quat(0, 0, 0, 0);
    assert_int_equal(sn_skeleton_create(&def, NULL, &s, NULL), SN_RESULT_BAD_DATA);
    def.rest = NULL;
    assert_int_equal(sn_skeleton_create(&def, NULL, &s, NULL), SN_RESULT_INVALID_ARGUMENT);
    assert_null(s);
}

// Long chains listed backwards are linear, not quadratic; the test's time limit is the check.
static void long_chains_are_fast(void** state) {
    (void)state;
    uint32_t count = 300000;
    uint32_t* parents = calloc(count, sizeof *parents);
    snTrs* rest = calloc(count, sizeof *rest);
    for (uint32_t j = 0; j < count; j++) {
        parents[j] = j + 1 < count ? j + 1 : SN_NONE;
        rest[j] = sn_trs_identity();
    }
    snSkeletonDef def = {count, NULL, parents, rest};
    snSkeleton* s = NULL;
    assert_ok(sn_skeleton_create(&def, NULL, &s, NULL));
    assert_int_equal(s->order[0], count - 1);
    assert_int_equal(s->order[count - 1], 0);
    sn_skeleton_destroy(s);
    free(parents);
    free(rest);
}

static snResult build(const snAllocator* allocator, void* context) {
    (void)context;
    snSkeletonDef def = chain_def();
    snSkeleton* s = NULL;
    snResult result = sn_skeleton_create(&def, allocator, &s, NULL);
    if (result == SN_RESULT_OK) sn_skeleton_destroy(s);
    return result;
}

static void survives_every_failing_allocation(void** state) {
    (void)state;
    test_every_allocation(build, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(world_follows_the_tree),
        cmocka_unit_test(refuses_cycles_and_strangers),
        cmocka_unit_test(long_chains_are_fast),
        cmocka_unit_test(survives_every_failing_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
