// What a model is made of, counted.
#include <string.h>

#include "steps.h"

// A triangle whose last two corners weld together still uses its edge: three uses are one too many. Only
// glTF is judged after the weld; a model that is no file shares the vertices it means to share.
static void collapsed_faces_count(void** state) {
    (void)state;
    const snVec3 points[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {1, 0, 0}};
    const uint32_t corners[] = {0, 1, 2, 1, 0, 3, 0, 1, 4};
    snMeshDef mesh = {
        .vertex_count = 5, .face_count = 3, .corner_count = 9, .positions = points, .corners = corners};
    uint32_t parent = SN_NONE;
    snTrs rest = sn_trs_identity();
    snSkeletonDef skeleton = {1, NULL, &parent, &rest};
    snPartDef part = {.name = "fin", .mesh = &mesh, .skin = SN_NONE};
    snModelDef def = {.skeleton = &skeleton, .part_count = 1, .parts = &part};
    snModel* model = NULL;
    assert_ok(sn_model_create(&def, NULL, &model, NULL));
    snCensus* census = NULL;
    assert_ok(sn_census_create(model, NULL, NULL, &census, NULL));
    assert_int_equal(census->total.bad_edges, 1);
    assert_int_equal(census->total.boundary_edges, 6);
    sn_census_destroy(census);
    assert_ok(sn_model_write(model, test_out_path("fin.glb"), NULL, NULL));
    sn_model_destroy(model);
    assert_ok(sn_model_read(test_out_path("fin.glb"), NULL, &model, NULL));
    assert_ok(sn_census_create(model, NULL, NULL, &census, NULL));
    assert_int_equal(census->total.welded, 4);
    assert_int_equal(census->total.bad_edges, 1);
    assert_int_equal(census->total.boundary_edges, 4);
    assert_false(census->total.manifold);
    sn_census_destroy(census);
    sn_model_destroy(model);
}

static snResult take_once(const snAllocator* allocator, void* context) {
    snCensus* census = NULL;
    snResult result = sn_census_create(context, NULL, allocator, &census, NULL);
    sn_census_destroy(census);
    return result;
}

static void out_of_memory(void** state) {
    (void)state;
    snModel* model = NULL;
    assert_ok(sn_builtin_cube(1, 2, true, NULL, &model, NULL));
    test_every_allocation(take_once, model);
    sn_model_destroy(model);
}

// Each mesh once, however often it is placed; sums over all of them.
static void counts_add_up(void** state) {
    (void)state;
    snDocument* document = edits_make(NULL);
    snError error = sn_error_none();
    snCensus* census = NULL;
    assert_int_equal(sn_document_census(document, NULL, NULL, &census, &error), SN_RESULT_INVALID_ARGUMENT);
    edits_expect(sn_document_open(document, "builtin:cube", NULL, &error), &error, "open");
    edits_expect(sn_document_census(document, NULL, NULL, &census, &error), &error, "census");
    assert_int_equal(census->mesh_count, 1);
    assert_true(census->total.closed && census->total.manifold && census->total.oriented);
    assert_int_equal(census->total.triangles + census->total.quads + census->total.larger,
                     census->total.faces);
    snVec3 size = sn_sub(census->world.max, census->world.min);
    assert_near(census->total.volume, (double)size.x * (double)size.y * (double)size.z, 1e-6);
    assert_int_equal(census->total.instances, 1);
    sn_census_destroy(census);
    // As it is now: an edit is seen.
    edits_expect(sn_document_open(document, "builtin:bar", NULL, &error), &error, "open");
    const snModel* model = sn_document_model(document);
    assert_true(sn_clip_keys(model->clips[0]) > 1);
    snSource* source = NULL;
    edits_expect(sn_source_open(document, "builtin:bar", NULL, &source, &error), &error, "source");
    edits_expect(sn_source_census(source, NULL, NULL, &census, &error), &error, "census");
    assert_int_equal(census->total.vertices, model->parts[0].mesh->vertex_count);
    assert_true(census->joints > 0);
    sn_census_destroy(census);
    sn_source_close(source);
    sn_document_destroy(document);
}

static bool stop(void* user, const char* stage, float share) {
    assert_non_null(stage);
    assert_true(share >= 0.0f && share <= 1.0f);
    return --*(uint32_t*)user > 0;
}

static void it_can_be_stopped(void** state) {
    (void)state;
    snModel* model = NULL;
    snCensus* census = NULL;
    assert_ok(sn_builtin_cube(1, 2, true, NULL, &model, NULL));
    snResult result = SN_RESULT_CANCELLED;
    uint32_t tried = 0;
    for (; result == SN_RESULT_CANCELLED; tried++) {
        uint32_t calls = tried + 1;
        snProgress progress = {stop, &calls};
        result = sn_census_create(model, &progress, NULL, &census, NULL);
        if (result == SN_RESULT_CANCELLED) assert_null(census);
    }
    assert_ok(result);
    assert_true(tried > 2);
    sn_census_destroy(census);
    sn_model_destroy(model);
}

// Of an ASF the root is no bone.
static void a_root_is_no_bone(void** state) {
    (void)state;
    snDocument* document = edits_make(NULL);
    snError error = sn_error_none();
    snCensus *census = NULL, *plain = NULL;
    edits_expect(sn_document_open(document, test_data_path("motion/cmu_02.asf"), NULL, &error), &error,
                 "open");
    edits_expect(sn_document_census(document, NULL, NULL, &census, &error), &error, "census");
    edits_expect(sn_census_create(sn_document_model(document), NULL, NULL, &plain, &error), &error, "census");
    assert_int_equal(census->joints + 1, plain->joints);
    assert_int_equal(census->mesh_count, 0);
    assert_false(census->total.closed);
    sn_census_destroy(plain);
    sn_census_destroy(census);
    sn_document_destroy(document);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(collapsed_faces_count), cmocka_unit_test(out_of_memory),
        cmocka_unit_test(counts_add_up),         cmocka_unit_test(it_can_be_stopped),
        cmocka_unit_test(a_root_is_no_bone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
