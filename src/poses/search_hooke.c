// Direct search after Hooke and Jeeves (1961): steps along each weight make a pattern, and the pattern is
// stepped along too.
#include <string.h>

#include "poses/search.h"

// Takes the first of both steps along each weight that helps.
static float explore(sniSearch* search, float step, float energy) {
    float* weights = search->ev.weights;
    for (uint32_t k = 0; k < search->count && !search->spent; k++) {
        uint32_t e = search->ev.order[k];
        float before = weights[e];
        for (int side = 0; side < 2; side++) {
            weights[e] = sni_clamp_weight(search, e, side == 0 ? before + step : before - step);
            float found = weights[e] != before ? sni_search_energy(search) : INFINITY;
            if (found < energy) {
                energy = found;
                break;
            }
            weights[e] = before;
        }
    }
    return energy;
}

// From the best so far as far again as it is from `base`, which becomes that best.
static void follow_pattern(sniSearch* search) {
    float *weights = search->ev.weights, *base = search->ev.base;
    for (uint32_t e = 0; e < search->count; e++) {
        float here = weights[e];
        weights[e] = sni_clamp_weight(search, e, here + (here - base[e]));
        base[e] = here;
    }
}

void sni_search_hooke(sniSearch* search, float step, float end) {
    // Hansen saw up to 20,000 evaluations; no more than that, even where energies go on falling by rounding.
    uint32_t most = search->evaluations + 20000;
    size_t bytes = search->count * sizeof(float);
    float energy = search->best_energy;
    sni_search_return(search);
    while (step >= end && !search->spent && search->evaluations < most) {
        memcpy(search->ev.base, search->ev.weights, bytes);
        float found = explore(search, step, energy);
        if (!(found < energy)) {
            step *= 0.5f;
            continue;
        }
        while (found < energy && !search->spent && search->evaluations < most) {
            energy = found;
            follow_pattern(search);
            found = explore(search, step, sni_search_energy(search));
        }
        // The last pattern led nowhere.
        memcpy(search->ev.weights, search->ev.base, bytes);
    }
}
