// Golden hashes: the same on every compiler, optimisation level, instruction set, worker count and in WASM. A
// change here is a change of results and belongs in the CHANGELOG.
#ifndef SINEW_GOLDEN_H
#define SINEW_GOLDEN_H

#define GOLDEN_FUNCTIONS UINT64_C(0x82da9f956e42ebf6)
#define GOLDEN_BODY UINT64_C(0xe8e358903e0560ae)
#define GOLDEN_LINEAR UINT64_C(0xc01f1b294204d49a)
#define GOLDEN_DUAL UINT64_C(0x5b01019486190bf9)

#endif
