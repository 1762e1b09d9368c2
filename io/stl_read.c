// Reading STL, as text and binary. Triangles that stand apart are joined where their corners have exactly the
// same position. Normals are left out: they follow from the triangles, and files often get them wrong.
#include "byte_order.h"
#include "gltf.h"
#include "text.h"

#define HEADER_SIZE 84
#define FACET_SIZE 50
#define TOLD_FACETS 4096 // between two words with the listener

typedef struct Soup {
    const sniSource* source;
    sniList points; // snVec3, three a triangle
} Soup;

static snResult push_point(Soup* soup, snVec3 point) {
    if (soup->points.count >= SN_NONE - 1) {
        return sni_fail(soup->source->error, SN_RESULT_UNSUPPORTED, "there are too many triangles");
    }
    bool pushed = sni_list_push(&soup->source->allocator, &soup->points, &point, sizeof point);
    return pushed ? SN_RESULT_OK : sni_fail_memory(soup->source->error);
}

// ------------------------------------------------------------------------------------------------ binary

static size_t claimed_size(const sniSource* source) {
    return HEADER_SIZE + (size_t)sni_load_u32(source->data + HEADER_SIZE - 4, false) * FACET_SIZE;
}

// Many binary files begin with "solid" too; their size tells.
static bool is_binary(const sniSource* source) {
    if (source->size < HEADER_SIZE) return false;
    if (claimed_size(source) == source->size) return true;
    sniText text = sni_text(source, 0);
    sni_text_space(&text);
    return !sni_text_is(&text, "solid");
}

static snResult read_binary(Soup* soup) {
    const sniSource* source = soup->source;
    size_t size = claimed_size(source);
    if (size > source->size) {
        return sni_source_fail(source, HEADER_SIZE - 4, "%zu triangles need %zu bytes, the file has %zu",
                               (size - HEADER_SIZE) / FACET_SIZE, size, source->size);
    }
    for (size_t at = HEADER_SIZE; at < size; at += FACET_SIZE) {
        bool pause = (at - HEADER_SIZE) % (TOLD_FACETS * FACET_SIZE) == 0;
        if (pause) SNI_TRY(sni_source_tell(source, SNI_PARSED * (float)at / (float)size));
        for (size_t corner = 0; corner < 3; corner++) {
            size_t where = at + 12 + corner * 12;
            const uint8_t* p = source->data + where;
            snVec3 point = {sni_load_f32(p, false), sni_load_f32(p + 4, false), sni_load_f32(p + 8, false)};
            if (!sn_vec3_finite(point)) return sni_source_fail(source, where, "a corner is not finite");
            SNI_TRY(push_point(soup, point));
        }
    }
    if (size < source->size) {
        sni_note(source->def->notes, "%zu bytes after the last triangle were ignored", source->size - size);
    }
    return SN_RESULT_OK;
}

// -------------------------------------------------------------------------------------------------- text

static snResult expect(sniText* text, const char* word) {
    sni_text_space(text);
    return sni_text_take(text, word) ? SN_RESULT_OK : sni_text_expected(text, word);
}

// From behind "facet" to behind "endfacet".
static snResult read_facet(Soup* soup, sniText* text) {
    float normal[3];
    SNI_TRY(expect(text, "normal"));
    sni_text_blanks(text);
    // Exporters write nan for triangles without area; the normal is not used anyway.
    if (sni_text_is(text, "nan") || sni_text_is(text, "-nan"))
        sni_text_next_line(text);
    else
        SNI_TRY(sni_text_floats(text, 3, normal));
    SNI_TRY(expect(text, "outer"));
    SNI_TRY(expect(text, "loop"));
    for (int i = 0; i < 3; i++) {
        snVec3 point = {0, 0, 0};
        SNI_TRY(expect(text, "vertex"));
        SNI_TRY(sni_text_floats(text, 3, &point.x));
        SNI_TRY(push_point(soup, point));
    }
    SNI_TRY(expect(text, "endloop"));
    return expect(text, "endfacet");
}

static snResult read_text(Soup* soup) {
    sniText text = sni_text(soup->source, 0);
    SNI_TRY(expect(&text, "solid"));
    sni_text_next_line(&text); // its name
    bool open = true;
    for (sni_text_space(&text); text.p < text.end; sni_text_space(&text)) {
        if (open && sni_text_take(&text, "facet")) {
            SNI_TRY(read_facet(soup, &text));
            SNI_TRY(sni_text_tell(&text));
        } else if (sni_text_is(&text, open ? "endsolid" : "solid")) {
            open = !open;
            sni_text_next_line(&text);
        } else {
            return sni_text_expected(&text, open ? "facet or endsolid" : "solid");
        }
    }
    return open ? sni_text_expected(&text, "endsolid") : SN_RESULT_OK;
}

// ------------------------------------------------------------------------------------------------- model

static snResult make_model(const Soup* soup, const snWeld* weld, snModel** out) {
    const snVec3* soup_points = soup->points.items;
    snVec3* positions = SNI_NEW_ARRAY(&soup->source->allocator, snVec3, weld->point_count);
    if (positions == NULL) return sni_fail_memory(soup->source->error);
    for (uint32_t p = 0; p < weld->point_count; p++) positions[p] = soup_points[weld->vertex_of_point[p]];
    snMeshDef mesh = {.vertex_count = weld->point_count,
                      .face_count = weld->vertex_count / 3,
                      .corner_count = weld->vertex_count,
                      .corners = weld->point_of_vertex};
    snResult result = sni_source_mesh_model(soup->source, &mesh, positions, out);
    sni_free(&soup->source->allocator, positions);
    return result;
}

snResult sni_stl_read(const sniSource* source, snModel** out) {
    Soup soup = {.source = source};
    snWeld* weld = NULL;
    bool binary = is_binary(source);
    snResult result = binary ? read_binary(&soup) : read_text(&soup);
    if (result == SN_RESULT_OK && soup.points.count == 0) {
        sni_source_fail(source, binary ? HEADER_SIZE : 0, "has no triangles");
        result = SN_RESULT_BAD_DATA;
    }
    if (result == SN_RESULT_OK) {
        result = sn_weld_create(soup.points.items, (uint32_t)soup.points.count, 0.0f, &source->allocator,
                                &weld, source->error);
    }
    if (result == SN_RESULT_OK) result = make_model(&soup, weld, out);
    sn_weld_destroy(weld);
    sni_free(&source->allocator, soup.points.items);
    return result;
}
