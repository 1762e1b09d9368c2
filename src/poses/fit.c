// Poses made for a body in a T, fitted to one that rests otherwise.
//
// A turn of an arm means little on a model whose arms rest elsewhere. So a pose that speaks of parts of a
// body is taken on the model as it would stand in a T, arms to the sides and legs straight down; where it
// then has each handle is what its turns become, a turn for each handle after those that carry it.
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "sinew/poses.h"

// Limbs this near to where they are in a T rest in it; radians.
#define NEARLY 0.09f
// Turns and moves smaller than this are none; radians, and of the model's size.
#define NOTHING 1e-5f

typedef struct Fit {
    const snHandles* handles;
    const snJointName* anatomy;
    snHandles virtual;    // as they would be in a T
    snHandle* list;       // its handles
    snRigid* raise;       // from rest to there
    snRigid *posed, *now; // what is wanted, and what the steps so far do
    uint32_t* order;      // those that carry others first
    uint8_t* marks;
    snPoseStep* steps;
    uint32_t* moved;
    uint32_t step_count, moved_count;
} Fit;

// Where the next joint of a limb is in a T; false: it may rest as it likes.
static bool straight(const char* part, snVec3* out) {
    float side = strncmp(part, "Left", 4) == 0 ? 1.0f : -1.0f;
    const char* bare = part + (side > 0.0f ? 4 : 5);
    if (strncmp(part, "Left", 4) != 0 && strncmp(part, "Right", 5) != 0) return false;
    *out = sn_vec3(side, 0.0f, 0.0f);
    if (strcmp(bare, "Shoulder") == 0 || strcmp(bare, "Elbow") == 0) return true;
    *out = sn_vec3(0.0f, -1.0f, 0.0f);
    return strcmp(bare, "Hip") == 0 || strcmp(bare, "Knee") == 0;
}

// The handle that goes on from this one, the next of the limb.
static uint32_t next_of(const Fit* fit, uint32_t h) {
    static const char* const pairs[][2] = {
        {"Shoulder", "Elbow"}, {"Elbow", "Wrist"}, {"Hip", "Knee"}, {"Knee", "Ankle"}};
    const char* part = fit->anatomy[h].text;
    size_t side = strncmp(part, "Left", 4) == 0 ? 4 : 5;
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        if (strcmp(part + side, pairs[i][0]) != 0) continue;
        for (uint32_t k = 0; k < fit->handles->handle_count; k++) {
            const char* other = fit->anatomy[k].text;
            if (strncmp(other, part, side) == 0 && strcmp(other + side, pairs[i][1]) == 0) return k;
        }
    }
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
static float raise_limbs(Fit* fit) {
    float most = 0.0f;
    for (uint32_t i = 0; i < fit->handles->handle_count; i++) {
        uint32_t h = fit->order[i], next = next_of(fit, h);
        snVec3 wanted;
        if (!straight(fit->anatomy[h].text, &wanted) || next == SN_NONE) continue;
        snVec3 center = sn_rigid_point(fit->raise[h], fit->handles->handles[h].center);
        snVec3 end = sn_rigid_point(fit->raise[h], fit->handles->handles[next].center);
        snVec3 way = sn_sub(end, center);
        if (!(sn_length(way) > NOTHING * fit->handles->size)) continue;
        snQuat turn = sn_quat_between(way, wanted);
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

static void stand_in_t(Fit* fit) {
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
    stand_in_t(fit);
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
                            const snAllocator* allocator, snHandlePose** out, snError* error) {
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
    if (room && raise_limbs(&fit) > NEARLY)
        result = make_pose(&fit, pose, &memory, out, error);
    else if (room)
        *out = NULL;
    void* arrays[] = {fit.list, fit.raise, fit.posed, fit.now, fit.order, fit.marks, fit.steps, fit.moved};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(&memory, arrays[i]);
    return result;
}
