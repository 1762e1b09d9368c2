// Limbs whose names say too little, or lie, by their bones: how long these are and which way they go.
#include "retarget/label.h"

// The two bones of a limb are about as long: the upper one is at least this part of the lower. Judged.
#define LIKE_LENGTH 0.5f
// A bone this near to sideways, a cosine, goes sideways. Judged.
#define SIDEWAYS 0.8f

static void forget(snLabel* label) { *label = (snLabel){SN_ROLE_NONE, SN_SIDE_NONE, 0, false, 0.0f}; }

static bool is_label(const snLabel* label, snRole role, snSide side) {
    return label->role == role && label->side == side;
}

// "leg, ankle, foot": what lies between an upper limb and a foot and is about as long as the limb's bone is
// its lower one, whatever it is called; from an ankle to the ball of a foot it is far shorter.
void sni_label_ankles(const sniTree* tree, snLabel* labels) {
    const snVec3* points = tree->points;
    for (uint32_t j = 0; j < tree->skeleton->joint_count; j++) {
        const snLabel end = labels[j];
        bool arm = end.role == SN_ROLE_HAND;
        uint32_t ankle = tree->skeleton->parents[j];
        if ((!arm && end.role != SN_ROLE_FOOT) || ankle == SN_NONE ||
            tree->skeleton->parents[ankle] == SN_NONE)
            continue;
        uint32_t upper = tree->skeleton->parents[ankle];
        snRole lower = arm ? SN_ROLE_LOWER_ARM : SN_ROLE_LOWER_LEG;
        if (is_label(&labels[ankle], end.role, end.side) &&
            is_label(&labels[upper], (snRole)(lower - 1), end.side) &&
            sn_distance(points[ankle], points[j]) > LIKE_LENGTH * sn_distance(points[upper], points[ankle]))
            labels[ankle].role = lower;
    }
}

static snVec3 bone_between(const sniTree* tree, uint32_t from, uint32_t to) {
    return sn_normalize_or(sn_sub(tree->points[to], tree->points[from]), sn_vec3(0.0f, 0.0f, 0.0f));
}

// The joint of that role on that side right below a joint, or SN_NONE.
static uint32_t child_of(const sniTree* tree, const snLabel* labels, uint32_t joint, snRole role,
                         snSide side) {
    for (uint32_t c = tree->first_child[joint]; c != SN_NONE; c = tree->next_sibling[c])
        if (is_label(&labels[c], role, side) && !labels[c].twist) return c;
    return SN_NONE;
}

// "FrontLeg, FrontUpLeg, FrontLowLeg": of two upper pieces the first is none of the limb where it goes
// sideways to the place that the limb hangs from: it belongs to the pelvis or the chest.
void sni_label_stubs(const sniTree* tree, snLabel* labels) {
    for (uint32_t j = 0; j < tree->skeleton->joint_count; j++) {
        const snLabel label = labels[j];
        bool arm = label.role == SN_ROLE_UPPER_ARM;
        if ((!arm && label.role != SN_ROLE_UPPER_LEG) || label.side == SN_SIDE_NONE || label.twist) continue;
        uint32_t next = child_of(tree, labels, j, label.role, label.side);
        uint32_t lower = next != SN_NONE ? child_of(tree, labels, next,
                                                    arm ? SN_ROLE_LOWER_ARM : SN_ROLE_LOWER_LEG, label.side)
                                         : SN_NONE;
        if (lower == SN_NONE) continue;
        snSide side = label.side == SN_SIDE_LEFT ? SN_SIDE_RIGHT : SN_SIDE_LEFT;
        for (uint32_t k = 0; k < tree->skeleton->joint_count; k++) {
            uint32_t other = is_label(&labels[k], label.role, side)
                                 ? child_of(tree, labels, k, label.role, side)
                                 : SN_NONE;
            if (other == SN_NONE) continue;
            snVec3 across = bone_between(tree, other, next);
            float stub = sn_dot(bone_between(tree, j, next), across);
            float limb = sn_dot(bone_between(tree, next, lower), across);
            if (stub < SIDEWAYS || limb > 0.5f || limb < -0.5f) continue;
            forget(&labels[j]);
            forget(&labels[k]);
            break;
        }
    }
}
