// Every item runs exactly once, in ranges that do not depend on the workers.
#include <stdatomic.h>
#include <string.h>

#include "support.h"

#define ITEMS 10007

typedef struct Record {
    atomic_uint runs[ITEMS];
    uint32_t grain;
    uint32_t workers;
    atomic_uint bad_ranges;
} Record;

static void count_items(void* context, uint32_t begin, uint32_t end, uint32_t worker) {
    Record* record = context;
    bool whole = begin % record->grain == 0 && (end - begin == record->grain || end == ITEMS);
    if (!whole || worker >= record->workers) atomic_fetch_add(&record->bad_ranges, 1);
    for (uint32_t i = begin; i < end; i++) atomic_fetch_add(&record->runs[i], 1);
}

static void check_record(Record* record, uint32_t times) {
    assert_int_equal(atomic_load(&record->bad_ranges), 0);
    for (uint32_t i = 0; i < ITEMS; i++) assert_int_equal(atomic_load(&record->runs[i]), times);
}

static void serial_runs_in_ranges(void** state) {
    (void)state;
    static Record record;
    memset(&record, 0, sizeof record);
    record.grain = 100;
    record.workers = 1;
    sn_tasks_run(NULL, count_items, &record, ITEMS, 100);
    check_record(&record, 1);
    snTasks zero = {0};
    sn_tasks_run(&zero, count_items, &record, ITEMS, 100);
    sn_tasks_run(&zero, count_items, &record, 0, 100);
    check_record(&record, 2);
}

static void pool_runs_everything_once(void** state) {
    (void)state;
    static Record record;
    for (uint32_t workers = 1; workers <= 8; workers++) {
        snPool* pool = NULL;
        assert_ok(sn_pool_create(workers, &pool));
        snTasks tasks = sn_pool_tasks(pool);
        assert_int_equal(tasks.workers, workers);
        for (uint32_t grain = 1; grain < ITEMS * 2; grain = grain * 7 + 3) {
            memset(&record, 0, sizeof record);
            record.grain = grain;
            record.workers = workers;
            for (int repeat = 0; repeat < 5; repeat++)
                sn_tasks_run(&tasks, count_items, &record, ITEMS, grain);
            check_record(&record, 5);
        }
        sn_pool_destroy(pool);
    }
}

static void more_jobs_than_slots(void** state) {
    (void)state;
    static Record record;
    memset(&record, 0, sizeof record);
    record.grain = 64;
    record.workers = 3;
    snPool* pool = NULL;
    assert_ok(sn_pool_create(3, &pool));
    snTasks tasks = sn_pool_tasks(pool);
    void* handles[40];
    for (int i = 0; i < 40; i++) handles[i] = tasks.enqueue(tasks.user, count_items, &record, ITEMS, 64);
    for (int i = 0; i < 40; i++) tasks.finish(tasks.user, handles[i]);
    check_record(&record, 40);
    sn_pool_destroy(pool);
}

static void pool_checks_its_arguments(void** state) {
    (void)state;
    snPool* pool = NULL;
    assert_int_equal(sn_pool_create(1, NULL), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_pool_create(100000, &pool), SN_RESULT_INVALID_ARGUMENT);
    assert_null(pool);
    assert_ok(sn_pool_create(0, &pool));
    assert_true(sn_pool_tasks(pool).workers >= 1);
    sn_pool_destroy(pool);
    sn_pool_destroy(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(serial_runs_in_ranges),
        cmocka_unit_test(pool_runs_everything_once),
        cmocka_unit_test(more_jobs_than_slots),
        cmocka_unit_test(pool_checks_its_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
