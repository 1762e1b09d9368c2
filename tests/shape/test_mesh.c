// The mesh copies what it is given and refuses what cannot be.
#include "shapes.h"

static const snVec3 SQUARE[4] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};

// A quad and a triangle with everything a mesh can carry.
static snMeshDef full_def(void) {
    static const uint32_t starts[] = {0, 4, 7};
    static const uint32_t corners[] = {0, 1, 2, 3, 0, 1, 2};
    static const snVec3 normals[] = {{0, 0, 1}};
    static const uint32_t corner_normals[] = {0, 0, 0, 0, 0, SN_NONE, 0};
    static const snVec2 uvs[] = {{0, 0}, {1, 1}};
    static const uint32_t corner_uvs[] = {0, 1, 0, 1, SN_NONE, 0, 1};
    static const snVec4 colors[4] = {{1, 0, 0, 1}};
    static const char* const names[] = {"left", "right"};
    static const uint32_t groups[] = {1, SN_NONE};
    snMeshDef def = {4, 2,   7,          SQUARE, starts, corners, 1,     normals, corner_normals,
                     2, uvs, corner_uvs, colors, 2,      names,   groups};
    return def;
}

static void copies_everything(void** state) {
    (void)state;
    snMeshDef def = full_def();
    snMesh* mesh = NULL;
    assert_ok(sn_mesh_create(&def, NULL, &mesh, NULL));
    snMeshDef view = sn_mesh_def(mesh);
    snMesh* again = NULL;
    assert_ok(sn_mesh_create(&view, NULL, &again, NULL));
    assert_int_equal(again->uv_count, 2);
    assert_int_equal(again->corner_uvs[4], SN_NONE);
    assert_int_equal(again->normal_count, 1);
    assert_int_equal(again->corner_normals[5], SN_NONE);
    assert_string_equal(again->group_names[1], "right");
    assert_int_equal(again->face_groups[0], 1);
    assert_true(again->colors[0].x == 1.0f);
    assert_true(sn_mesh_hash(mesh) == sn_mesh_hash(again));
    again->positions[0].x = 0.5f;
    assert_true(sn_mesh_hash(mesh) != sn_mesh_hash(again));
    sn_mesh_destroy(mesh);
    sn_mesh_destroy(again);
    sn_mesh_destroy(NULL);
}

static void counts_and_splits_faces(void** state) {
    (void)state;
    static const uint32_t starts[] = {0, 4, 7, 12};
    static const uint32_t corners[] = {0, 1, 2, 3, 0, 1, 2, 3, 2, 1, 0, 2};
    snMeshDef def = {.vertex_count = 4,
                     .face_count = 3,
                     .corner_count = 12,
                     .positions = SQUARE,
                     .face_starts = starts,
                     .corners = corners};
    snMesh* mesh = NULL;
    assert_ok(sn_mesh_create(&def, NULL, &mesh, NULL));
    uint32_t triangles = 0, quads = 0, larger = 0;
    sn_mesh_count_faces(mesh, &triangles, &quads, &larger);
    assert_int_equal(triangles, 1);
    assert_int_equal(quads, 1);
    assert_int_equal(larger, 1);
    sn_mesh_count_faces(mesh, NULL, NULL, NULL);
    assert_int_equal(sn_mesh_triangle_count(mesh), 6);
    uint32_t out[18];
    sn_mesh_triangulate(mesh, out);
    static const uint32_t expected[18] = {0, 1, 2, 0, 2, 3, 0, 1, 2, 3, 2, 1, 3, 1, 0, 3, 0, 2};
    assert_memory_equal(out, expected, sizeof expected);
    sn_mesh_destroy(mesh);
}

typedef void SpoilFn(snMeshDef* def);
static const uint32_t BAD_STARTS[] = {0, 2, 7};
static const uint32_t SHORT_STARTS[] = {0, 4, 6};
static const uint32_t BAD_CORNERS[] = {0, 1, 2, 4, 0, 1, 2};
static const uint32_t BAD_INDEX[] = {9, 9, 9, 9, 9, 9, 9};
static const snVec3 BAD_POSITIONS[4] = {{0, 0, 0}, {NAN, 0, 0}, {0, INFINITY, 0}, {0, 0, 0}};
static void spoil_starts(snMeshDef* d) { d->face_starts = BAD_STARTS; }
static void spoil_last_start(snMeshDef* d) { d->face_starts = SHORT_STARTS; }
static void spoil_corners(snMeshDef* d) { d->corners = BAD_CORNERS; }
static void spoil_positions(snMeshDef* d) { d->positions = BAD_POSITIONS; }
static void spoil_uv_index(snMeshDef* d) { d->corner_uvs = BAD_INDEX; }
static void spoil_normal_index(snMeshDef* d) { d->corner_normals = BAD_INDEX; }
static void spoil_groups(snMeshDef* d) { d->face_groups = BAD_INDEX; }
static void spoil_uv_count(snMeshDef* d) { d->corner_uvs = NULL; }
static void spoil_normal_count(snMeshDef* d) { d->corner_normals = NULL; }
static void spoil_triangle_count(snMeshDef* d) { d->face_starts = NULL; }
static void lose_positions(snMeshDef* d) { d->positions = NULL; }
static void lose_corners(snMeshDef* d) { d->corners = NULL; }
static void lose_uvs(snMeshDef* d) { d->uvs = NULL; }

static void refuses_what_cannot_be(void** state) {
    (void)state;
    static const struct {
        SpoilFn* spoil;
        snResult result;
    } cases[] = {{spoil_starts, SN_RESULT_BAD_DATA},           {spoil_last_start, SN_RESULT_BAD_DATA},
                 {spoil_corners, SN_RESULT_BAD_DATA},          {spoil_positions, SN_RESULT_BAD_DATA},
                 {spoil_uv_index, SN_RESULT_BAD_DATA},         {spoil_normal_index, SN_RESULT_BAD_DATA},
                 {spoil_groups, SN_RESULT_BAD_DATA},           {spoil_uv_count, SN_RESULT_BAD_DATA},
                 {spoil_normal_count, SN_RESULT_BAD_DATA},     {spoil_triangle_count, SN_RESULT_BAD_DATA},
                 {lose_positions, SN_RESULT_INVALID_ARGUMENT}, {lose_corners, SN_RESULT_INVALID_ARGUMENT},
                 {lose_uvs, SN_RESULT_INVALID_ARGUMENT}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        snMeshDef def = full_def();
        cases[i].spoil(&def);
        snMesh* mesh = NULL;
        snError error = sn_error_none();
        assert_int_equal(sn_mesh_create(&def, NULL, &mesh, &error), cases[i].result);
        assert_int_equal(error.code, cases[i].result);
        assert_true(error.text[0] != '\0');
        assert_null(mesh);
        if (cases[i].spoil == spoil_positions) assert_int_equal(error.vertex, 1);
    }
    assert_int_equal(sn_mesh_create(NULL, NULL, NULL, NULL), SN_RESULT_INVALID_ARGUMENT);
}

static void empty_meshes_are_fine(void** state) {
    (void)state;
    snMeshDef def = {0};
    snMesh* mesh = NULL;
    assert_ok(sn_mesh_create(&def, NULL, &mesh, NULL));
    assert_int_equal(sn_mesh_triangle_count(mesh), 0);
    assert_true(sn_mesh_volume(mesh, NULL) == 0.0);
    sn_mesh_destroy(mesh);
}

static snResult build_full(const snAllocator* allocator, void* context) {
    (void)context;
    snMeshDef def = full_def();
    snMesh* mesh = NULL;
    snResult result = sn_mesh_create(&def, allocator, &mesh, NULL);
    if (result == SN_RESULT_OK)
        sn_mesh_destroy(mesh);
    else
        assert_null(mesh);
    return result;
}

static void survives_every_failing_allocation(void** state) {
    (void)state;
    test_every_allocation(build_full, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_everything),
        cmocka_unit_test(counts_and_splits_faces),
        cmocka_unit_test(refuses_what_cannot_be),
        cmocka_unit_test(empty_meshes_are_fine),
        cmocka_unit_test(survives_every_failing_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
