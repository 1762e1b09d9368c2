// What a check knows of a character at rest, and what it measures of it in a pose.
#ifndef SNI_CHECK_PROBE_H
#define SNI_CHECK_PROBE_H

#include "sinew/check.h"

// Cross-sections to each side of a joint.
#define SNI_SECTIONS 4

// The surface that a joint answers for. Every vertex and triangle belongs to the joint about which it bends
// most, or that moves it most.
typedef struct sniZone {
    double area; // of its triangles at rest; more where they are few
    uint32_t triangle_count;
    uint32_t ring_start; // triangles that bend about the joint: rings[ring_start .. ring_end)
    uint32_t ring_end;
    snVec3 middle;      // the joint at rest
    double ring_volume; // between them and the joint, at rest
    double ring_size;   // the same with all counted as positive; 0: none to speak of
    uint32_t section_start, section_end;
} sniZone;

typedef struct sniProbeSection {
    snSection* section;
    uint32_t part;
    double area; // at rest
} sniProbeSection;

// A connected piece of surface, its openings closed by fans around their middles.
typedef struct sniPiece {
    double volume;     // at rest; 0: flat, or of no consequence
    uint32_t triangle; // its first
} sniPiece;

// Vertices in one place at rest.
typedef struct sniSeam {
    uint32_t a, b;
} sniSeam;

typedef struct sniProbe {
    const snModel* model;
    const snTasks* tasks;
    snAllocator memory;
    snProgress progress;
    float share;    // of the whole check, while crossings are looked for
    bool near_only; // crossings of joints near to each other alone

    uint32_t joint_count;
    uint32_t vertex_count; // of all parts, numbered through
    uint32_t point_count;  // places that vertices share
    uint32_t seam_count;
    uint32_t triangle_count;
    uint32_t section_count;
    uint32_t piece_count;
    uint32_t loop_count; // openings
    uint32_t cap_count;
    uint32_t crossing_capacity;
    uint32_t piece_pair_count;
    uint32_t rest_crossings;

    // Vertices.
    uint32_t* part_starts; // part_count + 1
    snVec3* rest;          // world
    snVec3* now;
    snQuat* turns;             // how the skin turns each vertex now
    uint32_t* influence_start; // vertex_count + 1
    uint32_t* influence_joints;
    float* influence_weights;
    uint32_t* vertex_joints; // whose zone it is in
    uint32_t* points;        // the first vertex in the same place
    sniSeam* seams;

    // Triangles.
    uint32_t (*triangles)[3]; // vertices
    uint32_t (*welded)[3];    // points
    uint32_t* faces;          // of the part
    uint32_t* parts_of;
    uint32_t* pieces_of;
    uint32_t* triangle_joints;
    float* areas;        // at rest
    snVec3* normals;     // at rest, not of unit length
    float (*metrics)[3]; // at rest: products of two edges

    // Joints.
    sniZone* zones;
    uint32_t* rings;
    sniProbeSection* sections;
    snMat4* rest_inverse;
    snQuat* joint_turns; // now
    float* most;         // room for how bad the worst face of each is

    // Pieces.
    sniPiece* pieces;
    uint32_t (*caps)[3]; // two points and a loop: triangles to its middle
    uint32_t* cap_pieces;
    uint32_t* loop_sizes;  // edges
    snVec3* loop_middles;  // room for those of now
    double* piece_volumes; // room for those of now

    // Crossings.
    void* crossing_scratch;
    snCrossing* crossings;
    uint8_t* tainted;      // crosses its own piece at rest, or is beside one that does
    uint64_t* piece_pairs; // that cross at rest, sorted
    uint8_t* crossed;      // now
} sniProbe;

// What is found in one pose: a value and a place for each joint, and one for the whole behind them.
typedef struct sniFinding {
    float value;
    float change;      // of volumes: the value with its sign
    uint32_t vertex;   // SN_NONE: none
    uint32_t triangle; // SN_NONE: none
} sniFinding;

// `character` is of the model and is left in its rest pose. Told from 0 to SNI_PROBED of the whole.
#define SNI_PROBED 0.2f
snResult sni_probe_create(const snModel* model, snCharacter* character, const snTasks* tasks,
                          const snProgress* progress, const snAllocator* allocator, sniProbe** out,
                          snError* error);
void sni_probe_destroy(sniProbe* probe);
uint32_t sni_probe_part(const sniProbe* probe, uint32_t vertex);

// The parts of building (probe_*.c).
snResult sni_probe_sections(sniProbe* probe, const snMat4* world, snError* error);
snResult sni_probe_pieces(sniProbe* probe, snError* error);
snResult sni_probe_crossings(sniProbe* probe, snError* error);

// Takes over the pose of a character of the model. False: not all of it is finite.
bool sni_probe_pose(sniProbe* probe, const snCharacter* character);
// Measures of the pose that was taken over; joint_count + 1 findings, which must be empty.
void sni_probe_volume(sniProbe* probe, sniFinding* findings);
void sni_probe_joint_volume(sniProbe* probe, const snMat4* world, sniFinding* findings);
void sni_probe_section(sniProbe* probe, sniFinding* findings);
void sni_probe_stretch(sniProbe* probe, sniFinding* findings);
void sni_probe_flip(sniProbe* probe, sniFinding* findings);
snResult sni_probe_crossing(sniProbe* probe, sniFinding* findings, snError* error);
void sni_probe_seam(sniProbe* probe, sniFinding* findings);
// Measures of the weights; of bleeding, told from SNI_PROBED to SNI_BLED.
#define SNI_BLED 0.3f
snResult sni_probe_bleed(sniProbe* probe, sniFinding* findings, snError* error);
void sni_probe_dropped(sniProbe* probe, sniFinding* findings);

// One face of the pose: its larger principal stretch, and whether it is turned inside out.
float sni_probe_stretch_of(const sniProbe* probe, uint32_t triangle);
bool sni_probe_flipped(const sniProbe* probe, uint32_t triangle);

#endif
