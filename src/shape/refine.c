// Refining a mesh, level by level; then the attributes are carried over at once, by what each item is made
// of.
#include "shape/refine.h"

#include "base/error.h"
#include "base/memory.h"

// Cutting gives a face at most six corners for each of its own (a polygon cut into triangles).
#define MOST_CORNERS 6u

// Bytes of a level and all tables made from it, from above. The tests hold real peaks against it.
#define CORNER_BYTES 160u
#define FACE_BYTES 48u
#define ITEM_BYTES 256u

static void level_free(sniLevel* level, const snAllocator* memory) {
    void* arrays[] = {level->face_starts, level->face_origins, level->point_of_vertex, level->positions,
                      level->marks};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(memory, arrays[i]);
    for (int s = 0; s < SNI_SPACES; s++) {
        sni_free(memory, level->spaces[s].corners);
        sn_origins_destroy(level->spaces[s].origins);
    }
    *level = (sniLevel){0};
}

// Sums saturate.
static size_t add_bytes(size_t sum, size_t count, size_t size) {
    size_t bytes = 0;
    if (!sni_mul_size(count, size, &bytes) || bytes > SIZE_MAX - sum) return SIZE_MAX;
    return sum + bytes;
}

static size_t level_bytes(const sniLevel* level, size_t vertex_bytes) {
    size_t bytes = add_bytes(0, level->corner_count, CORNER_BYTES);
    bytes = add_bytes(bytes, level->face_count, FACE_BYTES);
    for (int s = 0; s < SNI_SPACES; s++) bytes = add_bytes(bytes, level->spaces[s].count, ITEM_BYTES);
    return add_bytes(bytes, level->spaces[SNI_SPACE_VERTICES].count, vertex_bytes);
}

static snResult check_bytes(size_t bytes, const sniRefineDef* def, snError* error) {
    if (bytes <= def->memory_limit) return SN_RESULT_OK;
    return sni_fail(error, SN_RESULT_LIMIT, "refining would take %zu bytes, more than the %zu allowed", bytes,
                    def->memory_limit);
}

// ---------------------------------------------------------------------------------------------- start

static bool start_space(sniSpace* space, const uint32_t* corners, uint32_t corner_count, uint32_t count,
                        const snAllocator* memory) {
    space->count = count;
    space->corners = sni_copy_array(memory, corners, corner_count, sizeof *corners);
    space->origins = sni_origins_identity(count, memory);
    return space->corners != NULL && space->origins != NULL;
}

static bool start_spaces(const snMesh* mesh, const snAllocator* memory, sniLevel* level) {
    uint32_t corners = mesh->corner_count;
    sniSpace* spaces = level->spaces;
    return start_space(&spaces[SNI_SPACE_VERTICES], mesh->corners, corners, mesh->vertex_count, memory) &&
           (mesh->corner_uvs == NULL ||
            start_space(&spaces[SNI_SPACE_UVS], mesh->corner_uvs, corners, mesh->uv_count, memory)) &&
           (mesh->corner_normals == NULL || start_space(&spaces[SNI_SPACE_NORMALS], mesh->corner_normals,
                                                        corners, mesh->normal_count, memory));
}

static void start_points(const sniRefineDef* def, sniLevel* level) {
    const snWeld* weld = def->weld;
    for (uint32_t p = 0; p < weld->point_count; p++) {
        level->positions[p] = def->mesh->positions[weld->vertex_of_point[p]];
        level->marks[p] = def->marks[weld->vertex_of_point[p]];
    }
    for (uint32_t v = 0; v < weld->vertex_count; v++) {
        uint32_t p = weld->point_of_vertex[v];
        level->marks[p] = sn_maxf(level->marks[p], def->marks[v]);
    }
}

static snResult start_level(const sniRefineDef* def, const snAllocator* memory, sniLevel* level,
                            snError* error) {
    const snMesh* mesh = def->mesh;
    level->face_count = mesh->face_count;
    level->corner_count = mesh->corner_count;
    level->point_count = def->weld->point_count;
    level->face_starts =
        sni_copy_array(memory, mesh->face_starts, (size_t)mesh->face_count + 1, sizeof(uint32_t));
    level->face_origins = SNI_NEW_ARRAY(memory, uint32_t, mesh->face_count);
    level->point_of_vertex =
        sni_copy_array(memory, def->weld->point_of_vertex, mesh->vertex_count, sizeof(uint32_t));
    level->positions = SNI_NEW_ARRAY(memory, snVec3, level->point_count);
    level->marks = SNI_NEW_ARRAY(memory, float, level->point_count);
    if (level->face_starts == NULL || level->face_origins == NULL || level->point_of_vertex == NULL ||
        level->positions == NULL || level->marks == NULL || !start_spaces(mesh, memory, level)) {
        return sni_fail_memory(error);
    }
    for (uint32_t f = 0; f < mesh->face_count; f++) level->face_origins[f] = f;
    start_points(def, level);
    return SN_RESULT_OK;
}

// ------------------------------------------------------------------------------------------- new items

// What the new items of a space are the means of: ends of sides first, then corners of faces.
typedef struct Members {
    uint32_t count;
    uint32_t* starts;
    uint32_t* items;
} Members;

// What stands in the middle of a face before anything is averaged: SN_NONE where a corner has no item, the
// one item where all corners share it, else `fresh`.
static uint32_t center_item(const sniLevel* level, const uint32_t* corners, uint32_t face, uint32_t fresh) {
    uint32_t begin = level->face_starts[face], same = corners[begin];
    for (uint32_t c = begin; c < level->face_starts[face + 1]; c++) {
        if (corners[c] == SN_NONE) return SN_NONE;
        if (corners[c] != same) same = fresh;
    }
    return same;
}

static void number_centers(const sniLevel* level, const sniSpace* space, sniCuts* cuts, int s,
                           Members* members) {
    uint32_t end = members->starts[members->count];
    for (uint32_t f = 0; f < level->face_count; f++) {
        uint32_t fresh = space->count + members->count;
        bool wanted = cuts->center_points[f] != SN_NONE;
        cuts->centers[s][f] = wanted ? center_item(level, space->corners, f, fresh) : SN_NONE;
        if (cuts->centers[s][f] != fresh) continue;
        for (uint32_t c = level->face_starts[f]; c < level->face_starts[f + 1]; c++)
            members->items[end++] = space->corners[c];
        members->starts[++members->count] = end;
    }
}

// The mids become the pairs' own numbers, moved behind the old items; a side between one item and itself has
// that item in its middle.
static void number_mids(const sniLevel* level, const sniSpace* space, const uint8_t* split, sniPairs* pairs) {
    for (uint32_t f = 0; f < level->face_count; f++) {
        for (uint32_t c = level->face_starts[f]; c < level->face_starts[f + 1]; c++) {
            uint32_t item = space->corners[c];
            bool same = split[c] && item == space->corners[sni_next_corner(level, f, c)];
            if (pairs->of_corner[c] != SN_NONE) pairs->of_corner[c] += space->count;
            if (same) pairs->of_corner[c] = item;
        }
    }
}

static bool grow_space(const sniLevel* level, sniCuts* cuts, int s, const uint8_t* split,
                       const snAllocator* memory, sniSpace* to) {
    const sniSpace* space = &level->spaces[s];
    sniPairs pairs;
    if (!sni_pairs_create(level, space->corners, space->count, split, memory, &pairs)) return false;
    cuts->mids[s] = pairs.of_corner;
    cuts->centers[s] = SNI_NEW_ARRAY(memory, uint32_t, level->face_count);
    size_t most = (size_t)pairs.count + cuts->center_count;
    Members members = {pairs.count, SNI_NEW_ARRAY(memory, uint32_t, most + 1),
                       SNI_NEW_ARRAY(memory, uint32_t, 2 * (size_t)pairs.count + level->corner_count)};
    bool ready = cuts->centers[s] != NULL && members.starts != NULL && members.items != NULL;
    if (ready) {
        for (uint32_t i = 0; i < pairs.count; i++) {
            memcpy(members.items + 2 * (size_t)i, pairs.items[i], sizeof pairs.items[i]);
            members.starts[i + 1] = 2 * (i + 1);
        }
        number_mids(level, space, split, &pairs);
        number_centers(level, space, cuts, s, &members);
        to->count = space->count + members.count;
        to->origins =
            sni_origins_extend(space->origins, members.starts, members.items, members.count, memory);
        ready = to->origins != NULL;
    }
    sni_free(memory, pairs.items);
    sni_free(memory, members.starts);
    sni_free(memory, members.items);
    return ready;
}

static bool grow_spaces(const sniLevel* level, sniCuts* cuts, const snAllocator* memory, sniLevel* to) {
    uint8_t* split = SNI_NEW_ARRAY(memory, uint8_t, level->corner_count);
    bool ready = split != NULL;
    for (uint32_t c = 0; c < level->corner_count && ready; c++) {
        split[c] = cuts->edges[c] != SN_NONE && cuts->edge_points[cuts->edges[c]] != SN_NONE;
    }
    for (int s = 0; s < SNI_SPACES && ready; s++) {
        if (level->spaces[s].corners == NULL) continue;
        to->spaces[s].corners = SNI_NEW_ARRAY(memory, uint32_t, to->corner_count);
        ready = to->spaces[s].corners != NULL && grow_space(level, cuts, s, split, memory, &to->spaces[s]);
    }
    sni_free(memory, split);
    return ready;
}

// ---------------------------------------------------------------------------------------------- levels

// Points of the new vertices: those of the edges and faces that they stand on.
static void point_vertices(const sniLevel* level, const sniCuts* cuts, sniLevel* to) {
    const uint32_t* mids = cuts->mids[SNI_SPACE_VERTICES];
    const uint32_t* centers = cuts->centers[SNI_SPACE_VERTICES];
    uint32_t old = level->spaces[SNI_SPACE_VERTICES].count;
    memcpy(to->point_of_vertex, level->point_of_vertex, old * sizeof *to->point_of_vertex);
    for (uint32_t c = 0; c < level->corner_count; c++) {
        if (mids[c] != SN_NONE) to->point_of_vertex[mids[c]] = cuts->edge_points[cuts->edges[c]];
    }
    for (uint32_t f = 0; f < level->face_count; f++) {
        if (centers[f] != SN_NONE) to->point_of_vertex[centers[f]] = cuts->center_points[f];
    }
}

static bool fill_level(const sniLevel* level, sniCuts* cuts, const snAllocator* memory, sniLevel* to) {
    if (!sni_cuts_bend(level, memory, cuts) || !grow_spaces(level, cuts, memory, to)) return false;
    to->point_of_vertex = SNI_NEW_ARRAY(memory, uint32_t, to->spaces[SNI_SPACE_VERTICES].count);
    to->positions = SNI_NEW_ARRAY(memory, snVec3, to->point_count);
    to->marks = SNI_NEW_ARRAY(memory, float, to->point_count);
    to->face_origins = SNI_NEW_ARRAY(memory, uint32_t, to->face_count);
    to->face_starts = SNI_NEW_ARRAY(memory, uint32_t, (size_t)to->face_count + 1);
    if (to->point_of_vertex == NULL || to->positions == NULL || to->marks == NULL ||
        to->face_origins == NULL || to->face_starts == NULL) {
        return false;
    }
    point_vertices(level, cuts, to);
    sni_cuts_place(level, cuts, to->positions, to->marks);
    sni_cuts_run(level, cuts, to->positions, to);
    return true;
}

// A new item of a space for every side that is split is the most there can be: where all faces are parted.
static snResult check_growth(const sniRefineDef* def, const sniLevel* level, const sniCuts* cuts,
                             sniLevel* to, size_t* bytes, snError* error) {
    uint64_t most = cuts->center_count;
    for (uint32_t c = 0; c < level->corner_count; c++)
        most += cuts->edges[c] != SN_NONE && cuts->edge_points[cuts->edges[c]] != SN_NONE;
    sni_cuts_run(level, cuts, NULL, to);
    to->point_count = level->point_count + cuts->split_count + cuts->center_count;
    sniLevel bound = *to;
    for (int s = 0; s < SNI_SPACES; s++) {
        uint64_t count = level->spaces[s].corners != NULL ? level->spaces[s].count + most : 0;
        if (count >= SN_NONE)
            return sni_fail(error, SN_RESULT_LIMIT, "refining would take more than %u vertices", SN_NONE - 1);
        bound.spaces[s].count = (uint32_t)count;
    }
    size_t now = level_bytes(level, def->vertex_bytes);
    *bytes = add_bytes(now, 1, level_bytes(&bound, def->vertex_bytes));
    return check_bytes(*bytes, def, error);
}

// Replaces `level` by the next one; says through `changed` whether there is one.
static snResult split_level(const sniRefineDef* def, uint32_t rings, const snAllocator* memory,
                            sniLevel* level, size_t* bytes, bool* changed, snError* error) {
    sniCuts cuts;
    sniLevel next = {0};
    *changed = false;
    if (level->corner_count > (SN_NONE - 1) / MOST_CORNERS) {
        return sni_fail(error, SN_RESULT_LIMIT, "refining would take more than %u corners", SN_NONE - 1);
    }
    snResult result = SN_RESULT_OK;
    if (!sni_cuts_mark(level, def->above, rings, memory, &cuts)) result = sni_fail_memory(error);
    bool splits = result == SN_RESULT_OK && cuts.split_count > 0;
    if (splits) result = check_growth(def, level, &cuts, &next, bytes, error);
    if (splits && result == SN_RESULT_OK && !fill_level(level, &cuts, memory, &next))
        result = sni_fail_memory(error);
    sni_cuts_free(&cuts, memory);
    if (splits && result == SN_RESULT_OK) {
        sniLevel old = *level;
        *level = next;
        next = old;
        *changed = true;
    }
    level_free(&next, memory);
    return result;
}

// ------------------------------------------------------------------------------------------------ mesh

// What the new mesh is described from; all owned.
typedef struct Arrays {
    snVec3* positions;
    snVec3* normals;
    snVec2* uvs;
    snVec4* colors;
    uint32_t* face_groups;
} Arrays;

// Old vertices stay exactly where they were, also where a weld joined places that differ.
static void fill_positions(const snMesh* mesh, const sniLevel* level, snVec3* positions) {
    for (uint32_t v = 0; v < level->spaces[SNI_SPACE_VERTICES].count; v++) {
        positions[v] =
            v < mesh->vertex_count ? mesh->positions[v] : level->positions[level->point_of_vertex[v]];
    }
}

static void fill_normals(const snMesh* mesh, const snOrigins* origins, snVec3* normals) {
    sni_origins_mix(origins, mesh->normals, 3, normals);
    for (uint32_t i = mesh->normal_count; i < origins->count; i++) {
        normals[i] = sn_normalize_or(normals[i], mesh->normals[origins->sources[origins->starts[i]]]);
    }
}

static bool fill_arrays(const snMesh* mesh, const sniLevel* level, const snAllocator* memory, Arrays* a) {
    const sniSpace* vertices = &level->spaces[SNI_SPACE_VERTICES];
    const sniSpace* uvs = mesh->corner_uvs != NULL ? &level->spaces[SNI_SPACE_UVS] : vertices;
    const sniSpace* normals = mesh->corner_normals != NULL ? &level->spaces[SNI_SPACE_NORMALS] : vertices;
    a->positions = SNI_NEW_ARRAY(memory, snVec3, vertices->count);
    a->normals = mesh->normals != NULL ? SNI_NEW_ARRAY(memory, snVec3, normals->count) : NULL;
    a->uvs = mesh->uvs != NULL ? SNI_NEW_ARRAY(memory, snVec2, uvs->count) : NULL;
    a->colors = mesh->colors != NULL ? SNI_NEW_ARRAY(memory, snVec4, vertices->count) : NULL;
    a->face_groups = mesh->face_groups != NULL ? SNI_NEW_ARRAY(memory, uint32_t, level->face_count) : NULL;
    if (a->positions == NULL || (mesh->normals != NULL && a->normals == NULL) ||
        (mesh->uvs != NULL && a->uvs == NULL) || (mesh->colors != NULL && a->colors == NULL) ||
        (mesh->face_groups != NULL && a->face_groups == NULL)) {
        return false;
    }
    fill_positions(mesh, level, a->positions);
    if (a->normals != NULL) fill_normals(mesh, normals->origins, a->normals);
    if (a->uvs != NULL) sni_origins_mix(uvs->origins, mesh->uvs, 2, a->uvs);
    if (a->colors != NULL) sni_origins_mix(vertices->origins, mesh->colors, 4, a->colors);
    for (uint32_t f = 0; f < level->face_count && a->face_groups != NULL; f++)
        a->face_groups[f] = mesh->face_groups[level->face_origins[f]];
    return true;
}

static snResult make_mesh(const snMesh* mesh, const sniLevel* level, const snAllocator* memory, snMesh** out,
                          snError* error) {
    Arrays arrays = {0};
    snResult result = SN_RESULT_OK;
    if (fill_arrays(mesh, level, memory, &arrays)) {
        snMeshDef def = sn_mesh_def(mesh);
        def.vertex_count = level->spaces[SNI_SPACE_VERTICES].count;
        def.face_count = level->face_count;
        def.corner_count = level->corner_count;
        def.positions = arrays.positions;
        def.face_starts = level->face_starts;
        def.corners = level->spaces[SNI_SPACE_VERTICES].corners;
        def.normals = arrays.normals;
        def.corner_normals = level->spaces[SNI_SPACE_NORMALS].corners;
        def.normal_count =
            mesh->corner_normals != NULL ? level->spaces[SNI_SPACE_NORMALS].count : def.vertex_count;
        def.uvs = arrays.uvs;
        def.corner_uvs = level->spaces[SNI_SPACE_UVS].corners;
        def.uv_count = mesh->corner_uvs != NULL ? level->spaces[SNI_SPACE_UVS].count : def.vertex_count;
        def.colors = arrays.colors;
        def.face_groups = arrays.face_groups;
        result = sn_mesh_create(&def, memory, out, error);
    } else {
        result = sni_fail_memory(error);
    }
    void* all[] = {arrays.positions, arrays.normals, arrays.uvs, arrays.colors, arrays.face_groups};
    for (int i = 0; i < 5; i++) sni_free(memory, all[i]);
    return result;
}

// Points are numbered by their first vertex, so new ones may change their places.
static snWeld* make_weld(const sniLevel* level, const snAllocator* memory) {
    uint32_t vertices = level->spaces[SNI_SPACE_VERTICES].count;
    snWeld* weld = SNI_NEW(memory, snWeld);
    uint32_t* renamed = SNI_NEW_ARRAY(memory, uint32_t, level->point_count);
    if (weld != NULL) {
        *weld = (snWeld){.vertex_count = vertices, .allocator = *memory};
        weld->point_of_vertex = SNI_NEW_ARRAY(memory, uint32_t, vertices);
        weld->vertex_of_point = SNI_NEW_ARRAY(memory, uint32_t, level->point_count);
    }
    if (weld == NULL || renamed == NULL || weld->point_of_vertex == NULL || weld->vertex_of_point == NULL) {
        sn_weld_destroy(weld);
        sni_free(memory, renamed);
        return NULL;
    }
    for (uint32_t p = 0; p < level->point_count; p++) renamed[p] = SN_NONE;
    for (uint32_t v = 0; v < vertices; v++) {
        uint32_t* name = &renamed[level->point_of_vertex[v]];
        if (*name == SN_NONE) {
            *name = weld->point_count;
            weld->vertex_of_point[weld->point_count++] = v;
        }
        weld->point_of_vertex[v] = *name;
    }
    sni_free(memory, renamed);
    return weld;
}

static snResult finish(const sniRefineDef* def, sniLevel* level, const snAllocator* memory, sniRefined* out,
                       snError* error) {
    SNI_TRY(make_mesh(def->mesh, level, memory, &out->mesh, error));
    out->weld = make_weld(level, memory);
    if (out->weld == NULL) return sni_fail_memory(error);
    out->origins = level->spaces[SNI_SPACE_VERTICES].origins;
    level->spaces[SNI_SPACE_VERTICES].origins = NULL;
    return SN_RESULT_OK;
}

void sni_refined_free(sniRefined* refined) {
    sn_mesh_destroy(refined->mesh);
    sn_weld_destroy(refined->weld);
    sn_origins_destroy(refined->origins);
    *refined = (sniRefined){0};
}

snResult sni_mesh_refine(const sniRefineDef* def, const snAllocator* allocator, sniRefined* out,
                         snError* error) {
    snAllocator memory = sni_allocator(allocator);
    sniLevel level = {0};
    sniRefined made = {0};
    bool changed = true, any = false;
    sniLevel first = {.face_count = def->mesh->face_count, .corner_count = def->mesh->corner_count};
    first.spaces[SNI_SPACE_VERTICES].count = def->mesh->vertex_count;
    snResult result = check_bytes(level_bytes(&first, 0), def, error);
    if (result == SN_RESULT_OK) result = start_level(def, &memory, &level, error);
    for (uint32_t l = 1; l <= def->levels && changed && result == SN_RESULT_OK; l++) {
        result = split_level(def, def->levels - l, &memory, &level, &made.bytes, &changed, error);
        any = any || changed;
    }
    if (result == SN_RESULT_OK && any) result = finish(def, &level, &memory, &made, error);
    level_free(&level, &memory);
    if (result == SN_RESULT_OK && any)
        *out = made;
    else
        sni_refined_free(&made);
    return result;
}
