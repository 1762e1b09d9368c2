// Stacks that are switched by Emscripten's fibers: Asyncify unwinds the one that is left into a list of its
// frames and winds the other up from its own. Programs that link this need -sASYNCIFY.
#include <emscripten/fiber.h>

#include "base/memory.h"
#include "context.h"
#include "stack.h"

// For what Asyncify keeps of the frames that lead to a tell, or to a step. Judged: the deepest call of the
// library has some twenty of them.
#define FRAMES ((size_t)64 << 10)

struct sniContext {
    void (*entry)(void* user);
    void* user;
    emscripten_fiber_t inside, outside;
    char* block; // the margin, the stack, the frames of both
    size_t stack_bytes;
    snAllocator allocator;
};

static void begin(void* user) {
    sniContext* context = user;
    context->entry(context->user);
}

void sni_context_enter(sniContext* context) {
    char* frames = context->block + SNI_STACK_MARGIN + context->stack_bytes + FRAMES;
    emscripten_fiber_init_from_current_context(&context->outside, frames, FRAMES);
    emscripten_fiber_swap(&context->outside, &context->inside);
}

void sni_context_leave(sniContext* context, bool last) {
    (void)last;
    emscripten_fiber_swap(&context->inside, &context->outside);
}

bool sni_context_spilled(const sniContext* context) {
    const void* margin = context->block;
    return sni_stack_spilled(margin);
}

void sni_context_destroy(sniContext* context) {
    if (context == NULL) return;
    snAllocator allocator = context->allocator;
    sni_free(&allocator, context->block);
    sni_free(&allocator, context);
}

sniContext* sni_context_create(void (*entry)(void* user), void* user, size_t stack_bytes,
                               const snAllocator* allocator) {
    if (stack_bytes > SIZE_MAX / 2) return NULL;
    sniContext* context = SNI_NEW(allocator, sniContext);
    if (context == NULL) return NULL;
    stack_bytes = stack_bytes / SNI_ALIGNMENT * SNI_ALIGNMENT;
    *context =
        (sniContext){.entry = entry, .user = user, .stack_bytes = stack_bytes, .allocator = *allocator};
    context->block =
        allocator->alloc(allocator->user, SNI_STACK_MARGIN + stack_bytes + 2 * FRAMES, SNI_ALIGNMENT);
    if (context->block == NULL) {
        sni_context_destroy(context);
        return NULL;
    }
    sni_stack_mark(context->block);
    emscripten_fiber_init(&context->inside, begin, context, context->block, SNI_STACK_MARGIN + stack_bytes,
                          context->block + SNI_STACK_MARGIN + stack_bytes, FRAMES);
    return context;
}
