#include "zip_archive.h"

#include "base/error.h"

#ifdef SNI_HAVE_ZIP

#include <zip.h>

// -------------------------------------------------------------------------------------------------- reading

static snResult fail_zip(snError* error, zip_error_t* problem) {
    if (zip_error_code_zip(problem) == ZIP_ER_MEMORY) return sni_fail_memory(error);
    return sni_fail(error, SN_RESULT_BAD_DATA, "zip: %s", zip_error_strerror(problem));
}

static snResult check_entry(sniZip* zip, uint32_t index, snError* error) {
    zip_stat_t info;
    if (zip_stat_index(zip, index, 0, &info) != 0) return fail_zip(error, zip_get_error(zip));
    const char* name = sni_zip_name(zip, index);
    if ((info.valid & ZIP_STAT_ENCRYPTION_METHOD) != 0 && info.encryption_method != ZIP_EM_NONE) {
        return sni_fail(error, SN_RESULT_UNSUPPORTED, "zip: %.100s is encrypted", name);
    }
    for (uint32_t i = 0; i < index; i++) {
        if (strcmp(sni_zip_name(zip, i), name) != 0) continue;
        return sni_fail(error, SN_RESULT_BAD_DATA, "zip: it has two entries called %.100s", name);
    }
    return SN_RESULT_OK;
}

static snResult check_entries(sniZip* zip, snError* error) {
    zip_int64_t count = zip_get_num_entries(zip, 0);
    if (count > (zip_int64_t)SNI_ZIP_MAX_ENTRIES) {
        return sni_fail(error, SN_RESULT_LIMIT, "zip: it has %lld entries, more than %u", (long long)count,
                        SNI_ZIP_MAX_ENTRIES);
    }
    snResult result = SN_RESULT_OK;
    for (uint32_t i = 0; i < sni_zip_count(zip) && result == SN_RESULT_OK; i++) {
        result = check_entry(zip, i, error);
    }
    return result;
}

snResult sni_zip_open(const void* data, size_t size, sniZip** out, snError* error) {
    zip_error_t problem;
    zip_error_init(&problem);
    zip_source_t* source = zip_source_buffer_create(data, size, 0, &problem);
    zip_t* zip = source != NULL ? zip_open_from_source(source, ZIP_RDONLY, &problem) : NULL;
    snResult result = zip != NULL ? SN_RESULT_OK : fail_zip(error, &problem);
    if (zip == NULL) zip_source_free(source); // an archive that is open owns it
    zip_error_fini(&problem);
    if (result != SN_RESULT_OK) return result;
    result = check_entries(zip, error);
    if (result != SN_RESULT_OK) {
        sni_zip_close(zip);
        return result;
    }
    *out = zip;
    return SN_RESULT_OK;
}

void sni_zip_close(sniZip* zip) {
    if (zip != NULL) zip_discard(zip);
}

uint32_t sni_zip_count(sniZip* zip) { return (uint32_t)zip_get_num_entries(zip, 0); }

const char* sni_zip_name(sniZip* zip, uint32_t index) {
    const char* name = zip_get_name(zip, index, ZIP_FL_ENC_RAW);
    return name != NULL ? name : "";
}

// Fills `size` bytes; there must be neither fewer nor more.
static snResult unpack(zip_file_t* file, uint8_t* data, size_t size, snError* error) {
    size_t done = 0;
    zip_int64_t part = 1;
    while (part > 0 && done < size) {
        part = zip_fread(file, data + done, size - done);
        if (part > 0) done += (size_t)part;
    }
    uint8_t more = 0;
    if (part >= 0 && done == size) part = zip_fread(file, &more, 1); // also checks the sum
    if (part < 0) return fail_zip(error, zip_file_get_error(file));
    if (done == size && part == 0) return SN_RESULT_OK;
    return sni_fail(error, SN_RESULT_BAD_DATA, "zip: it is not as long as it claims");
}

snResult sni_zip_read(sniZip* zip, const char* name, size_t limit, const snAllocator* memory, uint8_t** out,
                      size_t* out_size, snError* error) {
    zip_stat_t info;
    zip_int64_t index = zip_name_locate(zip, name, ZIP_FL_ENC_RAW);
    if (index < 0) return sni_fail(error, SN_RESULT_NOT_FOUND, "zip: it is not there");
    if (zip_stat_index(zip, (zip_uint64_t)index, 0, &info) != 0) return fail_zip(error, zip_get_error(zip));
    if ((info.valid & ZIP_STAT_SIZE) == 0 || info.size > limit) {
        return sni_fail(error, SN_RESULT_LIMIT, "zip: it has %llu bytes, more than %zu",
                        (unsigned long long)info.size, limit);
    }
    size_t size = (size_t)info.size;
    zip_file_t* file = zip_fopen_index(zip, (zip_uint64_t)index, 0);
    if (file == NULL) return fail_zip(error, zip_get_error(zip));
    uint8_t* data = SNI_NEW_ARRAY(memory, uint8_t, size + 1);
    snResult result = data != NULL ? unpack(file, data, size, error) : sni_fail_memory(error);
    zip_fclose(file);
    if (result != SN_RESULT_OK) {
        sni_free(memory, data);
        return result;
    }
    *out = data;
    *out_size = size;
    return SN_RESULT_OK;
}

// -------------------------------------------------------------------------------------------------- writing

// 1 January 1980, as MS-DOS counts: the beginning of its time.
#define DOS_DATE ((zip_uint16_t)(1 << 5 | 1))

static bool add_entry(zip_t* zip, const sniZipEntry* entry) {
    zip_source_t* source = zip_source_buffer(zip, entry->data, entry->size, 0);
    if (source == NULL) return false;
    zip_int64_t index = zip_file_add(zip, entry->name, source, ZIP_FL_ENC_UTF_8);
    if (index < 0) {
        zip_source_free(source);
        return false;
    }
    return zip_set_file_compression(zip, (zip_uint64_t)index, ZIP_CM_STORE, 0) == 0 &&
           zip_file_set_dostime(zip, (zip_uint64_t)index, 0, DOS_DATE, 0) == 0;
}

// What was written into the archive's buffer.
static bool take_bytes(zip_source_t* source, sniBytes* out) {
    zip_stat_t info;
    if (zip_source_stat(source, &info) != 0 || (info.valid & ZIP_STAT_SIZE) == 0) return false;
    uint8_t* data = sni_bytes_extend(out, (size_t)info.size);
    if (data == NULL || zip_source_open(source) != 0) return false;
    bool whole = zip_source_read(source, data, info.size) == (zip_int64_t)info.size;
    zip_source_close(source);
    return whole;
}

// Only memory can be missing: names and data are our own.
snResult sni_zip_write(const sniZipEntry* entries, uint32_t count, sniBytes* out, snError* error) {
    zip_source_t* source = zip_source_buffer_create(NULL, 0, 0, NULL);
    if (source == NULL) return sni_fail_memory(error);
    zip_source_keep(source); // beyond the archive that is open on it
    zip_t* zip = zip_open_from_source(source, ZIP_TRUNCATE, NULL);
    bool enough = zip != NULL;
    for (uint32_t i = 0; i < count && enough; i++) enough = add_entry(zip, &entries[i]);
    if (enough && zip_close(zip) != 0)
        enough = false;
    else if (enough)
        zip = NULL;
    if (zip != NULL) zip_discard(zip);
    if (enough) enough = take_bytes(source, out);
    zip_source_free(source);
    return enough ? SN_RESULT_OK : sni_fail_memory(error);
}

#else

static snResult fail_missing(snError* error) {
    return sni_fail(error, SN_RESULT_UNSUPPORTED,
                    "zip archives need libzip, which this build does not have (libzip-dev); folders work");
}

snResult sni_zip_open(const void* data, size_t size, sniZip** out, snError* error) {
    (void)data, (void)size, (void)out;
    return fail_missing(error);
}

void sni_zip_close(sniZip* zip) { (void)zip; }

uint32_t sni_zip_count(sniZip* zip) {
    (void)zip;
    return 0;
}

const char* sni_zip_name(sniZip* zip, uint32_t index) {
    (void)zip, (void)index;
    return "";
}

snResult sni_zip_read(sniZip* zip, const char* name, size_t limit, const snAllocator* memory, uint8_t** out,
                      size_t* out_size, snError* error) {
    (void)zip, (void)name, (void)limit, (void)memory, (void)out, (void)out_size;
    return fail_missing(error);
}

snResult sni_zip_write(const sniZipEntry* entries, uint32_t count, sniBytes* out, snError* error) {
    (void)entries, (void)count, (void)out;
    return fail_missing(error);
}

#endif
