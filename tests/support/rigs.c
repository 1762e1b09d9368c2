#include "rigs.h"

#include <string.h>

#include "shapes.h"

enum { VERTICES = 24 };

const snModelDef* test_model_def(void) {
    static snVec3 positions[VERTICES], offsets[VERTICES];
    static uint32_t corners[VERTICES], starts[7];
    static uint16_t joints[VERTICES * 2];
    static float weights[VERTICES * 2];
    snMesh* cube = test_split_cube();
    memcpy(positions, cube->positions, sizeof positions);
    memcpy(corners, cube->corners, sizeof corners);
    memcpy(starts, cube->face_starts, sizeof starts);
    sn_mesh_destroy(cube);
    for (uint32_t v = 0; v < VERTICES; v++) {
        offsets[v] = sn_vec3(0, 0, positions[v].z);
        joints[2 * v + 1] = 1;
        weights[2 * v] = 2.0f * (1.0f - 0.75f * positions[v].y); // sums to 2: normalised by the model
        weights[2 * v + 1] = 2.0f * 0.75f * positions[v].y;
    }
    static const snMeshDef mesh = {.vertex_count = VERTICES,
                                   .face_count = 6,
                                   .corner_count = 24,
                                   .positions = positions,
                                   .face_starts = starts,
                                   .corners = corners};
    static const snMorph morphs[] = {{(char*)"deep", offsets, NULL}};
    static const float morph_weights[] = {0.25f};
    static const snPartDef parts[] = {
        {"soft", &mesh, 0, 0, 2, joints, weights, 1, morphs, morph_weights, NULL},
        {"hard", &mesh, 1, SN_NONE, 0, NULL, NULL, 0, NULL, NULL, NULL},
    };
    static const char* const names[] = {"root", "tip"};
    static const uint32_t parents[] = {SN_NONE, 0};
    static snTrs rest[2];
    rest[0] = rest[1] = sn_trs_identity();
    rest[1].translation = sn_vec3(0, 0.5f, 0);
    static const snSkeletonDef skeleton = {2, names, parents, rest};
    static const uint32_t skin_joints[] = {0, 1};
    static const snSkinDef skins[] = {{"skin", 2, skin_joints, NULL}};
    static float times[] = {0, 1};
    static float turns[8] = {0, 0, 0, 1, 0, 0, 0.7071068f, 0.7071068f};
    static float moves[6] = {0, 0, 0, 3, 0, 0};
    static float shapes[2] = {0, 1};
    static const snChannel channels[] = {
        {1, SN_PATH_ROTATION, SN_INTERPOLATION_LINEAR, 2, 4, times, turns},
        {0, SN_PATH_TRANSLATION, SN_INTERPOLATION_LINEAR, 2, 3, times, moves},
        {0, SN_PATH_MORPH, SN_INTERPOLATION_LINEAR, 2, 1, times, shapes}};
    static const snClipDef clips[] = {{"wave", 0.0f, 3, channels}};
    static const snModelDef def = {&skeleton, 1, skins, 2, parts, 1, clips};
    return &def;
}
