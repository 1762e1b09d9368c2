// Volume of parts does not put the whole further off than the plain skin has it.
#include <math.h>

#include "flesh_support.h"
#include "sinew/shape.h"

// A hundredth of the volume that a skin loses nearly nothing of may go either way: particles are coarse.
#define NEAR 0.01

static double furthest_off(const snModel* model, uint32_t clip, snSkinMethod skin, snVolumeMethod volume) {
    snSettings* settings = flesh_settings();
    settings->flesh = false;
    settings->volume = volume;
    snCharacter* character = flesh_character(model, settings, skin);
    const snMesh* mesh = model->parts[0].mesh;
    double most = 0.0, rest = sn_mesh_volume(mesh, mesh->positions);
    for (float t = 0.0f; t < model->clips[clip]->duration; t += 0.05f) {
        assert_ok(sn_character_pose_clip(character, clip, t, SN_WRAP_CLAMP));
        double now = sn_mesh_volume(mesh, sn_character_surface(character, 0).positions);
        most = fmax(most, fabs(now / rest - 1.0));
    }
    sn_character_destroy(character);
    sn_settings_destroy(settings);
    return most;
}

static void the_whole_is_no_further_off(void** state) {
    (void)state;
    snBodyDef def = sn_body_def();
    def.vertex_target = 12000;
    snModel* model = NULL;
    assert_ok(sn_builtin_body(&def, NULL, &model, NULL));
    flesh_bind(model, 0);
    for (uint32_t clip = 0; clip < model->clip_count; clip++)
        for (int skin = SN_SKIN_LINEAR; skin <= SN_SKIN_DUAL; skin++) {
            double plain = furthest_off(model, clip, (snSkinMethod)skin, SN_VOLUME_NONE),
                   parts = furthest_off(model, clip, (snSkinMethod)skin, SN_VOLUME_PARTS);
            print_message("%s, skin %d: %.4f plain, %.4f with parts\n", model->clips[clip]->name, skin, plain,
                          parts);
            assert_true(parts <= fmax(plain, NEAR));
        }
    sn_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_whole_is_no_further_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
