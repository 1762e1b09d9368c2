// Tube, cube and sheet: counts, exact volumes, weights, clips, and every documented refusal.
#include <math.h>

#include "support.h"

static snTopology* topology_of(const snModel* model) {
    snTopology* topology = NULL;
    assert_ok(sn_topology_create(model->parts[0].mesh, model->parts[0].weld, NULL, &topology, NULL));
    return topology;
}

static void assert_solid(const snModel* model, double volume) {
    snTopology* topology = topology_of(model);
    const snMesh* mesh = model->parts[0].mesh;
    assert_true(topology->closed && topology->manifold && topology->oriented);
    assert_int_equal(topology->component_count, 1);
    assert_int_equal(topology->collapsed_face_count, 0);
    assert_int_equal((int)topology->point_count - (int)topology->edge_count + (int)mesh->face_count, 2);
    assert_int_equal(topology->point_count, mesh->vertex_count);
    assert_near(sn_mesh_volume(mesh, NULL), volume, 2e-6 * volume);
    sn_topology_destroy(topology);
}

static void test_cube(void** state) {
    (void)state;
    static const uint32_t divisions[] = {1, 2, 3, 7, 20};
    for (size_t n = 0; n < 5; n++) {
        for (int quads = 0; quads <= 1; quads++) {
            snModel* model = NULL;
            uint32_t d = divisions[n];
            assert_ok(sn_builtin_cube(0.5f, d, quads == 1, NULL, &model, NULL));
            assert_int_equal(model->parts[0].mesh->vertex_count, 6 * d * d + 2);
            assert_int_equal(model->parts[0].mesh->face_count, (quads == 1 ? 6 : 12) * d * d);
            assert_int_equal(model->skeleton->joint_count, 1);
            assert_int_equal(model->parts[0].skin, SN_NONE);
            assert_solid(model, 0.125);
            assert_near(sn_mesh_area(model->parts[0].mesh, NULL), 1.5, 1e-5);
            sn_model_destroy(model);
        }
    }
}

static void test_cube_is_centered(void** state) {
    (void)state;
    snModel* model = NULL;
    assert_ok(sn_builtin_cube(3.0f, 5, true, NULL, &model, NULL));
    snBounds bounds = sn_bounds_of(model->parts[0].mesh->positions, model->parts[0].mesh->vertex_count);
    assert_vec3_near(bounds.min, sn_vec3(-1.5f, -1.5f, -1.5f), 0.0f);
    assert_vec3_near(bounds.max, sn_vec3(1.5f, 1.5f, 1.5f), 0.0f);
    sn_model_destroy(model);
}

static void test_sheet(void** state) {
    (void)state;
    snModel* model = NULL;
    assert_ok(sn_builtin_sheet(2.0f, 6, true, NULL, &model, NULL));
    const snMesh* mesh = model->parts[0].mesh;
    assert_int_equal(mesh->vertex_count, 49);
    assert_int_equal(mesh->face_count, 36);
    assert_near(sn_mesh_area(mesh, NULL), 4.0, 1e-6);
    snTopology* topology = topology_of(model);
    assert_false(topology->closed);
    assert_true(topology->manifold && topology->oriented);
    assert_int_equal(topology->loop_count, 1);
    assert_int_equal(topology->boundary_edge_count, 24);
    sn_topology_destroy(topology);
    for (uint32_t f = 0; f < mesh->face_count; f++) {
        const uint32_t* c = &mesh->corners[mesh->face_starts[f]];
        snVec3 side = sn_sub(mesh->positions[c[1]], mesh->positions[c[0]]);
        snVec3 normal = sn_cross(side, sn_sub(mesh->positions[c[2]], mesh->positions[c[0]]));
        assert_true(normal.y > 0.0f && normal.x == 0.0f && normal.z == 0.0f);
    }
    sn_model_destroy(model);
}

// Area of the cross-section: a square, or the polygon of the sides.
static double section_area(const snTubeDef* def) {
    double r = (double)def->radius, n = (double)def->sides;
    return def->sides == 4 ? 4.0 * r * r : 0.5 * n * r * r * sin(2.0 * 3.14159265358979323846 / n);
}

static void test_tube_is_a_prism(void** state) {
    (void)state;
    static const uint32_t sides[] = {3, 4, 5, 6, 8, 9, 16, 31, 32, 64};
    for (size_t n = 0; n < sizeof sides / sizeof sides[0]; n++) {
        for (int quads = 0; quads <= 1; quads++) {
            snTubeDef def = sn_tube_def();
            def.sides = sides[n];
            def.rings = 7;
            def.quads = quads == 1;
            snModel* model = NULL;
            assert_ok(sn_builtin_tube(&def, NULL, &model, NULL));
            assert_solid(model, section_area(&def) * (double)def.length);
            snBounds bounds =
                sn_bounds_of(model->parts[0].mesh->positions, model->parts[0].mesh->vertex_count);
            assert_true(bounds.min.y == 0.0f && bounds.max.y == def.length);
            sn_model_destroy(model);
        }
    }
}

static void test_even_tubes_are_all_quads(void** state) {
    (void)state;
    snTubeDef def = sn_tube_def();
    snModel* model = NULL;
    assert_ok(sn_builtin_tube(&def, NULL, &model, NULL));
    uint32_t triangles = 0, quads = 0, larger = 0;
    sn_mesh_count_faces(model->parts[0].mesh, &triangles, &quads, &larger);
    assert_int_equal(triangles, 0);
    assert_int_equal(larger, 0);
    assert_true(quads >= def.sides * def.rings);
    sn_model_destroy(model);
}

static void test_tube_weights(void** state) {
    (void)state;
    for (uint32_t segments = 1; segments <= 5; segments++) {
        snTubeDef def = sn_tube_def();
        def.segments = segments;
        snModel* model = NULL;
        assert_ok(sn_builtin_tube(&def, NULL, &model, NULL));
        assert_int_equal(model->skeleton->joint_count, segments);
        const snPart* part = &model->parts[0];
        float bone = def.length / (float)segments;
        for (uint32_t v = 0; v < part->weights.vertex_count; v++) {
            float sum = 0.0f, center = 0.0f;
            for (uint32_t n = 0; n < part->weights.influences; n++) {
                float weight = part->weights.weights[v * part->weights.influences + n];
                assert_true(weight >= 0.0f && weight <= 1.0f);
                sum += weight;
                center += weight * ((float)part->weights.joints[v * part->weights.influences + n] + 0.5f);
            }
            assert_near(sum, 1.0, 1e-6);
            // The bones' weighted middle follows the vertex up the tube.
            float y = part->mesh->positions[v].y / bone;
            assert_true(fabsf(center - y) <= 0.5f + 1e-5f);
        }
        sn_model_destroy(model);
    }
}

static snQuat rotation_at(const snModel* model, const char* clip, float time, uint32_t joint) {
    uint32_t index = sn_model_find_clip(model, clip);
    assert_int_not_equal(index, SN_NONE);
    snTrs locals[8];
    for (uint32_t n = 0; n < model->skeleton->joint_count; n++) locals[n] = model->skeleton->rest[n];
    sn_clip_sample(model->clips[index], time, SN_WRAP_CLAMP, model->skeleton->joint_count, locals);
    return locals[joint].rotation;
}

static float degrees(snQuat q) {
    return 2.0f * sn_atan2(sqrtf(q.x * q.x + q.y * q.y + q.z * q.z), q.w) * 180.0f / SN_PI;
}

static void test_tube_clips(void** state) {
    (void)state;
    snTubeDef def = sn_tube_def();
    snModel* model = NULL;
    assert_ok(sn_builtin_tube(&def, NULL, &model, NULL));
    assert_int_equal(model->clip_count, 2);
    assert_near(model->clips[0]->duration, 2.0, 1e-6);
    assert_near(degrees(rotation_at(model, "bend", 1.0f, 0)), 0.0, 1e-3);
    assert_near(degrees(rotation_at(model, "bend", 1.0f, 1)), 90.0, 1e-3);
    assert_near(degrees(rotation_at(model, "bend", 1.0f, 2)), 90.0, 1e-3);
    assert_near(degrees(rotation_at(model, "bend", 2.0f, 1)), 0.0, 1e-3);
    assert_near(degrees(rotation_at(model, "twist", 1.0f, 2)), 180.0, 1e-3);
    assert_near(fabsf(rotation_at(model, "twist", 1.0f, 2).y), 1.0, 1e-6);
    assert_near(degrees(rotation_at(model, "twist", 1.0f, 1)), 0.0, 1e-3);
    sn_model_destroy(model);
}

static void assert_refused(snResult result, const snError* error, const snModel* model) {
    assert_int_equal(result, SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(error->code, SN_RESULT_INVALID_ARGUMENT);
    assert_true(error->text[0] != '\0');
    assert_null(model);
}

static void test_bad_tubes(void** state) {
    (void)state;
    snTubeDef bad[12];
    for (int n = 0; n < 12; n++) bad[n] = sn_tube_def();
    bad[0].length = 0.0f;
    bad[1].length = -1.0f;
    bad[2].length = NAN;
    bad[3].radius = 0.0f;
    bad[4].radius = INFINITY;
    bad[5].radius = -0.1f;
    bad[6].sides = 2;
    bad[7].sides = 4097;
    bad[8].rings = 0;
    bad[9].rings = 65537;
    bad[10].segments = 0;
    bad[11].segments = 257;
    snModel* model = NULL;
    snError error = sn_error_none();
    for (int n = 0; n < 12; n++) {
        error = sn_error_none();
        assert_refused(sn_builtin_tube(&bad[n], NULL, &model, &error), &error, model);
    }
    assert_refused(sn_builtin_tube(NULL, NULL, &model, &error), &error, model);
    snTubeDef good = sn_tube_def();
    assert_int_equal(sn_builtin_tube(&good, NULL, NULL, NULL), SN_RESULT_INVALID_ARGUMENT);
}

static void test_bad_boxes(void** state) {
    (void)state;
    static const struct {
        float edge;
        uint32_t divisions;
    } bad[] = {{0.0f, 1}, {-1.0f, 1}, {NAN, 1}, {INFINITY, 1}, {1.0f, 0}, {1.0f, 8193}};
    for (size_t n = 0; n < sizeof bad / sizeof bad[0]; n++) {
        snModel* model = NULL;
        snError error = sn_error_none();
        assert_refused(sn_builtin_cube(bad[n].edge, bad[n].divisions, true, NULL, &model, &error), &error,
                       model);
        error = sn_error_none();
        assert_refused(sn_builtin_sheet(bad[n].edge, bad[n].divisions, true, NULL, &model, &error), &error,
                       model);
    }
    assert_int_equal(sn_builtin_cube(1.0f, 1, true, NULL, NULL, NULL), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_builtin_sheet(1.0f, 1, true, NULL, NULL, NULL), SN_RESULT_INVALID_ARGUMENT);
}

static snResult build_tube(const snAllocator* allocator, void* context) {
    (void)context;
    snTubeDef def = sn_tube_def();
    def.rings = 4;
    snModel* model = NULL;
    snResult result = sn_builtin_tube(&def, allocator, &model, NULL);
    sn_model_destroy(model);
    return result;
}

static snResult build_cube(const snAllocator* allocator, void* context) {
    (void)context;
    snModel* model = NULL;
    snResult result = sn_builtin_cube(1.0f, 3, false, allocator, &model, NULL);
    sn_model_destroy(model);
    return result;
}

static snResult build_sheet(const snAllocator* allocator, void* context) {
    (void)context;
    snModel* model = NULL;
    snResult result = sn_builtin_sheet(1.0f, 3, true, allocator, &model, NULL);
    sn_model_destroy(model);
    return result;
}

static void test_out_of_memory(void** state) {
    (void)state;
    test_every_allocation(build_tube, NULL);
    test_every_allocation(build_cube, NULL);
    test_every_allocation(build_sheet, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cube),
        cmocka_unit_test(test_cube_is_centered),
        cmocka_unit_test(test_sheet),
        cmocka_unit_test(test_tube_is_a_prism),
        cmocka_unit_test(test_even_tubes_are_all_quads),
        cmocka_unit_test(test_tube_weights),
        cmocka_unit_test(test_tube_clips),
        cmocka_unit_test(test_bad_tubes),
        cmocka_unit_test(test_bad_boxes),
        cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
