// Weights and softness by brush.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "edits.h"

static snResult open_body(snDocument* document, const snProgress* progress, snError* error) {
    (void)progress;
    return sn_document_open(document, "builtin:body", NULL, error);
}

static snResult open_bar(snDocument* document, const snProgress* progress, snError* error) {
    (void)progress;
    return sn_document_open(document, "builtin:bar", NULL, error);
}

static snBrush brush_at(uint32_t vertex, float radius) {
    snBrush brush = sn_brush();
    brush.vertex = vertex;
    brush.radius = radius;
    return brush;
}

// What a joint of the skeleton moves a vertex by.
static float weight_of(const snModel* model, uint32_t vertex, uint32_t joint) {
    const snPart* part = &model->parts[0];
    const snWeights* w = &part->weights;
    float sum = 0.0f;
    for (uint32_t i = 0; i < w->influences; i++) {
        size_t k = (size_t)vertex * w->influences + i;
        if (model->skins[part->skin].joints[w->joints[k]] == joint) sum += w->weights[k];
    }
    return sum;
}

static uint32_t skin_joint(const snDocument* document, uint32_t i) {
    const snModel* model = sn_document_model(document);
    return model->skins[model->parts[0].skin].joints[i];
}

// Every vertex sums to one, and seams are closed where they were.
static void check_weights(const snModel* model) {
    const snPart* part = &model->parts[0];
    const snWeights* w = &part->weights;
    for (uint32_t v = 0; v < w->vertex_count; v++) {
        double sum = 0.0;
        uint32_t first = part->weld->vertex_of_point[part->weld->point_of_vertex[v]];
        for (uint32_t i = 0; i < w->influences; i++) {
            assert_true(w->weights[(size_t)v * w->influences + i] >= 0.0f);
            assert_true(w->joints[(size_t)v * w->influences + i] < model->skins[part->skin].joint_count);
            sum += (double)w->weights[(size_t)v * w->influences + i];
        }
        assert_near(sum, 1.0, 1e-4);
        for (uint32_t j = 0; j < model->skins[part->skin].joint_count; j++) {
            uint32_t joint = model->skins[part->skin].joints[j];
            assert_near(weight_of(model, v, joint), weight_of(model, first, joint), 1e-5);
        }
    }
}

// -------------------------------------------------------------------------------------------------- weights

static void weights_are_painted(void** state) {
    (void)state;
    snDocument* document = edits_make(NULL);
    snError error = sn_error_none();
    assert_ok(open_bar(document, &edits_nobody, &error));
    uint32_t far = sn_document_model(document)->parts[0].mesh->vertex_count - 1;
    uint32_t joint = skin_joint(document, 1);
    snBrush brush = brush_at(0, 0.2f);
    float before = weight_of(sn_document_model(document), 0, joint);
    float there = weight_of(sn_document_model(document), far, joint);
    edits_expect(sn_document_paint_weights(document, &brush, joint, SN_PAINT_ADD, 0.25f, &error), &error,
                 "add");
    assert_near(weight_of(sn_document_model(document), 0, joint), before + 0.25f, 1e-5);
    assert_near(weight_of(sn_document_model(document), far, joint), there, 0.0);
    check_weights(sn_document_model(document));
    assert_true(sn_document_model(document)->reskinned);
    assert_ok(sn_document_paint_weights(document, &brush, joint, SN_PAINT_TAKE, 0.125f, &error));
    assert_near(weight_of(sn_document_model(document), 0, joint), before + 0.125f, 1e-5);
    assert_ok(sn_document_paint_weights(document, &brush, joint, SN_PAINT_RIGID, 1.0f, &error));
    const snModel* model = sn_document_model(document);
    float most = 0.0f;
    for (uint32_t j = 0; j < model->skins[0].joint_count; j++)
        most = sn_maxf(most, weight_of(model, 0, model->skins[0].joints[j]));
    assert_near(most, 1.0, 1e-6);
    assert_ok(sn_document_paint_weights(document, &brush, joint, SN_PAINT_SMOOTH, 1.0f, &error));
    check_weights(sn_document_model(document));
    assert_ok(sn_document_paint_weights(document, &brush, joint, SN_PAINT_FILL, 1.0f, &error));
    model = sn_document_model(document);
    for (uint32_t v = 0; v < model->parts[0].mesh->vertex_count; v++)
        assert_near(weight_of(model, v, joint), 1.0, 1e-6);
    sn_document_destroy(document);
}

// A stroke with the mirror does to the right hand what it does to the left one.
static void sides_are_painted_alike(void** state) {
    (void)state;
    snDocument* document = edits_make(NULL);
    snError error = sn_error_none();
    assert_ok(open_body(document, &edits_nobody, &error));
    const snModel* model = sn_document_model(document);
    const snMesh* mesh = model->parts[0].mesh;
    uint32_t left = sn_skeleton_find(model->skeleton, "LeftHand");
    uint32_t right = sn_skeleton_find(model->skeleton, "RightHand");
    assert_true(left != SN_NONE && right != SN_NONE);
    uint32_t at = 0;
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        if (mesh->positions[v].x > mesh->positions[at].x) at = v;
    uint32_t other = 0;
    snVec3 image = sn_vec3(-mesh->positions[at].x, mesh->positions[at].y, mesh->positions[at].z);
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        if (sn_distance(mesh->positions[v], image) < sn_distance(mesh->positions[other], image)) other = v;
    snBrush brush = brush_at(at, 0.05f);
    brush.mirror = true;
    edits_expect(sn_document_paint_weights(document, &brush, left, SN_PAINT_ADD, 0.5f, &error), &error,
                 "paint");
    model = sn_document_model(document);
    assert_true(weight_of(model, at, left) >= 0.5f);
    assert_near(weight_of(model, at, left), weight_of(model, other, right), 1e-3);
    check_weights(model);
    sn_document_destroy(document);
}

static void later_strokes_are_small(void** state) {
    (void)state;
    snDocument* document = edits_make(NULL);
    snError error = sn_error_none();
    assert_ok(open_body(document, &edits_nobody, &error));
    snBrush brush = brush_at(100, 0.05f);
    uint32_t joint = skin_joint(document, 1);
    assert_ok(sn_document_paint_weights(document, &brush, joint, SN_PAINT_ADD, 0.25f, &error));
    size_t first = sn_document_history_size(document);
    assert_ok(sn_document_paint_weights(document, &brush, joint, SN_PAINT_ADD, 0.25f, &error));
    size_t second = sn_document_history_size(document) - first;
    print_message("%zu bytes for a stroke\n", second);
    assert_in_range(second, 1, 200000);
    // Strokes of one drag are one entry.
    uint32_t undos = sn_document_undo_count(document);
    uint64_t hash = sn_document_hash(document);
    assert_ok(sn_document_begin(document, "Paint", &error));
    for (uint32_t i = 0; i < 3; i++) {
        brush.vertex = 100 + i;
        assert_ok(sn_document_paint_weights(document, &brush, joint, SN_PAINT_TAKE, 0.25f, &error));
    }
    assert_ok(sn_document_end(document, &error));
    assert_int_equal(sn_document_undo_count(document), undos + 1);
    assert_true(sn_document_hash(document) != hash);
    assert_ok(sn_document_undo(document, &error));
    assert_true(sn_document_hash(document) == hash);
    sn_document_destroy(document);
}

// A frame of flesh on the lattice, of the character that plays or of one made anew.
static uint64_t frame_of(snDocument* document, bool anew) {
    snCharacter *live = NULL, *fresh = NULL;
    snError error = sn_error_none();
    edits_expect(sn_document_character(document, &live, &error), &error, "character");
    snCharacterDef def = sn_character_def();
    def.model = sn_document_model(document);
    def.settings = sn_document_settings(document);
    if (anew) assert_ok(sn_character_create(&def, NULL, &fresh, &error));
    snCharacter* character = anew ? fresh : live;
    sn_character_reset(character);
    for (int f = 0; f < 4; f++)
        assert_ok(sn_character_pose_clip(character, 0, 0.2f + 0.03f * (float)f, SN_WRAP_LOOP));
    uint64_t hash = sn_character_hash(character);
    sn_character_destroy(fresh);
    return hash;
}

// What hangs in the lattice alone sees a stroke, and its undoing.
static void strokes_reach_the_lattice(void** state) {
    (void)state;
    static const char* const skins[] = {"lattice", "dual", "linear", "spline"};
    for (int kind = 0; kind < 4; kind++) {
        snDocument* document = edits_make(NULL);
        snError error = sn_error_none();
        assert_ok(open_bar(document, &edits_nobody, &error));
        snBindDef def = sn_bind_def();
        def.cells = 9;
        edits_expect(sn_document_bind(document, &def, NULL, NULL, &error), &error, "bind");
        assert_ok(sn_document_set(document, "skin", skins[kind], &error));
        if (kind == 1) assert_ok(sn_document_set(document, "contact.self", "true", &error));
        uint64_t before = frame_of(document, false), hash = sn_document_hash(document);
        snBrush brush = brush_at(0, 0.4f);
        for (int stroke = 0; stroke < 3; stroke++) {
            brush.vertex = 5u * (uint32_t)stroke;
            edits_expect(sn_document_paint_weights(document, &brush, skin_joint(document, 2), SN_PAINT_ADD,
                                                   0.4f, &error),
                         &error, "paint");
            uint64_t now = frame_of(document, false);
            assert_true(now != before);
            assert_true(now == frame_of(document, true));
        }
        for (int stroke = 0; stroke < 3; stroke++) assert_ok(sn_document_undo(document, &error));
        assert_true(sn_document_hash(document) == hash);
        assert_true(frame_of(document, false) == before);
        sn_document_destroy(document);
    }
}

static void wrong_brushes_are_refused(void** state) {
    (void)state;
    snDocument* document = edits_make(NULL);
    snError error = sn_error_none();
    snBrush brush = brush_at(0, 0.1f);
    assert_int_equal(sn_document_paint_weights(document, &brush, 0, SN_PAINT_ADD, 1.0f, &error),
                     SN_RESULT_INVALID_ARGUMENT);
    assert_ok(open_bar(document, &edits_nobody, &error));
    uint64_t hash = sn_document_hash(document);
    const snBrush wrong[] = {{.part = 9, .radius = 1.0f},
                             {.vertex = 99999, .radius = 1.0f},
                             {.radius = -1.0f},
                             {.radius = NAN},
                             {.radius = 1.0f, .hardness = 2.0f}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_int_equal(sn_document_paint_weights(document, &wrong[i], 1, SN_PAINT_ADD, 1.0f, &error),
                         SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_document_paint_weights(document, &brush, 1, SN_PAINT_COUNT, 1.0f, &error),
                     SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_document_paint_weights(document, &brush, 1, SN_PAINT_ADD, 2.0f, &error),
                     SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_document_paint_weights(document, &brush, 999, SN_PAINT_ADD, 1.0f, &error),
                     SN_RESULT_NOT_FOUND);
    assert_int_equal(sn_document_paint_softness(document, &brush, SN_PAINT_RIGID, 1.0f, 2.0f, &error),
                     SN_RESULT_INVALID_ARGUMENT);
    assert_true(sn_document_hash(document) == hash);
    assert_ok(sn_document_open(document, "builtin:cube", NULL, &error));
    assert_int_equal(sn_document_paint_weights(document, &brush, 0, SN_PAINT_ADD, 1.0f, &error),
                     SN_RESULT_NOT_FOUND);
    sn_document_destroy(document);
}

// ------------------------------------------------------------------------------------------------- softness

static void softness_is_painted(void** state) {
    (void)state;
    snDocument* document = edits_make(NULL);
    snError error = sn_error_none();
    assert_ok(open_bar(document, &edits_nobody, &error));
    snBrush brush = brush_at(0, 0.3f);
    edits_expect(sn_document_paint_softness(document, &brush, SN_PAINT_ADD, 0.5f, 2.0f, &error), &error,
                 "soft");
    const snSettings* settings = sn_document_settings(document);
    assert_int_equal(settings->rule_count, 1);
    assert_near(settings->rules[0].softness, 2.0, 0.0);
    assert_int_equal(settings->rules[0].vertices[0], 0);
    assert_near(settings->rules[0].amounts[0], 0.5, 1e-6);
    assert_ok(sn_document_paint_softness(document, &brush, SN_PAINT_ADD, 0.25f, 2.0f, &error));
    settings = sn_document_settings(document);
    assert_int_equal(settings->rule_count, 1);
    assert_near(settings->rules[0].amounts[0], 0.75, 1e-6);
    assert_ok(sn_document_paint_softness(document, &brush, SN_PAINT_SMOOTH, 1.0f, 2.0f, &error));
    assert_true(sn_document_settings(document)->rules[0].amounts[0] < 0.75f);
    assert_ok(sn_document_paint_softness(document, &brush, SN_PAINT_FILL, 1.0f, 0.5f, &error));
    settings = sn_document_settings(document);
    assert_int_equal(settings->rule_count, 2);
    assert_int_equal(settings->rules[1].vertex_count,
                     sn_document_model(document)->parts[0].mesh->vertex_count);
    brush.radius = 100.0f;
    brush.hardness = 1.0f;
    assert_ok(sn_document_paint_softness(document, &brush, SN_PAINT_TAKE, 1.0f, 2.0f, &error));
    settings = sn_document_settings(document);
    assert_int_equal(settings->rule_count, 1);
    assert_near(settings->rules[0].softness, 0.5, 0.0);
    sn_document_destroy(document);
}

// ---------------------------------------------------------------------------------------------------- edits

static snResult stroke(snDocument* document, snPaint how, bool mirror, snError* error) {
    snBrush brush = brush_at(how == SN_PAINT_ADD ? 0 : 5, 0.5f);
    brush.mirror = mirror;
    return sn_document_paint_weights(document, &brush, skin_joint(document, 1), how, 0.4f, error);
}
static snResult add(snDocument* document, const snProgress* progress, snError* error) {
    (void)progress;
    return stroke(document, SN_PAINT_ADD, false, error);
}
static snResult take(snDocument* document, const snProgress* progress, snError* error) {
    (void)progress;
    return stroke(document, SN_PAINT_TAKE, true, error);
}
static snResult smooth(snDocument* document, const snProgress* progress, snError* error) {
    (void)progress;
    return stroke(document, SN_PAINT_SMOOTH, false, error);
}
static snResult soften(snDocument* document, const snProgress* progress, snError* error) {
    (void)progress;
    snBrush brush = brush_at(3, 0.4f);
    return sn_document_paint_softness(document, &brush, SN_PAINT_ADD, 0.5f, 2.0f, error);
}
static snResult harden(snDocument* document, const snProgress* progress, snError* error) {
    (void)progress;
    snBrush brush = brush_at(3, 0.4f);
    brush.mirror = true;
    return sn_document_paint_softness(document, &brush, SN_PAINT_TAKE, 0.25f, 2.0f, error);
}
static snResult drag(snDocument* document, const snProgress* progress, snError* error) {
    snResult result = sn_document_begin(document, "Drag", error);
    if (result != SN_RESULT_OK) return result;
    result = add(document, progress, error);
    if (result == SN_RESULT_OK) result = smooth(document, progress, error);
    if (result == SN_RESULT_OK) result = soften(document, progress, error);
    if (result == SN_RESULT_OK) return sn_document_end(document, error);
    sn_document_cancel(document);
    return result;
}

static snResult bind(snDocument* document, const snProgress* progress, snError* error) {
    snBindDef def = sn_bind_def();
    def.cells = 9;
    return sn_document_bind(document, &def, progress, NULL, error);
}

static const Step steps[] = {{"open", open_bar}, {"add", add},       {"take", take}, {"smooth", smooth},
                             {"soft", soften},   {"harden", harden}, {"drag", drag}, {"bind", bind},
                             {"lattice", add},   {"mirror", take},   {"drag", drag}};
enum { STEPS = sizeof steps / sizeof steps[0] };

static void undo_and_redo(void** state) {
    (void)state;
    edits_undo_and_redo(steps, STEPS);
}
static void memory_fails_everywhere(void** state) {
    (void)state;
    edits_fail_memory(steps, STEPS);
}

static void in_place_is_the_same(void** state) {
    (void)state;
    snDocument *kept = edits_make(NULL), *place = edits_make_with(0, NULL);
    snError error = sn_error_none();
    for (int i = 0; i < STEPS; i++) {
        edits_expect(steps[i].run(kept, &edits_nobody, &error), &error, steps[i].name);
        edits_expect(steps[i].run(place, &edits_nobody, &error), &error, steps[i].name);
    }
    const snWeights* a = &sn_document_model(kept)->parts[0].weights;
    const snWeights* b = &sn_document_model(place)->parts[0].weights;
    size_t count = (size_t)a->vertex_count * a->influences;
    assert_memory_equal(a->weights, b->weights, count * sizeof *a->weights);
    assert_memory_equal(a->joints, b->joints, count * sizeof *a->joints);
    const snBinding *c = sn_document_model(kept)->binding, *d = sn_document_model(place)->binding;
    count = (size_t)c->particles.vertex_count * c->particles.influences;
    assert_memory_equal(c->particles.weights, d->particles.weights, count * sizeof *c->particles.weights);
    assert_memory_equal(c->particles.joints, d->particles.joints, count * sizeof *c->particles.joints);
    const snFleshRule *first = sn_document_settings(kept)->rules,
                      *second = sn_document_settings(place)->rules;
    assert_int_equal(first->vertex_count, second->vertex_count);
    assert_memory_equal(first->amounts, second->amounts, first->vertex_count * sizeof *first->amounts);
    sn_document_destroy(kept);
    sn_document_destroy(place);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_are_painted),       cmocka_unit_test(sides_are_painted_alike),
        cmocka_unit_test(later_strokes_are_small),   cmocka_unit_test(wrong_brushes_are_refused),
        cmocka_unit_test(softness_is_painted),       cmocka_unit_test(undo_and_redo),
        cmocka_unit_test(strokes_reach_the_lattice), cmocka_unit_test(in_place_is_the_same),
        cmocka_unit_test(memory_fails_everywhere)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
