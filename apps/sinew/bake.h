// What a glTF gets beyond its skin, for the verbs that write one of frames.
#ifndef SINEW_BAKE_OPTIONS_H
#define SINEW_BAKE_OPTIONS_H

#include "context.h"
#include "io/json.h"

#define CLI_BAKE_OPTIONS                                                                                     \
    {"tolerance",                                                                                            \
     0,                                                                                                      \
     CLI_NUMBER,                                                                                             \
     "MM",                                                                                                   \
     "largest error (default 0.2 % of the size with joints, 0.03 % with morph targets)",                     \
     NULL,                                                                                                   \
     0.0001f,                                                                                                \
     1000},                                                                                                  \
        {"helpers",                                                                                          \
         0,                                                                                                  \
         CLI_WHOLE,                                                                                          \
         "N",                                                                                                \
         "number of helper joints (default: what the tolerance needs, up to 64)",                            \
         NULL,                                                                                               \
         1,                                                                                                  \
         SN_HELPERS_MAX},                                                                                    \
        {"bake-influences",                                                                                  \
         0,                                                                                                  \
         CLI_WHOLE,                                                                                          \
         "N",                                                                                                \
         "largest number of joints per vertex, helpers included (default 4)",                                \
         NULL,                                                                                               \
         1,                                                                                                  \
         8},                                                                                                 \
        {"rest-limit",                                                                                       \
         0,                                                                                                  \
         CLI_NUMBER,                                                                                         \
         "MM",                                                                                               \
         "largest distance from the plain skin with helpers at rest (default 0.19 % of the size)",           \
         NULL,                                                                                               \
         0.001f,                                                                                             \
         10000},                                                                                             \
        {"refit-normals",                                                                                    \
         0,                                                                                                  \
         CLI_FLAG,                                                                                           \
         NULL,                                                                                               \
         "with helpers: rest normals that fit the frames; they change the shading at rest",                  \
         NULL,                                                                                               \
         0,                                                                                                  \
         0},                                                                                                 \
        {"morphs",                                                                                           \
         0,                                                                                                  \
         CLI_WHOLE,                                                                                          \
         "N",                                                                                                \
         "largest number of morph targets per part (default: what the tolerance needs)",                     \
         NULL,                                                                                               \
         1,                                                                                                  \
         4096},                                                                                              \
        {"floats",                                                                                           \
         0,                                                                                                  \
         CLI_FLAG,                                                                                           \
         NULL,                                                                                               \
         "morph targets in full precision, for viewers without KHR_mesh_quantization",                       \
         NULL,                                                                                               \
         0,                                                                                                  \
         0},                                                                                                 \
        {"no-normals",                                                                                       \
         0,                                                                                                  \
         CLI_FLAG,                                                                                           \
         NULL,                                                                                               \
         "morph targets without normals: smaller, and shaded as the plain skin is",                          \
         NULL,                                                                                               \
         0,                                                                                                  \
         0},                                                                                                 \
    {                                                                                                        \
        "compress", 0, CLI_FLAG, NULL, "pack a glTF without loss, for viewers with EXT_meshopt_compression", \
            NULL, 0, 0                                                                                       \
    }

// What --target says, or `fallback`.
snBakeTarget bake_target(const cliArguments* arguments, snBakeTarget fallback);
// A usage error where options are for another target.
cliExit bake_check(const cliArguments* arguments, snBakeTarget target);
snTakeWriteDef bake_options(const cliArguments* arguments, snBakeTarget target, snNotes* notes);
// What became of the helper joints and morph targets of a take, for people and as JSON.
void bake_say_take(const cliContext* context, const snModel* model, const snTake* take);
void bake_report_take(const snModel* model, const snTake* take, sniJsonValue* object);

#endif
