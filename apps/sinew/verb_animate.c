// sinew animate: a character moved by a clip, its own or from another file, as a model, as points, or as
// pictures.
#include <stdio.h>
#include <string.h>

#include "animate.h"
#include "base/memory.h"
#include "film.h"
#include "picture.h"
#include "verbs.h"

// ------------------------------------------------------------------------------------------------- writing

bool animate_is_picture(const char* output) {
    return sn_film_is_path(output) || path_has_extension(output, ".png");
}

cliExit animate_write(animateJob* job, snBakeTarget target) {
    snError error = sn_error_none();
    snNotes notes = {0};
    snTakeWriteDef def = bake_options(job->context->arguments, target, &notes);
    def.join = cli_given(job->context->arguments, "join");
    snResult result = animate_is_picture(job->output) ? sn_take_pose_all(job->take, &error)
                                                      : animate_write_takes(job, &def, &error);
    if (result != SN_RESULT_OK) return context_fail(job->context, &error);
    context_say_notes(job->context, job->output, "note: ", &notes);
    return CLI_DONE;
}

// The film's frames, or the first moment.
static snResult draw(const animateJob* job, snStage* stage, const cliPicture* picture, snError* error) {
    const snTakeReport* made = sn_take_report(job->take);
    bool film = sn_film_is_path(job->output), loop = job->plan.loop;
    uint32_t clip = job->plan.clip;
    snShot scene = picture_scene(stage, picture, clip, made->from, film ? made->to : made->from);
    if (!film) return sn_stage_still(stage, clip, made->from, &scene, job->output, error);
    if (loop) sn_stage_set_wrap(stage, SN_WRAP_LOOP);
    snStageFilmDef def = sn_stage_film_def();
    def.path = job->output;
    def.fps = made->fps;
    def.frames = made->frames;
    def.clip = clip;
    def.from = loop ? made->loop.start : made->from;
    def.progress = context_listen(job->context);
    return sn_stage_film(stage, &def, &scene, error);
}

static cliExit draw_pictures(animateJob* job) {
    cliPicture picture;
    snRenderer* renderer = NULL;
    cliExit code = picture_read(job->context, job->model, job->output, 960, 720, &picture);
    if (code == CLI_DONE) code = animate_write(job, SN_BAKE_SKIN);
    if (code == CLI_DONE) code = picture_renderer(job->context, &renderer);
    if (code != CLI_DONE) return code;
    snStage* stage = NULL;
    const snSettings* settings = sn_character_settings(sn_take_character(job->take));
    snError error = sn_error_none();
    code = picture_stage(job->context, renderer, job->model, settings, &stage);
    if (code == CLI_DONE) code = picture_end(job->context, draw(job, stage, &picture, &error), &error);
    sn_stage_destroy(stage);
    sn_renderer_destroy(renderer);
    return code;
}

// ---------------------------------------------------------------------------------------------------- plan

static cliExit choose_clip(animateJob* job) {
    const cliArguments* a = job->context->arguments;
    uint32_t* clip = &job->plan.clip;
    if (animate_wants_all(job) && job->model->clip_count > 0 && job->source == NULL) {
        *clip = 0;
        return CLI_DONE;
    }
    cliExit code = job->source != NULL ? motion_apply(job->context, job->source, NULL, clip, &job->motion)
                                       : context_clip(job->context, job->model, clip);
    if (code != CLI_DONE || *clip != SN_CLIP_REST) return code;
    fprintf(stderr, "%s: the model has no clip to animate it\n", a->operands[0]);
    return CLI_BAD_INPUT;
}

void animate_listen(animateJob* job) {
    job->plan.clock = context_clock;
    job->plan.progress = context_listen(job->context);
}

static cliExit plan(animateJob* job, bool plain) {
    const cliArguments* a = job->context->arguments;
    snTakeDef* def = &job->plan;
    *def = sn_take_def();
    cliExit code = choose_clip(job);
    if (code != CLI_DONE) return code;
    const snClip* clip = job->model->clips[def->clip];
    bool stretched = motion_is_cut(a);
    def->fps = cli_number(a, "fps", 30);
    // A foreign clip has been cut already.
    def->from = 0.0f;
    def->to = clip->duration;
    if (job->source == NULL) code = motion_range(job->context, clip, &def->from, &def->to);
    if (code != CLI_DONE) return code;
    if (plain && job->source == NULL && stretched)
        return cli_usage(a->verb, "--from and --to cut baked frames, but --target skin keeps the whole clip");
    // A still is one frame; a film leaves the last moment out.
    def->both_ends = !sn_film_is_path(job->output);
    uint32_t frames = 0;
    code = context_frames(job->context, def->from, def->to, def->fps, def->both_ends, &frames);
    if (path_has_extension(job->output, ".png")) def->to = def->from;
    def->loop = cli_given(a, "loop-bake");
    animate_listen(job);
    if (code != CLI_DONE || !def->loop) return code;
    if (cli_given(a, "push"))
        return cli_usage(a->verb, "--push acts once, --loop-bake bakes a repeating cycle: use one of them");
    if (stretched) return cli_usage(a->verb, "--loop-bake bakes the whole clip, without --from and --to");
    if (!(clip->duration > 0.0f)) return cli_usage(a->verb, "--loop-bake: the clip has no length");
    return CLI_DONE;
}

static cliExit animate_with(animateJob* job) {
    cliContext* context = job->context;
    bool gltf = path_has_extension(job->output, ".glb") || path_has_extension(job->output, ".gltf");
    bool beyond = sn_settings_beyond_skin(job->settings, job->model);
    snBakeTarget target = bake_target(context->arguments, beyond ? SN_BAKE_JOINTS : SN_BAKE_SKIN);
    bool plain = gltf && target == SN_BAKE_SKIN;
    cliExit code = bake_check(context->arguments, gltf ? target : SN_BAKE_SKIN);
    if (code == CLI_DONE) code = animate_check_all(job);
    if (code != CLI_DONE) return code;
    if (job->model->part_count == 0 && !plain) {
        fprintf(stderr, "%s: there is no surface in this file, only a skeleton\n",
                context->arguments->operands[0]);
        return CLI_BAD_INPUT;
    }
    code = plan(job, plain);
    job->vertices = deformation_vertices(job->model);
    if (code == CLI_DONE) code = deformation_use(context, job->settings);
    if (code != CLI_DONE) return code;
    code = animate_make_takes(job);
    if (code == CLI_DONE) code = deformation_say_styles(context, job->model, sn_take_character(job->take));
    if (code == CLI_DONE)
        code = animate_is_picture(job->output) ? draw_pictures(job) : animate_write(job, target);
    return code == CLI_DONE ? animate_report(job) : code;
}

static cliExit animate(cliContext* context, const snSource* source, const cliBound* bound) {
    animateJob job = {.context = context,
                      .model = context_model(context),
                      .source = source,
                      .bound = bound,
                      .output = cli_text(context->arguments, "output")};
    cliExit code = deformation_settings(context, &job.settings);
    if (code != CLI_DONE) return code;
    code = animate_with(&job);
    sn_take_destroy(job.take);
    for (uint32_t i = 0; i < job.more_count; i++) sn_take_destroy(job.more[i]);
    sni_free(&context->memory, job.more);
    motion_free(&job.motion);
    sn_settings_destroy(job.settings);
    return code;
}
// A mesh without a skeleton takes that of the motion.
static cliExit animate_any(cliContext* context) {
    const cliArguments* a = context->arguments;
    const char* motion_path = a->operand_count > 1 ? a->operands[1] : NULL;
    const snModel* model = context_model(context);
    bool bare = motion_path != NULL && model->part_count > 0 && !sn_document_has_skeleton(context->document);
    const char* idle = bare ? NULL : binding_option_given(a);
    if (idle != NULL)
        return cli_usage(
            a->verb, "--%s is for a mesh without a skeleton and a MOTION; use sinew bind for others", idle);
    if (motion_path != NULL && sn_model_find_clip(model, motion_path) != SN_NONE)
        return cli_usage(a->verb, "%s is a clip of the character: --clip %s plays it", motion_path,
                         motion_path);
    snSource* motion = NULL;
    cliBound bound = {0};
    cliExit code =
        motion_path != NULL ? context_source(context, motion_path, SN_IMAGES_NONE, &motion) : CLI_DONE;
    if (code == CLI_DONE && bare) code = binding_bare(context, motion, &bound);
    if (code == CLI_DONE) code = animate(context, motion, bare ? &bound : NULL);
    binding_free(&bound);
    sn_source_close(motion);
    return code;
}

// By handles nothing is skinned, bound or retargeted.
static cliExit check_handles(const cliArguments* a) {
    const char* handled = handled_option_given(a);
    if (!cli_given(a, "rig")) {
        if (handled == NULL) handled = cli_given(a, "path") ? "path" : NULL;
        return handled != NULL ? cli_usage(a->verb, "--%s is for models with handles: --rig RIG", handled)
                               : CLI_DONE;
    }
    if (!cli_given(a, "examples"))
        return cli_usage(a->verb, "--rig needs --examples DIR, poses to follow with");
    if (!cli_given(a, "path") && a->operand_count < 2)
        return cli_usage(a->verb, "--rig needs --path FILE or a MOTION to follow");
    static const char* const idle[] = {"skin", "volume", "flesh", "settings", "set", "style", "loop-bake"};
    for (size_t i = 0; i < sizeof idle / sizeof idle[0]; i++)
        if (cli_has(a->verb, idle[i]) && cli_given(a, idle[i]))
            return cli_usage(a->verb, "--%s is for characters with a skeleton, not for --rig", idle[i]);
    if (cli_given(a, "focus")) return cli_usage(a->verb, "--focus is for joints, not for --rig");
    if (cli_given(a, "from") && a->operand_count < 2)
        return cli_usage(a->verb, "--from cuts a MOTION; paths are followed from their beginning");
    if (cli_given(a, "clip") && a->operand_count < 2)
        return cli_usage(a->verb, "--clip chooses from a MOTION, but none is given");
    const char* target = cli_text(a, "target");
    if (target != NULL && strcmp(target, "skin") == 0)
        return cli_usage(a->verb, "--target skin is for characters with a skeleton; --rig has morph targets");
    return CLI_DONE;
}

static cliExit run(const cliArguments* arguments) {
    const char* output = cli_text(arguments, "output");
    if (output != NULL && path_has_extension(output, ".bvh"))
        return cli_usage(arguments->verb,
                         "%s: sinew motion writes .bvh, with --onto for a character's skeleton", output);
    cliExit code = context_output(arguments, ANIMATE_EXTENSIONS);
    if (code != CLI_DONE) return code;
    code = binding_check(arguments);
    if (code == CLI_DONE) code = check_handles(arguments);
    if (code != CLI_DONE) return code;
    const char* idle = arguments->operand_count < 2 ? motion_option_given(arguments) : NULL;
    if (idle != NULL) return cli_usage(arguments->verb, "--%s needs a MOTION, but none is given", idle);
    bool pictures = animate_is_picture(output);
    if (!pictures && (cli_given(arguments, "camera") || cli_given(arguments, "size") ||
                      cli_given(arguments, "focus") || cli_given(arguments, "follow")))
        return cli_usage(arguments->verb,
                         "--camera, --focus, --follow and --size are for .png, .gif and .mp4");
    bool rig = cli_given(arguments, "rig");
    // A bare mesh that takes the skeleton of a motion moves to another document, with its pictures.
    snReadImages images = arguments->operand_count > 1 && !rig ? SN_IMAGES_BARE : SN_IMAGES_NONE;
    if (rig && arguments->operand_count > 2)
        return cli_usage(arguments->verb, "--rig follows one MOTION, and %u are given",
                         arguments->operand_count - 1);
    cliModelFn* work = animate_is_many(arguments) ? animate_many : (rig ? animate_by_handles : animate_any);
    return context_run(arguments, pictures ? SN_IMAGES_ALL : images, work);
}

static const cliOption options[] = {
    CLI_HEADING("What goes in and out"),
    {"output", 'o', CLI_FILE, "OUT",
     "model.glb or .gltf, points.obj (numbered), .pc2 or .mdd, picture.png, film.mp4 or .gif", NULL, 0, 0},
    {"clip", 0, CLI_TEXT, "NAME",
     "animation to play, by name or number (default: the first); all: every one, in one skin", NULL, 0, 0},
    {"fps", 0, CLI_NUMBER, "RATE", "frames per second, up to 1000 (default 30)", NULL, 0.1f, CLI_MAX_FPS},
    CLI_STRETCH_OPTIONS,
    {"loop-bake", 0, CLI_FLAG, NULL, "run a cyclic clip until the flesh repeats, and bake one closed cycle",
     NULL, 0, 0},
    {"join", 0, CLI_FLAG, NULL, "one .pc2 or .mdd of all meshes, not one for each", NULL, 0, 0},
    CLI_HEADING("How the surface deforms"),
    CLI_DEFORM_OPTIONS,
    CLI_HEADING("How a motion is retargeted to the character"),
    CLI_MOTION_OPTIONS,
    CLI_HEADING("What a glTF holds"),
    {"target", 0, CLI_CHOICE, "WHAT",
     "the plain skin only; or, for the deformation beyond it, helper joints (default), morph targets or both",
     "skin|joints|morph|both", 0, 0},
    CLI_BAKE_OPTIONS,
    CLI_HEADING("Pictures and films"),
    CLI_PICTURE_OPTIONS("JOINT", CLI_FOCUS_JOINT, "960x720"),
    CLI_FOLLOW_OPTION,
    CLI_HEADING("Handles instead of joints"),
    CLI_HANDLED_OPTIONS,
    {"path", 0, CLI_FILE, "FILE", "paths, a walk or keyframes to follow, JSON", NULL, 0, 0},
    CLI_HEADING("A mesh without a skeleton"),
    CLI_BIND_OPTIONS,
    {NULL, 0, CLI_FLAG, NULL, NULL, NULL, 0, 0},
};
static const char* const examples[] = {
    "sinew animate hero.glb dance.bvh -o out.glb",
    "sinew animate person.obj walk.bvh -o walking.glb",
    "sinew animate hero.glb walk.bvh run.bvh dance.amc -o moves.glb",
    "sinew animate hero.glb captures/ --in-place -o moves.glb",
    "sinew animate hero.glb walk.amc --in-place --loop-clip -o walk.mp4",
    "sinew animate hero.glb walk.bvh --loop-clip auto --speed 1.2 -o walk.glb",
    "sinew animate hero.glb --clip Run -o run.glb",
    "sinew animate hero.glb --flesh on --clip all --helpers 64 -o soft.glb",
    "sinew animate builtin:body --clip twist --skin dual -o twist.glb",
    "sinew animate hero.glb --volume exact --profile '*Elbow=muscle' -o out.glb",
    "sinew animate hero.glb --volume exact --profile Spine=belly --refine 1 -o out.glb",
    "sinew animate hero.glb --style '*Elbow=muscle' --style LeftKnee=cloth:0.5 -o out.glb",
    "sinew animate hero.glb --clip 3 --fps 12 -o frames/pose.obj",
    "sinew animate builtin:body --clip jump -o jump.mp4",
    "sinew animate scan.obj --rig scan.snrig --examples walk --path hills.json -o walk.glb",
    NULL};

const cliVerb verb_animate = {
    .name = "animate",
    .summary = "Animate a character with its own clip or any motion file",
    .operands = "CHARACTER [MOTION...]",
    .operand_min = 1,
    .operand_max = CLI_MAX_OPERANDS,
    .options = options,
    .common = CLI_COMMON_ALL,
    .examples = examples,
    .notes =
        "CHARACTER is .glb, .gltf, .fbx, .mhskel, or builtin:body, :tube, :bar. A mesh of a person without "
        "a\n"
        "skeleton (.obj, .ply, .glb ...) takes that of the motion: it is fitted into the mesh and bound.\n"
        "MOTION is .bvh, .amc, .glb, .gltf, .fbx; its joints are matched with the character's by name and\n"
        "structure. Several, or a folder of them, become clips of one .glb or .gltf, named after their "
        "files;\n"
        "one that does not match is omitted, and the exit code is that of the failure.\n"
        "More: sinew help joints, volume, maps, handles, files; docs/cli.md.",
    .run = run};
