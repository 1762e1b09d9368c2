#include "rotation_lanes.h"

#include "base/simd_rotation.h"

static void load(const TestMatrix* items, uint32_t first, uint32_t count, sniVec out[3]) {
    for (int c = 0; c < 3; c++) {
        const float* columns[SNI_LANES];
        for (uint32_t i = 0; i < SNI_LANES; i++) {
            columns[i] = items[first + i < count ? first + i : count - 1].m + 4 * c;
        }
        sniF v[4];
        sni_f_gather4(columns, v);
        out[c] = (sniVec){v[0], v[1], v[2]};
    }
}

void SNI_NAME(test_rotations)(const TestMatrix* a, const TestMatrix* start, TestMatrix* out, uint32_t count) {
    for (uint32_t first = 0; first < count; first += SNI_LANES) {
        sniVec matrix[3], from[3], r[3];
        load(a, first, count, matrix);
        load(start, first, count, from);
        sni_rotation(matrix, from, r);
        float lanes[9][SNI_LANES];
        sni_rotation_store(r, lanes);
        for (uint32_t i = 0; i < SNI_LANES && first + i < count; i++) {
            for (int k = 0; k < 12; k++) {
                out[first + i].m[k] = k % 4 < 3 ? lanes[k / 4 * 3 + k % 4][i] : 0.0f;
            }
        }
    }
}
