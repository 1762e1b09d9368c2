// Handles on the surface they mark.
#ifndef SINEW_RIG_PICTURE_H
#define SINEW_RIG_PICTURE_H

#include "render.h"

typedef struct cliRigPicture {
    const snMesh* mesh;
    const snHandles* handles; // for this mesh
    snView view;
    uint32_t width, height;
    bool names;     // beside the centres
    uint32_t focus; // a close-up of this handle; SN_NONE: the whole model
} cliRigPicture;

// Every handle in a colour of its own, paler where its weights fall; free vertices grey; centres as dots,
// each with a line to that of the handle it hangs on. The image belongs to the caller.
snResult rig_picture_draw(snRenderer* renderer, const cliRigPicture* picture, const snAllocator* memory,
                          snImage** out, snError* error);

#endif
