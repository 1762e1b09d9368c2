// Volume, area and normals.
#include "shapes.h"

static void cube_of_quads_has_volume_one(void** state) {
    (void)state;
    snMesh* cube = test_cube(sn_vec3(10, -20, 30));
    assert_near(sn_mesh_volume(cube, NULL), 1.0, 1e-12);
    assert_near(sn_mesh_area(cube, NULL), 6.0, 1e-12);
    sn_mesh_destroy(cube);
}

static void inward_faces_have_negative_volume(void** state) {
    (void)state;
    snMesh* cube = test_cube(sn_vec3(0, 0, 0));
    for (uint32_t f = 0; f < 6; f++) {
        uint32_t* c = cube->corners + 4 * f;
        uint32_t swap = c[1];
        c[1] = c[3];
        c[3] = swap;
    }
    assert_near(sn_mesh_volume(cube, NULL), -1.0, 1e-12);
    sn_mesh_destroy(cube);
}

// The bilinear patch against its own definition, integrated numerically.
static void bilinear_quad_matches_the_integral(void** state) {
    (void)state;
    uint32_t random = 9;
    for (int round = 0; round < 20; round++) {
        snVec3 q[4];
        for (int i = 0; i < 4; i++)
            q[i] = sn_vec3(test_random_float(&random, -1, 1), test_random_float(&random, -1, 1),
                           test_random_float(&random, -1, 1));
        double sum = 0.0;
        enum { STEPS = 200 };
        for (int i = 0; i < STEPS; i++) {
            for (int j = 0; j < STEPS; j++) {
                float u = ((float)i + 0.5f) / STEPS, v = ((float)j + 0.5f) / STEPS;
                snVec3 bottom = sn_lerp(q[0], q[1], u), top = sn_lerp(q[3], q[2], u);
                snVec3 du = sn_lerp(sn_sub(q[1], q[0]), sn_sub(q[2], q[3]), v), dv = sn_sub(top, bottom);
                sum += (double)sn_dot(sn_lerp(bottom, top, v), sn_cross(du, dv)) / 3.0 / (STEPS * STEPS);
            }
        }
        assert_near(sn_quad_volume(q[0], q[1], q[2], q[3]), sum, 1e-4);
    }
}

// A rigid motion keeps the volume; a scale multiplies it.
static void volume_follows_the_transform(void** state) {
    (void)state;
    uint32_t random = 10;
    snMesh* cube = test_cube(sn_vec3(0, 0, 0));
    snVec3 moved[8];
    for (int i = 0; i < 50; i++) {
        snTrs trs = {sn_vec3(3, 1, -2), test_random_rotation(&random), sn_vec3(2, 0.5f, 3)};
        snMat4 m = sn_mat4_from_trs(&trs);
        for (int v = 0; v < 8; v++) moved[v] = sn_mat4_point(&m, cube->positions[v]);
        assert_near(sn_mesh_volume(cube, moved), 3.0, 1e-5);
    }
    sn_mesh_destroy(cube);
}

static void polygons_are_fans(void** state) {
    (void)state;
    // A pyramid over a regular hexagon of radius 1 and height 2.
    snVec3 p[7];
    uint32_t starts[8] = {0}, corners[6 + 18];
    for (uint32_t i = 0; i < 6; i++) {
        p[i] = sn_vec3(sn_cos(SN_PI / 3 * (float)i), 0, sn_sin(SN_PI / 3 * (float)i));
        corners[i] = i; // seen from below this is counter-clockwise
        uint32_t side[3] = {(i + 1) % 6, i, 6};
        for (uint32_t k = 0; k < 3; k++) corners[6 + 3 * i + k] = side[k];
    }
    p[6] = sn_vec3(0, 2, 0);
    starts[1] = 6;
    for (uint32_t f = 1; f < 7; f++) starts[f + 1] = starts[f] + 3;
    snMeshDef def = {.vertex_count = 7,
                     .face_count = 7,
                     .corner_count = 24,
                     .positions = p,
                     .face_starts = starts,
                     .corners = corners};
    snMesh* mesh = NULL;
    assert_ok(sn_mesh_create(&def, NULL, &mesh, NULL));
    assert_near(sn_mesh_volume(mesh, NULL), 2.0 / 3.0 * 2.598076211, 1e-6);
    sn_mesh_destroy(mesh);
}

static void seam_normals_agree(void** state) {
    (void)state;
    snMesh* cube = test_split_cube();
    snWeld* weld = NULL;
    assert_ok(sn_weld_create(cube->positions, cube->vertex_count, 0.0f, NULL, &weld, NULL));
    snVec3 flat[24], smooth[24];
    snNormalsJob job = {.mesh = cube, .out_normals = flat};
    assert_ok(sn_normals_run(&job));
    job.weld = weld;
    job.out_normals = smooth;
    assert_ok(sn_normals_run(&job));
    for (uint32_t v = 0; v < 24; v++) {
        // Flat: along one axis. Smooth: along the corner's diagonal, outward.
        assert_near(fabsf(flat[v].x) + fabsf(flat[v].y) + fabsf(flat[v].z), 1.0, 1e-6);
        snVec3 outward =
            sn_normalize_or(sn_sub(cube->positions[v], sn_vec3(0.5f, 0.5f, 0.5f)), sn_vec3(0, 0, 0));
        assert_vec3_near(smooth[v], outward, 1e-6f);
    }
    snWeld other = {.vertex_count = 3};
    job.weld = &other;
    assert_int_equal(sn_normals_run(&job), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_normals_run(NULL), SN_RESULT_INVALID_ARGUMENT);
    sn_weld_destroy(weld);
    sn_mesh_destroy(cube);
}

static void faces_without_area_get_up(void** state) {
    (void)state;
    static const snVec3 p[] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
    static const uint32_t c[] = {0, 1, 2};
    snMesh* mesh = test_triangles(p, 3, c, 1);
    snVec3 normals[3];
    snNormalsJob job = {.mesh = mesh, .out_normals = normals};
    assert_ok(sn_normals_run(&job));
    for (int v = 0; v < 3; v++) assert_vec3_near(normals[v], sn_vec3(0, 1, 0), 0.0f);
    sn_mesh_destroy(mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cube_of_quads_has_volume_one),
        cmocka_unit_test(inward_faces_have_negative_volume),
        cmocka_unit_test(bilinear_quad_matches_the_integral),
        cmocka_unit_test(volume_follows_the_transform),
        cmocka_unit_test(polygons_are_fans),
        cmocka_unit_test(seam_normals_agree),
        cmocka_unit_test(faces_without_area_get_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
