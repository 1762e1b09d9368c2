// The film of the demo.
#include "base/error.h"
#include "canvas.h"
#include "demo.h"
#include "film.h"

#define HALF 640
#define WIDTH (2 * HALF)
#define HEIGHT 720
#define FPS 25.0f
#define LONGEST 12.0f // seconds; scenes that would pass it are left out

static void caption(snImage* image, float x, const char* text) {
    snTextStyle style = {24, 0.135f, {38, 41, 48, 255}, SN_ALIGN_LEFT};
    sn_canvas_text(image, x + 40, 62, text, &style);
}

// The scenes of a film as one row of frames.
typedef struct Filming {
    snDemo* demo;
    uint32_t scene; // that is filmed, and the frame that it began with
    uint32_t start;
    snShot frame;
} Filming;

// Plain skin and flesh side by side with a thin line between.
static void join(const snImage* left, const snImage* right, snImage* both) {
    sn_canvas_paste(both, left, 0, 0);
    sn_canvas_paste(both, right, HALF, 0);
    sn_canvas_fill(both, (float)HALF - 1, 0, 2, HEIGHT, 0, (snInk){255, 255, 255, 255});
    caption(both, 0, "linear");
    caption(both, (float)HALF, "volume and flesh");
}

static snResult draw_pair(const Filming* filming, float time, snImage** out, snError* error) {
    snDemo* demo = filming->demo;
    uint32_t clip = sn_demo_clip(demo, &sn_demo_scenes[filming->scene]);
    snImage *left = NULL, *right = NULL, *both = NULL;
    snResult result = sn_stage_draw(demo->stages[SN_DEMO_LINEAR], clip, time, &filming->frame, &left, error);
    if (result == SN_RESULT_OK)
        result = sn_stage_draw(demo->stages[SN_DEMO_FLESH], clip, time, &filming->frame, &right, error);
    if (result == SN_RESULT_OK && sn_image_create(WIDTH, HEIGHT, &demo->allocator, &both) != SN_RESULT_OK)
        result = sni_fail_memory(error);
    if (result == SN_RESULT_OK) {
        join(left, right, both);
        *out = both;
    }
    sn_image_destroy(left);
    sn_image_destroy(right);
    return result;
}

static uint32_t scene_frames(const snDemo* demo, uint32_t scene) {
    const snDemoScene* shown = &sn_demo_scenes[scene];
    float duration = demo->model->clips[sn_demo_clip(demo, shown)]->duration;
    return (uint32_t)(duration * shown->loops * FPS + 1e-3f);
}

static void begin_scene(Filming* filming, uint32_t scene, uint32_t start) {
    filming->scene = scene;
    filming->start = start;
    filming->frame = sn_demo_frame(filming->demo, &sn_demo_scenes[scene], false, HALF, HEIGHT);
    filming->frame.supersample = 1;
    for (int i = 0; i < SN_DEMO_STAGES; i++) sn_stage_begin(filming->demo->stages[i]);
}

static snResult draw_frame(void* user, uint32_t frame, snImage** out, snError* error) {
    Filming* filming = user;
    uint32_t count = frame > 0 ? scene_frames(filming->demo, filming->scene) : 0;
    if (frame == 0)
        begin_scene(filming, 0, 0);
    else if (frame == filming->start + count)
        begin_scene(filming, filming->scene + 1, frame);
    return draw_pair(filming, (float)(frame - filming->start) / FPS, out, error);
}

snResult sn_demo_film(snDemo* demo, const char* path, const snProgress* progress, snError* error) {
    snFilmDef def = {.path = path, .width = WIDTH, .height = HEIGHT, .fps = FPS};
    Filming filming = {.demo = demo};
    uint32_t total = 0;
    for (uint32_t i = 0; i < SN_DEMO_SCENES; i++) total += scene_frames(demo, i);
    if (total > (uint32_t)(LONGEST * FPS)) total = (uint32_t)(LONGEST * FPS);
    return sn_film_shoot(&def, total, draw_frame, &filming, progress, &demo->allocator, error);
}
