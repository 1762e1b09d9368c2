// Shared by the files that build a document.
#ifndef SNI_IO_GLTF_BUILD_H
#define SNI_IO_GLTF_BUILD_H

#include "gltf_output.h"

typedef struct sniMeshStyle {
    float scale;              // turns metres into the file's unit
    bool normals;             // computes them where the mesh has none
    const snMorphPart* baked; // where its morph targets come from, or NULL
} sniMeshStyle;
// Adds the glTF mesh of one part and returns its index through `out_mesh`; SN_NONE for a part without
// vertices.
snResult sni_build_mesh(sniOutput* out, const snModel* model, uint32_t part, sniMeshStyle style,
                        uint32_t* out_mesh, snError* error);
// Adds a clip as an animation; one without channels is left out. `mesh_nodes` has the node of each part's
// mesh; NULL: it is the part's joint, as in a source document. `scale` turns metres into the file's unit.
void sni_build_clip(sniOutput* out, const snModel* model, const snClip* clip, const uint32_t* mesh_nodes,
                    float scale);
// Adds channels to an animation.
void sni_build_channels(sniOutput* out, const snModel* model, const snChannel* channels, uint32_t count,
                        const uint32_t* mesh_nodes, float scale, sniJsonValue* animation);
// Whether a channel of a source document does anything. The transform of a node with a skinned mesh does not
// move that mesh, and validators warn of its animation.
bool sni_build_channel_works(const snModel* model, const snChannel* channel);
void sni_build_materials(sniOutput* out, const snModel* model, snError* error);

// ---------------------------------------------------------------------------------------- gltf_skin.c

// JOINTS_n and WEIGHTS_n of a block of vertices. False: out of memory.
bool sni_build_weights(sniOutput* out, const snWeights* weights, uint32_t joint_count,
                       const sniVertexBlock* block, sniJsonValue* attributes);
// Appends all skins of the model. `scale` turns metres into the file's unit.
snResult sni_build_skins(sniOutput* out, const snModel* model, float scale, snError* error);
// glTF wants the joints of a skin below one common node: whether some skin lacks it, and giving the roots of
// a scene one. Childless skinned meshes stay roots.
bool sni_skins_need_root(sniOutput* out, const snModel* model);
void sni_build_common_root(sniOutput* out, sniJsonValue* roots);

// -------------------------------------------------------------------------------------- gltf_reskin.c

// Replaces skins and weights of a copy of the source document by the model's.
snResult sni_reskin_source(sniOutput* out, const sniGltf* gltf, const snModel* model, snError* error);
// The same for one part whose skin is there. `is_joint`: its node is one of some skin.
snResult sni_reskin_part(sniOutput* out, const sniGltf* gltf, const snModel* model, const snPart* part,
                         bool is_joint, snError* error);
// Puts the model's binding into a copy of the source document.
snResult sni_rebind_source(sniOutput* out, const sniGltf* gltf, const snModel* model, snError* error);

// ------------------------------------------------------------------------------------- gltf_reshape.c

// Replaces the vertices and faces of refined parts in a copy of the source document, and nothing else of it.
snResult sni_reshape_source(sniOutput* out, const sniGltf* gltf, const snModel* model, snError* error);
// The primitives of such a part as they are in the output: all over the same vertices. Freed as the source's.
snResult sni_reshaped_layout(const sniOutput* out, const sniGltf* gltf, const snPart* part,
                             sniLayout* layout);
// Tells its extension of new positions (metres).
snResult sni_reshaped_sign(sniOutput* out, const sniGltf* gltf, const snPart* part, const snVec3* positions,
                           snError* error);

// --------------------------------------------------------------------------------------- gltf_still.c

// A model that borrows everything from another but its surfaces, and has nothing that moves them.
typedef struct sniStill {
    snModel model;
    snPart* parts;
    snMesh* meshes;
    snOrigins* origins;
    snAllocator allocator;
} sniStill;

// Free it also after a failure.
snResult sni_still_create(const snModel* model, const snSurface* surfaces, const snAllocator* allocator,
                          sniStill* out, snError* error);
void sni_still_free(sniStill* still);
// Takes what is left of motion out of the copy of a source document.
void sni_still_tidy(sniOutput* out, const sniStill* still);

// ------------------------------------------------------------------------------------- gltf_binding.c

// The binding at the document's root; nothing without one. `scale` turns metres into the file's unit.
void sni_binding_add(sniOutput* out, const snModel* model, float scale);
// Takes the binding away from the document's root.
void sni_binding_remove(sniOutput* out);
// From there and from the meshes: what is deformed already is not deformed once more.
void sni_binding_drop(sniOutput* out);
// The lattice's points of one part's vertices, in the extension's object of its mesh.
void sni_binding_add_points(sniOutput* out, const snModel* model, uint32_t part, const sniVertexBlock* block,
                            sniJsonValue* extension);

// ------------------------------------------------------------------------------------ gltf_settings.c

// The model's settings at the document's root, instead of those a source had there.
snResult sni_gltf_settings_write(sniOutput* out, const snModel* model, snError* error);

#endif
