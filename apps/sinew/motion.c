#include "motion.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "json_file.h"

// ---------------------------------------------------------------------------------------------------- maps

typedef struct Override {
    snJointMap* map;
    const snSkeleton* source;
    const snSkeleton* target;
    snResult result;
    snError* error;
    uint32_t count;           // pairs set so far
    char at[SNI_POINTER_MAX]; // JSON pointer to what the error is about
} Override;

static void override_pair(void* user, const char* target, sniJsonValue* value) {
    Override* o = user;
    if (o->result != SN_RESULT_OK) return;
    snprintf(o->at, sizeof o->at, "/joints/%.100s", target);
    sniJson json = sni_json_root(value);
    char found[64];
    sni_json_describe(&json, found, sizeof found);
    const char* source = sni_json_text(&json);
    if (source == NULL && strcmp(found, "null") != 0) {
        o->result =
            sni_fail(o->error, SN_RESULT_BAD_DATA, "%s is %s, expected a joint's name or null", o->at, found);
        return;
    }
    o->result = sn_joint_map_set(o->map, o->source, o->target, source, target, o->error);
    o->count++;
}

// {"joints": {"TARGET": "SOURCE", "OTHER": null}}
static snResult apply_overrides(cliContext* context, const char* path, Override* o) {
    cliJsonFile file;
    snResult result = json_file_open(context, path, &file, o->error);
    if (result == SN_RESULT_OK) {
        sniJsonValue* joints = sni_json_find(file.json, "joints");
        sniJson list = sni_json_root(joints);
        if (sni_json_is_object(&list))
            sni_json_each(joints, override_pair, o);
        else
            o->result = sni_fail(o->error, SN_RESULT_BAD_DATA,
                                 "has no object \"joints\" that names target and source joints");
        result = json_file_place(&file, o->at, o->result, o->error);
    }
    json_file_close(&file);
    return result;
}

static void print_map(const cliContext* context, const snJointMap* map, const snSkeleton* source,
                      const snSkeleton* target) {
    if (context->quiet || context->json) return;
    for (uint32_t j = 0; j < map->target_count; j++) {
        const snJointPair* pair = &map->pairs[j];
        if (pair->source == SN_NONE) continue;
        char share[32] = "";
        if (pair->share < 0.999f)
            snprintf(share, sizeof share, ", %.0f %% of the way", (double)pair->share * 100.0);
        context_say(context, "  %-28s follows %-28s (%.2f%s)", target->names[j], source->names[pair->source],
                    (double)pair->score, share);
    }
}

// The pairs for programs, with what the target joints are in a body.
static cliExit report_map(cliContext* context, const snJointMap* map, const snSkeleton* source,
                          const snSkeleton* target, cliMotion* out) {
    snJointNames* names = NULL;
    snError error = sn_error_none();
    if (sn_joint_names_create(target, &context->memory, &names, &error) != SN_RESULT_OK)
        return context_fail(context, &error);
    out->pairs = sni_json_array();
    for (uint32_t j = 0; j < map->target_count; j++) {
        const snJointPair* pair = &map->pairs[j];
        sniJsonValue* object = sni_json_object();
        sni_json_set(object, "target", sni_json_string(target->names[j]));
        if (names->body[j].text[0] != '\0')
            sni_json_set(object, "body", sni_json_string(names->body[j].text));
        sni_json_set(object, "how", sni_json_string(sn_pairing_name(pair->how)));
        sni_json_set(object, "score", sni_json_real((double)pair->score));
        if (pair->source != SN_NONE) {
            sni_json_set(object, "source", sni_json_string(source->names[pair->source]));
            sni_json_set(object, "share", sni_json_real((double)pair->share));
        }
        sni_json_add(out->pairs, object);
    }
    sn_joint_names_destroy(names);
    return CLI_DONE;
}

// Matches, applies --map, prints, and refuses what does not fit.
static cliExit make_map(cliContext* context, const char* path, const snSkeleton* source,
                        const snSkeleton* target, snJointMap** out) {
    snError error = sn_error_none();
    snResult result = sn_joint_map_create(source, target, &context->memory, out, &error);
    const char* overrides = cli_text(context->arguments, "map");
    Override o = {*out, source, target, SN_RESULT_OK, &error, 0, ""};
    if (result == SN_RESULT_OK && overrides != NULL) result = apply_overrides(context, overrides, &o);
    if (result != SN_RESULT_OK) return context_fail(context, &error);
    context_say(context, "%s: %u of %u joints follow the motion, score %.2f", path, (*out)->matched,
                (*out)->target_count, (double)(*out)->score);
    print_map(context, *out, source, target);
    if ((*out)->score >= SN_JOINT_MAP_USABLE || o.count > 0) return CLI_DONE;
    fprintf(stderr,
            "%s: the skeletons do not fit: score %.2f, expected %.2f or more; name the joints that belong "
            "together with "
            "--map FILE\n",
            path, (double)(*out)->score, (double)SN_JOINT_MAP_USABLE);
    return CLI_BAD_INPUT;
}

// ---------------------------------------------------------------------------------------------------- clips

// The largest turn of any joint between two moments, in radians.
static float largest_turn(const snModel* model, const snClip* clip, float a, float b, snTrs* locals) {
    uint32_t joints = model->skeleton->joint_count;
    for (uint32_t j = 0; j < joints; j++) locals[j] = locals[joints + j] = model->skeleton->rest[j];
    sn_clip_sample(clip, a, SN_WRAP_CLAMP, joints, locals);
    sn_clip_sample(clip, b, SN_WRAP_CLAMP, joints, locals + joints);
    float least = 1.0f;
    for (uint32_t j = 0; j < joints; j++) {
        least = sn_minf(least, fabsf(sn_quat_dot(locals[j].rotation, locals[joints + j].rotation)));
    }
    return 2.0f * sn_acos(least);
}

static const snChannel* densest_channel(const snClip* clip) {
    const snChannel* dense = NULL;
    for (uint32_t c = 0; c < clip->channel_count; c++) {
        if (dense == NULL || clip->channels[c].key_count > dense->key_count) dense = &clip->channels[c];
    }
    return dense;
}

float motion_rate(const snClip* clip) {
    const snChannel* dense = densest_channel(clip);
    if (dense == NULL || dense->key_count < 2) return 30.0f;
    float seconds = dense->times[dense->key_count - 1] - dense->times[0];
    return sn_clampf((float)(dense->key_count - 1) / seconds, 1.0f, 240.0f);
}

cliExit motion_range(const cliContext* context, const snClip* clip, float* from, float* to) {
    const cliArguments* a = context->arguments;
    *from = cli_number(a, "from", *from);
    *to = cli_number(a, "to", clip->duration);
    if (*from <= *to && *to <= clip->duration * 1.0001f) {
        *to = sn_minf(*to, clip->duration);
        *from = sn_minf(*from, *to);
        return CLI_DONE;
    }
    return cli_usage(a->verb,
                     "--from %g --to %g: expected a stretch of the clip, which lasts from 0 to %g seconds",
                     (double)*from, (double)*to, (double)clip->duration);
}

// Captured motion often has one frame of T-pose in front. Returns the time after it, or 0.
static float skip_reference_pose(const cliContext* context, const snModel* model, const snClip* clip) {
    const snChannel* dense = densest_channel(clip);
    if (dense == NULL || dense->key_count < 8) return 0.0f;
    snTrs* locals = SNI_NEW_ARRAY(&context->memory, snTrs, 2 * (size_t)model->skeleton->joint_count);
    if (locals == NULL) return 0.0f;
    float jump = largest_turn(model, clip, dense->times[0], dense->times[1], locals);
    float usual = largest_turn(model, clip, dense->times[1], dense->times[2], locals);
    sni_free(&context->memory, locals);
    if (jump < 0.5f || jump < 8.0f * usual) return 0.0f;
    context_say(context, "the first frame is a lone reference pose and is left out (--from 0 keeps it)");
    return dense->times[1];
}

static cliExit retarget_def(const cliContext* context, const snModel* source, uint32_t clip,
                            const snSkeleton* target, const snJointMap* map, snRetargetDef* out) {
    const cliArguments* a = context->arguments;
    snRetargetDef def = sn_retarget_def();
    def.source = source->skeleton;
    def.clip = source->clips[clip];
    def.target = target;
    def.map = map;
    // A motion that stays a motion keeps its rate; one that moves a character is sampled for playing.
    bool stays = cli_has(a->verb, "onto");
    def.fps = cli_number(a, "fps", stays ? motion_rate(def.clip) : def.fps);
    if (!cli_given(a, "from")) def.from = skip_reference_pose(context, source, def.clip);
    cliExit code = motion_range(context, def.clip, &def.from, &def.to);
    if (code != CLI_DONE) return code;
    if (cli_given(a, "in-place") && cli_given(a, "extract-root"))
        return cli_usage(a->verb, "--in-place takes the travel away, --extract-root moves it: choose one");
    if (cli_given(a, "in-place")) def.root = SN_ROOT_IN_PLACE;
    if (cli_given(a, "extract-root")) def.root = SN_ROOT_EXTRACT;
    def.mirror = cli_given(a, "mirror");
    def.feet = !cli_given(a, "no-feet");
    def.loop = cli_given(a, "loop-clip");
    *out = def;
    return CLI_DONE;
}

static void say_loop(const cliContext* context, const snLoopReport* loop) {
    context_say(context, "loop: %.3f s from %.3f s on; the seam was %.1f degrees wide",
                (double)loop->duration, (double)loop->start, (double)loop->seam * 180.0 / 3.14159265358979);
}

static cliExit retarget(cliContext* context, const char* path, const snModel* motion, uint32_t from_clip,
                        snModel* character, const snJointMap* map, uint32_t* out_clip, cliMotion* out) {
    snError error = sn_error_none();
    snRetargetDef def = sn_retarget_def();
    uint32_t frames = 0;
    cliExit code = retarget_def(context, motion, from_clip, character->skeleton, map, &def);
    if (code == CLI_DONE) code = context_frames(context, def.from, def.to, def.fps, true, &frames);
    if (code != CLI_DONE) return code;
    snClip* clip = NULL;
    snResult result = sn_retarget_clip(&def, &context->memory, &clip, &out->retarget, &error);
    if (result == SN_RESULT_OK) {
        snClipDef copy = sn_clip_def(clip);
        result = sn_model_add_clip(character, &copy, &error);
    }
    sn_clip_destroy(clip);
    if (result != SN_RESULT_OK) {
        if (error.file[0] == '\0') snprintf(error.file, sizeof error.file, "%s", path);
        return context_fail(context, &error);
    }
    out->looped = def.loop;
    if (def.loop) say_loop(context, &out->retarget.loop);
    if (def.root == SN_ROOT_EXTRACT && !out->retarget.root_extracted)
        context_say(context, "no joint stands above the hips, so the travel stays on them");
    *out_clip = character->clip_count - 1;
    return CLI_DONE;
}

// Every step that follows asks what the joints are.
static cliExit keep_labels(const cliContext* context, snModel* model) {
    snError error = sn_error_none();
    if (model->skeleton->labels != NULL || sn_skeleton_keep_labels(model->skeleton, &error) == SN_RESULT_OK)
        return CLI_DONE;
    return context_fail(context, &error);
}

cliExit motion_read(cliContext* context, const char* path, snModel** out) {
    cliExit code = context_model(context, path, SN_IMAGES_NONE, out);
    return code == CLI_DONE ? keep_labels(context, *out) : code;
}

cliExit motion_clip(const cliContext* context, const char* path, const snModel* motion, uint32_t* out) {
    cliExit code = context_clip(context, motion, out);
    if (code != CLI_DONE || *out != SN_CLIP_REST) return code;
    fprintf(stderr, "%s: there is no motion in this file\n", path);
    return CLI_BAD_INPUT;
}

cliExit motion_apply(cliContext* context, const char* path, const snModel* motion, snModel* character,
                     uint32_t* out_clip, cliMotion* out) {
    *out = (cliMotion){0};
    snJointMap* map = NULL;
    uint32_t clip = SN_CLIP_REST;
    cliExit code = motion_clip(context, path, motion, &clip);
    if (code == CLI_DONE) code = keep_labels(context, character);
    if (code == CLI_DONE) code = make_map(context, path, motion->skeleton, character->skeleton, &map);
    if (code == CLI_DONE) code = retarget(context, path, motion, clip, character, map, out_clip, out);
    if (code == CLI_DONE && context->json)
        code = report_map(context, map, motion->skeleton, character->skeleton, out);
    if (code == CLI_DONE) {
        out->matched = map->matched;
        out->unmatched = map->target_count - map->matched;
        out->score = map->score;
        float percent = out->retarget.height > 0.0f ? 100.0f / out->retarget.height : 0.0f;
        context_say(context,
                    "scaled by %.4g; planted feet slide %.2f %% of the height at most (%.2f %% before the "
                    "correction)",
                    (double)out->retarget.scale, (double)(out->retarget.foot_slide_max * percent),
                    (double)(out->retarget.foot_slide_before * percent));
    }
    sn_joint_map_destroy(map);
    return code;
}

const char* motion_option_given(const cliArguments* arguments) {
    static const char* const names[] = {"map", "in-place", "extract-root", "mirror", "no-feet", "loop-clip"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (cli_given(arguments, names[i])) return names[i];
    }
    return NULL;
}

void motion_free(cliMotion* motion) { sni_json_free(motion->pairs); }

void motion_report(const cliMotion* motion, sniJsonValue* object) {
    sni_json_set(object, "joints_matched", sni_json_uint(motion->matched));
    sni_json_set(object, "joints_unmatched", sni_json_uint(motion->unmatched));
    sni_json_set(object, "map_score", sni_json_real((double)motion->score));
    if (motion->pairs != NULL) sni_json_set(object, "map", sni_json_copy(motion->pairs));
    sni_json_set(object, "motion_scale", sni_json_real((double)motion->retarget.scale));
    sni_json_set(object, "foot_contacts", sni_json_uint(motion->retarget.contacts));
    sni_json_set(object, "foot_slide_max", sni_json_real((double)motion->retarget.foot_slide_max));
    sni_json_set(object, "foot_slide_before", sni_json_real((double)motion->retarget.foot_slide_before));
    sni_json_set(object, "foot_height_max", sni_json_real((double)motion->retarget.foot_height_max));
    sni_json_set(object, "height", sni_json_real((double)motion->retarget.height));
    if (!motion->looped) return;
    sni_json_set(object, "loop_seconds", sni_json_real((double)motion->retarget.loop.duration));
    sni_json_set(object, "loop_seam_radians", sni_json_real((double)motion->retarget.loop.seam));
}
