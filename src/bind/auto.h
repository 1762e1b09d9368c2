// What the steps of the default weights share.
//
// The order: the space that the surface fills (flesh), the bones as they run through it (limbs), which of
// them live in which piece of the surface (homes), who owns each point (owners), diffusion over a surface
// without long edges (fine surface), and pieces that move as one or follow another (islands).
#ifndef SNI_BIND_AUTO_H
#define SNI_BIND_AUTO_H

#include "bind/bind.h"
#include "shape/inside.h"

// ------------------------------------------------------------------------------------- fine_surface.c

// The surface with its long edges cut: on a cube of eight points nothing could blend between them.
typedef struct sniFineSurface {
    uint32_t point_count; // those of the surface first
    size_t point_capacity, component_capacity, origin_capacity;
    snVec3* points;
    snVec3* normals; // outward, also of pieces that are inside out
    uint32_t* components;
    uint32_t* origins; // per point: a point of the surface beside it; itself for those of the surface
    uint32_t triangle_count;
    uint32_t* triangles;
    snAllocator allocator;
} sniFineSurface;

snResult sni_fine_surface_create(const sniSurface* surface, const snAllocator* allocator, sniFineSurface* out,
                                 snError* error);
void sni_fine_surface_free(sniFineSurface* fine);

// --------------------------------------------------------------------------------------------- limbs.c

// A bone as the flesh sees it.
typedef struct sniLimb {
    snVec3 head, tail;
    uint32_t joint; // owner, as index into sniBones.joints
    uint32_t start; // skeleton joint at the head
    float factor;   // what its distances are multiplied with, 1 or more
    bool borrowed;  // the head's joint does not deform itself
    bool last;      // no deforming joint hangs at its tail
    bool adopts;    // a last one that ends in a joint which hangs elsewhere
    bool met;       // it begins where such a one ends
    bool side;      // another child carries the bone on; this one leaves it sideways
} sniLimb;

typedef struct sniLimbs {
    uint32_t count;
    size_t capacity;
    sniLimb* limbs;
    snAllocator allocator;
} sniLimbs;

snResult sni_limbs_create(const sniBind* bind, const sniInside* flesh, sniLimbs* out, snError* error);
void sni_limbs_free(sniLimbs* limbs);
// A last bone says little: its tail is a guess of the file or of ours. So its joint is asked first what it
// owns without it: `sni_limbs_shrink` draws last bones back to their heads and keeps their tails in `tails`
// (one per limb), and `sni_limbs_settle` lets them reach as far as what the joint owns then.
void sni_limbs_shrink(sniLimbs* limbs, snVec3* tails);
snResult sni_limbs_settle(sniLimbs* limbs, const snVec3* tails, const sniBind* bind, const sniInside* flesh,
                          const sniFineSurface* fine, const uint32_t* owners, const double* areas,
                          snError* error);
// A joint from which no child leads on (a head with nothing but ears) gets a limb to the center of what it
// owns. `owners` names the limb that owns each point of `fine`, `areas` says how much each point counts.
snResult sni_limbs_add_centers(sniLimbs* limbs, const sniBind* bind, const sniInside* flesh,
                               const sniFineSurface* fine, const uint32_t* owners, const double* areas,
                               snError* error);

// -------------------------------------------------------------------------------------------- nearest.c

// Finds the nearest of many points.
typedef struct sniNearest {
    const snVec3* points;
    snVec3 origin;
    float cell_size;
    uint32_t size[3];
    uint32_t* starts; // cells + 1
    uint32_t* items;  // by cell, rising
    snAllocator allocator;
} sniNearest;

// `chosen` has one entry per point, or is NULL for all of them.
snResult sni_nearest_create(const snVec3* points, uint32_t count, const bool* chosen,
                            const snAllocator* allocator, sniNearest* out, snError* error);
void sni_nearest_free(sniNearest* nearest);
// The nearest chosen point, of equals the first; SN_NONE when none was chosen.
uint32_t sni_nearest_find(const sniNearest* nearest, snVec3 p);

// ---------------------------------------------------------------------------------------------- within.c

// Asks which of many places lie inside a piece of the surface. Lines along the axes vote, both ways: four of
// six must find that the piece winds around the place, so that a hole costs a vote, not the answer.
typedef struct sniWithin {
    const sniSurface* surface;
    uint32_t count;
    const snVec3* places;
    uint64_t* sorted[3];          // per axis: places by their coordinate along it
    int16_t (*windings)[6];       // per place: of the lines along three axes, both ways
    uint32_t *starts, *triangles; // triangles by piece
    bool crossed;                 // the last piece left windings
    snAllocator allocator;
} sniWithin;

snResult sni_within_create(const sniSurface* surface, const snVec3* places, uint32_t count,
                           const snAllocator* allocator, sniWithin* out, snError* error);
void sni_within_free(sniWithin* within);
// Looks at one piece; false: no line through a place meets it.
bool sni_within_look(sniWithin* within, uint32_t component);
// Whether the place is inside the piece that was looked at last.
bool sni_within_holds(const sniWithin* within, uint32_t place);

// ---------------------------------------------------------------------------------------------- homes.c

// Places on each limb at which its home is asked for.
#define SNI_HOME_SAMPLES 24

// One limb in one piece of the surface.
typedef struct sniVisit {
    uint32_t component;
    uint32_t limb;
    uint16_t inside; // samples inside the piece
    uint16_t home;   // samples for which no other piece holds more of the limb
    bool ends;       // the sample at the tail is inside
} sniVisit;

typedef struct sniHomes {
    uint32_t* starts; // components + 1; NULL where there is one piece: everything is at home
    size_t capacity;
    sniVisit* visits;
    snAllocator allocator;
} sniHomes;

snResult sni_homes_create(const sniSurface* surface, const sniLimbs* limbs, const snAllocator* allocator,
                          sniHomes* out, snError* error);
void sni_homes_free(sniHomes* homes);
// True when so much of the limb is at home in the piece that it moves it.
bool sni_visit_counts(const sniVisit* visit, const sniLimbs* limbs);
// True when the limb counts in the piece, or when none does.
bool sni_homes_accept(const sniHomes* homes, const sniLimbs* limbs, uint32_t component, uint32_t limb);
// True for a piece that bones run beside, none of them within it: a cape, a strand of hair.
bool sni_homes_is_sheet(const sniHomes* homes, uint32_t component);

// --------------------------------------------------------------------------------------------- owners.c

// Who owns each point of the fine surface, and how firmly.
typedef struct sniOwners {
    uint32_t* limbs; // per point; the nearest. Shrunk: where that is a last one, else any other
    double* holds;
    sniSources sources;
    snAllocator allocator;
} sniOwners;

typedef struct sniOwnersDef {
    const sniBind* bind;
    const sniFineSurface* fine;
    const sniInside* flesh;
    const sniLimbs* limbs;
    const sniHomes* homes;
    const double* areas; // per point of the fine surface
    // Per point of the surface: the joint that is nearest through the lattice, or SN_NONE, and how far it is.
    const uint32_t* geodesic_joints;
    const float* geodesic_distances;
    bool shrunk; // last bones are drawn back to their heads; what they own then is all that is asked
} sniOwnersDef;

snResult sni_owners_create(const sniOwnersDef* def, const snAllocator* allocator, sniOwners* out,
                           snError* error);
void sni_owners_free(sniOwners* owners);

// ---------------------------------------------------------------------------------------------- roots.c

// For every piece that follows: the piece that most of its points lie in, or SN_NONE, and which part of them
// does. All per piece.
snResult sni_roots_find(const sniSurface* surface, const bool* follows, const snAllocator* allocator,
                        uint32_t* roots, float* depths, snError* error);

// -------------------------------------------------------------------------------------------- islands.c

// Replaces the weights of pieces that move as one, and of pieces without a bone by those of their hosts.
snResult sni_islands_apply(const sniBind* bind, const sniFineSurface* fine, const sniLaplacian* laplacian,
                           const sniLimbs* limbs, const sniHomes* homes, sniTop* points, snError* error);

// --------------------------------------------------------------------------------------------- attach.c

// A point of a piece without a bone, and what it sits on.
typedef struct sniPerch {
    uint32_t point; // of the fine surface
    uint32_t host;  // the nearest point of a piece that has weights
    double hold;    // how firmly it is held there, above 0
} sniPerch;

// Gives points the weights of their hosts where they are held, and what lies between where they are not.
snResult sni_attach(const sniBind* bind, const sniLaplacian* laplacian, const sniPerch* perches,
                    uint32_t count, sniTop* points, snError* error);

#endif
