// The lattice of a bound model as boxes that can be drawn, posed by its particles.
#ifndef SINEW_LATTICE_BOXES_H
#define SINEW_LATTICE_BOXES_H

#include "sinew/sinew.h"

typedef struct cliBoxes {
    const snModel* model;
    snMesh mesh;       // eight corners and six quads a cell; a plain struct, not made by sn_mesh_create
    snVec3* particles; // posed
    snMat4* matrices;  // one per joint of the binding
    snAllocator allocator;
} cliBoxes;

typedef enum cliBoxColor {
    CLI_BOX_KIND, // surface cells, inside cells, copies
    CLI_BOX_PART  // by joint part
} cliBoxColor;

// False: out of memory. Free with boxes_free, also after a failure.
bool boxes_create(cliBoxes* boxes, const snModel* model, cliBoxColor color, const snAllocator* allocator);
void boxes_free(cliBoxes* boxes);
// Moves the boxes to where the particles are, or, where nobody moves those (NULL), to where world matrices of
// all joints put them.
void boxes_pose(cliBoxes* boxes, const snMat4* world, const snVec4* particles);

// A colour that tells joint i from its neighbours, linear RGB.
snVec4 joint_color(uint32_t i);

#endif
