// Handles in the making, as the options of sinew rig ask for them.
#ifndef SINEW_RIG_EDIT_H
#define SINEW_RIG_EDIT_H

#include "context.h"

typedef struct cliEditHandle {
    const char* name; // borrowed, or of the handles that were there before
    uint8_t* marks;   // vertex_count
    float* weights;   // vertex_count, or NULL: those of --weight and --feather alone
    snVec3 centre;
    bool centred;        // somebody said where
    bool selected;       // by --handle
    uint32_t* followers; // follower_count; handles
    uint32_t follower_count;
    float weight; // of all its vertices
    float sureness;
} cliEditHandle;

typedef struct cliEdit {
    const cliContext* context;
    const snModel* model;
    const snMesh* mesh;
    snSelector* selector;
    uint32_t count;
    cliEditHandle* handles; // SN_HANDLES_MAX
    char (*names)[64];      // of those that --handle adds
} cliEdit;

// Begins with the handles given, which must live on, or with none (NULL). Free with rig_edit_close, also
// after a failure.
cliExit rig_edit_open(cliEdit* edit, const cliContext* context, const snModel* model, const snMesh* mesh,
                      const snHandles* begin);
void rig_edit_close(cliEdit* edit);
// Does what --handle, --grow, --shrink, --centre, --followers, --weight and --feather say.
cliExit rig_edit_apply(cliEdit* edit);
cliExit rig_edit_finish(cliEdit* edit, snHandles** out);

// ------------------------------------------------------------------------------------------- rig_select.c

// "box:x0,y0,z0,x1,y1,z1", "ball:x,y,z,r", "brush:VERTEX,r", "group:NAME", "color:#rrggbb[,TOLERANCE]",
// "joint:NAME", put together with the marks.
cliExit rig_select(const cliEdit* edit, const char* text, snCombine combine, uint8_t* marks);
// Exactly `count` numbers with commas between them.
bool rig_numbers(const char* text, float* out, uint32_t count);

#endif
