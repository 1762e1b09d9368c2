// Shared by the files that build a document.
#ifndef SNI_IO_GLTF_BUILD_H
#define SNI_IO_GLTF_BUILD_H

#include "gltf_output.h"

// Adds the glTF mesh of one part and returns its index through `out_mesh`; SN_NONE for a part without
// vertices. With a bake the mesh stands in its first frame and carries no weights and no morph targets of its
// own.
snResult sni_build_mesh(sniOutput* out, const snModel* model, uint32_t part, const snBake* bake,
                        uint32_t* out_mesh, snError* error);
// Adds a clip as an animation; one without channels is left out. `mesh_nodes` has the node of each part's
// mesh; NULL: it is the part's joint, as in a source document. `scale` turns metres into the file's unit.
void sni_build_clip(sniOutput* out, const snModel* model, const snClip* clip, const uint32_t* mesh_nodes,
                    float scale);
// Whether a channel of a source document does anything. The transform of a node with a skinned mesh does not
// move that mesh, and validators warn of its animation.
bool sni_build_channel_works(const snModel* model, const snChannel* channel);
void sni_build_materials(sniOutput* out, const snModel* model, snError* error);

#endif
