// What `sinew animate` says of one clip, to people and as JSON.
#include "animate.h"
#include "report.h"

static void say(const animateJob* job, double each) {
    const snTakeReport* take = sn_take_report(job->take);
    if (job->more_count > 0)
        context_say(job->context, "wrote %s: %u clips in one skin", job->output, job->more_count + 1);
    else
        context_say(job->context, "wrote %s: clip %s, %u frame%s, %.3f ms each to deform", job->output,
                    job->model->clips[job->plan.clip]->name, take->frames, take->frames == 1 ? "" : "s",
                    each * 1e3);
    bake_say_take(job->context, job->model, job->take);
    if (job->plan.loop && take->loop.closed)
        context_say(job->context, "the cycle repeats after %u rounds; its seam is %.3f mm", take->loop.rounds,
                    take->loop.seam * 1e3);
    else if (job->plan.loop)
        context_say(
            job->context,
            "note: the cycle does not repeat (%u rounds, seam %.3f mm); the clip's own ends are %.1f mm "
            "apart: --in-place and --loop-clip close a motion, gusts and profiles never repeat",
            take->loop.rounds, take->loop.seam * 1e3, take->loop.open * 1e3);
    animate_say_caches(job);
    animate_say_volumes(job);
    if (take->made.resets > 0)
        context_say(job->context, "note: the flesh started anew %u times where the body jumped",
                    take->made.resets);
    if (take->made.unused_rules > 0)
        context_say(job->context, "note: %u rules of the settings match nothing", take->made.unused_rules);
    if (take->made.unused_pushes > 0)
        context_say(job->context, "note: pushes where no flesh moves, which hold nothing: %u",
                    take->made.unused_pushes);
}

static void report_flesh(const animateJob* job, sniJsonValue* object) {
    const snTakeReport* take = sn_take_report(job->take);
    snCharacterReport made = take->made;
    if (made.particles > 0) {
        sni_json_set(object, "particles", sni_json_uint(made.particles));
        sni_json_set(object, "part_volume_error_max", sni_json_real((double)made.volume_error_max));
        sni_json_set(object, "part_volume_error_before_max", sni_json_real((double)made.volume_before_max));
        if (made.volume_joint != SN_NONE)
            sni_json_set(object, "part_volume_joint",
                         sni_json_string(job->model->skeleton->names[made.volume_joint]));
        sni_json_set(object, "delta_min", sni_json_real((double)made.delta_min));
        sni_json_set(object, "delta_max", sni_json_real((double)made.delta_max));
        sni_json_set(object, "substeps", sni_json_uint(made.steps));
        sni_json_set(object, "resets", sni_json_uint(made.resets));
        sni_json_set(object, "cuts", sni_json_uint(made.cuts));
        sni_json_set(object, "unused_rules", sni_json_uint(made.unused_rules));
        sni_json_set(object, "unused_pushes", sni_json_uint(made.unused_pushes));
    }
    if (job->plan.loop) {
        sni_json_set(object, "loop_rounds", sni_json_uint(take->loop.rounds));
        sni_json_set(object, "loop_closed", sni_json_bool(take->loop.closed));
        sni_json_set(object, "loop_seam_mm", sni_json_real(take->loop.seam * 1e3));
    }
    bake_report_take(job->model, job->take, object);
}

cliExit animate_report(const animateJob* job) {
    const snTakeReport* take = sn_take_report(job->take);
    double each = take->seconds / (double)take->frames;
    const char* clip = job->model->clips[job->plan.clip]->name;
    if (!job->context->json) {
        say(job, each);
        return CLI_DONE;
    }
    sniJsonValue* object = sni_json_object();
    sni_json_set(object, "output", sni_json_string(job->output));
    sni_json_set(object, "clip", sni_json_string(clip));
    if (job->more_count > 0) sni_json_set(object, "clips", sni_json_uint(job->more_count + 1));
    sni_json_set(object, "skin", sni_json_string(deformation_skin_name(job->context, job->settings)));
    sni_json_set(object, "fps", sni_json_real((double)take->fps));
    sni_json_set(object, "from", sni_json_real((double)take->from));
    sni_json_set(object, "to", sni_json_real((double)take->to));
    sni_json_set(object, "frames", sni_json_uint(take->frames));
    sni_json_set(object, "seconds_per_frame", sni_json_real(each));
    sni_json_set(object, "hash", report_hash(take->hash));
    if (deformation_vertices(job->model) != job->vertices) {
        sni_json_set(object, "vertices_before_refining", sni_json_uint(job->vertices));
        sni_json_set(object, "vertices", sni_json_uint(deformation_vertices(job->model)));
    }
    animate_report_caches(job, object);
    report_flesh(job, object);
    animate_report_volumes(job, object);
    if (job->source != NULL) motion_report(&job->motion, object);
    if (job->bound != NULL) {
        sniJsonValue* bind = sni_json_object();
        binding_report(job->bound, job->model, bind);
        sni_json_set(object, "bind", bind);
    }
    return report_print(job->context, object);
}
