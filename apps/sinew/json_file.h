// A JSON file that the command line names, and errors with the line they are about.
#ifndef SINEW_JSON_FILE_H
#define SINEW_JSON_FILE_H

#include "context.h"
#include "io/json.h"

typedef struct cliJsonFile {
    cliContext* context;
    const char* path;
    uint8_t* text;
    size_t size;
    sniJsonValue* json;
} cliJsonFile;

// Reads and parses; free with json_file_close, also after a failure.
snResult json_file_open(cliContext* context, const char* path, cliJsonFile* out, snError* error);
void json_file_close(cliJsonFile* file);
// Names the file and the line of the value at a JSON pointer in an error that is already filled.
snResult json_file_place(const cliJsonFile* file, const char* pointer, snResult result, snError* error);

#endif
