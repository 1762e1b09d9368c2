#include "json_file.h"

#include <stdio.h>

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
    snResult result = sni_json_file_open(name, data, size, sni_read_def(document).memory_limit,
                                         &document->allocator, &file, error);
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
