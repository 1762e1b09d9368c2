// What a picture can show instead of the plain surface: weights, moves, the lattice, its parts.
#include <stdio.h>

#include "base/error.h"
#include "base/memory.h"
#include "show.h"
#include "stage_state.h"

// Full scale of a doubt, in its limits.
#define DOUBT_SCALE 3.0f

void sn_stage_show_surface(snStage* stage) {
    const snAllocator* memory = &stage->allocator;
    for (uint32_t i = 0; i < stage->model->part_count; i++) {
        if (stage->heat != NULL) sni_free(memory, stage->heat[i]);
        if (stage->painted != NULL) sni_free(memory, stage->painted[i].colors);
        sn_stage_dress(stage, i);
    }
    sni_free(memory, stage->heat);
    sni_free(memory, stage->painted);
    sn_character_destroy(stage->plain);
    sn_stage_boxes_free(&stage->boxes);
    stage->heat = NULL;
    stage->painted = NULL;
    stage->plain = NULL;
    stage->heat_max = 0.0f;
}

// Back to the plain surface where showing something else failed.
static snResult finish(snStage* stage, snResult result) {
    if (result != SN_RESULT_OK) sn_stage_show_surface(stage);
    return result;
}

static snResult has_no_character(snError* error) {
    return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "this stage has surfaces, not a character");
}

static snResult has_no_lattice(const snStage* stage, snError* error) {
    sni_fail(error, SN_RESULT_NOT_FOUND, "the model has no lattice");
    if (error != NULL && stage->def.path != NULL)
        snprintf(error->file, sizeof error->file, "%s", stage->def.path);
    return SN_RESULT_NOT_FOUND;
}

static snResult create_heat(snStage* stage, snError* error) {
    const snModel* model = stage->model;
    stage->heat = SNI_NEW_ARRAY(&stage->allocator, float*, model->part_count);
    if (stage->heat == NULL) return sni_fail_memory(error);
    for (uint32_t i = 0; i < model->part_count; i++) {
        stage->heat[i] = SNI_NEW_ARRAY(&stage->allocator, float, model->parts[i].mesh->vertex_count);
        if (stage->heat[i] == NULL) return sni_fail_memory(error);
        stage->items[i].heat = stage->heat[i];
    }
    return SN_RESULT_OK;
}

// -------------------------------------------------------------------------------------------- one joint

snResult sn_stage_show_weights(snStage* stage, uint32_t joint, const char* name, snError* error) {
    const snModel* model = stage->model;
    sn_stage_show_surface(stage);
    if (joint >= model->skeleton->joint_count)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "joint %u of %u", joint,
                        model->skeleton->joint_count);
    SNI_TRY(finish(stage, create_heat(stage, error)));
    for (uint32_t i = 0; i < model->part_count; i++)
        sn_show_weights(model, &model->parts[i], joint, stage->heat[i]);
    snprintf(stage->heat_title, sizeof stage->heat_title, "weight of %s",
             name != NULL ? name : model->skeleton->names[joint]);
    return SN_RESULT_OK;
}

// ----------------------------------------------------------------------------------------------- moves

snResult sn_stage_show_moves(snStage* stage, snError* error) {
    sn_stage_show_surface(stage);
    if (stage->character == NULL) return has_no_character(error);
    const snSettings* settings = sn_character_settings(stage->character);
    if (!sn_show_has_moves(stage->model, settings)) return has_no_lattice(stage, error);
    SNI_TRY(finish(stage, sn_show_plain(stage->model, settings, &stage->def.tasks, stage->def.level,
                                        &stage->allocator, &stage->plain, error)));
    SNI_TRY(finish(stage, create_heat(stage, error)));
    snExtent rest = sn_extent_empty();
    if (stage->model->binding == NULL) sn_stage_reach(stage, SN_CLIP_REST, 0.0f, 0.0f, &rest);
    stage->heat_max = sn_show_moves_max(stage->model, sn_bounds_diagonal(rest.bounds));
    snprintf(stage->heat_title, sizeof stage->heat_title, "moved from the skin, mm");
    return SN_RESULT_OK;
}

void sn_stage_measure_moves(snStage* stage, uint32_t clip, float time) {
    sn_character_pose_clip(stage->plain, clip, time, stage->wrap);
    for (uint32_t p = 0; p < stage->model->part_count; p++)
        sn_show_moves(sn_character_surface(stage->character, p), sn_character_surface(stage->plain, p),
                      stage->heat[p]);
}

// ----------------------------------------------------------------------------------------------- doubt

snResult sn_stage_show_doubt(snStage* stage, const snBindDoubt* doubt, snError* error) {
    sn_stage_show_surface(stage);
    if (doubt->part_count != stage->model->part_count)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a doubt of %u parts, the model has %u",
                        doubt->part_count, stage->model->part_count);
    SNI_TRY(finish(stage, create_heat(stage, error)));
    float unit = doubt->limit > 0.0f ? 100.0f * SN_DOUBT_LIMIT / doubt->limit : 0.0f;
    for (uint32_t p = 0; p < doubt->part_count; p++)
        for (uint32_t v = 0; v < stage->model->parts[p].mesh->vertex_count; v++)
            stage->heat[p][v] = unit * doubt->moves[doubt->vertex_starts[p] + v];
    stage->heat_max = DOUBT_SCALE * 100.0f * SN_DOUBT_LIMIT;
    snprintf(stage->heat_title, sizeof stage->heat_title, "doubt, %% of the size");
    return SN_RESULT_OK;
}

// ------------------------------------------------------------------------------------------ all joints

static snResult paint_all(snStage* stage, snError* error) {
    const snModel* model = stage->model;
    stage->painted = SNI_NEW_ARRAY(&stage->allocator, snMesh, model->part_count);
    if (stage->painted == NULL) return sni_fail_memory(error);
    for (uint32_t i = 0; i < model->part_count; i++) {
        const snPart* part = &model->parts[i];
        snMesh* mesh = &stage->painted[i];
        *mesh = *part->mesh; // a view with other colors
        mesh->colors = SNI_NEW_ARRAY(&stage->allocator, snVec4, mesh->vertex_count);
        if (mesh->colors == NULL) return sni_fail_memory(error);
        sn_show_all_weights(model, part, mesh->colors);
        stage->items[i].mesh = mesh;
        stage->items[i].materials = NULL;
        stage->items[i].color = sn_vec3(1.0f, 1.0f, 1.0f);
    }
    return SN_RESULT_OK;
}

snResult sn_stage_show_all_weights(snStage* stage, snError* error) {
    sn_stage_show_surface(stage);
    return finish(stage, paint_all(stage, error));
}

// --------------------------------------------------------------------------------------------- lattice

static snResult show_boxes(snStage* stage, snStageBoxColor color, snError* error) {
    sn_stage_show_surface(stage);
    if (stage->character == NULL) return has_no_character(error);
    if (stage->model->binding == NULL) return has_no_lattice(stage, error);
    bool made = sn_stage_boxes_create(&stage->boxes, stage->model, color, &stage->allocator);
    return finish(stage, made ? SN_RESULT_OK : sni_fail_memory(error));
}

snResult sn_stage_show_lattice(snStage* stage, snError* error) {
    return show_boxes(stage, SN_STAGE_BOX_KIND, error);
}

snResult sn_stage_show_parts(snStage* stage, snError* error) {
    return show_boxes(stage, SN_STAGE_BOX_PART, error);
}
