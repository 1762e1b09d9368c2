// Closed, open, non-manifold and inconsistent surfaces, loops and components.
#include <string.h>

#include "shapes.h"

static snTopology* topology_of(const snMesh* mesh, bool welded) {
    snWeld* weld = NULL;
    if (welded) assert_ok(sn_weld_create(mesh->positions, mesh->vertex_count, 0.0f, NULL, &weld, NULL));
    snTopology* topology = NULL;
    assert_ok(sn_topology_create(mesh, weld, NULL, &topology, NULL));
    sn_weld_destroy(weld);
    return topology;
}

static void cube_is_closed(void** state) {
    (void)state;
    snMesh* cube = test_cube(sn_vec3(0, 0, 0));
    snTopology* t = topology_of(cube, false);
    assert_int_equal(t->edge_count, 12);
    assert_int_equal(t->component_count, 1);
    assert_int_equal(t->loop_count, 0);
    assert_true(t->closed && t->manifold && t->oriented);
    for (uint32_t e = 0; e < t->edge_count; e++) {
        assert_int_equal(t->edge_face_counts[e], 2);
        assert_true(t->edges[e][0] < t->edges[e][1]);
    }
    sn_topology_destroy(t);
    sn_mesh_destroy(cube);
}

static void split_cube_needs_the_weld(void** state) {
    (void)state;
    snMesh* cube = test_split_cube();
    snTopology* split = topology_of(cube, false);
    assert_false(split->closed);
    assert_int_equal(split->component_count, 6);
    assert_int_equal(split->loop_count, 6);
    snTopology* welded = topology_of(cube, true);
    assert_true(welded->closed && welded->manifold && welded->oriented);
    assert_int_equal(welded->point_count, 8);
    assert_int_equal(welded->component_count, 1);
    sn_topology_destroy(split);
    sn_topology_destroy(welded);
    sn_mesh_destroy(cube);
}

static void grid_has_one_loop_in_order(void** state) {
    (void)state;
    snMesh* grid = test_grid(4);
    snTopology* t = topology_of(grid, false);
    assert_false(t->closed);
    assert_true(t->manifold && t->oriented);
    assert_int_equal(t->boundary_edge_count, 16);
    assert_int_equal(t->loop_count, 1);
    assert_int_equal(t->loop_starts[1], 16);
    for (uint32_t i = 0; i < 16; i++) {
        snVec3 a = grid->positions[t->loop_points[i]], b = grid->positions[t->loop_points[(i + 1) % 16]];
        assert_near(sn_distance(a, b), 1.0, 1e-6);
    }
    sn_topology_destroy(t);
    sn_mesh_destroy(grid);
}

// Two triangles that touch in one point: two fans, two loops, one piece.
static void touching_tips_are_a_split_point(void** state) {
    (void)state;
    static const snVec3 p[] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {-1, 0, 0}, {-1, -1, 0}};
    static const uint32_t c[] = {0, 1, 2, 0, 3, 4};
    snMesh* mesh = test_triangles(p, 5, c, 2);
    snTopology* t = topology_of(mesh, false);
    assert_int_equal(t->bad_point_count, 1);
    assert_false(t->manifold);
    assert_int_equal(t->component_count, 1);
    assert_int_equal(t->loop_count, 2);
    assert_int_equal(t->loop_starts[1], 3);
    sn_topology_destroy(t);
    sn_mesh_destroy(mesh);
}

static void three_faces_on_an_edge_are_not_manifold(void** state) {
    (void)state;
    static const snVec3 p[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}};
    static const uint32_t c[] = {0, 1, 2, 1, 0, 3, 0, 1, 4};
    snMesh* mesh = test_triangles(p, 5, c, 3);
    snTopology* t = topology_of(mesh, false);
    assert_int_equal(t->bad_edge_count, 1);
    assert_int_equal(t->bad_point_count, 0);
    assert_false(t->manifold);
    sn_topology_destroy(t);
    sn_mesh_destroy(mesh);
}

static void flipped_face_is_seen(void** state) {
    (void)state;
    static const snVec3 p[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
    static const uint32_t c[] = {0, 1, 2, 1, 2, 3};
    snMesh* mesh = test_triangles(p, 4, c, 2);
    snTopology* t = topology_of(mesh, false);
    assert_int_equal(t->flipped_edge_count, 1);
    assert_false(t->oriented);
    assert_true(t->manifold);
    // The loop is found although one side has to be walked backwards.
    assert_int_equal(t->loop_count, 1);
    assert_int_equal(t->loop_starts[1], 4);
    sn_topology_destroy(t);
    sn_mesh_destroy(mesh);
}

static void collapsed_faces_take_no_part(void** state) {
    (void)state;
    static const snVec3 p[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 0}, {5, 5, 5}};
    static const uint32_t c[] = {0, 1, 2, 0, 3, 1};
    snMesh* mesh = test_triangles(p, 5, c, 2);
    snTopology* t = topology_of(mesh, true);
    assert_int_equal(t->collapsed_face_count, 1);
    assert_int_equal(t->face_components[1], SN_NONE);
    assert_int_equal(t->face_components[0], 0);
    assert_int_equal(t->point_components[3], SN_NONE); // the loose vertex
    assert_int_equal(t->edge_count, 3);
    sn_topology_destroy(t);
    sn_mesh_destroy(mesh);
}

// Euler's formula on a torus of quads: V - E + F = 0.
static void torus_has_genus_one(void** state) {
    (void)state;
    enum { N = 12, M = 7 };
    snVec3 p[N * M];
    uint32_t c[N * M * 6];
    uint32_t* corner = c;
    for (uint32_t i = 0; i < N; i++) {
        for (uint32_t j = 0; j < M; j++) {
            float a = 2 * SN_PI * (float)i / N, b = 2 * SN_PI * (float)j / M;
            p[i * M + j] = sn_vec3((3 + sn_cos(b)) * sn_cos(a), sn_sin(b), (3 + sn_cos(b)) * sn_sin(a));
            uint32_t v00 = i * M + j, v10 = (i + 1) % N * M + j, v01 = i * M + (j + 1) % M,
                     v11 = (i + 1) % N * M + (j + 1) % M;
            uint32_t six[6] = {v00, v11, v10, v00, v01, v11};
            memcpy(corner, six, sizeof six);
            corner += 6;
        }
    }
    snMesh* mesh = test_triangles(p, N * M, c, N * M * 2);
    snTopology* t = topology_of(mesh, false);
    assert_true(t->closed && t->manifold && t->oriented);
    assert_int_equal((int)t->point_count - (int)t->edge_count + (int)mesh->face_count, 0);
    assert_true(sn_mesh_volume(mesh, NULL) > 0.0);
    sn_topology_destroy(t);
    sn_mesh_destroy(mesh);
}

static void arguments_are_checked(void** state) {
    (void)state;
    snMesh* cube = test_cube(sn_vec3(0, 0, 0));
    snWeld other = {.vertex_count = 3};
    snTopology* t = NULL;
    assert_int_equal(sn_topology_create(cube, &other, NULL, &t, NULL), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_topology_create(NULL, NULL, NULL, &t, NULL), SN_RESULT_INVALID_ARGUMENT);
    assert_null(t);
    sn_topology_destroy(NULL);
    sn_mesh_destroy(cube);
}

static snResult build(const snAllocator* allocator, void* context) {
    snTopology* t = NULL;
    snResult result = sn_topology_create(context, NULL, allocator, &t, NULL);
    if (result == SN_RESULT_OK) sn_topology_destroy(t);
    return result;
}

static void survives_every_failing_allocation(void** state) {
    (void)state;
    snMesh* grid = test_grid(3);
    test_every_allocation(build, grid);
    sn_mesh_destroy(grid);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cube_is_closed),
        cmocka_unit_test(split_cube_needs_the_weld),
        cmocka_unit_test(grid_has_one_loop_in_order),
        cmocka_unit_test(touching_tips_are_a_split_point),
        cmocka_unit_test(three_faces_on_an_edge_are_not_manifold),
        cmocka_unit_test(flipped_face_is_seen),
        cmocka_unit_test(collapsed_faces_take_no_part),
        cmocka_unit_test(torus_has_genus_one),
        cmocka_unit_test(arguments_are_checked),
        cmocka_unit_test(survives_every_failing_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
