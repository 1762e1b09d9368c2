// Binding for every verb that needs it: options, joining a mesh with a skeleton, fitting, the report.
#ifndef SINEW_BINDING_H
#define SINEW_BINDING_H

#include "context.h"
#include "io/json.h"
#include "stance.h"

typedef struct cliBound {
    snBindReport report;
    double seconds; // spent binding, reading and writing left out
    const char* method;
    snFitReport fit; // fit NULL: not asked for
    bool joined;     // fit.stance says how the mesh lies in its file
    double fit_seconds;
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
        {"weights", 0, CLI_CHOICE, "METHOD", "how weights are computed (default auto)", "auto|heat|geodesic",  \
         0,         0},                                                                                        \
        {"influences", 0, CLI_CHOICE, "N", "joints a vertex may follow (default 4)", "4|8", 0, 0},             \
        {"joints", 0, CLI_FILE, "FILE", "names of the joints that deform, one per line", NULL, 0, 0},          \
        {"bones", 0, CLI_FILE, "FILE", "JSON with strength and radius by joint, for heat", NULL, 0, 0},        \
        CLI_STANCE_OPTIONS, {                                                                                  \
        "parts", 0, CLI_FILE, "FILE", "JSON list that overrides parts and regions of the lattice", NULL, 0,    \
            0                                                                                                  \
    }

// Refuses options of CLI_BIND_OPTIONS that contradict each other.
cliExit binding_check(const cliArguments* arguments);
// The name of the first of them that was given, or NULL.
const char* binding_option_given(const cliArguments* arguments);

// Puts the character on the skeleton of another file. With `fit` the skeleton is put into the mesh first.
// Doubts go to `out`.
cliExit binding_join(cliContext* context, const snSource* skeleton, bool fit, cliBound* out);
// Moves the joints of the character's own skeleton into the middle of their limbs.
cliExit binding_refit(cliContext* context, cliBound* out);
// For a mesh without a skeleton: that of a motion is fitted into it, and it is bound.
cliExit binding_bare(cliContext* context, const snSource* motion, cliBound* out);
// Binds as the options say and prints what a person should know.
cliExit binding_apply(cliContext* context, bool keep, cliBound* out);
void binding_free(cliBound* bound);

// Adds what is known to a JSON result.
void binding_report(const cliBound* bound, const snModel* model, sniJsonValue* object);

#endif
