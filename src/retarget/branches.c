// What leaves the trunk: tail, neck, limbs and wings. A body that lies rests on its trunk; what of its
// branches would then sink is raised where it leaves. Tails hang lower than the body that they swing behind,
// and wings reach further: they do not lift it, and are raised at any time.
#include "base/memory.h"
#include "retarget/retarget.h"

// Nothing is raised by more, and no neck; radians. Judged.
#define RAISE_MOST 1.5f
#define NECK_MOST 0.8f
// What hangs on tail and body is raised by less than the tail; the second time takes up most of it.
enum { FREE_PASSES = 3 };
// What is further off the plane that a branch is raised in, or further back than its root, is left to lie:
// cosines. Antlers of a deer on its side. Judged.
#define IN_PLANE 0.7f
#define BEHIND (-0.2f)
// Joints of no role that lead further from the trunk than this part of its length are branches, as wings are;
// others are of the trunk, as bellies are. Judged.
#define LONG_PART 0.5f
// They are free of the ground where all of them rests so high, part of the height. Judged.
#define FREE_HIGH 0.25f
// What of an upper limb is nearer to where it begins, part of its bone, is of the trunk.
#define NEAR_TRUNK 0.5f

// -------------------------------------------------------------------------------------------------- finding

static bool is_of_trunk(snRole role) {
    return sni_is_trunk(role) || role == SN_ROLE_SHOULDER || role == SN_ROLE_ROOT;
}

// Where the branch of a joint begins: its highest joint with a role, else the highest of all; SN_NONE: it is
// of the trunk.
static uint32_t branch_root(const sniRetarget* r, uint32_t joint) {
    uint32_t root = SN_NONE, known = SN_NONE;
    for (uint32_t j = joint; j != SN_NONE && !is_of_trunk(r->target.labels[j].role); j = r->attach[j]) {
        root = j;
        if (r->target.labels[j].role != SN_ROLE_NONE) known = j;
    }
    return known != SN_NONE ? known : root;
}

static float trunk_length(const sniRetarget* r) {
    snVec3 hips = sni_body_point(&r->target, r->hips);
    float length = 0.0f;
    for (uint32_t j = 0; j < r->target.skeleton->joint_count; j++)
        if (r->target.labels[j].role == SN_ROLE_SPINE || r->target.labels[j].role == SN_ROLE_NECK)
            length = sn_maxf(length, sn_distance(hips, sni_body_point(&r->target, j)));
    return length;
}

static bool is_near_trunk(const sniRetarget* r, const sniGroundPoint* point, uint32_t root) {
    snVec3 end;
    snRole role = r->target.labels[root].role;
    if (role != SN_ROLE_UPPER_ARM && role != SN_ROLE_UPPER_LEG) return false;
    if (!sni_body_bone_end(&r->target, root, &end)) return false;
    float bone = sn_distance(end, r->target.tree.points[root]);
    return sn_distance(point->rest, sni_body_point(&r->target, root)) < NEAR_TRUNK * bone;
}

static uint32_t find_branch(sniRetarget* r, uint32_t root) {
    for (uint32_t b = 0; b < r->branch_count; b++)
        if (r->branches[b].root == root) return b;
    r->branches[r->branch_count] =
        (sniBranch){.root = root, .role = r->target.labels[root].role, .low = INFINITY};
    return r->branch_count++;
}

// Tails and wings bear nobody: no role, and nowhere near the ground at rest.
static bool is_free(const sniRetarget* r, const sniBranch* branch, float ground) {
    return branch->role == SN_ROLE_TAIL ||
           (branch->role == SN_ROLE_NONE && branch->low - ground > FREE_HIGH * r->target.height);
}

// Joints of no role that are short belong to the trunk.
static void settle_points(sniRetarget* r, float ground) {
    float trunk = trunk_length(r);
    for (uint32_t b = 0; b < r->branch_count; b++) r->branches[b].free = is_free(r, &r->branches[b], ground);
    for (uint32_t p = 0; p < r->ground_count; p++) {
        sniGroundPoint* point = &r->ground[p];
        if (point->branch == SN_NONE) continue;
        const sniBranch* branch = &r->branches[point->branch];
        if (branch->role == SN_ROLE_NONE && branch->reach < LONG_PART * trunk) point->branch = SN_NONE;
        point->free = point->branch != SN_NONE && branch->free;
    }
}

bool sni_branches_create(sniRetarget* r) {
    float ground = INFINITY;
    r->branches = SNI_NEW_ARRAY(&r->memory, sniBranch, r->target.skeleton->joint_count);
    if (r->branches == NULL) return false;
    for (uint32_t p = 0; p < r->ground_count; p++) {
        sniGroundPoint* point = &r->ground[p];
        uint32_t root = branch_root(r, point->main);
        ground = sn_minf(ground, point->rest.y);
        point->branch = SN_NONE;
        if (root == SN_NONE || point->prop || is_near_trunk(r, point, root)) continue;
        point->branch = find_branch(r, root);
        sniBranch* branch = &r->branches[point->branch];
        snVec3 away = sn_sub(point->rest, sni_body_point(&r->target, root));
        branch->reach = sn_maxf(branch->reach, sn_length(away));
        branch->middle = sn_add(branch->middle, away);
        branch->low = sn_minf(branch->low, point->rest.y);
    }
    settle_points(r, ground);
    return true;
}

// -------------------------------------------------------------------------------------------------- raising

// The way over the ground in which a branch leads from its root; behind the body where it hangs.
static snVec3 way_of(const sniRetarget* r, const sniBranch* branch, uint32_t frame) {
    const snQuat* turns = r->turns + (size_t)frame * r->target.skeleton->joint_count;
    snVec3 along =
        sn_quat_rotate(turns[branch->root], sn_normalize_or(branch->middle, sn_vec3(0.0f, 0.0f, 0.0f)));
    snVec3 behind = sn_quat_rotate(turns[r->hips], sn_vec3(0.0f, 0.0f, -1.0f));
    snVec3 flat = sn_vec3(along.x + 0.01f * behind.x, 0.0f, along.z + 0.01f * behind.z);
    return sn_normalize_or(flat, sn_vec3(0.0f, 0.0f, -1.0f));
}

// The angle by which a point has to be raised, from where it is beside the root of its branch.
static float angle_of(snVec3 away, snVec3 way, float height) {
    float along = sn_dot(away, way), far = sqrtf(along * along + away.y * away.y);
    if (!(far > IN_PLANE * sn_length(away)) || along < BEHIND * far) return 0.0f;
    float sine = sn_clampf(height / far, 0.0f, 1.0f);
    return sn_atan2(-away.y, along) - sn_atan2(sine, sqrtf(1.0f - sine * sine));
}

// By how much a branch has to be raised about its root in a frame that has been placed, in radians.
static float needed_raise(const sniRetarget* r, uint32_t b, uint32_t frame) {
    const sniBranch* branch = &r->branches[b];
    snVec3 root = r->points[branch->root], way = way_of(r, branch, frame);
    float most = 0.0f;
    for (uint32_t p = 0; p < r->ground_count; p++) {
        if (r->ground[p].branch != b) continue;
        snVec3 now = sni_ground_now(r, frame, &r->ground[p]);
        if (now.y >= r->level) continue;
        most = sn_maxf(most, angle_of(sn_sub(now, root), way, root.y - r->level));
    }
    bool neck = branch->role == SN_ROLE_NECK || branch->role == SN_ROLE_HEAD;
    return sn_minf(most, neck ? NECK_MOST : RAISE_MOST);
}

// The joint and all that hangs from it.
static bool has(const sniRetarget* r, uint32_t root, uint32_t joint) {
    return joint == root || sni_tree_above(&r->target.tree, root, joint);
}

static void raise_branch(sniRetarget* r, const sniBranch* branch, uint32_t frame, float angle) {
    if (!(angle > 0.0f)) return;
    uint32_t count = r->target.skeleton->joint_count;
    snQuat* turns = r->turns + (size_t)frame * count;
    snVec3 axis = sn_cross(way_of(r, branch, frame), sn_vec3(0.0f, 1.0f, 0.0f));
    snQuat by = sn_quat_axis_angle(axis, angle);
    for (uint32_t j = 0; j < count; j++)
        if (has(r, branch->root, j)) turns[j] = sn_quat_normalize(sn_quat_mul(by, turns[j]));
}

// How much of it is raised in a frame.
static float raise_part(const sniRetarget* r, uint32_t b, uint32_t frame) {
    return r->branches[b].free ? 1.0f : r->lying[frame];
}

// False: nothing sinks.
static bool raise_once(sniRetarget* r, uint32_t b, float* needs, float* most) {
    int count = (int)r->frames, window = (int)(SNI_BLEND_SECONDS * r->rate) + 1;
    bool any = false;
    for (int f = 0; f < count; f++) {
        needs[f] = 0.0f;
        if (!(raise_part(r, b, (uint32_t)f) > 0.0f)) continue;
        sni_retarget_place(r, (uint32_t)f);
        needs[f] = needed_raise(r, b, (uint32_t)f);
        any = any || needs[f] > 0.0f;
    }
    if (!any) return false;
    r->branches[b].raised = true;
    for (int f = 0; f < count; f++) {
        most[f] = needs[f];
        for (int k = f - window < 0 ? 0 : f - window; k <= f + window && k < count; k++)
            most[f] = sn_maxf(most[f], needs[k]);
    }
    for (int f = 0; f < count; f++) {
        float sum = 0.0f;
        for (int k = f - window; k <= f + window; k++) sum += most[k < 0 ? 0 : (k >= count ? count - 1 : k)];
        sni_retarget_place(r, (uint32_t)f);
        raise_branch(r, &r->branches[b], (uint32_t)f,
                     raise_part(r, b, (uint32_t)f) * sum / (float)(2 * window + 1));
    }
    return true;
}

void sni_branches_raise(sniRetarget* r, float* needs, float* most) {
    for (uint32_t b = 0; b < r->branch_count; b++) {
        int passes = r->branches[b].free ? FREE_PASSES : 1;
        for (int pass = 0; pass < passes && raise_once(r, b, needs, most); pass++) {
        }
    }
}

bool sni_branches_turn(const sniRetarget* r, uint32_t joint) {
    for (uint32_t b = 0; b < r->branch_count; b++)
        if (r->branches[b].raised && r->branches[b].root == joint) return true;
    return false;
}
