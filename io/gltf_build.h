// Shared by the files that build a fresh document.
#ifndef SNI_IO_GLTF_BUILD_H
#define SNI_IO_GLTF_BUILD_H

#include "gltf_output.h"

// Adds the glTF mesh of one part and returns its index through `out_mesh`; SN_NONE for a part without
// vertices. With a bake the mesh stands in its first frame and carries no weights and no morph targets of its
// own.
snResult sni_build_mesh(sniOutput* out, const snModel* model, uint32_t part, const snBake* bake,
                        uint32_t* out_mesh, snError* error);
void sni_build_materials(sniOutput* out, const snModel* model, snError* error);

#endif
