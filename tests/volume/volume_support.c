#include "volume_support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void* room(size_t bytes) {
    void* memory = aligned_alloc(64, (bytes + 63) / 64 * 64 + 64);
    assert_non_null(memory);
    memset(memory, 0xff, bytes);
    return memory;
}

VolumeScene scene_of(snModel* model) {
    VolumeScene s = {.model = model, .mesh = model->parts[0].mesh};
    const snPart* part = &model->parts[0];
    const snSkin* skin = &model->skins[part->skin];
    const snSkeleton* skeleton = model->skeleton;
    s.joint_count = skeleton->joint_count;
    assert_true(s.joint_count <= MOST_JOINTS);
    s.influences = part->weights.influences;
    size_t count = (size_t)s.mesh->vertex_count * s.influences;
    s.joints = room(count * sizeof *s.joints);
    for (size_t i = 0; i < count; i++) s.joints[i] = (uint16_t)skin->joints[part->weights.joints[i]];
    snMat4 world[MOST_JOINTS];
    sn_skeleton_world(skeleton, NULL, world);
    for (uint32_t j = 0; j < s.joint_count; j++) {
        s.rig[j] = (snVolumeJoint){skeleton->parents[j], sn_mat4_translation(&world[j]), NULL, 1.0f};
        s.order[j] = skeleton->order[j];
    }
    s.def = sn_exact_volume_def();
    s.positions = room(s.mesh->vertex_count * sizeof(snVec3));
    s.plain = room(s.mesh->vertex_count * sizeof(snVec3));
    s.normals = room(s.mesh->vertex_count * sizeof(snVec3));
    s.rest_normals = room(s.mesh->vertex_count * sizeof(snVec3));
    snNormalsJob normals = {.mesh = s.mesh, .weld = part->weld, .out_normals = s.rest_normals};
    assert_ok(sn_normals_run(&normals));
    scene_rest(&s);
    return s;
}

VolumeScene scene_tube(uint32_t segments, uint32_t sides, uint32_t rings, bool quads) {
    snTubeDef def = sn_tube_def();
    def.segments = segments;
    def.sides = sides;
    def.rings = rings;
    def.quads = quads;
    snModel* model = NULL;
    assert_ok(sn_builtin_tube(&def, NULL, &model, NULL));
    return scene_of(model);
}

void scene_build(VolumeScene* s) {
    sn_exact_volume_destroy(s->volume);
    free(s->scratch);
    s->volume = NULL;
    s->part = (snVolumePart){s->mesh, s->mesh->positions, s->influences, s->joints,
                             s->model->parts[0].weights.weights};
    s->def.part_count = 1;
    s->def.parts = &s->part;
    s->def.joint_count = s->joint_count;
    s->def.joints = s->rig;
    s->def.order = s->order;
    snError error = {0};
    if (sn_exact_volume_create(&s->def, NULL, &s->volume, &error) != SN_RESULT_OK) fail_msg("%s", error.text);
    s->scratch = room(sn_exact_volume_scratch_size(s->volume));
}

void scene_destroy(VolumeScene* s) {
    sn_exact_volume_destroy(s->volume);
    sn_model_destroy(s->model);
    free(s->scratch);
    free(s->joints);
    free(s->positions);
    free(s->plain);
    free(s->normals);
    free(s->rest_normals);
}

void scene_rest(VolumeScene* s) {
    for (uint32_t j = 0; j < s->joint_count; j++) s->matrices[j] = sn_mat4_identity();
}

static bool is_below(const VolumeScene* s, uint32_t joint, uint32_t above) {
    while (joint != SN_NONE && joint != above) joint = s->rig[joint].parent;
    return joint == above;
}

void scene_turn(VolumeScene* s, uint32_t joint, snVec3 axis, float radians) {
    snVec3 place = sn_mat4_point(&s->matrices[joint], s->rig[joint].place);
    snQuat turn = sn_quat_axis_angle(axis, radians);
    snTrs trs = {sn_sub(place, sn_quat_rotate(turn, place)), turn, sn_vec3(1, 1, 1)};
    snMat4 m = sn_mat4_from_trs(&trs);
    for (uint32_t j = 0; j < s->joint_count; j++) {
        if (is_below(s, j, joint)) s->matrices[j] = sn_mat4_mul(&m, &s->matrices[j]);
    }
}

void scene_skin(VolumeScene* s) {
    void* scratch = room(sn_skin_dual_scratch_size(s->joint_count));
    snSkinJob job = {.point_count = s->mesh->vertex_count,
                     .points = s->mesh->positions,
                     .normals = s->rest_normals,
                     .influences = s->influences,
                     .joints = s->joints,
                     .weights = s->model->parts[0].weights.weights,
                     .matrix_count = s->joint_count,
                     .matrices = s->matrices,
                     .out_points = s->plain,
                     .out_normals = s->normals,
                     .scratch = scratch};
    assert_ok(s->def.dual ? sn_skin_dual_run(&job) : sn_skin_linear_run(&job));
    memcpy(s->positions, s->plain, s->mesh->vertex_count * sizeof(snVec3));
    free(scratch);
}

snExactVolumeJob scene_job(VolumeScene* s) {
    return (snExactVolumeJob){.volume = s->volume, .matrices = s->matrices, .scratch = s->scratch};
}

void scene_run(VolumeScene* s, const snExactVolumeJob* job) {
    scene_skin(s);
    snExactVolumeJob filled = *job;
    filled.positions = &s->positions;
    filled.normals = &s->normals;
    assert_ok(sn_exact_volume_run(&filled));
}

double scene_volume(const VolumeScene* s, const snVec3* positions) {
    return sn_mesh_volume(s->mesh, positions);
}

double scene_error(const VolumeScene* s) {
    double rest = scene_volume(s, NULL);
    return fabs(scene_volume(s, s->positions) - rest) / fabs(rest);
}

float scene_distance(const VolumeScene* s, const snVec3* a, const snVec3* b) {
    float most = 0.0f;
    for (uint32_t i = 0; i < s->mesh->vertex_count; i++) most = sn_maxf(most, sn_distance(a[i], b[i]));
    return most;
}
