// Mending: faces that were split from their neighbours, and have moved a little, belong to them again.
#ifndef SNI_LATTICE_MEND_H
#define SNI_LATTICE_MEND_H

#include "lattice/shells.h"

// Fills ids (3 a triangle) with the point that each corner is joined by: its own, or a point on the border of
// another shell no further than `reach` (metres) away. shell_of_points has one entry a point. *changed
// becomes true where any corner got another point. Points within one shell are left alone: lips that touch
// stay lips.
snResult sni_mend_borders(const sniShells* shells, const snVec3* positions, float reach,
                          const uint32_t* shell_of_points, uint32_t* ids, bool* changed);

#endif
