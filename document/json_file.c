#include "json_file.h"

#include <stdio.h>

#include "base/likeness.h"
#include "io/file.h"

static void set_line(const sniJsonFile* file, size_t offset, snError* error) {
    if (error == NULL) return;
    error->line = 1;
    for (size_t i = 0; i < offset && i < file->size; i++) error->line += file->text[i] == '\n';
    snprintf(error->file, sizeof error->file, "%s", file->name);
}

snResult sni_json_file_open(const snDocument* document, const char* name, const void* data, size_t size,
                            sniJsonFile* out, snError* error) {
    *out = (sniJsonFile){.name = name, .text = data, .size = size, .allocator = document->allocator};
    size_t limit = sni_read_def(document).memory_limit, offset = 0;
    if (data == NULL) {
        SNI_TRY(sni_file_read(name, limit, &out->allocator, &out->own, &out->size, error));
        out->text = out->own;
    }
    snResult result = sni_json_parse((const char*)out->text, out->size, &out->json, &offset, error);
    if (result != SN_RESULT_OK && result != SN_RESULT_OUT_OF_MEMORY) set_line(out, offset, error);
    return result;
}

void sni_json_file_close(sniJsonFile* file) {
    sni_json_free(file->json);
    if (file->own != NULL) sni_free(&file->allocator, file->own);
    *file = (sniJsonFile){0};
}

snResult sni_json_file_place(const sniJsonFile* file, const char* pointer, snResult result, snError* error) {
    if (result == SN_RESULT_OK || result == SN_RESULT_OUT_OF_MEMORY) return result;
    set_line(file, sni_json_locate((const char*)file->text, file->size, pointer), error);
    return result;
}

sniHint sni_hint(const char* text, const char* const* words, uint32_t count) {
    sniHint hint = {""};
    uint32_t least = (uint32_t)strlen(text) / 3 + 2; // further away is no likeness
    for (uint32_t i = 0; i < count; i++) {
        uint32_t distance = sni_edit_distance(text, words[i]);
        if (distance >= least) continue;
        least = distance;
        snprintf(hint.text, sizeof hint.text, "; did you mean %.60s?", words[i]);
    }
    return hint;
}

// ---------------------------------------------------------------------------------------------------- maps

typedef struct Pairs {
    sniPairFn* check;
    void* user;
    snJointOverrides* out;
    size_t room;
    snResult result;
    snError* error;
    char at[SNI_POINTER_MAX];
} Pairs;

void sn_joint_overrides_free(snJointOverrides* list) {
    for (uint32_t i = 0; i < list->count; i++) {
        sni_free(&list->allocator, (char*)list->items[i].target);
        sni_free(&list->allocator, (char*)list->items[i].source);
    }
    if (list->items != NULL) sni_free(&list->allocator, list->items);
    *list = (snJointOverrides){0};
}

static snResult keep_pair(Pairs* p, const char* target, const char* source) {
    snJointOverrides* list = p->out;
    const snAllocator* memory = &list->allocator;
    if (!sni_grow(memory, &list->items, &p->room, (size_t)list->count + 1, sizeof *list->items))
        return sni_fail_memory(p->error);
    snJointOverride* item = &list->items[list->count++];
    *item = (snJointOverride){sni_copy_text(memory, target),
                              source != NULL ? sni_copy_text(memory, source) : NULL};
    return item->target != NULL && (source == NULL || item->source != NULL) ? SN_RESULT_OK
                                                                            : sni_fail_memory(p->error);
}

static void read_pair(void* user, const char* target, sniJsonValue* value) {
    Pairs* p = user;
    if (p->result != SN_RESULT_OK) return;
    snprintf(p->at, sizeof p->at, "/joints/%.100s", target);
    sniJson json = sni_json_root(value);
    char found[64];
    sni_json_describe(&json, found, sizeof found);
    const char* source = sni_json_text(&json);
    if (source == NULL && strcmp(found, "null") != 0)
        p->result =
            sni_fail(p->error, SN_RESULT_BAD_DATA, "%s is %s, expected a joint's name or null", p->at, found);
    else
        p->result = p->check(p->user, target, source, p->error);
    if (p->result == SN_RESULT_OK) p->result = keep_pair(p, target, source);
}

snResult sni_joint_pairs_read(const snDocument* document, const char* name, const void* data, size_t size,
                              const char* what, sniPairFn* check, void* user, snJointOverrides* out,
                              snError* error) {
    snJointOverrides list = {.allocator = document->allocator};
    Pairs pairs = {.check = check, .user = user, .out = &list, .error = error};
    sniJsonFile file;
    snResult result = sni_json_file_open(document, name, data, size, &file, error);
    if (result == SN_RESULT_OK) {
        sniJsonValue* joints = sni_json_find(file.json, "joints");
        sniJson root = sni_json_root(joints);
        if (sni_json_is_object(&root))
            sni_json_each(joints, read_pair, &pairs);
        else
            pairs.result =
                sni_fail(error, SN_RESULT_BAD_DATA, "has no object \"joints\" that names %s", what);
        result = sni_json_file_place(&file, pairs.at, pairs.result, error);
    }
    sni_json_file_close(&file);
    if (result == SN_RESULT_OK)
        *out = list;
    else
        sn_joint_overrides_free(&list);
    return result;
}
