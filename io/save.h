// Whole files, written so that a failure or a crash at any moment leaves the old ones or the new ones.
#ifndef SNI_IO_SAVE_H
#define SNI_IO_SAVE_H

#include "sinew/base.h"

// Files of one save, at most.
#define SNI_SAVE_MAX_FILES 2u

typedef struct sniSave {
    const char* path;
    const void* data;
    size_t size;
} sniSave;

// Writes all of them under temporary names and makes the disk have them, before the first gets its own name.
// They get them in order: what another needs comes first, under a name that nothing old relies on. On failure
// the last one is what it was.
snResult sni_save_files(const sniSave* files, uint32_t count, snError* error);

// One file, as whole as the others for whoever reads it, but not forced onto the disk: for many small files
// that can be made again after a power cut.
snResult sni_save_quickly(const char* path, const void* data, size_t size, snError* error);

#endif
