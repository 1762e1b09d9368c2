// The history: entries that hold what differs, in bytes, and the parked items that they are made from.
#ifndef SNI_DOCUMENT_HISTORY_H
#define SNI_DOCUMENT_HISTORY_H

#include "delta.h"
#include "document.h"

struct sniEntry {
    sniEntry* next;
    char name[96];
    uint32_t bits; // items that differ
    // From what the document has to what it had, or, once taken back, the other way round.
    sniDelta deltas[SNI_ITEM_COUNT];
    size_t size;
};

// Adds the bytes of an item as the state has it.
void sni_item_put(const sniState* state, uint32_t item, sniBytes* out);

// Brings back what was parked. Cannot fail.
void sni_parked_restore(snDocument* document, sniParked* parked);
void sni_parked_free(sniParked* parked, const snAllocator* memory);

// Takes over the entries of another history; there are none yet.
void sni_history_take(snDocument* document, snDocument* from);
// Makes an entry of what was parked; none where nothing changed.
snResult sni_history_add(snDocument* document, const char* name, const sniParked* parked, snError* error);

#endif
