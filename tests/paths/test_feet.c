// Feet of a player that knows their soles: rolling, staying above the ground, and standing still.
#include <math.h>
#include <string.h>

#include "paths/limb.h"
#include "paths/sole.h"
#include "walker.h"

static snPathPlayer* play(const snPathPlayerDef* def) {
    snPathPlayer* player = NULL;
    assert_ok(sn_path_player_create(def, NULL, &player, NULL));
    return player;
}

// ---------------------------------------------------------------------------------------------------- soles

static void soles_roll_without_sliding(void** state) {
    (void)state;
    Walker walker = walker_create();
    uint8_t marks[HANDLES];
    sniSole sole;
    sn_handles_followers(walker.handles, LEFT_FOOT, marks);
    sni_sole_find(walker.handles, walker.mesh, LEFT_FOOT, marks, &sole);
    assert_near(sole.low, 0, 0);
    assert_near(sole.length, 0.25, 1e-6);
    assert_vec3_near(sole.forward, sn_vec3(0, 0, 1), 1e-6f);
    snRigid still = sni_sole_roll(&sole, 0.0f);
    assert_vec3_near(still.translation, sn_vec3(0, 0, 0), 1e-7f);
    const snHandle* foot = &walker.handles->handles[LEFT_FOOT];
    snVec3 before[FOOT_VERTICES] = {{0.0f, 0.0f, 0.0f}};
    uint32_t touched = 0;
    for (int32_t k = -60; k <= 60; k++) {
        snRigid place = sni_sole_roll(&sole, 0.01f * (float)k);
        float least = INFINITY;
        for (uint32_t i = 0; i < FOOT_VERTICES; i++) {
            snVec3 at = sn_rigid_point(place, walker.mesh->positions[foot->vertices[i]]);
            least = sn_minf(least, at.y);
            if (k > -60 && at.y < 1e-6f && before[i].y < 1e-6f) {
                assert_vec3_near(at, before[i], 1e-5f);
                touched++;
            }
            before[i] = at;
        }
        assert_near(least, 0, 1e-6);
    }
    assert_true(touched > 150);
    walker_destroy(&walker);
}

// --------------------------------------------------------------------------------------------------- ground

static float turn_between(snQuat a, snQuat b) {
    return 2.0f * sn_acos(sn_minf(fabsf(sn_quat_dot(a, b)), 1.0f));
}

// The whole walk: no vertex of a foot below the ground by more than `sink`, what touches it in two frames
// stays, and no foot turns fast or all at once: these poses stretch their toes by more than a right angle
// within a third of a second.
static void check_ground(const Walker* walker, const snTerrain* terrain, float sink) {
    snPathPlayerDef def = walker_def(walker, terrain);
    snPathPlayer* player = play(&def);
    static const uint32_t feet[2] = {LEFT_FOOT, RIGHT_FOOT};
    snVec3 before[2][FOOT_VERTICES] = {{{0.0f, 0.0f, 0.0f}}};
    snQuat turned[2];
    float turns[2] = {0.0f, 0.0f};
    snPathFrame frame;
    uint32_t touched = 0;
    for (uint32_t f = 0; f < sn_path_player_frame_count(player); f++) {
        assert_ok(sn_path_player_run(player, f, &frame));
        for (uint32_t i = 0; i < 2; i++) {
            const snHandle* foot = &walker->handles->handles[feet[i]];
            for (uint32_t v = 0; v < FOOT_VERTICES; v++) {
                snVec3 at =
                    sn_rigid_point(frame.handles[feet[i]], walker->mesh->positions[foot->vertices[v]]);
                float above = at.y - sn_terrain_height(terrain, at.x, at.z);
                if (above < -sink) fail_msg("frame %u, foot %u is %g below", f, i, (double)-above);
                float last = f > 0
                                 ? before[i][v].y - sn_terrain_height(terrain, before[i][v].x, before[i][v].z)
                                 : 1.0f;
                if (fabsf(above) < 2e-6f && fabsf(last) < 2e-6f && frame.resting[i]) {
                    assert_vec3_near(at, before[i][v], 1e-5f);
                    touched++;
                }
                before[i][v] = at;
            }
            float turn = f > 0 ? turn_between(turned[i], frame.handles[feet[i]].rotation) : 0.0f;
            assert_true(turn < 0.35f && fabsf(turn - turns[i]) < 0.2f);
            turned[i] = frame.handles[feet[i]].rotation;
            turns[i] = turn;
        }
    }
    for (uint32_t i = 0; i < 2; i++) {
        snContactReport report = sn_path_player_report(player, i);
        assert_true(report.contacts >= 4 && report.sunk_max <= sink);
        assert_near(report.slide_max, 0, 1e-5);
        assert_near(report.stretch_max, 0, 1e-3);
    }
    assert_true(terrain != NULL || touched > 300);
    sn_path_player_destroy(player);
}

static void feet_stay_above_the_ground(void** state) {
    (void)state;
    Walker walker = walker_create();
    check_ground(&walker, NULL, 1e-5f);
    walk_over(&walker, NULL, 0.0f);
    check_ground(&walker, NULL, 1e-5f);
    snTerrain hills = {.kind = SN_TERRAIN_HILLS, .height = 0.2f, .direction = {0, 1}, .length = 2.4f};
    walk_over(&walker, &hills, 1.0f);
    check_ground(&walker, &hills, 2e-3f);
    snTerrain stairs = {.kind = SN_TERRAIN_STEPS,
                        .height = 0.14f,
                        .direction = {0, 1},
                        .length = 0.45f,
                        .begin = 0.7f,
                        .edge = 0.03f,
                        .steps = 5};
    walk_over(&walker, &stairs, 1.0f);
    check_ground(&walker, &stairs, 1e-5f);
    walker_destroy(&walker);
}

// Without the mesh nobody knows where the toes are.
static void toes_sink_where_the_sole_is_not_known(void** state) {
    (void)state;
    Walker walker = walker_create();
    snPathPlayerDef def = walker_def(&walker, NULL);
    def.mesh = NULL;
    snPathPlayer* player = play(&def);
    const snHandle* foot = &walker.handles->handles[LEFT_FOOT];
    float lowest = 0.0f;
    snPathFrame frame;
    for (uint32_t f = 0; f < sn_path_player_frame_count(player); f++) {
        assert_ok(sn_path_player_run(player, f, &frame));
        for (uint32_t v = 0; v < FOOT_VERTICES; v++) {
            snVec3 at = walker.mesh->positions[foot->vertices[v]];
            lowest = sn_minf(lowest, sn_rigid_point(frame.handles[LEFT_FOOT], at).y);
        }
    }
    assert_true(lowest < -0.005f);
    assert_near(sn_path_player_report(player, 0).sunk_max, 0, 0);
    sn_path_player_destroy(player);
    walker_destroy(&walker);
}

// ---------------------------------------------------------------------------------------------------- rolls

// How far the toes are above the heel of the left foot.
static float toes_up(const Walker* walker, const snPathFrame* frame) {
    const uint32_t* vertices = walker->handles->handles[LEFT_FOOT].vertices;
    snVec3 heel = sn_rigid_point(frame->handles[LEFT_FOOT], walker->mesh->positions[vertices[1]]);
    return sn_rigid_point(frame->handles[LEFT_FOOT], walker->mesh->positions[vertices[2]]).y - heel.y;
}

static void heels_come_first_and_toes_leave_last(void** state) {
    (void)state;
    Walker walker = walker_create();
    snPathPlayerDef def = walker_def(&walker, NULL);
    snPathPlayer* player = play(&def);
    snPathFrame frame = {0};
    bool rested = true;
    float last = 0.0f;
    uint32_t landed = 0, left = 0, flat = 0;
    for (uint32_t f = 0; f < sn_path_player_frame_count(player); f++) {
        assert_ok(sn_path_player_run(player, f, &frame));
        float up = toes_up(&walker, &frame);
        if (frame.resting[0] && !rested) {
            assert_true(up > 0.01f);
            landed++;
        }
        if (!frame.resting[0] && rested && f > 0) {
            assert_true(last < -0.01f);
            left++;
        }
        if (frame.resting[0] && fabsf(up) < 1e-6f) flat++;
        rested = frame.resting[0];
        last = up;
    }
    assert_int_equal(landed, left);
    assert_true(landed >= 4 && flat > 20);
    assert_near(last, 0, 1e-6); // it ends standing
    sn_path_player_destroy(player);
    walker_destroy(&walker);
}

// Flat feet stand to the bit, also where their soles are known.
static void feet_that_do_not_roll_stand_still(void** state) {
    (void)state;
    Walker walker = walker_create();
    walk_over(&walker, NULL, 0.0f);
    snPathPlayerDef def = walker_def(&walker, NULL);
    snPathPlayer* player = play(&def);
    snPathFrame frame;
    snRigid before = {0};
    bool rested = false;
    uint32_t compared = 0;
    for (uint32_t f = 0; f < sn_path_player_frame_count(player); f++) {
        assert_ok(sn_path_player_run(player, f, &frame));
        if (rested && frame.resting[0]) {
            assert_memory_equal(&frame.handles[LEFT_FOOT], &before, sizeof before);
            compared++;
        }
        rested = frame.resting[0];
        before = frame.handles[LEFT_FOOT];
    }
    assert_true(compared > 40);
    sn_path_player_destroy(player);
    walker_destroy(&walker);
}

static void playing_again_allocates_nothing(void** state) {
    (void)state;
    Walker walker = walker_create();
    snPathPlayerDef def = walker_def(&walker, NULL);
    TestAllocator counts = {.fail_at = UINT64_MAX};
    snAllocator memory = test_allocator(&counts);
    snPathPlayer* player = NULL;
    assert_ok(sn_path_player_create(&def, &memory, &player, NULL));
    uint64_t calls = counts.calls, hashes[2] = {SN_HASH_SEED, SN_HASH_SEED};
    snPathFrame frame;
    for (uint32_t round = 0; round < 2; round++)
        for (uint32_t f = 0; f < sn_path_player_frame_count(player); f++) {
            assert_ok(sn_path_player_run(player, f, &frame));
            hashes[round] = sn_hash_floats(hashes[round], &frame.handles[0].rotation.x, (size_t)HANDLES * 7);
        }
    assert_int_equal(counts.calls, calls);
    assert_int_equal(hashes[0], hashes[1]);
    sn_path_player_destroy(player);
    assert_int_equal(counts.held, 0);
    walker_destroy(&walker);
}

// --------------------------------------------------------------------------------------------------- shares

// What the search leaves is the base's.
static void the_base_takes_what_is_left(void** state) {
    (void)state;
    Walker walker = walker_create();
    snPathPlayerDef def = walker_def(&walker, NULL);
    def.objective.one = 0.0f;
    def.base = 3;
    snPathPlayer *filled = play(&def), *player = NULL;
    def.base = SN_NONE;
    player = play(&def);
    snPathFrame with, without;
    float missed = 0.0f;
    for (uint32_t f = 0; f < sn_path_player_frame_count(player); f++) {
        assert_ok(sn_path_player_run(filled, f, &with));
        assert_ok(sn_path_player_run(player, f, &without));
        float sum = 0.0f, sum_without = 0.0f;
        for (uint32_t p = 0; p < 4; p++) {
            sum += with.weights[p];
            sum_without += without.weights[p];
            if (p != 3) assert_near(with.weights[p], without.weights[p], 0);
        }
        missed = sn_maxf(missed, 1.0f - sum_without);
        assert_near(sum, sn_maxf(sum_without, 1.0f), 1e-5);
    }
    assert_true(missed > 0.1f);
    sn_path_player_destroy(filled);
    sn_path_player_destroy(player);
    walker_destroy(&walker);
}

// A limb that reaches brings its end the share of the way that it is asked for, and holds together.
static void limbs_reach_for_their_targets(void** state) {
    (void)state;
    Walker walker = walker_create();
    snVec3 point = walker.handles->handles[LEFT_FOOT].position, place = sn_vec3(0.2f, 0.4f, 0.3f);
    const snPathKey key = {0.0f, 1.0f, place};
    float away = sn_distance(point, place);
    for (uint32_t k = 0; k <= 4; k++) {
        float reach = 0.25f * (float)k;
        snPathDef path = {.handle = LEFT_FOOT, .point = point, .reach = reach, .key_count = 1, .keys = &key};
        snPathPlayerDef def = walker_def(&walker, NULL);
        def.path_count = 1;
        def.paths = &path;
        def.objective.one = 0.0f; // the pose stays at rest
        snPathPlayer* player = play(&def);
        snPathFrame frame;
        assert_ok(sn_path_player_run(player, 0, &frame));
        assert_near(sn_distance(frame.points[0], place), (1.0f - reach) * away, 1e-5);
        for (uint32_t h = 1; h < LEFT_FOOT; h++) {
            snVec3 joint = walker.handles->handles[h + 1].center;
            assert_vec3_near(sn_rigid_point(frame.handles[h], joint),
                             sn_rigid_point(frame.handles[h + 1], joint), 1e-5f);
        }
        sn_path_player_destroy(player);
    }
    walker_destroy(&walker);
}

// ------------------------------------------------------------------------------------------------ odd input

static void assert_plays(const snPathPlayerDef* def) {
    snPathPlayer* player = play(def);
    for (uint32_t f = 0; f < sn_path_player_frame_count(player); f++) {
        snPathFrame frame;
        assert_ok(sn_path_player_run(player, f, &frame));
        for (uint32_t h = 0; h < def->handles->handle_count; h++) {
            assert_true(sn_vec3_finite(frame.handles[h].translation));
            assert_near(sn_quat_dot(frame.handles[h].rotation, frame.handles[h].rotation), 1, 1e-4);
        }
    }
    snContactReport report = sn_path_player_report(player, 0);
    assert_true(sn_finite(report.slide_max + report.sunk_max + report.distance_max + report.stretch_max));
    sn_path_player_destroy(player);
}

// Feet that never rest, begin late or rest once only, over cliffs and without ground, at any rate.
static void odd_paths_do_no_harm(void** state) {
    (void)state;
    Walker walker = walker_create();
    static const snPathKey passing[3] = {
        {0.0f, 0.0f, {0.1f, 0, 0}}, {0.2f, 0.0f, {0.1f, 0.1f, 0.3f}}, {0.4f, 0.0f, {0.1f, 0, 0.6f}}};
    static const snPathKey late[2] = {{0.2f, 0.1f, {0.1f, 0, 0}}, {0.4f, 1e-6f, {0.1f, 0, 0.6f}}};
    static const float heights[16] = {0, 0, 0, 0, 0, 0, 0, 0, 5, 5, 5, 5, -5, -5, -5, -5};
    const snPathDef foot = {.handle = LEFT_FOOT,
                            .point = {0.1f, 0, 0.05f},
                            .strength = 1.0f,
                            .smooth = true,
                            .draped = true,
                            .contact = true,
                            .global = true,
                            .roll = 2.0f};
    const snTerrain cliffs = {.kind = SN_TERRAIN_MAP,
                              .height = 1.0f,
                              .low = {-1, -0.2f},
                              .high = {1, 0.4f},
                              .columns = 4,
                              .rows = 4,
                              .heights = heights};
    snPathDef paths[3] = {foot, foot, foot};
    paths[0].keys = passing;
    paths[0].key_count = 3;
    paths[1].keys = late;
    paths[1].key_count = 2;
    paths[2].keys = late;
    paths[2].key_count = 1;
    static const float rates[3] = {30.0f, 1.5f, 2000.0f};
    for (uint32_t i = 0; i < 18; i++) {
        snPathPlayerDef def = walker_def(&walker, i % 2 == 0 ? NULL : &cliffs);
        def.paths = &paths[i / 2 % 3];
        def.path_count = 1;
        def.fps = rates[i / 6];
        def.duration = i / 6 == 2 ? 0.02f : 0.8f;
        assert_plays(&def);
    }
    walker_destroy(&walker);
}

// Toes over an abyss or against a wall do not turn the whole foot upright.
static void cliffs_do_not_topple_feet(void** state) {
    (void)state;
    Walker walker = walker_create();
    static const snPathKey key = {0.0f, 1.0f, {0.1f, 0, 0.05f}};
    for (int32_t side = -1; side <= 1; side += 2) {
        float wall = 5.0f * (float)side, heights[8] = {0, 0, 0, 0, wall, wall, wall, wall};
        snTerrain cliff = {.kind = SN_TERRAIN_MAP,
                           .height = 1.0f,
                           .low = {-1, -0.2f},
                           .high = {1, 0.4f},
                           .columns = 2,
                           .rows = 4,
                           .heights = heights};
        snPathDef path = walker.paths->paths[0];
        path.draped = true;
        path.keys = &key;
        path.key_count = 1;
        snPathPlayerDef def = walker_def(&walker, &cliff);
        def.paths = &path;
        def.path_count = 1;
        snPathPlayer* player = play(&def);
        snPathFrame frame;
        assert_ok(sn_path_player_run(player, 0, &frame));
        assert_true(frame.resting[0]);
        snVec3 up = sn_quat_rotate(frame.handles[LEFT_FOOT].rotation, sn_vec3(0, 1, 0));
        assert_near(up.y, sqrtf(0.5f), 1e-4); // as on the steepest slope
        assert_true(up.z * (float)side < 0.0f);
        sn_path_player_destroy(player);
    }
    walker_destroy(&walker);
}

// A leg of no length has no knee to bend, and is as far from its place as it was.
static void legs_without_length_stay_finite(void** state) {
    (void)state;
    Walker walker = walker_create();
    uint8_t parts[HANDLES], marks[2 * HANDLES] = {0};
    sniLimb limb = {.parts = parts};
    sni_limb_find(walker.handles, LEFT_FOOT, marks, marks + HANDLES, &limb);
    assert_int_equal(limb.thigh, 1);
    for (uint32_t h = 0; h < HANDLES; h++) walker.handles->handles[h].center = sn_vec3(0.1f, 0.5f, 0);
    snRigid moves[HANDLES], place = {sn_quat_identity(), {0.0f, 0.0f, 0.25f}};
    for (uint32_t h = 0; h < HANDLES; h++) moves[h] = (snRigid){sn_quat_identity(), {0.0f, 0.0f, 0.0f}};
    assert_near(sni_limb_reach(walker.handles, &limb, place, moves), 0.25, 1e-6);
    for (uint32_t h = 0; h < HANDLES; h++)
        assert_vec3_near(moves[h].translation, sn_vec3(0, 0, h == LEFT_FOOT ? 0.25f : 0.0f), 1e-6f);
    walker_destroy(&walker);
}

// A sole of nothing, of one point and of one line.
static void small_soles(void** state) {
    (void)state;
    Walker walker = walker_create();
    uint8_t marks[HANDLES] = {0};
    snHandle* foot = &walker.handles->handles[LEFT_FOOT];
    uint32_t whole = foot->vertex_count;
    marks[LEFT_FOOT] = 1;
    for (uint32_t count = 0; count < 3; count++) {
        sniSole sole;
        foot->vertex_count = count;
        sni_sole_find(walker.handles, walker.mesh, LEFT_FOOT, marks, &sole);
        assert_int_equal(sole.point_count, count);
        if (count == 0) continue;
        assert_true(sole.rim_count >= 1 && sole.rim_count <= count);
        for (int32_t k = -20; k <= 20; k++) {
            snRigid place = sni_sole_roll(&sole, 0.1f * (float)k);
            assert_near(sni_sole_depth(&sole, place, 0.0f, NULL, sole.low), 0, 1e-6);
        }
    }
    foot->vertex_count = whole;
    walker_destroy(&walker);
}

// ---------------------------------------------------------------------------------------------------- rules

static void refused(const snPathPlayerDef* def, snResult result, const char* words) {
    snPathPlayer* player = NULL;
    snError error = sn_error_none();
    assert_int_equal(sn_path_player_create(def, NULL, &player, &error), result);
    assert_null(player);
    if (strstr(error.text, words) == NULL) fail_msg("\"%s\" lacks \"%s\"", error.text, words);
}

static void bad_feet_are_refused(void** state) {
    (void)state;
    Walker walker = walker_create();
    snPathDef path = walker.paths->paths[0];
    snPathPlayerDef def = walker_def(&walker, NULL);
    def.path_count = 1;
    def.paths = &path;
    path.roll = 2.5f;
    refused(&def, SN_RESULT_BAD_DATA, "roll is 2.5");
    path.roll = 1.0f;
    path.reach = -1.0f;
    refused(&def, SN_RESULT_BAD_DATA, "reach is -1");
    path.reach = 0.0f;
    def.base = 4;
    refused(&def, SN_RESULT_INVALID_ARGUMENT, "pose 4 of 4");
    def.base = SN_NONE;
    const snVec3 other[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    const uint32_t corners[3] = {0, 1, 2};
    snMesh* mesh = test_triangles(other, 3, corners, 1);
    def.mesh = mesh;
    refused(&def, SN_RESULT_BAD_DATA, "");
    sn_mesh_destroy(mesh);
    walker_destroy(&walker);
}

static snResult build(const snAllocator* allocator, void* context) {
    snPathPlayerDef def = walker_def(context, NULL);
    snPathPlayer* player = NULL;
    snResult result = sn_path_player_create(&def, allocator, &player, NULL);
    sn_path_player_destroy(player);
    return result;
}

static void memory_failures_leak_nothing(void** state) {
    (void)state;
    Walker walker = walker_create();
    test_every_allocation(build, &walker);
    walker_destroy(&walker);
}

// Standing as at rest at both ends; in between always between its feet, swaying over the one that stands.
static void bodies_balance_over_feet(void** state) {
    (void)state;
    Walker walker = walker_create();
    snPathPlayerDef def = walker_def(&walker, NULL);
    snPathPlayer* player = NULL;
    assert_ok(sn_path_player_create(&def, NULL, &player, NULL));
    uint32_t count = sn_path_player_frame_count(player);
    float before = 0.0f, left = 0.0f, right = 0.0f;
    for (uint32_t f = 0; f < count; f++) {
        snPathFrame frame;
        assert_ok(sn_path_player_run(player, f, &frame));
        snVec3 at = frame.body.translation;
        if (f == 0) assert_true(fabsf(at.x) < 1e-6f && fabsf(at.z) < 1e-6f);
        if (f + 1 == count) assert_true(fabsf(at.x) < 1e-5f && fabsf(at.z - 3.6f) < 1e-5f);
        assert_true(at.z >= before - 1e-5f);
        float back = sn_minf(frame.targets[0].z, frame.targets[1].z) - 0.05f,
              ahead = sn_maxf(frame.targets[0].z, frame.targets[1].z) - 0.05f;
        // The point lies 0.05 ahead, the toes 0.14 more; it comes to rest after its feet.
        assert_true(at.z > back - 0.06f && at.z < ahead + 0.14f);
        before = at.z;
        left = sn_maxf(left, at.x);
        right = sn_minf(right, at.x);
    }
    assert_true(left > 0.005f && left < 0.06f && right < -0.005f && right > -0.06f); // feet are 0.1 aside
    sn_path_player_destroy(player);
    walker_destroy(&walker);
}

// What rests at last stays, to the bit, however long it is played.
static void feet_stay_after_the_last_rest(void** state) {
    (void)state;
    Walker walker = walker_create();
    snPathPlayerDef def = walker_def(&walker, NULL);
    const snPathKey* last = &walker.paths->paths[0].keys[walker.paths->paths[0].key_count - 1];
    def.duration = last->time + last->rest + 1.0f;
    snPathPlayer* player = play(&def);
    snRigid stood[2];
    snPathFrame frame;
    for (uint32_t f = 0; f < sn_path_player_frame_count(player); f++) {
        assert_ok(sn_path_player_run(player, f, &frame));
        if (frame.time < last->time + 0.5f * last->rest) continue;
        bool first = frame.time < last->time + 0.5f * last->rest + 1.0f / def.fps;
        assert_true(frame.resting[0] && frame.resting[1]);
        for (uint32_t i = 0; i < 2; i++) {
            const snRigid* now = &frame.handles[i == 0 ? LEFT_FOOT : RIGHT_FOOT];
            if (!first) assert_memory_equal(now, &stood[i], sizeof *now);
            stood[i] = *now;
        }
    }
    sn_path_player_destroy(player);
    walker_destroy(&walker);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(feet_stay_after_the_last_rest),
        cmocka_unit_test(soles_roll_without_sliding),
        cmocka_unit_test(bodies_balance_over_feet),
        cmocka_unit_test(feet_stay_above_the_ground),
        cmocka_unit_test(toes_sink_where_the_sole_is_not_known),
        cmocka_unit_test(heels_come_first_and_toes_leave_last),
        cmocka_unit_test(feet_that_do_not_roll_stand_still),
        cmocka_unit_test(playing_again_allocates_nothing),
        cmocka_unit_test(the_base_takes_what_is_left),
        cmocka_unit_test(limbs_reach_for_their_targets),
        cmocka_unit_test(odd_paths_do_no_harm),
        cmocka_unit_test(cliffs_do_not_topple_feet),
        cmocka_unit_test(legs_without_length_stay_finite),
        cmocka_unit_test(small_soles),
        cmocka_unit_test(bad_feet_are_refused),
        cmocka_unit_test(memory_failures_leak_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
