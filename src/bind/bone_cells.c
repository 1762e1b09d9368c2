// Where bones run through the lattice.
//
// A place of the grid may hold several cells (two fingers side by side); a bone belongs to the one whose
// sheet it lies behind: seen from the bone, the points in that cell face away.
#include "bind/bone_cells.h"

#include "base/error.h"
#include "base/memory.h"
#include "lattice/steps.h"

// A third of a cell apart: only corners are passed over.
#define SAMPLES_PER_CELL 3.0f
#define MOST_SAMPLES 3072 // of one bone; three for each cell of the largest grid

snResult sni_cell_points_create(const snLattice* lattice, const snAllocator* allocator, sniCellPoints* out,
                                snError* error) {
    sniCellPoints p = {SNI_NEW_ARRAY(allocator, uint32_t, (size_t)lattice->cell_count + 2),
                       SNI_NEW_ARRAY(allocator, uint32_t, lattice->point_count)};
    if (p.starts == NULL || p.points == NULL) {
        sni_cell_points_free(&p, allocator);
        return sni_fail_memory(error);
    }
    // Counted one place further on, so that filling moves every start to where it belongs.
    for (uint32_t i = 0; i < lattice->point_count; i++) p.starts[lattice->point_cells[i] + 2]++;
    for (uint32_t c = 0; c < lattice->cell_count; c++) p.starts[c + 2] += p.starts[c + 1];
    for (uint32_t i = 0; i < lattice->point_count; i++) p.points[p.starts[lattice->point_cells[i] + 1]++] = i;
    *out = p;
    return SN_RESULT_OK;
}

void sni_cell_points_free(sniCellPoints* points, const snAllocator* allocator) {
    sni_free(allocator, points->starts);
    sni_free(allocator, points->points);
    *points = (sniCellPoints){0};
}

snResult sni_corners_create(const snLattice* lattice, const snAllocator* allocator, sniCorners* out,
                            snError* error) {
    uint32_t count = lattice->cell_count * 8;
    sniCorners c = {SNI_NEW_ARRAY(allocator, uint32_t, (size_t)lattice->particle_count + 2),
                    SNI_NEW_ARRAY(allocator, uint32_t, (size_t)count)};
    if (c.starts == NULL || c.items == NULL) {
        sni_corners_free(&c, allocator);
        return sni_fail_memory(error);
    }
    for (uint32_t i = 0; i < count; i++) c.starts[lattice->cell_particles[i / 8][i % 8] + 2]++;
    for (uint32_t p = 0; p < lattice->particle_count; p++) c.starts[p + 2] += c.starts[p + 1];
    for (uint32_t i = 0; i < count; i++) c.items[c.starts[lattice->cell_particles[i / 8][i % 8] + 1]++] = i;
    *out = c;
    return SN_RESULT_OK;
}

void sni_corners_free(sniCorners* corners, const snAllocator* allocator) {
    sni_free(allocator, corners->starts);
    sni_free(allocator, corners->items);
    *corners = (sniCorners){0};
}

uint32_t sni_cell_find(const snLattice* lattice, const uint16_t place[3]) {
    uint64_t key = sni_place_key(place);
    uint32_t low = 0, high = lattice->cell_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (sni_place_key(lattice->cells[middle]) < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < lattice->cell_count && sni_place_key(lattice->cells[low]) == key ? low : SN_NONE;
}

// ------------------------------------------------------------------------------------------- choosing

typedef struct Walk {
    const snLattice* lattice;
    const sniSurface* surface;
    sniCellPoints points;
    uint32_t* cells;
    size_t capacity;
    uint32_t count;
    const snAllocator* memory;
} Walk;

static bool find_place(const snLattice* lattice, snVec3 p, uint16_t place[3]) {
    float at[3] = {p.x - lattice->origin.x, p.y - lattice->origin.y, p.z - lattice->origin.z};
    for (int a = 0; a < 3; a++) {
        float cell = at[a] / lattice->cell_size;
        if (!(cell >= 0.0f) || cell >= (float)lattice->grid[a]) return false;
        place[a] = (uint16_t)cell;
    }
    return true;
}

// How surely a place on a bone lies behind the sheet in a cell, from -1 to 1: the mean cosine between the
// points' normals and the directions to them. Cells without points are solid throughout.
static float behind(const Walk* walk, uint32_t cell, snVec3 p) {
    uint32_t begin = walk->points.starts[cell], end = walk->points.starts[cell + 1];
    if (begin == end) return walk->lattice->cell_inside[cell] ? 1.0f : 0.0f;
    float sum = 0.0f;
    for (uint32_t i = begin; i < end; i++) {
        uint32_t point = walk->points.points[i];
        snVec3 away = sn_sub(walk->surface->points[point], p);
        sum += sn_dot(sn_normalize_or(away, sn_vec3(0.0f, 0.0f, 0.0f)), walk->surface->normals[point]);
    }
    return sum / (float)(end - begin);
}

static bool add_cell(Walk* walk, uint32_t first, uint32_t cell) {
    for (uint32_t i = first; i < walk->count; i++) {
        if (walk->cells[i] == cell) return true;
    }
    if (!sni_grow(walk->memory, &walk->cells, &walk->capacity, (size_t)walk->count + 1, sizeof(uint32_t))) {
        return false;
    }
    walk->cells[walk->count++] = cell;
    return true;
}

static bool same_place(const snLattice* lattice, uint32_t cell, const uint16_t place[3]) {
    return cell < lattice->cell_count && sni_place_key(lattice->cells[cell]) == sni_place_key(place);
}

// Every cell here that the bone lies behind (a hand inside a glove is in both), or the likeliest one.
static bool add_copies(Walk* walk, uint32_t first, snVec3 p) {
    uint16_t place[3];
    if (!find_place(walk->lattice, p, place)) return true;
    uint32_t cell = sni_cell_find(walk->lattice, place), best = cell;
    float best_score = -2.0f;
    if (cell == SN_NONE) return true;
    // Alone, it is the likeliest: its points, which may be all of the mesh, need not be asked.
    if (!same_place(walk->lattice, cell + 1, place)) return add_cell(walk, first, cell);
    for (; same_place(walk->lattice, cell, place); cell++) {
        float score = behind(walk, cell, p);
        if (score > 0.5f && !add_cell(walk, first, cell)) return false;
        if (score > best_score) {
            best_score = score;
            best = cell;
        }
    }
    return best_score > 0.5f || add_cell(walk, first, best);
}

static bool walk_bone(Walk* walk, const sniBone* bone) {
    uint32_t first = walk->count;
    float cells = sn_distance(bone->head, bone->tail) / walk->lattice->cell_size;
    float wanted = sn_minf(cells * SAMPLES_PER_CELL, (float)MOST_SAMPLES);
    uint32_t steps = (uint32_t)wanted + 1;
    for (uint32_t i = 0; i <= steps; i++) {
        if (!add_copies(walk, first, sn_lerp(bone->head, bone->tail, (float)i / (float)steps))) return false;
    }
    return true;
}

snResult sni_bone_cells_create(const snLattice* lattice, const sniSurface* surface, const sniBones* bones,
                               const snAllocator* allocator, sniBoneCells* out, snError* error) {
    sniBoneCells result = {.allocator = sni_allocator(allocator)};
    Walk walk = {.lattice = lattice, .surface = surface, .memory = &result.allocator};
    snResult code = sni_cell_points_create(lattice, walk.memory, &walk.points, error);
    if (code != SN_RESULT_OK) return code;
    result.starts = SNI_NEW_ARRAY(walk.memory, uint32_t, (size_t)bones->bone_count + 1);
    bool enough = result.starts != NULL;
    for (uint32_t b = 0; b < bones->bone_count && enough; b++) {
        enough = walk_bone(&walk, &bones->bones[b]);
        result.starts[b + 1] = walk.count;
    }
    sni_cell_points_free(&walk.points, walk.memory);
    result.cells = walk.cells;
    if (enough) {
        *out = result;
        return SN_RESULT_OK;
    }
    sni_bone_cells_free(&result);
    return sni_fail_memory(error);
}

void sni_bone_cells_free(sniBoneCells* bone_cells) {
    if (bone_cells == NULL || bone_cells->allocator.free == NULL) return;
    sni_free(&bone_cells->allocator, bone_cells->starts);
    sni_free(&bone_cells->allocator, bone_cells->cells);
    *bone_cells = (sniBoneCells){0};
}
