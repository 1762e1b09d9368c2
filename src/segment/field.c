// The mean distance of every point of the body from all others, along the surface. Measured from a few dozen
// points far from each other, each standing for the area around it.
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "segment/segment.h"

// The more, the smoother and the slower. Judged, not measured.
#define MOST_SAMPLES 64u
#define LEAST_SAMPLES 12u
#define SMOOTHINGS 2

typedef struct Samples {
    uint32_t count;
    uint32_t points[MOST_SAMPLES];
    double areas[MOST_SAMPLES];
    uint32_t* owners; // point_count; the nearest sample
    float* nearest;   // point_count; how far it is
    float* distances; // count * point_count
} Samples;

static bool in_body(const sniSegments* s, uint32_t p) { return s->pieces[p] == s->body; }

// The point that is farthest out: tips are good samples.
static uint32_t first_sample(const sniSegments* s) {
    double sum[3] = {0.0, 0.0, 0.0}, area = 0.0;
    for (uint32_t p = 0; p < s->points.point_count; p++) {
        if (!in_body(s, p)) continue;
        snVec3 at = sni_segment_place(s, p);
        sum[0] += s->areas[p] * (double)at.x;
        sum[1] += s->areas[p] * (double)at.y;
        sum[2] += s->areas[p] * (double)at.z;
        area += s->areas[p];
    }
    snVec3 middle = sn_vec3((float)(sum[0] / area), (float)(sum[1] / area), (float)(sum[2] / area));
    uint32_t farthest = s->body;
    float most = -1.0f;
    for (uint32_t p = 0; p < s->points.point_count; p++) {
        float distance = in_body(s, p) ? sn_distance(sni_segment_place(s, p), middle) : -1.0f;
        if (distance <= most) continue;
        most = distance;
        farthest = p;
    }
    return farthest;
}

// Measures from a sample and returns the point farthest from all samples so far.
static uint32_t take_sample(const sniSegments* s, Samples* samples, uint32_t point, sniDistances* distances) {
    uint32_t number = samples->count++, count = s->points.point_count;
    samples->points[number] = point;
    sni_distances_run(&s->points, s->mesh->positions, &point, 1, INFINITY, distances);
    memcpy(samples->distances + (size_t)number * count, distances->values, count * sizeof(float));
    uint32_t farthest = point;
    float most = 0.0f;
    for (uint32_t p = 0; p < count; p++) {
        if (!in_body(s, p)) continue;
        if (number == 0 || distances->values[p] < samples->nearest[p]) {
            samples->nearest[p] = distances->values[p];
            samples->owners[p] = number;
        }
        if (samples->nearest[p] <= most) continue;
        most = samples->nearest[p];
        farthest = p;
    }
    return farthest;
}

static void average(sniSegments* s, Samples* samples) {
    uint32_t count = s->points.point_count;
    for (uint32_t p = 0; p < count; p++) {
        if (in_body(s, p)) samples->areas[samples->owners[p]] += s->areas[p];
    }
    for (uint32_t p = 0; p < count; p++) {
        if (!in_body(s, p)) continue;
        double sum = 0.0;
        for (uint32_t i = 0; i < samples->count; i++) {
            sum += samples->areas[i] * (double)samples->distances[(size_t)i * count + p];
        }
        s->field[p] = (float)(sum / s->body_area);
    }
}

// A few samples leave small dents in the field around themselves.
static void smooth(sniSegments* s, float* scratch) {
    const sniPoints* points = &s->points;
    for (int round = 0; round < SMOOTHINGS; round++) {
        for (uint32_t p = 0; p < points->point_count; p++) {
            double sum = 0.0;
            uint32_t degree = points->starts[p + 1] - points->starts[p];
            for (uint32_t i = points->starts[p]; i < points->starts[p + 1]; i++) {
                sum += (double)s->field[points->neighbours[i]];
            }
            scratch[p] = degree > 0 ? (float)((double)s->field[p] * 0.5 + sum / degree * 0.5) : s->field[p];
        }
        memcpy(s->field, scratch, points->point_count * sizeof *scratch);
    }
}

static void find_range(sniSegments* s) {
    s->low = INFINITY;
    s->high = 0.0f;
    for (uint32_t p = 0; p < s->points.point_count; p++) {
        if (!in_body(s, p)) continue;
        s->low = sn_minf(s->low, s->field[p]);
        s->high = sn_maxf(s->high, s->field[p]);
    }
}

static uint32_t sample_count(uint32_t points) {
    uint32_t count = 1000000u / (points + 1u);
    if (count > MOST_SAMPLES) return MOST_SAMPLES;
    return count < LEAST_SAMPLES ? LEAST_SAMPLES : count;
}

static snResult take_samples(sniSegments* s, uint32_t wanted, Samples* samples, sniDistances* distances,
                             snError* error) {
    uint32_t next = first_sample(s);
    while (samples->count < wanted) {
        SNI_TRY(sni_segment_tell(s, 0.1f + 0.3f * (float)samples->count / (float)wanted, error));
        uint32_t farthest = take_sample(s, samples, next, distances);
        if (farthest == next) break; // fewer points than samples
        next = farthest;
    }
    return SN_RESULT_OK;
}

snResult sni_segment_field(sniSegments* s, snError* error) {
    uint32_t count = s->points.point_count, wanted = sample_count(count);
    Samples samples = {.owners = SNI_NEW_ARRAY(s->memory, uint32_t, count),
                       .nearest = SNI_NEW_ARRAY(s->memory, float, count),
                       .distances = SNI_NEW_ARRAY(s->memory, float, (size_t)wanted* count)};
    sniDistances distances = {0};
    s->field = SNI_NEW_ARRAY(s->memory, float, count);
    bool enough = samples.owners != NULL && samples.nearest != NULL && samples.distances != NULL &&
                  s->field != NULL && sni_distances_create(count, s->memory, &distances);
    snResult result = enough ? take_samples(s, wanted, &samples, &distances, error) : sni_fail_memory(error);
    if (result == SN_RESULT_OK) {
        average(s, &samples);
        smooth(s, samples.nearest);
        find_range(s);
    }
    sni_free(s->memory, samples.owners);
    sni_free(s->memory, samples.nearest);
    sni_free(s->memory, samples.distances);
    sni_distances_free(s->memory, &distances);
    return result;
}
