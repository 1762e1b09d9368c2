// Travel and turning of the whole, speed, direction, and cycles of any length.
#include <string.h>

#include "people.h"

enum { KEYS = 121 };

// Two seconds in which the body turns half round and goes two metres, nodding four times a second.
static snClip* turn_round(const snSkeleton* body) {
    uint32_t hips = sn_skeleton_find(body, "Hips");
    uint32_t head = sn_skeleton_find(body, "Head");
    static float times[KEYS], turns[4 * KEYS], places[3 * KEYS], nods[4 * KEYS];
    for (uint32_t k = 0; k < KEYS; k++) {
        times[k] = (float)k / 60.0f;
        float part = (float)k / (KEYS - 1);
        snQuat q = sn_quat_mul(sn_quat_axis_angle(sn_vec3(0, 1, 0), SN_PI * part), body->rest[hips].rotation);
        snQuat nod = sn_quat_axis_angle(sn_vec3(1, 0, 0), 0.3f * sn_sin(2.0f * SN_PI * 1.25f * times[k]));
        nod = sn_quat_mul(nod, body->rest[head].rotation);
        snVec3 place = sn_add(body->rest[hips].translation, sn_vec3(2.0f * part, 0.0f, 0.0f));
        memcpy(turns + 4 * k, &q, sizeof q);
        memcpy(nods + 4 * k, &nod, sizeof nod);
        memcpy(places + 3 * k, &place, sizeof place);
    }
    snChannel channels[3] = {{hips, SN_PATH_ROTATION, SN_INTERPOLATION_LINEAR, KEYS, 4, times, turns},
                             {hips, SN_PATH_TRANSLATION, SN_INTERPOLATION_LINEAR, KEYS, 3, times, places},
                             {head, SN_PATH_ROTATION, SN_INTERPOLATION_LINEAR, KEYS, 4, times, nods}};
    snClipDef def = {"turn", 0.0f, 3, channels};
    snClip* clip = NULL;
    assert_ok(sn_clip_create(&def, body->joint_count, NULL, &clip, NULL));
    return clip;
}

static snClip* retarget(const snSkeleton* body, const snClip* clip, snRetargetDef def,
                        snRetargetReport* report) {
    snJointMap* map = NULL;
    snClip* out = NULL;
    assert_ok(sn_joint_map_create(body, body, NULL, &map, NULL));
    def.source = def.target = body;
    def.clip = clip;
    def.map = map;
    def.feet = false;
    assert_ok(sn_retarget_clip(&def, NULL, &out, report, NULL));
    sn_joint_map_destroy(map);
    return out;
}

// From the right to the left thigh, over the ground.
static snVec3 facing(const snSkeleton* body, const snClip* clip, float time) {
    snVec3 points[PEOPLE_MOST];
    people_sample(body, clip, time, points);
    return sn_normalize_or(sn_sub(points[sn_skeleton_find(body, "LeftUpperLeg")],
                                  points[sn_skeleton_find(body, "RightUpperLeg")]),
                           sn_vec3(0, 0, 0));
}

static void turning_goes_the_way_of_travel(void** state) {
    (void)state;
    snModel* model = people_body();
    const snSkeleton* body = model->skeleton;
    snClip* clip = turn_round(body);
    snRetargetDef def = sn_retarget_def();
    snRetargetReport report;
    def.root = SN_ROOT_IN_PLACE;
    snClip* turns = retarget(body, clip, def, &report);
    def.root_turn = true;
    snClip* still = retarget(body, clip, def, &report);
    snVec3 first = facing(body, still, 0.0f);
    for (float t = 0.0f; t <= 2.0f; t += 0.25f) assert_vec3_near(facing(body, still, t), first, 0.02f);
    assert_true(sn_dot(facing(body, turns, 0.0f), facing(body, turns, 2.0f)) < -0.9f);
    sn_clip_destroy(turns);
    sn_clip_destroy(still);
    sn_clip_destroy(clip);
    sn_model_destroy(model);
}

// A root above the hips takes both; the hips then face ahead below it, and in the world all is as it was.
static void a_root_turns_and_travels(void** state) {
    (void)state;
    snModel* model = people_body();
    const snSkeleton* body = model->skeleton;
    uint32_t count = body->joint_count + 1;
    const char* names[PEOPLE_MOST + 1];
    uint32_t parents[PEOPLE_MOST + 1];
    snTrs rest[PEOPLE_MOST + 1];
    for (uint32_t j = 0; j + 1 < count; j++) {
        names[j + 1] = body->names[j];
        parents[j + 1] = body->parents[j] == SN_NONE ? 0 : body->parents[j] + 1;
        rest[j + 1] = body->rest[j];
    }
    names[0] = "Root";
    parents[0] = SN_NONE;
    rest[0] = sn_trs_identity();
    snSkeletonDef skeleton = {count, names, parents, rest};
    snSkeleton* rooted = NULL;
    assert_true(count <= PEOPLE_MOST);
    assert_ok(sn_skeleton_create(&skeleton, NULL, &rooted, NULL));
    snClip* clip = turn_round(rooted);
    snRetargetDef def = sn_retarget_def();
    snRetargetReport report;
    snClip* kept = retarget(rooted, clip, def, &report);
    def.root = SN_ROOT_EXTRACT;
    def.root_turn = true;
    snClip* moved = retarget(rooted, clip, def, &report);
    assert_true(report.root_extracted);
    for (float t = 0.0f; t <= 2.0f; t += 0.2f) {
        snVec3 a[PEOPLE_MOST], b[PEOPLE_MOST];
        people_sample(rooted, kept, t, a);
        people_sample(rooted, moved, t, b);
        for (uint32_t j = 1; j < count; j++) assert_vec3_near(a[j], b[j], 2e-3f);
    }
    snTrs locals[PEOPLE_MOST];
    memcpy(locals, rooted->rest, count * sizeof *locals);
    sn_clip_sample(moved, 2.0f, SN_WRAP_CLAMP, count, locals);
    assert_true(locals[0].translation.x > 1.8f);
    snVec3 ahead = sn_quat_rotate(locals[0].rotation, sn_vec3(0, 0, 1));
    assert_true(ahead.z < -0.9f);
    sn_clip_destroy(kept);
    sn_clip_destroy(moved);
    sn_clip_destroy(clip);
    sn_skeleton_destroy(rooted);
    sn_model_destroy(model);
}

static void speed_and_direction(void** state) {
    (void)state;
    snModel* model = people_body();
    const snSkeleton* body = model->skeleton;
    snClip* clip = turn_round(body);
    snRetargetDef def = sn_retarget_def();
    snRetargetReport report;
    snClip* plain = retarget(body, clip, def, &report);
    def.speed = 2.0f;
    snClip* fast = retarget(body, clip, def, &report);
    def.reverse = true;
    snClip* back = retarget(body, clip, def, &report);
    assert_near(fast->duration, 1.0f, 1e-3f);
    for (float t = 0.0f; t <= 1.0f; t += 0.1f) {
        assert_vec3_near(facing(body, fast, t), facing(body, plain, 2.0f * t), 0.01f);
        assert_vec3_near(facing(body, back, t), facing(body, plain, 2.0f - 2.0f * t), 0.01f);
    }
    sn_clip_destroy(plain);
    sn_clip_destroy(fast);
    sn_clip_destroy(back);
    sn_clip_destroy(clip);
    sn_model_destroy(model);
}

// Three cycles of the walk in one clip: the best cycle is one of them, or whole ones.
static void a_cycle_is_found_in_many(void** state) {
    (void)state;
    snModel* model = people_body();
    const snSkeleton* body = model->skeleton;
    const snClip* walk = model->clips[sn_model_find_clip(model, "walk")];
    float cycle = walk->duration;
    uint32_t keys = (uint32_t)(3.3f * cycle * 60.0f);
    static float times[512], values[PEOPLE_MOST][4 * 512];
    snChannel channels[PEOPLE_MOST];
    assert_true(keys <= 512);
    for (uint32_t k = 0; k < keys; k++) {
        snTrs locals[PEOPLE_MOST];
        times[k] = (float)k / 60.0f;
        memcpy(locals, body->rest, body->joint_count * sizeof *locals);
        sn_clip_sample(walk, times[k], SN_WRAP_LOOP, body->joint_count, locals);
        for (uint32_t j = 0; j < body->joint_count; j++)
            memcpy(&values[j][4 * k], &locals[j].rotation, 4 * sizeof(float));
    }
    for (uint32_t j = 0; j < body->joint_count; j++)
        channels[j] = (snChannel){j, SN_PATH_ROTATION, SN_INTERPOLATION_LINEAR, keys, 4, times, values[j]};
    snClipDef many = {"many", 0.0f, body->joint_count, channels};
    snClip* clip = NULL;
    assert_ok(sn_clip_create(&many, body->joint_count, NULL, &clip, NULL));
    snRetargetDef def = sn_retarget_def();
    snRetargetReport report;
    def.loop = true;
    def.loop_any = true;
    snClip* loop = retarget(body, clip, def, &report);
    float cycles = report.loop.duration / cycle;
    assert_near(cycles, (float)(int)(cycles + 0.5f), 0.1f);
    assert_true(report.loop.seam < 0.1f);
    sn_clip_destroy(loop);
    sn_clip_destroy(clip);
    sn_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(turning_goes_the_way_of_travel),
        cmocka_unit_test(a_root_turns_and_travels),
        cmocka_unit_test(speed_and_direction),
        cmocka_unit_test(a_cycle_is_found_in_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
