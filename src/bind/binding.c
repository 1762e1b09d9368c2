// A lattice and what moves it, checked against the model it belongs to.
#include "base/error.h"
#include "base/memory.h"
#include "sinew/bind.h"

// ------------------------------------------------------------------------------------------- checking

static snResult check_joints(const snBindingDef* def, snError* error) {
    uint32_t known = def->model->skeleton->joint_count;
    if (def->joint_count == 0 || def->joint_count > UINT16_MAX) {
        return sni_fail(error, SN_RESULT_BAD_DATA, "a binding has %u joints, expected 1 to %u",
                        def->joint_count, UINT16_MAX);
    }
    for (uint32_t i = 0; i < def->joint_count; i++) {
        if (def->joints[i] >= known) {
            return sni_fail(error, SN_RESULT_BAD_DATA, "a binding has joint %u, expected below %u",
                            def->joints[i], known);
        }
        for (int k = 0; k < 16; k++) {
            if (sn_finite(def->binds[i].m[k])) continue;
            return sni_fail(error, SN_RESULT_BAD_DATA, "a binding has a bind matrix that is not finite");
        }
    }
    return SN_RESULT_OK;
}

static snResult check_vertices(const snBindingDef* def, const snLattice* lattice, snError* error) {
    const snModel* model = def->model;
    if (def->vertex_starts[0] != 0) return sni_fail(error, SN_RESULT_BAD_DATA, "a binding has no first part");
    for (uint32_t p = 0; p < model->part_count; p++) {
        uint32_t begin = def->vertex_starts[p], end = def->vertex_starts[p + 1];
        if (end < begin || (end > begin && end - begin != model->parts[p].mesh->vertex_count)) {
            return sni_fail(error, SN_RESULT_BAD_DATA,
                            "a binding has %u vertices for part \"%s\", which has %u", end - begin,
                            model->parts[p].name, model->parts[p].mesh->vertex_count);
        }
    }
    for (uint32_t v = 0; v < def->vertex_starts[model->part_count]; v++) {
        if (def->vertex_points[v] < lattice->point_count) continue;
        return sni_fail(error, SN_RESULT_BAD_DATA, "a binding has vertex %u at point %u of %u", v,
                        def->vertex_points[v], lattice->point_count);
    }
    for (size_t i = 0; i < (size_t)lattice->particle_count * def->influences; i++) {
        if (def->particle_joints[i] < def->joint_count) continue;
        return sni_fail(error, SN_RESULT_BAD_DATA, "a particle follows joint %u of a binding that has %u",
                        def->particle_joints[i], def->joint_count);
    }
    return SN_RESULT_OK;
}

// ---------------------------------------------------------------------------------------------- making

// The nearest joint of the list above each one. Lists from files come in any order.
static snResult find_parents(snBinding* b, const snSkeleton* skeleton, snError* error) {
    uint32_t* index = SNI_NEW_ARRAY(&b->allocator, uint32_t, skeleton->joint_count);
    if (index == NULL) return sni_fail_memory(error);
    for (uint32_t j = 0; j < skeleton->joint_count; j++) index[j] = SN_NONE;
    for (uint32_t i = 0; i < b->joint_count; i++) index[b->joints[i]] = i;
    for (uint32_t i = 0; i < b->joint_count; i++) {
        uint32_t above = skeleton->parents[b->joints[i]];
        while (above != SN_NONE && index[above] == SN_NONE) above = skeleton->parents[above];
        b->parents[i] = above == SN_NONE ? SN_NONE : index[above];
    }
    sni_free(&b->allocator, index);
    return SN_RESULT_OK;
}

static bool copy_tables(const snBindingDef* def, const snLattice* lattice, snBinding* b) {
    const snAllocator* memory = &b->allocator;
    uint32_t joints = def->joint_count, parts = def->model->part_count;
    size_t entries = (size_t)lattice->particle_count * def->influences;
    b->joint_count = joints;
    b->part_count = parts;
    b->joints = sni_copy_array(memory, def->joints, joints, sizeof(uint32_t));
    b->parents = SNI_NEW_ARRAY(memory, uint32_t, joints);
    b->binds = sni_copy_array(memory, def->binds, joints, sizeof(snMat4));
    b->particles =
        (snWeights){.vertex_count = lattice->particle_count,
                    .influences = def->influences,
                    .joints = sni_copy_array(memory, def->particle_joints, entries, sizeof(uint16_t)),
                    .weights = sni_copy_array(memory, def->particle_weights, entries, sizeof(float))};
    b->vertex_starts = sni_copy_array(memory, def->vertex_starts, (size_t)parts + 1, sizeof(uint32_t));
    b->vertex_points =
        sni_copy_array(memory, def->vertex_points, def->vertex_starts[parts], sizeof(uint32_t));
    if (def->region_widths != NULL)
        b->region_widths = sni_copy_array(memory, def->region_widths, lattice->particle_count, 1);
    return b->joints != NULL && b->parents != NULL && b->binds != NULL && b->particles.joints != NULL &&
           b->particles.weights != NULL && b->vertex_starts != NULL && b->vertex_points != NULL &&
           (def->region_widths == NULL || b->region_widths != NULL);
}

snResult sn_binding_set_parts(snBinding* binding, const uint32_t* bone_overrides,
                              const uint32_t* joint_overrides, snError* error) {
    snVec3* origins = SNI_NEW_ARRAY(&binding->allocator, snVec3, binding->joint_count);
    if (origins == NULL) return sni_fail_memory(error);
    for (uint32_t i = 0; i < binding->joint_count; i++) origins[i] = sn_mat4_translation(&binding->binds[i]);
    snLatticePartsDef def = {.lattice = binding->lattice,
                             .joint_count = binding->joint_count,
                             .parents = binding->parents,
                             .origins = origins,
                             .influences = binding->particles.influences,
                             .particle_joints = binding->particles.joints,
                             .particle_weights = binding->particles.weights,
                             .bone_overrides = bone_overrides,
                             .joint_overrides = joint_overrides};
    snLatticeParts* parts = NULL;
    snResult result = sn_lattice_parts_create(&def, &binding->allocator, &parts, error);
    sni_free(&binding->allocator, origins);
    if (result != SN_RESULT_OK) return result;
    sn_lattice_parts_destroy(binding->parts);
    binding->parts = parts;
    return SN_RESULT_OK;
}

static snResult build(const snBindingDef* def, snLattice* lattice, snBinding* b, snError* error) {
    if (!copy_tables(def, lattice, b)) return sni_fail_memory(error);
    SNI_TRY(find_parents(b, def->model->skeleton, error));
    sn_weights_normalize(&b->particles);
    b->lattice = lattice;
    return sn_binding_set_parts(b, def->bone_overrides, def->joint_overrides, error);
}

snResult sn_binding_create(const snBindingDef* def, snLattice* lattice, const snAllocator* allocator,
                           snBinding** out, snError* error) {
    if (def == NULL || lattice == NULL || out == NULL || def->model == NULL || def->joints == NULL ||
        def->binds == NULL || def->influences == 0 || def->particle_joints == NULL ||
        def->particle_weights == NULL || def->vertex_starts == NULL || def->vertex_points == NULL) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT,
                        "a binding needs a model, a lattice, joints, weights and vertices");
    }
    snResult result = check_joints(def, error);
    if (result == SN_RESULT_OK) result = check_vertices(def, lattice, error);
    if (result != SN_RESULT_OK) return result;
    snAllocator memory = sni_allocator(allocator);
    snBinding* binding = SNI_NEW(&memory, snBinding);
    if (binding == NULL) return sni_fail_memory(error);
    binding->allocator = memory;
    result = build(def, lattice, binding, error);
    if (result != SN_RESULT_OK) {
        binding->lattice = NULL; // still the caller's
        sn_binding_destroy(binding);
        return result;
    }
    *out = binding;
    return SN_RESULT_OK;
}

void sn_binding_destroy(snBinding* binding) {
    if (binding == NULL) return;
    snAllocator memory = binding->allocator;
    sn_lattice_destroy(binding->lattice);
    sn_lattice_parts_destroy(binding->parts);
    void* arrays[] = {binding->joints,           binding->parents,           binding->binds,
                      binding->particles.joints, binding->particles.weights, binding->region_widths,
                      binding->vertex_starts,    binding->vertex_points,     binding};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(&memory, arrays[i]);
}

void sn_model_set_binding(snModel* model, snBinding* binding) {
    if (model->binding_destroy != NULL) model->binding_destroy(model->binding);
    model->binding = binding;
    model->binding_destroy = sn_binding_destroy;
    model->rebound = true;
}
