// Where the guess has its joints, against where artists put theirs: each of their main joints and the nearest
// center of a handle, as a share of the height.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "segment/segment.h"
#include "shapes.h"
#include "sinew/io.h"

typedef struct Known {
    const char* mesh;     // NULL: the built-in body
    const char* skeleton; // NULL: in the same file
    float unit;           // of the mesh in units of the skeleton
    float mean, worst;    // how far the joints may be off, in hundredths of the height
    const char* joints[16];
} Known;

#define BOTH(name) name ".L", name ".R"
static const Known known[] = {
    {.unit = 1.0f,
     .mean = 1.3f,
     .worst = 2.2f,
     .joints = {"LeftUpperArm", "LeftLowerArm", "LeftHand", "LeftUpperLeg", "LeftLowerLeg", "LeftFoot",
                "RightUpperArm", "RightLowerArm", "RightHand", "RightUpperLeg", "RightLowerLeg", "RightFoot",
                "Head"}},
    {"characters/mh_base.obj",
     "characters/mh_default.mhskel",
     10.0f,
     2.3f,
     6.6f,
     {BOTH("upperarm01"), BOTH("lowerarm01"), BOTH("wrist"), BOTH("upperleg01"), BOTH("lowerleg01"),
      BOTH("foot"), "head"}},
    {"characters/quat_modular_men_Casual.glb",
     NULL,
     1.0f,
     3.3f,
     6.6f,
     {BOTH("UpperArm"), BOTH("LowerArm"), BOTH("Hand"), BOTH("UpperLeg"), BOTH("LowerLeg"), BOTH("Foot"),
      "Head"}},
    {"characters/quat_modular_women_Witch.glb",
     NULL,
     1.0f,
     4.1f,
     6.3f,
     {BOTH("UpperArm"), BOTH("LowerArm"), BOTH("Hand"), BOTH("UpperLeg"), BOTH("LowerLeg"), BOTH("Foot"),
      "Head"}},
    {"characters/RiggedFigure.glb",
     NULL,
     1.0f,
     3.0f,
     5.6f,
     {"arm_joint_L_1", "arm_joint_L_2", "arm_joint_L_3", "leg_joint_L_1", "leg_joint_L_2", "leg_joint_L_3",
      "arm_joint_R_1", "arm_joint_R_2", "arm_joint_R_3", "leg_joint_R_1", "leg_joint_R_2", "leg_joint_R_3",
      "neck_joint_1"}},
    {"characters/kaykit_Knight.glb",
     NULL,
     1.0f,
     6.5f,
     10.0f,
     {"upperarm.l", "lowerarm.l", "wrist.l", "upperleg.l", "lowerleg.l", "foot.l", "upperarm.r", "lowerarm.r",
      "wrist.r", "upperleg.r", "lowerleg.r", "foot.r", "head"}},
    {"characters/RobotExpressive.glb",
     NULL,
     1.0f,
     4.6f,
     8.5f,
     {BOTH("UpperArm"), BOTH("LowerArm"), BOTH("Palm2"), BOTH("UpperLeg"), BOTH("LowerLeg"), "Neck"}},
    {"characters/quat_animals_pack_Horse.glb",
     NULL,
     1.0f,
     4.8f,
     13.5f,
     {BOTH("FrontUpperLeg"), BOTH("FrontLowerLeg"), BOTH("IKFrontLeg"), BOTH("BackUpperLeg"),
      BOTH("BackLowerLeg"), BOTH("IKBackLeg"), "Neck1", "Tail2"}},
    {"characters/Fox.glb",
     NULL,
     1.0f,
     7.1f,
     14.0f,
     {"b_LeftUpperArm_09", "b_LeftForeArm_010", "b_LeftHand_011", "b_LeftLeg01_015", "b_LeftLeg02_016",
      "b_LeftFoot01_017", "b_RightUpperArm_06", "b_RightForeArm_07", "b_RightHand_08", "b_RightLeg01_019",
      "b_RightLeg02_020", "b_RightFoot01_021", "b_Neck_04", "b_Tail01_012"}},
    {"characters/quat_dinosaurs_pack_Trex.glb",
     NULL,
     1.0f,
     12.5f,
     28.5f,
     {BOTH("FrontUpLeg"), BOTH("FrontLowLeg"), BOTH("BackUpLeg"), BOTH("BackLowLeg"), BOTH("BackFoot"),
      "Neck", "Tail2"}},
};

static snModel* read_model(const char* name) {
    snModel* model = NULL;
    snError error = sn_error_none();
    if (name == NULL) {
        snBodyDef def = sn_body_def();
        assert_ok(sn_builtin_body(&def, NULL, &model, &error));
        return model;
    }
    const char* path = test_data_path(name);
    if (sn_model_read(path, NULL, &model, &error) != SN_RESULT_OK) fail_msg("%s: %s", path, error.text);
    return model;
}

static float nearest_center(const snHandles* handles, snVec3 at) {
    float least = INFINITY;
    for (uint32_t h = 0; h < handles->handle_count; h++)
        least = sn_minf(least, sn_distance(handles->handles[h].center, at));
    return least;
}

static void compare(const Known* body, const snSkeleton* skeleton, const snMesh* mesh,
                    const snHandles* handles) {
    snBounds bounds = sn_bounds_of(mesh->positions, mesh->vertex_count);
    snMat4* world = calloc(skeleton->joint_count, sizeof *world);
    sn_skeleton_world(skeleton, NULL, world);
    float sum = 0.0f, worst = 0.0f, count = 0.0f;
    const char* farthest = "";
    for (int i = 0; i < 16 && body->joints[i] != NULL; i++) {
        uint32_t j = sn_skeleton_find(skeleton, body->joints[i]);
        if (j == SN_NONE) fail_msg("%s has no joint %s", body->mesh, body->joints[i]);
        snVec3 at = sn_scale(sn_mat4_translation(&world[j]), body->unit);
        float off = 100.0f * nearest_center(handles, at) / (bounds.max.y - bounds.min.y);
        if (off > worst) farthest = body->joints[i];
        worst = sn_maxf(worst, off);
        sum += off;
        count += 1.0f;
    }
    free(world);
    print_message("%-42s mean %5.2f %%, worst %5.2f %% (%s), %u handles\n",
                  body->mesh != NULL ? body->mesh : "built-in body", (double)(sum / count), (double)worst,
                  farthest, handles->handle_count);
    assert_true(sum / count <= body->mean);
    assert_true(worst <= body->worst);
}

static void joints_are_near_those_of_artists(void** state) {
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        snModel* model = read_model(known[i].mesh);
        snSkeleton* other = NULL;
        snError error = sn_error_none();
        if (known[i].skeleton != NULL) {
            snModel* rigged = read_model(known[i].skeleton);
            other = rigged->skeleton;
            rigged->skeleton = NULL;
            sn_model_destroy(rigged);
        }
        snMesh* mesh = NULL;
        assert_ok(sn_model_merge_mesh(model, NULL, &mesh, NULL));
        snSegmentationDef def = sn_segmentation_def();
        def.mesh = mesh;
        snHandles* handles = NULL;
        if (sn_segmentation_create(&def, NULL, &handles, NULL, &error) != SN_RESULT_OK)
            fail_msg("%s", error.text);
        compare(&known[i], other != NULL ? other : model->skeleton, mesh, handles);
        sn_handles_destroy(handles);
        sn_mesh_destroy(mesh);
        sn_skeleton_destroy(other);
        sn_model_destroy(model);
    }
}

// An arc that became part of the trunk leaves its twin without one: nothing may be mirrored into the root.
static void what_is_gone_is_no_twin(void** state) {
    (void)state;
    sniArc arcs[4] = {{.parent = SN_NONE, .twin = SN_NONE},
                      {.parent = 0, .twin = 2, .first_handle = 1},
                      {.parent = 0, .twin = 1, .gone = true},
                      {.parent = 0, .twin = 3, .first_handle = 2}};
    sniBorder borders[3] = {{.arc = 0}, {.arc = 1}, {.arc = 3}};
    sniSegments s = {.arc_count = 4, .arcs = arcs, .root = 0, .borders = borders};
    sni_segment_settle(&s);
    assert_int_equal(sni_segment_twin(&s, 0), 0);
    assert_int_equal(sni_segment_twin(&s, 1), SN_NONE);
    assert_int_equal(sni_segment_twin(&s, 2), 2);
    assert_int_equal(arcs[0].child_count, 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(joints_are_near_those_of_artists),
                                       cmocka_unit_test(what_is_gone_is_no_twin)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
