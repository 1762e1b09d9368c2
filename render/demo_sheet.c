// The comparison sheet of the demo.
#include <stdio.h>

#include "base/error.h"
#include "base/progress.h"
#include "canvas.h"
#include "demo.h"
#include "sheet.h"

#define CELL 460

#define COLUMNS SN_DEMO_STAGES
// Cross-sections to each side of a joint, and metres from one to the next.
#define GIRTHS 8
#define GIRTH_STEP 0.01f

// Girth around the joint of a close-up: its cross-sections' least area, of the same at rest.
static snResult least_girth(snDemo* demo, const snDemoScene* scene, snStage* stage, double* out,
                            snError* error) {
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
        snVec3 point = sn_add(at, sn_scale(along, GIRTH_STEP * (float)i));
        SNI_TRY(sn_section_create(part->mesh, part->weld, point, along, &demo->allocator, &section, error));
        double area = sn_section_area(section, part->mesh,
                                      sn_character_surface(sn_stage_character(stage), 0).positions) /
                      sn_section_area(section, part->mesh, NULL);
        if (area < *out) *out = area;
        sn_section_destroy(section);
    }
    return SN_RESULT_OK;
}

static snResult label_girth(snDemo* demo, const snDemoScene* scene, snStage* stage, snImage* cell,
                            snError* error) {
    double girth = 1.0;
    SNI_TRY(least_girth(demo, scene, stage, &girth, error));
    char text[64];
    snprintf(text, sizeof text, "least cross-section %.0f %%", 100.0 * girth);
    snTextStyle style = {15, 0.13f, {38, 41, 48, 255}, SN_ALIGN_LEFT};
    sn_canvas_text(cell, 22, CELL - 24, text, &style);
    return SN_RESULT_OK;
}

static snResult draw_row(snDemo* demo, const snDemoScene* scene, snImage** cells, snError* error) {
    snShot frame = sn_demo_frame(demo, scene, true, CELL, CELL);
    uint32_t clip = sn_demo_clip(demo, scene);
    float time = scene->moment * demo->model->clips[clip]->duration;
    for (int i = 0; i < COLUMNS; i++) {
        sn_stage_begin(demo->stages[i]);
        SNI_TRY(sn_stage_draw(demo->stages[i], clip, time, &frame, &cells[i], error));
        if (scene->joint != NULL) SNI_TRY(label_girth(demo, scene, demo->stages[i], cells[i], error));
    }
    return SN_RESULT_OK;
}

static snResult draw_cells(snDemo* demo, const snProgress* progress, snImage** cells, snError* error) {
    for (uint32_t i = 0; i < SN_DEMO_SCENES; i++) {
        SNI_TRY(sni_progress(progress, "sheet", (float)i / (float)SN_DEMO_SCENES, error));
        SNI_TRY(draw_row(demo, &sn_demo_scenes[i], &cells[i * COLUMNS], error));
    }
    return sni_progress(progress, "sheet", 1.0f, error);
}

snResult sn_demo_sheet(snDemo* demo, const snProgress* progress, snImage** out, snError* error) {
    const snProgress nobody = {0};
    snImage* cells[SN_DEMO_SCENES * COLUMNS] = {NULL};
    const char* row_labels[SN_DEMO_SCENES];
    for (uint32_t i = 0; i < SN_DEMO_SCENES; i++) row_labels[i] = sn_demo_scenes[i].label;
    snResult result = draw_cells(demo, progress != NULL ? progress : &nobody, cells, error);
    snSheetDef def = sn_sheet_def();
    def.title = "Sinew: one body, four motions";
    def.subtitle = "the same weights and poses, deformed in six ways";
    def.columns = COLUMNS;
    def.rows = SN_DEMO_SCENES;
    def.cells = (const snImage* const*)cells;
    def.column_labels = sn_demo_stage_labels;
    def.row_labels = row_labels;
    if (result == SN_RESULT_OK) result = sn_sheet_create(&def, &demo->allocator, out, error);
    for (uint32_t i = 0; i < SN_DEMO_SCENES * COLUMNS; i++) sn_image_destroy(cells[i]);
    return result;
}
