// A JSON file that says more about an edit, and errors with the line they are about.
#ifndef SNI_DOCUMENT_JSON_FILE_H
#define SNI_DOCUMENT_JSON_FILE_H

#include "document.h"
#include "io/json.h"

typedef struct sniJsonFile {
    const char* name;
    const uint8_t* text;
    size_t size;
    sniJsonValue* json;
    uint8_t* own; // the text, where it was read here
    snAllocator allocator;
} sniJsonFile;

// Reads (`data` NULL) and parses; free with sni_json_file_close, also after a failure.
snResult sni_json_file_open(const snDocument* document, const char* name, const void* data, size_t size,
                            sniJsonFile* out, snError* error);
void sni_json_file_close(sniJsonFile* file);
// Names the file and the line of the value at a JSON pointer in an error that is already filled.
snResult sni_json_file_place(const sniJsonFile* file, const char* pointer, snResult result, snError* error);

// {"joints": {"TARGET": "SOURCE", "OTHER": null}}, which `what` names where it is missing, as a list; free
// with sn_joint_overrides_free. `check` says whether both names are there, while the line is known.
typedef snResult sniPairFn(void* user, const char* target, const char* source, snError* error);
snResult sni_joint_pairs_read(const snDocument* document, const char* name, const void* data, size_t size,
                              const char* what, sniPairFn* check, void* user, snJointOverrides* out,
                              snError* error);

// "; did you mean WORD?", or nothing.
typedef struct sniHint {
    char text[96];
} sniHint;
sniHint sni_hint(const char* text, const char* const* words, uint32_t count);

#endif
