// Contact inside of bends: what is made once.
#ifndef SNI_VOLUME_CONTACT_H
#define SNI_VOLUME_CONTACT_H

#include "volume/trial.h"

// A point that a plane holds on its side. All lengths are in metres of the bind pose.
typedef struct sniPressed {
    uint32_t place; // among the places of the contact
    float gate;     // 0 .. 1: how much of the plane's business it is
    float side;     // 1: the parent's, -1: the joint's; between them where the plane runs through
    float gap;      // 0 .. 1: of the gap that is kept to the plane; 0 at the plane itself
    float soft;     // how early it begins to give way
    snVec3 back;    // to the middle of its section
} sniPressed;

// By how much joints are bent to try their planes, in radians: 46, 69, 92, 111, 130 and 149 degrees.
#define SNI_PRESSES 6
#define SNI_TRIED_PRESSES                                                                                    \
    { 0.8f, 1.2f, 1.6f, 1.94f, 2.269f, 2.6f }

// How far the axes that joints are turned about are tilted, by the sine of the angle between them and the
// plane: by 45 degrees and half of that to either side. A limb rarely bends without a twist of its plane.
#define SNI_TILTS 5
#define SNI_STRAIGHT (SNI_TILTS / 2)
#define SNI_TRIED_TILTS                                                                                      \
    { -0.70710678f, -0.38268343f, 0.0f, 0.38268343f, 0.70710678f }

// The plane between what a joint moves and what its parent moves, in the bind pose.
typedef struct sniDivide {
    uint32_t joint, parent;
    snVec3 middle;
    snVec3 normal;         // unit: from the joint's side to the parent's
    float radius;          // of the limb where it bends
    uint32_t first, count; // of its points
    snVec3 ways[2];        // unit, across the normal and each other
    // 0 or 1: whether it helps where the bend opens along a way, or against it, about axes and at angles that
    // were tried
    float trust[SNI_TILTS][4][SNI_PRESSES];
} sniDivide;

struct snContact {
    sniClosed* closed;
    uint32_t joint_count;
    uint32_t divide_count;
    sniDivide* divides; // parents first
    size_t pressed_count;
    sniPressed* pressed;
    // Points that some plane holds, and those around them, whose normals turn with them.
    // On curves: matrices that move what is pressed, `influences` each; 0: on none.
    uint32_t influences;
    uint16_t* curves;
    float* weights;
    uint32_t place_count;
    uint32_t* ids;    // place_count; points of the closed surface, rising
    uint32_t* places; // one per vertex: its place, or place_count
    uint32_t face_count;
    uint32_t (*faces)[4]; // places; a triangle repeats its last
    snAllocator allocator;
};

// Curves that move what one plane presses; without matrices: none.
typedef struct sniHang {
    const snMat4* matrices;
    uint32_t influences;
    const uint16_t* curves; // influences for each that is pressed
    const float* weights;
} sniHang;
// Fills divides and what they press, whose places are points of the closed surface until they are numbered.
snResult sni_contact_divide(const snExactVolumeDef* def, snContact* contact, snError* error);

// Moves points (by the places of what is pressed) as the plane between two matrices of a pose asks, and marks
// them (NULL: nowhere). Returns how far, in metres.
float sni_divide_press(const sniDivide* d, const sniPressed* pressed, const snMat4* parent, const snMat4* own,
                       const sniHang* hang, snVec3* points, uint8_t* moved);

// Turns a joint four ways and about tilted axes, and trusts its plane where surface crosses less with it than
// without. Places are points of the closed surface here.
void sni_divide_try(const snExactVolumeDef* def, const snContact* contact, sniTrial* trial, sniDivide* d);
// The curves that move what a plane presses, in a pose of theirs (or NULL).
sniHang sni_contact_hang(const snContact* contact, const sniDivide* d, const snMat4* curves);

#endif
