// A mesh as OpenGL gets it.
#include "geometry.h"
#include "picture.h"

static snShot plain_scene(const snShotItem* item) {
    snShot scene = sn_shot();
    scene.items = item;
    scene.item_count = 1;
    scene.bounds = sn_bounds_of(item->mesh->positions, item->mesh->vertex_count);
    return scene;
}

static snGeometry* build(const snShot* scene) {
    snGeometry* geometry = NULL;
    assert_ok(sn_geometry_create(scene, &scene->items[0], NULL, &geometry, NULL));
    return geometry;
}

static void test_quads_stay_quads_in_the_wireframe(void** state) {
    (void)state;
    snModel* model = test_cube_model(1);
    snShotItem item = sn_shot_item(model->parts[0].mesh);
    snShot scene = plain_scene(&item);
    scene.wireframe = true;
    snGeometry* geometry = build(&scene);
    assert_int_equal(geometry->index_count, 36);
    assert_int_equal(geometry->edge_count, 12); // no diagonals
    for (uint32_t i = 0; i < 12; i++)
        assert_near(sn_distance(geometry->edges[i][0], geometry->edges[i][1]), 2 / sqrtf(3), 1e-5);
    sn_geometry_destroy(geometry);
    sn_model_destroy(model);
}

static void test_scene_units(void** state) {
    (void)state;
    snModel* model = test_cube_model(2);
    snMesh* mesh = model->parts[0].mesh;
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        mesh->positions[v] = sn_add(sn_scale(mesh->positions[v], 1e-3f), sn_vec3(100, 0, 0));
    snShotItem item = sn_shot_item(mesh);
    snShot scene = plain_scene(&item);
    snGeometry* geometry = build(&scene);
    float furthest = 0;
    for (uint32_t i = 0; i < geometry->vertex_count; i++)
        furthest = sn_maxf(furthest, sn_length(geometry->vertices[i].position));
    assert_near(furthest, 1, 0.02); // 100 m away only 8 micrometres can be told apart
    sn_geometry_destroy(geometry);
    sn_model_destroy(model);
}

// Two triangles in two groups and one in none.
static const snVec3 fan_points[] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {-1, 1, 0}};
static const uint32_t fan_corners[] = {0, 1, 2, 0, 2, 3, 0, 3, 4};
static const uint32_t fan_groups[] = {1, SN_NONE, 0};
static const char* const fan_names[] = {"first", "second"};

static snMesh* make_fan(const snVec2* uvs, const uint32_t* corner_uvs, uint32_t uv_count) {
    snMeshDef def = {.vertex_count = 5,
                     .face_count = 3,
                     .corner_count = 9,
                     .positions = fan_points,
                     .corners = fan_corners,
                     .uv_count = uv_count,
                     .uvs = uvs,
                     .corner_uvs = corner_uvs,
                     .group_count = 2,
                     .group_names = fan_names,
                     .face_groups = fan_groups};
    snMesh* mesh = NULL;
    assert_ok(sn_mesh_create(&def, NULL, &mesh, NULL));
    return mesh;
}

static void test_ranges_follow_materials(void** state) {
    (void)state;
    snMesh* mesh = make_fan(NULL, NULL, 0);
    snMaterial materials[2] = {{.base_color = {1, 0, 0, 1}}, {.base_color = {0, 1, 0, 1}}};
    const uint32_t group_materials[2] = {1, SN_NONE};
    snShotItem item = sn_shot_item(mesh);
    item.materials = materials;
    item.group_materials = group_materials;
    snShot scene = plain_scene(&item);
    snGeometry* geometry = build(&scene);
    assert_int_equal(geometry->range_count, 3);
    assert_ptr_equal(geometry->ranges[0].material, &materials[1]);
    assert_null(geometry->ranges[1].material);
    assert_null(geometry->ranges[2].material);
    for (uint32_t r = 0; r < 3; r++) assert_int_equal(geometry->ranges[r].count, 3);
    assert_int_equal(geometry->indices[geometry->ranges[0].first + 2], 4); // the face of group 0
    assert_int_equal(geometry->indices[geometry->ranges[1].first + 1], 1); // the face of group 1
    sn_geometry_destroy(geometry);
    sn_mesh_destroy(mesh);
}

static void test_corner_uvs_split_vertices(void** state) {
    (void)state;
    const snVec2 uvs[2] = {{0.25f, 0.5f}, {0.75f, 1}};
    const uint32_t corner_uvs[9] = {0, 1, 0, 1, 1, SN_NONE, 0, 0, 1};
    snMesh* mesh = make_fan(uvs, corner_uvs, 2);
    snShotItem item = sn_shot_item(mesh);
    snShot scene = plain_scene(&item);
    snGeometry* geometry = build(&scene);
    assert_int_equal(geometry->vertex_count, 9);
    assert_near(geometry->vertices[1].u, 0.75, 0);
    assert_near(geometry->vertices[5].u, 0, 0); // a corner without any
    assert_int_equal(geometry->indices[8], 8);
    sn_geometry_destroy(geometry);
    sn_mesh_destroy(mesh);
}

static void test_heat_is_scaled_and_clamped(void** state) {
    (void)state;
    snMesh* mesh = make_fan(NULL, NULL, 0);
    const float heat[5] = {-4, 2, 3, 9, NAN};
    snShotItem item = sn_shot_item(mesh);
    item.heat = heat;
    snShot scene = plain_scene(&item);
    scene.heat_min = 2;
    scene.heat_max = 4;
    snGeometry* geometry = build(&scene);
    static const float expected[5] = {0, 0, 0.5f, 1, 0};
    for (uint32_t i = 0; i < 5; i++) assert_near(geometry->vertices[i].heat, expected[i], 1e-6);
    sn_geometry_destroy(geometry);
    sn_mesh_destroy(mesh);
}

static snResult build_once(const snAllocator* allocator, void* context) {
    const snShot* scene = context;
    snGeometry* geometry = NULL;
    snResult result = sn_geometry_create(scene, &scene->items[0], allocator, &geometry, NULL);
    sn_geometry_destroy(geometry);
    return result;
}

static void test_out_of_memory(void** state) {
    (void)state;
    snModel* model = test_cube_model(2);
    snShotItem item = sn_shot_item(model->parts[0].mesh);
    snShot scene = plain_scene(&item);
    scene.wireframe = true;
    test_every_allocation(build_once, &scene);
    sn_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_quads_stay_quads_in_the_wireframe),
                                       cmocka_unit_test(test_scene_units),
                                       cmocka_unit_test(test_ranges_follow_materials),
                                       cmocka_unit_test(test_corner_uvs_split_vertices),
                                       cmocka_unit_test(test_heat_is_scaled_and_clamped),
                                       cmocka_unit_test(test_out_of_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
