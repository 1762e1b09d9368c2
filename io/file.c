#define _POSIX_C_SOURCE 200809L

#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"
#include "sinew/io.h"
#include "temporary.h"

static snResult fail_file(snError* error, snResult code, const char* path, const char* act) {
    sni_fail(error, code, "cannot %s: %s", act, strerror(errno));
    if (error != NULL) snprintf(error->file, sizeof error->file, "%s", path);
    return code;
}

// Reads until `size` bytes are there or the file ends.
static bool read_all(int file, uint8_t* data, size_t size, size_t* out_size) {
    size_t done = 0;
    while (done < size) {
        ssize_t part = read(file, data + done, size - done);
        if (part < 0 && errno == EINTR) continue;
        if (part < 0) return false;
        if (part == 0) break;
        done += (size_t)part;
    }
    *out_size = done;
    return true;
}

snResult sni_file_read(const char* path, size_t limit, const snAllocator* allocator, uint8_t** out,
                       size_t* out_size, snError* error) {
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return fail_file(error, SN_RESULT_IO, path, "open for reading");
    struct stat info;
    snResult result = SN_RESULT_OK;
    uint8_t* data = NULL;
    if (fstat(file, &info) != 0) {
        result = fail_file(error, SN_RESULT_IO, path, "read");
    } else if (!S_ISREG(info.st_mode)) {
        result = sni_fail(error, SN_RESULT_IO, "is not a regular file");
    } else if ((uintmax_t)info.st_size >= limit) {
        result = sni_fail(error, SN_RESULT_LIMIT, "has %ju bytes, more than the limit of %zu",
                          (uintmax_t)info.st_size, limit);
    } else if ((data = SNI_NEW_ARRAY(allocator, uint8_t, (size_t)info.st_size + 1)) == NULL) {
        result = sni_fail_memory(error);
    } else if (!read_all(file, data, (size_t)info.st_size, out_size)) {
        result = fail_file(error, SN_RESULT_IO, path, "read");
    }
    close(file);
    if (result != SN_RESULT_OK) {
        sni_free(allocator, data);
        if (error != NULL) snprintf(error->file, sizeof error->file, "%s", path);
        return result;
    }
    *out = data;
    return SN_RESULT_OK;
}

static bool write_all(int file, const uint8_t* data, size_t size) {
    while (size > 0) {
        ssize_t part = write(file, data, size);
        if (part < 0 && errno == EINTR) continue;
        if (part < 0) return false;
        data += part;
        size -= (size_t)part;
    }
    return fsync(file) == 0;
}

// Opens a name next to `path` that nobody uses, and lists it before it is there.
static int open_temporary(const char* path, char* name, size_t capacity, int* listed) {
    for (unsigned attempt = 0; attempt < 100; attempt++) {
        snprintf(name, capacity, "%s.%ld-%u.tmp", path, (long)getpid(), attempt);
        *listed = sni_temporary_list(name);
        int file = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file >= 0) return file;
        int reason = errno;
        sni_temporary_forget(*listed);
        errno = reason;
        if (errno != EEXIST) return -1;
    }
    return -1;
}

// Fills an open temporary and renames it. On failure it is gone and errno says why.
static bool finish_temporary(int file, const char* name, const char* path, const void* data, size_t size) {
    bool written = write_all(file, data, size);
    int reason = errno;
    if (close(file) != 0 && written) {
        written = false;
        reason = errno;
    }
    if (written && rename(name, path) == 0) return true;
    if (written) reason = errno;
    unlink(name);
    errno = reason;
    return false;
}

snResult sn_file_write(const char* path, const void* data, size_t size, snError* error) {
    if (path == NULL || path[0] == '\0' || (data == NULL && size > 0)) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "no path or no data to write");
    }
    char name[SNI_TEMPORARY_NAME];
    int listed = SNI_TEMPORARY_NONE;
    if (strlen(path) > sizeof name - 64) {
        errno = ENAMETOOLONG;
        return fail_file(error, SN_RESULT_IO, path, "write");
    }
    int file = open_temporary(path, name, sizeof name, &listed);
    if (file < 0) return fail_file(error, SN_RESULT_IO, path, "create");
    snResult result = finish_temporary(file, name, path, data, size)
                          ? SN_RESULT_OK
                          : fail_file(error, SN_RESULT_IO, path, "write");
    sni_temporary_forget(listed);
    return result;
}

snResult sni_file_take(const char* path, const void* data, size_t size, size_t limit,
                       const snAllocator* allocator, uint8_t** out, size_t* out_size, snError* error) {
    if (data == NULL) return sni_file_read(path, limit, allocator, out, out_size, error);
    *out = sni_copy_array(allocator, data, size, 1);
    *out_size = size;
    return *out != NULL ? SN_RESULT_OK : sni_fail_memory(error);
}

bool sni_file_exists(const char* path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

static bool stat_folder(const char* path, struct stat* info) {
    char folder[4096];
    size_t length = sni_path_folder(path);
    if (length == 0) return stat(".", info) == 0;
    if (length >= sizeof folder) return false;
    memcpy(folder, path, length);
    folder[length] = '\0';
    return stat(folder, info) == 0;
}

bool sni_file_same(const char* a, const char* b) {
    struct stat x, y;
    if (stat(a, &x) != 0 || stat(b, &y) != 0) return false;
    return x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

bool sni_file_same_folder(const char* a, const char* b) {
    struct stat x, y;
    if (!stat_folder(a, &x) || !stat_folder(b, &y)) return false;
    return x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

size_t sni_path_folder(const char* path) {
    const char* slash = strrchr(path, '/');
    return slash != NULL ? (size_t)(slash - path) + 1 : 0;
}

const char* sni_path_extension(const char* path) {
    const char* name = path + sni_path_folder(path);
    const char* point = strrchr(name, '.');
    return point != NULL ? point : name + strlen(name);
}

bool sni_extension_is(const char* extension, const char* lower) {
    for (; *lower != '\0'; extension++, lower++) {
        char c = *extension >= 'A' && *extension <= 'Z' ? (char)(*extension - 'A' + 'a') : *extension;
        if (c != *lower) return false;
    }
    return *extension == '\0';
}
