// How well two bodies fit each other, and why not.
#include <stdio.h>

#include "retarget/body_frame.h"

// A trunk this near to up, a cosine, stands; arms that reach the ground end below this part of the hips'
// height. Judged on people and the T-rex against the animals of the data folder, which lie within ten degrees
// of level and whose front legs end below an eighth.
#define UPRIGHT 0.8f
#define ARMS_LOW 0.25f

// Where a trunk ends at rest: at the neck, or the head; without either between the arms, which leave it
// there.
static bool trunk_top(const sniBody* body, snVec3* out) {
    uint32_t top = body->first[SN_ROLE_NECK][SN_SIDE_NONE];
    uint32_t left = body->first[SN_ROLE_UPPER_ARM][SN_SIDE_LEFT];
    uint32_t right = body->first[SN_ROLE_UPPER_ARM][SN_SIDE_RIGHT];
    if (top == SN_NONE) top = body->first[SN_ROLE_HEAD][SN_SIDE_NONE];
    if (top != SN_NONE)
        *out = sni_body_point(body, top);
    else if (left != SN_NONE && right != SN_NONE)
        *out = sn_lerp(sni_body_point(body, left), sni_body_point(body, right), 0.5f);
    else
        return false;
    return true;
}

// The trunk's direction at rest in the body frame.
static snVec3 trunk_direction(const sniBody* body) {
    uint32_t hips = body->first[SN_ROLE_HIPS][SN_SIDE_NONE];
    snVec3 up = sn_vec3(0.0f, 1.0f, 0.0f), top;
    if (hips == SN_NONE || !trunk_top(body, &top)) return up;
    return sn_normalize_or(sn_sub(top, sni_body_point(body, hips)), up);
}

// 1 for trunks within 30 degrees, falling to 0.3 at a right angle: motion of an upright body means nothing to
// one on four legs even where all names match. Judged: it has to keep a fox and a horse below
// SN_JOINT_MAP_USABLE.
static float posture_factor(const sniBody* source, const sniBody* target) {
    float cosine = sn_dot(trunk_direction(source), trunk_direction(target));
    float angle = sn_acos(sn_clampf(cosine, -1.0f, 1.0f));
    return 1.0f - 0.7f * sn_clampf((angle - SN_PI / 6.0f) / (SN_PI / 3.0f), 0.0f, 1.0f);
}

// Does a body stand on its arms too: level, and they reach the ground at rest?
bool sni_body_walks_on_arms(const sniBody* body) {
    uint32_t hips = body->first[SN_ROLE_HIPS][SN_SIDE_NONE];
    if (hips == SN_NONE || trunk_direction(body).y > UPRIGHT) return false;
    float low = INFINITY;
    for (uint32_t j = 0; j < body->skeleton->joint_count; j++) {
        for (int s = SN_SIDE_LEFT; s <= SN_SIDE_RIGHT; s++) {
            uint32_t arm = body->first[SN_ROLE_UPPER_ARM][s];
            if (arm != SN_NONE && (j == arm || sni_tree_above(&body->tree, arm, j)))
                low = sn_minf(low, sni_body_point(body, j).y);
        }
    }
    float high = sni_body_point(body, hips).y - body->ground;
    return low - body->ground < ARMS_LOW * high;
}

static bool is_arm(snRole role) { return role == SN_ROLE_UPPER_ARM || role == SN_ROLE_LOWER_ARM; }

static const struct {
    snRole role;
    snSide side;
} MAIN[] = {{SN_ROLE_HIPS, SN_SIDE_NONE},       {SN_ROLE_SPINE, SN_SIDE_NONE},
            {SN_ROLE_HEAD, SN_SIDE_NONE},       {SN_ROLE_UPPER_ARM, SN_SIDE_LEFT},
            {SN_ROLE_UPPER_ARM, SN_SIDE_RIGHT}, {SN_ROLE_LOWER_ARM, SN_SIDE_LEFT},
            {SN_ROLE_LOWER_ARM, SN_SIDE_RIGHT}, {SN_ROLE_UPPER_LEG, SN_SIDE_LEFT},
            {SN_ROLE_UPPER_LEG, SN_SIDE_RIGHT}, {SN_ROLE_LOWER_LEG, SN_SIDE_LEFT},
            {SN_ROLE_LOWER_LEG, SN_SIDE_RIGHT}};
enum { MAIN_COUNT = sizeof MAIN / sizeof MAIN[0] };

void sni_joint_map_confidence(snJointMap* map, const sniBody* source, const sniBody* target) {
    float sum = 0.0f;
    uint32_t count = 0;
    map->missing = 0;
    for (uint32_t i = 0; i < MAIN_COUNT; i++) {
        if (map->arms_left && is_arm(MAIN[i].role)) continue;
        count++;
        uint32_t joint = target->first[MAIN[i].role][MAIN[i].side];
        if (joint != SN_NONE && map->pairs[joint].source != SN_NONE)
            sum += map->pairs[joint].confidence;
        else
            map->missing |= 1u << i;
    }
    map->posture = posture_factor(source, target);
    map->confidence = sum / (float)count * map->posture;
}

snMapReason sn_joint_map_reason(const snJointMap* map) {
    snMapReason reason = {""};
    size_t used = 0;
    if (map->posture < 0.7f) {
        snprintf(reason.text, sizeof reason.text,
                 "one body stands upright and the other on all fours, or lies");
        return reason;
    }
    for (uint32_t i = 0; i < MAIN_COUNT && used < sizeof reason.text; i++) {
        if (!(map->missing & 1u << i)) continue;
        const char* side = sn_side_name(MAIN[i].side);
        int length = snprintf(reason.text + used, sizeof reason.text - used, "%s%s%s%s",
                              used > 0 ? ", " : "no counterpart for ", side, side[0] != '\0' ? " " : "",
                              sn_role_name(MAIN[i].role));
        used += length > 0 ? (size_t)length : 0;
    }
    return reason;
}
