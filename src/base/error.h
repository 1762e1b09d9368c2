// Filling snError. Inline for the same reason as memory.h.
#ifndef SNI_BASE_ERROR_H
#define SNI_BASE_ERROR_H

#include <stdarg.h>
#include <stdio.h>

#include "sinew/base.h"

#if defined(__GNUC__)
#define SNI_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define SNI_PRINTF(text, first)
#endif

// Fills `error` (may be NULL) with a code and a sentence and returns the code, so callers can write
// `return sni_fail(error, ...)`. A place (file, line, vertex) is set by the caller afterwards or before.
static inline SNI_PRINTF(3, 4) snResult sni_fail(snError* error, snResult code, const char* format, ...) {
    if (error != NULL) {
        *error = sn_error_none();
        error->code = code;
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(error->text, sizeof error->text, format, arguments);
        va_end(arguments);
    }
    return code;
}

// Returns the constant itself, so that readers and analysers see that it is never SN_RESULT_OK.
static inline snResult sni_fail_memory(snError* error) {
    sni_fail(error, SN_RESULT_OUT_OF_MEMORY, "out of memory");
    return SN_RESULT_OUT_OF_MEMORY;
}

// Says which vertex or joint an error is about.
static inline snResult sni_fail_vertex(snError* error, snResult code, uint32_t vertex) {
    if (error != NULL) error->vertex = vertex;
    return code;
}
static inline snResult sni_fail_joint(snError* error, snResult code, uint32_t joint) {
    if (error != NULL) error->joint = joint;
    return code;
}

#endif
