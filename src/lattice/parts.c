// Bone parts and joint parts: particles grouped for volume preservation.
//
// The bone of a joint runs to its children. A particle belongs to the bone of the joint with its largest
// weight; the half of that bone nearer to its joint goes to the joint's part, the farther half to the
// child's. A joint without children keeps its whole bone.
#include "base/error.h"
#include "base/geometry.h"
#include "base/memory.h"
#include "sinew/lattice.h"

static uint32_t heaviest_joint(const snLatticePartsDef* def, uint32_t p) {
    const uint16_t* joints = def->particle_joints + (size_t)p * def->influences;
    const float* weights = def->particle_weights + (size_t)p * def->influences;
    uint32_t best = 0;
    for (uint32_t i = 1; i < def->influences; i++) {
        bool heavier = weights[i] > weights[best];
        bool tied = weights[i] == weights[best] && joints[i] < joints[best];
        if (heavier || tied) best = i;
    }
    return joints[best];
}

// Children of each joint, in rising order: children[starts[j] .. starts[j + 1]].
typedef struct Children {
    uint32_t* starts;
    uint32_t* items;
} Children;

static bool children_create(Children* children, const snLatticePartsDef* def, const snAllocator* memory) {
    children->starts = SNI_NEW_ARRAY(memory, uint32_t, (size_t)def->joint_count + 2);
    children->items = SNI_NEW_ARRAY(memory, uint32_t, def->joint_count);
    if (children->starts == NULL || children->items == NULL) return false;
    for (uint32_t j = 0; j < def->joint_count; j++) {
        if (def->parents[j] != SN_NONE) children->starts[def->parents[j] + 2]++;
    }
    for (uint32_t j = 0; j < def->joint_count; j++) children->starts[j + 2] += children->starts[j + 1];
    for (uint32_t j = 0; j < def->joint_count; j++) {
        if (def->parents[j] != SN_NONE) children->items[children->starts[def->parents[j] + 1]++] = j;
    }
    return true;
}

static uint32_t joint_part_of(const snLatticePartsDef* def, const Children* children, uint32_t bone,
                              snVec3 p) {
    uint32_t part = bone;
    float nearest = INFINITY;
    for (uint32_t i = children->starts[bone]; i < children->starts[bone + 1]; i++) {
        uint32_t child = children->items[i];
        float distance = sni_segment_distance(def->origins[bone], def->origins[child], p);
        if (distance >= nearest) continue;
        nearest = distance;
        part = sni_segment_closest(def->origins[bone], def->origins[child], p) > 0.5f ? child : bone;
    }
    return part;
}

static void group_members(snLatticeParts* parts) {
    uint32_t* ends = parts->starts; // one entry longer than the finished table needs
    for (uint32_t p = 0; p < parts->particle_count; p++) ends[parts->joint_parts[p] + 2]++;
    for (uint32_t j = 0; j < parts->joint_count; j++) ends[j + 2] += ends[j + 1];
    for (uint32_t p = 0; p < parts->particle_count; p++)
        parts->members[ends[parts->joint_parts[p] + 1]++] = p;
}

void sn_lattice_parts_set(snLatticeParts* parts, const uint32_t* bone_parts, const uint32_t* joint_parts) {
    memcpy(parts->bone_parts, bone_parts, parts->particle_count * sizeof *bone_parts);
    memcpy(parts->joint_parts, joint_parts, parts->particle_count * sizeof *joint_parts);
    memset(parts->starts, 0, ((size_t)parts->joint_count + 2) * sizeof *parts->starts);
    group_members(parts);
}

static snResult fill(snLatticeParts* parts, const snLatticePartsDef* def) {
    const snAllocator* memory = &parts->allocator;
    uint32_t particles = def->lattice->particle_count;
    Children children = {0};
    parts->bone_parts = SNI_NEW_ARRAY(memory, uint32_t, particles);
    parts->joint_parts = SNI_NEW_ARRAY(memory, uint32_t, particles);
    parts->starts = SNI_NEW_ARRAY(memory, uint32_t, (size_t)def->joint_count + 2);
    parts->members = SNI_NEW_ARRAY(memory, uint32_t, particles);
    bool ready = children_create(&children, def, memory) && parts->bone_parts != NULL &&
                 parts->joint_parts != NULL && parts->starts != NULL && parts->members != NULL;
    if (ready) {
        parts->particle_count = particles;
        parts->joint_count = def->joint_count;
        for (uint32_t p = 0; p < particles; p++) {
            bool bone_given = def->bone_overrides != NULL && def->bone_overrides[p] != SN_NONE;
            bool joint_given = def->joint_overrides != NULL && def->joint_overrides[p] != SN_NONE;
            uint32_t bone = bone_given ? def->bone_overrides[p] : heaviest_joint(def, p);
            parts->bone_parts[p] = bone;
            parts->joint_parts[p] = joint_given ? def->joint_overrides[p]
                                                : joint_part_of(def, &children, bone, def->lattice->rest[p]);
        }
        group_members(parts);
    }
    sni_free(memory, children.starts);
    sni_free(memory, children.items);
    return ready ? SN_RESULT_OK : SN_RESULT_OUT_OF_MEMORY;
}

static snResult check_joints(const snLatticePartsDef* def, snError* error) {
    for (uint32_t j = 0; j < def->joint_count; j++) {
        if ((def->parents[j] != SN_NONE && def->parents[j] >= def->joint_count) ||
            !sn_vec3_finite(def->origins[j])) {
            return sni_fail_joint(error, SN_RESULT_BAD_DATA, j,
                                  "joint %u has a parent that does not exist or no finite origin", j);
        }
    }
    return SN_RESULT_OK;
}

static snResult check_particles(const snLatticePartsDef* def, snError* error) {
    for (uint32_t p = 0; p < def->lattice->particle_count; p++) {
        for (uint32_t i = 0; i < def->influences; i++) {
            size_t at = (size_t)p * def->influences + i;
            if (def->particle_joints[at] < def->joint_count && sn_finite(def->particle_weights[at])) continue;
            return sni_fail(error, SN_RESULT_BAD_DATA,
                            "particle %u has a joint that does not exist or a weight that is not finite", p);
        }
        bool bone_bad = def->bone_overrides != NULL && def->bone_overrides[p] != SN_NONE &&
                        def->bone_overrides[p] >= def->joint_count;
        bool joint_bad = def->joint_overrides != NULL && def->joint_overrides[p] != SN_NONE &&
                         def->joint_overrides[p] >= def->joint_count;
        if (bone_bad || joint_bad) {
            return sni_fail(error, SN_RESULT_BAD_DATA, "the part given for particle %u does not exist", p);
        }
    }
    return SN_RESULT_OK;
}

snResult sn_lattice_parts_create(const snLatticePartsDef* def, const snAllocator* allocator,
                                 snLatticeParts** out, snError* error) {
    if (def == NULL || out == NULL || def->lattice == NULL || def->joint_count == 0 || def->influences == 0 ||
        def->parents == NULL || def->origins == NULL || def->particle_joints == NULL ||
        def->particle_weights == NULL) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT,
                        "parts need a lattice, joints with parents and origins, weights and an output");
    }
    snResult result = check_joints(def, error);
    if (result == SN_RESULT_OK) result = check_particles(def, error);
    if (result != SN_RESULT_OK) return result;
    snAllocator memory = sni_allocator(allocator);
    snLatticeParts* parts = SNI_NEW(&memory, snLatticeParts);
    if (parts == NULL) return sni_fail_memory(error);
    parts->allocator = memory;
    if (fill(parts, def) != SN_RESULT_OK) {
        sn_lattice_parts_destroy(parts);
        return sni_fail_memory(error);
    }
    *out = parts;
    return SN_RESULT_OK;
}

void sn_lattice_parts_destroy(snLatticeParts* parts) {
    if (parts == NULL) return;
    snAllocator memory = parts->allocator;
    void* arrays[] = {parts->bone_parts, parts->joint_parts, parts->starts, parts->members};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(&memory, arrays[i]);
    sni_free(&memory, parts);
}
