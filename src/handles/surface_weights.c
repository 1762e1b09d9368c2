// How much each handle moves each unknown in the prediction: the smoothest fields that are 1 on a handle and
// 0 on the others, by the same equations that the frames solve. Four handles at a time.
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "handles/surface.h"

#define LANES SNI_SURFACE_LANES
#define TOP SNI_SURFACE_INFLUENCES
// Less than this is nothing; what is more begins there, so that fields end without a step.
#define LEAST_WEIGHT 0.002
#define LEAST_SUM 0.1f
// The fields of all handles sum to one wherever the system can be solved; what differs by more is rounding.
#define MOST_ERROR 0.01

// Right-hand sides of the handles first .. first + LANES - 1.
static void fill_sides(const snHandleSurface* s, uint32_t first, double* rows, double* x) {
    memset(rows, 0, (size_t)s->row_count * LANES * sizeof *rows);
    for (uint32_t i = 0; i < s->row_count; i++) {
        for (uint32_t e = s->rows.starts[i]; e < s->rows.starts[i + 1]; e++) {
            if (s->rows.columns[e] < s->unknown_count) continue;
            uint32_t lane = s->held_handles[s->rows.columns[e] - s->unknown_count] - first;
            if (lane < LANES) rows[(size_t)i * LANES + lane] -= s->rows.values[e];
        }
    }
    memset(x, 0, (size_t)s->unknown_count * LANES * sizeof *x);
    for (uint32_t u = 0; u < s->unknown_count; u++) {
        double* out = x + (size_t)u * LANES;
        for (uint32_t c = s->columns.starts[u]; c < s->columns.starts[u + 1]; c++) {
            const double* row = rows + (size_t)s->columns.columns[c] * LANES;
            for (int k = 0; k < LANES; k++) out[k] += s->columns.values[c] * row[k];
        }
        uint32_t lane = s->pull_handles[u] - first;
        if (s->pulls[u] > 0.0 && lane < LANES) out[lane] += s->pulls[u];
    }
}

// Keeps the heaviest, in order.
static void insert(uint16_t* handles, float* weights, uint32_t handle, float weight) {
    uint32_t at = TOP;
    while (at > 0 && fabsf(weights[at - 1]) < fabsf(weight)) at--;
    if (at == TOP) return;
    for (uint32_t k = TOP - 1; k > at; k--) {
        handles[k] = handles[k - 1];
        weights[k] = weights[k - 1];
    }
    handles[at] = (uint16_t)handle;
    weights[at] = weight;
}

static double shrink(double weight) {
    if (weight > LEAST_WEIGHT) return weight - LEAST_WEIGHT;
    return weight < -LEAST_WEIGHT ? weight + LEAST_WEIGHT : 0.0;
}

static void collect(snHandleSurface* s, uint32_t first, const double* x, double* sums) {
    for (uint32_t u = 0; u < s->unknown_count; u++) {
        for (uint32_t k = 0; k < LANES && first + k < s->handle_count; k++) {
            double weight = shrink(x[(size_t)u * LANES + k]);
            sums[u] += x[(size_t)u * LANES + k];
            if (weight != 0.0)
                insert(s->handles + (size_t)u * TOP, s->weights + (size_t)u * TOP, first + k, (float)weight);
        }
    }
}

// Handles that hardly hold on leave a matrix that factors, but says nothing.
static snResult check_sums(const snHandleSurface* s, const double* sums, snError* error) {
    for (uint32_t u = 0; u < s->unknown_count; u++) {
        if (fabs(sums[u] - 1.0) < MOST_ERROR) continue;
        sni_fail(error, SN_RESULT_BAD_DATA, "the system is solved wrongly at row %u", u);
        return sni_fail_vertex(error, SN_RESULT_BAD_DATA, u);
    }
    return SN_RESULT_OK;
}

// Sums become one.
static void normalize(snHandleSurface* s) {
    s->influence_count = 0;
    for (uint32_t u = 0; u < s->unknown_count; u++) {
        float* weights = s->weights + (size_t)u * TOP;
        float sum = 0.0f;
        uint32_t used = 0;
        for (; used < TOP && weights[used] != 0.0f; used++) sum += weights[used];
        if (!(sum > LEAST_SUM)) { // fields of very many handles, none of which counts much: one takes it all
            weights[0] = sum = 1.0f;
            for (uint32_t k = 1; k < used; k++) weights[k] = 0.0f;
            used = 1;
        }
        for (uint32_t k = 0; k < used; k++) weights[k] /= sum;
        if (used > s->influence_count) s->influence_count = used;
    }
}

snResult sni_surface_weights(snHandleSurface* s, snError* error) {
    const snAllocator* memory = &s->allocator;
    size_t count = (size_t)s->unknown_count;
    s->handles = SNI_NEW_ARRAY(memory, uint16_t, count * TOP);
    s->weights = SNI_NEW_ARRAY(memory, float, count* TOP);
    double* rows = SNI_NEW_ARRAY(memory, double, (size_t)s->row_count* LANES);
    double* x = SNI_NEW_ARRAY(memory, double, count* LANES);
    double* scratch = SNI_NEW_ARRAY(memory, double, count* LANES);
    double* sums = SNI_NEW_ARRAY(memory, double, count);
    bool enough = s->handles != NULL && s->weights != NULL && rows != NULL && x != NULL && scratch != NULL &&
                  sums != NULL;
    for (uint32_t first = 0; enough && first < s->handle_count; first += LANES) {
        fill_sides(s, first, rows, x);
        sni_factor_solve(&s->factor, x, scratch, SN_CPU_AUTO);
        collect(s, first, x, sums);
    }
    snResult result = enough ? check_sums(s, sums, error) : sni_fail_memory(error);
    if (result == SN_RESULT_OK) normalize(s);
    sni_free(memory, rows);
    sni_free(memory, x);
    sni_free(memory, scratch);
    sni_free(memory, sums);
    return result;
}
