// Poses made for a body in a T, or one that rested as it rested, fitted to one that rests otherwise.
//
// A turn of an arm means little on a model whose arms rest elsewhere. So a pose that speaks of parts of a
// body is taken on the model as it would stand if its limbs rested as those of the body that the pose was
// made on; where it then has each handle is what its turns become, a turn for each handle after those that
// carry it.
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "handles/roles.h"
#include "sinew/poses.h"

// Limbs this near to where those of the pose rested rest as they did; radians.
#define NEARLY 0.09f
// Turns and moves smaller than this are none; radians, and of the model's size.
#define NOTHING 1e-5f

typedef struct Fit {
    const snHandles* handles;
    const snJointName* anatomy;
    snHandles virtual;    // as they would be if limbs rested as the pose's did
    snHandle* list;       // its handles
    snRigid* raise;       // from rest to there
    snRigid *posed, *now; // what is wanted, and what the steps so far do
    uint32_t* order;      // those that carry others first
    uint8_t* marks;
    snPoseStep* steps;
    uint32_t* moved;
    uint32_t step_count, moved_count;
} Fit;

// Limbs go from a part of the body to the next, those of a T straight to the sides and down.
static const struct Limb {
    const char *part, *next;
    snVec3 straight;
} LIMBS[SN_POSE_LIMBS] = {
    {"LeftShoulder", "LeftElbow", {1.0f, 0.0f, 0.0f}},    {"LeftElbow", "LeftWrist", {1.0f, 0.0f, 0.0f}},
    {"LeftHip", "LeftKnee", {0.0f, -1.0f, 0.0f}},         {"LeftKnee", "LeftAnkle", {0.0f, -1.0f, 0.0f}},
    {"RightShoulder", "RightElbow", {-1.0f, 0.0f, 0.0f}}, {"RightElbow", "RightWrist", {-1.0f, 0.0f, 0.0f}},
    {"RightHip", "RightKnee", {0.0f, -1.0f, 0.0f}},       {"RightKnee", "RightAnkle", {0.0f, -1.0f, 0.0f}},
};

const char* sn_pose_limb_name(uint32_t limb) { return limb < SN_POSE_LIMBS ? LIMBS[limb].part : NULL; }

snPoseRest sn_pose_rest(void) {
    snPoseRest rest;
    for (uint32_t i = 0; i < SN_POSE_LIMBS; i++) rest.ways[i] = LIMBS[i].straight;
    return rest;
}

snPoseRest sn_handles_rest(const snHandles* handles, const snJointName* anatomy) {
    snPoseRest rest;
    for (uint32_t i = 0; i < SN_POSE_LIMBS; i++) {
        uint32_t here = sni_handles_part(handles, anatomy, LIMBS[i].part);
        uint32_t next = sni_handles_part(handles, anatomy, LIMBS[i].next);
        rest.ways[i] = sn_vec3(0.0f, 0.0f, 0.0f);
        if (here == SN_NONE || next == SN_NONE) continue;
        snVec3 way = sn_sub(handles->handles[next].center, handles->handles[here].center);
        float length = sn_length(way);
        if (length > NOTHING * handles->size) rest.ways[i] = sn_scale(way, 1.0f / length);
    }
    return rest;
}

// The limb that begins at a handle; SN_NONE: none does.
static uint32_t limb_of(const Fit* fit, uint32_t h) {
    for (uint32_t i = 0; i < SN_POSE_LIMBS; i++)
        if (strcmp(fit->anatomy[h].text, LIMBS[i].part) == 0) return i;
    return SN_NONE;
}

static void carry(const Fit* fit, uint32_t handle, snRigid move, snRigid* moves) {
    sn_handles_followers(fit->handles, handle, fit->marks);
    for (uint32_t h = 0; h < fit->handles->handle_count; h++)
        if (fit->marks[h] != 0) moves[h] = sn_rigid_mul(move, moves[h]);
}

static snRigid turn_about(snQuat turn, snVec3 center) {
    return (snRigid){turn, sn_sub(center, sn_quat_rotate(turn, center))};
}

// Returns the largest turn that it takes.
static float raise_limbs(Fit* fit, const snPoseRest* rest) {
    float most = 0.0f;
    for (uint32_t i = 0; i < fit->handles->handle_count; i++) {
        uint32_t h = fit->order[i], limb = limb_of(fit, h);
        if (limb == SN_NONE || !(sn_length(rest->ways[limb]) > 0.0f)) continue;
        uint32_t next = sni_handles_part(fit->handles, fit->anatomy, LIMBS[limb].next);
        if (next == SN_NONE) continue;
        snVec3 center = sn_rigid_point(fit->raise[h], fit->handles->handles[h].center);
        snVec3 end = sn_rigid_point(fit->raise[h], fit->handles->handles[next].center);
        snVec3 way = sn_sub(end, center);
        if (!(sn_length(way) > NOTHING * fit->handles->size)) continue;
        snQuat turn = sn_quat_between(way, rest->ways[limb]);
        most = sn_maxf(most, 2.0f * sn_acos(sn_clampf(fabsf(turn.w), 0.0f, 1.0f)));
        carry(fit, h, turn_about(turn, center), fit->raise);
    }
    return most;
}

static void order_handles(Fit* fit) {
    uint32_t count = fit->handles->handle_count;
    uint32_t* totals = fit->moved; // not in use yet
    for (uint32_t h = 0; h < count; h++) {
        totals[h] = 0;
        sn_handles_followers(fit->handles, h, fit->marks);
        for (uint32_t k = 0; k < count; k++) totals[h] += fit->marks[k];
    }
    for (uint32_t h = 0; h < count; h++) {
        uint32_t at = h;
        for (; at > 0 && totals[fit->order[at - 1]] < totals[h]; at--) fit->order[at] = fit->order[at - 1];
        fit->order[at] = h;
    }
}

static void stand_as_made(Fit* fit) {
    fit->virtual = *fit->handles;
    fit->virtual.handles = fit->list;
    for (uint32_t h = 0; h < fit->handles->handle_count; h++) {
        fit->list[h] = fit->handles->handles[h];
        fit->list[h].center = sn_rigid_point(fit->raise[h], fit->list[h].center);
        fit->list[h].position = sn_rigid_point(fit->raise[h], fit->list[h].position);
    }
}

// ------------------------------------------------------------------------------------------------- steps

static void add_step(Fit* fit, snPoseStep step, uint32_t handle) {
    step.handles = fit->moved + fit->moved_count;
    sn_handles_followers(fit->handles, handle, fit->marks);
    for (uint32_t h = 0; h < fit->handles->handle_count; h++)
        if (fit->marks[h] != 0) fit->moved[fit->moved_count++] = h;
    step.handle_count = (uint32_t)(fit->moved + fit->moved_count - step.handles);
    fit->steps[fit->step_count++] = step;
}

// From where those that carry it have brought a handle to where it should be.
static void step_handle(Fit* fit, uint32_t h) {
    snVec3 center = fit->handles->handles[h].center;
    snVec3 way = sn_sub(sn_rigid_point(fit->posed[h], center), sn_rigid_point(fit->now[h], center));
    if (sn_length(way) > NOTHING * fit->handles->size) {
        add_step(fit, (snPoseStep){.act = SN_POSE_MOVE, .move = way}, h);
        carry(fit, h, (snRigid){sn_quat_identity(), way}, fit->now);
    }
    snQuat turn = sn_quat_mul(fit->posed[h].rotation, sn_quat_conjugate(fit->now[h].rotation));
    if (turn.w < 0.0f) turn = (snQuat){-turn.x, -turn.y, -turn.z, -turn.w};
    snVec3 axis = sn_vec3(turn.x, turn.y, turn.z);
    float angle = 2.0f * sn_atan2(sn_length(axis), turn.w);
    if (!(angle > NOTHING)) return;
    snPoseStep step = {.act = SN_POSE_ROTATE, .frame = h, .center = h, .angle = angle};
    step.axis = sn_quat_rotate(sn_quat_conjugate(fit->now[h].rotation), axis);
    add_step(fit, step, h);
    carry(fit, h, turn_about(sn_quat_normalize(turn), sn_rigid_point(fit->now[h], center)), fit->now);
}

static snResult make_pose(Fit* fit, const snHandlePose* pose, const snAllocator* memory, snHandlePose** out,
                          snError* error) {
    uint32_t count = fit->handles->handle_count;
    const snHandlePose* poses[1] = {pose};
    const float whole = 1.0f;
    stand_as_made(fit);
    sn_handle_poses_blend(&fit->virtual, poses, &whole, NULL, 1, fit->posed);
    for (uint32_t h = 0; h < count; h++) {
        fit->posed[h] = sn_rigid_mul(fit->posed[h], fit->raise[h]);
        fit->now[h] = (snRigid){sn_quat_identity(), {0.0f, 0.0f, 0.0f}};
    }
    for (uint32_t i = 0; i < count; i++) step_handle(fit, fit->order[i]);
    snHandlePoseDef def = {pose->name, fit->step_count, fit->steps, pose->detail_count, pose->details};
    return sn_handle_pose_create(&def, fit->handles, memory, out, error);
}

snResult sn_handle_pose_fit(const snHandlePose* pose, const snHandles* handles, const snJointName* anatomy,
                            const snPoseRest* rest, const snAllocator* allocator, snHandlePose** out,
                            snError* error) {
    snPoseRest straight = sn_pose_rest();
    if (pose == NULL || handles == NULL || anatomy == NULL || out == NULL)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT,
                        "a pose, handles, their parts and an output are needed");
    snAllocator memory = sni_allocator(allocator);
    size_t count = handles->handle_count;
    Fit fit = {.handles = handles, .anatomy = anatomy};
    fit.list = SNI_NEW_ARRAY(&memory, snHandle, count);
    fit.raise = SNI_NEW_ARRAY(&memory, snRigid, count);
    fit.posed = SNI_NEW_ARRAY(&memory, snRigid, count);
    fit.now = SNI_NEW_ARRAY(&memory, snRigid, count);
    fit.order = SNI_NEW_ARRAY(&memory, uint32_t, count);
    fit.marks = SNI_NEW_ARRAY(&memory, uint8_t, count);
    fit.steps = SNI_NEW_ARRAY(&memory, snPoseStep, 2 * count);
    fit.moved = SNI_NEW_ARRAY(&memory, uint32_t, 2 * count * count);
    bool room = fit.list != NULL && fit.raise != NULL && fit.posed != NULL && fit.now != NULL &&
                fit.order != NULL && fit.marks != NULL && fit.steps != NULL && fit.moved != NULL;
    snResult result = room ? SN_RESULT_OK : sni_fail_memory(error);
    for (size_t h = 0; room && h < count; h++)
        fit.raise[h] = (snRigid){sn_quat_identity(), {0.0f, 0.0f, 0.0f}};
    if (room) order_handles(&fit);
    if (room && raise_limbs(&fit, rest != NULL ? rest : &straight) > NEARLY)
        result = make_pose(&fit, pose, &memory, out, error);
    else if (room)
        *out = NULL;
    void* arrays[] = {fit.list, fit.raise, fit.posed, fit.now, fit.order, fit.marks, fit.steps, fit.moved};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(&memory, arrays[i]);
    return result;
}
