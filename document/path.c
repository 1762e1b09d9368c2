// The path of a document's handles.
#include "document.h"
#include "io/file.h"

const snPathFile* sn_document_path(const snDocument* document) {
    const sniPath* path = document->state.handled.path;
    return path != NULL ? path->made : NULL;
}

// Files that the reader opened beside the path, kept for reading it again.
typedef struct Kept {
    sniPath* path;
    size_t room;
    const snAllocator* memory;
    bool failed;
} Kept;

static void keep_file(void* user, const char* name, const void* data, size_t size) {
    Kept* kept = user;
    sniPath* path = kept->path;
    kept->failed = kept->failed || !sni_files_keep(kept->memory, &path->files, &path->file_count, &kept->room,
                                                   name, data, size);
}

// The bytes as they come, and what they mean.
static snResult read(const snDocument* document, const char* name, const void* data, size_t size,
                     const snFiles* files, sniPath* path, snError* error) {
    const snAllocator* memory = &document->allocator;
    const sniHandled* with = &document->state.handled;
    Kept kept = {path, 0, memory, false};
    snPathReadDef def = sn_path_read_def();
    def.read = sni_read_def(document);
    path->name = sni_copy_text(memory, name);
    if (path->name == NULL) return sni_fail_memory(error);
    if (data != NULL) {
        path->data = sni_copy_array(memory, data, size, 1);
        path->size = size;
        if (path->data == NULL) return sni_fail_memory(error);
    } else {
        SNI_TRY(sni_file_read(name, def.read.memory_limit, memory, &path->data, &path->size, error));
    }
    def.handles = with->rig;
    def.ground = path->ground;
    def.pose_count = with->poses.count;
    def.poses = (const snHandlePose* const*)with->poses.poses;
    def.read.files = files;
    def.read.opened = (snOpened){keep_file, &kept};
    SNI_TRY(data != NULL ? sn_path_file_read_memory(name, data, size, &def, &path->made, error)
                         : sn_path_file_read(name, &def, &path->made, error));
    return kept.failed ? sni_fail_memory(error) : SN_RESULT_OK;
}

snResult sn_document_set_path(snDocument* document, const char* name, const void* data, size_t size,
                              const snFiles* files, snError* error) {
    const snAllocator* memory = &document->allocator;
    sniHandled next = {0};
    sniPath* path = NULL;
    SNI_TRY(sni_need_rig(document, error));
    snResult result = SN_RESULT_OK;
    if (name != NULL) {
        path = SNI_NEW(memory, sniPath);
        result = path != NULL ? sn_document_ground(document, &path->ground, error) : sni_fail_memory(error);
        if (result == SN_RESULT_OK) result = read(document, name, data, size, files, path, error);
    }
    if (result == SN_RESULT_OK) result = sni_handled_copy(document, SN_NONE, &next, error);
    if (result == SN_RESULT_OK) {
        next.path = path;
        return sni_handled_change(document, name != NULL ? "Set path" : "Remove path", &next, error);
    }
    sni_handled_free(&next, memory);
    sni_path_free(path, memory);
    return result;
}
