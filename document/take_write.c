// What a take is written as: models, morph targets, numbered frames and point caches.
#include <stdio.h>

#include "io/file.h"
#include "take.h"

snTakeWriteDef sn_take_write_def(void) { return (snTakeWriteDef){0}; }

// --------------------------------------------------------------------------------------------------- glTF

// The document's model and one more clip behind the others, as the writer sees it.
typedef struct View {
    snModel model;
    snClip* cut; // or NULL: there is none
    snClip** clips;
} View;

static void free_view(const snTake* take, View* view) {
    sn_clip_destroy(view->cut);
    sni_free(&take->allocator, view->clips);
}

// The settings travel with a model that has something to use them.
static void choose_settings(const snTake* take, snModel* model) {
    const snSettings* settings = take->document->state.settings;
    bool used =
        model->binding != NULL || sn_settings_keep_exactly(settings) || settings->skin == SN_SKIN_SPLINE;
    model->settings =
        take->character != NULL && used ? take->settings : take->document->state.body.source->model->settings;
}

// The stretch of the clip that is baked, as a clip that starts at 0.
static snResult cut_clip(const snTake* take, View* view, uint32_t* clip, snError* error) {
    snModel* model = &view->model;
    *clip = take->def.clip;
    if (take->character == NULL) return SN_RESULT_OK;
    const snClip* whole = model->clips[take->def.clip];
    if (take->def.from <= 0.0f && take->def.to >= whole->duration) return SN_RESULT_OK;
    SNI_TRY(sn_clip_trim(whole, take->def.from, take->def.to, take->report.fps, &take->allocator, &view->cut,
                         error));
    view->clips = SNI_NEW_ARRAY(&take->allocator, snClip*, (size_t)model->clip_count + 1);
    if (view->clips == NULL) return sni_fail_memory(error);
    memcpy(view->clips, model->clips, model->clip_count * sizeof(snClip*));
    *clip = model->clip_count;
    view->clips[model->clip_count++] = view->cut;
    model->clips = view->clips;
    return SN_RESULT_OK;
}

// The file's own skin does linear blending in every viewer, so the clip only has to come first.
static snResult write_skin(snTake* take, const char* path, const snTakeWriteDef* def, snError* error) {
    SNI_TRY(sn_take_pose_all(take, error));
    snModel model = *take->document->state.body.model;
    choose_settings(take, &model);
    snWriteDef write = sn_write_def();
    write.first_clip = take->def.clip;
    write.notes = def->notes;
    return sn_model_write(&model, path, &write, error);
}

typedef struct Frames {
    snTake* take;
    snError* error;
} Frames;

// Of a clip every other one is half way between two frames.
static snResult morph_frame(void* user, uint32_t moment, snSurface* out) {
    const Frames* frames = user;
    snTake* take = frames->take;
    bool halves = take->character != NULL;
    snResult result = halves && moment % 2 != 0
                          ? sni_take_pose_middle(take, moment / 2, frames->error)
                          : sn_take_pose(take, halves ? moment / 2 : moment, frames->error);
    for (uint32_t p = 0; p < take->document->state.body.model->part_count; p++)
        out[p] = sn_take_surface(take, p);
    return result;
}

static snResult bake(snTake* take, const snTakeWriteDef* def, const snModel* model, uint32_t clip,
                     snError* error) {
    Frames frames = {take, error};
    snMorphBakeDef bake = sn_morph_bake_def();
    bake.model = model;
    bake.clip = clip;
    bake.fps = take->report.fps;
    bake.frame_count = take->report.frames;
    bake.middles = take->character != NULL;
    bake.frames = morph_frame;
    bake.user = &frames;
    bake.tolerance = def->tolerance;
    bake.target_limit = def->target_limit;
    if (take->document->def.memory_limit > 0) bake.memory_limit = take->document->def.memory_limit;
    bake.tasks = take->document->def.tasks;
    bake.level = take->document->def.level;
    sn_morph_bake_destroy(take->morphs);
    take->morphs = NULL;
    return sn_morph_bake_create(&bake, &take->allocator, &take->morphs, error);
}

// What no viewer can do by itself becomes morph targets over the plain skin.
static snResult write_morphs(snTake* take, const char* path, const snTakeWriteDef* def, snError* error) {
    View view = {.model = *take->document->state.body.model};
    uint32_t clip = SN_CLIP_REST;
    snResult result = cut_clip(take, &view, &clip, error);
    if (result == SN_RESULT_OK) result = bake(take, def, &view.model, clip, error);
    choose_settings(take, &view.model);
    snWriteDef write = sn_write_def();
    if (clip != SN_CLIP_REST) write.first_clip = clip;
    write.morphs = take->morphs;
    write.notes = def->notes;
    if (result == SN_RESULT_OK) result = sn_model_write(&view.model, path, &write, error);
    free_view(take, &view);
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

// All parts one after another, in the order in which an OBJ of the model lists its vertices.
static snResult write_cache(snTake* take, const char* path, snError* error) {
    const snModel* model = take->document->state.body.model;
    snPointCache cache = {.frame_count = take->report.frames, .fps = take->report.fps};
    for (uint32_t p = 0; p < model->part_count; p++) cache.point_count += model->parts[p].mesh->vertex_count;
    size_t all = 0;
    if (!sni_mul_size(cache.point_count, cache.frame_count, &all)) return sni_fail_memory(error);
    cache.points = SNI_NEW_ARRAY(&take->allocator, snVec3, all);
    if (cache.points == NULL) return sni_fail_memory(error);
    Own own;
    snResult result = open_own(take, &own, error);
    snVec3* to = cache.points;
    for (uint32_t i = 0; i < cache.frame_count && result == SN_RESULT_OK; i++) {
        result = sn_take_pose(take, i, error);
        if (result == SN_RESULT_OK) take_surfaces(take, &own);
        for (uint32_t p = 0; p < model->part_count && result == SN_RESULT_OK; p++) {
            memcpy(to, own.surfaces[p].positions, own.surfaces[p].vertex_count * sizeof *to);
            to += own.surfaces[p].vertex_count;
        }
    }
    if (result == SN_RESULT_OK) result = sn_point_cache_write(&cache, path, error);
    close_own(take, &own);
    sni_free(&take->allocator, cache.points);
    return result;
}

snResult sn_take_write(snTake* take, const char* path, const snTakeWriteDef* def, snError* error) {
    const char* extension = sni_path_extension(path);
    if (sni_extension_is(extension, ".glb") || sni_extension_is(extension, ".gltf"))
        return def->morphs ? write_morphs(take, path, def, error) : write_skin(take, path, def, error);
    if (sni_extension_is(extension, ".obj")) return write_frames(take, path, error);
    if (sni_extension_is(extension, ".pc2") || sni_extension_is(extension, ".mdd"))
        return write_cache(take, path, error);
    return sni_fail(error, SN_RESULT_UNSUPPORTED,
                    "%.200s: a take is written as .glb, .gltf, .obj, .pc2 or .mdd", path);
}
