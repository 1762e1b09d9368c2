#include "project_seed.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

// A checksum would keep fuzzed bytes away from what reads them, so they become one entry of a sound project:
// the first byte says which. Beyond the last, they are the archive itself.
static snResult make_archive(const uint8_t* data, size_t size, sniBytes* out) {
    static snBytes sound; // made once
    if (sound.data == NULL && !make_project_seed(&sound)) abort();
    snAllocator memory = sn_allocator_default();
    sniZip* zip = NULL;
    sniZipEntry entries[32] = {{0}};
    if (sni_zip_open(sound.data, sound.size, 32, &memory, &zip, NULL) != SN_RESULT_OK) abort();
    uint32_t count = sni_zip_count(zip);
    for (uint32_t i = 0; i < count; i++) {
        uint8_t* bytes = NULL;
        entries[i].name = sni_zip_name(zip, i);
        if (sni_zip_read(zip, entries[i].name, (size_t)1 << 24, &memory, &bytes, &entries[i].size, NULL) !=
            SN_RESULT_OK)
            abort();
        entries[i].data = bytes;
    }
    const void* kept = NULL;
    if (data[0] < count) {
        kept = entries[data[0]].data;
        entries[data[0]].data = data + 1;
        entries[data[0]].size = size - 1;
    }
    snResult result = sni_zip_write(entries, count, out, NULL);
    for (uint32_t i = 0; i < count; i++)
        sni_free(&memory, (void*)(kept != NULL && i == data[0] ? kept : entries[i].data));
    sni_zip_close(zip);
    return result;
}

// What is refused says why and leaves the document empty; what is opened plays, can be saved again, and opens
// then as the same.
static void check(const void* data, size_t size) {
    snDocumentDef def = sn_document_def();
    def.memory_limit = (size_t)256 << 20;
    snDocument* document = NULL;
    snError error = sn_error_none();
    if (sn_document_create(&def, NULL, &document, NULL) != SN_RESULT_OK) abort();
    snResult result = sn_document_open_memory(document, "fuzz.snproject", data, size, NULL, &error);
    if (result != SN_RESULT_OK) {
        if (error.code != result || error.text[0] == '\0' || sn_document_model(document) != NULL) abort();
    } else {
        snBytes bytes = {0};
        uint64_t hash = sn_document_hash(document);
        sn_document_play(document, 0, 0.1f, SN_WRAP_LOOP, NULL);
        if (sn_document_save_memory(document, &bytes, &error) != SN_RESULT_OK) abort();
        if (sn_document_open_memory(document, "again.snproject", bytes.data, bytes.size, NULL, &error) !=
                SN_RESULT_OK ||
            sn_document_hash(document) != hash)
            abort();
        sn_bytes_free(&bytes);
    }
    sn_document_destroy(document);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    if (size == 0) return 0;
    snAllocator memory = sn_allocator_default();
    sniBytes archive = sni_bytes(&memory);
    if (data[0] == 0xff)
        check(data + 1, size - 1);
    else if (make_archive(data, size, &archive) == SN_RESULT_OK)
        check(archive.data, archive.size);
    sni_bytes_free(&archive);
    return 0;
}
