// How long it takes to find a pose, beside Hansen's tables 9.6 to 9.8 (2006, on a machine of that time).
#include "search.h"

#include <stdio.h>
#include <string.h>

// One search, timed over all sets of targets.
typedef struct Timing {
    double samples[200]; // seconds of one search
    double seconds;
    uint32_t fewest, most; // evaluations
    double mean;
} Timing;

static void sample(SearchScene* scene, snSearch search, const snObjective* objective, snPoseOrder order,
                   uint32_t round, Timing* out) {
    uint64_t total = 0;
    out->fewest = UINT32_MAX;
    out->most = 0;
    double start = bench_seconds();
    for (uint32_t set = 0; set < SEARCH_SETS; set++) {
        snPoseSearchJob job = search_scene_job(scene, set);
        snPoseSearchResult result = {0};
        job.search = search;
        job.objective = *objective;
        job.order = order;
        if (sn_pose_search_run(&job, &result) != SN_RESULT_OK) return;
        total += result.evaluations;
        out->fewest = result.evaluations < out->fewest ? result.evaluations : out->fewest;
        out->most = result.evaluations > out->most ? result.evaluations : out->most;
    }
    out->samples[round] = (bench_seconds() - start) / SEARCH_SETS;
    out->mean = (double)total / SEARCH_SETS;
}

// ----------------------------------------------------------------------------------------------- table 9.6

typedef struct Method {
    snSearch search;
    const char* name;
    const char* thesis_evaluations;
    double thesis; // milliseconds; 0: not there
} Method;

static const Method METHODS[] = {
    {SN_SEARCH_GRADIENT, "gradient", "", 0.0},
    {SN_SEARCH_CLIMB, "simple hill climbing", "20-30", 5.0},
    {SN_SEARCH_STEEPEST, "steepest descent", "60-800", 18.0},
    {SN_SEARCH_SIMPLE_HOOKE, "simple Hooke & Jeeves", "40-70", 13.0},
    {SN_SEARCH_HOOKE, "Hooke & Jeeves", "150-20000", 400.0},
    {SN_SEARCH_SWEEP, "exhaustive sweep", "560", 110.0},
};
#define METHOD_COUNT (sizeof METHODS / sizeof METHODS[0])

static void print_methods(const Timing* timings) {
    printf("10 examples of 5 to 9 turns, 18 handles, 4 targets, distance + sum to one, from weights 0 "
           "(table 9.6)\n");
    printf("  %-22s %11s %8s %9s %12s %9s %8s\n", "", "evaluations", "mean", "ms", "thesis", "ms", "faster");
    for (size_t m = 0; m < METHOD_COUNT; m++) {
        char range[32];
        snprintf(range, sizeof range, "%u-%u", timings[m].fewest, timings[m].most);
        printf("  %-22s %11s %8.0f %9.4f", METHODS[m].name, range, timings[m].mean, timings[m].seconds * 1e3);
        if (METHODS[m].thesis > 0.0) {
            printf(" %12s %9.0f %7.0fx", METHODS[m].thesis_evaluations, METHODS[m].thesis,
                   METHODS[m].thesis / (timings[m].seconds * 1e3));
        }
        printf("\n");
    }
}

static bool bench_methods(uint32_t rounds, bool quiet, BenchReport* report) {
    static Timing timings[METHOD_COUNT];
    SearchScene scene;
    if (search_scene_create(18, 10, 2006, &scene) != SN_RESULT_OK) return false;
    snObjective objective = sn_objective();
    for (uint32_t r = 0; r < rounds; r++) {
        for (size_t m = 0; m < METHOD_COUNT; m++) {
            sample(&scene, METHODS[m].search, &objective, SN_POSE_ORDER_GIVEN, r, &timings[m]);
        }
    }
    for (size_t m = 0; m < METHOD_COUNT; m++) {
        timings[m].seconds = bench_best_median(timings[m].samples, rounds);
        report->rows[report->row_count++] = (BenchRow){
            .name = METHODS[m].name, .level = "", .workers = 1, .nanoseconds = timings[m].seconds * 1e9};
    }
    if (!quiet) print_methods(timings);
    search_scene_destroy(&scene);
    return true;
}

// ----------------------------------------------------------------------------------------------- table 9.7

typedef struct Term {
    const char* name;
    size_t offset; // in snObjective
    double thesis; // microseconds
} Term;

static const Term TERMS[] = {
    {"distance to target", offsetof(snObjective, target), 2.0},
    {"sum of weights", offsetof(snObjective, weights), 6.0},
    {"difference from examples", offsetof(snObjective, examples), 29.0},
    {"1 - sum of weights", offsetof(snObjective, one), 2.3},
    {"number of weights", offsetof(snObjective, spread), 1.9},
    {"distance to previous", offsetof(snObjective, last), 5.4},
    {"number of examples", offsetof(snObjective, in_use), 1.7},
};
#define TERM_COUNT (sizeof TERMS / sizeof TERMS[0])

static snObjective only(const Term* term) {
    snObjective objective = sn_objective();
    const float factor = 0.1f;
    objective.target = objective.one = 0.0f;
    memcpy((char*)&objective + term->offset, &factor, sizeof factor);
    return objective;
}

// Evaluations as a sweep makes them: one weight changes, half of the examples are loaded again.
static bool bench_terms(uint32_t rounds, bool quiet, BenchReport* report) {
    static Timing timings[TERM_COUNT];
    SearchScene scene;
    if (search_scene_create(18, 10, 2006, &scene) != SN_RESULT_OK) return false;
    for (uint32_t r = 0; r < rounds; r++) {
        for (size_t t = 0; t < TERM_COUNT; t++) {
            snObjective objective = only(&TERMS[t]);
            sample(&scene, SN_SEARCH_SWEEP, &objective, SN_POSE_ORDER_GIVEN, r, &timings[t]);
        }
    }
    if (!quiet) {
        printf("\nOne evaluation with one term, the blend included, in a sweep; the thesis's without (table "
               "9.7)\n");
        printf("  %-26s %9s %9s\n", "", "us", "thesis");
    }
    for (size_t t = 0; t < TERM_COUNT; t++) {
        double seconds = bench_best_median(timings[t].samples, rounds) / timings[t].mean;
        report->rows[report->row_count++] =
            (BenchRow){.name = TERMS[t].name, .level = "", .workers = 1, .nanoseconds = seconds * 1e9};
        if (!quiet) printf("  %-26s %9.3f %9.1f\n", TERMS[t].name, seconds * 1e6, TERMS[t].thesis);
    }
    search_scene_destroy(&scene);
    return true;
}

// ----------------------------------------------------------------------------------------------- table 9.8

static const uint32_t HANDLES[] = {18, 24}, EXAMPLES[] = {8, 12, 20};
static const double FRAMES[2][3] = {{17.4, 15.4, 12.4}, {17.2, 14.9, 11.7}}; // a second, in the thesis

// Simple Hooke and Jeeves as in the thesis, and the gradient search.
static bool bench_sizes(uint32_t rounds, bool quiet) {
    static const snSearch searches[2] = {SN_SEARCH_SIMPLE_HOOKE, SN_SEARCH_GRADIENT};
    snObjective objective = sn_objective();
    objective.examples = 0.3f;
    if (!quiet) {
        printf("\nWith the difference from examples (0.3), in order of distance (table 9.8: its whole "
               "frames)\n");
        printf("  %7s %9s %16s %12s %12s\n", "handles", "examples", "simple Hooke, ms", "gradient, ms",
               "thesis, fps");
    }
    for (size_t i = 0; i < 6; i++) {
        static Timing timings[2];
        SearchScene scene;
        if (search_scene_create(HANDLES[i / 3], EXAMPLES[i % 3], 2006, &scene) != SN_RESULT_OK) return false;
        for (uint32_t r = 0; r < rounds; r++) {
            for (int s = 0; s < 2; s++) {
                sample(&scene, searches[s], &objective, SN_POSE_ORDER_DISTANCE, r, &timings[s]);
            }
        }
        if (!quiet) {
            printf("  %7u %9u %16.4f %12.4f %12.1f\n", HANDLES[i / 3], EXAMPLES[i % 3],
                   bench_best_median(timings[0].samples, rounds) * 1e3,
                   bench_best_median(timings[1].samples, rounds) * 1e3, FRAMES[i / 3][i % 3]);
        }
        search_scene_destroy(&scene);
    }
    return true;
}

bool bench_search(uint32_t rounds, bool quiet, BenchReport* report) {
    *report =
        (BenchReport){.scene = "search", .vertices = 54, .joints = 18, .clock_before = bench_clock_ghz()};
    bool done = bench_methods(rounds, quiet, report) && bench_terms(rounds, quiet, report) &&
                bench_sizes(rounds, quiet);
    report->clock_after = bench_clock_ghz();
    if (done && !quiet) printf("clock %.2f and %.2f GHz\n", report->clock_before, report->clock_after);
    return done;
}
