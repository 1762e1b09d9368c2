// The default allocator and the budget: memory that is counted and bounded.
#include <stdlib.h>

#include "base/memory.h"

static void* default_alloc(void* user, size_t size, size_t alignment) {
    (void)user;
    if (alignment < sizeof(void*)) alignment = sizeof(void*);
    if (size > SIZE_MAX - alignment) return NULL;
    // aligned_alloc wants a multiple of the alignment.
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void default_free(void* user, void* pointer) {
    (void)user;
    free(pointer);
}

snAllocator sn_allocator_default(void) {
    snAllocator allocator = {default_alloc, default_free, NULL};
    return allocator;
}

// Each block of a budget is preceded by its size, in a header that keeps the block aligned.
#define BUDGET_HEADER SNI_ALIGNMENT

static void* budget_alloc(void* user, size_t size, size_t alignment) {
    snBudget* budget = user;
    (void)alignment; // at most SNI_ALIGNMENT by contract
    if (size > budget->limit || budget->used > budget->limit - size || size > SIZE_MAX - BUDGET_HEADER) {
        budget->refused = true;
        return NULL;
    }
    unsigned char* block = budget->parent.alloc(budget->parent.user, size + BUDGET_HEADER, SNI_ALIGNMENT);
    if (block == NULL) return NULL;
    memcpy(block, &size, sizeof size);
    budget->used += size;
    if (budget->used > budget->peak) budget->peak = budget->used;
    return block + BUDGET_HEADER;
}

static void budget_free(void* user, void* pointer) {
    snBudget* budget = user;
    if (pointer == NULL) return;
    unsigned char* block = (unsigned char*)pointer - BUDGET_HEADER;
    size_t size = 0;
    memcpy(&size, block, sizeof size);
    budget->used -= size;
    budget->parent.free(budget->parent.user, block);
}

snBudget sn_budget(const snAllocator* parent, size_t limit) {
    snBudget budget = {sni_allocator(parent), limit, 0, 0, false};
    return budget;
}

snAllocator sn_budget_allocator(snBudget* budget) {
    snAllocator allocator = {budget_alloc, budget_free, budget};
    return allocator;
}
