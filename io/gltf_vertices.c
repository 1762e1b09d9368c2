// Skin weights and morph targets of a glTF mesh.
#include "gltf.h"

// ---------------------------------------------------------------------------------------------- weights

uint32_t sni_weights_fault(const float* weights, uint32_t count) {
    uint32_t fault = 0;
    float sum = 0.0f;
    for (uint32_t i = 0; i < count; i++) {
        if (weights[i] < 0.0f)
            fault |= SNI_WEIGHTS_NEGATIVE;
        else
            sum += weights[i];
    }
    return fabsf(sum - 1.0f) <= 1e-3f ? fault : fault | SNI_WEIGHTS_SUM;
}

typedef struct WeightSet {
    uint32_t* joints; // 4 a vertex
    float* weights;   // 4 a vertex
} WeightSet;

// Weights that are no numbers say nothing of the vertex: an error, or nothing at all where new ones follow.
static snResult check_numbers(const sniGltf* gltf, const sniLayout* layout, const sniJson* accessor,
                              const char* key, uint32_t vertices, float* weights, uint32_t* lost) {
    for (uint32_t v = 0; v < vertices; v++) {
        float* w = weights + (size_t)v * 4;
        if (sn_finite(w[0]) && sn_finite(w[1]) && sn_finite(w[2]) && sn_finite(w[3])) continue;
        if (!gltf->new_weights) {
            sni_gltf_fail(gltf, SN_RESULT_BAD_DATA, accessor,
                          "holds a number that is not finite in element %u: %s of the mesh \"%.60s\", which "
                          "must be bound again",
                          v, key, sni_gltf_name(&layout->mesh));
            return sni_gltf_at_vertex(gltf, SN_RESULT_BAD_DATA, v);
        }
        for (int i = 0; i < 4; i++) w[i] = 0.0f;
        (*lost)++;
    }
    return SN_RESULT_OK;
}

static snResult copy_set(const sniGltf* gltf, const sniPrimitive* primitive, const snSkin* skin, uint32_t set,
                         const WeightSet* from, snWeights* to) {
    for (uint32_t v = 0; v < primitive->vertex_count; v++) {
        uint32_t vertex = primitive->vertex_begin + v;
        size_t target = (size_t)vertex * to->influences + set * 4;
        for (uint32_t i = 0; i < 4; i++) {
            uint32_t joint = from->joints[(size_t)v * 4 + i];
            float weight = from->weights[(size_t)v * 4 + i];
            if (joint >= skin->joint_count && weight != 0.0f) {
                sni_gltf_fail(gltf, SN_RESULT_BAD_DATA, &primitive->json,
                              "has vertex %u follow joint %u of a skin that has %u", vertex, joint,
                              skin->joint_count);
                return sni_gltf_at_vertex(gltf, SN_RESULT_BAD_DATA, vertex);
            }
            to->joints[target + i] = (uint16_t)(joint < skin->joint_count ? joint : 0);
            to->weights[target + i] = weight;
        }
    }
    return SN_RESULT_OK;
}

static snResult read_set(const sniGltf* gltf, const sniLayout* layout, const sniPrimitive* primitive,
                         const snSkin* skin, uint32_t set, snWeights* to, uint32_t* lost) {
    char joints_key[24], weights_key[24];
    snprintf(joints_key, sizeof joints_key, "JOINTS_%u", set);
    snprintf(weights_key, sizeof weights_key, "WEIGHTS_%u", set);
    sniJson attributes = sni_json_get(&primitive->json, "attributes");
    uint32_t joints = 0, weights = 0;
    SNI_TRY(sni_gltf_index(gltf, &attributes, joints_key, sni_gltf_count(gltf, "accessors"), &joints));
    SNI_TRY(sni_gltf_index(gltf, &attributes, weights_key, sni_gltf_count(gltf, "accessors"), &weights));
    if (joints == SN_NONE) return SN_RESULT_OK;
    if (weights == SN_NONE) {
        return sni_gltf_fail(gltf, SN_RESULT_BAD_DATA, &attributes, "has %s without %s", joints_key,
                             weights_key);
    }
    sniAccessor joint_accessor, weight_accessor;
    SNI_TRY(sni_gltf_typed(gltf, joints, 4, primitive->vertex_count, &joint_accessor));
    SNI_TRY(sni_gltf_typed(gltf, weights, 4, primitive->vertex_count, &weight_accessor));
    size_t count = (size_t)primitive->vertex_count * 4;
    WeightSet values = {SNI_NEW_ARRAY(&gltf->allocator, uint32_t, count),
                        SNI_NEW_ARRAY(&gltf->allocator, float, count)};
    snResult result = SN_RESULT_OUT_OF_MEMORY;
    if (values.joints != NULL && values.weights != NULL) {
        result = sni_accessor_uints(gltf, &joint_accessor, values.joints);
        if (result == SN_RESULT_OK) result = sni_accessor_raw_floats(gltf, &weight_accessor, values.weights);
        if (result == SN_RESULT_OK)
            result = check_numbers(gltf, layout, &weight_accessor.json, weights_key, primitive->vertex_count,
                                   values.weights, lost);
        if (result == SN_RESULT_OK) result = copy_set(gltf, primitive, skin, set, &values, to);
    } else {
        sni_fail_memory(gltf->error);
    }
    sni_free(&gltf->allocator, values.joints);
    sni_free(&gltf->allocator, values.weights);
    return result;
}

snResult sni_gltf_read_weights(const sniGltf* gltf, const sniLayout* layout, const snSkin* skin, snPart* part,
                               uint32_t* out_lost) {
    snWeights* weights = &part->weights;
    size_t count = 0;
    if (!sni_mul_size(layout->vertex_count, (size_t)layout->influence_sets * 4, &count)) {
        return sni_fail_memory(gltf->error);
    }
    weights->joints = SNI_NEW_ARRAY(&gltf->allocator, uint16_t, count);
    weights->weights = SNI_NEW_ARRAY(&gltf->allocator, float, count);
    if (weights->joints == NULL || weights->weights == NULL) return sni_fail_memory(gltf->error);
    weights->vertex_count = layout->vertex_count;
    weights->influences = layout->influence_sets * 4;
    for (uint32_t i = 0; i < layout->count; i++) {
        if (!layout->primitives[i].own_vertices) continue;
        for (uint32_t set = 0; set < layout->influence_sets; set++) {
            SNI_TRY(read_set(gltf, layout, &layout->primitives[i], skin, set, weights, out_lost));
        }
    }
    return SN_RESULT_OK;
}

// ------------------------------------------------------------------------------------------------ morphs

// One attribute of one target over all primitives; stays NULL when no primitive has it.
static snResult read_offsets(const sniGltf* gltf, const sniLayout* layout, uint32_t target, const char* key,
                             snVec3** out) {
    for (uint32_t i = 0; i < layout->count; i++) {
        const sniPrimitive* primitive = &layout->primitives[i];
        if (!primitive->own_vertices) continue;
        sniJson targets = sni_json_get(&primitive->json, "targets");
        sniJson object = sni_json_item(&targets, target);
        uint32_t index = 0;
        sniAccessor accessor;
        SNI_TRY(sni_gltf_index(gltf, &object, key, sni_gltf_count(gltf, "accessors"), &index));
        if (index == SN_NONE) continue;
        SNI_TRY(sni_gltf_typed(gltf, index, 3, primitive->vertex_count, &accessor));
        if (*out == NULL) *out = SNI_NEW_ARRAY(&gltf->allocator, snVec3, layout->vertex_count);
        if (*out == NULL) return sni_fail_memory(gltf->error);
        SNI_TRY(sni_accessor_floats(gltf, &accessor, &(*out)[primitive->vertex_begin].x));
    }
    return SN_RESULT_OK;
}

static snResult read_default_weights(const sniGltf* gltf, const sniLayout* layout, const sniJson* node,
                                     snPart* part) {
    bool found = false;
    SNI_TRY(sni_gltf_floats(gltf, node, "weights", part->morph_count, part->morph_weights, &found));
    if (found) return SN_RESULT_OK;
    return sni_gltf_floats(gltf, &layout->mesh, "weights", part->morph_count, part->morph_weights, NULL);
}

snResult sni_gltf_read_morphs(const sniGltf* gltf, const sniLayout* layout, const sniJson* node,
                              snPart* part) {
    if (layout->target_count == 0) return SN_RESULT_OK;
    part->morphs = SNI_NEW_ARRAY(&gltf->allocator, snMorph, layout->target_count);
    part->morph_weights = SNI_NEW_ARRAY(&gltf->allocator, float, layout->target_count);
    if (part->morphs == NULL || part->morph_weights == NULL) return sni_fail_memory(gltf->error);
    sniJson extras = sni_json_get(&layout->mesh, "extras");
    sniJson names = sni_json_get(&extras, "targetNames");
    for (uint32_t t = 0; t < layout->target_count; t++) {
        snMorph* morph = &part->morphs[part->morph_count++];
        sniJson name = sni_json_item(&names, t);
        const char* text = sni_json_text(&name);
        morph->name = sni_copy_text(&gltf->allocator, text);
        if (morph->name == NULL) return sni_fail_memory(gltf->error);
        SNI_TRY(read_offsets(gltf, layout, t, "POSITION", &morph->positions));
        SNI_TRY(read_offsets(gltf, layout, t, "NORMAL", &morph->normals));
    }
    return read_default_weights(gltf, layout, node, part);
}
