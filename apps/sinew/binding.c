#include "binding.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"

void binding_free(cliBound* bound) {
    sn_bind_report_free(&bound->report);
    sn_fit_report_free(&bound->fit);
    *bound = (cliBound){0};
}

// --------------------------------------------------------------------------------------------- options

cliExit binding_check(const cliArguments* a) {
    const char* method = cli_text(a, "weights");
    if (cli_given(a, "cells") && cli_given(a, "cell-size"))
        return cli_usage(a->verb, "--cells and --cell-size both set the resolution; use one of them");
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
    const snFit* fit = bound->fit.fit;
    context_say(context, "fitted %u joints into the mesh (scale %.4g), %u of them unsure", fit->joint_count,
                (double)fit->scale, fit->unsure);
    for (uint32_t j = 0; j < fit->joint_count; j++) {
        if (fit->confidence[j] >= SN_FIT_SURE) continue;
        char text[200];
        sn_fit_doubt_text(fit->doubts[j], text, sizeof text);
        context_say(context, "  %-28s %.2f  %s", bound->fit.skeleton->names[j], (double)fit->confidence[j],
                    text);
    }
}

// `skeleton` NULL: the character's own joints.
static cliExit fit(cliContext* context, const snSource* skeleton, bool fits, cliBound* out) {
    snError error = sn_error_none();
    double start = context_clock();
    snProgress progress = context_listen(context);
    snJoinDef def = sn_join_def();
    def.fit = fits;
    def.up = stance_axis(context->arguments, "up");
    def.facing = stance_axis(context->arguments, "facing");
    snResult result = skeleton != NULL
                          ? sn_document_join(context->document, skeleton, &def, &progress, &out->fit, &error)
                          : sn_document_refit(context->document, &progress, &out->fit, &error);
    out->fit_seconds = context_clock() - start;
    if (result != SN_RESULT_OK) {
        cliExit code = context_fail(context, &error);
        if (strstr(error.text, "+Y up") != NULL)
            fprintf(stderr, "sinew: --up and --facing say how the mesh lies in its file\n");
        return code;
    }
    out->joined = skeleton != NULL;
    if (out->joined) stance_say(context, &out->fit.stance, out->fit.turned);
    if (out->fit.fit != NULL) say_doubts(context, out);
    return CLI_DONE;
}

cliExit binding_join(cliContext* context, const snSource* skeleton, bool fits, cliBound* out) {
    return fit(context, skeleton, fits, out);
}

cliExit binding_refit(cliContext* context, cliBound* out) { return fit(context, NULL, true, out); }

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

static cliExit read_settings(cliContext* context, Settings* settings, snBindDef* def) {
    const cliArguments* a = context->arguments;
    uint32_t joints = context_model(context)->skeleton->joint_count;
    snError error = sn_error_none();
    snResult result = SN_RESULT_OK;
    if (cli_given(a, "joints")) {
        const char* path = cli_text(a, "joints");
        snNotes notes = {0};
        settings->deforming = SNI_NEW_ARRAY(&context->memory, uint8_t, joints);
        if (settings->deforming == NULL) return context_fail_memory(context);
        result =
            sn_document_read_joints(context->document, path, NULL, 0, settings->deforming, &notes, &error);
        for (uint32_t i = 0; i < notes.count && i < sizeof notes.text / sizeof notes.text[0]; i++)
            context_say(context, "%s", notes.text[i]);
        def->deforming = settings->deforming;
    }
    if (result == SN_RESULT_OK && cli_given(a, "bones")) {
        settings->strengths = SNI_NEW_ARRAY(&context->memory, float, joints);
        settings->radii = SNI_NEW_ARRAY(&context->memory, float, joints);
        if (settings->strengths == NULL || settings->radii == NULL) return context_fail_memory(context);
        result = sn_document_read_bones(context->document, cli_text(a, "bones"), NULL, 0, settings->strengths,
                                        settings->radii, &error);
        def->strengths = settings->strengths;
        def->radii = settings->radii;
    }
    return result == SN_RESULT_OK ? CLI_DONE : context_fail(context, &error);
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

static void say_idle(const cliContext* context, const snModel* model, const snBindReport* r) {
    if (r->joints_without_weight_count == 0) return;
    context_say(context, "%u joint%s without weight:", r->joints_without_weight_count,
                r->joints_without_weight_count > 1 ? "s" : "");
    for (uint32_t i = 0; i < r->joints_without_weight_count; i++) {
        char why[200];
        sn_idle_text(&r->idle_joints[i], model->skeleton, why, sizeof why);
        context_say(context, "  %-28s %s", model->skeleton->names[r->idle_joints[i].joint], why);
    }
}

// The joint with the largest share below another's, or SN_NONE.
static uint32_t next_joint(const snBindDoubt* doubt, uint32_t after) {
    uint32_t best = SN_NONE;
    for (uint32_t j = 0; j < doubt->joint_count; j++) {
        float share = doubt->joint_shares[j];
        float least = after == SN_NONE ? INFINITY : doubt->joint_shares[after];
        bool below = share < least || (share == least && j > after);
        if (share > 0.0f && below && (best == SN_NONE || share > doubt->joint_shares[best])) best = j;
    }
    return best;
}

static void say_doubt(const cliContext* context, const snModel* model, const snBindDoubt* doubt) {
    enum { NAMED = 4 };
    char line[400] = "";
    size_t at = 0;
    uint32_t j = next_joint(doubt, SN_NONE);
    for (int i = 0; i < NAMED && j != SN_NONE; i++, j = next_joint(doubt, j))
        at += (size_t)snprintf(line + at, sizeof line - at, "%s%.60s %.1f %%", i == 0 ? "; most at " : ", ",
                               model->skeleton->names[j], 100.0 * (double)doubt->joint_shares[j]);
    context_say(
        context,
        "in doubt: %.1f %% of the surface (other methods move it by more than %g %% of the size when a "
        "joint turns by 45 degrees)%s",
        100.0 * (double)doubt->share, 100.0 * (double)SN_DOUBT_LIMIT, line);
}

static void say_report(const cliContext* context, const snModel* model, const cliBound* bound) {
    const snBindReport* r = &bound->report;
    bool kept = strcmp(bound->method, "keep") == 0;
    context_say(context,
                "bound %u vertices to %u joints %s%s in %.3f s: %u cells (%u of them copies), %u particles",
                r->vertex_count, r->deforming_joints, kept ? "with the file's weights" : "by ",
                kept ? "" : bound->method, bound->seconds, r->cells, r->duplicated_cells, r->particles);
    if (r->mirrored > 0.0f)
        context_say(context, "left and right mirror each other at %.4g %% of the points",
                    100.0 * (double)r->mirrored);
    if (r->following_pieces > 0)
        context_say(context, "%u pieces without a bone follow the piece they sit on", r->following_pieces);
    if (r->residual > 10.0 * SN_BIND_TOLERANCE) // the last step may miss it by a hair
        fprintf(stderr,
                "sinew: weights are rough, solved to %.2g instead of %.0e: faces without size, perhaps; "
                "--weights heat "
                "does not need them\n",
                r->residual, SN_BIND_TOLERANCE);
    say_idle(context, model, r);
    if (r->doubt != NULL) say_doubt(context, model, r->doubt);
    say_joints(context, model, "bones outside of the mesh", r->bones_outside, r->bones_outside_count);
}

static cliExit run(cliContext* context, const snBindDef* def, cliBound* out) {
    static const char* const names[] = {"auto", "heat", "geodesic", "keep"};
    snError error = sn_error_none();
    double start = context_clock();
    snProgress progress = context_listen(context);
    snResult result = sn_document_bind(context->document, def, &progress, &out->report, &error);
    out->seconds = context_clock() - start;
    out->method = names[def->method];
    if (result != SN_RESULT_OK) {
        cliExit code = context_fail(context, &error);
        if (strstr(error.text, "units differ") != NULL)
            fprintf(stderr, "sinew: --fit-joints puts a skeleton of another size into the mesh\n");
        return code;
    }
    say_report(context, context_model(context), out);
    const char* parts = cli_text(context->arguments, "parts");
    if (parts == NULL || sn_document_set_parts(context->document, parts, NULL, 0, &error) == SN_RESULT_OK)
        return CLI_DONE;
    return context_fail(context, &error);
}

cliExit binding_apply(cliContext* context, bool keep, cliBound* out) {
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
    def.doubt = cli_has(a->verb, "doubt") && cli_given(a, "doubt");
    cliExit code = read_settings(context, &settings, &def);
    if (code == CLI_DONE) code = run(context, &def, out);
    free_settings(context, &settings);
    return code;
}

cliExit binding_bare(cliContext* context, const snSource* motion, cliBound* out) {
    context_say(context, "%s has no skeleton: that of %s is fitted into it", context->arguments->operands[0],
                sn_source_name(motion));
    cliExit code = binding_join(context, motion, true, out);
    return code == CLI_DONE ? binding_apply(context, false, out) : code;
}

// --------------------------------------------------------------------------------------------- report

static sniJsonValue* names_of(const snSkeleton* skeleton, const uint32_t* joints, uint32_t count) {
    sniJsonValue* list = sni_json_array();
    for (uint32_t i = 0; i < count; i++) sni_json_add(list, sni_json_string(skeleton->names[joints[i]]));
    return list;
}

static sniJsonValue* idle_joints(const snSkeleton* skeleton, const snBindReport* r) {
    sniJsonValue* list = sni_json_array();
    for (uint32_t i = 0; i < r->joints_without_weight_count; i++) {
        const snIdleJoint* idle = &r->idle_joints[i];
        sniJsonValue* object = sni_json_object();
        char why[200];
        sn_idle_text(idle, skeleton, why, sizeof why);
        sni_json_set(object, "joint", sni_json_string(skeleton->names[idle->joint]));
        sni_json_set(object, "reason", sni_json_string(sn_idle_reason_name(idle->reason)));
        if (idle->other != SN_NONE)
            sni_json_set(object, "other", sni_json_string(skeleton->names[idle->other]));
        sni_json_set(object, "text", sni_json_string(why));
        sni_json_add(list, object);
    }
    return list;
}

static sniJsonValue* doubt_report(const snSkeleton* skeleton, const snBindDoubt* doubt) {
    sniJsonValue *object = sni_json_object(), *joints = sni_json_array();
    for (uint32_t j = next_joint(doubt, SN_NONE); j != SN_NONE; j = next_joint(doubt, j)) {
        sniJsonValue* joint = sni_json_object();
        sni_json_set(joint, "joint", sni_json_string(skeleton->names[j]));
        sni_json_set(joint, "share", sni_json_real((double)doubt->joint_shares[j]));
        sni_json_add(joints, joint);
    }
    sni_json_set(object, "share", sni_json_real((double)doubt->share));
    sni_json_set(object, "limit", sni_json_real((double)doubt->limit));
    sni_json_set(object, "mean", sni_json_real((double)doubt->mean));
    sni_json_set(object, "largest", sni_json_real((double)doubt->largest));
    sni_json_set(object, "joints", joints);
    return object;
}

// One joint of a fit: how sure its place is, why not more so, and where it is.
static sniJsonValue* fit_joint(const cliBound* bound, uint32_t j) {
    const snFit* fit = bound->fit.fit;
    char text[200];
    sniJsonValue *joint = sni_json_object(), *doubts = sni_json_array();
    sn_fit_doubt_text(fit->doubts[j], text, sizeof text);
    for (uint32_t i = 0; i < SN_FIT_DOUBTS; i++) {
        uint32_t doubt = fit->doubts[j] & 1u << i;
        if (doubt != 0) sni_json_add(doubts, sni_json_string(sn_fit_doubt_name(doubt)));
    }
    sni_json_set(joint, "joint", sni_json_string(bound->fit.skeleton->names[j]));
    sni_json_set(joint, "confidence", sni_json_real((double)fit->confidence[j]));
    sni_json_set(joint, "reason", sni_json_string(text));
    sni_json_set(joint, "doubts", doubts);
    sni_json_set(joint, "position", sni_json_floats(&fit->places[j].x, 3));
    return joint;
}

static sniJsonValue* fit_report(const cliBound* bound) {
    const snFit* fit = bound->fit.fit;
    sniJsonValue* object = sni_json_object();
    sniJsonValue *unsure = sni_json_array(), *joints = sni_json_array();
    for (uint32_t j = 0; j < fit->joint_count; j++) {
        sni_json_add(joints, fit_joint(bound, j));
        if (fit->confidence[j] < SN_FIT_SURE) sni_json_add(unsure, fit_joint(bound, j));
    }
    sni_json_set(object, "mode", sni_json_string(fit->mode == SN_FIT_BODY ? "body" : "center"));
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
    sni_json_set(object, "idle_joints", idle_joints(skeleton, r));
    sni_json_set(object, "dropped_mass_max", sni_json_real((double)r->dropped_mass_max));
    sni_json_set(object, "dropped_mass_mean", sni_json_real((double)r->dropped_mass_mean));
    sni_json_set(object, "bones_outside", names_of(skeleton, r->bones_outside, r->bones_outside_count));
    sni_json_set(object, "bones_short", names_of(skeleton, r->bones_short, r->bones_short_count));
    sni_json_set(object, "mirrored", sni_json_real((double)r->mirrored));
    sni_json_set(object, "following_pieces", sni_json_uint(r->following_pieces));
    sni_json_set(object, "residual", sni_json_real(r->residual));
    sni_json_set(object, "iterations", sni_json_uint(r->iterations));
    if (r->doubt != NULL) sni_json_set(object, "doubt", doubt_report(skeleton, r->doubt));
    if (bound->joined) sni_json_set(object, "stance", stance_report(&bound->fit.stance, bound->fit.turned));
    if (bound->fit.fit != NULL) sni_json_set(object, "fit", fit_report(bound));
}
