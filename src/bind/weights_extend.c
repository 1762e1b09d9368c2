// Weights between the surface and the lattice, both ways.
#include "base/error.h"
#include "base/memory.h"
#include "bind/bone_cells.h"
#include "lattice/steps.h"

snResult sni_weights_embed(const sniBind* bind, const sniTop* particles, sniTop* points, snError* error) {
    const snLattice* lattice = bind->lattice;
    sniMix mix;
    SNI_TRY(sni_mix_create(bind->bones->joint_count, &bind->allocator, &mix, error));
    for (uint32_t i = 0; i < lattice->point_count; i++) {
        const uint32_t* corners = lattice->cell_particles[lattice->point_cells[i]];
        float shares[8];
        if (points->totals[i] > 0.0f) continue; // it has its own
        sni_trilinear_inside(lattice->point_coords[i], shares);
        for (int k = 0; k < 8; k++) sni_mix_add_item(&mix, particles, corners[k], shares[k]);
        sni_mix_flush(&mix, points, i);
    }
    sni_mix_free(&mix, &bind->allocator);
    return SN_RESULT_OK;
}

// ---------------------------------------------------------------------------------------- to particles

typedef struct Extension {
    const sniBind* bind;
    const sniTop* points;
    sniCellPoints cell_points;
    sniCorners corners;
    sniTop near;            // per particle: what the points around it say
    sniLaplacian laplacian; // of all particles
    double* holds;
    sniSources sources;
    bool* reached; // per piece
} Extension;

static bool allocate(Extension* x) {
    const snLattice* lattice = x->bind->lattice;
    const snAllocator* memory = &x->bind->allocator;
    size_t particles = lattice->particle_count, edges = lattice->neighbor_starts[lattice->particle_count];
    x->laplacian = (sniLaplacian){.count = lattice->particle_count,
                                  .starts = SNI_NEW_ARRAY(memory, uint32_t, particles + 1),
                                  .columns = SNI_NEW_ARRAY(memory, uint32_t, edges),
                                  .values = SNI_NEW_ARRAY(memory, double, edges),
                                  .allocator = *memory};
    x->holds = SNI_NEW_ARRAY(memory, double, particles);
    x->sources.starts = SNI_NEW_ARRAY(memory, uint32_t, particles + 1);
    x->sources.joints = SNI_NEW_ARRAY(memory, uint16_t, particles * SNI_TOP);
    x->sources.values = SNI_NEW_ARRAY(memory, float, particles* SNI_TOP);
    x->reached = SNI_NEW_ARRAY(memory, bool, lattice->piece_count);
    return x->laplacian.starts != NULL && x->laplacian.columns != NULL && x->laplacian.values != NULL &&
           x->holds != NULL && x->sources.starts != NULL && x->sources.joints != NULL &&
           x->sources.values != NULL && x->reached != NULL;
}

static void release(Extension* x) {
    const snAllocator* memory = &x->bind->allocator;
    sni_cell_points_free(&x->cell_points, memory);
    sni_corners_free(&x->corners, memory);
    sni_top_free(&x->near);
    sni_laplacian_free(&x->laplacian);
    sni_free(memory, x->holds);
    sni_free(memory, x->sources.starts);
    sni_free(memory, x->sources.joints);
    sni_free(memory, x->sources.values);
    sni_free(memory, x->reached);
}

// Mixes the points of the cells around a particle by their trilinear shares; the largest share says how much
// the mixture can be trusted.
static double mix_points(const Extension* x, uint32_t particle, sniMix* mix) {
    const snLattice* lattice = x->bind->lattice;
    float largest = 0.0f;
    for (uint32_t e = x->corners.starts[particle]; e < x->corners.starts[particle + 1]; e++) {
        uint32_t cell = x->corners.items[e] / 8, corner = x->corners.items[e] % 8;
        for (uint32_t i = x->cell_points.starts[cell]; i < x->cell_points.starts[cell + 1]; i++) {
            uint32_t point = x->cell_points.points[i];
            float shares[8];
            if (!(x->points->totals[point] > 0.0f)) continue;
            sni_trilinear_inside(lattice->point_coords[point], shares);
            sni_mix_add_item(mix, x->points, point, shares[corner]);
            largest = sn_maxf(largest, shares[corner]);
        }
    }
    return (double)largest;
}

static void fill_sources(Extension* x, sniMix* mix) {
    const snLattice* lattice = x->bind->lattice;
    uint32_t entry = 0;
    for (uint32_t p = 0; p < lattice->particle_count; p++) {
        x->holds[p] = SNI_EXTEND_HOLD * mix_points(x, p, mix);
        if (x->holds[p] > 0.0) x->reached[lattice->pieces[p]] = true;
        sni_mix_flush(mix, &x->near, p);
        float sum = 0.0f;
        for (uint32_t k = 0; k < SNI_TOP; k++) sum += x->near.weights[(size_t)p * SNI_TOP + k];
        for (uint32_t k = 0; k < SNI_TOP; k++) {
            float weight = x->near.weights[(size_t)p * SNI_TOP + k];
            if (!(weight > 0.0f)) continue;
            x->sources.joints[entry] = x->near.joints[(size_t)p * SNI_TOP + k];
            x->sources.values[entry++] = weight / sum;
        }
        x->sources.starts[p + 1] = entry;
    }
    // Nothing pulls at a piece without points: any hold makes its rows solvable, with the answer 0.
    for (uint32_t p = 0; p < lattice->particle_count; p++) {
        if (!x->reached[lattice->pieces[p]]) x->holds[p] = 1.0;
    }
}

static void fill_laplacian(Extension* x) {
    const snLattice* lattice = x->bind->lattice;
    for (uint32_t p = 0; p < lattice->particle_count; p++) {
        x->laplacian.starts[p + 1] = lattice->neighbor_starts[p + 1];
        for (uint32_t n = lattice->neighbor_starts[p]; n < lattice->neighbor_starts[p + 1]; n++) {
            x->laplacian.columns[n] = lattice->neighbors[n];
            x->laplacian.values[n] = sni_lattice_conductance(lattice, p, lattice->neighbors[n]);
        }
    }
}

static snResult extend(Extension* x, sniTop* particles, snError* error) {
    const sniBind* bind = x->bind;
    sniMix mix;
    sniSolved solved;
    snResult result = sni_cell_points_create(bind->lattice, &bind->allocator, &x->cell_points, error);
    if (result == SN_RESULT_OK) {
        result = sni_corners_create(bind->lattice, &bind->allocator, &x->corners, error);
    }
    if (result == SN_RESULT_OK) {
        result = sni_top_create(bind->lattice->particle_count, &bind->allocator, &x->near, error);
    }
    if (result == SN_RESULT_OK && !allocate(x)) result = sni_fail_memory(error);
    if (result == SN_RESULT_OK) {
        result = sni_mix_create(bind->bones->joint_count, &bind->allocator, &mix, error);
    }
    if (result != SN_RESULT_OK) return result;
    fill_sources(x, &mix);
    fill_laplacian(x);
    sni_mix_free(&mix, &bind->allocator);
    sniDiffusion diffusion = {.laplacian = &x->laplacian,
                              .holds = x->holds,
                              .sources = &x->sources,
                              .joint_count = bind->bones->joint_count,
                              .parents = bind->bones->parents,
                              .tasks = &bind->def->tasks,
                              .level = bind->def->level,
                              .tolerance = 1e-4}; // particles carry flesh; a part in 10,000 is not seen
    result = sni_diffuse(&diffusion, &bind->allocator, particles, &solved, error);
    return result == SN_RESULT_OK ? sni_follow_hosts(bind, x->reached, particles, error) : result;
}

snResult sni_weights_extend(const sniBind* bind, const sniTop* points, sniTop* particles, snError* error) {
    Extension extension = {.bind = bind, .points = points};
    snResult result = extend(&extension, particles, error);
    release(&extension);
    return result;
}
