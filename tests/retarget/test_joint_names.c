// Joints by their own names and by what they are in a body.
#include <string.h>

#include "people.h"

static snJointNames* names_of(const snSkeleton* skeleton) {
    snJointNames* names = NULL;
    assert_ok(sn_joint_names_create(skeleton, NULL, &names, NULL));
    return names;
}

// In the built-in body the last joint of the spine is UpperChest, which makes it the Chest of a body, and
// there is a joint of that name below it.
static void own_names_come_first(void** state) {
    (void)state;
    snModel* model = people_body();
    const snSkeleton* body = model->skeleton;
    snJointNames* names = names_of(body);
    uint32_t chest = sn_skeleton_find(body, "Chest"), upper = sn_skeleton_find(body, "UpperChest");
    assert_string_equal(names->body[upper].text, "Chest");
    assert_int_equal(sn_joint_names_find(names, "Chest"), chest);
    assert_int_equal(sn_joint_names_find(names, "LeftElbow"), sn_skeleton_find(body, "LeftLowerArm"));
    assert_int_equal(sn_joint_names_find(names, "LeftLowerArm"), sn_skeleton_find(body, "LeftLowerArm"));
    assert_int_equal(sn_joint_names_find(names, "leftelbow"), SN_NONE);
    assert_int_equal(sn_joint_names_find(names, "*Elbow"), SN_NONE); // no pattern
    assert_int_equal(sn_joint_names_find(names, ""), SN_NONE);
    sn_joint_names_destroy(names);
    sn_joint_names_destroy(NULL);
    sn_model_destroy(model);
}

static void patterns_mean_all_that_fit(void** state) {
    (void)state;
    snModel* model = people_body();
    const snSkeleton* body = model->skeleton;
    snJointNames* names = names_of(body);
    uint8_t marks[PEOPLE_MOST];
    memset(marks, 9, sizeof marks);
    assert_int_equal(sn_joint_names_mark(names, "*Elbow", marks), 2);
    for (uint32_t j = 0; j < body->joint_count; j++)
        assert_int_equal(marks[j], strstr(body->names[j], "LowerArm") != NULL);
    assert_int_equal(sn_joint_names_mark(names, "Chest", marks), 2); // the one and the other
    assert_int_equal(sn_joint_names_mark(names, "*", marks), body->joint_count);
    assert_int_equal(sn_joint_names_mark(names, "Tentacle?", marks), 0);
    for (uint32_t j = 0; j < body->joint_count; j++) assert_int_equal(marks[j], 0);
    sn_joint_names_destroy(names);
    sn_model_destroy(model);
}

static void misspelt_names_have_a_nearest(void** state) {
    (void)state;
    snModel* model = people_body();
    snJointNames* names = names_of(model->skeleton);
    assert_string_equal(sn_joint_names_nearest(names, "LeftElbo"), "LeftElbow");
    assert_string_equal(sn_joint_names_nearest(names, "LeftLowerArn"), "LeftLowerArm");
    assert_null(sn_joint_names_nearest(names, "Tentacle"));
    sn_joint_names_destroy(names);
    sn_model_destroy(model);
}

// Too many joints for a body: they still have their own names.
static void a_crowd_has_its_own_names(void** state) {
    (void)state;
    enum { COUNT = SN_LABEL_JOINTS + 1 };
    static const char* texts[COUNT];
    static uint32_t parents[COUNT];
    static snTrs rest[COUNT];
    for (uint32_t j = 0; j < COUNT; j++) {
        texts[j] = j == 7 ? "LeftElbow" : "n";
        parents[j] = j > 0 ? j - 1 : SN_NONE;
        rest[j] = sn_trs_identity();
    }
    snSkeletonDef def = {COUNT, texts, parents, rest};
    snSkeleton* skeleton = NULL;
    assert_ok(sn_skeleton_create(&def, NULL, &skeleton, NULL));
    snJointNames* names = names_of(skeleton);
    assert_int_equal(sn_joint_names_find(names, "LeftElbow"), 7);
    assert_int_equal(sn_joint_names_find(names, "Hips"), SN_NONE);
    sn_joint_names_destroy(names);
    sn_skeleton_destroy(skeleton);
}

static snResult build(const snAllocator* allocator, void* context) {
    snJointNames* names = NULL;
    snResult result = sn_joint_names_create(context, allocator, &names, NULL);
    sn_joint_names_destroy(names);
    return result;
}

static void survives_every_failing_allocation(void** state) {
    (void)state;
    snModel* model = people_body();
    test_every_allocation(build, model->skeleton);
    assert_int_equal(sn_joint_names_create(NULL, NULL, NULL, NULL), SN_RESULT_INVALID_ARGUMENT);
    sn_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(own_names_come_first),
        cmocka_unit_test(patterns_mean_all_that_fit),
        cmocka_unit_test(misspelt_names_have_a_nearest),
        cmocka_unit_test(a_crowd_has_its_own_names),
        cmocka_unit_test(survives_every_failing_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
