// How the file bound its skins, and which vertices are skinned by dual quaternions.
#include "fbx.h"

#include <stdlib.h>

static const sniFbxObject* skin_of(const sniFbx* fbx, const char* mesh, const sniFbxObject** out_model,
                                   const sniFbxObject** out_geometry) {
    *out_model = sni_fbx_model(fbx, mesh);
    if (*out_model == NULL) return NULL;
    *out_geometry = sni_fbx_linked(fbx, (*out_model)->id, "Geometry", "Mesh", NULL);
    return *out_geometry != NULL ? sni_fbx_linked(fbx, (*out_geometry)->id, "Deformer", "Skin", NULL) : NULL;
}

// The mesh hangs in its node by a transform of its own, which children do not inherit.
static snMat4 geometric(const sniFbx* fbx, const sniFbxObject* model) {
    double move[3] = {0}, turn[3] = {0}, size[3] = {1.0, 1.0, 1.0};
    sni_fbx_property(fbx, &model->node, "GeometricTranslation", 3, move);
    sni_fbx_property(fbx, &model->node, "GeometricRotation", 3, turn);
    sni_fbx_property(fbx, &model->node, "GeometricScaling", 3, size);
    snTrs trs = {sn_vec3((float)move[0], (float)move[1], (float)move[2]), sn_quat_identity(),
                 sn_vec3((float)size[0], (float)size[1], (float)size[2])};
    static const snVec3 axes[3] = {{1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}, {0.0f, 0.0f, 1.0f}};
    for (int i = 0; i < 3; i++) {
        snQuat about = sn_quat_axis_angle(axes[i], (float)turn[i] * (SN_PI / 180.0f));
        trs.rotation = sn_quat_mul(about, trs.rotation);
    }
    return sn_mat4_from_trs(&trs);
}

bool sni_fbx_inverse_bind(const sniFbx* fbx, const char* mesh, const char* bone, snMat4* out) {
    const sniFbxObject *model, *geometry, *skin = skin_of(fbx, mesh, &model, &geometry);
    const sniFbxObject* joint = sni_fbx_model(fbx, bone);
    if (skin == NULL || joint == NULL) return false;
    const sniFbxLink* links;
    uint32_t count = sni_fbx_links(fbx, skin->id, &links);
    for (uint32_t i = 0; i < count; i++) {
        const sniFbxObject* cluster = sni_fbx_find(fbx, links[i].from);
        if (cluster == NULL || strcmp(cluster->kind, "Cluster") != 0 ||
            sni_fbx_linked(fbx, cluster->id, "Model", NULL, NULL) != joint)
            continue;
        uint32_t numbers;
        const double* values = sni_fbx_numbers(fbx, &cluster->node, "Transform", &numbers);
        if (values == NULL || numbers != 16) return false;
        snMat4 bind, hang = geometric(fbx, model);
        for (int k = 0; k < 16; k++) {
            bind.m[k] = (float)values[k];
            if (!sn_finite(bind.m[k])) return false;
        }
        *out = sn_mat4_mul(&bind, &hang);
        return true;
    }
    return false;
}

// ------------------------------------------------------------------------------------------------- shares

typedef struct sniFbxShare {
    snVec3 position;
    float share;
} sniFbxShare;

static int compare_positions(const void* a, const void* b) {
    const float *x = a, *y = b;
    for (int i = 0; i < 3; i++)
        if (x[i] != y[i]) return x[i] > y[i] ? 1 : -1;
    return 0;
}

sniFbxShares sni_fbx_shares(const sniFbx* fbx, const char* mesh) {
    sniFbxShares none = {0};
    const sniFbxObject *model, *geometry, *skin = skin_of(fbx, mesh, &model, &geometry);
    if (skin == NULL) return none;
    const char* type = sni_fbx_text(fbx, &skin->node, "SkinningType");
    bool blend = strcmp(type, "Blend") == 0;
    if (!blend && strcmp(type, "DualQuaternion") != 0) return none;
    uint32_t coordinates, indices = 0, weights = 0;
    const double* from = sni_fbx_numbers(fbx, &geometry->node, "Vertices", &coordinates);
    const double* index = blend ? sni_fbx_numbers(fbx, &skin->node, "Indexes", &indices) : NULL;
    const double* weight = blend ? sni_fbx_numbers(fbx, &skin->node, "BlendWeights", &weights) : NULL;
    uint32_t count = from != NULL ? coordinates / 3 : 0;
    sniFbxShare* points = count > 0 ? SNI_ARENA_ARRAY(fbx->arena, sniFbxShare, count) : NULL;
    if (points == NULL || (blend && (index == NULL || weight == NULL || indices != weights))) return none;
    for (uint32_t v = 0; v < count; v++) {
        const double* p = from + 3 * (size_t)v;
        // Adding 0 makes 0 of -0, which compare alike.
        points[v].position = sn_vec3((float)p[0] + 0.0f, (float)p[1] + 0.0f, (float)p[2] + 0.0f);
        points[v].share = blend ? 0.0f : 1.0f;
        if (!sn_vec3_finite(points[v].position)) return none;
    }
    float most = blend ? 0.0f : 1.0f;
    for (uint32_t i = 0; i < indices; i++) {
        if (!(index[i] >= 0.0 && index[i] < (double)count) || !(weight[i] >= 0.0 && weight[i] <= 1.0))
            continue;
        points[(uint32_t)index[i]].share = (float)weight[i];
        most = sn_maxf(most, (float)weight[i]);
    }
    qsort(points, count, sizeof *points, compare_positions);
    return most > 0.0f ? (sniFbxShares){count, points} : none;
}

float sni_fbx_share(const sniFbxShares* shares, snVec3 position) {
    sniFbxShare key = {.position = sn_vec3(position.x + 0.0f, position.y + 0.0f, position.z + 0.0f)};
    const sniFbxShare* found =
        bsearch(&key, shares->points, shares->count, sizeof *shares->points, compare_positions);
    return found != NULL ? found->share : 0.0f;
}
