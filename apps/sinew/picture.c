#include "picture.h"

#include <stdio.h>
#include <string.h>

#include "film.h"

// ------------------------------------------------------------------------------------------------ options

static bool parse_size(const char* text, uint32_t* width, uint32_t* height) {
    unsigned w = 0, h = 0;
    char rest = 0;
    if (sscanf(text, "%5ux%5u%c", &w, &h, &rest) != 2 || w < 16 || h < 16 || w > 8192 || h > 8192)
        return false;
    *width = w;
    *height = h;
    return true;
}

static cliExit read_focus(const cliContext* context, const snModel* model, uint32_t* out) {
    const char* joint = cli_text(context->arguments, "focus");
    *out = SN_NONE;
    if (model == NULL) return CLI_DONE;
    return joint != NULL ? context_find_joint(context, model, "--focus ", joint, out) : CLI_DONE;
}

cliExit picture_read(const cliContext* context, const snModel* model, const char* path, uint32_t width,
                     uint32_t height, cliPicture* out) {
    const cliArguments* a = context->arguments;
    const char* camera = cli_text(a, "camera");
    const char* size = cli_text(a, "size");
    const char* follow = cli_has(a->verb, "follow") ? cli_text(a, "follow") : NULL;
    cliPicture picture = {.path = path, .width = width, .height = height};
    picture.named = camera == NULL || sn_view_is_name(camera);
    if (follow != NULL) picture.follow = strcmp(follow, "on") == 0 ? SN_FOLLOW_ON : SN_FOLLOW_OFF;
    if (!sn_view_parse(camera != NULL ? camera : "three-quarter", &picture.view))
        return cli_usage(a->verb, "--camera %s: a name or yaw,pitch[,zoom] in degrees is expected", camera);
    if (size != NULL && !parse_size(size, &picture.width, &picture.height))
        return cli_usage(a->verb, "--size %s: WIDTHxHEIGHT of 16 .. 8192 pixels is expected", size);
    if (path_has_extension(path, ".mp4") && (picture.width % 2 != 0 || picture.height % 2 != 0)) {
        picture.width += picture.width % 2;
        picture.height += picture.height % 2;
        context_say(context, "note: MP4 has even sizes only: the film gets %ux%u", picture.width,
                    picture.height);
    }
    cliExit code = read_focus(context, model, &picture.focus);
    if (code == CLI_DONE) *out = picture;
    return code;
}

static snStageSceneDef scene_def(const cliPicture* picture) {
    snStageSceneDef def = sn_stage_scene_def();
    def.view = picture->view;
    def.from_character = picture->named;
    def.follow = picture->follow;
    def.width = picture->width;
    def.height = picture->height;
    def.focus = picture->focus;
    def.film = sn_film_is_path(picture->path);
    return def;
}

snShot picture_scene(snStage* stage, const cliPicture* picture, uint32_t clip, float from, float to) {
    snStageSceneDef def = scene_def(picture);
    def.clip = clip;
    def.from = from;
    def.to = to;
    return sn_stage_scene(stage, &def);
}

snShot picture_scene_of_frames(snStage* stage, const cliPicture* picture, const snBounds* frames,
                               uint32_t count, float fps) {
    snStageSceneDef def = scene_def(picture);
    def.frames = frames;
    def.frame_count = count;
    def.fps = fps;
    return sn_stage_scene(stage, &def);
}

// -------------------------------------------------------------------------------------------------- stage

cliExit picture_renderer(const cliContext* context, snRenderer** out) {
    snError error = sn_error_none();
    if (sn_renderer_create(&context->memory, out, &error) == SN_RESULT_OK) return CLI_DONE;
    context_fail(context, &error);
    return CLI_SYSTEM;
}

static cliExit create(const cliContext* context, snRenderer* renderer, const snModel* model,
                      const snSettings* settings, const snSurface* surfaces, snStage** out) {
    snStageDef def = sn_stage_def();
    def.renderer = renderer;
    def.model = model;
    def.path = context->arguments->operands[0];
    def.settings = settings;
    def.surfaces = surfaces;
    def.tasks = context->tasks;
    def.level = context->level;
    snError error = sn_error_none();
    return sn_stage_create(&def, &context->memory, out, &error) == SN_RESULT_OK
               ? CLI_DONE
               : context_fail(context, &error);
}

cliExit picture_stage(const cliContext* context, snRenderer* renderer, const snModel* model,
                      const snSettings* settings, snStage** out) {
    return create(context, renderer, model, settings, NULL, out);
}

cliExit picture_stage_surfaces(const cliContext* context, snRenderer* renderer, const snModel* model,
                               const snSurface* surfaces, snStage** out) {
    return create(context, renderer, model, NULL, surfaces, out);
}

cliExit picture_end(const cliContext* context, snResult result, const snError* error) {
    if (result == SN_RESULT_OK) return CLI_DONE;
    cliExit code = context_fail(context, error);
    return result == SN_RESULT_UNSUPPORTED ? CLI_SYSTEM : code;
}

static snResult show_doubt(cliContext* context, snStage* stage, snError* error) {
    snBindDef def = sn_bind_def();
    snProgress progress = context_listen(context);
    snBindDoubt* doubt = NULL;
    snResult result = sn_document_doubt(context->document, &def, &progress, &doubt, error);
    if (result == SN_RESULT_OK) result = sn_stage_show_doubt(stage, doubt, error);
    sn_bind_doubt_destroy(doubt);
    return result;
}

cliExit picture_show(cliContext* context, snStage* stage, const char* what) {
    const cliVerb* verb = context->arguments->verb;
    snError error = sn_error_none();
    snResult result = SN_RESULT_OK;
    if (what == NULL || strcmp(what, "surface") == 0) {
        sn_stage_show_surface(stage);
    } else if (strcmp(what, "weights:all") == 0) {
        result = sn_stage_show_all_weights(stage, &error);
    } else if (strncmp(what, "weights:", 8) == 0) {
        uint32_t joint = SN_NONE;
        cliExit code =
            context_find_joint(context, context_model(context), "--show weights:", what + 8, &joint);
        if (code != CLI_DONE) return code;
        result = sn_stage_show_weights(stage, joint, what + 8, &error);
    } else if (strcmp(what, "moves") == 0) {
        result = sn_stage_show_moves(stage, &error);
    } else if (strcmp(what, "doubt") == 0) {
        result = show_doubt(context, stage, &error);
    } else if (strcmp(what, "lattice") == 0) {
        result = sn_stage_show_lattice(stage, &error);
    } else if (strcmp(what, "parts") == 0) {
        result = sn_stage_show_parts(stage, &error);
    } else {
        return cli_usage(
            verb,
            "--show %s: surface, weights:JOINT, weights:all, doubt, moves, lattice or parts is expected",
            what);
    }
    if (result == SN_RESULT_NOT_FOUND) {
        fprintf(stderr, "%s: %s; sinew bind makes one\n", error.file, error.text);
        return CLI_BAD_INPUT;
    }
    return result == SN_RESULT_OK ? CLI_DONE : context_fail(context, &error);
}
