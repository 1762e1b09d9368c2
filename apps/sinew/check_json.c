// The verdict for programs.
#include <math.h>

#include "check.h"
#include "report.h"

static sniJsonValue* violation_json(const checkJob* job, const snViolation* o) {
    sniJsonValue* object = sni_json_object();
    sni_json_set(object, "value", sni_json_real((double)o->value));
    sni_json_set(object, "verdict", sni_json_string(sn_verdict_name(o->verdict)));
    if (o->joint != SN_NONE) sni_json_set(object, "joint", sni_json_string(check_joint(job, o->joint)));
    if (o->frame != SN_NONE) {
        sni_json_set(object, "frame", sni_json_uint(o->frame));
        sni_json_set(object, "time", sni_json_real((double)o->time));
    }
    if (sn_checkup_move(job->checkup, o)[0] != '\0')
        sni_json_set(object, "move", sni_json_string(sn_checkup_move(job->checkup, o)));
    if (o->part != SN_NONE)
        sni_json_set(object, "part", sni_json_string(context_model(job->context)->parts[o->part].name));
    if (o->vertex != SN_NONE) sni_json_set(object, "vertex", sni_json_uint(o->vertex));
    if (o->face != SN_NONE) sni_json_set(object, "face", sni_json_uint(o->face));
    return object;
}

static sniJsonValue* measure_json(const checkJob* job, const snCheck* check, snMeasure measure) {
    const snCheckMeasure* m = &check->measures[measure];
    sniJsonValue* object = violation_json(job, &m->worst);
    sni_json_set(object, "warn", sni_json_real((double)job->limits.warn[measure]));
    sni_json_set(object, "fail", sni_json_real((double)job->limits.fail[measure]));
    sniJsonValue* joints = sni_json_array();
    for (uint32_t i = 0; i < m->violation_count; i++)
        sni_json_add(joints, violation_json(job, &m->violations[i]));
    sni_json_set(object, "joints", joints);
    if (m->series != NULL) sni_json_set(object, "frames", sni_json_floats(m->series, check->frame_count));
    return object;
}

// As many digits as anybody sees: the file has a number for every joint and frame.
static sniJsonValue* rounded(double value, double step) {
    return sni_json_real((double)(float)(round(value / step) * step + 0.0)); // no -0.0
}

static sniJsonValue* changes_json(const snCheck* check, uint32_t joint) {
    sniJsonValue* list = sni_json_array();
    for (uint32_t f = 0; f < check->frame_count; f++)
        sni_json_add(list, rounded((double)sn_check_volume_change(check, f, joint), 1e-4));
    return list;
}

// Volumes over time, of the whole and around every joint that has any.
static sniJsonValue* volumes_json(const checkJob* job, const snCheck* check) {
    sniJsonValue* object = sni_json_object();
    sniJsonValue* joints = sni_json_array();
    sni_json_set(object, "rest", sni_json_real((double)(float)sn_check_rest_volume(check, SN_CHECK_WHOLE)));
    sni_json_set(object, "change", changes_json(check, SN_CHECK_WHOLE));
    for (uint32_t j = 0; j < check->joint_count; j++) {
        double rest = sn_check_rest_volume(check, j);
        if (!(rest > 0.0)) continue;
        sniJsonValue* joint = sni_json_object();
        sni_json_set(joint, "joint", sni_json_string(check_joint(job, j)));
        sni_json_set(joint, "rest", sni_json_real((double)(float)rest));
        sni_json_set(joint, "change", changes_json(check, j));
        sni_json_add(joints, joint);
    }
    sni_json_set(object, "joints", joints);
    return object;
}

// What exact volume did not give back, at worst.
static sniJsonValue* held_json(const checkJob* job, const snCheck* check) {
    sniJsonValue* object = sni_json_object();
    sni_json_set(object, "value", sni_json_real((double)check->held.value));
    if (!(check->held.value > 0.0f)) return object;
    sni_json_set(object, "joint", sni_json_string(check_joint(job, check->held.joint)));
    sni_json_set(object, "frame", sni_json_uint(check->held.frame));
    sni_json_set(object, "time", sni_json_real((double)check->held.time));
    return object;
}

static sniJsonValue* method_json(const checkJob* job, const snCheckupMethod* method) {
    sniJsonValue* object = sni_json_object();
    if (method->name[0] != '\0') sni_json_set(object, "name", sni_json_string(method->name));
    sni_json_set(object, "skin", sni_json_string(deformation_skin_name(job->context, method->settings)));
    sni_json_set(object, "verdict", sni_json_string(sn_verdict_name(method->check->verdict)));
    sni_json_set(object, "seconds", sni_json_real(method->seconds));
    sniJsonValue* measures = sni_json_object();
    for (int m = 0; m < SN_MEASURE_COUNT; m++)
        sni_json_set(measures, sn_measure_info((snMeasure)m)->name,
                     measure_json(job, method->check, (snMeasure)m));
    sni_json_set(object, "measures", measures);
    sni_json_set(object, "volumes", volumes_json(job, method->check));
    if (sn_settings_exact_volume(method->settings))
        sni_json_set(object, "held", held_json(job, method->check));
    return object;
}

cliExit check_print_json(const checkJob* job) {
    const snCheck* check = job->checkup->methods[0].check;
    sniJsonValue* object = sni_json_object();
    sni_json_set(object, "model", sni_json_string(job->title));
    sni_json_set(object, "verdict", sni_json_string(sn_verdict_name(check_verdict(job))));
    sni_json_set(object, "clip",
                 sni_json_string(context_model(job->context)->clips[job->checkup->clip]->name));
    sni_json_set(object, "range", sni_json_bool(job->checkup->range != NULL));
    sni_json_set(object, "fps", sni_json_real((double)job->checkup->fps));
    sni_json_set(object, "frames", sni_json_uint(check->frame_count));
    sniJsonValue* times = sni_json_array();
    for (uint32_t f = 0; f < check->frame_count; f++)
        sni_json_add(times, rounded((double)check->times[f], 1e-5));
    sni_json_set(object, "times", times);
    sni_json_set(object, "triangles", sni_json_uint(check->triangle_count));
    sni_json_set(object, "pieces", sni_json_uint(check->piece_count));
    sni_json_set(object, "closed_pieces", sni_json_uint(check->closed_pieces));
    sni_json_set(object, "rest_crossings", sni_json_uint(check->rest_crossings));
    sniJsonValue* list = sni_json_array();
    for (uint32_t i = 0; i < job->checkup->method_count; i++)
        sni_json_add(list, method_json(job, &job->checkup->methods[i]));
    sni_json_set(object, "methods", list);
    if (job->source != NULL) motion_report(&job->motion, object);
    if (job->bound != NULL) {
        sniJsonValue* bind = sni_json_object();
        binding_report(job->bound, context_model(job->context), bind);
        sni_json_set(object, "bind", bind);
    }
    return report_print(job->context, object);
}
