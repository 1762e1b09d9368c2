// The surface in the shader against the surface on the CPU, in both dialects of GLSL, and pictures of it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "picture.h"
#include "shot_lattice.h"
#include "tests/flesh/primary_scene.h"

#define SIZE 160
#define HEIGHT 1.75f // of the body

// The built-in body with its left elbow bent, on the CPU.
typedef struct Body {
    Scene* primary;
    const snMesh* mesh;
    snShotLatticeDef def;
    snVec3 *positions, *normals;
} Body;

static Body body_create(void) {
    Body b = {.primary = scene_body()};
    scene_clip(b.primary, "bend", 0.5f);
    assert_ok(sn_lattice_skin_run(&b.primary->job));
    b.mesh = b.primary->model->parts[0].mesh;
    const snBinding* binding = b.primary->binding;
    b.def = (snShotLatticeDef){b.mesh, binding->lattice, binding->vertex_points + binding->vertex_starts[0],
                               b.mesh->normals};
    b.positions = malloc(b.mesh->vertex_count * sizeof *b.positions);
    b.normals = malloc(b.mesh->vertex_count * sizeof *b.normals);
    snSurfacePlanDef def = {binding->lattice, b.mesh->vertex_count, b.def.vertex_points, b.mesh->normals};
    snSurfacePlan* plan = NULL;
    assert_ok(sn_surface_plan_create(&def, NULL, &plan, NULL));
    snSurfaceJob job = {
        .plan = plan, .particles = b.primary->points, .points = b.positions, .out_normals = b.normals};
    assert_ok(sn_surface_run(&job));
    sn_surface_plan_destroy(plan);
    return b;
}

static void body_destroy(Body* b) {
    free(b->positions);
    free(b->normals);
    scene_destroy(b->primary);
}

static snShotItem cpu_item(const Body* b) {
    snShotItem item = sn_shot_item(b->mesh);
    item.positions = b->positions;
    item.normals = b->normals;
    return item;
}

// ---------------------------------------------------------------------------------------------- the shader

typedef snResult OpenFn(snGlContext* out, snError* error);

// Skips the test where there is no such context.
static void open_context(OpenFn* open, snGlContext* context) {
    snError error = sn_error_none();
    snResult result = open(context, &error);
    if (result == SN_RESULT_UNSUPPORTED) test_skip("no OpenGL: %s", error.text);
    assert_ok(result);
}

static snHungVertex* read_places(const snHungList* list) {
    size_t bytes = list->count * sizeof(snHungVertex);
    snHungVertex* out = malloc(bytes);
    glBindBuffer(GL_ARRAY_BUFFER, list->places);
    const void* mapped = glMapBufferRange(GL_ARRAY_BUFFER, 0, (GLsizeiptr)bytes, GL_MAP_READ_BIT);
    assert_non_null(mapped);
    memcpy(out, mapped, bytes);
    glUnmapBuffer(GL_ARRAY_BUFFER);
    return out;
}

// Within 1e-4 of the body's height and 1e-3 of a unit normal.
static void check_place(const Body* b, snSceneFrame frame, const snHungVertex* got, uint32_t vertex) {
    snVec3 want = sn_scene_point(frame, b->positions[vertex]);
    assert_vec3_near(got->position, want, 1e-4f * HEIGHT * frame.scale);
    assert_vec3_near(got->normal, b->normals[vertex], 1e-3f);
}

static void check_shader(OpenFn* open) {
    snGlContext context;
    open_context(open, &context);
    Body b = body_create();
    snShotItem item = cpu_item(&b);
    snShot scene = test_scene(&item, "front", SIZE, SIZE);
    scene.wireframe = true;
    snGeometry* geometry = NULL;
    assert_ok(sn_geometry_create(&scene, &item, NULL, &geometry, NULL));
    snError error = sn_error_none();
    GLuint program = sn_shot_lattice_program(&error);
    if (program == 0) fail_msg("%s", error.text);
    snShotLattice* lattice = NULL;
    assert_ok(sn_shot_lattice_open(program, &b.def, NULL, &lattice, NULL));
    snSceneFrame frame = sn_scene_frame(scene.bounds);
    assert_ok(sn_shot_lattice_hang(lattice, geometry, frame, b.primary->points, NULL));
    assert_int_equal(glGetError(), GL_NO_ERROR);

    snHungVertex* surface = read_places(&lattice->hung.surface);
    assert_int_equal(lattice->hung.surface.count, b.mesh->vertex_count);
    for (uint32_t v = 0; v < b.mesh->vertex_count; v++) check_place(&b, frame, &surface[v], v);
    snHungVertex* wires = read_places(&lattice->hung.wires);
    assert_int_equal(lattice->hung.wires.count, 2 * geometry->edge_count);
    for (uint32_t e = 0; e < geometry->edge_count; e++) {
        check_place(&b, frame, &wires[2 * e], geometry->edge_vertices[e][0]);
        check_place(&b, frame, &wires[2 * e + 1], geometry->edge_vertices[e][1]);
    }
    free(surface);
    free(wires);
    sn_shot_lattice_close(lattice);
    sn_geometry_destroy(geometry);
    sn_gl_context_close(&context);
    body_destroy(&b);
}

static void test_shader_equals_the_cpu(void** state) {
    (void)state;
    check_shader(sn_gl_context_open);
}

static void test_shader_equals_the_cpu_in_es(void** state) {
    (void)state;
    check_shader(sn_gl_context_open_es);
}

// A lattice that lost all volume draws a point with the normals of the rest pose, and no NaN.
static void test_collapsed_cells_keep_normals(void** state) {
    (void)state;
    snGlContext context;
    open_context(sn_gl_context_open, &context);
    Body b = body_create();
    snShotItem item = cpu_item(&b);
    snShot scene = test_scene(&item, "front", SIZE, SIZE);
    snGeometry* geometry = NULL;
    assert_ok(sn_geometry_create(&scene, &item, NULL, &geometry, NULL));
    GLuint program = sn_shot_lattice_program(NULL);
    snShotLattice* lattice = NULL;
    assert_ok(sn_shot_lattice_open(program, &b.def, NULL, &lattice, NULL));
    for (uint32_t p = 0; p < b.primary->count; p++) b.primary->points[p] = (snVec4){0, 1, 0, 0};
    snSceneFrame frame = sn_scene_frame(scene.bounds);
    assert_ok(sn_shot_lattice_hang(lattice, geometry, frame, b.primary->points, NULL));
    assert_int_equal(glGetError(), GL_NO_ERROR);
    snHungVertex* places = read_places(&lattice->hung.surface);
    for (uint32_t v = 0; v < b.mesh->vertex_count; v++) {
        assert_vec3_near(places[v].position, sn_scene_point(frame, sn_vec3(0, 1, 0)), 1e-6f);
        assert_vec3_near(places[v].normal, b.mesh->normals[v], 1e-6f);
    }
    free(places);
    sn_shot_lattice_close(lattice);
    sn_geometry_destroy(geometry);
    sn_gl_context_close(&context);
    body_destroy(&b);
}

// ------------------------------------------------------------------------------------------------ pictures

static uint32_t count_unlike(const snImage* a, const snImage* b) {
    uint32_t unlike = 0;
    for (uint32_t y = 0; y < SIZE; y++)
        for (uint32_t x = 0; x < SIZE; x++) unlike += abs(test_gray(a, x, y) - test_gray(b, x, y)) > 8;
    return unlike;
}

static snImage* draw(const snShot* scene) {
    snImage* image = NULL;
    snError error = sn_error_none();
    if (sn_renderer_draw(test_renderer(), scene, NULL, &image, &error) != SN_RESULT_OK)
        fail_msg("%s", error.text);
    return image;
}

static void test_picture_is_the_same(void** state) {
    (void)state;
    test_need_renderer();
    Body b = body_create();
    snShotLattice* lattice = NULL;
    assert_ok(sn_shot_lattice_create(test_renderer(), &b.def, NULL, &lattice, NULL));
    snShotItem cpu = cpu_item(&b), gpu = sn_shot_item(b.mesh), rest = sn_shot_item(b.mesh);
    rest.normals = b.mesh->normals;
    gpu.lattice = lattice;
    gpu.particles = b.primary->points;
    for (int wireframe = 0; wireframe < 2; wireframe++) {
        snShot scene = test_scene(&cpu, "three-quarter", SIZE, SIZE);
        scene.wireframe = wireframe == 1;
        snImage* want = draw(&scene);
        scene.items = &gpu;
        snImage* got = draw(&scene);
        scene.items = &rest;
        snImage* unbent = draw(&scene);
        assert_true(count_unlike(want, unbent) > 200); // the comparison can tell
        assert_true(count_unlike(want, got) < 10);
        if (wireframe == 0) assert_ok(sn_png_write(got, test_out_path("shot_lattice.png"), NULL));
        sn_image_destroy(want);
        sn_image_destroy(got);
        sn_image_destroy(unbent);
    }
    sn_shot_lattice_destroy(test_renderer(), lattice);
    body_destroy(&b);
}

// A cube with texture coordinates per corner: every corner is a vertex of its own, and finds its cell.
static void test_vertices_split_by_corner(void** state) {
    (void)state;
    test_need_renderer();
    snModel* model = test_cube_model(3);
    const snMesh* whole = model->parts[0].mesh;
    uint32_t* corner_uvs = malloc(whole->corner_count * sizeof *corner_uvs);
    for (uint32_t i = 0; i < whole->corner_count; i++) corner_uvs[i] = 0;
    snVec2 uv = {0, 0};
    snMeshDef split_def = {.vertex_count = whole->vertex_count,
                           .face_count = whole->face_count,
                           .corner_count = whole->corner_count,
                           .positions = whole->positions,
                           .face_starts = whole->face_starts,
                           .corners = whole->corners,
                           .uv_count = 1,
                           .uvs = &uv,
                           .corner_uvs = corner_uvs};
    snMesh* mesh = NULL;
    assert_ok(sn_mesh_create(&split_def, NULL, &mesh, NULL));
    snLatticeDef def = sn_lattice_def();
    def.point_count = mesh->vertex_count;
    def.points = mesh->positions;
    def.cells = 4;
    snLattice* tables = NULL;
    assert_ok(sn_lattice_create(&def, NULL, &tables, NULL));
    uint32_t* points = malloc(mesh->vertex_count * sizeof *points);
    for (uint32_t v = 0; v < mesh->vertex_count; v++) points[v] = v;
    snVec4* particles = malloc(tables->particle_count * sizeof *particles);
    for (uint32_t p = 0; p < tables->particle_count; p++)
        particles[p] = (snVec4){tables->rest[p].x, tables->rest[p].y, tables->rest[p].z, 0};
    snShotLatticeDef lattice_def = {mesh, tables, points, NULL}; // flat shading
    snShotLattice* lattice = NULL;
    assert_ok(sn_shot_lattice_create(test_renderer(), &lattice_def, NULL, &lattice, NULL));
    assert_int_equal(lattice->hung.surface.count, mesh->corner_count);
    snShotItem cpu = sn_shot_item(mesh), gpu = cpu;
    gpu.lattice = lattice;
    gpu.particles = particles;
    snShot scene = test_scene(&cpu, "three-quarter", SIZE, SIZE);
    snImage* want = draw(&scene);
    scene.items = &gpu;
    snImage* got = draw(&scene);
    assert_true(count_unlike(want, got) < 10);
    sn_image_destroy(want);
    sn_image_destroy(got);
    sn_shot_lattice_destroy(test_renderer(), lattice);
    sn_lattice_destroy(tables);
    sn_mesh_destroy(mesh);
    sn_model_destroy(model);
    free(corner_uvs);
    free(points);
    free(particles);
}

// -------------------------------------------------------------------------------------------------- errors

static void test_bad_lattices(void** state) {
    (void)state;
    test_need_renderer();
    Body b = body_create();
    snShotLattice* lattice = NULL;
    snError error = sn_error_none();
    for (int spoil = 0; spoil < 3; spoil++) {
        snShotLatticeDef bad = b.def;
        if (spoil == 0) bad.mesh = NULL;
        if (spoil == 1) bad.lattice = NULL;
        if (spoil == 2) bad.vertex_points = NULL;
        assert_int_equal(sn_shot_lattice_create(test_renderer(), &bad, NULL, &lattice, &error),
                         SN_RESULT_INVALID_ARGUMENT);
    }
    assert_int_equal(sn_shot_lattice_create(test_renderer(), NULL, NULL, &lattice, &error),
                     SN_RESULT_INVALID_ARGUMENT);
    uint32_t* points = malloc(b.mesh->vertex_count * sizeof *points);
    memcpy(points, b.def.vertex_points, b.mesh->vertex_count * sizeof *points);
    points[3] = b.def.lattice->point_count;
    snShotLatticeDef bad = b.def;
    bad.vertex_points = points;
    assert_int_equal(sn_shot_lattice_create(test_renderer(), &bad, NULL, &lattice, &error),
                     SN_RESULT_BAD_DATA);
    assert_int_equal(error.vertex, 3);
    assert_null(lattice);
    free(points);

    assert_ok(sn_shot_lattice_create(test_renderer(), &b.def, NULL, &lattice, NULL));
    snModel* cube = test_cube_model(2);
    snShotItem item = sn_shot_item(cube->parts[0].mesh); // not the lattice's mesh
    item.lattice = lattice;
    item.particles = b.primary->points;
    snShot scene = test_scene(&item, "front", 16, 16);
    snImage* image = NULL;
    assert_int_equal(sn_renderer_draw(test_renderer(), &scene, NULL, &image, &error),
                     SN_RESULT_INVALID_ARGUMENT);
    item.mesh = b.mesh;
    item.particles = NULL;
    assert_int_equal(sn_renderer_draw(test_renderer(), &scene, NULL, &image, &error),
                     SN_RESULT_INVALID_ARGUMENT);
    assert_null(image);
    sn_model_destroy(cube);
    sn_shot_lattice_destroy(test_renderer(), lattice);
    sn_shot_lattice_destroy(test_renderer(), NULL);
    body_destroy(&b);
}

static snResult draw_once(const snAllocator* allocator, void* context) {
    const Body* b = context;
    snRenderer* renderer = NULL;
    snShotLattice* lattice = NULL;
    snImage* image = NULL;
    snResult result = sn_renderer_create(allocator, &renderer, NULL);
    if (result == SN_RESULT_OK) result = sn_shot_lattice_create(renderer, &b->def, allocator, &lattice, NULL);
    if (result == SN_RESULT_OK) {
        snShotItem item = sn_shot_item(b->mesh);
        snShot scene = test_scene(&item, "front", 16, 16);
        scene.wireframe = true;
        item.lattice = lattice;
        item.particles = b->primary->points;
        result = sn_renderer_draw(renderer, &scene, allocator, &image, NULL);
    }
    sn_image_destroy(image);
    sn_shot_lattice_destroy(renderer, lattice);
    sn_renderer_destroy(renderer);
    return result;
}

static void test_out_of_memory(void** state) {
    (void)state;
    test_need_renderer();
    Body b = body_create();
    test_every_allocation(draw_once, &b);
    body_destroy(&b);
}

static int release(void** state) {
    (void)state;
    test_renderer_release();
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shader_equals_the_cpu),
        cmocka_unit_test(test_shader_equals_the_cpu_in_es),
        cmocka_unit_test(test_collapsed_cells_keep_normals),
        cmocka_unit_test(test_picture_is_the_same),
        cmocka_unit_test(test_vertices_split_by_corner),
        cmocka_unit_test(test_bad_lattices),
        cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, release);
}
