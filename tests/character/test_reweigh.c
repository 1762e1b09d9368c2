// Weights that are painted while a character plays: afterwards it has the bits of one made anew, and its
// flesh has noticed nothing.
#include <math.h>

#include "flesh_support.h"
#include "rigs.h"

enum { BRUSH = 60 };

static snModel* small_body(void) {
    snBodyDef def = sn_body_def();
    def.vertex_target = 1000;
    snModel* model = NULL;
    assert_ok(sn_builtin_body(&def, NULL, &model, NULL));
    flesh_bind(model, 14);
    return model;
}

static snSettings* settings_of(int kind) {
    static const snSkinMethod skins[] = {SN_SKIN_LINEAR,  SN_SKIN_DUAL, SN_SKIN_SPLINE,
                                         SN_SKIN_LATTICE, SN_SKIN_DUAL, SN_SKIN_SPLINE};
    snSettings* settings = flesh_settings();
    settings->skin = skins[kind];
    if (kind == 0 || kind == 4) settings->volume = SN_VOLUME_PARTS_EXACT;
    if (kind == 4) {
        // Folds that grow ask what a joint does at most.
        snVolumeRule rule = {(char*)"*", *sn_volume_preset_find("belly"), 0.8f};
        assert_ok(sn_settings_set_volume_rules(settings, &rule, 1, NULL));
    }
    if (kind == 5) {
        snStyle* style = NULL;
        assert_ok(sn_style_preset("hose", NULL, &style, NULL));
        assert_ok(sn_settings_set_styles(settings, (const snStyle* const*)&style, 1, NULL));
        snStyleRule rule = {(char*)"*", style->name, 1.0f};
        assert_ok(sn_settings_set_style_rules(settings, &rule, 1, NULL));
        sn_style_destroy(style);
    }
    return settings;
}

// Gives some weight of each vertex to a joint; a brush that has been here before gives more.
static void paint(snModel* model, uint32_t first, uint16_t joint, uint32_t* vertices) {
    snWeights* w = &model->parts[0].weights;
    for (uint32_t i = 0; i < BRUSH; i++) {
        uint32_t v = vertices[i] = (first + 3 * i) % w->vertex_count;
        float* weights = w->weights + (size_t)v * w->influences;
        uint16_t* joints = w->joints + (size_t)v * w->influences;
        uint32_t least = 0;
        for (uint32_t k = 0; k < w->influences; k++) {
            weights[k] *= 0.75f;
            if (joints[k] == joint || (weights[k] < weights[least] && joints[least] != joint)) least = k;
        }
        if (joints[least] != joint) weights[least] = 0.0f;
        joints[least] = joint;
        float sum = 0.0f;
        for (uint32_t k = 0; k < w->influences; k++) sum += k != least ? weights[k] : 0.0f;
        weights[least] = 1.0f - sum;
    }
}

static uint64_t play(snCharacter* character) {
    uint64_t hash = SN_HASH_SEED;
    sn_character_reset(character);
    for (int f = 0; f < 2; f++) {
        assert_ok(sn_character_pose_clip(character, 0, 0.1f + (float)f * 0.05f, SN_WRAP_LOOP));
        uint64_t frame = sn_character_hash(character);
        hash = sn_hash_bytes(hash, &frame, sizeof frame);
    }
    return hash;
}

static void bits_of_a_character_made_anew(void** state) {
    (void)state;
    for (int kind = 0; kind < 6; kind++) {
        snModel* model = small_body();
        snSettings* settings = settings_of(kind);
        snCharacter* character = flesh_character(model, settings, SN_SKIN_AUTO);
        uint64_t before = play(character);
        for (uint32_t stroke = 0; stroke < 3; stroke++) {
            uint32_t vertices[BRUSH];
            paint(model, 100 * stroke, (uint16_t)(5 + stroke), vertices);
            assert_ok(sn_character_update_weights(character, 0, vertices, BRUSH, NULL));
            snCharacter* anew = flesh_character(model, settings, SN_SKIN_AUTO);
            uint64_t now = play(character);
            assert_true(now == play(anew));
            if (kind != 3) assert_true(now != before);
            sn_character_destroy(anew);
        }
        sn_character_destroy(character);
        sn_settings_destroy(settings);
        sn_model_destroy(model);
    }
}

static void flesh_notices_nothing(void** state) {
    (void)state;
    snModel *model = small_body(), *other = small_body();
    snSettings* settings = settings_of(1);
    settings->volume = SN_VOLUME_NONE; // that of parts asks what the skin does to the whole
    snCharacter* still = flesh_character(other, settings, SN_SKIN_AUTO);
    snCharacter* painted = flesh_character(model, settings, SN_SKIN_AUTO);
    uint32_t particles = model->binding->lattice->particle_count;
    for (uint32_t f = 0; f < 20; f++) {
        uint32_t vertices[BRUSH];
        paint(model, 7 * f, (uint16_t)(f % 9), vertices);
        assert_ok(sn_character_update_weights(painted, 0, vertices, BRUSH, NULL));
        assert_ok(sn_character_pose_clip(still, 0, 0.03f * (float)f, SN_WRAP_LOOP));
        assert_ok(sn_character_pose_clip(painted, 0, 0.03f * (float)f, SN_WRAP_LOOP));
        assert_memory_equal(sn_character_particles(still), sn_character_particles(painted),
                            particles * sizeof(snVec4));
    }
    assert_int_equal(sn_character_report(painted).resets, 0);
    assert_true(sn_character_hash(still) != sn_character_hash(painted));
    sn_character_destroy(still);
    sn_character_destroy(painted);
    sn_settings_destroy(settings);
    sn_model_destroy(model);
    sn_model_destroy(other);
}

// Copies of a vertex along a seam follow the first of them, until they are painted apart.
static void seams_follow(void** state) {
    (void)state;
    snModel* model = NULL;
    assert_ok(sn_model_create(test_model_def(), NULL, &model, NULL));
    snCharacterDef def = sn_character_def();
    def.model = model;
    snCharacter* character = NULL;
    assert_ok(sn_character_create(&def, NULL, &character, NULL));
    snWeights* w = &model->parts[0].weights;
    for (uint32_t v = 0; v < w->vertex_count; v++) {
        // By a little, which rounding could do, and by a lot, which is meant.
        float shift = v % 2 == 0 ? 0.01f : 0.4f;
        uint32_t heavy = w->weights[2 * (size_t)v] > 0.5f ? 0 : 1;
        w->weights[2 * (size_t)v + heavy] -= shift;
        w->weights[2 * (size_t)v + 1 - heavy] += shift;
        assert_ok(sn_character_update_weights(character, 0, &v, 1, NULL));
        snCharacter* anew = NULL;
        assert_ok(sn_character_create(&def, NULL, &anew, NULL));
        assert_ok(sn_character_pose_clip(character, 0, 0.7f, SN_WRAP_CLAMP));
        assert_ok(sn_character_pose_clip(anew, 0, 0.7f, SN_WRAP_CLAMP));
        assert_true(sn_character_hash(character) == sn_character_hash(anew));
        sn_character_destroy(anew);
    }
    uint32_t any = 0;
    assert_ok(sn_character_update_weights(character, 1, &any, 1, NULL)); // rigid: nothing to weigh
    sn_character_destroy(character);
    sn_model_destroy(model);
}

static void failed_calls_change_nothing(void** state) {
    (void)state;
    for (int kind = 0; kind < 6; kind++) {
        snModel* model = flesh_tube(8);
        snSettings* settings = settings_of(kind);
        TestAllocator memory = {UINT64_MAX, 0, 0};
        snAllocator allocator = test_allocator(&memory);
        snCharacterDef def = sn_character_def();
        def.model = model;
        def.settings = settings;
        snCharacter* character = NULL;
        assert_ok(sn_character_create(&def, &allocator, &character, NULL));
        uint64_t before = play(character), held = memory.held;
        uint32_t vertices[BRUSH];
        paint(model, 100, 1, vertices);
        snResult result = SN_RESULT_OUT_OF_MEMORY;
        for (uint64_t n = 0; result != SN_RESULT_OK; n++) {
            memory.fail_at = memory.calls + n;
            result = sn_character_update_weights(character, 0, vertices, BRUSH, NULL);
            memory.fail_at = UINT64_MAX;
            if (result == SN_RESULT_OK) break;
            assert_int_equal(result, SN_RESULT_OUT_OF_MEMORY);
            assert_int_equal(memory.held, held);
            if (n % 16 == 0) assert_true(play(character) == before);
        }
        snCharacter* anew = flesh_character(model, settings, SN_SKIN_AUTO);
        assert_true(play(character) == play(anew));
        sn_character_destroy(anew);
        sn_character_destroy(character);
        assert_int_equal(memory.held, 0);
        sn_settings_destroy(settings);
        sn_model_destroy(model);
    }
}

// Particles that were given other weights, in every skin, and without memory.
static void particles_are_reweighed(void** state) {
    (void)state;
    for (int kind = 0; kind < 6; kind++) {
        snModel* model = flesh_tube(8);
        snSettings* settings = settings_of(kind);
        settings->self_contact = true;
        TestAllocator memory = {UINT64_MAX, 0, 0};
        snAllocator allocator = test_allocator(&memory);
        snCharacterDef def = sn_character_def();
        def.model = model;
        def.settings = settings;
        snCharacter* character = NULL;
        assert_ok(sn_character_create(&def, &allocator, &character, NULL));
        uint64_t before = play(character), held = memory.held;
        snWeights* w = &model->binding->particles;
        for (uint32_t p = 0; p < w->vertex_count / 3; p++)
            for (uint32_t i = 0; i < w->influences; i++) {
                w->joints[(size_t)p * w->influences + i] = i == 0 ? 1 : 0;
                w->weights[(size_t)p * w->influences + i] = i == 0 ? 0.75f : i == 1 ? 0.25f : 0.0f;
            }
        assert_ok(sn_binding_set_parts(model->binding, NULL, NULL, NULL));
        snResult result = SN_RESULT_OUT_OF_MEMORY;
        for (uint64_t n = 0; result != SN_RESULT_OK; n++) {
            memory.fail_at = memory.calls + n;
            result = sn_character_update_particle_weights(character, NULL);
            memory.fail_at = UINT64_MAX;
            if (result == SN_RESULT_OK) break;
            assert_int_equal(result, SN_RESULT_OUT_OF_MEMORY);
            assert_int_equal(memory.held, held);
        }
        snCharacter* anew = flesh_character(model, settings, SN_SKIN_AUTO);
        uint64_t now = play(character);
        assert_true(now == play(anew) && now != before);
        w->weights[0] = NAN;
        assert_int_equal(sn_character_update_particle_weights(character, NULL), SN_RESULT_BAD_DATA);
        sn_character_destroy(anew);
        sn_character_destroy(character);
        assert_int_equal(memory.held, 0);
        sn_settings_destroy(settings);
        sn_model_destroy(model);
    }
}

static void bad_calls_are_refused(void** state) {
    (void)state;
    snModel* model = small_body();
    snCharacter* character = flesh_character(model, NULL, SN_SKIN_AUTO);
    uint64_t before = play(character);
    snWeights* w = &model->parts[0].weights;
    uint32_t vertex = w->vertex_count;
    snError error = sn_error_none();
    assert_int_equal(sn_character_update_weights(character, 0, &vertex, 1, &error),
                     SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(error.vertex, vertex);
    vertex = 3;
    assert_int_equal(sn_character_update_weights(character, 9, &vertex, 1, &error),
                     SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_character_update_weights(character, 0, NULL, 1, &error), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_character_update_weights(NULL, 0, &vertex, 1, &error), SN_RESULT_INVALID_ARGUMENT);
    assert_ok(sn_character_update_weights(character, 0, NULL, 0, &error));
    size_t at = (size_t)vertex * w->influences;
    uint16_t joint = w->joints[at];
    float weight = w->weights[at];
    w->joints[at] = 999;
    assert_int_equal(sn_character_update_weights(character, 0, &vertex, 1, &error), SN_RESULT_BAD_DATA);
    assert_int_equal(error.vertex, vertex);
    w->joints[at] = joint;
    w->weights[at] = -1.0f;
    assert_int_equal(sn_character_update_weights(character, 0, &vertex, 1, &error), SN_RESULT_BAD_DATA);
    w->weights[at] = weight;
    w->influences--;
    assert_int_equal(sn_character_update_weights(character, 0, &vertex, 1, &error),
                     SN_RESULT_INVALID_ARGUMENT);
    w->influences++;
    assert_true(play(character) == before);
    sn_character_destroy(character);
    sn_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bits_of_a_character_made_anew),
        cmocka_unit_test(flesh_notices_nothing),
        cmocka_unit_test(seams_follow),
        cmocka_unit_test(failed_calls_change_nothing),
        cmocka_unit_test(particles_are_reweighed),
        cmocka_unit_test(bad_calls_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
