// The solid that a skeleton is fitted into: the cells inside the body, joined over small gaps.
#include "base/error.h"
#include "base/memory.h"
#include "base/progress.h"
#include "fit/cells.h"
#include "fit/fit.h"
#include "shape/inside.h"

// Empty cells around the mesh, so that every solid cell has all of its neighbours in the grid.
#define BORDER 2

static snResult check_size(snBounds bounds, snError* error) {
    snVec3 extent = sn_sub(bounds.max, bounds.min);
    double longest = (double)sn_maxf(extent.x, sn_maxf(extent.y, extent.z));
    if (longest > 1e-18 && longest < 1e18) return SN_RESULT_OK;
    return sni_fail(error, SN_RESULT_BAD_DATA, "the mesh is %g long, expected a mesh with a size", longest);
}

static snResult fill(sniSolid* solid, const sniInside* inside, const snAllocator* memory, snError* error) {
    for (int i = 0; i < 3; i++) solid->grid[i] = inside->grid[i];
    solid->size = (float)inside->size;
    solid->origin = sn_vec3((float)inside->origin[0], (float)inside->origin[1], (float)inside->origin[2]);
    if (!sni_cells_join(solid, inside->cells, memory) || !sni_cells_collect(solid, inside->cells, memory))
        return sni_fail_memory(error);
    if (solid->cell_count == 0)
        return sni_fail(error, SN_RESULT_BAD_DATA,
                        "the mesh encloses no volume, expected a body that is mostly closed");
    if (!sni_cells_measure(solid, memory)) return sni_fail_memory(error);
    solid->volume = (float)(inside->size * inside->size * inside->size * solid->cell_count);
    return SN_RESULT_OK;
}

snResult sni_solid_create(sniSolid* solid, const snFitDef* def, const snAllocator* memory, snError* error) {
    *solid = (sniSolid){0};
    uint8_t* wanted = SNI_NEW_ARRAY(memory, uint8_t, def->triangle_count);
    if (wanted == NULL) return sni_fail_memory(error);
    sniInside inside = {0};
    sniInsideDef cells = {.point_count = def->point_count,
                          .points = def->points,
                          .triangle_count = def->triangle_count,
                          .triangles = def->triangles,
                          .wanted = wanted,
                          .cells = def->cells,
                          .border = BORDER};
    snResult result =
        sni_fit_pieces(def, memory, wanted, &cells.bounds) ? SN_RESULT_OK : sni_fail_memory(error);
    if (result == SN_RESULT_OK) result = check_size(cells.bounds, error);
    if (result == SN_RESULT_OK) result = sni_progress(&def->progress, "looking at the mesh", 0.1f, error);
    if (result == SN_RESULT_OK) result = sni_inside_create(&cells, memory, &inside, error);
    if (result == SN_RESULT_OK) result = sni_progress(&def->progress, "looking at the mesh", 0.4f, error);
    if (result == SN_RESULT_OK) result = fill(solid, &inside, memory, error);
    sni_inside_free(&inside);
    sni_free(memory, wanted);
    if (result != SN_RESULT_OK) sni_solid_destroy(solid, memory);
    return result;
}

void sni_solid_destroy(sniSolid* solid, const snAllocator* memory) {
    sni_free(memory, solid->cells);
    sni_free(memory, solid->lookup);
    sni_free(memory, solid->depth);
    *solid = (sniSolid){0};
}
