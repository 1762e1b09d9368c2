// Handles in the making, as the options of sinew rig ask for them.
#ifndef SINEW_RIG_EDIT_H
#define SINEW_RIG_EDIT_H

#include "context.h"

typedef struct cliEditHandle {
    char* name;
    uint8_t* marks;   // vertex_count
    uint8_t* by_hand; // vertex_count; of these, which --handle, or growing it, put there in this run
    float* weights;   // vertex_count, below 0: `weight`; NULL: `weight` everywhere
    float weight;     // the largest of its vertices
    snVec3 centre;
    bool centred;        // somebody said where
    bool selected;       // changed by --handle
    bool fresh;          // made, or made anew, in this run
    bool gone;           // removed, or merged into another
    uint32_t* followers; // SN_HANDLES_MAX of room; handles, of which some may be gone
    uint32_t follower_count;
    float sureness;
} cliEditHandle;

typedef struct cliEdit {
    const cliContext* context;
    const snModel* model;
    const snMesh* mesh;
    snSelector* selector;
    uint32_t count;
    cliEditHandle* handles; // SN_HANDLES_MAX
    uint8_t* scratch;       // vertex_count
} cliEdit;

// Begins with the handles given or with none (NULL). Free with rig_edit_close, also after a failure.
cliExit rig_edit_open(cliEdit* edit, const cliContext* context, const snModel* model, const snMesh* mesh,
                      const snHandles* begin);
void rig_edit_close(cliEdit* edit);
// A new handle without vertices. NULL: what went wrong is said, and in `out_code`.
cliEditHandle* rig_edit_add(cliEdit* edit, const char* name, cliExit* out_code);
// The handle of that name; SN_NONE where there is none (any more).
uint32_t rig_edit_find(const cliEdit* edit, const char* name);
cliExit rig_edit_finish(cliEdit* edit, snHandles** out);

// ------------------------------------------------------------------------------------------- rig_change.c

// The first option that changes handles and was given, or NULL.
const char* rig_change_given(const cliArguments* arguments);
// Does what these options say, in the order of the command line.
cliExit rig_change(cliEdit* edit);

// ------------------------------------------------------------------------------------------- rig_select.c

// "box:x0,y0,z0,x1,y1,z1", "ball:x,y,z,r", "brush:VERTEX,r", "group:NAME", "color:#rrggbb[,TOLERANCE]",
// "joint:NAME", put together with the marks.
cliExit rig_select(const cliEdit* edit, const char* text, snCombine combine, uint8_t* marks);
// Exactly `count` numbers with commas between them.
bool rig_numbers(const char* text, float* out, uint32_t count);
// Digits and nothing else, 0 to 999999999.
bool rig_whole(const char* text, uint32_t* out);

#endif
