#include "pattern.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/glob.h"
#include "io/file.h"

// ------------------------------------------------------------------------------------------ names in braces

size_t batch_stem(const char* path, const char** out) {
    // "builtin:body" is called body.
    const char* colon = strncmp(path, "builtin:", 8) == 0 ? path + 8 : path;
    const char* name = colon + sni_path_folder(colon);
    const char* point = strrchr(name, '.');
    *out = name;
    return point != NULL && point != name ? (size_t)(point - name) : strlen(name);
}

enum { CHARACTER, MOTION, CHARACTER_PATH, MOTION_PATH, CHARACTER_FOLDER, MOTION_FOLDER, RECIPE, OUT, NAMES };
static const char* const names_of[NAMES] = {
    "character",        "motion",        "character_path", "motion_path",
    "character_folder", "motion_folder", "recipe",         "out"};

static int find_name(const char* text, size_t length) {
    for (int i = 0; i < NAMES; i++)
        if (strlen(names_of[i]) == length && memcmp(names_of[i], text, length) == 0) return i;
    return NAMES;
}

snResult batch_pattern_check(const char* pattern, snError* error) {
    for (const char* at = strchr(pattern, '{'); at != NULL; at = strchr(at, '{')) {
        size_t length = strcspn(++at, "}");
        if (at[length] != '}')
            return sni_fail(error, SN_RESULT_BAD_DATA, "\"%.100s\" has a { without a }", pattern);
        if (find_name(at, length) == NAMES)
            return sni_fail(
                error, SN_RESULT_BAD_DATA,
                "\"%.100s\": {%.*s} is not a placeholder; there are {character}, {motion}, {recipe}, "
                "{character_path}, {motion_path}, {character_folder}, {motion_folder}, {out}",
                pattern, (int)(length < 40 ? length : 40), at);
        at += length;
    }
    return SN_RESULT_OK;
}

static void add_stem(const char* path, sniBytes* out) {
    const char* stem = NULL;
    size_t length = batch_stem(path, &stem);
    sni_bytes_add(out, stem, length);
}

static void add_folder(const char* path, sniBytes* out) {
    size_t length = sni_path_folder(path);
    if (length > 1)
        sni_bytes_add(out, path, length - 1);
    else
        sni_bytes_text(out, ".");
}

static bool add_name(int which, const batchNames* names, sniBytes* out) {
    const char* const from[NAMES] = {names->character, names->motion, names->character, names->motion,
                                     names->character, names->motion, names->recipe,    names->out};
    const char* text = from[which];
    if (text == NULL) return false;
    if (which == CHARACTER || which == MOTION)
        add_stem(text, out);
    else if (which == CHARACTER_FOLDER || which == MOTION_FOLDER)
        add_folder(text, out);
    else
        sni_bytes_text(out, text);
    return true;
}

bool batch_pattern_expand(const char* pattern, const batchNames* names, sniBytes* out) {
    bool whole = true;
    while (*pattern != '\0') {
        size_t plain = strcspn(pattern, "{");
        sni_bytes_add(out, pattern, plain);
        pattern += plain;
        if (*pattern == '\0') break;
        size_t length = strcspn(++pattern, "}");
        int which = find_name(pattern, length);
        whole = which < NAMES && add_name(which, names, out) && whole;
        pattern += length + (pattern[length] == '}');
    }
    return whole;
}

void batch_word(sniBytes* words, const char* text) { sni_bytes_add(words, text, strlen(text) + 1); }

// -------------------------------------------------------------------------------------------------- paths

void batch_paths_free(batchPaths* paths) {
    for (uint32_t i = 0; i < paths->count; i++) sni_free(&paths->allocator, paths->items[i]);
    if (paths->items != NULL) sni_free(&paths->allocator, (void*)paths->items);
    *paths = (batchPaths){.allocator = paths->allocator};
}

bool batch_paths_add(batchPaths* paths, const char* path) {
    if (paths->count == paths->room) {
        uint32_t room = paths->room > 0 ? 2 * paths->room : 64;
        char** items = SNI_NEW_ARRAY(&paths->allocator, char*, room);
        if (items == NULL) return false;
        if (paths->count > 0) memcpy((void*)items, (const void*)paths->items, paths->count * sizeof(char*));
        sni_free(&paths->allocator, (void*)paths->items);
        paths->items = items;
        paths->room = room;
    }
    char* made = sni_copy_text(&paths->allocator, path);
    if (made != NULL) paths->items[paths->count++] = made;
    return made != NULL;
}

static int by_bytes(const void* a, const void* b) { return strcmp(*(char* const*)a, *(char* const*)b); }

void batch_paths_sort(batchPaths* paths) {
    if (paths->count < 2) return;
    qsort((void*)paths->items, paths->count, sizeof(char*), by_bytes);
    uint32_t kept = 1;
    for (uint32_t i = 1; i < paths->count; i++) {
        if (strcmp(paths->items[i], paths->items[kept - 1]) == 0)
            sni_free(&paths->allocator, paths->items[i]);
        else
            paths->items[kept++] = paths->items[i];
    }
    paths->count = kept;
}

// ------------------------------------------------------------------------------------------------- walking

// Folders within folders that ** goes into.
#define DEPTH_MAX 32
#define PATH_BYTES 4096

typedef struct Walk {
    batchPaths* paths;
    snError* error;
    uint32_t depth;
    char path[PATH_BYTES]; // what is looked at now
} Walk;

static snResult walk(Walk* w, size_t length, const char* pattern);

// Puts a name behind what is looked at; the new length, or 0 when that is too long.
static size_t append(Walk* w, size_t length, const char* name, size_t size, bool folder) {
    if (length + size + 2 > sizeof w->path) return 0;
    memcpy(w->path + length, name, size);
    length += size;
    if (folder) w->path[length++] = '/';
    w->path[length] = '\0';
    return length;
}

static snResult add_file(Walk* w) {
    struct stat info;
    if (stat(w->path, &info) != 0 || !S_ISREG(info.st_mode)) return SN_RESULT_OK;
    return batch_paths_add(w->paths, w->path) ? SN_RESULT_OK : sni_fail_memory(w->error);
}

static snResult go_on(Walk* w, size_t length, const char* name, size_t size, const char* rest) {
    size_t longer = append(w, length, name, size, rest != NULL);
    if (longer == 0) return sni_fail(w->error, SN_RESULT_LIMIT, "%.200s...: the path is too long", w->path);
    snResult result = rest != NULL ? walk(w, longer, rest) : add_file(w);
    w->path[length] = '\0';
    return result;
}

static bool is_real_folder(Walk* w, size_t length, const char* name) {
    struct stat info;
    // Links are followed where the pattern names them, not where anything goes: they may lead in circles.
    bool is = append(w, length, name, strlen(name), false) > 0 && lstat(w->path, &info) == 0 &&
              S_ISDIR(info.st_mode);
    w->path[length] = '\0';
    return is;
}

// Every name of the folder: `part` NULL: into its folders with the pattern `rest`; else those that match go
// on with it.
static snResult walk_names(Walk* w, size_t length, const char* part, const char* rest) {
    DIR* folder = opendir(length > 0 ? w->path : ".");
    if (folder == NULL) return SN_RESULT_OK; // what cannot be read has nothing
    snResult result = SN_RESULT_OK;
    const struct dirent* entry = NULL;
    while (result == SN_RESULT_OK && (entry = readdir(folder)) != NULL) {
        const char* name = entry->d_name;
        if (name[0] == '.' && (part == NULL || part[0] != '.')) continue;
        if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0) continue;
        if (part != NULL ? sni_glob_matches(part, name) : is_real_folder(w, length, name))
            result = go_on(w, length, name, strlen(name), rest);
    }
    closedir(folder);
    return result;
}

// The pattern from here on, below what is looked at.
static snResult walk(Walk* w, size_t length, const char* pattern) {
    char part[256];
    size_t size = strcspn(pattern, "/");
    if (size >= sizeof part)
        return sni_fail(w->error, SN_RESULT_LIMIT, "%.100s...: a name in the pattern is too long", pattern);
    const char* rest = pattern[size] == '/' ? pattern + size + 1 : NULL;
    memcpy(part, pattern, size);
    part[size] = '\0';
    if (strcmp(part, "**") == 0) {
        while (rest != NULL && strncmp(rest, "**/", 3) == 0) rest += 3;
        if (rest == NULL) rest = "*"; // all files below
        snResult result = walk(w, length, rest);
        if (result == SN_RESULT_OK && w->depth < DEPTH_MAX) {
            w->depth++;
            result = walk_names(w, length, NULL, pattern);
            w->depth--;
        }
        return result;
    }
    if (strpbrk(part, "*?") == NULL) return go_on(w, length, pattern, size, rest);
    return walk_names(w, length, part, rest);
}

snResult batch_paths_find(const char* pattern, batchPaths* paths, uint32_t* out_count, snError* error) {
    uint32_t before = paths->count;
    snResult result = SN_RESULT_OK;
    if (strpbrk(pattern, "*?") == NULL) {
        if (!batch_paths_add(paths, pattern)) result = sni_fail_memory(error);
    } else {
        Walk w = {.paths = paths, .error = error};
        result = walk(&w, 0, pattern);
    }
    *out_count = paths->count - before;
    return result;
}
