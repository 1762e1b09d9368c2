// Viewports: what goes to the GPU, what is seen, and what is under a pixel.
#include "render/viewport.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "picture.h"
#include "sinew/sinew.h"
#include "view_open.h"

#define SIZE 128

// A bound tube of two bones with its clips.
static snModel* bound_tube(void) {
    snModel* model = NULL;
    snTubeDef tube = sn_tube_def();
    tube.sides = 16;
    tube.rings = 16;
    assert_ok(sn_builtin_tube(&tube, NULL, &model, NULL));
    snBindDef bind = sn_bind_def();
    bind.method = SN_WEIGHTS_KEEP;
    bind.cells = 12;
    assert_ok(sn_model_bind(model, &bind, NULL, NULL));
    return model;
}

static snCharacter* character_of(const snModel* model, snSkinMethod skin) {
    snCharacterDef def = sn_character_def();
    def.model = model;
    def.skin = skin;
    snCharacter* character = NULL;
    assert_ok(sn_character_create(&def, NULL, &character, NULL));
    assert_ok(sn_character_pose_clip(character, SN_CLIP_REST, 0.0f, SN_WRAP_CLAMP));
    return character;
}

typedef struct Fixture {
    snModel* model;
    snCharacter *linear, *lattice;
    snViewport* viewport;
    snViewDef view;
} Fixture;

static snViewport* open_viewport(snViewContextFn* open) {
    snViewportDef def = sn_viewport_def();
    snViewport* viewport = NULL;
    snResult result = sn_view_open(&def, open, NULL, &viewport, NULL);
    if (result != SN_RESULT_UNSUPPORTED) assert_ok(result);
    return viewport;
}

static int open_fixture(void** state) {
    Fixture* f = calloc(1, sizeof *f);
    *state = f;
    f->viewport = open_viewport(sn_gl_context_open);
    if (f->viewport == NULL) return 0;
    f->model = bound_tube();
    f->linear = character_of(f->model, SN_SKIN_LINEAR);
    f->lattice = character_of(f->model, SN_SKIN_LATTICE);
    assert_ok(sn_viewport_set_model(f->viewport, 0, f->model, f->linear, NULL));
    f->view = sn_view_def();
    f->view.width = f->view.height = SIZE;
    f->view.orbit = sn_orbit_frame(f->view.orbit, sn_viewport_bounds(f->viewport, 0), 1.0f);
    return 0;
}

static int close_fixture(void** state) {
    Fixture* f = *state;
    sn_viewport_destroy(f->viewport);
    sn_character_destroy(f->linear);
    sn_character_destroy(f->lattice);
    sn_model_destroy(f->model);
    free(f);
    return 0;
}

static Fixture* use(void** state) {
    Fixture* f = *state;
    if (f->viewport == NULL) test_skip("no OpenGL");
    return f;
}

static snImage* draw(Fixture* f) {
    snImage* image = NULL;
    snError error = sn_error_none();
    if (sn_viewport_draw(f->viewport, &f->view, &error) != SN_RESULT_OK) fail_msg("%s", error.text);
    assert_ok(sn_viewport_read(f->viewport, NULL, &image, NULL));
    return image;
}

static snViewportStats stats(const Fixture* f) {
    snViewportStats out;
    sn_viewport_stats(f->viewport, &out);
    return out;
}

static uint32_t count_different(const snImage* a, const snImage* b, int tolerance) {
    uint32_t count = 0;
    for (uint32_t y = 0; y < a->height; y++)
        for (uint32_t x = 0; x < a->width; x++)
            count += test_count_unlike(a, x, y, 1, 1, test_pixel(b, x, y), tolerance);
    return count;
}

static bool is_near(TestPixel p, uint32_t color, int tolerance) {
    return abs(p.r - (int)(color >> 24)) <= tolerance && abs(p.g - (int)(color >> 16 & 255)) <= tolerance &&
           abs(p.b - (int)(color >> 8 & 255)) <= tolerance;
}

static TestPixel pixel_at(const snImage* image, snVec3 at) {
    return test_pixel(image, (uint32_t)at.x, (uint32_t)at.y);
}

// ------------------------------------------------------------------------------------------------- surfaces

// Every vertex is seen on the body: the camera, the frame of the scene and what hangs the surface agree.
static void check_vertices(Fixture* f, uint32_t pane) {
    f->view.looks[pane].ground = false;
    snImage* image = draw(f);
    sn_viewport_set_model(f->viewport, pane, NULL, NULL, NULL);
    snImage* empty = draw(f);
    const snCharacter* character = pane == 0 ? f->linear : f->lattice;
    snSurface surface = sn_character_surface(character, 0);
    uint32_t off = 0, inside = 0;
    for (uint32_t v = 0; v < surface.vertex_count; v++) {
        snVec3 at = sn_viewport_project(f->viewport, pane, surface.positions[v]);
        if (at.x < 2 || at.y < 2 || at.x > SIZE - 2 || at.y > SIZE - 2) continue;
        inside++;
        // Vertices of the silhouette may lie a pixel outside.
        off += test_count_unlike(image, (uint32_t)at.x - 1, (uint32_t)at.y - 1, 3, 3, pixel_at(empty, at),
                                 6) == 0;
    }
    assert_true(inside > surface.vertex_count / 2);
    assert_int_equal(off, 0);
    sn_image_destroy(image);
    sn_image_destroy(empty);
}

static void every_vertex_is_where_it_is_seen(void** state) {
    Fixture* f = use(state);
    sn_character_pose_clip(f->linear, 0, 0.7f, SN_WRAP_LOOP);
    assert_ok(sn_viewport_update(f->viewport, 0, NULL));
    f->view.orbit = sn_orbit_frame(f->view.orbit, sn_viewport_bounds(f->viewport, 0), 1.0f);
    check_vertices(f, 0);
}

static void a_lattice_hangs_on_the_gpu(void** state) {
    Fixture* f = use(state);
    sn_character_pose_clip(f->lattice, 0, 0.7f, SN_WRAP_LOOP);
    assert_ok(sn_viewport_set_model(f->viewport, 1, f->model, f->lattice, NULL));
    f->view.orbit = sn_orbit_frame(f->view.orbit, sn_viewport_bounds(f->viewport, 1), 1.0f);
    f->view.split = SN_SPLIT_WIPE;
    f->view.split_at = 0.0f;
    check_vertices(f, 1);
}

static void splines_hang_on_the_gpu(void** state) {
    Fixture* f = use(state);
    sn_viewport_set_model(f->viewport, 0, NULL, NULL, NULL);
    sn_character_destroy(f->linear);
    sn_character_destroy(f->lattice);
    sn_model_destroy(f->model);
    f->lattice = NULL;
    snTubeDef tube = sn_tube_def(); // not bound: else it would hang in a lattice, too
    assert_ok(sn_builtin_tube(&tube, NULL, &f->model, NULL));
    f->linear = character_of(f->model, SN_SKIN_SPLINE);
    assert_non_null(sn_character_spline_skin(f->linear, 0));
    assert_ok(sn_viewport_set_model(f->viewport, 0, f->model, f->linear, NULL));
    snViewportStats before = stats(f);
    sn_character_pose_clip(f->linear, 0, 0.7f, SN_WRAP_LOOP);
    assert_ok(sn_viewport_update(f->viewport, 0, NULL));
    uint64_t rows = (stats(f).bytes_streamed - before.bytes_streamed) / (1024 * 16);
    assert_int_equal(rows, (3 * sn_splines_matrix_count(sn_character_splines(f->linear)) + 1023) / 1024 + 1);
    f->view.orbit = sn_orbit_frame(f->view.orbit, sn_viewport_bounds(f->viewport, 0), 1.0f);
    check_vertices(f, 0);
}

static void clay_hides_the_colors_of_a_model(void** state) {
    Fixture* f = use(state);
    snModel* cube = test_cube_model(2);
    snMesh* mesh = cube->parts[0].mesh;
    snVec4 blue[64];
    assert_true(mesh->vertex_count <= 64);
    for (uint32_t v = 0; v < 64; v++) blue[v] = (snVec4){0.05f, 0.1f, 1.0f, 1.0f};
    mesh->colors = blue;
    assert_ok(sn_viewport_set_model(f->viewport, 0, cube, NULL, NULL));
    f->view.orbit = sn_orbit_frame(f->view.orbit, sn_viewport_bounds(f->viewport, 0), 1.0f);
    snImage* own = draw(f);
    f->view.looks[0].materials = false;
    snImage* clay = draw(f);
    assert_int_equal(test_count_warm(own, 0, 0, SIZE, SIZE), 0);
    assert_true(test_pixel(own, SIZE / 2, SIZE / 2).b > test_pixel(own, SIZE / 2, SIZE / 2).r + 40);
    assert_true(test_count_warm(clay, 0, 0, SIZE, SIZE) > 400);
    sn_image_destroy(own);
    sn_image_destroy(clay);
    sn_viewport_set_model(f->viewport, 0, NULL, NULL, NULL);
    mesh->colors = NULL;
    sn_model_destroy(cube);
}

static void rest_needs_no_character(void** state) {
    Fixture* f = use(state);
    snImage* posed = draw(f);
    assert_ok(sn_viewport_set_model(f->viewport, 0, f->model, NULL, NULL));
    snImage* rest = draw(f);
    assert_int_equal(count_different(posed, rest, 2), 0);
    assert_true(test_count_warm(rest, 0, 0, SIZE, SIZE) > 400);
    sn_image_destroy(posed);
    sn_image_destroy(rest);
}

// ------------------------------------------------------------------------------------------------- uploads

static void updates_bring_only_what_moved(void** state) {
    Fixture* f = use(state);
    uint64_t row = 1024 * 16; // bytes of a row of texels
    uint32_t vertices = f->model->parts[0].mesh->vertex_count;
    uint32_t particles = f->model->binding->lattice->particle_count;
    assert_ok(sn_viewport_set_model(f->viewport, 1, f->model, f->lattice, NULL));
    f->view.split = SN_SPLIT_SIDES;
    sn_image_destroy(draw(f));
    snViewportStats before = stats(f);
    sn_character_pose_clip(f->linear, 0, 0.2f, SN_WRAP_LOOP);
    assert_ok(sn_viewport_update(f->viewport, 0, NULL));
    assert_int_equal(stats(f).bytes_streamed - before.bytes_streamed, (vertices + 1023) / 1024 * row);
    snViewportStats middle = stats(f);
    sn_character_pose_clip(f->lattice, 0, 0.2f, SN_WRAP_LOOP);
    assert_ok(sn_viewport_update(f->viewport, 1, NULL));
    assert_int_equal(stats(f).bytes_streamed - middle.bytes_streamed, (particles + 1023) / 1024 * row);
    // A draw brings nothing, and none of them allocates or keeps anything.
    middle = stats(f);
    f->view.looks[0].joint = f->view.looks[0].selected_joint = 1; // choosing a joint, too
    assert_ok(sn_viewport_draw(f->viewport, &f->view, NULL));
    assert_int_equal(stats(f).bytes_streamed, middle.bytes_streamed);
    assert_int_equal(stats(f).bytes_kept, before.bytes_kept);
    assert_int_equal(stats(f).allocations, before.allocations);
    assert_true(stats(f).draw_calls > middle.draw_calls);
}

static void panes_share_a_model(void** state) {
    Fixture* f = use(state);
    uint64_t first = stats(f).bytes_kept;
    assert_ok(sn_viewport_set_model(f->viewport, 1, f->model, f->linear, NULL));
    uint64_t second = stats(f).bytes_kept - first;
    uint32_t indices = sn_mesh_triangle_count(f->model->parts[0].mesh) * 3;
    assert_true(second + indices * sizeof(uint32_t) <= first);
    // The first pane can go; what is shared stays.
    assert_ok(sn_viewport_set_model(f->viewport, 0, NULL, NULL, NULL));
    f->view.split = SN_SPLIT_SIDES;
    snImage* image = draw(f);
    assert_true(test_count_warm(image, SIZE / 2, 0, SIZE / 2, SIZE) > 100);
    sn_image_destroy(image);
    // And set again it costs nothing but what hangs it.
    uint64_t before = stats(f).bytes_kept;
    assert_ok(sn_viewport_set_model(f->viewport, 0, f->model, f->linear, NULL));
    assert_int_equal(stats(f).bytes_kept - before, second);
    sn_viewport_forget(f->viewport);
    assert_true(sn_viewport_bounds(f->viewport, 0).min.x > sn_viewport_bounds(f->viewport, 0).max.x);
}

static void shadows_are_drawn_when_something_moved(void** state) {
    Fixture* f = use(state);
    assert_ok(sn_viewport_draw(f->viewport, &f->view, NULL));
    uint64_t before = stats(f).shadows;
    assert_ok(sn_viewport_draw(f->viewport, &f->view, NULL));
    f->view.orbit = sn_orbit_pan(f->view.orbit, 5.0f, 5.0f, SIZE, NULL);
    f->view.orbit = sn_orbit_zoom(f->view.orbit, 0.9f, 10.0f, 10.0f, SIZE, SIZE, NULL);
    assert_ok(sn_viewport_draw(f->viewport, &f->view, NULL));
    assert_int_equal(stats(f).shadows, before);
    f->view.orbit = sn_orbit_turn(f->view.orbit, 0.1f, 0.0f); // lights go along
    assert_ok(sn_viewport_draw(f->viewport, &f->view, NULL));
    assert_int_equal(stats(f).shadows, before + 1);
    assert_ok(sn_viewport_update(f->viewport, 0, NULL));
    assert_ok(sn_viewport_draw(f->viewport, &f->view, NULL));
    assert_int_equal(stats(f).shadows, before + 2);
}

// --------------------------------------------------------------------------------------------------- looks

static void backdrops(void** state) {
    Fixture* f = use(state);
    snImage* light = draw(f);
    f->view.backdrop = SN_BACKDROP_DARK;
    snImage* dark = draw(f);
    assert_true(test_gray(light, 3, 3) > 190);
    assert_true(test_gray(dark, 3, 3) < 50 && test_gray(dark, 3, 3) > 20);
    // The body is lit alike.
    TestPixel a = test_pixel(light, SIZE / 2, SIZE / 2), b = test_pixel(dark, SIZE / 2, SIZE / 2);
    assert_true(abs(a.r - b.r) <= 1 && abs(a.b - b.b) <= 1);
    // A shadow on a dark floor is darker than the floor.
    f->view.looks[0].ground = false;
    snImage* bare = draw(f);
    uint32_t darker = 0;
    for (uint32_t y = 0; y < SIZE; y++)
        for (uint32_t x = 0; x < SIZE; x++) {
            assert_true(test_gray(dark, x, y) <= test_gray(bare, x, y) + 2);
            darker += test_gray(dark, x, y) + 4 < test_gray(bare, x, y);
        }
    assert_true(darker > 50);
    sn_image_destroy(light);
    sn_image_destroy(dark);
    sn_image_destroy(bare);
}

static double linear(double srgb) {
    double c = srgb / 255.0;
    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

// Laid over the light backdrop, a picture without one is the picture with it: body, soft edges and shadow.
static void pictures_without_backdrop(void** state) {
    Fixture* f = use(state);
    snImage* whole = draw(f);
    f->view.backdrop = SN_BACKDROP_NONE;
    snImage* cut = draw(f);
    f->view.backdrop = SN_BACKDROP_LIGHT;
    assert_ok(sn_viewport_set_model(f->viewport, 0, NULL, NULL, NULL));
    snImage* under = draw(f);
    uint32_t clear = 0, half = 0, full = 0;
    for (uint32_t i = 0; i < 4 * SIZE * SIZE; i += 4) {
        uint8_t opacity = cut->pixels[i + 3];
        clear += opacity == 0, full += opacity == 255, half += opacity > 0 && opacity < 255;
        double alpha = opacity / 255.0;
        double laid = alpha * linear(cut->pixels[i]) + (1.0 - alpha) * linear(under->pixels[i]);
        assert_true(fabs(laid - linear(whole->pixels[i])) < 0.02);
    }
    assert_true(clear > SIZE * SIZE / 8 && full > SIZE * SIZE / 20 && half > 50);
    sn_image_destroy(whole);
    sn_image_destroy(cut);
    sn_image_destroy(under);
}

// Only boxes around what is seen are drawn. A mark behind the eye, which shows nothing, makes them the whole
// view: the picture must stay the same.
static void assert_nothing_is_cut_off(Fixture* f) {
    snImage* image = draw(f);
    snCamera camera = sn_orbit_camera(f->view.orbit, 1.0f);
    snMark mark = sn_mark();
    mark.a = sn_add(camera.eye, camera.back);
    f->view.marks = &mark;
    f->view.mark_count = 1;
    snImage* whole = draw(f);
    f->view.mark_count = 0;
    assert_int_equal(count_different(image, whole, 0), 0);
    sn_image_destroy(image);
    sn_image_destroy(whole);
}

static void nothing_is_cut_off(void** state) {
    Fixture* f = use(state);
    assert_ok(sn_viewport_set_model(f->viewport, 0, f->model, f->lattice, NULL));
    assert_ok(sn_viewport_set_model(f->viewport, 1, f->model, f->linear, NULL));
    sn_character_pose_clip(f->lattice, 0, 0.9f, SN_WRAP_LOOP);
    assert_ok(sn_viewport_update(f->viewport, 0, NULL));
    snOrbit far_orbit = f->view.orbit;
    for (int i = 0; i < 12; i++) {
        f->view.orbit = sn_orbit_turn(far_orbit, 0.7f * (float)i, 0.1f * (float)(i - 6));
        f->view.orbit.distance *= i % 4 == 3 ? 0.02f : i % 4 == 2 ? 0.3f : 1.0f;
        f->view.split = (snSplit)(i % 3);
        f->view.split_at = 0.37f;
        f->view.looks[0].show = i % 2 == 0 ? SN_SHOW_SURFACE : SN_SHOW_LATTICE;
        f->view.looks[0].wireframe = f->view.looks[1].joints = i % 3 == 0;
        f->view.looks[0].selected_part = i % 4 == 0 ? 0 : SN_NONE;
        f->view.axes = i % 5 == 0;
        assert_nothing_is_cut_off(f);
    }
}

static void frames_leave_nothing_behind(void** state) {
    Fixture* f = use(state);
    snImage* before = draw(f);
    snBounds b = sn_viewport_bounds(f->viewport, 0);
    snMark marks[2] = {sn_mark(), sn_mark()};
    marks[0].a = sn_lerp(b.min, b.max, 1.3f);
    marks[1].a = sn_lerp(b.min, b.max, -0.3f);
    f->view.marks = marks;
    f->view.mark_count = 2;
    f->view.axes = true;
    snImage* marked = draw(f);
    f->view.mark_count = 0;
    f->view.axes = false;
    snImage* after = draw(f);
    assert_true(count_different(before, marked, 20) > 50);
    assert_int_equal(count_different(before, after, 0), 0);
    sn_image_destroy(before);
    sn_image_destroy(marked);
    sn_image_destroy(after);
}

static void every_look_shows_something_else(void** state) {
    Fixture* f = use(state);
    snImage* images[SN_SHOW_GIVEN + 1];
    uint32_t vertices = f->model->parts[0].mesh->vertex_count;
    float* values = calloc(vertices, sizeof *values);
    for (uint32_t v = 0; v < vertices; v++) values[v] = f->model->parts[0].mesh->positions[v].x;
    assert_ok(sn_viewport_set_heat(f->viewport, 0, values, vertices, -1.0f, 1.0f, "Gap", "mm", NULL));
    assert_ok(sn_viewport_set_model(f->viewport, 0, f->model, f->lattice, NULL));
    assert_ok(sn_viewport_set_heat(f->viewport, 0, values, vertices, -1.0f, 1.0f, "Gap", "mm", NULL));
    sn_character_pose_clip(f->lattice, 0, 0.9f, SN_WRAP_LOOP);
    assert_ok(sn_viewport_update(f->viewport, 0, NULL));
    f->view.looks[0].joint = f->model->skeleton->joint_count - 1;
    for (int show = SN_SHOW_SURFACE; show <= SN_SHOW_GIVEN; show++) {
        f->view.looks[0].show = (snShow)show;
        images[show] = draw(f);
        for (int i = 0; i < show; i++) assert_true(count_different(images[i], images[show], 20) > 200);
    }
    for (int show = SN_SHOW_SURFACE; show <= SN_SHOW_GIVEN; show++) sn_image_destroy(images[show]);
    free(values);
}

static void legends_say_what_is_shown(void** state) {
    Fixture* f = use(state);
    snLegendInfo legend;
    sn_image_destroy(draw(f));
    sn_viewport_legend(f->viewport, 0, &legend);
    assert_null(legend.title);
    f->view.looks[0].show = SN_SHOW_WEIGHTS;
    f->view.looks[0].joint = 1;
    snImage* image = draw(f);
    sn_viewport_legend(f->viewport, 0, &legend);
    assert_non_null(strstr(legend.title, f->model->skeleton->names[1]));
    assert_near(legend.max, 1.0f, 0.0f);
    assert_string_equal(legend.unit, "");
    f->view.looks[0].joint = 0; // another joint, another map
    snImage* other = draw(f);
    sn_viewport_legend(f->viewport, 0, &legend);
    assert_non_null(strstr(legend.title, f->model->skeleton->names[0]));
    assert_true(count_different(image, other, 20) > 100);
    sn_image_destroy(other);
    // Zero is grey, and full is not.
    uint32_t low = legend.colors[0], high = legend.colors[legend.color_count - 1];
    assert_true(abs((int)(low >> 16) - (int)(low & 255)) < 3);
    assert_true((int)(high >> 16) - (int)(high & 255) > 60);
    assert_true(test_count_warm(image, 0, 0, SIZE, SIZE) > 0);
    sn_image_destroy(image);
    f->view.looks[0].show = SN_SHOW_MOVES;
    sn_image_destroy(draw(f));
    sn_viewport_legend(f->viewport, 0, &legend);
    assert_string_equal(legend.unit, "mm");
    assert_true(legend.max > 1.0f);
    // Values that do not fit the model are not shown.
    float few[3] = {0};
    assert_ok(sn_viewport_set_heat(f->viewport, 0, few, 3, 0.0f, 1.0f, "Few", "", NULL));
    f->view.looks[0].show = SN_SHOW_GIVEN;
    sn_image_destroy(draw(f));
    sn_viewport_legend(f->viewport, 0, &legend);
    assert_null(legend.title);
}

// Painted weights are seen after a touch.
static void touching_shows_new_weights(void** state) {
    Fixture* f = use(state);
    f->view.looks[0].show = SN_SHOW_ALL_WEIGHTS;
    snImage* before = draw(f);
    snWeights* weights = &f->model->parts[0].weights;
    for (uint32_t i = 0; i < f->model->parts[0].mesh->vertex_count * weights->influences; i++)
        weights->joints[i] = 0;
    snImage* same = draw(f);
    assert_int_equal(count_different(before, same, 0), 0);
    sn_viewport_touch(f->viewport, 0);
    snImage* after = draw(f);
    assert_true(count_different(before, after, 20) > 200);
    sn_image_destroy(before);
    sn_image_destroy(same);
    sn_image_destroy(after);
}

static void what_a_model_has_not_is_its_surface(void** state) {
    Fixture* f = use(state);
    snModel* cube = test_cube_model(2);
    assert_ok(sn_viewport_set_model(f->viewport, 0, cube, NULL, NULL));
    snImage* surface = draw(f);
    static const snShow none[] = {SN_SHOW_LATTICE, SN_SHOW_PARTS, SN_SHOW_MOVES, SN_SHOW_GIVEN};
    for (size_t i = 0; i < 4; i++) {
        f->view.looks[0].show = none[i];
        snImage* image = draw(f);
        assert_int_equal(count_different(surface, image, 0), 0);
        sn_image_destroy(image);
    }
    sn_image_destroy(surface);
    sn_viewport_set_model(f->viewport, 0, NULL, NULL, NULL);
    sn_model_destroy(cube);
}

static void wires_are_seen_and_cost_nothing_when_off(void** state) {
    Fixture* f = use(state);
    snImage* plain = draw(f);
    f->view.looks[0].wireframe = true;
    snImage* wired = draw(f);
    uint32_t darker = 0;
    for (uint32_t y = 0; y < SIZE; y++)
        for (uint32_t x = 0; x < SIZE; x++) darker += test_gray(wired, x, y) + 15 < test_gray(plain, x, y);
    assert_true(darker > 200);
    f->view.looks[0].wireframe = false;
    snImage* again = draw(f);
    assert_int_equal(count_different(plain, again, 0), 0);
    sn_image_destroy(plain);
    sn_image_destroy(wired);
    sn_image_destroy(again);
}

static void joints_are_seen_through_the_body(void** state) {
    Fixture* f = use(state);
    f->view.looks[0].joints = true;
    f->view.looks[0].selected_joint = 1;
    f->view.backdrop = SN_BACKDROP_DARK;
    snImage* image = draw(f);
    const snMat4* world = sn_character_world(f->linear);
    for (uint32_t j = 0; j < f->model->skeleton->joint_count; j++) {
        snVec3 at = sn_viewport_project(f->viewport, 0, sn_mat4_translation(&world[j]));
        assert_true(is_near(pixel_at(image, at), j == 1 ? 0x5CCBBFFF : 0xFFFFFFFF, 3));
    }
    sn_image_destroy(image);
}

static uint32_t count_color(const snImage* image, uint32_t color) {
    uint32_t count = 0;
    for (uint32_t y = 0; y < image->height; y++)
        for (uint32_t x = 0; x < image->width; x++) count += is_near(test_pixel(image, x, y), color, 12);
    return count;
}

static void a_selected_part_has_an_outline(void** state) {
    Fixture* f = use(state);
    f->view.backdrop = SN_BACKDROP_DARK;
    snImage* plain = draw(f);
    f->view.looks[0].selected_part = 0;
    snImage* outlined = draw(f);
    assert_int_equal(count_color(plain, 0x5CCBBFFF), 0);
    assert_true(count_color(outlined, 0x5CCBBFFF) > 100);
    // Only around it: the middle of the body is as it was.
    assert_int_equal(test_gray(plain, SIZE / 2, SIZE / 2), test_gray(outlined, SIZE / 2, SIZE / 2));
    sn_image_destroy(plain);
    sn_image_destroy(outlined);
}

// -------------------------------------------------------------------------------------------------- panes

static void panes_stand_side_by_side(void** state) {
    Fixture* f = use(state);
    f->view.width = 2 * SIZE;
    f->view.split = SN_SPLIT_SIDES;
    snImage* one = draw(f);
    assert_true(test_count_warm(one, 0, 0, SIZE, SIZE) > 400);
    assert_int_equal(test_count_warm(one, SIZE + 1, 0, SIZE - 1, SIZE), 0);
    assert_ok(sn_viewport_set_model(f->viewport, 1, f->model, f->linear, NULL));
    snImage* both = draw(f);
    for (uint32_t y = 0; y < SIZE; y++) // the same view in both
        for (uint32_t x = 0; x < SIZE; x++)
            assert_int_equal(test_count_unlike(both, x, y, 1, 1, test_pixel(both, x + SIZE, y), 1), 0);
    assert_int_equal(sn_viewport_pane(f->viewport, SIZE - 1.0f, 5.0f), 0);
    assert_int_equal(sn_viewport_pane(f->viewport, SIZE + 1.0f, 5.0f), 1);
    // Rays of both meet in one place.
    snVec3 origin[2], direction[2];
    sn_viewport_ray(f->viewport, 30.0f, 40.0f, &origin[0], &direction[0]);
    sn_viewport_ray(f->viewport, 30.0f + SIZE, 40.0f, &origin[1], &direction[1]);
    assert_near(sn_distance(direction[0], direction[1]), 0.0f, 1e-6f);
    sn_image_destroy(one);
    sn_image_destroy(both);
}

static void a_wipe_is_one_view(void** state) {
    Fixture* f = use(state);
    snImage* whole = draw(f);
    assert_ok(sn_viewport_set_model(f->viewport, 1, f->model, f->linear, NULL));
    f->view.split = SN_SPLIT_WIPE;
    f->view.split_at = 0.4f;
    snImage* wiped = draw(f);
    assert_int_equal(count_different(whole, wiped, 1), 0);
    f->view.looks[1].show = SN_SHOW_NORMALS;
    snImage* other = draw(f);
    uint32_t border = (uint32_t)(0.4f * SIZE + 0.5f), left = 0, right = 0;
    for (uint32_t y = 0; y < SIZE; y++)
        for (uint32_t x = 0; x < SIZE; x++) {
            uint32_t differs = test_count_unlike(other, x, y, 1, 1, test_pixel(whole, x, y), 8);
            *(x < border ? &left : &right) += differs;
        }
    assert_int_equal(left, 0);
    assert_true(right > 200);
    sn_image_destroy(whole);
    sn_image_destroy(wiped);
    sn_image_destroy(other);
}

// The scene goes along with a body that travels: it looks the same far away.
static void far_away_looks_the_same(void** state) {
    Fixture* f = use(state);
    snImage* here = draw(f);
    uint32_t joints = f->model->skeleton->joint_count;
    snTrs* locals = calloc(joints, sizeof *locals);
    memcpy(locals, f->model->skeleton->rest, joints * sizeof *locals);
    snVec3 by = {256.0f, 0.0f, -128.0f};
    for (uint32_t j = 0; j < joints; j++)
        if (f->model->skeleton->parents[j] == SN_NONE)
            locals[j].translation = sn_add(locals[j].translation, by);
    assert_ok(sn_character_pose_locals(f->linear, locals));
    assert_ok(sn_viewport_update(f->viewport, 0, NULL));
    f->view.follow = by;
    snImage* there = draw(f);
    assert_true(count_different(here, there, 24) < SIZE * SIZE / 100);
    snVec3 middle = sn_viewport_middle(f->viewport, 0);
    assert_true(middle.x > 250.0f && middle.z < -120.0f);
    free(locals);
    sn_image_destroy(here);
    sn_image_destroy(there);
}

// --------------------------------------------------------------------------------------- marks and gizmos

static void marks_are_where_they_should_be(void** state) {
    Fixture* f = use(state);
    snBounds b = sn_viewport_bounds(f->viewport, 0);
    snVec3 inside = sn_scale(sn_add(b.min, b.max), 0.5f);
    snMark marks[2] = {sn_mark(), sn_mark()};
    marks[0].a = inside;
    marks[0].color = 0xFF0000FF;
    marks[1].kind = SN_MARK_LINE;
    marks[1].a = sn_add(inside, sn_vec3(-5, 0, 0));
    marks[1].b = sn_add(inside, sn_vec3(5, 0, 0));
    marks[1].color = 0x0000FFFF;
    marks[1].on_top = false;
    f->view.marks = marks;
    f->view.mark_count = 2;
    snImage* image = draw(f);
    snVec3 at = sn_viewport_project(f->viewport, 0, inside);
    assert_true(is_near(pixel_at(image, at), 0xFF0000FF, 3)); // through the body
    assert_true(count_color(image, 0x0000FFFF) > 50);         // what of the line is beside it
    sn_image_destroy(image);
    marks[0].on_top = false; // the body hides it
    marks[1].panes = 2;      // and this is for the other pane
    image = draw(f);
    assert_int_equal(count_color(image, 0xFF0000FF), 0);
    assert_int_equal(count_color(image, 0x0000FFFF), 0);
    sn_image_destroy(image);
    // A ring of pixels keeps its size.
    marks[0] = sn_mark();
    marks[0].kind = SN_MARK_RING;
    marks[0].a = inside;
    marks[0].radius = -20.0f;
    marks[0].size = 3.0f;
    marks[0].color = 0xFF0000FF;
    f->view.mark_count = 1;
    image = draw(f);
    assert_true(is_near(pixel_at(image, sn_add(at, sn_vec3(20, 0, 0))), 0xFF0000FF, 40));
    assert_true(is_near(pixel_at(image, sn_add(at, sn_vec3(0, -20, 0))), 0xFF0000FF, 40));
    assert_false(is_near(pixel_at(image, at), 0xFF0000FF, 40));
    sn_image_destroy(image);
}

static void joints_are_picked(void** state) {
    Fixture* f = use(state);
    assert_int_equal(sn_viewport_pick_joint(f->viewport, 0, 64.0f, 64.0f, 100.0f), SN_NONE); // before a draw
    sn_image_destroy(draw(f));
    const snMat4* world = sn_character_world(f->linear);
    for (uint32_t j = 0; j < f->model->skeleton->joint_count; j++) {
        snVec3 at = sn_viewport_project(f->viewport, 0, sn_mat4_translation(&world[j]));
        assert_int_equal(sn_viewport_pick_joint(f->viewport, 0, at.x + 2.0f, at.y - 2.0f, 8.0f), j);
    }
    assert_int_equal(sn_viewport_pick_joint(f->viewport, 0, 1.0f, 1.0f, 8.0f), SN_NONE);
    assert_int_equal(sn_viewport_pick_joint(f->viewport, 1, 64.0f, 64.0f, 100.0f), SN_NONE);
}

static void axes_are_drawn_and_picked(void** state) {
    Fixture* f = use(state);
    f->view.axes = true;
    f->view.axes_x = f->view.axes_y = 40.0f;
    f->view.orbit = sn_orbit_axis(f->view.orbit, SN_VIEW_FRONT);
    snImage* image = draw(f);
    float x = SIZE - 40.0f, y = 40.0f, arm = 26.0f;
    assert_true(is_near(test_pixel(image, (uint32_t)(x + arm + 6.0f), (uint32_t)y), 0xDE665BFF, 6));
    assert_true(is_near(test_pixel(image, (uint32_t)x, (uint32_t)(y - arm - 6.0f)), 0x6FBE74FF, 6));
    assert_int_equal(sn_viewport_pick_axis(f->viewport, x + arm, y), SN_VIEW_RIGHT);
    assert_int_equal(sn_viewport_pick_axis(f->viewport, x - arm, y), SN_VIEW_LEFT);
    assert_int_equal(sn_viewport_pick_axis(f->viewport, x, y - arm), SN_VIEW_TOP);
    assert_int_equal(sn_viewport_pick_axis(f->viewport, x, y + arm), SN_VIEW_BOTTOM);
    assert_int_equal(sn_viewport_pick_axis(f->viewport, x, y), SN_VIEW_FRONT); // before the back
    assert_int_equal(sn_viewport_pick_axis(f->viewport, 5.0f, 5.0f), SN_VIEW_NONE);
    sn_image_destroy(image);
}

static void gizmos_are_drawn_and_picked(void** state) {
    Fixture* f = use(state);
    f->view.orbit = sn_orbit_axis(f->view.orbit, SN_VIEW_FRONT);
    f->view.gizmo.at = f->view.orbit.target;
    f->view.width = f->view.height = 256;
    f->view.gizmo.kind = SN_GIZMO_MOVE;
    snImage* image = draw(f);
    assert_true(is_near(test_pixel(image, 128 + 40, 128), 0xDE665BFF, 6));
    assert_int_equal(sn_viewport_pick_gizmo(f->viewport, 128.0f + 40.0f, 130.0f), SN_GIZMO_X);
    assert_int_equal(sn_viewport_pick_gizmo(f->viewport, 126.0f, 128.0f - 50.0f), SN_GIZMO_Y);
    assert_int_equal(sn_viewport_pick_gizmo(f->viewport, 128.0f + 40.0f, 180.0f), SN_GIZMO_PART_NONE);
    sn_image_destroy(image);
    f->view.gizmo.kind = SN_GIZMO_TURN;
    image = draw(f);
    float side = 74.0f * 0.70710678f;
    assert_true(
        is_near(test_pixel(image, (uint32_t)(128.0f + side), (uint32_t)(128.0f - side)), 0x679BE8FF, 40));
    assert_int_equal(sn_viewport_pick_gizmo(f->viewport, 128.0f + side, 128.0f - side), SN_GIZMO_Z);
    assert_int_equal(sn_viewport_pick_gizmo(f->viewport, 128.0f, 128.0f - 40.0f), SN_GIZMO_X); // edge on
    sn_image_destroy(image);
    f->view.gizmo.kind = SN_GIZMO_NONE;
    sn_image_destroy(draw(f));
    assert_int_equal(sn_viewport_pick_gizmo(f->viewport, 128.0f + side, 128.0f - side), SN_GIZMO_PART_NONE);
}

// -------------------------------------------------------------------------------------------------- others

// What pages have: the same picture.
static void opengl_es_draws_the_same(void** state) {
    Fixture* f = use(state);
    f->view.looks[0].joints = true;
    f->view.looks[0].wireframe = true;
    f->view.looks[0].selected_part = 0;
    f->view.axes = true;
    snImage* core = draw(f);
    Fixture es = *f;
    es.viewport = open_viewport(sn_gl_context_open_es);
    if (es.viewport == NULL) test_skip("no OpenGL ES");
    assert_ok(sn_viewport_set_model(es.viewport, 0, f->model, f->linear, NULL));
    snImage* image = draw(&es);
    assert_true(count_different(core, image, 4) < SIZE * SIZE / 200);
    sn_viewport_destroy(es.viewport);
    sn_image_destroy(core);
    sn_image_destroy(image);
}

static void bad_views_are_refused(void** state) {
    Fixture* f = use(state);
    snImage* image = NULL;
    assert_int_equal(sn_viewport_read(f->viewport, NULL, &image, NULL), SN_RESULT_INVALID_ARGUMENT);
    snViewDef view = f->view;
    view.width = 0;
    assert_int_equal(sn_viewport_draw(f->viewport, &view, NULL), SN_RESULT_INVALID_ARGUMENT);
    view = f->view;
    view.height = 9000;
    assert_int_equal(sn_viewport_draw(f->viewport, &view, NULL), SN_RESULT_INVALID_ARGUMENT);
    view = f->view;
    view.orbit.distance = 0.0f;
    assert_int_equal(sn_viewport_draw(f->viewport, &view, NULL), SN_RESULT_INVALID_ARGUMENT);
    view = f->view;
    view.mark_count = 1;
    assert_int_equal(sn_viewport_draw(f->viewport, &view, NULL), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_viewport_set_model(f->viewport, 2, f->model, NULL, NULL), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_viewport_update(f->viewport, 2, NULL), SN_RESULT_INVALID_ARGUMENT);
    snViewportDef def = sn_viewport_def();
    snViewport* viewport = NULL;
    def.supersample = 5;
    assert_int_equal(sn_viewport_create(&def, NULL, &viewport, NULL), SN_RESULT_INVALID_ARGUMENT);
    def.supersample = 1;
    def.canvas = "#view"; // only pages have one
    assert_int_equal(sn_viewport_create(&def, NULL, &viewport, NULL), SN_RESULT_UNSUPPORTED);
}

static snResult show_once(const snAllocator* allocator, void* context) {
    Fixture* f = context;
    snViewportDef def = sn_viewport_def();
    def.supersample = 1;
    def.samples = 1;
    snViewport* viewport = NULL;
    snResult result = sn_viewport_create(&def, allocator, &viewport, NULL);
    if (result == SN_RESULT_OK) result = sn_viewport_set_model(viewport, 0, f->model, f->linear, NULL);
    snViewDef view = f->view;
    view.width = view.height = 16;
    view.looks[0].show = SN_SHOW_WEIGHTS;
    view.looks[0].joints = true;
    view.looks[0].wireframe = true;
    if (result == SN_RESULT_OK) result = sn_viewport_draw(viewport, &view, NULL);
    sn_viewport_destroy(viewport);
    return result;
}

static void memory_may_run_out(void** state) {
    Fixture* f = use(state);
    test_every_allocation(show_once, f);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_fixture, close_fixture)

int main(void) {
    const struct CMUnitTest tests[] = {TEST(every_vertex_is_where_it_is_seen),
                                       TEST(a_lattice_hangs_on_the_gpu),
                                       TEST(splines_hang_on_the_gpu),
                                       TEST(clay_hides_the_colors_of_a_model),
                                       TEST(rest_needs_no_character),
                                       TEST(updates_bring_only_what_moved),
                                       TEST(panes_share_a_model),
                                       TEST(shadows_are_drawn_when_something_moved),
                                       TEST(backdrops),
                                       TEST(pictures_without_backdrop),
                                       TEST(nothing_is_cut_off),
                                       TEST(frames_leave_nothing_behind),
                                       TEST(every_look_shows_something_else),
                                       TEST(legends_say_what_is_shown),
                                       TEST(touching_shows_new_weights),
                                       TEST(what_a_model_has_not_is_its_surface),
                                       TEST(wires_are_seen_and_cost_nothing_when_off),
                                       TEST(joints_are_seen_through_the_body),
                                       TEST(a_selected_part_has_an_outline),
                                       TEST(panes_stand_side_by_side),
                                       TEST(a_wipe_is_one_view),
                                       TEST(far_away_looks_the_same),
                                       TEST(marks_are_where_they_should_be),
                                       TEST(joints_are_picked),
                                       TEST(axes_are_drawn_and_picked),
                                       TEST(gizmos_are_drawn_and_picked),
                                       TEST(opengl_es_draws_the_same),
                                       TEST(bad_views_are_refused),
                                       TEST(memory_may_run_out)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
