#include "store.h"

#include "sinew/math.h"

void sni_put_u32(sniBytes* bytes, uint32_t value) { sni_bytes_add(bytes, &value, sizeof value); }

void sni_put_u64(sniBytes* bytes, uint64_t value) { sni_bytes_add(bytes, &value, sizeof value); }

void sni_put_float(sniBytes* bytes, float value) { sni_bytes_add(bytes, &value, sizeof value); }

void sni_put_array(sniBytes* bytes, const void* items, size_t count, size_t size) {
    sni_bytes_add(bytes, items, count * size);
    sni_bytes_align(bytes, 0);
}

void sni_put_optional(sniBytes* bytes, const void* items, size_t count, size_t size) {
    sni_put_u32(bytes, items != NULL);
    if (items != NULL) sni_put_array(bytes, items, count, size);
}

void sni_put_text(sniBytes* bytes, const char* text) {
    size_t length = text != NULL ? strlen(text) + 1 : 0;
    sni_put_u32(bytes, (uint32_t)length);
    sni_put_array(bytes, text, length, 1);
}

const void* sni_take_array(sniReader* reader, size_t count, size_t size) {
    size_t bytes = 0;
    if (reader->failed || !sni_mul_size(count, size, &bytes) || bytes > reader->size - reader->at) {
        reader->failed = true;
        return NULL;
    }
    const uint8_t* items = reader->data + reader->at;
    size_t padded = (bytes + 3) & ~(size_t)3;
    reader->at = padded <= reader->size - reader->at ? reader->at + padded : reader->size;
    return items;
}

uint32_t sni_take_u32(sniReader* reader) {
    uint32_t value = 0;
    const void* at = sni_take_array(reader, 1, sizeof value);
    if (at != NULL) memcpy(&value, at, sizeof value);
    return value;
}

uint32_t sni_take_below(sniReader* reader, uint32_t below) {
    uint32_t value = sni_take_u32(reader);
    if (value < below) return value;
    reader->failed = true;
    return 0;
}

uint64_t sni_take_u64(sniReader* reader) {
    uint64_t value = 0;
    const void* at = sni_take_array(reader, 1, sizeof value);
    if (at != NULL) memcpy(&value, at, sizeof value);
    return value;
}

float sni_take_float(sniReader* reader) {
    const float* at = sni_take_floats(reader, 1);
    return at != NULL ? *at : 0.0f;
}

const char* sni_take_text(sniReader* reader) {
    uint32_t length = sni_take_u32(reader);
    if (length == 0) return NULL;
    const char* text = sni_take_array(reader, length, 1);
    if (text != NULL && memchr(text, '\0', length) == text + length - 1) return text;
    reader->failed = true;
    return NULL;
}

const void* sni_take_optional(sniReader* reader, size_t count, size_t size) {
    return sni_take_below(reader, 2) == 1 ? sni_take_array(reader, count, size) : NULL;
}

const void* sni_take_floats(sniReader* reader, size_t count) {
    const float* values = sni_take_array(reader, count, sizeof *values);
    for (size_t i = 0; values != NULL && i < count; i++) {
        if (sn_finite(values[i])) continue;
        reader->failed = true;
        return NULL;
    }
    return values;
}

bool sni_reader_done(const sniReader* reader) { return !reader->failed && reader->at == reader->size; }
