// Sinew: skeleton-free animation. Targets of handles move along paths, over terrain; every frame the pose
// space is searched for the pose that follows, and the whole body is put where its standing foot says.
#ifndef SINEW_PATHS_H
#define SINEW_PATHS_H

#include "sinew/poses.h"
#include "sinew/rig.h"

#ifdef __cplusplus
extern "C" {
#endif

// ------------------------------------------------------------------------------------------------- terrain

typedef enum snTerrainKind {
    SN_TERRAIN_PLANE = 0, // height at the origin and slopes
    SN_TERRAIN_STEPS,     // a stair: rises by `height` every `length` metres along a direction
    SN_TERRAIN_HILLS,     // waves
    SN_TERRAIN_MAP        // heights on a grid
} snTerrainKind;

typedef struct snTerrain {
    snTerrainKind kind;
    float height;           // plane: at the origin; steps: of one; hills: of the waves; map: of the brightest
    float slope_x, slope_z; // plane
    snVec2 direction;       // steps, hills: unit, in x and z
    float length;           // steps: of a tread; hills: wavelength; metres
    float begin;            // steps: where along the direction the first one is
    uint32_t steps;         // steps: how many; 0: no end
    snBounds area;          // map: x and z that it covers
    uint32_t columns, rows;
    const float* heights; // map: rows * columns, 0 .. 1, x first; the caller's
} snTerrain;
SN_API float sn_terrain_height(const snTerrain* terrain, float x, float z);
SN_API snVec3 sn_terrain_normal(const snTerrain* terrain, float x, float z);

// ------------------------------------------------------------------------------------------------- paths

typedef struct snPathKey {
    float time; // seconds, rising
    snVec3 place;
    bool rest; // stands still until the next key
} snPathKey;

typedef struct snPathDef {
    uint32_t handle;
    snVec3 point;   // rest pose, moves with the handle; usually its position
    float strength; // of the target; default 1
    bool smooth;    // a curve through the keys; else straight between them
    bool draped;    // heights of keys are above the terrain
    bool contact;   // where it rests, it must not slide
    bool global;    // may say where the whole body is
    uint32_t key_count;
    const snPathKey* keys;
} snPathDef;

typedef struct snPathsDef {
    const snHandles* handles;
    const snPoseSpace* space;
    const snTerrain* terrain; // NULL: none; copied, heights too
    uint32_t path_count;
    const snPathDef* paths;
    snSearch search;
    snObjective objective;
    snPoseOrder order;
    float change; // of weights in a frame; default 0.15
    float fps;    // default 30
} snPathsDef;
SN_API snPathsDef sn_paths_def(void);

// Owner: paths. Player: frame by frame from the beginning, deterministic, no allocation per frame.
typedef struct snPathPlayer snPathPlayer;

#ifdef __cplusplus
}
#endif

#endif
