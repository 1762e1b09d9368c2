// Results as JSON on stdout.
#ifndef SINEW_REPORT_H
#define SINEW_REPORT_H

#include "context.h"
#include "io/json.h"

// Prints the object with a line break and frees it. NULL means that building it ran out of memory.
cliExit report_print(const cliContext* context, sniJsonValue* object);

sniJsonValue* report_bounds(snBounds bounds); // {"min": [x, y, z], "max": [...]}; null when empty
// A 64-bit hash as 16 hex digits: JSON numbers cannot carry it.
sniJsonValue* report_hash(uint64_t hash);

#endif
