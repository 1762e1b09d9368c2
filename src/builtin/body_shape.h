// The built-in body as a field: negative inside, zero on the skin, close to a distance in metres near it.
#ifndef SNI_BUILTIN_BODY_SHAPE_H
#define SNI_BUILTIN_BODY_SHAPE_H

#include "builtin/point.h"

#define SNI_BODY_FINGERS 5 // thumb, index, middle, ring, little

// A finger: three points along its axis and the radius at each. The first lies at the knuckle inside the
// palm.
typedef struct sniFinger {
    sniPoint points[3];
    double radii[3];
} sniFinger;
extern const sniFinger sni_body_fingers[SNI_BODY_FINGERS];

// What a coarse mesh cannot hold is left out of the shape before it is sampled. All zero: everything.
typedef struct sniBodyForm {
    double mitten;   // 0: five fingers; above: fingers two to five become one slab at least so thick, metres
    double smallest; // size of a grid cell at the head, metres; smaller details are left out
} sniBodyForm;

// Exactly mirrored: the field of (-x, y, z) is the field of (x, y, z).
double sni_body_field(const sniBodyForm* form, sniPoint p);
// The field at p (returned) and its gradient, by differences.
double sni_body_gradient(const sniBodyForm* form, sniPoint p, sniPoint* out_gradient);

#endif
