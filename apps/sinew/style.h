// `sinew style`: what its parts share. A style is judged on a tube whose middle joint is bent and
// twisted.
#ifndef SINEW_STYLE_VERB_H
#define SINEW_STYLE_VERB_H

#include "picture.h"
#include "style_source.h"

// --------------------------------------------------------------------------------------------- the test tube

// What the tube can do. Time is how far: at 1 s by CLI_TUBE_FULL, and `both` half as far in both ways.
typedef enum cliTubeMove { CLI_TUBE_BEND, CLI_TUBE_TWIST, CLI_TUBE_BOTH, CLI_TUBE_MOVES } cliTubeMove;
#define CLI_TUBE_FULL 180.0f // degrees

typedef struct cliTube {
    cliContext* context;
    snModel* model;
    snRenderer* renderer;
    snStage* stage;
} cliTube;

// A striped tube with the style at its joint. Free with tube_close, also after a failure.
cliExit tube_open(cliTube* tube, cliContext* context, snRenderer* renderer, const snStyle* style);
void tube_close(cliTube* tube);
// A camera that looks along `view` (as sn_view_parse reads it) at the joint.
snShot tube_scene(cliTube* tube, cliTubeMove move, const char* view, uint32_t width, uint32_t height);
cliExit tube_draw(cliTube* tube, cliTubeMove move, float degrees, const snShot* scene, snImage** out);

// ----------------------------------------------------------------------------------------------- the verb

// A square picture of the bent tube.
#define CLI_THUMBNAIL 256u
cliExit style_thumbnail(cliContext* context, snRenderer* renderer, const snStyle* style, snImage** out);

// The bend-and-twist sheet into a .png, or a film of the same.
cliExit style_draw_sheet(cliContext* context, const snStyle* style, const char* path);
cliExit style_draw_film(cliContext* context, const snStyle* style, const char* path);

// A texture and a curve of one direction as a picture: where the style makes things thinner (blue) and
// thicker (red), full colours at `reach` from 1.
cliExit style_panel(const cliContext* context, const snStyle* style, uint32_t direction, float reach,
                    uint32_t side, snImage** out);
// How far scales of the textures are from 1 at most; never 0.
float style_reach(const snStyle* style);

// The smallest and largest scale of a texture or curve, strength included; 1 and 1 where there is none.
typedef struct cliScales {
    float low, high;
} cliScales;
cliScales style_texture_scales(const snStyle* style, uint32_t direction);
cliScales style_curve_scales(const snStyle* style, uint32_t direction);

// `sinew style new`: a style of the name that the second operand is.
cliExit style_new(cliContext* context);
// `sinew style check`: every operand behind the first.
cliExit style_check(cliContext* context);

#endif
