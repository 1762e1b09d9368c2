// sinew render: a picture, a labelled sheet or a film of a model.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "film.h"
#include "report.h"
#include "sheet.h"
#include "stage.h"
#include "verbs.h"

#define MAX_SHEET 24
#define LARGE                                                                                                \
    6000000 // pixels from which the driver's own multisampling has to do: four times as many would not fit

typedef struct Request {
    const char* output;
    snView view;
    uint32_t width, height;
    uint32_t clip; // SN_NONE: rest
    float from, to;
    float fps;
    uint32_t sheet; // frames side by side; 0: no sheet
} Request;

static bool parse_size(const char* text, uint32_t* width, uint32_t* height) {
    unsigned w = 0, h = 0;
    char rest = 0;
    if (sscanf(text, "%5ux%5u%c", &w, &h, &rest) != 2 || w < 16 || h < 16 || w > 8192 || h > 8192)
        return false;
    *width = w;
    *height = h;
    return true;
}

// The moment or stretch of the clip that is wanted. A still without --clip or --time shows the rest pose.
static cliExit choose_time(const cliContext* context, const snModel* model, Request* request) {
    const cliArguments* a = context->arguments;
    bool moving = sn_film_is_path(request->output) || request->sheet > 0;
    cliExit code = context_clip(context, model, &request->clip);
    if (code != CLI_DONE) return code;
    if (moving && request->clip == SN_NONE) {
        fprintf(stderr, "%s: the model has no clip to show\n", a->operands[0]);
        return CLI_BAD_INPUT;
    }
    if (!moving && !cli_given(a, "clip") && !cli_given(a, "time")) request->clip = SN_NONE;
    float duration = request->clip != SN_NONE ? model->clips[request->clip]->duration : 0;
    request->from = moving ? 0 : cli_number(a, "time", 0);
    request->to = moving ? duration : request->from;
    return CLI_DONE;
}

static cliExit read_request(const cliContext* context, const snModel* model, Request* request) {
    const cliArguments* a = context->arguments;
    *request = (Request){.output = cli_text(a, "output"), .width = 960, .height = 720};
    if (request->output == NULL) return cli_usage(a->verb, "-o OUT is missing");
    if (!sn_film_is_path(request->output) && !path_has_extension(request->output, ".png"))
        return cli_usage(a->verb, "%s: pictures are .png, films .gif or .mp4", request->output);
    const char* camera = cli_text(a, "camera");
    if (!sn_view_parse(camera != NULL ? camera : "three-quarter", &request->view))
        return cli_usage(a->verb, "--camera %s: a name or yaw,pitch[,zoom] in degrees is expected", camera);
    request->sheet = cli_whole(a, "sheet", 0);
    if (request->sheet > MAX_SHEET || (request->sheet > 0 && sn_film_is_path(request->output)))
        return cli_usage(a->verb, "--sheet draws 1 .. %d frames into a .png", MAX_SHEET);
    if (request->sheet > 0) request->width = request->height = 400;
    const char* size = cli_text(a, "size");
    if (size != NULL && !parse_size(size, &request->width, &request->height))
        return cli_usage(a->verb, "--size %s: WIDTHxHEIGHT of 16 .. 8192 pixels is expected", size);
    request->fps = cli_number(a, "fps", 30);
    return choose_time(context, model, request);
}

// ------------------------------------------------------------------------------------------------ output

static cliExit save(cliContext* context, snImage* image, const char* path) {
    snError error = sn_error_none();
    snResult result = sn_png_write(image, path, &error);
    sn_image_destroy(image);
    return result == SN_RESULT_OK ? CLI_DONE : context_fail(context, &error);
}

static cliExit draw_still(cliStage* stage, const Request* request, const snScene* scene) {
    snImage* image = NULL;
    cliExit code = stage_draw(stage, request->clip, request->from, scene, &image);
    return code == CLI_DONE ? save(stage->context, image, request->output) : code;
}

static cliExit draw_sheet(cliStage* stage, const Request* request, const snScene* scene) {
    snImage* cells[MAX_SHEET] = {NULL};
    char labels[MAX_SHEET][24];
    const char* label_list[MAX_SHEET];
    cliExit code = CLI_DONE;
    for (uint32_t i = 0; i < request->sheet && code == CLI_DONE; i++) {
        // The last moment of a loop is the first again, so it is left out.
        float time = request->to * (float)i / (float)request->sheet;
        snprintf(labels[i], sizeof labels[i], "%.2f s", (double)time);
        label_list[i] = labels[i];
        context_progress(stage->context, "drawing", i, request->sheet);
        code = stage_draw(stage, request->clip, time, scene, &cells[i]);
    }
    context_progress(stage->context, "drawing", 1, 1);
    snSheetDef def = sn_sheet_def();
    def.title = stage->model->clips[request->clip]->name;
    def.columns = request->sheet;
    def.cells = (const snImage* const*)cells;
    def.column_labels = label_list;
    snImage* sheet = NULL;
    snError error = sn_error_none();
    if (code == CLI_DONE && sn_sheet_create(&def, &stage->context->memory, &sheet, &error) != SN_RESULT_OK)
        code = context_fail(stage->context, &error);
    for (uint32_t i = 0; i < request->sheet; i++) sn_image_destroy(cells[i]);
    return code == CLI_DONE ? save(stage->context, sheet, request->output) : code;
}

static cliExit show(cliStage* stage) {
    const char* what = cli_text(stage->context->arguments, "show");
    if (what == NULL || strcmp(what, "surface") == 0) return CLI_DONE;
    if (strncmp(what, "weights:", 8) == 0) return stage_show_weights(stage, what + 8);
    return cli_usage(stage->context->arguments->verb, "--show %s: surface or weights:JOINT is expected",
                     what);
}

static cliExit draw(cliStage* stage, const Request* request) {
    cliExit code = show(stage);
    if (code != CLI_DONE) return code;
    snScene scene = sn_scene();
    scene.width = request->width;
    scene.height = request->height;
    if ((uint64_t)scene.width * scene.height > LARGE) scene.supersample = 1;
    scene.wireframe = cli_given(stage->context->arguments, "wireframe");
    scene.ground = !cli_given(stage->context->arguments, "no-ground");
    snExtent extent = sn_extent_empty();
    stage_reach(stage, request->clip, request->from, request->to, &extent);
    scene.bounds = extent.bounds;
    scene.camera = sn_camera_frame_extent(request->view, &extent, (float)scene.width / (float)scene.height);
    if (request->sheet > 0) return draw_sheet(stage, request, &scene);
    if (!sn_film_is_path(request->output)) return draw_still(stage, request, &scene);
    scene.supersample = 1;
    return stage_film(stage, request->clip, request->from, request->to, request->fps, &scene,
                      request->output);
}

static cliExit report(const cliContext* context, const snModel* model, const Request* request) {
    if (!context->json) {
        context_say(context, "wrote %s", request->output);
        return CLI_DONE;
    }
    bool film = sn_film_is_path(request->output);
    uint32_t frames = film ? stage_frame_count(request->from, request->to, request->fps, false)
                           : (request->sheet > 0 ? request->sheet : 1);
    sniJsonValue* object = sni_json_object();
    sni_json_set(object, "output", sni_json_string(request->output));
    sni_json_set(object, "frames", sni_json_uint(frames));
    sni_json_set(object, "width", sni_json_uint(request->width));
    sni_json_set(object, "height", sni_json_uint(request->height));
    if (request->clip != SN_NONE)
        sni_json_set(object, "clip", sni_json_string(model->clips[request->clip]->name));
    return report_print(context, object);
}

static cliExit render_model(cliContext* context, const snModel* model) {
    Request request;
    cliExit code = read_request(context, model, &request);
    if (code != CLI_DONE) return code;
    snRenderer* renderer = NULL;
    snError error = sn_error_none();
    if (sn_renderer_create(&context->memory, &renderer, &error) != SN_RESULT_OK) {
        context_fail(context, &error);
        return CLI_SYSTEM;
    }
    const char* skin = cli_text(context->arguments, "skin");
    cliStage stage;
    code = stage_open(&stage, context, renderer, model,
                      skin != NULL && strcmp(skin, "dual") == 0 ? SN_SKIN_DUAL : SN_SKIN_LINEAR);
    if (code == CLI_DONE) code = draw(&stage, &request);
    stage_close(&stage);
    sn_renderer_destroy(renderer);
    return code == CLI_DONE ? report(context, model, &request) : code;
}

static cliExit run(const cliArguments* arguments) {
    cliContext context;
    cliExit code = context_open(&context, arguments);
    if (code != CLI_DONE) return code;
    snModel* model = NULL;
    code = context_model(&context, arguments->operands[0], true, &model);
    if (code == CLI_DONE) code = render_model(&context, model);
    sn_model_destroy(model);
    context_close(&context);
    return code;
}

static const cliOption options[] = {
    {"output", 'o', CLI_FILE, "OUT", "picture.png, film.mp4 or film.gif", NULL, 0},
    {"clip", 0, CLI_TEXT, "NAME", "animation to show, by name or number (default: the first)", NULL, 0},
    {"time", 0, CLI_NUMBER, "SECONDS", "moment of the clip for a still (default 0)", NULL, 0},
    {"sheet", 0, CLI_WHOLE, "N", "N moments of the clip side by side, labelled", NULL, 1},
    {"camera", 0, CLI_TEXT, "VIEW", "front, side, back, three-quarter, top or yaw,pitch[,zoom] in degrees",
     "front|side|back|three-quarter|top", 0},
    {"size", 0, CLI_TEXT, "WxH", "pixels (default 960x720; a sheet's cell 400x400)", NULL, 0},
    {"fps", 0, CLI_NUMBER, "RATE", "frames a second of a film (default 30)", NULL, 0.1f},
    {"skin", 0, CLI_CHOICE, "METHOD", "how the skin follows the joints (default linear)", "linear|dual", 0},
    {"show", 0, CLI_TEXT, "WHAT", "surface, or weights:JOINT as a heat map", "surface|weights:", 0},
    {"wireframe", 0, CLI_FLAG, NULL, "draw the polygon edges", NULL, 0},
    {"no-ground", 0, CLI_FLAG, NULL, "no floor and no shadow on it", NULL, 0},
    {NULL, 0, CLI_FLAG, NULL, NULL, NULL, 0},
};
static const char* const examples[] = {
    "sinew render fox.glb -o fox.png --camera side",
    "sinew render fox.glb -o run.mp4 --clip Run --size 1280x720",
    "sinew render builtin:body -o sheet.png --clip walk --sheet 6",
    "sinew render hero.glb -o weights.png --show weights:forearm_l --wireframe", NULL};

const cliVerb verb_render = {.name = "render",
                             .summary = "Draw a picture, a labelled sheet or a film of a model",
                             .operands = "FILE",
                             .operand_min = 1,
                             .operand_max = 1,
                             .options = options,
                             .common = CLI_COMMON_ALL,
                             .examples = examples,
                             .notes =
                                 "FILE is .glb, .gltf, .obj, or builtin:body, :tube, :bar, :cube, :sheet.\n"
                                 "Films need ffmpeg in PATH.",
                             .run = run};
