// Workers of sinew::pool fill an array.
#include <sinew/sinew.h>
#include <stdio.h>

#define COUNT 1000u

static void fill(void* context, uint32_t begin, uint32_t end, uint32_t worker) {
    uint32_t* squares = context;
    (void)worker;
    for (uint32_t i = begin; i < end; i++) squares[i] = i * i;
}

int main(void) {
    static uint32_t squares[COUNT];
    snPool* pool = NULL;
    if (sn_pool_create(2, &pool) != SN_RESULT_OK) return 1;
    snTasks tasks = sn_pool_tasks(pool);
    sn_tasks_run(&tasks, fill, squares, COUNT, 10);
    sn_pool_destroy(pool);
    for (uint32_t i = 0; i < COUNT; i++)
        if (squares[i] != i * i) return 1;
    printf("sinew::pool: %u squares\n", COUNT);
    return 0;
}
