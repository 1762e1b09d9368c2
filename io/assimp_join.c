// assimp gives every corner of every face a vertex of its own; here they come together again.
#include "assimp_scene.h"

uint32_t sni_join_rows(sniArena* arena, const void* rows, uint32_t count, size_t size, uint32_t* out) {
    size_t slots = 16;
    while (slots < (size_t)count * 2) slots *= 2;
    uint32_t* table =
        SNI_ARENA_ARRAY(arena, uint32_t, slots); // first row with that content plus one; 0: free
    if (table == NULL) return SN_NONE;
    const uint8_t* bytes = rows;
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t* row = bytes + i * size;
        uint64_t hash = sn_hash_bytes(SN_HASH_SEED, row, size);
        size_t slot = (size_t)(hash ^ (hash >> 32)) & (slots - 1);
        while (table[slot] != 0 && memcmp(bytes + (table[slot] - 1) * size, row, size) != 0) {
            slot = (slot + 1) & (slots - 1);
        }
        if (table[slot] == 0) {
            table[slot] = i + 1;
            out[i] = found++;
        } else {
            out[i] = out[table[slot] - 1];
        }
    }
    return found;
}
