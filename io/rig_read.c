// Handle structures from files (.snrig): JSON, checked against the mesh that they are for.
#include <float.h>

#include "file.h"
#include "kind.h"
#include "limit.h"
#include "sinew/io.h"

// What is read on the way from the tree to snHandlesDef. Names are borrowed from the tree.
typedef struct Rig {
    const snAllocator* memory;
    const snMesh* mesh; // NULL: the file alone
    sniReading* reading;
    uint32_t vertex_count;
    uint64_t hash;
    uint32_t handle_count;
    snHandleDef* handles;
    uint32_t* owners;   // vertex_count; 1 + the handle that a vertex is in; 0: none
    uint32_t* places;   // vertex_count; where it stands among the handle's
    uint32_t* vertices; // vertex_count; of all handles, one after another
    float* weights;     // vertex_count; beside them
    uint32_t* followers;
    size_t followers_capacity;
    uint32_t used; // of vertices
    snHandles* made;
} Rig;

// -------------------------------------------------------------------------------------------------- mesh

static void read_mesh(Rig* rig, const sniJson* root) {
    static const char* const known[] = {"vertices", "hash", NULL};
    sniJson mesh = sni_json_get(root, "mesh");
    if (!sni_expect_object(rig->reading, &mesh, known)) return;
    sniJson vertices = sni_json_get(&mesh, "vertices"), hash = sni_json_get(&mesh, "hash");
    if (!sni_get_count(&vertices, 1.0f, FLT_MAX, &rig->vertex_count)) {
        sni_fault_kind(rig->reading, &vertices, "a number of vertices");
    } else if (!sni_get_hash(&hash, &rig->hash)) {
        sni_fault_kind(rig->reading, &hash, "16 hexadecimal digits");
    } else if (rig->mesh != NULL && rig->vertex_count != rig->mesh->vertex_count) {
        sni_fault(rig->reading, &mesh, "was made for another mesh: %u vertices, this one has %u",
                  rig->vertex_count, rig->mesh->vertex_count);
    } else if (rig->mesh != NULL && rig->hash != sn_mesh_hash(rig->mesh)) {
        sni_fault(rig->reading, &mesh,
                  "was made for another mesh: as many vertices (%u), but the positions or faces differ",
                  rig->vertex_count);
    }
}

// ------------------------------------------------------------------------------------------------- ranges

static const char* parse_vertex(const char* text, uint32_t* out) {
    uint64_t number = 0;
    if (*text < '0' || *text > '9') return NULL;
    while (*text >= '0' && *text <= '9' && number < SN_NONE) number = number * 10 + (uint64_t)(*text++ - '0');
    if (number >= SN_NONE) return NULL;
    *out = (uint32_t)number;
    return text;
}

// Takes one vertex of a handle; false with a fault.
typedef bool TakeFn(Rig* rig, uint32_t handle, const sniJson* json, uint32_t vertex, float weight);

// "12-40 57 60-61", each in turn.
static bool take_ranges(Rig* rig, uint32_t handle, const sniJson* json, float weight, TakeFn* take) {
    const char* text = NULL;
    bool right = sni_get_name(json, &text);
    while (right && *text != '\0') {
        uint32_t first = 0, last = 0;
        text = parse_vertex(text, &first);
        last = first;
        if (text != NULL && *text == '-') text = parse_vertex(text + 1, &last);
        right = text != NULL && last >= first && (*text == ' ' || *text == '\0');
        if (!right) break;
        if (last >= rig->vertex_count) {
            sni_fault(rig->reading, json, "has vertex %u, the mesh has %u", last, rig->vertex_count);
            return false;
        }
        for (uint32_t v = first; v <= last; v++) {
            if (!take(rig, handle, json, v, weight)) return false;
        }
        while (*text == ' ') text++;
    }
    if (!right) sni_fault_kind(rig->reading, json, "vertices such as \"12-40 57\"");
    return right;
}

static bool take_lists(Rig* rig, uint32_t handle, const sniJson* json, float weight, TakeFn* take) {
    if (!sni_json_is_array(json)) {
        sni_fault_kind(rig->reading, json, "a list of vertices");
        return false;
    }
    for (size_t i = 0; i < sni_json_length(json); i++) {
        sniJson item = sni_json_item(json, i);
        if (!take_ranges(rig, handle, &item, weight, take)) return false;
    }
    return true;
}

static bool take_vertex(Rig* rig, uint32_t handle, const sniJson* json, uint32_t vertex, float weight) {
    uint32_t owner = rig->owners[vertex];
    if (owner == handle + 1) {
        sni_fault(rig->reading, json, "has vertex %u twice", vertex);
        return false;
    }
    if (owner != 0) {
        sni_fault(rig->reading, json, "has vertex %u, which is in \"%s\" already", vertex,
                  rig->handles[owner - 1].name);
        return false;
    }
    rig->owners[vertex] = handle + 1;
    rig->places[vertex] = rig->used;
    rig->vertices[rig->used] = vertex;
    rig->weights[rig->used++] = weight;
    return true;
}

static bool take_weight(Rig* rig, uint32_t handle, const sniJson* json, uint32_t vertex, float weight) {
    if (rig->owners[vertex] != handle + 1) {
        sni_fault(rig->reading, json, "has vertex %u, which is not in \"%s\"", vertex,
                  rig->handles[handle].name);
        return false;
    }
    rig->weights[rig->places[vertex]] = weight;
    return true;
}

// ------------------------------------------------------------------------------------------------ handles

static void read_weights(Rig* rig, uint32_t handle, const sniJson* json) {
    static const char* const known[] = {"weight", "vertices", NULL};
    if (json->value == NULL) return;
    if (!sni_json_is_array(json)) sni_fault_kind(rig->reading, json, "a list of weights");
    for (size_t i = 0; i < sni_json_length(json) && rig->reading->result == SN_RESULT_OK; i++) {
        sniJson item = sni_json_item(json, i);
        if (!sni_expect_object(rig->reading, &item, known)) return;
        sniJson weight = sni_json_get(&item, "weight"), vertices = sni_json_get(&item, "vertices");
        float value = 0.0f;
        if (sni_get_float(&weight, 0.0f, 1.0f, &value)) {
            take_lists(rig, handle, &vertices, value, take_weight);
        } else {
            sni_fault_kind(rig->reading, &weight, "a number from 0 to 1");
        }
    }
}

static void read_handle(Rig* rig, uint32_t h, const sniJson* json) {
    static const char* const known[] = {"name",    "center", "confidence", "followers", "vertices",
                                        "weights", "centre", "sureness",   NULL};
    snHandleDef* handle = &rig->handles[h];
    if (!sni_expect_object(rig->reading, json, known)) return;
    sniJson name = sni_json_get(json, "name"), center = sni_json_get_either(json, "center", "centre"),
            confidence = sni_json_get_either(json, "confidence", "sureness"),
            vertices = sni_json_get(json, "vertices"), weights = sni_json_get(json, "weights");
    if (!sni_get_name(&name, &handle->name)) {
        sni_fault_kind(rig->reading, &name, "a name");
        return;
    }
    float place[3];
    if (!sni_get_vec3(&center, -FLT_MAX, FLT_MAX, place)) {
        sni_fault_kind(rig->reading, &center, "three numbers");
        return;
    }
    handle->center = sn_vec3(place[0], place[1], place[2]);
    handle->confidence = 1.0f;
    if (confidence.value != NULL && !sni_get_float(&confidence, 0.0f, 1.0f, &handle->confidence)) {
        sni_fault_kind(rig->reading, &confidence, "a number from 0 to 1");
        return;
    }
    uint32_t begin = rig->used;
    if (!take_lists(rig, h, &vertices, 1.0f, take_vertex)) return;
    handle->vertex_count = rig->used - begin;
    handle->vertices = rig->vertices + begin;
    handle->weights = rig->weights + begin;
    read_weights(rig, h, &weights);
}

static uint32_t find_handle(const Rig* rig, const char* name) {
    for (uint32_t h = 0; h < rig->handle_count; h++) {
        if (strcmp(rig->handles[h].name, name) == 0) return h;
    }
    return SN_NONE;
}

// Followers are named, so they are read when all names are known. `used` grows by what this handle adds.
static void read_followers(Rig* rig, uint32_t h, const sniJson* json, size_t* used) {
    if (json->value == NULL) return;
    if (!sni_json_is_array(json)) {
        sni_fault_kind(rig->reading, json, "a list of names");
        return;
    }
    size_t count = sni_json_length(json);
    if (count > rig->handle_count) {
        sni_fault(rig->reading, json, "names %zu handles of %u", count, rig->handle_count);
        return;
    }
    if (!sni_grow(rig->memory, &rig->followers, &rig->followers_capacity, *used + count, sizeof(uint32_t))) {
        sni_fault_memory(rig->reading);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        sniJson item = sni_json_item(json, i);
        const char* name = NULL;
        bool named = sni_get_name(&item, &name);
        uint32_t follower = named ? find_handle(rig, name) : SN_NONE;
        if (!named) {
            sni_fault_kind(rig->reading, &item, "a name");
        } else if (follower == SN_NONE) {
            sni_fault(rig->reading, &item, "is \"%s\", which is no handle", name);
        }
        rig->followers[(*used)++] = follower;
    }
    rig->handles[h].follower_count = (uint32_t)count;
}

// The array of followers may move while it grows, so handles point into it at the end.
static void point_at_followers(Rig* rig) {
    const uint32_t* next = rig->followers;
    for (uint32_t h = 0; h < rig->handle_count; h++) {
        rig->handles[h].followers = next;
        if (next != NULL) next += rig->handles[h].follower_count;
    }
}

static bool make_room(Rig* rig, size_t handles) {
    rig->handles = SNI_NEW_ARRAY(rig->memory, snHandleDef, handles);
    rig->owners = SNI_NEW_ARRAY(rig->memory, uint32_t, rig->vertex_count);
    rig->places = SNI_NEW_ARRAY(rig->memory, uint32_t, rig->vertex_count);
    rig->vertices = SNI_NEW_ARRAY(rig->memory, uint32_t, rig->vertex_count);
    rig->weights = SNI_NEW_ARRAY(rig->memory, float, rig->vertex_count);
    return rig->handles != NULL && rig->owners != NULL && rig->places != NULL && rig->vertices != NULL &&
           rig->weights != NULL;
}

static void read_handles(Rig* rig, const sniJson* json) {
    size_t count = sni_json_length(json);
    if (!sni_json_is_array(json) || count == 0 || count > SN_HANDLES_MAX) {
        sni_fault_kind(rig->reading, json, "a list of 1 to 1024 handles");
        return;
    }
    if (!make_room(rig, count)) {
        sni_fault_memory(rig->reading);
        return;
    }
    for (uint32_t h = 0; h < count && rig->reading->result == SN_RESULT_OK; h++) {
        sniJson item = sni_json_item(json, h);
        read_handle(rig, h, &item);
        rig->handle_count = h + 1;
    }
    size_t used = 0;
    for (uint32_t h = 0; h < count && rig->reading->result == SN_RESULT_OK; h++) {
        sniJson item = sni_json_item(json, h);
        sniJson followers = sni_json_get(&item, "followers");
        read_followers(rig, h, &followers, &used);
    }
    if (rig->reading->result == SN_RESULT_OK) point_at_followers(rig);
}

// -------------------------------------------------------------------------------------------------- whole

// Without a mesh to look at, a cloud of as many points in the origin stands for it.
static snResult create(Rig* rig, snError* error) {
    snMesh cloud = {.vertex_count = rig->vertex_count};
    if (rig->mesh == NULL) {
        uint32_t no_faces = 0;
        cloud.face_starts = &no_faces;
        cloud.positions = SNI_NEW_ARRAY(rig->memory, snVec3, rig->vertex_count);
        if (cloud.positions == NULL) return sni_fail_memory(error);
        snHandlesDef def = {&cloud, rig->handle_count, rig->handles};
        snResult result = sn_handles_create(&def, rig->memory, &rig->made, error);
        if (result == SN_RESULT_OK) rig->made->mesh_hash = rig->hash;
        sni_free(rig->memory, cloud.positions);
        return result;
    }
    snHandlesDef def = {rig->mesh, rig->handle_count, rig->handles};
    return sn_handles_create(&def, rig->memory, &rig->made, error);
}

static void read_root(Rig* rig, const sniJson* root) {
    static const char* const known[] = {"sinew_rig", "mesh", "handles", NULL};
    sniJson handles = sni_json_get(root, "handles");
    if (sni_json_is_object(root) && !sni_expect_kind(rig->reading, root, "sinew_rig", "a rig (.snrig)"))
        return;
    if (!sni_expect_object(rig->reading, root, known)) return;
    read_mesh(rig, root);
    if (rig->reading->result != SN_RESULT_OK) return;
    read_handles(rig, &handles);
    if (rig->reading->result != SN_RESULT_OK) return;
    snError detail = sn_error_none();
    snResult result = create(rig, &detail);
    if (result == SN_RESULT_OUT_OF_MEMORY) {
        sni_fault_memory(rig->reading);
    } else if (result != SN_RESULT_OK) {
        sni_fault(rig->reading, &handles, "cannot be used: %s", detail.text);
    }
}

static snResult apply_rig(void* user, const sniJson* root, sniJson* out_where, snError* error) {
    Rig* rig = user;
    sniReading reading = {rig->memory, *root, SN_RESULT_OK, error};
    rig->reading = &reading;
    read_root(rig, root);
    *out_where = reading.where;
    void* arrays[] = {rig->handles, rig->owners, rig->places, rig->vertices, rig->weights, rig->followers};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(rig->memory, arrays[i]);
    return reading.result;
}

// Takes the text over. The tree is not the allocator's memory, but counts.
static snResult read_text(const char* name, char* text, size_t size, const snMesh* mesh, sniLimit* limit,
                          snHandles** out, snError* error) {
    snAllocator memory = sni_limit_allocator(limit);
    size_t tree = sni_json_estimate(text, size);
    snResult result = SN_RESULT_OK;
    if (sni_limit_reserve(limit, tree)) {
        Rig rig = {.memory = &memory, .mesh = mesh};
        result = sni_settings_parse(name, text, size, apply_rig, &rig, error);
        sni_limit_release(limit, tree);
        if (result == SN_RESULT_OK) *out = rig.made;
    } else {
        result = sni_fail_memory(error);
    }
    sni_free(&memory, text);
    return result;
}

snResult sn_handles_read_memory(const char* name, const void* data, size_t size, const snMesh* mesh,
                                const snReadDef* def, snHandles** out, snError* error) {
    snReadDef defaults = sn_read_def();
    if (def == NULL) def = &defaults;
    if (name == NULL || out == NULL || (data == NULL && size > 0)) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a name, data and an output are needed");
    }
    sniLimit* limit = sni_limit_create(def->allocator, def->memory_limit);
    if (limit == NULL) return sni_fail_memory(error);
    snAllocator memory = sni_limit_allocator(limit);
    char* text = sni_copy_array(&memory, data, size, 1);
    snResult result =
        text != NULL ? read_text(name, text, size, mesh, limit, out, error) : sni_fail_memory(error);
    result = sni_limit_explain(limit, result, name, error);
    sni_limit_close(limit);
    return result;
}

snResult sn_handles_read(const char* path, const snMesh* mesh, const snReadDef* def, snHandles** out,
                         snError* error) {
    snReadDef defaults = sn_read_def();
    if (def == NULL) def = &defaults;
    if (path == NULL || out == NULL) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a path and an output are needed");
    }
    sniLimit* limit = sni_limit_create(def->allocator, def->memory_limit);
    if (limit == NULL) return sni_fail_memory(error);
    snAllocator memory = sni_limit_allocator(limit);
    uint8_t* text = NULL;
    size_t size = 0;
    snResult result = sni_file_read(path, def->memory_limit, &memory, &text, &size, error);
    if (result == SN_RESULT_OK) result = read_text(path, (char*)text, size, mesh, limit, out, error);
    result = sni_limit_explain(limit, result, path, error);
    sni_limit_close(limit);
    return result;
}
