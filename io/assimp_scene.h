// What assimp read, on its way to a model. Only the program sinew-import uses these files.
//
// Lengths: a node's uniform scale is folded into everything below it, together with the file's unit. Scale,
// rotation and translation then change places exactly: with w the product of the scales down to a joint,
// translations are multiplied by their parent's w, the vertices of a mesh by its node's, and an inverse bind
// becomes S(w of the bone) B S(1 / w of the mesh). Files that say 100 at the top and mean metres below become
// plain metres.
#ifndef SNI_IO_ASSIMP_SCENE_H
#define SNI_IO_ASSIMP_SCENE_H

#include <assimp/scene.h>

#include "arena.h"
#include "base/error.h"
#include "fbx.h"
#include "sinew/io.h"

typedef struct sniScene {
    const struct aiScene* scene;
    const sniFbx* fbx; // what the file itself says beside assimp, or NULL
    sniArena arena;    // of everything below
    snNotes notes;
    // One entry per joint, parents first. The root is left out where it says nothing.
    uint32_t joint_count;
    const struct aiNode** nodes;
    const char** names;
    uint32_t* parents;
    snTrs* rest;
    float* scales; // w: metres per unit of the joint's own space
    float* folded; // the uniform scale that was taken out of the joint itself; 1: none
    uint32_t skin_count;
    snSkinDef* skins; // at most one per part
    uint32_t part_count;
    snPartDef* parts;
    const uint32_t** group_materials; // one list per part
    uint32_t clip_count;
    snClipDef* clips;
    uint32_t material_count;
    snMaterial* materials;
} sniScene;

// Metres per file unit and the turn to +Y up that the file's header asks for; 1 and none where it is silent.
float sni_scene_unit(const struct aiScene* scene);
snQuat sni_scene_turn(const struct aiScene* scene);

// Each fills its part of the scene; false when out of memory.
bool sni_scene_joints(sniScene* s, float unit);
bool sni_scene_parts(sniScene* s);
bool sni_scene_clips(sniScene* s);
bool sni_scene_materials(sniScene* s);

// The joint of that name, or SN_NONE.
uint32_t sni_scene_find(const sniScene* s, const char* name);
// assimp's matrices are row-major.
snMat4 sni_scene_matrix(const struct aiMatrix4x4* m);
void sni_scene_note(sniScene* s, const char* format, ...) SNI_PRINTF(2, 3);

// -------------------------------------------------------------------------------------- assimp_pivots.c

// True for a helper node that is only part of the transform of the node below.
bool sni_scene_is_link(const struct aiNode* node);
// True for a node with such helpers right above.
bool sni_scene_has_links(const struct aiNode* node);
// The transform of a node and the helpers right above it.
snMat4 sni_scene_local(const struct aiNode* node);

// The animation of a node's helpers as one, at every time that one of them has a key.
typedef struct sniMerged {
    uint32_t count; // 0: none of them moves, or the node has a channel of its own, which then says it all
    double* times;  // ticks, rising
    snTrs* locals;
} sniMerged;
bool sni_scene_merge_links(sniScene* s, const struct aiAnimation* animation, const struct aiNode* node,
                           sniMerged* out);

// ---------------------------------------------------------------------------------------- assimp_join.c

// Numbers equal rows of `size` bytes alike, in the order of their first appearance: out[i] is the number of
// row i. Returns how many different rows there are; SN_NONE when out of memory.
uint32_t sni_join_rows(sniArena* arena, const void* rows, uint32_t count, size_t size, uint32_t* out);

#endif
