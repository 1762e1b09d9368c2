// Characters that lie in their files, stood up when joints come to them, and by themselves.
#include <string.h>

#include "document/document.h"
#include "edits.h"

static snBytes lying; // the built-in body with Z up, as .obj

static int write_lying(void** state) {
    (void)state;
    snModel* model = NULL;
    snBodyDef def = sn_body_def();
    def.vertex_target = 1500;
    snStance stance = {SN_AXIS_Z, SN_AXIS_MINUS_Y, SN_STANCE_GIVEN, SN_STANCE_GIVEN};
    if (sn_builtin_body(&def, NULL, &model, NULL) != SN_RESULT_OK) return 1;
    sn_model_rotate(model, sn_quat_conjugate(sn_stance_rotation(&stance)));
    snResult result = sn_model_write_memory(model, "lying.obj", NULL, NULL, &lying, NULL);
    sn_model_destroy(model);
    return result == SN_RESULT_OK ? 0 : 1;
}

static int free_lying(void** state) {
    (void)state;
    sn_bytes_free(&lying);
    return 0;
}

static snResult open_lying(snDocument* document, const snProgress* progress, snError* error) {
    snOpenDef def = sn_open_def();
    def.progress = *progress;
    return sn_document_open_memory(document, "lying.obj", lying.data, lying.size, &def, error);
}

static snResult join_as(snDocument* document, bool fit, const snProgress* progress, snFitReport* report,
                        snError* error) {
    snSource* source = NULL;
    snResult result = sn_source_open(document, "builtin:body", NULL, &source, error);
    snJoinDef def = sn_join_def();
    def.fit = fit;
    if (result == SN_RESULT_OK) result = sn_document_join(document, source, &def, progress, report, error);
    sn_source_close(source);
    return result;
}

static snResult join(snDocument* document, const snProgress* progress, snError* error) {
    return join_as(document, false, progress, NULL, error);
}

static snResult stand_up(snDocument* document, const snProgress* progress, snError* error) {
    return sn_document_orient(document, SN_AXIS_AUTO, SN_AXIS_AUTO, progress, NULL, error);
}

static const Step joining[] = {{"open", open_lying}, {"join", join}};
static const Step standing[] = {{"open", open_lying}, {"stand", stand_up}};

// Where the vertices are at rest.
static snBounds bounds_of(const snDocument* document) {
    snMesh* mesh = NULL;
    assert_ok(sn_model_merge_mesh(sn_document_model(document), NULL, &mesh, NULL));
    snBounds box = sn_bounds_of(mesh->positions, mesh->vertex_count);
    sn_mesh_destroy(mesh);
    return box;
}

static void expect_upright(const snDocument* document) {
    snVec3 size = sn_sub(bounds_of(document).max, bounds_of(document).min);
    assert_true(size.y > 1.7f && size.z < 0.4f);
}

static void undo_and_redo(void** state) {
    (void)state;
    edits_undo_and_redo(joining, 2);
    edits_undo_and_redo(standing, 2);
    edits_in_place(joining, 2);
    edits_in_place(standing, 2);
}

static void all_or_nothing(void** state) {
    (void)state;
    edits_fail_memory(standing, 2);
}

// Joints come and go, and the way back to the axes of the file is known each time.
static void the_way_back_is_known(void** state) {
    (void)state;
    for (int history = 0; history < 2; history++) {
        snDocument* document = edits_make_with(history ? SN_HISTORY_LIMIT : 0, NULL);
        snError error = sn_error_none();
        snFitReport report;
        edits_expect(open_lying(document, &edits_nobody, &error), &error, "open");
        edits_expect(join_as(document, history == 0, &edits_nobody, &report, &error), &error, "join");
        assert_int_equal(report.stance.up, SN_AXIS_Z);
        assert_int_equal(report.stance.facing, SN_AXIS_MINUS_Y);
        assert_true(report.turned);
        sn_fit_report_free(&report);
        expect_upright(document);
        for (int round = 0; round < 2; round++) {
            snQuat back;
            assert_true(sni_own_axes(&document->state.body, &back));
            assert_vec3_near(sn_quat_rotate(back, sn_vec3(0, 1, 0)), sn_vec3(0, 0, 1), 1e-5f);
            assert_vec3_near(sn_quat_rotate(back, sn_vec3(0, 0, 1)), sn_vec3(0, -1, 0), 1e-5f);
            if (!history) break;
            assert_ok(sn_document_undo(document, &error));
            assert_ok(sn_document_redo(document, &error));
            expect_upright(document);
        }
        sn_document_destroy(document);
    }
}

static void what_stands_stays(void** state) {
    (void)state;
    snDocument* document = edits_make(NULL);
    snError error = sn_error_none();
    snStance stance;
    snQuat back;
    assert_ok(sn_document_open(document, "builtin:body", NULL, &error));
    uint64_t before = sn_document_hash(document);
    assert_ok(sn_document_orient(document, SN_AXIS_AUTO, SN_AXIS_AUTO, NULL, &stance, &error));
    assert_int_equal(stance.up_how, SN_STANCE_FORMAT);
    assert_true(sn_document_hash(document) == before);
    assert_int_equal(sn_document_undo_count(document), 1);
    edits_expect(join(document, &edits_nobody, &error), &error, "join");
    assert_false(sni_own_axes(&document->state.body, &back));
    assert_int_equal(sn_document_orient(document, SN_AXIS_Y, SN_AXIS_Y, NULL, NULL, &error),
                     SN_RESULT_INVALID_ARGUMENT);
    sn_document_destroy(document);
}

// Doubting is no edit.
static void doubt_changes_nothing(void** state) {
    (void)state;
    snDocument* document = edits_make(NULL);
    snError error = sn_error_none();
    snBindDoubt* doubt = NULL;
    snBindDef def = sn_bind_def();
    assert_ok(sn_document_open(document, "builtin:tube", NULL, &error));
    uint64_t before = sn_document_hash(document);
    edits_expect(sn_document_doubt(document, &def, NULL, &doubt, &error), &error, "doubt");
    assert_int_equal(doubt->part_count, 1);
    assert_true(sn_document_hash(document) == before);
    sn_bind_doubt_destroy(doubt);
    sn_document_destroy(document);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(undo_and_redo),         cmocka_unit_test(all_or_nothing),
        cmocka_unit_test(the_way_back_is_known), cmocka_unit_test(what_stands_stays),
        cmocka_unit_test(doubt_changes_nothing),
    };
    return cmocka_run_group_tests(tests, write_lying, free_lying);
}
