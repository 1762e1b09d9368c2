// Which faces and edges are split.
//
// Splitting several times would cut the fitting faces again and again, into slivers. So every level but the
// last splits one ring of faces more for each level to come: what a later level splits then never touches a
// face that was cut to fit.
#include "base/memory.h"
#include "shape/refine.h"

// ----------------------------------------------------------------------------------------------- pairs

// Corners with a pair, ordered by it in two stable counting passes: first by the upper item, then the lower.
typedef struct Sorter {
    uint32_t (*keys)[2]; // per corner: lower, upper; both SN_NONE: no pair
    uint32_t* sorted;
    uint32_t* scratch;
    uint32_t* starts; // item_count + 1
    uint32_t count;
} Sorter;

static void collect(const sniLevel* level, const uint32_t* items, const uint8_t* use, Sorter* sorter) {
    for (uint32_t f = 0; f < level->face_count; f++) {
        for (uint32_t c = level->face_starts[f]; c < level->face_starts[f + 1]; c++) {
            uint32_t a = items[c], b = items[sni_next_corner(level, f, c)];
            bool pair = a != b && a != SN_NONE && b != SN_NONE && (use == NULL || use[c]);
            sorter->keys[c][0] = pair ? (a < b ? a : b) : SN_NONE;
            sorter->keys[c][1] = pair ? (a < b ? b : a) : SN_NONE;
            if (pair) sorter->scratch[sorter->count++] = c;
        }
    }
}

static void counting_pass(const Sorter* sorter, int key, uint32_t item_count, const uint32_t* in,
                          uint32_t* out) {
    uint32_t* starts = sorter->starts;
    memset(starts, 0, ((size_t)item_count + 1) * sizeof *starts);
    for (uint32_t i = 0; i < sorter->count; i++) starts[sorter->keys[in[i]][key] + 1]++;
    for (uint32_t p = 0; p < item_count; p++) starts[p + 1] += starts[p];
    for (uint32_t i = 0; i < sorter->count; i++) out[starts[sorter->keys[in[i]][key]]++] = in[i];
}

static void number_pairs(const sniLevel* level, const Sorter* sorter, sniPairs* pairs) {
    for (uint32_t c = 0; c < level->corner_count; c++) pairs->of_corner[c] = SN_NONE;
    for (uint32_t i = 0; i < sorter->count; i++) {
        const uint32_t* key = sorter->keys[sorter->sorted[i]];
        bool known = pairs->count > 0 && pairs->items[pairs->count - 1][0] == key[0] &&
                     pairs->items[pairs->count - 1][1] == key[1];
        if (!known) {
            pairs->items[pairs->count][0] = key[0];
            pairs->items[pairs->count++][1] = key[1];
        }
        pairs->of_corner[sorter->sorted[i]] = pairs->count - 1;
    }
}

bool sni_pairs_create(const sniLevel* level, const uint32_t* items, uint32_t item_count, const uint8_t* use,
                      const snAllocator* allocator, sniPairs* out) {
    size_t corners = level->corner_count;
    Sorter sorter = {sni_alloc_array(allocator, corners, 2 * sizeof(uint32_t)),
                     SNI_NEW_ARRAY(allocator, uint32_t, corners), SNI_NEW_ARRAY(allocator, uint32_t, corners),
                     SNI_NEW_ARRAY(allocator, uint32_t, (size_t)item_count + 1), 0};
    *out = (sniPairs){0, NULL, SNI_NEW_ARRAY(allocator, uint32_t, corners)};
    bool ready = sorter.keys != NULL && sorter.sorted != NULL && sorter.scratch != NULL &&
                 sorter.starts != NULL && out->of_corner != NULL;
    if (ready) {
        collect(level, items, use, &sorter);
        counting_pass(&sorter, 1, item_count, sorter.scratch, sorter.sorted);
        memcpy(sorter.scratch, sorter.sorted, sorter.count * sizeof *sorter.scratch);
        counting_pass(&sorter, 0, item_count, sorter.scratch, sorter.sorted);
        out->items = sni_alloc_array(allocator, sorter.count, sizeof *out->items);
        ready = out->items != NULL;
    }
    if (ready) {
        number_pairs(level, &sorter, out);
    } else {
        sni_free(allocator, out->of_corner);
        *out = (sniPairs){0};
    }
    void* arrays[] = {sorter.keys, sorter.sorted, sorter.scratch, sorter.starts};
    for (int i = 0; i < 4; i++) sni_free(allocator, arrays[i]);
    return ready;
}

// ----------------------------------------------------------------------------------------------- marks

static bool touches(const sniLevel* level, const sniCuts* cuts, const uint8_t* marked, uint32_t face) {
    for (uint32_t c = level->face_starts[face]; c < level->face_starts[face + 1]; c++) {
        if (marked[cuts->points[c]]) return true;
    }
    return false;
}

// Marks all points of the faces that touch a marked one. `next` is a copy of `marked` before and after.
static void widen(const sniLevel* level, const sniCuts* cuts, uint8_t* marked, uint8_t* next) {
    for (uint32_t f = 0; f < level->face_count; f++) {
        if (!touches(level, cuts, marked, f)) continue;
        for (uint32_t c = level->face_starts[f]; c < level->face_starts[f + 1]; c++)
            next[cuts->points[c]] = 1;
    }
    memcpy(marked, next, level->point_count);
}

static bool mark_points(const sniLevel* level, const sniCuts* cuts, float above, uint32_t rings,
                        const snAllocator* allocator, uint8_t* marked) {
    uint8_t* next = SNI_NEW_ARRAY(allocator, uint8_t, level->point_count);
    if (next == NULL) return false;
    for (uint32_t p = 0; p < level->point_count; p++) marked[p] = next[p] = level->marks[p] > above;
    for (uint32_t r = 0; r < rings; r++) widen(level, cuts, marked, next);
    sni_free(allocator, next);
    return true;
}

// Every edge of a face that is split gets a point; then faces get theirs by the edges they have.
static void number_points(const sniLevel* level, const uint8_t* marked, sniCuts* cuts) {
    for (uint32_t e = 0; e < cuts->edge_count; e++) cuts->edge_points[e] = SN_NONE;
    for (uint32_t f = 0; f < level->face_count; f++) {
        if (!touches(level, cuts, marked, f)) continue;
        for (uint32_t c = level->face_starts[f]; c < level->face_starts[f + 1]; c++) {
            if (cuts->edges[c] != SN_NONE) cuts->edge_points[cuts->edges[c]] = 0; // numbered below
        }
    }
    uint32_t next = level->point_count;
    for (uint32_t e = 0; e < cuts->edge_count; e++) {
        if (cuts->edge_points[e] != SN_NONE) cuts->edge_points[e] = next++;
    }
    cuts->split_count = next - level->point_count;
    for (uint32_t f = 0; f < level->face_count; f++) {
        uint32_t begin = level->face_starts[f], size = level->face_starts[f + 1] - begin;
        bool center = sni_face_needs_center(cuts->edges + begin, cuts->edge_points, size);
        cuts->center_points[f] = center ? next++ : SN_NONE;
    }
    cuts->center_count = next - level->point_count - cuts->split_count;
}

bool sni_cuts_mark(const sniLevel* level, float above, uint32_t rings, const snAllocator* allocator,
                   sniCuts* cuts) {
    *cuts = (sniCuts){.points = SNI_NEW_ARRAY(allocator, uint32_t, level->corner_count),
                      .center_points = SNI_NEW_ARRAY(allocator, uint32_t, level->face_count)};
    if (cuts->points == NULL || cuts->center_points == NULL) return false;
    const uint32_t* vertices = level->spaces[SNI_SPACE_VERTICES].corners;
    for (uint32_t c = 0; c < level->corner_count; c++) cuts->points[c] = level->point_of_vertex[vertices[c]];
    sniPairs pairs;
    if (!sni_pairs_create(level, cuts->points, level->point_count, NULL, allocator, &pairs)) return false;
    cuts->edges = pairs.of_corner;
    cuts->ends = pairs.items;
    cuts->edge_count = pairs.count;
    cuts->edge_points = SNI_NEW_ARRAY(allocator, uint32_t, cuts->edge_count);
    uint8_t* marked = SNI_NEW_ARRAY(allocator, uint8_t, level->point_count);
    bool ready = cuts->edge_points != NULL && marked != NULL &&
                 mark_points(level, cuts, above, rings, allocator, marked);
    if (ready) number_points(level, marked, cuts);
    sni_free(allocator, marked);
    return ready;
}

void sni_cuts_free(sniCuts* cuts, const snAllocator* allocator) {
    void* arrays[] = {cuts->points,      cuts->edges,         cuts->ends,
                      cuts->edge_points, cuts->center_points, cuts->bends};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(allocator, arrays[i]);
    for (int s = 0; s < SNI_SPACES; s++) {
        sni_free(allocator, cuts->mids[s]);
        sni_free(allocator, cuts->centers[s]);
    }
    *cuts = (sniCuts){0};
}
