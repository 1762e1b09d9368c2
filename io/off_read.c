// Reading OFF and its letters: N (normals), C (colors) and ST (texture coordinates) before the word.
#include "gltf.h"
#include "text.h"

typedef struct Reader {
    sniText text;
    const sniSource* source;
    bool lit, colored, textured;
    uint64_t vertex_count, face_count;
    snVec3* positions;
    snVec3* normals;
    snVec4* colors;
    snVec2* uvs;
    float brightest; // largest color value: above 1 means that colors run to 255
    sniList starts, corners;
    uint64_t thin;   // faces under three corners
    bool face_paint; // colors behind faces
} Reader;

// "OFF" with its letters in geomview's order: ST, C, N.
static snResult read_word(Reader* r) {
    sniText* text = &r->text;
    sni_text_space(text);
    const char* p = text->p;
    const char* end = p + sni_text_token(text);
    r->textured = end - p >= 2 && p[0] == 'S' && p[1] == 'T';
    if (r->textured) p += 2;
    r->colored = p < end && *p == 'C';
    if (r->colored) p++;
    r->lit = p < end && *p == 'N';
    if (r->lit) p++;
    if (end - p != 3 || memcmp(p, "OFF", 3) != 0) {
        bool four = (size_t)(end - p) >= 4 && (*p == '4' || *p == 'n');
        return sni_text_expected(text, four ? "OFF with three coordinates a vertex" : "OFF, COFF or NOFF");
    }
    text->p = end;
    sni_text_blanks(text);
    if (sni_text_is(text, "binary")) return sni_text_expected(text, "OFF as text");
    return SN_RESULT_OK;
}

static snResult read_counts(Reader* r) {
    sniText* text = &r->text;
    uint64_t* counts[] = {&r->vertex_count, &r->face_count};
    for (int i = 0; i < 2; i++) {
        sni_text_space(text);
        SNI_TRY(sni_text_whole(text, SN_NONE - 1, counts[i]));
    }
    // The number of edges is often 0 or missing, and nobody needs it. A vertex takes six bytes or more, a
    // face two: bigger claims are refused before anything is allocated.
    sni_text_next_line(text);
    size_t left = sni_text_left(text) + 1;
    if (r->vertex_count > left / 6 || r->face_count > left / 2) {
        return sni_text_fail(text, "there are %llu vertices and %llu faces, but only %zu bytes follow",
                             (unsigned long long)r->vertex_count, (unsigned long long)r->face_count,
                             sni_text_left(text));
    }
    if (r->vertex_count == 0) return sni_text_fail(text, "has no vertices");
    return SN_RESULT_OK;
}

static bool make_arrays(Reader* r) {
    const snAllocator* memory = &r->source->allocator;
    size_t count = r->vertex_count;
    r->positions = SNI_NEW_ARRAY(memory, snVec3, count);
    if (r->lit) r->normals = SNI_NEW_ARRAY(memory, snVec3, count);
    if (r->colored) r->colors = SNI_NEW_ARRAY(memory, snVec4, count);
    if (r->textured) r->uvs = SNI_NEW_ARRAY(memory, snVec2, count);
    return r->positions != NULL && (!r->lit || r->normals != NULL) && (!r->colored || r->colors != NULL) &&
           (!r->textured || r->uvs != NULL);
}

// Three or four numbers; what follows them must leave room for texture coordinates.
static snResult read_color(Reader* r, snVec4* color) {
    float values[6];
    uint32_t count = 0;
    for (sni_text_blanks(&r->text); count < 6 && !sni_text_at_line_end(&r->text); sni_text_blanks(&r->text)) {
        SNI_TRY(sni_text_float(&r->text, &values[count]));
        count++;
    }
    uint32_t parts = r->textured && count >= 2 ? count - 2 : count;
    if (parts != 3 && parts != 4) {
        return sni_text_fail(&r->text, "a color has %u values, expected 3 or 4", parts);
    }
    *color = (snVec4){values[0], values[1], values[2], parts == 4 ? values[3] : -1.0f};
    for (uint32_t i = 0; i < parts; i++) r->brightest = sn_maxf(r->brightest, values[i]);
    if (r->textured) r->uvs[color - r->colors] = (snVec2){values[parts], 1.0f - values[parts + 1]};
    return SN_RESULT_OK;
}

static snResult read_vertices(Reader* r) {
    for (size_t v = 0; v < r->vertex_count; v++) {
        sni_text_space(&r->text);
        SNI_TRY(sni_text_floats(&r->text, 3, &r->positions[v].x));
        if (r->lit) SNI_TRY(sni_text_floats(&r->text, 3, &r->normals[v].x));
        if (r->colored) {
            SNI_TRY(read_color(r, &r->colors[v]));
        } else if (r->textured) {
            SNI_TRY(sni_text_floats(&r->text, 2, &r->uvs[v].x));
            r->uvs[v].y = 1.0f - r->uvs[v].y;
        }
        sni_text_next_line(&r->text);
        SNI_TRY(sni_text_tell(&r->text));
    }
    float scale = r->brightest > 1.0f ? 1.0f / 255.0f : 1.0f;
    for (size_t v = 0; v < r->vertex_count && r->colored; v++) {
        snVec4 c = r->colors[v];
        r->colors[v] = (snVec4){c.x * scale, c.y * scale, c.z * scale, c.w < 0.0f ? 1.0f : c.w * scale};
    }
    return SN_RESULT_OK;
}

static snResult read_face(Reader* r) {
    const snAllocator* memory = &r->source->allocator;
    sniText* text = &r->text;
    sni_text_space(text);
    uint64_t corners = 0;
    SNI_TRY(sni_text_whole(text, SN_NONE - 1, &corners));
    size_t begin = r->corners.count;
    for (uint64_t i = 0; i < corners; i++) {
        uint64_t vertex = 0;
        SNI_TRY(sni_text_whole(text, r->vertex_count - 1, &vertex));
        uint32_t index = (uint32_t)vertex;
        if (!sni_list_push(memory, &r->corners, &index, sizeof index)) return sni_fail_memory(text->error);
    }
    sni_text_blanks(text);
    r->face_paint = r->face_paint || !sni_text_at_line_end(text);
    sni_text_next_line(text);
    if (corners < 3) {
        r->thin++;
        r->corners.count = begin;
        return SN_RESULT_OK;
    }
    uint32_t start = (uint32_t)begin;
    bool pushed = sni_list_push(memory, &r->starts, &start, sizeof start);
    return pushed ? SN_RESULT_OK : sni_fail_memory(text->error);
}

static snResult read_all(Reader* r) {
    SNI_TRY(read_word(r));
    SNI_TRY(read_counts(r));
    if (!make_arrays(r)) return sni_fail_memory(r->source->error);
    SNI_TRY(read_vertices(r));
    for (uint64_t f = 0; f < r->face_count; f++) {
        SNI_TRY(read_face(r));
        SNI_TRY(sni_text_tell(&r->text));
    }
    if (r->corners.count >= SN_NONE) return sni_text_fail(&r->text, "there are too many face corners");
    uint32_t end = (uint32_t)r->corners.count;
    bool pushed = sni_list_push(&r->source->allocator, &r->starts, &end, sizeof end);
    return pushed ? SN_RESULT_OK : sni_fail_memory(r->source->error);
}

static snResult make_model(Reader* r, snModel** out) {
    snMeshDef mesh = {.vertex_count = (uint32_t)r->vertex_count,
                      .face_count = (uint32_t)r->starts.count - 1,
                      .corner_count = (uint32_t)r->corners.count,
                      .face_starts = r->starts.items,
                      .corners = r->corners.items,
                      .normal_count = r->lit ? (uint32_t)r->vertex_count : 0,
                      .normals = r->normals,
                      .uv_count = r->textured ? (uint32_t)r->vertex_count : 0,
                      .uvs = r->uvs,
                      .colors = r->colors};
    SNI_TRY(sni_source_mesh_model(r->source, &mesh, r->positions, out));
    snNotes* notes = r->source->def->notes;
    if (r->thin > 0) {
        sni_note(notes, "%llu faces with fewer than three corners were left out",
                 (unsigned long long)r->thin);
    }
    if (r->face_paint) sni_note(notes, "colors of faces are not read");
    return SN_RESULT_OK;
}

snResult sni_off_read(const sniSource* source, snModel** out) {
    Reader reader = {.text = sni_text(source, '#'), .source = source};
    snResult result = read_all(&reader);
    if (result == SN_RESULT_OK) result = make_model(&reader, out);
    void* arrays[] = {reader.positions, reader.normals,      reader.colors,
                      reader.uvs,       reader.starts.items, reader.corners.items};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(&source->allocator, arrays[i]);
    return result;
}
