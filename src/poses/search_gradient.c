// The gradient search: damped least squares with bounds, on an energy whose corners are rounded off, less and
// less as it goes on (after Levenberg, Marquardt, and iterative reweighting for sums of distances).
//
// The energy has several valleys, so the search starts from the few most promising of: where it was, each
// example alone, all alike, none. Where the change of weights is bounded the next valley is wanted, not the
// deepest (Hansen 2006, section 7.5.3), and the search starts from where it was alone.
#include <string.h>

#include "poses/search.h"

// All judged; what speaks for them are the 100 sets of targets of `sinew bench --scene search-table`.
#define STARTS 4      // at most; 2 where the valleys are few
#define ITERATIONS 30 // of one descent
static const float FIRST_SMOOTHING = 0.05f;
static const float LAST_SMOOTHING = 1e-4f;
static const float ENOUGH = 3e-4f;      // what falls by less in one iteration is at its bottom
static const float SLOW_ENOUGH = 3e-5f; // with the difference from examples, whose valleys have gentle ends
#define ROUNDS 3                        // of looking further, at most
static const float REACHED = 0.01f;     // targets that are missed by less together are
static const float HOPELESS = 0.02f;    // above the best by this after three iterations

// A step within bounds, by position.
typedef struct Step {
    uint32_t free_count;
    uint32_t free[SN_POSE_EXAMPLES_MAX]; // positions that are not at a bound
    float from[SN_POSE_EXAMPLES_MAX];
    float to[SN_POSE_EXAMPLES_MAX]; // equals `from` for those that are free, until all is solved
} Step;

// Solves (hessian + damping) x = -gradient - hessian * (what is fixed already) for the free ones, by
// Cholesky. False where rounding left no positive pivot.
static bool solve_free(const sniSearch* search, const Step* step, double damping, double* out) {
    const sniEvaluator* ev = &search->ev;
    uint32_t n = step->free_count, s = ev->space->padded_poses;
    double* a = ev->solve;
    for (uint32_t r = 0; r < n; r++) {
        uint32_t i = step->free[r];
        double right = -(double)ev->gradient[i];
        for (uint32_t p = 0; p < search->count; p++) {
            double moved = (double)step->to[p] - (double)step->from[p];
            if (moved == 0.0) continue;
            right -=
                (double)(p < i ? ev->hessian[(size_t)i * s + p] : ev->hessian[(size_t)p * s + i]) * moved;
        }
        for (uint32_t c = 0; c < r; c++) {
            uint32_t j = step->free[c];
            double sum =
                j < i ? (double)ev->hessian[(size_t)i * s + j] : (double)ev->hessian[(size_t)j * s + i];
            for (uint32_t k = 0; k < c; k++) sum -= a[r * n + k] * a[c * n + k];
            a[r * n + c] = sum * a[c * n + c];
        }
        double diagonal = (double)ev->hessian[(size_t)i * s + i];
        double pivot = diagonal + damping * diagonal + 1e-6;
        for (uint32_t k = 0; k < r; k++) pivot -= a[r * n + k] * a[r * n + k];
        if (!(pivot > 1e-12)) return false;
        a[r * n + r] = 1.0 / sqrt(pivot); // kept inverted
        for (uint32_t k = 0; k < r; k++) right -= a[r * n + k] * out[k];
        out[r] = right * a[r * n + r];
    }
    for (uint32_t r = n; r-- > 0;) {
        for (uint32_t k = r + 1; k < n; k++) out[r] -= a[k * n + r] * out[k];
        out[r] *= a[r * n + r];
    }
    return true;
}

// Weights at a bound that the gradient presses against stay there. The others take the damped step; those
// that would leave their bounds stop there, and the rest is solved again.
static bool make_step(sniSearch* search, double damping) {
    sniEvaluator* ev = &search->ev;
    Step step;
    step.free_count = 0;
    for (uint32_t p = 0; p < search->count; p++) {
        uint32_t e = ev->order[p];
        step.from[p] = step.to[p] = ev->weights[e];
        bool stays = ev->gradient[p] > 0.0f ? ev->weights[e] <= ev->low[e] : ev->weights[e] >= ev->high[e];
        if (!stays) step.free[step.free_count++] = p;
    }
    double* x = ev->solve + (size_t)search->count * search->count;
    for (bool all_inside = false; !all_inside && step.free_count > 0;) {
        if (!solve_free(search, &step, damping, x)) return false;
        uint32_t inside = 0;
        for (uint32_t r = 0; r < step.free_count; r++) {
            uint32_t p = step.free[r], e = ev->order[p];
            float to = (float)((double)step.from[p] + x[r]);
            step.to[p] = sni_clamp_weight(search, e, to);
            if (step.to[p] == to) step.free[inside++] = p;
        }
        all_inside = inside == step.free_count;
        step.free_count = inside;
        for (uint32_t r = 0; r < inside && !all_inside; r++) step.to[step.free[r]] = step.from[step.free[r]];
    }
    for (uint32_t p = 0; p < search->count; p++) ev->trial[ev->order[p]] = step.to[p];
    return true;
}

// One iteration on the rounded energy, which it leaves in `energy`; how much that fell, 0 where no step
// helped.
static float iterate(sniSearch* search, float smoothing, double* damping, float* energy) {
    sniEvaluator* ev = &search->ev;
    if (!sni_search_count(search)) return 0.0f;
    *energy = sni_energy_gradient(ev, ev->weights, smoothing, true);
    for (int tries = 0; tries < 4; tries++) {
        if (make_step(search, *damping)) {
            if (!sni_search_count(search)) return 0.0f;
            float found = sni_energy_smooth(ev, ev->trial, smoothing), gain = *energy - found;
            if (gain > 0.0f) {
                memcpy(ev->weights, ev->trial, search->count * sizeof(float));
                *damping *= 0.2;
                *energy = found;
                // The energy itself, which listeners alone want to know here.
                if (search->job->trace != NULL) sni_search_trace(search, sni_energy(ev, ev->weights, NULL));
                return gain;
            }
        }
        *damping = *damping < 1e-3 ? 1e-2 : *damping * 8.0;
    }
    return 0.0f;
}

// `to_the_end`: even where the energy is above the best so far, for those who go on from there.
static void descend(sniSearch* search, bool to_the_end) {
    float smoothing = FIRST_SMOOTHING, energy = 0.0f;
    float enough = search->job->objective.examples > 0.0f ? SLOW_ENOUGH : ENOUGH;
    double damping = 1e-3;
    for (int i = 0; i < ITERATIONS && !search->spent; i++) {
        float gain = iterate(search, smoothing, &damping, &energy);
        if (smoothing <= LAST_SMOOTHING && gain < enough) break;
        // Rounding takes from the energy: one that is above another even so leads to a worse valley.
        if (i >= 2 && !to_the_end && energy > search->best_energy + HOPELESS) return;
        smoothing = 0.1f * smoothing > LAST_SMOOTHING ? 0.1f * smoothing : LAST_SMOOTHING;
    }
    sni_search_energy(search);
}

// ------------------------------------------------------------------------------------------------- starts

// Candidates: each example alone, none, all alike, and where the search was.
static void set_candidate(sniSearch* search, uint32_t candidate, const float* given) {
    uint32_t count = search->count;
    for (uint32_t e = 0; e < count; e++) {
        float weight = candidate == e ? 1.0f : 0.0f;
        if (candidate == count + 1) weight = 1.0f / (float)count;
        if (candidate == count + 2) weight = given[e];
        search->ev.weights[e] = sni_clamp_weight(search, e, weight);
    }
}

static uint32_t choose_starts(sniSearch* search, uint32_t wanted, uint32_t starts[STARTS]) {
    uint32_t found = 0;
    float energies[STARTS];
    for (uint32_t c = search->count + 3; c-- > 0;) {
        set_candidate(search, c, search->ev.base);
        float energy = sni_search_energy(search);
        uint32_t at = found;
        for (; at > 0 && energy < energies[at - 1]; at--) {
            if (at == wanted) continue; // falls off
            energies[at] = energies[at - 1];
            starts[at] = starts[at - 1];
        }
        if (at == wanted) continue;
        energies[at] = energy;
        starts[at] = c;
        if (found < wanted) found++;
    }
    return found;
}

// The number of examples in use has no derivative. What is in use beyond the wanted number is put out of use,
// the least first, and the others settle anew.
static void use_fewer(sniSearch* search) {
    const snObjective* objective = &search->job->objective;
    sniEvaluator* ev = &search->ev;
    for (uint32_t round = 0; round < search->count && !search->spent; round++) {
        uint32_t used = 0, least = SN_NONE;
        for (uint32_t e = 0; e < search->count; e++) {
            if (!(ev->weights[e] > objective->threshold)) continue;
            used++;
            if (least == SN_NONE || ev->weights[e] < ev->weights[least]) least = e;
        }
        if (used <= objective->wanted || ev->low[least] > objective->threshold) return;
        ev->high[least] = objective->threshold;
        ev->weights[least] = objective->threshold;
        descend(search, true);
    }
}

// Does the example by itself move a target that `best` misses?
static bool may_help(const sniSearch* search, const snRigid* best, uint32_t example) {
    const sniEvaluator* ev = &search->ev;
    const snPoseSearchJob* job = search->job;
    const snRigid* alone = ev->space->alone + (size_t)example * ev->space->handle_count;
    snVec3 shift = sni_target_shift(job, best, ev->numbers);
    for (uint32_t t = 0; t < job->target_count; t++) {
        const snPoseTarget* target = &job->targets[t];
        snVec3 place = sn_add(sn_rigid_point(best[ev->numbers[target->handle]], target->point), shift);
        snVec3 moved = sn_sub(sn_rigid_point(alone[target->handle], target->point), target->point);
        bool missed = sn_distance(place, target->place) * ev->unit > REACHED / (float)job->target_count;
        if (missed && sn_length(moved) * ev->unit > REACHED) return true;
    }
    return job->anchor < job->target_count; // an anchor's motion moves all others
}

// A leg that is straight has to be lifted and bent at once to come near: each alone leads away. Where targets
// are missed still, each weight in turn goes to its other end, and the rest settles anew from there; the
// valley that is found deepest is the next one to set out from.
static void look_further(sniSearch* search) {
    sniEvaluator* ev = &search->ev;
    for (uint32_t round = 0; round < ROUNDS && !search->spent; round++) {
        float terms[7], before = search->best_energy;
        sni_energy(ev, ev->best, terms);
        if (!(terms[0] > REACHED * search->job->objective.target)) return;
        for (uint32_t e = 0; e < search->count && !search->spent; e++) {
            sni_search_return(search);
            if (!may_help(search, sni_evaluate(ev, ev->weights), e)) continue;
            float middle = 0.5f * (ev->low[e] + ev->high[e]);
            ev->weights[e] = ev->weights[e] < middle ? ev->high[e] : ev->low[e];
            descend(search, false);
        }
        if (search->best_energy > before - HOPELESS) return;
    }
}

void sni_search_gradient(sniSearch* search) {
    const snObjective* objective = &search->job->objective;
    // What derivatives do not see, or see the corners of only.
    bool rough = objective->in_use > 0.0f || objective->spread > 0.0f;
    bool valleys = rough || objective->examples > 0.0f;
    memcpy(search->ev.base, search->ev.weights, search->count * sizeof(float));
    uint32_t starts[STARTS] = {search->count + 2}, count = 1;
    if (!(search->job->change > 0.0f)) count = choose_starts(search, valleys ? STARTS : 2, starts);
    for (uint32_t i = 0; i < count && !search->spent; i++) {
        set_candidate(search, starts[i], search->ev.base);
        descend(search, objective->in_use > 0.0f);
        if (objective->in_use > 0.0f) {
            use_fewer(search);
            sni_search_bounds(search);
        }
    }
    if (!rough && !(search->job->change > 0.0f)) look_further(search);
    if (rough) sni_search_hooke(search, 0.5f * search->span, 0.002f * search->span);
}
