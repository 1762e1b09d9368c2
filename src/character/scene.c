// Many characters over the workers.
#include "base/error.h"
#include "base/memory.h"
#include "character/character.h"
#include "flesh/together.h"

// Characters of one model and settings that are posed side by side, so that their flesh can step together.
typedef struct Group {
    uint32_t set;
    uint32_t first, count; // of the scene's order
} Group;

struct snScene {
    uint32_t character_count;
    snCharacter** characters;
    snTasks tasks;
    uint32_t* sets;  // character_count; which tables
    uint32_t* order; // character_count; group by group
    uint32_t group_count;
    Group* groups;
    uint32_t set_count;
    uint32_t* lanes; // set_count; characters in a group, at most
    uint32_t workspace_count;
    sniWorkspace* workspaces; // workers for each set; all of a group work in one, which stays in the caches
    void** together;          // the same: goals that were found together, or NULL
    snAllocator allocator;
};

// The first character before `index` that can share its tables, and whose flesh can step with its own.
static uint32_t find_like(const snSceneDef* def, uint32_t index) {
    const snCharacterDef* own = &def->characters[index];
    for (uint32_t i = 0; i < index; i++) {
        const snCharacterDef* other = &def->characters[i];
        if (other->model == own->model && other->settings == own->settings && other->skin == own->skin &&
            other->like == own->like && other->level == own->level)
            return i;
    }
    return SN_NONE;
}

static uint32_t worker_count(const snTasks* tasks) { return tasks->workers > 0 ? tasks->workers : 1; }

static snResult create_characters(snScene* scene, const snSceneDef* def, snError* error) {
    snResult result = SN_RESULT_OK;
    for (uint32_t i = 0; i < def->character_count && result == SN_RESULT_OK; i++) {
        snCharacterDef own = def->characters[i];
        own.tasks = (snTasks){0};
        uint32_t like = find_like(def, i);
        if (like != SN_NONE) own.like = scene->characters[like];
        scene->sets[i] = like != SN_NONE ? scene->sets[like] : scene->set_count++;
        result = sni_character_create(&own, false, &scene->allocator, &scene->characters[i], error);
        if (result == SN_RESULT_OK) scene->character_count++;
    }
    return result;
}

// More surface than this, in bytes, has left the caches of a core when its turn comes again. Measured: on a
// core with 1 MB in its second cache, fetching ahead cost time up to 2.7 MB and saved it from 5.4 on.
#define WARM (4u << 20)

static void mark_cold(snScene* scene) {
    size_t bytes = 0;
    for (uint32_t i = 0; i < scene->character_count; i++) {
        const sniTables* tables = scene->characters[i]->tables;
        for (uint32_t p = 0; p < tables->part_count; p++)
            bytes += 2 * sizeof(snVec3) * (size_t)tables->model->parts[p].mesh->vertex_count;
    }
    for (uint32_t i = 0; i < scene->character_count; i++) scene->characters[i]->cold = bytes > WARM;
}

static snCharacter* first_of_set(const snScene* scene, uint32_t set) {
    uint32_t i = 0;
    while (scene->sets[i] != set) i++;
    return scene->characters[i];
}

// How many characters with the tables of this one find their goals at once.
static uint32_t lanes_of(const snCharacter* character) {
    const snSettings* s = character->tables->settings;
    bool together = character->state != NULL && sni_flesh_goes_together(s->rest, s->region_damping);
    return together ? sni_flesh_lanes(character->def.level) : 1;
}

// Groups of every set, as large as the instruction set of its first character has lanes.
static snResult create_groups(snScene* scene, snError* error) {
    scene->lanes = SNI_NEW_ARRAY(&scene->allocator, uint32_t, scene->set_count);
    scene->groups = SNI_NEW_ARRAY(&scene->allocator, Group, scene->character_count);
    if (scene->lanes == NULL || scene->groups == NULL) return sni_fail_memory(error);
    uint32_t placed = 0;
    for (uint32_t set = 0; set < scene->set_count; set++) {
        uint32_t lanes = lanes_of(first_of_set(scene, set)), begin = placed;
        for (uint32_t i = 0; i < scene->character_count; i++)
            if (scene->sets[i] == set) scene->order[placed++] = i;
        // Every worker has something to do.
        uint32_t most = (placed - begin + worker_count(&scene->tasks) - 1) / worker_count(&scene->tasks);
        if (lanes > most) lanes = most;
        scene->lanes[set] = lanes;
        for (uint32_t i = begin; i < placed; i += lanes)
            scene->groups[scene->group_count++] = (Group){set, i, placed - i < lanes ? placed - i : lanes};
    }
    return SN_RESULT_OK;
}

static snResult create_workspaces(snScene* scene, snError* error) {
    uint32_t workers = worker_count(&scene->tasks);
    size_t count = (size_t)scene->set_count * workers;
    scene->workspaces = SNI_NEW_ARRAY(&scene->allocator, sniWorkspace, count);
    scene->together = SNI_NEW_ARRAY(&scene->allocator, void*, count);
    if (scene->workspaces == NULL || scene->together == NULL) return sni_fail_memory(error);
    for (size_t i = 0; i < count; i++) {
        uint32_t set = (uint32_t)(i / workers);
        const snCharacter* first = first_of_set(scene, set);
        if (!sni_workspace_create(first->tables, &scene->allocator, &scene->workspaces[i]))
            return sni_fail_memory(error);
        scene->workspace_count++;
        if (scene->lanes[set] == 1) continue;
        size_t bytes = sni_together_scratch_size(first->tables->flesh, first->def.level);
        scene->together[i] = sni_alloc_array(&scene->allocator, bytes, 1);
        if (scene->together[i] == NULL) return sni_fail_memory(error);
    }
    return SN_RESULT_OK;
}

// --------------------------------------------------------------------------------------------------- poses

static snResult pose_alone(snCharacter* character, const snSceneMove* move) {
    return move->locals != NULL ? sn_character_advance(character, move->locals, move->seconds)
                                : sn_character_pose_clip(character, move->clip, move->time, move->wrap);
}

static bool walks(const snCharacter* character, const snSceneMove* move) {
    return move->locals == NULL && move->clip != SN_CLIP_REST && character->state != NULL;
}

// Takes every walk a step further, and shows those that are through. Returns how many are left.
static uint32_t walk_on(sniWalk* walking, uint32_t count, void* scratch) {
    snFleshJob jobs[SNI_MOST_TOGETHER];
    uint32_t stepping = 0, left = 0, index = 0;
    for (uint32_t i = 0; i < count; i++)
        if (sni_walk_steps(&walking[i])) jobs[stepping++] = sni_walk_job(&walking[i]);
    // All lanes cost as much as one: worth it from about a quarter of them on.
    bool together = stepping > 1 && 4 * stepping > sni_flesh_lanes(jobs[0].level) &&
                    sni_flesh_aim_together(jobs, stepping, scratch) == SN_RESULT_OK;
    for (uint32_t i = 0; i < count; i++) {
        sniWalk* walk = &walking[i];
        snCharacter* character = walk->character;
        if (sni_walk_steps(walk))
            character->last_result = sni_walk_step(walk, index++, together ? scratch : NULL);
        if (character->last_result != SN_RESULT_OK) continue;
        if (sni_walk_steps(walk))
            walking[left++] = *walk;
        else
            character->last_result = sni_walk_end(walk);
    }
    return left;
}

static void pose_group(snScene* scene, const Group* group, uint32_t worker, const snSceneMove* moves) {
    sniWalk walking[SNI_MOST_TOGETHER];
    uint32_t count = 0;
    size_t place = (size_t)group->set * worker_count(&scene->tasks) + worker;
    for (uint32_t lane = 0; lane < group->count; lane++) {
        uint32_t index = scene->order[group->first + lane];
        snCharacter* character = scene->characters[index];
        const snSceneMove* move = &moves[index];
        character->work = &scene->workspaces[place];
        if (group->count == 1 || !walks(character, move)) {
            character->last_result = pose_alone(character, move);
            continue;
        }
        walking[count] = (sniWalk){character, 0.0, move->clip, move->time, move->wrap, false};
        character->last_result = sni_walk_begin(&walking[count]);
        if (character->last_result == SN_RESULT_OK) count++;
    }
    while (count > 0) count = walk_on(walking, count, scene->together[place]);
    for (uint32_t lane = 0; lane < group->count; lane++)
        scene->characters[scene->order[group->first + lane]]->work = NULL;
}

static snResult pose_at_rest(snScene* scene) {
    snSceneMove rest = {.clip = SN_CLIP_REST};
    for (uint32_t i = 0; i < scene->character_count; i++) {
        snCharacter* character = scene->characters[i];
        character->work = &scene->workspaces[(size_t)scene->sets[i] * worker_count(&scene->tasks)];
        character->last_result = pose_alone(character, &rest);
        character->work = NULL;
        if (character->last_result != SN_RESULT_OK) return character->last_result;
    }
    return SN_RESULT_OK;
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
    scene->order = SNI_NEW_ARRAY(&memory, uint32_t, def->character_count);
    bool ready = scene->characters != NULL && scene->sets != NULL && scene->order != NULL;
    snResult result = ready ? SN_RESULT_OK : sni_fail_memory(error);
    if (result == SN_RESULT_OK) result = create_characters(scene, def, error);
    if (result == SN_RESULT_OK) mark_cold(scene);
    if (result == SN_RESULT_OK) result = create_groups(scene, error);
    if (result == SN_RESULT_OK) result = create_workspaces(scene, error);
    if (result == SN_RESULT_OK) result = pose_at_rest(scene);
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
    for (size_t i = 0; scene->together != NULL && i < (size_t)scene->set_count * worker_count(&scene->tasks);
         i++)
        sni_free(&memory, scene->together[i]);
    sni_free(&memory, scene->together);
    sni_free(&memory, scene->workspaces);
    sni_free(&memory, scene->groups);
    sni_free(&memory, scene->lanes);
    sni_free(&memory, scene->order);
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
    for (uint32_t i = begin; i < end; i++)
        pose_group(task->scene, &task->scene->groups[i], worker, task->moves);
}

snResult sn_scene_pose(snScene* scene, const snSceneMove* moves) {
    if (scene == NULL || moves == NULL) return SN_RESULT_INVALID_ARGUMENT;
    PoseTask task = {scene, moves};
    sn_tasks_run(&scene->tasks, pose_task, &task, scene->group_count, 1);
    for (uint32_t i = 0; i < scene->character_count; i++) {
        if (scene->characters[i]->last_result != SN_RESULT_OK) return scene->characters[i]->last_result;
    }
    return SN_RESULT_OK;
}
