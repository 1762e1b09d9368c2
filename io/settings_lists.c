// What the items of the settings' lists say.
#include <float.h>
#include <string.h>

#include "settings_json.h"
#include "sinew/spline.h"
#include "style_json.h"

#define COUNT_OF(array) ((uint32_t)(sizeof(array) / sizeof(array)[0]))

// ------------------------------------------------------------------------------------------------- fields

static const sniField LAYER_FIELDS[] = {
    {"distance", offsetof(snFleshLayer, distance), SNI_FIELD_FLOAT, 0.0f, FLT_MAX, true,
     "from the bone, of the body's scale: the side of a cube with the volume of its cells"},
    {"softness", offsetof(snFleshLayer, softness), SNI_FIELD_FLOAT, 0.0f, 1.0f, true,
     "0 moves with the bone, 1 is as soft as flesh.delta says"},
};

static const sniField RULE_FIELDS[] = {
    {"bone", offsetof(snFleshRule, bone), SNI_FIELD_NAME, 0.0f, 0.0f, false,
     "only flesh that this joint moves most; * and ? stand for any letters"},
    {"part", offsetof(snFleshRule, part), SNI_FIELD_NAME, 0.0f, 0.0f, false,
     "only flesh around this mesh part; * and ? as above"},
    {"vertices", offsetof(snFleshRule, vertices), SNI_FIELD_VERTICES, 0.0f, 0.0f, false,
     "only flesh around these vertices of the part"},
    {"amounts", offsetof(snFleshRule, amounts), SNI_FIELD_AMOUNTS, 0.0f, 1.0f, false,
     "how much the rule holds at each of the vertices, as painted; left out: 1"},
    {"center", offsetof(snFleshRule, center), SNI_FIELD_VEC3, -FLT_MAX, FLT_MAX, false,
     "of a ball, in the bind pose, in metres"},
    {"radius", offsetof(snFleshRule, radius), SNI_FIELD_FLOAT, 0.0f, FLT_MAX, false,
     "of the ball, in metres; the rule fades out over its outer half; 0: anywhere"},
    {"color", offsetof(snFleshRule, color), SNI_FIELD_CHANNEL, 0.0f, 0.0f, false,
     "softness also times this channel of the vertex colors around"},
    {"softness", offsetof(snFleshRule, softness), SNI_FIELD_FLOAT, 0.0f, 1000.0f, false,
     "factor of what the layers say; 1 changes nothing"},
    {"alpha", offsetof(snFleshRule, alpha), SNI_FIELD_FLOAT, 0.0f, 1000.0f, false, "factor of alpha"},
    {"damping", offsetof(snFleshRule, damping), SNI_FIELD_FLOAT, 0.0f, 1000.0f, false, "factor of damping"},
    {"force", offsetof(snFleshRule, force), SNI_FIELD_FLOAT, 0.0f, 1000.0f, false,
     "factor of gravity and wind"},
    {"width", offsetof(snFleshRule, width), SNI_FIELD_COUNT, 0.0f, 8.0f, false,
     "of the regions, in cells; 0: as it is"},
    {"bends", offsetof(snFleshRule, bends), SNI_FIELD_BOOL, 0.0f, 1.0f, false,
     "shells that one joint moves, which follow flesh as one body, bend like the rest"},
};

static const sniField KEY_FIELDS[] = {
    {"time", offsetof(snProfileKey, time), SNI_FIELD_FLOAT, -FLT_MAX, FLT_MAX, true,
     "seconds, rising from key to key"},
    {"delta", offsetof(snProfileKey, delta), SNI_FIELD_FLOAT, 0.0f, 1.0f, true, "factor of all deltas"},
};

static const sniField COLLIDER_FIELDS[] = {
    {"joint", offsetof(snColliderDef, joint), SNI_FIELD_NAME, 0.0f, 0.0f, true,
     "that carries it; \"\": it stands in the world"},
    {"from", offsetof(snColliderDef, from), SNI_FIELD_VEC3, -FLT_MAX, FLT_MAX, true,
     "one end, in metres, in the joint's own space"},
    {"to", offsetof(snColliderDef, to), SNI_FIELD_VEC3, -FLT_MAX, FLT_MAX, true,
     "the other end; the same place makes a ball"},
    {"radius", offsetof(snColliderDef, radius), SNI_FIELD_FLOAT, FLT_TRUE_MIN, FLT_MAX, true, "in metres"},
};

static const sniField PUSH_FIELDS[] = {
    {"joint", offsetof(snPush, joint), SNI_FIELD_NAME, 0.0f, 0.0f, true, "whose flesh it holds; \"\": any"},
    {"place", offsetof(snPush, place), SNI_FIELD_VEC3, -FLT_MAX, FLT_MAX, false,
     "the middle of what it holds, in the bind pose, in metres, from the joint where one is named"},
    {"radius", offsetof(snPush, radius), SNI_FIELD_FLOAT, 0.0f, FLT_MAX, false,
     "in metres, fading out over the outer half; 0: three cells, or all flesh of the joint"},
    {"move", offsetof(snPush, move), SNI_FIELD_VEC3, -FLT_MAX, FLT_MAX, true,
     "how far, in metres, in the world's axes"},
    {"from", offsetof(snPush, from), SNI_FIELD_FLOAT, -FLT_MAX, FLT_MAX, true, "seconds"},
    {"to", offsetof(snPush, to), SNI_FIELD_FLOAT, -FLT_MAX, FLT_MAX, true, "seconds"},
};

static const sniField CURVE_FIELDS[] = {
    {"center", offsetof(snVolumeCurve, center), SNI_FIELD_FLOAT, -100.0f, 100.0f, false,
     "of the fall-off, in joint lengths"},
    {"sigma", offsetof(snVolumeCurve, sigma), SNI_FIELD_FLOAT, 0.0f, 100.0f, false,
     "width of the fall-off, in joint lengths; 0: none"},
    {"side", offsetof(snVolumeCurve, side), SNI_FIELD_SIDE, -1.0f, 1.0f, false,
     "1: only where the place is above 0, and growing with it; -1: only below; 0: both sides"},
    {"folds", offsetof(snVolumeCurve, folds), SNI_FIELD_FLOAT, 0.0f, 100.0f, false,
     "how many, per joint length; 0: none"},
    {"keys", offsetof(snVolumeCurve, keys), SNI_FIELD_CURVE_KEYS, 0.0f, 1000.0f, false,
     "a free curve through these, places rising; at most 64"},
};

static const sniField PROFILE_FIELDS[] = {
    {"profile", 0, SNI_FIELD_VERSION, 1.0f, 1.0f, false, "version of the file"},
    {"name", offsetof(snVolumeProfile, name), SNI_FIELD_LABEL, 0.0f, 0.0f, false, "for people"},
    {"shares", offsetof(snVolumeProfile, shares), SNI_FIELD_VEC3, 0.0f, 1000.0f, true,
     "of the correction along x, back along the parent bone, y, the axis of the bend, and z, into the bend"},
    {"x", offsetof(snVolumeProfile, axes[0]), SNI_FIELD_CURVE, 0.0f, 0.0f, false,
     "how much goes where along x: the product of all that it says"},
    {"y", offsetof(snVolumeProfile, axes[1]), SNI_FIELD_CURVE, 0.0f, 0.0f, false, "the same along y"},
    {"z", offsetof(snVolumeProfile, axes[2]), SNI_FIELD_CURVE, 0.0f, 0.0f, false, "the same along z"},
    {"folds_grow", offsetof(snVolumeProfile, folds_grow), SNI_FIELD_BOOL, 0.0f, 0.0f, false,
     "one bulge for a small change of volume, folds near the largest"},
};

static const sniField VOLUME_RULE_FIELDS[] = {
    {"joint", offsetof(snVolumeRule, joint), SNI_FIELD_NAME, 0.0f, 0.0f, true,
     "by its name, or by what it is in a body, as in LeftElbow, RightKnee, Chest; * and ? stand for any "
     "letters"},
    {"profile", offsetof(snVolumeRule, profile), SNI_FIELD_PROFILE, 0.0f, 0.0f, true,
     "a preset by name, or one's own"},
    {"amount", offsetof(snVolumeRule, amount), SNI_FIELD_FLOAT, 0.0f, SN_VOLUME_MOST_AMOUNT, false,
     "0 leaves the volume as it is, 1 keeps it, more bulges more"},
};

static const sniField TARGET_FIELDS[] = {
    {"joint", offsetof(snVolumeTarget, joint), SNI_FIELD_NAME, 0.0f, 0.0f, true, "as above"},
    {"loop", offsetof(snVolumeTarget, loop), SNI_FIELD_BOOL, 0.0f, 0.0f, false,
     "begins anew at the last key, which must be as the first"},
    {"keys", offsetof(snVolumeTarget, keys), SNI_FIELD_TARGET_KEYS, 0.1f, 10.0f, true,
     "seconds, rising, and factors from 0.1 to 10 of the volume at rest"},
};

static const sniField TEXTURE_FIELDS[] = {
    {"frontal", 0, SNI_FIELD_NAME, 0.0f, 0.0f, false, "inside of the bend"},
    {"lateral", sizeof(char*), SNI_FIELD_NAME, 0.0f, 0.0f, false, "at the sides of the bend"},
    {"radial", 2 * sizeof(char*), SNI_FIELD_NAME, 0.0f, 0.0f, false, "all around, under twist"},
};

static const sniField STYLE_CURVE_FIELDS[] = {
    {"frontal", 0, SNI_FIELD_STYLE_KEYS, 0.0f, 4.0f, false, "inside of the bend, along its plane"},
    {"lateral", sizeof(sniStyleKeys), SNI_FIELD_STYLE_KEYS, 0.0f, 4.0f, false,
     "across the plane of the bend"},
    {"radial", 2 * sizeof(sniStyleKeys), SNI_FIELD_STYLE_KEYS, 0.0f, 4.0f, false, "all around, under twist"},
};

static const sniField STYLE_FIELDS[] = {
    {"style", 0, SNI_FIELD_VERSION, 1.0f, 1.0f, false, "version of the file"},
    {"name", offsetof(sniStyleFields, name), SNI_FIELD_NAME, 0.0f, 0.0f, true,
     "for rules: letters, digits, - and _; that of a preset with nothing else is the preset"},
    {"description", offsetof(sniStyleFields, description), SNI_FIELD_NAME, 0.0f, 0.0f, false, "for people"},
    {"bend_angle", offsetof(sniStyleFields, bend_angle), SNI_FIELD_DEGREES, 1.0f, 3600.0f, false,
     "bent this far beyond the bind pose, a joint shows all of it"},
    {"twist_angle", offsetof(sniStyleFields, twist_angle), SNI_FIELD_DEGREES, 1.0f, 3600.0f, false,
     "the same for twist"},
    {"strength", offsetof(sniStyleFields, strength), SNI_FIELD_FLOAT, 0.0f, 4.0f, false,
     "factor of how far scales are from 1"},
    {"hollow", offsetof(sniStyleFields, hollow), SNI_FIELD_FLOAT, -2.0f, 2.0f, false,
     "how far the origin of all scales lies outside of the spline, of the limb's mean radius: the wall there "
     "stays"},
    {"fade", offsetof(sniStyleFields, fade), SNI_FIELD_FLOAT, 0.0f, 0.5f, false,
     "scales become 1 over this share of the spline at each end"},
    {"sides", offsetof(sniStyleFields, sides), SNI_FIELD_SIDES, 0.0f, 0.0f, false,
     "rows of textures go from outside to inside, both sides alike, or all the way around"},
    {"textures", offsetof(sniStyleFields, textures), SNI_FIELD_TEXTURES, 0.0f, 0.0f, false,
     "grey PNG pictures of scales: columns along the spline, rows around it; 128 of 8 bits and 32768 of 16 "
     "mean 1. Here as base64, in a style file as names of files beside it"},
    {"curves", offsetof(sniStyleFields, curves), SNI_FIELD_CURVES, 0.0f, 0.0f, false,
     "scales along the spline, smooth between their keys"},
};

static const sniField SPLINE_RULE_FIELDS[] = {
    {"joint", offsetof(snSplineRule, joint), SNI_FIELD_NAME, 0.0f, 0.0f, true,
     "by its name, or by what it is in a body, as in LeftElbow, RightKnee, Chest; * and ? stand for any "
     "letters"},
    {"stiffness", offsetof(snSplineRule, stiffness), SNI_FIELD_FLOAT, SN_SPLINE_STIFFNESS_MIN,
     SN_SPLINE_STIFFNESS_MAX, true, "2 is a parabola, more comes near a corner"},
};

static const sniField STYLE_RULE_FIELDS[] = {
    {"joint", offsetof(snStyleRule, joint), SNI_FIELD_NAME, 0.0f, 0.0f, true, "as above"},
    {"style", offsetof(snStyleRule, style), SNI_FIELD_NAME, 0.0f, 0.0f, true,
     "the name of one of the styles; \"\": none"},
    {"strength", offsetof(snStyleRule, strength), SNI_FIELD_FLOAT, 0.0f, 4.0f, false,
     "times the style's own"},
};

// ------------------------------------------------------------------------------------------------ objects

#define OBJECT(neutral, fields)                                                                              \
    { sizeof(neutral), &(neutral), COUNT_OF(fields), fields }

static const snVolumeCurve NO_CURVE = {0};
static const snVolumeProfile NO_PROFILE = {.name = ""};
const sniObject sni_curve_object = OBJECT(NO_CURVE, CURVE_FIELDS);
const sniObject sni_profile_object = OBJECT(NO_PROFILE, PROFILE_FIELDS);

// As sn_style_create makes them.
static const sniStyleFields NO_STYLE = {
    .description = "", .bend_angle = SN_PI / 2.0f, .twist_angle = SN_PI, .strength = 1.0f, .fade = 0.1f};
const sniObject sni_style_object = OBJECT(NO_STYLE, STYLE_FIELDS);
const sniObject sni_style_textures_object = OBJECT(NO_STYLE.textures, TEXTURE_FIELDS);
const sniObject sni_style_curves_object = OBJECT(NO_STYLE.curves, STYLE_CURVE_FIELDS);

// -------------------------------------------------------------------------------------------------- lists

static snResult set_layers(snSettings* settings, const void* items, uint32_t count, snError* error) {
    return sn_settings_set_layers(settings, items, count, error);
}

static snResult set_rules(snSettings* settings, const void* items, uint32_t count, snError* error) {
    return sn_settings_set_rules(settings, items, count, error);
}

static snResult set_profile(snSettings* settings, const void* items, uint32_t count, snError* error) {
    return sn_settings_set_profile(settings, items, count, error);
}

static snResult set_colliders(snSettings* settings, const void* items, uint32_t count, snError* error) {
    return sn_settings_set_colliders(settings, items, count, error);
}

static snResult set_pushes(snSettings* settings, const void* items, uint32_t count, snError* error) {
    return sn_settings_set_pushes(settings, items, count, error);
}

static snResult set_volume_rules(snSettings* settings, const void* items, uint32_t count, snError* error) {
    return sn_settings_set_volume_rules(settings, items, count, error);
}

static snResult set_volume_targets(snSettings* settings, const void* items, uint32_t count, snError* error) {
    return sn_settings_set_volume_targets(settings, items, count, error);
}

static snResult set_spline_rules(snSettings* settings, const void* items, uint32_t count, snError* error) {
    return sn_settings_set_spline_rules(settings, items, count, error);
}

static snResult set_styles(snSettings* settings, const void* items, uint32_t count, snError* error) {
    return sn_settings_set_styles(settings, items, count, error);
}

static snResult set_style_rules(snSettings* settings, const void* items, uint32_t count, snError* error) {
    return sn_settings_set_style_rules(settings, items, count, error);
}

static const snFleshLayer NO_LAYER = {0};
static const snFleshRule NO_RULE = {.softness = 1.0f, .alpha = 1.0f, .damping = 1.0f, .force = 1.0f};
static const snProfileKey NO_KEY = {0};
static const snColliderDef NO_COLLIDER = {0};
static const snPush NO_PUSH = {0};
static const snVolumeRule NO_VOLUME_RULE = {.amount = 1.0f};
static const snVolumeTarget NO_TARGET = {0};
static const snSplineRule NO_SPLINE_RULE = {0};
static const snStyleRule NO_STYLE_RULE = {.strength = 1.0f};

#define LIST(keys, name, counter, neutral, fields)                                                           \
    .key = (keys), .items = offsetof(snSettings, name), .count = offsetof(snSettings, counter),              \
    .item = OBJECT(neutral, fields)

static const sniSettingsList LISTS[] = {
    {LIST("splines", spline_rules, spline_rule_count, NO_SPLINE_RULE, SPLINE_RULE_FIELDS), set_spline_rules,
     "How sharply some joints of the spline skin bend. Of several items that name a joint the last counts; "
     "the "
     "others have spline.stiffness.",
     "{\"joint\": \"*Spine*\", \"stiffness\": 5}"},
    {LIST("styles", styles, style_count, NO_STYLE, STYLE_FIELDS), set_styles,
     "How limbs change their shape around joints that bend or twist. The name of a preset alone is the "
     "preset: "
     "\"metal\", \"muscle\", \"can\", \"soft\", \"cloth\", \"hose\", \"accordion\".",
     "\"muscle\"", &sni_style_items},
    {LIST("style_rules", style_rules, style_rule_count, NO_STYLE_RULE, STYLE_RULE_FIELDS), set_style_rules,
     "Which joints have which of the styles. Of several items that name a joint the last counts.",
     "{\"joint\": \"*Elbow\", \"style\": \"muscle\", \"strength\": 1}", .last = true},
    {LIST("volume.profiles", volume_rules, volume_rule_count, NO_VOLUME_RULE, VOLUME_RULE_FIELDS),
     set_volume_rules,
     "Where exact volume goes around joints. Of several items that name a joint the last counts; a joint "
     "that "
     "none names is isotropic. sinew settings --profile muscle prints a preset to start from.",
     "{\"joint\": \"*Elbow\", \"profile\": \"muscle\"}"},
    {LIST("volume.targets", volume_targets, volume_target_count, NO_TARGET, TARGET_FIELDS),
     set_volume_targets,
     "How large the volume that bones carry is meant to be over time, smooth between keys, held before the "
     "first "
     "and after the last: breathing. Of several items that name a joint the last counts.",
     "{\"joint\": \"Chest\", \"loop\": true, \"keys\": [[0, 1], [1.5, 1.04], [3, 1]]}"},
    {LIST("flesh.layers", layers, layer_count, NO_LAYER, LAYER_FIELDS), set_layers,
     "How soft flesh is this far from the bone, rising; between two of them it changes linearly.",
     "{\"distance\": 0.28, \"softness\": 1}"},
    {LIST("flesh.rules", rules, rule_count, NO_RULE, RULE_FIELDS), set_rules,
     "Makes some of the flesh softer, stiffer, heavier. Where several things are named all must hold; what "
     "several rules say of one place multiplies; what a rule leaves out stays.",
     "{\"bone\": \"*Arm*\", \"softness\": 0.5}"},
    {LIST("flesh.profile", profile, profile_count, NO_KEY, KEY_FIELDS), set_profile,
     "Softness over time, linear between keys, held before the first and after the last.",
     "{\"time\": 0.5, \"delta\": 0}"},
    {LIST("forces.pushes", pushes, push_count, NO_PUSH, PUSH_FIELDS), set_pushes,
     "Hands that hold flesh off its place for some time, no further than flesh.limit lets it go. --push says "
     "one "
     "on the command line.",
     "{\"joint\": \"Spine\", \"move\": [0, 0, -0.05], \"from\": 0.5, \"to\": 0.8}"},
    {LIST("contact.colliders", colliders, collider_count, NO_COLLIDER, COLLIDER_FIELDS), set_colliders,
     "Capsules that flesh does not enter.",
     "{\"joint\": \"Spine\", \"from\": [0, 0, 0], \"to\": [0, 0.3, 0], \"radius\": 0.1}"},
};

const sniSettingsList* sni_settings_lists(uint32_t* out_count) {
    *out_count = COUNT_OF(LISTS);
    return LISTS;
}

const sniSettingsList* sni_settings_find_list(const char* key) {
    for (uint32_t i = 0; i < COUNT_OF(LISTS); i++) {
        if (strcmp(LISTS[i].key, key) == 0) return &LISTS[i];
    }
    return NULL;
}
