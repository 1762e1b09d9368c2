// Frames of random poses under random settings: every number that leaves is finite. SINEW_FRAMES says how
// many; make ci-long asks for a million.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sinew/io.h"
#include "support.h"

enum { MOST_MODELS = 12, LIFE = 200 }; // frames of one character

static snModel* models[MOST_MODELS];
static uint32_t model_count;

static void add_model(snModel* model, bool bound) {
    snBindDef def = sn_bind_def();
    def.cells = 12;
    if (bound) assert_ok(sn_model_bind(model, &def, NULL, NULL));
    models[model_count++] = model;
}

static int make_models(void** state) {
    (void)state;
    for (int bound = 0; bound < 2; bound++) {
        snBodyDef body = sn_body_def();
        snTubeDef tube = sn_tube_def();
        snModel* model = NULL;
        body.vertex_target = 1000;
        tube.rings = 12;
        assert_ok(sn_builtin_body(&body, NULL, &model, NULL));
        add_model(model, bound == 1);
        assert_ok(sn_builtin_tube(&tube, NULL, &model, NULL));
        add_model(model, bound == 1);
    }
    // Characters of others, where they are: a robot of one piece, a dragon of seventeen, an open hull.
    static const char* const files[] = {"characters/godot_player.glb", "characters/m2m_dragon.glb",
                                        "characters/godot_enemy.glb"};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        char path[1200];
        snModel* model = NULL;
        snprintf(path, sizeof path, "%s/%s", SINEW_DATA_DIR, files[i]);
        if (sn_model_read(path, NULL, &model, NULL) == SN_RESULT_OK) add_model(model, true);
    }
    return 0;
}

static int free_models(void** state) {
    (void)state;
    for (uint32_t i = 0; i < model_count; i++) sn_model_destroy(models[i]);
    return 0;
}

// One value of the table, anywhere in its range; counts and steps stay where a frame takes no second.
static void change_setting(const snSetting* setting, snSettings* settings, uint32_t* random) {
    char* at = (char*)settings + setting->offset;
    float value = test_random_float(random, setting->min, sn_minf(setting->max, 100.0f));
    uint32_t count = (uint32_t)sn_maxf(sn_minf(value, setting->min + 3.0f), 0.0f), names = 0;
    bool on = test_random(random) % 2 == 0;
    snVec3 vector = {test_random_float(random, -20, 20), test_random_float(random, -20, 20),
                     test_random_float(random, -20, 20)};
    switch (setting->type) {
    case SN_SETTING_BOOL:
        memcpy(at, &on, sizeof on);
        break;
    case SN_SETTING_COUNT:
        memcpy(at, &count, sizeof count);
        break;
    case SN_SETTING_FLOAT:
        memcpy(at, &value, sizeof value);
        break;
    case SN_SETTING_VEC3:
        memcpy(at, &vector, sizeof vector);
        break;
    case SN_SETTING_CHOICE:
        while (setting->names[names] != NULL) names++;
        names = test_random(random) % names;
        memcpy(at, &names, sizeof names);
        break;
    }
}

static snSettings* make_settings(uint32_t* random) {
    snSettings* settings = NULL;
    assert_ok(sn_settings_create(NULL, &settings, NULL));
    uint32_t count = 0, changes = test_random(random) % 10;
    const snSetting* table = sn_setting_table(&count);
    settings->flesh = test_random(random) % 2 == 0;
    for (uint32_t i = 0; i < changes; i++)
        change_setting(&table[test_random(random) % count], settings, random);
    settings->step = sn_maxf(settings->step, 1.0f / 120.0f);
    if (sn_settings_validate(settings, NULL) == SN_RESULT_OK) return settings;
    sn_settings_destroy(settings);
    return NULL;
}

static void expect_finite(const snCharacter* character, const snModel* model, uint64_t frame) {
    for (uint32_t p = 0; p < model->part_count; p++) {
        snSurface surface = sn_character_surface(character, p);
        for (uint32_t v = 0; v < surface.vertex_count; v++)
            if (!sn_vec3_finite(surface.positions[v]) || !sn_vec3_finite(surface.normals[v]))
                fail_msg("frame %llu: vertex %u of part %u is not finite", (unsigned long long)frame, v, p);
    }
}

// A character's life: joints turn any way, and now and then move, grow, or stand still in time. Returns how
// many frames were shown.
static uint64_t live(const snModel* model, snCharacter* character, uint64_t frame, uint32_t* random) {
    uint32_t joints = model->skeleton->joint_count;
    snTrs* locals = malloc(joints * sizeof *locals);
    assert_non_null(locals);
    memcpy(locals, model->skeleton->rest, joints * sizeof *locals);
    uint64_t shown = 0;
    for (uint32_t f = 0; f < LIFE; f++) {
        snTrs* local = &locals[test_random(random) % joints];
        local->rotation = test_random_rotation(random);
        uint32_t kind = test_random(random) % 16;
        if (kind == 0) local->translation.y += test_random_float(random, -1, 1);
        if (kind == 1) local->scale = sn_vec3(1, test_random_float(random, -2, 2), 0.5f);
        if (kind == 2) local->scale = sn_vec3(0, 0, 0);
        if (kind == 3) memcpy(locals, model->skeleton->rest, joints * sizeof *locals);
        float seconds = kind == 4 ? 0.0f : test_random_float(random, 0, 0.05f);
        snResult result = sn_character_advance(character, locals, seconds);
        // Joints that scale each other beyond all measure are refused.
        if (result == SN_RESULT_BAD_DATA) continue;
        assert_ok(result);
        expect_finite(character, model, frame + shown++);
    }
    free(locals);
    return shown;
}

static void random_frames_are_finite(void** state) {
    (void)state;
    const char* wanted = getenv("SINEW_FRAMES");
    uint64_t frames = wanted != NULL ? strtoull(wanted, NULL, 10) : test_rounds(4000);
    uint32_t random = 12345;
    uint64_t done = 0, lives = 0;
    while (done < frames) {
        const snModel* model = models[test_random(&random) % model_count];
        snSettings* settings = make_settings(&random);
        if (settings == NULL) continue;
        snCharacterDef def = sn_character_def();
        def.model = model;
        def.settings = settings;
        snCharacter* character = NULL;
        if (sn_character_create(&def, NULL, &character, NULL) == SN_RESULT_OK) {
            done += live(model, character, done, &random);
            lives++;
        }
        sn_character_destroy(character);
        sn_settings_destroy(settings);
    }
    print_message("%llu frames of %llu characters\n", (unsigned long long)done, (unsigned long long)lives);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_frames_are_finite)};
    return cmocka_run_group_tests(tests, make_models, free_models);
}
