// Many loose pieces, and handles to choose from.
#include <stdio.h>

#include "support.h"

#define HANDLES 300u
#define LOOSE 600u

// Points alone, no faces: the first ones are a handle each, the others loose pieces. Distances are plain.
static snMesh* cloud(snVec3 positions[HANDLES + LOOSE], float depth) {
    uint32_t random = 7;
    for (uint32_t v = 0; v < HANDLES + LOOSE; v++)
        positions[v] = sn_vec3(depth * test_random_float(&random, -1, 1), test_random_float(&random, -1, 1),
                               test_random_float(&random, -1, 1));
    static const uint32_t start = 0;
    snMeshDef def = {.vertex_count = HANDLES + LOOSE, .positions = positions, .face_starts = &start};
    snMesh* mesh = NULL;
    assert_ok(sn_mesh_create(&def, NULL, &mesh, NULL));
    return mesh;
}

static snHandles* handle_each(const snMesh* mesh) {
    static uint32_t vertices[HANDLES];
    static char names[HANDLES][8];
    static snHandleDef defs[HANDLES];
    for (uint32_t h = 0; h < HANDLES; h++) {
        vertices[h] = h;
        snprintf(names[h], sizeof names[h], "h%u", h);
        defs[h] =
            (snHandleDef){.name = names[h], .vertices = &vertices[h], .vertex_count = 1, .confidence = 1};
    }
    snHandlesDef def = {mesh, HANDLES, defs};
    snHandles* handles = NULL;
    assert_ok(sn_handles_create(&def, NULL, &handles, NULL));
    return handles;
}

static uint32_t nearest(const snVec3* positions, snVec3 p) {
    uint32_t best = 0;
    for (uint32_t h = 1; h < HANDLES; h++)
        if (sn_distance(positions[h], p) < sn_distance(positions[best], p)) best = h;
    return best;
}

// Also where all are in one plane.
static void each_of_many_goes_to_the_nearest(void** state) {
    (void)state;
    for (int flat = 0; flat < 2; flat++) {
        static snVec3 positions[HANDLES + LOOSE];
        snMesh* mesh = cloud(positions, flat ? 0.0f : 1.0f);
        snHandles *handles = handle_each(mesh), *held = NULL;
        uint32_t pieces = 0, seen = 0;
        assert_ok(sn_handles_hold_pieces(handles, mesh, NULL, &held, &pieces, NULL));
        assert_int_equal(pieces, LOOSE);
        for (uint32_t h = 0; h < HANDLES; h++) {
            const snHandle* handle = &held->handles[h];
            assert_int_equal(handle->vertices[0], h);
            for (uint32_t i = 1; i < handle->vertex_count; i++, seen++)
                assert_int_equal(nearest(positions, positions[handle->vertices[i]]), h);
        }
        assert_int_equal(seen, LOOSE);
        sn_handles_destroy(held);
        sn_handles_destroy(handles);
        sn_mesh_destroy(mesh);
    }
}

// At a seam a handle may have but the second of two vertices at one place: it is there nevertheless. And
// places so far out that floats cannot measure distances still go somewhere.
static void one_side_of_a_seam_is_enough(void** state) {
    (void)state;
    for (int far = 0; far < 2; far++) {
        float unit = far ? 1e30f : 1.0f;
        const snVec3 positions[] = {{0, 0, 0}, {unit, 0, 0}, {0, unit, 0}, {0, 0, 0}, {3 * unit, 0, unit}};
        static const uint32_t starts[] = {0, 3}, corners[] = {0, 1, 2}, second = 3;
        snMeshDef def = {.vertex_count = 5,
                         .positions = positions,
                         .face_count = 1,
                         .face_starts = starts,
                         .corner_count = 3,
                         .corners = corners};
        snMesh* mesh = NULL;
        assert_ok(sn_mesh_create(&def, NULL, &mesh, NULL));
        snHandleDef one = {.name = "one", .vertices = &second, .vertex_count = 1, .confidence = 1};
        snHandlesDef list = {mesh, 1, &one};
        snHandles *handles = NULL, *held = NULL;
        uint32_t pieces = 0;
        assert_ok(sn_handles_create(&list, NULL, &handles, NULL));
        assert_ok(sn_handles_hold_pieces(handles, mesh, NULL, &held, &pieces, NULL));
        assert_int_equal(pieces, 1);
        assert_int_equal(held->handles[0].vertex_count, 2);
        assert_int_equal(held->handles[0].vertices[1], 4);
        sn_handles_destroy(held);
        sn_handles_destroy(handles);
        sn_mesh_destroy(mesh);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_of_many_goes_to_the_nearest),
        cmocka_unit_test(one_side_of_a_seam_is_enough),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
