// Retargeting in steps. All of it happens in the body frame (body_frame.h) of the target, in turns: the turn
// of a joint is its world rotation now times the inverse of that at rest. Axes and rolls of either file
// vanish that way, and a joint that nothing drives has the turn of its parent.
#ifndef SNI_RETARGET_H
#define SNI_RETARGET_H

#include "retarget/body_frame.h"

// Feet and hands of both bodies over time: left and right foot, left and right hand.
enum { SNI_FEET = 2, SNI_LIMBS = 4 };
typedef struct sniLimb {
    bool exists; // both skeletons have it
    bool hand;
    snSide side;
    uint32_t upper; // target joints
    uint32_t lower;
    uint32_t end;
    snVec3 tip;     // from the end joint to the ball of the foot, or the knuckles, at rest
    float overhang; // how far the surface goes on ahead of the ball, in lengths of `tip`: it dips when tipped
    uint32_t source_end; // source joints
    uint32_t source_tip; // or SN_NONE
    snVec3* source_ends; // frames; in the source's body frame
    snVec3* source_tips; // frames
    uint8_t* planted;    // frames; sniPlant
    snVec3* correction;  // frames; how far the end is moved
    float* level;        // frames; how far the end is raised beyond that, tipping the foot about its toe
    float *front, *back; // frames; how high the end is when its front, its back touches the floor
    snVec3 pole, along;  // limb_bend.c; where knee or elbow was to the side of its limb in the frame before
    // legs.c; of an animal that stands on it, as the source's on theirs:
    bool carries;
    bool swings;                  // bends the other way than the source's, and swings as a whole
    bool steep, source_steep;     // the end is no sole but goes on down to the toes
    bool toeless;                 // the source has toes and this has none
    snVec3 stance, source_stance; // where their ends rest, body frames
} sniLimb;

// Which point stands still: the ball is asked first, it stays when the heel lifts. A foot that glides is on
// the ground and moves along it, as in a walk in place.
typedef enum sniPlant { SNI_PLANT_NONE = 0, SNI_PLANT_TIP, SNI_PLANT_END, SNI_PLANT_GLIDE } sniPlant;

// Two points of a limb in one frame.
typedef struct sniLimbPoints {
    snVec3 end, tip;
} sniLimbPoints;

static inline bool sni_is_trunk(snRole role) { return role == SN_ROLE_HIPS || role == SN_ROLE_SPINE; }

// A point of the target's surface.
typedef struct sniGroundPoint {
    snVec3 rest; // body frame
    uint32_t joints[SN_BODY_POINT_JOINTS];
    float weights[SN_BODY_POINT_JOINTS];
    uint32_t main; // the joint with the largest weight
    int limb;      // of r->limbs, or -1
    bool front;
    bool prop;       // held, no part of the body
    bool free;       // of tail or wings: raised by itself
    uint32_t branch; // of r->branches, or SN_NONE: of the trunk
    bool support;    // what a body without feet stands on
} sniGroundPoint;

// What leaves the target's trunk: tail, neck, a limb, a wing.
typedef struct sniBranch {
    uint32_t root; // target joint
    snRole role;   // of the root
    bool free;     // bears nobody
    bool raised;   // in some frame
    float reach;   // how far from it its points are at rest
    float low;     // how low they are
    snVec3 middle; // from it to where they are, summed; body frame
} sniBranch;

// How long corrections and lifts take to come and go. Judged.
#define SNI_BLEND_SECONDS 0.15f
// How long a lift takes to begin and to end, to each side. Judged.
#define SNI_SOFT_SECONDS 0.06f

// How high knuckles, or a wrist without any, may be above the lowest ankle or toe when the hand is on the
// ground, in leg lengths. Judged.
#define SNI_HAND_LOW 0.2f
// Knees, hips, back or head are on the ground when their joint is so low: about the thickness of a body that
// lies.
#define SNI_BODY_LOW 0.15f

typedef struct sniRetarget {
    const snRetargetDef* def;
    snAllocator memory;
    sniBody source;
    sniBody target;
    float scale;    // target length / source length
    float from;     // seconds of the clip where frame 0 is
    float rate;     // frames a second: of the steps, and of the keys once they are resampled
    float duration; // seconds of the result, once it is resampled
    uint32_t frames;
    float begin, end;     // frames, and parts of them, that were asked for; steps look at all
    uint32_t limited;     // frames in which a joint was brought back to what it can do
    uint32_t capacity;    // frames that the arrays hold
    uint32_t period;      // frames of a loop, whose last frame is its first again; 0: no loop
    snVec3 stride;        // how far the hips go over the ground in one loop
    float rise;           // how much higher than scaled from their rest hips and ends of `carries` are
    float floor;          // height of the ground of the motion above where the target's feet are at rest
    uint32_t hips;        // target joint whose place follows the source's hips; SN_NONE: none
    uint32_t source_hips; // source joint
    bool root_turns;      // the joint that takes the travel turns with it
    uint32_t* opposite;   // source joints; the joint of the other side when mirroring, else the joint itself
    uint32_t* attach;     // target joints; what a joint hangs from: its parent, or the shin of a loose foot
    uint32_t* order;      // target joints; attach before what hangs from it
    uint8_t* soles;       // target joints; nonzero: limb + 1 of a leg behind which it lies on the ground
    snQuat* align;     // target joints; turns the target's rest so that bones point as the source's at rest
    snQuat* curls;     // target joints; from a finger's rest of the source to that of the target; 0: none
    snQuat* turns;     // frames * target joints
    snVec3* hips_path; // frames; place of the hips in the target's body frame
    float* body_low;   // frames; height of the source's lowest joint that is no foot and no hand
    uint8_t* down;     // frames; 1: it is on the ground
    // frames; heights of the source's lowest and highest joint of hips and spine
    float *trunk_low, *trunk_high;
    float*
        upright;  // frames; how far below its beginning a limb of the source ends at most, part of its length
    float* lying; // frames; 1: its trunk lies on the ground, 0: it does not
    // frames; heights of the source's lower ankle, toes and wrist; INFINITY: none
    float *ankle_low, *toe_low, *hand_low;
    float *foot_up, *body_up; // frames; see sni_supports_source
    snVec3* travel;           // frames; horizontal travel taken out of the hips
    snVec3* points;           // target joints; scratch: places in one frame
    sniLimb limbs[SNI_LIMBS];
    snVec3 hinges[SNI_LIMBS]; // axes of the source's knees and elbows at rest, body frame; zero: not known
    snVec3 own_hinges[SNI_LIMBS];        // of the target's; zero: not known, or not to be changed
    float rolls[SNI_LIMBS];              // how far its upper limbs were rolled at rest
    uint32_t ground_count;               // 0: the surface is not known, or not asked for
    sniGroundPoint* ground;              // those of limb 0 first, then 1 and on, then all others
    uint32_t limb_points[SNI_LIMBS + 1]; // where those of each limb begin, and end
    float* radius;                       // target joints; how far from it its points are
    float level;                         // height of the floor under the surface
    uint32_t branch_count;
    sniBranch* branches; // branch_count
} sniRetarget;

// The first and the last whole frame of those that were asked for: reports tell of these.
static inline uint32_t sni_first_shown(const sniRetarget* r) { return (uint32_t)(r->begin + 0.5f); }
static inline uint32_t sni_last_shown(const sniRetarget* r) { return (uint32_t)(r->end + 0.5f); }

// bend_planes.c: hinges and own_hinges. False: out of memory.
bool sni_retarget_planes(sniRetarget* r);
// Does an upper limb of the target rest bent the other way than its source, as a hock against a knee?
bool sni_bends_opposed(const sniRetarget* r, uint32_t upper);
// An upper limb `to`, aligned with `from` by `align`, rolled so that its hinge is the source's; fills
// `rolls`.
snQuat sni_bends_align(sniRetarget* r, uint32_t from, uint32_t to, snQuat align);
snQuat sni_bends_hand(const sniRetarget* r, uint32_t hand, snQuat forearm); // the same, taken back
void sni_bends_roll(const sniRetarget* r, uint32_t frame);                  // in a frame

// legs.c: legs of animals. First what they are like, then what lies on the ground behind them.
void sni_legs_create(sniRetarget* r);
void sni_legs_soles(sniRetarget* r);
// In a frame whose source points are recorded: turns them from `hips`, the source's places of their upper
// joints, and the source's turns.
void sni_legs_turn(const sniRetarget* r, uint32_t frame, const snVec3 hips[SNI_LIMBS], const snQuat* source);
snVec3 sni_legs_goal(const sniRetarget* r, const sniLimb* limb, uint32_t frame); // where its end goes
// The turn of a sole behind a leg with that turn: level on the ground, with the leg in the air.
snQuat sni_legs_sole(const sniRetarget* r, const sniLimb* limb, uint32_t frame, snQuat leg);
float sni_legs_step(
    const sniRetarget* r);           // how far above their rest they come down; INFINITY: there are none
bool sni_legs_stand(sniRetarget* r); // false: there are none

// rest.c: attach and order, then align.
void sni_retarget_attach(sniRetarget* r);
void sni_retarget_rest(sniRetarget* r);
snQuat sni_look(snVec3 forward, snVec3 up); // the rotation whose z is `forward` and whose y is nearest `up`
bool sni_retarget_is_loose(const sniRetarget* r, uint32_t joint); // hangs from something else than its parent

// fingers.c: from the little finger, or the last there is, to the index finger at rest; false: not known.
bool sni_hand_across(const sniBody* body, snSide side, snVec3* out);
bool sni_fingers_create(sniRetarget* r);                     // curls; false: out of memory
bool sni_finger_curls(const sniRetarget* r, uint32_t joint); // both fingers and palms are known
// The turn of a target's finger from those of the source's finger and hand, and of its own hand.
snQuat sni_finger_turn(const sniRetarget* r, uint32_t joint, snQuat finger, snQuat hand, snQuat own_hand);

// limits.c: brings knees, elbows and wrists of a frame back to what they can do. True: some were beyond it.
bool sni_retarget_limit(const sniRetarget* r, uint32_t frame);
void sni_retarget_limit_twists(sniRetarget* r, float* twists); // of hands, in all frames; `twists`: scratch

// pose.c: turns, hips and feet of every frame from the source's clip.
bool sni_retarget_sample(sniRetarget* r);
float sni_source_rest_low(const sniBody* source); // height at rest of what body_low is of
// Gives joints that nothing drives their parent's turn, and twist helpers their share.
void sni_retarget_settle(const sniRetarget* r, uint32_t frame);
// Places of all target joints in one frame, into r->points.
void sni_retarget_place(const sniRetarget* r, uint32_t frame);
// The part of a rotation about `axis` (unit); what is left of it is the swing.
snQuat sni_twist(snQuat rotation, snVec3 axis);

// loop.c: cuts the frames that were asked for down to a loop and closes it.
bool sni_retarget_loop(sniRetarget* r, snLoopReport* report);
// A loop goes on beyond its ends: unrolled it has whole cycles before and after, so that steps which look
// around a frame need not know about loops; rolled up again the middle one is left. Without a loop, nothing.
void sni_retarget_unroll(sniRetarget* r);
void sni_retarget_roll(sniRetarget* r);

// contacts.c: when each foot stands.
void sni_retarget_contacts(sniRetarget* r);
float sni_contact_level(const snVec3* points, uint32_t count); // the height that they come down to
// Marks frames in which a point stands, where nothing is marked yet: near `low`, and slow, in lengths of a
// leg.
void sni_contact_mark(const snVec3* points, uint32_t count, float rate, float leg, float low, uint8_t mark,
                      uint8_t* planted);
bool sni_contact_low(float height, float leg);           // above the level
bool sni_contact_glides(uint32_t stands, uint32_t lows); // frames; a walk in place

// ground.c: the floor and what of the surface reaches it. Frames that are asked about have been placed.
bool sni_ground_create(sniRetarget* r);                                     // false: out of memory
void sni_ground_soles(const sniRetarget* r, sniLimb* limb, uint32_t frame); // fills front and back
snVec3 sni_ground_now(const sniRetarget* r, uint32_t frame, const sniGroundPoint* point); // its place
float sni_ground_lowest(const sniRetarget* r, uint32_t frame); // of all but tails, wings and what is held
float sni_ground_rise(const sniRetarget* r);                   // from where feet rest to the floor
void sni_ground_stand(sniRetarget* r);
void sni_ground_drop(sniRetarget* r, float* drops);
float sni_ground_lift(sniRetarget* r, float least, bool only_trunk, float* needs, float* most);
void sni_ground_measure(sniRetarget* r, float* lows, snRetargetReport* report);

float sni_quantile(const float* values, uint32_t count, float part); // the value that `part` of all are below
// supports.c: of bodies without feet. First, of the source, in the target's lengths: how high above its
// ground its lower foot is (foot_up), and the lowest of hands, knees, trunk and head (body_up); 0: on the
// ground.
void sni_supports_source(sniRetarget* r);
void sni_supports_stand(sniRetarget* r);

// branches.c
bool sni_branches_create(sniRetarget* r); // of the points of the ground; false: out of memory
// Keeps tails and wings off the floor, and of a body that lies all that leaves its trunk.
void sni_branches_raise(sniRetarget* r, float* needs, float* most);
bool sni_branches_turn(const sniRetarget* r, uint32_t joint); // is it where one was raised?

// limb_plants.c: where the ends of limbs are to go.
void sni_limbs_correct(sniRetarget* r, sniLimbPoints* points);
bool sni_limbs_release(sniRetarget* r); // lets go of what limbs cannot reach; true: there was some
snVec3 sni_limbs_point(const sniRetarget* r, const sniLimb* limb, uint32_t frame, uint8_t plant);
// limb_bend.c: limbs follow.
void sni_limbs_turn(const sniRetarget* r, snQuat* turns, snRole role, snSide side, snQuat by); // one segment
void sni_limbs_bend(sniRetarget* r);
snVec3 sni_limbs_move(const sniLimb* limb, uint32_t frame); // how far the end goes
float sni_limbs_reach(const sniRetarget* r, const sniLimb* limb);

// limb_correction.c: stands the body on the ground and, where asked, holds planted feet and hands; fills the
// report.
bool sni_retarget_feet(sniRetarget* r, snRetargetReport* report);

// write.c: from the rate of the steps to that of the keys, and the clip of them; `root`: the joint that takes
// the travel, or SN_NONE.
bool sni_retarget_resample(sniRetarget* r);
snResult sni_retarget_write(const sniRetarget* r, uint32_t root, snClip** clip, snError* error);

// root.c: the joint above the hips that travels, or SN_NONE; and whether it turns too.
uint32_t sni_retarget_root(sniRetarget* r);
// Takes the travel out of the hips, as the Def asks, and with `root_turns` the turning about up; `root` then
// turns by it. False: out of memory.
bool sni_retarget_travel(sniRetarget* r, uint32_t root);

#endif
