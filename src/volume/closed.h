// The surface as one: points over all parts with seams closed, faces turned to agree, openings capped. What
// volumes are measured on.
#ifndef SNI_VOLUME_CLOSED_H
#define SNI_VOLUME_CLOSED_H

#include "sinew/volume.h"

// A face as four points around its border; a triangle repeats its last point, which changes no formula here.
typedef struct sniFace {
    uint32_t at[4];
} sniFace;

// A boundary loop and the point in its middle that closes it.
typedef struct sniCap {
    uint32_t center; // point
    uint32_t first;  // of its members in `loop_points`
    uint32_t count;
    uint32_t shell;
} sniCap;

typedef struct sniClosed {
    uint32_t part_count;
    uint32_t* vertex_starts; // part_count + 1; vertices of all parts in one row
    uint32_t* points;        // one per vertex
    uint32_t* welded;        // one per vertex: which place it is at
    uint32_t welded_count;
    uint32_t point_count; // real ones; the caps' centers follow
    uint32_t cap_count;
    uint32_t* vertices; // point_count; the vertex that speaks for each
    snVec3* rest;       // point_count + cap_count
    float* areas;       // point_count; how much each can change the volume, at rest, per metre
    uint32_t face_count;
    uint32_t real_faces;   // faces before this one are not caps
    sniFace* faces;        // in the order of the parts, then the caps
    uint32_t* face_shells; // face_count
    sniCap* caps;
    uint32_t* loop_points;
    uint32_t* point_shells; // point_count + cap_count; SN_NONE: no face
    uint32_t shell_count;
    snShell* shells;
    // Faces around each point: corner index = 4 * face + place.
    uint32_t* corner_starts; // point_count + cap_count + 1
    uint32_t* corners;
    // Weights of the points, of the vertices that speak for them.
    uint32_t influences;
    uint16_t* joints;
    float* weights;
    snAllocator allocator;
} sniClosed;

// That a Def names its joints in order, and its weights joints that are there.
snResult sni_volume_def_check(const snExactVolumeDef* def, const snAllocator* memory, snError* error);
snResult sni_closed_create(const snExactVolumeDef* def, const snAllocator* allocator, sniClosed** out,
                           snError* error);
void sni_closed_destroy(sniClosed* closed);
// The same surface with other weights of the Def's parts, sharing all but these with `closed`. NULL in `out`
// where they make other points or other kinds of shells.
snResult sni_closed_reweigh(const snExactVolumeDef* def, const sniClosed* closed, sniClosed** out,
                            snError* error);
// Whether two share their surface.
static inline bool sni_closed_related(const sniClosed* a, const sniClosed* b) { return a->faces == b->faces; }
// Frees all that `keeper` (or NULL) does not share.
void sni_closed_release(sniClosed* closed, const sniClosed* keeper);

// What stands in lists where there is no point: behind the last one.
static inline uint32_t sni_no_point(const sniClosed* closed) {
    return closed->point_count + closed->cap_count;
}
// The middle of a loop of points, in doubles; `ids` says what the members are, or is NULL.
static inline void sni_loop_mean(const snVec4* points, const uint32_t* ids, const uint32_t* members,
                                 uint32_t count, double out[3]) {
    out[0] = out[1] = out[2] = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        snVec4 p = points[ids != NULL ? ids[members[i]] : members[i]];
        out[0] += (double)p.x;
        out[1] += (double)p.y;
        out[2] += (double)p.z;
    }
    for (int i = 0; i < 3; i++) out[i] /= (double)count;
}
static inline snVec4 sni_loop_middle(const snVec4* points, const uint32_t* ids, const uint32_t* members,
                                     uint32_t count) {
    double mean[3];
    sni_loop_mean(points, ids, members, count, mean);
    return (snVec4){(float)mean[0], (float)mean[1], (float)mean[2], 0.0f};
}
static inline bool sni_face_is_triangle(const sniFace* face) { return face->at[3] == face->at[2]; }
// Volume of the cone from the origin over a face, six times; positions are relative to the apex.
double sni_face_volume(const snVec3* positions, snVec3 apex, const sniFace* face);

#endif
