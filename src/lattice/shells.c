// Edges, repeated triangles, connected shells and their orientation.
//
// Orientation is carried across edges with exactly two sides; each patch reached that way is turned so that
// it encloses a positive volume about its own middle. That repairs flipped faces and works for open patches,
// where the winding that a file happens to have does not.
#include "lattice/shells.h"

#include "base/memory.h"
#include "base/union_find.h"
#include "lattice/mend.h"

#define DROPPED 2 // in `flips` while the shells are made: repeats an earlier triangle

static uint32_t side_opposite(const sniShells* shells, uint32_t side) {
    return shells->ids[side % 3 == 0 ? side + 2 : side - 1];
}

// ------------------------------------------------------------------------------------------------- edges

// Repeats are looked for among this many sides of an edge; more only happens where thousands meet in one
// edge.
#define REPEAT_REACH 32

// Puts a side into the ring of its edge, behind `first`; drops its triangle when it repeats another.
static void join_side(sniShells* shells, uint32_t first, uint32_t side) {
    uint32_t other = first;
    for (uint32_t i = 0; i < REPEAT_REACH; i++) {
        if (side_opposite(shells, other) == side_opposite(shells, side)) {
            shells->flips[side / 3] = DROPPED;
            return;
        }
        other = shells->mates[other];
        if (other == first) break;
    }
    shells->mates[side] = shells->mates[first];
    shells->mates[first] = side;
}

// A side in the bucket of its edge's lower point.
typedef struct Side {
    uint32_t upper, side;
} Side;

// The first side found of an edge, at the edge's upper point; valid while its lower point is the one in hand.
typedef struct Known {
    uint32_t lower, side;
} Known;

static void fill_buckets(const sniShells* shells, uint32_t* starts, Side* sides) {
    uint32_t triangles = shells->triangle_count, points = shells->point_count;
    const uint32_t* ids = shells->ids;
    for (uint32_t t = 0; t < triangles; t++) {
        const uint32_t* c = ids + 3 * (size_t)t;
        if (sni_triangle_is_thin(c)) continue;
        starts[(c[0] < c[1] ? c[0] : c[1]) + 2]++;
        starts[(c[1] < c[2] ? c[1] : c[2]) + 2]++;
        starts[(c[2] < c[0] ? c[2] : c[0]) + 2]++;
    }
    for (uint32_t p = 0; p < points; p++) starts[p + 2] += starts[p + 1];
    for (uint32_t t = 0; t < triangles; t++) {
        const uint32_t* c = ids + 3 * (size_t)t;
        if (sni_triangle_is_thin(c)) continue;
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t a = c[k], b = c[k == 2 ? 0 : k + 1];
            sides[starts[(a < b ? a : b) + 1]++] = (Side){a < b ? b : a, 3 * t + k};
        }
    }
}

// Sides go into the bucket of their lower point; within a bucket, a mark at the upper point finds the
// partner.
static void join_edges(sniShells* shells, uint32_t* starts, Side* sides, Known* known) {
    sni_sets_reset(shells->mates, 3 * shells->triangle_count); // every side alone
    fill_buckets(shells, starts, sides);
    for (uint32_t p = 0; p < shells->point_count; p++) known[p].lower = SN_NONE;
    for (uint32_t p = 0; p < shells->point_count; p++) {
        for (uint32_t i = starts[p]; i < starts[p + 1]; i++) {
            Known* mark = &known[sides[i].upper];
            if (mark->lower == p)
                join_side(shells, mark->side, sides[i].side);
            else
                *mark = (Known){p, sides[i].side};
        }
    }
}

// ----------------------------------------------------------------------------------------------- patches

// A patch is what can be walked over edges with two sides.
typedef struct Patches {
    uint32_t count;
    uint32_t* of_triangles; // SN_NONE: repeats an earlier triangle, or is not walked yet
    uint32_t* sets;         // patches that share a point; at most one patch a triangle
    uint32_t* of_points;
    uint8_t* open; // an edge without exactly two sides, or no orientation that fits all
    uint32_t* queue;
} Patches;

// Walks the patch of `seed`, lists it in the queue and returns its size.
static uint32_t walk_patch(sniShells* shells, Patches* patches, uint32_t seed) {
    uint32_t patch = patches->count, count = 0;
    uint32_t *queue = patches->queue, *of_triangles = patches->of_triangles;
    const uint32_t *mates = shells->mates, *ids = shells->ids;
    uint8_t* flips = shells->flips;
    bool open = false;
    queue[count++] = seed;
    of_triangles[seed] = patch;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t triangle = queue[i];
        for (uint32_t side = 3 * triangle; side < 3 * triangle + 3; side++) {
            uint32_t mate = mates[side], other = mate / 3;
            if (mate == side || mates[mate] != side) {
                open = true;
                continue;
            }
            // Two sides that run the same way along their edge: one of the triangles is turned over.
            uint8_t flip = flips[triangle] ^ (uint8_t)(ids[side] == ids[mate]);
            if (of_triangles[other] != SN_NONE) {
                open = open || flips[other] != flip;
                continue;
            }
            of_triangles[other] = patch;
            flips[other] = flip;
            queue[count++] = other;
        }
    }
    patches->open[patch] = open;
    return count;
}

// Six times the volume between the patch and its middle, with the orientation it has now. A closed patch has
// the same about any point.
static double patch_volume(const sniShells* shells, const uint32_t* patch, uint32_t count, bool open) {
    double middle[3] = {0.0, 0.0, 0.0};
    uint32_t used = open ? count : 1;
    for (uint32_t i = 0; i < used; i++) {
        for (int k = 0; k < 3; k++) {
            middle[k] += (double)shells->points[shells->triangles[3 * (size_t)patch[i]]].at[k];
        }
    }
    for (int k = 0; k < 3; k++) middle[k] /= (double)used;
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

static void walk_patches(sniShells* shells, Patches* patches) {
    for (uint32_t t = 0; t < shells->triangle_count; t++) patches->of_triangles[t] = SN_NONE;
    for (uint32_t t = 0; t < shells->triangle_count; t++) {
        if (patches->of_triangles[t] != SN_NONE || shells->flips[t] == DROPPED) continue;
        uint32_t count = walk_patch(shells, patches, t);
        // A triangle without area has no edges either, but opens nothing.
        if (sni_triangle_is_thin(shells->ids + 3 * (size_t)t)) patches->open[patches->count] = 0;
        bool open = patches->open[patches->count++] != 0;
        if (patch_volume(shells, patches->queue, count, open) >= 0.0) continue;
        for (uint32_t k = 0; k < count; k++) shells->flips[patches->queue[k]] ^= 1;
    }
}

// ------------------------------------------------------------------------------------------------- shells

// Patches that share a point belong together. A single one leaves `of_points` alone: nothing will be mended.
static void join_patches(sniShells* shells, Patches* patches) {
    sni_sets_reset(patches->sets, patches->count);
    if (patches->count == 1) return;
    for (uint32_t p = 0; p < shells->point_count; p++) patches->of_points[p] = SN_NONE;
    for (uint32_t t = 0; t < shells->triangle_count; t++) {
        uint32_t patch = patches->of_triangles[t];
        for (uint32_t k = 0; k < 3 && patch != SN_NONE; k++) {
            uint32_t* known = &patches->of_points[shells->ids[3 * (size_t)t + k]];
            if (*known == SN_NONE) *known = patch;
            if (*known != patch) sni_sets_join(patches->sets, *known, patch);
        }
    }
}

// A mended border may be a hair's breadth open, which a closed shell must not be.
static bool is_mended(const sniShells* shells, uint32_t t) {
    return shells->mended != NULL && memcmp(shells->ids + 3 * (size_t)t, shells->triangles + 3 * (size_t)t,
                                            3 * sizeof *shells->ids) != 0;
}

// Shells are numbered by their first triangle, as patches are.
static void group_members(sniShells* shells, Patches* patches) {
    uint32_t* shell_of_patch = patches->queue;
    for (uint32_t i = 0; i < patches->count; i++) {
        uint32_t root = sni_sets_find(patches->sets, i);
        if (root == i) shells->closed[shells->count] = 1;
        shell_of_patch[i] = root == i ? shells->count++ : shell_of_patch[root];
        if (patches->open[i]) shells->closed[shell_of_patch[i]] = 0;
    }
    for (uint32_t t = 0; t < shells->triangle_count; t++) {
        if (patches->of_triangles[t] != SN_NONE)
            shells->starts[shell_of_patch[patches->of_triangles[t]] + 2]++;
    }
    for (uint32_t i = 0; i < shells->count; i++) shells->starts[i + 2] += shells->starts[i + 1];
    for (uint32_t t = 0; t < shells->triangle_count; t++) {
        if (patches->of_triangles[t] == SN_NONE) continue;
        uint32_t shell = shell_of_patch[patches->of_triangles[t]];
        shells->members[shells->starts[shell + 1]++] = t;
        if (is_mended(shells, t)) shells->closed[shell] = 0;
    }
}

// ------------------------------------------------------------------------------------------------ create

typedef struct Scratch {
    uint32_t* starts;
    Side* sides;
    Known* known;
    Patches patches;
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
    scratch->sides = SNI_NEW_ARRAY(memory, Side, triangles * 3);
    scratch->known = SNI_NEW_ARRAY(memory, Known, points);
    scratch->patches.open = SNI_NEW_ARRAY(memory, uint8_t, triangles);
    return shells->starts != NULL && shells->members != NULL && shells->mates != NULL &&
           shells->flips != NULL && shells->closed != NULL && scratch->starts != NULL &&
           scratch->sides != NULL && scratch->known != NULL && scratch->patches.open != NULL;
}

// Once the edges are joined, the memory of the sides serves the patches.
static void reuse_sides(Scratch* scratch, size_t triangles) {
    uint32_t* words = (void*)scratch->sides;
    scratch->patches.of_triangles = words;
    scratch->patches.sets = words + triangles;
    scratch->patches.queue = words + 2 * triangles;
    scratch->patches.of_points = scratch->starts;
}

static void build(sniShells* shells, Scratch* scratch) {
    size_t triangles = shells->triangle_count, points = shells->point_count;
    shells->count = 0;
    memset(shells->starts, 0, (triangles + 2) * sizeof *shells->starts);
    memset(shells->flips, 0, triangles);
    memset(scratch->starts, 0, (points + 2) * sizeof *scratch->starts);
    memset(scratch->patches.open, 0, triangles);
    scratch->patches.count = 0;
    join_edges(shells, scratch->starts, scratch->sides, scratch->known);
    reuse_sides(scratch, triangles);
    walk_patches(shells, &scratch->patches);
    join_patches(shells, &scratch->patches);
    group_members(shells, &scratch->patches);
}

// Joins borders that lie together and builds once more with what that changed.
static snResult mend(sniShells* shells, Scratch* scratch, const snVec3* positions, float reach) {
    Patches* patches = &scratch->patches;
    for (uint32_t p = 0; p < shells->point_count; p++) {
        if (patches->of_points[p] != SN_NONE)
            patches->of_points[p] = sni_sets_find(patches->sets, patches->of_points[p]);
    }
    bool changed = false;
    shells->mended = SNI_NEW_ARRAY(&shells->allocator, uint32_t, (size_t)shells->triangle_count * 3);
    if (shells->mended == NULL) return SN_RESULT_OUT_OF_MEMORY;
    snResult result =
        sni_mend_borders(shells, positions, reach, patches->of_points, shells->mended, &changed);
    if (result == SN_RESULT_OK && changed) {
        shells->ids = shells->mended;
        build(shells, scratch);
    } else {
        sni_free(&shells->allocator, shells->mended);
        shells->mended = NULL;
    }
    return result;
}

snResult sni_shells_create(const snLatticeDef* def, const sniPoint* points, float reach,
                           const snAllocator* allocator, sniShells* out) {
    sniShells shells = {.points = points,
                        .triangles = def->triangles,
                        .ids = def->triangles,
                        .point_count = def->point_count,
                        .triangle_count = def->triangle_count,
                        .allocator = *allocator};
    Scratch scratch = {0};
    snResult result = allocate(&shells, &scratch) ? SN_RESULT_OK : SN_RESULT_OUT_OF_MEMORY;
    if (result == SN_RESULT_OK) build(&shells, &scratch);
    if (result == SN_RESULT_OK && shells.count > 1) result = mend(&shells, &scratch, def->points, reach);
    sni_free(allocator, scratch.starts);
    sni_free(allocator, scratch.sides);
    sni_free(allocator, scratch.known);
    sni_free(allocator, scratch.patches.open);
    if (result != SN_RESULT_OK) {
        sni_shells_free(&shells);
        return result;
    }
    *out = shells;
    return SN_RESULT_OK;
}

void sni_shells_free(sniShells* shells) {
    void* arrays[] = {shells->starts, shells->members, shells->mates,
                      shells->flips,  shells->closed,  shells->mended};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(&shells->allocator, arrays[i]);
}
