// What all searches share: bounds, budgets, and the best that was seen.
#ifndef SNI_POSES_SEARCH_H
#define SNI_POSES_SEARCH_H

#include "poses/evaluate.h"

// Weights, best weights and bounds are rows of the evaluator, by example.
typedef struct sniSearch {
    sniEvaluator ev;
    const snPoseSearchJob* job;
    uint32_t count;    // examples
    float span;        // high - low
    float best_energy; // of ev.best
    uint32_t evaluations;
    uint32_t limit; // UINT32_MAX: none
    double end;     // by the job's clock
    bool spent;     // nothing is evaluated any more
} sniSearch;

// The energy of ev.weights, kept if it is the best. Infinite once the budget is spent, so that no search
// takes what it did not measure.
float sni_search_energy(sniSearch* search);
// Tells the job's listener of ev.weights.
void sni_search_trace(const sniSearch* search, float energy);
// Counts an evaluation; false when the budget is spent.
bool sni_search_count(sniSearch* search);
// Sets the bounds that the job asks for.
void sni_search_bounds(sniSearch* search);
// ev.weights become the best that was seen.
void sni_search_return(sniSearch* search);

static inline float sni_clamp_weight(const sniSearch* search, uint32_t e, float weight) {
    float above = weight < search->ev.low[e] ? search->ev.low[e] : weight;
    return above > search->ev.high[e] ? search->ev.high[e] : above;
}

// Each starts at ev.weights, whose energy is known, and leaves what it found in ev.best.
void sni_search_climb(sniSearch* search);
void sni_search_steepest(sniSearch* search);
void sni_search_hooke(sniSearch* search, float step, float end);
void sni_search_simple_hooke(sniSearch* search);
void sni_search_sweep(sniSearch* search);
void sni_search_grid(sniSearch* search);
void sni_search_gradient(sniSearch* search);

#endif
