#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "zip_archive.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

#define MAX_ENTRIES 50u
#define MAX_ENTRY ((size_t)1 << 20)

// What was read, packed again, says the same.
static void check_round_trip(const sniZipEntry* entries, uint32_t count) {
    snAllocator memory = sn_allocator_default();
    sniBytes packed = sni_bytes(&memory);
    sniZip* zip = NULL;
    if (sni_zip_write(entries, count, &packed, NULL) != SN_RESULT_OK) abort();
    if (sni_zip_open(packed.data, packed.size, MAX_ENTRIES, &memory, &zip, NULL) != SN_RESULT_OK) abort();
    if (sni_zip_count(zip) != count) abort();
    for (uint32_t i = 0; i < count; i++) {
        uint8_t* data = NULL;
        size_t size = 0;
        if (sni_zip_read(zip, entries[i].name, MAX_ENTRY, &memory, &data, &size, NULL) != SN_RESULT_OK)
            abort();
        if (size != entries[i].size || memcmp(data, entries[i].data, size) != 0) abort();
        sni_free(&memory, data);
    }
    sni_zip_close(zip);
    sni_bytes_free(&packed);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    snAllocator memory = sn_allocator_default();
    snError error = sn_error_none();
    sniZip* zip = NULL;
    snResult result = sni_zip_open(data, size, MAX_ENTRIES, &memory, &zip, &error);
    if (result != SN_RESULT_OK) {
        if (error.code != result || error.text[0] == '\0' || zip != NULL) abort();
        return 0;
    }
    sniZipEntry entries[MAX_ENTRIES];
    uint32_t count = 0;
    for (uint32_t i = 0; i < sni_zip_count(zip); i++) {
        uint8_t* entry = NULL;
        size_t entry_size = 0;
        const char* name = sni_zip_name(zip, i);
        if (sni_zip_read(zip, name, MAX_ENTRY, &memory, &entry, &entry_size, &error) != SN_RESULT_OK)
            continue;
        entries[count++] = (sniZipEntry){name, entry, entry_size, i % 2 == 1};
    }
    check_round_trip(entries, count);
    for (uint32_t i = 0; i < count; i++) sni_free(&memory, (void*)entries[i].data);
    sni_zip_close(zip);
    return 0;
}
