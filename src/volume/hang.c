// On whom the surface of a joint hangs. Rigs keep feet and hooves apart from their legs, under the root,
// where a solver puts them; but what a leg and its foot do to the surface between them they do together. So a
// joint that shares surface with another limb, and next to none with those above it, counts as that limb's.
#include "base/memory.h"
#include "volume/exact.h"

// Of what a joint shares with others: next to none. Judged; joints that hang on their parent share most of it
// with those above them.
#define NEXT_TO_NONE 0.1

typedef struct Ties {
    const snExactVolumeDef* def;
    const sniClosed* closed;
    uint32_t* depths; // joint_count, as the arrays below
    double* masses;   // surface of a joint and those below it
    double* above;    // what these share with joints above them
    double* beside;   // and with all others
    double* shared;   // what one joint shares with each
} Ties;

static uint32_t parent_of(const Ties* t, uint32_t joint) { return t->def->joints[joint].parent; }

// The last joint above or at both, or SN_NONE.
static uint32_t meet(const Ties* t, uint32_t a, uint32_t b) {
    while (a != b) {
        if (a == SN_NONE || b == SN_NONE) return SN_NONE;
        if (t->depths[a] >= t->depths[b])
            a = parent_of(t, a);
        else
            b = parent_of(t, b);
    }
    return a;
}

static void tie_pair(const Ties* t, uint32_t a, uint32_t b, double amount) {
    uint32_t top = meet(t, a, b);
    double* sums = top == a || top == b ? t->above : t->beside;
    for (uint32_t j = a; j != top; j = parent_of(t, j)) sums[j] += amount;
    for (uint32_t j = b; j != top; j = parent_of(t, j)) sums[j] += amount;
}

static void tie_points(const Ties* t) {
    const sniClosed* closed = t->closed;
    for (uint32_t i = 0; i < closed->point_count; i++) {
        const uint16_t* joints = closed->joints + (size_t)i * closed->influences;
        const float* weights = closed->weights + (size_t)i * closed->influences;
        for (uint32_t k = 0; k < closed->influences; k++) {
            if (!(weights[k] > 0.0f)) continue;
            t->masses[joints[k]] += (double)(weights[k] * closed->areas[i]);
            for (uint32_t l = k + 1; l < closed->influences; l++)
                if (weights[l] > 0.0f && joints[k] != joints[l])
                    tie_pair(t, joints[k], joints[l],
                             (double)(sn_minf(weights[k], weights[l]) * closed->areas[i]));
        }
    }
    for (uint32_t i = t->def->joint_count; i-- > 0;) {
        uint32_t j = t->def->order[i], parent = parent_of(t, j);
        if (parent != SN_NONE) t->masses[parent] += t->masses[j];
    }
}

static bool is_loose(const Ties* t, uint32_t joint) {
    return t->beside[joint] > 0.0 && t->above[joint] <= NEXT_TO_NONE * (t->above[joint] + t->beside[joint]);
}

// Whom a loose joint, with those below it, shares most with.
static uint32_t find_host(const Ties* t, uint32_t loose) {
    const sniClosed* closed = t->closed;
    for (uint32_t j = 0; j < t->def->joint_count; j++) t->shared[j] = 0.0;
    for (uint32_t i = 0; i < closed->point_count; i++) {
        const uint16_t* joints = closed->joints + (size_t)i * closed->influences;
        const float* weights = closed->weights + (size_t)i * closed->influences;
        float inside = 0.0f;
        for (uint32_t k = 0; k < closed->influences; k++)
            if (weights[k] > 0.0f && meet(t, joints[k], loose) == loose) inside += weights[k];
        for (uint32_t k = 0; inside > 0.0f && k < closed->influences; k++)
            if (weights[k] > 0.0f && meet(t, joints[k], loose) != loose)
                t->shared[joints[k]] += (double)(sn_minf(inside, weights[k]) * closed->areas[i]);
    }
    uint32_t best = SN_NONE;
    for (uint32_t j = 0; j < t->def->joint_count; j++)
        if (t->shared[j] > 0.0 && (best == SN_NONE || t->shared[j] > t->shared[best])) best = j;
    return best;
}

// Of two limbs that hang on each other alone, the lighter one is moved.
static bool may_move(const Ties* t, uint32_t loose, uint32_t host) {
    uint32_t top = meet(t, loose, host), limb = host;
    while (limb != top && parent_of(t, limb) != top) limb = parent_of(t, limb);
    return limb == top || !is_loose(t, limb) || t->masses[loose] < t->masses[limb];
}

static bool is_below(const snVolumeJoint* joints, uint32_t joint, uint32_t above) {
    while (joint != SN_NONE && joint != above) joint = joints[joint].parent;
    return joint == above;
}

// Parents first, otherwise as they came; `placed` has joint_count zeros.
static void sort_joints(const snExactVolumeDef* def, const snVolumeJoint* joints, uint8_t* placed,
                        uint32_t* out) {
    uint32_t count = 0;
    while (count < def->joint_count) {
        for (uint32_t i = 0; i < def->joint_count; i++) {
            uint32_t j = def->order[i], parent = joints[j].parent;
            if (placed[j] != 0 || (parent != SN_NONE && placed[parent] == 0)) continue;
            placed[j] = 1;
            out[count++] = j;
        }
    }
}

static void hang(const Ties* t, snVolumeJoint* joints) {
    for (uint32_t i = 0; i < t->def->joint_count; i++) {
        uint32_t j = t->def->order[i], parent = parent_of(t, j);
        t->depths[j] = parent != SN_NONE ? t->depths[parent] + 1 : 0;
    }
    tie_points(t);
    for (uint32_t i = 0; i < t->def->joint_count; i++) {
        uint32_t j = t->def->order[i];
        if (parent_of(t, j) == SN_NONE || !is_loose(t, j)) continue;
        uint32_t host = find_host(t, j);
        if (host != SN_NONE && may_move(t, j, host) && !is_below(joints, host, j)) joints[j].parent = host;
    }
}

bool sni_hang_joints(const snExactVolumeDef* def, const sniClosed* closed, const snAllocator* memory,
                     snExactVolumeDef* out) {
    size_t count = def->joint_count;
    Ties t = {.def = def,
              .closed = closed,
              .depths = SNI_NEW_ARRAY(memory, uint32_t, count),
              .masses = SNI_NEW_ARRAY(memory, double, count),
              .above = SNI_NEW_ARRAY(memory, double, count),
              .beside = SNI_NEW_ARRAY(memory, double, count),
              .shared = SNI_NEW_ARRAY(memory, double, count)};
    uint8_t* placed = SNI_NEW_ARRAY(memory, uint8_t, count);
    snVolumeJoint* joints = sni_copy_array(memory, def->joints, count, sizeof *joints);
    uint32_t* order = SNI_NEW_ARRAY(memory, uint32_t, count);
    bool ready = t.depths != NULL && t.masses != NULL && t.above != NULL && t.beside != NULL &&
                 t.shared != NULL && placed != NULL && joints != NULL && order != NULL;
    *out = *def;
    if (ready) {
        hang(&t, joints);
        sort_joints(def, joints, placed, order);
        out->joints = joints;
        out->order = order;
    }
    void* arrays[] = {t.depths, t.masses, t.above, t.beside, t.shared, placed};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(memory, arrays[i]);
    if (ready) return true;
    sni_free(memory, joints);
    sni_free(memory, order);
    return false;
}

void sni_hung_free(const snExactVolumeDef* hung, const snAllocator* memory) {
    sni_free(memory, (void*)hung->joints);
    sni_free(memory, (void*)hung->order);
}
