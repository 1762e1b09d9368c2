// Which source joint drives which target joint. Chains of one role and side meet as wholes: the target's
// joints take, by arc length, their part of the way that the source's chain turns.
#include "base/error.h"
#include "base/memory.h"
#include "retarget/body_frame.h"

enum { MAX_CHAIN = 32 };
// Labels that are no surer were found by structure, or by names that say little.
#define STRUCTURE_AT_MOST 0.6f

typedef struct Chain {
    uint32_t count;
    uint32_t joints[MAX_CHAIN];
    float ends[MAX_CHAIN]; // how far along the chain the bone of each joint ends, 0..1; the last is 1
} Chain;

static void measure_chain(const sniBody* body, Chain* chain) {
    float length = 0.0f;
    for (uint32_t i = 0; i < chain->count; i++) {
        const snVec3* points = body->tree.points;
        snVec3 end = points[chain->joints[i]];
        if (i + 1 < chain->count)
            end = points[chain->joints[i + 1]];
        else
            sni_body_bone_end(body, chain->joints[i], &end);
        length += sn_distance(points[chain->joints[i]], end);
        chain->ends[i] = length;
    }
    for (uint32_t i = 0; i < chain->count; i++) {
        bool last = i + 1 == chain->count;
        if (last || !(length > 0.0f))
            chain->ends[i] = (float)(i + 1) / (float)chain->count;
        else
            chain->ends[i] /= length;
    }
}

static void append_chain(const sniBody* body, snRole role, snSide side, Chain* chain) {
    for (uint32_t index = 0; chain->count < MAX_CHAIN; index++) {
        uint32_t joint = sni_body_chain_joint(body, role, side, index);
        if (joint == SN_NONE) break;
        chain->joints[chain->count++] = joint;
    }
}

static Chain find_chain(const sniBody* body, snRole role, snSide side) {
    Chain chain = {0};
    append_chain(body, role, side, &chain);
    measure_chain(body, &chain);
    return chain;
}

// The labelled joint of the body before a joint; SN_NONE above the hips.
static uint32_t labelled_above(const sniBody* body, uint32_t joint) {
    uint32_t j = body->skeleton->parents[joint];
    while (j != SN_NONE && (body->labels[j].role == SN_ROLE_NONE || body->labels[j].twist))
        j = body->skeleton->parents[j];
    return j != SN_NONE && body->labels[j].role != SN_ROLE_ROOT ? j : SN_NONE;
}

// The pair that sits at `u` of the source's chain.
static snJointPair pair_at(const sniBody* source, const Chain* chain, float u) {
    uint32_t k = 0;
    while (k + 1 < chain->count && u > chain->ends[k]) k++;
    float begin = k > 0 ? chain->ends[k - 1] : 0.0f;
    float length = chain->ends[k] - begin;
    snJointPair pair = {
        chain->joints[k], k > 0 ? chain->joints[k - 1] : labelled_above(source, chain->joints[0]),
        length > 0.0f ? sn_clampf((u - begin) / length, 0.0f, 1.0f) : 1.0f, 0.0f, SN_PAIRING_NONE};
    return pair;
}

static void pair_chains(const sniBody* source, const Chain* from, const sniBody* target, const Chain* to,
                        snJointPair* pairs) {
    if (from->count == 0) return;
    for (uint32_t i = 0; i < to->count; i++) {
        snJointPair pair;
        if (from->count == to->count)
            pair = (snJointPair){from->joints[i],
                                 i > 0 ? from->joints[i - 1] : labelled_above(source, from->joints[0]), 1.0f,
                                 0.0f, SN_PAIRING_NONE};
        else
            pair = pair_at(source, from, to->ends[i]);
        const snLabel *theirs = &source->labels[pair.source], *ours = &target->labels[to->joints[i]];
        pair.confidence = sn_minf(theirs->confidence, ours->confidence);
        pair.how = theirs->role != ours->role            ? SN_PAIRING_STAND_IN
                   : pair.confidence > STRUCTURE_AT_MOST ? SN_PAIRING_ROLE
                                                         : SN_PAIRING_STRUCTURE;
        pairs[to->joints[i]] = pair;
    }
}

// A neck on one side only: neck and head of the target together follow the source's head.
static void pair_heads(const sniBody* source, const sniBody* target, snJointPair* pairs) {
    Chain neck = find_chain(source, SN_ROLE_NECK, SN_SIDE_NONE);
    Chain head = find_chain(source, SN_ROLE_HEAD, SN_SIDE_NONE);
    Chain to = find_chain(target, SN_ROLE_NECK, SN_SIDE_NONE);
    Chain to_head = find_chain(target, SN_ROLE_HEAD, SN_SIDE_NONE);
    if (neck.count > 0 && to_head.count > 0) {
        pair_chains(source, &neck, target, &to, pairs);
        pair_chains(source, &head, target, &to_head, pairs);
        return;
    }
    append_chain(target, SN_ROLE_HEAD, SN_SIDE_NONE, &to);
    measure_chain(target, &to);
    pair_chains(source, head.count > 0 ? &head : &neck, target, &to, pairs);
}

// A finger that the source has not follows its nearest neighbour: one bone often stands for all of them.
static Chain find_finger(const sniBody* source, snRole role, snSide side) {
    static const snRole order[4][4] = {{SN_ROLE_INDEX, SN_ROLE_MIDDLE, SN_ROLE_RING, SN_ROLE_LITTLE},
                                       {SN_ROLE_MIDDLE, SN_ROLE_INDEX, SN_ROLE_RING, SN_ROLE_LITTLE},
                                       {SN_ROLE_RING, SN_ROLE_MIDDLE, SN_ROLE_LITTLE, SN_ROLE_INDEX},
                                       {SN_ROLE_LITTLE, SN_ROLE_RING, SN_ROLE_MIDDLE, SN_ROLE_INDEX}};
    for (int i = 0; i < 4; i++) {
        Chain chain = find_chain(source, order[role - SN_ROLE_INDEX][i], side);
        if (chain.count > 0) return chain;
    }
    return (Chain){0};
}

static void pair_roles(const sniBody* source, const sniBody* target, snJointPair* pairs) {
    for (int r = SN_ROLE_HIPS; r < SN_ROLE_COUNT; r++) {
        snRole role = (snRole)r;
        if (role == SN_ROLE_NECK || role == SN_ROLE_HEAD) continue;
        for (int s = SN_SIDE_NONE; s <= SN_SIDE_RIGHT; s++) {
            snSide side = (snSide)s;
            Chain to = find_chain(target, role, side);
            if (to.count == 0) continue;
            bool finger = role >= SN_ROLE_INDEX && role <= SN_ROLE_LITTLE;
            Chain from = finger ? find_finger(source, role, side) : find_chain(source, role, side);
            pair_chains(source, &from, target, &to, pairs);
        }
    }
    pair_heads(source, target, pairs);
}

// Joints beside a chain: palms and toes move as the first of them, twist helpers as their limb, and fingers
// that hang from the forearm follow the hand where the source has no such finger.
static void pair_followers(const sniBody* source, const sniBody* target, snJointPair* pairs) {
    for (uint32_t i = 0; i < target->skeleton->joint_count; i++) {
        uint32_t j = target->skeleton->order[i];
        const snLabel* label = &target->labels[j];
        if (pairs[j].source != SN_NONE || label->role == SN_ROLE_NONE || label->role == SN_ROLE_ROOT)
            continue;
        uint32_t leader =
            sni_body_chain_joint(target, label->role, label->side, label->twist ? 0 : label->index);
        bool finger = label->role >= SN_ROLE_THUMB && label->role <= SN_ROLE_LITTLE;
        uint32_t above = labelled_above(target, j);
        if (finger && above != SN_NONE && target->labels[above].role == SN_ROLE_LOWER_ARM) {
            Chain hand = find_chain(source, SN_ROLE_HAND, label->side);
            if (hand.count == 0) continue;
            pairs[j] = pair_at(source, &hand, 1.0f);
            pairs[j].confidence = 0.5f;
            pairs[j].how = SN_PAIRING_STAND_IN;
        } else if (leader != SN_NONE && leader != j) {
            pairs[j] = pairs[leader];
            if (pairs[j].source != SN_NONE) pairs[j].how = SN_PAIRING_STAND_IN;
        }
    }
}

// What a body does with legs it walks on means nothing to free arms: they stay as they rest.
static void leave_arms(const sniBody* target, snJointPair* pairs) {
    for (uint32_t j = 0; j < target->skeleton->joint_count; j++) {
        snRole role = target->labels[j].role;
        if (role >= SN_ROLE_SHOULDER && role <= SN_ROLE_LITTLE)
            pairs[j] = (snJointPair){SN_NONE, SN_NONE, 0.0f, 0.0f, SN_PAIRING_NONE};
    }
}

// ------------------------------------------------------------------------------------------------- names

// The n-th joint of that name, counting from 0.
static uint32_t find_nth(const snSkeleton* skeleton, const char* name, uint32_t nth) {
    for (uint32_t j = 0; j < skeleton->joint_count; j++) {
        if (strcmp(skeleton->names[j], name) == 0 && nth-- == 0) return j;
    }
    return SN_NONE;
}

static uint32_t same_name(const snSkeleton* source, const snSkeleton* target, uint32_t joint) {
    const char* name = target->names[joint];
    if (name[0] == '\0') return SN_NONE;
    uint32_t nth = 0;
    for (uint32_t j = 0; j < joint; j++) nth += strcmp(target->names[j], name) == 0 ? 1 : 0;
    return find_nth(source, name, nth);
}

// 0..1: how much the two skeletons share names; 1 only for the same names on both sides.
static float name_share(const snSkeleton* source, const snSkeleton* target) {
    uint32_t hits = 0;
    for (uint32_t j = 0; j < target->joint_count; j++)
        hits += same_name(source, target, j) != SN_NONE ? 1 : 0;
    uint32_t most = source->joint_count > target->joint_count ? source->joint_count : target->joint_count;
    return most > 0 ? (float)hits / (float)most : 0.0f;
}

static void pair_names(const snSkeleton* source, const snSkeleton* target, snJointPair* pairs) {
    for (uint32_t j = 0; j < target->joint_count; j++) {
        uint32_t joint = same_name(source, target, j);
        bool found = joint != SN_NONE;
        pairs[j] = (snJointPair){joint, SN_NONE, 1.0f, found ? 1.0f : 0.0f,
                                 found ? SN_PAIRING_NAME : SN_PAIRING_NONE};
    }
}

// The same joints in the same tree, named or not.
static bool same_tree(const snSkeleton* source, const snSkeleton* target) {
    if (source->joint_count != target->joint_count) return false;
    for (uint32_t j = 0; j < target->joint_count; j++) {
        if (source->parents[j] != target->parents[j] || strcmp(source->names[j], target->names[j]) != 0)
            return false;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------- map

// All joints in one point: names without a body.
static bool is_a_point(const sniBody* body) {
    const snVec3* points = body->tree.points;
    for (uint32_t j = 1; j < body->skeleton->joint_count; j++) {
        if (sn_distance(points[0], points[j]) > 1e-6f * sn_length(points[0])) return false;
    }
    return true;
}

static void count_matched(snJointMap* map) {
    map->matched = 0;
    for (uint32_t j = 0; j < map->target_count; j++) map->matched += map->pairs[j].source != SN_NONE ? 1 : 0;
}

static void fill_map(snJointMap* map, const sniBody* source, const sniBody* target) {
    for (uint32_t j = 0; j < map->target_count; j++)
        map->pairs[j] = (snJointPair){SN_NONE, SN_NONE, 0.0f, 0.0f, SN_PAIRING_NONE};
    pair_roles(source, target, map->pairs);
    pair_followers(source, target, map->pairs);
    map->arms_left = sni_body_walks_on_arms(source) && !sni_body_walks_on_arms(target) &&
                     target->first[SN_ROLE_UPPER_ARM][SN_SIDE_LEFT] != SN_NONE;
    if (map->arms_left) leave_arms(target, map->pairs);
    sni_joint_map_confidence(map, source, target);
    // The same rig, or one of the same make whose parts have no names of a body: names are the better
    // witness.
    float names = name_share(source->skeleton, target->skeleton);
    if (names >= 1.0f || (names >= SN_JOINT_MAP_USABLE && names > map->confidence)) {
        pair_names(source->skeleton, target->skeleton, map->pairs);
        map->confidence = names;
        map->missing = 0;
        map->arms_left = false;
        map->posture = 1.0f;
    }
    bool same = same_tree(source->skeleton, target->skeleton) && is_a_point(source) == is_a_point(target);
    for (uint32_t j = 0; same && j < map->target_count; j++)
        map->pairs[j] = (snJointPair){j, SN_NONE, 1.0f, 1.0f, SN_PAIRING_NAME};
    // Names alone do not fit a motion to a body that has no size.
    if (same) {
        map->confidence = map->posture = 1.0f;
        map->missing = 0;
        map->arms_left = false;
    } else if (is_a_point(source) || is_a_point(target)) {
        map->confidence = 0.0f;
    }
    count_matched(map);
}

snResult sn_joint_map_create(const snSkeleton* source, const snSkeleton* target, const snAllocator* allocator,
                             snJointMap** out, snError* error) {
    if (source == NULL || target == NULL || out == NULL)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "two skeletons and an output are needed");
    snAllocator memory = sni_allocator(allocator);
    sniBody bodies[2] = {0};
    snJointMap* map = SNI_NEW(&memory, snJointMap);
    if (map != NULL) {
        map->allocator = memory;
        map->source_count = source->joint_count;
        map->target_count = target->joint_count;
        map->pairs = SNI_NEW_ARRAY(&memory, snJointPair, target->joint_count);
    }
    snResult result = map != NULL && map->pairs != NULL ? SN_RESULT_OK : SN_RESULT_OUT_OF_MEMORY;
    if (result == SN_RESULT_OK) result = sni_body_create(&bodies[0], source, &memory);
    if (result == SN_RESULT_OK) result = sni_body_create(&bodies[1], target, &memory);
    if (result == SN_RESULT_OK) fill_map(map, &bodies[0], &bodies[1]);
    sni_body_destroy(&bodies[0], &memory);
    sni_body_destroy(&bodies[1], &memory);
    if (result != SN_RESULT_OK) {
        sn_joint_map_destroy(map);
        return sni_fail_labels(error, result);
    }
    *out = map;
    return SN_RESULT_OK;
}

void sn_joint_map_destroy(snJointMap* map) {
    if (map == NULL) return;
    snAllocator memory = map->allocator;
    sni_free(&memory, map->pairs);
    sni_free(&memory, map);
}

const char* sn_pairing_name(snPairing pairing) {
    static const char* const names[] = {"none", "given", "name", "role", "structure", "stand-in"};
    return (unsigned)pairing < sizeof names / sizeof names[0] ? names[pairing] : "none";
}

// `out` stays SN_NONE where the skeleton ("source", "target") has no such joint.
static snResult find_named(const snJointMap* map, const snSkeleton* skeleton, const char* whose,
                           const char* name, uint32_t* out, snError* error) {
    snJointNames* names = NULL;
    SNI_TRY(sn_joint_names_create(skeleton, &map->allocator, &names, error));
    *out = sn_joint_names_find(names, name);
    sn_joint_names_destroy(names);
    if (*out != SN_NONE) return SN_RESULT_OK;
    return sni_fail(error, SN_RESULT_NOT_FOUND, "the %s has no joint \"%.100s\"", whose, name);
}

// Arms that are given a source do not stay at rest.
static snResult see_arms(snJointMap* map, const snSkeleton* target, uint32_t joint, snError* error) {
    snLabel* labels = SNI_NEW_ARRAY(&map->allocator, snLabel, target->joint_count);
    if (labels == NULL) return sni_fail_memory(error);
    snResult result = sn_skeleton_label(target, &map->allocator, labels);
    snRole role = result == SN_RESULT_OK ? labels[joint].role : SN_ROLE_NONE;
    if (role >= SN_ROLE_SHOULDER && role <= SN_ROLE_LITTLE) map->arms_left = false;
    sni_free(&map->allocator, labels);
    return result == SN_RESULT_OK ? result : sni_fail_labels(error, result);
}

snResult sn_joint_map_set(snJointMap* map, const snSkeleton* source, const snSkeleton* target,
                          const char* source_name, const char* target_name, snError* error) {
    if (map == NULL || source == NULL || target == NULL || target_name == NULL ||
        map->source_count != source->joint_count || map->target_count != target->joint_count) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT,
                        "a map, its two skeletons and a target joint are needed");
    }
    uint32_t to = SN_NONE, from = SN_NONE;
    snResult result = find_named(map, target, "target", target_name, &to, error);
    if (result == SN_RESULT_OK && source_name != NULL && source_name[0] != '\0')
        result = find_named(map, source, "source", source_name, &from, error);
    if (result != SN_RESULT_OK) return result;
    bool driven = from != SN_NONE;
    if (driven && map->arms_left) SNI_TRY(see_arms(map, target, to, error));
    map->pairs[to] =
        (snJointPair){from, SN_NONE, 1.0f, driven ? 1.0f : 0.0f, driven ? SN_PAIRING_GIVEN : SN_PAIRING_NONE};
    count_matched(map);
    return SN_RESULT_OK;
}
