// Profiles of exact volume: the presets that ship, their checks, and curves along one axis (Rohmer et al.
// 2009, section 3.3). Axes and centers are those of the corrected frame: x back along the parent bone, z into
// the bend.
#include <math.h>

#include "base/curve.h"
#include "base/error.h"
#include "base/memory.h"
#include "sinew/volume.h"

// What a place or a width may be at most, in joint lengths; a fold count; the value of a key.
#define MAX_LENGTH 100.0f
#define MAX_FOLDS 100.0f
#define MAX_VALUE 1000.0f

// ------------------------------------------------------------------------------------------------- presets

#define AROUND(width)                                                                                        \
    { .sigma = (width) }
#define INTO_BEND(width)                                                                                     \
    { .sigma = (width), .side = 1.0f }

// The widths of a quarter and the kinds of the first four are the paper's. All else was drawn by eye, on
// pictures of a tube, the built-in body's elbow and belly and spot (`scripts/volume_figures.sh`).
static const snVolumeProfile PRESETS[] = {
    // The same in all directions, close around the joint.
    {.name = "isotropic",
     .shares = {1.0f / 3.0f, 1.0f / 3.0f, 1.0f / 3.0f},
     .axes = {AROUND(0.25f), AROUND(0.25f), AROUND(0.25f)}},
    // A bent tube full of air: it widens along the axis of the bend.
    {.name = "rubber", .shares = {0.0f, 1.0f, 0.0f}, .axes = {AROUND(0.25f), AROUND(0.25f), AROUND(0.25f)}},
    // A biceps: on the parent bone, on the inside of the bend.
    {.name = "muscle",
     .shares = {0.1f, 0.1f, 0.8f},
     .axes = {{.center = 0.4f, .sigma = 0.25f}, AROUND(0.25f), INTO_BEND(0.25f)}},
    // Cloth pushed together: rings on the parent bone. The paper centers them on the joint, where the outside
    // of the bend faces along the bone: rings that open across it grow horns there.
    {.name = "folds",
     .shares = {0.0f, 0.5f, 0.5f},
     .axes = {{.center = 0.3f, .sigma = 0.28f, .folds = 4.0f}, AROUND(0.25f), AROUND(0.25f)}},
    // A large bulge on the inside of the bend that parts into two rolls as the bend goes on.
    {.name = "belly",
     .shares = {0.1f, 0.1f, 0.8f},
     .axes = {{.sigma = 0.45f, .folds = 2.0f}, AROUND(0.5f), INTO_BEND(0.5f)},
     .folds_grow = true},
    // The back of a thigh: longer, wider and lower than a biceps.
    {.name = "thigh",
     .shares = {0.1f, 0.3f, 0.6f},
     .axes = {{.center = 0.35f, .sigma = 0.35f}, AROUND(0.35f), INTO_BEND(0.35f)}},
    // The pads of a finger: right at the joint, towards the palm and a little to the sides.
    {.name = "finger", .shares = {0.0f, 0.3f, 0.7f}, .axes = {AROUND(0.3f), AROUND(0.25f), INTO_BEND(0.25f)}},
    // Cloth that bunches on the inside of the bend: uneven folds drawn as a free curve, a start for one's
    // own.
    {.name = "sleeve",
     .shares = {0.0f, 0.3f, 0.7f},
     .axes = {{.key_count = 7,
               .keys = {{0.0f, 0.2f},
                        {0.12f, 1.0f},
                        {0.26f, 0.1f},
                        {0.4f, 0.7f},
                        {0.54f, 0.05f},
                        {0.66f, 0.3f},
                        {0.8f, 0.0f}}},
              AROUND(0.5f),
              INTO_BEND(0.35f)}},
};
#define PRESET_COUNT ((uint32_t)(sizeof PRESETS / sizeof PRESETS[0]))

const snVolumeProfile* sn_volume_preset(uint32_t index) {
    return index < PRESET_COUNT ? &PRESETS[index] : NULL;
}

const snVolumeProfile* sn_volume_preset_find(const char* name) {
    for (uint32_t i = 0; i < PRESET_COUNT && name != NULL; i++) {
        if (strcmp(PRESETS[i].name, name) == 0) return &PRESETS[i];
    }
    return NULL;
}

// -------------------------------------------------------------------------------------------------- checks

static bool between(float value, float low, float high) { return value >= low && value <= high; }

static snResult bad(snError* error, char axis, const char* reason) {
    return sni_fail(error, SN_RESULT_BAD_DATA, "axis %c: %s", axis, reason);
}

static snResult check_curve(const snVolumeCurve* curve, char axis, snError* error) {
    if (!between(curve->center, -MAX_LENGTH, MAX_LENGTH))
        return bad(error, axis, "center must be -100 to 100");
    if (!between(curve->sigma, 0.0f, MAX_LENGTH)) return bad(error, axis, "sigma must be 0 to 100");
    if (curve->side != -1.0f && curve->side != 0.0f && curve->side != 1.0f) {
        return bad(error, axis, "side must be -1, 0 or 1");
    }
    if (!between(curve->folds, 0.0f, MAX_FOLDS)) return bad(error, axis, "folds must be 0 to 100");
    if (curve->key_count > SN_PROFILE_MAX_KEYS) return bad(error, axis, "it has more than 64 keys");
    for (uint32_t i = 0; i < curve->key_count; i++) {
        const snCurveKey* key = &curve->keys[i];
        if (!between(key->value, 0.0f, MAX_VALUE))
            return bad(error, axis, "values of keys must be 0 to 1000");
        if (!between(key->at, -MAX_LENGTH, MAX_LENGTH)) {
            return bad(error, axis, "positions of keys must be -100 to 100");
        }
        if (i > 0 && !(key->at > key[-1].at)) return bad(error, axis, "positions of keys must rise");
    }
    return SN_RESULT_OK;
}

snResult sn_volume_profile_validate(const snVolumeProfile* profile, snError* error) {
    if (memchr(profile->name, '\0', sizeof profile->name) == NULL) {
        return sni_fail(error, SN_RESULT_BAD_DATA, "the name must be shorter than 64 bytes");
    }
    float sum = 0.0f;
    for (int i = 0; i < 3; i++) {
        if (!between(profile->shares[i], 0.0f, MAX_VALUE)) {
            return sni_fail(error, SN_RESULT_BAD_DATA, "shares must be 0 to 1000");
        }
        sum += profile->shares[i];
    }
    if (!(sum > 0.0f)) return sni_fail(error, SN_RESULT_BAD_DATA, "one of the shares must be above 0");
    for (int i = 0; i < 3; i++) {
        SNI_TRY(check_curve(&profile->axes[i], "xyz"[i], error));
    }
    return SN_RESULT_OK;
}

// ------------------------------------------------------------------------------------------------- curves

static float falloff(const snVolumeCurve* curve, float t) {
    if (curve->sigma <= 0.0f) return 1.0f;
    float x = (t - curve->center) / curve->sigma;
    return sn_exp(-x * x);
}

// sin^2 has the period 1 in folds * t, which double reduces exactly; so far places have folds like near ones.
static float fold(const snVolumeCurve* curve, float t, float growth) {
    if (curve->folds <= 0.0f) return 1.0f;
    double turns = (double)curve->folds * (double)t;
    float wave = sn_sin(SN_PI * (float)(turns - floor(turns)));
    return (1.0f - growth) + growth * wave * wave;
}

float sn_volume_curve_at(const snVolumeCurve* curve, float t, float growth) {
    float ramp = curve->side != 0.0f ? sn_maxf(curve->side * t, 0.0f) : 1.0f;
    float drawn = sni_curve_at((const float*)curve->keys, curve->key_count, false, (double)t);
    return falloff(curve, t) * ramp * fold(curve, t, growth) * drawn;
}
