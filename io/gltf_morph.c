// Baked morph targets in a document: on the meshes of one that passes through, and the animation of weights.
#include "gltf_build.h"
#include "rig/influence.h"

// -------------------------------------------------------------------------------------------- animation

snMorphGrid sni_morph_grid(const snMorphPart* part, uint32_t k, float unit) {
    bool has = part != NULL && part->grids != NULL && unit == 1.0f;
    return has ? part->grids[k] : (snMorphGrid){.step = 1.0f};
}

// Weights as the file's targets need them.
static uint32_t write_weights(sniOutput* out, const snMorphPart* from, float unit) {
    uint32_t count = from->key_count * from->target_count;
    float* weights = sni_copy_array(&out->allocator, from->weights, count, sizeof *weights);
    if (weights == NULL) {
        out->failed = true;
        return 0;
    }
    for (uint32_t i = 0; i < count; i++)
        weights[i] *= sni_morph_grid(from, i % from->target_count, unit).step;
    sniColumn column = {weights, count, 1, SNI_FLOAT, SNI_TARGET_NONE, false};
    uint32_t accessor = sni_output_accessor(out, &column);
    sni_free(&out->allocator, weights);
    return accessor;
}

static void add_channel(sniOutput* out, const snMorphPart* from, uint32_t node, float unit,
                        sniJsonValue* animation) {
    sniJsonValue* samplers = sni_json_list(animation, "samplers");
    sniColumn times = {from->times, from->key_count, 1, SNI_FLOAT, SNI_TARGET_NONE, true};
    sniJsonValue* sampler = sni_json_object();
    sni_output_set(out, sampler, "input", sni_json_uint(sni_output_accessor(out, &times)));
    sni_output_set(out, sampler, "interpolation", sni_json_string("LINEAR"));
    sni_output_set(out, sampler, "output", sni_json_uint(write_weights(out, from, unit)));
    sniJsonValue* target = sni_json_object();
    sni_output_set(out, target, "node", sni_json_uint(node));
    sni_output_set(out, target, "path", sni_json_string("weights"));
    sniJsonValue* channel = sni_json_object();
    sni_output_set(out, channel, "sampler", sni_json_uint(sni_json_count(samplers)));
    sni_output_set(out, channel, "target", target);
    sni_output_add(out, samplers, sampler);
    sni_output_add(out, sni_json_list(animation, "channels"), channel);
}

snResult sni_morph_animate(sniOutput* out, const snModel* model, const snMorphBake* morphs,
                           const uint32_t* nodes, uint32_t index, float unit, snError* error) {
    for (uint32_t p = 0; p < morphs->part_count; p++) {
        const snMorphPart* from = &morphs->parts[p];
        if (from->target_count == 0 || nodes[p] == SN_NONE) continue;
        if ((uint64_t)from->key_count * from->target_count > UINT32_MAX)
            return sni_fail(error, SN_RESULT_UNSUPPORTED, "more weights than a glTF accessor counts");
        sniJsonValue* animations = sni_json_list(out->json, "animations");
        if (index >= sni_json_count(animations)) {
            sniJsonValue* animation = sni_json_object();
            const char* name = morphs->clip != SN_CLIP_REST ? model->clips[morphs->clip]->name : "";
            sni_output_set(out, animation, "name", sni_json_string(name[0] != '\0' ? name : "morph"));
            sni_output_add(out, animations, animation);
        }
        add_channel(out, from, nodes[p], unit, sni_json_element(animations, index));
    }
    return out->failed || out->bin.failed ? sni_fail_memory(error) : SN_RESULT_OK;
}

// Takes the channels of replaced targets out of an animation of the source document.
static void drop_channels(const snModel* model, const snMorphBake* morphs, sniJsonValue* animation) {
    sniJsonValue* channels = sni_json_find(animation, "channels");
    for (size_t i = 0; i < sni_json_count(channels);) {
        sniJson channel = sni_json_root(sni_json_element(channels, i));
        sniJson target = sni_json_get(&channel, "target");
        sniJson path = sni_json_get(&target, "path"), node = sni_json_get(&target, "node");
        const char* text = sni_json_text(&path);
        int64_t joint = -1;
        bool old = text != NULL && strcmp(text, "weights") == 0 && sni_json_whole(&node, &joint) &&
                   sni_morph_replaces(model, morphs, (uint32_t)joint);
        if (old)
            sni_json_remove_item(channels, i);
        else
            i++;
    }
}

void sni_morph_tidy(sniOutput* out) {
    sniJsonValue* animations = sni_json_find(out->json, "animations");
    for (size_t i = sni_json_count(animations); i-- > 0;) {
        sniJsonValue* animation = sni_json_element(animations, i);
        if (sni_json_count(sni_json_find(animation, "channels")) > 0) continue;
        sni_note(out->notes, "an animation of morph targets that were replaced is left out");
        sni_json_remove_item(animations, i);
    }
    if (animations != NULL && sni_json_count(animations) == 0) sni_json_remove(out->json, "animations");
}

// --------------------------------------------------------------------------------------------- vertices

typedef struct Writer {
    sniOutput* out;
    const sniGltf* gltf;
    const snModel* model;
    const snMorphBake* morphs;
    uint32_t part;
    snError* error;
} Writer;

// Rows of `stride` values each, the block's share of them, as accessors that follow each other from the
// returned index.
static uint32_t write_rows(Writer* w, const sniPrimitive* block, const snVec3* rows, uint32_t row_count,
                           float scale, bool bounds) {
    uint32_t stride = w->morphs->parts[w->part].vertex_count, count = block->vertex_count;
    size_t size = count * sizeof(snVec3), total = 0;
    if (!sni_mul_size(size, row_count, &total)) {
        w->out->failed = true;
        return 0;
    }
    uint32_t view = sni_output_view(w->out, NULL, total, sizeof(snVec3), SNI_TARGET_VERTICES);
    if (w->out->bin.failed) return 0;
    snVec3* values = (snVec3*)(void*)(w->out->bin.data + w->out->bin.size - total);
    uint32_t first = (uint32_t)sni_json_count(sni_json_find(w->out->json, "accessors"));
    for (uint32_t row = 0; row < row_count; row++, values += count) {
        const snVec3* from = rows + (size_t)row * stride + block->vertex_begin;
        for (uint32_t i = 0; i < count; i++) values[i] = scale != 1.0f ? sn_scale(from[i], scale) : from[i];
        sniColumn column = {values, count, 3, SNI_FLOAT, SNI_TARGET_VERTICES, bounds};
        sni_output_accessor_in(w->out, &column, view, row * size);
    }
    return first;
}

static bool moved(const Writer* w) {
    const snMorphPart* from = &w->morphs->parts[w->part];
    const snVec3* rest = w->model->parts[w->part].mesh->positions;
    return memcmp(from->base, rest, from->vertex_count * sizeof(snVec3)) != 0;
}

static sniJsonValue* write_target(Writer* w, const sniPrimitive* block, uint32_t k) {
    const snMorphPart* from = &w->morphs->parts[w->part];
    snMorphGrid grid = sni_morph_grid(from, k, w->gltf->unit);
    float scale = 1.0f / w->gltf->unit;
    uint32_t count = block->vertex_count;
    size_t begin = (size_t)k * from->vertex_count + block->vertex_begin;
    sniJsonValue* target = sni_json_object();
    snVec3* offsets = sni_copy_array(&w->out->allocator, from->targets + begin, count, sizeof *offsets);
    if (offsets == NULL) w->out->failed = true;
    for (uint32_t v = 0; v < count && offsets != NULL && scale != 1.0f; v++)
        offsets[v] = sn_scale(offsets[v], scale);
    if (offsets != NULL) {
        uint32_t positions = sni_output_offsets(w->out, offsets, count, grid, true);
        sni_output_set(w->out, target, "POSITION", sni_json_uint(positions));
    }
    sni_free(&w->out->allocator, offsets);
    if (from->normals != NULL) {
        uint32_t normals = sni_output_offsets(w->out, from->normals + begin, count, grid, false);
        sni_output_set(w->out, target, "NORMAL", sni_json_uint(normals));
    }
    return target;
}

// What the primitives of a block get: attributes and the list of targets.
static void write_block(Writer* w, const sniPrimitive* block, bool has_normals, sniJsonValue* attributes,
                        sniJsonValue* targets) {
    const snMorphPart* from = &w->morphs->parts[w->part];
    float scale = 1.0f / w->gltf->unit;
    bool base = moved(w);
    if (base) {
        uint32_t accessor = write_rows(w, block, from->base, 1, scale, true);
        sni_output_set(w->out, attributes, "POSITION", sni_json_uint(accessor));
    }
    if (base || !has_normals) {
        uint32_t accessor = write_rows(w, block, from->base_normals, 1, 1.0f, false);
        sni_output_set(w->out, attributes, "NORMAL", sni_json_uint(accessor));
    }
    if (from->influences.influences > 0) {
        uint32_t joints = w->model->skins[w->model->parts[w->part].skin].joint_count;
        sniVertexBlock vertices = {block->vertex_count, NULL, block->vertex_begin};
        if (!sni_build_weights(w->out, &from->influences, joints, &vertices, attributes))
            w->out->failed = true;
    }
    for (uint32_t k = 0; k < from->target_count; k++)
        sni_output_add(w->out, targets, write_target(w, block, k));
}

static void change_primitive(Writer* w, sniJsonValue* primitive, const sniJsonValue* attributes,
                             const sniJsonValue* targets) {
    sniJsonValue* own = sni_json_find(primitive, "attributes");
    if (moved(w)) sni_json_remove(own, "TANGENT");
    const snMorphPart* from = &w->morphs->parts[w->part];
    if (from->space == SN_MORPH_ROOT || from->influences.influences > 0) sni_remove_weights(own);
    if (!sni_json_merge(own, attributes)) w->out->failed = true;
    sni_json_remove(primitive, "targets");
    if (sni_json_count(targets) > 0) sni_output_set(w->out, primitive, "targets", sni_json_copy(targets));
}

// Vertices that several primitives share are written once. All primitives of a mesh need the same number of
// targets, so those that the layout leaves out (lines beside faces) are dropped.
static sniJsonValue* write_primitives(Writer* w, const sniLayout* layout, const sniJsonValue* list) {
    sniJsonValue* primitives = sni_json_array();
    for (uint32_t i = 0; i < layout->count; i++)
        sni_output_add(w->out, primitives,
                       sni_json_copy(sni_json_element(list, layout->primitives[i].number)));
    for (uint32_t i = 0; i < layout->count && !w->out->failed; i++) {
        const sniPrimitive* owner = &layout->primitives[i];
        if (!owner->own_vertices) continue;
        sniJsonValue* attributes = sni_json_object();
        sniJsonValue* targets = sni_json_array();
        const sniJsonValue* old = sni_json_find(sni_json_element(primitives, i), "attributes");
        write_block(w, owner, sni_json_find(old, "NORMAL") != NULL, attributes, targets);
        for (uint32_t k = i; k < layout->count; k++) {
            if (layout->primitives[k].vertex_begin != owner->vertex_begin) continue;
            change_primitive(w, sni_json_element(primitives, k), attributes, targets);
        }
        sni_json_free(attributes);
        sni_json_free(targets);
    }
    return primitives;
}

// ----------------------------------------------------------------------------------------------- meshes

static void name_targets(Writer* w, sniJsonValue* mesh) {
    uint32_t count = w->morphs->parts[w->part].target_count;
    sni_json_remove(mesh, "weights");
    sni_json_remove(sni_json_find(mesh, "extras"), "targetNames");
    if (count == 0) return;
    sniJsonValue* extras = sni_output_object(w->out, mesh, "extras");
    sniJsonValue* names = sni_json_array();
    for (uint32_t k = 0; k < count; k++) {
        char name[24];
        snprintf(name, sizeof name, "sinew %u", k + 1);
        sni_output_add(w->out, names, sni_json_string(name));
    }
    // Extras may be anything; where they are no object the names have no place.
    if (!sni_json_set(extras, "targetNames", names)) sni_note(w->out->notes, "targets have no names");
}

static snResult change_mesh(Writer* w, uint32_t source, sniJsonValue* mesh) {
    sniLayout layout;
    const snPart* part = &w->model->parts[w->part];
    snResult found = part->origins != NULL ? sni_reshaped_layout(w->out, w->gltf, part, &layout)
                                           : sni_gltf_layout(w->gltf, source, &layout);
    if (found != SN_RESULT_OK) return sni_fail_memory(w->error);
    const sniJsonValue* list = sni_json_find(mesh, "primitives");
    if (sni_json_count(list) > layout.count) {
        sni_note(w->out->notes, "%.80s: primitives without faces cannot have its targets and are left out",
                 part->name);
    }
    sniJsonValue* primitives = write_primitives(w, &layout, list);
    sni_output_set(w->out, mesh, "primitives", primitives);
    name_targets(w, mesh);
    snResult result = SN_RESULT_OK;
    if (moved(w)) {
        const snVec3* base = w->morphs->parts[w->part].base;
        result = part->origins != NULL ? sni_reshaped_sign(w->out, w->gltf, part, base, w->error)
                                       : sni_renew_hash(w->out, w->gltf, &layout, base, mesh, w->error);
    }
    sni_layout_free(w->gltf, &layout);
    return result;
}

// Moves the mesh of a part to a new node below the joint that shall carry it, and returns that node.
static uint32_t hang_mesh(Writer* w, sniJsonValue* old) {
    sniOutput* out = w->out;
    const snMorphPart* from = &w->morphs->parts[w->part];
    sniJsonValue* node = sni_json_object();
    const char* name = w->model->parts[w->part].name;
    if (name[0] != '\0') sni_output_set(out, node, "name", sni_json_string(name));
    sni_output_set(out, node, "mesh", sni_json_copy(sni_json_find(old, "mesh")));
    sniJsonValue* skin = sni_json_find(old, "skin");
    if (from->space == SN_MORPH_BIND && skin != NULL) sni_output_set(out, node, "skin", sni_json_copy(skin));
    sni_json_remove(old, "mesh");
    sni_json_remove(old, "skin");
    bool loose = from->joint == SN_NONE || sni_json_find(node, "skin") != NULL;
    uint32_t index = sni_output_push(out, "nodes", node);
    sniJsonValue* above = sni_json_element(sni_json_find(out->json, "nodes"), from->joint);
    sni_output_add(out, loose ? sni_scene_roots(out) : sni_json_list(above, "children"),
                   sni_json_uint(index));
    return index;
}

static snResult change_part(Writer* w, uint32_t* out_node) {
    const snPart* part = &w->model->parts[w->part];
    int64_t mesh = sni_source_mesh(w->gltf, part);
    *out_node = SN_NONE;
    if (mesh < 0) return SN_RESULT_OK;
    SNI_TRY(change_mesh(w, (uint32_t)mesh, sni_output_mesh(w->out, part)));
    sniJsonValue* node = sni_json_element(sni_json_find(w->out->json, "nodes"), part->joint);
    sni_json_remove(node, "weights");
    // Viewers that make bones of joints do not animate the weights of a mesh there.
    bool moves =
        w->morphs->parts[w->part].space == SN_MORPH_ROOT || sni_joint_has_skin(w->model, part->joint);
    *out_node = moves ? hang_mesh(w, node) : part->joint;
    return SN_RESULT_OK;
}

snResult sni_morph_source(sniOutput* out, const sniGltf* gltf, const snModel* model,
                          const snMorphBake* morphs, uint32_t* out_nodes, snError* error) {
    sniJsonValue* animations = sni_json_find(out->json, "animations");
    for (size_t i = 0; i < sni_json_count(animations); i++)
        drop_channels(model, morphs, sni_json_element(animations, i));
    for (uint32_t p = 0; p < model->part_count; p++) {
        Writer writer = {out, gltf, model, morphs, p, error};
        out_nodes[p] = SN_NONE;
        if (morphs->parts[p].base != NULL) SNI_TRY(change_part(&writer, &out_nodes[p]));
    }
    if (sni_morph_changes(morphs)) sni_binding_drop(out);
    return out->failed || out->bin.failed ? sni_fail_memory(error) : SN_RESULT_OK;
}
