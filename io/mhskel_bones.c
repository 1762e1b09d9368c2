// The bones of a MakeHuman skeleton: each head is the middle of some vertices of the mesh.
#include "gltf.h"
#include "mhskel.h"

#define BONES_MAX 4096 // parents are searched one by one

snResult sni_mh_open(const sniSource* source, sniMhFile* out) {
    *out = (sniMhFile){.source = source};
    const char* text = (const char*)source->data;
    size_t estimate = sni_json_estimate(text, source->size);
    if (!sni_limit_reserve(source->limit, estimate)) return sni_fail_memory(source->error);
    out->reserved = estimate;
    size_t offset = 0;
    snResult result = sni_json_parse(text, source->size, &out->json, &offset, source->error);
    if (result == SN_RESULT_OK || source->error == NULL) return result;
    source->error->line = 1;
    for (size_t i = 0; i < offset; i++) source->error->line += text[i] == '\n';
    snprintf(source->error->file, sizeof source->error->file, "%s", source->name);
    return result;
}

void sni_mh_close(sniMhFile* file) {
    sni_json_free(file->json);
    if (file->reserved > 0) sni_limit_release(file->source->limit, file->reserved);
}

snResult sni_mh_fail(const sniMhFile* file, const sniJson* at, const char* format, ...) {
    snError* error = file->source->error;
    if (error == NULL) return SN_RESULT_BAD_DATA;
    const char* text = (const char*)file->source->data;
    size_t offset = sni_json_locate(text, file->source->size, at->at);
    *error = sn_error_none();
    error->code = SN_RESULT_BAD_DATA;
    error->line = 1;
    for (size_t i = 0; i < offset; i++) error->line += text[i] == '\n';
    snprintf(error->file, sizeof error->file, "%s", file->source->name);
    size_t length = (size_t)snprintf(error->text, sizeof error->text, "%.120s ", at->at);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->text + length, sizeof error->text - length, format, arguments);
    va_end(arguments);
    return SN_RESULT_BAD_DATA;
}

// ------------------------------------------------------------------------------------------------- heads

static snResult read_head(const sniMhFile* file, const sniJson* bone, const snMesh* mesh, float unit,
                          snVec3* out) {
    sniJson root = sni_json_root(file->json);
    sniJson joints = sni_json_get(&root, "joints");
    sniJson head = sni_json_get(bone, "head");
    const char* name = sni_json_text(&head);
    if (name == NULL) return sni_mh_fail(file, &head, "is not the name of a joint");
    sniJson vertices = sni_json_get(&joints, name);
    size_t count = sni_json_length(&vertices);
    if (count == 0) return sni_mh_fail(file, &head, "names a joint without vertices, expected a list");
    double sum[3] = {0, 0, 0};
    for (size_t i = 0; i < count; i++) {
        sniJson item = sni_json_item(&vertices, i);
        int64_t vertex = -1;
        if (!sni_json_whole(&item, &vertex) || vertex < 0 || vertex >= (int64_t)mesh->vertex_count) {
            return sni_mh_fail(file, &item, "is not a vertex of the mesh, which has %u", mesh->vertex_count);
        }
        snVec3 p = mesh->positions[vertex];
        sum[0] += (double)p.x;
        sum[1] += (double)p.y;
        sum[2] += (double)p.z;
    }
    double scale = (double)unit / (double)count;
    *out = sn_vec3((float)(sum[0] * scale), (float)(sum[1] * scale), (float)(sum[2] * scale));
    return SN_RESULT_OK;
}

// ------------------------------------------------------------------------------------------------- order

typedef struct Gather {
    sniMhBone* items;
    uint32_t count;
} Gather;

static void add_name(void* user, const char* key, sniJsonValue* value) {
    (void)value;
    Gather* gather = user;
    if (gather->items != NULL && gather->count < BONES_MAX) gather->items[gather->count].name = key;
    gather->count++;
}

static uint32_t find_bone(const sniMhBone* bones, uint32_t count, const char* name) {
    for (uint32_t b = 0; b < count; b++) {
        if (strcmp(bones[b].name, name) == 0) return b;
    }
    return SN_NONE;
}

static snResult read_bones(const sniMhFile* file, const sniJson* list, const snMesh* mesh, float unit,
                           sniMhBone* bones, uint32_t count) {
    for (uint32_t b = 0; b < count; b++) {
        sniJson bone = sni_json_get(list, bones[b].name);
        SNI_TRY(read_head(file, &bone, mesh, unit, &bones[b].head));
        sniJson parent = sni_json_get(&bone, "parent");
        const char* name = sni_json_text(&parent);
        bones[b].parent = SN_NONE;
        if (name == NULL || name[0] == '\0') continue; // null: a root
        bones[b].parent = find_bone(bones, count, name);
        if (bones[b].parent == SN_NONE)
            return sni_mh_fail(file, &parent, "is not the name of a bone of the file");
    }
    return SN_RESULT_OK;
}

// Puts `from` into `to`, every bone behind its parent. `place` holds for every bone its new index; SN_NONE:
// none yet. `chain` is scratch of the same length.
static bool order_bones(const sniMhBone* from, uint32_t count, uint32_t* place, uint32_t* chain,
                        sniMhBone* to) {
    uint32_t placed = 0;
    for (uint32_t b = 0; b < count; b++) place[b] = SN_NONE;
    for (uint32_t b = 0; b < count; b++) {
        uint32_t length = 0;
        for (uint32_t up = b; up != SN_NONE && place[up] == SN_NONE; up = from[up].parent) {
            if (length == count) return false; // round and round
            chain[length++] = up;
        }
        while (length > 0) {
            uint32_t next = chain[--length];
            to[placed] = from[next];
            if (from[next].parent != SN_NONE) to[placed].parent = place[from[next].parent];
            place[next] = placed++;
        }
    }
    return true;
}

snResult sni_mh_bones(const sniMhFile* file, const snMesh* mesh, float unit, sniMhBones* out) {
    const snAllocator* memory = &file->source->allocator;
    sniJson root = sni_json_root(file->json);
    sniJson list = sni_json_get(&root, "bones");
    Gather gather = {NULL, 0};
    if (sni_json_is_object(&list)) sni_json_each(list.value, add_name, &gather);
    uint32_t count = gather.count;
    if (count == 0 || count > BONES_MAX) {
        return sni_mh_fail(file, &list, "has %u bones, expected 1 to %d", count, BONES_MAX);
    }
    sniMhBone* bones = SNI_NEW_ARRAY(memory, sniMhBone, count);
    sniMhBone* ordered = SNI_NEW_ARRAY(memory, sniMhBone, count);
    uint32_t* scratch = SNI_NEW_ARRAY(memory, uint32_t, 2 * (size_t)count);
    snResult result = SN_RESULT_OK;
    if (bones == NULL || ordered == NULL || scratch == NULL) {
        result = sni_fail_memory(file->source->error);
    } else {
        gather = (Gather){bones, 0};
        sni_json_each(list.value, add_name, &gather);
        result = read_bones(file, &list, mesh, unit, bones, count);
        if (result == SN_RESULT_OK && !order_bones(bones, count, scratch, scratch + count, ordered)) {
            result = sni_mh_fail(file, &list, "has a cycle of parents, expected a tree");
        }
    }
    sni_free(memory, bones);
    sni_free(memory, scratch);
    if (result != SN_RESULT_OK) {
        sni_free(memory, ordered);
        return result;
    }
    *out = (sniMhBones){count, ordered};
    return SN_RESULT_OK;
}
