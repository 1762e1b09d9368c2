#include "volume/sheets.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/sort.h"
#include "shape/crossings.h"

// Faces in a sheet: fewer are more pairs of sheets, more face less alike.
#define SHEET 16u
// Half a turn, less what rounding may do to angles.
#define ONE_WAY (SN_PI - 1e-3f)

// ---------------------------------------------------------------------------------------------------- build

static bool share_edge(const sniFace* a, const sniFace* b) {
    int shared = 0;
    for (int i = 0; i < 4; i++) {
        if (i == 3 && sni_face_is_triangle(a)) break;
        shared +=
            a->at[i] == b->at[0] || a->at[i] == b->at[1] || a->at[i] == b->at[2] || a->at[i] == b->at[3];
    }
    return shared > 1;
}

// From `first` across edges, nearest ones first; `of_face` is SN_NONE where no sheet is yet.
static uint32_t grow_sheet(const sniClosed* closed, uint32_t first, uint32_t sheet, uint32_t* of_face,
                           uint32_t* faces) {
    uint32_t head = 0, tail = 0;
    of_face[first] = sheet;
    faces[tail++] = first;
    while (head < tail) {
        const sniFace* face = &closed->faces[faces[head++]];
        for (int k = 0; k < 4; k++) {
            for (uint32_t c = closed->corner_starts[face->at[k]]; c < closed->corner_starts[face->at[k] + 1];
                 c++) {
                uint32_t other = closed->corners[c] / 4;
                if (tail == SHEET) return tail;
                if (other >= closed->real_faces || of_face[other] != SN_NONE) continue;
                if (!share_edge(face, &closed->faces[other])) continue;
                of_face[other] = sheet;
                faces[tail++] = other;
            }
        }
    }
    return tail;
}

// Sheets that share a point with one; `stamps` holds no number of it yet.
static bool list_beside(sniSheets* s, uint32_t sheet, const uint32_t* of_face) {
    const sniClosed* closed = s->closed;
    s->stamps[sheet] = sheet + 1;
    for (uint32_t i = s->starts[sheet]; i < s->starts[sheet + 1]; i++) {
        const uint32_t* at = closed->faces[s->faces[i]].at;
        for (int k = 0; k < 4; k++) {
            for (uint32_t c = closed->corner_starts[at[k]]; c < closed->corner_starts[at[k] + 1]; c++) {
                uint32_t face = closed->corners[c] / 4,
                         other = face < closed->real_faces ? of_face[face] : sheet;
                if (s->stamps[other] == sheet + 1) continue;
                if (!sni_grow(s->memory, &s->beside, &s->beside_capacity, s->beside_count + 1,
                              sizeof *s->beside))
                    return false;
                s->stamps[other] = sheet + 1;
                s->beside[s->beside_count++] = other;
            }
        }
    }
    return true;
}

// Its points, each once; `stamps` holds no number of the sheet, one for each point.
static void list_points(sniSheets* s, uint32_t sheet, uint32_t* stamps) {
    for (uint32_t i = s->starts[sheet]; i < s->starts[sheet + 1]; i++) {
        for (int k = 0; k < 4; k++) {
            uint32_t point = s->closed->faces[s->faces[i]].at[k];
            if (stamps[point] == sheet + 1) continue;
            stamps[point] = sheet + 1;
            s->points[s->point_starts[sheet + 1]++] = point;
        }
    }
}

static bool build(sniSheets* s, uint32_t* of_face, uint32_t* stamps) {
    const sniClosed* closed = s->closed;
    for (uint32_t f = 0; f < closed->real_faces; f++) of_face[f] = SN_NONE;
    for (uint32_t f = 0; f < closed->real_faces; f++) {
        if (of_face[f] != SN_NONE) continue;
        uint32_t first = s->starts[s->count];
        s->starts[s->count + 1] = first + grow_sheet(closed, f, s->count, of_face, s->faces + first);
        s->count++;
    }
    bool ready = true;
    for (uint32_t i = 0; i < s->count && ready; i++) {
        s->beside_starts[i] = s->beside_count;
        s->point_starts[i + 1] = s->point_starts[i];
        list_points(s, i, stamps);
        ready = list_beside(s, i, of_face);
    }
    s->beside_starts[s->count] = s->beside_count;
    memset(s->stamps, 0, s->count * sizeof *s->stamps);
    return ready;
}

bool sni_sheets_create(const sniClosed* closed, const snAllocator* memory, sniSheets* out) {
    *out = (sniSheets){.closed = closed, .memory = memory};
    size_t faces = closed->real_faces, triangles = 0;
    for (uint32_t f = 0; f < closed->real_faces; f++)
        triangles += sni_face_is_triangle(&closed->faces[f]) ? 1 : 2;
    uint32_t* of_face = SNI_NEW_ARRAY(memory, uint32_t, faces);
    uint32_t* stamps = SNI_NEW_ARRAY(memory, uint32_t, closed->point_count);
    out->point_starts = SNI_NEW_ARRAY(memory, uint32_t, faces + 1);
    out->points = SNI_NEW_ARRAY(memory, uint32_t, 4 * faces);
    out->starts = SNI_NEW_ARRAY(memory, uint32_t, faces + 1);
    out->faces = SNI_NEW_ARRAY(memory, uint32_t, faces);
    out->beside_starts = SNI_NEW_ARRAY(memory, size_t, faces + 1);
    out->stamps = SNI_NEW_ARRAY(memory, uint32_t, faces);
    out->triangles = (uint32_t(*)[3])sni_alloc_array(memory, triangles, 3 * sizeof(uint32_t));
    out->boxes = SNI_NEW_ARRAY(memory, snBounds, triangles);
    bool ready = of_face != NULL && stamps != NULL && out->point_starts != NULL && out->points != NULL &&
                 out->starts != NULL && out->faces != NULL && out->beside_starts != NULL &&
                 out->stamps != NULL && out->triangles != NULL && out->boxes != NULL &&
                 build(out, of_face, stamps);
    sni_free(memory, of_face);
    sni_free(memory, stamps);
    out->part_starts = SNI_NEW_ARRAY(memory, uint32_t, (size_t)out->count + 1);
    out->part_sheets = SNI_NEW_ARRAY(memory, uint32_t, out->count);
    out->part_whole = SNI_NEW_ARRAY(memory, uint8_t, out->count);
    out->part_boxes = SNI_NEW_ARRAY(memory, snBounds, out->count);
    out->facing = SNI_NEW_ARRAY(memory, snVec3, out->count);
    out->spread = SNI_NEW_ARRAY(memory, float, out->count);
    out->boxed = SNI_NEW_ARRAY(memory, uint8_t, out->count);
    out->marks = SNI_NEW_ARRAY(memory, uint8_t, out->count);
    out->order = SNI_NEW_ARRAY(memory, uint64_t, out->count);
    ready = ready && out->part_starts != NULL && out->part_sheets != NULL && out->part_whole != NULL &&
            out->part_boxes != NULL && out->facing != NULL && out->spread != NULL && out->marks != NULL &&
            out->boxed != NULL && out->order != NULL;
    if (!ready) sni_sheets_free(out);
    return ready;
}

void sni_sheets_free(sniSheets* s) {
    if (s->memory == NULL) return;
    void* arrays[] = {s->point_starts, s->points,     s->starts, s->faces,       s->beside_starts,
                      s->beside,       s->triangles,  s->boxes,  s->part_starts, s->part_sheets,
                      s->part_whole,   s->part_boxes, s->facing, s->spread,      s->marks,
                      s->boxed,        s->order,      s->stamps};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(s->memory, arrays[i]);
    *s = (sniSheets){0};
}

// ------------------------------------------------------------------------------------------------------ aim

static void add_face(sniSheets* s, const sniFace* face) {
    for (uint32_t k = 2; k < (sni_face_is_triangle(face) ? 3u : 4u); k++) {
        uint32_t* triangle = s->triangles[s->triangle_count++];
        triangle[0] = face->at[0], triangle[1] = face->at[k - 1], triangle[2] = face->at[k];
    }
}

void sni_sheets_aim(sniSheets* s, snVec3 middle, float reach) {
    const sniClosed* closed = s->closed;
    s->triangle_count = s->part_count = 0;
    for (uint32_t sheet = 0; sheet < s->count; sheet++) {
        uint32_t first = s->triangle_count;
        bool whole = true;
        for (uint32_t i = s->starts[sheet]; i < s->starts[sheet + 1]; i++) {
            const sniFace* face = &closed->faces[s->faces[i]];
            bool near = sn_distance(closed->rest[face->at[0]], middle) < reach;
            if (near) add_face(s, face);
            whole &= near;
        }
        if (s->triangle_count == first) continue;
        s->part_starts[s->part_count] = first;
        s->part_sheets[s->part_count] = sheet;
        s->part_whole[s->part_count++] = whole;
    }
    s->part_starts[s->part_count] = s->triangle_count;
}

// ----------------------------------------------------------------------------------------------------- cuts

static void face_part(const sniSheets* s, uint32_t part, const snVec3* points) {
    snVec3 sum = {0.0f, 0.0f, 0.0f};
    float least = 1.0f;
    for (int round = 0; round < 2; round++) {
        for (uint32_t i = s->part_starts[part]; i < s->part_starts[part + 1]; i++) {
            const uint32_t* at = s->triangles[i];
            snVec3 area =
                sn_cross(sn_sub(points[at[1]], points[at[0]]), sn_sub(points[at[2]], points[at[0]]));
            if (round == 0) sum = sn_add(sum, area);
            float length = round == 0 ? 1.0f : sn_length(area);
            // What has no area faces no way, and crosses nothing.
            if (round == 1 && length > 0.0f) least = sn_minf(least, sn_dot(area, sum) / length);
        }
        if (round == 0) sum = sn_normalize_or(sum, sn_vec3(0.0f, 0.0f, 0.0f));
    }
    s->facing[part] = sum;
    s->spread[part] = sn_dot(sum, sum) > 0.0f && least > 0.0f ? sn_acos(sn_minf(least, 1.0f)) : SN_PI;
}

// The axis along which what is looked at is longest.
static int longest_axis(const sniSheets* s) {
    snBounds all = s->part_boxes[0];
    for (uint32_t p = 1; p < s->part_count; p++)
        all = sn_bounds_add(sn_bounds_add(all, s->part_boxes[p].min), s->part_boxes[p].max);
    snVec3 size = sn_sub(all.max, all.min);
    return size.x > size.y ? (size.x > size.z ? 0 : 2) : (size.y > size.z ? 1 : 2);
}

static float along(snVec3 v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

// All of the sheet, of which only a part may be looked at.
static snBounds box_of_part(const sniSheets* s, uint32_t part, const snVec3* points) {
    uint32_t sheet = s->part_sheets[part], first = s->point_starts[sheet];
    snBounds box = {points[s->points[first]], points[s->points[first]]};
    for (uint32_t i = first + 1; i < s->point_starts[sheet + 1]; i++)
        box = sn_bounds_add(box, points[s->points[i]]);
    return box;
}

static void pose_parts(sniSheets* s, const snVec3* points, const uint8_t* active) {
    for (uint32_t p = 0; p < s->part_count; p++) {
        s->marks[p] = 0;
        for (uint32_t i = s->part_starts[p]; i < s->part_starts[p + 1]; i++) s->marks[p] |= active[i];
        s->part_boxes[p] = box_of_part(s, p, points);
        s->spread[p] = -1.0f; // not known
        s->boxed[p] = 0;
    }
    s->axis = s->part_count > 0 ? longest_axis(s) : 0;
    for (uint32_t p = 0; p < s->part_count; p++)
        s->order[p] = (uint64_t)sni_sortable(along(s->part_boxes[p].min, s->axis)) << 32 | p;
    sni_sort_u64(s->order, s->part_count);
}

static void box_triangles(sniSheets* s, uint32_t part, const snVec3* points) {
    if (s->boxed[part] != 0) return;
    s->boxed[part] = 1;
    for (uint32_t i = s->part_starts[part]; i < s->part_starts[part + 1]; i++) {
        const uint32_t* at = s->triangles[i];
        snBounds box = {points[at[0]], points[at[0]]};
        s->boxes[i] = sn_bounds_add(sn_bounds_add(box, points[at[1]]), points[at[2]]);
    }
}

// Boxes that only touch hold nothing that crosses.
static bool overlap(const snBounds* a, const snBounds* b) {
    return a->min.x < b->max.x && b->min.x < a->max.x && a->min.y < b->max.y && b->min.y < a->max.y &&
           a->min.z < b->max.z && b->min.z < a->max.z;
}

// Whether two parts of the surface that hang together face one way all over.
static bool face_alike(sniSheets* s, const snVec3* points, uint32_t a, uint32_t b) {
    if (s->part_whole[a] == 0 || s->part_whole[b] == 0) return false;
    if (s->spread[a] < 0.0f) face_part(s, a, points);
    if (s->spread[b] < 0.0f) face_part(s, b, points);
    if (a == b) return 2.0f * s->spread[a] < ONE_WAY;
    float between = sn_acos(sn_clampf(sn_dot(s->facing[a], s->facing[b]), -1.0f, 1.0f));
    float widest = 2.0f * sn_maxf(s->spread[a], s->spread[b]);
    return sn_maxf(between + s->spread[a] + s->spread[b], widest) < ONE_WAY;
}

static double cut_pair(const sniSheets* s, const snVec3* points, uint32_t a, uint32_t b) {
    const uint32_t *s1 = s->triangles[a], *s2 = s->triangles[b];
    int shared = 0;
    for (int i = 0; i < 3; i++) shared += s1[i] == s2[0] || s1[i] == s2[1] || s1[i] == s2[2];
    if (shared > 1) return 0.0;
    const snVec3 first[3] = {points[s1[0]], points[s1[1]], points[s1[2]]},
                 second[3] = {points[s2[0]], points[s2[1]], points[s2[2]]};
    return sni_triangles_cross(first, second) ? (double)sni_triangles_cut(first, second) : 0.0;
}

// Those of its triangles that may meet another part; returns how many.
static uint32_t list_near(const sniSheets* s, uint32_t part, const snBounds* box, uint32_t out[2 * SHEET]) {
    uint32_t count = 0;
    for (uint32_t i = s->part_starts[part]; i < s->part_starts[part + 1]; i++)
        if (overlap(&s->boxes[i], box)) out[count++] = i;
    return count;
}

static double cut_parts(sniSheets* s, const snVec3* points, const uint8_t* active, uint32_t a, uint32_t b) {
    uint32_t of_a[2 * SHEET], of_b[2 * SHEET];
    double sum = 0.0;
    box_triangles(s, a, points);
    box_triangles(s, b, points);
    uint32_t first = list_near(s, a, &s->part_boxes[b], of_a),
             second = list_near(s, b, &s->part_boxes[a], of_b);
    for (uint32_t m = 0; m < first; m++) {
        for (uint32_t n = a == b ? m + 1 : 0; n < second; n++) {
            uint32_t i = of_a[m], k = of_b[n];
            if ((active[i] | active[k]) == 0 || !overlap(&s->boxes[i], &s->boxes[k])) continue;
            double cut = cut_pair(s, points, i < k ? i : k, i < k ? k : i);
            sum += cut;
            if (cut > 0.0 && s->zones != NULL) {
                uint16_t own = s->owners[s->triangles[i][0]], other = s->owners[s->triangles[k][0]];
                s->zones[own] += cut;
                if (other != own) s->zones[other] += cut;
            }
        }
    }
    return sum;
}

double sni_sheets_cuts(sniSheets* s, const snVec3* points, const uint8_t* active) {
    double sum = 0.0;
    pose_parts(s, points, active);
    for (uint32_t i = 0; i < s->part_count; i++) {
        uint32_t a = (uint32_t)s->order[i], sheet = s->part_sheets[a];
        for (size_t n = s->beside_starts[sheet]; n < s->beside_starts[sheet + 1]; n++)
            s->stamps[s->beside[n]] = sheet + 1;
        s->stamps[sheet] = sheet + 1;
        float end = along(s->part_boxes[a].max, s->axis);
        for (uint32_t k = i; k < s->part_count; k++) {
            uint32_t b = (uint32_t)s->order[k];
            if (along(s->part_boxes[b].min, s->axis) >= end && b != a) break;
            if ((s->marks[a] | s->marks[b]) == 0 || !overlap(&s->part_boxes[a], &s->part_boxes[b])) continue;
            if (s->stamps[s->part_sheets[b]] == sheet + 1 && face_alike(s, points, a, b)) continue;
            sum += cut_parts(s, points, active, a, b);
        }
    }
    return sum;
}
