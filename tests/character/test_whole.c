// Volume of parts does not put the whole further off than the plain skin has it, in any frame of a clip.
#include <math.h>

#include "flesh_support.h"
#include "sinew/shape.h"

// What the whole is measured by is a net of its vertices, which is off by as much where joints bend.
#define COARSE 0.005
// A hundredth of the volume that a skin loses nearly nothing of may go either way: particles are coarse.
#define NEAR 0.01

// How far off its volume the whole is with the plain skin and with volume of parts, and how much further with
// these than with that; each in the frame where it is most.
typedef struct Off {
    double plain, parts, beyond;
} Off;

static Off most_off(const snModel* model, uint32_t clip, snSkinMethod skin) {
    snSettings* settings = flesh_settings();
    settings->flesh = false;
    settings->volume = SN_VOLUME_NONE;
    snCharacter* plain = flesh_character(model, settings, skin);
    settings->volume = SN_VOLUME_PARTS;
    snCharacter* parts = flesh_character(model, settings, skin);
    const snMesh* mesh = model->parts[0].mesh;
    double rest = sn_mesh_volume(mesh, mesh->positions);
    Off most = {0};
    for (float t = 0.0f; t < model->clips[clip]->duration; t += 0.05f) {
        assert_ok(sn_character_pose_clip(plain, clip, t, SN_WRAP_CLAMP));
        assert_ok(sn_character_pose_clip(parts, clip, t, SN_WRAP_CLAMP));
        double before = fabs(sn_mesh_volume(mesh, sn_character_surface(plain, 0).positions) / rest - 1.0);
        double after = fabs(sn_mesh_volume(mesh, sn_character_surface(parts, 0).positions) / rest - 1.0);
        most.plain = fmax(most.plain, before);
        most.parts = fmax(most.parts, after);
        most.beyond = fmax(most.beyond, after - before);
    }
    sn_character_destroy(plain);
    sn_character_destroy(parts);
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
            Off most = most_off(model, clip, (snSkinMethod)skin);
            print_message("%s, skin %d: %.5f plain, %.5f with parts, %.5f beyond\n", model->clips[clip]->name,
                          skin, most.plain, most.parts, most.beyond);
            assert_true(most.parts <= fmax(most.plain, NEAR));
            assert_true(most.beyond <= COARSE);
        }
    sn_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_whole_is_no_further_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
