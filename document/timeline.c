// The timeline: strips and keys, and the clip that they make. The clip is one of the model's, so that
// whatever plays, measures or writes clips needs to know nothing of strips.
#include <stdio.h>

#include "document.h"
#include "sinew/retarget.h"

// The clip is keyed at this rate unless somebody says otherwise.
#define FPS 30.0f

// Which joint follows which; names may change.
static uint64_t joints_of(const snModel* model) {
    const snSkeleton* skeleton = model->skeleton;
    return sn_hash_bytes(SN_HASH_SEED, skeleton->parents, skeleton->joint_count * sizeof *skeleton->parents);
}

const snMixDef* sn_document_timeline(const snDocument* document) {
    return document->state.timeline.there ? &document->state.timeline.mix : NULL;
}

uint32_t sn_document_timeline_clip(const snDocument* document) {
    return document->state.timeline.there ? document->state.timeline.clip : SN_NONE;
}

// ---------------------------------------------------------------------------------------------------- making

static snResult mix_of(const snDocument* document, const snMixDef* mix, snClip** out, snError* error) {
    const snModel* model = document->state.body.model;
    return sn_clip_mix(mix, model->skeleton, (const snClip* const*)model->clips, model->clip_count,
                       &model->allocator, out, error);
}

snResult sni_timeline_remake(snDocument* document, snError* error) {
    const sniTimeline* timeline = &document->state.timeline;
    if (!timeline->there) return SN_RESULT_OK;
    snClip* clip = NULL;
    SNI_TRY(mix_of(document, &timeline->mix, &clip, error));
    snModel* model = document->state.body.model;
    sn_clip_destroy(model->clips[timeline->clip]);
    model->clips[timeline->clip] = clip;
    return SN_RESULT_OK;
}

// A clip without keys holds the place until it is made.
static snResult add_clip(snDocument* document, sniTimeline* timeline, snError* error) {
    snModel* model = document->state.body.model;
    snClipDef def = {.name = timeline->mix.name};
    timeline->clip = model->clip_count;
    timeline->joints = joints_of(model);
    return sn_model_add_clip(model, &def, error);
}

static snResult check_strips(const snDocument* document, const snMixDef* mix, snError* error) {
    const snModel* model = document->state.body.model;
    for (uint32_t i = 0; i < mix->strip_count; i++) {
        if (mix->strips[i].clip >= model->clip_count)
            return sni_fail(error, SN_RESULT_NOT_FOUND, "strip %u plays clip %u, and there are %u", i,
                            mix->strips[i].clip, model->clip_count);
        if (mix->strips[i].clip == sn_document_timeline_clip(document))
            return sni_fail(error, SN_RESULT_INVALID_ARGUMENT,
                            "strip %u plays the clip that the timeline itself makes", i);
    }
    return SN_RESULT_OK;
}

// A copy in which strips end where their clips do.
static snResult take_mix(const snDocument* document, const snMixDef* mix, sniTimeline* out, snError* error) {
    const snModel* model = document->state.body.model;
    sniTimeline view = document->state.timeline;
    view.mix = *mix;
    view.there = true;
    if (mix->name == NULL) view.mix.name = "timeline";
    if (!sni_timeline_copy(&view, &document->allocator, out)) return sni_fail_memory(error);
    for (uint32_t i = 0; i < mix->strip_count; i++) {
        snStrip* strip = (snStrip*)&out->mix.strips[i];
        strip->to = sn_minf(strip->to, model->clips[strip->clip]->duration);
    }
    return SN_RESULT_OK;
}

// Last what cannot fail, because without a history nothing comes back.
static snResult put(snDocument* document, sniTimeline* made, snError* error) {
    snModel* model = document->state.body.model;
    snClip* clip = NULL;
    SNI_TRY(mix_of(document, &made->mix, &clip, error));
    snResult result = document->state.timeline.there ? SN_RESULT_OK : add_clip(document, made, error);
    if (result != SN_RESULT_OK) {
        sn_clip_destroy(clip);
        return result;
    }
    sn_clip_destroy(model->clips[made->clip]);
    model->clips[made->clip] = clip;
    sni_timeline_free(&document->state.timeline, &document->allocator);
    document->state.timeline = *made;
    *made = (sniTimeline){0};
    return SN_RESULT_OK;
}

static snResult set(snDocument* document, const char* name, const snMixDef* mix, snError* error) {
    sniTimeline made = {0};
    SNI_TRY(check_strips(document, mix, error));
    SNI_TRY(take_mix(document, mix, &made, error));
    snResult result = sni_edit_begin(document, name, SNI_BITS_CLIPS, SNI_COPY_RIG, error);
    if (result == SN_RESULT_OK) result = sni_edit_end(document, put(document, &made, error), error);
    sni_timeline_free(&made, &document->allocator);
    return result;
}

snResult sn_document_set_timeline(snDocument* document, const snMixDef* mix, snError* error) {
    SNI_TRY(sni_need_model(document, error));
    if (mix != NULL) return set(document, "Change timeline", mix, error);
    uint32_t clip = sn_document_timeline_clip(document);
    return clip != SN_NONE ? sn_document_remove_clip(document, clip, error) : SN_RESULT_OK;
}

// ------------------------------------------------------------------------------------------------------ keys

// Another timeline to be: the document's, or one that plays `clip` alone, with room for more keys.
typedef struct Draft {
    snMixDef mix;
    snStrip strip;
    snJointKey* keys;
} Draft;

static snResult open_draft(const snDocument* document, uint32_t clip, uint32_t room, Draft* draft,
                           snError* error) {
    const snMixDef* old = sn_document_timeline(document);
    draft->mix = old != NULL ? *old : sn_mix_def();
    if (old == NULL) {
        draft->mix.fps = FPS;
        draft->mix.name = "timeline";
        draft->strip = sn_strip();
        draft->strip.clip = clip;
        draft->mix.strip_count = clip != SN_CLIP_REST;
        draft->mix.strips = &draft->strip;
        SNI_TRY(check_strips(document, &draft->mix, error));
    }
    draft->keys = SNI_NEW_ARRAY(&document->allocator, snJointKey, (size_t)draft->mix.key_count + room);
    if (draft->keys == NULL) return sni_fail_memory(error);
    if (draft->mix.key_count > 0)
        memcpy(draft->keys, draft->mix.keys, draft->mix.key_count * sizeof *draft->keys);
    draft->mix.keys = draft->keys;
    return SN_RESULT_OK;
}

// In place of those that are there already at that moment (several, if the rate was higher), or a new one.
static void put_key(Draft* draft, const snJointKey* key) {
    float near = 0.5f / draft->mix.fps;
    uint32_t kept = 0;
    bool there = false;
    for (uint32_t i = 0; i < draft->mix.key_count; i++) {
        bool same = draft->keys[i].joint == key->joint && fabsf(draft->keys[i].time - key->time) < near;
        if (same && there) continue;
        draft->keys[kept++] = same ? *key : draft->keys[i];
        there = there || same;
    }
    if (!there) draft->keys[kept++] = *key;
    draft->mix.key_count = kept;
}

// What strips alone do at a moment.
static snResult strips_at(const snDocument* document, const Draft* draft, float time, snTrs* locals,
                          snError* error) {
    const snSkeleton* skeleton = document->state.body.model->skeleton;
    snMixDef bare = draft->mix;
    snClip* clip = NULL;
    bare.key_count = 0;
    if (bare.strip_count == 0 && !(bare.duration > 0.0f)) bare.duration = time;
    SNI_TRY(mix_of(document, &bare, &clip, error));
    memcpy(locals, skeleton->rest, skeleton->joint_count * sizeof *locals);
    sn_clip_sample(clip, time, SN_WRAP_CLAMP, skeleton->joint_count, locals);
    sn_clip_destroy(clip);
    return SN_RESULT_OK;
}

static snResult add_keys(snDocument* document, Draft* draft, float time, const uint32_t* joints,
                         uint32_t count, const snTrs* posed, snTrs* strips, snError* error) {
    const snSkeleton* skeleton = document->state.body.model->skeleton;
    // Frames of the clip are where keys are met exactly.
    time = (float)(int64_t)(time * draft->mix.fps + 0.5f) / draft->mix.fps;
    SNI_TRY(strips_at(document, draft, time, strips, error));
    char name[96];
    snprintf(name, sizeof name, "Pose %.60s", sn_joint_name(skeleton, joints[count - 1]).text);
    for (uint32_t i = 0; i < count; i++) {
        snJointKey key = sn_joint_key_between(joints[i], time, &strips[joints[i]], &posed[joints[i]]);
        put_key(draft, &key);
    }
    return set(document, name, &draft->mix, error);
}

snResult sn_document_key_joints(snDocument* document, uint32_t clip, float time, const uint32_t* joints,
                                uint32_t count, const snTrs* posed, snError* error) {
    SNI_TRY(sni_need_model(document, error));
    uint32_t joint_count = document->state.body.model->skeleton->joint_count;
    if (count == 0 || !(time >= 0.0f && time < (float)SN_MIX_MAX_FRAMES))
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "%u joints at %g seconds cannot be keyed", count,
                        (double)time);
    for (uint32_t i = 0; i < count; i++)
        if (joints[i] >= joint_count)
            return sni_fail(error, SN_RESULT_NOT_FOUND, "there is no joint %u", joints[i]);
    Draft draft = {0};
    snTrs* strips = SNI_NEW_ARRAY(&document->allocator, snTrs, joint_count);
    snResult result =
        strips != NULL ? open_draft(document, clip, count, &draft, error) : sni_fail_memory(error);
    if (result == SN_RESULT_OK)
        result = add_keys(document, &draft, time, joints, count, posed, strips, error);
    sni_free(&document->allocator, strips);
    sni_free(&document->allocator, draft.keys);
    return result;
}

snResult sn_document_remove_keys(snDocument* document, uint32_t joint, float from, float to, snError* error) {
    SNI_TRY(sni_need_model(document, error));
    Draft draft = {0};
    uint32_t kept = 0;
    if (sn_document_timeline(document) == NULL)
        return sni_fail(error, SN_RESULT_NOT_FOUND, "there is no timeline with keys");
    snResult result = open_draft(document, SN_CLIP_REST, 0, &draft, error);
    for (uint32_t i = 0; result == SN_RESULT_OK && i < draft.mix.key_count; i++) {
        const snJointKey* key = &draft.keys[i];
        bool goes = (joint == SN_NONE || key->joint == joint) && key->time >= from && key->time <= to;
        if (!goes) draft.keys[kept++] = *key;
    }
    draft.mix.key_count = kept;
    if (result == SN_RESULT_OK) result = set(document, "Remove keys", &draft.mix, error);
    sni_free(&document->allocator, draft.keys);
    return result;
}

// ---------------------------------------------------------------------------------------- what edits do to
// it

static void forget(snDocument* document) {
    sni_timeline_free(&document->state.timeline, &document->allocator);
}

void sni_timeline_without(snDocument* document, uint32_t clip) {
    sniTimeline* timeline = &document->state.timeline;
    snStrip* strips = (snStrip*)timeline->mix.strips;
    uint32_t kept = 0;
    if (!timeline->there) return;
    if (timeline->clip == clip) {
        forget(document);
        return;
    }
    timeline->clip -= timeline->clip > clip;
    for (uint32_t i = 0; i < timeline->mix.strip_count; i++) {
        if (strips[i].clip == clip) continue;
        strips[kept] = strips[i];
        strips[kept].clip -= strips[kept].clip > clip;
        kept++;
    }
    timeline->mix.strip_count = kept;
}

snResult sni_timeline_trimmed(snDocument* document, uint32_t clip, float from, snError* error) {
    sniTimeline* timeline = &document->state.timeline;
    snStrip* strips = (snStrip*)timeline->mix.strips;
    float duration = document->state.body.model->clips[clip]->duration;
    if (!timeline->there) return SN_RESULT_OK;
    if (timeline->clip == clip) {
        forget(document);
        return SN_RESULT_OK;
    }
    for (uint32_t i = 0; i < timeline->mix.strip_count; i++) {
        if (strips[i].clip != clip) continue;
        // The clip's times begin anew where it was cut.
        strips[i].to = sn_clampf(strips[i].to - from, 0.0f, duration);
        strips[i].from = sn_clampf(strips[i].from - from, 0.0f, strips[i].to);
    }
    return sni_timeline_remake(document, error);
}

void sni_timeline_rotated(snDocument* document, snQuat turn) {
    const snSkeleton* skeleton = document->state.body.model->skeleton;
    const sniTimeline* timeline = &document->state.timeline;
    snJointKey* keys = (snJointKey*)timeline->mix.keys;
    for (uint32_t i = 0; timeline->there && i < timeline->mix.key_count; i++)
        if (keys[i].joint < skeleton->joint_count && skeleton->parents[keys[i].joint] == SN_NONE)
            keys[i].move = sn_quat_rotate(turn, keys[i].move);
}

void sni_timeline_settle(snDocument* document) {
    const snModel* model = document->state.body.model;
    const sniTimeline* timeline = &document->state.timeline;
    if (!timeline->there) return;
    bool fits = model != NULL && timeline->clip < model->clip_count && timeline->joints == joints_of(model);
    for (uint32_t i = 0; i < timeline->mix.strip_count && fits; i++)
        fits = timeline->mix.strips[i].clip < model->clip_count;
    if (!fits) forget(document);
}
