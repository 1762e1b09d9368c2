// sinew demo: the built-in body, moved, compared and filmed. Needs no data.
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "demo.h"
#include "picture.h"
#include "report.h"
#include "verbs.h"

typedef struct Paths {
    char model[1024], film[1024], sheet[1024];
} Paths;

static cliExit make_folder(const cliContext* context, const char* folder) {
    if (mkdir(folder, 0777) == 0 || errno == EEXIST) return CLI_DONE;
    snError error = sn_error_none();
    error.code = SN_RESULT_IO;
    snprintf(error.file, sizeof error.file, "%.200s", folder);
    snprintf(error.text, sizeof error.text, "cannot make this folder: %s", strerror(errno));
    return context_fail(context, &error);
}

static snResult write_sheet(snDemo* demo, const snProgress* progress, const char* path, snError* error) {
    snImage* sheet = NULL;
    snResult result = sn_demo_sheet(demo, progress, &sheet, error);
    if (result == SN_RESULT_OK) result = sn_png_write(sheet, path, error);
    sn_image_destroy(sheet);
    return result;
}

static cliExit shoot(cliContext* context, const snModel* model, const Paths* paths) {
    snRenderer* renderer = NULL;
    cliExit code = picture_renderer(context, &renderer);
    if (code != CLI_DONE) return code;
    snDemo demo;
    snDemoDef def = {renderer, model, context->tasks, context->level};
    snProgress progress = context_listen(context);
    snError error = sn_error_none();
    snResult result = sn_demo_open(&demo, &def, &context->memory, &error);
    if (result == SN_RESULT_OK) result = write_sheet(&demo, &progress, paths->sheet, &error);
    if (result == SN_RESULT_OK) context_say(context, "%s: six ways to deform compared", paths->sheet);
    if (result == SN_RESULT_OK && !cli_given(context->arguments, "no-film")) {
        result = sn_demo_film(&demo, paths->film, &progress, &error);
        if (result == SN_RESULT_OK) context_say(context, "%s: the film", paths->film);
    }
    sn_demo_close(&demo);
    sn_renderer_destroy(renderer);
    return picture_end(context, result, &error);
}

static cliExit report(const cliContext* context, const Paths* paths, double seconds) {
    bool film = !cli_given(context->arguments, "no-film");
    if (!context->json) {
        printf("%s\n%s\n", paths->model, paths->sheet);
        if (film) puts(paths->film);
        return CLI_DONE;
    }
    sniJsonValue* object = sni_json_object();
    sni_json_set(object, "model", sni_json_string(paths->model));
    sni_json_set(object, "sheet", sni_json_string(paths->sheet));
    if (film) sni_json_set(object, "film", sni_json_string(paths->film));
    sni_json_set(object, "seconds", sni_json_real(seconds));
    return report_print(context, object);
}

static cliExit show(cliContext* context, const Paths* paths) {
    double start = context_clock();
    snError error = sn_error_none();
    if (sn_document_make_lattice(context->document, NULL, NULL, &error) != SN_RESULT_OK)
        return context_fail(context, &error);
    snWriteDef def = sn_write_def();
    cliExit code = context_write(context, paths->model, &def, false);
    if (code != CLI_DONE) return code;
    const snModel* model = context_model(context);
    context_say(context, "%s: the body with %u clips, for any glTF viewer", paths->model, model->clip_count);
    code = shoot(context, model, paths);
    return code == CLI_DONE ? report(context, paths, context_clock() - start) : code;
}

static cliExit run(const cliArguments* arguments) {
    const char* folder = cli_text(arguments, "output");
    if (folder == NULL) folder = "out";
    Paths paths;
    if (strlen(folder) > 900) return cli_usage(arguments->verb, "the folder's name is too long");
    snprintf(paths.model, sizeof paths.model, "%s/demo.glb", folder);
    snprintf(paths.film, sizeof paths.film, "%s/demo.mp4", folder);
    snprintf(paths.sheet, sizeof paths.sheet, "%s/demo.png", folder);
    cliContext context;
    cliExit code = context_open(&context, arguments);
    if (code != CLI_DONE) return code;
    code = make_folder(&context, folder);
    if (code == CLI_DONE) code = context_character(&context, "builtin:body", SN_IMAGES_NONE);
    if (code == CLI_DONE) code = show(&context, &paths);
    context_close(&context);
    return code;
}

static const cliOption options[] = {
    {"output", 'o', CLI_FILE, "DIR", "folder for demo.glb, demo.png and demo.mp4 (default out)", NULL, 0, 0},
    {"no-film", 0, CLI_FLAG, NULL, "do not make the film (it needs ffmpeg)", NULL, 0, 0},
    {NULL, 0, CLI_FLAG, NULL, NULL, NULL, 0, 0},
};
static const char* const examples[] = {"sinew demo", "sinew demo -o /tmp/demo --no-film", NULL};

const cliVerb verb_demo = {.name = "demo",
                           .summary =
                               "Animate the built-in body and write a model, a sheet of pictures and a film",
                           .operands = "",
                           .options = options,
                           .common = CLI_JSON | CLI_QUIET | CLI_WORKERS | CLI_MEMORY | CLI_SIMD,
                           .examples = examples,
                           .run = run};
