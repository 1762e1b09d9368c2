// What can be wrong with a style although it can be read, and what it holds.
#include <stdio.h>

#include "io/style_json.h"
#include "report.h"
#include "style.h"

typedef struct Findings {
    uint32_t count;
    snStyleFault faults[SN_STYLE_MAX_FAULTS];
} Findings;

typedef struct Sentence {
    char text[160];
} Sentence;

static Sentence sentence(const snStyleFault* fault) {
    Sentence out = {""};
    sn_style_fault_text(fault, out.text, sizeof out.text);
    return out;
}

// --------------------------------------------------------------------------------------------------- report

static void print(const char* path, const snStyle* style, const Findings* findings) {
    printf("%s: style %s", path, style->name);
    if (style->description[0] != '\0') printf(" (%s)", style->description);
    printf("\n  full effect at %.4g degrees of bend and %.4g of twist, strength %.3g, hollow %.3g, fade "
           "%.3g, %s\n",
           sni_degrees_of(style->bend_angle), sni_degrees_of(style->twist_angle), (double)style->strength,
           (double)style->hollow, (double)style->fade,
           style->sides == SN_STYLE_AROUND ? "all around" : "mirrored");
    for (uint32_t d = 0; d < SN_STYLE_DIRECTIONS; d++) {
        const snStyleTexture* texture = &style->textures[d];
        snStyleScales t = sn_style_texture_scales(style, d), c = sn_style_curve_scales(style, d);
        if (texture->width > 0)
            printf("  %s texture: %u x %u texels of %u bits, scales %.3f to %.3f\n",
                   sn_style_direction_name(d), texture->width, texture->height, texture->one > 128 ? 16u : 8u,
                   (double)t.low, (double)t.high);
        if (style->curves[d].count > 0)
            printf("  %s curve: %u keys, scales %.3f to %.3f\n", sn_style_direction_name(d),
                   style->curves[d].count, (double)c.low, (double)c.high);
    }
    for (uint32_t i = 0; i < findings->count; i++)
        printf("  warning: %s\n", sentence(&findings->faults[i]).text);
}

static void set_scales(sniJsonValue* object, snStyleScales scales) {
    sni_json_set(object, "min", sni_json_real((double)scales.low));
    sni_json_set(object, "max", sni_json_real((double)scales.high));
}

static sniJsonValue* textures_json(const snStyle* style) {
    sniJsonValue* object = sni_json_object();
    for (uint32_t d = 0; d < SN_STYLE_DIRECTIONS; d++) {
        const snStyleTexture* texture = &style->textures[d];
        if (texture->width == 0) continue;
        sniJsonValue* item = sni_json_object();
        sni_json_set(item, "width", sni_json_uint(texture->width));
        sni_json_set(item, "height", sni_json_uint(texture->height));
        sni_json_set(item, "bits", sni_json_uint(texture->one > 128 ? 16 : 8));
        set_scales(item, sn_style_texture_scales(style, d));
        sni_json_set(object, sn_style_direction_name(d), item);
    }
    return object;
}

static sniJsonValue* curves_json(const snStyle* style) {
    sniJsonValue* object = sni_json_object();
    for (uint32_t d = 0; d < SN_STYLE_DIRECTIONS; d++) {
        if (style->curves[d].count == 0) continue;
        sniJsonValue* item = sni_json_object();
        sni_json_set(item, "keys", sni_json_uint(style->curves[d].count));
        set_scales(item, sn_style_curve_scales(style, d));
        sni_json_set(object, sn_style_direction_name(d), item);
    }
    return object;
}

static sniJsonValue* fault_json(const char* path, const snError* error) {
    char text[1024];
    sn_error_format(error, text, sizeof text);
    sniJsonValue* object = sni_json_object();
    sni_json_set(object, "path", sni_json_string(path));
    sni_json_set(object, "valid", sni_json_bool(false));
    sni_json_set(object, "error", sni_json_string(text));
    return object;
}

static sniJsonValue* style_json(const char* path, const snStyle* style, const Findings* findings) {
    sniJsonValue* object = sni_json_object();
    sni_json_set(object, "path", sni_json_string(path));
    sni_json_set(object, "valid", sni_json_bool(true));
    sni_json_set(object, "name", sni_json_string(style->name));
    sni_json_set(object, "description", sni_json_string(style->description));
    sni_json_set(object, "bend_angle", sni_json_real(sni_degrees_of(style->bend_angle)));
    sni_json_set(object, "twist_angle", sni_json_real(sni_degrees_of(style->twist_angle)));
    sni_json_set(object, "strength", sni_json_real((double)style->strength));
    sni_json_set(object, "hollow", sni_json_real((double)style->hollow));
    sni_json_set(object, "fade", sni_json_real((double)style->fade));
    sni_json_set(object, "sides", sni_json_string(style->sides == SN_STYLE_AROUND ? "around" : "mirrored"));
    sni_json_set(object, "textures", textures_json(style));
    sni_json_set(object, "curves", curves_json(style));
    sniJsonValue* warnings = sni_json_array();
    for (uint32_t i = 0; i < findings->count; i++)
        sni_json_add(warnings, sni_json_string(sentence(&findings->faults[i]).text));
    sni_json_set(object, "warnings", warnings);
    return object;
}

// Looks at one; its warnings are added.
static cliExit check_one(const cliContext* context, const char* path, sniJsonValue* list,
                         uint32_t* warnings) {
    snStyle* style = NULL;
    Findings findings = {0};
    snError error = sn_error_none();
    if (sn_style_open(path, &context->memory, &style, &error) != SN_RESULT_OK) {
        if (context->json) sni_json_add(list, fault_json(path, &error));
        return context_fail(context, &error);
    }
    findings.count = sn_style_find_faults(style, findings.faults);
    *warnings += findings.count;
    if (context->json)
        sni_json_add(list, style_json(path, style, &findings));
    else
        print(path, style, &findings);
    sn_style_destroy(style);
    return CLI_DONE;
}

// All of them are looked at; the first that cannot be used decides the exit code.
cliExit style_check(cliContext* context) {
    const cliArguments* a = context->arguments;
    sniJsonValue* list = sni_json_array();
    cliExit code = CLI_DONE;
    uint32_t warnings = 0;
    for (uint32_t i = 1; i < a->operand_count; i++) {
        cliExit one = check_one(context, a->operands[i], list, &warnings);
        if (code == CLI_DONE) code = one;
    }
    if (context->json) {
        sniJsonValue* object = sni_json_object();
        sni_json_set(object, "styles", list);
        cliExit printed = report_print(context, object);
        if (code == CLI_DONE) code = printed;
    } else {
        sni_json_free(list);
    }
    if (code == CLI_DONE && warnings > 0 && cli_given(a, "strict")) code = CLI_CHECK_FAILED;
    return code;
}
