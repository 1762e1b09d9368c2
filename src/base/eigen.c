// A Cholesky factor with pivots, stopped where the rest is small, is as narrow as the matrix has meaning; the
// singular vectors of that factor, by rotations of its columns, are the eigenvectors wanted. (The pivots sort
// the columns by size, so the rotations converge in few sweeps.) A tridiagonal reduction of the whole matrix
// lost: it spends n^3 on what is left out afterwards.
#include "base/eigen.h"

#include <math.h>

#include "base/memory.h"

#define LANES 8

double sni_dot(const double* a, const double* b, size_t count) {
    double lanes[LANES] = {0};
    size_t whole = count / LANES * LANES;
    for (size_t i = 0; i < whole; i += LANES) {
        for (size_t k = 0; k < LANES; k++) lanes[k] += a[i + k] * b[i + k];
    }
    for (size_t i = whole; i < count; i++) lanes[i - whole] += a[i] * b[i];
    for (size_t half = LANES / 2; half > 0; half /= 2) {
        for (size_t k = 0; k < half; k++) lanes[k] += lanes[k + half];
    }
    return lanes[0];
}

// ---------------------------------------------------------------------------------------------- Cholesky

typedef struct Factor {
    const double* gram;
    uint32_t n;
    double* diagonal; // n; what the columns so far leave of it
    double* columns;  // rank * n
    size_t capacity;  // in doubles
    uint32_t rank;
    double tail;
} Factor;

// The largest entry left, the first of several; the sum of all goes to `tail`.
static uint32_t find_pivot(Factor* f) {
    uint32_t pivot = 0;
    f->tail = 0.0;
    for (uint32_t i = 0; i < f->n; i++) {
        if (f->diagonal[i] > f->diagonal[pivot]) pivot = i;
        f->tail += f->diagonal[i];
    }
    return pivot;
}

static void add_column(Factor* f, uint32_t pivot) {
    double* column = f->columns + (size_t)f->rank * f->n;
    double root = sqrt(f->diagonal[pivot]);
    for (uint32_t i = 0; i < f->n; i++) {
        column[i] = f->gram[i >= pivot ? (size_t)i * f->n + pivot : (size_t)pivot * f->n + i];
    }
    for (uint32_t k = 0; k < f->rank; k++) {
        const double* before = f->columns + (size_t)k * f->n;
        double factor = before[pivot];
        for (uint32_t i = 0; i < f->n; i++) column[i] -= factor * before[i];
    }
    for (uint32_t i = 0; i < f->n; i++) {
        column[i] /= root;
        double left = f->diagonal[i] - column[i] * column[i];
        f->diagonal[i] = left > 0.0 ? left : 0.0;
    }
    f->diagonal[pivot] = 0.0;
    f->rank++;
}

static bool factorize(Factor* f, double tail, const snAllocator* allocator) {
    double floor = 0.0;
    for (uint32_t i = 0; i < f->n; i++) {
        f->diagonal[i] = f->gram[(size_t)i * f->n + i];
        if (f->diagonal[i] > floor) floor = f->diagonal[i];
    }
    floor *= 1e-15 * (double)f->n; // what is smaller is rounding
    for (uint32_t step = 0; step < f->n; step++) {
        uint32_t pivot = find_pivot(f);
        if (f->tail <= tail || f->diagonal[pivot] <= floor) return true;
        size_t needed = 0;
        if (!sni_mul_size((size_t)f->rank + 1, f->n, &needed) ||
            !sni_grow(allocator, &f->columns, &f->capacity, needed, sizeof(double))) {
            return false;
        }
        add_column(f, pivot);
    }
    f->tail = 0.0;
    return true;
}

// ---------------------------------------------------------------------------------------------- rotations

static void rotate(double* a, double* b, uint32_t n, double c, double s) {
    for (uint32_t i = 0; i < n; i++) {
        double x = a[i], y = b[i];
        a[i] = c * x - s * y;
        b[i] = s * x + c * y;
    }
}

// Makes two columns orthogonal; false when they are already.
static bool orthogonalize(double* a, double* b, uint32_t n, double* square_a, double* square_b) {
    double product = sni_dot(a, b, n);
    if (product * product <= 1e-26 * *square_a * *square_b) return false;
    double zeta = (*square_b - *square_a) / (2.0 * product);
    double t = 1.0 / (fabs(zeta) + sqrt(1.0 + zeta * zeta));
    if (zeta < 0.0) t = -t;
    double c = 1.0 / sqrt(1.0 + t * t);
    rotate(a, b, n, c, c * t);
    *square_a -= t * product;
    *square_b += t * product;
    return true;
}

#define SWEEPS 40 // six to ten are enough

static void orthogonalize_all(double* columns, uint32_t n, uint32_t rank, double* squares) {
    bool turned = true;
    for (int sweep = 0; sweep < SWEEPS && turned; sweep++) {
        turned = false;
        for (uint32_t k = 0; k < rank; k++) {
            const double* column = columns + (size_t)k * n;
            squares[k] = sni_dot(column, column, n);
        }
        for (uint32_t p = 0; p < rank; p++) {
            for (uint32_t q = p + 1; q < rank; q++) {
                turned |= orthogonalize(columns + (size_t)p * n, columns + (size_t)q * n, n, &squares[p],
                                        &squares[q]);
            }
        }
    }
}

static void swap_columns(double* columns, uint32_t n, double* squares, uint32_t a, uint32_t b) {
    double square = squares[a];
    squares[a] = squares[b];
    squares[b] = square;
    double* x = columns + (size_t)a * n;
    double* y = columns + (size_t)b * n;
    for (uint32_t i = 0; i < n; i++) {
        double value = x[i];
        x[i] = y[i];
        y[i] = value;
    }
}

// Largest first, unit length; columns that vanished are dropped.
static uint32_t sort_columns(double* columns, uint32_t n, uint32_t rank, double* squares) {
    for (uint32_t k = 0; k < rank; k++) {
        const double* column = columns + (size_t)k * n;
        squares[k] = sni_dot(column, column, n);
    }
    for (uint32_t k = 0; k < rank; k++) {
        uint32_t largest = k;
        for (uint32_t i = k + 1; i < rank; i++) largest = squares[i] > squares[largest] ? i : largest;
        if (largest != k) swap_columns(columns, n, squares, k, largest);
        if (!(squares[k] > 0.0)) return k;
        double* column = columns + (size_t)k * n;
        double scale = 1.0 / sqrt(squares[k]);
        for (uint32_t i = 0; i < n; i++) column[i] *= scale;
    }
    return rank;
}

bool sni_eigen_leading(const double* gram, uint32_t n, double tail, const snAllocator* allocator,
                       sniEigen* out) {
    Factor factor = {.gram = gram, .n = n, .diagonal = SNI_NEW_ARRAY(allocator, double, n)};
    bool done = factor.diagonal != NULL && factorize(&factor, tail, allocator);
    sni_free(allocator, factor.diagonal);
    double* values = done ? SNI_NEW_ARRAY(allocator, double, factor.rank) : NULL;
    if (values == NULL) {
        sni_free(allocator, factor.columns);
        return false;
    }
    orthogonalize_all(factor.columns, n, factor.rank, values);
    *out = (sniEigen){.vectors = factor.columns, .values = values, .tail = factor.tail};
    out->rank = sort_columns(factor.columns, n, factor.rank, values);
    return true;
}

void sni_eigen_free(sniEigen* eigen, const snAllocator* allocator) {
    sni_free(allocator, eigen->vectors);
    sni_free(allocator, eigen->values);
    *eigen = (sniEigen){0};
}
