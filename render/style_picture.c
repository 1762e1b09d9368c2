// A style as an artist judges it: the test tube bent and twisted, with what was drawn beside it.
#include "style_picture.h"

#include <stdio.h>

#include "base/error.h"
#include "base/progress.h"
#include "canvas.h"
#include "film.h"
#include "sheet.h"
#include "style_tube.h"

#define CELL 360u
#define COLUMNS 5u
#define ROWS 3u

#define SIDE_VIEW "14,8"
#define INSIDE_VIEW "60,5"

static void label(snImage* image, const char* text) {
    snTextStyle style = {13, 0.13f, {38, 41, 48, 255}, SN_ALIGN_LEFT};
    sn_canvas_text(image, 16, (float)image->height - 16, text, &style);
}

static snResult labelled(snStyleTube* tube, snTubeMove move, float degrees, const snShot* scene,
                         snImage** out, snError* error) {
    char text[48];
    float shown = move == SN_TUBE_BOTH ? 0.5f * degrees : degrees;
    snprintf(text, sizeof text,
             move == SN_TUBE_BOTH    ? "bend and twist %.0f\xC2\xB0"
             : move == SN_TUBE_TWIST ? "twist %.0f\xC2\xB0"
                                     : "bend %.0f\xC2\xB0",
             (double)shown);
    SNI_TRY(sn_style_tube_draw(tube, move, degrees, scene, out, error));
    label(*out, text);
    return SN_RESULT_OK;
}

snResult sn_style_thumbnail(const snStylePictureDef* def, const snAllocator* allocator, snImage** out,
                            snError* error) {
    snStyleTube tube;
    snImage* image = NULL;
    SNI_TRY(sni_progress(&def->progress, "drawing", 0.0f, error));
    snResult result = sn_style_tube_open(&tube, def, allocator, error);
    if (result == SN_RESULT_OK) {
        snShot scene = sn_style_tube_scene(&tube, SN_TUBE_BEND, SIDE_VIEW, SN_STYLE_THUMBNAIL);
        result = sn_style_tube_draw(&tube, SN_TUBE_BEND, 90.0f, &scene, &image, error);
    }
    if (result == SN_RESULT_OK) result = sni_progress(&def->progress, "drawing", 1.0f, error);
    sn_style_tube_close(&tube);
    if (result == SN_RESULT_OK)
        *out = image;
    else
        sn_image_destroy(image);
    return result;
}

// ---------------------------------------------------------------------------------------------------- sheet

// One view of one row, and how far each of its cells goes, degrees.
typedef struct Row {
    const char* label;
    snTubeMove moves[COLUMNS - 1];
    float degrees[COLUMNS - 1];
    const char* view;
} Row;
#define BEND SN_TUBE_BEND
#define TWIST SN_TUBE_TWIST
static const Row rows[ROWS] = {
    {"from the side", {BEND, BEND, BEND, BEND}, {0, 45, 90, 135}, SIDE_VIEW},
    {"from inside", {BEND, BEND, BEND, BEND}, {0, 45, 90, 135}, INSIDE_VIEW},
    {"twisted", {TWIST, TWIST, TWIST, SN_TUBE_BOTH}, {60, 120, 180, 180}, SIDE_VIEW},
};
#undef BEND
#undef TWIST

static snResult draw_row(snStyleTube* tube, const Row* row, snImage** cells, snError* error) {
    snShot scene = sn_style_tube_scene(tube, row->moves[0], row->view, CELL);
    for (uint32_t c = 0; c + 1 < COLUMNS; c++)
        SNI_TRY(labelled(tube, row->moves[c], row->degrees[c], &scene, &cells[c], error));
    return SN_RESULT_OK;
}

static snResult draw_cells(const snStylePictureDef* def, const snAllocator* memory, snImage** cells,
                           snError* error) {
    snStyleTube tube;
    snResult result = sn_style_tube_open(&tube, def, memory, error);
    float reach = sn_style_reach(def->style);
    for (uint32_t r = 0; r < ROWS && result == SN_RESULT_OK; r++) {
        result = sni_progress(&def->progress, "drawing", (float)r / (float)ROWS, error);
        if (result == SN_RESULT_OK) result = draw_row(&tube, &rows[r], &cells[r * COLUMNS], error);
        if (result == SN_RESULT_OK)
            result =
                sn_style_panel(def->style, r, reach, CELL, memory, &cells[r * COLUMNS + COLUMNS - 1], error);
    }
    if (result == SN_RESULT_OK) result = sni_progress(&def->progress, "drawing", 1.0f, error);
    sn_style_tube_close(&tube);
    return result;
}

static snResult join_cells(const snStyle* style, snImage** cells, const snAllocator* memory, snImage** out,
                           snError* error) {
    char subtitle[384];
    const double degrees = 180.0 / (double)SN_PI;
    snprintf(
        subtitle, sizeof subtitle,
        "%.110s%sfull effect at %.4g\xC2\xB0 of bend and %.4g\xC2\xB0 of twist, strength %.3g, hollow %.3g, "
        "fade %.3g, %s",
        style->description, style->description[0] != '\0' ? ". In numbers: " : "",
        (double)style->bend_angle * degrees, (double)style->twist_angle * degrees, (double)style->strength,
        (double)style->hollow, (double)style->fade,
        style->sides == SN_STYLE_AROUND ? "all around" : "mirrored");
    const char* labels[ROWS];
    for (uint32_t r = 0; r < ROWS; r++) labels[r] = rows[r].label;
    snSheetDef def = sn_sheet_def();
    def.title = style->name;
    def.subtitle = subtitle;
    def.columns = COLUMNS;
    def.rows = ROWS;
    def.cells = (const snImage* const*)cells;
    def.row_labels = labels;
    return sn_sheet_create(&def, memory, out, error);
}

snResult sn_style_sheet(const snStylePictureDef* def, const snAllocator* allocator, snImage** out,
                        snError* error) {
    snImage* cells[COLUMNS * ROWS] = {NULL};
    snResult result = draw_cells(def, allocator, cells, error);
    if (result == SN_RESULT_OK) result = join_cells(def->style, cells, allocator, out, error);
    for (uint32_t i = 0; i < COLUMNS * ROWS; i++) sn_image_destroy(cells[i]);
    return result;
}

// ----------------------------------------------------------------------------------------------------- film

#define PANES 3u
#define FPS 20.0f
#define FRAMES 48u

// The same loop seen three times: bent from two sides, and twisted.
static const struct {
    snTubeMove move;
    float degrees;
    const char* view;
} panes[PANES] = {{SN_TUBE_BEND, 135.0f, SIDE_VIEW},
                  {SN_TUBE_BEND, 135.0f, INSIDE_VIEW},
                  {SN_TUBE_TWIST, 180.0f, SIDE_VIEW}};

typedef struct Filming {
    snStyleTube tube;
    snShot scenes[PANES];
    const snAllocator* memory;
} Filming;

static snResult draw_panes(Filming* filming, float share, snImage* image, snError* error) {
    for (uint32_t i = 0; i < PANES; i++) {
        snImage* pane = NULL;
        SNI_TRY(labelled(&filming->tube, panes[i].move, share * panes[i].degrees, &filming->scenes[i], &pane,
                         error));
        sn_canvas_paste(image, pane, (int32_t)(i * CELL), 0);
        sn_image_destroy(pane);
    }
    return SN_RESULT_OK;
}

static snResult draw_frame(void* user, uint32_t frame, snImage** out, snError* error) {
    Filming* filming = user;
    float share = 0.5f - 0.5f * sn_cos(2.0f * SN_PI * (float)frame / (float)FRAMES);
    snImage* image = NULL;
    if (sn_image_create(PANES * CELL, CELL, filming->memory, &image) != SN_RESULT_OK)
        return sni_fail_memory(error);
    snResult result = draw_panes(filming, share, image, error);
    if (result == SN_RESULT_OK)
        *out = image;
    else
        sn_image_destroy(image);
    return result;
}

snResult sn_style_film(const snStylePictureDef* def, const char* path, const snAllocator* allocator,
                       snError* error) {
    snFilmDef film = {.path = path, .width = PANES * CELL, .height = CELL, .fps = FPS};
    Filming filming = {.memory = allocator};
    snResult result = sn_style_tube_open(&filming.tube, def, allocator, error);
    for (uint32_t i = 0; i < PANES && result == SN_RESULT_OK; i++) {
        filming.scenes[i] = sn_style_tube_scene(&filming.tube, panes[i].move, panes[i].view, CELL);
        filming.scenes[i].supersample = 1;
    }
    if (result == SN_RESULT_OK)
        result = sn_film_shoot(&film, FRAMES, draw_frame, &filming, &def->progress, allocator, error);
    sn_style_tube_close(&filming.tube);
    return result;
}
