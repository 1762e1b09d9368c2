// What the motion formats share: joints gathered one by one, tracks with a key on every frame, and the model
// made of them.
#ifndef SNI_IO_MOTION_H
#define SNI_IO_MOTION_H

#include "text.h"

typedef struct sniMotionJoint {
    size_t name; // offset into the names
    uint32_t parent;
    snVec3 offset; // rest translation; rest rotations are identity
} sniMotionJoint;

// One joint's keys; NULL where the rest stays.
typedef struct sniTrack {
    snQuat* rotations;    // frame_count
    snVec3* translations; // frame_count
} sniTrack;

typedef struct sniMotion {
    sniList joints; // sniMotionJoint
    sniBytes names;
    sniTrack* tracks; // one per joint, or NULL: no clip
    uint32_t frame_count;
    float frame_time; // seconds
    snAllocator allocator;
} sniMotion;

sniMotion sni_motion(const snAllocator* allocator);
void sni_motion_free(sniMotion* motion);
// Adds the joint `name` + `suffix`; the name has `length` bytes. False when out of memory.
bool sni_motion_add(sniMotion* motion, const char* name, size_t length, const char* suffix, uint32_t parent,
                    snVec3 offset);
sniMotionJoint* sni_motion_joint(const sniMotion* motion, size_t joint);
const char* sni_motion_name(const sniMotion* motion, size_t joint);
// Makes empty tracks for the joints there are.
bool sni_motion_tracks(sniMotion* motion, uint32_t frame_count);
bool sni_motion_track(sniMotion* motion, size_t joint, bool turns, bool moves);
// The model: the skeleton, no parts, and the tracks as one clip named after the file.
snResult sni_motion_model(const sniMotion* motion, const sniSource* source, snModel** out);

// The rotation of `degrees` about axis 0, 1 or 2.
snQuat sni_axis_turn(int axis, float degrees);

#endif
