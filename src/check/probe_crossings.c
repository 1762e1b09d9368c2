// Surface that cuts through surface, and did not at rest.
//
// Characters cross at rest on purpose: eyes in their sockets, hair in the skull, clothes over skin. So two
// pieces that cross each other at rest are never held against each other, and within a piece neither are the
// places that cross it at rest.
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "check/probe.h"

static snResult run(sniProbe* probe, const snVec3* positions, uint32_t capacity, snCrossing* out,
                    uint32_t* count) {
    snCrossingsJob job = {.point_count = probe->vertex_count,
                          .points = positions,
                          .triangle_count = probe->triangle_count,
                          .triangles = (const uint32_t(*)[3])probe->welded,
                          .scratch = probe->crossing_scratch,
                          .capacity = capacity,
                          .out_crossings = out,
                          .tasks = probe->tasks};
    snResult result = sn_crossings_run(&job);
    *count = job.out_count < capacity ? job.out_count : capacity;
    if (out == NULL) *count = job.out_count;
    return result;
}

static uint64_t pair_key(const sniProbe* probe, snCrossing crossing) {
    uint64_t a = probe->pieces_of[crossing.a], b = probe->pieces_of[crossing.b];
    return a < b ? a << 32 | b : b << 32 | a;
}

// Marks the triangles that cross their own piece, and all that touch them.
static bool taint(sniProbe* probe, const snCrossing* crossings, uint32_t count) {
    uint8_t* points = SNI_NEW_ARRAY(&probe->memory, uint8_t, probe->vertex_count);
    if (points == NULL) return false;
    for (uint32_t i = 0; i < count; i++) {
        if (probe->pieces_of[crossings[i].a] != probe->pieces_of[crossings[i].b]) continue;
        for (int k = 0; k < 3; k++) {
            points[probe->welded[crossings[i].a][k]] = 1;
            points[probe->welded[crossings[i].b][k]] = 1;
        }
    }
    for (uint32_t t = 0; t < probe->triangle_count; t++) {
        const uint32_t* p = probe->welded[t];
        probe->tainted[t] = points[p[0]] | points[p[1]] | points[p[2]];
    }
    sni_free(&probe->memory, points);
    return true;
}

static void list_pairs(sniProbe* probe, const snCrossing* crossings, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) probe->piece_pairs[i] = pair_key(probe, crossings[i]);
    sni_sort_u64(probe->piece_pairs, count);
    for (uint32_t i = 0; i < count; i++) {
        if (i > 0 && probe->piece_pairs[i] == probe->piece_pairs[i - 1]) continue;
        probe->piece_pairs[probe->piece_pair_count++] = probe->piece_pairs[i];
    }
}

static snResult look_at_rest(sniProbe* probe, snError* error) {
    const snAllocator* memory = &probe->memory;
    uint32_t count = 0;
    snResult result = run(probe, probe->rest, 0, NULL, &count);
    if (result != SN_RESULT_OK)
        return sni_fail(error, result, "the surface cannot be searched for crossings");
    snCrossing* crossings = SNI_NEW_ARRAY(memory, snCrossing, count);
    probe->piece_pairs = SNI_NEW_ARRAY(memory, uint64_t, count);
    bool enough = crossings != NULL && probe->piece_pairs != NULL;
    if (enough && count > 0) result = run(probe, probe->rest, count, crossings, &count);
    probe->rest_crossings = count;
    enough = enough && taint(probe, crossings, count);
    if (enough) list_pairs(probe, crossings, count);
    sni_free(memory, crossings);
    return enough ? result : sni_fail_memory(error);
}

snResult sni_probe_crossings(sniProbe* probe, snError* error) {
    const snAllocator* memory = &probe->memory;
    probe->crossing_scratch = sni_alloc_array(memory, sn_crossings_scratch_size(probe->triangle_count), 1);
    // Once as many pairs cross as there are triangles, more of them say nothing new.
    probe->crossing_capacity = probe->triangle_count;
    probe->crossings = SNI_NEW_ARRAY(memory, snCrossing, probe->crossing_capacity);
    probe->tainted = SNI_NEW_ARRAY(memory, uint8_t, probe->triangle_count);
    probe->crossed = SNI_NEW_ARRAY(memory, uint8_t, probe->triangle_count);
    if (probe->crossing_scratch == NULL || probe->crossings == NULL || probe->tainted == NULL ||
        probe->crossed == NULL)
        return sni_fail_memory(error);
    return look_at_rest(probe, error);
}

static bool known(const sniProbe* probe, snCrossing crossing) {
    if (probe->pieces_of[crossing.a] == probe->pieces_of[crossing.b])
        return probe->tainted[crossing.a] || probe->tainted[crossing.b];
    uint64_t key = pair_key(probe, crossing);
    uint32_t low = 0, high = probe->piece_pair_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (probe->piece_pairs[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < probe->piece_pair_count && probe->piece_pairs[low] == key;
}

snResult sni_probe_crossing(sniProbe* probe, sniFinding* findings) {
    uint32_t count = 0;
    snResult result = run(probe, probe->now, probe->crossing_capacity, probe->crossings, &count);
    if (result != SN_RESULT_OK) return result;
    memset(probe->crossed, 0, probe->triangle_count);
    for (uint32_t i = 0; i < count; i++) {
        if (known(probe, probe->crossings[i])) continue;
        probe->crossed[probe->crossings[i].a] = 1;
        probe->crossed[probe->crossings[i].b] = 1;
    }
    for (uint32_t t = 0; t < probe->triangle_count; t++) {
        if (!probe->crossed[t]) continue;
        uint32_t joint = probe->triangle_joints[t];
        findings[joint].value += (float)((double)probe->areas[t] / probe->zones[joint].area);
        if (findings[joint].triangle == SN_NONE) findings[joint].triangle = t;
    }
    return SN_RESULT_OK;
}
