// The styles that are always there: our own drawings of the materials of Forstmann et al. (2007), a rubber
// hose and an accordion. Textures are drawn by functions, in 16 bits; the ends of every drawing are exactly
// 1. All numbers were drawn by eye, on the tube of `sinew style show` and the three joints of
// docs/images/styles.png.
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "sinew/style.h"

#define ONE 32768u

// What is added to 1 at x in 0 .. 1 along the spline and `turn`, alpha / pi: 0 outside, 1 inside of the bend,
// and up to 2 where a style goes around.
typedef float DrawFn(float x, float turn);

typedef struct Preset {
    const char *name, *description;
    float bend_angle, twist_angle; // radians
    float hollow, fade;
    snStyleSides sides;
    // Of the textures: odd, so that the joint (x = 0.5) has texels of its own, and no larger than the drawing
    // needs, because what fits into a processor's cache is fast.
    uint32_t width, height;
    DrawFn* draw[SN_STYLE_DIRECTIONS]; // NULL: no texture
    snStyleCurve curves[SN_STYLE_DIRECTIONS];
} Preset;

// --------------------------------------------------------------------------------------------------- shapes

// 1 at the middle, 0 from `radius` on, smooth.
static float bump(float x, float middle, float radius) {
    float d = (x - middle) / radius;
    float rest = 1.0f - d * d;
    return rest > 0.0f ? rest * rest : 0.0f;
}

// The same with straight sides and sharp edges.
static float tent(float x, float middle, float radius) {
    return sn_maxf(1.0f - fabsf(x - middle) / radius, 0.0f);
}

// 1 from `to` on, 0 up to `from`, smooth.
static float ramp(float x, float from, float to) {
    float t = sn_clampf((x - from) / (to - from), 0.0f, 1.0f);
    return t * t * (3.0f - 2.0f * t);
}

// How far inside of the bend a place lies, whichever side it is on.
static float inside(float turn) { return turn > 1.0f ? 2.0f - turn : turn; }

static float wave(float turns) { return sn_sin(2.0f * SN_PI * (turns - floorf(turns))); }

// Straight between -1 and 1: a wave that is folded. -1 at 0.
static float zigzag(float turns) {
    float t = turns - floorf(turns);
    return t < 0.5f ? 4.0f * t - 1.0f : 3.0f - 4.0f * t;
}

// A buckle of thin sheet: a pyramid of four facets pushed in, `long_half` along the spline and `wide_half`
// around it, with a rim where the sheet gives way. -1 at its middle.
static float buckle(float along, float long_half, float around, float wide_half) {
    float depth = 1.0f - along / long_half - around / wide_half;
    return 0.3f * tent(depth, -0.08f, 0.3f) - sn_maxf(depth, 0.0f);
}

// A fixed number in -1 .. 1 for a cell.
static float cell_value(uint32_t i, uint32_t j) {
    uint32_t h = i * 0x9e3779b1u ^ (j + 0x7f4a7c15u) * 0x85ebca6bu;
    h = (h ^ (h >> 15)) * 0x2c1b3c6du;
    h = (h ^ (h >> 12)) * 0x297a2d39u;
    return (float)((h ^ (h >> 15)) >> 8) / 8388608.0f - 1.0f;
}

// Crumpled sheet: triangles between fixed values on a grid. `around` cells close a circle.
static float crumple(float x, float y, uint32_t around) {
    float fx = floorf(x), fy = floorf(y), u = x - fx, v = y - fy;
    uint32_t i = (uint32_t)fx, j = (uint32_t)fy % around, k = (j + 1) % around;
    float near = cell_value(i, j), far = cell_value(i + 1, k);
    float corner = u > v ? cell_value(i + 1, j) : cell_value(i, k);
    return u > v ? near + (corner - near) * u + (far - corner) * v
                 : near + (corner - near) * v + (far - corner) * u;
}

// -------------------------------------------------------------------------------------------------- drawings
// Folds of twist run along the limb: the twist itself slants them, to the right side in both directions.

static float metal_frontal(float x, float turn) {
    float d = fabsf(x - 0.5f), in = 1.0f - turn;
    return 0.42f * buckle(d, 0.2f, in, 0.55f) + 0.24f * buckle(fabsf(d - 0.3f), 0.1f, in, 0.42f);
}

static float metal_lateral(float x, float turn) {
    float d = fabsf(x - 0.5f);
    float flare = tent(d, 0.0f, 0.13f) * tent(turn, 0.62f, 0.32f); // the sheet pushed aside by the buckle
    return 0.24f * flare + 0.34f * buckle(fabsf(d - 0.165f), 0.115f, fabsf(turn - 0.58f), 0.27f);
}

static float metal_radial(float x, float turn) {
    return ramp(x, 0.04f, 0.3f) * ramp(x, 0.96f, 0.7f) * (0.13f * zigzag(2.5f * turn) - 0.11f);
}

static float muscle_frontal(float x, float turn) {
    float biceps = 0.44f * bump(x, 0.2f, 0.2f), lower = 0.22f * bump(x, 0.79f, 0.2f);
    return ramp(turn, 0.45f, 1.0f) * (biceps + lower);
}

static float muscle_lateral(float x, float turn) {
    return (0.2f * bump(x, 0.21f, 0.21f) + 0.12f * bump(x, 0.77f, 0.22f)) * (0.4f + 0.6f * turn);
}

static float muscle_radial(float x, float turn) {
    (void)turn;
    return -0.09f * bump(x, 0.5f, 0.48f);
}

static float can_frontal(float x, float turn) {
    float d = fabsf(x - 0.5f), crumples = crumple(14.0f * x, 8.0f * turn, 16);
    float crease = -0.3f * tent(d, 0.0f, 0.1f) + 0.08f * tent(d, 0.13f, 0.04f);
    return ramp(inside(turn), 0.45f, 0.85f) * (crease + 0.2f * bump(x, 0.5f, 0.42f) * crumples);
}

static float can_lateral(float x, float turn) {
    float crumples = crumple(12.0f * x + 20.0f, 7.0f * turn, 14);
    return bump(x, 0.5f, 0.36f) * (0.06f + 0.2f * crumples) * ramp(inside(turn), 0.15f, 0.5f);
}

static float can_radial(float x, float turn) {
    float crumples = crumple(11.0f * x + 40.0f, 6.0f * turn, 12);
    return bump(x, 0.5f, 0.49f) * (0.2f * zigzag(3.0f * turn + 0.1f * crumples) + 0.1f * crumples - 0.2f);
}

// Folds that run together inside of the bend and part over its sides.
static float cloth_folds(float x, float turn) {
    float part = 0.06f * sn_sin(SN_PI * turn);
    return bump(x, 0.5f, 0.44f) * wave(6.5f * (fabsf(x - 0.5f) - part) + 0.08f * wave(2.0f * x));
}

static float cloth_frontal(float x, float turn) {
    return 0.2f * ramp(turn, 0.4f, 0.8f) * cloth_folds(x, turn);
}

static float cloth_lateral(float x, float turn) {
    return (0.13f * cloth_folds(x, turn) + 0.06f * bump(x, 0.5f, 0.35f)) * ramp(turn, 0.08f, 0.5f);
}

// Two waves that beat, so that no two folds are alike.
static float cloth_radial(float x, float turn) {
    float folds = wave(5.5f * turn + 0.25f) + wave(4.0f * turn + 0.25f) * wave(0.8f * x + 0.1f);
    return bump(x, 0.5f, 0.49f) * (0.055f * folds - 0.1f);
}

// Round crests, sharp valleys.
static float rings(float x) {
    float crest = fabsf(sn_sin(8.0f * SN_PI * (x - 0.5f)));
    return bump(x, 0.5f, 0.5f) * (2.0f * crest - 1.1f);
}

static float accordion_frontal(float x, float turn) {
    (void)turn;
    return 0.28f * rings(x);
}

static float accordion_lateral(float x, float turn) { return 0.2f * rings(x) * ramp(turn, 0.0f, 0.4f); }

static float accordion_radial(float x, float turn) {
    (void)turn;
    return 0.12f * rings(x);
}

// --------------------------------------------------------------------------------------------------- presets

#define DEGREES(angle) ((float)((angle)*3.14159265358979323846 / 180.0))
#define KEYS(keys)                                                                                           \
    { (uint32_t)(sizeof(keys) / sizeof(keys)[0]), keys }

// Only read: styles take copies. Frontal curves make room: with stiffness 3, a limb whose bones are five
// times as long as its radius would enter itself from 75 degrees on. With ROOM it does so from 90 on and with
// SOFT_ROOM from 110 on; more room would show as a gap in smaller bends, because styles grow evenly with the
// angle.
static snVec2 ROOM[] = {{0.0f, 1.0f}, {0.2f, 0.86f}, {0.5f, 0.42f}, {0.8f, 0.86f}, {1.0f, 1.0f}};
static snVec2 MUSCLE_ROOM[] = {{0.0f, 1.0f}, {0.2f, 0.94f}, {0.5f, 0.46f}, {0.8f, 0.94f}, {1.0f, 1.0f}};
static snVec2 CAN_ROOM[] = {{0.0f, 1.0f}, {0.2f, 0.92f}, {0.5f, 0.56f}, {0.8f, 0.92f}, {1.0f, 1.0f}};
static snVec2 SOFT_ROOM[] = {{0.0f, 1.0f},  {0.1f, 0.97f}, {0.25f, 0.7f}, {0.4f, 0.36f}, {0.5f, 0.22f},
                             {0.6f, 0.36f}, {0.75f, 0.7f}, {0.9f, 0.97f}, {1.0f, 1.0f}};
static snVec2 SWELL[] = {{0.0f, 1.0f}, {0.5f, 1.12f}, {1.0f, 1.0f}};
static snVec2 SOFT_SWELL[] = {{0.0f, 1.0f}, {0.2f, 1.08f}, {0.5f, 1.4f}, {0.8f, 1.08f}, {1.0f, 1.0f}};

static const Preset PRESETS[] = {
    {.name = "metal",
     .description = "Sheet metal: sharp dents with raised rims inside of the bend, facets at its sides",
     .bend_angle = DEGREES(110.0),
     .twist_angle = DEGREES(150.0),
     .fade = 0.05f,
     .width = 97,
     .height = 49,
     .draw = {metal_frontal, metal_lateral, metal_radial},
     .curves = {KEYS(ROOM), {0}, {0}}},
    {.name = "muscle",
     .description = "Muscle that bulges inside of the bend: most before the joint, as a biceps does",
     .bend_angle = DEGREES(120.0),
     .twist_angle = DEGREES(180.0),
     .fade = 0.05f,
     .width = 65,
     .height = 33,
     .draw = {muscle_frontal, muscle_lateral, muscle_radial},
     .curves = {KEYS(MUSCLE_ROOM), {0}, {0}}},
    {.name = "can",
     .description = "An empty can that crunches: one deep crease, crumples beside it, the far wall stays",
     .bend_angle = DEGREES(90.0),
     .twist_angle = DEGREES(120.0),
     .hollow = 0.8f,
     .fade = 0.05f,
     .sides = SN_STYLE_AROUND,
     .width = 97,
     .height = 64,
     .draw = {can_frontal, can_lateral, can_radial},
     .curves = {KEYS(CAN_ROOM), KEYS(SWELL), {0}}},
    {.name = "soft",
     .description =
         "A soft body whose halves do not enter one another: it gives way inside, and swells sideways",
     .bend_angle = DEGREES(120.0),
     .twist_angle = DEGREES(180.0),
     .fade = 0.05f,
     .curves = {KEYS(SOFT_ROOM), KEYS(SOFT_SWELL), {0}}},
    {.name = "cloth",
     .description = "Cloth: folds inside of the bend that run out over its sides, slanted ones under twist",
     .bend_angle = DEGREES(110.0),
     .twist_angle = DEGREES(120.0),
     .fade = 0.05f,
     .width = 65,
     .height = 33,
     .draw = {cloth_frontal, cloth_lateral, cloth_radial},
     .curves = {KEYS(ROOM), {0}, {0}}},
    {.name = "hose",
     .description = "A rubber hose as in cartoons: an even tube that swells a little where it bends",
     .bend_angle = DEGREES(120.0),
     .twist_angle = DEGREES(180.0),
     .fade = 0.1f,
     .curves = {KEYS(ROOM), KEYS(SWELL), {0}}},
    {.name = "accordion",
     .description = "Bellows: even rings of folds, deepest inside of the bend",
     .bend_angle = DEGREES(100.0),
     .twist_angle = DEGREES(180.0),
     .fade = 0.05f,
     .width = 65,
     .height = 17,
     .draw = {accordion_frontal, accordion_lateral, accordion_radial},
     .curves = {KEYS(ROOM), {0}, {0}}},
};
#define PRESET_COUNT ((uint32_t)(sizeof PRESETS / sizeof PRESETS[0]))

const char* sn_style_preset_name(uint32_t index) { return index < PRESET_COUNT ? PRESETS[index].name : NULL; }

static uint16_t texel_of(DrawFn* draw, float x, float turn, bool is_end) {
    float scale = is_end ? 1.0f : 1.0f + draw(x, turn);
    float texel = floorf(scale * (float)ONE + 0.5f);
    return (uint16_t)sn_clampf(texel, 0.0f, (float)(2 * ONE - 1));
}

static snResult draw_texture(snStyle* style, uint32_t direction, const Preset* preset, snError* error) {
    const uint32_t width = preset->width, height = preset->height;
    bool around = preset->sides == SN_STYLE_AROUND;
    snStyleTexture texture = {width, height, ONE, NULL};
    texture.texels = SNI_NEW_ARRAY(&style->allocator, uint16_t, (size_t)width * height);
    if (texture.texels == NULL) return sni_fail_memory(error);
    for (uint32_t j = 0; j < height; j++) {
        float turn = around ? 2.0f * (float)j / (float)height : (float)j / (float)(height - 1);
        for (uint32_t i = 0; i < width; i++) {
            float x = (float)i / (float)(width - 1);
            bool is_end = i == 0 || i == width - 1;
            texture.texels[(size_t)j * width + i] = texel_of(preset->draw[direction], x, turn, is_end);
        }
    }
    snResult result = sn_style_set_texture(style, direction, &texture, error);
    sni_free(&style->allocator, texture.texels);
    return result;
}

static snResult fill(snStyle* style, const Preset* preset, snError* error) {
    sni_free(&style->allocator, style->description);
    style->description = sni_copy_text(&style->allocator, preset->description);
    if (style->description == NULL) return sni_fail_memory(error);
    style->bend_angle = preset->bend_angle;
    style->twist_angle = preset->twist_angle;
    style->hollow = preset->hollow;
    style->fade = preset->fade;
    style->sides = preset->sides;
    snResult result = SN_RESULT_OK;
    for (uint32_t d = 0; d < SN_STYLE_DIRECTIONS && result == SN_RESULT_OK; d++) {
        const snStyleCurve* curve = &preset->curves[d];
        if (preset->draw[d] != NULL) result = draw_texture(style, d, preset, error);
        if (result == SN_RESULT_OK) result = sn_style_set_curve(style, d, curve->keys, curve->count, error);
    }
    return result;
}

static snResult fail_unknown(const char* name, snError* error) {
    char names[128];
    size_t length = 0;
    for (uint32_t i = 0; i < PRESET_COUNT && length < sizeof names; i++) {
        int wrote =
            snprintf(names + length, sizeof names - length, "%s%s", i > 0 ? ", " : "", PRESETS[i].name);
        length += wrote > 0 ? (size_t)wrote : 0;
    }
    return sni_fail(error, SN_RESULT_NOT_FOUND, "no style is called %.60s; there are %s",
                    name != NULL ? name : "nothing", names);
}

snResult sn_style_preset(const char* name, const snAllocator* allocator, snStyle** out, snError* error) {
    const Preset* preset = NULL;
    for (uint32_t i = 0; i < PRESET_COUNT && name != NULL; i++) {
        if (strcmp(PRESETS[i].name, name) == 0) preset = &PRESETS[i];
    }
    if (preset == NULL) return fail_unknown(name, error);
    snStyle* style = NULL;
    snResult result = sn_style_create(name, allocator, &style, error);
    if (result != SN_RESULT_OK) return result;
    result = fill(style, preset, error);
    if (result != SN_RESULT_OK) {
        sn_style_destroy(style);
        return result;
    }
    *out = style;
    return SN_RESULT_OK;
}
