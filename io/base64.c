#include "base64.h"

void sni_base64_encode(const void* data, size_t size, sniBytes* out) {
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const uint8_t* bytes = data;
    for (size_t i = 0; i < size; i += 3) {
        size_t left = size - i;
        uint32_t bits = (uint32_t)bytes[i] << 16;
        if (left > 1) bits |= (uint32_t)bytes[i + 1] << 8;
        if (left > 2) bits |= bytes[i + 2];
        char four[4] = {letters[bits >> 18], letters[bits >> 12 & 63], '=', '='};
        if (left > 1) four[2] = letters[bits >> 6 & 63];
        if (left > 2) four[3] = letters[bits & 63];
        sni_bytes_add(out, four, sizeof four);
    }
}

static int value_of(char c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

size_t sni_base64_decode(const char* text, size_t length, uint8_t* out, size_t* out_bad) {
    *out_bad = SIZE_MAX;
    while (length > 0 && text[length - 1] == '=') length--;
    uint32_t bits = 0;
    size_t size = 0;
    for (size_t i = 0; i < length; i++) {
        int value = value_of(text[i]);
        if (value < 0) {
            *out_bad = i;
            return size;
        }
        bits = bits << 6 | (uint32_t)value;
        if (i % 4 == 1) out[size++] = (uint8_t)(bits >> 4);
        if (i % 4 == 2) out[size++] = (uint8_t)(bits >> 2);
        if (i % 4 == 3) out[size++] = (uint8_t)bits;
    }
    return size;
}
