// Shared between topology.c, which sorts the sides, and topology_loops.c, which chains the open ones.
#ifndef SNI_SHAPE_TOPOLOGY_LOOPS_H
#define SNI_SHAPE_TOPOLOGY_LOOPS_H

#include "sinew/shape.h"

typedef struct sniSides {
    uint32_t count;
    uint32_t* from;           // point where the side starts
    uint32_t* to;             // point where it ends
    uint32_t* face;           // its face
    uint32_t* next;           // the following side of the face
    uint32_t* fan;            // union-find over corners; after the walk, the corner's fan
    uint32_t* sorted;         // sides by edge
    uint32_t* scratch;        // one per side
    uint32_t* boundary;       // sides whose edge is used once
    uint32_t* point_starts;   // point_count + 1
    uint32_t* scratch_points; // point_count
    uint32_t* face_parents;   // union-find over faces
} sniSides;

// Chains topology->boundary_edge_count boundary sides into loops. False when out of memory.
bool sni_trace_loops(snTopology* topology, sniSides* sides);

#endif
