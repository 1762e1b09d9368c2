// What searches find, on the same 100 sets of random targets.
#include <stdio.h>
#include <string.h>

#include "search.h"

#define SEARCHES 6 // all but the grid
#define TERMS 7
static const char* const TERM_NAMES[TERMS] = {"target", "in use", "last",    "weights",
                                              "one",    "spread", "examples"};
// Of Hansen's table 7.2.
static const float FACTORS[TERMS] = {1.0f, 0.1f, 0.1f, 0.1f, 0.2f, 0.1f, 0.2f};

static snObjective objective_of(const bool* terms) {
    snObjective k = sn_objective();
    float* factors[TERMS] = {&k.target, &k.in_use, &k.last, &k.weights, &k.one, &k.spread, &k.examples};
    for (int t = 0; t < TERMS; t++) *factors[t] = terms[t] ? FACTORS[t] : 0.0f;
    return k;
}

typedef struct Found {
    float energies[SN_SEARCH_COUNT][SEARCH_SETS];
    double mean[SN_SEARCH_COUNT], evaluations[SN_SEARCH_COUNT], seconds[SN_SEARCH_COUNT];
} Found;

static void find_all(SearchScene* scene, const snObjective* objective, uint32_t searches, Found* out) {
    memset(out, 0, sizeof *out);
    for (uint32_t s = 0; s < searches; s++) {
        double start = bench_seconds();
        for (uint32_t set = 0; set < SEARCH_SETS; set++) {
            snPoseSearchJob job = search_scene_job(scene, set);
            snPoseSearchResult result = {0};
            job.search = (snSearch)s;
            job.objective = *objective;
            if (sn_pose_search_run(&job, &result) != SN_RESULT_OK) return;
            out->energies[s][set] = result.energy;
            out->mean[s] += (double)result.energy / SEARCH_SETS;
            out->evaluations[s] += (double)result.evaluations / SEARCH_SETS;
        }
        out->seconds[s] = (bench_seconds() - start) / SEARCH_SETS;
    }
}

// In how many sets the gradient search is as good as another, to 1e-3.
static uint32_t as_good(const Found* found, uint32_t other) {
    uint32_t count = 0;
    for (uint32_t set = 0; set < SEARCH_SETS; set++) {
        count += found->energies[SN_SEARCH_GRADIENT][set] <= found->energies[other][set] + 1e-3f;
    }
    return count;
}

static void print_head(const char* title) {
    printf("%s\n%-17s", title, "");
    for (uint32_t s = 0; s < SEARCHES; s++) printf(" %12s", sn_search_name((snSearch)s));
    printf(" %8s\n", "as good");
}

// Energy and evaluations; at the end in how many sets no other search found anything better than the
// gradient's.
static void print_found(const char* name, const Found* found) {
    uint32_t least = SEARCH_SETS;
    printf("%-17s", name);
    for (uint32_t s = 0; s < SEARCHES; s++) {
        char cell[32];
        snprintf(cell, sizeof cell, "%.4f/%.0f", found->mean[s], found->evaluations[s]);
        printf(" %12s", cell);
        uint32_t good = as_good(found, s);
        least = good < least ? good : least;
    }
    printf(" %8u\n", least);
}

static bool table_terms(void) {
    static Found found;
    SearchScene scene;
    if (search_scene_create(18, 10, 2006, &scene) != SN_RESULT_OK) return false;
    print_head(
        "10 examples, 18 handles, 100 sets of 4 targets, from weights 0: mean energy / evaluations; in how "
        "many sets\nthe gradient search is as good as any other, to 1e-3");
    for (int in = 0; in < TERMS; in++) {
        bool terms[TERMS] = {true};
        char name[40];
        terms[in] = true;
        snprintf(name, sizeof name, in == 0 ? "target alone" : "target, %s", TERM_NAMES[in]);
        snObjective objective = objective_of(terms);
        find_all(&scene, &objective, SEARCHES, &found);
        print_found(name, &found);
    }
    for (int out = TERMS; out-- > 0;) {
        bool terms[TERMS];
        char name[40];
        for (int t = 0; t < TERMS; t++) terms[t] = t != out || out == 0;
        snprintf(name, sizeof name, out == 0 ? "all seven" : "all but %s", TERM_NAMES[out]);
        snObjective objective = objective_of(terms);
        find_all(&scene, &objective, SEARCHES, &found);
        print_found(name, &found);
    }
    search_scene_destroy(&scene);
    return true;
}

static void print_grid_head(void) {
    printf("\nThe gradient search and the full grid in steps of 0.05, 100 sets of 4 targets\n");
    printf("  %8s %-18s %9s %9s %12s %12s %12s %9s\n", "examples", "terms", "gradient", "grid", "evaluations",
           "gradient, ms", "grid, ms", "as good");
}

static void print_grid(uint32_t poses, bool with_examples, const Found* found) {
    printf("  %8u %-18s %9.4f %9.4f %12.0f %12.4f %12.4f %9u\n", poses,
           with_examples ? "target, one, ex." : "target, one", found->mean[SN_SEARCH_GRADIENT],
           found->mean[SN_SEARCH_GRID], found->evaluations[SN_SEARCH_GRID],
           found->seconds[SN_SEARCH_GRADIENT] * 1e3, found->seconds[SN_SEARCH_GRID] * 1e3,
           as_good(found, SN_SEARCH_GRID));
}

static void add_row(BenchReport* report, const char* name, double seconds) {
    report->rows[report->row_count++] =
        (BenchRow){.name = name, .level = "", .workers = 1, .nanoseconds = seconds * 1e9};
}

static bool table_grid(bool quiet, BenchReport* report) {
    static Found found;
    static const char* const names[3][2] = {{"gradient, 2 examples", "grid, 2 examples"},
                                            {"gradient, 3 examples", "grid, 3 examples"},
                                            {"gradient, 4 examples", "grid, 4 examples"}};
    if (!quiet) print_grid_head();
    for (uint32_t poses = 2; poses <= 4; poses++) {
        for (int with = 0; with < 2; with++) {
            SearchScene scene;
            if (search_scene_create(18, poses, 2006 + poses, &scene) != SN_RESULT_OK) return false;
            bool terms[TERMS] = {true, false, false, false, true, false, with == 1};
            snObjective objective = objective_of(terms);
            find_all(&scene, &objective, SN_SEARCH_COUNT, &found);
            if (!quiet) print_grid(poses, with == 1, &found);
            if (with == 0) {
                add_row(report, names[poses - 2][0], found.seconds[SN_SEARCH_GRADIENT]);
                add_row(report, names[poses - 2][1], found.seconds[SN_SEARCH_GRID]);
            }
            search_scene_destroy(&scene);
        }
    }
    return true;
}

bool bench_search_table(uint32_t rounds, bool quiet, BenchReport* report) {
    (void)rounds; // nothing here is timed closely
    *report = (BenchReport){.scene = "search-table", .vertices = 54, .joints = 18};
    return (quiet || table_terms()) && table_grid(quiet, report);
}
