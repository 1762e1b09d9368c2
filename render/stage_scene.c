// Where the camera of a stage stands: it holds all that a stretch of a clip reaches, or a joint.
#include "stage_state.h"

// Poses looked at to frame a clip. Between them a character moves little compared to the margin.
#define SAMPLES 24

// Pixels from which the driver's own multisampling has to do: four times as many would not fit.
#define LARGE 6000000

// A moment without a past: flesh stays where the skin puts it.
static void pose_still(snStage* stage, uint32_t clip, float time) {
    sn_character_reset(stage->character);
    sn_character_pose_clip(stage->character, clip, time, SN_WRAP_CLAMP);
    sn_character_reset(stage->character);
    stage->moving = false;
}

// How many moments stand for a stretch, and the i-th of them.
static uint32_t count_samples(uint32_t clip, float from, float to) {
    return clip == SN_CLIP_REST || !(to > from) ? 1 : SAMPLES;
}
static float sample_time(uint32_t i, uint32_t samples, float from, float to) {
    return sn_lerpf(from, to, samples > 1 ? (float)i / (float)(samples - 1) : 0);
}

void sn_stage_reach(snStage* stage, uint32_t clip, float from, float to, snExtent* extent) {
    uint32_t samples = stage->character != NULL ? count_samples(clip, from, to) : 1;
    for (uint32_t i = 0; i < samples; i++) {
        if (stage->character != NULL) pose_still(stage, clip, sample_time(i, samples, from, to));
        for (uint32_t p = 0; p < stage->model->part_count; p++) {
            snSurface surface =
                stage->character != NULL ? sn_character_surface(stage->character, p) : stage->def.surfaces[p];
            sn_extent_add(extent, surface.positions, surface.vertex_count);
        }
    }
}

// The same as the camera sees it that goes along.
static snExtent followed_extent(snStage* stage, const snStageSceneDef* def) {
    snExtent extent = sn_extent_empty();
    uint32_t samples = count_samples(def->clip, def->from, def->to);
    for (uint32_t i = 0; i < samples; i++) {
        float time = sample_time(i, samples, def->from, def->to);
        snVec3 back = sn_scale(sn_stage_way_at(stage, def->clip, time), -1.0f);
        pose_still(stage, def->clip, time);
        for (uint32_t p = 0; p < stage->model->part_count; p++) {
            snSurface surface = sn_character_surface(stage->character, p);
            sn_extent_add_moved(&extent, surface.positions, surface.vertex_count, back);
        }
    }
    return extent;
}

// What the frames of surfaces reach, as the camera sees them.
static snExtent frames_extent(const snStage* stage, const snStageSceneDef* def) {
    snExtent extent = sn_extent_empty();
    for (uint32_t i = 0; i < def->frame_count; i++) {
        snVec3 back = sn_scale(sn_stage_way_at(stage, SN_CLIP_REST, (float)i / def->fps), -1.0f);
        snExtent box = sn_extent_of_box(def->frames[i]);
        sn_extent_add_moved(&extent, box.points, SN_EXTENT_DIRECTIONS, back);
    }
    return extent;
}

// Decides whether the camera goes along.
static void choose_way(snStage* stage, const snStageSceneDef* def) {
    sn_stage_way_clear(stage);
    if (def->follow == SN_FOLLOW_OFF) return;
    if (stage->character == NULL && def->frame_count > 0)
        sn_stage_way_find_frames(stage, def->frames, def->frame_count, def->fps);
    if (stage->character != NULL && def->clip != SN_CLIP_REST) {
        snExtent now = sn_extent_empty();
        sn_stage_reach(stage, def->clip, def->from, def->from, &now);
        snVec3 size = sn_sub(now.bounds.max, now.bounds.min);
        sn_stage_way_find(stage, def->clip, def->from, def->to, sn_maxf(size.x, sn_maxf(size.y, size.z)));
    }
    if (!stage->way.travels && def->follow == SN_FOLLOW_AUTO) sn_stage_way_clear(stage);
}

static float lowest_joint(const snStage* stage) {
    const snMat4* world = sn_character_world(stage->character);
    float lowest = INFINITY;
    for (uint32_t j = 0; j < stage->model->skeleton->joint_count; j++) {
        lowest = sn_minf(lowest, sn_mat4_translation(&world[j]).y);
    }
    return lowest;
}

// Characters stand on the ground in their rest pose, and a sword or a hand may go through it: the ground
// stays where it is as long as the joints come down to their rest height now and then.
static float floor_of(snStage* stage, const snStageSceneDef* def, float lowest_point) {
    if (stage->character == NULL || def->clip == SN_CLIP_REST) return lowest_point;
    snExtent rest = sn_extent_empty();
    sn_stage_reach(stage, SN_CLIP_REST, 0, 0, &rest);
    float height = rest.bounds.max.y - rest.bounds.min.y;
    float level = lowest_joint(stage);
    uint32_t near = 0;
    for (uint32_t i = 0; i < SAMPLES; i++) {
        pose_still(stage, def->clip, sample_time(i, SAMPLES, def->from, def->to));
        near += fabsf(lowest_joint(stage) - level) < 0.1f * height;
    }
    return near >= SAMPLES / 4 ? rest.bounds.min.y : lowest_point;
}

// Boxes around the joint in focus, over the stretch; the camera of single pictures stays with the joint, and
// that of a film with the character: it would shake with a hand.
static snExtent focus_extent(snStage* stage, const snStageSceneDef* def, float whole) {
    snExtent extent = sn_extent_empty();
    uint32_t samples = def->film ? count_samples(def->clip, def->from, def->to) : 1;
    for (uint32_t i = 0; i < samples; i++) {
        float time = sample_time(i, samples, def->from, def->to);
        pose_still(stage, def->clip, time);
        snVec3 at = sn_mat4_translation(&sn_character_world(stage->character)[def->focus]);
        if (!def->film && def->follow != SN_FOLLOW_OFF) {
            bool carries = stage->way.count > 0;
            sn_stage_way_clear(stage);
            stage->way.carries = carries;
            stage->way.clip = def->clip;
            stage->way.focus = def->focus;
            stage->way.place = at;
        }
        sn_extent_add_close_up(&extent, sn_sub(at, sn_stage_way_at(stage, def->clip, time)), whole);
    }
    return extent;
}

snStageSceneDef sn_stage_scene_def(void) {
    return (snStageSceneDef){
        .view = {0.0f, 0.0f, 1.0f}, .width = 960, .height = 720, .clip = SN_CLIP_REST, .focus = SN_NONE};
}

snShot sn_stage_scene(snStage* stage, const snStageSceneDef* def) {
    snShot scene = sn_shot();
    scene.width = def->width;
    scene.height = def->height;
    if (def->film || (uint64_t)scene.width * scene.height > LARGE) scene.supersample = 1;
    choose_way(stage, def);
    snExtent extent = sn_extent_empty();
    if (stage->character == NULL && def->frame_count > 0)
        extent = frames_extent(stage, def);
    else if (stage->way.count > 0)
        extent = followed_extent(stage, def);
    else
        sn_stage_reach(stage, def->clip, def->from, def->to, &extent);
    scene.bounds = extent.bounds;
    scene.floor = floor_of(stage, def, extent.bounds.min.y);
    bool close = stage->character != NULL && def->focus < stage->model->skeleton->joint_count;
    if (close) {
        // As large as the character, not as the room it needs.
        snExtent now = sn_extent_empty();
        sn_stage_reach(stage, def->clip, def->from, def->from, &now);
        extent = focus_extent(stage, def, sn_bounds_diagonal(now.bounds));
    }
    snView view = def->view;
    if (def->from_character) view.yaw += sn_stage_facing(stage, def->clip, def->from, def->to);
    scene.camera = sn_camera_frame_extent(view, &extent, (float)scene.width / (float)scene.height);
    return scene;
}
