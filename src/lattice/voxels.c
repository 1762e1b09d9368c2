#include "lattice/voxels.h"

#include "base/memory.h"
#include "base/progress.h"

// Part of a cell within which torn borders are mended: far below what a cell can show. Judged.
#define MEND_REACH (1.0f / 64.0f)

static void fit_box(sniVoxels* voxels) {
    uint32_t lo[3] = {UINT32_MAX, UINT32_MAX, UINT32_MAX}, hi[3] = {0, 0, 0};
    const sniShells* shells = voxels->shells;
    uint32_t last = UINT32_MAX; // most corners lie in the cell of the one before
    for (uint32_t i = shells->starts[voxels->shell]; i < shells->starts[voxels->shell + 1]; i++) {
        const uint32_t* corners = shells->triangles + 3 * (size_t)shells->members[i];
        for (uint32_t c = 0; c < 3; c++) {
            uint32_t cell = voxels->points[corners[c]].cell, at[3];
            if (cell == last) continue;
            last = cell;
            sni_cell_unpack(cell, at);
            for (int k = 0; k < 3; k++) {
                if (at[k] < lo[k]) lo[k] = at[k];
                if (at[k] > hi[k]) hi[k] = at[k];
            }
        }
    }
    for (int k = 0; k < 3; k++) {
        voxels->lo[k] = lo[k];
        voxels->size[k] = hi[k] - lo[k] + 1;
    }
}

static bool run_shell(sniVoxels* voxels) {
    fit_box(voxels);
    return sni_voxels_fragments(voxels) && sni_voxels_crossings(voxels) && sni_voxels_interior(voxels) &&
           sni_voxels_graph(voxels) && sni_voxels_copies(voxels);
}

// ------------------------------------------------------------------------------------------ loose points

// Copies by grid key, to look up which exist at a place.
typedef struct Places {
    uint32_t* keys;
    uint32_t* order;
    uint32_t* scratch;
    uint32_t count;
} Places;

static uint32_t largest_key(const sniGrid* grid) { return grid->size[0] * grid->size[1] * grid->size[2] - 1; }

static bool places_create(Places* places, const sniVoxels* voxels) {
    const sniCopies* copies = voxels->copies;
    const snAllocator* memory = &voxels->allocator;
    places->count = copies->count;
    places->keys = SNI_NEW_ARRAY(memory, uint32_t, copies->count);
    places->order = SNI_NEW_ARRAY(memory, uint32_t, copies->count);
    places->scratch = SNI_NEW_ARRAY(memory, uint32_t, copies->count);
    if (places->keys == NULL || places->order == NULL || places->scratch == NULL) return false;
    for (uint32_t i = 0; i < copies->count; i++) places->keys[i] = copies->items[i].key;
    sni_sort_keys(places->keys, copies->count, largest_key(voxels->grid), places->order, places->scratch);
    return true;
}

static void places_free(Places* places, const snAllocator* memory) {
    sni_free(memory, places->keys);
    sni_free(memory, places->order);
    sni_free(memory, places->scratch);
}

// The first copy at a key, or SN_NONE.
static uint32_t places_find(const Places* places, uint32_t key) {
    uint32_t lo = 0, hi = places->count;
    while (lo < hi) {
        uint32_t middle = lo + (hi - lo) / 2;
        if (places->keys[places->order[middle]] < key)
            lo = middle + 1;
        else
            hi = middle;
    }
    if (lo == places->count || places->keys[places->order[lo]] != key) return SN_NONE;
    return places->order[lo];
}

static uint32_t point_key(const sniVoxels* voxels, uint32_t p) {
    uint32_t at[3];
    sni_cell_unpack(voxels->points[p].cell, at);
    return sni_grid_key(voxels->grid, at[0], at[1], at[2]);
}

// A loose point takes the first copy of its cell; where there is none, it makes one.
static bool add_missing_cells(sniVoxels* voxels, Places* places, const uint32_t* loose, uint32_t count) {
    uint32_t* keys = SNI_NEW_ARRAY(&voxels->allocator, uint32_t, count);
    uint32_t* order = SNI_NEW_ARRAY(&voxels->allocator, uint32_t, count);
    uint32_t* scratch = SNI_NEW_ARRAY(&voxels->allocator, uint32_t, count);
    bool ready = keys != NULL && order != NULL && scratch != NULL;
    if (ready) {
        for (uint32_t i = 0; i < count; i++) keys[i] = point_key(voxels, loose[i]);
        sni_sort_keys(keys, count, largest_key(voxels->grid), order, scratch);
    }
    uint32_t added = SN_NONE; // key of the last cell made here
    for (uint32_t i = 0; i < count && ready; i++) {
        uint32_t point = loose[order[i]], key = keys[order[i]];
        uint32_t copy = places_find(places, key);
        if (copy == SN_NONE && key != added) {
            ready = sni_copies_add(voxels->copies, key, 0);
            added = key;
        }
        voxels->copies->of_points[point] = copy != SN_NONE ? copy : voxels->copies->count - 1;
    }
    sni_free(&voxels->allocator, keys);
    sni_free(&voxels->allocator, order);
    sni_free(&voxels->allocator, scratch);
    return ready;
}

// Cells made for loose points from `first` on are joined where they touch, so that a cloud is one body.
static bool link_loose_cells(sniVoxels* voxels, const Places* places, uint32_t first) {
    const uint32_t* size = voxels->grid->size;
    const uint32_t steps[3] = {1, size[0], size[0] * size[1]};
    for (uint32_t i = first; i < voxels->copies->count; i++) {
        uint32_t key = voxels->copies->items[i].key;
        const uint32_t at[3] = {key % size[0], key / size[0] % size[1], key / size[0] / size[1]};
        for (uint32_t axis = 0; axis < 3; axis++) {
            if (at[axis] + 1 == size[axis]) continue;
            uint32_t next = places_find(places, key + steps[axis]);
            if (next == SN_NONE || next < first) continue;
            if (!sni_copies_link(voxels->copies, i, next, axis)) return false;
        }
    }
    return true;
}

static bool add_loose_points(sniVoxels* voxels) {
    const snAllocator* memory = &voxels->allocator;
    uint32_t* loose = SNI_NEW_ARRAY(memory, uint32_t, voxels->def->point_count);
    if (loose == NULL) return false;
    uint32_t count = 0;
    for (uint32_t p = 0; p < voxels->def->point_count; p++) {
        if (voxels->copies->of_points[p] == SN_NONE) loose[count++] = p;
    }
    bool ready = true;
    if (count > 0) {
        Places before = {0}, after = {0};
        uint32_t first = voxels->copies->count;
        ready = places_create(&before, voxels) && add_missing_cells(voxels, &before, loose, count) &&
                places_create(&after, voxels) && link_loose_cells(voxels, &after, first);
        places_free(&before, memory);
        places_free(&after, memory);
    }
    sni_free(memory, loose);
    return ready;
}

// ---------------------------------------------------------------------------------------------------- all

static bool run(sniVoxels* voxels) {
    uint32_t points = voxels->def->point_count;
    voxels->copies->of_points = SNI_NEW_ARRAY(&voxels->allocator, uint32_t, points);
    voxels->point_fragments = SNI_NEW_ARRAY(&voxels->allocator, uint32_t, points);
    voxels->shell_points = SNI_NEW_ARRAY(&voxels->allocator, uint32_t, points);
    voxels->triangle_fragments = SNI_NEW_ARRAY(&voxels->allocator, uint32_t, voxels->def->triangle_count);
    if (voxels->copies->of_points == NULL || voxels->point_fragments == NULL ||
        voxels->shell_points == NULL || voxels->triangle_fragments == NULL) {
        return false;
    }
    for (uint32_t p = 0; p < points; p++) {
        voxels->copies->of_points[p] = SN_NONE;
        voxels->point_fragments[p] = SN_NONE;
    }
    for (voxels->shell = 0; voxels->shell < voxels->shells->count; voxels->shell++) {
        if (!run_shell(voxels)) return false;
    }
    return add_loose_points(voxels);
}

static void free_scratch(sniVoxels* voxels) {
    void* arrays[] = {voxels->fragments,
                      voxels->triangle_fragments,
                      voxels->point_fragments,
                      voxels->shell_points,
                      voxels->cell_keys,
                      voxels->cell_starts,
                      voxels->sorted,
                      voxels->sorted_triangles,
                      voxels->sort_keys,
                      voxels->row_starts,
                      voxels->sets,
                      voxels->samples,
                      voxels->looks,
                      voxels->ends,
                      voxels->copy_of_node,
                      voxels->run_starts,
                      voxels->runs};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(&voxels->allocator, arrays[i]);
    for (int axis = 0; axis < 3; axis++) {
        sni_free(&voxels->allocator, voxels->columns[axis].starts);
        sni_free(&voxels->allocator, voxels->columns[axis].items);
        sni_free(&voxels->allocator, voxels->columns[axis].windings);
        sni_free(&voxels->allocator, voxels->columns[axis].found);
    }
}

// Four samples along a cell's side see a gap of any width wherever it is a quarter of a cell long. On very
// fine grids the cells themselves are small enough for fewer.
static uint32_t choose_sample_bits(const sniGrid* grid) {
    uint32_t longest = grid->size[0];
    for (int k = 1; k < 3; k++) longest = grid->size[k] > longest ? grid->size[k] : longest;
    return longest <= 256 ? 2 : 1;
}

snResult sni_voxels_run(const snLatticeDef* def, const sniGrid* grid, sniCopies* copies) {
    const snAllocator* memory = &copies->allocator;
    sniPoint* points = SNI_NEW_ARRAY(memory, sniPoint, def->point_count);
    if (points == NULL) return SN_RESULT_OUT_OF_MEMORY;
    for (uint32_t p = 0; p < def->point_count; p++) points[p] = sni_grid_point(grid, def->points[p]);
    sniShells shells;
    snResult result = sni_shells_create(def, points, grid->cell_size * MEND_REACH, memory, &shells);
    bool made = result == SN_RESULT_OK;
    if (made) result = sni_progress(&def->progress, "making the lattice", 0.3f, NULL);
    if (result == SN_RESULT_OK) {
        sniVoxels voxels = {.def = def,
                            .grid = grid,
                            .points = points,
                            .shells = &shells,
                            .copies = copies,
                            .allocator = *memory,
                            .sample_bits = choose_sample_bits(grid)};
        result = run(&voxels) ? SN_RESULT_OK : SN_RESULT_OUT_OF_MEMORY;
        free_scratch(&voxels);
    }
    if (made) sni_shells_free(&shells);
    sni_free(memory, points);
    return result;
}
