// Making the tables of a surface between handles.
#include "surface/surface.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/progress.h"
#include "base/union_find.h"
#include "shape/weld_reach.h"

// Details up to about this many edges across do not tilt the normals that they are turned by. Judged, not
// measured.
#define SMOOTHING_ROUNDS 8
// How strongly a handle of weight one half holds on, and what counts as rigid. Chosen by pictures of an arm,
// from rigid to free (docs/images/handle_weights.png), on coarse and fine meshes.
#define PULL 8.0
#define MOST_PULL 100.0

const char* sn_laplacian_name(snLaplacian laplacian) {
    static const char* const names[SN_LAPLACIAN_COUNT] = {"uniform", "edge", "cotangent"};
    return (unsigned)laplacian < SN_LAPLACIAN_COUNT ? names[laplacian] : "none";
}

const char* sn_handle_method_name(snHandleMethod method) {
    static const char* const names[SN_HANDLES_METHOD_COUNT] = {"fast", "rigid"};
    return (unsigned)method < SN_HANDLES_METHOD_COUNT ? names[method] : "none";
}

snHandleSurfaceDef sn_handle_surface_def(void) {
    return (snHandleSurfaceDef){
        .laplacian = SN_LAPLACIAN_COTANGENT, .band = 2, .rigid = true, .memory_limit = (size_t)2 << 30};
}

// ----------------------------------------------------------------------------------------------- points

static snResult fail_overlap(const snHandles* handles, uint32_t a, uint32_t b, uint32_t vertex,
                             snError* error) {
    return sni_fail_vertex(error, SN_RESULT_BAD_DATA, vertex,
                           "vertex %u of handle \"%s\" is at the same position as a vertex of handle \"%s\"",
                           vertex, handles->handles[b].name, handles->handles[a].name);
}

// The handle and weight of each point. Vertices of a seam need not all be named; the heaviest counts. Where a
// file has rounded a seam, the two sides may be in two handles, as rigs of 0.1.0 have them: the first keeps
// it.
static snResult take_handles(const snHandles* handles, const snVec3* positions, sniSurfacePoints* points,
                             snError* error) {
    for (uint32_t i = 0; i < points->count; i++) points->handles[i] = SN_NONE;
    for (uint32_t h = 0; h < handles->handle_count; h++) {
        const snHandle* handle = &handles->handles[h];
        for (uint32_t k = 0; k < handle->vertex_count; k++) {
            uint32_t v = handle->vertices[k], i = points->point_of_vertex[v];
            if (points->handles[i] != SN_NONE && points->handles[i] != h) {
                if (sn_distance(positions[v], positions[points->vertex_of_point[i]]) > 0.0f) continue;
                return fail_overlap(handles, points->handles[i], h, v, error);
            }
            points->handles[i] = h;
            points->weights[i] = sn_maxf(points->weights[i], handle->weights[k]);
        }
    }
    return SN_RESULT_OK;
}

static bool is_loose(const sniSurfacePoints* points, uint32_t i) {
    return points->edges.starts[i] == points->edges.starts[i + 1];
}

// A point without neighbours has no details: it goes with its handle, or with the nearest one.
static void hold_loose(const snMesh* mesh, const snHandles* handles, sniSurfacePoints* points) {
    for (uint32_t i = 0; i < points->count; i++) {
        if (!is_loose(points, i)) continue;
        points->weights[i] = 1.0f;
        if (points->handles[i] != SN_NONE) continue;
        float nearest = 0.0f;
        for (uint32_t h = 0; h < handles->handle_count; h++) {
            float distance =
                sn_distance(mesh->positions[points->vertex_of_point[i]], handles->handles[h].position);
            if (points->handles[i] != SN_NONE && !(distance < nearest)) continue;
            points->handles[i] = h;
            nearest = distance;
        }
    }
}

static bool is_rigid(const sniSurfacePoints* points, uint32_t i) {
    return points->handles[i] != SN_NONE && points->weights[i] >= 1.0f;
}

// Every piece of the mesh must be held somewhere.
static snResult check_pieces(const sniSurfacePoints* points, const snAllocator* memory, snError* error) {
    uint32_t* sets = SNI_NEW_ARRAY(memory, uint32_t, points->count);
    uint8_t* held = SNI_NEW_ARRAY(memory, uint8_t, points->count);
    uint32_t lost = SN_NONE, size = 0;
    bool enough = sets != NULL && held != NULL;
    if (enough) {
        sni_sets_reset(sets, points->count);
        for (uint32_t i = 0; i < points->count; i++) {
            for (uint32_t e = points->edges.starts[i]; e < points->edges.starts[i + 1]; e++)
                sni_sets_join(sets, i, points->edges.columns[e]);
        }
        sni_sets_flatten(sets, points->count);
        for (uint32_t i = 0; i < points->count; i++) {
            if (points->handles[i] != SN_NONE && points->weights[i] > 0.0f) held[sets[i]] = 1;
        }
        for (uint32_t i = 0; i < points->count && lost == SN_NONE; i++) {
            if (!held[sets[i]]) lost = sets[i];
        }
        for (uint32_t i = 0; lost != SN_NONE && i < points->count; i++) size += sets[i] == lost;
    }
    sni_free(memory, sets);
    sni_free(memory, held);
    if (!enough) return sni_fail_memory(error);
    if (lost == SN_NONE) return SN_RESULT_OK;
    uint32_t vertex = points->vertex_of_point[lost];
    return sni_fail_vertex(
        error, SN_RESULT_BAD_DATA, vertex,
        "the piece of the mesh around vertex %u (%u vertices) has no handle: put a handle on it", vertex,
        size);
}

// Edges from every point to the nearest unknown, up to `most`; SN_NONE beyond.
static bool measure_rings(sniSurfacePoints* points, uint32_t most, const snAllocator* memory) {
    uint32_t* queue = SNI_NEW_ARRAY(memory, uint32_t, points->count);
    if (queue == NULL) return false;
    uint32_t end = 0;
    for (uint32_t i = 0; i < points->count; i++) {
        points->rings[i] = is_rigid(points, i) ? SN_NONE : 0;
        if (points->rings[i] == 0) queue[end++] = i;
    }
    for (uint32_t at = 0; at < end; at++) {
        uint32_t i = queue[at];
        if (points->rings[i] == most) continue;
        for (uint32_t e = points->edges.starts[i]; e < points->edges.starts[i + 1]; e++) {
            uint32_t j = points->edges.columns[e];
            if (points->rings[j] != SN_NONE) continue;
            points->rings[j] = points->rings[i] + 1;
            queue[end++] = j;
        }
    }
    sni_free(memory, queue);
    return true;
}

// Unknowns first, then those held.
static void number_locals(snHandleSurface* s, sniSurfacePoints* points) {
    uint32_t next = 0;
    for (uint32_t i = 0; i < points->count; i++) {
        points->locals[i] = SN_NONE;
        if (points->rings[i] == 0) points->locals[i] = next++;
    }
    s->unknown_count = next;
    for (uint32_t i = 0; i < points->count; i++) {
        if (points->rings[i] != SN_NONE && points->rings[i] > 0) points->locals[i] = next++;
    }
    s->local_count = next;
}

static snResult sort_points(snHandleSurface* s, const snHandleSurfaceDef* def, sniSurfacePoints* points,
                            snError* error) {
    uint32_t reach = def->squared ? 2 : 1;
    hold_loose(def->mesh, def->handles, points);
    SNI_TRY(check_pieces(points, &s->allocator, error));
    points->row_rings = def->band - 1 < reach ? def->band - 1 : reach;
    if (!measure_rings(points, points->row_rings + reach, &s->allocator)) return sni_fail_memory(error);
    number_locals(s, points);
    if (s->unknown_count > 0) return SN_RESULT_OK;
    return sni_fail(error, SN_RESULT_BAD_DATA,
                    "no free vertex: the handles cover the whole mesh, so nothing can bend between them");
}

// ---------------------------------------------------------------------------------------------- vertices

static snResult fill_vertices(snHandleSurface* s, const snHandleSurfaceDef* def,
                              const sniSurfacePoints* points, snError* error) {
    uint32_t count = s->vertex_count;
    s->local_of_vertex = SNI_NEW_ARRAY(&s->allocator, uint32_t, count);
    s->handle_of_vertex = SNI_NEW_ARRAY(&s->allocator, uint16_t, count);
    s->vertices =
        (snVec3*)sni_copy_array(&s->allocator, def->mesh->positions, count, sizeof *def->mesh->positions);
    s->normals = SNI_NEW_ARRAY(&s->allocator, snVec3, count);
    if (s->local_of_vertex == NULL || s->handle_of_vertex == NULL || s->vertices == NULL ||
        s->normals == NULL)
        return sni_fail_memory(error);
    for (uint32_t v = 0; v < count; v++) {
        uint32_t i = points->point_of_vertex[v];
        bool unknown = points->rings[i] == 0;
        s->local_of_vertex[v] = unknown ? points->locals[i] : SN_NONE;
        if (!unknown) s->handle_of_vertex[v] = (uint16_t)points->handles[i];
    }
    snNormalsJob job = {.mesh = s->mesh, .weld = s->weld, .out_normals = s->normals};
    return sn_normals_run(&job);
}

static void fill_local(snHandleSurface* s, const sniSurfacePoints* points, uint32_t i) {
    uint32_t local = points->locals[i], vertex = points->vertex_of_point[i];
    double* rest = s->rest + (size_t)local * SNI_SURFACE_LANES;
    rest[0] = (double)s->vertices[vertex].x;
    rest[1] = (double)s->vertices[vertex].y;
    rest[2] = (double)s->vertices[vertex].z;
    if (local >= s->unknown_count) {
        s->held_handles[local - s->unknown_count] = (uint16_t)points->handles[i];
        return;
    }
    s->vertex_of_unknown[local] = vertex;
    if (points->handles[i] == SN_NONE) return;
    s->pull_handles[local] = (uint16_t)points->handles[i];
    s->pulls[local] = (double)points->weights[i]; // turned into a pull when its piece is known
}

static snResult fill_locals(snHandleSurface* s, const sniSurfacePoints* points, snError* error) {
    uint32_t count = s->unknown_count;
    s->rest = SNI_NEW_ARRAY(&s->allocator, double, (size_t)s->local_count* SNI_SURFACE_LANES);
    s->held_handles = SNI_NEW_ARRAY(&s->allocator, uint16_t, s->local_count - count);
    s->vertex_of_unknown = SNI_NEW_ARRAY(&s->allocator, uint32_t, count);
    s->pull_handles = SNI_NEW_ARRAY(&s->allocator, uint16_t, count);
    s->pulls = SNI_NEW_ARRAY(&s->allocator, double, count);
    if (s->rest == NULL || s->held_handles == NULL || s->vertex_of_unknown == NULL ||
        s->pull_handles == NULL || s->pulls == NULL)
        return sni_fail_memory(error);
    for (uint32_t i = 0; i < points->count; i++) {
        if (points->locals[i] != SN_NONE) fill_local(s, points, i);
    }
    return SN_RESULT_OK;
}

// ------------------------------------------------------------------------------------------------- ring

// The neighbours of a point, by rising local number.
static void fill_ring(snHandleSurface* s, const sniSurfacePoints* points, uint32_t i, uint32_t* at) {
    const sniTable* edges = &points->edges;
    uint32_t u = points->locals[i], begin = *at;
    const double* x = s->rest + (size_t)u * SNI_SURFACE_LANES;
    for (uint32_t e = edges->starts[i]; e < edges->starts[i + 1]; e++, (*at)++) {
        uint32_t local = points->locals[edges->columns[e]], to = *at;
        const double* y = s->rest + (size_t)local * SNI_SURFACE_LANES;
        double dx = y[0] - x[0], dy = y[1] - x[1], dz = y[2] - x[2];
        s->ring_sums[u] += edges->values[e] * (dx * dx + dy * dy + dz * dz);
        for (; to > begin && s->ring.columns[to - 1] > local; to--) {
            s->ring.columns[to] = s->ring.columns[to - 1];
            s->ring.values[to] = s->ring.values[to - 1];
        }
        s->ring.columns[to] = local;
        s->ring.values[to] = edges->values[e];
    }
    s->ring.starts[u + 1] = *at;
}

static snResult fill_rings(snHandleSurface* s, const sniSurfacePoints* points, snError* error) {
    size_t entries = 0;
    for (uint32_t i = 0; i < points->count; i++) {
        if (points->rings[i] == 0) entries += points->edges.starts[i + 1] - points->edges.starts[i];
    }
    s->ring.starts = SNI_NEW_ARRAY(&s->allocator, uint32_t, (size_t)s->unknown_count + 1);
    s->ring.columns = SNI_NEW_ARRAY(&s->allocator, uint32_t, entries);
    s->ring.values = SNI_NEW_ARRAY(&s->allocator, double, entries);
    s->ring_sums = SNI_NEW_ARRAY(&s->allocator, double, s->unknown_count);
    if (s->ring.starts == NULL || s->ring.columns == NULL || s->ring.values == NULL || s->ring_sums == NULL)
        return sni_fail_memory(error);
    uint32_t at = 0;
    for (uint32_t i = 0; i < points->count; i++) {
        if (points->rings[i] == 0) fill_ring(s, points, i, &at);
    }
    return SN_RESULT_OK;
}

// Normals of the surface without details: each round takes the mean with the neighbours.
static snResult smooth_normals(snHandleSurface* s, const sniSurfacePoints* points, snError* error) {
    snVec3* now = SNI_NEW_ARRAY(&s->allocator, snVec3, points->count);
    snVec3* next = SNI_NEW_ARRAY(&s->allocator, snVec3, points->count);
    s->smooth_normals = SNI_NEW_ARRAY(&s->allocator, double, (size_t)s->unknown_count* SNI_SURFACE_LANES);
    bool enough = now != NULL && next != NULL && s->smooth_normals != NULL;
    for (uint32_t i = 0; enough && i < points->count; i++) now[i] = s->normals[points->vertex_of_point[i]];
    for (int round = 0; enough && round < SMOOTHING_ROUNDS; round++) {
        for (uint32_t i = 0; i < points->count; i++) {
            snVec3 sum = sn_vec3(0, 0, 0);
            for (uint32_t e = points->edges.starts[i]; e < points->edges.starts[i + 1]; e++)
                sum = sn_add(sum, now[points->edges.columns[e]]);
            float count = (float)(points->edges.starts[i + 1] - points->edges.starts[i]);
            next[i] = sn_normalize_or(sn_add(sum, sn_scale(now[i], count)), now[i]);
        }
        snVec3* swap = now;
        now = next;
        next = swap;
    }
    for (uint32_t i = 0; enough && i < points->count; i++) {
        if (points->rings[i] != 0) continue;
        double* out = s->smooth_normals + (size_t)points->locals[i] * SNI_SURFACE_LANES;
        out[0] = (double)now[i].x, out[1] = (double)now[i].y, out[2] = (double)now[i].z;
    }
    sni_free(&s->allocator, now);
    sni_free(&s->allocator, next);
    return enough ? SN_RESULT_OK : sni_fail_memory(error);
}

// Parts of the surface that only handles connect, numbered by their first unknown.
static snResult find_pieces(snHandleSurface* s, snError* error) {
    uint32_t* pieces = SNI_NEW_ARRAY(&s->allocator, uint32_t, s->unknown_count);
    s->piece_of_unknown = pieces;
    if (pieces == NULL) return sni_fail_memory(error);
    sni_sets_reset(pieces, s->unknown_count);
    for (uint32_t u = 0; u < s->unknown_count; u++) {
        for (uint32_t e = s->ring.starts[u]; e < s->ring.starts[u + 1]; e++) {
            if (s->ring.columns[e] < s->unknown_count) sni_sets_join(pieces, u, s->ring.columns[e]);
        }
    }
    sni_sets_flatten(pieces, s->unknown_count);
    // Roots come first, so theirs is a number already.
    for (uint32_t u = 0; u < s->unknown_count; u++)
        pieces[u] = pieces[u] == u ? s->piece_count++ : pieces[pieces[u]];
    s->piece_sizes = SNI_NEW_ARRAY(&s->allocator, uint32_t, s->piece_count);
    if (s->piece_sizes == NULL) return sni_fail_memory(error);
    for (uint32_t u = 0; u < s->unknown_count; u++) s->piece_sizes[pieces[u]]++;
    return SN_RESULT_OK;
}

// Against the details a pull holds a point that is (1 / pull)^(1/4) edges from anything else. So that a
// weight means the same for coarse and fine meshes it is measured by the size of the piece; w / (1 - w) makes
// it rise from nothing to rigid.
static void set_pulls(snHandleSurface* s) {
    for (uint32_t u = 0; u < s->unknown_count; u++) {
        double weight = s->pulls[u], size = (double)s->piece_sizes[s->piece_of_unknown[u]];
        double pull = weight / (1.0 - weight) * PULL / size;
        s->pulls[u] = pull < MOST_PULL ? pull * pull : MOST_PULL * MOST_PULL;
    }
}

// ----------------------------------------------------------------------------------------------- create

static snResult check_def(const snHandleSurfaceDef* def, snError* error) {
    if (def->mesh == NULL || def->handles == NULL)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a surface needs a mesh and handles");
    if ((unsigned)def->laplacian >= SN_LAPLACIAN_COUNT || def->band == 0)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT,
                        "laplacian must be one of the three, band 1 or more");
    if (def->weld != NULL && def->weld->vertex_count != def->mesh->vertex_count)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "the weld is of another mesh");
    SNI_TRY(sn_handles_validate(def->handles, def->mesh, error));
    if (def->sparse == NULL)
        return sni_fail(error, SN_RESULT_UNSUPPORTED,
                        "posing by handles needs a factorisation: build with libsuitesparse-dev and pass "
                        "sn_sparse_cholmod()");
    return SN_RESULT_OK;
}

// The mesh without what does not move, and its weld.
static snResult take_mesh(snHandleSurface* s, const snHandleSurfaceDef* def, snError* error) {
    snMeshDef mesh = {.vertex_count = def->mesh->vertex_count,
                      .face_count = def->mesh->face_count,
                      .corner_count = def->mesh->corner_count,
                      .positions = def->mesh->positions,
                      .face_starts = def->mesh->face_starts,
                      .corners = def->mesh->corners};
    SNI_TRY(sn_mesh_create(&mesh, &s->allocator, &s->mesh, error));
    return def->weld != NULL ? sn_weld_copy(def->weld, &s->allocator, &s->weld, error)
                             : sni_weld_mesh(s->mesh, &s->allocator, &s->weld, error);
}

// Rows of the system are told by the vertex they are about.
static void name_row(const snHandleSurface* s, snError* error) {
    if (error == NULL || error->code != SN_RESULT_BAD_DATA || error->vertex >= s->unknown_count) return;
    uint32_t vertex = s->vertex_of_unknown[error->vertex];
    sni_fail_vertex(error, SN_RESULT_BAD_DATA, vertex,
                    "the system cannot be solved at vertex %u: the weights of its handles are too small",
                    vertex);
}

static snResult build(snHandleSurface* s, const snHandleSurfaceDef* def, sniSurfacePoints* points,
                      snError* error) {
    snResult result =
        sni_surface_edges(s->mesh, s->weld, def->laplacian, &s->allocator, &points->edges, error);
    if (result == SN_RESULT_OK) result = take_handles(def->handles, s->mesh->positions, points, error);
    if (result == SN_RESULT_OK) result = sort_points(s, def, points, error);
    if (result == SN_RESULT_OK) result = fill_vertices(s, def, points, error);
    if (result == SN_RESULT_OK) result = fill_locals(s, points, error);
    if (result == SN_RESULT_OK) result = fill_rings(s, points, error);
    if (result == SN_RESULT_OK) result = find_pieces(s, error);
    if (result == SN_RESULT_OK) result = smooth_normals(s, points, error);
    if (result == SN_RESULT_OK) result = sni_progress(&def->progress, "factoring", 0.4f, error);
    if (result != SN_RESULT_OK) return result;
    set_pulls(s);
    result = sni_surface_system(s, points, def, error);
    if (result == SN_RESULT_OK) result = sni_progress(&def->progress, "factoring", 0.7f, error);
    if (result == SN_RESULT_OK) result = sni_surface_weights(s, error);
    if (result == SN_RESULT_OK) result = sni_progress(&def->progress, "factoring", 0.8f, error);
    if (result == SN_RESULT_OK && def->rigid) result = sni_surface_rigid(s, def, error);
    if (result == SN_RESULT_OK && def->rigid) result = sni_surface_volumes(s, points, error);
    if (result != SN_RESULT_OK) name_row(s, error);
    return result;
}

static snResult create(snHandleSurface* s, const snHandleSurfaceDef* def, snError* error) {
    snResult result = take_mesh(s, def, error);
    if (result == SN_RESULT_OK) result = sni_progress(&def->progress, "factoring", 0.2f, error);
    if (result != SN_RESULT_OK) return result;
    const snAllocator* memory = &s->allocator;
    sniSurfacePoints points = {.count = s->weld->point_count,
                               .point_of_vertex = s->weld->point_of_vertex,
                               .vertex_of_point = s->weld->vertex_of_point};
    points.handles = SNI_NEW_ARRAY(memory, uint32_t, points.count);
    points.weights = SNI_NEW_ARRAY(memory, float, points.count);
    points.locals = SNI_NEW_ARRAY(memory, uint32_t, points.count);
    points.rings = SNI_NEW_ARRAY(memory, uint32_t, points.count);
    bool enough =
        points.handles != NULL && points.weights != NULL && points.locals != NULL && points.rings != NULL;
    s->vertex_count = def->mesh->vertex_count;
    s->point_count = points.count;
    s->handle_count = def->handles->handle_count;
    result = enough ? build(s, def, &points, error) : sni_fail_memory(error);
    sni_free(memory, points.handles);
    sni_free(memory, points.weights);
    sni_free(memory, points.locals);
    sni_free(memory, points.rings);
    sni_table_free(&points.edges, memory);
    return result;
}

snResult sn_handle_surface_create(const snHandleSurfaceDef* def, const snAllocator* allocator,
                                  snHandleSurface** out, snError* error) {
    if (def == NULL || out == NULL)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "def and out must not be NULL");
    snResult result = check_def(def, error);
    if (result != SN_RESULT_OK) return result;
    snAllocator memory = sni_allocator(allocator);
    snHandleSurface* surface = SNI_NEW(&memory, snHandleSurface);
    if (surface == NULL) return sni_fail_memory(error);
    surface->allocator = memory;
    result = create(surface, def, error);
    if (result != SN_RESULT_OK) {
        sn_handle_surface_destroy(surface);
        return result;
    }
    *out = surface;
    return SN_RESULT_OK;
}

void sn_handle_surface_destroy(snHandleSurface* surface) {
    if (surface == NULL) return;
    snAllocator memory = surface->allocator;
    void* arrays[] = {surface->local_of_vertex,
                      surface->vertex_of_unknown,
                      surface->handle_of_vertex,
                      surface->vertices,
                      surface->normals,
                      surface->rest,
                      surface->held_handles,
                      surface->handles,
                      surface->weights,
                      surface->pull_handles,
                      surface->pulls,
                      surface->smooth_normals,
                      surface->ring_sums,

                      surface->details,
                      surface->rigid_pulls,
                      surface->stiffness,
                      surface->piece_of_unknown,
                      surface->piece_sizes,
                      surface->triangles,
                      surface->triangle_pieces,
                      surface->caps,
                      surface->volumes};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(&memory, arrays[i]);
    sni_table_free(&surface->ring, &memory);
    sni_table_free(&surface->rows, &memory);
    sni_table_free(&surface->columns, &memory);
    sni_factor_free(&surface->factor);
    sni_factor_free(&surface->rigid);
    sn_mesh_destroy(surface->mesh);
    sn_weld_destroy(surface->weld);
    sni_free(&memory, surface);
}

snHandleSurfaceInfo sn_handle_surface_info(const snHandleSurface* surface) {
    return (snHandleSurfaceInfo){.points = surface->point_count,
                                 .unknowns = surface->unknown_count,
                                 .rows = surface->row_count,
                                 .pieces = surface->piece_count,
                                 .factor_size = surface->factor.size,
                                 .influences = surface->influence_count};
}

void sn_handle_surface_weights(const snHandleSurface* surface, float* out_weights) {
    memset(out_weights, 0, (size_t)surface->vertex_count * surface->handle_count * sizeof *out_weights);
    for (uint32_t v = 0; v < surface->vertex_count; v++) {
        float* row = out_weights + (size_t)v * surface->handle_count;
        uint32_t u = surface->local_of_vertex[v];
        if (u == SN_NONE) row[surface->handle_of_vertex[v]] = 1.0f;
        for (uint32_t k = 0; u != SN_NONE && k < SNI_SURFACE_INFLUENCES; k++) {
            size_t at = (size_t)u * SNI_SURFACE_INFLUENCES + k;
            row[surface->handles[at]] += surface->weights[at];
        }
    }
}
