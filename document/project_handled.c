// Handles, poses and paths of a project, as files that every verb reads. Their formats read back to the same
// bits, so that nothing else of them has to be kept.
#include <stdio.h>

#include "project.h"

#define RIG "rig.snrig"

// ------------------------------------------------------------------------------------------------ writing

static snResult put_rig(sniArchive* a, sniJsonValue* root, snError* error) {
    snBytes text = {0};
    SNI_TRY(sn_handles_write_memory(a->document->state.handled.rig, &a->document->allocator, &text, error));
    sni_archive_own(a, text.data);
    if (!a->failed) sni_archive_add(a, RIG, text.data, text.size, true);
    sni_json_set(root, "rig", sni_json_string(RIG));
    return SN_RESULT_OK;
}

static snResult put_poses(sniArchive* a, sniJsonValue* root, snError* error) {
    const sniHandled* handled = &a->document->state.handled;
    const sniPoses* poses = &handled->poses;
    sniJsonValue* list = sni_json_array();
    snResult result = SN_RESULT_OK;
    for (uint32_t i = 0; i < poses->count && result == SN_RESULT_OK; i++) {
        char name[SNI_ENTRY_NAME];
        snBytes text = {0};
        result =
            sn_handle_pose_write_memory(poses->poses[i], handled->rig, &a->document->allocator, &text, error);
        if (result != SN_RESULT_OK) break;
        sniJsonValue* pose = sni_json_object();
        sni_archive_own(a, text.data);
        const char* called = poses->poses[i]->name;
        sni_archive_path(a, "poses", strchr(called, '/') == NULL ? called : "", ".snpose", name);
        if (!a->failed) sni_archive_add(a, name, text.data, text.size, true);
        sni_json_set(pose, "file", sni_json_string(name));
        sni_json_set(pose, "from", sni_json_string(poses->files[i]));
        sni_json_add(list, pose);
    }
    sni_json_set(root, "poses", list);
    return result;
}

static void put_path(sniArchive* a, sniJsonValue* root) {
    const sniPath* path = a->document->state.handled.path;
    char name[SNI_ENTRY_NAME];
    sniJsonValue* object = sni_json_object();
    sni_archive_path(a, "paths", sni_base_name(path->name), "", name);
    sni_archive_add(a, name, path->data, path->size, true);
    sni_json_set(object, "file", sni_json_string(name));
    sni_json_set(object, "name", sni_json_string(path->name));
    sni_json_set(object, "ground", sni_json_real((double)path->ground));
    sni_json_set(object, "files", sni_archive_files(a, "paths", path->name, path->files, path->file_count));
    sni_json_set(root, "path", object);
}

snResult sni_archive_handled(sniArchive* a, sniJsonValue* root, snError* error) {
    const sniHandled* handled = &a->document->state.handled;
    if (handled->rig == NULL) return SN_RESULT_OK;
    SNI_TRY(put_rig(a, root, error));
    SNI_TRY(put_poses(a, root, error));
    if (handled->path != NULL) put_path(a, root);
    return SN_RESULT_OK;
}

// ------------------------------------------------------------------------------------------------- reading

static snReadDef read_def(const sniProject* r) {
    snReadDef def = sni_read_def(r->document);
    def.allocator = &r->document->allocator;
    return def;
}

// For the mesh that the model has.
static snResult get_rig(sniProject* r, const char* entry) {
    const snAllocator* memory = &r->document->allocator;
    snReadDef def = read_def(r);
    snMesh* mesh = NULL;
    uint8_t* text = NULL;
    size_t size = 0;
    SNI_TRY(sni_project_entry(r, entry, &text, &size));
    snResult result = sn_model_merge_mesh(r->state.body.model, memory, &mesh, r->error);
    if (result == SN_RESULT_OK)
        result = sn_handles_read_memory(entry, text, size, mesh, &def, &r->state.handled.rig, r->error);
    sn_mesh_destroy(mesh);
    sni_free(memory, text);
    return sni_project_fail(r, result, entry);
}

static snResult get_pose(sniProject* r, const char* entry, const char* from) {
    const snAllocator* memory = &r->document->allocator;
    sniHandled* handled = &r->state.handled;
    snReadDef def = read_def(r);
    snHandlePose* pose = NULL;
    uint8_t* text = NULL;
    size_t size = 0;
    SNI_TRY(sni_project_entry(r, entry, &text, &size));
    snResult result = sn_handle_pose_read_memory(entry, text, size, handled->rig, &def, &pose, r->error);
    sni_free(memory, text);
    if (result == SN_RESULT_OK && !sni_poses_add(&handled->poses, pose, from, memory)) {
        sn_handle_pose_destroy(pose);
        result = sni_fail_memory(r->error);
    }
    return sni_project_fail(r, result, entry);
}

static snResult get_path(sniProject* r, const sniJson* json) {
    const snAllocator* memory = &r->document->allocator;
    sniJson file = sni_json_get(json, "file"), name = sni_json_get(json, "name"),
            ground = sni_json_get(json, "ground"), files = sni_json_get(json, "files");
    double height = 0.0;
    if (sni_json_text(&file) == NULL || sni_json_text(&name) == NULL || !sni_json_number(&ground, &height) ||
        !sn_finite((float)height))
        return sni_project_bad(r, "has a path without \"file\", \"name\" or \"ground\"");
    sniPath as_read = {.ground = (float)height};
    snFiles beside = {0};
    snResult result = sni_project_files(r, &files, &beside);
    if (result == SN_RESULT_OK)
        result = sni_project_entry(r, sni_json_text(&file), &as_read.data, &as_read.size);
    as_read.name = sni_copy_text(memory, sni_json_text(&name));
    if (result == SN_RESULT_OK && as_read.name == NULL) result = sni_fail_memory(r->error);
    as_read.file_count = beside.count;
    as_read.files = (snFile*)beside.files;
    if (result == SN_RESULT_OK)
        result = sni_path_read_for(&as_read, &r->state.handled, r->limit, memory, &r->state.handled.path,
                                   r->error);
    sni_free(memory, as_read.name);
    sni_free(memory, as_read.data);
    sni_project_files_free(r, &beside);
    return sni_project_fail(r, result, sni_json_text(&file));
}

snResult sni_project_handled(sniProject* r, const sniJson* root) {
    sniJson rig = sni_json_get(root, "rig"), poses = sni_json_get(root, "poses"),
            path = sni_json_get(root, "path");
    size_t count = sni_json_length(&poses);
    if (sni_json_text(&rig) == NULL)
        return rig.value == NULL && count == 0 && path.value == NULL
                   ? SN_RESULT_OK
                   : sni_project_bad(r, "has poses or a path without \"rig\"");
    if (count > SNI_MAX_ENTRIES) return sni_project_bad(r, "has too many poses");
    SNI_TRY(get_rig(r, sni_json_text(&rig)));
    for (size_t i = 0; i < count; i++) {
        sniJson item = sni_json_item(&poses, i), file = sni_json_get(&item, "file"),
                from = sni_json_get(&item, "from");
        if (sni_json_text(&file) == NULL) return sni_project_bad(r, "has a pose without \"file\"");
        SNI_TRY(get_pose(r, sni_json_text(&file), sni_json_text(&from) != NULL ? sni_json_text(&from) : ""));
    }
    return path.value != NULL ? get_path(r, &path) : SN_RESULT_OK;
}
