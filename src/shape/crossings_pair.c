// Whether two triangles cross, by the signs of volumes alone (Guigue and Devillers 2003).
//
// Signs are taken in doubles and count as zero where rounding could have changed them, which float corners
// reach only when they touch or all but touch. Zero means touching everywhere below, so shared points and
// edges need no cases of their own.
#include "shape/crossings.h"

typedef struct Point {
    double x, y, z;
} Point;

// The plane of a triangle: its normal, not of unit length, and the size of what was summed to get it.
typedef struct Plane {
    Point origin, normal, size;
} Plane;

// Above the largest relative error of the sums of `side_of`, 7 roundings and a little.
#define ROUNDING 1e-15

static Point point_of(snVec3 p) { return (Point){(double)p.x, (double)p.y, (double)p.z}; }
static Point minus(Point a, Point b) { return (Point){a.x - b.x, a.y - b.y, a.z - b.z}; }
static double magnitude(double x) { return x < 0.0 ? -x : x; }

static Plane plane_of(Point a, Point b, Point c) {
    Point u = minus(b, a), v = minus(c, a);
    double yz = u.y * v.z, zy = u.z * v.y, zx = u.z * v.x, xz = u.x * v.z, xy = u.x * v.y, yx = u.y * v.x;
    return (Plane){
        a,
        {yz - zy, zx - xz, xy - yx},
        {magnitude(yz) + magnitude(zy), magnitude(zx) + magnitude(xz), magnitude(xy) + magnitude(yx)}};
}

// 1 on the side that sees the triangle counter-clockwise, -1 on the other, 0 on the plane.
static int side_of(const Plane* plane, Point p) {
    Point d = minus(p, plane->origin);
    double volume = d.x * plane->normal.x + d.y * plane->normal.y + d.z * plane->normal.z;
    double size =
        magnitude(d.x) * plane->size.x + magnitude(d.y) * plane->size.y + magnitude(d.z) * plane->size.z;
    double bound = ROUNDING * size;
    return (volume > bound) - (volume < -bound);
}

// The side of d from the triangle a, b, c.
static int side(Point a, Point b, Point c, Point d) {
    Plane plane = plane_of(a, b, c);
    return side_of(&plane, d);
}

// The corner that has a side of the plane to itself, while the others are on the far side or on the plane; -1
// when the plane does not part the corners.
static int lone_corner(const int sides[3]) {
    int above = (sides[0] > 0) + (sides[1] > 0) + (sides[2] > 0);
    int below = (sides[0] < 0) + (sides[1] < 0) + (sides[2] < 0);
    if (above == 0 || below == 0) return -1;
    int wanted = above == 1 ? 1 : -1;
    return sides[0] == wanted ? 0 : (sides[1] == wanted ? 1 : 2);
}

static void sides_of(const Plane* plane, const Point corners[3], int out[3]) {
    for (int i = 0; i < 3; i++) out[i] = side_of(plane, corners[i]);
}

// Turns the triangle so that `lone` comes first, and the other way round where asked.
static void turn(const Point in[3], int lone, bool around, Point out[3]) {
    out[0] = in[lone];
    out[around ? 2 : 1] = in[(lone + 1) % 3];
    out[around ? 1 : 2] = in[(lone + 2) % 3];
}

bool sni_triangles_cross(const snVec3 a[3], const snVec3 b[3]) {
    Point corners_a[3] = {point_of(a[0]), point_of(a[1]), point_of(a[2])};
    Point corners_b[3] = {point_of(b[0]), point_of(b[1]), point_of(b[2])};
    int sides_a[3], sides_b[3];
    Plane plane = plane_of(corners_b[0], corners_b[1], corners_b[2]);
    sides_of(&plane, corners_a, sides_a);
    int lone_a = lone_corner(sides_a);
    if (lone_a < 0) return false;
    plane = plane_of(corners_a[0], corners_a[1], corners_a[2]);
    sides_of(&plane, corners_b, sides_b);
    int lone_b = lone_corner(sides_b);
    if (lone_b < 0) return false;
    // Both turned so that the lone corner of each sees the other counter-clockwise. Then each meets the
    // common line of the planes in an interval that runs from its edge 0-2 to its edge 0-1 along the line in
    // a, and the other way in b; they overlap when each begins before the other ends.
    Point p[3], q[3];
    turn(corners_a, lone_a, sides_b[lone_b] < 0, p);
    turn(corners_b, lone_b, sides_a[lone_a] < 0, q);
    return side(p[0], p[1], q[0], q[1]) < 0 && side(p[0], p[2], q[2], q[0]) < 0;
}

// Where a triangle meets a plane through `origin`: from and to along a line.
static bool meet(const snVec3 corners[3], snVec3 origin, snVec3 normal, snVec3 line, float out[2]) {
    int count = 0;
    for (int k = 0; k < 3; k++) {
        snVec3 a = corners[k], b = corners[(k + 1) % 3];
        float from = sn_dot(sn_sub(a, origin), normal), to = sn_dot(sn_sub(b, origin), normal);
        if ((from < 0.0f) == (to < 0.0f)) continue;
        float at = sn_dot(sn_sub(sn_lerp(a, b, from / (from - to)), origin), line);
        out[0] = count > 0 ? sn_minf(out[0], at) : at;
        out[1] = count > 0 ? sn_maxf(out[1], at) : at;
        count++;
    }
    return count > 1;
}

float sni_triangles_cut(const snVec3 a[3], const snVec3 b[3]) {
    snVec3 m = sn_cross(sn_sub(a[1], a[0]), sn_sub(a[2], a[0])),
           n = sn_cross(sn_sub(b[1], b[0]), sn_sub(b[2], b[0]));
    snVec3 line = sn_normalize_or(sn_cross(m, n), sn_vec3(0.0f, 0.0f, 0.0f));
    float s[2], t[2];
    if (!meet(a, b[0], n, line, s) || !meet(b, a[0], m, line, t)) return 0.0f;
    float shift = sn_dot(sn_sub(a[0], b[0]), line); // both are measured from their own origins
    return sn_maxf(sn_minf(s[1], t[1] + shift) - sn_maxf(s[0], t[0] + shift), 0.0f);
}
