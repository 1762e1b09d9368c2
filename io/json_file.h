// A JSON file that people write, and errors with the line they are about.
#ifndef SNI_IO_JSON_FILE_H
#define SNI_IO_JSON_FILE_H

#include "json.h"

typedef struct sniJsonFile {
    const char* name;
    const uint8_t* text;
    size_t size;
    sniJsonValue* json;
    uint8_t* own; // the text, where it was read here
    snAllocator allocator;
} sniJsonFile;

// Reads (`data` NULL) at most `limit` bytes and parses; free with sni_json_file_close, also after a failure.
snResult sni_json_file_open(const char* name, const void* data, size_t size, size_t limit,
                            const snAllocator* allocator, sniJsonFile* out, snError* error);
void sni_json_file_close(sniJsonFile* file);
// Names the file and the line of the value at a JSON pointer in an error that is already filled.
snResult sni_json_file_place(const sniJsonFile* file, const char* pointer, snResult result, snError* error);

// "; did you mean WORD?", or nothing.
typedef struct sniHint {
    char text[96];
} sniHint;
sniHint sni_hint(const char* text, const char* const* words, uint32_t count);

#endif
