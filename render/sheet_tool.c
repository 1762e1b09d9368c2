// sinew_sheet: puts pictures together as a labelled sheet, for the scripts that draw the documentation.
//
// sinew_sheet OUT.png TITLE SUBTITLE COLUMNS ROWS PICTURE.png...: labels are separated by '|', their number
// says how many columns and rows there are; ROWS may be "" for one row without a label. Pictures come row by
// row.
#include <stdio.h>
#include <string.h>

#include "sheet.h"

#define MAX_LABELS 16

// Parts the text at every '|'; returns how many labels there are, 0 for too many.
static uint32_t split(char* text, const char** labels) {
    uint32_t count = 1;
    labels[0] = text;
    for (char* at = strchr(text, '|'); at != NULL; at = strchr(at + 1, '|')) {
        if (count == MAX_LABELS) return 0;
        *at = '\0';
        labels[count++] = at + 1;
    }
    return count;
}

static int fail(const char* reason) {
    fprintf(stderr, "sinew_sheet: %s\n", reason);
    return 1;
}

int main(int argc, char** argv) {
    const char *columns[MAX_LABELS], *rows[MAX_LABELS];
    if (argc < 7) return fail("usage: OUT.png TITLE SUBTITLE COLUMNS ROWS PICTURE.png...");
    snSheetDef def = sn_sheet_def();
    def.title = argv[2];
    def.subtitle = argv[3][0] != '\0' ? argv[3] : NULL;
    def.column_labels = columns;
    def.row_labels = argv[5][0] != '\0' ? rows : NULL;
    def.columns = split(argv[4], columns);
    def.rows = split(argv[5], rows);
    uint32_t count = (uint32_t)argc - 6;
    if (count != def.columns * def.rows) return fail("pictures and labels do not fit");

    snImage *cells[MAX_LABELS * MAX_LABELS] = {NULL}, *sheet = NULL;
    snError error = sn_error_none();
    snResult result = SN_RESULT_OK;
    for (uint32_t i = 0; i < count && result == SN_RESULT_OK; i++)
        result = sn_png_read(argv[6 + i], NULL, &cells[i], &error);
    def.cells = (const snImage* const*)cells;
    if (result == SN_RESULT_OK) result = sn_sheet_create(&def, NULL, &sheet, &error);
    if (result == SN_RESULT_OK) result = sn_png_write(sheet, argv[1], &error);
    sn_image_destroy(sheet);
    for (uint32_t i = 0; i < count; i++) sn_image_destroy(cells[i]);
    char text[512];
    sn_error_format(&error, text, sizeof text);
    return result == SN_RESULT_OK ? 0 : fail(text);
}
