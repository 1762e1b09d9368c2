// One run of `sinew pose`.
#ifndef SINEW_POSE_H
#define SINEW_POSE_H

#include "handled.h"
#include "io/json.h"

#define POSE_MAX_TARGETS CLI_MAX_REPEATED

typedef struct poseJob {
    cliContext* context;
    const char* output;
    cliHandled handled;
    snPoseBlend blend;
    snSearch search;
    uint32_t target_count;
    snPoseTarget targets[POSE_MAX_TARGETS];
} poseJob;

// The options of a search.
#define CLI_SEARCH_OPTIONS                                                                                   \
    {"target", 0, CLI_LIST, "HANDLE=X,Y,Z", "target position of its center, metres; may be repeated",        \
     NULL,     0, 0},                                                                                        \
        {"anchor", 0, CLI_TEXT, "HANDLE", "target that is reached by moving the whole body", NULL, 0, 0},    \
        {"search",                                                                                           \
         0,                                                                                                  \
         CLI_CHOICE,                                                                                         \
         "NAME",                                                                                             \
         "how weights are found (default gradient)",                                                         \
         "gradient|climb|steepest|hooke|simple-hooke|sweep|grid",                                            \
         0,                                                                                                  \
         0},                                                                                                 \
        {"objective",                                                                                        \
         0,                                                                                                  \
         CLI_TEXT,                                                                                           \
         "TERM=K,...",                                                                                       \
         "terms of the objective: target, in_use, last, weights, one, spread, examples; radius",             \
         NULL,                                                                                               \
         0,                                                                                                  \
         0},                                                                                                 \
        {"trace", 0, CLI_FILE, "PLOT", "plot the course of the search: .svg", NULL, 0, 0}, {                 \
        "order", 0, CLI_CHOICE, "HOW", "order in which examples are loaded (default given)",                 \
            "given|distance|weight", 0, 0                                                                    \
    }

// The first of these that was given, or NULL.
const char* pose_search_option_given(const cliArguments* arguments);
// How the search went, as a picture.
snResult pose_trace_write(const poseJob* job, const snPoseTrace* trace, const char* path, snError* error);
// Finds weights of the examples for the targets; moves the body to the anchor.
cliExit pose_search(poseJob* job);

// The blend with the details of the surface in a file, as a pose.
cliExit pose_sculpt(poseJob* job, const char* path, const char* name, snHandlePose** out);

#endif
