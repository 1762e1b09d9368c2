// Rest poses that differ. Trunks of two characters stand upright at rest and are left as they are; arms and
// legs may rest anywhere (T, A, at ease), so every limb bone is first turned to point as the source's does.
#include "retarget/retarget.h"

// A standing character's feet are flat. Legs spread further than this hang in the air, feet turned with them.
// Judged, not measured.
#define SPREAD_LEGS 0.21f // radians, 12 degrees
// How far from a bone a joint beside the body may stand to belong to it, in heights. Judged.
#define STRAY_REACH 0.15f

bool sni_retarget_is_loose(const sniRetarget* r, uint32_t joint) {
    return r->attach[joint] != r->target.skeleton->parents[joint];
}

// ------------------------------------------------------------------------------------------------- order

static void find_attachments(sniRetarget* r) {
    const sniBody* body = &r->target;
    for (uint32_t j = 0; j < body->skeleton->joint_count; j++) r->attach[j] = body->skeleton->parents[j];
    for (int s = SN_SIDE_LEFT; s <= SN_SIDE_RIGHT; s++) {
        uint32_t foot = body->first[SN_ROLE_FOOT][s];
        uint32_t shin = body->first[SN_ROLE_LOWER_LEG][s];
        if (foot == SN_NONE || shin == SN_NONE || sni_tree_above(&body->tree, shin, foot) ||
            sni_tree_above(&body->tree, foot, shin))
            continue;
        for (uint32_t i = 1;; i++) {
            uint32_t next = sni_body_chain_joint(body, SN_ROLE_LOWER_LEG, (snSide)s, i);
            if (next == SN_NONE) break;
            shin = next;
        }
        r->attach[foot] = shin;
    }
}

// How far a point is from a joint's bone at rest.
static float bone_distance(const sniBody* body, uint32_t joint, snVec3 point) {
    snVec3 start = body->tree.points[joint], end = start;
    sni_body_bone_end(body, joint, &end);
    snVec3 bone = sn_sub(end, start), from = sn_sub(point, start);
    float length = sn_dot(bone, bone);
    float along = length > 0.0f ? sn_clampf(sn_dot(from, bone) / length, 0.0f, 1.0f) : 0.0f;
    return sn_distance(from, sn_scale(bone, along));
}

static uint32_t nearest_bone(const sniBody* body, uint32_t joint) {
    float least = STRAY_REACH * body->height;
    uint32_t best = SN_NONE;
    for (uint32_t k = 0; k < body->skeleton->joint_count; k++) {
        if (body->labels[k].role == SN_ROLE_NONE || body->labels[k].twist ||
            (k != body->carrier && !sni_tree_above(&body->tree, body->carrier, k)))
            continue;
        float distance = bone_distance(body, k, body->tree.points[joint]);
        if (!(distance < least)) continue;
        least = distance;
        best = k;
    }
    return best;
}

// Does a joint hang from the body, by its parents or by what these are attached to?
static bool is_carried(const sniRetarget* r, uint32_t joint) {
    uint32_t j = joint;
    while (j != SN_NONE && j != r->target.carrier) j = r->attach[j];
    return j != SN_NONE;
}

// Joints that carry surface but hang beside the body, as hooves and hands on controls do whose constraints
// the file has lost: they go with the bone that they stand at.
static void attach_strays(sniRetarget* r) {
    const sniBody* body = &r->target;
    const snBodyPoints* points = r->def->points;
    if (points == NULL || r->hips == SN_NONE) return;
    for (uint32_t p = 0; p < points->count; p++) {
        uint32_t j = points->items[p].joints[0];
        if (j >= body->skeleton->joint_count || body->skeleton->parents[j] == SN_NONE || is_carried(r, j) ||
            sni_tree_above(&body->tree, j, body->carrier))
            continue;
        uint32_t bone = nearest_bone(body, j);
        if (bone != SN_NONE) r->attach[j] = bone;
    }
}

static uint32_t depth_of(const sniRetarget* r, uint32_t joint) {
    uint32_t depth = 0;
    for (uint32_t j = r->attach[joint]; j != SN_NONE; j = r->attach[j]) depth++;
    return depth;
}

// By depth, joints of one depth in the skeleton's order. Characters are shallow, so a pass per depth is
// cheap.
static void find_order(sniRetarget* r) {
    uint32_t count = r->target.skeleton->joint_count;
    uint32_t written = 0;
    for (uint32_t depth = 0; written < count; depth++) {
        for (uint32_t i = 0; i < count; i++) {
            uint32_t j = r->target.skeleton->order[i];
            if (depth_of(r, j) == depth) r->order[written++] = j;
        }
    }
}

// ------------------------------------------------------------------------------------------------- bones

static snVec3 mirrored(const sniRetarget* r, snVec3 v) {
    return r->def->mirror ? sn_vec3(-v.x, v.y, v.z) : v;
}

// Direction of a joint's bone in the body frame.
static bool bone_direction(const sniBody* body, uint32_t joint, snVec3* out) {
    snVec3 end;
    if (!sni_body_bone_end(body, joint, &end)) return false;
    snVec3 bone = sn_quat_rotate(sn_quat_conjugate(body->frame), sn_sub(end, body->tree.points[joint]));
    *out = sn_normalize_or(bone, sn_vec3(0.0f, 1.0f, 0.0f));
    return true;
}

snQuat sni_look(snVec3 forward, snVec3 up) {
    snVec3 z = sn_normalize_or(forward, sn_vec3(0.0f, 0.0f, 1.0f));
    snVec3 x = sn_normalize_or(sn_cross(up, z), sn_vec3(1.0f, 0.0f, 0.0f));
    snVec3 y = sn_cross(z, x);
    snMat4 m = {{x.x, x.y, x.z, 0.0f, y.x, y.y, y.z, 0.0f, z.x, z.y, z.z, 0.0f, 0.0f, 0.0f, 0.0f, 1.0f}};
    return sn_quat_normalize(sn_quat_from_mat4(&m));
}

// A foot by its sole, not by the line from ankle to toe: how steep that is depends on how high the ankle
// sits.
static void foot_axes(const sniBody* body, uint32_t foot, snVec3* forward, snVec3* sole) {
    *sole = sn_vec3(0.0f, 1.0f, 0.0f);
    uint32_t shin = body->first[SN_ROLE_LOWER_LEG][body->labels[foot].side];
    if (shin != SN_NONE) {
        snVec3 leg = sn_sub(sni_body_point(body, shin), sni_body_point(body, foot));
        float spread = sn_atan2(leg.x, leg.y);
        if (spread > SPREAD_LEGS || spread < -SPREAD_LEGS)
            *sole = sn_normalize_or(sn_vec3(leg.x, leg.y, 0.0f), *sole);
    }
    snVec3 bone = sn_vec3(0.0f, 0.0f, 1.0f);
    bone_direction(body, foot, &bone);
    *forward = sn_sub(bone, sn_scale(*sole, sn_dot(bone, *sole)));
}

static snQuat align_foot(const sniRetarget* r, uint32_t from, uint32_t to) {
    snVec3 forward[2];
    snVec3 sole[2];
    foot_axes(&r->source, from, &forward[0], &sole[0]);
    foot_axes(&r->target, to, &forward[1], &sole[1]);
    snQuat source = sni_look(mirrored(r, forward[0]), mirrored(r, sole[0]));
    return sn_quat_mul(source, sn_quat_conjugate(sni_look(forward[1], sole[1])));
}

// By the shortest way from where the limb above has brought the bone: that keeps the roll a body would have.
// A palm with its fingers is the better witness of the roll of a hand.
static snQuat align_bone(const sniRetarget* r, uint32_t from, uint32_t to, snQuat above) {
    snVec3 source;
    snVec3 target;
    if (!bone_direction(&r->source, from, &source) || !bone_direction(&r->target, to, &target)) return above;
    source = mirrored(r, source);
    snVec3 palms[2];
    if (r->target.labels[to].role == SN_ROLE_HAND && r->source.labels[from].role == SN_ROLE_HAND &&
        sni_hand_across(&r->source, r->source.labels[from].side, &palms[0]) &&
        sni_hand_across(&r->target, r->target.labels[to].side, &palms[1])) {
        snQuat wanted = sni_look(source, mirrored(r, palms[0]));
        return sn_quat_mul(wanted, sn_quat_conjugate(sni_look(target, palms[1])));
    }
    return sn_quat_mul(sn_quat_between(sn_quat_rotate(above, target), source), above);
}

// A leg that carries an animal moves from its own rest.
static bool is_carrying(const sniRetarget* r, uint32_t joint) {
    const snLabel* label = &r->target.labels[joint];
    bool arm = label->role >= SN_ROLE_UPPER_ARM && label->role <= SN_ROLE_LITTLE;
    if (!arm && (label->role < SN_ROLE_UPPER_LEG || label->role > SN_ROLE_TOES)) return false;
    return r->limbs[(arm ? SNI_FEET : 0) + (label->side == SN_SIDE_RIGHT ? 1 : 0)].carries;
}

static snQuat align_joint(sniRetarget* r, uint32_t joint, snQuat above) {
    uint32_t source = r->def->map->pairs[joint].source;
    if (source == SN_NONE || r->target.labels[joint].twist) return above;
    if (is_carrying(r, joint)) return sn_quat_identity();
    source = r->opposite[source];
    switch (r->target.labels[joint].role) {
    case SN_ROLE_ROOT:
    case SN_ROLE_HIPS:
    case SN_ROLE_SPINE:
    case SN_ROLE_NECK:
    case SN_ROLE_HEAD:
    case SN_ROLE_SHOULDER:
        return sn_quat_identity();
    case SN_ROLE_FOOT:
        return align_foot(r, source, joint);
    // How far fingers and toes curl, and how high a tail is held at rest, is the character's own: it stays.
    case SN_ROLE_TAIL:
    case SN_ROLE_TOES:
    case SN_ROLE_THUMB:
    case SN_ROLE_INDEX:
    case SN_ROLE_MIDDLE:
    case SN_ROLE_RING:
    case SN_ROLE_LITTLE:
        return above;
    // A limb bone cut in pieces turns as one, or the pieces' own kinks would bend it.
    case SN_ROLE_UPPER_ARM:
    case SN_ROLE_UPPER_LEG:
        if (r->target.labels[joint].index > 0 || sni_bends_opposed(r, joint)) return above;
        return sni_bends_align(r, source, joint, align_bone(r, source, joint, above));
    case SN_ROLE_LOWER_ARM:
    case SN_ROLE_LOWER_LEG: {
        // A limb of another kind moves from its own rest.
        snRole upper =
            r->target.labels[joint].role == SN_ROLE_LOWER_ARM ? SN_ROLE_UPPER_ARM : SN_ROLE_UPPER_LEG;
        uint32_t limb = r->target.first[upper][r->target.labels[joint].side];
        if (r->target.labels[joint].index > 0 || (limb != SN_NONE && sni_bends_opposed(r, limb)))
            return above;
        return align_bone(r, source, joint, above);
    }
    // An arm rolls for its elbow; which way the palm faces is another matter.
    case SN_ROLE_HAND:
        if (r->target.labels[joint].index == 0) above = sni_bends_hand(r, joint, above);
        return align_bone(r, source, joint, above);
    default:
        return align_bone(r, source, joint, above);
    }
}

void sni_retarget_attach(sniRetarget* r) {
    find_attachments(r);
    attach_strays(r);
    find_order(r);
}

void sni_retarget_rest(sniRetarget* r) {
    for (uint32_t i = 0; i < r->target.skeleton->joint_count; i++) {
        uint32_t j = r->order[i];
        snQuat above = r->attach[j] != SN_NONE ? r->align[r->attach[j]] : sn_quat_identity();
        r->align[j] = align_joint(r, j, above);
    }
}
