// The built-in body as a field: negative inside, zero on the skin, close to a distance in metres near it.
#ifndef SNI_BUILTIN_BODY_SHAPE_H
#define SNI_BUILTIN_BODY_SHAPE_H

#include "builtin/point.h"

// Where the flesh bends. The left side (+X); the right side mirrors it.
#define SNI_BODY_FINGERS 5 // thumb, index, middle, ring, little

// A finger: three points along its axis and the radius at each. The first lies at the knuckle inside the
// palm.
typedef struct sniFinger {
    sniPoint points[3];
    double radii[3];
} sniFinger;
extern const sniFinger sni_body_fingers[SNI_BODY_FINGERS];

// What a coarse mesh cannot hold is left out of the shape before it is sampled.
typedef struct sniBodyForm {
    double mitten;   // 0: five fingers; above: fingers two to five become one slab at least this thick
    double smallest; // details (ears, lips, nose wings) below this size are left out
} sniBodyForm;

// Exactly mirrored: the field of (-x, y, z) is the field of (x, y, z).
double sni_body_field(const sniBodyForm* form, sniPoint p);
// Field value (return) and its gradient by central differences.
double sni_body_gradient(const sniBodyForm* form, sniPoint p, sniPoint* out_gradient);

#endif
