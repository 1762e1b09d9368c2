// One run of exact volume: what its stages share. All of it lies in the job's scratch.
#ifndef SNI_VOLUME_RUN_H
#define SNI_VOLUME_RUN_H

#include "volume/exact.h"

typedef struct sniRun {
    const snExactVolumeJob* job;
    const snExactVolume* volume;
    const sniVolumeKernels* kernels;
    uint32_t only;      // the joint that alone gives back what it did; SN_NONE: all
    float only_share;   // of which so much
    snVec3 near_middle; // around it, within so many metres of the bind pose, pressed faces are looked for
    float near_reach;   // 0: everywhere
    snVec4* points;     // point_count + cap_count; now
    snVec4* before;     // the same, as they came
    double* changes;    // patch_count; cubic metres: what the joint's rotation did
    double* wanted;     // patch_count; what is to be taken away around its joint
    double* breaths;    // patch_count; what its bone's surface is to gain
    float* moved;       // patch_count; metres
    double* shares;     // patch_count; of what no joint did
    double* held_back;  // patch_count; of `wanted`, what would break the surface
    double* volumes;    // shell_count; now
    double* volumes_before;
    double* rests;   // at rest, with morphs
    double* bases;   // the same with scale
    double* targets; // what is asked for
    double* left;    // what is to be shared
    double* amounts; // of all patches together, by their masses
    double* masses;
    double* weights;
    double* held;             // of the targets: what would break the surface
    double* sums;             // sum_count, each with its size
    uint8_t* rough;           // shell_count; 1: floats measure its volume badly in this pose
    double (*centers)[3];     // cap_count; in doubles, while a shell is polished
    sniField field;           // of all shells, one behind the other
    snMat4* turns;            // joint_count; the joints' matrices without their places
    snVec3* turned;           // inner_places; smooth normals, posed
    sniNearPose near;         // faces in the pose
    float* patch_memory;      // weights and two coordinates of one patch
    sniHingeWork* hinge_work; // patch_count
    snVec4* ring_places[2];   // ring_places: before, after
    snVec4* ring_gradients[2];
    uint8_t* known; // shell_count; 1: places and gradients before are there
} sniRun;

// One shell while its points are moved.
typedef struct sniShellRun {
    sniRun* run;
    const sniShellTables* tables;
    uint32_t index;
    sniField field; // of this shell
} sniShellRun;

// Places the arrays in `memory`, or only counts their bytes when it is NULL.
size_t sni_run_lay_out(sniRun* run, const snExactVolume* volume, unsigned char* memory);

// From points as they came, in a pose, to points that have their volumes.
void sni_run_solve(sniRun* run);
// Points from the vertices of the parts.
void sni_run_take_points(sniRun* run, const snVec3* const* parts);
// Middles of the loops, from their points.
void sni_run_place_caps(sniRun* run);
// Volume of a shell as the points are now: at rest where it is not kept.
double sni_run_measure(sniRun* run, uint32_t shell);
// Fills rests, bases and targets; the points are lost.
void sni_run_fill_targets(sniRun* run);
double sni_determinant(const snMat4* matrix); // of its upper 3 x 3
// What the scale of a joint, against its parent's, does to a shell: part of the target, not of the change.
double sni_run_scale_change(const sniRun* run, const sniPatch* patch);
// Fills `wanted` from the changes and the volumes there are.
void sni_run_want(sniRun* run);
// Takes `wanted` away from all shells, and what is left of it then until they have their volumes. What does
// not fit goes to `held`.
void sni_run_correct(sniRun* run);
// Adds to a shell's field what a patch is to take away and to gain.
void sni_run_add(const sniShellRun* shell, uint32_t patch);
// Finds faces that the pose pressed together; then, of each shell, takes them out of the field.
void sni_run_find_near(sniRun* run);
void sni_run_still(const sniShellRun* shell);
// Limits of single points reach those around them; `along` is lost.
void sni_run_spread(const sniShellRun* shell, uint32_t rounds);
// Shortens moves of points that would break the surface; false where none would.
bool sni_run_limit(const sniShellRun* shell);
// Whether a kept shell has its volume, less what was held.
bool sni_run_shell_is_right(const sniRun* run, uint32_t shell);
// Takes away what rounding alone left.
void sni_run_polish(sniRun* run);
// Turns the normals of what moved.
void sni_run_normals(sniRun* run);

#endif
