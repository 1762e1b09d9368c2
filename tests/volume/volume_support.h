// A surface, its joints and one pose of them: what tests of exact volume need.
#ifndef SINEW_TEST_VOLUME_SUPPORT_H
#define SINEW_TEST_VOLUME_SUPPORT_H

#include "support.h"

#define MOST_JOINTS 64u

typedef struct VolumeScene {
    snModel* model; // owner of the mesh; part 0, in the bind pose
    const snMesh* mesh;
    uint16_t* joints; // of the skeleton; influences a vertex
    uint32_t influences;
    uint32_t joint_count;
    snVolumeJoint rig[MOST_JOINTS];
    uint32_t order[MOST_JOINTS];
    snMat4 matrices[MOST_JOINTS];
    snExactVolumeDef def;
    snVolumePart part;
    snExactVolume* volume;
    void* scratch;
    snVec3* positions; // skinned, then corrected
    snVec3* plain;     // skinned
    snVec3* normals;   // the same
    snVec3* rest_normals;
} VolumeScene;

// Takes the model over. Change `rig`, `order` and `def` before scene_build.
VolumeScene scene_of(snModel* model);
VolumeScene scene_tube(uint32_t segments, uint32_t sides, uint32_t rings, bool quads);
void scene_build(VolumeScene* scene);
void scene_destroy(VolumeScene* scene);

// Every joint at rest; then one turned, with all below it, about an axis through its place.
void scene_rest(VolumeScene* scene);
void scene_turn(VolumeScene* scene, uint32_t joint, snVec3 axis, float radians);
// Skins (as the Def says) and corrects. The job may ask for more.
snExactVolumeJob scene_job(VolumeScene* scene);
void scene_skin(VolumeScene* scene);
void scene_run(VolumeScene* scene, const snExactVolumeJob* job);

double scene_volume(const VolumeScene* scene, const snVec3* positions);
// |V - rest| / rest of the corrected surface.
double scene_error(const VolumeScene* scene);
// Largest distance between two states of the surface.
float scene_distance(const VolumeScene* scene, const snVec3* a, const snVec3* b);

#endif
