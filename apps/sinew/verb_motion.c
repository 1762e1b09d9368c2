// sinew motion: a clip from any file as BVH, on its own skeleton or on a character's.
#include <stdio.h>
#include <string.h>

#include "motion.h"
#include "report.h"
#include "verbs.h"

typedef struct Job {
    cliContext* context;
    const char* output;
    uint32_t clip; // of the character
    bool retargeted;
    cliMotion motion;
} Job;

// Cutting and another rate need no matching of joints; taking travel out or swapping sides does.
static bool must_retarget(const cliArguments* a) {
    return cli_given(a, "onto") || cli_given(a, "in-place") || cli_given(a, "extract-root") ||
           cli_given(a, "mirror") || cli_given(a, "loop-clip") || cli_given(a, "map") ||
           cli_given(a, "speed") || cli_given(a, "reverse") || cli_given(a, "clean");
}

static cliExit trim(Job* job) {
    const cliArguments* a = job->context->arguments;
    const snClip* clip = context_model(job->context)->clips[job->clip];
    float from = 0.0f, to = 0.0f;
    uint32_t frames = 0;
    cliExit code = motion_range(job->context, clip, &from, &to);
    float fps = cli_number(a, "fps", sn_clip_rate(clip));
    if (code == CLI_DONE) code = context_frames(job->context, from, to, fps, true, &frames);
    if (code != CLI_DONE) return code;
    if (!motion_is_cut(a)) return CLI_DONE; // the writer knows --fps
    snError error = sn_error_none();
    if (sn_document_trim_clip(job->context->document, job->clip, from, to, fps, &error) == SN_RESULT_OK)
        return CLI_DONE;
    return context_fail(job->context, &error);
}

// The motion is a character of its own, and its clip stays on its own joints.
static cliExit own_clip(Job* job, snSource* motion) {
    cliExit code = motion_clip(job->context, motion, &job->clip);
    return code == CLI_DONE ? trim(job) : code;
}

static cliExit choose(Job* job, snSource* motion) {
    const char* onto = cli_text(job->context->arguments, "onto");
    snError error = sn_error_none();
    cliExit code = CLI_DONE;
    if (onto != NULL)
        code = context_character(job->context, onto, SN_IMAGES_NONE);
    else if (sn_document_set_character(job->context->document, motion, &error) != SN_RESULT_OK)
        code = context_fail(job->context, &error);
    if (code != CLI_DONE) return code;
    job->retargeted = must_retarget(job->context->arguments);
    return job->retargeted ? motion_apply(job->context, motion, NULL, &job->clip, &job->motion)
                           : own_clip(job, motion);
}

static cliExit write_motion(Job* job) {
    snWriteDef def = sn_write_def();
    def.first_clip = job->clip;
    def.fps = cli_number(job->context->arguments, "fps", 0.0f);
    cliExit code = context_write(job->context, job->output, &def, false);
    if (code != CLI_DONE) return code;
    const snModel* model = context_model(job->context);
    const snClip* clip = model->clips[job->clip];
    if (!job->context->json) {
        context_say(job->context, "wrote %s: clip %s, %.3f s, %u joints", job->output, clip->name,
                    (double)clip->duration, model->skeleton->joint_count);
        return CLI_DONE;
    }
    sniJsonValue* object = sni_json_object();
    sni_json_set(object, "output", sni_json_string(job->output));
    sni_json_set(object, "clip", sni_json_string(clip->name));
    sni_json_set(object, "seconds", sni_json_real((double)clip->duration));
    sni_json_set(object, "joints", sni_json_uint(model->skeleton->joint_count));
    if (job->retargeted) motion_report(&job->motion, object);
    return report_print(job->context, object);
}

static cliExit run(const cliArguments* arguments) {
    cliExit code = context_output(arguments, ".bvh");
    if (code != CLI_DONE) return code;
    cliContext context;
    code = context_open(&context, arguments);
    if (code != CLI_DONE) return code;
    Job job = {.context = &context, .output = cli_text(arguments, "output"), .clip = SN_CLIP_REST};
    snSource* motion = NULL;
    code = context_source(&context, arguments->operands[0], SN_IMAGES_NONE, &motion);
    if (code == CLI_DONE) code = choose(&job, motion);
    if (code == CLI_DONE) code = write_motion(&job);
    motion_free(&job.motion);
    sn_source_close(motion);
    context_close(&context);
    return code;
}

static const cliOption options[] = {
    CLI_HEADING("What goes in and out"),
    {"output", 'o', CLI_FILE, "OUT", "file to write: .bvh", NULL, 0, 0},
    {"onto", 0, CLI_FILE, "CHARACTER", "the skeleton to bring the motion to (default: its own)", NULL, 0, 0},
    {"clip", 0, CLI_TEXT, "NAME", "which clip of FILE, by name or number (default: the first)", NULL, 0, 0},
    {"fps", 0, CLI_NUMBER, "RATE", "frames per second, up to 1000 (default: the rate of the clip's keys)",
     NULL, 1, CLI_MAX_FPS},
    CLI_STRETCH_OPTIONS,
    CLI_HEADING("How it is retargeted"),
    CLI_MOTION_OPTIONS,
    {NULL, 0, CLI_FLAG, NULL, NULL, NULL, 0, 0},
};
static const char* const examples[] = {"sinew motion walk.amc -o walk.bvh",
                                       "sinew motion walk.bvh --onto hero.glb -o hero_walk.bvh",
                                       "sinew motion hero.glb --clip Run --fps 60 -o run.bvh",
                                       "sinew motion walk.bvh --in-place --loop-clip -o cycle.bvh", NULL};

const cliVerb verb_motion = {.name = "motion",
                             .summary = "Convert a motion to BVH, on its own skeleton or on a character's",
                             .operands = "FILE",
                             .operand_min = 1,
                             .operand_max = 1,
                             .options = options,
                             .common = CLI_JSON | CLI_QUIET | CLI_MEMORY | CLI_UNIT,
                             .examples = examples,
                             .notes = "FILE is .bvh, .amc, .fbx, .glb, .gltf or builtin:body.",
                             .run = run};
