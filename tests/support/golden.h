// Golden hashes: the same on every compiler, optimisation level, instruction set, worker count and in WASM. A
// change here is a change of results and belongs in the CHANGELOG.
#ifndef SINEW_TEST_GOLDEN_H
#define SINEW_TEST_GOLDEN_H

#define GOLDEN_TRANSCENDENTAL UINT64_C(0xdd6b70de5aeee33c)

#endif
