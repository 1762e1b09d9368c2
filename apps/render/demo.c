#include "demo.h"

#include <string.h>

#include "deformation.h"

const cliDemoScene cli_demo_scenes[CLI_DEMO_SCENES] = {
    {"walk", "walk", 0.22f, 3, "35,8", NULL, 0},
    {"jump", "jump", 0.50f, 1, "35,8", NULL, 0},
    {"bend", "bend 130\xC2\xB0", 0.50f, 1, "150,22", "LeftLowerArm", 0.15f},
    {"twist", "twist 180\xC2\xB0", 0.50f, 1, "10,20", "LeftHand", 0.16f},
};

const char* const cli_demo_stage_labels[CLI_DEMO_STAGES] = {
    "linear", "lattice", "lattice + volume", "dual quaternion", "dual + volume", "dual + volume + flesh"};
static const struct {
    snSkinMethod skin;
    snVolumeMethod volume;
    bool flesh;
} ways[CLI_DEMO_STAGES] = {
    {SN_SKIN_LINEAR, SN_VOLUME_NONE, false},   {SN_SKIN_LATTICE, SN_VOLUME_NONE, false},
    {SN_SKIN_LATTICE, SN_VOLUME_PARTS, false}, {SN_SKIN_DUAL, SN_VOLUME_NONE, false},
    {SN_SKIN_DUAL, SN_VOLUME_PARTS, false},    {SN_SKIN_DUAL, SN_VOLUME_PARTS, true}};

cliExit demo_open(cliDemo* demo, cliContext* context, snRenderer* renderer, const snModel* model) {
    *demo = (cliDemo){.context = context, .model = model, .rest = sn_extent_empty()};
    cliExit code = CLI_DONE;
    for (int i = 0; i < CLI_DEMO_STAGES && code == CLI_DONE; i++) {
        snSettings* settings = NULL;
        code = deformation_plain(context, ways[i].skin, &settings);
        if (code == CLI_DONE) settings->volume = ways[i].volume;
        if (code == CLI_DONE) settings->flesh = ways[i].flesh;
        if (code == CLI_DONE) code = picture_stage(context, renderer, model, settings, &demo->stages[i]);
        if (code == CLI_DONE) sn_stage_set_wrap(demo->stages[i], SN_WRAP_LOOP);
        sn_settings_destroy(settings);
    }
    if (code == CLI_DONE) sn_stage_reach(demo->stages[CLI_DEMO_LINEAR], SN_CLIP_REST, 0, 0, &demo->rest);
    return code;
}

void demo_close(cliDemo* demo) {
    for (int i = 0; i < CLI_DEMO_STAGES; i++) sn_stage_destroy(demo->stages[i]);
}

uint32_t demo_clip(const cliDemo* demo, const cliDemoScene* scene) {
    return sn_model_find_clip(demo->model, scene->clip);
}

// A box around the joint where the sheet stops the clip.
static snExtent joint_extent(cliDemo* demo, const cliDemoScene* scene, uint32_t clip) {
    uint32_t joint = sn_skeleton_find(demo->model->skeleton, scene->joint);
    float time = scene->moment * demo->model->clips[clip]->duration;
    snCharacter* character = sn_stage_character(demo->stages[CLI_DEMO_LINEAR]);
    sn_character_pose_clip(character, clip, time, SN_WRAP_CLAMP);
    snVec3 at = sn_mat4_translation(&sn_character_world(character)[joint]);
    snVec3 reach = {scene->reach, scene->reach, scene->reach};
    return sn_extent_of_box((snBounds){sn_sub(at, reach), sn_add(at, reach)});
}

snShot demo_frame(cliDemo* demo, const cliDemoScene* scene, bool with_rest, uint32_t width, uint32_t height) {
    uint32_t clip = demo_clip(demo, scene);
    snShot frame = sn_shot();
    frame.width = width;
    frame.height = height;
    frame.bounds = demo->rest.bounds;
    snExtent shown = with_rest ? demo->rest : sn_extent_empty();
    if (scene->joint != NULL) {
        shown = joint_extent(demo, scene, clip);
    } else {
        sn_stage_reach(demo->stages[CLI_DEMO_LINEAR], clip, 0, demo->model->clips[clip]->duration, &shown);
    }
    snView view;
    sn_view_parse(scene->view, &view);
    frame.camera = sn_camera_frame_extent(view, &shown, (float)width / (float)height);
    return frame;
}
