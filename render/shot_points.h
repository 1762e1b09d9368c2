// A surface that the caller moves, on the GPU: which vertex is where once; positions and normals, 16 bytes a
// vertex, in every frame.
#ifndef SINEW_SHOT_POINTS_H
#define SINEW_SHOT_POINTS_H

#include "hung.h"

typedef struct snShotPoints {
    snHung hung;      // first
    GLuint points;    // texture
    uint32_t rows;    // texels high
    uint32_t count;   // vertices of the mesh
    uint32_t* staged; // four numbers a texel, all rows of the texture
} snShotPoints;

// The program for the current context, in the GLSL it speaks. 0 on failure.
GLuint sn_shot_points_program(snError* error);
// The mesh must outlive it.
snResult sn_shot_points_open(GLuint program, const snMesh* mesh, const snAllocator* allocator,
                             snShotPoints** out, snError* error);
void sn_shot_points_close(snShotPoints* points);

// Fills `surface`, and `wires` when the geometry has edges. Normals may be NULL.
snResult sn_shot_points_hang(snShotPoints* points, const snGeometry* geometry, snSceneFrame frame,
                             const snVec3* positions, const snVec3* normals, snError* error);

#endif
