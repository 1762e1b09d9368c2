// The model that a fresh document with baked morph targets is built from.
#include "gltf_output.h"

bool sni_morph_changes(const snMorphBake* morphs) {
    for (uint32_t p = 0; p < morphs->part_count; p++) {
        if (morphs->parts[p].base != NULL) return true;
    }
    return false;
}

bool sni_morph_replaces(const snModel* model, const snMorphBake* morphs, uint32_t joint) {
    for (uint32_t p = 0; p < model->part_count; p++) {
        if (model->parts[p].joint == joint && morphs->parts[p].base != NULL) return true;
    }
    return false;
}

static size_t count_channels(const snModel* model) {
    size_t count = 0;
    for (uint32_t c = 0; c < model->clip_count; c++) count += model->clips[c]->channel_count;
    return count;
}

static bool allocate(const snModel* model, const snMorphBake* morphs, const snAllocator* memory,
                     sniMorphModel* view) {
    uint32_t most = 0;
    for (uint32_t p = 0; p < morphs->part_count; p++)
        most = morphs->parts[p].target_count > most ? morphs->parts[p].target_count : most;
    view->model.parts = sni_copy_array(memory, model->parts, model->part_count, sizeof(snPart));
    view->model.clips = SNI_NEW_ARRAY(memory, snClip*, model->clip_count);
    view->meshes = SNI_NEW_ARRAY(memory, snMesh, model->part_count);
    view->morphs = SNI_NEW_ARRAY(memory, snMorph, morphs->target_count);
    view->zeros = SNI_NEW_ARRAY(memory, float, most);
    view->names = sni_alloc_array(memory, most, sizeof *view->names);
    view->clips = SNI_NEW_ARRAY(memory, snClip, model->clip_count);
    view->channels = SNI_NEW_ARRAY(memory, snChannel, count_channels(model));
    for (uint32_t k = 0; k < most && view->names != NULL; k++)
        snprintf(view->names[k], sizeof view->names[k], "sinew %u", k + 1);
    return view->model.parts != NULL && view->model.clips != NULL && view->meshes != NULL &&
           view->morphs != NULL && view->zeros != NULL && view->names != NULL && view->clips != NULL &&
           view->channels != NULL;
}

static void replace_part(const snMorphPart* from, sniMorphModel* view, uint32_t p, snMorph* morphs) {
    snPart* part = &view->model.parts[p];
    snMesh* mesh = &view->meshes[p];
    *mesh = *part->mesh;
    mesh->positions = from->base;
    mesh->normals = from->base_normals;
    mesh->normal_count = from->vertex_count;
    mesh->corner_normals = NULL;
    part->mesh = mesh;
    part->joint = from->joint;
    if (from->space == SN_MORPH_ROOT) part->skin = SN_NONE;
    if (from->influences.influences > 0) part->weights = from->influences;
    part->morph_count = from->target_count;
    part->morphs = morphs;
    part->morph_weights = view->zeros;
    for (uint32_t k = 0; k < from->target_count; k++) {
        size_t begin = (size_t)k * from->vertex_count;
        morphs[k] = (snMorph){view->names[k], from->targets + begin,
                              from->normals != NULL ? from->normals + begin : NULL};
    }
}

// The animations of targets that are gone go with them.
static void copy_clips(const snModel* model, const snMorphBake* morphs, sniMorphModel* view) {
    snChannel* channels = view->channels;
    for (uint32_t c = 0; c < model->clip_count; c++) {
        snClip* clip = &view->clips[c];
        *clip = *model->clips[c];
        clip->channels = channels;
        clip->channel_count = 0;
        for (uint32_t i = 0; i < model->clips[c]->channel_count; i++) {
            const snChannel* channel = &model->clips[c]->channels[i];
            if (channel->path == SN_PATH_MORPH && sni_morph_replaces(model, morphs, channel->joint)) continue;
            channels[clip->channel_count++] = *channel;
        }
        channels += clip->channel_count;
        view->model.clips[c] = clip;
    }
}

bool sni_morph_model_create(const snModel* model, const snMorphBake* morphs, const snAllocator* allocator,
                            sniMorphModel* out) {
    *out = (sniMorphModel){.model = *model};
    if (!allocate(model, morphs, allocator, out)) {
        sni_morph_model_free(out, allocator);
        return false;
    }
    snMorph* next = out->morphs;
    for (uint32_t p = 0; p < model->part_count; p++) {
        if (morphs->parts[p].base == NULL) continue;
        replace_part(&morphs->parts[p], out, p, next);
        next += morphs->parts[p].target_count;
    }
    copy_clips(model, morphs, out);
    if (sni_morph_changes(morphs)) out->model.binding = NULL;
    return true;
}

void sni_morph_model_free(sniMorphModel* view, const snAllocator* allocator) {
    void* arrays[] = {view->model.parts, view->model.clips, view->meshes, view->morphs,
                      view->zeros,       view->names,       view->clips,  view->channels};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(allocator, arrays[i]);
}
