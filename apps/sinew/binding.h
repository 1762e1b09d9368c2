// Binding for every verb that needs it: options, joining a mesh with a skeleton, fitting, the report.
#ifndef SINEW_BINDING_H
#define SINEW_BINDING_H

#include "context.h"
#include "io/json.h"
#include "sinew/fit.h"

typedef struct cliBound {
    snBindReport report;
    double seconds; // spent binding, reading and writing left out
    const char* method;
    snFit* fit; // or NULL: not asked for
    double fit_seconds;
    snSkeleton* fit_skeleton; // joints of the fit, for their names
    uint8_t* deforming;       // one per joint of a joined model, as the skeleton's own file has it; or NULL
    snAllocator memory;       // of `deforming`
    uint32_t clips_left;      // of the skeleton's file: they were made for other bones
} cliBound;

// What binding may be told; the verb has --memory, --workers and --simd too.
#define CLI_BIND_OPTIONS                                                                                       \
    {"cells",                                                                                                  \
     0,                                                                                                        \
     CLI_WHOLE,                                                                                                \
     "N",                                                                                                      \
     "lattice cells along the longest side (default: about 1000 in all)",                                      \
     NULL,                                                                                                     \
     1,                                                                                                        \
     SN_LATTICE_MAX_CELLS},                                                                                    \
        {"cell-size", 0, CLI_NUMBER, "METRES", "width of a lattice cell, instead of --cells", NULL, 1e-9f, 0}, \
        {"weights", 0, CLI_CHOICE, "METHOD", "how weights are made (default auto)", "auto|heat|geodesic",      \
         0,         0},                                                                                        \
        {"influences", 0, CLI_CHOICE, "N", "joints a vertex may follow (default 4)", "4|8", 0, 0},             \
        {"joints", 0, CLI_FILE, "FILE", "names of the joints that deform, one a line", NULL, 0, 0},            \
        {"bones", 0, CLI_FILE, "FILE", "JSON with strength and radius by joint, for heat", NULL, 0, 0}, {      \
        "parts", 0, CLI_FILE, "FILE", "JSON list that overrides parts and regions of the lattice", NULL, 0,    \
            0                                                                                                  \
    }

// Refuses options of CLI_BIND_OPTIONS that contradict each other.
cliExit binding_check(const cliArguments* arguments);
// The name of the first of them that was given, or NULL.
const char* binding_option_given(const cliArguments* arguments);

// Puts the parts of the model on the skeleton of another, whose file is `path`. With `fit` the skeleton is
// put into the mesh first and its clips are left out and counted. Notes go to `out`.
cliExit binding_join(cliContext* context, const char* path, const snModel* skeleton, bool fit, snModel* model,
                     cliBound* out);
// Moves the joints of the model's own skeleton into the middle of their limbs.
cliExit binding_refit(cliContext* context, snModel* model, cliBound* out);
// For a mesh without a skeleton: that of a motion is fitted into it, and it is bound.
cliExit binding_bare(cliContext* context, const char* path, const snModel* motion, snModel* model,
                     cliBound* out);
// Binds as the options say and prints what a person should know.
cliExit binding_apply(cliContext* context, snModel* model, bool keep, cliBound* out);
void binding_free(cliBound* bound);

// True when the model has joints that could deform it.
bool binding_has_skeleton(const cliContext* context, const snModel* model);

// Adds what is known to a JSON result.
void binding_report(const cliBound* bound, const snModel* model, sniJsonValue* object);

// ------------------------------------------------------------------------------------------ bind_files.c

// One byte per joint from a list of names, one a line, # for comments. Unknown names are said; a list without
// any known one is an error.
cliExit binding_read_joints(cliContext* context, const char* path, const snSkeleton* skeleton, uint8_t* out);
// {"joint": {"strength": 2, "radius": 0.05}, ...}
cliExit binding_read_bones(cliContext* context, const char* path, const snSkeleton* skeleton,
                           float* out_strengths, float* out_radii);
// [{"particles": [0, 1], "sphere": [x, y, z, r], "bone": "name", "bone_part": "name", "joint_part": "name",
// "width": 2}, ...]: what is selected (all of the given conditions hold) gets the parts and width named.
cliExit binding_read_parts(cliContext* context, const char* path, snModel* model);

#endif
