#include "stage.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "film.h"

// Poses looked at to frame a clip. Between them a character moves little compared to the margin.
#define EXTENT_SAMPLES 24

// Half the side of a close-up, of the model's diagonal.
#define FOCUS 0.07f

// Pixels from which the driver's own multisampling has to do: four times as many would not fit.
#define LARGE 6000000

cliExit stage_renderer(const cliContext* context, snRenderer** out) {
    snError error = sn_error_none();
    if (sn_renderer_create(&context->memory, out, &error) == SN_RESULT_OK) return CLI_DONE;
    context_fail(context, &error);
    return CLI_SYSTEM;
}

static cliExit out_of_memory(cliStage* stage) {
    snError error = sn_error_none();
    error.code = SN_RESULT_OUT_OF_MEMORY;
    snprintf(error.text, sizeof error.text, "out of memory");
    return context_fail(stage->context, &error);
}

// Closed and turned outward: nobody can see the back of a face. Anything doubtful is drawn on both sides.
static snResult is_solid(const snPart* part, snSurface surface, const snAllocator* memory, bool* out,
                         snError* error) {
    snTopology* topology = NULL;
    snResult result = sn_topology_create(part->mesh, part->weld, memory, &topology, error);
    if (result != SN_RESULT_OK) return result;
    *out = topology->closed && topology->oriented && sn_mesh_volume(part->mesh, surface.positions) > 0;
    sn_topology_destroy(topology);
    return SN_RESULT_OK;
}

// Lets the GPU hang a part in the lattice, where its skin is the lattice's. A lattice too large for that is
// drawn by positions like all else.
static cliExit hang(cliStage* stage, uint32_t part) {
    cliHung* hung = &stage->hung[part];
    const snAllocator* memory = &stage->context->memory;
    const snMesh* mesh = stage->model->parts[part].mesh;
    hung->points = SNI_NEW_ARRAY(memory, uint32_t, mesh->vertex_count);
    hung->normals = SNI_NEW_ARRAY(memory, snVec3, mesh->vertex_count);
    if (hung->points == NULL || hung->normals == NULL) return out_of_memory(stage);
    if (!sn_character_embedding(stage->character, part, hung->points, hung->normals)) return CLI_DONE;
    snShotLatticeDef def = {mesh, stage->model->binding->lattice, hung->points, hung->normals};
    snError error = sn_error_none();
    snResult result = sn_shot_lattice_create(stage->renderer, &def, memory, &hung->lattice, &error);
    return result == SN_RESULT_OK || result == SN_RESULT_UNSUPPORTED ? CLI_DONE
                                                                     : context_fail(stage->context, &error);
}

// The same for splines.
static cliExit hang_on_splines(cliStage* stage, uint32_t part) {
    snShotSplineDef def = {stage->model->parts[part].mesh, sn_character_splines(stage->character),
                           sn_character_spline_skin(stage->character, part)};
    if (def.skin == NULL) return CLI_DONE;
    snError error = sn_error_none();
    snResult result = sn_shot_spline_create(stage->renderer, &def, &stage->context->memory,
                                            &stage->hung[part].splines, &error);
    return result == SN_RESULT_OK || result == SN_RESULT_UNSUPPORTED ? CLI_DONE
                                                                     : context_fail(stage->context, &error);
}

static snSurface surface_of(const cliStage* stage, uint32_t part) {
    return stage->surfaces != NULL ? stage->surfaces[part] : sn_character_surface(stage->character, part);
}

static cliExit open_items(cliStage* stage) {
    const snModel* model = stage->model;
    const snAllocator* memory = &stage->context->memory;
    stage->items = SNI_NEW_ARRAY(memory, snShotItem, (size_t)model->part_count + 1);
    stage->hung = SNI_NEW_ARRAY(memory, cliHung, model->part_count);
    if (stage->items == NULL || stage->hung == NULL) return out_of_memory(stage);
    for (uint32_t i = 0; i < model->part_count; i++) {
        cliExit code = stage->character != NULL ? hang(stage, i) : CLI_DONE;
        if (code == CLI_DONE && stage->character != NULL) code = hang_on_splines(stage, i);
        if (code != CLI_DONE) return code;
        const snPart* part = &model->parts[i];
        snError error = sn_error_none();
        stage->items[i] = sn_shot_item(part->mesh);
        stage->items[i].materials = model->materials;
        stage->items[i].group_materials = part->group_materials;
        if (is_solid(part, surface_of(stage, i), memory, &stage->items[i].one_sided, &error) != SN_RESULT_OK)
            return context_fail(stage->context, &error);
    }
    return CLI_DONE;
}

cliExit stage_open(cliStage* stage, cliContext* context, snRenderer* renderer, const snModel* model,
                   const snSettings* settings) {
    *stage = (cliStage){.context = context, .model = model, .renderer = renderer};
    snCharacterDef def = sn_character_def();
    def.model = model;
    def.settings = settings;
    def.tasks = context->tasks;
    def.level = context->level;
    snError error = sn_error_none();
    if (sn_character_create(&def, &context->memory, &stage->character, &error) != SN_RESULT_OK)
        return context_fail(context, &error);
    sn_character_pose_clip(stage->character, SN_CLIP_REST, 0, SN_WRAP_CLAMP);
    return open_items(stage);
}

cliExit stage_open_surfaces(cliStage* stage, cliContext* context, snRenderer* renderer, const snModel* model,
                            const snSurface* surfaces) {
    *stage = (cliStage){.context = context, .model = model, .renderer = renderer, .surfaces = surfaces};
    return open_items(stage);
}

void stage_close(cliStage* stage) {
    if (stage->context == NULL) return;
    const snAllocator* memory = &stage->context->memory;
    for (uint32_t i = 0; stage->heat != NULL && i < stage->model->part_count; i++)
        sni_free(memory, stage->heat[i]);
    for (uint32_t i = 0; stage->painted != NULL && i < stage->model->part_count; i++)
        sni_free(memory, stage->painted[i].colors);
    for (uint32_t i = 0; stage->hung != NULL && i < stage->model->part_count; i++) {
        if (stage->hung[i].lattice != NULL) sn_shot_lattice_destroy(stage->renderer, stage->hung[i].lattice);
        if (stage->hung[i].splines != NULL) sn_shot_spline_destroy(stage->renderer, stage->hung[i].splines);
        sni_free(memory, stage->hung[i].points);
        sni_free(memory, stage->hung[i].normals);
    }
    boxes_free(&stage->boxes);
    sni_free(memory, stage->hung);
    sni_free(memory, stage->painted);
    sni_free(memory, stage->heat);
    sni_free(memory, stage->items);
    sn_character_destroy(stage->plain);
    sn_character_destroy(stage->character);
    *stage = (cliStage){0};
}

// A moment without a past: flesh stays where the skin puts it.
static void pose_still(cliStage* stage, uint32_t clip, float time) {
    sn_character_reset(stage->character);
    sn_character_pose_clip(stage->character, clip, time, SN_WRAP_CLAMP);
    sn_character_reset(stage->character);
    stage->moving = false;
}

// A moment that the flesh has come to from the clip's start.
static snResult pose_moving(cliStage* stage, uint32_t clip, float time) {
    if (clip != SN_CLIP_REST && !stage->moving) {
        float step = sn_character_settings(stage->character)->step;
        float most = step * (float)sn_character_settings(stage->character)->max_steps;
        sn_character_pose_clip(stage->character, clip, sn_maxf(0.0f, time - most), stage->wrap);
    }
    stage->moving = clip != SN_CLIP_REST;
    return sn_character_pose_clip(stage->character, clip, time, stage->wrap);
}

void stage_reach(cliStage* stage, uint32_t clip, float from, float to, snExtent* extent) {
    uint32_t samples = clip == SN_CLIP_REST || !(to > from) ? 1 : EXTENT_SAMPLES;
    for (uint32_t i = 0; i < samples; i++) {
        float t = samples > 1 ? (float)i / (float)(samples - 1) : 0;
        pose_still(stage, clip, sn_lerpf(from, to, t));
        for (uint32_t p = 0; p < stage->model->part_count; p++) {
            snSurface surface = sn_character_surface(stage->character, p);
            sn_extent_add(extent, surface.positions, surface.vertex_count);
        }
    }
}

static float lowest_joint(const cliStage* stage) {
    const snMat4* world = sn_character_world(stage->character);
    float lowest = INFINITY;
    for (uint32_t j = 0; j < stage->model->skeleton->joint_count; j++) {
        lowest = sn_minf(lowest, sn_mat4_translation(&world[j]).y);
    }
    return lowest;
}

// Characters stand on the ground in their rest pose, and a sword or a hand may go through it: the ground
// stays where it is as long as the joints come down to their rest height now and then.
static float floor_of(cliStage* stage, uint32_t clip, float from, float to, float lowest_point) {
    if (clip == SN_CLIP_REST) return lowest_point;
    snExtent rest = sn_extent_empty();
    stage_reach(stage, SN_NONE, 0, 0, &rest);
    float height = rest.bounds.max.y - rest.bounds.min.y;
    float level = lowest_joint(stage);
    uint32_t near = 0;
    for (uint32_t i = 0; i < EXTENT_SAMPLES; i++) {
        float time = sn_lerpf(from, to, (float)i / (float)(EXTENT_SAMPLES - 1));
        pose_still(stage, clip, time);
        near += fabsf(lowest_joint(stage) - level) < 0.1f * height;
    }
    return near >= EXTENT_SAMPLES / 4 ? rest.bounds.min.y : lowest_point;
}

static cliExit shoot(cliStage* stage, const snShot* scene, snImage** out) {
    snShot filled = *scene;
    snShotItem boxes = sn_shot_item(&stage->boxes.mesh);
    boxes.color = sn_vec3(1.0f, 1.0f, 1.0f); // the cells have their own
    filled.items = stage->boxes.model != NULL ? &boxes : stage->items;
    filled.item_count = stage->boxes.model != NULL ? 1 : stage->model->part_count;
    if (stage->ground != NULL && stage->boxes.model == NULL)
        stage->items[filled.item_count++] = *stage->ground;
    filled.heat_title = stage->heat_title;
    if (stage->heat_max > 0.0f) filled.heat_max = stage->heat_max;
    snError error = sn_error_none();
    snResult result = sn_renderer_draw(stage->renderer, &filled, &stage->context->memory, out, &error);
    if (result == SN_RESULT_OK) return CLI_DONE;
    if (result == SN_RESULT_BAD_DATA)
        snprintf(error.file, sizeof error.file, "%s", stage->context->arguments->operands[0]);
    cliExit code = context_fail(stage->context, &error);
    return result == SN_RESULT_UNSUPPORTED ? CLI_SYSTEM
                                           : code; // the driver's limits are not the file's fault
}

cliExit stage_draw_surfaces(cliStage* stage, const snShot* scene, snImage** out) {
    for (uint32_t i = 0; i < stage->model->part_count; i++) {
        stage->items[i].positions = stage->surfaces[i].positions;
        stage->items[i].normals = stage->surfaces[i].normals;
    }
    return shoot(stage, scene, out);
}

cliExit stage_draw(cliStage* stage, uint32_t clip, float time, const snShot* scene, snImage** out) {
    snError error = sn_error_none();
    snResult result = pose_moving(stage, clip, time);
    if (result != SN_RESULT_OK) {
        error.code = result;
        snprintf(error.text, sizeof error.text, "posing failed: %s", sn_result_name(result));
        return context_fail(stage->context, &error);
    }
    if (stage->boxes.model != NULL)
        boxes_pose(&stage->boxes, sn_character_world(stage->character),
                   sn_character_particles(stage->character));
    for (uint32_t i = 0; i < stage->model->part_count && stage->boxes.model == NULL; i++) {
        snSurface surface = sn_character_surface(stage->character, i);
        stage->items[i].positions = surface.positions;
        stage->items[i].normals = surface.normals;
        stage->items[i].lattice = stage->painted == NULL ? stage->hung[i].lattice : NULL;
        stage->items[i].particles = sn_character_particles(stage->character);
        stage->items[i].splines = stage->painted == NULL ? stage->hung[i].splines : NULL;
        stage->items[i].spline_matrices = sn_character_spline_matrices(stage->character);
        stage->items[i].spline_poses = sn_character_spline_poses(stage->character);
    }
    if (stage->plain != NULL) stage_measure_moves(stage, clip, time);
    return shoot(stage, scene, out);
}

cliExit stage_still(cliStage* stage, uint32_t clip, float time, const snShot* scene, const char* path) {
    snImage* image = NULL;
    cliExit code = stage_draw(stage, clip, time, scene, &image);
    if (code != CLI_DONE) return code;
    snError error = sn_error_none();
    snResult result = sn_png_write(image, path, &error);
    sn_image_destroy(image);
    return result == SN_RESULT_OK ? CLI_DONE : context_fail(stage->context, &error);
}

cliExit stage_film(cliStage* stage, uint32_t clip, float from, float fps, uint32_t frames,
                   const snShot* scene, const char* path) {
    snFilmDef def = {.path = path, .width = scene->width, .height = scene->height, .fps = fps};
    snFilm* film = NULL;
    snError error = sn_error_none();
    if (sn_film_open(&def, &stage->context->memory, &film, &error) != SN_RESULT_OK)
        return context_fail(stage->context, &error);
    for (uint32_t i = 0; i < frames; i++) {
        context_progress(stage->context, "filming", i, frames);
        snImage* frame = NULL;
        cliExit code = stage_draw(stage, clip, from + (float)i / fps, scene, &frame);
        if (code != CLI_DONE) {
            sn_film_abandon(film);
            return code;
        }
        snResult result = sn_film_add(film, frame, &error);
        sn_image_destroy(frame);
        if (result != SN_RESULT_OK) break; // closing knows the encoder's reason
    }
    context_progress(stage->context, "filming", frames, frames);
    return sn_film_close(film, &error) == SN_RESULT_OK ? CLI_DONE : context_fail(stage->context, &error);
}

// ------------------------------------------------------------------------------------------------ options

static bool parse_size(const char* text, uint32_t* width, uint32_t* height) {
    unsigned w = 0, h = 0;
    char rest = 0;
    if (sscanf(text, "%5ux%5u%c", &w, &h, &rest) != 2 || w < 16 || h < 16 || w > 8192 || h > 8192)
        return false;
    *width = w;
    *height = h;
    return true;
}

static cliExit read_focus(const cliContext* context, const snModel* model, uint32_t* out) {
    const char* joint = cli_text(context->arguments, "focus");
    *out = SN_NONE;
    if (model == NULL) return CLI_DONE;
    return joint != NULL ? context_find_joint(context, model, "--focus ", joint, out) : CLI_DONE;
}

cliExit stage_read_picture(const cliContext* context, const snModel* model, const char* path, uint32_t width,
                           uint32_t height, cliPicture* out) {
    const cliArguments* a = context->arguments;
    const char* camera = cli_text(a, "camera");
    const char* size = cli_text(a, "size");
    cliPicture picture = {.path = path, .width = width, .height = height};
    if (!sn_view_parse(camera != NULL ? camera : "three-quarter", &picture.view))
        return cli_usage(a->verb, "--camera %s: a name or yaw,pitch[,zoom] in degrees is expected", camera);
    if (size != NULL && !parse_size(size, &picture.width, &picture.height))
        return cli_usage(a->verb, "--size %s: WIDTHxHEIGHT of 16 .. 8192 pixels is expected", size);
    if (path_has_extension(path, ".mp4") && (picture.width % 2 != 0 || picture.height % 2 != 0)) {
        picture.width += picture.width % 2;
        picture.height += picture.height % 2;
        context_say(context, "note: MP4 has even sizes only: the film gets %ux%u", picture.width,
                    picture.height);
    }
    cliExit code = read_focus(context, model, &picture.focus);
    if (code == CLI_DONE) *out = picture;
    return code;
}

void stage_close_up(snVec3 at, snBounds whole, snExtent* extent) {
    float size = FOCUS * sn_bounds_diagonal(whole);
    snVec3 reach = {size, size, size};
    snVec3 corners[2] = {sn_sub(at, reach), sn_add(at, reach)};
    sn_extent_add(extent, corners, 2);
}

// Boxes around a joint, over a stretch of a clip.
static snExtent focus_extent(cliStage* stage, uint32_t joint, uint32_t clip, float from, float to,
                             const snExtent* whole) {
    snExtent extent = sn_extent_empty();
    uint32_t samples = clip == SN_CLIP_REST || !(to > from) ? 1 : EXTENT_SAMPLES;
    for (uint32_t i = 0; i < samples; i++) {
        float t = samples > 1 ? (float)i / (float)(samples - 1) : 0;
        pose_still(stage, clip, sn_lerpf(from, to, t));
        snVec3 at = sn_mat4_translation(&sn_character_world(stage->character)[joint]);
        stage_close_up(at, whole->bounds, &extent);
    }
    return extent;
}

snShot stage_scene(cliStage* stage, const cliPicture* picture, uint32_t clip, float from, float to) {
    snShot scene = sn_shot();
    scene.width = picture->width;
    scene.height = picture->height;
    if (sn_film_is_path(picture->path) || (uint64_t)scene.width * scene.height > LARGE) scene.supersample = 1;
    snExtent extent = sn_extent_empty();
    stage_reach(stage, clip, from, to, &extent);
    scene.bounds = extent.bounds;
    scene.floor = floor_of(stage, clip, from, to, extent.bounds.min.y);
    if (picture->focus != SN_NONE) extent = focus_extent(stage, picture->focus, clip, from, to, &extent);
    scene.camera = sn_camera_frame_extent(picture->view, &extent, (float)scene.width / (float)scene.height);
    return scene;
}
