// The questions every format's tests ask.
#ifndef SINEW_TEST_FORMAT_SUPPORT_H
#define SINEW_TEST_FORMAT_SUPPORT_H

#include "io_support.h"

// One text and what refusing it must say.
typedef struct TestRefusal {
    const char *text, *sentence;
} TestRefusal;
void test_refuse_texts(const char* name, const TestRefusal* cases, size_t count);

// Every truncation and every flipped bit is read or refused, and at least `least_refused` of the changed
// files are refused.
void test_survives_changes(const char* name, const void* data, size_t size, uint32_t least_refused);
// Reading fails cleanly whichever allocation fails.
void test_survives_failing_allocations(const char* name, const void* data, size_t size);
// A memory limit just below what reading takes is SN_RESULT_LIMIT.
void test_keeps_the_limit(const char* name, const void* data, size_t size);

// World matrices of a model's first clip at `time`, joint_count of them; NULL clip: rest.
void test_pose(const snModel* model, const snClip* clip, float time, snMat4* out_world);
// Position of the joint of that name, which must exist.
snVec3 test_joint_position(const snModel* model, const snMat4* world, const char* name);

#endif
