// SINEW_deformation: what glTF itself cannot hold about a mesh. docs/io.md defines it.
//
// Everything in it describes exactly the mesh it was written for, so it carries a hash of that mesh's
// triangles: when another program has changed them, polygons and weld no longer fit and are dropped with a
// note.
#include "gltf_output.h"

// How the extension writes a hash.
typedef struct HashText {
    char text[20];
} HashText;

static HashText hash_text(uint64_t hash) {
    HashText out;
    snprintf(out.text, sizeof out.text, "%016" PRIx64, hash);
    return out;
}

void sni_deformation_sign(sniOutput* out, sniJsonValue* extension, uint64_t hash) {
    sni_output_set(out, extension, "hash", sni_json_string(hash_text(hash).text));
}

bool sni_deformation_fits(sniJsonValue* extension, const snMesh* triangles) {
    sniJson json = sni_json_root(extension);
    sniJson hash = sni_json_get(&json, "hash");
    const char* text = sni_json_text(&hash);
    return text != NULL && strcmp(text, hash_text(sn_mesh_hash(triangles)).text) == 0;
}

// ---------------------------------------------------------------------------------------------- writing

snResult sni_triangle_hash(const snVec3* positions, uint32_t vertex_count, const uint32_t* triangles,
                           uint32_t triangle_count, const snAllocator* allocator, uint64_t* out) {
    snMeshDef def = {.vertex_count = vertex_count,
                     .face_count = triangle_count,
                     .corner_count = triangle_count * 3,
                     .positions = positions,
                     .corners = triangles};
    snMesh* mesh = NULL;
    SNI_TRY(sn_mesh_create(&def, allocator, &mesh, NULL));
    *out = sn_mesh_hash(mesh);
    sn_mesh_destroy(mesh);
    return SN_RESULT_OK;
}

// The triangles alone say everything: all faces are triangles, already in the order of their groups.
static bool is_plain(const snMesh* mesh, const sniSplit* split) {
    if (split->triangle_count != mesh->face_count) return false;
    for (uint32_t g = 0; g < mesh->group_count; g++) {
        if (split->group_starts[g] == split->group_starts[g + 1]) return false;
    }
    if (mesh->group_count > 0 && split->group_starts[mesh->group_count] < mesh->face_count) return false;
    for (uint32_t i = 0; i < mesh->face_count; i++) {
        if (split->face_order[i] != i) return false;
    }
    return true;
}

static void write_polygons(sniOutput* out, const snMesh* mesh, const sniSplit* split,
                           sniJsonValue* extension) {
    uint32_t* sizes = SNI_NEW_ARRAY(&out->allocator, uint32_t, mesh->face_count);
    if (sizes == NULL) {
        out->failed = true;
        return;
    }
    for (uint32_t f = 0; f < mesh->face_count; f++)
        sizes[f] = mesh->face_starts[f + 1] - mesh->face_starts[f];
    sniJsonValue* polygons = sni_json_object();
    uint32_t size_view = sni_output_view(out, sizes, (size_t)mesh->face_count * 4, 0, SNI_TARGET_NONE);
    uint32_t corner_view =
        sni_output_view(out, split->corners, (size_t)mesh->corner_count * 4, 0, SNI_TARGET_NONE);
    sni_output_set(out, polygons, "count", sni_json_uint(mesh->face_count));
    sni_output_set(out, polygons, "sizes", sni_json_uint(size_view));
    sni_output_set(out, polygons, "corners", sni_json_uint(corner_view));
    if (mesh->face_groups != NULL) {
        uint32_t group_view =
            sni_output_view(out, mesh->face_groups, (size_t)mesh->face_count * 4, 0, SNI_TARGET_NONE);
        sni_output_set(out, polygons, "groups", sni_json_uint(group_view));
    }
    sni_output_set(out, extension, "polygons", polygons);
    sni_free(&out->allocator, sizes);
}

static void write_weld(sniOutput* out, const snWeld* weld, const sniSplit* split, sniJsonValue* extension) {
    uint32_t* points = SNI_NEW_ARRAY(&out->allocator, uint32_t, split->count);
    if (points == NULL) {
        out->failed = true;
        return;
    }
    for (uint32_t v = 0; v < split->count; v++) points[v] = weld->point_of_vertex[split->origins[v]];
    sniJsonValue* object = sni_json_object();
    uint32_t view = sni_output_view(out, points, (size_t)split->count * 4, 0, SNI_TARGET_NONE);
    sni_output_set(out, object, "points", sni_json_uint(weld->point_count));
    sni_output_set(out, object, "pointOfVertex", sni_json_uint(view));
    sni_output_set(out, extension, "weld", object);
    sni_free(&out->allocator, points);
}

sniJsonValue* sni_deformation_object(sniOutput* out, const snPart* part, const sniSplit* split,
                                     const snVec3* positions) {
    const snMesh* mesh = part->mesh;
    uint64_t hash = 0;
    if (sni_triangle_hash(positions, split->count, split->triangles, split->triangle_count, &out->allocator,
                          &hash) != SN_RESULT_OK) {
        return NULL;
    }
    sniJsonValue* extension = sni_json_object();
    sni_output_set(out, extension, "version", sni_json_uint(SNI_EXTENSION_VERSION));
    sni_deformation_sign(out, extension, hash);
    if (mesh->group_count > 0) {
        sniJsonValue* names = sni_json_array();
        for (uint32_t g = 0; g < mesh->group_count; g++) {
            sni_output_add(out, names, sni_json_string(mesh->group_names[g]));
        }
        sni_output_set(out, extension, "groups", names);
    }
    if (!is_plain(mesh, split)) write_polygons(out, mesh, split, extension);
    if (part->weld != NULL) write_weld(out, part->weld, split, extension);
    return extension;
}

// ---------------------------------------------------------------------------------------------- reading

typedef struct Faces {
    uint32_t count;
    uint32_t corner_count;
    uint32_t* starts;
    uint32_t* corners;
    uint32_t* groups; // or NULL
    uint32_t group_count;
    const char** group_names; // borrowed texts
} Faces;

// The uint32 values behind object[key], which must be `count` of them (SN_NONE: any number). Owned by the
// caller; *out stays NULL when the key is missing.
static snResult read_words(const sniGltf* gltf, const sniJson* object, const char* key, uint32_t count,
                           uint32_t** out, uint32_t* out_count) {
    uint32_t view = 0;
    const uint8_t* data = NULL;
    size_t size = 0;
    SNI_TRY(sni_gltf_index(gltf, object, key, sni_gltf_count(gltf, "bufferViews"), &view));
    if (view == SN_NONE) return SN_RESULT_OK;
    SNI_TRY(sni_gltf_view(gltf, view, &data, &size, NULL));
    if (size % 4 != 0 || size / 4 >= SN_NONE || (count != SN_NONE && size / 4 != count)) {
        return sni_gltf_fail(gltf, SN_RESULT_BAD_DATA, object, "has %zu bytes in %s, expected %u numbers",
                             size, key, count);
    }
    *out = sni_copy_array(&gltf->allocator, data, size / 4, 4);
    if (*out == NULL) return sni_fail_memory(gltf->error);
    if (out_count != NULL) *out_count = (uint32_t)(size / 4);
    return SN_RESULT_OK;
}

// Turns face sizes into starts, in place (starts has room for one more).
static bool sum_sizes(const uint32_t* sizes, Faces* faces) {
    uint64_t sum = 0;
    for (uint32_t f = 0; f < faces->count; f++) {
        faces->starts[f] = (uint32_t)sum;
        sum += sizes[f];
        if (sizes[f] < 3 || sum > faces->corner_count) return false;
    }
    faces->starts[faces->count] = (uint32_t)sum;
    return sum == faces->corner_count;
}

static snResult read_polygons(const sniGltf* gltf, const sniJson* polygons, Faces* faces) {
    uint64_t count = 0;
    uint32_t* sizes = NULL;
    SNI_TRY(sni_gltf_whole(gltf, polygons, "count", 0, SN_NONE - 1, 0, &count));
    faces->count = (uint32_t)count;
    SNI_TRY(read_words(gltf, polygons, "corners", SN_NONE, &faces->corners, &faces->corner_count));
    SNI_TRY(read_words(gltf, polygons, "groups", faces->count, &faces->groups, NULL));
    SNI_TRY(read_words(gltf, polygons, "sizes", faces->count, &sizes, NULL));
    faces->starts = SNI_NEW_ARRAY(&gltf->allocator, uint32_t, (size_t)faces->count + 1);
    snResult result = SN_RESULT_OK;
    if (faces->starts == NULL)
        result = sni_fail_memory(gltf->error);
    else if (sizes == NULL || faces->corners == NULL || !sum_sizes(sizes, faces)) {
        result = sni_gltf_fail(gltf, SN_RESULT_BAD_DATA, polygons, "has sizes that do not match its corners");
    }
    sni_free(&gltf->allocator, sizes);
    return result;
}

static snResult read_group_names(const sniGltf* gltf, const sniJson* extension, Faces* faces) {
    sniJson list = sni_json_get(extension, "groups");
    size_t count = sni_json_length(&list);
    faces->group_names = SNI_NEW_ARRAY(&gltf->allocator, const char*, count);
    if (faces->group_names == NULL) return sni_fail_memory(gltf->error);
    for (size_t g = 0; g < count; g++) {
        sniJson item = sni_json_item(&list, g);
        faces->group_names[g] = sni_json_text(&item);
        if (faces->group_names[g] == NULL) {
            return sni_gltf_fail(gltf, SN_RESULT_BAD_DATA, &item, "is not a string");
        }
    }
    faces->group_count = (uint32_t)count;
    return SN_RESULT_OK;
}

// Primitives were written for the groups that have faces, in the order of the groups.
static snResult match_materials(const sniGltf* gltf, const sniLayout* layout, const Faces* faces,
                                snPart* part) {
    uint32_t* materials = SNI_NEW_ARRAY(&gltf->allocator, uint32_t, faces->group_count);
    uint8_t* used = SNI_NEW_ARRAY(&gltf->allocator, uint8_t, faces->group_count);
    if (materials == NULL || used == NULL) {
        sni_free(&gltf->allocator, materials);
        sni_free(&gltf->allocator, used);
        return sni_fail_memory(gltf->error);
    }
    for (uint32_t f = 0; f < part->mesh->face_count; f++) {
        if (part->mesh->face_groups[f] < faces->group_count) used[part->mesh->face_groups[f]] = 1;
    }
    uint32_t primitive = 0;
    for (uint32_t g = 0; g < faces->group_count; g++) {
        bool has = used[g] && primitive < layout->count;
        materials[g] = has ? layout->primitives[primitive].material : SN_NONE;
        primitive += used[g];
    }
    sni_free(&gltf->allocator, used);
    sni_free(&gltf->allocator, part->group_materials);
    part->group_materials = materials;
    return SN_RESULT_OK;
}

static snResult replace_mesh(const sniGltf* gltf, const sniLayout* layout, const sniJson* extension,
                             const Faces* faces, snPart* part) {
    snMeshDef def = sn_mesh_def(part->mesh);
    if (faces->starts != NULL) {
        def.face_count = faces->count;
        def.corner_count = faces->corner_count;
        def.face_starts = faces->starts;
        def.corners = faces->corners;
        def.face_groups = faces->groups;
    } else if (faces->group_count != def.group_count) {
        return SN_RESULT_OK; // a mesh without groups was written as one primitive
    }
    def.group_count = faces->group_count;
    def.group_names = faces->group_names;
    snMesh* mesh = NULL;
    snResult result = sn_mesh_create(&def, &gltf->allocator, &mesh, gltf->error);
    if (result != SN_RESULT_OK) return sni_gltf_place(gltf, result, extension);
    if (sn_mesh_triangle_count(mesh) != part->mesh->face_count) {
        sn_mesh_destroy(mesh);
        return sni_gltf_fail(gltf, SN_RESULT_BAD_DATA, extension,
                             "has polygons that do not fit the triangles");
    }
    sn_mesh_destroy(part->mesh);
    part->mesh = mesh;
    if (mesh->face_groups == NULL) return SN_RESULT_OK;
    return match_materials(gltf, layout, faces, part);
}

static snResult read_faces(const sniGltf* gltf, const sniLayout* layout, const sniJson* extension,
                           snPart* part) {
    Faces faces = {0};
    sniJson polygons = sni_json_get(extension, "polygons");
    snResult result = read_group_names(gltf, extension, &faces);
    if (result == SN_RESULT_OK && polygons.value != NULL) result = read_polygons(gltf, &polygons, &faces);
    if (result == SN_RESULT_OK) result = replace_mesh(gltf, layout, extension, &faces, part);
    void* arrays[] = {faces.starts, faces.corners, faces.groups, faces.group_names};
    for (int i = 0; i < 4; i++) sni_free(&gltf->allocator, arrays[i]);
    return result;
}

sniJson sni_gltf_deformation(const sniGltf* gltf) {
    sniJson root = sni_json_root(gltf->json);
    sniJson extensions = sni_json_get(&root, "extensions");
    return sni_json_get(&extensions, SNI_EXTENSION);
}

snResult sni_deformation_read(const sniGltf* gltf, const sniLayout* layout, snPart* part) {
    sniJson extensions = sni_json_get(&layout->mesh, "extensions");
    sniJson extension = sni_json_get(&extensions, SNI_EXTENSION);
    if (extension.value == NULL) return SN_RESULT_OK;
    uint64_t version = 0;
    SNI_TRY(sni_gltf_whole(gltf, &extension, "version", 1, UINT32_MAX, 0, &version));
    if (version != SNI_EXTENSION_VERSION) {
        sni_note(gltf->notes,
                 "%.80s: " SNI_EXTENSION " has version %" PRIu64 ", which is unknown, and was ignored",
                 part->name, version);
        return SN_RESULT_OK;
    }
    if (!sni_deformation_fits(extension.value, part->mesh)) {
        sni_note(gltf->notes,
                 "%.80s: the mesh has changed since " SNI_EXTENSION " was written; polygons dropped",
                 part->name);
        return SN_RESULT_OK;
    }
    gltf->intact[part->joint] = 1;
    // The weld in the file is for others: this one follows from the positions, by the rule of every stage.
    return read_faces(gltf, layout, &extension, part);
}
