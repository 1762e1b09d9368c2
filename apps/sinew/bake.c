// What a glTF gets beyond its skin: options, and what became of helper joints, for people and as JSON.
#include <string.h>

#include "bake.h"

#define DEGREES 57.29577951308232

// --------------------------------------------------------------------------------------------------- options

snTakeWriteDef bake_options(const cliArguments* a, snBakeTarget target, snNotes* notes) {
    snTakeWriteDef def = sn_take_write_def();
    def.target = target;
    def.tolerance = 1e-3f * cli_number(a, "tolerance", 0);
    def.target_limit = cli_whole(a, "morphs", 0);
    def.helper_count = cli_whole(a, "helpers", 0);
    def.influences = cli_whole(a, "bake-influences", 0);
    def.rest_tolerance = 1e-3f * cli_number(a, "rest-limit", 0);
    def.refit_normals = cli_given(a, "refit-normals");
    def.floats = cli_given(a, "floats");
    def.no_normals = cli_given(a, "no-normals");
    def.compress = cli_given(a, "compress");
    def.notes = notes;
    return def;
}

snBakeTarget bake_target(const cliArguments* a, snBakeTarget fallback) {
    const char* text = cli_text(a, "target");
    for (int t = SN_BAKE_SKIN; t <= SN_BAKE_BOTH && text != NULL; t++)
        if (strcmp(text, sn_bake_target_name((snBakeTarget)t)) == 0) return (snBakeTarget)t;
    return fallback;
}

cliExit bake_check(const cliArguments* a, snBakeTarget target) {
    static const char* const joints[] = {"helpers", "bake-influences", "refit-normals", "rest-limit"};
    bool helped = target == SN_BAKE_JOINTS || target == SN_BAKE_BOTH;
    for (size_t i = 0; i < sizeof joints / sizeof joints[0] && !helped; i++)
        if (cli_given(a, joints[i]))
            return cli_usage(a->verb, "--%s is for --target joints in a .glb or .gltf", joints[i]);
    static const char* const morphs[] = {"morphs", "floats", "no-normals"};
    for (size_t i = 0; i < sizeof morphs / sizeof morphs[0] && target == SN_BAKE_JOINTS; i++)
        if (cli_given(a, morphs[i])) return cli_usage(a->verb, "--%s is for --target morph", morphs[i]);
    return CLI_DONE;
}

// ----------------------------------------------------------------------------------------------------- text

static const char* clip_name(const snModel* model, const snJointBake* bake, uint32_t clip) {
    uint32_t index = bake->clips[clip].clip;
    return index < model->clip_count ? model->clips[index]->name : "of no name";
}

static uint32_t keys_between(const snJointBake* bake) {
    uint32_t count = 0;
    for (uint32_t c = 0; c < bake->clip_count; c++)
        count += bake->clips[c].key_count - bake->clips[c].frame_count;
    return count;
}

static void say_worst(const cliContext* context, const snModel* model, const snJointBake* bake) {
    const snBakeError* e = &bake->frames;
    if (!(e->worst > 0.0)) return;
    context_say(context,
                "worst at vertex %u of %s in clip %s, frame %u; the plain skin is at most %.1f mm off",
                e->vertex, model->parts[e->part].name, clip_name(model, bake, e->clip), e->frame,
                bake->plain.worst * 1e3);
}

static void say_doubts(const cliContext* context, const snJointBake* bake, bool last) {
    for (uint32_t c = 0; c < bake->clip_count; c++) {
        const snHelperClip* clip = &bake->clips[c];
        if (clip->turn_max * (float)DEGREES > 60.0f)
            context_say(context,
                        "note: %s turns by %.0f degrees from one key to the next at frame %u: the surface "
                        "jumps there",
                        bake->helpers[clip->turn_helper].name, (double)clip->turn_max * DEGREES,
                        clip->turn_frame);
    }
    if (!last && bake->frames.worst > (double)bake->tolerance)
        context_say(context,
                    "note: %.3g mm was asked for; --helpers %d or --bake-influences 8 come nearer, "
                    "--target morph, or both, gets there in a larger file",
                    (double)bake->tolerance * 1e3, SN_HELPERS_MAX / 2);
}

static void say_joints(const cliContext* context, const snModel* model, const snJointBake* bake) {
    double percent = bake->size > 0.0 ? 100.0 / bake->size : 0.0;
    if (bake->plain.worst == 0.0 || bake->helper_count == 0) {
        context_say(context, "no helper joint is needed: the plain skin is at most %.3f mm off",
                    bake->frames.worst * 1e3);
        return;
    }
    context_say(
        context,
        "%u helper joints: %.3f mm rms (%.4f %% of the size) and at most %.3f mm (%.3f %%) off at the "
        "frames",
        bake->helper_count, bake->frames.rms * 1e3, bake->frames.rms * percent, bake->frames.worst * 1e3,
        bake->frames.worst * percent);
    if (bake->middles.worst > 0.0)
        context_say(context, "%.3f mm rms and at most %.3f mm half way between them, %u of which have keys",
                    bake->middles.rms * 1e3, bake->middles.worst * 1e3, keys_between(bake));
    say_worst(context, model, bake);
    context_say(
        context,
        "with resting helpers the skin is at most %.2f mm off the plain one; normals are %.2f degrees "
        "off (%.2f in the plain skin)",
        bake->rest_error * 1e3, bake->mean_normal * DEGREES, bake->plain_normal * DEGREES);
    const cliArguments* a = context->arguments;
    say_doubts(context, bake, cli_given(a, "helpers") || bake_target(a, SN_BAKE_JOINTS) == SN_BAKE_BOTH);
}

static void say_morphs(const cliContext* context, const snMorphBake* morphs) {
    context_say(context,
                "%u morph targets in %s space, at most %.3f mm off at the frames, %.3f mm half way between, "
                "normals %.2f degrees in the mean",
                morphs->target_count, sn_morph_space_name(morphs->space), morphs->worst_error * 1e3,
                morphs->middle_error * 1e3, morphs->mean_normal * DEGREES);
}

void bake_say_take(const cliContext* context, const snModel* model, const snTake* take) {
    if (sn_take_joints(take) != NULL) say_joints(context, model, sn_take_joints(take));
    if (sn_take_morphs(take) != NULL) say_morphs(context, sn_take_morphs(take));
}

// ----------------------------------------------------------------------------------------------------- JSON

static sniJsonValue* error_object(const snModel* model, const snJointBake* bake, const snBakeError* e) {
    sniJsonValue* object = sni_json_object();
    double percent = bake->size > 0.0 ? 100.0 / bake->size : 0.0;
    sni_json_set(object, "rms_mm", sni_json_real(e->rms * 1e3));
    sni_json_set(object, "max_mm", sni_json_real(e->worst * 1e3));
    sni_json_set(object, "rms_percent", sni_json_real(e->rms * percent));
    sni_json_set(object, "max_percent", sni_json_real(e->worst * percent));
    sni_json_set(object, "part", sni_json_string(model->parts[e->part].name));
    sni_json_set(object, "vertex", sni_json_uint(e->vertex));
    sni_json_set(object, "clip", sni_json_string(clip_name(model, bake, e->clip)));
    sni_json_set(object, "frame", sni_json_uint(e->frame));
    return object;
}

static sniJsonValue* stage_table(const snJointBake* bake) {
    sniJsonValue* table = sni_json_array();
    for (uint32_t i = 0; i < bake->stage_count; i++) {
        const snJointStage* stage = &bake->stages[i];
        sniJsonValue* row = sni_json_object();
        sni_json_set(row, "helpers", sni_json_uint(stage->helper_count));
        sni_json_set(row, "rms_mm", sni_json_real(stage->rms * 1e3));
        sni_json_set(row, "max_mm", sni_json_real(stage->worst * 1e3));
        sni_json_set(row, "bytes", sni_json_uint(stage->bytes));
        sni_json_add(table, row);
    }
    return table;
}

static void report_joints(const snModel* model, const snJointBake* bake, sniJsonValue* object) {
    if (bake->part_count == 0) return;
    sniJsonValue* to = sni_json_object();
    sni_json_set(to, "helpers", sni_json_uint(bake->helper_count));
    sni_json_set(to, "tolerance_mm", sni_json_real((double)bake->tolerance * 1e3));
    sni_json_set(to, "frames", error_object(model, bake, &bake->frames));
    sni_json_set(to, "middles", error_object(model, bake, &bake->middles));
    sni_json_set(to, "plain", error_object(model, bake, &bake->plain));
    sni_json_set(to, "keys_between_frames", sni_json_uint(keys_between(bake)));
    sni_json_set(to, "rest_max_mm", sni_json_real(bake->rest_error * 1e3));
    sni_json_set(to, "normals_mean_degrees", sni_json_real(bake->mean_normal * DEGREES));
    sni_json_set(to, "normals_max_degrees", sni_json_real(bake->worst_normal * DEGREES));
    sni_json_set(to, "plain_normals_mean_degrees", sni_json_real(bake->plain_normal * DEGREES));
    sni_json_set(to, "fitted_frames", sni_json_uint(bake->fitted_frames));
    sni_json_set(to, "table", stage_table(bake));
    sni_json_set(object, "helper_joints", to);
}

static void report_morphs(const snMorphBake* morphs, sniJsonValue* object) {
    sni_json_set(object, "morph_targets", sni_json_uint(morphs->target_count));
    sni_json_set(object, "morph_error_max_mm", sni_json_real(morphs->worst_error * 1e3));
    sni_json_set(object, "morph_error_middle_mm", sni_json_real(morphs->middle_error * 1e3));
    sni_json_set(object, "morph_error_rms_mm", sni_json_real(morphs->rms_error * 1e3));
    sni_json_set(object, "morph_normals_mean_degrees", sni_json_real(morphs->mean_normal * DEGREES));
    sni_json_set(object, "morph_space", sni_json_string(sn_morph_space_name(morphs->space)));
}

void bake_report_take(const snModel* model, const snTake* take, sniJsonValue* object) {
    if (sn_take_joints(take) != NULL) report_joints(model, sn_take_joints(take), object);
    if (sn_take_morphs(take) != NULL) report_morphs(sn_take_morphs(take), object);
}
