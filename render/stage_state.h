// What a stage holds, for its own sources.
#ifndef SINEW_STAGE_STATE_H
#define SINEW_STAGE_STATE_H

#include "stage.h"
#include "stage_boxes.h"

// A part that is drawn by the particles or by the splines alone. Empty: by positions.
typedef struct snStageHung {
    uint32_t* points;
    snVec3* normals;
    snShotLattice* lattice;
    snShotSpline* splines;
} snStageHung;

// Where the camera goes along.
typedef struct snStageWay {
    uint32_t clip;
    float from, to;
    uint32_t count; // 0: it stays
    snVec3* points; // count
    bool travels;
    uint32_t focus; // instead: the camera stays with this joint, wherever it is; SN_NONE: it does not
    snVec3 place;   // where the joint was for the scene
    bool carries;   // the bounds of the scene are those of the character alone, and go along
} snStageWay;

struct snStage {
    snStageDef def; // less its settings, which the character has copied
    const snModel* model;
    snCharacter* character; // NULL: there are surfaces
    bool moving;            // its flesh has a past in the clip that is drawn
    snWrap wrap;            // of the clips
    snMesh* ground;         // drawn as well, or NULL
    snShotItem* items;      // one per part, and one for the ground
    snStageHung* hung;      // one per part: what the GPU moves by itself
    float** heat;           // one per part: what the heat map shows; NULL: none
    float heat_max;         // value of the hottest color; 0: 1
    char heat_title[128];
    snCharacter* plain; // the skin alone, to measure from; NULL: nothing is measured
    snMesh* painted;    // one per part: its mesh in the colors of the joints; NULL: none
    snStageWay way;
    snStageBoxes boxes; // of the lattice, shown instead of the parts where it has a model
    snAllocator allocator;
};

// The item of a part as it is when the plain surface is shown, less what poses bring.
void sn_stage_dress(snStage* stage, uint32_t part);
// Fills the heat with how far volume and flesh moved the surface from the skin alone, in millimetres.
void sn_stage_measure_moves(snStage* stage, uint32_t clip, float time);

// The way of a stretch of a clip, for a character of this size; nothing where nothing moves.
void sn_stage_way_find(snStage* stage, uint32_t clip, float from, float to, float size);
// The same of frames that reach these boxes, `fps` a second.
void sn_stage_way_find_frames(snStage* stage, const snBounds* frames, uint32_t count, float fps);
void sn_stage_way_clear(snStage* stage);
// How far it has gone since the beginning of the stretch.
snVec3 sn_stage_way_at(const snStage* stage, uint32_t clip, float time);
// The scene from where the camera is at this moment of the clip.
snShot sn_stage_moved_scene(const snStage* stage, uint32_t clip, float time, const snShot* scene);
// Radians about +Y from +Z: the way that the character faces over the stretch, 0 where nothing shows it.
float sn_stage_facing(const snStage* stage, uint32_t clip, float from, float to);

#endif
