// Whole folders of a few files, as one thing.
#ifndef SNI_IO_FOLDER_H
#define SNI_IO_FOLDER_H

#include "sinew/base.h"

// Files of one folder, at most.
#define SNI_FOLDER_MAX_FILES 8u

typedef struct sniFolderFile {
    const char* name;
    const void* data; // NULL: not there
    size_t size;
} sniFolderFile;

bool sni_is_folder(const char* path);
// Writes a folder under a temporary name and renames it, so nobody ever sees half of it. A folder that is
// there already is replaced when it holds nothing but files of these names, also of those without data;
// otherwise it stays as it is, and `error` names what would have been lost.
snResult sni_folder_write(const char* path, const sniFolderFile* files, uint32_t count, snError* error);

#endif
