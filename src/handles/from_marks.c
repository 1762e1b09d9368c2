// Groups of faces or colors of vertices as handles.
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "handles/draft.h"
#include "sinew/handles.h"

snHandlesFromMarksDef sn_handles_from_marks_def(void) {
    return (snHandlesFromMarksDef){.free_rings = 1, .smallest = 0.002f};
}

// Vertices of several groups.
#define SEVERAL (SN_NONE - 1)

typedef struct Marks {
    const snHandlesFromMarksDef* def;
    const snMesh* mesh;
    const snAllocator* memory;
    uint32_t kind_count;
    uint32_t* kinds;  // vertex_count; which group or color, SEVERAL or SN_NONE
    uint32_t* sizes;  // kind_count; vertices
    uint32_t* values; // kind_count; colors: 8 bits each of red, green and blue; groups: the first of the name
    uint32_t* order;  // kind_count; in which they were hung
    sniDraft draft;
} Marks;

// -------------------------------------------------------------------------------------------------- kinds

// Groups of one name are one kind, that of the first.
static uint32_t first_of_name(const snMesh* mesh, uint32_t group) {
    for (uint32_t g = 0; g < group; g++) {
        if (strcmp(mesh->group_names[g], mesh->group_names[group]) == 0) return g;
    }
    return group;
}

static void find_groups(Marks* m) {
    const snMesh* mesh = m->mesh;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) m->kinds[v] = SN_NONE;
    for (uint32_t g = 0; g < mesh->group_count; g++) m->values[g] = first_of_name(mesh, g);
    for (uint32_t f = 0; f < mesh->face_count; f++) {
        uint32_t group = mesh->face_groups[f];
        if (group != SN_NONE) group = m->values[group];
        for (uint32_t c = mesh->face_starts[f]; c < mesh->face_starts[f + 1] && group != SN_NONE; c++) {
            uint32_t* kind = &m->kinds[mesh->corners[c]];
            *kind = *kind == SN_NONE || *kind == group ? group : SEVERAL;
        }
    }
}

// Linear to the 8 bits of sRGB that files and people speak of, by its curve.
static uint32_t shade_of(float linear) {
    float x = sn_clampf(linear, 0.0f, 1.0f);
    float s = x <= 0.0031308f ? 12.92f * x : 1.055f * sn_pow(x, 1.0f / 2.4f) - 0.055f;
    return (uint32_t)(s * 255.0f + 0.5f);
}

static uint32_t color_of(snVec4 c) { return shade_of(c.x) << 16 | shade_of(c.y) << 8 | shade_of(c.z); }

// Colors in rising order are the kinds. `keys`: vertex_count.
static void find_colors(Marks* m, uint64_t* keys) {
    uint32_t count = m->mesh->vertex_count;
    for (uint32_t v = 0; v < count; v++) keys[v] = (uint64_t)color_of(m->mesh->colors[v]) << 32 | v;
    sni_sort_u64(keys, count);
    m->kind_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (i == 0 || keys[i] >> 32 != keys[i - 1] >> 32)
            m->values[m->kind_count++] = (uint32_t)(keys[i] >> 32);
        m->kinds[(uint32_t)keys[i]] = m->kind_count - 1;
    }
}

static bool find_kinds(Marks* m) {
    uint32_t most = m->def->colors ? m->mesh->vertex_count : m->mesh->group_count;
    m->kinds = SNI_NEW_ARRAY(m->memory, uint32_t, m->mesh->vertex_count);
    m->values = SNI_NEW_ARRAY(m->memory, uint32_t, most);
    uint64_t* keys = SNI_NEW_ARRAY(m->memory, uint64_t, m->mesh->vertex_count);
    bool enough = m->kinds != NULL && m->values != NULL && keys != NULL;
    if (enough && m->def->colors) {
        find_colors(m, keys);
    } else if (enough) {
        find_groups(m);
        m->kind_count = m->mesh->group_count;
    }
    sni_free(m->memory, keys);
    return enough;
}

// ------------------------------------------------------------------------------------------------ handles

// Numbers the kinds that are large enough; false: none is, or too many are.
static snResult number_handles(Marks* m, uint32_t* numbers, snError* error) {
    double least = (double)m->def->smallest * (double)m->mesh->vertex_count;
    uint32_t count = 0;
    for (uint32_t v = 0; v < m->mesh->vertex_count; v++) {
        if (m->kinds[v] < m->kind_count) m->sizes[m->kinds[v]]++;
    }
    for (uint32_t k = 0; k < m->kind_count; k++) {
        bool enough = m->sizes[k] > 0 && (double)m->sizes[k] >= least;
        numbers[k] = enough ? count++ : SN_NONE;
    }
    if (count == 0 || count > SN_HANDLES_MAX) {
        return sni_fail(error, SN_RESULT_BAD_DATA, "%u %s are large enough for a handle, expected 1 to %u",
                        count, m->def->colors ? "colors" : "groups", SN_HANDLES_MAX);
    }
    m->draft.handle_count = count;
    for (uint32_t k = 0; k < m->kind_count; k++) { // the first `count` places take the sizes of handles
        if (numbers[k] != SN_NONE) m->sizes[numbers[k]] = m->sizes[k];
    }
    return SN_RESULT_OK;
}

static void name_handles(Marks* m, const uint32_t* numbers) {
    for (uint32_t k = 0; k < m->kind_count; k++) {
        if (numbers[k] == SN_NONE) continue;
        sniDraftHandle* handle = &m->draft.handles[numbers[k]];
        *handle = (sniDraftHandle){.parent = SN_NONE, .confidence = 1.0f};
        if (m->def->colors)
            snprintf(handle->name, sizeof handle->name, "color_%06x", m->values[k]);
        else
            snprintf(handle->name, sizeof handle->name, "%s", m->mesh->group_names[k]);
    }
    for (uint32_t v = 0; v < m->mesh->vertex_count; v++) {
        m->draft.labels[v] = m->kinds[v] < m->kind_count ? numbers[m->kinds[v]] : SN_NONE;
    }
}

// ------------------------------------------------------------------------------------------------ hanging

// Where two handles touch: an edge from one to the other, or a free point that has both as neighbours.
typedef struct Touch {
    double sum[3];
    double count;
} Touch;

static void add_touch(Touch* touches, uint32_t count, uint32_t a, uint32_t b, snVec3 at) {
    if (a == b || a == SN_NONE || b == SN_NONE) return;
    for (int side = 0; side < 2; side++) {
        Touch* t = &touches[(size_t)(side ? a : b) * count + (side ? b : a)];
        t->sum[0] += (double)at.x;
        t->sum[1] += (double)at.y;
        t->sum[2] += (double)at.z;
        t->count += 1.0;
    }
}

static void find_touches(const Marks* m, const sniPoints* points, Touch* touches) {
    const uint32_t* labels = m->draft.labels;
    uint32_t count = m->draft.handle_count;
    for (uint32_t p = 0; p < points->point_count; p++) {
        uint32_t own = labels[points->vertex_of_point[p]];
        snVec3 at = m->mesh->positions[points->vertex_of_point[p]];
        uint32_t first = own;
        for (uint32_t i = points->starts[p]; i < points->starts[p + 1]; i++) {
            uint32_t other = labels[points->vertex_of_point[points->neighbours[i]]];
            if (first == SN_NONE) first = other;
            add_touch(touches, count, first, other, at);
        }
    }
}

// Of those not reached yet; one is left.
static uint32_t find_largest(const Marks* m, const uint8_t* done) {
    uint32_t best = 0;
    for (uint32_t h = 1; h < m->draft.handle_count; h++) {
        if (!done[h] && (done[best] || m->sizes[h] > m->sizes[best])) best = h;
    }
    return best;
}

// From the largest handle on, breadth first; what it does not reach begins anew with its own largest.
static void hang_handles(Marks* m, const Touch* touches) {
    uint32_t count = m->draft.handle_count, reached = 0;
    uint8_t done[SN_HANDLES_MAX] = {0};
    for (uint32_t next = 0; next < count; next++) {
        if (next == reached) {
            uint32_t largest = find_largest(m, done);
            done[largest] = 1;
            m->order[reached++] = largest;
        }
        uint32_t h = m->order[next];
        for (uint32_t child = 0; child < count; child++) {
            const Touch* t = &touches[(size_t)h * count + child];
            if (done[child] || t->count == 0.0) continue;
            done[child] = 1;
            m->order[reached++] = child;
            m->draft.handles[child].parent = h;
            m->draft.handles[child].center = sn_vec3(
                (float)(t->sum[0] / t->count), (float)(t->sum[1] / t->count), (float)(t->sum[2] / t->count));
        }
    }
}

// Those that hang on nothing turn about their middle.
static void center_roots(Marks* m) {
    for (uint32_t h = 0; h < m->draft.handle_count; h++) {
        if (m->draft.handles[h].parent != SN_NONE) continue;
        double sum[3] = {0.0, 0.0, 0.0}, count = 0.0;
        for (uint32_t v = 0; v < m->mesh->vertex_count; v++) {
            if (m->draft.labels[v] != h) continue;
            sum[0] += (double)m->mesh->positions[v].x;
            sum[1] += (double)m->mesh->positions[v].y;
            sum[2] += (double)m->mesh->positions[v].z;
            count += 1.0;
        }
        if (count > 0.0)
            m->draft.handles[h].center =
                sn_vec3((float)(sum[0] / count), (float)(sum[1] / count), (float)(sum[2] / count));
    }
}

static snResult finish(Marks* m, const sniPoints* points, snHandles** out, snError* error) {
    size_t pairs = (size_t)m->draft.handle_count * m->draft.handle_count;
    Touch* touches = SNI_NEW_ARRAY(m->memory, Touch, pairs);
    if (touches == NULL) return sni_fail_memory(error);
    sni_draft_unify(points, &m->draft);
    find_touches(m, points, touches);
    hang_handles(m, touches);
    sni_free(m->memory, touches);
    center_roots(m);
    if (!sni_draft_loosen(points, m->def->free_rings, m->memory, &m->draft)) return sni_fail_memory(error);
    return sni_draft_finish(&m->draft, m->memory, out, error);
}

static snResult build(Marks* m, snHandles** out, snError* error) {
    if (!find_kinds(m)) return sni_fail_memory(error);
    m->sizes = SNI_NEW_ARRAY(m->memory, uint32_t, m->kind_count);
    m->order = SNI_NEW_ARRAY(m->memory, uint32_t, m->kind_count);
    m->draft.labels = SNI_NEW_ARRAY(m->memory, uint32_t, m->mesh->vertex_count);
    if (m->sizes == NULL || m->order == NULL || m->draft.labels == NULL) return sni_fail_memory(error);
    snResult result = number_handles(m, m->order, error); // the order's room holds the numbers first
    if (result != SN_RESULT_OK) return result;
    m->draft.handles = SNI_NEW_ARRAY(m->memory, sniDraftHandle, m->draft.handle_count);
    if (m->draft.handles == NULL) return sni_fail_memory(error);
    name_handles(m, m->order);
    sniPoints points;
    result = sni_points_create(m->mesh, NULL, m->memory, &points, error);
    if (result != SN_RESULT_OK) return result;
    result = finish(m, &points, out, error);
    sni_points_free(&points);
    return result;
}

snResult sn_handles_from_marks(const snHandlesFromMarksDef* def, const snAllocator* allocator,
                               snHandles** out, uint32_t* out_pieces, snError* error) {
    if (def == NULL || def->mesh == NULL || out == NULL || !(def->smallest >= 0.0f && def->smallest < 1.0f)) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT,
                        "a mesh, a share from 0 to 1 and an output are needed");
    }
    const snMesh* mesh = def->mesh;
    if (def->colors ? mesh->colors == NULL : mesh->group_count == 0 || mesh->face_groups == NULL) {
        return sni_fail(error, SN_RESULT_NOT_FOUND, "the mesh has no %s",
                        def->colors ? "vertex colors" : "groups of faces");
    }
    snAllocator memory = sni_allocator(allocator);
    Marks m = {.def = def, .mesh = mesh, .memory = &memory, .draft.mesh = mesh};
    snHandles* marked = NULL;
    snResult result = build(&m, &marked, error);
    if (result == SN_RESULT_OK)
        result = sn_handles_hold_pieces(marked, mesh, &memory, out, out_pieces, error);
    sn_handles_destroy(marked);
    void* arrays[] = {m.kinds, m.sizes, m.values, m.order, m.draft.handles, m.draft.labels};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(&memory, arrays[i]);
    return result;
}
