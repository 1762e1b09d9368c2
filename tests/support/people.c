#include "people.h"

#include <string.h>

snModel* people_body(void) {
    snBodyDef def = sn_body_def();
    def.vertex_target = 1000;
    snModel* model = NULL;
    assert_ok(sn_builtin_body(&def, NULL, &model, NULL));
    assert_true(model->skeleton->joint_count <= PEOPLE_MOST);
    return model;
}

void people_rest(const snSkeleton* s, snVec3* points, snQuat* rotations) {
    snMat4 world[PEOPLE_MOST];
    sn_skeleton_world(s, NULL, world);
    for (uint32_t i = 0; i < s->joint_count; i++) {
        uint32_t j = s->order[i];
        points[j] = sn_mat4_translation(&world[j]);
        snQuat local = s->rest[j].rotation;
        rotations[j] = s->parents[j] == SN_NONE ? local : sn_quat_mul(rotations[s->parents[j]], local);
    }
}

snSkeleton* people_pose(const snSkeleton* s, const snVec3* points, const snQuat* rotations, bool named) {
    snTrs rest[PEOPLE_MOST];
    for (uint32_t j = 0; j < s->joint_count; j++) {
        uint32_t parent = s->parents[j];
        snQuat above = parent == SN_NONE ? sn_quat_identity() : rotations[parent];
        snVec3 from = parent == SN_NONE ? sn_vec3(0, 0, 0) : points[parent];
        rest[j] = sn_trs_identity();
        rest[j].rotation = sn_quat_mul(sn_quat_conjugate(above), rotations[j]);
        rest[j].translation = sn_quat_rotate(sn_quat_conjugate(above), sn_sub(points[j], from));
    }
    snSkeletonDef def = {s->joint_count, named ? (const char* const*)s->names : NULL, s->parents, rest};
    snSkeleton* out = NULL;
    assert_ok(sn_skeleton_create(&def, NULL, &out, NULL));
    return out;
}

void people_turn(const snSkeleton* s, snVec3* points, snQuat* rotations, uint32_t joint, snQuat by) {
    bool below[PEOPLE_MOST] = {false};
    snVec3 center = points[joint];
    below[joint] = true;
    for (uint32_t i = 0; i < s->joint_count; i++) {
        uint32_t j = s->order[i];
        if (s->parents[j] != SN_NONE && below[s->parents[j]]) below[j] = true;
        if (!below[j]) continue;
        points[j] = sn_add(center, sn_quat_rotate(by, sn_sub(points[j], center)));
        rotations[j] = sn_quat_mul(by, rotations[j]);
    }
}

void people_sample(const snSkeleton* s, const snClip* clip, float time, snVec3* points) {
    snTrs locals[PEOPLE_MOST];
    snMat4 world[PEOPLE_MOST];
    memcpy(locals, s->rest, s->joint_count * sizeof *locals);
    sn_clip_sample(clip, time, SN_WRAP_CLAMP, s->joint_count, locals);
    sn_skeleton_world(s, locals, world);
    for (uint32_t j = 0; j < s->joint_count; j++) points[j] = sn_mat4_translation(&world[j]);
}

enum { KEYS = 61 };

static void store(float* values, snQuat q) {
    values[0] = q.x;
    values[1] = q.y;
    values[2] = q.z;
    values[3] = q.w;
}

snClip* people_squat(const snSkeleton* s) {
    static const char* const names[] = {"LeftUpperLeg",  "LeftLowerLeg",  "LeftFoot",
                                        "RightUpperLeg", "RightLowerLeg", "RightFoot"};
    static float times[KEYS];
    static float turns[6][4 * KEYS];
    static float places[3 * KEYS];
    snVec3 points[PEOPLE_MOST];
    snQuat rotations[PEOPLE_MOST];
    people_rest(s, points, rotations);
    uint32_t hips = sn_skeleton_find(s, "Hips");
    for (uint32_t k = 0; k < KEYS; k++) {
        times[k] = 2.0f * (float)k / (KEYS - 1);
        float bend = 0.5f * (1.0f - sn_cos(2.0f * SN_PI * times[k]));
        for (uint32_t i = 0; i < 6; i++) {
            float angle = i % 3 == 1 ? 2.0f * bend : -bend;
            store(turns[i] + 4 * k, sn_quat_axis_angle(sn_vec3(1, 0, 0), angle));
        }
        // Hips go wherever the bent leg leaves the ankle in place.
        uint32_t upper = sn_skeleton_find(s, names[0]);
        uint32_t lower = sn_skeleton_find(s, names[1]);
        uint32_t foot = sn_skeleton_find(s, names[2]);
        snVec3 thigh =
            sn_quat_rotate(sn_quat_axis_angle(sn_vec3(1, 0, 0), -bend), sn_sub(points[lower], points[upper]));
        snVec3 shin =
            sn_quat_rotate(sn_quat_axis_angle(sn_vec3(1, 0, 0), bend), sn_sub(points[foot], points[lower]));
        snVec3 moved = sn_sub(sn_sub(points[foot], points[upper]), sn_add(thigh, shin));
        snVec3 place = sn_add(s->rest[hips].translation, moved);
        memcpy(places + 3 * k, &place, sizeof place);
    }
    snChannel channels[7];
    for (uint32_t i = 0; i < 6; i++) {
        channels[i] = (snChannel){sn_skeleton_find(s, names[i]),
                                  SN_PATH_ROTATION,
                                  SN_INTERPOLATION_LINEAR,
                                  KEYS,
                                  4,
                                  times,
                                  turns[i]};
    }
    channels[6] = (snChannel){hips, SN_PATH_TRANSLATION, SN_INTERPOLATION_LINEAR, KEYS, 3, times, places};
    snClipDef def = {"squat", 0.0f, 7, channels};
    snClip* clip = NULL;
    assert_ok(sn_clip_create(&def, s->joint_count, NULL, &clip, NULL));
    return clip;
}

snSkeleton* people_lines(const PeopleLine* lines, uint32_t count) {
    const char* names[PEOPLE_MOST];
    uint32_t parents[PEOPLE_MOST];
    snTrs rest[PEOPLE_MOST];
    for (uint32_t j = 0; j < count; j++) {
        names[j] = lines[j].name;
        parents[j] = lines[j].parent;
        rest[j] = sn_trs_identity();
        rest[j].translation =
            parents[j] == SN_NONE ? lines[j].at : sn_sub(lines[j].at, lines[lines[j].parent].at);
    }
    snSkeletonDef def = {count, names, parents, rest};
    snSkeleton* s = NULL;
    assert_ok(sn_skeleton_create(&def, NULL, &s, NULL));
    return s;
}
