// A path file as bytes: as it came, with what it names.
#include "base/error.h"
#include "handled.h"

void sni_path_free(sniPath* path, const snAllocator* memory) {
    if (path == NULL) return;
    sni_files_free(memory, path->files, path->file_count);
    sni_free(memory, path->name);
    sni_free(memory, path->data);
    sn_path_file_destroy(path->made);
    sni_free(memory, path);
}

void sni_path_put(const sniPath* path, sniBytes* out) {
    if (path == NULL) return;
    sni_put_text(out, path->name);
    sni_put_float(out, path->ground);
    sni_put_u64(out, path->size);
    sni_put_array(out, path->data, path->size, 1);
    sni_put_u32(out, path->file_count);
    for (uint32_t i = 0; i < path->file_count; i++) {
        sni_put_text(out, path->files[i].name);
        sni_put_u64(out, path->files[i].size);
        sni_put_array(out, path->files[i].data, path->files[i].size, 1);
    }
}

static snResult damaged(snError* error) {
    return sni_fail(error, SN_RESULT_BAD_DATA, "the stored path is damaged");
}

// Everything but what it means; points into someone else's memory.
typedef struct View {
    const char* name;
    sniSlice data;
    snFiles files;
    float ground;
} View;

static snResult copy_view(const View* view, const snAllocator* memory, sniPath** out, snError* error) {
    sniPath* path = SNI_NEW(memory, sniPath);
    if (path == NULL) return sni_fail_memory(error);
    path->name = sni_copy_text(memory, view->name);
    path->data = sni_copy_array(memory, view->data.data, view->data.size, 1);
    path->files = SNI_NEW_ARRAY(memory, snFile, view->files.count);
    path->size = view->data.size;
    path->ground = view->ground;
    bool enough = path->name != NULL && path->data != NULL && path->files != NULL;
    while (enough && path->file_count < view->files.count) {
        const snFile* from = &view->files.files[path->file_count];
        snFile* to = &path->files[path->file_count++];
        *to = (snFile){sni_copy_text(memory, from->name), sni_copy_array(memory, from->data, from->size, 1),
                       from->size};
        enough = to->name != NULL && to->data != NULL;
    }
    if (enough)
        *out = path;
    else
        sni_path_free(path, memory);
    return enough ? SN_RESULT_OK : sni_fail_memory(error);
}

static snResult read_view(const View* view, const sniHandled* with, size_t limit, const snAllocator* memory,
                          sniPath** out, snError* error) {
    sniPath* path = NULL;
    SNI_TRY(copy_view(view, memory, &path, error));
    snFiles files = {path->file_count, path->files};
    snPathReadDef def = sn_path_read_def();
    def.handles = with->rig;
    def.ground = path->ground;
    def.pose_count = with->poses.count;
    def.poses = (const snHandlePose* const*)with->poses.poses;
    if (limit > 0) def.read.memory_limit = limit;
    def.read.allocator = memory;
    def.read.files = &files;
    snResult result = sn_path_file_read_memory(path->name, path->data, path->size, &def, &path->made, error);
    if (result == SN_RESULT_OK)
        *out = path;
    else
        sni_path_free(path, memory);
    return result;
}

snResult sni_path_read_for(const sniPath* from, const sniHandled* with, size_t limit,
                           const snAllocator* memory, sniPath** out, snError* error) {
    View view = {from->name, {from->data, from->size}, {from->file_count, from->files}, from->ground};
    return read_view(&view, with, limit, memory, out, error);
}

snResult sni_path_get(sniSlice bytes, const sniHandled* with, const snAllocator* memory, sniPath** out,
                      snError* error) {
    if (bytes.size == 0) return SN_RESULT_OK;
    sniReader r = {bytes.data, bytes.size, 0, false};
    View view = {.name = sni_take_text(&r)};
    view.ground = sni_take_float(&r);
    view.data.size = (size_t)sni_take_u64(&r);
    view.data.data = sni_take_array(&r, view.data.size, 1);
    view.files.count = sni_take_u32(&r);
    if (r.failed || with->rig == NULL || view.name == NULL || view.files.count > bytes.size)
        return damaged(error);
    snFile* files = SNI_NEW_ARRAY(memory, snFile, view.files.count);
    if (files == NULL) return sni_fail_memory(error);
    for (uint32_t i = 0; i < view.files.count && !r.failed; i++) {
        files[i].name = sni_take_text(&r);
        files[i].size = (size_t)sni_take_u64(&r);
        files[i].data = sni_take_array(&r, files[i].size, 1);
        r.failed = r.failed || files[i].name == NULL;
    }
    view.files.files = files;
    snResult result = sni_reader_done(&r) ? read_view(&view, with, 0, memory, out, error) : damaged(error);
    sni_free(memory, files);
    return result;
}
