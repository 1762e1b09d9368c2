// Golden hashes: the same on every compiler, optimisation level, instruction set, worker count and in WASM. A
// change here is a change of results and belongs in the CHANGELOG.
#ifndef SINEW_GOLDEN_H
#define SINEW_GOLDEN_H

#define GOLDEN_FUNCTIONS UINT64_C(0x82da9f956e42ebf6)
#define GOLDEN_BODY UINT64_C(0x6dcb5eead6e48516)
#define GOLDEN_RETARGET UINT64_C(0x157d44773404e9fe)
#define GOLDEN_FIT UINT64_C(0xf43128aa2d38f8f5)
#define GOLDEN_LINEAR UINT64_C(0xad92784a2edbd1d4)
#define GOLDEN_DUAL UINT64_C(0xc0165542ae8221e3)
#define GOLDEN_SPLINE UINT64_C(0x3ca6d08af3324b4d)
#define GOLDEN_STYLES UINT64_C(0x2e83f2ed933ba94a)
#define GOLDEN_MORPHS UINT64_C(0xac13341432baa16f)
#define GOLDEN_AUTO UINT64_C(0x6cd60c55cd072dd3)
#define GOLDEN_HEAT UINT64_C(0x1c36a55ba28efab9)
#define GOLDEN_GEODESIC UINT64_C(0xbfe18241696c631d)
#define GOLDEN_KEEP UINT64_C(0x1cc8192060df5c1d)
#define GOLDEN_LATTICE UINT64_C(0x5c04d61bd4b59420)
#define GOLDEN_VOLUME UINT64_C(0x70f97faaf8587a0e)
#define GOLDEN_FLESH UINT64_C(0x675f90bd7140d7d6)
#define GOLDEN_FLESH_INITIAL UINT64_C(0xdb0ab615c706bc24)
#define GOLDEN_EXACT UINT64_C(0x1e2a41084ad4715e)

#endif
