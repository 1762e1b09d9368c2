// Golden hashes of skeleton-free posing.
#ifndef SINEW_GOLDEN_HANDLES_H
#define SINEW_GOLDEN_HANDLES_H

#include "sinew/sinew.h"

// What a plain mesh is cut into.
uint64_t golden_hash_segments(const snModel* model);
// Every search, on a few targets.
uint64_t golden_hash_searches(const snModel* model);
#ifdef SINEW_HAVE_SPARSE
// Poses by both methods: places and normals.
uint64_t golden_hash_handles(const snModel* model, snCpuLevel level);
#endif

#endif
