// Sinew: one character, all stages in order. Pose in, surface out, nothing allocated per frame.
#ifndef SINEW_CHARACTER_H
#define SINEW_CHARACTER_H

#include "sinew/deform.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum snSkinMethod { SN_SKIN_LINEAR = 0, SN_SKIN_DUAL } snSkinMethod;

typedef struct snCharacterDef {
    const snModel* model; // must outlive the character
    snSkinMethod skin;    // default linear
    snTasks tasks;        // default: the calling thread
    snCpuLevel level;     // default SN_CPU_AUTO
} snCharacterDef;

SN_API snCharacterDef sn_character_def(void);

// What a part looks like now, in world space. Owned by the character, valid until the next pose.
typedef struct snSurface {
    uint32_t vertex_count;
    const snVec3* positions;
    const snVec3* normals;
} snSurface;

typedef struct snCharacter snCharacter;
SN_API snResult sn_character_create(const snCharacterDef* def, const snAllocator* allocator,
                                    snCharacter** out, snError* error);
SN_API void sn_character_destroy(snCharacter* character);

// Poses by a clip of the model (SN_NONE: the rest pose) and deforms every part.
SN_API snResult sn_character_pose_clip(snCharacter* character, uint32_t clip, float time, snWrap wrap);
// Poses by local transforms, one per joint of the model's skeleton.
SN_API snResult sn_character_pose_locals(snCharacter* character, const snTrs* locals);

SN_API snSurface sn_character_surface(const snCharacter* character, uint32_t part);
// World matrices of all joints in the current pose; the skeleton's joint_count.
SN_API const snMat4* sn_character_world(const snCharacter* character);
// Hash of every part's positions and normals: equal hashes mean equal bytes.
SN_API uint64_t sn_character_hash(const snCharacter* character);

#ifdef __cplusplus
}
#endif

#endif
