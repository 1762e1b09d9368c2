// Exact volume inside: what surrounds every joint, made once.
#ifndef SNI_VOLUME_EXACT_H
#define SNI_VOLUME_EXACT_H

#include "shape/laplacian.h"
#include "volume/closed.h"
#include "volume/kernels.h"

// ------------------------------------------------------------------------------------------------- rings

typedef struct sniRingCap {
    uint32_t center; // local
    uint32_t first;  // of its members
    uint32_t count;
} sniRingCap;

// Some points of the closed surface with what surrounds them, in an order that suits the kernels. Local
// indices: first the points themselves in blocks, then those around them; sni_no_point fills up lanes.
typedef struct sniRings {
    uint32_t inner; // places of the points, a multiple of SNI_FACE_LANES
    uint32_t total; // places in all, the same
    uint32_t* ids;  // total; points of the closed surface
    sniRingSet set;
    uint32_t cap_count;
    sniRingCap* caps;
    uint32_t* cap_members; // local
    snAllocator allocator;
} sniRings;

// `points` rise. `places` has point_count + cap_count entries of SN_NONE, and is left so.
snResult sni_rings_create(const sniClosed* closed, const uint32_t* points, uint32_t count, uint32_t* places,
                          const snAllocator* allocator, sniRings** out, snError* error);
void sni_rings_destroy(sniRings* rings);

// ------------------------------------------------------------------------------------------------- joints

// How joints are tried (exact_try.c): about three axes, of which the last is the bone, one way round and the
// other; and by how many angles they are bent.
#define SNI_WAYS 6
#define SNI_BENDS 3

typedef struct sniVolumeFrame {
    uint32_t parent; // SN_NONE: a root
    snVec3 place;    // bind pose
    snVec3 tail;     // where the bone points to, bind pose
    snVec3 back;     // unit: along the parent bone, away from the joint
    snVec3 across;   // unit: from what the joint moves to what its parent moves; 0: they run side by side
    snVec3 side;     // unit, across `back`: the axis of the bend where it cannot be seen
    float length;    // of the profile's unit, metres
    float radius;    // of the limb where it bends, metres
    float amount;
    uint32_t profile;                 // into profiles
    double largest;                   // |change of volume| at the largest bend; 0: not needed
    snQuat stance;                    // how it was turned against its parent when it was tried
    float tried;                      // metres around its place, bind pose, in which surface was looked at
    bool gives_less;                  // than all of what its rotation did, in some bends
    float given[SNI_WAYS][SNI_BENDS]; // 0 .. 1: how much, at the angles that were tried each way
} sniVolumeFrame;

typedef struct sniProfile {
    snVolumeProfile def;
    float shares[3];             // sum to 1
    bool even;                   // shares are the same
    bool round;                  // turning it about x changes nothing
    sniProfileTable plain[3];    // without folds
    sniProfileTable folded[3];   // the same where folds do not grow
    float reach_low, reach_high; // along x
    float reach;                 // across
} sniProfile;

// The faces that a joint bends: those that it moves neither as a whole nor not at all.
typedef struct sniHinge {
    uint32_t matrix_count;
    uint32_t* matrices; // joints
    snSkinPlan* before; // its points with the joint and all below it following its parent
    snSkinPlan* after;
    uint32_t point_count; // skinned ones; centers of caps follow
    uint32_t cap_count;
    sniRingCap* caps;
    uint32_t* cap_members;
    uint32_t block_count;
    sniFaceBlock* blocks;
    // What it moves as a whole.
    double volume;  // six times, around the joint's place, bind pose
    double area[3]; // twice
} sniHinge;

// The surface of one shell that a joint's bone carries, which is what breathes (carried.c): places of the
// shell's rings, in whole lanes.
typedef struct sniCarried {
    uint32_t span_count; // 0: the bone carries none
    sniSpan* spans;
    float* weights; // one per place in all spans, 0 .. 1; those of all joints sum to about 1 at a point
    double mass;    // weights times areas
    float largest;  // weight
} sniCarried;

// Where a joint corrects one shell: places of the shell's rings, in whole lanes.
typedef struct sniPatch {
    uint32_t joint;
    uint32_t shell;
    sniHinge* hinge;     // NULL: the joint moves all of the shell alike
    uint32_t span_count; // 0: no surface near the joint
    sniSpan* spans;
    uint32_t count;     // of the places in all spans
    float* gates;       // count; how far the joint reaches, 0 .. 1; 0 where there is no point
    float* sides;       // count; 1 where the parent moves all of a point .. -1 where the joint does
    float* coordinates; // 3 count; places at rest in the joint's frame and lengths: all x, all y, all z
    float* weights;     // count; gates times the profile of the bind pose, or NULL: made every frame
    double gate_sum;
    double least;  // of the weights' mean over the gates: below it they are topped up
    double mass;   // how much of the shell it reaches: weights times areas
    double reach;  // the same of the gates
    float largest; // weight
    sniCarried carried;
    double moved;       // of the shell by the joint, as a volume
    double share;       // of the shell's rest volume that is the joint's
    double share_below; // the same of the joint and all under it
} sniPatch;

// A shell as it is at rest, whatever its weights.
typedef struct sniShellTables {
    sniRings* rings;   // of all points; NULL where it is not kept
    size_t first_slot; // of its places among those of all shells
    size_t first;      // the same, of the inner ones only
    uint32_t apex;     // a point of it
    uint32_t block_count;
    sniFaceBlock* blocks;
    sniLaplacian laplacian; // rows are the inner places
    snVec3* normals;        // inner; smooth
    float* radii;           // inner; metres: how sharply the smooth surface bends there
    float* areas;           // inner; of the closed surface
} sniShellTables;

struct snExactVolume {
    sniClosed* closed;
    uint32_t joint_count;
    sniVolumeFrame* joints;
    uint32_t* order; // joint_count; parents first, by whom they hang on
    uint32_t profile_count;
    sniProfile* profiles;
    sniShellTables* shells; // the closed surface's shell_count
    uint32_t patch_count;
    sniPatch* patches;     // in the order of the joints
    uint32_t* places;      // one per point: its place in the rings of its shell
    sniNearSet near;       // all faces
    snSkinPlan* normals;   // turns the smooth normals of all inner places
    size_t inner_places;   // of all shells
    uint32_t most_places;  // of one patch
    size_t hinge_points;   // points and centers of all hinges
    size_t hinge_matrices; // of all of them
    size_t hinge_dual;     // bytes
    size_t ring_places;    // of all shells
    uint32_t* slots;       // one per vertex: its place in the shells' rings; the last place has no point
    size_t sum_count;      // partial sums of volumes
    bool dual;
    float support;
    bool rest_profiles;
    snAllocator allocator;
};

// Clusters of faces of the surface at rest. What was made of it is freed even after a failure.
snResult sni_near_create(const sniClosed* closed, const snAllocator* memory, sniNearSet* out, snError* error);
void sni_near_free(sniNearSet* set, const snAllocator* memory);

// Whether two profiles say the same, whatever they are called.
bool sni_same_volume_profile(const snVolumeProfile* a, const snVolumeProfile* b);

// The same surface with what another Def says of profiles, amounts, support and skin; places and
// order of the joints must be the same, and parts are not read. It has the bits of one made anew, and shares
// with `volume` whatever does not differ: of the two, one has to be released against the other.
snResult sni_exact_volume_amend(const snExactVolume* volume, const snExactVolumeDef* def, snExactVolume** out,
                                snError* error);
// The same for other weights of the parts, everything else being as it was. NULL in `out` where they make
// another surface of it.
snResult sni_exact_volume_reweigh(const snExactVolume* volume, const snExactVolumeDef* def,
                                  snExactVolume** out, snError* error);
// Frees all that `keeper` (or NULL) does not share.
void sni_exact_volume_release(snExactVolume* volume, const snExactVolume* keeper);

// A Def whose joints hang on those that their surface hangs on, in an order that suits. False without memory.
bool sni_hang_joints(const snExactVolumeDef* def, const sniClosed* closed, const snAllocator* memory,
                     snExactVolumeDef* out);
void sni_hung_free(const snExactVolumeDef* hung, const snAllocator* memory);

snResult sni_frames_create(const snExactVolumeDef* def, snExactVolume* volume, snError* error);
// Profiles that `old` (or NULL) has already are copied.
snResult sni_profiles_create(const snExactVolumeDef* def, const snExactVolume* old, snExactVolume* volume,
                             snError* error);
snResult sni_patches_create(const snExactVolumeDef* def, snExactVolume* volume, snError* error);
// Patches, levels and places of `volume`, which has those of `old`, are made anew where profiles differ.
snResult sni_patches_amend(const snExactVolumeDef* def, const snExactVolume* old, snExactVolume* volume,
                           snError* error);
// Patches of joints that `stale` names (joint_count; filled here) are made anew after weights have changed,
// those of others taken over from `old`. Frames are those of the new weights.
snResult sni_patches_reweigh(const snExactVolumeDef* def, const snExactVolume* old, snExactVolume* volume,
                             uint8_t* stale, snError* error);
// The patch of a joint on a shell, or NULL.
const sniPatch* sni_patch_find(const snExactVolume* volume, uint32_t joint, uint32_t shell);
// Gives every place a little where a pose left a profile next to nothing, so that a few points do not have to
// do it all. It begins with nothing, so there is no step.
void sni_top_up(const sniPatch* patch, double sum, float* weights);
// Frees what `keeper` (or NULL) does not share.
void sni_patch_release(sniPatch* patch, const sniPatch* keeper, const snAllocator* memory);
// How a joint shares the points of the surface with the others, while patches are made.
typedef struct sniHold {
    uint32_t joint;
    uint8_t* below;   // joint_count; 1: the joint or one under it
    uint32_t* ranks;  // joint_count; place in the order
    float* shares;    // point_count; how much of a point it and those under it move
    uint8_t* classes; // point_count + cap_count; 0 nothing, 1 all, 2 some
    uint32_t* places; // point_count + cap_count; SN_NONE between uses
} sniHold;
// NULL in `out` when no face of the shell is bent.
snResult sni_hinge_create(const snExactVolume* volume, const sniHold* hold, const uint32_t* faces,
                          uint32_t face_count, sniHinge** out, snError* error);
void sni_hinge_destroy(sniHinge* hinge, const snAllocator* memory);

// Six times the change of a shell's volume by a joint alone. `points` and `scratch` as in the job's memory.
typedef struct sniHingeWork {
    snVec3* skinned; // as many as it has points and centers
    snVec4* points;
    snMat4* matrices; // as many as it has
    void* dual;
} sniHingeWork;
// Bytes for the dual quaternions of one hinge.
static inline size_t sni_hinge_dual_size(const sniHinge* hinge) {
    return (sn_skin_dual_scratch_size(hinge->matrix_count) + 63) / 64 * 64;
}
double sni_hinge_change(const snExactVolume* volume, const sniHinge* hinge, uint32_t joint,
                        const snMat4* matrices, const sniVolumeKernels* kernels, snCpuLevel level,
                        const sniHingeWork* work);

// The frame of a joint in a pose: the one that follows the bend, the one that stays with the parent, and how
// much the first counts.
typedef struct sniPosedFrame {
    sniFrame bent, straight;
    float bend;  // 0 .. 1
    float scale; // metres of the pose per metre of the bind pose
} sniPosedFrame;
sniPosedFrame sni_posed_frame(const snExactVolume* volume, uint32_t joint, const snMat4* matrices);

// Tries the joints that `stale` names (joint_count, or NULL: all), and fills what they give.
snResult sni_exact_try(const snExactVolumeDef* def, snExactVolume* volume, const uint8_t* stale,
                       snError* error);
// How much of what its rotation did a joint gives back in a pose: 0 .. 1, continuous in it.
float sni_given_share(const snExactVolume* volume, uint32_t joint, const snMat4* matrices);

const sniVolumeKernels* sni_volume_kernels_of(snCpuLevel level);

#endif
