// Path files: paths, walks, terrain and keyframes as JSON.
#include "path_file.h"

#include <float.h>
#include <stdio.h>

#include "file.h"
#include "limit.h"

// -------------------------------------------------------------------------------------------------- values

bool sni_path_object(sniPathReading* r, const sniJson* json, const char* const* known) {
    return sni_expect_object(r->reading, json, known);
}

void sni_path_float(sniPathReading* r, const sniJson* object, const char* key, float low, float high,
                    float* io) {
    sniJson json = sni_json_get(object, key);
    float value = 0.0f;
    if (json.value == NULL || !sni_path_good(r)) return;
    if (sni_get_float(&json, low, high, &value)) {
        *io = value;
        return;
    }
    char expected[80];
    if (high < FLT_MAX)
        snprintf(expected, sizeof expected, "a number from %g to %g", (double)low, (double)high);
    else if (low > -FLT_MAX)
        snprintf(expected, sizeof expected, "a number from %g on", (double)low);
    else
        snprintf(expected, sizeof expected, "a number");
    sni_fault_kind(r->reading, &json, expected);
}

void sni_path_bool(sniPathReading* r, const sniJson* object, const char* key, bool* io) {
    sniJson json = sni_json_get(object, key);
    if (json.value == NULL || !sni_path_good(r)) return;
    if (!sni_get_bool(&json, io)) sni_fault_kind(r->reading, &json, "true or false");
}

bool sni_path_choice(sniPathReading* r, const sniJson* object, const char* key, const char* const* names,
                     uint32_t* io) {
    sniJson json = sni_json_get(object, key);
    if (json.value == NULL || !sni_path_good(r)) return false;
    if (sni_get_choice(&json, names, io)) return true;
    char expected[160] = "one of";
    for (; *names != NULL; names++) {
        size_t used = strlen(expected);
        snprintf(expected + used, sizeof expected - used, " %s", *names);
    }
    sni_fault_kind(r->reading, &json, expected);
    return false;
}

bool sni_path_numbers(sniPathReading* r, const sniJson* json, uint32_t count, const char* what, float* out) {
    bool right = sni_json_length(json) == count;
    for (uint32_t i = 0; i < count && right; i++) {
        sniJson item = sni_json_item(json, i);
        right = sni_get_float(&item, -FLT_MAX, FLT_MAX, &out[i]);
    }
    if (!right) sni_fault_kind(r->reading, json, what);
    return right;
}

uint32_t sni_path_list(sniPathReading* r, const sniJson* json, const char* what) {
    size_t count = sni_json_length(json);
    if (count > 0 && count <= SNI_PATH_LIST_MAX) return (uint32_t)count;
    if (sni_json_is_array(json) && count == 0)
        sni_fault(r->reading, json, "is empty, expected %s", what);
    else if (sni_json_is_array(json))
        sni_fault(r->reading, json, "has %zu entries, expected up to %u", count, SNI_PATH_LIST_MAX);
    else
        sni_fault_kind(r->reading, json, what);
    return 0;
}

// ---------------------------------------------------------------------------------------------------- root

static void read_objective(sniPathReading* r, const sniJson* json) {
    static const char* const known[] = {"target",   "in_use", "last",      "weights", "one", "spread",
                                        "examples", "wanted", "threshold", "radius",  NULL};
    snObjective* o = &r->file->objective;
    if (json->value == NULL || !sni_path_object(r, json, known)) return;
    float wanted = (float)o->wanted;
    const struct {
        const char* key;
        float* value;
        float low, high;
    } terms[] = {{"target", &o->target, 0.0f, 1e6f},
                 {"in_use", &o->in_use, 0.0f, 1e6f},
                 {"last", &o->last, 0.0f, 1e6f},
                 {"weights", &o->weights, 0.0f, 1e6f},
                 {"one", &o->one, 0.0f, 1e6f},
                 {"spread", &o->spread, 0.0f, 1e6f},
                 {"examples", &o->examples, 0.0f, 1e6f},
                 {"wanted", &wanted, 0.0f, 1e6f},
                 {"threshold", &o->threshold, 0.0f, 1.0f},
                 {"radius", &o->radius, 1e-6f, 1e6f}};
    for (size_t i = 0; i < sizeof terms / sizeof terms[0]; i++)
        sni_path_float(r, json, terms[i].key, terms[i].low, terms[i].high, terms[i].value);
    o->wanted = (uint32_t)wanted;
}

static void read_settings(sniPathReading* r, const sniJson* root) {
    snPathFile* file = r->file;
    const char* searches[SN_SEARCH_COUNT + 1] = {NULL};
    const char* orders[SN_POSE_ORDER_COUNT + 1] = {NULL};
    for (uint32_t i = 0; i < SN_SEARCH_COUNT; i++) searches[i] = sn_search_name((snSearch)i);
    for (uint32_t i = 0; i < SN_POSE_ORDER_COUNT; i++) orders[i] = sn_pose_order_name((snPoseOrder)i);
    uint32_t choice = 0;
    sni_path_float(r, root, "fps", 0.1f, 1000.0f, &file->fps);
    sni_path_float(r, root, "duration", 0.0f, 1e5f, &file->duration);
    sni_path_float(r, root, "heading", 0.0f, 100.0f, &file->heading);
    sni_path_float(r, root, "blend", 0.0f, 100.0f, &file->blend);
    sni_path_float(r, root, "smooth", 0.0f, 5.0f, &file->smooth);
    sni_path_float(r, root, "steady", 0.0f, 5.0f, &file->steady);
    sni_path_float(r, root, "change", 0.0f, 1.0f, &file->change);
    if (sni_path_choice(r, root, "search", searches, &choice)) file->search = (snSearch)choice;
    if (sni_path_choice(r, root, "order", orders, &choice)) file->order = (snPoseOrder)choice;
    sniJson objective = sni_json_get(root, "objective"), base = sni_json_get(root, "base");
    read_objective(r, &objective);
    const char* name = NULL;
    if (base.value == NULL || !sni_path_good(r)) return;
    if (sni_get_name(&base, &name))
        sni_path_find_pose(r, &base, name, &file->base);
    else
        sni_fault_kind(r->reading, &base, "the name of a pose");
}

static void read_version(sniPathReading* r, const sniJson* root) {
    static const struct {
        const char *key, *kind;
    } others[] = {{"sinew_pose", "a pose (.snpose)"}, {"sinew_rig", "a rig (.snrig)"}};
    sniJson version = sni_json_get(root, "sinew_path");
    int64_t number = 0;
    if (sni_json_whole(&version, &number) && number == 1) return;
    for (size_t i = 0; i < sizeof others / sizeof others[0] && version.value == NULL; i++) {
        if (sni_json_get(root, others[i].key).value != NULL)
            sni_fault(r->reading, root, "is %s, expected a path file", others[i].kind);
    }
    sni_fault_kind(r->reading, &version, "version 1 of a path file");
}

static void read_root(sniPathReading* r, const sniJson* root) {
    static const char* const known[] = {"sinew_path", "fps",       "smooth", "steady", "duration",
                                        "heading",    "blend",     "change", "search", "order",
                                        "terrain",    "objective", "base",   "paths",  "walk",
                                        "loop",       "keyframes", "legs",   NULL};
    // The version first: a pose or a rig given by mistake is no path file with an unknown key.
    if (sni_json_is_object(root)) read_version(r, root);
    if (!sni_path_good(r) || !sni_path_object(r, root, known)) return;
    sniJson terrain = sni_json_get(root, "terrain"), paths = sni_json_get(root, "paths"),
            walk = sni_json_get(root, "walk"), keyframes = sni_json_get(root, "keyframes");
    read_settings(r, root);
    if (sni_path_good(r) && terrain.value != NULL) sni_path_read_terrain(r, &terrain);
    if (sni_path_good(r) && paths.value != NULL) sni_path_read_paths(r, &paths);
    if (sni_path_good(r)) sni_path_fit_legs(r, root);
    if (sni_path_good(r) && walk.value != NULL) sni_path_read_walk(r, &walk);
    if (sni_path_good(r) && keyframes.value != NULL) sni_path_read_keyframes(r, &keyframes);
    sni_path_bool(r, root, "loop", &r->file->keyframes.loop);
    const char* followed = paths.value != NULL ? "paths" : walk.value != NULL ? "walk" : NULL;
    if (sni_path_good(r) && followed != NULL && keyframes.value != NULL)
        sni_fault(r->reading, &keyframes, "stands beside \"%s\", expected one of the two", followed);
}

// ------------------------------------------------------------------------------------------------- reading

typedef struct Input {
    const snPathReadDef* def;
    const snAllocator* memory;
    const sniBeside* beside;
    snPathFile* made;
} Input;

static snPathFile* new_file(const snAllocator* memory) {
    snPathFile* file = SNI_NEW(memory, snPathFile);
    if (file == NULL) return NULL;
    snPathPlayerDef player = sn_path_player_def();
    file->allocator = *memory;
    file->fps = player.fps;
    file->base = player.base;
    file->change = player.change;
    file->blend = player.blend;
    file->smooth = player.smooth;
    file->steady = player.steady;
    file->search = player.search;
    file->order = player.order;
    file->objective = player.objective;
    return file;
}

static snResult apply_file(void* user, const sniJson* root, sniJson* out_where, snError* error) {
    Input* input = user;
    sniReading reading = {input->memory, *root, SN_RESULT_OK, error};
    snPathFile* file = new_file(input->memory);
    if (file == NULL) return sni_fail_memory(error);
    sniPathReading r = {&reading, input->def, input->memory, input->beside, input->def->read.memory_limit,
                        file};
    read_root(&r, root);
    *out_where = reading.where;
    if (reading.result == SN_RESULT_OK)
        input->made = file;
    else
        sn_path_file_destroy(file);
    return reading.result;
}

// Takes the text over. The tree is not the allocator's memory, but counts.
static snResult read_text(const char* name, char* text, size_t size, const sniBeside* beside,
                          const snPathReadDef* def, sniLimit* limit, snPathFile** out, snError* error) {
    snAllocator memory = sni_limit_allocator(limit);
    size_t tree = sni_json_estimate(text, size);
    snResult result = SN_RESULT_OK;
    if (sni_limit_reserve(limit, tree)) {
        Input input = {def, &memory, beside, NULL};
        result = sni_settings_parse(name, text, size, apply_file, &input, error);
        sni_limit_release(limit, tree);
        if (result == SN_RESULT_OK) *out = input.made;
    } else {
        result = sni_fail_memory(error);
    }
    sni_free(&memory, text);
    return result;
}

snPathReadDef sn_path_read_def(void) {
    snPathReadDef def = {0};
    def.read = sn_read_def();
    return def;
}

snResult sn_path_file_read_memory(const char* name, const void* data, size_t size, const snPathReadDef* def,
                                  snPathFile** out, snError* error) {
    if (name == NULL || out == NULL || def == NULL || def->handles == NULL || (data == NULL && size > 0))
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a name, data, handles and an output are needed");
    sniLimit* limit = sni_limit_create(def->read.allocator, def->read.memory_limit);
    if (limit == NULL) return sni_fail_memory(error);
    snAllocator memory = sni_limit_allocator(limit);
    sniBeside beside = {name, def->read.files, def->read.opened, NULL};
    const sniBeside* reachable = beside.files != NULL ? &beside : NULL;
    char* text = sni_copy_array(&memory, data, size, 1);
    snResult result = text != NULL ? read_text(name, text, size, reachable, def, limit, out, error)
                                   : sni_fail_memory(error);
    result = sni_limit_explain(limit, result, name, error);
    sni_limit_close(limit);
    return result;
}

snResult sn_path_file_read(const char* path, const snPathReadDef* def, snPathFile** out, snError* error) {
    if (path == NULL || out == NULL || def == NULL || def->handles == NULL)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a path, handles and an output are needed");
    sniLimit* limit = sni_limit_create(def->read.allocator, def->read.memory_limit);
    if (limit == NULL) return sni_fail_memory(error);
    snAllocator memory = sni_limit_allocator(limit);
    sniBeside beside = {path, def->read.files, def->read.opened, NULL};
    uint8_t* text = NULL;
    size_t size = 0;
    snResult result = sni_file_read(path, def->read.memory_limit, &memory, &text, &size, error);
    if (result == SN_RESULT_OK) result = read_text(path, (char*)text, size, &beside, def, limit, out, error);
    result = sni_limit_explain(limit, result, path, error);
    sni_limit_close(limit);
    return result;
}

void sn_path_file_destroy(snPathFile* file) {
    if (file == NULL) return;
    snAllocator memory = file->allocator;
    for (uint32_t k = 0; file->keyframes.keys != NULL && k < file->keyframes.key_count; k++)
        sni_free(&memory, (void*)file->keyframes.keys[k].shares);
    sni_free(&memory, (void*)file->keyframes.keys);
    sni_free(&memory, file->heights);
    sn_paths_destroy(file->paths);
    sni_free(&memory, file);
}
