// Offscreen pictures of deformed meshes: OpenGL through EGL, without a display and without a GPU.
//
// A scene is a view of data that the caller owns; a draw returns a fresh image. Everything is relative to the
// scene's bounds, so a model of two centimetres and one of two hundred metres look alike. Pictures are
// outside the promise of equal bits: they depend on the OpenGL driver.
#ifndef SINEW_RENDER_H
#define SINEW_RENDER_H

#include "camera.h"
#include "sinew/io.h"
#include "sinew/lattice.h"
#include "sinew/spline.h"

typedef struct snRenderer snRenderer;

// SN_RESULT_UNSUPPORTED where no offscreen OpenGL 3.3 exists. A renderer belongs to one thread.
snResult sn_renderer_create(const snAllocator* allocator, snRenderer** out, snError* error);
void sn_renderer_destroy(snRenderer* renderer);

// A surface that the GPU itself hangs in a lattice: what does not change is uploaded once, each draw brings
// only the particles.
typedef struct snShotLattice snShotLattice;
typedef struct snShotLatticeDef {
    const snMesh* mesh;
    const snLattice* lattice;
    const uint32_t* vertex_points; // mesh->vertex_count; embedded points of the lattice
    const snVec3* normals;         // mesh->vertex_count, unit, at rest; NULL: flat shading
} snShotLatticeDef;
// All of the Def must outlive it. SN_RESULT_UNSUPPORTED for more cells than a texture holds (millions): give
// the items positions instead.
snResult sn_shot_lattice_create(snRenderer* renderer, const snShotLatticeDef* def,
                                const snAllocator* allocator, snShotLattice** out, snError* error);
// Before the renderer it was made with.
void sn_shot_lattice_destroy(snRenderer* renderer, snShotLattice* lattice);

// A surface that the GPU itself hangs on splines, with its styles: each draw brings matrices and poses.
typedef struct snShotSpline snShotSpline;
typedef struct snShotSplineDef {
    const snMesh* mesh;
    const snSplines* splines;
    const snSplineSkin* skin; // of the mesh's vertices, with normals
} snShotSplineDef;
// All of the Def must outlive it. SN_RESULT_UNSUPPORTED for vertices with several styles and for more than
// textures hold: give the items positions instead.
snResult sn_shot_spline_create(snRenderer* renderer, const snShotSplineDef* def, const snAllocator* allocator,
                               snShotSpline** out, snError* error);
// Before the renderer it was made with.
void sn_shot_spline_destroy(snRenderer* renderer, snShotSpline* spline);

// One surface. Arrays belong to the caller.
typedef struct snShotItem {
    const snMesh* mesh;            // faces, uvs, vertex colors, groups
    const snVec3* positions;       // mesh->vertex_count, world space; NULL: the mesh's own
    const snVec3* normals;         // mesh->vertex_count, unit; NULL: flat shading
    snShotLattice* lattice;        // of this mesh: hangs it in `particles`, instead of the two above; or NULL
    const snVec4* particles;       // of the lattice, world space; with `lattice`
    snShotSpline* splines;         // of this mesh: hangs it on splines, instead of positions; or NULL
    const snMat4* spline_matrices; // of sn_splines_run; with `splines`
    const snSplinePose* spline_poses; // the same
    const snMaterial* materials;      // indexed by group_materials; NULL: `color` everywhere
    const uint32_t* group_materials;  // one per group of the mesh; SN_NONE or NULL: `color`
    const float* heat;                // mesh->vertex_count in scene.heat_min .. heat_max, or NULL
    bool show_normals;                // as colors instead of its own; default false
    bool one_sided; // closed and outward: back faces are never seen and need no drawing; default false
    snVec3 color;   // linear RGB of faces without a material
} snShotItem;

// An item with the default clay color.
snShotItem sn_shot_item(const snMesh* mesh);

typedef struct snShot {
    uint32_t width, height; // pixels of the picture, 1 .. 8192
    uint32_t supersample;   // 1 (films) .. 4, times the driver's own multisampling; default 2
    uint32_t item_count;
    const snShotItem* items;
    // Of the whole clip: sets the scale and the lights' reach. Beyond 1e18 is bad data.
    snBounds bounds;
    float floor;            // height of the ground; NAN, the default: the lowest point of the bounds
    snCamera camera;        // from sn_camera_frame
    bool ground;            // a floor that catches shadows; default true
    bool wireframe;         // polygon edges over the surface, quads as quads; default false
    float heat_min;         // value of the ramp's dark end; default 0
    float heat_max;         // value of the ramp's light end; default 1
    bool heat_fades;        // the ramp begins with the grey of clay; default false
    const char* heat_title; // draws a legend when not NULL
    snVec3 background;      // linear RGB at the horizon; default a light neutral grey
    snVec3 shade;           // linear RGB of the ground where no light comes; default nearly black
    float vignette;         // how much darker it is towards the corners; default 0.34
} snShot;

snShot sn_shot(void);
// A dark backdrop instead of the light one.
void sn_shot_darken(snShot* shot);

// Draws the scene into a new image (free with sn_image_destroy). Material images are uploaded once and kept:
// call sn_renderer_forget before their pixels change or die.
snResult sn_renderer_draw(snRenderer* renderer, const snShot* scene, const snAllocator* allocator,
                          snImage** out, snError* error);
void sn_renderer_forget(snRenderer* renderer);

#endif
