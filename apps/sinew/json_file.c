#include "json_file.h"

#include <stdio.h>

#include "base/memory.h"
#include "io/file.h"

static void set_line(const cliJsonFile* file, size_t offset, snError* error) {
    error->line = 1;
    for (size_t i = 0; i < offset && i < file->size; i++) error->line += file->text[i] == '\n';
    snprintf(error->file, sizeof error->file, "%s", file->path);
}

snResult json_file_open(cliContext* context, const char* path, cliJsonFile* out, snError* error) {
    *out = (cliJsonFile){.context = context, .path = path};
    size_t offset = 0;
    snResult result =
        sni_file_read(path, context->budget.limit, &context->memory, &out->text, &out->size, error);
    if (result != SN_RESULT_OK) return result;
    result = sni_json_parse((const char*)out->text, out->size, &out->json, &offset, error);
    if (result != SN_RESULT_OK && result != SN_RESULT_OUT_OF_MEMORY) set_line(out, offset, error);
    return result;
}

void json_file_close(cliJsonFile* file) {
    if (file->context == NULL) return;
    sni_json_free(file->json);
    sni_free(&file->context->memory, file->text);
    *file = (cliJsonFile){0};
}

snResult json_file_place(const cliJsonFile* file, const char* pointer, snResult result, snError* error) {
    if (result == SN_RESULT_OK || result == SN_RESULT_OUT_OF_MEMORY) return result;
    set_line(file, sni_json_locate((const char*)file->text, file->size, pointer), error);
    return result;
}
