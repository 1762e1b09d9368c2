// Pieces without a bone, soft ones: a belt lies on its host everywhere and follows it point by point; a horn
// or a feather touches it at one end, and all of it goes where that end goes. Both are one diffusion on the
// piece, in which a point hears its host the better the nearer it is.
#include "base/error.h"
#include "base/memory.h"
#include "bind/auto.h"

typedef struct System {
    uint32_t* rows; // per point: its perch, or SN_NONE
    sniLaplacian laplacian;
    double* holds;
    sniSources sources;
    sniTop top;
} System;

static bool allocate(System* system, const sniLaplacian* whole, const sniPerch* perches, uint32_t count) {
    sniLaplacian* l = &system->laplacian;
    const snAllocator* memory = &l->allocator;
    size_t edges = 0;
    for (uint32_t i = 0; i < count; i++) {
        edges += whole->starts[perches[i].point + 1] - whole->starts[perches[i].point];
    }
    l->count = count;
    l->starts = SNI_NEW_ARRAY(memory, uint32_t, (size_t)count + 1);
    l->columns = SNI_NEW_ARRAY(memory, uint32_t, edges);
    l->values = SNI_NEW_ARRAY(memory, double, edges);
    system->rows = SNI_NEW_ARRAY(memory, uint32_t, whole->count);
    system->holds = SNI_NEW_ARRAY(memory, double, count);
    system->sources.starts = SNI_NEW_ARRAY(memory, uint32_t, (size_t)count + 1);
    system->sources.joints = SNI_NEW_ARRAY(memory, uint16_t, (size_t)count * SNI_TOP);
    system->sources.values = SNI_NEW_ARRAY(memory, float, (size_t)count* SNI_TOP);
    return l->starts != NULL && l->columns != NULL && l->values != NULL && system->rows != NULL &&
           system->holds != NULL && system->sources.starts != NULL && system->sources.joints != NULL &&
           system->sources.values != NULL;
}

static void release(System* system) {
    const snAllocator memory = system->laplacian.allocator;
    sni_free(&memory, system->rows);
    sni_free(&memory, system->holds);
    sni_free(&memory, system->sources.starts);
    sni_free(&memory, system->sources.joints);
    sni_free(&memory, system->sources.values);
    sni_laplacian_free(&system->laplacian);
    sni_top_free(&system->top);
}

// Perches come by rising point, so that columns rise as well.
static void fill(System* system, const sniLaplacian* whole, const sniPerch* perches, const sniTop* points) {
    sniLaplacian* l = &system->laplacian;
    uint32_t edges = 0, entries = 0;
    for (uint32_t p = 0; p < whole->count; p++) system->rows[p] = SN_NONE;
    for (uint32_t i = 0; i < l->count; i++) system->rows[perches[i].point] = i;
    for (uint32_t i = 0; i < l->count; i++) {
        uint32_t point = perches[i].point;
        for (uint32_t e = whole->starts[point]; e < whole->starts[point + 1]; e++) {
            if (system->rows[whole->columns[e]] == SN_NONE) continue;
            l->columns[edges] = system->rows[whole->columns[e]];
            l->values[edges++] = whole->values[e];
        }
        l->starts[i + 1] = edges;
        system->holds[i] = perches[i].hold;
        size_t from = (size_t)perches[i].host * SNI_TOP;
        for (size_t k = from; k < from + SNI_TOP && points->weights[k] > 0.0f; k++) {
            system->sources.joints[entries] = points->joints[k];
            system->sources.values[entries++] = points->weights[k];
        }
        system->sources.starts[i + 1] = entries;
    }
}

static snResult solve(System* system, const sniBind* bind, const sniPerch* perches, sniTop* points,
                      snError* error) {
    sniSolved solved;
    sniDiffusion diffusion = {.laplacian = &system->laplacian,
                              .holds = system->holds,
                              .sources = &system->sources,
                              .joint_count = bind->bones->joint_count,
                              .parents = bind->bones->parents,
                              .tasks = &bind->def->tasks,
                              .level = bind->def->level,
                              .tolerance = SN_BIND_TOLERANCE};
    SNI_TRY(sni_top_create(system->laplacian.count, &bind->allocator, &system->top, error));
    SNI_TRY(sni_diffuse(&diffusion, &bind->allocator, &system->top, &solved, error));
    if (solved.residual > bind->report->residual) bind->report->residual = solved.residual;
    if (solved.iterations > bind->report->iterations) bind->report->iterations = solved.iterations;
    sni_top_normalize(&system->top);
    for (uint32_t i = 0; i < system->laplacian.count; i++) {
        sni_top_copy(points, perches[i].point, &system->top, i);
    }
    return SN_RESULT_OK;
}

snResult sni_attach(const sniBind* bind, const sniLaplacian* laplacian, const sniPerch* perches,
                    uint32_t count, sniTop* points, snError* error) {
    System system = {.laplacian.allocator = bind->allocator};
    snResult result = SN_RESULT_OK;
    if (count == 0) return result;
    if (allocate(&system, laplacian, perches, count)) {
        fill(&system, laplacian, perches, points);
        result = solve(&system, bind, perches, points, error);
    } else {
        result = sni_fail_memory(error);
    }
    release(&system);
    return result;
}
