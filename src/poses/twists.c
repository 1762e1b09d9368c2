// How handles move when weights change.
//
// Each handle has, per weight, the velocity of a rigid body (w, v): a point x of it moves by v + w x x. A
// turn by phi = weight * angle about the axis r through c, both carried by handles, is y = c + R (x - c). By
// its own weight it adds the velocity angle * (r, c x r). By every weight it also changes with what carries
// it:
//   dr = w_frame x r,  dc = v_center + w_center x c,
//   w_d = sin(phi) dr + (1 - cos(phi)) r x dr,  v_d = (I - R) dc - w_d x c,
// and what was there before is turned along: w' = w_d + R w, v' = v_d + R v + t x R w with t = c - R c.
// For a weight of 0 only its own part is left, which makes examples that are not in use cheap.
//
// Forward mode: for the few weights and many points here it gives the Jacobian that least squares want, at
// the price of about what one gradient in reverse mode would cost with all its bookkeeping.
#include <string.h>

#include "poses/evaluate.h"

// Rows of a rotation matrix.
typedef struct Rows {
    snVec3 x, y, z;
} Rows;

static Rows rotation_rows(snQuat q) {
    float xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
    float xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z, wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
    Rows rows = {{1.0f - 2.0f * (yy + zz), 2.0f * (xy - wz), 2.0f * (xz + wy)},
                 {2.0f * (xy + wz), 1.0f - 2.0f * (xx + zz), 2.0f * (yz - wx)},
                 {2.0f * (xz - wy), 2.0f * (yz + wx), 1.0f - 2.0f * (xx + yy)}};
    return rows;
}

static snVec3 turn_by(Rows m, snVec3 v) { return sn_vec3(sn_dot(m.x, v), sn_dot(m.y, v), sn_dot(m.z, v)); }

static snVec3 spin_of(const sniTwist* twist, uint32_t l) {
    return sn_vec3(twist->part[0][l], twist->part[1][l], twist->part[2][l]);
}
static snVec3 shift_of(const sniTwist* twist, uint32_t l) {
    return sn_vec3(twist->part[3][l], twist->part[4][l], twist->part[5][l]);
}
static void set_lane(sniTwist* twist, uint32_t l, snVec3 w, snVec3 v) {
    twist->part[0][l] = w.x, twist->part[1][l] = w.y, twist->part[2][l] = w.z;
    twist->part[3][l] = v.x, twist->part[4][l] = v.y, twist->part[5][l] = v.z;
}

static sniTwist* twists_of(const sniEvaluator* ev, uint32_t handle) {
    return ev->twists + (size_t)handle * ev->group_count;
}

// Adds to the weight at a position.
static void add_own(sniTwist* twists, uint32_t k, snVec3 w, snVec3 v) {
    sniTwist* twist = &twists[k / SNI_POSE_LANES];
    uint32_t l = k % SNI_POSE_LANES;
    set_lane(twist, l, sn_add(spin_of(twist, l), w), sn_add(shift_of(twist, l), v));
}

// A turn in progress: y = rows (x - center) + center = rows x + shift.
typedef struct Turn {
    snVec3 axis, center, shift;
    Rows rows;
    float sine, versine; // of the whole angle; versine is 1 - cosine
} Turn;

// What a turn adds by the motion of what carries it.
static void drive_turn(const Turn* turn, const sniTwist* frame, const sniTwist* center, sniTwist* out) {
    sniTwist drive; // apart from what is read, so that lanes may go together
    for (uint32_t l = 0; l < SNI_POSE_LANES; l++) {
        snVec3 dr = sn_cross(spin_of(frame, l), turn->axis);
        snVec3 dc = sn_add(shift_of(center, l), sn_cross(spin_of(center, l), turn->center));
        snVec3 w = sn_add(sn_scale(dr, turn->sine), sn_scale(sn_cross(turn->axis, dr), turn->versine));
        set_lane(&drive, l, w, sn_sub(sn_sub(dc, turn_by(turn->rows, dc)), sn_cross(w, turn->center)));
    }
    *out = drive;
}

// Turns along what was there before.
static void carry_turn(const Turn* turn, const sniTwist* drive, sniTwist* twist) {
    sniTwist moved;
    for (uint32_t l = 0; l < SNI_POSE_LANES; l++) {
        snVec3 w = turn_by(turn->rows, spin_of(twist, l));
        snVec3 v = sn_add(turn_by(turn->rows, shift_of(twist, l)), sn_cross(turn->shift, w));
        set_lane(&moved, l, sn_add(spin_of(drive, l), w), sn_add(shift_of(drive, l), v));
    }
    *twist = moved;
}

static void carry_move(snVec3 move, sniTwist* twist) {
    for (uint32_t l = 0; l < SNI_POSE_LANES; l++) {
        snVec3 w = spin_of(twist, l);
        set_lane(twist, l, w, sn_add(shift_of(twist, l), sn_cross(move, w)));
    }
}

// `groups`: of weights up to this position; those of examples that come later move nothing yet.
static void twist_move(sniEvaluator* ev, const sniStep* step, uint32_t groups, uint32_t k, float weight,
                       snRigid* state) {
    snVec3 move = sn_scale(step->pivot, weight);
    for (uint32_t m = 0; m < step->count; m++) {
        uint32_t h = ev->moved[step->first + m];
        sniTwist* twists = twists_of(ev, h);
        for (uint32_t g = 0; g < groups && weight != 0.0f; g++) carry_move(move, &twists[g]);
        add_own(twists, k, sn_vec3(0.0f, 0.0f, 0.0f), step->pivot);
        state[h].translation = sn_add(state[h].translation, move);
    }
}

static void twist_turn(sniEvaluator* ev, uint32_t i, uint32_t groups, uint32_t k, float weight,
                       snRigid* state) {
    const sniStep* step = &ev->steps[i];
    Turn turn = {.axis = sn_quat_rotate(state[step->frame].rotation, step->axis),
                 .center = sn_rigid_point(state[step->center], step->pivot)};
    snVec3 w = sn_scale(turn.axis, step->angle), v = sn_cross(turn.center, w);
    if (weight == 0.0f) {
        for (uint32_t m = 0; m < step->count; m++) {
            add_own(twists_of(ev, ev->moved[step->first + m]), k, w, v);
        }
        return;
    }
    sniHalfTurn half = ev->halves[i];
    sniTurn plain = sni_turn(state[step->frame], state[step->center], step->axis, step->pivot, half);
    turn.rows = rotation_rows(plain.rotation);
    turn.shift = sn_sub(turn.center, turn_by(turn.rows, turn.center));
    turn.sine = 2.0f * half.sine * half.cosine;
    turn.versine = 2.0f * half.sine * half.sine;
    const sniTwist *frame = twists_of(ev, step->frame), *center = twists_of(ev, step->center);
    for (uint32_t g = 0; g < groups; g++) drive_turn(&turn, &frame[g], &center[g], &ev->drive[g]);
    add_own(ev->drive, k, w, v);
    for (uint32_t m = 0; m < step->count; m++) {
        uint32_t h = ev->moved[step->first + m];
        sniTwist* twists = twists_of(ev, h);
        for (uint32_t g = 0; g < groups; g++) carry_turn(&turn, &ev->drive[g], &twists[g]);
        state[h] = sni_turn_apply(plain, state[h]);
    }
}

void sni_twists(sniEvaluator* ev, const float* weights) {
    const snPoseSpace* space = ev->space;
    sni_evaluate(ev, weights); // half turns, and the states before each example
    memset(ev->twists, 0, (size_t)ev->handle_count * ev->group_count * sizeof *ev->twists);
    snRigid* state = ev->states + (size_t)(space->pose_count + 1) * ev->handle_count;
    for (uint32_t k = 0; k < space->pose_count; k++) {
        float weight = weights[ev->order[k]];
        uint32_t groups = k / SNI_POSE_LANES + 1;
        memcpy(state, ev->states + (size_t)ev->slots[k] * ev->handle_count, ev->handle_count * sizeof *state);
        for (uint32_t i = ev->first_step[k]; i < ev->first_step[k + 1]; i++) {
            if (ev->steps[i].act == SN_POSE_MOVE)
                twist_move(ev, &ev->steps[i], groups, k, weight, state);
            else
                twist_turn(ev, i, groups, k, weight, state);
        }
    }
}
