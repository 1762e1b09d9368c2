#define _POSIX_C_SOURCE 200809L

#include "beside.h"

#include <dirent.h>
#include <stdlib.h>

#include "base/error.h"
#include "file.h"

bool sni_path_beside(const char* path, const char* name, char out[SNI_PATH_MAX]) {
    int folder = (int)sni_path_folder(path);
    int length = snprintf(out, SNI_PATH_MAX, "%.*s%s", folder, path, name);
    return length >= 0 && length < SNI_PATH_MAX;
}

bool sni_path_inside(char* path) {
    if (path[0] == '/' || strpbrk(path, "\\:") != NULL) return false;
    char* to = path;
    const char* end = path + strlen(path); // its zero may be overwritten by the last slash
    for (const char* from = path; from < end;) {
        size_t length = strcspn(from, "/");
        const char* next = from + length + (from[length] == '/');
        if (length == 2 && memcmp(from, "..", 2) == 0) {
            if (to == path) return false;
            for (to--; to > path && to[-1] != '/';) to--;
        } else if (length > 0 && !(length == 1 && *from == '.')) {
            memmove(to, from, length);
            to += length;
            *to++ = '/';
        }
        from = next;
    }
    if (to == path) return false;
    to[-1] = '\0'; // every step ends in a slash; the last one has none
    return true;
}

// ------------------------------------------------------------------------------------------ one by its name

// A path as seen from the file's folder; one that lies elsewhere stays as it is.
static const char* relative_to(const sniBeside* beside, const char* path) {
    size_t folder = sni_path_folder(beside->name);
    return strncmp(path, beside->name, folder) == 0 ? path + folder : path;
}

static const snFile* find_file(const sniBeside* beside, const char* path) {
    const char* name = relative_to(beside, path);
    for (uint32_t i = 0; i < beside->files->count; i++) {
        if (strcmp(beside->files->files[i].name, name) == 0) return &beside->files->files[i];
    }
    return NULL;
}

bool sni_beside_exists(const sniBeside* beside, const char* path) {
    return beside->files != NULL ? find_file(beside, path) != NULL : sni_file_exists(path);
}

static snResult copy_file(const sniBeside* beside, const char* path, size_t limit, const snAllocator* memory,
                          uint8_t** out, size_t* out_size, snError* error) {
    const snFile* file = find_file(beside, path);
    if (file == NULL) return sni_fail(error, SN_RESULT_IO, "is not one of the given files");
    if (file->size >= limit) {
        return sni_fail(error, SN_RESULT_LIMIT, "has %zu bytes, more than the limit of %zu", file->size,
                        limit);
    }
    uint8_t* data = SNI_NEW_ARRAY(memory, uint8_t, file->size + 1);
    if (data == NULL) return sni_fail_memory(error);
    if (file->size > 0) memcpy(data, file->data, file->size);
    *out = data;
    *out_size = file->size;
    return SN_RESULT_OK;
}

// A file that lies elsewhere goes by its bare name: beside the others it will be found by that.
static void tell(const sniBeside* beside, const char* path, const uint8_t* data, size_t size) {
    char name[SNI_PATH_MAX];
    if (beside->opened.run == NULL) return;
    snprintf(name, sizeof name, "%s", relative_to(beside, path));
    bool inside = sni_path_inside(name);
    beside->opened.run(beside->opened.user, inside ? name : path + sni_path_folder(path), data, size);
}

// How much of a path is the folder that it must not leave: that of the file, or that of a companion which the
// caller named somewhere else.
static size_t root_of(const sniBeside* beside, const char* path) {
    size_t companion = beside->companion != NULL ? sni_path_folder(beside->companion) : 0;
    if (companion > 0 && strncmp(path, beside->companion, companion) == 0) return companion;
    size_t folder = sni_path_folder(beside->name);
    return strncmp(path, beside->name, folder) == 0 ? folder : sni_path_folder(path);
}

static snResult read_disk(const sniBeside* beside, const char* path, size_t limit, const snAllocator* memory,
                          uint8_t** out, size_t* out_size, snError* error) {
    bool chosen = beside->companion != NULL && strcmp(path, beside->companion) == 0;
    return chosen ? sni_file_read(path, limit, memory, out, out_size, error)
                  : sni_file_read_beneath(path, root_of(beside, path), limit, memory, out, out_size, error);
}

snResult sni_beside_read(const sniBeside* beside, const char* path, size_t limit, const snAllocator* memory,
                         uint8_t** out, size_t* out_size, snError* error) {
    snResult result = beside->files != NULL ? copy_file(beside, path, limit, memory, out, out_size, error)
                                            : read_disk(beside, path, limit, memory, out, out_size, error);
    if (result == SN_RESULT_OK)
        tell(beside, path, *out, *out_size);
    else if (error != NULL)
        snprintf(error->file, sizeof error->file, "%s", path);
    return result;
}

// ---------------------------------------------------------------------------------------- all of a kind

static int compare_names(const void* a, const void* b) {
    return strcmp(*(const char* const*)a, *(const char* const*)b);
}

// Sorts the zero-terminated names of `names` in place.
static bool sort_names(sniBytes* names, uint32_t count) {
    const snAllocator* memory = &names->allocator;
    const char** sorted = SNI_NEW_ARRAY(memory, const char*, count);
    char* copy = sni_copy_array(memory, names->data, names->size, 1);
    if (sorted != NULL && copy != NULL) {
        const char* at = copy;
        for (uint32_t i = 0; i < count; i++, at += strlen(at) + 1) sorted[i] = at;
        qsort(sorted, count, sizeof *sorted, compare_names);
        names->size = 0;
        for (uint32_t i = 0; i < count; i++) sni_bytes_add(names, sorted[i], strlen(sorted[i]) + 1);
    }
    bool done = sorted != NULL && copy != NULL;
    sni_free(memory, sorted);
    sni_free(memory, copy);
    return done;
}

static void add_name(sniBytes* names, const char* name, const char* extension, uint32_t* count) {
    if (!sni_extension_is(sni_path_extension(name), extension)) return;
    sni_bytes_add(names, name, strlen(name) + 1);
    *count += 1;
}

static void list_disk(const char* path, const char* extension, sniBytes* names, uint32_t* count) {
    char place[SNI_PATH_MAX];
    DIR* folder = sni_path_beside(path, ".", place) ? opendir(place) : NULL;
    if (folder == NULL) return;
    for (const struct dirent* entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        add_name(names, entry->d_name, extension, count);
    }
    closedir(folder);
}

static void list_files(const sniBeside* beside, const char* path, const char* extension, sniBytes* names,
                       uint32_t* count) {
    const char* from = relative_to(beside, path);
    size_t folder = sni_path_folder(from);
    for (uint32_t i = 0; i < beside->files->count; i++) {
        const char* name = beside->files->files[i].name;
        if (sni_path_folder(name) != folder || strncmp(name, from, folder) != 0) continue;
        add_name(names, name + folder, extension, count);
    }
}

snResult sni_beside_list(const sniBeside* beside, const char* path, const char* extension, sniBytes* names,
                         uint32_t* count, snError* error) {
    *count = 0;
    if (beside->files != NULL)
        list_files(beside, path, extension, names, count);
    else
        list_disk(path, extension, names, count);
    bool done = !names->failed && (*count == 0 || sort_names(names, *count));
    return done ? SN_RESULT_OK : sni_fail_memory(error);
}
