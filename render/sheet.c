#include "sheet.h"

#include "base/error.h"
#include "canvas.h"
#include "ramp.h"

static const snInk dark = {38, 41, 48, 255};
static const snInk soft = {104, 108, 118, 255};

snSheetDef sn_sheet_def(void) {
    snSheetDef def = {.columns = 1, .rows = 1, .paper = {0.955f, 0.955f, 0.95f}};
    return def;
}

// Every distance on the sheet, pixels.
typedef struct Layout {
    uint32_t cell_width, cell_height;
    uint32_t gap, margin;
    uint32_t left, top; // of the first cell
    uint32_t width, height;
    float text; // size of the labels
} Layout;

static void measure_cells(const snSheetDef* def, Layout* layout) {
    layout->cell_width = layout->cell_height = 1;
    for (uint32_t i = 0; i < def->columns * def->rows; i++) {
        const snImage* cell = def->cells[i];
        if (cell == NULL) continue;
        if (cell->width > layout->cell_width) layout->cell_width = cell->width;
        if (cell->height > layout->cell_height) layout->cell_height = cell->height;
    }
}

static float title_size(const Layout* layout) { return layout->text * 1.55f; }

static bool plan(const snSheetDef* def, Layout* layout) {
    measure_cells(def, layout);
    uint32_t small = layout->cell_width < layout->cell_height ? layout->cell_width : layout->cell_height;
    layout->text = sn_clampf(0.040f * (float)small, 9, 34);
    layout->gap = (uint32_t)(0.6f * layout->text) + 2;
    layout->margin = (uint32_t)(2.0f * layout->text);
    float widest = 0;
    for (uint32_t r = 0; def->row_labels != NULL && r < def->rows; r++)
        widest = sn_maxf(widest, sn_text_width(def->row_labels[r], layout->text));
    float top = (float)layout->margin;
    if (def->title != NULL) top += title_size(layout) + 1.6f * layout->text;
    if (def->subtitle != NULL) top += 1.9f * layout->text;
    if (def->column_labels != NULL) top += 2.0f * layout->text;
    layout->top = (uint32_t)top;
    layout->left = layout->margin + (widest > 0 ? (uint32_t)(widest + 1.4f * layout->text) : 0);
    uint64_t width = (uint64_t)def->columns * (layout->cell_width + layout->gap) + layout->left +
                     layout->margin - layout->gap;
    uint64_t height = (uint64_t)def->rows * (layout->cell_height + layout->gap) + layout->top +
                      layout->margin - layout->gap;
    layout->width = (uint32_t)width;
    layout->height = (uint32_t)height;
    return width <= 32768 && height <= 32768;
}

static void draw_headings(snImage* sheet, const snSheetDef* def, const Layout* layout) {
    float x = (float)layout->margin, y = (float)layout->margin;
    if (def->title != NULL) {
        snTextStyle style = {title_size(layout), 0.155f, dark, SN_ALIGN_LEFT};
        y += style.size;
        sn_canvas_text(sheet, x, y, def->title, &style);
    }
    if (def->subtitle != NULL) {
        snTextStyle style = {layout->text * 0.9f, 0.12f, soft, SN_ALIGN_LEFT};
        sn_canvas_text(sheet, x, y + 1.9f * layout->text, def->subtitle, &style);
    }
}

static void draw_labels(snImage* sheet, const snSheetDef* def, const Layout* layout) {
    snTextStyle style = {layout->text, 0.135f, dark, SN_ALIGN_CENTER};
    for (uint32_t c = 0; def->column_labels != NULL && c < def->columns; c++) {
        float x =
            (float)(layout->left + c * (layout->cell_width + layout->gap)) + 0.5f * (float)layout->cell_width;
        sn_canvas_text(sheet, x, (float)layout->top - 0.75f * layout->text, def->column_labels[c], &style);
    }
    style.align = SN_ALIGN_RIGHT;
    for (uint32_t r = 0; def->row_labels != NULL && r < def->rows; r++) {
        float y = (float)(layout->top + r * (layout->cell_height + layout->gap)) +
                  0.5f * (float)layout->cell_height + 0.5f * layout->text;
        sn_canvas_text(sheet, (float)layout->left - 0.9f * layout->text, y, def->row_labels[r], &style);
    }
}

static void draw_cells(snImage* sheet, const snSheetDef* def, const Layout* layout) {
    for (uint32_t i = 0; i < def->columns * def->rows; i++) {
        const snImage* cell = def->cells[i];
        if (cell == NULL) continue;
        uint32_t x = layout->left + (i % def->columns) * (layout->cell_width + layout->gap);
        uint32_t y = layout->top + (i / def->columns) * (layout->cell_height + layout->gap);
        sn_canvas_paste(sheet, cell, (int32_t)(x + (layout->cell_width - cell->width) / 2),
                        (int32_t)(y + (layout->cell_height - cell->height) / 2));
    }
}

snResult sn_sheet_create(const snSheetDef* def, const snAllocator* allocator, snImage** out, snError* error) {
    if (def->columns == 0 || def->rows == 0 || def->columns > 256 || def->rows > 256 || def->cells == NULL)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a sheet of %u x %u cells: 1 .. 256 are possible",
                        def->columns, def->rows);
    Layout layout = {0};
    if (!plan(def, &layout))
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT,
                        "the sheet would be larger than 32768 pixels a side");
    snImage* sheet = NULL;
    snResult result = sn_image_create(layout.width, layout.height, allocator, &sheet);
    if (result != SN_RESULT_OK) return sni_fail(error, result, "%s", sn_result_name(result));
    snInk paper = {sn_srgb_byte(def->paper.x), sn_srgb_byte(def->paper.y), sn_srgb_byte(def->paper.z), 255};
    for (size_t i = 0; i < (size_t)layout.width * layout.height; i++) {
        sheet->pixels[i * 4 + 0] = paper.r;
        sheet->pixels[i * 4 + 1] = paper.g;
        sheet->pixels[i * 4 + 2] = paper.b;
        sheet->pixels[i * 4 + 3] = paper.a;
    }
    draw_cells(sheet, def, &layout);
    draw_headings(sheet, def, &layout);
    draw_labels(sheet, def, &layout);
    *out = sheet;
    return SN_RESULT_OK;
}
