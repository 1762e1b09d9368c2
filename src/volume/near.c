// Faces that the pose pressed together.
//
// Where a bend folds the surface onto itself, or limbs meet, faces lie on each other closer than they are
// large. Whatever moves there, by however little, makes faces cross that did not; so it stays as the skin has
// it, and the volume goes where there is room. Neither normals nor sides are asked for: folds of a coarse
// mesh cross at any angle. Faces are compared in clusters that lie together at rest.
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "volume/run.h"

// Scales of joints that differ by less than this are one.
#define SAME_SCALE 1e-5f
// Rounds in which what is held still reaches the points around it.
#define SPREAD 2u

// ------------------------------------------------------------------------------------------------- clusters

// Bits of a number below 256, each three places from the next.
static uint32_t spread_bits(uint32_t v) {
    v = (v | v << 8) & 0x0300f00fu;
    v = (v | v << 4) & 0x030c30c3u;
    return (v | v << 2) & 0x09249249u;
}

static snVec3 middle_of(const sniClosed* closed, uint32_t face) {
    const uint32_t* at = closed->faces[face].at;
    snVec3 sum = sn_add(sn_add(closed->rest[at[0]], closed->rest[at[1]]), closed->rest[at[2]]);
    if (sni_face_is_triangle(&closed->faces[face])) return sn_scale(sum, 1.0f / 3.0f);
    return sn_scale(sn_add(sum, closed->rest[at[3]]), 0.25f);
}

// Its shell, and where a face is in space as one number, near ones mostly alike (Morton).
static uint64_t place_of(const sniClosed* closed, uint32_t face, snBounds bounds, float per_metre) {
    snVec3 p = sn_scale(sn_sub(middle_of(closed, face), bounds.min), per_metre);
    const float at[3] = {p.x, p.y, p.z};
    uint32_t bits = 0, shell = closed->face_shells[face];
    for (int k = 0; k < 3; k++) bits |= spread_bits((uint32_t)sn_clampf(at[k], 0.0f, 255.0f)) << k;
    return (uint64_t)(shell < 255u ? shell : 255u) << 56 | (uint64_t)bits << 32 | face;
}

static float mean_edge(const sniClosed* closed, uint32_t face) {
    const uint32_t* at = closed->faces[face].at;
    int corners = sni_face_is_triangle(&closed->faces[face]) ? 3 : 4;
    float sum = 0.0f;
    for (int k = 0; k < corners; k++)
        sum += sn_distance(closed->rest[at[k]], closed->rest[at[(k + 1) % corners]]);
    return sum / (float)corners;
}

static void measure_edges(const sniClosed* closed, const uint32_t* at, uint32_t i, sniNearSet* set) {
    const snVec3* p = closed->rest;
    const snVec3 ways[4] = {sn_sub(p[at[1]], p[at[0]]), sn_sub(p[at[2]], p[at[0]]),
                            sn_sub(p[at[3]], p[at[0]]), sn_sub(p[at[3]], p[at[1]])};
    for (int k = 0; k < 4; k++) set->edges[k][i] = sn_dot(ways[k], ways[k]);
}

// What may be near to a cluster at rest.
static void bound_cluster(uint32_t c, sniNearSet* set) {
    float margin = 0.0f;
    for (int a = 0; a < 3; a++) set->low[a][c] = INFINITY, set->high[a][c] = -INFINITY;
    for (uint32_t i = c * SNI_FACE_LANES; i < (c + 1) * SNI_FACE_LANES; i++) {
        margin = sn_maxf(margin, set->sizes[i]);
        for (int a = 0; a < 3; a++) {
            set->low[a][c] = sn_minf(set->low[a][c], set->middles[a][i]);
            set->high[a][c] = sn_maxf(set->high[a][c], set->middles[a][i]);
        }
    }
    for (int a = 0; a < 3; a++) set->low[a][c] -= margin, set->high[a][c] += margin;
}

static void fill(const sniClosed* closed, const uint64_t* order, sniNearSet* set) {
    for (uint32_t i = 0; i < set->count * SNI_FACE_LANES; i++) {
        uint32_t face = (uint32_t)order[i < closed->real_faces ? i : closed->real_faces - 1];
        snVec3 middle = middle_of(closed, face);
        for (int k = 0; k < 4; k++)
            set->blocks[i / SNI_FACE_LANES].at[k][i % SNI_FACE_LANES] = closed->faces[face].at[k];
        set->middles[0][i] = middle.x, set->middles[1][i] = middle.y, set->middles[2][i] = middle.z;
        set->fourth[i] = sni_face_is_triangle(&closed->faces[face]) ? 0.0f : 1.0f;
        set->sizes[i] = mean_edge(closed, face);
        measure_edges(closed, closed->faces[face].at, i, set);
        uint32_t *shell = &set->shells[i / SNI_FACE_LANES], own = closed->face_shells[face];
        *shell = i % SNI_FACE_LANES == 0 || *shell == own ? own : SN_NONE;
    }
    for (uint32_t c = 0; c < set->count; c++) bound_cluster(c, set);
}

// Those of faces, then those of clusters.
#define FACE_ARRAYS 9
static void list_arrays(sniNearSet* set, float** out[FACE_ARRAYS + 6]) {
    *out++ = &set->fourth, *out++ = &set->sizes;
    for (int a = 0; a < 3; a++) *out++ = &set->middles[a];
    for (int k = 0; k < 4; k++) *out++ = &set->edges[k];
    for (int a = 0; a < 3; a++) *out++ = &set->low[a];
    for (int a = 0; a < 3; a++) *out++ = &set->high[a];
}

snResult sni_near_create(const sniClosed* closed, const snAllocator* memory, sniNearSet* out,
                         snError* error) {
    uint32_t faces = closed->real_faces;
    out->count = (faces + SNI_FACE_LANES - 1) / SNI_FACE_LANES;
    size_t lanes = (size_t)out->count * SNI_FACE_LANES;
    uint64_t* order = SNI_NEW_ARRAY(memory, uint64_t, faces);
    out->blocks = SNI_NEW_ARRAY(memory, sniFaceBlock, out->count);
    out->shells = SNI_NEW_ARRAY(memory, uint32_t, out->count);
    bool ready = order != NULL && out->blocks != NULL && out->shells != NULL;
    float** arrays[FACE_ARRAYS + 6];
    list_arrays(out, arrays);
    for (int i = 0; i < FACE_ARRAYS + 6; i++)
        ready &= (*arrays[i] = SNI_NEW_ARRAY(memory, float, i < FACE_ARRAYS ? lanes : out->count)) != NULL;
    if (ready && faces > 0) {
        snBounds bounds = sn_bounds_of(closed->rest, closed->point_count);
        snVec3 size = sn_sub(bounds.max, bounds.min);
        float largest = sn_maxf(size.x, sn_maxf(size.y, size.z)),
              per_metre = largest > 0.0f ? 256.0f / largest : 0.0f;
        for (uint32_t f = 0; f < faces; f++) order[f] = place_of(closed, f, bounds, per_metre);
        sni_sort_u64(order, faces);
        fill(closed, order, out);
    }
    sni_free(memory, order);
    return ready ? SN_RESULT_OK : sni_fail_memory(error);
}

void sni_near_free(sniNearSet* set, const snAllocator* memory) {
    float** arrays[FACE_ARRAYS + 6];
    list_arrays(set, arrays);
    for (int i = 0; i < FACE_ARRAYS + 6; i++) sni_free(memory, *arrays[i]);
    sni_free(memory, set->blocks);
    sni_free(memory, set->shells);
}

// ---------------------------------------------------------------------------------------------------- poses

static float scale_of(const snMat4* m) {
    float sum = 0.0f;
    for (int c = 0; c < 3; c++)
        for (int r = 0; r < 3; r++) sum += m->m[4 * c + r] * m->m[4 * c + r];
    return sqrtf(sum / 3.0f);
}

// By the weights of its first corner.
static float scale_at(const sniRun* run, uint32_t point) {
    const sniClosed* closed = run->volume->closed;
    float sum = 0.0f, all = 0.0f;
    for (uint32_t k = 0; k < closed->influences; k++) {
        size_t at = (size_t)point * closed->influences + k;
        sum += closed->weights[at] * scale_of(&run->job->matrices[closed->joints[at]]);
        all += closed->weights[at];
    }
    return all > 0.0f ? sum / all : 1.0f;
}

static void fill_scales(sniRun* run) {
    const snExactVolume* v = run->volume;
    uint32_t count = v->near.count * SNI_FACE_LANES;
    float least = INFINITY, most = 0.0f;
    for (uint32_t j = 0; j < v->joint_count; j++) {
        float scale = scale_of(&run->job->matrices[j]);
        least = sn_minf(least, scale), most = sn_maxf(most, scale);
    }
    bool same = most - least <= SAME_SCALE * most;
    for (uint32_t i = 0; i < count; i++)
        run->near.scales[i] =
            same ? most : scale_at(run, v->near.blocks[i / SNI_FACE_LANES].at[0][i % SNI_FACE_LANES]);
}

typedef struct Box {
    float low[3], high[3];
} Box;

// Around as many clusters as are compared at once.
static Box box_around(const sniNearPose* pose, uint32_t first) {
    Box box;
    for (int a = 0; a < 3; a++) {
        box.low[a] = INFINITY, box.high[a] = -INFINITY;
        for (uint32_t c = first; c < first + SNI_FACE_LANES; c++) {
            box.low[a] = sn_minf(box.low[a], pose->low[a][c]);
            box.high[a] = sn_maxf(box.high[a], pose->high[a][c]);
        }
    }
    return box;
}

static bool touch(const Box* a, const Box* b) {
    for (int k = 0; k < 3; k++)
        if (a->low[k] > b->high[k] || a->high[k] < b->low[k]) return false;
    return true;
}

// Whether two clusters are calm: neighbours at rest that face alike, and are squeezed nowhere.
static bool are_calm(const sniNearSet* set, const sniNearPose* pose, uint32_t a, uint32_t b) {
    float alike = 0.0f;
    for (int k = 0; k < 3; k++) {
        alike += pose->facing[k][a] * pose->facing[k][b];
        if (set->low[k][a] > set->high[k][b] || set->high[k][a] < set->low[k][b]) return false;
    }
    return alike > SNI_MEANS_ALIKE && set->shells[a] == set->shells[b] && set->shells[a] != SN_NONE;
}

// All of one row of clusters with all of another, or of its own.
static void press_rows(sniRun* run, uint32_t row, uint32_t first) {
    const sniNearSet* set = &run->volume->near;
    for (uint32_t a = row; a < set->count && a < row + SNI_FACE_LANES; a++) {
        uint32_t bits = run->kernels->meet(&run->near, a, first);
        for (uint32_t b = first; bits != 0; bits >>= 1, b++)
            if ((bits & 1u) != 0 && b >= a && !are_calm(set, &run->near, a, b))
                run->kernels->press(set, a, b, &run->near);
    }
}

// Whether a cluster is where it counts.
static bool is_asked(const sniRun* run, uint32_t cluster) {
    if (!(run->near_reach > 0.0f)) return true;
    const float at[3] = {run->near_middle.x, run->near_middle.y, run->near_middle.z};
    float sum = 0.0f;
    for (int a = 0; a < 3; a++) {
        float low = run->volume->near.low[a][cluster] - at[a],
              high = at[a] - run->volume->near.high[a][cluster];
        float beyond = sn_maxf(sn_maxf(low, high), 0.0f);
        sum += beyond * beyond;
    }
    return sum <= run->near_reach * run->near_reach;
}

static void nowhere(const sniNearPose* pose, uint32_t cluster) {
    for (int a = 0; a < 3; a++) pose->low[a][cluster] = INFINITY, pose->high[a][cluster] = -INFINITY;
}

void sni_run_find_near(sniRun* run) {
    const sniNearSet* set = &run->volume->near;
    const sniNearPose* pose = &run->near;
    const sniVolumeKernels* kernels = run->kernels;
    uint32_t lanes = (set->count + SNI_FACE_LANES - 1) / SNI_FACE_LANES * SNI_FACE_LANES;
    fill_scales(run);
    memset(pose->nears, 0, (size_t)set->count * SNI_FACE_LANES * sizeof(float));
    for (uint32_t c = 0; c < set->count; c++) {
        if (is_asked(run, c))
            kernels->middles(set, c, run->before, pose);
        else
            nowhere(pose, c);
    }
    for (uint32_t c = set->count; c < lanes; c++) nowhere(pose, c); // what fills up lanes
    for (uint32_t row = 0; row < lanes; row += SNI_FACE_LANES) {
        Box own = box_around(pose, row);
        if (own.low[0] > own.high[0]) continue; // nobody asked
        for (uint32_t first = row; first < lanes; first += SNI_FACE_LANES) {
            Box other = box_around(pose, first);
            if (touch(&own, &other)) press_rows(run, row, first);
        }
    }
}

// Points of pressed faces, into the limits.
static bool find_pressed(const sniShellRun* shell) {
    const sniRun* run = shell->run;
    const sniClosed* closed = run->volume->closed;
    const sniNearSet* set = &run->volume->near;
    bool any = false;
    for (uint32_t i = 0; i < shell->tables->rings->inner; i++) shell->field.limits[i] = 1.0f;
    for (uint32_t i = 0; i < set->count * SNI_FACE_LANES; i++) {
        float near = run->near.nears[i];
        if (near == 0.0f) continue;
        for (int k = 0; k < 4; k++) {
            uint32_t point = set->blocks[i / SNI_FACE_LANES].at[k][i % SNI_FACE_LANES];
            if (closed->point_shells[point] != shell->index) continue;
            float* limit = &shell->field.limits[run->volume->places[point]];
            *limit = sn_minf(*limit, 1.0f - near);
            any = true;
        }
    }
    return any;
}

void sni_run_still(const sniShellRun* shell) {
    if (!find_pressed(shell)) return;
    sni_run_spread(shell, SPREAD);
    const sniField* field = &shell->field;
    uint32_t count = shell->tables->rings->inner;
    memset(field->along, 0, count * sizeof(float));
    for (uint32_t i = 0; i < count; i++) {
        for (int a = 0; a < 3; a++) field->normals[a][i] *= field->limits[i];
        field->facing[i] *= field->limits[i];
    }
}
