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
