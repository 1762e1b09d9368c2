// Particles that follow painted vertices.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

static void bind(snModel* model, snWeightsMethod method) {
    snBindDef def = sn_bind_def();
    def.method = method;
    def.cells = 20;
    snError error = sn_error_none();
    if (sn_model_bind(model, &def, NULL, &error) != SN_RESULT_OK) fail_msg("%s", error.text);
}

static snModel* bound_body(snWeightsMethod method) {
    snBodyDef def = sn_body_def();
    def.vertex_target = 3000;
    snModel* model = NULL;
    assert_ok(sn_builtin_body(&def, NULL, &model, NULL));
    bind(model, method);
    return model;
}

static snWeights copy_of(const snWeights* from) {
    size_t count = (size_t)from->vertex_count * from->influences;
    snWeights to = {from->vertex_count, from->influences, malloc(count * sizeof *to.joints),
                    malloc(count * sizeof *to.weights)};
    memcpy(to.joints, from->joints, count * sizeof *to.joints);
    memcpy(to.weights, from->weights, count * sizeof *to.weights);
    return to;
}

static void free_copy(snWeights* weights) {
    free(weights->joints);
    free(weights->weights);
}

// Gives a joint of the skin up to `share` of what vertices around a place have, less at the rim.
static void paint(snModel* model, snVec3 at, float radius, uint16_t joint, float share) {
    const snMesh* mesh = model->parts[0].mesh;
    snWeights* w = &model->parts[0].weights;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        float rim = 1.0f - sn_distance(mesh->positions[v], at) / radius;
        if (!(rim > 0.0f)) continue;
        float* weights = w->weights + (size_t)v * w->influences;
        uint16_t* joints = w->joints + (size_t)v * w->influences;
        uint32_t slot = 0;
        for (uint32_t k = 1; k < w->influences; k++)
            if (weights[k] < weights[slot]) slot = k;
        for (uint32_t k = 0; k < w->influences; k++)
            if (joints[k] == joint && weights[k] > 0.0f) slot = k;
        float given = joints[slot] == joint ? weights[slot] : 0.0f, sum = 0.0f;
        for (uint32_t k = 0; k < w->influences; k++) sum += k != slot ? weights[k] : 0.0f;
        if (!(sum > 0.0f)) continue;
        given = given + (1.0f - given) * share * rim;
        for (uint32_t k = 0; k < w->influences; k++) weights[k] *= (1.0f - given) / sum;
        joints[slot] = joint;
        weights[slot] = given;
    }
}

static float weight_of(const snWeights* w, uint32_t item, uint32_t joint) {
    float sum = 0.0f;
    for (size_t i = (size_t)item * w->influences; i < ((size_t)item + 1) * w->influences; i++)
        sum += w->joints[i] == joint ? w->weights[i] : 0.0f;
    return sum;
}

// Largest difference of any weight of a particle.
static float apart(const snWeights* a, const snWeights* b, uint32_t particle, uint32_t joints) {
    float most = 0.0f;
    for (uint32_t j = 0; j < joints; j++)
        most = sn_maxf(most, fabsf(weight_of(a, particle, j) - weight_of(b, particle, j)));
    return most;
}

// Weights that were extended before a stroke are, after it, those that extending them anew gives: not bit by
// bit, but to less than anyone sees, and far away they are untouched.
static void as_extended_anew(void** state) {
    (void)state;
    snModel *model = bound_body(SN_WEIGHTS_KEEP), *anew = bound_body(SN_WEIGHTS_KEEP);
    snWeightFollower* follower = NULL;
    assert_ok(sn_weight_follower_create(model, NULL, &follower, NULL));
    snWeights first = copy_of(&model->binding->particles);
    snVec3 at = model->parts[0].mesh->positions[1200];
    uint32_t particles = first.vertex_count, changed = 0;
    for (int stroke = 0; stroke < 5; stroke++) {
        snWeights before = copy_of(&model->parts[0].weights);
        paint(model, at, 0.15f, 7, 0.3f);
        paint(anew, at, 0.15f, 7, 0.3f);
        bool moved = false;
        assert_ok(sn_weight_follower_run(follower, model, 0, &before, SN_CPU_AUTO, &moved, NULL));
        assert_true(moved);
        free_copy(&before);
    }
    bind(anew, SN_WEIGHTS_KEEP);
    const snBinding *a = model->binding, *b = anew->binding;
    float most = 0.0f, painted = 0.0f;
    for (uint32_t p = 0; p < particles; p++) {
        float by = apart(&a->particles, &first, p, a->joint_count);
        changed += by > 0.0f;
        painted = sn_maxf(painted, by);
        most = sn_maxf(most, apart(&a->particles, &b->particles, p, a->joint_count));
        float sum = 0.0f;
        for (uint32_t j = 0; j < a->joint_count; j++) sum += weight_of(&a->particles, p, j);
        assert_near(sum, 1.0, 1e-5);
        if (sn_distance(a->lattice->rest[p], at) > 0.15f + 8.0f * a->lattice->cell_size)
            assert_memory_equal(a->particles.weights + (size_t)p * first.influences,
                                first.weights + (size_t)p * first.influences,
                                first.influences * sizeof(float));
    }
    print_message("%u of %u particles change by up to %.3f; from extending anew they are %.4f apart\n",
                  changed, particles, (double)painted, (double)most);
    assert_true(painted > 0.2f && most < 0.02f);
    assert_in_range(changed, 5, particles / 3);
    assert_memory_equal(a->parts->bone_parts, b->parts->bone_parts, particles * sizeof(uint32_t));
    free_copy(&first);
    sn_weight_follower_destroy(follower);
    sn_model_destroy(model);
    sn_model_destroy(anew);
}

// Bound by heat, particles are not what vertices extend to; a stroke does not make them so.
static void only_the_stroke_counts(void** state) {
    (void)state;
    snModel* model = bound_body(SN_WEIGHTS_HEAT);
    snWeightFollower* follower = NULL;
    assert_ok(sn_weight_follower_create(model, NULL, &follower, NULL));
    snWeights first = copy_of(&model->binding->particles), before = copy_of(&model->parts[0].weights);
    size_t count = (size_t)first.vertex_count * first.influences;
    bool changed = true;
    assert_ok(sn_weight_follower_run(follower, model, 0, &before, SN_CPU_AUTO, &changed, NULL));
    assert_false(changed);
    assert_memory_equal(first.weights, model->binding->particles.weights, count * sizeof(float));
    paint(model, model->parts[0].mesh->positions[300], 0.1f, 3, 0.02f);
    assert_ok(sn_weight_follower_run(follower, model, 0, &before, SN_CPU_AUTO, &changed, NULL));
    uint32_t joints = model->skins[model->parts[0].skin].joint_count;
    float most = 0.0f;
    for (uint32_t v = 0; v < before.vertex_count; v++)
        most = sn_maxf(most, apart(&before, &model->parts[0].weights, v, joints));
    for (uint32_t p = 0; p < first.vertex_count; p++)
        assert_true(apart(&first, &model->binding->particles, p, model->binding->joint_count) <= 1.5f * most);
    free_copy(&first);
    free_copy(&before);
    sn_weight_follower_destroy(follower);
    sn_model_destroy(model);
}

// Particles that someone put into another group stay there, the others go where their weights say.
static void chosen_groups_stay(void** state) {
    (void)state;
    snModel* model = bound_body(SN_WEIGHTS_KEEP);
    snBinding* binding = model->binding;
    uint32_t particles = binding->lattice->particle_count;
    uint32_t *bones = malloc(particles * sizeof *bones), *joints = malloc(particles * sizeof *joints);
    for (uint32_t p = 0; p < particles; p++) {
        bones[p] = p % 7 == 0 ? (binding->parts->bone_parts[p] + 1) % binding->joint_count : SN_NONE;
        joints[p] = p % 5 == 0 ? (binding->parts->joint_parts[p] + 2) % binding->joint_count : SN_NONE;
    }
    assert_ok(sn_binding_set_parts(binding, bones, joints, NULL));
    snWeightFollower* follower = NULL;
    assert_ok(sn_weight_follower_create(model, NULL, &follower, NULL));
    snWeights before = copy_of(&model->parts[0].weights);
    paint(model, model->parts[0].mesh->positions[1200], 0.3f, 7, 1.0f);
    assert_ok(sn_weight_follower_run(follower, model, 0, &before, SN_CPU_AUTO, NULL, NULL));
    uint32_t to_joint = 0;
    for (uint32_t p = 0; p < particles; p++) {
        if (bones[p] != SN_NONE) assert_int_equal(binding->parts->bone_parts[p], bones[p]);
        if (joints[p] != SN_NONE) assert_int_equal(binding->parts->joint_parts[p], joints[p]);
        if (bones[p] == SN_NONE)
            to_joint += weight_of(&binding->particles, p, binding->parts->bone_parts[p]) <
                        0.249f; // the heaviest of four
    }
    assert_int_equal(to_joint, 0);
    free(bones);
    free(joints);
    free_copy(&before);
    sn_weight_follower_destroy(follower);
    sn_model_destroy(model);
}

static void failures_change_nothing(void** state) {
    (void)state;
    snModel* model = bound_body(SN_WEIGHTS_KEEP);
    TestAllocator memory = {.fail_at = UINT64_MAX};
    snAllocator allocator = test_allocator(&memory);
    snWeights before = copy_of(&model->parts[0].weights), first = copy_of(&model->binding->particles);
    size_t bytes = (size_t)first.vertex_count * first.influences * sizeof(float);
    paint(model, model->parts[0].mesh->positions[1200], 0.1f, 7, 0.5f);
    snWeightFollower* follower = NULL;
    snError error = sn_error_none();
    snResult result = SN_RESULT_OUT_OF_MEMORY;
    for (uint64_t n = 0; result != SN_RESULT_OK; n++) {
        memory.calls = 0;
        memory.fail_at = n;
        result = sn_weight_follower_create(model, &allocator, &follower, &error);
        if (result != SN_RESULT_OK) assert_int_equal(result, SN_RESULT_OUT_OF_MEMORY);
    }
    result = SN_RESULT_OUT_OF_MEMORY;
    for (uint64_t n = 0; result != SN_RESULT_OK; n++) {
        assert_memory_equal(first.weights, model->binding->particles.weights, bytes);
        memory.calls = 0;
        memory.fail_at = n;
        result = sn_weight_follower_run(follower, model, 0, &before, SN_CPU_AUTO, NULL, &error);
        if (result != SN_RESULT_OK) assert_int_equal(result, SN_RESULT_OUT_OF_MEMORY);
    }
    assert_memory_not_equal(first.weights, model->binding->particles.weights, bytes);
    sn_weight_follower_destroy(follower);
    assert_int_equal(memory.held, 0);
    free_copy(&before);
    free_copy(&first);
    sn_model_destroy(model);
}

static void wrong_models_are_refused(void** state) {
    (void)state;
    snModel *model = bound_body(SN_WEIGHTS_KEEP), *bare = NULL;
    snBodyDef def = sn_body_def();
    assert_ok(sn_builtin_body(&def, NULL, &bare, NULL));
    snWeightFollower* follower = NULL;
    const snWeights* own = &model->parts[0].weights;
    assert_int_equal(sn_weight_follower_create(bare, NULL, &follower, NULL), SN_RESULT_INVALID_ARGUMENT);
    assert_ok(sn_weight_follower_create(model, NULL, &follower, NULL));
    struct {
        snModel* model;
        uint32_t part;
        const snWeights* before;
    } wrong[] = {{NULL, 0, own},
                 {bare, 0, own},
                 {model, 9, own},
                 {model, 0, NULL},
                 {model, 0, &bare->parts[0].weights}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_int_equal(sn_weight_follower_run(follower, wrong[i].model, wrong[i].part, wrong[i].before,
                                                SN_CPU_AUTO, NULL, NULL),
                         SN_RESULT_INVALID_ARGUMENT);
    sn_weight_follower_destroy(follower);
    sn_weight_follower_destroy(NULL);
    sn_model_destroy(model);
    sn_model_destroy(bare);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_extended_anew), cmocka_unit_test(only_the_stroke_counts),
        cmocka_unit_test(chosen_groups_stay), cmocka_unit_test(failures_change_nothing),
        cmocka_unit_test(wrong_models_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
