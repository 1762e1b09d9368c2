// How much memory a lattice will take, told before it is made.
#ifndef SNI_LATTICE_ESTIMATE_H
#define SNI_LATTICE_ESTIMATE_H

#include "lattice/grid.h"

typedef struct sniEstimate {
    double fixed;   // bytes whatever the resolution
    double surface; // cells that the surface takes
    double inside;  // cells behind it
} sniEstimate;

sniEstimate sni_estimate(const snLatticeDef* def, const sniGrid* grid);
// Bytes while it is made, with cells `scale` times as many along each side.
double sni_estimate_bytes(const sniEstimate* estimate, double scale);
// SN_RESULT_LIMIT with the sentence that says what is needed and what would fit.
snResult sni_estimate_fail(const sniEstimate* estimate, const snLatticeDef* def, const sniGrid* grid,
                           snError* error);

#endif
