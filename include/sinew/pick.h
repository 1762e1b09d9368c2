// Sinew: what a ray meets on the surfaces of a model as they move, for hands on a screen; and the middle of
// what it passes through, to put joints there.
#ifndef SINEW_PICK_H
#define SINEW_PICK_H

#include "sinew/rig.h"

#ifdef __cplusplus
extern "C" {
#endif

// A tree of boxes over the triangles of all parts; faces are fanned from their first corner.
typedef struct snPicker snPicker;
// The model (its faces and weights) must outlive the picker. `surfaces` (part_count, with positions for every
// vertex) are copied.
SN_API snResult sn_picker_create(const snModel* model, const snSurface* surfaces,
                                 const snAllocator* allocator, snPicker** out, snError* error);
SN_API void sn_picker_destroy(snPicker* picker);
// Takes the surfaces where they are now (copied). Allocates nothing, and does not make the tree anew:
// surfaces may move in any way, far from where they were made it only takes longer to search. What is not
// finite is never met. SN_RESULT_INVALID_ARGUMENT, and nothing changed, where vertices are missing.
SN_API snResult sn_picker_refit(snPicker* picker, const snSurface* surfaces);

typedef struct snPick {
    uint32_t part;
    uint32_t face;
    uint32_t corners[3];   // vertices of the part: the triangle of the face
    float barycentrics[3]; // how much of each corner, 0 or more, summing to 1
    uint32_t vertex;       // of the face's corners the nearest
    uint32_t joint;        // of the skeleton, with the largest weight there
    uint32_t handle;       // of the document's, likewise (sn_document_pick); SN_NONE: none, or unknown
    float distance;        // metres from the origin
    snVec3 position;       // world
    bool back;             // its face is seen from behind
} snPick;
// The nearest triangle, seen from either side. The direction may have any length but 0. False, and nothing
// written, where it meets nothing.
SN_API bool sn_pick_ray(const snPicker* picker, snVec3 origin, snVec3 direction, snPick* out);
// The middle of the first stretch of flesh along the ray: half way between where it enters a solid and where
// it leaves the same. Solids within solids count as part of the outer, sheets in front of one are passed, and
// all faces may be inside out. Where there is nothing solid, the nearest place on the surface. False, and
// nothing written, where it meets nothing.
SN_API bool sn_pick_middle(const snPicker* picker, snVec3 origin, snVec3 direction, snVec3* out);

#ifdef __cplusplus
}
#endif

#endif
