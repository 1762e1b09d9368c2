#include "outcome.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "io/file.h"

#define ERROR_BYTES 600

// --------------------------------------------------------------------------------------------------- drafts

bool batch_draft_make(const char* out, uint64_t id, char folder[BATCH_PATH], char file[BATCH_PATH]) {
    size_t length = sni_path_folder(out);
    if (strlen(out) + length + 64 > BATCH_PATH) {
        errno = ENAMETOOLONG;
        return false;
    }
    // One that was left behind is of this job, and we have its claim.
    snprintf(folder, BATCH_PATH, "%.*s.%016" PRIx64 ".tmp", (int)length, out, id);
    batch_draft_remove(folder);
    snprintf(file, BATCH_PATH, "%.3000s/%.1000s", folder, out + length);
    return batch_make_folders(folder);
}

typedef bool EntryFn(void* user, const char* name);

static bool each_entry(const char* folder, EntryFn* visit, void* user) {
    DIR* open = opendir(folder);
    if (open == NULL) return false;
    bool whole = true;
    const struct dirent* entry = NULL;
    while (whole && (entry = readdir(open)) != NULL) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        whole = visit(user, entry->d_name);
    }
    closedir(open);
    return whole;
}

static bool remove_entry(void* user, const char* name) {
    char path[2 * BATCH_PATH];
    snprintf(path, sizeof path, "%s/%s", (const char*)user, name);
    // A folder within: a temporary of a writer that was killed.
    if (unlink(path) != 0 && errno == EISDIR) {
        each_entry(path, remove_entry, path);
        rmdir(path);
    }
    return true;
}

void batch_draft_remove(const char* folder) {
    if (each_entry(folder, remove_entry, (void*)folder)) rmdir(folder);
}

static bool list_entry(void* user, const char* name) { return batch_paths_add(user, name); }

static void final_name(const char* out, const char* name, char path[2 * BATCH_PATH]) {
    snprintf(path, 2 * BATCH_PATH, "%.*s%s", (int)sni_path_folder(out), out, name);
}

static snResult name_files(const char* folder, const char* out, const batchPaths* names, snError* error) {
    char from[2 * BATCH_PATH], to[2 * BATCH_PATH];
    for (uint32_t i = 0; i < names->count; i++) {
        snprintf(from, sizeof from, "%s/%s", folder, names->items[i]);
        final_name(out, names->items[i], to);
        if (rename(from, to) != 0) return batch_fail_path(error, to, "write");
    }
    return SN_RESULT_OK;
}

// The one that was asked for comes first; a writer may have made others, or numbered ones instead.
static snResult list_files(const char* out, const batchPaths* names, batchInputs* inputs, sniJsonValue* list,
                           snError* error) {
    const char* first = out + sni_path_folder(out);
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < names->count; i++) {
            char path[2 * BATCH_PATH];
            batchContent content = {0};
            if ((strcmp(names->items[i], first) == 0) != (pass == 0)) continue;
            final_name(out, names->items[i], path);
            SNI_TRY(batch_inputs_again(inputs, path, &content, error));
            sni_json_add(list, batch_file_json(path, &content));
        }
    }
    return SN_RESULT_OK;
}

snResult batch_draft_keep(const char* folder, const char* out, batchInputs* inputs, sniJsonValue* record,
                          snError* error) {
    batchPaths names = {.allocator = sn_allocator_default()};
    snResult result = each_entry(folder, list_entry, &names) ? SN_RESULT_OK : sni_fail_memory(error);
    batch_paths_sort(&names);
    if (result == SN_RESULT_OK && names.count == 0)
        result = sni_fail(error, SN_RESULT_BAD_DATA, "it succeeded but wrote no file");
    if (result == SN_RESULT_OK) result = name_files(folder, out, &names, error);
    // At once, so that a kill leaves no folder that nobody will look for.
    batch_draft_remove(folder);
    sniJsonValue* list = sni_json_array();
    if (result == SN_RESULT_OK) result = list_files(out, &names, inputs, list, error);
    batch_paths_free(&names);
    sni_json_set(record, "files", list);
    return result;
}

// --------------------------------------------------------------------------------------------- what it said

static bool is_word(const sniBytes* words, const char* path) {
    for (size_t at = 0; at < words->size; at += strlen((const char*)words->data + at) + 1) {
        const char* word = (const char*)words->data + at;
        const char* equals = strchr(word, '=');
        if (strcmp(word, path) == 0 || (equals != NULL && strcmp(equals + 1, path) == 0)) return true;
    }
    return false;
}

static snResult add_read(const char* path, double begin, batchInputs* inputs, sniJsonValue* files,
                         snError* error) {
    batchContent content = {0};
    struct stat info;
    SNI_TRY(batch_inputs_again(inputs, path, &content, error));
    if (!content.there || stat(path, &info) != 0) return SN_RESULT_OK;
    double changed = (double)info.st_mtim.tv_sec + 1e-9 * (double)info.st_mtim.tv_nsec;
    if (changed < begin) {
        sni_json_add(files, batch_file_json(path, &content));
        return SN_RESULT_OK;
    }
    sniJsonValue* unsure = sni_json_object();
    sni_json_set(unsure, "path", sni_json_string(path));
    sni_json_add(files, unsure);
    return SN_RESULT_OK;
}

snResult batch_outcome_reads(const char* list, const sniBytes* words, const char* made, double begin,
                             batchInputs* inputs, sniJsonValue* record, const snAllocator* memory,
                             snError* error) {
    uint8_t* text = NULL;
    size_t size = 0;
    snResult result = sni_file_read(list, (size_t)16 << 20, memory, &text, &size, NULL);
    if (result == SN_RESULT_OUT_OF_MEMORY) return sni_fail_memory(error);
    sniJsonValue* files = sni_json_array();
    bool listed = result == SN_RESULT_OK; // else it reads nothing beside
    result = made != NULL ? add_read(made, begin, inputs, files, error) : SN_RESULT_OK;
    for (char* line = (char*)text; result == SN_RESULT_OK && listed && *line != '\0';) {
        size_t length = strcspn(line, "\n");
        bool last = line[length] == '\0';
        line[length] = '\0';
        if (line[0] != '\0' && !is_word(words, line)) result = add_read(line, begin, inputs, files, error);
        line += length + !last;
    }
    if (listed) sni_free(memory, text);
    sni_json_set(record, "reads", files);
    return result;
}

typedef struct Measures {
    sniJsonValue* out;
} Measures;

static void copy_measure(void* user, const char* key, sniJsonValue* value) {
    static const char* const kept[] = {"value", "verdict", "joint", "move", "time"};
    Measures* measures = user;
    sniJsonValue* object = sni_json_object();
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++) {
        sniJsonValue* part = sni_json_find(value, kept[i]);
        if (part != NULL) sni_json_set(object, kept[i], sni_json_copy(part));
    }
    sni_json_set(measures->out, key, object);
}

bool batch_outcome_said(const sniBytes* text, sniJsonValue* record) {
    sniJsonValue* json = NULL;
    size_t offset = 0;
    if (text->size == 0 ||
        sni_json_parse((const char*)text->data, text->size, &json, &offset, NULL) != SN_RESULT_OK)
        return false;
    sniJsonValue* verdict = sni_json_find(json, "verdict");
    sniJsonValue* confidence = sni_json_find(json, "map_confidence");
    sniJsonValue* method = sni_json_element(sni_json_find(json, "methods"), 0);
    sniJsonValue* measures = sni_json_find(method, "measures");
    bool judged = verdict != NULL && measures != NULL;
    if (confidence != NULL) sni_json_set(record, "confidence", sni_json_copy(confidence));
    if (judged) {
        Measures list = {sni_json_object()};
        sni_json_set(record, "verdict", sni_json_copy(verdict));
        sni_json_each(measures, copy_measure, &list);
        sni_json_set(record, "measures", list.out);
    }
    sni_json_free(json);
    return judged;
}

void batch_outcome_final(char* text, const char* draft) {
    size_t length = strlen(draft), folder = sni_path_folder(draft);
    if (length == 0) return;
    for (char* at = strstr(text, draft); at != NULL; at = strstr(at, draft)) {
        // "folder/.ID.tmp/" becomes "folder/".
        size_t cut = length - folder + (at[length] == '/');
        memmove(at + folder, at + folder + cut, strlen(at + folder + cut) + 1);
        at += folder;
    }
}

void batch_outcome_error(const batchEnd* end, const batchProcess* process, double limit,
                         const snAllocator* memory, char* out, size_t capacity) {
    sniBytes said = sni_bytes(memory);
    batch_process_said(process->err, ERROR_BYTES, &said);
    char* text = said.data != NULL ? (char*)said.data : "";
    size_t length = strlen(text);
    while (length > 0 && text[length - 1] == '\n') text[--length] = '\0';
    // A piece that was cut off at its start says nothing.
    const char* start =
        length + 1 >= ERROR_BYTES && strchr(text, '\n') != NULL ? strchr(text, '\n') + 1 : text;
    if (end->late)
        snprintf(out, capacity,
                 "took longer than %g s, and did not stop by itself; \"limits\" say how long it may", limit);
    else if (end->exit < 0)
        snprintf(out, capacity, "ended by signal %d%s%s%s", -end->exit,
                 end->exit == -SIGKILL ? " (no memory left, or somebody ended it)" : "",
                 start[0] != '\0' ? ": " : "", start);
    else if (start[0] != '\0')
        snprintf(out, capacity, "%s", start);
    else
        snprintf(out, capacity, "ended with exit code %d and said nothing", end->exit);
    sni_bytes_free(&said);
}
