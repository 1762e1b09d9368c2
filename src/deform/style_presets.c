// The styles that are always there: our own drawings of the materials of Forstmann et al. (2007), a rubber
// hose and an accordion. Textures are drawn by functions, in 16 bits; the ends of every drawing are
// exactly 1.
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "sinew/style.h"

// Odd, so that the joint (x = 0.5) and the sides (alpha = pi / 2) have texels of their own.
#define WIDTH 129u
#define HEIGHT 33u
#define AROUND_HEIGHT 64u
#define ONE 32768u

// What is added to 1 at x in 0 .. 1 along the spline and `turn`, alpha / pi: 0 outside, 1 inside of the bend,
// and up to 2 where a style goes around.
typedef float DrawFn(float x, float turn);

typedef struct Preset {
    const char *name, *description;
    float bend_angle, twist_angle; // radians
    float hollow, fade;
    snStyleSides sides;
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

// 1 from `to` on, 0 up to `from`, smooth; also falling, with from > to.
static float ramp(float x, float from, float to) {
    float t = sn_clampf((x - from) / (to - from), 0.0f, 1.0f);
    return t * t * (3.0f - 2.0f * t);
}

// The same over how far around a place lies, whichever side it is on.
static float ramp_in(float turn, float from, float to) {
    return ramp(turn > 1.0f ? 2.0f - turn : turn, from, to);
}

static float wave(float turns) { return sn_sin(2.0f * SN_PI * (turns - floorf(turns))); }

// Straight between -1 and 1: a wave that is folded.
static float zigzag(float turns) {
    float t = turns - floorf(turns);
    return t < 0.5f ? 4.0f * t - 1.0f : 3.0f - 4.0f * t;
}

// A fixed number in -1 .. 1 for a cell.
static float cell_value(uint32_t i, uint32_t j) {
    uint32_t h = i * 0x9e3779b1u ^ (j + 0x7f4a7c15u) * 0x85ebca6bu;
    h = (h ^ (h >> 15)) * 0x2c1b3c6du;
    h = (h ^ (h >> 12)) * 0x297a2d39u;
    return (float)((h ^ (h >> 15)) >> 8) / 8388608.0f - 1.0f;
}

// Crumpled: straight between fixed values on a grid. `around` cells close a circle.
static float crumple(float x, float y, uint32_t around) {
    float fx = floorf(x), fy = floorf(y);
    uint32_t i = (uint32_t)fx, j = (uint32_t)fy % around, k = (j + 1) % around;
    float a = sn_lerpf(cell_value(i, j), cell_value(i + 1, j), x - fx);
    float b = sn_lerpf(cell_value(i, k), cell_value(i + 1, k), x - fx);
    return sn_lerpf(a, b, y - fy);
}

// -------------------------------------------------------------------------------------------------- drawings

// Three buckles with sharp bottoms and raised rims, narrower towards the sides.
static float metal_frontal(float x, float turn) {
    float inside = 0.55f + 0.45f * ramp_in(turn, 0.6f, 1.0f);
    float middle = -0.42f * tent(x, 0.5f, 0.13f * inside) + 0.10f * tent(fabsf(x - 0.5f), 0.15f, 0.05f);
    float beside = -0.20f * tent(fabsf(x - 0.5f), 0.25f, 0.07f * inside);
    return middle + beside + 0.06f * tent(fabsf(x - 0.5f), 0.33f, 0.04f);
}

// Facets: flat planes that meet at edges.
static float metal_lateral(float x, float turn) {
    float facets = zigzag(3.0f * (x - 0.5f) + 0.25f + 0.5f * turn);
    return bump(x, 0.5f, 0.4f) * (0.06f + 0.05f * facets);
}

static float metal_radial(float x, float turn) {
    return bump(x, 0.5f, 0.45f) * (-0.10f + 0.12f * zigzag(2.0f * turn + 2.0f * x));
}

static float muscle_frontal(float x, float turn) {
    float inside = ramp_in(turn, 0.45f, 1.0f);
    return inside *
           (0.42f * bump(x, 0.26f, 0.26f) + 0.16f * bump(x, 0.74f, 0.22f) - 0.10f * bump(x, 0.5f, 0.1f));
}

static float muscle_lateral(float x, float turn) {
    (void)turn;
    return 0.10f * bump(x, 0.27f, 0.27f) + 0.05f * bump(x, 0.73f, 0.24f);
}

static float muscle_radial(float x, float turn) {
    (void)turn;
    return -0.07f * bump(x, 0.5f, 0.45f);
}

static float can_frontal(float x, float turn) {
    float inside = ramp_in(turn, 0.5f, 0.9f);
    float crease = -0.55f * tent(x, 0.5f, 0.15f) - 0.10f * bump(x, 0.5f, 0.3f);
    float beside = 0.16f * bump(x, 0.5f, 0.42f) * crumple(12.0f * x, 7.0f * turn, 14);
    return inside * (crease + beside);
}

static float can_lateral(float x, float turn) {
    return bump(x, 0.5f, 0.35f) * (0.10f + 0.09f * crumple(10.0f * x, 6.0f * turn, 12));
}

static float can_radial(float x, float turn) {
    float folds = zigzag(2.5f * turn + 1.5f * x);
    return bump(x, 0.5f, 0.48f) * (-0.16f + 0.14f * folds + 0.05f * crumple(9.0f * x, 6.0f * turn, 12));
}

static float cloth_folds(float x, float turn) {
    float bent = 0.05f * fabsf(sn_sin(SN_PI * turn)); // folds run together inside of the bend
    float d = x < 0.5f ? 0.5f - x - bent : x - 0.5f - bent;
    return bump(x, 0.5f, 0.42f) * wave(7.0f * d);
}

static float cloth_frontal(float x, float turn) {
    return 0.14f * ramp_in(turn, 0.35f, 0.8f) * cloth_folds(x, turn) - 0.08f * bump(x, 0.5f, 0.3f);
}

static float cloth_lateral(float x, float turn) {
    return (0.09f * cloth_folds(x, turn) + 0.05f * bump(x, 0.5f, 0.35f)) * ramp_in(turn, 0.1f, 0.5f);
}

static float cloth_radial(float x, float turn) {
    return bump(x, 0.5f, 0.47f) * (-0.08f + 0.07f * wave(3.0f * turn + 2.0f * x));
}

static float hose_frontal(float x, float turn) {
    (void)turn;
    return 0.10f * bump(x, 0.5f, 0.45f);
}

static float rings(float x) { return bump(x, 0.5f, 0.5f) * wave(8.0f * (x - 0.5f) - 0.25f); }

static float accordion_frontal(float x, float turn) {
    (void)turn;
    return 0.22f * rings(x);
}

static float accordion_lateral(float x, float turn) {
    (void)turn;
    return 0.10f * rings(x);
}

static float accordion_radial(float x, float turn) {
    (void)turn;
    return 0.08f * rings(x);
}

// --------------------------------------------------------------------------------------------------- presets

#define DEGREES(angle) ((float)((angle)*3.14159265358979323846 / 180.0))
#define KEYS(keys)                                                                                           \
    { (uint32_t)(sizeof(keys) / sizeof(keys)[0]), keys }

// Only read: styles take copies.
static snVec2 SOFT_FRONTAL[] = {{0.0f, 1.0f}, {0.25f, 1.0f}, {0.5f, 0.35f}, {0.75f, 1.0f}, {1.0f, 1.0f}};
static snVec2 SOFT_LATERAL[] = {{0.0f, 1.0f}, {0.2f, 1.03f}, {0.5f, 1.25f}, {0.8f, 1.03f}, {1.0f, 1.0f}};
static snVec2 HOSE_LATERAL[] = {{0.0f, 1.0f}, {0.5f, 1.06f}, {1.0f, 1.0f}};

static const Preset PRESETS[] = {
    {.name = "metal",
     .description = "Sheet metal: sharp dents with raised rims inside of the bend, facets at its sides",
     .bend_angle = DEGREES(90.0),
     .twist_angle = DEGREES(180.0),
     .fade = 0.05f,
     .draw = {metal_frontal, metal_lateral, metal_radial}},
    {.name = "muscle",
     .description = "Muscle that bulges inside of the bend: most before the joint, as a biceps does",
     .bend_angle = DEGREES(110.0),
     .twist_angle = DEGREES(180.0),
     .fade = 0.05f,
     .draw = {muscle_frontal, muscle_lateral, muscle_radial}},
    {.name = "can",
     .description = "An empty can that crunches: one deep crease, crumples beside it, the far wall stays",
     .bend_angle = DEGREES(70.0),
     .twist_angle = DEGREES(120.0),
     .hollow = 0.8f,
     .fade = 0.05f,
     .sides = SN_STYLE_AROUND,
     .draw = {can_frontal, can_lateral, can_radial}},
    {.name = "soft",
     .description =
         "A soft body whose halves do not enter one another: it gives way inside, and swells sideways",
     .bend_angle = DEGREES(120.0),
     .twist_angle = DEGREES(180.0),
     .fade = 0.05f,
     .curves = {KEYS(SOFT_FRONTAL), KEYS(SOFT_LATERAL), {0}}},
    {.name = "cloth",
     .description = "Cloth: folds inside of the bend that run out over its sides, diagonal ones under twist",
     .bend_angle = DEGREES(90.0),
     .twist_angle = DEGREES(120.0),
     .fade = 0.05f,
     .sides = SN_STYLE_AROUND,
     .draw = {cloth_frontal, cloth_lateral, cloth_radial}},
    {.name = "hose",
     .description = "A rubber hose as in cartoons: an even tube that swells a little where it bends",
     .bend_angle = DEGREES(120.0),
     .twist_angle = DEGREES(180.0),
     .fade = 0.1f,
     .draw = {hose_frontal, NULL, NULL},
     .curves = {{0}, KEYS(HOSE_LATERAL), {0}}},
    {.name = "accordion",
     .description = "Bellows: even rings of folds, deepest inside of the bend",
     .bend_angle = DEGREES(75.0),
     .twist_angle = DEGREES(180.0),
     .fade = 0.05f,
     .draw = {accordion_frontal, accordion_lateral, accordion_radial}},
};
#define PRESET_COUNT ((uint32_t)(sizeof PRESETS / sizeof PRESETS[0]))

const char* sn_style_preset_name(uint32_t index) { return index < PRESET_COUNT ? PRESETS[index].name : NULL; }

static uint16_t texel_of(DrawFn* draw, float x, float turn, bool is_end) {
    float scale = is_end ? 1.0f : 1.0f + draw(x, turn);
    float texel = floorf(scale * (float)ONE + 0.5f);
    return (uint16_t)sn_clampf(texel, 0.0f, (float)(2 * ONE - 1));
}

static snResult draw_texture(snStyle* style, uint32_t direction, DrawFn* draw, snError* error) {
    bool around = style->sides == SN_STYLE_AROUND;
    uint32_t height = around ? AROUND_HEIGHT : HEIGHT;
    snStyleTexture texture = {WIDTH, height, ONE, NULL};
    texture.texels = SNI_NEW_ARRAY(&style->allocator, uint16_t, (size_t)WIDTH * height);
    if (texture.texels == NULL) return sni_fail_memory(error);
    for (uint32_t j = 0; j < height; j++) {
        float turn = around ? 2.0f * (float)j / (float)height : (float)j / (float)(height - 1);
        for (uint32_t i = 0; i < WIDTH; i++) {
            float x = (float)i / (float)(WIDTH - 1);
            texture.texels[(size_t)j * WIDTH + i] = texel_of(draw, x, turn, i == 0 || i == WIDTH - 1);
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
        if (preset->draw[d] != NULL) result = draw_texture(style, d, preset->draw[d], error);
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
