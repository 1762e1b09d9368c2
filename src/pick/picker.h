// Rays inside: a picker, and where a ray meets its triangles.
#ifndef SNI_PICK_PICKER_H
#define SNI_PICK_PICKER_H

#include "base/box_tree.h"
#include "sinew/pick.h"

typedef struct sniTriangle {
    uint32_t at[3]; // among the vertices of all parts
    uint32_t part, face;
    uint32_t number; // in the order of parts and faces
} sniTriangle;

struct snPicker {
    const snModel* model;
    uint32_t* vertex_starts; // part_count + 1
    snVec3* positions;       // of all parts
    uint32_t triangle_count;
    sniTriangle* triangles; // in the order of the tree, so that a refit reads them one after the other
    sniBoxTree tree;        // not there without triangles
    void* tree_memory;
    snAllocator allocator;
};

// A ray in a frame of its own: it runs along the third axis, which is the largest of its direction.
typedef struct sniRay {
    snVec3 origin;
    int axes[3];
    double shear[3]; // of the first two axes, and the scale of the third
} sniRay;
sniRay sni_ray_of(snVec3 origin, snVec3 direction);

typedef struct sniRayHit {
    double at;              // lengths of the direction
    double barycentrics[3]; // summing to 1
    bool back;              // the triangle is seen from behind
} sniRayHit;
// Whether a ray meets a triangle in front of its origin. Triangles that share an edge leave no gap there.
bool sni_ray_meets(const sniRay* ray, const snVec3 corners[3], sniRayHit* out);

#endif
