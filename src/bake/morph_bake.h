// What the files of baking morph targets share.
#ifndef SNI_BAKE_MORPH_BAKE_H
#define SNI_BAKE_MORPH_BAKE_H

#include "bake/frames.h"
#include "bake/morph_kernels.h"
#include "base/eigen.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/progress.h"
#include "sinew/bake.h"

// An affine matrix in double precision: three columns and the translation.
typedef struct sniAffine {
    double m[12];
} sniAffine;

// One part on its way.
typedef struct sniMorphState {
    const snPart* part;
    uint32_t vertex_count;
    uint32_t run_count; // of SNI_MORPH_RUN vertices
    bool active;        // the plain skin is not good enough: it gets targets
    snMorphSpace space;
    uint32_t root;        // joint of root space, or SN_NONE
    snWeights influences; // of the skin, where they are not the model's; else empty
    sniBakePose plain;    // as the model's own skin does it
    sniBakePose pose;     // as the result does it
    snVec3* base;         // vertex_count
    snVec3* base_normals;
    snVec3* own;      // vertex_count; base in the shape that the part's own targets give it in this frame
    float* scales;    // vertex_count; most that a matrix of the clip stretches an offset
    float root_scale; // the same for the joint of root space
    float* gains;     // vertex_count; how long the normals are that the targets give
    double* means;    // 6 * vertex_count; sums of positions and normals over the frames, in root space
    double* gram;     // sample_count * sample_count, lower triangle; products of sampled moments
    sniEigen eigen;
    double crest;          // how much worse than the mean square the worst vertex is taken to be
    bool settled;          // the targets are those to keep
    size_t memory;         // bytes of targets and what belongs to them
    uint32_t target_count; // 1 or more when active: the first is the mean, on in every moment
    uint32_t tile_count;   // target_count rounded up to SNI_MORPH_BATCH
    float* tiles; // run_count * tile_count * SNI_MORPH_RUN_FLOATS: targets run by run, all x, all y, all z
    // Of many targets only some counts are tried: a few more than needed cost little, and time is spent here.
    uint32_t stride;
    uint32_t tried;  // targets that the curve is of
    float* curve;    // target_count, where sni_morph_tries; squared worst distance with the first and so many
                     // others
    float* misses;   // moment_count; squared worst distance with all of them
    double* factors; // tile_count * sample_count: moments to targets
    double* products; // target_count * tile_count, up to the diagonal; of targets with each other
    float* weights;   // moment_count * target_count; at the end, those of the keys
    float* halves;    // target_count; weights of a middle without a key
    bool* keys;       // moment_count; the weights have a key there
    uint32_t key_count;
    float* times;       // key_count; seconds
    snVec3* targets;    // target_count * vertex_count
    snVec3* normals;    // the same; NULL: none are wanted
    snMorphGrid* grids; // target_count, or NULL; see snMorphPart
    // Per run, so that workers need not meet; summed up in order.
    double* worst;    // run_count; metres
    uint32_t* places; // run_count; vertex of the worst
    double* sums;     // 3 * run_count: of squared distances, of angles; worst angle
    bool* flat;       // vertex_count; some moment flattens it
    double skin_error;
    double worst_error;
    double middle_error;
    double square_sum;
    uint32_t worst_vertex;
    uint32_t worst_frame;
    double worst_normal;
    double normal_sum;
} sniMorphState;

// Whether the curve has a value for the first target and so many others.
static inline bool sni_morph_tries(const sniMorphState* s, uint32_t others) {
    return others % s->stride == 0 || others + 1 == s->target_count;
}

// How far the baking is. It goes through the frames round by round, and how many rounds a stage takes shows
// only at its end: each gets a part of what is left to the stage.
typedef struct sniMorphProgress {
    const char* stage;
    float end;  // of the stage
    float part; // of what is left, for each round
    float share, round_begin, round_end;
} sniMorphProgress;

typedef struct sniMorphBaker {
    const snMorphBakeDef* def;
    const snModel* model;
    snAllocator allocator;
    const sniMorphKernels* kernels;
    snError* error;
    uint32_t moment_count; // frames, and middles between them
    float moment_rate;     // moments a second
    uint32_t sample_count; // moments that the targets are found from
    uint32_t* samples;     // moment_count; of a moment its row, or SN_NONE
    float tolerance;       // metres
    double noise;          // metres; what rounding to floats may add
    sniMorphState* states;
    snSurface* surfaces;   // of the frame in hand
    snTrs* locals;         // joint_count; of the moment in hand, as the two below
    snMat4* world;         // joint_count
    snMat4** skins;        // one per skin: its joint_count
    snMat4* identity;      // where nothing is above a part
    bool* singular_joints; // joint_count; some frame flattens what hangs on it
    uint64_t hash;         // of all frames
    sniMorphProgress progress;
    size_t memory;             // bytes claimed so far
    struct sniMorphRows* rows; // the residuals in hand
} sniMorphBaker;

// Moments are frames, or half frames; the frame of a middle is the one before it.
static inline bool sni_morph_is_middle(const sniMorphBaker* baker, uint32_t moment) {
    return baker->def->middles && moment % 2 != 0;
}
static inline uint32_t sni_morph_frame(const sniMorphBaker* baker, uint32_t moment) {
    return baker->def->middles ? moment / 2 : moment;
}

// ------------------------------------------------------------------------------------------ morph_bake.c

// Counts memory before it is taken; more than the limit is SN_RESULT_LIMIT. `what` begins the sentence.
snResult sni_morph_claim(sniMorphBaker* baker, const char* what, size_t count, size_t size);

// A stage begins, and a place to stop within it.
snResult sni_morph_begin(sniMorphBaker* baker, const char* stage, float end, float part);
snResult sni_morph_tell(const sniMorphBaker* baker);

// ------------------------------------------------------------------------------------------ morph_pose.c

// Room for matrices, and which joints flatten in some moment.
snResult sni_morph_poses(sniMorphBaker* baker);
void sni_morph_poses_free(sniMorphBaker* baker);
// World matrices of a moment, and those of the skins.
void sni_morph_pose(sniMorphBaker* baker, uint32_t moment);
// Whether the condition number is above `limit`.
bool sni_morph_ill(const snMat4* m, float limit);
// False when there is none.
bool sni_affine_inverse(const snMat4* m, sniAffine* out);
void sni_affine_point(const sniAffine* m, snVec3 p, double out[3]);
void sni_affine_vector(const sniAffine* m, snVec3 v, double out[3]);
// The joint whose space is root space for a part: the lowest above all that move it, or one above that where
// it flattens; SN_NONE: the world.
uint32_t sni_morph_root(const sniMorphBaker* baker, const snPart* part);
// How the plain skin by these weights and a single joint (SN_NONE: the world) place a part.
sniBakePose sni_morph_plain_pose(const sniMorphBaker* baker, const snPart* part, const snWeights* weights);
sniBakePose sni_morph_joint_pose(const sniMorphBaker* baker, uint32_t joint);

// ------------------------------------------------------------------------------------ morph_influences.c

// The heaviest influences of every vertex, where some have more than viewers blend; else empty. False: out of
// memory.
bool sni_morph_influences(const sniMorphBaker* baker, const snPart* part, snWeights* out);
// Flat vertices lean to their heaviest joints until they are not. Impossible where those have no size
// themselves, or the part has no skin.
snResult sni_morph_lean(sniMorphBaker* baker, sniMorphState* state, bool* out_possible);

// ---------------------------------------------------------------------------------------- morph_frames.c

// Fetches the surfaces of a moment, checks their counts, and poses the joints.
snResult sni_morph_fetch(sniMorphBaker* baker, uint32_t moment);
// First round: bounds, the error of the plain skin, the space of every part, base and scales.
snResult sni_morph_survey(sniMorphBaker* baker);
// Last round: what a viewer shows against the frames, and which middles need a key.
snResult sni_morph_measure(sniMorphBaker* baker);

// ----------------------------------------------------------------------------------------- morph_rows.c

// What some runs of vertices lack in every sampled moment.
typedef struct sniMorphSpan {
    uint32_t part;
    uint32_t run_begin;
    uint32_t run_count;
    size_t column; // first float of the span in a row
} sniMorphSpan;

typedef struct sniMorphRows {
    uint32_t span_count;
    sniMorphSpan* spans;
    size_t width;    // floats a row; a run takes SNI_MORPH_RUN_FLOATS, missing vertices are 0
    size_t capacity; // floats a row that there is room for
    float* values;   // sample_count * capacity
    size_t memory;   // bytes of them
    bool all;        // the spans are all there is
    int held;        // what was filled in last
} sniMorphRows;

typedef snResult sniMorphRowsFn(sniMorphBaker* baker, const sniMorphSpan* span);

enum { SNI_MORPH_NOTHING = 0, SNI_MORPH_POSITIONS, SNI_MORPH_NORMALS };

// Makes room for as many rows as the memory limit allows.
snResult sni_morph_rows_create(sniMorphBaker* baker, sniMorphRows* rows);
void sni_morph_rows_free(sniMorphBaker* baker, sniMorphRows* rows);
// Calls `visit` for every span of the active parts, parts and runs in order, with its residuals in the rows:
// of positions, each times the vertex's scale, or of normals. A round over the frames for each filling.
snResult sni_morph_rows_each(sniMorphBaker* baker, int what, sniMorphRowsFn* visit);

// What the base of a run lacks in the moment in hand, in the mesh's space: SNI_MORPH_RUN_FLOATS, missing
// vertices are 0.
void sni_morph_fill(const sniMorphBaker* baker, uint32_t part, uint32_t run, int what, float* out);

// ---------------------------------------------------------------------------------------- morph_basis.c

// Targets, their normals and the weights of every active part.
snResult sni_morph_basis(sniMorphBaker* baker);

// -------------------------------------------------------------------------------------- morph_weights.c

// Weights of every moment for the targets in hand, the curve and the misses, of parts that are not settled.
snResult sni_morph_weights(sniMorphBaker* baker);
// Weights within 0 and 1, with the same shapes.
void sni_morph_lift(const sniMorphBaker* baker, sniMorphState* state);
// Targets on a grid of 16 bits, normals of 8, where that is fine enough (morph_round.c), and how much room
// that takes of the tolerance.
#define SNI_MORPH_ROUNDING 0.25
snResult sni_morph_round(const sniMorphBaker* baker, sniMorphState* state);
// Leaves the weights of the keys, and their times.
snResult sni_morph_keep_keys(const sniMorphBaker* baker, sniMorphState* state);

// A task over the runs of one part.
static inline void sni_morph_run_tasks(const sniMorphBaker* baker, snTaskFn* task, void* context,
                                       uint32_t count) {
    sn_tasks_run(&baker->def->tasks, task, context, count, 1);
}

#endif
