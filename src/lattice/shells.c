// Edges, repeated triangles, connected shells and their orientation.
//
// Orientation is carried across edges with exactly two sides; each patch reached that way is turned so that
// it encloses a positive volume about its own middle. That repairs flipped faces and works for open patches,
// where the winding that a file happens to have does not.
#include "lattice/shells.h"

#include "base/memory.h"
#include "base/sort.h"
#include "base/union_find.h"

#define DROPPED 2 // in `flips` while the shells are made: repeats an earlier triangle

static uint32_t side_from(const sniShells* shells, uint32_t side) { return shells->triangles[side]; }
static uint32_t side_to(const sniShells* shells, uint32_t side) {
    return shells->triangles[side % 3 == 2 ? side - 2 : side + 1];
}
static uint32_t side_opposite(const sniShells* shells, uint32_t side) {
    return shells->triangles[side % 3 == 0 ? side + 2 : side - 1];
}

// ------------------------------------------------------------------------------------------------- edges

// Repeats are looked for among this many sides of an edge; more only happens where thousands meet in one
// edge.
#define REPEAT_REACH 32

// The sides of one edge, as entries whose low half is the side. Drops repeats and closes the ring of the
// rest.
static void join_edge(sniShells* shells, const uint64_t* entries, uint32_t count) {
    uint32_t first = SN_NONE, last = SN_NONE;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t side = (uint32_t)entries[i];
        bool repeats = false;
        for (uint32_t k = i > REPEAT_REACH ? i - REPEAT_REACH : 0; k < i && !repeats; k++) {
            repeats = side_opposite(shells, (uint32_t)entries[k]) == side_opposite(shells, side);
        }
        if (repeats) {
            shells->flips[side / 3] = DROPPED;
            continue;
        }
        if (first == SN_NONE) first = side;
        if (last != SN_NONE) shells->mates[last] = side;
        last = side;
    }
    shells->mates[last] = first;
}

// Sides in the bucket of their lower point; then, within a bucket, by upper point and side.
static void join_edges(sniShells* shells, uint32_t* starts, uint64_t* entries) {
    uint32_t sides = shells->triangle_count * 3;
    for (uint32_t s = 0; s < sides; s++) {
        shells->mates[s] = s;
        if (sni_triangle_is_thin(shells->triangles + s / 3 * 3)) continue;
        uint32_t a = side_from(shells, s), b = side_to(shells, s);
        starts[(a < b ? a : b) + 2]++;
    }
    for (uint32_t p = 0; p < shells->point_count; p++) starts[p + 2] += starts[p + 1];
    for (uint32_t s = 0; s < sides; s++) {
        if (sni_triangle_is_thin(shells->triangles + s / 3 * 3)) continue;
        uint32_t a = side_from(shells, s), b = side_to(shells, s);
        entries[starts[(a < b ? a : b) + 1]++] = (uint64_t)(a < b ? b : a) << 32 | s;
    }
    for (uint32_t p = 0; p < shells->point_count; p++) {
        sni_sort_u64(entries + starts[p], starts[p + 1] - starts[p]);
        for (uint32_t begin = starts[p]; begin < starts[p + 1];) {
            uint32_t end = begin + 1;
            while (end < starts[p + 1] && entries[end] >> 32 == entries[begin] >> 32) end++;
            join_edge(shells, entries + begin, end - begin);
            begin = end;
        }
    }
}

// ---------------------------------------------------------------------------------------------- members

// Triangles that share a point belong together. Shells are numbered by their first triangle.
static void group_members(sniShells* shells, uint32_t* sets, uint32_t* shell_of_point) {
    sni_sets_reset(sets, shells->point_count);
    for (uint32_t t = 0; t < shells->triangle_count; t++) {
        const uint32_t* corners = shells->triangles + 3 * (size_t)t;
        sni_sets_join(sets, corners[0], corners[1]);
        sni_sets_join(sets, corners[0], corners[2]);
    }
    for (uint32_t p = 0; p < shells->point_count; p++) shell_of_point[p] = SN_NONE;
    for (uint32_t t = 0; t < shells->triangle_count; t++) {
        uint32_t* shell = &shell_of_point[sni_sets_find(sets, shells->triangles[3 * (size_t)t])];
        if (*shell == SN_NONE) *shell = shells->count++;
        if (shells->flips[t] != DROPPED) shells->starts[*shell + 2]++;
    }
    for (uint32_t i = 0; i < shells->count; i++) shells->starts[i + 2] += shells->starts[i + 1];
    for (uint32_t t = 0; t < shells->triangle_count; t++) {
        if (shells->flips[t] == DROPPED) continue;
        uint32_t shell = shell_of_point[sni_sets_find(sets, shells->triangles[3 * (size_t)t])];
        shells->members[shells->starts[shell + 1]++] = t;
    }
}

// ------------------------------------------------------------------------------------------- orientation

// True when the two sides run the same way along their edge, so that one of the triangles is turned over.
static bool same_way(const sniShells* shells, uint32_t a, uint32_t b) {
    return side_from(shells, a) == side_from(shells, b);
}

// Walks a patch from triangle `seed`; lists it in `queue` and returns its size. Clears *closed where an edge
// has not exactly two sides, or where the orientation comes back turned over.
static uint32_t walk_patch(sniShells* shells, uint32_t seed, uint8_t* visited, uint32_t* queue,
                           uint8_t* closed) {
    uint32_t count = 0;
    queue[count++] = seed;
    visited[seed] = 1;
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t side = 3 * queue[i]; side < 3 * queue[i] + 3; side++) {
            uint32_t mate = shells->mates[side];
            if (mate == side || shells->mates[mate] != side) {
                *closed = 0;
                continue;
            }
            uint8_t flip = shells->flips[queue[i]] ^ (uint8_t)same_way(shells, side, mate);
            if (visited[mate / 3]) {
                if (shells->flips[mate / 3] != flip) *closed = 0;
                continue;
            }
            visited[mate / 3] = 1;
            shells->flips[mate / 3] = flip;
            queue[count++] = mate / 3;
        }
    }
    return count;
}

// Six times the volume between the patch and its middle, with the orientation it has now.
static double patch_volume(const sniShells* shells, const uint32_t* patch, uint32_t count) {
    double middle[3] = {0.0, 0.0, 0.0};
    for (uint32_t i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++) {
            middle[k] += (double)shells->points[shells->triangles[3 * (size_t)patch[i]]].at[k];
        }
    }
    for (int k = 0; k < 3; k++) middle[k] /= (double)count;
    double volume = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        double corner[3][3];
        for (int c = 0; c < 3; c++) {
            uint32_t point = shells->triangles[3 * (size_t)patch[i] + (size_t)c];
            for (int k = 0; k < 3; k++) corner[c][k] = (double)shells->points[point].at[k] - middle[k];
        }
        const double *a = corner[0], *b = corner[1], *c = corner[2];
        double six = a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
                     a[2] * (b[0] * c[1] - b[1] * c[0]);
        volume += shells->flips[patch[i]] ? -six : six;
    }
    return volume;
}

static void orient(sniShells* shells, uint8_t* visited, uint32_t* queue) {
    for (uint32_t shell = 0; shell < shells->count; shell++) {
        shells->closed[shell] = 1;
        for (uint32_t i = shells->starts[shell]; i < shells->starts[shell + 1]; i++) {
            uint32_t seed = shells->members[i];
            if (visited[seed] || sni_triangle_is_thin(shells->triangles + 3 * (size_t)seed)) continue;
            uint32_t count = walk_patch(shells, seed, visited, queue, &shells->closed[shell]);
            if (patch_volume(shells, queue, count) >= 0.0) continue;
            for (uint32_t k = 0; k < count; k++) shells->flips[queue[k]] ^= 1;
        }
    }
}

// ------------------------------------------------------------------------------------------------ create

typedef struct Scratch {
    uint32_t* starts;
    uint64_t* entries;
    uint32_t* sets;
    uint32_t* shell_of_point;
} Scratch;

static bool allocate(sniShells* shells, Scratch* scratch) {
    const snAllocator* memory = &shells->allocator;
    size_t triangles = shells->triangle_count, points = shells->point_count;
    shells->starts = SNI_NEW_ARRAY(memory, uint32_t, triangles + 2);
    shells->members = SNI_NEW_ARRAY(memory, uint32_t, triangles);
    shells->mates = SNI_NEW_ARRAY(memory, uint32_t, triangles * 3);
    shells->flips = SNI_NEW_ARRAY(memory, uint8_t, triangles);
    shells->closed = SNI_NEW_ARRAY(memory, uint8_t, triangles);
    scratch->starts = SNI_NEW_ARRAY(memory, uint32_t, points + 2);
    scratch->entries = SNI_NEW_ARRAY(memory, uint64_t, triangles * 3);
    scratch->sets = SNI_NEW_ARRAY(memory, uint32_t, points);
    scratch->shell_of_point = SNI_NEW_ARRAY(memory, uint32_t, points);
    return shells->starts != NULL && shells->members != NULL && shells->mates != NULL &&
           shells->flips != NULL && shells->closed != NULL && scratch->starts != NULL &&
           scratch->entries != NULL && scratch->sets != NULL && scratch->shell_of_point != NULL;
}

snResult sni_shells_create(const snLatticeDef* def, const sniPoint* points, const snAllocator* allocator,
                           sniShells* out) {
    sniShells shells = {.points = points,
                        .triangles = def->triangles,
                        .point_count = def->point_count,
                        .triangle_count = def->triangle_count,
                        .allocator = *allocator};
    Scratch scratch = {0};
    bool ready = allocate(&shells, &scratch);
    if (ready) {
        join_edges(&shells, scratch.starts, scratch.entries);
        group_members(&shells, scratch.sets, scratch.shell_of_point);
        // The sides are sorted; their memory serves as the marks and the queue of the walk.
        uint8_t* visited = (uint8_t*)scratch.entries;
        memset(visited, 0, shells.triangle_count);
        orient(&shells, visited, (uint32_t*)(void*)(scratch.entries + shells.triangle_count));
    }
    sni_free(allocator, scratch.starts);
    sni_free(allocator, scratch.entries);
    sni_free(allocator, scratch.sets);
    sni_free(allocator, scratch.shell_of_point);
    if (!ready) {
        sni_shells_free(&shells);
        return SN_RESULT_OUT_OF_MEMORY;
    }
    *out = shells;
    return SN_RESULT_OK;
}

void sni_shells_free(sniShells* shells) {
    void* arrays[] = {shells->starts, shells->members, shells->mates, shells->flips, shells->closed};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(&shells->allocator, arrays[i]);
}
