// Bones for joints that stand where all their children stand.
//
// Motion files put several joints into one point: a chest, a neck and two shoulders; a wrist, a palm and a
// thumb. The upper one has no bone of its own, and all around it would belong to those below, although it is
// the one that moves without them: a chest that bends would be left to the neck. So it shares their bones: of
// a bone that begins where n such joints stand above its own, each gets an equal part, the upper ones nearest
// to the point they share. Last bones are not shared: their tails say little, and a joint that has nothing
// but those around it owns what lies behind them.
#include "base/error.h"
#include "base/memory.h"
#include "bind/bind.h"

typedef struct Share {
    sniBones* bones;
    const bool* leads; // per joint of the skeleton
    float shortest;
    bool* bare; // per joint that deforms: it has children here and no bone of any length
} Share;

static bool is_long(const Share* share, const sniBone* bone) {
    return sn_distance(bone->head, bone->tail) > share->shortest;
}

// The next joint above that shares bones which begin with `joint`, or SN_NONE.
static uint32_t sharer_above(const Share* share, uint32_t joint) {
    const sniBones* bones = share->bones;
    uint32_t above = bones->parents[joint];
    if (above == SN_NONE || !share->bare[above]) return SN_NONE;
    return sn_distance(bones->origins[above], bones->origins[joint]) <= share->shortest ? above : SN_NONE;
}

static void find_bare(const Share* share) {
    const sniBones* bones = share->bones;
    for (uint32_t j = 0; j < bones->joint_count; j++) {
        uint32_t above = bones->parents[j];
        if (above != SN_NONE && sn_distance(bones->origins[above], bones->origins[j]) <= share->shortest)
            share->bare[above] = true;
    }
    for (uint32_t b = 0; b < bones->bone_count; b++) {
        if (is_long(share, &bones->bones[b])) share->bare[bones->bones[b].joint] = false;
    }
}

// Whether the joints above share this bone at all.
static bool is_shared(const Share* share, const sniBone* bone) {
    bool leads_on = bone->end != SN_NONE && share->leads[bone->end];
    return leads_on && !bone->borrowed && is_long(share, bone) && sharer_above(share, bone->joint) != SN_NONE;
}

// Cuts a bone into the parts of those who share it and its own; returns how many others there are. `out`
// NULL: they are only counted.
static uint32_t split(const Share* share, sniBone* bone, sniBone* out) {
    uint32_t count = 0;
    if (!is_shared(share, bone)) return 0;
    for (uint32_t j = sharer_above(share, bone->joint); j != SN_NONE; j = sharer_above(share, j)) count++;
    if (out == NULL || count == 0) return count;
    snVec3 head = bone->head, tail = bone->tail;
    float parts = (float)(count + 1);
    bone->head = sn_lerp(head, tail, (float)count / parts);
    uint32_t part = count;
    for (uint32_t j = sharer_above(share, bone->joint); j != SN_NONE; j = sharer_above(share, j)) {
        part--;
        out[part] = (sniBone){.head = sn_lerp(head, tail, (float)part / parts),
                              .tail = sn_lerp(head, tail, (float)(part + 1) / parts),
                              .joint = j,
                              .start = share->bones->joints[j],
                              .end = bone->end};
    }
    return count;
}

static snResult run(const Share* share, snError* error) {
    sniBones* bones = share->bones;
    const snAllocator* memory = &bones->allocator;
    find_bare(share);
    size_t more = 0;
    for (uint32_t b = 0; b < bones->bone_count; b++) more += split(share, &bones->bones[b], NULL);
    if (more == 0) return SN_RESULT_OK;
    sniBone* all = SNI_NEW_ARRAY(memory, sniBone, bones->bone_count + more);
    if (all == NULL) return sni_fail_memory(error);
    memcpy(all, bones->bones, bones->bone_count * sizeof *all);
    uint32_t count = bones->bone_count;
    for (uint32_t b = 0; b < bones->bone_count; b++) count += split(share, &all[b], &all[count]);
    sni_free(memory, bones->bones);
    bones->bones = all;
    bones->bone_count = count;
    return SN_RESULT_OK;
}

snResult sni_bones_share(sniBones* bones, const bool* leads, float shortest, snError* error) {
    Share share = {.bones = bones,
                   .leads = leads,
                   .shortest = shortest,
                   .bare = SNI_NEW_ARRAY(&bones->allocator, bool, bones->joint_count)};
    snResult result = share.bare != NULL ? run(&share, error) : sni_fail_memory(error);
    sni_free(&bones->allocator, share.bare);
    return result;
}
