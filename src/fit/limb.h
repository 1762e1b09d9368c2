// A limb as a curve: what lies at equal distance, inside the solid, from its tip.
#ifndef SNI_FIT_LIMB_H
#define SNI_FIT_LIMB_H

#include "fit/fit.h"

// What the search for landmarks works on.
typedef struct sniFinder {
    const sniSolid* solid;
    snVec3* points;      // cell_count; cells in the body frame
    uint32_t* distances; // cell_count; scratch
    uint32_t* links;     // 2 * cell_count; scratch
    uint8_t* arm;        // cell_count; 1: belongs to an arm
    float height;
} sniFinder;

// The slices of thickness 1 that something of some length covers, and how much of it lies in each.
typedef struct sniSpread {
    float low, high;
    uint32_t first, last; // last below the count; what lies beyond the ends is lost
} sniSpread;

static inline sniSpread sni_spread(float middle, float length, uint32_t count) {
    sniSpread s = {middle - 0.5f * length, middle + 0.5f * length, 0, 0};
    if (s.low > 0.0f) s.first = (uint32_t)s.low;
    if (s.high > 0.0f) s.last = (uint32_t)s.high;
    if (s.last >= count) s.last = count - 1;
    if (s.first > s.last) s.first = s.last;
    return s;
}
static inline float sni_spread_share(const sniSpread* s, uint32_t slice) {
    float low = sn_maxf(s->low, (float)slice);
    float high = sn_minf(s->high, (float)slice + 1.0f);
    return high > low ? (high - low) / (s->high - s->low) : 0.0f;
}

// The arm of one side (0 left, 1 right) from the tip of its hand; marks its cells. False when no limb leaves
// the body on that side. `palm` as sni_limb_palm.
bool sni_limb_arm(const sniFinder* finder, int side, sniMark out[SNI_ARM_POINTS], snVec3* palm);
// Unit vector along the palm, across `axis`, either way; zero where the hand is too round to tell. The hand
// is what finder->distances puts within `reach` of its tip.
snVec3 sni_limb_palm(const sniFinder* finder, float reach, snVec3 wrist, snVec3 axis);

// Slices of the trunk and the legs across the height.
#define SNI_LEVELS 128

typedef struct sniLevels {
    float leg[2][SNI_LEVELS];     // area of the slice on each side
    snVec3 center[2][SNI_LEVELS]; // its center
    float area[SNI_LEVELS];       // of the whole slice, arms left out
    float middle[SNI_LEVELS];     // area near the mirror plane
    float depth[SNI_LEVELS]; // z of the center near the mirror plane; interpolated where there is nothing
} sniLevels;

void sni_levels_measure(sniLevels* levels, const sniFinder* finder);
// Both legs; `crotch` is the height where the thighs meet. False where nothing stands on two legs.
bool sni_limb_legs(const sniFinder* finder, const sniLevels* levels, sniMark out[2][SNI_LEG_POINTS],
                   float* crotch);
// Where the neck begins and where the head sits on it.
void sni_limb_neck(const sniFinder* finder, const sniLevels* levels, float shoulder, sniMark* neck,
                   sniMark* head);

#endif
