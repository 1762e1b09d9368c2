// What a brush touches.
#ifndef SNI_DOCUMENT_PAINT_H
#define SNI_DOCUMENT_PAINT_H

#include "document.h"

typedef struct sniStroke {
    const snPart* part;
    const snTopology* topology; // over the points of the part's weld; the document's
    float* amounts;             // vertex_count; 0 .. 1: how much the brush does at each
    float* mirrored;            // the same on the other side; NULL: it is not mirrored
    snAllocator allocator;
} sniStroke;

// SN_RESULT_INVALID_ARGUMENT: no such part or vertex, numbers out of their ranges.
snResult sni_stroke_open(snDocument* document, const snBrush* brush, snPaint how, float strength,
                         sniStroke* out, snError* error);
void sni_stroke_close(sniStroke* stroke);

#endif
