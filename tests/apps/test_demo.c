// The demo without its film, which takes most of a minute.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "picture.h"
#include "process.h"

static void test_demo_leaves_its_files(void** state) {
    (void)state;
    test_need_renderer();
    test_renderer_release();
    char* folder = test_out_copy("demo");
    TestRun run = test_sinew_expect(0, "demo", "-o", folder, "--no-film");
    assert_non_null(strstr(run.out, "demo.glb"));
    assert_non_null(strstr(run.out, "demo.png"));
    assert_null(strstr(run.out, "demo.mp4"));
    char* model_path = test_out_copy("demo/demo.glb");
    char* sheet_path = test_out_copy("demo/demo.png");
    snReadDef def = sn_read_def();
    snModel* model = NULL;
    assert_ok(sn_model_read(model_path, &def, &model, NULL));
    assert_int_equal(model->clip_count, 4);
    assert_int_equal(model->skins[0].joint_count, 38);
    snImage* sheet = NULL;
    assert_ok(sn_png_read(sheet_path, &def, &sheet, NULL));
    assert_true(sheet->width > 1200 && sheet->height > 1600);
    // Something of the body is in every one of the twelve cells.
    for (uint32_t row = 0; row < 4; row++)
        for (uint32_t column = 0; column < 3; column++) {
            uint32_t x = sheet->width - 1460 + column * 470 + 60, y = sheet->height - 1930 + row * 473 + 60;
            assert_true(test_count_warm(sheet, x, y, 340, 340) > 2000);
        }
    sn_image_destroy(sheet);
    sn_model_destroy(model);
    test_run_free(&run);
    free(folder);
    free(model_path);
    free(sheet_path);
}

static void test_a_folder_that_cannot_be(void** state) {
    (void)state;
    TestRun run = test_sinew_expect(4, "demo", "-o", "/nowhere/at/all", "--no-film");
    assert_non_null(strstr(run.err, "/nowhere/at/all"));
    test_run_free(&run);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_demo_leaves_its_files),
                                       cmocka_unit_test(test_a_folder_that_cannot_be)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
