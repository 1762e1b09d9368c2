// Connected pieces of surface over all parts, and their volumes.
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "base/union_find.h"
#include "check/probe.h"

// Pieces that enclose less than this, of their area to the power 1.5, are sheets; a ball has 0.094. Judged,
// as are the next two.
#define FLAT 2e-3
// Pieces smaller than this, of the largest, are of no consequence.
#define SMALL 1e-4
// Pieces with larger openings than this, of their area, have no inside.
#define OPEN 0.05

typedef struct Builder {
    sniProbe* probe;
    uint32_t* parents; // vertex_count
    uint64_t* edges;   // of all triangles with their direction, sorted
    uint32_t* numbers; // vertex_count; piece of a root
    uint8_t* bad;      // piece_count; not oriented
    double* areas;     // piece_count
    double* openings;  // piece_count
} Builder;

static uint64_t edge_key(uint32_t from, uint32_t to) { return (uint64_t)from << 32 | to; }

static bool has_edge(const Builder* b, uint64_t key) {
    size_t count = 3 * (size_t)b->probe->triangle_count, at = sni_lower_bound_u64(b->edges, count, key);
    return at < count && b->edges[at] == key;
}

static bool collapsed(const uint32_t* t) { return t[0] == t[1] || t[1] == t[2] || t[2] == t[0]; }

static void join(Builder* b) {
    sniProbe* probe = b->probe;
    sni_sets_reset(b->parents, probe->vertex_count);
    for (uint32_t t = 0; t < probe->triangle_count; t++) {
        const uint32_t* p = probe->welded[t];
        sni_sets_join(b->parents, p[0], p[1]);
        sni_sets_join(b->parents, p[0], p[2]);
        for (size_t k = 0; k < 3; k++)
            b->edges[3 * (size_t)t + k] = collapsed(p) ? UINT64_MAX : edge_key(p[k], p[(k + 1) % 3]);
    }
    sni_sets_flatten(b->parents, probe->vertex_count);
    sni_sort_u64(b->edges, 3 * (size_t)probe->triangle_count);
    for (uint32_t v = 0; v < probe->vertex_count; v++) b->numbers[v] = SN_NONE;
    for (uint32_t t = 0; t < probe->triangle_count; t++) {
        uint32_t* number = &b->numbers[b->parents[probe->welded[t][0]]];
        if (*number == SN_NONE) *number = probe->piece_count++;
        probe->pieces_of[t] = *number;
    }
}

// An edge that is walked twice in the same direction: the faces disagree on where outside is.
static void find_unoriented(Builder* b) {
    for (size_t i = 1; i < 3 * (size_t)b->probe->triangle_count; i++) {
        uint64_t key = b->edges[i];
        if (key != b->edges[i - 1] || key == UINT64_MAX) continue;
        b->bad[b->numbers[b->parents[key >> 32]]] = 1;
    }
}

// Every open edge gets a triangle to the middle of its loop; loops are what open edges connect. The union of
// points is made anew for that.
static snResult close_openings(Builder* b, snError* error) {
    sniProbe* probe = b->probe;
    const snAllocator* memory = &probe->memory;
    uint32_t* sets = SNI_NEW_ARRAY(memory, uint32_t, probe->vertex_count);
    uint32_t* loops = SNI_NEW_ARRAY(memory, uint32_t, probe->vertex_count);
    size_t capacity = 0, capacity_pieces = 0;
    bool enough = sets != NULL && loops != NULL;
    if (enough) sni_sets_reset(sets, probe->vertex_count);
    for (size_t i = 0; enough && i < 3 * (size_t)probe->triangle_count; i++) {
        uint64_t key = b->edges[i];
        if (key == UINT64_MAX) break;
        uint32_t from = (uint32_t)(key >> 32), to = (uint32_t)key;
        if (has_edge(b, edge_key(to, from))) continue;
        enough =
            sni_grow(memory, &probe->caps, &capacity, (size_t)probe->cap_count + 1, sizeof *probe->caps) &&
            sni_grow(memory, &probe->cap_pieces, &capacity_pieces, (size_t)probe->cap_count + 1,
                     sizeof *probe->cap_pieces);
        if (!enough) break;
        probe->caps[probe->cap_count][0] = to;
        probe->caps[probe->cap_count][1] = from;
        probe->cap_pieces[probe->cap_count++] = b->numbers[b->parents[from]];
        sni_sets_join(sets, from, to);
    }
    if (enough) {
        sni_sets_flatten(sets, probe->vertex_count);
        for (uint32_t v = 0; v < probe->vertex_count; v++) loops[v] = SN_NONE;
        for (uint32_t i = 0; i < probe->cap_count; i++) {
            uint32_t* loop = &loops[sets[probe->caps[i][0]]];
            if (*loop == SN_NONE) *loop = probe->loop_count++;
            probe->caps[i][2] = *loop;
        }
        probe->loop_middles = SNI_NEW_ARRAY(memory, snVec3, probe->loop_count);
        probe->loop_sizes = SNI_NEW_ARRAY(memory, uint32_t, probe->loop_count);
        enough = probe->loop_middles != NULL && probe->loop_sizes != NULL;
    }
    for (uint32_t i = 0; enough && i < probe->cap_count; i++) probe->loop_sizes[probe->caps[i][2]]++;
    sni_free(memory, sets);
    sni_free(memory, loops);
    return enough ? SN_RESULT_OK : sni_fail_memory(error);
}

// ----------------------------------------------------------------------------------------------- volumes

static void find_middles(sniProbe* probe, const snVec3* positions) {
    for (uint32_t i = 0; i < probe->loop_count; i++) probe->loop_middles[i] = sn_vec3(0.0f, 0.0f, 0.0f);
    for (uint32_t i = 0; i < probe->cap_count; i++) { // every point of a loop begins one of its edges
        snVec3* middle = &probe->loop_middles[probe->caps[i][2]];
        float share = 1.0f / (float)probe->loop_sizes[probe->caps[i][2]];
        *middle = sn_add(*middle, sn_scale(positions[probe->caps[i][0]], share));
    }
}

static double corner_volume(snVec3 origin, snVec3 a, snVec3 b, snVec3 c) {
    return (double)sn_dot(sn_cross(sn_sub(a, origin), sn_sub(b, origin)), sn_sub(c, origin)) / 6.0;
}

// Are a triangle and the next the halves of a quad?
static bool is_quad(const sniProbe* probe, uint32_t t) {
    const uint32_t(*v)[3] = (const uint32_t(*)[3])probe->triangles + t;
    uint32_t last = probe->triangle_count - 1;
    bool next =
        t < last && v[1][0] == v[0][0] && v[1][1] == v[0][2] && probe->faces[t + 1] == probe->faces[t];
    bool longer = next && t + 1 < last && v[2][0] == v[0][0] && probe->faces[t + 2] == probe->faces[t];
    bool begins = t == 0 || v[-1][0] != v[0][0] || probe->faces[t - 1] != probe->faces[t];
    return begins && next && !longer;
}

// Quads as bilinear patches, as the rest of the library has them.
static void measure_pieces(sniProbe* probe, const snVec3* positions, double* out) {
    find_middles(probe, positions);
    for (uint32_t i = 0; i < probe->piece_count; i++) out[i] = 0.0;
    for (uint32_t t = 0; t < probe->triangle_count; t++) {
        uint32_t piece = probe->pieces_of[t];
        const uint32_t* v = probe->welded[t];
        snVec3 origin = positions[probe->welded[probe->pieces[piece].triangle][0]];
        snVec3 a = sn_sub(positions[v[0]], origin), b = sn_sub(positions[v[1]], origin);
        snVec3 c = sn_sub(positions[v[2]], origin);
        if (is_quad(probe, t)) {
            snVec3 d = sn_sub(positions[probe->welded[++t][2]], origin);
            out[piece] += sn_quad_volume(a, b, c, d);
        } else {
            out[piece] += (double)sn_dot(sn_cross(a, b), c) / 6.0;
        }
    }
    for (uint32_t i = 0; i < probe->cap_count; i++) {
        uint32_t piece = probe->cap_pieces[i];
        const uint32_t* cap = probe->caps[i];
        snVec3 origin = positions[probe->welded[probe->pieces[piece].triangle][0]];
        out[piece] +=
            corner_volume(origin, positions[cap[0]], positions[cap[1]], probe->loop_middles[cap[2]]);
    }
}

static void measure_openings(Builder* b) {
    sniProbe* probe = b->probe;
    for (uint32_t t = 0; t < probe->triangle_count; t++)
        b->areas[probe->pieces_of[t]] += (double)probe->areas[t];
    for (uint32_t i = 0; i < probe->cap_count; i++) {
        const uint32_t* cap = probe->caps[i];
        snVec3 middle = probe->loop_middles[cap[2]];
        snVec3 area = sn_cross(sn_sub(probe->rest[cap[0]], middle), sn_sub(probe->rest[cap[1]], middle));
        b->openings[probe->cap_pieces[i]] += 0.5 * (double)sn_length(area);
    }
}

static double size_of(double volume) { return volume < 0.0 ? -volume : volume; }

// Keeps the volumes of pieces that have an inside and matter.
static void keep_volumes(Builder* b) {
    sniProbe* probe = b->probe;
    for (uint32_t t = probe->triangle_count; t-- > 0;) probe->pieces[probe->pieces_of[t]].triangle = t;
    measure_pieces(probe, probe->rest, probe->piece_volumes);
    measure_openings(b);
    double largest = 0.0;
    for (uint32_t i = 0; i < probe->piece_count; i++) {
        double volume = probe->piece_volumes[i], area = b->areas[i];
        bool solid =
            !b->bad[i] && b->openings[i] <= OPEN * area && size_of(volume) > FLAT * area * sqrt(area);
        probe->pieces[i].volume = solid ? volume : 0.0;
        if (size_of(probe->pieces[i].volume) > largest) largest = size_of(probe->pieces[i].volume);
    }
    for (uint32_t i = 0; i < probe->piece_count; i++)
        if (size_of(probe->pieces[i].volume) < SMALL * largest) probe->pieces[i].volume = 0.0;
}

snResult sni_probe_pieces(sniProbe* probe, snError* error) {
    const snAllocator* memory = &probe->memory;
    Builder b = {.probe = probe,
                 .parents = SNI_NEW_ARRAY(memory, uint32_t, probe->vertex_count),
                 .edges = SNI_NEW_ARRAY(memory, uint64_t, 3 * (size_t)probe->triangle_count),
                 .numbers = SNI_NEW_ARRAY(memory, uint32_t, probe->vertex_count)};
    bool enough = b.parents != NULL && b.edges != NULL && b.numbers != NULL;
    if (enough) {
        join(&b);
        b.bad = SNI_NEW_ARRAY(memory, uint8_t, probe->piece_count);
        b.areas = SNI_NEW_ARRAY(memory, double, probe->piece_count);
        b.openings = SNI_NEW_ARRAY(memory, double, probe->piece_count);
        probe->pieces = SNI_NEW_ARRAY(memory, sniPiece, probe->piece_count);
        probe->piece_volumes = SNI_NEW_ARRAY(memory, double, probe->piece_count);
        enough = b.bad != NULL && b.areas != NULL && b.openings != NULL && probe->pieces != NULL &&
                 probe->piece_volumes != NULL;
    }
    snResult result = enough ? SN_RESULT_OK : sni_fail_memory(error);
    if (enough) find_unoriented(&b);
    if (enough) result = close_openings(&b, error);
    if (result == SN_RESULT_OK) keep_volumes(&b);
    void* arrays[] = {b.parents, b.edges, b.numbers, b.bad, b.areas, b.openings};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(memory, arrays[i]);
    return result;
}

void sni_probe_volume(sniProbe* probe, sniFinding* findings) {
    sniFinding* whole = &findings[probe->joint_count];
    measure_pieces(probe, probe->now, probe->piece_volumes);
    for (uint32_t i = 0; i < probe->piece_count; i++) {
        if (probe->pieces[i].volume == 0.0) continue;
        double change = probe->piece_volumes[i] / probe->pieces[i].volume - 1.0;
        if (size_of(change) <= (double)whole->value) continue;
        whole->change = (float)change;
        whole->value = (float)size_of(change);
        whole->triangle = probe->pieces[i].triangle;
    }
}
