// Making a surface: odd meshes that must work, bad input that must be named, smooth fields held to a plain
// dense solution.
#include <stdio.h>

#include "handle_scene.h"
#include "shapes.h"
#include "surface/surface.h"

static snHandles* make_handles(const snMesh* mesh, uint32_t count, const snHandleDef* defs) {
    snHandlesDef def = {mesh, count, defs};
    snHandles* handles = NULL;
    snError error = sn_error_none();
    if (sn_handles_create(&def, NULL, &handles, &error) != SN_RESULT_OK) fail_msg("%s", error.text);
    return handles;
}

static snHandleSurface* make_surface(const snMesh* mesh, const snHandles* handles, snLaplacian laplacian) {
    snHandleSurfaceDef def = sn_handle_surface_def();
    snHandleSurface* surface = NULL;
    snError error = sn_error_none();
    def.mesh = mesh;
    def.handles = handles;
    def.laplacian = laplacian;
    def.sparse = sn_sparse_cholmod();
    if (sn_handle_surface_create(&def, NULL, &surface, &error) != SN_RESULT_OK) fail_msg("%s", error.text);
    return surface;
}

static void pose(const snHandleSurface* surface, const snRigid* motions, snHandleMethod method, snVec3* out) {
    void* scratch = aligned_alloc(64, (sn_handle_surface_scratch_size(surface) + 63) / 64 * 64);
    snHandleSurfaceJob job = {
        .surface = surface, .handles = motions, .method = method, .scratch = scratch, .out_positions = out};
    assert_ok(sn_handle_surface_run(&job));
    free(scratch);
}

// ----------------------------------------------------------------------------------------- smooth fields

#define SIDE 7
#define POINTS (SIDE * SIDE)

static bool is_left(uint32_t v) { return v % SIDE == 0; }
static bool is_right(uint32_t v) { return v % SIDE == SIDE - 1; }

// Gaussian elimination with pivots.
static void eliminate(double a[POINTS][POINTS + 1], uint32_t count) {
    for (uint32_t c = 0; c < count; c++) {
        uint32_t best = c;
        for (uint32_t r = c; r < count; r++) best = fabs(a[r][c]) > fabs(a[best][c]) ? r : best;
        for (uint32_t k = 0; k <= count; k++) {
            double swap = a[c][k];
            a[c][k] = a[best][k];
            a[best][k] = swap;
        }
        for (uint32_t r = 0; r < count; r++) {
            if (r == c) continue;
            double scale = a[r][c] / a[c][c];
            for (uint32_t k = c; k <= count; k++) a[r][k] -= scale * a[c][k];
        }
    }
    for (uint32_t r = 0; r < count; r++) a[r][count] /= a[r][r];
}

// Uniform Laplacian of the grid, all rows; the field that is 1 on the right, 0 on the left and has the least
// |L f|^2.
static void dense_field(double out[POINTS]) {
    static double l[POINTS][POINTS], a[POINTS][POINTS + 1];
    memset(l, 0, sizeof l);
    memset(a, 0, sizeof a);
    for (int v = 0; v < POINTS; v++) {
        int x = v % SIDE, z = v / SIDE, count = (x > 0) + (x < SIDE - 1) + (z > 0) + (z < SIDE - 1);
        l[v][v] = 1;
        if (x > 0) l[v][v - 1] = -1.0 / count;
        if (x < SIDE - 1) l[v][v + 1] = -1.0 / count;
        if (z > 0) l[v][v - SIDE] = -1.0 / count;
        if (z < SIDE - 1) l[v][v + SIDE] = -1.0 / count;
    }
    for (uint32_t i = 0; i < POINTS; i++) {
        if (is_left(i) || is_right(i)) {
            a[i][i] = 1;
            a[i][POINTS] = is_right(i) ? 1 : 0;
            continue;
        }
        for (uint32_t j = 0; j < POINTS; j++) {
            for (uint32_t r = 0; r < POINTS; r++) a[i][j] += l[r][i] * l[r][j];
        }
    }
    eliminate(a, POINTS);
    for (uint32_t i = 0; i < POINTS; i++) out[i] = a[i][POINTS];
}

static void fields_are_the_smoothest(void** state) {
    (void)state;
    snMesh* mesh = test_grid(SIDE - 1);
    uint32_t left[SIDE], right[SIDE];
    for (uint32_t i = 0; i < SIDE; i++) left[i] = i * SIDE, right[i] = i * SIDE + SIDE - 1;
    snHandleDef defs[] = {{.name = "left", .vertex_count = SIDE, .vertices = left},
                          {.name = "right", .vertex_count = SIDE, .vertices = right}};
    snHandles* handles = make_handles(mesh, 2, defs);
    snHandleSurface* surface = make_surface(mesh, handles, SN_LAPLACIAN_UNIFORM);
    float weights[POINTS * 2];
    double truth[POINTS];
    sn_handle_surface_weights(surface, weights);
    dense_field(truth);
    for (uint32_t v = 0; v < POINTS; v++) {
        // Weights are cut by 0.002 where they end.
        assert_near(weights[v * 2 + 1], truth[v], 0.0025);
        assert_near(weights[v * 2] + weights[v * 2 + 1], 1, 1e-6);
    }
    assert_int_equal(sn_handle_surface_info(surface).unknowns, POINTS - 2 * SIDE);
    assert_int_equal(sn_handle_surface_info(surface).rows, POINTS);
    sn_handle_surface_destroy(surface);
    sn_handles_destroy(handles);
    sn_mesh_destroy(mesh);
}

// --------------------------------------------------------------------------------------------- odd meshes

// The tube with every face split off: one point where the vertices of its faces meet.
static snMesh* split(const snMesh* mesh, uint32_t** out_sources) {
    snVec3* positions = calloc(mesh->corner_count, sizeof *positions);
    uint32_t* corners = calloc(mesh->corner_count, sizeof *corners);
    *out_sources = calloc(mesh->corner_count, sizeof **out_sources);
    for (uint32_t c = 0; c < mesh->corner_count; c++) {
        positions[c] = mesh->positions[mesh->corners[c]];
        (*out_sources)[c] = mesh->corners[c];
        corners[c] = c;
    }
    snMeshDef def = {.vertex_count = mesh->corner_count,
                     .face_count = mesh->face_count,
                     .corner_count = mesh->corner_count,
                     .positions = positions,
                     .face_starts = mesh->face_starts,
                     .corners = corners};
    snMesh* made = NULL;
    assert_ok(sn_mesh_create(&def, NULL, &made, NULL));
    free(positions);
    free(corners);
    return made;
}

static void seams_do_not_open(void** state) {
    (void)state;
    Scene s = scene_create(12, 24, true);
    scene_build(&s);
    uint32_t* sources = NULL;
    snMesh* mesh = split(s.mesh, &sources);
    snHandles* handles = scene_handles(mesh, 1.0f);
    snHandleSurface* surface = make_surface(mesh, handles, SN_LAPLACIAN_COTANGENT);
    snVec3* out = calloc(mesh->vertex_count, sizeof *out);
    scene_turn(&s, sn_vec3(0, 0.5f, 1), 1.3f);
    for (int m = 0; m < SN_HANDLES_METHOD_COUNT; m++) {
        scene_run(&s, (snHandleMethod)m);
        pose(surface, s.motions, (snHandleMethod)m, out);
        for (uint32_t v = 0; v < mesh->vertex_count; v++)
            assert_vec3_near(out[v], s.positions[sources[v]], 1e-5f);
    }
    free(out);
    free(sources);
    sn_handle_surface_destroy(surface);
    sn_handles_destroy(handles);
    sn_mesh_destroy(mesh);
    scene_destroy(&s);
}

// Two squares and a loose vertex between them. Each square has a handle; the loose vertex goes with the
// nearest one, here the second.
static void pieces_and_loose_vertices_follow(void** state) {
    (void)state;
    snVec3 positions[9];
    for (int i = 0; i < 8; i++)
        positions[i] = sn_vec3((float)(i / 4) * 10 + (float)(i % 2), 0, (float)(i / 2 % 2));
    positions[8] = sn_vec3(8, 0, 0);
    const uint32_t corners[] = {0, 2, 1, 1, 2, 3, 4, 6, 5, 5, 6, 7};
    snMesh* mesh = test_triangles(positions, 9, corners, 4);
    const uint32_t first[] = {0, 1}, second[] = {4, 5};
    snHandleDef defs[] = {{.name = "first", .vertex_count = 2, .vertices = first},
                          {.name = "second", .vertex_count = 2, .vertices = second}};
    snHandles* handles = make_handles(mesh, 2, defs);
    for (int kind = 0; kind < SN_LAPLACIAN_COUNT; kind++) {
        snHandleSurface* surface = make_surface(mesh, handles, (snLaplacian)kind);
        assert_int_equal(sn_handle_surface_info(surface).pieces, 2);
        snRigid motions[2] = {{.rotation = sn_quat_axis_angle(sn_vec3(0, 1, 0), 0.5f)},
                              {.rotation = sn_quat_identity(), .translation = sn_vec3(0, 3, 0)}};
        snVec3 out[9];
        for (int m = 0; m < SN_HANDLES_METHOD_COUNT; m++) {
            pose(surface, motions, (snHandleMethod)m, out);
            for (uint32_t v = 0; v < 9; v++)
                assert_vec3_near(out[v], sn_rigid_point(motions[v >= 4], positions[v]), 1e-5f);
        }
        sn_handle_surface_destroy(surface);
    }
    sn_handles_destroy(handles);
    sn_mesh_destroy(mesh);
}

// Faces without area, edges without length, three faces at an edge: still finite, and rest is rest.
static void degenerate_faces_do_no_harm(void** state) {
    (void)state;
    const snVec3 positions[] = {{0, 0, 0}, {1, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0, 0, 1},
                                {1, 0, 1}, {2, 0, 1}, {1, 1, 0}, {3, 0, 0}, {3, 0, 1}};
    const uint32_t corners[] = {0, 4, 1, 1, 4, 5, 1, 5, 3, 3, 5, 6, 1, 2,
                                3, 0, 1, 3, 1, 5, 7, 3, 6, 8, 8, 6, 9};
    snMesh* mesh = test_triangles(positions, 10, corners, 9);
    const uint32_t first[] = {0, 4}, second[] = {8, 9};
    snHandleDef defs[] = {{.name = "first", .vertex_count = 2, .vertices = first},
                          {.name = "second", .vertex_count = 2, .vertices = second}};
    snHandles* handles = make_handles(mesh, 2, defs);
    for (int kind = 0; kind < SN_LAPLACIAN_COUNT; kind++) {
        snHandleSurface* surface = make_surface(mesh, handles, (snLaplacian)kind);
        snRigid motions[2] = {{.rotation = sn_quat_identity()}, {.rotation = sn_quat_identity()}};
        snVec3 out[10];
        for (int m = 0; m < SN_HANDLES_METHOD_COUNT; m++) {
            motions[1].rotation = sn_quat_identity();
            pose(surface, motions, (snHandleMethod)m, out);
            for (uint32_t v = 0; v < 10; v++) assert_vec3_near(out[v], positions[v], 1e-5f);
            motions[1].rotation = sn_quat_axis_angle(sn_vec3(0, 0, 1), 2.0f);
            pose(surface, motions, (snHandleMethod)m, out);
            for (uint32_t v = 0; v < 10; v++) assert_true(sn_vec3_finite(out[v]));
        }
        sn_handle_surface_destroy(surface);
    }
    sn_handles_destroy(handles);
    sn_mesh_destroy(mesh);
}

// A sheet between two of its sides.
static void open_meshes_bend(void** state) {
    (void)state;
    snMesh* mesh = test_grid(12);
    uint32_t left[13], right[13];
    for (uint32_t i = 0; i < 13; i++) left[i] = i * 13, right[i] = i * 13 + 12;
    snHandleDef defs[] = {{.name = "left", .vertex_count = 13, .vertices = left},
                          {.name = "right", .vertex_count = 13, .vertices = right}};
    snHandles* handles = make_handles(mesh, 2, defs);
    snHandleSurface* surface = make_surface(mesh, handles, SN_LAPLACIAN_COTANGENT);
    snRigid motions[2] = {{.rotation = sn_quat_identity()}, {.rotation = sn_quat_identity()}};
    motions[1].translation = sn_vec3(0, 4, 0);
    snVec3* out = calloc(mesh->vertex_count, sizeof *out);
    for (int m = 0; m < SN_HANDLES_METHOD_COUNT; m++) {
        pose(surface, motions, (snHandleMethod)m, out);
        for (uint32_t z = 0; z < 13; z++) { // rises from the one side to the other
            for (uint32_t x = 1; x < 13; x++) assert_true(out[z * 13 + x].y > out[z * 13 + x - 1].y - 1e-4f);
        }
        assert_near(out[6 * 13 + 6].y, 2.0f, 0.05f);
    }
    free(out);
    sn_handle_surface_destroy(surface);
    sn_handles_destroy(handles);
    sn_mesh_destroy(mesh);
}

// A tube open at both ends has no inside: the rigid method must not hold on to one.
static void open_tubes_have_no_volume(void** state) {
    (void)state;
    enum { AROUND = 8, ALONG = 12 };
    snVec3 positions[AROUND * ALONG];
    uint32_t corners[AROUND * (ALONG - 1) * 6], at = 0, middle[AROUND];
    for (uint32_t v = 0; v < AROUND * ALONG; v++) {
        float angle = 2.0f * SN_PI * (float)(v % AROUND) / AROUND;
        positions[v] = sn_vec3(sn_cos(angle), 0.5f * (float)(v / AROUND), sn_sin(angle));
    }
    for (uint32_t r = 0; r + 1 < ALONG; r++) {
        for (uint32_t i = 0; i < AROUND; i++) {
            uint32_t a = r * AROUND + i, b = r * AROUND + (i + 1) % AROUND, c = a + AROUND, d = b + AROUND;
            const uint32_t two[] = {a, c, b, b, c, d};
            memcpy(corners + at, two, sizeof two);
            at += 6;
        }
    }
    for (uint32_t i = 0; i < AROUND; i++) middle[i] = 5 * AROUND + i;
    snMesh* mesh = test_triangles(positions, AROUND * ALONG, corners, at / 3);
    snHandleDef def = {.name = "middle", .vertex_count = AROUND, .vertices = middle};
    snHandles* handles = make_handles(mesh, 1, &def);
    snHandleSurface* surface = make_surface(mesh, handles, SN_LAPLACIAN_COTANGENT);
    assert_int_equal(surface->piece_count, 2);
    for (uint32_t i = 0; i < surface->piece_count; i++) assert_true(surface->volumes[i] == 0.0);
    sn_handle_surface_destroy(surface);
    sn_handles_destroy(handles);
    sn_mesh_destroy(mesh);
}

// ---------------------------------------------------------------------------------------------- bad input

enum { SPOKES = 600 };

// A hub between very many handles, none of which counts: each has a six-hundredth of it. It goes with the
// nearest, whichever number that has.
static void the_nearest_of_very_many_handles_wins(void** state) {
    (void)state;
    static snVec3 positions[SPOKES + 1];
    static uint32_t starts[SPOKES + 1], corners[3 * SPOKES], vertices[SPOKES];
    static snHandleDef defs[SPOKES];
    static char names[SPOKES][8];
    static float weights[(SPOKES + 1) * SPOKES];
    const uint32_t nearest = 417;
    for (uint32_t i = 0; i < SPOKES; i++) {
        float angle = 2.0f * SN_PI * (float)i / (float)SPOKES, radius = i == nearest ? 0.95f : 1.0f;
        positions[i] = sn_vec3(radius * sn_cos(angle), 0, radius * sn_sin(angle));
        vertices[i] = i;
        starts[i + 1] = 3 * (i + 1);
        uint32_t triangle[3] = {i, (i + 1) % SPOKES, SPOKES};
        memcpy(corners + (size_t)3 * i, triangle, sizeof triangle);
        snprintf(names[i], sizeof names[i], "%u", i);
        defs[i] =
            (snHandleDef){.name = names[i], .vertices = &vertices[i], .vertex_count = 1, .confidence = 1};
    }
    snMeshDef mesh_def = {.vertex_count = SPOKES + 1,
                          .positions = positions,
                          .face_count = SPOKES,
                          .face_starts = starts,
                          .corner_count = 3 * SPOKES,
                          .corners = corners};
    snMesh* mesh = NULL;
    assert_ok(sn_mesh_create(&mesh_def, NULL, &mesh, NULL));
    snHandlesDef handles_def = {mesh, SPOKES, defs};
    snHandleSurfaceDef def = sn_handle_surface_def();
    snHandles* handles = NULL;
    snHandleSurface* surface = NULL;
    assert_ok(sn_handles_create(&handles_def, NULL, &handles, NULL));
    def.mesh = mesh;
    def.handles = handles;
    def.laplacian = SN_LAPLACIAN_UNIFORM;
    def.sparse = sn_sparse_cholmod();
    assert_ok(sn_handle_surface_create(&def, NULL, &surface, NULL));
    sn_handle_surface_weights(surface, weights);
    assert_near(weights[(size_t)SPOKES * SPOKES + nearest], 1.0f, 0);
    assert_near(weights[(size_t)SPOKES * SPOKES], 0.0f, 0);
    sn_handle_surface_destroy(surface);
    sn_handles_destroy(handles);
    sn_mesh_destroy(mesh);
}

static void assert_refused(const snHandleSurfaceDef* def, snResult code, const char* text, uint32_t vertex) {
    snHandleSurface* surface = NULL;
    snError error = sn_error_none();
    assert_int_equal(sn_handle_surface_create(def, NULL, &surface, &error), code);
    if (strstr(error.text, text) == NULL) fail_msg("\"%s\" does not say \"%s\"", error.text, text);
    assert_int_equal(error.vertex, vertex);
    assert_null(surface);
}

static void bad_input_is_named(void** state) {
    (void)state;
    Scene s = scene_create(8, 12, true), other = scene_create(8, 13, true);
    s.handles = scene_handles(s.mesh, 1.0f);
    snHandleSurfaceDef def = s.def;
    def.handles = s.handles;
    def.sparse = NULL;
    assert_refused(&def, SN_RESULT_UNSUPPORTED, "libsuitesparse-dev", SN_NONE);
    def.sparse = sn_sparse_cholmod();
    def.memory_limit = 1000;
    assert_refused(&def, SN_RESULT_LIMIT, "unknowns", SN_NONE);
    def.memory_limit = s.def.memory_limit;
    def.band = 0;
    assert_refused(&def, SN_RESULT_INVALID_ARGUMENT, "band", SN_NONE);
    def.band = 2;
    def.mesh = other.mesh;
    assert_refused(&def, SN_RESULT_BAD_DATA, "vertices", SN_NONE);
    scene_destroy(&s);
    scene_destroy(&other);
}

static void a_mesh_must_be_held_and_free(void** state) {
    (void)state;
    snMesh* mesh = test_grid(2);
    uint32_t all[9];
    for (uint32_t v = 0; v < 9; v++) all[v] = v;
    snHandleDef whole = {.name = "whole", .vertex_count = 9, .vertices = all};
    snHandleSurfaceDef def = sn_handle_surface_def();
    snHandles* handles = make_handles(mesh, 1, &whole);
    def.mesh = mesh;
    def.handles = handles;
    def.sparse = sn_sparse_cholmod();
    assert_refused(&def, SN_RESULT_BAD_DATA, "no free vertex", SN_NONE);
    sn_handles_destroy(handles);
    sn_mesh_destroy(mesh);
    // The second of two triangles hangs on nothing; nor does it where its handle has no weight.
    const snVec3 positions[] = {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}, {5, 0, 0}, {6, 0, 0}, {5, 0, 1}};
    const uint32_t corners[] = {0, 2, 1, 3, 5, 4}, one[] = {0}, two[] = {4};
    const float nothing[] = {0.0f};
    def.mesh = mesh = test_triangles(positions, 6, corners, 2);
    snHandleDef defs[] = {{.name = "one", .vertex_count = 1, .vertices = one},
                          {.name = "two", .vertex_count = 1, .vertices = two, .weights = nothing}};
    for (uint32_t count = 1; count <= 2; count++) {
        def.handles = handles = make_handles(mesh, count, defs);
        assert_refused(&def, SN_RESULT_BAD_DATA, "around vertex 3 (3 vertices)", 3);
        sn_handles_destroy(handles);
    }
    sn_mesh_destroy(mesh);
}

// Weights so small that rounding is all that holds: factors may exist, but what they give is noise.
static void handles_must_hold_on(void** state) {
    (void)state;
    Scene s = scene_create(12, 30, true);
    float* weights = calloc(s.mesh->vertex_count, sizeof *weights);
    uint32_t* ends = calloc(s.mesh->vertex_count, sizeof *ends);
    uint32_t count = 0;
    for (uint32_t v = 0; v < s.mesh->vertex_count; v++) {
        weights[v] = 1e-8f;
        if (s.mesh->positions[v].y < SCENE_LENGTH / 4) ends[count++] = v;
    }
    snHandleDef soft = {.name = "soft", .vertex_count = count, .vertices = ends, .weights = weights};
    snHandles* handles = make_handles(s.mesh, 1, &soft);
    s.def.handles = handles;
    for (int rigid = 0; rigid < 2; rigid++) {
        s.def.rigid = rigid != 0;
        snHandleSurface* surface = NULL;
        snError error = sn_error_none();
        assert_int_equal(sn_handle_surface_create(&s.def, NULL, &surface, &error), SN_RESULT_BAD_DATA);
        assert_non_null(strstr(error.text, "the weights of its handles are too small"));
        assert_true(error.vertex < s.mesh->vertex_count);
    }
    sn_handles_destroy(handles);
    free(weights);
    free(ends);
    scene_destroy(&s);
}

static void handles_that_meet_at_a_seam_are_named(void** state) {
    (void)state;
    snMesh* mesh = test_split_cube();
    const uint32_t one[] = {0};
    uint32_t two[] = {SN_NONE};
    for (uint32_t v = 1; v < mesh->vertex_count && two[0] == SN_NONE; v++) {
        if (sn_distance(mesh->positions[v], mesh->positions[0]) == 0.0f) two[0] = v;
    }
    snHandleDef defs[] = {{.name = "one", .vertex_count = 1, .vertices = one},
                          {.name = "two", .vertex_count = 1, .vertices = two}};
    snHandles* handles = make_handles(mesh, 2, defs);
    snHandleSurfaceDef def = sn_handle_surface_def();
    def.mesh = mesh;
    def.handles = handles;
    def.sparse = sn_sparse_cholmod();
    assert_refused(&def, SN_RESULT_BAD_DATA, "same position as a vertex of handle \"one\"", two[0]);
    // Rounded apart they are one point still, and the first handle has it: so rigs of 0.1.0 are posed.
    mesh->positions[two[0]].x += 1e-7f;
    sn_handles_destroy(handles);
    handles = make_handles(mesh, 2, defs);
    def.handles = handles;
    snHandleSurface* surface = NULL;
    assert_ok(sn_handle_surface_create(&def, NULL, &surface, NULL));
    sn_handle_surface_destroy(surface);
    sn_handles_destroy(handles);
    sn_mesh_destroy(mesh);
}

static void bad_jobs_are_refused(void** state) {
    (void)state;
    Scene s = scene_create(8, 12, true);
    s.def.rigid = false;
    scene_build(&s);
    snHandleSurfaceJob job = scene_job(&s, SN_HANDLES_RIGID);
    assert_int_equal(sn_handle_surface_run(&job), SN_RESULT_UNSUPPORTED);
    job.method = SN_HANDLES_FAST;
    s.motions[1].translation.x = NAN;
    assert_int_equal(sn_handle_surface_run(&job), SN_RESULT_BAD_DATA);
    s.motions[1].translation.x = 0;
    s.motions[1].rotation.w = INFINITY;
    assert_int_equal(sn_handle_surface_run(&job), SN_RESULT_BAD_DATA);
    job.scratch = NULL;
    assert_int_equal(sn_handle_surface_run(&job), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_handle_surface_run(NULL), SN_RESULT_INVALID_ARGUMENT);
    scene_destroy(&s);
}

static snResult build(const snAllocator* allocator, void* context) {
    snHandleSurface* surface = NULL;
    snResult result = sn_handle_surface_create((const snHandleSurfaceDef*)context, allocator, &surface, NULL);
    sn_handle_surface_destroy(surface);
    return result;
}

static void survives_every_allocation(void** state) {
    (void)state;
    Scene s = scene_create(5, 9, true);
    s.handles = scene_handles(s.mesh, 1.0f);
    s.def.handles = s.handles;
    for (int kind = 0; kind < SN_LAPLACIAN_COUNT; kind++) {
        s.def.laplacian = (snLaplacian)kind;
        test_every_allocation(build, &s.def);
    }
    scene_destroy(&s);
}

static void names_are_said(void** state) {
    (void)state;
    assert_string_equal(sn_laplacian_name(SN_LAPLACIAN_EDGE), "edge");
    assert_string_equal(sn_laplacian_name(SN_LAPLACIAN_COUNT), "none");
    assert_string_equal(sn_handle_method_name(SN_HANDLES_RIGID), "rigid");
    assert_string_equal(sn_handle_method_name(SN_HANDLES_METHOD_COUNT), "none");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_are_the_smoothest),
        cmocka_unit_test(seams_do_not_open),
        cmocka_unit_test(pieces_and_loose_vertices_follow),
        cmocka_unit_test(degenerate_faces_do_no_harm),
        cmocka_unit_test(open_meshes_bend),
        cmocka_unit_test(open_tubes_have_no_volume),
        cmocka_unit_test(the_nearest_of_very_many_handles_wins),
        cmocka_unit_test(bad_input_is_named),
        cmocka_unit_test(a_mesh_must_be_held_and_free),
        cmocka_unit_test(handles_must_hold_on),
        cmocka_unit_test(handles_that_meet_at_a_seam_are_named),
        cmocka_unit_test(bad_jobs_are_refused),
        cmocka_unit_test(survives_every_allocation),
        cmocka_unit_test(names_are_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
