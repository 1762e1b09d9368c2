// The net of any field at all is a closed manifold, and the net of a known one lies on it.
#include "builtin/surface_net.h"

#include <stdlib.h>

#include "builtin/faces.h"
#include "builtin/grid_map.h"
#include "support.h"

// The whole mesh of a half net.
static snMesh* whole(const sniNet* net) {
    snAllocator memory = sn_allocator_default();
    uint32_t count = sni_net_full_count(net), next = net->vertex_count;
    snVec3* positions = malloc(count * sizeof *positions);
    uint32_t* image = malloc(net->vertex_count * sizeof *image);
    for (uint32_t v = 0; v < net->vertex_count; v++) {
        sniPoint p = net->points[v];
        positions[v] = sn_vec3((float)p.x, (float)p.y, (float)p.z);
        image[v] = net->in_plane[v] ? v : next++;
        positions[image[v]].x = (float)-p.x;
        positions[image[v]].y = (float)p.y;
        positions[image[v]].z = (float)p.z;
        positions[v].x = (float)p.x;
    }
    assert_int_equal(next, count);
    sniFaces faces;
    assert_true(sni_faces_create(&faces, (size_t)net->quad_count * 2, true, &memory));
    for (uint32_t q = 0; q < net->quad_count; q++) {
        const uint32_t* c = net->quads[q].corners;
        sni_faces_add(&faces, c[0], c[1], c[2], c[3]);
        sni_faces_add(&faces, image[c[3]], image[c[2]], image[c[1]], image[c[0]]);
    }
    snMeshDef def = sni_faces_mesh(&faces, positions, count);
    snMesh* mesh = NULL;
    assert_ok(sn_mesh_create(&def, NULL, &mesh, NULL));
    sni_faces_free(&faces, &memory);
    free(positions);
    free(image);
    return mesh;
}

static snTopology* topology_of(const snMesh* mesh) {
    snTopology* topology = NULL;
    assert_ok(sn_topology_create(mesh, NULL, NULL, &topology, NULL));
    return topology;
}

static double sphere(const void* context, sniPoint p) {
    const sniPoint* center = context;
    sniPoint d = sni_point(fabs(p.x) - center->x, p.y - center->y, p.z - center->z);
    return sni_point_length(d) - 1.0;
}

static void test_sphere(void** state) {
    (void)state;
    sniPoint center = sni_point(0.0, 0.013, 0.027);
    sniNetDef def = {sphere, &center, 0.07, center, {0}, 0.0f};
    snAllocator memory = sn_allocator_default();
    sniNet net;
    assert_ok(sni_net_build(&def, &memory, &net));
    for (uint32_t v = 0; v < net.vertex_count; v++) {
        assert_near(sphere(&center, net.points[v]), 0.0, 0.01);
        assert_true(net.in_plane[v] ? net.points[v].x == 0.0 : net.points[v].x > 0.0);
    }
    snMesh* mesh = whole(&net);
    snTopology* topology = topology_of(mesh);
    assert_true(topology->closed && topology->manifold && topology->oriented);
    assert_int_equal(topology->component_count, 1);
    assert_int_equal((int)mesh->vertex_count - (int)topology->edge_count + (int)mesh->face_count, 2);
    assert_near(sn_mesh_volume(mesh, NULL), 4.0 / 3.0 * 3.14159265, 0.03);
    sn_topology_destroy(topology);
    sn_mesh_destroy(mesh);
    sni_net_free(&net);
}

// Two balls that interpenetrate through the plane of symmetry become one piece.
static void test_pair_of_spheres_joins_in_the_plane(void** state) {
    (void)state;
    sniPoint center = sni_point(0.7, 0.0, 0.0);
    sniNetDef def = {sphere, &center, 0.08, {0.7, 0.0, 0.0}, {0}, 0.0f};
    snAllocator memory = sn_allocator_default();
    sniNet net;
    assert_ok(sni_net_build(&def, &memory, &net));
    assert_true(net.plane_count > 10);
    snMesh* mesh = whole(&net);
    snTopology* topology = topology_of(mesh);
    assert_true(topology->closed && topology->manifold && topology->oriented);
    assert_int_equal(topology->component_count, 1);
    sn_topology_destroy(topology);
    sn_mesh_destroy(mesh);
    sni_net_free(&net);
}

// Random signs inside a ball: every kind of crosswise cell there is.
static double noise(const void* context, sniPoint p) {
    const uint32_t* seed = context;
    double radius = sqrt(p.x * p.x + p.y * p.y + p.z * p.z);
    if (radius > 1.0) return radius;
    if (radius < 0.3) return -1.0;
    uint32_t h = *seed;
    int64_t parts[3] = {(int64_t)floor(fabs(p.x) * 1e4), (int64_t)floor(p.y * 1e4),
                        (int64_t)floor(p.z * 1e4)};
    for (int n = 0; n < 3; n++) h = (h ^ (uint32_t)parts[n]) * 2654435761u ^ h >> 15;
    uint32_t value = h ^ h >> 13;
    return (value & 3u) == 0 ? 0.5 : -0.5 + 0.9 * ((value >> 4 & 1u) == 0 ? 0.0 : 1.0);
}

static void test_any_signs_give_a_closed_manifold(void** state) {
    (void)state;
    snAllocator memory = sn_allocator_default();
    for (uint32_t seed = 1; seed <= 40; seed++) {
        sniNetDef def = {noise, &seed, 0.11, {0.0, 0.0, 0.0}, {0}, 0.0f};
        sniNet net;
        assert_ok(sni_net_build(&def, &memory, &net));
        snMesh* mesh = whole(&net);
        snTopology* topology = topology_of(mesh);
        assert_true(topology->closed);
        assert_int_equal(topology->bad_edge_count, 0);
        assert_int_equal(topology->bad_point_count, 0);
        assert_true(topology->oriented);
        sn_topology_destroy(topology);
        sn_mesh_destroy(mesh);
        sni_net_free(&net);
    }
}

static snResult build_sphere(const snAllocator* allocator, void* context) {
    sniNetDef def = {sphere, context, 0.15, {0.0, 0.0, 0.0}, {0}, 0.0f};
    sniNet net;
    snResult result = sni_net_build(&def, allocator, &net);
    if (result == SN_RESULT_OK) sni_net_free(&net);
    return result;
}

static void test_out_of_memory(void** state) {
    (void)state;
    sniPoint center = sni_point(0.0, 0.0, 0.0);
    test_every_allocation(build_sphere, &center);
}

static void test_grid_map_numbers_by_first_use(void** state) {
    (void)state;
    snAllocator memory = sn_allocator_default();
    sniGridMap map = sni_grid_map(&memory);
    assert_int_equal(sni_grid_map_find(&map, (sniGrid){1, 2, 3}), SN_NONE);
    uint32_t index = 0;
    for (int32_t n = 0; n < 5000; n++) {
        assert_true(sni_grid_map_add(&map, (sniGrid){n % 17 - 8, -n, n * 7}, &index));
        assert_int_equal(index, n);
    }
    assert_true(sni_grid_map_add(&map, (sniGrid){1000 % 17 - 8, -1000, 7000}, &index));
    assert_int_equal(index, 1000);
    assert_int_equal(map.count, 5000);
    for (int32_t n = 0; n < 5000; n++) {
        assert_int_equal(sni_grid_map_find(&map, (sniGrid){n % 17 - 8, -n, n * 7}), n);
    }
    assert_int_equal(sni_grid_map_find(&map, (sniGrid){0, 1, 0}), SN_NONE);
    sni_grid_map_free(&map);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sphere),
        cmocka_unit_test(test_pair_of_spheres_joins_in_the_plane),
        cmocka_unit_test(test_any_signs_give_a_closed_manifold),
        cmocka_unit_test(test_out_of_memory),
        cmocka_unit_test(test_grid_map_numbers_by_first_use),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
