// Blends of a document's poses: as they are asked for, and as a search finds them.
#include <string.h>

#include "document.h"
#include "poses_trace.h"

void sn_pose_blend_free(snPoseBlend* blend) {
    void* all[] = {blend->weights, blend->order, blend->moves};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (all[i] != NULL) sni_free(&blend->allocator, all[i]);
    *blend = (snPoseBlend){0};
}

static snResult make_room(const snDocument* document, snPoseBlend* blend, snError* error) {
    SNI_TRY(sni_need_rig(document, error));
    const sniHandled* handled = &document->state.handled;
    const snAllocator* memory = &document->allocator;
    *blend = (snPoseBlend){.pose_count = handled->poses.count,
                           .handle_count = handled->rig->handle_count,
                           .allocator = document->allocator};
    blend->weights = SNI_NEW_ARRAY(memory, float, blend->pose_count);
    blend->order = SNI_NEW_ARRAY(memory, uint32_t, blend->pose_count);
    blend->moves = SNI_NEW_ARRAY(memory, snRigid, blend->handle_count);
    if (blend->weights != NULL && blend->order != NULL && blend->moves != NULL) return SN_RESULT_OK;
    sn_pose_blend_free(blend);
    return sni_fail_memory(error);
}

static void run(const snDocument* document, snPoseBlend* blend) {
    sn_handle_poses_blend(document->state.handled.rig, sn_document_poses(document), blend->weights,
                          blend->order, blend->pose_count, blend->moves);
}

snResult sn_document_blend_poses(const snDocument* document, const uint32_t* list, const float* weights,
                                 uint32_t count, snPoseBlend* out, snError* error) {
    snPoseBlend blend = {0};
    for (uint32_t i = 0; i < count; i++)
        if (list[i] >= document->state.handled.poses.count)
            return sni_fail(error, SN_RESULT_NOT_FOUND, "there is no pose %u", list[i]);
    SNI_TRY(make_room(document, &blend, error));
    uint32_t used = 0;
    for (uint32_t i = 0; i < count; i++) {
        bool seen = false;
        for (uint32_t k = 0; k < i; k++) seen |= list[k] == list[i];
        blend.weights[list[i]] += weights[i];
        if (!seen) blend.order[used++] = list[i];
    }
    for (uint32_t p = 0; p < blend.pose_count; p++) {
        bool seen = false;
        for (uint32_t k = 0; k < count; k++) seen |= list[k] == p;
        if (!seen) blend.order[used++] = p;
    }
    run(document, &blend);
    *out = blend;
    return SN_RESULT_OK;
}

// --------------------------------------------------------------------------------------------------- search

snPoseFindDef sn_pose_find_def(void) {
    snPoseSearchJob job = sn_pose_search_job(NULL);
    return (snPoseFindDef){
        .anchor = SN_NONE, .search = job.search, .objective = job.objective, .order = job.order};
}

static snPoseSearchJob job_of(const snPoseFindDef* def, const snPoseSpace* space) {
    snPoseSearchJob job = sn_pose_search_job(space);
    job.search = def->search;
    job.objective = def->objective;
    job.order = def->order;
    job.target_count = def->target_count;
    job.targets = def->targets;
    job.anchor = def->anchor;
    return job;
}

static snResult search(const snDocument* document, const snPoseFindDef* def, const snPoseSpace* space,
                       sniPoseTracer* tracer, snPoseBlend* blend, snError* error) {
    const snAllocator* memory = &document->allocator;
    snPoseSearchJob job = job_of(def, space);
    job.weights = blend->weights;
    job.out_order = blend->order;
    job.scratch = SNI_NEW_ARRAY(memory, uint8_t, sn_pose_space_scratch_size(space));
    if (job.scratch == NULL) return sni_fail_memory(error);
    if (tracer != NULL) sni_pose_tracer_listen(tracer, &job);
    double start = def->clock != NULL ? def->clock() : 0.0;
    snResult result = sn_pose_search_run(&job, &blend->found);
    if (def->clock != NULL) blend->seconds = def->clock() - start;
    if (result == SN_RESULT_OK && tracer != NULL)
        result = sni_pose_tracer_finish(tracer, &job, error);
    else if (result != SN_RESULT_OK)
        sni_fail(error, result, "the search failed: %s", sn_result_name(result));
    sni_free(memory, job.scratch);
    return result;
}

// The whole body is moved to the anchor.
static void carry(const snPoseTarget* anchor, snPoseBlend* blend) {
    blend->shift = sn_sub(anchor->place, sn_rigid_point(blend->moves[anchor->handle], anchor->point));
    for (uint32_t h = 0; h < blend->handle_count; h++)
        blend->moves[h].translation = sn_add(blend->moves[h].translation, blend->shift);
}

static snResult find(const snDocument* document, const snPoseFindDef* def, sniPoseTracer* tracer,
                     snPoseBlend* out, snError* error) {
    snPoseBlend blend = {0};
    snPoseSpace* space = NULL;
    if (def->anchor != SN_NONE && def->anchor >= def->target_count)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "the anchor is not one of the targets");
    SNI_TRY(make_room(document, &blend, error));
    snPoseSpaceDef made = {document->state.handled.rig, blend.pose_count, sn_document_poses(document)};
    snResult result = sn_pose_space_create(&made, &document->allocator, &space, error);
    if (result == SN_RESULT_OK) result = search(document, def, space, tracer, &blend, error);
    sn_pose_space_destroy(space);
    if (result != SN_RESULT_OK) {
        sn_pose_blend_free(&blend);
        return result;
    }
    run(document, &blend);
    if (def->anchor != SN_NONE) carry(&def->targets[def->anchor], &blend);
    *out = blend;
    return SN_RESULT_OK;
}

snResult sn_document_search_pose(const snDocument* document, const snPoseFindDef* def, snPoseBlend* out,
                                 snError* error) {
    return find(document, def, NULL, out, error);
}

snResult sn_document_trace_pose(const snDocument* document, const snPoseFindDef* def, snPoseBlend* out,
                                snPoseTrace* out_trace, snError* error) {
    sniPoseTracer tracer = sni_pose_tracer(document);
    snResult result = find(document, def, &tracer, out, error);
    if (result == SN_RESULT_OK)
        *out_trace = tracer.trace;
    else
        sn_pose_trace_free(&tracer.trace);
    return result;
}

// ------------------------------------------------------------------------------------------------- one pose

// A pose in the making, of the steps and details of others.
typedef struct Saved {
    uint32_t step_count, detail_count;
    snPoseStep* steps;
    snPoseDetail* details;
    uint32_t* all;  // handle_count: every handle
    float* offsets; // vertex_count
} Saved;

static bool make_saved(const snDocument* document, Saved* saved) {
    const sniHandled* handled = &document->state.handled;
    const snAllocator* memory = &document->allocator;
    size_t steps = 1; // that of the anchor
    for (uint32_t p = 0; p < handled->poses.count; p++) steps += handled->poses.poses[p]->step_count;
    saved->steps = SNI_NEW_ARRAY(memory, snPoseStep, steps);
    saved->details = SNI_NEW_ARRAY(memory, snPoseDetail, handled->rig->vertex_count);
    saved->all = SNI_NEW_ARRAY(memory, uint32_t, handled->rig->handle_count);
    saved->offsets = SNI_NEW_ARRAY(memory, float, handled->rig->vertex_count);
    return saved->steps != NULL && saved->details != NULL && saved->all != NULL && saved->offsets != NULL;
}

static void save_steps(const sniHandled* handled, const snPoseBlend* blend, Saved* saved) {
    for (uint32_t i = 0; i < handled->poses.count; i++) {
        const snHandlePose* from = handled->poses.poses[blend->order[i]];
        float weight = blend->weights[blend->order[i]];
        for (uint32_t s = 0; s < from->step_count && weight != 0.0f; s++) {
            snPoseStep step = from->steps[s];
            step.angle *= weight;
            step.move = sn_scale(step.move, weight);
            saved->steps[saved->step_count++] = step;
        }
    }
    if (sn_length(blend->shift) == 0.0f) return;
    uint32_t count = handled->rig->handle_count;
    for (uint32_t h = 0; h < count; h++) saved->all[h] = h;
    saved->steps[saved->step_count++] =
        (snPoseStep){.act = SN_POSE_MOVE, .move = blend->shift, .handle_count = count, .handles = saved->all};
}

static void save_details(const sniHandled* handled, Saved* saved) {
    for (uint32_t v = 0; v < handled->rig->vertex_count; v++)
        if (saved->offsets[v] != 0.0f)
            saved->details[saved->detail_count++] = (snPoseDetail){v, saved->offsets[v]};
}

snVec3 sn_pose_blend_point(const snPoseBlend* blend, const snPoseTarget* target) {
    return sn_rigid_point(blend->moves[target->handle], target->point);
}

snResult sni_make_pose(const snDocument* document, const snPoseBlend* blend, bool steps, const float* offsets,
                       const char* name, snHandlePose** out, snError* error) {
    const snAllocator* memory = &document->allocator;
    const sniHandled* handled = &document->state.handled;
    SNI_TRY(sni_need_rig(document, error));
    if (blend->pose_count != handled->poses.count || blend->handle_count != handled->rig->handle_count)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "the blend was made for other poses");
    Saved saved = {0};
    snResult result = make_saved(document, &saved) ? SN_RESULT_OK : sni_fail_memory(error);
    if (result == SN_RESULT_OK) {
        if (steps) save_steps(handled, blend, &saved);
        if (offsets != NULL) memcpy(saved.offsets, offsets, handled->rig->vertex_count * sizeof *offsets);
        if (offsets != NULL || sn_handle_poses_details(handled->rig, sn_document_poses(document),
                                                       blend->weights, handled->poses.count, saved.offsets))
            save_details(handled, &saved);
        snHandlePoseDef def = {name, saved.step_count, saved.steps, saved.detail_count, saved.details};
        result = sn_handle_pose_create(&def, handled->rig, memory, out, error);
    }
    void* all[] = {saved.steps, saved.details, saved.all, saved.offsets};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) sni_free(memory, all[i]);
    return result;
}

snResult sn_document_make_pose(const snDocument* document, const snPoseBlend* blend, const char* name,
                               snHandlePose** out, snError* error) {
    return sni_make_pose(document, blend, true, NULL, name, out, error);
}
