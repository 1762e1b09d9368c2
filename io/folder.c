#define _POSIX_C_SOURCE 200809L

#include "folder.h"

#include <dirent.h>
#include <errno.h>
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
    char name[SNI_TEMPORARY_NAME];
    int listed[SNI_FOLDER_MAX_FILES + 1];
} Folder;

static void file_path(const char* folder, const char* name, char out[SNI_TEMPORARY_NAME]) {
    snprintf(out, SNI_TEMPORARY_NAME, "%.*s/%.63s", SNI_TEMPORARY_NAME - 80, folder, name);
}

static void list_names(Folder* folder) {
    char path[SNI_TEMPORARY_NAME];
    for (uint32_t i = 0; i < folder->count; i++) {
        file_path(folder->name, folder->files[i].name, path);
        folder->listed[i] = sni_temporary_list(path);
    }
    folder->listed[folder->count] = sni_temporary_list(folder->name);
}

static void forget_names(const Folder* folder) {
    for (uint32_t i = 0; i <= folder->count; i++) sni_temporary_forget(folder->listed[i]);
}

static bool make_temporary(Folder* folder, const char* path) {
    for (unsigned attempt = 0; attempt < 100; attempt++) {
        snprintf(folder->name, sizeof folder->name, "%.*s.%ld-%u.tmp", SNI_TEMPORARY_NAME - 160, path,
                 (long)getpid(), attempt);
        list_names(folder);
        if (mkdir(folder->name, 0777) == 0) return true;
        int reason = errno;
        forget_names(folder);
        errno = reason;
        if (errno != EEXIST) return false;
    }
    return false;
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
        sni_fail(error, SN_RESULT_IO, "is there and holds %.100s, which would be lost", entry->d_name);
        result = at_path(error, path);
    }
    closedir(folder);
    return result;
}

// Puts the finished folder in its place. An old one steps aside first and comes back when that fails.
static bool put_in_place(const Folder* folder, const char* path) {
    char aside[SNI_TEMPORARY_NAME];
    if (rename(folder->name, path) == 0) return true; // nothing there, or an empty folder
    if (errno != ENOTEMPTY && errno != EEXIST) return false;
    snprintf(aside, sizeof aside, "%.*s.old", SNI_TEMPORARY_NAME - 8, folder->name);
    if (rename(path, aside) != 0) return false;
    if (rename(folder->name, path) != 0) {
        int reason = errno;
        (void)rename(aside, path);
        errno = reason;
        return false;
    }
    remove_folder(aside, folder->files, folder->count);
    return true;
}

static snResult fill(const Folder* folder, const char* path, snError* error) {
    char file[SNI_TEMPORARY_NAME];
    for (uint32_t i = 0; i < folder->count; i++) {
        if (folder->files[i].data == NULL) continue;
        file_path(folder->name, folder->files[i].name, file);
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
    if (result != SN_RESULT_OK) remove_folder(folder.name, files, count);
    forget_names(&folder);
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
