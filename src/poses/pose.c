// Poses: what was done to handles, kept as it was done.
#include "base/error.h"
#include "base/memory.h"
#include "handles/nearest.h"
#include "poses/step.h"

// ------------------------------------------------------------------------------------------------- checks

static snResult check_step_handles(const snPoseStep* step, uint32_t i, uint32_t count, snError* error) {
    if (step->handle_count == 0 || step->handles == NULL) {
        return sni_fail(error, SN_RESULT_BAD_DATA, "step %u moves no handle", i);
    }
    for (uint32_t k = 0; k < step->handle_count; k++) {
        if (step->handles[k] >= count) {
            return sni_fail(error, SN_RESULT_BAD_DATA, "step %u moves handle %u, expected below %u", i,
                            step->handles[k], count);
        }
        if (k > 0 && step->handles[k] <= step->handles[k - 1]) {
            return sni_fail(error, SN_RESULT_BAD_DATA, "step %u lists handle %u after %u, expected rising", i,
                            step->handles[k], step->handles[k - 1]);
        }
    }
    return SN_RESULT_OK;
}

static snResult check_turn(const snPoseStep* step, uint32_t i, uint32_t count, snError* error) {
    if (step->frame >= count || step->center >= count) {
        return sni_fail(error, SN_RESULT_BAD_DATA,
                        "step %u rotates in the frame of handle %u about %u, expected "
                        "below %u",
                        i, step->frame, step->center, count);
    }
    snVec3 axis = step->axis;
    if (!sn_vec3_finite(axis) || (axis.x == 0.0f && axis.y == 0.0f && axis.z == 0.0f)) {
        return sni_fail(error, SN_RESULT_BAD_DATA, "step %u rotates about an axis of length 0", i);
    }
    if (!sn_finite(step->angle)) {
        return sni_fail(error, SN_RESULT_BAD_DATA, "step %u rotates by an angle that is not finite", i);
    }
    return SN_RESULT_OK;
}

static snResult check_step(const snPoseStep* step, uint32_t i, uint32_t count, snError* error) {
    switch (step->act) {
    case SN_POSE_ROTATE: {
        SNI_TRY(check_turn(step, i, count, error));
        break;
    }
    case SN_POSE_MOVE:
        if (!sn_vec3_finite(step->move)) {
            return sni_fail(error, SN_RESULT_BAD_DATA, "step %u moves by a distance that is not finite", i);
        }
        break;
    default:
        return sni_fail(error, SN_RESULT_BAD_DATA, "step %u neither rotates nor moves", i);
    }
    return check_step_handles(step, i, count, error);
}

static snResult check_details(const snHandlePoseDef* def, uint32_t vertex_count, snError* error) {
    for (uint32_t i = 0; i < def->detail_count; i++) {
        const snPoseDetail* detail = &def->details[i];
        const char* wrong = NULL;
        if (detail->vertex >= vertex_count)
            wrong = "out of range";
        else if (i > 0 && detail->vertex <= def->details[i - 1].vertex)
            wrong = "not in rising order";
        else if (!sn_finite(detail->offset))
            wrong = "moved by an offset that is not finite";
        if (wrong == NULL) continue;
        return sni_fail_vertex(error, SN_RESULT_BAD_DATA, detail->vertex, "details: vertex %u is %s",
                               detail->vertex, wrong);
    }
    return SN_RESULT_OK;
}

static snResult check_pose(const snHandlePoseDef* def, const snHandles* handles, snError* error) {
    if (def->step_count > SN_POSE_STEPS_MAX) {
        return sni_fail(error, SN_RESULT_BAD_DATA, "a pose has %u steps, expected %u at most",
                        def->step_count, SN_POSE_STEPS_MAX);
    }
    for (uint32_t i = 0; i < def->step_count; i++) {
        SNI_TRY(check_step(&def->steps[i], i, handles->handle_count, error));
    }
    return check_details(def, handles->vertex_count, error);
}

// ------------------------------------------------------------------------------------------ create, destroy

snVec3 sni_unit_axis(snVec3 axis) {
    double x = (double)axis.x, y = (double)axis.y, z = (double)axis.z;
    double length2 = x * x + y * y + z * z;
    if (length2 > 1.0 - 1e-6 && length2 < 1.0 + 1e-6) return axis;
    double inverse = 1.0 / sqrt(length2);
    return sn_vec3((float)(x * inverse), (float)(y * inverse), (float)(z * inverse));
}

static bool fill_pose(snHandlePose* pose, const snHandlePoseDef* def) {
    const snAllocator* memory = &pose->allocator;
    // At most 65536 steps of 1024 handles each: no overflow, even in 32 bits of size.
    size_t moved = 0;
    for (uint32_t i = 0; i < def->step_count; i++) moved += def->steps[i].handle_count;
    pose->name = sni_copy_text(memory, def->name);
    pose->steps = SNI_NEW_ARRAY(memory, snPoseStep, def->step_count);
    pose->step_handles = SNI_NEW_ARRAY(memory, uint32_t, moved);
    pose->details = sni_copy_array(memory, def->details, def->detail_count, sizeof *def->details);
    if (pose->name == NULL || pose->steps == NULL || pose->step_handles == NULL || pose->details == NULL) {
        return false;
    }
    pose->step_count = def->step_count;
    pose->detail_count = def->detail_count;
    uint32_t* next = pose->step_handles;
    const snVec3 zero = {0.0f, 0.0f, 0.0f}; // what is added to it is never -0, which text does not keep
    for (uint32_t i = 0; i < def->step_count; i++) {
        snPoseStep* step = &pose->steps[i];
        const snPoseStep* given = &def->steps[i];
        step->act = given->act;
        if (given->act == SN_POSE_ROTATE) {
            step->frame = given->frame;
            step->center = given->center;
            step->axis = sn_add(sni_unit_axis(given->axis), zero);
            step->angle = given->angle + 0.0f;
        } else {
            step->move = sn_add(given->move, zero);
        }
        step->handle_count = given->handle_count;
        step->handles = next;
        memcpy(next, given->handles, given->handle_count * sizeof *next);
        next += given->handle_count;
    }
    return true;
}

snResult sn_handle_pose_create(const snHandlePoseDef* def, const snHandles* handles,
                               const snAllocator* allocator, snHandlePose** out, snError* error) {
    if (def == NULL || handles == NULL || out == NULL || (def->step_count > 0 && def->steps == NULL) ||
        (def->detail_count > 0 && def->details == NULL)) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "steps, handles and an output are needed");
    }
    SNI_TRY(check_pose(def, handles, error));
    snAllocator memory = sni_allocator(allocator);
    snHandlePose* pose = SNI_NEW(&memory, snHandlePose);
    if (pose == NULL) return sni_fail_memory(error);
    pose->allocator = memory;
    if (!fill_pose(pose, def)) {
        sn_handle_pose_destroy(pose);
        return sni_fail_memory(error);
    }
    *out = pose;
    return SN_RESULT_OK;
}

void sn_handle_pose_destroy(snHandlePose* pose) {
    if (pose == NULL) return;
    snAllocator memory = pose->allocator;
    void* blocks[] = {pose->name, pose->steps, pose->step_handles, pose->details, pose};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) sni_free(&memory, blocks[i]);
}

// ------------------------------------------------------------------------------------------------ transfer

// Says where each handle of `from` is in `to`; SN_NONE for those that the pose does not need.
static snResult map_handles(const snHandlePose* pose, const snHandles* from, const snHandles* to,
                            uint32_t* map, snError* error) {
    for (uint32_t h = 0; h < from->handle_count; h++) map[h] = sn_handles_find(to, from->handles[h].name);
    for (uint32_t i = 0; i < pose->step_count; i++) {
        const snPoseStep* step = &pose->steps[i];
        uint32_t missing = SN_NONE;
        for (uint32_t k = 0; k < step->handle_count && missing == SN_NONE; k++) {
            if (map[step->handles[k]] == SN_NONE) missing = step->handles[k];
        }
        if (step->act == SN_POSE_ROTATE && map[step->frame] == SN_NONE) missing = step->frame;
        if (step->act == SN_POSE_ROTATE && map[step->center] == SN_NONE) missing = step->center;
        if (missing == SN_NONE) continue;
        const char* name = from->handles[missing].name;
        return sni_fail(error, SN_RESULT_NOT_FOUND,
                        "pose \"%s\" needs the handle \"%s\"; the nearest is \"%s\"", pose->name, name,
                        sni_handles_nearest(to, name));
    }
    return SN_RESULT_OK;
}

// Handles of other numbers, rising again.
static void map_step(snPoseStep* step, uint32_t* moved, const uint32_t* map, float scale) {
    for (uint32_t k = 0; k < step->handle_count; k++) {
        uint32_t handle = map[step->handles[k]], place = k;
        for (; place > 0 && moved[place - 1] > handle; place--) moved[place] = moved[place - 1];
        moved[place] = handle;
    }
    step->handles = moved;
    if (step->act == SN_POSE_ROTATE) {
        step->frame = map[step->frame];
        step->center = map[step->center];
    } else {
        step->move = sn_scale(step->move, scale);
    }
}

// What a transfer works on; `map` has an entry per handle of `from`, `moved` all handles of all steps.
typedef struct Transfer {
    const snHandlePose* pose;
    const snHandles* from;
    const snHandles* to;
    uint32_t* map;
    snPoseStep* steps;
    uint32_t* moved;
} Transfer;

static snResult transfer_run(const Transfer* t, const snAllocator* allocator, snHandlePose** out,
                             snError* error) {
    SNI_TRY(map_handles(t->pose, t->from, t->to, t->map, error));
    bool sized = t->from->size > 0.0f && t->to->size > 0.0f;
    float scale = sized ? t->to->size / t->from->size : 1.0f;
    uint32_t* moved = t->moved;
    for (uint32_t i = 0; i < t->pose->step_count; i++) {
        t->steps[i] = t->pose->steps[i];
        map_step(&t->steps[i], moved, t->map, scale);
        moved += t->steps[i].handle_count;
    }
    bool same = t->from->mesh_hash == t->to->mesh_hash && t->from->vertex_count == t->to->vertex_count;
    snHandlePoseDef def = {t->pose->name, t->pose->step_count, t->steps, same ? t->pose->detail_count : 0,
                           t->pose->details};
    return sn_handle_pose_create(&def, t->to, allocator, out, error);
}

snResult sn_handle_pose_transfer(const snHandlePose* pose, const snHandles* from, const snHandles* to,
                                 const snAllocator* allocator, snHandlePose** out, snError* error) {
    if (pose == NULL || from == NULL || to == NULL || out == NULL) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT,
                        "a pose, two sets of handles and an output are needed");
    }
    snAllocator memory = sni_allocator(allocator);
    size_t moved = 0;
    for (uint32_t i = 0; i < pose->step_count; i++) moved += pose->steps[i].handle_count;
    Transfer t = {.pose = pose, .from = from, .to = to};
    t.map = SNI_NEW_ARRAY(&memory, uint32_t, from->handle_count);
    t.steps = SNI_NEW_ARRAY(&memory, snPoseStep, pose->step_count);
    t.moved = SNI_NEW_ARRAY(&memory, uint32_t, moved);
    bool room = t.map != NULL && t.steps != NULL && t.moved != NULL;
    snResult result = room ? transfer_run(&t, &memory, out, error) : sni_fail_memory(error);
    sni_free(&memory, t.moved);
    sni_free(&memory, t.steps);
    sni_free(&memory, t.map);
    return result;
}
