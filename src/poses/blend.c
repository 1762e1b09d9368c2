// Blends of poses: each step done again, by a share of its angle or distance (Hansen 2006, algorithms 2, 3).
#include "poses/step.h"

void sni_step_apply(const snHandles* handles, const snPoseStep* step, float weight, snRigid* state) {
    if (step->act == SN_POSE_MOVE) {
        snVec3 move = sn_scale(step->move, weight);
        for (uint32_t k = 0; k < step->handle_count; k++) {
            snRigid* handle = &state[step->handles[k]];
            handle->translation = sn_add(handle->translation, move);
        }
        return;
    }
    // Made before any handle is moved: frame and center may be among them.
    sniTurn turn = sni_turn(state[step->frame], state[step->center], step->axis,
                            handles->handles[step->center].center, sni_half_turn(step->angle, weight));
    for (uint32_t k = 0; k < step->handle_count; k++) {
        snRigid* handle = &state[step->handles[k]];
        *handle = sni_turn_apply(turn, *handle);
    }
}

void sn_handle_poses_blend(const snHandles* handles, const snHandlePose* const* poses, const float* weights,
                           const uint32_t* order, uint32_t count, snRigid* out_handles) {
    for (uint32_t h = 0; h < handles->handle_count; h++) {
        out_handles[h].rotation = sn_quat_identity();
        out_handles[h].translation = sn_vec3(0.0f, 0.0f, 0.0f);
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t p = order != NULL ? order[i] : i;
        if (weights[p] == 0.0f) continue;
        for (uint32_t s = 0; s < poses[p]->step_count; s++) {
            sni_step_apply(handles, &poses[p]->steps[s], weights[p], out_handles);
        }
    }
}

bool sn_handle_poses_details(const snHandles* handles, const snHandlePose* const* poses, const float* weights,
                             uint32_t count, float* out_offsets) {
    bool any = false;
    for (uint32_t p = 0; p < count; p++) any = any || (weights[p] != 0.0f && poses[p]->detail_count > 0);
    if (!any) return false;
    for (uint32_t v = 0; v < handles->vertex_count; v++) out_offsets[v] = 0.0f;
    for (uint32_t p = 0; p < count; p++) {
        if (weights[p] == 0.0f) continue;
        for (uint32_t i = 0; i < poses[p]->detail_count; i++) {
            const snPoseDetail* detail = &poses[p]->details[i];
            out_offsets[detail->vertex] += weights[p] * detail->offset;
        }
    }
    return true;
}
