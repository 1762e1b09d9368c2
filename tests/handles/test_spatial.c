// Finding what is near, and how places lie around their mean.
#include <math.h>

#include "handles/cells.h"
#include "handles/spread.h"
#include "support.h"

enum { PLACES = 400 };

// Places in a box of 4 x 2 x 1, some of them twice.
static void scatter(snVec3* out) {
    uint32_t seed = 7;
    for (uint32_t i = 0; i < PLACES; i++) {
        float c[3];
        for (int k = 0; k < 3; k++) {
            seed = seed * 1664525u + 1013904223u;
            c[k] = (float)(seed >> 8) / 16777216.0f;
        }
        out[i] = i % 10 == 9 ? out[i - 1] : sn_vec3(4.0f * c[0], 2.0f * c[1], c[2]);
    }
}

static uint32_t nearest_of_all(const snVec3* places, snVec3 at, float limit) {
    uint32_t best = SN_NONE;
    float least = limit;
    for (uint32_t i = 0; i < PLACES; i++) {
        float distance = sn_distance(places[i], at);
        if (distance > least || (distance == least && best != SN_NONE)) continue;
        best = i;
        least = distance;
    }
    return best;
}

static void the_nearest_is_found(void** state) {
    (void)state;
    static const float sizes[] = {0.01f, 0.1f, 5.0f}, limits[] = {INFINITY, 0.2f, 0.02f};
    snAllocator memory = sn_allocator_default();
    snVec3 places[PLACES];
    scatter(places);
    for (int i = 0; i < 3; i++) {
        sniCells cells = {.origin = sn_vec3(0, 0, 0), .cell = sizes[i]};
        for (uint32_t p = 0; p < PLACES; p++) assert_true(sni_cells_add(&cells, &memory, places[p], p));
        sni_cells_sort(&cells);
        for (uint32_t p = 0; p < PLACES; p++) { // around the places, and far from all of them
            snVec3 at = sn_scale(places[p], p % 20 == 0 ? -3.0f : 1.05f);
            for (int k = 0; k < 3; k++)
                assert_int_equal(sni_cells_nearest(&cells, places, at, limits[k]),
                                 nearest_of_all(places, at, limits[k]));
        }
        memory.free(memory.user, cells.items);
    }
}

// A box leaning to one side: its axes and variances are known.
static void axes_of_a_box(void** state) {
    (void)state;
    snVec3 axes[3] = {sn_vec3(0.6f, 0.8f, 0), sn_vec3(-0.8f, 0.6f, 0), sn_vec3(0, 0, 1)};
    const float sides[3] = {3.0f, 1.0f, 2.0f}; // half of them; the corners' variances are their squares
    sniSpread spread = {.origin = sn_vec3(90, -50, 10)};
    for (int corner = 0; corner < 8; corner++) {
        snVec3 at = sn_vec3(100, -50, 7);
        for (int k = 0; k < 3; k++)
            at = sn_add(at, sn_scale(axes[k], corner >> k & 1 ? sides[k] : -sides[k]));
        sni_spread_add(&spread, at, 0.5);
    }
    snVec3 found[3];
    float variances[3];
    sni_spread_axes(&spread, found, variances);
    assert_vec3_near(sni_spread_mean(&spread), sn_vec3(100, -50, 7), 1e-5f);
    static const int order[3] = {0, 2, 1};
    for (int k = 0; k < 3; k++) {
        assert_near(fabsf(sn_dot(found[k], axes[order[k]])), 1.0f, 1e-5f);
        assert_near(variances[k], sides[order[k]] * sides[order[k]], 1e-4f);
    }
}

static void nothing_has_no_spread(void** state) {
    (void)state;
    sniSpread spread = {.origin = sn_vec3(1, 2, 3)};
    snVec3 axes[3];
    float variances[3];
    sni_spread_axes(&spread, axes, variances);
    assert_vec3_near(sni_spread_mean(&spread), sn_vec3(1, 2, 3), 0.0f);
    for (int k = 0; k < 3; k++) assert_near(variances[k], 0.0f, 0.0f);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_nearest_is_found),
                                       cmocka_unit_test(axes_of_a_box),
                                       cmocka_unit_test(nothing_has_no_spread)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
