// What a selector holds.
#ifndef SNI_HANDLES_SELECTOR_H
#define SNI_HANDLES_SELECTOR_H

#include "handles/points.h"
#include "sinew/handles.h"

struct snSelector {
    const snMesh* mesh;
    sniPoints points;
    sniDistances distances;
    // Per point, for whoever is at work.
    uint8_t* marks;
    uint32_t* rings;
    uint32_t* queue;
    snAllocator allocator;
};

#endif
