// Where a part of a model stands in the rest pose. Inline, as all that sinew_io shares with the library.
#ifndef SNI_RIG_PLACE_H
#define SNI_RIG_PLACE_H

#include "sinew/rig.h"

// Mesh space to world, for one vertex. A skin whose bind pose is not the rest pose bends the mesh on the way,
// as every viewer does. `world` is that of the skeleton's rest pose.
static inline snMat4 sni_part_place(const snModel* model, const snPart* part, const snMat4* world,
                                    uint32_t vertex) {
    if (part->skin == SN_NONE) return world[part->joint];
    const snSkin* skin = &model->skins[part->skin];
    const snWeights* weights = &part->weights;
    snMat4 place = {{0}};
    if (skin->joint_count == 0 || weights->influences == 0) return sn_mat4_identity();
    for (uint32_t i = 0; i < weights->influences; i++) {
        size_t at = (size_t)vertex * weights->influences + i;
        uint32_t j = weights->joints[at];
        if (!(weights->weights[at] > 0.0f)) continue;
        snMat4 moved = sn_mat4_mul(&world[skin->joints[j]], &skin->inverse_binds[j]);
        for (int k = 0; k < 16; k++) place.m[k] += weights->weights[at] * moved.m[k];
    }
    return place;
}

// Whether faces of what it places turn about.
static inline bool sni_place_mirrors(const snMat4* place) {
    snVec3 x = sn_vec3(place->m[0], place->m[1], place->m[2]),
           y = sn_vec3(place->m[4], place->m[5], place->m[6]),
           z = sn_vec3(place->m[8], place->m[9], place->m[10]);
    return sn_dot(sn_cross(x, y), z) < 0.0f;
}

// The same for one face of a part: its first corner speaks for it.
static inline bool sni_face_mirrors(const snModel* model, const snPart* part, const snMat4* world,
                                    uint32_t face) {
    snMat4 place = sni_part_place(model, part, world, part->mesh->corners[part->mesh->face_starts[face]]);
    return sni_place_mirrors(&place);
}

// The corners run backwards, beginning at the same one.
static inline void sni_face_flip(snMesh* mesh, uint32_t face) {
    uint32_t* columns[] = {mesh->corners, mesh->corner_uvs, mesh->corner_normals};
    for (uint32_t i = mesh->face_starts[face] + 1, k = mesh->face_starts[face + 1] - 1; i < k; i++, k--) {
        for (int c = 0; c < 3; c++) {
            if (columns[c] == NULL) continue;
            uint32_t swapped = columns[c][i];
            columns[c][i] = columns[c][k];
            columns[c][k] = swapped;
        }
    }
}

#endif
