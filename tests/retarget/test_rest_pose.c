// A character saved in the middle of an animation rests as it was bound; motions on it do not depend on how
// its nodes happen to stand, nor on the rate that is asked for.
#include <string.h>

#include "people.h"

static const snClip* find_clip(const snModel* model, const char* name) {
    uint32_t clip = sn_model_find_clip(model, name);
    assert_true(clip != SN_NONE);
    return model->clips[clip];
}

// Leaves the nodes in a moment of a clip; skins and meshes stay.
static void save_in_the_middle(snModel* model, const char* clip, float time) {
    sn_clip_sample(find_clip(model, clip), time, SN_WRAP_CLAMP, model->skeleton->joint_count,
                   model->skeleton->rest);
}

static void nodes_that_stand_as_bound_are_kept(void** state) {
    (void)state;
    snModel* model = people_body();
    snSkeleton* rest = NULL;
    snRestReport report;
    assert_ok(sn_model_rest_skeleton(model, SN_REST_BIND, NULL, &rest, &report, NULL));
    assert_memory_equal(rest->rest, model->skeleton->rest, rest->joint_count * sizeof *rest->rest);
    assert_int_equal(report.differing, 0);
    assert_int_equal(report.joint, SN_NONE);
    sn_skeleton_destroy(rest);
    sn_model_destroy(model);
}

static void the_bind_pose_is_found_again(void** state) {
    (void)state;
    static const float times[] = {0.1f, 0.35f, 0.6f};
    for (size_t t = 0; t < 3; t++) {
        snModel* model = people_body();
        snTrs was[PEOPLE_MOST];
        memcpy(was, model->skeleton->rest, model->skeleton->joint_count * sizeof *was);
        save_in_the_middle(model, "walk", times[t]);
        snSkeleton* rest = NULL;
        snRestReport report;
        assert_ok(sn_model_rest_skeleton(model, SN_REST_BIND, NULL, &rest, &report, NULL));
        assert_true(report.differing > 4 && report.angle > 0.2f && report.joint != SN_NONE);
        for (uint32_t j = 0; j < rest->joint_count; j++) {
            float dot = sn_quat_dot(rest->rest[j].rotation, was[j].rotation);
            assert_true(dot * dot > 1.0f - 1e-6f);
            assert_vec3_near(rest->rest[j].translation, was[j].translation, 1e-4f);
        }
        sn_skeleton_destroy(rest);
        assert_ok(sn_model_rest_skeleton(model, SN_REST_NODES, NULL, &rest, &report, NULL));
        assert_memory_equal(rest->rest, model->skeleton->rest, rest->joint_count * sizeof *rest->rest);
        assert_int_equal(report.differing, 0);
        sn_skeleton_destroy(rest);
        sn_model_destroy(model);
    }
}

static snResult make_rest(const snAllocator* allocator, void* context) {
    snSkeleton* rest = NULL;
    snResult result = sn_model_rest_skeleton(context, SN_REST_BIND, allocator, &rest, NULL, NULL);
    sn_skeleton_destroy(rest);
    return result;
}

static void survives_every_failing_allocation(void** state) {
    (void)state;
    snModel* model = people_body();
    save_in_the_middle(model, "walk", 0.3f);
    test_every_allocation(make_rest, model);
    sn_model_destroy(model);
}

// ------------------------------------------------------------------------------------------------- motions

static snClip* retarget(const snModel* motion, const char* name, const snModel* character, float fps) {
    snSkeleton* target = NULL;
    snJointMap* map = NULL;
    snClip* clip = NULL;
    assert_ok(sn_model_rest_skeleton(character, SN_REST_BIND, NULL, &target, NULL, NULL));
    assert_ok(sn_joint_map_create(motion->skeleton, target, NULL, &map, NULL));
    snRetargetDef def = sn_retarget_def();
    def.source = motion->skeleton;
    def.clip = find_clip(motion, name);
    def.target = target;
    def.nodes = character->skeleton->rest;
    def.map = map;
    def.fps = fps;
    assert_ok(sn_retarget_clip(&def, NULL, &clip, NULL, NULL));
    sn_joint_map_destroy(map);
    sn_skeleton_destroy(target);
    return clip;
}

// Played on the nodes of each file, so that joints that no key moves count too.
static void assert_same_motion(const snModel* one, const snClip* a, const snModel* other, const snClip* b,
                               float tolerance) {
    assert_near(a->duration, b->duration, 0.04f);
    for (uint32_t k = 0; (float)k / 30.0f < sn_minf(a->duration, b->duration); k++) {
        snVec3 at[PEOPLE_MOST], there[PEOPLE_MOST];
        people_sample(one->skeleton, a, (float)k / 30.0f, at);
        people_sample(other->skeleton, b, (float)k / 30.0f, there);
        for (uint32_t j = 0; j < one->skeleton->joint_count; j++)
            assert_vec3_near(at[j], there[j], tolerance);
    }
}

static void a_file_saved_in_the_middle_moves_as_the_untouched_one(void** state) {
    (void)state;
    snModel* motion = people_body();
    snModel* whole = people_body();
    snModel* middle = people_body();
    save_in_the_middle(middle, "jump", 0.5f);
    snClip* wanted = retarget(motion, "walk", whole, 30.0f);
    snClip* got = retarget(motion, "walk", middle, 30.0f);
    assert_same_motion(whole, wanted, middle, got, 1e-3f);
    sn_clip_destroy(wanted);
    sn_clip_destroy(got);
    sn_model_destroy(motion);
    sn_model_destroy(whole);
    sn_model_destroy(middle);
}

// Longer legs, so that feet have something to correct.
static void the_rate_does_not_matter(void** state) {
    (void)state;
    static const float rates[] = {24.0f, 60.0f, 90.0f, 120.0f, 240.0f};
    snModel* motion = people_body();
    snModel* tall = people_body();
    for (uint32_t j = 0; j < tall->skeleton->joint_count; j++) {
        const char* name = tall->skeleton->names[j];
        bool leg = strstr(name, "LowerLeg") != NULL || strstr(name, "Foot") != NULL;
        if (leg) tall->skeleton->rest[j].translation = sn_scale(tall->skeleton->rest[j].translation, 1.3f);
    }
    uint32_t skins = tall->skin_count;
    tall->skin_count = 0; // a skeleton alone
    for (uint32_t p = 0; p < tall->part_count; p++) tall->parts[p].skin = SN_NONE;
    snClip* film = retarget(motion, "walk", tall, 30.0f);
    for (size_t i = 0; i < sizeof rates / sizeof rates[0]; i++) {
        snClip* clip = retarget(motion, "walk", tall, rates[i]);
        // Keys that do not fall on those of the other are in between, a chord of an arc.
        bool aligned = rates[i] == 60.0f || rates[i] == 90.0f || rates[i] >= 120.0f;
        assert_same_motion(tall, film, tall, clip, aligned ? 1e-4f : 0.02f);
        sn_clip_destroy(clip);
    }
    sn_clip_destroy(film);
    sn_model_destroy(motion);
    tall->skin_count = skins;
    sn_model_destroy(tall);
}

// --------------------------------------------------------------------------------------------------- hinges

// An elbow that flexes about an axis of the world at rest, after half of the time about another.
static snClip* flex_about(const snSkeleton* body, float most, snVec3 axis, snVec3 later) {
    uint32_t arm = sn_skeleton_find(body, "LeftLowerArm");
    snMat4 world[PEOPLE_MOST];
    static float times[61], values[4 * 61];
    sn_skeleton_world(body, NULL, world);
    snQuat above = sn_quat_identity();
    for (uint32_t j = body->parents[arm]; j != SN_NONE; j = body->parents[j])
        above = sn_quat_mul(body->rest[j].rotation, above);
    for (uint32_t k = 0; k < 61; k++) {
        times[k] = (float)k / 60.0f;
        float angle = most * sn_sin(2.0f * SN_PI * times[k]);
        snQuat bend = k < 30 ? sn_quat_axis_angle(axis, angle) : sn_quat_axis_angle(later, -angle);
        snQuat local = sn_quat_mul(sn_quat_mul(sn_quat_conjugate(above), bend), above);
        snQuat q = sn_quat_mul(local, body->rest[arm].rotation);
        memcpy(values + 4 * k, &q, sizeof q);
    }
    snChannel channel = {arm, SN_PATH_ROTATION, SN_INTERPOLATION_LINEAR, 61, 4, times, values};
    snClipDef def = {"flex", 0.0f, 1, &channel};
    snClip* clip = NULL;
    assert_ok(sn_clip_create(&def, body->joint_count, NULL, &clip, NULL));
    return clip;
}

// About the body's up and down, as from a T-pose.
static snClip* flex(const snSkeleton* body, float most) {
    return flex_about(body, most, sn_vec3(0, -1, 0), sn_vec3(0, -1, 0));
}

// The normal of the elbow's bones, as the upper arm has it; joints by the names of `named`.
static snVec3 elbow_axis_of(const snSkeleton* named, const snSkeleton* s, const snTrs* locals) {
    snMat4 world[PEOPLE_MOST];
    uint32_t joints[3] = {sn_skeleton_find(named, "LeftUpperArm"), sn_skeleton_find(named, "LeftLowerArm"),
                          sn_skeleton_find(named, "LeftHand")};
    snVec3 at[3];
    sn_skeleton_world(s, locals, world);
    for (int i = 0; i < 3; i++) at[i] = sn_mat4_translation(&world[joints[i]]);
    snVec3 normal = sn_cross(sn_sub(at[1], at[0]), sn_sub(at[2], at[1]));
    snMat4 inverse;
    assert_true(sn_mat4_inverse_affine(&world[joints[0]], &inverse));
    return sn_normalize_or(sn_mat4_vector(&inverse, normal), sn_vec3(0, 0, 0));
}

static snVec3 elbow_axis(const snSkeleton* s, const snTrs* locals) { return elbow_axis_of(s, s, locals); }

static snClip* retarget_plain(const snSkeleton* source, const snClip* clip, const snSkeleton* target,
                              snRetargetReport* report) {
    snJointMap* map = NULL;
    snClip* out = NULL;
    assert_ok(sn_joint_map_create(source, target, NULL, &map, NULL));
    snRetargetDef def = sn_retarget_def();
    def.source = source;
    def.clip = clip;
    def.target = target;
    def.map = map;
    def.feet = false;
    assert_ok(sn_retarget_clip(&def, NULL, &out, report, NULL));
    sn_joint_map_destroy(map);
    return out;
}

// A character whose arm is bent at rest, in a plane rolled by half a radian, bends in that plane.
static void elbows_bend_about_their_own_axis(void** state) {
    (void)state;
    snModel* model = people_body();
    snVec3 points[PEOPLE_MOST];
    snQuat rotations[PEOPLE_MOST];
    snRetargetReport report;
    people_rest(model->skeleton, points, rotations);
    uint32_t upper = sn_skeleton_find(model->skeleton, "LeftUpperArm");
    uint32_t lower = sn_skeleton_find(model->skeleton, "LeftLowerArm");
    snVec3 bone = sn_normalize_or(sn_sub(points[lower], points[upper]), sn_vec3(1, 0, 0));
    snVec3 axis = sn_quat_rotate(sn_quat_axis_angle(bone, 0.5f), sn_vec3(0, -1, 0));
    people_turn(model->skeleton, points, rotations, lower, sn_quat_axis_angle(axis, 0.6f));
    snSkeleton* bent = people_pose(model->skeleton, points, rotations, true);
    snVec3 own = elbow_axis(bent, bent->rest);
    snClip* clip = flex(model->skeleton, 1.6f);
    snClip* made = retarget_plain(model->skeleton, clip, bent, &report);
    snTrs locals[PEOPLE_MOST];
    memcpy(locals, bent->rest, bent->joint_count * sizeof *locals);
    sn_clip_sample(made, 0.25f, SN_WRAP_CLAMP, bent->joint_count, locals);
    snVec3 now = elbow_axis(bent, locals);
    assert_true(sn_dot(now, own) > 0.98f); // 0.88 by transport alone
    sn_clip_destroy(made);
    sn_clip_destroy(clip);
    sn_skeleton_destroy(bent);
    sn_model_destroy(model);
}

// Flexes a straight arm about two axes of the source, one after the other, on a target that stands likewise
// but is of another make; the target's own axis is up and down. What it bends about at a quarter and three
// quarters.
static void flex_straight(float roll, float later, snVec3 out[2], float* hand) {
    snModel* model = people_body();
    snVec3 points[PEOPLE_MOST], up = sn_vec3(0, -1, 0);
    snQuat rotations[PEOPLE_MOST];
    snRetargetReport report;
    people_rest(model->skeleton, points, rotations);
    snSkeleton* other = people_pose(model->skeleton, points, rotations, false);
    uint32_t upper = sn_skeleton_find(model->skeleton, "LeftUpperArm");
    uint32_t lower = sn_skeleton_find(model->skeleton, "LeftLowerArm");
    snVec3 bone = sn_normalize_or(sn_sub(points[lower], points[upper]), sn_vec3(1, 0, 0));
    snClip* clip = flex_about(model->skeleton, 1.2f, sn_quat_rotate(sn_quat_axis_angle(bone, roll), up),
                              sn_quat_rotate(sn_quat_axis_angle(bone, later), up));
    snClip* made = retarget_plain(model->skeleton, clip, other, &report);
    snTrs locals[PEOPLE_MOST];
    for (int k = 0; k < 3; k++) {
        memcpy(locals, other->rest, other->joint_count * sizeof *locals);
        sn_clip_sample(made, k < 2 ? 0.25f + 0.5f * (float)k : 0.0f, SN_WRAP_CLAMP, other->joint_count,
                       locals);
        snMat4 world[PEOPLE_MOST];
        sn_skeleton_world(other, NULL, world);
        snVec3 axis = elbow_axis_of(model->skeleton, other, locals);
        if (k < 2) out[k] = sn_normalize_or(sn_mat4_vector(&world[upper], axis), up);
    }
    // Unbent, the hand is as it rests, however the arm above it was rolled.
    snQuat turned = sn_quat_identity(), rest = turned;
    for (uint32_t j = sn_skeleton_find(model->skeleton, "LeftHand"); j != SN_NONE; j = other->parents[j]) {
        turned = sn_quat_mul(locals[j].rotation, turned);
        rest = sn_quat_mul(other->rest[j].rotation, rest);
    }
    float dot = sn_quat_dot(turned, rest);
    *hand = 2.0f * sn_acos(sn_minf(dot < 0.0f ? -dot : dot, 1.0f));
    sn_clip_destroy(made);
    sn_clip_destroy(clip);
    sn_skeleton_destroy(other);
    sn_model_destroy(model);
}

// Captures rest with their elbows turned by half a radian; a straight arm of a character bends forward.
static void straight_arms_bend_as_a_body_does(void** state) {
    (void)state;
    snVec3 axes[2];
    float hand;
    flex_straight(0.5f, 0.5f, axes, &hand);
    assert_true(-axes[0].y > 0.995f && -axes[1].y > 0.995f); // 0.88 by transport alone
    assert_true(hand < 0.02f);
    flex_straight(0.0f, 0.0f, axes, &hand);
    assert_true(-axes[0].y > 0.995f && hand < 0.01f);
}

// Animators turn elbows about any axis; the upper arm rolls each moment so that its own stays.
static void arms_roll_with_the_plane_of_the_moment(void** state) {
    (void)state;
    snVec3 axes[2];
    float hand;
    flex_straight(0.5f, -0.5f, axes, &hand);
    assert_true(-axes[0].y > 0.99f && -axes[1].y > 0.99f);
    assert_true(hand < 0.02f);
}

// A flexing elbow that goes the other way for a moment is held near straight.
static void elbows_do_not_bend_the_other_way(void** state) {
    (void)state;
    snModel* model = people_body();
    snRetargetReport report;
    uint32_t arm = sn_skeleton_find(model->skeleton, "LeftLowerArm");
    snClip* clip = flex(model->skeleton, 1.6f);
    snClip* back = flex(model->skeleton, -0.9f);
    for (uint32_t k = 48; k < 52; k++) // four keys of the other
        memcpy(clip->channels[0].values + 4 * k, back->channels[0].values + 4 * (k - 33), 4 * sizeof(float));
    snClip* made = retarget_plain(model->skeleton, clip, model->skeleton, &report);
    assert_true(report.limited >= 4 && report.limited <= 6);
    snTrs locals[PEOPLE_MOST];
    memcpy(locals, model->skeleton->rest, model->skeleton->joint_count * sizeof *locals);
    sn_clip_sample(made, 50.0f / 60.0f, SN_WRAP_CLAMP, model->skeleton->joint_count, locals);
    float dot = sn_quat_dot(locals[arm].rotation, model->skeleton->rest[arm].rotation);
    assert_true(2.0f * sn_acos(sn_minf(dot < 0.0f ? -dot : dot, 1.0f)) < 0.35f);
    sn_clip_destroy(back);
    sn_clip_destroy(made);
    sn_clip_destroy(clip);
    sn_model_destroy(model);
}

// -------------------------------------------------------------------------------------------------- fingers

static snQuat world_rotation(const snSkeleton* s, const snTrs* locals, uint32_t joint) {
    snQuat q = sn_quat_identity();
    for (uint32_t j = joint; j != SN_NONE; j = s->parents[j]) q = sn_quat_mul(locals[j].rotation, q);
    return q;
}

// The index finger's first joint curls down by an angle about the axis across the palm.
static snClip* curl_index(const snSkeleton* body, float angle) {
    uint32_t finger = sn_skeleton_find(body, "LeftIndex1");
    static float times[2] = {0.0f, 1.0f}, values[8];
    snQuat above = world_rotation(body, body->rest, body->parents[finger]);
    snVec3 points[PEOPLE_MOST];
    snQuat rotations[PEOPLE_MOST];
    people_rest(body, points, rotations);
    snVec3 bone = sn_sub(points[sn_skeleton_find(body, "LeftIndex2")], points[finger]);
    snVec3 axis = sn_sub(points[sn_skeleton_find(body, "LeftLittle1")], points[finger]);
    bone = sn_normalize_or(bone, axis);
    axis = sn_normalize_or(sn_sub(axis, sn_scale(bone, sn_dot(axis, bone))), bone);
    for (int k = 0; k < 2; k++) {
        snQuat bend = sn_quat_axis_angle(axis, angle * (float)k);
        snQuat q = sn_quat_mul(sn_quat_mul(sn_quat_mul(sn_quat_conjugate(above), bend), above),
                               body->rest[finger].rotation);
        memcpy(values + 4 * k, &q, sizeof q);
    }
    snChannel channel = {finger, SN_PATH_ROTATION, SN_INTERPOLATION_LINEAR, 2, 4, times, values};
    snClipDef def = {"curl", 0.0f, 1, &channel};
    snClip* clip = NULL;
    assert_ok(sn_clip_create(&def, body->joint_count, NULL, &clip, NULL));
    return clip;
}

// On a hand that rests rolled, with fingers spread wide, it curls by as much about the axis of that finger.
static void fingers_curl_about_their_own_axes(void** state) {
    (void)state;
    snModel* model = people_body();
    const snSkeleton* body = model->skeleton;
    uint32_t hand = sn_skeleton_find(body, "LeftHand"), finger = sn_skeleton_find(body, "LeftIndex1");
    uint32_t next = sn_skeleton_find(body, "LeftIndex2"), little = sn_skeleton_find(body, "LeftLittle1");
    snVec3 points[PEOPLE_MOST];
    snQuat rotations[PEOPLE_MOST];
    snRetargetReport report;
    people_rest(body, points, rotations);
    people_turn(body, points, rotations, finger, sn_quat_axis_angle(sn_vec3(0, 1, 0), -0.5f));
    people_turn(body, points, rotations, hand, sn_quat_axis_angle(sn_vec3(1, 0, 0), 0.7f));
    snSkeleton* spread = people_pose(body, points, rotations, true);
    snVec3 bone = sn_normalize_or(sn_sub(points[next], points[finger]), sn_vec3(1, 0, 0));
    snVec3 own = sn_sub(points[little], points[finger]);
    own = sn_normalize_or(sn_sub(own, sn_scale(bone, sn_dot(own, bone))), bone);
    snClip* clip = curl_index(body, 1.0f);
    snClip* made = retarget_plain(body, clip, spread, &report);
    snTrs locals[PEOPLE_MOST];
    memcpy(locals, spread->rest, spread->joint_count * sizeof *locals);
    sn_clip_sample(made, 1.0f, SN_WRAP_CLAMP, spread->joint_count, locals);
    snQuat turns[2];
    for (int k = 0; k < 2; k++) {
        uint32_t joint = k == 0 ? hand : finger;
        turns[k] = sn_quat_mul(world_rotation(spread, locals, joint),
                               sn_quat_conjugate(world_rotation(spread, spread->rest, joint)));
    }
    snQuat curl = sn_quat_mul(sn_quat_conjugate(turns[0]), turns[1]);
    if (curl.w < 0.0f) curl = sn_quat(-curl.x, -curl.y, -curl.z, -curl.w);
    assert_near(2.0f * sn_acos(sn_minf(curl.w, 1.0f)), 1.0f, 0.01f);
    snVec3 axis = sn_normalize_or(sn_vec3(curl.x, curl.y, curl.z), sn_vec3(0, 0, 0));
    assert_true(sn_dot(axis, own) > 0.995f); // 0.88 by what the hands say alone
    sn_clip_destroy(made);
    sn_clip_destroy(clip);
    sn_skeleton_destroy(spread);
    sn_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_that_stand_as_bound_are_kept),
        cmocka_unit_test(the_bind_pose_is_found_again),
        cmocka_unit_test(survives_every_failing_allocation),
        cmocka_unit_test(a_file_saved_in_the_middle_moves_as_the_untouched_one),
        cmocka_unit_test(the_rate_does_not_matter),
        cmocka_unit_test(elbows_bend_about_their_own_axis),
        cmocka_unit_test(straight_arms_bend_as_a_body_does),
        cmocka_unit_test(arms_roll_with_the_plane_of_the_moment),
        cmocka_unit_test(elbows_do_not_bend_the_other_way),
        cmocka_unit_test(fingers_curl_about_their_own_axes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
