// Points in double precision: fields are differentiated numerically, for which floats are too coarse.
#ifndef SNI_BUILTIN_POINT_H
#define SNI_BUILTIN_POINT_H

#include <math.h>

typedef struct sniPoint {
    double x, y, z;
} sniPoint;

static inline sniPoint sni_point(double x, double y, double z) {
    sniPoint p = {x, y, z};
    return p;
}
static inline sniPoint sni_point_add(sniPoint a, sniPoint b) {
    return sni_point(a.x + b.x, a.y + b.y, a.z + b.z);
}
static inline sniPoint sni_point_sub(sniPoint a, sniPoint b) {
    return sni_point(a.x - b.x, a.y - b.y, a.z - b.z);
}
static inline sniPoint sni_point_scale(sniPoint a, double s) { return sni_point(a.x * s, a.y * s, a.z * s); }
static inline double sni_point_dot(sniPoint a, sniPoint b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline double sni_point_length(sniPoint a) { return sqrt(sni_point_dot(a, a)); }
static inline double sni_min(double a, double b) { return a < b ? a : b; }
static inline double sni_max(double a, double b) { return a > b ? a : b; }
static inline double sni_clamp(double x, double lo, double hi) { return x < lo ? lo : (x > hi ? hi : x); }
// 0 below `lo`, 1 above `hi`, a smooth step between.
static inline double sni_smoothstep(double lo, double hi, double x) {
    double t = sni_clamp((x - lo) / (hi - lo), 0.0, 1.0);
    return t * t * (3.0 - 2.0 * t);
}

#endif
