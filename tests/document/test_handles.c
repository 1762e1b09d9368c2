// Handles, poses and paths of a document, back and forth.
#include <stdio.h>
#include <string.h>

#include "edits.h"

static const char steps_of_wave[] =
    "{\"sinew_pose\": 1, \"steps\": [{\"turn\": \"top\", \"axis\": [0.3, 0.2, 0.8], \"degrees\": 33}]}";
static const char steps_of_bow[] =
    "{\"sinew_pose\": 1, \"name\": \"bow\", \"steps\": [{\"move\": \"top\", \"by\": [0, -0.1, 0.2]}]}";
static const char keys[] = "{\"sinew_path\": 1, \"keyframes\": [{\"time\": 0, \"poses\": {\"wave\": 1}}, "
                           "{\"time\": 1, \"poses\": {\"bow\": 1}}]}";

// -------------------------------------------------------------------------------------------------- steps

static snResult open_bar(snDocument* document, const snProgress* progress, snError* error) {
    snOpenDef def = sn_open_def();
    def.progress = *progress;
    return sn_document_open(document, "builtin:bar", &def, error);
}

static snResult make_shape(snDocument* document, const snProgress* progress, snError* error) {
    snMakeHandlesDef def = sn_make_handles_def();
    def.progress = *progress;
    return sn_document_make_handles(document, &def, NULL, error);
}

static snResult make_skeleton(snDocument* document, const snProgress* progress, snError* error) {
    snMakeHandlesDef def = sn_make_handles_def();
    def.from = SN_HANDLES_FROM_SKELETON;
    def.progress = *progress;
    return sn_document_make_handles(document, &def, NULL, error);
}

// The lower and the upper third of a mesh.
static snResult make_thirds(const snMesh* mesh, const char* upper, snHandles** out, snError* error) {
    enum { MOST = 4096 };
    static uint32_t vertices[2][MOST];
    snBounds bounds = sn_bounds_of(mesh->positions, mesh->vertex_count);
    snVec3 size = sn_sub(bounds.max, bounds.min);
    const uint32_t follower = 1;
    snHandleDef handles[2] = {{.name = "low", .vertices = vertices[0], .confidence = 1.0f},
                              {.name = upper, .vertices = vertices[1], .confidence = 1.0f}};
    handles[0].followers = &follower;
    handles[0].follower_count = 1;
    handles[1].center = sn_scale(sn_add(bounds.min, bounds.max), 0.5f);
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        snVec3 p = sn_sub(mesh->positions[v], bounds.min);
        float along = (p.x + p.y + p.z) / (size.x + size.y + size.z);
        snHandleDef* handle = along < 0.33f ? &handles[0] : along > 0.67f ? &handles[1] : NULL;
        if (handle != NULL && handle->vertex_count < MOST)
            vertices[handle == &handles[1]][handle->vertex_count++] = v;
    }
    snHandlesDef def = {mesh, 2, handles};
    return sn_handles_create(&def, NULL, out, error);
}

static snResult set_thirds(snDocument* document, const char* upper, snHandlesReport* report, snError* error) {
    const snMesh* mesh = NULL;
    snHandles* handles = NULL;
    snResult result = sn_document_mesh(document, &mesh, error);
    if (result == SN_RESULT_OK) result = make_thirds(mesh, upper, &handles, error);
    if (result == SN_RESULT_OK) result = sn_document_set_handles(document, handles, report, error);
    sn_handles_destroy(handles);
    return result;
}

static snResult set_rig(snDocument* document, const snProgress* progress, snError* error) {
    (void)progress;
    return set_thirds(document, "top", NULL, error);
}

static snResult rename_rig(snDocument* document, const snProgress* progress, snError* error) {
    (void)progress;
    return set_thirds(document, "head", NULL, error);
}

static snResult read_wave(snDocument* document, const snProgress* progress, snError* error) {
    (void)progress;
    return sn_document_read_pose(document, "poses/wave.snpose", steps_of_wave, strlen(steps_of_wave), NULL,
                                 NULL, error);
}

static snResult read_bow(snDocument* document, const snProgress* progress, snError* error) {
    (void)progress;
    return sn_document_read_pose(document, "b.snpose", steps_of_bow, strlen(steps_of_bow), NULL, NULL, error);
}

static snResult add_detail(snDocument* document, const snProgress* progress, snError* error) {
    (void)progress;
    snPoseDetail details[] = {{3, 0.01f}, {5, -0.02f}};
    snHandlePoseDef def = {"bump", 0, NULL, 2, details};
    snHandlePose* pose = NULL;
    snResult result = sn_handle_pose_create(&def, sn_document_handles(document), NULL, &pose, error);
    if (result == SN_RESULT_OK) result = sn_document_add_pose(document, pose, NULL, error);
    sn_handle_pose_destroy(pose);
    return result;
}

static snResult set_path(snDocument* document, const snProgress* progress, snError* error) {
    (void)progress;
    return sn_document_set_path(document, "keys.json", keys, strlen(keys), NULL, error);
}

static snResult remove_last(snDocument* document, const snProgress* progress, snError* error) {
    (void)progress;
    return sn_document_remove_pose(document, sn_document_pose_count(document) - 1, error);
}

static snResult hold_pieces(snDocument* document, const snProgress* progress, snError* error) {
    (void)progress;
    snResult result = sn_document_begin(document, "Hold", error);
    if (result != SN_RESULT_OK) return result;
    result = sn_document_hold_pieces(document, NULL, error);
    if (result == SN_RESULT_OK) result = sn_document_set(document, "flesh.delta", "0.5", error);
    if (result == SN_RESULT_OK) return sn_document_end(document, error);
    sn_document_cancel(document);
    return result;
}

// Makes more vertices: the handles go with those that they were for.
static snResult refine(snDocument* document, const snProgress* progress, snError* error) {
    (void)progress;
    snResult result = sn_document_begin(document, "Refine", error);
    if (result != SN_RESULT_OK) return result;
    result = sn_document_set(document, "volume.method", "exact", error);
    if (result == SN_RESULT_OK) result = sn_document_set(document, "volume.refine", "1", error);
    if (result == SN_RESULT_OK) result = sn_document_refine(document, error);
    if (result == SN_RESULT_OK) return sn_document_end(document, error);
    sn_document_cancel(document);
    return result;
}

static const Step steps[] = {
    {"open", open_bar},       {"shape", make_shape},  {"skeleton", make_skeleton},
    {"set", set_rig},         {"wave", read_wave},    {"bow", read_bow},
    {"detail", add_detail},   {"path", set_path},     {"remove", remove_last},
    {"hold", hold_pieces},    {"refine", refine},     {"skeleton again", make_skeleton},
    {"open again", open_bar}, {"set again", set_rig}, {"wave again", read_wave},
    {"rename", rename_rig}};
enum { STEPS = sizeof steps / sizeof steps[0] };

// -------------------------------------------------------------------------------------------------- tests

static void undo_and_redo(void** state) {
    (void)state;
    edits_undo_and_redo(steps, STEPS);
}

static void memory_fails_everywhere(void** state) {
    (void)state;
    edits_fail_memory(steps, STEPS);
}

static void cancelled_everywhere(void** state) {
    (void)state;
    edits_cancel(steps, STEPS);
}

static void in_place_is_the_same(void** state) {
    (void)state;
    edits_in_place(steps, STEPS);
}

static void do_until(snDocument* document, const char* last) {
    snError error = sn_error_none();
    for (int i = 0; i < STEPS; i++) {
        edits_expect(steps[i].run(document, &edits_nobody, &error), &error, steps[i].name);
        if (strcmp(steps[i].name, last) == 0) return;
    }
}

static void poses_are_known_by_file_and_name(void** state) {
    (void)state;
    snDocument* document = edits_make(NULL);
    snError error = sn_error_none();
    uint32_t index = SN_NONE;
    do_until(document, "bow");
    assert_int_equal(sn_document_pose_count(document), 2);
    assert_string_equal(sn_document_pose(document, 0)->name, "wave");
    assert_string_equal(sn_document_pose_file(document, 0), "poses/wave.snpose");
    assert_int_equal(sn_document_find_pose(document, "bow"), 1);
    assert_int_equal(sn_document_find_pose(document, "nod"), SN_NONE);
    assert_null(sn_document_pose(document, 2));
    uint32_t undos = sn_document_undo_count(document);
    assert_ok(sn_document_read_pose(document, "b.snpose", steps_of_bow, strlen(steps_of_bow), &index, NULL,
                                    &error));
    assert_int_equal(index, 1);
    assert_int_equal(sn_document_undo_count(document), undos);
    assert_int_equal(
        sn_document_read_pose(document, "c.snpose", steps_of_bow, strlen(steps_of_bow), &index, NULL, &error),
        SN_RESULT_BAD_DATA);
    assert_string_equal(error.file, "c.snpose");
    assert_non_null(strstr(error.text, "b.snpose"));
    assert_int_equal(sn_document_remove_pose(document, 7, &error), SN_RESULT_NOT_FOUND);
    sn_document_destroy(document);
}

static void a_path_keeps_its_poses(void** state) {
    (void)state;
    snDocument* document = edits_make(NULL);
    snError error = sn_error_none();
    do_until(document, "path");
    assert_int_equal(sn_document_path(document)->keyframes.key_count, 2);
    uint64_t hash = sn_document_hash(document);
    assert_int_equal(sn_document_remove_pose(document, 0, &error), SN_RESULT_BAD_DATA);
    assert_true(sn_document_hash(document) == hash);
    assert_ok(sn_document_set_path(document, NULL, NULL, 0, NULL, &error));
    assert_null(sn_document_path(document));
    assert_ok(sn_document_remove_pose(document, 0, &error));
    assert_string_equal(sn_document_pose(document, 0)->name, "bow");
    sn_document_destroy(document);
}

static void new_handles_keep_what_they_can(void** state) {
    (void)state;
    snDocument* document = edits_make(NULL);
    snError error = sn_error_none();
    snHandlesReport report = {0};
    do_until(document, "path");
    assert_ok(set_thirds(document, "top", &report, &error));
    assert_int_equal(report.poses_gone, 0);
    assert_false(report.path_gone);
    assert_int_equal(sn_document_pose_count(document), 3);
    assert_ok(set_thirds(document, "head", &report, &error));
    assert_int_equal(report.poses_gone, 2);
    assert_true(report.path_gone);
    assert_int_equal(sn_document_pose_count(document), 1);
    assert_null(sn_document_path(document));
    assert_ok(sn_document_undo(document, &error));
    assert_int_equal(sn_document_path(document)->keyframes.key_count, 2);
    assert_ok(sn_document_set_handles(document, NULL, &report, &error));
    assert_int_equal(report.poses_gone, 3);
    assert_null(sn_document_handles(document));
    sn_document_destroy(document);
}

static void other_meshes_have_other_handles(void** state) {
    (void)state;
    snDocument* document = edits_make(NULL);
    snError error = sn_error_none();
    assert_int_equal(set_rig(document, &edits_nobody, &error), SN_RESULT_INVALID_ARGUMENT);
    do_until(document, "wave");
    snHandles* old = NULL;
    const snMesh* mesh = NULL;
    assert_ok(sn_document_mesh(document, &mesh, &error));
    assert_ok(make_thirds(mesh, "top", &old, &error));
    assert_ok(sn_document_open(document, "builtin:cube", NULL, &error));
    assert_null(sn_document_handles(document));
    assert_int_equal(sn_document_pose_count(document), 0);
    assert_int_equal(sn_document_set_handles(document, old, NULL, &error), SN_RESULT_BAD_DATA);
    assert_int_equal(read_wave(document, &edits_nobody, &error), SN_RESULT_INVALID_ARGUMENT);
    snMakeHandlesDef def = sn_make_handles_def();
    def.from = SN_HANDLES_FROM_SKELETON;
    assert_int_equal(sn_document_make_handles(document, &def, NULL, &error), SN_RESULT_NOT_FOUND);
    def.from = SN_HANDLES_FROM_COUNT;
    assert_int_equal(sn_document_make_handles(document, &def, NULL, &error), SN_RESULT_INVALID_ARGUMENT);
    sn_handles_destroy(old);
    sn_document_destroy(document);
}

static void refining_drops_handles(void** state) {
    (void)state;
    snDocument* document = edits_make(NULL);
    snError error = sn_error_none();
    do_until(document, "refine");
    assert_null(sn_document_handles(document));
    assert_ok(sn_document_undo(document, &error));
    assert_non_null(sn_document_handles(document));
    assert_int_equal(sn_document_pose_count(document), 2);
    assert_non_null(sn_document_path(document));
    sn_document_destroy(document);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(undo_and_redo),
                                       cmocka_unit_test(poses_are_known_by_file_and_name),
                                       cmocka_unit_test(a_path_keeps_its_poses),
                                       cmocka_unit_test(new_handles_keep_what_they_can),
                                       cmocka_unit_test(other_meshes_have_other_handles),
                                       cmocka_unit_test(refining_drops_handles),
                                       cmocka_unit_test(cancelled_everywhere),
                                       cmocka_unit_test(in_place_is_the_same),
                                       cmocka_unit_test(memory_fails_everywhere)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
