// What a viewport holds, for its own sources.
#ifndef SINEW_VIEW_STATE_H
#define SINEW_VIEW_STATE_H

#include "outline.h"
#include "strokes.h"
#include "view_pane.h"

#define SN_LEGEND_COLORS 17

// What lies behind a pane.
typedef struct snViewUnder {
    snVec3 background, shade;
    float vignette;
    bool ground;       // there is a floor, and it is seen from above
    float floor_at[9]; // from -1 .. 1 in the pane to the floor's x and z times w, and w; columns
} snViewUnder;

// Pixels of the target, from its lower left corner. All zero: none.
typedef struct snViewBox {
    GLint left, bottom, right, top;
} snViewBox;
#define SN_VIEW_AXES SN_VIEWPORT_PANES // the box of the axes, behind those of the panes
#define SN_VIEW_BOXES (SN_VIEWPORT_PANES + 1)

// Strokes over a pane, in the viewport's list: those that the body hides, then those on top.
typedef struct snViewOver {
    size_t first, within, on_top;
} snViewOver;

struct snViewport {
    snViewportDef def;
    snGlContext context;
    bool on_canvas; // the page shows what is drawn; else it is kept
    snPainter painter;
    snStrokes strokes;
    snOutline outline;
    GLuint present_program;
    snTarget picture;  // multisampled; colors times alpha, nothing where there is only the backdrop
    snTarget resolved; // one sample a pixel, for shaders
    snTarget shown;    // finished pixels, where there is no canvas or a picture is read
    uint32_t samples;
    snViewPane panes[SN_VIEWPORT_PANES];
    snViewUnder under[SN_VIEWPORT_PANES]; // drawn last
    snViewBox boxes[SN_VIEW_BOXES];       // the same
    snViewBytes bytes;
    uint64_t shadows;
    snViewDef view; // drawn last, less its marks
    bool drawn;
    uint32_t legend_colors[SN_LEGEND_COLORS];
    snAllocator allocator; // counts, and hands on to `parent`
    snAllocator parent;
    uint64_t allocations;
};

// Says that the context was lost.
snResult sn_view_lost(snError* error);
snResult sn_view_no_room(uint32_t width, uint32_t height, snError* error);

// view_present.c: finished pixels, in the canvas or in memory.
snResult sn_view_present_open(snViewport* viewport, snError* error);
snViewUnder sn_view_under(const snPainting* painting);
snResult sn_view_present(snViewport* viewport, bool on_canvas, snError* error);

// view_box.c: what of the picture is a pane's, and what of that something is drawn into; `outline` in pixels.
snViewBox sn_view_side(const snViewport* viewport, uint32_t pane, uint32_t supersample);
snViewBox sn_view_pane_box(const snViewport* viewport, uint32_t pane, const snPainting* painting,
                           const snViewOver* over, float outline);
snViewBox sn_view_axes_box(const snViewport* viewport, const snMat4* canvas, size_t first, size_t count);
void sn_view_scissor(snViewBox box);
// OpenGL's viewport for a pane's camera, scissors for its side.
void sn_view_aim(const snViewport* viewport, uint32_t pane, uint32_t supersample);

// How many panes a view shows, and where.
uint32_t sn_view_pane_count(const snViewDef* view);
snPaneRect sn_view_rect(const snViewDef* view, uint32_t pane);
snCamera sn_view_camera(const snViewDef* view, uint32_t pane);

// Colors of the design, 0xRRGGBBAA.
typedef struct snViewInk {
    uint32_t accent, line, fill, dot, rim;
} snViewInk;
snViewInk sn_view_ink(snBackdrop backdrop);

// Where strokes of a pane go: from world space to the scene's units.
typedef struct snViewPen {
    snStrokes* strokes;
    snSceneFrame frame;
    snCamera camera;
    float height; // pixels of the canvas
    float unit;   // pixels of the canvas in one of the design
} snViewPen;

// Marks of a pane that are drawn on top, or those that are not.
void sn_view_marks(const snViewPen* pen, const snViewDef* view, uint32_t pane, bool on_top);
void sn_view_bones(const snViewPen* pen, const snViewPane* pane, snViewInk ink);
void sn_view_gizmo(const snViewPen* pen, const snGizmo* gizmo);
// The axes in the corner, in pixels of the canvas from its upper left corner, y down.
void sn_view_axes(snStrokes* strokes, const snViewDef* view);
void sn_view_ring(const snViewPen* pen, snVec3 middle, snVec3 axis, float radius, float size, uint32_t color);

#endif
