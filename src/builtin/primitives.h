// Building blocks of fields: negative inside, about a distance in metres near the surface.
#ifndef SNI_BUILTIN_PRIMITIVES_H
#define SNI_BUILTIN_PRIMITIVES_H

#include <stdint.h>

#include "builtin/point.h"

// Union and cut with a fillet of size `k`; outside |a - b| < k they are exactly min and max. The cubic
// fillet is twice differentiable, so shading shows no seam.
double sni_blend_union(double a, double b, double k);
double sni_blend_cut(double a, double hole, double k);

double sni_ellipsoid(sniPoint p, sniPoint center, sniPoint radii);
// The hull of two spheres.
double sni_round_cone(sniPoint p, sniPoint a, double radius_a, sniPoint b, double radius_b);

// One cross-section of a loft: an oval of four quarter ellipses.
typedef struct sniSection {
    double t;       // place along the axis
    double oval[6]; // center u and v; radii towards +u, -u, +v, -v
} sniSection;

// A body swept along a straight axis through ovals, with half-ellipsoid ends.
typedef struct sniLoft {
    const sniSection* sections; // rising t
    uint32_t count;             // 2 or more
    double cap_start, cap_end;  // how far the round ends reach beyond the first and last section
    double square;              // 0: ellipses; 1: rounded rectangles (fourth powers)
} sniLoft;
double sni_loft(const sniLoft* loft, double t, double u, double v);

#endif
