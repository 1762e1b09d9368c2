// A model in front of the camera: poses it and turns each pose into a picture.
#ifndef SINEW_STAGE_H
#define SINEW_STAGE_H

#include "context.h"
#include "extent.h"
#include "lattice_boxes.h"
#include "render.h"

// A part that is drawn by the particles or by the splines alone. Empty: by positions.
typedef struct cliHung {
    uint32_t* points;
    snVec3* normals;
    snShotLattice* lattice;
    snShotSpline* splines;
} cliHung;

typedef struct cliStage {
    cliContext* context;
    const snModel* model;
    snRenderer* renderer;
    snCharacter* character;
    const snSurface* surfaces; // one per part: drawn instead of the character's; NULL: there is a character
    const snShotItem* ground;  // drawn as well, or NULL
    bool moving;               // its flesh has a past in the clip that is drawn
    snWrap wrap;               // of the clips; clamped unless set
    snShotItem* items;         // one per part, and one for the ground
    cliHung* hung;             // one per part: what the GPU moves by itself
    float** heat;              // one per part: weights of the shown joint; NULL: none
    const char* heat_title;
    float heat_max;     // value of the hottest colour; 0: 1
    snCharacter* plain; // the skin alone, to measure from; NULL: nothing is measured
    char heat_text[128];
    snMesh* painted; // one per part: its mesh in the colours of the joints; NULL: none
    cliBoxes boxes;  // of the lattice, shown instead of the parts where it has a model
} cliStage;

// Says why where there is none: drivers are nobody's input, so the exit code is CLI_SYSTEM.
cliExit stage_renderer(const cliContext* context, snRenderer** out);

// The renderer is the caller's and may be shared by several stages. Free with stage_close, also after a
// failure.
cliExit stage_open(cliStage* stage, cliContext* context, snRenderer* renderer, const snModel* model,
                   const snSettings* settings);
// The same for surfaces that the caller poses, one per part, instead of a character. Not for stage_show,
// stage_reach, stage_scene and what draws moments of clips.
cliExit stage_open_surfaces(cliStage* stage, cliContext* context, snRenderer* renderer, const snModel* model,
                            const snSurface* surfaces);
void stage_close(cliStage* stage);

// Shows "surface" (or NULL), "weights:JOINT", "weights:all", "moves", "lattice" or "parts" from now on
// (stage_show.c).
cliExit stage_show(cliStage* stage, const char* what);
// Fills the heat with how far volume and flesh moved the surface from the skin alone, in millimetres.
void stage_measure_moves(cliStage* stage, uint32_t clip, float time);

// Adds what the surface reaches over a stretch of a clip (or SN_CLIP_REST), flesh at rest.
void stage_reach(cliStage* stage, uint32_t clip, float from, float to, snExtent* extent);

// Poses (a moment of a clip, clamped to its length; or SN_CLIP_REST) and draws. Flesh has moved from the
// clip's start to there, or from the last moment drawn. `scene` says everything but the items. The image
// belongs to the caller.
cliExit stage_draw(cliStage* stage, uint32_t clip, float time, const snShot* scene, snImage** out);

// Draws the surfaces as they are now.
cliExit stage_draw_surfaces(cliStage* stage, const snShot* scene, snImage** out);

// Draws a moment into a .png.
cliExit stage_still(cliStage* stage, uint32_t clip, float time, const snShot* scene, const char* path);
// Opens a film, draws frames from `from` on into it and closes it; half a film is never left behind.
cliExit stage_film(cliStage* stage, uint32_t clip, float from, float fps, uint32_t frames,
                   const snShot* scene, const char* path);

// ------------------------------------------------------------------------------------------------ options

// The options of every verb that draws one model; `of` is what it has close-ups of, "JOINT" or "HANDLE".
// clang-format off
#define CLI_PICTURE_OPTIONS(of, which, pixels)                                                               \
    {"camera", 0, CLI_TEXT, "VIEW",                                                                          \
     "front, side, back, three-quarter (default), top or yaw,pitch[,zoom] in degrees",                       \
     "front|side|back|three-quarter|top", 0, 0},                                                             \
    {"focus", 0, CLI_TEXT, of, "close-up of a " which, NULL, 0, 0},                                          \
    {"size", 0, CLI_TEXT, "WxH", "pixels (default " pixels ")", NULL, 0, 0}
// clang-format on
#define CLI_FOCUS_JOINT "joint: its name, or what it is in a body, as in LeftElbow"

// What they ask for.
typedef struct cliPicture {
    const char* path;
    snView view;
    uint32_t width, height;
    uint32_t focus; // joint of a close-up; SN_NONE: the whole model
} cliPicture;

// `width` and `height` are what counts without --size. MP4 has even sizes only, so odd ones become one larger
// and it is said. `model` NULL: --focus is left to the verb.
cliExit stage_read_picture(const cliContext* context, const snModel* model, const char* path, uint32_t width,
                           uint32_t height, cliPicture* out);
// Adds what a close-up of a place shows of a model with these bounds.
void stage_close_up(snVec3 at, snBounds whole, snExtent* extent);
// The scene, less its items, whose camera holds everything that a stretch of a clip reaches, or the joint in
// focus all along.
snShot stage_scene(cliStage* stage, const cliPicture* picture, uint32_t clip, float from, float to);

#endif
