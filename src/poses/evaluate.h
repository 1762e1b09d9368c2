// Evaluating blends for a search: the same steps as sn_handle_poses_blend takes, in the same order and to the
// same bits, but only for handles that matter, and not again for what has not changed.
#ifndef SNI_POSES_EVALUATE_H
#define SNI_POSES_EVALUATE_H

#include "poses/space.h"

// Velocities of a rigid body by eight weights: rotation x y z, velocity of the origin x y z.
typedef struct sniTwist {
    float part[6][SNI_POSE_LANES];
} sniTwist;

// Lives in the job's scratch. "Positions" are places in the loading order; handles are numbered anew, those
// that matter in a row.
typedef struct sniEvaluator {
    const snPoseSpace* space;
    const snPoseSearchJob* job;
    float unit;            // 1 / size
    bool all_handles;      // whether terms ask for all of them
    uint32_t handle_count; // that matter
    uint32_t* numbers;     // handle_count of the space: new number or SN_NONE
    uint32_t* order;       // pose_count: which example is at a position
    uint32_t* first_step;  // pose_count + 1, by position
    sniStep* steps;        // that matter, by position
    uint32_t* moved;       // their handles
    sniHalfTurn* halves;   // per step, at the weights of `halves_for`
    float* halves_for;     // by position
    float* loaded;         // weights that `states` are for, by position
    uint32_t valid;        // positions loaded
    uint32_t* slots;       // pose_count + 1: which of `states` is the one before a position
    snRigid* states;       // pose_count + 1 times handle_count
    float* places;         // 3 * padded_handles: x of all handles, y, z
    // For derivatives, by position, in groups of eight.
    uint32_t group_count;
    sniTwist* twists; // handle_count * group_count
    sniTwist* drive;  // group_count: what a step adds
    float* rows;      // 2 * 3 * padded_poses: derivative of a point, x of all, y, z; and of the anchor
    float* row;       // padded_poses
    float* gradient;  // padded_poses: of the energy, by position
    float* hessian;   // padded_poses^2: its second derivative, about
    double* solve;    // pose_count * (pose_count + 2)
    // For searches, by example.
    float *low, *high, *weights, *best, *base, *trial;
} sniEvaluator;

// Lays the evaluator out in scratch; NULL measures only. Returns the bytes.
size_t sni_evaluator_place(sniEvaluator* evaluator, const snPoseSpace* space, void* scratch);
// Chooses the order and what matters. `weights`: for SN_POSE_ORDER_WEIGHT.
void sni_evaluator_begin(sniEvaluator* evaluator, const snPoseSearchJob* job, const float* weights);
// Handles (that matter) of the blend.
const snRigid* sni_evaluate(sniEvaluator* evaluator, const float* weights);

// How far the body is carried along with the anchor's handle, were `state` (by handle, or by number where
// `numbers` is given) the pose.
snVec3 sni_target_shift(const snPoseSearchJob* job, const snRigid* state, const uint32_t* numbers);

// What the job asks for, checked.
snResult sni_pose_job_check(const snPoseSearchJob* job);

// The energy (7 weighted terms or NULL), and as the gradient search sees it: corners rounded off within
// `smoothing`, with the gradient, and the Hessian too if `second`.
float sni_energy(sniEvaluator* evaluator, const float* weights, float* out_terms);
float sni_energy_smooth(sniEvaluator* evaluator, const float* weights, float smoothing);
float sni_energy_gradient(sniEvaluator* evaluator, const float* weights, float smoothing, bool second);

// How far the weights of a group's examples sum beyond one; below 0 where they fall short of it and must not.
float sni_sum_excess(const sniEvaluator* evaluator, const float* weights, uint32_t group);

// Mean of the handles' squared distances from an example, in units of the size; `places` are filled.
float sni_example_distance(const sniEvaluator* evaluator, uint32_t example);
// exp(-distance), of a squared distance in units of the radius.
float sni_nearness(float distance);
// sqrt(e / 2): 1 - exp(-x^2) times this is nowhere steeper than x.
#define SNI_WELL_DEPTH 1.16582199f

// Derivatives of all handles that matter by all weights: fills `twists`.
void sni_twists(sniEvaluator* evaluator, const float* weights);

// How far the gradient that callers ask for rounds corners off, of the model's size. Judged.
#define SNI_POSE_SMOOTHING 0.001f

#endif
