// Loose pieces of a surface: what no handle holds goes to the handle whose surface is nearest.
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/union_find.h"
#include "handles/points.h"
#include "handles/sites.h"
#include "sinew/handles.h"

typedef struct Pieces {
    const snHandles* handles;
    const snMesh* mesh;
    const snAllocator* memory;
    sniPoints points;
    uint32_t* owners;        // vertex_count; SN_NONE: free
    uint32_t* point_owners;  // point_count; of its first vertex that has one
    uint32_t* sets;          // point_count; the lowest point of the piece
    bool* held;              // point_count; by that
    sniNearestSite* nearest; // point_count; by that
    sniSites sites;
} Pieces;

// --------------------------------------------------------------------------------------------------- tables

static void add_site(Pieces* s, const uint32_t points[3], uint32_t handle) {
    sniSite* site = &s->sites.items[s->sites.count++];
    site->handle = handle;
    for (int k = 0; k < 3; k++) site->corners[k] = s->mesh->positions[s->points.vertex_of_point[points[k]]];
}

// Triangles with a corner of a handle, and points of handles that are in no triangle.
static void list_sites(Pieces* s) {
    const sniPoints* points = &s->points;
    for (uint32_t t = 0; t < points->triangle_count; t++) {
        const uint32_t* corners = points->triangles[t];
        uint32_t handle = SN_NONE;
        for (int k = 0; k < 3 && handle == SN_NONE; k++) handle = s->point_owners[corners[k]];
        if (handle != SN_NONE) add_site(s, corners, handle);
    }
    for (uint32_t p = 0; p < points->point_count; p++)
        if (points->fan_starts[p] == points->fan_starts[p + 1] && s->point_owners[p] != SN_NONE)
            add_site(s, (const uint32_t[3]){p, p, p}, s->point_owners[p]);
}

static bool make_room(Pieces* s) {
    uint32_t points = s->points.point_count;
    s->owners = SNI_NEW_ARRAY(s->memory, uint32_t, s->mesh->vertex_count);
    s->point_owners = SNI_NEW_ARRAY(s->memory, uint32_t, points);
    s->sets = SNI_NEW_ARRAY(s->memory, uint32_t, points);
    s->held = SNI_NEW_ARRAY(s->memory, bool, points);
    s->nearest = SNI_NEW_ARRAY(s->memory, sniNearestSite, points);
    s->sites.items = SNI_NEW_ARRAY(s->memory, sniSite, (size_t)s->points.triangle_count + points);
    return s->owners != NULL && s->point_owners != NULL && s->sets != NULL && s->held != NULL &&
           s->nearest != NULL && s->sites.items != NULL;
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
        s->nearest[p] = (sniNearestSite){INFINITY, SN_NONE};
        s->point_owners[p] = SN_NONE;
        for (uint32_t i = points->starts[p]; i < points->starts[p + 1]; i++)
            sni_sets_join(s->sets, p, points->neighbours[i]);
    }
    sni_sets_flatten(s->sets, points->point_count);
    for (uint32_t v = 0; v < s->mesh->vertex_count; v++) {
        uint32_t p = points->point_of_vertex[v];
        if (s->owners[v] == SN_NONE) continue;
        s->held[s->sets[p]] = true;
        if (s->point_owners[p] == SN_NONE) s->point_owners[p] = s->owners[v];
    }
}

// How many pieces were given away.
static uint32_t give_away(Pieces* s) {
    const sniPoints* points = &s->points;
    uint32_t given = 0;
    for (uint32_t p = 0; p < points->point_count; p++) {
        uint32_t piece = s->sets[p];
        if (s->held[piece]) continue;
        given += piece == p;
        sni_sites_nearest(&s->sites, s->mesh->positions[points->vertex_of_point[p]], &s->nearest[piece]);
    }
    for (uint32_t v = 0; v < s->mesh->vertex_count; v++) {
        uint32_t piece = s->sets[points->point_of_vertex[v]];
        if (!s->held[piece]) s->owners[v] = s->nearest[piece].handle;
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
                                         .center = from->center,
                                         .confidence = from->confidence};
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
    snResult result = sn_handles_validate(handles, mesh, error);
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
        enough = sni_sites_build(&s.sites, &memory);
    }
    if (enough) given = give_away(&s);
    result = enough ? create(&s, out, error) : sni_fail_memory(error);
    if (result == SN_RESULT_OK && out_pieces != NULL) *out_pieces = given;
    void* arrays[] = {s.owners, s.point_owners, s.sets, s.held, s.nearest};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(&memory, arrays[i]);
    sni_sites_free(&s.sites, &memory);
    sni_points_free(&s.points);
    return result;
}
