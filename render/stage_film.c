// Stages into files: stills and films.
#include "base/error.h"
#include "film.h"
#include "stage_state.h"

static snResult draw_frame_surfaces(snStage* stage, float time, const snShot* scene, snImage** out,
                                    snError* error) {
    snShot moved = sn_stage_moved_scene(stage, SN_CLIP_REST, time, scene);
    return sn_stage_draw_surfaces(stage, &moved, out, error);
}

snResult sn_stage_still(snStage* stage, uint32_t clip, float time, const snShot* scene, const char* path,
                        snError* error) {
    snImage* image = NULL;
    SNI_TRY(stage->character != NULL ? sn_stage_draw(stage, clip, time, scene, &image, error)
                                     : draw_frame_surfaces(stage, time, scene, &image, error));
    snResult result = sn_png_write(image, path, error);
    sn_image_destroy(image);
    return result;
}

// --------------------------------------------------------------------------------------------------- film

snStageFilmDef sn_stage_film_def(void) {
    return (snStageFilmDef){.fps = 30.0f, .frames = 1, .clip = SN_CLIP_REST};
}

typedef struct Filming {
    snStage* stage;
    const snStageFilmDef* def;
    const snShot* scene;
} Filming;

static snResult draw_frame(void* user, uint32_t i, snImage** out, snError* error) {
    const Filming* filming = user;
    const snStageFilmDef* def = filming->def;
    if (def->pose == NULL)
        return sn_stage_draw(filming->stage, def->clip, def->from + (float)i / def->fps, filming->scene, out,
                             error);
    SNI_TRY(def->pose(def->pose_user, i, error));
    return draw_frame_surfaces(filming->stage, (float)i / def->fps, filming->scene, out, error);
}

snResult sn_stage_film(snStage* stage, const snStageFilmDef* def, const snShot* scene, snError* error) {
    if (def->path == NULL || def->frames == 0)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a film needs a path and frames");
    snFilmDef film = {.path = def->path, .width = scene->width, .height = scene->height, .fps = def->fps};
    Filming filming = {stage, def, scene};
    return sn_film_shoot(&film, def->frames, draw_frame, &filming, &def->progress, &stage->allocator, error);
}
