// --sculpt: the detail layer of a pose from a surface that somebody shaped on it.
#include <string.h>

#include "base/error.h"
#include "pose.h"

// Vertices are told by their number, so the two must be one mesh.
static cliExit check_same(const poseJob* job, const char* path, const snMesh* sculpted) {
    const snMesh* mesh = job->handled.mesh;
    snError error = sn_error_none();
    if (sculpted->vertex_count != mesh->vertex_count)
        sni_fail(&error, SN_RESULT_BAD_DATA,
                 "%s: %u vertices, but the model has %u; sculpt the file that sinew pose -o wrote, and keep "
                 "the order of vertices in the export",
                 path, sculpted->vertex_count, mesh->vertex_count);
    else if (sculpted->corner_count != mesh->corner_count ||
             memcmp(sculpted->corners, mesh->corners, mesh->corner_count * sizeof *mesh->corners) != 0)
        sni_fail(&error, SN_RESULT_BAD_DATA,
                 "%s: the faces differ from the model's; keep the order of vertices and faces in the export",
                 path);
    else
        return CLI_DONE;
    return context_fail(job->context, &error);
}

static void say(const poseJob* job, const snSculptReport* report) {
    context_say(job->context, "details: %u vertices, by %.2f mm at most", report->vertices,
                (double)report->largest * 1e3);
    if (report->left_max > 0.25f * report->largest && report->left_max > 1e-4f)
        context_say(job->context,
                    "note: details go along normals; what was moved aside is left out, %.2f mm at most and "
                    "%.2f on average",
                    (double)report->left_max * 1e3, (double)report->left_mean * 1e3);
}

static cliExit make(poseJob* job, const char* path, const snMesh* sculpted, const char* name,
                    snHandlePose** out) {
    snSculptReport report;
    snError error = sn_error_none();
    cliExit code = check_same(job, path, sculpted);
    if (code != CLI_DONE) return code;
    if (sn_handle_poser_sculpt(job->handled.poser, &job->blend, sculpted->positions,
                               cli_given(job->context->arguments, "layer"), name, out, &report,
                               &error) != SN_RESULT_OK)
        return context_fail(job->context, &error);
    say(job, &report);
    return CLI_DONE;
}

cliExit pose_sculpt(poseJob* job, const char* path, const char* name, snHandlePose** out) {
    snSource* source = NULL;
    snMesh* sculpted = NULL;
    snError error = sn_error_none();
    cliExit code = context_source(job->context, path, SN_IMAGES_NONE, &source);
    if (code == CLI_DONE && sn_model_merge_mesh(sn_source_model(source), &job->context->memory, &sculpted,
                                                &error) != SN_RESULT_OK)
        code = context_fail(job->context, &error);
    if (code == CLI_DONE) code = make(job, path, sculpted, name, out);
    sn_mesh_destroy(sculpted);
    sn_source_close(source);
    return code;
}
