// A tube that bends like an elbow: the plain skin loses volume, exact volume gives all of it back, and a
// profile says where: close around the joint, or as a muscle on the inside of the bend.
#include <math.h>
#include <sinew/sinew.h>
#include <stdio.h>

#define BEND 1.75f // radians, 100 degrees

// The choices of one row: without a profile the volume is left as the skin makes it.
static snSettings* choose(const char* profile) {
    snSettings* settings = NULL;
    if (sn_settings_create(NULL, &settings, NULL) != SN_RESULT_OK) return NULL;
    settings->volume = profile != NULL ? SN_VOLUME_EXACT : SN_VOLUME_NONE;
    if (profile == NULL) return settings;
    // The rule names a joint, so it fits any character that has one of that name: "*Elbow" of any body.
    char joint[] = "Bone2";
    snVolumeRule rule = {.joint = joint, .profile = *sn_volume_preset_find(profile), .amount = 1.0f};
    if (sn_settings_set_volume_rules(settings, &rule, 1, NULL) == SN_RESULT_OK) return settings;
    sn_settings_destroy(settings);
    return NULL;
}

// Bends the second joint and returns the volume of the skin in cubic metres; below 0 when it went wrong.
// `moved` is how far the correction pushed the skin, in metres.
static double bend(const snModel* model, const char* profile, double* moved) {
    snCharacterDef def = sn_character_def();
    snCharacter* character = NULL;
    snSettings* settings = choose(profile);
    double volume = -1.0;
    def.model = model;
    def.settings = settings;
    if (settings != NULL && sn_character_create(&def, NULL, &character, NULL) == SN_RESULT_OK) {
        uint32_t joint = sn_skeleton_find(model->skeleton, "Bone2");
        snTrs pose[2] = {model->skeleton->rest[0], model->skeleton->rest[1]};
        pose[joint].rotation = sn_quat_axis_angle(sn_vec3(0.0f, 0.0f, -1.0f), BEND);
        if (sn_character_pose_locals(character, pose) == SN_RESULT_OK) {
            volume = sn_mesh_volume(model->parts[0].mesh, sn_character_surface(character, 0).positions);
            const snVolumeJointState* joints = sn_character_volume_joints(character);
            *moved = joints != NULL ? (double)joints[joint].moved : 0.0;
        }
    }
    sn_character_destroy(character);
    sn_settings_destroy(settings);
    return volume;
}

int main(void) {
    static const char* const profiles[] = {NULL, "isotropic", "rubber", "muscle"};
    snTubeDef tube = sn_tube_def();
    tube.length = 2.0f;
    tube.radius = 0.22f;
    tube.segments = 2;
    tube.rings = 96;
    snModel* model = NULL;
    if (sn_builtin_tube(&tube, NULL, &model, NULL) != SN_RESULT_OK) return 1;
    const snMesh* mesh = model->parts[0].mesh;
    double rest = sn_mesh_volume(mesh, mesh->positions);
    printf("%-12s %9.4f l\n", "at rest", 1e3 * rest);
    int failed = 0;
    for (int i = 0; i < 4 && !failed; i++) {
        double moved = 0.0, volume = bend(model, profiles[i], &moved);
        printf("%-12s %9.4f l  %+.6f %%  moves up to %5.1f mm\n", i == 0 ? "plain skin" : profiles[i],
               1e3 * volume, 100.0 * (volume / rest - 1.0), 1e3 * moved);
        // The skin alone loses some; all profiles end at the volume at rest.
        failed = i == 0 ? !(volume < 0.99 * rest) : !(fabs(volume / rest - 1.0) < 1e-6);
    }
    sn_model_destroy(model);
    return failed;
}
