#include "settings_support.h"

#include <string.h>

snSettings* test_settings(void) {
    snSettings* settings = NULL;
    assert_ok(sn_settings_create(NULL, &settings, NULL));
    return settings;
}

// ------------------------------------------------------------------------------------------------- change

static void change_value(snSettings* settings, const snSetting* setting, uint32_t* random) {
    char* at = (char*)settings + setting->offset;
    float values[3];
    uint32_t whole = 0;
    bool on = false;
    switch (setting->type) {
    case SN_SETTING_BOOL:
        memcpy(&on, at, sizeof on);
        on = !on;
        memcpy(at, &on, sizeof on);
        return;
    case SN_SETTING_CHOICE:
        memcpy(&whole, at, sizeof whole);
        whole = setting->names[whole + 1] != NULL ? whole + 1 : 0;
        memcpy(at, &whole, sizeof whole);
        return;
    case SN_SETTING_COUNT:
        memcpy(&whole, at, sizeof whole);
        whole = (float)whole < setting->max ? whole + 1 : whole - 1;
        memcpy(at, &whole, sizeof whole);
        return;
    default:
        for (int i = 0; i < 3; i++) values[i] = test_random_float(random, setting->min, setting->max);
        memcpy(at, values, (setting->type == SN_SETTING_VEC3 ? 3 : 1) * sizeof(float));
    }
}

static snFleshRule rule_of(uint32_t* random) {
    return (snFleshRule){.softness = test_random_float(random, 0.0f, 2.0f),
                         .alpha = test_random_float(random, 0.0f, 2.0f),
                         .damping = test_random_float(random, 0.0f, 1000.0f),
                         .force = test_random_float(random, 0.0f, 2.0f)};
}

static void change_rules(snSettings* settings, uint32_t* random) {
    uint32_t vertices[] = {0, 77, 4294967294u}, none = 0;
    float amounts[] = {1.0f, 0.0f, test_random_float(random, 0.0f, 1.0f)};
    snFleshRule rules[6];
    for (int i = 0; i < 6; i++) rules[i] = rule_of(random);
    rules[0].bone = "*\xc3\x84rm \"left\"\\\n*";
    rules[0].width = 3;
    rules[1].part = "Body";
    rules[1].vertices = vertices;
    rules[1].vertex_count = 3;
    rules[1].amounts = amounts;
    rules[2].color = 'g';
    rules[3].center = sn_vec3(test_random_float(random, -1.0f, 1.0f), -0.0f, 1e-30f);
    rules[3].radius = test_random_float(random, 0.0f, 1.0f);
    rules[4] = (snFleshRule){.softness = 1.0f, .alpha = 1.0f, .damping = 1.0f, .force = 1.0f};
    rules[5].bone = "";
    rules[5].part = "*";
    rules[5].vertices = &none; // an empty list is not the same as none
    assert_ok(sn_settings_set_rules(settings, rules, 6, NULL));
}

snVolumeProfile test_profile(uint32_t* random) {
    snVolumeProfile profile = {.name = "\xc3\x84rmel \"2\"", .folds_grow = test_random(random) % 2 == 0};
    for (int a = 0; a < 3; a++) {
        snVolumeCurve* curve = &profile.axes[a];
        profile.shares[a] = test_random_float(random, 0.01f, 1.0f);
        curve->center = a == 0 ? -0.0f : test_random_float(random, -1.0f, 1.0f);
        curve->sigma = test_random_float(random, 0.0f, 1.0f);
        curve->side = (float)(test_random(random) % 3) - 1.0f;
        curve->folds = test_random_float(random, 0.0f, 9.0f);
        curve->key_count = test_random(random) % (SN_PROFILE_MAX_KEYS + 1);
        float at = test_random_float(random, -1.0f, 0.0f);
        for (uint32_t k = 0; k < curve->key_count; k++) {
            at += test_random_float(random, 0.01f, 0.1f);
            curve->keys[k] = (snCurveKey){at, test_random_float(random, 0.0f, 2.0f)};
        }
    }
    return profile;
}

static void change_volume(snSettings* settings, uint32_t* random) {
    snVolumeRule rules[4] = {{"*", *sn_volume_preset_find("belly"), 1.0f},
                             {"", test_profile(random), test_random_float(random, 0.0f, 1.0f)},
                             {"*Elb\xc3\xb6w?", *sn_volume_preset_find("sleeve"), 0.0f},
                             {"a", *sn_volume_preset_find("muscle"), 0.1f}};
    rules[3].profile.axes[0].center += 1e-7f; // no longer the preset, whatever its name
    snVolumeKey keys[] = {{-1e-40f, 1.0f / 3.0f}, {test_random_float(random, 0.1f, 1e5f), 10.0f}};
    snVolumeKey breath[] = {{0.0f, 1.0f}, {test_random_float(random, 1.0f, 2.0f), 1.04f}, {3.0f, 1.0f}};
    snVolumeTarget targets[] = {{"Chest", false, 2, keys}, {"*", true, 3, breath}};
    assert_ok(sn_settings_set_volume_rules(settings, rules, 4, NULL));
    assert_ok(sn_settings_set_volume_targets(settings, targets, 2, NULL));
}

static void change_texture(snStyle* style, uint32_t direction, uint32_t* random) {
    uint16_t texels[40 * 9];
    snStyleTexture texture = {2 + test_random(random) % 39, 2 + test_random(random) % 8,
                              test_random(random) % 2 == 0 ? 128 : 32768, texels};
    for (uint32_t i = 0; i < texture.width * texture.height; i++) {
        texels[i] = (uint16_t)(test_random(random) % (2 * texture.one));
    }
    assert_ok(sn_style_set_texture(style, direction, &texture, NULL));
}

snStyle* test_style(const char* name, uint32_t* random) {
    snStyle* style = NULL;
    assert_ok(sn_style_create(name, NULL, &style, NULL));
    style->allocator.free(style->allocator.user, style->description);
    static const char line[] = "\xc3\x84rmel \"2\" // no comment";
    style->description = style->allocator.alloc(style->allocator.user, sizeof line, 64);
    memcpy(style->description, line, sizeof line);
    style->bend_angle = test_random_float(random, 0.02f, 3.0f);
    style->twist_angle = test_random_float(random, 0.02f, 60.0f);
    style->strength = test_random_float(random, 0.0f, 4.0f);
    style->hollow = test_random_float(random, -2.0f, 2.0f);
    style->fade = test_random_float(random, 0.0f, 0.5f);
    style->sides = test_random(random) % 2 == 0 ? SN_STYLE_MIRRORED : SN_STYLE_AROUND;
    for (uint32_t d = 0; d < SN_STYLE_DIRECTIONS; d++) {
        snVec2 keys[SN_STYLE_MAX_KEYS];
        uint32_t count = test_random(random) % (SN_STYLE_MAX_KEYS + 1);
        for (uint32_t k = 0; k < count; k++) {
            keys[k].x = ((float)k + test_random_float(random, 0.0f, 0.9f)) / (float)SN_STYLE_MAX_KEYS;
            keys[k].y = test_random_float(random, 0.0f, 4.0f);
        }
        assert_ok(sn_style_set_curve(style, d, keys, count, NULL));
        if (test_random(random) % 4 > 0) change_texture(style, d, random);
    }
    return style;
}

static void change_styles(snSettings* settings, uint32_t* random) {
    snStyle* styles[] = {test_style("one", random), test_style("Two_2-b", random), NULL};
    assert_ok(sn_style_preset("cloth", NULL, &styles[2], NULL));
    const snSplineRule splines[] = {{"*Sp\xc3\xb6ne*", test_random_float(random, 2.0f, 32.0f)}, {"", 2.0f}};
    const snStyleRule rules[] = {
        {"*", "cloth", test_random_float(random, 0.0f, 4.0f)}, {"a\"b", "Two_2-b", 1.0f}, {"Head", "", 0.1f}};
    assert_ok(sn_settings_set_style_rules(settings, NULL, 0, NULL)); // they may name styles that go
    assert_ok(sn_settings_set_styles(settings, (const snStyle* const*)styles, 3, NULL));
    assert_ok(sn_settings_set_spline_rules(settings, splines, 2, NULL));
    assert_ok(sn_settings_set_style_rules(settings, rules, 3, NULL));
    for (int i = 0; i < 3; i++) sn_style_destroy(styles[i]);
}

void test_settings_change(snSettings* settings, uint32_t seed) {
    uint32_t count = 0, random = seed;
    const snSetting* table = sn_setting_table(&count);
    for (uint32_t i = 0; i < count; i++) change_value(settings, &table[i], &random);
    float near = test_random_float(&random, 0.0f, 0.1f);
    snFleshLayer layers[] = {{near, 0.0f}, {near + test_random_float(&random, 0.1f, 0.3f), 1.0f / 3.0f}};
    assert_ok(sn_settings_set_layers(settings, layers, 2, NULL));
    change_rules(settings, &random);
    snProfileKey keys[] = {{-1.5f, 1.0f}, {0.1f, 0.0f}, {test_random_float(&random, 1.0f, 1e6f), 0.7f}};
    assert_ok(sn_settings_set_profile(settings, keys, 3, NULL));
    snColliderDef colliders[] = {{"", {0.0f, 1e-40f, 0.1f}, {-0.0f, 3e38f, 1.0f / 3.0f}, 1e-45f},
                                 {"Spine", {1.0f, 2.0f, 3.0f}, {4.0f, 5.0f, 6.0f}, 0.1f}};
    assert_ok(sn_settings_set_colliders(settings, colliders, 2, NULL));
    change_volume(settings, &random);
    change_styles(settings, &random);
    assert_ok(sn_settings_validate(settings, NULL));
}

// -------------------------------------------------------------------------------------------------- equal

static void equal_name(const char* a, const char* b) {
    assert_int_equal(a == NULL, b == NULL);
    if (a != NULL) assert_string_equal(a, b);
}

static void equal_rule(const snFleshRule* a, const snFleshRule* b) {
    equal_name(a->bone, b->bone);
    equal_name(a->part, b->part);
    assert_int_equal(a->vertices == NULL, b->vertices == NULL);
    assert_int_equal(a->vertex_count, b->vertex_count);
    if (a->vertex_count > 0)
        assert_memory_equal(a->vertices, b->vertices, a->vertex_count * sizeof *a->vertices);
    assert_int_equal(a->amounts == NULL, b->amounts == NULL);
    if (a->amounts != NULL) assert_memory_equal(a->amounts, b->amounts, a->vertex_count * sizeof *a->amounts);
    assert_memory_equal(&a->center, &b->center, sizeof a->center);
    assert_memory_equal(&a->radius, &b->radius, sizeof a->radius);
    assert_int_equal(a->color, b->color);
    assert_int_equal(a->width, b->width);
    const float left[] = {a->softness, a->alpha, a->damping, a->force};
    const float right[] = {b->softness, b->alpha, b->damping, b->force};
    assert_memory_equal(left, right, sizeof left);
}

void test_profile_equal(const snVolumeProfile* a, const snVolumeProfile* b) {
    assert_string_equal(a->name, b->name);
    assert_memory_equal(a->shares, b->shares, sizeof a->shares);
    assert_int_equal(a->folds_grow, b->folds_grow);
    for (int i = 0; i < 3; i++) {
        const snVolumeCurve *x = &a->axes[i], *y = &b->axes[i];
        assert_memory_equal(x, y, offsetof(snVolumeCurve, keys));
        if (x->key_count > 0) assert_memory_equal(x->keys, y->keys, x->key_count * sizeof x->keys[0]);
    }
}

static void equal_volume(const snSettings* a, const snSettings* b) {
    assert_int_equal(a->volume_rule_count, b->volume_rule_count);
    for (uint32_t i = 0; i < a->volume_rule_count; i++) {
        const snVolumeRule *x = &a->volume_rules[i], *y = &b->volume_rules[i];
        equal_name(x->joint, y->joint);
        test_profile_equal(&x->profile, &y->profile);
        assert_memory_equal(&x->amount, &y->amount, sizeof x->amount);
    }
    assert_int_equal(a->volume_target_count, b->volume_target_count);
    for (uint32_t i = 0; i < a->volume_target_count; i++) {
        const snVolumeTarget *x = &a->volume_targets[i], *y = &b->volume_targets[i];
        equal_name(x->joint, y->joint);
        assert_int_equal(x->loop, y->loop);
        assert_int_equal(x->key_count, y->key_count);
        assert_memory_equal(x->keys, y->keys, x->key_count * sizeof *x->keys);
    }
}

void test_style_equal(const snStyle* a, const snStyle* b) {
    assert_string_equal(a->name, b->name);
    assert_string_equal(a->description, b->description);
    const float left[] = {a->bend_angle, a->twist_angle, a->strength, a->hollow, a->fade};
    const float right[] = {b->bend_angle, b->twist_angle, b->strength, b->hollow, b->fade};
    assert_memory_equal(left, right, sizeof left);
    assert_int_equal(a->sides, b->sides);
    for (uint32_t d = 0; d < SN_STYLE_DIRECTIONS; d++) {
        const snStyleTexture *s = &a->textures[d], *t = &b->textures[d];
        assert_int_equal(s->width, t->width);
        assert_int_equal(s->height, t->height);
        assert_int_equal(s->one, t->one);
        size_t texels = (size_t)s->width * s->height * sizeof *s->texels;
        if (texels > 0) assert_memory_equal(s->texels, t->texels, texels);
        assert_int_equal(a->curves[d].count, b->curves[d].count);
        size_t keys = a->curves[d].count * sizeof(snVec2);
        if (keys > 0) assert_memory_equal(a->curves[d].keys, b->curves[d].keys, keys);
    }
}

static void equal_styles(const snSettings* a, const snSettings* b) {
    assert_int_equal(a->spline_rule_count, b->spline_rule_count);
    for (uint32_t i = 0; i < a->spline_rule_count; i++) {
        const snSplineRule *x = &a->spline_rules[i], *y = &b->spline_rules[i];
        equal_name(x->joint, y->joint);
        assert_memory_equal(&x->stiffness, &y->stiffness, sizeof x->stiffness);
    }
    assert_int_equal(a->style_count, b->style_count);
    for (uint32_t i = 0; i < a->style_count; i++) test_style_equal(a->styles[i], b->styles[i]);
    assert_int_equal(a->style_rule_count, b->style_rule_count);
    for (uint32_t i = 0; i < a->style_rule_count; i++) {
        const snStyleRule *x = &a->style_rules[i], *y = &b->style_rules[i];
        equal_name(x->joint, y->joint);
        equal_name(x->style, y->style);
        assert_memory_equal(&x->strength, &y->strength, sizeof x->strength);
    }
}

static size_t size_of(const snSetting* setting) {
    return setting->type == SN_SETTING_BOOL   ? sizeof(bool)
           : setting->type == SN_SETTING_VEC3 ? sizeof(snVec3)
                                              : 4;
}

void test_settings_equal(const snSettings* a, const snSettings* b) {
    uint32_t count = 0;
    const snSetting* table = sn_setting_table(&count);
    for (uint32_t i = 0; i < count; i++) {
        size_t offset = table[i].offset;
        if (memcmp((const char*)a + offset, (const char*)b + offset, size_of(&table[i])) != 0)
            fail_msg("%s differs", table[i].key);
    }
    assert_int_equal(a->layer_count, b->layer_count);
    assert_memory_equal(a->layers, b->layers, a->layer_count * sizeof *a->layers);
    assert_int_equal(a->rule_count, b->rule_count);
    for (uint32_t i = 0; i < a->rule_count; i++) equal_rule(&a->rules[i], &b->rules[i]);
    assert_int_equal(a->profile_count, b->profile_count);
    if (a->profile_count > 0)
        assert_memory_equal(a->profile, b->profile, a->profile_count * sizeof *a->profile);
    assert_int_equal(a->collider_count, b->collider_count);
    for (uint32_t i = 0; i < a->collider_count; i++) {
        const snColliderDef *x = &a->colliders[i], *y = &b->colliders[i];
        equal_name(x->joint, y->joint);
        assert_memory_equal(&x->from, &y->from, sizeof x->from);
        assert_memory_equal(&x->to, &y->to, sizeof x->to);
        assert_memory_equal(&x->radius, &y->radius, sizeof x->radius);
    }
    equal_volume(a, b);
    equal_styles(a, b);
}
