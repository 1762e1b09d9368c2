// Frames with flesh against plain skinning of the same mesh in the same rounds.
//
// Every run has a state of its own and walks on frame by frame, so that stages see the caches as a game would
// leave them: full of the stage before. Targets are the four resolutions of table 1 of Chen et al. 2012, and
// two that are much finer.
#include "flesh.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FRAMES_A_ROUND 10

const snFleshRest flesh_rests[FLESH_RUNS] = {SN_FLESH_INITIAL, SN_FLESH_INITIAL, SN_FLESH_PRIMARY,
                                             SN_FLESH_PRIMARY};
const uint32_t flesh_sweeps[FLESH_RUNS] = {1, 2, 1, 2};

// ------------------------------------------------------------------------------------------------ one body

typedef struct Samples {
    double plain[PLAIN_COUNT][200];
    double stages[FLESH_RUNS][FLESH_STAGES][200];
    double frames[FLESH_RUNS][200];
} Samples;

static void run_plain(FleshBody* body, FleshPlain which, uint32_t frame, snVec3* copy) {
    size_t bytes = body->vertices * sizeof(snVec3);
    BenchScene scene = flesh_body_scene(body, frame);
    switch (which) {
    case PLAIN_MEMCPY:
        memcpy(copy, body->out_points, bytes);
        memcpy(copy + body->vertices, body->out_normals, bytes);
        break;
    case PLAIN_SCALAR:
        bench_baseline_linear(&scene);
        break;
    case PLAIN_LINEAR:
        flesh_body_linear(body, frame);
        break;
    case PLAIN_PLAN:
        flesh_body_plan(body, frame);
        break;
    case PLAIN_DUAL:
        flesh_body_dual(body, frame);
        break;
    case PLAIN_DUAL_PLAN:
        flesh_body_dual_plan(body, frame);
        break;
    case PLAIN_HANG_SMOOTH:
        flesh_body_hang_smooth(body);
        break;
    default:
        flesh_body_displace(body, which == PLAIN_DISPLACE_SMOOTH);
        break;
    }
}

static void one_round(FleshBody* body, FleshRun* runs, snVec3* copy, Samples* samples, uint32_t round) {
    for (int which = 0; which < PLAIN_COUNT; which++) {
        double start = bench_seconds();
        for (uint32_t f = 0; f < FRAMES_A_ROUND; f++) {
            run_plain(body, (FleshPlain)which, (round * FRAMES_A_ROUND + f) % FLESH_FRAMES, copy);
        }
        samples->plain[which][round] = (bench_seconds() - start) / FRAMES_A_ROUND;
    }
    for (int i = 0; i < FLESH_RUNS; i++) {
        double seconds[FLESH_STAGES] = {0};
        for (uint32_t f = 0; f < FRAMES_A_ROUND; f++) flesh_run_frame(&runs[i], FLESH_STAGES, seconds);
        samples->frames[i][round] = 0.0;
        for (int s = 0; s < FLESH_STAGES; s++) {
            samples->stages[i][s][round] = seconds[s] / FRAMES_A_ROUND;
            samples->frames[i][round] += samples->stages[i][s][round];
        }
    }
}

static void summarise(Samples* samples, uint32_t rounds, FleshFigures* out) {
    for (int which = 0; which < PLAIN_COUNT; which++) {
        out->plain[which] = bench_best_median(samples->plain[which], rounds);
    }
    for (int i = 0; i < FLESH_RUNS; i++) {
        out->frames[i] = bench_best_median(samples->frames[i], rounds);
        for (int s = 0; s < FLESH_STAGES; s++) {
            out->stages[i][s] = bench_best_median(samples->stages[i][s], rounds);
        }
    }
}

// What the state of one character holds.
static size_t state_bytes(const FleshBody* body) {
    snBudget budget = sn_budget(NULL, SIZE_MAX);
    snAllocator memory = sn_budget_allocator(&budget);
    snFleshState* state = NULL;
    if (sn_flesh_state_create(body->flesh, &memory, &state, NULL) != SN_RESULT_OK) return 0;
    size_t bytes = budget.used;
    sn_flesh_state_destroy(state);
    return bytes;
}

static void describe(const FleshBody* body, uint8_t width, FleshFigures* out) {
    *out = (FleshFigures){.vertices = body->vertices,
                          .joints = body->joints,
                          .cells = body->cells,
                          .particles = body->particles,
                          .width = width,
                          .region_mean = body->region_mean,
                          .static_bytes = body->static_bytes,
                          .state_bytes = state_bytes(body)};
}

bool flesh_measure(const FleshBodyDef* def, uint32_t rounds, FleshFigures* out) {
    FleshBody body;
    FleshRun runs[FLESH_RUNS] = {{0}};
    Samples* samples = calloc(1, sizeof *samples);
    bool ready = flesh_body_create(def, &body) == SN_RESULT_OK && samples != NULL;
    snVec3* copy = ready ? calloc(2 * (size_t)body.vertices, sizeof *copy) : NULL;
    ready = ready && copy != NULL;
    for (int i = 0; i < FLESH_RUNS && ready; i++) {
        ready = flesh_run_create(&body, flesh_rests[i], flesh_sweeps[i], &runs[i]) == SN_RESULT_OK;
    }
    if (ready) {
        describe(&body, def->width, out);
        for (uint32_t r = 0; r < 2; r++) one_round(&body, runs, copy, samples, 0); // warm-up
        for (uint32_t r = 0; r < rounds; r++) one_round(&body, runs, copy, samples, r);
        summarise(samples, rounds, out);
    }
    for (int i = 0; i < FLESH_RUNS; i++) flesh_run_destroy(&runs[i]);
    flesh_body_destroy(&body);
    free(samples);
    free(copy);
    return ready;
}

// --------------------------------------------------------------------------------------------- the scenes

static const FleshBodyDef standard = {28000, 36, 2};
// Cells that come nearest to 1072, 1906, 2451, 3058, 20,000 and 100,000 particles.
static const uint32_t resolutions[] = {27, 36, 40, 44, 98, 181};

static bool measure_sizes(uint32_t rounds, FleshReport* report) {
    size_t count = sizeof resolutions / sizeof resolutions[0];
    for (size_t i = 0; i < count; i++) {
        uint32_t few = i < 4 || rounds < 12 ? rounds : 12; // a frame of the finest takes milliseconds
        for (uint8_t width = 1; width <= 3; width++) {
            FleshBodyDef def = {28000, resolutions[i], width};
            if (!flesh_measure(&def, few, &report->figures[report->figure_count++])) return false;
        }
    }
    FleshBodyDef large = {112000, 36, 2};
    return flesh_measure(&large, rounds, &report->figures[report->figure_count++]);
}

// Runs one stage where callgrind watches, after frames that it does not.
static bool count_one(uint32_t stage) {
    FleshBody body;
    FleshRun run = {0};
    bool ready = flesh_body_create(&standard, &body) == SN_RESULT_OK &&
                 flesh_run_create(&body, SN_FLESH_PRIMARY, 2, &run) == SN_RESULT_OK;
    double seconds[FLESH_STAGES] = {0};
    for (int f = 0; f < 3 && ready; f++) flesh_run_frame(&run, FLESH_STAGES, seconds);
    if (ready) flesh_run_frame(&run, (FleshStage)stage, seconds);
    flesh_run_destroy(&run);
    flesh_body_destroy(&body);
    return ready;
}

// The passes of a step cannot be told apart there: all of them are counted as FLESH_POINTS.
static void count_stages(FleshFigures* out) {
    static const FleshStage stages[] = {FLESH_SKIN, FLESH_VOLUME, FLESH_POINTS, FLESH_SHOW, FLESH_SURFACE};
    bool any = false;
    for (size_t i = 0; i < sizeof stages / sizeof stages[0]; i++) {
        out->instructions[stages[i]] =
            bench_count_instructions("flesh", (uint32_t)stages[i], "bench_counted_stage");
        any = any || out->instructions[stages[i]] != 0;
    }
    if (!any) fprintf(stderr, "sinew bench: valgrind is not installed, instructions are not counted\n");
}

int bench_flesh(const BenchFleshOptions* options) {
    static FleshReport report;
    report = (FleshReport){.scene = options->scene, .has_crowd = strcmp(options->scene, "flesh") == 0};
    if (options->count_one >= 0) return count_one((uint32_t)options->count_one) ? 0 : 4;
    flesh_level = options->level;
    report.clock_before = bench_clock_ghz();
    bool ready = report.has_crowd
                     ? flesh_measure(&standard, options->rounds, &report.figures[report.figure_count++]) &&
                           flesh_measure_crowd(options->rounds, options->workers, &report.crowd)
                     : measure_sizes(options->rounds, &report);
    report.clock_after = bench_clock_ghz();
    if (!ready) {
        fprintf(stderr, "sinew bench: out of memory\n");
        return 4;
    }
    if (options->instructions && report.has_crowd) count_stages(&report.figures[0]);
    if (!options->quiet) flesh_print(&report);
    if (options->json == NULL || flesh_write_json(&report, options->json)) return 0;
    fprintf(stderr, "sinew bench: the results could not be written\n");
    return 4;
}
