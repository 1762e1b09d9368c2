// Who owns each point of the surface.
//
// The distance to a bone is measured from the point to the closest place on it. What of that way runs outside
// the flesh counts twice, and it is divided by how well the point faces away from the bone: skin belongs to
// the bone it wraps. Where a way leaves the flesh for good, the joint that is nearest through the lattice
// goes before all others. The nearest bone owns the point; bones almost as near share it.
#include <float.h>

#include "base/error.h"
#include "base/geometry.h"
#include "base/heap.h"
#include "base/memory.h"
#include "bind/auto.h"
#include "bind/look_kernels.h"

// The numbers below, and those of `sharpen` and `facing`, were chosen on the nine characters of `make
// quality`, in flat stretches, unless they say otherwise.

// Bones whose distance is within this factor of the nearest are looked at: beyond it `sharpen` leaves 1e-4.
#define REACH SNI_TUNED(REACH, 1.0954f)
// Bones that are not at home in the point's piece count as this much farther, never as absent: pieces are
// sometimes cut where nobody expects it. It suits a knight's helmet, and is too much for heads whose hair is
// a piece of its own.
#define STRANGER SNI_TUNED(STRANGER, 3.0f)
// The same for lines that leave their joint sideways, in the opinion that they are no bones.
#define SIDEWAYS SNI_TUNED(SIDEWAYS, 2.0f)
// How firmly a point holds what it owns against its neighbours: area over squared distance times this.
#define HOLD SNI_TUNED(HOLD, 4.0)
// Bounds of the cost: joints whose sources a point keeps, places that are looked at along a way.
#define SOURCES 8
#define WAY_SAMPLES 24
// How much more a way counts outside than inside.
#define OUTSIDE SNI_TUNED(OUTSIDE, 1.0f)
// A way of which more than this is outside does not count against one that is inside.
#define MOST_OUTSIDE SNI_TUNED(MOST_OUTSIDE, 0.25f)
// How much farther than the joint that is nearest through the lattice any other must be at least.
#define DETOUR SNI_TUNED(DETOUR, 1.5f)
#define BEYOND SNI_TUNED(BEYOND, 1.02f)
#define GRAIN 256

// What one point sees, in memory of the worker.
typedef struct View {
    float* straight;  // per limb: its distance as the crow flies, times its factor
    sniHeap next;     // limbs that may matter, by what their distance is at least
    uint32_t first;   // the nearest as the crow flies
    float measured;   // its distance
    float* distances; // of the limbs in `near`
    uint32_t* near;
    uint32_t count;
} View;

// The joints that a point hears, before they are packed.
typedef struct Heard {
    uint16_t joints[SOURCES];
    float shares[SOURCES];
    uint32_t count;
} Heard;

typedef struct Work {
    const sniOwnersDef* def;
    sniOwners* owners;
    const sniLookKernels* kernels;
    sniLookBlock* blocks; // of the limbs
    View* views;          // one per worker
    float* floats;        // of all views
    uint32_t* numbers;
    Heard* heard; // per point
    float least_distance;
} Work;

static SNI_DEFINE_KERNELS_OF(kernels_of, sni_look_kernels, sniLookKernels);

static uint32_t count_blocks(uint32_t limbs) { return (limbs + SNI_LOOK_LANES - 1) / SNI_LOOK_LANES; }

// Bones share a point only where they are almost equally near: blending is the diffusion's business. Chosen
// by every family's absence (docs/bind-quality.md).
#define SHARPNESS SNI_TUNED(SHARPNESS, 100u)

// x to the power of SHARPNESS, which is below 256, by squares, the largest first.
static float sharpen(float x) {
    float squares[8] = {x}, power = 1.0f;
    for (int i = 1; i < 8; i++) squares[i] = squares[i - 1] * squares[i - 1];
    for (int i = 7; i >= 0; i--) {
        if (SHARPNESS >> i & 1u) power *= squares[i];
    }
    return power;
}

// What is added to the cosine between the skin and the way from the bone: skin that faces the bone still
// counts for something.
#define FACING SNI_TUNED(FACING, 1.1f)

// About 1 where the skin faces away from the bone, 0.02 where it faces the bone. A sheet wraps nothing: both
// of its sides are alike.
static float facing(snVec3 normal, snVec3 way, float length, bool sheet) {
    float cosine = length > 0.0f ? sn_dot(normal, way) / length : 0.0f;
    if (sheet) cosine = fabsf(cosine);
    float f = 0.5f * (cosine + FACING);
    return f * sqrtf(sqrtf(f));
}

// Facing of a point that stands sideways to the bone, `facing` of a cosine of 0; what is used where a way
// leads around corners.
#define INDIFFERENT SNI_TUNED(INDIFFERENT, 0.4735f)

// `facing` at its best, and a little more.
#define BEST_FACING SNI_TUNED(BEST_FACING, 1.07f)

static snVec3 closest_on(const sniLimb* limb, snVec3 p) {
    return sn_lerp(limb->head, limb->tail, sni_segment_closest(limb->head, limb->tail, p));
}

static bool is_nearest_inside(const Work* work, uint32_t point, const sniLimb* limb) {
    return work->def->geodesic_joints[work->def->fine->origins[point]] == limb->joint;
}

static float face(const Work* work, uint32_t point, snVec3 way, float length) {
    const sniFineSurface* fine = work->def->fine;
    bool sheet = sni_homes_is_sheet(work->def->homes, fine->components[point]);
    return SNI_RULE(facing) ? facing(fine->normals[point], way, length, sheet) : 1.0f;
}

static uint32_t least_of(const float* values, uint32_t count) {
    uint32_t least = 0;
    for (uint32_t i = 1; i < count; i++) {
        if (values[i] < values[least]) least = i;
    }
    return least;
}

// What the limb's distance is at least.
static float look_at(const Work* work, uint32_t point, uint32_t index) {
    const sniLimb* limb = &work->def->limbs->limbs[index];
    snVec3 p = work->def->fine->points[point], way = sn_sub(p, closest_on(limb, p));
    float length = sn_length(way), faces = face(work, point, way, length);
    if (is_nearest_inside(work, point, limb)) faces = sn_maxf(faces, INDIFFERENT);
    return sn_maxf(length * limb->factor, work->least_distance) / faces;
}

// A point beyond the tail of a bone is nearer to what begins there.
static float beyond(const Work* work, const sniLimb* limb, snVec3 from) {
    if (!work->def->shrunk) return 1.0f;
    bool at_tail = from.x == limb->tail.x && from.y == limb->tail.y && from.z == limb->tail.z;
    return at_tail && !limb->last ? BEYOND : 1.0f;
}

static float measure(const Work* work, uint32_t point, uint32_t index) {
    const sniOwnersDef* def = work->def;
    const sniLimb* limb = &def->limbs->limbs[index];
    snVec3 p = def->fine->points[point];
    snVec3 from = closest_on(limb, p);
    snVec3 way = sn_sub(p, from);
    float straight = sn_length(way), faces = face(work, point, way, straight);
    float outside = 1.0f - sni_inside_share(def->flesh, from, p, WAY_SAMPLES);
    float length = straight * (1.0f + OUTSIDE * outside);
    uint32_t origin = def->fine->origins[point];
    if (outside > MOST_OUTSIDE && def->geodesic_joints[origin] != SN_NONE) {
        float around = def->geodesic_distances[origin];
        if (is_nearest_inside(work, point, limb)) {
            length = sn_maxf(straight, around);
            faces = sn_maxf(faces, INDIFFERENT);
        } else {
            length = sn_maxf(length, around * DETOUR);
        }
    }
    length *= beyond(work, limb, from);
    float distance = sn_maxf(length * limb->factor, work->least_distance) / faces;
    uint32_t component = def->fine->components[point];
    return sni_homes_accept(def->homes, def->limbs, component, index) ? distance : distance * STRANGER;
}

static float seen_as(const Work* work, uint32_t limb, float distance, bool sides_matter) {
    return sides_matter && work->def->limbs->limbs[limb].side ? distance * SIDEWAYS : distance;
}

static float as_seen(const Work* work, const View* view, uint32_t i, bool sides_matter) {
    return seen_as(work, view->near[i], view->distances[i], sides_matter);
}

// Lists the limbs that may matter, by what their distance is at least. Measuring asks what is flesh on the
// way, so one that is surely near is measured first and says which others are worth a look.
static void list_near(const Work* work, uint32_t point, View* view) {
    uint32_t limbs = work->def->limbs->count;
    view->first = work->kernels->look(work->blocks, count_blocks(limbs), work->def->fine->points[point],
                                      view->straight);
    view->measured = measure(work, point, view->first);
    float limit = REACH * seen_as(work, view->first, view->measured, true);
    for (uint32_t i = 0; i < limbs; i++) {
        if (view->straight[i] > limit * BEST_FACING) continue;
        float least = look_at(work, point, i);
        if (least <= limit) sni_heap_offer(&view->next, i, sni_heap_key(least, i));
    }
}

// Measures them by rising least distance until no other can matter.
static void find_near(const Work* work, uint32_t point, View* view) {
    float nearest = INFINITY;
    view->count = 0;
    while (view->next.count > 0) {
        uint32_t next = sni_heap_pop(&view->next);
        if (sni_heap_distance(view->next.keys[next]) > REACH * nearest) break;
        view->near[view->count] = next;
        view->distances[view->count] = next == view->first ? view->measured : measure(work, point, next);
        nearest = sn_minf(nearest, as_seen(work, view, view->count++, true));
    }
}

static void hear(Heard* heard, uint32_t joint, float share) {
    uint32_t at = 0;
    while (at < heard->count && heard->joints[at] != joint) at++;
    if (at == SOURCES) return;
    if (at == heard->count) heard->count++;
    heard->joints[at] = (uint16_t)joint;
    heard->shares[at] += share;
}

// Shares of the near limbs when side lines are bones like any other, or are not. Riggers are of both
// opinions, and the mean of the two is nearer to either than the wrong one. Returns the hold.
static double share_out(const Work* work, const View* view, uint32_t point, bool sides_matter) {
    Heard* heard = &work->heard[point];
    float nearest = as_seen(work, view, 0, sides_matter), sum = 0.0f;
    for (uint32_t i = 1; i < view->count; i++) {
        nearest = sn_minf(nearest, as_seen(work, view, i, sides_matter));
    }
    for (uint32_t i = 0; i < view->count; i++) {
        sum += sharpen(nearest / as_seen(work, view, i, sides_matter));
    }
    // Only the ratio of the two holds matters for the shares.
    float strength = view->distances[0] / nearest;
    for (uint32_t i = 0; i < view->count; i++) {
        float share = sharpen(nearest / as_seen(work, view, i, sides_matter)) / sum;
        if (share > 1e-4f)
            hear(heard, work->def->limbs->limbs[view->near[i]].joint, share * strength * strength);
    }
    return HOLD / ((double)nearest * (double)nearest);
}

static uint32_t nearest_of(const View* view) { return view->near[least_of(view->distances, view->count)]; }

static void own_points(void* context, uint32_t begin, uint32_t end, uint32_t worker) {
    const Work* work = context;
    View* view = &work->views[worker];
    for (uint32_t p = begin; p < end; p++) {
        list_near(work, p, view);
        find_near(work, p, view);
        sni_heap_clear(&view->next);
        double hold = share_out(work, view, p, false);
        hold = 0.5 * (hold + share_out(work, view, p, true));
        double area = work->def->areas[p];
        work->owners->limbs[p] = nearest_of(view);
        work->owners->holds[p] = area > 0.0 ? hold * area : 1.0;
    }
}

static bool lists_last(const Work* work, const View* view) {
    bool any = false;
    for (uint32_t i = 0; i < view->next.count && !any; i++) {
        any = work->def->limbs->limbs[view->next.items[i]].last;
    }
    return any;
}

// The same where only last limbs matter, and only what they own.
static void own_by_last(void* context, uint32_t begin, uint32_t end, uint32_t worker) {
    const Work* work = context;
    View* view = &work->views[worker];
    for (uint32_t p = begin; p < end; p++) {
        list_near(work, p, view);
        work->owners->limbs[p] = view->first;
        if (lists_last(work, view)) {
            find_near(work, p, view);
            work->owners->limbs[p] = nearest_of(view);
        }
        sni_heap_clear(&view->next);
    }
}

static void pack(const Work* work) {
    sniSources* sources = &work->owners->sources;
    uint32_t entry = 0;
    for (uint32_t p = 0; p < work->def->fine->point_count; p++) {
        const Heard* heard = &work->heard[p];
        float sum = 0.0f;
        for (uint32_t i = 0; i < heard->count; i++) sum += heard->shares[i];
        for (uint32_t i = 0; i < heard->count; i++) {
            sources->joints[entry] = heard->joints[i];
            sources->values[entry++] = heard->shares[i] / sum;
        }
        sources->starts[p + 1] = entry;
    }
}

static void fill_blocks(const sniLimbs* limbs, sniLookBlock* blocks) {
    for (uint32_t i = 0; i < count_blocks(limbs->count) * SNI_LOOK_LANES; i++) {
        sniLookBlock* block = &blocks[i / SNI_LOOK_LANES];
        const sniLimb* limb = &limbs->limbs[i < limbs->count ? i : 0]; // the last lanes repeat one
        snVec3 along = sn_sub(limb->tail, limb->head);
        float square = sn_dot(along, along);
        uint32_t k = i % SNI_LOOK_LANES;
        block->x[k] = limb->head.x, block->y[k] = limb->head.y, block->z[k] = limb->head.z;
        block->dx[k] = along.x, block->dy[k] = along.y, block->dz[k] = along.z;
        block->inverse[k] = square > FLT_MIN ? 1.0f / square : 0.0f;
        block->factor[k] = limb->factor;
    }
}

static bool make_views(Work* work, uint32_t workers, const snAllocator* memory) {
    size_t limbs = work->def->limbs->count, lanes = (size_t)count_blocks((uint32_t)limbs) * SNI_LOOK_LANES;
    work->blocks = SNI_NEW_ARRAY(memory, sniLookBlock, lanes / SNI_LOOK_LANES);
    work->views = SNI_NEW_ARRAY(memory, View, workers);
    work->floats = SNI_NEW_ARRAY(memory, float, workers*(lanes + limbs));
    work->numbers = SNI_NEW_ARRAY(memory, uint32_t, workers * limbs);
    if (work->blocks == NULL || work->views == NULL || work->floats == NULL || work->numbers == NULL)
        return false;
    fill_blocks(work->def->limbs, work->blocks);
    for (uint32_t w = 0; w < workers; w++) {
        float* floats = work->floats + w * (lanes + limbs);
        work->views[w] =
            (View){.straight = floats, .distances = floats + lanes, .near = work->numbers + w * limbs};
        if (!sni_heap_create(&work->views[w].next, (uint32_t)limbs, memory)) return false;
    }
    return true;
}

static void free_views(Work* work, uint32_t workers, const snAllocator* memory) {
    for (uint32_t w = 0; work->views != NULL && w < workers; w++) sni_heap_free(&work->views[w].next, memory);
    sni_free(memory, work->blocks);
    sni_free(memory, work->views);
    sni_free(memory, work->floats);
    sni_free(memory, work->numbers);
}

static uint32_t count_entries(const Work* work) {
    uint32_t entries = 0;
    for (uint32_t p = 0; p < work->def->fine->point_count; p++) entries += work->heard[p].count;
    return entries;
}

static uint32_t count_workers(const Work* work) {
    const snTasks* tasks = &work->def->bind->def->tasks;
    return tasks->enqueue != NULL ? tasks->workers : 1;
}

static bool find_owners(Work* work, sniOwners* owners) {
    const snTasks* tasks = &work->def->bind->def->tasks;
    const snAllocator* memory = &owners->allocator;
    uint32_t points = work->def->fine->point_count;
    owners->limbs = SNI_NEW_ARRAY(memory, uint32_t, points);
    owners->holds = SNI_NEW_ARRAY(memory, double, points);
    owners->sources.starts = SNI_NEW_ARRAY(memory, uint32_t, (size_t)points + 1);
    work->heard = SNI_NEW_ARRAY(memory, Heard, points);
    if (owners->limbs == NULL || owners->holds == NULL || owners->sources.starts == NULL ||
        work->heard == NULL || !make_views(work, count_workers(work), memory)) {
        return false;
    }
    sn_tasks_run(tasks, work->def->shrunk ? own_by_last : own_points, work, points, GRAIN);
    uint32_t entries = count_entries(work);
    owners->sources.joints = SNI_NEW_ARRAY(memory, uint16_t, entries);
    owners->sources.values = SNI_NEW_ARRAY(memory, float, entries);
    if (owners->sources.joints == NULL || owners->sources.values == NULL) return false;
    pack(work);
    return true;
}

snResult sni_owners_create(const sniOwnersDef* def, const snAllocator* allocator, sniOwners* out,
                           snError* error) {
    sniOwners owners = {.allocator = sni_allocator(allocator)};
    Work work = {.def = def,
                 .owners = &owners,
                 .kernels = kernels_of(def->bind->def->level),
                 .least_distance = 1e-4f * def->bind->surface->diagonal};
    if (!(work.least_distance > 0.0f)) work.least_distance = 1e-20f; // all points in one place
    bool enough = find_owners(&work, &owners);
    free_views(&work, count_workers(&work), &owners.allocator);
    sni_free(&owners.allocator, work.heard);
    if (enough) {
        *out = owners;
        return SN_RESULT_OK;
    }
    sni_owners_free(&owners);
    return sni_fail_memory(error);
}

void sni_owners_free(sniOwners* owners) {
    if (owners == NULL || owners->allocator.free == NULL) return;
    sni_free(&owners->allocator, owners->limbs);
    sni_free(&owners->allocator, owners->holds);
    sni_free(&owners->allocator, owners->sources.starts);
    sni_free(&owners->allocator, owners->sources.joints);
    sni_free(&owners->allocator, owners->sources.values);
    *owners = (sniOwners){0};
}
