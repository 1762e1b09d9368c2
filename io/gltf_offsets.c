// Offsets of morph targets as glTF keeps them small: in 16 bits where they are on such a grid, and without
// the vertices that do not move.
#include "gltf_output.h"

#define QUANTIZED "KHR_mesh_quantization"

typedef struct Offsets {
    sniOutput* out;
    uint32_t count;
    uint32_t moving; // vertices with an offset
    size_t element;  // bytes of one, tightly packed
    const uint8_t* values;
    sniJsonValue* accessor;
} Offsets;

static void write_dense(const Offsets* o, bool shorts) {
    size_t stride = shorts ? 8 : 12; // vertices begin at multiples of four
    uint32_t view = sni_output_view(o->out, NULL, o->count * stride, stride, SNI_TARGET_VERTICES);
    if (o->out->bin.failed) return;
    uint8_t* to = o->out->bin.data + o->out->bin.size - o->count * stride;
    for (uint32_t v = 0; v < o->count; v++) memcpy(to + v * stride, o->values + v * o->element, o->element);
    sni_output_set(o->out, o->accessor, "bufferView", sni_json_uint(view));
}

static bool is_zero(const Offsets* o, uint32_t v) {
    static const uint8_t zeros[12] = {0};
    return memcmp(o->values + v * o->element, zeros, o->element) == 0;
}

// Zeros, and the vertices that move over them.
static void write_sparse(const Offsets* o, size_t index) {
    uint32_t indices = sni_output_view(o->out, NULL, o->moving * index, 0, SNI_TARGET_NONE);
    size_t index_start = o->out->bin.size - o->moving * index;
    uint32_t values = sni_output_view(o->out, NULL, o->moving * o->element, 0, SNI_TARGET_NONE);
    if (o->out->bin.failed) return;
    uint8_t* index_to = o->out->bin.data + index_start;
    uint8_t* to = o->out->bin.data + o->out->bin.size - o->moving * o->element;
    for (uint32_t v = 0; v < o->count; v++) {
        if (is_zero(o, v)) continue;
        for (size_t i = 0; i < index; i++) *index_to++ = (uint8_t)(v >> (8 * i));
        memcpy(to, o->values + v * o->element, o->element);
        to += o->element;
    }
    sniJsonValue *sparse = sni_json_object(), *list = sni_json_object(), *moved = sni_json_object();
    sni_output_set(o->out, list, "bufferView", sni_json_uint(indices));
    sni_output_set(o->out, list, "componentType",
                   sni_json_uint(index == 2 ? SNI_UNSIGNED_SHORT : SNI_UNSIGNED_INT));
    sni_output_set(o->out, moved, "bufferView", sni_json_uint(values));
    sni_output_set(o->out, sparse, "count", sni_json_uint(o->moving));
    sni_output_set(o->out, sparse, "indices", list);
    sni_output_set(o->out, sparse, "values", moved);
    sni_output_set(o->out, o->accessor, "sparse", sparse);
}

static void set_bounds(const Offsets* o, const float* numbers) {
    float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (size_t i = 0; i < 3 * (size_t)o->count; i++) {
        low[i % 3] = sn_minf(numbers[i], low[i % 3]);
        high[i % 3] = sn_maxf(numbers[i], high[i % 3]);
    }
    sni_output_set(o->out, o->accessor, "min", sni_json_floats(low, 3));
    sni_output_set(o->out, o->accessor, "max", sni_json_floats(high, 3));
}

// `numbers`: what a reader finds, before shorts become shares of 1.
static uint32_t write(Offsets* o, const float* numbers, bool shorts, bool bounds) {
    size_t index = o->count <= UINT16_MAX ? 2 : 4, dense = o->count * (size_t)(shorts ? 8 : 12);
    for (uint32_t v = 0; v < o->count; v++) o->moving += !is_zero(o, v);
    o->accessor = sni_json_object();
    // A list of nothing is not allowed, and one of nearly all is longer. Packed zeros are nothing.
    if (o->moving > 0 && o->moving * (index + o->element) + 64 < dense && !o->out->packs)
        write_sparse(o, index);
    else if (o->moving > 0)
        write_dense(o, shorts);
    sni_output_set(o->out, o->accessor, "componentType", sni_json_uint(shorts ? SNI_SHORT : SNI_FLOAT));
    if (shorts) sni_output_set(o->out, o->accessor, "normalized", sni_json_bool(true));
    sni_output_set(o->out, o->accessor, "count", sni_json_uint(o->count));
    sni_output_set(o->out, o->accessor, "type", sni_json_string("VEC3"));
    if (bounds) set_bounds(o, numbers);
    return sni_output_push(o->out, "accessors", o->accessor);
}

uint32_t sni_output_offsets(sniOutput* out, const snVec3* values, uint32_t count, float step, bool bounds) {
    Offsets o = {.out = out, .count = count, .element = 12, .values = (const uint8_t*)values};
    if (!(step > 0.0f)) return write(&o, &values->x, false, bounds);
    int16_t* shorts = SNI_NEW_ARRAY(&out->allocator, int16_t, 3 * (size_t)count);
    float* numbers = SNI_NEW_ARRAY(&out->allocator, float, 3 * (size_t)count);
    uint32_t accessor = 0;
    if (shorts != NULL && numbers != NULL) {
        for (size_t i = 0; i < 3 * (size_t)count; i++) {
            numbers[i] = sn_clampf(floorf((&values->x)[i] / step * 32767.0f + 0.5f), -32767.0f, 32767.0f);
            shorts[i] = (int16_t)numbers[i];
        }
        sni_output_require(out, QUANTIZED);
        o.element = 6;
        o.values = (const uint8_t*)shorts;
        accessor = write(&o, numbers, true, bounds);
    } else {
        out->failed = true;
    }
    sni_free(&out->allocator, shorts);
    sni_free(&out->allocator, numbers);
    return accessor;
}
