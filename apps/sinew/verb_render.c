// sinew render: a picture, a labelled sheet or a film of a model.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "deformation.h"
#include "film.h"
#include "picture.h"
#include "report.h"
#include "stance.h"
#include "verbs.h"

typedef struct Request {
    cliPicture picture;
    bool film;
    uint32_t clip; // or SN_CLIP_REST
    float from, to;
    float fps;
    uint32_t sheet;  // frames side by side; 0: no sheet
    uint32_t frames; // of the film or the sheet; 1 for a still
} Request;

// The moment or stretch of the clip that is wanted. A still without --clip or --time shows the rest pose.
static cliExit choose_time(const cliContext* context, const snModel* model, Request* request) {
    const cliArguments* a = context->arguments;
    bool moving = request->film || request->sheet > 0;
    cliExit code = context_clip(context, model, &request->clip);
    if (code != CLI_DONE) return code;
    if (moving && request->clip == SN_CLIP_REST) {
        fprintf(stderr, "%s: the model has no clip to show\n", a->operands[0]);
        return CLI_BAD_INPUT;
    }
    if (!moving && !cli_given(a, "clip") && !cli_given(a, "time")) request->clip = SN_CLIP_REST;
    float duration = request->clip != SN_CLIP_REST ? model->clips[request->clip]->duration : 0;
    request->from = moving ? 0 : cli_number(a, "time", 0);
    request->to = moving ? duration : request->from;
    request->frames = request->sheet > 0 ? request->sheet : 1;
    if (!request->film) return CLI_DONE;
    return context_frames(context, request->from, request->to, request->fps, false, &request->frames);
}

static cliExit read_request(const cliContext* context, const snModel* model, Request* request) {
    const cliArguments* a = context->arguments;
    const char* output = cli_text(a, "output");
    *request = (Request){.film = sn_film_is_path(output), .fps = cli_number(a, "fps", 30)};
    request->sheet = cli_whole(a, "sheet", 0);
    if (request->sheet > 0 && request->film) return cli_usage(a->verb, "--sheet draws into a .png");
    bool sheet = request->sheet > 0;
    cliExit code =
        picture_read(context, model, output, sheet ? 400 : 960, sheet ? 400 : 720, &request->picture);
    return code == CLI_DONE ? choose_time(context, model, request) : code;
}

// ------------------------------------------------------------------------------------------------ output

static snResult draw_sheet(cliContext* context, snStage* stage, const Request* request, const snShot* scene,
                           snError* error) {
    snImage* sheet = NULL;
    snProgress progress = context_listen(context);
    snResult result = sn_stage_sheet(stage, request->clip, request->sheet, scene, &progress, &sheet, error);
    if (result == SN_RESULT_OK) result = sn_png_write(sheet, request->picture.path, error);
    sn_image_destroy(sheet);
    return result;
}

static snResult draw_film(cliContext* context, snStage* stage, const Request* request, const snShot* scene,
                          snError* error) {
    snStageFilmDef def = sn_stage_film_def();
    def.path = request->picture.path;
    def.fps = request->fps;
    def.frames = request->frames;
    def.clip = request->clip;
    def.from = request->from;
    def.progress = context_listen(context);
    return sn_stage_film(stage, &def, scene, error);
}

static cliExit draw(cliContext* context, snStage* stage, const Request* request) {
    cliExit code = picture_show(context, stage, cli_text(context->arguments, "show"));
    if (code != CLI_DONE) return code;
    snShot scene = picture_scene(stage, &request->picture, request->clip, request->from, request->to);
    scene.wireframe = cli_given(context->arguments, "wireframe");
    scene.ground = !cli_given(context->arguments, "no-ground");
    const char* backdrop = cli_text(context->arguments, "backdrop");
    if (backdrop != NULL && strcmp(backdrop, "dark") == 0) sn_shot_darken(&scene);
    snError error = sn_error_none();
    snResult result = request->sheet > 0 ? draw_sheet(context, stage, request, &scene, &error)
                      : request->film    ? draw_film(context, stage, request, &scene, &error)
                                         : sn_stage_still(stage, request->clip, request->from, &scene,
                                                          request->picture.path, &error);
    return picture_end(context, result, &error);
}

static cliExit report(const cliContext* context, const snModel* model, const Request* request) {
    const cliPicture* picture = &request->picture;
    if (!context->json) {
        context_say(context, "wrote %s", picture->path);
        return CLI_DONE;
    }
    sniJsonValue* object = sni_json_object();
    sni_json_set(object, "output", sni_json_string(picture->path));
    sni_json_set(object, "frames", sni_json_uint(request->frames));
    sni_json_set(object, "width", sni_json_uint(picture->width));
    sni_json_set(object, "height", sni_json_uint(picture->height));
    if (request->clip != SN_CLIP_REST)
        sni_json_set(object, "clip", sni_json_string(model->clips[request->clip]->name));
    return report_print(context, object);
}

static cliExit render_model(cliContext* context) {
    if (context_model(context)->part_count == 0) {
        fprintf(stderr, "%s: there is no surface in this file, only a skeleton\n",
                context->arguments->operands[0]);
        return CLI_BAD_INPUT;
    }
    Request request;
    snRenderer* renderer = NULL;
    cliExit code = stance_apply(context);
    if (code == CLI_DONE) code = read_request(context, context_model(context), &request);
    snSettings* settings = NULL;
    if (code == CLI_DONE) code = deformation_settings(context, &settings);
    if (code == CLI_DONE) code = deformation_use(context, settings);
    const snModel* model = context_model(context);
    if (code == CLI_DONE) code = picture_renderer(context, &renderer);
    snStage* stage = NULL;
    if (code == CLI_DONE) code = picture_stage(context, renderer, model, settings, &stage);
    if (code == CLI_DONE) code = deformation_say_styles(context, model, sn_stage_character(stage));
    if (code == CLI_DONE) code = draw(context, stage, &request);
    sn_stage_destroy(stage);
    sn_renderer_destroy(renderer);
    sn_settings_destroy(settings);
    return code == CLI_DONE ? report(context, model, &request) : code;
}

static cliExit run(const cliArguments* arguments) {
    cliExit code = context_output(arguments, ".png .gif .mp4");
    return code == CLI_DONE ? context_run(arguments, SN_IMAGES_ALL, render_model) : code;
}

static const cliOption options[] = {
    CLI_HEADING("What is shown"),
    {"output", 'o', CLI_FILE, "OUT", "picture.png, film.mp4 or film.gif", NULL, 0, 0},
    {"clip", 0, CLI_TEXT, "NAME",
     "animation to show, by name or number (default: the first, for films and sheets)", NULL, 0, 0},
    {"time", 0, CLI_NUMBER, "SECONDS", "moment of the clip for a still (default 0, with --clip)", NULL, 0, 0},
    {"sheet", 0, CLI_WHOLE, "N",
     "N moments of the clip side by side, labelled, 400x400 each unless --size says", NULL, 1,
     SN_STAGE_MAX_MOMENTS},
    {"fps", 0, CLI_NUMBER, "RATE", "frames per second of a film, up to 1000 (default 30)", NULL, 0.1f,
     CLI_MAX_FPS},
    {"show", 0, CLI_TEXT, "WHAT",
     "surface, weights:JOINT as a heat map, weights:all, doubt of binding, moves by volume and flesh, "
     "lattice "
     "or parts",
     "surface|weights:|weights:all|doubt|moves|lattice|parts", 0, 0},
    {"wireframe", 0, CLI_FLAG, NULL, "draw the polygon edges", NULL, 0, 0},
    {"no-ground", 0, CLI_FLAG, NULL, "no floor and no shadow on it", NULL, 0, 0},
    {"backdrop", 0, CLI_CHOICE, "TONE", "background of the model (default light)", "dark|light", 0, 0},
    CLI_HEADING("From where"),
    CLI_PICTURE_OPTIONS("JOINT", CLI_FOCUS_JOINT, "960x720"),
    CLI_FOLLOW_OPTION,
    CLI_STANCE_OPTIONS,
    CLI_HEADING("How the surface deforms"),
    CLI_DEFORM_OPTIONS,
    {NULL, 0, CLI_FLAG, NULL, NULL, NULL, 0, 0},
};
static const char* const examples[] = {
    "sinew render fox.glb -o fox.png --camera side",
    "sinew render fox.glb -o run.mp4 --clip Run --size 1280x720",
    "sinew render builtin:body -o sheet.png --clip walk --sheet 6",
    "sinew render builtin:body -o weights.png --show weights:LeftLowerArm --wireframe",
    "sinew render bound.glb -o lattice.png --show lattice",
    "sinew render hero.glb -o doubt.png --show doubt",
    NULL};

const cliVerb verb_render = {.name = "render",
                             .summary = "Draw a picture, a labelled sheet of moments, or a film of a model",
                             .operands = "FILE",
                             .operand_min = 1,
                             .operand_max = 1,
                             .options = options,
                             .common = CLI_COMMON_ALL,
                             .examples = examples,
                             .notes = "FILE is any model that is read, or builtin:body, :tube, :bar, :cube, "
                                      ":sheet. A still without --clip and\n"
                                      "--time shows the rest pose; with --time alone, the first clip.\n"
                                      "Films need ffmpeg in PATH.",
                             .run = run};
