// Loose pieces of a surface: what no handle holds goes to the handle whose surface is nearest.
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "base/union_find.h"
#include "handles/points.h"
#include "sinew/selection.h"

// A triangle with a corner of a handle, or a point of one that is in no triangle.
typedef struct Site {
    snVec3 corners[3];
    float low, high; // in x
    uint32_t handle;
} Site;

typedef struct Pieces {
    const snHandles* handles;
    const snMesh* mesh;
    const snAllocator* memory;
    sniPoints points;
    uint32_t* owners;  // vertex_count; SN_NONE: free
    uint32_t* sets;    // point_count; the lowest point of the piece
    bool* held;        // point_count; by that
    uint32_t* nearest; // point_count; by that: the handle
    float* distances;  // point_count; by that
    uint32_t site_count;
    Site* sites; // by `low`, rising
    float widest;
} Pieces;

// ----------------------------------------------------------------------------------------------- distances

static snVec3 nearest_on_edge(snVec3 a, snVec3 b, snVec3 p) {
    snVec3 along = sn_sub(b, a);
    float length2 = sn_dot(along, along);
    if (!(length2 > 0.0f)) return a;
    return sn_add(a, sn_scale(along, sn_clampf(sn_dot(sn_sub(p, a), along) / length2, 0.0f, 1.0f)));
}

// Above the triangle its plane is nearest, else one of the edges.
static float triangle_distance(const snVec3 corners[3], snVec3 p) {
    snVec3 normal = sn_cross(sn_sub(corners[1], corners[0]), sn_sub(corners[2], corners[0]));
    float area = sn_length(normal), least = INFINITY;
    bool above = area > 0.0f;
    for (int k = 0; k < 3; k++) {
        snVec3 a = corners[k], b = corners[(k + 1) % 3];
        above = above && sn_dot(sn_cross(sn_sub(b, a), sn_sub(p, a)), normal) >= 0.0f;
        float distance = sn_distance(p, nearest_on_edge(a, b, p));
        if (distance < least) least = distance;
    }
    return above ? fabsf(sn_dot(sn_sub(p, corners[0]), normal)) / area : least;
}

// The first site that begins at x or further on.
static uint32_t first_from(const Pieces* s, float x) {
    uint32_t begin = 0, end = s->site_count;
    while (begin < end) {
        uint32_t middle = begin + (end - begin) / 2;
        if (s->sites[middle].low < x)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}

static void try_site(Pieces* s, uint32_t piece, const Site* site, snVec3 p) {
    float distance = triangle_distance(site->corners, p);
    bool nearer = distance < s->distances[piece] ||
                  (distance == s->distances[piece] && site->handle < s->nearest[piece]);
    if (!nearer) return;
    s->distances[piece] = distance;
    s->nearest[piece] = site->handle;
}

// From where the point is outwards, until what follows is too far away in x alone.
static void search_from(Pieces* s, uint32_t piece, snVec3 p) {
    uint32_t middle = first_from(s, p.x);
    for (uint32_t i = middle; i < s->site_count; i++) {
        if (s->sites[i].low - p.x > s->distances[piece]) break;
        try_site(s, piece, &s->sites[i], p);
    }
    for (uint32_t i = middle; i-- > 0;) {
        if (p.x - (s->sites[i].low + s->widest) > s->distances[piece]) break;
        if (p.x - s->sites[i].high <= s->distances[piece]) try_site(s, piece, &s->sites[i], p);
    }
}

// --------------------------------------------------------------------------------------------------- tables

static void add_site(Pieces* s, const uint32_t vertices[3], uint32_t handle) {
    Site* site = &s->sites[s->site_count++];
    site->handle = handle;
    for (int k = 0; k < 3; k++) site->corners[k] = s->mesh->positions[vertices[k]];
    site->low = sn_minf(site->corners[0].x, sn_minf(site->corners[1].x, site->corners[2].x));
    site->high = sn_maxf(site->corners[0].x, sn_maxf(site->corners[1].x, site->corners[2].x));
    s->widest = sn_maxf(s->widest, site->high - site->low);
}

static void list_sites(Pieces* s) {
    const sniPoints* points = &s->points;
    for (uint32_t t = 0; t < points->triangle_count; t++) {
        uint32_t vertices[3], handle = SN_NONE;
        for (int k = 0; k < 3; k++) {
            vertices[k] = points->vertex_of_point[points->triangles[t][k]];
            if (handle == SN_NONE) handle = s->owners[vertices[k]];
        }
        if (handle != SN_NONE) add_site(s, vertices, handle);
    }
    for (uint32_t p = 0; p < points->point_count; p++) {
        uint32_t v = points->vertex_of_point[p];
        if (points->fan_starts[p] == points->fan_starts[p + 1] && s->owners[v] != SN_NONE)
            add_site(s, (const uint32_t[3]){v, v, v}, s->owners[v]);
    }
}

// Floats as whole numbers of the same order.
static uint32_t order_of(float x) {
    uint32_t bits = 0;
    memcpy(&bits, &x, sizeof bits);
    return (bits & 0x80000000u) != 0 ? ~bits : bits | 0x80000000u;
}

static bool sort_sites(Pieces* s) {
    uint64_t* keys = SNI_NEW_ARRAY(s->memory, uint64_t, s->site_count);
    Site* sorted = SNI_NEW_ARRAY(s->memory, Site, s->site_count);
    bool enough = keys != NULL && sorted != NULL;
    if (enough) {
        for (uint32_t i = 0; i < s->site_count; i++)
            keys[i] = (uint64_t)order_of(s->sites[i].low + 0.0f) << 32 | i; // no negative zeros
        sni_sort_u64(keys, s->site_count);
        for (uint32_t i = 0; i < s->site_count; i++) sorted[i] = s->sites[(uint32_t)keys[i]];
        sni_free(s->memory, s->sites);
        s->sites = sorted;
    } else {
        sni_free(s->memory, sorted);
    }
    sni_free(s->memory, keys);
    return enough;
}

static bool make_room(Pieces* s) {
    uint32_t points = s->points.point_count;
    s->owners = SNI_NEW_ARRAY(s->memory, uint32_t, s->mesh->vertex_count);
    s->sets = SNI_NEW_ARRAY(s->memory, uint32_t, points);
    s->held = SNI_NEW_ARRAY(s->memory, bool, points);
    s->nearest = SNI_NEW_ARRAY(s->memory, uint32_t, points);
    s->distances = SNI_NEW_ARRAY(s->memory, float, points);
    s->sites = SNI_NEW_ARRAY(s->memory, Site, (size_t)s->points.triangle_count + points);
    return s->owners != NULL && s->sets != NULL && s->held != NULL && s->nearest != NULL &&
           s->distances != NULL && s->sites != NULL;
}

static void find_pieces(Pieces* s) {
    const sniPoints* points = &s->points;
    for (uint32_t v = 0; v < s->mesh->vertex_count; v++) s->owners[v] = SN_NONE;
    for (uint32_t h = 0; h < s->handles->handle_count; h++) {
        const snHandle* handle = &s->handles->handles[h];
        for (uint32_t i = 0; i < handle->vertex_count; i++) s->owners[handle->vertices[i]] = h;
    }
    sni_sets_reset(s->sets, points->point_count);
    for (uint32_t p = 0; p < points->point_count; p++) {
        s->nearest[p] = SN_NONE;
        s->distances[p] = INFINITY;
        for (uint32_t i = points->starts[p]; i < points->starts[p + 1]; i++)
            sni_sets_join(s->sets, p, points->neighbours[i]);
    }
    sni_sets_flatten(s->sets, points->point_count);
    for (uint32_t v = 0; v < s->mesh->vertex_count; v++)
        if (s->owners[v] != SN_NONE) s->held[s->sets[points->point_of_vertex[v]]] = true;
}

// How many pieces were given away.
static uint32_t give_away(Pieces* s) {
    const sniPoints* points = &s->points;
    uint32_t given = 0;
    for (uint32_t p = 0; p < points->point_count; p++) {
        uint32_t piece = s->sets[p];
        if (s->held[piece]) continue;
        given += piece == p;
        search_from(s, piece, s->mesh->positions[points->vertex_of_point[p]]);
    }
    for (uint32_t v = 0; v < s->mesh->vertex_count; v++) {
        uint32_t piece = s->sets[points->point_of_vertex[v]];
        if (!s->held[piece]) s->owners[v] = s->nearest[piece];
    }
    return given;
}

// --------------------------------------------------------------------------------------------------- result

typedef struct Rows {
    snHandleDef* handles;
    uint32_t* vertices;
    float* weights;
} Rows;

// As they were, and what was given to them, which they hold fast.
static void fill_rows(const Pieces* s, Rows* rows) {
    uint32_t used = 0;
    for (uint32_t h = 0; h < s->handles->handle_count; h++) {
        const snHandle* from = &s->handles->handles[h];
        rows->handles[h] = (snHandleDef){.name = from->name,
                                         .vertices = rows->vertices + used,
                                         .weights = rows->weights + used,
                                         .followers = from->followers,
                                         .follower_count = from->follower_count,
                                         .centre = from->centre,
                                         .sureness = from->sureness};
        uint32_t next = 0, begin = used;
        for (uint32_t v = 0; v < s->mesh->vertex_count; v++) {
            if (s->owners[v] != h) continue;
            bool old = next < from->vertex_count && from->vertices[next] == v;
            rows->vertices[used] = v;
            rows->weights[used++] = old ? from->weights[next] : 1.0f;
            next += old;
        }
        rows->handles[h].vertex_count = used - begin;
    }
}

static snResult create(const Pieces* s, snHandles** out, snError* error) {
    Rows rows = {SNI_NEW_ARRAY(s->memory, snHandleDef, s->handles->handle_count),
                 SNI_NEW_ARRAY(s->memory, uint32_t, s->mesh->vertex_count),
                 SNI_NEW_ARRAY(s->memory, float, s->mesh->vertex_count)};
    snResult result = SN_RESULT_OUT_OF_MEMORY;
    if (rows.handles != NULL && rows.vertices != NULL && rows.weights != NULL) {
        fill_rows(s, &rows);
        snHandlesDef def = {s->mesh, s->handles->handle_count, rows.handles};
        result = sn_handles_create(&def, s->memory, out, error);
    } else {
        sni_fail_memory(error);
    }
    sni_free(s->memory, rows.handles);
    sni_free(s->memory, rows.vertices);
    sni_free(s->memory, rows.weights);
    return result;
}

snResult sn_handles_hold_pieces(const snHandles* handles, const snMesh* mesh, const snAllocator* allocator,
                                snHandles** out, uint32_t* out_pieces, snError* error) {
    if (handles == NULL || mesh == NULL || out == NULL) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "handles, a mesh and an output are needed");
    }
    snResult result = sn_handles_check(handles, mesh, error);
    if (result != SN_RESULT_OK) return result;
    snAllocator memory = sni_allocator(allocator);
    Pieces s = {.handles = handles, .mesh = mesh, .memory = &memory};
    result = sni_points_create(mesh, NULL, &memory, &s.points, error);
    if (result != SN_RESULT_OK) return result;
    bool enough = make_room(&s);
    uint32_t given = 0;
    if (enough) {
        find_pieces(&s);
        list_sites(&s);
        enough = sort_sites(&s);
    }
    if (enough) given = give_away(&s);
    result = enough ? create(&s, out, error) : sni_fail_memory(error);
    if (result == SN_RESULT_OK && out_pieces != NULL) *out_pieces = given;
    void* arrays[] = {s.owners, s.sets, s.held, s.nearest, s.distances, s.sites};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(&memory, arrays[i]);
    sni_points_free(&s.points);
    return result;
}
