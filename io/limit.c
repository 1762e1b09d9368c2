#include "limit.h"

struct sniLimit {
    snBudget budget;
    snAllocator inner; // the budget's own
    snAllocator parent;
    size_t blocks;
    size_t asked; // what would have been held, had the refused allocation been granted; 0: none refused
    bool closed;
};

static void* limit_alloc(void* user, size_t size, size_t alignment) {
    sniLimit* limit = user;
    bool refused_before = limit->budget.refused;
    limit->budget.refused = false;
    void* memory = limit->inner.alloc(limit->inner.user, size, alignment);
    if (memory != NULL) limit->blocks++;
    if (memory == NULL && limit->budget.refused && limit->asked == 0) {
        limit->asked = size > SIZE_MAX - limit->budget.used ? SIZE_MAX : limit->budget.used + size;
    }
    limit->budget.refused = limit->budget.refused || refused_before;
    return memory;
}

static void free_when_empty(sniLimit* limit) {
    if (!limit->closed || limit->blocks > 0) return;
    snAllocator parent = limit->parent;
    sni_free(&parent, limit);
}

static void limit_free(void* user, void* pointer) {
    sniLimit* limit = user;
    if (pointer == NULL) return;
    limit->inner.free(limit->inner.user, pointer);
    limit->blocks--;
    free_when_empty(limit);
}

sniLimit* sni_limit_create(const snAllocator* parent, size_t bytes) {
    snAllocator allocator = sni_allocator(parent);
    sniLimit* limit = SNI_NEW(&allocator, sniLimit);
    if (limit == NULL) return NULL;
    limit->parent = allocator;
    limit->budget = sn_budget(&limit->parent, bytes);
    limit->inner = sn_budget_allocator(&limit->budget);
    return limit;
}

void sni_limit_close(sniLimit* limit) {
    limit->budget.limit = SIZE_MAX;
    limit->closed = true;
    free_when_empty(limit);
}

snAllocator sni_limit_allocator(sniLimit* limit) {
    snAllocator allocator = {limit_alloc, limit_free, limit};
    return allocator;
}

bool sni_limit_reserve(sniLimit* limit, size_t bytes) {
    snBudget* budget = &limit->budget;
    if (bytes > budget->limit - budget->used) {
        if (limit->asked == 0) {
            limit->asked = bytes > SIZE_MAX - budget->used ? SIZE_MAX : budget->used + bytes;
        }
        return false;
    }
    budget->used += bytes;
    if (budget->used > budget->peak) budget->peak = budget->used;
    return true;
}

void sni_limit_release(sniLimit* limit, size_t bytes) { limit->budget.used -= bytes; }

snResult sni_limit_explain(const sniLimit* limit, snResult result, const char* file, snError* error) {
    if (result != SN_RESULT_OUT_OF_MEMORY || limit->asked == 0) return result;
    sni_fail(error, SN_RESULT_LIMIT, "needs at least %zu bytes of memory, more than the limit of %zu",
             limit->asked, limit->budget.limit);
    if (error != NULL) snprintf(error->file, sizeof error->file, "%s", file);
    return SN_RESULT_LIMIT;
}
