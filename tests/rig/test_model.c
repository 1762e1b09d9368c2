// The model owns copies, normalises weights, and frees all of it.
#include "rigs.h"

static void copies_and_normalises(void** state) {
    (void)state;
    snModel* model = NULL;
    assert_ok(sn_model_create(test_model_def(), NULL, &model, NULL));
    assert_int_equal(model->part_count, 2);
    const snPart* soft = &model->parts[0];
    assert_int_equal(soft->weld->point_count, 8);
    assert_int_equal(soft->weights.influences, 2);
    for (uint32_t v = 0; v < soft->weights.vertex_count; v++) {
        assert_near(soft->weights.weights[2 * v] + soft->weights.weights[2 * v + 1], 1.0, 1e-6);
    }
    assert_string_equal(soft->morphs[0].name, "deep");
    assert_null(soft->morphs[0].normals);
    assert_true(soft->morph_weights[0] == 0.25f);
    assert_int_equal(model->parts[1].skin, SN_NONE);
    assert_int_equal(sn_model_find_clip(model, "wave"), 0);
    assert_int_equal(sn_model_find_clip(model, "none"), SN_NONE);
    // Inverse binds were not given: they undo the rest pose.
    snMat4 world[2];
    sn_skeleton_world(model->skeleton, NULL, world);
    snMat4 back = sn_mat4_mul(&world[1], &model->skins[0].inverse_binds[1]);
    snMat4 identity = sn_mat4_identity();
    for (int i = 0; i < 16; i++) assert_near(back.m[i], identity.m[i], 1e-6);
    sn_model_destroy(model);
    sn_model_destroy(NULL);
}

static void weights_are_repaired(void** state) {
    (void)state;
    float w[] = {0.5f, 0.5f, 2.0f, 2.0f, -1.0f, 0.5f, 0.0f, 0.0f, NAN, 1.0f, 0.3f, 0.7f};
    uint16_t j[12] = {0};
    snWeights weights = {6, 2, j, w};
    assert_int_equal(sn_weights_normalize(&weights), 3);
    static const float expected[] = {0.5f, 0.5f, 0.5f, 0.5f, 0, 1, 1, 0, 0, 1, 0.3f, 0.7f};
    for (int i = 0; i < 12; i++) assert_near(w[i], expected[i], 1e-6);
}

static snResult build_and_add(const snAllocator* allocator, void* context) {
    (void)context;
    snModel* model = NULL;
    snResult result = sn_model_create(test_model_def(), allocator, &model, NULL);
    if (result != SN_RESULT_OK) return result;
    snClipDef clip = test_model_def()->clips[0];
    clip.name = "again";
    result = sn_model_add_clip(model, &clip, NULL);
    assert_int_equal(model->clip_count, result == SN_RESULT_OK ? 2 : 1);
    assert_int_equal(sn_model_find_clip(model, "wave"), 0);
    sn_model_destroy(model);
    return result;
}

static void clips_can_be_added(void** state) {
    (void)state;
    test_every_allocation(build_and_add, NULL);
    snModel* model = NULL;
    assert_ok(sn_model_create(test_model_def(), NULL, &model, NULL));
    snChannel lost = test_model_def()->clips[0].channels[0];
    lost.joint = 99;
    snClipDef bad = {"bad", 0.0f, 1, &lost};
    assert_int_equal(sn_model_add_clip(model, &bad, NULL), SN_RESULT_BAD_DATA);
    assert_int_equal(sn_model_add_clip(NULL, &bad, NULL), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(model->clip_count, 1);
    sn_model_destroy(model);
}

static void refuse(snModelDef def, snResult expected) {
    snModel* model = NULL;
    snError error = sn_error_none();
    assert_int_equal(sn_model_create(&def, NULL, &model, &error), expected);
    assert_true(error.text[0] != '\0');
    assert_null(model);
}

static void refuses_dangling_indices(void** state) {
    (void)state;
    const snModelDef* good = test_model_def();
    snModelDef def = *good;
    snPartDef part = good->parts[0];
    def.parts = &part;
    def.part_count = 1;
    part.joint = 9;
    refuse(def, SN_RESULT_BAD_DATA);
    part = good->parts[0];
    part.skin = 3;
    refuse(def, SN_RESULT_INVALID_ARGUMENT);
    part = good->parts[0];
    part.weights = NULL;
    refuse(def, SN_RESULT_INVALID_ARGUMENT);
    uint16_t joints[48] = {0};
    joints[47] = 2;
    part = good->parts[0];
    part.joints = joints;
    refuse(def, SN_RESULT_BAD_DATA);
    def = *good;
    uint32_t strange[] = {0, 5};
    snSkinDef skin = {"s", 2, strange, NULL};
    def.skins = &skin;
    refuse(def, SN_RESULT_BAD_DATA);
    snTrs flat[2] = {sn_trs_identity(), sn_trs_identity()};
    flat[1].scale.x = 0.0f;
    snSkeletonDef skeleton = *good->skeleton;
    skeleton.rest = flat;
    def = *good;
    def.skeleton = &skeleton;
    refuse(def, SN_RESULT_BAD_DATA); // no inverse bind exists
    def.skeleton = NULL;
    refuse(def, SN_RESULT_INVALID_ARGUMENT);
}

static snResult build(const snAllocator* allocator, void* context) {
    (void)context;
    snModel* model = NULL;
    snResult result = sn_model_create(test_model_def(), allocator, &model, NULL);
    if (result == SN_RESULT_OK) sn_model_destroy(model);
    return result;
}

static void survives_every_failing_allocation(void** state) {
    (void)state;
    test_every_allocation(build, NULL);
}

// A vertex that no face uses, far away, does not weld the others.
static void a_stray_vertex_welds_nothing(void** state) {
    (void)state;
    const snVec3 positions[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1e-7f, 0, 0}, {2e6f, 0, 0}};
    const uint32_t corners[] = {0, 1, 2, 3, 1, 2};
    snMeshDef mesh = {
        .vertex_count = 5, .face_count = 2, .corner_count = 6, .positions = positions, .corners = corners};
    uint32_t parent = SN_NONE;
    snTrs rest = sn_trs_identity();
    snSkeletonDef skeleton = {1, NULL, &parent, &rest};
    snPartDef part = {.mesh = &mesh, .skin = SN_NONE};
    snModelDef def = {.skeleton = &skeleton, .part_count = 1, .parts = &part};
    snModel* model = NULL;
    assert_ok(sn_model_create(&def, NULL, &model, NULL));
    assert_int_equal(model->parts[0].weld->point_count, 4); // what was rounded is one, the rest is not
    sn_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stray_vertex_welds_nothing), cmocka_unit_test(copies_and_normalises),
        cmocka_unit_test(clips_can_be_added),           cmocka_unit_test(weights_are_repaired),
        cmocka_unit_test(refuses_dangling_indices),     cmocka_unit_test(survives_every_failing_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
