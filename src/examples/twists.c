// How handles move when weights change.
//
// Each handle has, per weight, the velocity of a rigid body (w, v): a point x of it moves by v + w x x. A
// turn by phi = weight * angle about the axis r through c, both carried by handles, is y = c + R (x - c). By
// its own weight it adds the velocity angle * (r, c x r). By every weight it also changes with what carries
// it:
//   dr = w_frame x r,  dc = v_centre + w_centre x c,
//   w_d = sin(phi) dr + (1 - cos(phi)) r x dr,  v_d = (I - R) dc - w_d x c,
// and what was there before is turned along: w' = w_d + R w, v' = v_d + R v + t x R w with t = c - R c.
// For a weight of 0 only its own part is left, which makes examples that are not in use cheap.
//
// Forward mode: for the few weights and many points here it gives the Jacobian that least squares want, at
// the price of about what one gradient in reverse mode would cost with all its bookkeeping.
#include <string.h>

#include "examples/evaluate.h"

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

typedef struct Lanes {
    uint32_t count;  // in use, whole groups
    uint32_t stride; // from one component to the next
} Lanes;

static float* twist_of(const sniEvaluator* ev, uint32_t handle) {
    return ev->twists + (size_t)handle * 6 * ev->space->padded_poses;
}

static void add_own(float* twist, Lanes lanes, uint32_t k, snVec3 w, snVec3 v) {
    const float parts[6] = {w.x, w.y, w.z, v.x, v.y, v.z};
    for (uint32_t i = 0; i < 6; i++) twist[i * lanes.stride + k] += parts[i];
}

// What a turn adds by the motion of what carries it.
static void drive_turn(float* restrict drive, const float* restrict frame, const float* restrict centre,
                       Lanes lanes, snVec3 r, snVec3 c, Rows m, float sine, float versine) {
    uint32_t s = lanes.stride;
    for (uint32_t i = 0; i < lanes.count; i++) {
        snVec3 dr = sn_cross(sn_vec3(frame[i], frame[s + i], frame[2 * s + i]), r);
        snVec3 dc = sn_add(sn_vec3(centre[3 * s + i], centre[4 * s + i], centre[5 * s + i]),
                           sn_cross(sn_vec3(centre[i], centre[s + i], centre[2 * s + i]), c));
        snVec3 w = sn_add(sn_scale(dr, sine), sn_scale(sn_cross(r, dr), versine));
        snVec3 turned = sn_vec3(sn_dot(m.x, dc), sn_dot(m.y, dc), sn_dot(m.z, dc));
        snVec3 v = sn_sub(sn_sub(dc, turned), sn_cross(w, c));
        drive[i] = w.x;
        drive[s + i] = w.y;
        drive[2 * s + i] = w.z;
        drive[3 * s + i] = v.x;
        drive[4 * s + i] = v.y;
        drive[5 * s + i] = v.z;
    }
}

static void carry_turn(float* restrict twist, const float* restrict drive, Lanes lanes, Rows m, snVec3 t) {
    uint32_t s = lanes.stride;
    for (uint32_t i = 0; i < lanes.count; i++) {
        snVec3 w = sn_vec3(twist[i], twist[s + i], twist[2 * s + i]);
        snVec3 v = sn_vec3(twist[3 * s + i], twist[4 * s + i], twist[5 * s + i]);
        w = sn_vec3(sn_dot(m.x, w), sn_dot(m.y, w), sn_dot(m.z, w));
        v = sn_add(sn_vec3(sn_dot(m.x, v), sn_dot(m.y, v), sn_dot(m.z, v)), sn_cross(t, w));
        twist[i] = drive[i] + w.x;
        twist[s + i] = drive[s + i] + w.y;
        twist[2 * s + i] = drive[2 * s + i] + w.z;
        twist[3 * s + i] = drive[3 * s + i] + v.x;
        twist[4 * s + i] = drive[4 * s + i] + v.y;
        twist[5 * s + i] = drive[5 * s + i] + v.z;
    }
}

static void carry_move(float* restrict twist, Lanes lanes, snVec3 t) {
    uint32_t s = lanes.stride;
    for (uint32_t i = 0; i < lanes.count; i++) {
        snVec3 v = sn_cross(t, sn_vec3(twist[i], twist[s + i], twist[2 * s + i]));
        twist[3 * s + i] += v.x;
        twist[4 * s + i] += v.y;
        twist[5 * s + i] += v.z;
    }
}

static void twist_move(sniEvaluator* ev, const sniStep* step, Lanes lanes, uint32_t k, float weight,
                       snRigid* state) {
    snVec3 move = sn_scale(step->pivot, weight);
    for (uint32_t m = 0; m < step->count; m++) {
        uint32_t h = ev->moved[step->first + m];
        if (weight != 0.0f) carry_move(twist_of(ev, h), lanes, move);
        add_own(twist_of(ev, h), lanes, k, sn_vec3(0.0f, 0.0f, 0.0f), step->pivot);
        state[h].translation = sn_add(state[h].translation, move);
    }
}

static void twist_turn(sniEvaluator* ev, uint32_t i, Lanes lanes, uint32_t k, float weight, snRigid* state) {
    const sniStep* step = &ev->steps[i];
    snVec3 r = sn_quat_rotate(state[step->frame].rotation, step->axis);
    snVec3 c = sn_rigid_point(state[step->centre], step->pivot);
    snVec3 w = sn_scale(r, step->angle), v = sn_cross(c, w);
    if (weight == 0.0f) {
        for (uint32_t m = 0; m < step->count; m++) {
            add_own(twist_of(ev, ev->moved[step->first + m]), lanes, k, w, v);
        }
        return;
    }
    sniHalfTurn half = ev->halves[i];
    sniTurn turn = sni_turn(state[step->frame], state[step->centre], step->axis, step->pivot, half);
    Rows rows = rotation_rows(turn.rotation);
    drive_turn(ev->drive, twist_of(ev, step->frame), twist_of(ev, step->centre), lanes, r, c, rows,
               2.0f * half.sine * half.cosine, 2.0f * half.sine * half.sine);
    add_own(ev->drive, lanes, k, w, v);
    snVec3 t = sn_sub(c, sn_vec3(sn_dot(rows.x, c), sn_dot(rows.y, c), sn_dot(rows.z, c)));
    for (uint32_t m = 0; m < step->count; m++) {
        uint32_t h = ev->moved[step->first + m];
        carry_turn(twist_of(ev, h), ev->drive, lanes, rows, t);
        state[h] = sni_turn_apply(turn, state[h]);
    }
}

void sni_twists(sniEvaluator* ev, const float* weights) {
    const snPoseSpace* space = ev->space;
    sni_evaluate(ev, weights); // half turns, and the states before each example
    memset(ev->twists, 0, (size_t)ev->handle_count * 6 * space->padded_poses * sizeof *ev->twists);
    snRigid* state = ev->states + (size_t)(space->pose_count + 1) * ev->handle_count;
    for (uint32_t k = 0; k < space->pose_count; k++) {
        float weight = weights[ev->order[k]];
        // Weights of examples that come later move nothing yet.
        Lanes lanes = {sni_pad_lanes(k + 1), space->padded_poses};
        memcpy(state, ev->states + (size_t)ev->slots[k] * ev->handle_count, ev->handle_count * sizeof *state);
        for (uint32_t i = ev->first_step[k]; i < ev->first_step[k + 1]; i++) {
            if (ev->steps[i].act == SN_POSE_MOVE)
                twist_move(ev, &ev->steps[i], lanes, k, weight, state);
            else
                twist_turn(ev, i, lanes, k, weight, state);
        }
    }
}
