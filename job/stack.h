// The memory of a stack that grows down. Below the bytes that were asked for lies a margin, filled with a
// pattern: a call that reaches into it has asked for too much, and is found out before anything that belongs
// to others is overwritten.
#ifndef SNI_JOB_STACK_H
#define SNI_JOB_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// Larger than the arrays that functions of the library have on the stack.
#define SNI_STACK_MARGIN ((size_t)32 << 10)
#define SNI_STACK_WORD UINT64_C(0xa5a5a5a5a5a5a5a5)

static inline void sni_stack_mark(void* lowest) { memset(lowest, 0xa5, SNI_STACK_MARGIN); }

// What was on a stack may still be marked as not to be read.
#if defined(__clang__) || defined(__GNUC__)
__attribute__((no_sanitize("address"), no_sanitize("thread")))
#endif
static inline bool
sni_stack_spilled(const uint64_t* lowest) {
    uint64_t differs = 0;
    for (size_t i = 0; i < SNI_STACK_MARGIN / sizeof *lowest; i++) differs |= lowest[i] ^ SNI_STACK_WORD;
    return differs != 0;
}

#endif
