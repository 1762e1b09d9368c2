// From an empty document through every kind of edit, on a bar of 200 vertices; the last opens it again.
#ifndef SINEW_TEST_STEPS_H
#define SINEW_TEST_STEPS_H

#include <string.h>

#include "edits.h"

enum { TEST_STEPS = 14 };
extern const Step test_steps[TEST_STEPS];

#endif
