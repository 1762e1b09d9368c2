// The one seam to libzip: nothing else in Sinew includes its header. Without libzip everything here is
// SN_RESULT_UNSUPPORTED, with a word about the package.
#ifndef SNI_IO_ZIP_ARCHIVE_H
#define SNI_IO_ZIP_ARCHIVE_H

#include "bytes.h"

typedef struct zip sniZip;

// What an archive may hold at most. More files, and larger ones, are no style.
#define SNI_ZIP_MAX_ENTRIES 64u

// Opens an archive in memory, which must stay while it is open. Archives with too many entries, with two of
// one name or with encrypted ones are refused. libzip allocates through malloc, in proportion to the entries.
snResult sni_zip_open(const void* data, size_t size, sniZip** out, snError* error);
void sni_zip_close(sniZip* zip);
uint32_t sni_zip_count(sniZip* zip);
const char* sni_zip_name(sniZip* zip, uint32_t index); // "" where it has none
// Unpacks one entry, adding a zero that is not counted. What claims to be, or is, longer than `limit` is
// SN_RESULT_LIMIT before it is unpacked; no such name is SN_RESULT_NOT_FOUND.
snResult sni_zip_read(sniZip* zip, const char* name, size_t limit, const snAllocator* memory, uint8_t** out,
                      size_t* out_size, snError* error);

typedef struct sniZipEntry {
    const char* name;
    const void* data;
    size_t size;
} sniZipEntry;
// Appends an archive to `out`: not compressed, because pictures are already, and with a fixed time, so that
// the same entries give the same bytes.
snResult sni_zip_write(const sniZipEntry* entries, uint32_t count, sniBytes* out, snError* error);

#endif
