// Offsets of morph targets as glTF keeps them small: positions in 16 bits and normals in 8 where they are on
// such a grid, and without the vertices that do not move.
#include "gltf_output.h"

#define QUANTIZED "KHR_mesh_quantization"

typedef struct Offsets {
    sniOutput* out;
    uint32_t count;
    uint32_t moving; // vertices with an offset
    size_t element;  // bytes of one, tightly packed
    uint32_t component;
    const uint8_t* values;
    sniJsonValue* accessor;
} Offsets;

// Vertices begin at multiples of four.
static size_t stride_of(const Offsets* o) { return (o->element + 3) / 4 * 4; }

static void write_dense(const Offsets* o) {
    size_t stride = stride_of(o);
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

// `numbers`: what a reader finds, before whole ones become shares of 1.
static uint32_t write(Offsets* o, const float* numbers, bool bounds) {
    size_t index = o->count <= UINT16_MAX ? 2 : 4, dense = o->count * stride_of(o);
    for (uint32_t v = 0; v < o->count; v++) o->moving += !is_zero(o, v);
    o->accessor = sni_json_object();
    // A list of nothing is not allowed, and one of nearly all is longer. Packed zeros are nothing.
    if (o->moving > 0 && o->moving * (index + o->element) + 64 < dense && !o->out->packs)
        write_sparse(o, index);
    else if (o->moving > 0)
        write_dense(o);
    sni_output_set(o->out, o->accessor, "componentType", sni_json_uint(o->component));
    if (o->component != SNI_FLOAT) sni_output_set(o->out, o->accessor, "normalized", sni_json_bool(true));
    sni_output_set(o->out, o->accessor, "count", sni_json_uint(o->count));
    sni_output_set(o->out, o->accessor, "type", sni_json_string("VEC3"));
    if (bounds) set_bounds(o, numbers);
    return sni_output_push(o->out, "accessors", o->accessor);
}

// Whole numbers up to `steps`, as they go into the file: two bytes each, or one of normals.
static void to_whole(float* numbers, uint32_t count, bool positions, uint8_t* out) {
    float steps = positions ? 32767.0f : 127.0f;
    for (size_t i = 0; i < 3 * (size_t)count; i++) {
        numbers[i] = sn_clampf(floorf(numbers[i] * steps + 0.5f), -steps, steps);
        uint16_t whole = (uint16_t)(int16_t)numbers[i];
        *out++ = (uint8_t)(whole & 0xff);
        if (positions) *out++ = (uint8_t)(whole >> 8);
    }
}

uint32_t sni_output_offsets(sniOutput* out, const snVec3* values, uint32_t count, snMorphGrid grid,
                            bool positions) {
    bool whole = positions ? grid.positions : grid.normals;
    size_t floats = 3 * (size_t)count, element = whole ? (positions ? 6 : 3) : 12;
    float* numbers = SNI_NEW_ARRAY(&out->allocator, float, floats);
    uint8_t* wholes = SNI_NEW_ARRAY(&out->allocator, uint8_t, whole ? count * element : 0);
    uint32_t accessor = 0;
    if (numbers != NULL && (wholes != NULL || !whole)) {
        for (size_t i = 0; i < floats; i++) numbers[i] = (&values->x)[i] / grid.step;
        if (whole) to_whole(numbers, count, positions, wholes);
        if (whole) sni_output_require(out, QUANTIZED);
        Offsets o = {.out = out,
                     .count = count,
                     .element = element,
                     .component = !whole      ? SNI_FLOAT
                                  : positions ? SNI_SHORT
                                              : SNI_BYTE,
                     .values = whole ? wholes : (const uint8_t*)numbers};
        accessor = write(&o, numbers, positions);
    } else {
        out->failed = true;
    }
    sni_free(&out->allocator, wholes);
    sni_free(&out->allocator, numbers);
    return accessor;
}
