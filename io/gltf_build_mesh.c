// One part of a model as a glTF mesh: split vertices, a primitive per group, weights, morph targets.
#include "gltf_build.h"
#include "picture.h"

// What one mesh is written from. Arrays are per glTF vertex.
typedef struct MeshWriter {
    sniOutput* out;
    const snModel* model;
    const snPart* part;
    uint32_t part_index;
    sniMeshStyle style;
    sniSplit split;
    snVec3* positions;
    sniJsonValue* attributes; // owned template, copied into every primitive
    sniJsonValue* targets;    // owned template or NULL
} MeshWriter;

static void set_attribute(MeshWriter* w, const char* key, const void* values, uint32_t width,
                          uint32_t component, bool bounds) {
    sniColumn column = {values, w->split.count, width, component, SNI_TARGET_VERTICES, bounds};
    sni_output_set(w->out, w->attributes, key, sni_json_uint(sni_output_accessor(w->out, &column)));
}

// A scale of one keeps every bit, that of a negative zero too.
static snVec3 to_unit(float scale, snVec3 v) { return scale != 1.0f ? sn_scale(v, scale) : v; }

static bool write_positions(MeshWriter* w) {
    w->positions = SNI_NEW_ARRAY(&w->out->allocator, snVec3, w->split.count);
    if (w->positions == NULL) return false;
    const snVec3* from = w->part->mesh->positions;
    for (uint32_t v = 0; v < w->split.count; v++) {
        w->positions[v] = to_unit(w->style.scale, from[w->split.origins[v]]);
    }
    set_attribute(w, "POSITION", w->positions, 3, SNI_FLOAT, true);
    return true;
}

// A unit vector: as it is when near enough, else made so.
static snVec3 unit_normal(snVec3 n) {
    float length = sn_length(n);
    if (fabsf(length - 1.0f) < 1e-3f) return n;
    return sn_vec3_finite(n) ? sn_normalize_or(n, sn_vec3(0.0f, 1.0f, 0.0f)) : sn_vec3(0.0f, 1.0f, 0.0f);
}

static bool write_normals(MeshWriter* w) {
    const snMesh* mesh = w->part->mesh;
    bool computable = mesh->face_count > 0 && w->style.normals;
    if (mesh->normals == NULL && !computable) return true;
    const snAllocator* memory = &w->out->allocator;
    snVec3* computed = SNI_NEW_ARRAY(memory, snVec3, mesh->vertex_count);
    snVec3* normals = SNI_NEW_ARRAY(memory, snVec3, w->split.count);
    snNormalsJob job = {mesh, w->part->weld, NULL, computed};
    bool done = computed != NULL && normals != NULL && sn_normals_run(&job) == SN_RESULT_OK;
    for (uint32_t v = 0; v < w->split.count && done; v++) {
        uint32_t index = w->split.normals[v];
        snVec3 normal = index != SN_NONE ? mesh->normals[index] : computed[w->split.origins[v]];
        normals[v] = unit_normal(normal);
    }
    if (done) set_attribute(w, "NORMAL", normals, 3, SNI_FLOAT, false);
    sni_free(memory, computed);
    sni_free(memory, normals);
    return done;
}

// glTF has texture coordinates for all vertices of a primitive or for none.
static void note_missing_uvs(const MeshWriter* w) {
    const snMesh* mesh = w->part->mesh;
    uint32_t missing = 0;
    for (uint32_t c = 0; c < mesh->corner_count && mesh->corner_uvs != NULL; c++) {
        missing += mesh->corner_uvs[c] == SN_NONE;
    }
    if (missing > 0) {
        sni_note(w->out->notes, "%.80s: %u of %u face corners had no texture coordinates and got 0, 0",
                 w->part->name, missing, mesh->corner_count);
    }
}

static bool write_uvs(MeshWriter* w) {
    const snMesh* mesh = w->part->mesh;
    if (mesh->uvs == NULL) return true;
    snVec2* uvs = SNI_NEW_ARRAY(&w->out->allocator, snVec2, w->split.count);
    if (uvs == NULL) return false;
    for (uint32_t v = 0; v < w->split.count; v++) {
        if (w->split.uvs[v] == SN_NONE) continue;
        snVec2 uv = mesh->uvs[w->split.uvs[v]];
        if (sn_finite(uv.x) && sn_finite(uv.y)) uvs[v] = uv;
    }
    note_missing_uvs(w);
    set_attribute(w, "TEXCOORD_0", uvs, 2, SNI_FLOAT, false);
    sni_free(&w->out->allocator, uvs);
    return true;
}

static float unit_range(float x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }

static bool write_colors(MeshWriter* w) {
    const snMesh* mesh = w->part->mesh;
    if (mesh->colors == NULL) return true;
    snVec4* colors = SNI_NEW_ARRAY(&w->out->allocator, snVec4, w->split.count);
    if (colors == NULL) return false;
    for (uint32_t v = 0; v < w->split.count; v++) {
        snVec4 c = mesh->colors[w->split.origins[v]];
        colors[v] = (snVec4){unit_range(c.x), unit_range(c.y), unit_range(c.z), unit_range(c.w)};
    }
    set_attribute(w, "COLOR_0", colors, 4, SNI_FLOAT, false);
    sni_free(&w->out->allocator, colors);
    return true;
}

// ---------------------------------------------------------------------------------------------- weights

static bool write_weights(MeshWriter* w) {
    const snPart* part = w->part;
    if (part->skin == SN_NONE) return true;
    sniVertexBlock block = {w->split.count, w->split.origins, 0};
    return sni_build_weights(w->out, &part->weights, w->model->skins[part->skin].joint_count, &block,
                             w->attributes);
}

// ----------------------------------------------------------------------------------------------- morphs

static void set_offsets(MeshWriter* w, sniJsonValue* target, const char* key, const snVec3* offsets,
                        snMorphGrid grid, snVec3* scratch) {
    if (offsets == NULL) return;
    bool places = strcmp(key, "POSITION") == 0; // they have a unit, and bounds in the file
    for (uint32_t v = 0; v < w->split.count; v++)
        scratch[v] = to_unit(places ? w->style.scale : 1.0f, offsets[w->split.origins[v]]);
    uint32_t accessor = sni_output_offsets(w->out, scratch, w->split.count, grid, places);
    sni_output_set(w->out, target, key, sni_json_uint(accessor));
}

static bool write_morphs(MeshWriter* w) {
    const snPart* part = w->part;
    if (part->morph_count == 0) return true;
    snVec3* scratch = SNI_NEW_ARRAY(&w->out->allocator, snVec3, w->split.count);
    snVec3* zeros = SNI_NEW_ARRAY(&w->out->allocator, snVec3, w->part->mesh->vertex_count);
    w->targets = sni_json_array();
    for (uint32_t m = 0; m < part->morph_count && scratch != NULL && zeros != NULL; m++) {
        const snMorph* morph = &part->morphs[m];
        sniJsonValue* target = sni_json_object();
        // A target must have something; without offsets it has positions that do not move.
        const snVec3* positions =
            morph->positions != NULL || morph->normals != NULL ? morph->positions : zeros;
        snMorphGrid grid = sni_morph_grid(w->style.baked, m, 1.0f);
        set_offsets(w, target, "POSITION", positions, grid, scratch);
        set_offsets(w, target, "NORMAL", morph->normals, grid, scratch);
        sni_output_add(w->out, w->targets, target);
    }
    bool done = scratch != NULL && zeros != NULL && w->targets != NULL;
    sni_free(&w->out->allocator, scratch);
    sni_free(&w->out->allocator, zeros);
    return done;
}

static void name_morphs(MeshWriter* w, sniJsonValue* mesh) {
    if (w->targets == NULL) return;
    sniJsonValue* names = sni_json_array();
    sniJsonValue* extras = sni_json_object();
    for (uint32_t m = 0; m < w->part->morph_count; m++) {
        sni_output_add(w->out, names, sni_json_string(w->part->morphs[m].name));
    }
    sni_output_set(w->out, extras, "targetNames", names);
    sni_output_set(w->out, mesh, "weights", sni_json_floats(w->part->morph_weights, w->part->morph_count));
    sni_output_set(w->out, mesh, "extras", extras);
}

// ------------------------------------------------------------------------------------------- primitives

static uint32_t write_indices(MeshWriter* w, const uint32_t* triangles, uint32_t count) {
    sniColumn column = {triangles, count, 1, SNI_UNSIGNED_INT, SNI_TARGET_INDICES, false};
    // 65535 means "restart" in 16 bits, so the last usable index is one below.
    if (w->split.count > UINT16_MAX) return sni_output_accessor(w->out, &column);
    uint16_t* narrow = SNI_NEW_ARRAY(&w->out->allocator, uint16_t, count);
    if (narrow == NULL) {
        w->out->failed = true;
        return 0;
    }
    for (uint32_t i = 0; i < count; i++) narrow[i] = (uint16_t)triangles[i];
    column.data = narrow;
    column.component = SNI_UNSIGNED_SHORT;
    uint32_t accessor = sni_output_accessor(w->out, &column);
    sni_free(&w->out->allocator, narrow);
    return accessor;
}

static void add_primitive(MeshWriter* w, sniJsonValue* primitives, uint32_t group, const uint32_t* triangles,
                          uint32_t index_count) {
    const snPart* part = w->part;
    sniJsonValue* primitive = sni_json_object();
    sni_output_set(w->out, primitive, "attributes", sni_json_copy(w->attributes));
    if (index_count > 0) {
        sni_output_set(w->out, primitive, "indices", sni_json_uint(write_indices(w, triangles, index_count)));
    } else {
        sni_output_set(w->out, primitive, "mode", sni_json_uint(0)); // points
    }
    if (group < part->mesh->group_count && part->group_materials != NULL &&
        part->group_materials[group] < w->model->material_count) {
        sni_output_set(w->out, primitive, "material", sni_json_uint(part->group_materials[group]));
    }
    if (w->targets != NULL) sni_output_set(w->out, primitive, "targets", sni_json_copy(w->targets));
    sni_output_add(w->out, primitives, primitive);
}

static void add_primitives(MeshWriter* w, sniJsonValue* primitives) {
    const snMesh* mesh = w->part->mesh;
    const uint32_t* triangles = w->split.triangles;
    for (uint32_t g = 0; g <= mesh->group_count; g++) {
        uint32_t count = 0;
        for (uint32_t i = w->split.group_starts[g]; i < w->split.group_starts[g + 1]; i++) {
            uint32_t face = w->split.face_order[i];
            count += 3 * (mesh->face_starts[face + 1] - mesh->face_starts[face] - 2);
        }
        if (count > 0) add_primitive(w, primitives, g, triangles, count);
        triangles += count;
    }
    if (mesh->face_count == 0) add_primitive(w, primitives, mesh->group_count, NULL, 0);
}

static snResult write_mesh(MeshWriter* w, uint32_t* out_mesh, snError* error) {
    w->attributes = sni_json_object();
    if (!write_positions(w) || !write_normals(w) || !write_uvs(w) || !write_colors(w) || !write_weights(w) ||
        !write_morphs(w)) {
        return sni_fail_memory(error);
    }
    sniJsonValue* mesh = sni_json_object();
    sniJsonValue* primitives = sni_json_array();
    add_primitives(w, primitives);
    if (w->part->name[0] != '\0') sni_output_set(w->out, mesh, "name", sni_json_string(w->part->name));
    sni_output_set(w->out, mesh, "primitives", primitives);
    name_morphs(w, mesh);
    if (w->part->mesh->face_count > 0) {
        sniJsonValue* extensions = sni_json_object();
        sniJsonValue* extension = sni_deformation_object(w->out, w->part, &w->split, w->positions);
        sniVertexBlock block = {w->split.count, w->split.origins, 0};
        sni_binding_add_points(w->out, w->model, w->part_index, &block, extension);
        sni_output_set(w->out, extensions, SNI_EXTENSION, extension);
        sni_output_set(w->out, mesh, "extensions", extensions);
        sni_output_use(w->out, SNI_EXTENSION);
    }
    *out_mesh = sni_output_push(w->out, "meshes", mesh);
    return SN_RESULT_OK;
}

snResult sni_build_mesh(sniOutput* out, const snModel* model, uint32_t part, sniMeshStyle style,
                        uint32_t* out_mesh, snError* error) {
    MeshWriter writer = {
        .out = out, .model = model, .part = &model->parts[part], .part_index = part, .style = style};
    *out_mesh = SN_NONE;
    if (writer.part->mesh->vertex_count == 0) return SN_RESULT_OK;
    if (sni_split_create(writer.part->mesh, &out->allocator, &writer.split) != SN_RESULT_OK) {
        return sni_fail_memory(error);
    }
    snResult result = write_mesh(&writer, out_mesh, error);
    sni_json_free(writer.attributes);
    sni_json_free(writer.targets);
    sni_free(&out->allocator, writer.positions);
    sni_split_free(&writer.split, &out->allocator);
    return result;
}

// -------------------------------------------------------------------------------------------- materials

// The picture goes into the buffer as PNG; returns the texture's index.
static uint32_t add_texture(sniOutput* out, const snImage* image, snError* error) {
    sniBytes bytes = sni_bytes(&out->allocator);
    if (sni_png_encode(image, "texture", &bytes, error) != SN_RESULT_OK) out->failed = true;
    uint32_t view = sni_output_view(out, bytes.data, bytes.size, 0, SNI_TARGET_NONE);
    sni_bytes_free(&bytes);
    sniJsonValue* object = sni_json_object();
    sni_output_set(out, object, "bufferView", sni_json_uint(view));
    sni_output_set(out, object, "mimeType", sni_json_string("image/png"));
    sniJsonValue* texture = sni_json_object();
    sni_output_set(out, texture, "source", sni_json_uint(sni_output_push(out, "images", object)));
    return sni_output_push(out, "textures", texture);
}

void sni_build_materials(sniOutput* out, const snModel* model, snError* error) {
    for (uint32_t m = 0; m < model->material_count; m++) {
        const snMaterial* from = &model->materials[m];
        float color[4] = {unit_range(from->base_color.x), unit_range(from->base_color.y),
                          unit_range(from->base_color.z), unit_range(from->base_color.w)};
        sniJsonValue* pbr = sni_json_object();
        sni_output_set(out, pbr, "baseColorFactor", sni_json_floats(color, 4));
        sni_output_set(out, pbr, "metallicFactor", sni_json_real(0.0));
        if (from->image != NULL) {
            sniJsonValue* info = sni_json_object();
            sni_output_set(out, info, "index", sni_json_uint(add_texture(out, from->image, error)));
            sni_output_set(out, pbr, "baseColorTexture", info);
        }
        sniJsonValue* material = sni_json_object();
        if (from->name[0] != '\0') sni_output_set(out, material, "name", sni_json_string(from->name));
        sni_output_set(out, material, "pbrMetallicRoughness", pbr);
        if (from->double_sided) sni_output_set(out, material, "doubleSided", sni_json_bool(true));
        if (from->unlit) {
            sniJsonValue* extensions = sni_json_object();
            sni_output_set(out, extensions, "KHR_materials_unlit", sni_json_object());
            sni_output_set(out, material, "extensions", extensions);
            sni_output_use(out, "KHR_materials_unlit");
        }
        sni_output_push(out, "materials", material);
    }
}
