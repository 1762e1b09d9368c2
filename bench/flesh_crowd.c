// Whole characters: one after the other, a hundred over all cores, and what they hold in memory.
#include <stdlib.h>

#include "flesh.h"

#define CROWD 100

// ------------------------------------------------------------------------------------------------- memory

// Counts allocations on their way to the default allocator.
static uint64_t allocations;

static void* counted_alloc(void* user, size_t size, size_t alignment) {
    (void)user;
    allocations++;
    snAllocator memory = sn_allocator_default();
    return memory.alloc(memory.user, size, alignment);
}

static void counted_free(void* user, void* pointer) {
    (void)user;
    snAllocator memory = sn_allocator_default();
    memory.free(memory.user, pointer);
}

static snResult make_model(bool bound, snModel** out) {
    snBodyDef body = sn_body_def();
    snResult result = sn_builtin_body(&body, NULL, out, NULL);
    if (result != SN_RESULT_OK || !bound) return result;
    snBindDef bind = sn_bind_def();
    bind.method = SN_WEIGHTS_KEEP;
    bind.cells = 36;
    return sn_model_bind(*out, &bind, NULL, NULL);
}

static bool measure_bytes(const snModel* model, FleshCrowd* out) {
    snBudget budget = sn_budget(NULL, SIZE_MAX);
    snAllocator memory = sn_budget_allocator(&budget);
    snCharacterDef def = sn_character_def();
    def.model = model;
    def.skin = SN_SKIN_LATTICE;
    snCharacter *first = NULL, *second = NULL;
    bool ready = sn_character_create(&def, &memory, &first, NULL) == SN_RESULT_OK;
    out->first_bytes = budget.used;
    def.like = first;
    ready = ready && sn_character_create(&def, &memory, &second, NULL) == SN_RESULT_OK;
    out->next_bytes = budget.used - out->first_bytes;
    sn_character_destroy(second);
    sn_character_destroy(first);
    return ready;
}

// -------------------------------------------------------------------------------------------------- frames

typedef struct Walker {
    snModel* model;
    snCharacter* character;
    uint32_t frame;
} Walker;

static bool make_walker(snSkinMethod skin, Walker* out) {
    snAllocator memory = {counted_alloc, counted_free, NULL};
    snCharacterDef def = sn_character_def();
    *out = (Walker){0};
    if (make_model(skin != SN_SKIN_LINEAR, &out->model) != SN_RESULT_OK) return false;
    def.model = out->model;
    def.skin = skin;
    def.level = flesh_level;
    return sn_character_create(&def, &memory, &out->character, NULL) == SN_RESULT_OK;
}

static void destroy_walker(Walker* walker) {
    sn_character_destroy(walker->character);
    sn_model_destroy(walker->model);
}

static double walk(Walker* walker, uint32_t frames) {
    double start = bench_seconds();
    for (uint32_t f = 0; f < frames; f++) {
        sn_character_pose_clip(walker->character, 0, (float)++walker->frame / 60.0f, SN_WRAP_LOOP);
    }
    return (bench_seconds() - start) / frames;
}

static bool measure_walkers(uint32_t rounds, FleshCrowd* out) {
    static const snSkinMethod skins[3] = {SN_SKIN_LINEAR, SN_SKIN_LATTICE, SN_SKIN_DUAL};
    static double samples[3][200];
    Walker walkers[3] = {{0}};
    bool ready = true;
    for (int i = 0; i < 3; i++) ready = ready && make_walker(skins[i], &walkers[i]);
    for (int i = 0; i < 3 && ready; i++) walk(&walkers[i], 10);
    uint64_t before = allocations;
    for (uint32_t r = 0; r < rounds && ready; r++) {
        for (int i = 0; i < 3; i++) samples[i][r] = walk(&walkers[i], 10);
    }
    if (ready) {
        out->allocations = allocations - before;
        out->linear = bench_best_median(samples[0], rounds);
        out->lattice = bench_best_median(samples[1], rounds);
        out->dual = bench_best_median(samples[2], rounds);
    }
    for (int i = 0; i < 3; i++) destroy_walker(&walkers[i]);
    return ready;
}

// -------------------------------------------------------------------------------------------------- crowd

static double pose_crowd(snScene* scene, uint32_t frame, uint32_t frames) {
    snSceneMove moves[CROWD];
    double start = bench_seconds();
    for (uint32_t f = 0; f < frames; f++) {
        for (uint32_t i = 0; i < CROWD; i++)
            moves[i] = (snSceneMove){.time = (float)(frame + f + 7 * i) / 60.0f, .wrap = SN_WRAP_LOOP};
        sn_scene_pose(scene, moves);
    }
    return (bench_seconds() - start) / frames;
}

static bool measure_scene(const snModel* model, snPool* pool, uint32_t rounds, FleshCrowd* out) {
    static double samples[200];
    snCharacterDef* defs = calloc(CROWD, sizeof *defs);
    if (defs == NULL) return false;
    for (int i = 0; i < CROWD; i++) {
        defs[i] = sn_character_def();
        defs[i].model = model;
        defs[i].skin = SN_SKIN_LATTICE;
        defs[i].level = flesh_level;
    }
    snSceneDef def = {CROWD, defs, sn_pool_tasks(pool)};
    snScene* scene = NULL;
    bool ready = sn_scene_create(&def, NULL, &scene, NULL) == SN_RESULT_OK;
    free(defs);
    if (!ready) return false;
    pose_crowd(scene, 0, 3);
    for (uint32_t r = 0; r < rounds; r++) samples[r] = pose_crowd(scene, 3 + 2 * r, 2);
    sn_scene_destroy(scene);
    out->count = CROWD;
    out->workers = def.tasks.workers;
    out->crowd = bench_best_median(samples, rounds);
    return true;
}

bool flesh_measure_crowd(uint32_t rounds, uint32_t workers, FleshCrowd* out) {
    snModel* model = NULL;
    snPool* pool = NULL;
    bool ready = measure_walkers(rounds, out) && make_model(true, &model) == SN_RESULT_OK &&
                 measure_bytes(model, out) && sn_pool_create(workers, &pool) == SN_RESULT_OK &&
                 measure_scene(model, pool, rounds, out);
    sn_pool_destroy(pool);
    sn_model_destroy(model);
    return ready;
}
