// The tube that styles are judged on.
#ifndef SINEW_STYLE_TUBE_H
#define SINEW_STYLE_TUBE_H

#include "style_picture.h"

// What the tube can do. Time is how far: at 1 s by SN_TUBE_FULL, and `both` half as far in both ways.
typedef enum snTubeMove { SN_TUBE_BEND, SN_TUBE_TWIST, SN_TUBE_BOTH, SN_TUBE_MOVES } snTubeMove;
#define SN_TUBE_FULL 180.0f // degrees

typedef struct snStyleTube {
    snModel* model;
    snStage* stage;
} snStyleTube;

// A striped tube with the style at its joint. Free with sn_style_tube_close, also after a failure.
snResult sn_style_tube_open(snStyleTube* tube, const snStylePictureDef* def, const snAllocator* allocator,
                            snError* error);
void sn_style_tube_close(snStyleTube* tube);
// A camera that looks along `view` (as sn_view_parse reads it) at the joint.
snShot sn_style_tube_scene(snStyleTube* tube, snTubeMove move, const char* view, uint32_t side);
snResult sn_style_tube_draw(snStyleTube* tube, snTubeMove move, float degrees, const snShot* scene,
                            snImage** out, snError* error);

#endif
