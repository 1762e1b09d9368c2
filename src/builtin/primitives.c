#include "builtin/primitives.h"

double sni_blend_union(double a, double b, double k) {
    double h = sni_max(k - fabs(a - b), 0.0) / k;
    return sni_min(a, b) - h * h * h * k * (1.0 / 6.0);
}

double sni_blend_cut(double a, double hole, double k) { return -sni_blend_union(-a, hole, k); }

// First-order distance to the surface scaled(p) = 1, where scaled is homogeneous of degree one and `slope` is
// the length of its gradient times `scaled`.
static double homogeneous_distance(double scaled, double slope, double inside) {
    return slope > 1e-12 ? scaled * (scaled - 1.0) / slope : -inside;
}

double sni_ellipsoid(sniPoint p, sniPoint center, sniPoint radii) {
    sniPoint d = sni_point_sub(p, center);
    sniPoint q = sni_point(d.x / radii.x, d.y / radii.y, d.z / radii.z);
    sniPoint g = sni_point(q.x / radii.x, q.y / radii.y, q.z / radii.z);
    return homogeneous_distance(sni_point_length(q), sni_point_length(g),
                                sni_min(radii.x, sni_min(radii.y, radii.z)));
}

double sni_round_cone(sniPoint p, sniPoint a, double radius_a, sniPoint b, double radius_b) {
    sniPoint axis = sni_point_sub(b, a);
    sniPoint d = sni_point_sub(p, a);
    double length = sni_point_length(axis);
    double along = sni_point_dot(d, axis) / length;
    double across = sqrt(sni_max(sni_point_dot(d, d) - along * along, 0.0));
    // The nearest sphere of the family lies uphill of the foot point by the cone's slope.
    double sine = (radius_a - radius_b) / length;
    double cosine = sqrt(sni_max(1.0 - sine * sine, 1e-12));
    double foot = sni_clamp((along - across * sine / cosine) / length, 0.0, 1.0);
    double rest = along - foot * length;
    return sqrt(across * across + rest * rest) - (radius_a + (radius_b - radius_a) * foot);
}

// The oval at `t`: a cubic through the sections with slopes from their neighbours, level at both ends so that
// the caps continue it without a crease.
static void loft_oval(const sniLoft* loft, double t, double oval[6]) {
    const sniSection* s = loft->sections;
    uint32_t i = 0, last = loft->count - 1;
    while (i + 1 < last && t > s[i + 1].t) i++;
    uint32_t before = i > 0 ? i - 1 : i, after = i + 1 < last ? i + 2 : last;
    double w = s[i + 1].t - s[i].t, e = (t - s[i].t) / w, f = 1.0 - e;
    double h1 = f * f * (1.0 + 2.0 * e), h2 = e * e * (1.0 + 2.0 * f);
    double g1 = i > 0 ? e * f * f * w / (s[i + 1].t - s[before].t) : 0.0;
    double g2 = i + 1 < last ? e * e * f * w / (s[after].t - s[i].t) : 0.0;
    for (int c = 0; c < 6; c++) {
        double y1 = s[i].oval[c], y2 = s[i + 1].oval[c];
        oval[c] = h1 * y1 + h2 * y2 + g1 * (y2 - s[before].oval[c]) - g2 * (s[after].oval[c] - y1);
    }
}

double sni_loft(const sniLoft* loft, double t, double u, double v) {
    double first = loft->sections[0].t, last = loft->sections[loft->count - 1].t;
    double oval[6];
    loft_oval(loft, sni_clamp(t, first, last), oval);
    double du = u - oval[0], dv = v - oval[1];
    double ru = du > 0.0 ? oval[2] : oval[3], rv = dv > 0.0 ? oval[4] : oval[5];
    double cap = t < first ? loft->cap_start : loft->cap_end;
    double beyond = t < first ? first - t : sni_max(t - last, 0.0);
    double a = du / ru, b = dv / rv, c = beyond / cap;
    double a2 = a * a, b2 = b * b, c2 = c * c;
    double scaled = sqrt(a2 + b2 + c2);
    if (loft->square > 0.0) {
        double fourth = sqrt(sqrt(a2 * a2 + b2 * b2 + c2 * c2));
        scaled += loft->square * (fourth - scaled);
    }
    double slope = sqrt(a2 / (ru * ru) + b2 / (rv * rv) + c2 / (cap * cap));
    return homogeneous_distance(scaled, slope, sni_min(ru, rv));
}
