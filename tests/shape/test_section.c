// Cross-sections that move with the surface.
#include <stdlib.h>

#include "shapes.h"
#include "support.h"

// A closed tube of the built-in kind: round enough that areas are known.
static snModel* make_tube(uint32_t sides) {
    snTubeDef def = sn_tube_def();
    def.sides = sides;
    snModel* model = NULL;
    assert_ok(sn_builtin_tube(&def, NULL, &model, NULL));
    return model;
}

static void a_tube_has_the_area_of_its_polygon(void** state) {
    (void)state;
    snModel* model = make_tube(64);
    const snMesh* mesh = model->parts[0].mesh;
    snBounds b = sn_bounds_of(mesh->positions, mesh->vertex_count);
    snVec3 middle = sn_lerp(b.min, b.max, 0.4987f);
    snVec3 size = sn_sub(b.max, b.min);
    // The tube runs along its longest side.
    snVec3 along = size.x > size.y && size.x > size.z ? sn_vec3(1, 0, 0)
                   : size.y > size.z                  ? sn_vec3(0, 1, 0)
                                                      : sn_vec3(0, 0, 1);
    snSection* section = NULL;
    assert_ok(sn_section_create(mesh, NULL, middle, along, NULL, &section, NULL));
    float radius = 0.5f * (along.x > 0 ? size.y : size.x);
    double polygon = 0.5 * 64.0 * (double)(radius * radius * sn_sin(2.0f * SN_PI / 64.0f));
    assert_near(sn_section_area(section, mesh, NULL) / polygon, 1.0, 0.02);
    // Twice as large is four times the area; flattened along the cut it is nothing.
    snVec3* moved = calloc(mesh->vertex_count, sizeof *moved);
    assert_non_null(moved);
    for (uint32_t v = 0; v < mesh->vertex_count; v++) moved[v] = sn_scale(mesh->positions[v], 2.0f);
    double area = sn_section_area(section, mesh, NULL);
    assert_near(sn_section_area(section, mesh, moved) / area, 4.0, 1e-4);
    for (uint32_t v = 0; v < mesh->vertex_count; v++) moved[v] = sn_scale(along, sn_dot(along, moved[v]));
    assert_near(sn_section_area(section, mesh, moved) / area, 0.0, 1e-4);
    free(moved);
    sn_section_destroy(section);
    sn_model_destroy(model);
}

static void the_nearest_of_several_pieces_counts(void** state) {
    (void)state;
    snBodyDef def = sn_body_def();
    snModel* model = NULL;
    assert_ok(sn_builtin_body(&def, NULL, &model, NULL));
    const snMesh* mesh = model->parts[0].mesh;
    snSection *left = NULL, *both = NULL;
    snMat4 world[64];
    assert_true(model->skeleton->joint_count <= 64);
    sn_skeleton_world(model->skeleton, NULL, world);
    uint32_t knee = sn_skeleton_find(model->skeleton, "LeftLowerLeg");
    uint32_t hips = sn_skeleton_find(model->skeleton, "Spine");
    assert_ok(sn_section_create(mesh, NULL, sn_mat4_translation(&world[knee]), sn_vec3(0, 1, 0), NULL, &left,
                                NULL));
    assert_ok(sn_section_create(mesh, NULL, sn_mat4_translation(&world[hips]), sn_vec3(0, 1, 0), NULL, &both,
                                NULL));
    float side = sn_mat4_translation(&world[knee]).x;
    for (uint32_t i = 0; i < left->segment_count; i++)
        assert_true(mesh->positions[left->segments[i][0].a].x * side > 0.0f);
    assert_true(sn_section_area(both, mesh, NULL) > 2.0 * sn_section_area(left, mesh, NULL));
    sn_section_destroy(left);
    sn_section_destroy(both);
    sn_model_destroy(model);
}

static void a_miss_is_said(void** state) {
    (void)state;
    snModel* model = make_tube(8);
    snSection* section = NULL;
    snError error = sn_error_none();
    assert_int_equal(sn_section_create(model->parts[0].mesh, NULL, sn_vec3(100, 100, 100), sn_vec3(1, 1, 1),
                                       NULL, &section, &error),
                     SN_RESULT_NOT_FOUND);
    assert_int_equal(sn_section_create(model->parts[0].mesh, NULL, sn_vec3(0, 0, 0), sn_vec3(0, 0, 0), NULL,
                                       &section, &error),
                     SN_RESULT_INVALID_ARGUMENT);
    assert_null(section);
    sn_model_destroy(model);
}

static snResult create_section(const snAllocator* allocator, void* user) {
    const snModel* model = user;
    const snMesh* mesh = model->parts[0].mesh;
    snBounds b = sn_bounds_of(mesh->positions, mesh->vertex_count);
    snSection* section = NULL;
    snResult result = sn_section_create(mesh, NULL, sn_lerp(b.min, b.max, 0.45f), sn_vec3(0.3f, 1, 0.2f),
                                        allocator, &section, NULL);
    sn_section_destroy(section);
    return result;
}

static void survives_every_failing_allocation(void** state) {
    (void)state;
    snModel* model = make_tube(8);
    test_every_allocation(create_section, model);
    sn_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tube_has_the_area_of_its_polygon),
        cmocka_unit_test(the_nearest_of_several_pieces_counts),
        cmocka_unit_test(a_miss_is_said),
        cmocka_unit_test(survives_every_failing_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
