#include "info_files.h"

#include <stdio.h>

#include "base/error.h"
#include "base/memory.h"
#include "io/file.h"
#include "io/kind.h"
#include "report.h"
#include "rig_report.h"

bool info_is_file(const char* path) {
    return path_has_extension(path, ".snrig") || path_has_extension(path, ".snpose") ||
           path_has_extension(path, ".json");
}

// ------------------------------------------------------------------------------------------------- reading

static double number_of(const sniJson* object, const char* key, double fallback) {
    sniJson json = sni_json_get(object, key);
    double value = fallback;
    return sni_json_number(&json, &value) ? value : fallback;
}

static void copy_number(const sniJson* object, const char* key, sniJsonValue* out) {
    sniJson json = sni_json_get(object, key);
    double value = 0.0;
    if (sni_json_number(&json, &value)) sni_json_set(out, key, sni_json_real(value));
}

// Names are gathered as the keys of an object, which has each once however many there are.
static void add_name(sniJsonValue* names, const char* name) {
    if (name != NULL && sni_json_find(names, name) == NULL) sni_json_set(names, name, sni_json_uint(1));
}

static void add_key(void* user, const char* key, sniJsonValue* value) {
    (void)value;
    sni_json_add(user, sni_json_string(key));
}

// In the order they came; frees the object.
static sniJsonValue* list_names(sniJsonValue* names) {
    sniJsonValue* list = sni_json_array();
    sni_json_each(names, add_key, list);
    sni_json_free(names);
    return list;
}

static snResult fail_kind(const sniJson* json, const char* what, sniJson* where, snError* error) {
    *where = *json;
    return sni_fail(error, SN_RESULT_BAD_DATA, "%s%s", json->at, what);
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

static snResult describe_pose(const sniJson* root, sniJsonValue* out, sniJson* where, snError* error) {
    sniJson steps = sni_json_get(root, "steps"), name = sni_json_get(root, "name");
    if (!sni_json_is_array(&steps)) return fail_kind(&steps, " is missing or no list of steps", where, error);
    sniJsonValue* handles = sni_json_object();
    uint64_t turns = 0, moves = 0;
    snResult result = SN_RESULT_OK;
    for (size_t i = 0; i < sni_json_length(&steps) && result == SN_RESULT_OK; i++) {
        sniJson step = sni_json_item(&steps, i), turn = sni_json_get(&step, "turn"),
                move = sni_json_get(&step, "move");
        bool turned = sni_json_text(&turn) != NULL;
        if (!turned && sni_json_text(&move) == NULL)
            result = fail_kind(&step, " says neither what to turn nor what to move", where, error);
        add_name(handles, sni_json_text(turned ? &turn : &move));
        turns += turned;
        moves += !turned;
    }
    if (sni_json_text(&name) != NULL) sni_json_set(out, "name", sni_json_string(sni_json_text(&name)));
    copy_number(root, "size", out);
    sni_json_set(out, "steps", sni_json_uint(turns + moves));
    sni_json_set(out, "turns", sni_json_uint(turns));
    sni_json_set(out, "moves", sni_json_uint(moves));
    sni_json_set(out, "handles", list_names(handles));
    sni_json_set(out, "details", sni_json_uint(count_details(root)));
    return result;
}

// --------------------------------------------------------------------------------------------------- paths

// [time, x, y, z] or [time, x, y, z, rest]; of keyframes their "time".
static double end_of(const sniJson* key) {
    sniJson time = sni_json_item(key, 0), rest = sni_json_item(key, 4);
    double begin = number_of(key, "time", 0.0), length = 0.0;
    sni_json_number(&time, &begin);
    sni_json_number(&rest, &length);
    return begin + length;
}

static void describe_keys(const sniJson* keys, sniJsonValue* out) {
    size_t count = sni_json_length(keys);
    sniJson last = sni_json_item(keys, count > 0 ? count - 1 : 0);
    sni_json_set(out, "keys", sni_json_uint(count));
    if (count > 0) sni_json_set(out, "end", sni_json_real(end_of(&last)));
}

static sniJsonValue* list_paths(const sniJson* root) {
    sniJson paths = sni_json_get(root, "paths");
    sniJsonValue* list = sni_json_array();
    for (size_t i = 0; i < sni_json_length(&paths); i++) {
        sniJson path = sni_json_item(&paths, i), handle = sni_json_get(&path, "handle"),
                keys = sni_json_get(&path, "keys");
        sniJsonValue* object = sni_json_object();
        const char* name = sni_json_text(&handle);
        sni_json_set(object, "handle", sni_json_string(name != NULL ? name : ""));
        describe_keys(&keys, object);
        sni_json_add(list, object);
    }
    return list;
}

static sniJsonValue* list_feet(const sniJson* walk) {
    sniJson feet = sni_json_get(walk, "feet");
    sniJsonValue* names = sni_json_object();
    for (size_t i = 0; i < sni_json_length(&feet); i++) {
        sniJson foot = sni_json_item(&feet, i), handle = sni_json_get(&foot, "handle");
        add_name(names, sni_json_text(&handle));
    }
    return list_names(names);
}

static void add_pose(void* user, const char* key, sniJsonValue* value) {
    (void)value;
    add_name(user, key);
}

static sniJsonValue* describe_keyframes(const sniJson* list) {
    sniJsonValue *object = sni_json_object(), *poses = sni_json_object();
    for (size_t i = 0; i < sni_json_length(list); i++) {
        sniJson key = sni_json_item(list, i), weights = sni_json_get(&key, "poses");
        if (sni_json_is_object(&weights)) sni_json_each(weights.value, add_pose, poses);
    }
    describe_keys(list, object);
    sni_json_set(object, "poses", list_names(poses));
    return object;
}

static void describe_path(const sniJson* root, sniJsonValue* out) {
    sniJson terrain = sni_json_get(root, "terrain"), kind = sni_json_get(&terrain, "kind"),
            walk = sni_json_get(root, "walk"), keyframes = sni_json_get(root, "keyframes");
    copy_number(root, "fps", out);
    copy_number(root, "duration", out);
    if (sni_json_text(&kind) != NULL) sni_json_set(out, "terrain", sni_json_string(sni_json_text(&kind)));
    sni_json_set(out, "paths", list_paths(root));
    if (walk.value != NULL) sni_json_set(out, "walk", list_feet(&walk));
    if (keyframes.value != NULL) sni_json_set(out, "keyframes", describe_keyframes(&keyframes));
}

// ------------------------------------------------------------------------------------------------- people

static void print_names(const char* label, const sniJsonValue* list) {
    if (sni_json_count(list) == 0) return;
    printf("  %-12s", label);
    for (size_t i = 0; i < sni_json_count(list); i++) {
        sniJson item = sni_json_root(sni_json_element(list, i));
        printf("%s %s", i > 0 ? "," : "", sni_json_text(&item));
    }
    putchar('\n');
}

static void print_pose(const sniJson* info) {
    sniJson name = sni_json_get(info, "name");
    double size = number_of(info, "size", 0.0), details = number_of(info, "details", 0.0);
    printf("  %-12s %s", "pose", sni_json_text(&name) != NULL ? sni_json_text(&name) : "called as its file");
    if (size > 0.0) printf(", made on a model of size %g", size);
    printf("\n  %-12s %.0f: %.0f to turn, %.0f to move\n", "steps", number_of(info, "steps", 0.0),
           number_of(info, "turns", 0.0), number_of(info, "moves", 0.0));
    print_names("handles", sni_json_find(info->value, "handles"));
    if (details > 0.0) printf("  %-12s %.0f vertices along their normals\n", "details", details);
}

static void print_keys(const char* label, const sniJson* info) {
    printf("  %-12s %.0f keys, up to %g s\n", label, number_of(info, "keys", 0.0),
           number_of(info, "end", 0.0));
}

static void print_path(const sniJson* info) {
    sniJson terrain = sni_json_get(info, "terrain"), paths = sni_json_get(info, "paths"),
            keyframes = sni_json_get(info, "keyframes");
    printf("  %-12s %g frames a second\n", "path file", number_of(info, "fps", 30.0));
    if (sni_json_text(&terrain) != NULL) printf("  %-12s %s\n", "terrain", sni_json_text(&terrain));
    for (size_t i = 0; i < sni_json_length(&paths); i++) {
        sniJson path = sni_json_item(&paths, i), handle = sni_json_get(&path, "handle");
        char label[64];
        snprintf(label, sizeof label, "%.40s", sni_json_text(&handle));
        print_keys(label, &path);
    }
    print_names("walk of", sni_json_find(info->value, "walk"));
    if (keyframes.value == NULL) return;
    print_keys("keyframes", &keyframes);
    print_names("poses", sni_json_find(keyframes.value, "poses"));
}

// ---------------------------------------------------------------------------------------------------- file

typedef enum Kind { POSE, PATH, RIG } Kind;
typedef struct Described {
    Kind kind;
    sniJsonValue* info;
} Described;

static snResult describe(void* user, const sniJson* root, sniJson* out_where, snError* error) {
    static const char* const keys[] = {"sinew_pose", "sinew_path", "sinew_rig"};
    static const char* const kinds[] = {"pose", "path", "rig"};
    static const char* const texts[] = {"a pose (.snpose)", "a path file", "a rig (.snrig)"};
    sniReading reading = {NULL, *root, SN_RESULT_OK, error};
    Described* described = user;
    uint32_t kind = 0;
    while (kind < 3 && sni_json_get(root, keys[kind]).value == NULL) kind++;
    *out_where = *root;
    if (kind == 3)
        return sni_fail(error, SN_RESULT_BAD_DATA,
                        "is no pose (\"sinew_pose\"), path file (\"sinew_path\") or rig (\"sinew_rig\")");
    if (!sni_expect_kind(&reading, root, keys[kind], texts[kind])) {
        *out_where = reading.where;
        return reading.result;
    }
    described->kind = (Kind)kind;
    sni_json_set(described->info, "kind", sni_json_string(kinds[kind]));
    if (kind == POSE) return describe_pose(root, described->info, out_where, error);
    if (kind == PATH) describe_path(root, described->info);
    return SN_RESULT_OK;
}

static void print(const Described* described, const char* path) {
    sniJson info = sni_json_root(described->info);
    printf("%s\n", path);
    if (described->kind == POSE)
        print_pose(&info);
    else
        print_path(&info);
}

cliExit info_file(const cliContext* context, const char* path) {
    const snAllocator* memory = &context->memory;
    uint8_t* text = NULL;
    size_t size = 0;
    snError error = sn_error_none();
    Described described = {POSE, sni_json_object()};
    sni_json_set(described.info, "file", sni_json_string(path));
    snResult result = sni_file_read(path, context->budget.limit, memory, &text, &size, &error);
    if (result == SN_RESULT_OK && sni_json_estimate((const char*)text, size) > context->budget.limit)
        result = sni_fail(&error, SN_RESULT_LIMIT, "%s needs more than --memory allows", path);
    if (result == SN_RESULT_OK)
        result = sni_settings_parse(path, (char*)text, size, describe, &described, &error);
    sni_free(memory, text);
    cliExit code = result == SN_RESULT_OK ? CLI_DONE : context_fail(context, &error);
    if (code == CLI_DONE && described.kind == RIG) {
        sni_json_free(described.info);
        return rig_report_file(context, path);
    }
    if (code == CLI_DONE && context->json) return report_print(context, described.info);
    if (code == CLI_DONE) print(&described, path);
    sni_json_free(described.info);
    return code;
}
