#include "base/memory.h"

// FNV-1a. Fast enough for golden hashes and mesh identities, and two lines long.
uint64_t sn_hash_bytes(uint64_t seed, const void* data, size_t size) {
    const unsigned char* bytes = data;
    for (size_t i = 0; i < size; i++) seed = (seed ^ bytes[i]) * UINT64_C(0x100000001b3);
    return seed;
}

uint64_t sn_hash_floats(uint64_t seed, const float* values, size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint32_t bits = 0x7fc00000u; // the one NaN
        if (values[i] == values[i]) memcpy(&bits, &values[i], sizeof bits);
        // Bytes in a fixed order, so that the hash does not depend on the machine's.
        unsigned char bytes[4] = {(unsigned char)bits, (unsigned char)(bits >> 8),
                                  (unsigned char)(bits >> 16), (unsigned char)(bits >> 24)};
        seed = sn_hash_bytes(seed, bytes, sizeof bytes);
    }
    return seed;
}
