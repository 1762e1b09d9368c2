// Softness of flesh by brush: amounts of a rule of the settings.
#include "paint.h"

// The painted rule of a part and factor; SN_NONE: there is none.
static uint32_t find_rule(const snSettings* settings, const char* part, float softness) {
    for (uint32_t i = 0; i < settings->rule_count; i++) {
        const snFleshRule* rule = &settings->rules[i];
        if (rule->part != NULL && strcmp(rule->part, part) == 0 && rule->amounts != NULL &&
            rule->bone == NULL && rule->radius == 0.0f && rule->color == 0 && rule->softness == softness)
            return i;
    }
    return SN_NONE;
}

typedef struct Softness {
    const sniStroke* stroke;
    float* amounts; // vertex_count; as painted so far
    float* means;   // vertex_count; of the neighbours
    uint32_t* counts;
    uint32_t* vertices;
} Softness;

// Of points, left at their first vertices.
static void find_means(const Softness* s) {
    const snTopology* t = s->stroke->topology;
    const uint32_t* first = s->stroke->part->weld->vertex_of_point;
    uint32_t count = s->stroke->part->mesh->vertex_count;
    memset(s->means, 0, count * sizeof *s->means);
    memset(s->counts, 0, count * sizeof *s->counts);
    for (uint32_t e = 0; e < t->edge_count; e++) {
        uint32_t a = first[t->edges[e][0]], b = first[t->edges[e][1]];
        s->means[a] += s->amounts[b];
        s->means[b] += s->amounts[a];
        s->counts[a]++;
        s->counts[b]++;
    }
    for (uint32_t v = 0; v < count; v++)
        if (s->counts[v] > 0) s->means[v] /= (float)s->counts[v];
}

static void paint(const Softness* s, const float* brush, snPaint how) {
    const snWeld* weld = s->stroke->part->weld;
    if (how == SN_PAINT_SMOOTH) find_means(s);
    for (uint32_t p = 0; p < weld->point_count; p++) {
        uint32_t v = weld->vertex_of_point[p];
        float amount = s->amounts[v], much = brush[v];
        if (!(much > 0.0f)) continue;
        if (how == SN_PAINT_TAKE)
            amount -= much;
        else if (how != SN_PAINT_SMOOTH)
            amount += much;
        else if (s->counts[v] > 0)
            amount += much * (s->means[v] - amount);
        s->amounts[v] = sn_clampf(amount, 0.0f, 1.0f);
    }
    for (uint32_t v = 0; v < weld->vertex_count; v++) {
        uint32_t first = weld->vertex_of_point[weld->point_of_vertex[v]];
        if (brush[first] > 0.0f) s->amounts[v] = s->amounts[first];
    }
}

// The rules with this one in its place, behind the others, or left out.
static snResult set_rule(snDocument* document, Softness* s, uint32_t at, float softness, snError* error) {
    snSettings* settings = document->state.settings;
    const snAllocator* memory = &document->allocator;
    snFleshRule* rules = SNI_NEW_ARRAY(memory, snFleshRule, (size_t)settings->rule_count + 1);
    if (rules == NULL) return sni_fail_memory(error);
    uint32_t count = settings->rule_count;
    if (count > 0) memcpy(rules, settings->rules, count * sizeof *rules);
    if (at == SN_NONE) {
        at = count++;
        rules[at] = sn_flesh_rule_def();
        rules[at].part = s->stroke->part->name;
        rules[at].softness = softness;
    }
    snFleshRule* rule = &rules[at];
    rule->vertices = s->vertices;
    rule->amounts = s->amounts;
    rule->vertex_count = 0;
    for (uint32_t v = 0; v < s->stroke->part->mesh->vertex_count; v++) {
        if (!(s->amounts[v] > 0.0f)) continue;
        s->amounts[rule->vertex_count] = s->amounts[v];
        s->vertices[rule->vertex_count++] = v;
    }
    if (rule->vertex_count == 0) {
        count--;
        memmove(rule, rule + 1, (count - at) * sizeof *rule);
    }
    snResult result = sn_settings_set_rules(settings, rules, count, error);
    sni_free(memory, rules);
    return result;
}

static snResult run(snDocument* document, const sniStroke* stroke, snPaint how, float softness,
                    snError* error) {
    const snAllocator* memory = &document->allocator;
    uint32_t count = stroke->part->mesh->vertex_count;
    const snSettings* settings = document->state.settings;
    uint32_t at = find_rule(settings, stroke->part->name, softness);
    Softness s = {stroke, SNI_NEW_ARRAY(memory, float, count), SNI_NEW_ARRAY(memory, float, count),
                  SNI_NEW_ARRAY(memory, uint32_t, count), SNI_NEW_ARRAY(memory, uint32_t, count)};
    bool enough = s.amounts != NULL && s.means != NULL && s.counts != NULL && s.vertices != NULL;
    snResult result = enough ? SN_RESULT_OK : sni_fail_memory(error);
    if (enough) {
        for (uint32_t i = 0; at != SN_NONE && i < settings->rules[at].vertex_count; i++)
            if (settings->rules[at].vertices[i] < count)
                s.amounts[settings->rules[at].vertices[i]] = settings->rules[at].amounts[i];
        paint(&s, stroke->amounts, how);
        if (stroke->mirrored != NULL) paint(&s, stroke->mirrored, how);
        result = set_rule(document, &s, at, softness, error);
    }
    sni_free(memory, s.amounts);
    sni_free(memory, s.means);
    sni_free(memory, s.counts);
    sni_free(memory, s.vertices);
    return result;
}

snResult sn_document_paint_softness(snDocument* document, const snBrush* brush, snPaint how, float strength,
                                    float softness, snError* error) {
    sniStroke stroke = {0};
    if (how == SN_PAINT_RIGID) return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "rigid is for weights");
    SNI_TRY(sni_stroke_open(document, brush, how, strength, &stroke, error));
    snResult result =
        sni_edit_begin(document, "Paint softness", SNI_BIT(SNI_ITEM_SETTINGS), SNI_COPY_NONE, error);
    if (result == SN_RESULT_OK)
        result = sni_edit_end(document, run(document, &stroke, how, softness, error), error);
    sni_stroke_close(&stroke);
    return result;
}
