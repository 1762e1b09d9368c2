// Frames of animated surfaces to bake, with and without more than the plain skin.
#ifndef SINEW_TEST_FRAMES_H
#define SINEW_TEST_FRAMES_H

#include "support.h"

typedef enum TestFramesKind {
    TEST_FRAMES_PLAIN,  // the plain skin
    TEST_FRAMES_DUAL,   // dual quaternions
    TEST_FRAMES_FIELDS, // the plain skin of a mesh that moves by three fields: rank 3
    TEST_FRAMES_JELLY,  // waves through the world on top of the plain skin: full rank
    TEST_FRAMES_FLESH   // all that a bound model does by default
} TestFramesKind;

typedef struct TestFrames {
    const snModel* model;
    uint32_t clip;
    float fps;
    TestFramesKind kind;
    float size;          // of fields and waves, metres
    uint32_t calls;      // frames made so far
    uint32_t drift_from; // from this call on frames are slightly off; UINT32_MAX: never
    snCharacter* character;
    snMat4* matrices;   // room for any skin
    snVec3* points;     // room for any part
    snVec3** positions; // one per part
    snVec3** normals;
} TestFrames;

// A character that does no more than a skin, bound or not.
snCharacter* test_skin_character(const snModel* model, snSkinMethod skin);

TestFrames test_frames_open(const snModel* model, uint32_t clip, float fps, TestFramesKind kind);
void test_frames_close(TestFrames* frames);
// An snFramesFn.
snResult test_frames_get(void* user, uint32_t frame, snSurface* out_surfaces);
// A Def over these frames from time 0 to the end of the clip, and the same for helper joints.
snMorphBakeDef test_frames_def(TestFrames* frames);
snBakeClip test_frames_clip(TestFrames* frames);

// What must not fail.
snMorphBake* test_morph_bake(const snMorphBakeDef* def);
snJointBake* test_joint_bake(const snJointBakeDef* def);

// Where a viewer that knows nothing of Sinew but the file puts a vertex: base, targets, skin, all in doubles.
snVec3 test_viewer_point(const snModel* model, const snMorphBake* bake, uint32_t part, float time,
                         uint32_t vertex);

// A tube of so many sides and rings, with the clips of the built-in one.
snModel* test_tube(uint32_t sides, uint32_t rings);
// A tube whose clip "travel" twists its last bone by 180 degrees and back while the root goes 10 m and turns.
snModel* test_travelling_tube(float distance);
// The same, with every bone but the root pressed flat half way.
snModel* test_flattened_tube(float distance);

#endif
