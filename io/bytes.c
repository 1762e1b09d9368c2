#include "bytes.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/error.h"

sniBytes sni_bytes(const snAllocator* allocator) {
    sniBytes bytes = {NULL, 0, 0, false, *allocator};
    return bytes;
}

void sni_bytes_free(sniBytes* bytes) {
    sni_free(&bytes->allocator, bytes->data);
    bytes->data = NULL;
    bytes->size = bytes->capacity = 0;
}

uint8_t* sni_bytes_extend(sniBytes* bytes, size_t size) {
    if (bytes->failed || size > SIZE_MAX - bytes->size) {
        bytes->failed = true;
        return NULL;
    }
    void* data = bytes->data;
    if (!sni_grow(&bytes->allocator, &data, &bytes->capacity, bytes->size + size, 1)) {
        bytes->failed = true;
        return NULL;
    }
    bytes->data = data;
    uint8_t* where = bytes->data + bytes->size;
    bytes->size += size;
    return where;
}

void sni_bytes_add(sniBytes* bytes, const void* data, size_t size) {
    uint8_t* where = size > 0 ? sni_bytes_extend(bytes, size) : NULL;
    if (where != NULL) memcpy(where, data, size);
}

void sni_bytes_text(sniBytes* bytes, const char* text) { sni_bytes_add(bytes, text, strlen(text)); }

void sni_bytes_align(sniBytes* bytes, uint8_t filler) {
    while (bytes->size % 4 != 0 && !bytes->failed) sni_bytes_add(bytes, &filler, 1);
}

void sni_bytes_format(sniBytes* bytes, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    // One more for the end that vsnprintf() writes.
    uint8_t* text = length > 0 ? sni_bytes_extend(bytes, (size_t)length + 1) : NULL;
    if (text == NULL) return;
    va_start(arguments, format);
    vsnprintf((char*)text, (size_t)length + 1, format, arguments);
    va_end(arguments);
    bytes->size--;
}

snResult sni_bytes_hand(sniBytes* bytes, snResult result, snBytes* out, snError* error) {
    if (result == SN_RESULT_OK && bytes->failed) result = sni_fail_memory(error);
    if (result == SN_RESULT_OK)
        *out = (snBytes){bytes->data, bytes->size, bytes->allocator};
    else
        sni_bytes_free(bytes);
    return result;
}

snResult sni_bytes_save(sniBytes* bytes, snResult result, const char* path, snError* error) {
    if (result == SN_RESULT_OK && bytes->failed) result = sni_fail_memory(error);
    if (result == SN_RESULT_OK) result = sn_file_write(path, bytes->data, bytes->size, error);
    sni_bytes_free(bytes);
    return result;
}

void sn_bytes_free(snBytes* bytes) {
    if (bytes == NULL || bytes->data == NULL) return;
    sni_free(&bytes->allocator, bytes->data);
    *bytes = (snBytes){0};
}
