#include "info_files.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "report.h"
#include "rig_report.h"

bool info_is_file(const char* path) {
    return path_has_extension(path, ".snrig") || path_has_extension(path, ".snpose") ||
           path_has_extension(path, ".json");
}

// ---------------------------------------------------------------------------------------------------- JSON

// What is not said is left out.
static void set_number(sniJsonValue* object, const char* key, double value) {
    if (!isnan(value)) sni_json_set(object, key, sni_json_real(value));
}

static sniJsonValue* list_names(const snNameList* names) {
    sniJsonValue* list = sni_json_array();
    for (uint32_t i = 0; i < names->count; i++) sni_json_add(list, sni_json_string(names->names[i]));
    return list;
}

static void report_pose(const snFileSummary* pose, sniJsonValue* out) {
    if (pose->name != NULL) sni_json_set(out, "name", sni_json_string(pose->name));
    set_number(out, "size", pose->size);
    sni_json_set(out, "steps", sni_json_uint((uint64_t)pose->turns + pose->moves));
    sni_json_set(out, "turns", sni_json_uint(pose->turns));
    sni_json_set(out, "moves", sni_json_uint(pose->moves));
    sni_json_set(out, "handles", list_names(&pose->handles));
    sni_json_set(out, "details", sni_json_uint(pose->details));
}

static void report_keys(const snKeySummary* keys, sniJsonValue* out) {
    sni_json_set(out, "keys", sni_json_uint(keys->count));
    set_number(out, "end", keys->end);
}

static sniJsonValue* list_paths(const snFileSummary* file) {
    sniJsonValue* list = sni_json_array();
    for (uint32_t i = 0; i < file->path_count; i++) {
        const snPathSummary* path = &file->paths[i];
        sniJsonValue* object = sni_json_object();
        sni_json_set(object, "handle", sni_json_string(path->handle != NULL ? path->handle : ""));
        report_keys(&path->keys, object);
        sni_json_add(list, object);
    }
    return list;
}

static void report_path(const snFileSummary* file, sniJsonValue* out) {
    set_number(out, "fps", file->fps);
    set_number(out, "duration", file->duration);
    if (file->terrain != NULL) sni_json_set(out, "terrain", sni_json_string(file->terrain));
    sni_json_set(out, "paths", list_paths(file));
    if (file->walks) sni_json_set(out, "walk", list_names(&file->feet));
    if (!file->keyed) return;
    sniJsonValue* keyframes = sni_json_object();
    report_keys(&file->keyframes, keyframes);
    sni_json_set(keyframes, "poses", list_names(&file->poses));
    sni_json_set(out, "keyframes", keyframes);
}

static cliExit print_json(const cliContext* context, const char* path, const snFileSummary* file) {
    sniJsonValue* object = sni_json_object();
    sni_json_set(object, "file", sni_json_string(path));
    sni_json_set(object, "kind", sni_json_string(sn_file_kind_name(file->kind)));
    if (file->kind == SN_FILE_POSE)
        report_pose(file, object);
    else
        report_path(file, object);
    return report_print(context, object);
}

// -------------------------------------------------------------------------------------------------- people

static void print_names(const char* label, const snNameList* list) {
    if (list->count == 0) return;
    printf("  %-12s", label);
    for (uint32_t i = 0; i < list->count; i++) printf("%s %s", i > 0 ? "," : "", list->names[i]);
    putchar('\n');
}

static void print_pose(const snFileSummary* pose) {
    printf("  %-12s %s", "pose", pose->name != NULL ? pose->name : "called as its file");
    if (pose->size > 0.0) printf(", made on a model of size %g", pose->size);
    printf("\n  %-12s %" PRIu64 ": %u to turn, %u to move\n", "steps", (uint64_t)pose->turns + pose->moves,
           pose->turns, pose->moves);
    print_names("handles", &pose->handles);
    if (pose->details > 0)
        printf("  %-12s %" PRIu64 " vertices along their normals\n", "details", pose->details);
}

static void print_keys(const char* label, const snKeySummary* keys) {
    printf("  %-12s %u keys, up to %g s\n", label, keys->count, isnan(keys->end) ? 0.0 : keys->end);
}

static void print_path(const snFileSummary* file) {
    printf("  %-12s %g frames a second\n", "path file", isnan(file->fps) ? 30.0 : file->fps);
    if (file->terrain != NULL) printf("  %-12s %s\n", "terrain", file->terrain);
    for (uint32_t i = 0; i < file->path_count; i++) {
        char label[64];
        snprintf(label, sizeof label, "%.40s", file->paths[i].handle != NULL ? file->paths[i].handle : "");
        print_keys(label, &file->paths[i].keys);
    }
    print_names("walk of", &file->feet);
    if (!file->keyed) return;
    print_keys("keyframes", &file->keyframes);
    print_names("poses", &file->poses);
}

static void print(const char* path, const snFileSummary* file) {
    printf("%s\n", path);
    if (file->kind == SN_FILE_POSE)
        print_pose(file);
    else
        print_path(file);
}

cliExit info_file(const cliContext* context, const char* path) {
    snReadDef def = sn_read_def();
    def.allocator = &context->memory;
    def.memory_limit = context->budget.limit;
    snFileSummary* file = NULL;
    snError error = sn_error_none();
    if (sn_file_summarize(path, &def, &file, &error) != SN_RESULT_OK) return context_fail(context, &error);
    cliExit code = CLI_DONE;
    if (file->kind == SN_FILE_RIG)
        code = rig_report_file(context, path);
    else if (context->json)
        code = print_json(context, path, file);
    else
        print(path, file);
    sn_file_summary_destroy(file);
    return code;
}
