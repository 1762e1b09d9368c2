// The scenes of flesh: figures and how they are written.
#ifndef SINEW_BENCH_FLESH_H
#define SINEW_BENCH_FLESH_H

#include "flesh_body.h"

// Rest shapes and sweeps that are measured.
#define FLESH_RUNS 4
extern const snFleshRest flesh_rests[FLESH_RUNS];
extern const uint32_t flesh_sweeps[FLESH_RUNS];

typedef enum FleshPlain {
    PLAIN_MEMCPY,
    PLAIN_SCALAR,
    PLAIN_LINEAR,
    PLAIN_PLAN,
    PLAIN_DUAL,
    PLAIN_DUAL_PLAN,
    PLAIN_DISPLACE,        // what dual skin costs more: the surface moved on by the lattice
    PLAIN_DISPLACE_SMOOTH, // the same, smooth across cells; with the maps of the particles
    PLAIN_HANG_SMOOTH,     // the surface in the lattice, smooth across cells; with the maps of the particles
    PLAIN_COUNT
} FleshPlain;

// Seconds a frame, best median; of one body.
typedef struct FleshFigures {
    uint32_t vertices, joints, cells, particles;
    uint8_t width;
    double region_mean;
    size_t static_bytes, state_bytes;
    double plain[PLAIN_COUNT];
    double stages[FLESH_RUNS][FLESH_STAGES];
    double frames[FLESH_RUNS];
    uint64_t instructions[FLESH_STAGES]; // of the last run's frame; 0: not counted
} FleshFigures;

// Whole characters, from a clip to the surface.
typedef struct FleshCrowd {
    double linear;  // seconds a frame: the model unbound, best linear skinning
    double lattice; // everything on, surface in the lattice
    double dual;    // the defaults: dual skin, displaced by the lattice
    uint32_t count; // characters in the crowd
    uint32_t workers;
    double crowd;         // seconds a frame of the whole crowd
    size_t first_bytes;   // of a character with its tables
    size_t next_bytes;    // of another one of the same model
    uint64_t allocations; // while 100 frames ran
} FleshCrowd;

typedef struct FleshReport {
    const char* scene;
    double clock_before, clock_after;
    uint32_t figure_count;
    FleshFigures figures[24];
    bool has_crowd;
    FleshCrowd crowd;
} FleshReport;

// Interleaved, `rounds` of them; best median. False: out of memory.
bool flesh_measure(const FleshBodyDef* def, uint32_t rounds, FleshFigures* out);
bool flesh_measure_crowd(uint32_t rounds, uint32_t workers, FleshCrowd* out);

void flesh_print(const FleshReport* report);
bool flesh_write_json(const FleshReport* report, const char* path);

#endif
