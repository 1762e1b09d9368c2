// Handles on the surface they mark.
#ifndef SINEW_RIG_PICTURE_H
#define SINEW_RIG_PICTURE_H

#include "render.h"
#include "sinew/handles.h"

typedef struct snRigPicture {
    const snMesh* mesh;
    const snHandles* handles; // for this mesh
    snView view;
    uint32_t width, height;
    bool names;     // beside the centers
    uint32_t focus; // a close-up of this handle; SN_NONE: the whole model
} snRigPicture;

// Every handle in a color of its own, paler where its weights fall; free vertices grey; centers as dots,
// each with a line to that of the handle it hangs on. The image belongs to the caller.
snResult sn_rig_picture_draw(snRenderer* renderer, const snRigPicture* picture, const snAllocator* allocator,
                             snImage** out, snError* error);

#endif
