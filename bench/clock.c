#include <time.h>

#include <stdlib.h>

#include "bench.h"

#ifdef __EMSCRIPTEN__
#include <emscripten/emscripten.h>

// Its timespec_get counts milliseconds.
double bench_seconds(void) { return 1e-3 * emscripten_get_now(); }
#else
double bench_seconds(void) {
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
#endif

// Additions that each need the one before: one a cycle on every machine we know. Register operands, because
// newer cores fold additions of constants away.
static double additions_per_second(void) {
    const uint64_t count = 20000000;
    uint64_t sum = 1;
    uint64_t step = (uint64_t)count | 1;
    double start = bench_seconds();
    for (uint64_t i = 0; i < count; i += 8) {
#if defined(__x86_64__)
        __asm__ volatile("addq %1, %0\n\taddq %1, %0\n\taddq %1, %0\n\taddq %1, %0\n\t"
                         "addq %1, %0\n\taddq %1, %0\n\taddq %1, %0\n\taddq %1, %0"
                         : "+r"(sum)
                         : "r"(step));
#else
        for (int k = 0; k < 8; k++) {
            sum += step;
            __asm__ volatile("" : "+r"(sum));
        }
#endif
    }
    return (double)count / (bench_seconds() - start);
}

double bench_clock_ghz(void) {
    double best = 0.0;
    for (int i = 0; i < 5; i++) {
        double rate = additions_per_second();
        if (rate > best) best = rate;
    }
    return best * 1e-9;
}

static int compare_doubles(const void* a, const void* b) {
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

double bench_best_median(double* samples, uint32_t count) {
    qsort(samples, count, sizeof *samples, compare_doubles);
    return samples[(count / 3) / 2];
}
