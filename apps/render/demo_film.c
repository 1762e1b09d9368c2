// The film of `sinew demo`.
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

// Plain skin and flesh side by side with a thin line between.
static cliExit draw_pair(cliDemo* demo, const cliDemoScene* scene, float time, const snShot* frame,
                         snImage** out) {
    uint32_t clip = demo_clip(demo, scene);
    snImage *left = NULL, *right = NULL, *both = NULL;
    snError error = sn_error_none();
    snResult result = sn_stage_draw(demo->stages[CLI_DEMO_LINEAR], clip, time, frame, &left, &error);
    if (result == SN_RESULT_OK)
        result = sn_stage_draw(demo->stages[CLI_DEMO_FLESH], clip, time, frame, &right, &error);
    cliExit code = picture_end(demo->context, result, &error);
    if (code == CLI_DONE && sn_image_create(WIDTH, HEIGHT, &demo->context->memory, &both) != SN_RESULT_OK) {
        error.code = SN_RESULT_OUT_OF_MEMORY;
        code = context_fail(demo->context, &error);
    }
    if (code == CLI_DONE) {
        sn_canvas_paste(both, left, 0, 0);
        sn_canvas_paste(both, right, HALF, 0);
        sn_canvas_fill(both, (float)HALF - 1, 0, 2, HEIGHT, 0, (snInk){255, 255, 255, 255});
        caption(both, 0, "linear");
        caption(both, (float)HALF, "volume and flesh");
        *out = both;
    }
    sn_image_destroy(left);
    sn_image_destroy(right);
    return code;
}

static uint32_t scene_frames(const cliDemo* demo, const cliDemoScene* scene) {
    float duration = demo->model->clips[demo_clip(demo, scene)]->duration;
    return (uint32_t)(duration * scene->loops * FPS + 1e-3f);
}

static cliExit shoot_scene(cliDemo* demo, snFilm* film, const cliDemoScene* scene, uint32_t* done,
                           uint32_t total) {
    snShot frame = demo_frame(demo, scene, false, HALF, HEIGHT);
    frame.supersample = 1;
    uint32_t count = scene_frames(demo, scene);
    for (int i = 0; i < CLI_DEMO_STAGES; i++) sn_stage_begin(demo->stages[i]);
    for (uint32_t i = 0; i < count && *done < total; i++) {
        context_progress(demo->context, "film", (*done)++, total);
        snImage* image = NULL;
        cliExit code = draw_pair(demo, scene, (float)i / FPS, &frame, &image);
        if (code != CLI_DONE) return code;
        snError error = sn_error_none();
        snResult result = sn_film_add(film, image, &error);
        sn_image_destroy(image);
        if (result != SN_RESULT_OK) return context_fail(demo->context, &error);
    }
    return CLI_DONE;
}

cliExit demo_film(cliDemo* demo, const char* path) {
    snFilmDef def = {.path = path, .width = WIDTH, .height = HEIGHT, .fps = FPS};
    snFilm* film = NULL;
    snError error = sn_error_none();
    if (sn_film_open(&def, &demo->context->memory, &film, &error) != SN_RESULT_OK)
        return context_fail(demo->context, &error);
    uint32_t total = 0, done = 0;
    for (uint32_t i = 0; i < CLI_DEMO_SCENES; i++) total += scene_frames(demo, &cli_demo_scenes[i]);
    if (total > (uint32_t)(LONGEST * FPS)) total = (uint32_t)(LONGEST * FPS);
    cliExit code = CLI_DONE;
    for (uint32_t i = 0; i < CLI_DEMO_SCENES && code == CLI_DONE; i++)
        code = shoot_scene(demo, film, &cli_demo_scenes[i], &done, total);
    context_progress(demo->context, "film", 1, 1);
    if (code != CLI_DONE) {
        sn_film_abandon(film);
        return code;
    }
    return sn_film_close(film, &error) == SN_RESULT_OK ? CLI_DONE : context_fail(demo->context, &error);
}
