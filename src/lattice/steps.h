// The lattice as a graph that heat, distance and weights travel on.
#ifndef SNI_LATTICE_STEPS_H
#define SNI_LATTICE_STEPS_H

#include "base/geometry.h"
#include "sinew/lattice.h"

// The order of cells and of particles: by z, then y, then x.
static inline uint64_t sni_place_key(const uint16_t place[3]) {
    return (uint64_t)place[2] << 32 | (uint64_t)place[1] << 16 | place[0];
}

// Distance between two particles that share a cell, in cell widths: 1, sqrt 2 or sqrt 3.
static inline double sni_lattice_step(const snLattice* lattice, uint32_t p, uint32_t q) {
    static const double lengths[4] = {0.0, 1.0, 1.4142135623730951, 1.7320508075688772};
    const uint16_t *a = lattice->particles[p], *b = lattice->particles[q];
    return lengths[(a[0] != b[0]) + (a[1] != b[1]) + (a[2] != b[2])];
}

static inline double sni_lattice_conductance(const snLattice* lattice, uint32_t p, uint32_t q) {
    return 1.0 / (sni_lattice_step(lattice, p, q) + 1.0);
}

// The shares of a cell's corners at the place in the cell that is closest to `at`.
static inline void sni_trilinear_inside(snVec3 at, float out[8]) {
    sni_trilinear(
        sn_vec3(sn_clampf(at.x, 0.0f, 1.0f), sn_clampf(at.y, 0.0f, 1.0f), sn_clampf(at.z, 0.0f, 1.0f)), out);
}

// A hash of all that decides what a lattice will be.
uint64_t sni_lattice_source(const snLatticeDef* def);

#endif
