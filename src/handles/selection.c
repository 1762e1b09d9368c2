// What follows from marks: rings, weights, centers.
#include "base/memory.h"
#include "handles/selector.h"

// A point is marked when any of its vertices is.
static void mark_points(snSelector* selector, const uint8_t* marks) {
    const sniPoints* points = &selector->points;
    memset(selector->marks, 0, points->point_count);
    for (uint32_t v = 0; v < points->vertex_count; v++) {
        if (marks[v] != 0) selector->marks[points->point_of_vertex[v]] = 1;
    }
}

static void write_marks(const snSelector* selector, uint8_t* marks) {
    const sniPoints* points = &selector->points;
    for (uint32_t v = 0; v < points->vertex_count; v++) {
        marks[v] = selector->marks[points->point_of_vertex[v]];
    }
}

// Numbers points by their ring around those that are marked `from` (ring 0), breadth first, up to `most`;
// SN_NONE beyond.
static void number_rings(snSelector* selector, uint8_t from, uint32_t most) {
    const sniPoints* points = &selector->points;
    uint32_t begin = 0, end = 0;
    for (uint32_t p = 0; p < points->point_count; p++) {
        selector->rings[p] = selector->marks[p] == from ? 0 : SN_NONE;
        if (selector->rings[p] == 0) selector->queue[end++] = p;
    }
    while (begin < end) {
        uint32_t p = selector->queue[begin++];
        if (selector->rings[p] == most) break;
        for (uint32_t i = points->starts[p]; i < points->starts[p + 1]; i++) {
            uint32_t n = points->neighbours[i];
            if (selector->rings[n] != SN_NONE) continue;
            selector->rings[n] = selector->rings[p] + 1;
            selector->queue[end++] = n;
        }
    }
}

void sn_select_grow(snSelector* selector, uint32_t rings, uint8_t* marks) {
    mark_points(selector, marks);
    number_rings(selector, 1, rings);
    for (uint32_t p = 0; p < selector->points.point_count; p++) {
        selector->marks[p] = selector->rings[p] != SN_NONE;
    }
    write_marks(selector, marks);
}

void sn_select_shrink(snSelector* selector, uint32_t rings, uint8_t* marks) {
    mark_points(selector, marks);
    number_rings(selector, 0, rings);
    for (uint32_t p = 0; p < selector->points.point_count; p++) {
        selector->marks[p] = selector->rings[p] == SN_NONE;
    }
    write_marks(selector, marks);
}

uint32_t sn_selection_vertices(const snSelector* selector, const uint8_t* marks, uint32_t* out_vertices) {
    uint32_t count = 0;
    for (uint32_t v = 0; v < selector->mesh->vertex_count; v++) {
        if (marks[v] == 0) continue;
        if (out_vertices != NULL) out_vertices[count] = v;
        count++;
    }
    return count;
}

void sn_selection_feather(snSelector* selector, const uint8_t* marks, uint32_t rings, float* out_weights) {
    mark_points(selector, marks);
    number_rings(selector, 0, rings);
    for (uint32_t v = 0; v < selector->points.vertex_count; v++) {
        uint32_t ring = selector->rings[selector->points.point_of_vertex[v]];
        float weight = ring == SN_NONE ? 1.0f : (float)ring / ((float)rings + 1.0f);
        out_weights[v] = marks[v] != 0 ? weight : 0.0f;
    }
}

// ------------------------------------------------------------------------------------------------- centers

enum { OUTSIDE = 0, INSIDE = 1, BORDER = 2, PARENT = 3, RING = 4 };

static bool touches(const snSelector* selector, uint32_t p, uint8_t mark) {
    const sniPoints* points = &selector->points;
    for (uint32_t i = points->starts[p]; i < points->starts[p + 1]; i++) {
        if (selector->marks[points->neighbours[i]] == mark) return true;
    }
    return false;
}

// Points of the selection with a neighbour that is not in it.
static void mark_border(snSelector* selector) {
    for (uint32_t p = 0; p < selector->points.point_count; p++) {
        if (selector->marks[p] == INSIDE && (touches(selector, p, OUTSIDE) || touches(selector, p, PARENT)))
            selector->marks[p] = BORDER;
    }
}

// The border point with the fewest rings to the parent; SN_NONE where no way leads to it.
static uint32_t nearest_border(const snSelector* selector) {
    uint32_t nearest = SN_NONE;
    for (uint32_t p = 0; p < selector->points.point_count; p++) {
        if (selector->marks[p] != BORDER || selector->rings[p] == SN_NONE) continue;
        if (nearest == SN_NONE || selector->rings[p] < selector->rings[nearest]) nearest = p;
    }
    return nearest;
}

// The piece of the border that the point is on. Diagonals of faces count: a border often steps across them.
static void mark_ring(snSelector* selector, uint32_t seed) {
    const sniPoints* points = &selector->points;
    uint32_t count = 0;
    selector->marks[seed] = RING;
    selector->queue[count++] = seed;
    while (count > 0) {
        uint32_t p = selector->queue[--count];
        for (uint32_t t = points->fan_starts[p]; t < points->fan_starts[p + 1]; t++) {
            for (int k = 0; k < 3; k++) {
                uint32_t n = points->triangles[points->fans[t]][k];
                if (selector->marks[n] != BORDER) continue;
                selector->marks[n] = RING;
                selector->queue[count++] = n;
            }
        }
    }
}

static snVec3 mean_of(const snSelector* selector, uint8_t mark, bool any) {
    double sum[3] = {0.0, 0.0, 0.0};
    double count = 0.0;
    for (uint32_t p = 0; p < selector->points.point_count; p++) {
        if (any ? selector->marks[p] == OUTSIDE || selector->marks[p] == PARENT : selector->marks[p] != mark)
            continue;
        snVec3 at = selector->mesh->positions[selector->points.vertex_of_point[p]];
        sum[0] += (double)at.x;
        sum[1] += (double)at.y;
        sum[2] += (double)at.z;
        count += 1.0;
    }
    if (count == 0.0) return sn_vec3(0, 0, 0);
    return sn_vec3((float)(sum[0] / count), (float)(sum[1] / count), (float)(sum[2] / count));
}

snVec3 sn_selection_center(snSelector* selector, const uint8_t* marks, const uint8_t* parent) {
    const sniPoints* points = &selector->points;
    mark_points(selector, marks);
    if (parent == NULL) return mean_of(selector, INSIDE, true);
    for (uint32_t v = 0; v < points->vertex_count; v++) {
        uint8_t* mark = &selector->marks[points->point_of_vertex[v]];
        if (parent[v] != 0 && *mark == OUTSIDE) *mark = PARENT;
    }
    mark_border(selector);
    number_rings(selector, PARENT, SN_NONE - 1);
    uint32_t nearest = nearest_border(selector);
    if (nearest == SN_NONE) return mean_of(selector, INSIDE, true);
    mark_ring(selector, nearest);
    return mean_of(selector, RING, false);
}
