// Joints posed by hand: turned about where they are, put somewhere, limbs that reach as far as they are long;
// and when feet stand.
#include "people.h"

#include <string.h>

typedef struct Stage {
    snModel* model;
    const snSkeleton* s;
    snJointPoser* poser;
    snTrs locals[PEOPLE_MOST];
} Stage;

static void set_up(Stage* stage) {
    stage->model = people_body();
    stage->s = stage->model->skeleton;
    memcpy(stage->locals, stage->s->rest, stage->s->joint_count * sizeof *stage->locals);
    stage->poser = NULL;
    assert_ok(sn_joint_poser_create(stage->s, NULL, &stage->poser, NULL));
}

static void tear_down(Stage* stage) {
    sn_joint_poser_destroy(stage->poser);
    sn_model_destroy(stage->model);
}

static uint32_t joint(const Stage* stage, const char* name) {
    snJointNames* names = NULL;
    assert_ok(sn_joint_names_create(stage->s, NULL, &names, NULL));
    uint32_t found = sn_joint_names_find(names, name);
    sn_joint_names_destroy(names);
    assert_int_not_equal(found, SN_NONE);
    return found;
}

static snVec3 place(const Stage* stage, uint32_t j) {
    return sn_joint_poser_world(stage->poser, stage->locals, j).translation;
}

static void assert_at(snVec3 a, snVec3 b, float tolerance) { assert_true(sn_distance(a, b) < tolerance); }

static void turning_stays_where_it_is(void** state) {
    (void)state;
    Stage stage;
    set_up(&stage);
    uint32_t elbow = joint(&stage, "LeftElbow"), wrist = joint(&stage, "LeftWrist");
    snVec3 elbow_was = place(&stage, elbow), wrist_was = place(&stage, wrist);
    snQuat turn = sn_quat_axis_angle(sn_vec3(0.3f, 1.0f, 0.2f), 1.1f);
    sn_joint_poser_rotate(stage.poser, stage.locals, elbow, turn);
    assert_at(place(&stage, elbow), elbow_was, 1e-5f);
    assert_at(place(&stage, wrist), sn_add(elbow_was, sn_quat_rotate(turn, sn_sub(wrist_was, elbow_was))),
              1e-5f);
    sn_joint_poser_rotate(stage.poser, stage.locals, elbow, sn_quat_conjugate(turn));
    assert_at(place(&stage, wrist), wrist_was, 1e-5f);
    uint32_t hips = joint(&stage, "Hips");
    snVec3 to = sn_add(place(&stage, hips), sn_vec3(0.1f, -0.2f, 0.3f)),
           moved = sn_add(wrist_was, sn_vec3(0.1f, -0.2f, 0.3f));
    sn_joint_poser_move(stage.poser, stage.locals, hips, to);
    assert_at(place(&stage, hips), to, 1e-5f);
    assert_at(place(&stage, wrist), moved, 1e-5f);
    tear_down(&stage);
}

// From many poses to many places: the end is there, bones keep their lengths, the end points as before.
static void limbs_reach(void** state) {
    (void)state;
    Stage stage;
    set_up(&stage);
    const char* ends[] = {"LeftWrist", "RightWrist", "LeftAnkle", "RightAnkle"};
    for (int e = 0; e < 4; e++) {
        uint32_t end = joint(&stage, ends[e]), limb[3];
        assert_true(sn_joint_poser_limb(stage.poser, end, limb));
        assert_int_equal(limb[2], end);
        float upper = sn_distance(place(&stage, limb[0]), place(&stage, limb[1]));
        float lower = sn_distance(place(&stage, limb[1]), place(&stage, limb[2]));
        for (int k = 0; k < 200; k++) {
            float share = 0.15f + 0.84f * (float)(k * 37 % 100) / 100.0f;
            snVec3 way =
                sn_vec3(sn_sin(1.7f * (float)k), sn_cos(2.3f * (float)k), sn_sin(0.9f * (float)k + 1.0f));
            snVec3 goal =
                sn_add(place(&stage, limb[0]), sn_scale(sn_normalize_or(way, way), share * (upper + lower)));
            snQuat points = sn_joint_poser_world(stage.poser, stage.locals, end).rotation;
            assert_true(sn_joint_poser_reach(stage.poser, stage.locals, end, goal));
            assert_at(place(&stage, end), goal, 2e-4f * (upper + lower));
            assert_near(sn_distance(place(&stage, limb[0]), place(&stage, limb[1])), upper, 1e-4f);
            snQuat now = sn_joint_poser_world(stage.poser, stage.locals, end).rotation;
            float same = sn_quat_dot(points, now);
            assert_near(same * same, 1.0f, 1e-4f);
        }
        // Beyond its reach it points there.
        snVec3 far = sn_add(place(&stage, limb[0]), sn_vec3(0.0f, 0.0f, 10.0f));
        assert_true(sn_joint_poser_reach(stage.poser, stage.locals, end, far));
        assert_near(place(&stage, end).z - place(&stage, limb[0]).z, upper + lower, 2e-3f);
    }
    uint32_t limb[3];
    assert_false(sn_joint_poser_limb(stage.poser, joint(&stage, "Hips"), limb));
    assert_false(sn_joint_poser_limb(stage.poser, SN_NONE, limb));
    tear_down(&stage);
}

// Knees go forwards and elbows backwards from straight limbs, and small steps of the hand are small steps of
// the elbow.
static void limbs_bend_as_bodies_do(void** state) {
    (void)state;
    Stage stage;
    set_up(&stage);
    uint32_t ankle = joint(&stage, "LeftAnkle"), knee = joint(&stage, "LeftKnee"),
             hip = joint(&stage, "LeftHip");
    snVec3 goal = sn_add(place(&stage, ankle), sn_vec3(0.0f, 0.2f, 0.0f));
    assert_true(sn_joint_poser_reach(stage.poser, stage.locals, ankle, goal));
    assert_true(place(&stage, knee).z > 0.5f * (place(&stage, hip).z + goal.z) + 0.05f);
    uint32_t wrist = joint(&stage, "LeftWrist"), elbow = joint(&stage, "LeftElbow");
    snVec3 from = place(&stage, wrist), last = place(&stage, elbow);
    for (int k = 1; k <= 100; k++) {
        float t = 0.01f * (float)k;
        snVec3 to = sn_add(from, sn_vec3(-0.35f * t, 0.1f * t, 0.25f * t));
        assert_true(sn_joint_poser_reach(stage.poser, stage.locals, wrist, to));
        assert_true(sn_distance(place(&stage, elbow), last) < 0.03f);
        last = place(&stage, elbow);
    }
    tear_down(&stage);
}

static void keys_make_the_pose_again(void** state) {
    (void)state;
    Stage stage;
    set_up(&stage);
    uint32_t wrist = joint(&stage, "LeftWrist"), limb[3];
    assert_true(sn_joint_poser_limb(stage.poser, wrist, limb));
    snVec3 goal = sn_add(place(&stage, wrist), sn_vec3(-0.1f, 0.1f, 0.1f));
    assert_true(sn_joint_poser_reach(stage.poser, stage.locals, wrist, goal));
    snJointKey keys[3];
    for (int i = 0; i < 3; i++)
        keys[i] = sn_joint_key_between(limb[i], 0.5f, &stage.s->rest[limb[i]], &stage.locals[limb[i]]);
    snMixDef def = sn_mix_def();
    def.key_count = 3;
    def.keys = keys;
    snClip* clip = NULL;
    assert_ok(sn_clip_mix(&def, stage.s, NULL, 0, NULL, &clip, NULL));
    memcpy(stage.locals, stage.s->rest, stage.s->joint_count * sizeof *stage.locals);
    sn_clip_sample(clip, 0.5f, SN_WRAP_CLAMP, stage.s->joint_count, stage.locals);
    assert_at(place(&stage, wrist), goal, 1e-3f);
    sn_clip_destroy(clip);
    tear_down(&stage);
}

static void feet_stand_in_turns(void** state) {
    (void)state;
    Stage stage;
    set_up(&stage);
    const snClip* walk = stage.model->clips[sn_model_find_clip(stage.model, "walk")];
    snContactSpans* spans = NULL;
    assert_ok(sn_clip_contacts(stage.s, walk, NULL, &spans, NULL));
    float stood[2] = {0.0f, 0.0f};
    uint32_t feet[2] = {joint(&stage, "LeftAnkle"), joint(&stage, "RightAnkle")};
    for (uint32_t i = 0; i < spans->count; i++) {
        const snContactSpan* span = &spans->items[i];
        assert_true(span->joint == feet[0] || span->joint == feet[1]);
        assert_true(span->from >= 0.0f && span->from <= span->to && span->to <= walk->duration + 1e-4f);
        stood[span->joint == feet[1]] += span->to - span->from;
    }
    for (int side = 0; side < 2; side++)
        assert_true(stood[side] > 0.2f * walk->duration && stood[side] < 0.9f * walk->duration);
    sn_contact_spans_destroy(spans);
    tear_down(&stage);
}

static snResult make(const snAllocator* allocator, void* user) {
    Stage* stage = user;
    snJointPoser* poser = NULL;
    snContactSpans* spans = NULL;
    snResult result = sn_joint_poser_create(stage->s, allocator, &poser, NULL);
    if (result == SN_RESULT_OK)
        result = sn_clip_contacts(stage->s, stage->model->clips[0], allocator, &spans, NULL);
    sn_joint_poser_destroy(poser);
    sn_contact_spans_destroy(spans);
    return result;
}

static void survives_every_allocation(void** state) {
    (void)state;
    Stage stage;
    set_up(&stage);
    test_every_allocation(make, &stage);
    tear_down(&stage);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(turning_stays_where_it_is), cmocka_unit_test(limbs_reach),
        cmocka_unit_test(limbs_bend_as_bodies_do),   cmocka_unit_test(keys_make_the_pose_again),
        cmocka_unit_test(feet_stand_in_turns),       cmocka_unit_test(survives_every_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
