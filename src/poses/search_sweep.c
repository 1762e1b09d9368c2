// Exhaustive searches: each weight from end to end (Hansen 2006, algorithm 6, which as printed leaves every
// weight at its upper end; here it is left at its best), and the full grid, the truth for few examples.
#include "poses/search.h"

// Places from low to high by steps of a share of the span; the last is high itself.
static uint32_t place_count(const sniSearch* search, uint32_t e, float share) {
    float step = (search->job->step > 0.0f ? search->job->step : share) * search->span;
    float places = (search->ev.high[e] - search->ev.low[e]) / step;
    // Rounding must not make one more of a whole number.
    return places < 1e6f ? (uint32_t)(places + 0.999f) + 1 : 1000000u;
}

static float place(const sniSearch* search, uint32_t e, uint32_t i, uint32_t count) {
    if (count < 2 || i == 0) return search->ev.low[e];
    if (i + 1 == count) return search->ev.high[e];
    return sn_lerpf(search->ev.low[e], search->ev.high[e], (float)i / (float)(count - 1));
}

void sni_search_sweep(sniSearch* search) {
    for (uint32_t k = 0; k < search->count && !search->spent; k++) {
        uint32_t e = search->ev.order[k], places = place_count(search, e, 1.0f / 55.0f);
        for (uint32_t i = 0; i < places && !search->spent; i++) {
            search->ev.weights[e] = place(search, e, i, places);
            sni_search_energy(search);
        }
        sni_search_return(search);
    }
}

void sni_search_grid(sniSearch* search) {
    uint32_t places[4] = {1, 1, 1, 1}, at[4] = {0};
    for (uint32_t k = 0; k < search->count; k++) {
        uint32_t e = search->ev.order[k];
        places[k] = place_count(search, e, 0.05f);
        search->ev.weights[e] = place(search, e, 0, places[k]);
    }
    // The example loaded last changes first: what was loaded before it stands.
    for (uint32_t k = 0; k < search->count && !search->spent;) {
        sni_search_energy(search);
        for (k = 0; k < search->count; k++) {
            uint32_t digit = search->count - 1 - k, e = search->ev.order[digit];
            at[digit] = at[digit] + 1 < places[digit] ? at[digit] + 1 : 0;
            search->ev.weights[e] = place(search, e, at[digit], places[digit]);
            if (at[digit] != 0) break;
        }
    }
}
