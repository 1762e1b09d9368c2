// Joints to local volume centers. In the slab of cells across a joint's bone the depth is climbed to the axis
// of the limb, and the middle of the slab around it is where the joint belongs. A joint deep inside a thick
// part (a spine, a pelvis) has no single right place there and moves little.
#include "fit/fit.h"

// All judged; what speaks for them is the second table of docs/fit.md: six characters whose joints were put
// off by 3 % of the height.

// Joints further from the mesh than this, in parts of its longest side, are left alone.
#define REACH 0.04f
// Half the thickness of the slab, in cells.
#define SLAB 1.1f
// Cells around the axis that make up the cross-section, in radii of the inscribed ball.
#define SECTION 1.7f
// Joints are thicker than the bones beside them, but a joint thicker than this is part of the trunk.
#define THICKER 1.2f
// A bone shorter than this, in radii, says nothing about where its joints belong.
#define STUBBY 1.5f
enum { ROUNDS = 2 };

typedef struct Centerr {
    const sniBody* body;
    const sniSolid* solid;
    float reach;
} Centerr;

typedef struct Limb {
    float radius; // 0: not known
    float length; // of the bone
    bool root;    // begins at the side of a trunk
} Limb;

static uint32_t longest_child(const Centerr* c, uint32_t joint) {
    const sniTree* tree = &c->body->tree;
    uint32_t best = SN_NONE;
    for (uint32_t k = tree->first_child[joint]; k != SN_NONE; k = tree->next_sibling[k]) {
        if (best == SN_NONE || tree->reach[k] > tree->reach[best]) best = k;
    }
    return best;
}

// Along the limb: from the parent through the joint to where the bone goes.
static snVec3 limb_axis(const Centerr* c, const sniPlacement* place, uint32_t joint) {
    uint32_t parent = c->body->skeleton->parents[joint];
    uint32_t child = longest_child(c, joint);
    snVec3 none = sn_vec3(0.0f, 0.0f, 0.0f);
    snVec3 in = none;
    snVec3 out = none;
    if (parent != SN_NONE) in = sn_normalize_or(sn_sub(place->points[joint], place->points[parent]), none);
    if (child != SN_NONE) out = sn_normalize_or(sn_sub(place->points[child], place->points[joint]), none);
    // At a sharp turn (a shoulder, a hip, an ankle) the limb that begins here counts.
    if (child != SN_NONE && sn_dot(in, out) < 0.5f) return out;
    return sn_normalize_or(sn_add(in, out), none);
}

// The first joint of a leg or a wing, at the side of a trunk: the volume around it is the trunk's.
static bool is_limb_root(const Centerr* c, const sniPlacement* place, uint32_t joint) {
    uint32_t parent = c->body->skeleton->parents[joint];
    uint32_t child = longest_child(c, joint);
    if (parent == SN_NONE || child == SN_NONE) return false;
    uint32_t first = c->body->tree.first_child[parent];
    bool branches = c->body->tree.next_sibling[first] != SN_NONE;
    snVec3 in = sn_sub(place->points[joint], place->points[parent]);
    snVec3 out = sn_sub(place->points[child], place->points[joint]);
    return branches && sn_dot(in, out) < 0.5f * sn_length(in) * sn_length(out);
}

static bool in_slab(const Centerr* c, snVec3 point, snVec3 joint, snVec3 axis) {
    float along = sn_dot(sn_sub(point, joint), axis);
    float limit = SLAB * c->solid->size;
    return along >= -limit && along <= limit;
}

static float depth_of(const Centerr* c, uint32_t cell) {
    return (float)c->solid->depth[cell] * c->solid->size / SNI_STEP;
}

// The deepest cell that can be reached from `cell` going deeper within the slab, no deeper than `most`.
static uint32_t climb(const Centerr* c, uint32_t cell, snVec3 joint, snVec3 axis, float most) {
    for (bool higher = true; higher && depth_of(c, cell) < most;) {
        higher = false;
        uint32_t best = cell;
        for (uint32_t d = 0; d < 26; d++) {
            uint32_t step;
            uint32_t other = sni_solid_neighbor(c->solid, cell, d, &step);
            if (other == SN_NONE || c->solid->depth[other] <= c->solid->depth[best]) continue;
            if (!in_slab(c, sni_solid_point(c->solid, other), joint, axis)) continue;
            best = other;
            higher = true;
        }
        cell = best;
    }
    return cell;
}

// Mean of the slab's cells in a ball.
static snVec3 section_center(const Centerr* c, snVec3 middle, float radius, snVec3 joint, snVec3 axis) {
    double sum[3] = {0.0, 0.0, 0.0};
    uint32_t count = 0;
    float size = c->solid->size;
    int steps = (int)(radius / size) + 1;
    snVec3 cell = sn_scale(sn_sub(middle, c->solid->origin), 1.0f / size);
    const int64_t at[3] = {(int64_t)(cell.x + 0.5f), (int64_t)(cell.y + 0.5f), (int64_t)(cell.z + 0.5f)};
    for (int64_t z = at[2] - steps; z <= at[2] + steps; z++) {
        for (int64_t y = at[1] - steps; y <= at[1] + steps; y++) {
            for (int64_t x = at[0] - steps; x <= at[0] + steps; x++) {
                if (x < 0 || y < 0 || z < 0 || x >= c->solid->grid[0] || y >= c->solid->grid[1] ||
                    z >= c->solid->grid[2])
                    continue;
                size_t index = ((size_t)z * c->solid->grid[1] + (size_t)y) * c->solid->grid[0] + (size_t)x;
                if (c->solid->lookup[index] == SN_NONE) continue;
                snVec3 p = sni_solid_point(c->solid, c->solid->lookup[index]);
                if (sn_distance(p, middle) > radius || !in_slab(c, p, joint, axis)) continue;
                sum[0] += (double)p.x;
                sum[1] += (double)p.y;
                sum[2] += (double)p.z;
                count++;
            }
        }
    }
    if (count == 0) return middle;
    return sn_vec3((float)(sum[0] / count), (float)(sum[1] / count), (float)(sum[2] / count));
}

// Radius of the limb half way along a bone, where it is neither joint; 0 when the bone is outside.
static float bone_radius(const Centerr* c, snVec3 from, snVec3 to) {
    snVec3 none = sn_vec3(0.0f, 0.0f, 0.0f);
    snVec3 middle = sn_lerp(from, to, 0.5f);
    snVec3 axis = sn_normalize_or(sn_sub(to, from), none);
    uint32_t nearest = sni_solid_nearest(c->solid, middle, c->reach);
    if (nearest == SN_NONE) return 0.0f;
    return depth_of(c, climb(c, nearest, sni_solid_point(c->solid, nearest), axis, 1e30f));
}

// The thinner of the two bones at a joint: where a limb leaves the trunk, the joint is the limb's.
static Limb limb_of(const Centerr* c, const sniPlacement* place, uint32_t joint) {
    uint32_t ends[2] = {c->body->skeleton->parents[joint], longest_child(c, joint)};
    Limb limb = {0.0f, 0.0f, is_limb_root(c, place, joint)};
    for (int i = 0; i < 2; i++) {
        if (ends[i] == SN_NONE) continue;
        float radius = bone_radius(c, place->points[joint], place->points[ends[i]]);
        if (radius == 0.0f || (limb.radius > 0.0f && radius >= limb.radius)) continue;
        limb.radius = radius;
        limb.length = sn_distance(place->points[joint], place->points[ends[i]]);
    }
    return limb;
}

// One joint towards its center. Returns the radius of its limb, 0 when there is none near.
static float center_joint(const Centerr* c, snVec3* point, snVec3 axis, Limb limb) {
    uint32_t nearest = sni_solid_nearest(c->solid, *point, c->reach);
    if (nearest == SN_NONE) return 0.0f;
    snVec3 start = sni_solid_point(c->solid, nearest);
    bool inside = sn_distance(start, *point) < c->solid->size;
    // From outside the slab through the joint may miss the limb: the nearest cell has its own.
    snVec3 anchor = inside ? *point : start;
    float most = limb.radius > 0.0f ? THICKER * limb.radius : 1e30f;
    uint32_t middle = climb(c, nearest, anchor, axis, most);
    float radius = sn_minf(depth_of(c, middle), most);
    snVec3 center = section_center(c, sni_solid_point(c->solid, middle), SECTION * radius, anchor, axis);
    if (!inside) {
        *point = center;
        return radius;
    }
    snVec3 move = sn_sub(center, *point);
    move = sn_sub(move, sn_scale(axis, sn_dot(move, axis)));
    // In a round limb the axis is as far as depth is missing; what asks for more is pulled by another part.
    float missing = radius - sn_minf(depth_of(c, nearest), radius);
    float share = sn_minf(missing / sn_maxf(sn_length(move), 1e-30f), 1.0f);
    float slender = limb.root ? 0.0f : sn_clampf(0.5f * (limb.length / radius - STUBBY), 0.0f, 1.0f);
    *point = sn_add(*point, sn_scale(move, share * slender));
    return radius;
}

static void judge(const Centerr* c, sniPlacement* place, uint32_t joint, float moved, float radius) {
    if (radius == 0.0f) {
        place->sure[joint] *= 0.3f;
        place->doubts[joint] |= SN_FIT_OUTSIDE;
        return;
    }
    float far = moved / sn_maxf(radius, c->solid->size);
    if (far > 1.0f) place->doubts[joint] |= SN_FIT_MOVED_FAR;
    place->sure[joint] *= sn_clampf(1.3f - 0.4f * far, 0.4f, 1.0f);
}

void sni_fit_center(const sniBody* body, const sniSolid* solid, const bool* held, sniPlacement* place) {
    uint32_t longest = 0;
    for (int i = 0; i < 3; i++) longest = solid->grid[i] > longest ? solid->grid[i] : longest;
    Centerr c = {body, solid, REACH * solid->size * (float)longest};
    for (uint32_t i = 0; i < body->skeleton->joint_count; i++) {
        uint32_t j = body->skeleton->order[i];
        if ((held != NULL && held[j]) || body->labels[j].role == SN_ROLE_ROOT) continue;
        snVec3 before = place->points[j];
        snVec3 point = before;
        float radius = 0.0f;
        // Every round with the axis anew: it is only right once the joint and its parent are.
        for (int r = 0; r < ROUNDS; r++) {
            radius = center_joint(&c, &point, limb_axis(&c, place, j), limb_of(&c, place, j));
            place->points[j] = point;
        }
        judge(&c, place, j, sn_distance(before, point), radius);
    }
}
