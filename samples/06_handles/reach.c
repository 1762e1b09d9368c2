// A hand is dragged, and the body follows in character. Handles are made from the body's skeleton, two poses
// are written down as what was done to the handles, and the search finds the blend of them that brings the
// hand to its target. Then the surface is solved.
#include <sinew/sinew.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST 64

static const snHandle* handle_of(const snHandles* handles, const char* name, uint32_t* out) {
    *out = sn_handles_find(handles, name);
    return &handles->handles[*out];
}

// A handle and all that follows it, turned about its center.
static snHandlePose* make_pose(const snHandles* handles, const char* name, snVec3 axis, float degrees) {
    uint32_t handle = 0, moved[MOST], count = 0;
    uint8_t marks[MOST];
    handle_of(handles, name, &handle);
    sn_handles_followers(handles, handle, marks);
    for (uint32_t h = 0; h < handles->handle_count; h++) {
        if (marks[h]) moved[count++] = h;
    }
    snPoseStep step = {.act = SN_POSE_ROTATE,
                       .frame = handle,
                       .center = handle,
                       .axis = axis,
                       .angle = degrees * SN_PI / 180.0f,
                       .handle_count = count,
                       .handles = moved};
    snHandlePoseDef def = {.name = name, .step_count = 1, .steps = &step};
    snHandlePose* pose = NULL;
    return sn_handle_pose_create(&def, handles, NULL, &pose, NULL) == SN_RESULT_OK ? pose : NULL;
}

// How far the hand is from its target, in metres; below 0 when something went wrong.
static float reach(const snHandles* handles, const snHandlePose* const* poses, snVec3 place, float* weights,
                   snRigid* out_motions) {
    snPoseSpaceDef def = {handles, 2, poses};
    snPoseSpace* space = NULL;
    if (sn_pose_space_create(&def, NULL, &space, NULL) != SN_RESULT_OK) return -1.0f;
    uint32_t hand = 0;
    const snHandle* handle = handle_of(handles, "LeftHand", &hand);
    snPoseTarget target = {.handle = hand, .point = handle->position, .place = place, .strength = 1.0f};
    snPoseSearchJob job = sn_pose_search_job(space);
    job.objective.one = 0.0f; // nothing but the target counts here
    job.target_count = 1;
    job.targets = &target;
    job.weights = weights;
    job.scratch = aligned_alloc(64, (sn_pose_space_scratch_size(space) + 63) / 64 * 64);
    snPoseSearchResult found;
    bool done = job.scratch != NULL && sn_pose_search_run(&job, &found) == SN_RESULT_OK;
    sn_handle_poses_blend(handles, poses, weights, NULL, 2, out_motions);
    free(job.scratch);
    sn_pose_space_destroy(space);
    return done ? sn_distance(sn_rigid_point(out_motions[hand], handle->position), place) : -1.0f;
}

// Poses the surface; returns its volume against that at rest, 0 when it went wrong.
static double solve(snPuppet* puppet, const snRigid* motions) {
    const snMesh* mesh = sn_puppet_mesh(puppet);
    if (sn_puppet_set(puppet, motions) != SN_RESULT_OK || sn_puppet_run(puppet, NULL) != SN_RESULT_OK)
        return 0.0;
    return sn_mesh_volume(mesh, sn_puppet_surface(puppet, 0).positions) / sn_mesh_volume(mesh, NULL);
}

int main(void) {
    snModel* body = NULL;
    snBodyDef body_def = sn_body_def();
    body_def.vertex_target = 6000;
    if (sn_builtin_body(&body_def, NULL, &body, NULL) != SN_RESULT_OK) return 1;
    snPuppetDef def = sn_puppet_def();
    def.model = body;
    def.sparse = sn_sparse_cholmod();
    snPuppet* puppet = NULL;
    if (sn_puppet_create(&def, NULL, &puppet, NULL) != SN_RESULT_OK) return 1;
    const snHandles* handles = sn_puppet_handles(puppet);
    if (handles->handle_count > MOST) return 1;

    snHandlePose* poses[2] = {make_pose(handles, "LeftUpperArm", sn_vec3(0, 0, 1), -80.0f),
                              make_pose(handles, "LeftLowerArm", sn_vec3(0, 1, 0), -120.0f)};
    snRigid motions[MOST];
    float weights[2] = {0};
    // Where the hand is with the arm half lowered and the elbow bent by a quarter.
    const float wanted[2] = {0.5f, 0.25f};
    uint32_t hand = 0;
    const snHandle* handle = handle_of(handles, "LeftHand", &hand);
    sn_handle_poses_blend(handles, (const snHandlePose* const*)poses, wanted, NULL, 2, motions);
    snVec3 place = sn_rigid_point(motions[hand], handle->position);
    float off = reach(handles, (const snHandlePose* const*)poses, place, weights, motions);
    double volume = solve(puppet, motions);
    printf("arm lowered by %.0f %%, elbow bent by %.0f %%: the hand is %.2f mm from its target\n",
           100.0 * (double)weights[0], 100.0 * (double)weights[1], 1e3 * (double)off);
    printf("volume %.2f %% of the rest pose\n", 100.0 * volume);
    for (int i = 0; i < 2; i++) sn_handle_pose_destroy(poses[i]);
    sn_puppet_destroy(puppet);
    sn_model_destroy(body);
    return off >= 0.0f && off < 0.005f && volume > 0.98 && volume < 1.02 ? 0 : 1;
}
