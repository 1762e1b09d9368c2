// Files that readers open beside the one they were given: on the disk, or among those the caller brought
// along.
#ifndef SNI_IO_BESIDE_H
#define SNI_IO_BESIDE_H

#include "bytes.h"
#include "sinew/io.h"

#define SNI_PATH_MAX 4096

typedef struct sniBeside {
    const char* name;      // of the file they lie beside
    const snFiles* files;  // instead of the disk; or NULL
    snOpened opened;       // who is told
    const char* companion; // a file that the caller named, wherever it is; or NULL
} sniBeside;

// "folder of path/name". False when it is too long.
bool sni_path_beside(const char* path, const char* name, char out[SNI_PATH_MAX]);
// Resolves "." and ".." in place, as URIs do. False for a path that is absolute, has a scheme or leaves its
// folder.
bool sni_path_inside(char* path);

// `path` as sni_path_beside makes it, or as the caller named the file. Reading adds a zero byte that is not
// counted, refuses what is above `limit`, names `path` in errors, and tells whom it concerns.
bool sni_beside_exists(const sniBeside* beside, const char* path);
snResult sni_beside_read(const sniBeside* beside, const char* path, size_t limit, const snAllocator* memory,
                         uint8_t** out, size_t* out_size, snError* error);
// Names with that lower-case extension in the folder of `path`, sorted, one after another with a zero byte
// behind each. An unreadable folder is empty.
snResult sni_beside_list(const sniBeside* beside, const char* path, const char* extension, sniBytes* names,
                         uint32_t* count, snError* error);

#endif
