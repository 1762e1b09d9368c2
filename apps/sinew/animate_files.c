// What `sinew animate` writes: models, morph targets, numbered frames and point caches.
#include <stdio.h>
#include <string.h>

#include "animate.h"
#include "base/memory.h"

cliExit animate_fail(animateJob* job, snResult result, const char* what) {
    snError error = sn_error_none();
    error.code = result;
    snprintf(error.text, sizeof error.text, "%s: %s", what, sn_result_name(result));
    return context_fail(job->context, &error);
}

// ------------------------------------------------------------------------------------------------- glTF

// The file's own skin does linear blending in every viewer, so the clip only has to come first.
cliExit animate_write_skin(animateJob* job) {
    cliExit code = animate_pose_all(job);
    if (code != CLI_DONE) return code;
    snWriteDef def = sn_write_def();
    def.first_clip = job->clip;
    return context_write(job->context, job->output, &def, job->keeps_settings);
}

static snResult morph_frame(void* user, uint32_t frame, snSurface* out) {
    animateJob* job = user;
    snResult result = animate_pose(job, frame);
    for (uint32_t p = 0; p < job->model->part_count; p++) out[p] = animate_surface(job, p);
    return result;
}

// The stretch of the clip that is baked, as a clip that starts at 0.
static snResult cut_clip(animateJob* job, uint32_t* out, snError* error) {
    *out = job->clip;
    if (job->clip == SN_CLIP_REST) return SN_RESULT_OK;
    const snClip* clip = job->model->clips[job->clip];
    if (job->from <= 0.0f && job->to >= clip->duration) return SN_RESULT_OK;
    snClip* cut = NULL;
    snResult result = sn_clip_trim(clip, job->from, job->to, job->fps, &job->context->memory, &cut, error);
    if (result != SN_RESULT_OK) return result;
    snClipDef def = sn_clip_def(cut);
    result = sn_document_add_clip(job->context->document, &def, error);
    *out = job->model->clip_count - 1;
    sn_clip_destroy(cut);
    return result;
}

// What no viewer can do by itself becomes morph targets over the plain skin.
cliExit animate_write_morphs(animateJob* job) {
    snError error = sn_error_none();
    snMorphBakeDef def = sn_morph_bake_def();
    def.model = job->model;
    def.fps = job->fps;
    def.frame_count = job->frames;
    def.frames = morph_frame;
    def.user = job;
    def.tolerance = 1e-3f * cli_number(job->context->arguments, "tolerance", 0);
    def.target_limit = cli_whole(job->context->arguments, "morphs", 0);
    def.memory_limit = cli_bytes(job->context->arguments, "memory", def.memory_limit);
    def.tasks = job->context->tasks;
    def.level = job->context->level;
    snResult result = cut_clip(job, &def.clip, &error);
    if (result == SN_RESULT_OK)
        result = sn_morph_bake_create(&def, &job->context->memory, &job->morphs, &error);
    if (result != SN_RESULT_OK) return context_fail(job->context, &error);
    snWriteDef write = sn_write_def();
    if (def.clip != SN_CLIP_REST) write.first_clip = def.clip;
    write.morphs = job->morphs;
    return context_write(job->context, job->output, &write, job->keeps_settings);
}

// -------------------------------------------------------------------------------------------------- OBJ

static cliExit write_frame(animateJob* job, uint32_t i) {
    snError error = sn_error_none();
    error.code = SN_RESULT_OUT_OF_MEMORY;
    char path[4096];
    size_t stem = strlen(job->output) - strlen(".obj");
    int length =
        snprintf(path, sizeof path, "%.*s_%04u%s", (int)stem, job->output, i + 1, job->output + stem);
    if (length < 0 || (size_t)length >= sizeof path)
        return animate_fail(job, SN_RESULT_IO, "the name is too long");
    const snAllocator* memory = &job->context->memory;
    snSurface* surfaces = SNI_NEW_ARRAY(memory, snSurface, job->model->part_count);
    if (surfaces == NULL) return context_fail_memory(job->context);
    for (uint32_t p = 0; p < job->model->part_count; p++) surfaces[p] = animate_surface(job, p);
    snResult result = sn_document_write_still(job->context->document, path, surfaces, NULL, &error);
    sni_free(memory, surfaces);
    return result == SN_RESULT_OK ? CLI_DONE : context_fail(job->context, &error);
}

cliExit animate_write_frames(animateJob* job) {
    for (uint32_t i = 0; i < job->frames; i++) {
        snResult result = animate_pose(job, i);
        if (result != SN_RESULT_OK) return animate_fail(job, result, "posing failed");
        cliExit code = write_frame(job, i);
        if (code != CLI_DONE) return code;
    }
    return CLI_DONE;
}

// ----------------------------------------------------------------------------------------------- caches

// All parts one after another, in the order in which an OBJ of the model lists its vertices.
cliExit animate_write_cache(animateJob* job) {
    const snAllocator* memory = &job->context->memory;
    snPointCache cache = {.frame_count = job->frames, .fps = job->fps};
    for (uint32_t p = 0; p < job->model->part_count; p++)
        cache.point_count += job->model->parts[p].mesh->vertex_count;
    size_t all = 0;
    if (!sni_mul_size(cache.point_count, job->frames, &all))
        return animate_fail(job, SN_RESULT_OUT_OF_MEMORY, "baking");
    cache.points = SNI_NEW_ARRAY(memory, snVec3, all);
    if (cache.points == NULL) return animate_fail(job, SN_RESULT_OUT_OF_MEMORY, "baking");
    cliExit code = CLI_DONE;
    snVec3* to = cache.points;
    for (uint32_t i = 0; i < job->frames && code == CLI_DONE; i++) {
        snResult result = animate_pose(job, i);
        if (result != SN_RESULT_OK) code = animate_fail(job, result, "posing failed");
        for (uint32_t p = 0; p < job->model->part_count; p++) {
            snSurface surface = animate_surface(job, p);
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
