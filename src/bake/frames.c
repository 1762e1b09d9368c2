#include "bake/frames.h"

#include "base/error.h"
#include "base/memory.h"

snResult sni_bake_fetch(const snModel* model, snFramesFn* frames, void* user, uint32_t moment, uint32_t frame,
                        snSurface* out, snError* error) {
    memset(out, 0, model->part_count * sizeof *out);
    snResult result = frames(user, moment, out);
    if (result != SN_RESULT_OK)
        return error != NULL && error->code == result
                   ? result
                   : sni_fail(error, result, "frame %u could not be computed: %s", frame,
                              sn_result_name(result));
    for (uint32_t p = 0; p < model->part_count; p++) {
        uint32_t expected = model->parts[p].mesh->vertex_count;
        bool filled = out[p].positions != NULL && out[p].normals != NULL;
        if (out[p].vertex_count == expected && (filled || expected == 0)) continue;
        return sni_fail(error, SN_RESULT_BAD_DATA, "frame %u has %u vertices of part %u, expected %u", frame,
                        filled ? out[p].vertex_count : 0, p, expected);
    }
    return SN_RESULT_OK;
}

snResult sni_bake_check(const snModel* model, const snSurface* surfaces, uint32_t frame, snBounds* bounds,
                        snError* error) {
    for (uint32_t p = 0; p < model->part_count; p++) {
        for (uint32_t v = 0; v < surfaces[p].vertex_count; v++) {
            snVec3 x = surfaces[p].positions[v];
            if (!sn_vec3_finite(x) || !sn_vec3_finite(surfaces[p].normals[v]))
                return sni_fail_vertex(error, SN_RESULT_BAD_DATA, v,
                                       "vertex %u of part %u is not finite in frame %u", v, p, frame);
            *bounds = sn_bounds_add(*bounds, x);
        }
    }
    return SN_RESULT_OK;
}

uint64_t sni_bake_hash(const snModel* model, const snSurface* surfaces, uint64_t hash) {
    for (uint32_t p = 0; p < model->part_count; p++) {
        size_t count = 3 * (size_t)surfaces[p].vertex_count;
        if (count == 0) continue;
        hash = sn_hash_floats(hash, &surfaces[p].positions->x, count);
        hash = sn_hash_floats(hash, &surfaces[p].normals->x, count);
    }
    return hash;
}

snResult sni_bake_fail_hash(snError* error) {
    return sni_fail(error, SN_RESULT_BAD_DATA, "the frames differ from one request to the next");
}

void sni_bake_pose(const snModel* model, uint32_t clip, float time, snTrs* locals, snMat4* world) {
    const snSkeleton* skeleton = model->skeleton;
    memcpy(locals, skeleton->rest, skeleton->joint_count * sizeof *locals);
    if (clip != SN_CLIP_REST)
        sn_clip_sample(model->clips[clip], time, SN_WRAP_CLAMP, skeleton->joint_count, locals);
    sn_skeleton_world(skeleton, locals, world);
}

void sni_bake_skin(const snSkin* skin, const snMat4* world, snMat4* out) {
    for (uint32_t j = 0; j < skin->joint_count; j++)
        out[j] = sn_mat4_mul(&world[skin->joints[j]], &skin->inverse_binds[j]);
}

snMat4 sni_bake_matrix(const sniBakePose* pose, uint32_t vertex) {
    const snMat4* matrices = pose->matrices;
    if (pose->influences == 0) return matrices[0];
    snMat4 sum = {{0}};
    for (uint32_t i = 0; i < pose->influences; i++) {
        float weight = pose->weights[(size_t)vertex * pose->influences + i];
        if (weight == 0.0f) continue;
        const snMat4* m = &matrices[pose->joints[(size_t)vertex * pose->influences + i]];
        for (int k = 0; k < 16; k++) sum.m[k] += weight * m->m[k];
    }
    return sum;
}

float sni_bake_stretch(const snMat4* m) {
    float sum = 0.0f;
    for (int i = 0; i < 9; i++) sum += m->m[i / 3 * 4 + i % 3] * m->m[i / 3 * 4 + i % 3];
    return sqrtf(sum / 3.0f);
}

float sni_bake_size(const snBounds* bounds) {
    if (!(bounds->min.x <= bounds->max.x)) return 0.0f;
    snVec3 size = sn_sub(bounds->max, bounds->min);
    return sn_maxf(size.x, sn_maxf(size.y, size.z));
}

void sni_bake_shape(const snPart* part, const float* weights, snVec3* out) {
    uint32_t count = part->mesh->vertex_count;
    if (count > 0) memcpy(out, part->mesh->positions, count * sizeof *out);
    for (uint32_t m = 0; m < part->morph_count; m++) {
        const snVec3* offsets = part->morphs[m].positions;
        if (offsets == NULL || weights[m] == 0.0f) continue;
        for (uint32_t v = 0; v < count; v++) out[v] = sn_add(out[v], sn_scale(offsets[v], weights[m]));
    }
}

snResult sni_bake_shape_at(const snModel* model, const snPart* part, uint32_t clip, float time,
                           const snAllocator* memory, snVec3* out, snError* error) {
    if (part->morph_count == 0) return SN_RESULT_OK;
    float* weights = sni_copy_array(memory, part->morph_weights, part->morph_count, sizeof(float));
    if (weights == NULL) return sni_fail_memory(error);
    if (clip != SN_CLIP_REST)
        sn_clip_sample_morph(model->clips[clip], time, SN_WRAP_CLAMP, part->joint, part->morph_count,
                             weights);
    sni_bake_shape(part, weights, out);
    sni_free(memory, weights);
    return SN_RESULT_OK;
}
