// Stages: what they show, where their camera stands, stills and films.
#include "stage.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "frames.h"
#include "picture.h"
#include "process.h"
#include "ramp.h"
#include "stage_state.h"

#define SIZE 96

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

typedef struct Fixture {
    snModel* model;
    snStage* stage;
    snShot scene;
} Fixture;

static snStageDef def_of(const snModel* model) {
    snStageDef def = sn_stage_def();
    def.renderer = test_renderer();
    def.model = model;
    def.path = "tube.glb";
    return def;
}

static snShot scene_of(snStage* stage, const snModel* model) {
    snStageSceneDef def = sn_stage_scene_def();
    assert_true(sn_view_parse("three-quarter", &def.view));
    def.width = def.height = SIZE;
    def.clip = 0;
    def.to = model->clips[0]->duration;
    return sn_stage_scene(stage, &def);
}

static int open_fixture(void** state) {
    Fixture* f = calloc(1, sizeof *f);
    *state = f;
    if (test_renderer() == NULL) return 0;
    f->model = bound_tube();
    snStageDef def = def_of(f->model);
    assert_ok(sn_stage_create(&def, NULL, &f->stage, NULL));
    f->scene = scene_of(f->stage, f->model);
    return 0;
}

static int close_fixture(void** state) {
    Fixture* f = *state;
    sn_stage_destroy(f->stage);
    sn_model_destroy(f->model);
    free(f);
    return 0;
}

static Fixture* use(void** state) {
    test_need_renderer();
    return *state;
}

static snImage* draw(Fixture* f) {
    snImage* image = NULL;
    sn_stage_begin(f->stage);
    assert_ok(sn_stage_draw(f->stage, 0, 0.5f * f->model->clips[0]->duration, &f->scene, &image, NULL));
    assert_int_equal(image->width, SIZE);
    return image;
}

static bool alike(const snImage* a, const snImage* b) {
    return a->width == b->width && a->height == b->height &&
           memcmp(a->pixels, b->pixels, (size_t)a->width * a->height * 4) == 0;
}

// Draws, and says whether it looks like this.
static bool draws(Fixture* f, const snImage* image) {
    snImage* now = draw(f);
    bool same = alike(now, image);
    sn_image_destroy(now);
    return same;
}

// ---------------------------------------------------------------------------------------------------- stills

static void a_still_is_what_is_drawn(void** state) {
    Fixture* f = use(state);
    char* path = test_out_copy("stage_still.png");
    unlink(path);
    snImage *drawn = draw(f), *read = NULL;
    assert_true(test_count_warm(drawn, 0, 0, SIZE, SIZE) > SIZE);
    sn_stage_begin(f->stage);
    float time = 0.5f * f->model->clips[0]->duration;
    assert_ok(sn_stage_still(f->stage, 0, time, &f->scene, path, NULL));
    assert_ok(sn_png_read(path, NULL, &read, NULL));
    assert_true(alike(drawn, read));
    snError error = sn_error_none();
    assert_int_equal(sn_stage_still(f->stage, 0, time, &f->scene, "/no/such/folder/x.png", &error),
                     SN_RESULT_IO);
    assert_int_equal(sn_stage_still(f->stage, 99, time, &f->scene, path, &error), SN_RESULT_NOT_FOUND);
    assert_string_equal(error.text, "posing failed: not found");
    sn_image_destroy(read);
    sn_image_destroy(drawn);
    free(path);
}

static void bad_data_names_the_model(void** state) {
    Fixture* f = use(state);
    snImage* image = NULL;
    snError error = sn_error_none();
    f->scene.bounds.max.y = 3e38f;
    assert_int_equal(sn_stage_draw(f->stage, 0, 0.0f, &f->scene, &image, &error), SN_RESULT_BAD_DATA);
    assert_string_equal(error.file, "tube.glb");
    assert_null(image);
}

static void bad_defs(void** state) {
    Fixture* f = use(state);
    snSurface surface = sn_character_surface(sn_stage_character(f->stage), 0);
    snSettings* settings = NULL;
    assert_ok(sn_settings_create(NULL, &settings, NULL));
    snStageDef defs[3] = {def_of(f->model), def_of(f->model), def_of(f->model)};
    defs[0].renderer = NULL;
    defs[1].model = NULL;
    defs[2].surfaces = &surface;
    defs[2].settings = settings;
    for (int i = 0; i < 3; i++) {
        snStage* stage = NULL;
        snError error = sn_error_none();
        assert_int_equal(sn_stage_create(&defs[i], NULL, &stage, &error), SN_RESULT_INVALID_ARGUMENT);
        assert_null(stage);
        assert_true(strlen(error.text) > 0);
    }
    sn_settings_destroy(settings);
    sn_stage_destroy(NULL);
}

// --------------------------------------------------------------------------------------------------- showing

// At rest the far end of the tube follows its last joint alone: the hot end of the ramp, and not in the plain
// picture.
static void weights_are_a_heat_map(void** state) {
    Fixture* f = use(state);
    snVec3 hot = sn_ramp_color(1.0f);
    TestPixel want = {sn_srgb_byte(hot.x), sn_srgb_byte(hot.y), sn_srgb_byte(hot.z), 255};
    snImage* plain = draw(f);
    uint32_t before = SIZE * SIZE - test_count_unlike(plain, 0, 0, SIZE, SIZE, want, 24);
    uint32_t last = f->model->skeleton->joint_count - 1;
    assert_ok(sn_stage_show_weights(f->stage, last, NULL, NULL));
    snImage* heat = draw(f);
    uint32_t after = SIZE * SIZE - test_count_unlike(heat, 0, 0, SIZE, SIZE, want, 24);
    assert_true(after > before + 20);
    // Another name is another legend and nothing else.
    assert_ok(sn_stage_show_weights(f->stage, last, "the end of it all", NULL));
    assert_false(draws(f, heat));
    assert_ok(sn_stage_show_weights(f->stage, last, f->model->skeleton->names[last], NULL));
    assert_true(draws(f, heat));
    sn_stage_show_surface(f->stage);
    assert_true(draws(f, plain));
    // A joint that is none leaves the surface.
    assert_int_equal(sn_stage_show_weights(f->stage, last + 1, NULL, NULL), SN_RESULT_INVALID_ARGUMENT);
    assert_true(draws(f, plain));
    sn_image_destroy(heat);
    sn_image_destroy(plain);
}

typedef snResult ShowFn(snStage* stage, snError* error);
static ShowFn* const shows[] = {sn_stage_show_all_weights, sn_stage_show_moves, sn_stage_show_lattice,
                                sn_stage_show_parts};
enum { SHOWS = sizeof shows / sizeof shows[0] };

// Each is a picture of its own, whatever was shown before it.
static void the_last_show_counts(void** state) {
    Fixture* f = use(state);
    snImage* images[SHOWS + 1] = {draw(f)};
    for (int i = 0; i < SHOWS; i++) {
        assert_ok(shows[i](f->stage, NULL));
        images[i + 1] = draw(f);
        for (int j = 0; j <= i; j++) assert_false(alike(images[i + 1], images[j]));
    }
    for (int i = SHOWS - 1; i >= 0; i--) {
        assert_ok(shows[i](f->stage, NULL));
        assert_true(draws(f, images[i + 1]));
    }
    sn_stage_show_surface(f->stage);
    assert_true(draws(f, images[0]));
    for (int i = 0; i <= SHOWS; i++) sn_image_destroy(images[i]);
}

static void a_missing_lattice_is_said(void** state) {
    use(state);
    snModel* model = test_cube_model(2);
    snStageDef def = def_of(model);
    snStage* stage = NULL;
    assert_ok(sn_stage_create(&def, NULL, &stage, NULL));
    for (int i = 1; i < SHOWS; i++) {
        snError error = sn_error_none();
        assert_int_equal(shows[i](stage, &error), SN_RESULT_NOT_FOUND);
        assert_string_equal(error.file, "tube.glb");
        assert_string_equal(error.text, "the model has no lattice");
    }
    sn_stage_destroy(stage);
    sn_model_destroy(model);
}

// --------------------------------------------------------------------------------------------------- framing

static void scenes_hold_a_clip_or_a_joint(void** state) {
    Fixture* f = use(state);
    snStageSceneDef def = sn_stage_scene_def();
    snShot rest = sn_stage_scene(f->stage, &def);
    assert_int_equal(rest.width, 960);
    assert_int_equal(rest.height, 720);
    assert_true(rest.supersample > 1);
    def.clip = 0;
    def.to = f->model->clips[0]->duration;
    def.film = true;
    snShot whole = sn_stage_scene(f->stage, &def);
    assert_int_equal(whole.supersample, 1);
    snExtent reach = sn_extent_empty();
    sn_stage_reach(f->stage, 0, 0.0f, def.to, &reach);
    assert_memory_equal(&reach.bounds, &whole.bounds, sizeof whole.bounds);
    for (uint32_t i = 0; i < SN_EXTENT_DIRECTIONS; i++) {
        snVec3 at = sn_camera_project(&whole.camera, reach.points[i]);
        assert_true(fabsf(at.x) <= 1.0f && fabsf(at.y) <= 1.0f && at.z > 0.0f);
    }
    def.focus = 1;
    snShot close = sn_stage_scene(f->stage, &def);
    assert_true(close.camera.distance < whole.camera.distance);
    assert_memory_equal(&close.bounds, &whole.bounds, sizeof whole.bounds);
    def.focus = f->model->skeleton->joint_count; // none of them
    close = sn_stage_scene(f->stage, &def);
    assert_true(close.camera.distance == whole.camera.distance);
}

// Part of the picture that is not background.
static double covered(snStage* stage, uint32_t clip, float time, const snShot* scene) {
    snImage *image = NULL, *empty = NULL;
    snShot bare = *scene;
    bare.ground = false;
    assert_ok(sn_stage_draw(stage, clip, time, &bare, &image, NULL));
    bare.camera.eye = sn_add(bare.camera.eye, sn_scale(bare.camera.right, 1e4f)); // looks past it
    sn_stage_way_clear(stage);
    assert_ok(sn_stage_draw(stage, clip, time, &bare, &empty, NULL));
    uint32_t count = 0;
    for (uint32_t i = 0; i < image->width * image->height; i++)
        count += memcmp(image->pixels + 4 * (size_t)i, empty->pixels + 4 * (size_t)i, 4) != 0;
    double share = (double)count / ((double)image->width * (double)image->height);
    sn_image_destroy(image);
    sn_image_destroy(empty);
    return share;
}

// A tube that goes ten metres fills the picture all along; where the camera stays it is a tenth as high.
static void the_camera_goes_along(void** state) {
    (void)state;
    if (test_renderer() == NULL) test_skip("no OpenGL");
    snModel* model = test_travelling_tube(10.0f);
    uint32_t clip = sn_model_find_clip(model, "travel");
    snStageDef def = def_of(model);
    snStage* stage = NULL;
    assert_ok(sn_stage_create(&def, NULL, &stage, NULL));
    snStageSceneDef scene_def = sn_stage_scene_def();
    scene_def.width = scene_def.height = SIZE;
    scene_def.clip = clip;
    scene_def.to = 1.0f;
    double shares[3][2];
    const snStageFollow ways[] = {SN_FOLLOW_AUTO, SN_FOLLOW_ON, SN_FOLLOW_OFF};
    for (int w = 0; w < 3; w++) {
        for (int end = 0; end < 2; end++) {
            scene_def.follow = ways[w];
            snShot scene = sn_stage_scene(stage, &scene_def);
            shares[w][end] = covered(stage, clip, (float)end, &scene);
        }
        assert_true(shares[w][0] > 0.0 && shares[w][1] > 0.0);
    }
    for (int end = 0; end < 2; end++) {
        assert_true(shares[0][end] > 3.0 * shares[2][end]);
        assert_near(shares[0][end], shares[1][end], 1e-9);
    }
    // The focus of a sheet is in the middle wherever its joint is.
    scene_def.follow = SN_FOLLOW_AUTO;
    scene_def.focus = 1;
    snShot close = sn_stage_scene(stage, &scene_def);
    assert_true(covered(stage, clip, 1.0f, &close) > 0.1);
    // The clip that stays in its place is not followed.
    scene_def =
        (snStageSceneDef){.view = scene_def.view, .width = SIZE, .height = SIZE, .clip = 0, .to = 1.0f};
    scene_def.focus = SN_NONE;
    sn_stage_scene(stage, &scene_def);
    assert_vec3_near(sn_stage_way_at(stage, 0, 0.5f), sn_vec3(0, 0, 0), 0.0f);
    sn_stage_destroy(stage);
    sn_model_destroy(model);
}

// A named view is one of the character, whatever way it faces, at rest and in a clip.
static void views_are_of_the_character(void** state) {
    (void)state;
    if (test_renderer() == NULL) test_skip("no OpenGL");
    for (int quarter = 0; quarter < 4; quarter++) {
        snModel* model = NULL;
        snBodyDef body = {.vertex_target = 2000, .quads = true};
        assert_ok(sn_builtin_body(&body, NULL, &model, NULL));
        sn_model_rotate(model, sn_quat_axis_angle(sn_vec3(0, 1, 0), (float)quarter * SN_PI / 2.0f));
        snStageDef def = def_of(model);
        snStage* stage = NULL;
        assert_ok(sn_stage_create(&def, NULL, &stage, NULL));
        snVec3 faces =
            sn_vec3(sn_sin((float)quarter * SN_PI / 2.0f), 0, sn_cos((float)quarter * SN_PI / 2.0f));
        snStageSceneDef scene = sn_stage_scene_def();
        scene.width = scene.height = SIZE;
        assert_true(sn_stage_scene(stage, &scene).camera.back.z > 0.99f); // of the world
        scene.from_character = true;
        assert_vec3_near(sn_stage_scene(stage, &scene).camera.back, faces, 0.02f);
        scene.clip = sn_model_find_clip(model, "walk");
        scene.to = 1.0f;
        assert_vec3_near(sn_stage_scene(stage, &scene).camera.back, faces, 0.1f);
        sn_stage_destroy(stage);
        sn_model_destroy(model);
    }
}

static void terrain_is_drawn_as_well(void** state) {
    Fixture* f = use(state);
    snImage* flat = draw(f);
    snTerrain hills = {.kind = SN_TERRAIN_HILLS, .height = 0.2f, .direction = {1.0f, 0.0f}, .length = 1.0f};
    assert_ok(sn_terrain_validate(&hills, NULL));
    assert_ok(sn_stage_set_ground(f->stage, &hills, f->scene.bounds, NULL));
    assert_false(draws(f, flat));
    assert_ok(sn_stage_set_ground(f->stage, NULL, f->scene.bounds, NULL));
    assert_true(draws(f, flat));
    sn_image_destroy(flat);
}

// ------------------------------------------------------------------------------------------------- surfaces

typedef struct Posed {
    const snMesh* mesh;
    snVec3* positions;
    uint32_t frames; // posed so far
    uint32_t fail_at;
} Posed;

static snResult pose_frame(void* user, uint32_t frame, snError* error) {
    Posed* posed = user;
    assert_int_equal(frame, posed->frames);
    if (posed->frames++ == posed->fail_at) {
        error->code = SN_RESULT_LIMIT;
        return SN_RESULT_LIMIT;
    }
    for (uint32_t v = 0; v < posed->mesh->vertex_count; v++)
        posed->positions[v] = sn_scale(posed->mesh->positions[v], 1.0f - 0.2f * (float)frame);
    return SN_RESULT_OK;
}

// Warm pixels of the still at the end of frames in which a cube goes so far.
static uint32_t warm_at_the_end(snStageFollow follow, float far) {
    enum { FRAMES = 13 };
    snModel* model = test_cube_model(2);
    const snMesh* mesh = model->parts[0].mesh;
    snVec3* positions = calloc(mesh->vertex_count, sizeof *positions);
    snSurface surface = {.vertex_count = mesh->vertex_count, .positions = positions};
    snBounds box = sn_bounds_of(mesh->positions, mesh->vertex_count), reached[FRAMES];
    for (uint32_t i = 0; i < FRAMES; i++) {
        snVec3 by = sn_vec3(far * (float)i / (FRAMES - 1), 0.0f, 0.0f);
        reached[i] = (snBounds){sn_add(box.min, by), sn_add(box.max, by)};
    }
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        positions[v] = sn_add(mesh->positions[v], sn_vec3(far, 0.0f, 0.0f));
    snStageDef def = def_of(model);
    def.surfaces = &surface;
    snStage* stage = NULL;
    assert_ok(sn_stage_create(&def, NULL, &stage, NULL));
    snStageSceneDef scene_def = sn_stage_scene_def();
    scene_def.width = scene_def.height = SIZE;
    scene_def.follow = follow;
    scene_def.frames = reached;
    scene_def.frame_count = FRAMES;
    scene_def.fps = 6.0f;
    snShot scene = sn_stage_scene(stage, &scene_def);
    char* path = test_out_copy("followed.png");
    snImage* image = NULL;
    assert_ok(sn_stage_still(stage, SN_CLIP_REST, 2.0f, &scene, path, NULL));
    assert_ok(sn_png_read(path, NULL, &image, NULL));
    uint32_t warm = test_count_warm(image, 0, 0, SIZE, SIZE);
    sn_image_destroy(image);
    free(path);
    sn_stage_destroy(stage);
    sn_model_destroy(model);
    free(positions);
    return warm;
}

// The camera goes along with surfaces that travel, and stays where they hardly move.
static void the_camera_goes_along_with_surfaces(void** state) {
    (void)state;
    if (test_renderer() == NULL) test_skip("no OpenGL");
    uint32_t followed = warm_at_the_end(SN_FOLLOW_AUTO, 20.0f), left = warm_at_the_end(SN_FOLLOW_OFF, 20.0f);
    assert_true(left > 0 && followed > 10 * left);
    assert_int_equal(warm_at_the_end(SN_FOLLOW_AUTO, 0.2f), warm_at_the_end(SN_FOLLOW_OFF, 0.2f));
}

static void surfaces_are_drawn_as_they_are(void** state) {
    Fixture* f = use(state);
    snModel* model = test_cube_model(2);
    const snMesh* mesh = model->parts[0].mesh;
    Posed posed = {mesh, calloc(mesh->vertex_count, sizeof(snVec3)), 0, SN_NONE};
    snSurface surface = {.vertex_count = mesh->vertex_count, .positions = posed.positions};
    snError error = sn_error_none();
    assert_ok(pose_frame(&posed, 0, &error));
    snStageDef def = def_of(model);
    def.surfaces = &surface;
    snStage* stage = NULL;
    assert_ok(sn_stage_create(&def, NULL, &stage, NULL));
    assert_null(sn_stage_character(stage));
    snStageSceneDef scene_def = sn_stage_scene_def();
    scene_def.width = scene_def.height = SIZE;
    snShot scene = sn_stage_scene(stage, &scene_def);
    snImage *large = NULL, *small = NULL, *none = NULL;
    assert_ok(sn_stage_draw_surfaces(stage, &scene, &large, NULL));
    assert_ok(pose_frame(&posed, 1, &error));
    assert_ok(sn_stage_draw_surfaces(stage, &scene, &small, NULL));
    assert_true(test_count_warm(small, 0, 0, SIZE, SIZE) < test_count_warm(large, 0, 0, SIZE, SIZE));
    // Each kind of stage has its own drawing.
    assert_int_equal(sn_stage_draw(stage, SN_CLIP_REST, 0.0f, &scene, &none, &error),
                     SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_stage_draw_surfaces(f->stage, &scene, &none, &error), SN_RESULT_INVALID_ARGUMENT);
    for (int i = 1; i < SHOWS; i++) assert_int_equal(shows[i](stage, &error), SN_RESULT_INVALID_ARGUMENT);
    assert_null(none);
    sn_image_destroy(large);
    sn_image_destroy(small);
    sn_stage_destroy(stage);
    sn_model_destroy(model);
    free(posed.positions);
}

// ----------------------------------------------------------------------------------------------------- films

typedef struct Listener {
    float last;
    uint32_t calls, stop_at;
} Listener;

static bool listen(void* user, const char* stage, float share) {
    Listener* listener = user;
    assert_string_equal(stage, "filming");
    assert_true(share >= listener->last && share <= 1.0f);
    listener->last = share;
    return listener->calls++ != listener->stop_at;
}

static snResult film(Fixture* f, const char* path, Listener* listener, snError* error) {
    snStageFilmDef def = sn_stage_film_def();
    def.path = path;
    def.fps = 10.0f;
    def.frames = 4;
    def.clip = 0;
    def.progress = (snProgress){listen, listener};
    f->scene.supersample = 1;
    snResult result = sn_stage_film(f->stage, &def, &f->scene, error);
    if (result == SN_RESULT_IO && strstr(error->text, "ffmpeg") != NULL) test_skip("no ffmpeg");
    return result;
}

static void films_are_written(void** state) {
    Fixture* f = use(state);
    char* path = test_out_copy("stage_film.gif");
    unlink(path);
    Listener listener = {.stop_at = SN_NONE};
    snError error = sn_error_none();
    assert_ok(film(f, path, &listener, &error));
    assert_int_equal(listener.calls, 5);
    assert_true(listener.last == 1.0f);
    size_t size = 0;
    uint8_t* bytes = test_file_bytes(path, &size);
    assert_true(size > 100);
    assert_memory_equal(bytes, "GIF89a", 6);
    free(bytes);
    free(path);
}

// Stopped at the first frame, on the way, and when all frames are there.
static void cancelled_films_leave_nothing(void** state) {
    Fixture* f = use(state);
    char* path = test_out_copy("stage_stopped.mp4");
    for (uint32_t stop = 0; stop <= 4; stop++) {
        Listener listener = {.stop_at = stop};
        snError error = sn_error_none();
        assert_int_equal(film(f, path, &listener, &error), SN_RESULT_CANCELLED);
        assert_string_equal(error.text, "cancelled while filming");
        assert_int_equal(listener.calls, stop + 1);
        assert_int_equal(test_files_like(test_out_path("."), "stage_stopped"), 0);
    }
    free(path);
}

static void failed_films_leave_nothing(void** state) {
    Fixture* f = use(state);
    char* path = test_out_copy("stage_failed.mp4");
    snSurface surface = sn_character_surface(sn_stage_character(f->stage), 0);
    const snMesh* mesh = f->model->parts[0].mesh;
    Posed posed = {mesh, calloc(mesh->vertex_count, sizeof(snVec3)), 0, 2};
    surface.positions = posed.positions;
    snStageDef stage_def = def_of(f->model);
    stage_def.surfaces = &surface;
    snStage* stage = NULL;
    assert_ok(sn_stage_create(&stage_def, NULL, &stage, NULL));
    snStageFilmDef def = sn_stage_film_def();
    snError error = sn_error_none();
    assert_int_equal(sn_stage_film(stage, &def, &f->scene, &error), SN_RESULT_INVALID_ARGUMENT); // no path
    def.path = path;
    def.frames = 0;
    assert_int_equal(sn_stage_film(stage, &def, &f->scene, &error), SN_RESULT_INVALID_ARGUMENT);
    def.frames = 4;
    def.pose = pose_frame;
    def.pose_user = &posed;
    snResult result = sn_stage_film(stage, &def, &f->scene, &error);
    sn_stage_destroy(stage);
    free(posed.positions);
    if (result == SN_RESULT_IO && strstr(error.text, "ffmpeg") != NULL) test_skip("no ffmpeg");
    assert_int_equal(result, SN_RESULT_LIMIT);
    assert_int_equal(posed.frames, 3);
    assert_int_equal(test_files_like(test_out_path("."), "stage_failed"), 0);
    free(path);
}

// ---------------------------------------------------------------------------------------------------- memory

typedef struct Show {
    const snModel* model;
    ShowFn* show; // NULL: weights of a joint
} Show;

static snResult create_and_show(const snAllocator* allocator, void* context) {
    const Show* what = context;
    snStageDef def = def_of(what->model);
    snStage* stage = NULL;
    snTerrain plane = {.kind = SN_TERRAIN_PLANE};
    snBounds bounds = {{0.0f, 0.0f, 0.0f}, {1.0f, 1.0f, 1.0f}};
    snResult result = sn_stage_create(&def, allocator, &stage, NULL);
    if (result == SN_RESULT_OK)
        result = what->show != NULL ? what->show(stage, NULL) : sn_stage_show_weights(stage, 0, NULL, NULL);
    if (result == SN_RESULT_OK) result = sn_stage_set_ground(stage, &plane, bounds, NULL);
    sn_stage_destroy(stage);
    return result;
}

static void out_of_memory_is_a_result(void** state) {
    Fixture* f = use(state);
    Show what = {.model = f->model};
    test_every_allocation(create_and_show, &what);
    for (int i = 0; i < SHOWS; i++) {
        what.show = shows[i];
        test_every_allocation(create_and_show, &what);
    }
}

#define WITH_STAGE(f) cmocka_unit_test_setup_teardown(f, open_fixture, close_fixture)

int main(void) {
    const struct CMUnitTest tests[] = {WITH_STAGE(a_still_is_what_is_drawn),
                                       WITH_STAGE(bad_data_names_the_model),
                                       WITH_STAGE(bad_defs),
                                       WITH_STAGE(weights_are_a_heat_map),
                                       WITH_STAGE(the_last_show_counts),
                                       WITH_STAGE(a_missing_lattice_is_said),
                                       WITH_STAGE(scenes_hold_a_clip_or_a_joint),
                                       cmocka_unit_test(the_camera_goes_along),
                                       cmocka_unit_test(views_are_of_the_character),
                                       WITH_STAGE(terrain_is_drawn_as_well),
                                       WITH_STAGE(surfaces_are_drawn_as_they_are),
                                       cmocka_unit_test(the_camera_goes_along_with_surfaces),
                                       WITH_STAGE(films_are_written),
                                       WITH_STAGE(cancelled_films_leave_nothing),
                                       WITH_STAGE(failed_films_leave_nothing),
                                       WITH_STAGE(out_of_memory_is_a_result)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    test_renderer_release();
    return failed;
}
