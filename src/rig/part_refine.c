// The refined shape of one part: mesh, weld, weights and morphs.
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "rig/part.h"
#include "shape/refine.h"

// --------------------------------------------------------------------------------------------- weights

static uint32_t bits_of(float value) {
    uint32_t bits = 0;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static float value_of(uint32_t bits) {
    float value = 0.0f;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// The influences of one new vertex, summed by joint: keys with the joint above and the weight below, so that
// both sides of a seam sum in the same order. Returns how many joints there are.
static uint32_t gather(const snWeights* from, const snOrigins* origins, uint32_t vertex, uint64_t* keys) {
    uint32_t count = 0, joints = 0;
    for (uint32_t k = origins->starts[vertex]; k < origins->starts[vertex + 1]; k++) {
        size_t source = (size_t)origins->sources[k] * from->influences;
        for (uint32_t i = 0; i < from->influences; i++) {
            float weight = from->weights[source + i] * origins->shares[k];
            if (weight > 0.0f) keys[count++] = (uint64_t)from->joints[source + i] << 32 | bits_of(weight);
        }
    }
    sni_sort_u64(keys, count);
    for (uint32_t i = 0; i < count; i++) {
        bool same = joints > 0 && keys[joints - 1] >> 32 == keys[i] >> 32;
        if (!same) {
            keys[joints++] = keys[i];
            continue;
        }
        float sum = value_of((uint32_t)keys[joints - 1]) + value_of((uint32_t)keys[i]);
        keys[joints - 1] = keys[i] >> 32 << 32 | bits_of(sum);
    }
    return joints;
}

// The largest first, of equals the lower joint; what does not fit is left out.
static void keep_largest(uint64_t* keys, uint32_t count, uint32_t influences, uint16_t* joints,
                         float* weights) {
    for (uint32_t i = 0; i < count; i++)
        keys[i] = (uint64_t)(UINT32_MAX - (uint32_t)keys[i]) << 32 | keys[i] >> 32;
    sni_sort_u64(keys, count);
    for (uint32_t i = 0; i < count && i < influences; i++) {
        joints[i] = (uint16_t)keys[i];
        weights[i] = value_of(UINT32_MAX - (uint32_t)(keys[i] >> 32));
    }
}

static bool carry_weights(const snWeights* from, const snOrigins* origins, const snAllocator* memory,
                          snWeights* to) {
    uint32_t influences = from->influences, longest = 1;
    if (from->joints == NULL) return true;
    for (uint32_t v = 0; v < origins->count; v++) {
        uint32_t size = origins->starts[v + 1] - origins->starts[v];
        if (size > longest) longest = size;
    }
    *to = (snWeights){origins->count, influences,
                      SNI_NEW_ARRAY(memory, uint16_t, (size_t)origins->count * influences),
                      SNI_NEW_ARRAY(memory, float, (size_t)origins->count* influences)};
    uint64_t* keys = SNI_NEW_ARRAY(memory, uint64_t, (size_t)longest * influences);
    bool ready = to->joints != NULL && to->weights != NULL && keys != NULL;
    for (uint32_t v = from->vertex_count; v < origins->count && ready; v++) {
        uint32_t count = gather(from, origins, v, keys);
        keep_largest(keys, count, influences, to->joints + (size_t)v * influences,
                     to->weights + (size_t)v * influences);
    }
    sni_free(memory, keys);
    if (!ready) return false;
    sn_weights_normalize(to);
    size_t old = (size_t)from->vertex_count * influences;
    memcpy(to->joints, from->joints, old * sizeof *to->joints);
    memcpy(to->weights, from->weights, old * sizeof *to->weights);
    return true;
}

// ---------------------------------------------------------------------------------------------- morphs

static bool carry_offsets(const snVec3* from, const snOrigins* origins, const snAllocator* memory,
                          snVec3** to) {
    if (from == NULL) return true;
    *to = SNI_NEW_ARRAY(memory, snVec3, origins->count);
    if (*to == NULL) return false;
    sni_origins_mix(origins, from, 3, *to);
    return true;
}

static bool carry_morphs(const snPart* part, const snOrigins* origins, const snAllocator* memory,
                         snPart* out) {
    if (part->morph_count == 0) return true;
    out->morphs = SNI_NEW_ARRAY(memory, snMorph, part->morph_count);
    if (out->morphs == NULL) return false;
    out->morph_count = part->morph_count;
    for (uint32_t m = 0; m < part->morph_count; m++) {
        const snMorph* from = &part->morphs[m];
        snMorph* to = &out->morphs[m];
        to->name = sni_copy_text(memory, from->name);
        if (to->name == NULL || !carry_offsets(from->positions, origins, memory, &to->positions) ||
            !carry_offsets(from->normals, origins, memory, &to->normals)) {
            return false;
        }
    }
    return true;
}

// ------------------------------------------------------------------------------------------------ part

static bool carry_shares(const snPart* part, const snOrigins* origins, const snAllocator* memory,
                         snPart* out) {
    if (part->dual_shares == NULL) return true;
    out->dual_shares = SNI_NEW_ARRAY(memory, float, origins->count);
    if (out->dual_shares == NULL) return false;
    sni_origins_mix(origins, part->dual_shares, 1, out->dual_shares);
    for (uint32_t v = 0; v < origins->count; v++)
        out->dual_shares[v] = sn_clampf(out->dual_shares[v], 0.0f, 1.0f);
    return true;
}

static bool carry(const snPart* part, const snAllocator* memory, snPart* out) {
    if (!carry_weights(&part->weights, out->origins, memory, &out->weights) ||
        !carry_shares(part, out->origins, memory, out) || !carry_morphs(part, out->origins, memory, out)) {
        return false;
    }
    if (part->origins == NULL) return true;
    snOrigins* composed = sni_origins_compose(part->origins, out->origins, memory);
    if (composed == NULL) return false;
    sn_origins_destroy(out->origins);
    out->origins = composed;
    return true;
}

snResult sni_part_refine(const snPart* part, const sniPartRefineDef* def, const snAllocator* memory,
                         snPart* out, size_t* out_bytes, snError* error) {
    size_t influence = sizeof(uint16_t) + sizeof(float), morph = 2 * sizeof(snVec3);
    sniRefineDef refine = {.mesh = part->mesh,
                           .weld = part->weld,
                           .marks = def->marks,
                           .above = def->above,
                           .levels = def->levels,
                           .memory_limit = def->memory_limit,
                           .vertex_bytes = part->weights.influences * influence + part->morph_count * morph};
    sniRefined refined = {0};
    *out = (snPart){0};
    snResult result = sni_mesh_refine(&refine, memory, &refined, error);
    *out_bytes = refined.bytes;
    if (result != SN_RESULT_OK || refined.mesh == NULL) return result;
    *out = (snPart){.mesh = refined.mesh, .weld = refined.weld, .origins = refined.origins};
    if (carry(part, memory, out)) return SN_RESULT_OK;
    sni_part_free(memory, out);
    *out = (snPart){0};
    return sni_fail_memory(error);
}

void sni_part_swap_shape(snPart* a, snPart* b) {
    snPart old = *a;
    a->mesh = b->mesh;
    a->weld = b->weld;
    a->origins = b->origins;
    a->weights = b->weights;
    a->dual_shares = b->dual_shares;
    a->morphs = b->morphs;
    b->mesh = old.mesh;
    b->weld = old.weld;
    b->origins = old.origins;
    b->weights = old.weights;
    b->dual_shares = old.dual_shares;
    b->morphs = old.morphs;
}
