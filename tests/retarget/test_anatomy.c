// Joints by what they are called in a body, and patterns that find them.
#include <string.h>

#include "people.h"
#ifdef SINEW_TEST_IO
#include "sinew/io.h"
#endif

enum { MOST = 512 };

// Names of the joints that a pattern finds by anatomy.
static uint32_t find(const snSkeleton* skeleton, const char* pattern, uint32_t* out) {
    snJointName names[MOST];
    assert_true(skeleton->joint_count <= MOST);
    assert_ok(sn_skeleton_anatomy(skeleton, NULL, names));
    uint32_t count = 0;
    for (uint32_t j = 0; j < skeleton->joint_count; j++) {
        if (names[j].text[0] != '\0' && sn_name_matches(pattern, names[j].text)) out[count++] = j;
    }
    return count;
}

static void patterns_have_holes(void** state) {
    (void)state;
    static const struct {
        const char *pattern, *name;
        bool fits;
    } cases[] = {
        {"*Elbow", "LeftElbow", true},
        {"*Elbow", "LeftElbow2", false},
        {"*Elbow*", "LeftElbow2", true},
        {"?eft*", "LeftKnee", true},
        {"", "", true},
        {"", "a", false},
        {"*", "", true},
        {"?", "", false},
        {"a*b*c", "abbbcxc", true},
        {"a*b*c", "acb", false},
        {"left*", "LeftKnee", false},
        {"**a", "aaa", true},
        {"Elbow", "Elbow", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (sn_name_matches(cases[i].pattern, cases[i].name) != cases[i].fits)
            fail_msg("\"%s\" and \"%s\"", cases[i].pattern, cases[i].name);
    }
}

static void the_body_has_every_joint_once(void** state) {
    (void)state;
    static const struct {
        const char *anatomy, *name;
    } cases[] = {
        {"Hips", "Hips"},
        {"Chest", "UpperChest"},
        {"Neck", "Neck"},
        {"Head", "Head"},
        {"LeftShoulder", "LeftUpperArm"},
        {"LeftElbow", "LeftLowerArm"},
        {"RightElbow", "RightLowerArm"},
        {"LeftWrist", "LeftHand"},
        {"LeftHip", "LeftUpperLeg"},
        {"RightKnee", "RightLowerLeg"},
        {"RightAnkle", "RightFoot"},
        {"LeftToes", "LeftToes"},
    };
    snModel* model = people_body();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint32_t found[MOST];
        if (find(model->skeleton, cases[i].anatomy, found) != 1) fail_msg("no %s", cases[i].anatomy);
        assert_string_equal(model->skeleton->names[found[0]], cases[i].name);
    }
    uint32_t found[MOST];
    assert_int_equal(find(model->skeleton, "*Elbow", found), 2);
    assert_true(find(model->skeleton, "*Index?", found) >= 2);
    sn_model_destroy(model);
}

// Bodies whose joints are called nothing have elbows all the same.
static void structure_is_enough(void** state) {
    (void)state;
    snModel* model = people_body();
    snVec3 points[PEOPLE_MOST];
    snQuat rotations[PEOPLE_MOST];
    people_rest(model->skeleton, points, rotations);
    snSkeleton* nameless = people_pose(model->skeleton, points, rotations, false);
    uint32_t found[MOST];
    assert_int_equal(find(nameless, "LeftElbow", found), 1);
    assert_string_equal(model->skeleton->names[found[0]], "LeftLowerArm");
    assert_int_equal(find(nameless, "Right[K]nee", found), 0);
    assert_int_equal(find(nameless, "RightKnee", found), 1);
    sn_skeleton_destroy(nameless);
    sn_model_destroy(model);
}

static void what_is_no_body_has_no_names(void** state) {
    (void)state;
    snTubeDef def = sn_tube_def();
    snModel* tube = NULL;
    assert_ok(sn_builtin_tube(&def, NULL, &tube, NULL));
    uint32_t found[MOST];
    assert_int_equal(find(tube->skeleton, "*", found), 0);
    sn_model_destroy(tube);
}

#ifdef SINEW_TEST_IO
static void the_knight_has_two_elbows(void** state) {
    (void)state;
    const char* path = test_data_path("characters/kaykit_Knight.glb");
    snReadDef def = sn_read_def();
    snModel* model = NULL;
    assert_ok(sn_model_read(path, &def, &model, NULL));
    static const char* const pairs[] = {"*Elbow", "*Knee", "*Shoulder", "*Hip", "*Wrist", "*Ankle"};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        uint32_t found[MOST];
        uint32_t count = find(model->skeleton, pairs[i], found);
        if (count != 2) fail_msg("%s: %u", pairs[i], (unsigned)count);
    }
    sn_model_destroy(model);
}
#endif

static snResult name_once(const snAllocator* allocator, void* context) {
    snJointName names[MOST];
    return sn_skeleton_anatomy(context, allocator, names);
}

static void running_out_of_memory_leaves_nothing(void** state) {
    (void)state;
    snModel* model = people_body();
    test_every_allocation(name_once, model->skeleton);
    sn_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patterns_have_holes),
        cmocka_unit_test(the_body_has_every_joint_once),
        cmocka_unit_test(structure_is_enough),
        cmocka_unit_test(what_is_no_body_has_no_names),
#ifdef SINEW_TEST_IO
        cmocka_unit_test(the_knight_has_two_elbows),
#endif
        cmocka_unit_test(running_out_of_memory_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
