// The surface as a system: its cotangent Laplacian.
#ifndef SNI_SHAPE_LAPLACIAN_H
#define SNI_SHAPE_LAPLACIAN_H

#include "sinew/math.h"

// Cotangent edges (never negative) and the area of each point.
typedef struct sniLaplacian {
    uint32_t count;
    uint32_t* starts;  // count + 1
    uint32_t* columns; // rising in every row
    double* values;    // cotangent weight of each edge, 0 or above
    double* areas;     // a third of the triangles around
    snAllocator allocator;
} sniLaplacian;

snResult sni_laplacian_create(const snVec3* points, uint32_t point_count, const uint32_t* triangles,
                              uint32_t triangle_count, const snAllocator* allocator, sniLaplacian* out,
                              snError* error);
void sni_laplacian_free(sniLaplacian* laplacian);
// Sorts the entries begin .. end of one row by column; equal ones keep their order.
void sni_laplacian_sort_row(sniLaplacian* laplacian, uint32_t begin, uint32_t end);

#endif
