// The lattice of a bound model as boxes that can be drawn, posed by its particles.
#ifndef SINEW_STAGE_BOXES_H
#define SINEW_STAGE_BOXES_H

#include "sinew/bind.h"

typedef struct snStageBoxes {
    const snModel* model;
    snMesh mesh;       // eight corners and six quads a cell; a plain struct, not made by sn_mesh_create
    snVec3* particles; // posed
    snMat4* matrices;  // one per joint of the binding
    snAllocator allocator;
} snStageBoxes;

typedef enum snStageBoxColor {
    SN_STAGE_BOX_KIND, // surface cells, inside cells, copies
    SN_STAGE_BOX_PART  // by joint part
} snStageBoxColor;

// False: out of memory. Free with sn_stage_boxes_free, also after a failure.
bool sn_stage_boxes_create(snStageBoxes* boxes, const snModel* model, snStageBoxColor color,
                           const snAllocator* allocator);
void sn_stage_boxes_free(snStageBoxes* boxes);
// Moves the boxes to where the particles are, or, where nobody moves those (NULL), to where world matrices of
// all joints put them.
void sn_stage_boxes_pose(snStageBoxes* boxes, const snMat4* world, const snVec4* particles);

#endif
