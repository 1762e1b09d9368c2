// Poses of handles as bytes.
#include "base/error.h"
#include "handled.h"

void sni_poses_free(sniPoses* poses, const snAllocator* memory) {
    for (uint32_t i = 0; i < poses->count; i++) {
        sn_handle_pose_destroy(poses->poses[i]);
        sni_free(memory, poses->files[i]);
    }
    sni_free(memory, poses->poses);
    sni_free(memory, poses->files);
    *poses = (sniPoses){0};
}

bool sni_poses_add(sniPoses* poses, snHandlePose* pose, const char* file, const snAllocator* memory) {
    uint32_t count = poses->count;
    snHandlePose** list = SNI_NEW_ARRAY(memory, snHandlePose*, (size_t)count + 1);
    char** files = SNI_NEW_ARRAY(memory, char*, (size_t)count + 1);
    char* name = sni_copy_text(memory, file);
    if (list == NULL || files == NULL || name == NULL) {
        sni_free(memory, list);
        sni_free(memory, files);
        sni_free(memory, name);
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        list[i] = poses->poses[i];
        files[i] = poses->files[i];
    }
    list[count] = pose;
    files[count] = name;
    sni_free(memory, poses->poses);
    sni_free(memory, poses->files);
    *poses = (sniPoses){count + 1, list, files};
    return true;
}

// Creating makes axes unit vectors again, which may move a last bit.
static snResult create(const snHandlePoseDef* def, const snHandles* rig, const snAllocator* memory,
                       snHandlePose** out, snError* error) {
    SNI_TRY(sn_handle_pose_create(def, rig, memory, out, error));
    for (uint32_t s = 0; s < def->step_count; s++) (*out)->steps[s].axis = def->steps[s].axis;
    return SN_RESULT_OK;
}

snResult sni_pose_copy(const snHandlePose* from, const snHandles* rig, const snAllocator* memory,
                       snHandlePose** out, snError* error) {
    snHandlePoseDef def = {from->name, from->step_count, from->steps, from->detail_count, from->details};
    return create(&def, rig, memory, out, error);
}

void sni_poses_put(const sniPoses* poses, sniBytes* out) {
    if (poses->count == 0) return;
    sni_put_u32(out, poses->count);
    for (uint32_t i = 0; i < poses->count; i++) {
        const snHandlePose* pose = poses->poses[i];
        sni_put_text(out, poses->files[i]);
        sni_put_text(out, pose->name);
        sni_put_u32(out, pose->step_count);
        for (uint32_t s = 0; s < pose->step_count; s++) {
            const snPoseStep* step = &pose->steps[s];
            const uint32_t whole[4] = {(uint32_t)step->act, step->frame, step->center, step->handle_count};
            const float real[7] = {step->axis.x, step->axis.y, step->axis.z, step->angle,
                                   step->move.x, step->move.y, step->move.z};
            sni_put_array(out, whole, 4, sizeof(uint32_t));
            sni_put_array(out, real, 7, sizeof(float));
            sni_put_array(out, step->handles, step->handle_count, sizeof(uint32_t));
        }
        sni_put_u32(out, pose->detail_count);
        sni_put_array(out, pose->details, pose->detail_count, sizeof *pose->details);
    }
}

static void take_step(sniReader* r, snPoseStep* step) {
    step->act = (snPoseAct)sni_take_below(r, SN_POSE_MOVE + 1);
    step->frame = sni_take_u32(r);
    step->center = sni_take_u32(r);
    step->handle_count = sni_take_u32(r);
    const float* real = sni_take_floats(r, 7);
    if (real != NULL) {
        step->axis = sn_vec3(real[0], real[1], real[2]);
        step->angle = real[3];
        step->move = sn_vec3(real[4], real[5], real[6]);
    }
    step->handles = sni_take_array(r, step->handle_count, sizeof(uint32_t));
}

static snResult damaged(snError* error) {
    return sni_fail(error, SN_RESULT_BAD_DATA, "the stored poses are damaged");
}

static snResult get_pose(sniReader* r, const snHandles* rig, const snAllocator* memory, sniPoses* poses,
                         snError* error) {
    const char* file = sni_take_text(r);
    snHandlePoseDef def = {.name = sni_take_text(r)};
    def.step_count = sni_take_u32(r);
    if (r->failed || def.step_count > SN_POSE_STEPS_MAX) return damaged(error);
    snPoseStep* steps = SNI_NEW_ARRAY(memory, snPoseStep, def.step_count);
    if (steps == NULL) return sni_fail_memory(error);
    for (uint32_t s = 0; s < def.step_count && !r->failed; s++) take_step(r, &steps[s]);
    def.steps = steps;
    def.detail_count = sni_take_u32(r);
    def.details = sni_take_array(r, def.detail_count, sizeof *def.details);
    snHandlePose* pose = NULL;
    snResult result = r->failed ? damaged(error) : create(&def, rig, memory, &pose, error);
    sni_free(memory, steps);
    if (result == SN_RESULT_OK && !sni_poses_add(poses, pose, file, memory)) {
        sn_handle_pose_destroy(pose);
        result = sni_fail_memory(error);
    }
    return result;
}

snResult sni_poses_get(sniSlice bytes, const snHandles* rig, const snAllocator* memory, sniPoses* out,
                       snError* error) {
    if (bytes.size == 0) return SN_RESULT_OK;
    sniReader r = {bytes.data, bytes.size, 0, false};
    sniPoses poses = {0};
    uint32_t count = sni_take_u32(&r);
    snResult result = rig != NULL && !r.failed && count <= bytes.size ? SN_RESULT_OK : damaged(error);
    for (uint32_t i = 0; i < count && result == SN_RESULT_OK; i++)
        result = get_pose(&r, rig, memory, &poses, error);
    if (result == SN_RESULT_OK && !sni_reader_done(&r)) result = damaged(error);
    if (result == SN_RESULT_OK)
        *out = poses;
    else
        sni_poses_free(&poses, memory);
    return result;
}
