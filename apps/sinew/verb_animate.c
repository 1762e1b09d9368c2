// sinew animate: a character moved by a clip, its own or from another file, as a model, as points, or as
// pictures.
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "binding.h"
#include "deformation.h"
#include "film.h"
#include "motion.h"
#include "report.h"
#include "stage.h"
#include "verbs.h"

typedef struct Job Job;
typedef cliExit WriteFn(Job* job);

struct Job {
    cliContext* context;
    snModel* model;
    snCharacter* character;
    const char* output;
    bool foreign; // the clip came from a motion file
    cliMotion motion;
    const cliBound* bound; // what binding an unrigged mesh gave, or NULL
    snSettings* settings;
    uint32_t clip;
    float from, to, fps;
    uint32_t frames;
    double seconds; // spent deforming
    uint64_t hash;  // of every frame's surface, in order
    WriteFn* write;
};

static cliExit fail(Job* job, snResult result, const char* what) {
    snError error = sn_error_none();
    error.code = result;
    snprintf(error.text, sizeof error.text, "%s: %s", what, sn_result_name(result));
    return context_fail(job->context, &error);
}

// Poses frame i and keeps account of it.
static snResult pose(Job* job, uint32_t i) {
    double start = context_clock();
    snResult result =
        sn_character_pose_clip(job->character, job->clip, job->from + (float)i / job->fps, SN_WRAP_CLAMP);
    job->seconds += context_clock() - start;
    uint64_t hash = sn_character_hash(job->character);
    job->hash = sn_hash_bytes(job->hash, &hash, sizeof hash);
    context_progress(job->context, "animating", i + 1, job->frames);
    return result;
}

static cliExit pose_all(Job* job) {
    for (uint32_t i = 0; i < job->frames; i++) {
        snResult result = pose(job, i);
        if (result != SN_RESULT_OK) return fail(job, result, "posing failed");
    }
    return CLI_DONE;
}

// ------------------------------------------------------------------------------------------------- glTF

// The file's own skin does linear blending in every viewer, so the clip only has to come first.
static cliExit write_skinned(Job* job) {
    cliExit code = pose_all(job);
    if (code != CLI_DONE) return code;
    snWriteDef def = sn_write_def();
    def.first_clip = job->clip;
    return context_write(job->context, job->model, job->output, &def);
}

static cliExit fill_bake(Job* job, snVec3** positions, snVec3** normals) {
    const snAllocator* memory = &job->context->memory;
    for (uint32_t p = 0; p < job->model->part_count; p++) {
        size_t count = job->model->parts[p].mesh->vertex_count, all = 0;
        if (!sni_mul_size(count, job->frames, &all)) return fail(job, SN_RESULT_OUT_OF_MEMORY, "baking");
        positions[p] = SNI_NEW_ARRAY(memory, snVec3, all);
        normals[p] = SNI_NEW_ARRAY(memory, snVec3, all);
        if (positions[p] == NULL || normals[p] == NULL) return fail(job, SN_RESULT_OUT_OF_MEMORY, "baking");
    }
    for (uint32_t i = 0; i < job->frames; i++) {
        snResult result = pose(job, i);
        if (result != SN_RESULT_OK) return fail(job, result, "posing failed");
        for (uint32_t p = 0; p < job->model->part_count; p++) {
            snSurface surface = sn_character_surface(job->character, p);
            size_t size = surface.vertex_count * sizeof(snVec3), at = (size_t)surface.vertex_count * i;
            memcpy(positions[p] + at, surface.positions, size);
            memcpy(normals[p] + at, surface.normals, size);
        }
    }
    return CLI_DONE;
}

// Other skins than linear exist in no viewer: their result is written point by point.
static cliExit write_baked(Job* job) {
    const snAllocator* memory = &job->context->memory;
    uint32_t parts = job->model->part_count;
    snVec3** positions = SNI_NEW_ARRAY(memory, snVec3*, parts);
    snVec3** normals = SNI_NEW_ARRAY(memory, snVec3*, parts);
    cliExit code = positions != NULL && normals != NULL ? fill_bake(job, positions, normals)
                                                        : fail(job, SN_RESULT_OUT_OF_MEMORY, "baking");
    if (code == CLI_DONE) {
        snBake bake = {job->model->clips[job->clip]->name, job->fps, job->frames,
                       (const snVec3* const*)positions, (const snVec3* const*)normals};
        snWriteDef def = sn_write_def();
        def.bake = &bake;
        code = context_write(job->context, job->model, job->output, &def);
    }
    for (uint32_t p = 0; p < parts && positions != NULL && normals != NULL; p++) {
        sni_free(memory, positions[p]);
        sni_free(memory, normals[p]);
    }
    sni_free(memory, positions);
    sni_free(memory, normals);
    return code;
}

// -------------------------------------------------------------------------------------------------- OBJ

// The current surface as a model without joints to move it.
static snResult freeze(const Job* job, snModel** out, snError* error) {
    const snAllocator* memory = &job->context->memory;
    uint32_t parts = job->model->part_count;
    snMeshDef* meshes = SNI_NEW_ARRAY(memory, snMeshDef, parts);
    snPartDef* list = SNI_NEW_ARRAY(memory, snPartDef, parts);
    snResult result = SN_RESULT_OUT_OF_MEMORY;
    if (meshes != NULL && list != NULL) {
        for (uint32_t p = 0; p < parts; p++) {
            snSurface surface = sn_character_surface(job->character, p);
            meshes[p] = sn_mesh_def(job->model->parts[p].mesh);
            meshes[p].positions = surface.positions;
            meshes[p].normals = surface.normals;
            meshes[p].normal_count = surface.vertex_count;
            meshes[p].corner_normals = NULL;
            list[p] = (snPartDef){.name = job->model->parts[p].name, .mesh = &meshes[p], .skin = SN_NONE};
        }
        const char* name = "root";
        uint32_t parent = SN_NONE;
        snTrs rest = sn_trs_identity();
        snSkeletonDef skeleton = {1, &name, &parent, &rest};
        snModelDef def = {.skeleton = &skeleton, .part_count = parts, .parts = list};
        result = sn_model_create(&def, memory, out, error);
    }
    sni_free(memory, meshes);
    sni_free(memory, list);
    return result;
}

static cliExit write_frame(Job* job, uint32_t i) {
    snError error = sn_error_none();
    error.code = SN_RESULT_OUT_OF_MEMORY;
    char path[4096];
    size_t stem = strlen(job->output) - strlen(".obj");
    int length =
        snprintf(path, sizeof path, "%.*s_%04u%s", (int)stem, job->output, i + 1, job->output + stem);
    if (length < 0 || (size_t)length >= sizeof path) return fail(job, SN_RESULT_IO, "the name is too long");
    snModel* frozen = NULL;
    snWriteDef def = sn_write_def();
    snResult result = freeze(job, &frozen, &error);
    if (result == SN_RESULT_OK) result = sn_model_write(frozen, path, &def, &error);
    sn_model_destroy(frozen);
    return result == SN_RESULT_OK ? CLI_DONE : context_fail(job->context, &error);
}

static cliExit write_frames(Job* job) {
    for (uint32_t i = 0; i < job->frames; i++) {
        snResult result = pose(job, i);
        if (result != SN_RESULT_OK) return fail(job, result, "posing failed");
        cliExit code = write_frame(job, i);
        if (code != CLI_DONE) return code;
    }
    return CLI_DONE;
}

// ----------------------------------------------------------------------------------------------- caches

// All parts one after another, in the order in which an OBJ of the model lists its vertices.
static cliExit write_cache(Job* job) {
    const snAllocator* memory = &job->context->memory;
    snPointCache cache = {.frame_count = job->frames, .fps = job->fps};
    for (uint32_t p = 0; p < job->model->part_count; p++)
        cache.point_count += job->model->parts[p].mesh->vertex_count;
    size_t all = 0;
    if (!sni_mul_size(cache.point_count, job->frames, &all))
        return fail(job, SN_RESULT_OUT_OF_MEMORY, "baking");
    cache.points = SNI_NEW_ARRAY(memory, snVec3, all);
    if (cache.points == NULL) return fail(job, SN_RESULT_OUT_OF_MEMORY, "baking");
    cliExit code = CLI_DONE;
    snVec3* to = cache.points;
    for (uint32_t i = 0; i < job->frames && code == CLI_DONE; i++) {
        snResult result = pose(job, i);
        if (result != SN_RESULT_OK) code = fail(job, result, "posing failed");
        for (uint32_t p = 0; p < job->model->part_count; p++) {
            snSurface surface = sn_character_surface(job->character, p);
            memcpy(to, surface.positions, surface.vertex_count * sizeof *to);
            to += surface.vertex_count;
        }
    }
    snError error = sn_error_none();
    if (code == CLI_DONE && sn_point_cache_write(&cache, job->output, &error) != SN_RESULT_OK) {
        code = context_fail(job->context, &error);
    }
    sni_free(memory, cache.points);
    return code;
}

// ---------------------------------------------------------------------------------------------- pictures

// The film's frames, or the first moment.
static cliExit draw(const Job* job, cliStage* stage, const cliPicture* picture) {
    bool film = sn_film_is_path(job->output);
    snScene scene = stage_scene(stage, picture, job->clip, job->from, film ? job->to : job->from);
    if (!film) return stage_still(stage, job->clip, job->from, &scene, job->output);
    return stage_film(stage, job->clip, job->from, job->fps, job->frames, &scene, job->output);
}

static cliExit write_pictures(Job* job) {
    cliPicture picture;
    snRenderer* renderer = NULL;
    cliExit code = stage_read_picture(job->context, job->output, 960, 720, &picture);
    if (code == CLI_DONE) code = pose_all(job);
    if (code == CLI_DONE) code = stage_renderer(job->context, &renderer);
    if (code != CLI_DONE) return code;
    cliStage stage;
    code = stage_open(&stage, job->context, renderer, job->model, job->settings);
    if (code == CLI_DONE) code = draw(job, &stage, &picture);
    stage_close(&stage);
    sn_renderer_destroy(renderer);
    return code;
}

// -------------------------------------------------------------------------------------------------- verb

#define EXTENSIONS ".glb .gltf .obj .pc2 .mdd .png .gif .mp4"

// What writes the extension, one of EXTENSIONS.
static WriteFn* find_writer(const char* output, bool beyond_skin) {
    static const struct {
        const char* extension;
        WriteFn* skin;
        WriteFn* beyond;
    } writers[] = {{".glb", write_skinned, write_baked},
                   {".gltf", write_skinned, write_baked},
                   {".obj", write_frames, write_frames},
                   {".pc2", write_cache, write_cache},
                   {".mdd", write_cache, write_cache}};
    for (size_t i = 0; i < sizeof writers / sizeof writers[0]; i++) {
        if (path_has_extension(output, writers[i].extension))
            return beyond_skin ? writers[i].beyond : writers[i].skin;
    }
    return write_pictures;
}

static cliExit report(const Job* job) {
    double each = job->seconds / (double)job->frames;
    const char* clip = job->model->clips[job->clip]->name;
    if (!job->context->json) {
        context_say(job->context, "wrote %s: clip %s, %u frames, %.3f ms each to deform", job->output, clip,
                    job->frames, each * 1e3);
        return CLI_DONE;
    }
    sniJsonValue* object = sni_json_object();
    sni_json_set(object, "output", sni_json_string(job->output));
    sni_json_set(object, "clip", sni_json_string(clip));
    sni_json_set(object, "skin",
                 sni_json_string(deformation_skin_name(deformation_skin(job->model, job->settings))));
    sni_json_set(object, "fps", sni_json_real((double)job->fps));
    sni_json_set(object, "from", sni_json_real((double)job->from));
    sni_json_set(object, "to", sni_json_real((double)job->to));
    sni_json_set(object, "frames", sni_json_uint(job->frames));
    sni_json_set(object, "seconds_per_frame", sni_json_real(each));
    sni_json_set(object, "hash", report_hash(job->hash));
    if (job->foreign) motion_report(&job->motion, object);
    if (job->bound != NULL) {
        sniJsonValue* bind = sni_json_object();
        binding_report(job->bound, job->model, bind);
        sni_json_set(object, "bind", bind);
    }
    return report_print(job->context, object);
}

static cliExit choose_clip(Job* job) {
    const cliArguments* a = job->context->arguments;
    job->foreign = a->operand_count > 1;
    cliExit code = job->foreign
                       ? motion_apply(job->context, a->operands[1], job->model, &job->clip, &job->motion)
                       : context_clip(job->context, job->model, &job->clip);
    if (code != CLI_DONE || job->clip != SN_NONE) return code;
    fprintf(stderr, "%s: the model has no clip to animate it\n", a->operands[0]);
    return CLI_BAD_INPUT;
}

// A still is one frame; a film leaves the last moment out.
static cliExit count_frames(Job* job) {
    bool film = sn_film_is_path(job->output);
    float to = path_has_extension(job->output, ".png") ? job->from : job->to;
    cliExit code = context_frames(job->context, job->from, to, job->fps, !film, &job->frames);
    if (code == CLI_DONE && job->write == write_baked && job->frames > UINT16_MAX) {
        return cli_usage(
            job->context->arguments->verb,
            "%u frames, but a glTF holds at most %d baked ones; a shorter stretch (--from, --to) "
            "or a lower --fps has fewer",
            job->frames, UINT16_MAX);
    }
    return code;
}

static cliExit plan(Job* job) {
    const cliArguments* a = job->context->arguments;
    cliExit code = choose_clip(job);
    if (code != CLI_DONE) return code;
    float duration = job->model->clips[job->clip]->duration;
    job->fps = cli_number(a, "fps", 30);
    // A foreign clip has been cut already.
    job->from = job->foreign ? 0.0f : cli_number(a, "from", 0);
    job->to = job->foreign ? duration : cli_number(a, "to", duration);
    if (job->from > job->to || job->to > duration * 1.0001f)
        return cli_usage(a->verb, "--from %g --to %g: the clip lasts from 0 to %g seconds", (double)job->from,
                         (double)job->to, (double)duration);
    if (job->write == write_skinned && !job->foreign && (cli_given(a, "from") || cli_given(a, "to")))
        return cli_usage(a->verb,
                         "--from and --to cut baked frames, but a linear skin keeps its clip as it is");
    return count_frames(job);
}

static cliExit animate_with(Job* job) {
    cliContext* context = job->context;
    const snModel* model = job->model;
    job->write = find_writer(job->output, deformation_beyond_skin(model, job->settings));
    if (model->part_count == 0 && job->write != write_skinned) {
        fprintf(stderr, "%s: there is no surface in this file, only a skeleton\n",
                context->arguments->operands[0]);
        return CLI_BAD_INPUT;
    }
    cliExit code = plan(job);
    if (code != CLI_DONE) return code;
    snCharacterDef def = sn_character_def();
    def.model = job->model;
    def.settings = job->settings;
    def.tasks = context->tasks;
    def.level = context->level;
    snError error = sn_error_none();
    if (sn_character_create(&def, &context->memory, &job->character, &error) != SN_RESULT_OK)
        return context_fail(context, &error);
    code = job->write(job);
    sn_character_destroy(job->character);
    return code == CLI_DONE ? report(job) : code;
}

static cliExit animate(cliContext* context, snModel* model, const cliBound* bound) {
    Job job = {.context = context,
               .model = model,
               .bound = bound,
               .output = cli_text(context->arguments, "output"),
               .hash = SN_HASH_SEED};
    cliExit code = deformation_settings(context, model, &job.settings);
    if (code != CLI_DONE) return code;
    code = animate_with(&job);
    sn_settings_destroy(job.settings);
    return code;
}
// The model again with its textures, which a mesh takes along when it moves to another document. What there
// is to say about the file has been said.
static cliExit read_textures(cliContext* context, snModel** model) {
    snModel* textured = NULL;
    bool quiet = context->quiet;
    context->quiet = true;
    cliExit code = context_model(context, context->arguments->operands[0], true, &textured);
    context->quiet = quiet;
    if (code != CLI_DONE) return code;
    sn_model_destroy(*model);
    *model = textured;
    return CLI_DONE;
}

// A mesh without a skeleton takes that of the motion: fitted, bound, then moved.
static cliExit animate_any(cliContext* context, snModel** model) {
    const cliArguments* a = context->arguments;
    const char* idle = binding_option_given(a);
    if (a->operand_count < 2 || (*model)->part_count == 0 || binding_has_skeleton(context, *model)) {
        if (idle == NULL) return animate(context, *model, NULL);
        return cli_usage(a->verb,
                         "--%s binds a mesh without a skeleton to that of a MOTION; sinew bind binds others",
                         idle);
    }
    cliBound bound = {0};
    context_say(context, "%s has no skeleton: that of %s is fitted into it", a->operands[0], a->operands[1]);
    cliExit code = (*model)->material_count > 0 ? read_textures(context, model) : CLI_DONE;
    if (code == CLI_DONE) code = binding_join(context, a->operands[1], true, model, &bound);
    if (code == CLI_DONE) code = binding_apply(context, *model, false, &bound);
    if (code == CLI_DONE) code = animate(context, *model, &bound);
    binding_free(&bound);
    return code;
}

static cliExit run(const cliArguments* arguments) {
    const char* output = cli_text(arguments, "output");
    if (output != NULL && path_has_extension(output, ".bvh"))
        return cli_usage(arguments->verb,
                         "%s: sinew motion writes .bvh, with --onto for a character's skeleton", output);
    cliExit code = context_output(arguments, EXTENSIONS);
    if (code != CLI_DONE) return code;
    code = binding_check(arguments);
    if (code != CLI_DONE) return code;
    const char* idle = arguments->operand_count < 2 ? motion_option_given(arguments) : NULL;
    if (idle != NULL) return cli_usage(arguments->verb, "--%s changes a MOTION, and none is given", idle);
    bool pictures = find_writer(cli_text(arguments, "output"), false) == write_pictures;
    if (!pictures && (cli_given(arguments, "camera") || cli_given(arguments, "size")))
        return cli_usage(arguments->verb, "--camera and --size are for .png, .gif and .mp4");
    return context_run(arguments, pictures, animate_any);
}

static const cliOption options[] = {
    {"output", 'o', CLI_FILE, "OUT",
     "model.glb or .gltf, points.obj (numbered), .pc2 or .mdd, picture.png, film.mp4 or .gif", NULL, 0, 0},
    {"clip", 0, CLI_TEXT, "NAME", "animation to play, by name or number (default: the first)", NULL, 0, 0},
    CLI_DEFORM_OPTIONS,
    {"fps", 0, CLI_NUMBER, "RATE", "frames a second, up to 1000 (default 30)", NULL, 0.1f, CLI_MAX_FPS},
    {"from", 0, CLI_NUMBER, "SECONDS", "first moment (default 0)", NULL, 0, 0},
    {"to", 0, CLI_NUMBER, "SECONDS", "last moment (default: the clip's end)", NULL, 0, 0},
    CLI_PICTURE_OPTIONS,
    CLI_MOTION_OPTIONS,
    CLI_BIND_OPTIONS,
    {NULL, 0, CLI_FLAG, NULL, NULL, NULL, 0, 0},
};
static const char* const examples[] = {"sinew animate hero.glb dance.bvh -o out.glb",
                                       "sinew animate person.obj walk.bvh -o walking.glb",
                                       "sinew animate hero.glb walk.amc --in-place --loop-clip -o walk.mp4",
                                       "sinew animate hero.glb --clip Run -o run.glb",
                                       "sinew animate builtin:body --clip twist --skin dual -o twist.glb",
                                       "sinew animate hero.glb --clip 3 --fps 12 -o frames/pose.obj",
                                       "sinew animate builtin:body --clip jump -o jump.mp4",
                                       NULL};

const cliVerb verb_animate = {
    .name = "animate",
    .summary = "Move a character by its own clip or by any motion file",
    .operands = "CHARACTER [MOTION]",
    .operand_min = 1,
    .operand_max = 2,
    .options = options,
    .common = CLI_COMMON_ALL,
    .examples = examples,
    .notes =
        "CHARACTER is .glb, .gltf, .fbx, .mhskel, or builtin:body, :tube, :bar. A mesh of a person without\n"
        "a skeleton (.obj, .ply, .glb ...) takes that of the motion: it is fitted into the mesh and bound,\n"
        "as sinew bind --fit-joints does; --cells to --parts are for this.\n"
        "MOTION is .bvh, .amc, .glb, .gltf, .fbx: its joints are matched with the character's by name and\n"
        "structure, and --clip chooses from it.\n"
        "A map is {\"joints\": {\"TARGET\": \"SOURCE\", \"OTHER\": null}}.\n"
        "With the linear skin a glTF keeps its joints and gets the clip in front; with the dual skin every\n"
        "frame is baked into a morph target. OBJ frames are numbered NAME_0001.obj and on. --camera and\n"
        "--size are for pictures and films, which need ffmpeg in PATH.",
    .run = run};
