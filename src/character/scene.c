// Many characters over the workers.
#include "base/error.h"
#include "base/memory.h"
#include "character/character.h"

struct snScene {
    uint32_t character_count;
    snCharacter** characters;
    snTasks tasks;
    uint32_t workspace_count;
    sniWorkspace* workspaces; // workers for each set of tables: set * workers + worker
    uint32_t* sets;           // character_count; which tables
    snAllocator allocator;
};

// The first character before `index` that can share its tables.
static uint32_t find_like(const snSceneDef* def, uint32_t index) {
    const snCharacterDef* own = &def->characters[index];
    for (uint32_t i = 0; i < index; i++) {
        const snCharacterDef* other = &def->characters[i];
        if (other->model == own->model && other->settings == own->settings && other->skin == own->skin &&
            other->like == own->like)
            return i;
    }
    return SN_NONE;
}

static uint32_t worker_count(const snTasks* tasks) { return tasks->workers > 0 ? tasks->workers : 1; }

static snResult create_characters(snScene* scene, const snSceneDef* def, uint32_t* sets, snError* error) {
    snResult result = SN_RESULT_OK;
    for (uint32_t i = 0; i < def->character_count && result == SN_RESULT_OK; i++) {
        snCharacterDef own = def->characters[i];
        own.tasks = (snTasks){0};
        uint32_t like = find_like(def, i);
        if (like != SN_NONE) own.like = scene->characters[like];
        scene->sets[i] = like != SN_NONE ? scene->sets[like] : (*sets)++;
        result = sni_character_create(&own, false, &scene->allocator, &scene->characters[i], error);
        if (result == SN_RESULT_OK) scene->character_count++;
    }
    return result;
}

static snResult create_workspaces(snScene* scene, uint32_t sets, snError* error) {
    uint32_t workers = worker_count(&scene->tasks);
    scene->workspaces = SNI_NEW_ARRAY(&scene->allocator, sniWorkspace, (size_t)sets * workers);
    if (scene->workspaces == NULL) return sni_fail_memory(error);
    for (uint32_t i = 0, set = 0; i < scene->character_count; i++) {
        if (scene->sets[i] != set) continue;
        for (uint32_t w = 0; w < workers; w++) {
            sniWorkspace* work = &scene->workspaces[scene->workspace_count];
            if (!sni_workspace_create(scene->characters[i]->tables, &scene->allocator, work)) {
                return sni_fail_memory(error);
            }
            scene->workspace_count++;
        }
        set++;
    }
    return SN_RESULT_OK;
}

// Lends a workspace for the time of a pose.
static snResult pose_character(snScene* scene, uint32_t index, uint32_t worker, const snSceneMove* move) {
    snCharacter* character = scene->characters[index];
    character->work = &scene->workspaces[scene->sets[index] * worker_count(&scene->tasks) + worker];
    character->last_result = move->locals != NULL
                                 ? sn_character_advance(character, move->locals, move->seconds)
                                 : sn_character_pose_clip(character, move->clip, move->time, move->wrap);
    character->work = NULL;
    return character->last_result;
}

snResult sn_scene_create(const snSceneDef* def, const snAllocator* allocator, snScene** out, snError* error) {
    if (def == NULL || out == NULL || (def->character_count > 0 && def->characters == NULL)) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "characters and an output are needed");
    }
    snAllocator memory = sni_allocator(allocator);
    snScene* scene = SNI_NEW(&memory, snScene);
    if (scene == NULL) return sni_fail_memory(error);
    scene->allocator = memory;
    scene->tasks = def->tasks;
    scene->characters = SNI_NEW_ARRAY(&memory, snCharacter*, def->character_count);
    scene->sets = SNI_NEW_ARRAY(&memory, uint32_t, def->character_count);
    uint32_t sets = 0;
    snResult result =
        scene->characters != NULL && scene->sets != NULL ? SN_RESULT_OK : sni_fail_memory(error);
    if (result == SN_RESULT_OK) result = create_characters(scene, def, &sets, error);
    if (result == SN_RESULT_OK) result = create_workspaces(scene, sets, error);
    snSceneMove rest = {.clip = SN_CLIP_REST};
    for (uint32_t i = 0; i < scene->character_count && result == SN_RESULT_OK; i++) {
        result = pose_character(scene, i, 0, &rest);
    }
    if (result != SN_RESULT_OK) {
        sn_scene_destroy(scene);
        return result;
    }
    *out = scene;
    return SN_RESULT_OK;
}

void sn_scene_destroy(snScene* scene) {
    if (scene == NULL) return;
    snAllocator memory = scene->allocator;
    // Those that share tables come after those that own them.
    for (uint32_t i = scene->character_count; i > 0; i--) sn_character_destroy(scene->characters[i - 1]);
    for (uint32_t i = 0; i < scene->workspace_count; i++) sni_workspace_destroy(&scene->workspaces[i]);
    sni_free(&memory, scene->workspaces);
    sni_free(&memory, scene->sets);
    sni_free(&memory, scene->characters);
    sni_free(&memory, scene);
}

snCharacter* sn_scene_character(snScene* scene, uint32_t index) {
    return index < scene->character_count ? scene->characters[index] : NULL;
}

typedef struct PoseTask {
    snScene* scene;
    const snSceneMove* moves;
} PoseTask;

static void pose_task(void* context, uint32_t begin, uint32_t end, uint32_t worker) {
    const PoseTask* task = context;
    for (uint32_t i = begin; i < end; i++) pose_character(task->scene, i, worker, &task->moves[i]);
}

snResult sn_scene_pose(snScene* scene, const snSceneMove* moves) {
    if (scene == NULL || moves == NULL) return SN_RESULT_INVALID_ARGUMENT;
    PoseTask task = {scene, moves};
    sn_tasks_run(&scene->tasks, pose_task, &task, scene->character_count, 1);
    for (uint32_t i = 0; i < scene->character_count; i++) {
        if (scene->characters[i]->last_result != SN_RESULT_OK) return scene->characters[i]->last_result;
    }
    return SN_RESULT_OK;
}
