// A surface as it is now, as a model without joints to move it.
#ifndef SINEW_FROZEN_H
#define SINEW_FROZEN_H

#include "sinew/character.h"

// `surfaces`: one per part of the model. Materials come along as far as the model knows them.
snResult frozen_create(const snModel* model, const snSurface* surfaces, const snAllocator* memory,
                       snModel** out, snError* error);

#endif
