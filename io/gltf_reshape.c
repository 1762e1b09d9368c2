// Refined parts in a document that passes through: new vertices and faces; materials, names, extras and
// extensions of meshes and primitives stay.
//
// The mesh is built as for a fresh document, then its primitives move to where the old ones were. Attributes
// that Sinew does not know (a second set of texture coordinates, tangents, an application's own) are mixed by
// what each vertex is made of. What the old ones used is left in the buffer.
#include "gltf_build.h"
#include "shape/origins.h"

typedef struct Reshape {
    sniOutput* out;
    const sniGltf* gltf;
    const snModel* model;
    uint32_t part_index;
    const snPart* part;
    const sniLayout* layout; // of the source
    sniJsonValue* carried;   // attributes beside those of the fresh mesh
    snError* error;
} Reshape;

// ------------------------------------------------------------------------------------------- attributes

static bool starts_with(const char* text, const char* start) {
    return strncmp(text, start, strlen(start)) == 0;
}

static bool is_built(const char* key) {
    return strcmp(key, "POSITION") == 0 || strcmp(key, "NORMAL") == 0 || strcmp(key, "TEXCOORD_0") == 0 ||
           strcmp(key, "COLOR_0") == 0 || starts_with(key, "JOINTS_") || starts_with(key, "WEIGHTS_");
}

static uint32_t attribute_of(const Reshape* r, const sniPrimitive* primitive, const char* key) {
    sniJson attributes = sni_json_get(&primitive->json, "attributes");
    uint32_t index = SN_NONE;
    snResult result = sni_gltf_index(r->gltf, &attributes, key, sni_gltf_count(r->gltf, "accessors"), &index);
    return result == SN_RESULT_OK ? index : SN_NONE;
}

// The attribute over all vertices of the source; zero where a primitive lacks it. False where it cannot be
// carried: accessors that do not fit, or tangents that some vertices lack.
static bool read_values(const Reshape* r, const char* key, uint32_t width, float* values) {
    for (uint32_t i = 0; i < r->layout->count; i++) {
        const sniPrimitive* primitive = &r->layout->primitives[i];
        uint32_t index = attribute_of(r, primitive, key);
        sniAccessor accessor;
        if (!primitive->own_vertices) continue;
        if (index == SN_NONE && strcmp(key, "TANGENT") == 0) return false;
        if (index == SN_NONE) continue;
        if (sni_gltf_typed(r->gltf, index, width, primitive->vertex_count, &accessor) != SN_RESULT_OK ||
            sni_accessor_floats(r->gltf, &accessor, values + (size_t)primitive->vertex_begin * width) !=
                SN_RESULT_OK) {
            return false;
        }
    }
    return true;
}

// The fourth number of a tangent is the sign of the bitangent: on a vertex between two signs one must win.
static void repair_tangents(float* values, uint32_t count) {
    for (uint32_t v = 0; v < count; v++) {
        float* t = values + (size_t)v * 4;
        snVec3 unit = sn_normalize_or(sn_vec3(t[0], t[1], t[2]), sn_vec3(1, 0, 0));
        memcpy(t, &unit.x, sizeof unit);
        t[3] = t[3] < 0.0f ? -1.0f : 1.0f;
    }
}

static void carry(Reshape* r, const char* key, uint32_t width) {
    const snOrigins* origins = r->part->origins;
    const snAllocator* memory = &r->out->allocator;
    float* from = SNI_NEW_ARRAY(memory, float, (size_t)r->layout->vertex_count* width);
    float* to = SNI_NEW_ARRAY(memory, float, (size_t)origins->count* width);
    bool tangents = strcmp(key, "TANGENT") == 0;
    if (from == NULL || to == NULL) {
        r->out->failed = true;
    } else if ((tangents && (r->part->mesh->normals == NULL || width != 4)) ||
               !read_values(r, key, width, from)) {
        sni_note(r->out->notes, "%.80s: the attribute %.60s cannot follow the refined mesh and is left out",
                 r->part->name, key);
    } else {
        sni_origins_mix(origins, from, width, to);
        if (tangents) repair_tangents(to, origins->count);
        sniColumn column = {to, origins->count, width, SNI_FLOAT, SNI_TARGET_VERTICES, false};
        sni_output_set(r->out, r->carried, key, sni_json_uint(sni_output_accessor(r->out, &column)));
    }
    sni_free(memory, from);
    sni_free(memory, to);
}

static void visit_attribute(void* user, const char* key, sniJsonValue* value) {
    Reshape* r = user;
    sniJson json = sni_json_root(value);
    int64_t index = -1;
    sniAccessor accessor;
    if (is_built(key) || sni_json_find(r->carried, key) != NULL) return;
    if (!sni_json_whole(&json, &index) || index < 0 || index >= SN_NONE) return;
    if (sni_gltf_accessor(r->gltf, (uint32_t)index, &accessor) != SN_RESULT_OK || accessor.width > 4) return;
    carry(r, key, accessor.width);
}

static void carry_attributes(Reshape* r) {
    for (uint32_t i = 0; i < r->layout->count; i++) {
        const sniPrimitive* primitive = &r->layout->primitives[i];
        if (!primitive->own_vertices) continue;
        sni_json_each(sni_json_find(primitive->json.value, "attributes"), visit_attribute, r);
    }
}

static bool source_has(const Reshape* r, const char* key) {
    for (uint32_t i = 0; i < r->layout->count; i++) {
        if (attribute_of(r, &r->layout->primitives[i], key) != SN_NONE) return true;
    }
    return false;
}

static void visit_target(void* user, const char* key, sniJsonValue* value) {
    const Reshape* r = user;
    (void)value;
    if (strcmp(key, "POSITION") == 0 || strcmp(key, "NORMAL") == 0) return;
    sni_note(r->out->notes, "%.80s: %.60s of morph targets cannot follow the refined mesh and are left out",
             r->part->name, key);
}

// One primitive speaks for all: they have the same targets.
static void note_targets(Reshape* r) {
    if (r->layout->count == 0 || r->layout->target_count == 0) return;
    sniJson targets = sni_json_get(&r->layout->primitives[0].json, "targets");
    sniJson first = sni_json_item(&targets, 0);
    sni_json_each(first.value, visit_target, r);
}

// ------------------------------------------------------------------------------------------- primitives

// Which primitive of the source each primitive of the fresh mesh comes from. Those are written for groups
// that have faces, in their order; a group is a primitive of the source, or, where the file named groups of
// its own, the primitives are the groups with faces.
static uint32_t source_number(const Reshape* r, const uint8_t* used, uint32_t fresh) {
    const snMesh* mesh = r->part->mesh;
    uint32_t group = 0, seen = 0;
    for (; group < mesh->group_count; group++) {
        if (used[group] && seen++ == fresh) break;
    }
    uint32_t at = mesh->group_count == r->layout->count ? group : fresh;
    if (at >= r->layout->count) at = r->layout->count - 1;
    return r->layout->primitives[at].number;
}

static bool is_laid(const Reshape* r, uint32_t number) {
    for (uint32_t i = 0; i < r->layout->count; i++) {
        if (r->layout->primitives[i].number == number) return true;
    }
    return false;
}

static void move_member(Reshape* r, const sniJsonValue* from, const char* key, sniJsonValue* to) {
    const sniJsonValue* value = sni_json_find(from, key);
    sni_json_remove(to, key);
    if (value != NULL) sni_output_set(r->out, to, key, sni_json_copy(value));
}

static void add_primitive(Reshape* r, const sniJsonValue* fresh, const sniJsonValue* old,
                          sniJsonValue* list) {
    static const char* const keys[] = {"attributes", "indices", "targets", "mode"};
    sniJsonValue* primitive = sni_json_copy(old);
    for (int k = 0; k < 4; k++) move_member(r, fresh, keys[k], primitive);
    if (!sni_json_merge(sni_json_find(primitive, "attributes"), r->carried)) r->out->failed = true;
    sni_output_add(r->out, list, primitive);
}

// Primitives without faces follow as they were.
static snResult replace_primitives(Reshape* r, const sniJsonValue* fresh, sniJsonValue* mesh) {
    const snMesh* shape = r->part->mesh;
    uint8_t* used = SNI_NEW_ARRAY(&r->out->allocator, uint8_t, shape->group_count);
    if (used == NULL) return sni_fail_memory(r->error);
    for (uint32_t f = 0; f < shape->face_count && shape->face_groups != NULL; f++) {
        if (shape->face_groups[f] < shape->group_count) used[shape->face_groups[f]] = 1;
    }
    const sniJsonValue* from = sni_json_find(fresh, "primitives");
    const sniJsonValue* old = sni_json_find(mesh, "primitives");
    sniJsonValue* list = sni_json_array();
    for (uint32_t i = 0; i < sni_json_count(from); i++) {
        add_primitive(r, sni_json_element(from, i), sni_json_element(old, source_number(r, used, i)), list);
    }
    for (uint32_t i = 0; i < sni_json_count(old); i++) {
        if (!is_laid(r, i)) sni_output_add(r->out, list, sni_json_copy(sni_json_element(old, i)));
    }
    sni_output_set(r->out, mesh, "primitives", list);
    sni_free(&r->out->allocator, used);
    return SN_RESULT_OK;
}

static snResult reshape(Reshape* r) {
    sniMeshStyle style = {1.0f / r->gltf->unit, source_has(r, "NORMAL"), NULL};
    uint32_t index = 0;
    SNI_TRY(sni_build_mesh(r->out, r->model, r->part_index, style, &index, r->error));
    sniJsonValue* meshes = sni_json_find(r->out->json, "meshes");
    sniJsonValue* fresh = sni_json_element(meshes, index);
    sniJsonValue* mesh = sni_output_mesh(r->out, r->part);
    carry_attributes(r);
    note_targets(r);
    SNI_TRY(replace_primitives(r, fresh, mesh));
    sniJsonValue* extensions = sni_output_object(r->out, mesh, "extensions");
    move_member(r, sni_json_find(fresh, "extensions"), SNI_EXTENSION, extensions);
    sni_json_remove_item(meshes, index); // the last: no number changes
    return r->out->failed || r->out->bin.failed ? sni_fail_memory(r->error) : SN_RESULT_OK;
}

snResult sni_reshape_source(sniOutput* out, const sniGltf* gltf, const snModel* model, snError* error) {
    for (uint32_t p = 0; p < model->part_count; p++) {
        const snPart* part = &model->parts[p];
        int64_t mesh = sni_source_mesh(gltf, part);
        sniLayout layout;
        if (part->origins == NULL || mesh < 0) continue;
        if (sni_gltf_layout(gltf, (uint32_t)mesh, &layout) != SN_RESULT_OK) return sni_fail_memory(error);
        Reshape r = {out, gltf, model, p, part, &layout, sni_json_object(), error};
        snResult result = reshape(&r);
        sni_json_free(r.carried);
        sni_layout_free(gltf, &layout);
        if (result != SN_RESULT_OK) return result;
    }
    return SN_RESULT_OK;
}

// ---------------------------------------------------------------------------------------------- afterwards

snResult sni_reshaped_layout(const sniOutput* out, const sniGltf* gltf, const snPart* part,
                             sniLayout* layout) {
    const sniJsonValue* list = sni_json_find(sni_output_mesh(out, part), "primitives");
    *layout = (sniLayout){.vertex_count = part->mesh->vertex_count, .target_count = part->morph_count};
    layout->primitives = SNI_NEW_ARRAY(&gltf->allocator, sniPrimitive, sni_json_count(list));
    if (layout->primitives == NULL) return SN_RESULT_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < sni_json_count(list); i++) {
        sniJson primitive = sni_json_root(sni_json_element(list, i));
        if (sni_json_find(primitive.value, "mode") != NULL) continue; // a list of triangles states none
        layout->primitives[layout->count] = (sniPrimitive){.json = primitive,
                                                           .number = i,
                                                           .mode = 4,
                                                           .vertex_count = part->mesh->vertex_count,
                                                           .own_vertices = layout->count == 0};
        layout->count++;
    }
    return SN_RESULT_OK;
}

snResult sni_reshaped_sign(sniOutput* out, const sniGltf* gltf, const snPart* part, const snVec3* positions,
                           snError* error) {
    sniJsonValue* extensions = sni_json_find(sni_output_mesh(out, part), "extensions");
    uint32_t count = part->mesh->vertex_count;
    snVec3* places = SNI_NEW_ARRAY(&out->allocator, snVec3, count);
    sniSplit split = {0};
    uint64_t hash = 0;
    snResult result =
        places != NULL ? sni_split_create(part->mesh, &out->allocator, &split) : SN_RESULT_OUT_OF_MEMORY;
    for (uint32_t v = 0; v < count && result == SN_RESULT_OK; v++) {
        places[v] = gltf->unit != 1.0f ? sn_scale(positions[v], 1.0f / gltf->unit) : positions[v];
    }
    if (result == SN_RESULT_OK) {
        result =
            sni_triangle_hash(places, count, split.triangles, split.triangle_count, &out->allocator, &hash);
    }
    if (result == SN_RESULT_OK) sni_deformation_sign(out, sni_json_find(extensions, SNI_EXTENSION), hash);
    sni_split_free(&split, &out->allocator);
    sni_free(&out->allocator, places);
    return result == SN_RESULT_OK ? SN_RESULT_OK : sni_fail_memory(error);
}
