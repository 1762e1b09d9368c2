// sinew pose: a model by its handles, in a pose, a blend of poses, or the blend that reaches targets.
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "extent.h"
#include "picture.h"
#include "pose.h"
#include "report.h"
#include "verbs.h"

// ---------------------------------------------------------------------------------------------------- blend

// Beyond, turns are too large for floats to tell their angles.
#define MOST_WEIGHT 1000.0f

// "file.snpose:0.5" or "name:0.5": what stands behind the last colon is a weight where it is a number.
static bool split_weight(const char* text, char* name, size_t capacity, float* weight) {
    const char* colon = strrchr(text, ':');
    size_t length = strlen(text);
    *weight = 1.0f;
    if (colon != NULL && colon[1] != '\0') {
        char* end = NULL;
        errno = 0;
        float value = strtof(colon + 1, &end);
        if (*end == '\0' && errno == 0 && sn_finite(value)) {
            *weight = value;
            length = (size_t)(colon - text);
        }
    }
    if (length >= capacity) return false;
    memcpy(name, text, length);
    name[length] = '\0';
    return true;
}

static cliExit unknown_pose(const poseJob* job, const char* name) {
    if (strstr(name, ".snpose:") != NULL)
        return cli_usage(job->context->arguments->verb, "--pose %s: a number is expected after the colon",
                         name);
    const char* words[64];
    uint32_t count = job->handled.pose_count < 64 ? job->handled.pose_count : 64;
    for (uint32_t p = 0; p < count; p++) words[p] = job->handled.poses[p]->name;
    const char* where = cli_given(job->context->arguments, "examples") ? "" : " of --examples DIR";
    return cli_usage(job->context->arguments->verb, "--pose %s: a .snpose file or an example%s is expected%s",
                     name, where, cli_hint(name, words, count).text);
}

// Reads the files that --pose names; `list` gets the index of each.
static cliExit read_poses(poseJob* job, uint32_t* list, float* weights, uint32_t* count) {
    const char* text = NULL;
    for (*count = 0; (text = cli_repeated(job->context->arguments, "pose", *count)) != NULL; ++*count) {
        char name[4096];
        if (!split_weight(text, name, sizeof name, &weights[*count]))
            return cli_usage(job->context->arguments->verb, "--pose: the name is too long");
        if (!(fabsf(weights[*count]) <= MOST_WEIGHT))
            return cli_usage(job->context->arguments->verb, "--pose %s: a weight from %g to %g is expected",
                             text, (double)-MOST_WEIGHT, (double)MOST_WEIGHT);
        if (path_has_extension(name, ".snpose")) {
            cliExit code = handled_read_pose(&job->handled, name, &list[*count]);
            if (code != CLI_DONE) return code;
        } else {
            list[*count] = sn_document_find_pose(job->context->document, name);
            if (list[*count] == SN_NONE) return unknown_pose(job, name);
        }
    }
    return CLI_DONE;
}

static cliExit pose_handles(poseJob* job) {
    const cliArguments* a = job->context->arguments;
    uint32_t list[CLI_MAX_REPEATED], count = 0;
    float weights[CLI_MAX_REPEATED];
    cliExit code = cli_given(a, "examples") ? handled_read_examples(&job->handled) : CLI_DONE;
    if (code == CLI_DONE) code = read_poses(job, list, weights, &count);
    if (code != CLI_DONE) return code;
    if (cli_given(a, "target")) return pose_search(job);
    snError error = sn_error_none();
    if (sn_document_blend_poses(job->context->document, list, weights, count, &job->blend, &error) !=
        SN_RESULT_OK)
        return context_fail(job->context, &error);
    return CLI_DONE;
}

// --------------------------------------------------------------------------------------------------- writing

// With --focus only what is around the center of that handle, where it is now.
static cliExit close_up(const poseJob* job, snExtent* extent) {
    const cliArguments* a = job->context->arguments;
    const char* name = cli_text(a, "focus");
    if (name == NULL) return CLI_DONE;
    const snHandles* handles = job->handled.handles;
    uint32_t handle = SN_NONE;
    cliExit code = handled_find_handle(a, handles, "focus", name, &handle);
    if (code != CLI_DONE) return code;
    snExtent close = sn_extent_empty();
    snVec3 center = sn_rigid_point(job->blend.moves[handle], handles->handles[handle].center);
    sn_extent_add_close_up(&close, center, sn_bounds_diagonal(extent->bounds));
    *extent = close;
    return CLI_DONE;
}

static cliExit write_picture(poseJob* job) {
    cliContext* context = job->context;
    const snModel* model = job->handled.model;
    cliPicture picture;
    snRenderer* renderer = NULL;
    cliExit code = picture_read(context, NULL, job->output, 960, 720, &picture);
    snExtent extent = sn_extent_empty();
    sn_extent_add(&extent, sn_puppet_surface(sn_handle_poser_puppet(job->handled.poser), 0).positions,
                  job->handled.mesh->vertex_count);
    snShot scene = sn_shot();
    scene.bounds = extent.bounds;
    scene.floor = extent.bounds.min.y;
    if (code == CLI_DONE) code = close_up(job, &extent);
    if (code == CLI_DONE) code = picture_renderer(context, &renderer);
    if (code != CLI_DONE) return code;
    snStage* stage = NULL;
    snError error = sn_error_none();
    scene.width = picture.width;
    scene.height = picture.height;
    scene.camera = sn_camera_frame_extent(picture.view, &extent, (float)scene.width / (float)scene.height);
    code = picture_stage_surfaces(context, renderer, model,
                                  sn_puppet_surfaces(sn_handle_poser_puppet(job->handled.poser)), &stage);
    if (code == CLI_DONE)
        code = picture_end(context, sn_stage_still(stage, SN_CLIP_REST, 0.0f, &scene, job->output, &error),
                           &error);
    sn_stage_destroy(stage);
    sn_renderer_destroy(renderer);
    return code;
}

static cliExit write_model(poseJob* job) {
    snNotes notes = {0};
    snError error = sn_error_none();
    if (sn_document_write_still(job->context->document, job->output,
                                sn_puppet_surfaces(sn_handle_poser_puppet(job->handled.poser)), &notes,
                                &error) != SN_RESULT_OK)
        return context_fail(job->context, &error);
    context_say_notes(job->context, job->output, "note: ", &notes);
    return CLI_DONE;
}

static cliExit save_pose(poseJob* job, const char* path) {
    const snDocument* document = job->context->document;
    const char* sculpted = cli_text(job->context->arguments, "sculpt");
    char name[256];
    snHandlePose* pose = NULL;
    snError error = sn_error_none();
    sn_pose_file_name(path, name, sizeof name);
    cliExit code = CLI_DONE;
    if (sculpted != NULL)
        code = pose_sculpt(job, sculpted, name, &pose);
    else if (sn_document_make_pose(document, &job->blend, name, &pose, &error) != SN_RESULT_OK)
        code = context_fail(job->context, &error);
    if (code == CLI_DONE &&
        sn_handle_pose_write(pose, sn_document_handles(document), path, &error) != SN_RESULT_OK)
        code = context_fail(job->context, &error);
    sn_handle_pose_destroy(pose);
    return code;
}

// ---------------------------------------------------------------------------------------------------- report

static void say(const poseJob* job) {
    const cliHandled* handled = &job->handled;
    const char* save = cli_text(job->context->arguments, "save");
    context_say(job->context, "wrote %s", job->output);
    if (save != NULL) context_say(job->context, "wrote %s", save);
    const char* trace = cli_text(job->context->arguments, "trace");
    if (trace != NULL) context_say(job->context, "wrote %s", trace);
    if (job->target_count > 0)
        context_say(job->context, "energy %.5f after %u evaluations in %.3f ms",
                    (double)job->blend.found.energy, job->blend.found.evaluations, job->blend.seconds * 1e3);
    for (uint32_t i = 0; i < handled->pose_count; i++) {
        uint32_t p = job->blend.order[i];
        if (job->blend.weights[p] != 0.0f)
            context_say(job->context, "%8.4f  %s", (double)job->blend.weights[p], handled->poses[p]->name);
    }
    for (uint32_t t = 0; t < job->target_count; t++)
        context_say(
            job->context, "%s is %.1f mm from its target",
            handled->handles->handles[job->targets[t].handle].name,
            (double)sn_distance(sn_pose_blend_point(&job->blend, &job->targets[t]), job->targets[t].place) *
                1e3);
}

static sniJsonValue* report_terms(const snPoseSearchResult* found) {
    static const char* const names[] = {"target", "in_use", "last", "weights", "one", "spread", "examples"};
    sniJsonValue* terms = sni_json_object();
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        sni_json_set(terms, names[i], sni_json_real((double)found->terms[i]));
    return terms;
}

static cliExit report(const poseJob* job) {
    const cliHandled* handled = &job->handled;
    if (!job->context->json) {
        say(job);
        return CLI_DONE;
    }
    sniJsonValue *object = sni_json_object(), *weights = sni_json_object(), *targets = sni_json_array();
    sni_json_set(object, "output", sni_json_string(job->output));
    sni_json_set(object, "hash", report_hash(sn_puppet_hash(sn_handle_poser_puppet(handled->poser))));
    for (uint32_t i = 0; i < handled->pose_count; i++)
        sni_json_set(weights, handled->poses[job->blend.order[i]]->name,
                     sni_json_real((double)job->blend.weights[job->blend.order[i]]));
    sni_json_set(object, "weights", weights);
    for (uint32_t t = 0; t < job->target_count; t++) {
        sniJsonValue* target = sni_json_object();
        double distance =
            (double)sn_distance(sn_pose_blend_point(&job->blend, &job->targets[t]), job->targets[t].place);
        sni_json_set(target, "handle",
                     sni_json_string(handled->handles->handles[job->targets[t].handle].name));
        sni_json_set(target, "distance_mm", sni_json_real(distance * 1e3));
        sni_json_add(targets, target);
    }
    if (job->target_count > 0) {
        sni_json_set(object, "energy", sni_json_real((double)job->blend.found.energy));
        sni_json_set(object, "terms", report_terms(&job->blend.found));
        sni_json_set(object, "evaluations", sni_json_uint(job->blend.found.evaluations));
        sni_json_set(object, "search_seconds", sni_json_real(job->blend.seconds));
    }
    sni_json_set(object, "targets", targets);
    return report_print(job->context, object);
}

// ------------------------------------------------------------------------------------------------------ verb

static cliExit pose_with(poseJob* job, const snModel* model) {
    const char* save = cli_text(job->context->arguments, "save");
    cliExit code = handled_open(&job->handled, job->context, model);
    if (code == CLI_DONE) code = pose_handles(job);
    if (code == CLI_DONE) code = handled_build(&job->handled);
    if (code != CLI_DONE) return code;
    snError error = sn_error_none();
    error.code = sn_handle_poser_run(job->handled.poser, &job->blend);
    snprintf(error.text, sizeof error.text, "posing failed: %s", sn_result_name(error.code));
    if (error.code != SN_RESULT_OK) return context_fail(job->context, &error);
    if (save != NULL) code = save_pose(job, save); // a sculpted surface is shown, too
    if (code == CLI_DONE)
        code = path_has_extension(job->output, ".png") ? write_picture(job) : write_model(job);
    return code == CLI_DONE ? report(job) : code;
}

static cliExit pose_model(cliContext* context) {
    poseJob job = {.context = context, .output = cli_text(context->arguments, "output")};
    cliExit code = pose_with(&job, context_model(context));
    handled_close(&job.handled);
    sn_pose_blend_free(&job.blend);
    return code;
}

static cliExit run(const cliArguments* arguments) {
    cliExit code = context_output(arguments, ".obj .glb .gltf .png");
    if (code != CLI_DONE) return code;
    bool picture = path_has_extension(cli_text(arguments, "output"), ".png");
    const char *idle = pose_search_option_given(arguments), *save = cli_text(arguments, "save");
    code = context_no_rig(arguments);
    if (code != CLI_DONE) return code;
    if (!cli_given(arguments, "rig"))
        return cli_usage(arguments->verb, "--rig RIG is missing; sinew rig MODEL -o RIG makes it");
    if (cli_given(arguments, "target") && !cli_given(arguments, "examples"))
        return cli_usage(arguments->verb, "--target needs --examples DIR to reach it with");
    if (cli_given(arguments, "target") && cli_given(arguments, "pose"))
        return cli_usage(arguments->verb, "--target searches for weights, --pose sets them: use one of them");
    if (idle != NULL && !cli_given(arguments, "target"))
        return cli_usage(arguments->verb, "--%s is for a search: --target HANDLE=X,Y,Z", idle);
    if (!cli_given(arguments, "target") && !cli_given(arguments, "pose"))
        return cli_usage(arguments->verb, "--pose P or --target HANDLE=X,Y,Z is missing");
    if (cli_given(arguments, "sculpt") && save == NULL)
        return cli_usage(arguments->verb, "--sculpt needs --save POSE to save the details");
    if (cli_given(arguments, "layer") && !cli_given(arguments, "sculpt"))
        return cli_usage(arguments->verb, "--layer is for --sculpt OBJ");
    const char* trace = cli_text(arguments, "trace");
    if (trace != NULL && !path_has_extension(trace, ".svg"))
        return cli_usage(arguments->verb, "--trace %s: the name must end in .svg", trace);
    if (save != NULL && !path_has_extension(save, ".snpose"))
        return cli_usage(arguments->verb, "--save %s: the name must end in .snpose", save);
    if (!picture &&
        (cli_given(arguments, "camera") || cli_given(arguments, "size") || cli_given(arguments, "focus")))
        return cli_usage(arguments->verb, "--camera, --focus and --size are for .png");
    return context_run(arguments, picture ? SN_IMAGES_ALL : SN_IMAGES_NONE, pose_model);
}

static const cliOption options[] = {
    CLI_HEADING("What goes in and out"),
    {"output", 'o', CLI_FILE, "OUT", "the posed surface: .obj, .glb, .gltf, or a picture: .png", NULL, 0, 0},
    {"pose", 0, CLI_LIST, "P[:WEIGHT]", "pose to load, a .snpose or the name of an example; may be repeated",
     NULL, 0, 0},
    {"save", 0, CLI_FILE, "POSE", "write the blend as one pose, .snpose", NULL, 0, 0},
    {"sculpt", 0, CLI_FILE, "OBJ",
     "the posed surface after sculpting: the difference along normals is saved as the pose's details", NULL,
     0, 0},
    {"layer", 0, CLI_FLAG, NULL, "save only the details, for use with other poses", NULL, 0, 0},
    CLI_HEADING("Handles and the surface between them"),
    CLI_HANDLED_OPTIONS,
    CLI_HEADING("A pose that reaches targets"),
    CLI_SEARCH_OPTIONS,
    CLI_HEADING("Pictures"),
    CLI_PICTURE_OPTIONS("HANDLE", "handle", "960x720"),
    {NULL, 0, CLI_FLAG, NULL, NULL, NULL, 0, 0},
};
static const char* const examples[] = {
    "sinew pose scan.obj --rig scan.snrig --pose wave.snpose -o wave.obj",
    "sinew pose scan.obj --rig scan.snrig --pose sit.snpose:0.5 --pose wave.snpose -o half.png",
    "sinew pose scan.obj --rig scan.snrig --pose flex.snpose --sculpt shaped.obj --save flex.snpose -o a.obj",
    "sinew pose scan.obj --rig scan.snrig --examples walk --target left_foot=0.1,0.3,0.4 -o step.glb", NULL};

const cliVerb verb_pose = {
    .name = "pose",
    .summary = "Pose a model by its handles: load poses, blend them, or reach for targets",
    .operands = "MODEL",
    .operand_min = 1,
    .operand_max = 1,
    .options = options,
    .common = CLI_COMMON_ALL,
    .examples = examples,
    .notes =
        "Poses are loaded one after another in the order given, each with its weight (default 1); the order\n"
        "matters. With --target the weights of the examples are found that bring handles to their places,\n"
        "and --save keeps what was found as a pose of its own. sinew rig makes the handles of a model.",
    .run = run};
