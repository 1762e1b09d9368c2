// Blends, searches and paths of a document's handles.
#include <string.h>

#include "edits.h"
#include "sinew/retarget.h"

static const char wave[] = "{\"sinew_pose\": 1, \"name\": \"wave\", \"steps\": [{\"turn\": \"LeftUpperArm\", "
                           "\"axis\": [0, 0, 1], \"degrees\": 40}]}";
static const char bow[] =
    "{\"sinew_pose\": 1, \"name\": \"bow\", \"steps\": [{\"turn\": \"Spine\", \"axis\": "
    "[1, 0, 0], \"degrees\": 30}, {\"move\": \"Hips\", \"by\": [0, -0.05, 0]}]}";
static const char keys[] =
    "{\"sinew_path\": 1, \"fps\": 10, \"keyframes\": [{\"time\": 0, \"poses\": {\"wave\": "
    "1}}, {\"time\": 0.5, \"poses\": {\"bow\": 1}}]}";
static const char path[] =
    "{\"sinew_path\": 1, \"fps\": 10, \"paths\": [{\"handle\": \"LeftHand\", \"keys\": [[0, "
    "0.7, 1.4, 0], [0.8, 0.6, 1.6, 0.1]]}]}";

static snDocument* open_document(const snAllocator* allocator, const char* motion) {
    snDocumentDef def = sn_document_def();
    def.sparse = sn_sparse_cholmod();
    snDocument* document = NULL;
    snError error = sn_error_none();
    snMakeHandlesDef rig = sn_make_handles_def();
    rig.from = SN_HANDLES_FROM_SKELETON;
    assert_ok(sn_document_create(&def, allocator, &document, &error));
    edits_expect(sn_document_open(document, "builtin:body", NULL, &error), &error, "open");
    edits_expect(sn_document_make_handles(document, &rig, NULL, &error), &error, "rig");
    edits_expect(sn_document_read_pose(document, "wave", wave, strlen(wave), NULL, NULL, &error), &error,
                 "wave");
    edits_expect(sn_document_read_pose(document, "bow", bow, strlen(bow), NULL, NULL, &error), &error, "bow");
    if (motion != NULL)
        edits_expect(sn_document_set_path(document, "path", motion, strlen(motion), NULL, &error), &error,
                     "path");
    return document;
}

// --------------------------------------------------------------------------------------------------- blends

static void blends_are_poses(void** state) {
    (void)state;
    snDocument* document = open_document(NULL, NULL);
    snError error = sn_error_none();
    const uint32_t list[] = {1, 0, 1};
    const float weights[] = {0.25f, 1.0f, 0.25f};
    snPoseBlend blend = {0}, again = {0};
    assert_ok(sn_document_blend_poses(document, list, weights, 3, &blend, &error));
    assert_near(blend.weights[1], 0.5, 0.0);
    assert_int_equal(blend.order[0], 1);
    snHandlePose* pose = NULL;
    assert_ok(sn_document_make_pose(document, &blend, "both", &pose, &error));
    assert_ok(sn_document_add_pose(document, pose, NULL, &error));
    const uint32_t both = 2;
    const float one = 1.0f;
    assert_ok(sn_document_blend_poses(document, &both, &one, 1, &again, &error));
    for (uint32_t h = 0; h < blend.handle_count; h++)
        assert_vec3_near(blend.moves[h].translation, again.moves[h].translation, 1e-5f);
    assert_int_equal(sn_document_make_pose(document, &blend, "old", &pose, &error),
                     SN_RESULT_INVALID_ARGUMENT);
    const uint32_t none = 9;
    assert_int_equal(sn_document_blend_poses(document, &none, &one, 1, &again, &error), SN_RESULT_NOT_FOUND);
    sn_handle_pose_destroy(pose);
    sn_pose_blend_free(&blend);
    sn_pose_blend_free(&again);
    sn_document_destroy(document);
}

static void searches_reach(void** state) {
    (void)state;
    snDocument* document = open_document(NULL, NULL);
    snError error = sn_error_none();
    const snHandles* rig = sn_document_handles(document);
    uint32_t hand = sn_handles_find(rig, "LeftHand");
    assert_true(hand != SN_NONE);
    snVec3 at = rig->handles[hand].position;
    snPoseTarget target = {hand, at, sn_add(at, sn_vec3(-0.05f, 0.2f, 0.0f)), 1.0f};
    snPoseFindDef def = sn_pose_find_def();
    def.targets = &target;
    def.target_count = 1;
    snPoseBlend blend = {0};
    assert_ok(sn_document_search_pose(document, &def, &blend, &error));
    assert_true(blend.weights[0] > 0.1f);
    assert_true(sn_distance(sn_rigid_point(blend.moves[hand], at), target.place) <
                sn_distance(at, target.place));
    sn_pose_blend_free(&blend);
    def.anchor = 0;
    assert_ok(sn_document_search_pose(document, &def, &blend, &error));
    assert_vec3_near(sn_rigid_point(blend.moves[hand], at), target.place, 1e-5f);
    sn_pose_blend_free(&blend);
    def.anchor = 5;
    assert_int_equal(sn_document_search_pose(document, &def, &blend, &error), SN_RESULT_INVALID_ARGUMENT);
    sn_document_destroy(document);
}

// -------------------------------------------------------------------------------------------------- players

// A slow film shows moments of the motion that a quick one has, and both end at its end.
static void slow_films_are_of_the_same_motion(void** state) {
    (void)state;
    snDocument* document = open_document(NULL, path);
    snError error = sn_error_none();
    snHandlePlayer *slow = NULL, *quick = NULL;
    edits_expect(sn_handle_player_create(document, NULL, &slow, &error), &error, "slow");
    edits_expect(sn_handle_player_create(document, &(snHandlePlayerDef){.both_ends = true, .fps = 30.0f},
                                         &quick, &error),
                 &error, "quick");
    snTakeDef few = sn_take_def(), many = sn_take_def();
    sn_handle_player_plan(slow, &few);
    sn_handle_player_plan(quick, &many);
    assert_int_equal(many.frames, 3 * (few.frames - 1) + 1);
    float moved = 0.0f;
    for (uint32_t f = 0; f < few.frames; f++) {
        snPathFrame seen, same;
        assert_ok(sn_handle_player_find(slow, f, &seen));
        for (uint32_t k = f == 0 ? 0 : 3 * f - 2; k <= 3 * f; k++)
            assert_ok(sn_handle_player_find(quick, k, &same));
        assert_near(seen.time, same.time, 1e-6);
        for (int p = 0; p < 2; p++) {
            assert_near(seen.weights[p], same.weights[p], 0.0);
            moved = sn_maxf(moved, seen.weights[p]);
        }
    }
    assert_true(moved > 0.1f);
    sn_handle_player_destroy(slow);
    sn_handle_player_destroy(quick);
    sn_document_destroy(document);
}

// Frames are the same in any order, and so is a take of them.
static void frames_in_any_order(void** state) {
    (void)state;
    const char* const motions[] = {keys, path};
    for (int i = 0; i < 2; i++) {
        snDocument* document = open_document(NULL, motions[i]);
        snError error = sn_error_none();
        snHandlePlayerDef def = sn_handle_player_def();
        snHandlePlayer* player = NULL;
        edits_expect(sn_handle_player_create(document, &def, &player, &error), &error, "player");
        snTakeDef plan = sn_take_def();
        sn_handle_player_plan(player, &plan);
        assert_near(plan.fps, 10.0, 0.0);
        assert_in_range(plan.frames, 5, 16);
        assert_int_equal(sn_handle_player_pose(player, 0), SN_RESULT_INVALID_ARGUMENT);
        edits_expect(sn_handle_player_build(player, NULL, &error), &error, "build");
        uint64_t hashes[16] = {0};
        for (uint32_t f = 0; f < plan.frames; f++) {
            assert_ok(sn_handle_player_pose(player, f));
            hashes[f] = sn_puppet_hash(sn_handle_player_puppet(player));
        }
        assert_true(hashes[0] != hashes[4]);
        const uint32_t order[] = {3, 1, 4, 4, 0};
        for (size_t k = 0; k < sizeof order / sizeof order[0]; k++) {
            assert_ok(sn_handle_player_pose(player, order[k]));
            assert_true(sn_puppet_hash(sn_handle_player_puppet(player)) == hashes[order[k]]);
        }
        assert_int_equal(sn_handle_player_pose(player, plan.frames), SN_RESULT_INVALID_ARGUMENT);
        assert_int_equal(sn_handle_player_path_count(player), i);
        snTake* take = NULL;
        snTakeSource source = sn_handle_player_source(player);
        assert_ok(sn_take_create(document, &plan, &source, &take, &error));
        assert_ok(sn_take_pose_all(take, &error));
        sn_take_destroy(take);
        sn_handle_player_destroy(player);
        sn_document_destroy(document);
    }
}

// As a player whose keyframe is the same blend.
static void blends_pose_the_surface(void** state) {
    (void)state;
    snDocument* document = open_document(NULL, keys);
    snError error = sn_error_none();
    const uint32_t list = 0;
    const float weight = 1.0f;
    snPoseBlend blend = {0};
    snHandlePoser* poser = NULL;
    snHandlePlayer* player = NULL;
    snHandlePlayerDef def = sn_handle_player_def();
    edits_expect(sn_handle_poser_create(document, NULL, &poser, &error), &error, "poser");
    uint64_t rest = sn_puppet_hash(sn_handle_poser_puppet(poser));
    edits_expect(sn_document_blend_poses(document, &list, &weight, 1, &blend, &error), &error, "blend");
    assert_ok(sn_handle_poser_run(poser, &blend));
    assert_true(sn_puppet_hash(sn_handle_poser_puppet(poser)) != rest);
    edits_expect(sn_handle_player_create(document, &def, &player, &error), &error, "player");
    edits_expect(sn_handle_player_build(player, NULL, &error), &error, "build");
    assert_ok(sn_handle_player_pose(player, 0));
    assert_true(sn_puppet_hash(sn_handle_player_puppet(player)) ==
                sn_puppet_hash(sn_handle_poser_puppet(poser)));
    uint32_t hand = sn_handles_find(sn_document_handles(document), "LeftHand");
    snPoseTarget target = {hand, sn_document_handles(document)->handles[hand].position, {0, 0, 0}, 1.0f};
    assert_vec3_near(sn_pose_blend_point(&blend, &target), sn_rigid_point(blend.moves[hand], target.point),
                     0);
    // A blend of other poses is refused.
    snPoseBlend other = blend;
    other.pose_count = 9;
    assert_int_equal(sn_handle_poser_run(poser, &other), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_handle_poser_run(poser, NULL), SN_RESULT_INVALID_ARGUMENT);
    sn_handle_player_destroy(player);
    sn_handle_poser_destroy(poser);
    sn_pose_blend_free(&blend);
    sn_document_destroy(document);
}

static void there_must_be_handles(void** state) {
    (void)state;
    snDocumentDef def = sn_document_def();
    snDocument* document = NULL;
    snHandlePoser* poser = NULL;
    snError error = sn_error_none();
    assert_ok(sn_document_create(&def, NULL, &document, &error));
    assert_int_equal(sn_document_handles_from(document), SN_HANDLES_FROM_SHAPE);
    edits_expect(sn_document_open(document, "builtin:cube", NULL, &error), &error, "open");
    assert_int_equal(sn_document_handles_from(document), SN_HANDLES_FROM_SHAPE);
    assert_true(sn_handle_poser_create(document, NULL, &poser, &error) != SN_RESULT_OK);
    edits_expect(sn_document_open(document, "builtin:body", NULL, &error), &error, "open");
    assert_int_equal(sn_document_handles_from(document), SN_HANDLES_FROM_SKELETON);
    snMakeHandlesDef rig = sn_make_handles_def();
    rig.from = sn_document_handles_from(document);
    edits_expect(sn_document_make_handles(document, &rig, NULL, &error), &error, "rig");
    assert_int_equal(sn_handle_poser_create(document, NULL, &poser, &error), SN_RESULT_UNSUPPORTED);
    assert_null(poser);
    assert_string_equal(sn_handles_from_name(SN_HANDLES_FROM_SHAPE), "auto");
    assert_null(sn_handles_from_name(SN_HANDLES_FROM_COUNT));
    sn_document_destroy(document);
}

static void nothing_to_play(void** state) {
    (void)state;
    snDocument* document = open_document(NULL, NULL);
    snError error = sn_error_none();
    snHandlePlayerDef def = sn_handle_player_def();
    snHandlePlayer* player = NULL;
    assert_int_equal(sn_handle_player_create(document, &def, &player, &error), SN_RESULT_NOT_FOUND);
    assert_int_equal(sn_handle_player_create(document, NULL, &player, &error), SN_RESULT_NOT_FOUND);
    sn_document_destroy(document);
}

// -------------------------------------------------------------------------------------------------- captures

static void motions_are_captured(void** state) {
    (void)state;
    snDocument* document = open_document(NULL, NULL);
    snError error = sn_error_none();
    snSource *source = NULL, *bar = NULL;
    edits_expect(sn_source_open(document, "builtin:body", NULL, &source, &error), &error, "source");
    edits_expect(sn_source_open(document, "builtin:bar", NULL, &bar, &error), &error, "source");
    snPathCaptureDef def = sn_path_capture_def();
    snPathCaptureReport report = {0};
    snPaths* paths = NULL;
    uint64_t hash = sn_document_hash(document);
    edits_expect(sn_document_capture(document, source, &def, &report, &paths, &error), &error, "capture");
    assert_int_equal(report.pair_count, paths->path_count);
    assert_true(report.pair_count >= 4);
    assert_near(report.scale, 1.0, 0.2);
    assert_true(sn_document_hash(document) == hash);
    snHandlePlayerDef play = sn_handle_player_def();
    snHandlePlayer* player = NULL;
    play.captured = paths;
    edits_expect(sn_handle_player_create(document, &play, &player, &error), &error, "player");
    assert_int_equal(sn_handle_player_path_count(player), paths->path_count);
    assert_int_equal(sn_handle_player_path_handle(player, 0), paths->paths[0].handle);
    sn_handle_player_destroy(player);
    sn_paths_destroy(paths);
    sn_path_capture_report_free(&report);
    // Those that a file names, and no others.
    static const char map[] = "{\"joints\": {\"LeftHand\": \"RightHand\", \"Head\": null}}";
    static const char wrong[] = "{\"joints\": {\"LeftHand\": \"Tail\"}}";
    snJointOverrides list = {0};
    assert_int_equal(
        sn_document_read_capture_map(document, source, "map", wrong, strlen(wrong), &list, &error),
        SN_RESULT_NOT_FOUND);
    assert_ok(sn_document_read_capture_map(document, source, "map", map, strlen(map), &list, &error));
    def.map = &list;
    edits_expect(sn_document_capture(document, source, &def, &report, &paths, &error), &error, "capture");
    assert_int_equal(report.pair_count, 1);
    sn_paths_destroy(paths);
    sn_path_capture_report_free(&report);
    sn_joint_overrides_free(&list);
    def.map = NULL;
    assert_int_equal(sn_document_capture(document, bar, &def, &report, &paths, &error), SN_RESULT_NOT_FOUND);
    def.clip = 99;
    assert_int_equal(sn_document_capture(document, source, &def, &report, &paths, &error),
                     SN_RESULT_NOT_FOUND);
    sn_source_close(source);
    sn_source_close(bar);
    sn_document_destroy(document);
}

// ---------------------------------------------------------------------------------------------------- memory

static snResult try_all(snDocument* document, const snSource* source, snError* error) {
    snPathCaptureDef def = sn_path_capture_def();
    snPathCaptureReport report = {0};
    snPaths* paths = NULL;
    snHandlePlayer* player = NULL;
    snPoseBlend blend = {0};
    snHandlePose* pose = NULL;
    snHandlePoser* poser = NULL;
    const uint32_t list = 1;
    const float weight = 0.5f;
    snResult result = sn_document_capture(document, source, &def, &report, &paths, error);
    snHandlePlayerDef play = sn_handle_player_def();
    play.captured = paths;
    if (result == SN_RESULT_OK) result = sn_handle_player_create(document, &play, &player, error);
    if (result == SN_RESULT_OK) result = sn_document_blend_poses(document, &list, &weight, 1, &blend, error);
    if (result == SN_RESULT_OK) result = sn_document_make_pose(document, &blend, "half", &pose, error);
    if (result == SN_RESULT_OK) result = sn_handle_poser_create(document, NULL, &poser, error);
    sn_handle_poser_destroy(poser);
    sn_handle_pose_destroy(pose);
    sn_pose_blend_free(&blend);
    sn_handle_player_destroy(player);
    sn_paths_destroy(paths);
    sn_path_capture_report_free(&report);
    return result;
}

static void memory_fails_everywhere(void** state) {
    (void)state;
    TestAllocator memory = {.fail_at = UINT64_MAX};
    snAllocator allocator = test_allocator(&memory);
    snDocument* document = open_document(&allocator, NULL);
    snSource* source = NULL;
    snError error = sn_error_none();
    edits_expect(sn_source_open(document, "builtin:body", NULL, &source, &error), &error, "source");
    const snMesh* mesh = NULL;
    assert_ok(sn_document_mesh(document, &mesh, &error));
    snResult result = SN_RESULT_OUT_OF_MEMORY;
    uint64_t held = memory.held;
    for (uint64_t n = 0; result != SN_RESULT_OK; n += n < 200 ? 1 : 7) {
        memory.calls = 0;
        memory.fail_at = n;
        result = try_all(document, source, &error);
        memory.fail_at = UINT64_MAX;
        if (result != SN_RESULT_OK && result != SN_RESULT_OUT_OF_MEMORY) fail_msg("%s", error.text);
        assert_int_equal(memory.held, held);
    }
    sn_source_close(source);
    sn_document_destroy(document);
    assert_int_equal(memory.held, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(blends_are_poses),
                                       cmocka_unit_test(searches_reach),
                                       cmocka_unit_test(frames_in_any_order),
                                       cmocka_unit_test(nothing_to_play),
                                       cmocka_unit_test(blends_pose_the_surface),
                                       cmocka_unit_test(there_must_be_handles),
                                       cmocka_unit_test(slow_films_are_of_the_same_motion),
                                       cmocka_unit_test(motions_are_captured),
                                       cmocka_unit_test(memory_fails_everywhere)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
