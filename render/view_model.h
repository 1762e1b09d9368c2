// What does not change of a model, on the GPU, so that panes can share it.
#ifndef SINEW_VIEW_MODEL_H
#define SINEW_VIEW_MODEL_H

#include "gpu_item.h"
#include "sinew/character.h"

// A mesh. Its geometry keeps indices by material and edges; vertices are on the GPU alone.
typedef struct snViewMesh {
    const snMesh* mesh;
    snGeometry* geometry;
    GLuint indices, uvs, colors; // buffers; 0: none
    bool solid;                  // back faces are never seen
    uint64_t bytes;              // uploaded
} snViewMesh;

// Faces are sorted by the materials of the item.
snResult sn_view_mesh_open(snViewMesh* mesh, const snShotItem* item, const snAllocator* allocator,
                           snError* error);
void sn_view_mesh_close(snViewMesh* mesh);
// Makes sure of its edges.
snResult sn_view_mesh_need_edges(snViewMesh* mesh, snError* error);

// Colors of an attribute, 8 bytes each, from linear RGB in 0 .. 1.
void sn_view_colors_upload(GLuint buffer, const snMesh* mesh, const snVec4* colors, uint16_t* staged);
// Lets the bound arrays read them.
void sn_view_colors_attach(GLuint buffer);

typedef struct snViewModel {
    const snModel* model;
    uint32_t uses;      // panes that show it
    snViewMesh* meshes; // one per part
    snAllocator allocator;
} snViewModel;

// A character of the model, in any pose.
snResult sn_view_model_open(const snModel* model, const snCharacter* character, const snAllocator* allocator,
                            snViewModel** out, snError* error);
void sn_view_model_close(snViewModel* model);
uint64_t sn_view_model_bytes(const snViewModel* model);
// The item of a part as pictures show it.
snShotItem sn_view_item(const snModel* model, uint32_t part);

#endif
