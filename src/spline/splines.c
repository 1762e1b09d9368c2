// Splines of a skeleton: their control points, their frames in the bind pose, and where points hang on them
// (Forstmann et al. 2007, sections 5 and 5.2).
//
// The paper's frame comes from the cross product of the two bones, which vanishes where they are in line and
// turns over when the bend does. Here a frame starts at x = 0 and is turned along by the shortest way from
// the first tangent to the one at x; the curve lies in a plane, so this is parallel transport, in closed
// form.
//
// Two joints are special. A joint at the end of a chain has no child: its spline ends a short way into what
// it moves. A joint that leaves its parent's bone sideways (a hip, a shoulder, a thumb) has no limb before
// it: its spline starts straight behind it, and is a pivot, on which points turn about the joint. Both still
// follow their bones at the ends.
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "spline/spline.h"

// Where a leaf's spline ends, of the way to the center of what it moves. Judged: a hand without fingers must
// not pinch its wrist.
#define LEAF_REACH 0.25f
// Steps of the search for x: enough for every bit of it.
#define SEARCH_STEPS 26
// The bend that samples are spread for: 150 degrees.
#define FOLDED (SN_PI * 150.0f / 180.0f)
// A bone from a root that turns at the joint by more than this cosine says (45 degrees) leads sideways.
// Judged, as are the next four.
#define STRAIGHT 0.7f
// Shorter than this, of the other half, a half of a spline has no direction of its own.
#define SHORTEST 1e-3f
// Shorter than this, of the skeleton, neither half has: joints that a file means to lie in one place.
#define SHORTEST_OF_ALL 1e-4f
// Twins are as far from their parent, and as far ahead, as one another but for this share.
#define TWIN 0.02f
// A spline that turns back on itself by more than this cosine says has no plane to bend in.
#define FOLDED_BACK (-0.95f)

// ------------------------------------------------------------------------------------------------ the curve

// x to the power of a, exact where the curve begins and ends. Points look for their places through this, and
// most splines have a whole number for a, which needs no logarithm.
static float power(float x, float a) {
    if (x <= 0.0f) return 0.0f;
    if (x >= 1.0f) return 1.0f;
    uint32_t whole = (uint32_t)a;
    if ((float)whole != a) return sn_pow(x, a);
    float out = 1.0f;
    for (; whole > 0; whole >>= 1, x *= x) out = (whole & 1u) != 0 ? out * x : out;
    return out;
}

sniSplineFactors sni_spline_factors(const sniSpline* spline, float x) {
    float a = spline->spline.stiffness;
    if (spline->spline.pivot)
        return (sniSplineFactors){.d12 = 1.0f,
                                  .t12 = (1.0f - x) / spline->length12,
                                  .t23 = x / spline->length23,
                                  .share = x,
                                  .share_slope = 1.0f};
    sniSplineFactors f = {.d12 = 1.0f - power(1.0f - x, a),
                          .d23 = power(x, a),
                          .t12 = power(1.0f - x, a - 1.0f),
                          .t23 = power(x, a - 1.0f)};
    float length = spline->length12 + spline->length23;
    f.share = (f.d12 * spline->length12 + f.d23 * spline->length23) / length;
    f.share_slope = a * (f.t12 * spline->length12 + f.t23 * spline->length23) / length;
    return f;
}

// Samples evenly spaced in x would lie far apart where a stiff spline has its bend, in the middle, and where
// it has its length, and with it its twist: at the ends. So half of their density follows the length and half
// the tangent of a joint that is folded up.
float sni_spline_sample_at(const sniSpline* spline, float x) {
    sniSplineFactors f = sni_spline_factors(spline, x);
    float before = f.t12 * spline->length12, after = f.t23 * spline->length23;
    float turned = sn_atan2(after * sn_sin(FOLDED), before + after * sn_cos(FOLDED)) / FOLDED;
    return sn_clampf(0.5f * (f.share + turned), 0.0f, 1.0f);
}

snVec3 sni_turned_along(snVec3 from, snVec3 to, snVec3 u) {
    snVec3 axis = sn_cross(from, to);
    float cosine = sn_dot(from, to);
    float along = sn_dot(axis, u) / sn_maxf(1.0f + cosine, 1e-6f);
    return sn_add(sn_add(sn_scale(u, cosine), sn_cross(axis, u)), sn_scale(axis, along));
}

static snVec3 curve_at(const sniSpline* s, const sniSplineFactors* f) {
    return sn_add(s->spline.points[0], sn_add(sn_scale(s->d12, f->d12), sn_scale(s->d23, f->d23)));
}

// The derivative without its factor a.
static snVec3 slope_at(const sniSpline* s, const sniSplineFactors* f) {
    return sn_add(sn_scale(s->d12, f->t12), sn_scale(s->d23, f->t23));
}

sniSplineFrame sni_spline_frame(const sniSpline* spline, float x) {
    sniSplineFactors f = sni_spline_factors(spline, x);
    snVec3 t = sn_normalize_or(slope_at(spline, &f), spline->first.t);
    snVec3 e1 = sn_normalize_or(sni_turned_along(spline->first.t, t, spline->first.e1), spline->first.e1);
    return (sniSplineFrame){curve_at(spline, &f), e1, sn_cross(t, e1), t};
}

void sni_spline_fold(const sniSpline* spline, float x, float out[2]) {
    float a = spline->spline.stiffness;
    sniSplineFactors f = sni_spline_factors(spline, x);
    float before = f.t12 * spline->length12, after = f.t23 * spline->length23, sum = before + after;
    float less = (a - 1.0f) * power(1.0f - x, a - 2.0f) * spline->length12;
    float more = (a - 1.0f) * power(x, a - 2.0f) * spline->length23;
    float over = sum > 1e-18f ? 1.0f / (sum * sum) : 0.0f;
    out[0] = before * after * over;
    out[1] = (before * more + less * after) * over;
}

// From <f'(x), p - f(x)> = 0: the gradient of x is f' / (<f', f'> - <f'', p - f>). Beyond the center of the
// curve's own bend the denominator turns over; there it stays at a tenth.
float sni_spline_rate(const sniSpline* spline, float x, snVec3 point) {
    float a = spline->spline.stiffness;
    sniSplineFactors f = sni_spline_factors(spline, x);
    snVec3 slope = sn_scale(slope_at(spline, &f), a);
    float bend = a * (a - 1.0f);
    snVec3 second = sn_sub(sn_scale(spline->d23, bend * power(x, a - 2.0f)),
                           sn_scale(spline->d12, bend * power(1.0f - x, a - 2.0f)));
    float slope2 = sn_dot(slope, slope);
    float below = slope2 - sn_dot(second, sn_sub(point, curve_at(spline, &f)));
    below = sn_maxf(below, 0.1f * slope2);
    return below > 1e-30f ? sqrtf(slope2) / below : 0.0f;
}

// A point hangs where the plane across the curve holds it. The plane test changes its sign between the two
// ends (else the point lies beyond one of them), so halving the interval that holds the change always
// converges.
float sn_splines_parameter(const snSplines* splines, uint32_t spline, snVec3 point) {
    const sniSpline* s = &splines->splines[spline];
    if (!(sn_dot(s->d12, sn_sub(point, s->spline.points[0])) > 0.0f)) return 0.0f;
    if (!(sn_dot(s->d23, sn_sub(point, s->spline.points[2])) < 0.0f)) return 1.0f;
    float low = 0.0f, high = 1.0f;
    for (int i = 0; i < SEARCH_STEPS; i++) {
        float x = 0.5f * (low + high);
        sniSplineFactors f = sni_spline_factors(s, x);
        bool beyond = sn_dot(slope_at(s, &f), sn_sub(point, curve_at(s, &f))) > 0.0f;
        low = beyond ? x : low;
        high = beyond ? high : x;
    }
    return 0.5f * (low + high);
}

// ------------------------------------------------------------------------------------------- control points

typedef struct Builder {
    const snSplinesDef* def;
    const snAllocator* memory;
    snSplines* splines;
    uint32_t* child; // joint_count: the child that a joint's bone leads to
    double* below;   // joint_count: how much a joint and all that hang on it move
    float shortest;
} Builder;

// The way from the parent, or 0 for a root.
static snVec3 incoming(const snSplinesDef* def, uint32_t joint) {
    uint32_t parent = def->joints[joint].parent;
    if (parent == SN_NONE) return sn_vec3(0.0f, 0.0f, 0.0f);
    return sn_sub(def->joints[joint].place, def->joints[parent].place);
}

// Whether a joint's bone leads to a child: not where what the joint moves lies far beyond it, another way
// (ears sit on a head, but the muzzle is what it leads to).
static bool leads_to(const snSplineJoint* joint, snVec3 way) {
    snVec3 most = sn_sub(joint->center, joint->place);
    float beyond = sn_length(most), length = sn_length(way);
    if (!(length > 0.0f)) return false;
    return !(beyond > 2.0f * length) || sn_dot(way, most) > 0.5f * length * beyond;
}

// How large the skeleton is, with what it moves.
static float extent_of(const snSplinesDef* def) {
    snBounds bounds = sn_bounds_empty();
    for (uint32_t j = 0; j < def->joint_count; j++) {
        bounds = sn_bounds_add(bounds, def->joints[j].place);
        if (def->joints[j].weight > 0.0f) bounds = sn_bounds_add(bounds, def->joints[j].center);
    }
    return sn_bounds_diagonal(bounds);
}

static void weigh_joints(Builder* b) {
    const snSplinesDef* def = b->def;
    for (uint32_t j = 0; j < def->joint_count; j++) {
        uint32_t at = j;
        // A ring of parents ends here too.
        for (uint32_t steps = 0; at != SN_NONE && steps < def->joint_count; steps++) {
            b->below[at] += (double)def->joints[j].weight;
            at = def->joints[at].parent;
        }
    }
}

// Of two children the one farther ahead: helpers on the same bone are nearer, side branches turn away. Of
// those in one place (a spine goes on where breasts begin) the one that moves more.
static bool is_before(const Builder* b, uint32_t joint, uint32_t child, uint32_t other) {
    const snSplineJoint* joints = b->def->joints;
    snVec3 ahead = sn_normalize_or(incoming(b->def, joint), sn_vec3(0.0f, 0.0f, 0.0f));
    float more = sn_dot(sn_sub(joints[child].place, joints[other].place), ahead);
    if (more > b->shortest || more < -b->shortest) return more > 0.0f;
    return b->below[child] > b->below[other];
}

// Whether a joint is one of a pair on both sides of its parent's bone (shoulders, ears), which leads to
// neither. A root has no bone that would tell.
static bool has_twin(const Builder* b, uint32_t joint) {
    const snSplineJoint* joints = b->def->joints;
    uint32_t parent = joints[joint].parent;
    if (joints[parent].parent == SN_NONE) return false;
    snVec3 ahead = sn_normalize_or(incoming(b->def, parent), sn_vec3(0.0f, 0.0f, 0.0f));
    float length = sn_distance(joints[joint].place, joints[parent].place), close = TWIN * length;
    for (uint32_t j = 0; j < b->def->joint_count; j++) {
        if (j == joint || joints[j].parent != parent || !(joints[j].weight > 0.0f)) continue;
        snVec3 apart = sn_sub(joints[j].place, joints[joint].place);
        if (fabsf(sn_distance(joints[j].place, joints[parent].place) - length) <= close &&
            fabsf(sn_dot(apart, ahead)) <= close && sn_length(apart) > 10.0f * close)
            return true;
    }
    return false;
}

static void find_children(Builder* b) {
    const snSplineJoint* joints = b->def->joints;
    for (uint32_t j = 0; j < b->def->joint_count; j++) b->child[j] = SN_NONE;
    for (uint32_t c = 0; c < b->def->joint_count; c++) {
        uint32_t j = joints[c].parent;
        if (j == SN_NONE || !(joints[c].weight > 0.0f)) continue;
        if (!leads_to(&joints[j], sn_sub(joints[c].place, joints[j].place)) || has_twin(b, c)) continue;
        if (b->child[j] == SN_NONE || is_before(b, j, c, b->child[j])) b->child[j] = c;
    }
}

// Where the spline of a joint ends; the joint itself when there is nothing beyond it.
static snVec3 end_of(const Builder* b, uint32_t joint) {
    const snSplineJoint* j = &b->def->joints[joint];
    uint32_t child = b->child[joint];
    return child != SN_NONE ? sn_lerp(j->place, b->def->joints[child].place, j->reach)
                            : sn_lerp(j->place, j->center, LEAF_REACH);
}

// False: the joint gets no spline.
static bool find_points(const Builder* b, uint32_t joint, snVec3 out[3], bool* pivot) {
    const snSplinesDef* def = b->def;
    const snSplineJoint* j = &def->joints[joint];
    if (j->parent == SN_NONE || !(j->weight > 0.0f)) return false;
    const snSplineJoint* parent = &def->joints[j->parent];
    out[0] = sn_lerp(parent->place, j->place, 0.5f);
    out[1] = j->place;
    out[2] = end_of(b, joint);
    float before = sn_distance(out[0], out[1]), after = sn_distance(out[1], out[2]);
    float longest = sn_maxf(before, after), shortest = sn_maxf(SHORTEST * longest, b->shortest);
    if (!(before > shortest) || !(after > shortest)) return false;
    snVec3 back = sn_scale(sn_sub(out[1], out[2]), 1.0f / after);
    float ahead = sn_dot(sn_sub(out[0], out[1]), back) / before;
    *pivot = b->child[j->parent] != joint || (parent->parent == SN_NONE && ahead < STRAIGHT);
    if (*pivot) out[0] = sn_add(out[1], sn_scale(back, sn_minf(before, after)));
    return *pivot || ahead > FOLDED_BACK;
}

// The frame begins with e1 to the front of the body, or up where the spline leads to the front.
static void fill_spline(sniSpline* s, const snSplineJoint* joint, uint32_t index, const snVec3 points[3],
                        bool pivot) {
    s->spline.pivot = pivot;
    memcpy(s->spline.points, points, sizeof s->spline.points);
    s->spline.parent = joint->parent;
    s->spline.joint = index;
    s->spline.stiffness = joint->stiffness;
    s->d12 = sn_sub(points[1], points[0]);
    s->d23 = sn_sub(points[2], points[1]);
    s->length12 = sn_length(s->d12);
    s->length23 = sn_length(s->d23);
    snVec3 t = sn_scale(s->d12, 1.0f / s->length12);
    bool forward = t.z * t.z > 0.81f;
    snVec3 to = forward ? sn_vec3(0.0f, 1.0f, 0.0f) : sn_vec3(0.0f, 0.0f, 1.0f);
    snVec3 e1 = sn_normalize_or(sn_sub(to, sn_scale(t, sn_dot(t, to))), to);
    s->first = (sniSplineFrame){points[0], e1, sn_cross(t, e1), t};
    s->middle = sni_spline_frame(s, 0.5f);
    s->last = sni_spline_frame(s, 1.0f);
}

// The x of a sample, by halving: sample_at rises with x.
static float sample_x(const sniSpline* s, uint32_t sample, uint32_t last) {
    if (sample >= last) return 1.0f;
    float low = 0.0f, high = 1.0f, at = (float)sample / (float)last;
    for (int i = 0; i < SEARCH_STEPS && sample > 0; i++) {
        float x = 0.5f * (low + high);
        bool beyond = sni_spline_sample_at(s, x) < at;
        low = beyond ? x : low;
        high = beyond ? high : x;
    }
    return low;
}

static void fill_table(const snSplines* splines, uint32_t index) {
    const sniSpline* s = &splines->splines[index];
    size_t block_floats = (size_t)SNI_SAMPLE_FLOATS * SNI_BLOCK;
    float* table = splines->table + index * splines->blocks * block_floats;
    for (uint32_t k = 0; k < splines->blocks * SNI_BLOCK; k++) {
        // Spare lanes repeat the end.
        float x = sample_x(s, k, splines->samples - 1);
        sniSplineFactors f = sni_spline_factors(s, x);
        sniSplineFrame frame = sni_spline_frame(s, x);
        float* lane = table + k / SNI_BLOCK * block_floats + k % SNI_BLOCK;
        lane[SNI_SAMPLE_D12 * SNI_BLOCK] = f.d12;
        lane[SNI_SAMPLE_D23 * SNI_BLOCK] = f.d23;
        lane[SNI_SAMPLE_T12 * SNI_BLOCK] = f.t12;
        lane[SNI_SAMPLE_T23 * SNI_BLOCK] = f.t23;
        lane[SNI_SAMPLE_SHARE * SNI_BLOCK] = f.share;
        sni_put3(lane + (size_t)SNI_SAMPLE_ORIGIN * SNI_BLOCK, frame.origin);
        sni_put3(lane + (size_t)SNI_SAMPLE_E1 * SNI_BLOCK, frame.e1);
        sni_put3(lane + (size_t)SNI_SAMPLE_E2 * SNI_BLOCK, frame.e2);
        sni_put3(lane + (size_t)SNI_SAMPLE_T * SNI_BLOCK, frame.t);
    }
}

// --------------------------------------------------------------------------------------------------- create

snSplinesDef sn_splines_def(void) { return (snSplinesDef){.samples = 32}; }

static snResult check_def(const snSplinesDef* def, snError* error) {
    if (def == NULL || (def->joint_count > 0 && def->joints == NULL))
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "joints are needed");
    if (def->samples < 2 || def->samples > SN_SPLINE_SAMPLES_MAX)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "%u samples along a spline, expected 2 to %u",
                        def->samples, SN_SPLINE_SAMPLES_MAX);
    for (uint32_t i = 0; i < def->joint_count; i++) {
        const snSplineJoint* j = &def->joints[i];
        const char* wrong = NULL;
        if (j->parent != SN_NONE && (j->parent >= def->joint_count || j->parent == i)) wrong = "parent";
        if (!sn_vec3_finite(j->place) || !sn_vec3_finite(j->center)) wrong = "place";
        if (!(j->stiffness >= SN_SPLINE_STIFFNESS_MIN && j->stiffness <= SN_SPLINE_STIFFNESS_MAX))
            wrong = "stiffness";
        if (!(j->reach > 0.0f && j->reach <= 1.0f)) wrong = "reach";
        if (wrong == NULL) continue;
        return sni_fail_joint(error, SN_RESULT_INVALID_ARGUMENT, i, "joint %u has a bad %s", i, wrong);
    }
    return SN_RESULT_OK;
}

// All splines that begin on the bone of each joint.
static void list_children(snSplines* s) {
    uint32_t count = 0;
    for (uint32_t j = 0; j < s->joint_count; j++) {
        s->first_child[j] = count;
        for (uint32_t i = 0; i < s->count; i++)
            if (s->splines[i].spline.parent == j) s->children[count++] = i;
        s->branches[j] = count - s->first_child[j] > 1;
    }
    s->first_child[s->joint_count] = count;
}

static snResult fill(Builder* b, snError* error) {
    const snSplinesDef* def = b->def;
    snSplines* s = b->splines;
    uint32_t joints = def->joint_count;
    b->child = SNI_NEW_ARRAY(b->memory, uint32_t, joints);
    b->below = SNI_NEW_ARRAY(b->memory, double, joints);
    s->parents = SNI_NEW_ARRAY(b->memory, uint32_t, joints);
    s->of_joint = SNI_NEW_ARRAY(b->memory, uint32_t, joints);
    s->splines = SNI_NEW_ARRAY(b->memory, sniSpline, joints);
    s->branches = SNI_NEW_ARRAY(b->memory, uint8_t, joints);
    s->first_child = SNI_NEW_ARRAY(b->memory, uint32_t, (size_t)joints + 1);
    s->children = SNI_NEW_ARRAY(b->memory, uint32_t, joints);
    if (b->child == NULL || b->below == NULL || s->parents == NULL || s->of_joint == NULL ||
        s->splines == NULL || s->branches == NULL || s->first_child == NULL || s->children == NULL)
        return sni_fail_memory(error);
    b->shortest = SHORTEST_OF_ALL * extent_of(def);
    weigh_joints(b);
    find_children(b);
    for (uint32_t j = 0; j < joints; j++) {
        snVec3 points[3];
        s->parents[j] = def->joints[j].parent;
        s->of_joint[j] = SN_NONE;
        bool pivot = false;
        if (!find_points(b, j, points, &pivot)) continue;
        fill_spline(&s->splines[s->count], &def->joints[j], j, points, pivot);
        s->of_joint[j] = s->count++;
    }
    if ((uint64_t)joints + (uint64_t)s->count * s->samples > UINT16_MAX)
        return sni_fail(error, SN_RESULT_UNSUPPORTED,
                        "%u joints with %u splines of %u samples are too many: at most %u matrices", joints,
                        s->count, s->samples, UINT16_MAX);
    list_children(s);
    s->table = SNI_NEW_ARRAY(b->memory, float, (size_t)s->count * s->blocks * SNI_SAMPLE_FLOATS * SNI_BLOCK);
    if (s->table == NULL) return sni_fail_memory(error);
    for (uint32_t i = 0; i < s->count; i++) fill_table(s, i);
    return SN_RESULT_OK;
}

snResult sn_splines_create(const snSplinesDef* def, const snAllocator* allocator, snSplines** out,
                           snError* error) {
    if (out == NULL) return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "an output is needed");
    snResult result = check_def(def, error);
    if (result != SN_RESULT_OK) return result;
    snAllocator memory = sni_allocator(allocator);
    snSplines* splines = SNI_NEW(&memory, snSplines);
    if (splines == NULL) return sni_fail_memory(error);
    splines->allocator = memory;
    splines->joint_count = def->joint_count;
    splines->samples = def->samples;
    splines->blocks = (def->samples + SNI_BLOCK - 1) / SNI_BLOCK;
    Builder b = {.def = def, .memory = &memory, .splines = splines};
    result = fill(&b, error);
    sni_free(&memory, b.child);
    sni_free(&memory, b.below);
    if (result != SN_RESULT_OK) {
        sn_splines_destroy(splines);
        return result;
    }
    *out = splines;
    return SN_RESULT_OK;
}

static bool same_vector(snVec3 a, snVec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

static bool same_frame(const sniSplineFrame* a, const sniSplineFrame* b) {
    return same_vector(a->origin, b->origin) && same_vector(a->e1, b->e1) && same_vector(a->e2, b->e2) &&
           same_vector(a->t, b->t);
}

static bool same_spline(const sniSpline* a, const sniSpline* b) {
    const snSpline *p = &a->spline, *q = &b->spline;
    bool same = p->parent == q->parent && p->joint == q->joint && p->stiffness == q->stiffness &&
                p->pivot == q->pivot && a->length12 == b->length12 && a->length23 == b->length23 &&
                same_vector(a->d12, b->d12) && same_vector(a->d23, b->d23);
    for (int i = 0; i < 3; i++) same = same && same_vector(p->points[i], q->points[i]);
    return same && same_frame(&a->first, &b->first) && same_frame(&a->middle, &b->middle) &&
           same_frame(&a->last, &b->last);
}

bool sni_splines_same(const snSplines* a, const snSplines* b) {
    if (a->joint_count != b->joint_count || a->count != b->count || a->samples != b->samples) return false;
    size_t joints = a->joint_count, floats = (size_t)a->count * a->blocks * SNI_SAMPLE_FLOATS * SNI_BLOCK;
    if (memcmp(a->parents, b->parents, joints * sizeof *a->parents) != 0 ||
        memcmp(a->of_joint, b->of_joint, joints * sizeof *a->of_joint) != 0 ||
        memcmp(a->first_child, b->first_child, (joints + 1) * sizeof *a->first_child) != 0 ||
        memcmp(a->children, b->children, a->first_child[joints] * sizeof *a->children) != 0 ||
        memcmp(a->branches, b->branches, joints) != 0 ||
        memcmp(a->table, b->table, floats * sizeof *a->table) != 0)
        return false;
    bool same = true;
    for (uint32_t i = 0; i < a->count && same; i++) same = same_spline(&a->splines[i], &b->splines[i]);
    return same;
}

void sn_splines_destroy(snSplines* splines) {
    if (splines == NULL) return;
    snAllocator memory = splines->allocator;
    void* arrays[] = {splines->splines,     splines->parents,  splines->of_joint, splines->branches,
                      splines->first_child, splines->children, splines->table,    splines};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(&memory, arrays[i]);
}

uint32_t sn_splines_count(const snSplines* splines) { return splines->count; }

snSpline sn_splines_get(const snSplines* splines, uint32_t spline) { return splines->splines[spline].spline; }

uint32_t sn_splines_of_joint(const snSplines* splines, uint32_t joint) {
    return joint < splines->joint_count ? splines->of_joint[joint] : SN_NONE;
}

uint32_t sn_splines_matrix_count(const snSplines* splines) {
    return splines->joint_count + splines->count * splines->samples;
}
