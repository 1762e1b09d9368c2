// Point caches: PC2 (little endian, one rate) and MDD (big endian, a time per frame).
#include "byte_order.h"
#include "bytes.h"
#include "file.h"
#include "gltf.h"
#include "limit.h"
#include "source.h"

#define PC2_HEADER 32
#define MDD_HEADER 8

typedef enum Format { FORMAT_NONE, FORMAT_PC2, FORMAT_MDD } Format;

static Format format_of(const char* path) {
    const char* extension = sni_path_extension(path);
    if (sni_extension_is(extension, ".pc2")) return FORMAT_PC2;
    return sni_extension_is(extension, ".mdd") ? FORMAT_MDD : FORMAT_NONE;
}

static snResult fail_name(const char* path, snResult code, const char* text, snError* error) {
    sni_fail(error, code, "%s", text);
    if (error != NULL) snprintf(error->file, sizeof error->file, "%s", path);
    return code;
}

// ----------------------------------------------------------------------------------------------- reading

// Checks that the file is as long as its counts say, then allocates. NULL, with the reason in `result`, when
// it cannot be.
static snPointCache* make_cache(const sniSource* source, uint32_t points, uint32_t frames, size_t header,
                                size_t count_offset, snResult* result) {
    size_t values = 0, bytes = 0;
    if (points == 0 || frames == 0 || points > INT32_MAX || frames > INT32_MAX) {
        *result = sni_source_fail(source, count_offset,
                                  "has %u points and %u frames, expected 1 or more of each", points, frames);
        return NULL;
    }
    bool fits = sni_mul_size(points, frames, &values) && sni_mul_size(values, 12, &bytes);
    if (!fits || source->size < header || source->size - header < bytes) {
        *result = sni_source_fail(source, count_offset,
                                  "%u frames of %u points need %zu bytes after the header, the file has %zu",
                                  frames, points, bytes, source->size > header ? source->size - header : 0);
        return NULL;
    }
    snPointCache* cache = SNI_NEW(&source->allocator, snPointCache);
    if (cache == NULL) {
        *result = sni_fail_memory(source->error);
        return NULL;
    }
    cache->allocator = source->allocator;
    cache->point_count = points;
    cache->frame_count = frames;
    cache->points = SNI_NEW_ARRAY(&source->allocator, snVec3, values);
    if (cache->points == NULL) {
        sn_point_cache_destroy(cache);
        *result = sni_fail_memory(source->error);
        return NULL;
    }
    return cache;
}

#define TOLD_POINTS 65536 // between two words with the listener

static snResult read_points(const sniSource* source, size_t offset, bool big, snPointCache* cache) {
    size_t count = (size_t)cache->point_count * cache->frame_count;
    float unit = source->def->unit;
    for (size_t i = 0; i < count; i++) {
        if (i % TOLD_POINTS == 0) SNI_TRY(sni_source_tell(source, (float)i / (float)count));
        const uint8_t* p = source->data + offset + i * 12;
        snVec3 point = {sni_load_f32(p, big), sni_load_f32(p + 4, big), sni_load_f32(p + 8, big)};
        point = sn_scale(point, unit);
        if (!sn_vec3_finite(point)) return sni_source_fail(source, offset + i * 12, "a point is not finite");
        cache->points[i] = point;
    }
    if (source->size > offset + count * 12) {
        sni_note(source->def->notes, "%zu bytes after the last frame were ignored",
                 source->size - offset - count * 12);
    }
    return SN_RESULT_OK;
}

static snResult read_pc2(const sniSource* source, snPointCache** cache) {
    const uint8_t* p = source->data;
    if (source->size < PC2_HEADER || memcmp(p, "POINTCACHE2", 12) != 0) {
        return sni_source_fail(source, 0, "does not start with POINTCACHE2");
    }
    uint32_t version = sni_load_u32(p + 12, false);
    if (version != 1) return sni_source_fail(source, 12, "has the version %u, expected 1", version);
    float start = sni_load_f32(p + 20, false), step = sni_load_f32(p + 24, false);
    if (!sn_finite(start) || !sn_finite(step))
        return sni_source_fail(source, 20, "start or rate is not finite");
    snResult result = SN_RESULT_OK;
    *cache =
        make_cache(source, sni_load_u32(p + 16, false), sni_load_u32(p + 28, false), PC2_HEADER, 16, &result);
    if (*cache == NULL) return result;
    (*cache)->start = start;
    (*cache)->step = step > 0.0f ? step : 1.0f;
    return read_points(source, PC2_HEADER, false, *cache);
}

static snResult read_mdd(const sniSource* source, snPointCache** cache) {
    const uint8_t* p = source->data;
    if (source->size < MDD_HEADER) return sni_source_fail(source, 0, "is too short for an MDD file");
    uint32_t frames = sni_load_u32(p, true), points = sni_load_u32(p + 4, true);
    if (frames > (source->size - MDD_HEADER) / 4) {
        return sni_source_fail(source, 0, "%u frames need more times than the file has bytes", frames);
    }
    size_t header = MDD_HEADER + (size_t)frames * 4;
    snResult result = SN_RESULT_OK;
    *cache = make_cache(source, points, frames, header, 0, &result);
    if (*cache == NULL) return result;
    float first = sni_load_f32(p + MDD_HEADER, true);
    for (uint32_t f = 0; f < frames; f++) {
        float time = sni_load_f32(p + MDD_HEADER + (size_t)f * 4, true);
        float before = f > 0 ? sni_load_f32(p + MDD_HEADER + (size_t)f * 4 - 4, true) : time;
        if (sn_finite(time) && (f == 0 || time > before)) continue;
        return sni_source_fail(source, MDD_HEADER + (size_t)f * 4, "the time of frame %u does not rise",
                               f + 1);
    }
    float last = sni_load_f32(p + header - 4, true);
    // Written by others the times may be uneven; the mean rate is what one number can say.
    (*cache)->fps = frames > 1 ? (float)((double)(frames - 1) / ((double)last - (double)first)) : 0.0f;
    if (!sn_finite((*cache)->fps))
        return sni_source_fail(source, MDD_HEADER, "the times lie too close together");
    (*cache)->start = first * (*cache)->fps;
    (*cache)->step = 1.0f;
    return read_points(source, header, true, *cache);
}

// Takes over `data`.
static snResult read_cache(const char* name, uint8_t* data, size_t size, const snReadDef* def,
                           sniLimit* limit, snPointCache** out, snError* error) {
    sniSource source = sni_source(name, false, def, limit, error);
    source.data = data;
    source.size = size;
    snPointCache* cache = NULL;
    snResult result = format_of(name) == FORMAT_PC2 ? read_pc2(&source, &cache) : read_mdd(&source, &cache);
    sni_free(&source.allocator, data);
    if (result == SN_RESULT_OK)
        *out = cache;
    else
        sn_point_cache_destroy(cache);
    return result;
}

static snResult check_read(const char* name, const snReadDef* def, const void* out, snError* error) {
    if (name == NULL || out == NULL || !(def->unit > 0.0f) || !sn_finite(def->unit)) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a name, a unit above 0 and an output are needed");
    }
    if (format_of(name) != FORMAT_NONE) return SN_RESULT_OK;
    return fail_name(name, SN_RESULT_UNSUPPORTED, "is not a point cache, expected .pc2 or .mdd", error);
}

snResult sn_point_cache_read(const char* path, const snReadDef* def, snPointCache** out, snError* error) {
    snReadDef defaults = sn_read_def();
    if (def == NULL) def = &defaults;
    SNI_TRY(check_read(path, def, out, error));
    if (def->notes != NULL) def->notes->count = 0;
    sniLimit* limit = sni_limit_create(def->allocator, def->memory_limit);
    if (limit == NULL) return sni_fail_memory(error);
    snAllocator memory = sni_limit_allocator(limit);
    uint8_t* data = NULL;
    size_t size = 0;
    snResult result = sni_file_read(path, def->memory_limit, &memory, &data, &size, error);
    if (result == SN_RESULT_OK) result = read_cache(path, data, size, def, limit, out, error);
    result = sni_limit_explain(limit, result, path, error);
    sni_limit_close(limit);
    return result;
}

snResult sn_point_cache_read_memory(const char* name, const void* data, size_t size, const snReadDef* def,
                                    snPointCache** out, snError* error) {
    snReadDef defaults = sn_read_def();
    if (def == NULL) def = &defaults;
    SNI_TRY(check_read(name, def, out, error));
    if (data == NULL && size > 0) return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "there is no data");
    if (def->notes != NULL) def->notes->count = 0;
    sniLimit* limit = sni_limit_create(def->allocator, def->memory_limit);
    if (limit == NULL) return sni_fail_memory(error);
    snAllocator memory = sni_limit_allocator(limit);
    uint8_t* copy = sni_copy_array(&memory, data, size, 1);
    snResult result =
        copy != NULL ? read_cache(name, copy, size, def, limit, out, error) : sni_fail_memory(error);
    result = sni_limit_explain(limit, result, name, error);
    sni_limit_close(limit);
    return result;
}

void sn_point_cache_destroy(snPointCache* cache) {
    if (cache == NULL) return;
    snAllocator memory = cache->allocator;
    sni_free(&memory, cache->points);
    sni_free(&memory, cache);
}

// ----------------------------------------------------------------------------------------------- writing

static void write_pc2_header(const snPointCache* cache, sniBytes* bytes) {
    uint8_t* to = sni_bytes_extend(bytes, PC2_HEADER);
    if (to == NULL) return;
    memcpy(to, "POINTCACHE2", 12);
    sni_store_u32(to + 12, 1, false);
    sni_store_u32(to + 16, cache->point_count, false);
    sni_store_f32(to + 20, cache->start, false);
    sni_store_f32(to + 24, cache->step > 0.0f ? cache->step : 1.0f, false);
    sni_store_u32(to + 28, cache->frame_count, false);
}

static void write_mdd_header(const snPointCache* cache, sniBytes* bytes) {
    uint8_t* to = sni_bytes_extend(bytes, MDD_HEADER + (size_t)cache->frame_count * 4);
    if (to == NULL) return;
    sni_store_u32(to, cache->frame_count, true);
    sni_store_u32(to + 4, cache->point_count, true);
    double step = cache->step > 0.0f ? (double)cache->step : 1.0;
    for (uint32_t f = 0; f < cache->frame_count; f++) {
        double time = ((double)cache->start + (double)f * step) / (double)cache->fps;
        sni_store_f32(to + MDD_HEADER + (size_t)f * 4, (float)time, true);
    }
}

static snResult check_finite(const snPointCache* cache, const char* name, snError* error) {
    size_t count = (size_t)cache->point_count * cache->frame_count;
    for (size_t i = 0; i < count; i++) {
        if (sn_vec3_finite(cache->points[i])) continue;
        uint32_t point = (uint32_t)(i % cache->point_count);
        sni_fail_vertex(error, SN_RESULT_BAD_DATA, point, "point %u of frame %zu is not finite", point,
                        i / cache->point_count);
        if (error != NULL) snprintf(error->file, sizeof error->file, "%s", name);
        return SN_RESULT_BAD_DATA;
    }
    return SN_RESULT_OK;
}

static snResult check_write(const snPointCache* cache, const char* name, Format format, snError* error) {
    if (cache == NULL || name == NULL || cache->points == NULL || cache->point_count == 0 ||
        cache->frame_count == 0 || cache->point_count > INT32_MAX || cache->frame_count > INT32_MAX) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a path, points and frames are needed");
    }
    if (format == FORMAT_NONE) {
        return fail_name(name, SN_RESULT_UNSUPPORTED, "is not a point cache, expected .pc2 or .mdd", error);
    }
    if (format == FORMAT_MDD && !(cache->fps > 0.0f && sn_finite(cache->fps))) {
        return fail_name(name, SN_RESULT_INVALID_ARGUMENT, "MDD needs frames a second above 0", error);
    }
    return check_finite(cache, name, error);
}

static snResult write_points(const snPointCache* cache, Format format, sniBytes* bytes, snError* error) {
    if (format == FORMAT_PC2)
        write_pc2_header(cache, bytes);
    else
        write_mdd_header(cache, bytes);
    size_t count = 0, size = 0;
    bool fits =
        sni_mul_size(cache->point_count, cache->frame_count, &count) && sni_mul_size(count, 12, &size);
    uint8_t* to = fits ? sni_bytes_extend(bytes, size) : NULL;
    if (to == NULL) return sni_fail_memory(error);
    for (size_t i = 0; i < count; i++, to += 12) {
        sni_store_f32(to, cache->points[i].x, format == FORMAT_MDD);
        sni_store_f32(to + 4, cache->points[i].y, format == FORMAT_MDD);
        sni_store_f32(to + 8, cache->points[i].z, format == FORMAT_MDD);
    }
    return SN_RESULT_OK;
}

snResult sn_point_cache_write(const snPointCache* cache, const char* path, snError* error) {
    Format format = path != NULL ? format_of(path) : FORMAT_NONE;
    SNI_TRY(check_write(cache, path, format, error));
    snAllocator memory = sni_allocator_of(&cache->allocator);
    sniBytes bytes = sni_bytes(&memory);
    return sni_bytes_save(&bytes, write_points(cache, format, &bytes, error), path, error);
}

snResult sn_point_cache_write_memory(const snPointCache* cache, const char* name,
                                     const snAllocator* allocator, snBytes* out, snError* error) {
    Format format = name != NULL ? format_of(name) : FORMAT_NONE;
    SNI_TRY(check_write(cache, name, format, error));
    if (out == NULL) return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "an output is needed");
    snAllocator memory = sni_allocator(allocator);
    sniBytes bytes = sni_bytes(&memory);
    return sni_bytes_hand(&bytes, write_points(cache, format, &bytes, error), out, error);
}
