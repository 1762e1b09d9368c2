// Pictures by their properties: pixels differ between drivers, what they show does not.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "picture.h"
#include "ramp.h"

#define SIZE 128

static snImage* draw(const snShot* scene) {
    snImage* image = NULL;
    snError error = sn_error_none();
    if (sn_renderer_draw(test_renderer(), scene, NULL, &image, &error) != SN_RESULT_OK) {
        print_error("%s\n", error.text);
        fail();
    }
    assert_int_equal(image->width, scene->width);
    assert_int_equal(image->height, scene->height);
    return image;
}

static int need_renderer(void** state) {
    *state = test_renderer() != NULL ? test_cube_model(4) : NULL;
    return 0;
}
static int free_model(void** state) {
    sn_model_destroy(*state);
    return 0;
}
static int release(void** state) {
    (void)state;
    test_renderer_release();
    return 0;
}
#define MODEL(state) (*(state) != NULL ? (snModel*)*(state) : (test_skip("no OpenGL"), (snModel*)NULL))

static void test_character_is_whole_and_centered(void** state) {
    snModel* model = MODEL(state);
    snShotItem item = sn_shot_item(model->parts[0].mesh);
    snShot scene = test_scene(&item, "three-quarter", SIZE, SIZE);
    snImage* image = draw(&scene);
    assert_true(test_count_warm(image, 0, 0, SIZE, SIZE) > SIZE * SIZE / 8);
    assert_true(test_count_warm(image, SIZE / 2 - 4, SIZE / 2 - 4, 8, 8) == 64);
    // A border that no part of it touches.
    assert_int_equal(test_count_warm(image, 0, 0, SIZE, 3), 0);
    assert_int_equal(test_count_warm(image, 0, SIZE - 3, SIZE, 3), 0);
    assert_int_equal(test_count_warm(image, 0, 0, 3, SIZE), 0);
    assert_int_equal(test_count_warm(image, SIZE - 3, 0, 3, SIZE), 0);
    sn_image_destroy(image);
}

static void test_background_is_light_and_opaque(void** state) {
    snModel* model = MODEL(state);
    snShotItem item = sn_shot_item(model->parts[0].mesh);
    snShot scene = test_scene(&item, "front", SIZE, SIZE);
    snImage* image = draw(&scene);
    for (uint32_t k = 0; k < 4; k++) {
        TestPixel p = test_pixel(image, (k & 1) ? SIZE - 1 : 0, (k & 2) ? SIZE - 1 : 0);
        assert_int_equal(p.a, 255);
        assert_true(p.r > 190 && p.g > 190 && p.b > 190);
        assert_true(abs(p.r - p.b) < 12); // neutral
    }
    sn_image_destroy(image);
    scene.background = (snVec3){0.02f, 0.02f, 0.02f};
    image = draw(&scene);
    assert_true(test_gray(image, 0, 0) < 60);
    sn_image_destroy(image);
}

// The floor shows through its shadow: a picture with ground is darker below the model than one without.
static void test_ground_catches_a_shadow(void** state) {
    snModel* model = MODEL(state);
    snShotItem item = sn_shot_item(model->parts[0].mesh);
    snShot scene = test_scene(&item, "30,25,0.7", SIZE, SIZE);
    snImage* with = draw(&scene);
    scene.ground = false;
    snImage* without = draw(&scene);
    uint32_t darker = 0, brighter = 0;
    for (uint32_t y = 0; y < SIZE; y++) {
        for (uint32_t x = 0; x < SIZE; x++) {
            int difference = test_gray(with, x, y) - test_gray(without, x, y);
            if (difference < -12) darker++;
            if (difference > 12) brighter++;
        }
    }
    assert_true(darker > 200);
    assert_int_equal(brighter, 0);
    assert_true(abs(test_gray(with, 0, 0) - test_gray(without, 0, 0)) < 3); // far away it fades out
    sn_image_destroy(with);
    sn_image_destroy(without);
}

static void test_scale_does_not_matter(void** state) {
    snModel* model = MODEL(state);
    snMesh* mesh = model->parts[0].mesh;
    snShotItem item = sn_shot_item(mesh);
    snShot scene = test_scene(&item, "three-quarter", SIZE, SIZE);
    snImage* normal = draw(&scene);
    static const float sizes[] = {1e-2f, 170};
    for (size_t s = 0; s < 2; s++) {
        snVec3* scaled = malloc(mesh->vertex_count * sizeof *scaled);
        assert_non_null(scaled);
        for (uint32_t v = 0; v < mesh->vertex_count; v++) scaled[v] = sn_scale(mesh->positions[v], sizes[s]);
        item.positions = scaled;
        scene = test_scene(&item, "three-quarter", SIZE, SIZE);
        snImage* image = draw(&scene);
        uint32_t unlike = 0;
        for (uint32_t y = 0; y < SIZE; y++)
            for (uint32_t x = 0; x < SIZE; x++)
                if (abs(test_gray(image, x, y) - test_gray(normal, x, y)) > 8) unlike++;
        assert_true(unlike < SIZE);
        sn_image_destroy(image);
        free(scaled);
    }
    sn_image_destroy(normal);
}

static void test_wireframe_draws_lines(void** state) {
    snModel* model = MODEL(state);
    snShotItem item = sn_shot_item(model->parts[0].mesh);
    snShot scene = test_scene(&item, "front", SIZE, SIZE);
    snImage* smooth = draw(&scene);
    scene.wireframe = true;
    snImage* wired = draw(&scene);
    uint32_t darker = 0;
    for (uint32_t y = 0; y < SIZE; y++)
        for (uint32_t x = 0; x < SIZE; x++)
            if (test_gray(wired, x, y) < test_gray(smooth, x, y) - 30) darker++;
    assert_true(darker > 200 && darker < SIZE * SIZE / 3);
    sn_image_destroy(smooth);
    sn_image_destroy(wired);
}

static void test_heat_map_and_legend(void** state) {
    snModel* model = MODEL(state);
    const snMesh* mesh = model->parts[0].mesh;
    float* heat = malloc(mesh->vertex_count * sizeof *heat);
    assert_non_null(heat);
    for (uint32_t v = 0; v < mesh->vertex_count; v++) heat[v] = mesh->positions[v].y + 0.5f;
    snShotItem item = sn_shot_item(mesh);
    item.heat = heat;
    snShot scene = test_scene(&item, "front", SIZE, SIZE);
    snImage* plain = draw(&scene);
    TestPixel top = test_pixel(plain, SIZE / 2, SIZE / 2 - 35),
              bottom = test_pixel(plain, SIZE / 2, SIZE / 2 + 35);
    assert_true(top.r + top.g > bottom.r + bottom.g + 150); // yellow above, violet below
    scene.heat_title = "height";
    snImage* labelled = draw(&scene);
    uint32_t changed = 0;
    for (uint32_t y = SIZE / 2; y < SIZE; y++)
        for (uint32_t x = 0; x < SIZE; x++)
            if (abs(test_gray(plain, x, y) - test_gray(labelled, x, y)) > 20) changed++;
    assert_true(changed > 100);
    sn_image_destroy(plain);
    sn_image_destroy(labelled);
    free(heat);
}

// A red material, a texture, and vertex colors each reach the picture.
static void test_materials(void** state) {
    snModel* model = MODEL(state);
    snMesh* mesh = model->parts[0].mesh;
    uint8_t green[4] = {0, 255, 0, 255};
    snImage image = {.width = 1, .height = 1, .pixels = green};
    snMaterial materials[2] = {{.base_color = {0.8f, 0.05f, 0.05f, 1}},
                               {.base_color = {1, 1, 1, 1}, .image = &image, .unlit = true}};
    uint32_t group_material = 0;
    uint32_t* groups = calloc(mesh->face_count, sizeof *groups);
    assert_non_null(groups);
    snMesh grouped = *mesh; // a view with one group for all faces
    grouped.group_count = 1;
    grouped.face_groups = groups;
    snShotItem item = sn_shot_item(&grouped);
    item.materials = materials;
    item.group_materials = &group_material;
    snShot scene = test_scene(&item, "front", SIZE, SIZE);
    snImage* red = draw(&scene);
    TestPixel p = test_pixel(red, SIZE / 2, SIZE / 2);
    assert_true(p.r > 2 * p.g && p.r > 2 * p.b);
    sn_image_destroy(red);
    group_material = 1;
    snImage* textured = draw(&scene);
    p = test_pixel(textured, SIZE / 2, SIZE / 2);
    assert_true(p.r <= 2 && p.g >= 253 && p.b <= 2); // unlit: exactly the texture
    sn_image_destroy(textured);
    sn_renderer_forget(test_renderer());
    free(groups);
}

// A heat map hides the texture: a square of constant heat shows the ramp's color, but for a little shading,
// also when the texture of something behind it is uploaded just before.
static void test_heat_hides_the_texture(void** state) {
    MODEL(state);
    uint8_t green[4] = {0, 255, 0, 255};
    snImage image = {.width = 1, .height = 1, .pixels = green};
    snMaterial material = {.base_color = {1, 1, 1, 1}, .image = &image};
    snVec3 positions[4] = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
    snVec2 uvs[4] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
    uint32_t starts[2] = {0, 4}, corners[4] = {0, 1, 2, 3}, group = 0, group_material = 0;
    snMesh quad = {.vertex_count = 4,
                   .face_count = 1,
                   .corner_count = 4,
                   .positions = positions,
                   .face_starts = starts,
                   .corners = corners,
                   .uv_count = 4,
                   .uvs = uvs,
                   .group_count = 1,
                   .face_groups = &group};
    snVec3 behind[4] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1}};
    snShotItem items[2] = {sn_shot_item(&quad), sn_shot_item(&quad)};
    for (int i = 0; i < 2; i++) {
        items[i].materials = &material;
        items[i].group_materials = &group_material;
    }
    items[0].positions = behind;
    for (int step = 0; step <= 4; step++) {
        float t = (float)step / 4.0f, heat[4] = {t, t, t, t};
        items[1].heat = heat;
        snShot scene = test_scene(&items[1], "front", SIZE, SIZE);
        scene.items = items;
        scene.item_count = 2;
        sn_renderer_forget(test_renderer()); // the first draw with a texture is the one that uploads it
        snImage* picture = draw(&scene);
        TestPixel p = test_pixel(picture, SIZE / 2, SIZE / 2);
        snVec3 ramp = sn_ramp_color(t);
        assert_true(abs(p.r - sn_srgb_byte(ramp.x)) < 24);
        assert_true(abs(p.g - sn_srgb_byte(ramp.y)) < 24);
        assert_true(abs(p.b - sn_srgb_byte(ramp.z)) < 24);
        sn_image_destroy(picture);
    }
    sn_renderer_forget(test_renderer());
}

static void test_edges_are_soft(void** state) {
    snModel* model = MODEL(state);
    snShotItem item = sn_shot_item(model->parts[0].mesh);
    snShot scene = test_scene(&item, "20,0", SIZE, SIZE);
    scene.ground = false;
    snImage* image = draw(&scene);
    // Along the silhouette there are pixels between the clay and the background, not a hard step.
    uint32_t between = 0;
    for (uint32_t y = 0; y < SIZE; y++) {
        for (uint32_t x = 1; x + 1 < SIZE; x++) {
            int a = test_gray(image, x - 1, y), b = test_gray(image, x, y), c = test_gray(image, x + 1, y);
            if (abs(a - c) > 50 && abs(a - b) > 8 && abs(b - c) > 8) between++;
        }
    }
    assert_true(between > 30);
    sn_image_destroy(image);
}

static void test_one_sided_looks_the_same(void** state) {
    snModel* model = MODEL(state);
    snShotItem item = sn_shot_item(model->parts[0].mesh);
    snShot scene = test_scene(&item, "three-quarter", SIZE, SIZE);
    snImage* both = draw(&scene);
    item.one_sided = true;
    snImage* one = draw(&scene);
    uint32_t unlike = 0;
    for (uint32_t y = 0; y < SIZE; y++)
        for (uint32_t x = 0; x < SIZE; x++)
            if (abs(test_gray(both, x, y) - test_gray(one, x, y)) > 6) unlike++;
    assert_true(unlike < 20);
    sn_image_destroy(both);
    sn_image_destroy(one);
}

static void test_empty_scene(void** state) {
    MODEL(state);
    snShot scene = sn_shot();
    scene.width = scene.height = 32;
    scene.camera = sn_camera_frame((snView){0, 0, 1}, NULL, 0, 1);
    snImage* image = draw(&scene);
    assert_true(test_gray(image, 16, 16) > 190);
    sn_image_destroy(image);
}

static void test_bad_scenes(void** state) {
    snModel* model = MODEL(state);
    snShotItem item = sn_shot_item(model->parts[0].mesh);
    snShot good = test_scene(&item, "front", 32, 32);
    snImage* image = NULL;
    snError error = sn_error_none();
    snShot bad = good;
    bad.width = 0;
    assert_int_equal(sn_renderer_draw(test_renderer(), &bad, NULL, &image, &error),
                     SN_RESULT_INVALID_ARGUMENT);
    bad = good;
    bad.height = 9000;
    assert_int_equal(sn_renderer_draw(test_renderer(), &bad, NULL, &image, &error),
                     SN_RESULT_INVALID_ARGUMENT);
    bad = good;
    bad.bounds.max.y = 3e38f;
    assert_int_equal(sn_renderer_draw(test_renderer(), &bad, NULL, &image, &error), SN_RESULT_BAD_DATA);
    bad.bounds = (snBounds){{-3e38f, 0, 0}, {0, 0, 0}};
    assert_int_equal(sn_renderer_draw(test_renderer(), &bad, NULL, &image, &error), SN_RESULT_BAD_DATA);
    assert_non_null(strstr(error.text, "3e+38"));
    bad = good;
    bad.supersample = 5;
    assert_int_equal(sn_renderer_draw(test_renderer(), &bad, NULL, &image, &error),
                     SN_RESULT_INVALID_ARGUMENT);
    bad = good;
    bad.camera = (snCamera){0};
    assert_int_equal(sn_renderer_draw(test_renderer(), &bad, NULL, &image, &error),
                     SN_RESULT_INVALID_ARGUMENT);
    assert_true(strlen(error.text) > 0);
    assert_null(image);
}

static snResult draw_once(const snAllocator* allocator, void* context) {
    snRenderer* renderer = NULL;
    snImage* image = NULL;
    snResult result = sn_renderer_create(allocator, &renderer, NULL);
    if (result == SN_RESULT_OK) result = sn_renderer_draw(renderer, context, allocator, &image, NULL);
    sn_image_destroy(image);
    sn_renderer_destroy(renderer);
    return result;
}

static void test_out_of_memory(void** state) {
    snModel* model = MODEL(state);
    snShotItem item = sn_shot_item(model->parts[0].mesh);
    snShot scene = test_scene(&item, "front", 16, 16);
    scene.wireframe = true;
    test_every_allocation(draw_once, &scene);
}

#define WITH_MODEL(f) cmocka_unit_test_setup_teardown(f, need_renderer, free_model)

int main(void) {
    const struct CMUnitTest tests[] = {WITH_MODEL(test_character_is_whole_and_centered),
                                       WITH_MODEL(test_background_is_light_and_opaque),
                                       WITH_MODEL(test_ground_catches_a_shadow),
                                       WITH_MODEL(test_scale_does_not_matter),
                                       WITH_MODEL(test_wireframe_draws_lines),
                                       WITH_MODEL(test_heat_map_and_legend),
                                       WITH_MODEL(test_materials),
                                       WITH_MODEL(test_heat_hides_the_texture),
                                       WITH_MODEL(test_edges_are_soft),
                                       WITH_MODEL(test_one_sided_looks_the_same),
                                       WITH_MODEL(test_empty_scene),
                                       WITH_MODEL(test_bad_scenes),
                                       WITH_MODEL(test_out_of_memory)};
    return cmocka_run_group_tests(tests, NULL, release);
}
