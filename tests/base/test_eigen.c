// Leading eigenvectors against matrices whose eigenvectors are known.
#include <math.h>
#include <stdlib.h>

#include "base/eigen.h"
#include "support.h"

// The lower triangle of the sum of values[k] * v_k v_k^T.
static double* make_gram(const double* vectors, const double* values, uint32_t n, uint32_t rank) {
    double* gram = calloc((size_t)n * n, sizeof *gram);
    assert_non_null(gram);
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < n; j++) {
            for (uint32_t k = 0; k < rank; k++)
                gram[i * n + j] += values[k] * vectors[k * n + i] * vectors[k * n + j];
            if (j > i) gram[i * n + j] = (double)NAN; // must not be read
        }
    }
    return gram;
}

// Orthonormal vectors by Gram and Schmidt.
static double* make_vectors(uint32_t n, uint32_t rank, uint32_t seed) {
    double* v = calloc((size_t)n * rank, sizeof *v);
    assert_non_null(v);
    for (uint32_t k = 0; k < rank; k++) {
        double* a = v + (size_t)k * n;
        for (uint32_t i = 0; i < n; i++) a[i] = (double)test_random_float(&seed, -1, 1);
        for (uint32_t j = 0; j < 2 * k; j++) {
            const double* b = v + (size_t)(j % k) * n;
            double product = sni_dot(a, b, n);
            for (uint32_t i = 0; i < n; i++) a[i] -= product * b[i];
        }
        double length = sqrt(sni_dot(a, a, n));
        for (uint32_t i = 0; i < n; i++) a[i] /= length;
    }
    return v;
}

static void finds_known_eigenvectors(void** state) {
    (void)state;
    enum { N = 37, RANK = 5 };
    const double values[RANK] = {90.0, 7.0, 6.9, 0.5, 1e-4};
    double* vectors = make_vectors(N, RANK, 7);
    double* gram = make_gram(vectors, values, N, RANK);
    snAllocator memory = sn_allocator_default();
    sniEigen eigen;
    assert_true(sni_eigen_leading(gram, N, 0.0, &memory, &eigen));
    assert_int_equal(eigen.rank, RANK);
    assert_near(eigen.tail, 0.0, 1e-11);
    for (uint32_t k = 0; k < RANK; k++) {
        assert_near(eigen.values[k], values[k], 1e-10);
        assert_near(fabs(sni_dot(eigen.vectors + k * N, vectors + k * N, N)), 1.0, k < 4 ? 1e-12 : 1e-9);
        for (uint32_t j = 0; j <= k; j++)
            assert_near(sni_dot(eigen.vectors + k * N, eigen.vectors + j * N, N), j == k ? 1.0 : 0.0, 1e-12);
    }
    sni_eigen_free(&eigen, &memory);
    free(gram);
    free(vectors);
}

// What is left out is at most what was allowed, and the rest is there.
static void leaves_out_what_is_allowed(void** state) {
    (void)state;
    enum { N = 60, RANK = 30 };
    double values[RANK], trace = 0.0;
    for (uint32_t k = 0; k < RANK; k++) trace += values[k] = pow(0.6, k);
    double* vectors = make_vectors(N, RANK, 3);
    double* gram = make_gram(vectors, values, N, RANK);
    snAllocator memory = sn_allocator_default();
    uint32_t before = RANK + 1;
    for (double tail = 1e-6; tail < 1.0; tail *= 100.0) {
        sniEigen eigen;
        assert_true(sni_eigen_leading(gram, N, tail, &memory, &eigen));
        double sum = eigen.tail;
        for (uint32_t k = 0; k < eigen.rank; k++) sum += eigen.values[k];
        assert_true(eigen.tail <= tail);
        assert_true(eigen.rank < before);
        assert_near(sum, trace, 1e-12);
        assert_near(eigen.values[0], 1.0, tail);
        before = eigen.rank;
        sni_eigen_free(&eigen, &memory);
    }
    free(gram);
    free(vectors);
}

static void small_and_empty_matrices(void** state) {
    (void)state;
    snAllocator memory = sn_allocator_default();
    sniEigen eigen;
    double zero[4] = {0}, one = 9.0;
    assert_true(sni_eigen_leading(zero, 2, 0.0, &memory, &eigen));
    assert_int_equal(eigen.rank, 0);
    sni_eigen_free(&eigen, &memory);
    assert_true(sni_eigen_leading(&one, 1, 0.0, &memory, &eigen));
    assert_int_equal(eigen.rank, 1);
    assert_near(eigen.values[0], 9.0, 1e-12);
    assert_near(eigen.vectors[0], 1.0, 1e-12);
    sni_eigen_free(&eigen, &memory);
}

static snResult build(const snAllocator* allocator, void* context) {
    sniEigen eigen;
    if (!sni_eigen_leading(context, 40, 0.0, allocator, &eigen)) return SN_RESULT_OUT_OF_MEMORY;
    sni_eigen_free(&eigen, allocator);
    return SN_RESULT_OK;
}

static void survives_every_failing_allocation(void** state) {
    (void)state;
    double values[20];
    for (uint32_t k = 0; k < 20; k++) values[k] = 1.0 + k;
    double* vectors = make_vectors(40, 20, 5);
    double* gram = make_gram(vectors, values, 40, 20);
    test_every_allocation(build, gram);
    free(gram);
    free(vectors);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_known_eigenvectors),
        cmocka_unit_test(leaves_out_what_is_allowed),
        cmocka_unit_test(small_and_empty_matrices),
        cmocka_unit_test(survives_every_failing_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
