// `sinew style new`: something to paint on.
#include <unistd.h>

#include "report.h"
#include "style.h"

static cliExit make_style(const cliContext* context, const char* name, snStyle** out) {
    const char* from = cli_text(context->arguments, "from");
    snError error = sn_error_none();
    snStyle* style = NULL;
    // Also for a copy: this is who knows what a name may be.
    if (sn_style_create_blank(name, &context->memory, &style, &error) != SN_RESULT_OK) {
        if (error.code != SN_RESULT_BAD_DATA) return context_fail(context, &error);
        return cli_usage(context->arguments->verb, "%s: %s", name, error.text);
    }
    if (from == NULL) {
        *out = style;
        return CLI_DONE;
    }
    sn_style_destroy(style);
    style = NULL;
    cliExit code = style_open(context, "--from ", from, &style);
    if (code == CLI_DONE && sn_style_rename(style, name, &error) != SN_RESULT_OK)
        code = context_fail(context, &error);
    if (code == CLI_DONE)
        *out = style;
    else
        sn_style_destroy(style);
    return code;
}

// A style without a thumbnail is one too, so a machine that cannot draw only says so.
static cliExit draw_thumbnail(cliContext* context, const snStyle* style, snImage** out) {
    snRenderer* renderer = NULL;
    snError error = sn_error_none();
    if (sn_renderer_create(&context->memory, &renderer, &error) != SN_RESULT_OK) {
        context_say(context, "note: no thumbnail: %s", error.text);
        return CLI_DONE;
    }
    snStylePictureDef def = style_picture_def(context, renderer, style);
    snResult result = sn_style_thumbnail(&def, &context->memory, out, &error);
    sn_renderer_destroy(renderer);
    return picture_end(context, result, &error);
}

static cliExit report(const cliContext* context, const snStyle* style, const char* path, bool drawn) {
    if (!context->json) {
        context_say(context, "wrote %s: style %s; sinew style show %s -o sheet.png draws it", path,
                    style->name, path);
        return CLI_DONE;
    }
    sniJsonValue* object = sni_json_object();
    sni_json_set(object, "output", sni_json_string(path));
    sni_json_set(object, "name", sni_json_string(style->name));
    sni_json_set(object, "thumbnail", sni_json_bool(drawn));
    return report_print(context, object);
}

cliExit style_new(cliContext* context) {
    const cliArguments* a = context->arguments;
    const char* path = cli_text(a, "output");
    if (path == NULL)
        return cli_usage(a->verb, "-o OUT is missing: a folder, or a file that ends in .snstyle");
    if (access(path, F_OK) == 0) return cli_usage(a->verb, "%s already exists and is not overwritten", path);
    snStyle* style = NULL;
    snImage* thumbnail = NULL;
    snError error = sn_error_none();
    cliExit code = make_style(context, a->operands[1], &style);
    if (style == NULL) return code;
    code = draw_thumbnail(context, style, &thumbnail);
    if (code == CLI_DONE && sn_style_write_commented(style, thumbnail, path, &error) != SN_RESULT_OK)
        code = context_fail(context, &error);
    if (code == CLI_DONE) code = report(context, style, path, thumbnail != NULL);
    sn_image_destroy(thumbnail);
    sn_style_destroy(style);
    return code;
}
