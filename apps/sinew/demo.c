#include "demo.h"

#include <string.h>

const cliDemoScene cli_demo_scenes[CLI_DEMO_SCENES] = {
    {"walk", "walk", 0.22f, 3, "35,8", NULL, NULL, 0},
    {"jump", "jump", 0.50f, 1, "35,8", NULL, NULL, 0},
    {"bend", "bend 130\xC2\xB0", 0.50f, 1, "20,30", "LeftUpperArm", "LeftHand", 0.14f},
    {"twist", "twist 180\xC2\xB0", 0.50f, 1, "10,20", "LeftLowerArm", "LeftHand", 0.13f},
};

cliExit demo_open(cliDemo* demo, cliSession* session, snRenderer* renderer, const snModel* model) {
    *demo = (cliDemo){.session = session, .model = model};
    cliExit code = stage_open(&demo->linear, session, renderer, model, SN_SKIN_LINEAR);
    if (code == CLI_DONE) code = stage_open(&demo->dual, session, renderer, model, SN_SKIN_DUAL);
    if (code == CLI_DONE) demo->rest = stage_bounds(&demo->linear, SN_NONE, 0, 0);
    return code;
}

void demo_close(cliDemo* demo) {
    stage_close(&demo->linear);
    stage_close(&demo->dual);
}

uint32_t demo_clip(const cliDemo* demo, const cliDemoScene* scene) {
    return sn_model_find_clip(demo->model, scene->clip);
}

// Where the joints of a close-up are at rest and where the clip takes them.
static snBounds joint_bounds(cliDemo* demo, const cliDemoScene* scene, uint32_t clip) {
    snBounds bounds = sn_bounds_empty();
    uint32_t ends[2] = {sn_skeleton_find(demo->model->skeleton, scene->joint),
                        sn_skeleton_find(demo->model->skeleton, scene->end)};
    for (int pose = 0; pose < 2; pose++) {
        float time = scene->moment * demo->model->clips[clip]->duration;
        sn_character_pose_clip(demo->linear.character, pose == 0 ? SN_NONE : clip, time, SN_WRAP_CLAMP);
        const snMat4* world = sn_character_world(demo->linear.character);
        for (int i = 0; i < 2; i++) bounds = sn_bounds_add(bounds, sn_mat4_translation(&world[ends[i]]));
    }
    snVec3 pad = {scene->pad, scene->pad, scene->pad};
    return (snBounds){sn_sub(bounds.min, pad), sn_add(bounds.max, pad)};
}

snScene demo_frame(cliDemo* demo, const cliDemoScene* scene, uint32_t width, uint32_t height) {
    uint32_t clip = demo_clip(demo, scene);
    snScene frame = sn_scene();
    frame.width = width;
    frame.height = height;
    frame.bounds = demo->rest;
    snBounds shown = demo->rest;
    if (scene->joint != NULL) {
        shown = joint_bounds(demo, scene, clip);
    } else {
        snBounds clip_bounds = stage_bounds(&demo->linear, clip, 0, demo->model->clips[clip]->duration);
        shown = sn_bounds_add(sn_bounds_add(shown, clip_bounds.min), clip_bounds.max);
    }
    snView view;
    sn_view_parse(scene->view, &view);
    frame.camera = sn_camera_frame(view, shown, (float)width / (float)height);
    return frame;
}
