// Skins and weights of a model as glTF, for fresh documents and for those that pass through.
#include "gltf_build.h"

// ---------------------------------------------------------------------------------------------- weights

// Joints of one vertex that carry weight, each once, and weights that sum to one within two float steps.
static uint32_t gather_influences(const snWeights* weights, uint32_t vertex, uint16_t* joints,
                                  float* values) {
    size_t begin = (size_t)vertex * weights->influences;
    uint32_t count = 0;
    for (uint32_t i = 0; i < weights->influences; i++) {
        float value = weights->weights[begin + i];
        if (!(value > 0.0f)) continue;
        uint32_t at = 0;
        while (at < count && joints[at] != weights->joints[begin + i]) at++;
        if (at == count) {
            joints[count] = weights->joints[begin + i];
            values[count++] = 0.0f;
        }
        values[at] += value;
    }
    uint32_t largest = 0;
    for (uint32_t i = 1; i < count; i++) largest = values[i] > values[largest] ? i : largest;
    // The largest weight takes up what rounding left; it converges in one or two steps.
    for (int step = 0; step < 4 && count > 0; step++) {
        float sum = 0.0f;
        for (uint32_t i = 0; i < count; i++) sum += values[i];
        if (fabsf(sum - 1.0f) <= 1.2e-7f) break; // as sn_weights_normalize leaves them
        values[largest] += 1.0f - sum;
    }
    return count;
}

typedef struct Influences {
    uint32_t sets;    // of four
    uint16_t* joints; // influences of one vertex, rounded up to whole sets
    float* values;
    bool shortened; // weights go out in 16 bits
} Influences;

// Whether 16 bits hold the weights as they are.
static bool are_short(const snWeights* weights) {
    size_t count = (size_t)weights->vertex_count * weights->influences;
    for (size_t i = 0; i < count; i++) {
        float steps = (float)(int32_t)(weights->weights[i] * 65535.0f + 0.5f);
        if (weights->weights[i] != steps / 65535.0f) return false;
    }
    return true;
}

// The floats become 16-bit shares of one, in the same memory.
static void shorten(float* values, size_t count) {
    uint8_t* to = (uint8_t*)values;
    for (size_t i = 0; i < count; i++) {
        uint16_t steps = (uint16_t)(values[i] * 65535.0f + 0.5f);
        memcpy(to + 2 * i, &steps, sizeof steps);
    }
}

static void add_set(sniOutput* out, const snWeights* weights, const sniVertexBlock* block,
                    const Influences* scratch, uint32_t set, bool narrow, uint8_t* joints, float* values,
                    sniJsonValue* attributes) {
    size_t room = (size_t)scratch->sets * 4;
    for (uint32_t v = 0; v < block->count; v++) {
        memset(scratch->joints, 0, room * sizeof(uint16_t));
        memset(scratch->values, 0, room * sizeof(float));
        uint32_t vertex = block->origins != NULL ? block->origins[v] : block->begin + v;
        gather_influences(weights, vertex, scratch->joints, scratch->values);
        for (size_t i = 0; i < 4; i++) {
            uint16_t joint = scratch->joints[set * 4 + i];
            values[(size_t)v * 4 + i] = scratch->values[set * 4 + i];
            if (narrow)
                joints[(size_t)v * 4 + i] = (uint8_t)joint;
            else
                memcpy(joints + ((size_t)v * 4 + i) * 2, &joint, 2);
        }
    }
    char key[24];
    sniColumn column = {
        joints, block->count, 4, narrow ? SNI_UNSIGNED_BYTE : SNI_UNSIGNED_SHORT, SNI_TARGET_VERTICES, false};
    snprintf(key, sizeof key, "JOINTS_%u", set);
    sni_output_set(out, attributes, key, sni_json_uint(sni_output_accessor(out, &column)));
    column.data = values;
    column.component = scratch->shortened ? SNI_UNSIGNED_SHORT : SNI_FLOAT;
    if (scratch->shortened) shorten(values, (size_t)block->count * 4);
    snprintf(key, sizeof key, "WEIGHTS_%u", set);
    uint32_t accessor = sni_output_accessor(out, &column);
    sni_output_set(out, attributes, key, sni_json_uint(accessor));
    sniJsonValue* object = sni_json_element(sni_json_find(out->json, "accessors"), accessor);
    if (scratch->shortened) sni_output_set(out, object, "normalized", sni_json_bool(true));
}

// How many sets of four the fullest vertex needs.
static uint32_t count_sets(const snWeights* weights) {
    uint32_t most = 1;
    for (uint32_t v = 0; v < weights->vertex_count; v++) {
        uint32_t used = 0;
        for (uint32_t i = 0; i < weights->influences; i++) {
            used += weights->weights[(size_t)v * weights->influences + i] > 0.0f;
        }
        if (used > most) most = used;
    }
    return (most + 3) / 4;
}

bool sni_build_weights(sniOutput* out, const snWeights* weights, uint32_t joint_count,
                       const sniVertexBlock* block, sniJsonValue* attributes) {
    const snAllocator* memory = &out->allocator;
    bool narrow = joint_count <= 256;
    uint32_t sets = count_sets(weights);
    Influences scratch = {sets, SNI_NEW_ARRAY(memory, uint16_t, (size_t)sets * 4),
                          SNI_NEW_ARRAY(memory, float, (size_t)sets * 4),
                          out->short_weights && are_short(weights)};
    uint8_t* joints = SNI_NEW_ARRAY(memory, uint8_t, (size_t)block->count * (narrow ? 4 : 8));
    float* values = SNI_NEW_ARRAY(memory, float, (size_t)block->count * 4);
    bool done = scratch.joints != NULL && scratch.values != NULL && joints != NULL && values != NULL;
    for (uint32_t set = 0; set < sets && done; set++) {
        add_set(out, weights, block, &scratch, set, narrow, joints, values, attributes);
    }
    void* arrays[] = {scratch.joints, scratch.values, joints, values};
    for (int i = 0; i < 4; i++) sni_free(memory, arrays[i]);
    return done;
}

void sni_remove_weights(sniJsonValue* attributes) {
    for (uint32_t set = 0;; set++) {
        char joints[24], weights[24];
        snprintf(joints, sizeof joints, "JOINTS_%u", set);
        snprintf(weights, sizeof weights, "WEIGHTS_%u", set);
        if (sni_json_find(attributes, joints) == NULL && sni_json_find(attributes, weights) == NULL) return;
        sni_json_remove(attributes, joints);
        sni_json_remove(attributes, weights);
    }
}

// ------------------------------------------------------------------------------------------------ skins

snResult sni_build_skins(sniOutput* out, const snModel* model, float scale, snError* error) {
    for (uint32_t s = 0; s < model->skin_count; s++) {
        const snSkin* from = &model->skins[s];
        snMat4* binds =
            sni_copy_array(&out->allocator, from->inverse_binds, from->joint_count, sizeof(snMat4));
        if (binds == NULL) return sni_fail_memory(error);
        sniJsonValue* skin = sni_json_object();
        sniJsonValue* joints = sni_json_array();
        for (uint32_t j = 0; j < from->joint_count; j++) {
            sni_output_add(out, joints, sni_json_uint(from->joints[j]));
            for (int i = 12; i < 15; i++) binds[j].m[i] *= scale;
            // Validators ask for the exact last row.
            binds[j].m[3] = binds[j].m[7] = binds[j].m[11] = 0.0f;
            binds[j].m[15] = 1.0f;
        }
        sniColumn column = {binds, from->joint_count, 16, SNI_FLOAT, SNI_TARGET_NONE, false};
        if (from->name[0] != '\0') sni_output_set(out, skin, "name", sni_json_string(from->name));
        sni_output_set(out, skin, "inverseBindMatrices", sni_json_uint(sni_output_accessor(out, &column)));
        sni_output_set(out, skin, "joints", joints);
        sni_output_push(out, "skins", skin);
        sni_free(&out->allocator, binds);
    }
    return SN_RESULT_OK;
}

bool sni_skins_need_root(sniOutput* out, const snModel* model) {
    const snSkeleton* skeleton = model->skeleton;
    uint32_t* roots = SNI_NEW_ARRAY(&out->allocator, uint32_t, skeleton->joint_count);
    bool needed = false;
    if (roots == NULL) {
        out->failed = true;
        return false;
    }
    for (uint32_t k = 0; k < skeleton->joint_count; k++) {
        uint32_t j = skeleton->order[k], above = skeleton->parents[j];
        roots[j] = above == SN_NONE ? j : roots[above];
    }
    for (uint32_t s = 0; s < model->skin_count; s++) {
        const snSkin* skin = &model->skins[s];
        for (uint32_t j = 1; j < skin->joint_count && !needed; j++) {
            needed = roots[skin->joints[j]] != roots[skin->joints[0]];
        }
    }
    sni_free(&out->allocator, roots);
    return needed;
}

// A childless node with a skin, whose transform and place in the tree mean nothing.
static bool is_loose_mesh(const sniOutput* out, int64_t index) {
    const sniJsonValue* node = sni_json_element(sni_json_find(out->json, "nodes"), (size_t)index);
    return sni_json_find(node, "skin") != NULL && sni_json_find(node, "children") == NULL;
}

void sni_build_common_root(sniOutput* out, sniJsonValue* roots) {
    sniJsonValue* node = sni_json_object();
    sniJsonValue* children = sni_json_array();
    sni_output_set(out, node, "name", sni_json_string("root"));
    for (size_t i = 0; i < sni_json_count(roots);) {
        sniJson item = sni_json_root(sni_json_element(roots, i));
        int64_t index = 0;
        bool known = sni_json_whole(&item, &index) && index >= 0;
        if (known && is_loose_mesh(out, index)) {
            i++; // stays a root
            continue;
        }
        if (known) sni_output_add(out, children, sni_json_uint((uint64_t)index));
        sni_json_remove_item(roots, i);
    }
    sni_output_set(out, node, "children", children);
    sni_output_add(out, roots, sni_json_uint(sni_output_push(out, "nodes", node)));
}
