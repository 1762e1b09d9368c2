// Typed views of a buffer: every layout the specification allows, checked once, then read without surprises.
#include "gltf.h"

static uint32_t component_size(uint32_t component) {
    switch (component) {
    case SNI_BYTE:
    case SNI_UNSIGNED_BYTE:
        return 1;
    case SNI_SHORT:
    case SNI_UNSIGNED_SHORT:
        return 2;
    case SNI_UNSIGNED_INT:
    case SNI_FLOAT:
        return 4;
    default:
        return 0;
    }
}

static uint32_t type_width(const char* type) {
    static const struct {
        const char* name;
        uint32_t width;
    } types[] = {{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4}, {"MAT4", 16}};
    for (size_t i = 0; type != NULL && i < sizeof types / sizeof types[0]; i++) {
        if (strcmp(type, types[i].name) == 0) return types[i].width;
    }
    return 0;
}

snResult sni_gltf_view(const sniGltf* gltf, uint32_t index, const uint8_t** data, size_t* size,
                       size_t* stride) {
    sniJson view = sni_gltf_object(gltf, "bufferViews", index);
    uint32_t buffer = 0;
    uint64_t offset = 0, length = 0, step = 0;
    SNI_TRY(sni_gltf_index(gltf, &view, "buffer", gltf->buffer_count, &buffer));
    SNI_TRY(sni_gltf_whole(gltf, &view, "byteOffset", 0, SIZE_MAX / 2, 0, &offset));
    SNI_TRY(sni_gltf_whole(gltf, &view, "byteLength", 1, SIZE_MAX / 2, 0, &length));
    SNI_TRY(sni_gltf_whole(gltf, &view, "byteStride", 1, 252, 0, &step));
    if (buffer == SN_NONE) return sni_gltf_fail(gltf, SN_RESULT_BAD_DATA, &view, "names no buffer");
    if (length == 0) return sni_gltf_fail(gltf, SN_RESULT_BAD_DATA, &view, "has no byteLength");
    size_t available = gltf->buffers[buffer].size;
    if (offset > available || length > available - offset) {
        return sni_gltf_fail(gltf, SN_RESULT_BAD_DATA, &view,
                             "ends at byte %" PRIu64 " of a buffer of %zu bytes", offset + length, available);
    }
    *data = gltf->buffers[buffer].data + offset;
    *size = (size_t)length;
    if (stride != NULL) *stride = (size_t)step;
    return SN_RESULT_OK;
}

// Bytes of `object`'s bufferView from its byteOffset on, `count` elements of `element` bytes at least.
static snResult open_range(const sniGltf* gltf, const sniJson* object, uint32_t view, uint64_t count,
                           size_t element, const uint8_t** data, size_t* stride) {
    size_t size = 0, step = 0;
    uint64_t offset = 0;
    SNI_TRY(sni_gltf_view(gltf, view, data, &size, &step));
    SNI_TRY(sni_gltf_whole(gltf, object, "byteOffset", 0, SIZE_MAX / 2, 0, &offset));
    if (stride == NULL || step == 0) step = element;
    if (step < element) {
        return sni_gltf_fail(gltf, SN_RESULT_BAD_DATA, object, "has elements of %zu bytes in a stride of %zu",
                             element, step);
    }
    if (offset > size || element > size - offset || count - 1 > (size - offset - element) / step) {
        return sni_gltf_fail(gltf, SN_RESULT_BAD_DATA, object,
                             "asks for %" PRIu64 " elements, more than its bufferView of %zu bytes holds",
                             count, size);
    }
    *data += offset;
    if (stride != NULL) *stride = step;
    return SN_RESULT_OK;
}

static snResult open_sparse(const sniGltf* gltf, sniAccessor* out) {
    sniJson sparse = sni_json_get(&out->json, "sparse");
    if (sparse.value == NULL) return SN_RESULT_OK;
    sniJson indices = sni_json_get(&sparse, "indices");
    sniJson values = sni_json_get(&sparse, "values");
    uint64_t count = 0, component = 0;
    uint32_t index_view = 0, value_view = 0;
    SNI_TRY(sni_gltf_whole(gltf, &sparse, "count", 1, out->count, 0, &count));
    SNI_TRY(sni_gltf_whole(gltf, &indices, "componentType", 0, UINT32_MAX, 0, &component));
    SNI_TRY(sni_gltf_index(gltf, &indices, "bufferView", sni_gltf_count(gltf, "bufferViews"), &index_view));
    SNI_TRY(sni_gltf_index(gltf, &values, "bufferView", sni_gltf_count(gltf, "bufferViews"), &value_view));
    bool typed =
        component == SNI_UNSIGNED_BYTE || component == SNI_UNSIGNED_SHORT || component == SNI_UNSIGNED_INT;
    if (count == 0 || !typed || index_view == SN_NONE || value_view == SN_NONE) {
        return sni_gltf_fail(gltf, SN_RESULT_BAD_DATA, &sparse, "lacks count, indices or values");
    }
    size_t element = (size_t)component_size(out->component) * out->width;
    out->sparse_count = (uint32_t)count;
    out->sparse_component = (uint32_t)component;
    SNI_TRY(open_range(gltf, &indices, index_view, count, component_size((uint32_t)component),
                       &out->sparse_indices, NULL));
    return open_range(gltf, &values, value_view, count, element, &out->sparse_values, NULL);
}

snResult sni_gltf_accessor(const sniGltf* gltf, uint32_t index, sniAccessor* out) {
    memset(out, 0, sizeof *out);
    out->json = sni_gltf_object(gltf, "accessors", index);
    sniJson type = sni_json_get(&out->json, "type");
    sniJson component_json = sni_json_get(&out->json, "componentType");
    sniJson normalized = sni_json_get(&out->json, "normalized");
    uint64_t component = 0, count = 0;
    uint32_t view = 0;
    SNI_TRY(sni_gltf_whole(gltf, &out->json, "componentType", 0, UINT32_MAX, 0, &component));
    SNI_TRY(sni_gltf_whole(gltf, &out->json, "count", 1, SN_NONE - 1, 0, &count));
    SNI_TRY(sni_gltf_index(gltf, &out->json, "bufferView", sni_gltf_count(gltf, "bufferViews"), &view));
    out->component = (uint32_t)component;
    out->width = type_width(sni_json_text(&type));
    out->count = (uint32_t)count;
    out->normalized = sni_json_is_true(&normalized);
    if (component_size(out->component) == 0) {
        return sni_gltf_fail(gltf, SN_RESULT_BAD_DATA, &component_json,
                             "is not one of 5120, 5121, 5122, 5123, 5125, 5126");
    }
    if (out->width == 0) {
        return sni_gltf_fail(gltf, SN_RESULT_BAD_DATA, &type, "is not SCALAR, VEC2, VEC3, VEC4 or MAT4");
    }
    if (count == 0) return sni_gltf_fail(gltf, SN_RESULT_BAD_DATA, &out->json, "has no count");
    if (view != SN_NONE) {
        size_t element = (size_t)component_size(out->component) * out->width;
        SNI_TRY(open_range(gltf, &out->json, view, count, element, &out->data, &out->stride));
    }
    return open_sparse(gltf, out);
}

snResult sni_gltf_typed(const sniGltf* gltf, uint32_t index, uint32_t width, uint32_t count,
                        sniAccessor* out) {
    SNI_TRY(sni_gltf_accessor(gltf, index, out));
    if (out->width != width) {
        return sni_gltf_fail(gltf, SN_RESULT_BAD_DATA, &out->json,
                             "has %u components an element, expected %u", out->width, width);
    }
    if (count != SN_NONE && out->count != count) {
        return sni_gltf_fail(gltf, SN_RESULT_BAD_DATA, &out->json, "has %u elements, expected %u", out->count,
                             count);
    }
    return SN_RESULT_OK;
}

// ------------------------------------------------------------------------------------------------ values
// Bytes are copied one value at a time: files in the wild are not always aligned.

static float load_float(const uint8_t* p, uint32_t component, bool normalized) {
    int8_t i8;
    int16_t i16;
    uint16_t u16;
    uint32_t u32;
    float value;
    switch (component) {
    case SNI_BYTE:
        memcpy(&i8, p, 1);
        return normalized ? sn_maxf((float)i8 / 127.0f, -1.0f) : (float)i8;
    case SNI_UNSIGNED_BYTE:
        return normalized ? (float)*p / 255.0f : (float)*p;
    case SNI_SHORT:
        memcpy(&i16, p, 2);
        return normalized ? sn_maxf((float)i16 / 32767.0f, -1.0f) : (float)i16;
    case SNI_UNSIGNED_SHORT:
        memcpy(&u16, p, 2);
        return normalized ? (float)u16 / 65535.0f : (float)u16;
    case SNI_UNSIGNED_INT:
        memcpy(&u32, p, 4);
        return (float)u32;
    default:
        memcpy(&value, p, 4);
        return value;
    }
}

static uint32_t load_uint(const uint8_t* p, uint32_t component) {
    uint16_t u16;
    uint32_t u32;
    switch (component) {
    case SNI_UNSIGNED_BYTE:
        return *p;
    case SNI_UNSIGNED_SHORT:
        memcpy(&u16, p, 2);
        return u16;
    default:
        memcpy(&u32, p, 4);
        return u32;
    }
}

static void store_floats(const sniAccessor* accessor, const uint8_t* from, uint32_t index, float* out) {
    uint32_t size = component_size(accessor->component);
    for (uint32_t c = 0; c < accessor->width; c++) {
        out[(size_t)index * accessor->width + c] =
            load_float(from + (size_t)c * size, accessor->component, accessor->normalized);
    }
}

static snResult sparse_index(const sniGltf* gltf, const sniAccessor* accessor, uint32_t i, uint32_t* out) {
    uint32_t size = component_size(accessor->sparse_component);
    *out = load_uint(accessor->sparse_indices + (size_t)i * size, accessor->sparse_component);
    if (*out < accessor->count) return SN_RESULT_OK;
    return sni_gltf_fail(gltf, SN_RESULT_BAD_DATA, &accessor->json,
                         "has the sparse index %u, expected below %u", *out, accessor->count);
}

snResult sni_accessor_raw_floats(const sniGltf* gltf, const sniAccessor* accessor, float* out) {
    size_t element = (size_t)component_size(accessor->component) * accessor->width;
    if (accessor->data == NULL) memset(out, 0, (size_t)accessor->count * accessor->width * sizeof *out);
    for (uint32_t i = 0; i < accessor->count && accessor->data != NULL; i++) {
        store_floats(accessor, accessor->data + (size_t)i * accessor->stride, i, out);
    }
    for (uint32_t i = 0; i < accessor->sparse_count; i++) {
        uint32_t index = 0;
        SNI_TRY(sparse_index(gltf, accessor, i, &index));
        store_floats(accessor, accessor->sparse_values + (size_t)i * element, index, out);
    }
    return SN_RESULT_OK;
}

snResult sni_accessor_floats(const sniGltf* gltf, const sniAccessor* accessor, float* out) {
    SNI_TRY(sni_accessor_raw_floats(gltf, accessor, out));
    for (size_t i = 0; i < (size_t)accessor->count * accessor->width; i++) {
        if (sn_finite(out[i])) continue;
        uint32_t element = (uint32_t)(i / accessor->width);
        sni_gltf_fail(gltf, SN_RESULT_BAD_DATA, &accessor->json,
                      "holds a number that is not finite in element %u", element);
        return sni_gltf_at_vertex(gltf, SN_RESULT_BAD_DATA, element);
    }
    return SN_RESULT_OK;
}

static void store_uints(const sniAccessor* accessor, const uint8_t* from, uint32_t index, uint32_t* out) {
    uint32_t size = component_size(accessor->component);
    for (uint32_t c = 0; c < accessor->width; c++) {
        out[(size_t)index * accessor->width + c] = load_uint(from + (size_t)c * size, accessor->component);
    }
}

snResult sni_accessor_uints(const sniGltf* gltf, const sniAccessor* accessor, uint32_t* out) {
    uint32_t component = accessor->component;
    if (component == SNI_FLOAT || component == SNI_BYTE || component == SNI_SHORT) {
        return sni_gltf_fail(gltf, SN_RESULT_BAD_DATA, &accessor->json,
                             "does not hold unsigned whole numbers");
    }
    size_t element = (size_t)component_size(component) * accessor->width;
    if (accessor->data == NULL) memset(out, 0, (size_t)accessor->count * accessor->width * sizeof *out);
    for (uint32_t i = 0; i < accessor->count && accessor->data != NULL; i++) {
        store_uints(accessor, accessor->data + (size_t)i * accessor->stride, i, out);
    }
    for (uint32_t i = 0; i < accessor->sparse_count; i++) {
        uint32_t index = 0;
        SNI_TRY(sparse_index(gltf, accessor, i, &index));
        store_uints(accessor, accessor->sparse_values + (size_t)i * element, index, out);
    }
    return SN_RESULT_OK;
}
