// MakeHuman: a skeleton file (.mhskel), the mesh its joints are defined on, and the weights (.mhw).
#ifndef SNI_IO_MHSKEL_H
#define SNI_IO_MHSKEL_H

#include "json.h"
#include "source.h"

// One JSON file of the three, parsed.
typedef struct sniMhFile {
    const sniSource* source;
    sniJsonValue* json;
    size_t reserved; // of the limit, for the tree
} sniMhFile;

typedef struct sniMhBone {
    const char* name; // lives in the JSON
    uint32_t parent;  // or SN_NONE
    snVec3 head;      // world, metres
} sniMhBone;

// The bones, parents before children, otherwise in the order of the file.
typedef struct sniMhBones {
    uint32_t count;
    sniMhBone* items;
} sniMhBones;

// Weights of the vertices that `body_of_vertex` keeps: it has one entry per vertex of the mesh file, the
// vertex of the body or SN_NONE.
typedef struct sniMhWeights {
    uint32_t influences;
    uint16_t* joints; // body vertices * influences
    float* weights;
    // Of the whole mesh, clothes and joint cubes too.
    uint32_t weighted_bones;   // bones of the skeleton that have weights
    uint32_t whole_influences; // most on one vertex
} sniMhWeights;

snResult sni_mh_open(const sniSource* source, sniMhFile* out);
void sni_mh_close(sniMhFile* file);
// An error about a value, by the line it stands on.
snResult sni_mh_fail(const sniMhFile* file, const sniJson* at, const char* format, ...) SNI_PRINTF(3, 4);

// `unit` is metres per unit of `mesh`.
snResult sni_mh_bones(const sniMhFile* file, const snMesh* mesh, float unit, sniMhBones* out);
snResult sni_mh_weights(const sniMhFile* file, const sniMhBones* bones, const uint32_t* body_of_vertex,
                        uint32_t vertex_count, uint32_t body_count, sniMhWeights* out);

// The three files at hand. `tell`: a note says what the weights hold, of which the body is only a part.
snResult sni_mhskel_read_with(const sniSource* source, const sniSource* mesh, const sniSource* weights,
                              bool tell, snModel** out);

#endif
