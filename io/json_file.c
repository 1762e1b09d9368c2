#include "json_file.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/likeness.h"
#include "file.h"

static void set_line(const sniJsonFile* file, size_t offset, snError* error) {
    if (error == NULL) return;
    error->line = 1;
    for (size_t i = 0; i < offset && i < file->size; i++) error->line += file->text[i] == '\n';
    snprintf(error->file, sizeof error->file, "%s", file->name);
}

snResult sni_json_file_open(const char* name, const void* data, size_t size, size_t limit,
                            const snAllocator* allocator, sniJsonFile* out, snError* error) {
    *out = (sniJsonFile){.name = name, .text = data, .size = size, .allocator = sni_allocator(allocator)};
    size_t offset = 0;
    if (data == NULL) {
        SNI_TRY(sni_file_read(name, limit, &out->allocator, &out->own, &out->size, error));
        out->text = out->own;
    }
    // Some editors of Windows begin with a mark.
    if (out->size >= 3 && memcmp(out->text, "\xef\xbb\xbf", 3) == 0) {
        out->text += 3;
        out->size -= 3;
    }
    snResult result = sni_json_parse((const char*)out->text, out->size, &out->json, &offset, error);
    if (result != SN_RESULT_OK && result != SN_RESULT_OUT_OF_MEMORY) set_line(out, offset, error);
    return result;
}

void sni_json_file_close(sniJsonFile* file) {
    sni_json_free(file->json);
    if (file->own != NULL) sni_free(&file->allocator, file->own);
    *file = (sniJsonFile){0};
}

snResult sni_json_file_place(const sniJsonFile* file, const char* pointer, snResult result, snError* error) {
    if (result == SN_RESULT_OK || result == SN_RESULT_OUT_OF_MEMORY) return result;
    set_line(file, sni_json_locate((const char*)file->text, file->size, pointer), error);
    return result;
}

sniHint sni_hint(const char* text, const char* const* words, uint32_t count) {
    sniHint hint = {""};
    uint32_t least = (uint32_t)strlen(text) / 3 + 2; // further away is no likeness
    for (uint32_t i = 0; i < count; i++) {
        uint32_t distance = sni_edit_distance(text, words[i]);
        if (distance >= least) continue;
        least = distance;
        snprintf(hint.text, sizeof hint.text, "; did you mean %.60s?", words[i]);
    }
    return hint;
}
