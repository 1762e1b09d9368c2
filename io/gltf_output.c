// Putting a glTF document together: JSON lists, buffer views, accessors, and the two containers.
#define _POSIX_C_SOURCE 200809L

#include "gltf_output.h"

#include <dirent.h>
#include <inttypes.h>
#include <unistd.h>

#include "file.h"

sniOutput sni_output(const snAllocator* allocator) {
    sniOutput out = {.allocator = *allocator, .bin = sni_bytes(allocator)};
    return out;
}

void sni_output_free(sniOutput* out) {
    sni_json_free(out->json);
    sni_bytes_free(&out->bin);
}

void sni_output_set(sniOutput* out, sniJsonValue* object, const char* key, sniJsonValue* value) {
    if (!sni_json_set(object, key, value)) out->failed = true;
}

void sni_output_add(sniOutput* out, sniJsonValue* array, sniJsonValue* value) {
    if (!sni_json_add(array, value)) out->failed = true;
}

uint32_t sni_output_push(sniOutput* out, const char* list, sniJsonValue* value) {
    sniJsonValue* array = sni_json_list(out->json, list);
    uint32_t index = (uint32_t)sni_json_count(array);
    sni_output_add(out, array, value);
    return index;
}

sniJsonValue* sni_output_object(sniOutput* out, sniJsonValue* parent, const char* key) {
    if (sni_json_find(parent, key) == NULL) sni_output_set(out, parent, key, sni_json_object());
    return sni_json_find(parent, key);
}

static void list_once(sniOutput* out, const char* key, const char* text) {
    sniJsonValue* list = sni_json_list(out->json, key);
    for (size_t i = 0; i < sni_json_count(list); i++) {
        sniJson item = {sni_json_element(list, i), ""};
        const char* listed = sni_json_text(&item);
        if (listed != NULL && strcmp(listed, text) == 0) return;
    }
    sni_output_add(out, list, sni_json_string(text));
}

void sni_output_use(sniOutput* out, const char* extension) { list_once(out, "extensionsUsed", extension); }

void sni_output_require(sniOutput* out, const char* extension) {
    sni_output_use(out, extension);
    list_once(out, "extensionsRequired", extension);
}

uint32_t sni_output_view(sniOutput* out, const void* data, size_t size, size_t stride, uint32_t target) {
    sni_bytes_align(&out->bin, 0);
    sniJsonValue* view = sni_json_object();
    sni_output_set(out, view, "buffer", sni_json_uint(0));
    sni_output_set(out, view, "byteOffset", sni_json_uint(out->bin.size));
    sni_output_set(out, view, "byteLength", sni_json_uint(size));
    if (stride > 0) sni_output_set(out, view, "byteStride", sni_json_uint(stride));
    if (target != SNI_TARGET_NONE) sni_output_set(out, view, "target", sni_json_uint(target));
    if (data != NULL)
        sni_bytes_add(&out->bin, data, size);
    else
        sni_bytes_extend(&out->bin, size);
    return sni_output_push(out, "bufferViews", view);
}

static size_t column_size(const sniColumn* column) {
    bool narrow = column->component == SNI_UNSIGNED_BYTE;
    bool half = column->component == SNI_UNSIGNED_SHORT || column->component == SNI_SHORT;
    size_t component = narrow ? 1 : half ? 2 : 4;
    return component * column->width;
}

static void set_bounds(sniOutput* out, const sniColumn* column, sniJsonValue* accessor) {
    float low[16], high[16];
    const float* values = column->data;
    memcpy(low, values, column->width * sizeof(float));
    memcpy(high, values, column->width * sizeof(float));
    for (size_t i = 0; i < column->count; i++) {
        for (uint32_t c = 0; c < column->width; c++) {
            low[c] = sn_minf(values[i * column->width + c], low[c]);
            high[c] = sn_maxf(values[i * column->width + c], high[c]);
        }
    }
    sni_output_set(out, accessor, "min", sni_json_floats(low, column->width));
    sni_output_set(out, accessor, "max", sni_json_floats(high, column->width));
}

static void fill_accessor(sniOutput* out, const sniColumn* column, uint32_t view, size_t offset,
                          sniJsonValue* accessor) {
    static const char* const types[17] = {NULL, "SCALAR", "VEC2", "VEC3", "VEC4", NULL, NULL, NULL,  NULL,
                                          NULL, NULL,     NULL,   NULL,   NULL,   NULL, NULL, "MAT4"};
    sni_output_set(out, accessor, "bufferView", sni_json_uint(view));
    if (offset > 0) sni_output_set(out, accessor, "byteOffset", sni_json_uint(offset));
    sni_output_set(out, accessor, "componentType", sni_json_uint(column->component));
    sni_output_set(out, accessor, "count", sni_json_uint(column->count));
    sni_output_set(out, accessor, "type", sni_json_string(types[column->width]));
    if (column->bounds && column->count > 0) set_bounds(out, column, accessor);
}

uint32_t sni_output_accessor_in(sniOutput* out, const sniColumn* column, uint32_t view, size_t offset) {
    sniJsonValue* accessor = sni_json_object();
    fill_accessor(out, column, view, offset, accessor);
    return sni_output_push(out, "accessors", accessor);
}

// In the place of one that is not needed any more.
static uint32_t reuse_place(sniOutput* out, const sniColumn* column, size_t size, const sniFreePlace* place) {
    static const char* const old[] = {"byteOffset", "normalized", "min", "max", "name", "extras"};
    sniJsonValue* accessor = sni_json_element(sni_json_find(out->json, "accessors"), place->accessor);
    sniJsonValue* view = sni_json_element(sni_json_find(out->json, "bufferViews"), place->view);
    for (size_t i = 0; i < sizeof old / sizeof old[0]; i++) sni_json_remove(accessor, old[i]);
    sni_json_remove(view, "byteStride");
    sni_json_remove(view, "target");
    sni_output_set(out, view, "byteLength", sni_json_uint(size));
    if (column->target != SNI_TARGET_NONE) sni_output_set(out, view, "target", sni_json_uint(column->target));
    memcpy(out->bin.data + place->begin, column->data, size);
    fill_accessor(out, column, place->view, 0, accessor);
    return place->accessor;
}

uint32_t sni_output_accessor(sniOutput* out, const sniColumn* column) {
    size_t size = column_size(column) * column->count;
    sniFreePlace place;
    if (!out->bin.failed && sni_output_take_place(out, size, &place))
        return reuse_place(out, column, size, &place);
    return sni_output_accessor_in(out, column, sni_output_view(out, column->data, size, 0, column->target),
                                  0);
}

// ---------------------------------------------------------------------------------------------- writing

// Buffer 0 keeps its name and extras where the document had one.
static void set_buffer(sniOutput* out, const char* uri) {
    if (out->bin.size == 0) {
        sni_json_remove(out->json, "buffers");
        return;
    }
    sniJsonValue* list = sni_json_list(out->json, "buffers");
    if (sni_json_count(list) == 0) sni_output_add(out, list, sni_json_object());
    while (sni_json_count(list) > 1) sni_json_remove_item(list, sni_json_count(list) - 1);
    sniJsonValue* buffer = sni_json_element(list, 0);
    sni_output_set(out, buffer, "byteLength", sni_json_uint(out->bin.size));
    if (uri != NULL)
        sni_output_set(out, buffer, "uri", sni_json_string(uri));
    else
        sni_json_remove(buffer, "uri");
    if (out->fallback == 0) return;
    sniJsonValue *fallback = sni_json_object(), *packed = sni_json_object();
    sni_output_set(out, packed, "fallback", sni_json_bool(true));
    sni_output_set(out, fallback, "byteLength", sni_json_uint(out->fallback));
    sni_output_set(out, sni_output_object(out, fallback, "extensions"), "EXT_meshopt_compression", packed);
    sni_output_add(out, list, fallback);
}

static void put_u32(uint8_t* to, size_t value) {
    for (int i = 0; i < 4; i++) to[i] = (uint8_t)(value >> (8 * i));
}

static snResult write_glb(sniOutput* out, sniBytes* file, snError* error) {
    set_buffer(out, NULL);
    uint8_t header[20] = "glTF";
    sni_bytes_add(file, header, sizeof header);
    sni_json_print(out->json, false, file);
    sni_bytes_align(file, ' ');
    size_t json_size = file->size - sizeof header;
    size_t total = file->size;
    if (out->bin.size > 0) {
        uint8_t chunk[8] = {0, 0, 0, 0, 'B', 'I', 'N', 0};
        size_t padded = (out->bin.size + 3) / 4 * 4;
        put_u32(chunk, padded);
        sni_bytes_add(file, chunk, sizeof chunk);
        sni_bytes_add(file, out->bin.data, out->bin.size);
        sni_bytes_align(file, 0);
        total += sizeof chunk + padded;
    }
    if (out->failed || out->bin.failed || file->failed) return sni_fail_memory(error);
    if (total > UINT32_MAX) {
        return sni_fail(error, SN_RESULT_UNSUPPORTED, "GLB files end at 4 GiB; write .gltf instead");
    }
    put_u32(file->data + 4, 2);
    put_u32(file->data + 8, total);
    put_u32(file->data + 12, json_size);
    memcpy(file->data + 16, "JSON", 4);
    return SN_RESULT_OK;
}

// Percent-encodes everything that is not plain in a URI.
static void encode_uri(const char* name, char* out, size_t capacity) {
    static const char hex[] = "0123456789ABCDEF";
    size_t to = 0;
    for (; *name != '\0' && to + 4 < capacity; name++) {
        unsigned char c = (unsigned char)*name;
        bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                     strchr("-_.~", c) != NULL;
        if (plain) {
            out[to++] = (char)c;
            continue;
        }
        out[to++] = '%';
        out[to++] = hex[c >> 4];
        out[to++] = hex[c & 15];
    }
    out[to] = '\0';
}

bool sni_gltf_bin_path(const char* path, const sniBytes* bin, char out[SNI_PATH_MAX]) {
    int stem = (int)(sni_path_extension(path) - path);
    int length = snprintf(out, SNI_PATH_MAX, "%.*s-%016" PRIx64 ".bin", stem, path,
                          sn_hash_bytes(SN_HASH_SEED, bin->data, bin->size));
    return length >= 0 && length < SNI_PATH_MAX;
}

static snResult write_gltf(sniOutput* out, const char* path, sniBytes* text, sniBytes* bin, snError* error) {
    char bin_path[SNI_PATH_MAX], uri[1024];
    if (out->bin.failed) return sni_fail_memory(error);
    if (!sni_gltf_bin_path(path, &out->bin, bin_path))
        return sni_fail(error, SN_RESULT_IO, "the path is too long");
    encode_uri(bin_path + sni_path_folder(bin_path), uri, sizeof uri);
    set_buffer(out, uri);
    sni_json_print(out->json, true, text);
    sni_bytes_text(text, "\n");
    if (out->failed || text->failed) return sni_fail_memory(error);
    *bin = out->bin;
    out->bin = sni_bytes(&out->allocator);
    return SN_RESULT_OK;
}

snResult sni_output_print(sniOutput* out, const char* path, bool binary, sniBytes* file, sniBytes* bin,
                          snError* error) {
    return binary ? write_glb(out, file, error) : write_gltf(out, path, file, bin, error);
}

// ------------------------------------------------------------------------------------------ old buffers

// Whether a name is the stem, a hash and ".bin".
static bool is_buffer(const char* name, const char* stem, size_t length) {
    if (strncmp(name, stem, length) != 0 || name[length] != '-') return false;
    const char* hash = name + length + 1;
    return strspn(hash, "0123456789abcdef") == 16 && strcmp(hash + 16, ".bin") == 0;
}

void sni_gltf_sweep(const char* path, const sniBytes* bin) {
    char kept[SNI_PATH_MAX], old[SNI_PATH_MAX];
    size_t folder = sni_path_folder(path), stem = (size_t)(sni_path_extension(path) - path) - folder;
    if (bin->size > 0 && !sni_gltf_bin_path(path, bin, kept)) return;
    if (bin->size == 0) kept[0] = '\0';
    snprintf(old, sizeof old, "%.*s", (int)folder, path);
    DIR* list = opendir(folder > 0 ? old : ".");
    if (list == NULL) return;
    for (const struct dirent* entry = readdir(list); entry != NULL; entry = readdir(list)) {
        if (!is_buffer(entry->d_name, path + folder, stem) || !sni_path_beside(path, entry->d_name, old))
            continue;
        if (strcmp(old, kept) != 0) unlink(old);
    }
    closedir(list);
}
