// Leading eigenvectors of a Gram matrix.
#ifndef SNI_BASE_EIGEN_H
#define SNI_BASE_EIGEN_H

#include "sinew/base.h"

typedef struct sniEigen {
    uint32_t rank;
    double* vectors; // rank * n; orthonormal
    double* values;  // rank; eigenvalues, falling, all above 0
    double tail;     // sum of the eigenvalues left out, which are the smallest
} sniEigen;

// `gram` is n * n, symmetric and positive semidefinite but for rounding; its lower triangle is read. Leaves
// out at most `tail` in sum, and what rounding hides. False: out of memory.
bool sni_eigen_leading(const double* gram, uint32_t n, double tail, const snAllocator* allocator,
                       sniEigen* out);
void sni_eigen_free(sniEigen* eigen, const snAllocator* allocator);

// Sum of products in a fixed order of eight lanes, the same on every machine.
double sni_dot(const double* a, const double* b, size_t count);

#endif
