// The memory limit of one reader.
//
// What a reader returns is allocated through the limit's allocator and outlives the reader, so the limit must
// outlive it too. It therefore counts its blocks: after sni_limit_close, freeing the last block frees the
// limit itself. The alternative, copying the finished model out of the limit, would double the peak.
#ifndef SNI_IO_LIMIT_H
#define SNI_IO_LIMIT_H

#include "base/error.h"
#include "base/memory.h"

typedef struct sniLimit sniLimit;

// NULL when out of memory. `parent` NULL: the default allocator.
sniLimit* sni_limit_create(const snAllocator* parent, size_t bytes);
// The reader is done: from now on nothing is refused, and the limit goes away with its last block.
void sni_limit_close(sniLimit* limit);
snAllocator sni_limit_allocator(sniLimit* limit);
// Accounts for memory that a library takes from elsewhere. False when it would pass the limit.
bool sni_limit_reserve(sniLimit* limit, size_t bytes);
void sni_limit_release(sniLimit* limit, size_t bytes);
// Turns an out-of-memory result that the limit caused into SN_RESULT_LIMIT with the numbers. Other results
// pass unchanged.
snResult sni_limit_explain(const sniLimit* limit, snResult result, const char* file, snError* error);

#endif
