// A model turned as a whole: rest, clips and what hangs on them.
#include "sinew/builtin.h"
#include "support.h"

static snVec3 place_of(const snModel* model, uint32_t clip, float time, uint32_t joint) {
    snTrs locals[64];
    snMat4 world[64];
    uint32_t count = model->skeleton->joint_count;
    assert_true(count <= 64);
    for (uint32_t j = 0; j < count; j++) locals[j] = model->skeleton->rest[j];
    if (clip != SN_CLIP_REST) sn_clip_sample(model->clips[clip], time, SN_WRAP_CLAMP, count, locals);
    sn_skeleton_world(model->skeleton, locals, world);
    return sn_mat4_translation(&world[joint]);
}

static void everything_turns(void** state) {
    (void)state;
    snModel* still = NULL;
    snModel* turned = NULL;
    snBodyDef def = sn_body_def();
    def.vertex_target = 1000;
    assert_ok(sn_builtin_body(&def, NULL, &still, NULL));
    assert_ok(sn_builtin_body(&def, NULL, &turned, NULL));
    snQuat turn = sn_quat_axis_angle(sn_vec3(0.6f, 0.0f, 0.8f), 1.1f);
    sn_model_rotate(turned, turn);
    uint32_t clips[] = {SN_CLIP_REST, sn_model_find_clip(still, "walk"), sn_model_find_clip(still, "jump")};
    for (size_t c = 0; c < 3; c++) {
        for (uint32_t j = 0; j < still->skeleton->joint_count; j++) {
            snVec3 was = place_of(still, clips[c], 0.3f, j);
            assert_vec3_near(place_of(turned, clips[c], 0.3f, j), sn_quat_rotate(turn, was), 1e-5f);
        }
    }
    const snMesh *a = still->parts[0].mesh, *b = turned->parts[0].mesh;
    for (uint32_t v = 0; v < a->vertex_count; v++) assert_vec3_near(a->positions[v], b->positions[v], 0.0f);
    sn_model_destroy(still);
    sn_model_destroy(turned);
}

// Tangents of cubic keys turn too: between keys the path is the turned path.
static void curves_turn(void** state) {
    (void)state;
    static const char* const names[] = {"root"};
    static const uint32_t parents[] = {SN_NONE};
    snTrs rest = sn_trs_identity();
    snSkeletonDef skeleton = {1, names, parents, &rest};
    float times[] = {0.0f, 1.0f};
    float values[] = {0, 0, 0, 0, 0, 0, 2, 1, 0, 0, 3, 0, 1, 1, 1, 0, 0, 0};
    snChannel channel = {.path = SN_PATH_TRANSLATION,
                         .interpolation = SN_INTERPOLATION_CUBIC,
                         .key_count = 2,
                         .width = 3,
                         .times = times,
                         .values = values};
    snClipDef clip = {.name = "curve", .channel_count = 1, .channels = &channel};
    snModelDef def = {.skeleton = &skeleton, .clip_count = 1, .clips = &clip};
    snModel* model = NULL;
    assert_ok(sn_model_create(&def, NULL, &model, NULL));
    snVec3 was = place_of(model, 0, 0.4f, 0);
    snQuat turn = sn_quat_axis_angle(sn_vec3(0.0f, 1.0f, 0.0f), 0.7f);
    sn_model_rotate(model, turn);
    assert_vec3_near(place_of(model, 0, 0.4f, 0), sn_quat_rotate(turn, was), 1e-6f);
    sn_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(everything_turns), cmocka_unit_test(curves_turn)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
