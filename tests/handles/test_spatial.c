// Finding what is near, and how places lie around their mean.
#include <math.h>

#include "base/memory.h"
#include "handles/sites.h"
#include "segment/cells.h"
#include "segment/spread.h"
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

// Around the places, and far from all of them.
static void the_nearest_is_found(void** state) {
    (void)state;
    static const float limits[] = {INFINITY, 0.2f, 0.02f};
    snAllocator memory = sn_allocator_default();
    snVec3 places[PLACES];
    scatter(places);
    sniSites sites = {.count = PLACES, .items = SNI_NEW_ARRAY(&memory, sniSite, PLACES)};
    assert_non_null(sites.items);
    for (uint32_t p = 0; p < PLACES; p++) sites.items[p] = (sniSite){{places[p], places[p], places[p]}, p};
    assert_true(sni_sites_build(&sites, &memory));
    for (uint32_t p = 0; p < PLACES; p++) {
        snVec3 at = sn_scale(places[p], p % 20 == 0 ? -3.0f : 1.05f);
        for (int k = 0; k < 3; k++) {
            sniNearestSite near = {limits[k], SN_NONE};
            sni_sites_nearest(&sites, at, &near);
            assert_int_equal(near.handle, nearest_of_all(places, at, limits[k]));
        }
    }
    sni_sites_free(&sites, &memory);
}

// Cells tell whose neighbours they are, in all 27 directions and at the edge of the grid.
static void cells_know_what_is_beside_them(void** state) {
    (void)state;
    snAllocator memory = sn_allocator_default();
    sniCells cells = {.cell = 1.0f};
    for (uint32_t i = 0; i < 27; i++) {
        snVec3 at = sn_vec3((float)(i % 3) + 0.5f, (float)(i / 3 % 3) + 0.5f, (float)(i / 9) + 0.5f);
        assert_true(sni_cells_add(&cells, &memory, at, i));
    }
    sni_cells_sort(&cells);
    for (uint32_t i = 0; i < 27; i++) {
        int x = (int)(i % 3) - 1, y = (int)(i / 3 % 3) - 1, z = (int)(i / 9) - 1;
        uint32_t middle = sni_cells_key(&cells, 13);
        assert_int_equal(sni_cells_what(&cells, sni_cells_beside(&cells, middle, x, y, z)), i);
    }
    assert_true(sni_cells_beside(&cells, sni_cells_key(&cells, 0), -1, 0, 0) == SIZE_MAX);
    assert_true(sni_cells_beside(&cells, sni_cells_key(&cells, 26), 0, 0, 1) == SIZE_MAX);
    memory.free(memory.user, cells.items);
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
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_nearest_is_found), cmocka_unit_test(cells_know_what_is_beside_them),
        cmocka_unit_test(axes_of_a_box), cmocka_unit_test(nothing_has_no_spread)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
