// Sinew: a character put through its paces. Plays a clip, or a range of motion made for its skeleton, and
// measures per joint and frame what tends to go wrong when characters deform.
#ifndef SINEW_CHECK_H
#define SINEW_CHECK_H

#include "sinew/character.h"
#include "sinew/retarget.h"

#ifdef __cplusplus
extern "C" {
#endif

// ----------------------------------------------------------------------------------------- range of motion

// One movement of a range: what moves, and when.
typedef struct snRangeMove {
    char name[96];  // "LeftElbow bend 140"; what the joint is in a body, or its own name
    uint32_t joint; // the first that moves
    float from, to; // seconds
    float degrees;  // how far, together, where several joints share it; as the name has it
    bool both;      // then as far the other way
} snRangeMove;

typedef struct snRange {
    snClip* clip; // "range": rotations of every joint that is moved
    uint32_t move_count;
    snRangeMove* moves; // in the order of time, without gaps
    snAllocator allocator;
} snRange;

// A second each for every movement, from rest and back. Bodies that stand upright bend as people do: elbows,
// knees, shoulders, hips, spine, neck, wrists, ankles and fingers, each through its own range. All other
// skeletons bend every joint that moves skin by 45 degrees both ways about two axes and twist it by 60.
// SN_RESULT_NOT_FOUND where no joint moves skin.
#define SN_RANGE_SECONDS 1.0f
SN_API snResult sn_range_create(const snModel* model, const snAllocator* allocator, snRange** out,
                                snError* error);
SN_API void sn_range_destroy(snRange* range);
// The move at a time; moves begin at their `from`. SN_NONE outside of the range.
SN_API uint32_t sn_range_at(const snRange* range, float time);
// Does a move turn this joint?
SN_API bool sn_range_rotates(const snRange* range, uint32_t move, uint32_t joint);
// The pose (joint_count of the skeleton) in which a move has gone a share of its way, 0 at rest, 1 at its
// end; below 0 the other way, where it goes both.
SN_API void sn_range_pose(const snRange* range, const snSkeleton* skeleton, uint32_t move, float share,
                          snTrs* out_locals);

// ------------------------------------------------------------------------------------------------ measures

// Every value is 0 where all is well and grows with the damage.
typedef enum snMeasure {
    SN_MEASURE_VOLUME = 0,   // of a closed piece of surface: how far from that at rest, as a share of it
    SN_MEASURE_JOINT_VOLUME, // of the flesh that bends around a joint: the same
    SN_MEASURE_SECTION,      // of a limb near a joint: area that its thinnest cross-section lost, as a share
    SN_MEASURE_STRETCH,      // share of a joint's surface that is stretched to more than twice its length
    SN_MEASURE_FLIP,         // share of a joint's surface that is turned inside out
    // Length of the lines along which a joint's surface cuts through other surface, and did not at rest, of
    // the border of a disc as large as that surface.
    SN_MEASURE_CROSSING,
    SN_MEASURE_SEAM,    // gap between vertices that are one at rest, of the model's diagonal
    SN_MEASURE_BLEED,   // weight of a joint across a gap: near in space, far along the surface
    SN_MEASURE_DROPPED, // weight of a vertex beyond its four heaviest joints, which most viewers drop
    SN_MEASURE_COUNT
} snMeasure;

typedef struct snMeasureInfo {
    const char* name;   // "joint-volume": on the command line and in JSON
    const char* title;  // "volume around joints"
    float warn, fail;   // defaults: above these
    bool posed;         // has a value for every frame; else of the weights alone
    const char* help;   // one sentence: what is measured
    const char* advice; // one sentence: what to do about it
} snMeasureInfo;
SN_API const snMeasureInfo* sn_measure_info(snMeasure measure); // NULL beyond the last
SN_API snMeasure sn_measure_find(const char* name);             // SN_MEASURE_COUNT: none

typedef enum snVerdict { SN_VERDICT_OK = 0, SN_VERDICT_WARN, SN_VERDICT_FAIL } snVerdict;
SN_API const char* sn_verdict_name(snVerdict verdict); // "ok", "warn", "fail"

// Where a value is above its limits.
typedef struct snLimits {
    float warn[SN_MEASURE_COUNT];
    float fail[SN_MEASURE_COUNT];
} snLimits;
SN_API snLimits sn_limits(void); // the defaults

// --------------------------------------------------------------------------------------------------- check

typedef struct snCheckDef {
    const snModel* model;
    const snSettings* settings; // as snCharacterDef takes them
    uint32_t clip;  // of the model; default SN_NONE, which is SN_RESULT_NOT_FOUND. SN_CLIP_REST: one frame,
                    // for what is of the weights alone
    float from, to; // seconds; equal: one moment; default 0, SN_CLIP_END: the whole clip
    float fps;      // frames a second, default 8: a range is measured at rest and at its ends
    snLimits limits;
    // Leaves out crossings that are no fault of the skin: of parts that are carried, and of limbs that are
    // not next to each other in the skeleton. Default false; true suits a range, whose poses nobody chose.
    bool near_only;
    snProgress progress; // default: nobody listens
    snTasks tasks;
    snCpuLevel level;
} snCheckDef;
SN_API snCheckDef sn_check_def(void);

// The worst of a measure, over all frames, around one joint or of all.
typedef struct snViolation {
    float value;
    snVerdict verdict;
    uint32_t joint;  // of the skeleton; SN_NONE: the whole piece, or nothing was measured
    uint32_t frame;  // SN_NONE: not of a frame but of the weights
    float time;      // seconds
    uint32_t part;   // of the place; SN_NONE: none
    uint32_t vertex; // SN_NONE: none
    uint32_t face;   // SN_NONE: none
} snViolation;

typedef struct snCheckMeasure {
    snViolation worst;
    uint32_t violation_count; // joints with any value, worst first; ties by number
    snViolation* violations;
    float* series; // frame_count: the worst value of each frame; NULL for those of the weights
} snCheckMeasure;

typedef struct snCheck {
    snVerdict verdict; // the worst of all measures
    uint32_t clip;
    float fps; // this and the limits as in the Def
    snLimits limits;
    uint32_t frame_count;
    float* times; // frame_count; seconds
    uint32_t joint_count;
    snCheckMeasure measures[SN_MEASURE_COUNT];
    uint32_t triangle_count, piece_count; // of all parts
    uint32_t closed_pieces;               // whose volume was measured
    uint32_t rest_crossings;              // pairs of triangles that cross at rest and were left out
    // What exact volume did not give back, because it would have broken the surface, as a share of a piece's
    // volume: the worst frame, and the joint that held back most of it. 0 without exact volume.
    snViolation held;
    snAllocator allocator;
} snCheck;

// Rest is the rest pose of the skeleton. SN_RESULT_BAD_DATA where a pose gives numbers that are not finite.
SN_API snResult sn_check_create(const snCheckDef* def, const snAllocator* allocator, snCheck** out,
                                snError* error);
SN_API void sn_check_destroy(snCheck* check);
// A measure in a frame around a joint; SN_MEASURE_VOLUME is that of whole pieces, whatever the joint. NaN for
// measures of the weights, and where there is no such frame or joint.
SN_API float sn_check_value(const snCheck* check, snMeasure measure, uint32_t frame, uint32_t joint);
// How the volume around a joint changed in a frame: what it gained (above 0) or lost (below), as a share of
// its size at rest; without its sign that is SN_MEASURE_JOINT_VOLUME. SN_CHECK_WHOLE: of the closed piece
// that changed most, as a share of its volume at rest. NaN where there is no such frame or joint.
#define SN_CHECK_WHOLE (UINT32_MAX - 1)
SN_API float sn_check_volume_change(const snCheck* check, uint32_t frame, uint32_t joint);
// The size at rest, cubic metres, of what bends around a joint; SN_CHECK_WHOLE: the volume of all closed
// pieces. 0: there is none, and its changes are all 0. NaN where there is no such joint.
SN_API double sn_check_rest_volume(const snCheck* check, uint32_t joint);
// Where it hurts: one number per vertex of each part, 0 .. 1 and more, 1 where the measure would fail, for
// the pose that a character of the same model is in. All zero for measures that are of no place.
SN_API snResult sn_check_heat(snCheck* check, snMeasure measure, const snCharacter* character,
                              float* const* out_heat);
// Poses a character of the same model and settings as it was when the violation was seen: its flesh has come
// there from a second before. The rest pose for what is of the weights.
SN_API snResult sn_check_pose(const snCheck* check, const snViolation* violation, snCharacter* character);

// What the limits say of a value.
SN_API snVerdict sn_check_judge(const snCheck* check, snMeasure measure, float value);
// The largest value of a measure around a joint, over all frames; 0 where nothing was found.
SN_API float sn_check_joint_worst(const snCheck* check, snMeasure measure, uint32_t joint);
// Joints for which any measure has a value, worst first: by the measure that is the most times its limit.
// Writes `capacity` of them at most and returns how many; of equal ones the lower number comes first.
SN_API uint32_t sn_check_worst_joints(const snCheck* check, uint32_t* out_joints, uint32_t capacity);

// -------------------------------------------------------------------------------------------- side by side

// Several checks of one model over the same frames with the same limits; `count` is 1 or more.

// The best of their verdicts: something works.
SN_API snVerdict sn_checks_verdict(const snCheck* const* checks, uint32_t count);
// Which of them has the largest value of a measure; of equal ones the first.
SN_API uint32_t sn_checks_worst(const snCheck* const* checks, uint32_t count, snMeasure measure);
// All measures, worst first: by how many times its limit the largest value is.
SN_API void sn_checks_order(const snCheck* const* checks, uint32_t count,
                            snMeasure out_order[SN_MEASURE_COUNT]);

#ifdef __cplusplus
}
#endif

#endif
