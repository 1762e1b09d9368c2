// Pictures from the command line: their options, and the stage's failures as exit codes.
#ifndef SINEW_PICTURE_H
#define SINEW_PICTURE_H

#include "context.h"
#include "stage.h"

// The options of every verb that draws one model; `of` is what it has close-ups of, "JOINT" or "HANDLE".
// clang-format off
#define CLI_PICTURE_OPTIONS(of, which, pixels)                                                               \
    {"camera", 0, CLI_TEXT, "VIEW",                                                                          \
     "front, side, back, three-quarter (default), top of the character, or yaw,pitch[,zoom] in degrees",     \
     "front|side|back|three-quarter|top", 0, 0},                                                             \
    {"focus", 0, CLI_TEXT, of, "close-up of a " which, NULL, 0, 0},                                          \
    {"size", 0, CLI_TEXT, "WxH", "pixels (default " pixels ")", NULL, 0, 0}
#define CLI_FOLLOW_OPTION                                                                                    \
    {"follow", 0, CLI_CHOICE, "WHEN", "the camera of films and sheets follows the character (default: on where it travels)", \
     "on|off", 0, 0}
// clang-format on
#define CLI_FOCUS_JOINT "joint: its name or body name, such as LeftElbow"

// What they ask for.
typedef struct cliPicture {
    const char* path;
    snView view;
    uint32_t width, height;
    bool named; // the view is one of the character, not of the world
    snStageFollow follow;
    uint32_t focus; // joint of a close-up; SN_NONE: the whole model
} cliPicture;

// `width` and `height` are what counts without --size. MP4 has even sizes only, so odd ones become one larger
// and it is said. `model` NULL: --focus is left to the verb.
cliExit picture_read(const cliContext* context, const snModel* model, const char* path, uint32_t width,
                     uint32_t height, cliPicture* out);
// The scene of such a picture, as sn_stage_scene makes it.
snShot picture_scene(snStage* stage, const cliPicture* picture, uint32_t clip, float from, float to);
// The same of surfaces that move, with what each frame of them reaches.
snShot picture_scene_of_frames(snStage* stage, const cliPicture* picture, const snBounds* frames,
                               uint32_t count, float fps);

// Says why where there is none: drivers are nobody's input, so the exit code is CLI_SYSTEM.
cliExit picture_renderer(const cliContext* context, snRenderer** out);
// A stage of a character, or of surfaces, for the model of the first operand.
cliExit picture_stage(const cliContext* context, snRenderer* renderer, const snModel* model,
                      const snSettings* settings, snStage** out);
cliExit picture_stage_surfaces(const cliContext* context, snRenderer* renderer, const snModel* model,
                               const snSurface* surfaces, snStage** out);
// What --show says: "surface" (or NULL), "weights:JOINT", "weights:all", "doubt", "moves", "lattice" or
// "parts".
cliExit picture_show(cliContext* context, snStage* stage, const char* what);
// What became of a drawing. The driver's limits are not the file's fault: CLI_SYSTEM.
cliExit picture_end(const cliContext* context, snResult result, const snError* error);

#endif
