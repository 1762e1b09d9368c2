// One part of a model, beyond what callers see.
#ifndef SNI_RIG_PART_H
#define SNI_RIG_PART_H

#include "sinew/rig.h"

// Frees all that a part holds; any of it may be absent.
void sni_part_free(const snAllocator* memory, snPart* part);

// Takes weights and what says how it was refined away: a part that is rigid, and as its mesh has it.
void sni_part_unskin(const snAllocator* memory, snPart* part);
// Whether some part says how much of dual skin it wants; such a model means dual skin.
bool sni_model_has_dual_shares(const snModel* model);
// Frees skins, clips, the binding and the document that it came from: what belongs to a skeleton.
void sni_model_drop_rig(snModel* model);

// How to refine one part; see snRefineDef.
typedef struct sniPartRefineDef {
    const float* marks; // vertex_count
    float above;
    uint32_t levels;
    size_t memory_limit; // bytes; SIZE_MAX: no limit
} sniPartRefineDef;

// Makes the mesh, weld, origins, weights and morphs of the refined part; nothing else of `out` is set, and
// nothing at all where no face is marked. `out_bytes` is what it may hold at most.
snResult sni_part_refine(const snPart* part, const sniPartRefineDef* def, const snAllocator* memory,
                         snPart* out, size_t* out_bytes, snError* error);
// Exchanges what refining makes.
void sni_part_swap_shape(snPart* a, snPart* b);

#endif
