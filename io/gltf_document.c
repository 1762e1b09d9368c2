// Opening a glTF document: the GLB container, the JSON, the buffers, and the checked ways to ask it things.
#include "gltf.h"
#include "meshopt.h"

#include <stdarg.h>

#define GLB_MAGIC 0x46546c67u // "glTF"
#define CHUNK_JSON 0x4e4f534au
#define CHUNK_BIN 0x004e4942u

// ----------------------------------------------------------------------------------------------- errors

static void set_place(const sniGltf* gltf, size_t text_offset) {
    snError* error = gltf->error;
    if (error == NULL) return;
    snprintf(error->file, sizeof error->file, "%s", gltf->name);
    if (gltf->text == NULL) return; // after reading: the text is gone
    if (gltf->binary) {
        error->offset = (uint64_t)((const uint8_t*)gltf->text - gltf->file) + text_offset;
        return;
    }
    error->line = 1;
    for (size_t i = 0; i < text_offset && i < gltf->text_size; i++) error->line += gltf->text[i] == '\n';
}

static snResult fail_at_byte(const sniGltf* gltf, size_t offset, const char* text) {
    sni_fail(gltf->error, SN_RESULT_BAD_DATA, "%s", text);
    if (gltf->error != NULL) {
        snprintf(gltf->error->file, sizeof gltf->error->file, "%s", gltf->name);
        gltf->error->offset = offset;
    }
    return SN_RESULT_BAD_DATA;
}

snResult sni_gltf_place(const sniGltf* gltf, snResult code, const sniJson* where) {
    if (code != SN_RESULT_OK && code != SN_RESULT_OUT_OF_MEMORY && gltf->error != NULL) {
        set_place(gltf, sni_json_locate(gltf->text, gltf->text_size, where->at));
    }
    return code;
}

snResult sni_gltf_fail(const sniGltf* gltf, snResult code, const sniJson* where, const char* format, ...) {
    char sentence[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    sni_fail(gltf->error, code, "%s%s%s", where->at, where->at[0] != '\0' ? " " : "", sentence);
    return sni_gltf_place(gltf, code, where);
}

void sni_note(snNotes* notes, const char* format, ...) {
    if (notes == NULL) return;
    size_t capacity = sizeof notes->text / sizeof notes->text[0];
    if (notes->count < capacity) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(notes->text[notes->count], sizeof notes->text[0], format, arguments);
        va_end(arguments);
    }
    notes->count++;
}

// ---------------------------------------------------------------------------------------------- asking

snResult sni_gltf_list(const sniGltf* gltf, const char* key, sniJson* out) {
    sniJson root = sni_json_root(gltf->json);
    *out = sni_json_get(&root, key);
    if (out->value == NULL || sni_json_is_array(out)) return SN_RESULT_OK;
    return sni_gltf_fail(gltf, SN_RESULT_BAD_DATA, out, "is not a list");
}

size_t sni_gltf_count(const sniGltf* gltf, const char* list) {
    sniJson root = sni_json_root(gltf->json);
    sniJson array = sni_json_get(&root, list);
    return sni_json_length(&array);
}

sniJson sni_gltf_object(const sniGltf* gltf, const char* list, uint32_t index) {
    sniJson root = sni_json_root(gltf->json);
    sniJson array = sni_json_get(&root, list);
    return sni_json_item(&array, index);
}

snResult sni_gltf_whole(const sniGltf* gltf, const sniJson* object, const char* key, uint64_t low,
                        uint64_t high, uint64_t fallback, uint64_t* out) {
    sniJson value = sni_json_get(object, key);
    *out = fallback;
    if (value.value == NULL) return SN_RESULT_OK;
    int64_t number = -1;
    if (sni_json_whole(&value, &number) && number >= 0 && (uint64_t)number >= low &&
        (uint64_t)number <= high) {
        *out = (uint64_t)number;
        return SN_RESULT_OK;
    }
    char text[64];
    double real = 0.0;
    sni_json_describe(&value, text, sizeof text);
    if (high > SNI_JSON_WHOLE_MAX) high = SNI_JSON_WHOLE_MAX;
    if (sni_json_number(&value, &real) && real > (double)high) {
        return sni_gltf_fail(gltf, SN_RESULT_BAD_DATA, &value, "is %s, expected at most %" PRIu64, text,
                             high);
    }
    if (low > 0) {
        return sni_gltf_fail(gltf, SN_RESULT_BAD_DATA, &value,
                             "is %s, expected a whole number above %" PRIu64, text, low - 1);
    }
    return sni_gltf_fail(gltf, SN_RESULT_BAD_DATA, &value, "is %s, expected a whole number, 0 or more", text);
}

snResult sni_gltf_index_value(const sniGltf* gltf, const sniJson* value, size_t count, uint32_t* out) {
    int64_t number = -1;
    if (sni_json_whole(value, &number) && number >= 0 && (uint64_t)number < count && number < SN_NONE) {
        *out = (uint32_t)number;
        return SN_RESULT_OK;
    }
    char text[64];
    sni_json_describe(value, text, sizeof text);
    return sni_gltf_fail(gltf, SN_RESULT_BAD_DATA, value, "is %s, expected an index below %zu", text, count);
}

snResult sni_gltf_index(const sniGltf* gltf, const sniJson* object, const char* key, size_t count,
                        uint32_t* out) {
    sniJson value = sni_json_get(object, key);
    *out = SN_NONE;
    return value.value == NULL ? SN_RESULT_OK : sni_gltf_index_value(gltf, &value, count, out);
}

snResult sni_gltf_floats(const sniGltf* gltf, const sniJson* object, const char* key, size_t count,
                         float* out, bool* found) {
    sniJson list = sni_json_get(object, key);
    if (found != NULL) *found = list.value != NULL;
    if (list.value == NULL) return SN_RESULT_OK;
    if (!sni_json_is_array(&list) || sni_json_length(&list) != count) {
        return sni_gltf_fail(gltf, SN_RESULT_BAD_DATA, &list, "is not a list of %zu numbers", count);
    }
    for (size_t i = 0; i < count; i++) {
        sniJson item = sni_json_item(&list, i);
        double number = 0.0;
        if (!sni_json_number(&item, &number) || !sn_finite((float)number)) {
            return sni_gltf_fail(gltf, SN_RESULT_BAD_DATA, &item, "is not a number that fits a float");
        }
        out[i] = (float)number;
    }
    return SN_RESULT_OK;
}

const char* sni_gltf_name(const sniJson* object) {
    sniJson name = sni_json_get(object, "name");
    const char* text = sni_json_text(&name);
    return text != NULL ? text : "";
}

// ---------------------------------------------------------------------------------------------- opening

static uint32_t read_u32(const uint8_t* p) {
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

// Finds the JSON and the binary chunk of a GLB.
static snResult split_chunks(sniGltf* gltf, sniBuffer* chunk) {
    const uint8_t* file = gltf->file;
    if (gltf->file_size < 20) return fail_at_byte(gltf, gltf->file_size, "ends inside the GLB header");
    if (read_u32(file) != GLB_MAGIC) return fail_at_byte(gltf, 0, "does not start with \"glTF\"");
    if (read_u32(file + 4) != 2) return fail_at_byte(gltf, 4, "is not version 2 of GLB");
    size_t length = read_u32(file + 8);
    if (length > gltf->file_size) return fail_at_byte(gltf, 8, "is shorter than its header says: cut off?");
    size_t at = 12;
    while (at + 8 <= length) {
        size_t size = read_u32(file + at);
        uint32_t type = read_u32(file + at + 4);
        if (size > length - at - 8) return fail_at_byte(gltf, at, "has a chunk that runs past the end");
        if (at == 12 && type != CHUNK_JSON) return fail_at_byte(gltf, 16, "has no JSON chunk at its start");
        if (at == 12) {
            gltf->text = (const char*)file + at + 8;
            gltf->text_size = size;
        } else if (type == CHUNK_BIN && chunk->data == NULL) {
            chunk->data = file + at + 8;
            chunk->size = size;
        }
        at += 8 + size;
    }
    if (gltf->text == NULL) return fail_at_byte(gltf, 12, "has no JSON chunk");
    while (gltf->text_size > 0 && gltf->text[gltf->text_size - 1] == '\0') gltf->text_size--;
    return SN_RESULT_OK;
}

static snResult parse_text(sniGltf* gltf) {
    size_t estimate = sni_json_estimate(gltf->text, gltf->text_size);
    if (!sni_limit_reserve(gltf->limit, estimate)) return sni_fail_memory(gltf->error);
    gltf->json_reserved = estimate;
    size_t offset = 0;
    snResult result = sni_json_parse(gltf->text, gltf->text_size, &gltf->json, &offset, gltf->error);
    if (result != SN_RESULT_OK) {
        set_place(gltf, offset);
        return result;
    }
    sniJson root = sni_json_root(gltf->json);
    if (!sni_json_is_object(&root)) {
        return sni_gltf_fail(gltf, SN_RESULT_BAD_DATA, &root, "the document is not an object");
    }
    sniJson asset = sni_json_get(&root, "asset");
    sniJson version = sni_json_get(&asset, "version");
    const char* text = sni_json_text(&version);
    if (text == NULL || strncmp(text, "2.", 2) != 0) {
        char found[64];
        sni_json_describe(&version, found, sizeof found);
        return sni_gltf_fail(gltf, text == NULL ? SN_RESULT_BAD_DATA : SN_RESULT_UNSUPPORTED, &version,
                             "is %s, expected \"2.0\"", found);
    }
    return SN_RESULT_OK;
}

// Extensions that change what materials and lights look like, or that the accessors here already cover. A
// required extension that is none of these may change the geometry, so the file is refused.
static bool is_harmless(const char* name) {
    if (strcmp(name, SNI_MESHOPT) == 0) return sni_meshopt_available();
    static const char* const prefixes[] = {"KHR_materials_", "KHR_texture_",          "EXT_texture_",
                                           "KHR_lights_",    "EXT_lights_",           "MSFT_texture_",
                                           "KHR_xmp",        "KHR_mesh_quantization", "SINEW_deformation"};
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++) {
        if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0) return true;
    }
    return false;
}

static snResult check_required(const sniGltf* gltf) {
    sniJson list;
    SNI_TRY(sni_gltf_list(gltf, "extensionsRequired", &list));
    for (size_t i = 0; i < sni_json_length(&list); i++) {
        sniJson item = sni_json_item(&list, i);
        const char* name = sni_json_text(&item);
        if (name == NULL) return sni_gltf_fail(gltf, SN_RESULT_BAD_DATA, &item, "is not a string");
        if (!is_harmless(name)) {
            return sni_gltf_fail(gltf, SN_RESULT_UNSUPPORTED, &item, "asks for %.80s, which is not supported",
                                 name);
        }
    }
    return SN_RESULT_OK;
}

static snResult open_buffer(sniGltf* gltf, uint32_t index, const sniBuffer* chunk) {
    sniJson object = sni_gltf_object(gltf, "buffers", index);
    sniJson uri = sni_json_get(&object, "uri");
    sniBuffer* buffer = &gltf->buffers[index];
    uint64_t length = 0;
    SNI_TRY(sni_gltf_whole(gltf, &object, "byteLength", 1, SIZE_MAX / 2, 0, &length));
    if (length == 0) return sni_gltf_fail(gltf, SN_RESULT_BAD_DATA, &object, "has no byteLength");
    if (uri.value != NULL) {
        SNI_TRY(sni_gltf_buffer(gltf, index, &buffer->owned, &buffer->size));
        buffer->data = buffer->owned;
    } else if (index == 0 && chunk->data != NULL) {
        *buffer = *chunk;
    } else if (sni_gltf_is_fallback(&object)) {
        buffer->owned = SNI_NEW_ARRAY(&gltf->allocator, uint8_t, (size_t)length);
        if (buffer->owned == NULL) return sni_fail_memory(gltf->error);
        *buffer = (sniBuffer){buffer->owned, (size_t)length, buffer->owned, true};
    } else {
        return sni_gltf_fail(gltf, SN_RESULT_BAD_DATA, &object, "has neither a uri nor a chunk in the file");
    }
    if (buffer->size < length) {
        return sni_gltf_fail(gltf, SN_RESULT_BAD_DATA, &object, "has %zu bytes, but byteLength says %" PRIu64,
                             buffer->size, length);
    }
    buffer->size = (size_t)length;
    return SN_RESULT_OK;
}

static snResult open_buffers(sniGltf* gltf, const sniBuffer* chunk) {
    sniJson list;
    SNI_TRY(sni_gltf_list(gltf, "buffers", &list));
    gltf->buffers = SNI_NEW_ARRAY(&gltf->allocator, sniBuffer, sni_json_length(&list));
    if (gltf->buffers == NULL) return sni_fail_memory(gltf->error);
    gltf->buffer_count = (uint32_t)sni_json_length(&list);
    for (uint32_t i = 0; i < gltf->buffer_count; i++) SNI_TRY(open_buffer(gltf, i, chunk));
    return sni_gltf_unpack(gltf);
}

snResult sni_gltf_open(sniGltf* gltf, uint8_t* file, size_t size) {
    sniBuffer chunk = {0};
    gltf->file = file;
    gltf->file_size = size;
    if (gltf->binary) {
        SNI_TRY(split_chunks(gltf, &chunk));
    } else {
        bool mark = size >= 3 && memcmp(file, "\xef\xbb\xbf", 3) == 0;
        gltf->text = (const char*)file + (mark ? 3 : 0);
        gltf->text_size = size - (mark ? 3 : 0);
    }
    SNI_TRY(parse_text(gltf));
    SNI_TRY(check_required(gltf));
    SNI_TRY(sni_gltf_tell(gltf, 0.2f));
    SNI_TRY(sni_gltf_listen(gltf));
    return open_buffers(gltf, &chunk);
}

void sni_gltf_close(sniGltf* gltf) {
    for (uint32_t i = 0; i < gltf->buffer_count; i++) sni_free(&gltf->allocator, gltf->buffers[i].owned);
    sni_free(&gltf->allocator, gltf->buffers);
    sni_gltf_free_pictures(gltf);
    sni_free(&gltf->allocator, gltf->intact);
    sni_free(&gltf->allocator, gltf->seen);
    sni_json_free(gltf->json);
    sni_limit_release(gltf->limit, gltf->json_reserved);
    sni_free(&gltf->allocator, gltf->file);
    sni_free(&gltf->allocator, gltf->name);
    snAllocator allocator = gltf->allocator;
    sni_free(&allocator, gltf);
}
