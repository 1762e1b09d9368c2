// Solids for lattice tests, put together from simple parts, and checks that hold for every lattice.
#ifndef SINEW_TEST_LATTICE_SUPPORT_H
#define SINEW_TEST_LATTICE_SUPPORT_H

#include "support.h"

// A growing list of triangles.
typedef struct Solid {
    uint32_t point_count, triangle_count;
    snVec3* points;
    uint32_t* triangles;
} Solid;

void solid_free(Solid* solid);
uint32_t solid_add_point(Solid* solid, snVec3 p);
void solid_add_triangle(Solid* solid, uint32_t a, uint32_t b, uint32_t c);
// Twelve outward triangles.
void solid_add_box(Solid* solid, snVec3 min, snVec3 max);
// Outward; `rings` from pole to pole, twice as many sectors.
void solid_add_sphere(Solid* solid, snVec3 center, float radius, uint32_t rings);
// Two prongs along +Y joined below, one closed surface: each prong is `width` x `length` x `depth`, with
// `gap` between them, the bridge is `width` high. Cut into many small faces.
void solid_add_fork(Solid* solid, float width, float gap, float length, float depth);
// The triangles of a model's first part, welded.
void solid_add_model(Solid* solid, const snModel* model);

snLatticeDef solid_def(const Solid* solid, uint32_t cells);
// Creates, validates and checks what every lattice promises: embedding, symmetric tables, depths.
snLattice* lattice_of(const Solid* solid, uint32_t cells);
void check_lattice(const snLattice* lattice, const snVec3* points);

uint32_t count_inside(const snLattice* lattice);
// A cell at the grid coordinates of `p` or, within `slack` cells of a face, next to it.
bool has_cell_at(const snLattice* lattice, snVec3 p, double slack);
// Edges between two particles, walking over the lattice; UINT32_MAX: not connected.
uint32_t walk_distance(const snLattice* lattice, uint32_t from, uint32_t to);
uint64_t lattice_hash(const snLattice* lattice);
// The particle of the point's cell that is nearest to it.
uint32_t particle_near_point(const snLattice* lattice, uint32_t point);

#endif
