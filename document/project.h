// Projects inside: what writing and reading their entries needs.
#ifndef SNI_DOCUMENT_PROJECT_H
#define SNI_DOCUMENT_PROJECT_H

#include "base/progress.h"
#include "document.h"
#include "io/zip_archive.h"
#include "json_file.h"

// More entries than any project has; a hostile archive may claim more.
#define SNI_MAX_ENTRIES 4096u
#define SNI_ENTRY_NAME 256

// ------------------------------------------------------------------------------------------------ writing

// Entries of the archive; names and data that were made for it are its own.
typedef struct sniArchive {
    const snDocument* document;
    uint32_t count;
    size_t room, own_room;
    sniZipEntry* entries;
    void** own; // to be freed
    uint32_t own_count;
    bool failed;
} sniArchive;

// Memory that the archive frees; NULL: it has failed.
void sni_archive_own(sniArchive* a, void* memory);
void sni_archive_add(sniArchive* a, const char* name, const void* data, size_t size, bool deflate);
// Where a file of a folder goes. Names that a zip cannot hold, or that are taken, become a number.
void sni_archive_path(const sniArchive* a, const char* folder, const char* name, const char* extension,
                      char out[SNI_ENTRY_NAME]);
// Files that lie beside another, as they do; returns the list that says where they are.
sniJsonValue* sni_archive_files(sniArchive* a, const char* folder, const char* beside, const snFile* files,
                                uint32_t count);
// Handles, poses and the path, each in its own format, and where they are.
snResult sni_archive_handled(sniArchive* a, sniJsonValue* root, snError* error);

// ------------------------------------------------------------------------------------------------- reading

typedef struct sniProject {
    snDocument* document;
    const char* name;
    sniZip* zip;
    size_t limit; // bytes that one entry may have
    sniSpan span; // of the source in hand
    sniState state;
    snError* error;
} sniProject;

// Says in which entry it was.
snResult sni_project_fail(sniProject* r, snResult result, const char* entry);
snResult sni_project_bad(sniProject* r, const char* what);
snResult sni_project_entry(sniProject* r, const char* entry, uint8_t** out, size_t* out_size);
// The other way of sni_archive_files. What was read when it fails is the caller's too.
snResult sni_project_files(sniProject* r, const sniJson* list, snFiles* out);
void sni_project_files_free(const sniProject* r, snFiles* files);
snResult sni_project_handled(sniProject* r, const sniJson* root);

#endif
