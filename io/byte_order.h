// Numbers in files of either byte order, whatever this machine's is.
#ifndef SNI_IO_BYTE_ORDER_H
#define SNI_IO_BYTE_ORDER_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

// `size` bytes (1 to 8) as a whole number.
static inline uint64_t sni_load_whole(const uint8_t* from, int size, bool big) {
    uint64_t value = 0;
    for (int i = 0; i < size; i++) value |= (uint64_t)from[i] << (8 * (big ? size - 1 - i : i));
    return value;
}
static inline uint32_t sni_load_u32(const uint8_t* from, bool big) {
    return (uint32_t)sni_load_whole(from, 4, big);
}
static inline float sni_load_f32(const uint8_t* from, bool big) {
    uint32_t bits = sni_load_u32(from, big);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline void sni_store_u32(uint8_t* to, uint32_t value, bool big) {
    for (int i = 0; i < 4; i++) to[i] = (uint8_t)(value >> (8 * (big ? 3 - i : i)));
}
static inline void sni_store_f32(uint8_t* to, float value, bool big) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    sni_store_u32(to, bits, big);
}

#endif
