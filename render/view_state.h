// What a viewport holds, for its own sources.
#ifndef SINEW_VIEW_STATE_H
#define SINEW_VIEW_STATE_H

#include "outline.h"
#include "strokes.h"
#include "view_pane.h"

#define SN_LEGEND_COLORS 17

struct snViewport {
    snViewportDef def;
    snGlContext context;
    bool on_canvas; // the page shows what is drawn; else it is kept
    snPainter painter;
    snStrokes strokes;
    snOutline outline;
    GLuint present_program;
    snTarget picture;  // multisampled
    snTarget resolved; // one sample a pixel, for shaders
    snTarget shown;    // finished pixels, where there is no canvas or a picture is read
    uint32_t samples;
    snViewPane panes[SN_VIEWPORT_PANES];
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
snResult sn_view_present_open(snViewport* viewport, snError* error);

// How many panes a view shows, and where.
uint32_t sn_view_pane_count(const snViewDef* view);
snPaneRect sn_view_rect(const snViewDef* view, uint32_t pane);
snCamera sn_view_camera(const snViewDef* view, uint32_t pane);

// Colours of the design, 0xRRGGBBAA.
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
