// From what names say to what joints are. Names lie: meshes hang in the tree under the name of the bone they
// follow, controls copy the names of what they control, and "leg" is the thigh in one rig and the shin in
// another. So a name is only a candidate; a joint keeps its role where the tree agrees: a hand below its
// forearm, a spine on the way from the hips to the head.
#include "retarget/label.h"
#include "base/memory.h"

typedef struct Labeller {
    sniTree tree;
    const snSkeleton* skeleton;
    snLabel* labels;
    uint32_t* weight; // labelled joints below and including each joint
} Labeller;

const char* sn_role_name(snRole role) {
    static const char* const names[SN_ROLE_COUNT] = {
        "none",      "root",      "hips",      "spine", "neck",  "head",   "shoulder",
        "upper arm", "lower arm", "hand",      "thumb", "index", "middle", "ring",
        "little",    "upper leg", "lower leg", "foot",  "toes",  "tail"};
    return (uint32_t)role < SN_ROLE_COUNT ? names[role] : names[0];
}

const char* sn_side_name(snSide side) {
    return side == SN_SIDE_LEFT ? "left" : (side == SN_SIDE_RIGHT ? "right" : "");
}

static bool is_arm(uint32_t role) { return role >= SN_ROLE_SHOULDER && role <= SN_ROLE_LITTLE; }
static bool is_leg(uint32_t role) { return role >= SN_ROLE_UPPER_LEG && role <= SN_ROLE_TOES; }
static bool is_finger(uint32_t role) { return role >= SN_ROLE_THUMB && role <= SN_ROLE_LITTLE; }
static bool is_limb(uint32_t role) { return is_arm(role) || is_leg(role); }

// The nearest joint above `j` with that role and side, helpers excepted; SN_NONE when there is none.
static uint32_t find_above(const Labeller* l, uint32_t j, snRole role, snSide side) {
    uint32_t at = l->skeleton->parents[j];
    while (at != SN_NONE && (!sni_label_is(&l->labels[at], role, side) || l->labels[at].twist))
        at = l->skeleton->parents[at];
    return at;
}

// ------------------------------------------------------------------------------------------- from names

// The role after that of the nearest joint of the same limb above.
static snRole next_in_limb(const Labeller* l, uint32_t j, bool leg, snSide side) {
    for (uint32_t at = l->skeleton->parents[j]; at != SN_NONE; at = l->skeleton->parents[at]) {
        const snLabel* above = &l->labels[at];
        if (above->side != side) continue;
        if (leg && is_leg(above->role)) {
            return above->role < SN_ROLE_TOES ? (snRole)(above->role + 1) : SN_ROLE_NONE;
        }
        if (!leg && is_arm(above->role)) {
            // Front legs go on below the wrist, as feet do in toes.
            return above->role < SN_ROLE_HAND    ? (snRole)(above->role + 1)
                   : above->role == SN_ROLE_HAND ? SN_ROLE_HAND
                                                 : SN_ROLE_NONE;
        }
    }
    return leg ? SN_ROLE_UPPER_LEG : SN_ROLE_UPPER_ARM;
}

static void label_by_names(Labeller* l) {
    for (uint32_t i = 0; i < l->skeleton->joint_count; i++) {
        uint32_t j = l->skeleton->order[i];
        uint32_t parent = l->skeleton->parents[j];
        sni_label_forget(&l->labels[j]);
        // A mesh or an empty that hangs below the bone whose name it copies.
        if (parent != SN_NONE && strcmp(l->skeleton->names[j], l->skeleton->names[parent]) == 0) continue;
        sniName name = sni_name_parse(l->skeleton->names[j]);
        if (name.role == SNI_ROLE_ANY_LEG || name.role == SNI_ROLE_ANY_ARM)
            name.role = next_in_limb(l, j, name.role == SNI_ROLE_ANY_LEG, name.side);
        if (name.role == SN_ROLE_NONE || (is_limb(name.role) && name.side == SN_SIDE_NONE)) continue;
        l->labels[j] = (snLabel){(snRole)name.role, name.side, 0, name.twist, name.confidence};
    }
}

// "LeftCollar, LeftShoulder, LeftElbow" and "LeftHip, LeftKnee": the joint above a lower limb is its upper
// one, whatever it is called. Hips with a side that lead no leg are helpers of the pelvis.
static void promote_upper_limbs(Labeller* l) {
    for (uint32_t j = 0; j < l->skeleton->joint_count; j++) {
        snLabel* label = &l->labels[j];
        bool arm = label->role == SN_ROLE_LOWER_ARM;
        if ((!arm && label->role != SN_ROLE_LOWER_LEG) || label->twist) continue;
        snRole upper = arm ? SN_ROLE_UPPER_ARM : SN_ROLE_UPPER_LEG;
        if (find_above(l, j, upper, label->side) != SN_NONE) continue;
        uint32_t above = find_above(l, j, arm ? SN_ROLE_SHOULDER : SN_ROLE_HIPS, label->side);
        if (above != SN_NONE) l->labels[above].role = upper;
    }
    for (uint32_t j = 0; j < l->skeleton->joint_count; j++) {
        if (l->labels[j].role == SN_ROLE_HIPS && l->labels[j].side != SN_SIDE_NONE)
            sni_label_forget(&l->labels[j]);
    }
}

// ------------------------------------------------------------------------------------------ by the tree

static void weigh(Labeller* l) {
    for (uint32_t j = 0; j < l->skeleton->joint_count; j++)
        l->weight[j] = l->labels[j].role != SN_ROLE_NONE && !l->labels[j].twist ? 1 : 0;
    for (uint32_t i = l->skeleton->joint_count; i-- > 0;) {
        uint32_t j = l->skeleton->order[i];
        uint32_t parent = l->skeleton->parents[j];
        if (parent != SN_NONE) l->weight[parent] += l->weight[j];
    }
}

// Is a a better bearer of the role than b? The one that carries more of the body, then the surer name, then
// the longer one.
static bool is_better(const Labeller* l, uint32_t a, uint32_t b) {
    if (b == SN_NONE) return true;
    if (l->weight[a] != l->weight[b]) return l->weight[a] > l->weight[b];
    if (l->labels[a].confidence != l->labels[b].confidence)
        return l->labels[a].confidence > l->labels[b].confidence;
    return l->tree.reach[a] > l->tree.reach[b];
}

// The topmost best joint of a role, below `above` when that is given.
static uint32_t find_best(const Labeller* l, snRole role, snSide side, uint32_t above) {
    uint32_t best = SN_NONE;
    for (uint32_t i = 0; i < l->skeleton->joint_count; i++) {
        uint32_t j = l->skeleton->order[i];
        if (!sni_label_is(&l->labels[j], role, side) || l->labels[j].twist) continue;
        if (above != SN_NONE && !sni_tree_above(&l->tree, above, j)) continue;
        if (is_better(l, j, best)) best = j;
    }
    return best;
}

// Feet of some rigs hang from the root, moved there by a constraint that the file has lost; they still stand
// where the shin ends.
static bool stands_at_leg_end(const Labeller* l, uint32_t foot, uint32_t shin) {
    const snVec3* points = l->tree.points;
    uint32_t thigh = find_above(l, shin, SN_ROLE_UPPER_LEG, l->labels[shin].side);
    if (thigh == SN_NONE || sni_tree_above(&l->tree, foot, shin)) return false;
    float length = sn_distance(points[thigh], points[shin]);
    float off = sn_distance(points[foot], points[shin]) - l->tree.reach[shin];
    return l->tree.reach[shin] > 0.0f && sn_distance(points[foot], points[thigh]) > length &&
           off < 0.25f * length && off > -0.5f * l->tree.reach[shin];
}

// Keeps, of one segment, the best joint below the segment before it and its own chain; `more` keeps all.
static void keep_segment(Labeller* l, snRole role, snSide side, uint32_t above, bool more) {
    uint32_t best = above != SN_NONE ? find_best(l, role, side, above) : SN_NONE;
    if (best == SN_NONE && role == SN_ROLE_FOOT && above != SN_NONE) {
        best = find_best(l, role, side, SN_NONE);
        if (best != SN_NONE && !stands_at_leg_end(l, best, above)) best = SN_NONE;
    }
    for (uint32_t j = 0; j < l->skeleton->joint_count; j++) {
        if (!sni_label_is(&l->labels[j], role, side) || j == best) continue;
        bool below = best != SN_NONE && sni_tree_above(&l->tree, best, j);
        bool beside = more && best != SN_NONE && above != SN_NONE && sni_tree_above(&l->tree, above, j);
        // Below: part of the chain when the limb goes on through it, or a helper.
        bool chain = below && (l->weight[j] > 1 || l->labels[j].twist || is_finger(role) ||
                               role == SN_ROLE_HAND || role == SN_ROLE_FOOT);
        if (!chain && !beside) sni_label_forget(&l->labels[j]);
    }
}

// A limb from its top down; each segment must hang below the one before it (the last that was found).
static void keep_limb(Labeller* l, snSide side, const snRole* roles, uint32_t count, uint32_t above) {
    for (uint32_t r = 0; r < count; r++) {
        if (r == 0 && above == SN_NONE) above = l->skeleton->order[0];
        bool more = roles[r] == SN_ROLE_HAND || roles[r] == SN_ROLE_TOES;
        keep_segment(l, roles[r], side, above, more);
        uint32_t best = find_best(l, roles[r], side, SN_NONE);
        if (best != SN_NONE) above = best;
    }
}

// "Foot01, Foot02": where no joint is called toe, what hangs below the foot is the toes.
static void promote_toes(Labeller* l, snSide side) {
    if (find_best(l, SN_ROLE_TOES, side, SN_NONE) != SN_NONE) return;
    for (uint32_t i = 0; i < l->skeleton->joint_count; i++) {
        uint32_t j = l->skeleton->order[i];
        if (sni_label_is(&l->labels[j], SN_ROLE_FOOT, side) &&
            find_above(l, j, SN_ROLE_FOOT, side) != SN_NONE)
            l->labels[j].role = SN_ROLE_TOES;
    }
}

// A shoulder that carries no arm, where another joint has it, is one of wings or of armour.
static void drop_idle_shoulders(Labeller* l, snSide side) {
    if (find_best(l, SN_ROLE_UPPER_ARM, side, SN_NONE) == SN_NONE) return;
    for (uint32_t j = 0; j < l->skeleton->joint_count; j++) {
        if (sni_label_is(&l->labels[j], SN_ROLE_SHOULDER, side) &&
            find_best(l, SN_ROLE_UPPER_ARM, side, j) == SN_NONE)
            sni_label_forget(&l->labels[j]);
    }
}

// The lowest joint from the trunk's on up that carries arms; the trunk itself where there are none.
static uint32_t find_arms(const Labeller* l, uint32_t trunk) {
    for (uint32_t from = trunk; from != SN_NONE; from = l->skeleton->parents[from]) {
        for (int s = SN_SIDE_LEFT; s <= SN_SIDE_RIGHT; s++)
            if (find_best(l, SN_ROLE_UPPER_ARM, (snSide)s, from) != SN_NONE) return from;
    }
    return trunk;
}

// Below the hips where those are found; some rigs hang legs beside the hips, so legs only need a tree, and
// some arms too.
static void keep_limbs(Labeller* l, uint32_t trunk) {
    static const snRole arm[] = {SN_ROLE_SHOULDER, SN_ROLE_UPPER_ARM, SN_ROLE_LOWER_ARM, SN_ROLE_HAND};
    static const snRole leg[] = {SN_ROLE_UPPER_LEG, SN_ROLE_LOWER_LEG, SN_ROLE_FOOT, SN_ROLE_TOES};
    uint32_t arms = find_arms(l, trunk);
    for (int s = SN_SIDE_LEFT; s <= SN_SIDE_RIGHT; s++) {
        snSide side = (snSide)s;
        drop_idle_shoulders(l, side);
        keep_limb(l, side, arm, 4, arms);
        uint32_t hand = find_best(l, SN_ROLE_HAND, side, SN_NONE);
        uint32_t forearm = find_best(l, SN_ROLE_LOWER_ARM, side, SN_NONE);
        for (uint32_t f = SN_ROLE_THUMB; f <= SN_ROLE_LITTLE; f++)
            keep_segment(l, (snRole)f, side, forearm != SN_NONE ? forearm : hand, false);
        uint32_t thigh = find_best(l, SN_ROLE_UPPER_LEG, side, SN_NONE);
        keep_limb(l, side, leg, 4, thigh != SN_NONE ? l->skeleton->parents[thigh] : SN_NONE);
        promote_toes(l, side);
    }
}

// ------------------------------------------------------------------------------------------------ trunk

static uint32_t find_hips(Labeller* l) {
    uint32_t left = find_best(l, SN_ROLE_UPPER_LEG, SN_SIDE_LEFT, SN_NONE);
    uint32_t right = find_best(l, SN_ROLE_UPPER_LEG, SN_SIDE_RIGHT, SN_NONE);
    uint32_t named = find_best(l, SN_ROLE_HIPS, SN_SIDE_NONE, SN_NONE);
    uint32_t hips = named;
    if (hips == SN_NONE && left != SN_NONE && right != SN_NONE) hips = sni_tree_common(&l->tree, left, right);
    for (uint32_t j = 0; j < l->skeleton->joint_count; j++) {
        if (l->labels[j].role == SN_ROLE_HIPS && j != hips) sni_label_forget(&l->labels[j]);
    }
    if (hips != SN_NONE && hips != named)
        l->labels[hips] = (snLabel){SN_ROLE_HIPS, SN_SIDE_NONE, 0, false, 0.8f};
    return hips;
}

// Where the trunk begins: at the hips, or at the joint from which hips and spine go their ways side by side.
static uint32_t find_base(const Labeller* l, uint32_t hips) {
    if (hips == SN_NONE) return hips;
    for (uint32_t j = 0; j < l->skeleton->joint_count; j++) {
        uint32_t role = l->labels[j].role;
        bool trunk = role == SN_ROLE_SPINE || role == SN_ROLE_HEAD || role == SN_ROLE_UPPER_ARM;
        if (trunk && sni_tree_above(&l->tree, hips, j)) return hips;
    }
    uint32_t head = find_best(l, SN_ROLE_HEAD, SN_SIDE_NONE, SN_NONE);
    uint32_t base = head != SN_NONE ? sni_tree_common(&l->tree, hips, head) : SN_NONE;
    return base != SN_NONE ? base : hips;
}

// The joint from which the arms leave the trunk.
static uint32_t find_chest(const Labeller* l) {
    uint32_t tops[2];
    for (int s = 0; s < 2; s++) {
        tops[s] = find_best(l, SN_ROLE_SHOULDER, (snSide)(s + 1), SN_NONE);
        if (tops[s] == SN_NONE) tops[s] = find_best(l, SN_ROLE_UPPER_ARM, (snSide)(s + 1), SN_NONE);
        if (tops[s] == SN_NONE) return SN_NONE;
    }
    return sni_tree_common(&l->tree, tops[0], tops[1]);
}

// "spine, spine.001 ... spine.006": where nothing is called neck or head, what goes on above the arms is.
static void promote_necks(Labeller* l, uint32_t hips, uint32_t chest) {
    if (chest == SN_NONE || find_best(l, SN_ROLE_NECK, SN_SIDE_NONE, hips) != SN_NONE) return;
    for (uint32_t j = 0; j < l->skeleton->joint_count; j++)
        if (l->labels[j].role == SN_ROLE_SPINE && sni_tree_above(&l->tree, chest, j))
            l->labels[j].role = SN_ROLE_NECK;
}

// Where the trunk ends: the head, else the last of the neck, else the chest.
static uint32_t find_top(Labeller* l, uint32_t hips, uint32_t chest) {
    uint32_t head = find_best(l, SN_ROLE_HEAD, SN_SIDE_NONE, hips);
    if (head != SN_NONE) return head;
    promote_necks(l, hips, chest);
    uint32_t neck = SN_NONE;
    uint32_t necks = 0;
    for (uint32_t i = 0; i < l->skeleton->joint_count; i++) {
        uint32_t j = l->skeleton->order[i];
        if (l->labels[j].role != SN_ROLE_NECK || !sni_tree_above(&l->tree, hips, j)) continue;
        neck = j;
        necks++;
    }
    if (necks >= 2) l->labels[neck].role = SN_ROLE_HEAD;
    return neck != SN_NONE ? neck : chest;
}

// Everything between base and top is spine or neck, whatever it is called; nothing else is.
static void label_trunk(Labeller* l, uint32_t base, uint32_t top, uint32_t chest) {
    for (uint32_t j = 0; j < l->skeleton->joint_count; j++) {
        snLabel* label = &l->labels[j];
        bool trunk =
            label->role == SN_ROLE_SPINE || label->role == SN_ROLE_NECK || label->role == SN_ROLE_HEAD;
        bool on_path = j == top || (sni_tree_above(&l->tree, base, j) && sni_tree_above(&l->tree, j, top));
        if (trunk && !on_path) sni_label_forget(label);
        if (!on_path || trunk || is_limb(label->role)) continue;
        bool above_chest = chest != SN_NONE && sni_tree_above(&l->tree, chest, j);
        *label = (snLabel){above_chest ? SN_ROLE_NECK : SN_ROLE_SPINE, SN_SIDE_NONE, 0, false, 0.5f};
    }
}

static void label_roots(Labeller* l, uint32_t hips) {
    for (uint32_t j = 0; j < l->skeleton->joint_count; j++) {
        bool above = sni_tree_above(&l->tree, j, hips);
        if (l->labels[j].role == SN_ROLE_ROOT && !above) sni_label_forget(&l->labels[j]);
        if (above && l->labels[j].role != SN_ROLE_ROOT)
            l->labels[j] = (snLabel){SN_ROLE_ROOT, SN_SIDE_NONE, 0, false, 0.5f};
    }
}

// ------------------------------------------------------------------------------------------------- all

// A joint on its limb's own line is no helper even when its name says twist.
static void settle_twists(Labeller* l) {
    weigh(l);
    for (uint32_t j = 0; j < l->skeleton->joint_count; j++) {
        snLabel* label = &l->labels[j];
        if (!label->twist) continue;
        bool segment = label->role == SN_ROLE_UPPER_ARM || label->role == SN_ROLE_LOWER_ARM ||
                       label->role == SN_ROLE_UPPER_LEG || label->role == SN_ROLE_LOWER_LEG;
        if (l->weight[j] > 0)
            label->twist = false;
        else if (!segment || find_above(l, j, label->role, label->side) == SN_NONE)
            sni_label_forget(label);
    }
}

static void number_chains(Labeller* l) {
    for (uint32_t i = 0; i < l->skeleton->joint_count; i++) {
        uint32_t j = l->skeleton->order[i];
        uint32_t above = l->labels[j].role != SN_ROLE_NONE
                             ? find_above(l, j, l->labels[j].role, l->labels[j].side)
                             : SN_NONE;
        l->labels[j].index = above != SN_NONE ? l->labels[above].index + 1 : 0;
    }
}

// How many of the body's main parts have a bearer.
static uint32_t count_main(const Labeller* l) {
    static const snRole sided[] = {SN_ROLE_UPPER_ARM, SN_ROLE_LOWER_ARM, SN_ROLE_UPPER_LEG,
                                   SN_ROLE_LOWER_LEG};
    uint32_t count = find_best(l, SN_ROLE_HEAD, SN_SIDE_NONE, SN_NONE) != SN_NONE ? 1 : 0;
    for (uint32_t r = 0; r < 4; r++) {
        for (int s = SN_SIDE_LEFT; s <= SN_SIDE_RIGHT; s++)
            count += find_best(l, sided[r], (snSide)s, SN_NONE) != SN_NONE ? 1 : 0;
    }
    return count;
}

static void label_all(Labeller* l) {
    label_by_names(l);
    promote_upper_limbs(l);
    sni_label_ankles(&l->tree, l->labels);
    sni_label_stubs(&l->tree, l->labels);
    sni_label_bent(&l->tree, l->labels);
    weigh(l);
    uint32_t hips = find_hips(l);
    uint32_t base = find_base(l, hips);
    weigh(l);
    keep_limbs(l, base);
    weigh(l);
    if (hips != SN_NONE) {
        uint32_t chest = find_chest(l);
        if (!sni_tree_above(&l->tree, base, chest)) chest = SN_NONE;
        label_trunk(l, base, find_top(l, base, chest), chest);
        label_roots(l, hips);
    }
    settle_twists(l);
    // Four of nine is what a rig without arms or with odd names still reaches; below that names say nothing.
    if (count_main(l) < 4) sni_label_structure(&l->tree, l->labels);
    number_chains(l);
}

bool sni_label_joints(const snSkeleton* skeleton, const snAllocator* memory, snLabel* out_labels) {
    Labeller l = {.skeleton = skeleton};
    if (!sni_tree_create(&l.tree, skeleton, memory)) return false;
    l.weight = SNI_NEW_ARRAY(memory, uint32_t, skeleton->joint_count);
    l.labels = SNI_NEW_ARRAY(memory, snLabel, skeleton->joint_count);
    bool enough = l.weight != NULL && l.labels != NULL;
    if (enough) {
        label_all(&l);
        memcpy(out_labels, l.labels, skeleton->joint_count * sizeof *out_labels);
    }
    sni_free(memory, l.weight);
    sni_free(memory, l.labels);
    sni_tree_destroy(&l.tree, memory);
    return enough;
}
