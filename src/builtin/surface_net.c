// Why the result is always a closed 2-manifold: a cell with a single vertex goes wrong only where the surface
// passes it in more than one sheet. With two signs on eight corners that happens exactly when a face of the
// cell has its signs crosswise, or when two opposite corners of the cell differ from the six others. Wherever
// sampling finds such a cell its outside corners are declared inside and the cells around are looked at
// again. Corners only ever change from outside to inside, so this ends; then every crossed cell has one
// sheet, and the net is the dual of a manifold. Marching tetrahedra would need no repair but cut the quads
// apart.
#include "builtin/surface_net.h"

#include "base/memory.h"
#include "base/progress.h"
#include "builtin/grid_map.h"

// Given to corners that repair declares inside; small against any spacing in use.
#define REPAIRED (-1e-6)

typedef struct Builder {
    const sniNetDef* def;
    const snAllocator* allocator;
    sniGridMap samples;
    size_t value_capacity;
    double* values; // one per sample
    sniGridMap cells;
    size_t work_capacity;
    uint32_t work_count;
    uint32_t* work;     // cells still to look at
    uint32_t* vertices; // one per cell; SN_NONE: not crossed
    bool stopped;       // by the listener
} Builder;

// Corner c of a cell: bit 0 along i, bit 1 along j, bit 2 along k.
static sniGrid corner_of(sniGrid cell, int c) {
    sniGrid at = {cell.i + (c & 1), cell.j + (c >> 1 & 1), cell.k + (c >> 2 & 1)};
    return at;
}

// Samples stand half a cell beside the plane of symmetry; those on its far side are their mirror images.
static sniGrid folded(sniGrid at) {
    if (at.i < 1) at.i = 1 - at.i;
    return at;
}

static sniPoint sample_point(const Builder* b, sniGrid at) {
    double h = b->def->spacing;
    return sni_point(((double)at.i - 0.5) * h, (double)at.j * h, (double)at.k * h);
}

static bool sample_index(Builder* b, sniGrid at, uint32_t* out) {
    at = folded(at);
    uint32_t known = b->samples.count;
    if (!sni_grid_map_add(&b->samples, at, out)) return false;
    if (*out < known) return true;
    void* values = b->values;
    if (!sni_grow(b->allocator, &values, &b->value_capacity, b->samples.count, sizeof *b->values))
        return false;
    b->values = values;
    b->values[*out] = b->def->field(b->def->context, sample_point(b, at));
    return true;
}

static bool push_cell(Builder* b, sniGrid cell, bool again) {
    if (cell.i < 0) return true;
    uint32_t known = b->cells.count, index = 0;
    if (!sni_grid_map_add(&b->cells, cell, &index)) return false;
    if (index < known && !again) return true;
    void* work = b->work;
    if (!sni_grow(b->allocator, &work, &b->work_capacity, (size_t)b->work_count + 1, sizeof *b->work))
        return false;
    b->work = work;
    b->work[b->work_count++] = index;
    return true;
}

// Bit c is set where corner c is inside.
static bool cell_signs(Builder* b, sniGrid cell, uint32_t samples[8], uint32_t* out_signs) {
    uint32_t signs = 0;
    for (int c = 0; c < 8; c++) {
        if (!sample_index(b, corner_of(cell, c), &samples[c])) return false;
        if (b->values[samples[c]] < 0.0) signs |= 1u << c;
    }
    *out_signs = signs;
    return true;
}

// The corners of the six faces in order around, the face towards -i, +i, -j, +j, -k, +k.
static const int face_corners[6][4] = {{0, 2, 6, 4}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                       {2, 3, 7, 6}, {0, 1, 3, 2}, {4, 5, 7, 6}};

// The corners that must become inside so that one sheet passes the cell; 0 for a good cell.
static uint32_t corners_to_fill(uint32_t signs) {
    uint32_t fill = 0;
    for (int f = 0; f < 6; f++) {
        const int* c = face_corners[f];
        uint32_t even = 1u << c[0] | 1u << c[2], odd = 1u << c[1] | 1u << c[3];
        uint32_t on_face = signs & (even | odd);
        if (on_face == even || on_face == odd) fill |= (even | odd) & ~signs;
    }
    for (int c = 0; c < 4; c++) {
        uint32_t pair = 1u << c | 1u << (7 - c);
        if (signs == pair || signs == (~pair & 0xffu)) fill |= ~signs & 0xffu;
    }
    return fill;
}

static bool fill_corners(Builder* b, sniGrid cell, const uint32_t samples[8], uint32_t fill) {
    for (int c = 0; c < 8; c++) {
        if ((fill >> c & 1u) == 0) continue;
        b->values[samples[c]] = REPAIRED;
        sniGrid at = folded(corner_of(cell, c));
        for (int n = 0; n < 8; n++) {
            sniGrid around = {at.i - (n & 1), at.j - (n >> 1 & 1), at.k - (n >> 2 & 1)};
            if (!push_cell(b, around, true)) return false;
        }
    }
    return true;
}

// Pushes the neighbours that the surface continues into: across faces with both signs.
static bool push_neighbours(Builder* b, sniGrid cell, uint32_t signs) {
    for (int f = 0; f < 6; f++) {
        uint32_t mask = 0;
        for (int c = 0; c < 4; c++) mask |= 1u << face_corners[f][c];
        if ((signs & mask) == 0 || (signs & mask) == mask) continue;
        int32_t step = f % 2 == 0 ? -1 : 1;
        sniGrid next = cell;
        if (f < 2)
            next.i += step;
        else if (f < 4)
            next.j += step;
        else
            next.k += step;
        if (!push_cell(b, next, false)) return false;
    }
    return true;
}

// Cells between two words with the listener.
#define TOLD_CELLS 2048

static bool follow_surface(Builder* b) {
    for (uint32_t told = 0; b->work_count > 0; told++) {
        if (told % TOLD_CELLS == 0 &&
            sni_progress(&b->def->progress, "making the body", b->def->share, NULL) != SN_RESULT_OK) {
            b->stopped = true;
            return false;
        }
        sniGrid cell = b->cells.items[b->work[--b->work_count]];
        uint32_t samples[8], signs = 0;
        if (!cell_signs(b, cell, samples, &signs)) return false;
        uint32_t fill = corners_to_fill(signs);
        bool ok = fill != 0 ? fill_corners(b, cell, samples, fill) : push_neighbours(b, cell, signs);
        if (!ok) return false;
    }
    return true;
}

// From the seed along +w to the first cell with both signs.
static bool push_seed(Builder* b) {
    double h = b->def->spacing;
    sniGrid cell = {(int32_t)floor(b->def->seed.x / h + 0.5), (int32_t)floor(b->def->seed.y / h),
                    (int32_t)floor(b->def->seed.z / h)};
    uint32_t samples[8], signs = 0xffu;
    for (int step = 0; step < 1 << 16 && signs == 0xffu; step++, cell.k++) {
        if (!cell_signs(b, cell, samples, &signs)) return false;
    }
    cell.k--;
    return push_cell(b, cell, true);
}

// Mean of the places where the field changes sign along the cell's edges.
static sniPoint crossing_mean(Builder* b, sniGrid cell, const uint32_t samples[8], uint32_t signs) {
    sniPoint sum = sni_point(0.0, 0.0, 0.0);
    double count = 0.0;
    for (int c = 0; c < 8; c++) {
        for (int bit = 1; bit < 8; bit <<= 1) {
            int d = c | bit;
            if (d == c || ((signs >> c ^ signs >> d) & 1u) == 0) continue;
            double t = b->values[samples[c]] / (b->values[samples[c]] - b->values[samples[d]]);
            sniPoint p = sample_point(b, corner_of(cell, c)), q = sample_point(b, corner_of(cell, d));
            sum = sni_point_add(sum, sni_point_add(p, sni_point_scale(sni_point_sub(q, p), t)));
            count += 1.0;
        }
    }
    return sni_point_scale(sum, 1.0 / count);
}

static bool make_vertices(Builder* b, sniNet* net) {
    b->vertices = SNI_NEW_ARRAY(b->allocator, uint32_t, b->cells.count);
    net->points = SNI_NEW_ARRAY(b->allocator, sniPoint, b->cells.count);
    net->in_plane = SNI_NEW_ARRAY(b->allocator, bool, b->cells.count);
    if (b->vertices == NULL || net->points == NULL || net->in_plane == NULL) return false;
    for (uint32_t n = 0; n < b->cells.count; n++) {
        sniGrid cell = b->cells.items[n];
        uint32_t samples[8], signs = 0;
        if (!cell_signs(b, cell, samples, &signs)) return false;
        b->vertices[n] = SN_NONE;
        if (signs == 0 || signs == 0xffu) continue;
        sniPoint p = crossing_mean(b, cell, samples, signs);
        if (cell.i == 0) {
            p.x = 0.0;
            net->in_plane[net->vertex_count] = true;
            net->plane_count++;
        }
        b->vertices[n] = net->vertex_count;
        net->points[net->vertex_count++] = p;
    }
    return true;
}

static uint32_t vertex_at(const Builder* b, sniGrid cell) {
    uint32_t index = sni_grid_map_find(&b->cells, cell);
    return index != SN_NONE ? b->vertices[index] : SN_NONE;
}

static sniGrid stepped_back(sniGrid cell, int axis, int32_t steps) {
    if (axis == 0) cell.i -= steps;
    if (axis == 1) cell.j -= steps;
    if (axis == 2) cell.k -= steps;
    return cell;
}

// The quad around the grid edge from the cell's lowest corner along `axis`, if the surface crosses it.
static void make_quad(Builder* b, sniNet* net, sniGrid cell, int axis, uint32_t signs) {
    static const uint32_t far_corner[3] = {1u << 1, 1u << 2, 1u << 4};
    bool low = (signs & 1u) != 0, high = (signs & far_corner[axis]) != 0;
    if (low == high) return;
    // Going around the axis counter-clockwise through the cells that share the edge: the two other axes in
    // cyclic order.
    static const int around[4][2] = {{1, 1}, {0, 1}, {0, 0}, {1, 0}};
    uint32_t* quad = net->quads[net->quad_count++].corners;
    for (int n = 0; n < 4; n++) {
        sniGrid at = stepped_back(cell, (axis + 1) % 3, around[n][0]);
        at = stepped_back(at, (axis + 2) % 3, around[n][1]);
        quad[low ? n : 3 - n] = vertex_at(b, at);
    }
}

static bool make_quads(Builder* b, sniNet* net) {
    // At most the three edges at its lowest corner for every cell.
    net->quads = SNI_NEW_ARRAY(b->allocator, sniQuad, (size_t)b->cells.count * 3);
    if (net->quads == NULL) return false;
    for (uint32_t n = 0; n < b->cells.count; n++) {
        if (b->vertices[n] == SN_NONE) continue;
        sniGrid cell = b->cells.items[n];
        uint32_t samples[8], signs = 0;
        if (!cell_signs(b, cell, samples, &signs)) return false;
        // Edges along i in the plane's own cell join a sample to its mirror image; the other edges at its
        // lowest corner are the mirror image of those of the next cell.
        if (cell.i == 0) continue;
        for (int axis = 0; axis < 3; axis++) make_quad(b, net, cell, axis, signs);
    }
    return true;
}

void sni_net_free(sniNet* net) {
    sni_free(&net->allocator, net->points);
    sni_free(&net->allocator, net->in_plane);
    sni_free(&net->allocator, net->quads);
    *net = (sniNet){.allocator = net->allocator};
}

snResult sni_net_build(const sniNetDef* def, const snAllocator* allocator, sniNet* out) {
    Builder b = {.def = def, .allocator = allocator};
    b.samples = sni_grid_map(allocator);
    b.cells = sni_grid_map(allocator);
    sniNet net = {.allocator = *allocator};
    bool ok = push_seed(&b) && follow_surface(&b) && make_vertices(&b, &net) && make_quads(&b, &net);
    sni_grid_map_free(&b.samples);
    sni_grid_map_free(&b.cells);
    sni_free(allocator, b.values);
    sni_free(allocator, b.work);
    sni_free(allocator, b.vertices);
    if (!ok) {
        sni_net_free(&net);
        return b.stopped ? SN_RESULT_CANCELLED : SN_RESULT_OUT_OF_MEMORY;
    }
    *out = net;
    return SN_RESULT_OK;
}
