// Repairs in a document that passes through: weights that are negative or do not sum to one. Of weights that
// new ones replace, those that are no numbers become 0: their bytes stay in the file.
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

// One WEIGHTS_n of a primitive.
typedef struct WeightSet {
    uint8_t* values;
    size_t stride;
    sniJsonValue* accessor; // in the output
} WeightSet;

typedef struct WeightSets {
    uint32_t count;
    WeightSet* sets;
    float* vertex; // all weights of one vertex
} WeightSets;

static void load_vertex(const WeightSets* w, uint32_t vertex) {
    for (uint32_t s = 0; s < w->count; s++) {
        memcpy(w->vertex + (size_t)s * 4, w->sets[s].values + vertex * w->sets[s].stride, 4 * sizeof(float));
    }
}

// The model's weights are the normalised ones, in the order of the file.
static void store_vertex(const WeightSets* w, uint32_t vertex, const float* right) {
    for (uint32_t s = 0; s < w->count; s++) {
        memcpy(w->sets[s].values + vertex * w->sets[s].stride, right + (size_t)s * 4, 4 * sizeof(float));
        // Stated bounds would no longer be true, and nobody needs them here.
        sni_json_remove(w->sets[s].accessor, "min");
        sni_json_remove(w->sets[s].accessor, "max");
    }
}

static void repair_vertices(const WeightSets* w, const sniPrimitive* primitive, const snWeights* weights) {
    for (uint32_t v = 0; v < primitive->vertex_count; v++) {
        load_vertex(w, v);
        if (sni_weights_fault(w->vertex, w->count * 4) == 0) continue;
        store_vertex(w, v, weights->weights + (size_t)(primitive->vertex_begin + v) * weights->influences);
    }
}

static void clear_vertices(const WeightSets* w, const sniPrimitive* primitive) {
    for (uint32_t v = 0; v < primitive->vertex_count; v++) {
        load_vertex(w, v);
        bool right = true;
        for (uint32_t i = 0; i < w->count * 4; i++) {
            right = right && sn_finite(w->vertex[i]);
            if (!sn_finite(w->vertex[i])) w->vertex[i] = 0.0f;
        }
        if (!right) store_vertex(w, v, w->vertex);
    }
}

static bool open_sets(sniOutput* out, const sniGltf* gltf, const size_t* starts,
                      const sniPrimitive* primitive, const WeightSets* w) {
    sniJson attributes = sni_json_get(&primitive->json, "attributes");
    sniJsonValue* accessors = sni_json_find(out->json, "accessors");
    for (uint32_t s = 0; s < w->count; s++) {
        char key[24];
        snprintf(key, sizeof key, "WEIGHTS_%u", s);
        uint32_t index = SN_NONE;
        sniAccessor accessor;
        if (sni_gltf_index(gltf, &attributes, key, sni_gltf_count(gltf, "accessors"), &index) !=
                SN_RESULT_OK ||
            index == SN_NONE || sni_gltf_accessor(gltf, index, &accessor) != SN_RESULT_OK) {
            return false;
        }
        w->sets[s] = (WeightSet){find_values(out, gltf, starts, &accessor), accessor.stride,
                                 sni_json_element(accessors, index)};
        if (w->sets[s].values == NULL) return false;
    }
    return true;
}

static snResult repair_part(sniOutput* out, const sniGltf* gltf, const size_t* starts, const snPart* part,
                            bool replaced, snError* error) {
    sniJson node = sni_gltf_object(gltf, "nodes", part->joint);
    sniJson mesh = sni_json_get(&node, "mesh");
    int64_t index = 0;
    sniLayout layout;
    if (!sni_json_whole(&mesh, &index)) return SN_RESULT_OK;
    if (sni_gltf_layout(gltf, (uint32_t)index, &layout) != SN_RESULT_OK) return sni_fail_memory(error);
    WeightSets w = {layout.influence_sets, SNI_NEW_ARRAY(&out->allocator, WeightSet, layout.influence_sets),
                    SNI_NEW_ARRAY(&out->allocator, float, (size_t)layout.influence_sets * 4)};
    bool ready = w.sets != NULL && w.vertex != NULL;
    for (uint32_t i = 0; i < layout.count && ready; i++) {
        const sniPrimitive* primitive = &layout.primitives[i];
        if (!primitive->own_vertices || !open_sets(out, gltf, starts, primitive, &w)) continue;
        if (replaced)
            clear_vertices(&w, primitive);
        else
            repair_vertices(&w, primitive, &part->weights);
    }
    sni_free(&out->allocator, w.sets);
    sni_free(&out->allocator, w.vertex);
    sni_layout_free(gltf, &layout);
    return ready ? SN_RESULT_OK : sni_fail_memory(error);
}

snResult sni_repair_weights(sniOutput* out, const sniGltf* gltf, const size_t* starts, const snModel* model,
                            snError* error) {
    for (uint32_t p = 0; p < model->part_count; p++) {
        if (model->parts[p].skin == SN_NONE || model->parts[p].origins != NULL) continue;
        SNI_TRY(repair_part(out, gltf, starts, &model->parts[p], model->reskinned, error));
    }
    return SN_RESULT_OK;
}
