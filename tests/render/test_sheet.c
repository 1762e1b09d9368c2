// Labelled sheets.
#include <string.h>

#include "picture.h"
#include "sheet.h"

static snImage* solid(uint32_t width, uint32_t height, uint8_t value) {
    snImage* image = NULL;
    assert_ok(sn_image_create(width, height, NULL, &image));
    memset(image->pixels, value, (size_t)width * height * 4);
    return image;
}

static uint32_t count_value(const snImage* image, int value) {
    uint32_t count = 0;
    for (uint32_t y = 0; y < image->height; y++)
        for (uint32_t x = 0; x < image->width; x++) {
            TestPixel p = test_pixel(image, x, y);
            if (p.r == value && p.g == value && p.b == value) count++;
        }
    return count;
}

static void test_all_cells_are_there(void** state) {
    (void)state;
    snImage* cells[6];
    for (int i = 0; i < 6; i++) cells[i] = solid(50, 40, (uint8_t)(90 + i));
    snSheetDef def = sn_sheet_def();
    def.columns = 3;
    def.rows = 2;
    def.cells = (const snImage* const*)cells;
    snImage* sheet = NULL;
    assert_ok(sn_sheet_create(&def, NULL, &sheet, NULL));
    assert_true(sheet->width > 150 && sheet->height > 80);
    for (int i = 0; i < 6; i++) assert_int_equal(count_value(sheet, 90 + i), 50 * 40);
    // Row by row: the second cell is right of the first, the fourth below it.
    uint32_t first_x = 0, first_y = 0;
    while (test_pixel(sheet, first_x, sheet->height / 4).r != 90) first_x++;
    while (test_pixel(sheet, first_x, first_y).r != 90) first_y++;
    assert_int_equal(test_pixel(sheet, first_x + 65, first_y + 5).r, 91);
    assert_int_equal(test_pixel(sheet, first_x + 5, first_y + 55).r, 93);
    sn_image_destroy(sheet);
    for (int i = 0; i < 6; i++) sn_image_destroy(cells[i]);
}

static void test_labels_take_room_and_ink(void** state) {
    (void)state;
    snImage* cell = solid(64, 64, 200);
    const snImage* cells[1] = {cell};
    snSheetDef def = sn_sheet_def();
    def.cells = cells;
    snImage* bare = NULL;
    assert_ok(sn_sheet_create(&def, NULL, &bare, NULL));
    const char* column = "linear";
    const char* row = "walk";
    def.title = "Sheet";
    def.subtitle = "of one cell";
    def.column_labels = &column;
    def.row_labels = &row;
    snImage* full = NULL;
    assert_ok(sn_sheet_create(&def, NULL, &full, NULL));
    assert_true(full->width > bare->width && full->height > bare->height + 30);
    TestPixel paper = test_pixel(full, 0, 0);
    uint32_t top = full->height - bare->height;
    assert_true(test_count_unlike(full, 0, 0, full->width, top, paper, 60) > 150);
    assert_true(test_count_unlike(full, 0, top + 16, full->width - bare->width, 64, paper, 60) > 30);
    sn_image_destroy(bare);
    sn_image_destroy(full);
    sn_image_destroy(cell);
}

static void test_smaller_and_missing_cells(void** state) {
    (void)state;
    snImage *large = solid(60, 60, 100), *small = solid(20, 20, 101);
    const snImage* cells[3] = {large, small, NULL};
    snSheetDef def = sn_sheet_def();
    def.columns = 3;
    def.cells = cells;
    snImage* sheet = NULL;
    assert_ok(sn_sheet_create(&def, NULL, &sheet, NULL));
    assert_int_equal(count_value(sheet, 100), 3600);
    assert_int_equal(count_value(sheet, 101), 400);
    sn_image_destroy(sheet);
    sn_image_destroy(large);
    sn_image_destroy(small);
}

static void test_bad_sheets(void** state) {
    (void)state;
    snImage* sheet = NULL;
    snError error = sn_error_none();
    snSheetDef def = sn_sheet_def();
    assert_int_equal(sn_sheet_create(&def, NULL, &sheet, &error), SN_RESULT_INVALID_ARGUMENT); // no cells
    const snImage* cells[1] = {NULL};
    def.cells = cells;
    def.columns = 0;
    assert_int_equal(sn_sheet_create(&def, NULL, &sheet, &error), SN_RESULT_INVALID_ARGUMENT);
    def.columns = 1;
    def.rows = 300;
    assert_int_equal(sn_sheet_create(&def, NULL, &sheet, &error), SN_RESULT_INVALID_ARGUMENT);
    snImage huge = {.width = 40000, .height = 2};
    cells[0] = &huge;
    def.rows = 1;
    assert_int_equal(sn_sheet_create(&def, NULL, &sheet, &error), SN_RESULT_INVALID_ARGUMENT);
    assert_null(sheet);
}

static snResult build(const snAllocator* allocator, void* context) {
    const snImage* cells[1] = {context};
    snSheetDef def = sn_sheet_def();
    def.cells = cells;
    snImage* sheet = NULL;
    snResult result = sn_sheet_create(&def, allocator, &sheet, NULL);
    sn_image_destroy(sheet);
    return result;
}

static void test_out_of_memory(void** state) {
    (void)state;
    snImage* cell = solid(8, 8, 10);
    test_every_allocation(build, cell);
    sn_image_destroy(cell);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_cells_are_there), cmocka_unit_test(test_labels_take_room_and_ink),
        cmocka_unit_test(test_smaller_and_missing_cells), cmocka_unit_test(test_bad_sheets),
        cmocka_unit_test(test_out_of_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
