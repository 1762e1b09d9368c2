// The terrain of a path as a surface for pictures.
#ifndef SINEW_GROUND_H
#define SINEW_GROUND_H

#include "context.h"

// A grid over the x and z of the bounds and a margin around them; colours mark squares of half a metre, so
// that one sees what stands and what slides.
cliExit ground_create(const cliContext* context, const snTerrain* terrain, snBounds bounds, snMesh** out);

#endif
