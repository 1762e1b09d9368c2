// The push that gives a part its volume: a root of a cubic, followed from no push.
#include "flesh/part_volume_kernels.h"

static double value(const double k[4], double t) { return k[0] + t * (k[1] + t * (k[2] + t * k[3])); }
static double slope(const double k[4], double t) { return k[1] + t * (2.0 * k[2] + t * 3.0 * k[3]); }

// The first t > 0 where the slope k1 + 2 k2 t + 3 k3 t^2 ends being positive, at most `end`. The quotient is
// the root that does not cancel.
static double first_extremum(const double k[4], double end) {
    double square = k[2] * k[2] - 3.0 * k[3] * k[1];
    if (square < 0.0) return end;
    double below = sqrt(square) - k[2];
    return below > 0.0 && k[1] < end * below ? k[1] / below : end;
}

// f rises from below 0 at 0 to 0 or more at `end`: Newton's method kept inside the bracket by bisection.
static double rising_root(const double k[4], double end) {
    double low = 0.0, high = end, t = 0.0;
    for (int i = 0; i < 60; i++) {
        double f = value(k, t), d = slope(k, t);
        if (f < 0.0)
            low = t;
        else
            high = t;
        double next = t - f / d;
        if (next == t) return t;
        if (!(next > low && next < high)) next = 0.5 * (low + high);
        // The error of `next` is about the square of this.
        if (fabs(next - t) <= 1e-8 * end) return next;
        t = next;
    }
    return t;
}

double sni_part_volume_root(const double k[4], double low, double high, bool* clamped) {
    *clamped = false;
    if (k[0] == 0.0) return 0.0;
    // Pushing outward gains nothing at first: cells are inside out, and there is nothing to follow.
    if (!(k[1] > 0.0)) {
        *clamped = true;
        return 0.0;
    }
    // A gain is mirrored into a loss: g(t) = -f(-t).
    double sign = k[0] < 0.0 ? 1.0 : -1.0;
    double g[4] = {sign * k[0], k[1], sign * k[2], k[3]};
    double end = first_extremum(g, k[0] < 0.0 ? high : -low);
    if (value(g, end) >= 0.0) return sign * rising_root(g, end);
    *clamped = true;
    return sign * end;
}
