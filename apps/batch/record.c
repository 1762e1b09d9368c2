#include "record.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "io/file.h"
#include "io/save.h"

#define RECORD_LIMIT ((size_t)1 << 20)

// --------------------------------------------------------------------------------------------------- places

bool batch_make_folders(const char* path) {
    char part[4096];
    size_t length = strlen(path);
    if (length >= sizeof part) {
        errno = ENAMETOOLONG;
        return false;
    }
    memcpy(part, path, length + 1);
    for (size_t i = 1; i <= length; i++) {
        if (part[i] != '/' && part[i] != '\0') continue;
        char kept = part[i];
        part[i] = '\0';
        if (mkdir(part, 0777) != 0 && errno != EEXIST) return false;
        part[i] = kept;
    }
    return true;
}

snResult batch_fail_path(snError* error, const char* path, const char* act) {
    sni_fail(error, SN_RESULT_IO, "cannot %s: %s", act, strerror(errno));
    if (error != NULL) snprintf(error->file, sizeof error->file, "%.255s", path);
    return SN_RESULT_IO;
}

void batch_state_path(const char* state, const char* kind, uint64_t id, const char* extension, char* out) {
    // Folders of a few hundred files each: some file systems are slow with more.
    snprintf(out, 4096, "%.3900s/%s/%02x", state, kind, (unsigned)(id >> 56));
    batch_make_folders(out);
    size_t length = strlen(out);
    snprintf(out + length, 4096 - length, "/%016" PRIx64 ".%s", id, extension);
}

batchHash batch_hash_text(uint64_t hash) {
    batchHash out;
    snprintf(out.text, sizeof out.text, "%016" PRIx64, hash);
    return out;
}

uint64_t batch_parse_hash(const char* text) {
    if (text == NULL || strlen(text) != 16 || strspn(text, "0123456789abcdef") != 16) return 0;
    return strtoull(text, NULL, 16);
}

// --------------------------------------------------------------------------------------------------- reading

static void parse(batchRecord* record) {
    sniJson root = sni_json_root(record->json);
    sniJson key = sni_json_get(&root, "key"), result = sni_json_get(&root, "result");
    sniJson seconds = sni_json_get(&root, "seconds"), run = sni_json_get(&root, "run");
    const char* word = sni_json_text(&result);
    int64_t number = 0;
    record->key = batch_parse_hash(sni_json_text(&key));
    record->done = word != NULL && strcmp(word, "done") == 0;
    if (!sni_json_number(&seconds, &record->seconds)) record->seconds = -1.0;
    if (sni_json_whole(&run, &number) && number > 0 && number < UINT32_MAX) record->run = (uint32_t)number;
}

snResult batch_record_read(const char* state, uint64_t id, const snAllocator* memory, batchRecord** out,
                           snError* error) {
    char path[4096];
    uint8_t* text = NULL;
    size_t size = 0, offset = 0;
    snprintf(path, sizeof path, "%.3900s/jobs/%02x/%016" PRIx64 ".json", state, (unsigned)(id >> 56), id);
    snResult result = sni_file_read(path, RECORD_LIMIT, memory, &text, &size, NULL);
    if (result == SN_RESULT_OUT_OF_MEMORY) return sni_fail_memory(error);
    if (result != SN_RESULT_OK) return SN_RESULT_OK;
    batchRecord* record = SNI_NEW(memory, batchRecord);
    sniJsonValue* json = NULL;
    if (record != NULL) result = sni_json_parse((const char*)text, size, &json, &offset, NULL);
    sni_free(memory, text);
    if (record == NULL) return sni_fail_memory(error);
    *record = (batchRecord){.json = json, .memory = *memory};
    if (result != SN_RESULT_OK) {
        batch_record_free(record);
        return result == SN_RESULT_OUT_OF_MEMORY ? sni_fail_memory(error) : SN_RESULT_OK;
    }
    parse(record);
    *out = record;
    return SN_RESULT_OK;
}

void batch_record_free(batchRecord* record) {
    if (record == NULL) return;
    snAllocator memory = record->memory;
    sni_json_free(record->json);
    sni_free(&memory, record);
}

// --------------------------------------------------------------------------------------------------- files

static int64_t time_of(const struct stat* info) {
    return (int64_t)info->st_mtim.tv_sec * INT64_C(1000000000) + info->st_mtim.tv_nsec;
}

sniJsonValue* batch_file_json(const char* path, const batchContent* content) {
    struct stat info = {0};
    char time[24];
    if (stat(path, &info) != 0) info = (struct stat){0};
    snprintf(time, sizeof time, "%" PRId64, time_of(&info));
    sniJsonValue* object = sni_json_object();
    sni_json_set(object, "path", sni_json_string(path));
    sni_json_set(object, "size", sni_json_uint(content->size));
    sni_json_set(object, "hash", sni_json_string(batch_hash_text(content->hash).text));
    sni_json_set(object, "time", sni_json_string(time)); // more digits than a JSON number has
    return object;
}

// Is the file what it was? Where size and time are the same it is; else its bytes say.
static snResult is_same(const sniJson* file, batchInputs* inputs, bool* out, snError* error) {
    sniJson path = sni_json_get(file, "path"), size = sni_json_get(file, "size");
    sniJson hash = sni_json_get(file, "hash"), time = sni_json_get(file, "time");
    const char* name = sni_json_text(&path);
    const char* when = sni_json_text(&time);
    int64_t bytes = -1;
    struct stat info;
    *out = false;
    if (name == NULL || stat(name, &info) != 0) return SN_RESULT_OK;
    if (!sni_json_whole(&size, &bytes) || bytes != (int64_t)info.st_size) return SN_RESULT_OK;
    *out = when != NULL && strtoll(when, NULL, 10) == time_of(&info);
    if (*out) return SN_RESULT_OK;
    batchContent content = {0};
    SNI_TRY(batch_inputs_again(inputs, name, &content, error));
    *out = content.there && content.hash == batch_parse_hash(sni_json_text(&hash));
    return SN_RESULT_OK;
}

static snResult all_same(const batchRecord* record, const char* key, batchInputs* inputs, bool* out,
                         snError* error) {
    sniJson root = sni_json_root(record->json);
    sniJson list = sni_json_get(&root, key);
    *out = true;
    for (size_t i = 0; *out && i < sni_json_length(&list); i++) {
        sniJson file = sni_json_item(&list, i);
        SNI_TRY(is_same(&file, inputs, out, error));
    }
    return SN_RESULT_OK;
}

snResult batch_record_reads_same(const batchRecord* record, batchInputs* inputs, bool* out, snError* error) {
    return all_same(record, "reads", inputs, out, error);
}

snResult batch_record_files_whole(const batchRecord* record, batchInputs* inputs, bool* out, snError* error) {
    return all_same(record, "files", inputs, out, error);
}

static bool has_file(const sniJsonValue* json, const char* path) {
    sniJson list = sni_json_root(sni_json_find(json, "files"));
    for (size_t i = 0; i < sni_json_length(&list); i++) {
        sniJson file = sni_json_item(&list, i), name = sni_json_get(&file, "path");
        if (sni_json_text(&name) != NULL && strcmp(sni_json_text(&name), path) == 0) return true;
    }
    return false;
}

snResult batch_record_drop(const batchRecord* old, const sniJsonValue* json, batchInputs* inputs,
                           snError* error) {
    sniJson list = sni_json_root(sni_json_find(old->json, "files"));
    for (size_t i = 0; i < sni_json_length(&list); i++) {
        sniJson file = sni_json_item(&list, i), name = sni_json_get(&file, "path");
        const char* path = sni_json_text(&name);
        bool same = false;
        if (path == NULL || has_file(json, path)) continue;
        SNI_TRY(is_same(&file, inputs, &same, error));
        if (same) unlink(path);
    }
    return SN_RESULT_OK;
}

// --------------------------------------------------------------------------------------------------- writing

// What is compared with: the last result of an earlier run.
static void keep_before(sniJsonValue* json, uint32_t run, const batchRecord* old) {
    static const char* const keys[] = {"run", "key", "files", "verdict", "measures", "seconds"};
    if (old == NULL) return;
    sniJsonValue* before = NULL;
    if (old->done && old->run != run) {
        before = sni_json_object();
        for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
            sniJsonValue* value = sni_json_find(old->json, keys[i]);
            if (value != NULL) sni_json_set(before, keys[i], sni_json_copy(value));
        }
    } else if (sni_json_find(old->json, "before") != NULL) {
        before = sni_json_copy(sni_json_find(old->json, "before"));
    }
    if (before != NULL) sni_json_set(json, "before", before);
}

snResult batch_record_write(const char* state, uint64_t id, sniJsonValue* json, uint32_t run,
                            const batchRecord* before, const snAllocator* memory, snError* error) {
    char path[4096];
    sniBytes text = sni_bytes(memory);
    keep_before(json, run, before);
    sni_json_print(json, true, &text);
    batch_state_path(state, "jobs", id, "json", path);
    snResult result = json == NULL || text.failed ? sni_fail_memory(error)
                                                  : sni_save_quickly(path, text.data, text.size, error);
    sni_bytes_free(&text);
    return result;
}
