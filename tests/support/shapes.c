#include "shapes.h"

#include <stdlib.h>

static const uint32_t CUBE_CORNERS[24] = {0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4,
                                          2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5};

static snMesh* quads(const snVec3* positions, uint32_t vertex_count, const uint32_t* corners,
                     uint32_t count) {
    uint32_t* starts = calloc(count + 1, sizeof *starts);
    for (uint32_t f = 0; f <= count; f++) starts[f] = 4 * f;
    snMeshDef def = {.vertex_count = vertex_count,
                     .face_count = count,
                     .corner_count = 4 * count,
                     .positions = positions,
                     .face_starts = starts,
                     .corners = corners};
    snMesh* mesh = NULL;
    assert_ok(sn_mesh_create(&def, NULL, &mesh, NULL));
    free(starts);
    return mesh;
}

static snVec3 cube_corner(uint32_t i) {
    return sn_vec3((float)(i & 1), (float)(i >> 1 & 1), (float)(i >> 2 & 1));
}

snMesh* test_cube(snVec3 origin) {
    snVec3 positions[8];
    for (uint32_t i = 0; i < 8; i++) positions[i] = sn_add(origin, cube_corner(i));
    return quads(positions, 8, CUBE_CORNERS, 6);
}

snMesh* test_split_cube(void) {
    snVec3 positions[24];
    uint32_t corners[24];
    for (uint32_t c = 0; c < 24; c++) {
        positions[c] = cube_corner(CUBE_CORNERS[c]);
        corners[c] = c;
    }
    return quads(positions, 24, corners, 6);
}

snMesh* test_grid(uint32_t n) {
    uint32_t side = n + 1;
    snVec3* positions = calloc((size_t)side * side, sizeof *positions);
    uint32_t* corners = calloc((size_t)n * n * 4, sizeof *corners);
    for (uint32_t z = 0; z < side; z++) {
        for (uint32_t x = 0; x < side; x++) positions[z * side + x] = sn_vec3((float)x, 0, (float)z);
    }
    uint32_t* corner = corners;
    for (uint32_t z = 0; z < n; z++) {
        for (uint32_t x = 0; x < n; x++) {
            uint32_t a = z * side + x;
            *corner++ = a;
            *corner++ = a + side;
            *corner++ = a + side + 1;
            *corner++ = a + 1;
        }
    }
    snMesh* mesh = quads(positions, side * side, corners, n * n);
    free(positions);
    free(corners);
    return mesh;
}

snMesh* test_triangles(const snVec3* positions, uint32_t vertex_count, const uint32_t* corners,
                       uint32_t count) {
    snMeshDef def = {.vertex_count = vertex_count,
                     .face_count = count,
                     .corner_count = 3 * count,
                     .positions = positions,
                     .corners = corners};
    snMesh* mesh = NULL;
    assert_ok(sn_mesh_create(&def, NULL, &mesh, NULL));
    return mesh;
}
