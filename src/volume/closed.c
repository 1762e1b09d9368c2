// Points and faces over all parts: seams closed, shells numbered, rest areas and volumes measured.
//
// Vertices at one place become one point when the same joints move them alike. Lips that are modelled shut
// stay apart: they are a slit, closed by a cap of no height.
#include "volume/closed.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/union_find.h"
#include "shape/weld_reach.h"
#include "volume/closing.h"

// Vertices at one place are one point when their weights differ by less than this in all; the same as in
// src/character/tables.c.
#define SAME_WEIGHTS 0.05f
// 36 pi V^2 / A^3 is 1 for a ball; below this a shell is a sheet. A closed cape of 1 m^2 and 0.3 mm has 1e-6.
#define BALL 113.09733552923255
#define FLAT 1e-6
// Two faces are a fold: what they and the lid over them enclose is how much they are folded, and nothing
// else.
#define LEAST_FACES 3
// Of the area around a point: no point counts less. Judged, not measured.
#define LEAST_OF_AREA 0.5f
// A joint with less than this little missing moves a point alone.
#define ALONE 1e-5f

// ------------------------------------------------------------------------------------------------- points

// The part of a vertex.
static uint32_t part_of(const sniClosed* closed, uint32_t vertex) {
    uint32_t part = 0;
    while (vertex >= closed->vertex_starts[part + 1]) part++;
    return part;
}

typedef struct Row {
    const uint16_t* joints;
    const float* weights;
    uint32_t count;
} Row;

static Row row_of(const snExactVolumeDef* def, const sniClosed* closed, uint32_t part, uint32_t vertex) {
    const snVolumePart* p = &def->parts[part];
    size_t at = (size_t)(vertex - closed->vertex_starts[part]) * p->influences;
    return (Row){p->joints + at, p->weights + at, p->influences};
}

static float weight_in(Row row, uint16_t joint) {
    float sum = 0.0f;
    for (uint32_t i = 0; i < row.count; i++) sum += row.joints[i] == joint ? row.weights[i] : 0.0f;
    return sum;
}

static bool same_weights(Row a, Row b) {
    float difference = 0.0f;
    for (uint32_t i = 0; i < a.count; i++) {
        // What a has and b lacks; both sum to one, so the other direction is equal.
        difference += sn_maxf(0.0f, a.weights[i] - weight_in(b, a.joints[i]));
    }
    return difference <= SAME_WEIGHTS;
}

// Points are the welded places, split where weights differ; `next` chains the points of one place.
static void number_points(const snExactVolumeDef* def, sniClosed* closed, uint32_t* first, uint32_t* next) {
    closed->point_count = 0;
    for (uint32_t w = 0; w < closed->welded_count; w++) first[w] = SN_NONE;
    for (uint32_t p = 0, v = 0; p < closed->part_count; p++) {
        for (; v < closed->vertex_starts[p + 1]; v++) {
            uint32_t* link = &first[closed->welded[v]];
            Row row = row_of(def, closed, p, v);
            for (; *link != SN_NONE; link = &next[*link]) {
                uint32_t other = closed->vertices[*link];
                if (same_weights(row, row_of(def, closed, part_of(closed, other), other))) break;
            }
            if (*link == SN_NONE) {
                *link = closed->point_count;
                next[closed->point_count] = SN_NONE;
                closed->vertices[closed->point_count++] = v;
            }
            closed->points[v] = *link;
        }
    }
}

static snResult create_points(const snExactVolumeDef* def, sniClosed* closed, snError* error) {
    const snAllocator* memory = &closed->allocator;
    uint32_t vertices = closed->vertex_starts[closed->part_count];
    snVec3* all = SNI_NEW_ARRAY(memory, snVec3, vertices);
    uint32_t* chains = SNI_NEW_ARRAY(memory, uint32_t, 2 * (size_t)vertices);
    closed->points = SNI_NEW_ARRAY(memory, uint32_t, vertices);
    closed->vertices = SNI_NEW_ARRAY(memory, uint32_t, vertices);
    snWeld* weld = NULL;
    snResult result = SN_RESULT_OK;
    if (all == NULL || chains == NULL || closed->points == NULL || closed->vertices == NULL)
        result = sni_fail_memory(error);
    snBounds bounds = sn_bounds_empty();
    for (uint32_t p = 0; p < closed->part_count && result == SN_RESULT_OK; p++) {
        if (def->parts[p].mesh->vertex_count == 0) continue;
        bounds = sni_face_bounds(bounds, def->parts[p].mesh, def->parts[p].rest);
        memcpy(all + closed->vertex_starts[p], def->parts[p].rest,
               def->parts[p].mesh->vertex_count * sizeof(snVec3));
    }
    if (result == SN_RESULT_OK)
        result = sn_weld_create(all, vertices, sni_weld_reach(bounds), memory, &weld, error);
    if (result == SN_RESULT_OK) {
        closed->welded_count = weld->point_count;
        closed->welded = sni_copy_array(memory, weld->point_of_vertex, vertices, sizeof(uint32_t));
        if (closed->welded == NULL) result = sni_fail_memory(error);
    }
    if (result == SN_RESULT_OK) number_points(def, closed, chains, chains + vertices);
    sn_weld_destroy(weld);
    sni_free(memory, all);
    sni_free(memory, chains);
    return result;
}

static snResult copy_weights(const snExactVolumeDef* def, sniClosed* closed, snError* error) {
    const snAllocator* memory = &closed->allocator;
    closed->influences = 1;
    for (uint32_t p = 0; p < closed->part_count; p++) {
        if (def->parts[p].influences > closed->influences) closed->influences = def->parts[p].influences;
    }
    size_t k = closed->influences, count = closed->point_count * k;
    closed->joints = SNI_NEW_ARRAY(memory, uint16_t, count);
    closed->weights = SNI_NEW_ARRAY(memory, float, count);
    if (closed->joints == NULL || closed->weights == NULL) return sni_fail_memory(error);
    for (uint32_t i = 0; i < closed->point_count; i++) {
        uint32_t v = closed->vertices[i];
        Row row = row_of(def, closed, part_of(closed, v), v);
        for (size_t j = 0; j < k; j++) {
            bool there = j < row.count;
            closed->joints[i * k + j] = row.joints[there ? j : 0];
            closed->weights[i * k + j] = there ? row.weights[j] : 0.0f;
        }
    }
    return SN_RESULT_OK;
}

// -------------------------------------------------------------------------------------------------- faces

// Points of a face without repeated neighbours; returns how many are left.
static uint32_t compact_face(const sniClosed* closed, const snMesh* mesh, uint32_t first, uint32_t face,
                             uint32_t* out) {
    uint32_t count = 0;
    for (uint32_t c = mesh->face_starts[face]; c < mesh->face_starts[face + 1]; c++) {
        uint32_t point = closed->points[first + mesh->corners[c]];
        if (count == 0 || out[count - 1] != point) out[count++] = point;
    }
    while (count > 1 && out[count - 1] == out[0]) count--;
    return count;
}

// Quads stay whole, larger faces are fanned from their first corner.
static void add_face(sniClosed* closed, const uint32_t* at, uint32_t count) {
    if (count == 4) {
        closed->faces[closed->face_count++] = (sniFace){{at[0], at[1], at[2], at[3]}};
        return;
    }
    for (uint32_t i = 2; i < count; i++)
        closed->faces[closed->face_count++] = (sniFace){{at[0], at[i - 1], at[i], at[i]}};
}

static snResult collect_faces(const snExactVolumeDef* def, sniClosed* closed, snError* error) {
    const snAllocator* memory = &closed->allocator;
    size_t most = 0, largest = 0;
    for (uint32_t p = 0; p < closed->part_count; p++) {
        const snMesh* mesh = def->parts[p].mesh;
        for (uint32_t f = 0; f < mesh->face_count; f++) {
            size_t size = mesh->face_starts[f + 1] - mesh->face_starts[f];
            most += size == 4 ? 1 : size - 2;
            if (size > largest) largest = size;
        }
    }
    // A quad that welding leaves with three corners is one triangle; no face grows.
    closed->faces = SNI_NEW_ARRAY(memory, sniFace, most);
    uint32_t* corners = SNI_NEW_ARRAY(memory, uint32_t, largest);
    if (closed->faces == NULL || corners == NULL || most > SN_NONE / 8) {
        sni_free(memory, corners);
        return sni_fail_memory(error);
    }
    for (uint32_t p = 0; p < closed->part_count; p++) {
        const snMesh* mesh = def->parts[p].mesh;
        for (uint32_t f = 0; f < mesh->face_count; f++) {
            uint32_t count = compact_face(closed, mesh, closed->vertex_starts[p], f, corners);
            if (count >= 3) add_face(closed, corners, count);
        }
    }
    closed->real_faces = closed->face_count;
    sni_free(memory, corners);
    return SN_RESULT_OK;
}

// ------------------------------------------------------------------------------------------------- shells

// Pieces joined by points, numbered by their first face.
static snResult number_shells(sniClosed* closed, snError* error) {
    const snAllocator* memory = &closed->allocator;
    uint32_t* sets = SNI_NEW_ARRAY(memory, uint32_t, closed->point_count);
    closed->point_shells = SNI_NEW_ARRAY(memory, uint32_t, closed->point_count);
    closed->face_shells = SNI_NEW_ARRAY(memory, uint32_t, closed->face_count);
    if (sets == NULL || closed->point_shells == NULL || closed->face_shells == NULL) {
        sni_free(memory, sets);
        return sni_fail_memory(error);
    }
    sni_sets_reset(sets, closed->point_count);
    for (uint32_t f = 0; f < closed->face_count; f++) {
        for (int i = 1; i < 4; i++) sni_sets_join(sets, closed->faces[f].at[0], closed->faces[f].at[i]);
    }
    for (uint32_t i = 0; i < closed->point_count; i++) closed->point_shells[i] = SN_NONE;
    for (uint32_t f = 0; f < closed->face_count; f++) {
        uint32_t root = sni_sets_find(sets, closed->faces[f].at[0]);
        if (closed->point_shells[root] == SN_NONE) closed->point_shells[root] = closed->shell_count++;
        closed->face_shells[f] = closed->point_shells[root];
    }
    for (uint32_t f = 0; f < closed->face_count; f++) {
        for (int i = 0; i < 4; i++) closed->point_shells[closed->faces[f].at[i]] = closed->face_shells[f];
    }
    sni_free(memory, sets);
    closed->shells = SNI_NEW_ARRAY(memory, snShell, closed->shell_count);
    return closed->shells != NULL ? SN_RESULT_OK : sni_fail_memory(error);
}

static snVec3 area_vector(const snVec3* p, const sniFace* face) {
    snVec3 across = sn_sub(p[face->at[2]], p[face->at[0]]), along = sn_sub(p[face->at[3]], p[face->at[1]]);
    return sn_scale(sn_cross(across, along), 0.5f);
}

// Six times the cone over a bilinear quad: with a corner as base, B, C and D the others from there, it is
// a . C x (D - B) + B . C x D / 2. Only edges are multiplied with each other, so little is lost to rounding.
double sni_face_volume(const snVec3* positions, snVec3 apex, const sniFace* face) {
    snVec3 corner = positions[face->at[0]];
    double a[3] = {(double)corner.x - (double)apex.x, (double)corner.y - (double)apex.y,
                   (double)corner.z - (double)apex.z};
    double e[3][3];
    for (int i = 0; i < 3; i++) {
        snVec3 p = positions[face->at[i + 1]];
        e[i][0] = (double)p.x - (double)corner.x;
        e[i][1] = (double)p.y - (double)corner.y;
        e[i][2] = (double)p.z - (double)corner.z;
    }
    double sum = 0.0;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        double along = e[1][j] * (e[2][k] - e[0][k]) - e[1][k] * (e[2][j] - e[0][j]);
        double inner = e[1][j] * e[2][k] - e[1][k] * e[2][j];
        sum += a[i] * along + 0.5 * (e[0][i] * inner);
    }
    return sum;
}

// A shell that one joint moves as a whole.
static bool moves_alone(const sniClosed* closed, uint32_t point, uint32_t* joint) {
    size_t k = closed->influences;
    Row row = {closed->joints + point * k, closed->weights + point * k, closed->influences};
    uint32_t heaviest = 0;
    for (uint32_t i = 1; i < row.count; i++) heaviest = row.weights[i] > row.weights[heaviest] ? i : heaviest;
    uint16_t mine = row.joints[heaviest];
    if (weight_in(row, mine) < 1.0f - ALONE) return false;
    if (*joint == SN_NONE) *joint = mine;
    return *joint == mine;
}

// dV/dp of a corner by its own face. On a crooked quad it is not a quarter of the area.
static snVec3 corner_vector(const snVec3* p, const sniFace* face, uint32_t i, uint32_t count) {
    snVec3 own = p[face->at[i]], next = sn_sub(p[face->at[(i + 1) % count]], own);
    snVec3 last = sn_sub(p[face->at[(i + count - 1) % count]], own);
    snVec3 far = count == 4 ? sn_sub(p[face->at[(i + 2) % 4]], own) : last;
    return sn_scale(sn_cross(sn_add(next, far), sn_add(far, last)), 1.0f / 12.0f);
}

static void measure_rest(sniClosed* closed, double* areas, snVec3* apexes, snVec3* vectors) {
    for (uint32_t s = 0; s < closed->shell_count; s++) apexes[s] = sn_vec3(0, 0, 0);
    for (uint32_t i = closed->point_count; i-- > 0;) {
        uint32_t s = closed->point_shells[i];
        if (s == SN_NONE) continue;
        snShell* shell = &closed->shells[s];
        uint32_t v = closed->vertices[i];
        shell->point_count++;
        shell->part = part_of(closed, v);
        shell->vertex = v - closed->vertex_starts[shell->part];
        apexes[s] = closed->rest[i];
    }
    for (uint32_t f = 0; f < closed->face_count; f++) {
        uint32_t s = closed->face_shells[f];
        closed->shells[s].volume += sni_face_volume(closed->rest, apexes[s], &closed->faces[f]) / 6.0;
        if (f >= closed->real_faces) continue;
        closed->shells[s].face_count++;
        const sniFace* face = &closed->faces[f];
        float area = sn_length(area_vector(closed->rest, face));
        areas[s] += (double)area;
        uint32_t count = sni_face_is_triangle(face) ? 3 : 4;
        for (uint32_t i = 0; i < count; i++) {
            closed->areas[face->at[i]] += area / (float)count;
            vectors[face->at[i]] = sn_add(vectors[face->at[i]], corner_vector(closed->rest, face, i, count));
        }
    }
    // A point counts by how much it can change the volume; that is little on a sharp crest, but not nothing.
    for (uint32_t i = 0; i < closed->point_count; i++)
        closed->areas[i] = sn_maxf(LEAST_OF_AREA * closed->areas[i], sn_length(vectors[i]));
}

static snResult judge_shells(sniClosed* closed, snError* error) {
    const snAllocator* memory = &closed->allocator;
    closed->areas = SNI_NEW_ARRAY(memory, float, closed->point_count);
    double* areas = SNI_NEW_ARRAY(memory, double, closed->shell_count);
    snVec3* apexes = SNI_NEW_ARRAY(memory, snVec3, closed->shell_count);
    uint32_t* joints = SNI_NEW_ARRAY(memory, uint32_t, closed->shell_count);
    snVec3* vectors = SNI_NEW_ARRAY(memory, snVec3, closed->point_count);
    bool ready =
        closed->areas != NULL && areas != NULL && apexes != NULL && joints != NULL && vectors != NULL;
    if (ready) {
        measure_rest(closed, areas, apexes, vectors);
        for (uint32_t s = 0; s < closed->shell_count; s++) {
            snShell* shell = &closed->shells[s];
            joints[s] = SN_NONE;
            double a = areas[s], v = shell->volume;
            bool flat = shell->face_count < LEAST_FACES || !(BALL * v * v > FLAT * a * a * a);
            if (shell->kind == SN_SHELL_KEPT) shell->kind = flat ? SN_SHELL_FLAT : SN_SHELL_RIGID;
        }
        for (uint32_t i = 0; i < closed->point_count; i++) {
            uint32_t s = closed->point_shells[i];
            if (s == SN_NONE || closed->shells[s].kind != SN_SHELL_RIGID) continue;
            if (!moves_alone(closed, i, &joints[s])) closed->shells[s].kind = SN_SHELL_KEPT;
        }
    }
    sni_free(memory, areas);
    sni_free(memory, apexes);
    sni_free(memory, joints);
    sni_free(memory, vectors);
    return ready ? SN_RESULT_OK : sni_fail_memory(error);
}

// Corners by point, rising.
static snResult index_corners(sniClosed* closed, snError* error) {
    const snAllocator* memory = &closed->allocator;
    size_t points = (size_t)closed->point_count + closed->cap_count;
    closed->corner_starts = SNI_NEW_ARRAY(memory, uint32_t, points + 1);
    closed->corners = SNI_NEW_ARRAY(memory, uint32_t, 4 * (size_t)closed->face_count);
    if (closed->corner_starts == NULL || closed->corners == NULL) return sni_fail_memory(error);
    uint32_t* starts = closed->corner_starts;
    for (uint32_t c = 0; c < 4 * closed->face_count; c++) {
        const sniFace* face = &closed->faces[c / 4];
        if (c % 4 < 3 || !sni_face_is_triangle(face)) starts[face->at[c % 4] + 1]++;
    }
    for (size_t i = 0; i < points; i++) starts[i + 1] += starts[i];
    for (uint32_t c = 0; c < 4 * closed->face_count; c++) {
        const sniFace* face = &closed->faces[c / 4];
        if (c % 4 < 3 || !sni_face_is_triangle(face)) closed->corners[starts[face->at[c % 4]]++] = c;
    }
    // Filling moved every start to where the next began.
    for (size_t i = points; i > 0; i--) starts[i] = starts[i - 1];
    starts[0] = 0;
    return SN_RESULT_OK;
}

// ---------------------------------------------------------------------------------------------- as a whole

static snResult fill(const snExactVolumeDef* def, sniClosed* closed, snError* error) {
    closed->part_count = def->part_count;
    closed->vertex_starts = SNI_NEW_ARRAY(&closed->allocator, uint32_t, (size_t)def->part_count + 1);
    if (closed->vertex_starts == NULL) return sni_fail_memory(error);
    for (uint32_t p = 0; p < def->part_count; p++)
        closed->vertex_starts[p + 1] = closed->vertex_starts[p] + def->parts[p].mesh->vertex_count;
    snResult result = create_points(def, closed, error);
    if (result == SN_RESULT_OK) result = copy_weights(def, closed, error);
    if (result == SN_RESULT_OK) result = collect_faces(def, closed, error);
    if (result == SN_RESULT_OK) result = number_shells(closed, error);
    if (result == SN_RESULT_OK) {
        closed->rest = SNI_NEW_ARRAY(&closed->allocator, snVec3, closed->point_count);
        if (closed->rest == NULL) return sni_fail_memory(error);
        for (uint32_t i = 0; i < closed->point_count; i++) {
            uint32_t v = closed->vertices[i], p = part_of(closed, v);
            closed->rest[i] = def->parts[p].rest[v - closed->vertex_starts[p]];
        }
        result = sni_close(closed, error);
    }
    if (result == SN_RESULT_OK) result = judge_shells(closed, error);
    return result == SN_RESULT_OK ? index_corners(closed, error) : result;
}

snResult sni_closed_create(const snExactVolumeDef* def, const snAllocator* allocator, sniClosed** out,
                           snError* error) {
    sniClosed* closed = SNI_NEW(allocator, sniClosed);
    if (closed == NULL) return sni_fail_memory(error);
    closed->allocator = *allocator;
    snResult result = fill(def, closed, error);
    if (result != SN_RESULT_OK) {
        sni_closed_destroy(closed);
        return result;
    }
    *out = closed;
    return SN_RESULT_OK;
}

// ------------------------------------------------------------------------------------------------- reweigh

// Whether vertices make the points that they made.
static snResult same_points(const snExactVolumeDef* def, const sniClosed* old, bool* out, snError* error) {
    const snAllocator* memory = &old->allocator;
    uint32_t vertices = old->vertex_starts[old->part_count];
    sniClosed next = *old;
    uint32_t* chains = SNI_NEW_ARRAY(memory, uint32_t, 2 * (size_t)vertices);
    next.points = SNI_NEW_ARRAY(memory, uint32_t, vertices);
    next.vertices = SNI_NEW_ARRAY(memory, uint32_t, vertices);
    bool ready = chains != NULL && next.points != NULL && next.vertices != NULL;
    if (ready) {
        number_points(def, &next, chains, chains + vertices);
        *out = next.point_count == old->point_count &&
               memcmp(next.points, old->points, vertices * sizeof *next.points) == 0;
    }
    sni_free(memory, chains);
    sni_free(memory, next.points);
    sni_free(memory, next.vertices);
    return ready ? SN_RESULT_OK : sni_fail_memory(error);
}

// Whether shells that are moved as a whole are those that were.
static snResult same_kinds(const sniClosed* closed, bool* out, snError* error) {
    uint32_t* joints = SNI_NEW_ARRAY(&closed->allocator, uint32_t, closed->shell_count);
    uint8_t* kept = SNI_NEW_ARRAY(&closed->allocator, uint8_t, closed->shell_count);
    bool ready = joints != NULL && kept != NULL;
    for (uint32_t s = 0; s < closed->shell_count && ready; s++) joints[s] = SN_NONE;
    for (uint32_t i = 0; i < closed->point_count && ready; i++) {
        uint32_t s = closed->point_shells[i];
        if (s != SN_NONE && kept[s] == 0) kept[s] = !moves_alone(closed, i, &joints[s]);
    }
    *out = ready;
    for (uint32_t s = 0; s < closed->shell_count && *out; s++) {
        snShellKind kind = closed->shells[s].kind;
        if (kind == SN_SHELL_KEPT || kind == SN_SHELL_RIGID) *out = (kind == SN_SHELL_KEPT) == (kept[s] != 0);
    }
    sni_free(&closed->allocator, joints);
    sni_free(&closed->allocator, kept);
    return ready ? SN_RESULT_OK : sni_fail_memory(error);
}

snResult sni_closed_reweigh(const snExactVolumeDef* def, const sniClosed* closed, sniClosed** out,
                            snError* error) {
    bool same = false;
    *out = NULL;
    SNI_TRY(same_points(def, closed, &same, error));
    if (!same) return SN_RESULT_OK;
    sniClosed* next = SNI_NEW(&closed->allocator, sniClosed);
    if (next == NULL) return sni_fail_memory(error);
    *next = *closed;
    next->joints = NULL;
    next->weights = NULL;
    snResult result = copy_weights(def, next, error);
    if (result == SN_RESULT_OK) result = same_kinds(next, &same, error);
    if (result == SN_RESULT_OK && same && next->influences == closed->influences)
        *out = next;
    else
        sni_closed_release(next, closed);
    return result;
}

void sni_closed_release(sniClosed* closed, const sniClosed* keeper) {
    if (closed == NULL || closed == keeper) return;
    if (keeper == NULL || !sni_closed_related(closed, keeper)) {
        sni_closed_destroy(closed);
        return;
    }
    snAllocator memory = closed->allocator;
    sni_free(&memory, closed->joints);
    sni_free(&memory, closed->weights);
    sni_free(&memory, closed);
}

void sni_closed_destroy(sniClosed* closed) {
    if (closed == NULL) return;
    snAllocator memory = closed->allocator;
    void* arrays[] = {closed->vertex_starts, closed->points, closed->vertices,
                      closed->rest,          closed->areas,  closed->faces,
                      closed->face_shells,   closed->caps,   closed->loop_points,
                      closed->point_shells,  closed->shells, closed->corner_starts,
                      closed->corners,       closed->joints, closed->weights,
                      closed->welded,        closed};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(&memory, arrays[i]);
}
