#define _GNU_SOURCE

#include "folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"
#include "file.h"
#include "sinew/io.h"
#include "temporary.h"

static snResult at_path(snError* error, const char* path) {
    if (error != NULL) snprintf(error->file, sizeof error->file, "%.*s", (int)sizeof error->file - 1, path);
    return SN_RESULT_IO;
}

static snResult fail_folder(snError* error, const char* path, const char* act) {
    sni_fail(error, SN_RESULT_IO, "cannot %s: %s", act, strerror(errno));
    return at_path(error, path);
}

bool sni_is_folder(const char* path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

// A folder that is being made, and its files, listed so that a signal's handler can take them along.
typedef struct Folder {
    const sniFolderFile* files;
    uint32_t count;
    sniTemporary made;
    int listed[SNI_FOLDER_MAX_FILES];
} Folder;

static void file_path(const char* folder, const char* name, char out[SNI_TEMPORARY_NAME]) {
    snprintf(out, SNI_TEMPORARY_NAME, "%.*s/%.63s", SNI_TEMPORARY_NAME - 80, folder, name);
}

static bool make_temporary(Folder* folder, const char* path) {
    char file[SNI_TEMPORARY_NAME];
    if (!sni_temporary_open_folder(path, &folder->made)) return false;
    for (uint32_t i = 0; i < folder->count; i++) {
        file_path(folder->made.name, folder->files[i].name, file);
        folder->listed[i] = sni_temporary_list(file);
    }
    return true;
}

static void close_temporary(Folder* folder) {
    for (uint32_t i = 0; i < folder->count; i++) sni_temporary_forget(folder->listed[i]);
    sni_temporary_close(&folder->made);
}

// Removes a folder with files of ours.
static void remove_folder(const char* name, const sniFolderFile* files, uint32_t count) {
    char path[SNI_TEMPORARY_NAME];
    int reason = errno;
    for (uint32_t i = 0; i < count; i++) {
        file_path(name, files[i].name, path);
        unlink(path);
    }
    rmdir(name);
    errno = reason;
}

static bool is_ours(const char* name, const sniFolderFile* files, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(files[i].name, name) == 0) return true;
    }
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

// What is there may be replaced only when nothing is lost with it.
static snResult check_old(const char* path, const sniFolderFile* files, uint32_t count, snError* error) {
    DIR* folder = opendir(path);
    if (folder == NULL) return errno == ENOENT ? SN_RESULT_OK : fail_folder(error, path, "write a folder");
    const struct dirent* entry = NULL;
    snResult result = SN_RESULT_OK;
    while (result == SN_RESULT_OK && (entry = readdir(folder)) != NULL) {
        if (is_ours(entry->d_name, files, count)) continue;
        sni_fail(error, SN_RESULT_IO, "exists and contains %.100s, which would be lost", entry->d_name);
        result = at_path(error, path);
    }
    closedir(folder);
    return result;
}

// Two names change what they lead to, at once: nobody ever sees neither.
static bool swap_names(const char* a, const char* b) {
#ifdef RENAME_EXCHANGE
    return renameat2(AT_FDCWD, a, AT_FDCWD, b, RENAME_EXCHANGE) == 0;
#else
    (void)a, (void)b;
    errno = ENOSYS;
    return false;
#endif
}

// Where names cannot be swapped, an old folder steps aside first and comes back when that fails.
static bool step_aside(const Folder* folder, const char* path) {
    char aside[SNI_TEMPORARY_NAME];
    snprintf(aside, sizeof aside, "%.*s.old", SNI_TEMPORARY_NAME - 8, folder->made.name);
    if (rename(path, aside) != 0) return false;
    if (rename(folder->made.name, path) != 0) {
        int reason = errno;
        (void)rename(aside, path);
        errno = reason;
        return false;
    }
    remove_folder(aside, folder->files, folder->count);
    return true;
}

static bool put_in_place(const Folder* folder, const char* path) {
    if (rename(folder->made.name, path) == 0) return true; // nothing there, or an empty folder
    if (errno != ENOTEMPTY && errno != EEXIST) return false;
    if (swap_names(folder->made.name, path)) {
        remove_folder(folder->made.name, folder->files, folder->count);
        return true;
    }
    return (errno == ENOSYS || errno == EINVAL) && step_aside(folder, path);
}

static snResult fill(const Folder* folder, const char* path, snError* error) {
    char file[SNI_TEMPORARY_NAME];
    for (uint32_t i = 0; i < folder->count; i++) {
        if (folder->files[i].data == NULL) continue;
        file_path(folder->made.name, folder->files[i].name, file);
        SNI_TRY(sn_file_write(file, folder->files[i].data, folder->files[i].size, error));
    }
    return put_in_place(folder, path) ? SN_RESULT_OK : fail_folder(error, path, "write");
}

snResult sni_folder_write(const char* path, const sniFolderFile* files, uint32_t count, snError* error) {
    char plain[SNI_TEMPORARY_NAME];
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/') length--;
    if (length == 0 || length > sizeof plain - 160) {
        errno = length == 0 ? ENOENT : ENAMETOOLONG;
        return fail_folder(error, path, "write");
    }
    memcpy(plain, path, length);
    plain[length] = '\0';
    snResult result = check_old(plain, files, count, error);
    if (result != SN_RESULT_OK) return result;
    Folder folder = {.files = files, .count = count};
    if (!make_temporary(&folder, plain)) return fail_folder(error, plain, "create");
    result = fill(&folder, plain, error);
    if (result != SN_RESULT_OK) remove_folder(folder.made.name, files, count);
    close_temporary(&folder);
    return result;
}

// --------------------------------------------------------------------------------------------------- listing

void sn_name_list_free(snNameList* list) {
    for (uint32_t i = 0; i < list->count; i++) sni_free(&list->allocator, list->names[i]);
    if (list->names != NULL) sni_free(&list->allocator, (void*)list->names);
    *list = (snNameList){0};
}

static bool add_name(snNameList* list, size_t* capacity, const char* name) {
    if (list->count == *capacity) {
        size_t more = *capacity > 0 ? 2 * *capacity : 16;
        char** names = SNI_NEW_ARRAY(&list->allocator, char*, more);
        if (names == NULL) return false;
        if (list->count > 0) memcpy((void*)names, (const void*)list->names, list->count * sizeof(char*));
        sni_free(&list->allocator, (void*)list->names);
        list->names = names;
        *capacity = more;
    }
    char* copy = sni_copy_text(&list->allocator, name);
    if (copy != NULL) list->names[list->count++] = copy;
    return copy != NULL;
}

static int by_bytes(const void* a, const void* b) { return strcmp(*(char* const*)a, *(char* const*)b); }

snResult sn_folder_list(const char* path, const char* extension, const snAllocator* allocator,
                        snNameList* out, snError* error) {
    if (path == NULL || extension == NULL || out == NULL)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a path, an extension and an output are needed");
    DIR* folder = opendir(path);
    if (folder == NULL) {
        sni_fail(error, SN_RESULT_IO, "the folder cannot be read");
        return at_path(error, path);
    }
    snNameList list = {.allocator = sni_allocator(allocator)};
    size_t capacity = 0;
    bool enough = true;
    for (const struct dirent* entry = readdir(folder); entry != NULL && enough; entry = readdir(folder))
        if (sni_extension_is(sni_path_extension(entry->d_name), extension))
            enough = add_name(&list, &capacity, entry->d_name);
    closedir(folder);
    if (!enough) {
        sn_name_list_free(&list);
        return sni_fail_memory(error);
    }
    if (list.count > 1) qsort((void*)list.names, list.count, sizeof(char*), by_bytes);
    *out = list;
    return SN_RESULT_OK;
}
