// Refining: what is split and how it fits, where new points lie, what is carried, memory.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "shape/refine.h"
#include "shapes.h"

// ---------------------------------------------------------------------------------------------- helpers

typedef bool ChooseFn(snVec3 position);

static bool everywhere(snVec3 position) {
    (void)position;
    return true;
}
static bool nowhere(snVec3 position) {
    (void)position;
    return false;
}
static bool to_the_right(snVec3 position) { return position.x > 0.3f; }

static sniRefined refine(const snMesh* mesh, ChooseFn* choose, uint32_t levels) {
    snWeld* weld = NULL;
    assert_ok(sn_weld_create(mesh->positions, mesh->vertex_count, 0.0f, NULL, &weld, NULL));
    float* marks = calloc(mesh->vertex_count, sizeof *marks);
    for (uint32_t v = 0; v < mesh->vertex_count; v++) marks[v] = choose(mesh->positions[v]) ? 1.0f : 0.0f;
    sniRefineDef def = {mesh, weld, marks, 0.5f, levels, SIZE_MAX, 0};
    sniRefined refined = {0};
    assert_ok(sni_mesh_refine(&def, NULL, &refined, NULL));
    free(marks);
    sn_weld_destroy(weld);
    return refined;
}

static snTopology* topology_of(const sniRefined* refined) {
    snTopology* topology = NULL;
    assert_ok(sn_topology_create(refined->mesh, refined->weld, NULL, &topology, NULL));
    return topology;
}

static void assert_solid(const sniRefined* refined) {
    snTopology* t = topology_of(refined);
    assert_true(t->closed && t->manifold && t->oriented);
    assert_int_equal(t->collapsed_face_count, 0);
    sn_topology_destroy(t);
}

// Any polygons from sizes and corners.
static snMesh* polygons(const snVec3* positions, uint32_t vertex_count, const uint32_t* sizes, uint32_t count,
                        const uint32_t* corners) {
    uint32_t* starts = calloc(count + 1, sizeof *starts);
    for (uint32_t f = 0; f < count; f++) starts[f + 1] = starts[f] + sizes[f];
    snMeshDef def = {.vertex_count = vertex_count,
                     .face_count = count,
                     .corner_count = starts[count],
                     .positions = positions,
                     .face_starts = starts,
                     .corners = corners};
    snMesh* mesh = NULL;
    assert_ok(sn_mesh_create(&def, NULL, &mesh, NULL));
    free(starts);
    return mesh;
}

// A unit sphere of quads: the cells of a cube, blown up.
static snMesh* sphere(uint32_t n, bool triangles) {
    snModel* model = NULL;
    assert_ok(sn_builtin_cube(2.0f, n, !triangles, NULL, &model, NULL));
    snMeshDef def = sn_mesh_def(model->parts[0].mesh);
    def.normals = NULL; // of the cube
    def.corner_normals = NULL;
    snMesh* mesh = NULL;
    assert_ok(sn_mesh_create(&def, NULL, &mesh, NULL));
    snBounds bounds = sn_bounds_of(mesh->positions, mesh->vertex_count);
    snVec3 center = sn_lerp(bounds.min, bounds.max, 0.5f);
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        mesh->positions[v] = sn_normalize_or(sn_sub(mesh->positions[v], center), center);
    }
    sn_model_destroy(model);
    return mesh;
}

// The sine of the smallest angle of all corners.
static float least_sine(const snMesh* mesh) {
    float least = 1.0f;
    for (uint32_t f = 0; f < mesh->face_count; f++) {
        uint32_t begin = mesh->face_starts[f], size = mesh->face_starts[f + 1] - begin;
        for (uint32_t i = 0; i < size; i++) {
            snVec3 at = mesh->positions[mesh->corners[begin + i]];
            snVec3 a = sn_sub(mesh->positions[mesh->corners[begin + (i + 1) % size]], at);
            snVec3 b = sn_sub(mesh->positions[mesh->corners[begin + (i + size - 1) % size]], at);
            least = sn_minf(least, sn_length(sn_cross(a, b)) / (sn_length(a) * sn_length(b)));
        }
    }
    return least;
}

static uint32_t count_size(const snMesh* mesh, uint32_t size) {
    uint32_t count = 0;
    for (uint32_t f = 0; f < mesh->face_count; f++)
        count += mesh->face_starts[f + 1] - mesh->face_starts[f] == size;
    return count;
}

// --------------------------------------------------------------------------------------------- patterns

static void nothing_marked_is_nothing_made(void** state) {
    (void)state;
    snMesh* cube = test_cube(sn_vec3(0, 0, 0));
    sniRefined refined = refine(cube, nowhere, 3);
    assert_null(refined.mesh);
    assert_null(refined.weld);
    assert_null(refined.origins);
    sn_mesh_destroy(cube);
}

static void cube_stays_a_cube(void** state) {
    (void)state;
    snMesh* cube = test_cube(sn_vec3(0, 0, 0));
    for (uint32_t levels = 1; levels <= 3; levels++) {
        sniRefined refined = refine(cube, everywhere, levels);
        uint32_t faces = 6u << (2 * levels);
        assert_int_equal(refined.mesh->face_count, faces);
        assert_int_equal(refined.mesh->vertex_count, faces + 2); // Euler
        assert_int_equal(count_size(refined.mesh, 4), faces);
        assert_solid(&refined);
        assert_near(sn_mesh_volume(refined.mesh, NULL), 1.0, 1e-7);
        for (uint32_t v = 0; v < refined.mesh->vertex_count; v++) {
            snVec3 p = refined.mesh->positions[v];
            float off = sn_minf(sn_minf(sn_minf(p.x, 1 - p.x), sn_minf(p.y, 1 - p.y)), sn_minf(p.z, 1 - p.z));
            assert_true(off == 0.0f);
        }
        sni_refined_free(&refined);
    }
    sn_mesh_destroy(cube);
}

// The diagonals of a triangulated cube are smooth edges between sharp corners: they must not bulge.
static void triangulated_cube_stays_a_cube(void** state) {
    (void)state;
    snMesh* quads = test_cube(sn_vec3(0, 0, 0));
    uint32_t corners[36];
    sn_mesh_triangulate(quads, corners);
    snMesh* cube = test_triangles(quads->positions, 8, corners, 12);
    sniRefined refined = refine(cube, everywhere, 2);
    assert_int_equal(refined.mesh->face_count, 12 * 16);
    assert_int_equal(count_size(refined.mesh, 3), 12 * 16);
    assert_solid(&refined);
    assert_near(sn_mesh_volume(refined.mesh, NULL), 1.0, 1e-7);
    sni_refined_free(&refined);
    sn_mesh_destroy(cube);
    sn_mesh_destroy(quads);
}

// One quad in the middle, whose four sides, and so each of its neighbours' one, are split.
static void grid_is_cut_to_fit(void** state) {
    (void)state;
    snMesh* grid = test_grid(5);
    snWeld* weld = NULL;
    assert_ok(sn_weld_create(grid->positions, 36, 0.0f, NULL, &weld, NULL));
    float marks[36] = {0};
    marks[14] = 1.0f; // (2, 2): four quads around it
    sniRefineDef def = {grid, weld, marks, 0.5f, 1, SIZE_MAX, 0};
    sniRefined refined = {0};
    assert_ok(sni_mesh_refine(&def, NULL, &refined, NULL));
    // 4 quads become 16, 8 neighbours 3 triangles each, 13 stay.
    assert_int_equal(count_size(refined.mesh, 4), 16 + 13);
    assert_int_equal(count_size(refined.mesh, 3), 24);
    snTopology* t = topology_of(&refined);
    assert_true(t->manifold && t->oriented);
    assert_int_equal(t->loop_count, 1);
    assert_int_equal(t->boundary_edge_count, 20); // the border is not touched
    assert_near(sn_mesh_area(refined.mesh, NULL), 25.0, 1e-5);
    for (uint32_t v = 0; v < refined.mesh->vertex_count; v++)
        assert_true(refined.mesh->positions[v].y == 0.0f);
    sn_topology_destroy(t);
    sni_refined_free(&refined);
    sn_weld_destroy(weld);
    sn_mesh_destroy(grid);
}

// What the one boundary loop of a mesh in the XZ plane encloses.
static double loop_area(const sniRefined* refined, const snTopology* t) {
    double sum = 0.0;
    for (uint32_t i = 0; i < t->loop_starts[1]; i++) {
        uint32_t a = t->loop_points[i], b = t->loop_points[(i + 1) % t->loop_starts[1]];
        snVec3 p = refined->mesh->positions[refined->weld->vertex_of_point[a]];
        snVec3 q = refined->mesh->positions[refined->weld->vertex_of_point[b]];
        sum += 0.5 * ((double)p.z * (double)q.x - (double)p.x * (double)q.z);
    }
    return sum;
}

// A regular polygon with a triangle on each side, whose tip is marked where the mask says so.
static snMesh* star(uint32_t size, uint32_t mask, float* marks) {
    snVec3 positions[16];
    uint32_t corners[32], sizes[8], faces = 1, at = size;
    for (uint32_t i = 0; i < size; i++) {
        float angle = 2.0f * SN_PI * (float)i / (float)size, between = angle + SN_PI / (float)size;
        positions[i] = sn_vec3(sn_cos(angle), 0, -sn_sin(angle));
        positions[size + i] = sn_vec3(2 * sn_cos(between), 0, -2 * sn_sin(between));
        marks[i] = 0.0f;
        marks[size + i] = (mask >> i & 1) != 0 ? 1.0f : 0.0f;
        corners[i] = i;
    }
    sizes[0] = size;
    for (uint32_t i = 0; i < size; i++) {
        sizes[faces++] = 3;
        corners[at++] = (i + 1) % size;
        corners[at++] = i;
        corners[at++] = size + i;
    }
    return polygons(positions, 2 * size, sizes, faces, corners);
}

static float face_area_up(const snMesh* mesh, uint32_t face) {
    snVec3 origin = mesh->positions[mesh->corners[mesh->face_starts[face]]];
    float sum = 0.0f;
    for (uint32_t c = mesh->face_starts[face] + 1; c + 1 < mesh->face_starts[face + 1]; c++) {
        snVec3 a = sn_sub(mesh->positions[mesh->corners[c]], origin);
        snVec3 b = sn_sub(mesh->positions[mesh->corners[c + 1]], origin);
        sum += sn_cross(a, b).y;
    }
    return sum;
}

// All ways in which the sides of the middle face can be split: no gap, no overlap, no face turned over.
static void check_pattern(uint32_t size, uint32_t mask) {
    float marks[16];
    snMesh* mesh = star(size, mask, marks);
    snWeld* weld = NULL;
    assert_ok(sn_weld_create(mesh->positions, mesh->vertex_count, 0.0f, NULL, &weld, NULL));
    sniRefineDef def = {mesh, weld, marks, 0.5f, 1, SIZE_MAX, 0};
    sniRefined refined = {0};
    assert_ok(sni_mesh_refine(&def, NULL, &refined, NULL));
    snTopology* t = topology_of(&refined);
    assert_true(t->manifold && t->oriented);
    assert_int_equal(t->loop_count, 1);
    assert_near(sn_mesh_area(refined.mesh, NULL), loop_area(&refined, t), 1e-5);
    for (uint32_t f = 0; f < refined.mesh->face_count; f++)
        assert_true(face_area_up(refined.mesh, f) > 1e-3f);
    sn_topology_destroy(t);
    sni_refined_free(&refined);
    sn_weld_destroy(weld);
    sn_mesh_destroy(mesh);
}

static void every_pattern_of_a_face_fits(void** state) {
    (void)state;
    for (uint32_t size = 3; size <= 6; size++) {
        for (uint32_t mask = 1; mask < 1u << size; mask++) check_pattern(size, mask);
    }
}

// However often: faces that were cut to fit are not cut again, so angles stay.
static void levels_make_no_slivers(void** state) {
    (void)state;
    for (int triangles = 0; triangles < 2; triangles++) {
        snMesh* ball = sphere(8, triangles != 0);
        sniRefined one = refine(ball, to_the_right, 1), four = refine(ball, to_the_right, 4);
        assert_solid(&one);
        assert_solid(&four);
        assert_true(four.mesh->face_count > 20 * one.mesh->face_count);
        assert_true(least_sine(four.mesh) > 0.7f * least_sine(one.mesh));
        sni_refined_free(&one);
        sni_refined_free(&four);
        sn_mesh_destroy(ball);
    }
}

// Joins two quads along a side into a hexagon; false when they share none.
static bool join_quads(const uint32_t* a, const uint32_t* b, uint32_t* out) {
    for (uint32_t i = 0; i < 4; i++) {
        for (uint32_t k = 0; k < 4; k++) {
            if (a[i] != b[(k + 1) % 4] || a[(i + 1) % 4] != b[k]) continue;
            for (uint32_t n = 0; n < 4; n++) out[n] = a[(i + 1 + n) % 4];
            out[4] = b[(k + 2) % 4];
            out[5] = b[(k + 3) % 4];
            return true;
        }
    }
    return false;
}

// Triangles, quads and hexagons together: of the quads of a sphere some are joined, some cut.
static snMesh* mixed_ball(void) {
    snMesh* ball = sphere(4, false);
    uint32_t sizes[192], corners[576], count = 0, at = 0;
    for (uint32_t f = 0; f < ball->face_count; f++) {
        const uint32_t* c = ball->corners + ball->face_starts[f];
        if (f % 4 == 0 && f + 1 < ball->face_count && join_quads(c, c + 4, corners + at)) {
            sizes[count++] = 6;
            at += 6;
            f++;
        } else if (f % 3 == 0) {
            const uint32_t halves[] = {c[0], c[1], c[2], c[0], c[2], c[3]};
            memcpy(corners + at, halves, sizeof halves);
            sizes[count] = sizes[count + 1] = 3;
            count += 2;
            at += 6;
        } else {
            memcpy(corners + at, c, 4 * sizeof *c);
            sizes[count++] = 4;
            at += 4;
        }
    }
    snMesh* mixed = polygons(ball->positions, ball->vertex_count, sizes, count, corners);
    sn_mesh_destroy(ball);
    return mixed;
}

static void any_marks_leave_it_closed(void** state) {
    (void)state;
    uint32_t random = 3;
    snMesh* ball = mixed_ball();
    uint32_t triangles = 0, quads = 0, larger = 0;
    sn_mesh_count_faces(ball, &triangles, &quads, &larger);
    assert_true(triangles > 0 && quads > 0 && larger > 0);
    snWeld* weld = NULL;
    assert_ok(sn_weld_create(ball->positions, ball->vertex_count, 0.0f, NULL, &weld, NULL));
    float* marks = calloc(ball->vertex_count, sizeof *marks);
    for (uint32_t round = 0; round < 60; round++) {
        for (uint32_t v = 0; v < ball->vertex_count; v++) marks[v] = test_random_float(&random, 0.0f, 1.0f);
        sniRefineDef def = {ball, weld, marks, 0.05f * (float)(round % 20), 1 + round % 3, SIZE_MAX, 0};
        sniRefined refined = {0};
        assert_ok(sni_mesh_refine(&def, NULL, &refined, NULL));
        if (refined.mesh == NULL) continue;
        assert_solid(&refined);
        assert_true(sn_mesh_volume(refined.mesh, NULL) > sn_mesh_volume(ball, NULL));
        sni_refined_free(&refined);
    }
    free(marks);
    sn_weld_destroy(weld);
    sn_mesh_destroy(ball);
}

// ------------------------------------------------------------------------------------------------ places

static double worst_radius(const snMesh* mesh) {
    double worst = 0.0;
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        worst = fmax(worst, fabs((double)sn_length(mesh->positions[v]) - 1.0));
    return worst;
}

// The same for new points on the straight.
static double worst_straight(const snMesh* mesh, const sniRefined* refined) {
    snMesh* straight = NULL;
    snMeshDef def = sn_mesh_def(refined->mesh);
    assert_ok(sn_mesh_create(&def, NULL, &straight, NULL));
    sni_origins_mix(refined->origins, mesh->positions, 3, straight->positions);
    double worst = worst_radius(straight);
    sn_mesh_destroy(straight);
    return worst;
}

static void sphere_gets_rounder(void** state) {
    (void)state;
    const double full = 4.0 / 3.0 * 3.14159265358979;
    for (int triangles = 0; triangles < 2; triangles++) {
        snMesh* ball = sphere(4, triangles != 0);
        double missing = full - sn_mesh_volume(ball, NULL);
        for (uint32_t levels = 1; levels <= 3; levels++) {
            sniRefined refined = refine(ball, everywhere, levels);
            assert_solid(&refined);
            double left = full - sn_mesh_volume(refined.mesh, NULL);
            assert_true(worst_radius(refined.mesh) < 0.3 * worst_straight(ball, &refined));
            assert_true(left > 0.0 && left < missing / (levels == 1 ? 2.5 : 4.5));
            sni_refined_free(&refined);
        }
        sn_mesh_destroy(ball);
    }
}

static void half_a_sphere_keeps_the_other(void** state) {
    (void)state;
    snMesh* ball = sphere(6, true);
    sniRefined refined = refine(ball, to_the_right, 2);
    assert_solid(&refined);
    assert_memory_equal(refined.mesh->positions, ball->positions, ball->vertex_count * sizeof(snVec3));
    for (uint32_t v = ball->vertex_count; v < refined.mesh->vertex_count; v++)
        assert_true(refined.mesh->positions[v].x > -0.5f);
    assert_true(worst_radius(refined.mesh) < 0.3 * worst_straight(ball, &refined));
    sni_refined_free(&refined);
    sn_mesh_destroy(ball);
}

// An open tube: its rims follow the circle, its sides stay straight.
static void rims_follow_their_curve(void** state) {
    (void)state;
    enum { N = 12 };
    snVec3 positions[2 * N];
    uint32_t sizes[N], corners[4 * N];
    for (uint32_t i = 0; i < N; i++) {
        float angle = 2.0f * SN_PI * (float)i / N;
        positions[i] = sn_vec3(sn_cos(angle), 0, -sn_sin(angle));
        positions[N + i] = sn_add(positions[i], sn_vec3(0, 1, 0));
        uint32_t next = (i + 1) % N;
        sizes[i] = 4;
        memcpy(corners + (size_t)4 * i, (uint32_t[]){i, next, N + next, N + i}, 4 * sizeof(uint32_t));
    }
    snMesh* tube = polygons(positions, 2 * N, sizes, N, corners);
    sniRefined refined = refine(tube, everywhere, 2);
    for (uint32_t v = 0; v < refined.mesh->vertex_count; v++) {
        snVec3 p = refined.mesh->positions[v];
        assert_near(sn_length(sn_vec3(p.x, 0, p.z)), 1.0, 2e-3); // chords: 0.034 off
        assert_true(p.y >= 0.0f && p.y <= 1.0f);
    }
    sni_refined_free(&refined);
    sn_mesh_destroy(tube);
}

// Spheres torn into thorns: every new point stays within a quarter of the edge that it stands on.
static void bad_meshes_grow_no_spikes(void** state) {
    (void)state;
    uint32_t random = 7;
    for (int round = 0; round < 20; round++) {
        snMesh* ball = sphere(5, true);
        for (uint32_t v = 0; v < ball->vertex_count; v++) {
            float stretch = test_random_float(&random, 0.05f, 1.5f);
            ball->positions[v] = sn_scale(ball->positions[v], stretch);
        }
        snWeld* weld = NULL;
        assert_ok(sn_weld_create(ball->positions, ball->vertex_count, 0.0f, NULL, &weld, NULL));
        sniRefined refined = refine(ball, everywhere, 1);
        for (uint32_t v = ball->vertex_count; v < refined.mesh->vertex_count; v++) {
            uint32_t k = refined.origins->starts[v];
            assert_int_equal(refined.origins->starts[v + 1] - k, 2);
            snVec3 a = ball->positions[refined.origins->sources[k]];
            snVec3 b = ball->positions[refined.origins->sources[k + 1]];
            float off = sn_distance(refined.mesh->positions[v], sn_lerp(a, b, 0.5f));
            assert_true(off <= 0.2501f * sn_distance(a, b));
        }
        sni_refined_free(&refined);
        sn_weld_destroy(weld);
        sn_mesh_destroy(ball);
    }
}

// Places at the end of floats stay finite; a face with twice the same point and one without area are no
// trouble.
static void ugly_faces_pass(void** state) {
    (void)state;
    const snVec3 far[] = {{3e38f, 0, 0}, {-3e38f, 0, 0}, {0, 3e38f, 0}, {0, 0, 3e38f}};
    const uint32_t tetrahedron[] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
    snMesh* mesh = test_triangles(far, 4, tetrahedron, 4);
    sniRefined refined = refine(mesh, everywhere, 2);
    assert_solid(&refined);
    sni_refined_free(&refined);
    sn_mesh_destroy(mesh);
    const snVec3 flat[] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0, 0, 1}};
    const uint32_t corners[] = {0, 0, 1, 0, 1, 2, 3, 1, 0, 1, 0, 3};
    mesh = test_triangles(flat, 4, corners, 4);
    refined = refine(mesh, everywhere, 2);
    assert_true(refined.mesh->face_count > 4 * 4);
    sni_refined_free(&refined);
    sn_mesh_destroy(mesh);
}

// ------------------------------------------------------------------------------------------------ carried

// Every face apart from its neighbours: they are cut alike, and the new vertices of all sides meet exactly.
static void seams_stay_closed(void** state) {
    (void)state;
    snMesh* ball = sphere(5, false);
    uint32_t count = ball->corner_count;
    snVec3* positions = calloc(count, sizeof *positions);
    uint32_t* corners = calloc(count, sizeof *corners);
    for (uint32_t c = 0; c < count; c++) {
        positions[c] = ball->positions[ball->corners[c]];
        corners[c] = c;
    }
    snMeshDef def = sn_mesh_def(ball);
    def.vertex_count = count;
    def.positions = positions;
    def.corners = corners;
    def.uvs = NULL;
    def.corner_uvs = NULL;
    snMesh* parted = NULL;
    assert_ok(sn_mesh_create(&def, NULL, &parted, NULL));
    sniRefined whole = refine(ball, to_the_right, 2), pieces = refine(parted, to_the_right, 2);
    assert_int_equal(pieces.mesh->face_count, whole.mesh->face_count);
    assert_int_equal(pieces.weld->point_count, whole.weld->point_count);
    assert_solid(&pieces);
    snWeld* exact = NULL;
    assert_ok(sn_weld_create(pieces.mesh->positions, pieces.mesh->vertex_count, 0.0f, NULL, &exact, NULL));
    assert_int_equal(exact->point_count, pieces.weld->point_count);
    assert_memory_equal(exact->point_of_vertex, pieces.weld->point_of_vertex,
                        pieces.mesh->vertex_count * sizeof(uint32_t));
    assert_memory_equal(exact->vertex_of_point, pieces.weld->vertex_of_point,
                        exact->point_count * sizeof(uint32_t));
    sn_weld_destroy(exact);
    sni_refined_free(&whole);
    sni_refined_free(&pieces);
    free(positions);
    free(corners);
    sn_mesh_destroy(parted);
    sn_mesh_destroy(ball);
}

// Attributes that are linear in space stay so; a seam in the texture stays a seam; groups stay on their side.
static void attributes_are_carried(void** state) {
    (void)state;
    snMesh* grid = test_grid(4);
    snVec2 uvs[27];
    snVec3 normals[2] = {{0, 1, 0}, {0.6f, 0.8f, 0}};
    snVec4 colors[25];
    uint32_t corner_uvs[64], corner_normals[64], groups[16];
    for (uint32_t v = 0; v < 25; v++) {
        snVec3 p = grid->positions[v];
        uvs[v] = (snVec2){0.25f * p.x, 0.25f * p.z};
        colors[v] = (snVec4){0.25f * p.x, 0.25f * p.z, 0.5f, 1.0f};
    }
    uvs[25] = uvs[26] = (snVec2){9.0f, 9.0f};
    for (uint32_t c = 0; c < 64; c++) {
        corner_uvs[c] = grid->corners[c];
        corner_normals[c] = c < 32 ? 0 : 1;
        groups[c / 4] = c < 32 ? 0 : 1;
    }
    corner_uvs[0] = SN_NONE;
    const char* names[] = {"low", "high"};
    snMeshDef def = sn_mesh_def(grid);
    def.uv_count = 27;
    def.uvs = uvs;
    def.corner_uvs = corner_uvs;
    def.normal_count = 2;
    def.normals = normals;
    def.corner_normals = corner_normals;
    def.colors = colors;
    def.group_count = 2;
    def.group_names = names;
    def.face_groups = groups;
    snMesh* full = NULL;
    assert_ok(sn_mesh_create(&def, NULL, &full, NULL));
    sniRefined refined = refine(full, everywhere, 2);
    const snMesh* mesh = refined.mesh;
    assert_int_equal(mesh->face_count, 256);
    assert_int_equal(mesh->normal_count, 2); // the middle of a normal and itself is that normal
    uint32_t without = 0;
    for (uint32_t f = 0; f < mesh->face_count; f++) {
        for (uint32_t c = mesh->face_starts[f]; c < mesh->face_starts[f + 1]; c++) {
            snVec3 p = mesh->positions[mesh->corners[c]];
            assert_near(mesh->colors[mesh->corners[c]].x, 0.25f * p.x, 1e-6);
            assert_near(mesh->colors[mesh->corners[c]].y, 0.25f * p.z, 1e-6);
            without += mesh->corner_uvs[c] == SN_NONE;
            if (mesh->corner_uvs[c] != SN_NONE) {
                assert_near(mesh->uvs[mesh->corner_uvs[c]].x, 0.25f * p.x, 1e-6);
                assert_near(mesh->uvs[mesh->corner_uvs[c]].y, 0.25f * p.z, 1e-6);
            }
            assert_int_equal(mesh->corner_normals[c], mesh->face_groups[f]);
            assert_true(mesh->face_groups[f] == 0 ? p.z <= 2.0f : p.z >= 2.0f);
        }
    }
    assert_true(without > 0 && without < 64);
    assert_string_equal(mesh->group_names[1], "high");
    sni_refined_free(&refined);
    sn_mesh_destroy(full);
    sn_mesh_destroy(grid);
}

static void normals_stay_unit(void** state) {
    (void)state;
    snMesh* ball = sphere(4, true);
    snMeshDef def = sn_mesh_def(ball);
    def.normal_count = ball->vertex_count;
    def.normals = ball->positions; // of a unit sphere
    snMesh* smooth = NULL;
    assert_ok(sn_mesh_create(&def, NULL, &smooth, NULL));
    sniRefined refined = refine(smooth, everywhere, 2);
    for (uint32_t v = 0; v < refined.mesh->vertex_count; v++) {
        assert_near(sn_length(refined.mesh->normals[v]), 1.0, 1e-6);
        snVec3 straight = sn_normalize_or(refined.mesh->positions[v], sn_vec3(0, 0, 0));
        assert_vec3_near(refined.mesh->normals[v], straight, 0.02f);
    }
    sni_refined_free(&refined);
    sn_mesh_destroy(smooth);
    sn_mesh_destroy(ball);
}

static void origins_say_what_vertices_are_made_of(void** state) {
    (void)state;
    snMesh* grid = test_grid(3);
    sniRefined refined = refine(grid, to_the_right, 3);
    const snOrigins* o = refined.origins;
    assert_int_equal(o->count, refined.mesh->vertex_count);
    for (uint32_t v = 0; v < o->count; v++) {
        snVec3 sum = {0, 0, 0};
        float shares = 0.0f;
        for (uint32_t k = o->starts[v]; k < o->starts[v + 1]; k++) {
            assert_true(k == o->starts[v] || o->sources[k] > o->sources[k - 1]);
            sum = sn_add(sum, sn_scale(grid->positions[o->sources[k]], o->shares[k]));
            shares += o->shares[k];
        }
        assert_true(o->starts[v + 1] - o->starts[v] <= 4);
        assert_near(shares, 1.0, 1e-6);
        assert_vec3_near(sum, refined.mesh->positions[v], 1e-6f);
        if (v < grid->vertex_count) assert_int_equal(o->starts[v + 1] - o->starts[v], 1);
    }
    sni_refined_free(&refined);
    sn_mesh_destroy(grid);
}

// Once by two levels' marks and twice by one are not the same mesh, but what is made of what adds up.
static void origins_compose(void** state) {
    (void)state;
    snMesh* grid = test_grid(3);
    sniRefined first = refine(grid, to_the_right, 1), second = refine(first.mesh, to_the_right, 1);
    snOrigins* both = sni_origins_compose(first.origins, second.origins, &first.mesh->allocator);
    assert_int_equal(both->count, second.mesh->vertex_count);
    snVec3* places = calloc(both->count, sizeof *places);
    sni_origins_mix(both, grid->positions, 3, places);
    for (uint32_t v = 0; v < both->count; v++) assert_vec3_near(places[v], second.mesh->positions[v], 1e-6f);
    free(places);
    sn_origins_destroy(both);
    sni_refined_free(&first);
    sni_refined_free(&second);
    sn_mesh_destroy(grid);
}

// ------------------------------------------------------------------------------------------------- memory

typedef struct Input {
    snMesh* mesh;
    snWeld* weld;
    float* marks;
} Input;

static Input seamed_input(void) {
    Input input = {test_split_cube(), NULL, NULL};
    snMeshDef def = sn_mesh_def(input.mesh);
    uint32_t index[24];
    snVec2 uvs[24] = {{0}};
    snVec3 normals[24];
    for (uint32_t i = 0; i < 24; i++) {
        index[i] = i;
        normals[i] = sn_vec3(0, 1, 0);
    }
    def.uv_count = def.normal_count = 24;
    def.uvs = uvs;
    def.normals = normals;
    def.corner_uvs = def.corner_normals = index;
    snMesh* full = NULL;
    assert_ok(sn_mesh_create(&def, NULL, &full, NULL));
    sn_mesh_destroy(input.mesh);
    input.mesh = full;
    assert_ok(sn_weld_create(full->positions, 24, 0.0f, NULL, &input.weld, NULL));
    input.marks = calloc(24, sizeof *input.marks);
    for (uint32_t v = 0; v < 24; v++) input.marks[v] = full->positions[v].x;
    return input;
}

static void free_input(Input* input) {
    sn_mesh_destroy(input->mesh);
    sn_weld_destroy(input->weld);
    free(input->marks);
}

static snResult build(const snAllocator* allocator, void* context) {
    const Input* input = context;
    sniRefineDef def = {input->mesh, input->weld, input->marks, 0.5f, 2, SIZE_MAX, 0};
    sniRefined refined = {0};
    snResult result = sni_mesh_refine(&def, allocator, &refined, NULL);
    sni_refined_free(&refined);
    return result;
}

static void every_allocation_may_fail(void** state) {
    (void)state;
    Input input = seamed_input();
    test_every_allocation(build, &input);
    free_input(&input);
}

// The limit is refused before it is passed, whatever it is; what is stated covers what is taken.
static void memory_is_bounded(void** state) {
    (void)state;
    Input input = seamed_input();
    snMesh* ball = sphere(8, true);
    snWeld* weld = NULL;
    assert_ok(sn_weld_create(ball->positions, ball->vertex_count, 0.0f, NULL, &weld, NULL));
    float* marks = calloc(ball->vertex_count, sizeof *marks);
    for (uint32_t v = 0; v < ball->vertex_count; v++) marks[v] = 1.0f;
    const sniRefineDef defs[] = {{input.mesh, input.weld, input.marks, 0.5f, 4, SIZE_MAX, 0},
                                 {ball, weld, marks, 0.5f, 3, SIZE_MAX, 0}};
    uint32_t refused = 0, done = 0;
    for (int d = 0; d < 2; d++) {
        for (size_t limit = 1000; limit < ((size_t)1 << 28); limit *= 3) {
            snBudget budget = sn_budget(NULL, SIZE_MAX);
            snAllocator memory = sn_budget_allocator(&budget);
            sniRefineDef def = defs[d];
            sniRefined refined = {0};
            snError error = sn_error_none();
            def.memory_limit = limit;
            snResult result = sni_mesh_refine(&def, &memory, &refined, &error);
            assert_true(result == SN_RESULT_OK || result == SN_RESULT_LIMIT);
            assert_true(budget.peak <= limit);
            refused += result == SN_RESULT_LIMIT;
            done += result == SN_RESULT_OK;
            if (result == SN_RESULT_OK) assert_true(budget.peak <= refined.bytes);
            if (result == SN_RESULT_LIMIT) assert_non_null(strstr(error.text, "more than"));
            sni_refined_free(&refined);
            assert_int_equal(budget.used, 0);
        }
    }
    assert_true(refused > 4 && done > 4);
    free(marks);
    sn_weld_destroy(weld);
    sn_mesh_destroy(ball);
    free_input(&input);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_marked_is_nothing_made),
        cmocka_unit_test(cube_stays_a_cube),
        cmocka_unit_test(triangulated_cube_stays_a_cube),
        cmocka_unit_test(grid_is_cut_to_fit),
        cmocka_unit_test(every_pattern_of_a_face_fits),
        cmocka_unit_test(levels_make_no_slivers),
        cmocka_unit_test(any_marks_leave_it_closed),
        cmocka_unit_test(sphere_gets_rounder),
        cmocka_unit_test(half_a_sphere_keeps_the_other),
        cmocka_unit_test(rims_follow_their_curve),
        cmocka_unit_test(bad_meshes_grow_no_spikes),
        cmocka_unit_test(ugly_faces_pass),
        cmocka_unit_test(seams_stay_closed),
        cmocka_unit_test(attributes_are_carried),
        cmocka_unit_test(normals_stay_unit),
        cmocka_unit_test(origins_say_what_vertices_are_made_of),
        cmocka_unit_test(origins_compose),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(memory_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
