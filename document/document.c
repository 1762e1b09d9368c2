// Documents: making and ending them, opening characters, settings.
#include <stdio.h>

#include "document.h"
#include "io/source.h"

snDocumentDef sn_document_def(void) {
    return (snDocumentDef){.history_limit = SN_HISTORY_LIMIT,
                           .limits = sn_read_limits(),
                           .keep_sources = true,
                           .level = SN_CPU_AUTO};
}

snResult sn_document_create(const snDocumentDef* def, const snAllocator* allocator, snDocument** out,
                            snError* error) {
    if (def == NULL || out == NULL)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a Def and an output are needed");
    snAllocator memory = sni_allocator(allocator);
    snDocument* document = SNI_NEW(&memory, snDocument);
    if (document == NULL) return sni_fail_memory(error);
    document->def = *def;
    document->allocator = memory;
    *out = document;
    return SN_RESULT_OK;
}

void sn_document_destroy(snDocument* document) {
    if (document == NULL) return;
    snAllocator memory = document->allocator;
    while (document->edit != NULL) sn_document_cancel(document);
    sni_live_end(document);
    sni_history_clear(document);
    sni_body_free(&document->state.body);
    sn_settings_destroy(document->state.settings);
    sni_motions_free(document->state.motions, document->state.motion_count, &memory);
    sni_timeline_free(&document->state.timeline, &memory);
    sni_handled_free(&document->state.handled, &memory);
    sni_mesh_forget(document);
    for (uint32_t i = 0; i < document->source_count; i++) sni_source_release(document->sources[i]);
    sni_free(&memory, document->sources);
    sni_free(&memory, document);
}

const snModel* sn_document_model(const snDocument* document) { return document->state.body.model; }
const snSettings* sn_document_settings(const snDocument* document) { return document->state.settings; }

// ------------------------------------------------------------------------------------------------ opening

static snResult make_settings(const snDocument* document, const snModel* model, snSettings** out,
                              snError* error) {
    return model->settings != NULL ? sn_settings_copy(model->settings, &document->allocator, out, error)
                                   : sn_settings_create(&document->allocator, out, error);
}

snResult sn_document_set_character(snDocument* document, snSource* source, snError* error) {
    snSettings* settings = NULL;
    if (source->within != NULL)
        return sni_project_open(document, source->name, source->data, source->size, NULL, error);
    if (!sni_source_keep(document, source)) return sni_fail_memory(error);
    SNI_TRY(make_settings(document, source->model, &settings, error));
    snResult result = sni_edit_begin(document, "Open", SNI_BITS_ALL, SNI_COPY_NONE, error);
    if (result != SN_RESULT_OK) {
        sn_settings_destroy(settings);
        return result;
    }
    sniState* state = &document->state;
    sni_body_free(&state->body);
    sn_settings_destroy(state->settings);
    sni_motions_free(state->motions, state->motion_count, &document->allocator);
    sni_timeline_free(&state->timeline, &document->allocator);
    sni_handled_free(&state->handled, &document->allocator);
    *state = (sniState){.body = {.source = sni_source_retain(source),
                                 .model = source->model,
                                 .lent = true,
                                 .origin = source->model->source != NULL,
                                 .allocator = document->allocator},
                        .settings = settings};
    return sni_edit_end(document, SN_RESULT_OK, error);
}

static snResult open_source(snDocument* document, snSource* source, snError* error) {
    snResult result = sn_document_set_character(document, source, error);
    sn_source_close(source);
    return result;
}

snResult sn_document_open(snDocument* document, const char* path, const snOpenDef* def, snError* error) {
    snSource* source = NULL;
    if (sni_is_project(path)) SNI_TRY(sni_format_check(path, document->def.formats, error));
    if (sni_is_project(path)) return sni_project_open(document, path, NULL, 0, def, error);
    SNI_TRY(sn_source_open(document, path, def, &source, error));
    return open_source(document, source, error);
}

snResult sn_document_open_memory(snDocument* document, const char* name, const void* data, size_t size,
                                 const snOpenDef* def, snError* error) {
    snSource* source = NULL;
    if (sni_is_project(name)) SNI_TRY(sni_format_check(name, document->def.formats, error));
    if (sni_is_project(name)) return sni_project_open(document, name, data, size, def, error);
    SNI_TRY(sn_source_open_memory(document, name, data, size, def, &source, error));
    return open_source(document, source, error);
}

// ----------------------------------------------------------------------------------------------- settings

snResult sni_need_model(const snDocument* document, snError* error) {
    if (document->state.body.model != NULL) return SN_RESULT_OK;
    return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "the document is empty: open a character first");
}

snResult sn_document_set_settings(snDocument* document, const snSettings* settings, snError* error) {
    SNI_TRY(sni_need_model(document, error));
    SNI_TRY(sn_settings_validate(settings, error));
    snSettings* copy = NULL;
    SNI_TRY(sn_settings_copy(settings, &document->allocator, &copy, error));
    snResult result =
        sni_edit_begin(document, "Change settings", SNI_BIT(SNI_ITEM_SETTINGS), SNI_COPY_NONE, error);
    if (result != SN_RESULT_OK) {
        sn_settings_destroy(copy);
        return result;
    }
    sn_settings_destroy(document->state.settings);
    document->state.settings = copy;
    return sni_edit_end(document, SN_RESULT_OK, error);
}

snResult sn_document_set(snDocument* document, const char* key, const char* text, snError* error) {
    SNI_TRY(sni_need_model(document, error));
    char name[96];
    snprintf(name, sizeof name, "Set %.60s", key);
    SNI_TRY(sni_edit_begin(document, name, SNI_BIT(SNI_ITEM_SETTINGS), SNI_COPY_NONE, error));
    return sni_edit_end(document, sn_settings_set(document->state.settings, key, text, error), error);
}
