// How a face is cut, by which of its sides have a new point.
//
// Places of a face of n corners are numbered: corner i is i, the new point on the side after it n + i, the
// center 2 n. Triangles become triangles and quads quads wherever the points allow it.
#include "shape/refine.h"

typedef struct Cutter {
    const sniLevel* from;
    const sniCuts* cuts;
    const snVec3* positions; // of old and new points; not looked at while counting
    sniLevel* to;
    bool counting;
    uint32_t face;
    uint32_t begin;
    uint32_t size;
} Cutter;

static bool has_mid(const uint32_t* edges, const uint32_t* edge_points, uint32_t side) {
    return edges[side] != SN_NONE && edge_points[edges[side]] != SN_NONE;
}

// Bit i: side i has a new point. For triangles and quads.
static uint32_t side_mask(const uint32_t* edges, const uint32_t* edge_points, uint32_t size) {
    uint32_t mask = 0;
    for (uint32_t i = 0; i < size; i++) mask |= (uint32_t)has_mid(edges, edge_points, i) << i;
    return mask;
}

bool sni_face_needs_center(const uint32_t* edges, const uint32_t* edge_points, uint32_t size) {
    if (size == 3) return false;
    if (size == 4) { // two sides that meet, or all four
        uint32_t mask = side_mask(edges, edge_points, 4);
        return mask == 15 || mask == 3 || mask == 6 || mask == 12 || mask == 9;
    }
    for (uint32_t i = 0; i < size; i++) {
        if (has_mid(edges, edge_points, i)) return true;
    }
    return false;
}

// --------------------------------------------------------------------------------------------- pieces

static uint32_t item_at(const Cutter* k, int space, uint32_t place) {
    if (place < k->size) return k->from->spaces[space].corners[k->begin + place];
    if (place < 2 * k->size) return k->cuts->mids[space][k->begin + place - k->size];
    return k->cuts->centers[space][k->face];
}

// `places` NULL: the corners of the face as they are.
static void add_piece(const Cutter* k, const uint32_t* places, uint32_t count) {
    sniLevel* to = k->to;
    for (int s = 0; s < SNI_SPACES && !k->counting; s++) {
        if (to->spaces[s].corners == NULL) continue;
        uint32_t* corners = to->spaces[s].corners + to->corner_count;
        for (uint32_t i = 0; i < count; i++) corners[i] = item_at(k, s, places != NULL ? places[i] : i);
    }
    if (!k->counting) {
        to->face_origins[to->face_count] = k->from->face_origins[k->face];
        to->face_starts[to->face_count + 1] = to->corner_count + count;
    }
    to->face_count++;
    to->corner_count += count;
}

static void add_triangle(const Cutter* k, uint32_t a, uint32_t b, uint32_t c) {
    add_piece(k, (const uint32_t[]){a, b, c}, 3);
}

static void add_quad(const Cutter* k, uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    add_piece(k, (const uint32_t[]){a, b, c, d}, 4);
}

// ------------------------------------------------------------------------------------------- triangles

static snVec3 place_of(const Cutter* k, uint32_t place) {
    uint32_t corner = k->begin + (place < 3 ? place : place - 3);
    return k->positions[place < 3 ? k->cuts->points[corner] : k->cuts->edge_points[k->cuts->edges[corner]]];
}

// New points m on the side a b and n on b c: the corner goes, and the rest is cut along its shorter diagonal.
static void cut_two_sides(const Cutter* k, uint32_t a, uint32_t b, uint32_t c) {
    uint32_t m = 3 + a, n = 3 + b;
    add_triangle(k, m, b, n);
    if (k->counting ||
        sn_distance(place_of(k, a), place_of(k, n)) <= sn_distance(place_of(k, m), place_of(k, c))) {
        add_triangle(k, a, m, n);
        add_triangle(k, a, n, c);
    } else {
        add_triangle(k, a, m, c);
        add_triangle(k, m, n, c);
    }
}

static void cut_triangle(const Cutter* k, uint32_t mask) {
    if (mask == 7) {
        for (uint32_t i = 0; i < 3; i++) add_triangle(k, i, 3 + i, 3 + (i + 2) % 3);
        add_triangle(k, 3, 4, 5);
        return;
    }
    for (uint32_t a = 0; a < 3; a++) {
        uint32_t b = (a + 1) % 3, c = (a + 2) % 3;
        if (mask == 1u << a) {
            add_triangle(k, a, 3 + a, c);
            add_triangle(k, 3 + a, b, c);
        }
        if (mask == (1u << a | 1u << b)) cut_two_sides(k, a, b, c);
    }
}

// ----------------------------------------------------------------------------------------------- quads

static void cut_quad_from(const Cutter* k, uint32_t mask, uint32_t a) {
    uint32_t b = (a + 1) % 4, c = (a + 2) % 4, d = (a + 3) % 4;
    if (mask == 1u << a) {
        add_triangle(k, a, 4 + a, d);
        add_triangle(k, 4 + a, c, d);
        add_triangle(k, 4 + a, b, c);
    } else if (mask == (1u << a | 1u << b)) {
        add_quad(k, 4 + a, b, 4 + b, 8);
        add_quad(k, 4 + b, c, d, 8);
        add_quad(k, d, a, 4 + a, 8);
    } else if (mask == (15u & ~(1u << d))) {
        add_quad(k, a, 4 + a, 4 + c, d);
        add_triangle(k, 4 + a, b, 4 + b);
        add_triangle(k, 4 + a, 4 + b, 4 + c);
        add_triangle(k, 4 + b, c, 4 + c);
    } else if (mask == (1u << a | 1u << c) && a < c) {
        add_quad(k, a, 4 + a, 4 + c, d);
        add_quad(k, 4 + a, b, c, 4 + c);
    }
}

// ------------------------------------------------------------------------------------------------ whole

// With a point on every side, one quad a corner; else triangles around the center.
static void cut_around_center(const Cutter* k) {
    const uint32_t* edges = k->cuts->edges + k->begin;
    uint32_t n = k->size, mids = 0;
    for (uint32_t i = 0; i < n; i++) mids += has_mid(edges, k->cuts->edge_points, i);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t next = (i + 1) % n;
        if (mids == n) {
            add_quad(k, i, n + i, 2 * n, n + (i + n - 1) % n);
        } else if (has_mid(edges, k->cuts->edge_points, i)) {
            add_triangle(k, i, n + i, 2 * n);
            add_triangle(k, n + i, next, 2 * n);
        } else {
            add_triangle(k, i, next, 2 * n);
        }
    }
}

static void cut_face(const Cutter* k) {
    const uint32_t* edges = k->cuts->edges + k->begin;
    uint32_t mask = k->size <= 4 ? side_mask(edges, k->cuts->edge_points, k->size) : 0;
    bool center = k->cuts->center_points[k->face] != SN_NONE;
    if (mask == 0 && !center)
        add_piece(k, NULL, k->size);
    else if (k->size == 3)
        cut_triangle(k, mask);
    else if (k->size > 4 || mask == 15)
        cut_around_center(k);
    else
        for (uint32_t a = 0; a < 4; a++) cut_quad_from(k, mask, a);
}

void sni_cuts_run(const sniLevel* level, const sniCuts* cuts, const snVec3* positions, sniLevel* to) {
    Cutter cutter = {.from = level, .cuts = cuts, .positions = positions, .to = to};
    cutter.counting = to->face_starts == NULL;
    to->face_count = to->corner_count = 0;
    for (uint32_t f = 0; f < level->face_count; f++) {
        cutter.face = f;
        cutter.begin = level->face_starts[f];
        cutter.size = level->face_starts[f + 1] - cutter.begin;
        cut_face(&cutter);
    }
}
