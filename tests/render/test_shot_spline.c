// Splines and styles in the shader against those on the CPU, in both dialects of GLSL, and pictures of them.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "picture.h"
#include "shot_spline.h"

#define SIZE 160

// A character in a pose, on the CPU.
typedef struct Posed {
    snModel* model;
    snCharacter* character;
    float height;
} Posed;

static snSettings* settings_of(const char* style, const char* joint) {
    snSettings* s = NULL;
    assert_ok(sn_settings_create(NULL, &s, NULL));
    s->skin = SN_SKIN_SPLINE;
    s->volume = SN_VOLUME_NONE;
    s->flesh = false;
    if (style == NULL) return s;
    snStyle* made = NULL;
    assert_ok(strcmp(style, "unity") == 0 ? sn_style_create(style, NULL, &made, NULL)
                                          : sn_style_preset(style, NULL, &made, NULL));
    snStyleRule rule = {.joint = (char*)joint, .style = (char*)style, .strength = 1.0f};
    assert_ok(sn_settings_set_styles(s, (const snStyle* const*)&made, 1, NULL));
    assert_ok(sn_settings_set_style_rules(s, &rule, 1, NULL));
    sn_style_destroy(made);
    return s;
}

static void make_character(Posed* p, const char* style, const char* joint) {
    snSettings* s = settings_of(style, joint);
    snCharacterDef def = sn_character_def();
    def.model = p->model;
    def.settings = s;
    assert_ok(sn_character_create(&def, NULL, &p->character, NULL));
    sn_settings_destroy(s);
}

static Posed body_create(const char* clip, const char* style) {
    Posed p = {.height = 1.75f};
    snBodyDef def = sn_body_def();
    def.vertex_target = 6000;
    assert_ok(sn_builtin_body(&def, NULL, &p.model, NULL));
    make_character(&p, style, "*Arm");
    assert_ok(sn_character_pose_clip(p.character, sn_model_find_clip(p.model, clip), 1.0f, SN_WRAP_LOOP));
    return p;
}

// A tube of two bones, bent and twisted at once.
static Posed tube_create(const char* style, float bend, float twist) {
    snTubeDef def = sn_tube_def();
    def.segments = 2;
    def.length = 2.0f;
    def.radius = 0.25f;
    Posed p = {.height = def.length};
    assert_ok(sn_builtin_tube(&def, NULL, &p.model, NULL));
    make_character(&p, style, "*2");
    snTrs pose[2] = {p.model->skeleton->rest[0], p.model->skeleton->rest[1]};
    pose[1].rotation = sn_quat_mul(sn_quat_axis_angle(sn_vec3(0.4f, 0.0f, -1.0f), bend),
                                   sn_quat_axis_angle(sn_vec3(0.0f, 1.0f, 0.0f), twist));
    assert_ok(sn_character_pose_locals(p.character, pose));
    return p;
}

static void posed_destroy(Posed* p) {
    sn_character_destroy(p->character);
    sn_model_destroy(p->model);
}

static snShotSplineDef def_of(const Posed* p) {
    return (snShotSplineDef){p->model->parts[0].mesh, sn_character_splines(p->character),
                             sn_character_spline_skin(p->character, 0)};
}

static snShotItem cpu_item(const Posed* p) {
    snShotItem item = sn_shot_item(p->model->parts[0].mesh);
    item.positions = sn_character_surface(p->character, 0).positions;
    item.normals = sn_character_surface(p->character, 0).normals;
    return item;
}

// ----------------------------------------------------------------------------------------------- the shader

typedef snResult OpenFn(snGlContext* out, snError* error);

static void check_places(const snHungList* list, const Posed* p, snSceneFrame frame) {
    size_t bytes = list->count * sizeof(snHungVertex);
    glBindBuffer(GL_ARRAY_BUFFER, list->places);
    const snHungVertex* got = glMapBufferRange(GL_ARRAY_BUFFER, 0, (GLsizeiptr)bytes, GL_MAP_READ_BIT);
    assert_non_null(got);
    snSurface want = sn_character_surface(p->character, 0);
    assert_int_equal(list->count, want.vertex_count);
    for (uint32_t v = 0; v < want.vertex_count; v++) {
        snVec3 place = sn_scene_point(frame, want.positions[v]);
        assert_vec3_near(got[v].position, place, 1e-4f * p->height * frame.scale);
        assert_vec3_near(got[v].normal, want.normals[v], 2e-3f);
    }
    glUnmapBuffer(GL_ARRAY_BUFFER);
}

static void check_posed(GLuint program, Posed p) {
    snShotItem item = cpu_item(&p);
    snShot scene = test_scene(&item, "front", SIZE, SIZE);
    snGeometry* geometry = NULL;
    assert_ok(sn_geometry_create(&scene, &item, NULL, &geometry, NULL));
    snShotSplineDef def = def_of(&p);
    snShotSpline* spline = NULL;
    assert_ok(sn_shot_spline_open(program, &def, NULL, &spline, NULL));
    snSceneFrame frame = sn_scene_frame(scene.bounds);
    assert_ok(sn_shot_spline_hang(spline, geometry, frame, sn_character_spline_matrices(p.character),
                                  sn_character_spline_poses(p.character), NULL));
    assert_int_equal(glGetError(), GL_NO_ERROR);
    check_places(&spline->hung.surface, &p, frame);
    sn_shot_spline_close(spline);
    sn_geometry_destroy(geometry);
    posed_destroy(&p);
}

static void check_shader(OpenFn* open) {
    snGlContext context;
    snError error = sn_error_none();
    snResult result = open(&context, &error);
    if (result == SN_RESULT_UNSUPPORTED) test_skip("no OpenGL: %s", error.text);
    assert_ok(result);
    GLuint program = sn_shot_spline_program(&error);
    if (program == 0) fail_msg("%s", error.text);
    check_posed(program, body_create("bend", NULL));
    check_posed(program, body_create("twist", "muscle"));
    check_posed(program, tube_create(NULL, 1.5f, 1.0f));
    check_posed(program, tube_create("unity", 1.5f, 1.0f));
    for (uint32_t i = 0; sn_style_preset_name(i) != NULL; i++) {
        check_posed(program, tube_create(sn_style_preset_name(i), 1.7f, 0.0f));
        check_posed(program, tube_create(sn_style_preset_name(i), 0.0f, 2.5f));
        check_posed(program, tube_create(sn_style_preset_name(i), 1.2f, -1.5f));
    }
    sn_gl_context_close(&context);
}

static void test_shader_equals_the_cpu(void** state) {
    (void)state;
    check_shader(sn_gl_context_open);
}

static void test_shader_equals_the_cpu_in_es(void** state) {
    (void)state;
    check_shader(sn_gl_context_open_es);
}

// ------------------------------------------------------------------------------------------------- pictures

static snImage* draw(const snShot* scene) {
    snImage* image = NULL;
    snError error = sn_error_none();
    if (sn_renderer_draw(test_renderer(), scene, NULL, &image, &error) != SN_RESULT_OK)
        fail_msg("%s", error.text);
    return image;
}

static uint32_t count_unlike(const snImage* a, const snImage* b) {
    uint32_t unlike = 0;
    for (uint32_t y = 0; y < SIZE; y++)
        for (uint32_t x = 0; x < SIZE; x++) unlike += abs(test_gray(a, x, y) - test_gray(b, x, y)) > 8;
    return unlike;
}

static void test_picture_is_the_same(void** state) {
    (void)state;
    test_need_renderer();
    Posed p = tube_create("metal", 1.7f, 0.5f), plain = tube_create(NULL, 1.7f, 0.5f);
    snShotSplineDef def = def_of(&p);
    snShotSpline* spline = NULL;
    assert_ok(sn_shot_spline_create(test_renderer(), &def, NULL, &spline, NULL));
    snShotItem cpu = cpu_item(&p), unstyled = cpu_item(&plain), gpu = sn_shot_item(def.mesh);
    gpu.splines = spline;
    gpu.spline_matrices = sn_character_spline_matrices(p.character);
    gpu.spline_poses = sn_character_spline_poses(p.character);
    for (int wireframe = 0; wireframe < 2; wireframe++) {
        snShot scene = test_scene(&cpu, "three-quarter", SIZE, SIZE);
        scene.wireframe = wireframe == 1;
        snImage* want = draw(&scene);
        scene.items = &gpu;
        snImage* got = draw(&scene);
        scene.items = &unstyled;
        snImage* without = draw(&scene);
        assert_true(count_unlike(want, without) > 100); // the comparison can tell
        assert_true(count_unlike(want, got) < 10);
        if (wireframe == 0) assert_ok(sn_png_write(got, test_out_path("shot_spline.png"), NULL));
        sn_image_destroy(want);
        sn_image_destroy(got);
        sn_image_destroy(without);
    }
    sn_shot_spline_destroy(test_renderer(), spline);
    posed_destroy(&p);
    posed_destroy(&plain);
}

// --------------------------------------------------------------------------------------------------- errors

static void test_bad_splines(void** state) {
    (void)state;
    test_need_renderer();
    Posed p = tube_create("cloth", 1.0f, 0.0f);
    snModel* cube = test_cube_model(2);
    snShotSpline* spline = NULL;
    for (int spoil = 0; spoil < 4; spoil++) {
        snShotSplineDef bad = def_of(&p);
        if (spoil == 0) bad.mesh = NULL;
        if (spoil == 1) bad.splines = NULL;
        if (spoil == 2) bad.skin = NULL;
        if (spoil == 3) bad.mesh = cube->parts[0].mesh;
        assert_int_equal(sn_shot_spline_create(test_renderer(), &bad, NULL, &spline, NULL),
                         SN_RESULT_INVALID_ARGUMENT);
    }
    snShotSplineDef def = def_of(&p);
    assert_ok(sn_shot_spline_create(test_renderer(), &def, NULL, &spline, NULL));
    snShotItem item = sn_shot_item(def.mesh);
    item.splines = spline; // without matrices
    snShot scene = test_scene(&item, "front", 16, 16);
    snImage* image = NULL;
    assert_int_equal(sn_renderer_draw(test_renderer(), &scene, NULL, &image, NULL),
                     SN_RESULT_INVALID_ARGUMENT);
    assert_null(image);
    sn_shot_spline_destroy(test_renderer(), spline);
    sn_model_destroy(cube);
    posed_destroy(&p);
}

// With the renderer that is there: what it allocates itself is tested elsewhere.
static snResult draw_once(const snAllocator* allocator, void* context) {
    const Posed* p = context;
    snShotSpline* spline = NULL;
    snImage* image = NULL;
    snShotSplineDef def = def_of(p);
    snResult result = sn_shot_spline_create(test_renderer(), &def, allocator, &spline, NULL);
    if (result == SN_RESULT_OK) {
        snShotItem item = sn_shot_item(def.mesh);
        snShot scene = test_scene(&item, "front", 16, 16);
        scene.wireframe = true;
        item.splines = spline;
        item.spline_matrices = sn_character_spline_matrices(p->character);
        item.spline_poses = sn_character_spline_poses(p->character);
        result = sn_renderer_draw(test_renderer(), &scene, allocator, &image, NULL);
    }
    sn_image_destroy(image);
    sn_shot_spline_destroy(test_renderer(), spline);
    return result;
}

static void test_out_of_memory(void** state) {
    (void)state;
    test_need_renderer();
    Posed p = tube_create("can", 1.0f, 0.0f);
    test_every_allocation(draw_once, &p);
    posed_destroy(&p);
}

static int release(void** state) {
    (void)state;
    test_renderer_release();
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shader_equals_the_cpu), cmocka_unit_test(test_shader_equals_the_cpu_in_es),
        cmocka_unit_test(test_picture_is_the_same),   cmocka_unit_test(test_bad_splines),
        cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, release);
}
