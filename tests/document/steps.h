// What can be done to a document, step by step.
#ifndef SINEW_TEST_STEPS_H
#define SINEW_TEST_STEPS_H

#include <string.h>

#include "sinew/document.h"
#include "support.h"

typedef snResult TestStepFn(snDocument* document, const snProgress* progress, snError* error);
typedef struct TestStep {
    const char* name;
    TestStepFn* run;
} TestStep;
enum { TEST_STEPS = 14 };
// From an empty document through every kind of edit, on a bar of 200 vertices; the last opens it again.
extern const TestStep test_steps[TEST_STEPS];
extern const snProgress test_nobody;

snDocument* test_document(const snAllocator* allocator);
void test_expect(snResult result, const snError* error, const char* what);

#endif
