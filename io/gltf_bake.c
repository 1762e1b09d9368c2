// An evaluated animation as morph targets: target k moves the first frame to frame k, and the weights show
// one target after the other. Between two frames a viewer blends linearly, as it would between any two keys.
#include "gltf_build.h"

// ------------------------------------------------------------------------------------------- primitives

typedef struct BlockBaker {
    sniOutput* out;
    const sniBakeBlock* block;
    const snVec3* frames; // frame_count * vertex_count
    uint32_t vertex_count;
    uint32_t frame_count;
    float scale;
} BlockBaker;

static snVec3 frame_value(const BlockBaker* b, uint32_t frame, uint32_t i) {
    uint32_t vertex = b->block->origins != NULL ? b->block->origins[i] : b->block->begin + i;
    snVec3 value = b->frames[(size_t)frame * b->vertex_count + vertex];
    return b->scale != 1.0f ? sn_scale(value, b->scale) : value;
}

// The first frame as an attribute; `unit` for normals.
static uint32_t write_base(const BlockBaker* b, bool unit) {
    uint32_t count = b->block->count;
    uint32_t view = sni_output_view(b->out, NULL, (size_t)count * sizeof(snVec3), 0, SNI_TARGET_VERTICES);
    if (b->out->bin.failed) return 0;
    snVec3* values = (snVec3*)(void*)(b->out->bin.data + b->out->bin.size) - count;
    for (uint32_t i = 0; i < count; i++) {
        snVec3 value = frame_value(b, 0, i);
        values[i] = unit ? sn_normalize_or(value, sn_vec3(0.0f, 1.0f, 0.0f)) : value;
    }
    sniColumn column = {values, count, 3, SNI_FLOAT, SNI_TARGET_VERTICES, !unit};
    return sni_output_accessor_in(b->out, &column, view, 0);
}

// All frames as offsets from the first, in one view; the accessors follow each other from the returned index.
static uint32_t write_offsets(const BlockBaker* b, bool bounds) {
    size_t count = b->block->count, total = 0;
    if (!sni_mul_size(count * sizeof(snVec3), b->frame_count, &total)) {
        b->out->failed = true;
        return 0;
    }
    uint32_t view = sni_output_view(b->out, NULL, total, sizeof(snVec3), SNI_TARGET_VERTICES);
    if (b->out->bin.failed) return 0;
    snVec3* values = (snVec3*)(void*)(b->out->bin.data + b->out->bin.size - total);
    uint32_t first = 0;
    for (uint32_t f = 0; f < b->frame_count; f++, values += count) {
        for (uint32_t i = 0; i < count; i++) values[i] = sn_sub(frame_value(b, f, i), frame_value(b, 0, i));
        sniColumn column = {values, (uint32_t)count, 3, SNI_FLOAT, SNI_TARGET_VERTICES, bounds};
        uint32_t accessor = sni_output_accessor_in(b->out, &column, view, f * count * sizeof(snVec3));
        if (f == 0) first = accessor;
    }
    return first;
}

// What belongs to the old way of moving, or would point the wrong way once the vertices stand in a pose.
static void drop_attributes(sniJsonValue* attributes) {
    sni_json_remove(attributes, "TANGENT");
    sni_remove_weights(attributes);
}

static snResult check_finite(const snVec3* values, size_t count, uint32_t vertex_count, snError* error) {
    for (size_t i = 0; i < count; i++) {
        if (sn_vec3_finite(values[i])) continue;
        uint32_t vertex = (uint32_t)(i % vertex_count);
        sni_fail(error, SN_RESULT_BAD_DATA, "vertex %u is not finite in frame %zu", vertex, i / vertex_count);
        return sni_fail_vertex(error, SN_RESULT_BAD_DATA, vertex);
    }
    return SN_RESULT_OK;
}

snResult sni_bake_primitives(sniOutput* out, const snBake* bake, uint32_t part, uint32_t vertex_count,
                             const sniBakeBlock* block, float scale, sniJsonValue* const* primitives,
                             size_t primitive_count, snError* error) {
    size_t total = (size_t)vertex_count * bake->frame_count;
    SNI_TRY(check_finite(bake->positions[part], total, vertex_count, error));
    SNI_TRY(check_finite(bake->normals[part], total, vertex_count, error));
    BlockBaker positions = {out, block, bake->positions[part], vertex_count, bake->frame_count, scale};
    BlockBaker normals = {out, block, bake->normals[part], vertex_count, bake->frame_count, 1.0f};
    uint32_t base_position = write_base(&positions, false);
    uint32_t base_normal = write_base(&normals, true);
    uint32_t first_position = write_offsets(&positions, true);
    uint32_t first_normal = write_offsets(&normals, false);
    for (size_t p = 0; p < primitive_count; p++) {
        sniJsonValue* attributes = sni_json_find(primitives[p], "attributes");
        sniJsonValue* targets = sni_json_array();
        drop_attributes(attributes);
        sni_output_set(out, attributes, "POSITION", sni_json_uint(base_position));
        sni_output_set(out, attributes, "NORMAL", sni_json_uint(base_normal));
        for (uint32_t f = 0; f < bake->frame_count; f++) {
            sniJsonValue* target = sni_json_object();
            sni_output_set(out, target, "POSITION", sni_json_uint(first_position + f));
            sni_output_set(out, target, "NORMAL", sni_json_uint(first_normal + f));
            sni_output_add(out, targets, target);
        }
        sni_output_set(out, primitives[p], "targets", targets);
    }
    return out->failed || out->bin.failed ? sni_fail_memory(error) : SN_RESULT_OK;
}

// ------------------------------------------------------------------------------------------- animation

static uint32_t write_times(sniOutput* out, const snBake* bake) {
    float* times = SNI_NEW_ARRAY(&out->allocator, float, bake->frame_count);
    if (times == NULL) {
        out->failed = true;
        return 0;
    }
    for (uint32_t f = 0; f < bake->frame_count; f++) times[f] = (float)f / bake->fps;
    sniColumn column = {times, bake->frame_count, 1, SNI_FLOAT, SNI_TARGET_NONE, true};
    uint32_t accessor = sni_output_accessor(out, &column);
    sni_free(&out->allocator, times);
    return accessor;
}

// Key f: weight one for target f, zero for all others.
static uint32_t write_weights(sniOutput* out, const snBake* bake) {
    size_t count = (size_t)bake->frame_count * bake->frame_count;
    uint32_t view = sni_output_view(out, NULL, count * sizeof(float), 0, SNI_TARGET_NONE);
    if (out->bin.failed) return 0;
    float* weights = (float*)(void*)(out->bin.data + out->bin.size) - count;
    for (size_t f = 0; f < bake->frame_count; f++) weights[f * bake->frame_count + f] = 1.0f;
    sniColumn column = {weights, (uint32_t)count, 1, SNI_FLOAT, SNI_TARGET_NONE, false};
    return sni_output_accessor_in(out, &column, view, 0);
}

snResult sni_bake_animation(sniOutput* out, const snBake* bake, const uint32_t* nodes, uint32_t node_count,
                            snError* error) {
    sniJsonValue* sampler = sni_json_object();
    sniJsonValue* samplers = sni_json_array();
    sniJsonValue* channels = sni_json_array();
    sni_output_set(out, sampler, "input", sni_json_uint(write_times(out, bake)));
    sni_output_set(out, sampler, "interpolation", sni_json_string("LINEAR"));
    sni_output_set(out, sampler, "output", sni_json_uint(write_weights(out, bake)));
    sni_output_add(out, samplers, sampler);
    for (uint32_t n = 0; n < node_count; n++) {
        if (nodes[n] == SN_NONE) continue;
        sniJsonValue* target = sni_json_object();
        sniJsonValue* channel = sni_json_object();
        sni_output_set(out, target, "node", sni_json_uint(nodes[n]));
        sni_output_set(out, target, "path", sni_json_string("weights"));
        sni_output_set(out, channel, "sampler", sni_json_uint(0));
        sni_output_set(out, channel, "target", target);
        sni_output_add(out, channels, channel);
    }
    sniJsonValue* animation = sni_json_object();
    sni_output_set(out, animation, "name", sni_json_string(bake->name != NULL ? bake->name : "bake"));
    sni_output_set(out, animation, "samplers", samplers);
    sni_output_set(out, animation, "channels", channels);
    sni_json_remove(out->json, "animations");
    if (sni_json_count(channels) > 0)
        sni_output_push(out, "animations", animation);
    else
        sni_json_free(animation);
    return out->failed || out->bin.failed ? sni_fail_memory(error) : SN_RESULT_OK;
}

// ---------------------------------------------------------------------------------------- source document

typedef struct SourceBaker {
    sniOutput* out;
    const sniGltf* gltf;
    const snModel* model;
    const snBake* bake;
    snError* error;
    uint32_t* nodes; // one per part
} SourceBaker;

// Bakes every run of primitives that share their vertices.
static snResult bake_blocks(SourceBaker* b, uint32_t part, const sniLayout* layout,
                            sniJsonValue* primitives) {
    const snAllocator* memory = &b->out->allocator;
    sniJsonValue** items = SNI_NEW_ARRAY(memory, sniJsonValue*, layout->count);
    if (items == NULL) return sni_fail_memory(b->error);
    snResult result = SN_RESULT_OK;
    for (uint32_t i = 0, end = 0; i < layout->count && result == SN_RESULT_OK; i = end) {
        const sniPrimitive* first = &layout->primitives[i];
        for (end = i; end < layout->count && (end == i || !layout->primitives[end].own_vertices); end++) {
            items[end - i] = sni_json_element(primitives, end);
        }
        sniBakeBlock block = {first->vertex_count, NULL, first->vertex_begin};
        result = sni_bake_primitives(b->out, b->bake, part, layout->vertex_count, &block,
                                     1.0f / b->gltf->unit, items, end - i, b->error);
    }
    sni_free(memory, items);
    return result;
}

snResult sni_renew_hash(sniOutput* out, const sniGltf* gltf, const sniLayout* layout, const snVec3* positions,
                        sniJsonValue* mesh, snError* error) {
    sniJsonValue* extensions = sni_json_find(mesh, "extensions");
    sniJsonValue* extension = sni_json_find(extensions, SNI_EXTENSION);
    if (extension == NULL) return SN_RESULT_OK;
    snMesh* triangles = NULL;
    // The document was read once already, so only memory can be missing here and below.
    if (sni_gltf_read_mesh(gltf, layout, "", &triangles) != SN_RESULT_OK) return sni_fail_memory(error);
    char expected[20], renewed[20];
    snprintf(expected, sizeof expected, "%016" PRIx64, sn_mesh_hash(triangles));
    for (uint32_t v = 0; v < triangles->vertex_count; v++) {
        triangles->positions[v] =
            gltf->unit != 1.0f ? sn_scale(positions[v], 1.0f / gltf->unit) : positions[v];
    }
    snprintf(renewed, sizeof renewed, "%016" PRIx64, sn_mesh_hash(triangles));
    sn_mesh_destroy(triangles);
    sniJson hash = {sni_json_find(extension, "hash"), ""};
    const char* text = sni_json_text(&hash);
    if (text != NULL && strcmp(text, expected) == 0) {
        sni_output_set(out, extension, "hash", sni_json_string(renewed));
        sni_json_remove(extension, "latticePoints"); // of the bind pose, which is gone
    } else {
        sni_json_remove(extensions, SNI_EXTENSION); // it did not fit before either
    }
    return SN_RESULT_OK;
}

static snResult bake_mesh(SourceBaker* b, uint32_t part, uint32_t mesh_index, sniJsonValue* meshes) {
    sniLayout layout;
    if (sni_gltf_layout(b->gltf, mesh_index, &layout) != SN_RESULT_OK) return sni_fail_memory(b->error);
    sniJsonValue* mesh = sni_json_copy(layout.mesh.value);
    sniJsonValue* primitives = sni_json_array();
    for (uint32_t i = 0; i < layout.count; i++) {
        sni_output_add(b->out, primitives, sni_json_copy(layout.primitives[i].json.value));
    }
    sni_json_remove(mesh, "weights");
    sni_json_remove(sni_json_find(mesh, "extras"), "targetNames");
    snResult result = bake_blocks(b, part, &layout, primitives);
    if (result == SN_RESULT_OK) {
        result = sni_renew_hash(b->out, b->gltf, &layout, b->bake->positions[part], mesh, b->error);
    }
    sni_output_set(b->out, mesh, "primitives", primitives);
    sni_output_add(b->out, meshes, mesh);
    sni_layout_free(b->gltf, &layout);
    return result;
}

sniJsonValue* sni_scene_roots(sniOutput* out) {
    sniJson root = sni_json_root(out->json);
    sniJson shown = sni_json_get(&root, "scene");
    int64_t index = 0;
    if (!sni_json_whole(&shown, &index) || index < 0) index = 0;
    sniJsonValue* scenes = sni_json_list(out->json, "scenes");
    if (sni_json_count(scenes) == 0) {
        sni_output_add(out, scenes, sni_json_object());
        sni_output_set(out, out->json, "scene", sni_json_uint(0));
        index = 0;
    }
    return sni_json_list(sni_json_element(scenes, (size_t)index), "nodes");
}

static snResult bake_part(SourceBaker* b, uint32_t p, sniJsonValue* meshes) {
    const snPart* part = &b->model->parts[p];
    b->nodes[p] = SN_NONE;
    sniJson source = sni_gltf_object(b->gltf, "nodes", part->joint);
    sniJson mesh_json = sni_json_get(&source, "mesh");
    int64_t mesh = 0;
    if (!sni_json_whole(&mesh_json, &mesh)) return SN_RESULT_OK;
    sniJsonValue* old = sni_json_element(sni_json_find(b->out->json, "nodes"), part->joint);
    sni_json_remove(old, "mesh");
    sni_json_remove(old, "skin");
    sni_json_remove(old, "weights");
    if (part->mesh->vertex_count == 0) return SN_RESULT_OK;
    uint32_t baked = (uint32_t)sni_json_count(meshes);
    SNI_TRY(bake_mesh(b, p, (uint32_t)mesh, meshes));
    sniJsonValue* node = sni_json_object();
    sni_output_set(b->out, node, "name", sni_json_string(part->name));
    sni_output_set(b->out, node, "mesh", sni_json_uint(baked));
    b->nodes[p] = sni_output_push(b->out, "nodes", node);
    sni_output_add(b->out, sni_scene_roots(b->out), sni_json_uint(b->nodes[p]));
    return SN_RESULT_OK;
}

snResult sni_bake_source(sniOutput* out, const sniGltf* gltf, const snModel* model, const snBake* bake,
                         snError* error) {
    SourceBaker baker = {.out = out, .gltf = gltf, .model = model, .bake = bake, .error = error};
    baker.nodes = SNI_NEW_ARRAY(&out->allocator, uint32_t, model->part_count);
    sniJsonValue* meshes = sni_json_array();
    snResult result = baker.nodes != NULL && meshes != NULL ? SN_RESULT_OK : sni_fail_memory(error);
    for (uint32_t p = 0; p < model->part_count && result == SN_RESULT_OK; p++) {
        result = bake_part(&baker, p, meshes);
    }
    if (result == SN_RESULT_OK) {
        sni_json_remove(out->json, "meshes");
        sni_json_remove(out->json, "skins");
        sni_binding_remove(out);
        if (sni_json_count(meshes) > 0)
            sni_output_set(out, out->json, "meshes", meshes);
        else
            sni_json_free(meshes);
        result = sni_bake_animation(out, bake, baker.nodes, model->part_count, error);
    } else {
        sni_json_free(meshes);
    }
    sni_free(&out->allocator, baker.nodes);
    return result;
}
