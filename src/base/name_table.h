// Texts by hash, with a number each. Open addressing in a table of a size that is known from the start.
#ifndef SNI_BASE_NAME_TABLE_H
#define SNI_BASE_NAME_TABLE_H

#include "base/memory.h"

typedef struct sniName {
    const char* text; // borrowed, not ended by a zero where `length` ends it; NULL: a free slot
    size_t length;
    uint32_t number;
} sniName;

typedef struct sniNameTable {
    sniName* slots;
    size_t mask;
} sniNameTable;

// Room for `count` names; false when out of memory.
static inline bool sni_name_table_create(size_t count, const snAllocator* memory, sniNameTable* out) {
    size_t slots = 16;
    while (slots < 2 * count) slots *= 2;
    *out = (sniNameTable){SNI_NEW_ARRAY(memory, sniName, slots), slots - 1};
    return out->slots != NULL;
}

static inline void sni_name_table_free(sniNameTable* table, const snAllocator* memory) {
    sni_free(memory, table->slots);
}

// The slot of a text, or the free one where it belongs.
static inline sniName* sni_name_table_at(const sniNameTable* table, const char* text, size_t length) {
    uint64_t hash = sn_hash_bytes(SN_HASH_SEED, text, length);
    for (size_t slot = (size_t)(hash ^ hash >> 32);; slot++) {
        sniName* name = &table->slots[slot & table->mask];
        if (name->text == NULL || (name->length == length && memcmp(name->text, text, length) == 0))
            return name;
    }
}

#endif
