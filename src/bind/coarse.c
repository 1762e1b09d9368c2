// A smaller system that behaves like a large one.
//
// Weights are smooth over many points of a fine mesh, so most of the work of conjugate gradients is to carry
// them across points that say little. Points are gathered in groups of about seven, the answer of the groups
// is found first, and the points start from there: a cascade, as in Bornemann and Deuflhard, "The cascadic
// multigrid method for elliptic problems".
#include "bind/coarse.h"
#include "base/error.h"
#include "base/memory.h"

// Part of a point's strongest tie that others must have to be in its group. It decides how long solving
// takes, not what comes out.
#define STRONG 0.5

typedef struct Gather {
    const sniLaplacian* fine;
    sniCoarse* coarse;
    uint32_t* first;   // per group: where its members begin, and one more
    uint32_t* members; // points by group
    uint32_t* place;   // per group: its entry in the row that is being made
    double* roots;     // per group: square root of its size
} Gather;

// The least tie that binds a point to a neighbour as one of its own. Beside a sliver, whose ends are one
// place as far as weights go, all else is far away.
static double least_tie(const sniLaplacian* l, uint32_t i) {
    double strongest = 0.0;
    for (uint32_t e = l->starts[i]; e < l->starts[i + 1]; e++) {
        if (l->values[e] > strongest) strongest = l->values[e];
    }
    return strongest > 0.0 ? strongest * STRONG : INFINITY;
}

// A point whose neighbours are all free becomes the middle of a group.
static void make_middles(const Gather* g) {
    const sniLaplacian* l = g->fine;
    uint32_t* of = g->coarse->of;
    for (uint32_t i = 0; i < l->count; i++) of[i] = SN_NONE;
    for (uint32_t i = 0; i < l->count; i++) {
        if (of[i] != SN_NONE) continue;
        double least = least_tie(l, i);
        bool free = true;
        for (uint32_t e = l->starts[i]; e < l->starts[i + 1] && free; e++) {
            free = l->values[e] < least || of[l->columns[e]] == SN_NONE;
        }
        if (!free) continue;
        uint32_t group = g->coarse->laplacian.count++;
        of[i] = group;
        for (uint32_t e = l->starts[i]; e < l->starts[i + 1]; e++) {
            if (l->values[e] >= least) of[l->columns[e]] = group;
        }
    }
}

// The others join the group to which they are tied most strongly. Each has a neighbour in one, or it would
// have become a middle itself.
static void join_rest(const Gather* g) {
    const sniLaplacian* l = g->fine;
    uint32_t* of = g->coarse->of;
    for (uint32_t i = 0; i < l->count; i++) {
        if (of[i] != SN_NONE) continue;
        double strongest = 0.0;
        for (uint32_t e = l->starts[i]; e < l->starts[i + 1]; e++) {
            if (of[l->columns[e]] == SN_NONE || !(l->values[e] > strongest)) continue;
            strongest = l->values[e];
            of[i] = of[l->columns[e]];
        }
    }
}

static void list_members(const Gather* g) {
    uint32_t groups = g->coarse->laplacian.count;
    for (uint32_t i = 0; i < g->fine->count; i++) g->first[g->coarse->of[i] + 2]++;
    for (uint32_t c = 0; c < groups; c++) {
        g->roots[c] = sqrt((double)g->first[c + 2]);
        g->first[c + 2] += g->first[c + 1];
    }
    for (uint32_t i = 0; i < g->fine->count; i++) g->members[g->first[g->coarse->of[i] + 1]++] = i;
    for (uint32_t c = 0; c < groups; c++) g->place[c] = SN_NONE;
}

// Edges between groups. Groups are farther apart than points by about the square root of their size, and tied
// less by as much.
static void tie_groups(const Gather* g) {
    const sniLaplacian* fine = g->fine;
    sniLaplacian* l = &g->coarse->laplacian;
    uint32_t entries = 0;
    for (uint32_t c = 0; c < l->count; c++) {
        uint32_t begin = entries;
        for (uint32_t m = g->first[c]; m < g->first[c + 1]; m++) {
            uint32_t i = g->members[m];
            for (uint32_t e = fine->starts[i]; e < fine->starts[i + 1]; e++) {
                uint32_t other = g->coarse->of[fine->columns[e]];
                if (other == c || !(fine->values[e] > 0.0)) continue;
                if (g->place[other] == SN_NONE) {
                    g->place[other] = entries;
                    l->columns[entries] = other;
                    l->values[entries++] = 0.0;
                }
                l->values[g->place[other]] += fine->values[e];
            }
        }
        sni_laplacian_sort_row(l, begin, entries);
        for (uint32_t e = begin; e < entries; e++) {
            l->values[e] *= 2.0 / (g->roots[c] + g->roots[l->columns[e]]);
            g->place[l->columns[e]] = SN_NONE;
        }
        l->starts[c + 1] = entries;
    }
}

// What the members hold and hear, together.
static void gather_sources(const Gather* g, const double* holds, const sniSources* sources, sniMix* mix,
                           sniTop* heard) {
    sniCoarse* coarse = g->coarse;
    uint32_t entry = 0;
    for (uint32_t c = 0; c < coarse->laplacian.count; c++) {
        for (uint32_t m = g->first[c]; m < g->first[c + 1]; m++) coarse->holds[c] += holds[g->members[m]];
        for (uint32_t m = g->first[c]; m < g->first[c + 1]; m++) {
            uint32_t i = g->members[m];
            float share = coarse->holds[c] > 0.0 ? (float)(holds[i] / coarse->holds[c]) : 0.0f;
            for (uint32_t e = sources->starts[i]; e < sources->starts[i + 1]; e++) {
                sni_mix_add(mix, sources->joints[e], share * sources->values[e]);
            }
        }
        sni_mix_flush(mix, heard, c);
        for (uint32_t k = 0; k < SNI_TOP; k++) {
            float value = heard->weights[(size_t)c * SNI_TOP + k];
            if (!(value > 0.0f)) continue;
            coarse->sources.joints[entry] = heard->joints[(size_t)c * SNI_TOP + k];
            coarse->sources.values[entry++] = value;
        }
        coarse->sources.starts[c + 1] = entry;
    }
}

static bool allocate_groups(Gather* g, const snAllocator* memory) {
    size_t points = g->fine->count;
    g->coarse->of = SNI_NEW_ARRAY(memory, uint32_t, points);
    g->members = SNI_NEW_ARRAY(memory, uint32_t, points);
    if (g->coarse->of == NULL || g->members == NULL) return false;
    make_middles(g);
    join_rest(g);
    size_t groups = g->coarse->laplacian.count;
    g->first = SNI_NEW_ARRAY(memory, uint32_t, groups + 2);
    g->place = SNI_NEW_ARRAY(memory, uint32_t, groups);
    g->roots = SNI_NEW_ARRAY(memory, double, groups);
    return g->first != NULL && g->place != NULL && g->roots != NULL;
}

static bool allocate_coarse(sniCoarse* coarse, size_t edges) {
    const snAllocator* memory = &coarse->laplacian.allocator;
    size_t groups = coarse->laplacian.count;
    coarse->laplacian.starts = SNI_NEW_ARRAY(memory, uint32_t, groups + 1);
    coarse->laplacian.columns = SNI_NEW_ARRAY(memory, uint32_t, edges);
    coarse->laplacian.values = SNI_NEW_ARRAY(memory, double, edges);
    coarse->holds = SNI_NEW_ARRAY(memory, double, groups);
    coarse->sources.starts = SNI_NEW_ARRAY(memory, uint32_t, groups + 1);
    coarse->sources.joints = SNI_NEW_ARRAY(memory, uint16_t, groups * SNI_TOP);
    coarse->sources.values = SNI_NEW_ARRAY(memory, float, groups* SNI_TOP);
    return coarse->laplacian.starts != NULL && coarse->laplacian.columns != NULL &&
           coarse->laplacian.values != NULL && coarse->holds != NULL && coarse->sources.starts != NULL &&
           coarse->sources.joints != NULL && coarse->sources.values != NULL;
}

static snResult build(Gather* g, const double* holds, const sniSources* sources, uint32_t joint_count,
                      snError* error) {
    const snAllocator* memory = &g->coarse->laplacian.allocator;
    sniMix mix = {0};
    sniTop heard = {0};
    if (!allocate_groups(g, memory) || !allocate_coarse(g->coarse, g->fine->starts[g->fine->count]))
        return sni_fail_memory(error);
    snResult result = sni_mix_create(joint_count, memory, &mix, error);
    if (result == SN_RESULT_OK) result = sni_top_create(g->coarse->laplacian.count, memory, &heard, error);
    if (result == SN_RESULT_OK) {
        list_members(g);
        tie_groups(g);
        gather_sources(g, holds, sources, &mix, &heard);
    }
    sni_mix_free(&mix, memory);
    sni_top_free(&heard);
    return result;
}

snResult sni_coarse_create(const sniLaplacian* laplacian, const double* holds, const sniSources* sources,
                           uint32_t joint_count, const snAllocator* allocator, sniCoarse* out,
                           snError* error) {
    sniCoarse coarse = {.laplacian.allocator = sni_allocator(allocator)};
    const snAllocator* memory = &coarse.laplacian.allocator;
    Gather gather = {.fine = laplacian, .coarse = &coarse};
    snResult result = build(&gather, holds, sources, joint_count, error);
    sni_free(memory, gather.first);
    sni_free(memory, gather.members);
    sni_free(memory, gather.place);
    sni_free(memory, gather.roots);
    if (result == SN_RESULT_OK)
        *out = coarse;
    else
        sni_coarse_free(&coarse);
    return result;
}

void sni_coarse_free(sniCoarse* coarse) {
    if (coarse == NULL || coarse->laplacian.allocator.free == NULL) return;
    const snAllocator memory = coarse->laplacian.allocator;
    sni_laplacian_free(&coarse->laplacian);
    sni_free(&memory, coarse->of);
    sni_free(&memory, coarse->holds);
    sni_free(&memory, coarse->sources.starts);
    sni_free(&memory, coarse->sources.joints);
    sni_free(&memory, coarse->sources.values);
    *coarse = (sniCoarse){0};
}
