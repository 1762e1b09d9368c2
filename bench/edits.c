// Edits while a character plays: from the edit to the next frame, on the built-in body with 28,060 vertices,
// against a character made anew in the same round. One thread. What else hands on a screen need stands below:
// states, and rays.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

enum { BRUSH = 500, PAINTED = 5000, MOST_ROUNDS = 200, RAYS = 64 };

// Characters that are edited: what each edit needs is the least that shows it.
enum { FLESH, STYLED, EXACT, KINDS };
static const char* const KIND_NAMES[KINDS] = {
    "dual skin, part volume, flesh", "spline skin with a style, flesh", "dual skin, exact volume, flesh"};

typedef struct Scene Scene;
typedef struct Edit {
    const char* name;
    // Changes settings or model, another way in every round.
    void (*run)(Scene* s, snSettings* settings, uint32_t round);
    int kind;
    bool weights; // of the model
} Edit;

struct Scene {
    snModel* model;
    snSettings* settings[KINDS];
    snCharacter* characters[KINDS];
    uint32_t vertices[BRUSH];
    snPicker* picker;
    void* state;
    size_t state_size;
    snVec3 origins[RAYS], directions[RAYS];
};

// ----------------------------------------------------------------------------------------------------- edits

static void edit_setting(Scene* s, snSettings* settings, uint32_t round) {
    (void)s;
    settings->gravity.x = 0.1f * (float)(round % 7 + 1);
}

static void edit_rule(Scene* s, snSettings* settings, uint32_t round) {
    (void)s;
    settings->rules[0].softness = 0.5f + 0.01f * (float)(round % 50);
}

static void edit_amounts(Scene* s, snSettings* settings, uint32_t round) {
    (void)s;
    for (uint32_t i = 0; i < BRUSH; i++)
        settings->rules[1].amounts[(7 * round + i) % PAINTED] = 0.01f * (float)((round + i) % 100);
}

static void edit_texel(const snStyle* style, uint32_t direction, uint32_t round) {
    const snStyleTexture* texture = &style->textures[direction];
    uint32_t count = texture->width * texture->height;
    if (count > 0) texture->texels[(31 * round) % count] = (uint16_t)(texture->one / 2 + round % 64);
}

static void edit_frontal_texel(Scene* s, snSettings* settings, uint32_t round) {
    (void)s;
    edit_texel(settings->styles[0], SN_STYLE_FRONTAL, round);
}

static void edit_radial_texel(Scene* s, snSettings* settings, uint32_t round) {
    (void)s;
    edit_texel(settings->styles[0], SN_STYLE_RADIAL, round);
}

static void edit_key(Scene* s, snSettings* settings, uint32_t round) {
    (void)s;
    settings->volume_rules[0].profile.axes[0].keys[1].value = 0.3f + 0.01f * (float)(round % 60);
}

static void edit_weights(Scene* s, snSettings* settings, uint32_t round) {
    (void)settings;
    snWeights* w = &s->model->parts[0].weights;
    for (uint32_t i = 0; i < BRUSH; i++) {
        float* weights = w->weights + (size_t)s->vertices[i] * w->influences;
        float share = 0.05f * weights[round % 2];
        weights[round % 2] -= share;
        weights[1 - round % 2] += share;
    }
}

// Between all joints and the elbows; back with the next round.
static void edit_style_rule(Scene* s, snSettings* settings, uint32_t round) {
    (void)s;
    char all[] = "*", elbow[] = "*Elbow";
    snStyleRule rule = {round % 2 == 0 ? elbow : all, settings->styles[0]->name, 1.0f};
    sn_settings_set_style_rules(settings, &rule, 1, NULL);
}

static void edit_stiffness(Scene* s, snSettings* settings, uint32_t round) {
    (void)s;
    char elbow[] = "*Elbow";
    snSplineRule rule = {elbow, 4.0f + (float)(round % 3)};
    sn_settings_set_spline_rules(settings, &rule, 1, NULL);
}

static const Edit EDITS[] = {
    {"one setting", edit_setting, FLESH, false},
    {"one material rule", edit_rule, FLESH, false},
    {"material brush", edit_amounts, FLESH, false},
    {"weight brush", edit_weights, FLESH, true},
    {"texel of a style", edit_frontal_texel, STYLED, false},
    {"texel, radial", edit_radial_texel, STYLED, false},
    {"weight brush, splines", edit_weights, STYLED, true},
    {"style on other joints", edit_style_rule, STYLED, false},
    {"stiffness of elbows", edit_stiffness, STYLED, false},
    {"key of a volume profile", edit_key, EXACT, false},
    {"weight brush, exact", edit_weights, EXACT, true},
};
#define EDIT_COUNT (sizeof EDITS / sizeof EDITS[0])

// ---------------------------------------------------------------------------------------------------- create

// Elbows that a muscle profile with a drawn curve keeps in shape.
static snResult set_profile(snSettings* settings) {
    char joint[] = "*Elbow";
    snVolumeRule rule = {.joint = joint, .profile = *sn_volume_preset_find("muscle"), .amount = 1.0f};
    rule.profile.axes[0].key_count = 3;
    for (int k = 0; k < 3; k++)
        rule.profile.axes[0].keys[k] = (snCurveKey){(float)(k - 1), k == 1 ? 0.5f : 1.0f};
    settings->volume = SN_VOLUME_PARTS_EXACT;
    return sn_settings_set_volume_rules(settings, &rule, 1, NULL);
}

static snResult set_style(snSettings* settings) {
    snStyle* style = NULL;
    char all[] = "*";
    snResult result = sn_style_preset("cloth", NULL, &style, NULL);
    if (result == SN_RESULT_OK)
        result = sn_settings_set_styles(settings, (const snStyle* const*)&style, 1, NULL);
    if (result == SN_RESULT_OK) {
        snStyleRule rule = {all, style->name, 1.0f};
        result = sn_settings_set_style_rules(settings, &rule, 1, NULL);
    }
    sn_style_destroy(style);
    return result;
}

static snResult set_rules(const snModel* model, snSettings* settings) {
    static uint32_t vertices[PAINTED];
    static float amounts[PAINTED];
    for (uint32_t i = 0; i < PAINTED; i++) vertices[i] = i, amounts[i] = 0.5f;
    char knee[] = "*Knee";
    snFleshRule rules[2] = {sn_flesh_rule_def(), sn_flesh_rule_def()};
    rules[0].bone = knee;
    rules[1].part = model->parts[0].name;
    rules[1].vertices = vertices;
    rules[1].amounts = amounts;
    rules[1].vertex_count = PAINTED;
    rules[1].softness = 0.5f;
    return sn_settings_set_rules(settings, rules, 2, NULL);
}

static snResult make_character(const Scene* s, int kind, snCharacter** out) {
    snCharacterDef def = sn_character_def();
    def.model = s->model;
    def.settings = s->settings[kind];
    return sn_character_create(&def, NULL, out, NULL);
}

static snResult make_model(Scene* s) {
    snBodyDef body = sn_body_def();
    snResult result = sn_builtin_body(&body, NULL, &s->model, NULL);
    if (result != SN_RESULT_OK) return result;
    snBindDef bind = sn_bind_def();
    bind.method = SN_WEIGHTS_KEEP;
    return sn_model_bind(s->model, &bind, NULL, NULL);
}

static snResult make_characters(Scene* s) {
    snResult result = SN_RESULT_OK;
    for (int k = 0; k < KINDS && result == SN_RESULT_OK; k++) {
        result = sn_settings_create(NULL, &s->settings[k], NULL);
        if (result == SN_RESULT_OK && k == FLESH) result = set_rules(s->model, s->settings[k]);
        if (result == SN_RESULT_OK && k == STYLED) result = set_style(s->settings[k]);
        if (result == SN_RESULT_OK && k == EXACT) result = set_profile(s->settings[k]);
        if (result == SN_RESULT_OK) result = make_character(s, k, &s->characters[k]);
    }
    return result;
}

// Rays from around the body to its middle and beside it.
static void make_rays(Scene* s) {
    for (uint32_t i = 0; i < RAYS; i++) {
        float turn = 2.0f * SN_PI * (float)i / (float)RAYS;
        s->origins[i] = sn_vec3(3.0f * sn_cos(turn), 1.0f + 0.3f * sn_sin(7.0f * turn), 3.0f * sn_sin(turn));
        snVec3 to = sn_vec3(0.2f * sn_sin(3.0f * turn), 1.0f + 0.6f * sn_sin(5.0f * turn), 0.0f);
        s->directions[i] = sn_sub(to, s->origins[i]);
    }
}

static snResult scene_create(Scene* s) {
    snResult result = make_model(s);
    if (result == SN_RESULT_OK) result = make_characters(s);
    if (result != SN_RESULT_OK) return result;
    for (uint32_t i = 0; i < BRUSH; i++) s->vertices[i] = 9000 + i;
    make_rays(s);
    snSurface surface = sn_character_surface(s->characters[FLESH], 0);
    s->state_size = sn_character_state_size(s->characters[FLESH]);
    s->state = malloc(s->state_size);
    if (s->state == NULL) return SN_RESULT_OUT_OF_MEMORY;
    return sn_picker_create(s->model, &surface, NULL, &s->picker, NULL);
}

static void scene_destroy(Scene* s) {
    for (int k = 0; k < KINDS; k++) {
        sn_character_destroy(s->characters[k]);
        sn_settings_destroy(s->settings[k]);
    }
    sn_picker_destroy(s->picker);
    sn_model_destroy(s->model);
    free(s->state);
}

// --------------------------------------------------------------------------------------------------- measure

typedef struct Samples {
    double edit[EDIT_COUNT][MOST_ROUNDS]; // the edit alone
    double both[EDIT_COUNT][MOST_ROUNDS]; // and the frame
    double anew[KINDS][MOST_ROUNDS];      // a new character, and the frame
    double get[MOST_ROUNDS], set[MOST_ROUNDS], pick[MOST_ROUNDS], middle[MOST_ROUNDS], refit[MOST_ROUNDS];
} Samples;

static float time_of(uint32_t round) { return 0.25f + (float)round / 60.0f; }

static bool sample_edit(Scene* s, uint32_t index, uint32_t round, Samples* out) {
    const Edit* edit = &EDITS[index];
    snCharacter* character = s->characters[edit->kind];
    float time = time_of(round);
    bool ready = sn_character_pose_clip(character, 0, time, SN_WRAP_LOOP) == SN_RESULT_OK;
    edit->run(s, s->settings[edit->kind], round);
    double begin = bench_seconds();
    snResult result = edit->weights ? sn_character_update_weights(character, 0, s->vertices, BRUSH, NULL)
                                    : sn_character_update_settings(character, s->settings[edit->kind], NULL);
    double edited = bench_seconds();
    ready = ready && result == SN_RESULT_OK &&
            sn_character_pose_clip(character, 0, time, SN_WRAP_LOOP) == SN_RESULT_OK;
    out->edit[index][round] = edited - begin;
    out->both[index][round] = bench_seconds() - begin;
    return ready;
}

static bool sample_anew(Scene* s, int kind, uint32_t round, Samples* out) {
    snCharacter* character = NULL;
    double begin = bench_seconds();
    bool ready = make_character(s, kind, &character) == SN_RESULT_OK &&
                 sn_character_pose_clip(character, 0, time_of(round), SN_WRAP_LOOP) == SN_RESULT_OK;
    out->anew[kind][round] = bench_seconds() - begin;
    sn_character_destroy(character);
    return ready;
}

static bool sample_others(Scene* s, uint32_t round, Samples* out) {
    snCharacter* character = s->characters[FLESH];
    snSurface surface = sn_character_surface(character, 0);
    snPick pick = {0};
    snVec3 middle;
    uint32_t met = 0;
    double times[6];
    times[0] = bench_seconds();
    sn_character_state_get(character, s->state);
    times[1] = bench_seconds();
    bool ready = sn_character_state_set(character, s->state, s->state_size, NULL) == SN_RESULT_OK;
    times[2] = bench_seconds();
    ready = ready && sn_picker_refit(s->picker, &surface) == SN_RESULT_OK;
    times[3] = bench_seconds();
    for (uint32_t i = 0; i < RAYS; i++) met += sn_pick_ray(s->picker, s->origins[i], s->directions[i], &pick);
    times[4] = bench_seconds();
    for (uint32_t i = 0; i < RAYS; i++)
        met += sn_pick_middle(s->picker, s->origins[i], s->directions[i], &middle);
    times[5] = bench_seconds();
    out->get[round] = times[1] - times[0];
    out->set[round] = times[2] - times[1];
    out->refit[round] = times[3] - times[2];
    out->pick[round] = (times[4] - times[3]) / RAYS;
    out->middle[round] = (times[5] - times[4]) / RAYS;
    return ready && met > 0;
}

// --------------------------------------------------------------------------------------------------- report

static void add_row(BenchReport* report, const char* name, double seconds, double anew) {
    report->rows[report->row_count++] = (BenchRow){.name = name,
                                                   .level = "",
                                                   .workers = 1,
                                                   .nanoseconds = seconds * 1e9 / report->vertices,
                                                   .ratio = anew / seconds};
}

// One kind of character and its edits; returns how long it takes to make it anew.
static double report_kind(int kind, Samples* samples, uint32_t rounds, bool quiet, BenchReport* report) {
    double anew = bench_best_median(samples->anew[kind], rounds);
    if (!quiet)
        printf("%s\n  %-26s %9s %10s %11s %7s\n", KIND_NAMES[kind], "", "edit ms", "+ frame ms", "made anew",
               "faster");
    for (uint32_t e = 0; e < EDIT_COUNT; e++) {
        if (EDITS[e].kind != kind) continue;
        double edit = bench_best_median(samples->edit[e], rounds);
        double both = bench_best_median(samples->both[e], rounds);
        if (!quiet)
            printf("  %-26s %9.3f %10.3f %11.2f %6.1fx\n", EDITS[e].name, edit * 1e3, both * 1e3, anew * 1e3,
                   anew / both);
        add_row(report, EDITS[e].name, both, anew);
    }
    return anew;
}

static void report_all(const Scene* s, Samples* samples, uint32_t rounds, bool quiet, BenchReport* report) {
    if (!quiet)
        printf("body, %u vertices, one thread, clock %.2f and %.2f GHz\n", report->vertices,
               report->clock_before, report->clock_after);
    double anew = report_kind(FLESH, samples, rounds, quiet, report);
    report_kind(STYLED, samples, rounds, quiet, report);
    report_kind(EXACT, samples, rounds, quiet, report);
    const struct {
        const char* name;
        double* times;
    } others[] = {{"state out", samples->get},
                  {"state in", samples->set},
                  {"picker, surfaces moved", samples->refit},
                  {"pick", samples->pick},
                  {"middle", samples->middle}};
    if (!quiet) printf("beside it (a state has %zu bytes)\n", s->state_size);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        double time = bench_best_median(others[i].times, rounds);
        if (!quiet)
            printf("  %-26s %9.4f %10s %11.2f %6.0fx\n", others[i].name, time * 1e3, "", anew * 1e3,
                   anew / time);
        add_row(report, others[i].name, time, anew);
    }
}

bool bench_edits(uint32_t rounds, bool quiet, BenchReport* report) {
    static Scene scene;
    static Samples samples;
    memset(&scene, 0, sizeof scene);
    *report = (BenchReport){.scene = "edits", .clock_before = bench_clock_ghz()};
    bool ready = scene_create(&scene) == SN_RESULT_OK;
    for (uint32_t r = 0; r < rounds && ready; r++) {
        for (uint32_t e = 0; e < EDIT_COUNT && ready; e++) ready = sample_edit(&scene, e, r, &samples);
        for (int k = 0; k < KINDS && ready; k++) ready = sample_anew(&scene, k, r, &samples);
        ready = ready && sample_others(&scene, r, &samples);
    }
    report->clock_after = bench_clock_ghz();
    if (ready) {
        report->vertices = scene.model->parts[0].mesh->vertex_count;
        report->joints = scene.model->skeleton->joint_count;
        report_all(&scene, &samples, rounds, quiet, report);
    }
    scene_destroy(&scene);
    return ready;
}
