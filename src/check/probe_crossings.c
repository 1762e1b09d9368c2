// Surface that cuts through surface, and did not at rest.
//
// Characters cross at rest on purpose: eyes in their sockets, hair in the skull, clothes over skin. So two
// pieces that cross each other at rest are never held against each other, and within a piece neither are the
// places that cross it at rest.
#include "base/error.h"
#include "base/memory.h"
#include "base/progress.h"
#include "base/sort.h"
#include "check/probe.h"
#include "shape/crossings.h"

static snResult run(sniProbe* probe, const snVec3* positions, uint32_t capacity, snCrossing* out,
                    uint32_t* count, snError* error) {
    sniSpan span = {&probe->progress, probe->share, probe->share, "checking"};
    snCrossingsJob job = {.point_count = probe->vertex_count,
                          .points = positions,
                          .triangle_count = probe->triangle_count,
                          .triangles = (const uint32_t(*)[3])probe->welded,
                          .scratch = probe->crossing_scratch,
                          .capacity = capacity,
                          .out_crossings = out,
                          .tasks = probe->tasks,
                          .progress = sni_span_progress(&span)};
    snResult result = sn_crossings_run(&job);
    if (result == SN_RESULT_CANCELLED) return sni_fail(error, result, "cancelled while checking");
    if (result != SN_RESULT_OK)
        return sni_fail(error, result, "the surface cannot be searched for crossings");
    *count = job.out_count < capacity ? job.out_count : capacity;
    if (out == NULL) *count = job.out_count;
    return SN_RESULT_OK;
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
    snResult result = SN_RESULT_OK;
    SNI_TRY(run(probe, probe->rest, 0, NULL, &count, error));
    snCrossing* crossings = SNI_NEW_ARRAY(memory, snCrossing, count);
    probe->piece_pairs = SNI_NEW_ARRAY(memory, uint64_t, count);
    bool enough = crossings != NULL && probe->piece_pairs != NULL;
    if (enough && count > 0) result = run(probe, probe->rest, count, crossings, &count, error);
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

// Joints that are the same, parent and child, brothers, or grandparent and grandchild.
static bool near_joints(const sniProbe* probe, uint32_t a, uint32_t b) {
    const uint32_t* parents = probe->model->skeleton->parents;
    uint32_t above = parents[a], over = parents[b];
    if (a == b || above == b || over == a) return true;
    if (above != SN_NONE && (above == over || parents[above] == b)) return true;
    return over != SN_NONE && parents[over] == a;
}

// What is no fault of the skin: things that are carried, and limbs that meet because of where they went.
static bool is_contact(const sniProbe* probe, snCrossing crossing) {
    const snPart* parts = probe->model->parts;
    if (parts[probe->parts_of[crossing.a]].skin == SN_NONE ||
        parts[probe->parts_of[crossing.b]].skin == SN_NONE)
        return true;
    return !near_joints(probe, probe->triangle_joints[crossing.a], probe->triangle_joints[crossing.b]);
}

static bool known(const sniProbe* probe, snCrossing crossing) {
    if (probe->near_only && is_contact(probe, crossing)) return true;
    if (probe->pieces_of[crossing.a] == probe->pieces_of[crossing.b])
        return probe->tainted[crossing.a] || probe->tainted[crossing.b];
    uint64_t key = pair_key(probe, crossing);
    size_t at = sni_lower_bound_u64(probe->piece_pairs, probe->piece_pair_count, key);
    return at < probe->piece_pair_count && probe->piece_pairs[at] == key;
}

static float cut_length(const sniProbe* probe, snCrossing crossing) {
    snVec3 a[3], b[3];
    for (int k = 0; k < 3; k++) {
        a[k] = probe->now[probe->welded[crossing.a][k]];
        b[k] = probe->now[probe->welded[crossing.b][k]];
    }
    return sni_triangles_cut(a, b);
}

// Lengths are in units of the border of a disc as large as the joint's surface, so that a finer mesh does not
// change them, which the area of the triangles that are cut would.
static void add_cut(sniProbe* probe, uint32_t t, float length, sniFinding* findings) {
    uint32_t joint = probe->triangle_joints[t];
    float border = (float)sqrt(4.0 * (double)SN_PI * probe->zones[joint].area);
    if (!(border > 0.0f)) return;
    findings[joint].value += length / border;
    if (findings[joint].triangle != SN_NONE && length <= probe->most[joint]) return;
    probe->most[joint] = length;
    findings[joint].triangle = t;
}

snResult sni_probe_crossing(sniProbe* probe, sniFinding* findings, snError* error) {
    uint32_t count = 0;
    SNI_TRY(run(probe, probe->now, probe->crossing_capacity, probe->crossings, &count, error));
    memset(probe->crossed, 0, probe->triangle_count);
    for (uint32_t i = 0; i < count; i++) {
        snCrossing crossing = probe->crossings[i];
        if (known(probe, crossing)) continue;
        probe->crossed[crossing.a] = 1;
        probe->crossed[crossing.b] = 1;
        float length = cut_length(probe, crossing);
        add_cut(probe, crossing.a, length, findings);
        if (probe->triangle_joints[crossing.a] != probe->triangle_joints[crossing.b])
            add_cut(probe, crossing.b, length, findings);
    }
    return SN_RESULT_OK;
}
