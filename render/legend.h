// The key to a heat map.
#ifndef SINEW_LEGEND_H
#define SINEW_LEGEND_H

#include "sinew/rig.h"

// Draws the color ramp with its end values, middle and title in the picture's lower left corner.
void sn_legend_draw(snImage* image, const char* title, float low, float high);

#endif
