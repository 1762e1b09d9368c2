// What takes are written as: models, helper joints, morph targets, numbered frames and point caches.
#include <stdio.h>

#include "io/file.h"
#include "io/gltf_output.h"
#include "take.h"

snTakeWriteDef sn_take_write_def(void) { return (snTakeWriteDef){0}; }

const char* sn_bake_target_name(snBakeTarget target) {
    static const char* const names[] = {"skin", "joints", "morph", "both"};
    return names[target];
}

// Where a file goes: to `path` or, where `out` is there, into that, and `path` is its name.
typedef struct Place {
    const char* path;
    snBytes* out;
    const snAllocator* memory; // of `out`
} Place;

static snResult put_model(const snModel* model, const Place* to, const snWriteDef* def, snError* error) {
    return to->out != NULL ? sn_model_write_memory(model, to->path, def, to->memory, to->out, error)
                           : sn_model_write(model, to->path, def, error);
}

static snResult put_cache(const snPointCache* cache, const Place* to, snError* error) {
    return to->out != NULL ? sn_point_cache_write_memory(cache, to->path, to->memory, to->out, error)
                           : sn_point_cache_write(cache, to->path, error);
}

// --------------------------------------------------------------------------------------------------- glTF

// The document's model and the stretches that takes cut behind its clips, as the writer sees it.
typedef struct View {
    snModel model;
    snClip** cuts; // one a take, or NULL: it is the whole clip
    snClip** clips;
    uint32_t* numbers; // one a take: its clip in the model
} View;

static void free_view(const snTake* take, View* view, uint32_t count) {
    for (uint32_t i = 0; i < count && view->cuts != NULL; i++) sn_clip_destroy(view->cuts[i]);
    sni_free(&take->allocator, view->cuts);
    sni_free(&take->allocator, view->clips);
    sni_free(&take->allocator, view->numbers);
}

// The settings travel with a model that has something to use them.
static void choose_settings(const snTake* take, snModel* model) {
    const snSettings* settings = take->document->state.settings;
    bool used = model->binding != NULL || sn_settings_exact_volume(settings) || settings->skin_contact ||
                settings->skin == SN_SKIN_SPLINE;
    model->settings =
        take->character != NULL && used ? take->settings : take->document->state.body.source->model->settings;
}

// The whole clip stays in the file, and players that choose by name take either.
static bool name_cut(snClip* cut) {
    size_t size = strlen(cut->name) + sizeof "_cut";
    char* name = SNI_NEW_ARRAY(&cut->allocator, char, size);
    if (name == NULL) return false;
    snprintf(name, size, "%s_cut", cut->name);
    sni_free(&cut->allocator, cut->name);
    cut->name = name;
    return true;
}

// The stretch of the clip that is baked, as a clip that starts at 0.
static snResult cut_clip(const snTake* take, View* view, uint32_t i, snError* error) {
    snModel* model = &view->model;
    view->numbers[i] = take->def.clip;
    if (take->character == NULL) return SN_RESULT_OK;
    const snClip* whole = model->clips[take->def.clip];
    if (take->def.from <= 0.0f && take->def.to >= whole->duration) return SN_RESULT_OK;
    SNI_TRY(sn_clip_trim(whole, take->def.from, take->def.to, take->report.fps, &take->allocator,
                         &view->cuts[i], error));
    if (!name_cut(view->cuts[i])) return sni_fail_memory(error);
    view->numbers[i] = model->clip_count;
    model->clips[model->clip_count++] = view->cuts[i];
    return SN_RESULT_OK;
}

static snResult open_view(snTake* const* takes, uint32_t count, View* view, snError* error) {
    const snAllocator* memory = &takes[0]->allocator;
    const snModel* model = takes[0]->document->state.body.model;
    view->model = *model;
    view->cuts = SNI_NEW_ARRAY(memory, snClip*, count);
    view->clips = SNI_NEW_ARRAY(memory, snClip*, (size_t)model->clip_count + count);
    view->numbers = SNI_NEW_ARRAY(memory, uint32_t, count);
    if (view->cuts == NULL || view->clips == NULL || view->numbers == NULL) return sni_fail_memory(error);
    if (model->clip_count > 0) memcpy(view->clips, model->clips, model->clip_count * sizeof(snClip*));
    view->model.clips = view->clips;
    for (uint32_t i = 0; i < count; i++) SNI_TRY(cut_clip(takes[i], view, i, error));
    return SN_RESULT_OK;
}

// The file's own skin does linear blending in every viewer, so the clip only has to come first.
static snResult write_skin(snTake* const* takes, uint32_t count, const Place* to, const snTakeWriteDef* def,
                           snError* error) {
    for (uint32_t i = 0; i < count; i++) SNI_TRY(sn_take_pose_all(takes[i], error));
    snModel model = *takes[0]->document->state.body.model;
    choose_settings(takes[0], &model);
    snWriteDef write = sn_write_def();
    write.first_clip = takes[0]->def.clip;
    write.notes = def->notes;
    write.compress = def->compress;
    return put_model(&model, to, &write, error);
}

static snResult bake_morphs(snTake* take, const snTakeWriteDef* def, const snModel* model, uint32_t clip,
                            snError* error) {
    sniTakeFrames frames = {.take = take, .error = error};
    snMorphBakeDef bake = sn_morph_bake_def();
    bake.model = model;
    bake.clip = clip;
    bake.fps = take->report.fps;
    bake.frame_count = take->report.frames;
    bake.middles = take->character != NULL;
    bake.frames = sni_take_moment;
    bake.user = &frames;
    bake.tolerance = def->tolerance;
    bake.target_limit = def->target_limit;
    bake.rounded = !def->floats;
    bake.no_normals = def->no_normals;
    // Weights of helpers stay as they are.
    if (def->target == SN_BAKE_BOTH) bake.influences = 0;
    if (take->document->def.memory_limit > 0) bake.memory_limit = take->document->def.memory_limit;
    bake.tasks = take->document->def.tasks;
    bake.level = take->document->def.level;
    sn_morph_bake_destroy(take->morphs);
    take->morphs = NULL;
    // Frames are gone through several times, which only the bake knows the end of.
    bake.progress = take->def.progress;
    take->def.progress = (snProgress){0};
    snResult result = sn_morph_bake_create(&bake, &take->allocator, &take->morphs, error);
    take->def.progress = bake.progress;
    return result;
}

// Morph targets for what helpers leave: the plain skin is that of the model with the helpers.
static snResult bake_both(snTake* take, const snTakeWriteDef* def, const View* view, snError* error) {
    sniJointModel helped;
    SNI_TRY(sni_takes_bake_joints(&take, 1, def, &view->model, view->numbers, error));
    if (!sni_joint_model_create(&view->model, take->joints, &take->allocator, &helped))
        return sni_fail_memory(error);
    snResult result = bake_morphs(take, def, &helped.model, helped.clips[0].index, error);
    sni_joint_model_free(&helped, &take->allocator);
    return result;
}

static snResult bake(snTake* const* takes, uint32_t count, const snTakeWriteDef* def, const View* view,
                     snError* error) {
    if (def->target == SN_BAKE_BOTH) return bake_both(takes[0], def, view, error);
    return def->target == SN_BAKE_JOINTS
               ? sni_takes_bake_joints(takes, count, def, &view->model, view->numbers, error)
               : bake_morphs(takes[0], def, &view->model, view->numbers[0], error);
}

// What no viewer can do by itself becomes helper joints, or morph targets over the plain skin, or both.
static snResult write_baked(snTake* const* takes, uint32_t count, const Place* to, const snTakeWriteDef* def,
                            snError* error) {
    View view = {0};
    snResult result = open_view(takes, count, &view, error);
    if (result == SN_RESULT_OK) result = bake(takes, count, def, &view, error);
    if (result == SN_RESULT_OK) {
        choose_settings(takes[0], &view.model);
        snWriteDef write = sn_write_def();
        if (view.numbers[0] != SN_CLIP_REST) write.first_clip = view.numbers[0];
        write.morphs = def->target != SN_BAKE_JOINTS ? takes[0]->morphs : NULL;
        write.joints = def->target != SN_BAKE_MORPHS ? takes[0]->joints : NULL;
        write.notes = def->notes;
        write.compress = def->compress;
        result = put_model(&view.model, to, &write, error);
    }
    // A report names clips of the document, which has no stretches.
    for (uint32_t i = 0; takes[0]->joints != NULL && i < takes[0]->joints->clip_count; i++)
        takes[0]->joints->clips[i].clip = takes[i]->def.clip;
    free_view(takes[0], &view, count);
    return result;
}

// ---------------------------------------------------------------------------------------------------- OBJ

// Surfaces of a frame in the axes of the mesh's own file, which formats of bare points are read with.
typedef struct Own {
    snSurface* surfaces; // part_count
    snVec3* scratch;     // positions and normals of all parts; NULL: the axes are the same
    snQuat turn;
} Own;

static snResult open_own(const snTake* take, Own* own, snError* error) {
    const sniBody* body = &take->document->state.body;
    size_t vertices = 0;
    *own = (Own){.surfaces = SNI_NEW_ARRAY(&take->allocator, snSurface, body->model->part_count)};
    if (own->surfaces == NULL) return sni_fail_memory(error);
    if (!sni_own_axes(body, &own->turn)) return SN_RESULT_OK;
    for (uint32_t p = 0; p < body->model->part_count; p++)
        vertices += body->model->parts[p].mesh->vertex_count;
    own->scratch = SNI_NEW_ARRAY(&take->allocator, snVec3, 2 * vertices);
    return own->scratch != NULL ? SN_RESULT_OK : sni_fail_memory(error);
}

static void close_own(const snTake* take, Own* own) {
    sni_free(&take->allocator, own->surfaces);
    sni_free(&take->allocator, own->scratch);
}

static void take_surfaces(const snTake* take, const Own* own) {
    snVec3* to = own->scratch;
    for (uint32_t p = 0; p < take->document->state.body.model->part_count; p++) {
        snSurface* surface = &own->surfaces[p];
        *surface = sn_take_surface(take, p);
        const snVec3** lists[] = {&surface->positions, &surface->normals};
        for (int i = 0; i < 2 && to != NULL; i++) {
            if (*lists[i] == NULL) continue;
            for (uint32_t v = 0; v < surface->vertex_count; v++)
                to[v] = sn_quat_rotate(own->turn, (*lists[i])[v]);
            *lists[i] = to;
            to += surface->vertex_count;
        }
    }
}

static snResult write_frame(const snTake* take, const char* path, uint32_t i, const Own* own,
                            snError* error) {
    char name[4096];
    size_t stem = strlen(path) - strlen(".obj");
    int length = snprintf(name, sizeof name, "%.*s_%04u%s", (int)stem, path, i + 1, path + stem);
    if (length < 0 || (size_t)length >= sizeof name)
        return sni_fail(error, SN_RESULT_IO, "%.200s: the name is too long", path);
    take_surfaces(take, own);
    return sn_document_write_still(take->document, name, own->surfaces, NULL, error);
}

static snResult write_frames(snTake* take, const char* path, snError* error) {
    Own own;
    snResult result = open_own(take, &own, error);
    for (uint32_t i = 0; i < take->report.frames && result == SN_RESULT_OK; i++) {
        result = sn_take_pose(take, i, error);
        if (result == SN_RESULT_OK) result = write_frame(take, path, i, &own, error);
    }
    close_own(take, &own);
    return result;
}

// ------------------------------------------------------------------------------------------------- caches

#define NAME_MAX_BYTES 64 // of a part, in the name of its file

static const snModel* model_of(const snTake* take) { return take->document->state.body.model; }

static bool has_own_file(const snTake* take, uint32_t part) {
    return model_of(take)->parts[part].mesh->vertex_count > 0;
}

// The part's name as every file system takes it.
static void plain_name(const snTake* take, uint32_t part, char out[NAME_MAX_BYTES]) {
    const char* name = model_of(take)->parts[part].name;
    size_t length = 0;
    for (; name[length] != '\0' && length + 16 < NAME_MAX_BYTES; length++) {
        char c = name[length];
        bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
        out[length] = plain ? c : '_';
    }
    out[length] = '\0';
    if (length == 0) snprintf(out, NAME_MAX_BYTES, "mesh");
}

static bool same_name(const char* a, const char* b) { // where capitals make no difference
    for (; *a != '\0' && *b != '\0'; a++, b++) {
        char x = *a >= 'A' && *a <= 'Z' ? (char)(*a - 'A' + 'a') : *a;
        char y = *b >= 'A' && *b <= 'Z' ? (char)(*b - 'A' + 'a') : *b;
        if (x != y) return false;
    }
    return *a == *b;
}

snResult sn_take_cache_path(const snTake* take, const char* path, uint32_t part, char* out, size_t size,
                            snError* error) {
    char name[NAME_MAX_BYTES], other[NAME_MAX_BYTES], number[16] = "";
    uint32_t same = 0;
    if (part >= model_of(take)->part_count)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "there is no part %u", part);
    plain_name(take, part, name);
    for (uint32_t p = 0; p < part; p++) {
        plain_name(take, p, other);
        same += has_own_file(take, p) && same_name(name, other);
    }
    if (same > 0) snprintf(number, sizeof number, ".%u", same + 1);
    const char* extension = sni_path_extension(path);
    size_t stem = strlen(path) - strlen(extension);
    int length = snprintf(out, size, "%.*s.%s%s%s", (int)stem, path, name, number, extension);
    return length >= 0 && (size_t)length < size
               ? SN_RESULT_OK
               : sni_fail(error, SN_RESULT_IO, "%.200s: the name is too long", path);
}

uint32_t sn_take_cache_count(const snTake* take, bool join) {
    uint32_t count = 0;
    for (uint32_t p = 0; p < model_of(take)->part_count; p++) count += has_own_file(take, p);
    return join || count < 2 ? 1 : count;
}

// Frames of all parts: frame by frame in one cache, or a cache for each part.
static snResult fill_caches(snTake* take, bool join, snPointCache* caches, snError* error) {
    const snModel* model = model_of(take);
    Own own;
    snResult result = open_own(take, &own, error);
    for (uint32_t i = 0; i < take->report.frames && result == SN_RESULT_OK; i++) {
        result = sn_take_pose(take, i, error);
        if (result == SN_RESULT_OK) take_surfaces(take, &own);
        size_t at = 0;
        for (uint32_t p = 0; p < model->part_count && result == SN_RESULT_OK; p++) {
            const snSurface* from = &own.surfaces[p];
            const snPointCache* to = join ? caches : &caches[p];
            if (from->vertex_count == 0) continue;
            memcpy(to->points + (size_t)i * to->point_count + at, from->positions,
                   from->vertex_count * sizeof *from->positions);
            if (join) at += from->vertex_count;
        }
    }
    close_own(take, &own);
    return result;
}

static snResult write_caches(const snTake* take, const Place* to, bool join, const snPointCache* caches,
                             uint32_t count, snError* error) {
    if (join) return put_cache(caches, to, error);
    for (uint32_t p = 0; p < count; p++) {
        char name[4096];
        if (!has_own_file(take, p)) continue;
        SNI_TRY(sn_take_cache_path(take, to->path, p, name, sizeof name, error));
        SNI_TRY(sn_point_cache_write(&caches[p], name, error));
    }
    return SN_RESULT_OK;
}

// One file for each part, as programs keep a cache with each mesh; joined, all parts one after another, in
// the order in which an OBJ of the model lists its vertices.
static snResult write_cache(snTake* take, const Place* to, bool join, snError* error) {
    const snModel* model = model_of(take);
    join = sn_take_cache_count(take, join) == 1;
    if (to->out != NULL && !join)
        return sni_fail(error, SN_RESULT_UNSUPPORTED,
                        "%.200s: caches for each part are several files; in memory write a joined one",
                        to->path);
    uint32_t count = join ? 1 : model->part_count;
    snPointCache* caches = SNI_NEW_ARRAY(&take->allocator, snPointCache, count);
    snResult result = caches != NULL ? SN_RESULT_OK : sni_fail_memory(error);
    for (uint32_t p = 0; p < model->part_count && result == SN_RESULT_OK; p++)
        caches[join ? 0 : p].point_count += model->parts[p].mesh->vertex_count;
    for (uint32_t c = 0; c < count && result == SN_RESULT_OK; c++) {
        size_t all = 0;
        caches[c].frame_count = take->report.frames;
        caches[c].fps = take->report.fps;
        if (sni_mul_size(caches[c].point_count, caches[c].frame_count, &all))
            caches[c].points = SNI_NEW_ARRAY(&take->allocator, snVec3, all);
        if (caches[c].points == NULL) result = sni_fail_memory(error);
    }
    if (result == SN_RESULT_OK) result = fill_caches(take, join, caches, error);
    if (result == SN_RESULT_OK) result = write_caches(take, to, join, caches, count, error);
    for (uint32_t c = 0; c < count && caches != NULL; c++) sni_free(&take->allocator, caches[c].points);
    sni_free(&take->allocator, caches);
    return result;
}

static bool is_gltf(const char* path) {
    const char* extension = sni_path_extension(path);
    return sni_extension_is(extension, ".glb") || sni_extension_is(extension, ".gltf");
}

static snResult check_takes(snTake* const* takes, uint32_t count, const char* path, const snTakeWriteDef* def,
                            snError* error) {
    if (count == 0) return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a take is needed");
    for (uint32_t i = 1; i < count; i++) {
        if (takes[i]->document != takes[0]->document)
            return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "the takes are of different documents");
    }
    if (count > 1 && (!is_gltf(path) || def->target >= SN_BAKE_MORPHS))
        return sni_fail(error, SN_RESULT_UNSUPPORTED,
                        "%.200s: several clips go into a .glb or .gltf, as skin or as helper joints", path);
    return SN_RESULT_OK;
}

static snResult write_takes(snTake* const* takes, uint32_t count, const Place* to, const snTakeWriteDef* def,
                            snError* error) {
    const char* extension = sni_path_extension(to->path);
    SNI_TRY(check_takes(takes, count, to->path, def, error));
    if (is_gltf(to->path))
        return def->target == SN_BAKE_SKIN ? write_skin(takes, count, to, def, error)
                                           : write_baked(takes, count, to, def, error);
    if (sni_extension_is(extension, ".obj") && to->out == NULL)
        return write_frames(takes[0], to->path, error);
    if (sni_extension_is(extension, ".pc2") || sni_extension_is(extension, ".mdd"))
        return write_cache(takes[0], to, def->join, error);
    return sni_fail(error, SN_RESULT_UNSUPPORTED, "%.200s: a take is written as %s", to->path,
                    to->out != NULL ? ".glb, .pc2 or .mdd" : ".glb, .gltf, .obj, .pc2 or .mdd");
}

snResult sn_takes_write(snTake* const* takes, uint32_t count, const char* path, const snTakeWriteDef* def,
                        snError* error) {
    const Place to = {.path = path};
    return write_takes(takes, count, &to, def, error);
}

snResult sn_takes_write_memory(snTake* const* takes, uint32_t count, const char* name,
                               const snTakeWriteDef* def, snBytes* out, snError* error) {
    if (out == NULL || count == 0)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a take and an output are needed");
    // Refused before the work, not after it.
    if (sni_extension_is(sni_path_extension(name), ".gltf"))
        return sni_fail(error, SN_RESULT_UNSUPPORTED, "%.200s: .gltf is two files; in memory write .glb",
                        name);
    const Place to = {name, out, &takes[0]->document->allocator};
    return write_takes(takes, count, &to, def, error);
}

snResult sn_take_write(snTake* take, const char* path, const snTakeWriteDef* def, snError* error) {
    return sn_takes_write(&take, 1, path, def, error);
}
