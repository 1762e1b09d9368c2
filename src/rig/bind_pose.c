// One bind pose for all skins of a model.
//
// A skin says where its joints stood against each other, not where the whole stood. A joint that it shares
// with a skin before it tells; else the first joint that the rest pose does not flatten stands where it rests
// (controls that are hidden by a scale of zero come first in some skins). A character hidden whole stands
// where its mesh space is.
#include "rig/bind_pose.h"

#include "base/error.h"
#include "base/memory.h"

static bool invertible(const snMat4* matrix) {
    snMat4 inverse;
    return sn_mat4_inverse_affine(matrix, &inverse);
}

static snMat4 mesh_space(const snSkin* skin, const snMat4* rest, const sniBindPose* pose) {
    for (int shared = 1; shared >= 0; shared--) {
        for (uint32_t i = 0; i < skin->joint_count; i++) {
            uint32_t joint = skin->joints[i];
            if (shared && !pose->known[joint]) continue;
            const snMat4* world = shared ? &pose->worlds[joint] : &rest[joint];
            snMat4 space = sn_mat4_mul(world, &skin->inverse_binds[i]);
            if (invertible(&space)) return space;
        }
    }
    return sn_mat4_identity();
}

static void place_skin(const snModel* model, uint32_t index, const snMat4* rest, sniBindPose* pose) {
    const snSkin* skin = &model->skins[index];
    pose->spaces[index] = mesh_space(skin, rest, pose);
    for (uint32_t i = 0; i < skin->joint_count; i++) {
        snMat4 bind;
        uint32_t joint = skin->joints[i];
        // A joint flattened at bind time says nothing.
        if (pose->known[joint] || !sn_mat4_inverse_affine(&skin->inverse_binds[i], &bind)) continue;
        pose->worlds[joint] = sn_mat4_mul(&pose->spaces[index], &bind);
        pose->known[joint] = true;
    }
}

// In the order of the parts, then what no part uses.
static void place_skins(const snModel* model, const snMat4* rest, bool* placed, sniBindPose* pose) {
    for (uint32_t i = 0; i < model->part_count + model->skin_count; i++) {
        uint32_t skin = i < model->part_count ? model->parts[i].skin : i - model->part_count;
        if (skin == SN_NONE || placed[skin]) continue;
        placed[skin] = true;
        place_skin(model, skin, rest, pose);
    }
}

static void place_others(const snSkeleton* skeleton, const snMat4* rest, sniBindPose* pose) {
    for (uint32_t k = 0; k < skeleton->joint_count; k++) {
        uint32_t j = skeleton->order[k], above = skeleton->parents[j];
        if (pose->known[j]) continue;
        pose->worlds[j] = rest[j];
        if (above == SN_NONE || !pose->known[above]) continue;
        snMat4 local = sn_mat4_from_trs(&skeleton->rest[j]);
        pose->worlds[j] = sn_mat4_mul(&pose->worlds[above], &local);
        pose->known[j] = true;
    }
}

snResult sni_bind_pose_create(const snModel* model, const snAllocator* allocator, sniBindPose* out,
                              snError* error) {
    const snSkeleton* skeleton = model->skeleton;
    snAllocator memory = sni_allocator(allocator);
    sniBindPose pose = {.worlds = SNI_NEW_ARRAY(&memory, snMat4, skeleton->joint_count),
                        .known = SNI_NEW_ARRAY(&memory, bool, skeleton->joint_count),
                        .spaces = SNI_NEW_ARRAY(&memory, snMat4, model->skin_count),
                        .allocator = memory};
    snMat4* rest = SNI_NEW_ARRAY(&memory, snMat4, skeleton->joint_count);
    bool* placed = SNI_NEW_ARRAY(&memory, bool, model->skin_count);
    bool enough =
        pose.worlds != NULL && pose.known != NULL && pose.spaces != NULL && rest != NULL && placed != NULL;
    if (enough) {
        sn_skeleton_world(skeleton, NULL, rest);
        place_skins(model, rest, placed, &pose);
        place_others(skeleton, rest, &pose);
    }
    sni_free(&memory, rest);
    sni_free(&memory, placed);
    if (enough) {
        *out = pose;
        return SN_RESULT_OK;
    }
    sni_bind_pose_free(&pose);
    return sni_fail_memory(error);
}

void sni_bind_pose_free(sniBindPose* pose) {
    if (pose->allocator.free == NULL) return;
    sni_free(&pose->allocator, pose->worlds);
    sni_free(&pose->allocator, pose->known);
    sni_free(&pose->allocator, pose->spaces);
    *pose = (sniBindPose){0};
}

snMat4 sni_bind_pose_space(const sniBindPose* pose, const snPart* part) {
    return part->skin != SN_NONE ? pose->spaces[part->skin] : pose->worlds[part->joint];
}

void sni_bind_pose_inverses(const sniBindPose* pose, uint32_t joint_count, snMat4* out) {
    for (uint32_t j = 0; j < joint_count; j++) {
        if (!sn_mat4_inverse_affine(&pose->worlds[j], &out[j])) out[j] = sn_mat4_identity();
    }
}
