// Settings: defaults, the table that describes them, checks and copies.
#include <stddef.h>

#include "base/error.h"
#include "base/memory.h"
#include "settings/settings.h"
#include "sinew/spline.h"

// --------------------------------------------------------------------------------------------- the table

static const char* const SKINS[] = {"auto", "linear", "dual", "lattice", "spline", NULL};
static const char* const VOLUMES[] = {"none", "parts", "exact", "parts+exact", NULL};
static const char* const RESTS[] = {"primary", "initial", NULL};

#define AT(field) offsetof(snSettings, field)
#define ON(key, label, field, help)                                                                          \
    { key, label, "", SN_SETTING_BOOL, AT(field), 0.0f, 1.0f, 0.0f, 1.0f, NULL, help }
#define COUNT(key, label, unit, field, min, max, low, high, help)                                            \
    { key, label, unit, SN_SETTING_COUNT, AT(field), min, max, low, high, NULL, help }
#define FLOAT(key, label, unit, field, min, max, low, high, help)                                            \
    { key, label, unit, SN_SETTING_FLOAT, AT(field), min, max, low, high, NULL, help }
#define VEC3(key, label, unit, field, max, usual, help)                                                      \
    { key, label, unit, SN_SETTING_VEC3, AT(field), -(max), max, -(usual), usual, NULL, help }
#define CHOICE(key, label, field, names, help)                                                               \
    { key, label, "", SN_SETTING_CHOICE, AT(field), 0.0f, 0.0f, 0.0f, 0.0f, names, help }

static const snSetting TABLE[] = {
    CHOICE("skin", "Skin", skin, SKINS,
           "How the skin follows the joints; auto: dual for a bound model, linear for others. Lattice is the "
           "fastest, and as coarse as its cells. Spline bends joints along curves, with styles."),
    COUNT("lattice.smoothing", "Smoothing", "", smoothing, 0, 16, 0, 8,
          "How often the lattice skin averages weights over neighbours; more is rounder."),
    ON("lattice.smooth", "Smooth cells", smooth_cells,
       "Surfaces bend smoothly across cells; else each cell is trilinear: faster, drawn by the GPU alone, "
       "and "
       "with facets where coarse cells bend."),
    FLOAT("spline.stiffness", "Stiffness", "", spline_stiffness, SN_SPLINE_STIFFNESS_MIN,
          SN_SPLINE_STIFFNESS_MAX, SN_SPLINE_STIFFNESS_MIN, 10,
          "How sharply joints of the spline skin bend: 2 is a parabola, more comes near a corner."),
    COUNT("spline.samples", "Samples", "", spline_samples, 2, SN_SPLINE_SAMPLES_MAX, 4, 64,
          "Matrices along each spline; more is smoother, and slower."),
    ON("style.all", "All styles", style_all,
       "Where splines meet, the styles of all of them count, by weight; else that of the heaviest alone."),
    CHOICE("volume.method", "Keep", volume, VOLUMES,
           "Keeps volume; parts: around joints, in the lattice; exact: of the finished surface, where "
           "profiles say."),
    COUNT("volume.sweeps", "Sweeps", "", volume_sweeps, 1, 16, 1, 8,
          "Passes over the parts, root to leaves; a child's correction disturbs its parent."),
    ON("volume.both_ways", "Both ways", volume_both_ways, "Also takes away volume that parts gained."),
    ON("volume.of_flesh", "After flesh", volume_of_flesh,
       "Corrects once more after the flesh has moved, for strong forces."),
    ON("volume.loss_only", "Losses only", volume_loss_only, "Exact volume leaves what was gained."),
    ON("volume.one_step", "One step", volume_one_step,
       "Exact volume in one step: faster, and not quite exact."),
    ON("volume.rest_profiles", "Rest profiles", volume_rest_profiles,
       "Exact volume takes its profiles once, in the bind pose: faster, and less sharp in strong bends."),
    FLOAT("volume.support", "Support", "", volume_support, 0, 0.1f, 0, 0.1f,
          "Where profiles of exact volume fall below this they end; 0: never."),
    COUNT("volume.refine", "Refine", "times", refine, 0, 4, 0, 4,
          "How often faces are split where profiles are large; 0: not at all."),
    FLOAT("volume.refine_above", "Refine above", "", refine_above, 0, 1, 0, 1,
          "What large means, as a share of the largest profile."),
    ON("flesh.on", "Flesh", flesh, "Flesh that follows and jiggles."),
    FLOAT("flesh.delta", "Swing", "", delta, 0, 1, 0, 1,
          "How much flesh moves: 0 not at all, 1 without any pull back."),
    FLOAT("flesh.alpha", "Stiffness", "", alpha, 0, 1, 0, 1,
          "How stiff flesh is: how far shapes return within 1/60 s."),
    FLOAT("flesh.damping", "Damping", "1/s", damping, 0, 1000, 0, 50, "How fast jiggling dies, per second."),
    FLOAT("flesh.region_damping", "Inner damping", "", region_damping, 0, 1, 0, 1,
          "How much of the motion inside each region is lost per step."),
    COUNT("flesh.width", "Reach", "cells", width, 0, 8, 0, 8,
          "Reach of the regions that keep their shape, in cells; larger is stiffer."),
    FLOAT("flesh.bone_radius", "Bone", "", bone_radius, 0, 1, 0, 1,
          "What is nearer to the bone than this share of the limb is bone."),
    ON("flesh.anatomy", "Anatomy", anatomy,
       "Stiffer skulls, rib cages, hands and feet, where the skeleton shows them."),
    FLOAT("flesh.limit", "Limit", "", limit, 0, 1, 0, 0.5f,
          "How far flesh can go, as a share of the body's scale; it comes near, never beyond."),
    CHOICE("flesh.rest", "Returns to", rest, RESTS,
           "The shape that flesh returns to: the animated one or that of the bind pose."),
    FLOAT("flesh.step", "Step", "s", step, 0.0005f, 0.1f, 0.002f, 0.02f,
          "Time step in seconds; frames of any rate show the same motion."),
    COUNT("flesh.max_steps", "Most steps", "", max_steps, 1, 100000, 1, 200,
          "Steps in one frame; more is a jump in time."),
    VEC3("forces.gravity", "Gravity", "m/s\u00b2", gravity, 1000, 20,
         "In m/s^2; flesh feels what its bind pose did not."),
    VEC3("forces.wind", "Wind", "m/s", wind, 1000, 30, "In m/s."),
    FLOAT("forces.drag", "Drag", "1/s", drag, 0, 1000, 0, 10,
          "How fast the wind takes skin along, per second; 0: no wind."),
    FLOAT("forces.gust", "Gusts", "", gust, 0, 1, 0, 1, "How much the wind comes and goes."),
    ON("contact.ground", "Ground", ground, "Flesh stays above the ground."),
    FLOAT("contact.ground_height", "Ground height", "m", ground_height, -100000, 100000, -1, 1, "In metres."),
    FLOAT("contact.friction", "Friction", "", friction, 0, 1, 0, 1,
          "Share of the velocity along what is hit that is lost per step."),
    ON("contact.self", "Limbs", self_contact,
       "Limbs press into the flesh of others, through capsules around the bones."),
    ON("contact.skin", "Skin", skin_contact,
       "Inside of bends the two sides of the finished skin meet and press against each other."),
};
#define TABLE_COUNT (sizeof TABLE / sizeof TABLE[0])

const snSetting* sn_setting_table(uint32_t* out_count) {
    if (out_count != NULL) *out_count = TABLE_COUNT;
    return TABLE;
}

const snSetting* sn_setting_find(const char* key) {
    for (size_t i = 0; i < TABLE_COUNT && key != NULL; i++) {
        if (strcmp(TABLE[i].key, key) == 0) return &TABLE[i];
    }
    return NULL;
}

// ------------------------------------------------------------------------------------------------- checks

static bool in_range(float value, const snSetting* setting) {
    return value >= setting->min && value <= setting->max;
}

static uint32_t name_count(const snSetting* setting) {
    uint32_t count = 0;
    while (setting->names[count] != NULL) count++;
    return count;
}

static bool setting_is_valid(const snSettings* settings, const snSetting* setting) {
    const char* at = (const char*)settings + setting->offset;
    uint32_t count;
    float value[3];
    switch (setting->type) {
    case SN_SETTING_BOOL:
        return true;
    case SN_SETTING_COUNT:
        memcpy(&count, at, sizeof count);
        return in_range((float)count, setting);
    case SN_SETTING_FLOAT:
        memcpy(value, at, sizeof value[0]);
        return in_range(value[0], setting);
    case SN_SETTING_VEC3:
        memcpy(value, at, sizeof value);
        return in_range(value[0], setting) && in_range(value[1], setting) && in_range(value[2], setting);
    default:
        memcpy(&count, at, sizeof count);
        return count < name_count(setting);
    }
}

static bool factor(float value) { return value >= 0.0f && value <= 1000.0f; }

snResult sni_settings_bad(snError* error, const char* list, uint32_t index, const char* reason) {
    return sni_fail(error, SN_RESULT_BAD_DATA, "%s %u: %s", list, (unsigned)(index + 1), reason);
}

snResult sni_settings_check_length(const char* list, uint32_t count, snError* error) {
    if (count <= SN_SETTINGS_MAX_ITEMS) return SN_RESULT_OK;
    return sni_fail(error, SN_RESULT_BAD_DATA, "there are %u %s, more than %u", (unsigned)count, list,
                    SN_SETTINGS_MAX_ITEMS);
}

static snResult check_layers(const snSettings* s, snError* error) {
    if (sni_settings_check_length("layers", s->layer_count, error) != SN_RESULT_OK) return SN_RESULT_BAD_DATA;
    for (uint32_t i = 0; i < s->layer_count; i++) {
        const snFleshLayer* layer = &s->layers[i];
        if (!(layer->softness >= 0.0f && layer->softness <= 1.0f)) {
            return sni_settings_bad(error, "layer", i, "softness must be 0 to 1");
        }
        if (!(layer->distance >= 0.0f && sn_finite(layer->distance)) ||
            (i > 0 && !(layer->distance > s->layers[i - 1].distance))) {
            return sni_settings_bad(error, "layer", i, "distances must rise, from 0");
        }
    }
    return SN_RESULT_OK;
}

static snResult check_vertices(const snFleshRule* rule, uint32_t index, snError* error) {
    if (rule->amounts != NULL && rule->vertices == NULL)
        return sni_settings_bad(error, "rule", index, "amounts need vertices");
    if (rule->vertex_count == 0) return SN_RESULT_OK;
    if (rule->part == NULL)
        return sni_settings_bad(error, "rule", index, "vertices need the name of their part");
    if (rule->vertices == NULL)
        return sni_settings_bad(error, "rule", index, "vertices have a count but no data");
    if (rule->vertex_count > SN_SETTINGS_MAX_VERTICES)
        return sni_settings_bad(error, "rule", index, "it has too many vertices");
    for (uint32_t i = 0; i < rule->vertex_count && rule->amounts != NULL; i++)
        if (!(rule->amounts[i] >= 0.0f && rule->amounts[i] <= 1.0f))
            return sni_settings_bad(error, "rule", index, "amounts must be 0 to 1");
    return SN_RESULT_OK;
}

static snResult check_rules(const snSettings* s, snError* error) {
    if (sni_settings_check_length("rules", s->rule_count, error) != SN_RESULT_OK) return SN_RESULT_BAD_DATA;
    for (uint32_t i = 0; i < s->rule_count; i++) {
        const snFleshRule* rule = &s->rules[i];
        if (!factor(rule->softness) || !factor(rule->alpha) || !factor(rule->damping) ||
            !factor(rule->force)) {
            return sni_settings_bad(error, "rule", i, "softness, alpha, damping and force must be 0 to 1000");
        }
        if (!(rule->radius >= 0.0f && sn_finite(rule->radius)) || !sn_vec3_finite(rule->center)) {
            return sni_settings_bad(error, "rule", i,
                                    "center and radius must be finite, and radius 0 or more");
        }
        if (rule->width > 8) return sni_settings_bad(error, "rule", i, "width must be 0 to 8 cells");
        if (rule->color != 0 && strchr("rgba", rule->color) == NULL) {
            return sni_settings_bad(error, "rule", i, "color must be r, g, b or a");
        }
        if (check_vertices(rule, i, error) != SN_RESULT_OK) return SN_RESULT_BAD_DATA;
    }
    return SN_RESULT_OK;
}

static snResult check_others(const snSettings* s, snError* error) {
    if (sni_settings_check_length("profile keys", s->profile_count, error) != SN_RESULT_OK ||
        sni_settings_check_length("colliders", s->collider_count, error) != SN_RESULT_OK) {
        return SN_RESULT_BAD_DATA;
    }
    for (uint32_t i = 0; i < s->profile_count; i++) {
        const snProfileKey* key = &s->profile[i];
        if (!(key->delta >= 0.0f && key->delta <= 1.0f)) {
            return sni_settings_bad(error, "profile key", i, "delta must be 0 to 1");
        }
        if (!sn_finite(key->time) || (i > 0 && !(key->time > s->profile[i - 1].time))) {
            return sni_settings_bad(error, "profile key", i, "times must rise");
        }
    }
    for (uint32_t i = 0; i < s->collider_count; i++) {
        const snColliderDef* c = &s->colliders[i];
        if (c->joint == NULL)
            return sni_settings_bad(error, "collider", i, "it needs a joint, or an empty name");
        if (!sn_vec3_finite(c->from) || !sn_vec3_finite(c->to)) {
            return sni_settings_bad(error, "collider", i, "its ends must be finite");
        }
        if (!(c->radius > 0.0f && sn_finite(c->radius))) {
            return sni_settings_bad(error, "collider", i, "its radius must be above 0");
        }
    }
    return SN_RESULT_OK;
}

static snResult check_styles(const snSettings* s, snError* error) {
    const snStyle* const* styles = (const snStyle* const*)s->styles;
    snResult result = sni_spline_rules_check(s->spline_rules, s->spline_rule_count, error);
    if (result == SN_RESULT_OK) result = sni_styles_check(styles, s->style_count, error);
    if (result == SN_RESULT_OK)
        result = sni_style_rules_check(s->style_rules, s->style_rule_count, styles, s->style_count, error);
    return result;
}

snResult sn_settings_validate(const snSettings* settings, snError* error) {
    for (size_t i = 0; i < TABLE_COUNT; i++) {
        const snSetting* setting = &TABLE[i];
        if (setting_is_valid(settings, setting)) continue;
        if (setting->type == SN_SETTING_CHOICE) {
            return sni_fail(error, SN_RESULT_BAD_DATA, "%s has no such choice", setting->key);
        }
        return sni_fail(error, SN_RESULT_BAD_DATA, "%s must be %g to %g", setting->key, (double)setting->min,
                        (double)setting->max);
    }
    snResult result = check_layers(settings, error);
    if (result == SN_RESULT_OK) result = check_rules(settings, error);
    if (result == SN_RESULT_OK) result = check_others(settings, error);
    if (result == SN_RESULT_OK) result = sni_pushes_check(settings->pushes, settings->push_count, error);
    if (result == SN_RESULT_OK)
        result = sni_volume_rules_check(settings->volume_rules, settings->volume_rule_count, error);
    if (result == SN_RESULT_OK)
        result = sni_volume_targets_check(settings->volume_targets, settings->volume_target_count, error);
    if (result == SN_RESULT_OK) result = check_styles(settings, error);
    return result;
}

// -------------------------------------------------------------------------------------------------- lists

snFleshRule sn_flesh_rule_def(void) {
    return (snFleshRule){.softness = 1.0f, .alpha = 1.0f, .damping = 1.0f, .force = 1.0f};
}

static void free_rules(const snAllocator* memory, snFleshRule* rules, uint32_t count) {
    for (uint32_t i = 0; i < count && rules != NULL; i++) {
        sni_free(memory, rules[i].bone);
        sni_free(memory, rules[i].part);
        sni_free(memory, rules[i].vertices);
        sni_free(memory, rules[i].amounts);
    }
    sni_free(memory, rules);
}

static void free_colliders(const snAllocator* memory, snColliderDef* colliders, uint32_t count) {
    for (uint32_t i = 0; i < count && colliders != NULL; i++) sni_free(memory, colliders[i].joint);
    sni_free(memory, colliders);
}

bool sni_settings_copy_name(const snAllocator* memory, const char* name, char** out) {
    *out = name != NULL ? sni_copy_text(memory, name) : NULL;
    return name == NULL || *out != NULL;
}

static bool copy_rule(const snAllocator* memory, const snFleshRule* rule, snFleshRule* out) {
    *out = *rule;
    out->part = NULL;
    out->vertices = NULL;
    out->amounts = NULL;
    bool enough = sni_settings_copy_name(memory, rule->bone, &out->bone) &&
                  sni_settings_copy_name(memory, rule->part, &out->part);
    if (enough && rule->vertices != NULL) {
        out->vertices = sni_copy_array(memory, rule->vertices, rule->vertex_count, sizeof(uint32_t));
        enough = out->vertices != NULL;
    }
    if (enough && rule->amounts != NULL) {
        out->amounts = sni_copy_array(memory, rule->amounts, rule->vertex_count, sizeof(float));
        enough = out->amounts != NULL;
    }
    return enough;
}

snResult sn_settings_set_layers(snSettings* settings, const snFleshLayer* layers, uint32_t count,
                                snError* error) {
    snSettings trial = {.layers = (snFleshLayer*)layers, .layer_count = count};
    SNI_TRY(check_layers(&trial, error));
    snFleshLayer* copy = sni_copy_array(&settings->allocator, layers, count, sizeof *layers);
    if (copy == NULL) return sni_fail_memory(error);
    sni_free(&settings->allocator, settings->layers);
    settings->layers = copy;
    settings->layer_count = count;
    return SN_RESULT_OK;
}

snResult sn_settings_set_rules(snSettings* settings, const snFleshRule* rules, uint32_t count,
                               snError* error) {
    const snAllocator* memory = &settings->allocator;
    snSettings trial = {.rules = (snFleshRule*)rules, .rule_count = count};
    SNI_TRY(check_rules(&trial, error));
    snFleshRule* copy = SNI_NEW_ARRAY(memory, snFleshRule, count);
    bool enough = copy != NULL;
    for (uint32_t i = 0; i < count && enough; i++) enough = copy_rule(memory, &rules[i], &copy[i]);
    if (!enough) {
        free_rules(memory, copy, count);
        return sni_fail_memory(error);
    }
    free_rules(memory, settings->rules, settings->rule_count);
    settings->rules = copy;
    settings->rule_count = count;
    return SN_RESULT_OK;
}

snResult sn_settings_set_profile(snSettings* settings, const snProfileKey* keys, uint32_t count,
                                 snError* error) {
    snSettings trial = {.profile = (snProfileKey*)keys, .profile_count = count};
    SNI_TRY(check_others(&trial, error));
    snProfileKey* copy = sni_copy_array(&settings->allocator, keys, count, sizeof *keys);
    if (copy == NULL) return sni_fail_memory(error);
    sni_free(&settings->allocator, settings->profile);
    settings->profile = copy;
    settings->profile_count = count;
    return SN_RESULT_OK;
}

snResult sn_settings_set_colliders(snSettings* settings, const snColliderDef* colliders, uint32_t count,
                                   snError* error) {
    const snAllocator* memory = &settings->allocator;
    snSettings trial = {.colliders = (snColliderDef*)colliders, .collider_count = count};
    SNI_TRY(check_others(&trial, error));
    snColliderDef* copy = SNI_NEW_ARRAY(memory, snColliderDef, count);
    bool enough = copy != NULL;
    for (uint32_t i = 0; i < count && enough; i++) {
        copy[i] = colliders[i];
        enough = sni_settings_copy_name(memory, colliders[i].joint, &copy[i].joint);
    }
    if (!enough) {
        free_colliders(memory, copy, count);
        return sni_fail_memory(error);
    }
    free_colliders(memory, settings->colliders, settings->collider_count);
    settings->colliders = copy;
    settings->collider_count = count;
    return SN_RESULT_OK;
}

// --------------------------------------------------------------------------------------------- as a whole

// Bone, muscle, fat: what is near the bone moves with it. These and the numbers of flesh below were chosen by
// eye: a body that stops dead (samples/02_flesh), and walk, jump and cartwheel of nine characters.
static const snFleshLayer LAYERS[] = {{0.05f, 0.0f}, {0.10f, 0.15f}, {0.18f, 0.6f}, {0.28f, 1.0f}};

static snSettings defaults(void) {
    return (snSettings){.skin = SN_SKIN_AUTO,
                        .smoothing = 2,
                        .smooth_cells = true,
                        .spline_stiffness = 3.0f,
                        .spline_samples = 32,
                        .volume = SN_VOLUME_PARTS,
                        .volume_sweeps = 2,
                        .volume_support = 0.01f,
                        .refine_above = 0.3f,
                        .flesh = true,
                        .rest = SN_FLESH_PRIMARY,
                        .delta = 0.8f,
                        .alpha = 0.6f,
                        .damping = 14.0f,
                        .width = 2,
                        .bone_radius = 0.25f,
                        .anatomy = true,
                        .limit = 0.1f,
                        .step = 1.0f / 60.0f,
                        .max_steps = 600,
                        .gravity = {0.0f, -9.81f, 0.0f},
                        .gust = 0.5f,
                        .friction = 0.2f};
}

static snSettings* settings_alloc(const snAllocator* allocator) {
    snAllocator memory = sni_allocator(allocator);
    snSettings* settings = SNI_NEW(&memory, snSettings);
    if (settings == NULL) return NULL;
    *settings = defaults();
    settings->allocator = memory;
    return settings;
}

snResult sn_settings_create(const snAllocator* allocator, snSettings** out, snError* error) {
    snSettings* settings = settings_alloc(allocator);
    if (settings == NULL) return sni_fail_memory(error);
    snResult result =
        sn_settings_set_layers(settings, LAYERS, (uint32_t)(sizeof LAYERS / sizeof LAYERS[0]), error);
    if (result != SN_RESULT_OK) {
        sn_settings_destroy(settings);
        return result;
    }
    *out = settings;
    return SN_RESULT_OK;
}

void sn_settings_destroy(snSettings* settings) {
    if (settings == NULL) return;
    snAllocator memory = settings->allocator;
    sni_free(&memory, settings->layers);
    free_rules(&memory, settings->rules, settings->rule_count);
    sni_free(&memory, settings->profile);
    free_colliders(&memory, settings->colliders, settings->collider_count);
    sni_pushes_free(&memory, settings->pushes, settings->push_count);
    sni_volume_rules_free(&memory, settings->volume_rules, settings->volume_rule_count);
    sni_volume_targets_free(&memory, settings->volume_targets, settings->volume_target_count);
    sni_spline_rules_free(&memory, settings->spline_rules, settings->spline_rule_count);
    sni_styles_free(&memory, settings->styles, settings->style_count);
    sni_style_rules_free(&memory, settings->style_rules, settings->style_rule_count);
    sni_free(&memory, settings);
}

// All but the lists, which stay empty.
static void copy_values(const snSettings* settings, snSettings* copy) {
    snAllocator memory = copy->allocator;
    *copy = *settings;
    copy->allocator = memory;
    copy->layers = NULL, copy->rules = NULL, copy->profile = NULL, copy->colliders = NULL;
    copy->layer_count = copy->rule_count = copy->profile_count = copy->collider_count = 0;
    copy->pushes = NULL, copy->push_count = 0;
    copy->volume_rules = NULL, copy->volume_targets = NULL;
    copy->volume_rule_count = copy->volume_target_count = 0;
    copy->spline_rules = NULL, copy->styles = NULL, copy->style_rules = NULL;
    copy->spline_rule_count = copy->style_count = copy->style_rule_count = 0;
}

static snResult copy_lists(const snSettings* settings, snSettings* copy, snError* error) {
    const snSettings* s = settings;
    snResult result = sn_settings_set_layers(copy, s->layers, s->layer_count, error);
    if (result == SN_RESULT_OK) result = sn_settings_set_rules(copy, s->rules, s->rule_count, error);
    if (result == SN_RESULT_OK) result = sn_settings_set_profile(copy, s->profile, s->profile_count, error);
    if (result == SN_RESULT_OK)
        result = sn_settings_set_colliders(copy, s->colliders, s->collider_count, error);
    if (result == SN_RESULT_OK) result = sn_settings_set_pushes(copy, s->pushes, s->push_count, error);
    if (result == SN_RESULT_OK)
        result = sn_settings_set_volume_rules(copy, s->volume_rules, s->volume_rule_count, error);
    if (result == SN_RESULT_OK)
        result = sn_settings_set_volume_targets(copy, s->volume_targets, s->volume_target_count, error);
    if (result == SN_RESULT_OK)
        result = sn_settings_set_spline_rules(copy, s->spline_rules, s->spline_rule_count, error);
    if (result == SN_RESULT_OK)
        result = sn_settings_set_styles(copy, (const snStyle* const*)s->styles, s->style_count, error);
    if (result == SN_RESULT_OK)
        result = sn_settings_set_style_rules(copy, s->style_rules, s->style_rule_count, error);
    return result;
}

snResult sn_settings_copy(const snSettings* settings, const snAllocator* allocator, snSettings** out,
                          snError* error) {
    snSettings* copy = settings_alloc(allocator);
    if (copy == NULL) return sni_fail_memory(error);
    copy_values(settings, copy);
    snResult result = copy_lists(settings, copy, error);
    if (result != SN_RESULT_OK) {
        sn_settings_destroy(copy);
        return result;
    }
    *out = copy;
    return SN_RESULT_OK;
}

void sn_model_set_settings(snModel* model, snSettings* settings) {
    if (model->settings_destroy != NULL) model->settings_destroy(model->settings);
    model->settings = settings;
    model->settings_destroy = sn_settings_destroy;
}

bool sn_settings_exact_volume(const snSettings* settings) {
    return settings->volume == SN_VOLUME_EXACT || settings->volume == SN_VOLUME_PARTS_EXACT;
}

bool sn_settings_have_styles(const snSettings* settings) {
    return settings->skin == SN_SKIN_SPLINE && settings->style_rule_count > 0;
}
