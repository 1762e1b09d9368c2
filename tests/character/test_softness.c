// What flesh is made of without settings, by size and thickness.
#include "flesh_support.h"

typedef struct Made {
    float alpha, damping, delta, scale; // means over the particles
} Made;

static Made made_of(float length, float radius) {
    snTubeDef def = sn_tube_def();
    def.length = length;
    def.radius = radius;
    snModel* model = NULL;
    assert_ok(sn_builtin_tube(&def, NULL, &model, NULL));
    flesh_bind(model, 16);
    snSettings* settings = flesh_settings();
    snCharacter* character = flesh_character(model, settings, SN_SKIN_DUAL);
    const snFleshMaterial* m = sn_character_material(character);
    uint32_t count = model->binding->lattice->particle_count;
    Made made = {.scale = flesh_scale(model)};
    for (uint32_t p = 0; p < count; p++) {
        made.alpha += m->alphas[p] / (float)count;
        made.damping += m->dampings[p] / (float)count;
        made.delta += m->deltas[p] / (float)count;
    }
    sn_character_destroy(character);
    sn_settings_destroy(settings);
    sn_model_destroy(model);
    return made;
}

// Twice as large: root two times as slow.
static void large_bodies_swing_slowly(void** state) {
    (void)state;
    Made one = made_of(2.0f, 0.2f), two = made_of(4.0f, 0.4f);
    assert_near(two.scale / one.scale, 2.0, 1e-4);
    assert_near(two.alpha / one.alpha, 0.5, 1e-4);
    assert_near(two.damping / one.damping, 0.70710678, 1e-4);
    assert_near(two.delta / one.delta, 1.0, 1e-4);
}

// Of the same volume, a barrel is softer than a pole. What is left once size is taken out: alpha times scale.
static void fat_bodies_are_softer_than_lean_ones(void** state) {
    (void)state;
    Made barrel = made_of(2.0f, 0.7f), pole = made_of(8.0f, 0.35f);
    assert_true(barrel.alpha * barrel.scale < 0.5f * pole.alpha * pole.scale);
    assert_true(barrel.delta > pole.delta);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(large_bodies_swing_slowly),
        cmocka_unit_test(fat_bodies_are_softer_than_lean_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
