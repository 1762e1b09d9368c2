// The heap: lowest key first, of equal keys the lowest number.
#include "base/heap.h"
#include "support.h"

enum { COUNT = 200 };

static void numbers_come_out_in_order(void** state) {
    (void)state;
    snAllocator memory = sn_allocator_default();
    sniHeap heap;
    uint32_t random = 5;
    assert_true(sni_heap_create(&heap, COUNT, &memory));
    for (int round = 0; round < 20; round++) {
        uint64_t keys[COUNT];
        for (uint32_t i = 0; i < COUNT; i++) {
            keys[i] = sni_heap_key((float)(test_random(&random) % 16), test_random(&random) % 4);
            sni_heap_offer(&heap, i, keys[i]);
        }
        for (uint32_t i = 0; i < COUNT; i += 3) { // lower keys move up, higher ones change nothing
            uint64_t key = sni_heap_key((float)(test_random(&random) % 16), 9);
            sni_heap_offer(&heap, i, key);
            if (key < keys[i]) keys[i] = key;
        }
        assert_int_equal(heap.count, COUNT);
        uint32_t last = sni_heap_pop(&heap);
        assert_int_equal(heap.keys[last], keys[last]);
        while (heap.count > 0) {
            uint32_t next = sni_heap_pop(&heap);
            assert_int_equal(heap.keys[next], keys[next]);
            assert_true(keys[last] < keys[next] || (keys[last] == keys[next] && last < next));
            last = next;
        }
    }
    sni_heap_offer(&heap, 7, 1);
    sni_heap_clear(&heap);
    sni_heap_offer(&heap, 7, 2); // not in it any more, so a higher key counts
    assert_int_equal(heap.count, 1);
    assert_int_equal(sni_heap_pop(&heap), 7);
    assert_int_equal(heap.keys[7], 2);
    sni_heap_free(&heap, &memory);
}

static void keys_rise_with_distances(void** state) {
    (void)state;
    assert_true(sni_heap_key(0.0f, 1) < sni_heap_key(1e-30f, 0));
    assert_true(sni_heap_key(0.5f, 7) < sni_heap_key(0.5f, 8));
    assert_true(sni_heap_key(3.0f, 0) < sni_heap_key(INFINITY, 0));
    assert_int_equal(sni_heap_key(-0.0f, 0), sni_heap_key(0.0f, 0));
    assert_true(sni_heap_distance(sni_heap_key(0.1f, 12)) == 0.1f);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(numbers_come_out_in_order),
                                       cmocka_unit_test(keys_rise_with_distances)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
