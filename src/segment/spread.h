// How weighted places lie around their mean.
#ifndef SNI_SEGMENT_SPREAD_H
#define SNI_SEGMENT_SPREAD_H

#include "sinew/math.h"

// Sums; places are taken from `origin`, which should be among them.
typedef struct sniSpread {
    snVec3 origin;
    double weight, sum[3], products[3][3];
} sniSpread;

void sni_spread_add(sniSpread* spread, snVec3 at, double weight);
snVec3 sni_spread_mean(const sniSpread* spread); // the origin where there is no weight
// Directions at right angles, that of the largest variance first.
void sni_spread_axes(const sniSpread* spread, snVec3 out_axes[3], float out_variances[3]);

#endif
