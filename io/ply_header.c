#include "gltf.h"
#include "ply.h"

int sni_ply_type_size(sniPlyType type) {
    static const uint8_t sizes[] = {0, 1, 1, 2, 2, 4, 4, 4, 8};
    return sizes[type];
}

static snResult read_type(sniText* text, sniPlyType* out) {
    static const struct {
        const char* word;
        sniPlyType type;
    } words[] = {{"char", SNI_PLY_INT8},     {"int8", SNI_PLY_INT8},     {"uchar", SNI_PLY_UINT8},
                 {"uint8", SNI_PLY_UINT8},   {"short", SNI_PLY_INT16},   {"int16", SNI_PLY_INT16},
                 {"ushort", SNI_PLY_UINT16}, {"uint16", SNI_PLY_UINT16}, {"int", SNI_PLY_INT32},
                 {"int32", SNI_PLY_INT32},   {"uint", SNI_PLY_UINT32},   {"uint32", SNI_PLY_UINT32},
                 {"float", SNI_PLY_FLOAT},   {"float32", SNI_PLY_FLOAT}, {"double", SNI_PLY_DOUBLE},
                 {"float64", SNI_PLY_DOUBLE}};
    sni_text_blanks(text);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (!sni_text_take(text, words[i].word)) continue;
        *out = words[i].type;
        return SN_RESULT_OK;
    }
    return sni_text_expected(text, "a type such as float or uchar");
}

static int vertex_role(const sniText* text) {
    static const struct {
        const char* word;
        int role;
    } words[] = {{"x", SNI_PLY_X},
                 {"y", SNI_PLY_X + 1},
                 {"z", SNI_PLY_X + 2},
                 {"nx", SNI_PLY_NX},
                 {"ny", SNI_PLY_NX + 1},
                 {"nz", SNI_PLY_NX + 2},
                 {"red", SNI_PLY_RED},
                 {"green", SNI_PLY_RED + 1},
                 {"blue", SNI_PLY_RED + 2},
                 {"r", SNI_PLY_RED},
                 {"g", SNI_PLY_RED + 1},
                 {"b", SNI_PLY_RED + 2},
                 {"diffuse_red", SNI_PLY_RED},
                 {"diffuse_green", SNI_PLY_RED + 1},
                 {"diffuse_blue", SNI_PLY_RED + 2},
                 {"alpha", SNI_PLY_ALPHA},
                 {"s", SNI_PLY_U},
                 {"t", SNI_PLY_U + 1},
                 {"u", SNI_PLY_U},
                 {"v", SNI_PLY_U + 1},
                 {"texture_u", SNI_PLY_U},
                 {"texture_v", SNI_PLY_U + 1}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (sni_text_is(text, words[i].word)) return words[i].role;
    }
    return SNI_PLY_OTHER;
}

static snResult read_property(sniText* text, const snAllocator* allocator, sniPlyHeader* header) {
    if (header->elements.count == 0) return sni_text_fail(text, "a property stands before any element");
    sniPlyElement* element = (sniPlyElement*)header->elements.items + header->elements.count - 1;
    sniPlyProperty property = {SNI_PLY_NONE, SNI_PLY_NONE, SNI_PLY_OTHER};
    sni_text_blanks(text);
    if (sni_text_take(text, "list")) {
        SNI_TRY(read_type(text, &property.count_type));
        if (property.count_type >= SNI_PLY_FLOAT) {
            return sni_text_fail(text, "the count of a list is a float, expected a whole type");
        }
    }
    SNI_TRY(read_type(text, &property.type));
    sni_text_blanks(text);
    if (sni_text_token(text) == 0) return sni_text_expected(text, "the name of a property");
    bool list = property.count_type != SNI_PLY_NONE;
    if (element->vertex && !list) property.role = vertex_role(text);
    if (element->face && list && (sni_text_is(text, "vertex_indices") || sni_text_is(text, "vertex_index"))) {
        property.role = SNI_PLY_INDICES;
    }
    if (property.role < SNI_PLY_COLUMNS) header->columns[property.role] = true;
    header->strips = header->strips || (list && sni_text_is(text, "texcoord"));
    element->property_count++;
    bool pushed = sni_list_push(allocator, &header->properties, &property, sizeof property);
    return pushed ? SN_RESULT_OK : sni_fail_memory(text->error);
}

static snResult read_element(sniText* text, const snAllocator* allocator, sniPlyHeader* header) {
    sniPlyElement element = {.first_property = header->properties.count};
    sni_text_blanks(text);
    element.vertex = sni_text_is(text, "vertex");
    element.face = sni_text_is(text, "face");
    header->strips = header->strips || sni_text_is(text, "tristrips");
    if (element.vertex && header->vertex_line > 0)
        return sni_text_fail(text, "there are two vertex elements");
    text->p += sni_text_token(text);
    SNI_TRY(sni_text_whole(text, SN_NONE - 1, &element.count));
    if (element.vertex) {
        header->vertex_count = element.count;
        header->vertex_line = text->line;
    }
    bool pushed = sni_list_push(allocator, &header->elements, &element, sizeof element);
    return pushed ? SN_RESULT_OK : sni_fail_memory(text->error);
}

static snResult read_format(sniText* text, sniPlyHeader* header) {
    sni_text_blanks(text);
    header->big = sni_text_is(text, "binary_big_endian");
    header->binary = header->big || sni_text_is(text, "binary_little_endian");
    if (header->binary || sni_text_is(text, "ascii")) return SN_RESULT_OK;
    return sni_text_expected(text, "ascii, binary_little_endian or binary_big_endian");
}

static snResult check_header(sniText* text, const sniPlyHeader* header) {
    const bool* has = header->columns;
    if (header->vertex_line == 0 || header->vertex_count == 0) return sni_text_fail(text, "has no vertices");
    if (has[SNI_PLY_X] && has[SNI_PLY_X + 1] && has[SNI_PLY_X + 2]) return SN_RESULT_OK;
    text->line = header->vertex_line;
    return sni_text_fail(text, "the vertices lack x, y or z");
}

snResult sni_ply_header(sniText* text, const snAllocator* allocator, sniPlyHeader* out) {
    if (!sni_text_take(text, "ply")) return sni_text_expected(text, "ply");
    bool format = false;
    for (sni_text_space(text); !sni_text_is(text, "end_header"); sni_text_space(text)) {
        if (sni_text_take(text, "format")) {
            SNI_TRY(read_format(text, out));
            format = true;
        } else if (sni_text_take(text, "element")) {
            SNI_TRY(read_element(text, allocator, out));
        } else if (sni_text_take(text, "property")) {
            SNI_TRY(read_property(text, allocator, out));
        } else if (!sni_text_is(text, "comment") && !sni_text_is(text, "obj_info")) {
            return sni_text_expected(text, "element, property or end_header");
        }
        sni_text_next_line(text);
    }
    if (!format) return sni_text_fail(text, "the header has no format");
    SNI_TRY(check_header(text, out));
    sni_text_next_line(text);
    return SN_RESULT_OK;
}

void sni_ply_header_free(sniPlyHeader* header, const snAllocator* allocator) {
    sni_free(allocator, header->elements.items);
    sni_free(allocator, header->properties.items);
}
