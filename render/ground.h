// The terrain of a path as a surface for pictures.
#ifndef SINEW_GROUND_H
#define SINEW_GROUND_H

#include "sinew/paths.h"

// A grid over the x and z of the bounds and a margin around them; colors mark squares of half a metre, so
// that one sees what stands and what slides. Free with sn_mesh_destroy.
snResult sn_ground_create(const snTerrain* terrain, snBounds bounds, const snAllocator* allocator,
                          snMesh** out, snError* error);

#endif
