#include "trig_lanes.h"

#include "base/simd_trig.h"

enum { FIELDS = sizeof(TestTrig) / sizeof(float) };

void SNI_NAME(test_trig)(const float* a, const float* b, TestTrig* out, uint32_t count) {
    for (uint32_t first = 0; first < count; first += SNI_LANES) {
        float x[SNI_LANES], y[SNI_LANES], lanes[FIELDS][SNI_LANES];
        for (uint32_t i = 0; i < SNI_LANES; i++) {
            uint32_t at = first + i < count ? first + i : count - 1;
            x[i] = a[at], y[i] = b[at];
        }
        sniF u = sni_f_load(x), v = sni_f_load(y), sine, cosine;
        sni_f_sin_cos(u, &sine, &cosine);
        const sniF values[FIELDS] = {sni_f_round(u), sni_f_min(u, v), sni_f_max(u, v),  sni_f_abs(u),
                                     sine,           cosine,          sni_f_turns(u, v)};
        for (int k = 0; k < FIELDS; k++) sni_f_store(lanes[k], values[k]);
        for (uint32_t i = 0; i < SNI_LANES && first + i < count; i++) {
            out[first + i] = (TestTrig){lanes[0][i], lanes[1][i], lanes[2][i], lanes[3][i],
                                        lanes[4][i], lanes[5][i], lanes[6][i]};
        }
    }
}
