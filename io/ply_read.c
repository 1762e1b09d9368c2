// Reading PLY: the rows that the header describes, as text or binary of either byte order.
#include "byte_order.h"
#include "gltf.h"
#include "ply.h"

typedef struct Reader {
    sniText text; // also counts through binary rows
    const sniSource* source;
    sniPlyHeader header;
    snVec3* positions;
    snVec3* normals;
    snVec4* colors;
    snVec2* uvs;
    uint64_t vertices; // read so far
    sniList starts, corners;
    uint64_t thin; // faces under three corners
} Reader;

// By line or by byte, as the file is.
static snResult fail_here(const Reader* r, const char* what) {
    if (!r->header.binary) return sni_text_fail(&r->text, "%s", what);
    return sni_source_fail(r->source, (size_t)(r->text.p - (const char*)r->source->data), "%s", what);
}

// ------------------------------------------------------------------------------------------------ values

static double load_value(const uint8_t* from, sniPlyType type, bool big) {
    uint64_t bits = sni_load_whole(from, sni_ply_type_size(type), big);
    double wide;
    switch (type) {
    case SNI_PLY_INT8:
        return (int8_t)(uint8_t)bits;
    case SNI_PLY_INT16:
        return (int16_t)(uint16_t)bits;
    case SNI_PLY_INT32:
        return (int32_t)(uint32_t)bits;
    case SNI_PLY_FLOAT:
        return (double)sni_load_f32(from, big);
    case SNI_PLY_DOUBLE:
        memcpy(&wide, &bits, sizeof wide);
        return wide;
    default:
        return (double)bits;
    }
}

static snResult read_binary(Reader* r, sniPlyType type, double* out) {
    size_t size = (size_t)sni_ply_type_size(type);
    if (sni_text_left(&r->text) < size) return fail_here(r, "the file ends within its rows");
    *out = load_value((const uint8_t*)r->text.p, type, r->header.big);
    r->text.p += size;
    return SN_RESULT_OK;
}

// Whole types are read as whole numbers: an index above 2^24 is no float.
static snResult read_ascii(Reader* r, sniPlyType type, double* out) {
    sni_text_space(&r->text);
    if (type < SNI_PLY_FLOAT) {
        bool negative = r->text.p < r->text.end && *r->text.p == '-';
        if (negative) r->text.p++;
        uint64_t whole = 0;
        SNI_TRY(sni_text_whole(&r->text, UINT32_MAX, &whole));
        *out = negative ? -(double)whole : (double)whole;
        return SN_RESULT_OK;
    }
    float value = 0.0f;
    SNI_TRY(sni_text_float(&r->text, &value));
    *out = (double)value;
    return SN_RESULT_OK;
}

static snResult read_value(Reader* r, sniPlyType type, double* out) {
    return r->header.binary ? read_binary(r, type, out) : read_ascii(r, type, out);
}

static snResult read_count(Reader* r, const sniPlyProperty* property, uint64_t* count) {
    double value = 0.0;
    SNI_TRY(read_value(r, property->count_type, &value));
    if (value < 0.0) return fail_here(r, "a list has a negative count");
    *count = (uint64_t)value;
    size_t size = r->header.binary ? (size_t)sni_ply_type_size(property->type) : 1;
    if (*count <= sni_text_left(&r->text) / size) return SN_RESULT_OK;
    return fail_here(r, "a list has more values than the file has bytes left");
}

static snResult skip_property(Reader* r, const sniPlyProperty* property) {
    uint64_t count = 1;
    double ignored = 0.0;
    if (property->count_type != SNI_PLY_NONE) SNI_TRY(read_count(r, property, &count));
    for (uint64_t i = 0; i < count; i++) SNI_TRY(read_value(r, property->type, &ignored));
    return SN_RESULT_OK;
}

// -------------------------------------------------------------------------------------------------- rows

static float color_scale(sniPlyType type) {
    switch (type) {
    case SNI_PLY_UINT8:
        return 1.0f / 255.0f;
    case SNI_PLY_UINT16:
        return 1.0f / 65535.0f;
    default:
        return 1.0f;
    }
}

static snResult read_vertex(Reader* r, const sniPlyElement* element) {
    float row[SNI_PLY_COLUMNS] = {0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 0, 0};
    for (size_t p = 0; p < element->property_count; p++) {
        const sniPlyProperty* property =
            (const sniPlyProperty*)r->header.properties.items + element->first_property + p;
        if (property->role >= SNI_PLY_COLUMNS) {
            SNI_TRY(skip_property(r, property));
            continue;
        }
        double value = 0.0;
        SNI_TRY(read_value(r, property->type, &value));
        // Compared before the cast: a double beyond float has no defined conversion.
        if (!(value >= -3.4e38 && value <= 3.4e38)) return fail_here(r, "a value is not finite");
        bool color = property->role >= SNI_PLY_RED && property->role <= SNI_PLY_ALPHA;
        row[property->role] = (float)value * (color ? color_scale(property->type) : 1.0f);
    }
    size_t v = r->vertices++;
    r->positions[v] = sn_vec3(row[0], row[1], row[2]);
    if (r->normals != NULL) r->normals[v] = sn_vec3(row[3], row[4], row[5]);
    if (r->colors != NULL) r->colors[v] = (snVec4){row[6], row[7], row[8], row[9]};
    if (r->uvs != NULL) r->uvs[v] = (snVec2){row[10], 1.0f - row[11]}; // v runs down, as in glTF
    return SN_RESULT_OK;
}

static snResult read_corners(Reader* r, const sniPlyProperty* property) {
    uint64_t count = 0;
    SNI_TRY(read_count(r, property, &count));
    uint32_t start = (uint32_t)r->corners.count;
    for (uint64_t i = 0; i < count; i++) {
        double value = 0.0;
        SNI_TRY(read_value(r, property->type, &value));
        if (!(value >= 0.0 && value < (double)r->header.vertex_count)) {
            return fail_here(r, "a face has the index of a vertex that does not exist");
        }
        uint32_t vertex = (uint32_t)value;
        if (!sni_list_push(&r->source->allocator, &r->corners, &vertex, sizeof vertex)) {
            return sni_fail_memory(r->source->error);
        }
    }
    if (r->corners.count >= SN_NONE) return fail_here(r, "there are too many face corners");
    if (count < 3) {
        r->thin++;
        r->corners.count = start;
        return SN_RESULT_OK;
    }
    bool pushed = sni_list_push(&r->source->allocator, &r->starts, &start, sizeof start);
    return pushed ? SN_RESULT_OK : sni_fail_memory(r->source->error);
}

static snResult read_row(Reader* r, const sniPlyElement* element) {
    if (element->vertex) return read_vertex(r, element);
    for (size_t p = 0; p < element->property_count; p++) {
        const sniPlyProperty* property =
            (const sniPlyProperty*)r->header.properties.items + element->first_property + p;
        SNI_TRY(property->role == SNI_PLY_INDICES ? read_corners(r, property) : skip_property(r, property));
    }
    return SN_RESULT_OK;
}

// Every row takes some bytes, so a claim beyond what follows is refused before anything is allocated.
static snResult check_claims(Reader* r) {
    size_t left = sni_text_left(&r->text) + 1;
    for (size_t e = 0; e < r->header.elements.count; e++) {
        const sniPlyElement* element = (const sniPlyElement*)r->header.elements.items + e;
        uint64_t row = 0;
        for (size_t p = 0; p < element->property_count; p++) {
            const sniPlyProperty* property =
                (const sniPlyProperty*)r->header.properties.items + element->first_property + p;
            bool list = property->count_type != SNI_PLY_NONE;
            row += r->header.binary
                       ? (uint64_t)sni_ply_type_size(list ? property->count_type : property->type)
                       : 2;
        }
        if (row > 0 && element->count > left / row) {
            return fail_here(r, "an element has more rows than the bytes that follow can hold");
        }
    }
    return SN_RESULT_OK;
}

static bool make_arrays(Reader* r) {
    const snAllocator* memory = &r->source->allocator;
    const bool* has = r->header.columns;
    bool lit = has[SNI_PLY_NX] && has[SNI_PLY_NX + 1] && has[SNI_PLY_NX + 2];
    bool colored = has[SNI_PLY_RED] && has[SNI_PLY_RED + 1] && has[SNI_PLY_RED + 2];
    bool textured = has[SNI_PLY_U] && has[SNI_PLY_U + 1];
    size_t count = r->header.vertex_count;
    r->positions = SNI_NEW_ARRAY(memory, snVec3, count);
    if (lit) r->normals = SNI_NEW_ARRAY(memory, snVec3, count);
    if (colored) r->colors = SNI_NEW_ARRAY(memory, snVec4, count);
    if (textured) r->uvs = SNI_NEW_ARRAY(memory, snVec2, count);
    return r->positions != NULL && (!lit || r->normals != NULL) && (!colored || r->colors != NULL) &&
           (!textured || r->uvs != NULL);
}

static snResult read_rows(Reader* r) {
    SNI_TRY(check_claims(r));
    if (!make_arrays(r)) return sni_fail_memory(r->source->error);
    for (size_t e = 0; e < r->header.elements.count; e++) {
        const sniPlyElement* element = (const sniPlyElement*)r->header.elements.items + e;
        for (uint64_t i = 0; i < element->count && element->property_count > 0; i++) {
            SNI_TRY(read_row(r, element));
            SNI_TRY(sni_text_tell(&r->text));
        }
    }
    uint32_t end = (uint32_t)r->corners.count;
    bool pushed = sni_list_push(&r->source->allocator, &r->starts, &end, sizeof end);
    return pushed ? SN_RESULT_OK : sni_fail_memory(r->source->error);
}

// ------------------------------------------------------------------------------------------------- model

static snResult make_model(Reader* r, snModel** out) {
    uint32_t count = (uint32_t)r->header.vertex_count;
    snMeshDef mesh = {.vertex_count = count,
                      .face_count = (uint32_t)r->starts.count - 1,
                      .corner_count = (uint32_t)r->corners.count,
                      .face_starts = r->starts.items,
                      .corners = r->corners.items,
                      .normal_count = r->normals != NULL ? count : 0,
                      .normals = r->normals,
                      .uv_count = r->uvs != NULL ? count : 0,
                      .uvs = r->uvs,
                      .colors = r->colors};
    SNI_TRY(sni_source_mesh_model(r->source, &mesh, r->positions, out));
    snNotes* notes = r->source->def->notes;
    if (r->thin > 0) {
        sni_note(notes, "%llu faces with fewer than three corners were left out",
                 (unsigned long long)r->thin);
    }
    if (r->header.strips) sni_note(notes, "triangle strips and texture coordinates of corners are not read");
    return SN_RESULT_OK;
}

snResult sni_ply_read(const sniSource* source, snModel** out) {
    Reader reader = {.text = sni_text(source, 0), .source = source};
    snResult result = sni_ply_header(&reader.text, &source->allocator, &reader.header);
    if (result == SN_RESULT_OK) result = read_rows(&reader);
    if (result == SN_RESULT_OK) result = make_model(&reader, out);
    void* arrays[] = {reader.positions, reader.normals,      reader.colors,
                      reader.uvs,       reader.starts.items, reader.corners.items};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(&source->allocator, arrays[i]);
    sni_ply_header_free(&reader.header, &source->allocator);
    return result;
}
