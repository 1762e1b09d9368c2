// Pictures that are made of several: checks, styles, rigs, moments of a clip.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check_picture.h"
#include "picture.h"
#include "process.h"
#include "rig_picture.h"
#include "stage.h"
#include "style_picture.h"

static bool alike(const snImage* a, const snImage* b) {
    return a->width == b->width && a->height == b->height &&
           memcmp(a->pixels, b->pixels, (size_t)a->width * a->height * 4) == 0;
}

static snModel* make_tube(void) {
    snModel* model = NULL;
    snTubeDef tube = sn_tube_def();
    tube.sides = 16;
    tube.rings = 24;
    assert_ok(sn_builtin_tube(&tube, NULL, &model, NULL));
    return model;
}

// --------------------------------------------------------------------------------------------------- checks

typedef struct Checked {
    snModel* model;
    snSettings* settings[2];
    snCheck* checks[2];
    snCheckPicturesDef def;
} Checked;

static void open_checked(Checked* c) {
    c->model = make_tube();
    for (int i = 0; i < 2; i++) {
        assert_ok(sn_settings_create(NULL, &c->settings[i], NULL));
        c->settings[i]->skin = i == 0 ? SN_SKIN_DUAL : SN_SKIN_LINEAR;
        c->settings[i]->volume = SN_VOLUME_NONE;
        c->settings[i]->flesh = false;
        snCheckDef def = sn_check_def();
        def.model = c->model;
        def.settings = c->settings[i];
        def.clip = sn_model_find_clip(c->model, "twist");
        assert_ok(sn_check_create(&def, NULL, &c->checks[i], NULL));
    }
    c->def = sn_check_pictures_def();
    c->def.renderer = test_renderer();
    c->def.model = c->model;
    c->def.count = 2;
    c->def.settings = (const snSettings* const*)c->settings;
    c->def.checks = c->checks;
    c->def.side = 64;
}

static void close_checked(Checked* c) {
    for (int i = 0; i < 2; i++) {
        sn_check_destroy(c->checks[i]);
        sn_settings_destroy(c->settings[i]);
    }
    sn_model_destroy(c->model);
}

// Both at the moment that is worst, from one side; the worse one is hot.
static void the_worst_moment_is_drawn(void** state) {
    (void)state;
    test_need_renderer();
    Checked c;
    open_checked(&c);
    snCheckPictures* pictures = NULL;
    snCheckPicture drawn[2];
    assert_ok(sn_check_pictures_create(&c.def, NULL, &pictures, NULL));
    assert_ok(sn_check_pictures_draw(pictures, SN_MEASURE_SECTION, drawn, NULL));
    const snViolation* worst = &c.checks[1]->measures[SN_MEASURE_SECTION].worst;
    assert_near(drawn[1].value, worst->value, 0);
    assert_true(drawn[0].value < drawn[1].value);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(drawn[i].image->width, 64);
        if (drawn[i].marked)
            assert_true(drawn[i].x > 0.0f && drawn[i].x < 100.0f && drawn[i].y > 0.0f && drawn[i].y < 100.0f);
    }
    assert_false(alike(drawn[0].image, drawn[1].image));
    // Again, the same.
    snCheckPicture again[2];
    assert_ok(sn_check_pictures_draw(pictures, SN_MEASURE_SECTION, again, NULL));
    for (int i = 0; i < 2; i++) {
        assert_true(alike(drawn[i].image, again[i].image));
        sn_image_destroy(drawn[i].image);
        sn_image_destroy(again[i].image);
    }
    snError error = sn_error_none();
    assert_int_equal(sn_check_pictures_draw(pictures, SN_MEASURE_DROPPED, drawn, &error),
                     SN_RESULT_NOT_FOUND);
    sn_check_pictures_destroy(pictures);
    c.def.count = 0;
    assert_int_equal(sn_check_pictures_create(&c.def, NULL, &pictures, &error), SN_RESULT_INVALID_ARGUMENT);
    close_checked(&c);
}

static snResult create_once(const snAllocator* allocator, void* context) {
    snCheckPictures* pictures = NULL;
    snResult result = sn_check_pictures_create(context, allocator, &pictures, NULL);
    sn_check_pictures_destroy(pictures);
    return result;
}

static void pictures_of_checks_run_out_of_memory(void** state) {
    (void)state;
    test_need_renderer();
    Checked c;
    open_checked(&c);
    test_every_allocation(create_once, &c.def);
    close_checked(&c);
}

// --------------------------------------------------------------------------------------------------- styles

static snStylePictureDef def_of(const snStyle* style) {
    return (snStylePictureDef){.renderer = test_renderer(), .style = style};
}

static bool stop(void* user, const char* stage, float share) {
    (void)stage;
    (void)share;
    return ++*(uint32_t*)user < 2;
}

static void styles_differ_in_their_pictures(void** state) {
    (void)state;
    test_need_renderer();
    snStyle *can = NULL, *blank = NULL;
    snImage *bent = NULL, *plain = NULL, *sheet = NULL, *panel = NULL;
    snError error = sn_error_none();
    assert_ok(sn_style_preset("can", NULL, &can, NULL));
    assert_ok(sn_style_create_blank("blank", NULL, &blank, NULL));
    snStylePictureDef def = def_of(can), other = def_of(blank);
    assert_ok(sn_style_thumbnail(&def, NULL, &bent, &error));
    assert_ok(sn_style_thumbnail(&other, NULL, &plain, &error));
    assert_int_equal(bent->width, SN_STYLE_THUMBNAIL);
    assert_false(alike(bent, plain));
    for (uint32_t d = 0; d < SN_STYLE_DIRECTIONS; d++) {
        assert_ok(sn_style_panel(can, d, sn_style_reach(can), 200, NULL, &panel, &error));
        assert_int_equal(panel->height, 200);
        sn_image_destroy(panel);
    }
    assert_int_equal(sn_style_panel(can, 0, 1.0f, SN_STYLE_PANEL_MIN - 1, NULL, &panel, &error),
                     SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_style_panel(can, 3, 1.0f, 200, NULL, &panel, &error), SN_RESULT_INVALID_ARGUMENT);
    assert_ok(sn_style_sheet(&def, NULL, &sheet, &error));
    assert_true(sheet->width > 5 * 360 && sheet->height > 3 * 360);
    uint32_t calls = 0;
    def.progress = (snProgress){stop, &calls};
    snImage* none = NULL;
    assert_int_equal(sn_style_sheet(&def, NULL, &none, &error), SN_RESULT_CANCELLED);
    assert_null(none);
    calls = 0;
    char* path = test_out_copy("style_stopped.gif");
    snResult result = sn_style_film(&def, path, NULL, &error);
    bool absent = result == SN_RESULT_IO && strstr(error.text, "ffmpeg") != NULL;
    if (!absent) assert_int_equal(result, SN_RESULT_CANCELLED);
    assert_int_equal(test_files_like(test_out_path("."), "style_stopped"), 0);
    free(path);
    sn_image_destroy(sheet);
    sn_image_destroy(bent);
    sn_image_destroy(plain);
    sn_style_destroy(can);
    sn_style_destroy(blank);
}

static snResult panel_once(const snAllocator* allocator, void* context) {
    snImage* panel = NULL;
    snResult result = sn_style_panel(context, 0, 1.0f, SN_STYLE_PANEL_MIN, allocator, &panel, NULL);
    sn_image_destroy(panel);
    return result;
}

static void panels_run_out_of_memory(void** state) {
    (void)state;
    snStyle* style = NULL;
    assert_ok(sn_style_preset("cloth", NULL, &style, NULL));
    test_every_allocation(panel_once, style);
    sn_style_destroy(style);
}

// ----------------------------------------------------------------------------------------------------- rigs

static void handles_are_shown_on_their_mesh(void** state) {
    (void)state;
    test_need_renderer();
    snModel* model = test_cube_model(4);
    const snMesh* mesh = model->parts[0].mesh;
    uint32_t first[] = {0, 1, 2};
    snHandleDef handle = {.name = "corner", .vertex_count = 3, .vertices = first};
    snHandlesDef def = {.mesh = mesh, .handle_count = 1, .handles = &handle};
    snHandles* handles = NULL;
    snError error = sn_error_none();
    if (sn_handles_create(&def, NULL, &handles, &error) != SN_RESULT_OK) fail_msg("%s", error.text);
    snRigPicture picture = {.mesh = mesh, .handles = handles, .width = 96, .height = 96, .focus = SN_NONE};
    assert_true(sn_view_parse("three-quarter", &picture.view));
    snImage *whole = NULL, *close = NULL;
    assert_ok(sn_rig_picture_draw(test_renderer(), &picture, NULL, &whole, &error));
    picture.focus = 0;
    picture.names = true;
    assert_ok(sn_rig_picture_draw(test_renderer(), &picture, NULL, &close, &error));
    assert_false(alike(whole, close));
    sn_image_destroy(whole);
    sn_image_destroy(close);
    sn_handles_destroy(handles);
    sn_model_destroy(model);
}

// -------------------------------------------------------------------------------------------------- moments

static void moments_stand_side_by_side(void** state) {
    (void)state;
    test_need_renderer();
    snModel* model = make_tube();
    snStageDef def = sn_stage_def();
    def.renderer = test_renderer();
    def.model = model;
    snStage* stage = NULL;
    assert_ok(sn_stage_create(&def, NULL, &stage, NULL));
    snStageSceneDef scene_def = sn_stage_scene_def();
    scene_def.width = scene_def.height = 64;
    scene_def.clip = 0;
    scene_def.to = model->clips[0]->duration;
    snShot scene = sn_stage_scene(stage, &scene_def);
    snImage *one = NULL, *three = NULL, *none = NULL;
    snError error = sn_error_none();
    assert_ok(sn_stage_sheet(stage, 0, 1, &scene, NULL, &one, &error));
    assert_ok(sn_stage_sheet(stage, 0, 3, &scene, NULL, &three, &error));
    assert_true(three->width > one->width + 100 && three->height == one->height);
    assert_int_equal(sn_stage_sheet(stage, 99, 3, &scene, NULL, &none, &error), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_stage_sheet(stage, 0, 0, &scene, NULL, &none, &error), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_stage_sheet(stage, 0, SN_STAGE_MAX_MOMENTS + 1, &scene, NULL, &none, &error),
                     SN_RESULT_INVALID_ARGUMENT);
    uint32_t calls = 0;
    snProgress progress = {stop, &calls};
    assert_int_equal(sn_stage_sheet(stage, 0, 3, &scene, &progress, &none, &error), SN_RESULT_CANCELLED);
    assert_null(none);
    sn_image_destroy(one);
    sn_image_destroy(three);
    sn_stage_destroy(stage);
    sn_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_worst_moment_is_drawn),
        cmocka_unit_test(pictures_of_checks_run_out_of_memory),
        cmocka_unit_test(styles_differ_in_their_pictures),
        cmocka_unit_test(panels_run_out_of_memory),
        cmocka_unit_test(handles_are_shown_on_their_mesh),
        cmocka_unit_test(moments_stand_side_by_side),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    test_renderer_release();
    return failed;
}
