// What the settings mean for the character: which skin, whether a lattice or finer faces are needed.
#include <stdio.h>

#include "base/progress.h"
#include "document.h"
#include "rig/part.h"

snSkinMethod sn_settings_skin(const snSettings* settings, const snModel* model) {
    if (settings->skin != SN_SKIN_AUTO) return settings->skin;
    if (settings->style_rule_count > 0) return SN_SKIN_SPLINE;
    return model->binding != NULL || sni_model_has_dual_shares(model) ? SN_SKIN_DUAL : SN_SKIN_LINEAR;
}

bool sn_settings_beyond_skin(const snSettings* settings, const snModel* model) {
    if (sn_settings_skin(settings, model) != SN_SKIN_LINEAR || sn_settings_exact_volume(settings) ||
        settings->skin_contact)
        return true;
    return model->binding != NULL && (settings->volume != SN_VOLUME_NONE || settings->flesh);
}

snResult sn_settings_validate_joints(const snSettings* settings, const snSkeleton* skeleton,
                                     const snAllocator* allocator, snError* error) {
    snAllocator memory = sni_allocator(allocator);
    snResult result = SN_RESULT_OK;
    if (settings->skin == SN_SKIN_SPLINE) {
        snStyleChoice* styles = SNI_NEW_ARRAY(&memory, snStyleChoice, skeleton->joint_count);
        result = styles != NULL ? sn_settings_resolve_styles(settings, skeleton, &memory, styles, error)
                                : sni_fail_memory(error);
        sni_free(&memory, styles);
    }
    if (result == SN_RESULT_OK && sn_settings_exact_volume(settings)) {
        snVolumeChoice* volumes = SNI_NEW_ARRAY(&memory, snVolumeChoice, skeleton->joint_count);
        result = volumes != NULL ? sn_settings_resolve_volume(settings, skeleton, &memory, volumes, error)
                                 : sni_fail_memory(error);
        sni_free(&memory, volumes);
    }
    return result;
}

snResult sn_document_make_lattice(snDocument* document, const snProgress* progress, bool* out_made,
                                  snError* error) {
    SNI_TRY(sni_need_model(document, error));
    const snModel* model = document->state.body.model;
    if (out_made != NULL) *out_made = false;
    if (model->binding != NULL) return SN_RESULT_OK;
    if (model->skin_count == 0) {
        snResult result =
            sni_fail(error, SN_RESULT_BAD_DATA, "there is no skin for flesh to follow; sinew bind makes one");
        if (error != NULL) snprintf(error->file, sizeof error->file, "%s", document->state.body.source->name);
        return result;
    }
    snBindDef def = sn_bind_def();
    def.method = SN_WEIGHTS_KEEP;
    SNI_TRY(sn_document_bind(document, &def, progress, NULL, error));
    if (out_made != NULL) *out_made = true;
    return SN_RESULT_OK;
}

snResult sn_document_refine(snDocument* document, snError* error) {
    SNI_TRY(sni_need_model(document, error));
    const snSettings* settings = document->state.settings;
    if (settings->refine == 0 || !sn_settings_exact_volume(settings)) return SN_RESULT_OK;
    uint32_t bits = SNI_BITS_MODEL | SNI_BIT(SNI_ITEM_SETTINGS);
    SNI_TRY(sni_edit_begin(document, "Refine", bits, SNI_COPY_SHAPE, error));
    sniState* state = &document->state;
    snResult result =
        sn_model_refine_by_settings(state->body.model, state->settings, document->def.memory_limit, error);
    return sni_edit_end(document, result, error);
}

// -------------------------------------------------------------------------------------------------- clips

snResult sn_document_add_clip(snDocument* document, const snClipDef* clip, snError* error) {
    SNI_TRY(sni_need_model(document, error));
    SNI_TRY(sni_edit_begin(document, "Add clip", SNI_BITS_CLIPS, SNI_COPY_RIG, error));
    return sni_edit_end(document, sn_model_add_clip(document->state.body.model, clip, error), error);
}

snResult sn_document_trim_clip(snDocument* document, uint32_t clip, float from, float to, float fps,
                               snError* error) {
    SNI_TRY(sni_need_model(document, error));
    if (clip >= document->state.body.model->clip_count)
        return sni_fail(error, SN_RESULT_NOT_FOUND, "there is no clip %u", clip);
    SNI_TRY(sni_edit_begin(document, "Trim clip", SNI_BITS_CLIPS, SNI_COPY_RIG, error));
    snModel* model = document->state.body.model;
    snClip* cut = NULL;
    snResult result = sn_clip_trim(model->clips[clip], from, to, fps, &model->allocator, &cut, error);
    if (result == SN_RESULT_OK) {
        sn_clip_destroy(model->clips[clip]);
        model->clips[clip] = cut;
        result = sni_timeline_trimmed(document, clip, from, error);
    }
    return sni_edit_end(document, result, error);
}

// ------------------------------------------------------------------------------------------------- writing

// The model's own settings are those of its file; the document's travel along for as long as it is written.
static snResult view_model(const snDocument* document, bool settings, snModel* out, snError* error) {
    SNI_TRY(sni_need_model(document, error));
    const snModel* read = document->state.body.source->model;
    *out = *document->state.body.model;
    out->settings = settings ? document->state.settings : read->settings;
    return SN_RESULT_OK;
}

snResult sn_document_write(const snDocument* document, const char* path, const snWriteDef* def, bool settings,
                           snError* error) {
    snModel model;
    SNI_TRY(view_model(document, settings, &model, error));
    return sn_model_write(&model, path, def, error);
}

snResult sn_document_write_memory(const snDocument* document, const char* name, const snWriteDef* def,
                                  bool settings, snBytes* out, snError* error) {
    snModel model;
    SNI_TRY(view_model(document, settings, &model, error));
    return sn_model_write_memory(&model, name, def, &document->allocator, out, error);
}
