// Edges, fans, boundary loops and components of a welded mesh.
//
// A *side* is one step of a face's border, from one point to the next; its index also names the corner of the
// face at the side's first point. Sides are sorted by their edge in two counting passes, so everything here
// is linear in the size of the mesh and has one fixed order.
#include "base/error.h"
#include "base/memory.h"
#include "base/union_find.h"
#include "shape/topology_loops.h"
#include "sinew/shape.h"

static uint32_t point_of(const snWeld* weld, uint32_t vertex) {
    return weld != NULL ? weld->point_of_vertex[vertex] : vertex;
}

// Writes the face's points without repeated neighbours; returns how many are left.
static uint32_t compact_face(const snMesh* mesh, const snWeld* weld, uint32_t face, uint32_t* out) {
    uint32_t count = 0;
    for (uint32_t c = mesh->face_starts[face]; c < mesh->face_starts[face + 1]; c++) {
        uint32_t point = point_of(weld, mesh->corners[c]);
        if (count == 0 || out[count - 1] != point) out[count++] = point;
    }
    while (count > 1 && out[count - 1] == out[0]) count--;
    return count;
}

static void collect_sides(snTopology* topology, sniSides* sides, const snMesh* mesh, const snWeld* weld) {
    uint32_t begin = 0;
    for (uint32_t f = 0; f < mesh->face_count; f++) {
        uint32_t size = compact_face(mesh, weld, f, sides->from + begin);
        if (size < 3) {
            topology->collapsed_face_count++;
            continue;
        }
        for (uint32_t i = 0; i < size; i++) {
            uint32_t s = begin + i;
            sides->to[s] = sides->from[begin + (i + 1 == size ? 0 : i + 1)];
            sides->face[s] = f;
            sides->next[s] = i + 1 == size ? begin : s + 1;
        }
        begin += size;
    }
    sides->count = begin;
}

static uint32_t lower(const sniSides* sides, uint32_t s) {
    return sides->from[s] < sides->to[s] ? sides->from[s] : sides->to[s];
}
static uint32_t upper(const sniSides* sides, uint32_t s) {
    return sides->from[s] < sides->to[s] ? sides->to[s] : sides->from[s];
}

// One stable counting pass: orders `in` by the lower or upper point of each side.
static void counting_pass(const sniSides* sides, uint32_t point_count, bool by_lower, const uint32_t* in,
                          uint32_t* out, uint32_t* starts) {
    memset(starts, 0, ((size_t)point_count + 1) * sizeof *starts);
    for (uint32_t i = 0; i < sides->count; i++) starts[(by_lower ? lower : upper)(sides, i) + 1]++;
    for (uint32_t p = 0; p < point_count; p++) starts[p + 1] += starts[p];
    for (uint32_t i = 0; i < sides->count; i++) {
        uint32_t key = (by_lower ? lower : upper)(sides, in[i]);
        out[starts[key]++] = in[i];
    }
}

static void sort_sides(sniSides* sides, uint32_t point_count) {
    for (uint32_t i = 0; i < sides->count; i++) sides->sorted[i] = i;
    counting_pass(sides, point_count, false, sides->sorted, sides->scratch, sides->point_starts);
    counting_pass(sides, point_count, true, sides->scratch, sides->sorted, sides->point_starts);
}

static bool same_edge(const sniSides* sides, uint32_t a, uint32_t b) {
    return lower(sides, a) == lower(sides, b) && upper(sides, a) == upper(sides, b);
}

// Joins, at `point`, the corners of two sides that share an edge. The corner of a side at its end point is
// the next side.
static void join_corners(sniSides* sides, uint32_t a, uint32_t b, uint32_t point) {
    uint32_t corner_a = sides->from[a] == point ? a : sides->next[a];
    uint32_t corner_b = sides->from[b] == point ? b : sides->next[b];
    sni_sets_join(sides->fan, corner_a, corner_b);
}

// Walks the sorted sides edge by edge: counts, joins fans and faces, notes boundary sides.
static void walk_edges(snTopology* topology, sniSides* sides) {
    sni_sets_reset(sides->fan, sides->count);
    for (uint32_t begin = 0; begin < sides->count;) {
        uint32_t first = sides->sorted[begin];
        uint32_t end = begin + 1;
        uint32_t forward = sides->from[first] < sides->to[first];
        for (; end < sides->count && same_edge(sides, first, sides->sorted[end]); end++) {
            uint32_t side = sides->sorted[end];
            forward += sides->from[side] < sides->to[side];
            join_corners(sides, first, side, lower(sides, first));
            join_corners(sides, first, side, upper(sides, first));
            sni_sets_join(sides->face_parents, sides->face[first], sides->face[side]);
        }
        uint32_t uses = end - begin;
        uint32_t edge = topology->edge_count++;
        topology->edges[edge][0] = lower(sides, first);
        topology->edges[edge][1] = upper(sides, first);
        topology->edge_face_counts[edge] = uses;
        topology->bad_edge_count += uses > 2;
        topology->flipped_edge_count += uses == 2 && forward != 1;
        if (uses == 1) sides->boundary[topology->boundary_edge_count++] = first;
        begin = end;
    }
}

// Points whose corners fall into more than one fan.
static uint32_t count_split_points(sniSides* sides, uint32_t point_count) {
    uint32_t* fan_of_point = sides->scratch_points;
    for (uint32_t p = 0; p < point_count; p++) fan_of_point[p] = SN_NONE;
    uint32_t split = 0;
    for (uint32_t s = 0; s < sides->count; s++) {
        uint32_t* fan = &fan_of_point[sides->from[s]];
        uint32_t root = sni_sets_find(sides->fan, s);
        if (*fan == SN_NONE) *fan = root;
        if (*fan != root && *fan != SN_NONE - 1) {
            *fan = SN_NONE - 1; // counted
            split++;
        }
    }
    return split;
}

// Faces that touch in a point only belong together too.
static void number_components(snTopology* topology, sniSides* sides, uint32_t face_count) {
    uint32_t* face_of_point = sides->scratch_points;
    for (uint32_t p = 0; p < topology->point_count; p++) face_of_point[p] = SN_NONE;
    for (uint32_t s = 0; s < sides->count; s++) {
        uint32_t* face = &face_of_point[sides->from[s]];
        if (*face == SN_NONE) *face = sides->face[s];
        sni_sets_join(sides->face_parents, *face, sides->face[s]);
    }
    for (uint32_t f = 0; f < face_count; f++) topology->face_components[f] = SN_NONE;
    for (uint32_t p = 0; p < topology->point_count; p++) topology->point_components[p] = SN_NONE;
    for (uint32_t s = 0; s < sides->count; s++) {
        // Roots have the lowest face index of their piece, so they are numbered before they are asked for.
        uint32_t f = sides->face[s];
        uint32_t root = sni_sets_find(sides->face_parents, f);
        if (topology->face_components[root] == SN_NONE)
            topology->face_components[root] = topology->component_count++;
        topology->face_components[f] = topology->face_components[root];
        topology->point_components[sides->from[s]] = topology->face_components[f];
    }
}

static bool allocate(snTopology* topology, sniSides* sides, const snMesh* mesh) {
    const snAllocator* memory = &topology->allocator;
    size_t corners = mesh->corner_count;
    size_t points = topology->point_count;
    sides->from = SNI_NEW_ARRAY(memory, uint32_t, corners);
    sides->to = SNI_NEW_ARRAY(memory, uint32_t, corners);
    sides->face = SNI_NEW_ARRAY(memory, uint32_t, corners);
    sides->next = SNI_NEW_ARRAY(memory, uint32_t, corners);
    sides->fan = SNI_NEW_ARRAY(memory, uint32_t, corners);
    sides->sorted = SNI_NEW_ARRAY(memory, uint32_t, corners);
    sides->scratch = SNI_NEW_ARRAY(memory, uint32_t, corners);
    sides->boundary = SNI_NEW_ARRAY(memory, uint32_t, corners);
    sides->point_starts = SNI_NEW_ARRAY(memory, uint32_t, points + 1);
    sides->scratch_points = SNI_NEW_ARRAY(memory, uint32_t, points);
    sides->face_parents = SNI_NEW_ARRAY(memory, uint32_t, mesh->face_count);
    topology->edges = sni_alloc_array(memory, corners, sizeof *topology->edges);
    topology->edge_face_counts = SNI_NEW_ARRAY(memory, uint32_t, corners);
    topology->face_components = SNI_NEW_ARRAY(memory, uint32_t, mesh->face_count);
    topology->point_components = SNI_NEW_ARRAY(memory, uint32_t, points);
    return sides->from != NULL && sides->to != NULL && sides->face != NULL && sides->next != NULL &&
           sides->fan != NULL && sides->sorted != NULL && sides->scratch != NULL && sides->boundary != NULL &&
           sides->point_starts != NULL && sides->scratch_points != NULL && sides->face_parents != NULL &&
           topology->edges != NULL && topology->edge_face_counts != NULL &&
           topology->face_components != NULL && topology->point_components != NULL;
}

static void free_sides(sniSides* sides, const snAllocator* memory) {
    void* arrays[] = {sides->from,           sides->to,          sides->face,
                      sides->next,           sides->fan,         sides->sorted,
                      sides->scratch,        sides->boundary,    sides->point_starts,
                      sides->scratch_points, sides->face_parents};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(memory, arrays[i]);
}

static snResult topology_fill(snTopology* topology, const snMesh* mesh, const snWeld* weld) {
    sniSides sides = {0};
    bool ready = allocate(topology, &sides, mesh);
    if (ready) {
        sni_sets_reset(sides.face_parents, mesh->face_count);
        collect_sides(topology, &sides, mesh, weld);
        sort_sides(&sides, topology->point_count);
        walk_edges(topology, &sides);
        topology->bad_point_count = count_split_points(&sides, topology->point_count);
        number_components(topology, &sides, mesh->face_count);
        for (uint32_t s = 0; s < sides.count; s++) sides.fan[s] = sni_sets_find(sides.fan, s);
        ready = sni_trace_loops(topology, &sides);
    }
    free_sides(&sides, &topology->allocator);
    topology->closed = topology->edge_count > 0 && topology->boundary_edge_count == 0;
    topology->manifold = topology->bad_edge_count == 0 && topology->bad_point_count == 0;
    topology->oriented = topology->flipped_edge_count == 0;
    return ready ? SN_RESULT_OK : SN_RESULT_OUT_OF_MEMORY;
}

snResult sn_topology_create(const snMesh* mesh, const snWeld* weld, const snAllocator* allocator,
                            snTopology** out, snError* error) {
    if (mesh == NULL || out == NULL || (weld != NULL && weld->vertex_count != mesh->vertex_count)) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT,
                        "a mesh, a weld of the same mesh and an output are needed");
    }
    snAllocator memory = sni_allocator(allocator);
    snTopology* topology = SNI_NEW(&memory, snTopology);
    if (topology == NULL) return sni_fail_memory(error);
    topology->allocator = memory;
    topology->point_count = weld != NULL ? weld->point_count : mesh->vertex_count;
    if (topology_fill(topology, mesh, weld) != SN_RESULT_OK) {
        sn_topology_destroy(topology);
        return sni_fail_memory(error);
    }
    *out = topology;
    return SN_RESULT_OK;
}

void sn_topology_destroy(snTopology* topology) {
    if (topology == NULL) return;
    snAllocator memory = topology->allocator;
    void* arrays[] = {topology->edges,
                      topology->edge_face_counts,
                      topology->face_components,
                      topology->point_components,
                      topology->loop_starts,
                      topology->loop_points,
                      topology};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(&memory, arrays[i]);
}
