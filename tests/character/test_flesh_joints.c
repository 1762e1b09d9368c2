// Flesh may lag behind a twist; it does not collapse a joint.
#include <math.h>

#include "flesh_support.h"
#include "sinew/shape.h"

#define SECTIONS 17
#define STEP 0.01f // metres from one to the next

typedef struct Joint {
    const char* name;  // at whose place sections are taken
    const char* above; // whose bone leads there
} Joint;
static const Joint JOINTS[] = {{"LeftHand", "LeftLowerArm"},     {"LeftLowerArm", "LeftUpperArm"},
                               {"RightHand", "RightLowerArm"},   {"RightLowerArm", "RightUpperArm"},
                               {"LeftLowerLeg", "LeftUpperLeg"}, {"RightLowerLeg", "RightUpperLeg"}};
#define JOINT_COUNT (sizeof JOINTS / sizeof JOINTS[0])

static snVec3 place_of(const snModel* model, const char* name) {
    for (uint32_t j = 0; j < model->binding->joint_count; j++)
        if (strcmp(model->skeleton->names[model->binding->joints[j]], name) == 0)
            return sn_mat4_translation(&model->binding->binds[j]);
    fail_msg("there is no %s", name);
    return sn_vec3(0, 0, 0);
}

typedef struct Limbs {
    snSection* sections[JOINT_COUNT][SECTIONS];
} Limbs;

static void cut(const snModel* model, Limbs* out) {
    const snPart* part = &model->parts[0];
    for (size_t j = 0; j < JOINT_COUNT; j++) {
        snVec3 at = place_of(model, JOINTS[j].name), from = place_of(model, JOINTS[j].above);
        snVec3 along = sn_normalize_or(sn_sub(at, from), sn_vec3(0, 1, 0));
        for (int i = 0; i < SECTIONS; i++) {
            snVec3 point = sn_add(at, sn_scale(along, STEP * (float)(i - SECTIONS / 2)));
            assert_ok(
                sn_section_create(part->mesh, part->weld, point, along, NULL, &out->sections[j][i], NULL));
        }
    }
}

// The least share that flesh leaves of any section around a joint, of that without flesh in the same frame.
static double least_share(const snModel* model, const Limbs* limbs, uint32_t clip,
                          const snSettings* settings) {
    snCharacter* flesh = flesh_character(model, settings, SN_SKIN_DUAL);
    snCharacter* still = flesh_stiff(model, settings, SN_SKIN_DUAL);
    double least = 1.0;
    for (float t = 0.0f; t < model->clips[clip]->duration; t += 1.0f / 30.0f) {
        assert_ok(sn_character_pose_clip(flesh, clip, t, SN_WRAP_CLAMP));
        assert_ok(sn_character_pose_clip(still, clip, t, SN_WRAP_CLAMP));
        const snVec3 *a = sn_character_surface(flesh, 0).positions,
                     *b = sn_character_surface(still, 0).positions;
        for (size_t j = 0; j < JOINT_COUNT; j++) {
            double now = INFINITY, then = INFINITY;
            for (int i = 0; i < SECTIONS; i++) {
                const snMesh* mesh = model->parts[0].mesh;
                double rest = sn_section_area(limbs->sections[j][i], mesh, NULL);
                double with = sn_section_area(limbs->sections[j][i], mesh, a) / rest;
                double without = sn_section_area(limbs->sections[j][i], mesh, b) / rest;
                now = with < now ? with : now;
                then = without < then ? without : then;
            }
            least = now / then < least ? now / then : least;
        }
    }
    sn_character_destroy(flesh);
    sn_character_destroy(still);
    return least;
}

static void flesh_does_not_collapse_joints(void** state) {
    (void)state;
    snModel* model = flesh_body(0);
    snSettings* settings = flesh_settings();
    Limbs limbs;
    cut(model, &limbs);
    for (uint32_t clip = 0; clip < model->clip_count; clip++) {
        double share = least_share(model, &limbs, clip, settings);
        assert_true(share >= 0.95);
    }
    for (size_t j = 0; j < JOINT_COUNT; j++)
        for (int i = 0; i < SECTIONS; i++) sn_section_destroy(limbs.sections[j][i]);
    sn_settings_destroy(settings);
    sn_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flesh_does_not_collapse_joints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
