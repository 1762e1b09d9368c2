// What a file says of itself, beside what its reader makes of it.
#ifndef SINEW_FUZZ_SUMMARY_H
#define SINEW_FUZZ_SUMMARY_H

#include <stdlib.h>

#include "sinew/io.h"

// What is refused says why; NULL then. Destroy it with sn_file_summary_destroy.
static inline snFileSummary* fuzz_summary(const uint8_t* data, size_t size) {
    snReadDef def = sn_read_def();
    def.memory_limit = (size_t)64 << 20;
    snFileSummary* summary = NULL;
    snError error = sn_error_none();
    snResult result = sn_file_summarize_memory("fuzz.json", data, size, &def, &summary, &error);
    if (result != SN_RESULT_OK && (error.code != result || error.text[0] == '\0' || summary != NULL)) abort();
    return summary;
}

#endif
