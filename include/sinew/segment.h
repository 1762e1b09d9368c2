// Sinew: handles found in an unmarked mesh.
#ifndef SINEW_SEGMENT_H
#define SINEW_SEGMENT_H

#include "sinew/handles.h"

#ifdef __cplusplus
extern "C" {
#endif

// A first guess for an unmarked mesh: pieces that lie close are joined; limbs are found by the mean distance
// of every point from all others along the surface, cut where they are thin or bend, and named by where they
// are (+Y up, +Z forward; left_ and right_ where they come in pairs). Where vertices mirror in x, so do
// handles. Says how sure it is, handle by handle.
typedef struct snSegmentationDef {
    const snMesh* mesh;
    const snWeld* weld; // NULL: vertices at one place (SN_WELD_AUTO) are one point
    float detail; // 0 .. 1; how much a limb must stand out, from everything to the coarsest; default 0.5
    float band;   // width of what stays free around a cut, in radii of the limb; default 2
    snProgress progress; // default: nobody listens
} snSegmentationDef;
SN_API snSegmentationDef sn_segmentation_def(void);
// SN_RESULT_BAD_DATA: a mesh without faces or extent. `out_confidence` (0 .. 1, of the whole) may be NULL.
SN_API snResult sn_segmentation_create(const snSegmentationDef* def, const snAllocator* allocator,
                                       snHandles** out, float* out_confidence, snError* error);

#ifdef __cplusplus
}
#endif

#endif
