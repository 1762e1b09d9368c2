// Stacks that are switched by ucontext. The floating-point environment is a part of what it switches, so a
// job computes in the one that it was made in. Sanitizers are told which stack they are on.
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "base/memory.h"
#include "context.h"
#include "stack.h"

#if defined(__SANITIZE_ADDRESS__)
#define CHECKS_ADDRESSES 1
#elif defined(__SANITIZE_THREAD__)
#define CHECKS_THREADS 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CHECKS_ADDRESSES 1
#elif __has_feature(thread_sanitizer)
#define CHECKS_THREADS 1
#endif
#endif

#ifdef CHECKS_ADDRESSES
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef CHECKS_THREADS
#include <sanitizer/tsan_interface.h>
#endif

struct sniContext {
    void (*entry)(void* user);
    void* user;
    ucontext_t inside, outside;
    void* block; // as it was allocated
    char* guard; // a page that nothing may touch, then the margin, then the stack
    size_t page, stack_bytes;
    bool guarded;
    snAllocator allocator;
#ifdef CHECKS_ADDRESSES
    void *inside_fake, *outside_fake;
    const void* outside_bottom;
    size_t outside_size;
#endif
#ifdef CHECKS_THREADS
    void *inside_fiber, *outside_fiber;
#endif
};

// ----------------------------------------------------------------------------------------------- switching

static void* margin_of(const sniContext* context) { return context->guard + context->page; }

static void before_entering(sniContext* context) {
#ifdef CHECKS_ADDRESSES
    __sanitizer_start_switch_fiber(&context->outside_fake, margin_of(context),
                                   SNI_STACK_MARGIN + context->stack_bytes);
#endif
#ifdef CHECKS_THREADS
    context->outside_fiber = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(context->inside_fiber, 0);
#endif
    (void)context;
}

static void after_entering(sniContext* context) {
#ifdef CHECKS_ADDRESSES
    __sanitizer_finish_switch_fiber(context->inside_fake, &context->outside_bottom, &context->outside_size);
#endif
    (void)context;
}

static void before_leaving(sniContext* context, bool last) {
#ifdef CHECKS_ADDRESSES
    __sanitizer_start_switch_fiber(last ? NULL : &context->inside_fake, context->outside_bottom,
                                   context->outside_size);
#endif
#ifdef CHECKS_THREADS
    __tsan_switch_to_fiber(context->outside_fiber, 0);
#endif
    (void)context, (void)last;
}

static void after_leaving(sniContext* context) {
#ifdef CHECKS_ADDRESSES
    __sanitizer_finish_switch_fiber(context->outside_fake, NULL, NULL);
#endif
    (void)context;
}

// makecontext hands on integers only.
static _Thread_local sniContext* entering;

static void begin(void) {
    sniContext* context = entering;
    after_entering(context);
    context->entry(context->user);
}

void sni_context_enter(sniContext* context) {
    entering = context;
    before_entering(context);
    swapcontext(&context->outside, &context->inside);
    after_leaving(context);
}

void sni_context_leave(sniContext* context, bool last) {
    before_leaving(context, last);
    swapcontext(&context->inside, &context->outside);
    after_entering(context);
}

bool sni_context_spilled(const sniContext* context) { return sni_stack_spilled(margin_of(context)); }

// ---------------------------------------------------------------------------------------------------- life

void sni_context_destroy(sniContext* context) {
    if (context == NULL) return;
    snAllocator allocator = context->allocator;
    if (context->guarded) mprotect(context->guard, context->page, PROT_READ | PROT_WRITE);
#ifdef CHECKS_THREADS
    if (context->inside_fiber != NULL) __tsan_destroy_fiber(context->inside_fiber);
#endif
    sni_free(&allocator, context->block);
    sni_free(&allocator, context);
}

// On its own, because getcontext returns twice as far as the compiler knows.
static void prepare(sniContext* context) {
    getcontext(&context->inside);
    context->inside.uc_stack.ss_sp = margin_of(context);
    context->inside.uc_stack.ss_size = SNI_STACK_MARGIN + context->stack_bytes;
    context->inside.uc_link = NULL; // the entry does not return
    makecontext(&context->inside, begin, 0);
}

sniContext* sni_context_create(void (*entry)(void* user), void* user, size_t stack_bytes,
                               const snAllocator* allocator) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    if (stack_bytes > SIZE_MAX - SNI_STACK_MARGIN - 3 * page) return NULL;
    sniContext* context = SNI_NEW(allocator, sniContext);
    if (context == NULL) return NULL;
    stack_bytes = (stack_bytes + page - 1) / page * page;
    *context = (sniContext){.entry = entry, .user = user, .page = page, .allocator = *allocator};
    context->stack_bytes = stack_bytes;
    // Not zeroed: what a call never reaches is never touched.
    context->block =
        allocator->alloc(allocator->user, 2 * page + SNI_STACK_MARGIN + stack_bytes, SNI_ALIGNMENT);
    if (context->block == NULL) {
        sni_context_destroy(context);
        return NULL;
    }
    size_t over = (uintptr_t)context->block % page;
    context->guard = (char*)context->block + (over > 0 ? page - over : 0);
    sni_stack_mark(margin_of(context));
    context->guarded = mprotect(context->guard, page, PROT_NONE) == 0;
    prepare(context);
#ifdef CHECKS_THREADS
    context->inside_fiber = __tsan_create_fiber(0);
#endif
    return context;
}
