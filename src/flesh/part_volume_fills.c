// How much of each particle's surroundings the surface encloses.
//
// Cells stick out of the surface, at a limb of a few cells by as much as there is inside. What is out there
// bends and twists most, so the volume of the cells is a poor measure of the body's. Each particle counts as
// much as the surface fills of the cells around it, by their trilinear weights, which add up to the inside.
#include "base/error.h"
#include "base/geometry.h"
#include "base/memory.h"
#include "flesh/part_volume_kernels.h"
#include "shape/inside.h"

// Samples along the longest side, and along a cell at least. Lattices so fine that this takes more than the
// most count whole cells: what sticks out of those is little.
#define SAMPLES 128u
#define SAMPLES_A_CELL 2u
#define MOST_SAMPLES 256u
// A part of which less than this share of its cells is inside (a cape) counts whole cells, too.
#define LEAST_FILLED 0.05

typedef struct Grid {
    const snLattice* lattice;
    uint32_t* starts; // grid places + 1: cells at a place
    uint32_t* cells;  // cell_count; by place
} Grid;

static size_t place_of(const snLattice* l, const uint16_t at[3]) {
    return ((size_t)at[2] * l->grid[1] + at[1]) * l->grid[0] + at[0];
}

static bool sort_cells(const snLattice* l, const snAllocator* memory, Grid* out) {
    size_t places = (size_t)l->grid[0] * l->grid[1] * l->grid[2];
    *out = (Grid){l, SNI_NEW_ARRAY(memory, uint32_t, places + 2),
                  SNI_NEW_ARRAY(memory, uint32_t, l->cell_count)};
    if (out->starts == NULL || out->cells == NULL) return false;
    for (uint32_t c = 0; c < l->cell_count; c++) out->starts[place_of(l, l->cells[c]) + 2]++;
    for (size_t i = 2; i < places + 2; i++) out->starts[i] += out->starts[i - 1];
    for (uint32_t c = 0; c < l->cell_count; c++) out->cells[out->starts[place_of(l, l->cells[c]) + 1]++] = c;
    return true;
}

// A sample of the inside counts for the corners of the cells at its place, copies of a place alike.
static void add_sample(const Grid* grid, snVec3 p, float size, float* fills) {
    const snLattice* l = grid->lattice;
    snVec3 t = sn_scale(sn_sub(p, l->origin), 1.0f / l->cell_size);
    uint16_t at[3];
    float* coords[3] = {&t.x, &t.y, &t.z};
    for (int k = 0; k < 3; k++) {
        float top = (float)l->grid[k] - 1.0f;
        float low = sn_clampf((float)(int32_t)*coords[k], 0.0f, top);
        at[k] = (uint16_t)low;
        *coords[k] = sn_clampf(*coords[k] - low, 0.0f, 1.0f);
    }
    size_t place = place_of(l, at);
    uint32_t first = grid->starts[place], last = grid->starts[place + 1];
    float shares[8];
    sni_trilinear(t, shares);
    for (uint32_t i = first; i < last; i++) {
        const uint32_t* corners = l->cell_particles[grid->cells[i]];
        for (int c = 0; c < 8; c++) fills[corners[c]] += shares[c] * size / (float)(last - first);
    }
}

// The weights of a part's members: what is inside around them, against what their cells have at rest.
static void weigh_part(snPartVolume* v, const sniVolumePart* part, const float* fills) {
    double inside = 0.0, whole = 0.0;
    for (uint32_t i = 0; i < part->member_count; i++) {
        uint32_t at = part->member_begin + i;
        inside += (double)fills[v->members[at]];
        whole += 0.125 / (double)v->shares[at];
    }
    float* weights = v->weights + (size_t)part->block_begin * SNI_VOLUME_LANES;
    for (uint32_t i = 0; i < part->member_count; i++) {
        uint32_t at = part->member_begin + i;
        weights[i] = inside > LEAST_FILLED * whole ? 8.0f * fills[v->members[at]] * v->shares[at] : 1.0f;
    }
}

snResult sni_part_volume_fill(snPartVolume* v, const snLattice* l, const snVec3* points,
                              const uint32_t* triangles, uint32_t triangle_count, snError* error) {
    uint32_t longest = 0;
    snVec3 size = {0.0f, 0.0f, 0.0f};
    for (int k = 0; k < 3; k++) longest = l->grid[k] > longest ? l->grid[k] : longest;
    if (SAMPLES_A_CELL * longest > MOST_SAMPLES) return SN_RESULT_OK;
    size = sn_scale(sn_vec3((float)l->grid[0], (float)l->grid[1], (float)l->grid[2]), l->cell_size);
    sniInsideDef def = {.point_count = l->point_count,
                        .points = points,
                        .triangle_count = triangle_count,
                        .triangles = triangles,
                        .bounds = {l->origin, sn_add(l->origin, size)},
                        .cells = SAMPLES_A_CELL * longest > SAMPLES ? SAMPLES_A_CELL * longest : SAMPLES,
                        .border = 1};
    sniInside inside = {0};
    SNI_TRY(sni_inside_create(&def, &v->allocator, &inside, error));
    Grid grid;
    float* fills = SNI_NEW_ARRAY(&v->allocator, float, v->particle_count);
    bool enough = sort_cells(l, &v->allocator, &grid) && fills != NULL;
    float sample = (float)(inside.size * inside.size * inside.size);
    size_t at = 0;
    for (uint32_t z = 0; z < inside.grid[2] && enough; z++)
        for (uint32_t y = 0; y < inside.grid[1]; y++)
            for (uint32_t x = 0; x < inside.grid[0]; x++) {
                if (inside.cells[at++] == 0) continue;
                snVec3 p = {(float)(inside.origin[0] + inside.size * (double)x),
                            (float)(inside.origin[1] + inside.size * (double)y),
                            (float)(inside.origin[2] + inside.size * (double)z)};
                add_sample(&grid, p, sample, fills);
            }
    for (uint32_t i = 0; i < v->part_count && enough; i++) weigh_part(v, &v->parts[i], fills);
    sni_free(&v->allocator, grid.starts);
    sni_free(&v->allocator, grid.cells);
    sni_free(&v->allocator, fills);
    sni_inside_free(&inside);
    return enough ? sni_part_volume_rest(v, l) : sni_fail_memory(error);
}
