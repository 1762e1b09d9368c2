// Models for tests of binding: solids made of blocks, with skeletons of a few bones.
#ifndef SINEW_TEST_BIND_SUPPORT_H
#define SINEW_TEST_BIND_SUPPORT_H

#include "support.h"

// True where the block at whole coordinates is solid.
typedef bool BlockFn(int x, int y, int z);
// The surface of all solid blocks with coordinates below `size`, blocks of edge `edge`, corners shared.
snModel* block_model(BlockFn* solid, int size, float edge, const snSkeletonDef* skeleton);

// A chain of joints at `places`, each the child of the one before, named "j0", "j1", ...; static data for up
// to 16 joints, valid until the next call.
const snSkeletonDef* chain_skeleton(const snVec3* places, uint32_t count);

// The builtin body in another pose of its joints: the skin as it stands there, the joints' rest pose moved.
snModel* posed_body(const snBodyDef* def, void (*pose)(const snSkeleton* skeleton, snTrs* locals));

// The weight of a joint at a vertex of the first part.
float weight_of(const snModel* model, uint32_t vertex, const char* joint);
// The joint with the largest weight at a vertex of a part, as index into the skeleton.
uint32_t largest_joint(const snModel* model, uint32_t vertex);
// Weights are convex and sum to one, every vertex has some, joints are in range; the same for particles.
void check_weights(const snModel* model);
// Of all weights of vertices and particles.
uint64_t weights_hash(const snModel* model);

#endif
