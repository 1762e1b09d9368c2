// Small meshes for tests, described by hand so that tests of the shape room depend on nothing else.
#ifndef SINEW_TEST_SHAPES_H
#define SINEW_TEST_SHAPES_H

#include "support.h"

// A unit cube at `origin`, six outward quads.
snMesh* test_cube(snVec3 origin);
// The same with every face split from its neighbours (24 vertices), as a file with hard edges stores it.
snMesh* test_split_cube(void);
// n x n quads in the XZ plane facing +Y, unit cells.
snMesh* test_grid(uint32_t n);
// Triangles from a list of 3 * count vertex indices.
snMesh* test_triangles(const snVec3* positions, uint32_t vertex_count, const uint32_t* corners,
                       uint32_t count);

#endif
