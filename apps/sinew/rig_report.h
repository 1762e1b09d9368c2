// What is in a handle structure, for people and for programs.
#ifndef SINEW_RIG_REPORT_H
#define SINEW_RIG_REPORT_H

#include "context.h"
#include "io/json.h"

// Sets vertices, free, mesh_hash and the list of handles.
void rig_report_json(const snHandles* handles, sniJsonValue* object);

// Reads a .snrig; `mesh` NULL: for whatever it was made.
snResult rig_report_read(const cliContext* context, const char* path, const snMesh* mesh, snHandles** out,
                         snError* error);
// Says what is in a .snrig: a table on stdout, or with --json an object.
cliExit rig_report_file(const cliContext* context, const char* path);

#endif
