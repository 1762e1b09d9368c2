// The comparison sheet of `sinew demo`.
#include "demo.h"
#include "sheet.h"

#define CELL 460

#define COLUMNS CLI_DEMO_STAGES

static cliExit draw_row(cliDemo* demo, const cliDemoScene* scene, snImage** cells) {
    snScene frame = demo_frame(demo, scene, true, CELL, CELL);
    uint32_t clip = demo_clip(demo, scene);
    float time = scene->moment * demo->model->clips[clip]->duration;
    cliExit code = CLI_DONE;
    for (int i = 0; i < COLUMNS && code == CLI_DONE; i++) {
        demo->stages[i].moving = false;
        code = stage_draw(&demo->stages[i], clip, time, &frame, &cells[i]);
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
    def.subtitle = "the same weights and poses, deformed in five ways";
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
