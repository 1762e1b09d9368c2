// One run of exact volume: what its stages share. All of it lies in the job's scratch.
#ifndef SNI_VOLUME_RUN_H
#define SNI_VOLUME_RUN_H

#include "volume/exact.h"

typedef struct sniRun {
    const snExactVolumeJob* job;
    const snExactVolume* volume;
    const sniVolumeKernels* kernels;
    snVec4* points;  // point_count + cap_count; now
    snVec4* before;  // the same, as they came
    double* changes; // patch_count; cubic metres: what the joint's rotation did
    double* wanted;  // patch_count; what is to be taken away
    float* moved;    // patch_count; metres
    uint8_t* stuck;  // patch_count; 1: nothing near the joint can move in this pose
    uint8_t* pinned; // point_count; 1: stays; with untangling only, else NULL
    double* shares;  // patch_count; of what no joint did
    double* volumes; // shell_count; now
    double* volumes_before;
    double* rests;   // at rest, with morphs
    double* bases;   // the same with scale
    double* targets; // what is asked for
    double* left;    // what is to be shared
    double* amounts; // of all patches together, by their masses
    double* masses;
    double* weights;
    uint32_t* best;       // shell_count; patch that takes back what is little
    double* sums;         // sum_count, each with its size
    uint8_t* rough;       // shell_count; 1: floats measure its volume badly in this pose
    double (*centers)[3]; // cap_count; in doubles, while a shell is polished
    float* patch_memory;
    sniHingeWork* hinge_work; // patch_count
    snVec4* ring_places[2];   // ring_places: before, after
    snVec4* ring_gradients[2];
    void* crossings; // scratch of the search; with untangling only
    snVec3* crossing_points;
    snCrossing* crossing_list;
    snCrossing* crossing_list_before;
    uint8_t* active;
} sniRun;

// Pairs that one search may hold.
#define SNI_MOST_CROSSINGS 4096u

// Places the arrays in `memory`, or only counts their bytes when it is NULL.
size_t sni_run_lay_out(sniRun* run, const snExactVolume* volume, unsigned char* memory);

// Points from the vertices of the parts.
void sni_run_take_points(sniRun* run, const snVec3* const* parts);
// Middles of the loops, from their points.
void sni_run_place_caps(sniRun* run);
// Volumes of the kept shells as the points are now.
void sni_run_measure(sniRun* run, double* out);
// Fills rests, bases and targets; the points are lost.
void sni_run_fill_targets(sniRun* run);
// What the scale of a joint, against its parent's, does to a shell: part of the target, not of the change.
double sni_run_scale_change(const sniRun* run, const sniPatch* patch);
// Fills `wanted` from the changes and the volumes there are.
void sni_run_want(sniRun* run);
// Takes `wanted` away, patch by patch, levels in order.
void sni_run_correct(sniRun* run);
// The same until every shell has its volume.
void sni_run_settle(sniRun* run);
// Whether a kept shell, and whether every one, has its volume.
bool sni_run_shell_is_right(const sniRun* run, uint32_t shell);
bool sni_run_is_right(const sniRun* run);
// Takes away what rounding alone left.
void sni_run_polish(sniRun* run);
// Moves back what the correction made cross; returns how many pairs it could not part.
uint32_t sni_run_untangle(sniRun* run);
// Turns the normals of what moved.
void sni_run_normals(sniRun* run);
// Wants what the shells still have too much or too little of: from all their patches, or (of what rounding
// left) from one. False: nothing to do, or nobody to do it.
bool sni_run_want_rest(sniRun* run);

#endif
