// Weight that crossed a gap. A joint has its own surface, where it has most of its weight; what else follows
// it should be near that along the surface, not only through the air: fingers side by side, thighs, arms that
// hang down.
#include "base/error.h"
#include "base/heap.h"
#include "base/progress.h"
#include "check/probe.h"

// All judged on the characters of `scripts/check_table.sh`.

// Weights below this bleed nothing that shows.
#define LEAST 0.03f
// A joint's own surface: at least this of the most that it has anywhere on the piece.
#define OWN 0.5f
// Bleeding is at least so far along the surface, of the model's diagonal, and so much further than straight.
#define FAR 0.02f
#define DETOUR 4.0f

typedef struct Walk {
    sniProbe* probe;
    uint32_t* starts;    // vertex_count + 1
    uint32_t* neighbors; // points along edges; some twice
    uint32_t* piece_of;  // vertex_count
    float* weights;      // vertex_count; of the joint in question, by point
    float* distances;    // vertex_count; along the surface from the joint's own
    float* most;         // piece_count
    sniHeap heap;        // of points
    uint32_t* own;       // points of the joint's own surface
    uint32_t own_count;
    bool failed;
} Walk;

// -------------------------------------------------------------------------------------------------- graph

static bool make_graph(Walk* w) {
    const sniProbe* probe = w->probe;
    size_t edges = 6 * (size_t)probe->triangle_count;
    if (edges >= SN_NONE) return false;
    for (uint32_t t = 0; t < probe->triangle_count; t++) {
        for (int k = 0; k < 3; k++) {
            w->starts[probe->welded[t][k] + 1] += 2;
            w->piece_of[probe->welded[t][k]] = probe->pieces_of[t];
        }
    }
    for (uint32_t v = 0; v < probe->vertex_count; v++) w->starts[v + 1] += w->starts[v];
    for (uint32_t t = 0; t < probe->triangle_count; t++) {
        const uint32_t* p = probe->welded[t];
        for (int k = 0; k < 3; k++) {
            w->neighbors[w->starts[p[k]]++] = p[(k + 1) % 3];
            w->neighbors[w->starts[p[k]]++] = p[(k + 2) % 3];
        }
    }
    for (uint32_t v = probe->vertex_count; v > 0; v--) w->starts[v] = w->starts[v - 1];
    w->starts[0] = 0;
    return true;
}

// -------------------------------------------------------------------------------------------------- joints

// Fills the weights of a joint by point; returns how many points outside of its own surface have any.
static uint32_t find_own(Walk* w, uint32_t joint) {
    const sniProbe* probe = w->probe;
    uint32_t others = 0;
    w->own_count = 0;
    for (uint32_t i = 0; i < probe->piece_count; i++) w->most[i] = 0.0f;
    for (uint32_t v = 0; v < probe->vertex_count; v++) {
        w->weights[v] = 0.0f;
        w->distances[v] = INFINITY;
        if (probe->points[v] != v || w->piece_of[v] == SN_NONE) continue;
        for (uint32_t i = probe->influence_start[v]; i < probe->influence_start[v + 1]; i++)
            if (probe->influence_joints[i] == joint) w->weights[v] += probe->influence_weights[i];
        if (w->weights[v] > w->most[w->piece_of[v]]) w->most[w->piece_of[v]] = w->weights[v];
    }
    for (uint32_t v = 0; v < probe->vertex_count; v++) {
        if (w->weights[v] < LEAST) continue;
        if (w->weights[v] >= OWN * w->most[w->piece_of[v]])
            w->own[w->own_count++] = v;
        else
            others++;
    }
    return others;
}

// Distances along edges from the joint's own surface, until all others with weight are reached.
static void walk(Walk* w, uint32_t others) {
    const sniProbe* probe = w->probe;
    sni_heap_clear(&w->heap);
    for (uint32_t i = 0; i < w->own_count; i++) {
        w->distances[w->own[i]] = 0.0f;
        sni_heap_offer(&w->heap, w->own[i], sni_heap_key(0.0f, 0));
    }
    while (w->heap.count > 0 && others > 0) {
        uint32_t point = sni_heap_pop(&w->heap);
        float way = w->distances[point];
        if (way > 0.0f && w->weights[point] >= LEAST) others--;
        for (uint32_t i = w->starts[point]; i < w->starts[point + 1]; i++) {
            uint32_t next = w->neighbors[i];
            float distance = way + sn_distance(probe->rest[point], probe->rest[next]);
            if (distance >= w->distances[next]) continue;
            w->distances[next] = distance;
            sni_heap_offer(&w->heap, next, sni_heap_key(distance, 0));
        }
    }
}

static float straight(const Walk* w, uint32_t point) {
    float least = INFINITY;
    for (uint32_t i = 0; i < w->own_count; i++) {
        if (w->piece_of[w->own[i]] != w->piece_of[point]) continue;
        least = sn_minf(least, sn_distance(w->probe->rest[w->own[i]], w->probe->rest[point]));
    }
    return least;
}

static void look(const Walk* w, float size, sniFinding* finding) {
    for (uint32_t v = 0; v < w->probe->vertex_count; v++) {
        if (w->weights[v] < LEAST || w->weights[v] <= finding->value || !(w->distances[v] > FAR * size))
            continue;
        if (!(w->distances[v] > DETOUR * straight(w, v))) continue;
        finding->value = w->weights[v];
        finding->vertex = v;
    }
}

static snResult look_at_joints(Walk* w, sniFinding* findings, snError* error) {
    const sniProbe* probe = w->probe;
    float size = sn_bounds_diagonal(sn_bounds_of(probe->rest, probe->vertex_count));
    for (uint32_t j = 0; j < probe->joint_count; j++) {
        float share = SNI_PROBED + (SNI_BLED - SNI_PROBED) * (float)j / (float)probe->joint_count;
        if (!(probe->zones[j].area > 0.0) && probe->zones[j].ring_end == probe->zones[j].ring_start) continue;
        SNI_TRY(sni_progress(&probe->progress, "checking", share, error));
        uint32_t others = find_own(w, j);
        if (others == 0) continue;
        walk(w, others);
        look(w, size, &findings[j]);
    }
    return SN_RESULT_OK;
}

snResult sni_probe_bleed(sniProbe* probe, sniFinding* findings, snError* error) {
    const snAllocator* memory = &probe->memory;
    size_t vertices = probe->vertex_count;
    Walk w = {.probe = probe,
              .starts = SNI_NEW_ARRAY(memory, uint32_t, vertices + 1),
              .neighbors = SNI_NEW_ARRAY(memory, uint32_t, 6 * (size_t)probe->triangle_count),
              .piece_of = SNI_NEW_ARRAY(memory, uint32_t, vertices),
              .weights = SNI_NEW_ARRAY(memory, float, vertices),
              .distances = SNI_NEW_ARRAY(memory, float, vertices),
              .most = SNI_NEW_ARRAY(memory, float, probe->piece_count),
              .own = SNI_NEW_ARRAY(memory, uint32_t, vertices)};
    bool heap = sni_heap_create(&w.heap, probe->vertex_count, memory);
    w.failed = !heap || w.starts == NULL || w.neighbors == NULL || w.piece_of == NULL || w.weights == NULL ||
               w.distances == NULL || w.most == NULL || w.own == NULL;
    if (!w.failed) {
        for (uint32_t v = 0; v < probe->vertex_count; v++) w.piece_of[v] = SN_NONE;
        w.failed = !make_graph(&w);
    }
    snResult result = w.failed ? sni_fail_memory(error) : look_at_joints(&w, findings, error);
    void* arrays[] = {w.starts, w.neighbors, w.piece_of, w.weights, w.distances, w.most, w.own};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(memory, arrays[i]);
    sni_heap_free(&w.heap, memory);
    return result;
}
