// Everything that has kernels, on every instruction set: whole frames, drags and bindings of a body with
// about 5,000 vertices. Ratios are to plain C in the same rounds.
//
// Instructions say the same without a clock: a level that needs more of them than the one below it does not
// use its registers. tests/bench holds each to that.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

enum { VERTICES = 5000, MOST_ROUNDS = 200, WARM = 2 };

// One contestant on one level.
typedef struct Actor {
    snModel* model;
    snSettings* settings;
    snCharacter* character;
    snPuppet* puppet;
    snWeightsMethod method;
    snCpuLevel level;
    uint32_t runs;
} Actor;

typedef struct Contestant {
    const char* name;
    snResult (*create)(Actor* actor);
    void (*run)(Actor* actor);
} Contestant;

// ------------------------------------------------------------------------------------------------- frames

static snResult make_character(Actor* a) {
    snCharacterDef def = sn_character_def();
    def.model = a->model;
    def.settings = a->settings;
    def.level = a->level;
    return sn_character_create(&def, NULL, &a->character, NULL);
}

static snResult create_linear(Actor* a) {
    a->settings->skin = SN_SKIN_LINEAR;
    a->settings->volume = SN_VOLUME_NONE;
    return make_character(a);
}

static snResult create_dual(Actor* a) {
    a->settings->skin = SN_SKIN_DUAL;
    a->settings->volume = SN_VOLUME_NONE;
    return make_character(a);
}

static snResult create_flesh(Actor* a) {
    snBindDef def = sn_bind_def();
    def.method = SN_WEIGHTS_KEEP;
    snResult result = sn_model_bind(a->model, &def, NULL, NULL);
    a->settings->skin = SN_SKIN_LATTICE;
    a->settings->volume = SN_VOLUME_PARTS;
    a->settings->flesh = true;
    return result == SN_RESULT_OK ? make_character(a) : result;
}

static snResult create_spline(Actor* a) {
    snStyle* style = NULL;
    char all[] = "*";
    a->settings->skin = SN_SKIN_SPLINE;
    a->settings->volume = SN_VOLUME_NONE;
    snResult result = sn_style_preset("cloth", NULL, &style, NULL);
    if (result == SN_RESULT_OK)
        result = sn_settings_set_styles(a->settings, (const snStyle* const*)&style, 1, NULL);
    if (result == SN_RESULT_OK) {
        snStyleRule rule = {all, style->name, 1.0f};
        result = sn_settings_set_style_rules(a->settings, &rule, 1, NULL);
    }
    sn_style_destroy(style);
    return result == SN_RESULT_OK ? make_character(a) : result;
}

static snResult create_exact(Actor* a) {
    a->settings->skin = SN_SKIN_LINEAR;
    a->settings->volume = SN_VOLUME_EXACT;
    return make_character(a);
}

static void run_frame(Actor* a) {
    sn_character_pose_clip(a->character, 0, 0.3f + 0.01f * (float)(a->runs % 8), SN_WRAP_LOOP);
}

// -------------------------------------------------------------------------------------------------- drags

#ifdef SINEW_HAVE_SPARSE
static snResult make_puppet(Actor* a, snHandleMethod method) {
    snPuppetDef def = sn_puppet_def();
    def.model = a->model;
    def.method = method;
    def.sparse = sn_sparse_cholmod();
    def.level = a->level;
    return sn_puppet_create(&def, NULL, &a->puppet, NULL);
}

static snResult create_fast(Actor* a) { return make_puppet(a, SN_HANDLES_FAST); }
static snResult create_rigid(Actor* a) { return make_puppet(a, SN_HANDLES_RIGID); }

static void run_drag(Actor* a) {
    sn_puppet_rotate(a->puppet, "LeftUpperArm", sn_vec3(0.0f, 0.0f, 1.0f), a->runs % 2 == 0 ? 0.3f : -0.3f,
                     NULL);
    sn_puppet_run(a->puppet, NULL);
}
#endif

// ---------------------------------------------------------------------------------------------- precomputed

static snResult create_heat(Actor* a) {
    a->method = SN_WEIGHTS_HEAT;
    return SN_RESULT_OK;
}
static snResult create_geodesic(Actor* a) {
    a->method = SN_WEIGHTS_GEODESIC;
    return SN_RESULT_OK;
}
static snResult create_auto(Actor* a) {
    a->method = SN_WEIGHTS_AUTO;
    return SN_RESULT_OK;
}

static void run_bind(Actor* a) {
    snBindDef def = sn_bind_def();
    def.method = a->method;
    def.level = a->level;
    sn_model_set_binding(a->model, NULL); // or its lattice would be there
    sn_model_bind(a->model, &def, NULL, NULL);
}

// The morph targets of eight frames in dual skin.
enum { BAKED = 8 };
static snResult show_frame(void* user, uint32_t frame, snSurface* out) {
    const Actor* a = user;
    snResult result = sn_character_pose_clip(a->character, 0, (float)frame / BAKED, SN_WRAP_LOOP);
    if (result == SN_RESULT_OK) out[0] = sn_character_surface(a->character, 0);
    return result;
}

static void run_bake(Actor* a) {
    snMorphBakeDef def = sn_morph_bake_def();
    snMorphBake* bake = NULL;
    def.model = a->model;
    def.clip = 0;
    def.fps = BAKED;
    def.frame_count = BAKED;
    def.frames = show_frame;
    def.user = a;
    def.level = a->level;
    if (sn_morph_bake_create(&def, NULL, &bake, NULL) == SN_RESULT_OK) sn_morph_bake_destroy(bake);
}

static const Contestant CONTESTANTS[] = {
    {"linear skin", create_linear, run_frame},
    {"dual skin", create_dual, run_frame},
    {"lattice skin, flesh", create_flesh, run_frame},
    {"spline skin, a style", create_spline, run_frame},
    {"exact volume", create_exact, run_frame},
    {"morph targets", create_dual, run_bake},
    {"bind, heat", create_heat, run_bind},
    {"bind, geodesic", create_geodesic, run_bind},
    {"bind, auto", create_auto, run_bind},
#ifdef SINEW_HAVE_SPARSE
    {"handles, fast", create_fast, run_drag},
    {"handles, rigid", create_rigid, run_drag},
#endif
};
enum { CONTESTANT_COUNT = sizeof CONTESTANTS / sizeof CONTESTANTS[0] };

// ------------------------------------------------------------------------------------------------- measuring

static bool actor_create(uint32_t contestant, snCpuLevel level, Actor* a) {
    snBodyDef body = sn_body_def();
    body.vertex_target = VERTICES;
    *a = (Actor){.level = level};
    snResult result = sn_builtin_body(&body, NULL, &a->model, NULL);
    if (result == SN_RESULT_OK) result = sn_settings_create(NULL, &a->settings, NULL);
    return result == SN_RESULT_OK && CONTESTANTS[contestant].create(a) == SN_RESULT_OK;
}

static void actor_destroy(Actor* a) {
    sn_puppet_destroy(a->puppet);
    sn_character_destroy(a->character);
    sn_settings_destroy(a->settings);
    sn_model_destroy(a->model);
}

// Runs once inside a function that callgrind can be told to watch.
__attribute__((noinline)) void bench_counted_level(const Contestant* contestant, Actor* actor);
void bench_counted_level(const Contestant* contestant, Actor* actor) {
    contestant->run(actor);
    actor->runs++;
}

const char* bench_level_contestant(uint32_t contestant) {
    return contestant < CONTESTANT_COUNT ? CONTESTANTS[contestant].name : NULL;
}

uint64_t bench_level_instructions(uint32_t contestant, snCpuLevel level) {
    return bench_count_instructions("levels", contestant * SN_CPU_LEVEL_COUNT + (uint32_t)level,
                                    "bench_counted_level");
}

bool bench_level_run(uint32_t index) {
    uint32_t contestant = index / SN_CPU_LEVEL_COUNT;
    snCpuLevel level = (snCpuLevel)(index % SN_CPU_LEVEL_COUNT);
    Actor actor;
    if (contestant >= CONTESTANT_COUNT || !sn_cpu_level_available(level)) return false;
    bool ready = actor_create(contestant, level, &actor);
    if (ready) bench_counted_level(&CONTESTANTS[contestant], &actor);
    actor_destroy(&actor);
    return ready;
}

// All levels of one contestant, by turns.
static bool measure(uint32_t contestant, uint32_t rounds, BenchReport* report) {
    static double samples[SN_CPU_LEVEL_COUNT][MOST_ROUNDS];
    Actor actors[SN_CPU_LEVEL_COUNT] = {{0}};
    const Contestant* c = &CONTESTANTS[contestant];
    bool ready = true;
    for (uint32_t l = SN_CPU_SCALAR; l < SN_CPU_LEVEL_COUNT && ready; l++) {
        if (!sn_cpu_level_available((snCpuLevel)l)) continue;
        ready = actor_create(contestant, (snCpuLevel)l, &actors[l]);
        for (int i = 0; i < WARM && ready; i++) bench_counted_level(c, &actors[l]);
    }
    for (uint32_t r = 0; r < rounds && ready; r++) {
        for (uint32_t l = SN_CPU_SCALAR; l < SN_CPU_LEVEL_COUNT; l++) {
            if (actors[l].model == NULL) continue;
            double begin = bench_seconds();
            bench_counted_level(c, &actors[l]);
            samples[l][r] = bench_seconds() - begin;
        }
    }
    double scalar = ready ? bench_best_median(samples[SN_CPU_SCALAR], rounds) : 0.0;
    for (uint32_t l = SN_CPU_SCALAR; l < SN_CPU_LEVEL_COUNT; l++) {
        if (actors[l].model == NULL) continue;
        report->vertices = actors[l].model->parts[0].mesh->vertex_count;
        report->joints = actors[l].model->skeleton->joint_count;
        double seconds = ready ? bench_best_median(samples[l], rounds) : 1.0;
        report->rows[report->row_count++] = (BenchRow){.name = c->name,
                                                       .level = sn_cpu_level_name((snCpuLevel)l),
                                                       .workers = 1,
                                                       .nanoseconds = seconds * 1e9 / report->vertices,
                                                       .ratio = scalar / seconds};
        actor_destroy(&actors[l]);
    }
    return ready;
}

static void print_table(const BenchReport* report) {
    printf("scene levels: %u vertices, %u joints, one core; clock %.2f GHz before, %.2f after\n",
           report->vertices, report->joints, report->clock_before, report->clock_after);
    printf("%-22s %-8s %10s %10s %14s\n", "what", "level", "ms", "x scalar", "instructions");
    for (uint32_t i = 0; i < report->row_count; i++) {
        const BenchRow* row = &report->rows[i];
        printf("%-22s %-8s %10.3f %10.2f", row->name, row->level, row->nanoseconds * 1e-6 * report->vertices,
               row->ratio);
        if (row->instructions != 0) printf(" %14.0f", (double)row->instructions * 1e-3 * report->vertices);
        printf("\n");
    }
}

// Valgrind does not know AVX-512; the other levels have their counts.
static bool add_instructions(BenchReport* report) {
    bool any = false;
    uint32_t row = 0;
    for (uint32_t c = 0; c < CONTESTANT_COUNT; c++) {
        for (uint32_t l = SN_CPU_SCALAR; l < SN_CPU_LEVEL_COUNT; l++) {
            if (!sn_cpu_level_available((snCpuLevel)l)) continue;
            uint64_t total = l == SN_CPU_AVX512 ? 0 : bench_level_instructions(c, (snCpuLevel)l);
            report->rows[row++].instructions = total * 1000 / report->vertices;
            any = any || total != 0;
        }
    }
    return any;
}

bool bench_levels(uint32_t rounds, bool instructions, bool quiet, BenchReport* report) {
    bool ready = true;
    *report = (BenchReport){.scene = "levels", .clock_before = bench_clock_ghz()};
    for (uint32_t c = 0; c < CONTESTANT_COUNT && ready; c++) ready = measure(c, rounds, report);
    report->clock_after = bench_clock_ghz();
    if (ready && instructions && !add_instructions(report))
        fprintf(stderr, "sinew bench: valgrind is not installed, instructions are not counted\n");
    if (ready && !quiet) print_table(report);
    return ready;
}
