// One door for all searches.
#include "poses/search.h"

#include <string.h>

snPoseSearchJob sn_pose_search_job(const snPoseSpace* space) {
    snPoseSearchJob job = {.space = space, .search = SN_SEARCH_GRADIENT, .low = 0.0f, .high = 1.0f};
    job.objective = sn_objective();
    job.anchor = SN_NONE;
    return job;
}

bool sni_search_count(sniSearch* search) {
    if (search->evaluations >= search->limit) search->spent = true;
    // The start is always measured.
    if (!search->spent && search->job->seconds > 0.0 && search->evaluations > 0) {
        search->spent = search->job->clock(search->job->clock_user) >= search->end;
    }
    if (search->spent) return false;
    search->evaluations++;
    return true;
}

float sni_search_energy(sniSearch* search) {
    if (!sni_search_count(search)) return INFINITY;
    float energy = sni_energy(&search->ev, search->ev.weights, NULL);
    if (energy < search->best_energy) {
        search->best_energy = energy;
        memcpy(search->ev.best, search->ev.weights, search->count * sizeof(float));
    }
    sni_search_trace(search, energy);
    return energy;
}

void sni_search_trace(const sniSearch* search, float energy) {
    if (search->job->trace != NULL) search->job->trace(search->job->trace_user, search->ev.weights, energy);
}

void sni_search_return(sniSearch* search) {
    memcpy(search->ev.weights, search->ev.best, search->count * sizeof(float));
}

static float start_of(const snPoseSearchJob* job, uint32_t e) {
    float start = job->weights[e] < job->low ? job->low : job->weights[e];
    return start > job->high ? job->high : start;
}

void sni_search_bounds(sniSearch* search) {
    const snPoseSearchJob* job = search->job;
    for (uint32_t e = 0; e < search->count; e++) {
        float start = start_of(job, e);
        float low = job->change > 0.0f ? start - job->change : job->low;
        float high = job->change > 0.0f ? start + job->change : job->high;
        search->ev.low[e] = low < job->low ? job->low : low;
        search->ev.high[e] = high > job->high ? job->high : high;
    }
}

static void run_search(sniSearch* search) {
    float first = search->job->step > 0.0f ? search->job->step : 0.5f;
    switch (search->job->search) {
    case SN_SEARCH_CLIMB:
        sni_search_climb(search);
        break;
    case SN_SEARCH_STEEPEST:
        sni_search_steepest(search);
        break;
    case SN_SEARCH_HOOKE:
        sni_search_hooke(search, first * search->span, 0.001f * search->span);
        break;
    case SN_SEARCH_SIMPLE_HOOKE:
        sni_search_simple_hooke(search);
        break;
    case SN_SEARCH_SWEEP:
        sni_search_sweep(search);
        break;
    case SN_SEARCH_GRID:
        sni_search_grid(search);
        break;
    default:
        sni_search_gradient(search);
        break;
    }
}

static bool weights_finite(const snPoseSearchJob* job) {
    for (uint32_t e = 0; e < job->space->pose_count; e++) {
        if (!sn_finite(job->weights[e])) return false;
    }
    return true;
}

snResult sn_pose_search_run(const snPoseSearchJob* job, snPoseSearchResult* out) {
    if (sni_pose_job_check(job) != SN_RESULT_OK || job->weights == NULL || !weights_finite(job)) {
        return SN_RESULT_INVALID_ARGUMENT;
    }
    if (job->search == SN_SEARCH_GRID && job->space->pose_count > 4) return SN_RESULT_UNSUPPORTED;
    sniSearch search = {.job = job, .count = job->space->pose_count, .span = job->high - job->low};
    search.limit = job->evaluations > 0 ? job->evaluations : UINT32_MAX;
    search.end = job->seconds > 0.0 ? job->clock(job->clock_user) + job->seconds : 0.0;
    search.best_energy = INFINITY;
    sni_evaluator_place(&search.ev, job->space, job->scratch);
    sni_search_bounds(&search);
    for (uint32_t e = 0; e < search.count; e++) search.ev.weights[e] = start_of(job, e);
    sni_evaluator_begin(&search.ev, job, search.ev.weights);
    // Whatever happens, there is something to return.
    memcpy(search.ev.best, search.ev.weights, search.count * sizeof(float));
    sni_search_energy(&search);
    run_search(&search);
    memcpy(job->weights, search.ev.best, search.count * sizeof(float));
    if (job->out_order != NULL) memcpy(job->out_order, search.ev.order, search.count * sizeof(uint32_t));
    if (out != NULL) {
        out->energy = sni_energy(&search.ev, search.ev.best, out->terms);
        out->evaluations = search.evaluations;
    }
    return SN_RESULT_OK;
}
