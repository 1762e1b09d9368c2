// The kernels that test_trig.c runs: functions of angles over arrays, compiled once per instruction set.
#ifndef SINEW_TEST_TRIG_LANES_H
#define SINEW_TEST_TRIG_LANES_H

#include <stdint.h>

// What is made of a pair (a, b) of numbers.
typedef struct TestTrig {
    float round, min, max, abs; // of a; of a and b
    float sine, cosine;         // of a turns
    float turns;                // of the vector (b, a)
} TestTrig;

typedef void TestTrigFn(const float* a, const float* b, TestTrig* out, uint32_t count);
TestTrigFn test_trig_scalar, test_trig_sse2, test_trig_avx2, test_trig_avx512, test_trig_neon, test_trig_wasm;

#endif
