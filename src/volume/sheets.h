// Where surface crosses itself, told fast enough to be asked some hundred times: in sheets, pieces of surface
// that hang together.
//
// Nearly all that is near to a triangle is its own sheet and those beside it. Surface that hangs together and
// faces one way all over crosses itself only by winding like a spiral (Volino and Magnenat-Thalmann 1994), so
// there nobody has to look: what is left are folds, and what lies beside them by the pose alone.
#ifndef SNI_VOLUME_SHEETS_H
#define SNI_VOLUME_SHEETS_H

#include "volume/closed.h"

typedef struct sniSheets {
    const sniClosed* closed;
    const snAllocator* memory;
    // Of the whole surface, at rest.
    uint32_t count;
    uint32_t* starts; // count + 1; of their faces
    uint32_t* faces;
    uint32_t* point_starts; // count + 1; of their points
    uint32_t* points;
    size_t* beside_starts; // count + 1; of those that share a point with each
    uint32_t* beside;
    size_t beside_count, beside_capacity;
    // Of what is looked at.
    uint32_t triangle_count;
    uint32_t (*triangles)[3];
    uint32_t part_count;   // sheets of which something is looked at
    uint32_t* part_starts; // part_count + 1; of their triangles
    uint32_t* part_sheets;
    uint8_t* part_whole; // 1: all of the sheet
    // Of a pose.
    snBounds* boxes;        // one per triangle, where they were asked for
    snBounds* part_boxes;   // of what follows, one per part
    snVec3* facing;         // unit, or 0
    float* spread;          // radians around it; above a right angle: every way
    uint8_t* boxed;         // 1: boxes of its triangles are known
    uint8_t* marks;         // 1: some triangle is active
    int axis;               // along which they are ordered
    uint64_t* order;        // by where their boxes begin
    const uint16_t* owners; // one per point, for zones
    double* zones;          // or NULL; one per owner: what crosses counts for those of both sides
    uint32_t* stamps;       // one per sheet
} sniSheets;

// False without memory; what was made is freed even then.
bool sni_sheets_create(const sniClosed* closed, const snAllocator* memory, sniSheets* out);
void sni_sheets_free(sniSheets* sheets);
// Chooses the triangles that are looked at: of faces whose first corner is within some metres of a place at
// rest.
void sni_sheets_aim(sniSheets* sheets, snVec3 middle, float reach);
// Length of the lines along which triangles cross of which one at least is active.
double sni_sheets_cuts(sniSheets* sheets, const snVec3* points, const uint8_t* active);

#endif
