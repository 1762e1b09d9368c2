// The pose that a model was bound in: one answer for binding, skins, splines and volume.
#ifndef SNI_RIG_BIND_POSE_H
#define SNI_RIG_BIND_POSE_H

#include "sinew/rig.h"

// Two poses exist in files: the one that the inverse bind matrices of skins describe, and the rest pose.
// Skinned parts and the joints of their skins stand in the first, everything else hangs on these or stands in
// the second.
typedef struct sniBindPose {
    snMat4* worlds; // joint_count of the skeleton
    snMat4* spaces; // skin_count; mesh space to the bind pose
    snAllocator allocator;
} sniBindPose;

snResult sni_bind_pose_create(const snModel* model, const snAllocator* allocator, sniBindPose* out,
                              snError* error);
void sni_bind_pose_free(sniBindPose* pose);
// The space of a part's mesh to the bind pose.
snMat4 sni_bind_pose_space(const sniBindPose* pose, const snPart* part);
// From the bind pose to each joint's own space; a joint flattened at bind time cannot tell where anything was
// and leaves it there.
void sni_bind_pose_inverses(const sniBindPose* pose, uint32_t joint_count, snMat4* out);

#endif
