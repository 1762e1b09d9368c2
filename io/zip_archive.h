// Zip archives in memory, the one answer to them: zip32 alone, entries stored or deflated. A file is not
// trusted: where an entry lies, how long it is and what it is called is checked before anything is unpacked.
#ifndef SNI_IO_ZIP_ARCHIVE_H
#define SNI_IO_ZIP_ARCHIVE_H

#include "bytes.h"

typedef struct sniZip sniZip;

// Opens an archive in memory, which must stay while it is open. Refused are archives with more than
// `max_entries` (SN_RESULT_LIMIT), zip64 and encrypted ones (SN_RESULT_UNSUPPORTED), and those with two
// entries of one name, entries that share bytes, or names that could lead out of a folder.
snResult sni_zip_open(const void* data, size_t size, uint32_t max_entries, const snAllocator* memory,
                      sniZip** out, snError* error);
void sni_zip_close(sniZip* zip); // NULL: nothing
uint32_t sni_zip_count(const sniZip* zip);
// In the archive's own order; folders end with a slash.
const char* sni_zip_name(const sniZip* zip, uint32_t index);
// Bytes that the entry claims to have when it is unpacked.
size_t sni_zip_size(const sniZip* zip, uint32_t index);
// Unpacks one entry, adding a zero that is not counted. What claims to be longer than `limit` is
// SN_RESULT_LIMIT before it is unpacked, what its packed bytes cannot give SN_RESULT_BAD_DATA; no such name
// is SN_RESULT_NOT_FOUND.
snResult sni_zip_read(const sniZip* zip, const char* name, size_t limit, const snAllocator* memory,
                      uint8_t** out, size_t* out_size, snError* error);

typedef struct sniZipEntry {
    const char* name; // as sni_zip_is_name has it
    const void* data;
    size_t size;
    bool deflate; // where that is shorter. Its bytes depend on zlib's version; stored ones are the same
                  // anywhere
} sniZipEntry;
// Appends an archive to `out`, with a fixed time, so that the same entries give the same bytes. Names that
// could not be read again, and two of one name, are SN_RESULT_INVALID_ARGUMENT; more than zip32 holds is
// SN_RESULT_LIMIT.
snResult sni_zip_write(const sniZipEntry* entries, uint32_t count, sniBytes* out, snError* error);

// Whether a name stays inside the folder it is unpacked to, on any system: parts between single slashes, none
// of them "..", no backslash, no control character, no drive.
bool sni_zip_is_name(const char* name, size_t length);

#endif
