// Refining models: weights and morphs follow, the binding is made anew, failures change nothing.
#include <stdlib.h>
#include <string.h>

#include "bind_support.h"
#include "rigs.h"

static snModel* make_tube(void) {
    snModel* model = NULL;
    snTubeDef def = sn_tube_def();
    def.rings = 12;
    def.sides = 8;
    assert_ok(sn_builtin_tube(&def, NULL, &model, NULL));
    return model;
}

static void bind(snModel* model, uint32_t cells) {
    snBindDef def = sn_bind_def();
    def.method = SN_WEIGHTS_KEEP;
    def.cells = cells;
    assert_ok(sn_model_bind(model, &def, NULL, NULL));
}

// Marks the first part above this height.
static snResult refine_above(snModel* model, float height, uint32_t levels, size_t limit, snError* error) {
    const float** marks = calloc(model->part_count, sizeof *marks);
    const snMesh* mesh = model->parts[0].mesh;
    float* heights = calloc(mesh->vertex_count, sizeof *heights);
    for (uint32_t v = 0; v < mesh->vertex_count; v++) heights[v] = mesh->positions[v].y;
    marks[0] = heights;
    snRefineDef def = {marks, height, levels, limit};
    snResult result = sn_model_refine(model, &def, error);
    free(heights);
    free(marks);
    return result;
}

// ------------------------------------------------------------------------------------------------- carried

static void weights_follow(void** state) {
    (void)state;
    snModel *model = make_tube(), *old = make_tube();
    assert_ok(refine_above(model, 1.2f, 2, 0, NULL));
    const snPart *part = &model->parts[0], *from = &old->parts[0];
    const snOrigins* origins = part->origins;
    assert_true(part->mesh->vertex_count > 3 * from->mesh->vertex_count);
    assert_int_equal(origins->count, part->mesh->vertex_count);
    assert_int_equal(part->weights.vertex_count, part->mesh->vertex_count);
    assert_int_equal(part->weights.influences, from->weights.influences);
    assert_int_equal(part->weld->vertex_count, part->mesh->vertex_count);
    size_t kept = (size_t)from->mesh->vertex_count * from->weights.influences;
    assert_memory_equal(part->weights.joints, from->weights.joints, kept * sizeof(uint16_t));
    assert_memory_equal(part->weights.weights, from->weights.weights, kept * sizeof(float));
    for (uint32_t v = 0; v < part->mesh->vertex_count; v++) {
        float sum = 0.0f;
        for (uint32_t j = 0; j < model->skins[0].joint_count; j++) {
            const char* name = model->skeleton->names[model->skins[0].joints[j]];
            float wanted = 0.0f, weight = weight_of(model, v, name);
            for (uint32_t k = origins->starts[v]; k < origins->starts[v + 1]; k++)
                wanted += origins->shares[k] * weight_of(old, origins->sources[k], name);
            assert_near(weight, wanted, 1e-6); // the tube has few joints: none is dropped
            sum += weight;
        }
        assert_near(sum, 1.0, 1e-6);
    }
    sn_model_destroy(model);
    sn_model_destroy(old);
}

// A vertex between others with more joints than it may have keeps the largest.
static void the_largest_influences_stay(void** state) {
    (void)state;
    const snVec3 positions[] = {{0, 0, 0}, {1, 0, 0}, {0, 0, -1}};
    const uint32_t corners[] = {0, 1, 2};
    const uint16_t joints[] = {0, 1, 2, 3, 1, 0};
    const float weights[] = {0.75f, 0.25f, 0.6f, 0.4f, 0.5f, 0.5f};
    const snMeshDef mesh = {
        .vertex_count = 3, .face_count = 1, .corner_count = 3, .positions = positions, .corners = corners};
    const uint32_t all[] = {0, 1, 2, 3};
    const snVec3 places[] = {{0, 0, 0}, {0, 1, 0}, {0, 2, 0}, {0, 3, 0}};
    const snSkinDef skin = {"skin", 4, all, NULL};
    const snPartDef part = {
        .name = "face", .mesh = &mesh, .influences = 2, .joints = joints, .weights = weights};
    const snModelDef def = {chain_skeleton(places, 4), 1, &skin, 1, &part, 0, NULL};
    snModel* model = NULL;
    assert_ok(sn_model_create(&def, NULL, &model, NULL));
    assert_ok(refine_above(model, -1.0f, 1, 0, NULL));
    const snWeights* w = &model->parts[0].weights;
    assert_int_equal(w->vertex_count, 6);
    // Between 0 and 1: joints 0 and 2 with 0.375 and 0.3 of 0.2 and 0.125 more.
    assert_int_equal(w->joints[3 * 2], 0);
    assert_int_equal(w->joints[3 * 2 + 1], 2);
    assert_near(w->weights[3 * 2], 0.375 / 0.675, 1e-6);
    // Between 0 and 2 they have the same joints, in another order.
    assert_int_equal(w->joints[4 * 2], 0);
    assert_near(w->weights[4 * 2], 0.625, 1e-6);
    assert_near(w->weights[4 * 2 + 1], 0.375, 1e-6);
    sn_model_destroy(model);
}

// The cubes of the test model have every face apart and a morph; one of them is not marked.
static void morphs_follow_and_unmarked_parts_stay(void** state) {
    (void)state;
    snModel* model = NULL;
    assert_ok(sn_model_create(test_model_def(), NULL, &model, NULL));
    const snMesh* other = model->parts[1].mesh;
    assert_ok(refine_above(model, 0.5f, 2, 0, NULL));
    const snPart* part = &model->parts[0];
    assert_ptr_equal(model->parts[1].mesh, other);
    assert_null(model->parts[1].origins);
    assert_int_equal(part->morph_count, 1);
    assert_string_equal(part->morphs[0].name, "deep");
    assert_null(part->morphs[0].normals);
    assert_near(part->morph_weights[0], 0.25, 0.0);
    for (uint32_t v = 0; v < part->mesh->vertex_count; v++) {
        snVec3 offset = part->morphs[0].positions[v], at = part->mesh->positions[v];
        assert_vec3_near(offset, sn_vec3(0, 0, at.z), 1e-6f); // linear in space, and the cube stays one
        assert_near(weight_of(model, v, "tip"), 0.75f * at.y, 1e-5);
        // Seams: all vertices of a point move alike, to the bit.
        uint32_t first = part->weld->vertex_of_point[part->weld->point_of_vertex[v]];
        assert_memory_equal(&part->morphs[0].positions[first], &offset, sizeof offset);
        assert_memory_equal(part->weights.weights + (size_t)2 * first, part->weights.weights + (size_t)2 * v,
                            8);
        assert_memory_equal(part->weights.joints + (size_t)2 * first, part->weights.joints + (size_t)2 * v,
                            4);
    }
    sn_model_destroy(model);
}

// Twice once: what vertices are made of is told in terms of the first mesh.
static void refining_again_keeps_the_source(void** state) {
    (void)state;
    snModel *model = make_tube(), *old = make_tube();
    assert_ok(refine_above(model, 1.0f, 1, 0, NULL));
    assert_ok(refine_above(model, 2.0f, 1, 0, NULL));
    const snPart* part = &model->parts[0];
    assert_int_equal(part->origins->count, part->mesh->vertex_count);
    for (uint32_t v = 0; v < part->mesh->vertex_count; v++) {
        float height = 0.0f;
        for (uint32_t k = part->origins->starts[v]; k < part->origins->starts[v + 1]; k++) {
            assert_true(part->origins->sources[k] < old->parts[0].mesh->vertex_count);
            height += part->origins->shares[k] * old->parts[0].mesh->positions[part->origins->sources[k]].y;
        }
        assert_near(height, part->mesh->positions[v].y, 1e-3);
    }
    sn_model_destroy(model);
    sn_model_destroy(old);
}

// ------------------------------------------------------------------------------------------------- binding

static void binding_is_made_anew(void** state) {
    (void)state;
    snModel* model = make_tube();
    bind(model, 12);
    float cell = model->binding->lattice->cell_size;
    uint32_t cells = model->binding->lattice->cell_count;
    model->rebound = false;
    assert_ok(refine_above(model, 1.0f, 1, 0, NULL));
    const snBinding* binding = model->binding;
    assert_true(model->rebound);
    assert_false(model->reskinned);
    assert_near(binding->lattice->cell_size, cell, 1e-6);
    assert_true(binding->lattice->cell_count >= cells && binding->lattice->cell_count < cells * 3 / 2);
    assert_int_equal(binding->vertex_starts[1], model->parts[0].mesh->vertex_count);
    check_weights(model);
    // It deforms: every vertex lies in the lattice where it is.
    const snLattice* l = binding->lattice;
    for (uint32_t v = 0; v < model->parts[0].mesh->vertex_count; v++) {
        uint32_t point = binding->vertex_points[v];
        const uint16_t* at = l->cells[l->point_cells[point]];
        snVec3 low = sn_vec3((float)at[0], (float)at[1], (float)at[2]);
        snVec3 place = sn_add(l->origin, sn_scale(sn_add(low, l->point_coords[point]), l->cell_size));
        assert_vec3_near(place, model->parts[0].mesh->positions[v], 1e-5f);
    }
    sn_model_destroy(model);
}

// ------------------------------------------------------------------------------------------------- failures

static void refuse(snModel* model, const snRefineDef* def, snResult result, const char* sentence) {
    snError error = sn_error_none();
    const snMesh* mesh = model->parts[0].mesh;
    assert_int_equal(sn_model_refine(model, def, &error), result);
    assert_non_null(strstr(error.text, sentence));
    assert_ptr_equal(model->parts[0].mesh, mesh);
    assert_null(model->parts[0].origins);
}

static void wrong_definitions_are_refused(void** state) {
    (void)state;
    snModel* model = make_tube();
    float* marks = calloc(model->parts[0].mesh->vertex_count, sizeof *marks);
    marks[0] = 1.0f;
    const float* lists[] = {marks};
    refuse(model, NULL, SN_RESULT_INVALID_ARGUMENT, "marks are needed");
    refuse(model, &(snRefineDef){NULL, 0.5f, 1, 0}, SN_RESULT_INVALID_ARGUMENT, "marks are needed");
    refuse(model, &(snRefineDef){lists, 0.5f, 0, 0}, SN_RESULT_INVALID_ARGUMENT, "levels are 0");
    refuse(model, &(snRefineDef){lists, 0.5f, 9, 0}, SN_RESULT_INVALID_ARGUMENT, "expected 1 to 8");
    refuse(model, &(snRefineDef){lists, NAN, 1, 0}, SN_RESULT_INVALID_ARGUMENT, "not a finite number");
    refuse(model, &(snRefineDef){lists, 0.5f, 2, 20000}, SN_RESULT_LIMIT, "more than the 20000 allowed");
    assert_int_equal(sn_model_refine(NULL, NULL, NULL), SN_RESULT_INVALID_ARGUMENT);
    marks[7] = INFINITY;
    refuse(model, &(snRefineDef){lists, 0.5f, 1, 0}, SN_RESULT_INVALID_ARGUMENT, "vertex 7 of");
    marks[7] = 0.0f;
    // A part without a list, and marks that are all below, change nothing and are no error.
    assert_ok(sn_model_refine(model, &(snRefineDef){(const float*[]){NULL}, 0.5f, 1, 0}, NULL));
    assert_ok(sn_model_refine(model, &(snRefineDef){lists, 1.5f, 1, 0}, NULL));
    assert_null(model->parts[0].origins);
    free(marks);
    sn_model_destroy(model);
}

// Where the lattice does not fit the limit, or memory ends, the model is as before.
static void failing_to_bind_leaves_the_model(void** state) {
    (void)state;
    snModel* model = make_tube();
    bind(model, 40);
    const snMesh* mesh = model->parts[0].mesh;
    const snBinding* binding = model->binding;
    uint64_t hash = weights_hash(model);
    snError error = sn_error_none();
    assert_int_equal(refine_above(model, 2.5f, 1, 600000, &error), SN_RESULT_LIMIT);
    assert_non_null(strstr(error.text, "cells along the longest side")); // not the refining itself
    assert_ptr_equal(model->parts[0].mesh, mesh);
    assert_ptr_equal(model->binding, binding);
    assert_int_equal(model->parts[0].weights.vertex_count, mesh->vertex_count);
    assert_true(weights_hash(model) == hash);
    assert_null(model->parts[0].origins);
    sn_model_destroy(model);
}

// Weights, morphs and what comes of refining again are within the limit too.
static void memory_is_bounded(void** state) {
    (void)state;
    uint32_t refused = 0;
    for (size_t limit = 1000;; limit *= 2) {
        snBudget budget = sn_budget(NULL, SIZE_MAX);
        snAllocator memory = sn_budget_allocator(&budget);
        snModel* model = NULL;
        assert_ok(sn_model_create(test_model_def(), &memory, &model, NULL));
        assert_ok(refine_above(model, 0.5f, 1, 0, NULL));
        size_t before = budget.peak = budget.used;
        snResult result = refine_above(model, 0.5f, 3, limit, NULL);
        assert_true(result == SN_RESULT_OK || result == SN_RESULT_LIMIT);
        assert_true(budget.peak - before <= limit);
        refused += result == SN_RESULT_LIMIT;
        sn_model_destroy(model);
        if (result == SN_RESULT_OK) break;
    }
    assert_true(refused > 2);
}

static snResult build(const snAllocator* allocator, void* context) {
    (void)context;
    snModel* model = NULL;
    snResult result = sn_model_create(test_model_def(), allocator, &model, NULL);
    if (result != SN_RESULT_OK) return result;
    snBindDef def = sn_bind_def();
    def.method = SN_WEIGHTS_KEEP;
    def.cells = 2;
    result = sn_model_bind(model, &def, NULL, NULL);
    if (result == SN_RESULT_OK) result = refine_above(model, 0.5f, 1, 0, NULL);
    if (result == SN_RESULT_OK) result = refine_above(model, 0.5f, 1, 0, NULL);
    sn_model_destroy(model);
    return result;
}

static void every_allocation_may_fail(void** state) {
    (void)state;
    test_every_allocation(build, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_follow),
        cmocka_unit_test(the_largest_influences_stay),
        cmocka_unit_test(morphs_follow_and_unmarked_parts_stay),
        cmocka_unit_test(refining_again_keeps_the_source),
        cmocka_unit_test(binding_is_made_anew),
        cmocka_unit_test(wrong_definitions_are_refused),
        cmocka_unit_test(failing_to_bind_leaves_the_model),
        cmocka_unit_test(memory_is_bounded),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
