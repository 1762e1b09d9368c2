#include "motion.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------- maps

// Pairs that a person should look at, as many as fit on a screen.
#define DOUBTFUL 0.6f
#define DOUBTFUL_MOST 6u

static void print_pair(const cliContext* context, const snJointPair* pair, const snSkeleton* source,
                       const snSkeleton* target, uint32_t joint) {
    char share[32] = "";
    if (pair->share < 0.999f)
        snprintf(share, sizeof share, ", %.0f %% of the way", (double)pair->share * 100.0);
    context_say(context, "  %-28s follows %-28s (%.2f%s)", sn_joint_name(target, joint).text,
                sn_joint_name(source, pair->source).text, (double)pair->confidence, share);
}

// All pairs with --verbose, else those that are doubtful.
static void print_map(const cliContext* context, const snJointMap* map, const snSkeleton* source,
                      const snSkeleton* target) {
    if (context->quiet || context->json) return;
    bool all = cli_given(context->arguments, "verbose");
    uint32_t doubtful = 0;
    for (uint32_t j = 0; j < map->target_count; j++) {
        const snJointPair* pair = &map->pairs[j];
        if (pair->source == SN_NONE) continue;
        bool doubt = pair->confidence < DOUBTFUL;
        if (all || (doubt && doubtful < DOUBTFUL_MOST)) print_pair(context, pair, source, target, j);
        doubtful += doubt;
    }
    if (!all && doubtful > DOUBTFUL_MOST)
        context_say(context, "  and %u more that are doubtful (--verbose lists all)",
                    doubtful - DOUBTFUL_MOST);
}

// The pairs for programs, with what the target joints are in a body.
static sniJsonValue* list_pairs(const cliContext* context, const snJointMap* map, const snSkeleton* source,
                                const snSkeleton* target) {
    snJointNames* names = NULL;
    if (sn_joint_names_create(target, &context->memory, &names, NULL) != SN_RESULT_OK) return NULL;
    sniJsonValue* pairs = sni_json_array();
    for (uint32_t j = 0; j < map->target_count; j++) {
        const snJointPair* pair = &map->pairs[j];
        sniJsonValue* object = sni_json_object();
        sni_json_set(object, "target", sni_json_string(sn_joint_name(target, j).text));
        if (names->body[j].text[0] != '\0')
            sni_json_set(object, "body", sni_json_string(names->body[j].text));
        sni_json_set(object, "how", sni_json_string(sn_pairing_name(pair->how)));
        sni_json_set(object, "confidence", sni_json_real((double)pair->confidence));
        if (pair->source != SN_NONE) {
            sni_json_set(object, "source", sni_json_string(sn_joint_name(source, pair->source).text));
            sni_json_set(object, "share", sni_json_real((double)pair->share));
        }
        sni_json_add(pairs, object);
    }
    sn_joint_names_destroy(names);
    return pairs;
}

// What a map is told to.
typedef struct Listener {
    cliContext* context;
    const char* path;
    cliMotion* out;
    bool unlike; // the skeletons do not fit
} Listener;

static bool tell_map(void* user, const snJointMap* map, const snSkeleton* source, const snSkeleton* target) {
    Listener* to = user;
    to->unlike = map->confidence < SN_JOINT_MAP_USABLE;
    context_say(to->context, "%s: %u of %u joints follow the motion, confidence %.2f", to->path, map->matched,
                map->target_count, (double)map->confidence);
    if (map->arms_left)
        context_say(to->context,
                    "the motion walks on its front legs; the character's arms stay as they rest");
    print_map(to->context, map, source, target);
    to->out->arms_left = map->arms_left;
    if (to->context->json) to->out->pairs = list_pairs(to->context, map, source, target);
    return true;
}

// --------------------------------------------------------------------------------------------------- clips

// --trim A:B, into what is given of both.
static cliExit read_trim(const cliArguments* a, float* from, float* to) {
    const char* text = cli_text(a, "trim");
    if (text == NULL) return CLI_DONE;
    const char* colon = strchr(text, ':');
    char *first = NULL, *second = NULL;
    float begin = strtof(text, &first);
    float end = colon != NULL ? strtof(colon + 1, &second) : 0.0f;
    if (colon == NULL || first > colon || (first != text && first != colon) || *second != '\0' ||
        cli_given(a, "from") || cli_given(a, "to"))
        return cli_usage(a->verb, "--trim %s: expected seconds as A:B, without --from and --to", text);
    if (first == colon && colon != text) *from = begin;
    if (second != colon + 1) *to = end;
    return CLI_DONE;
}

bool motion_is_cut(const cliArguments* a) {
    return cli_given(a, "from") || cli_given(a, "to") || cli_given(a, "trim");
}

cliExit motion_range(const cliContext* context, const snClip* clip, float* from, float* to) {
    const cliArguments* a = context->arguments;
    *from = cli_number(a, "from", *from);
    *to = cli_number(a, "to", clip->duration);
    cliExit code = read_trim(a, from, to);
    if (code != CLI_DONE) return code;
    if (*from <= *to && *to <= clip->duration * 1.0001f) {
        *to = sn_minf(*to, clip->duration);
        *from = sn_minf(*from, *to);
        return CLI_DONE;
    }
    return cli_usage(a->verb,
                     "--from %g --to %g: expected a stretch of the clip, which lasts from 0 to %g seconds",
                     (double)*from, (double)*to, (double)clip->duration);
}

cliExit motion_clip(const cliContext* context, const snSource* motion, uint32_t* out) {
    cliExit code = context_clip(context, sn_source_model(motion), out);
    if (code != CLI_DONE || *out != SN_CLIP_REST) return code;
    fprintf(stderr, "%s: there is no motion in this file\n", sn_source_name(motion));
    return CLI_BAD_INPUT;
}

// --ground on, off, or the height of the floor.
static cliExit read_ground(const cliArguments* a, snMotionDef* def) {
    const char* ground = cli_text(a, "ground");
    if (ground == NULL || strcmp(ground, "on") == 0) return CLI_DONE;
    def->ground = strcmp(ground, "off") != 0;
    if (!def->ground) return CLI_DONE;
    char* end = NULL;
    def->floor = strtof(ground, &end);
    if (end != ground && *end == '\0' && sn_finite(def->floor)) return CLI_DONE;
    return cli_usage(a->verb, "--ground %s: expected on, off or a height in metres", ground);
}

static cliExit read_def(cliContext* context, const snSource* motion, snMotionDef* def) {
    const cliArguments* a = context->arguments;
    cliExit code = motion_clip(context, motion, &def->clip);
    if (code != CLI_DONE) return code;
    const snClip* clip = sn_source_model(motion)->clips[def->clip];
    // A motion that stays a motion keeps its rate; one that moves a character is sampled for playing.
    def->fps = cli_number(a, "fps", cli_has(a->verb, "onto") ? sn_clip_rate(clip) : def->fps);
    float from = 0.0f, to = 0.0f;
    uint32_t frames = 0;
    code = motion_range(context, clip, &from, &to);
    if (code == CLI_DONE) code = context_frames(context, from, to, def->fps, true, &frames);
    if (code != CLI_DONE) return code;
    bool trims = cli_given(a, "trim");
    if (cli_given(a, "from") || (trims && from > 0.0f)) def->from = from;
    if (cli_given(a, "to") || (trims && to < clip->duration)) def->to = to;
    if (cli_given(a, "in-place") && cli_given(a, "extract-root"))
        return cli_usage(a->verb, "--in-place removes the travel, --extract-root moves it: use one of them");
    if (cli_given(a, "in-place")) def->root = SN_ROOT_IN_PLACE;
    if (cli_given(a, "extract-root")) def->root = SN_ROOT_EXTRACT;
    def->mirror = cli_given(a, "mirror");
    def->feet = !cli_given(a, "no-feet");
    def->loop = cli_given(a, "loop-clip");
    def->loop_any = def->loop && strcmp(cli_text(a, "loop-clip"), "auto") == 0;
    def->root_turn = cli_given(a, "root-turn");
    if (def->root_turn && def->root == SN_ROOT_KEEP)
        return cli_usage(a->verb, "--root-turn needs --in-place or --extract-root");
    def->reverse = cli_given(a, "reverse");
    def->speed = cli_number(a, "speed", 1.0f);
    code = read_ground(a, def);
    if (code != CLI_DONE) return code;
    const char* clean = cli_text(a, "clean");
    def->clean = clean == NULL || strcmp(clean, "off") != 0;
    const char* rest = cli_text(a, "rest");
    def->rest = rest != NULL && strcmp(rest, "nodes") == 0 ? SN_REST_NODES : SN_REST_BIND;
    return CLI_DONE;
}

static void say_rest(const cliContext* context, const char* whose, const snSkeleton* skeleton,
                     const snRestReport* rest) {
    if (rest->differing == 0) return;
    context_say(context,
                "note: %s: %u joints stand elsewhere than they were bound, %s most by %.0f degrees: the bind "
                "pose is taken for its rest (--rest nodes takes the other)",
                whose, rest->differing, sn_joint_name(skeleton, rest->joint).text,
                (double)rest->angle * 180.0 / 3.14159265358979);
}

// What was cleaned, the first of it by name.
static void say_clean(const cliContext* context, const snSource* source, const snCleanReport* clean) {
    const char* asked = cli_text(context->arguments, "clean");
    bool off = asked != NULL && strcmp(asked, "off") == 0;
    if (clean->spikes + clean->flips == 0) return;
    context_say(context, "%s: %u spike%s and %u flip%s of joints%s (jerk %.0f, %.0f without)",
                off ? "note: not cleaned" : "cleaned", clean->spikes, clean->spikes == 1 ? "" : "s",
                clean->flips, clean->flips == 1 ? "" : "s", off ? "" : " (--clean off keeps them)",
                (double)clean->jerk_before, (double)clean->jerk_after);
    bool all = cli_given(context->arguments, "verbose");
    for (uint32_t i = 0; i < clean->listed && all; i++) {
        const snCleanChange* change = &clean->changes[i];
        const char* name =
            change->joint != SN_NONE ? sn_source_model(source)->skeleton->names[change->joint] : "all joints";
        context_say(context, "  %-9s %-24s %8.3f to %8.3f s", sn_clean_kind_name(change->kind), name,
                    (double)change->from, (double)change->to);
    }
}

static sniJsonValue* list_changes(const snCleanReport* clean, const snSkeleton* skeleton) {
    sniJsonValue* list = sni_json_array();
    for (uint32_t i = 0; i < clean->listed; i++) {
        const snCleanChange* change = &clean->changes[i];
        sniJsonValue* object = sni_json_object();
        sni_json_set(object, "kind", sni_json_string(sn_clean_kind_name(change->kind)));
        if (change->joint != SN_NONE)
            sni_json_set(object, "joint", sni_json_string(sn_joint_name(skeleton, change->joint).text));
        sni_json_set(object, "from", sni_json_real((double)change->from));
        sni_json_set(object, "to", sni_json_real((double)change->to));
        sni_json_add(list, object);
    }
    return list;
}

static void say(const cliContext* context, const snSource* source, const cliMotion* motion) {
    const snMotionReport* made = &motion->made;
    const snRetargetReport* r = &made->retarget;
    say_rest(context, "the character", context_model(context)->skeleton, &made->rest);
    say_rest(context, sn_source_name(source), sn_source_model(source)->skeleton, &made->source_rest);
    if (made->skipped)
        context_say(
            context,
            "reference poses are left out: the motion is taken from %.3f to %.3f s (--from 0 keeps them)",
            (double)made->from, (double)made->to);
    say_clean(context, source, &made->clean);
    if (motion->looped)
        context_say(context, "loop: %.3f s from %.3f s on; the seam was %.1f degrees wide",
                    (double)r->loop.duration, (double)r->loop.start,
                    (double)r->loop.seam * 180.0 / 3.14159265358979);
    if (motion->looped && r->loop.seam > SN_LOOP_SEAM_WIDE)
        context_say(context,
                    "note: the motion does not come back to how it began, so the blend at the end of "
                    "the loop will show; a longer motion or other --from and --to may do better");
    if (cli_given(context->arguments, "extract-root") && !r->root_extracted)
        context_say(context, "no joint stands above the hips, so the travel stays on them");
    float percent = r->height > 0.0f ? 100.0f / r->height : 0.0f;
    context_say(context,
                "scaled by %.4g; planted feet slide %.2f %% of the height at most (%.2f %% before the "
                "correction)",
                (double)r->scale, (double)(r->foot_slide_max * percent),
                (double)(r->foot_slide_before * percent));
    if (r->limited > 0)
        context_say(context,
                    "knees, elbows or wrists went beyond what they can do in %u step%s and were held back",
                    r->limited, r->limited == 1 ? "" : "s");
    if (r->lift > 0.01f * r->height)
        context_say(context, "lifted by up to %.1f %% of the height where the body would sink into the floor",
                    (double)(r->lift * percent));
    if (r->released > 0.0f)
        context_say(context,
                    "feet or hands that stand in the motion are off the floor for %.2g s in all: they do not "
                    "reach it",
                    (double)r->released);
}

static cliExit add(cliContext* context, const snSource* motion, const snMotionDef* asked, cliMotion* out) {
    const char* path = cli_text(context->arguments, "map");
    Listener listener = {context, sn_source_name(motion), out, false};
    snMotionDef def = *asked;
    snJointOverrides overrides = {0};
    snError error = sn_error_none();
    snResult result = SN_RESULT_OK;
    if (path != NULL)
        result = sn_document_read_map(context->document, motion, path, NULL, 0, &overrides, &error);
    def.overrides = overrides.items;
    def.override_count = overrides.count;
    def.progress = context_listen(context);
    def.matched = tell_map;
    def.user = &listener;
    if (result == SN_RESULT_OK)
        result = sn_document_add_motion(context->document, motion, &def, &out->made, &error);
    sn_joint_overrides_free(&overrides);
    if (result == SN_RESULT_OK) return CLI_DONE;
    cliExit code = context_fail(context, &error);
    if (listener.unlike && path == NULL) fputs("sinew: --map FILE names them\n", stderr);
    return code;
}

cliExit motion_apply(cliContext* context, const snSource* motion, const char* name, uint32_t* out_clip,
                     cliMotion* out) {
    *out = (cliMotion){0};
    snMotionDef def = sn_motion_def();
    def.name = name;
    cliExit code = read_def(context, motion, &def);
    out->looped = def.loop;
    if (code == CLI_DONE) code = add(context, motion, &def, out);
    if (code != CLI_DONE) return code;
    *out_clip = out->made.clip;
    if (context->json) out->changes = list_changes(&out->made.clean, sn_source_model(motion)->skeleton);
    say(context, motion, out);
    return CLI_DONE;
}

const char* motion_option_given(const cliArguments* arguments) {
    static const char* const names[] = {"map",     "in-place",  "extract-root", "mirror",
                                        "no-feet", "loop-clip", "rest",         "clean",
                                        "ground",  "root-turn", "speed",        "reverse"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (cli_given(arguments, names[i])) return names[i];
    }
    return NULL;
}

void motion_free(cliMotion* motion) {
    sni_json_free(motion->pairs);
    sni_json_free(motion->changes);
}

void motion_report(const cliMotion* motion, sniJsonValue* object) {
    sni_json_set(object, "joints_matched", sni_json_uint(motion->made.matched));
    sni_json_set(object, "joints_unmatched", sni_json_uint(motion->made.unmatched));
    sni_json_set(object, "map_confidence", sni_json_real((double)motion->made.confidence));
    sni_json_set(object, "arms_left", sni_json_bool(motion->arms_left));
    if (motion->pairs != NULL) sni_json_set(object, "map", sni_json_copy(motion->pairs));
    sni_json_set(object, "motion_scale", sni_json_real((double)motion->made.retarget.scale));
    sni_json_set(object, "foot_contacts", sni_json_uint(motion->made.retarget.contacts));
    sni_json_set(object, "foot_slide_max", sni_json_real((double)motion->made.retarget.foot_slide_max));
    sni_json_set(object, "foot_slide_before", sni_json_real((double)motion->made.retarget.foot_slide_before));
    sni_json_set(object, "foot_height_max", sni_json_real((double)motion->made.retarget.foot_height_max));
    sni_json_set(object, "hand_contacts", sni_json_uint(motion->made.retarget.hand_contacts));
    sni_json_set(object, "lowest", sni_json_real((double)motion->made.retarget.lowest));
    sni_json_set(object, "lowest_median", sni_json_real((double)motion->made.retarget.lowest_median));
    sni_json_set(object, "clearance_max", sni_json_real((double)motion->made.retarget.clearance_max));
    sni_json_set(object, "lift", sni_json_real((double)motion->made.retarget.lift));
    sni_json_set(object, "released_seconds", sni_json_real((double)motion->made.retarget.released));
    sni_json_set(object, "height", sni_json_real((double)motion->made.retarget.height));
    const snCleanReport* clean = &motion->made.clean;
    sni_json_set(object, "references", sni_json_uint(clean->references));
    sni_json_set(object, "spikes", sni_json_uint(clean->spikes));
    sni_json_set(object, "flips", sni_json_uint(clean->flips));
    if (motion->changes != NULL) sni_json_set(object, "changes", sni_json_copy(motion->changes));
    sni_json_set(object, "limited_steps", sni_json_uint(motion->made.retarget.limited));
    sni_json_set(object, "jerk_before", sni_json_real((double)clean->jerk_before));
    sni_json_set(object, "jerk_after", sni_json_real((double)clean->jerk_after));
    sni_json_set(object, "motion_from", sni_json_real((double)motion->made.from));
    sni_json_set(object, "motion_to", sni_json_real((double)motion->made.to));
    sni_json_set(object, "rest_differing_joints", sni_json_uint(motion->made.rest.differing));
    sni_json_set(object, "rest_differs_by_radians", sni_json_real((double)motion->made.rest.angle));
    if (!motion->looped) return;
    sni_json_set(object, "loop_from", sni_json_real((double)motion->made.retarget.loop.start));
    sni_json_set(object, "loop_seconds", sni_json_real((double)motion->made.retarget.loop.duration));
    sni_json_set(object, "loop_seam_radians", sni_json_real((double)motion->made.retarget.loop.seam));
}
