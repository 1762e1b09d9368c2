#include "stage.h"

#include "base/error.h"
#include "base/memory.h"
#include "ground.h"
#include "show.h"
#include "stage_state.h"

snStageDef sn_stage_def(void) { return (snStageDef){0}; }

// ------------------------------------------------------------------------------------------------- making

// What is too large for the GPU to hang is drawn by positions like all else.
static snResult or_by_positions(snResult result, snError* error) {
    if (result != SN_RESULT_UNSUPPORTED) return result;
    if (error != NULL) *error = sn_error_none();
    return SN_RESULT_OK;
}

// Lets the GPU hang a part in the lattice, where its skin is the lattice's.
static snResult hang(snStage* stage, uint32_t part, snError* error) {
    snStageHung* hung = &stage->hung[part];
    const snAllocator* memory = &stage->allocator;
    const snMesh* mesh = stage->model->parts[part].mesh;
    hung->points = SNI_NEW_ARRAY(memory, uint32_t, mesh->vertex_count);
    hung->normals = SNI_NEW_ARRAY(memory, snVec3, mesh->vertex_count);
    if (hung->points == NULL || hung->normals == NULL) return sni_fail_memory(error);
    if (!sn_character_embedding(stage->character, part, hung->points, hung->normals)) return SN_RESULT_OK;
    snShotLatticeDef def = {mesh, stage->model->binding->lattice, hung->points, hung->normals};
    snResult result = sn_shot_lattice_create(stage->def.renderer, &def, memory, &hung->lattice, error);
    return or_by_positions(result, error);
}

// The same for splines.
static snResult hang_on_splines(snStage* stage, uint32_t part, snError* error) {
    snShotSplineDef def = {stage->model->parts[part].mesh, sn_character_splines(stage->character),
                           sn_character_spline_skin(stage->character, part)};
    if (def.skin == NULL) return SN_RESULT_OK;
    snResult result = sn_shot_spline_create(stage->def.renderer, &def, &stage->allocator,
                                            &stage->hung[part].splines, error);
    return or_by_positions(result, error);
}

static snSurface surface_of(const snStage* stage, uint32_t part) {
    return stage->character != NULL ? sn_character_surface(stage->character, part)
                                    : stage->def.surfaces[part];
}

void sn_stage_dress(snStage* stage, uint32_t part) {
    bool one_sided = stage->items[part].one_sided;
    stage->items[part] = sn_shot_item(stage->model->parts[part].mesh);
    stage->items[part].materials = stage->model->materials;
    stage->items[part].group_materials = stage->model->parts[part].group_materials;
    stage->items[part].one_sided = one_sided;
}

static snResult make_items(snStage* stage, snError* error) {
    const snModel* model = stage->model;
    const snAllocator* memory = &stage->allocator;
    stage->items = SNI_NEW_ARRAY(memory, snShotItem, (size_t)model->part_count + 1);
    stage->hung = SNI_NEW_ARRAY(memory, snStageHung, model->part_count);
    if (stage->items == NULL || stage->hung == NULL) return sni_fail_memory(error);
    for (uint32_t i = 0; i < model->part_count; i++) {
        if (stage->character != NULL) {
            SNI_TRY(hang(stage, i, error));
            SNI_TRY(hang_on_splines(stage, i, error));
        }
        SNI_TRY(sn_part_is_solid(&model->parts[i], surface_of(stage, i), memory, &stage->items[i].one_sided,
                                 error));
        sn_stage_dress(stage, i);
    }
    return SN_RESULT_OK;
}

static snResult make_character(snStage* stage, const snSettings* settings, snError* error) {
    snCharacterDef def = sn_character_def();
    def.model = stage->model;
    def.settings = settings;
    def.tasks = stage->def.tasks;
    def.level = stage->def.level;
    SNI_TRY(sn_character_create(&def, &stage->allocator, &stage->character, error));
    sn_character_pose_clip(stage->character, SN_CLIP_REST, 0, SN_WRAP_CLAMP);
    return SN_RESULT_OK;
}

snResult sn_stage_create(const snStageDef* def, const snAllocator* allocator, snStage** out, snError* error) {
    if (def->renderer == NULL || def->model == NULL)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a renderer and a model are needed");
    if (def->surfaces != NULL && def->settings != NULL)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "surfaces of the caller have no settings");
    snAllocator memory = sni_allocator(allocator);
    snStage* stage = SNI_NEW(&memory, snStage);
    if (stage == NULL) return sni_fail_memory(error);
    *stage = (snStage){.def = *def, .model = def->model, .wrap = SN_WRAP_CLAMP, .allocator = memory};
    sn_stage_way_clear(stage);
    stage->def.settings = NULL;
    snResult result = def->surfaces == NULL ? make_character(stage, def->settings, error) : SN_RESULT_OK;
    if (result == SN_RESULT_OK) result = make_items(stage, error);
    if (result == SN_RESULT_OK)
        *out = stage;
    else
        sn_stage_destroy(stage);
    return result;
}

void sn_stage_destroy(snStage* stage) {
    if (stage == NULL) return;
    snAllocator memory = stage->allocator;
    if (stage->items != NULL) sn_stage_show_surface(stage);
    for (uint32_t i = 0; stage->hung != NULL && i < stage->model->part_count; i++) {
        snStageHung* hung = &stage->hung[i];
        if (hung->lattice != NULL) sn_shot_lattice_destroy(stage->def.renderer, hung->lattice);
        if (hung->splines != NULL) sn_shot_spline_destroy(stage->def.renderer, hung->splines);
        sni_free(&memory, hung->points);
        sni_free(&memory, hung->normals);
    }
    sni_free(&memory, stage->hung);
    sni_free(&memory, stage->items);
    sn_mesh_destroy(stage->ground);
    sn_stage_way_clear(stage);
    sn_character_destroy(stage->character);
    sni_free(&memory, stage);
}

snCharacter* sn_stage_character(snStage* stage) { return stage->character; }

void sn_stage_set_wrap(snStage* stage, snWrap wrap) { stage->wrap = wrap; }

void sn_stage_begin(snStage* stage) { stage->moving = false; }

snResult sn_stage_set_ground(snStage* stage, const snTerrain* terrain, snBounds bounds, snError* error) {
    snMesh* ground = NULL;
    if (terrain != NULL) SNI_TRY(sn_ground_create(terrain, bounds, &stage->allocator, &ground, error));
    sn_mesh_destroy(stage->ground);
    stage->ground = ground;
    return SN_RESULT_OK;
}

// ------------------------------------------------------------------------------------------------ drawing

// A moment that the flesh has come to from the clip's start.
static snResult pose_moving(snStage* stage, uint32_t clip, float time) {
    if (clip != SN_CLIP_REST && !stage->moving) {
        float step = sn_character_settings(stage->character)->step;
        float most = step * (float)sn_character_settings(stage->character)->max_steps;
        sn_character_pose_clip(stage->character, clip, sn_maxf(0.0f, time - most), stage->wrap);
    }
    stage->moving = clip != SN_CLIP_REST;
    return sn_character_pose_clip(stage->character, clip, time, stage->wrap);
}

static snShotItem ground_item(const snMesh* ground) {
    snShotItem item = sn_shot_item(ground);
    item.color = sn_vec3(1.0f, 1.0f, 1.0f); // the squares have their own
    item.positions = ground->positions;
    item.normals = ground->normals;
    return item;
}

static snResult shoot(snStage* stage, const snShot* scene, snImage** out, snError* error) {
    snShot filled = *scene;
    bool boxed = stage->boxes.model != NULL;
    snShotItem boxes = sn_shot_item(&stage->boxes.mesh);
    boxes.color = sn_vec3(1.0f, 1.0f, 1.0f); // the cells have their own
    filled.items = boxed ? &boxes : stage->items;
    filled.item_count = boxed ? 1 : stage->model->part_count;
    if (stage->ground != NULL && !boxed) {
        stage->items[filled.item_count++] = ground_item(stage->ground);
        filled.ground = false;
    }
    if (stage->heat != NULL) filled.heat_title = stage->heat_title;
    if (stage->heat_max > 0.0f) filled.heat_max = stage->heat_max;
    snResult result = sn_renderer_draw(stage->def.renderer, &filled, &stage->allocator, out, error);
    if (result == SN_RESULT_BAD_DATA && error != NULL && stage->def.path != NULL)
        snprintf(error->file, sizeof error->file, "%s", stage->def.path);
    return result;
}

snResult sn_stage_draw_surfaces(snStage* stage, const snShot* scene, snImage** out, snError* error) {
    if (stage->character != NULL)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "this stage has a character, not surfaces");
    for (uint32_t i = 0; i < stage->model->part_count; i++) {
        stage->items[i].positions = stage->def.surfaces[i].positions;
        stage->items[i].normals = stage->def.surfaces[i].normals;
    }
    return shoot(stage, scene, out, error);
}

snShot sn_stage_moved_scene(const snStage* stage, uint32_t clip, float time, const snShot* scene) {
    snShot moved = *scene;
    snVec3 by = sn_stage_way_at(stage, clip, time);
    if (stage->way.focus != SN_NONE && clip == stage->way.clip) {
        const snMat4* joint = &sn_character_world(stage->character)[stage->way.focus];
        by = sn_sub(sn_mat4_translation(joint), stage->way.place);
    }
    moved.camera.eye = sn_add(moved.camera.eye, by);
    if (stage->way.carries) {
        moved.bounds.min = sn_add(moved.bounds.min, by);
        moved.bounds.max = sn_add(moved.bounds.max, by);
    }
    return moved;
}

snResult sn_stage_draw(snStage* stage, uint32_t clip, float time, const snShot* scene, snImage** out,
                       snError* error) {
    snCharacter* character = stage->character;
    if (character == NULL)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "this stage has surfaces, not a character");
    snResult result = pose_moving(stage, clip, time);
    if (result != SN_RESULT_OK) return sni_fail(error, result, "posing failed: %s", sn_result_name(result));
    if (stage->boxes.model != NULL)
        sn_stage_boxes_pose(&stage->boxes, sn_character_world(character), sn_character_particles(character));
    for (uint32_t i = 0; i < stage->model->part_count && stage->boxes.model == NULL; i++) {
        snShotItem* item = &stage->items[i];
        snSurface surface = sn_character_surface(character, i);
        item->positions = surface.positions;
        item->normals = surface.normals;
        item->lattice = stage->painted == NULL ? stage->hung[i].lattice : NULL;
        item->particles = sn_character_particles(character);
        item->splines = stage->painted == NULL ? stage->hung[i].splines : NULL;
        item->spline_matrices = sn_character_spline_matrices(character);
        item->spline_poses = sn_character_spline_poses(character);
    }
    if (stage->plain != NULL) sn_stage_measure_moves(stage, clip, time);
    snShot moved = sn_stage_moved_scene(stage, clip, time, scene);
    return shoot(stage, &moved, out, error);
}
