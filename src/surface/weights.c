// How much each handle moves each unknown in the prediction: the smoothest fields that are 1 on a handle and
// 0 on the others, by the same equations that the frames solve. Four handles at a time.
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "surface/surface.h"

#define LANES SNI_SURFACE_LANES
#define TOP SNI_SURFACE_INFLUENCES
// Less than this is nothing; what is more begins there, so that fields end without a step. Judged, not
// measured.
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
        return sni_fail_vertex(error, SN_RESULT_BAD_DATA, u, "the solution of the system is wrong at row %u",
                               u);
    }
    return SN_RESULT_OK;
}

// ------------------------------------------------------------------------------------------------ fallback

// The nearest handle of every unknown, by the way along edges.
typedef struct Nearest {
    double* ways;      // unknown_count
    uint16_t* handles; // unknown_count
} Nearest;

static double edge_length(const snHandleSurface* s, uint32_t a, uint32_t b) {
    const double *p = s->rest + (size_t)a * LANES, *q = s->rest + (size_t)b * LANES;
    double x = p[0] - q[0], y = p[1] - q[1], z = p[2] - q[2];
    return sqrt(x * x + y * y + z * z);
}

static bool offer(Nearest* nearest, uint32_t unknown, double way, uint16_t handle) {
    bool nearer =
        way < nearest->ways[unknown] || (way == nearest->ways[unknown] && handle < nearest->handles[unknown]);
    if (!nearer) return false;
    nearest->ways[unknown] = way;
    nearest->handles[unknown] = handle;
    return true;
}

static bool relax(const snHandleSurface* s, Nearest* nearest, uint32_t u) {
    bool changed = s->pulls[u] > 0.0 && offer(nearest, u, 0.0, s->pull_handles[u]);
    for (uint32_t e = s->ring.starts[u]; e < s->ring.starts[u + 1]; e++) {
        uint32_t v = s->ring.columns[e];
        double way = edge_length(s, u, v);
        if (v >= s->unknown_count)
            changed |= offer(nearest, u, way, s->held_handles[v - s->unknown_count]);
        else if (nearest->ways[v] < INFINITY)
            changed |= offer(nearest, u, nearest->ways[v] + way, nearest->handles[v]);
    }
    return changed;
}

// Ways only become shorter, so sweeps to and fro end.
static void find_nearest(const snHandleSurface* s, Nearest* nearest) {
    for (uint32_t u = 0; u < s->unknown_count; u++) {
        nearest->ways[u] = INFINITY;
        nearest->handles[u] = 0;
    }
    bool changed = true;
    while (changed) {
        changed = false;
        for (uint32_t u = 0; u < s->unknown_count; u++) changed |= relax(s, nearest, u);
        for (uint32_t u = s->unknown_count; u-- > 0;) changed |= relax(s, nearest, u);
    }
}

static float sum_of(const float* weights, uint32_t* used) {
    float sum = 0.0f;
    for (*used = 0; *used < TOP && weights[*used] != 0.0f; ++*used) sum += weights[*used];
    return sum;
}

// Fields of very many handles, none of which counts much: the nearest one takes it all.
static snResult replace_faint(snHandleSurface* s, snError* error) {
    uint32_t used = 0, faint = 0;
    for (uint32_t u = 0; u < s->unknown_count; u++)
        faint += !(sum_of(s->weights + (size_t)u * TOP, &used) > LEAST_SUM);
    if (faint == 0) return SN_RESULT_OK;
    const snAllocator* memory = &s->allocator;
    Nearest nearest = {SNI_NEW_ARRAY(memory, double, s->unknown_count),
                       SNI_NEW_ARRAY(memory, uint16_t, s->unknown_count)};
    bool enough = nearest.ways != NULL && nearest.handles != NULL;
    if (enough) find_nearest(s, &nearest);
    for (uint32_t u = 0; enough && u < s->unknown_count; u++) {
        float* weights = s->weights + (size_t)u * TOP;
        uint16_t* handles = s->handles + (size_t)u * TOP;
        if (sum_of(weights, &used) > LEAST_SUM) continue;
        memset(weights, 0, TOP * sizeof *weights);
        memset(handles, 0, TOP * sizeof *handles);
        weights[0] = 1.0f;
        handles[0] = nearest.handles[u];
    }
    sni_free(memory, nearest.ways);
    sni_free(memory, nearest.handles);
    return enough ? SN_RESULT_OK : sni_fail_memory(error);
}

// Sums become one.
static void normalize(snHandleSurface* s) {
    s->influence_count = 0;
    for (uint32_t u = 0; u < s->unknown_count; u++) {
        float* weights = s->weights + (size_t)u * TOP;
        uint32_t used = 0;
        float sum = sum_of(weights, &used);
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
    if (result == SN_RESULT_OK) result = replace_faint(s, error);
    if (result == SN_RESULT_OK) normalize(s);
    sni_free(memory, rows);
    sni_free(memory, x);
    sni_free(memory, scratch);
    sni_free(memory, sums);
    return result;
}
