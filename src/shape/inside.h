// Which cells of a grid are inside a surface.
#ifndef SNI_SHAPE_INSIDE_H
#define SNI_SHAPE_INSIDE_H

#include "sinew/math.h"

typedef struct sniInsideDef {
    uint32_t point_count;
    const snVec3* points;
    uint32_t triangle_count;
    const uint32_t* triangles; // triangle_count * 3; need not be closed, oriented or one piece
    const uint8_t* wanted;     // triangle_count: those that count; NULL: all
    snBounds bounds;           // of what counts
    uint32_t cells;            // along the longest side
    uint32_t border;           // empty cells around, 1 or more
    bool touched;              // cells that the surface touches are inside, too
} sniInsideDef;

typedef struct sniInside {
    double origin[3]; // center of cell 0, 0, 0
    double size;      // edge of a cell
    uint32_t grid[3];
    uint8_t* cells; // x fastest; 1: inside
    snAllocator allocator;
} sniInside;

// SN_RESULT_LIMIT where the grid would be absurdly large.
snResult sni_inside_create(const sniInsideDef* def, const snAllocator* allocator, sniInside* out,
                           snError* error);
void sni_inside_free(sniInside* inside);
static inline size_t sni_inside_count(const sniInside* inside) {
    return (size_t)inside->grid[0] * inside->grid[1] * inside->grid[2];
}

bool sni_inside_holds(const sniInside* inside, snVec3 p);
// Share of the straight line from a to b that is inside, asked at `samples` places spread over it evenly.
float sni_inside_share(const sniInside* inside, snVec3 a, snVec3 b, uint32_t samples);

#endif
