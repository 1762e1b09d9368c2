// Takes as helper joints: frames, and the moments half way between them, for the bake.
#include "take.h"

// Nearly twice as many moments as the take has frames; a source of one's own has none between.
snResult sni_take_moment(void* user, uint32_t moment, snSurface* out) {
    const sniTakeFrames* frames = user;
    snTake* take = frames->take;
    bool between = take->character != NULL;
    uint32_t frame = between ? moment / 2 : moment;
    snResult result = between && moment % 2 != 0 ? sni_take_pose_middle(take, frame, frames->error)
                                                 : sn_take_pose(take, frame, frames->error);
    for (uint32_t p = 0; p < take->document->state.body.model->part_count; p++)
        out[p] = sn_take_surface(take, p);
    return result;
}

static void fill_clip(const snTake* take, uint32_t clip, sniTakeFrames* frames, snBakeClip* out) {
    *out = (snBakeClip){.clip = clip,
                        .fps = take->report.fps,
                        .frame_count = take->report.frames,
                        .frames = sni_take_moment,
                        .user = frames,
                        .middles = take->character != NULL};
}

snResult sni_takes_bake_joints(snTake* const* takes, uint32_t count, const snTakeWriteDef* def,
                               const snModel* model, const uint32_t* clips, snError* error) {
    snTake* first = takes[0];
    const snDocumentDef* document = &first->document->def;
    snBakeClip* list = SNI_NEW_ARRAY(&first->allocator, snBakeClip, count);
    sniTakeFrames* frames = SNI_NEW_ARRAY(&first->allocator, sniTakeFrames, count);
    snResult result = list != NULL && frames != NULL ? SN_RESULT_OK : sni_fail_memory(error);
    for (uint32_t i = 0; i < count && result == SN_RESULT_OK; i++) {
        frames[i] = (sniTakeFrames){takes[i], error, takes[i]->def.progress};
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
