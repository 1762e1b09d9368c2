// A labelled skeleton bent into the landmarks. Joints that are landmarks go there. The trunk is divided as
// the skeleton divides it. Joints between two of those (clavicles, twist helpers, bones cut in pieces) keep
// their place between them, and all others (fingers, end sites, props) are carried along by the joint above.
#include "fit/fit.h"

typedef struct Poser {
    const sniBody* body;
    const sniLandmarks* marks;
    sniPlacement* place;
    float scale;
    snQuat turn; // from the skeleton's world to the mesh's
} Poser;

static snVec3 to_world(const Poser* p, snVec3 point) {
    return sn_add(p->marks->origin, sn_quat_rotate(p->marks->frame, point));
}

static bool is_placed(const Poser* p, uint32_t joint) { return p->place->sure[joint] > 0.0f; }

static void put(const Poser* p, uint32_t joint, snVec3 point, float sure, uint32_t doubts) {
    if (joint == SN_NONE) return;
    p->place->points[joint] = to_world(p, point);
    p->place->sure[joint] = sure;
    p->place->doubts[joint] = doubts;
}

static void put_mark(const Poser* p, snRole role, int side, const sniMark* mark) {
    uint32_t joint = p->body->first[role][side == 0 ? SN_SIDE_LEFT : SN_SIDE_RIGHT];
    if (joint == SN_NONE) return;
    // A joint that is not surely a knee is not surely at the knee.
    float named = sn_maxf(p->body->labels[joint].confidence, 0.5f);
    put(p, joint, mark->point, mark->sure * named, mark->doubts);
}

static const snRole leg_roles[] = {SN_ROLE_UPPER_LEG, SN_ROLE_LOWER_LEG, SN_ROLE_FOOT, SN_ROLE_TOES};
static const snRole arm_roles[] = {SN_ROLE_UPPER_ARM, SN_ROLE_LOWER_ARM, SN_ROLE_HAND};

static void put_limbs(const Poser* p) {
    for (int s = 0; s < 2; s++) {
        for (int i = 0; i < 4; i++) put_mark(p, leg_roles[i], s, &p->marks->legs[s][i]);
        for (int i = 0; i < 3; i++) put_mark(p, arm_roles[i], s, &p->marks->arms[s][i]);
    }
}

// ----------------------------------------------------------------------------------------------------- trunk

static snVec3 trunk_point(const sniLandmarks* marks, float y) {
    float low = marks->trunk[0].y;
    float high = marks->trunk[SNI_TRUNK_SLICES].y;
    float t = sn_clampf((y - low) / (high - low), 0.0f, 1.0f) * SNI_TRUNK_SLICES;
    uint32_t i = t < SNI_TRUNK_SLICES ? (uint32_t)t : SNI_TRUNK_SLICES - 1;
    snVec3 point = sn_lerp(marks->trunk[i], marks->trunk[i + 1], t - (float)i);
    point.y = y;
    return point;
}

static float middle_height(const sniBody* body, snRole role) {
    float left = sni_body_point(body, body->first[role][SN_SIDE_LEFT]).y;
    float right = sni_body_point(body, body->first[role][SN_SIDE_RIGHT]).y;
    return 0.5f * (left + right);
}

// Skeletons differ in how high above the thighs their hips sit; each keeps its own way.
static float hips_height(const Poser* p, uint32_t hips) {
    float above = sni_body_point(p->body, hips).y - middle_height(p->body, SN_ROLE_UPPER_LEG);
    float thighs = 0.5f * (p->marks->legs[0][SNI_HIP].point.y + p->marks->legs[1][SNI_HIP].point.y);
    float space = p->marks->neck.point.y - thighs;
    return thighs + sn_clampf(p->scale * above, -0.2f * space, 0.5f * space);
}

static float step_up(const Poser* p, uint32_t joint) {
    uint32_t parent = p->body->skeleton->parents[joint];
    return parent != SN_NONE ? sn_distance(p->body->tree.points[joint], p->body->tree.points[parent]) : 0.0f;
}

// Joints from above `low` up to and including `high`, spread along the trunk as they are in the skeleton.
static void put_stretch(const Poser* p, uint32_t low, float low_y, uint32_t high, const sniMark* end) {
    float length = 0.0f;
    for (uint32_t j = high; j != low && j != SN_NONE; j = p->body->skeleton->parents[j])
        length += step_up(p, j);
    float along = length;
    for (uint32_t j = high; j != low && j != SN_NONE; j = p->body->skeleton->parents[j]) {
        float t = length > 0.0f ? along / length : 1.0f;
        snVec3 point = trunk_point(p->marks, sn_lerpf(low_y, end->point.y, t));
        put(p, j, point, j == high ? end->sure : 0.7f, end->doubts);
        along -= step_up(p, j);
    }
}

// The lowest neck joint above the line of the shoulders: below it a "neck" is still part of the chest.
static uint32_t neck_joint(const Poser* p, uint32_t hips, uint32_t head) {
    float shoulders = middle_height(p->body, SN_ROLE_UPPER_ARM);
    uint32_t neck = SN_NONE;
    for (uint32_t j = p->body->skeleton->parents[head]; j != hips && j != SN_NONE;
         j = p->body->skeleton->parents[j]) {
        if (p->body->labels[j].role == SN_ROLE_NECK && sni_body_point(p->body, j).y > shoulders) neck = j;
    }
    return neck;
}

static void put_trunk(const Poser* p) {
    uint32_t hips = p->body->first[SN_ROLE_HIPS][SN_SIDE_NONE];
    uint32_t head = p->body->first[SN_ROLE_HEAD][SN_SIDE_NONE];
    float hips_y = hips_height(p, hips);
    const sniMark* thigh = &p->marks->legs[0][SNI_HIP];
    put(p, hips, trunk_point(p->marks, hips_y), thigh->sure, thigh->doubts);
    if (!sni_tree_above(&p->body->tree, hips, head)) {
        put(p, head, p->marks->head.point, p->marks->head.sure, p->marks->head.doubts);
        return;
    }
    uint32_t neck = neck_joint(p, hips, head);
    if (neck == SN_NONE) {
        put_stretch(p, hips, hips_y, head, &p->marks->head);
        return;
    }
    put_stretch(p, hips, hips_y, neck, &p->marks->neck);
    put_stretch(p, neck, p->marks->neck.point.y, head, &p->marks->head);
}

// --------------------------------------------------------------------------------------------------- between

static uint32_t placed_above(const Poser* p, uint32_t joint) {
    uint32_t at = p->body->skeleton->parents[joint];
    while (at != SN_NONE && !is_placed(p, at)) at = p->body->skeleton->parents[at];
    return at;
}

// The rotation and scale that carry one segment to another, least turn beyond `turn`.
static snQuat turn_onto(snQuat turn, snVec3 from, snVec3 to) {
    return sn_quat_normalize(sn_quat_mul(sn_quat_between(sn_quat_rotate(turn, from), to), turn));
}

// Joints between `joint` and the placed one above it.
static void put_between(const Poser* p, uint32_t joint) {
    uint32_t above = placed_above(p, joint);
    if (above == SN_NONE || above == p->body->skeleton->parents[joint]) return;
    const snVec3* rest = p->body->tree.points;
    snVec3 from = sn_sub(rest[joint], rest[above]);
    snVec3 to = sn_sub(p->place->points[joint], p->place->points[above]);
    float length = sn_length(from);
    float scale = length > 0.0f ? sn_length(to) / length : 0.0f;
    snQuat turn = length > 0.0f ? turn_onto(p->turn, from, to) : p->turn;
    float sure = 0.9f * sn_minf(p->place->sure[joint], p->place->sure[above]);
    for (uint32_t j = p->body->skeleton->parents[joint]; j != above; j = p->body->skeleton->parents[j]) {
        snVec3 offset = sn_quat_rotate(turn, sn_scale(sn_sub(rest[j], rest[above]), scale));
        p->place->points[j] = sn_add(p->place->points[above], offset);
        p->place->sure[j] = sure;
        p->place->doubts[j] = p->place->doubts[joint];
    }
}

// Joints in order, so that what lies between is found once; a landmark never hangs below what it places.
static void put_all_between(const Poser* p) {
    for (uint32_t i = 0; i < p->body->skeleton->joint_count; i++) {
        uint32_t j = p->body->skeleton->order[i];
        if (is_placed(p, j)) put_between(p, j);
    }
}

// --------------------------------------------------------------------------------------------------- carried

static bool is_limb(snRole role) { return role >= SN_ROLE_SHOULDER && role <= SN_ROLE_TOES; }

static uint32_t chain_end(const Poser* p, uint32_t joint) {
    const sniTree* tree = &p->body->tree;
    uint32_t best = SN_NONE;
    for (uint32_t c = tree->first_child[joint]; c != SN_NONE; c = tree->next_sibling[c]) {
        if (is_placed(p, c) && (best == SN_NONE || tree->reach[c] > tree->reach[best])) best = c;
    }
    return best;
}

// Where the bone of a joint points in the skeleton and in the mesh; false where the mesh does not tell.
static bool bone(const Poser* p, uint32_t joint, snVec3* from, snVec3* to) {
    const snLabel* label = &p->body->labels[joint];
    const snVec3* rest = p->body->tree.points;
    if (!is_limb(label->role) || label->side == SN_SIDE_NONE) return false;
    int side = label->side == SN_SIDE_LEFT ? 0 : 1;
    uint32_t child = chain_end(p, joint);
    if (child != SN_NONE) {
        *from = sn_sub(rest[child], rest[joint]);
        *to = sn_sub(p->place->points[child], p->place->points[joint]);
        return sn_length(*from) > 0.0f && sn_length(*to) > 0.0f;
    }
    bool hand = label->role == SN_ROLE_HAND;
    snVec3 end;
    if ((!hand && label->role != SN_ROLE_TOES && label->role != SN_ROLE_FOOT) ||
        !sni_body_bone_end(p->body, joint, &end))
        return false;
    snVec3 tip = hand ? p->marks->arms[side][SNI_KNUCKLE].point : p->marks->legs[side][SNI_TOE].point;
    *from = sn_sub(end, rest[joint]);
    *to = sn_sub(to_world(p, tip), p->place->points[joint]);
    return sn_length(*from) > 0.0f && sn_length(*to) > 0.0f;
}

// Across the palm of the skeleton, from the little finger to the index finger or else to the tip of the
// thumb.
static bool skeleton_palm(const Poser* p, uint32_t hand, snVec3* out) {
    const sniBody* body = p->body;
    snSide side = body->labels[hand].side;
    uint32_t index = body->first[SN_ROLE_INDEX][side];
    uint32_t little = body->first[SN_ROLE_LITTLE][side];
    uint32_t thumb = body->first[SN_ROLE_THUMB][side];
    if (index != SN_NONE && little != SN_NONE) {
        *out = sn_sub(body->tree.points[index], body->tree.points[little]);
        return true;
    }
    if (thumb == SN_NONE) return false;
    while (body->tree.first_child[thumb] != SN_NONE) thumb = body->tree.first_child[thumb];
    *out = sn_sub(body->tree.points[thumb], body->tree.points[hand]);
    return true;
}

// Rolls a hand about its length until its fingers lie in the palm, the nearer way round.
static snQuat roll_hand(const Poser* p, uint32_t hand, snQuat turn, snVec3 axis) {
    snVec3 palm = p->marks->palms[p->body->labels[hand].side == SN_SIDE_LEFT ? 0 : 1];
    snVec3 from;
    if (sn_dot(palm, palm) == 0.0f || !skeleton_palm(p, hand, &from)) return turn;
    axis = sn_normalize_or(axis, sn_vec3(0.0f, 0.0f, 0.0f));
    from = sn_quat_rotate(turn, from);
    from = sn_sub(from, sn_scale(axis, sn_dot(from, axis)));
    snVec3 to = sn_quat_rotate(p->marks->frame, palm);
    to = sn_sub(to, sn_scale(axis, sn_dot(to, axis)));
    if (sn_dot(from, to) < 0.0f) to = sn_neg(to);
    if (sn_dot(from, from) == 0.0f || sn_dot(to, to) == 0.0f) return turn;
    return sn_quat_normalize(sn_quat_mul(sn_quat_between(from, to), turn));
}

static void turn_joints(const Poser* p) {
    const snSkeleton* s = p->body->skeleton;
    for (uint32_t i = 0; i < s->joint_count; i++) {
        uint32_t j = s->order[i];
        snQuat above = s->parents[j] != SN_NONE ? p->place->turns[s->parents[j]] : p->turn;
        snVec3 from;
        snVec3 to;
        p->place->turns[j] = above;
        if (!is_placed(p, j) || !bone(p, j, &from, &to)) continue;
        p->place->turns[j] = turn_onto(above, from, to);
        if (p->body->labels[j].role == SN_ROLE_HAND && p->body->labels[j].index == 0)
            p->place->turns[j] = roll_hand(p, j, p->place->turns[j], to);
    }
}

// A head with nothing but an end site: that is its crown. Face bones end anywhere.
static bool has_one_leaf(const sniTree* tree, uint32_t joint) {
    uint32_t child = tree->first_child[joint];
    return child != SN_NONE && tree->next_sibling[child] == SN_NONE && tree->first_child[child] == SN_NONE;
}

// How much larger than the skeleton's the part of the mesh is that hangs from a joint.
static float reach_scale(const Poser* p, uint32_t joint) {
    const snLabel* label = &p->body->labels[joint];
    float reach = p->body->tree.reach[joint];
    int side = label->side == SN_SIDE_LEFT ? 0 : 1;
    snVec3 tip;
    if (label->role == SN_ROLE_HAND && label->side != SN_SIDE_NONE)
        tip = p->marks->arms[side][SNI_FINGERTIP].point;
    else if (label->role == SN_ROLE_TOES && label->side != SN_SIDE_NONE)
        tip = p->marks->legs[side][SNI_TOE].point;
    else if (label->role == SN_ROLE_HEAD && has_one_leaf(&p->body->tree, joint))
        tip = p->marks->crown.point;
    else
        return p->scale;
    if (!(reach > 0.0f)) return p->scale;
    // A little short of the surface, as joints are. Props that hang from a hand are not its fingers. Judged.
    float wanted = 0.95f * sn_distance(to_world(p, tip), p->place->points[joint]) / reach;
    return sn_clampf(wanted, 0.25f * p->scale, 2.0f * p->scale);
}

static void carry(const Poser* p, uint32_t joint) {
    uint32_t above = placed_above(p, joint);
    uint32_t hips = p->body->first[SN_ROLE_HIPS][SN_SIDE_NONE];
    if (above == SN_NONE) above = hips; // a root or a control beside the body
    snRole role = p->body->labels[above].role;
    bool end = p->body->labels[joint].role == SN_ROLE_NONE && has_one_leaf(&p->body->tree, above);
    bool measured = end && (role == SN_ROLE_HEAD || role == SN_ROLE_TOES);
    bool root = p->body->labels[joint].role == SN_ROLE_ROOT;
    snVec3 offset = sn_sub(p->body->tree.points[joint], p->body->tree.points[above]);
    offset = sn_scale(sn_quat_rotate(p->place->turns[above], offset), reach_scale(p, above));
    p->place->points[joint] = sn_add(p->place->points[above], offset);
    // Roots stand on the ground, whatever the length of the legs above it.
    float height = sni_body_point(p->body, joint).y - p->body->ground;
    if (root) p->place->points[joint].y = p->marks->origin.y + p->scale * height;
    p->place->doubts[joint] = SN_FIT_FOLLOWS;
    p->place->sure[joint] = measured || root ? 0.6f : 0.4f;
}

static void carry_all(const Poser* p) {
    const snSkeleton* s = p->body->skeleton;
    // From the leaves up: a carried joint looks for a placed one above it and must not find a carried one.
    for (uint32_t i = s->joint_count; i-- > 0;) {
        if (!is_placed(p, s->order[i])) carry(p, s->order[i]);
    }
}

// ------------------------------------------------------------------------------------------------------- all

static float leg_length(const sniLandmarks* marks) {
    float sum = 0.0f;
    for (int s = 0; s < 2; s++) {
        const sniMark* leg = marks->legs[s];
        sum += sn_distance(leg[SNI_HIP].point, leg[SNI_KNEE].point) +
               sn_distance(leg[SNI_KNEE].point, leg[SNI_ANKLE].point);
    }
    return 0.5f * sum;
}

float sni_fit_pose(const sniBody* body, const sniLandmarks* marks, sniPlacement* place) {
    Poser p = {.body = body, .marks = marks, .place = place};
    p.scale = leg_length(marks) / body->leg;
    p.turn = sn_quat_normalize(sn_quat_mul(marks->frame, sn_quat_conjugate(body->frame)));
    for (uint32_t j = 0; j < body->skeleton->joint_count; j++) place->sure[j] = 0.0f;
    put_limbs(&p);
    put_trunk(&p);
    put_all_between(&p);
    turn_joints(&p);
    carry_all(&p);
    return p.scale;
}
