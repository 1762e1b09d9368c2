// Handles in the making, as the options of sinew rig ask for them.
#ifndef SINEW_RIG_EDIT_H
#define SINEW_RIG_EDIT_H

#include "context.h"

typedef struct cliEdit {
    const cliContext* context;
    const snModel* model;
    const snMesh* mesh;
    snHandleDraft* draft;
} cliEdit;

// ------------------------------------------------------------------------------------------- rig_change.c

// The first option that changes handles and was given, or NULL.
const char* rig_change_given(const cliArguments* arguments);
// Does to the document's handles, or to none, what these options say, in the order of the command line.
cliExit rig_change(const cliContext* context, bool empty);

// ------------------------------------------------------------------------------------------- rig_select.c

// "box:x0,y0,z0,x1,y1,z1", "ball:x,y,z,r", "brush:VERTEX,r", "group:NAME", "color:#rrggbb[,TOLERANCE]",
// "joint:NAME". What it means points into the text.
cliExit rig_where(const cliEdit* edit, const char* text, snWhere* out);
// Says what is wrong with a selection of that text.
cliExit rig_where_fail(const cliEdit* edit, const char* text, const snWhere* where, const snError* error);
// Exactly `count` numbers with commas between them.
bool rig_numbers(const char* text, float* out, uint32_t count);
// Digits and nothing else, 0 to 999999999.
bool rig_whole(const char* text, uint32_t* out);

#endif
