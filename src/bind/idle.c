// Joints that deform and got no weight: why, as far as the shape tells.
#include <stdio.h>

#include "base/error.h"
#include "base/memory.h"
#include "bind/auto.h"
#include "bind/bone_cells.h"

// Two joints of different chains within this part of the diagonal stand for the same thing. Judged.
#define SAME_SPOT 1e-3f
// Shorter, as part of the diagonal, is no length; that of bones.c.
#define NO_LENGTH 1e-5f
// Places on each bone at which the flesh around is asked whose it is.
#define SAMPLES 8

const char* sn_idle_reason_name(snIdleReason reason) {
    static const char* const names[] = {"dropped",   "far",   "outside", "other-chain",
                                        "no-length", "child", "inside"};
    return (uint32_t)reason < sizeof names / sizeof names[0] ? names[reason] : "unknown";
}

size_t sn_idle_text(const snIdleJoint* idle, const snSkeleton* skeleton, char* out, size_t capacity) {
    static const char* const words[] = {"its weights were too small to keep",
                                        "no piece of the mesh is near it",
                                        "outside the mesh",
                                        "stands on a joint of another chain",
                                        "its bone has no length",
                                        "a joint below it has the flesh around it",
                                        "inside the flesh of another joint"};
    if (capacity == 0) return 0;
    bool known = (uint32_t)idle->reason < sizeof words / sizeof words[0];
    bool other = idle->other < skeleton->joint_count;
    int length = snprintf(out, capacity, "%s%s%.60s", known ? words[idle->reason] : "unknown",
                          other ? ": " : "", other ? skeleton->names[idle->other] : "");
    return length < 0 ? 0 : (size_t)length < capacity ? (size_t)length : capacity - 1;
}

typedef struct Search {
    const sniBind* bind;
    const sniTop* points;
    const sniBoneCells* cells;
    sniNearest nearest;
    uint32_t* votes; // per joint that deforms
} Search;

static bool is_above(const sniBones* bones, uint32_t above, uint32_t joint) {
    while (joint != SN_NONE && joint != above) joint = bones->parents[joint];
    return joint == above;
}

// What was found for a joint before influences were cut.
static bool had_weight(const Search* s, uint32_t joint) {
    for (size_t i = 0; i < (size_t)s->points->count * SNI_TOP; i++) {
        if (s->points->joints[i] == joint && s->points->weights[i] >= SNI_LEAST_WEIGHT) return true;
    }
    return false;
}

// The joint that most of the surface nearest to the bones of `joint` follows, and how far that surface is at
// least.
static uint32_t find_owner(const Search* s, uint32_t joint, float* out_distance) {
    const sniBones* bones = s->bind->bones;
    uint32_t best = SN_NONE;
    float nearest = -1.0f;
    memset(s->votes, 0, bones->joint_count * sizeof *s->votes);
    for (uint32_t b = 0; b < bones->bone_count; b++) {
        const sniBone* bone = &bones->bones[b];
        if (bone->joint != joint) continue;
        for (uint32_t i = 0; i < SAMPLES; i++) {
            snVec3 p = sn_lerp(bone->head, bone->tail, ((float)i + 0.5f) / SAMPLES);
            uint32_t point = sni_nearest_find(&s->nearest, p);
            if (point == SN_NONE) continue;
            float distance = sn_distance(p, s->bind->surface->points[point]);
            if (nearest < 0.0f || distance < nearest) nearest = distance;
            if (s->points->weights[(size_t)point * SNI_TOP] > 0.0f)
                s->votes[s->points->joints[(size_t)point * SNI_TOP]]++;
        }
    }
    for (uint32_t j = 0; j < bones->joint_count; j++) {
        if (s->votes[j] > 0 && (best == SN_NONE || s->votes[j] > s->votes[best])) best = j;
    }
    *out_distance = nearest;
    return best;
}

// A joint of another chain at the same spot: a foot that an animator plants, and the foot.
static uint32_t find_double(const Search* s, uint32_t joint) {
    const sniBones* bones = s->bind->bones;
    float reach = SAME_SPOT * s->bind->surface->diagonal;
    for (uint32_t j = 0; j < bones->joint_count; j++) {
        if (bones->parents[j] == bones->parents[joint] || is_above(bones, j, joint) ||
            is_above(bones, joint, j))
            continue;
        if (sn_distance(bones->origins[j], bones->origins[joint]) <= reach) return j;
    }
    return SN_NONE;
}

static snIdleReason reason_of(const Search* s, uint32_t joint, uint32_t* other) {
    const sniBones* bones = s->bind->bones;
    bool outside = true;
    float length = 0.0f, distance = 0.0f;
    *other = SN_NONE;
    for (uint32_t b = 0; b < bones->bone_count; b++) {
        if (bones->bones[b].joint != joint) continue;
        outside = outside && s->cells->starts[b] == s->cells->starts[b + 1];
        length = sn_maxf(length, sn_distance(bones->bones[b].head, bones->bones[b].tail));
    }
    if (had_weight(s, joint)) return SN_IDLE_DROPPED;
    uint32_t owner = find_owner(s, joint, &distance);
    if (outside && distance > sn_maxf(length, s->bind->lattice->cell_size)) return SN_IDLE_FAR;
    if (outside) return SN_IDLE_OUTSIDE;
    *other = find_double(s, joint);
    if (*other != SN_NONE) return SN_IDLE_OTHER_CHAIN;
    *other = owner;
    if (!(length > NO_LENGTH * s->bind->surface->diagonal)) return SN_IDLE_NO_LENGTH;
    return owner != SN_NONE && is_above(bones, joint, owner) ? SN_IDLE_CHILD : SN_IDLE_INSIDE;
}

static snResult run(Search* s, snBindReport* report, snError* error) {
    const sniSurface* surface = s->bind->surface;
    const sniBones* bones = s->bind->bones;
    const snAllocator* memory = &s->bind->allocator;
    SNI_TRY(sni_nearest_create(surface->points, surface->point_count, NULL, memory, &s->nearest, error));
    s->votes = SNI_NEW_ARRAY(memory, uint32_t, bones->joint_count);
    report->idle_joints = SNI_NEW_ARRAY(&report->allocator, snIdleJoint, report->joints_without_weight_count);
    if (s->votes == NULL || report->idle_joints == NULL) return sni_fail_memory(error);
    uint32_t at = 0;
    for (uint32_t j = 0; j < bones->joint_count && at < report->joints_without_weight_count; j++) {
        if (bones->joints[j] != report->joints_without_weight[at]) continue;
        uint32_t other;
        snIdleReason reason = reason_of(s, j, &other);
        report->idle_joints[at++] =
            (snIdleJoint){bones->joints[j], reason, other != SN_NONE ? bones->joints[other] : SN_NONE};
    }
    return SN_RESULT_OK;
}

snResult sni_idle_find(const sniBind* bind, const sniTop* points, const sniBoneCells* cells,
                       snBindReport* report, snError* error) {
    if (report->joints_without_weight_count == 0) return SN_RESULT_OK;
    Search search = {.bind = bind, .points = points, .cells = cells};
    snResult result = run(&search, report, error);
    sni_nearest_free(&search.nearest);
    sni_free(&bind->allocator, search.votes);
    return result;
}
