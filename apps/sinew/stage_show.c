// What a picture can show instead of the plain surface: weights, the lattice, its parts.
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "deformation.h"
#include "stage.h"

// Full scale of the moves, in cells; without a lattice there are this many along the diagonal.
#define MOVES_SCALE 0.4f
#define MOVES_CELLS 64.0f

static cliExit out_of_memory(const cliStage* stage) {
    snError error = sn_error_none();
    error.code = SN_RESULT_OUT_OF_MEMORY;
    snprintf(error.text, sizeof error.text, "out of memory");
    return context_fail(stage->context, &error);
}

static cliExit create_heat(cliStage* stage) {
    const snModel* model = stage->model;
    stage->heat = SNI_NEW_ARRAY(&stage->context->memory, float*, model->part_count);
    if (stage->heat == NULL) return out_of_memory(stage);
    for (uint32_t i = 0; i < model->part_count; i++) {
        stage->heat[i] = SNI_NEW_ARRAY(&stage->context->memory, float, model->parts[i].mesh->vertex_count);
        if (stage->heat[i] == NULL) return out_of_memory(stage);
        stage->items[i].heat = stage->heat[i];
    }
    return CLI_DONE;
}

// -------------------------------------------------------------------------------------------- one joint

// A rigid part belongs wholly to the node that carries it.
static void fill_weights(const snModel* model, const snPart* part, uint32_t joint, float* out) {
    for (uint32_t v = 0; v < part->mesh->vertex_count; v++) {
        if (part->skin == SN_NONE) {
            out[v] = part->joint == joint ? 1.0f : 0.0f;
            continue;
        }
        const snSkin* skin = &model->skins[part->skin];
        for (uint32_t k = 0; k < part->weights.influences; k++) {
            size_t at = (size_t)v * part->weights.influences + k;
            if (skin->joints[part->weights.joints[at]] == joint) out[v] += part->weights.weights[at];
        }
    }
}

static cliExit show_weights(cliStage* stage, const char* joint) {
    const snModel* model = stage->model;
    uint32_t index = SN_NONE;
    cliExit code = context_find_joint(stage->context, model, "--show weights:", joint, &index);
    if (code == CLI_DONE) code = create_heat(stage);
    if (code != CLI_DONE) return code;
    for (uint32_t i = 0; i < model->part_count; i++)
        fill_weights(model, &model->parts[i], index, stage->heat[i]);
    snprintf(stage->heat_text, sizeof stage->heat_text, "weight of %s", joint);
    stage->heat_title = stage->heat_text;
    return CLI_DONE;
}

// ----------------------------------------------------------------------------------------------- moves

static float moves_cell(cliStage* stage) {
    if (stage->model->binding != NULL) return stage->model->binding->lattice->cell_size;
    snExtent rest = sn_extent_empty();
    stage_reach(stage, SN_NONE, 0.0f, 0.0f, &rest);
    return sn_bounds_diagonal(rest.bounds) / MOVES_CELLS;
}

static cliExit show_moves(cliStage* stage) {
    const snSettings* settings = sn_character_settings(stage->character);
    if (stage->model->binding == NULL && !sn_settings_keep_exactly(settings) &&
        !sn_settings_have_styles(settings)) {
        fprintf(stderr, "%s: the model has no lattice; sinew bind makes one\n",
                stage->context->arguments->operands[0]);
        return CLI_BAD_INPUT;
    }
    snSettings* alone = NULL;
    cliExit code = deformation_plain(stage->context, settings->skin, &alone);
    if (code != CLI_DONE) return code;
    alone->smoothing = settings->smoothing;
    snCharacterDef def = sn_character_def();
    def.model = stage->model;
    def.settings = alone;
    def.tasks = stage->context->tasks;
    alone->spline_stiffness = settings->spline_stiffness;
    alone->spline_samples = settings->spline_samples;
    snError error = sn_error_none();
    snResult result =
        sn_settings_set_spline_rules(alone, settings->spline_rules, settings->spline_rule_count, &error);
    if (result == SN_RESULT_OK)
        result = sn_character_create(&def, &stage->context->memory, &stage->plain, &error);
    sn_settings_destroy(alone);
    if (result != SN_RESULT_OK) return context_fail(stage->context, &error);
    stage->heat_max = MOVES_SCALE * 1e3f * moves_cell(stage);
    snprintf(stage->heat_text, sizeof stage->heat_text, "moved from the skin, mm");
    stage->heat_title = stage->heat_text;
    return create_heat(stage);
}

void stage_measure_moves(cliStage* stage, uint32_t clip, float time) {
    sn_character_pose_clip(stage->plain, clip, time, stage->wrap);
    for (uint32_t p = 0; p < stage->model->part_count; p++) {
        snSurface moved = sn_character_surface(stage->character, p),
                  skin = sn_character_surface(stage->plain, p);
        for (uint32_t v = 0; v < moved.vertex_count; v++)
            stage->heat[p][v] = 1e3f * sn_distance(moved.positions[v], skin.positions[v]);
    }
}

// ------------------------------------------------------------------------------------------ all joints

// Every joint has a colour; a vertex mixes those it follows.
static void paint(const snModel* model, const snPart* part, snVec4* out) {
    for (uint32_t v = 0; v < part->mesh->vertex_count; v++) {
        if (part->skin == SN_NONE) {
            out[v] = joint_color(part->joint);
            continue;
        }
        const snSkin* skin = &model->skins[part->skin];
        out[v] = (snVec4){0.0f, 0.0f, 0.0f, 1.0f};
        for (uint32_t k = 0; k < part->weights.influences; k++) {
            size_t at = (size_t)v * part->weights.influences + k;
            snVec4 color = joint_color(skin->joints[part->weights.joints[at]]);
            float weight = part->weights.weights[at];
            out[v].x += weight * color.x;
            out[v].y += weight * color.y;
            out[v].z += weight * color.z;
        }
    }
}

static cliExit show_all(cliStage* stage) {
    const snModel* model = stage->model;
    stage->painted = SNI_NEW_ARRAY(&stage->context->memory, snMesh, model->part_count);
    if (stage->painted == NULL) return out_of_memory(stage);
    for (uint32_t i = 0; i < model->part_count; i++) {
        const snPart* part = &model->parts[i];
        snMesh* mesh = &stage->painted[i];
        *mesh = *part->mesh; // a view with other colours
        mesh->colors = SNI_NEW_ARRAY(&stage->context->memory, snVec4, mesh->vertex_count);
        if (mesh->colors == NULL) return out_of_memory(stage);
        paint(model, part, mesh->colors);
        stage->items[i].mesh = mesh;
        stage->items[i].materials = NULL;
        stage->items[i].color = sn_vec3(1.0f, 1.0f, 1.0f);
    }
    return CLI_DONE;
}

// --------------------------------------------------------------------------------------------- lattice

static cliExit show_lattice(cliStage* stage, cliBoxColor color) {
    if (stage->model->binding == NULL) {
        fprintf(stderr, "%s: the model has no lattice; sinew bind makes one\n",
                stage->context->arguments->operands[0]);
        return CLI_BAD_INPUT;
    }
    return boxes_create(&stage->boxes, stage->model, color, &stage->context->memory) ? CLI_DONE
                                                                                     : out_of_memory(stage);
}

cliExit stage_show(cliStage* stage, const char* what) {
    if (what == NULL || strcmp(what, "surface") == 0) return CLI_DONE;
    if (strcmp(what, "weights:all") == 0) return show_all(stage);
    if (strncmp(what, "weights:", 8) == 0) return show_weights(stage, what + 8);
    if (strcmp(what, "moves") == 0) return show_moves(stage);
    if (strcmp(what, "lattice") == 0) return show_lattice(stage, CLI_BOX_KIND);
    if (strcmp(what, "parts") == 0) return show_lattice(stage, CLI_BOX_PART);
    return cli_usage(stage->context->arguments->verb,
                     "--show %s: surface, weights:JOINT, weights:all, moves, lattice or parts is expected",
                     what);
}
