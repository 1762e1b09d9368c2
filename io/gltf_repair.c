// Repairs in a document that passes through: weights that do not sum to one.
//
// Only float weights are touched, in place in the joined buffer, and only those of the vertices that the
// reader reported; everything else keeps its bytes.
#include "gltf_output.h"

// Where a float accessor's elements lie in the joined buffer; NULL when it cannot be repaired in place.
static uint8_t* find_values(sniOutput* out, const sniGltf* gltf, const size_t* starts,
                            const sniAccessor* accessor) {
    if (accessor->component != SNI_FLOAT || accessor->data == NULL || accessor->sparse_count > 0) return NULL;
    for (uint32_t b = 0; b < gltf->buffer_count; b++) {
        uintptr_t begin = (uintptr_t)gltf->buffers[b].data, at = (uintptr_t)accessor->data;
        if (at >= begin && at - begin < gltf->buffers[b].size)
            return out->bin.data + starts[b] + (at - begin);
    }
    return NULL;
}

typedef struct WeightSets {
    uint32_t count;
    uint8_t** values; // one per set
    size_t* strides;
} WeightSets;

static float sum_vertex(const WeightSets* sets, uint32_t vertex) {
    float sum = 0.0f;
    for (uint32_t s = 0; s < sets->count; s++) {
        float w[4];
        memcpy(w, sets->values[s] + vertex * sets->strides[s], sizeof w);
        for (int i = 0; i < 4; i++) sum += w[i];
    }
    return sum;
}

// The model's weights are the normalised ones, in the same order.
static void repair_vertices(const WeightSets* sets, const sniPrimitive* primitive, const snWeights* weights) {
    for (uint32_t v = 0; v < primitive->vertex_count; v++) {
        if (fabsf(sum_vertex(sets, v) - 1.0f) <= 1e-3f) continue;
        const float* right = weights->weights + (size_t)(primitive->vertex_begin + v) * weights->influences;
        for (uint32_t s = 0; s < sets->count; s++) {
            memcpy(sets->values[s] + v * sets->strides[s], right + (size_t)s * 4, 4 * sizeof(float));
        }
    }
}

static bool open_sets(sniOutput* out, const sniGltf* gltf, const size_t* starts,
                      const sniPrimitive* primitive, WeightSets* sets) {
    sniJson attributes = sni_json_get(&primitive->json, "attributes");
    for (uint32_t s = 0; s < sets->count; s++) {
        char key[24];
        snprintf(key, sizeof key, "WEIGHTS_%u", s);
        uint32_t index = SN_NONE;
        sniAccessor accessor;
        if (sni_gltf_index(gltf, &attributes, key, sni_gltf_count(gltf, "accessors"), &index) !=
                SN_RESULT_OK ||
            index == SN_NONE || sni_gltf_accessor(gltf, index, &accessor) != SN_RESULT_OK) {
            return false;
        }
        sets->values[s] = find_values(out, gltf, starts, &accessor);
        sets->strides[s] = accessor.stride;
        // Bounds would no longer be true.
        sniJson minimum = sni_json_get(&accessor.json, "min");
        if (sets->values[s] == NULL || minimum.value != NULL) return false;
    }
    return true;
}

static snResult repair_part(sniOutput* out, const sniGltf* gltf, const size_t* starts, const snPart* part,
                            snError* error) {
    sniJson node = sni_gltf_object(gltf, "nodes", part->joint);
    sniJson mesh = sni_json_get(&node, "mesh");
    int64_t index = 0;
    sniLayout layout;
    if (!sni_json_whole(&mesh, &index)) return SN_RESULT_OK;
    if (sni_gltf_layout(gltf, (uint32_t)index, &layout) != SN_RESULT_OK) return sni_fail_memory(error);
    WeightSets sets = {layout.influence_sets, SNI_NEW_ARRAY(&out->allocator, uint8_t*, layout.influence_sets),
                       SNI_NEW_ARRAY(&out->allocator, size_t, layout.influence_sets)};
    bool ready = sets.values != NULL && sets.strides != NULL;
    for (uint32_t i = 0; i < layout.count && ready; i++) {
        const sniPrimitive* primitive = &layout.primitives[i];
        if (!primitive->own_vertices || !open_sets(out, gltf, starts, primitive, &sets)) continue;
        repair_vertices(&sets, primitive, &part->weights);
    }
    sni_free(&out->allocator, sets.values);
    sni_free(&out->allocator, sets.strides);
    sni_layout_free(gltf, &layout);
    return ready ? SN_RESULT_OK : sni_fail_memory(error);
}

snResult sni_repair_weights(sniOutput* out, const sniGltf* gltf, const size_t* starts, const snModel* model,
                            snError* error) {
    for (uint32_t p = 0; p < model->part_count; p++) {
        if (model->parts[p].skin == SN_NONE) continue;
        SNI_TRY(repair_part(out, gltf, starts, &model->parts[p], error));
    }
    return SN_RESULT_OK;
}
