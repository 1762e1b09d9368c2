// `sinew animate --rig`: frames from handles that follow paths, keyframes or a captured motion.
#include "animate.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "capture.h"
#include "extent.h"
#include "film.h"
#include "picture.h"
#include "report.h"

// Metres that a limb may be too short before it is said.
#define NOTABLE 1e-3f

typedef struct Handles {
    animateJob* job;
    cliHandled handled;
    snPathFile* file;     // --path, or NULL
    snPaths* captured;    // of a MOTION, or NULL
    snPathPlayer* player; // NULL: keyframes
    float* weights;       // pose_count; of keyframes
    snRigid* moves;
    snExtent extent;  // of all frames
    double searching; // seconds spent before the surface
    uint32_t counted; // frames that the two above have
} Handles;

// ---------------------------------------------------------------------------------------------------- frames

static snResult pose_keyframes(Handles* h, float time, const snRigid** moves, const float** weights) {
    const cliHandled* handled = &h->handled;
    sn_keyframes_at(&h->file->keyframes, time, handled->pose_count, h->weights);
    sn_handle_poses_blend(handled->handles, (const snHandlePose* const*)handled->poses, h->weights, NULL,
                          handled->pose_count, h->moves);
    *moves = h->moves;
    *weights = h->weights;
    return SN_RESULT_OK;
}

static snResult pose_paths(Handles* h, uint32_t frame, const snRigid** moves, const float** weights) {
    snPathFrame made;
    snResult result = sn_path_player_run(h->player, frame, &made);
    if (result != SN_RESULT_OK) return result;
    *moves = made.handles;
    *weights = made.weights;
    return SN_RESULT_OK;
}

static snResult pose_frame(void* user, uint32_t frame) {
    Handles* h = user;
    const snRigid* moves = NULL;
    const float* weights = NULL;
    const snTakeDef* plan = &h->job->plan;
    double start = context_clock();
    snResult result = h->player != NULL
                          ? pose_paths(h, frame, &moves, &weights)
                          : pose_keyframes(h, plan->from + (float)frame / plan->fps, &moves, &weights);
    double found = context_clock();
    if (result == SN_RESULT_OK) result = handled_run(&h->handled, moves, weights);
    if (result != SN_RESULT_OK || frame < h->counted) return result;
    h->counted = frame + 1;
    h->searching += found - start;
    sn_extent_add(&h->extent, sn_puppet_surface(h->handled.puppet, 0).positions,
                  h->handled.mesh->vertex_count);
    return SN_RESULT_OK;
}

static snSurface frame_surface(void* user, uint32_t part) {
    const Handles* h = user;
    return sn_puppet_surface(h->handled.puppet, part);
}

static uint64_t frame_hash(void* user) {
    const Handles* h = user;
    return sn_puppet_hash(h->handled.puppet);
}

// --------------------------------------------------------------------------------------------------- opening

static cliExit read_path(Handles* h, const char* path) {
    animateJob* job = h->job;
    snPathReadDef def = sn_path_read_def();
    def.handles = h->handled.handles;
    def.ground = h->handled.ground;
    def.pose_count = h->handled.pose_count;
    def.poses = (const snHandlePose* const*)h->handled.poses;
    def.read.memory_limit = job->context->budget.limit;
    def.read.allocator = &job->context->memory;
    snError error = sn_error_none();
    if (sn_path_file_read(path, &def, &h->file, &error) != SN_RESULT_OK)
        return context_fail(job->context, &error);
    bool moved = job->context->arguments->operand_count > 1, keyed = h->file->keyframes.key_count > 0;
    if (keyed && moved)
        return cli_usage(job->context->arguments->verb, "%s has keyframes, which follow no MOTION", path);
    if (!keyed && !moved && h->file->paths == NULL)
        return cli_usage(job->context->arguments->verb,
                         "%s has no \"paths\", \"walk\" or \"keyframes\", and there is no MOTION to follow",
                         path);
    return CLI_DONE;
}

// What the file says about playing; a MOTION by itself is played with the defaults, turned as it goes.
static snPathPlayerDef player_def(const Handles* h, float fps) {
    snPathPlayerDef def = sn_path_player_def();
    def.handles = h->handled.handles;
    def.mesh = h->handled.mesh;
    def.pose_count = h->handled.pose_count;
    def.poses = (const snHandlePose* const*)h->handled.poses;
    def.fps = fps;
    def.heading = h->captured != NULL ? 0.6f : 0.0f;
    const snPathFile* file = h->file;
    if (file == NULL) return def;
    def.duration = file->duration;
    def.blend = file->blend;
    def.smooth = file->smooth;
    def.steady = file->steady;
    def.base = file->base;
    def.change = file->change;
    def.search = file->search;
    def.objective = file->objective;
    def.order = file->order;
    def.terrain = file->grounded ? &file->terrain : NULL;
    if (file->heading > 0.0f || h->captured == NULL) def.heading = file->heading;
    return def;
}

// Captured paths behind those of the file.
static cliExit open_player(Handles* h) {
    animateJob* job = h->job;
    const snAllocator* memory = &job->context->memory;
    const snPaths* lists[2] = {h->file != NULL ? h->file->paths : NULL, h->captured};
    snPathPlayerDef def = player_def(h, job->plan.fps);
    for (int i = 0; i < 2; i++) def.path_count += lists[i] != NULL ? lists[i]->path_count : 0;
    snPathDef* all = SNI_NEW_ARRAY(memory, snPathDef, def.path_count);
    if (all == NULL) return context_fail_memory(job->context);
    uint32_t count = 0;
    for (int i = 0; i < 2; i++)
        for (uint32_t p = 0; lists[i] != NULL && p < lists[i]->path_count; p++)
            all[count++] = lists[i]->paths[p];
    def.paths = all;
    snError error = sn_error_none();
    snResult result = sn_path_player_create(&def, memory, &h->player, &error);
    sni_free(memory, all);
    if (result != SN_RESULT_OK) return context_fail(job->context, &error);
    job->plan.frames = sn_path_player_frame_count(h->player);
    job->plan.to = (float)(job->plan.frames - 1) / job->plan.fps;
    return CLI_DONE;
}

static cliExit open_keyframes(Handles* h) {
    animateJob* job = h->job;
    const snKeyframes* keyframes = &h->file->keyframes;
    h->weights = SNI_NEW_ARRAY(&job->context->memory, float, h->handled.pose_count);
    h->moves = SNI_NEW_ARRAY(&job->context->memory, snRigid, h->handled.handles->handle_count);
    if (h->weights == NULL || h->moves == NULL) return context_fail_memory(job->context);
    job->plan.from = keyframes->keys[0].time;
    job->plan.to = keyframes->keys[keyframes->key_count - 1].time;
    if (h->file->duration > 0.0f) job->plan.to = job->plan.from + h->file->duration;
    // A film of a loop leaves the last moment out, which is the first again.
    bool both = !(keyframes->loop && sn_film_is_path(job->output));
    return context_frames(job->context, job->plan.from, job->plan.to, job->plan.fps, both, &job->plan.frames);
}

// Frames follow from those before, so only the end can be left out.
static cliExit cut_end(animateJob* job) {
    float to = cli_number(job->context->arguments, "to", job->plan.to);
    uint32_t frames = 0;
    cliExit code = context_frames(job->context, job->plan.from, to, job->plan.fps, true, &frames);
    if (code == CLI_DONE && frames < job->plan.frames) job->plan.frames = frames;
    return code;
}

static cliExit open_frames(Handles* h) {
    animateJob* job = h->job;
    const cliArguments* a = job->context->arguments;
    const char* path = cli_text(a, "path");
    cliExit code = handled_open(&h->handled, job->context, job->model);
    if (code == CLI_DONE) code = handled_read_examples(&h->handled);
    if (code == CLI_DONE && path != NULL) code = read_path(h, path);
    if (code != CLI_DONE) return code;
    job->plan.fps = cli_number(a, "fps", h->file != NULL ? h->file->fps : 30.0f);
    if (a->operand_count > 1) code = capture_paths(&h->handled, a->operands[1], job->plan.fps, &h->captured);
    if (code != CLI_DONE) return code;
    bool keyed = h->file != NULL && h->file->keyframes.key_count > 0;
    code = keyed ? open_keyframes(h) : open_player(h);
    if (code == CLI_DONE && a->operand_count < 2 && cli_given(a, "to")) code = cut_end(job);
    if (code == CLI_DONE && job->plan.frames > SN_TAKE_MAX_FRAMES)
        return cli_usage(a->verb, "%u frames are more than the %d that are possible", job->plan.frames,
                         SN_TAKE_MAX_FRAMES);
    return code == CLI_DONE ? handled_build(&h->handled) : code;
}

// -------------------------------------------------------------------------------------------------- pictures

static snResult pose_film(void* user, uint32_t frame, snError* error) {
    return sn_take_pose(user, frame, error);
}

// A still shows the last frame, where the way has led.
static snResult shoot(const Handles* h, const cliPicture* picture, snStage* stage, snError* error) {
    const animateJob* job = h->job;
    snShot scene = sn_shot();
    scene.width = picture->width;
    scene.height = picture->height;
    scene.bounds = h->extent.bounds;
    scene.floor = h->handled.ground;
    scene.camera =
        sn_camera_frame_extent(picture->view, &h->extent, (float)scene.width / (float)scene.height);
    snResult result = SN_RESULT_OK;
    if (h->file != NULL && h->file->grounded)
        result = sn_stage_set_ground(stage, &h->file->terrain, h->extent.bounds, error);
    if (result != SN_RESULT_OK) return result;
    if (!sn_film_is_path(job->output))
        return sn_stage_still(stage, SN_CLIP_REST, 0.0f, &scene, job->output, error);
    scene.supersample = 1;
    snStageFilmDef def = sn_stage_film_def();
    def.path = job->output;
    def.fps = job->plan.fps;
    def.frames = job->plan.frames;
    def.pose = pose_film;
    def.pose_user = job->take;
    def.progress = context_listen(job->context);
    return sn_stage_film(stage, &def, &scene, error);
}

static cliExit draw(Handles* h) {
    animateJob* job = h->job;
    cliPicture picture;
    snRenderer* renderer = NULL;
    cliExit code = picture_read(job->context, job->model, job->output, 960, 720, &picture);
    if (code == CLI_DONE) code = animate_write(job, false);
    if (code == CLI_DONE) code = picture_renderer(job->context, &renderer);
    if (code != CLI_DONE) return code;
    snStage* stage = NULL;
    snError error = sn_error_none();
    code = picture_stage_surfaces(job->context, renderer, job->model, sn_puppet_surfaces(h->handled.puppet),
                                  &stage);
    if (code == CLI_DONE) code = picture_end(job->context, shoot(h, &picture, stage, &error), &error);
    sn_stage_destroy(stage);
    sn_renderer_destroy(renderer);
    return code;
}

// ---------------------------------------------------------------------------------------------------- report

static const snPathDef* path_at(const Handles* h, uint32_t i) {
    uint32_t first = h->file != NULL && h->file->paths != NULL ? h->file->paths->path_count : 0;
    return i < first ? &h->file->paths->paths[i] : &h->captured->paths[i - first];
}

static uint32_t path_count(const Handles* h) {
    uint32_t count = h->file != NULL && h->file->paths != NULL ? h->file->paths->path_count : 0;
    return count + (h->captured != NULL ? h->captured->path_count : 0);
}

static const char* plural(uint32_t count) { return count == 1 ? "" : "s"; }

static void say_path(const Handles* h, uint32_t i) {
    const cliContext* context = h->job->context;
    const char* name = h->handled.handles->handles[path_at(h, i)->handle].name;
    snContactReport r = sn_path_player_report(h->player, i);
    if (r.contacts == 0)
        context_say(context, "%s: %.1f mm from its path on average, %.1f mm at most", name,
                    (double)r.distance_mean * 1e3, (double)r.distance_max * 1e3);
    else
        context_say(context,
                    "%s: set down %u time%s, slides by %.4f mm at most, %.4f mm on average over %u frame%s, "
                    "sinks by %.2f mm",
                    name, r.contacts, plural(r.contacts), (double)r.slide_max * 1e3,
                    (double)r.slide_mean * 1e3, r.frames, plural(r.frames), (double)r.sunk_max * 1e3);
    if (r.stretch_max > NOTABLE)
        context_say(context, "note: %s is out of its limb's reach by up to %.1f mm", name,
                    (double)r.stretch_max * 1e3);
}

static void say(const Handles* h, double each) {
    const animateJob* job = h->job;
    const snMorphBake* morphs = sn_take_morphs(job->take);
    context_say(job->context, "wrote %s: %u frame%s, %.3f ms each, %.3f of them to find the pose",
                job->output, job->plan.frames, plural(job->plan.frames), each * 1e3,
                h->searching / (double)job->plan.frames * 1e3);
    for (uint32_t i = 0; h->player != NULL && i < path_count(h); i++) say_path(h, i);
    if (morphs != NULL)
        context_say(job->context, "%u morph target%s, at most %.3f mm off at the frames",
                    morphs->target_count, plural(morphs->target_count), morphs->worst_error * 1e3);
}

static void report_path(const Handles* h, uint32_t i, sniJsonValue* list) {
    snContactReport r = sn_path_player_report(h->player, i);
    sniJsonValue* path = sni_json_object();
    sni_json_set(path, "handle", sni_json_string(h->handled.handles->handles[path_at(h, i)->handle].name));
    sni_json_set(path, "contacts", sni_json_uint(r.contacts));
    sni_json_set(path, "contact_frames", sni_json_uint(r.frames));
    sni_json_set(path, "slide_max_mm", sni_json_real((double)r.slide_max * 1e3));
    sni_json_set(path, "slide_mean_mm", sni_json_real((double)r.slide_mean * 1e3));
    sni_json_set(path, "sunk_max_mm", sni_json_real((double)r.sunk_max * 1e3));
    sni_json_set(path, "distance_max_mm", sni_json_real((double)r.distance_max * 1e3));
    sni_json_set(path, "distance_mean_mm", sni_json_real((double)r.distance_mean * 1e3));
    sni_json_set(path, "stretch_max_mm", sni_json_real((double)r.stretch_max * 1e3));
    sni_json_add(list, path);
}

static cliExit report(const Handles* h) {
    const animateJob* job = h->job;
    const snMorphBake* morphs = sn_take_morphs(job->take);
    double each = sn_take_report(job->take)->seconds / (double)job->plan.frames;
    if (!job->context->json) {
        say(h, each);
        return CLI_DONE;
    }
    sniJsonValue *object = sni_json_object(), *paths = sni_json_array();
    sni_json_set(object, "output", sni_json_string(job->output));
    sni_json_set(object, "fps", sni_json_real((double)job->plan.fps));
    sni_json_set(object, "frames", sni_json_uint(job->plan.frames));
    sni_json_set(object, "examples", sni_json_uint(h->handled.pose_count));
    sni_json_set(object, "seconds_per_frame", sni_json_real(each));
    sni_json_set(object, "search_seconds_per_frame", sni_json_real(h->searching / (double)job->plan.frames));
    sni_json_set(object, "hash", report_hash(sn_take_report(job->take)->hash));
    for (uint32_t i = 0; h->player != NULL && i < path_count(h); i++) report_path(h, i, paths);
    sni_json_set(object, "paths", paths);
    if (morphs != NULL) {
        sni_json_set(object, "morph_targets", sni_json_uint(morphs->target_count));
        sni_json_set(object, "morph_error_max_mm", sni_json_real(morphs->worst_error * 1e3));
    }
    return report_print(job->context, object);
}

// ------------------------------------------------------------------------------------------------------ verb

static cliExit make_take(Handles* h) {
    animateJob* job = h->job;
    animate_listen(job);
    snTakeSource source = {pose_frame, frame_surface, frame_hash, h};
    snError error = sn_error_none();
    if (sn_take_create(job->context->document, &job->plan, &source, &job->take, &error) == SN_RESULT_OK)
        return CLI_DONE;
    return context_fail(job->context, &error);
}

cliExit animate_by_handles(cliContext* context) {
    animateJob job = {.context = context,
                      .model = context_model(context),
                      .plan = sn_take_def(),
                      .output = cli_text(context->arguments, "output")};
    Handles handles = {.job = &job, .extent = sn_extent_empty()};
    cliExit code = open_frames(&handles);
    if (code == CLI_DONE) code = make_take(&handles);
    if (code == CLI_DONE) code = animate_is_picture(job.output) ? draw(&handles) : animate_write(&job, true);
    if (code == CLI_DONE) code = report(&handles);
    sn_take_destroy(job.take);
    sn_path_player_destroy(handles.player);
    sn_path_file_destroy(handles.file);
    sn_paths_destroy(handles.captured);
    sni_free(&context->memory, handles.weights);
    sni_free(&context->memory, handles.moves);
    handled_close(&handles.handled);
    return code;
}
