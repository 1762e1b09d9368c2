#include "retarget/body_frame.h"

#include "base/error.h"
#include "base/memory.h"

// A limb that ends below this part of the hips' height reaches the ground. Judged on horses, whose legs end
// at the fetlock, an eighth of it, and on people, whose hands hang at nine tenths.
#define ENDS_LOW 0.3f

// Feet that are higher above the lowest joint, in heights, do not tell where the ground is. Judged on horses,
// whose hocks are at a quarter of the height.
#define HIGH_FEET 0.1f

static void find_segments(sniBody* body) {
    for (int r = 0; r < SN_ROLE_COUNT; r++) {
        for (int s = 0; s < 3; s++) body->first[r][s] = SN_NONE;
    }
    for (uint32_t i = 0; i < body->skeleton->joint_count; i++) {
        uint32_t j = body->skeleton->order[i];
        const snLabel* label = &body->labels[j];
        uint32_t* first = &body->first[label->role][label->side];
        if (label->role == SN_ROLE_NONE || label->twist || label->index > 0) continue;
        // Of several beside each other (toes, palms) the longest leads.
        if (*first == SN_NONE || body->tree.reach[j] > body->tree.reach[*first]) *first = j;
    }
}

uint32_t sni_body_chain_joint(const sniBody* body, snRole role, snSide side, uint32_t index) {
    uint32_t first = body->first[role][side];
    if (index == 0 || first == SN_NONE) return first;
    for (uint32_t i = 0; i < body->skeleton->joint_count; i++) {
        uint32_t j = body->skeleton->order[i];
        const snLabel* label = &body->labels[j];
        if (label->role == role && label->side == side && label->index == index && !label->twist &&
            sni_tree_above(&body->tree, first, j))
            return j;
    }
    return SN_NONE;
}

// ------------------------------------------------------------------------------------------------- axes

static const snRole leg_roles[] = {SN_ROLE_UPPER_LEG, SN_ROLE_LOWER_LEG, SN_ROLE_FOOT};

// Mean of the two sides of the last leg segment there is; false without legs.
static bool feet_point(const sniBody* body, snVec3* out) {
    for (int r = 2; r >= 1; r--) {
        uint32_t left = body->first[leg_roles[r]][SN_SIDE_LEFT];
        uint32_t right = body->first[leg_roles[r]][SN_SIDE_RIGHT];
        if (left == SN_NONE || right == SN_NONE) continue;
        *out = sn_lerp(body->tree.points[left], body->tree.points[right], 0.5f);
        return true;
    }
    return false;
}

// Axes are found from joints that stand a little off; a direction near a world axis means that axis. Up
// within 37 degrees, left within 8: feet stand ahead of hips, shoulders are level. Judged.
static snVec3 snap(snVec3 v, float cosine) {
    snVec3 axes[3] = {{1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}, {0.0f, 0.0f, 1.0f}};
    for (int i = 0; i < 3; i++) {
        float along = sn_dot(v, axes[i]);
        if (along > cosine) return axes[i];
        if (along < -cosine) return sn_neg(axes[i]);
    }
    return v;
}

static snVec3 find_up(const sniBody* body) {
    snVec3 y = sn_vec3(0.0f, 1.0f, 0.0f);
    uint32_t hips = body->first[SN_ROLE_HIPS][SN_SIDE_NONE];
    uint32_t head = body->first[SN_ROLE_HEAD][SN_SIDE_NONE];
    snVec3 feet;
    if (hips == SN_NONE) return y;
    snVec3 up = y;
    if (feet_point(body, &feet))
        up = sn_sub(body->tree.points[hips], feet);
    else if (head != SN_NONE)
        up = sn_sub(body->tree.points[head], body->tree.points[hips]);
    return snap(sn_normalize_or(up, y), 0.8f);
}

// From the right to the left of shoulders and hips.
static snVec3 find_left(const sniBody* body, snVec3 up) {
    static const snRole roles[] = {SN_ROLE_UPPER_LEG, SN_ROLE_UPPER_ARM};
    snVec3 left = sn_vec3(0.0f, 0.0f, 0.0f);
    for (int r = 0; r < 2; r++) {
        uint32_t a = body->first[roles[r]][SN_SIDE_LEFT];
        uint32_t b = body->first[roles[r]][SN_SIDE_RIGHT];
        if (a != SN_NONE && b != SN_NONE)
            left = sn_add(left, sn_sub(body->tree.points[a], body->tree.points[b]));
    }
    left = sn_sub(left, sn_scale(up, sn_dot(left, up)));
    snVec3 z = sn_vec3(0.0f, 0.0f, 1.0f);
    snVec3 fallback = sn_cross(up, sn_dot(up, z) * sn_dot(up, z) > 0.5f ? sn_vec3(0.0f, -1.0f, 0.0f) : z);
    return snap(sn_normalize_or(left, sn_normalize_or(fallback, sn_vec3(1.0f, 0.0f, 0.0f))), 0.99f);
}

static snQuat frame_of(snVec3 left, snVec3 up) {
    left = sn_normalize_or(sn_sub(left, sn_scale(up, sn_dot(left, up))), sn_vec3(1.0f, 0.0f, 0.0f));
    snVec3 forward = sn_cross(left, up);
    snMat4 m = {{left.x, left.y, left.z, 0.0f, up.x, up.y, up.z, 0.0f, forward.x, forward.y, forward.z, 0.0f,
                 0.0f, 0.0f, 0.0f, 1.0f}};
    return sn_quat_normalize(sn_quat_from_mat4(&m));
}

// ------------------------------------------------------------------------------------------ proportions

// The lowest joint below the feet: hocks are feet too, and do not stand on the ground.
static float lowest_below_feet(const sniBody* body, float feet) {
    for (uint32_t j = 0; j < body->skeleton->joint_count; j++) {
        for (int s = SN_SIDE_LEFT; s <= SN_SIDE_RIGHT; s++)
            if (sni_tree_above(&body->tree, body->first[SN_ROLE_FOOT][s], j))
                feet = sn_minf(feet, sni_body_point(body, j).y);
    }
    return feet;
}

// Lowest and highest joint along up; feet decide the ground where there are any.
static void find_ground(sniBody* body) {
    float low = 0.0f;
    float high = 0.0f;
    float feet = 0.0f;
    bool has_feet = false;
    for (uint32_t j = 0; j < body->skeleton->joint_count; j++) {
        const snLabel* label = &body->labels[j];
        float y = sni_body_point(body, j).y;
        bool foot = label->role == SN_ROLE_FOOT || label->role == SN_ROLE_TOES;
        if (foot) feet = has_feet ? sn_minf(feet, y) : y;
        has_feet = has_feet || foot;
        low = j == 0 ? y : sn_minf(low, y);
        high = j == 0 ? y : sn_maxf(high, y);
    }
    if (!has_feet) feet = low;
    if (feet - low > HIGH_FEET * (high - low)) feet = lowest_below_feet(body, feet);
    // Characters stand on zero, and their lowest joint a little above it; motion files hang from the hips.
    float size = high - feet;
    body->ground = feet >= 0.0f && feet < 0.15f * size ? 0.0f : feet;
    body->height = high - body->ground;
}

// Legs, and arms that reach the ground, end somewhere even where no joint is called foot or hand: at the
// only leaf of their lower segment.
static void find_ends(sniBody* body) {
    uint32_t hips = body->first[SN_ROLE_HIPS][SN_SIDE_NONE];
    if (hips == SN_NONE) return;
    float low = body->ground + ENDS_LOW * (sni_body_point(body, hips).y - body->ground);
    for (int r = 0; r < 2; r++) {
        snRole role = r == 0 ? SN_ROLE_LOWER_ARM : SN_ROLE_LOWER_LEG;
        for (int s = SN_SIDE_LEFT; s <= SN_SIDE_RIGHT; s++) {
            uint32_t joint = body->first[role][s], end = SN_NONE;
            for (uint32_t i = 0; joint != SN_NONE; i++) {
                uint32_t next = sni_body_chain_joint(body, role, (snSide)s, i);
                if (next == SN_NONE) break;
                joint = next;
            }
            if (joint != SN_NONE) end = body->tree.first_child[joint];
            if (end == SN_NONE || body->first[role + 1][s] != SN_NONE ||
                body->tree.next_sibling[end] != SN_NONE || body->tree.first_child[end] != SN_NONE ||
                body->labels[end].role != SN_ROLE_NONE || sni_body_point(body, end).y > low)
                continue;
            body->labels[end] = (snLabel){(snRole)(role + 1), (snSide)s, 0, false, SNI_PLACED_SCORE};
            body->first[role + 1][s] = end;
        }
    }
}

// Bones, not heights: rest poses stand with bent or spread legs, and bones are what carries the hips over a
// planted foot.
static void measure_legs(sniBody* body) {
    float sum = 0.0f;
    uint32_t count = 0;
    for (int s = SN_SIDE_LEFT; s <= SN_SIDE_RIGHT; s++) {
        uint32_t upper = body->first[SN_ROLE_UPPER_LEG][s];
        uint32_t lower = body->first[SN_ROLE_LOWER_LEG][s];
        snVec3 ankle;
        if (upper == SN_NONE || lower == SN_NONE || !sni_body_bone_end(body, lower, &ankle)) continue;
        const snVec3* points = body->tree.points;
        sum += sn_distance(points[upper], points[lower]) + sn_distance(points[lower], ankle);
        count++;
    }
    body->leg = count > 0 && sum > 0.0f ? sum / (float)count : 1.0f;
}

// ------------------------------------------------------------------------------------------------ bones

static snRole next_segment(snRole role) {
    switch (role) {
    case SN_ROLE_UPPER_ARM:
        return SN_ROLE_LOWER_ARM;
    case SN_ROLE_LOWER_ARM:
        return SN_ROLE_HAND;
    case SN_ROLE_UPPER_LEG:
        return SN_ROLE_LOWER_LEG;
    case SN_ROLE_LOWER_LEG:
        return SN_ROLE_FOOT;
    case SN_ROLE_FOOT:
        return SN_ROLE_TOES;
    default:
        return SN_ROLE_NONE;
    }
}

// A hand points along its middle finger, or the nearest to it.
static uint32_t hand_tip(const sniBody* body, snSide side) {
    static const snRole fingers[] = {SN_ROLE_MIDDLE, SN_ROLE_RING, SN_ROLE_INDEX, SN_ROLE_LITTLE};
    for (int f = 0; f < 4; f++) {
        if (body->first[fingers[f]][side] != SN_NONE) return body->first[fingers[f]][side];
    }
    return SN_NONE;
}

bool sni_body_bone_end(const sniBody* body, uint32_t joint, snVec3* out) {
    const snLabel* label = &body->labels[joint];
    snRole next = next_segment(label->role);
    uint32_t end = next != SN_ROLE_NONE ? body->first[next][label->side] : SN_NONE;
    // Below a hand hang props too, so only fingers say where it points.
    if (label->role == SN_ROLE_HAND)
        end = hand_tip(body, label->side);
    else if (end == SN_NONE)
        end = sni_tree_longest_child(&body->tree, joint);
    if (end == SN_NONE ||
        !(sn_distance(body->tree.points[end], body->tree.points[joint]) > 1e-4f * body->height))
        return false;
    *out = body->tree.points[end];
    return true;
}

// -------------------------------------------------------------------------------------------------- all

static void find_carrier(sniBody* body) {
    body->carrier = body->first[SN_ROLE_HIPS][SN_SIDE_NONE];
    if (body->carrier == SN_NONE) return;
    for (int s = SN_SIDE_LEFT; s <= SN_SIDE_RIGHT; s++) {
        uint32_t common = sni_tree_common(&body->tree, body->carrier, body->first[SN_ROLE_UPPER_LEG][s]);
        if (common != SN_NONE) body->carrier = common;
    }
    // A spine beside the hips is carried too.
    uint32_t common = sni_tree_common(&body->tree, body->carrier, body->first[SN_ROLE_SPINE][SN_SIDE_NONE]);
    if (common != SN_NONE) body->carrier = common;
}

snResult sni_body_create(sniBody* body, const snSkeleton* skeleton, const snAllocator* memory) {
    *body = (sniBody){.skeleton = skeleton};
    body->labels = SNI_NEW_ARRAY(memory, snLabel, skeleton->joint_count);
    body->rotations = SNI_NEW_ARRAY(memory, snQuat, skeleton->joint_count);
    snResult result = SN_RESULT_OUT_OF_MEMORY;
    if (body->labels != NULL && body->rotations != NULL && sni_tree_create(&body->tree, skeleton, memory))
        result = sn_skeleton_label(skeleton, memory, body->labels);
    if (result != SN_RESULT_OK) {
        sni_body_destroy(body, memory);
        return result;
    }
    for (uint32_t i = 0; i < skeleton->joint_count; i++) {
        uint32_t j = skeleton->order[i];
        uint32_t parent = skeleton->parents[j];
        snQuat local = skeleton->rest[j].rotation;
        body->rotations[j] =
            parent == SN_NONE ? local : sn_quat_normalize(sn_quat_mul(body->rotations[parent], local));
    }
    find_segments(body);
    find_carrier(body);
    snVec3 up = find_up(body);
    body->frame = frame_of(find_left(body, up), up);
    find_ground(body);
    find_ends(body);
    measure_legs(body);
    return SN_RESULT_OK;
}

void sni_body_destroy(sniBody* body, const snAllocator* memory) {
    sni_free(memory, body->labels);
    sni_free(memory, body->rotations);
    sni_tree_destroy(&body->tree, memory);
    *body = (sniBody){0};
}
