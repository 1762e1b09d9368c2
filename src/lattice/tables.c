// Tables over particles: who is adjacent, who shares a cell, which piece, how deep, which way is out.
#include "lattice/copies.h"

#include "base/memory.h"
#include "base/union_find.h"

// Corners that a particle is, cell * 8 + corner, rising.
typedef struct Corners {
    uint32_t* starts; // particle_count + 1
    uint32_t* items;  // cell_count * 8
} Corners;

typedef struct Fill {
    snLattice* lattice;
    const Corners* corners;
} Fill;

static bool corners_create(Corners* corners, const snLattice* lattice, const snAllocator* memory) {
    uint32_t total = lattice->cell_count * 8;
    corners->starts = SNI_NEW_ARRAY(memory, uint32_t, (size_t)lattice->particle_count + 2);
    corners->items = SNI_NEW_ARRAY(memory, uint32_t, total);
    if (corners->starts == NULL || corners->items == NULL) return false;
    // Counted two places ahead, so that filling leaves the starts where they belong.
    uint32_t* ends = corners->starts + 1;
    for (uint32_t i = 0; i < total; i++) ends[lattice->cell_particles[i / 8][i % 8] + 1]++;
    for (uint32_t p = 0; p < lattice->particle_count; p++) ends[p + 1] += ends[p];
    for (uint32_t i = 0; i < total; i++) corners->items[ends[lattice->cell_particles[i / 8][i % 8]]++] = i;
    return true;
}

// Adds `value` to a rising list without repeats; returns the new count. Values come nearly in order.
static uint32_t insert_rising(uint32_t* list, uint32_t count, uint32_t value) {
    uint32_t i = count;
    while (i > 0 && list[i - 1] > value) i--;
    if (i > 0 && list[i - 1] == value) return count;
    for (uint32_t k = count; k > i; k--) list[k] = list[k - 1];
    list[i] = value;
    return count + 1;
}

// Particles one edge away from `p` in direction `d`; `out` has room for one per corner of p.
static uint32_t list_adjacent(const Fill* fill, uint32_t p, uint32_t d, uint32_t* out) {
    uint32_t bit = 1u << (d / 2);
    uint32_t count = 0;
    for (uint32_t i = fill->corners->starts[p]; i < fill->corners->starts[p + 1]; i++) {
        uint32_t corner = fill->corners->items[i] % 8;
        if (((corner & bit) != 0) != (d % 2 == 0)) continue; // the edge leads the other way
        const uint32_t* particles = fill->lattice->cell_particles[fill->corners->items[i] / 8];
        count = insert_rising(out, count, particles[corner ^ bit]);
    }
    return count;
}

static uint32_t list_neighbors(const Fill* fill, uint32_t p, uint32_t* out) {
    uint32_t count = 0;
    for (uint32_t i = fill->corners->starts[p]; i < fill->corners->starts[p + 1]; i++) {
        const uint32_t* particles = fill->lattice->cell_particles[fill->corners->items[i] / 8];
        for (uint32_t k = 0; k < 8; k++) {
            if (particles[k] != p) count = insert_rising(out, count, particles[k]);
        }
    }
    return count;
}

// ------------------------------------------------------------------------------- adjacent and neighbors

// Lists of unknown length are first written where there is room for the longest, then moved together.
typedef struct Loose {
    Fill fill;
    uint32_t* adjacent;        // 3 per corner, from 3 * corners.starts[p] on
    uint32_t* neighbors;       // 7 per corner, from 7 * corners.starts[p] on
    uint32_t* adjacent_counts; // 6 per particle
    uint32_t* neighbor_counts;
} Loose;

static void fill_loose(void* context, uint32_t begin, uint32_t end, uint32_t worker) {
    (void)worker;
    Loose* loose = context;
    for (uint32_t p = begin; p < end; p++) {
        size_t start = loose->fill.corners->starts[p];
        uint32_t* adjacent = loose->adjacent + 3 * start;
        for (uint32_t d = 0; d < SN_DIRECTIONS; d++) {
            uint32_t count = list_adjacent(&loose->fill, p, d, adjacent);
            loose->adjacent_counts[(size_t)p * SN_DIRECTIONS + d] = count;
            adjacent += count;
        }
        loose->neighbor_counts[p] = list_neighbors(&loose->fill, p, loose->neighbors + 7 * start);
    }
}

// counts[0 .. count) and a zero behind them become starts; false when they do not fit 32 bits.
static bool counts_to_starts(uint32_t* counts, size_t count) {
    uint64_t total = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t next = total + counts[i];
        counts[i] = (uint32_t)total;
        total = next;
    }
    counts[count] = (uint32_t)total;
    return total <= UINT32_MAX;
}

static snResult move_together(snLattice* lattice, const Loose* loose) {
    size_t directions = (size_t)lattice->particle_count * SN_DIRECTIONS;
    if (!counts_to_starts(lattice->adjacent_starts, directions) ||
        !counts_to_starts(lattice->neighbor_starts, lattice->particle_count)) {
        return SN_RESULT_LIMIT;
    }
    const snAllocator* memory = &lattice->allocator;
    lattice->adjacent = SNI_NEW_ARRAY(memory, uint32_t, lattice->adjacent_starts[directions]);
    lattice->neighbors = SNI_NEW_ARRAY(memory, uint32_t, lattice->neighbor_starts[lattice->particle_count]);
    if (lattice->adjacent == NULL || lattice->neighbors == NULL) return SN_RESULT_OUT_OF_MEMORY;
    for (uint32_t p = 0; p < lattice->particle_count; p++) {
        size_t from = loose->fill.corners->starts[p];
        const uint32_t* a = lattice->adjacent_starts + (size_t)p * SN_DIRECTIONS;
        const uint32_t* n = lattice->neighbor_starts + p;
        memcpy(lattice->adjacent + a[0], loose->adjacent + 3 * from, (a[6] - a[0]) * sizeof(uint32_t));
        memcpy(lattice->neighbors + n[0], loose->neighbors + 7 * from, (n[1] - n[0]) * sizeof(uint32_t));
    }
    return SN_RESULT_OK;
}

static snResult fill_lists(snLattice* lattice, const Corners* corners, const snTasks* tasks,
                           const snAllocator* scratch) {
    const snAllocator* memory = &lattice->allocator;
    size_t particles = lattice->particle_count;
    size_t total = (size_t)lattice->cell_count * 8;
    lattice->adjacent_starts = SNI_NEW_ARRAY(memory, uint32_t, particles * SN_DIRECTIONS + 1);
    lattice->neighbor_starts = SNI_NEW_ARRAY(memory, uint32_t, particles + 1);
    Loose loose = {.fill = {lattice, corners},
                   .adjacent = SNI_NEW_ARRAY(scratch, uint32_t, total * 3),
                   .neighbors = SNI_NEW_ARRAY(scratch, uint32_t, total * 7),
                   .adjacent_counts = lattice->adjacent_starts,
                   .neighbor_counts = lattice->neighbor_starts};
    snResult result = SN_RESULT_OUT_OF_MEMORY;
    if (loose.adjacent != NULL && loose.neighbors != NULL && loose.adjacent_counts != NULL &&
        loose.neighbor_counts != NULL) {
        sn_tasks_run(tasks, fill_loose, &loose, lattice->particle_count, 512);
        result = move_together(lattice, &loose);
    }
    sni_free(scratch, loose.adjacent);
    sni_free(scratch, loose.neighbors);
    return result;
}

// --------------------------------------------------------------------------------------- depths and pieces

static snVec3 grid_step(const snLattice* lattice, uint32_t from, uint32_t to) {
    const uint16_t* a = lattice->particles[from];
    const uint16_t* b = lattice->particles[to];
    return sn_vec3((float)(b[0] - a[0]), (float)(b[1] - a[1]), (float)(b[2] - a[2]));
}

// Particles without a cell in one of their eight octants are the boundary. They get the sum of the ways from
// their cells' centers to them, which points out of the solid.
static uint32_t start_depths(snLattice* lattice, const Corners* corners, uint32_t* queue) {
    uint32_t count = 0;
    for (uint32_t p = 0; p < lattice->particle_count; p++) {
        uint32_t octants = 0;
        snVec3 away = {0.0f, 0.0f, 0.0f};
        for (uint32_t i = corners->starts[p]; i < corners->starts[p + 1]; i++) {
            uint32_t corner = corners->items[i] % 8;
            octants |= 1u << corner;
            away.x += corner & 1 ? 0.5f : -0.5f;
            away.y += corner & 2 ? 0.5f : -0.5f;
            away.z += corner & 4 ? 0.5f : -0.5f;
        }
        lattice->depths[p] = octants == 0xff ? UINT16_MAX : 0;
        if (octants == 0xff) continue;
        lattice->outward[p] = away;
        queue[count++] = p;
    }
    return count;
}

// Mean way to the nearest boundary over the adjacent particles that are one step nearer to it.
static snVec3 mean_way_out(const snLattice* lattice, uint32_t p) {
    const uint32_t* starts = lattice->adjacent_starts + (size_t)p * SN_DIRECTIONS;
    snVec3 sum = {0.0f, 0.0f, 0.0f};
    float count = 0.0f;
    for (uint32_t i = starts[0]; i < starts[SN_DIRECTIONS]; i++) {
        uint32_t q = lattice->adjacent[i];
        if (lattice->depths[q] + 1u != lattice->depths[p]) continue;
        snVec3 step = grid_step(lattice, p, q);
        sum = sn_add(sum, lattice->depths[q] > 0 ? sn_add(lattice->outward[q], step) : step);
        count += 1.0f;
    }
    return count > 0.0f ? sn_scale(sum, 1.0f / count) : sum;
}

static bool fill_depths(snLattice* lattice, const Corners* corners, const snAllocator* scratch) {
    uint32_t* queue = SNI_NEW_ARRAY(scratch, uint32_t, lattice->particle_count);
    lattice->depths = SNI_NEW_ARRAY(&lattice->allocator, uint16_t, lattice->particle_count);
    lattice->outward = SNI_NEW_ARRAY(&lattice->allocator, snVec3, lattice->particle_count);
    bool ready = queue != NULL && lattice->depths != NULL && lattice->outward != NULL;
    uint32_t count = ready ? start_depths(lattice, corners, queue) : 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t p = queue[i];
        const uint32_t* starts = lattice->adjacent_starts + (size_t)p * SN_DIRECTIONS;
        if (lattice->depths[p] > 0) lattice->outward[p] = mean_way_out(lattice, p);
        for (uint32_t k = starts[0]; k < starts[SN_DIRECTIONS]; k++) {
            uint32_t q = lattice->adjacent[k];
            if (lattice->depths[q] != UINT16_MAX) continue;
            lattice->depths[q] = (uint16_t)(lattice->depths[p] + 1);
            queue[count++] = q;
        }
    }
    snVec3 zero = {0.0f, 0.0f, 0.0f};
    for (uint32_t i = 0; i < count; i++) {
        snVec3* out = &lattice->outward[queue[i]];
        *out = sn_length(*out) > 1e-4f ? sn_normalize_or(*out, zero) : zero;
    }
    sni_free(scratch, queue);
    return ready;
}

static bool fill_pieces(snLattice* lattice, const snAllocator* scratch) {
    uint32_t* sets = SNI_NEW_ARRAY(scratch, uint32_t, lattice->particle_count);
    lattice->pieces = SNI_NEW_ARRAY(&lattice->allocator, uint32_t, lattice->particle_count);
    bool ready = sets != NULL && lattice->pieces != NULL;
    if (ready) {
        sni_sets_reset(sets, lattice->particle_count);
        for (uint32_t c = 0; c < lattice->cell_count; c++) {
            const uint32_t* particles = lattice->cell_particles[c];
            for (uint32_t k = 1; k < 8; k++) sni_sets_join(sets, particles[0], particles[k]);
        }
        for (uint32_t p = 0; p < lattice->particle_count; p++) {
            uint32_t root = sni_sets_find(sets, p);
            lattice->pieces[p] = root == p ? lattice->piece_count++ : lattice->pieces[root];
        }
    }
    sni_free(scratch, sets);
    return ready;
}

snResult sni_lattice_tables(snLattice* lattice, const snTasks* tasks, const snAllocator* scratch) {
    Corners corners = {0};
    snResult result = corners_create(&corners, lattice, scratch) ? SN_RESULT_OK : SN_RESULT_OUT_OF_MEMORY;
    if (result == SN_RESULT_OK) result = fill_lists(lattice, &corners, tasks, scratch);
    if (result == SN_RESULT_OK && !(fill_depths(lattice, &corners, scratch) && fill_pieces(lattice, scratch)))
        result = SN_RESULT_OUT_OF_MEMORY;
    sni_free(scratch, corners.starts);
    sni_free(scratch, corners.items);
    return result;
}
