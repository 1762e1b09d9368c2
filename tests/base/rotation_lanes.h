// The kernel that test_rotation.c runs: sni_rotation over arrays, compiled once per instruction set.
#ifndef SINEW_TEST_ROTATION_LANES_H
#define SINEW_TEST_ROTATION_LANES_H

#include <stdint.h>

// Three columns of four floats each; the fourth is not looked at and comes back as 0.
typedef struct TestMatrix {
    float m[12];
} TestMatrix;

typedef void TestRotationsFn(const TestMatrix* a, const TestMatrix* start, TestMatrix* out, uint32_t count);
TestRotationsFn test_rotations_scalar, test_rotations_sse2, test_rotations_avx2, test_rotations_avx512,
    test_rotations_neon, test_rotations_wasm;

#endif
