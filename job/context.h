// The seam to the platform: a function on a stack of its own that can be left and entered again. Each
// platform has a file, context_*.c, which knows nothing of jobs.
#ifndef SNI_JOB_CONTEXT_H
#define SNI_JOB_CONTEXT_H

#include "sinew/base.h"

typedef struct sniContext sniContext;

// `entry` runs from the first sni_context_enter on. It leaves by sni_context_leave, the last time for good:
// it must never return. NULL: out of memory.
sniContext* sni_context_create(void (*entry)(void* user), void* user, size_t stack_bytes,
                               const snAllocator* allocator);
// Of a context that has not been entered, or that was left for good.
void sni_context_destroy(sniContext* context);

// From outside to where it left, or to the beginning; returns when it leaves.
void sni_context_enter(sniContext* context);
// From inside to where it was entered. `last`: it will not be entered again.
void sni_context_leave(sniContext* context, bool last);

// Has the call used more of its stack than it was given?
bool sni_context_spilled(const sniContext* context);

#endif
