// Where a model stood when it was bound, whatever its skins and its rest pose say.
#include <string.h>

#include "rig/bind_pose.h"
#include "support.h"

// root at the origin, bone 1 m above it, and a control hidden by a scale of zero.
enum { ROOT, BONE, HIDDEN, JOINTS };

typedef struct Rig {
    snTrs rest[JOINTS];
    uint32_t parents[JOINTS];
    snMat4 inverses[2][JOINTS];
    uint32_t joints[2][JOINTS];
    snSkinDef skins[2];
    snSkeletonDef skeleton;
    snModelDef model;
} Rig;

static snMat4 moved(float x, float y, float z) {
    snTrs trs = sn_trs_identity();
    trs.translation = sn_vec3(x, y, z);
    return sn_mat4_from_trs(&trs);
}

// The first skin lists the hidden control before the joints that move it.
static void make_rig(Rig* rig) {
    static const char* const names[JOINTS] = {"root", "bone", "hidden"};
    *rig = (Rig){.parents = {SN_NONE, ROOT, ROOT}};
    for (int j = 0; j < JOINTS; j++) rig->rest[j] = sn_trs_identity();
    rig->rest[BONE].translation = sn_vec3(0, 1, 0);
    rig->rest[HIDDEN].scale = sn_vec3(0, 0, 0);
    rig->joints[0][0] = HIDDEN;
    rig->joints[0][1] = ROOT;
    rig->joints[0][2] = BONE;
    rig->inverses[0][0] = moved(0, 0, 0);
    rig->inverses[0][1] = moved(0, 0, 0);
    rig->inverses[0][2] = moved(0, -1, 0);
    rig->skins[0] = (snSkinDef){"skin", 3, rig->joints[0], rig->inverses[0]};
    rig->skeleton = (snSkeletonDef){JOINTS, names, rig->parents, rig->rest};
    rig->model = (snModelDef){.skeleton = &rig->skeleton, .skin_count = 1, .skins = rig->skins};
}

static sniBindPose pose_of(const Rig* rig) {
    snModel* model = NULL;
    sniBindPose pose = {0};
    assert_ok(sn_model_create(&rig->model, NULL, &model, NULL));
    assert_ok(sni_bind_pose_create(model, NULL, &pose, NULL));
    sn_model_destroy(model);
    return pose;
}

static void expect_place(const snMat4* matrix, snVec3 place) {
    assert_vec3_near(sn_mat4_translation(matrix), place, 1e-6f);
    snMat4 inverse;
    assert_true(sn_mat4_inverse_affine(matrix, &inverse));
}

static void a_hidden_joint_that_comes_first_says_nothing(void** state) {
    (void)state;
    Rig rig;
    make_rig(&rig);
    sniBindPose pose = pose_of(&rig);
    expect_place(&pose.spaces[0], sn_vec3(0, 0, 0));
    expect_place(&pose.worlds[ROOT], sn_vec3(0, 0, 0));
    expect_place(&pose.worlds[BONE], sn_vec3(0, 1, 0));
    sni_bind_pose_free(&pose);
}

// All joints are flattened at rest: the mesh stands where its own space is.
static void a_hidden_character_stands_in_its_mesh_space(void** state) {
    (void)state;
    Rig rig;
    make_rig(&rig);
    rig.rest[ROOT].scale = sn_vec3(0, 0, 0);
    sniBindPose pose = pose_of(&rig);
    expect_place(&pose.spaces[0], sn_vec3(0, 0, 0));
    expect_place(&pose.worlds[BONE], sn_vec3(0, 1, 0));
    sni_bind_pose_free(&pose);
}

// A second skin, bound 5 m aside, shares the bone: it is put where the first one has it.
static void skins_meet_at_joints_they_share(void** state) {
    (void)state;
    Rig rig;
    make_rig(&rig);
    rig.joints[1][0] = BONE;
    rig.inverses[1][0] = moved(-5, -1, 0);
    rig.skins[1] = (snSkinDef){"aside", 1, rig.joints[1], rig.inverses[1]};
    rig.model.skin_count = 2;
    sniBindPose pose = pose_of(&rig);
    expect_place(&pose.spaces[0], sn_vec3(0, 0, 0));
    expect_place(&pose.spaces[1], sn_vec3(-5, 0, 0));
    sni_bind_pose_free(&pose);
}

// The rest pose is not the bind pose: what no skin names hangs on what one does.
static void others_hang_on_bound_joints(void** state) {
    (void)state;
    Rig rig;
    make_rig(&rig);
    rig.rest[BONE].rotation = sn_quat(0, 0, 0.70710678f, 0.70710678f); // bent at rest, straight when bound
    rig.parents[HIDDEN] = BONE;
    rig.rest[HIDDEN] = sn_trs_identity();
    rig.rest[HIDDEN].translation = sn_vec3(0, 1, 0);
    rig.joints[0][0] = ROOT;
    rig.joints[0][1] = BONE;
    rig.inverses[0][0] = moved(0, 0, 0);
    rig.inverses[0][1] = moved(0, -1, 0);
    rig.skins[0].joint_count = 2;
    sniBindPose pose = pose_of(&rig);
    expect_place(&pose.worlds[HIDDEN], sn_vec3(0, 2, 0));
    snMat4 inverses[JOINTS];
    sni_bind_pose_inverses(&pose, JOINTS, inverses);
    assert_vec3_near(sn_mat4_point(&inverses[HIDDEN], sn_vec3(0, 2, 0)), sn_vec3(0, 0, 0), 1e-6f);
    sni_bind_pose_free(&pose);
}

// Without skins the rest pose is the bind pose, bit for bit.
static void without_skins_it_is_the_rest_pose(void** state) {
    (void)state;
    Rig rig;
    make_rig(&rig);
    rig.model.skin_count = 0;
    snModel* model = NULL;
    sniBindPose pose = {0};
    snMat4 world[JOINTS];
    assert_ok(sn_model_create(&rig.model, NULL, &model, NULL));
    assert_ok(sni_bind_pose_create(model, NULL, &pose, NULL));
    sn_skeleton_world(model->skeleton, NULL, world);
    assert_memory_equal(pose.worlds, world, sizeof world);
    sni_bind_pose_free(&pose);
    sn_model_destroy(model);
}

static snResult create_once(const snAllocator* allocator, void* context) {
    sniBindPose pose = {0};
    snResult result = sni_bind_pose_create(context, allocator, &pose, NULL);
    sni_bind_pose_free(&pose);
    return result;
}

static void running_out_of_memory_leaves_nothing(void** state) {
    (void)state;
    Rig rig;
    make_rig(&rig);
    snModel* model = NULL;
    assert_ok(sn_model_create(&rig.model, NULL, &model, NULL));
    test_every_allocation(create_once, model);
    sn_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hidden_joint_that_comes_first_says_nothing),
        cmocka_unit_test(a_hidden_character_stands_in_its_mesh_space),
        cmocka_unit_test(skins_meet_at_joints_they_share),
        cmocka_unit_test(others_hang_on_bound_joints),
        cmocka_unit_test(without_skins_it_is_the_rest_pose),
        cmocka_unit_test(running_out_of_memory_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
