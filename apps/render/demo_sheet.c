// The comparison sheet of `sinew demo`.
#include <stdio.h>

#include "canvas.h"
#include "demo.h"
#include "sheet.h"

#define CELL 460

#define COLUMNS CLI_DEMO_STAGES
// Cross-sections to each side of a joint, and metres from one to the next.
#define GIRTHS 8
#define GIRTH_STEP 0.01f

// Girth around the joint of a close-up: its cross-sections' least area, of the same at rest.
static cliExit least_girth(cliDemo* demo, const cliDemoScene* scene, snStage* stage, double* out) {
    const snPart* part = &demo->model->parts[0];
    const snBinding* binding = demo->model->binding;
    uint32_t joint = 0, named = sn_skeleton_find(demo->model->skeleton, scene->joint);
    while (binding->joints[joint] != named) joint++;
    snVec3 at = sn_mat4_translation(&binding->binds[joint]);
    snVec3 above = sn_mat4_translation(&binding->binds[binding->parents[joint]]);
    snVec3 along = sn_normalize_or(sn_sub(at, above), sn_vec3(0.0f, 1.0f, 0.0f));
    *out = 1.0;
    for (int i = -GIRTHS; i <= GIRTHS; i++) {
        snSection* section = NULL;
        snError error = sn_error_none();
        snVec3 point = sn_add(at, sn_scale(along, GIRTH_STEP * (float)i));
        if (sn_section_create(part->mesh, part->weld, point, along, &demo->context->memory, &section,
                              &error) != SN_RESULT_OK)
            return context_fail(demo->context, &error);
        double area = sn_section_area(section, part->mesh,
                                      sn_character_surface(sn_stage_character(stage), 0).positions) /
                      sn_section_area(section, part->mesh, NULL);
        if (area < *out) *out = area;
        sn_section_destroy(section);
    }
    return CLI_DONE;
}

static cliExit label_girth(cliDemo* demo, const cliDemoScene* scene, snStage* stage, snImage* cell) {
    double girth = 1.0;
    cliExit code = least_girth(demo, scene, stage, &girth);
    char text[64];
    snprintf(text, sizeof text, "least cross-section %.0f %%", 100.0 * girth);
    snTextStyle style = {15, 0.13f, {38, 41, 48, 255}, SN_ALIGN_LEFT};
    if (code == CLI_DONE) sn_canvas_text(cell, 22, CELL - 24, text, &style);
    return code;
}

static cliExit draw_row(cliDemo* demo, const cliDemoScene* scene, snImage** cells) {
    snShot frame = demo_frame(demo, scene, true, CELL, CELL);
    uint32_t clip = demo_clip(demo, scene);
    float time = scene->moment * demo->model->clips[clip]->duration;
    cliExit code = CLI_DONE;
    for (int i = 0; i < COLUMNS && code == CLI_DONE; i++) {
        snError error = sn_error_none();
        sn_stage_begin(demo->stages[i]);
        snResult result = sn_stage_draw(demo->stages[i], clip, time, &frame, &cells[i], &error);
        code = picture_end(demo->context, result, &error);
        if (code == CLI_DONE && scene->joint != NULL)
            code = label_girth(demo, scene, demo->stages[i], cells[i]);
    }
    return code;
}

cliExit demo_sheet(cliDemo* demo, const char* path) {
    snImage* cells[CLI_DEMO_SCENES * COLUMNS] = {NULL};
    const char* row_labels[CLI_DEMO_SCENES];
    cliExit code = CLI_DONE;
    for (uint32_t i = 0; i < CLI_DEMO_SCENES && code == CLI_DONE; i++) {
        context_progress(demo->context, "sheet", i, CLI_DEMO_SCENES);
        row_labels[i] = cli_demo_scenes[i].label;
        code = draw_row(demo, &cli_demo_scenes[i], &cells[i * COLUMNS]);
    }
    context_progress(demo->context, "sheet", 1, 1);
    snSheetDef def = sn_sheet_def();
    def.title = "Sinew: one body, four motions";
    def.subtitle = "the same weights and poses, deformed in six ways";
    def.columns = COLUMNS;
    def.rows = CLI_DEMO_SCENES;
    def.cells = (const snImage* const*)cells;
    def.column_labels = cli_demo_stage_labels;
    def.row_labels = row_labels;
    snImage* sheet = NULL;
    snError error = sn_error_none();
    if (code == CLI_DONE && (sn_sheet_create(&def, &demo->context->memory, &sheet, &error) != SN_RESULT_OK ||
                             sn_png_write(sheet, path, &error) != SN_RESULT_OK))
        code = context_fail(demo->context, &error);
    sn_image_destroy(sheet);
    for (uint32_t i = 0; i < CLI_DEMO_SCENES * COLUMNS; i++) sn_image_destroy(cells[i]);
    return code;
}
