// Settings that change while a character plays: afterwards it has the bits of one made anew, flesh goes on,
// and a change that fails has changed nothing.
#include "flesh_support.h"

// What the rules of the edits name; other models have other joints.
static const char *limb = "*Knee", *other_limb = "*Elbow", *bone = "LeftKnee";

enum { BASE_DUAL, BASE_SPLINE, BASE_EXACT, BASE_LATTICE, BASE_COUNT };

// Small enough to be made hundreds of times.
static snModel* small_body(void) {
    snBodyDef def = sn_body_def();
    def.vertex_target = 1000;
    snModel* model = NULL;
    assert_ok(sn_builtin_body(&def, NULL, &model, NULL));
    flesh_bind(model, 14);
    return model;
}

static void set_style(snSettings* s, const char* preset, const char* joint, float strength) {
    snStyle* style = NULL;
    assert_ok(sn_style_preset(preset, NULL, &style, NULL));
    snStyleRule rule = {(char*)joint, style->name, strength};
    assert_ok(sn_settings_set_style_rules(s, NULL, 0, NULL));
    assert_ok(sn_settings_set_styles(s, (const snStyle* const*)&style, 1, NULL));
    assert_ok(sn_settings_set_style_rules(s, &rule, 1, NULL));
    sn_style_destroy(style);
}

static void set_profile(snSettings* s, const char* preset, float amount) {
    snVolumeRule rules[2] = {{.joint = (char*)limb, .profile = *sn_volume_preset_find("muscle"), .amount = 1},
                             {.joint = (char*)other_limb, .amount = amount}};
    rules[1].profile = *sn_volume_preset_find(preset);
    assert_ok(sn_settings_set_volume_rules(s, rules, 2, NULL));
}

static snSettings* base_settings(int base) {
    snSettings* s = flesh_settings();
    static const snSkinMethod skins[BASE_COUNT] = {SN_SKIN_DUAL, SN_SKIN_SPLINE, SN_SKIN_LINEAR,
                                                   SN_SKIN_LATTICE};
    s->skin = skins[base];
    if (base == BASE_SPLINE) set_style(s, "cloth", "*", 1.0f);
    if (base == BASE_EXACT) {
        s->volume = SN_VOLUME_PARTS_EXACT;
        set_profile(s, "rubber", 1.0f);
    }
    if (base == BASE_LATTICE) s->self_contact = true;
    return s;
}

static snSettings* copy_of(const snSettings* settings) {
    snSettings* copy = NULL;
    assert_ok(sn_settings_copy(settings, NULL, &copy, NULL));
    return copy;
}

// A few frames from rest on; the hash of all of them.
static uint64_t play(snCharacter* character) {
    uint64_t hash = SN_HASH_SEED;
    sn_character_reset(character);
    for (int f = 0; f < 2; f++) {
        assert_ok(sn_character_pose_clip(character, 0, (float)f * 0.05f, SN_WRAP_LOOP));
        uint64_t frame = sn_character_hash(character);
        hash = sn_hash_bytes(hash, &frame, sizeof frame);
    }
    return hash;
}

// The character in use, changed to `edited` and back, against characters made anew.
static void check_edit(const snModel* model, snCharacter* character, const snSettings* base,
                       uint64_t base_hash, const snSettings* edited, const char* what) {
    snError error = sn_error_none();
    if (sn_character_update_settings(character, edited, &error) != SN_RESULT_OK)
        fail_msg("%s: %s", what, error.text);
    snCharacter* anew = flesh_character(model, edited, SN_SKIN_AUTO);
    if (play(character) != play(anew)) fail_msg("%s: not the bits of a character made anew", what);
    assert_int_equal(sn_character_report(character).unused_rules, sn_character_report(anew).unused_rules);
    assert_int_equal(sn_character_report(character).particles, sn_character_report(anew).particles);
    sn_character_destroy(anew);
    assert_ok(sn_character_update_settings(character, base, &error));
    if (play(character) != base_hash) fail_msg("%s: not the old bits after changing back", what);
}

static void edit_value(snSettings* s, const snSetting* setting) {
    char* at = (char*)s + setting->offset;
    bool on = false;
    uint32_t count = 0;
    float value = 0;
    snVec3 vector = {0};
    switch (setting->type) {
    case SN_SETTING_BOOL:
        memcpy(&on, at, sizeof on);
        on = !on;
        memcpy(at, &on, sizeof on);
        break;
    case SN_SETTING_COUNT:
        memcpy(&count, at, sizeof count);
        count = count < (uint32_t)setting->max ? count + 1 : count - 1;
        memcpy(at, &count, sizeof count);
        break;
    case SN_SETTING_FLOAT:
        memcpy(&value, at, sizeof value);
        value = value * 1.1f + 0.03f < setting->max ? value * 1.1f + 0.03f : value * 0.9f;
        memcpy(at, &value, sizeof value);
        break;
    case SN_SETTING_VEC3:
        memcpy(&vector, at, sizeof vector);
        vector.x += 1.0f;
        memcpy(at, &vector, sizeof vector);
        break;
    case SN_SETTING_CHOICE:
        memcpy(&count, at, sizeof count);
        count = setting->names[count + 1] != NULL ? count + 1 : 1;
        memcpy(at, &count, sizeof count);
        break;
    }
}

// Every setting that is a single value, in turn.
static void every_setting_can_change(void** state) {
    (void)state;
    snModel* model = small_body();
    uint32_t count = 0;
    const snSetting* table = sn_setting_table(&count);
    for (int b = 0; b < BASE_COUNT; b++) {
        snSettings* base = base_settings(b);
        snCharacter* character = flesh_character(model, base, SN_SKIN_AUTO);
        uint64_t hash = play(character);
        for (uint32_t i = 0; i < count; i++) {
            snSettings* edited = copy_of(base);
            edit_value(edited, &table[i]);
            check_edit(model, character, base, hash, edited, table[i].key);
            sn_settings_destroy(edited);
        }
        sn_character_destroy(character);
        sn_settings_destroy(base);
    }
    sn_model_destroy(model);
}

static void edit_layers(snSettings* s) { s->layers[1].softness = 0.5f; }
static void edit_rules(snSettings* s) {
    snFleshRule rule = sn_flesh_rule_def();
    rule.bone = (char*)limb;
    rule.softness = 0.5f;
    assert_ok(sn_settings_set_rules(s, &rule, 1, NULL));
}
static void edit_painted(snSettings* s) {
    uint32_t vertices[100];
    float amounts[100];
    for (uint32_t i = 0; i < 100; i++) vertices[i] = 3 * i, amounts[i] = 0.01f * (float)i;
    snFleshRule rule = sn_flesh_rule_def();
    rule.part = (char*)"*";
    rule.vertices = vertices;
    rule.amounts = amounts;
    rule.vertex_count = 100;
    rule.softness = 0.2f;
    assert_ok(sn_settings_set_rules(s, &rule, 1, NULL));
}
static void edit_amount(snSettings* s) {
    edit_painted(s);
    s->rules[0].amounts[50] = 0.9f;
}
static void edit_width(snSettings* s) {
    edit_rules(s);
    s->rules[0].width = 3;
}
static void edit_unused(snSettings* s) {
    edit_rules(s);
    s->rules[0].radius = 0.01f;
    s->rules[0].center = sn_vec3(99, 0, 0);
}
static void edit_profile(snSettings* s) {
    snProfileKey keys[2] = {{0.0f, 1.0f}, {0.2f, 0.3f}};
    assert_ok(sn_settings_set_profile(s, keys, 2, NULL));
}
static void edit_colliders(snSettings* s) {
    snColliderDef colliders[2] = {{(char*)"", {0, 0.5f, 0.1f}, {0, 0.8f, 0.1f}, 0.1f},
                                  {(char*)bone, {0, 0, 0}, {0, 0.1f, 0}, 0.1f}};
    assert_ok(sn_settings_set_colliders(s, colliders, 2, NULL));
}
static void edit_volume_rules(snSettings* s) { set_profile(s, "folds", 0.7f); }
static void edit_volume_key(snSettings* s) {
    set_profile(s, "rubber", 1.0f);
    snVolumeCurve* curve = &s->volume_rules[1].profile.axes[0];
    curve->key_count = 3;
    curve->keys[0] = (snCurveKey){-1.0f, 1.0f};
    curve->keys[1] = (snCurveKey){0.0f, 0.4f};
    curve->keys[2] = (snCurveKey){1.0f, 1.0f};
}
static void edit_all_volume(snSettings* s) {
    set_profile(s, "belly", 1.0f);
    s->volume_rest_profiles = true;
    s->skin = SN_SKIN_DUAL;
}
static void edit_volume_targets(snSettings* s) {
    snVolumeKey keys[2] = {{0.0f, 1.0f}, {0.2f, 1.3f}};
    snVolumeTarget target = {(char*)limb, false, 2, keys};
    assert_ok(sn_settings_set_volume_targets(s, &target, 1, NULL));
}
static void edit_spline_rules(snSettings* s) {
    snSplineRule rule = {(char*)limb, 6.0f};
    assert_ok(sn_settings_set_spline_rules(s, &rule, 1, NULL));
}
static void edit_texel(snSettings* s) {
    for (uint32_t d = 0; s->style_count > 0 && d < SN_STYLE_DIRECTIONS; d++)
        if (s->styles[0]->textures[d].texels != NULL) s->styles[0]->textures[d].texels[70] = 100;
}
static void edit_strength(snSettings* s) {
    if (s->style_rule_count > 0) s->style_rules[0].strength = 0.6f;
}
static void edit_other_style(snSettings* s) { set_style(s, "soft", "*", 1.0f); }
static void edit_hollow_style(snSettings* s) { set_style(s, "can", "*", 1.0f); }
static void edit_style_of_few(snSettings* s) { set_style(s, "cloth", "*Knee", 1.0f); }
static void edit_no_style(snSettings* s) {
    assert_ok(sn_settings_set_style_rules(s, NULL, 0, NULL));
    assert_ok(sn_settings_set_styles(s, NULL, 0, NULL));
}
static void edit_off(snSettings* s) {
    s->flesh = false;
    s->volume = SN_VOLUME_NONE;
}

typedef struct Edit {
    const char* name;
    void (*run)(snSettings* s);
} Edit;
static const Edit EDITS[] = {
    {"layers", edit_layers},
    {"rules", edit_rules},
    {"painted", edit_painted},
    {"amount", edit_amount},
    {"width", edit_width},
    {"unused rule", edit_unused},
    {"profile", edit_profile},
    {"colliders", edit_colliders},
    {"volume rules", edit_volume_rules},
    {"volume key", edit_volume_key},
    {"all of exact volume", edit_all_volume},
    {"volume targets", edit_volume_targets},
    {"spline rules", edit_spline_rules},
    {"texel", edit_texel},
    {"strength", edit_strength},
    {"other style", edit_other_style},
    {"hollow style", edit_hollow_style},
    {"style of few", edit_style_of_few},
    {"no style", edit_no_style},
    {"off", edit_off},
};
#define EDIT_COUNT (sizeof EDITS / sizeof EDITS[0])

static void every_list_can_change(void** state) {
    (void)state;
    snModel* model = small_body();
    for (int b = 0; b < BASE_COUNT; b++) {
        snSettings* base = base_settings(b);
        snCharacter* character = flesh_character(model, base, SN_SKIN_AUTO);
        uint64_t hash = play(character);
        for (size_t i = 0; i < EDIT_COUNT; i++) {
            snSettings* edited = copy_of(base);
            EDITS[i].run(edited);
            check_edit(model, character, base, hash, edited, EDITS[i].name);
            sn_settings_destroy(edited);
        }
        sn_character_destroy(character);
        sn_settings_destroy(base);
    }
    sn_model_destroy(model);
}

// A model that was not bound, with a morph; and one edit after another without going back.
static void changes_add_up(void** state) {
    (void)state;
    snModel* model = flesh_twins(8);
    snSettings* settings = flesh_settings();
    snCharacter* character = flesh_character(model, settings, SN_SKIN_AUTO);
    static const snSkinMethod skins[] = {SN_SKIN_SPLINE, SN_SKIN_LATTICE, SN_SKIN_LINEAR, SN_SKIN_SPLINE,
                                         SN_SKIN_DUAL};
    for (uint32_t i = 0; i < 10; i++) {
        settings->skin = skins[i % 5];
        settings->volume = (snVolumeMethod)(i % 4);
        settings->flesh = i % 3 != 1;
        settings->spline_samples = 16 + i;
        assert_ok(sn_character_update_settings(character, settings, NULL));
        snCharacter* anew = flesh_character(model, settings, SN_SKIN_AUTO);
        assert_true(play(character) == play(anew));
        sn_character_destroy(anew);
    }
    sn_character_destroy(character);
    sn_settings_destroy(settings);
    sn_model_destroy(model);
}

// Flesh does not notice what is none of its business, bit for bit.
static void flesh_goes_on(void** state) {
    (void)state;
    snModel* model = small_body();
    uint32_t particles = model->binding->lattice->particle_count;
    static void (*const edits[])(snSettings*) = {edit_texel, edit_strength, edit_volume_key,
                                                 edit_volume_rules, edit_no_style};
    for (int b = BASE_SPLINE; b <= BASE_EXACT; b++) {
        snSettings* settings = base_settings(b);
        snCharacter* still = flesh_character(model, settings, SN_SKIN_AUTO);
        snCharacter* changed = flesh_character(model, settings, SN_SKIN_AUTO);
        for (uint32_t f = 0; f < 20; f++) {
            float time = 0.03f * (float)f;
            if (f >= 5) edits[f % 5](settings);
            if (f >= 5) assert_ok(sn_character_update_settings(changed, settings, NULL));
            assert_ok(sn_character_pose_clip(still, 0, time, SN_WRAP_LOOP));
            assert_ok(sn_character_pose_clip(changed, 0, time, SN_WRAP_LOOP));
            assert_memory_equal(sn_character_particles(still), sn_character_particles(changed),
                                particles * sizeof(snVec4));
        }
        assert_true(sn_character_hash(still) != sn_character_hash(changed));
        assert_int_equal(sn_character_report(changed).resets, 0);
        sn_character_destroy(still);
        sn_character_destroy(changed);
        sn_settings_destroy(settings);
    }
    sn_model_destroy(model);
}

// What does concern it changes how it goes on, not where it is; not even a step of another length starts
// anew.
static void flesh_is_not_started_anew(void** state) {
    (void)state;
    snModel* model = small_body();
    snSettings* settings = flesh_settings();
    snCharacter* character = flesh_character(model, settings, SN_SKIN_AUTO);
    uint32_t count = model->binding->lattice->particle_count;
    snVec4* before = malloc(count * sizeof *before);
    for (uint32_t f = 0; f < 40; f++) {
        float time = 1.0f + 0.02f * (float)f;
        assert_ok(sn_character_pose_clip(character, 0, time, SN_WRAP_LOOP));
        memcpy(before, sn_character_particles(character), count * sizeof *before);
        settings->step = f % 2 == 0 ? 1.0f / 90.0f : 1.0f / 60.0f;
        settings->gravity.x = (float)(f % 7);
        settings->damping = 10.0f + (float)f;
        if (f == 20) edit_colliders(settings);
        settings->self_contact = f > 30;
        assert_ok(sn_character_update_settings(character, settings, NULL));
        assert_ok(sn_character_pose_clip(character, 0, time, SN_WRAP_LOOP));
        float most = 0.0f;
        for (uint32_t p = 0; p < count; p++) {
            const snVec4* now = &sn_character_particles(character)[p];
            snVec3 way = sn_vec3(now->x - before[p].x, now->y - before[p].y, now->z - before[p].z);
            most = sn_maxf(most, sn_length(way));
        }
        assert_true(most < 0.05f);
    }
    assert_int_equal(sn_character_report(character).resets, 0);
    free(before);
    sn_character_destroy(character);
    sn_settings_destroy(settings);
    sn_model_destroy(model);
}

// A material of the character's own stays its own until the settings say something new of it.
static void own_material_follows_the_settings(void** state) {
    (void)state;
    snModel* model = small_body();
    snSettings* settings = flesh_settings();
    snCharacter* character = flesh_character(model, settings, SN_SKIN_AUTO);
    snFleshMaterial* own = sn_character_material(character);
    own->deltas[0] = 0.123f;
    settings->gravity.x = 1.0f;
    assert_ok(sn_character_update_settings(character, settings, NULL));
    assert_ptr_equal(sn_character_material(character), own);
    assert_true(own->deltas[0] == 0.123f);
    settings->delta = 0.5f;
    assert_ok(sn_character_update_settings(character, settings, NULL));
    assert_true(own->deltas[0] != 0.123f);
    snCharacter* anew = flesh_character(model, settings, SN_SKIN_AUTO);
    assert_true(play(character) == play(anew));
    settings->flesh = false;
    assert_ok(sn_character_update_settings(character, settings, NULL));
    assert_null(sn_character_material(character));
    sn_character_destroy(anew);
    sn_character_destroy(character);
    sn_settings_destroy(settings);
    sn_model_destroy(model);
}

// Every allocation of a change fails in turn; the character goes on as one that was never asked.
static void failed_changes_change_nothing(void** state) {
    (void)state;
    snModel* model = flesh_tube(8);
    limb = other_limb = bone = "Bone2";
    for (int b = 0; b < BASE_COUNT; b++) {
        snSettings *base = base_settings(b), *edited = base_settings((b + 1) % BASE_COUNT);
        edit_rules(edited);
        edit_colliders(edited);
        for (int from = 0; from < 2; from++) {
            TestAllocator memory = {UINT64_MAX, 0, 0};
            snAllocator allocator = test_allocator(&memory);
            snCharacterDef def = sn_character_def();
            def.model = model;
            def.settings = base;
            snCharacter *character = NULL, *twin = flesh_character(model, base, SN_SKIN_AUTO);
            assert_ok(sn_character_create(&def, &allocator, &character, NULL));
            snSettings* to = copy_of(from == 0 ? edited : base);
            if (from == 1) edit_texel(to);
            if (from == 1 && b == BASE_EXACT) edit_volume_rules(to);
            if (from == 1) edit_rules(to);
            snResult result = SN_RESULT_OUT_OF_MEMORY;
            uint64_t held = memory.held;
            for (uint64_t n = 0; result != SN_RESULT_OK; n++) {
                memory.fail_at = memory.calls + n;
                result = sn_character_update_settings(character, to, NULL);
                memory.fail_at = UINT64_MAX;
                if (result == SN_RESULT_OK) break;
                assert_int_equal(result, SN_RESULT_OUT_OF_MEMORY);
                assert_int_equal(memory.held, held);
                if (n % 16 != 0) continue;
                assert_ok(sn_character_pose_clip(character, 0, 0.01f * (float)n, SN_WRAP_LOOP));
                assert_ok(sn_character_pose_clip(twin, 0, 0.01f * (float)n, SN_WRAP_LOOP));
                assert_true(sn_character_hash(character) == sn_character_hash(twin));
            }
            snCharacter* anew = flesh_character(model, to, SN_SKIN_AUTO);
            assert_true(play(character) == play(anew));
            sn_character_destroy(anew);
            sn_character_destroy(twin);
            sn_character_destroy(character);
            assert_int_equal(memory.held, 0);
            sn_settings_destroy(to);
        }
        sn_settings_destroy(base);
        sn_settings_destroy(edited);
    }
    sn_model_destroy(model);
    limb = "*Knee", other_limb = "*Elbow", bone = "LeftKnee";
}

static void bad_settings_change_nothing(void** state) {
    (void)state;
    snModel* model = small_body();
    snSettings* settings = base_settings(BASE_SPLINE);
    snCharacter* character = flesh_character(model, settings, SN_SKIN_AUTO);
    uint64_t hash = play(character);
    settings->delta = 7.0f;
    snError error = sn_error_none();
    assert_int_equal(sn_character_update_settings(character, settings, &error), SN_RESULT_BAD_DATA);
    settings->delta = 0.5f;
    snColliderDef nowhere = {(char*)"NoSuchJoint", {0, 0, 0}, {0, 1, 0}, 0.1f};
    assert_ok(sn_settings_set_colliders(settings, &nowhere, 1, NULL));
    assert_int_equal(sn_character_update_settings(character, settings, &error), SN_RESULT_NOT_FOUND);
    assert_ok(sn_settings_set_colliders(settings, NULL, 0, NULL));
    snStyleRule rule = {(char*)"NoSuchJoint", settings->styles[0]->name, 1.0f};
    assert_ok(sn_settings_set_style_rules(settings, &rule, 1, NULL));
    assert_int_equal(sn_character_update_settings(character, settings, &error), SN_RESULT_NOT_FOUND);
    assert_true(play(character) == hash);
    assert_int_equal(sn_character_update_settings(NULL, settings, &error), SN_RESULT_INVALID_ARGUMENT);
    sn_character_destroy(character);
    sn_settings_destroy(settings);
    sn_model_destroy(model);
}

static void those_that_share_cannot_change(void** state) {
    (void)state;
    snModel* model = small_body();
    snSettings* settings = flesh_settings();
    snCharacterDef def = sn_character_def();
    def.model = model;
    def.settings = settings;
    snCharacter *first = NULL, *second = NULL;
    assert_ok(sn_character_create(&def, NULL, &first, NULL));
    def.like = first;
    assert_ok(sn_character_create(&def, NULL, &second, NULL));
    snError error = sn_error_none();
    assert_int_equal(sn_character_update_settings(first, settings, &error), SN_RESULT_UNSUPPORTED);
    assert_int_equal(sn_character_update_settings(second, settings, &error), SN_RESULT_UNSUPPORTED);
    assert_true(error.text[0] != '\0');
    sn_character_destroy(second);
    sn_character_destroy(first);
    def.like = NULL;
    snSceneDef scene_def = {1, &def, {0}};
    snScene* scene = NULL;
    assert_ok(sn_scene_create(&scene_def, NULL, &scene, NULL));
    assert_int_equal(sn_character_update_settings(sn_scene_character(scene, 0), settings, &error),
                     SN_RESULT_UNSUPPORTED);
    sn_scene_destroy(scene);
    sn_settings_destroy(settings);
    sn_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_setting_can_change),
        cmocka_unit_test(every_list_can_change),
        cmocka_unit_test(changes_add_up),
        cmocka_unit_test(flesh_goes_on),
        cmocka_unit_test(flesh_is_not_started_anew),
        cmocka_unit_test(own_material_follows_the_settings),
        cmocka_unit_test(failed_changes_change_nothing),
        cmocka_unit_test(bad_settings_change_nothing),
        cmocka_unit_test(those_that_share_cannot_change),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
