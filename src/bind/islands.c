// Pieces of the surface that move as one, or with another piece.
#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "bind/auto.h"

// Samples of a limb that make a visit more than a touch. Of the nine characters of `make quality` only
// RobotExpressive, with balls for joints, depends on it.
#define LEAST_INSIDE SNI_TUNED(LEAST_INSIDE, 2)
// Size of the ball of a joint, as part of the bones that meet in it.
#define BALL SNI_TUNED(BALL, 0.5f)
// How firmly a point without a bone holds to its host against its neighbours; as in owners.c.
#define HOLD SNI_TUNED(PERCH_HOLD, 4.0)
// Closer than this part of the whole, a point touches. Points are as far apart as the mesh has them, and
// a gap below this says nothing.
#define LEAST_GAP SNI_TUNED(LEAST_GAP, 0.01f)
// The part of a small piece that must lie inside another to be in it rather than on it. Judged.
#define ENCLOSED SNI_TUNED(ENCLOSED, 0.5f)
// What is in a socket stays off a hinge where the joint above has at least this part of the hinge's share.
// Judged.
#define HINGE SNI_TUNED(HINGE, 0.5f)

typedef enum Kind { BLENDS, RIGID, FOLLOWS } Kind;

typedef struct Island {
    snBounds bounds;
    Kind kind;
    uint32_t joint;        // of a rigid one
    uint32_t first, count; // its points
} Island;

typedef struct Work {
    const sniBind* bind;
    const sniFineSurface* fine;
    const sniLaplacian* laplacian;
    const sniLimbs* limbs;
    const sniHomes* homes;
    sniTop* points;
    Island* islands;
    uint32_t* members;       // points by piece
    bool* hosts;             // per point: whether pieces may sit on it
    bool *follows, *is_root; // per piece
    bool* ends;              // per joint: whether it holds flesh beyond all that hang on it
    uint32_t* roots;         // per piece that follows
    float* depths;           // per piece that follows: the part of it that is inside its root
    sniPerch* perches;       // per point of a piece that follows, in the order of `members`
    sniMix mix;
} Work;

static uint32_t owner_of(const Work* work, const sniVisit* visit) {
    return work->limbs->limbs[visit->limb].joint;
}

// ------------------------------------------------------------------------------------------ what it is

// The one joint whose limbs count here, SN_NONE when there are several or none; `count` says 0, 1 or 2.
static uint32_t only_joint(const Work* work, uint32_t component, uint32_t* count) {
    uint32_t joint = SN_NONE;
    *count = 0;
    for (uint32_t i = work->homes->starts[component]; i < work->homes->starts[component + 1]; i++) {
        const sniVisit* visit = &work->homes->visits[i];
        if (!sni_visit_counts(visit, work->limbs) || owner_of(work, visit) == joint) continue;
        joint = owner_of(work, visit);
        if (++*count == 2) return SN_NONE;
    }
    return joint;
}

// A small piece that bones only pass, none of them at home for half its length, is the cap of the bone that
// ends in it: the ball of a robot's joint goes with the upper part. At most two joints may meet there.
static uint32_t capped_joint(const Work* work, uint32_t component) {
    const sniVisit* best = NULL;
    uint32_t joints[2] = {SN_NONE, SN_NONE};
    for (uint32_t i = work->homes->starts[component]; i < work->homes->starts[component + 1]; i++) {
        const sniVisit* visit = &work->homes->visits[i];
        if (visit->home * 2 >= SNI_HOME_SAMPLES) return SN_NONE;
        if (visit->inside < LEAST_INSIDE) continue;
        uint32_t joint = owner_of(work, visit), at = 0;
        while (at < 2 && joints[at] != joint && joints[at] != SN_NONE) at++;
        if (at == 2) return SN_NONE;
        joints[at] = joint;
        bool longer = best != NULL && visit->ends == best->ends && visit->inside > best->inside;
        if (best == NULL || visit->ends > best->ends || longer) best = visit;
    }
    return best != NULL ? owner_of(work, best) : SN_NONE;
}

static bool is_small(const Work* work, const Island* island) {
    return sn_bounds_diagonal(island->bounds) < SNI_SMALL_PIECE * work->bind->surface->diagonal;
}

// Small beside the bones that meet in it, as the ball of a joint is.
static bool is_ball(const Work* work, uint32_t component) {
    snVec3 sides = sn_sub(work->islands[component].bounds.max, work->islands[component].bounds.min);
    float size = sn_maxf(sides.x, sn_maxf(sides.y, sides.z));
    for (uint32_t i = work->homes->starts[component]; i < work->homes->starts[component + 1]; i++) {
        const sniVisit* visit = &work->homes->visits[i];
        const sniLimb* limb = &work->limbs->limbs[visit->limb];
        if (visit->inside >= LEAST_INSIDE && size > BALL * sn_distance(limb->head, limb->tail)) return false;
    }
    return true;
}

static void classify(Work* work) {
    bool any_host = false;
    for (uint32_t c = 0; c < work->bind->surface->component_count; c++) {
        Island* island = &work->islands[c];
        uint32_t count, joint = only_joint(work, c, &count);
        if (!SNI_RULE(rigid)) joint = SN_NONE;
        uint32_t cap = is_small(work, island) || is_ball(work, c) ? capped_joint(work, c) : SN_NONE;
        if (SNI_RULE(caps) && cap != SN_NONE) joint = cap;
        island->joint = joint;
        island->kind = joint != SN_NONE ? RIGID : count > 0 || !SNI_RULE(follow) ? BLENDS : FOLLOWS;
        any_host = any_host || count > 0;
    }
    // Where no piece holds a bone there is nobody to follow.
    for (uint32_t c = 0; c < work->bind->surface->component_count && !any_host; c++) {
        if (work->islands[c].kind == FOLLOWS) work->islands[c].kind = BLENDS;
    }
}

// --------------------------------------------------------------------------------------------- weights

static void list_members(Work* work) {
    const sniFineSurface* fine = work->fine;
    uint32_t components = work->bind->surface->component_count, first = 0;
    for (uint32_t c = 0; c < components; c++) work->islands[c].bounds = sn_bounds_empty();
    for (uint32_t p = 0; p < fine->point_count; p++) {
        Island* island = &work->islands[fine->components[p]];
        island->bounds = sn_bounds_add(island->bounds, fine->points[p]);
        island->count++;
    }
    for (uint32_t c = 0; c < components; c++) {
        work->islands[c].first = first;
        first += work->islands[c].count;
        work->islands[c].count = 0;
    }
    for (uint32_t p = 0; p < fine->point_count; p++) {
        Island* island = &work->islands[fine->components[p]];
        work->members[island->first + island->count++] = p;
    }
}

static void make_rigid(Work* work, const Island* island) {
    for (uint32_t m = 0; m < island->count; m++) {
        uint32_t point = work->members[island->first + m];
        sni_top_clear(work->points, point);
        sni_top_add(work->points, point, island->joint, 1.0f);
    }
}

// Where the points of a piece sit, and how firmly: what touches its host is held by it, and what is away from
// it by how much farther it is than what touches.
static void find_perches(Work* work, const Island* island, const sniNearest* nearest) {
    const sniFineSurface* fine = work->fine;
    float closest = INFINITY, least = LEAST_GAP * work->bind->surface->diagonal;
    bool rooted = work->roots[fine->components[work->members[island->first]]] != SN_NONE;
    for (uint32_t m = 0; m < island->count; m++) {
        sniPerch* perch = &work->perches[island->first + m];
        perch->point = work->members[island->first + m];
        perch->host = sni_nearest_find(nearest, fine->points[perch->point]);
        closest = sn_minf(closest, sn_distance(fine->points[perch->point], fine->points[perch->host]));
    }
    closest = sn_maxf(closest, least);
    for (uint32_t m = 0; m < island->count; m++) {
        sniPerch* perch = &work->perches[island->first + m];
        float gap = sn_maxf(sn_distance(fine->points[perch->point], fine->points[perch->host]), closest);
        double area = work->laplacian->areas[perch->point], nearness = (double)(closest / gap);
        if (rooted) nearness *= nearness; // what lies outside its root is hardly held by it
        perch->hold = area > 0.0 ? HOLD * area / ((double)gap * (double)gap) * nearness * nearness : 1e-12;
    }
}

// Which joints hold flesh beyond all that hang on them: a head with a jaw has a crown.
static void mark_ends(Work* work) {
    for (uint32_t l = 0; l < work->limbs->count; l++) {
        if (work->limbs->limbs[l].last) work->ends[work->limbs->limbs[l].joint] = true;
    }
}

// What lies in a socket beside a hinge stays with the joint on which the hinge hangs: eyes are no part of the
// jaw, however near it is. Where both hold about as much, that joint takes what the hinge has. Joints come
// parents first, so the lowest give first.
static void stay_off_hinges(Work* work) {
    float* shares = work->mix.values;
    for (uint32_t joint = work->bind->bones->joint_count; joint-- > 0;) {
        uint32_t stem = work->bind->bones->parents[joint];
        if (stem == SN_NONE || !work->ends[stem] || !(shares[joint] > 0.0f)) continue;
        if (shares[stem] < HINGE * shares[joint]) continue;
        shares[stem] += shares[joint];
        shares[joint] = 0.0f;
    }
}

// A small piece moves as one, with the mean of what it sits on.
static void sit(Work* work, const Island* island) {
    uint32_t first = work->members[island->first];
    bool enclosed = work->roots[work->fine->components[first]] != SN_NONE;
    double sum = 0.0;
    for (uint32_t m = 0; m < island->count; m++) sum += work->perches[island->first + m].hold;
    for (uint32_t m = 0; m < island->count; m++) {
        const sniPerch* perch = &work->perches[island->first + m];
        sni_mix_add_item(&work->mix, work->points, perch->host, (float)(perch->hold / sum));
    }
    if (SNI_RULE(hinges) && enclosed) stay_off_hinges(work);
    sni_top_clear(work->points, first);
    sni_mix_flush(&work->mix, work->points, first);
    for (uint32_t m = 1; m < island->count; m++) {
        sni_top_copy(work->points, work->members[island->first + m], work->points, first);
    }
}

static int compare_perches(const void* a, const void* b) {
    uint32_t x = ((const sniPerch*)a)->point, y = ((const sniPerch*)b)->point;
    return (x > y) - (x < y);
}

// Finds the hosts of all pieces that follow and are rooted in `root`; SN_NONE: in none.
static snResult perch_all(Work* work, uint32_t root, snError* error) {
    const sniFineSurface* fine = work->fine;
    sniNearest nearest = {0};
    for (uint32_t p = 0; p < fine->point_count; p++) {
        uint32_t piece = fine->components[p];
        work->hosts[p] = root == SN_NONE ? work->islands[piece].kind != FOLLOWS : piece == root;
    }
    SNI_TRY(sni_nearest_create(fine->points, fine->point_count, work->hosts, &work->bind->allocator, &nearest,
                               error));
    for (uint32_t c = 0; c < work->bind->surface->component_count; c++) {
        const Island* island = &work->islands[c];
        if (island->kind == FOLLOWS && work->roots[c] == root) find_perches(work, island, &nearest);
    }
    sni_nearest_free(&nearest);
    return SN_RESULT_OK;
}

static snResult find_hosts(Work* work, snError* error) {
    uint32_t pieces = work->bind->surface->component_count;
    for (uint32_t c = 0; c < pieces; c++) work->follows[c] = work->islands[c].kind == FOLLOWS;
    SNI_TRY(sni_roots_find(work->bind->surface, work->follows, &work->bind->allocator, work->roots,
                           work->depths, error));
    // An eye is in its socket. A button that is pressed into a coat sits where it sits.
    for (uint32_t c = 0; c < pieces; c++) {
        if (is_small(work, &work->islands[c]) && work->depths[c] < ENCLOSED) work->roots[c] = SN_NONE;
    }
    SNI_TRY(perch_all(work, SN_NONE, error));
    for (uint32_t c = 0; c < pieces; c++) work->is_root[c] = false;
    for (uint32_t c = 0; c < pieces; c++) {
        if (work->follows[c] && work->roots[c] != SN_NONE) work->is_root[work->roots[c]] = true;
    }
    for (uint32_t c = 0; c < pieces; c++) {
        if (work->is_root[c]) SNI_TRY(perch_all(work, c, error));
    }
    return SN_RESULT_OK;
}

static snResult follow(Work* work, snError* error) {
    uint32_t count = 0;
    for (uint32_t c = 0; c < work->bind->surface->component_count; c++) {
        const Island* island = &work->islands[c];
        if (island->kind != FOLLOWS) continue;
        work->bind->report->following_pieces++;
        if (SNI_RULE(sit) && is_small(work, island)) {
            sit(work, island);
            continue;
        }
        memmove(work->perches + count, work->perches + island->first, island->count * sizeof *work->perches);
        count += island->count;
    }
    qsort(work->perches, count, sizeof *work->perches, compare_perches);
    return sni_attach(work->bind, work->laplacian, work->perches, count, work->points, error);
}

static snResult follow_all(Work* work, snError* error) {
    bool any = false;
    for (uint32_t c = 0; c < work->bind->surface->component_count && !any; c++) {
        any = work->islands[c].kind == FOLLOWS;
    }
    if (!any) return SN_RESULT_OK;
    SNI_TRY(find_hosts(work, error));
    return follow(work, error);
}

static snResult apply(Work* work, snError* error) {
    list_members(work);
    mark_ends(work);
    classify(work);
    sni_top_normalize(work->points);
    for (uint32_t c = 0; c < work->bind->surface->component_count; c++) {
        if (work->islands[c].kind == RIGID) make_rigid(work, &work->islands[c]);
    }
    return follow_all(work, error);
}

snResult sni_islands_apply(const sniBind* bind, const sniFineSurface* fine, const sniLaplacian* laplacian,
                           const sniLimbs* limbs, const sniHomes* homes, sniTop* points, snError* error) {
    if (homes->starts == NULL) return SN_RESULT_OK;
    const snAllocator* memory = &bind->allocator;
    Work work = {
        .bind = bind, .fine = fine, .laplacian = laplacian, .limbs = limbs, .homes = homes, .points = points};
    snResult result = sni_mix_create(bind->bones->joint_count, memory, &work.mix, error);
    if (result != SN_RESULT_OK) return result;
    work.islands = SNI_NEW_ARRAY(memory, Island, bind->surface->component_count);
    work.members = SNI_NEW_ARRAY(memory, uint32_t, fine->point_count);
    work.hosts = SNI_NEW_ARRAY(memory, bool, fine->point_count);
    work.perches = SNI_NEW_ARRAY(memory, sniPerch, fine->point_count);
    work.follows = SNI_NEW_ARRAY(memory, bool, bind->surface->component_count);
    work.is_root = SNI_NEW_ARRAY(memory, bool, bind->surface->component_count);
    work.ends = SNI_NEW_ARRAY(memory, bool, bind->bones->joint_count);
    work.roots = SNI_NEW_ARRAY(memory, uint32_t, bind->surface->component_count);
    work.depths = SNI_NEW_ARRAY(memory, float, bind->surface->component_count);
    if (work.islands != NULL && work.members != NULL && work.hosts != NULL && work.perches != NULL &&
        work.follows != NULL && work.is_root != NULL && work.ends != NULL && work.roots != NULL &&
        work.depths != NULL)
        result = apply(&work, error);
    else
        result = sni_fail_memory(error);
    sni_mix_free(&work.mix, memory);
    sni_free(memory, work.islands);
    sni_free(memory, work.members);
    sni_free(memory, work.hosts);
    sni_free(memory, work.perches);
    sni_free(memory, work.follows);
    sni_free(memory, work.is_root);
    sni_free(memory, work.ends);
    sni_free(memory, work.roots);
    sni_free(memory, work.depths);
    return result;
}
