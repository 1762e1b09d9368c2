// A handle structure is a checked, sorted copy; every rule it can break has its sentence.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "shapes.h"

// A grid of 3 x 3 quads: 16 vertices.
typedef struct Scene {
    snMesh* mesh;
    snHandleDef handles[3];
    snHandlesDef def;
} Scene;

static const uint32_t HIP[] = {5, 0, 1};
static const uint32_t KNEE[] = {10, 6};
static const uint32_t FOOT[] = {15};
static const uint32_t HIP_FOLLOWERS[] = {2, 1};
static const uint32_t KNEE_FOLLOWERS[] = {2};

static Scene scene_create(void) {
    Scene s = {.mesh = test_grid(3)};
    s.handles[0] = (snHandleDef){.name = "hip",
                                 .vertex_count = 3,
                                 .vertices = HIP,
                                 .center = {1, 2, 3},
                                 .follower_count = 2,
                                 .followers = HIP_FOLLOWERS,
                                 .confidence = 1};
    s.handles[1] = (snHandleDef){.name = "knee",
                                 .vertex_count = 2,
                                 .vertices = KNEE,
                                 .follower_count = 1,
                                 .followers = KNEE_FOLLOWERS,
                                 .confidence = 0.5f};
    s.handles[2] = (snHandleDef){.name = "foot", .vertex_count = 1, .vertices = FOOT};
    s.def = (snHandlesDef){.mesh = s.mesh, .handle_count = 3};
    return s;
}

// Creating must fail as said, and leave the output alone.
static void assert_bad(Scene* s, snResult code, const char* text, uint32_t vertex) {
    snHandles* handles = NULL;
    snError error = sn_error_none();
    s->def.handles = s->handles;
    assert_int_equal(sn_handles_create(&s->def, NULL, &handles, &error), code);
    assert_string_equal(error.text, text);
    assert_int_equal(error.vertex, vertex);
    assert_null(handles);
    sn_mesh_destroy(s->mesh);
}

static void copies_and_sorts(void** state) {
    (void)state;
    Scene s = scene_create();
    const float weights[] = {0.25f, 1.0f, 0.75f}; // of vertices 5, 0, 1
    s.handles[0].weights = weights;
    s.def.handles = s.handles;
    snHandles* handles = NULL;
    assert_ok(sn_handles_create(&s.def, NULL, &handles, NULL));
    assert_int_equal(handles->handle_count, 3);
    assert_int_equal(handles->vertex_count, 16);
    assert_near(handles->size, 3.0 * sqrt(2.0), 1e-6);
    const snHandle* hip = &handles->handles[0];
    const uint32_t vertices[] = {0, 1, 5};
    assert_memory_equal(hip->vertices, vertices, sizeof vertices);
    assert_near(hip->weights[0], 1.0f, 0.0f);
    assert_near(hip->weights[1], 0.75f, 0.0f);
    assert_near(hip->weights[2], 0.25f, 0.0f);
    assert_int_equal(hip->followers[0], 1);
    assert_int_equal(hip->followers[1], 2);
    // (0,0,0) with 1, (1,0,0) with 0.75, (1,0,1) with 0.25
    assert_vec3_near(hip->position, sn_vec3(0.5f, 0, 0.125f), 1e-7f);
    assert_vec3_near(hip->center, sn_vec3(1, 2, 3), 0.0f);
    assert_near(handles->handles[1].weights[0], 1.0f, 0.0f);
    assert_near(handles->handles[1].confidence, 0.5f, 0.0f);
    assert_int_equal(sn_handles_find(handles, "foot"), 2);
    assert_int_equal(sn_handles_find(handles, "Foot"), SN_NONE);
    sn_handles_destroy(handles);
    sn_mesh_destroy(s.mesh);
}

static void weights_of_zero_leave_the_plain_mean(void** state) {
    (void)state;
    Scene s = scene_create();
    const float weights[] = {0.0f, 0.0f, 0.0f};
    s.handles[0].weights = weights;
    s.def.handles = s.handles;
    snHandles* handles = NULL;
    assert_ok(sn_handles_create(&s.def, NULL, &handles, NULL));
    assert_vec3_near(handles->handles[0].position, sn_vec3(2.0f / 3.0f, 0, 1.0f / 3.0f), 1e-7f);
    sn_handles_destroy(handles);
    sn_mesh_destroy(s.mesh);
}

static void followers_are_transitive(void** state) {
    (void)state;
    Scene s = scene_create();
    const uint32_t knee_only[] = {1};
    s.handles[0].follower_count = 1;
    s.handles[0].followers = knee_only;
    s.def.handles = s.handles;
    snHandles* handles = NULL;
    assert_ok(sn_handles_create(&s.def, NULL, &handles, NULL));
    uint8_t marks[3] = {9, 9, 9};
    sn_handles_followers(handles, 0, marks);
    assert_memory_equal(marks, ((uint8_t[]){1, 1, 1}), 3);
    sn_handles_followers(handles, 1, marks);
    assert_memory_equal(marks, ((uint8_t[]){0, 1, 1}), 3);
    sn_handles_followers(handles, 2, marks);
    assert_memory_equal(marks, ((uint8_t[]){0, 0, 1}), 3);
    sn_handles_followers(handles, SN_NONE, marks);
    assert_memory_equal(marks, ((uint8_t[]){0, 0, 0}), 3);
    sn_handles_destroy(handles);
    sn_mesh_destroy(s.mesh);
}

static void another_mesh_is_told_apart(void** state) {
    (void)state;
    Scene s = scene_create();
    s.def.handles = s.handles;
    snHandles* handles = NULL;
    assert_ok(sn_handles_create(&s.def, NULL, &handles, NULL));
    snError error = sn_error_none();
    assert_ok(sn_handles_validate(handles, s.mesh, &error));
    s.mesh->positions[3].y += 0.5f;
    assert_int_equal(sn_handles_validate(handles, s.mesh, &error), SN_RESULT_BAD_DATA);
    assert_string_equal(error.text, "the handles were made for another mesh: as many vertices (16), but the "
                                    "positions or faces differ");
    snMesh* cube = test_cube(sn_vec3(0, 0, 0));
    assert_int_equal(sn_handles_validate(handles, cube, &error), SN_RESULT_BAD_DATA);
    assert_string_equal(error.text, "the handles were made for another mesh: 16 vertices, this one has 8");
    sn_mesh_destroy(cube);
    sn_handles_destroy(handles);
    sn_mesh_destroy(s.mesh);
}

static void vertices_must_be_of_the_mesh_and_of_one_handle(void** state) {
    (void)state;
    Scene s = scene_create();
    const uint32_t beyond[] = {10, 16};
    s.handles[1].vertices = beyond;
    assert_bad(&s, SN_RESULT_BAD_DATA, "handle \"knee\" has vertex 16, the mesh has 16", 16);
    s = scene_create();
    const uint32_t twice[] = {10, 10};
    s.handles[1].vertices = twice;
    assert_bad(&s, SN_RESULT_BAD_DATA, "handle \"knee\" has vertex 10 twice", 10);
    s = scene_create();
    const uint32_t shared[] = {10, 1};
    s.handles[1].vertices = shared;
    assert_bad(&s, SN_RESULT_BAD_DATA, "vertex 1 is in two handles, \"hip\" and \"knee\"", 1);
    s = scene_create();
    s.handles[2].vertex_count = 0;
    assert_bad(&s, SN_RESULT_BAD_DATA, "handle \"foot\" has no vertices", SN_NONE);
}

static void numbers_must_be_in_range(void** state) {
    (void)state;
    const float bad[] = {1.0f, 1.5f};
    Scene s = scene_create();
    s.handles[1].weights = bad;
    assert_bad(&s, SN_RESULT_BAD_DATA, "handle \"knee\", vertex 6: the weight is 1.5, expected 0 to 1", 6);
    const float none[] = {1.0f, NAN};
    s = scene_create();
    s.handles[1].weights = none;
    assert_bad(&s, SN_RESULT_BAD_DATA, "handle \"knee\", vertex 6: the weight is nan, expected 0 to 1", 6);
    s = scene_create();
    s.handles[1].center.y = INFINITY;
    assert_bad(&s, SN_RESULT_BAD_DATA, "handle \"knee\" has a center that is not finite", SN_NONE);
    s = scene_create();
    s.handles[0].confidence = -1.0f;
    assert_bad(&s, SN_RESULT_BAD_DATA, "handle \"hip\": the confidence is -1, expected 0 to 1", SN_NONE);
}

static void names_must_be_there_and_differ(void** state) {
    (void)state;
    Scene s = scene_create();
    s.handles[1].name = "";
    assert_bad(&s, SN_RESULT_BAD_DATA, "handle 1 has no name", SN_NONE);
    s = scene_create();
    s.handles[1].name = NULL;
    assert_bad(&s, SN_RESULT_BAD_DATA, "handle 1 has no name", SN_NONE);
    s = scene_create();
    s.handles[2].name = "hip";
    assert_bad(&s, SN_RESULT_BAD_DATA, "handles 0 and 2 are both called \"hip\"", SN_NONE);
}

static void circles_are_named(void** state) {
    (void)state;
    const uint32_t back[] = {1};
    Scene s = scene_create();
    s.handles[2].follower_count = 1;
    s.handles[2].followers = back;
    assert_bad(&s, SN_RESULT_BAD_DATA, "followers go in a circle: foot -> knee -> foot", SN_NONE);
    s = scene_create();
    s.handles[1].followers = back;
    assert_bad(&s, SN_RESULT_BAD_DATA, "followers go in a circle: knee -> knee", SN_NONE);
    const uint32_t beyond[] = {3};
    s = scene_create();
    s.handles[1].followers = beyond;
    assert_bad(&s, SN_RESULT_BAD_DATA, "handle \"knee\" is followed by handle 3 of 3", SN_NONE);
    const uint32_t twice[] = {2, 2};
    s = scene_create();
    s.handles[0].followers = twice;
    assert_bad(&s, SN_RESULT_BAD_DATA, "handle \"hip\" is followed by \"foot\" twice", SN_NONE);
}

// A chain of all the handles there may be, then the same closed to a circle too long to print.
static void long_chains_end(void** state) {
    (void)state;
    enum { N = SN_HANDLES_MAX };
    static snHandleDef handles[N];
    static char names[N][8];
    static uint32_t vertices[N];
    static uint32_t followers[N];
    for (uint32_t h = 0; h < N; h++) {
        snprintf(names[h], sizeof names[h], "h%u", h);
        vertices[h] = h;
        followers[h] = h + 1;
        handles[h] = (snHandleDef){.name = names[h],
                                   .vertex_count = 1,
                                   .vertices = &vertices[h],
                                   .follower_count = h + 1 < N,
                                   .followers = &followers[h]};
    }
    snMesh* mesh = test_grid(32);
    snHandlesDef def = {mesh, N, handles};
    snHandles* made = NULL;
    snError error = sn_error_none();
    assert_ok(sn_handles_create(&def, NULL, &made, &error));
    static uint8_t marks[N];
    sn_handles_followers(made, 1, marks);
    for (uint32_t h = 0; h < N; h++) assert_int_equal(marks[h], h >= 1);
    sn_handles_destroy(made);
    followers[N - 1] = 0;
    handles[N - 1].follower_count = 1;
    assert_int_equal(sn_handles_create(&def, NULL, &made, &error), SN_RESULT_BAD_DATA);
    assert_non_null(strstr(error.text, "followers go in a circle: h0 -> h1 -> h2"));
    assert_string_equal(error.text + strlen(error.text) - 3, "...");
    sn_mesh_destroy(mesh);
}

static void counts_must_be_right(void** state) {
    (void)state;
    Scene s = scene_create();
    s.def.handle_count = 0;
    assert_bad(&s, SN_RESULT_BAD_DATA, "there are no handles", SN_NONE);
    s = scene_create();
    s.def.handle_count = SN_HANDLES_MAX + 1;
    assert_bad(&s, SN_RESULT_BAD_DATA, "1025 handles, expected 1024 at most", SN_NONE);
    s = scene_create();
    s.handles[0].followers = NULL;
    assert_bad(&s, SN_RESULT_INVALID_ARGUMENT, "handle \"hip\" has counts without arrays", SN_NONE);
    s = scene_create();
    snHandles* handles = NULL;
    assert_int_equal(sn_handles_create(&s.def, NULL, &handles, NULL), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_handles_create(NULL, NULL, &handles, NULL), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_handles_create(&s.def, NULL, NULL, NULL), SN_RESULT_INVALID_ARGUMENT);
    sn_handles_destroy(NULL);
    sn_mesh_destroy(s.mesh);
}

static snResult build(const snAllocator* allocator, void* context) {
    snHandles* handles = NULL;
    snResult result = sn_handles_create(context, allocator, &handles, NULL);
    sn_handles_destroy(handles);
    return result;
}

static void survives_every_failing_allocation(void** state) {
    (void)state;
    Scene s = scene_create();
    s.def.handles = s.handles;
    test_every_allocation(build, &s.def);
    sn_mesh_destroy(s.mesh);
}

static void free_vertices_and_weights_are_counted(void** state) {
    (void)state;
    Scene s = scene_create();
    const float weights[] = {0.25f, 0.5f}, none[] = {0.0f};
    s.handles[1].weights = weights;
    s.handles[2].weights = none;
    s.def.handles = s.handles;
    snHandles* handles = NULL;
    assert_ok(sn_handles_create(&s.def, NULL, &handles, NULL));
    assert_int_equal(sn_handles_free_count(handles), 16 - 6);
    assert_near(sn_handle_max_weight(&handles->handles[0]), 1.0f, 0);
    assert_near(sn_handle_max_weight(&handles->handles[1]), 0.5f, 0);
    assert_near(sn_handle_max_weight(&handles->handles[2]), 0.0f, 0);
    sn_handles_destroy(handles);
    sn_mesh_destroy(s.mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_and_sorts),
        cmocka_unit_test(weights_of_zero_leave_the_plain_mean),
        cmocka_unit_test(followers_are_transitive),
        cmocka_unit_test(another_mesh_is_told_apart),
        cmocka_unit_test(vertices_must_be_of_the_mesh_and_of_one_handle),
        cmocka_unit_test(numbers_must_be_in_range),
        cmocka_unit_test(names_must_be_there_and_differ),
        cmocka_unit_test(circles_are_named),
        cmocka_unit_test(long_chains_end),
        cmocka_unit_test(counts_must_be_right),
        cmocka_unit_test(free_vertices_and_weights_are_counted),
        cmocka_unit_test(survives_every_failing_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
