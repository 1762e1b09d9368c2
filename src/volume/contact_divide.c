// For every joint that bends a limb a plane between the limb's two sides, and which points it holds.
//
// The plane is the one that tells best which side a point is on, by where it is: Fisher's discriminant of
// what the parent moves and what the joint moves near the bend. A plane across the bone fails where a limb
// leaves a body at an angle.
#include "volume/contact.h"

#include <string.h>

#include "base/curve.h"
#include "base/error.h"
#include "base/heap.h"
#include "base/memory.h"
#include "volume/patches.h"

// Shares of a joint between which a point is bent.
#define LEAST_BENT 0.1f
// How far from what is bent, along the surface and in radii, sides are looked at; and how far points are
// held, fully and at all. A limb bent by 150 degrees meets itself 3.7 radii away from its joint.
#define LOOK 3.0f
#define HELD 4.0f
#define NEAR 6.0f
// Of a radius, squared: sides that are thin in some direction say that little of it.
#define FLOOR 0.05
// A plane that leaves more of the surface on the wrong side than this, beyond what weights share anyhow, or a
// bend of which the parent moves less than that, divides nothing. Judged.
#define MOST_WRONG 0.05
#define LEAST_PARENT 0.4
// How much of what is bent may lie in rings beside the middle: legs side by side are not one limb.
#define MOST_BESIDE 0.2
// From the limb's axis, in radii: what stands out further than the first, an ear or a skirt, is not held,
// beyond the second not at all.
#define THICK 1.5f
#define OUTSIDE 2.5f
// How much of a point the side it lies on has to move: below the first it is not held, above the second
// fully.
#define DOUBTED 0.2f
#define TRUSTED 0.5f
// In radii: how soon, away from the plane, points keep their gap to it, and give way softly.
#define GAP_AFTER 0.3f
#define SOFT 0.04f
#define SOFT_AFTER 0.6f
// On both sides of the plane, in radii, sides pass into each other.
#define MIXED 0.03f

typedef struct Build {
    const snExactVolumeDef* def;
    snContact* contact;
    const snAllocator* memory;
    sniTrial trial;
    const float* shares; // point_count; what the joint and those under it move
    float* ways;         // joint_count; along the skeleton
    uint32_t* ends;      // joint_count
    uint8_t* bent;       // point_count; 1: where the joint bends the surface
    float* far;          // point_count; metres along the surface from there; below 0: beyond reach
    uint32_t* reached;   // point_count; those that are not
    uint32_t reached_count;
    sniHeap heap;
    size_t divide_capacity, pressed_capacity, curve_capacity, weight_capacity;
} Build;

// ---------------------------------------------------------------------------------------------------- bends

// Points between the two sides, and those of faces that reach from one side to the other.
static bool find_bent(Build* b) {
    const sniClosed* closed = b->contact->closed;
    bool any = false;
    for (uint32_t i = 0; i < closed->point_count; i++)
        b->bent[i] = b->shares[i] > LEAST_BENT && b->shares[i] < 1.0f - LEAST_BENT;
    for (uint32_t f = 0; f < closed->real_faces; f++) {
        const uint32_t* at = closed->faces[f].at;
        float least = 1.0f, most = 0.0f;
        for (int k = 0; k < 4; k++) {
            least = sn_minf(least, b->shares[at[k]]);
            most = sn_maxf(most, b->shares[at[k]]);
        }
        if (most - least <= 1.0f - 2.0f * LEAST_BENT) continue;
        for (int k = 0; k < 4; k++) b->bent[at[k]] = 1;
    }
    for (uint32_t i = 0; i < closed->point_count && !any; i++)
        any = b->bent[i] != 0 && closed->point_shells[i] != SN_NONE;
    return any;
}

// How much a point tells about where the bend is.
static double bend_weight(const Build* b, uint32_t i) {
    if (b->bent[i] == 0) return 0.0;
    double s = (double)b->shares[i];
    return (s * (1.0 - s) + 1e-3) * (double)b->contact->closed->areas[i];
}

static bool find_middle(const Build* b, double out[3]) {
    const sniClosed* closed = b->contact->closed;
    double sum[3] = {0.0, 0.0, 0.0}, weight = 0.0;
    for (uint32_t i = 0; i < closed->point_count; i++) {
        double w = bend_weight(b, i);
        sum[0] += w * (double)closed->rest[i].x;
        sum[1] += w * (double)closed->rest[i].y;
        sum[2] += w * (double)closed->rest[i].z;
        weight += w;
    }
    for (int k = 0; k < 3 && weight > 0.0; k++) out[k] = sum[k] / weight;
    return weight > 0.0;
}

// Mean distance of what is bent from the axis through the middle; without an axis (0), from the middle.
static float radius_of(const Build* b, snVec3 middle, snVec3 axis) {
    const sniClosed* closed = b->contact->closed;
    double sum = 0.0, weight = 0.0;
    for (uint32_t i = 0; i < closed->point_count; i++) {
        double w = bend_weight(b, i);
        if (w == 0.0) continue;
        snVec3 d = sn_sub(closed->rest[i], middle);
        d = sn_sub(d, sn_scale(axis, sn_dot(d, axis)));
        sum += w * (double)sn_length(d);
        weight += w;
    }
    return weight > 0.0 ? (float)(sum / weight) : 0.0f;
}

// -------------------------------------------------------------------------------------------------- surface

static void offer(Build* b, uint32_t point, float distance, float most) {
    if (point >= b->contact->closed->point_count || distance > most || b->far[point] >= 0.0f) return;
    sni_heap_offer(&b->heap, point, sni_heap_key(distance, point));
}

// Ways along edges from what is bent.
static void walk(Build* b, float most) {
    const sniClosed* closed = b->contact->closed;
    b->reached_count = 0;
    for (uint32_t i = 0; i < closed->point_count; i++) b->far[i] = -1.0f;
    for (uint32_t i = 0; i < closed->point_count; i++)
        if (b->bent[i] != 0) offer(b, i, 0.0f, most);
    while (b->heap.count > 0) {
        uint32_t p = sni_heap_pop(&b->heap);
        float way = sni_heap_distance(b->heap.keys[p]);
        b->far[p] = way;
        b->reached[b->reached_count++] = p;
        for (uint32_t c = closed->corner_starts[p]; c < closed->corner_starts[p + 1]; c++) {
            const uint32_t* at = closed->faces[closed->corners[c] / 4].at;
            for (int k = 0; k < 4; k++)
                if (at[k] != p && at[k] < closed->point_count)
                    offer(b, at[k], way + sn_distance(closed->rest[p], closed->rest[at[k]]), most);
        }
    }
}

// --------------------------------------------------------------------------------------------------- planes

typedef struct Side {
    double weight, mean[3], spread[3][3];
} Side;

static double side_weight(const Build* b, uint32_t i, int side) {
    double share = (double)b->shares[i];
    return (double)b->contact->closed->areas[i] * (side == 0 ? 1.0 - share : share);
}

static void measure_side(const Build* b, int side, float most, Side* out) {
    const sniClosed* closed = b->contact->closed;
    *out = (Side){0};
    for (int round = 0; round < 2; round++) {
        for (uint32_t r = 0; r < b->reached_count; r++) {
            uint32_t i = b->reached[r];
            double w = side_weight(b, i, side);
            if (b->far[i] > most) continue;
            const double p[3] = {(double)closed->rest[i].x, (double)closed->rest[i].y,
                                 (double)closed->rest[i].z};
            if (round == 0) out->weight += w;
            for (int k = 0; k < 3; k++) {
                if (round == 0) out->mean[k] += w * p[k];
                for (int l = 0; l < 3 && round == 1; l++)
                    out->spread[k][l] += w * (p[k] - out->mean[k]) * (p[l] - out->mean[l]);
            }
        }
        if (!(out->weight > 0.0)) return;
        for (int k = 0; k < 3; k++) {
            if (round == 0) out->mean[k] /= out->weight;
            for (int l = 0; l < 3 && round == 1; l++) out->spread[k][l] /= out->weight;
        }
    }
}

// x of the symmetric s x = v, by cofactors; s is above 0.
static snVec3 solve(double s[3][3], const double v[3]) {
    double c[3][3];
    for (int k = 0; k < 3; k++) {
        for (int l = 0; l < 3; l++) {
            int k1 = (k + 1) % 3, k2 = (k + 2) % 3, l1 = (l + 1) % 3, l2 = (l + 2) % 3;
            c[k][l] = s[k1][l1] * s[k2][l2] - s[k1][l2] * s[k2][l1];
        }
    }
    double x[3], largest = 0.0;
    for (int k = 0; k < 3; k++) {
        x[k] = c[0][k] * v[0] + c[1][k] * v[1] + c[2][k] * v[2];
        if (fabs(x[k]) > largest) largest = fabs(x[k]);
    }
    if (!(largest > 0.0 && largest < INFINITY)) return sn_vec3(0.0f, 0.0f, 0.0f);
    snVec3 out = sn_vec3((float)(x[0] / largest), (float)(x[1] / largest), (float)(x[2] / largest));
    return sn_normalize_or(out, sn_vec3(0.0f, 0.0f, 0.0f));
}

// The normal of the plane that tells the sides apart, or 0.
static snVec3 normal_of(const Build* b, float radius) {
    Side sides[2];
    for (int k = 0; k < 2; k++) measure_side(b, k, LOOK * radius, &sides[k]);
    if (!(sides[0].weight > 0.0 && sides[1].weight > 0.0)) return sn_vec3(0.0f, 0.0f, 0.0f);
    double sum[3][3], apart[3];
    for (int k = 0; k < 3; k++) {
        apart[k] = sides[0].mean[k] - sides[1].mean[k];
        for (int l = 0; l < 3; l++) sum[k][l] = sides[0].spread[k][l] + sides[1].spread[k][l];
        sum[k][k] += FLOOR * (double)radius * (double)radius;
    }
    return solve(sum, apart);
}

static float side_of(const Build* b, const sniDivide* d, uint32_t point) {
    return sn_dot(sn_sub(b->contact->closed->rest[point], d->middle), d->normal);
}

// How much of a point is moved by the side that it lies on.
static float agreement(const Build* b, uint32_t point, float side) {
    return side > 0.0f ? 1.0f - b->shares[point] : b->shares[point];
}

// Whether the plane parts what the joint moves from what its parent moves.
static bool divides(const Build* b, const sniDivide* d) {
    const sniClosed* closed = b->contact->closed;
    double all = 0.0, wrong = 0.0, others = 0.0, parents = 0.0;
    for (uint32_t r = 0; r < b->reached_count; r++) {
        uint32_t i = b->reached[r];
        double area = (double)closed->areas[i], bend = bend_weight(b, i);
        others += bend * (1.0 - (double)b->shares[i]);
        parents += bend * (double)sni_own_weight(closed, i, d->parent);
        if (b->far[i] > LOOK * d->radius) continue;
        all += area;
        double least = (double)sn_minf(b->shares[i], 1.0f - b->shares[i]);
        wrong += area * (1.0 - (double)agreement(b, i, side_of(b, d, i)) - least);
    }
    return wrong <= MOST_WRONG * all && parents >= LEAST_PARENT * others;
}

// A piece of what is bent: points that hang together.
typedef struct Ring {
    double weight, mean[3], radius;
} Ring;

// From `first`, through points that are bent and not yet seen (bent 1 becomes 2), into `reached`.
static Ring measure_ring(Build* b, uint32_t first) {
    const sniClosed* closed = b->contact->closed;
    uint32_t *queue = b->reached, head = 0, tail = 0;
    Ring ring = {0};
    b->bent[first] = 2;
    queue[tail++] = first;
    while (head < tail) {
        uint32_t p = queue[head++];
        for (uint32_t c = closed->corner_starts[p]; c < closed->corner_starts[p + 1]; c++) {
            const uint32_t* at = closed->faces[closed->corners[c] / 4].at;
            for (int k = 0; k < 4; k++) {
                if (at[k] >= closed->point_count || b->bent[at[k]] != 1) continue;
                b->bent[at[k]] = 2;
                queue[tail++] = at[k];
            }
        }
    }
    for (uint32_t i = 0; i < tail; i++) {
        double w = bend_weight(b, queue[i]);
        snVec3 p = closed->rest[queue[i]];
        ring.weight += w;
        ring.mean[0] += w * (double)p.x, ring.mean[1] += w * (double)p.y, ring.mean[2] += w * (double)p.z;
    }
    for (int k = 0; k < 3 && ring.weight > 0.0; k++) ring.mean[k] /= ring.weight;
    snVec3 middle = sn_vec3((float)ring.mean[0], (float)ring.mean[1], (float)ring.mean[2]);
    for (uint32_t i = 0; i < tail && ring.weight > 0.0; i++)
        ring.radius +=
            bend_weight(b, queue[i]) / ring.weight * (double)sn_distance(closed->rest[queue[i]], middle);
    return ring;
}

// Whether what is bent lies around one middle. `reached` is lost.
static bool is_one_limb(Build* b, snVec3 middle) {
    double all = 0.0, beside = 0.0;
    for (uint32_t i = 0; i < b->contact->closed->point_count; i++) {
        if (b->bent[i] != 1) continue;
        Ring ring = measure_ring(b, i);
        snVec3 at = sn_vec3((float)ring.mean[0], (float)ring.mean[1], (float)ring.mean[2]);
        all += ring.weight;
        if ((double)sn_distance(at, middle) > ring.radius) beside += ring.weight;
    }
    return beside <= MOST_BESIDE * all;
}

// --------------------------------------------------------------------------------------------------- points

// How near a point's joints are along the skeleton: a hand is not held where the elbow bends.
static float nearness(const Build* b, const sniDivide* d, uint32_t point) {
    const sniClosed* closed = b->contact->closed;
    float near = 0.0f, all = 0.0f;
    for (uint32_t k = 0; k < closed->influences; k++) {
        size_t at = (size_t)point * closed->influences + k;
        float weight = sn_maxf(closed->weights[at], 0.0f);
        all += weight;
        near += weight * (1.0f - sni_smooth_step(b->ways[closed->joints[at]] / (1.5f * d->radius)));
    }
    return all > 0.0f ? near / all : 0.0f;
}

static sniPressed press(const Build* b, const sniDivide* d, uint32_t point) {
    float side = side_of(b, d, point), r = d->radius, way = fabsf(side) / r;
    float gate = 1.0f - sni_smooth_step((b->far[point] / r - HELD) / (NEAR - HELD));
    gate *= sni_smooth_step((agreement(b, point, side) - DOUBTED) / (TRUSTED - DOUBTED));
    snVec3 out = sn_sub(b->contact->closed->rest[point], d->middle);
    out = sn_sub(out, sn_scale(d->normal, side));
    gate *= 1.0f - sni_smooth_step((sn_length(out) / r - THICK) / (OUTSIDE - THICK));
    return (sniPressed){.place = point,
                        .gate = gate * nearness(b, d, point),
                        .side = 2.0f * sni_smooth_step(0.5f + 0.5f * side / (MIXED * r)) - 1.0f,
                        .gap = 1.0f - sn_exp(-way / GAP_AFTER),
                        .soft = SOFT * r * sni_smooth_step(way / SOFT_AFTER),
                        .back = sn_neg(out)};
}

// What curves move of one that is pressed; without weights it gives way as on no curve.
static void hang(const Build* b, size_t pressed) {
    snContact* c = b->contact;
    const sniClosed* closed = c->closed;
    const snVolumeCurves* curves = b->def->curves;
    uint32_t vertex = closed->vertices[c->pressed[pressed].place], part = 0;
    while (vertex >= closed->vertex_starts[part + 1]) part++;
    size_t to = pressed * c->influences,
           from = (size_t)(vertex - closed->vertex_starts[part]) * c->influences;
    memset(c->curves + to, 0, c->influences * sizeof *c->curves);
    memset(c->weights + to, 0, c->influences * sizeof *c->weights);
    if (curves->matrices[part] == NULL) return;
    memcpy(c->curves + to, curves->matrices[part] + from, c->influences * sizeof *c->curves);
    memcpy(c->weights + to, curves->weights[part] + from, c->influences * sizeof *c->weights);
}

static snResult hang_points(Build* b, const sniDivide* d, snError* error) {
    snContact* c = b->contact;
    if (b->def->curves == NULL) return SN_RESULT_OK;
    c->influences = b->def->curves->influences;
    size_t count = c->pressed_count * c->influences;
    if (!sni_grow(b->memory, &c->curves, &b->curve_capacity, count, sizeof *c->curves) ||
        !sni_grow(b->memory, &c->weights, &b->weight_capacity, count, sizeof *c->weights))
        return sni_fail_memory(error);
    for (size_t i = d->first; i < c->pressed_count; i++) hang(b, i);
    return SN_RESULT_OK;
}

static snResult add_points(Build* b, sniDivide* d, snError* error) {
    snContact* c = b->contact;
    d->first = (uint32_t)c->pressed_count;
    if (!sni_grow(b->memory, &c->pressed, &b->pressed_capacity, c->pressed_count + b->reached_count,
                  sizeof(sniPressed)))
        return sni_fail_memory(error);
    for (uint32_t i = 0; i < c->closed->point_count; i++) {
        if (b->far[i] < 0.0f || b->far[i] > NEAR * d->radius) continue;
        sniPressed pressed = press(b, d, i);
        if (pressed.gate > 0.0f) c->pressed[c->pressed_count++] = pressed;
    }
    d->count = (uint32_t)(c->pressed_count - d->first);
    return SN_RESULT_OK;
}

static bool is_trusted(const sniDivide* d) {
    float most = 0.0f;
    for (int i = 0; i < SNI_TILTS * 4 * SNI_PRESSES; i++) most = sn_maxf(most, (&d->trust[0][0][0])[i]);
    return most > 0.0f;
}

static snResult add_joint(Build* b, uint32_t joint, snError* error) {
    snContact* c = b->contact;
    sniDivide d = {.joint = joint, .parent = b->def->joints[joint].parent};
    double middle[3] = {0.0, 0.0, 0.0};
    if (d.parent == SN_NONE) return SN_RESULT_OK;
    sni_trial_aim(&b->trial, b->def, joint, b->def->joints[joint].place, 0.0f);
    if (!find_bent(b) || !find_middle(b, middle)) return SN_RESULT_OK;
    d.middle = sn_vec3((float)middle[0], (float)middle[1], (float)middle[2]);
    d.radius = radius_of(b, d.middle, sn_vec3(0.0f, 0.0f, 0.0f));
    if (!(d.radius > 0.0f && sn_finite(NEAR * d.radius)) || !is_one_limb(b, d.middle)) return SN_RESULT_OK;
    walk(b, NEAR * d.radius);
    d.normal = normal_of(b, d.radius);
    d.radius = radius_of(b, d.middle, d.normal);
    if (sn_dot(d.normal, d.normal) == 0.0f || !(d.radius > 0.0f) || !divides(b, &d)) return SN_RESULT_OK;
    sni_fill_ways(b->def, joint, b->ways, b->ends);
    SNI_TRY(add_points(b, &d, error));
    if (d.count == 0) return SN_RESULT_OK;
    SNI_TRY(hang_points(b, &d, error));
    sni_divide_try(b->def, c, &b->trial, &d);
    if (!is_trusted(&d)) {
        c->pressed_count = d.first;
        return SN_RESULT_OK;
    }
    if (!sni_grow(b->memory, &c->divides, &b->divide_capacity, (size_t)c->divide_count + 1,
                  sizeof(sniDivide)))
        return sni_fail_memory(error);
    c->divides[c->divide_count++] = d;
    return SN_RESULT_OK;
}

// ----------------------------------------------------------------------------------------------- as a whole

static bool allocate(Build* b) {
    size_t points = b->contact->closed->point_count, joints = b->def->joint_count;
    b->ways = SNI_NEW_ARRAY(b->memory, float, joints);
    b->ends = SNI_NEW_ARRAY(b->memory, uint32_t, joints);
    b->bent = SNI_NEW_ARRAY(b->memory, uint8_t, points);
    b->far = SNI_NEW_ARRAY(b->memory, float, points);
    b->reached = SNI_NEW_ARRAY(b->memory, uint32_t, points);
    b->shares = b->trial.shares;
    return sni_heap_create(&b->heap, (uint32_t)points, b->memory) && b->shares != NULL && b->ways != NULL &&
           b->ends != NULL && b->bent != NULL && b->far != NULL && b->reached != NULL;
}

snResult sni_contact_divide(const snExactVolumeDef* def, snContact* contact, snError* error) {
    Build b = {.def = def, .contact = contact, .memory = &contact->allocator};
    bool ready = sni_trial_create(def, contact->closed, b.memory, &b.trial) && allocate(&b);
    snResult result = ready ? SN_RESULT_OK : sni_fail_memory(error);
    for (uint32_t i = 0; i < def->joint_count && result == SN_RESULT_OK; i++)
        result = add_joint(&b, def->order[i], error);
    sni_trial_free(&b.trial);
    void* arrays[] = {b.ways, b.ends, b.bent, b.far, b.reached};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(b.memory, arrays[i]);
    sni_heap_free(&b.heap, b.memory);
    return result;
}
