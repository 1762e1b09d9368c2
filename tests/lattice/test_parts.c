#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lattice_support.h"

// A bar along x from 0 to 6 with joints at 0, 2 and 4, and a side joint at (2, 1).
typedef struct Bar {
    Solid solid;
    snLattice* lattice;
    uint16_t* joints;
    float* weights;
    snLatticePartsDef def;
} Bar;

static const uint32_t PARENTS[] = {SN_NONE, 0, 1, 0};
static const snVec3 ORIGINS[] = {{0, 0, 0}, {2, 0, 0}, {4, 0, 0}, {0, 1, 0}};

// Each particle follows the joint at or before its x; a second influence is there and weaker.
static Bar make_bar(void) {
    Bar bar = {0};
    solid_add_box(&bar.solid, sn_vec3(0, -0.3f, -0.3f), sn_vec3(6, 0.3f, 0.3f));
    bar.lattice = lattice_of(&bar.solid, 31);
    uint32_t count = bar.lattice->particle_count;
    bar.joints = calloc((size_t)count * 2, sizeof *bar.joints);
    bar.weights = calloc((size_t)count * 2, sizeof *bar.weights);
    for (uint32_t p = 0; p < count; p++) {
        float x = bar.lattice->rest[p].x;
        bar.joints[2 * p] = 3;
        bar.weights[2 * p] = 0.25f;
        bar.joints[2 * p + 1] = x < 2 ? 0 : x < 4 ? 1 : 2;
        bar.weights[2 * p + 1] = 0.75f;
    }
    bar.def = (snLatticePartsDef){.lattice = bar.lattice,
                                  .joint_count = 4,
                                  .parents = PARENTS,
                                  .origins = ORIGINS,
                                  .influences = 2,
                                  .particle_joints = bar.joints,
                                  .particle_weights = bar.weights};
    return bar;
}

static void free_bar(Bar* bar) {
    sn_lattice_destroy(bar->lattice);
    solid_free(&bar->solid);
    free(bar->joints);
    free(bar->weights);
}

static void check_members(const snLatticeParts* parts) {
    assert_int_equal(parts->starts[0], 0);
    assert_int_equal(parts->starts[parts->joint_count], parts->particle_count);
    for (uint32_t j = 0; j < parts->joint_count; j++) {
        for (uint32_t i = parts->starts[j]; i < parts->starts[j + 1]; i++) {
            assert_int_equal(parts->joint_parts[parts->members[i]], j);
            if (i > parts->starts[j]) assert_true(parts->members[i] > parts->members[i - 1]);
        }
    }
}

static void test_bones_are_cut_half_way(void** state) {
    (void)state;
    Bar bar = make_bar();
    snLatticeParts* parts = NULL;
    assert_ok(sn_lattice_parts_create(&bar.def, NULL, &parts, NULL));
    check_members(parts);
    for (uint32_t p = 0; p < parts->particle_count; p++) {
        float x = bar.lattice->rest[p].x;
        assert_int_equal(parts->bone_parts[p], x < 2 ? 0 : x < 4 ? 1 : 2);
        // Half of each bone goes to the joint at that end; the last joint keeps its whole bone. The side
        // joint has the nearer segment only near x = 0, and no particle lies beyond half way to it.
        assert_int_equal(parts->joint_parts[p], x <= 1 ? 0 : x <= 3 ? 1 : 2);
    }
    sn_lattice_parts_destroy(parts);
    free_bar(&bar);
}

static void test_overrides(void** state) {
    (void)state;
    Bar bar = make_bar();
    uint32_t count = bar.lattice->particle_count;
    uint32_t* bones = malloc(count * sizeof *bones);
    uint32_t* joints = malloc(count * sizeof *joints);
    memset(bones, 0xff, count * sizeof *bones);
    memset(joints, 0xff, count * sizeof *joints);
    bones[5] = 2;
    joints[6] = 3;
    bar.def.bone_overrides = bones;
    bar.def.joint_overrides = joints;
    snLatticeParts* parts = NULL;
    assert_ok(sn_lattice_parts_create(&bar.def, NULL, &parts, NULL));
    check_members(parts);
    assert_int_equal(parts->bone_parts[5], 2);
    assert_int_equal(parts->joint_parts[5], 2); // follows the bone that was given
    assert_int_equal(parts->joint_parts[6], 3);
    assert_true(parts->bone_parts[6] != 3);
    sn_lattice_parts_destroy(parts);
    parts = NULL;
    bones[9] = 4;
    assert_int_equal(sn_lattice_parts_create(&bar.def, NULL, &parts, NULL), SN_RESULT_BAD_DATA);
    bones[9] = SN_NONE;
    joints[9] = 4;
    assert_int_equal(sn_lattice_parts_create(&bar.def, NULL, &parts, NULL), SN_RESULT_BAD_DATA);
    assert_null(parts);
    free(bones);
    free(joints);
    free_bar(&bar);
}

static void test_joints_in_one_place(void** state) {
    (void)state;
    Bar bar = make_bar();
    static const snVec3 same[4] = {{1, 0, 0}, {1, 0, 0}, {1, 0, 0}, {1, 0, 0}};
    bar.def.origins = same;
    snLatticeParts* parts = NULL;
    assert_ok(sn_lattice_parts_create(&bar.def, NULL, &parts, NULL));
    check_members(parts);
    for (uint32_t p = 0; p < parts->particle_count; p++)
        assert_int_equal(parts->joint_parts[p], parts->bone_parts[p]);
    sn_lattice_parts_destroy(parts);
    free_bar(&bar);
}

static snResult build(const snAllocator* allocator, void* context) {
    snLatticeParts* parts = NULL;
    snResult result = sn_lattice_parts_create(context, allocator, &parts, NULL);
    sn_lattice_parts_destroy(parts);
    return result;
}

static void expect(const snLatticePartsDef* def, snResult expected, uint32_t joint) {
    snLatticeParts* parts = NULL;
    snError error = sn_error_none();
    assert_int_equal(sn_lattice_parts_create(def, NULL, &parts, &error), expected);
    assert_int_equal(error.joint, joint);
    assert_true(error.text[0] != '\0');
    assert_null(parts);
}

static void test_failures(void** state) {
    (void)state;
    Bar bar = make_bar();
    test_every_allocation(build, &bar.def);
    snLatticePartsDef def = bar.def;
    static const uint32_t bad_parents[4] = {SN_NONE, 0, 9, 0};
    def.parents = bad_parents;
    expect(&def, SN_RESULT_BAD_DATA, 2);
    static const snVec3 bad_origins[4] = {{0, 0, 0}, {NAN, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    def = bar.def;
    def.origins = bad_origins;
    expect(&def, SN_RESULT_BAD_DATA, 1);
    def = bar.def;
    bar.joints[7] = 4;
    expect(&def, SN_RESULT_BAD_DATA, SN_NONE);
    bar.joints[7] = 0;
    bar.weights[7] = NAN;
    expect(&def, SN_RESULT_BAD_DATA, SN_NONE);
    def.joint_count = 0;
    expect(&def, SN_RESULT_INVALID_ARGUMENT, SN_NONE);
    def = bar.def;
    def.influences = 0;
    expect(&def, SN_RESULT_INVALID_ARGUMENT, SN_NONE);
    sn_lattice_parts_destroy(NULL);
    free_bar(&bar);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bones_are_cut_half_way),
        cmocka_unit_test(test_overrides),
        cmocka_unit_test(test_joints_in_one_place),
        cmocka_unit_test(test_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
