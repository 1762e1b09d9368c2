// The three files of a MakeHuman character, found from its skeleton or from its weights.
#include "file.h"
#include "gltf.h"
#include "mhskel.h"

// Room for what is put behind a stem.
#define STEM_MAX (SNI_STEM_MAX - 16)

static bool is_skeleton(const char* path) {
    return path != NULL && sni_extension_is(sni_path_extension(path), ".mhskel");
}

static snResult fail_beside(const sniSource* source, const char* const* names, size_t count,
                            const char* extension, const char* what, uint32_t total) {
    char looked[256] = "";
    for (size_t i = 0; i < count; i++) {
        size_t length = strlen(looked);
        if (names[i][0] == '\0') continue;
        snprintf(looked + length, sizeof looked - length, "%s%.60s", length > 0 ? ", " : "", names[i]);
    }
    sni_fail(source->error, SN_RESULT_NOT_FOUND,
             "has no %s: looked for %s and for the only %s of the folder (it has %u)", what, looked,
             extension, total);
    if (source->error != NULL) {
        snprintf(source->error->file, sizeof source->error->file, "%s", source->name);
    }
    return SN_RESULT_NOT_FOUND;
}

// The first of these names that exists beside the file, else the only file of that extension.
static snResult find_beside(const sniSource* source, const char* const* names, size_t count,
                            const char* extension, const char* what, char path[SNI_PATH_MAX]) {
    for (size_t i = 0; i < count && source->external; i++) {
        if (names[i][0] == '\0' || strchr(names[i], '/') != NULL) continue; // stay in the folder
        if (sni_path_beside(source->name, names[i], path) && sni_beside_exists(&source->beside, path))
            return SN_RESULT_OK;
    }
    sniBytes found = sni_bytes(&source->allocator);
    uint32_t total = 0;
    snResult result = SN_RESULT_OK;
    if (source->external)
        result = sni_beside_list(&source->beside, source->name, extension, &found, &total, source->error);
    bool only = total == 1 && sni_path_beside(source->name, (const char*)found.data, path);
    sni_bytes_free(&found);
    if (result != SN_RESULT_OK || only) return result;
    return fail_beside(source, names, count, extension, what, total);
}

// The name that the skeleton gives, "" when it gives none.
static snResult weights_name(const sniSource* source, char out[SNI_STEM_MAX]) {
    sniMhFile file;
    snResult result = sni_mh_open(source, &file);
    sniJson root = sni_json_root(file.json);
    sniJson name = sni_json_get(&root, "weights_file");
    const char* text = result == SN_RESULT_OK ? sni_json_text(&name) : NULL;
    snprintf(out, SNI_STEM_MAX, "%s", text != NULL ? text : "");
    sni_mh_close(&file);
    return result;
}

static void take_stem(const sniSource* source, char out[STEM_MAX]) {
    char full[SNI_STEM_MAX];
    sni_path_stem(source->name, full);
    snprintf(out, STEM_MAX, "%.*s", STEM_MAX - 1, full);
}

// A companion that is no skeleton is the mesh.
static snResult find_mesh(const sniSource* skeleton, bool companion, char path[SNI_PATH_MAX]) {
    char stem[STEM_MAX], stem_obj[SNI_STEM_MAX];
    if (companion) {
        snprintf(path, SNI_PATH_MAX, "%s", skeleton->def->companion);
        return SN_RESULT_OK;
    }
    take_stem(skeleton, stem);
    snprintf(stem_obj, sizeof stem_obj, "%s.obj", stem);
    const char* names[] = {"mh_base.obj", "base.obj", stem_obj};
    return find_beside(skeleton, names, 3, ".obj", "mesh", path);
}

static snResult find_weights(const sniSource* skeleton, char path[SNI_PATH_MAX]) {
    char stem[STEM_MAX], given[SNI_STEM_MAX], stem_weights[SNI_STEM_MAX], stem_mhw[SNI_STEM_MAX];
    take_stem(skeleton, stem);
    snprintf(stem_weights, sizeof stem_weights, "%s_weights.mhw", stem);
    snprintf(stem_mhw, sizeof stem_mhw, "%s.mhw", stem);
    SNI_TRY(weights_name(skeleton, given));
    const char* names[] = {given, stem_weights, stem_mhw};
    return find_beside(skeleton, names, 3, ".mhw", "weights", path);
}

snResult sni_mhskel_read(const sniSource* source, snModel** out) {
    char mesh_path[SNI_PATH_MAX], weights_path[SNI_PATH_MAX];
    SNI_TRY(find_mesh(source, source->def->companion != NULL, mesh_path));
    SNI_TRY(find_weights(source, weights_path));
    sniSource mesh, weights;
    SNI_TRY(sni_source_open(source, mesh_path, &mesh));
    snResult result = sni_source_open(source, weights_path, &weights);
    if (result == SN_RESULT_OK) {
        result = sni_mhskel_read_with(source, &mesh, &weights, false, out);
        sni_source_close(&weights);
    }
    sni_source_close(&mesh);
    return result;
}

// ------------------------------------------------------------------------------------- from the weights

// Whether the skeleton at `path` names this weights file. One that cannot be read names none; only a lack of
// memory is an error.
static snResult names_weights(const sniSource* weights, const char* path, bool* out) {
    char given[SNI_STEM_MAX] = "";
    sniSource skeleton;
    snError error = sn_error_none();
    sniSource quiet = *weights;
    quiet.error = &error;
    quiet.beside.opened = (snOpened){0}; // it may be another's
    snResult result = sni_source_open(&quiet, path, &skeleton);
    if (result == SN_RESULT_OK) {
        result = weights_name(&skeleton, given);
        sni_source_close(&skeleton);
    }
    *out = result == SN_RESULT_OK && strcmp(given, weights->name + sni_path_folder(weights->name)) == 0;
    if (result != SN_RESULT_OUT_OF_MEMORY && result != SN_RESULT_LIMIT) return SN_RESULT_OK;
    if (weights->error != NULL) *weights->error = error;
    return result;
}

// The skeleton that names the weights, in the order of names. `path` is "" when none does.
static snResult find_naming(const sniSource* weights, char path[SNI_PATH_MAX]) {
    sniBytes found = sni_bytes(&weights->allocator);
    uint32_t total = 0;
    bool named = false;
    snResult result = SN_RESULT_OK;
    if (weights->external)
        result = sni_beside_list(&weights->beside, weights->name, ".mhskel", &found, &total, weights->error);
    const char* name = (const char*)found.data;
    for (uint32_t i = 0; i < total && result == SN_RESULT_OK && !named; i++, name += strlen(name) + 1) {
        if (sni_path_beside(weights->name, name, path)) result = names_weights(weights, path, &named);
    }
    if (!named) path[0] = '\0';
    sni_bytes_free(&found);
    return result;
}

static snResult find_skeleton(const sniSource* weights, char path[SNI_PATH_MAX]) {
    static const char tail[] = "_weights";
    if (is_skeleton(weights->def->companion)) {
        snprintf(path, SNI_PATH_MAX, "%s", weights->def->companion);
        return SN_RESULT_OK;
    }
    SNI_TRY(find_naming(weights, path));
    if (path[0] != '\0') return SN_RESULT_OK;
    char stem[STEM_MAX], whole[SNI_STEM_MAX], bare[SNI_STEM_MAX] = "";
    take_stem(weights, stem);
    snprintf(whole, sizeof whole, "%s.mhskel", stem);
    size_t length = strlen(stem), end = sizeof tail - 1;
    if (length > end && strcmp(stem + length - end, tail) == 0) {
        snprintf(bare, sizeof bare, "%.*s.mhskel", (int)(length - end), stem);
    }
    const char* names[] = {bare, whole};
    return find_beside(weights, names, 2, ".mhskel", "skeleton", path);
}

snResult sni_mhw_read(const sniSource* source, snModel** out) {
    char skeleton_path[SNI_PATH_MAX], mesh_path[SNI_PATH_MAX];
    const char* companion = source->def->companion;
    SNI_TRY(find_skeleton(source, skeleton_path));
    sniSource skeleton, mesh;
    SNI_TRY(sni_source_open(source, skeleton_path, &skeleton));
    skeleton.external = true; // the caller named it, or it was found
    snResult result = find_mesh(&skeleton, companion != NULL && !is_skeleton(companion), mesh_path);
    if (result == SN_RESULT_OK) result = sni_source_open(&skeleton, mesh_path, &mesh);
    if (result == SN_RESULT_OK) {
        result = sni_mhskel_read_with(&skeleton, &mesh, source, true, out);
        sni_source_close(&mesh);
    }
    sni_source_close(&skeleton);
    return result;
}
