#include "ground.h"

#include "base/error.h"
#include "base/memory.h"

// Metres.
#define MARGIN 1.0f
#define SQUARE 0.5f
#define CELLS_A_SQUARE 8u
#define MOST_CELLS 1024u

typedef struct Grid {
    float x, z, step;
    uint32_t columns, rows; // of cells
} Grid;

static uint32_t cells_along(float length, float step) {
    float cells = ceilf(length / step);
    return cells < (float)MOST_CELLS ? (uint32_t)cells + 1 : MOST_CELLS;
}

// Starts on a whole square, so that colors stay where they are when the bounds change.
static Grid lay_grid(snBounds bounds) {
    Grid grid = {.step = SQUARE / (float)CELLS_A_SQUARE};
    grid.x = floorf((bounds.min.x - MARGIN) / SQUARE) * SQUARE;
    grid.z = floorf((bounds.min.z - MARGIN) / SQUARE) * SQUARE;
    grid.columns = cells_along(bounds.max.x + MARGIN - grid.x, grid.step);
    grid.rows = cells_along(bounds.max.z + MARGIN - grid.z, grid.step);
    return grid;
}

// Cells do not share corners: each has one color.
static void fill(const Grid* grid, const snTerrain* terrain, snVec3* positions, snVec3* normals,
                 snVec4* colors, uint32_t* corners) {
    static const uint32_t right[4] = {0, 0, 1, 1}, down[4] = {0, 1, 1, 0};
    for (uint32_t row = 0, v = 0; row < grid->rows; row++) {
        for (uint32_t column = 0; column < grid->columns; column++) {
            bool dark = (row / CELLS_A_SQUARE + column / CELLS_A_SQUARE) % 2 == 0;
            float shade = dark ? 0.42f : 0.5f;
            for (uint32_t c = 0; c < 4; c++, v++) {
                float x = grid->x + grid->step * (float)(column + right[c]);
                float z = grid->z + grid->step * (float)(row + down[c]);
                positions[v] = sn_vec3(x, sn_terrain_height(terrain, x, z), z);
                normals[v] = sn_terrain_normal(terrain, x, z);
                colors[v] = (snVec4){shade, shade, shade * 0.98f, 1.0f};
                corners[v] = v;
            }
        }
    }
}

snResult sn_ground_create(const snTerrain* terrain, snBounds bounds, const snAllocator* allocator,
                          snMesh** out, snError* error) {
    snAllocator own = sni_allocator(allocator);
    const snAllocator* memory = &own;
    Grid grid = lay_grid(bounds);
    uint32_t faces = grid.columns * grid.rows, count = faces * 4;
    snVec3* positions = SNI_NEW_ARRAY(memory, snVec3, count);
    snVec3* normals = SNI_NEW_ARRAY(memory, snVec3, count);
    snVec4* colors = SNI_NEW_ARRAY(memory, snVec4, count);
    uint32_t* corners = SNI_NEW_ARRAY(memory, uint32_t, count);
    uint32_t* starts = SNI_NEW_ARRAY(memory, uint32_t, (size_t)faces + 1);
    snResult result = SN_RESULT_OK;
    if (positions == NULL || normals == NULL || colors == NULL || corners == NULL || starts == NULL) {
        result = sni_fail_memory(error);
    } else {
        fill(&grid, terrain, positions, normals, colors, corners);
        for (uint32_t f = 0; f <= faces; f++) starts[f] = 4 * f;
        snMeshDef def = {.vertex_count = count,
                         .face_count = faces,
                         .corner_count = count,
                         .positions = positions,
                         .face_starts = starts,
                         .corners = corners,
                         .normal_count = count,
                         .normals = normals,
                         .colors = colors};
        result = sn_mesh_create(&def, memory, out, error);
    }
    void* all[] = {positions, normals, colors, corners, starts};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) sni_free(memory, all[i]);
    return result;
}
