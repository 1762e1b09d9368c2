// What the lattice skin knows of the rest pose: the center that each particle turns about, and the way out of
// the solid.
//
// A particle between the joints i and j turns about the joints that bend between them: the mean of the
// origins on the way from one to the other in the tree, without the common ancestor, which moves both alike.
// With more influences, the pairs count by the product of their weights.
#include "base/geometry.h"
#include "base/memory.h"
#include "flesh/lattice_skin_kernels.h"

typedef struct Sum {
    double x, y, z, weight;
} Sum;

static void add(Sum* sum, double x, double y, double z, double weight) {
    sum->x += x * weight;
    sum->y += y * weight;
    sum->z += z * weight;
    sum->weight += weight;
}

static uint32_t depth_of(const snBinding* binding, uint32_t joint) {
    uint32_t depth = 0;
    while (binding->parents[joint] != SN_NONE) joint = binding->parents[joint], depth++;
    return depth;
}

// The sum of the origins between two different joints; of trees that do not meet, the whole ways up.
static Sum origins_between(const snBinding* binding, const uint32_t* depths, uint32_t i, uint32_t j) {
    Sum sum = {0};
    while (i != j) {
        bool deeper = j == SN_NONE || (i != SN_NONE && depths[i] >= depths[j]);
        uint32_t* low = deeper ? &i : &j;
        const float* origin = binding->binds[*low].m + 12;
        add(&sum, (double)origin[0], (double)origin[1], (double)origin[2], 1.0);
        *low = binding->parents[*low];
    }
    return sum;
}

// All in doubles: gcc 12 forgets to round where a mean is made a float and then a double again.
static snVec3 center_of(const snBinding* binding, const snWeights* all, const uint32_t* depths,
                        uint32_t particle) {
    uint32_t influences = all->influences;
    const uint16_t* joints = all->joints + (size_t)particle * influences;
    const float* weights = all->weights + (size_t)particle * influences;
    Sum sum = {0};
    for (uint32_t i = 0; i < influences; i++) {
        for (uint32_t j = i + 1; j < influences; j++) {
            double weight = (double)weights[i] * (double)weights[j];
            if (joints[i] == joints[j] || !(weight > 0.0)) continue;
            Sum between = origins_between(binding, depths, joints[i], joints[j]);
            double share = 1.0 / between.weight;
            add(&sum, between.x * share, between.y * share, between.z * share, weight);
        }
    }
    // One joint moves the particle rigidly whatever the center; about itself, to the last bit.
    if (!(sum.weight > 0.0)) return binding->lattice->rest[particle];
    return sn_vec3((float)(sum.x / sum.weight), (float)(sum.y / sum.weight), (float)(sum.z / sum.weight));
}

snResult sni_lattice_skin_centers(const snBinding* binding, const snWeights* weights,
                                  const snAllocator* scratch, snVec3* out) {
    uint32_t* depths = SNI_NEW_ARRAY(scratch, uint32_t, binding->joint_count);
    if (depths == NULL) return SN_RESULT_OUT_OF_MEMORY;
    for (uint32_t j = 0; j < binding->joint_count; j++) depths[j] = depth_of(binding, j);
    for (uint32_t p = 0; p < binding->lattice->particle_count; p++)
        out[p] = center_of(binding, weights, depths, p);
    sni_free(scratch, depths);
    return SN_RESULT_OK;
}

// ------------------------------------------------------------------------------------------------ outward

// The shortest way from a bone (the segments to its joint's children) to the particle; zero on it.
static snVec3 away_from_bone(const snBinding* binding, uint32_t particle) {
    uint32_t bone = binding->parts->bone_parts[particle];
    snVec3 p = binding->lattice->rest[particle], origin = sn_mat4_translation(&binding->binds[bone]);
    snVec3 best = sn_sub(p, origin);
    for (uint32_t j = 0; j < binding->joint_count; j++) {
        if (binding->parents[j] != bone) continue;
        snVec3 away = sni_segment_offset(origin, sn_mat4_translation(&binding->binds[j]), p);
        if (sn_dot(away, away) < sn_dot(best, best)) best = away;
    }
    return sn_normalize_or(best, sn_vec3(0.0f, 0.0f, 0.0f));
}

void sni_lattice_skin_pushes(const snBinding* binding, snVec3* out) {
    const snLattice* lattice = binding->lattice;
    for (uint32_t p = 0; p < lattice->particle_count; p++) {
        snVec3 u = lattice->outward[p];
        // On a sheet one cell thick the ways out cancel. Inside a solid that may stay so.
        bool lost = lattice->depths[p] == 0 && sn_dot(u, u) == 0.0f;
        if (lost) u = away_from_bone(binding, p);
        out[p] = sn_scale(u, 1.0f / (1.0f + (float)lattice->depths[p]));
    }
}
