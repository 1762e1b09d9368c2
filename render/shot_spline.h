// A surface on splines on the GPU: rest, weights and styles once; matrices and poses in every frame.
#ifndef SINEW_SHOT_SPLINE_H
#define SINEW_SHOT_SPLINE_H

#include "hung.h"

struct snShotSpline {
    snHung hung; // first
    snShotSplineDef def;
    GLuint matrices, texels, styles; // textures
    uint32_t matrix_count, matrix_rows, style_rows;
    snVec4* staged_matrices; // all rows of the textures
    snVec4* staged_styles;
    // One per vertex of the mesh.
    snVec3* points;
    snVec3* normals;
    uint16_t* indices; // SN_SPLINE_MATRICES
    float* weights;    // SN_SPLINE_MATRICES
    uint32_t* point_styles;
    snStyledPoint* styled;
};

// The program for the current context, in the GLSL it speaks. 0 on failure.
GLuint sn_shot_spline_program(snError* error);
// As sn_shot_spline_create, in the current context.
snResult sn_shot_spline_open(GLuint program, const snShotSplineDef* def, const snAllocator* allocator,
                             snShotSpline** out, snError* error);
void sn_shot_spline_close(snShotSpline* spline);

// Fills `surface`, and `wires` when the geometry has edges.
snResult sn_shot_spline_hang(snShotSpline* spline, const snGeometry* geometry, snSceneFrame frame,
                             const snMat4* matrices, const snSplinePose* poses, snError* error);

#endif
