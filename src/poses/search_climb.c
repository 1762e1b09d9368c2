// Hill climbing and the simple Hooke and Jeeves (Hansen 2006, algorithms 4 and 5): each weight in turn.
//
// As printed, both forget to take a weight back after a step that failed, and the latter tests its step the
// wrong way round; it halves the step here while that is above its end.
#include "poses/search.h"

// Steps in one direction as long as that helps. True when it helped.
static bool walk(sniSearch* search, uint32_t e, float step, float* energy) {
    bool better = false;
    while (!search->spent) {
        float before = search->ev.weights[e];
        search->ev.weights[e] = sni_clamp_weight(search, e, before + step);
        float found = search->ev.weights[e] != before ? sni_search_energy(search) : INFINITY;
        if (!(found < *energy)) {
            search->ev.weights[e] = before;
            break;
        }
        *energy = found;
        better = true;
    }
    return better;
}

// The step is a share of what a weight may move: bounds on the change make it local.
static float step_of(const sniSearch* search, uint32_t e, float share) {
    float given = search->job->step;
    return (given > 0.0f ? given : share) * (search->ev.high[e] - search->ev.low[e]);
}

void sni_search_climb(sniSearch* search) {
    float energy = search->best_energy;
    for (uint32_t k = 0; k < search->count && !search->spent; k++) {
        uint32_t e = search->ev.order[k];
        float step = step_of(search, e, 0.1f);
        if (!walk(search, e, -step, &energy)) walk(search, e, step, &energy);
    }
}

// Walks down, halving the step where it does not help, until it is at its end.
static bool walk_halving(sniSearch* search, uint32_t e, float step, float end, float* energy) {
    bool better = walk(search, e, step, energy);
    while ((step < 0.0f ? -step : step) > end && !search->spent) {
        step *= 0.5f;
        better = walk(search, e, step, energy) || better;
    }
    return better;
}

void sni_search_simple_hooke(sniSearch* search) {
    float energy = search->best_energy;
    for (uint32_t k = 0; k < search->count && !search->spent; k++) {
        uint32_t e = search->ev.order[k];
        float step = step_of(search, e, 0.2f);
        float end = 0.0501f * (search->ev.high[e] - search->ev.low[e]);
        if (!walk_halving(search, e, -step, end, &energy)) walk_halving(search, e, step, end, &energy);
    }
}

void sni_search_steepest(sniSearch* search) {
    float energy = search->best_energy;
    for (uint32_t round = 0; round < search->count && !search->spent; round++) {
        uint32_t best = SN_NONE;
        float best_step = 0.0f, least = energy;
        for (uint32_t k = 0; k < 2 * search->count; k++) {
            uint32_t e = search->ev.order[k / 2];
            float before = search->ev.weights[e], step = step_of(search, e, 0.1f);
            if (k % 2 == 0) step = -step;
            search->ev.weights[e] = sni_clamp_weight(search, e, before + step);
            float found = search->ev.weights[e] != before ? sni_search_energy(search) : INFINITY;
            search->ev.weights[e] = before;
            if (!(found < least)) continue;
            least = found;
            best = e;
            best_step = step;
        }
        if (best == SN_NONE) break;
        search->ev.weights[best] = sni_clamp_weight(search, best, search->ev.weights[best] + best_step);
        energy = least;
        walk(search, best, best_step, &energy);
    }
}
