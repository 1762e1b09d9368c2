// Cross-sections that move with the surface.
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "base/union_find.h"
#include "sinew/shape.h"

typedef struct Cut {
    const snMesh* mesh;
    const snWeld* weld;
    snVec3 point, normal;
    uint32_t count; // of segments
    snSectionPoint (*segments)[2];
    uint64_t* firsts; // 2 * count; by rank of its edge: the first segment that ends there
} Cut;

static float height_of(const Cut* cut, uint32_t vertex) {
    return sn_dot(sn_sub(cut->mesh->positions[vertex], cut->point), cut->normal);
}

static snSectionPoint cut_edge(const Cut* cut, uint32_t a, uint32_t b) {
    float from = height_of(cut, a), to = height_of(cut, b);
    return (snSectionPoint){a, b, from / (from - to)};
}

// Does the border of the face go up (or down) through the plane between a corner and the next?
static bool crosses(const Cut* cut, uint32_t face, uint32_t corner, bool up, uint32_t ends[2]) {
    const snMesh* mesh = cut->mesh;
    uint32_t first = mesh->face_starts[face], count = mesh->face_starts[face + 1] - first;
    ends[0] = mesh->corners[first + corner % count];
    ends[1] = mesh->corners[first + (corner + 1) % count];
    bool below = height_of(cut, ends[0]) < 0.0f, above = height_of(cut, ends[1]) >= 0.0f;
    return below == up && above == up;
}

// Segments run from where the border goes up to where it next comes down; a bent face may do so twice.
static void cut_face(Cut* cut, uint32_t face) {
    uint32_t count = cut->mesh->face_starts[face + 1] - cut->mesh->face_starts[face];
    for (uint32_t i = 0; i < count; i++) {
        uint32_t up[2], down[2];
        if (!crosses(cut, face, i, true, up)) continue;
        uint32_t k = i + 1;
        while (!crosses(cut, face, k, false, down)) k++;
        if (cut->segments != NULL) {
            cut->segments[cut->count][0] = cut_edge(cut, up[0], up[1]);
            cut->segments[cut->count][1] = cut_edge(cut, down[0], down[1]);
        }
        cut->count++;
    }
}

static uint32_t welded(const Cut* cut, uint32_t vertex) {
    return cut->weld != NULL ? cut->weld->point_of_vertex[vertex] : vertex;
}

static uint64_t edge_key(const Cut* cut, snSectionPoint end) {
    uint64_t a = welded(cut, end.a), b = welded(cut, end.b);
    return a < b ? a << 32 | b : b << 32 | a;
}

static snVec3 place_of(snSectionPoint end, const snVec3* positions) {
    return sn_lerp(positions[end.a], positions[end.b], end.share);
}

// Joins segments that end on one edge.
static bool join_segments(const Cut* cut, uint32_t* parents, const snAllocator* memory) {
    uint32_t ends = 2 * cut->count;
    uint64_t* keys = SNI_NEW_ARRAY(memory, uint64_t, ends);
    uint64_t* ranks = SNI_NEW_ARRAY(memory, uint64_t, ends);
    bool enough = keys != NULL && ranks != NULL;
    for (uint32_t i = 0; i < ends && enough; i++) keys[i] = edge_key(cut, cut->segments[i / 2][i % 2]);
    if (enough) memcpy(ranks, keys, ends * sizeof *keys);
    if (enough) sni_sort_u64(ranks, ends);
    sni_sets_reset(parents, cut->count);
    for (uint32_t i = 0; i < ends && enough; i++) {
        uint32_t low = 0, high = ends;
        while (low < high) {
            uint32_t middle = (low + high) / 2;
            if (ranks[middle] < keys[i])
                low = middle + 1;
            else
                high = middle;
        }
        // The first end on this edge leaves its segment there.
        if (cut->firsts[low] == UINT64_MAX)
            cut->firsts[low] = i / 2;
        else
            sni_sets_join(parents, (uint32_t)cut->firsts[low], i / 2);
    }
    sni_free(memory, keys);
    sni_free(memory, ranks);
    return enough;
}

// The piece whose middle is nearest to the point; ties by the first segment.
static uint32_t nearest_piece(const Cut* cut, uint32_t* parents, snVec3* sums, uint32_t* counts) {
    for (uint32_t i = 0; i < cut->count; i++) {
        uint32_t piece = sni_sets_find(parents, i);
        sums[piece] = sn_add(sums[piece], place_of(cut->segments[i][0], cut->mesh->positions));
        counts[piece]++;
    }
    uint32_t best = SN_NONE;
    float least = INFINITY;
    for (uint32_t i = 0; i < cut->count; i++) {
        if (counts[i] == 0) continue;
        float distance = sn_distance(sn_scale(sums[i], 1.0f / (float)counts[i]), cut->point);
        if (distance >= least) continue;
        least = distance;
        best = i;
    }
    return best;
}

static snResult keep_nearest(Cut* cut, const snAllocator* memory, snSection* out, snError* error) {
    uint32_t* parents = SNI_NEW_ARRAY(memory, uint32_t, cut->count);
    snVec3* sums = SNI_NEW_ARRAY(memory, snVec3, cut->count);
    uint32_t* counts = SNI_NEW_ARRAY(memory, uint32_t, cut->count);
    bool enough = parents != NULL && sums != NULL && counts != NULL && join_segments(cut, parents, memory);
    if (enough) {
        uint32_t piece = nearest_piece(cut, parents, sums, counts);
        for (uint32_t i = 0; i < cut->count; i++) {
            if (sni_sets_find(parents, i) != piece) continue;
            memcpy(out->segments[out->segment_count++], cut->segments[i], sizeof cut->segments[i]);
        }
    }
    sni_free(memory, parents);
    sni_free(memory, sums);
    sni_free(memory, counts);
    return enough ? SN_RESULT_OK : sni_fail_memory(error);
}

static snResult fill(Cut* cut, snSection* section, snError* error) {
    const snAllocator* memory = &section->allocator;
    uint32_t faces = cut->mesh->face_count;
    for (uint32_t f = 0; f < faces; f++) cut_face(cut, f);
    if (cut->count == 0) return sni_fail(error, SN_RESULT_NOT_FOUND, "the plane does not meet the surface");
    section->segments = sni_alloc_array(memory, cut->count, sizeof *section->segments);
    cut->segments = sni_alloc_array(memory, cut->count, sizeof *cut->segments);
    cut->firsts = SNI_NEW_ARRAY(memory, uint64_t, 2 * (size_t)cut->count);
    if (section->segments == NULL || cut->segments == NULL || cut->firsts == NULL)
        return sni_fail_memory(error);
    for (uint32_t i = 0; i < 2 * cut->count; i++) cut->firsts[i] = UINT64_MAX;
    cut->count = 0;
    for (uint32_t f = 0; f < faces; f++) cut_face(cut, f);
    return keep_nearest(cut, memory, section, error);
}

snResult sn_section_create(const snMesh* mesh, const snWeld* weld, snVec3 point, snVec3 normal,
                           const snAllocator* allocator, snSection** out, snError* error) {
    if (mesh == NULL || out == NULL || !sn_vec3_finite(point) || !(sn_length(normal) > 0.0f)) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a mesh, a plane and an output are needed");
    }
    snAllocator memory = sni_allocator(allocator);
    snSection* section = SNI_NEW(&memory, snSection);
    if (section == NULL) return sni_fail_memory(error);
    section->allocator = memory;
    Cut cut = {.mesh = mesh, .weld = weld, .point = point, .normal = normal};
    snResult result = fill(&cut, section, error);
    sni_free(&memory, cut.segments);
    sni_free(&memory, cut.firsts);
    if (result != SN_RESULT_OK) {
        sn_section_destroy(section);
        return result;
    }
    *out = section;
    return SN_RESULT_OK;
}

void sn_section_destroy(snSection* section) {
    if (section == NULL) return;
    snAllocator memory = section->allocator;
    sni_free(&memory, section->segments);
    sni_free(&memory, section);
}

double sn_section_area(const snSection* section, const snMesh* mesh, const snVec3* positions) {
    if (positions == NULL) positions = mesh->positions;
    if (section->segment_count == 0) return 0.0;
    snVec3 origin = place_of(section->segments[0][0], positions);
    double sum[3] = {0.0, 0.0, 0.0};
    for (uint32_t i = 0; i < section->segment_count; i++) {
        snVec3 from = sn_sub(place_of(section->segments[i][0], positions), origin);
        snVec3 to = sn_sub(place_of(section->segments[i][1], positions), origin);
        snVec3 area = sn_cross(from, to);
        sum[0] += (double)area.x, sum[1] += (double)area.y, sum[2] += (double)area.z;
    }
    return 0.5 * sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
}
