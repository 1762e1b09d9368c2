// A surface of a pane, kept on the GPU: the mesh that it shares, what hangs it each frame, and what its look
// shows.
#ifndef SINEW_VIEW_SURFACE_H
#define SINEW_VIEW_SURFACE_H

#include "painter.h"
#include "shot_points.h"
#include "sinew/character.h"
#include "view_model.h"

// Bytes that have gone to the GPU.
typedef struct snViewBytes {
    uint64_t kept, streamed;
} snViewBytes;

typedef struct snViewSurface {
    snViewMesh* mesh;
    snShotItem item;
    snGpuItem gpu; // arrays of its own
    // One of them hangs it.
    snShotPoints* points;
    snShotLattice* lattice;
    snShotSpline* splines;
    uint32_t* embedded; // of the lattice
    snVec3* normals;    // the same
    bool wires;         // edges hang, too
    GLuint attached_surface, attached_wires;
    GLuint heat, paint; // buffers; 0 until they are needed
    float* values;      // heat, one per vertex of the mesh
    float* staged;      // the same as uploaded
    snViewBytes* bytes;
    snAllocator allocator;
} snViewSurface;

// Where a surface is: positions and normals; and, of a character, what the GPU can move it by.
typedef struct snViewPlace {
    snSurface surface;
    const snVec4* particles;
    const snMat4* matrices;
    const snSplinePose* poses;
    snSceneFrame frame;
} snViewPlace;

typedef struct snViewSurfaceDef {
    const snPainter* painter;
    snViewMesh* mesh;
    snShotItem item;
    // A part that is hung by particles or splines where it can be. NULL character: by positions.
    const snModel* model;
    const snCharacter* character;
    uint32_t part;
    snViewBytes* bytes;
} snViewSurfaceDef;
// All that the Def points to must outlive it.
snResult sn_view_surface_open(snViewSurface* surface, const snViewSurfaceDef* def,
                              const snAllocator* allocator, snError* error);
void sn_view_surface_close(snViewSurface* surface);
snResult sn_view_surface_hang(snViewSurface* surface, const snViewPlace* place, snError* error);

// Looks. Arrays for heat are made sure of first; sn_view_surface_heat uploads `values`.
snResult sn_view_surface_need_heat(snViewSurface* surface, snError* error);
void sn_view_surface_heat(snViewSurface* surface, float low, float high);
// Colors of its own, one per vertex of the mesh.
snResult sn_view_surface_paint(snViewSurface* surface, const snVec4* colors, snError* error);
typedef enum snViewTint { SN_VIEW_TINT_NONE, SN_VIEW_TINT_MESH, SN_VIEW_TINT_PAINT } snViewTint;
void sn_view_surface_dress(snViewSurface* surface, snViewTint tint, bool heat);

#endif
