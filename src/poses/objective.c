// The objective of a search: how good a blend is (Hansen 2006, section 7.4, equations 7.1 to 7.8).
//
// One evaluation serves both the objective and what the gradient search sees of it: with smoothing s, a root
// of x becomes sqrt(x + s^2) - s, which has no corner and equals the root for s = 0.
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "poses/evaluate.h"

static const char* const SEARCH_NAMES[SN_SEARCH_COUNT] = {"gradient",     "climb", "steepest", "hooke",
                                                          "simple-hooke", "sweep", "grid"};
const char* sn_search_name(snSearch search) {
    return (uint32_t)search < SN_SEARCH_COUNT ? SEARCH_NAMES[search] : "";
}

static const char* const ORDER_NAMES[SN_POSE_ORDER_COUNT] = {"given", "distance", "weight"};
const char* sn_pose_order_name(snPoseOrder order) {
    return (uint32_t)order < SN_POSE_ORDER_COUNT ? ORDER_NAMES[order] : "";
}

// As docs/poses.md has it, after the thesis.
snObjective sn_objective(void) {
    snObjective objective = {.target = 1.0f, .one = 0.2f, .wanted = 2, .threshold = 0.01f, .radius = 0.1f};
    return objective;
}

float* sn_objective_term(snObjective* objective, const char* name) {
    const struct {
        const char* name;
        float* value;
    } terms[] = {{"target", &objective->target},     {"in_use", &objective->in_use},
                 {"last", &objective->last},         {"weights", &objective->weights},
                 {"one", &objective->one},           {"spread", &objective->spread},
                 {"examples", &objective->examples}, {"threshold", &objective->threshold},
                 {"radius", &objective->radius}};
    for (size_t i = 0; i < sizeof terms / sizeof terms[0]; i++)
        if (strcmp(terms[i].name, name) == 0) return terms[i].value;
    return NULL;
}

// -------------------------------------------------------------------------------------------------- terms

static float rounded_root(float x, float smoothing) { return sqrtf(x + smoothing * smoothing) - smoothing; }

snVec3 sni_target_shift(const snPoseSearchJob* job, const snRigid* state, const uint32_t* numbers) {
    if (job->anchor >= job->target_count) return sn_vec3(0.0f, 0.0f, 0.0f);
    const snPoseTarget* anchor = &job->targets[job->anchor];
    uint32_t number = numbers != NULL ? numbers[anchor->handle] : anchor->handle;
    snVec3 shift = sn_sub(anchor->place, sn_rigid_point(state[number], anchor->point));
    return job->upright ? sn_vec3(0.0f, shift.y, 0.0f) : shift;
}

static float target_term(const sniEvaluator* ev, const snRigid* state, float smoothing) {
    snVec3 shift = sni_target_shift(ev->job, state, ev->numbers);
    float sum = 0.0f;
    for (uint32_t t = 0; t < ev->job->target_count; t++) {
        const snPoseTarget* target = &ev->job->targets[t];
        snVec3 place = sn_rigid_point(state[ev->numbers[target->handle]], target->point);
        snVec3 away = sn_scale(sn_add(sn_sub(place, target->place), shift), ev->unit);
        sum += target->strength * rounded_root(sn_dot(away, away), smoothing);
    }
    return sum;
}

// Equation 7.5 is about the sum of all weights: right where every example turns everything, and wrong where
// one has an arm and another a leg, which may both have all of their weight. So it is asked of each joint
// that examples turn: the weights of those that turn it sum to one, or to less where some leave it at rest.
float sni_sum_excess(const sniEvaluator* ev, const float* weights, uint32_t group) {
    const float* members = ev->space->members + (size_t)group * ev->space->pose_count;
    float sum = 0.0f;
    for (uint32_t e = 0; e < ev->space->pose_count; e++) sum += members[e] * weights[e];
    float excess = sum - 1.0f;
    return excess < 0.0f && ev->space->groups[group].rests ? 0.0f : excess;
}

static float one_term(const sniEvaluator* ev, const float* weights, float smoothing) {
    float sum = 0.0f;
    for (uint32_t g = 0; g < ev->space->group_count; g++) {
        float excess = sni_sum_excess(ev, weights, g);
        sum += ev->space->groups[g].share * rounded_root(excess * excess, smoothing);
    }
    return sum;
}

static float in_use_term(const sniEvaluator* ev, const float* weights) {
    const snObjective* objective = &ev->job->objective;
    uint32_t used = 0;
    for (uint32_t e = 0; e < ev->space->pose_count; e++) used += weights[e] > objective->threshold;
    float beyond = used > objective->wanted ? (float)(used - objective->wanted) : 0.0f;
    return beyond * beyond;
}

static float last_term(const sniEvaluator* ev, float smoothing) {
    const float* x = ev->places;
    uint32_t stride = ev->space->padded_handles;
    float sum = 0.0f;
    for (uint32_t h = 0; h < ev->space->handle_count; h++) {
        snVec3 place = sn_vec3(x[h], x[stride + h], x[2 * stride + h]);
        snVec3 away = sn_scale(sn_sub(place, ev->job->last[h]), ev->unit);
        sum += rounded_root(sn_dot(away, away), smoothing);
    }
    return sum * sum;
}

static float spread_term(const sniEvaluator* ev, const float* weights, float smoothing) {
    float roots = 0.0f, sum = 0.0f;
    for (uint32_t e = 0; e < ev->space->pose_count; e++) {
        if (!(weights[e] > 0.0f)) continue;
        roots += rounded_root(weights[e], smoothing);
        sum += weights[e];
    }
    return sum > 0.0f ? roots / sum : 0.0f;
}

float sni_example_distance(const sniEvaluator* ev, uint32_t example) {
    uint32_t stride = ev->space->padded_handles;
    const float* a = ev->places;
    const float* b = ev->space->example_places + (size_t)example * 3 * stride;
    // Lanes of a fixed number, so that the sum is the same with any vectors. Padding is 0 in both.
    float lanes[SNI_POSE_LANES] = {0};
    for (uint32_t i = 0; i < 3 * stride; i += SNI_POSE_LANES) {
        for (uint32_t l = 0; l < SNI_POSE_LANES; l++) {
            float d = a[i + l] - b[i + l];
            lanes[l] += d * d;
        }
    }
    float sum =
        ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) + ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]));
    return sum * (ev->unit * ev->unit) / (float)ev->space->handle_count;
}

float sni_nearness(float distance) {
    // Beyond, 1 less this is 1 in a float anyway.
    return distance < 25.0f ? sn_exp(-distance) : 0.0f;
}

// Equation 7.8 sums the wells of all examples: those that lie close together, as poses of a walk do, dig one
// that is as deep as they are many, and win over the targets. Their product is one well around all of them,
// whatever their number. Its steepest slope along the distance from an example is 1, that of a target's.
static float examples_term(const sniEvaluator* ev) {
    float radius = ev->job->objective.radius, scale = 1.0f / (radius * radius), far = 1.0f;
    for (uint32_t e = 0; e < ev->space->pose_count; e++) {
        far *= 1.0f - sni_nearness(sni_example_distance(ev, e) * scale);
    }
    return SNI_WELL_DEPTH * radius * far;
}

// Where all handles are; only terms about all of them ask.
static void fill_places(sniEvaluator* ev, const snRigid* state) {
    uint32_t stride = ev->space->padded_handles;
    for (uint32_t h = 0; h < ev->space->handle_count; h++) {
        snVec3 place = sn_rigid_point(state[h], ev->space->handles->handles[h].position);
        ev->places[h] = place.x;
        ev->places[stride + h] = place.y;
        ev->places[2 * stride + h] = place.z;
    }
}

static void measure_terms(sniEvaluator* ev, const float* weights, float smoothing, float terms[7]) {
    const snObjective* k = &ev->job->objective;
    const snRigid* state = sni_evaluate(ev, weights);
    if (ev->all_handles) fill_places(ev, state);
    float sum = 0.0f;
    for (uint32_t e = 0; e < ev->space->pose_count; e++) sum += weights[e];
    terms[0] = k->target > 0.0f ? k->target * target_term(ev, state, smoothing) : 0.0f;
    terms[1] = k->in_use > 0.0f && smoothing == 0.0f ? k->in_use * in_use_term(ev, weights) : 0.0f;
    terms[2] = k->last > 0.0f && ev->job->last != NULL ? k->last * last_term(ev, smoothing) : 0.0f;
    terms[3] = k->weights * sum;
    terms[4] = k->one > 0.0f ? k->one * one_term(ev, weights, smoothing) : 0.0f;
    terms[5] = k->spread > 0.0f ? k->spread * spread_term(ev, weights, smoothing) : 0.0f;
    terms[6] = k->examples > 0.0f ? k->examples * examples_term(ev) : 0.0f;
}

float sni_energy_smooth(sniEvaluator* ev, const float* weights, float smoothing) {
    float terms[7], energy = 0.0f;
    measure_terms(ev, weights, smoothing, terms);
    for (int i = 0; i < 7; i++) energy += terms[i];
    return energy;
}

float sni_energy(sniEvaluator* ev, const float* weights, float* out_terms) {
    float terms[7], energy = 0.0f;
    measure_terms(ev, weights, 0.0f, terms);
    for (int i = 0; i < 7; i++) {
        energy += terms[i];
        if (out_terms != NULL) out_terms[i] = terms[i];
    }
    return energy;
}

// ------------------------------------------------------------------------------------------------- checks

// False for NaN too.
static bool at_least(float value, float least) { return value >= least && value <= FLT_MAX; }

static bool objective_valid(const snObjective* k) {
    const float factors[] = {k->target, k->in_use, k->last, k->weights, k->one, k->spread, k->examples};
    for (size_t i = 0; i < sizeof factors / sizeof factors[0]; i++) {
        if (!at_least(factors[i], 0.0f)) return false;
    }
    return sn_finite(k->threshold) && at_least(k->radius, 1e-6f);
}

static bool within(float a, float b, float most) { return fabsf(a - b) <= most; }

snResult sn_pose_target_validate(const snPoseTarget* target, const snHandles* handles, snError* error) {
    if (target == NULL || handles == NULL)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a target and handles are needed");
    if (target->handle >= handles->handle_count)
        return sni_fail(error, SN_RESULT_BAD_DATA, "a target is for handle %u of %u", target->handle,
                        handles->handle_count);
    const char* name = handles->handles[target->handle].name;
    if (!at_least(target->strength, 0.0f))
        return sni_fail(error, SN_RESULT_BAD_DATA, "the target of \"%s\" has a strength of %g", name,
                        (double)target->strength);
    snVec3 p = target->point, q = target->place;
    if (!sn_vec3_finite(p) || !sn_vec3_finite(q))
        return sni_fail(error, SN_RESULT_BAD_DATA, "the target of \"%s\" is not finite", name);
    float most = SN_POSE_TARGET_FARTHEST * (handles->size > 0.0f ? handles->size : 1.0f);
    if (within(p.x, q.x, most) && within(p.y, q.y, most) && within(p.z, q.z, most)) return SN_RESULT_OK;
    return sni_fail(error, SN_RESULT_BAD_DATA,
                    "the target of \"%s\" at %g, %g, %g is more than %g times the model's size (%g) away",
                    name, (double)q.x, (double)q.y, (double)q.z, (double)SN_POSE_TARGET_FARTHEST,
                    (double)handles->size);
}

static bool targets_valid(const snPoseSearchJob* job) {
    if (job->target_count > 0 && job->targets == NULL) return false;
    for (uint32_t t = 0; t < job->target_count; t++) {
        if (sn_pose_target_validate(&job->targets[t], job->space->handles, NULL) != SN_RESULT_OK)
            return false;
    }
    return job->anchor == SN_NONE || job->anchor < job->target_count;
}

static bool order_valid(const snPoseSearchJob* job) {
    if ((uint32_t)job->order >= SN_POSE_ORDER_COUNT) return false;
    if (job->order != SN_POSE_ORDER_GIVEN || job->given == NULL) return true;
    uint8_t seen[SN_POSE_EXAMPLES_MAX] = {0};
    for (uint32_t i = 0; i < job->space->pose_count; i++) {
        if (job->given[i] >= job->space->pose_count || seen[job->given[i]] != 0) return false;
        seen[job->given[i]] = 1;
    }
    return true;
}

snResult sni_pose_job_check(const snPoseSearchJob* job) {
    if (job == NULL || job->space == NULL || job->scratch == NULL) return SN_RESULT_INVALID_ARGUMENT;
    bool valid = objective_valid(&job->objective) && targets_valid(job) && order_valid(job) &&
                 (uint32_t)job->search < SN_SEARCH_COUNT && sn_finite(job->low) && sn_finite(job->high) &&
                 job->low < job->high && at_least(job->change, 0.0f) && at_least(job->step, 0.0f) &&
                 job->seconds >= 0.0 && (job->seconds == 0.0 || job->clock != NULL);
    for (uint32_t h = 0; valid && job->last != NULL && h < job->space->handle_count; h++) {
        valid = sn_vec3_finite(job->last[h]);
    }
    return valid ? SN_RESULT_OK : SN_RESULT_INVALID_ARGUMENT;
}

static bool begin_energy(sniEvaluator* ev, const snPoseSearchJob* job, const float* weights) {
    if (sni_pose_job_check(job) != SN_RESULT_OK || weights == NULL) return false;
    for (uint32_t e = 0; e < job->space->pose_count; e++) {
        if (!sn_finite(weights[e])) return false;
    }
    sni_evaluator_place(ev, job->space, job->scratch);
    sni_evaluator_begin(ev, job, weights);
    return true;
}

float sn_pose_energy(const snPoseSearchJob* job, const float* weights, float* out_terms) {
    sniEvaluator ev;
    return begin_energy(&ev, job, weights) ? sni_energy(&ev, weights, out_terms) : NAN;
}

float sn_pose_energy_gradient(const snPoseSearchJob* job, const float* weights, float* out_gradient) {
    sniEvaluator ev;
    if (!begin_energy(&ev, job, weights)) return NAN;
    float energy = sni_energy_gradient(&ev, weights, SNI_POSE_SMOOTHING, false);
    for (uint32_t k = 0; k < job->space->pose_count; k++) out_gradient[ev.order[k]] = ev.gradient[k];
    return energy;
}
