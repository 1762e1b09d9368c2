// Segments and cells, as several rooms need them.
#ifndef SNI_BASE_GEOMETRY_H
#define SNI_BASE_GEOMETRY_H

#include "sinew/math.h"

// Where a segment is closest to p: 0 at its head to 1 at its tail; 0 for a segment of no length.
static inline float sni_segment_closest(snVec3 head, snVec3 tail, snVec3 p) {
    snVec3 along = sn_sub(tail, head);
    float length2 = sn_dot(along, along);
    if (!(length2 > 0.0f)) return 0.0f;
    return sn_clampf(sn_dot(sn_sub(p, head), along) / length2, 0.0f, 1.0f);
}

// The way from the closest place of a segment to p.
static inline snVec3 sni_segment_offset(snVec3 head, snVec3 tail, snVec3 p) {
    return sn_sub(p, sn_lerp(head, tail, sni_segment_closest(head, tail, p)));
}

static inline float sni_segment_distance(snVec3 head, snVec3 tail, snVec3 p) {
    return sn_length(sni_segment_offset(head, tail, p));
}

// What each corner of a cell has of a place in it; corner k is at x = k & 1, y = k & 2, z = k & 4. The shares
// sum to one, also outside of the cell.
static inline void sni_trilinear(snVec3 at, float out[8]) {
    for (int k = 0; k < 8; k++) {
        float x = (k & 1) != 0 ? at.x : 1.0f - at.x, y = (k & 2) != 0 ? at.y : 1.0f - at.y;
        out[k] = x * y * ((k & 4) != 0 ? at.z : 1.0f - at.z);
    }
}

#endif
