// The poses of a document's handles.
#include <stdio.h>

#include "document.h"
#include "io/file.h"

uint32_t sn_document_pose_count(const snDocument* document) { return document->state.handled.poses.count; }

const snHandlePose* const* sn_document_poses(const snDocument* document) {
    return (const snHandlePose* const*)document->state.handled.poses.poses;
}

const snHandlePose* sn_document_pose(const snDocument* document, uint32_t index) {
    const sniPoses* poses = &document->state.handled.poses;
    return index < poses->count ? poses->poses[index] : NULL;
}

const char* sn_document_pose_file(const snDocument* document, uint32_t index) {
    const sniPoses* poses = &document->state.handled.poses;
    return index < poses->count ? poses->files[index] : NULL;
}

uint32_t sn_document_find_pose(const snDocument* document, const char* name) {
    const sniPoses* poses = &document->state.handled.poses;
    for (uint32_t i = 0; i < poses->count; i++)
        if (strcmp(poses->poses[i]->name, name) == 0) return i;
    return SN_NONE;
}

void sn_pose_file_name(const char* path, char* out, size_t capacity) {
    const char* file = path + sni_path_folder(path);
    const char* dot = strrchr(file, '.');
    size_t length = dot != NULL ? (size_t)(dot - file) : strlen(file);
    snprintf(out, capacity, "%.*s", (int)length, file);
}

// ------------------------------------------------------------------------------------------------- changing

snResult sni_handled_copy(const snDocument* document, uint32_t without, sniHandled* to, snError* error) {
    const sniHandled* from = &document->state.handled;
    const snAllocator* memory = &document->allocator;
    SNI_TRY(sni_rig_copy(from->rig, memory, &to->rig, error));
    for (uint32_t i = 0; i < from->poses.count; i++) {
        snHandlePose* pose = NULL;
        if (i == without) continue;
        SNI_TRY(sni_pose_copy(from->poses.poses[i], to->rig, memory, &pose, error));
        if (sni_poses_add(&to->poses, pose, from->poses.files[i], memory)) continue;
        sn_handle_pose_destroy(pose);
        return sni_fail_memory(error);
    }
    return SN_RESULT_OK;
}

static snResult finish(snDocument* document, const char* name, snResult result, sniHandled* next,
                       snError* error) {
    const sniPath* path = document->state.handled.path;
    if (result == SN_RESULT_OK && path != NULL)
        result = sni_path_read_for(path, next, document->def.memory_limit, &document->allocator, &next->path,
                                   error);
    if (result == SN_RESULT_OK) return sni_handled_change(document, name, next, error);
    sni_handled_free(next, &document->allocator);
    return result;
}

// Reports and keyframes know poses by their names.
static snResult check_name(const snDocument* document, const char* name, const char* file, snError* error) {
    uint32_t other = sn_document_find_pose(document, name);
    if (other == SN_NONE) return SN_RESULT_OK;
    const char* where = document->state.handled.poses.files[other];
    snResult result = sni_fail(error, SN_RESULT_BAD_DATA,
                               "there is another pose called \"%.100s\"%s%.200s; give one of them another "
                               "\"name\"",
                               name, where[0] != '\0' ? ", in " : "", where);
    if (error != NULL) snprintf(error->file, sizeof error->file, "%s", file);
    return result;
}

// Takes the pose over.
static snResult add(snDocument* document, snHandlePose* pose, const char* file, uint32_t* out_index,
                    snError* error) {
    sniHandled next = {0};
    uint32_t index = document->state.handled.poses.count;
    snResult result = check_name(document, pose->name, file, error);
    if (result == SN_RESULT_OK) result = sni_handled_copy(document, SN_NONE, &next, error);
    if (result == SN_RESULT_OK && !sni_poses_add(&next.poses, pose, file, &document->allocator))
        result = sni_fail_memory(error);
    if (result != SN_RESULT_OK) sn_handle_pose_destroy(pose);
    SNI_TRY(finish(document, "Add pose", result, &next, error));
    if (out_index != NULL) *out_index = index;
    return SN_RESULT_OK;
}

static bool name_after_file(snHandlePose* pose, const char* file) {
    if (pose->name[0] != '\0') return true;
    char name[256];
    sn_pose_file_name(file, name, sizeof name);
    char* copy = sni_copy_text(&pose->allocator, name);
    if (copy == NULL) return false;
    sni_free(&pose->allocator, pose->name);
    pose->name = copy;
    return true;
}

static uint32_t find_file(const snDocument* document, const char* name, bool disk) {
    const sniPoses* poses = &document->state.handled.poses;
    for (uint32_t i = 0; i < poses->count; i++)
        if (disk ? sni_file_same(name, poses->files[i]) : strcmp(name, poses->files[i]) == 0) return i;
    return SN_NONE;
}

snResult sn_document_read_pose(snDocument* document, const char* name, const void* data, size_t size,
                               uint32_t* out_index, snNotes* notes, snError* error) {
    SNI_TRY(sni_need_rig(document, error));
    uint32_t known = find_file(document, name, data == NULL);
    if (known != SN_NONE) {
        if (out_index != NULL) *out_index = known;
        return SN_RESULT_OK;
    }
    const snHandles* rig = document->state.handled.rig;
    snHandlePose* pose = NULL;
    snReadDef def = sni_read_def(document);
    def.notes = notes;
    SNI_TRY(data != NULL ? sn_handle_pose_read_memory(name, data, size, rig, &def, &pose, error)
                         : sn_handle_pose_read(name, rig, &def, &pose, error));
    if (name_after_file(pose, name)) return add(document, pose, name, out_index, error);
    sn_handle_pose_destroy(pose);
    return sni_fail_memory(error);
}

snResult sn_document_add_pose(snDocument* document, const snHandlePose* pose, uint32_t* out_index,
                              snError* error) {
    snHandlePose* copy = NULL;
    SNI_TRY(sni_need_rig(document, error));
    SNI_TRY(sni_pose_copy(pose, document->state.handled.rig, &document->allocator, &copy, error));
    return add(document, copy, "", out_index, error);
}

snResult sn_document_remove_pose(snDocument* document, uint32_t index, snError* error) {
    sniHandled next = {0};
    if (index >= document->state.handled.poses.count)
        return sni_fail(error, SN_RESULT_NOT_FOUND, "there is no pose %u", index);
    return finish(document, "Remove pose", sni_handled_copy(document, index, &next, error), &next, error);
}
