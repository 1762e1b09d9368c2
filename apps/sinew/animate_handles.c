// `sinew animate --rig`: frames from handles that follow paths, keyframes or a captured motion.
#include "animate.h"

#include <stdio.h>
#include <string.h>

#include "capture.h"
#include "film.h"
#include "picture.h"
#include "report.h"

// Metres that a limb may be too short before it is said.
#define NOTABLE 1e-3f

typedef struct Handles {
    animateJob* job;
    cliHandled handled;
    snPaths* captured; // of a MOTION, or NULL
    snHandlePlayer* player;
    snBounds* reached; // by each frame of the plan
    uint32_t counted;  // frames that it is known of
} Handles;

// ---------------------------------------------------------------------------------------------------- frames

static snResult pose_frame(void* user, uint32_t frame) {
    Handles* h = user;
    snResult result = sn_handle_player_pose(h->player, frame);
    if (result != SN_RESULT_OK || frame < h->counted) return result;
    h->counted = frame + 1;
    h->reached[frame] = sn_bounds_of(sn_puppet_surface(sn_handle_player_puppet(h->player), 0).positions,
                                     h->handled.mesh->vertex_count);
    return SN_RESULT_OK;
}

static snSurface frame_surface(void* user, uint32_t part) {
    const Handles* h = user;
    return sn_puppet_surface(sn_handle_player_puppet(h->player), part);
}

static uint64_t frame_hash(void* user) {
    const Handles* h = user;
    return sn_puppet_hash(sn_handle_player_puppet(h->player));
}

// --------------------------------------------------------------------------------------------------- opening

static cliExit read_path(Handles* h, const char* path) {
    animateJob* job = h->job;
    snDocument* document = job->context->document;
    snError error = sn_error_none();
    if (sn_document_set_path(document, path, NULL, 0, NULL, &error) != SN_RESULT_OK)
        return context_fail(job->context, &error);
    handled_look(&h->handled);
    const snPathFile* file = sn_document_path(document);
    bool moved = job->context->arguments->operand_count > 1, keyed = file->keyframes.key_count > 0;
    if (keyed && moved)
        return cli_usage(job->context->arguments->verb, "%s has keyframes, which cannot follow a MOTION",
                         path);
    if (!keyed && !moved && file->paths == NULL)
        return cli_usage(job->context->arguments->verb,
                         "%s has no \"paths\", \"walk\" or \"keyframes\", and there is no MOTION to follow",
                         path);
    return CLI_DONE;
}

static cliExit open_player(Handles* h) {
    animateJob* job = h->job;
    const snPathFile* file = sn_document_path(job->context->document);
    snHandlePlayerDef def = sn_handle_player_def();
    def.fps = job->plan.fps;
    bool keyed = file != NULL && file->keyframes.key_count > 0;
    // A film of a loop leaves the last moment out, which is the first again.
    def.both_ends = !(keyed && file->keyframes.loop && sn_film_is_path(job->output));
    def.captured = h->captured;
    def.clock = context_clock;
    snError error = sn_error_none();
    snResult result = sn_handle_player_create(job->context->document, &def, &h->player, &error);
    if (result == SN_RESULT_LIMIT && keyed) return cli_usage(job->context->arguments->verb, "%s", error.text);
    if (result != SN_RESULT_OK) return context_fail(job->context, &error);
    sn_handle_player_plan(h->player, &job->plan);
    return CLI_DONE;
}

static cliExit build(Handles* h) {
    snPuppetDef def;
    snError error = sn_error_none();
    cliExit code = handled_options(h->job->context, &def);
    if (code != CLI_DONE || sn_handle_player_build(h->player, &def, &error) == SN_RESULT_OK) return code;
    if (error.file[0] == '\0')
        snprintf(error.file, sizeof error.file, "%s", cli_text(h->job->context->arguments, "rig"));
    return context_fail(h->job->context, &error);
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
    const snPathFile* file = sn_document_path(job->context->document);
    job->plan.fps = cli_number(a, "fps", file != NULL ? file->fps : 30.0f);
    if (a->operand_count > 1) code = capture_paths(&h->handled, a->operands[1], job->plan.fps, &h->captured);
    if (code != CLI_DONE) return code;
    code = open_player(h);
    if (code == CLI_DONE && a->operand_count < 2 && cli_given(a, "to")) code = cut_end(job);
    if (code == CLI_DONE && job->plan.frames > SN_TAKE_MAX_FRAMES)
        return cli_usage(a->verb, "%u frames are more than the %d that are possible", job->plan.frames,
                         SN_TAKE_MAX_FRAMES);
    return code == CLI_DONE ? build(h) : code;
}

// -------------------------------------------------------------------------------------------------- pictures

static snResult pose_film(void* user, uint32_t frame, snError* error) {
    return sn_take_pose(user, frame, error);
}

static snBounds all_reached(const Handles* h) {
    snBounds all = h->reached[0];
    for (uint32_t i = 1; i < h->counted; i++)
        all = sn_bounds_add(sn_bounds_add(all, h->reached[i].min), h->reached[i].max);
    return all;
}

// A still shows the last frame, where the way has led.
static snResult shoot(const Handles* h, const cliPicture* picture, snStage* stage, snError* error) {
    const animateJob* job = h->job;
    const snPathFile* file = sn_document_path(job->context->document);
    snShot scene = picture_scene_of_frames(stage, picture, h->reached, h->counted, job->plan.fps);
    scene.floor = h->handled.ground;
    snResult result = SN_RESULT_OK;
    if (file != NULL && file->grounded)
        result = sn_stage_set_ground(stage, &file->terrain, all_reached(h), error);
    if (result != SN_RESULT_OK) return result;
    if (!sn_film_is_path(job->output))
        return sn_stage_still(stage, SN_CLIP_REST, (float)(h->counted - 1) / job->plan.fps, &scene,
                              job->output, error);
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
    if (code == CLI_DONE) code = animate_write(job, SN_BAKE_SKIN);
    if (code == CLI_DONE) code = picture_renderer(job->context, &renderer);
    if (code != CLI_DONE) return code;
    snStage* stage = NULL;
    snError error = sn_error_none();
    code = picture_stage_surfaces(job->context, renderer, job->model,
                                  sn_puppet_surfaces(sn_handle_player_puppet(h->player)), &stage);
    if (code == CLI_DONE) code = picture_end(job->context, shoot(h, &picture, stage, &error), &error);
    sn_stage_destroy(stage);
    sn_renderer_destroy(renderer);
    return code;
}

// ---------------------------------------------------------------------------------------------------- report

static const char* path_name(const Handles* h, uint32_t path) {
    return h->handled.handles->handles[sn_handle_player_path_handle(h->player, path)].name;
}

static const char* plural(uint32_t count) { return count == 1 ? "" : "s"; }

static void say_path(const Handles* h, uint32_t i) {
    const cliContext* context = h->job->context;
    const char* name = path_name(h, i);
    snContactReport r = sn_handle_player_contact(h->player, i);
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
    context_say(job->context, "wrote %s: %u frame%s, %.3f ms each, %.3f of them to find the pose",
                job->output, job->plan.frames, plural(job->plan.frames), each * 1e3,
                sn_handle_player_seconds(h->player) / (double)job->plan.frames * 1e3);
    animate_say_caches(job);
    for (uint32_t i = 0; i < sn_handle_player_path_count(h->player); i++) say_path(h, i);
    bake_say_take(job->context, job->model, job->take);
}

static void report_path(const Handles* h, uint32_t i, sniJsonValue* list) {
    snContactReport r = sn_handle_player_contact(h->player, i);
    sniJsonValue* path = sni_json_object();
    sni_json_set(path, "handle", sni_json_string(path_name(h, i)));
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
    double each = sn_take_report(job->take)->seconds / (double)job->plan.frames;
    if (!job->context->json) {
        say(h, each);
        return CLI_DONE;
    }
    sniJsonValue *object = sni_json_object(), *paths = sni_json_array();
    sni_json_set(object, "output", sni_json_string(job->output));
    animate_report_caches(job, object);
    sni_json_set(object, "fps", sni_json_real((double)job->plan.fps));
    sni_json_set(object, "frames", sni_json_uint(job->plan.frames));
    sni_json_set(object, "examples", sni_json_uint(h->handled.pose_count));
    sni_json_set(object, "seconds_per_frame", sni_json_real(each));
    sni_json_set(object, "search_seconds_per_frame",
                 sni_json_real(sn_handle_player_seconds(h->player) / (double)job->plan.frames));
    sni_json_set(object, "hash", report_hash(sn_take_report(job->take)->hash));
    for (uint32_t i = 0; i < sn_handle_player_path_count(h->player); i++) report_path(h, i, paths);
    sni_json_set(object, "paths", paths);
    bake_report_take(job->model, job->take, object);
    return report_print(job->context, object);
}

// ------------------------------------------------------------------------------------------------------ verb

static cliExit make_room(Handles* h) {
    h->reached = SNI_NEW_ARRAY(&h->job->context->memory, snBounds, h->job->plan.frames);
    if (h->reached != NULL) return CLI_DONE;
    fprintf(stderr, "sinew: out of memory for %u frames\n", h->job->plan.frames);
    return CLI_SYSTEM;
}

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
    Handles handles = {.job = &job};
    cliExit code = open_frames(&handles);
    if (code == CLI_DONE) code = make_room(&handles);
    if (code == CLI_DONE) code = make_take(&handles);
    if (code == CLI_DONE)
        code = animate_is_picture(job.output)
                   ? draw(&handles)
                   : animate_write(&job, bake_target(context->arguments, SN_BAKE_MORPHS));
    if (code == CLI_DONE) code = report(&handles);
    sn_take_destroy(job.take);
    sni_free(&context->memory, handles.reached);
    sn_handle_player_destroy(handles.player);
    sn_paths_destroy(handles.captured);
    handled_close(&handles.handled);
    return code;
}
