// `sinew style new`: something to paint on.
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"
#include "io/bytes.h"
#include "io/file.h"
#include "report.h"
#include "style.h"

// Odd, so that the sides of a limb have texels of their own.
#define WIDTH 64u
#define HEIGHT 33u
#define ONE 32768u

// ----------------------------------------------------------------------------------------------------- style

// Three textures that change nothing.
static cliExit add_textures(const cliContext* context, snStyle* style) {
    snStyleTexture texture = {WIDTH, HEIGHT, ONE, NULL};
    texture.texels = SNI_NEW_ARRAY(&context->memory, uint16_t, (size_t)WIDTH * HEIGHT);
    if (texture.texels == NULL) return context_fail_memory(context);
    for (uint32_t i = 0; i < WIDTH * HEIGHT; i++) texture.texels[i] = ONE;
    snError error = sn_error_none();
    snResult result = SN_RESULT_OK;
    for (uint32_t d = 0; d < SN_STYLE_DIRECTIONS && result == SN_RESULT_OK; d++)
        result = sn_style_set_texture(style, d, &texture, &error);
    sni_free(&context->memory, texture.texels);
    return result == SN_RESULT_OK ? CLI_DONE : context_fail(context, &error);
}

static cliExit rename_style(const cliContext* context, const char* name, snStyle* style) {
    char* copy = sni_copy_text(&style->allocator, name);
    if (copy == NULL) return context_fail_memory(context);
    sni_free(&style->allocator, style->name);
    style->name = copy;
    return CLI_DONE;
}

static cliExit make_style(const cliContext* context, const char* name, snStyle** out) {
    const char* from = cli_text(context->arguments, "from");
    snError error = sn_error_none();
    // Also for a copy: this is who knows what a name may be.
    snStyle* style = NULL;
    if (sn_style_create(name, &context->memory, &style, &error) != SN_RESULT_OK) {
        if (error.code != SN_RESULT_BAD_DATA) return context_fail(context, &error);
        return cli_usage(context->arguments->verb, "%s: %s", name, error.text);
    }
    cliExit code = CLI_DONE;
    if (from != NULL) {
        sn_style_destroy(style);
        style = NULL;
        code = style_open(context, "--from ", from, &style);
        if (code == CLI_DONE) code = rename_style(context, name, style);
    } else {
        code = add_textures(context, style);
    }
    if (code == CLI_DONE)
        *out = style;
    else
        sn_style_destroy(style);
    return code;
}

// -------------------------------------------------------------------------------------------------- comments

// What the keys of style.json mean, for people who change them.
static const struct {
    const char* key;
    const char* comment;
} meanings[] = {
    {"style", "A deformation style; sinew style show draws it, sinew style check looks for mistakes."},
    {"name", "1 to 63 letters, digits, - and _"},
    {"description", "one line"},
    {"bend_angle", "degrees, 1 to 3600: bent this far beyond the rest pose, a joint shows all of it"},
    {"twist_angle", "degrees, 1 to 3600: the same for twist"},
    {"strength", "0 to 4: how much of it; 1 is as drawn"},
    {"hollow", "-2 to 2, in radii of the limb: the wall on the other side stays while this one moves"},
    {"fade", "0 to 0.5: over this share of the limb at each end it becomes nothing"},
    {"sides", "\"mirrored\": rows go from the outside of the bend to its inside, both sides alike.\n"
              "  // \"around\": they go all the way around"},
    {"textures",
     "grey PNG of 8 or 16 bits, 2 to 512 a side. Middle grey (128 or 32768) leaves the limb as\n"
     "  // it is, darker is thinner, white is twice as thick. Columns run along the limb, with the\n"
     "  // joint in the middle; rows around it, from the outside of the bend on. \"frontal\" acts\n"
     "  // inside of a bend, \"lateral\" at its sides, \"radial\" all around under twist"},
    {"curves", "[x, scale] pairs, x rising in 0 to 1, scales 0 to 4: the whole cross-section along the\n"
               "  // limb. \"frontal\" towards the inside of a bend, \"lateral\" across it, \"radial\" under "
               "twist"},
};

static const char* meaning_of(const char* line, size_t length) {
    const char* at = line;
    const char* end = line + length;
    while (at < end && *at == ' ') at++;
    if (at - line != 2 || at == end || *at++ != '"') return NULL; // members of the outermost object only
    for (size_t i = 0; i < sizeof meanings / sizeof meanings[0]; i++) {
        size_t size = strlen(meanings[i].key);
        if ((size_t)(end - at) > size && memcmp(at, meanings[i].key, size) == 0 && at[size] == '"')
            return meanings[i].comment;
    }
    return NULL;
}

// Every line again, with what its key means before it.
static void annotate(const char* text, size_t size, sniBytes* out) {
    for (const char* line = text; line < text + size;) {
        const char* end = memchr(line, '\n', (size_t)(text + size - line));
        size_t length = end != NULL ? (size_t)(end - line) + 1 : (size_t)(text + size - line);
        const char* comment = meaning_of(line, length);
        if (comment != NULL) {
            sni_bytes_text(out, "  // ");
            sni_bytes_text(out, comment);
            sni_bytes_text(out, "\n");
        }
        sni_bytes_add(out, line, length);
        line += length;
    }
}

// Folders are there to be worked in; a zip stays as it is.
static cliExit comment_folder(const cliContext* context, const char* folder) {
    char path[4200];
    snError error = sn_error_none();
    uint8_t* text = NULL;
    size_t size = 0;
    snprintf(path, sizeof path, "%.4096s/style.json", folder);
    if (sni_file_read(path, context->budget.limit, &context->memory, &text, &size, &error) != SN_RESULT_OK)
        return context_fail(context, &error);
    sniBytes out = sni_bytes(&context->memory);
    annotate((const char*)text, size, &out);
    sni_free(&context->memory, text);
    snResult result = out.failed ? sni_fail_memory(&error) : sn_file_write(path, out.data, out.size, &error);
    sni_bytes_free(&out);
    return result == SN_RESULT_OK ? CLI_DONE : context_fail(context, &error);
}

// ------------------------------------------------------------------------------------------------------ verb

// A style without a thumbnail is one too, so a machine that cannot draw only says so.
static cliExit draw_thumbnail(cliContext* context, const snStyle* style, snImage** out) {
    snRenderer* renderer = NULL;
    snError error = sn_error_none();
    if (sn_renderer_create(&context->memory, &renderer, &error) != SN_RESULT_OK) {
        context_say(context, "note: no thumbnail: %s", error.text);
        return CLI_DONE;
    }
    cliExit code = style_thumbnail(context, renderer, style, out);
    sn_renderer_destroy(renderer);
    return code;
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
    if (access(path, F_OK) == 0)
        return cli_usage(a->verb, "%s is there already, and may be somebody's work", path);
    snStyle* style = NULL;
    snImage* thumbnail = NULL;
    snError error = sn_error_none();
    cliExit code = make_style(context, a->operands[1], &style);
    if (style == NULL) return code;
    code = draw_thumbnail(context, style, &thumbnail);
    if (code == CLI_DONE && sn_style_write(style, thumbnail, path, &error) != SN_RESULT_OK)
        code = context_fail(context, &error);
    if (code == CLI_DONE && !path_has_extension(path, ".snstyle")) code = comment_folder(context, path);
    if (code == CLI_DONE) code = report(context, style, path, thumbnail != NULL);
    sn_image_destroy(thumbnail);
    sn_style_destroy(style);
    return code;
}
