#include "bind/look_kernels.h"

#include "base/simd.h"

static inline sniF between_0_and_1(sniF t) {
    sniF zero = sni_f_set1(0.0f), one = sni_f_set1(1.0f);
    t = sni_f_select_greater(t, zero, t, zero);
    return sni_f_select_greater(one, t, t, one);
}

// The nearest of the lanes, of equals the first: lane k has seen bone first[k] + k nearest.
static uint32_t nearest_of(sniF least, sniF first) {
    float distances[SNI_LANES], firsts[SNI_LANES];
    sni_f_store(distances, least);
    sni_f_store(firsts, first);
    uint32_t best = (uint32_t)firsts[0];
    float nearest = distances[0];
    for (uint32_t k = 1; k < SNI_LANES; k++) {
        uint32_t bone = (uint32_t)firsts[k] + k;
        if (distances[k] > nearest || (distances[k] == nearest && bone > best)) continue;
        nearest = distances[k];
        best = bone;
    }
    return best;
}

static uint32_t look(const sniLookBlock* blocks, uint32_t count, snVec3 p, float* out) {
    sniF px = sni_f_set1(p.x), py = sni_f_set1(p.y), pz = sni_f_set1(p.z);
    sniF least = sni_f_set1(INFINITY), first = sni_f_set1(0.0f), number = first;
    for (uint32_t b = 0; b < count; b++, out += SNI_LOOK_LANES) {
        const sniLookBlock* block = &blocks[b];
        for (int k = 0; k < SNI_LOOK_LANES; k += SNI_LANES) {
            sniF dx = sni_f_load(block->dx + k), dy = sni_f_load(block->dy + k),
                 dz = sni_f_load(block->dz + k);
            sniF x = px - sni_f_load(block->x + k), y = py - sni_f_load(block->y + k),
                 z = pz - sni_f_load(block->z + k);
            sniF t = between_0_and_1((x * dx + y * dy + z * dz) * sni_f_load(block->inverse + k));
            x = x - dx * t;
            y = y - dy * t;
            z = z - dz * t;
            sniF distance = sni_f_sqrt(x * x + y * y + z * z) * sni_f_load(block->factor + k);
            sni_f_store(out + k, distance);
            first = sni_f_select_greater(least, distance, number, first);
            least = sni_f_select_greater(least, distance, distance, least);
            number = number + sni_f_set1((float)SNI_LANES);
        }
    }
    return nearest_of(least, first);
}

const sniLookKernels SNI_NAME(sni_look_kernels) = {look};
