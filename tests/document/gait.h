// How somebody walks, as curves over a cycle: of handles that follow a path, and of captures on a skeleton.
#ifndef SINEW_TEST_GAIT_H
#define SINEW_TEST_GAIT_H

#include "edits.h"

// Left is 0, right is 1.
typedef struct GaitFrame {
    snVec3 hips, neck, head, hip[2], knee[2], ankle[2], toe[2], shoulder[2], elbow[2], wrist[2];
} GaitFrame;

typedef struct Gait {
    GaitFrame* frames;
    uint32_t frame_count;
    float fps;
    float leg;      // hip to ankle, standing; metres
    float sole;     // angle from shin to foot, standing; radians
    snVec3 forward; // of the whole way; level, unit
    float slide;    // of feet that stand, at most; metres; paths alone
    float sunk;     // of soles into the ground
} Gait;

typedef enum GaitCurve {
    GAIT_LEAD,   // pelvis before the middle of the ankles, metres
    GAIT_HEIGHT, // of the pelvis, metres
    GAIT_TRUNK,  // hips to neck, leaning forward; degrees, as all angles
    GAIT_HIP,    // thigh, forward of upright
    GAIT_KNEE,   // bent
    GAIT_ANKLE,  // toes raised towards the shin, against standing
    GAIT_ARM,    // shoulder to wrist, forward of hanging
    GAIT_TURN,   // of the pelvis, its left side forward
    GAIT_CURVE_COUNT
} GaitCurve;
#define GAIT_SAMPLES 51

// Mean over all whole cycles of the left side, from heel strike to heel strike.
typedef struct GaitCycle {
    uint32_t cycles;
    float seconds, stride; // of a cycle: time, metres
    float curves[GAIT_CURVE_COUNT][GAIT_SAMPLES];
    float strike_lead;   // mean over both feet: GAIT_LEAD at the widest double support
    float trailing_knee; // then
    float knee_speed_up; // largest acceleration of a knee, degrees a second squared
} GaitCycle;

const char* gait_curve_name(GaitCurve curve);

// A path of the built-in body's handles. Path and poses are files of assets/examples.
Gait gait_of_path(const char* model, const char* rig, const char* examples, const char* path);
// A motion retargeted to the built-in body.
Gait gait_of_motion(const char* motion);
void gait_destroy(Gait* gait);

// Center of mass of a frame, from the shares and places of body segments of Dempster (1955, as in Winter,
// Biomechanics and Motor Control of Human Movement, table 4.1).
snVec3 gait_mass_center(const GaitFrame* frame);
float gait_elbow(const GaitFrame* frame, uint32_t side); // bent; degrees

float gait_value(const Gait* gait, GaitCurve curve, uint32_t frame, uint32_t side);
// Cycles that begin between the two moments.
GaitCycle gait_cycle(const Gait* gait, float from, float to);

// How handles that a motion leads miss it, metres: the hips, and the worst of hands and feet, on average.
typedef struct GaitMisses {
    float hips, ends;
} GaitMisses;
GaitMisses gait_misses(const char* model, const char* rig, const char* examples, const char* motion);

// A path on a model with handles made from its skeleton, or found in its shape.
typedef struct GaitOther {
    float travel;   // of the hips, metres
    float wrists;   // how far the higher wrist or elbow gets above its shoulder, of the arm's length
    float slide;    // of what stands, metres
    float short_of; // how far legs did not reach, metres
    float legs;     // from the hips' joints to the ground, metres
    float rise;     // how high the hips got over where they began
} GaitOther;
GaitOther gait_of_other(const char* model, const char* examples, const char* path);

#endif
