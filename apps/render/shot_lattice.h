// The surface of a lattice on the GPU: static tables, and a pass of vertices that writes where they are into
// buffers (transform feedback), which every later pass then reads as plain attributes.
#ifndef SINEW_SCENE_LATTICE_H
#define SINEW_SCENE_LATTICE_H

#include "geometry.h"
#include "gl_context.h"
#include "target.h"

// What the pass writes for each vertex, in scene units.
typedef struct snHungVertex {
    snVec3 position;
    snVec3 normal;
} snHungVertex;

// A list of vertices that hang in the lattice.
typedef struct snHungList {
    uint32_t count;
    GLuint arrays;
    GLuint sources; // cell, coordinates, rest normal
    GLuint places;  // snHungVertex; written by the pass
} snHungList;

struct snShotLattice {
    snShotLatticeDef def;
    GLuint program;         // of sn_shot_lattice_program; not owned
    GLuint cells;           // texture
    GLuint particles;       // texture
    uint32_t particle_rows; // texels high
    snTarget nowhere;       // OpenGL wants one to draw into even when nothing reaches it
    snVec4* staged;         // particles in scene units, all rows of the texture
    snHungList surface;     // the vertices of an snGeometry of the mesh
    snHungList wires;       // both ends of its edges; empty until a wireframe is drawn
    snAllocator allocator;
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
