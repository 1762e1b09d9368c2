// Styles as data: made, copied, checked. No mesh and no spline is known here.
#include "sinew/style.h"

#include <math.h>

#include "base/curve.h"
#include "base/error.h"
#include "base/memory.h"

#define MAX_NAME 63u
#define MAX_DESCRIPTION 255u
// Radians: 1 and 3600 degrees. Kernels divide by angles, and the reciprocals of smaller ones are steps.
#define MIN_ANGLE ((float)(3.14159265358979323846 / 180.0))
#define MAX_ANGLE ((float)(20.0 * 3.14159265358979323846))
#define MAX_FACTOR 4.0f
// Of textures to paint on. An odd height gives the sides of a limb texels of their own.
#define BLANK_WIDTH 64u
#define BLANK_HEIGHT 33u
#define BLANK_ONE 32768u

static const char* const DIRECTIONS[SN_STYLE_DIRECTIONS] = {"frontal", "lateral", "radial"};

const char* sn_style_direction_name(uint32_t direction) {
    return direction < SN_STYLE_DIRECTIONS ? DIRECTIONS[direction] : NULL;
}

// -------------------------------------------------------------------------------------------------- checks

static bool between(float value, float low, float high) { return value >= low && value <= high; }

static snResult bad(snError* error, const char* sentence) {
    return sni_fail(error, SN_RESULT_BAD_DATA, "%s", sentence);
}

static bool is_name_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
}

static bool is_name(const char* name) {
    if (name == NULL || name[0] == '\0') return false;
    uint32_t length = 0;
    while (length <= MAX_NAME && is_name_letter(name[length])) length++;
    return length <= MAX_NAME && name[length] == '\0';
}

static bool is_line(const char* text) {
    uint32_t length = 0;
    while (length <= MAX_DESCRIPTION && text[length] != '\0') {
        unsigned char c = (unsigned char)text[length++];
        if (c < 0x20 || c == 0x7f) return false;
    }
    return length <= MAX_DESCRIPTION;
}

static snResult check_texture(const snStyleTexture* texture, const char* direction, snError* error) {
    const uint32_t width = texture->width, height = texture->height;
    if (width == 0 && height == 0) return SN_RESULT_OK;
    if (width < 2 || height < 2 || width > SN_STYLE_MAX_SIDE || height > SN_STYLE_MAX_SIDE) {
        return sni_fail(error, SN_RESULT_BAD_DATA,
                        "%s texture: it has %u x %u texels, expected 2 to %u a side", direction,
                        (unsigned)width, (unsigned)height, SN_STYLE_MAX_SIDE);
    }
    if (texture->one != 128 && texture->one != 32768) {
        return sni_fail(error, SN_RESULT_BAD_DATA, "%s texture: the texel for scale 1 must be 128 or 32768",
                        direction);
    }
    if (texture->texels == NULL) {
        return sni_fail(error, SN_RESULT_BAD_DATA, "%s texture: its texels are missing", direction);
    }
    for (size_t i = 0; i < (size_t)width * height; i++) {
        if (texture->texels[i] < 2 * texture->one) continue;
        return sni_fail(error, SN_RESULT_BAD_DATA,
                        "%s texture: texel %u of row %u is %u, expected at most %u", direction,
                        (unsigned)(i % width), (unsigned)(i / width), (unsigned)texture->texels[i],
                        (unsigned)(2 * texture->one - 1));
    }
    return SN_RESULT_OK;
}

static const char* key_fault(const snVec2* keys, uint32_t index) {
    if (!between(keys[index].x, 0.0f, 1.0f)) return "its place must be 0 to 1";
    if (!between(keys[index].y, 0.0f, MAX_FACTOR)) return "its value must be 0 to 4";
    if (index > 0 && !(keys[index].x > keys[index - 1].x)) return "places must rise";
    return NULL;
}

static snResult check_curve(const snVec2* keys, uint32_t count, const char* direction, snError* error) {
    if (count > SN_STYLE_MAX_KEYS) {
        return sni_fail(error, SN_RESULT_BAD_DATA, "%s curve: it has %u keys, expected at most %u", direction,
                        (unsigned)count, SN_STYLE_MAX_KEYS);
    }
    if (count > 0 && keys == NULL) {
        return sni_fail(error, SN_RESULT_BAD_DATA, "%s curve: its keys are missing", direction);
    }
    for (uint32_t i = 0; i < count; i++) {
        const char* reason = key_fault(keys, i);
        if (reason == NULL) continue;
        return sni_fail(error, SN_RESULT_BAD_DATA, "%s curve: key %u: %s", direction, (unsigned)(i + 1),
                        reason);
    }
    return SN_RESULT_OK;
}

static snResult check_name(const char* name, snError* error) {
    return is_name(name) ? SN_RESULT_OK : bad(error, "name must be 1 to 63 letters, digits, - and _");
}

static snResult check_values(const snStyle* style, snError* error) {
    if (check_name(style->name, error) != SN_RESULT_OK) return SN_RESULT_BAD_DATA;
    if (style->description == NULL || !is_line(style->description)) {
        return bad(error, "description must be one line of at most 255 bytes");
    }
    if (!between(style->bend_angle, MIN_ANGLE, MAX_ANGLE))
        return bad(error, "bend_angle must be 1 to 3600 degrees");
    if (!between(style->twist_angle, MIN_ANGLE, MAX_ANGLE))
        return bad(error, "twist_angle must be 1 to 3600 degrees");
    if (!between(style->strength, 0.0f, MAX_FACTOR)) return bad(error, "strength must be 0 to 4");
    if (!between(style->hollow, -2.0f, 2.0f)) return bad(error, "hollow must be -2 to 2");
    if (!between(style->fade, 0.0f, 0.5f)) return bad(error, "fade must be 0 to 0.5");
    if (style->sides != SN_STYLE_MIRRORED && style->sides != SN_STYLE_AROUND) {
        return bad(error, "sides must be mirrored or around");
    }
    return SN_RESULT_OK;
}

snResult sn_style_validate(const snStyle* style, snError* error) {
    if (style == NULL) return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a style is needed");
    snResult result = check_values(style, error);
    for (uint32_t d = 0; d < SN_STYLE_DIRECTIONS && result == SN_RESULT_OK; d++) {
        result = check_texture(&style->textures[d], DIRECTIONS[d], error);
        if (result == SN_RESULT_OK) {
            result = check_curve(style->curves[d].keys, style->curves[d].count, DIRECTIONS[d], error);
        }
    }
    return result;
}

// ------------------------------------------------------------------------------------------------ the whole

static bool set_texts(snStyle* style, const char* name, const char* description) {
    style->name = sni_copy_text(&style->allocator, name);
    style->description = sni_copy_text(&style->allocator, description);
    return style->name != NULL && style->description != NULL;
}

snResult sn_style_create(const char* name, const snAllocator* allocator, snStyle** out, snError* error) {
    if (out == NULL) return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a place for the style is needed");
    if (check_name(name, error) != SN_RESULT_OK) return SN_RESULT_BAD_DATA;
    snAllocator memory = sni_allocator(allocator);
    snStyle* style = SNI_NEW(&memory, snStyle);
    if (style == NULL) return sni_fail_memory(error);
    style->allocator = memory;
    style->bend_angle = SN_PI / 2.0f;
    style->twist_angle = SN_PI;
    style->strength = 1.0f;
    style->fade = 0.1f;
    if (!set_texts(style, name, "")) {
        sn_style_destroy(style);
        return sni_fail_memory(error);
    }
    *out = style;
    return SN_RESULT_OK;
}

void sn_style_destroy(snStyle* style) {
    if (style == NULL) return;
    snAllocator memory = style->allocator;
    for (uint32_t d = 0; d < SN_STYLE_DIRECTIONS; d++) {
        sni_free(&memory, style->textures[d].texels);
        sni_free(&memory, style->curves[d].keys);
    }
    sni_free(&memory, style->name);
    sni_free(&memory, style->description);
    sni_free(&memory, style);
}

static bool copy_texture(const snAllocator* memory, const snStyleTexture* texture, snStyleTexture* out) {
    size_t texels = (size_t)texture->width * texture->height;
    *out = (snStyleTexture){0};
    if (texels == 0) return true;
    *out = *texture;
    out->texels = sni_copy_array(memory, texture->texels, texels, sizeof *texture->texels);
    return out->texels != NULL;
}

static bool copy_curve(const snAllocator* memory, const snVec2* keys, uint32_t count, snStyleCurve* out) {
    *out = (snStyleCurve){0};
    if (count == 0) return true;
    out->keys = sni_copy_array(memory, keys, count, sizeof *keys);
    out->count = out->keys != NULL ? count : 0;
    return out->keys != NULL;
}

// Everything but its memory, into a style that has nothing yet.
static bool copy_into(const snStyle* style, snStyle* copy) {
    snAllocator memory = copy->allocator;
    *copy = *style;
    copy->allocator = memory;
    bool enough = set_texts(copy, style->name, style->description);
    for (uint32_t d = 0; d < SN_STYLE_DIRECTIONS; d++) {
        const snStyleCurve* curve = &style->curves[d];
        enough &= copy_texture(&memory, &style->textures[d], &copy->textures[d]);
        enough &= copy_curve(&memory, curve->keys, curve->count, &copy->curves[d]);
    }
    return enough;
}

snResult sn_style_copy(const snStyle* style, const snAllocator* allocator, snStyle** out, snError* error) {
    if (out == NULL) return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a place for the style is needed");
    SNI_TRY(sn_style_validate(style, error));
    snAllocator memory = sni_allocator(allocator);
    snStyle* copy = SNI_NEW(&memory, snStyle);
    if (copy == NULL) return sni_fail_memory(error);
    copy->allocator = memory;
    if (!copy_into(style, copy)) {
        sn_style_destroy(copy);
        return sni_fail_memory(error);
    }
    *out = copy;
    return SN_RESULT_OK;
}

// ---------------------------------------------------------------------------------------------- its members

static snResult check_place(const snStyle* style, uint32_t direction, snError* error) {
    if (style != NULL && direction < SN_STYLE_DIRECTIONS) return SN_RESULT_OK;
    return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a style and a direction are needed");
}

snResult sn_style_set_texture(snStyle* style, uint32_t direction, const snStyleTexture* texture,
                              snError* error) {
    static const snStyleTexture NONE = {0};
    SNI_TRY(check_place(style, direction, error));
    if (texture == NULL) texture = &NONE;
    SNI_TRY(check_texture(texture, DIRECTIONS[direction], error));
    snStyleTexture copy;
    if (!copy_texture(&style->allocator, texture, &copy)) return sni_fail_memory(error);
    sni_free(&style->allocator, style->textures[direction].texels);
    style->textures[direction] = copy;
    return SN_RESULT_OK;
}

snResult sn_style_set_curve(snStyle* style, uint32_t direction, const snVec2* keys, uint32_t count,
                            snError* error) {
    snResult result = check_place(style, direction, error);
    if (result == SN_RESULT_OK) result = check_curve(keys, count, DIRECTIONS[direction], error);
    if (result != SN_RESULT_OK) return result;
    snStyleCurve copy;
    if (!copy_curve(&style->allocator, keys, count, &copy)) return sni_fail_memory(error);
    sni_free(&style->allocator, style->curves[direction].keys);
    style->curves[direction] = copy;
    return SN_RESULT_OK;
}

snResult sn_style_rename(snStyle* style, const char* name, snError* error) {
    SNI_TRY(check_place(style, 0, error));
    SNI_TRY(check_name(name, error));
    char* copy = sni_copy_text(&style->allocator, name);
    if (copy == NULL) return sni_fail_memory(error);
    sni_free(&style->allocator, style->name);
    style->name = copy;
    return SN_RESULT_OK;
}

static snResult blank_textures(snStyle* style, snError* error) {
    snStyleTexture texture = {BLANK_WIDTH, BLANK_HEIGHT, BLANK_ONE, NULL};
    texture.texels = SNI_NEW_ARRAY(&style->allocator, uint16_t, (size_t)BLANK_WIDTH * BLANK_HEIGHT);
    if (texture.texels == NULL) return sni_fail_memory(error);
    for (uint32_t i = 0; i < BLANK_WIDTH * BLANK_HEIGHT; i++) texture.texels[i] = BLANK_ONE;
    snResult result = SN_RESULT_OK;
    for (uint32_t d = 0; d < SN_STYLE_DIRECTIONS && result == SN_RESULT_OK; d++)
        result = sn_style_set_texture(style, d, &texture, error);
    sni_free(&style->allocator, texture.texels);
    return result;
}

snResult sn_style_create_blank(const char* name, const snAllocator* allocator, snStyle** out,
                               snError* error) {
    if (out == NULL) return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a place for the style is needed");
    snStyle* style = NULL;
    SNI_TRY(sn_style_create(name, allocator, &style, error));
    snResult result = blank_textures(style, error);
    if (result == SN_RESULT_OK)
        *out = style;
    else
        sn_style_destroy(style);
    return result;
}

// ---------------------------------------------------------------------------------------------------- steps

static float step_of_texture(const snStyleTexture* texture, uint32_t end) {
    float step = 0.0f;
    for (uint32_t row = 0; row < texture->height; row++) {
        size_t at = (size_t)row * texture->width + (end > 0 ? texture->width - 1 : 0);
        step = sn_maxf(step, fabsf((float)texture->texels[at] / (float)texture->one - 1.0f));
    }
    return step;
}

float sn_style_step_at_end(const snStyle* style, uint32_t end) {
    float step = 0.0f;
    for (uint32_t d = 0; d < SN_STYLE_DIRECTIONS; d++) {
        const snStyleCurve* curve = &style->curves[d];
        float scale = sni_curve_at((const float*)curve->keys, curve->count, false, end > 0 ? 1.0 : 0.0);
        step = sn_maxf(step, step_of_texture(&style->textures[d], end));
        step = sn_maxf(step, fabsf(scale - 1.0f));
    }
    return step * style->strength;
}
