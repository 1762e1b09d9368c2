#include "bind/look_kernels.h"

#include "base/simd.h"

static inline sniF between_0_and_1(sniF t) {
    sniF zero = sni_f_set1(0.0f), one = sni_f_set1(1.0f);
    t = sni_f_select_greater(t, zero, t, zero);
    return sni_f_select_greater(one, t, t, one);
}

static void distances(const sniLookBlock* blocks, uint32_t count, snVec3 p, float* out) {
    sniF px = sni_f_set1(p.x), py = sni_f_set1(p.y), pz = sni_f_set1(p.z);
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
            sni_f_store(out + k, sni_f_sqrt(x * x + y * y + z * z) * sni_f_load(block->factor + k));
        }
    }
}

const sniLookKernels SNI_NAME(sni_look_kernels) = {distances};
