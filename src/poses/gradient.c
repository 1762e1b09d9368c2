// The gradient of the energy by the weights, and its Hessian, about.
//
// A term that is a function of points adds the force on each point, carried back to the weights by the
// derivatives of the points. The Hessian is that of least squares with weights: rho(x) = sqrt(|x|^2 + s^2)
// lies under the parabola that touches it where we are, of second derivative 1 / rho, and so does 1 -
// exp(-x^2) under one of 2 exp(-x^2); steps by this Hessian go down wherever points depend on weights about
// linearly.
#include <string.h>

#include "poses/evaluate.h"

// Derivative of a point of a handle by all weights, in units of the size: x of all, y, z.
static void point_rows(const sniEvaluator* ev, uint32_t number, snVec3 p, float* rows) {
    uint32_t s = ev->space->padded_poses;
    for (uint32_t g = 0; g < ev->group_count; g++) {
        const sniTwist* twist = &ev->twists[(size_t)number * ev->group_count + g];
        float x[SNI_POSE_LANES], y[SNI_POSE_LANES], z[SNI_POSE_LANES];
        for (uint32_t l = 0; l < SNI_POSE_LANES; l++) {
            snVec3 v = sn_cross(sn_vec3(twist->part[0][l], twist->part[1][l], twist->part[2][l]), p);
            x[l] = (twist->part[3][l] + v.x) * ev->unit;
            y[l] = (twist->part[4][l] + v.y) * ev->unit;
            z[l] = (twist->part[5][l] + v.z) * ev->unit;
        }
        memcpy(rows + (size_t)g * SNI_POSE_LANES, x, sizeof x);
        memcpy(rows + s + (size_t)g * SNI_POSE_LANES, y, sizeof y);
        memcpy(rows + (size_t)2 * s + (size_t)g * SNI_POSE_LANES, z, sizeof z);
    }
}

static void add_force(const float* restrict rows, uint32_t s, snVec3 force, float* restrict gradient) {
    for (uint32_t i = 0; i < s; i++) {
        gradient[i] += force.x * rows[i] + force.y * rows[s + i] + force.z * rows[2 * s + i];
    }
}

// hessian += factor * rows^T rows, of `count` rows; the lower triangle, in whole groups.
static void add_hessian(sniEvaluator* ev, const float* restrict rows, uint32_t count, float factor) {
    uint32_t s = ev->space->padded_poses;
    for (uint32_t i = 0; i < ev->space->pose_count; i++) {
        float* restrict hessian = ev->hessian + (size_t)i * s;
        uint32_t end = sni_pad_lanes(i + 1);
        for (uint32_t r = 0; r < count; r++) {
            float a = factor * rows[r * s + i];
            if (a == 0.0f) continue;
            for (uint32_t j = 0; j < end; j++) hessian[j] += a * rows[r * s + j];
        }
    }
}

static void differentiate_targets(sniEvaluator* ev, const snRigid* state, float smoothing, bool second) {
    uint32_t s = ev->space->padded_poses;
    snVec3 shift = sni_target_shift(ev->job, state, ev->numbers);
    // The body follows its anchor: what moves that point moves all others back.
    float* anchor_rows = ev->rows + (size_t)3 * s;
    bool anchored = ev->job->anchor < ev->job->target_count;
    if (anchored) {
        const snPoseTarget* anchor = &ev->job->targets[ev->job->anchor];
        uint32_t number = ev->numbers[anchor->handle];
        point_rows(ev, number, sn_rigid_point(state[number], anchor->point), anchor_rows);
    }
    for (uint32_t t = 0; t < ev->job->target_count; t++) {
        if (t == ev->job->anchor && !ev->job->upright) continue;
        const snPoseTarget* target = &ev->job->targets[t];
        uint32_t number = ev->numbers[target->handle];
        snVec3 place = sn_rigid_point(state[number], target->point);
        snVec3 away = sn_scale(sn_add(sn_sub(place, target->place), shift), ev->unit);
        float curvature =
            ev->job->objective.target * target->strength / sqrtf(sn_dot(away, away) + smoothing * smoothing);
        point_rows(ev, number, place, ev->rows);
        uint32_t first = ev->job->upright ? s : 0, end = ev->job->upright ? 2 * s : 3 * s;
        for (uint32_t i = first; i < end && anchored; i++) ev->rows[i] -= anchor_rows[i];
        add_force(ev->rows, s, sn_scale(away, curvature), ev->gradient);
        if (second) add_hessian(ev, ev->rows, 3, curvature);
    }
}

static snVec3 place_of(const sniEvaluator* ev, uint32_t h) {
    uint32_t stride = ev->space->padded_handles;
    return sn_vec3(ev->places[h], ev->places[stride + h], ev->places[2 * stride + h]);
}

// k S^2 with S a sum of distances: gradient 2 k S dS, Hessian 2 k dS dS^T and 2 k S times that of S.
static void differentiate_last(sniEvaluator* ev, float smoothing, bool second) {
    uint32_t s = ev->space->padded_poses;
    float factor = 2.0f * ev->job->objective.last, sum = 0.0f;
    for (uint32_t h = 0; h < ev->space->handle_count; h++) {
        snVec3 away = sn_scale(sn_sub(place_of(ev, h), ev->job->last[h]), ev->unit);
        sum += sqrtf(sn_dot(away, away) + smoothing * smoothing) - smoothing;
    }
    memset(ev->row, 0, s * sizeof *ev->row);
    for (uint32_t h = 0; h < ev->space->handle_count; h++) {
        snVec3 place = place_of(ev, h);
        snVec3 away = sn_scale(sn_sub(place, ev->job->last[h]), ev->unit);
        float curvature = 1.0f / sqrtf(sn_dot(away, away) + smoothing * smoothing);
        point_rows(ev, h, place, ev->rows);
        add_force(ev->rows, s, sn_scale(away, curvature), ev->row);
        if (second) add_hessian(ev, ev->rows, 3, factor * sum * curvature);
    }
    for (uint32_t i = 0; i < s; i++) ev->gradient[i] += factor * sum * ev->row[i];
    if (second) add_hessian(ev, ev->row, 1, factor);
}

// Of a product, each factor's derivative goes with all other factors: those before it, then those behind it.
static float fill_pulls(sniEvaluator* ev) {
    const snObjective* k = &ev->job->objective;
    uint32_t count = ev->space->pose_count;
    float scale = 1.0f / (k->radius * k->radius), far = 1.0f, total = 0.0f;
    float factor = 2.0f * k->examples * SNI_WELL_DEPTH * k->radius * scale / (float)ev->space->handle_count;
    float* near = ev->rows; // not in use yet
    for (uint32_t e = 0; e < count; e++) {
        near[e] = sni_nearness(sni_example_distance(ev, e) * scale);
        ev->row[e] = factor * near[e] * far;
        far *= 1.0f - near[e];
    }
    far = 1.0f;
    for (uint32_t e = count; e-- > 0;) {
        ev->row[e] *= far;
        far *= 1.0f - near[e];
        total += ev->row[e];
    }
    return total;
}

static void differentiate_examples(sniEvaluator* ev, bool second) {
    const snPoseSpace* space = ev->space;
    uint32_t stride = space->padded_handles;
    float total = fill_pulls(ev);
    for (uint32_t h = 0; h < space->handle_count; h++) {
        snVec3 place = place_of(ev, h);
        snVec3 force = sn_vec3(0.0f, 0.0f, 0.0f);
        for (uint32_t e = 0; e < space->pose_count; e++) {
            const float* x = space->example_places + (size_t)e * 3 * stride + h;
            snVec3 away = sn_sub(place, sn_vec3(x[0], x[stride], x[2 * stride]));
            force = sn_add(force, sn_scale(away, ev->row[e] * ev->unit));
        }
        point_rows(ev, h, place, ev->rows);
        add_force(ev->rows, space->padded_poses, force, ev->gradient);
        if (second) add_hessian(ev, ev->rows, 3, total);
    }
}

static void differentiate_one(sniEvaluator* ev, const float* weights, float smoothing, bool second) {
    uint32_t count = ev->space->pose_count;
    for (uint32_t g = 0; g < ev->space->group_count; g++) {
        const float* members = ev->space->members + (size_t)g * count;
        float excess = sni_sum_excess(ev, weights, g), share = ev->space->groups[g].share;
        if (excess == 0.0f && ev->space->groups[g].rests) continue;
        float curvature = ev->job->objective.one * share / sqrtf(excess * excess + smoothing * smoothing);
        memset(ev->row, 0, ev->space->padded_poses * sizeof *ev->row);
        for (uint32_t p = 0; p < count; p++) {
            ev->row[p] = members[ev->order[p]];
            ev->gradient[p] += curvature * excess * ev->row[p];
        }
        if (second) add_hessian(ev, ev->row, 1, curvature);
    }
}

static void differentiate_weights(sniEvaluator* ev, const float* weights, float smoothing) {
    const snObjective* k = &ev->job->objective;
    uint32_t count = ev->space->pose_count;
    float positive = 0.0f, roots = 0.0f;
    for (uint32_t e = 0; e < count; e++) {
        if (!(weights[e] > 0.0f)) continue;
        positive += weights[e];
        roots += sqrtf(weights[e] + smoothing * smoothing) - smoothing;
    }
    for (uint32_t p = 0; p < count; p++) {
        float weight = weights[ev->order[p]];
        ev->gradient[p] += k->weights;
        if (positive > 0.0f && weight >= 0.0f) {
            float root = 0.5f / sqrtf(weight + smoothing * smoothing);
            ev->gradient[p] += k->spread * (root - roots / positive) / positive;
        }
    }
}

float sni_energy_gradient(sniEvaluator* ev, const float* weights, float smoothing, bool second) {
    const snObjective* k = &ev->job->objective;
    uint32_t s = ev->space->padded_poses;
    float energy = sni_energy_smooth(ev, weights, smoothing); // fills places
    sni_twists(ev, weights);
    memset(ev->gradient, 0, s * sizeof *ev->gradient);
    if (second) memset(ev->hessian, 0, (size_t)s * s * sizeof *ev->hessian);
    const snRigid* state = sni_evaluate(ev, weights);
    if (k->target > 0.0f) differentiate_targets(ev, state, smoothing, second);
    if (k->last > 0.0f && ev->job->last != NULL) differentiate_last(ev, smoothing, second);
    if (k->examples > 0.0f) differentiate_examples(ev, second);
    if (k->one > 0.0f) differentiate_one(ev, weights, smoothing, second);
    differentiate_weights(ev, weights, smoothing);
    return energy;
}
