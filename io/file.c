#define _GNU_SOURCE

#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __linux__
#include <linux/openat2.h>
#include <sys/syscall.h>
#endif

#include "base/error.h"
#include "base/memory.h"
#include "bytes.h"
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

// What waits for a writer or a device is opened without waiting, and refused for what it is.
#define READING (O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)

// Reads what is open and closes it; below 0: errno says why there is nothing.
static snResult read_open(int file, const char* path, size_t limit, const snAllocator* allocator,
                          uint8_t** out, size_t* out_size, snError* error) {
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

snResult sni_file_read(const char* path, size_t limit, const snAllocator* allocator, uint8_t** out,
                       size_t* out_size, snError* error) {
    return read_open(open(path, READING), path, limit, allocator, out, out_size, error);
}

snResult sni_stream_read_all(int file, const char* name, size_t limit, const snAllocator* allocator,
                             uint8_t** out, size_t* out_size, snError* error) {
    enum { STEP = 1 << 16 };
    sniBytes bytes = sni_bytes(allocator);
    for (;;) {
        uint8_t* room = sni_bytes_extend(&bytes, STEP);
        size_t part = 0;
        snResult result = SN_RESULT_OK;
        if (room == NULL)
            result = sni_fail_memory(error);
        else if (!read_all(file, room, STEP, &part))
            result = fail_file(error, SN_RESULT_IO, name, "read");
        else if (bytes.size - STEP + part >= limit)
            result = sni_fail(error, SN_RESULT_LIMIT, "has more bytes than the limit of %zu", limit);
        if (result != SN_RESULT_OK) {
            sni_bytes_free(&bytes);
            if (error != NULL) snprintf(error->file, sizeof error->file, "%s", name);
            return result;
        }
        if (part == STEP) continue;
        *out_size = bytes.size - STEP + part;
        bytes.data[*out_size] = 0; // less than a step was read, so there is room
        *out = bytes.data;
        return SN_RESULT_OK;
    }
}

// --------------------------------------------------------------------------------------- inside a folder

// Step by step, through folders that are no links. For kernels that cannot resolve beneath a folder.
static int walk_beneath(int folder, const char* relative) {
    int at = dup(folder);
    while (at >= 0) {
        char step[256];
        size_t length = strcspn(relative, "/");
        bool last = relative[length] == '\0';
        if (length == 0 || length >= sizeof step || (length == 2 && memcmp(relative, "..", 2) == 0)) {
            close(at);
            errno = EXDEV;
            return -1;
        }
        memcpy(step, relative, length);
        step[length] = '\0';
        int next = openat(at, step, (last ? READING : O_RDONLY | O_CLOEXEC | O_DIRECTORY) | O_NOFOLLOW);
        int reason = errno;
        close(at);
        errno = reason;
        if (last || next < 0) return next;
        at = next;
        relative += length + 1;
    }
    return at;
}

int sni_open_beneath(int folder, const char* relative, bool walking) {
#if defined(__linux__) && defined(SYS_openat2)
    struct open_how how = {.flags = (uint64_t)READING, .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS};
    int file = walking ? -1 : (int)syscall(SYS_openat2, folder, relative, &how, sizeof how);
    if (!walking && (file >= 0 || (errno != ENOSYS && errno != EPERM))) return file;
#else
    (void)walking;
#endif
    return walk_beneath(folder, relative);
}

snResult sni_file_read_beneath(const char* path, size_t folder, size_t limit, const snAllocator* allocator,
                               uint8_t** out, size_t* out_size, snError* error) {
    char name[4096];
    if (folder >= sizeof name) {
        errno = ENAMETOOLONG;
        return fail_file(error, SN_RESULT_IO, path, "open for reading");
    }
    memcpy(name, path, folder);
    name[folder] = '\0';
    int root = open(folder > 0 ? name : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int file = root >= 0 ? sni_open_beneath(root, path + folder, false) : -1;
    int reason = errno;
    if (root >= 0) close(root);
    errno = reason;
    if (file < 0 && (reason == EXDEV || reason == ELOOP)) {
        sni_fail(error, SN_RESULT_IO, "leads out of its folder by a link");
        if (error != NULL) snprintf(error->file, sizeof error->file, "%s", path);
        return SN_RESULT_IO;
    }
    return read_open(file, path, limit, allocator, out, out_size, error);
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
