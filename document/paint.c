// Brushes: how much they do where.
#include "paint.h"

snBrush sn_brush(void) { return (snBrush){0}; }

// Full within the hard part, then falling smoothly to nothing at the border.
static float fall(float distance, float radius, float hardness) {
    float hard = hardness * radius;
    if (distance <= hard) return 1.0f;
    if (distance >= radius) return 0.0f;
    float t = (radius - distance) / (radius - hard);
    return t * t * (3.0f - 2.0f * t);
}

static snResult check(const snDocument* document, const snBrush* brush, snPaint how, float strength,
                      snError* error) {
    SNI_TRY(sni_need_model(document, error));
    const snModel* model = document->state.body.model;
    if (brush->part >= model->part_count)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "there is no part %u", brush->part);
    if (brush->vertex >= model->parts[brush->part].mesh->vertex_count)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "the part has no vertex %u", brush->vertex);
    if (!(brush->radius >= 0.0f) || !sn_finite(brush->radius) ||
        !(brush->hardness >= 0.0f && brush->hardness <= 1.0f))
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT,
                        "a brush needs a radius, and a hardness from 0 to 1");
    if (!(strength >= 0.0f && strength <= 1.0f))
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a strength from 0 to 1 is expected");
    if ((uint32_t)how >= SN_PAINT_COUNT)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "there is no such brush mode");
    return SN_RESULT_OK;
}

// The vertex nearest to where the mirror shows another.
static uint32_t mirror_vertex(const snMesh* mesh, uint32_t vertex) {
    snVec3 at = mesh->positions[vertex];
    at.x = -at.x;
    uint32_t best = vertex;
    float least = sn_distance(at, mesh->positions[vertex]);
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        float distance = sn_distance(at, mesh->positions[v]);
        if (distance < least) {
            least = distance;
            best = v;
        }
    }
    return best;
}

static void touch_piece(const sniStroke* s, uint32_t vertex, float* out) {
    const uint32_t* point_of = s->part->weld->point_of_vertex;
    const uint32_t* pieces = s->topology->point_components;
    for (uint32_t v = 0; v < s->part->mesh->vertex_count; v++)
        out[v] = pieces[point_of[v]] == pieces[point_of[vertex]] ? 1.0f : 0.0f;
}

static void touch_ball(const sniStroke* s, snSelector* selector, const snBrush* brush, uint32_t vertex,
                       uint8_t* marks, float* out) {
    sn_select_brush(selector, brush->positions, vertex, brush->radius, SN_COMBINE_SET, marks, out);
    for (uint32_t v = 0; v < s->part->mesh->vertex_count; v++)
        out[v] = marks[v] ? fall(out[v], brush->radius, brush->hardness) : 0.0f;
}

// Strokes follow each other on one part, so what they walk over is kept until the shape changes.
static snResult need_tables(snDocument* document, const snPart* part, snError* error) {
    sniBrushTables* tables = &document->brush;
    if (tables->mesh == part->mesh) return SN_RESULT_OK;
    sni_brush_forget(document);
    const snAllocator* memory = &document->allocator;
    SNI_TRY(sn_topology_create(part->mesh, part->weld, memory, &tables->topology, error));
    snResult result = sn_selector_create(part->mesh, part->weld, memory, &tables->selector, error);
    if (result == SN_RESULT_OK)
        tables->mesh = part->mesh;
    else
        sni_brush_forget(document);
    return result;
}

void sni_brush_forget(snDocument* document) {
    sn_topology_destroy(document->brush.topology);
    sn_selector_destroy(document->brush.selector);
    document->brush = (sniBrushTables){0};
}

static snResult touch(sniStroke* s, const snBrush* brush, snSelector* selector, snPaint how, float strength,
                      snError* error) {
    const snMesh* mesh = s->part->mesh;
    const snAllocator* memory = &s->allocator;
    uint32_t other = brush->mirror ? mirror_vertex(mesh, brush->vertex) : brush->vertex;
    s->amounts = SNI_NEW_ARRAY(memory, float, mesh->vertex_count);
    if (brush->mirror) s->mirrored = SNI_NEW_ARRAY(memory, float, mesh->vertex_count);
    if (s->amounts == NULL || (brush->mirror && s->mirrored == NULL)) return sni_fail_memory(error);
    if (how == SN_PAINT_FILL) {
        touch_piece(s, brush->vertex, s->amounts);
        if (brush->mirror) touch_piece(s, other, s->mirrored);
    } else {
        uint8_t* marks = SNI_NEW_ARRAY(memory, uint8_t, mesh->vertex_count);
        if (marks != NULL) {
            touch_ball(s, selector, brush, brush->vertex, marks, s->amounts);
            if (brush->mirror) touch_ball(s, selector, brush, other, marks, s->mirrored);
        }
        sni_free(memory, marks);
        if (marks == NULL) return sni_fail_memory(error);
    }
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        s->amounts[v] *= strength;
        if (brush->mirror) s->mirrored[v] *= strength;
    }
    return SN_RESULT_OK;
}

snResult sni_stroke_open(snDocument* document, const snBrush* brush, snPaint how, float strength,
                         sniStroke* out, snError* error) {
    SNI_TRY(check(document, brush, how, strength, error));
    const snPart* part = &document->state.body.model->parts[brush->part];
    SNI_TRY(need_tables(document, part, error));
    *out = (sniStroke){.part = part, .topology = document->brush.topology, .allocator = document->allocator};
    snResult result = touch(out, brush, document->brush.selector, how, strength, error);
    if (result != SN_RESULT_OK) sni_stroke_close(out);
    return result;
}

void sni_stroke_close(sniStroke* stroke) {
    if (stroke->part == NULL) return;
    sni_free(&stroke->allocator, stroke->amounts);
    sni_free(&stroke->allocator, stroke->mirrored);
    *stroke = (sniStroke){0};
}
