// A model that is posed by handles, with the files that say how: rig, poses and options.
#ifndef SINEW_HANDLED_H
#define SINEW_HANDLED_H

#include "context.h"

// What the document has, as it is since the last reading.
typedef struct cliHandled {
    cliContext* context;
    const snModel* model;
    const snMesh* mesh; // all parts in order
    const snHandles* handles;
    float ground; // height that it stands on at rest
    uint32_t pose_count;
    const snHandlePose* const* poses;
    snHandlePoser* poser; // NULL before handled_build
} cliHandled;

// The options of every verb that poses by handles.
#define CLI_HANDLED_OPTIONS                                                                                  \
    {"rig", 0, CLI_FILE, "RIG", "handles of the model: .snrig, as sinew rig makes it", NULL, 0, 0},          \
        {"examples", 0, CLI_FILE, "DIR", "folder of example poses, .snpose", NULL, 0, 0},                    \
        {"method",                                                                                           \
         0,                                                                                                  \
         CLI_CHOICE,                                                                                         \
         "WHICH",                                                                                            \
         "between handles: fast, or as rigid as possible (default fast)",                                    \
         "fast|rigid",                                                                                       \
         0,                                                                                                  \
         0},                                                                                                 \
        {"iterations", 0, CLI_WHOLE, "N", "rounds of --method rigid (default 4)", NULL, 1, 1000},            \
        {"laplacian",                                                                                        \
         0,                                                                                                  \
         CLI_CHOICE,                                                                                         \
         "WHICH",                                                                                            \
         "how details are measured (default cotangent)",                                                     \
         "uniform|edge|cotangent",                                                                           \
         0,                                                                                                  \
         0},                                                                                                 \
        {"squared", 0, CLI_FLAG, NULL, "the Laplacian applied twice: stiffer, smoother", NULL, 0, 0}, {      \
        "band", 0, CLI_WHOLE, "N", "rings of a handle that blend into the surface (default 2)", NULL, 1, 100 \
    }

// The first of these that was given, or NULL.
const char* handled_option_given(const cliArguments* arguments);

// Merges the parts and reads --rig. Free with handled_close, also after a failure.
cliExit handled_open(cliHandled* handled, cliContext* context, const snModel* model);
void handled_close(cliHandled* handled);
// After an edit of the document, which replaces its handles and poses.
void handled_look(cliHandled* handled);

// Adds a pose to the document, and says what the reader noticed. `out`: which it is; may be NULL.
cliExit handled_read_pose(cliHandled* handled, const char* path, uint32_t* out);
// Adds all .snpose files of --examples by name; none is an error.
cliExit handled_read_examples(cliHandled* handled);

// The handle that an option names; where there is none a usage error suggests one.
cliExit handled_find_handle(const cliArguments* arguments, const snHandles* handles, const char* option,
                            const char* name, uint32_t* out);

// How the options ask the surface to be posed.
cliExit handled_options(const cliContext* context, snPuppetDef* out);
// Prepares the surface like that.
cliExit handled_build(cliHandled* handled);

#endif
