// What exact volume hands to the kernels, which are compiled once per instruction set.
#ifndef SNI_VOLUME_KERNELS_H
#define SNI_VOLUME_KERNELS_H

#include "base/levels.h"
#include "sinew/math.h"

// Faces come in blocks of this many; behind the end a block repeats one point, which encloses nothing.
#define SNI_FACE_LANES 16
typedef struct sniFaceBlock {
    uint32_t at[4][SNI_FACE_LANES];
} sniFaceBlock;

// The points around eight points, in order. Triangles alone: every neighbour in turn, the first again at the
// end. Otherwise neighbours and the far corners of the quads between them alternate; a triangle has its next
// neighbour for a far corner. Shorter rings repeat their last point.
#define SNI_RING_LANES 8
typedef struct sniRingBlock {
    uint32_t first; // row of SNI_RING_LANES entries
    uint32_t rows;
} sniRingBlock;

typedef struct sniRingSet {
    uint32_t block_count;
    uint32_t triangle_blocks; // the first ones
    sniRingBlock* blocks;
    uint16_t* entries16; // one of the two: short where they suffice
    uint32_t* entries32;
} sniRingSet;

// A profile along one axis, sampled between two ends, at which it is 0.
#define SNI_PROFILE_SAMPLES 256
typedef struct sniProfileTable {
    float low;
    float per_unit;                       // samples
    float at[SNI_PROFILE_SAMPLES + 1][2]; // value, and the rise to the next
} sniProfileTable;

// Axes of a joint.
typedef struct sniFrame {
    snVec3 origin;
    snVec3 axes[3];
} sniFrame;

// Places [begin, end) of a ring set, multiples of SNI_FACE_LANES.
typedef struct sniSpan {
    uint32_t begin, end;
} sniSpan;

// Surface that a pose squeezes to less than the first of its area takes no volume, from the second on as much
// as any: what is pressed together cannot swell.
#define SNI_SQUEEZED 0.1f
#define SNI_FREE 0.6f
// Of a face's area, seen as it faced before, what a move has to leave.
#define SNI_LEFT 0.3f
// How far a point may go, of the radius that the surface has there.
#define SNI_ROOM 0.25f

// The inside of a bend: a plane between what the joint moves and what its parent moves.
typedef struct sniFold {
    snVec3 origin;
    snVec3 across;  // unit: from the joint's side to the parent's
    snVec3 inward;  // unit: into the bend
    float strength; // 0 .. 1
    float clear;    // metres from the plane where a point is free of it
    float begin;    // metres into the bend where a point is inside
} sniFold;

// What moves the points of a shell, one number per inner place.
typedef struct sniField {
    float* normals[3]; // smooth and posed; shorter where the surface is squeezed
    float* slopes[3];  // of the volume, by the coordinates of the points
    float* facing;     // what the volume gains by a metre along the normal
    float* room;       // metres: how far a point may go
    float* along;      // metres along the normals
    float* wide;       // where what is left goes: of the room; once limited, metres along the normals
    float* moves[3];   // metres
    float* limits;     // 0 .. 1; how much of its move each point may take
} sniField;
#define SNI_FIELD_ARRAYS 14

// Faces of the whole surface in clusters of SNI_FACE_LANES that lie together at rest; the last repeat a face.
typedef struct sniNearSet {
    uint32_t count; // of clusters
    sniFaceBlock* blocks;
    float* fourth;     // one per face: 1: a quad, 0: a triangle
    float* middles[3]; // at rest
    float* sizes;      // mean edge at rest
    float* edges[4];   // squares of lengths at rest: three to the first corner, and the other diagonal
    uint32_t* shells;  // one per cluster; SN_NONE: of several
    float* low[3];     // one per cluster: what may be near to it at rest
    float* high[3];
} sniNearSet;

// The same in a pose.
typedef struct sniNearPose {
    float* middles[3];
    float* scales; // metres of the pose per metre of the bind pose
    float* sizes;  // mean edge of the bind pose, scaled
    float* nears;  // 0 .. 1: how much a face is pressed against another
    float* low[3]; // one per cluster, up to whole SNI_FACE_LANES: what it may be near to
    float* high[3];
    float* facing[3]; // one per cluster: unit where all of it faces alike and nothing is squeezed, else 0
} sniNearPose;

// Faces are pressed together that are nearer than the first of these, in mean edges, less and less up to the
// second; and than a third of their distance at rest, less and less up to half of it. Judged on eleven
// characters; 0.5 to 1 with 0.75 to 2, and 1.2 to 2 with 1.7 to 3, served them alike, but for Spider,
// which only the wider ones hold.
#define SNI_NEAR 0.5f
#define SNI_FAR 0.75f
#define SNI_PRESSED 3.0f
#define SNI_EASED 2.0f
// Clusters of one shell are calm whose faces are nowhere shorter than this, and face together within 60
// degrees of one way: 37 around their own mean, means 45 apart. No two of their faces come to half of their
// distance, so nobody has to look.
#define SNI_CALM 0.7f
#define SNI_ALIKE 0.8f
#define SNI_MEANS_ALIKE 0.7071f

typedef struct sniVolumeKernels {
    // Six times the volume of the cones over faces, and (where `sizes` is not NULL) the sum of the squares of
    // what was multiplied for them: times a float's precision, its root is the error to expect.
    double (*cones)(const sniFaceBlock* blocks, uint32_t count, const snVec4* points, snVec3 apex,
                    double* sizes);
    // Twelve times the derivatives of the volume, for some blocks; `places` are the points of the entries.
    void (*gradients)(const sniRingSet* set, uint32_t begin, uint32_t end, const snVec4* places, snVec4* out);
    // Here and below counts are multiples of SNI_FACE_LANES.
    // Fills normals, slopes, facing and room, from gradients and from normals that joints have turned.
    void (*face)(const snVec4* gradients, const snVec3* turned, const float* areas, const float* radii,
                 uint32_t count, const sniField* field);
    // Takes points near the plane of a fold out of the field. `sides`: 1 the parent's .. -1 the joint's.
    void (*fold)(const sniFold* fold, const float* sides, const snVec4* places, const sniField* field,
                 sniSpan span);
    // weights = gates * profiles at the coordinates; returns their sum.
    double (*profile)(const sniProfileTable tables[3], const float* const coordinates[3], const float* gates,
                      uint32_t count, float* out);
    // The sum of a * b.
    double (*product)(const float* a, const float* b, uint32_t count);
    // values += scale * moves
    void (*add)(float* values, const float* moves, float scale, uint32_t count);
    // The sum of weights * slopes . D normals, with the symmetric D as xx, yy, zz, xy, xz, yz.
    double (*facing_by)(const float* weights, const float by[6], const sniField* field, sniSpan span);
    // moves += scale * weights * D normals
    void (*add_by)(const float* weights, const float by[6], float scale, const sniField* field, sniSpan span);
    // Adds what goes along the normals, keeps all moves within the room, and leaves to `wide` what still
    // fits. Returns the largest of wide / room.
    float (*limit)(const sniField* field, uint32_t count);
    // points = places + moves + more * wide * normals; ids may repeat only where nothing moves.
    void (*place)(const sniField* field, const snVec4* places, const uint32_t* ids, float more,
                  uint32_t count, snVec4* points);
    // How much of a move each face of a block can take before it is squeezed or turned too far; at most 1.
    // Returns the least.
    float (*guard)(const sniFaceBlock* block, const snVec4* before, const snVec4* now,
                   float out[SNI_FACE_LANES]);
    // Middles of the faces of a cluster in a pose, and what lies around them.
    void (*middles)(const sniNearSet* set, uint32_t cluster, const snVec4* points, const sniNearPose* pose);
    // Which of SNI_FACE_LANES clusters from `first` on, as bits, a cluster may be near to.
    uint32_t (*meet)(const sniNearPose* pose, uint32_t cluster, uint32_t first);
    // Raises `nears` of the faces of two clusters that are pressed together.
    void (*press)(const sniNearSet* set, uint32_t a, uint32_t b, const sniNearPose* pose);
    // Turns normals as the gradients in their slots turned.
    void (*turn)(const uint32_t* slots, uint32_t count, const snVec4* from, const snVec4* to,
                 snVec3* normals);
} sniVolumeKernels;
SNI_DECLARE_KERNELS(sni_volume_kernels, sniVolumeKernels);

#endif
