#define _POSIX_C_SOURCE 200809L

#include "save.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "file.h"
#include "sinew/io.h"
#include "temporary.h"

static snResult fail_file(snError* error, const char* path, const char* act) {
    sni_fail(error, SN_RESULT_IO, "cannot %s: %s", act, strerror(errno));
    if (error != NULL) snprintf(error->file, sizeof error->file, "%s", path);
    return SN_RESULT_IO;
}

static bool write_all(int file, const uint8_t* data, size_t size, bool quick) {
    while (size > 0) {
        ssize_t part = write(file, data, size);
        if (part < 0 && errno == EINTR) continue;
        if (part < 0) return false;
        data += part;
        size -= (size_t)part;
    }
    return quick || fsync(file) == 0;
}

// Makes the disk know the new names. File systems that cannot are as sure as they get.
static bool sync_folder(const char* path) {
    char folder[SNI_TEMPORARY_NAME];
    size_t length = sni_path_folder(path);
    if (length >= sizeof folder) return true;
    memcpy(folder, path, length);
    folder[length] = '\0';
    int file = open(length > 0 ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    // A folder that may be written to and not read.
    if (file < 0) return errno == EACCES;
    bool done = fsync(file) == 0 || errno == EINVAL || errno == ENOTSUP || errno == EROFS;
    int reason = errno;
    close(file);
    errno = reason;
    return done;
}

typedef struct Saving {
    const sniSave* files;
    uint32_t count;
    bool quick;                     // the disk need not have them
    uint32_t opened;                // temporaries that are there
    uint32_t named;                 // of them, those that have their own names
    bool fresh[SNI_SAVE_MAX_FILES]; // nothing had that name before
    sniTemporary temporaries[SNI_SAVE_MAX_FILES];
} Saving;

static snResult fill(Saving* saving, snError* error) {
    for (uint32_t i = 0; i < saving->count; i++) {
        const sniSave* file = &saving->files[i];
        if (!sni_temporary_open(file->path, &saving->temporaries[i]))
            return fail_file(error, file->path, "create");
        saving->opened++;
        if (!write_all(saving->temporaries[i].file, file->data, file->size, saving->quick))
            return fail_file(error, file->path, "write");
    }
    return SN_RESULT_OK;
}

static snResult name(Saving* saving, snError* error) {
    for (uint32_t i = 0; i < saving->count; i++) {
        const char* path = saving->files[i].path;
        struct stat there;
        saving->fresh[i] = lstat(path, &there) != 0;
        if (rename(saving->temporaries[i].name, path) != 0) return fail_file(error, path, "write");
        saving->named++;
    }
    if (saving->quick) return SN_RESULT_OK;
    const char* last = saving->files[saving->count - 1].path;
    return sync_folder(last) ? SN_RESULT_OK : fail_file(error, last, "sync the folder");
}

static snResult save(const sniSave* files, uint32_t count, bool quick, snError* error) {
    Saving saving = {.files = files, .count = count, .quick = quick};
    snResult result = fill(&saving, error);
    if (result == SN_RESULT_OK) result = name(&saving, error);
    for (uint32_t i = 0; i < saving.opened; i++) {
        if (i >= saving.named) unlink(saving.temporaries[i].name);
        sni_temporary_close(&saving.temporaries[i]);
    }
    // What nothing uses yet goes again. Where the last one has its name, all are in use; what was there
    // before may be.
    for (uint32_t i = 0; i < saving.named && saving.named < count; i++)
        if (saving.fresh[i]) unlink(files[i].path);
    return result;
}

snResult sni_save_files(const sniSave* files, uint32_t count, snError* error) {
    return save(files, count, false, error);
}

snResult sni_save_quickly(const char* path, const void* data, size_t size, snError* error) {
    const sniSave file = {path, data, size};
    return save(&file, 1, true, error);
}

snResult sn_file_write(const char* path, const void* data, size_t size, snError* error) {
    if (path == NULL || path[0] == '\0' || (data == NULL && size > 0)) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "no path or no data to write");
    }
    const sniSave file = {path, data, size};
    return sni_save_files(&file, 1, error);
}
