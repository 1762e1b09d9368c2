// Tables of a pose space, flat: all steps of all examples in a row.
#ifndef SNI_POSES_SPACE_H
#define SNI_POSES_SPACE_H

#include "poses/step.h"

// Arrays over handles and over examples are padded to whole groups of this many.
#define SNI_POSE_LANES 8u

typedef struct sniStep {
    snPoseAct act;
    uint32_t frame, center; // turn
    snVec3 axis;            // turn: unit, in the frame's handle
    snVec3 pivot;           // turn: rest place of the center; move: how far
    float angle;            // turn: radians
    uint32_t first, count;  // of the handles it moves
} sniStep;

// What the same examples turn.
typedef struct sniPoseGroup {
    float share; // of all that any example turns
    bool rests;  // some example leaves it as it is at rest
} sniPoseGroup;

struct snPoseSpace {
    const snHandles* handles;
    uint32_t handle_count;
    uint32_t pose_count;
    uint32_t step_count;
    uint32_t moved_count;
    uint32_t padded_handles;
    uint32_t padded_poses;
    sniStep* steps;
    uint32_t* first_step; // pose_count + 1
    uint32_t* moved;      // handles that steps move
    uint32_t need_words;
    uint32_t* needs;       // handle_count * need_words: bits of the handles whose motion a handle depends on
    snRigid* alone;        // pose_count * handle_count: each example by itself
    float* example_places; // pose_count * 3 * padded_handles: where handles are in it; x of all, y, z
    // Places that steps turn or move, those that the same examples use as one group.
    uint32_t group_count;
    sniPoseGroup* groups; // handle_count at most
    float* members;       // group_count * pose_count: 1 where the example uses them, else 0
    snAllocator allocator;
};

static inline uint32_t sni_pad_lanes(uint32_t count) {
    return (count + SNI_POSE_LANES - 1) / SNI_POSE_LANES * SNI_POSE_LANES;
}

#endif
