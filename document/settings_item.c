// Settings as bytes: single values by the table that describes them, then the lists.
#include <stddef.h>
#include <stdio.h>

#include "document.h"

static size_t value_size(snSettingType type) {
    switch (type) {
    case SN_SETTING_BOOL:
        return sizeof(bool);
    case SN_SETTING_COUNT:
    case SN_SETTING_FLOAT:
        return sizeof(uint32_t);
    case SN_SETTING_VEC3:
        return sizeof(snVec3);
    case SN_SETTING_CHOICE:
        return sizeof(int);
    }
    return 0;
}

// ---------------------------------------------------------------------------------------------------- put

static void put_curve(const snVolumeCurve* curve, sniBytes* out) {
    const float values[4] = {curve->center, curve->sigma, curve->side, curve->folds};
    sni_put_array(out, values, 4, sizeof(float));
    sni_put_u32(out, curve->key_count);
    sni_put_array(out, curve->keys, curve->key_count, sizeof curve->keys[0]);
}

static void put_rule(const snFleshRule* rule, sniBytes* out) {
    sni_put_text(out, rule->bone);
    sni_put_text(out, rule->part);
    sni_put_u32(out, rule->vertex_count);
    sni_put_optional(out, rule->vertices, rule->vertex_count, sizeof *rule->vertices);
    sni_put_optional(out, rule->amounts, rule->vertex_count, sizeof *rule->amounts);
    const float values[8] = {rule->center.x, rule->center.y, rule->center.z, rule->radius,
                             rule->softness, rule->alpha,    rule->damping,  rule->force};
    sni_put_array(out, values, 8, sizeof(float));
    sni_put_u32(out, (uint8_t)rule->color);
    sni_put_u32(out, rule->width);
}

static void put_volume(const snSettings* s, sniBytes* out) {
    sni_put_u32(out, s->volume_rule_count);
    for (uint32_t i = 0; i < s->volume_rule_count; i++) {
        const snVolumeRule* rule = &s->volume_rules[i];
        sni_put_text(out, rule->joint);
        sni_put_text(out, rule->profile.name);
        sni_put_array(out, rule->profile.shares, 3, sizeof(float));
        for (int a = 0; a < 3; a++) put_curve(&rule->profile.axes[a], out);
        sni_put_u32(out, rule->profile.folds_grow);
        sni_put_float(out, rule->amount);
    }
    sni_put_u32(out, s->volume_target_count);
    for (uint32_t i = 0; i < s->volume_target_count; i++) {
        const snVolumeTarget* target = &s->volume_targets[i];
        sni_put_text(out, target->joint);
        sni_put_u32(out, target->loop);
        sni_put_u32(out, target->key_count);
        sni_put_array(out, target->keys, target->key_count, sizeof *target->keys);
    }
}

static void put_style(const snStyle* style, sniBytes* out) {
    sni_put_text(out, style->name);
    sni_put_text(out, style->description);
    const float values[5] = {style->bend_angle, style->twist_angle, style->strength, style->hollow,
                             style->fade};
    sni_put_array(out, values, 5, sizeof(float));
    sni_put_u32(out, (uint32_t)style->sides);
    for (uint32_t d = 0; d < SN_STYLE_DIRECTIONS; d++) {
        const snStyleTexture* texture = &style->textures[d];
        sni_put_u32(out, texture->width);
        sni_put_u32(out, texture->height);
        sni_put_u32(out, texture->one);
        sni_put_array(out, texture->texels, (size_t)texture->width * texture->height, sizeof(uint16_t));
        sni_put_u32(out, style->curves[d].count);
        sni_put_array(out, style->curves[d].keys, style->curves[d].count, sizeof(snVec2));
    }
}

static void put_splines(const snSettings* s, sniBytes* out) {
    sni_put_u32(out, s->spline_rule_count);
    for (uint32_t i = 0; i < s->spline_rule_count; i++) {
        sni_put_text(out, s->spline_rules[i].joint);
        sni_put_float(out, s->spline_rules[i].stiffness);
    }
    sni_put_u32(out, s->style_count);
    for (uint32_t i = 0; i < s->style_count; i++) put_style(s->styles[i], out);
    sni_put_u32(out, s->style_rule_count);
    for (uint32_t i = 0; i < s->style_rule_count; i++) {
        sni_put_text(out, s->style_rules[i].joint);
        sni_put_text(out, s->style_rules[i].style);
        sni_put_float(out, s->style_rules[i].strength);
    }
}

void sni_settings_put(const snSettings* s, sniBytes* out) {
    if (s == NULL) return;
    uint32_t count = 0;
    const snSetting* table = sn_setting_table(&count);
    for (uint32_t i = 0; i < count; i++)
        sni_put_array(out, (const char*)s + table[i].offset, 1, value_size(table[i].type));
    sni_put_u32(out, s->layer_count);
    sni_put_array(out, s->layers, s->layer_count, sizeof *s->layers);
    sni_put_u32(out, s->rule_count);
    for (uint32_t i = 0; i < s->rule_count; i++) put_rule(&s->rules[i], out);
    sni_put_u32(out, s->profile_count);
    sni_put_array(out, s->profile, s->profile_count, sizeof *s->profile);
    sni_put_u32(out, s->collider_count);
    for (uint32_t i = 0; i < s->collider_count; i++) {
        sni_put_text(out, s->colliders[i].joint);
        sni_put_array(out, &s->colliders[i].from, 7, sizeof(float)); // from, to, radius
    }
    put_volume(s, out);
    put_splines(s, out);
}

// ---------------------------------------------------------------------------------------------------- get

// Lists are checked and copied by the settings themselves; here they are views of the bytes.
typedef struct Getter {
    sniReader reader;
    snSettings* settings;
    const snAllocator* memory;
    snError* error;
} Getter;

// Room for a list that is taken apart; NULL, and `result` set, where there is none.
static void* take_list(Getter* g, uint32_t most, size_t size, uint32_t* count, snResult* result) {
    *count = sni_take_below(&g->reader, most + 1);
    void* items = sni_alloc_array(g->memory, *count, size);
    *result = items != NULL ? SN_RESULT_OK : sni_fail_memory(g->error);
    return items;
}

static char* text_of(Getter* g) { return (char*)sni_take_text(&g->reader); }

// A text that must be there.
static char* name_of(Getter* g) {
    char* text = text_of(g);
    if (text == NULL) g->reader.failed = true;
    return text;
}

static void get_floats(Getter* g, float* out, size_t count) {
    const void* values = sni_take_floats(&g->reader, count);
    if (values != NULL) memcpy(out, values, count * sizeof(float));
}

static snResult get_values(Getter* g) {
    uint32_t count = 0;
    const snSetting* table = sn_setting_table(&count);
    for (uint32_t i = 0; i < count; i++) {
        size_t size = value_size(table[i].type);
        const uint8_t* value = sni_take_array(&g->reader, 1, size);
        if (value == NULL) break;
        // Anything but 0 and 1 in a bool, or a number that no choice has, is no value at all.
        bool odd = table[i].type == SN_SETTING_BOOL && *value > 1;
        if (table[i].type == SN_SETTING_CHOICE) {
            uint32_t choice = 0, names = 0;
            memcpy(&choice, value, sizeof choice);
            while (table[i].names[names] != NULL) names++;
            odd = choice >= names;
        }
        if (odd) g->reader.failed = true;
        if (!odd) memcpy((char*)g->settings + table[i].offset, value, size);
    }
    return SN_RESULT_OK;
}

static snResult get_rules(Getter* g) {
    uint32_t count = 0;
    snResult result = SN_RESULT_OK;
    snFleshRule* rules = take_list(g, SN_SETTINGS_MAX_ITEMS, sizeof *rules, &count, &result);
    for (uint32_t i = 0; i < count && result == SN_RESULT_OK; i++) {
        float values[8] = {0};
        rules[i].bone = text_of(g);
        rules[i].part = text_of(g);
        rules[i].vertex_count = sni_take_u32(&g->reader);
        rules[i].vertices = (uint32_t*)sni_take_optional(&g->reader, rules[i].vertex_count, sizeof(uint32_t));
        rules[i].amounts = (float*)sni_take_optional(&g->reader, rules[i].vertex_count, sizeof(float));
        get_floats(g, values, 8);
        rules[i].center = sn_vec3(values[0], values[1], values[2]);
        rules[i].radius = values[3];
        rules[i].softness = values[4];
        rules[i].alpha = values[5];
        rules[i].damping = values[6];
        rules[i].force = values[7];
        rules[i].color = (char)sni_take_below(&g->reader, 128);
        rules[i].width = sni_take_u32(&g->reader);
    }
    if (result == SN_RESULT_OK && !g->reader.failed)
        result = sn_settings_set_rules(g->settings, rules, count, g->error);
    sni_free(g->memory, rules);
    return result;
}

static snResult get_flesh(Getter* g) {
    uint32_t count = sni_take_below(&g->reader, SN_SETTINGS_MAX_ITEMS + 1);
    const snFleshLayer* layers = sni_take_floats(&g->reader, 2 * (size_t)count);
    if (layers != NULL) SNI_TRY(sn_settings_set_layers(g->settings, layers, count, g->error));
    SNI_TRY(get_rules(g));
    count = sni_take_below(&g->reader, SN_SETTINGS_MAX_ITEMS + 1);
    const snProfileKey* profile = sni_take_floats(&g->reader, 2 * (size_t)count);
    if (profile != NULL) SNI_TRY(sn_settings_set_profile(g->settings, profile, count, g->error));
    snResult result = SN_RESULT_OK;
    snColliderDef* colliders = take_list(g, SN_SETTINGS_MAX_ITEMS, sizeof *colliders, &count, &result);
    for (uint32_t i = 0; i < count && result == SN_RESULT_OK; i++) {
        colliders[i].joint = name_of(g);
        get_floats(g, &colliders[i].from.x, 7);
    }
    if (result == SN_RESULT_OK && !g->reader.failed)
        result = sn_settings_set_colliders(g->settings, colliders, count, g->error);
    sni_free(g->memory, colliders);
    return result;
}

static void get_curve(Getter* g, snVolumeCurve* out) {
    float values[4] = {0};
    get_floats(g, values, 4);
    *out = (snVolumeCurve){.center = values[0], .sigma = values[1], .side = values[2], .folds = values[3]};
    out->key_count = sni_take_below(&g->reader, SN_PROFILE_MAX_KEYS + 1);
    get_floats(g, &out->keys[0].at, 2 * (size_t)out->key_count);
}

static snResult get_volume_rules(Getter* g) {
    uint32_t count = 0;
    snResult result = SN_RESULT_OK;
    snVolumeRule* rules = take_list(g, SN_SETTINGS_MAX_ITEMS, sizeof *rules, &count, &result);
    for (uint32_t i = 0; i < count && result == SN_RESULT_OK; i++) {
        rules[i].joint = name_of(g);
        const char* name = name_of(g);
        if (name != NULL) snprintf(rules[i].profile.name, sizeof rules[i].profile.name, "%s", name);
        get_floats(g, rules[i].profile.shares, 3);
        for (int a = 0; a < 3; a++) get_curve(g, &rules[i].profile.axes[a]);
        rules[i].profile.folds_grow = sni_take_below(&g->reader, 2) == 1;
        rules[i].amount = sni_take_float(&g->reader);
    }
    if (result == SN_RESULT_OK && !g->reader.failed)
        result = sn_settings_set_volume_rules(g->settings, rules, count, g->error);
    sni_free(g->memory, rules);
    return result;
}

static snResult get_volume_targets(Getter* g) {
    uint32_t count = 0;
    snResult result = SN_RESULT_OK;
    snVolumeTarget* targets = take_list(g, SN_SETTINGS_MAX_ITEMS, sizeof *targets, &count, &result);
    for (uint32_t i = 0; i < count && result == SN_RESULT_OK; i++) {
        targets[i].joint = name_of(g);
        targets[i].loop = sni_take_below(&g->reader, 2) == 1;
        targets[i].key_count = sni_take_below(&g->reader, SN_SETTINGS_MAX_ITEMS + 1);
        targets[i].keys = (snVolumeKey*)sni_take_floats(&g->reader, 2 * (size_t)targets[i].key_count);
    }
    if (result == SN_RESULT_OK && !g->reader.failed)
        result = sn_settings_set_volume_targets(g->settings, targets, count, g->error);
    sni_free(g->memory, targets);
    return result;
}

static snResult get_style(Getter* g, snStyle** out) {
    const char* name = name_of(g);
    const char* description = text_of(g);
    float values[5] = {0};
    get_floats(g, values, 5);
    uint32_t sides = sni_take_below(&g->reader, SN_STYLE_AROUND + 1);
    if (g->reader.failed) return SN_RESULT_OK;
    SNI_TRY(sn_style_create(name, g->memory, out, g->error));
    snStyle* style = *out;
    char* text = sni_copy_text(g->memory, description);
    if (text == NULL) return sni_fail_memory(g->error);
    sni_free(g->memory, style->description);
    style->description = text;
    style->bend_angle = values[0];
    style->twist_angle = values[1];
    style->strength = values[2];
    style->hollow = values[3];
    style->fade = values[4];
    style->sides = (snStyleSides)sides;
    for (uint32_t d = 0; d < SN_STYLE_DIRECTIONS; d++) {
        snStyleTexture texture = {.width = sni_take_below(&g->reader, SN_STYLE_MAX_SIDE + 1)};
        texture.height = sni_take_below(&g->reader, SN_STYLE_MAX_SIDE + 1);
        texture.one = sni_take_u32(&g->reader);
        size_t texels = (size_t)texture.width * texture.height;
        texture.texels = (uint16_t*)sni_take_array(&g->reader, texels, sizeof(uint16_t));
        uint32_t keys = sni_take_below(&g->reader, SN_SETTINGS_MAX_ITEMS + 1);
        const snVec2* curve = sni_take_floats(&g->reader, 2 * (size_t)keys);
        if (g->reader.failed) return SN_RESULT_OK;
        if (texels > 0) SNI_TRY(sn_style_set_texture(style, d, &texture, g->error));
        if (keys > 0) SNI_TRY(sn_style_set_curve(style, d, curve, keys, g->error));
    }
    return SN_RESULT_OK;
}

static snResult get_styles(Getter* g) {
    uint32_t count = 0;
    snResult result = SN_RESULT_OK;
    snStyle** styles = take_list(g, SN_SETTINGS_MAX_STYLES, sizeof(snStyle*), &count, &result);
    for (uint32_t i = 0; i < count && result == SN_RESULT_OK; i++) result = get_style(g, &styles[i]);
    if (result == SN_RESULT_OK && !g->reader.failed)
        result = sn_settings_set_styles(g->settings, (const snStyle* const*)styles, count, g->error);
    for (uint32_t i = 0; i < count && styles != NULL; i++) sn_style_destroy(styles[i]);
    sni_free(g->memory, styles);
    return result;
}

static snResult get_spline_rules(Getter* g) {
    uint32_t count = 0;
    snResult result = SN_RESULT_OK;
    snSplineRule* rules = take_list(g, SN_SETTINGS_MAX_ITEMS, sizeof *rules, &count, &result);
    for (uint32_t i = 0; i < count && result == SN_RESULT_OK; i++) {
        rules[i].joint = name_of(g);
        rules[i].stiffness = sni_take_float(&g->reader);
    }
    if (result == SN_RESULT_OK && !g->reader.failed)
        result = sn_settings_set_spline_rules(g->settings, rules, count, g->error);
    sni_free(g->memory, rules);
    return result;
}

static snResult get_style_rules(Getter* g) {
    uint32_t count = 0;
    snResult result = SN_RESULT_OK;
    snStyleRule* rules = take_list(g, SN_SETTINGS_MAX_ITEMS, sizeof *rules, &count, &result);
    for (uint32_t i = 0; i < count && result == SN_RESULT_OK; i++) {
        rules[i].joint = name_of(g);
        rules[i].style = name_of(g);
        rules[i].strength = sni_take_float(&g->reader);
    }
    if (result == SN_RESULT_OK && !g->reader.failed)
        result = sn_settings_set_style_rules(g->settings, rules, count, g->error);
    sni_free(g->memory, rules);
    return result;
}

static snResult get_all(Getter* g) {
    SNI_TRY(get_values(g));
    SNI_TRY(get_flesh(g));
    SNI_TRY(get_volume_rules(g));
    SNI_TRY(get_volume_targets(g));
    SNI_TRY(get_spline_rules(g));
    SNI_TRY(get_styles(g));
    SNI_TRY(get_style_rules(g));
    if (!sni_reader_done(&g->reader))
        return sni_fail(g->error, SN_RESULT_BAD_DATA, "the settings are damaged");
    return sn_settings_validate(g->settings, g->error);
}

snResult sni_settings_get(const uint8_t* data, size_t size, const snAllocator* memory, snSettings** out,
                          snError* error) {
    Getter getter = {.reader = {data, size, 0, false}, .memory = memory, .error = error};
    SNI_TRY(sn_settings_create(memory, &getter.settings, error));
    snResult result = get_all(&getter);
    if (result == SN_RESULT_OK)
        *out = getter.settings;
    else
        sn_settings_destroy(getter.settings);
    return result;
}
