// What `sinew animate` tells of volumes: those of the joints' parts, and those of the surface's pieces.
#include <stdio.h>
#include <string.h>

#include "animate.h"

// Below this an error is what numbers round to, not a failure.
#define KEPT 1e-6

// -------------------------------------------------------------------------------------------------- people

// Adds "2 move rigidly" or "1 moves rigidly", after a comma where something is there.
static void add_reason(char* text, size_t capacity, uint32_t count, const char* one, const char* many) {
    size_t length = strlen(text);
    if (count == 0) return;
    snprintf(text + length, capacity - length, "%s%u %s", length > 0 ? ", " : "", count,
             count == 1 ? one : many);
}

static void say_pieces(const animateJob* job, const snShellCensus* census) {
    char reasons[256] = "", repairs[256] = "";
    add_reason(reasons, sizeof reasons, census->kinds[SN_SHELL_RIGID], "moves rigidly", "move rigidly");
    add_reason(reasons, sizeof reasons, census->kinds[SN_SHELL_FLAT], "is a sheet", "are sheets");
    add_reason(reasons, sizeof reasons, census->kinds[SN_SHELL_UNORIENTED], "has no inside",
               "have no inside");
    uint32_t alone =
        census->kinds[SN_SHELL_RIGID] + census->kinds[SN_SHELL_FLAT] + census->kinds[SN_SHELL_UNORIENTED];
    if (alone > 0)
        context_say(job->context, "note: %u %s of the surface left alone: %s", alone,
                    alone == 1 ? "piece" : "pieces", reasons);
    add_reason(repairs, sizeof repairs, census->openings, "opening was closed", "openings were closed");
    add_reason(repairs, sizeof repairs, census->turned, "face turned", "faces turned");
    add_reason(repairs, sizeof repairs, census->inside_out, "piece is inside out", "pieces are inside out");
    if (repairs[0] != '\0') context_say(job->context, "note: to measure volumes, %s", repairs);
}

void animate_say_volumes(const animateJob* job) {
    if (job->settings->skin_contact)
        context_say(job->context, "contact: skin was moved by up to %.3g mm",
                    (double)sn_take_report(job->take)->made.contact_max * 1e3);
    if (sn_take_shells(job->take) == NULL) return;
    const snCharacterReport* made = &sn_take_report(job->take)->made;
    snShellCensus census = sn_exact_volume_census(sn_character_exact(sn_take_character(job->take)));
    if (census.kinds[SN_SHELL_KEPT] == 0)
        context_say(job->context, "note: no piece of the surface has a volume to keep");
    else
        context_say(job->context, "volume: off by %.3g %% at most before the correction, by %.2g %% after it",
                    made->exact_before_max * 100.0, made->exact_error_max * 100.0);
    if (made->exact_error_max > KEPT && !job->settings->volume_one_step)
        context_say(job->context, "note: that is more than the %.0e %% that is promised", KEPT * 100.0);
    say_pieces(job, &census);
    if (made->exact_held_max > KEPT)
        context_say(job->context,
                    "note: up to %.3g %% of a volume was not given back: the surface has no room for it",
                    made->exact_held_max * 100.0);
}

// ---------------------------------------------------------------------------------------------------- JSON

static void report_parts(const animateJob* job, sniJsonValue* object) {
    const snPartVolumeAccount* volumes = sn_take_part_volumes(job->take);
    double frames = (double)sn_take_report(job->take)->frames;
    if (volumes == NULL) return;
    const snBinding* binding = job->model->binding;
    sniJsonValue* list = sni_json_array();
    for (uint32_t j = 0; j < binding->joint_count; j++) {
        const snPartVolumeAccount* volume = &volumes[j];
        if (volume->before_sum == 0.0 && volume->after_sum == 0.0) continue; // no part of its own
        sniJsonValue* part = sni_json_object();
        sni_json_set(part, "joint", sni_json_string(job->model->skeleton->names[binding->joints[j]]));
        sni_json_set(part, "loss_before_max", sni_json_real(volume->before_max));
        sni_json_set(part, "loss_before_mean", sni_json_real(volume->before_sum / frames));
        sni_json_set(part, "loss_max", sni_json_real(volume->after_max));
        sni_json_set(part, "loss_mean", sni_json_real(volume->after_sum / frames));
        sni_json_set(part, "gain_max", sni_json_real(volume->gain_max));
        sni_json_set(part, "worst_frame", sni_json_uint(volume->worst_frame));
        sni_json_set(part, "clamped", sni_json_bool(volume->clamped));
        sni_json_add(list, part);
    }
    sni_json_set(object, "part_volumes", list);
}

static sniJsonValue* shell_object(const animateJob* job, uint32_t s) {
    const snShell* shell = &sn_exact_volume_shells(sn_character_exact(sn_take_character(job->take)))[s];
    sniJsonValue* object = sni_json_object();
    sni_json_set(object, "part", sni_json_string(job->model->parts[shell->part].name));
    sni_json_set(object, "kind", sni_json_string(sn_shell_kind_name(shell->kind)));
    sni_json_set(object, "points", sni_json_uint(shell->point_count));
    sni_json_set(object, "faces", sni_json_uint(shell->face_count));
    sni_json_set(object, "openings", sni_json_uint(shell->opening_count));
    sni_json_set(object, "turned_faces", sni_json_uint(shell->turned_faces));
    sni_json_set(object, "crowded_edges", sni_json_uint(shell->crowded_edges));
    sni_json_set(object, "volume", sni_json_real(shell->volume));
    if (shell->kind != SN_SHELL_KEPT) return object;
    const snShellAccount* account = &sn_take_shells(job->take)[s];
    sni_json_set(object, "volume_min", sni_json_real(account->smallest));
    sni_json_set(object, "volume_max", sni_json_real(account->largest));
    sni_json_set(object, "error_before_max", sni_json_real(account->before_max));
    sni_json_set(object, "error_max", sni_json_real(account->error_max));
    sni_json_set(object, "worst_frame", sni_json_uint(account->worst_frame));
    return object;
}

static void report_shells(const animateJob* job, sniJsonValue* object) {
    if (sn_take_shells(job->take) == NULL) return;
    const snCharacterReport* made = &sn_take_report(job->take)->made;
    sni_json_set(object, "volume_error_max", sni_json_real(made->exact_error_max));
    sni_json_set(object, "volume_error_before_max", sni_json_real(made->exact_before_max));
    sni_json_set(object, "volume_held_max", sni_json_real(made->exact_held_max));
    sniJsonValue* list = sni_json_array();
    for (uint32_t s = 0; s < sn_exact_volume_shell_count(sn_character_exact(sn_take_character(job->take)));
         s++)
        sni_json_add(list, shell_object(job, s));
    sni_json_set(object, "shells", list);
}

void animate_report_volumes(const animateJob* job, sniJsonValue* object) {
    if (job->settings->skin_contact)
        sni_json_set(object, "contact_max",
                     sni_json_real((double)sn_take_report(job->take)->made.contact_max));
    report_parts(job, object);
    report_shells(job, object);
}
