// A style as an artist judges it: the test tube bent and twisted, with what was drawn beside it.
#include <stdio.h>

#include "canvas.h"
#include "film.h"
#include "sheet.h"
#include "style.h"

#define CELL 360u
#define COLUMNS 5u
#define ROWS 3u

#define SIDE_VIEW "14,8"
#define INSIDE_VIEW "60,5"

static void label(snImage* image, const char* text) {
    snTextStyle style = {13, 0.13f, {38, 41, 48, 255}, SN_ALIGN_LEFT};
    sn_canvas_text(image, 16, (float)image->height - 16, text, &style);
}

static cliExit labelled(cliTube* tube, cliTubeMove move, float degrees, const snShot* scene, snImage** out) {
    char text[48];
    float shown = move == CLI_TUBE_BOTH ? 0.5f * degrees : degrees;
    snprintf(text, sizeof text,
             move == CLI_TUBE_BOTH    ? "bend and twist %.0f\xC2\xB0"
             : move == CLI_TUBE_TWIST ? "twist %.0f\xC2\xB0"
                                      : "bend %.0f\xC2\xB0",
             (double)shown);
    cliExit code = tube_draw(tube, move, degrees, scene, out);
    if (code == CLI_DONE) label(*out, text);
    return code;
}

cliExit style_thumbnail(cliContext* context, snRenderer* renderer, const snStyle* style, snImage** out) {
    cliTube tube;
    cliExit code = tube_open(&tube, context, renderer, style);
    if (code == CLI_DONE) {
        snShot scene = tube_scene(&tube, CLI_TUBE_BEND, SIDE_VIEW, CLI_THUMBNAIL, CLI_THUMBNAIL);
        code = tube_draw(&tube, CLI_TUBE_BEND, 90.0f, &scene, out);
    }
    tube_close(&tube);
    return code;
}

// ---------------------------------------------------------------------------------------------------- sheet

// One view of one row, and how far each of its cells goes, degrees.
typedef struct Row {
    const char* label;
    cliTubeMove moves[COLUMNS - 1];
    float degrees[COLUMNS - 1];
    const char* view;
} Row;
#define BEND CLI_TUBE_BEND
#define TWIST CLI_TUBE_TWIST
static const Row rows[ROWS] = {
    {"from the side", {BEND, BEND, BEND, BEND}, {0, 45, 90, 135}, SIDE_VIEW},
    {"from inside", {BEND, BEND, BEND, BEND}, {0, 45, 90, 135}, INSIDE_VIEW},
    {"twisted", {TWIST, TWIST, TWIST, CLI_TUBE_BOTH}, {60, 120, 180, 180}, SIDE_VIEW},
};
#undef BEND
#undef TWIST

static cliExit draw_row(cliTube* tube, const Row* row, snImage** cells) {
    snShot scene = tube_scene(tube, row->moves[0], row->view, CELL, CELL);
    cliExit code = CLI_DONE;
    for (uint32_t c = 0; c + 1 < COLUMNS && code == CLI_DONE; c++)
        code = labelled(tube, row->moves[c], row->degrees[c], &scene, &cells[c]);
    return code;
}

static cliExit draw_cells(cliContext* context, snRenderer* renderer, const snStyle* style, snImage** cells) {
    cliTube tube;
    cliExit code = tube_open(&tube, context, renderer, style);
    float reach = style_reach(style);
    for (uint32_t r = 0; r < ROWS && code == CLI_DONE; r++) {
        context_progress(context, "drawing", r, ROWS);
        code = draw_row(&tube, &rows[r], &cells[r * COLUMNS]);
        if (code == CLI_DONE)
            code = style_panel(context, style, r, reach, CELL, &cells[r * COLUMNS + COLUMNS - 1]);
    }
    context_progress(context, "drawing", 1, 1);
    tube_close(&tube);
    return code;
}

static cliExit write_sheet(const cliContext* context, const snStyle* style, snImage** cells,
                           const char* path) {
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
    snImage* sheet = NULL;
    snError error = sn_error_none();
    snResult result = sn_sheet_create(&def, &context->memory, &sheet, &error);
    if (result == SN_RESULT_OK) result = sn_png_write(sheet, path, &error);
    sn_image_destroy(sheet);
    return result == SN_RESULT_OK ? CLI_DONE : context_fail(context, &error);
}

cliExit style_draw_sheet(cliContext* context, const snStyle* style, const char* path) {
    snImage* cells[COLUMNS * ROWS] = {NULL};
    snRenderer* renderer = NULL;
    cliExit code = picture_renderer(context, &renderer);
    if (code == CLI_DONE) code = draw_cells(context, renderer, style, cells);
    if (code == CLI_DONE) code = write_sheet(context, style, cells, path);
    for (uint32_t i = 0; i < COLUMNS * ROWS; i++) sn_image_destroy(cells[i]);
    sn_renderer_destroy(renderer);
    return code;
}

// ----------------------------------------------------------------------------------------------------- film

#define PANES 3u
#define FPS 20.0f
#define FRAMES 48u

// The same loop seen three times: bent from two sides, and twisted.
static const struct {
    cliTubeMove move;
    float degrees;
    const char* view;
} panes[PANES] = {{CLI_TUBE_BEND, 135.0f, SIDE_VIEW},
                  {CLI_TUBE_BEND, 135.0f, INSIDE_VIEW},
                  {CLI_TUBE_TWIST, 180.0f, SIDE_VIEW}};

static cliExit draw_frame(cliTube* tube, const snShot* scenes, float share, snImage** out) {
    snImage* image = NULL;
    if (sn_image_create(PANES * CELL, CELL, &tube->context->memory, &image) != SN_RESULT_OK)
        return context_fail_memory(tube->context);
    cliExit code = CLI_DONE;
    for (uint32_t i = 0; i < PANES && code == CLI_DONE; i++) {
        snImage* pane = NULL;
        code = labelled(tube, panes[i].move, share * panes[i].degrees, &scenes[i], &pane);
        if (code == CLI_DONE) sn_canvas_paste(image, pane, (int32_t)(i * CELL), 0);
        sn_image_destroy(pane);
    }
    if (code == CLI_DONE) {
        *out = image;
        return CLI_DONE;
    }
    sn_image_destroy(image);
    return code;
}

static cliExit shoot(cliTube* tube, snFilm* film) {
    snShot scenes[PANES];
    for (uint32_t i = 0; i < PANES; i++) {
        scenes[i] = tube_scene(tube, panes[i].move, panes[i].view, CELL, CELL);
        scenes[i].supersample = 1;
    }
    for (uint32_t f = 0; f < FRAMES; f++) {
        context_progress(tube->context, "filming", f, FRAMES);
        float share = 0.5f - 0.5f * sn_cos(2.0f * SN_PI * (float)f / (float)FRAMES);
        snImage* frame = NULL;
        cliExit code = draw_frame(tube, scenes, share, &frame);
        if (code != CLI_DONE) return code;
        snError error = sn_error_none();
        snResult result = sn_film_add(film, frame, &error);
        sn_image_destroy(frame);
        if (result != SN_RESULT_OK) break; // closing knows the encoder's reason
    }
    context_progress(tube->context, "filming", 1, 1);
    return CLI_DONE;
}

cliExit style_draw_film(cliContext* context, const snStyle* style, const char* path) {
    snFilmDef def = {.path = path, .width = PANES * CELL, .height = CELL, .fps = FPS};
    snRenderer* renderer = NULL;
    snFilm* film = NULL;
    snError error = sn_error_none();
    cliExit code = picture_renderer(context, &renderer);
    if (code == CLI_DONE && sn_film_open(&def, &context->memory, &film, &error) != SN_RESULT_OK)
        code = context_fail(context, &error);
    cliTube tube = {0};
    if (code == CLI_DONE) code = tube_open(&tube, context, renderer, style);
    if (code == CLI_DONE) code = shoot(&tube, film);
    if (code != CLI_DONE)
        sn_film_abandon(film);
    else if (sn_film_close(film, &error) != SN_RESULT_OK)
        code = context_fail(context, &error);
    tube_close(&tube);
    sn_renderer_destroy(renderer);
    return code;
}
