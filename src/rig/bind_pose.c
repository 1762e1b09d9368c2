// One bind pose for all skins of a model.
//
// A skin says where its joints stood against each other, not where the whole stood. A joint that it shares
// with a skin before it tells; else the first joint that the rest pose does not flatten stands where it rests
// (controls that are hidden by a scale of zero come first in some skins). A character hidden whole stands
// where its mesh space is.
#include "rig/bind_pose.h"

#include "base/error.h"
#include "base/memory.h"

// What is known on the way.
typedef struct Places {
    sniBindPose* pose;
    snMat4* rest; // joint_count; world
    bool* known;  // joint_count; it follows from a skin where the joint was
    bool* placed; // skin_count
} Places;

static bool invertible(const snMat4* matrix) {
    snMat4 inverse;
    return sn_mat4_inverse_affine(matrix, &inverse);
}

static snMat4 mesh_space(const Places* p, const snSkin* skin) {
    for (int shared = 1; shared >= 0; shared--) {
        for (uint32_t i = 0; i < skin->joint_count; i++) {
            uint32_t joint = skin->joints[i];
            if (shared && !p->known[joint]) continue;
            const snMat4* world = shared ? &p->pose->worlds[joint] : &p->rest[joint];
            snMat4 space = sn_mat4_mul(world, &skin->inverse_binds[i]);
            if (invertible(&space)) return space;
        }
    }
    return sn_mat4_identity();
}

static void place_skin(const Places* p, const snModel* model, uint32_t index) {
    const snSkin* skin = &model->skins[index];
    p->pose->spaces[index] = mesh_space(p, skin);
    for (uint32_t i = 0; i < skin->joint_count; i++) {
        snMat4 bind;
        uint32_t joint = skin->joints[i];
        // A joint flattened at bind time says nothing.
        if (p->known[joint] || !sn_mat4_inverse_affine(&skin->inverse_binds[i], &bind)) continue;
        p->pose->worlds[joint] = sn_mat4_mul(&p->pose->spaces[index], &bind);
        p->known[joint] = true;
    }
}

// In the order of the parts, then what no part uses.
static void place_skins(const Places* p, const snModel* model) {
    for (uint32_t i = 0; i < model->part_count + model->skin_count; i++) {
        uint32_t skin = i < model->part_count ? model->parts[i].skin : i - model->part_count;
        if (skin == SN_NONE || p->placed[skin]) continue;
        p->placed[skin] = true;
        place_skin(p, model, skin);
    }
}

static void place_others(const Places* p, const snSkeleton* skeleton) {
    snMat4* worlds = p->pose->worlds;
    for (uint32_t k = 0; k < skeleton->joint_count; k++) {
        uint32_t j = skeleton->order[k], above = skeleton->parents[j];
        if (p->known[j]) continue;
        worlds[j] = p->rest[j];
        if (above == SN_NONE || !p->known[above]) continue;
        snMat4 local = sn_mat4_from_trs(&skeleton->rest[j]);
        worlds[j] = sn_mat4_mul(&worlds[above], &local);
        p->known[j] = true;
    }
}

snResult sni_bind_pose_create(const snModel* model, const snAllocator* allocator, sniBindPose* out,
                              snError* error) {
    const snSkeleton* skeleton = model->skeleton;
    snAllocator memory = sni_allocator(allocator);
    sniBindPose pose = {.worlds = SNI_NEW_ARRAY(&memory, snMat4, skeleton->joint_count),
                        .spaces = SNI_NEW_ARRAY(&memory, snMat4, model->skin_count),
                        .allocator = memory};
    Places places = {&pose, SNI_NEW_ARRAY(&memory, snMat4, skeleton->joint_count),
                     SNI_NEW_ARRAY(&memory, bool, skeleton->joint_count),
                     SNI_NEW_ARRAY(&memory, bool, model->skin_count)};
    bool enough = pose.worlds != NULL && pose.spaces != NULL && places.rest != NULL && places.known != NULL &&
                  places.placed != NULL;
    if (enough) {
        sn_skeleton_world(skeleton, NULL, places.rest);
        place_skins(&places, model);
        place_others(&places, skeleton);
    }
    sni_free(&memory, places.rest);
    sni_free(&memory, places.known);
    sni_free(&memory, places.placed);
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
