// A ray and a triangle (Woop, Benthin and Wald 2013, Watertight Ray/Triangle Intersection): corners are
// sheared into a frame in which the ray is an axis, and the signs of three areas decide. A corner has the
// same numbers in all its triangles, and so has an edge but for the sign, so no ray slips through between two
// of them. Theirs goes on in doubles where an area is 0; here all is in doubles.
#include "pick/picker.h"

static double part_of(snVec3 v, int axis) { return (double)(axis == 0 ? v.x : axis == 1 ? v.y : v.z); }

sniRay sni_ray_of(snVec3 origin, snVec3 direction) {
    sniRay ray = {.origin = origin};
    int largest = 0;
    for (int a = 1; a < 3; a++)
        if (fabs(part_of(direction, a)) > fabs(part_of(direction, largest))) largest = a;
    double along = part_of(direction, largest);
    // The other two in an order that keeps what is right-handed so.
    int first = (largest + 1) % 3, second = (largest + 2) % 3;
    ray.axes[0] = along < 0.0 ? second : first;
    ray.axes[1] = along < 0.0 ? first : second;
    ray.axes[2] = largest;
    ray.shear[0] = part_of(direction, ray.axes[0]) / along;
    ray.shear[1] = part_of(direction, ray.axes[1]) / along;
    ray.shear[2] = 1.0 / along;
    return ray;
}

bool sni_ray_meets(const sniRay* ray, const snVec3 corners[3], sniRayHit* out) {
    double x[3], y[3], z[3];
    for (int i = 0; i < 3; i++) {
        z[i] = part_of(corners[i], ray->axes[2]) - part_of(ray->origin, ray->axes[2]);
        x[i] = part_of(corners[i], ray->axes[0]) - part_of(ray->origin, ray->axes[0]) - ray->shear[0] * z[i];
        y[i] = part_of(corners[i], ray->axes[1]) - part_of(ray->origin, ray->axes[1]) - ray->shear[1] * z[i];
    }
    double area[3];
    for (int i = 0; i < 3; i++) {
        int a = (i + 1) % 3, b = (i + 2) % 3;
        area[i] = x[b] * y[a] - y[b] * x[a];
    }
    bool any_below = area[0] < 0.0 || area[1] < 0.0 || area[2] < 0.0;
    bool any_above = area[0] > 0.0 || area[1] > 0.0 || area[2] > 0.0;
    double whole = area[0] + area[1] + area[2];
    // Both signs: outside. None: seen from its edge, or no triangle. What is no number is neither.
    if (any_below == any_above || !(whole != 0.0)) return false;
    double depth = (area[0] * z[0] + area[1] * z[1] + area[2] * z[2]) / whole * ray->shear[2];
    if (!(depth >= 0.0 && depth <= 3e38)) return false;
    *out = (sniRayHit){depth, {area[0] / whole, area[1] / whole, area[2] / whole}, whole < 0.0};
    return true;
}
