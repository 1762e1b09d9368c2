// Sinew: characters and shapes made in code. They need no data files, so demos, tests and benchmarks run
// anywhere.
#ifndef SINEW_BUILTIN_H
#define SINEW_BUILTIN_H

#include "sinew/rig.h"

#ifdef __cplusplus
extern "C" {
#endif

// A smooth, closed, human-like body, 1.75 m tall, standing on y = 0 in a T-pose and facing +Z, with 38
// joints (hips, spine, chest, neck, head, arms, hands with fingers, legs, feet) and 4 weights a vertex.
typedef struct snBodyDef {
    uint32_t vertex_target; // wanted vertex count, reached within 10 %; default 28000, 1000 .. 1000000
    bool quads;             // default true; false: triangles
    snProgress progress;    // default: nobody listens
} snBodyDef;
SN_API snBodyDef sn_body_def(void);
// Clips: "walk" (in place), "jump", "bend" (left elbow to 130 degrees and back), "twist" (left forearm to 180
// degrees and back). All loops, closed.
SN_API snResult sn_builtin_body(const snBodyDef* def, const snAllocator* allocator, snModel** out,
                                snError* error);

// A skinned bar or cylinder along +Y for tests: `segments` bones of equal length, smooth weights, a clip
// "bend" that bends every inner joint to 90 degrees and back and a clip "twist" that twists the last bone by
// 180.
typedef struct snTubeDef {
    float length;      // metres, default 3
    float radius;      // half side of a bar, radius of a cylinder; default 0.35
    uint32_t sides;    // 3 .. 4096; 4: a square bar with flat sides; default 32
    uint32_t rings;    // rings of quads along the length, 1 .. 65536; default 48
    uint32_t segments; // bones, 1 .. 256; default 3
    bool quads;        // default true
} snTubeDef;
SN_API snTubeDef sn_tube_def(void);
SN_API snResult sn_builtin_tube(const snTubeDef* def, const snAllocator* allocator, snModel** out,
                                snError* error);

// A closed cube of the given edge (metres, above 0), centered on the origin, `divisions` (1 .. 8192) quads
// along each edge; one joint, rigid.
SN_API snResult sn_builtin_cube(float edge, uint32_t divisions, bool quads, const snAllocator* allocator,
                                snModel** out, snError* error);
// A flat open sheet in the XZ plane facing +Y, `divisions` (1 .. 8192) quads a side; one joint, rigid.
SN_API snResult sn_builtin_sheet(float edge, uint32_t divisions, bool quads, const snAllocator* allocator,
                                 snModel** out, snError* error);

#ifdef __cplusplus
}
#endif

#endif
