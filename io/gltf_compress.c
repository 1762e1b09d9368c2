// EXT_meshopt_compression: buffer views packed when a document is written, and unpacked into their fallback
// buffer when one is read, so that nobody else knows of it. Nothing is lost: the bytes come back as they
// were.
#include "gltf_output.h"
#include "meshopt.h"

// ------------------------------------------------------------------------------------------------ reading

static snResult find_mode(const sniGltf* gltf, const sniJson* packed, sniMeshoptMode* out) {
    static const char* const names[] = {"ATTRIBUTES", "TRIANGLES", "INDICES"};
    sniJson mode = sni_json_get(packed, "mode");
    const char* text = sni_json_text(&mode);
    for (int i = 0; i < 3 && text != NULL; i++) {
        if (strcmp(text, names[i]) != 0) continue;
        *out = (sniMeshoptMode)i;
        return SN_RESULT_OK;
    }
    return sni_gltf_fail(gltf, SN_RESULT_BAD_DATA, packed, "has no mode ATTRIBUTES, TRIANGLES or INDICES");
}

static snResult find_filter(const sniGltf* gltf, const sniJson* packed, sniMeshoptFilter* out) {
    static const char* const names[] = {"NONE", "OCTAHEDRAL", "QUATERNION", "EXPONENTIAL"};
    sniJson filter = sni_json_get(packed, "filter");
    const char* text = sni_json_text(&filter);
    *out = SNI_MESHOPT_NONE;
    if (filter.value == NULL) return SN_RESULT_OK;
    for (int i = 0; i < 4 && text != NULL; i++) {
        if (strcmp(text, names[i]) != 0) continue;
        *out = (sniMeshoptFilter)i;
        return SN_RESULT_OK;
    }
    return sni_gltf_fail(gltf, SN_RESULT_BAD_DATA, &filter, "is not a known filter");
}

static snResult unpack_view(const sniGltf* gltf, const sniJson* view, const sniJson* packed) {
    uint32_t to = 0, from = 0;
    uint64_t to_offset = 0, length = 0, offset = 0, size = 0, stride = 0, count = 0;
    sniMeshoptMode mode = SNI_MESHOPT_ATTRIBUTES;
    sniMeshoptFilter filter = SNI_MESHOPT_NONE;
    SNI_TRY(sni_gltf_index(gltf, view, "buffer", gltf->buffer_count, &to));
    if (to == SN_NONE || !gltf->buffers[to].fallback) return SN_RESULT_OK; // the plain bytes are there
    SNI_TRY(sni_gltf_whole(gltf, view, "byteOffset", 0, SIZE_MAX / 2, 0, &to_offset));
    SNI_TRY(sni_gltf_whole(gltf, view, "byteLength", 1, SIZE_MAX / 2, 0, &length));
    SNI_TRY(sni_gltf_index(gltf, packed, "buffer", gltf->buffer_count, &from));
    SNI_TRY(sni_gltf_whole(gltf, packed, "byteOffset", 0, SIZE_MAX / 2, 0, &offset));
    SNI_TRY(sni_gltf_whole(gltf, packed, "byteLength", 1, SIZE_MAX / 2, 0, &size));
    SNI_TRY(sni_gltf_whole(gltf, packed, "byteStride", 1, 256, 0, &stride));
    SNI_TRY(sni_gltf_whole(gltf, packed, "count", 1, UINT32_MAX, 0, &count));
    SNI_TRY(find_mode(gltf, packed, &mode));
    SNI_TRY(find_filter(gltf, packed, &filter));
    if (from == SN_NONE || gltf->buffers[from].fallback || offset > gltf->buffers[from].size ||
        size > gltf->buffers[from].size - offset)
        return sni_gltf_fail(gltf, SN_RESULT_BAD_DATA, packed, "reaches beyond its buffer");
    if (stride == 0 || count * stride != length || to_offset > gltf->buffers[to].size ||
        length > gltf->buffers[to].size - to_offset)
        return sni_gltf_fail(gltf, SN_RESULT_BAD_DATA, packed,
                             "has %" PRIu64 " elements of %" PRIu64 " bytes for a bufferView of %" PRIu64,
                             count, stride, length);
    if (!sni_meshopt_decode(mode, filter, gltf->buffers[from].data + offset, (size_t)size, (size_t)count,
                            (size_t)stride, gltf->buffers[to].owned + to_offset))
        return sni_gltf_fail(gltf, SN_RESULT_BAD_DATA, packed, "is damaged");
    return SN_RESULT_OK;
}

bool sni_gltf_is_fallback(const sniJson* buffer) {
    sniJson extensions = sni_json_get(buffer, "extensions"), packed = sni_json_get(&extensions, SNI_MESHOPT);
    sniJson fallback = sni_json_get(&packed, "fallback");
    return sni_meshopt_available() && sni_json_is_true(&fallback);
}

snResult sni_gltf_unpack(const sniGltf* gltf) {
    bool any = false;
    for (uint32_t i = 0; i < gltf->buffer_count; i++) any = any || gltf->buffers[i].fallback;
    uint32_t count = any ? (uint32_t)sni_gltf_count(gltf, "bufferViews") : 0;
    for (uint32_t i = 0; i < count; i++) {
        sniJson view = sni_gltf_object(gltf, "bufferViews", i);
        sniJson extensions = sni_json_get(&view, "extensions"),
                packed = sni_json_get(&extensions, SNI_MESHOPT);
        if (packed.value != NULL) SNI_TRY(unpack_view(gltf, &view, &packed));
    }
    return SN_RESULT_OK;
}

static void forget_extension(sniJsonValue* object) {
    sniJsonValue* extensions = sni_json_find(object, "extensions");
    sni_json_remove(extensions, SNI_MESHOPT);
    if (extensions != NULL && sni_json_empty(extensions)) sni_json_remove(object, "extensions");
}

static void forget_name(sniJsonValue* root, const char* key) {
    sniJsonValue* list = sni_json_find(root, key);
    for (size_t i = sni_json_count(list); i-- > 0;) {
        sniJson item = {sni_json_element(list, i), ""};
        const char* text = sni_json_text(&item);
        if (text != NULL && strcmp(text, SNI_MESHOPT) == 0) sni_json_remove_item(list, i);
    }
    if (list != NULL && sni_json_count(list) == 0) sni_json_remove(root, key);
}

void sni_output_forget_packing(sniOutput* out) {
    static const char* const lists[] = {"bufferViews", "buffers"};
    for (int l = 0; l < 2; l++) {
        sniJsonValue* list = sni_json_find(out->json, lists[l]);
        for (size_t i = 0; i < sni_json_count(list); i++) forget_extension(sni_json_element(list, i));
    }
    forget_name(out->json, "extensionsUsed");
    forget_name(out->json, "extensionsRequired");
}

// ------------------------------------------------------------------------------------------------ writing

// What accessors say about a view: the bytes of their elements, all alike, or 0.
typedef struct Use {
    size_t element;
    bool mixed, indices;
} Use;

static uint64_t number_of(sniJsonValue* object, const char* key, uint64_t missing) {
    sniJson json = {sni_json_find(object, key), ""};
    int64_t value = 0;
    return json.value != NULL && sni_json_whole(&json, &value) && value >= 0 ? (uint64_t)value : missing;
}

static void note_use(Use* uses, size_t count, uint64_t view, size_t element, bool indices) {
    if (view >= count) return;
    Use* use = &uses[view];
    use->mixed = use->mixed || (use->element != 0 && use->element != element);
    use->element = element;
    use->indices = use->indices || indices;
}

static size_t component_bytes(uint64_t component) {
    return component == SNI_BYTE || component == SNI_UNSIGNED_BYTE     ? 1
           : component == SNI_SHORT || component == SNI_UNSIGNED_SHORT ? 2
                                                                       : 4;
}

static size_t element_bytes(sniJsonValue* accessor) {
    static const char* const types[] = {"SCALAR", "VEC2", "VEC3", "VEC4", "MAT4"};
    static const size_t widths[] = {1, 2, 3, 4, 16};
    sniJson type = {sni_json_find(accessor, "type"), ""};
    const char* text = sni_json_text(&type);
    for (size_t i = 0; i < 5 && text != NULL; i++)
        if (strcmp(text, types[i]) == 0)
            return widths[i] * component_bytes(number_of(accessor, "componentType", SNI_FLOAT));
    return 0;
}

static void gather_uses(const sniOutput* out, Use* uses, size_t count) {
    sniJsonValue* accessors = sni_json_find(out->json, "accessors");
    for (size_t i = 0; i < sni_json_count(accessors); i++) {
        sniJsonValue* accessor = sni_json_element(accessors, i);
        sniJsonValue *sparse = sni_json_find(accessor, "sparse"), *indices = sni_json_find(sparse, "indices");
        size_t element = element_bytes(accessor);
        note_use(uses, count, number_of(accessor, "bufferView", UINT64_MAX), element, false);
        note_use(uses, count, number_of(sni_json_find(sparse, "values"), "bufferView", UINT64_MAX), element,
                 false);
        note_use(uses, count, number_of(indices, "bufferView", UINT64_MAX),
                 component_bytes(number_of(indices, "componentType", 0)), true);
    }
}

// Appends a view to the new buffer, packed where that is wanted and less.
static void pack_view(sniOutput* out, sniJsonValue* view, const Use* use, sniBytes* to) {
    size_t offset = (size_t)number_of(view, "byteOffset", 0),
           length = (size_t)number_of(view, "byteLength", 0);
    size_t stride = (size_t)number_of(view, "byteStride", use->element);
    bool indices = use->indices || number_of(view, "target", 0) == SNI_TARGET_INDICES;
    sniMeshoptMode mode = indices ? SNI_MESHOPT_INDICES : SNI_MESHOPT_ATTRIBUTES;
    const uint8_t* data = out->bin.data + offset;
    sni_bytes_align(to, 0);
    size_t begin = to->size;
    bool regular = out->packs && !use->mixed && stride > 0 && length % stride == 0;
    if (!regular || !sni_meshopt_encode(mode, data, length / stride, stride, to)) {
        sni_bytes_add(to, data, length);
        sni_output_set(out, view, "byteOffset", sni_json_uint(begin));
        return;
    }
    sniJsonValue* packed = sni_json_object();
    sni_output_set(out, packed, "buffer", sni_json_uint(0));
    sni_output_set(out, packed, "byteOffset", sni_json_uint(begin));
    sni_output_set(out, packed, "byteLength", sni_json_uint(to->size - begin));
    sni_output_set(out, packed, "byteStride", sni_json_uint(stride));
    sni_output_set(out, packed, "count", sni_json_uint(length / stride));
    sni_output_set(out, packed, "mode", sni_json_string(indices ? "INDICES" : "ATTRIBUTES"));
    sni_output_set(out, sni_output_object(out, view, "extensions"), SNI_MESHOPT, packed);
    sni_output_set(out, view, "buffer", sni_json_uint(1));
    sni_output_set(out, view, "byteOffset", sni_json_uint(out->fallback));
    out->fallback += (length + 3) / 4 * 4;
}

snResult sni_output_pack(sniOutput* out, snError* error) {
    sniJsonValue* views = sni_json_find(out->json, "bufferViews");
    size_t count = sni_json_count(views);
    if (out->packs && !sni_meshopt_available())
        return sni_fail(error, SN_RESULT_UNSUPPORTED,
                        "this Sinew was built without meshoptimizer; " SNI_MESHOPT_PACKAGE
                        " and a new build bring it");
    if (out->failed || out->bin.failed) return sni_fail_memory(error);
    Use* uses = SNI_NEW_ARRAY(&out->allocator, Use, count);
    sniBytes packed = sni_bytes(&out->allocator);
    if (uses == NULL) return sni_fail_memory(error);
    gather_uses(out, uses, count);
    for (size_t i = 0; i < count; i++) pack_view(out, sni_json_element(views, i), &uses[i], &packed);
    sni_free(&out->allocator, uses);
    sni_bytes_free(&out->bin);
    out->bin = packed;
    if (out->fallback > 0) sni_output_require(out, SNI_MESHOPT);
    return packed.failed || out->failed ? sni_fail_memory(error) : SN_RESULT_OK;
}
