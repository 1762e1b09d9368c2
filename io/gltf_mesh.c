// Meshes: the primitives of a glTF mesh become one polygon mesh with a group per primitive.
#include "gltf.h"
#include "shape/weld_reach.h"

// ---------------------------------------------------------------------------------------------- layout

static uint32_t count_influence_sets(const sniJson* attributes) {
    uint32_t sets = 0;
    for (;; sets++) {
        char key[24];
        snprintf(key, sizeof key, "JOINTS_%u", sets);
        sniJson joints = sni_json_get(attributes, key);
        if (joints.value == NULL) return sets;
    }
}

// Compared with the last primitive that brought vertices only: exporters that share do so for all primitives
// of a mesh, and looking further back would cost the square of their number.
static bool shares_vertices(const sniLayout* layout, const sniPrimitive* primitive, uint32_t* begin) {
    for (uint32_t i = layout->count; i-- > 0;) {
        const sniPrimitive* earlier = &layout->primitives[i];
        if (!earlier->own_vertices) continue;
        const char* keys[] = {"attributes", "targets"};
        for (int k = 0; k < 2; k++) {
            sniJson a = sni_json_get(&primitive->json, keys[k]);
            sniJson b = sni_json_get(&earlier->json, keys[k]);
            if (!sni_json_equal(a.value, b.value)) return false;
        }
        *begin = earlier->vertex_begin;
        return true;
    }
    return false;
}

static snResult add_counts(const sniGltf* gltf, sniLayout* layout, const sniPrimitive* primitive) {
    uint32_t n = primitive->index_count;
    uint64_t corners = primitive->mode == 4 ? n / 3 * 3u : n >= 3 ? (uint64_t)(n - 2) * 3 : 0;
    if (primitive->mode == 0) corners = 0;
    uint64_t vertices = primitive->own_vertices ? primitive->vertex_count : 0;
    if (vertices > SN_NONE - 1 - layout->vertex_count || corners > SN_NONE - 1 - layout->corner_count) {
        return sni_gltf_fail(gltf, SN_RESULT_UNSUPPORTED, &layout->mesh, "has more than 4294967294 vertices");
    }
    layout->vertex_count += (uint32_t)vertices;
    layout->corner_count += (uint32_t)corners;
    return SN_RESULT_OK;
}

static snResult lay_primitive(const sniGltf* gltf, uint32_t number, uint32_t material_count,
                              sniLayout* layout) {
    sniJson list = sni_json_get(&layout->mesh, "primitives");
    sniPrimitive primitive = {.json = sni_json_item(&list, number), .number = number};
    sniJson attributes = sni_json_get(&primitive.json, "attributes");
    sniJson targets = sni_json_get(&primitive.json, "targets");
    uint64_t mode = 4;
    uint32_t position = 0;
    sniAccessor accessor;
    SNI_TRY(sni_gltf_whole(gltf, &primitive.json, "mode", 0, 6, 4, &mode));
    SNI_TRY(sni_gltf_index(gltf, &attributes, "POSITION", sni_gltf_count(gltf, "accessors"), &position));
    SNI_TRY(sni_gltf_index(gltf, &primitive.json, "indices", sni_gltf_count(gltf, "accessors"),
                           &primitive.indices));
    SNI_TRY(sni_gltf_index(gltf, &primitive.json, "material", material_count, &primitive.material));
    bool kept = mode >= 4 || (mode == 0 && layout->points);
    if (!kept || position == SN_NONE) {
        layout->skipped++;
        return SN_RESULT_OK;
    }
    SNI_TRY(sni_gltf_typed(gltf, position, 3, SN_NONE, &accessor));
    primitive.mode = (uint32_t)mode;
    primitive.vertex_count = primitive.index_count = accessor.count;
    if (primitive.indices != SN_NONE) {
        SNI_TRY(sni_gltf_typed(gltf, primitive.indices, 1, SN_NONE, &accessor));
        primitive.index_count = accessor.count;
    }
    primitive.vertex_begin = layout->vertex_count;
    primitive.own_vertices = !shares_vertices(layout, &primitive, &primitive.vertex_begin);
    SNI_TRY(add_counts(gltf, layout, &primitive));
    uint32_t sets = count_influence_sets(&attributes);
    if (sets > layout->influence_sets) layout->influence_sets = sets;
    uint32_t target_count = (uint32_t)sni_json_length(&targets);
    if (layout->count > 0 && target_count != layout->target_count) {
        return sni_gltf_fail(gltf, SN_RESULT_BAD_DATA, &primitive.json,
                             "has %u morph targets, expected %u as the primitive before", target_count,
                             layout->target_count);
    }
    layout->target_count = target_count;
    layout->primitives[layout->count++] = primitive;
    return SN_RESULT_OK;
}

// True when every primitive draws points or lines.
static bool lacks_faces(const sniJson* primitives) {
    for (size_t i = 0; i < sni_json_length(primitives); i++) {
        sniJson primitive = sni_json_item(primitives, i);
        sniJson mode = sni_json_get(&primitive, "mode");
        int64_t number = 4;
        if (mode.value == NULL || !sni_json_whole(&mode, &number) || number >= 4) return false;
    }
    return true;
}

snResult sni_gltf_layout(const sniGltf* gltf, uint32_t mesh, sniLayout* out) {
    memset(out, 0, sizeof *out);
    out->mesh = sni_gltf_object(gltf, "meshes", mesh);
    sniJson materials;
    SNI_TRY(sni_gltf_list(gltf, "materials", &materials));
    sniJson list = sni_json_get(&out->mesh, "primitives");
    if (!sni_json_is_array(&list)) {
        return sni_gltf_fail(gltf, SN_RESULT_BAD_DATA, &list, "is not a list of primitives");
    }
    size_t count = sni_json_length(&list);
    out->points = lacks_faces(&list);
    out->primitives = SNI_NEW_ARRAY(&gltf->allocator, sniPrimitive, count);
    if (out->primitives == NULL) return sni_fail_memory(gltf->error);
    for (uint32_t i = 0; i < count; i++) {
        snResult result = lay_primitive(gltf, i, (uint32_t)sni_json_length(&materials), out);
        if (result == SN_RESULT_OK) continue;
        sni_layout_free(gltf, out);
        return result;
    }
    return SN_RESULT_OK;
}

void sni_layout_free(const sniGltf* gltf, sniLayout* layout) {
    sni_free(&gltf->allocator, layout->primitives);
    layout->primitives = NULL;
}

// -------------------------------------------------------------------------------------------- attributes

// How many primitives that bring vertices have the attribute, and how many there are.
static uint32_t count_with(const sniLayout* layout, const char* key, uint32_t* total) {
    uint32_t with = 0;
    *total = 0;
    for (uint32_t i = 0; i < layout->count; i++) {
        if (!layout->primitives[i].own_vertices) continue;
        sniJson attributes = sni_json_get(&layout->primitives[i].json, "attributes");
        sniJson value = sni_json_get(&attributes, key);
        with += value.value != NULL;
        *total += 1;
    }
    return with;
}

// Reads one attribute of all primitives into an array over all vertices, `width` floats each. Where a
// primitive lacks it the array keeps what it holds.
static snResult read_attribute(const sniGltf* gltf, const sniLayout* layout, const char* key, uint32_t width,
                               float* out) {
    for (uint32_t i = 0; i < layout->count; i++) {
        const sniPrimitive* primitive = &layout->primitives[i];
        if (!primitive->own_vertices) continue;
        sniJson attributes = sni_json_get(&primitive->json, "attributes");
        uint32_t index = 0;
        sniAccessor accessor;
        SNI_TRY(sni_gltf_index(gltf, &attributes, key, sni_gltf_count(gltf, "accessors"), &index));
        if (index == SN_NONE) continue;
        SNI_TRY(sni_gltf_typed(gltf, index, width, primitive->vertex_count, &accessor));
        SNI_TRY(sni_accessor_floats(gltf, &accessor, out + (size_t)primitive->vertex_begin * width));
    }
    return SN_RESULT_OK;
}

// Colors have three or four components; three get an alpha of one.
static snResult read_colors(const sniGltf* gltf, const sniLayout* layout, snVec4* out) {
    for (uint32_t i = 0; i < layout->count; i++) {
        const sniPrimitive* primitive = &layout->primitives[i];
        if (!primitive->own_vertices) continue;
        sniJson attributes = sni_json_get(&primitive->json, "attributes");
        snVec4* colors = out + primitive->vertex_begin;
        uint32_t index = 0;
        sniAccessor accessor;
        SNI_TRY(sni_gltf_index(gltf, &attributes, "COLOR_0", sni_gltf_count(gltf, "accessors"), &index));
        if (index == SN_NONE) continue;
        SNI_TRY(sni_gltf_accessor(gltf, index, &accessor));
        uint32_t width = accessor.width == 3 ? 3 : 4;
        SNI_TRY(sni_gltf_typed(gltf, index, width, primitive->vertex_count, &accessor));
        SNI_TRY(sni_accessor_floats(gltf, &accessor, &colors[0].x));
        if (width == 4) continue;
        // Spread the packed triples from the back, in place.
        for (uint32_t v = primitive->vertex_count; v-- > 0;) {
            const float* packed = &colors[0].x + (size_t)v * 3;
            colors[v] = (snVec4){packed[0], packed[1], packed[2], 1.0f};
        }
    }
    return SN_RESULT_OK;
}

// ------------------------------------------------------------------------------------------------ faces

typedef struct MeshArrays {
    snVec3* positions;
    snVec3* normals;
    snVec2* uvs;
    snVec4* colors;
    uint32_t* corners;
    uint32_t corner_count;
    uint32_t* face_groups;
    const char** group_names;
    char (*numbered)[24]; // "primitive N"
} MeshArrays;

static void add_triangle(MeshArrays* arrays, uint32_t group, const uint32_t triangle[3]) {
    memcpy(arrays->corners + arrays->corner_count, triangle, 3 * sizeof(uint32_t));
    arrays->face_groups[arrays->corner_count / 3] = group;
    arrays->corner_count += 3;
}

static snResult add_faces(const sniGltf* gltf, MeshArrays* arrays, const sniPrimitive* primitive,
                          uint32_t group, const uint32_t* indices) {
    if (primitive->mode == 0) return SN_RESULT_OK;
    if (primitive->mode == 4 && primitive->index_count % 3 != 0) {
        return sni_gltf_fail(gltf, SN_RESULT_BAD_DATA, &primitive->json,
                             "has %u corners in a list of triangles, expected a multiple of 3",
                             primitive->index_count);
    }
    uint32_t begin = primitive->vertex_begin;
    uint32_t count = primitive->index_count;
    for (uint32_t i = 0; count >= 3 && i < count - 2; i += primitive->mode == 4 ? 3 : 1) {
        uint32_t a = i, b = i + 1, c = i + 2;
        if (primitive->mode == 5 && i % 2 == 1) b = i + 2, c = i + 1;
        if (primitive->mode == 6) a = 0;
        uint32_t triangle[3] = {begin + (indices != NULL ? indices[a] : a),
                                begin + (indices != NULL ? indices[b] : b),
                                begin + (indices != NULL ? indices[c] : c)};
        // Strips are stitched with triangles that have no area; they are no faces.
        bool stitch = triangle[0] == triangle[1] || triangle[1] == triangle[2] || triangle[0] == triangle[2];
        if (primitive->mode == 4 || !stitch) add_triangle(arrays, group, triangle);
    }
    return SN_RESULT_OK;
}

static snResult read_faces(const sniGltf* gltf, const sniPrimitive* primitive, uint32_t group,
                           MeshArrays* arrays) {
    if (primitive->indices == SN_NONE) return add_faces(gltf, arrays, primitive, group, NULL);
    sniAccessor accessor;
    SNI_TRY(sni_gltf_typed(gltf, primitive->indices, 1, SN_NONE, &accessor));
    uint32_t* indices = SNI_NEW_ARRAY(&gltf->allocator, uint32_t, accessor.count);
    if (indices == NULL) return sni_fail_memory(gltf->error);
    snResult result = sni_accessor_uints(gltf, &accessor, indices);
    for (uint32_t i = 0; i < accessor.count && result == SN_RESULT_OK; i++) {
        if (indices[i] < primitive->vertex_count) continue;
        sniJson where = sni_json_get(&primitive->json, "indices");
        result = sni_gltf_fail(gltf, SN_RESULT_BAD_DATA, &where, "has %u as index %u, expected below %u",
                               indices[i], i, primitive->vertex_count);
        sni_gltf_at_vertex(gltf, result, indices[i]);
    }
    if (result == SN_RESULT_OK) result = add_faces(gltf, arrays, primitive, group, indices);
    sni_free(&gltf->allocator, indices);
    return result;
}

// ------------------------------------------------------------------------------------------------- mesh

static bool alloc_arrays(const sniGltf* gltf, const sniLayout* layout, const char* part, MeshArrays* arrays) {
    const snAllocator* memory = &gltf->allocator;
    uint32_t total = 0;
    uint32_t normals = count_with(layout, "NORMAL", &total);
    if (normals > 0 && normals < total) {
        sni_note(gltf->notes, "%.80s: only %u of %u primitives have normals; they were left out", part,
                 normals, total);
    }
    bool with_uvs = count_with(layout, "TEXCOORD_0", &total) > 0;
    bool with_colors = count_with(layout, "COLOR_0", &total) > 0;
    bool with_normals = normals > 0 && normals == total;
    uint32_t vertices = layout->vertex_count;
    arrays->positions = SNI_NEW_ARRAY(memory, snVec3, vertices);
    arrays->normals = with_normals ? SNI_NEW_ARRAY(memory, snVec3, vertices) : NULL;
    arrays->uvs = with_uvs ? SNI_NEW_ARRAY(memory, snVec2, vertices) : NULL;
    arrays->colors = with_colors ? SNI_NEW_ARRAY(memory, snVec4, vertices) : NULL;
    arrays->corners = SNI_NEW_ARRAY(memory, uint32_t, layout->corner_count);
    arrays->face_groups = SNI_NEW_ARRAY(memory, uint32_t, layout->corner_count / 3);
    arrays->group_names = SNI_NEW_ARRAY(memory, const char*, layout->count);
    arrays->numbered = sni_alloc_array(memory, layout->count, sizeof *arrays->numbered);
    if ((with_normals && arrays->normals == NULL) || (with_uvs && arrays->uvs == NULL) ||
        (with_colors && arrays->colors == NULL)) {
        return false;
    }
    for (uint32_t v = 0; v < vertices && with_colors; v++) {
        arrays->colors[v] = (snVec4){1.0f, 1.0f, 1.0f, 1.0f};
    }
    return arrays->positions != NULL && arrays->corners != NULL && arrays->face_groups != NULL &&
           arrays->group_names != NULL && arrays->numbered != NULL;
}

static void free_arrays(const sniGltf* gltf, MeshArrays* arrays) {
    void* all[] = {arrays->positions, arrays->normals,     arrays->uvs,         arrays->colors,
                   arrays->corners,   arrays->face_groups, arrays->group_names, arrays->numbered};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) sni_free(&gltf->allocator, all[i]);
}

static snResult fill_arrays(const sniGltf* gltf, const sniLayout* layout, MeshArrays* arrays) {
    SNI_TRY(read_attribute(gltf, layout, "POSITION", 3, &arrays->positions[0].x));
    if (arrays->normals != NULL) SNI_TRY(read_attribute(gltf, layout, "NORMAL", 3, &arrays->normals[0].x));
    if (arrays->uvs != NULL) SNI_TRY(read_attribute(gltf, layout, "TEXCOORD_0", 2, &arrays->uvs[0].x));
    if (arrays->colors != NULL) SNI_TRY(read_colors(gltf, layout, arrays->colors));
    for (uint32_t i = 0; i < layout->count; i++) {
        const sniPrimitive* primitive = &layout->primitives[i];
        SNI_TRY(read_faces(gltf, primitive, i, arrays));
        snprintf(arrays->numbered[i], sizeof arrays->numbered[i], "primitive %u", primitive->number);
        arrays->group_names[i] = arrays->numbered[i];
        if (primitive->material == SN_NONE) continue;
        sniJson material = sni_gltf_object(gltf, "materials", primitive->material);
        if (sni_gltf_name(&material)[0] != '\0') arrays->group_names[i] = sni_gltf_name(&material);
    }
    return SN_RESULT_OK;
}

snResult sni_gltf_read_mesh(const sniGltf* gltf, const sniLayout* layout, const char* name, snMesh** out) {
    MeshArrays arrays = {0};
    snResult result = alloc_arrays(gltf, layout, name, &arrays) ? fill_arrays(gltf, layout, &arrays)
                                                                : sni_fail_memory(gltf->error);
    if (result == SN_RESULT_OK) {
        uint32_t vertices = layout->vertex_count;
        snMeshDef def = {.vertex_count = vertices,
                         .face_count = arrays.corner_count / 3,
                         .corner_count = arrays.corner_count,
                         .positions = arrays.positions,
                         .corners = arrays.corners,
                         .normal_count = arrays.normals != NULL ? vertices : 0,
                         .normals = arrays.normals,
                         .uv_count = arrays.uvs != NULL ? vertices : 0,
                         .uvs = arrays.uvs,
                         .colors = arrays.colors,
                         .group_count = layout->count,
                         .group_names = arrays.group_names,
                         .face_groups = arrays.face_groups};
        result =
            sni_gltf_place(gltf, sn_mesh_create(&def, &gltf->allocator, out, gltf->error), &layout->mesh);
    }
    free_arrays(gltf, &arrays);
    return result;
}

// ------------------------------------------------------------------------------------------------- part

static snResult name_part(const sniGltf* gltf, const sniJson* node, const sniLayout* layout, uint32_t mesh,
                          snPart* part) {
    char numbered[24];
    snprintf(numbered, sizeof numbered, "mesh %u", mesh);
    const char* name = sni_gltf_name(node);
    if (name[0] == '\0') name = sni_gltf_name(&layout->mesh);
    part->name = sni_copy_text(&gltf->allocator, name[0] != '\0' ? name : numbered);
    return part->name != NULL ? SN_RESULT_OK : sni_fail_memory(gltf->error);
}

static snResult read_materials(const sniGltf* gltf, const sniLayout* layout, snPart* part) {
    part->group_materials = SNI_NEW_ARRAY(&gltf->allocator, uint32_t, layout->count);
    if (part->group_materials == NULL) return sni_fail_memory(gltf->error);
    for (uint32_t i = 0; i < layout->count; i++) part->group_materials[i] = layout->primitives[i].material;
    return SN_RESULT_OK;
}

static void note_weights(const sniGltf* gltf, const snPart* part) {
    const snWeights* w = &part->weights;
    uint32_t negative = 0, off = 0;
    for (uint32_t v = 0; v < w->vertex_count; v++) {
        uint32_t fault = sni_weights_fault(w->weights + (size_t)v * w->influences, w->influences);
        negative += (fault & SNI_WEIGHTS_NEGATIVE) != 0;
        off += (fault & SNI_WEIGHTS_SUM) != 0;
    }
    if (negative > 0) {
        sni_note(gltf->notes, "%.80s: %u vertices had negative weights, which count as 0", part->name,
                 negative);
    }
    if (off > 0) {
        sni_note(gltf->notes, "%.80s: weights of %u vertices did not sum to 1 and were normalised",
                 part->name, off);
    }
}

static snResult read_skin(const sniGltf* gltf, const sniLayout* layout, const sniJson* node,
                          const snModel* model, snPart* part) {
    SNI_TRY(sni_gltf_index(gltf, node, "skin", model->skin_count, &part->skin));
    if (part->skin == SN_NONE) return SN_RESULT_OK;
    if (layout->influence_sets == 0) {
        sni_note(gltf->notes, "%.80s: has a skin but no weights and moves rigidly", part->name);
        part->skin = SN_NONE;
        return SN_RESULT_OK;
    }
    uint32_t lost = 0;
    SNI_TRY(sni_gltf_read_weights(gltf, layout, &model->skins[part->skin], part, &lost));
    if (lost > 0) {
        // Normalising would give these vertices to their first joint, which would then count as one that
        // deforms.
        sni_note(gltf->notes, "%.80s: weights of %u vertices are not finite and count as 0", part->name,
                 lost);
        return SN_RESULT_OK;
    }
    note_weights(gltf, part);
    sn_weights_normalize(&part->weights);
    return SN_RESULT_OK;
}

static snResult fill_part(const sniGltf* gltf, const sniLayout* layout, uint32_t mesh, const sniJson* node,
                          const snModel* model, snPart* part) {
    SNI_TRY(name_part(gltf, node, layout, mesh, part));
    if (layout->skipped > 0) {
        sni_note(gltf->notes, "%.80s: %u primitives are not triangles and were skipped", part->name,
                 layout->skipped);
    }
    SNI_TRY(sni_gltf_read_mesh(gltf, layout, part->name, &part->mesh));
    SNI_TRY(sni_weld_mesh(part->mesh, &gltf->allocator, &part->weld, gltf->error));
    SNI_TRY(read_materials(gltf, layout, part));
    SNI_TRY(read_skin(gltf, layout, node, model, part));
    SNI_TRY(sni_gltf_read_morphs(gltf, layout, node, part));
    return sni_deformation_read(gltf, layout, part);
}

snResult sni_gltf_read_part(const sniGltf* gltf, uint32_t node, const snModel* model, snPart* part) {
    sniJson object = sni_gltf_object(gltf, "nodes", node);
    sniJson meshes;
    SNI_TRY(sni_gltf_list(gltf, "meshes", &meshes));
    uint32_t mesh = 0;
    SNI_TRY(sni_gltf_index(gltf, &object, "mesh", sni_json_length(&meshes), &mesh));
    part->joint = node;
    part->skin = SN_NONE;
    sniLayout layout;
    SNI_TRY(sni_gltf_layout(gltf, mesh, &layout));
    snResult result = fill_part(gltf, &layout, mesh, &object, model, part);
    sni_layout_free(gltf, &layout);
    return result;
}
