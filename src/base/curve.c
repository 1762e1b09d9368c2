#include "base/curve.h"

#include <math.h>

typedef struct Curve {
    const float* keys; // pairs of place and value
    uint32_t count;    // 2 or more
    bool loop;
} Curve;

static double place(const Curve* curve, uint32_t key) { return (double)curve->keys[2 * (size_t)key]; }
static double value(const Curve* curve, uint32_t key) { return (double)curve->keys[2 * (size_t)key + 1]; }
static double length(const Curve* curve, uint32_t segment) {
    return place(curve, segment + 1) - place(curve, segment);
}

static double slope(const Curve* curve, uint32_t segment) {
    return (value(curve, segment + 1) - value(curve, segment)) / length(curve, segment);
}

// Where the curve turns it is flat; elsewhere the harmonic mean of the slopes around, which is never more
// than three times the smaller one: that keeps each segment between its ends.
static double tangent(const Curve* curve, uint32_t key) {
    uint32_t last = curve->count - 1;
    bool end = key == 0 || key == last;
    if (end && !curve->loop) return 0.0;
    uint32_t before = end ? last - 1 : key - 1;
    uint32_t after = end ? 0 : key;
    double a = slope(curve, before), b = slope(curve, after);
    if ((a <= 0.0 || b <= 0.0) && (a >= 0.0 || b >= 0.0)) return 0.0;
    double to_a = length(curve, before) + 2.0 * length(curve, after);
    double to_b = 2.0 * length(curve, before) + length(curve, after);
    return (to_a + to_b) / (to_a / a + to_b / b);
}

static double on_segment(const Curve* curve, uint32_t segment, double at) {
    double h = length(curve, segment), t = (at - place(curve, segment)) / h;
    double from = value(curve, segment), to = value(curve, segment + 1);
    double leave = tangent(curve, segment) * h, arrive = tangent(curve, segment + 1) * h;
    double rest = 1.0 - t;
    double result = from + t * t * (3.0 - 2.0 * t) * (to - from) + t * rest * (rest * leave - t * arrive);
    double low = from < to ? from : to, high = from < to ? to : from;
    return result < low ? low : (result > high ? high : result); // rounding
}

float sni_curve_at(const float* keys, uint32_t count, bool loop, double at) {
    if (count == 0) return 1.0f;
    const Curve curve = {keys, count, loop};
    double first = place(&curve, 0), last = place(&curve, count - 1);
    if (loop && last > first) {
        double round = last - first;
        at -= floor((at - first) / round) * round;
    }
    if (!(at > first)) return keys[1];
    if (at >= last) return keys[2 * (size_t)count - 1];
    uint32_t segment = 0;
    while (at >= place(&curve, segment + 1)) segment++;
    return (float)on_segment(&curve, segment, at);
}
