// The particles that bones reach directly.
#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "bind/bone_cells.h"
#include "lattice/steps.h"

// Particles of a regular grid often lie exactly one radius away: rounding must not choose among them.
#define TIE 1e-4f
// How much longer than the radius a way over edges and diagonals may be: steps of 1, sqrt 2 and sqrt 3 are up
// to 1.13 times the straight way.
#define DETOUR SNI_TUNED(SEED_DETOUR, 1.2f)

typedef struct Growth {
    const sniBind* bind;
    sniSeeds seeds;
    size_t capacity;
    uint32_t* stamps; // per particle: the bone that visited it last, plus one
    uint32_t* queue;  // per particle
    float* paths;     // per particle: length of the way from the bone
} Growth;

static bool add_seed(Growth* growth, uint32_t particle, uint32_t joint, float distance) {
    sniSeeds* seeds = &growth->seeds;
    if (!sni_grow(&seeds->allocator, &seeds->seeds, &growth->capacity, (size_t)seeds->count + 1,
                  sizeof(sniSeed))) {
        return false;
    }
    seeds->seeds[seeds->count++] = (sniSeed){particle, joint, distance};
    return true;
}

static void reach(Growth* growth, uint32_t bone, uint32_t particle, float path, uint32_t* tail) {
    if (growth->stamps[particle] == bone + 1) return;
    growth->stamps[particle] = bone + 1;
    growth->paths[particle] = path;
    growth->queue[(*tail)++] = particle;
}

// Particles of the bone's cells that lie within the radius, and on from there to their neighbours as long as
// the way through the lattice is no longer than the radius either: the next finger is near only through air.
static bool grow_bone(Growth* growth, const sniBoneCells* cells, uint32_t bone, float radius) {
    const snLattice* lattice = growth->bind->lattice;
    const sniBone* b = &growth->bind->bones->bones[bone];
    uint32_t head = 0, tail = 0;
    for (uint32_t c = cells->starts[bone]; c < cells->starts[bone + 1]; c++) {
        for (int k = 0; k < 8; k++) {
            uint32_t p = lattice->cell_particles[cells->cells[c]][k];
            reach(growth, bone, p, sni_bone_distance(b, lattice->rest[p]), &tail);
        }
    }
    while (head < tail) {
        uint32_t p = growth->queue[head++];
        float distance = sni_bone_distance(b, lattice->rest[p]);
        if (distance > radius * (1.0f + TIE)) continue;
        if (!add_seed(growth, p, b->joint, distance)) return false;
        for (uint32_t n = lattice->neighbor_starts[p]; n < lattice->neighbor_starts[p + 1]; n++) {
            float step = (float)sni_lattice_step(lattice, p, lattice->neighbors[n]) * lattice->cell_size;
            float path = growth->paths[p] + step;
            if (path <= radius * DETOUR) reach(growth, bone, lattice->neighbors[n], path, &tail);
        }
    }
    return true;
}

// The nearest particle of all, or of one piece of the lattice (SN_NONE: any).
static uint32_t nearest_particle(const snLattice* lattice, const sniBone* bone, uint32_t piece, float* out) {
    uint32_t best = SN_NONE;
    for (uint32_t p = 0; p < lattice->particle_count; p++) {
        if (piece != SN_NONE && lattice->pieces[p] != piece) continue;
        float distance = sni_bone_distance(bone, lattice->rest[p]);
        if (best != SN_NONE && !(distance < *out)) continue;
        best = p;
        *out = distance;
    }
    return best;
}

static bool seed_bones(Growth* growth, const sniBoneCells* cells, const float* radii) {
    const sniBind* bind = growth->bind;
    for (uint32_t b = 0; b < bind->bones->bone_count; b++) {
        const sniBone* bone = &bind->bones->bones[b];
        float radius =
            radii != NULL && radii[bone->joint] > 0.0f ? radii[bone->joint] : bind->lattice->cell_size;
        uint32_t before = growth->seeds.count;
        if (!grow_bone(growth, cells, b, radius)) return false;
        if (growth->seeds.count > before) continue;
        float distance = 0.0f;
        uint32_t particle = nearest_particle(bind->lattice, bone, SN_NONE, &distance);
        if (particle != SN_NONE && !add_seed(growth, particle, bone->joint, distance)) return false;
    }
    return true;
}

// Every piece has the largest one as its last host: where that holds a bone, nobody is alone.
static bool seed_largest_piece(Growth* growth) {
    const snLattice* lattice = growth->bind->lattice;
    const sniBones* bones = growth->bind->bones;
    uint32_t largest = 0, best_bone = SN_NONE, best_particle = SN_NONE;
    float best = 0.0f, distance = 0.0f;
    while (lattice->hosts[largest] != SN_NONE) largest = lattice->hosts[largest];
    for (uint32_t i = 0; i < growth->seeds.count; i++) {
        if (lattice->pieces[growth->seeds.seeds[i].particle] == largest) return true;
    }
    for (uint32_t b = 0; b < bones->bone_count; b++) {
        uint32_t particle = nearest_particle(lattice, &bones->bones[b], largest, &distance);
        if (best_bone != SN_NONE && !(distance < best)) continue;
        best_bone = b;
        best_particle = particle;
        best = distance;
    }
    return best_bone == SN_NONE || add_seed(growth, best_particle, bones->bones[best_bone].joint, best);
}

// ---------------------------------------------------------------------------------------------- whole

static int by_particle(const void* a, const void* b) {
    const sniSeed *x = a, *y = b;
    if (x->particle != y->particle) return x->particle < y->particle ? -1 : 1;
    if (x->joint != y->joint) return x->joint < y->joint ? -1 : 1;
    return x->distance < y->distance ? -1 : x->distance > y->distance;
}

static void merge_seeds(sniSeeds* seeds) {
    uint32_t kept = 0;
    if (seeds->count > 0) qsort(seeds->seeds, seeds->count, sizeof(sniSeed), by_particle);
    for (uint32_t i = 0; i < seeds->count; i++) {
        const sniSeed* seed = &seeds->seeds[i];
        if (kept > 0 && seeds->seeds[kept - 1].particle == seed->particle &&
            seeds->seeds[kept - 1].joint == seed->joint) {
            continue;
        }
        seeds->seeds[kept++] = *seed;
    }
    seeds->count = kept;
}

snResult sni_seeds_create(const sniBind* bind, const float* radii, sniSeeds* out, snError* error) {
    Growth growth = {.bind = bind, .seeds = {.allocator = bind->allocator}};
    sniBoneCells cells = {0};
    SNI_TRY(
        sni_bone_cells_create(bind->lattice, bind->surface, bind->bones, &bind->allocator, &cells, error));
    growth.stamps = SNI_NEW_ARRAY(&bind->allocator, uint32_t, bind->lattice->particle_count);
    growth.queue = SNI_NEW_ARRAY(&bind->allocator, uint32_t, bind->lattice->particle_count);
    growth.paths = SNI_NEW_ARRAY(&bind->allocator, float, bind->lattice->particle_count);
    bool enough = growth.stamps != NULL && growth.queue != NULL && growth.paths != NULL &&
                  seed_bones(&growth, &cells, radii) && seed_largest_piece(&growth);
    sni_free(&bind->allocator, growth.stamps);
    sni_free(&bind->allocator, growth.queue);
    sni_free(&bind->allocator, growth.paths);
    sni_bone_cells_free(&cells);
    if (!enough) {
        sni_seeds_free(&growth.seeds);
        return sni_fail_memory(error);
    }
    merge_seeds(&growth.seeds);
    *out = growth.seeds;
    return SN_RESULT_OK;
}

void sni_seeds_free(sniSeeds* seeds) {
    if (seeds == NULL || seeds->allocator.free == NULL) return;
    sni_free(&seeds->allocator, seeds->seeds);
    *seeds = (sniSeeds){0};
}
