// Pieces that float free take the weights of the piece they sit on.
#include "base/error.h"
#include "base/memory.h"
#include "bind/bind.h"
#include "lattice/steps.h"

typedef struct Follow {
    const sniBind* bind;
    sniTop* particles;
    bool* done;   // piece_count
    float* sizes; // piece_count; diagonal of the bounding box
    sniMix mix;
    uint32_t* first; // piece_count + 1; particles by piece
    uint32_t* members;
    uint32_t* waiting; // piece_count; a chain of pieces, each the host of the one before
} Follow;

static bool sort_members(Follow* follow, const bool* reached) {
    const snLattice* lattice = follow->bind->lattice;
    const snAllocator* memory = &follow->bind->allocator;
    follow->done = SNI_NEW_ARRAY(memory, bool, lattice->piece_count);
    follow->sizes = SNI_NEW_ARRAY(memory, float, lattice->piece_count);
    follow->first = SNI_NEW_ARRAY(memory, uint32_t, (size_t)lattice->piece_count + 2);
    follow->members = SNI_NEW_ARRAY(memory, uint32_t, lattice->particle_count);
    follow->waiting = SNI_NEW_ARRAY(memory, uint32_t, lattice->piece_count);
    if (follow->done == NULL || follow->sizes == NULL || follow->first == NULL || follow->members == NULL ||
        follow->waiting == NULL) {
        return false;
    }
    for (uint32_t p = 0; p < lattice->particle_count; p++) follow->first[lattice->pieces[p] + 2]++;
    for (uint32_t i = 0; i < lattice->piece_count; i++) follow->first[i + 2] += follow->first[i + 1];
    for (uint32_t p = 0; p < lattice->particle_count; p++) {
        follow->members[follow->first[lattice->pieces[p] + 1]++] = p;
    }
    for (uint32_t i = 0; i < lattice->piece_count; i++) {
        snBounds bounds = sn_bounds_empty();
        for (uint32_t m = follow->first[i]; m < follow->first[i + 1]; m++) {
            bounds = sn_bounds_add(bounds, lattice->rest[follow->members[m]]);
        }
        follow->sizes[i] = sn_bounds_diagonal(bounds);
        follow->done[i] = reached[i];
    }
    return true;
}

static void mix_host(Follow* follow, uint32_t particle) {
    const snLattice* lattice = follow->bind->lattice;
    const uint32_t* corners = lattice->cell_particles[lattice->host_cells[particle]];
    float shares[8];
    sni_trilinear_inside(lattice->host_coords[particle], shares);
    for (int k = 0; k < 8; k++) {
        const sniTop* top = follow->particles;
        float total = 0.0f;
        for (int i = 0; i < SNI_TOP; i++) total += top->weights[(size_t)corners[k] * SNI_TOP + (size_t)i];
        if (total > 0.0f) sni_mix_add_item(&follow->mix, top, corners[k], shares[k] / total);
    }
}

static void follow_piece(Follow* follow, uint32_t piece) {
    const snLattice* lattice = follow->bind->lattice;
    bool small = follow->sizes[piece] < SNI_SMALL_PIECE * follow->bind->surface->diagonal;
    uint32_t begin = follow->first[piece], end = follow->first[piece + 1];
    for (uint32_t m = begin; m < end; m++) {
        uint32_t p = follow->members[m];
        if (lattice->host_cells[p] != SN_NONE) mix_host(follow, p);
        if (!small) sni_mix_flush(&follow->mix, follow->particles, p);
    }
    if (!small) return;
    uint32_t first = follow->members[begin];
    sni_mix_flush(&follow->mix, follow->particles, first);
    for (uint32_t m = begin + 1; m < end; m++) {
        sni_top_copy(follow->particles, follow->members[m], follow->particles, first);
    }
}

// Hosts before those that follow them: up from each piece to the first that is done, and down again.
static void follow_all(Follow* follow) {
    const snLattice* lattice = follow->bind->lattice;
    for (uint32_t i = 0; i < lattice->piece_count; i++) {
        uint32_t count = 0, piece = i;
        for (; piece != SN_NONE && !follow->done[piece]; piece = lattice->hosts[piece]) {
            follow->waiting[count++] = piece;
        }
        if (piece == SN_NONE) continue;
        follow->bind->report->following_pieces += count;
        while (count > 0) {
            piece = follow->waiting[--count];
            follow_piece(follow, piece);
            follow->done[piece] = true;
        }
    }
}

snResult sni_follow_hosts(const sniBind* bind, const bool* reached, sniTop* particles, snError* error) {
    Follow follow = {.bind = bind, .particles = particles};
    SNI_TRY(sni_mix_create(bind->bones->joint_count, &bind->allocator, &follow.mix, error));
    bool enough = sort_members(&follow, reached);
    if (enough) follow_all(&follow);
    sni_mix_free(&follow.mix, &bind->allocator);
    sni_free(&bind->allocator, follow.done);
    sni_free(&bind->allocator, follow.sizes);
    sni_free(&bind->allocator, follow.first);
    sni_free(&bind->allocator, follow.members);
    sni_free(&bind->allocator, follow.waiting);
    return enough ? SN_RESULT_OK : sni_fail_memory(error);
}
