// Contestants, timing and options.
//
// All contestants of a scene run interleaved: one sample of each, then the next round, so that a neighbour's
// burst hits everybody. A sample is long enough for the clock; a round's figure is its sample; the result is
// the median of the best third of the rounds. Ratios within one run are what counts; times are for
// orientation.
#define _POSIX_C_SOURCE 200809L

#include "bench.h"

#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "search.h"

extern char** environ;

typedef void ContestantFn(BenchScene* scene, snCpuLevel level, const snTasks* tasks);

typedef struct Contestant {
    const char* name;
    ContestantFn* run;
    snCpuLevel level;
    bool threaded;
    double samples[200];
} Contestant;

// ------------------------------------------------------------------------------------------- contestants

static void run_memcpy(BenchScene* scene, snCpuLevel level, const snTasks* tasks) {
    (void)level, (void)tasks;
    memcpy(scene->copy, scene->out_points, scene->vertices * sizeof(snVec3));
    memcpy(scene->copy + scene->vertices, scene->out_normals, scene->vertices * sizeof(snVec3));
}

static void run_baseline(BenchScene* scene, snCpuLevel level, const snTasks* tasks) {
    (void)level, (void)tasks;
    bench_baseline_linear(scene);
}

static snSkinJob plain_job(BenchScene* scene, snCpuLevel level, const snTasks* tasks) {
    snSkinJob job = {.point_count = scene->vertices,
                     .points = scene->points,
                     .normals = scene->normals,
                     .influences = scene->influences,
                     .joints = scene->skin_joints,
                     .weights = scene->weights,
                     .matrix_count = scene->joints,
                     .matrices = scene->matrices,
                     .out_points = scene->out_points,
                     .out_normals = scene->out_normals,
                     .scratch = scene->scratch,
                     .tasks = tasks,
                     .level = level};
    return job;
}

static void run_linear(BenchScene* scene, snCpuLevel level, const snTasks* tasks) {
    snSkinJob job = plain_job(scene, level, tasks);
    sn_skin_linear_run(&job);
}

static void run_dual(BenchScene* scene, snCpuLevel level, const snTasks* tasks) {
    snSkinJob job = plain_job(scene, level, tasks);
    sn_skin_dual_run(&job);
}

static snSkinPlanJob plan_job(BenchScene* scene, snCpuLevel level, const snTasks* tasks) {
    return (snSkinPlanJob){.plan = scene->plan,
                           .matrices = scene->matrices,
                           .out_points = scene->out_points,
                           .out_normals = scene->out_normals,
                           .tasks = tasks,
                           .level = level,
                           .scratch = scene->scratch};
}

static void run_plan(BenchScene* scene, snCpuLevel level, const snTasks* tasks) {
    snSkinPlanJob job = plan_job(scene, level, tasks);
    sn_skin_plan_run(&job);
}

static void run_plan_dual(BenchScene* scene, snCpuLevel level, const snTasks* tasks) {
    snSkinPlanJob job = plan_job(scene, level, tasks);
    sn_skin_plan_dual_run(&job);
}

// Clip, pose, matrices and surface.
static void run_frame(BenchScene* scene, snCpuLevel level, const snTasks* tasks) {
    (void)level, (void)tasks;
    sn_character_pose_clip(scene->linear, 0, 0.3f, SN_WRAP_LOOP);
}

static uint32_t list_contestants(Contestant* out) {
    uint32_t count = 0;
    out[count++] = (Contestant){.name = "memcpy of the output", .run = run_memcpy};
    out[count++] = (Contestant){.name = "scalar loop (linear)", .run = run_baseline};
    static const struct {
        const char* name;
        ContestantFn* run;
    } kernels[] = {{"linear", run_linear},
                   {"linear by joint set", run_plan},
                   {"dual quaternion", run_dual},
                   {"dual by joint set", run_plan_dual}};
    for (size_t k = 0; k < sizeof kernels / sizeof kernels[0]; k++) {
        for (int level = SN_CPU_SCALAR; level < SN_CPU_LEVEL_COUNT; level++) {
            if (!sn_cpu_level_available((snCpuLevel)level)) continue;
            out[count++] = (Contestant){
                .name = kernels[k].name, .run = kernels[k].run, .level = (snCpuLevel)level, .threaded = true};
        }
    }
    out[count++] =
        (Contestant){.name = "character frame", .run = run_frame, .level = SN_CPU_AUTO, .threaded = true};
    return count;
}

// ------------------------------------------------------------------------------------------------ timing

static double sample(BenchScene* scene, Contestant* c, uint32_t repeats) {
    double start = bench_seconds();
    for (uint32_t i = 0; i < repeats; i++) c->run(scene, c->level, &scene->tasks);
    return (bench_seconds() - start) / repeats;
}

static void measure(BenchScene* scene, Contestant* contestants, uint32_t count, uint32_t rounds,
                    uint32_t workers, BenchReport* report) {
    uint32_t repeats[64];
    for (uint32_t i = 0; i < count; i++) {
        double once = sample(scene, &contestants[i], 3); // warm-up, and how many make about 2 ms
        repeats[i] = once < 2e-3 ? (uint32_t)(2e-3 / once) + 1 : 1;
    }
    report->clock_before = bench_clock_ghz();
    for (uint32_t r = 0; r < rounds; r++) {
        for (uint32_t i = 0; i < count; i++)
            contestants[i].samples[r] = sample(scene, &contestants[i], repeats[i]);
    }
    report->clock_after = bench_clock_ghz();
    for (uint32_t i = 0; i < count; i++) {
        double ns = bench_best_median(contestants[i].samples, rounds) * 1e9 / scene->vertices;
        bool leveled = contestants[i].level != SN_CPU_AUTO;
        report->rows[report->row_count++] =
            (BenchRow){.name = contestants[i].name,
                       .level = leveled ? sn_cpu_level_name(contestants[i].level) : "",
                       .workers = contestants[i].threaded ? workers : 1,
                       .nanoseconds = ns};
    }
    for (uint32_t i = 0; i < report->row_count; i++) {
        report->rows[i].ratio = report->rows[1].nanoseconds / report->rows[i].nanoseconds;
        report->rows[i].memcpy_ratio = report->rows[i].nanoseconds / report->rows[0].nanoseconds;
    }
}

// ---------------------------------------------------------------------------------- counting instructions

// Runs once inside a function that callgrind can be told to watch.
__attribute__((noinline)) void bench_counted(BenchScene* scene, Contestant* c);
void bench_counted(BenchScene* scene, Contestant* c) {
    snTasks serial = {0};
    c->run(scene, c->level, &serial);
}

uint64_t bench_count_instructions(const char* scene, uint32_t index, const char* function) {
    char number[16], self[1024], toggle[64];
    snprintf(number, sizeof number, "%u", index);
    snprintf(toggle, sizeof toggle, "--toggle-collect=%s", function);
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length <= 0) return 0;
    self[length] = '\0';
    int fds[2];
    if (pipe(fds) != 0) return 0;
    char scene_copy[32];
    snprintf(scene_copy, sizeof scene_copy, "%s", scene);
    const char* base = strrchr(self, '/');
    bool is_cli = base != NULL && strcmp(base, "/sinew") == 0;
    char* arguments[12];
    int n = 0;
    arguments[n++] = "valgrind";
    arguments[n++] = "--tool=callgrind";
    arguments[n++] = "--callgrind-out-file=/dev/null";
    arguments[n++] = toggle;
    arguments[n++] = self;
    if (is_cli) arguments[n++] = "bench";
    arguments[n++] = "--scene";
    arguments[n++] = scene_copy;
    arguments[n++] = "--count-one";
    arguments[n++] = number;
    arguments[n] = NULL;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, fds[1], 2);
    posix_spawn_file_actions_addclose(&actions, fds[0]);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", 1, 0);
    pid_t child = 0;
    int failed = posix_spawnp(&child, "valgrind", &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(fds[1]);
    uint64_t instructions = 0;
    if (failed == 0) {
        FILE* output = fdopen(fds[0], "r");
        char line[512];
        while (output != NULL && fgets(line, sizeof line, output) != NULL) {
            const char* found = strstr(line, "Collected : ");
            if (found != NULL) instructions = strtoull(found + strlen("Collected : "), NULL, 10);
        }
        if (output != NULL) fclose(output);
        waitpid(child, NULL, 0);
    } else {
        close(fds[0]);
    }
    return instructions;
}

static bool add_instructions(const BenchScene* scene, BenchReport* report) {
    bool any = false;
    for (uint32_t i = 0; i < report->row_count; i++) {
        // Valgrind does not know AVX-512; the other levels have their counts.
        if (strcmp(report->rows[i].level, "avx512") == 0 ||
            strcmp(report->rows[i].name, "character frame") == 0)
            continue;
        uint64_t total = bench_count_instructions(scene->name, i, "bench_counted");
        report->rows[i].instructions = total * 1000 / scene->vertices;
        any = any || total != 0;
    }
    return any;
}

// ----------------------------------------------------------------------------------------------- options

typedef struct Options {
    const char* scene;
    const char* model;
    const char* csv;
    const char* json;
    uint32_t rounds;
    uint32_t workers; // 0: sweep 1, 2, 4, ... up to the cores
    bool sweep;
    bool instructions;
    bool quiet;
    int count_one; // -1: not a child of count_instructions
    snCpuLevel level;
} Options;

static const char* const USAGE =
    "usage: sinew bench [options]\n"
    "Measures skinning, binding, flesh, volume, splines and handles against a scalar loop and\n"
    "memcpy in the same run, or beside the figures of the papers.\n"
    "  --scene NAME     body (default), body-112k, tube, bind, bind-300k, flesh,\n"
    "                   flesh-sizes, levels, volume, bake, spline, edits, documents, slices, draw,\n"
    "                   handles, search or search-table (what searches find)\n"
    "  --model FILE     of slices, instead of the built-in body\n"
    "  --rounds N       interleaved rounds, 3 to 200 (default 40)\n"
    "  --workers N      threads (default 1)\n"
    "  --sweep          1, 2, 4 ... threads up to the number of cores\n"
    "  --level NAME     of the flesh scenes: scalar, sse2, avx2, ... (default: the best here)\n"
    "  --instructions   also count instructions under valgrind (slow)\n"
    "  --csv FILE       write CSV; - for standard output\n"
    "  --json [FILE]    write JSON; standard output when no file is named\n"
    "  --quiet          no table\n"
    "  --help           this text\n";

static bool parse_number(const char* text, uint32_t lo, uint32_t hi, uint32_t* out) {
    char* end = NULL;
    unsigned long value = text != NULL ? strtoul(text, &end, 10) : 0;
    if (text == NULL || end == text || *end != '\0' || value < lo || value > hi) return false;
    *out = (uint32_t)value;
    return true;
}

static bool parse_level(const char* text, snCpuLevel* out) {
    for (int level = 0; level < SN_CPU_LEVEL_COUNT && text != NULL; level++) {
        if (strcmp(text, sn_cpu_level_name((snCpuLevel)level)) != 0) continue;
        *out = (snCpuLevel)level;
        return sn_cpu_level_available(*out);
    }
    return false;
}

// The value of the option at argv[*i]: behind "=", or the next word. NULL when there is none.
static const char* option_value(int argc, char** argv, int* i) {
    const char* equals = strchr(argv[*i], '=');
    if (equals != NULL) return equals + 1;
    return *i + 1 < argc ? argv[++*i] : NULL;
}

static bool is_option(const char* word, const char* name) {
    size_t length = strlen(name);
    return strncmp(word, name, length) == 0 && (word[length] == '\0' || word[length] == '=');
}

// False when the word is no option or its value is bad.
static bool parse_option(int argc, char** argv, int* i, Options* options) {
    const char* word = argv[*i];
    uint32_t number = 0;
    if (strcmp(word, "--sweep") == 0) return options->sweep = true;
    if (strcmp(word, "--instructions") == 0) return options->instructions = true;
    if (strcmp(word, "--quiet") == 0) return options->quiet = true;
    bool bare = *i + 1 == argc || argv[*i + 1][0] == '-';
    if (strcmp(word, "--json") == 0 && bare) return (options->json = "-") != NULL;
    if (is_option(word, "--scene")) return (options->scene = option_value(argc, argv, i)) != NULL;
    if (is_option(word, "--model")) return (options->model = option_value(argc, argv, i)) != NULL;
    if (is_option(word, "--csv")) return (options->csv = option_value(argc, argv, i)) != NULL;
    if (is_option(word, "--json")) return (options->json = option_value(argc, argv, i)) != NULL;
    if (is_option(word, "--level")) return parse_level(option_value(argc, argv, i), &options->level);
    if (is_option(word, "--rounds"))
        return parse_number(option_value(argc, argv, i), 3, 200, &options->rounds);
    if (is_option(word, "--workers"))
        return parse_number(option_value(argc, argv, i), 1, 256, &options->workers);
    if (!is_option(word, "--count-one") || !parse_number(option_value(argc, argv, i), 0, 255, &number))
        return false;
    options->count_one = (int)number;
    return true;
}

// 0: go on, 1: help was asked for, 3: usage error.
static int parse_options(int argc, char** argv, Options* options) {
    *options =
        (Options){.scene = "body", .model = "builtin:body", .rounds = 40, .workers = 1, .count_one = -1};
    for (int i = 0; i < argc && argv[i] != NULL; i++) {
        const char* word = argv[i];
        if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) return 1;
        if (parse_option(argc, argv, &i, options)) continue;
        fprintf(stderr, "sinew bench: %s: no such option, or a bad value\nTry: sinew bench --help\n", word);
        return 3;
    }
    return 0;
}

static bool write_report(const Options* options, const BenchReport* report) {
    bool written = (options->csv == NULL || bench_write_csv(report, options->csv)) &&
                   (options->json == NULL || bench_write_json(report, options->json));
    if (!written) fprintf(stderr, "sinew bench: the results could not be written\n");
    return written;
}

static bool wants_table(const Options* options) {
    bool json_on_stdout = options->json != NULL && strcmp(options->json, "-") == 0;
    return !options->quiet && !json_on_stdout;
}

// The scene that binds.
static int run_bind(const Options* options) {
    static BenchReport report;
    bool once = strcmp(options->scene, "bind-300k") == 0;
    if (!bench_bind(options->rounds, once, !wants_table(options), &report)) {
        fprintf(stderr, "sinew bench: out of memory\n");
        return 4;
    }
    return write_report(options, &report) ? 0 : 4;
}

// Scenes that print a table of their own.
static int run_table(const Options* options,
                     bool (*bench)(uint32_t rounds, bool quiet, BenchReport* report)) {
    static BenchReport report;
    if (!bench(options->rounds, !wants_table(options), &report)) {
        fprintf(stderr, "sinew bench: out of memory\n");
        return 4;
    }
    return write_report(options, &report) ? 0 : 4;
}

#ifdef SINEW_HAVE_DOCUMENT
// The scene whose model can be chosen.
static int run_slices(const Options* options) {
    static BenchReport report;
    if (!bench_slices(options->model, options->rounds, !wants_table(options), &report)) return 4;
    return write_report(options, &report) ? 0 : 4;
}
#endif

#ifdef SINEW_HAVE_RENDER
// The scene that needs OpenGL, and says what is missing.
static int run_draw(const Options* options) {
    static BenchReport report;
    if (!bench_draw(options->rounds, !wants_table(options), &report)) return 4;
    return write_report(options, &report) ? 0 : 4;
}
#endif

// The scene of all levels.
static int run_levels(const Options* options) {
    static BenchReport report;
    if (options->count_one >= 0) return bench_level_run((uint32_t)options->count_one) ? 0 : 4;
    if (!bench_levels(options->rounds, options->instructions, !wants_table(options), &report)) {
        fprintf(stderr, "sinew bench: out of memory\n");
        return 4;
    }
    return write_report(options, &report) ? 0 : 4;
}

// The scenes with flesh.
static int run_flesh(const Options* options) {
    BenchFleshOptions flesh = {.scene = options->scene,
                               .rounds = options->rounds,
                               .workers = options->workers,
                               .level = options->level,
                               .json = options->json,
                               .quiet = !wants_table(options),
                               .instructions = options->instructions,
                               .count_one = options->count_one};
    return bench_flesh(&flesh);
}

// One scene at one worker count.
static int run_scene(const Options* options, uint32_t workers) {
    static Contestant contestants[64];
    static BenchReport report;
    BenchScene scene;
    snResult result = bench_scene_create(options->scene, workers, &scene);
    if (result != SN_RESULT_OK) {
        fprintf(stderr, "sinew bench: scene '%s': %s\n", options->scene, sn_result_name(result));
        return result == SN_RESULT_NOT_FOUND ? 3 : 4;
    }
    uint32_t count = list_contestants(contestants);
    if (options->count_one >= 0) {
        if ((uint32_t)options->count_one < count) bench_counted(&scene, &contestants[options->count_one]);
        bench_scene_destroy(&scene);
        return 0;
    }
    report = (BenchReport){.scene = options->scene, .vertices = scene.vertices, .joints = scene.joints};
    measure(&scene, contestants, count, options->rounds, workers, &report);
    if (options->instructions && !add_instructions(&scene, &report)) {
        fprintf(stderr, "sinew bench: valgrind is not installed, instructions are not counted\n");
    }
    if (wants_table(options)) bench_print_table(&report);
    bool written = write_report(options, &report);
    bench_scene_destroy(&scene);
    return written ? 0 : 4;
}

int sn_bench_main(int argc, char** argv) {
    Options options;
    int parsed = parse_options(argc, argv, &options);
    if (parsed == 1) {
        fputs(USAGE, stdout);
        return 0;
    }
    if (parsed != 0) return parsed;
    if (strcmp(options.scene, "bind") == 0 || strcmp(options.scene, "bind-300k") == 0)
        return run_bind(&options);
    if (strcmp(options.scene, "flesh") == 0 || strcmp(options.scene, "flesh-sizes") == 0)
        return run_flesh(&options);
    if (strcmp(options.scene, "levels") == 0) return run_levels(&options);
    if (strcmp(options.scene, "volume") == 0) return run_table(&options, bench_volume);
    if (strcmp(options.scene, "bake") == 0) return run_table(&options, bench_bake);
    if (strcmp(options.scene, "spline") == 0) return run_table(&options, bench_spline);
    if (strcmp(options.scene, "edits") == 0) return run_table(&options, bench_edits);
#ifdef SINEW_HAVE_DOCUMENT
    if (strcmp(options.scene, "documents") == 0) return run_table(&options, bench_documents);
    if (strcmp(options.scene, "slices") == 0) return run_slices(&options);
#endif
#ifdef SINEW_HAVE_RENDER
    if (strcmp(options.scene, "draw") == 0) return run_draw(&options);
#endif
    if (strcmp(options.scene, "search") == 0) return run_table(&options, bench_search);
    if (strcmp(options.scene, "search-table") == 0) return run_table(&options, bench_search_table);
#ifdef SINEW_HAVE_SPARSE
    if (strcmp(options.scene, "handles") == 0) return run_table(&options, bench_handles);
#endif
    if (!options.sweep) return run_scene(&options, options.workers);
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    for (uint32_t workers = 1; workers <= (uint32_t)(cores < 1 ? 1 : cores); workers *= 2) {
        int code = run_scene(&options, workers);
        if (code != 0) return code;
    }
    return 0;
}
