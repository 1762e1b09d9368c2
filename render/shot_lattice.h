// The surface of a lattice on the GPU: static tables, and particles that every frame brings.
#ifndef SINEW_SHOT_LATTICE_H
#define SINEW_SHOT_LATTICE_H

#include "hung.h"

struct snShotLattice {
    snHung hung; // first
    snShotLatticeDef def;
    GLuint cells;           // texture
    GLuint particles;       // texture
    uint32_t particle_rows; // texels high
    snVec4* staged;         // particles in scene units, all rows of the texture
};

// The program for the current context, in the GLSL it speaks. 0 on failure.
GLuint sn_shot_lattice_program(snError* error);
// As sn_shot_lattice_create, in the current context.
snResult sn_shot_lattice_open(GLuint program, const snShotLatticeDef* def, const snAllocator* allocator,
                              snShotLattice** out, snError* error);
void sn_shot_lattice_close(snShotLattice* lattice);

// Fills `surface`, and `wires` when the geometry has edges, for particles that are in world space.
snResult sn_shot_lattice_hang(snShotLattice* lattice, const snGeometry* geometry, snSceneFrame frame,
                              const snVec4* particles, snError* error);

#endif
