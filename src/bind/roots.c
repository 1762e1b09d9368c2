// Where a piece without a bone is rooted. What is nearest is not what holds it: mouthparts brush a leg, an
// eye lies beside a lid. What reaches into another piece is rooted there, and goes with that one alone. A
// shirt is not: its collar may reach into the head, but more of the body lies inside the shirt.
#include "base/error.h"
#include "base/memory.h"
#include "bind/auto.h"

// Points of a piece that are asked, spread over it; and how many must be inside, so that one that a touching
// skin grazes is no root.
#define MOST_ASKED 256u
#define LEAST_ROOT 2u

typedef struct Piece {
    uint32_t points, asked;
    double area;
    uint32_t held;    // of its places, by the piece that was looked at
    uint32_t deepest; // the same, by its root
    double worn;      // area of hosts that lies inside it
} Piece;

typedef struct Search {
    const sniSurface* surface;
    const bool* follows;
    uint32_t* roots;
    Piece* pieces;
    uint32_t count;     // of places
    snVec3* places;     // points of all pieces
    uint32_t* piece_of; // per place
} Search;

static void measure(Search* s) {
    const sniSurface* surface = s->surface;
    for (uint32_t p = 0; p < surface->point_count; p++) s->pieces[surface->components[p]].points++;
    for (size_t t = 0; t < surface->triangle_count; t++) {
        const uint32_t* corners = surface->triangles + 3 * t;
        snVec3 a = surface->points[corners[0]], b = surface->points[corners[1]],
               c = surface->points[corners[2]];
        float twice = sn_length(sn_cross(sn_sub(b, a), sn_sub(c, a)));
        s->pieces[surface->components[corners[0]]].area += 0.5 * (double)twice;
    }
}

static bool allocate(Search* s, const snAllocator* memory) {
    size_t places = 0;
    s->pieces = SNI_NEW_ARRAY(memory, Piece, s->surface->component_count);
    if (s->pieces == NULL) return false;
    measure(s);
    for (uint32_t c = 0; c < s->surface->component_count; c++) {
        places += s->pieces[c].points < MOST_ASKED ? s->pieces[c].points : MOST_ASKED;
    }
    s->places = SNI_NEW_ARRAY(memory, snVec3, places);
    s->piece_of = SNI_NEW_ARRAY(memory, uint32_t, places);
    return s->places != NULL && s->piece_of != NULL;
}

static void choose_places(Search* s) {
    const sniSurface* surface = s->surface;
    for (uint32_t p = 0; p < surface->point_count; p++) {
        Piece* piece = &s->pieces[surface->components[p]];
        uint32_t step = (piece->points + MOST_ASKED - 1) / MOST_ASKED;
        if (piece->held++ % step != 0) continue; // `held` counts the points that were seen
        piece->asked++;
        s->places[s->count] = surface->points[p];
        s->piece_of[s->count++] = surface->components[p];
    }
    for (uint32_t c = 0; c < surface->component_count; c++) s->pieces[c].held = 0;
}

static double area_of(const Piece* piece, uint32_t places) {
    return piece->area * (double)places / (double)piece->asked;
}

// What lies inside one piece: of those that follow where it is a host, of hosts where it follows.
static void look(Search* s, sniWithin* within, uint32_t component) {
    if (!sni_within_look(within, component)) return;
    bool host = !s->follows[component];
    for (uint32_t i = 0; i < s->count; i++) {
        if (s->follows[s->piece_of[i]] == host) s->pieces[s->piece_of[i]].held += sni_within_holds(within, i);
    }
    for (uint32_t i = 0; i < s->count; i++) {
        Piece* piece = &s->pieces[s->piece_of[i]];
        uint32_t held = piece->held;
        piece->held = 0;
        if (!host) s->pieces[component].worn += area_of(piece, held);
        if (!host || held < LEAST_ROOT || held <= piece->deepest) continue;
        piece->deepest = held;
        s->roots[s->piece_of[i]] = component;
    }
}

static snResult find(Search* s, const snAllocator* memory, snError* error) {
    sniWithin within = {0};
    choose_places(s);
    SNI_TRY(sni_within_create(s->surface, s->places, s->count, memory, &within, error));
    for (uint32_t c = 0; c < s->surface->component_count; c++) look(s, &within, c);
    for (uint32_t c = 0; c < s->surface->component_count; c++) {
        const Piece* piece = &s->pieces[c];
        bool worn = SNI_RULE(worn) && piece->deepest > 0 && piece->worn > area_of(piece, piece->deepest);
        if (worn || !SNI_RULE(roots)) s->roots[c] = SN_NONE;
    }
    sni_within_free(&within);
    return SN_RESULT_OK;
}

snResult sni_roots_find(const sniSurface* surface, const bool* follows, const snAllocator* allocator,
                        uint32_t* roots, float* depths, snError* error) {
    Search search = {.surface = surface, .follows = follows, .roots = roots};
    for (uint32_t c = 0; c < surface->component_count; c++) roots[c] = SN_NONE;
    snResult result = allocate(&search, allocator) ? find(&search, allocator, error) : sni_fail_memory(error);
    for (uint32_t c = 0; c < surface->component_count && result == SN_RESULT_OK; c++) {
        const Piece* piece = &search.pieces[c];
        depths[c] = roots[c] != SN_NONE ? (float)piece->deepest / (float)piece->asked : 0.0f;
    }
    sni_free(allocator, search.places);
    sni_free(allocator, search.piece_of);
    sni_free(allocator, search.pieces);
    return result;
}
