// Baking to 64 helper joints: how time and memory grow with frames and vertices. One bake each: they take
// seconds.
#include <stdio.h>
#include <string.h>

#include "bench.h"

typedef struct Run {
    const char* name;
    uint32_t vertices; // wanted
    uint32_t frames;
} Run;

static const Run RUNS[] = {
    {"7,000 vertices", 7000, 300}, {"28,000 vertices", 28000, 75}, {"  150 frames", 28000, 150},
    {"  300 frames", 28000, 300},  {"  600 frames", 28000, 600},
};
#define RUN_COUNT (sizeof RUNS / sizeof RUNS[0])

// The walk in dual quaternions.
typedef struct Frames {
    snCharacter* character;
    float fps;
    double seconds; // spent on them
} Frames;

static snResult next_frame(void* user, uint32_t frame, snSurface* out_surfaces) {
    Frames* f = user;
    double begin = bench_seconds();
    snResult result = sn_character_pose_clip(f->character, 0, (float)frame / f->fps, SN_WRAP_CLAMP);
    out_surfaces[0] = sn_character_surface(f->character, 0);
    f->seconds += bench_seconds() - begin;
    return result;
}

// One walk, cut as finely as that takes: the work is that of as many frames of a longer clip.
static snResult bake(const Run* run, snModel* model, Frames* frames, snBudget* budget, snJointBake** out) {
    frames->fps = (float)(run->frames - 1) / model->clips[0]->duration;
    snBakeClip clip = {0, frames->fps, run->frames, next_frame, frames, false};
    snJointBakeDef def = sn_joint_bake_def();
    snAllocator memory = sn_budget_allocator(budget);
    def.model = model;
    def.clips = &clip;
    def.clip_count = 1;
    def.helper_count = 64;
    return sn_joint_bake_create(&def, &memory, out, NULL);
}

static bool measure(const Run* run, bool quiet, BenchReport* report) {
    snBodyDef body = sn_body_def();
    body.vertex_target = run->vertices;
    snModel* model = NULL;
    Frames frames = {0};
    snJointBake* result = NULL;
    snBudget budget = sn_budget(NULL, SIZE_MAX);
    snCharacterDef character = sn_character_def();
    bool done = sn_builtin_body(&body, NULL, &model, NULL) == SN_RESULT_OK;
    character.model = model;
    character.skin = SN_SKIN_DUAL;
    done = done && sn_character_create(&character, NULL, &frames.character, NULL) == SN_RESULT_OK;
    double begin = bench_seconds();
    done = done && bake(run, model, &frames, &budget, &result) == SN_RESULT_OK;
    double seconds = bench_seconds() - begin;
    if (done) {
        uint32_t vertices = model->parts[0].mesh->vertex_count;
        if (!quiet)
            printf("%-20s %8u %7u %9.2f %9.2f %9.1f %9.3f\n", run->name, vertices, run->frames, seconds,
                   frames.seconds, (double)budget.peak * 1e-6, result->frames.rms * 1e3);
        report->rows[report->row_count++] = (BenchRow){
            .name = run->name, .level = "", .workers = 1, .nanoseconds = seconds * 1e9 / (double)vertices};
        report->vertices = vertices;
    }
    sn_joint_bake_destroy(result);
    sn_character_destroy(frames.character);
    sn_model_destroy(model);
    return done;
}

bool bench_bake(uint32_t rounds, bool quiet, BenchReport* report) {
    (void)rounds;
    *report = (BenchReport){.scene = "bake", .clock_before = bench_clock_ghz()};
    if (!quiet)
        printf("%-20s %8s %7s %9s %9s %9s %9s\n", "64 helper joints", "vertices", "frames", "s", "posing s",
               "MB", "rms mm");
    bool done = true;
    for (size_t i = 0; i < RUN_COUNT && done; i++) done = measure(&RUNS[i], quiet, report);
    report->clock_after = bench_clock_ghz();
    return done;
}
