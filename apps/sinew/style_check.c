// What can be wrong with a style although it can be read, and what it holds.
#include <stdarg.h>
#include <stdio.h>

#include "base/curve.h"
#include "io/style_json.h"
#include "report.h"
#include "style.h"

#define MAX_WARNINGS 16
// Where scales are 1 they differ by this much at most, as far as anybody can see.
#define VISIBLE 0.01f
// Below this the wall of a limb lies on its middle.
#define THINNEST 0.05f
// Scale over the length of the spline, about five times the radius of a limb: walls of more than 75 degrees.
#define STEEPEST_ALONG 20.0f
// Scale over an angle around the limb, radians: the same.
#define STEEPEST_AROUND 3.0f

typedef struct Findings {
    uint32_t count;
    char text[MAX_WARNINGS][160];
} Findings;

static void warn(Findings* findings, const char* format, ...) __attribute__((format(printf, 2, 3)));
static void warn(Findings* findings, const char* format, ...) {
    if (findings->count == MAX_WARNINGS) return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(findings->text[findings->count++], sizeof findings->text[0], format, arguments);
    va_end(arguments);
}

// ------------------------------------------------------------------------------------------------- measures

typedef struct Slopes {
    float along, around; // largest change of the scale over x and over alpha
} Slopes;

static float texel(const snStyle* style, const snStyleTexture* t, uint32_t column, uint32_t row) {
    return style->strength * (float)t->texels[(size_t)row * t->width + column] / (float)t->one;
}

static Slopes texture_slopes(const snStyle* style, uint32_t direction) {
    const snStyleTexture* t = &style->textures[direction];
    bool goes_around = style->sides == SN_STYLE_AROUND;
    float per_x = (float)t->width - 1.0f;
    float per_alpha = goes_around ? (float)t->height / (2.0f * SN_PI) : ((float)t->height - 1.0f) / SN_PI;
    Slopes slopes = {0.0f, 0.0f};
    for (uint32_t r = 0; r < t->height; r++) {
        uint32_t next = r + 1 < t->height ? r + 1 : goes_around ? 0 : r;
        for (uint32_t c = 0; c < t->width; c++) {
            float here = texel(style, t, c, r);
            uint32_t right = c + 1 < t->width ? c + 1 : c;
            slopes.along = sn_maxf(slopes.along, fabsf(texel(style, t, right, r) - here) * per_x);
            slopes.around = sn_maxf(slopes.around, fabsf(texel(style, t, c, next) - here) * per_alpha);
        }
    }
    return slopes;
}

static float curve_slope(const snStyle* style, uint32_t direction) {
    enum { SAMPLES = 512 };
    const snStyleCurve* curve = &style->curves[direction];
    float slope = 0.0f, last = 0.0f;
    for (int i = 0; i <= SAMPLES && curve->count > 0; i++) {
        float scale = style->strength *
                      sni_curve_at((const float*)curve->keys, curve->count, false, (double)i / SAMPLES);
        if (i > 0) slope = sn_maxf(slope, fabsf(scale - last) * SAMPLES);
        last = scale;
    }
    return slope;
}

static bool is_one(cliScales scales) { return scales.low > 1.0f - 1e-6f && scales.high < 1.0f + 1e-6f; }

// ------------------------------------------------------------------------------------------------- findings

static void look_at_texture(const snStyle* style, uint32_t direction, Findings* out) {
    if (style->textures[direction].width == 0) return;
    const char* name = sn_style_direction_name(direction);
    cliScales scales = style_texture_scales(style, direction);
    Slopes slopes = texture_slopes(style, direction);
    if (is_one(scales)) warn(out, "%s texture: it is 1 everywhere and changes nothing", name);
    if (scales.low < THINNEST)
        warn(out, "%s texture: it scales down to %.2f, where opposite walls meet", name, (double)scales.low);
    if (slopes.along > STEEPEST_ALONG)
        warn(out, "%s texture: it is very steep along the limb (%.0f over its length); blur it", name,
             (double)slopes.along);
    if (slopes.around > STEEPEST_AROUND)
        warn(out, "%s texture: it is very steep around the limb (%.1f a radian); blur it", name,
             (double)slopes.around);
}

static void look_at_curve(const snStyle* style, uint32_t direction, Findings* out) {
    if (style->curves[direction].count == 0) return;
    const char* name = sn_style_direction_name(direction);
    cliScales scales = style_curve_scales(style, direction);
    float slope = curve_slope(style, direction);
    if (is_one(scales)) warn(out, "%s curve: it is 1 everywhere and changes nothing", name);
    if (scales.low < THINNEST)
        warn(out, "%s curve: it scales down to %.2f, where opposite walls meet", name, (double)scales.low);
    if (slope > STEEPEST_ALONG)
        warn(out, "%s curve: it is very steep (%.0f over the length of the limb)", name, (double)slope);
}

static bool holds_nothing(const snStyle* style) {
    bool nothing = true;
    for (uint32_t d = 0; d < SN_STYLE_DIRECTIONS; d++)
        nothing = nothing && style->textures[d].width == 0 && style->curves[d].count == 0;
    return nothing;
}

static void look(const snStyle* style, Findings* out) {
    if (holds_nothing(style)) warn(out, "there are no textures and no curves: it changes nothing");
    if (style->strength <= 0.0f) warn(out, "strength is 0: it changes nothing");
    for (uint32_t end = 0; end < 2; end++) {
        float step = sn_style_step_at_end(style, end);
        if (style->fade <= 0.0f && step > VISIBLE)
            warn(out, "at x = %u it is %.2f away from 1 and does not fade: the limb gets a step there", end,
                 (double)step);
    }
    for (uint32_t d = 0; d < SN_STYLE_DIRECTIONS; d++) look_at_texture(style, d, out);
    for (uint32_t d = 0; d < SN_STYLE_DIRECTIONS; d++) look_at_curve(style, d, out);
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
        cliScales t = style_texture_scales(style, d), c = style_curve_scales(style, d);
        if (texture->width > 0)
            printf("  %s texture: %u x %u texels of %u bits, scales %.3f to %.3f\n",
                   sn_style_direction_name(d), texture->width, texture->height, texture->one > 128 ? 16u : 8u,
                   (double)t.low, (double)t.high);
        if (style->curves[d].count > 0)
            printf("  %s curve: %u keys, scales %.3f to %.3f\n", sn_style_direction_name(d),
                   style->curves[d].count, (double)c.low, (double)c.high);
    }
    for (uint32_t i = 0; i < findings->count; i++) printf("  warning: %s\n", findings->text[i]);
}

static void set_scales(sniJsonValue* object, cliScales scales) {
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
        set_scales(item, style_texture_scales(style, d));
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
        set_scales(item, style_curve_scales(style, d));
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
    for (uint32_t i = 0; i < findings->count; i++) sni_json_add(warnings, sni_json_string(findings->text[i]));
    sni_json_set(object, "warnings", warnings);
    return object;
}

// Looks at one; its warnings are added.
static cliExit check_one(const cliContext* context, const char* path, sniJsonValue* list,
                         uint32_t* warnings) {
    snStyle* style = NULL;
    Findings findings = {0};
    snError error = sn_error_none();
    if (style_find(context, path, &style, &error) != SN_RESULT_OK) {
        if (context->json) sni_json_add(list, fault_json(path, &error));
        return context_fail(context, &error);
    }
    look(style, &findings);
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
