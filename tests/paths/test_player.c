#include <math.h>
#include <string.h>

#include "figure.h"
#include "paths/limb.h"

#define LEFT_THIGH 11
#define LEFT_FOOT 13
#define RIGHT_THIGH 14
#define RIGHT_FOOT 16

// A small walk: each leg forward with the other back, and each knee bent.
typedef struct Scene {
    Figure figure;
    snHandlePose* poses[4];
    snWalkFoot feet[2];
    snPaths* paths;
} Scene;

static snHandlePose* make_pose(const Figure* figure, const snPoseStep* steps, uint32_t count) {
    snHandlePoseDef def = {.name = "pose", .step_count = count, .steps = steps};
    snHandlePose* pose = NULL;
    assert_ok(sn_handle_pose_create(&def, figure->handles, NULL, &pose, NULL));
    return pose;
}

static void walk_to(Scene* scene, snVec2 corner, snVec2 end, const snTerrain* terrain) {
    const snVec2 line[3] = {{0.0f, 0.0f}, corner, end};
    snWalkDef def = sn_walk_def();
    def.foot_count = 2;
    def.feet = scene->feet;
    def.line_count = 3;
    def.line = line;
    def.stride = 0.9f;
    sn_paths_destroy(scene->paths);
    assert_ok(sn_walk_paths(&def, terrain, NULL, &scene->paths, NULL));
}

static Scene scene_create(void) {
    Scene scene = {.figure = figure_create(1.0f)};
    snVec3 left = sn_vec3(1.0f, 0.0f, 0.0f);
    for (uint32_t p = 0; p < 4; p++) {
        uint32_t storage[4][FIGURE_HANDLES];
        uint32_t near = p % 2 == 0 ? LEFT_THIGH : RIGHT_THIGH, far = p % 2 == 0 ? RIGHT_THIGH : LEFT_THIGH;
        snPoseStep stride[2] = {figure_turn(&scene.figure, near, left, -0.5f, storage[0]),
                                figure_turn(&scene.figure, far, left, 0.5f, storage[1])};
        snPoseStep lift[2] = {figure_turn(&scene.figure, near, left, -0.8f, storage[2]),
                              figure_turn(&scene.figure, near + 1, left, 1.2f, storage[3])};
        scene.poses[p] = make_pose(&scene.figure, p < 2 ? stride : lift, 2);
    }
    scene.feet[0] = (snWalkFoot){LEFT_FOOT, {0.1f, 0.0f, 0.08f}, 0.0f, 0.0f, 0.0f};
    scene.feet[1] = (snWalkFoot){RIGHT_FOOT, {-0.1f, 0.0f, 0.08f}, 0.5f, 0.0f, 0.0f};
    walk_to(&scene, (snVec2){0.0f, 1.0f}, (snVec2){0.0f, 3.0f}, NULL);
    return scene;
}

static void scene_destroy(Scene* scene) {
    sn_paths_destroy(scene->paths);
    for (uint32_t p = 0; p < 4; p++) sn_handle_pose_destroy(scene->poses[p]);
    figure_destroy(&scene->figure);
}

static snPathPlayerDef scene_def(const Scene* scene) {
    snPathPlayerDef def = sn_path_player_def();
    def.handles = scene->figure.handles;
    def.pose_count = 4;
    def.poses = (const snHandlePose* const*)scene->poses;
    def.path_count = scene->paths->path_count;
    def.paths = scene->paths->paths;
    return def;
}

static snPathPlayer* play(const snPathPlayerDef* def) {
    snPathPlayer* player = NULL;
    assert_ok(sn_path_player_create(def, NULL, &player, NULL));
    return player;
}

// ---------------------------------------------------------------------------------------------------- walks

static void check_walk(const snPathPlayerDef* def) {
    snPathPlayer* player = play(def);
    uint32_t frames = sn_path_player_frame_count(player), changes = 0, stood = SN_NONE;
    snVec3 head = {0}, speed = {0};
    snPathFrame frame;
    assert_true(frames > 100);
    for (uint32_t f = 0; f < frames; f++) {
        assert_ok(sn_path_player_run(player, f, &frame));
        for (uint32_t i = 0; i < 2; i++) assert_vec3_near(frame.points[i], frame.targets[i], 2e-6f);
        changes += f > 0 && frame.standing != stood;
        stood = frame.standing;
        assert_true(frame.standing < 2);
        // Nothing pops: the head's speed changes by less than 0.7 m/s from frame to frame.
        snVec3 at = sn_rigid_point(frame.handles[4], def->handles->handles[4].position);
        snVec3 now = sn_scale(sn_sub(at, head), def->fps);
        if (f > 1) assert_near(sn_distance(now, speed), 0, 0.7);
        speed = now;
        head = at;
    }
    assert_true(head.z > 2.5f);
    for (uint32_t i = 0; i < 2; i++) {
        snContactReport report = sn_path_player_report(player, i);
        assert_true(report.contacts >= 4 && report.frames > 40);
        assert_true(changes <= 2 * report.contacts);
        assert_near(report.slide_max, 0, 2e-6);
        assert_true(report.slide_mean <= report.slide_max);
        assert_near(report.distance_max, 0, 2e-6);
    }
    sn_path_player_destroy(player);
}

static void feet_stay_where_they_are_set_down(void** state) {
    (void)state;
    Scene scene = scene_create();
    snPathPlayerDef def = scene_def(&scene);
    check_walk(&def);
    snTerrain hills = {.kind = SN_TERRAIN_HILLS, .height = 0.2f, .direction = {0.0f, 1.0f}, .length = 2.0f};
    walk_to(&scene, (snVec2){0.0f, 1.0f}, (snVec2){0.0f, 3.0f}, &hills);
    def = scene_def(&scene);
    def.terrain = &hills;
    check_walk(&def);
    scene_destroy(&scene);
}

// Soles do not turn while they stand: every vertex of a foot stays.
static void whole_feet_stand_still(void** state) {
    (void)state;
    Scene scene = scene_create();
    snPathPlayerDef def = scene_def(&scene);
    snPathPlayer* player = play(&def);
    snRigid before = {0};
    bool rested = false;
    uint32_t compared = 0;
    snPathFrame frame;
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
    scene_destroy(&scene);
    sn_path_player_destroy(player);
}

static uint64_t play_hash(snPathPlayer* player) {
    uint64_t hash = SN_HASH_SEED;
    snPathFrame frame;
    for (uint32_t f = 0; f < sn_path_player_frame_count(player); f++) {
        assert_ok(sn_path_player_run(player, f, &frame));
        hash = sn_hash_floats(hash, &frame.handles[0].rotation.x, (size_t)FIGURE_HANDLES * 7);
    }
    return hash;
}

static void playing_again_gives_the_same_bits(void** state) {
    (void)state;
    Scene scene = scene_create();
    snPathPlayerDef def = scene_def(&scene);
    snPathPlayer *one = play(&def), *two = play(&def);
    uint64_t first = play_hash(one);
    assert_int_equal(play_hash(one), first);
    assert_int_equal(play_hash(two), first);
    snPathFrame frame;
    assert_ok(sn_path_player_run(one, 0, &frame));
    assert_int_equal(sn_path_player_run(one, 2, &frame), SN_RESULT_INVALID_ARGUMENT);
    assert_ok(sn_path_player_run(one, 1, &frame));
    assert_int_equal(sn_path_player_run(one, sn_path_player_frame_count(one), &frame),
                     SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_path_player_run(NULL, 0, &frame), SN_RESULT_INVALID_ARGUMENT);
    sn_path_player_destroy(one);
    sn_path_player_destroy(two);
    scene_destroy(&scene);
}

// Round a corner to the right: the body turns from +Z to -X, never by more than a little a frame.
static void the_body_turns_with_its_way(void** state) {
    (void)state;
    Scene scene = scene_create();
    walk_to(&scene, (snVec2){0.0f, 2.0f}, (snVec2){-2.0f, 2.0f}, NULL);
    snPathPlayerDef def = scene_def(&scene);
    def.heading = 0.6f;
    snPathPlayer* player = play(&def);
    snPathFrame frame;
    snVec3 before = {0.0f, 0.0f, 1.0f};
    for (uint32_t f = 0; f < sn_path_player_frame_count(player); f++) {
        assert_ok(sn_path_player_run(player, f, &frame));
        snVec3 forward = sn_quat_rotate(frame.body.rotation, sn_vec3(0.0f, 0.0f, 1.0f));
        assert_near(forward.y, 0, 1e-6);
        if (f == 0) assert_vec3_near(forward, before, 0.02f);
        assert_true(sn_distance(forward, before) < 0.15f);
        before = forward;
    }
    assert_vec3_near(before, sn_vec3(-1.0f, 0.0f, 0.0f), 0.02f);
    sn_path_player_destroy(player);
    scene_destroy(&scene);
}

// Without a global path the body stays; a soft target draws the pose to it.
static void targets_draw_the_pose(void** state) {
    (void)state;
    Scene scene = scene_create();
    snRigid moves[FIGURE_HANDLES];
    const float wanted[4] = {0.0f, 0.0f, 0.7f, 0.0f};
    sn_handle_poses_blend(scene.figure.handles, (const snHandlePose* const*)scene.poses, wanted, NULL, 4,
                          moves);
    snVec3 point = scene.figure.handles->handles[LEFT_FOOT].position;
    const snPathKey keys[2] = {{0.0f, 0.0f, point}, {1.0f, 0.5f, sn_rigid_point(moves[LEFT_FOOT], point)}};
    snPathDef path = {.handle = LEFT_FOOT, .point = point, .strength = 1, .key_count = 2, .keys = keys};
    snPathPlayerDef def = scene_def(&scene);
    def.path_count = 1;
    def.paths = &path;
    def.objective.one = 0.0f;
    snPathPlayer* player = play(&def);
    snPathFrame frame;
    assert_int_equal(sn_path_player_frame_count(player), 46);
    for (uint32_t f = 0; f < 46; f++) {
        float last[4];
        if (f > 0) memcpy(last, frame.weights, sizeof last);
        assert_ok(sn_path_player_run(player, f, &frame));
        assert_int_equal(frame.standing, SN_NONE);
        for (uint32_t p = 0; p < 4 && f > 0; p++) assert_true(fabsf(frame.weights[p] - last[p]) <= 0.1501f);
    }
    assert_near(frame.weights[2], 0.7, 0.05);
    assert_vec3_near(frame.points[0], keys[1].place, 0.01f);
    assert_vec3_near(frame.body.translation, sn_vec3(0, 0, 0), 0);
    sn_path_player_destroy(player);
    scene_destroy(&scene);
}

// ---------------------------------------------------------------------------------------------------- limbs

static void limbs_bend_at_the_knee(void** state) {
    (void)state;
    Figure figure = figure_create(1.0f);
    uint8_t others[FIGURE_HANDLES] = {0}, marks[FIGURE_HANDLES], parts[FIGURE_HANDLES];
    others[LEFT_FOOT] = others[RIGHT_FOOT] = 1;
    sniLimb limb = {.parts = parts};
    sni_limb_find(figure.handles, LEFT_FOOT, others, marks, &limb);
    assert_int_equal(limb.shin, 12);
    assert_int_equal(limb.thigh, LEFT_THIGH);
    assert_int_equal(parts[12], SNI_LIMB_SHIN);
    assert_int_equal(parts[0], SNI_LIMB_NONE);
    uint32_t seed = 9;
    for (uint32_t i = 0; i < 200; i++) {
        snRigid moves[FIGURE_HANDLES];
        for (uint32_t h = 0; h < FIGURE_HANDLES; h++) moves[h] = (snRigid){sn_quat_identity(), {0, 0, 0}};
        snRigid place = {sn_quat_axis_angle(sn_vec3(1, 0, 0), test_random_float(&seed, -0.5f, 0.5f)),
                         {test_random_float(&seed, -0.2f, 0.2f), test_random_float(&seed, 0.05f, 0.3f),
                          test_random_float(&seed, -0.25f, 0.25f)}};
        float stretch = sni_limb_reach(figure.handles, &limb, place, moves);
        snVec3 hip = sn_rigid_point(moves[LEFT_THIGH], figure.handles->handles[LEFT_THIGH].center);
        snVec3 knee = sn_rigid_point(moves[LEFT_THIGH], figure.handles->handles[12].center);
        snVec3 bent = sn_rigid_point(moves[12], figure.handles->handles[12].center);
        snVec3 end = sn_rigid_point(moves[12], figure.handles->handles[LEFT_FOOT].center);
        snVec3 ankle = sn_rigid_point(place, figure.handles->handles[LEFT_FOOT].center);
        assert_near(stretch, 0, 1e-6);
        assert_vec3_near(hip, figure.handles->handles[LEFT_THIGH].center, 1e-5f);
        assert_vec3_near(knee, bent, 1e-5f); // thigh and shin hold together
        assert_vec3_near(end, ankle, 1e-5f);
        assert_memory_equal(&moves[LEFT_FOOT], &place, sizeof place);
        // The knee is in front of the line from hip to ankle.
        snVec3 way = sn_normalize_or(sn_sub(ankle, hip), sn_vec3(0, -1, 0));
        snVec3 off = sn_sub(sn_sub(knee, hip), sn_scale(way, sn_dot(sn_sub(knee, hip), way)));
        assert_true(off.z > 0.0f);
    }
    figure_destroy(&figure);
}

// After the body has come down by as much, the foot is within reach; a bent leg asks for nothing.
static void bodies_come_down_for_their_legs(void** state) {
    (void)state;
    Figure figure = figure_create(1.0f);
    uint8_t others[FIGURE_HANDLES] = {0}, marks[FIGURE_HANDLES], parts[FIGURE_HANDLES];
    sniLimb limb = {.parts = parts};
    sni_limb_find(figure.handles, LEFT_FOOT, others, marks, &limb);
    snRigid rest[FIGURE_HANDLES], moves[FIGURE_HANDLES];
    for (uint32_t h = 0; h < FIGURE_HANDLES; h++) rest[h] = (snRigid){sn_quat_identity(), {0, 0, 0}};
    snRigid high = {sn_quat_identity(), {0.0f, 0.2f, 0.0f}};
    assert_near(sni_limb_drop(figure.handles, &limb, high, rest), 0, 0);
    float last = 0.0f;
    for (float ahead = 0.0f; ahead < 0.6f; ahead += 0.02f) {
        snRigid place = {sn_quat_identity(), {0.0f, -0.05f, ahead}};
        float drop = sni_limb_drop(figure.handles, &limb, place, rest);
        assert_true(drop >= last);
        memcpy(moves, rest, sizeof moves);
        for (uint32_t h = 0; h < FIGURE_HANDLES; h++) moves[h].translation.y -= drop;
        assert_near(sni_limb_reach(figure.handles, &limb, place, moves), 0, 1e-6);
        last = drop;
    }
    assert_true(last > 0.2f);
    figure_destroy(&figure);
}

static void what_is_out_of_reach_is_told(void** state) {
    (void)state;
    Figure figure = figure_create(1.0f);
    uint8_t others[FIGURE_HANDLES] = {0}, marks[FIGURE_HANDLES], parts[FIGURE_HANDLES];
    sniLimb limb = {.parts = parts};
    snRigid moves[FIGURE_HANDLES], low = {sn_quat_identity(), {0.0f, -0.5f, 0.0f}};
    for (uint32_t h = 0; h < FIGURE_HANDLES; h++) moves[h] = (snRigid){sn_quat_identity(), {0, 0, 0}};
    sni_limb_find(figure.handles, LEFT_FOOT, others, marks, &limb);
    float stretch = sni_limb_reach(figure.handles, &limb, low, moves);
    assert_near(stretch, 0.5, 0.01);
    assert_memory_equal(&moves[LEFT_FOOT], &low, sizeof low);
    // The hips hang on nothing: they are moved by themselves.
    sni_limb_find(figure.handles, 0, others, marks, &limb);
    assert_int_equal(limb.shin, SN_NONE);
    // A shin whose thigh carries another foot is turned alone.
    others[LEFT_THIGH] = 1;
    sni_limb_find(figure.handles, LEFT_FOOT, others, marks, &limb);
    assert_int_equal(limb.shin, 12);
    assert_int_equal(limb.thigh, SN_NONE);
    for (uint32_t h = 0; h < FIGURE_HANDLES; h++) moves[h] = (snRigid){sn_quat_identity(), {0, 0, 0}};
    snRigid near = {sn_quat_identity(), {0.0f, 0.05f, 0.2f}};
    snVec3 knee = figure.handles->handles[12].center, foot = figure.handles->handles[LEFT_FOOT].center;
    float shin = sn_distance(knee, foot), asked = sn_distance(knee, sn_rigid_point(near, foot));
    assert_near(sni_limb_reach(figure.handles, &limb, near, moves), fabsf(shin - asked), 1e-6);
    figure_destroy(&figure);
}

// Searches run ahead of what is shown, and may find another order there: a frame is loaded in its own.
static void frames_keep_their_own_order(void** state) {
    (void)state;
    Scene scene = scene_create();
    uint32_t storage[FIGURE_HANDLES];
    snPoseStep aside = figure_turn(&scene.figure, LEFT_THIGH, sn_vec3(0.0f, 0.6f, 0.8f), 0.7f, storage);
    sn_handle_pose_destroy(scene.poses[1]);
    scene.poses[1] = make_pose(&scene.figure, &aside, 1);
    snPathDef paths[2] = {scene.paths->paths[0], scene.paths->paths[1]};
    for (uint32_t i = 0; i < 2; i++) paths[i].contact = false;
    snPathPlayerDef def = scene_def(&scene);
    def.paths = paths;
    def.order = SN_POSE_ORDER_DISTANCE;
    def.smooth = def.steady = 0.0f;
    def.change = 0.0f;
    snPathPlayer* whole = play(&def);
    snPathFrame frame, last;
    for (uint32_t f = 0; f < 60; f++) {
        assert_ok(sn_path_player_run(whole, f, &frame));
        if (f < 40) continue;
        def.duration = (float)f / def.fps; // nothing lies ahead of its last frame
        snPathPlayer* part = play(&def);
        assert_int_equal(sn_path_player_frame_count(part), f + 1);
        for (uint32_t k = 0; k <= f; k++) assert_ok(sn_path_player_run(part, k, &last));
        assert_memory_equal(frame.handles, last.handles, FIGURE_HANDLES * sizeof *last.handles);
        sn_path_player_destroy(part);
    }
    sn_path_player_destroy(whole);
    scene_destroy(&scene);
}

// ---------------------------------------------------------------------------------------------------- rules

static void refused(const snPathPlayerDef* def, snResult result, const char* words) {
    snPathPlayer* player = NULL;
    snError error = sn_error_none();
    assert_int_equal(sn_path_player_create(def, NULL, &player, &error), result);
    assert_null(player);
    if (strstr(error.text, words) == NULL) fail_msg("\"%s\" lacks \"%s\"", error.text, words);
}

static void bad_players_are_refused(void** state) {
    (void)state;
    Scene scene = scene_create();
    snPathPlayerDef def = scene_def(&scene);
    def.path_count = 0;
    refused(&def, SN_RESULT_BAD_DATA, "no path");
    def = scene_def(&scene);
    def.pose_count = 0;
    refused(&def, SN_RESULT_BAD_DATA, "");
    def = scene_def(&scene);
    def.fps = 0.0f;
    refused(&def, SN_RESULT_INVALID_ARGUMENT, "rates");
    def.fps = 1e30f;
    refused(&def, SN_RESULT_INVALID_ARGUMENT, "rates");
    const snHandlePose* many[5];
    for (uint32_t p = 0; p < 5; p++) many[p] = def.poses[0];
    def = scene_def(&scene);
    def.search = SN_SEARCH_GRID;
    def.pose_count = 5;
    def.poses = many;
    refused(&def, SN_RESULT_UNSUPPORTED, "4 examples at most, not 5");
    def = scene_def(&scene);
    def.duration = 1e6f;
    refused(&def, SN_RESULT_LIMIT, "frames");
    def = scene_def(&scene);
    def.handles = NULL;
    refused(&def, SN_RESULT_INVALID_ARGUMENT, "handles");
    snTerrain bad = {.kind = SN_TERRAIN_HILLS};
    def = scene_def(&scene);
    def.terrain = &bad;
    refused(&def, SN_RESULT_BAD_DATA, "direction");
    snPathDef paths[2] = {scene.paths->paths[0], scene.paths->paths[1]};
    def = scene_def(&scene);
    def.paths = paths;
    snPathKey away = {.place = sn_vec3(1e20f, 0, 0)};
    const uint32_t keys = paths[1].key_count;
    const snPathKey* walked = paths[1].keys;
    paths[1].keys = &away;
    paths[1].key_count = 1;
    refused(&def, SN_RESULT_BAD_DATA, "path 1: the target of \"");
    paths[1].keys = walked;
    paths[1].key_count = keys;
    paths[1].handle = FIGURE_HANDLES;
    refused(&def, SN_RESULT_BAD_DATA, "path 1 is for handle 18 of 18");
    paths[1] = scene.paths->paths[1];
    paths[1].key_count = 0;
    refused(&def, SN_RESULT_BAD_DATA, "path 1: a path has no key");
    assert_int_equal(sn_path_player_create(NULL, NULL, NULL, NULL), SN_RESULT_INVALID_ARGUMENT);
    scene_destroy(&scene);
}

static snResult build(const snAllocator* allocator, void* context) {
    const Scene* scene = context;
    static const float heights[4] = {0.0f, 0.1f, 0.0f, 0.1f};
    snTerrain map = {.kind = SN_TERRAIN_MAP, .low = {-1, -1}, .high = {1, 9}, .columns = 2, .rows = 2};
    map.heights = heights;
    snPathPlayerDef def = scene_def(scene);
    def.terrain = &map;
    snPathPlayer* player = NULL;
    snResult result = sn_path_player_create(&def, allocator, &player, NULL);
    sn_path_player_destroy(player);
    return result;
}

static void memory_failures_leak_nothing(void** state) {
    (void)state;
    Scene scene = scene_create();
    test_every_allocation(build, &scene);
    scene_destroy(&scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(feet_stay_where_they_are_set_down),
        cmocka_unit_test(whole_feet_stand_still),
        cmocka_unit_test(playing_again_gives_the_same_bits),
        cmocka_unit_test(the_body_turns_with_its_way),
        cmocka_unit_test(targets_draw_the_pose),
        cmocka_unit_test(limbs_bend_at_the_knee),
        cmocka_unit_test(bodies_come_down_for_their_legs),
        cmocka_unit_test(what_is_out_of_reach_is_told),
        cmocka_unit_test(frames_keep_their_own_order),
        cmocka_unit_test(bad_players_are_refused),
        cmocka_unit_test(memory_failures_leak_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
