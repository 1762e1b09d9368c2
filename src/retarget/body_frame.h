// A labelled skeleton as retargeting sees it: where its segments begin, how it stands, which way it faces.
//
// The body frame is the common ground of two skeletons: +X the character's left, +Y up, +Z the way it faces,
// whatever the axes of its file.
#ifndef SNI_RETARGET_BODY_FRAME_H
#define SNI_RETARGET_BODY_FRAME_H

#include "retarget/label.h"

// Ends of limbs that no name told, only their place: surer than nothing, less sure than structure.
#define SNI_PLACED_SCORE 0.5f

typedef struct sniBody {
    const snSkeleton* skeleton;
    snLabel* labels;                  // joint_count
    sniTree tree;                     // rest positions in the world
    snQuat* rotations;                // joint_count; rest rotations in the world
    uint32_t first[SN_ROLE_COUNT][3]; // by role and side: first joint of the chain, or SN_NONE
    uint32_t carrier; // lowest joint that carries hips, spine and both legs; SN_NONE without hips
    snQuat frame;     // body frame to world
    float leg;        // thigh and shin together, mean of both sides; 1 without legs
    float ground;     // height of the ground at rest, along the body's up
    float height;     // from the ground to the highest joint
} sniBody;

// Labels and measures; fails as sn_skeleton_label does and holds nothing then.
snResult sni_body_create(sniBody* body, const snSkeleton* skeleton, const snAllocator* memory);
void sni_body_destroy(sniBody* body, const snAllocator* memory);

// Where the bone of a joint ends: the start of the limb's next segment, else its child with the longest
// reach. False for a joint that leads nowhere.
bool sni_body_bone_end(const sniBody* body, uint32_t joint, snVec3* out);
// The joint of a chain with that index, or SN_NONE.
uint32_t sni_body_chain_joint(const sniBody* body, snRole role, snSide side, uint32_t index);
// joint_map_confidence.c: does a body stand on its arms too; and the confidence of a map, with what it is
// made of.
bool sni_body_walks_on_arms(const sniBody* body);
void sni_joint_map_confidence(snJointMap* map, const sniBody* source, const sniBody* target);
// A rest position in the body frame.
static inline snVec3 sni_body_point(const sniBody* body, uint32_t joint) {
    return sn_quat_rotate(sn_quat_conjugate(body->frame), body->tree.points[joint]);
}

#endif
