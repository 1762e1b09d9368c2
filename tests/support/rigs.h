// A small skinned and morphed model, described by hand.
#ifndef SINEW_TEST_RIGS_H
#define SINEW_TEST_RIGS_H

#include "support.h"

// Two cubes: one skinned to two joints with a morph, one rigid on the second joint. A clip "wave" moves both
// joints and the morph. Everything in `def` is static data.
const snModelDef* test_model_def(void);

#endif
