// A clip of another file on the character.
#include <math.h>
#include <stdio.h>

#include "base/progress.h"
#include "json_file.h"
#include "sinew/retarget.h"

snMotionDef sn_motion_def(void) {
    return (snMotionDef){.fps = 30.0f,
                         .from = SN_MOTION_AUTO,
                         .to = SN_CLIP_END,
                         .root = SN_ROOT_KEEP,
                         .feet = true,
                         .ground = true,
                         .floor = SN_FLOOR_AUTO,
                         .clean = true,
                         .speed = 1.0f};
}

// ------------------------------------------------------------------------------------------------- moments

// The stretch that is meant: both ends are moments of the clip. A hair beyond its end is its end.
static snResult check_stretch(const snClip* clip, float from, float* to, snError* error) {
    float asked = *to;
    *to = sn_minf(asked, clip->duration);
    if (from >= 0.0f && from <= *to && (asked <= clip->duration * 1.0001f || asked == SN_CLIP_END))
        return SN_RESULT_OK;
    return sni_fail(error, SN_RESULT_INVALID_ARGUMENT,
                    "%g to %g is not a stretch of the clip, which lasts from 0 to %g seconds", (double)from,
                    (double)asked, (double)clip->duration);
}

// ---------------------------------------------------------------------------------------------------- maps

// Every step that follows asks what the joints are.
snResult sni_keep_labels(snModel* model, snError* error) {
    return model->skeleton->labels != NULL ? SN_RESULT_OK : sn_skeleton_keep_labels(model->skeleton, error);
}

// A trial: names are looked up while the line is known.
typedef struct Trial {
    const snSkeleton* source;
    const snSkeleton* target;
    snJointMap* map;
} Trial;

static snResult try_override(void* user, const char* target, const char* source, snError* error) {
    const Trial* trial = user;
    return sn_joint_map_set(trial->map, trial->source, trial->target, source, target, error);
}

snResult sn_document_read_map(const snDocument* document, const snSource* source, const char* name,
                              const void* data, size_t size, snJointOverrides* out, snError* error) {
    SNI_TRY(sni_need_model(document, error));
    snModel* model = document->state.body.model;
    Trial trial = {source->model->skeleton, model->skeleton, NULL};
    SNI_TRY(sni_keep_labels(source->model, error));
    SNI_TRY(sni_keep_labels(model, error));
    SNI_TRY(sn_joint_map_create(trial.source, trial.target, &document->allocator, &trial.map, error));
    snResult result = sni_joint_pairs_read(document, name, data, size, "target and source joints",
                                           try_override, &trial, out, error);
    sn_joint_map_destroy(trial.map);
    return result;
}

// The two skeletons at rest, and what of the one drives what of the other.
typedef struct Fit {
    snSkeleton *source, *target;
    snJointMap* map;
    snBodyPoints* points; // of the character's surface, or NULL
} Fit;

static void free_fit(Fit* fit) {
    sn_joint_map_destroy(fit->map);
    sn_body_points_destroy(fit->points);
    sn_skeleton_destroy(fit->source);
    sn_skeleton_destroy(fit->target);
}

// Labelled as the model is, where its nodes stand as they were bound; else anew.
static snResult rest_of(const snDocument* document, snModel* model, snRest rest, snSkeleton** out,
                        snRestReport* report, snError* error) {
    SNI_TRY(sn_model_rest_skeleton(model, rest, &document->allocator, out, report, error));
    if (report->differing > 0) return sn_skeleton_keep_labels(*out, error);
    SNI_TRY(sni_keep_labels(model, error));
    (*out)->labels = sni_copy_array(&document->allocator, model->skeleton->labels,
                                    model->skeleton->joint_count, sizeof(snLabel));
    return (*out)->labels != NULL ? SN_RESULT_OK : sni_fail_memory(error);
}

static snResult make_fit(const snDocument* document, const snSource* source, const snMotionDef* def, Fit* fit,
                         snMotionReport* report, snError* error) {
    snModel* model = document->state.body.model;
    SNI_TRY(rest_of(document, source->model, def->rest, &fit->source, &report->source_rest, error));
    SNI_TRY(rest_of(document, model, def->rest, &fit->target, &report->rest, error));
    const snSkeleton *from = fit->source, *to = fit->target;
    if (def->ground && model->part_count > 0)
        SNI_TRY(sn_body_points_create(model, to, &document->allocator, &fit->points, error));
    SNI_TRY(sn_joint_map_create(from, to, &document->allocator, &fit->map, error));
    snJointMap* map = fit->map;
    for (uint32_t i = 0; i < def->override_count; i++)
        SNI_TRY(sn_joint_map_set(map, from, to, def->overrides[i].source, def->overrides[i].target, error));
    if (def->matched != NULL && !def->matched(def->user, map, from, to))
        return sni_fail(error, SN_RESULT_CANCELLED, "cancelled after matching the joints");
    if (map->confidence >= SN_JOINT_MAP_USABLE || def->override_count > 0) return SN_RESULT_OK;
    snMapReason reason = sn_joint_map_reason(map);
    snResult result = sni_fail(
        error, SN_RESULT_BAD_DATA,
        "the skeletons do not match: confidence %.2f, expected %.2f or more%s%s; name the joints that "
        "belong together",
        (double)map->confidence, (double)SN_JOINT_MAP_USABLE, reason.text[0] != '\0' ? ": " : "",
        reason.text);
    if (error != NULL) snprintf(error->file, sizeof error->file, "%s", source->name);
    return result;
}

// -------------------------------------------------------------------------------------------------- adding

void sni_motions_drop(snDocument* document) {
    sniState* state = &document->state;
    sni_motions_free(state->motions, state->motion_count, &document->allocator);
    state->motions = NULL;
    state->motion_count = 0;
}

static snResult remember(snDocument* document, const sniMotion* motion, snError* error) {
    sniState* state = &document->state;
    const snAllocator* memory = &document->allocator;
    sniMotion* grown = SNI_NEW_ARRAY(memory, sniMotion, (size_t)state->motion_count + 1);
    if (grown == NULL || !sni_motion_copy(motion, memory, &grown[state->motion_count])) {
        if (grown != NULL) sni_motions_free(grown, state->motion_count + 1, memory);
        return sni_fail_memory(error);
    }
    if (state->motion_count > 0) memcpy(grown, state->motions, state->motion_count * sizeof *grown);
    sni_free(memory, state->motions);
    state->motions = grown;
    state->motion_count++;
    return SN_RESULT_OK;
}

static uint32_t unlike_defaults(const snMotionDef* def) {
    return (def->clean ? 0 : SNI_MOTION_RAW) | (def->ground ? 0 : SNI_MOTION_FLOATS) |
           (def->rest == SN_REST_NODES ? SNI_MOTION_NODES : 0) | (def->root_turn ? SNI_MOTION_ROOT_TURN : 0) |
           (def->reverse ? SNI_MOTION_REVERSE : 0) | (def->loop_any ? SNI_MOTION_LOOP_ANY : 0) |
           (def->speed != 1.0f || def->floor != SN_FLOOR_AUTO ? SNI_MOTION_NUMBERS : 0);
}

static snResult add_clip(snDocument* document, const snSource* source, const snMotionDef* def,
                         const snClip* clip, const snRetargetDef* made, snError* error) {
    snModel* model = NULL;
    snClipDef copy = sn_clip_def(clip);
    if (def->name != NULL) copy.name = def->name;
    sniMotion motion = {.source = source->id,
                        .source_clip = def->clip,
                        .fps = made->fps,
                        .from = made->from,
                        .to = made->to,
                        .root = (uint32_t)made->root,
                        .feet = made->feet,
                        .mirror = made->mirror,
                        .loop = made->loop,
                        .more = unlike_defaults(def),
                        .speed = def->speed,
                        .floor = def->floor,
                        .override_count = def->override_count};
    char** names = SNI_NEW_ARRAY(&document->allocator, char*, 2 * (size_t)def->override_count);
    if (names == NULL) return sni_fail_memory(error);
    for (uint32_t i = 0; i < def->override_count; i++) {
        names[2 * i] = (char*)def->overrides[i].target; // copied below
        names[2 * i + 1] = (char*)def->overrides[i].source;
    }
    motion.overrides = names;
    snResult result = sni_edit_begin(document, "Add motion", SNI_BITS_CLIPS, SNI_COPY_RIG, error);
    if (result == SN_RESULT_OK) {
        model = document->state.body.model;
        motion.clip = model->clip_count;
        result = sn_model_add_clip(model, &copy, error);
        if (result == SN_RESULT_OK) result = remember(document, &motion, error);
        result = sni_edit_end(document, result, error);
    }
    sni_free(&document->allocator, names);
    return result;
}

static snResult retarget_clip(snDocument* document, const snSource* source, const snMotionDef* def,
                              const Fit* fit, const snClip* from, snMotionReport* report, snError* error) {
    snRetargetDef made = sn_retarget_def();
    made.source = fit->source;
    made.clip = from;
    made.target = fit->target;
    made.nodes = document->state.body.model->skeleton->rest;
    made.map = fit->map;
    made.fps = def->fps > 0.0f ? def->fps : sn_clip_rate(from);
    made.from = def->from >= 0.0f ? def->from : report->clean.from;
    made.to = def->to == SN_CLIP_END ? sn_maxf(report->clean.to, made.from) : def->to;
    report->skipped = report->clean.references > 0 && (made.from != sn_maxf(def->from, 0.0f) ||
                                                       (def->to == SN_CLIP_END && made.to < from->duration));
    SNI_TRY(check_stretch(from, made.from, &made.to, error));
    made.motion_from = report->clean.from;
    made.motion_to = report->clean.to;
    made.root = def->root;
    made.mirror = def->mirror;
    made.feet = def->feet;
    made.limits = def->clean;
    made.ground = def->ground;
    made.floor = def->floor;
    made.points = fit->points;
    made.loop = def->loop;
    made.loop_any = def->loop_any;
    made.root_turn = def->root_turn;
    made.reverse = def->reverse;
    made.speed = def->speed;
    report->from = made.from;
    report->to = made.to;
    snClip* clip = NULL;
    snResult result = sn_retarget_clip(&made, &document->allocator, &clip, &report->retarget, error);
    if (result == SN_RESULT_OK) result = sni_progress(&def->progress, "retargeting", 1.0f, error);
    if (result == SN_RESULT_OK) {
        report->clip = document->state.body.model->clip_count;
        result = add_clip(document, source, def, clip, &made, error);
    }
    sn_clip_destroy(clip);
    return result;
}

static snResult retarget(snDocument* document, const snSource* source, const snMotionDef* def, const Fit* fit,
                         snMotionReport* report, snError* error) {
    const snClip* from = source->model->clips[def->clip];
    snClip* cleaned = NULL;
    SNI_TRY(sn_clip_clean(fit->source, from, &document->allocator, &cleaned, &report->clean, error));
    snResult result = retarget_clip(document, source, def, fit, def->clean ? cleaned : from, report, error);
    sn_clip_destroy(cleaned);
    return result;
}

snResult sn_document_add_motion(snDocument* document, const snSource* source, const snMotionDef* def,
                                snMotionReport* report, snError* error) {
    SNI_TRY(sni_need_model(document, error));
    if (def->clip >= source->model->clip_count)
        return sni_fail(error, SN_RESULT_NOT_FOUND, "%.200s has no clip %u", source->name, def->clip);
    if (!sni_source_keep(document, (snSource*)source)) return sni_fail_memory(error);
    snMotionReport made = {0};
    Fit fit = {0};
    snResult result = sni_progress(&def->progress, "retargeting", 0.0f, error);
    if (result == SN_RESULT_OK) result = make_fit(document, source, def, &fit, &made, error);
    if (result == SN_RESULT_OK) result = retarget(document, source, def, &fit, &made, error);
    if (result == SN_RESULT_OK) {
        made.matched = fit.map->matched;
        made.unmatched = fit.map->target_count - fit.map->matched;
        made.confidence = fit.map->confidence;
        if (report != NULL) *report = made;
    } else if (error != NULL && error->file[0] == '\0' && result != SN_RESULT_CANCELLED &&
               result != SN_RESULT_INVALID_ARGUMENT) {
        snprintf(error->file, sizeof error->file, "%s", source->name);
    }
    free_fit(&fit);
    return result;
}

snResult sni_motion_map(const snDocument* document, const snSource* source, const snMotionDef* def,
                        snJointMap** out, snError* error) {
    snMotionReport report = {0};
    snMotionDef bare = *def;
    Fit fit = {0};
    bare.ground = false; // the surface is not asked for
    snResult result = make_fit(document, source, &bare, &fit, &report, error);
    if (result == SN_RESULT_OK) {
        *out = fit.map;
        fit.map = NULL;
    }
    free_fit(&fit);
    return result;
}

// Motions of later clips move up.
snResult sn_document_remove_clip(snDocument* document, uint32_t clip, snError* error) {
    SNI_TRY(sni_need_model(document, error));
    if (clip >= document->state.body.model->clip_count)
        return sni_fail(error, SN_RESULT_NOT_FOUND, "there is no clip %u", clip);
    SNI_TRY(sni_edit_begin(document, "Remove clip", SNI_BITS_CLIPS, SNI_COPY_RIG, error));
    sniState* state = &document->state;
    snModel* model = state->body.model;
    sn_clip_destroy(model->clips[clip]);
    model->clip_count--;
    memmove(&model->clips[clip], &model->clips[clip + 1], (model->clip_count - clip) * sizeof(snClip*));
    uint32_t kept = 0;
    for (uint32_t i = 0; i < state->motion_count; i++) {
        sniMotion* motion = &state->motions[i];
        if (motion->clip == clip) {
            sni_motion_clear(motion, &document->allocator);
            continue;
        }
        motion->clip -= motion->clip > clip;
        state->motions[kept++] = *motion;
    }
    state->motion_count = kept;
    sni_timeline_without(document, clip);
    return sni_edit_end(document, sni_timeline_remake(document, error), error);
}
