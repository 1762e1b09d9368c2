// What a glTF document keeps outside of itself: buffers and pictures, in "data:" URIs or in files beside it.
#include "base64.h"
#include "gltf.h"

#define RELATIVE_MAX 1024

static snResult decode_base64(const sniGltf* gltf, const sniJson* uri, const char* text, size_t length,
                              uint8_t** out, size_t* out_size) {
    uint8_t* data = SNI_NEW_ARRAY(&gltf->allocator, uint8_t, sni_base64_bound(length));
    if (data == NULL) return sni_fail_memory(gltf->error);
    size_t bad = 0;
    size_t size = sni_base64_decode(text, length, data, &bad);
    if (bad != SIZE_MAX) {
        sni_free(&gltf->allocator, data);
        return sni_gltf_fail(gltf, SN_RESULT_BAD_DATA, uri, "is not valid base64 at character %zu", bad);
    }
    *out = data;
    *out_size = size;
    return SN_RESULT_OK;
}

static int hex_value(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// Decodes %XX. False for a broken escape, a zero byte or a text that does not fit.
static bool decode_percent(const char* uri, char* out, size_t capacity) {
    size_t to = 0;
    for (; *uri != '\0'; uri++) {
        char c = *uri;
        if (c == '%') {
            int high = hex_value(uri[1]);
            int low = high >= 0 ? hex_value(uri[2]) : -1;
            if (low < 0 || (high | low) == 0) return false;
            c = (char)(high * 16 + low);
            uri += 2;
        }
        if (to + 1 >= capacity) return false;
        out[to++] = c;
    }
    out[to] = '\0';
    return to > 0;
}

static bool is_data(const char* uri) { return strncmp(uri, "data:", 5) == 0; }

// The file that a URI names, as seen from the document's folder, and inside of it.
static bool relative_name(const char* uri, char out[RELATIVE_MAX]) {
    return decode_percent(uri, out, RELATIVE_MAX) && sni_path_inside(out);
}

static snResult read_beside(const sniGltf* gltf, const sniBeside* beside, const sniJson* uri, uint8_t** out,
                            size_t* out_size) {
    char relative[RELATIVE_MAX], path[SNI_PATH_MAX];
    const char* text = sni_json_text(uri);
    if (!relative_name(text, relative)) {
        return sni_gltf_fail(gltf, SN_RESULT_BAD_DATA, uri,
                             "is \"%.60s\", expected a relative path inside the file's folder", text);
    }
    if (!gltf->external) {
        return sni_gltf_fail(gltf, SN_RESULT_IO, uri, "asks for the file \"%.60s\", which cannot be reached",
                             relative);
    }
    if (!sni_path_beside(gltf->name, relative, path)) {
        return sni_gltf_fail(gltf, SN_RESULT_IO, uri, "gives a path that is too long");
    }
    snError detail;
    snResult result = sni_beside_read(beside, path, SIZE_MAX, &gltf->allocator, out, out_size, &detail);
    if (result == SN_RESULT_OUT_OF_MEMORY) return sni_fail_memory(gltf->error);
    if (result == SN_RESULT_OK) return SN_RESULT_OK;
    // The document that promised the file is wrong, not the disk.
    if (result == SN_RESULT_IO) result = SN_RESULT_BAD_DATA;
    return sni_gltf_fail(gltf, result, uri, "names \"%.60s\": %.120s", relative, detail.text);
}

static snResult read_uri(const sniGltf* gltf, const sniBeside* beside, const sniJson* uri, uint8_t** out,
                         size_t* out_size) {
    const char* text = sni_json_text(uri);
    if (text == NULL) return sni_gltf_fail(gltf, SN_RESULT_BAD_DATA, uri, "is not a string");
    if (!is_data(text)) return read_beside(gltf, beside, uri, out, out_size);
    const char* comma = strchr(text, ',');
    if (comma == NULL || comma - text < 7 + 5 || memcmp(comma - 7, ";base64", 7) != 0) {
        return sni_gltf_fail(gltf, SN_RESULT_BAD_DATA, uri, "is a data URI without \";base64,\"");
    }
    size_t length = sni_json_text_length(uri) - (size_t)(comma + 1 - text);
    return decode_base64(gltf, uri, comma + 1, length, out, out_size);
}

snResult sni_gltf_uri(const sniGltf* gltf, const sniJson* uri, uint8_t** out, size_t* out_size) {
    sniBeside quiet = gltf->beside;
    quiet.opened = (snOpened){0};
    return read_uri(gltf, &quiet, uri, out, out_size);
}

// ---------------------------------------------------------------------------------------- told and kept

// A document may name thousands of files, and one of them thousands of times: names are remembered by hash.
snResult sni_gltf_listen(sniGltf* gltf) {
    if (!gltf->external || (gltf->beside.files == NULL && gltf->beside.opened.run == NULL)) {
        return SN_RESULT_OK;
    }
    size_t slots = 1;
    while (slots <= 2 * (sni_gltf_count(gltf, "buffers") + sni_gltf_count(gltf, "images"))) slots *= 2;
    gltf->seen = SNI_NEW_ARRAY(&gltf->allocator, uint64_t, slots);
    gltf->seen_mask = slots - 1;
    return gltf->seen != NULL ? SN_RESULT_OK : sni_fail_memory(gltf->error);
}

// Whether this file is named for the first time.
static bool is_new(const sniGltf* gltf, const char* name) {
    uint64_t hash = sn_hash_bytes(SN_HASH_SEED, name, strlen(name)) | 1; // 0: a free slot
    size_t slot = (size_t)(hash ^ hash >> 32) & gltf->seen_mask;
    for (; gltf->seen[slot] != 0; slot = (slot + 1) & gltf->seen_mask) {
        if (gltf->seen[slot] == hash) return false;
    }
    gltf->seen[slot] = hash;
    return true;
}

// The file that an item of a list names; false where it names none.
static bool item_name(const sniGltf* gltf, const char* list, uint32_t index, char out[RELATIVE_MAX]) {
    sniJson object = sni_gltf_object(gltf, list, index);
    sniJson uri = sni_json_get(&object, "uri");
    const char* text = sni_json_text(&uri);
    return text != NULL && !is_data(text) && relative_name(text, out);
}

snResult sni_gltf_buffer(const sniGltf* gltf, uint32_t index, uint8_t** out, size_t* out_size) {
    char name[RELATIVE_MAX];
    sniJson object = sni_gltf_object(gltf, "buffers", index);
    sniJson uri = sni_json_get(&object, "uri");
    bool told = gltf->seen != NULL && item_name(gltf, "buffers", index, name) && is_new(gltf, name);
    return told ? read_uri(gltf, &gltf->beside, &uri, out, out_size)
                : sni_gltf_uri(gltf, &uri, out, out_size);
}

static snResult keep(sniGltf* gltf, const char* name, uint8_t* data, size_t size) {
    char* copy = sni_copy_text(&gltf->allocator, name);
    if (copy == NULL) {
        sni_free(&gltf->allocator, data);
        return sni_fail_memory(gltf->error);
    }
    gltf->kept_files[gltf->kept.count++] = (snFile){copy, data, size};
    return SN_RESULT_OK;
}

// A picture that is not there is no reason to refuse the character.
static snResult read_picture(sniGltf* gltf, uint32_t index, const char* name) {
    sniJson object = sni_gltf_object(gltf, "images", index);
    sniJson uri = sni_json_get(&object, "uri");
    sniGltf quiet = *gltf;
    snError detail = sn_error_none();
    quiet.error = &detail;
    uint8_t* data = NULL;
    size_t size = 0;
    snResult result = read_uri(&quiet, &quiet.beside, &uri, &data, &size);
    if (result == SN_RESULT_OUT_OF_MEMORY) return sni_fail_memory(gltf->error);
    if (result != SN_RESULT_OK) return SN_RESULT_OK;
    if (gltf->beside.files != NULL) return keep(gltf, name, data, size);
    sni_free(&gltf->allocator, data);
    return SN_RESULT_OK;
}

snResult sni_gltf_pictures(sniGltf* gltf) {
    if (gltf->seen == NULL) return SN_RESULT_OK; // nobody wants to know
    char name[RELATIVE_MAX];
    uint32_t count = (uint32_t)sni_gltf_count(gltf, "images");
    gltf->kept_files = SNI_NEW_ARRAY(&gltf->allocator, snFile, count);
    if (gltf->kept_files == NULL) return sni_fail_memory(gltf->error);
    gltf->kept.files = gltf->kept_files;
    for (uint32_t i = 0; i < count; i++) {
        if (item_name(gltf, "images", i, name) && is_new(gltf, name)) SNI_TRY(read_picture(gltf, i, name));
    }
    return SN_RESULT_OK;
}

void sni_gltf_free_pictures(sniGltf* gltf) {
    for (uint32_t i = 0; i < gltf->kept.count; i++) {
        sni_free(&gltf->allocator, (void*)gltf->kept_files[i].name);
        sni_free(&gltf->allocator, (void*)gltf->kept_files[i].data);
    }
    sni_free(&gltf->allocator, gltf->kept_files);
}
