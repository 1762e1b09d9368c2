// Which bones live in which piece of the surface.
//
// Characters are built of pieces that overlap: a leg reaches into the torso, a neck into the head. Every
// place on a bone belongs to the piece that holds most of that bone, so the thigh is at home in the leg and
// not in the torso that its upper end pierces; and bones move the pieces in which they are at home.
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "bind/auto.h"

// Samples of a limb that have to be at home in a piece, of SNI_HOME_SAMPLES; more for those of joints that do
// not deform. Chosen on the nine characters of `make quality`. The first is near an edge: with 4 one of the
// 37 characters (m2m_sintel) comes out wrong, with 10 another (pm_Deer). The second matters to
// RobotExpressive alone.
#define LEAST_HOME SNI_TUNED(LEAST_HOME, 5)
#define LEAST_BORROWED_HOME SNI_TUNED(LEAST_BORROWED_HOME, 13)

typedef struct Search {
    const sniSurface* surface;
    const sniLimbs* limbs;
    sniHomes* homes;
    uint32_t visit_count;
    uint32_t sample_count;
    snVec3* samples;
    uint64_t* sorted[3];       // per axis: samples by their coordinate along it
    int16_t (*windings)[6];    // per sample: of the lines along three axes, both ways
    uint32_t* best;            // per sample: piece that holds most of its limb, or SN_NONE
    uint16_t* best_counts;     // per sample: how many samples of the limb that piece holds
    uint32_t* triangle_starts; // triangles by piece
    uint32_t* triangles;
} Search;

// Rising with the float, so that whole numbers sort like it.
static uint32_t sortable(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

static float coordinate(snVec3 p, int axis) { return axis == 0 ? p.x : axis == 1 ? p.y : p.z; }

static bool allocate(Search* s, const snAllocator* memory) {
    uint32_t components = s->surface->component_count;
    s->sample_count = s->limbs->count * SNI_HOME_SAMPLES;
    s->samples = SNI_NEW_ARRAY(memory, snVec3, s->sample_count);
    bool enough = s->samples != NULL;
    for (int axis = 0; axis < 3; axis++) {
        s->sorted[axis] = SNI_NEW_ARRAY(memory, uint64_t, s->sample_count);
        enough = enough && s->sorted[axis] != NULL;
    }
    s->windings = sni_alloc_array(memory, s->sample_count, sizeof *s->windings);
    s->best = SNI_NEW_ARRAY(memory, uint32_t, s->sample_count);
    s->best_counts = SNI_NEW_ARRAY(memory, uint16_t, s->sample_count);
    s->triangle_starts = SNI_NEW_ARRAY(memory, uint32_t, (size_t)components + 2);
    s->triangles = SNI_NEW_ARRAY(memory, uint32_t, s->surface->triangle_count);
    s->homes->starts = SNI_NEW_ARRAY(memory, uint32_t, (size_t)components + 2);
    return enough && s->windings != NULL && s->best != NULL && s->best_counts != NULL &&
           s->triangle_starts != NULL && s->triangles != NULL && s->homes->starts != NULL;
}

static void release(Search* s, const snAllocator* memory) {
    sni_free(memory, s->samples);
    for (int axis = 0; axis < 3; axis++) sni_free(memory, s->sorted[axis]);
    sni_free(memory, s->windings);
    sni_free(memory, s->best);
    sni_free(memory, s->best_counts);
    sni_free(memory, s->triangle_starts);
    sni_free(memory, s->triangles);
}

static void place_samples(Search* s) {
    for (uint32_t i = 0; i < s->sample_count; i++) {
        const sniLimb* limb = &s->limbs->limbs[i / SNI_HOME_SAMPLES];
        float t = ((float)(i % SNI_HOME_SAMPLES) + 0.5f) / (float)SNI_HOME_SAMPLES;
        s->samples[i] = sn_lerp(limb->head, limb->tail, t);
        s->best[i] = SN_NONE;
        for (int axis = 0; axis < 3; axis++) {
            s->sorted[axis][i] = (uint64_t)sortable(coordinate(s->samples[i], axis)) << 32 | i;
        }
    }
    for (int axis = 0; axis < 3; axis++) sni_sort_u64(s->sorted[axis], s->sample_count);
}

static void sort_triangles(Search* s) {
    const sniSurface* surface = s->surface;
    uint32_t* starts = s->triangle_starts;
    for (size_t t = 0; t < surface->triangle_count; t++) {
        starts[surface->components[surface->triangles[t * 3]] + 2]++;
    }
    for (uint32_t c = 0; c < surface->component_count; c++) starts[c + 2] += starts[c + 1];
    for (uint32_t t = 0; t < surface->triangle_count; t++) {
        uint32_t component = surface->components[surface->triangles[(size_t)t * 3]];
        s->triangles[starts[component + 1]++] = t;
    }
}

// ---------------------------------------------------------------------------------------------- inside

static uint32_t first_at(const uint64_t* sorted, uint32_t count, float coordinate_from) {
    uint64_t key = (uint64_t)sortable(coordinate_from) << 32;
    uint32_t lo = 0, hi = count;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (sorted[mid] < key)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

// True when the point lies left of the edge in the plane of axes u and v; the same answer, turned round, for
// the triangle on the other side of the edge.
static bool left_of(const sniSurface* surface, uint32_t a, uint32_t b, int u, int v, snVec3 p) {
    bool swapped = a > b;
    snVec3 from = surface->points[swapped ? b : a], to = surface->points[swapped ? a : b];
    double fu = (double)coordinate(from, u), fv = (double)coordinate(from, v);
    double side = ((double)coordinate(to, u) - fu) * ((double)coordinate(p, v) - fv) -
                  ((double)coordinate(to, v) - fv) * ((double)coordinate(p, u) - fu);
    return (side >= 0.0) != swapped;
}

// True when a line through `p` meets the triangle further along its axis. The triangle looks along the axis
// when the line passes it on the left of its edges.
static bool is_ahead(const snVec3* corners, snVec3 p, bool left) {
    snVec3 normal = sn_cross(sn_sub(corners[1], corners[0]), sn_sub(corners[2], corners[0]));
    return (sn_dot(normal, sn_sub(corners[0], p)) >= 0.0f) == left;
}

// Returns whether any line through a sample meets the triangle.
static bool cross_triangle(const Search* s, uint32_t triangle, int axis) {
    const uint32_t* t = s->surface->triangles + (size_t)triangle * 3;
    snVec3 corners[3] = {s->surface->points[t[0]], s->surface->points[t[1]], s->surface->points[t[2]]};
    int u = (axis + 1) % 3, v = (axis + 2) % 3;
    snBounds bounds = sn_bounds_of(corners, 3);
    float top = coordinate(bounds.max, u), vmin = coordinate(bounds.min, v), vmax = coordinate(bounds.max, v);
    uint32_t at = first_at(s->sorted[u], s->sample_count, coordinate(bounds.min, u));
    bool any = false;
    for (; at < s->sample_count; at++) {
        uint32_t sample = (uint32_t)s->sorted[u][at];
        snVec3 p = s->samples[sample];
        if (coordinate(p, u) > top) break;
        if (coordinate(p, v) < vmin || coordinate(p, v) > vmax) continue;
        bool left = left_of(s->surface, t[0], t[1], u, v, p);
        if (left_of(s->surface, t[1], t[2], u, v, p) != left) continue;
        if (left_of(s->surface, t[2], t[0], u, v, p) != left) continue;
        int16_t* winding = &s->windings[sample][axis * 2 + is_ahead(corners, p, left)];
        *winding = (int16_t)(*winding + (left ? 1 : -1));
        any = true;
    }
    return any;
}

static bool is_inside(const int16_t* windings) {
    int votes = 0;
    for (int k = 0; k < 6; k++) votes += windings[k] != 0;
    return votes >= 4;
}

// -------------------------------------------------------------------------------------------------- homes

static bool add_visit(Search* s, sniVisit visit) {
    sniHomes* homes = s->homes;
    if (!sni_grow(&homes->allocator, &homes->visits, &homes->capacity, (size_t)s->visit_count + 1,
                  sizeof(sniVisit))) {
        return false;
    }
    homes->visits[s->visit_count++] = visit;
    homes->starts[visit.component + 1]++;
    return true;
}

// What one piece holds of one limb; samples move to it when it holds more than those before it.
static bool visit_limb(Search* s, uint32_t component, uint32_t limb) {
    uint32_t first = limb * SNI_HOME_SAMPLES;
    uint16_t count = 0;
    bool inside[SNI_HOME_SAMPLES];
    for (uint32_t i = 0; i < SNI_HOME_SAMPLES; i++) {
        inside[i] = is_inside(s->windings[first + i]);
        count = (uint16_t)(count + inside[i]);
    }
    if (count == 0) return true;
    for (uint32_t i = 0; i < SNI_HOME_SAMPLES; i++) {
        if (!inside[i] || count <= s->best_counts[first + i]) continue;
        s->best_counts[first + i] = count;
        s->best[first + i] = component;
    }
    return add_visit(
        s, (sniVisit){
               .component = component, .limb = limb, .inside = count, .ends = inside[SNI_HOME_SAMPLES - 1]});
}

static bool visit_component(Search* s, uint32_t component) {
    uint32_t begin = s->triangle_starts[component], end = s->triangle_starts[component + 1];
    bool any = false;
    for (uint32_t i = begin; i < end; i++) {
        for (int axis = 0; axis < 3; axis++) any = cross_triangle(s, s->triangles[i], axis) || any;
    }
    if (!any) return true; // most of a hundred buttons end here
    for (uint32_t limb = 0; limb < s->limbs->count; limb++) {
        if (!visit_limb(s, component, limb)) return false;
    }
    memset(s->windings, 0, s->sample_count * sizeof *s->windings);
    return true;
}

// A limb inside no piece (of a cape, of hair) is at home in the pieces nearest to it.
static bool place_homeless(Search* s, const sniNearest* nearest, uint32_t limb) {
    uint32_t first = limb * SNI_HOME_SAMPLES;
    if (!SNI_RULE(homeless)) return true;
    for (uint32_t i = 0; i < SNI_HOME_SAMPLES; i++) {
        if (s->best[first + i] != SN_NONE) return true;
    }
    for (uint32_t i = 0; i < SNI_HOME_SAMPLES; i++) {
        uint32_t component = s->surface->components[sni_nearest_find(nearest, s->samples[first + i])];
        bool known = false;
        for (uint32_t k = 0; k < i && !known; k++) known = s->best[first + k] == component;
        s->best[first + i] = component;
        if (!known && !add_visit(s, (sniVisit){.component = component, .limb = limb})) return false;
    }
    return true;
}

// Visits by piece, then by limb; and how many samples each may keep.
static bool sort_visits(Search* s) {
    sniHomes* homes = s->homes;
    uint32_t components = s->surface->component_count;
    sniVisit* sorted = SNI_NEW_ARRAY(&homes->allocator, sniVisit, s->visit_count);
    uint32_t* fill = SNI_NEW_ARRAY(&homes->allocator, uint32_t, components);
    bool enough = sorted != NULL && fill != NULL;
    if (enough) {
        for (uint32_t c = 0; c < components; c++) homes->starts[c + 1] += homes->starts[c];
        memcpy(fill, homes->starts, components * sizeof *fill);
        for (uint32_t i = 0; i < s->visit_count; i++) {
            sorted[fill[homes->visits[i].component]++] = homes->visits[i];
        }
        for (uint32_t i = 0; i < s->sample_count; i++) {
            if (s->best[i] == SN_NONE) continue;
            uint32_t at = homes->starts[s->best[i]];
            while (sorted[at].limb != i / SNI_HOME_SAMPLES) at++;
            sorted[at].home++;
        }
        sni_free(&homes->allocator, homes->visits);
        homes->visits = sorted;
        homes->capacity = s->visit_count;
        sorted = NULL;
    }
    sni_free(&homes->allocator, sorted);
    sni_free(&homes->allocator, fill);
    return enough;
}

static snResult find_homes(Search* s, snError* error) {
    sniNearest nearest = {0};
    bool enough = true;
    place_samples(s);
    sort_triangles(s);
    for (uint32_t c = 0; c < s->surface->component_count && enough; c++) enough = visit_component(s, c);
    if (!enough) return sni_fail_memory(error);
    SNI_TRY(sni_nearest_create(s->surface->points, s->surface->point_count, NULL, &s->homes->allocator,
                               &nearest, error));
    for (uint32_t limb = 0; limb < s->limbs->count && enough; limb++) {
        enough = place_homeless(s, &nearest, limb);
    }
    sni_nearest_free(&nearest);
    return enough && sort_visits(s) ? SN_RESULT_OK : sni_fail_memory(error);
}

snResult sni_homes_create(const sniSurface* surface, const sniLimbs* limbs, const snAllocator* allocator,
                          sniHomes* out, snError* error) {
    sniHomes homes = {.allocator = sni_allocator(allocator)};
    Search search = {.surface = surface, .limbs = limbs, .homes = &homes};
    snResult result = SN_RESULT_OK;
    if (surface->component_count > 1) {
        result = allocate(&search, &homes.allocator) ? find_homes(&search, error) : sni_fail_memory(error);
        release(&search, &homes.allocator);
    }
    if (result == SN_RESULT_OK)
        *out = homes;
    else
        sni_homes_free(&homes);
    return result;
}

void sni_homes_free(sniHomes* homes) {
    if (homes == NULL || homes->allocator.free == NULL) return;
    sni_free(&homes->allocator, homes->starts);
    sni_free(&homes->allocator, homes->visits);
    *homes = (sniHomes){0};
}

bool sni_visit_counts(const sniVisit* visit, const sniLimbs* limbs) {
    bool borrowed = limbs->limbs[visit->limb].borrowed;
    return visit->home >= (borrowed ? LEAST_BORROWED_HOME : LEAST_HOME);
}

bool sni_homes_accept(const sniHomes* homes, const sniLimbs* limbs, uint32_t component, uint32_t limb) {
    if (homes->starts == NULL) return true;
    bool any = false;
    for (uint32_t i = homes->starts[component]; i < homes->starts[component + 1]; i++) {
        if (!sni_visit_counts(&homes->visits[i], limbs)) continue;
        if (homes->visits[i].limb == limb) return true;
        any = true;
    }
    return !any;
}

bool sni_homes_is_sheet(const sniHomes* homes, uint32_t component) {
    if (!SNI_RULE(sheets) || homes->starts == NULL) return false;
    if (homes->starts[component] == homes->starts[component + 1]) return false;
    for (uint32_t i = homes->starts[component]; i < homes->starts[component + 1]; i++) {
        if (homes->visits[i].inside > 0) return false;
    }
    return true;
}
