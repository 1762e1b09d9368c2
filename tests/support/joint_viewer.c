#include "joint_viewer.h"

#include <stdlib.h>
#include <string.h>

snMat4* test_joint_world(const snModel* model, const snJointBake* bake, uint32_t c, double frame) {
    uint32_t joints = model->skeleton->joint_count;
    const snHelperClip* clip = &bake->clips[c];
    snMat4* world = calloc(joints + bake->helper_count, sizeof *world);
    snTrs* locals = malloc(joints * sizeof *locals);
    memcpy(locals, model->skeleton->rest, joints * sizeof *locals);
    if (clip->clip != SN_CLIP_REST)
        sn_clip_sample(model->clips[clip->clip], (float)frame / clip->fps, SN_WRAP_CLAMP, joints, locals);
    sn_skeleton_world(model->skeleton, locals, world);
    uint32_t first = 0;
    float time = (float)(frame / (double)clip->fps), t = 0.0f;
    while (first + 1 < clip->key_count && clip->times[first + 1] <= time) first++;
    uint32_t next = first + 1 < clip->key_count ? first + 1 : first;
    if (next > first) t = (time - clip->times[first]) / (clip->times[next] - clip->times[first]);
    for (uint32_t h = 0; h < bake->helper_count; h++) {
        size_t at = (size_t)h * clip->key_count;
        snTrs trs = {sn_lerp(clip->translations[at + first], clip->translations[at + next], t),
                     sn_quat_slerp(clip->rotations[at + first], clip->rotations[at + next], t),
                     {1.0f, 1.0f, 1.0f}};
        snMat4 local = sn_mat4_from_trs(&trs);
        world[joints + h] = sn_mat4_mul(&world[bake->helpers[h].parent], &local);
    }
    free(locals);
    return world;
}

snVec3 test_joint_point(const snModel* model, const snJointBake* bake, const snMat4* world, uint32_t p,
                        uint32_t v) {
    const snPart* part = &model->parts[p];
    const snJointPart* baked = &bake->parts[p];
    const snWeights* weights = baked->weights.influences > 0 ? &baked->weights : &part->weights;
    snVec3 rest = part->mesh->positions[v];
    if (baked->skin == SN_NONE) return sn_mat4_point(&world[part->joint], rest);
    const snSkin* skin = &bake->skins[baked->skin];
    double sum[3] = {0.0};
    for (uint32_t k = 0; k < weights->influences; k++) {
        size_t at = (size_t)v * weights->influences + k;
        uint32_t j = weights->joints[at];
        snMat4 m = sn_mat4_mul(&world[skin->joints[j]], &skin->inverse_binds[j]);
        snVec3 x = sn_mat4_point(&m, rest);
        sum[0] += (double)weights->weights[at] * (double)x.x;
        sum[1] += (double)weights->weights[at] * (double)x.y;
        sum[2] += (double)weights->weights[at] * (double)x.z;
    }
    return sn_vec3((float)sum[0], (float)sum[1], (float)sum[2]);
}
