// Moments of a clip side by side.
#include <stdio.h>

#include "base/error.h"
#include "base/progress.h"
#include "sheet.h"
#include "stage_state.h"

typedef struct Sheet {
    snImage* cells[SN_STAGE_MAX_MOMENTS];
    char labels[SN_STAGE_MAX_MOMENTS][24];
    const char* list[SN_STAGE_MAX_MOMENTS];
} Sheet;

static snResult draw_moments(snStage* stage, uint32_t clip, uint32_t moments, const snShot* scene,
                             const snProgress* progress, Sheet* sheet, snError* error) {
    float duration = stage->model->clips[clip]->duration;
    for (uint32_t i = 0; i < moments; i++) {
        float time = duration * (float)i / (float)moments;
        snprintf(sheet->labels[i], sizeof sheet->labels[i], "%.2f s", (double)time);
        sheet->list[i] = sheet->labels[i];
        SNI_TRY(sni_progress(progress, "drawing", (float)i / (float)moments, error));
        SNI_TRY(sn_stage_draw(stage, clip, time, scene, &sheet->cells[i], error));
    }
    return sni_progress(progress, "drawing", 1.0f, error);
}

snResult sn_stage_sheet(snStage* stage, uint32_t clip, uint32_t moments, const snShot* scene,
                        const snProgress* progress, snImage** out, snError* error) {
    const snProgress nobody = {0};
    if (moments == 0 || moments > SN_STAGE_MAX_MOMENTS || clip >= stage->model->clip_count)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a clip and 1 to %d moments of it are needed",
                        SN_STAGE_MAX_MOMENTS);
    Sheet sheet = {0};
    snResult result =
        draw_moments(stage, clip, moments, scene, progress != NULL ? progress : &nobody, &sheet, error);
    snSheetDef def = sn_sheet_def();
    def.title = stage->model->clips[clip]->name;
    def.columns = moments;
    def.rows = 1;
    def.cells = (const snImage* const*)sheet.cells;
    def.column_labels = sheet.list;
    if (result == SN_RESULT_OK) result = sn_sheet_create(&def, &stage->allocator, out, error);
    for (uint32_t i = 0; i < moments; i++) sn_image_destroy(sheet.cells[i]);
    return result;
}
