// One bind pose for all skins of a model.
//
// Skins may be bound in spaces of their own. The first joint of the first skin stands where the rest pose
// puts it; every further skin is fitted to a joint that it shares with those before it.
#include "base/memory.h"
#include "character/character.h"

static void place_skin(const snModel* model, const snMat4* rest, uint32_t index, sniBindPose* pose) {
    const snSkin* skin = &model->skins[index];
    uint32_t shared = 0;
    while (shared < skin->joint_count && pose->known[skin->joints[shared]] == 0) shared++;
    bool found = shared < skin->joint_count;
    uint32_t joint = skin->joint_count > 0 ? skin->joints[found ? shared : 0] : SN_NONE;
    pose->spaces[index] = sn_mat4_identity();
    if (joint == SN_NONE) return;
    const snMat4* world = found ? &pose->worlds[joint] : &rest[joint];
    pose->spaces[index] = sn_mat4_mul(world, &skin->inverse_binds[found ? shared : 0]);
    for (uint32_t j = 0; j < skin->joint_count; j++) {
        snMat4 bind;
        if (pose->known[skin->joints[j]] != 0) continue;
        // A joint flattened at bind time says nothing.
        if (!sn_mat4_inverse_affine(&skin->inverse_binds[j], &bind)) continue;
        pose->worlds[skin->joints[j]] = sn_mat4_mul(&pose->spaces[index], &bind);
        pose->known[skin->joints[j]] = 1;
    }
}

bool sni_bind_pose_create(const snModel* model, const snAllocator* memory, sniBindPose* pose) {
    const snSkeleton* skeleton = model->skeleton;
    snMat4* rest = SNI_NEW_ARRAY(memory, snMat4, skeleton->joint_count);
    pose->worlds = SNI_NEW_ARRAY(memory, snMat4, skeleton->joint_count);
    pose->known = SNI_NEW_ARRAY(memory, uint8_t, skeleton->joint_count);
    pose->spaces = SNI_NEW_ARRAY(memory, snMat4, model->skin_count);
    bool ready = rest != NULL && pose->worlds != NULL && pose->known != NULL && pose->spaces != NULL;
    if (ready) {
        sn_skeleton_world(skeleton, NULL, rest);
        for (uint32_t s = 0; s < model->skin_count; s++) place_skin(model, rest, s, pose);
    }
    for (uint32_t i = 0; i < skeleton->joint_count && ready; i++) {
        uint32_t j = skeleton->order[i], parent = skeleton->parents[j];
        if (pose->known[j] != 0) continue;
        snMat4 local = sn_mat4_from_trs(&skeleton->rest[j]);
        pose->worlds[j] = parent != SN_NONE ? sn_mat4_mul(&pose->worlds[parent], &local) : rest[j];
    }
    sni_free(memory, rest);
    return ready;
}

void sni_bind_pose_destroy(sniBindPose* pose, const snAllocator* memory) {
    sni_free(memory, pose->worlds);
    sni_free(memory, pose->known);
    sni_free(memory, pose->spaces);
}

snMat4 sni_bind_pose_space(const sniBindPose* pose, const snPart* part) {
    return part->skin != SN_NONE ? pose->spaces[part->skin] : pose->worlds[part->joint];
}

void sni_bind_pose_inverses(const sniBindPose* pose, uint32_t joint_count, snMat4* out) {
    for (uint32_t j = 0; j < joint_count; j++) {
        // A joint flattened at bind time cannot tell where anything was.
        if (!sn_mat4_inverse_affine(&pose->worlds[j], &out[j])) out[j] = sn_mat4_identity();
    }
}

void sni_part_joints(const sniTables* tables, uint32_t index, uint16_t* out) {
    const snPart* part = &tables->model->parts[index];
    const sniPartTables* t = &tables->parts[index];
    for (size_t i = 0; i < (size_t)part->mesh->vertex_count * t->influences; i++) {
        uint32_t joint =
            part->skin != SN_NONE ? tables->model->skins[part->skin].joints[t->joints[i]] : part->joint;
        out[i] = (uint16_t)joint;
    }
}
