// Which parts of a model are bound, and which stay rigid on their joints or as they are.
#include "base/error.h"
#include "base/memory.h"
#include "bind/bind.h"

// What a character wears is at most this much larger than itself. Judged, not measured.
#define MOST_WORN SNI_TUNED(MOST_WORN, 1.5f)

// A sword in a hand, the shell of a robot's arm: what hangs on a joint of the character moves with it
// already. One pass over the skeleton says it for all joints.
static void find_carriers(const snModel* model, const uint8_t* deforming, bool* carries) {
    const snSkeleton* skeleton = model->skeleton;
    for (uint32_t j = 0; j < skeleton->joint_count; j++) carries[j] = deforming == NULL || deforming[j] != 0;
    for (uint32_t s = 0; s < model->skin_count; s++) {
        for (uint32_t i = 0; i < model->skins[s].joint_count; i++) carries[model->skins[s].joints[i]] = true;
    }
    for (uint32_t k = 0; k < skeleton->joint_count; k++) {
        uint32_t j = skeleton->order[k], above = skeleton->parents[j];
        if (above != SN_NONE && carries[above]) carries[j] = true;
    }
}

static snBounds part_bounds(const snModel* model, const sniBindPose* pose, uint32_t part) {
    snBounds bounds = sn_bounds_empty();
    const snMesh* mesh = model->parts[part].mesh;
    snMat4 space = sni_bind_pose_space(pose, &model->parts[part]);
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        bounds = sn_bounds_add(bounds, sn_mat4_point(&space, mesh->positions[v]));
    }
    return bounds;
}

// Beside a skinned character, a mesh without a skin is bound when it could be something that the character
// wears: its middle lies within the character and it is not much larger. A floor or a house stays as it is.
static void leave_scenery(const snModel* model, const sniBindPose* pose, bool* bound) {
    snBounds worn = sn_bounds_empty();
    for (uint32_t p = 0; p < model->part_count; p++) {
        if (model->parts[p].skin == SN_NONE || model->parts[p].mesh->vertex_count == 0) continue;
        snBounds b = part_bounds(model, pose, p);
        worn = sn_bounds_add(sn_bounds_add(worn, b.min), b.max);
    }
    float size = sn_bounds_diagonal(worn);
    for (uint32_t p = 0; p < model->part_count && size > 0.0f; p++) {
        if (!bound[p] || model->parts[p].skin != SN_NONE) continue;
        snBounds b = part_bounds(model, pose, p);
        snVec3 middle = sn_lerp(b.min, b.max, 0.5f);
        bool inside = middle.x >= worn.min.x && middle.x <= worn.max.x && middle.y >= worn.min.y &&
                      middle.y <= worn.max.y && middle.z >= worn.min.z && middle.z <= worn.max.z;
        bound[p] = inside && sn_bounds_diagonal(b) <= MOST_WORN * size;
    }
}

snResult sni_bound_parts(const snModel* model, const sniBindPose* pose, const uint8_t* deforming,
                         const snAllocator* allocator, bool* out, snError* error) {
    bool* carries = SNI_NEW_ARRAY(allocator, bool, model->skeleton->joint_count);
    if (carries == NULL) return sni_fail_memory(error);
    find_carriers(model, deforming, carries);
    uint64_t vertices = 0, rigid = 0;
    for (uint32_t p = 0; p < model->part_count; p++)
        out[p] = model->parts[p].skin != SN_NONE || !carries[model->parts[p].joint];
    sni_free(allocator, carries);
    leave_scenery(model, pose, out);
    for (uint32_t p = 0; p < model->part_count; p++)
        *(out[p] ? &vertices : &rigid) += model->parts[p].mesh->vertex_count;
    if (vertices > 0) return SN_RESULT_OK;
    return sni_fail(error, SN_RESULT_BAD_DATA, "there is no mesh to bind%s",
                    rigid > 0 ? ": every mesh is attached to a deforming joint and moves with it" : "");
}
