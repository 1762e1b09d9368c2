// A body without telling names. Two legs are the two equally long branches of one joint that reach the
// ground; the branch that reaches highest is the trunk; the two longest branches that leave it sideways are
// the arms; toes tell the facing, and that the sides.
#include "retarget/label.h"

// Surer than nothing, less sure than any name that says much. The proportions below were judged,
// and are tested on the built-in body without its names.
#define STRUCTURE_SCORE 0.6f

enum { MAX_CHAIN = 32 };

typedef struct Chain {
    uint32_t count;
    uint32_t joints[MAX_CHAIN];
} Chain;

typedef struct Body {
    const sniTree* tree;
    snLabel* labels;
    snVec3 up;
    float low, high; // of all joints along up
    uint32_t hips;
    uint32_t legs[2]; // children of the hips
} Body;

static float height_of(const Body* body, uint32_t joint) {
    return sn_dot(body->tree->points[joint], body->up);
}

// The lowest (sign -1) or highest (sign 1) joint at or below `top`.
static uint32_t extreme_below(const Body* body, uint32_t top, float sign) {
    uint32_t best = top;
    for (uint32_t i = 0; i < body->tree->skeleton->joint_count; i++) {
        uint32_t j = body->tree->skeleton->order[i];
        if (!sni_tree_above(body->tree, top, j)) continue;
        if (sign * height_of(body, j) > sign * height_of(body, best)) best = j;
    }
    return best;
}

// Standing bodies are tallest along y (files in metres, y up) or z; a tie goes to y.
static void find_up(Body* body) {
    snBounds bounds = sn_bounds_of(body->tree->points, body->tree->skeleton->joint_count);
    snVec3 size = sn_sub(bounds.max, bounds.min);
    body->up = size.z > 1.2f * size.y ? sn_vec3(0.0f, 0.0f, 1.0f) : sn_vec3(0.0f, 1.0f, 0.0f);
    body->low = sn_dot(bounds.min, body->up);
    body->high = sn_dot(bounds.max, body->up);
}

static float branch_length(const sniTree* tree, uint32_t child) {
    return tree->reach[child] +
           sn_distance(tree->points[child], tree->points[tree->skeleton->parents[child]]);
}

static bool are_twins(const sniTree* tree, uint32_t a, uint32_t b) {
    float la = branch_length(tree, a);
    float lb = branch_length(tree, b);
    return sn_minf(la, lb) > 0.8f * sn_maxf(la, lb);
}

static bool reaches_ground(const Body* body, uint32_t child) {
    float foot = height_of(body, extreme_below(body, child, -1.0f)) - body->low;
    return foot < 0.1f * (body->high - body->low) &&
           branch_length(body->tree, child) > 0.25f * (body->high - body->low);
}

// The longest pair of twins that reach the ground, highest parent first.
static bool find_hips(Body* body) {
    const sniTree* tree = body->tree;
    float best = 0.0f;
    for (uint32_t i = 0; i < tree->skeleton->joint_count; i++) {
        uint32_t j = tree->skeleton->order[i];
        for (uint32_t a = tree->first_child[j]; a != SN_NONE; a = tree->next_sibling[a]) {
            if (!reaches_ground(body, a)) continue;
            for (uint32_t b = tree->next_sibling[a]; b != SN_NONE; b = tree->next_sibling[b]) {
                float length = branch_length(tree, a) + branch_length(tree, b);
                if (!reaches_ground(body, b) || !are_twins(tree, a, b) || !(length > best)) continue;
                best = length;
                body->hips = j;
                body->legs[0] = a;
                body->legs[1] = b;
            }
        }
    }
    return best > 0.0f;
}

// From `top` down the longest way.
static Chain longest_chain(const sniTree* tree, uint32_t top) {
    Chain chain = {0};
    for (uint32_t j = top; j != SN_NONE && chain.count < MAX_CHAIN;) {
        chain.joints[chain.count++] = j;
        uint32_t next = SN_NONE;
        for (uint32_t c = tree->first_child[j]; c != SN_NONE; c = tree->next_sibling[c]) {
            if (next == SN_NONE || branch_length(tree, c) > branch_length(tree, next)) next = c;
        }
        j = next;
    }
    return chain;
}

static float bone_length(const sniTree* tree, const Chain* chain, uint32_t i) {
    return sn_distance(tree->points[chain->joints[i]], tree->points[chain->joints[i + 1]]);
}

// Where the upper bone begins: the two neighbouring bones that are longest together.
static uint32_t find_upper(const sniTree* tree, const Chain* chain) {
    uint32_t best = 0;
    for (uint32_t i = 1; i + 2 < chain->count; i++) {
        float here = bone_length(tree, chain, i) + bone_length(tree, chain, i + 1);
        float there = bone_length(tree, chain, best) + bone_length(tree, chain, best + 1);
        if (here > there) best = i;
    }
    return best;
}

static void set(const Body* body, uint32_t joint, snRole role, snSide side) {
    body->labels[joint] = (snLabel){role, side, 0, false, STRUCTURE_SCORE};
}

// `roles`: what the joints from the upper bone on are.
static void label_limb(const Body* body, uint32_t top, const snRole* roles, uint32_t count, snRole before,
                       snSide side) {
    Chain chain = longest_chain(body->tree, top);
    if (chain.count < 3) return;
    uint32_t upper = find_upper(body->tree, &chain);
    if (upper > 0 && before != SN_ROLE_NONE) set(body, chain.joints[upper - 1], before, side);
    for (uint32_t r = 0; r < count && upper + r < chain.count; r++)
        set(body, chain.joints[upper + r], roles[r], side);
}

// The child that leads to the highest joint.
static uint32_t child_upward(const Body* body, uint32_t joint) {
    uint32_t top = extreme_below(body, joint, 1.0f);
    while (top != joint && body->tree->skeleton->parents[top] != joint)
        top = body->tree->skeleton->parents[top];
    return top != joint ? top : SN_NONE;
}

// Two twins among the children of `joint`, apart from `except`, the longest pair of them.
static bool find_twins(const sniTree* tree, uint32_t joint, uint32_t except, uint32_t out[2]) {
    float best = 0.0f;
    for (uint32_t a = tree->first_child[joint]; a != SN_NONE; a = tree->next_sibling[a]) {
        for (uint32_t b = tree->next_sibling[a]; b != SN_NONE; b = tree->next_sibling[b]) {
            float length = branch_length(tree, a) + branch_length(tree, b);
            if (a == except || b == except || !are_twins(tree, a, b) || !(length > best)) continue;
            best = length;
            out[0] = a;
            out[1] = b;
        }
    }
    return best > 0.0f;
}

// Facing from the feet: the way from ankle to tip, flat on the ground.
static snVec3 find_forward(const Body* body) {
    snVec3 forward = sn_vec3(0.0f, 0.0f, 0.0f);
    for (int i = 0; i < 2; i++) {
        Chain chain = longest_chain(body->tree, body->legs[i]);
        if (chain.count < 4) continue;
        uint32_t ankle = find_upper(body->tree, &chain) + 2;
        snVec3 toe = body->tree->points[chain.joints[chain.count - 1]];
        forward = sn_add(forward, sn_sub(toe, body->tree->points[chain.joints[ankle]]));
    }
    forward = sn_sub(forward, sn_scale(body->up, sn_dot(forward, body->up)));
    snVec3 fallback = body->up.z > 0.5f ? sn_vec3(0.0f, -1.0f, 0.0f) : sn_vec3(0.0f, 0.0f, 1.0f);
    return sn_normalize_or(forward, fallback);
}

// One joint above the chest is the head. Of two the second may be the tip of the head: a head is longer than
// a neck.
static void label_head(const Body* body, uint32_t first) {
    uint32_t second = child_upward(body, first);
    bool is_tip = second != SN_NONE && body->tree->first_child[second] == SN_NONE &&
                  sn_distance(body->tree->points[first], body->tree->points[second]) >
                      0.22f * (body->high - height_of(body, body->hips));
    if (second == SN_NONE || is_tip) {
        set(body, first, SN_ROLE_HEAD, SN_SIDE_NONE);
        return;
    }
    set(body, first, SN_ROLE_NECK, SN_SIDE_NONE);
    set(body, second, SN_ROLE_HEAD, SN_SIDE_NONE);
}

// Up the trunk to where two arms leave it. The first pair as long as a third of the trunk's height counts:
// ears and hair leave it too.
static void label_trunk(const Body* body, snVec3 left) {
    static const snRole arm[] = {SN_ROLE_UPPER_ARM, SN_ROLE_LOWER_ARM, SN_ROLE_HAND};
    const sniTree* tree = body->tree;
    float enough = 0.3f * (body->high - height_of(body, body->hips));
    for (uint32_t j = child_upward(body, body->hips); j != SN_NONE;) {
        uint32_t next = child_upward(body, j);
        uint32_t arms[2] = {SN_NONE, SN_NONE};
        set(body, j, SN_ROLE_SPINE, SN_SIDE_NONE);
        if (find_twins(tree, j, next, arms) && branch_length(tree, arms[0]) > enough) {
            snVec3 apart = sn_sub(tree->points[arms[0]], tree->points[arms[1]]);
            snSide first = sn_dot(apart, left) > 0.0f ? SN_SIDE_LEFT : SN_SIDE_RIGHT;
            label_limb(body, arms[0], arm, 3, SN_ROLE_SHOULDER, first);
            label_limb(body, arms[1], arm, 3, SN_ROLE_SHOULDER,
                       first == SN_SIDE_LEFT ? SN_SIDE_RIGHT : SN_SIDE_LEFT);
            if (next != SN_NONE) label_head(body, next);
            return;
        }
        j = next;
    }
}

void sni_label_structure(const sniTree* tree, snLabel* labels) {
    static const snRole leg[] = {SN_ROLE_UPPER_LEG, SN_ROLE_LOWER_LEG, SN_ROLE_FOOT, SN_ROLE_TOES};
    Body body = {.tree = tree, .labels = labels};
    find_up(&body);
    if (!find_hips(&body)) return;
    for (uint32_t j = 0; j < tree->skeleton->joint_count; j++)
        labels[j] = (snLabel){SN_ROLE_NONE, SN_SIDE_NONE, 0, false, 0.0f};
    snVec3 left = sn_cross(body.up, find_forward(&body));
    label_trunk(&body, left);
    set(&body, body.hips, SN_ROLE_HIPS, SN_SIDE_NONE);
    snVec3 apart = sn_sub(tree->points[body.legs[0]], tree->points[body.legs[1]]);
    snSide first = sn_dot(apart, left) > 0.0f ? SN_SIDE_LEFT : SN_SIDE_RIGHT;
    label_limb(&body, body.legs[0], leg, 4, SN_ROLE_NONE, first);
    label_limb(&body, body.legs[1], leg, 4, SN_ROLE_NONE,
               first == SN_SIDE_LEFT ? SN_SIDE_RIGHT : SN_SIDE_LEFT);
    for (uint32_t j = tree->skeleton->parents[body.hips]; j != SN_NONE; j = tree->skeleton->parents[j])
        set(&body, j, SN_ROLE_ROOT, SN_SIDE_NONE);
}
