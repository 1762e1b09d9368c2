// One frame of a surface between handles, compiled once per instruction set.
#ifndef SNI_SURFACE_KERNELS_H
#define SNI_SURFACE_KERNELS_H

#include "base/levels.h"
#include "surface/surface.h"

typedef struct sniSurfaceKernels {
    // Places and turns of all local points from the handles' motions.
    void (*predict)(const sniSurfaceFrame* frame);
    // How the surface was turned at the unknowns, details left out: from frame->columns to frame->turned.
    void (*fit_details)(const sniSurfaceFrame* frame);
    // The rotation that takes each neighbourhood at rest nearest to where it is now, in frame->columns.
    void (*fit)(const sniSurfaceFrame* frame);
    // Right-hand sides of the equations of details, and of the rigid method, for what the places miss.
    void (*miss_details)(const sniSurfaceFrame* frame);
    void (*miss_rigid)(const sniSurfaceFrame* frame);
    void (*add_steps)(const sniSurfaceFrame* frame);
    void (*emit)(const sniSurfaceFrame* frame, snVec3* positions, snVec3* normals); // normals may be NULL
} sniSurfaceKernels;

SNI_DECLARE_KERNELS(sni_surface_frame_kernels, sniSurfaceKernels);

#endif
