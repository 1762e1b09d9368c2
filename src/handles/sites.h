// Triangles of handles, for finding which is nearest to a place.
#ifndef SNI_HANDLES_SITES_H
#define SNI_HANDLES_SITES_H

#include "base/box_tree.h"
#include "sinew/shape.h"

// A triangle with a corner of a handle; a lone point is one with equal corners.
typedef struct sniSite {
    snVec3 corners[3];
    uint32_t handle;
} sniSite;

typedef struct sniSites {
    uint32_t count;
    sniSite* items; // filled by the caller before sni_sites_build
    sniBoxTree tree;
    void* memory; // of the tree
} sniSites;

// The best so far: begin with INFINITY and SN_NONE.
typedef struct sniNearestSite {
    float distance; // metres
    uint32_t handle;
} sniNearestSite;

bool sni_sites_build(sniSites* sites, const snAllocator* memory);
void sni_sites_free(sniSites* sites, const snAllocator* memory);
// Improves on what was found before, if it can; of handles at the same distance the lowest is nearest.
void sni_sites_nearest(const sniSites* sites, snVec3 place, sniNearestSite* best);

#endif
