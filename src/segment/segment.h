// Segmentation of an unmarked mesh: what its steps share.
//
// The mean distance of a point from all others along the surface is small in the trunk and grows along every
// limb (Hilaga and others 2001). Its upper level sets, from the tips inwards, form a tree: they begin at tips
// and join where limbs meet. An arc of that tree is a limb or a piece of trunk; arcs are cut across where
// they are thin or bend, and each piece becomes a handle.
#ifndef SNI_SEGMENT_H
#define SNI_SEGMENT_H

#include "handles/draft.h"
#include "handles/points.h"
#include "handles/sites.h"
#include "sinew/segment.h"

#define SNI_CUTS 5u // across one arc, at most

// A stretch of the tree between two places where limbs meet.
typedef struct sniArc {
    uint32_t parent; // the arc it joins inwards; SN_NONE: the innermost
    uint32_t child_count;
    uint32_t twin;     // the arc on the other side; itself: in the middle; SN_NONE: neither
    bool gone;         // became part of another
    bool necked;       // a thin place sets it off from what it hangs on
    float top, bottom; // mean distances: at the outer and the inner end
    float reach;       // the largest mean distance of all that is further out
    uint32_t tip;      // the point of that distance
    // Shape
    double area;
    float length; // along its middle
    float radius; // half its girth, typically
    // Cuts, from the inside outwards
    uint32_t cut_count;
    float cuts[SNI_CUTS];     // mean distances; the trunk's: places along its axis
    float evidence[SNI_CUTS]; // 0 .. 1: thin or bent there, or only for want of something better
    uint32_t first_handle;    // of cut_count + 1 handles, from the inside outwards
} sniArc;

// The ring between a handle and the one it hangs on.
typedef struct sniBorder {
    uint32_t arc; // of the handle
    double count, radius_sum, deviation_sum;
    snVec3 center, normal; // of its plane; towards the handle
    float radius;
    float unevenness; // how far it leaves the plane
} sniBorder;

typedef struct sniSegments {
    const snSegmentationDef* def;
    const snMesh* mesh;
    const snAllocator* memory;
    sniPoints points;    // with bridges between pieces among the neighbours
    sniPoints surface;   // the same without; shares all but the neighbours
    float size;          // diagonal of the bounds
    float middle;        // x of the plane of symmetry, if there is one
    double* areas;       // point_count; a third of the triangles around
    uint32_t* pieces;    // point_count; the lowest point of its piece, bridged ones being one
    uint32_t body;       // the piece with the largest area
    double largest_area; // of a piece without bridges
    double body_area, total_area;
    float* field;     // point_count; mean distances of the body's points
    float low, high;  // of the field
    uint32_t* arc_of; // point_count; SN_NONE beyond the body
    uint32_t* queue;  // point_count; for whoever walks over the surface
    uint32_t arc_count;
    size_t arc_capacity;
    sniArc* arcs;
    uint32_t root;      // the arc that all others hang on: the trunk
    float* along;       // point_count; how far along the trunk's axis
    uint32_t* partners; // point_count; the point on the other side, SN_NONE: none
    bool symmetric;     // most points have partners
    uint32_t* whole;    // point_count; the handle it would be in if none were free
    uint32_t* held;     // point_count; the handle it is in, SN_NONE: free
    sniBorder* borders; // per handle
    sniDraft draft;
} sniSegments;

static inline snVec3 sni_segment_place(const sniSegments* s, uint32_t point) {
    return s->mesh->positions[s->points.vertex_of_point[point]];
}

// All that return bool: false when out of memory.
// segment.c: the places of points, of the body's only or of all, with their numbers for handles. To be freed
// in any case.
bool sni_segment_sites(const sniSegments* s, bool body, sniSites* out);
bool sni_segment_bridge(sniSegments* s); // segment_pieces.c: joins pieces that lie close
snResult sni_segment_tell(const sniSegments* s, float share, snError* error); // segment.c
snResult sni_segment_field(sniSegments* s, snError* error); // field.c: fills `field`; told from 0.1 to 0.4
bool sni_segment_tree(sniSegments* s);                      // segment_tree.c: fills arcs, arc_of and root
void sni_segment_settle(sniSegments* s); // the same: what is gone becomes part of what it hung on
// Area of what is connected with the tip of a limb without inner arcs, above a mean distance.
double sni_segment_area_above(sniSegments* s, uint32_t arc, float bottom);
// A limb begins further out; what that cuts off from its tip goes to what it hangs on.
void sni_segment_trim(sniSegments* s, uint32_t arc, float bottom);
bool sni_segment_twins(sniSegments* s);   // segment_twins.c: finds the twins of arcs
bool sni_segment_cut(sniSegments* s);     // segment_cut.c: fills the shapes of arcs and the cuts of limbs
bool sni_segment_trunk(sniSegments* s);   // segment_trunk.c: fills `along` and the cuts of the root
bool sni_segment_borders(sniSegments* s); // segment_borders.c: fills the borders and makes them straight
bool sni_segment_bands(sniSegments* s);   // the same: fills `held`
bool sni_segment_name(sniSegments* s);    // segment_names.c: fills the names of the draft's handles

// mirror.c: fills `partners`, told from 0.07 to 0.1; the others do nothing where the body is not symmetric.
snResult sni_segment_mirror(sniSegments* s, snError* error);
void sni_segment_mirror_field(sniSegments* s);
void sni_segment_mirror_cuts(sniSegments* s);
void sni_segment_mirror_labels(const sniSegments* s, uint32_t* labels); // point_count
void sni_segment_mirror_centers(const sniSegments* s);
// The handle on the other side: itself in the middle, SN_NONE where there is none.
uint32_t sni_segment_twin(const sniSegments* s, uint32_t handle);

#endif
