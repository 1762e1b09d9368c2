// All parts of a model as one welded surface.
#include <math.h>
#include <string.h>

#include "rig/surface.h"
#include "support.h"

// Two squares in the plane z = 0 that meet along x = 1, each a part; the second stands off by `gap` there, as
// files round, and hangs on a joint of its own.
static snModel* two_squares(float gap, snVec3 second) {
    static const uint32_t corners[] = {0, 1, 2, 0, 2, 3};
    snVec3 left[] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    snVec3 right[] = {{1 + gap, 0, 0}, {2, 0, 0}, {2, 1, 0}, {1 + gap, 1, 0}};
    for (int v = 0; v < 4; v++) right[v] = sn_sub(right[v], second);
    snMeshDef meshes[2] = {
        {.vertex_count = 4, .face_count = 2, .corner_count = 6, .positions = left, .corners = corners},
        {.vertex_count = 4, .face_count = 2, .corner_count = 6, .positions = right, .corners = corners}};
    uint32_t parents[] = {SN_NONE, SN_NONE};
    snTrs rest[] = {sn_trs_identity(), sn_trs_identity()};
    rest[1].translation = second;
    snSkeletonDef skeleton = {2, NULL, parents, rest};
    snPartDef parts[] = {{.name = "left", .mesh = &meshes[0], .joint = 0, .skin = SN_NONE},
                         {.name = "right", .mesh = &meshes[1], .joint = 1, .skin = SN_NONE}};
    snModelDef def = {.skeleton = &skeleton, .part_count = 2, .parts = parts};
    snModel* model = NULL;
    assert_ok(sn_model_create(&def, NULL, &model, NULL));
    return model;
}

static void seams_between_parts_are_closed(void** state) {
    (void)state;
    const float gaps[] = {0.0f, 1e-6f, 1e-3f};
    const uint32_t points[] = {6, 6, 8}, components[] = {1, 1, 2};
    for (int i = 0; i < 3; i++) {
        snModel* model = two_squares(gaps[i], sn_vec3(0, 0, 3));
        sniSurface surface = {0};
        assert_ok(sni_surface_create(model, NULL, NULL, NULL, &surface, NULL));
        assert_int_equal(surface.vertex_starts[2], 8);
        assert_int_equal(surface.point_count, points[i]);
        assert_int_equal(surface.component_count, components[i]);
        assert_int_equal(surface.triangle_count, 4);
        for (uint32_t p = 0; p < surface.point_count; p++)
            assert_vec3_near(surface.normals[p], sn_vec3(0, 0, 1), 1e-6f);
        // The bind pose of a model without skins is its rest pose.
        sniBindPose pose = {0};
        sniSurface bound = {0};
        assert_ok(sni_bind_pose_create(model, NULL, &pose, NULL));
        assert_ok(sni_surface_create(model, &pose, NULL, NULL, &bound, NULL));
        assert_memory_equal(bound.points, surface.points, surface.point_count * sizeof *surface.points);
        sni_surface_free(&bound);
        sni_bind_pose_free(&pose);
        sni_surface_free(&surface);
        sn_model_destroy(model);
    }
}

static void parts_can_be_left_out(void** state) {
    (void)state;
    snModel* model = two_squares(0.0f, sn_vec3(0, 0, 0));
    const bool taken[] = {false, true};
    sniSurface surface = {0};
    assert_ok(sni_surface_create(model, NULL, taken, NULL, &surface, NULL));
    assert_int_equal(surface.vertex_starts[1], 0);
    assert_int_equal(surface.point_count, 4);
    assert_near(surface.bounds.min.x, 1.0f, 0.0f);
    // One part alone is welded as the model has it.
    assert_memory_equal(surface.point_of_vertex, model->parts[1].weld->point_of_vertex, 4 * sizeof(uint32_t));
    sni_surface_free(&surface);
    sn_model_destroy(model);
}

// A skinned part stands where the skin puts it: bent at rest, straight in the bind pose.
static void rest_and_bind_pose_differ(void** state) {
    (void)state;
    snTubeDef def = sn_tube_def();
    snModel* tube = NULL;
    assert_ok(sn_builtin_tube(&def, NULL, &tube, NULL));
    uint32_t last = tube->skeleton->joint_count - 1;
    tube->skeleton->rest[last].rotation = sn_quat(0, 0, 0.70710678f, 0.70710678f);
    sniBindPose pose = {0};
    sniSurface rest = {0}, bound = {0};
    assert_ok(sni_bind_pose_create(tube, NULL, &pose, NULL));
    assert_ok(sni_surface_create(tube, NULL, NULL, NULL, &rest, NULL));
    assert_ok(sni_surface_create(tube, &pose, NULL, NULL, &bound, NULL));
    assert_near(bound.bounds.max.y, 3.0f, 1e-5f);
    assert_true(rest.bounds.max.y < 2.9f);
    sni_surface_free(&rest);
    sni_surface_free(&bound);
    sni_bind_pose_free(&pose);
    sn_model_destroy(tube);
}

static void a_vertex_that_is_nowhere_is_named(void** state) {
    (void)state;
    snModel* model = two_squares(0.0f, sn_vec3(0, 0, 0));
    model->skeleton->rest[1].scale = sn_vec3(1e38f, 1, 1);
    model->parts[1].mesh->positions[2].x = 1e30f;
    sniSurface surface = {0};
    snError error = sn_error_none();
    assert_int_equal(sni_surface_create(model, NULL, NULL, NULL, &surface, &error), SN_RESULT_BAD_DATA);
    assert_int_equal(error.vertex, 2);
    assert_non_null(strstr(error.text, "\"right\""));
    sn_model_destroy(model);
}

static snResult create_once(const snAllocator* allocator, void* context) {
    sniSurface surface = {0};
    snResult result = sni_surface_create(context, NULL, NULL, allocator, &surface, NULL);
    sni_surface_free(&surface);
    return result;
}

static void running_out_of_memory_leaves_nothing(void** state) {
    (void)state;
    snModel* model = two_squares(0.0f, sn_vec3(0, 0, 0));
    test_every_allocation(create_once, model);
    sn_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seams_between_parts_are_closed),
        cmocka_unit_test(parts_can_be_left_out),
        cmocka_unit_test(rest_and_bind_pose_differ),
        cmocka_unit_test(a_vertex_that_is_nowhere_is_named),
        cmocka_unit_test(running_out_of_memory_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
