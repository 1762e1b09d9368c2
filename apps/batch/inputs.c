#include "inputs.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/name_table.h"
#include "io/bytes.h"
#include "io/file.h"
#include "io/save.h"
#include "pattern.h"

// A file that was written while it was hashed may have the same time and other bytes; what is younger than
// this is hashed again. Some file systems count whole seconds.
#define YOUNG_NS INT64_C(2000000000)

typedef struct Stamp {
    uint64_t size, node;
    int64_t time;   // nanoseconds; of the bytes
    int64_t change; // the same, of anything about it: nobody can set it back
} Stamp;

typedef struct Known {
    char* path;
    Stamp stamp;
    uint64_t hash;
    uint64_t size;
    bool there;
    bool asked; // in this process: it stays what it was then
} Known;

struct batchInputs {
    Known* items;
    size_t count, room;
    sniNameTable table; // of `table_room` names
    size_t table_room;
    char file[4096];
    int64_t saved; // when the list was written, nanoseconds; 0: never
    snAllocator memory;
};

// --------------------------------------------------------------------------------------------------- table

static bool grow(batchInputs* in) {
    if (in->count < in->room) return true;
    size_t room = in->room > 0 ? 2 * in->room : 256;
    Known* items = SNI_NEW_ARRAY(&in->memory, Known, room);
    sniNameTable table = {0};
    if (items == NULL || !sni_name_table_create(room, &in->memory, &table)) {
        sni_free(&in->memory, items);
        return false;
    }
    if (in->count > 0) memcpy(items, in->items, in->count * sizeof *items);
    for (size_t i = 0; i < in->count; i++) {
        size_t length = strlen(items[i].path);
        *sni_name_table_at(&table, items[i].path, length) = (sniName){items[i].path, length, (uint32_t)i};
    }
    sni_free(&in->memory, in->items);
    sni_name_table_free(&in->table, &in->memory);
    in->items = items;
    in->table = table;
    in->room = room;
    return true;
}

// The entry of a path, made where there is none; NULL when out of memory.
static Known* entry_of(batchInputs* in, const char* path) {
    if (!grow(in)) return NULL;
    size_t length = strlen(path);
    sniName* slot = sni_name_table_at(&in->table, path, length);
    if (slot->text != NULL) return &in->items[slot->number];
    Known* item = &in->items[in->count];
    *item = (Known){.path = sni_copy_text(&in->memory, path)};
    if (item->path == NULL) return NULL;
    *slot = (sniName){item->path, length, (uint32_t)in->count++};
    return item;
}

// ----------------------------------------------------------------------------------------------- the list

static int64_t nanoseconds(struct timespec time) {
    return (int64_t)time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

// HASH SIZE NODE TIME CHANGE PATH, a line each.
static void read_line(batchInputs* in, const char* line) {
    Known known = {0};
    int path = 0;
    if (sscanf(line, "%" SCNx64 " %" SCNu64 " %" SCNu64 " %" SCNd64 " %" SCNd64 " %n", &known.hash,
               &known.stamp.size, &known.stamp.node, &known.stamp.time, &known.stamp.change, &path) != 5 ||
        path == 0 || line[path] == '\0')
        return;
    // Of a time when it could still change unseen: nothing is known.
    if (known.stamp.change + YOUNG_NS > in->saved) return;
    Known* item = entry_of(in, line + path);
    if (item == NULL || item->there) return;
    item->stamp = known.stamp;
    item->hash = known.hash;
    item->size = known.stamp.size;
    item->there = true;
}

static void read_list(batchInputs* in) {
    struct stat info;
    uint8_t* text = NULL;
    size_t size = 0;
    if (stat(in->file, &info) != 0) return;
    in->saved = nanoseconds(info.st_mtim);
    if (sni_file_read(in->file, (size_t)1 << 30, &in->memory, &text, &size, NULL) != SN_RESULT_OK) return;
    for (char* line = (char*)text; *line != '\0';) {
        size_t length = strcspn(line, "\n");
        bool last = line[length] == '\0';
        line[length] = '\0';
        read_line(in, line);
        line += length + !last;
    }
    sni_free(&in->memory, text);
}

snResult batch_inputs_open(const char* state, const snAllocator* memory, batchInputs** out, snError* error) {
    batchInputs* in = SNI_NEW(memory, batchInputs);
    if (in == NULL) return sni_fail_memory(error);
    in->memory = *memory;
    snprintf(in->file, sizeof in->file, "%s/inputs", state);
    read_list(in);
    *out = in;
    return SN_RESULT_OK;
}

void batch_inputs_save(const batchInputs* in) {
    sniBytes text = sni_bytes(&in->memory);
    for (size_t i = 0; i < in->count; i++) {
        const Known* k = &in->items[i];
        char line[160];
        // Folders have no stamp; a path with a line break is hashed every time.
        if (!k->there || k->stamp.node == 0 || strchr(k->path, '\n') != NULL) continue;
        snprintf(line, sizeof line, "%016" PRIx64 " %" PRIu64 " %" PRIu64 " %" PRId64 " %" PRId64 " ",
                 k->hash, k->stamp.size, k->stamp.node, k->stamp.time, k->stamp.change);
        sni_bytes_text(&text, line);
        sni_bytes_text(&text, k->path);
        sni_bytes_text(&text, "\n");
    }
    if (!text.failed) sni_save_quickly(in->file, text.data != NULL ? (void*)text.data : "", text.size, NULL);
    sni_bytes_free(&text);
}

void batch_inputs_close(batchInputs* in) {
    if (in == NULL) return;
    for (size_t i = 0; i < in->count; i++) sni_free(&in->memory, in->items[i].path);
    sni_free(&in->memory, in->items);
    sni_name_table_free(&in->table, &in->memory);
    sni_free(&in->memory, in);
}

// -------------------------------------------------------------------------------------------------- hashing

static bool hash_file(const char* path, uint64_t* hash) {
    static uint8_t block[1 << 16];
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) return false;
    *hash = SN_HASH_SEED;
    ssize_t part = 0;
    while ((part = read(file, block, sizeof block)) > 0) *hash = sn_hash_bytes(*hash, block, (size_t)part);
    close(file);
    return part == 0;
}

static Stamp stamp_of(const struct stat* info) {
    return (Stamp){(uint64_t)info->st_size, (uint64_t)info->st_ino, nanoseconds(info->st_mtim),
                   nanoseconds(info->st_ctim)};
}

static bool same_stamp(const Stamp* a, const Stamp* b) {
    return a->size == b->size && a->node == b->node && a->time == b->time && a->change == b->change;
}

static void look_at_file(Known* item, const struct stat* info) {
    Stamp stamp = stamp_of(info);
    if (item->there && same_stamp(&stamp, &item->stamp)) return;
    item->there = hash_file(item->path, &item->hash);
    item->stamp = stamp;
    item->size = stamp.size;
}

// Names and contents of all that is in it.
static snResult look_at_folder(batchInputs* in, size_t index, snError* error) {
    char pattern[4096];
    batchPaths paths = {.allocator = in->memory};
    uint32_t count = 0;
    uint64_t hash = SN_HASH_SEED, size = 0;
    snprintf(pattern, sizeof pattern, "%.4090s/**", in->items[index].path);
    snResult result = batch_paths_find(pattern, &paths, &count, error);
    batch_paths_sort(&paths);
    for (uint32_t i = 0; result == SN_RESULT_OK && i < paths.count; i++) {
        batchContent content = {0};
        result = batch_inputs_content(in, paths.items[i], &content, error);
        hash = sn_hash_bytes(hash, paths.items[i], strlen(paths.items[i]) + 1);
        hash = sn_hash_bytes(hash, &content.hash, sizeof content.hash);
        size += content.size;
    }
    batch_paths_free(&paths);
    Known* item = &in->items[index]; // the list may have moved
    item->hash = hash;
    item->size = size;
    item->there = result == SN_RESULT_OK;
    item->stamp = (Stamp){0};
    return result;
}

static snResult look(batchInputs* in, const char* path, bool again, batchContent* out, snError* error) {
    Known* item = entry_of(in, path);
    if (item == NULL) return sni_fail_memory(error);
    size_t index = (size_t)(item - in->items);
    if (!item->asked || again) {
        struct stat info;
        item->asked = true;
        if (stat(path, &info) != 0)
            item->there = false;
        else if (S_ISREG(info.st_mode))
            look_at_file(item, &info);
        else if (S_ISDIR(info.st_mode))
            SNI_TRY(look_at_folder(in, index, error));
        else
            item->there = false;
        item = &in->items[index];
    }
    *out = (batchContent){item->there ? item->hash : 0, item->there ? item->size : 0, item->there};
    return SN_RESULT_OK;
}

snResult batch_inputs_content(batchInputs* inputs, const char* path, batchContent* out, snError* error) {
    return look(inputs, path, false, out, error);
}

snResult batch_inputs_again(batchInputs* inputs, const char* path, batchContent* out, snError* error) {
    return look(inputs, path, true, out, error);
}

bool batch_inputs_is_read(const batchInputs* in, const char* path) {
    struct stat info;
    if (stat(path, &info) != 0) return false;
    for (size_t i = 0; i < in->count; i++) {
        const Known* k = &in->items[i];
        if (k->asked && k->there && k->stamp.node == (uint64_t)info.st_ino && sni_file_same(k->path, path))
            return true;
    }
    return false;
}
