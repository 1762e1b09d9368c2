#include "demo.h"

#include "base/error.h"
#include "base/memory.h"

const snDemoScene sn_demo_scenes[SN_DEMO_SCENES] = {
    {"walk", "walk", 0.22f, 3, "35,8", NULL, 0},
    {"jump", "jump", 0.50f, 1, "35,8", NULL, 0},
    {"bend", "bend 130\xC2\xB0", 0.50f, 1, "150,22", "LeftLowerArm", 0.15f},
    {"twist", "twist 180\xC2\xB0", 0.50f, 1, "10,20", "LeftHand", 0.16f},
};

const char* const sn_demo_stage_labels[SN_DEMO_STAGES] = {
    "linear", "lattice", "lattice + volume", "dual quaternion", "dual + volume", "dual + volume + flesh"};
static const struct {
    snSkinMethod skin;
    snVolumeMethod volume;
    bool flesh;
} ways[SN_DEMO_STAGES] = {{SN_SKIN_LINEAR, SN_VOLUME_NONE, false},   {SN_SKIN_LATTICE, SN_VOLUME_NONE, false},
                          {SN_SKIN_LATTICE, SN_VOLUME_PARTS, false}, {SN_SKIN_DUAL, SN_VOLUME_NONE, false},
                          {SN_SKIN_DUAL, SN_VOLUME_PARTS, false},    {SN_SKIN_DUAL, SN_VOLUME_PARTS, true}};

static snResult make_stage(snDemo* demo, const snDemoDef* def, int way, snError* error) {
    snSettings* settings = NULL;
    SNI_TRY(sn_settings_create(&demo->allocator, &settings, error));
    settings->skin = ways[way].skin;
    settings->volume = ways[way].volume;
    settings->flesh = ways[way].flesh;
    snStageDef stage = sn_stage_def();
    stage.renderer = def->renderer;
    stage.model = def->model;
    stage.settings = settings;
    stage.tasks = def->tasks;
    stage.level = def->level;
    snResult result = sn_stage_create(&stage, &demo->allocator, &demo->stages[way], error);
    if (result == SN_RESULT_OK) sn_stage_set_wrap(demo->stages[way], SN_WRAP_LOOP);
    sn_settings_destroy(settings);
    return result;
}

snResult sn_demo_open(snDemo* demo, const snDemoDef* def, const snAllocator* allocator, snError* error) {
    *demo = (snDemo){.model = def->model, .rest = sn_extent_empty(), .allocator = sni_allocator(allocator)};
    for (int i = 0; i < SN_DEMO_STAGES; i++) SNI_TRY(make_stage(demo, def, i, error));
    sn_stage_reach(demo->stages[SN_DEMO_LINEAR], SN_CLIP_REST, 0, 0, &demo->rest);
    return SN_RESULT_OK;
}

void sn_demo_close(snDemo* demo) {
    for (int i = 0; i < SN_DEMO_STAGES; i++) sn_stage_destroy(demo->stages[i]);
}

uint32_t sn_demo_clip(const snDemo* demo, const snDemoScene* scene) {
    return sn_model_find_clip(demo->model, scene->clip);
}

// A box around the joint where the sheet stops the clip.
static snExtent joint_extent(snDemo* demo, const snDemoScene* scene, uint32_t clip) {
    uint32_t joint = sn_skeleton_find(demo->model->skeleton, scene->joint);
    float time = scene->moment * demo->model->clips[clip]->duration;
    snCharacter* character = sn_stage_character(demo->stages[SN_DEMO_LINEAR]);
    sn_character_pose_clip(character, clip, time, SN_WRAP_CLAMP);
    snVec3 at = sn_mat4_translation(&sn_character_world(character)[joint]);
    snVec3 reach = {scene->reach, scene->reach, scene->reach};
    return sn_extent_of_box((snBounds){sn_sub(at, reach), sn_add(at, reach)});
}

snShot sn_demo_frame(snDemo* demo, const snDemoScene* scene, bool with_rest, uint32_t width,
                     uint32_t height) {
    uint32_t clip = sn_demo_clip(demo, scene);
    snShot frame = sn_shot();
    frame.width = width;
    frame.height = height;
    frame.bounds = demo->rest.bounds;
    snExtent shown = with_rest ? demo->rest : sn_extent_empty();
    if (scene->joint != NULL) {
        shown = joint_extent(demo, scene, clip);
    } else {
        sn_stage_reach(demo->stages[SN_DEMO_LINEAR], clip, 0, demo->model->clips[clip]->duration, &shown);
    }
    snView view;
    sn_view_parse(scene->view, &view);
    frame.camera = sn_camera_frame_extent(view, &shown, (float)width / (float)height);
    return frame;
}
