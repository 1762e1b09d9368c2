// One half of a viewport: a character that moves, and what its look shows of it.
#ifndef SINEW_VIEW_PANE_H
#define SINEW_VIEW_PANE_H

#include "show.h"
#include "stage_boxes.h"
#include "view_surface.h"
#include "viewport.h"

// Values of a heat map.
typedef struct snViewHeat {
    char title[128]; // "": none
    char unit[16];
    float min, max;
} snViewHeat;

typedef struct snViewPane {
    snPainter* painter;
    snViewBytes* bytes;
    snAllocator allocator;
    const snModel* model; // NULL: nothing is shown
    const snCharacter* character;
    snCharacter* rest; // instead of a character of the caller, or NULL
    snViewModel* shared;
    snViewSurface* surfaces; // one per part
    snGpuItem* items;        // the same for the painter
    bool* bones;             // one per joint of the skeleton: it is drawn
    // What the look has made.
    snLook look;
    bool dressed; // `look` is what the surfaces show
    snShow shown; // less what the model cannot show
    snStageBoxes boxes;
    snViewMesh box_mesh;
    snViewSurface box_surface;
    bool boxed;
    snCharacter* plain; // to measure moves from
    snTrs* locals;      // of its pose
    snViewHeat heat;
    // What was given.
    const float* given;
    uint32_t given_count;
    snViewHeat given_heat;
    // Where it is.
    snBounds bounds; // of the surface now
    snBounds scene;  // what the scene is scaled by: does not shake with the bounds
    float floor;     // lowest point at rest
    snShadow shadow;
    bool moved; // since the shadow was drawn
    snVec3 shadow_key;
    float shadow_floor;
} snViewPane;

// `shared` is taken over, less a use; the pane must be empty.
snResult sn_view_pane_set(snViewPane* pane, snViewModel* shared, const snCharacter* character,
                          snCharacter* rest, snError* error);
// Empties it; the model it shared is returned, with a use less, or NULL.
snViewModel* sn_view_pane_clear(snViewPane* pane);
snResult sn_view_pane_update(snViewPane* pane, snError* error);
// Makes the surfaces show a look.
snResult sn_view_pane_dress(snViewPane* pane, const snLook* look, snError* error);

// What is drawn.
uint32_t sn_view_pane_items(const snViewPane* pane, const snGpuItem** out);
// World matrices of the joints, or NULL.
const snMat4* sn_view_pane_world(const snViewPane* pane);
// The character that is shown, its own at rest, too.
static inline const snCharacter* sn_view_pane_character(const snViewPane* pane) {
    return pane->character != NULL ? pane->character : pane->rest;
}
// Frees what looks made; view_look.c.
void sn_view_look_clear(snViewPane* pane);
// After the character moved: what the look shows of it.
snResult sn_view_look_update(snViewPane* pane, snError* error);

#endif
