#include "capture.h"

#include <stdio.h>

#include "motion.h"

static void say(const cliHandled* handled, const snSource* source, const snPathCaptureReport* made) {
    const cliContext* context = handled->context;
    const snSkeleton* skeleton = sn_source_model(source)->skeleton;
    if (made->skipped)
        context_say(context, "the motion begins at %.3f s, after a bind pose; --from 0 plays that too",
                    (double)made->from);
    for (uint32_t i = 0; i < made->pair_count; i++)
        context_say(context, "%s follows %s", handled->handles->handles[made->pairs[i].handle].name,
                    skeleton->names[made->pairs[i].joint]);
    context_say(context, "the motion is scaled by %.4g", (double)made->scale);
}

static cliExit read_def(cliContext* context, const snSource* source, snPathCaptureDef* def,
                        snJointOverrides* map) {
    const char* path = cli_text(context->arguments, "map");
    snError error = sn_error_none();
    float from = 0.0f;
    cliExit code = motion_clip(context, source, &def->clip);
    if (code == CLI_DONE && path != NULL) {
        if (sn_document_read_capture_map(context->document, source, path, NULL, 0, map, &error) !=
            SN_RESULT_OK)
            return context_fail(context, &error);
        def->map = map;
    }
    if (code == CLI_DONE)
        code = motion_range(context, sn_source_model(source)->clips[def->clip], &from, &def->to);
    if (cli_given(context->arguments, "from")) def->from = from;
    return code;
}

static cliExit capture(const cliHandled* handled, const snSource* source, const snPathCaptureDef* def,
                       snPaths** out) {
    cliContext* context = handled->context;
    snPathCaptureReport made = {0};
    snError error = sn_error_none();
    snResult result = sn_document_capture(context->document, source, def, &made, out, &error);
    if (result == SN_RESULT_OK) say(handled, source, &made);
    sn_path_capture_report_free(&made);
    if (result == SN_RESULT_OK) return CLI_DONE;
    if (result != SN_RESULT_NOT_FOUND) return context_fail(context, &error);
    fprintf(stderr, "%s: %s; --map names them\n", error.file, error.text);
    return CLI_BAD_INPUT;
}

cliExit capture_paths(const cliHandled* handled, const char* path, float fps, snPaths** out) {
    snSource* source = NULL;
    snJointOverrides map = {0};
    snPathCaptureDef def = sn_path_capture_def();
    def.fps = fps;
    cliExit code = context_source(handled->context, path, SN_IMAGES_NONE, &source);
    if (code == CLI_DONE) code = read_def(handled->context, source, &def, &map);
    if (code == CLI_DONE) code = capture(handled, source, &def, out);
    sn_joint_overrides_free(&map);
    sn_source_close(source);
    return code;
}
