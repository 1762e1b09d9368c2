// A viewport: up to two characters that move, drawn again and again into a canvas of a page (WebGL2) or, on
// the desktop, into memory (EGL). It looks as the pictures of render.h do.
//
// What does not change is uploaded once (sn_viewport_set_model); each frame brings what moved
// (sn_viewport_update: positions and normals, or only the particles or matrices where the GPU itself moves
// the surface) and draws (sn_viewport_draw). Neither allocates once a look has been drawn. A viewport belongs
// to one thread. Pictures are outside the promise of equal bits.
//
// Pixels are those of the canvas, counted from its upper left corner, x to the right and y down.
#ifndef SINEW_VIEWPORT_H
#define SINEW_VIEWPORT_H

#include "orbit.h"
#include "sinew/character.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SN_VIEWPORT_PANES 2

typedef struct snViewport snViewport;

typedef struct snViewportDef {
    // CSS selector of the canvas, or a name in Module.specialHTMLTargets; must be given in a page. NULL, the
    // default: pictures are kept in memory (sn_viewport_read).
    const char* canvas;
    uint32_t supersample; // 1 .. 4, each side; default 2. 1 suits screens with small pixels
    uint32_t samples;     // of the driver's multisampling, as many as it has up to this; 0, the default: 2
                          // where supersampled, else 4
} snViewportDef;
SN_API snViewportDef sn_viewport_def(void);

// SN_RESULT_UNSUPPORTED where there is no WebGL2, or no offscreen OpenGL 3.3.
SN_API snResult sn_viewport_create(const snViewportDef* def, const snAllocator* allocator, snViewport** out,
                                   snError* error);
SN_API void sn_viewport_destroy(snViewport* viewport);
// Drops everything that was uploaded of models and images; panes are empty then. Before a model's mesh,
// materials or images change or die. Models that a pane shows now must be set again.
SN_API void sn_viewport_forget(snViewport* viewport);

// -------------------------------------------------------------------------------------------------- models

// What a pane (0: left, or the only one; 1: right) shows. Both must outlive this, or the next call for the
// pane; NULL model: nothing. NULL character: the model at rest. To be called again after
// sn_character_update_settings and when the model's mesh was replaced; what is the same stays on the GPU, and
// both panes share what belongs to one model.
SN_API snResult sn_viewport_set_model(snViewport* viewport, uint32_t pane, const snModel* model,
                                      const snCharacter* character, snError* error);
// Uploads where the character is now. After each pose; allocates nothing.
SN_API snResult sn_viewport_update(snViewport* viewport, uint32_t pane, snError* error);
// Weights of the model (painting) or the given heat have changed in place: looks that show them are filled
// again by the next draw.
SN_API void sn_viewport_touch(snViewport* viewport, uint32_t pane);
// Values of one's own for SN_SHOW_GIVEN (doubts, gaps, changes of volume): `values` has a float for every
// vertex of all parts, part after part; it must outlive its use. NULL: none. The texts are copied.
// sn_viewport_set_model forgets them.
SN_API snResult sn_viewport_set_heat(snViewport* viewport, uint32_t pane, const float* values, uint32_t count,
                                     float min, float max, const char* title, const char* unit,
                                     snError* error);

// --------------------------------------------------------------------------------------------------- looks

typedef enum snShow {
    SN_SHOW_SURFACE = 0,
    SN_SHOW_NORMALS,     // as colors: x red, y green, z blue
    SN_SHOW_WEIGHTS,     // of the look's joint, a heat map
    SN_SHOW_ALL_WEIGHTS, // a color for every joint, mixed
    SN_SHOW_LATTICE,     // its cells by kind: surface, inside, copies
    SN_SHOW_PARTS,       // its cells by joint part
    SN_SHOW_MOVES,       // how far the surface is from where the skin alone would put it, in mm
    SN_SHOW_GIVEN        // the values of sn_viewport_set_heat
} snShow;

typedef enum snBackdrop {
    SN_BACKDROP_LIGHT = 0,
    SN_BACKDROP_DARK,
    SN_BACKDROP_NONE // pictures that are read are transparent, but for the shadow on the floor; canvases have
                     // no alpha
} snBackdrop;

typedef struct snLook {
    snShow show;             // default SN_SHOW_SURFACE; what a model cannot show falls back to the surface
    uint32_t joint;          // of SN_SHOW_WEIGHTS; default 0
    bool materials;          // the model's own colors and images, else clay; default true
    bool wireframe;          // polygon edges on top, quads as quads; default false
    bool joints;             // bones and joints, seen through the body; default false
    bool ground;             // a floor that catches shadows; default true
    uint32_t selected_part;  // outlined; default SN_NONE
    uint32_t selected_joint; // accented among the joints; default SN_NONE
} snLook;
SN_API snLook sn_look(void);

// The key of a heat map, for the page to draw. `title` is NULL where there is none. Valid until the next call
// for the viewport.
typedef struct snLegendInfo {
    const char* title; // "Weight of LeftUpLeg"
    const char* unit;  // "mm"; "" for none
    float min, max;
    uint32_t color_count;
    const uint32_t* colors; // 0xRRGGBB, sRGB, even steps from min to max
} snLegendInfo;
// Of what the pane drew last.
SN_API void sn_viewport_legend(snViewport* viewport, uint32_t pane, snLegendInfo* out);

// --------------------------------------------------------------------------------------------------- views

typedef enum snMarkKind {
    SN_MARK_POINT = 0, // a disc at `a`
    SN_MARK_LINE,      // from `a` to `b`
    SN_MARK_RING       // around `a`; `b` is its axis, or zero: it faces the camera
} snMarkKind;

// Something drawn over a scene: where flesh is pulled, a contact, a brush.
typedef struct snMark {
    snMarkKind kind;
    snVec3 a, b;    // world; metres
    float size;     // pixels: a point's diameter, a line's and a ring's width
    float radius;   // of a ring: metres, or pixels where below 0
    uint32_t color; // 0xRRGGBBAA, sRGB
    bool on_top;    // seen through the body
    uint32_t panes; // bit i: shown in pane i
} snMark;
// White, on top, 6 pixels, in both panes.
SN_API snMark sn_mark(void);

typedef enum snSplit {
    SN_SPLIT_OFF = 0, // pane 0 alone
    SN_SPLIT_SIDES,   // side by side: each pane has the camera's view in its own half
    SN_SPLIT_WIPE     // one view, pane 0 left of the line and pane 1 right of it
} snSplit;

typedef enum snGizmoKind { SN_GIZMO_NONE = 0, SN_GIZMO_MOVE, SN_GIZMO_TURN } snGizmoKind;
typedef enum snGizmoPart { SN_GIZMO_PART_NONE = 0, SN_GIZMO_X, SN_GIZMO_Y, SN_GIZMO_Z } snGizmoPart;

// Three arrows or three rings of a size that does not depend on the distance.
typedef struct snGizmo {
    snGizmoKind kind; // default SN_GIZMO_NONE
    snVec3 at;        // world
    snQuat axes;      // which way its axes point; default those of the world
    uint32_t pane;    // where it is drawn and picked; default 0
    snGizmoPart hot;  // drawn brighter: under the cursor, or held
} snGizmo;

typedef struct snViewDef {
    uint32_t width, height; // pixels of the canvas, 1 .. 8192; default 640 x 640
    snOrbit orbit;          // shared by both panes
    snVec3 follow;          // added to the orbit's target: how far the camera has gone along; default 0
    snSplit split;          // default SN_SPLIT_OFF
    float split_at;         // of the width, 0 .. 1; default 0.5
    snBackdrop backdrop;    // default SN_BACKDROP_LIGHT
    snLook looks[SN_VIEWPORT_PANES];
    float floor; // height of the ground; default NAN: the lowest point of the models at rest
    const snMark* marks;
    uint32_t mark_count;
    snGizmo gizmo;
    bool axes;    // x, y and z in the upper right corner, lettered; default false
    float axes_x; // pixels from the right and from the top to their middle; default 56 and 56
    float axes_y;
    float pixel_ratio; // canvas pixels per CSS pixel: widths of lines, dots and gizmos; default 1
} snViewDef;
SN_API snViewDef sn_view_def(void);

// Draws into the canvas, or into memory.
SN_API snResult sn_viewport_draw(snViewport* viewport, const snViewDef* view, snError* error);
// The picture drawn last. Free with sn_image_destroy.
SN_API snResult sn_viewport_read(snViewport* viewport, const snAllocator* allocator, snImage** out,
                                 snError* error);

// Waits until what was drawn is there; for measuring.
SN_API void sn_viewport_finish(snViewport* viewport);
// What draws: the name of a GPU, or of software.
SN_API const char* sn_viewport_renderer(const snViewport* viewport);

// --------------------------------------------------------------------------------- places in what was drawn

// All of these ask about the last draw.

// Which pane a pixel lies in.
SN_API uint32_t sn_viewport_pane(const snViewport* viewport, float x, float y);
// The rectangle of a pane's camera: pixels of the canvas that sn_camera_ray, sn_camera_pixel, sn_orbit_pan
// and sn_orbit_zoom mean, less its x and y. With SN_SPLIT_WIPE it is the whole canvas for both.
typedef struct snPaneRect {
    float x, y, width, height;
} snPaneRect;
SN_API void sn_viewport_camera(const snViewport* viewport, uint32_t pane, snCamera* out,
                               snPaneRect* out_rect);
// The ray through a pixel, by the camera of the pane that it lies in. For sn_document_pick.
SN_API void sn_viewport_ray(const snViewport* viewport, float x, float y, snVec3* out_origin,
                            snVec3* out_direction);
// Where a world point is seen: pixels of the canvas, and z, the distance in front of the eye.
SN_API snVec3 sn_viewport_project(const snViewport* viewport, uint32_t pane, snVec3 point);
// The joint nearest to a pixel within `radius` pixels; of several in one place the one nearest to the eye.
// SN_NONE: none.
SN_API uint32_t sn_viewport_pick_joint(const snViewport* viewport, uint32_t pane, float x, float y,
                                       float radius);
// Which end of the axes in the corner is at a pixel.
SN_API snAxisView sn_viewport_pick_axis(const snViewport* viewport, float x, float y);
// Which part of the gizmo is at a pixel.
SN_API snGizmoPart sn_viewport_pick_gizmo(const snViewport* viewport, float x, float y);

// What a pane's surface reaches now; empty without a model. For sn_orbit_frame.
SN_API snBounds sn_viewport_bounds(const snViewport* viewport, uint32_t pane);
// The middle of the joints now. Its way from one frame to the next is what sn_orbit_follow takes.
SN_API snVec3 sn_viewport_middle(const snViewport* viewport, uint32_t pane);

// Since the viewport was made; differences tell what one frame took.
typedef struct snViewportStats {
    uint64_t bytes_kept;     // uploaded once: indices, uvs, colors, images, tables
    uint64_t bytes_streamed; // uploaded by updates and by what looks show
    uint64_t draw_calls;
    uint64_t shadows;     // maps drawn; none where nothing moved
    uint64_t allocations; // of this viewport's memory
} snViewportStats;
SN_API void sn_viewport_stats(const snViewport* viewport, snViewportStats* out);

#ifdef __cplusplus
}
#endif

#endif
