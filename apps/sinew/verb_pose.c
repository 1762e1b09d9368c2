// sinew pose: a model by its handles, in a pose, a blend of poses, or the blend that reaches targets.
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
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
        return cli_usage(job->context->arguments->verb, "--pose %s: a number is expected behind the colon",
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
            list[*count] = handled_find_pose(&job->handled, name);
            if (list[*count] == SN_NONE) return unknown_pose(job, name);
        }
    }
    return CLI_DONE;
}

// Those named, in that order; others have no weight. One that is named twice counts once, with the sum.
static void blend(poseJob* job, const uint32_t* list, const float* weights, uint32_t count) {
    const cliHandled* handled = &job->handled;
    uint32_t used = 0;
    for (uint32_t i = 0; i < count; i++) {
        bool seen = false;
        for (uint32_t k = 0; k < i; k++) seen |= list[k] == list[i];
        job->weights[list[i]] += weights[i];
        if (!seen) job->order[used++] = list[i];
    }
    for (uint32_t p = 0; p < handled->pose_count; p++) {
        bool seen = false;
        for (uint32_t k = 0; k < count; k++) seen |= list[k] == p;
        if (!seen) job->order[used++] = p;
    }
    sn_handle_poses_blend(handled->handles, (const snHandlePose* const*)handled->poses, job->weights,
                          job->order, handled->pose_count, job->moves);
}

static bool make_room(poseJob* job) {
    const snAllocator* memory = &job->context->memory;
    job->weights = SNI_NEW_ARRAY(memory, float, job->handled.pose_count);
    job->order = SNI_NEW_ARRAY(memory, uint32_t, job->handled.pose_count);
    job->moves = SNI_NEW_ARRAY(memory, snRigid, job->handled.handles->handle_count);
    return job->weights != NULL && job->order != NULL && job->moves != NULL;
}

static cliExit pose_handles(poseJob* job) {
    const cliArguments* a = job->context->arguments;
    uint32_t list[CLI_MAX_REPEATED], count = 0;
    float weights[CLI_MAX_REPEATED];
    cliExit code = cli_given(a, "examples") ? handled_read_examples(&job->handled) : CLI_DONE;
    if (code == CLI_DONE) code = read_poses(job, list, weights, &count);
    if (code != CLI_DONE) return code;
    if (!make_room(job)) return context_fail_memory(job->context);
    if (cli_given(a, "target")) return pose_search(job);
    blend(job, list, weights, count);
    return CLI_DONE;
}

// --------------------------------------------------------------------------------------------------- writing

// With --focus only what is around the centre of that handle, where it is now.
static cliExit close_up(const poseJob* job, snExtent* extent) {
    const cliArguments* a = job->context->arguments;
    const char* name = cli_text(a, "focus");
    if (name == NULL) return CLI_DONE;
    const snHandles* handles = job->handled.handles;
    uint32_t handle = SN_NONE;
    cliExit code = handled_find_handle(a, handles, "focus", name, &handle);
    if (code != CLI_DONE) return code;
    snExtent close = sn_extent_empty();
    snVec3 centre = sn_rigid_point(job->moves[handle], handles->handles[handle].centre);
    sn_extent_add_close_up(&close, centre, extent->bounds);
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
    sn_extent_add(&extent, sn_puppet_surface(job->handled.puppet, 0).positions,
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
    code = picture_stage_surfaces(context, renderer, model, sn_puppet_surfaces(job->handled.puppet), &stage);
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
    if (sn_document_write_still(job->context->document, job->output, sn_puppet_surfaces(job->handled.puppet),
                                &notes, &error) != SN_RESULT_OK)
        return context_fail(job->context, &error);
    context_say_notes(job->context, job->output, "note: ", &notes);
    return CLI_DONE;
}

// A pose in the making, of the steps and details of others.
typedef struct Saved {
    uint32_t step_count, detail_count;
    snPoseStep* steps;
    snPoseDetail* details;
    uint32_t* all; // handle_count: every handle
} Saved;

static bool make_saved(const poseJob* job, Saved* saved) {
    const cliHandled* handled = &job->handled;
    const snAllocator* memory = &job->context->memory;
    size_t steps = 1; // that of the anchor
    for (uint32_t p = 0; p < handled->pose_count; p++) steps += handled->poses[p]->step_count;
    saved->steps = SNI_NEW_ARRAY(memory, snPoseStep, steps);
    saved->details = SNI_NEW_ARRAY(memory, snPoseDetail, handled->mesh->vertex_count);
    saved->all = SNI_NEW_ARRAY(memory, uint32_t, handled->handles->handle_count);
    return saved->steps != NULL && saved->details != NULL && saved->all != NULL;
}

static void save_steps(const poseJob* job, Saved* saved) {
    const cliHandled* handled = &job->handled;
    for (uint32_t i = 0; i < handled->pose_count; i++) {
        const snHandlePose* from = handled->poses[job->order[i]];
        float weight = job->weights[job->order[i]];
        for (uint32_t s = 0; s < from->step_count && weight != 0.0f; s++) {
            snPoseStep step = from->steps[s];
            step.angle *= weight;
            step.move = sn_scale(step.move, weight);
            saved->steps[saved->step_count++] = step;
        }
    }
    if (sn_length(job->shift) == 0.0f) return;
    uint32_t count = handled->handles->handle_count;
    for (uint32_t h = 0; h < count; h++) saved->all[h] = h;
    saved->steps[saved->step_count++] =
        (snPoseStep){.act = SN_POSE_MOVE, .move = job->shift, .handle_count = count, .handles = saved->all};
}

static void save_details(const poseJob* job, Saved* saved) {
    const cliHandled* handled = &job->handled;
    if (!sn_handle_poses_details(handled->handles, (const snHandlePose* const*)handled->poses, job->weights,
                                 handled->pose_count, handled->offsets))
        return;
    for (uint32_t v = 0; v < handled->mesh->vertex_count; v++)
        if (handled->offsets[v] != 0.0f)
            saved->details[saved->detail_count++] = (snPoseDetail){v, handled->offsets[v]};
}

static snResult write_saved(const poseJob* job, const Saved* saved, const char* path, snError* error) {
    const snHandles* handles = job->handled.handles;
    char name[256];
    handled_pose_name(path, name, sizeof name);
    snHandlePoseDef def = {name, saved->step_count, saved->steps, saved->detail_count, saved->details};
    snHandlePose* pose = NULL;
    snResult result = sn_handle_pose_create(&def, handles, &job->context->memory, &pose, error);
    if (result == SN_RESULT_OK) result = sn_handle_pose_write(pose, handles, path, error);
    sn_handle_pose_destroy(pose);
    return result;
}

// The blend as one pose: the steps of all poses in order, each by its weight, the way the anchor carried the
// body, and the details.
static cliExit save_pose(const poseJob* job, const char* path) {
    const snAllocator* memory = &job->context->memory;
    Saved saved = {0};
    snError error = sn_error_none();
    cliExit code = CLI_DONE;
    if (make_saved(job, &saved)) {
        save_steps(job, &saved);
        save_details(job, &saved);
        if (write_saved(job, &saved, path, &error) != SN_RESULT_OK) code = context_fail(job->context, &error);
    } else {
        code = context_fail_memory(job->context);
    }
    sni_free(memory, saved.steps);
    sni_free(memory, saved.details);
    sni_free(memory, saved.all);
    return code;
}

// ---------------------------------------------------------------------------------------------------- report

static void say(const poseJob* job) {
    const cliHandled* handled = &job->handled;
    const char* save = cli_text(job->context->arguments, "save");
    context_say(job->context, "wrote %s", job->output);
    if (save != NULL) context_say(job->context, "wrote %s", save);
    if (job->target_count > 0)
        context_say(job->context, "energy %.5f after %u evaluations in %.3f ms", (double)job->found.energy,
                    job->found.evaluations, job->seconds * 1e3);
    for (uint32_t i = 0; i < handled->pose_count; i++) {
        uint32_t p = job->order[i];
        if (job->weights[p] != 0.0f)
            context_say(job->context, "%8.4f  %s", (double)job->weights[p], handled->poses[p]->name);
    }
    for (uint32_t t = 0; t < job->target_count; t++)
        context_say(job->context, "%s is %.1f mm from its target",
                    handled->handles->handles[job->targets[t].handle].name,
                    (double)sn_distance(pose_target_at(job, t), job->targets[t].place) * 1e3);
}

static cliExit report(const poseJob* job) {
    const cliHandled* handled = &job->handled;
    if (!job->context->json) {
        say(job);
        return CLI_DONE;
    }
    sniJsonValue *object = sni_json_object(), *weights = sni_json_object(), *targets = sni_json_array();
    sni_json_set(object, "output", sni_json_string(job->output));
    sni_json_set(object, "hash", report_hash(sn_puppet_hash(handled->puppet)));
    for (uint32_t i = 0; i < handled->pose_count; i++)
        sni_json_set(weights, handled->poses[job->order[i]]->name,
                     sni_json_real((double)job->weights[job->order[i]]));
    sni_json_set(object, "weights", weights);
    for (uint32_t t = 0; t < job->target_count; t++) {
        sniJsonValue* target = sni_json_object();
        double distance = (double)sn_distance(pose_target_at(job, t), job->targets[t].place);
        sni_json_set(target, "handle",
                     sni_json_string(handled->handles->handles[job->targets[t].handle].name));
        sni_json_set(target, "distance_mm", sni_json_real(distance * 1e3));
        sni_json_add(targets, target);
    }
    if (job->target_count > 0) {
        sni_json_set(object, "energy", sni_json_real((double)job->found.energy));
        sni_json_set(object, "evaluations", sni_json_uint(job->found.evaluations));
        sni_json_set(object, "search_seconds", sni_json_real(job->seconds));
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
    error.code = handled_run(&job->handled, job->moves, job->weights);
    snprintf(error.text, sizeof error.text, "posing failed: %s", sn_result_name(error.code));
    if (error.code != SN_RESULT_OK) return context_fail(job->context, &error);
    code = path_has_extension(job->output, ".png") ? write_picture(job) : write_model(job);
    if (code == CLI_DONE && save != NULL) code = save_pose(job, save);
    return code == CLI_DONE ? report(job) : code;
}

static cliExit pose_model(cliContext* context) {
    poseJob job = {.context = context, .output = cli_text(context->arguments, "output")};
    cliExit code = pose_with(&job, context_model(context));
    handled_close(&job.handled);
    sni_free(&context->memory, job.weights);
    sni_free(&context->memory, job.order);
    sni_free(&context->memory, job.moves);
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
        return cli_usage(arguments->verb, "--target finds weights, --pose gives them: one of the two");
    if (idle != NULL && !cli_given(arguments, "target"))
        return cli_usage(arguments->verb, "--%s is for a search: --target HANDLE=X,Y,Z", idle);
    if (!cli_given(arguments, "target") && !cli_given(arguments, "pose"))
        return cli_usage(arguments->verb, "--pose P or --target HANDLE=X,Y,Z is missing");
    if (save != NULL && !path_has_extension(save, ".snpose"))
        return cli_usage(arguments->verb, "--save %s: the name must end in .snpose", save);
    if (!picture &&
        (cli_given(arguments, "camera") || cli_given(arguments, "size") || cli_given(arguments, "focus")))
        return cli_usage(arguments->verb, "--camera, --focus and --size are for .png");
    return context_run(arguments, picture ? SN_IMAGES_ALL : SN_IMAGES_NONE, pose_model);
}

static const cliOption options[] = {
    {"output", 'o', CLI_FILE, "OUT", "the posed surface: .obj, .glb, .gltf, or a picture: .png", NULL, 0, 0},
    {"pose", 0, CLI_LIST, "P[:WEIGHT]", "pose to load, a .snpose or the name of an example; may be repeated",
     NULL, 0, 0},
    {"save", 0, CLI_FILE, "POSE", "write the blend as one pose, .snpose", NULL, 0, 0},
    CLI_HANDLED_OPTIONS,
    CLI_SEARCH_OPTIONS,
    CLI_PICTURE_OPTIONS("HANDLE", "handle", "960x720"),
    {NULL, 0, CLI_FLAG, NULL, NULL, NULL, 0, 0},
};
static const char* const examples[] = {
    "sinew pose scan.obj --rig scan.snrig --pose wave.snpose -o wave.obj",
    "sinew pose scan.obj --rig scan.snrig --pose sit.snpose:0.5 --pose wave.snpose -o half.png",
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
