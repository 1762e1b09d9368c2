// The tables of shape matching, and the state that it moves.
#include "base/error.h"
#include "base/geometry.h"
#include "base/memory.h"
#include "flesh/kernels.h"
#include "rig/influence.h"

// A piece follows its host where at least this much of their weights agrees on average, and no particle is
// further than this many cells from the host. Judged, not measured.
#define FOLLOW_AGREEMENT 0.5f
#define FOLLOW_REACH 1.5f

// --------------------------------------------------------------------------------------------- followers

// How much of a particle's weights the place beside it on the host has too, 0 .. 1.
static float agreement(const snBinding* binding, uint32_t particle) {
    const snLattice* lattice = binding->lattice;
    const uint32_t* corners = lattice->cell_particles[lattice->host_cells[particle]];
    const snWeights* weights = &binding->particles;
    float sum = 0.0f;
    for (uint32_t i = 0; i < weights->influences; i++) {
        size_t k = (size_t)particle * weights->influences + i;
        float host = 0.0f;
        for (int c = 0; c < 8; c++) host += 0.125f * sni_weight_of(weights, corners[c], weights->joints[k]);
        sum += sn_minf(weights->weights[k], host);
    }
    return sum;
}

static bool within_reach(snVec3 t) {
    float low = -FOLLOW_REACH, high = 1.0f + FOLLOW_REACH;
    return t.x >= low && t.y >= low && t.z >= low && t.x <= high && t.y <= high && t.z <= high;
}

// 1 for the pieces that follow, found by the particles of each.
static bool find_followers(const snBinding* binding, const snAllocator* memory, uint8_t* follows) {
    const snLattice* lattice = binding->lattice;
    float* agreed = SNI_NEW_ARRAY(memory, float, lattice->piece_count);
    uint32_t* counts = SNI_NEW_ARRAY(memory, uint32_t, lattice->piece_count);
    bool enough = agreed != NULL && counts != NULL;
    for (uint32_t p = 0; p < lattice->particle_count && enough; p++) {
        uint32_t piece = lattice->pieces[p];
        bool near = lattice->host_cells[p] != SN_NONE && within_reach(lattice->host_coords[p]);
        counts[piece]++;
        // One particle out of reach keeps the whole piece from following.
        agreed[piece] += near ? agreement(binding, p) : -(float)lattice->particle_count;
    }
    for (uint32_t i = 0; i < lattice->piece_count && enough; i++) {
        follows[i] = lattice->hosts[i] != SN_NONE && agreed[i] > FOLLOW_AGREEMENT * (float)counts[i];
    }
    sni_free(memory, agreed);
    sni_free(memory, counts);
    return enough;
}

// How many hosts in a row a piece follows.
static uint32_t follow_depth(const snLattice* lattice, const uint8_t* follows, uint32_t piece) {
    uint32_t depth = 0;
    for (; follows[piece] != 0; piece = lattice->hosts[piece]) depth++;
    return depth;
}

static snResult fill_followers(snFlesh* flesh, snError* error) {
    const snLattice* lattice = flesh->binding->lattice;
    const snAllocator* memory = &flesh->allocator;
    uint8_t* pieces = SNI_NEW_ARRAY(memory, uint8_t, lattice->piece_count);
    if (pieces == NULL || !find_followers(flesh->binding, memory, pieces)) {
        sni_free(memory, pieces);
        return sni_fail_memory(error);
    }
    uint32_t count = 0, deepest = 0;
    for (uint32_t p = 0; p < lattice->particle_count; p++) {
        flesh->follows[p] = pieces[lattice->pieces[p]];
        count += flesh->follows[p];
        uint32_t depth = follow_depth(lattice, pieces, lattice->pieces[p]);
        if (depth > deepest) deepest = depth;
    }
    flesh->followers = SNI_NEW_ARRAY(memory, sniFollower, count);
    for (uint32_t depth = 1; depth <= deepest && flesh->followers != NULL; depth++) {
        for (uint32_t p = 0; p < lattice->particle_count; p++) {
            if (follow_depth(lattice, pieces, lattice->pieces[p]) != depth) continue;
            sniFollower* follower = &flesh->followers[flesh->follower_count++];
            follower->particle = p;
            memcpy(follower->corners, lattice->cell_particles[lattice->host_cells[p]],
                   sizeof follower->corners);
            sni_trilinear(lattice->host_coords[p], follower->shares);
        }
    }
    sni_free(memory, pieces);
    return flesh->followers != NULL ? SN_RESULT_OK : sni_fail_memory(error);
}

// ----------------------------------------------------------------------------------------------- the plan

// The slots of regions: by size within each run of SNI_FLESH_GRAIN particles. The length of a region's loop
// is then nearly always that of the one before, which processors foretell; what is near stays near.
static void order_slots(const snRegions* regions, uint32_t* order) {
    for (uint32_t p = 0; p < regions->particle_count; p++) {
        uint32_t size = regions->starts[p + 1] - regions->starts[p], i = p;
        for (; i % SNI_FLESH_GRAIN > 0; i--) {
            uint32_t other = order[i - 1];
            if (regions->starts[other + 1] - regions->starts[other] <= size) break;
            order[i] = other;
        }
        order[i] = p;
    }
}

static bool copy_regions(snFlesh* flesh, const snRegions* regions) {
    const snAllocator* memory = &flesh->allocator;
    uint32_t count = regions->particle_count;
    uint32_t* order = SNI_NEW_ARRAY(memory, uint32_t, count);
    flesh->starts = SNI_NEW_ARRAY(memory, uint32_t, (size_t)count + 1);
    flesh->members = SNI_NEW_ARRAY(memory, uint32_t, regions->starts[count]);
    bool ready = order != NULL && flesh->starts != NULL && flesh->members != NULL;
    if (ready) order_slots(regions, order);
    for (uint32_t slot = 0; slot < count && ready; slot++) {
        uint32_t first = regions->starts[order[slot]], size = regions->starts[order[slot] + 1] - first;
        for (uint32_t i = 0; i < size; i++)
            flesh->members[flesh->starts[slot] + i] = SNI_FLESH_ROW * regions->members[first + i];
        flesh->starts[slot + 1] = flesh->starts[slot] + size;
    }
    sni_free(memory, order);
    return ready;
}

static snResult fill_regions(snFlesh* flesh, const uint8_t* widths, snError* error) {
    const snLattice* lattice = flesh->binding->lattice;
    const snAllocator* memory = &flesh->allocator;
    uint8_t* filled = SNI_NEW_ARRAY(memory, uint8_t, lattice->particle_count);
    if (filled == NULL) return sni_fail_memory(error);
    for (uint32_t p = 0; p < lattice->particle_count; p++) filled[p] = widths != NULL ? widths[p] : 2;
    snRegions* regions = NULL;
    snResult result = sn_regions_create(lattice, filled, memory, &regions, error);
    sni_free(memory, filled);
    if (result == SN_RESULT_OK && !copy_regions(flesh, regions)) result = sni_fail_memory(error);
    sn_regions_destroy(regions);
    return result;
}

static snResult flesh_fill(snFlesh* flesh, const snFleshDef* def, snError* error) {
    const snLattice* lattice = def->binding->lattice;
    const snAllocator* memory = &flesh->allocator;
    flesh->rest = SNI_NEW_ARRAY(memory, snVec4, lattice->particle_count);
    flesh->boundary = SNI_NEW_ARRAY(memory, uint8_t, lattice->particle_count);
    flesh->follows = SNI_NEW_ARRAY(memory, uint8_t, lattice->particle_count);
    if (flesh->rest == NULL || flesh->boundary == NULL || flesh->follows == NULL) {
        return sni_fail_memory(error);
    }
    snBounds bounds = sn_bounds_of(lattice->rest, lattice->particle_count);
    snVec3 middle = sn_lerp(bounds.min, bounds.max, 0.5f);
    for (uint32_t p = 0; p < lattice->particle_count; p++) {
        snVec3 place = sn_sub(lattice->rest[p], middle);
        flesh->rest[p] = (snVec4){0.0f, place.x, place.y, place.z};
        flesh->boundary[p] = lattice->depths[p] == 0;
    }
    snResult result = fill_regions(flesh, def->widths, error);
    return result == SN_RESULT_OK ? fill_followers(flesh, error) : result;
}

snResult sn_flesh_create(const snFleshDef* def, const snAllocator* allocator, snFlesh** out, snError* error) {
    if (def == NULL || def->binding == NULL || out == NULL) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a binding and an output are needed");
    }
    snAllocator memory = sni_allocator(allocator);
    snFlesh* flesh = SNI_NEW(&memory, snFlesh);
    if (flesh == NULL) return sni_fail_memory(error);
    flesh->allocator = memory;
    flesh->binding = def->binding;
    snResult result = flesh_fill(flesh, def, error);
    if (result != SN_RESULT_OK) {
        sn_flesh_destroy(flesh);
        return result;
    }
    *out = flesh;
    return SN_RESULT_OK;
}

void sn_flesh_destroy(snFlesh* flesh) {
    if (flesh == NULL) return;
    snAllocator memory = flesh->allocator;
    sni_free(&memory, flesh->starts);
    sni_free(&memory, flesh->members);
    sni_free(&memory, flesh->rest);
    sni_free(&memory, flesh->boundary);
    sni_free(&memory, flesh->follows);
    sni_free(&memory, flesh->followers);
    sni_free(&memory, flesh);
}

// ---------------------------------------------------------------------------------------------- the state

snResult sn_flesh_state_create(const snFlesh* flesh, const snAllocator* allocator, snFleshState** out,
                               snError* error) {
    if (flesh == NULL || out == NULL) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "flesh and an output are needed");
    }
    snAllocator memory = sni_allocator(allocator);
    uint32_t count = flesh->binding->lattice->particle_count;
    snFleshState* state = SNI_NEW(&memory, snFleshState);
    if (state == NULL) return sni_fail_memory(error);
    *state = (snFleshState){.particle_count = count, .fresh = true, .allocator = memory};
    state->moves = SNI_NEW_ARRAY(&memory, snVec3, count);
    state->velocities = SNI_NEW_ARRAY(&memory, snVec3, count);
    state->primaries = SNI_NEW_ARRAY(&memory, snVec3, count);
    state->before = SNI_NEW_ARRAY(&memory, snVec3, count);
    if (state->moves == NULL || state->velocities == NULL || state->primaries == NULL ||
        state->before == NULL) {
        sn_flesh_state_destroy(state);
        return sni_fail_memory(error);
    }
    *out = state;
    return SN_RESULT_OK;
}

void sn_flesh_state_destroy(snFleshState* state) {
    if (state == NULL) return;
    snAllocator memory = state->allocator;
    sni_free(&memory, state->moves);
    sni_free(&memory, state->velocities);
    sni_free(&memory, state->primaries);
    sni_free(&memory, state->before);
    sni_free(&memory, state);
}

void sn_flesh_reset(snFleshState* state, const snVec4* primary) {
    snVec3 none = {0.0f, 0.0f, 0.0f};
    for (uint32_t p = 0; p < state->particle_count; p++) {
        state->moves[p] = state->velocities[p] = state->before[p] = none;
        state->primaries[p] = sn_vec3(primary[p].x, primary[p].y, primary[p].z);
    }
    state->fresh = true;
}
