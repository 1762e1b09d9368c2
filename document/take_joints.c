// Takes as helper joints: frames, and the moments half way between them, for the bake.
#include "take.h"

typedef struct Frames {
    snTake* take;
    snError* error;
    snProgress progress; // of the take; the bake tells it meanwhile, how far all is
} Frames;

// Twice as many moments as the take has frames; a source of one's own has none between.
static snResult joint_frame(void* user, uint32_t i, snSurface* out) {
    const Frames* frames = user;
    snTake* take = frames->take;
    bool between = take->character != NULL;
    uint32_t frame = between ? i / 2 : i;
    snResult result = SN_RESULT_OK;
    if (between && i % 2 != 0) {
        snWrap wrap = take->def.loop ? SN_WRAP_LOOP : SN_WRAP_CLAMP;
        float time = sni_take_time(take, frame) + 0.5f / take->report.fps;
        result = sn_character_pose_clip(take->character, take->def.clip, time, wrap);
    } else {
        result = sn_take_pose(take, frame, frames->error);
    }
    for (uint32_t p = 0; p < take->document->state.body.model->part_count; p++)
        out[p] = sn_take_surface(take, p);
    return result;
}

static void fill_clip(const snTake* take, uint32_t clip, Frames* frames, snBakeClip* out) {
    *out = (snBakeClip){.clip = clip,
                        .fps = take->report.fps,
                        .frame_count = take->report.frames,
                        .frames = joint_frame,
                        .user = frames,
                        .middles = take->character != NULL};
}

snResult sni_takes_bake_joints(snTake* const* takes, uint32_t count, const snTakeWriteDef* def,
                               const snModel* model, const uint32_t* clips, snError* error) {
    snTake* first = takes[0];
    const snDocumentDef* document = &first->document->def;
    snBakeClip* list = SNI_NEW_ARRAY(&first->allocator, snBakeClip, count);
    Frames* frames = SNI_NEW_ARRAY(&first->allocator, Frames, count);
    snResult result = list != NULL && frames != NULL ? SN_RESULT_OK : sni_fail_memory(error);
    for (uint32_t i = 0; i < count && result == SN_RESULT_OK; i++) {
        frames[i] = (Frames){takes[i], error, takes[i]->def.progress};
        takes[i]->def.progress = (snProgress){0};
        fill_clip(takes[i], clips[i], &frames[i], &list[i]);
    }
    snJointBakeDef bake = sn_joint_bake_def();
    bake.model = model;
    bake.clips = list;
    bake.clip_count = count;
    bake.tolerance = def->tolerance;
    bake.helper_count = def->helper_count;
    if (def->influences > 0) bake.influences = def->influences;
    bake.refit_normals = def->refit_normals;
    bake.rest_tolerance = def->rest_tolerance;
    if (document->memory_limit > 0) bake.memory_limit = document->memory_limit;
    bake.tasks = document->tasks;
    bake.level = document->level;
    if (result == SN_RESULT_OK) bake.progress = frames[0].progress;
    sn_joint_bake_destroy(first->joints);
    first->joints = NULL;
    if (result == SN_RESULT_OK)
        result = sn_joint_bake_create(&bake, &first->allocator, &first->joints, error);
    for (uint32_t i = 0; i < count && frames != NULL && frames[i].take != NULL; i++)
        takes[i]->def.progress = frames[i].progress;
    sni_free(&first->allocator, list);
    sni_free(&first->allocator, frames);
    return result;
}
