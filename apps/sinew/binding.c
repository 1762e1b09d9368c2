#include "binding.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

void binding_free(cliBound* bound) {
    sn_bind_report_free(&bound->report);
    sn_fit_destroy(bound->fit);
    sn_skeleton_destroy(bound->fit_skeleton);
    if (bound->deforming != NULL) sni_free(&bound->memory, bound->deforming);
    *bound = (cliBound){0};
}

bool binding_has_skeleton(const cliContext* context, const snModel* model) {
    uint8_t* deforming = SNI_NEW_ARRAY(&context->memory, uint8_t, model->skeleton->joint_count);
    bool any = false;
    if (deforming == NULL) return true; // whoever binds will say what is wrong
    sn_bind_deforming(model, deforming);
    for (uint32_t j = 0; j < model->skeleton->joint_count; j++) any = any || deforming[j];
    sni_free(&context->memory, deforming);
    return any;
}

// --------------------------------------------------------------------------------------------- options

cliExit binding_check(const cliArguments* a) {
    const char* method = cli_text(a, "weights");
    if (cli_given(a, "cells") && cli_given(a, "cell-size"))
        return cli_usage(a->verb, "--cells and --cell-size say the same thing; one of them is enough");
    if (cli_given(a, "bones") && (method == NULL || strcmp(method, "heat") != 0))
        return cli_usage(a->verb, "--bones sets strengths and radii of --weights heat");
    return CLI_DONE;
}

const char* binding_option_given(const cliArguments* a) {
    static const cliOption options[] = {CLI_BIND_OPTIONS};
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        if (cli_given(a, options[i].name)) return options[i].name;
    }
    return NULL;
}

// --------------------------------------------------------------------------------------------- fitting

static void say_doubts(const cliContext* context, const cliBound* bound) {
    const snFit* fit = bound->fit;
    context_say(context, "fitted %u joints into the mesh (scale %.4g), %u of them unsure", fit->joint_count,
                (double)fit->scale, fit->unsure);
    for (uint32_t j = 0; j < fit->joint_count; j++) {
        if (fit->confidence[j] >= SN_FIT_SURE) continue;
        char text[200];
        sn_fit_doubt_text(fit->doubts[j], text, sizeof text);
        context_say(context, "  %-28s %.2f  %s", bound->fit_skeleton->names[j], (double)fit->confidence[j],
                    text);
    }
}

// Nodes of meshes, cameras and whole scenes stay where they are: nothing that deforms is at or above them.
static bool* find_kept(const cliContext* context, const snSkeleton* skeleton, const uint8_t* deforming) {
    bool* keep = SNI_NEW_ARRAY(&context->memory, bool, skeleton->joint_count);
    for (uint32_t k = 0; k < skeleton->joint_count && keep != NULL; k++) {
        uint32_t j = skeleton->order[k], above = skeleton->parents[j];
        keep[j] = !deforming[j] && (above == SN_NONE || keep[above]);
    }
    return keep;
}

// The skeleton of `from`, refitted into the parts of `mesh`.
static snResult fit_skeleton(cliContext* context, const snModel* mesh, const snModel* from, cliBound* out,
                             snError* error) {
    double start = context_clock();
    bool* keep = find_kept(context, from->skeleton, out->deforming);
    if (keep == NULL) return sni_fail_memory(error);
    snFitDef def = sn_fit_def();
    def.skeleton = from->skeleton;
    def.keep = keep;
    snResult result = sn_fit_model(&def, mesh, &context->memory, &out->fit, error);
    sni_free(&context->memory, keep);
    if (result == SN_RESULT_OK)
        result = sn_skeleton_refit(from->skeleton, out->fit, &context->memory, &out->fit_skeleton, error);
    out->fit_seconds = context_clock() - start;
    if (result == SN_RESULT_OK) say_doubts(context, out);
    return result;
}

// A joined model knows neither the skins nor the meshes of the file that its joints came from, and these say
// best who deforms. The joint behind the others carries the parts.
static snResult remember_deforming(const cliContext* context, const snModel* from, cliBound* out,
                                   snError* error) {
    out->memory = context->memory;
    out->deforming = SNI_NEW_ARRAY(&out->memory, uint8_t, (size_t)from->skeleton->joint_count + 1);
    if (out->deforming == NULL) return sni_fail_memory(error);
    sn_bind_deforming(from, out->deforming);
    return SN_RESULT_OK;
}

// A complaint about fitting or joining is about the mesh, where it names no file.
static cliExit fail_mesh(const cliContext* context, snError* error) {
    if (error->file[0] == '\0')
        snprintf(error->file, sizeof error->file, "%s", context->arguments->operands[0]);
    return context_fail(context, error);
}

static snResult add_clips(snModel* to, const snModel* from, snError* error) {
    snResult result = SN_RESULT_OK;
    for (uint32_t c = 0; c < from->clip_count && result == SN_RESULT_OK; c++) {
        snClipDef def = sn_clip_def(from->clips[c]);
        result = sn_model_add_clip(to, &def, error);
    }
    return result;
}

cliExit binding_join(cliContext* context, const char* path, const snModel* skeleton, bool fit, snModel* model,
                     cliBound* out) {
    snError error = sn_error_none();
    if (!binding_has_skeleton(context, skeleton)) {
        fprintf(stderr, "%s: there is no skeleton in this file\n", path);
        return CLI_BAD_INPUT;
    }
    if (fit) out->clips_left = skeleton->clip_count;
    snResult result = remember_deforming(context, skeleton, out, &error);
    if (result == SN_RESULT_OK && fit) result = fit_skeleton(context, model, skeleton, out, &error);
    if (result == SN_RESULT_OK)
        result = sn_model_set_skeleton(model, fit ? out->fit_skeleton : skeleton->skeleton, &error);
    if (result == SN_RESULT_OK && !fit) result = add_clips(model, skeleton, &error);
    return result == SN_RESULT_OK ? CLI_DONE : fail_mesh(context, &error);
}

// Joints that moved keep their turns; where a clip moves them too, it moves them from their new place.
static void move_clip(const snSkeleton* from, const snSkeleton* to, snClip* clip) {
    for (uint32_t i = 0; i < clip->channel_count; i++) {
        const snChannel* c = &clip->channels[i];
        if (c->path != SN_PATH_TRANSLATION) continue;
        bool cubic = c->interpolation == SN_INTERPOLATION_CUBIC;
        size_t values = (size_t)c->key_count * (cubic ? 3 : 1);
        snVec3 by = sn_sub(to->rest[c->joint].translation, from->rest[c->joint].translation);
        for (size_t k = 0; k < values; k++) {
            if (cubic && k % 3 != 1) continue; // tangents stay
            c->values[k * 3] += by.x;
            c->values[k * 3 + 1] += by.y;
            c->values[k * 3 + 2] += by.z;
        }
    }
}

cliExit binding_refit(cliContext* context, snModel* model, cliBound* out) {
    snError error = sn_error_none();
    snResult result = remember_deforming(context, model, out, &error);
    if (result == SN_RESULT_OK) result = fit_skeleton(context, model, model, out, &error);
    if (result != SN_RESULT_OK) return fail_mesh(context, &error);
    uint32_t clips = model->clip_count;
    for (uint32_t c = 0; c < clips; c++) move_clip(model->skeleton, out->fit_skeleton, model->clips[c]);
    model->clip_count = 0; // kept: the joints are the same, moved
    result = sn_model_set_skeleton(model, out->fit_skeleton, &error);
    model->clip_count = clips;
    return result == SN_RESULT_OK ? CLI_DONE : fail_mesh(context, &error);
}

// --------------------------------------------------------------------------------------------- binding

typedef struct Settings {
    uint8_t* deforming;
    float* strengths;
    float* radii;
} Settings;

static void free_settings(const cliContext* context, Settings* settings) {
    sni_free(&context->memory, settings->deforming);
    sni_free(&context->memory, settings->strengths);
    sni_free(&context->memory, settings->radii);
}

static cliExit read_settings(cliContext* context, const snModel* model, Settings* settings, snBindDef* def) {
    const cliArguments* a = context->arguments;
    const snSkeleton* skeleton = model->skeleton;
    cliExit code = CLI_DONE;
    if (cli_given(a, "joints")) {
        settings->deforming = SNI_NEW_ARRAY(&context->memory, uint8_t, skeleton->joint_count);
        if (settings->deforming == NULL) return context_fail_memory(context);
        code = binding_read_joints(context, cli_text(a, "joints"), skeleton, settings->deforming);
        def->deforming = settings->deforming;
    }
    if (code == CLI_DONE && cli_given(a, "bones")) {
        settings->strengths = SNI_NEW_ARRAY(&context->memory, float, skeleton->joint_count);
        settings->radii = SNI_NEW_ARRAY(&context->memory, float, skeleton->joint_count);
        if (settings->strengths == NULL || settings->radii == NULL) return context_fail_memory(context);
        code =
            binding_read_bones(context, cli_text(a, "bones"), skeleton, settings->strengths, settings->radii);
        def->strengths = settings->strengths;
        def->radii = settings->radii;
    }
    return code;
}

static void say_joints(const cliContext* context, const snModel* model, const char* what,
                       const uint32_t* joints, uint32_t count) {
    if (count == 0 || context->quiet) return;
    char line[400];
    size_t at = 0;
    for (uint32_t i = 0; i < count && at < sizeof line - 100; i++) {
        const char* name = model->skeleton->names[joints[i]];
        at += (size_t)snprintf(line + at, sizeof line - at, "%s%.60s", i > 0 ? ", " : "", name);
        if (at >= sizeof line - 100 && i + 1 < count)
            snprintf(line + at, sizeof line - at, " and %u more", count - i - 1);
    }
    context_say(context, "%s: %s", what, line);
}

static void say_report(const cliContext* context, const snModel* model, const cliBound* bound) {
    const snBindReport* r = &bound->report;
    bool kept = strcmp(bound->method, "keep") == 0;
    context_say(context,
                "bound %u vertices to %u joints %s%s in %.3f s: %u cells (%u of them copies), %u particles",
                r->vertex_count, r->deforming_joints, kept ? "with the file's weights" : "by ",
                kept ? "" : bound->method, bound->seconds, r->cells, r->duplicated_cells, r->particles);
    if (r->following_pieces > 0)
        context_say(context, "%u pieces without a bone follow the piece they sit on", r->following_pieces);
    say_joints(context, model, "joints without weight", r->joints_without_weight,
               r->joints_without_weight_count);
    say_joints(context, model, "bones outside of the mesh", r->bones_outside, r->bones_outside_count);
}

static cliExit run(cliContext* context, snModel* model, const snBindDef* def, cliBound* out) {
    static const char* const names[] = {"auto", "heat", "geodesic", "keep"};
    snError error = sn_error_none();
    double start = context_clock();
    snResult result = sn_model_bind(model, def, &out->report, &error);
    out->seconds = context_clock() - start;
    out->method = names[def->method];
    if (result != SN_RESULT_OK) {
        snprintf(error.file, sizeof error.file, "%s", context->arguments->operands[0]);
        cliExit code = context_fail(context, &error);
        if (strstr(error.text, "units differ") != NULL)
            fprintf(stderr, "sinew: --fit-joints puts a skeleton of another size into the mesh\n");
        return code;
    }
    say_report(context, model, out);
    const char* parts = cli_text(context->arguments, "parts");
    return parts != NULL ? binding_read_parts(context, parts, model) : CLI_DONE;
}

cliExit binding_apply(cliContext* context, snModel* model, bool keep, cliBound* out) {
    const cliArguments* a = context->arguments;
    const char* method = cli_text(a, "weights");
    const char* influences = cli_text(a, "influences");
    Settings settings = {0};
    snBindDef def = sn_bind_def();
    def.method = keep                                            ? SN_WEIGHTS_KEEP
                 : method == NULL || strcmp(method, "auto") == 0 ? SN_WEIGHTS_AUTO
                 : strcmp(method, "heat") == 0                   ? SN_WEIGHTS_HEAT
                                                                 : SN_WEIGHTS_GEODESIC;
    if (influences != NULL && strcmp(influences, "8") == 0) def.influences = 8;
    def.cells = cli_whole(a, "cells", 0);
    def.cell_size = cli_number(a, "cell-size", 0);
    def.memory_limit = context->budget.limit;
    def.tasks = context->tasks;
    def.level = context->level;
    def.deforming = out->deforming;
    cliExit code = read_settings(context, model, &settings, &def);
    if (code == CLI_DONE) code = run(context, model, &def, out);
    free_settings(context, &settings);
    return code;
}

cliExit binding_bare(cliContext* context, const char* path, const snModel* motion, snModel* model,
                     cliBound* out) {
    context_say(context, "%s has no skeleton: that of %s is fitted into it", context->arguments->operands[0],
                path);
    cliExit code = binding_join(context, path, motion, true, model, out);
    return code == CLI_DONE ? binding_apply(context, model, false, out) : code;
}

// --------------------------------------------------------------------------------------------- report

static sniJsonValue* names_of(const snSkeleton* skeleton, const uint32_t* joints, uint32_t count) {
    sniJsonValue* list = sni_json_array();
    for (uint32_t i = 0; i < count; i++) sni_json_add(list, sni_json_string(skeleton->names[joints[i]]));
    return list;
}

// One joint of a fit: how sure its place is, why not more so, and where it is.
static sniJsonValue* fit_joint(const cliBound* bound, uint32_t j) {
    const snFit* fit = bound->fit;
    char text[200];
    sniJsonValue *joint = sni_json_object(), *doubts = sni_json_array();
    sn_fit_doubt_text(fit->doubts[j], text, sizeof text);
    for (uint32_t i = 0; i < SN_FIT_DOUBTS; i++) {
        uint32_t doubt = fit->doubts[j] & 1u << i;
        if (doubt != 0) sni_json_add(doubts, sni_json_string(sn_fit_doubt_name(doubt)));
    }
    sni_json_set(joint, "joint", sni_json_string(bound->fit_skeleton->names[j]));
    sni_json_set(joint, "confidence", sni_json_real((double)fit->confidence[j]));
    sni_json_set(joint, "reason", sni_json_string(text));
    sni_json_set(joint, "doubts", doubts);
    sni_json_set(joint, "position", sni_json_floats(&fit->places[j].x, 3));
    return joint;
}

static sniJsonValue* fit_report(const cliBound* bound) {
    const snFit* fit = bound->fit;
    sniJsonValue* object = sni_json_object();
    sniJsonValue *unsure = sni_json_array(), *joints = sni_json_array();
    for (uint32_t j = 0; j < fit->joint_count; j++) {
        sni_json_add(joints, fit_joint(bound, j));
        if (fit->confidence[j] < SN_FIT_SURE) sni_json_add(unsure, fit_joint(bound, j));
    }
    sni_json_set(object, "mode", sni_json_string(fit->mode == SN_FIT_BODY ? "body" : "centre"));
    sni_json_set(object, "scale", sni_json_real((double)fit->scale));
    sni_json_set(object, "moved", sni_json_real((double)fit->moved));
    sni_json_set(object, "seconds", sni_json_real(bound->fit_seconds));
    sni_json_set(object, "unsure", unsure);
    sni_json_set(object, "joints", joints);
    return object;
}

void binding_report(const cliBound* bound, const snModel* model, sniJsonValue* object) {
    const snBindReport* r = &bound->report;
    const snSkeleton* skeleton = model->skeleton;
    sni_json_set(object, "weights", sni_json_string(bound->method));
    sni_json_set(object, "vertices", sni_json_uint(r->vertex_count));
    sni_json_set(object, "cells", sni_json_uint(r->cells));
    sni_json_set(object, "particles", sni_json_uint(r->particles));
    sni_json_set(object, "duplicated_cells", sni_json_uint(r->duplicated_cells));
    sni_json_set(object, "cell_size", sni_json_real((double)model->binding->lattice->cell_size));
    sni_json_set(object, "lattice_bytes", sni_json_uint(sn_lattice_bytes(model->binding->lattice)));
    sni_json_set(object, "deforming_joints", sni_json_uint(r->deforming_joints));
    sni_json_set(object, "bones", sni_json_uint(r->bones));
    sni_json_set(object, "bind_seconds", sni_json_real(bound->seconds));
    sni_json_set(object, "unweighted_vertices", sni_json_uint(r->unweighted_vertices));
    sni_json_set(object, "joints_without_weight",
                 names_of(skeleton, r->joints_without_weight, r->joints_without_weight_count));
    sni_json_set(object, "dropped_mass_max", sni_json_real((double)r->dropped_mass_max));
    sni_json_set(object, "dropped_mass_mean", sni_json_real((double)r->dropped_mass_mean));
    sni_json_set(object, "bones_outside", names_of(skeleton, r->bones_outside, r->bones_outside_count));
    sni_json_set(object, "bones_short", names_of(skeleton, r->bones_short, r->bones_short_count));
    sni_json_set(object, "following_pieces", sni_json_uint(r->following_pieces));
    sni_json_set(object, "residual", sni_json_real(r->residual));
    sni_json_set(object, "iterations", sni_json_uint(r->iterations));
    if (bound->fit != NULL) sni_json_set(object, "fit", fit_report(bound));
}
