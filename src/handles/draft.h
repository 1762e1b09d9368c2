// Handles in the making: every vertex with the handle it belongs to, every handle with the one it hangs on.
#ifndef SNI_HANDLES_DRAFT_H
#define SNI_HANDLES_DRAFT_H

#include "handles/points.h"
#include "sinew/handles.h"

#define SNI_DRAFT_NAME 96

typedef struct sniDraftHandle {
    char name[SNI_DRAFT_NAME]; // need not be unique: later ones of a name are numbered
    snVec3 center;
    uint32_t parent; // a handle; SN_NONE: none
    float confidence;
} sniDraftHandle;

typedef struct sniDraft {
    const snMesh* mesh;
    uint32_t handle_count;
    sniDraftHandle* handles;
    uint32_t* labels; // vertex_count; a handle, or SN_NONE: free
} sniDraft;

// Points whose vertices are not all of one handle become free.
void sni_draft_unify(const sniPoints* points, sniDraft* draft);
// Frees points with a neighbour of another handle, `rings` times.
bool sni_draft_loosen(const sniPoints* points, uint32_t rings, const snAllocator* memory, sniDraft* draft);
// Pieces of the surface without any vertex of a handle go to the handle that most of their vertices have in
// `guesses` (vertex_count; SN_NONE: none): what nothing holds cannot be solved for.
bool sni_draft_hold_pieces(const sniPoints* points, const uint32_t* guesses, const snAllocator* memory,
                           sniDraft* draft);
// Makes the handles that have vertices; those that hang on one without go to what that hangs on.
snResult sni_draft_finish(sniDraft* draft, const snAllocator* memory, snHandles** out, snError* error);

#endif
