// Feet that come down across the edges of steps, moved off them.
#include <math.h>

#include "walker.h"

static snTerrain stair(float begin, float length, float height) {
    return (snTerrain){.kind = SN_TERRAIN_STEPS,
                       .height = height,
                       .direction = {0, 1},
                       .length = length,
                       .begin = begin,
                       .edge = 0.03f,
                       .steps = 5};
}

static void lay(Walker* walker, const snTerrain* terrain, float stride) {
    const snWalkFoot feet[2] = {{LEFT_FOOT, {0.1f, 0.0f, 0.05f}, 0.0f, 0.0f, 0.0f},
                                {RIGHT_FOOT, {-0.1f, 0.0f, 0.05f}, 0.5f, 0.0f, 0.0f}};
    const snVec2 line[2] = {{0.0f, 0.0f}, {0.0f, 3.6f}};
    snWalkDef def = sn_walk_def();
    def.foot_count = 2;
    def.feet = feet;
    def.line_count = 2;
    def.line = line;
    def.stride = stride;
    def.cycle = 1.4f;
    sn_paths_destroy(walker->paths);
    assert_ok(sn_walk_paths(&def, terrain, NULL, &walker->paths, NULL));
}

// Heights of the ground under the ends of a foot that is flat on its place.
static void heights_under(snVec3 place, const snTerrain* terrain, float* out_heel, float* out_toe) {
    float heel = place.z - 0.05f + PROFILE[0][0], toe = place.z - 0.05f + PROFILE[4][0];
    *out_heel = sn_terrain_height(terrain, place.x, heel);
    *out_toe = sn_terrain_height(terrain, place.x, toe);
}

// Landings that were across an edge before they were moved.
static uint32_t count_across(const snPaths* paths, const snTerrain* terrain) {
    uint32_t count = 0;
    for (uint32_t p = 0; p < paths->path_count; p++)
        for (uint32_t k = 0; k < paths->paths[p].key_count; k++) {
            float heel, toe;
            heights_under(paths->paths[p].keys[k].place, terrain, &heel, &toe);
            count += paths->paths[p].keys[k].rest > 0.0f && fabsf(toe - heel) > 1e-5f;
        }
    return count;
}

// What a walk did: where feet stood, in the order in which they came down.
typedef struct Stood {
    uint32_t count;
    uint32_t path[64];
    snVec3 place[64];
    float stretch, slide, sunk;
} Stood;

static Stood play(const Walker* walker, const snTerrain* terrain) {
    snPathPlayerDef def = walker_def(walker, terrain);
    snPathPlayer* player = NULL;
    assert_ok(sn_path_player_create(&def, NULL, &player, NULL));
    Stood stood = {0};
    bool before[2] = {false, false};
    snPathFrame frame;
    for (uint32_t f = 0; f < sn_path_player_frame_count(player); f++) {
        assert_ok(sn_path_player_run(player, f, &frame));
        for (uint32_t i = 0; i < 2; i++) {
            if (frame.resting[i] && !before[i]) {
                assert_true(stood.count < 64);
                stood.path[stood.count] = i;
                stood.place[stood.count++] = frame.targets[i];
            }
            before[i] = frame.resting[i];
        }
    }
    for (uint32_t i = 0; i < 2; i++) {
        snContactReport report = sn_path_player_report(player, i);
        stood.stretch = sn_maxf(stood.stretch, report.stretch_max);
        stood.slide = sn_maxf(stood.slide, report.slide_max);
        stood.sunk = sn_maxf(stood.sunk, report.sunk_max);
    }
    sn_path_player_destroy(player);
    return stood;
}

// Up and down, with strides that have nothing to do with the treads: whole soles on treads, each step ahead
// of the one before (but for the last, which closes up), none longer than a leg, and nothing slides.
static void soles_stand_on_one_tread(void** state) {
    (void)state;
    Walker walker = walker_create();
    const float strides[4] = {0.6f, 0.72f, 0.9f, 1.03f}, begins[3] = {0.5f, 0.61f, 0.77f};
    uint32_t across = 0;
    for (int k = 0; k < 24; k++) {
        float height = k < 12 ? 0.14f : -0.14f;
        snTerrain terrain = stair(begins[k % 3], 0.42f, height);
        lay(&walker, &terrain, strides[k / 3 % 4]);
        across += count_across(walker.paths, &terrain);
        Stood stood = play(&walker, &terrain);
        assert_true(stood.count > 8);
        assert_near(stood.slide, 0, 1e-5);
        assert_near(stood.sunk, 0, 1e-5);
        for (uint32_t s = 0; s < stood.count; s++) {
            float heel, toe;
            heights_under(stood.place[s], &terrain, &heel, &toe);
            assert_near(heel, toe, 1e-5);
            assert_near(stood.place[s].y, heel, 1e-5);
            if (s < 2) continue;
            snVec3 step = sn_sub(stood.place[s], stood.place[s - 1]);
            assert_int_not_equal(stood.path[s], stood.path[s - 1]);
            assert_true(sn_length(step) < 0.87f);
            assert_true(s + 1 == stood.count ? fabsf(step.z) < 1e-5f : step.z > 0.1f);
        }
    }
    assert_true(across > 40);
    walker_destroy(&walker);
}

// No further than half of what lies across: the sole, the edge and what is kept from both.
static void moves_are_the_smaller_ones(void** state) {
    (void)state;
    Walker walker = walker_create();
    snTerrain terrain = stair(0.61f, 0.42f, 0.14f);
    lay(&walker, &terrain, 0.72f);
    Stood stood = play(&walker, &terrain);
    float most = 0.0f;
    for (uint32_t p = 0; p < 2; p++) {
        const snPathDef* path = &walker.paths->paths[p];
        for (uint32_t k = 0; k < path->key_count; k++) {
            float nearest = INFINITY;
            for (uint32_t s = 0; s < stood.count && path->keys[k].rest > 0.0f; s++)
                if (stood.path[s] == p)
                    nearest = sn_minf(nearest, fabsf(stood.place[s].z - path->keys[k].place.z));
            if (path->keys[k].rest > 0.0f) most = sn_maxf(most, nearest);
        }
    }
    assert_true(most > 0.01f && most <= 0.5f * (0.25f + 0.03f + 0.02f * 0.25f * 2.0f) + 1e-4f);
    // What may not be moved stays.
    for (uint32_t p = 0; p < 2; p++) walker.paths->paths[p].footing = false;
    stood = play(&walker, &terrain);
    for (uint32_t s = 2; s < stood.count; s++) {
        float nearest = INFINITY;
        const snPathDef* path = &walker.paths->paths[stood.path[s]];
        for (uint32_t k = 0; k < path->key_count; k++)
            nearest = sn_minf(nearest, sn_distance(stood.place[s], path->keys[k].place));
        assert_near(nearest, 0, 0);
    }
    walker_destroy(&walker);
}

// Toes stay before the next step where treads are shorter than feet: heels hang over.
static void short_treads_carry_the_end_up_the_stair(void** state) {
    (void)state;
    Walker walker = walker_create();
    snTerrain terrain = stair(0.6f, 0.22f, 0.1f);
    lay(&walker, &terrain, 0.66f);
    Stood stood = play(&walker, &terrain);
    uint32_t on_stair = 0;
    for (uint32_t s = 0; s < stood.count; s++) {
        float heel, toe;
        heights_under(stood.place[s], &terrain, &heel, &toe);
        assert_near(stood.place[s].y, toe, 1e-5);
        on_stair += stood.place[s].z > 0.65f && stood.place[s].z < 1.4f;
    }
    assert_true(on_stair >= 2);
    assert_near(stood.sunk, 0, 1e-5);
    walker_destroy(&walker);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(soles_stand_on_one_tread),
        cmocka_unit_test(moves_are_the_smaller_ones),
        cmocka_unit_test(short_treads_carry_the_end_up_the_stair),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
