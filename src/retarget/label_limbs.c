// Limbs whose names say too little, or lie, by their bones: how long these are and which way they go.
#include "retarget/label.h"

// The two bones of a limb are about as long: the upper one is at least this part of the lower. Judged on the
// dragon, whose shins are called ankles, and on people, whose feet are a third of their shins.
#define LIKE_LENGTH 0.5f
// A bone this near to sideways, a cosine, goes sideways. Judged on the dinosaurs of one make, whose stubs go
// straight across, and on hips of people, which slope.
#define SIDEWAYS 0.8f
// Pieces of one bone go on within 30 degrees, a cosine. Judged on people cut in pieces, which are straight
// within 12, and on horse, stag and alpaca, whose knees rest bent by 66 to 81.
#define STRAIGHT 0.866f

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
        if (sni_label_is(&labels[ankle], end.role, end.side) &&
            sni_label_is(&labels[upper], (snRole)(lower - 1), end.side) &&
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
        if (sni_label_is(&labels[c], role, side) && !labels[c].twist) return c;
    return SN_NONE;
}

// The first joint from `from` on that begins an upper limb of two pieces with a lower one below; SN_NONE:
// none.
static uint32_t next_double(const sniTree* tree, const snLabel* labels, uint32_t from, snRole upper,
                            snSide side) {
    for (uint32_t j = from; j < tree->skeleton->joint_count; j++) {
        if (!sni_label_is(&labels[j], upper, side) || labels[j].twist) continue;
        uint32_t next = child_of(tree, labels, j, upper, side);
        if (next != SN_NONE && child_of(tree, labels, next, (snRole)(upper + 1), side) != SN_NONE) return j;
    }
    return SN_NONE;
}

static const snRole UPPERS[2] = {SN_ROLE_UPPER_ARM, SN_ROLE_UPPER_LEG};

// Joints of a limb whose upper piece is two: where it begins, the second piece, the lower limb.
typedef struct Double {
    uint32_t first, second, lower;
} Double;

static Double double_at(const sniTree* tree, const snLabel* labels, uint32_t first) {
    const snLabel* label = &labels[first];
    Double out = {first, child_of(tree, labels, first, label->role, label->side), SN_NONE};
    out.lower = child_of(tree, labels, out.second, (snRole)(label->role + 1), label->side);
    return out;
}

// "FrontLeg, FrontUpLeg, FrontLowLeg": of two upper pieces the first is none of the limb where it goes
// sideways to the place that the limb hangs from: it belongs to the pelvis or the chest. The n-th on the left
// is the other one's on the right.
void sni_label_stubs(const sniTree* tree, snLabel* labels) {
    for (int u = 0; u < 2; u++) {
        uint32_t left = next_double(tree, labels, 0, UPPERS[u], SN_SIDE_LEFT);
        uint32_t right = next_double(tree, labels, 0, UPPERS[u], SN_SIDE_RIGHT);
        while (left != SN_NONE && right != SN_NONE) {
            Double a = double_at(tree, labels, left), b = double_at(tree, labels, right);
            snVec3 across = bone_between(tree, b.second, a.second);
            float stub = sn_dot(bone_between(tree, a.first, a.second), across);
            float limb = sn_dot(bone_between(tree, a.second, a.lower), across);
            if (stub >= SIDEWAYS && limb <= 0.5f && limb >= -0.5f) {
                sni_label_forget(&labels[left]);
                sni_label_forget(&labels[right]);
            }
            left = next_double(tree, labels, left + 1, UPPERS[u], SN_SIDE_LEFT);
            right = next_double(tree, labels, right + 1, UPPERS[u], SN_SIDE_RIGHT);
        }
    }
}

static bool is_below(const sniTree* tree, uint32_t top, uint32_t joint) {
    return joint == top || sni_tree_above(tree, top, joint);
}

// "BackLeg, BackUpperLeg, BackLowerLeg" of animals are thigh, shin and what lies between hock and toes: a
// bone that is cut in two is straight, so two pieces with a bend between them are two bones, and all that
// follows is one further.
void sni_label_bent(const sniTree* tree, snLabel* labels) {
    for (int u = 0; u < 2; u++) {
        snRole upper = UPPERS[u], end = (snRole)(upper + 2);
        for (int s = SN_SIDE_LEFT; s <= SN_SIDE_RIGHT; s++) {
            snSide side = (snSide)s;
            for (uint32_t j = 0; (j = next_double(tree, labels, j, upper, side)) != SN_NONE; j++) {
                Double limb = double_at(tree, labels, j);
                float straight = sn_dot(bone_between(tree, limb.first, limb.second),
                                        bone_between(tree, limb.second, limb.lower));
                if (straight > STRAIGHT) continue;
                for (uint32_t k = 0; k < tree->skeleton->joint_count; k++) {
                    if (labels[k].side != side || !is_below(tree, limb.second, k)) continue;
                    if (labels[k].role >= upper && labels[k].role < end)
                        labels[k].role = (snRole)(labels[k].role + 1);
                    else if (labels[k].role == SN_ROLE_FOOT)
                        labels[k].role = SN_ROLE_TOES;
                }
            }
        }
    }
}
