// The girth of a piece of surface along one direction, by contours of a field over its points.
#ifndef SNI_SEGMENT_PROFILE_H
#define SNI_SEGMENT_PROFILE_H

#include "segment/segment.h"

#define SNI_CONTOURS 32u

// A contour: its length, and the sum of its segments' middles by length.
typedef struct sniContour {
    double sum[3], length;
} sniContour;

typedef struct sniProfile {
    uint32_t count;             // contours that are there
    float level[SNI_CONTOURS];  // of the field, rising
    float at[SNI_CONTOURS];     // how far along, 0 .. 1
    float radius[SNI_CONTOURS]; // of a circle of the contour's length
    snVec3 middle[SNI_CONTOURS];
    float length;
    float typical; // the median of the radii
} sniProfile;

// The level of the k-th contour of a field that runs from `low` to `high`.
static inline float sni_contour_level(float low, float high, uint32_t k) {
    return low + (high - low) * ((float)k + 0.5f) / (float)SNI_CONTOURS;
}

// Corners of a triangle by rising field.
void sni_contour_corners(const float* field, const uint32_t triangle[3], uint32_t out[3]);
// Adds what a triangle (its corners by rising field) has of the contours between `low` and `high`.
void sni_contours_add(const sniSegments* s, const float* field, const uint32_t corners[3], float low,
                      float high, sniContour* contours);
sniProfile sni_profile(const sniContour* contours, float low, float high);
// The profile ends in a point rather than in its last contour.
void sni_profile_end(sniProfile* profile, snVec3 tip);

// A place to cut.
typedef struct sniCut {
    uint32_t contour; // SN_NONE: none
    float evidence;   // 0 .. 1: what speaks for it
} sniCut;
// A share of what could speak for a cut (a depth, a turn) as evidence.
static inline float sni_cut_evidence(float share) { return sn_clampf(0.4f + 1.5f * share, 0.0f, 1.0f); }
// The place between two shares of the length that is thinnest against both its sides, by `least` or more.
sniCut sni_cut_thin(const sniProfile* profile, float from, float to, float least);
// At a share of the length, for want of something better.
sniCut sni_cut_share(const sniProfile* profile, float share);

#endif
