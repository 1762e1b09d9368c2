// The tree of boxes: whatever is near is shown, whatever is not marked is not.
#include <math.h>
#include <stdlib.h>

#include "base/box_tree.h"
#include "support.h"

enum { COUNT = 700 };

typedef struct Items {
    snVec3 at[COUNT];
    uint32_t marks[COUNT];
} Items;

static void item_box(const void* user, uint32_t item, sniBox* out) {
    const Items* items = user;
    snVec3 p = items->at[item];
    *out = (sniBox){{p.x, p.y, p.z}, {p.x, p.y, p.z}, items->marks[item]};
}

static Items* scatter(uint32_t seed) {
    Items* items = calloc(1, sizeof *items);
    for (uint32_t i = 0; i < COUNT; i++) {
        items->at[i] = sn_vec3(test_random_float(&seed, -2, 2), test_random_float(&seed, 0, 1), 0.5f);
        if (i % 9 == 8) items->at[i] = items->at[i - 1];
        items->marks[i] = test_random(&seed) % 5;
    }
    return items;
}

typedef struct Search {
    const Items* items;
    snVec3 at;
    uint32_t least, best, looked;
    float distance2;
} Search;

static float distance2(snVec3 a, snVec3 b) {
    snVec3 d = sn_sub(a, b);
    return sn_dot(d, d);
}

static float look(void* user, uint32_t item) {
    Search* s = user;
    float here = distance2(s->items->at[item], s->at);
    assert_true(s->items->marks[item] >= s->least);
    s->looked++;
    if (here < s->distance2 || (here == s->distance2 && item < s->best)) {
        s->distance2 = here;
        s->best = item;
    }
    return s->distance2;
}

static uint32_t by_hand(const Items* items, uint32_t count, snVec3 at, uint32_t least, float within) {
    uint32_t best = SN_NONE;
    for (uint32_t i = 0; i < count; i++) {
        float here = distance2(items->at[i], at);
        if (items->marks[i] < least || here > within) continue;
        if (best == SN_NONE || here < distance2(items->at[best], at)) best = i;
    }
    return best;
}

static void the_nearest_is_found(void** state) {
    (void)state;
    Items* items = scatter(3);
    uint32_t random = 17, looked = 0;
    const uint32_t counts[] = {1, 3, 4, 5, 16, 17, 64, COUNT};
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
        sniBoxTree tree;
        void* memory = aligned_alloc(16, sni_box_tree_place(&tree, NULL, counts[c]));
        sni_box_tree_place(&tree, memory, counts[c]);
        sni_box_tree_build(&tree, sn_bounds_of(items->at, counts[c]), item_box, items, NULL);
        for (int i = 0; i < 300; i++) {
            float within = i % 3 == 0 ? 0.01f : INFINITY;
            Search s = {.items = items, .least = (uint32_t)i % 6, .best = SN_NONE, .distance2 = within};
            s.at = sn_vec3(test_random_float(&random, -3, 3), test_random_float(&random, -1, 2),
                           test_random_float(&random, 0, 1));
            sni_box_tree_near(&tree, s.at, s.least, within, look, &s);
            assert_int_equal(s.best, by_hand(items, counts[c], s.at, s.least, within));
            if (counts[c] == COUNT) looked += s.looked;
        }
        free(memory);
    }
    assert_true(looked < 300 * COUNT / 10); // most of it is never looked at
    free(items);
}

// Every item stands once in the tree, in its box, and each group holds what is below it.
static void groups_hold_what_is_below(void** state) {
    (void)state;
    Items* items = scatter(9);
    sniBoxTree tree;
    void* memory = aligned_alloc(16, sni_box_tree_place(&tree, NULL, COUNT));
    sni_box_tree_place(&tree, memory, COUNT);
    sni_box_tree_build(&tree, sn_bounds_of(items->at, COUNT), item_box, items, NULL);
    bool seen[COUNT] = {false};
    for (uint32_t i = 0; i < COUNT; i++) {
        uint32_t item = sni_box_tree_item(&tree, i);
        assert_false(seen[item]);
        seen[item] = true;
        assert_true(tree.levels[0][i / SNI_BOXES].min[0][i % SNI_BOXES] == items->at[item].x);
        assert_int_equal(tree.levels[0][i / SNI_BOXES].marks[i % SNI_BOXES], items->marks[item]);
    }
    for (uint32_t level = 1; level < tree.level_count; level++) {
        for (uint32_t g = 0; g < tree.group_counts[level - 1]; g++) {
            sniBox whole = sni_box_group_whole(&tree.levels[level - 1][g]);
            const sniBoxGroup* above = &tree.levels[level][g / SNI_BOXES];
            assert_true(above->min[1][g % SNI_BOXES] == whole.min[1]);
            assert_true(above->max[0][g % SNI_BOXES] == whole.max[0]);
            assert_int_equal(above->marks[g % SNI_BOXES], whole.mark);
        }
    }
    assert_int_equal(tree.group_counts[tree.level_count - 1], 1);
    free(memory);
    free(items);
}

// Points as boxes of some size.
static void wide_box(const void* user, uint32_t item, sniBox* out) {
    const Items* items = user;
    snVec3 p = items->at[item];
    *out = (sniBox){{p.x - 0.02f, p.y - 0.02f, p.z}, {p.x + 0.02f, p.y + 0.02f, p.z}, 0};
}

typedef struct Met {
    bool items[COUNT];
    uint32_t count;
} Met;

static float meet(void* user, uint32_t item) {
    Met* met = user;
    assert_false(met->items[item]);
    met->items[item] = true;
    met->count++;
    return INFINITY;
}

// All boxes lie in the plane z = 0.5. Where they have moved, a refit knows.
static void rays_meet_what_is_in_their_way(void** state) {
    (void)state;
    Items* items = scatter(5);
    uint32_t random = 23, all = 0;
    sniBoxTree tree;
    void* memory = aligned_alloc(16, sni_box_tree_place(&tree, NULL, COUNT));
    sni_box_tree_place(&tree, memory, COUNT);
    sni_box_tree_build(&tree, sn_bounds_of(items->at, COUNT), wide_box, items, NULL);
    for (int i = 0; i < 400; i++) {
        if (i == 200) {
            for (uint32_t k = 0; k < COUNT; k++) items->at[k].x = -2.0f * items->at[k].x + 1.0f;
            sni_box_tree_refit(&tree, wide_box, items, NULL);
        }
        snVec3 at = sn_vec3(test_random_float(&random, -2, 2), test_random_float(&random, 0, 1), 0.5f);
        snVec3 way = sn_vec3(test_random_float(&random, -1, 1), test_random_float(&random, -1, 1), 1.0f);
        if (i % 4 == 0) way = sn_vec3(0, 0, i % 8 == 0 ? 1.0f : -1.0f);
        Met met = {0};
        sni_box_tree_ray(&tree, sn_sub(at, sn_scale(way, 3.0f)), way, INFINITY, meet, &met);
        for (uint32_t k = 0; k < COUNT; k++) {
            float x = fabsf(items->at[k].x - at.x), y = fabsf(items->at[k].y - at.y);
            if (x < 0.0199f && y < 0.0199f) assert_true(met.items[k]);
            if (x > 0.0201f || y > 0.0201f) assert_false(met.items[k]);
        }
        all += met.count;
        // Neither behind it nor beyond what matters.
        Met none = {0};
        sni_box_tree_ray(&tree, sn_add(at, way), way, INFINITY, meet, &none);
        sni_box_tree_ray(&tree, sn_sub(at, sn_scale(way, 3.0f)), way, 2.9f, meet, &none);
        assert_int_equal(none.count, 0);
    }
    assert_true(all > 50);
    free(memory);
    free(items);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_nearest_is_found),
                                       cmocka_unit_test(groups_hold_what_is_below),
                                       cmocka_unit_test(rays_meet_what_is_in_their_way)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
