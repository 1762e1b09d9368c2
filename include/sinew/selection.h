// Sinew: choosing vertices and making handles of them.
#ifndef SINEW_SELECTION_H
#define SINEW_SELECTION_H

#include "sinew/handles.h"
#include "sinew/rig.h"

#ifdef __cplusplus
extern "C" {
#endif

// Owner: selection. Every helper marks vertices in a caller-owned array of mesh->vertex_count bytes.

#ifdef __cplusplus
}
#endif

#endif
