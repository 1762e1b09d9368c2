// Settings in SINEW_deformation at the document's root, beside the lattice. Lengths in them are metres,
// whatever the unit of the document.
#include "gltf_build.h"
#include "settings_json.h"

static bool is_known(sniJsonValue* extension) {
    sniJson json = sni_json_root(extension);
    sniJson version = sni_json_get(&json, "version");
    int64_t number = 0;
    return sni_json_whole(&version, &number) && number == SNI_EXTENSION_VERSION;
}

// ---------------------------------------------------------------------------------------------- writing

// The extension's object, made when there is none. That of another version is replaced: its reader would not
// understand what is put in.
static sniJsonValue* root_object(sniOutput* out) {
    sniJsonValue* extensions = sni_output_object(out, out->json, "extensions");
    sniJsonValue* object = sni_json_find(extensions, SNI_EXTENSION);
    if (object != NULL && is_known(object)) return object;
    object = sni_json_object();
    sni_output_set(out, object, "version", sni_json_uint(SNI_EXTENSION_VERSION));
    sni_output_set(out, extensions, SNI_EXTENSION, object);
    return object;
}

snResult sni_gltf_settings_write(sniOutput* out, const snModel* model, snError* error) {
    if (model->settings != NULL) {
        SNI_TRY(sn_settings_validate(model->settings, error));
        sni_output_set(out, root_object(out), "settings", sni_settings_tree(model->settings));
        sni_output_use(out, SNI_EXTENSION);
        return SN_RESULT_OK;
    }
    sniJsonValue* object = sni_json_find(sni_json_find(out->json, "extensions"), SNI_EXTENSION);
    if (sni_json_find(object, "settings") == NULL || !is_known(object)) return SN_RESULT_OK;
    sni_json_remove(object, "settings");
    if (sni_json_find(object, "lattice") == NULL) sni_binding_remove(out);
    return SN_RESULT_OK;
}

// ---------------------------------------------------------------------------------------------- reading

snResult sni_gltf_settings_read(const sniGltf* gltf, snModel* model) {
    sniJson object = sni_gltf_deformation(gltf);
    sniJson json = sni_json_get(&object, "settings");
    if (json.value == NULL) return SN_RESULT_OK;
    if (!is_known(object.value)) {
        sni_note(gltf->notes, SNI_EXTENSION " has an unknown version; settings ignored");
        return SN_RESULT_OK;
    }
    snSettings* settings = NULL;
    SNI_TRY(sn_settings_create(&gltf->allocator, &settings, gltf->error));
    sniJson where;
    snResult result = sni_settings_apply(&json, settings, &where, gltf->error);
    if (result != SN_RESULT_OK) {
        sn_settings_destroy(settings);
        return result == SN_RESULT_BAD_DATA ? sni_gltf_place(gltf, result, &where) : result;
    }
    if (settings->skin == SN_SKIN_LATTICE && model->binding == NULL) {
        settings->skin = SN_SKIN_AUTO;
        sni_note(gltf->notes, "the settings select the lattice skin, but there is no lattice; auto is used");
    }
    sn_model_set_settings(model, settings);
    return SN_RESULT_OK;
}
