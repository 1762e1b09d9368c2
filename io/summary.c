// What a pose, a path file or a rig holds, without the model that it is for.
#include <math.h>

#include "file.h"
#include "kind.h"
#include "limit.h"
#include "sinew/io.h"

const char* sn_file_kind_name(snFileKind kind) {
    static const char* const names[SN_FILE_KINDS] = {"pose", "path", "rig"};
    return (unsigned)kind < SN_FILE_KINDS ? names[kind] : NULL;
}

typedef struct Summing {
    snFileSummary* out;
    sniReading reading;
} Summing;

// ------------------------------------------------------------------------------------------------ reading

// NaN: it is not said, or no number.
static double number_of(const sniJson* object, const char* key) {
    sniJson json = sni_json_get(object, key);
    double value = (double)NAN;
    return sni_json_number(&json, &value) ? value : (double)NAN;
}

static char* copy_word(Summing* summing, const sniJson* json) {
    const char* text = sni_json_text(json);
    if (text == NULL) return NULL;
    char* copy = sni_copy_text(&summing->out->allocator, text);
    if (copy == NULL) summing->reading.result = sni_fail_memory(summing->reading.error);
    return copy;
}

// Names are gathered as the keys of an object, which has each once however many there are.
static void add_name(sniJsonValue* names, const char* name) {
    if (name != NULL && sni_json_find(names, name) == NULL) sni_json_set(names, name, sni_json_uint(1));
}

typedef struct Listing {
    Summing* summing;
    snNameList* list;
} Listing;

static void add_key(void* user, const char* key, sniJsonValue* value) {
    const Listing* listing = user;
    (void)value;
    if (listing->summing->reading.result != SN_RESULT_OK) return;
    char* copy = sni_copy_text(&listing->summing->out->allocator, key);
    if (copy == NULL)
        listing->summing->reading.result = sni_fail_memory(listing->summing->reading.error);
    else
        listing->list->names[listing->list->count++] = copy;
}

// In the order they came; frees the object.
static void list_names(Summing* summing, sniJsonValue* names, snNameList* out) {
    Listing listing = {summing, out};
    sniJson object = sni_json_root(names);
    size_t count = sni_json_members(&object);
    if (summing->reading.result == SN_RESULT_OK) {
        out->allocator = summing->out->allocator;
        out->names = SNI_NEW_ARRAY(&out->allocator, char*, count);
        if (out->names == NULL)
            summing->reading.result = sni_fail_memory(summing->reading.error);
        else
            sni_json_each(names, add_key, &listing);
    }
    sni_json_free(names);
}

// --------------------------------------------------------------------------------------------------- poses

// "12:0.01 13:-0.002"
static uint64_t count_details(const sniJson* root) {
    sniJson list = sni_json_get(root, "details");
    uint64_t count = 0;
    for (size_t i = 0; i < sni_json_length(&list); i++) {
        sniJson item = sni_json_item(&list, i);
        for (const char* at = sni_json_text(&item); at != NULL && *at != '\0'; at++) count += *at == ':';
    }
    return count;
}

static void sum_pose(Summing* summing, const sniJson* root) {
    snFileSummary* out = summing->out;
    sniJson steps = sni_json_get(root, "steps"), name = sni_json_get(root, "name");
    if (!sni_json_is_array(&steps)) {
        sni_fault(&summing->reading, &steps, "is missing or no list of steps");
        return;
    }
    sniJsonValue* handles = sni_json_object();
    for (size_t i = 0; i < sni_json_length(&steps) && summing->reading.result == SN_RESULT_OK; i++) {
        sniJson step = sni_json_item(&steps, i), turn = sni_json_get(&step, "turn"),
                move = sni_json_get(&step, "move");
        bool turned = sni_json_text(&turn) != NULL;
        if (!turned && sni_json_text(&move) == NULL)
            sni_fault(&summing->reading, &step, "says neither what to turn nor what to move");
        add_name(handles, sni_json_text(turned ? &turn : &move));
        out->turns += turned;
        out->moves += !turned;
    }
    list_names(summing, handles, &out->handles);
    out->name = copy_word(summing, &name);
    out->size = number_of(root, "size");
    out->details = count_details(root);
}

// --------------------------------------------------------------------------------------------------- paths

// [time, x, y, z] or [time, x, y, z, rest]; of keyframes their "time".
static double end_of(const sniJson* key) {
    sniJson time = sni_json_item(key, 0), rest = sni_json_item(key, 4);
    double begin = number_of(key, "time"), length = 0.0;
    if (isnan(begin)) begin = 0.0;
    sni_json_number(&time, &begin);
    sni_json_number(&rest, &length);
    return begin + length;
}

static snKeySummary sum_keys(const sniJson* keys) {
    size_t count = sni_json_length(keys);
    sniJson last = sni_json_item(keys, count > 0 ? count - 1 : 0);
    return (snKeySummary){(uint32_t)count, count > 0 ? end_of(&last) : (double)NAN};
}

static void sum_paths(Summing* summing, const sniJson* root) {
    snFileSummary* out = summing->out;
    sniJson paths = sni_json_get(root, "paths");
    size_t count = sni_json_length(&paths);
    out->paths = SNI_NEW_ARRAY(&out->allocator, snPathSummary, count);
    if (out->paths == NULL) summing->reading.result = sni_fail_memory(summing->reading.error);
    for (size_t i = 0; i < count && summing->reading.result == SN_RESULT_OK; i++) {
        sniJson path = sni_json_item(&paths, i), handle = sni_json_get(&path, "handle"),
                keys = sni_json_get(&path, "keys");
        out->paths[i] = (snPathSummary){copy_word(summing, &handle), sum_keys(&keys)};
        out->path_count++;
    }
}

static void list_feet(Summing* summing, const sniJson* walk) {
    sniJson feet = sni_json_get(walk, "feet");
    sniJsonValue* names = sni_json_object();
    for (size_t i = 0; i < sni_json_length(&feet); i++) {
        sniJson foot = sni_json_item(&feet, i), handle = sni_json_get(&foot, "handle");
        add_name(names, sni_json_text(&handle));
    }
    list_names(summing, names, &summing->out->feet);
}

static void add_pose(void* user, const char* key, sniJsonValue* value) {
    (void)value;
    add_name(user, key);
}

static void sum_keyframes(Summing* summing, const sniJson* list) {
    sniJsonValue* poses = sni_json_object();
    for (size_t i = 0; i < sni_json_length(list); i++) {
        sniJson key = sni_json_item(list, i), weights = sni_json_get(&key, "poses");
        if (sni_json_is_object(&weights)) sni_json_each(weights.value, add_pose, poses);
    }
    summing->out->keyframes = sum_keys(list);
    list_names(summing, poses, &summing->out->poses);
}

static void sum_path(Summing* summing, const sniJson* root) {
    snFileSummary* out = summing->out;
    sniJson terrain = sni_json_get(root, "terrain"), kind = sni_json_get(&terrain, "kind"),
            walk = sni_json_get(root, "walk"), keyframes = sni_json_get(root, "keyframes");
    out->fps = number_of(root, "fps");
    out->duration = number_of(root, "duration");
    out->walks = walk.value != NULL;
    out->keyed = keyframes.value != NULL;
    out->terrain = copy_word(summing, &kind);
    sum_paths(summing, root);
    if (out->walks) list_feet(summing, &walk);
    if (out->keyed) sum_keyframes(summing, &keyframes);
}

// ---------------------------------------------------------------------------------------------------- file

static snResult apply(void* user, const sniJson* root, sniJson* out_where, snError* error) {
    static const char* const keys[SN_FILE_KINDS] = {"sinew_pose", "sinew_path", "sinew_rig"};
    static const char* const texts[SN_FILE_KINDS] = {"a pose (.snpose)", "a path file", "a rig (.snrig)"};
    Summing* summing = user;
    summing->reading = (sniReading){&summing->out->allocator, *root, SN_RESULT_OK, error};
    uint32_t kind = 0;
    while (kind < SN_FILE_KINDS && sni_json_get(root, keys[kind]).value == NULL) kind++;
    *out_where = *root;
    if (kind == SN_FILE_KINDS)
        return sni_fail(error, SN_RESULT_BAD_DATA,
                        "is not a pose (\"sinew_pose\"), path file (\"sinew_path\") or rig (\"sinew_rig\")");
    if (sni_expect_kind(&summing->reading, root, keys[kind], texts[kind])) {
        summing->out->kind = (snFileKind)kind;
        if (kind == SN_FILE_POSE) sum_pose(summing, root);
        if (kind == SN_FILE_PATH) sum_path(summing, root);
    }
    *out_where = summing->reading.where;
    return summing->reading.result;
}

// The tree is not the allocator's memory, but counts.
static snResult sum_text(const char* name, char* text, size_t size, sniLimit* limit, snFileSummary** out,
                         snError* error) {
    snAllocator memory = sni_limit_allocator(limit);
    size_t tree = sni_json_estimate(text, size);
    if (!sni_limit_reserve(limit, tree)) return sni_fail_memory(error);
    snFileSummary* summary = SNI_NEW(&memory, snFileSummary);
    snResult result = summary != NULL ? SN_RESULT_OK : sni_fail_memory(error);
    if (result == SN_RESULT_OK) {
        *summary = (snFileSummary){
            .size = (double)NAN, .fps = (double)NAN, .duration = (double)NAN, .allocator = memory};
        Summing summing = {.out = summary};
        result = sni_settings_parse(name, text, size, apply, &summing, error);
    }
    sni_limit_release(limit, tree);
    if (result == SN_RESULT_OK)
        *out = summary;
    else
        sn_file_summary_destroy(summary);
    return result;
}

// From memory where `data` is given, else from the file called `name`.
static snResult summarize(const char* name, const void* data, size_t size, const snReadDef* def,
                          snFileSummary** out, snError* error) {
    snReadDef defaults = sn_read_def();
    if (def == NULL) def = &defaults;
    sniLimit* limit = sni_limit_create(def->allocator, def->memory_limit);
    if (limit == NULL) return sni_fail_memory(error);
    snAllocator memory = sni_limit_allocator(limit);
    uint8_t* text = NULL;
    snResult result = sni_file_take(name, data, size, def->memory_limit, &memory, &text, &size, error);
    if (result == SN_RESULT_OK) result = sum_text(name, (char*)text, size, limit, out, error);
    sni_free(&memory, text);
    result = sni_limit_explain(limit, result, name, error);
    sni_limit_close(limit);
    return result;
}

snResult sn_file_summarize(const char* path, const snReadDef* def, snFileSummary** out, snError* error) {
    if (path == NULL || out == NULL)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a path and an output are needed");
    return summarize(path, NULL, 0, def, out, error);
}

snResult sn_file_summarize_memory(const char* name, const void* data, size_t size, const snReadDef* def,
                                  snFileSummary** out, snError* error) {
    if (name == NULL || out == NULL || (data == NULL && size > 0))
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a name, data and an output are needed");
    return summarize(name, data != NULL ? data : "", size, def, out, error);
}

void sn_file_summary_destroy(snFileSummary* summary) {
    if (summary == NULL) return;
    snAllocator memory = summary->allocator;
    sn_name_list_free(&summary->handles);
    sn_name_list_free(&summary->feet);
    sn_name_list_free(&summary->poses);
    for (uint32_t i = 0; i < summary->path_count; i++) sni_free(&memory, summary->paths[i].handle);
    sni_free(&memory, summary->paths);
    sni_free(&memory, summary->name);
    sni_free(&memory, summary->terrain);
    sni_free(&memory, summary);
}
