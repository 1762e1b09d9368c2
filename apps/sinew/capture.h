// The joints of a motion as targets of handles.
#ifndef SINEW_CAPTURE_H
#define SINEW_CAPTURE_H

#include "handled.h"

// Reads the motion at `path` (--clip, --from, --to, --map) and finds a joint for each handle: those that
// --map names, else hips, head, hands and feet. Prints the pairs. The source is scaled to the model's legs.
cliExit capture_paths(const cliHandled* handled, const char* path, float fps, snPaths** out);

#endif
