#include "base/error.h"

#include <inttypes.h>

const char* sn_result_name(snResult result) {
    switch (result) {
    case SN_RESULT_OK:
        return "ok";
    case SN_RESULT_INVALID_ARGUMENT:
        return "invalid argument";
    case SN_RESULT_BAD_DATA:
        return "bad data";
    case SN_RESULT_OUT_OF_MEMORY:
        return "out of memory";
    case SN_RESULT_LIMIT:
        return "memory limit";
    case SN_RESULT_IO:
        return "input or output failed";
    case SN_RESULT_UNSUPPORTED:
        return "unsupported";
    case SN_RESULT_NOT_FOUND:
        return "not found";
    case SN_RESULT_CANCELLED:
        return "cancelled";
    case SN_RESULT_TIME:
        return "time limit";
    }
    return "unknown result";
}

snError sn_error_none(void) {
    snError error = {.code = SN_RESULT_OK, .offset = UINT64_MAX, .vertex = SN_NONE, .joint = SN_NONE};
    return error;
}

size_t sn_error_format(const snError* error, char* out, size_t capacity) {
    if (capacity == 0) return 0;
    const char* text = error->text[0] != '\0' ? error->text : sn_result_name(error->code);
    int length = 0;
    if (error->file[0] == '\0') {
        length = snprintf(out, capacity, "%s", text);
    } else if (error->line > 0) {
        length = snprintf(out, capacity, "%s:%" PRIu64 ": %s", error->file, error->line, text);
    } else if (error->offset != UINT64_MAX) {
        length = snprintf(out, capacity, "%s:@%" PRIu64 ": %s", error->file, error->offset, text);
    } else {
        length = snprintf(out, capacity, "%s: %s", error->file, text);
    }
    if (length < 0) {
        out[0] = '\0';
        return 0;
    }
    return (size_t)length < capacity ? (size_t)length : capacity - 1;
}
