// The plane of one bend in a pose, and points that give way to it.
#include "volume/contact.h"

#include "base/curve.h"

// Bends in radians between which a plane comes into force: below, sides do not meet. Turned by half a turn
// (from 165 degrees) a limb does not show any more which way it is bent.
#define UNBENT 0.44f
#define BENT 0.87f
#define FOLDING 2.88f
#define FOLDED 3.11f
// Of the radius: how deep in the bend a point is inside.
#define INSIDE 0.15f
// Of the radius: how far a point is pushed as far as it takes; and at most.
#define EASY 1.5f
#define MOST 2.0f
// Of the radius: how far from the plane a point stays that came EASY beyond it; and how much of the way
// between two points is left where they are pressed. So clothes stay outside of what they cover.
#define GAP 0.01f
#define LEFT 0.03f
// Of a way that is trusted, what is left where the bend turns to one that is not, before the plane lets go:
// half a plane parts nothing, and makes longer what crosses. Between 30 degrees off and the way itself.
#define TRUSTED 0.75f

// Sections that are nearer to the plane than this (a sine: 6 degrees) slide less; and how much of the way to
// its middle a point slides at most.
#define STEEP 0.1f
#define SECTION 1.0f

typedef struct Plane {
    snVec3 origin, normal, inward;
    float strength;
    float scale; // metres of the pose per metre of the bind pose
} Plane;

// Between the angles that were tried, one way. Below the first of them sides hardly meet, beyond the last the
// limb lies on itself.
static float trust_at(const float trust[SNI_PRESSES], float bend) {
    static const float tried[SNI_PRESSES] = SNI_TRIED_PRESSES;
    float at = trust[0];
    for (int i = 1; i < SNI_PRESSES && bend > tried[i - 1]; i++)
        at = sn_lerpf(trust[i - 1], trust[i],
                      sn_minf((bend - tried[i - 1]) / (tried[i] - tried[i - 1]), 1.0f));
    return at;
}

// How the joint is turned against its parent, in the frame of the ways and the normal: by an angle about an
// axis, which is 0 where it is not turned, or by half a turn.
static float turn_of(const sniDivide* d, const snMat4* parent, const snMat4* own, snVec3* axis) {
    const snVec3 frame[3] = {d->ways[0], d->ways[1], d->normal};
    snVec3 upper[3], lower[3];
    for (int k = 0; k < 3; k++) {
        upper[k] = sn_normalize_or(sn_mat4_vector(parent, frame[k]), frame[k]);
        lower[k] = sn_normalize_or(sn_mat4_vector(own, frame[k]), frame[k]);
    }
    *axis = sn_vec3(sn_dot(upper[2], lower[1]) - sn_dot(upper[1], lower[2]),
                    sn_dot(upper[0], lower[2]) - sn_dot(upper[2], lower[0]),
                    sn_dot(upper[1], lower[0]) - sn_dot(upper[0], lower[1]));
    *axis = sn_normalize_or(*axis, sn_vec3(0.0f, 0.0f, 0.0f));
    float trace = sn_dot(upper[0], lower[0]) + sn_dot(upper[1], lower[1]) + sn_dot(upper[2], lower[2]);
    return sn_acos(sn_clampf(0.5f * (trace - 1.0f), -1.0f, 1.0f));
}

// One way, between the axes that were tried; less and less where they are tilted further.
static float trust_tilted(const sniDivide* d, int way, float tilt, float angle) {
    static const float tried[SNI_TILTS] = SNI_TRIED_TILTS;
    float last = tried[SNI_TILTS - 1], far = fabsf(tilt);
    float left = far > last ? (1.0f - far) / (1.0f - last) : 1.0f, at = trust_at(d->trust[0][way], angle);
    for (int i = 1; i < SNI_TILTS && tilt > tried[i - 1]; i++)
        at = sn_lerpf(trust_at(d->trust[i - 1][way], angle), trust_at(d->trust[i][way], angle),
                      sn_minf((tilt - tried[i - 1]) / (tried[i] - tried[i - 1]), 1.0f));
    return at * left;
}

// How far the plane may be trusted where the limb turns by an angle about an axis, in the frame of the ways
// and the normal: between the ways that were tried. The bend opens across the axis.
static float trust_of(const sniDivide* d, snVec3 axis, float angle) {
    float weights[2] = {-axis.y, axis.x}, sum = axis.x * axis.x + axis.y * axis.y, trust = 0.0f;
    for (int k = 0; k < 2 && sum > 0.0f; k++)
        trust += weights[k] * weights[k] / sum * trust_tilted(d, 2 * k + (weights[k] < 0.0f), axis.z, angle);
    return sni_smooth_step((trust - TRUSTED) / (1.0f - TRUSTED));
}

static Plane plane_of(const sniDivide* d, const snMat4* parent, const snMat4* own) {
    snVec3 upper = sn_mat4_vector(parent, d->normal), lower = sn_mat4_vector(own, d->normal);
    Plane plane = {.scale = 0.5f * (sn_length(upper) + sn_length(lower))};
    upper = sn_normalize_or(upper, d->normal);
    lower = sn_normalize_or(lower, d->normal);
    float bend = sn_acos(sn_clampf(sn_dot(upper, lower), -1.0f, 1.0f));
    snVec3 axis;
    float turn = turn_of(d, parent, own, &axis);
    plane.strength = sni_smooth_step((bend - UNBENT) / (BENT - UNBENT)) *
                     (1.0f - sni_smooth_step((turn - FOLDING) / (FOLDED - FOLDING)));
    plane.origin = sn_lerp(sn_mat4_point(parent, d->middle), sn_mat4_point(own, d->middle), 0.5f);
    plane.normal = sn_normalize_or(sn_add(upper, lower), upper);
    plane.inward = sn_normalize_or(sn_cross(plane.normal, sn_cross(upper, lower)), sn_vec3(0, 0, 0));
    plane.strength *= trust_of(d, axis, turn);
    if (!(plane.scale > 0.0f && sn_finite(plane.scale))) plane.strength = 0.0f;
    return plane;
}

// How far a point that is `way` in front of the plane on its side has to go: smooth where it begins.
static float push_of(float way, const sniPressed* p, float scale, float radius) {
    float least = p->gap * (GAP * radius + LEFT * (way + EASY * radius));
    float short_of = least - way, soft = p->soft * scale;
    float push = 0.5f * (sqrtf(short_of * short_of + soft * soft) + short_of);
    float easy = EASY * radius, room = (MOST - EASY) * radius;
    if (push > easy) push = easy + room * (push - easy) / (push - easy + room);
    return push;
}

// Points between the sides are held from both of them.
static float move_of(const Plane* plane, const sniPressed* p, float radius, snVec3 at) {
    snVec3 d = sn_sub(at, plane->origin);
    float inside = sni_smooth_step(sn_dot(d, plane->inward) / (INSIDE * radius));
    if (inside == 0.0f) return 0.0f;
    float way = sn_dot(d, plane->normal), parents = 0.5f + 0.5f * p->side, move = 0.0f;
    if (parents > 0.0f) move += parents * push_of(way, p, plane->scale, radius);
    if (parents < 1.0f) move -= (1.0f - parents) * push_of(-way, p, plane->scale, radius);
    return move * inside * plane->strength * p->gate;
}

// Where the middle of a point's section lies from it, in the pose; 0 where no curve moves it.
static snVec3 posed_back(const sniHang* hang, uint32_t i, snVec3 back) {
    snVec3 sum = {0.0f, 0.0f, 0.0f};
    if (hang->matrices == NULL) return sum;
    for (size_t k = (size_t)i * hang->influences; k < (size_t)(i + 1) * hang->influences; k++)
        if (hang->weights[k] > 0.0f)
            sum = sn_add(sum,
                         sn_scale(sn_mat4_vector(&hang->matrices[hang->curves[k]], back), hang->weights[k]));
    return sum;
}

// On a curve, sections that lean past the plane are cut off by it: points go back towards the middles of
// their sections. Cut off so, sections of one side never meet, for a curve bends most in its middle, and its
// centers of curvature lie behind the plane. What would have to slide too far along a section that is nearly
// in the plane goes straight away from it for the rest.
static snVec3 give_way(const Plane* plane, snVec3 back, float move) {
    snVec3 straight = sn_scale(plane->normal, move);
    float length = sn_length(back);
    if (!(length > 0.0f)) return straight;
    snVec3 along = sn_scale(back, 1.0f / length);
    float away = sn_dot(along, plane->normal), size = fabsf(move);
    if (move < 0.0f) away = -away;
    if (away <= 0.0f) return straight;
    float slide = size * away / (away * away + STEEP * STEEP);
    slide = slide / (1.0f + slide / (SECTION * length)); // never past the middle
    float left = size - slide * away;
    return sn_add(sn_scale(along, slide), sn_scale(plane->normal, move < 0.0f ? -left : left));
}

float sni_divide_press(const sniDivide* d, const sniPressed* pressed, const snMat4* parent, const snMat4* own,
                       const sniHang* hang, snVec3* points, uint8_t* moved) {
    Plane plane = plane_of(d, parent, own);
    if (plane.strength == 0.0f) return 0.0f;
    float radius = d->radius * plane.scale, most = 0.0f;
    for (uint32_t i = 0; i < d->count; i++) {
        const sniPressed* p = &pressed[i];
        snVec3* at = &points[p->place];
        float move = move_of(&plane, p, radius, *at);
        if (move == 0.0f) continue;
        *at = sn_add(*at, give_way(&plane, posed_back(hang, i, p->back), move));
        if (moved != NULL) moved[p->place] = 1;
        most = sn_maxf(most, fabsf(move));
    }
    return most;
}
