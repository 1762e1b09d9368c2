// The player of paths: made in player.c, played in player_frame.c, its feet in player_stands.c and
// player_feet.c.
#ifndef SNI_PATHS_PLAYER_H
#define SNI_PATHS_PLAYER_H

#include "paths/limb.h"
#include "paths/sole.h"
#include "sinew/paths.h"

// Seconds, before and after, in which the body comes down for its legs. By eye, as in player_stands.c.
#define SNI_PLAYER_SETTLE 0.25f

// How a handle stands at a key.
typedef struct sniStand {
    uint32_t before, after; // keys that rest: the last one up to it, the first one after it; SN_NONE: none
    snRigid place;          // flat on its sole
    float ground;           // height of the path's own ground there
    float raised;           // metres, by ground that is not even
    float strike, rise;     // radians that it has rolled when it comes and goes: onto its heel, over its toes
} sniStand;

// What a path has beside its keys.
typedef struct sniTrack {
    sniLimb limb;
    sniSpine spine;   // of what reaches without a limb
    sniSole sole;     // of a contact, where the mesh is known
    sniStand* stands; // key_count
    float* lifts;     // frame_count: metres that the foot is carried over its path
    float* flatness;  // 2 settle + 1, in turn: how far the foot has to be turned flat, 0 .. 1
    uint32_t footing; // key whose footing is looked for next
    snVec3 moved;     // what the last one was moved by to find it
    float bend;       // of the toes in this frame, radians
    float stretch;    // by which the leg is too short in it, metres
    snVec3 set_down;
    bool resting; // in the last frame
    snContactReport report;
    double slide_sum, distance_sum;
} sniTrack;

// What a search found, before it is smoothed.
typedef struct sniFound {
    snVec3 body; // where the model's space is
    uint32_t standing;
    snPoseSearchResult search;
} sniFound;

// Time in which no foot stands, and what comes before and after it; seconds, and heights of the center of
// mass.
typedef struct sniFlight {
    float from, to, leave, land;
    float begin, stand; // of the crouch before it
    float end, up;      // the body is up again
    bool joined;        // nothing but the ground between it and the flight before
    float next_leave, next_land, next_stand, next_up; // as the last rehearsal had them
} sniFlight;

struct snPathPlayer {
    const snHandles* handles;
    uint32_t pose_count;
    const snHandlePose** poses;
    snPoseSpace* space;
    bool grounded; // there is a terrain
    snTerrain terrain;
    float* heights; // its map
    snPaths* paths;
    sniTrack* tracks;
    uint8_t* marks;  // scratch of finding limbs, two rounds of handle_count
    float* headings; // frame_count; radians about +Y
    float* lifts;    // scratch of finding lifts, frame_count
    bool balanced;   // feet say where the body is
    float swing;     // seconds in which it would fall, as a pendulum
    snVec3* travel;  // frame_count; where the model's space then is, level; or NULL
    float* leans;    // frame_count; radians that the trunk leans forward; or NULL
    uint32_t trunk;  // handle that carries the legs, whose other followers lean; SN_NONE: there is none
    uint32_t flight_count;
    sniFlight* flights;
    float* masses;    // handle_count, shares; NULL: nothing flies
    snVec3 rest_mass; // center of mass at rest
    float gain;       // by which it rises with the hips, while feet stay
    snVec3 hang;      // from the trunk to it, of the last pose found
    uint32_t frame_count, next;
    uint32_t anchor;        // path that the body hangs on in the last search
    uint32_t searched;      // frames
    uint32_t window;        // frames on both sides that averages need
    uint32_t settle;        // frames on both sides that count for how far the body comes down
    uint32_t settled;       // frames whose drop is known
    uint32_t eased_count;   // frames whose eased drop is known
    sniFound* found;        // 2 (window + settle) + 1, in turn
    float* found_weights;   // the same, pose_count each
    uint32_t* found_orders; // in which those are loaded
    float* drops;           // 2 settle + 1, in turn: by how much the body is too high for its legs
    float* eased;           // the same, as the body does it
    snPoseSearchJob job;
    uint32_t base; // pose, or SN_NONE
    float change;  // of a weight in a frame
    float fps, blend, smooth, steady;
    snPoseTarget* targets;
    snVec3 *places, *last_places, *points, *last_positions;
    snVec3 *aim_points, *aims; // path_count; what the search brings where
    bool* resting;
    float *weights, *last_weights, *far_weights; // of the search
    float* shown;                                // their average
    uint32_t* order;                             // of the last search
    snRigid *moves, *feet;                       // handle_count, path_count
    void* scratch;
    snAllocator allocator;
};

static inline float sni_frame_time(const snPathPlayer* player, uint32_t frame) {
    return (float)frame / player->fps;
}
static inline const snTerrain* sni_player_terrain(const snPathPlayer* player) {
    return player->grounded ? &player->terrain : NULL;
}
// How the body is turned about +Y at a time.
snQuat sni_player_heading(const snPathPlayer* player, float time);
// That part of a rotation; `fallback` where it tips over.
snQuat sni_player_yaw(snQuat turn, snQuat fallback);

// Moves keys of paths that may be moved so that soles rest on one tread; headings, soles and the keys that
// rest around each are known.
void sni_player_find_footing(snPathPlayer* player);
// Finds how contacts stand and how high they are carried between; headings and soles are known.
void sni_player_find_stands(snPathPlayer* player);
// Finds where the body is over feet that stand; false: out of memory.
bool sni_player_find_balance(snPathPlayer* player);
// Leans the trunk into the slope of the way; `moves` are in the model's space.
void sni_player_lean(const snPathPlayer* player, uint32_t frame, snRigid* moves);
// Finds flights, once the balance is known; false: out of memory.
bool sni_flight_find(snPathPlayer* player, const snMesh* mesh);
// Shares of the whole that handles weigh, `handle_count`.
void sni_flight_masses(const snHandles* handles, const snMesh* mesh, const uint8_t* props, float* out);
// Plays all frames a few times to find out how high flights begin and end.
snResult sni_flight_rehearse(snPathPlayer* player);
// How much a flight says about the height of the center of mass at a time, 0 .. 1, and that height.
float sni_flight_plan(const snPathPlayer* player, float time, float* out_height);
snVec3 sni_flight_mass(const snPathPlayer* player); // that center, of the pose in `moves`
// What `moves` have to be moved by for it to be where it should.
snVec3 sni_flight_shift(const snPathPlayer* player, uint32_t frame, snQuat heading);
const sniFlight* sni_flight_at(const snPathPlayer* player, float time); // NULL: something stands
// A foot in a flight: `wanted` on its path, if the ground were below; `left` and `comes`: how it stood when
// the body took off and will when it lands, or NULL. It goes along with the body, as the pose has it in
// between.
snRigid sni_flight_foot(const snPathPlayer* player, uint32_t path, const sniFlight* flight, float time,
                        snRigid wanted, const snRigid* left, const snRigid* comes);
// A foot in the air, no further from its hip than the leg reaches.
snRigid sni_flight_within_reach(const snPathPlayer* player, uint32_t path, snRigid wanted);
// Finds how flat contacts have to be in a frame; returns by how much the body is then too high for its legs.
float sni_player_try_feet(snPathPlayer* player, uint32_t frame);
// Where contacts have to be, into `feet`; `settle` frames ahead have been tried.
void sni_player_place_feet(snPathPlayer* player, uint32_t frame);
// What the search should bring where: of a contact whose sole is known the end of its limb, which rises and
// goes ahead as the foot rolls; in the middle of a step the path's own point, as of others.
void sni_player_aim(const snPathPlayer* player, uint32_t path, uint32_t frame, snVec3* out_point,
                    snVec3* out_place);
// The point of a foot that rolls (rest pose) that it rests on, and where it touches the ground. False: it
// does not rest, or does not roll.
bool sni_player_pivot(const snPathPlayer* player, uint32_t path, uint32_t frame, snVec3* out_point,
                      snVec3* out_place);
// How far a contact's sole is below the ground, metres.
float sni_player_sunk(const snPathPlayer* player, uint32_t path, uint32_t frame);

#endif
