// A model that is posed by handles, with the files that say how: rig, poses and options.
#ifndef SINEW_HANDLED_H
#define SINEW_HANDLED_H

#include "context.h"

typedef struct cliHandled {
    cliContext* context;
    const snModel* model;
    snMesh* mesh; // all parts in order
    snHandles* handles;
    float ground; // height that it stands on at rest
    uint32_t pose_count;
    snHandlePose** poses;
    char** pose_files; // where each was read
    size_t pose_room, file_room;
    float* offsets; // of the detail layer
    snPuppet* puppet;
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

// Adds a pose; one without a name is called as its file. A detail layer for another mesh is left out, and it
// is said. A file that was read before is the same pose; another one of the same name is refused. `out`:
// which it is; may be NULL.
cliExit handled_read_pose(cliHandled* handled, const char* path, uint32_t* out);
// Adds all .snpose files of --examples by name; none is an error.
cliExit handled_read_examples(cliHandled* handled);
// The pose of that name: SN_NONE where there is none.
uint32_t handled_find_pose(const cliHandled* handled, const char* name);

// The handle that an option names; where there is none a usage error suggests one.
cliExit handled_find_handle(const cliArguments* arguments, const snHandles* handles, const char* option,
                            const char* name, uint32_t* out);

// What a pose in a file of this name is called: "poses/wave.snpose" is "wave".
void handled_pose_name(const char* path, char* out, size_t capacity);

// Prepares the puppet, as the options ask for.
cliExit handled_build(cliHandled* handled);
// Poses the puppet. `weights` (pose_count, or NULL) bring the detail layers.
snResult handled_run(cliHandled* handled, const snRigid* moves, const float* weights);

#endif
