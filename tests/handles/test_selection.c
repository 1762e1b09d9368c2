// Choosing vertices: every helper on meshes small enough to know the answer, with seams, several pieces,
// loose vertices, open borders and polygons.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rigs.h"
#include "shapes.h"

enum { SIDE = 9, GRID = SIDE * SIDE }; // a grid of 8 x 8 quads in the plane y = 0

typedef struct Scene {
    snMesh* mesh;
    snSelector* selector;
    uint8_t marks[GRID + 64];
} Scene;

static Scene scene_of(snMesh* mesh) {
    Scene s = {.mesh = mesh};
    assert_true(mesh->vertex_count <= sizeof s.marks);
    assert_ok(sn_selector_create(mesh, NULL, NULL, &s.selector, NULL));
    return s;
}
static void scene_free(Scene* s) {
    sn_selector_destroy(s->selector);
    sn_mesh_destroy(s->mesh);
}
static uint32_t marked(const Scene* s) { return sn_selection_vertices(s->selector, s->marks, NULL); }
static uint32_t at(uint32_t x, uint32_t z) { return z * SIDE + x; }

// Looks straight down: x is x, z is y, and `w` is 1 everywhere.
static snScreenBox from_above(float x0, float y0, float x1, float y1) {
    snScreenBox box = {.x0 = x0, .y0 = y0, .x1 = x1, .y1 = y1};
    box.view_projection.m[0] = 0.1f;
    box.view_projection.m[9] = 0.1f;
    box.view_projection.m[15] = 1.0f;
    return box;
}

// Two grids side by side with their own vertices along the middle line (a seam), and a third one far away;
// the last vertex belongs to no face.
static snMesh* patchwork(void) {
    static snVec3 positions[3 * 9 + 1];
    static uint32_t corners[3 * 16], starts[13];
    const float begin[3] = {0, 2, 9};
    uint32_t c = 0;
    for (uint32_t g = 0; g < 3; g++) {
        for (uint32_t i = 0; i < 9; i++) {
            positions[g * 9 + i] = sn_vec3(begin[g] + (float)(i % 3), 0, (float)(i / 3));
        }
        for (uint32_t q = 0; q < 4; q++) {
            uint32_t a = g * 9 + q / 2 * 3 + q % 2;
            const uint32_t face[4] = {a, a + 3, a + 4, a + 1};
            memcpy(corners + c, face, sizeof face);
            c += 4;
        }
    }
    positions[27] = sn_vec3(1, 0, 1); // in the middle of the first grid, of no face: welded to its vertex 4
    positions[27].y = 5;              // but above it
    for (uint32_t f = 0; f <= 12; f++) starts[f] = 4 * f;
    snMeshDef def = {.vertex_count = 28,
                     .face_count = 12,
                     .corner_count = 48,
                     .positions = positions,
                     .face_starts = starts,
                     .corners = corners};
    snMesh* mesh = NULL;
    assert_ok(sn_mesh_create(&def, NULL, &mesh, NULL));
    return mesh;
}

static void a_box_takes_what_is_on_the_screen(void** state) {
    (void)state;
    Scene s = scene_of(test_grid(8));
    snScreenBox box = from_above(0.35f, 0.15f, 0.05f, 0.55f); // corners in any order
    sn_select_box(s.selector, NULL, &box, SN_COMBINE_SET, s.marks);
    for (uint32_t z = 0; z < SIDE; z++) {
        for (uint32_t x = 0; x < SIDE; x++) {
            assert_int_equal(s.marks[at(x, z)], x >= 1 && x <= 3 && z >= 2 && z <= 5);
        }
    }
    // w falls with x: from x = 5 on the grid is behind the camera, where dividing would turn it about.
    box = from_above(-100, -100, 100, 100);
    box.view_projection.m[3] = -0.2f;
    sn_select_box(s.selector, NULL, &box, SN_COMBINE_SET, s.marks);
    for (uint32_t v = 0; v < GRID; v++) assert_int_equal(s.marks[v], v % SIDE < 5);
    // Other positions than the mesh's own.
    snVec3* moved = calloc(GRID, sizeof *moved);
    for (uint32_t v = 0; v < GRID; v++) moved[v] = sn_vec3(100, 0, 0);
    moved[7] = sn_vec3(0, 0, 0);
    box = from_above(-0.1f, -0.1f, 0.1f, 0.1f);
    sn_select_box(s.selector, moved, &box, SN_COMBINE_SET, s.marks);
    assert_int_equal(marked(&s), 1);
    assert_int_equal(s.marks[7], 1);
    free(moved);
    scene_free(&s);
}

static void marks_combine(void** state) {
    (void)state;
    Scene s = scene_of(test_grid(8));
    snBounds left = {{0, -1, 0}, {3, 1, 9}}, right = {{2, -1, 0}, {9, 1, 9}}; // columns 0..3 and 2..8
    sn_select_bounds(s.selector, NULL, left, SN_COMBINE_SET, s.marks);
    assert_int_equal(marked(&s), 4 * SIDE);
    sn_select_bounds(s.selector, NULL, right, SN_COMBINE_KEEP, s.marks);
    assert_int_equal(marked(&s), 2 * SIDE);
    sn_select_bounds(s.selector, NULL, left, SN_COMBINE_ADD, s.marks);
    assert_int_equal(marked(&s), 4 * SIDE);
    sn_select_bounds(s.selector, NULL, right, SN_COMBINE_SUBTRACT, s.marks);
    assert_int_equal(marked(&s), 2 * SIDE);
    assert_int_equal(s.marks[at(1, 5)], 1);
    assert_int_equal(s.marks[at(2, 5)], 0);
    sn_select_ball(s.selector, NULL, sn_vec3(4, 0, 4), 1.0f, SN_COMBINE_SET, s.marks);
    assert_int_equal(marked(&s), 5); // the border of the ball is inside
    uint32_t vertices[GRID];
    assert_int_equal(sn_selection_vertices(s.selector, s.marks, vertices), 5);
    const uint32_t expected[] = {at(4, 3), at(3, 4), at(4, 4), at(5, 4), at(4, 5)};
    assert_memory_equal(vertices, expected, sizeof expected);
    scene_free(&s);
}

static void a_flood_crosses_seams_but_not_gaps(void** state) {
    (void)state;
    Scene s = scene_of(patchwork());
    snScreenBox all = from_above(-1, -1, 2, 1);
    sn_select_flood(s.selector, NULL, &all, 0, SN_COMBINE_SET, s.marks);
    for (uint32_t v = 0; v < 28; v++) assert_int_equal(s.marks[v], v < 18);
    sn_select_flood(s.selector, NULL, &all, 27, SN_COMBINE_SET, s.marks);
    assert_int_equal(marked(&s), 1);
    assert_int_equal(s.marks[27], 1);
    // The box ends at x = 1.5; the other side of the seam is out of it.
    snScreenBox half = from_above(-1, -1, 0.15f, 1);
    sn_select_flood(s.selector, NULL, &half, 0, SN_COMBINE_SET, s.marks);
    assert_int_equal(marked(&s), 6);
    // A seed outside finds nothing; so does one that does not exist.
    sn_select_flood(s.selector, NULL, &half, 17, SN_COMBINE_SET, s.marks);
    assert_int_equal(marked(&s), 0);
    sn_select_flood(s.selector, NULL, &half, 1000, SN_COMBINE_SET, s.marks);
    assert_int_equal(marked(&s), 0);
    scene_free(&s);
}

static void facing_leaves_the_back_alone(void** state) {
    (void)state;
    Scene s = scene_of(test_split_cube());
    snVec3 normals[24];
    for (uint32_t f = 0; f < 6; f++) {
        const snVec3* p = s.mesh->positions + 4 * f;
        snVec3 n = sn_cross(sn_sub(p[1], p[0]), sn_sub(p[2], p[0]));
        for (uint32_t k = 0; k < 4; k++) normals[4 * f + k] = n;
    }
    memset(s.marks, 1, 24);
    sn_select_facing(s.selector, NULL, normals, sn_vec3(9, 0.5f, 0.5f), SN_COMBINE_KEEP, s.marks);
    assert_int_equal(marked(&s), 4); // the face at x = 1; the four around it are seen from inside
    for (uint32_t v = 0; v < 24; v++) assert_int_equal(s.marks[v], normals[v].x > 0.5f);
    scene_free(&s);
}

// On a plane the distance along the surface is the distance: along edges alone, diagonals would be 1.41 and
// knight's moves 1.34 times as long.
static void a_brush_measures_across_faces(void** state) {
    (void)state;
    Scene s = scene_of(test_grid(8));
    float distances[GRID];
    sn_select_brush(s.selector, NULL, at(4, 4), 3.3f, SN_COMBINE_SET, s.marks, distances);
    float worst = 0.0f;
    for (uint32_t z = 0; z < SIDE; z++) {
        for (uint32_t x = 0; x < SIDE; x++) {
            float true_distance = hypotf((float)x - 4.0f, (float)z - 4.0f);
            float found = distances[at(x, z)];
            assert_int_equal(s.marks[at(x, z)], found <= 3.3f);
            if (true_distance <= 3.0f) {
                assert_true(found < 1e9f);
                worst = sn_maxf(worst, fabsf(found - true_distance) / sn_maxf(true_distance, 1e-6f));
            } else if (true_distance > 3.301f) {
                assert_int_equal(s.marks[at(x, z)], 0);
            }
        }
    }
    assert_true(worst < 0.06f); // along edges alone it would be 0.41
    scene_free(&s);
}

static void a_brush_goes_round_the_corner(void** state) {
    (void)state;
    // The cube's corner 0 to the opposite corner of a face that meets it: sqrt(2); to the far corner: the
    // shortest way unfolds two faces, sqrt(5).
    Scene s = scene_of(test_split_cube());
    float distances[28];
    sn_select_brush(s.selector, NULL, 0, 9.0f, SN_COMBINE_SET, s.marks, distances);
    assert_int_equal(marked(&s), 24); // across the seams
    for (uint32_t v = 0; v < 24; v++) {
        snVec3 p = s.mesh->positions[v];
        float steps = p.x + p.y + p.z;
        if (steps == 0.0f) assert_near(distances[v], 0.0f, 0.0f);
        if (steps == 1.0f) assert_near(distances[v], 1.0f, 1e-6f);
        if (steps == 2.0f) assert_near(distances[v], sqrtf(2.0f), 1e-6f);
        if (steps == 3.0f) assert_true(distances[v] > 2.23f && distances[v] < 2.45f);
    }
    scene_free(&s);
    s = scene_of(patchwork());
    sn_select_brush(s.selector, NULL, 27, 1e9f, SN_COMBINE_SET, s.marks, distances);
    assert_int_equal(marked(&s), 1); // of no face: alone
    sn_select_brush(s.selector, NULL, 99, 1e9f, SN_COMBINE_SET, s.marks, NULL);
    assert_int_equal(marked(&s), 0);
    scene_free(&s);
}

static void rings_grow_and_shrink(void** state) {
    (void)state;
    Scene s = scene_of(test_grid(8));
    s.marks[at(4, 4)] = 1;
    sn_select_grow(s.selector, 2, s.marks);
    for (uint32_t z = 0; z < SIDE; z++) {
        for (uint32_t x = 0; x < SIDE; x++) {
            uint32_t steps = (uint32_t)(abs((int)x - 4) + abs((int)z - 4));
            assert_int_equal(s.marks[at(x, z)], steps <= 2);
        }
    }
    sn_select_shrink(s.selector, 1, s.marks);
    assert_int_equal(marked(&s), 5);
    sn_select_shrink(s.selector, 7, s.marks);
    assert_int_equal(marked(&s), 0);
    memset(s.marks, 1, GRID);
    sn_select_shrink(s.selector, 3, s.marks);
    assert_int_equal(marked(&s), GRID); // an open border is no border
    scene_free(&s);
    // A seam is stepped over as if it were not there: x = 1 to x = 3 is two rings.
    s = scene_of(patchwork());
    s.marks[1] = s.marks[4] = s.marks[7] = 1;
    sn_select_grow(s.selector, 2, s.marks);
    for (uint32_t v = 0; v < 18; v++) assert_int_equal(s.marks[v], s.mesh->positions[v].x <= 3.0f);
    scene_free(&s);
}

static void groups_and_colors_choose(void** state) {
    (void)state;
    static const char* const names[] = {"body", "eye", "body"};
    static const uint32_t groups[] = {0, 1, SN_NONE, 2};
    static const snVec4 colors[9] = {{1, 0, 0, 1},         {1, 0.05f, 0, 1}, {0, 1, 0, 1},
                                     {1, 0.2f, 0, 1},      {1, 0, 0, 0},     {0, 0, 1, 1},
                                     {0.95f, 0, 0.05f, 1}, {0, 0, 0, 1},     {1, 1, 1, 1}};
    snMesh* plain = test_grid(2);
    snMeshDef def = sn_mesh_def(plain);
    def.group_count = 3;
    def.group_names = names;
    def.face_groups = groups;
    def.colors = colors;
    snMesh* mesh = NULL;
    assert_ok(sn_mesh_create(&def, NULL, &mesh, NULL));
    sn_mesh_destroy(plain);
    Scene s = scene_of(mesh);
    snError error = sn_error_none();
    assert_ok(sn_select_group(s.selector, "eye", SN_COMBINE_SET, s.marks, &error));
    assert_memory_equal(s.marks, ((uint8_t[]){0, 1, 1, 0, 1, 1, 0, 0, 0}), 9);
    assert_ok(sn_select_group(s.selector, "body", SN_COMBINE_SUBTRACT, s.marks, &error));
    assert_memory_equal(s.marks, ((uint8_t[]){0, 0, 1, 0, 0, 0, 0, 0, 0}), 9);
    assert_int_equal(sn_select_group(s.selector, "ear", SN_COMBINE_SET, s.marks, &error),
                     SN_RESULT_NOT_FOUND);
    assert_string_equal(error.text, "the mesh has no group \"ear\"");
    assert_int_equal(marked(&s), 1); // untouched
    assert_ok(sn_select_color(s.selector, sn_vec3(1, 0, 0), 0.06f, SN_COMBINE_SET, s.marks, &error));
    assert_memory_equal(s.marks, ((uint8_t[]){1, 1, 0, 0, 1, 0, 1, 0, 0}), 9);
    scene_free(&s);
    s = scene_of(test_grid(2));
    assert_int_equal(sn_select_color(s.selector, sn_vec3(1, 0, 0), 1, SN_COMBINE_SET, s.marks, &error),
                     SN_RESULT_NOT_FOUND);
    scene_free(&s);
}

static void joints_choose(void** state) {
    (void)state;
    // Two cubes: vertices at y = 1 of the first are moved by the tip to three quarters, the second wholly.
    snModel* model = NULL;
    uint8_t marks[48] = {0};
    assert_ok(sn_model_create(test_model_def(), NULL, &model, NULL));
    sn_select_joint(model, 1, 0.7f, SN_COMBINE_SET, marks);
    for (uint32_t v = 0; v < 24; v++) {
        assert_int_equal(marks[v], model->parts[0].mesh->positions[v].y > 0.5f);
        assert_int_equal(marks[24 + v], 1);
    }
    sn_select_joint(model, 1, 0.8f, SN_COMBINE_KEEP, marks);
    for (uint32_t v = 0; v < 48; v++) assert_int_equal(marks[v], v >= 24);
    sn_select_joint(model, 7, 0.0f, SN_COMBINE_SET, marks); // no such joint moves nothing
    for (uint32_t v = 0; v < 48; v++) assert_int_equal(marks[v], 0);
    sn_model_destroy(model);
}

static void weights_are_feathered_inwards(void** state) {
    (void)state;
    Scene s = scene_of(test_grid(8));
    float weights[GRID];
    snBounds left = {{0, -1, 0}, {4, 1, 9}}; // columns 0..4
    sn_select_bounds(s.selector, NULL, left, SN_COMBINE_SET, s.marks);
    sn_selection_feather(s.selector, s.marks, 3, weights);
    const float expected[SIDE] = {1, 1, 0.75f, 0.5f, 0.25f, 0, 0, 0, 0};
    for (uint32_t v = 0; v < GRID; v++) assert_near(weights[v], expected[v % SIDE], 1e-7f);
    sn_selection_feather(s.selector, s.marks, 0, weights);
    for (uint32_t v = 0; v < GRID; v++) assert_near(weights[v], v % SIDE <= 4 ? 1.0f : 0.0f, 0.0f);
    scene_free(&s);
}

static void centers_lie_where_a_handle_hangs(void** state) {
    (void)state;
    // Columns 2..4 hang on column 7 or on column 0.
    Scene s = scene_of(test_grid(8));
    uint8_t right[GRID] = {0}, left[GRID] = {0};
    for (uint32_t v = 0; v < GRID; v++) {
        s.marks[v] = v % SIDE >= 2 && v % SIDE <= 4;
        left[v] = v % SIDE == 0;
        right[v] = v % SIDE == 7;
    }
    assert_vec3_near(sn_selection_center(s.selector, s.marks, right), sn_vec3(4, 0, 4), 1e-6f);
    assert_vec3_near(sn_selection_center(s.selector, s.marks, left), sn_vec3(2, 0, 4), 1e-6f);
    assert_vec3_near(sn_selection_center(s.selector, s.marks, NULL), sn_vec3(3, 0, 4), 1e-6f);
    scene_free(&s);
    // No way leads from one piece to another.
    s = scene_of(patchwork());
    uint8_t far[28] = {0};
    for (uint32_t v = 0; v < 28; v++) {
        s.marks[v] = v < 9;
        far[v] = v >= 18 && v < 27;
    }
    assert_vec3_near(sn_selection_center(s.selector, s.marks, far), sn_vec3(1, 0, 1), 1e-6f);
    scene_free(&s);
}

static void misuse_is_refused(void** state) {
    (void)state;
    snMesh *cube = test_cube(sn_vec3(0, 0, 0)), *grid = test_grid(1);
    snSelector* selector = NULL;
    snWeld* weld = NULL;
    assert_ok(sn_weld_create(grid->positions, grid->vertex_count, 0.0f, NULL, &weld, NULL));
    assert_int_equal(sn_selector_create(NULL, NULL, NULL, &selector, NULL), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_selector_create(cube, NULL, NULL, NULL, NULL), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_selector_create(cube, weld, NULL, &selector, NULL), SN_RESULT_INVALID_ARGUMENT);
    assert_null(selector);
    sn_selector_destroy(NULL);
    sn_weld_destroy(weld);
    sn_mesh_destroy(cube);
    sn_mesh_destroy(grid);
}

static snResult build(const snAllocator* allocator, void* context) {
    snSelector* selector = NULL;
    snResult result = sn_selector_create(context, NULL, allocator, &selector, NULL);
    sn_selector_destroy(selector);
    return result;
}

static void survives_every_failing_allocation(void** state) {
    (void)state;
    snMesh* mesh = patchwork();
    test_every_allocation(build, mesh);
    sn_mesh_destroy(mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_takes_what_is_on_the_screen),
        cmocka_unit_test(marks_combine),
        cmocka_unit_test(a_flood_crosses_seams_but_not_gaps),
        cmocka_unit_test(facing_leaves_the_back_alone),
        cmocka_unit_test(a_brush_measures_across_faces),
        cmocka_unit_test(a_brush_goes_round_the_corner),
        cmocka_unit_test(rings_grow_and_shrink),
        cmocka_unit_test(groups_and_colors_choose),
        cmocka_unit_test(joints_choose),
        cmocka_unit_test(weights_are_feathered_inwards),
        cmocka_unit_test(centers_lie_where_a_handle_hangs),
        cmocka_unit_test(misuse_is_refused),
        cmocka_unit_test(survives_every_failing_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
