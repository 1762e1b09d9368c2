// All parts of a model as one mesh at their rest places.
#include <string.h>

#include "rigs.h"
#include "shapes.h"

static snVec3 face_normal(const snMesh* mesh, uint32_t face) {
    const uint32_t* c = mesh->corners + mesh->face_starts[face];
    const snVec3* p = mesh->positions;
    return sn_normalize_or(sn_cross(sn_sub(p[c[1]], p[c[0]]), sn_sub(p[c[2]], p[c[0]])), sn_vec3(0, 0, 0));
}

// Two cubes of 24 vertices, the second carried half a metre up.
static void parts_come_in_order(void** state) {
    (void)state;
    snModel* model = NULL;
    snMesh* mesh = NULL;
    assert_ok(sn_model_create(test_model_def(), NULL, &model, NULL));
    assert_ok(sn_model_merge_mesh(model, NULL, &mesh, NULL));
    assert_int_equal(mesh->vertex_count, 48);
    assert_int_equal(mesh->face_count, 12);
    assert_int_equal(mesh->corner_count, 48);
    for (uint32_t v = 0; v < 24; v++) {
        snVec3 p = model->parts[0].mesh->positions[v];
        assert_vec3_near(mesh->positions[v], p, 1e-6f);
        assert_vec3_near(mesh->positions[24 + v], sn_add(p, sn_vec3(0, 0.5f, 0)), 1e-6f);
    }
    for (uint32_t c = 0; c < 24; c++) assert_int_equal(mesh->corners[24 + c], mesh->corners[c] + 24);
    assert_int_equal(mesh->group_count, 2);
    assert_string_equal(mesh->group_names[0], "soft");
    assert_string_equal(mesh->group_names[1], "hard");
    for (uint32_t f = 0; f < 12; f++) assert_int_equal(mesh->face_groups[f], f / 6);
    assert_null(mesh->colors);
    sn_mesh_destroy(mesh);
    sn_model_destroy(model);
}

// A model of two cubes: one mirrored, with groups and a face of none; one with colors.
static snModel* mixed_model(void) {
    snMesh* cube = test_cube(sn_vec3(0, 0, 0));
    snMeshDef grouped = sn_mesh_def(cube), colored = sn_mesh_def(cube);
    static const char* const group_names[] = {"low", "high"};
    static const uint32_t groups[] = {0, 1, 0, 1, SN_NONE, 1};
    static const snVec4 red[8] = {{1, 0, 0, 1}, {1, 0, 0, 1}, {1, 0, 0, 1}, {1, 0, 0, 1},
                                  {1, 0, 0, 1}, {1, 0, 0, 1}, {1, 0, 0, 1}, {1, 0, 0, 1}};
    grouped.group_count = 2;
    grouped.group_names = group_names;
    grouped.face_groups = groups;
    colored.colors = red;
    snTrs rest[] = {sn_trs_identity(), sn_trs_identity()};
    rest[0].scale = sn_vec3(-2, 2, 2);
    uint32_t parents[] = {SN_NONE, SN_NONE};
    snSkeletonDef skeleton = {2, NULL, parents, rest};
    snPartDef parts[] = {{.name = "mirrored", .mesh = &grouped, .joint = 0, .skin = SN_NONE},
                         {.name = "plain", .mesh = &colored, .joint = 1, .skin = SN_NONE}};
    snModelDef def = {.skeleton = &skeleton, .part_count = 2, .parts = parts};
    snModel* model = NULL;
    assert_ok(sn_model_create(&def, NULL, &model, NULL));
    sn_mesh_destroy(cube);
    return model;
}

static void mirrors_keep_the_outside_out(void** state) {
    (void)state;
    snModel* model = mixed_model();
    snMesh* mesh = NULL;
    assert_ok(sn_model_merge_mesh(model, NULL, &mesh, NULL));
    assert_near(sn_mesh_volume(mesh, NULL), 8.0 + 1.0, 1e-5);
    for (uint32_t f = 0; f < 6; f++) {
        snVec3 n = face_normal(model->parts[0].mesh, f);
        assert_vec3_near(face_normal(mesh, f), sn_vec3(-n.x, n.y, n.z), 1e-6f);
    }
    sn_mesh_destroy(mesh);
    sn_model_destroy(model);
}

static void groups_and_colors_come_along(void** state) {
    (void)state;
    snModel* model = mixed_model();
    snMesh* mesh = NULL;
    assert_ok(sn_model_merge_mesh(model, NULL, &mesh, NULL));
    assert_int_equal(mesh->group_count, 3);
    assert_string_equal(mesh->group_names[1], "high");
    assert_string_equal(mesh->group_names[2], "plain");
    const uint32_t expected[12] = {0, 1, 0, 1, SN_NONE, 1, 2, 2, 2, 2, 2, 2};
    assert_memory_equal(mesh->face_groups, expected, sizeof expected);
    assert_near(mesh->colors[0].y, 1.0f, 0.0f); // white
    assert_near(mesh->colors[8].y, 0.0f, 0.0f); // red
    sn_mesh_destroy(mesh);
    sn_model_destroy(model);
}

static void nothing_is_refused(void** state) {
    (void)state;
    snSkeletonDef skeleton = {0};
    snModelDef def = {.skeleton = &skeleton};
    snModel* model = NULL;
    snMesh* mesh = NULL;
    snError error = sn_error_none();
    assert_ok(sn_model_create(&def, NULL, &model, NULL));
    assert_int_equal(sn_model_merge_mesh(model, NULL, &mesh, &error), SN_RESULT_BAD_DATA);
    assert_string_equal(error.text, "the model has no vertices");
    assert_int_equal(sn_model_merge_mesh(NULL, NULL, &mesh, &error), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_model_merge_mesh(model, NULL, NULL, &error), SN_RESULT_INVALID_ARGUMENT);
    assert_null(mesh);
    sn_model_destroy(model);
}

static snResult build(const snAllocator* allocator, void* context) {
    snMesh* mesh = NULL;
    snResult result = sn_model_merge_mesh(context, allocator, &mesh, NULL);
    sn_mesh_destroy(mesh);
    return result;
}

static void survives_every_failing_allocation(void** state) {
    (void)state;
    snModel* model = mixed_model();
    test_every_allocation(build, model);
    sn_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_come_in_order),
        cmocka_unit_test(mirrors_keep_the_outside_out),
        cmocka_unit_test(groups_and_colors_come_along),
        cmocka_unit_test(nothing_is_refused),
        cmocka_unit_test(survives_every_failing_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
