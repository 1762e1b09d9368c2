// A clip, or any other source of surfaces, played frame by frame from its beginning.
#include "take.h"

#include <math.h>
#include <stdio.h>

#include "base/progress.h"

// Flesh takes any time in one call as long as it is not too many steps; this is never.
#define STRIDE 0.5f

snTakeDef sn_take_def(void) {
    return (snTakeDef){.clip = SN_CLIP_REST, .to = SN_CLIP_END, .fps = 30.0f, .both_ends = true};
}

snResult sn_take_count(float from, float to, float fps, bool both_ends, uint32_t* out_frames,
                       snError* error) {
    double seconds = (double)to - (double)from, span = seconds * (double)fps;
    // A span that rounding left a little short still holds its last frame.
    double frames = span >= 1 ? floor(span + 1e-3) + (both_ends ? 1 : 0) : 1;
    if (!(frames <= SN_TAKE_MAX_FRAMES))
        return sni_fail(
            error, SN_RESULT_LIMIT,
            "%.6g seconds at %g frames a second are %.6g frames, more than the %d that are possible", seconds,
            (double)fps, frames, SN_TAKE_MAX_FRAMES);
    *out_frames = (uint32_t)frames;
    return SN_RESULT_OK;
}

// -------------------------------------------------------------------------------------------------- frames

float sni_take_time(const snTake* take, uint32_t i) {
    float begin = take->def.loop ? take->report.loop.start : take->def.from;
    return begin + (float)i / take->report.fps;
}

snResult sni_take_run_to(snTake* take, float from, float to) {
    snWrap wrap = take->def.loop ? SN_WRAP_LOOP : SN_WRAP_CLAMP;
    snResult result = sn_character_pose_clip(take->character, take->def.clip, from, wrap);
    for (float t = from + STRIDE; t < to && result == SN_RESULT_OK; t += STRIDE)
        result = sn_character_pose_clip(take->character, take->def.clip, t, wrap);
    return result;
}

static snResult pose_clip(void* user, uint32_t i) {
    snTake* take = user;
    if (i > 0 && take->player->last != take) return SN_RESULT_INVALID_ARGUMENT;
    take->player->last = take;
    if (i == 0) {
        sn_character_reset(take->character);
        snResult result = sni_take_run_to(take, 0.0f, sni_take_time(take, 0));
        if (result != SN_RESULT_OK) return result;
        if (take->counted == 0) sn_character_report_reset(take->character);
    }
    snWrap wrap = take->def.loop ? SN_WRAP_LOOP : SN_WRAP_CLAMP;
    return sn_character_pose_clip(take->character, take->def.clip, sni_take_time(take, i), wrap);
}

static snSurface clip_surface(void* user, uint32_t part) {
    return sn_character_surface(((snTake*)user)->character, part);
}

static uint64_t clip_hash(void* user) { return sn_character_hash(((snTake*)user)->character); }

static snResult fail_pose(uint32_t frame, snResult result, snError* error) {
    if (result == SN_RESULT_BAD_DATA)
        return sni_fail(
            error, result,
            "joints move further than %g m from the origin, or scale by more than %g, in frame %u",
            (double)SN_LENGTH_MAX, (double)SN_SCALE_MAX, frame);
    if (result == SN_RESULT_INVALID_ARGUMENT)
        return sni_fail(
            error, result,
            "frame %u cannot follow, because another take was posed meanwhile; begin with frame 0", frame);
    return sni_fail(error, result, "posing failed: %s", sn_result_name(result));
}

// Whatever leaves as a file passes here first.
static snResult check_finite(const snTake* take, uint32_t frame, snError* error) {
    const snModel* model = take->document->state.body.model;
    for (uint32_t p = 0; p < model->part_count; p++) {
        snSurface surface = take->source.surface(take->source.user, p);
        for (uint32_t v = 0; v < surface.vertex_count; v++) {
            if (sn_vec3_finite(surface.positions[v])) continue;
            return sni_fail_vertex(error, SN_RESULT_BAD_DATA, v,
                                   "vertex %u of part \"%.60s\" is not finite in frame %u", v,
                                   model->parts[p].name, frame);
        }
    }
    return SN_RESULT_OK;
}

snResult sn_take_pose(snTake* take, uint32_t i, snError* error) {
    if (i >= take->report.frames)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "there is no frame %u", i);
    // The end of a closed cycle is its beginning.
    bool again = take->def.loop && i + 1 == take->report.frames && i > 0;
    double start = take->def.clock != NULL ? take->def.clock() : 0.0;
    snResult result = take->source.pose(take->source.user, again ? 0 : i);
    double seconds = take->def.clock != NULL ? take->def.clock() - start : 0.0;
    if (result != SN_RESULT_OK) return fail_pose(i, result, error);
    SNI_TRY(check_finite(take, i, error));
    if (i < take->counted) return SN_RESULT_OK;
    if (!again) take->report.seconds += seconds;
    if (!again && take->character != NULL) take->report.made = sn_character_report(take->character);
    take->counted = i + 1;
    sni_take_note_volumes(take, i);
    uint64_t hash = take->source.hash(take->source.user);
    take->report.hash = sn_hash_bytes(take->report.hash, &hash, sizeof hash);
    return sni_progress(&take->def.progress, "animating", (float)(i + 1) / (float)take->report.frames, error);
}

snResult sni_take_pose_middle(snTake* take, uint32_t i, snError* error) {
    snWrap wrap = take->def.loop ? SN_WRAP_LOOP : SN_WRAP_CLAMP;
    float time = sni_take_time(take, i) + 0.5f / take->report.fps;
    snResult result = sn_character_pose_clip(take->character, take->def.clip, time, wrap);
    return result == SN_RESULT_OK ? check_finite(take, i, error) : fail_pose(i, result, error);
}

snResult sn_take_pose_all(snTake* take, snError* error) {
    for (uint32_t i = 0; i < take->report.frames; i++) SNI_TRY(sn_take_pose(take, i, error));
    return SN_RESULT_OK;
}

// ------------------------------------------------------------------------------------------------- creation

// A whole number of steps and of frames, so that states and pictures repeat with the cycle.
static snResult plan_loop(snTake* take, const snClip* clip, snError* error) {
    float duration = clip->duration;
    if (take->def.from > 0.0f || take->def.to < duration)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a cycle needs the whole clip");
    if (!(duration > 0.0f)) return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "the clip has no length");
    uint32_t frames = (uint32_t)(duration * take->def.fps + 0.5f);
    if (frames == 0) frames = 1;
    take->report.fps = (float)frames / duration;
    take->report.frames = frames + (take->def.both_ends ? 1 : 0);
    float steps = (float)(uint32_t)(duration / take->settings->step + 0.5f);
    take->settings->step = duration / sn_maxf(steps, 1.0f);
    return SN_RESULT_OK;
}

static snResult plan(snTake* take, snError* error) {
    const snModel* model = take->document->state.body.model;
    if (take->def.clip >= model->clip_count)
        return sni_fail(error, SN_RESULT_NOT_FOUND, "the model has no clip to animate it");
    const snClip* clip = model->clips[take->def.clip];
    take->def.to = sn_minf(take->def.to, clip->duration);
    SNI_TRY(sn_take_count(take->def.from, take->def.to, take->def.fps, take->def.both_ends,
                          &take->report.frames, error));
    take->report.from = take->def.from;
    take->report.to = take->def.to;
    return take->def.loop ? plan_loop(take, clip, error) : SN_RESULT_OK;
}

static snResult make_account(snTake* take, snError* error) {
    const snBinding* binding = take->document->state.body.model->binding;
    const snExactVolume* exact = sn_character_exact(take->character);
    if (binding != NULL) take->volume_count = binding->joint_count;
    if (exact != NULL) take->shell_count = sn_exact_volume_shell_count(exact);
    take->volumes = SNI_NEW_ARRAY(&take->allocator, snPartVolumeAccount, take->volume_count);
    take->shells = SNI_NEW_ARRAY(&take->allocator, snShellAccount, take->shell_count);
    return take->volumes != NULL && take->shells != NULL ? SN_RESULT_OK : sni_fail_memory(error);
}

// Cycles have a step of their own, and so a character.
static snResult make_player(snTake* take, snError* error) {
    const snTake* with = take->def.with;
    if (with != NULL && with->document != take->document)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "takes of two documents cannot share a character");
    if (with != NULL && with->player != NULL && !take->def.loop && !with->def.loop) {
        take->player = with->player;
        take->player->users++;
        return SN_RESULT_OK;
    }
    snCharacterDef def = sn_character_def();
    def.model = take->document->state.body.model;
    def.settings = take->settings;
    def.tasks = take->document->def.tasks;
    def.level = take->document->def.level;
    take->player = SNI_NEW(&take->allocator, sniTakePlayer);
    if (take->player == NULL) return sni_fail_memory(error);
    take->player->users = 1;
    return sn_character_create(&def, &take->allocator, &take->player->character, error);
}

static void leave_player(snTake* take) {
    if (take->player == NULL || --take->player->users > 0) return;
    sn_character_destroy(take->player->character);
    sni_free(&take->allocator, take->player);
}

static snResult make_character(snTake* take, snError* error) {
    SNI_TRY(make_player(take, error));
    take->character = take->player->character;
    SNI_TRY(make_account(take, error));
    take->source = (snTakeSource){pose_clip, clip_surface, clip_hash, take};
    if (take->def.loop) SNI_TRY(sni_take_settle(take, error));
    sn_character_report_reset(take->character);
    return SN_RESULT_OK;
}

static snResult fill(snTake* take, const snTakeSource* source, snError* error) {
    if (source != NULL) {
        take->source = *source;
        take->report.frames = take->def.frames;
        take->report.from = take->def.from;
        take->report.to = take->def.to;
        return take->def.frames > 0 && take->def.frames <= SN_TAKE_MAX_FRAMES
                   ? SN_RESULT_OK
                   : sni_fail(error, SN_RESULT_LIMIT, "%u frames are more than the %d that are possible",
                              take->def.frames, SN_TAKE_MAX_FRAMES);
    }
    const snSettings* settings = take->document->state.settings;
    SNI_TRY(sn_settings_copy(settings, &take->allocator, &take->settings, error));
    SNI_TRY(plan(take, error));
    return make_character(take, error);
}

snResult sn_take_create(const snDocument* document, const snTakeDef* def, const snTakeSource* source,
                        snTake** out, snError* error) {
    SNI_TRY(sni_need_model(document, error));
    if (!(def->fps > 0.0f)) return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "frames a second are needed");
    snTake* take = SNI_NEW(&document->allocator, snTake);
    if (take == NULL) return sni_fail_memory(error);
    take->document = document;
    take->def = *def;
    take->allocator = document->allocator;
    take->report = (snTakeReport){.fps = def->fps, .hash = SN_HASH_SEED};
    snResult result = fill(take, source, error);
    if (result == SN_RESULT_OK)
        *out = take;
    else
        sn_take_destroy(take);
    return result;
}

void sn_take_destroy(snTake* take) {
    if (take == NULL) return;
    snAllocator memory = take->allocator;
    leave_player(take);
    sn_settings_destroy(take->settings);
    sn_morph_bake_destroy(take->morphs);
    sn_joint_bake_destroy(take->joints);
    sni_free(&memory, take->volumes);
    sni_free(&memory, take->shells);
    sni_free(&memory, take);
}

// ------------------------------------------------------------------------------------------------ questions

snSurface sn_take_surface(const snTake* take, uint32_t part) {
    return take->source.surface(take->source.user, part);
}
const snTakeReport* sn_take_report(const snTake* take) { return &take->report; }
const snCharacter* sn_take_character(const snTake* take) { return take->character; }
const snMorphBake* sn_take_morphs(const snTake* take) { return take->morphs; }
const snJointBake* sn_take_joints(const snTake* take) { return take->joints; }
const snPartVolumeAccount* sn_take_part_volumes(const snTake* take) {
    return take->volume_count > 0 && sn_character_volumes(take->character) != NULL ? take->volumes : NULL;
}
const snShellAccount* sn_take_shells(const snTake* take) {
    return take->shell_count > 0 ? take->shells : NULL;
}
