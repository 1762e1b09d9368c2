// The joint tree and forward kinematics.
#include "base/error.h"
#include "base/memory.h"
#include "sinew/rig.h"

static snResult check_joint(const snSkeletonDef* def, uint32_t j, snError* error) {
    uint32_t parent = def->parents[j];
    if (parent != SN_NONE && parent >= def->joint_count) {
        return sni_fail_joint(error, SN_RESULT_BAD_DATA, j, "joint %u has the parent %u, expected below %u",
                              j, parent, def->joint_count);
    }
    const snTrs* rest = &def->rest[j];
    snQuat q = rest->rotation;
    float length = sn_quat_dot(q, q);
    bool finite = sn_vec3_finite(rest->translation) && sn_vec3_finite(rest->scale) && sn_finite(length);
    if (!finite || !(length > 0.0f)) {
        return sni_fail_joint(error, SN_RESULT_BAD_DATA, j, "joint %u has a rest %s", j,
                              finite ? "rotation of length 0" : "transform that is not finite");
    }
    return SN_RESULT_OK;
}

// Parents before children, level by level. Returns how many joints were reached from the roots: fewer than
// all when the others hang in a cycle. `first_child` and `next_sibling` are scratch, one entry per joint.
static uint32_t order_joints(const snSkeletonDef* def, uint32_t* order, uint32_t* first_child,
                             uint32_t* next_sibling) {
    uint32_t count = def->joint_count;
    for (uint32_t j = 0; j < count; j++) first_child[j] = SN_NONE;
    for (uint32_t j = count; j-- > 0;) {
        uint32_t parent = def->parents[j];
        if (parent == SN_NONE) continue;
        next_sibling[j] = first_child[parent];
        first_child[parent] = j;
    }
    uint32_t written = 0;
    for (uint32_t j = 0; j < count; j++) {
        if (def->parents[j] == SN_NONE) order[written++] = j;
    }
    for (uint32_t i = 0; i < written; i++) {
        for (uint32_t c = first_child[order[i]]; c != SN_NONE; c = next_sibling[c]) order[written++] = c;
    }
    return written;
}

// A joint that `order` does not contain.
static uint32_t find_missing(const uint32_t* order, uint32_t written, uint32_t* marks, uint32_t count) {
    for (uint32_t j = 0; j < count; j++) marks[j] = 0;
    for (uint32_t i = 0; i < written; i++) marks[order[i]] = 1;
    uint32_t j = 0;
    while (j < count && marks[j] != 0) j++;
    return j;
}

static snResult skeleton_fill(snSkeleton* skeleton, const snSkeletonDef* def, snError* error) {
    const snAllocator* memory = &skeleton->allocator;
    uint32_t count = def->joint_count;
    skeleton->names = SNI_NEW_ARRAY(memory, char*, count);
    skeleton->parents = sni_copy_array(memory, def->parents, count, sizeof *def->parents);
    skeleton->rest = sni_copy_array(memory, def->rest, count, sizeof *def->rest);
    skeleton->order = SNI_NEW_ARRAY(memory, uint32_t, count);
    if (skeleton->names == NULL || skeleton->parents == NULL || skeleton->rest == NULL ||
        skeleton->order == NULL) {
        return sni_fail_memory(error);
    }
    skeleton->joint_count = count;
    for (uint32_t j = 0; j < count; j++) {
        skeleton->rest[j].rotation = sn_quat_normalize(skeleton->rest[j].rotation);
        skeleton->names[j] = sni_copy_text(memory, def->names != NULL ? def->names[j] : NULL);
        if (skeleton->names[j] == NULL) return sni_fail_memory(error);
    }
    uint32_t* scratch = SNI_NEW_ARRAY(memory, uint32_t, 2 * (size_t)count);
    if (scratch == NULL) return sni_fail_memory(error);
    uint32_t written = order_joints(def, skeleton->order, scratch, scratch + count);
    uint32_t stuck = written < count ? find_missing(skeleton->order, written, scratch, count) : SN_NONE;
    sni_free(memory, scratch);
    if (stuck == SN_NONE) return SN_RESULT_OK;
    return sni_fail_joint(error, SN_RESULT_BAD_DATA, stuck,
                          "joint %u is in a cycle of parents, expected a tree", stuck);
}

snResult sn_skeleton_create(const snSkeletonDef* def, const snAllocator* allocator, snSkeleton** out,
                            snError* error) {
    if (def == NULL || out == NULL || (def->joint_count > 0 && (def->parents == NULL || def->rest == NULL))) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT,
                        "parents, rest transforms and an output are needed");
    }
    for (uint32_t j = 0; j < def->joint_count; j++) {
        snResult result = check_joint(def, j, error);
        if (result != SN_RESULT_OK) return result;
    }
    snAllocator memory = sni_allocator(allocator);
    snSkeleton* skeleton = SNI_NEW(&memory, snSkeleton);
    if (skeleton == NULL) return sni_fail_memory(error);
    skeleton->allocator = memory;
    snResult result = skeleton_fill(skeleton, def, error);
    if (result != SN_RESULT_OK) {
        sn_skeleton_destroy(skeleton);
        return result;
    }
    *out = skeleton;
    return SN_RESULT_OK;
}

void sn_skeleton_destroy(snSkeleton* skeleton) {
    if (skeleton == NULL) return;
    snAllocator memory = skeleton->allocator;
    for (uint32_t j = 0; j < skeleton->joint_count; j++) sni_free(&memory, skeleton->names[j]);
    void* arrays[] = {skeleton->names, skeleton->parents, skeleton->rest,
                      skeleton->order, skeleton->labels,  skeleton};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(&memory, arrays[i]);
}

uint32_t sn_skeleton_find(const snSkeleton* skeleton, const char* name) {
    for (uint32_t j = 0; j < skeleton->joint_count; j++) {
        if (strcmp(skeleton->names[j], name) == 0) return j;
    }
    return SN_NONE;
}

void sn_skeleton_world(const snSkeleton* skeleton, const snTrs* locals, snMat4* out_world) {
    if (locals == NULL) locals = skeleton->rest;
    for (uint32_t i = 0; i < skeleton->joint_count; i++) {
        uint32_t j = skeleton->order[i];
        snMat4 local = sn_mat4_from_trs(&locals[j]);
        uint32_t parent = skeleton->parents[j];
        out_world[j] = parent == SN_NONE ? local : sn_mat4_mul(&out_world[parent], &local);
    }
}
