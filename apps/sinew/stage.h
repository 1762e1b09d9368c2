// A model in front of the camera: poses it and turns each pose into a picture.
#ifndef SINEW_STAGE_H
#define SINEW_STAGE_H

#include "context.h"
#include "extent.h"
#include "render.h"

typedef struct cliStage {
    cliContext* context;
    const snModel* model;
    snRenderer* renderer;
    snCharacter* character;
    snSceneItem* items; // one per part
    float** heat;       // one per part: weights of the shown joint; NULL: none
    const char* heat_title;
    char heat_text[128];
} cliStage;

// The renderer is the caller's and may be shared by several stages. Free with stage_close, also after a
// failure.
cliExit stage_open(cliStage* stage, cliContext* context, snRenderer* renderer, const snModel* model,
                   snSkinMethod skin);
void stage_close(cliStage* stage);

// Colours the surface by the weights of one joint. False when there is no such joint.
cliExit stage_show_weights(cliStage* stage, const char* joint);

// Adds what the surface reaches over a stretch of a clip (SN_NONE: the rest pose).
void stage_reach(cliStage* stage, uint32_t clip, float from, float to, snExtent* extent);

// Poses (a moment of a clip, clamped to its length; SN_NONE: rest) and draws. `scene` says everything but the
// items. The image belongs to the caller.
cliExit stage_draw(cliStage* stage, uint32_t clip, float time, const snScene* scene, snImage** out);

// How many frames a stretch of a clip has, the first at `from`; at least one. With `both_ends` the last
// moment is shown too; films leave it out, because it equals the first of the next round.
uint32_t stage_frame_count(float from, float to, float fps, bool both_ends);

// Opens a film, draws every frame of the stretch into it and closes it; half a film is never left behind.
cliExit stage_film(cliStage* stage, uint32_t clip, float from, float to, float fps, const snScene* scene,
                   const char* path);

#endif
