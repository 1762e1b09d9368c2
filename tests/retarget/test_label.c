// What joints are called, what they are, and what they are when they are called nothing.
#include <stdlib.h>
#include <string.h>

#include "people.h"
#include "retarget/label.h"

#define L SN_SIDE_LEFT
#define R SN_SIDE_RIGHT
#define N SN_SIDE_NONE

static void names_of_every_convention(void** state) {
    (void)state;
    static const struct {
        const char* name;
        uint32_t role;
        snSide side;
    } cases[] = {
        {"Hips", SN_ROLE_HIPS, N},
        {"LeftUpLeg", SN_ROLE_UPPER_LEG, L},
        {"LeftToeBase", SN_ROLE_TOES, L},
        {"LowerBack", SN_ROLE_SPINE, N},
        {"Spine1", SN_ROLE_SPINE, N},
        {"Neck1", SN_ROLE_NECK, N},
        {"LeftFingerBase", SN_ROLE_HAND, L},
        {"LeftHandIndex1", SN_ROLE_INDEX, L},
        {"RThumb", SN_ROLE_THUMB, R},
        {"lfemur", SN_ROLE_UPPER_LEG, L},
        {"rtibia", SN_ROLE_LOWER_LEG, R},
        {"ltoes", SN_ROLE_TOES, L},
        {"upperneck", SN_ROLE_NECK, N},
        {"lclavicle", SN_ROLE_SHOULDER, L},
        {"rhumerus", SN_ROLE_UPPER_ARM, R},
        {"lradius", SN_ROLE_LOWER_ARM, L},
        {"mixamorig:LeftForeArm", SN_ROLE_LOWER_ARM, L},
        {"mixamorig1_RightHandPinky3", SN_ROLE_LITTLE, R},
        {"hero:mixamorig:Spine2", SN_ROLE_SPINE, N},
        {"upperleg01.L", SN_ROLE_UPPER_LEG, L},
        {"lowerleg02.R", SN_ROLE_LOWER_LEG, R},
        {"clavicle.L", SN_ROLE_SHOULDER, L},
        {"finger1-2.L", SN_ROLE_THUMB, L},
        {"finger5-1.R", SN_ROLE_LITTLE, R},
        {"toe2-1.L", SN_ROLE_TOES, L},
        {"J_Bip_L_UpperArm", SN_ROLE_UPPER_ARM, L},
        {"J_Bip_C_UpperChest", SN_ROLE_SPINE, N},
        {"leftIndexProximal", SN_ROLE_INDEX, L},
        {"rightLowerLeg", SN_ROLE_LOWER_LEG, R},
        {"DEF-upper_arm.L", SN_ROLE_UPPER_ARM, L},
        {"ORG-shin.R", SN_ROLE_LOWER_LEG, R},
        {"DEF-f_middle.02.L", SN_ROLE_MIDDLE, L},
        {"pelvis", SN_ROLE_HIPS, N},
        {"spine_01", SN_ROLE_SPINE, N},
        {"calf_l", SN_ROLE_LOWER_LEG, L},
        {"ball_r", SN_ROLE_TOES, R},
        {"Bip001 L UpperArm", SN_ROLE_UPPER_ARM, L},
        {"Bip001 R Thigh", SN_ROLE_UPPER_LEG, R},
        {"Bip001 L Finger0", SN_ROLE_THUMB, L},
        {"Bip001 L Finger21", SN_ROLE_MIDDLE, L},
        {"wrist.l", SN_ROLE_HAND, L},
        {"UpArm_L", SN_ROLE_UPPER_ARM, L},
        {"LoArm_L", SN_ROLE_LOWER_ARM, L},
        {"LoLeg_R", SN_ROLE_LOWER_LEG, R},
        {"lwr_arm.r", SN_ROLE_LOWER_ARM, R},
        {"arm_lower.L", SN_ROLE_LOWER_ARM, L},
        {"leg_upr.R", SN_ROLE_UPPER_LEG, R},
        {"upper_arm.l_Armature", SN_ROLE_UPPER_ARM, L},
        {"Armature", SN_ROLE_ROOT, N},
        {"Abdomen", SN_ROLE_SPINE, N},
        {"Pinky2.R", SN_ROLE_LITTLE, R},
        {"Hand_Left", SN_ROLE_HAND, L},
        {"lefthand", SN_ROLE_HAND, L},
        {"Knight_ThighLeft", SN_ROLE_UPPER_LEG, L},
        {"b_Tail02_013", SN_ROLE_TAIL, N},
        {"leg_joint_L_1", SNI_ROLE_ANY_LEG, L},
        {"RightArm", SNI_ROLE_ANY_ARM, R},
        {"", SN_ROLE_NONE, N},
        {"Cube.001", SN_ROLE_NONE, N},
        {"ik_hand_l", SN_ROLE_NONE, N},
        {"MCH-foot.L", SN_ROLE_NONE, N},
        {"LeftToe_End", SN_ROLE_NONE, N},
        {"handslot.l", SN_ROLE_NONE, L},
        {"FrontUpperLeg.L", SN_ROLE_UPPER_ARM, L},
        {"front_foot_r", SN_ROLE_HAND, R},
        {"FrontHair_L", SN_ROLE_NONE, L},
        {"BackLowerLeg.R", SN_ROLE_LOWER_LEG, R},
        {"BackShoulder.L", SN_ROLE_NONE, L},
        {"J_Sec_Hair1_01", SN_ROLE_NONE, N},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        sniName name = sni_name_parse(cases[i].name);
        if (name.role != cases[i].role) fail_msg("\"%s\" is taken for role %u", cases[i].name, name.role);
        if (cases[i].role != SN_ROLE_NONE && name.side != cases[i].side)
            fail_msg("\"%s\" is taken for side %d", cases[i].name, (int)name.side);
    }
    assert_true(sni_name_parse("upperarm_twist_01_l").twist);
    assert_false(sni_name_parse("upperarm_l").twist);
}

static void long_names_are_cut_not_overrun(void** state) {
    (void)state;
    char name[4096];
    uint32_t random = 7;
    for (int round = 0; round < 2000; round++) {
        uint32_t length = test_random(&random) % (sizeof name - 1);
        for (uint32_t i = 0; i < length; i++) name[i] = (char)(1 + test_random(&random) % 255);
        name[length] = '\0';
        sniName parsed = sni_name_parse(name);
        assert_true(parsed.role <= SNI_ROLE_ANY_ARM);
    }
}

// A skeleton given as lines of name, parent and position.
static void expect(const snSkeleton* s, const snLabel* labels, const char* name, snRole role, snSide side,
                   uint32_t index) {
    uint32_t j = sn_skeleton_find(s, name);
    assert_true(j != SN_NONE);
    if (labels[j].role != role || labels[j].side != side || labels[j].index != index) {
        fail_msg("%s is %s %s %u", name, sn_side_name(labels[j].side), sn_role_name(labels[j].role),
                 labels[j].index);
    }
}

// Names that lie, as real files have them: meshes called like bones, a loose foot, "Leg" beside "LowerLeg".
static void the_tree_overrules_names(void** state) {
    (void)state;
    static const PeopleLine lines[] = {
        {"RootNode", SN_NONE, {0, 0, 0}},
        {"Hand.L", 0, {0, 0, 0}},
        {"Body", 0, {0, 0.9f, 0}},
        {"Hips", 2, {0, 1, 0}},
        {"Chest", 3, {0, 1.3f, 0}},
        {"Head", 4, {0, 1.6f, 0}},
        {"Head", 5, {0, 1.7f, 0}},
        {"UpperArm.L", 4, {0.2f, 1.4f, 0}},
        {"LowerArm.L", 7, {0.5f, 1.4f, 0}},
        {"Palm1.L", 8, {0.7f, 1.4f, 0}},
        {"Palm2.L", 8, {0.7f, 1.4f, 0}},
        {"UpperLeg.L", 2, {0.1f, 0.9f, 0}},
        {"Leg.L", 11, {0.1f, 0.7f, 0}},
        {"LowerLeg.L", 11, {0.1f, 0.5f, 0}},
        {"LowerLeg.L_end", 13, {0.1f, 0.1f, 0}},
        {"Foot.L", 0, {0.1f, 0.1f, 0}},
        {"UpperLeg.R", 2, {-0.1f, 0.9f, 0}},
        {"LowerLeg.R", 16, {-0.1f, 0.5f, 0}},
        {"Foot.R", 17, {-0.1f, 0.1f, 0}},
    };
    snSkeleton* s = people_lines(lines, sizeof lines / sizeof lines[0]);
    snLabel labels[PEOPLE_MOST];
    assert_ok(sn_skeleton_label(s, NULL, labels));
    expect(s, labels, "Hand.L", SN_ROLE_NONE, N, 0);
    expect(s, labels, "Palm1.L", SN_ROLE_HAND, L, 0);
    expect(s, labels, "Palm2.L", SN_ROLE_HAND, L, 0);
    expect(s, labels, "Leg.L", SN_ROLE_NONE, N, 0);
    expect(s, labels, "LowerLeg.L", SN_ROLE_LOWER_LEG, L, 0);
    expect(s, labels, "Foot.L", SN_ROLE_FOOT, L, 0);
    expect(s, labels, "Body", SN_ROLE_ROOT, N, 1);
    expect(s, labels, "Head", SN_ROLE_HEAD, N, 0);
    assert_int_equal(labels[6].role, SN_ROLE_NONE);
    sn_skeleton_destroy(s);
}

// Blender's metarig calls all of the trunk spine, up to the head.
static void a_spine_above_the_arms_is_neck_and_head(void** state) {
    (void)state;
    static const PeopleLine lines[] = {
        {"spine", SN_NONE, {0, 1, 0}},        {"spine.001", 0, {0, 1.2f, 0}},
        {"spine.003", 1, {0, 1.3f, 0}},       {"spine.004", 2, {0, 1.45f, 0}},
        {"spine.005", 3, {0, 1.5f, 0}},       {"spine.006", 4, {0, 1.6f, 0}},
        {"shoulder.L", 2, {0.05f, 1.4f, 0}},  {"upper_arm.L", 6, {0.2f, 1.4f, 0}},
        {"forearm.L", 7, {0.5f, 1.4f, 0}},    {"shoulder.R", 2, {-0.05f, 1.4f, 0}},
        {"upper_arm.R", 9, {-0.2f, 1.4f, 0}}, {"forearm.R", 10, {-0.5f, 1.4f, 0}},
        {"thigh.L", 0, {0.1f, 1, 0}},         {"shin.L", 12, {0.1f, 0.5f, 0}},
        {"thigh.R", 0, {-0.1f, 1, 0}},        {"shin.R", 14, {-0.1f, 0.5f, 0}},
    };
    snSkeleton* s = people_lines(lines, sizeof lines / sizeof lines[0]);
    snLabel labels[PEOPLE_MOST];
    assert_ok(sn_skeleton_label(s, NULL, labels));
    expect(s, labels, "spine", SN_ROLE_HIPS, N, 0);
    expect(s, labels, "spine.003", SN_ROLE_SPINE, N, 1);
    expect(s, labels, "spine.004", SN_ROLE_NECK, N, 0);
    expect(s, labels, "spine.005", SN_ROLE_NECK, N, 1);
    expect(s, labels, "spine.006", SN_ROLE_HEAD, N, 0);
    sn_skeleton_destroy(s);
}

// Limbs by number, hips without a name, a neck that ends in the head; twist bones on and beside the line.
// Hips and spine side by side below a root, as some motion files have them.
static void a_spine_beside_the_hips_is_a_spine(void** state) {
    (void)state;
    snModel* model = people_body();
    snSkeleton* s = model->skeleton;
    uint32_t hips = sn_skeleton_find(s, "Hips"), spine = sn_skeleton_find(s, "Spine");
    assert_true(s->parents[spine] == hips);
    // The hips become the root of both, and a joint of the legs' own takes their name.
    uint32_t count = s->joint_count + 1;
    const char* names[PEOPLE_MOST + 1];
    uint32_t parents[PEOPLE_MOST + 1];
    snTrs rest[PEOPLE_MOST + 1];
    for (uint32_t j = 0; j < s->joint_count; j++) {
        names[j] = j == hips ? "Center" : s->names[j];
        parents[j] = s->parents[j] == hips && j != spine ? s->joint_count : s->parents[j];
        rest[j] = s->rest[j];
    }
    names[count - 1] = "Hips";
    parents[count - 1] = hips;
    rest[count - 1] = sn_trs_identity();
    snSkeletonDef def = {count, names, parents, rest};
    snSkeleton* beside = NULL;
    snJointMap* map = NULL;
    assert_ok(sn_skeleton_create(&def, NULL, &beside, NULL));
    snLabel labels[PEOPLE_MOST + 1];
    assert_ok(sn_skeleton_label(beside, NULL, labels));
    assert_int_equal(labels[count - 1].role, SN_ROLE_HIPS);
    assert_int_equal(labels[spine].role, SN_ROLE_SPINE);
    assert_int_equal(labels[sn_skeleton_find(s, "LeftUpperArm")].role, SN_ROLE_UPPER_ARM);
    assert_ok(sn_joint_map_create(beside, s, NULL, &map, NULL));
    assert_true(map->confidence > 0.9f);
    sn_joint_map_destroy(map);
    sn_skeleton_destroy(beside);
    sn_model_destroy(model);
}

static void numbers_and_twists_find_their_place(void** state) {
    (void)state;
    static const PeopleLine lines[] = {
        {"torso_joint_1", SN_NONE, {0, 1, 0}},
        {"torso_joint_2", 0, {0, 1.2f, 0}},
        {"neck_joint_1", 1, {0, 1.5f, 0}},
        {"neck_joint_2", 2, {0, 1.6f, 0}},
        {"leg_joint_L_1", 0, {0.1f, 1, 0}},
        {"leg_joint_L_2", 4, {0.1f, 0.5f, 0}},
        {"leg_joint_L_3", 5, {0.1f, 0.1f, 0}},
        {"leg_joint_L_5", 6, {0.1f, 0, 0.1f}},
        {"leg_joint_R_1", 0, {-0.1f, 1, 0}},
        {"leg_joint_R_2", 8, {-0.1f, 0.5f, 0}},
        {"leg_joint_R_3", 9, {-0.1f, 0.1f, 0}},
        {"LeftCollar", 1, {0.05f, 1.4f, 0}},
        {"LeftShoulder", 11, {0.2f, 1.4f, 0}},
        {"LeftElbow", 12, {0.5f, 1.4f, 0}},
        {"LeftWrist", 13, {0.7f, 1.4f, 0}},
        {"DEF-upper_arm.R", 1, {-0.2f, 1.4f, 0}},
        {"DEF-upper_arm.R.001", 15, {-0.35f, 1.4f, 0}},
        {"DEF-forearm.R", 16, {-0.5f, 1.4f, 0}},
        {"lowerarm_twist_01_r", 17, {-0.6f, 1.4f, 0}},
    };
    snSkeleton* s = people_lines(lines, sizeof lines / sizeof lines[0]);
    snLabel labels[PEOPLE_MOST];
    assert_ok(sn_skeleton_label(s, NULL, labels));
    expect(s, labels, "torso_joint_1", SN_ROLE_HIPS, N, 0);
    expect(s, labels, "torso_joint_2", SN_ROLE_SPINE, N, 0);
    expect(s, labels, "neck_joint_1", SN_ROLE_NECK, N, 0);
    expect(s, labels, "neck_joint_2", SN_ROLE_HEAD, N, 0);
    expect(s, labels, "leg_joint_L_1", SN_ROLE_UPPER_LEG, L, 0);
    expect(s, labels, "leg_joint_L_2", SN_ROLE_LOWER_LEG, L, 0);
    expect(s, labels, "leg_joint_L_3", SN_ROLE_FOOT, L, 0);
    expect(s, labels, "leg_joint_L_5", SN_ROLE_TOES, L, 0);
    expect(s, labels, "LeftCollar", SN_ROLE_SHOULDER, L, 0);
    expect(s, labels, "LeftShoulder", SN_ROLE_UPPER_ARM, L, 0);
    expect(s, labels, "LeftElbow", SN_ROLE_LOWER_ARM, L, 0);
    expect(s, labels, "LeftWrist", SN_ROLE_HAND, L, 0);
    expect(s, labels, "DEF-upper_arm.R.001", SN_ROLE_UPPER_ARM, R, 1);
    expect(s, labels, "lowerarm_twist_01_r", SN_ROLE_LOWER_ARM, R, 1);
    assert_true(labels[sn_skeleton_find(s, "lowerarm_twist_01_r")].twist);
    assert_false(labels[16].twist);
    sn_skeleton_destroy(s);
}

// The built-in body without names, standing in any direction: the same limbs on the same sides.
static void structure_alone_finds_the_body(void** state) {
    (void)state;
    snModel* model = people_body();
    const snSkeleton* body = model->skeleton;
    snLabel known[PEOPLE_MOST];
    assert_ok(sn_skeleton_label(body, NULL, known));
    snQuat stands[] = {sn_quat_identity(), sn_quat_axis_angle(sn_vec3(0, 1, 0), 2.0f),
                       sn_quat_axis_angle(sn_vec3(1, 0, 0), SN_PI / 2)};
    for (int i = 0; i < 3; i++) {
        snVec3 points[PEOPLE_MOST];
        snQuat rotations[PEOPLE_MOST];
        people_rest(body, points, rotations);
        people_turn(body, points, rotations, 0, stands[i]);
        snSkeleton* nameless = people_pose(body, points, rotations, false);
        snLabel found[PEOPLE_MOST];
        assert_ok(sn_skeleton_label(nameless, NULL, found));
        for (uint32_t j = 0; j < body->joint_count; j++) {
            snRole role = known[j].role;
            if (role >= SN_ROLE_THUMB && role <= SN_ROLE_LITTLE) continue; // structure leaves fingers alone
            if (found[j].role != role || found[j].side != known[j].side)
                fail_msg("stand %d: %s is %s %s", i, body->names[j], sn_side_name(found[j].side),
                         sn_role_name(found[j].role));
            assert_true(found[j].confidence <= 0.6f);
        }
        sn_skeleton_destroy(nameless);
    }
    sn_model_destroy(model);
}

static void odd_skeletons_are_no_people(void** state) {
    (void)state;
    static const PeopleLine line[] = {{"Cube", SN_NONE, {0, 0, 0}}};
    snSkeleton* s = people_lines(line, 1);
    snLabel labels[PEOPLE_MOST];
    assert_ok(sn_skeleton_label(s, NULL, labels));
    assert_int_equal(labels[0].role, SN_ROLE_NONE);
    assert_int_equal(sn_skeleton_label(NULL, NULL, labels), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_skeleton_label(s, NULL, NULL), SN_RESULT_INVALID_ARGUMENT);
    sn_skeleton_destroy(s);
    snSkeletonDef none = {0, NULL, NULL, NULL};
    assert_ok(sn_skeleton_create(&none, NULL, &s, NULL));
    assert_ok(sn_skeleton_label(s, NULL, labels));
    sn_skeleton_destroy(s);
    assert_string_equal(sn_role_name(SN_ROLE_LOWER_ARM), "lower arm");
    assert_string_equal(sn_role_name((snRole)99), "none");
    assert_string_equal(sn_side_name(SN_SIDE_RIGHT), "right");
}

static void too_many_joints_are_refused(void** state) {
    (void)state;
    uint32_t count = SN_LABEL_JOINTS + 1;
    uint32_t* parents = malloc(count * sizeof *parents);
    snTrs* rest = malloc(count * sizeof *rest);
    snLabel* labels = malloc(count * sizeof *labels);
    for (uint32_t j = 0; j < count; j++) {
        parents[j] = j > 0 ? j - 1 : SN_NONE;
        rest[j] = sn_trs_identity();
    }
    snSkeletonDef def = {count, NULL, parents, rest};
    snSkeleton* s = NULL;
    assert_ok(sn_skeleton_create(&def, NULL, &s, NULL));
    assert_int_equal(sn_skeleton_label(s, NULL, labels), SN_RESULT_LIMIT);
    snJointMap* map = NULL;
    snError error = sn_error_none();
    assert_int_equal(sn_joint_map_create(s, s, NULL, &map, &error), SN_RESULT_LIMIT);
    assert_null(map);
    sn_skeleton_destroy(s);
    free(parents);
    free(rest);
    free(labels);
}

static snResult build(const snAllocator* allocator, void* context) {
    snLabel labels[PEOPLE_MOST];
    return sn_skeleton_label(context, allocator, labels);
}

static void survives_every_failing_allocation(void** state) {
    (void)state;
    snModel* model = people_body();
    test_every_allocation(build, model->skeleton);
    sn_model_destroy(model);
}

// Kept labels are those that would be made, and stay until they are kept anew.
static void labels_are_kept(void** state) {
    (void)state;
    snBodyDef def = sn_body_def();
    def.vertex_target = 1000;
    snModel* model = NULL;
    assert_ok(sn_builtin_body(&def, NULL, &model, NULL));
    snSkeleton* s = model->skeleton;
    snLabel made[64], kept[64];
    assert_true(s->joint_count <= 64);
    assert_ok(sn_skeleton_label(s, NULL, made));
    assert_null(s->labels);
    assert_ok(sn_skeleton_keep_labels(s, NULL));
    assert_non_null(s->labels);
    assert_ok(sn_skeleton_label(s, NULL, kept));
    for (uint32_t j = 0; j < s->joint_count; j++) {
        assert_int_equal(made[j].role, kept[j].role);
        assert_int_equal(made[j].side, kept[j].side);
        assert_int_equal(made[j].index, kept[j].index);
    }
    s->labels[0].role = SN_ROLE_TAIL; // whoever asks gets what is kept
    assert_ok(sn_skeleton_label(s, NULL, kept));
    assert_int_equal(kept[0].role, SN_ROLE_TAIL);
    assert_ok(sn_skeleton_keep_labels(s, NULL));
    assert_int_equal(s->labels[0].role, made[0].role);
    snError error = sn_error_none();
    assert_int_equal(sn_skeleton_keep_labels(NULL, &error), SN_RESULT_INVALID_ARGUMENT);
    sn_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(labels_are_kept),
        cmocka_unit_test(names_of_every_convention),
        cmocka_unit_test(long_names_are_cut_not_overrun),
        cmocka_unit_test(the_tree_overrules_names),
        cmocka_unit_test(a_spine_beside_the_hips_is_a_spine),
        cmocka_unit_test(a_spine_above_the_arms_is_neck_and_head),
        cmocka_unit_test(numbers_and_twists_find_their_place),
        cmocka_unit_test(structure_alone_finds_the_body),
        cmocka_unit_test(odd_skeletons_are_no_people),
        cmocka_unit_test(too_many_joints_are_refused),
        cmocka_unit_test(survives_every_failing_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
