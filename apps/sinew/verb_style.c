// sinew style: deformation styles as things of their own: made, drawn, checked, listed.
#include <stdio.h>
#include <string.h>

#include "film.h"
#include "report.h"
#include "style.h"
#include "verbs.h"

snStylePictureDef style_picture_def(cliContext* context, snRenderer* renderer, const snStyle* style) {
    return (snStylePictureDef){.renderer = renderer,
                               .style = style,
                               .tasks = context->tasks,
                               .level = context->level,
                               .progress = context_listen(context)};
}

static cliExit draw(cliContext* context, const snStyle* style, const char* path) {
    snRenderer* renderer = NULL;
    cliExit code = picture_renderer(context, &renderer);
    if (code != CLI_DONE) return code;
    snStylePictureDef def = style_picture_def(context, renderer, style);
    snError error = sn_error_none();
    snImage* sheet = NULL;
    snResult result = sn_film_is_path(path) ? sn_style_film(&def, path, &context->memory, &error)
                                            : sn_style_sheet(&def, &context->memory, &sheet, &error);
    if (result == SN_RESULT_OK && sheet != NULL) result = sn_png_write(sheet, path, &error);
    sn_image_destroy(sheet);
    sn_renderer_destroy(renderer);
    return picture_end(context, result, &error);
}

static cliExit show(cliContext* context) {
    const cliArguments* a = context->arguments;
    const char* output = cli_text(a, "output");
    cliExit code = output != NULL ? context_output(a, ".png .gif .mp4") : CLI_DONE;
    if (code != CLI_DONE) return code;
    snStyle* style = NULL;
    char own[80];
    code = style_open(context, "", a->operands[1], &style);
    if (code == CLI_DONE && output == NULL) {
        snprintf(own, sizeof own, "%s.png", style->name);
        output = own;
    }
    if (code == CLI_DONE) code = draw(context, style, output);
    if (code == CLI_DONE && context->json) {
        sniJsonValue* object = sni_json_object();
        sni_json_set(object, "output", sni_json_string(output));
        sni_json_set(object, "name", sni_json_string(style->name));
        code = report_print(context, object);
    } else if (code == CLI_DONE) {
        context_say(context, "wrote %s", output);
    }
    sn_style_destroy(style);
    return code;
}

// The styles that ship, one a line, or as JSON.
static cliExit list(cliContext* context) {
    sniJsonValue* styles = sni_json_array();
    cliExit code = CLI_DONE;
    const char* name = NULL;
    for (uint32_t i = 0; (name = sn_style_preset_name(i)) != NULL && code == CLI_DONE; i++) {
        snStyle* style = NULL;
        code = style_open(context, "", name, &style);
        if (code != CLI_DONE) break;
        if (context->json) {
            sniJsonValue* item = sni_json_object();
            sni_json_set(item, "name", sni_json_string(style->name));
            sni_json_set(item, "description", sni_json_string(style->description));
            sni_json_add(styles, item);
        } else {
            printf("%-10s %s\n", style->name, style->description);
        }
        sn_style_destroy(style);
    }
    if (!context->json || code != CLI_DONE) {
        sni_json_free(styles);
        return code;
    }
    sniJsonValue* object = sni_json_object();
    sni_json_set(object, "styles", styles);
    return report_print(context, object);
}

// ----------------------------------------------------------------------------------------------------- verb

static const struct {
    const char* name;
    const char* operands; // for complaints
    uint32_t operand_min, operand_max;
    const char* options; // of the verb's own, those that it takes
    cliExit (*run)(cliContext* context);
} acts[] = {
    {"new", "NAME", 1, 1, "output from", style_new},
    {"show", "STYLE", 1, 1, "output", show},
    {"check", "STYLE", 1, CLI_MAX_OPERANDS, "strict", style_check},
    {"list", "", 0, 0, "", list},
};
enum { ACTS = sizeof acts / sizeof acts[0] };

static int find_act(const char* name) {
    int i = 0;
    while (i < ACTS && strcmp(acts[i].name, name) != 0) i++;
    return i;
}

static cliExit check_words(const cliArguments* a, int act) {
    static const char* const own[] = {"output", "from", "strict"};
    const uint32_t count = a->operand_count - 1;
    if (count < acts[act].operand_min)
        return cli_usage(a->verb, "%s: %s is missing", acts[act].name, acts[act].operands);
    if (count > acts[act].operand_max)
        return cli_usage(a->verb, "%s: unexpected operand: %s", acts[act].name,
                         a->operands[acts[act].operand_max + 1]);
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++) {
        if (cli_given(a, own[i]) && strstr(acts[act].options, own[i]) == NULL)
            return cli_usage(a->verb, "--%s is not for sinew style %s", own[i], acts[act].name);
    }
    return CLI_DONE;
}

static cliExit run(const cliArguments* arguments) {
    int act = find_act(arguments->operands[0]);
    if (act == ACTS) {
        const char* words[ACTS];
        for (int i = 0; i < ACTS; i++) words[i] = acts[i].name;
        return cli_usage(arguments->verb, "%s: new, show, check or list is expected%s",
                         arguments->operands[0], cli_hint(arguments->operands[0], words, ACTS).text);
    }
    cliExit code = check_words(arguments, act);
    if (code != CLI_DONE) return code;
    cliContext context;
    code = context_open(&context, arguments);
    if (code != CLI_DONE) return code;
    code = acts[act].run(&context);
    context_close(&context);
    return code;
}

static const cliOption options[] = {
    {"output", 'o', CLI_FILE, "OUT",
     "new: a folder or a .snstyle file; show: sheet.png (default NAME.png), film.gif or .mp4", NULL, 0, 0},
    {"from", 0, CLI_TEXT, "STYLE", "new: start from another style instead of one that changes nothing",
     CLI_STYLES, 0, 0},
    {"strict", 0, CLI_FLAG, NULL, "check: warnings are failures, exit code 1", NULL, 0, 0},
    {NULL, 0, CLI_FLAG, NULL, NULL, NULL, 0, 0},
};
static const char* const examples[] = {"sinew style list",
                                       "sinew style show cloth -o cloth.png",
                                       "sinew style new bark --from cloth -o bark",
                                       "sinew style show bark -o bark.gif",
                                       "sinew style check bark other.snstyle --strict",
                                       "sinew animate hero.glb --style '*Knee=bark' -o out.glb",
                                       NULL};

const cliVerb verb_style = {
    .name = "style",
    .summary = "Create, draw, check and list deformation styles",
    .operands = "new|show|check|list [STYLE...]",
    .operand_min = 1,
    .operand_max = CLI_MAX_OPERANDS,
    .operand_choices = "new|show|check|list",
    .more_choices = CLI_STYLES,
    .options = options,
    .common = CLI_JSON | CLI_QUIET | CLI_WORKERS | CLI_MEMORY | CLI_SIMD,
    .examples = examples,
    .notes =
        "new NAME    creates a style to paint on: style.json with comments, three grey textures, a "
        "thumbnail.\n"
        "show STYLE  draws it on a tube that bends and twists, with its textures and curves.\n"
        "check STYLE reports mistakes and doubts, and the range of its scales.\n"
        "list        lists the built-in styles.\n"
        "STYLE is a built-in style, a folder, or a .snstyle file. docs/styles.md explains how to draw one.",
    .run = run};
