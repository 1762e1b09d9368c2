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

// Fills `error` (may be NULL) with a code, what it is about and a sentence.
static inline SNI_PRINTF(5, 0) void sni_fill_error(snError* error, snResult code, uint32_t vertex,
                                                   uint32_t joint, const char* format, va_list arguments) {
    if (error == NULL) return;
    *error = sn_error_none();
    error->code = code;
    error->vertex = vertex;
    error->joint = joint;
    vsnprintf(error->text, sizeof error->text, format, arguments);
}

// The one way to say what is wrong: returns the code, so that callers write `return sni_fail(error, ...)`.
// The file and the line are set by whoever knows them.
static inline SNI_PRINTF(3, 4) snResult sni_fail(snError* error, snResult code, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    sni_fill_error(error, code, SN_NONE, SN_NONE, format, arguments);
    va_end(arguments);
    return code;
}

// The same about a vertex, or a joint.
static inline SNI_PRINTF(4, 5) snResult
    sni_fail_vertex(snError* error, snResult code, uint32_t vertex, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    sni_fill_error(error, code, vertex, SN_NONE, format, arguments);
    va_end(arguments);
    return code;
}
static inline SNI_PRINTF(4, 5) snResult
    sni_fail_joint(snError* error, snResult code, uint32_t joint, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    sni_fill_error(error, code, SN_NONE, joint, format, arguments);
    va_end(arguments);
    return code;
}

// Returns the constant itself, so that readers and analysers see that it is never SN_RESULT_OK.
static inline snResult sni_fail_memory(snError* error) {
    sni_fail(error, SN_RESULT_OUT_OF_MEMORY, "out of memory");
    return SN_RESULT_OUT_OF_MEMORY;
}

// Hands a failure on at once: where nothing has to be freed first. Where something has, results are chained
// (`if (result == SN_RESULT_OK) result = ...`) up to the one place that frees it.
#define SNI_TRY(expression)                                                                                  \
    do {                                                                                                     \
        snResult sni_result = (expression);                                                                  \
        if (sni_result != SN_RESULT_OK) return sni_result;                                                   \
    } while (0)

#endif
