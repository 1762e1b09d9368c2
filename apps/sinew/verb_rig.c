// sinew rig: handles for a model, from what it has or from its shape.
#include <stdio.h>
#include <string.h>

#include "handled.h"
#include "picture.h"
#include "report.h"
#include "rig_edit.h"
#include "rig_picture.h"
#include "rig_report.h"
#include "verbs.h"

typedef struct Made {
    const snHandles* handles; // the document's
    const char* from;         // "auto", "skeleton", ...; "selections": --handle alone; a .snrig
    float confidence;         // of the whole
    uint32_t pieces;          // that no handle held, given to the nearest
} Made;

// ------------------------------------------------------------------------------------------------ sources

static const char* choose_source(const cliContext* context) {
    const cliArguments* a = context->arguments;
    if (cli_given(a, "from")) return cli_text(a, "from");
    if (cli_given(a, "handle")) return "selections";
    return sn_handles_from_name(sn_document_handles_from(context->document));
}

// Options that would do nothing are mistakes.
static cliExit check_idle(const cliContext* context, const char* from) {
    static const struct {
        const char *option, *from;
    } uses[] = {{"detail", "auto"}, {"band", "auto"}, {"rigid", "skeleton"}, {"fingers", "skeleton"}};
    for (size_t i = 0; i < sizeof uses / sizeof uses[0]; i++)
        if (cli_given(context->arguments, uses[i].option) && strcmp(from, uses[i].from) != 0)
            return cli_usage(context->arguments->verb, "--%s is for --from %s, and handles come from %s",
                             uses[i].option, uses[i].from, from);
    return CLI_DONE;
}

static bool is_rig(const char* from) { return path_has_extension(from, ".snrig"); }

static cliExit check_source(const cliContext* context, const char* from) {
    static const char* const words[] = {"auto", "skeleton", "groups", "colors", "selections"};
    uint32_t count = cli_given(context->arguments, "from") ? 4 : 5;
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(from, words[i]) == 0) return check_idle(context, from);
    if (is_rig(from)) return check_idle(context, from);
    return cli_usage(context->arguments->verb,
                     "--from %s: auto, skeleton, groups, colors or a .snrig is expected%s", from,
                     cli_hint(from, words, 4).text);
}

// Loose pieces stay until all changes are made.
static snResult make_anew(const cliContext* context, const char* from, snHandlesReport* report,
                          snError* error) {
    const cliArguments* a = context->arguments;
    snMakeHandlesDef def = sn_make_handles_def();
    for (uint32_t i = 0; i < SN_HANDLES_FROM_COUNT; i++)
        if (strcmp(from, sn_handles_from_name((snHandlesFrom)i)) == 0) def.from = (snHandlesFrom)i;
    def.detail = cli_number(a, "detail", def.detail);
    def.band = cli_number(a, "band", def.band);
    def.rigid = cli_number(a, "rigid", def.rigid);
    def.fingers = cli_given(a, "fingers");
    def.loose = true;
    return sn_document_make_handles(context->document, &def, report, error);
}

static cliExit make(const cliContext* context, const snModel* model, Made* made) {
    const char* file = context->arguments->operands[0];
    made->from = choose_source(context);
    made->confidence = 1.0f;
    cliExit code = check_source(context, made->from);
    if (code != CLI_DONE || strcmp(made->from, "selections") == 0) return code;
    snError error = sn_error_none();
    snHandlesReport report = {0};
    if (strcmp(made->from, "skeleton") == 0 && model->skin_count == 0) {
        fprintf(stderr, "%s: there is no skin in this file; --from auto guesses by the shape\n", file);
        return CLI_BAD_INPUT;
    }
    if (is_rig(made->from)) file = made->from;
    snResult result = is_rig(made->from)
                          ? sn_document_read_handles(context->document, file, NULL, 0, &report, &error)
                          : make_anew(context, made->from, &report, &error);
    made->confidence = report.confidence;
    made->pieces = report.pieces;
    if (result == SN_RESULT_OK) return CLI_DONE;
    if (error.file[0] == '\0') snprintf(error.file, sizeof error.file, "%s", file);
    cliExit exit = context_fail(context, &error);
    return result == SN_RESULT_NOT_FOUND ? CLI_BAD_INPUT : exit;
}

// What the options that change handles make of them.
static cliExit change(const cliContext* context, const Made* made) {
    if (rig_change_given(context->arguments) == NULL) return CLI_DONE;
    return rig_change(context, strcmp(made->from, "selections") == 0);
}

// Loose pieces of the surface that no handle has would be refused when posing.
static cliExit hold_pieces(const cliContext* context, Made* made) {
    snHandlesReport report = {0};
    snError error = sn_error_none();
    if (sn_document_hold_pieces(context->document, &report, &error) != SN_RESULT_OK)
        return context_fail(context, &error);
    made->pieces += report.pieces;
    made->handles = sn_document_handles(context->document);
    return CLI_DONE;
}

// ------------------------------------------------------------------------------------------------- results

// Those that a person should look at first.
static void say_unsure(const cliContext* context, const snHandles* handles) {
    char names[512] = "";
    size_t length = 0;
    for (uint32_t h = 0; h < handles->handle_count && length < sizeof names; h++) {
        if (handles->handles[h].confidence >= 0.6f) continue;
        length += (size_t)snprintf(names + length, sizeof names - length, "%s%s", length > 0 ? ", " : "",
                                   handles->handles[h].name);
    }
    if (length > 0) context_say(context, "least sure: %s%s", names, length < sizeof names ? "" : "...");
}

// A handle of no weight is as if it were free, and a piece that has no other cannot be posed.
static void say_weightless(const cliContext* context, const snHandles* handles) {
    for (uint32_t h = 0; h < handles->handle_count; h++) {
        const snHandle* handle = &handles->handles[h];
        if (sn_handle_max_weight(handle) > 0.0f) continue;
        context_say(context, "note: all weights of \"%s\" are 0, so it holds nothing", handle->name);
    }
}

static cliExit report(const cliContext* context, const Made* made) {
    const char* output = cli_text(context->arguments, "output");
    const snHandles* handles = made->handles;
    if (context->json) {
        sniJsonValue* object = sni_json_object();
        sni_json_set(object, "output", sni_json_string(output));
        sni_json_set(object, "from", sni_json_string(made->from));
        sni_json_set(object, "confidence", sni_json_real((double)made->confidence));
        sni_json_set(object, "loose_pieces", sni_json_uint(made->pieces));
        rig_report_json(handles, object);
        return report_print(context, object);
    }
    uint32_t free_count = sn_handles_free_count(handles);
    context_say(context, "%u handle%s from %s; %.0f %% of %u vertices are free", handles->handle_count,
                handles->handle_count == 1 ? "" : "s", made->from,
                100.0 * (double)free_count / (double)handles->vertex_count, handles->vertex_count);
    if (made->pieces > 0)
        context_say(context, "%u loose piece%s of the surface that no handle held went to the nearest one",
                    made->pieces, made->pieces == 1 ? "" : "s");
    say_weightless(context, handles);
    if (free_count == 0)
        context_say(context, "note: no vertex is free, so the surface cannot bend between handles");
    if (strcmp(made->from, "auto") == 0) {
        context_say(context,
                    "a guess by the shape: %.0f %% sure; sinew rig MODEL --show %s -o look.png shows it",
                    100.0 * (double)made->confidence, output);
        say_unsure(context, handles);
    }
    context_say(context, "wrote %s", output);
    return CLI_DONE;
}

// ---------------------------------------------------------------------------------------------------- info

static cliExit run_info(const cliArguments* a) {
    cliContext context;
    cliExit code = context_open(&context, a);
    if (code != CLI_DONE) return code;
    code = rig_report_file(&context, cli_text(a, "info"));
    context_close(&context);
    return code;
}

// ---------------------------------------------------------------------------------------------------- show

static cliExit draw(cliContext* context, const snMesh* mesh, const snHandles* handles) {
    const cliArguments* a = context->arguments;
    cliPicture wanted;
    snRenderer* renderer = NULL;
    snImage* image = NULL;
    snError error = sn_error_none();
    uint32_t focus = SN_NONE;
    cliExit code = picture_read(context, NULL, cli_text(a, "output"), 960, 960, &wanted);
    if (code == CLI_DONE && cli_given(a, "focus"))
        code = handled_find_handle(a, handles, "focus", cli_text(a, "focus"), &focus);
    if (code == CLI_DONE) code = picture_renderer(context, &renderer);
    if (code == CLI_DONE) {
        snRigPicture picture = {
            mesh, handles, wanted.view, wanted.width, wanted.height, cli_given(a, "names"), focus};
        if (sn_rig_picture_draw(renderer, &picture, &context->memory, &image, &error) != SN_RESULT_OK ||
            sn_png_write(image, wanted.path, &error) != SN_RESULT_OK)
            code = context_fail(context, &error);
    }
    sn_image_destroy(image);
    sn_renderer_destroy(renderer);
    if (code != CLI_DONE || !context->json) {
        if (code == CLI_DONE) context_say(context, "wrote %s", wanted.path);
        return code;
    }
    sniJsonValue* object = sni_json_object();
    sni_json_set(object, "output", sni_json_string(wanted.path));
    rig_report_json(handles, object);
    return report_print(context, object);
}

static cliExit show(cliContext* context, const snMesh* mesh) {
    snError error = sn_error_none();
    const char* path = cli_text(context->arguments, "show");
    if (sn_document_read_handles(context->document, path, NULL, 0, NULL, &error) != SN_RESULT_OK)
        return context_fail(context, &error);
    return draw(context, mesh, sn_document_handles(context->document));
}

// ---------------------------------------------------------------------------------------------------- verb

static cliExit make_rig(cliContext* context) {
    Made made = {0};
    snError error = sn_error_none();
    cliExit code = make(context, context_model(context), &made);
    if (code == CLI_DONE) code = change(context, &made);
    if (code == CLI_DONE) code = hold_pieces(context, &made);
    if (code == CLI_DONE &&
        sn_handles_write(made.handles, cli_text(context->arguments, "output"), &error) != SN_RESULT_OK)
        code = context_fail(context, &error);
    return code == CLI_DONE && made.handles != NULL ? report(context, &made) : code;
}

static cliExit rig_model(cliContext* context) {
    const snMesh* mesh = NULL;
    snError error = sn_error_none();
    if (sn_document_mesh(context->document, &mesh, &error) != SN_RESULT_OK) {
        snprintf(error.file, sizeof error.file, "%s", context->arguments->operands[0]);
        return context_fail(context, &error);
    }
    return cli_given(context->arguments, "show") ? show(context, mesh) : make_rig(context);
}

// A rig is drawn, or one is made: options of the other would do nothing.
static cliExit check_show(const cliArguments* a) {
    static const char* const pictures[] = {"names", "camera", "size", "focus"};
    static const char* const sources[] = {"from", "detail", "band", "rigid", "fingers"};
    bool shown = cli_given(a, "show");
    for (size_t i = 0; i < sizeof pictures / sizeof pictures[0] && !shown; i++)
        if (cli_has(a->verb, pictures[i]) && cli_given(a, pictures[i]))
            return cli_usage(a->verb, "--%s is for --show RIG", pictures[i]);
    const char* idle = shown ? rig_change_given(a) : NULL;
    for (size_t i = 0; i < sizeof sources / sizeof sources[0] && shown; i++)
        if (cli_given(a, sources[i])) idle = sources[i];
    if (idle != NULL) return cli_usage(a->verb, "--%s makes a rig, --show draws one: use one of them", idle);
    return CLI_DONE;
}

static cliExit run(const cliArguments* a) {
    if (cli_given(a, "info")) {
        if (a->operand_count > 0 || cli_given(a, "output") || cli_given(a, "show"))
            return cli_usage(a->verb, "--info RIG takes no other options or operands");
        return run_info(a);
    }
    if (a->operand_count == 0) return cli_usage(a->verb, "MODEL is missing");
    cliExit code = context_no_rig(a);
    if (code == CLI_DONE) code = check_show(a);
    if (code != CLI_DONE) return code;
    code = context_output(a, cli_given(a, "show") ? ".png" : ".snrig");
    return code == CLI_DONE ? context_run(a, SN_IMAGES_NONE, rig_model) : code;
}

static const cliOption options[] = {
    CLI_HEADING("What goes in and out"),
    {"output", 'o', CLI_FILE, "OUT", "file to write: .snrig; with --show .png", NULL, 0, 0},
    {"from", 0, CLI_FILE, "WHAT",
     "auto, skeleton, groups, colors, or a .snrig to change (default: the skeleton, else auto)",
     "auto|skeleton|groups|colors", 0, 0},
    {"info", 0, CLI_FILE, "RIG", "print what is in this file, without a model", NULL, 0, 0},
    CLI_HEADING("Handles, changed in the order given"),
    {"handle", 0, CLI_LIST, "NAME=WHERE",
     "a handle with these vertices; NAME+=WHERE adds vertices, NAME-=WHERE removes them. WHERE: see below",
     NULL, 0, 0},
    {"grow", 0, CLI_LIST, "[NAME=]N", "rings to add to a handle, or to all that --handle marks", NULL, 0, 0},
    {"shrink", 0, CLI_LIST, "[NAME=]N", "rings to remove", NULL, 0, 0},
    {"rename", 0, CLI_LIST, "OLD=NEW", "rename a handle", NULL, 0, 0},
    {"remove", 0, CLI_LIST, "NAME,...", "free its vertices; its followers then follow its parent", NULL, 0,
     0},
    {"merge", 0, CLI_LIST, "NAME=A,...", "make A a part of NAME, with its vertices and followers", NULL, 0,
     0},
    {"center", 0, CLI_LIST, "NAME=X,Y,Z", "center of rotation; NAME=auto: the ring at its parent", NULL, 0,
     0},
    {"parent", 0, CLI_LIST, "NAME=P", "the handle that it follows; NAME= for none", NULL, 0, 0},
    {"followers", 0, CLI_LIST, "NAME=A,B", "handles that follow it", NULL, 0, 0},
    {"weight", 0, CLI_LIST, "NAME=W", "how rigid it is, from 0 to 1 (default 1)", NULL, 0, 0},
    {"feather", 0, CLI_LIST, "[NAME=]N", "rings over which weights fall towards the border", NULL, 0, 0},
    CLI_HEADING("How handles are found"),
    {"detail", 0, CLI_NUMBER, "D",
     "auto: how much a limb must stand out, from 0 (fingers too) to 1 (default 0.5)", NULL, 0, 1},
    {"band", 0, CLI_NUMBER, "B", "auto: free width at a cut, in radii of the limb (default 2)", NULL, 0, 100},
    {"rigid", 0, CLI_NUMBER, "SHARE", "skeleton: weight from which a vertex is rigid (default 0.8)", NULL,
     0.51f, 1},
    {"fingers", 0, CLI_FLAG, NULL, "skeleton: fingers are handles of their own", NULL, 0, 0},
    CLI_HEADING("Pictures"),
    {"show", 0, CLI_FILE, "RIG", "draw the handles of this file", NULL, 0, 0},
    {"names", 0, CLI_FLAG, NULL, "with --show: draw names beside the centers", NULL, 0, 0},
    CLI_PICTURE_OPTIONS("HANDLE", "handle", "960x960"),
    {NULL, 0, CLI_FLAG, NULL, NULL, NULL, 0, 0},
};
static const char* const examples[] = {
    "sinew rig scan.obj -o scan.snrig",
    "sinew rig scan.obj --show scan.snrig -o look.png --names",
    "sinew rig hero.glb --from skeleton --fingers -o hero.snrig",
    "sinew rig bar.obj --handle low=box:-1,0,-1,1,0.2,1 --handle top=box:-1,0.8,-1,1,1,1 -o bar.snrig",
    "sinew rig scan.obj --from auto --handle left_hand=brush:2210,0.1 --feather 2 -o scan.snrig",
    "sinew rig scan.obj --from scan.snrig --rename limb_1=tail --merge tail=limb_2 -o scan.snrig",
    "sinew rig --info scan.snrig",
    NULL};

const cliVerb verb_rig = {
    .name = "rig",
    .summary = "Find or mark the rigid parts of a model: handles, to pose it without a skeleton",
    .operands = "[MODEL]",
    .operand_min = 0,
    .operand_max = 1,
    .options = options,
    .common = CLI_COMMON_ALL,
    .examples = examples,
    .notes =
        "WHERE is one of box:x0,y0,z0,x1,y1,z1  ball:x,y,z,radius  brush:VERTEX,radius (along the "
        "surface)\ngroup:NAME  color:#rrggbb[,TOLERANCE]  joint:NAME. Places are in metres, in the "
        "world.\nOptions from --handle to --feather are edits, applied in the order given. "
        "Without --from only the\nhandles of --handle are made; with it the first NAME= makes a handle of "
        "that name anew, and further ones\nadd to it. What = and += mark is taken from others, unless "
        "these options marked it for them. A handle turns about --center, else about the ring "
        "where it meets the handle that it follows.",
    .run = run};
