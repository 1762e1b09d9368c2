// Bodies in the air: masses, free fall, the legs before and after it.
#include <math.h>

#include "paths/player.h"
#include "walker.h"

#define LEG 0.87f // hip to ankle, nearly

// ------------------------------------------------------------------------------------------------- masses

// Three boxes of 1, 2 and 5 parts weigh that, however many corners they have; the last is two halves.
static void handles_weigh_their_volume(void** state) {
    (void)state;
    snVec3 positions[4 * 36];
    uint32_t corners[4 * 36], vertices[4 * 36], count = 0;
    add_box(sn_vec3(0, 0, 0), sn_vec3(0.1f, 0.1f, 0.1f), positions, &count);
    add_box(sn_vec3(3, 0, 0), sn_vec3(0.1f, 0.2f, 0.1f), positions, &count);
    add_box(sn_vec3(0, 3, 0), sn_vec3(0.125f, 0.2f, 0.1f), positions, &count);
    add_box(sn_vec3(0.25f, 3, 0), sn_vec3(0.125f, 0.2f, 0.1f), positions, &count);
    for (uint32_t i = 0; i < count; i++) corners[i] = vertices[i] = i;
    snMesh* mesh = test_triangles(positions, count, corners, count / 3);
    const snHandleDef defs[3] = {
        {.name = "one", .vertices = vertices, .vertex_count = 36, .confidence = 1.0f},
        {.name = "two", .vertices = vertices + 36, .vertex_count = 36, .confidence = 1.0f},
        {.name = "five", .vertices = vertices + 72, .vertex_count = 72, .confidence = 1.0f}};
    snHandlesDef def = {mesh, 3, defs};
    snHandles* handles = NULL;
    assert_ok(sn_handles_create(&def, NULL, &handles, NULL));
    float masses[3];
    sni_flight_masses(handles, mesh, NULL, masses);
    assert_near(masses[0], 1.0 / 8.0, 1e-5);
    assert_near(masses[1], 2.0 / 8.0, 1e-5);
    assert_near(masses[2], 5.0 / 8.0, 1e-5);
    sn_handles_destroy(handles);
    sn_mesh_destroy(mesh);
}

// ------------------------------------------------------------------------------------------------- jumps

typedef struct Jump {
    float from, to, ahead, up; // seconds; where it lands
    snPathKey keys[2][2];
    snPathDef paths[2];
} Jump;

static void jump_make(Jump* jump, float from, float to, float ahead, float up) {
    *jump = (Jump){.from = from, .to = to, .ahead = ahead, .up = up};
    for (uint32_t s = 0; s < 2; s++) {
        float side = s == 0 ? 0.1f : -0.1f;
        jump->keys[s][0] = (snPathKey){0.0f, from, {side, 0.0f, 0.05f}};
        jump->keys[s][1] = (snPathKey){to, 1.5f, {side, up, 0.05f + ahead}};
        jump->paths[s] = (snPathDef){.handle = s == 0 ? LEFT_FOOT : RIGHT_FOOT,
                                     .point = {side, 0.0f, 0.05f},
                                     .strength = 1.0f,
                                     .smooth = true,
                                     .contact = true,
                                     .global = true,
                                     .roll = 1.0f,
                                     .key_count = 2,
                                     .keys = jump->keys[s]};
    }
}

static snPathPlayerDef jump_def(const Walker* walker, const Jump* jump) {
    snPathPlayerDef def = walker_def(walker, NULL);
    def.path_count = 2;
    def.paths = jump->paths;
    def.change = 0.25f;
    def.fps = 60.0f;
    return def;
}

#define MOST_FRAMES 512u
typedef struct Played {
    uint32_t frames;
    snVec3 mass[MOST_FRAMES];
    float leg[MOST_FRAMES]; // the shorter one, hip to ankle, of what it is straight
} Played;

static void jump_play(const snPathPlayerDef* def, Played* out) {
    snPathPlayer* player = NULL;
    assert_ok(sn_path_player_create(def, NULL, &player, NULL));
    out->frames = sn_path_player_frame_count(player);
    assert_true(out->frames <= MOST_FRAMES);
    float straight = sn_distance(CENTERS[1], CENTERS[2]) + sn_distance(CENTERS[2], CENTERS[3]);
    for (uint32_t f = 0; f < out->frames; f++) {
        snPathFrame frame;
        assert_ok(sn_path_player_run(player, f, &frame));
        assert_non_null(player->masses);
        out->mass[f] = sni_flight_mass(player);
        out->leg[f] = INFINITY;
        for (uint32_t thigh = 1; thigh <= 4; thigh += 3)
            out->leg[f] = sn_minf(out->leg[f],
                                  sn_distance(sn_rigid_point(frame.handles[thigh], CENTERS[thigh]),
                                              sn_rigid_point(frame.handles[thigh + 2], CENTERS[thigh + 2])) /
                                      straight);
    }
    for (uint32_t i = 0; i < def->path_count; i++) {
        snContactReport report = sn_path_player_report(player, i);
        assert_true(report.slide_max < 1e-5f && report.stretch_max < 1e-3f);
    }
    sn_path_player_destroy(player);
}

// Second differences between take-off and landing: gravity, and nothing sideways.
static void assert_falls(const Played* played, const Jump* jump, float fps) {
    uint32_t first = (uint32_t)ceilf(jump->from * fps) + 1, last = (uint32_t)floorf(jump->to * fps) - 1;
    assert_true(first + 5 < last);
    for (uint32_t f = first; f <= last; f++) {
        snVec3 bend = sn_scale(sn_add(sn_sub(played->mass[f + 1], played->mass[f]),
                                      sn_sub(played->mass[f - 1], played->mass[f])),
                               fps * fps);
        assert_near(bend.y, -9.81, 0.1);
        assert_near(bend.x, 0, 0.1);
        assert_near(bend.z, 0, 0.5);
    }
}

static float least_leg(const Played* played, uint32_t from, uint32_t to) {
    float least = INFINITY;
    for (uint32_t f = from; f <= to; f++) least = sn_minf(least, played->leg[f]);
    return least;
}

// Level, onto a box and down from one, far and on the spot. Legs are nearly straight when they leave, were
// bent before, and give way.
static void bodies_fall_freely(void** state) {
    (void)state;
    Walker walker = walker_create();
    static const float ways[5][4] = {{0.8f, 1.3f, 0.8f, 0.0f},
                                     {0.8f, 1.3f, 0.0f, 0.0f},
                                     {0.75f, 1.21f, 0.5f, 0.3f},
                                     {0.8f, 1.4f, 0.6f, -0.6f},
                                     {0.8f, 1.0f, 0.3f, 0.0f}};
    static Played played;
    for (uint32_t i = 0; i < 5; i++) {
        Jump jump;
        jump_make(&jump, ways[i][0], ways[i][1], ways[i][2], ways[i][3]);
        snPathPlayerDef def = jump_def(&walker, &jump);
        jump_play(&def, &played);
        assert_falls(&played, &jump, def.fps);
        uint32_t leaves = (uint32_t)(jump.from * def.fps + 0.01f), lands = (uint32_t)ceilf(jump.to * def.fps);
        assert_true(played.leg[leaves] > 0.985f);
        if (jump.to - jump.from < 0.3f) continue;
        assert_true(least_leg(&played, 0, leaves) < 0.9f);
        assert_true(least_leg(&played, lands, played.frames - 1) < 0.93f);
        // How high it rises is known from how long it flies, and stands and stands again.
        float span = jump.to - jump.from, most = -INFINITY;
        for (uint32_t f = leaves; f <= lands; f++) most = sn_maxf(most, played.mass[f].y);
        float speed = (played.mass[lands].y - played.mass[leaves].y) / span + 0.5f * 9.81f * span;
        assert_near(most - played.mass[leaves].y, speed * speed / (2.0 * 9.81), 0.03);
        // Legs brake it as hard whatever the speed.
        float falls = speed - 9.81f * span, least = INFINITY;
        for (uint32_t f = lands; f < played.frames; f++) least = sn_minf(least, played.mass[f].y);
        assert_near(least, played.mass[lands].y - sn_minf(falls * falls / 42.0f, 0.4f * LEG), 0.03);
        // It ends as it began, over its feet.
        assert_near(played.mass[played.frames - 1].y, played.mass[0].y + jump.up, 0.02);
        assert_near(played.mass[played.frames - 1].z, played.mass[0].z + jump.ahead, 0.02);
    }
    walker_destroy(&walker);
}

// Feet that take over from each other before the other is down run: a flight each, with the ground between.
static void runs_fly_from_foot_to_foot(void** state) {
    (void)state;
    Walker walker = walker_create();
    const snWalkFoot feet[2] = {{LEFT_FOOT, {0.1f, 0.0f, 0.05f}, 0.0f, 0.0f, 0.0f},
                                {RIGHT_FOOT, {-0.1f, 0.0f, 0.05f}, 0.5f, 0.0f, 0.0f}};
    const snVec2 line[2] = {{0.0f, 0.0f}, {0.0f, 6.0f}};
    for (uint32_t i = 0; i < 2; i++) {
        snWalkDef run = sn_walk_def();
        run.foot_count = 2;
        run.feet = feet;
        run.line_count = 2;
        run.line = line;
        run.cycle = 0.7f;
        run.duty = i == 0 ? 0.35f : 0.6f;
        sn_paths_destroy(walker.paths);
        assert_ok(sn_walk_paths(&run, NULL, NULL, &walker.paths, NULL));
        snPathPlayerDef def = walker_def(&walker, NULL);
        def.fps = 120.0f;
        snPathPlayer* player = NULL;
        assert_ok(sn_path_player_create(&def, NULL, &player, NULL));
        if (i == 1) assert_true(player->flight_count == 0 && player->masses == NULL);
        if (i == 0) assert_true(player->flight_count > 3);
        snVec3 before[2] = {{0, 0, 0}, {0, 0, 0}};
        for (uint32_t f = 0; i == 0 && f < sn_path_player_frame_count(player); f++) {
            snPathFrame frame;
            assert_ok(sn_path_player_run(player, f, &frame));
            snVec3 now = sni_flight_mass(player);
            assert_true(sn_vec3_finite(now));
            bool flew = f > 1 && sni_flight_at(player, (float)(f - 2) / 120.0f) != NULL &&
                        sni_flight_at(player, frame.time) != NULL &&
                        sni_flight_at(player, frame.time) == sni_flight_at(player, (float)(f - 2) / 120.0f);
            if (flew) assert_near((now.y - 2 * before[0].y + before[1].y) * 120 * 120, -9.81, 0.3);
            before[1] = before[0];
            before[0] = now;
        }
        for (uint32_t p = 0; p < 2 && i == 0; p++)
            assert_true(sn_path_player_report(player, p).stretch_max < 1e-3f);
        sn_path_player_destroy(player);
    }
    walker_destroy(&walker);
}

static void playing_again_is_the_same_and_allocates_nothing(void** state) {
    (void)state;
    Walker walker = walker_create();
    Jump jump;
    jump_make(&jump, 0.8f, 1.3f, 0.8f, 0.0f);
    snPathPlayerDef def = jump_def(&walker, &jump);
    TestAllocator counts = {.fail_at = UINT64_MAX};
    snAllocator memory = test_allocator(&counts);
    snPathPlayer* player = NULL;
    assert_ok(sn_path_player_create(&def, &memory, &player, NULL));
    uint64_t calls = counts.calls;
    snVec3 first[MOST_FRAMES];
    for (uint32_t round = 0; round < 2; round++)
        for (uint32_t f = 0; f < sn_path_player_frame_count(player); f++) {
            snPathFrame frame;
            assert_ok(sn_path_player_run(player, f, &frame));
            if (round == 0)
                first[f] = frame.body.translation;
            else
                assert_memory_equal(&first[f], &frame.body.translation, sizeof first[f]);
        }
    assert_int_equal(counts.calls, calls);
    sn_path_player_destroy(player);
    assert_int_equal(counts.held, 0);
    walker_destroy(&walker);
}

typedef struct Made {
    Walker* walker;
    Jump* jump;
} Made;

static snResult build(const snAllocator* allocator, void* context) {
    const Made* made = context;
    snPathPlayerDef def = jump_def(made->walker, made->jump);
    def.fps = 20.0f;
    snPathPlayer* player = NULL;
    snResult result = sn_path_player_create(&def, allocator, &player, NULL);
    sn_path_player_destroy(player);
    return result;
}

static void memory_failures_leak_nothing(void** state) {
    (void)state;
    Walker walker = walker_create();
    Jump jump;
    jump_make(&jump, 0.5f, 0.9f, 0.4f, 0.0f);
    Made made = {&walker, &jump};
    test_every_allocation(build, &made);
    walker_destroy(&walker);
}

// Feet that are never down again, that leave at once, or fall from far.
static void odd_jumps_do_no_harm(void** state) {
    (void)state;
    Walker walker = walker_create();
    static const float ways[5][4] = {{1e-3f, 0.5f, 0.5f, 0.0f},
                                     {0.1f, 0.2f, 3.0f, 0.0f},
                                     {0.3f, 3.0f, 1.0f, -5.0f},
                                     {0.5f, 0.6f, 0.0f, 2.0f},
                                     {0.8f, 0.9f, 0.3f, -1.0f}};
    static const float rates[3] = {30.0f, 7.0f, 240.0f};
    for (uint32_t i = 0; i < 15; i++) {
        Jump jump;
        const float* way = ways[i % 5];
        jump_make(&jump, way[0], way[1], way[2], way[3]);
        snPathPlayerDef def = jump_def(&walker, &jump);
        def.fps = rates[i / 5];
        if (i % 2 == 0) def.duration = jump.to - 0.05f;
        snPathPlayer* player = NULL;
        assert_ok(sn_path_player_create(&def, NULL, &player, NULL));
        for (uint32_t f = 0; f < sn_path_player_frame_count(player); f++) {
            snPathFrame frame;
            assert_ok(sn_path_player_run(player, f, &frame));
            for (uint32_t h = 0; h < HANDLES; h++) {
                assert_true(sn_vec3_finite(frame.handles[h].translation));
                assert_near(sn_quat_dot(frame.handles[h].rotation, frame.handles[h].rotation), 1, 1e-4);
            }
        }
        sn_path_player_destroy(player);
    }
    walker_destroy(&walker);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(handles_weigh_their_volume),
        cmocka_unit_test(bodies_fall_freely),
        cmocka_unit_test(runs_fly_from_foot_to_foot),
        cmocka_unit_test(playing_again_is_the_same_and_allocates_nothing),
        cmocka_unit_test(memory_failures_leak_nothing),
        cmocka_unit_test(odd_jumps_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
