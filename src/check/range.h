// The range of motion, as its parts share it.
#ifndef SNI_CHECK_RANGE_H
#define SNI_CHECK_RANGE_H

#include "retarget/body_frame.h"
#include "sinew/check.h"

// One joint that turns during one move.
typedef struct sniTurn {
    uint32_t move, joint;
    snVec3 axis; // world, at rest
    float radians;
    bool both; // then as far the other way
} sniTurn;

typedef struct sniRangeMaker {
    const snModel* model;
    const snAllocator* memory;
    sniBody body;
    snJointName* names;
    double* below;     // joint_count; weight of all vertices on a joint and those below it
    uint8_t* weighted; // joint_count; has weight itself
    double total;
    uint32_t* hosts; // joint_count; whom a loose joint follows, or SN_NONE
    sniTurn* turns;  // those of a move in the order of the skeleton
    size_t turn_count, turn_capacity;
    snRangeMove* moves;
    size_t move_count, move_capacity;
    bool failed;
} sniRangeMaker;

// How far a turn has gone, -1 .. 1, at a time of its move, 0 .. 1.
float sni_turn_share(bool both, float time);

// Joints that rigs keep apart from what they belong to (range_loose.c): feet and hooves that hang on the
// root, because a solver puts them in their place. Here they follow whom they share most skin with.
bool sni_range_hosts(sniRangeMaker* maker);
// Keys of a loose joint over the whole range, eight a second; room for as many as sni_range_loose_keys says.
uint32_t sni_range_loose_keys(const sniRangeMaker* maker);
void sni_range_follow(const sniRangeMaker* maker, uint32_t joint, float* times, float* translations,
                      float* rotations);

#endif
