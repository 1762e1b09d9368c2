// One motion on many stands of one body: what must come out the same, what must stand still, what is refused.
#include "people.h"

#include <string.h>

typedef struct Result {
    snClip* clip;
    snRetargetReport report;
} Result;

static Result retarget(const snSkeleton* source, const snClip* clip, const snSkeleton* target,
                       const snRetargetDef* wanted) {
    snJointMap* map = NULL;
    assert_ok(sn_joint_map_create(source, target, NULL, &map, NULL));
    snRetargetDef def = wanted != NULL ? *wanted : sn_retarget_def();
    def.source = source;
    def.clip = clip;
    def.target = target;
    def.map = map;
    Result result = {0};
    snError error = sn_error_none();
    if (sn_retarget_clip(&def, NULL, &result.clip, &result.report, &error) != SN_RESULT_OK)
        fail_msg("%s", error.text);
    sn_joint_map_destroy(map);
    return result;
}

static const snClip* find_clip(const snModel* model, const char* name) {
    uint32_t clip = sn_model_find_clip(model, name);
    assert_true(clip != SN_NONE);
    return model->clips[clip];
}

static void assert_same_points(const snSkeleton* s, const snVec3* a, const snVec3* b, float tolerance) {
    for (uint32_t j = 0; j < s->joint_count; j++) {
        if (sn_distance(a[j], b[j]) > tolerance)
            fail_msg("%s is %g m off", s->names[j], (double)sn_distance(a[j], b[j]));
    }
}

static snRetargetDef plain(void) {
    snRetargetDef def = sn_retarget_def();
    def.feet = false;
    return def;
}

static void itself_stays_itself(void** state) {
    (void)state;
    snModel* model = people_body();
    const snSkeleton* body = model->skeleton;
    snRetargetDef def = plain();
    for (uint32_t c = 0; c < model->clip_count; c++) {
        Result result = retarget(body, model->clips[c], body, &def);
        assert_near(result.report.scale, 1.0f, 1e-6f);
        for (uint32_t f = 0; f < result.report.frames; f++) {
            snVec3 a[PEOPLE_MOST];
            snVec3 b[PEOPLE_MOST];
            people_sample(body, model->clips[c], (float)f / 30.0f, a);
            people_sample(body, result.clip, (float)f / 30.0f, b);
            assert_same_points(body, a, b, 1e-4f);
        }
        assert_string_equal(result.clip->name, model->clips[c]->name);
        sn_clip_destroy(result.clip);
    }
    sn_model_destroy(model);
}

// The body as motion files keep it: at rest its hips are at height 0, its feet a leg below.
static snSkeleton* hanging(const snSkeleton* body) {
    snTrs rest[PEOPLE_MOST];
    memcpy(rest, body->rest, body->joint_count * sizeof *rest);
    uint32_t hips = sn_skeleton_find(body, "Hips");
    assert_int_equal(body->parents[hips], SN_NONE);
    rest[hips].translation.y = 0.0f;
    snSkeletonDef def = {body->joint_count, (const char* const*)body->names, body->parents, rest};
    snSkeleton* out = NULL;
    assert_ok(sn_skeleton_create(&def, NULL, &out, NULL));
    return out;
}

// Such a rest is no ground: the motion's own is kept, from itself and from a body that stands on zero.
static void hanging_rests_keep_the_ground(void** state) {
    (void)state;
    snModel* model = people_body();
    const snSkeleton* body = model->skeleton;
    snSkeleton* file = hanging(body);
    snClip* squat = people_squat(body);
    const snSkeleton* sources[] = {file, body};
    for (int i = 0; i < 2; i++) {
        for (int feet = 0; feet < 2; feet++) {
            snRetargetDef def = sn_retarget_def();
            def.feet = feet != 0;
            Result result = retarget(sources[i], squat, file, &def);
            assert_true(result.report.foot_height_max < 0.01f * result.report.height);
            for (uint32_t f = 0; f < result.report.frames; f++) {
                snVec3 a[PEOPLE_MOST];
                snVec3 b[PEOPLE_MOST];
                people_sample(sources[i], squat, (float)f / 30.0f, a);
                people_sample(file, result.clip, (float)f / 30.0f, b);
                uint32_t toes = sn_skeleton_find(body, "LeftToes");
                // Held legs are never quite straight, so of those only the feet are the same.
                if (feet != 0)
                    assert_vec3_near(a[toes], b[toes], 5e-3f);
                else
                    assert_same_points(body, a, b, 1e-4f);
            }
            sn_clip_destroy(result.clip);
        }
    }
    sn_clip_destroy(squat);
    sn_skeleton_destroy(file);
    sn_model_destroy(model);
}

// Rolls of all joints and stands of the limbs are the target's own business: the motion in space is the same.
// Hands and feet keep their own way at rest in the world, as characters' do.
static void rolls_and_stands_do_not_matter(void** state) {
    (void)state;
    static const char* const limbs[] = {"LeftUpperArm",  "RightUpperArm", "LeftLowerArm",
                                        "RightLowerArm", "LeftUpperLeg",  "RightUpperLeg"};
    snModel* model = people_body();
    const snSkeleton* body = model->skeleton;
    snRetargetDef def = plain();
    uint32_t random = 11;
    for (int round = 0; round < 12; round++) {
        snVec3 points[PEOPLE_MOST];
        snQuat rotations[PEOPLE_MOST];
        people_rest(body, points, rotations);
        for (int i = 0; i < 4; i++) {
            snVec3 axis = sn_vec3(test_random_float(&random, -1, 1), test_random_float(&random, -1, 1),
                                  test_random_float(&random, -1, 1));
            snQuat turn = sn_quat_axis_angle(axis, test_random_float(&random, -1.2f, 1.2f));
            people_turn(body, points, rotations, sn_skeleton_find(body, limbs[i]), turn);
        }
        // Legs may stand apart and forward; a foot stays flat, so it is turned back.
        for (int i = 4; i < 6; i++) {
            snQuat turn = sn_quat_axis_angle(sn_vec3(1, 0, 0), test_random_float(&random, -0.4f, 0.1f));
            people_turn(body, points, rotations, sn_skeleton_find(body, limbs[i]), turn);
            people_turn(body, points, rotations, sn_skeleton_find(body, i == 4 ? "LeftFoot" : "RightFoot"),
                        sn_quat_conjugate(turn));
        }
        for (uint32_t j = 0; j < body->joint_count; j++)
            rotations[j] = sn_quat_mul(rotations[j], test_random_rotation(&random));
        snSkeleton* other = people_pose(body, points, rotations, true);
        Result result = retarget(body, find_clip(model, "jump"), other, &def);
        snVec3 a[PEOPLE_MOST];
        snVec3 b[PEOPLE_MOST];
        for (uint32_t f = 0; f < result.report.frames; f += 3) {
            people_sample(body, find_clip(model, "jump"), (float)f / 30.0f, a);
            people_sample(other, result.clip, (float)f / 30.0f, b);
            // The height follows the stand: a body with bent knees rests lower on its own ground.
            float lift = a[0].y - b[0].y;
            for (uint32_t j = 0; j < body->joint_count; j++) b[j].y += lift;
            assert_same_points(body, a, b, 1e-4f);
        }
        sn_clip_destroy(result.clip);
        sn_skeleton_destroy(other);
    }
    sn_model_destroy(model);
}

// A target that faces elsewhere, with z up, twice as large: the same motion in its own frame.
static void any_axes_and_size(void** state) {
    (void)state;
    snModel* model = people_body();
    const snSkeleton* body = model->skeleton;
    snRetargetDef def = plain();
    snQuat turns[] = {sn_quat_axis_angle(sn_vec3(0, 1, 0), 1.1f),
                      sn_quat_axis_angle(sn_vec3(1, 0, 0), SN_PI / 2),
                      sn_quat_mul(sn_quat_axis_angle(sn_vec3(0, 0, 1), SN_PI / 2),
                                  sn_quat_axis_angle(sn_vec3(1, 0, 0), SN_PI / 2))};
    for (int i = 0; i < 3; i++) {
        snVec3 points[PEOPLE_MOST];
        snQuat rotations[PEOPLE_MOST];
        people_rest(body, points, rotations);
        for (uint32_t j = 0; j < body->joint_count; j++) {
            points[j] = sn_scale(sn_quat_rotate(turns[i], points[j]), 2.0f);
            rotations[j] = sn_quat_mul(turns[i], rotations[j]);
        }
        snSkeleton* other = people_pose(body, points, rotations, true);
        Result result = retarget(body, find_clip(model, "jump"), other, &def);
        assert_near(result.report.scale, 2.0f, 1e-4f);
        snVec3 a[PEOPLE_MOST];
        snVec3 b[PEOPLE_MOST];
        people_sample(body, find_clip(model, "jump"), 0.5f, a);
        people_sample(other, result.clip, 0.5f, b);
        for (uint32_t j = 0; j < body->joint_count; j++)
            a[j] = sn_scale(sn_quat_rotate(turns[i], a[j]), 2.0f);
        assert_same_points(body, a, b, 4e-4f);
        // And back: the source may have any axes too.
        Result back = retarget(other, result.clip, body, &def);
        people_sample(body, find_clip(model, "jump"), 0.5f, a);
        people_sample(body, back.clip, 0.5f, b);
        assert_same_points(body, a, b, 4e-4f);
        sn_clip_destroy(back.clip);
        sn_clip_destroy(result.clip);
        sn_skeleton_destroy(other);
    }
    sn_model_destroy(model);
}

// The angle of a joint's local rotation away from its rest.
static float angle_from_rest(const snSkeleton* s, const snClip* clip, float time, uint32_t joint) {
    snTrs locals[PEOPLE_MOST];
    memcpy(locals, s->rest, s->joint_count * sizeof *locals);
    sn_clip_sample(clip, time, SN_WRAP_CLAMP, s->joint_count, locals);
    float dot = sn_quat_dot(locals[joint].rotation, s->rest[joint].rotation);
    return 2.0f * sn_acos(sn_minf(dot < 0.0f ? -dot : dot, 1.0f));
}

// A helper in the middle of the forearm takes half of what the hand twists.
static void helpers_share_the_twist(void** state) {
    (void)state;
    snModel* model = people_body();
    const snSkeleton* body = model->skeleton;
    uint32_t hand = sn_skeleton_find(body, "LeftHand");
    uint32_t forearm = sn_skeleton_find(body, "LeftLowerArm");
    const char* names[PEOPLE_MOST];
    uint32_t parents[PEOPLE_MOST];
    snTrs rest[PEOPLE_MOST];
    for (uint32_t j = 0; j < body->joint_count; j++) {
        names[j] = body->names[j];
        parents[j] = body->parents[j];
        rest[j] = body->rest[j];
    }
    uint32_t helper = body->joint_count;
    names[helper] = "lowerarm_twist_01_l";
    parents[helper] = forearm;
    rest[helper] = sn_trs_identity();
    rest[helper].translation = sn_scale(body->rest[hand].translation, 0.5f);
    snSkeletonDef def = {helper + 1, names, parents, rest};
    snSkeleton* other = NULL;
    assert_ok(sn_skeleton_create(&def, NULL, &other, NULL));
    snQuat twist = sn_quat_axis_angle(body->rest[hand].translation, 1.0f);
    float times[] = {0.0f, 1.0f};
    float values[] = {0.0f, 0.0f, 0.0f, 1.0f, twist.x, twist.y, twist.z, twist.w};
    snChannel channel = {hand, SN_PATH_ROTATION, SN_INTERPOLATION_LINEAR, 2, 4, times, values};
    snClipDef clip_def = {"twist", 0.0f, 1, &channel};
    snClip* clip = NULL;
    assert_ok(sn_clip_create(&clip_def, body->joint_count, NULL, &clip, NULL));
    Result result = retarget(body, clip, other, NULL);
    assert_near(angle_from_rest(other, result.clip, 1.0f, hand), 1.0f, 1e-3f);
    assert_near(angle_from_rest(other, result.clip, 1.0f, helper), 0.5f, 1e-3f);
    assert_near(angle_from_rest(other, result.clip, 1.0f, forearm), 0.0f, 1e-3f);
    sn_clip_destroy(result.clip);
    sn_clip_destroy(clip);
    sn_skeleton_destroy(other);
    sn_model_destroy(model);
}

// Left is right of the mirror, and the mirror of the mirror is the motion.
static void mirrors(void** state) {
    (void)state;
    snModel* model = people_body();
    const snSkeleton* body = model->skeleton;
    snRetargetDef def = plain();
    def.mirror = true;
    const snClip* bend = find_clip(model, "bend"); // the left elbow
    Result once = retarget(body, bend, body, &def);
    Result twice = retarget(body, once.clip, body, &def);
    snVec3 a[PEOPLE_MOST];
    snVec3 b[PEOPLE_MOST];
    snVec3 c[PEOPLE_MOST];
    for (float t = 0.0f; t < bend->duration; t += 0.2f) {
        float time = (float)(int)(t * 30.0f) / 30.0f;
        people_sample(body, bend, time, a);
        people_sample(body, once.clip, time, b);
        people_sample(body, twice.clip, time, c);
        assert_same_points(body, a, c, 1e-4f);
        snVec3 left = a[sn_skeleton_find(body, "LeftHand")];
        assert_vec3_near(b[sn_skeleton_find(body, "RightHand")], sn_vec3(-left.x, left.y, left.z), 1e-4f);
    }
    sn_clip_destroy(once.clip);
    sn_clip_destroy(twice.clip);
    sn_model_destroy(model);
}

// The built-in body with longer thighs and shorter shins.
static snSkeleton* other_legs(const snSkeleton* body) {
    snSkeletonDef def = {body->joint_count, (const char* const*)body->names, body->parents, body->rest};
    snTrs rest[PEOPLE_MOST];
    memcpy(rest, body->rest, body->joint_count * sizeof *rest);
    static const char* const sides[] = {"Left", "Right"};
    for (int s = 0; s < 2; s++) {
        uint32_t shin = sn_skeleton_find(body, s == 0 ? "LeftLowerLeg" : "RightLowerLeg");
        uint32_t foot = sn_skeleton_find(body, s == 0 ? "LeftFoot" : "RightFoot");
        assert_true(strncmp(body->names[shin], sides[s], 4) == 0);
        rest[shin].translation = sn_scale(rest[shin].translation, 1.2f);
        rest[foot].translation = sn_scale(rest[foot].translation, 0.8f);
    }
    def.rest = rest;
    snSkeleton* out = NULL;
    assert_ok(sn_skeleton_create(&def, NULL, &out, NULL));
    return out;
}

static void planted_feet_stay(void** state) {
    (void)state;
    snModel* model = people_body();
    const snSkeleton* body = model->skeleton;
    snSkeleton* other = other_legs(body);
    snClip* squat = people_squat(body);
    snRetargetDef def = plain();
    Result loose = retarget(body, squat, other, &def);
    def.feet = true;
    Result held = retarget(body, squat, other, &def);
    float height = held.report.height;
    assert_true(loose.report.foot_slide_max > 0.02f * height);
    assert_near(loose.report.foot_slide_max, held.report.foot_slide_before, 1e-6f);
    assert_true(held.report.foot_slide_max < 0.01f * height);
    assert_true(held.report.foot_height_max < 0.01f * height);
    assert_int_equal(held.report.contacts, 2);
    // Measured again from the outside, on the clip.
    uint32_t toes = sn_skeleton_find(other, "LeftToes");
    snVec3 first[PEOPLE_MOST];
    people_sample(other, held.clip, 0.0f, first);
    for (uint32_t f = 0; f < held.report.frames; f++) {
        snVec3 now[PEOPLE_MOST];
        people_sample(other, held.clip, (float)f / 30.0f, now);
        assert_true(sn_distance(now[toes], first[toes]) < 0.01f * height);
    }
    sn_clip_destroy(loose.clip);
    sn_clip_destroy(held.clip);
    sn_clip_destroy(squat);
    sn_skeleton_destroy(other);
    sn_model_destroy(model);
}

// Down to the fewest frames, a loop ends as it begins and feet that stand all the time stay.
static void loops_close_at_any_rate(void** state) {
    (void)state;
    snModel* model = people_body();
    const snSkeleton* body = model->skeleton;
    snSkeleton* other = other_legs(body);
    snClip* squat = people_squat(body);
    static const float rates[] = {1.0f, 2.0f, 7.0f, 30.0f, 1000.0f};
    uint32_t toes = sn_skeleton_find(other, "LeftToes");
    for (size_t i = 0; i < sizeof rates / sizeof rates[0]; i++) {
        snRetargetDef def = sn_retarget_def();
        def.fps = rates[i];
        def.loop = true;
        Result result = retarget(body, squat, other, &def);
        snVec3 first[PEOPLE_MOST];
        snVec3 now[PEOPLE_MOST];
        people_sample(other, result.clip, 0.0f, first);
        people_sample(other, result.clip, result.clip->duration, now);
        assert_same_points(other, first, now, 1e-5f);
        assert_near(result.clip->duration, result.report.loop.duration, 1e-5f);
        for (uint32_t f = 0; f < result.report.frames && rates[i] >= 30.0f; f++) {
            people_sample(other, result.clip, (float)f / rates[i], now);
            assert_true(sn_distance(now[toes], first[toes]) < 0.01f * result.report.height);
        }
        sn_clip_destroy(result.clip);
    }
    sn_clip_destroy(squat);
    sn_skeleton_destroy(other);
    sn_model_destroy(model);
}

// A clip that travels: the walk in place carried along z at a steady speed.
static snClip* travelling(const snModel* model, float speed) {
    const snSkeleton* body = model->skeleton;
    uint32_t hips = sn_skeleton_find(body, "Hips");
    const snClip* walk = find_clip(model, "walk");
    snClip* clip = NULL;
    snClipDef def = {"travel", 0.0f, walk->channel_count, walk->channels};
    assert_ok(sn_clip_create(&def, body->joint_count, NULL, &clip, NULL));
    bool found = false;
    for (uint32_t c = 0; c < clip->channel_count; c++) {
        snChannel* channel = &clip->channels[c];
        if (channel->joint != hips || channel->path != SN_PATH_TRANSLATION) continue;
        found = true;
        assert_int_equal(channel->interpolation, SN_INTERPOLATION_LINEAR);
        for (uint32_t k = 0; k < channel->key_count; k++)
            channel->values[3 * k + 2] += speed * channel->times[k];
    }
    assert_true(found);
    return clip;
}

// A walk in place never stands; its feet still keep to the ground of a body with other legs.
static void gliding_feet_stay_on_the_ground(void** state) {
    (void)state;
    snModel* model = people_body();
    snSkeleton* other = other_legs(model->skeleton);
    Result result = retarget(model->skeleton, find_clip(model, "walk"), other, NULL);
    assert_true(result.report.contacts > 0);
    assert_true(result.report.foot_height_max < 0.01f * result.report.height);
    assert_near(result.report.foot_slide_max, 0.0f, 0.0f);
    sn_clip_destroy(result.clip);
    sn_skeleton_destroy(other);
    sn_model_destroy(model);
}

static void root_motion_goes_where_asked(void** state) {
    (void)state;
    snModel* model = people_body();
    const snSkeleton* body = model->skeleton;
    // The same body below a root.
    const char* names[PEOPLE_MOST] = {"root"};
    uint32_t parents[PEOPLE_MOST] = {SN_NONE};
    snTrs rest[PEOPLE_MOST];
    rest[0] = sn_trs_identity();
    rest[0].scale = sn_vec3(2, 2, 2);
    for (uint32_t j = 0; j < body->joint_count; j++) {
        names[j + 1] = body->names[j];
        parents[j + 1] = body->parents[j] == SN_NONE ? 0 : body->parents[j] + 1;
        rest[j + 1] = body->rest[j];
    }
    snSkeletonDef rooted_def = {body->joint_count + 1, names, parents, rest};
    snSkeleton* rooted = NULL;
    assert_ok(sn_skeleton_create(&rooted_def, NULL, &rooted, NULL));
    snClip* clip = travelling(model, 1.0f);
    snRetargetDef def = plain();
    float end = 0.0f;
    for (int root = SN_ROOT_KEEP; root <= SN_ROOT_EXTRACT; root++) {
        def.root = (snRootMotion)root;
        Result result = retarget(body, clip, rooted, &def);
        snVec3 a[PEOPLE_MOST];
        snVec3 b[PEOPLE_MOST];
        end = (float)(result.report.frames - 1) / 30.0f;
        people_sample(rooted, result.clip, 0.0f, a);
        people_sample(rooted, result.clip, end, b);
        float hips = b[1].z - a[1].z;
        float above = b[0].z - a[0].z;
        assert_near(hips, root == SN_ROOT_IN_PLACE ? 0.0f : 2.0f * end, 0.05f);
        assert_near(above, root == SN_ROOT_EXTRACT ? 2.0f * end : 0.0f, 0.05f);
        assert_int_equal(result.report.root_extracted, root == SN_ROOT_EXTRACT);
        sn_clip_destroy(result.clip);
    }
    // Without a joint above the hips the travel stays.
    Result bare = retarget(body, clip, body, &def);
    assert_false(bare.report.root_extracted);
    snVec3 last[PEOPLE_MOST];
    people_sample(body, bare.clip, end, last);
    assert_near(last[0].z, end, 0.05f);
    sn_clip_destroy(bare.clip);
    sn_clip_destroy(clip);
    sn_skeleton_destroy(rooted);
    sn_model_destroy(model);
}

static void rates_and_cuts(void** state) {
    (void)state;
    snModel* model = people_body();
    const snSkeleton* body = model->skeleton;
    const snClip* jump = find_clip(model, "jump");
    snRetargetDef def = plain();
    def.fps = 120.0f;
    def.from = 0.25f;
    def.to = 0.75f;
    Result result = retarget(body, jump, body, &def);
    assert_int_equal(result.report.frames, 61);
    assert_near(result.clip->duration, 0.5f, 1e-5f);
    snVec3 a[PEOPLE_MOST];
    snVec3 b[PEOPLE_MOST];
    people_sample(body, jump, 0.5f, a);
    people_sample(body, result.clip, 0.25f, b);
    assert_same_points(body, a, b, 1e-3f);
    sn_clip_destroy(result.clip);
    def.from = def.to = 0.5f; // one pose
    result = retarget(body, jump, body, &def);
    assert_int_equal(result.report.frames, 1);
    people_sample(body, result.clip, 0.0f, b);
    assert_same_points(body, a, b, 1e-3f);
    sn_clip_destroy(result.clip);
    def.from = 0.0f;
    def.to = SN_CLIP_END;
    result = retarget(body, jump, body, &def);
    assert_near(result.clip->duration, jump->duration, 1e-2f);
    sn_clip_destroy(result.clip);
    sn_model_destroy(model);
}

// Held feet, travel and floors look around a moment: what they see is the whole motion, not the stretch.
static void a_moment_is_the_same_in_every_stretch(void** state) {
    (void)state;
    snModel* model = people_body();
    const snSkeleton* body = model->skeleton;
    snSkeleton* other = other_legs(body);
    snClip* squat = people_squat(body);
    const snClip* clips[3] = {find_clip(model, "walk"), find_clip(model, "jump"), squat};
    for (int c = 0; c < 3; c++) {
        for (int root = SN_ROOT_KEEP; root <= SN_ROOT_IN_PLACE; root++) {
            snRetargetDef def = sn_retarget_def();
            def.root = (snRootMotion)root;
            def.fps = 60.0f;
            Result whole = retarget(body, clips[c], other, &def);
            def.from = 24.0f / 60.0f;
            def.to = 36.0f / 60.0f;
            Result cut = retarget(body, clips[c], other, &def);
            def.reverse = true;
            def.speed = 2.0f;
            Result back = retarget(body, clips[c], other, &def);
            assert_int_equal(cut.report.frames, 13);
            assert_int_equal(back.report.frames, 7);
            assert_true(cut.report.foot_slide_max <= 2.0f * whole.report.foot_slide_max); // of its own start
            for (int f = 0; f <= 12; f += 2) {
                snVec3 a[PEOPLE_MOST], b[PEOPLE_MOST], d[PEOPLE_MOST];
                people_sample(other, whole.clip, (float)(24 + f) / 60.0f, a);
                people_sample(other, cut.clip, (float)f / 60.0f, b);
                people_sample(other, back.clip, (float)(12 - f) / 120.0f, d);
                assert_same_points(other, a, b, 1e-5f * cut.report.height);
                assert_same_points(other, a, d, 1e-5f * cut.report.height);
            }
            sn_clip_destroy(whole.clip);
            sn_clip_destroy(cut.clip);
            sn_clip_destroy(back.clip);
        }
    }
    sn_clip_destroy(squat);
    sn_skeleton_destroy(other);
    sn_model_destroy(model);
}

// What is no motion, as a reference pose in front, is not looked at.
static void what_is_no_motion_is_not_solved(void** state) {
    (void)state;
    snModel* model = people_body();
    const snSkeleton* body = model->skeleton;
    const snClip* walk = find_clip(model, "walk");
    snRetargetDef def = sn_retarget_def();
    def.root = SN_ROOT_IN_PLACE; // the mean of a second
    def.from = 0.4f;
    Result seen = retarget(body, walk, body, &def);
    def.motion_from = 0.4f;
    Result alone = retarget(body, walk, body, &def);
    snVec3 a[PEOPLE_MOST], b[PEOPLE_MOST];
    people_sample(body, seen.clip, 0.1f, a);
    people_sample(body, alone.clip, 0.1f, b);
    uint32_t hips = sn_skeleton_find(body, "Hips");
    assert_true(sn_distance(a[hips], b[hips]) > 1e-4f);
    assert_int_equal(seen.report.frames, alone.report.frames);
    sn_clip_destroy(seen.clip);
    sn_clip_destroy(alone.clip);
    sn_model_destroy(model);
}

// A hand that is twisted on and on, through half a turn: it goes along up to a right angle and some more,
// then less and less, and never jumps.
static void hands_twist_softly_up_to_a_limit(void** state) {
    (void)state;
    enum { KEYS = 61 };
    snModel* model = people_body();
    const snSkeleton* body = model->skeleton;
    uint32_t hand = sn_skeleton_find(body, "LeftHand");
    snVec3 bone = sn_normalize_or(body->rest[hand].translation, sn_vec3(1, 0, 0));
    float times[KEYS], values[4 * KEYS];
    for (uint32_t k = 0; k < KEYS; k++) {
        float angle = 4.5f * (float)k / (KEYS - 1);
        snQuat q = sn_quat_mul(sn_quat_axis_angle(bone, angle), body->rest[hand].rotation);
        memcpy(values + 4 * (size_t)k, &q, sizeof q);
        times[k] = (float)k / 30.0f;
    }
    snChannel channel = {hand, SN_PATH_ROTATION, SN_INTERPOLATION_LINEAR, KEYS, 4, times, values};
    snClipDef clip = {"twist", 0.0f, 1, &channel};
    snClip* twist = NULL;
    assert_ok(sn_clip_create(&clip, body->joint_count, NULL, &twist, NULL));
    snRetargetDef def = plain();
    Result result = retarget(body, twist, body, &def); // of one make: as it is
    assert_int_equal(result.report.limited, 0);
    sn_clip_destroy(result.clip);
    snModel* other = people_body();
    for (uint32_t j = 0; j < other->skeleton->joint_count; j++) other->skeleton->names[j][0] |= 0x20;
    result = retarget(body, twist, other->skeleton, &def);
    assert_true(result.report.limited > 0);
    float before = 0.0f;
    for (uint32_t k = 0; k < KEYS; k++) {
        snTrs locals[PEOPLE_MOST];
        memcpy(locals, body->rest, body->joint_count * sizeof *locals);
        sn_clip_sample(result.clip, (float)k / 30.0f, SN_WRAP_CLAMP, body->joint_count, locals);
        snQuat q = sn_quat_mul(locals[hand].rotation, sn_quat_conjugate(body->rest[hand].rotation));
        float angle = 2.0f * sn_atan2(q.x * bone.x + q.y * bone.y + q.z * bone.z, q.w);
        if (angle < -1.0f) angle += 2.0f * SN_PI;
        float wanted = 4.5f * (float)k / (KEYS - 1);
        if (wanted < 2.1f) assert_near(angle, wanted, 1e-3f);
        assert_true(angle < 2.8f && angle >= before - 1e-3f && angle - before < 0.08f);
        before = angle;
    }
    sn_clip_destroy(result.clip);
    def.limits = false;
    result = retarget(body, twist, other->skeleton, &def);
    assert_int_equal(result.report.limited, 0);
    sn_clip_destroy(result.clip);
    sn_model_destroy(other);
    sn_clip_destroy(twist);
    sn_model_destroy(model);
}

static void unmatched_joints_keep_their_rest(void** state) {
    (void)state;
    snModel* model = people_body();
    const snSkeleton* body = model->skeleton;
    snJointMap* map = NULL;
    assert_ok(sn_joint_map_create(body, body, NULL, &map, NULL));
    assert_ok(sn_joint_map_set(map, body, body, NULL, "LeftLowerArm", NULL));
    snRetargetDef def = sn_retarget_def();
    def.source = def.target = body;
    def.map = map;
    def.clip = find_clip(model, "bend");
    snClip* clip = NULL;
    assert_ok(sn_retarget_clip(&def, NULL, &clip, NULL, NULL));
    for (uint32_t c = 0; c < clip->channel_count; c++)
        assert_true(clip->channels[c].joint != sn_skeleton_find(body, "LeftLowerArm"));
    sn_clip_destroy(clip);
    sn_joint_map_destroy(map);
    sn_model_destroy(model);
}

static void refuse(snRetargetDef def, snResult expected) {
    snClip* clip = NULL;
    snError error = sn_error_none();
    assert_int_equal(sn_retarget_clip(&def, NULL, &clip, NULL, &error), expected);
    assert_true(error.text[0] != '\0');
    assert_null(clip);
}

static void refuses_what_breaks_the_rules(void** state) {
    (void)state;
    snModel* model = people_body();
    const snSkeleton* body = model->skeleton;
    snJointMap* map = NULL;
    assert_ok(sn_joint_map_create(body, body, NULL, &map, NULL));
    snRetargetDef good = sn_retarget_def();
    good.source = good.target = body;
    good.map = map;
    good.clip = model->clips[0];
    snRetargetDef def = good;
    def.source = NULL;
    refuse(def, SN_RESULT_INVALID_ARGUMENT);
    def = good;
    def.fps = 0.0f;
    refuse(def, SN_RESULT_INVALID_ARGUMENT);
    def = good;
    def.from = NAN;
    refuse(def, SN_RESULT_INVALID_ARGUMENT);
    def = good;
    def.from = 1e6f;
    refuse(def, SN_RESULT_INVALID_ARGUMENT);
    def.from = 0.5f;
    def.to = 0.25f;
    refuse(def, SN_RESULT_INVALID_ARGUMENT);
    def = good;
    def.root = (snRootMotion)9;
    refuse(def, SN_RESULT_INVALID_ARGUMENT);
    def = good;
    def.loop = true;
    def.loop_blend = -1.0f;
    refuse(def, SN_RESULT_INVALID_ARGUMENT);
    def.loop_blend = 0.2f;
    def.to = 1.0f / 30.0f;
    refuse(def, SN_RESULT_BAD_DATA);
    snClip endless = *model->clips[0];
    endless.duration = 1e9f;
    def = good;
    def.clip = &endless;
    refuse(def, SN_RESULT_LIMIT);
    map->pairs[3].share = 2.0f;
    refuse(good, SN_RESULT_INVALID_ARGUMENT);
    map->pairs[3] = (snJointPair){9999, SN_NONE, 1.0f, 1.0f, SN_PAIRING_NAME};
    refuse(good, SN_RESULT_INVALID_ARGUMENT);
    map->source_count = 3;
    refuse(good, SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_retarget_clip(NULL, NULL, NULL, NULL, NULL), SN_RESULT_INVALID_ARGUMENT);
    sn_joint_map_destroy(map);
    sn_model_destroy(model);
}

static snResult build(const snAllocator* allocator, void* context) {
    snClip* clip = NULL;
    snResult result = sn_retarget_clip(context, allocator, &clip, NULL, NULL);
    sn_clip_destroy(clip);
    return result;
}

static void survives_every_failing_allocation(void** state) {
    (void)state;
    snModel* model = people_body();
    snJointMap* map = NULL;
    assert_ok(sn_joint_map_create(model->skeleton, model->skeleton, NULL, &map, NULL));
    snRetargetDef def = sn_retarget_def();
    def.source = def.target = model->skeleton;
    def.map = map;
    def.clip = model->clips[0];
    def.fps = 5.0f;
    test_every_allocation(build, &def);
    def.loop = true;
    test_every_allocation(build, &def);
    sn_joint_map_destroy(map);
    sn_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(itself_stays_itself),
        cmocka_unit_test(hanging_rests_keep_the_ground),
        cmocka_unit_test(rolls_and_stands_do_not_matter),
        cmocka_unit_test(any_axes_and_size),
        cmocka_unit_test(helpers_share_the_twist),
        cmocka_unit_test(mirrors),
        cmocka_unit_test(gliding_feet_stay_on_the_ground),
        cmocka_unit_test(planted_feet_stay),
        cmocka_unit_test(loops_close_at_any_rate),
        cmocka_unit_test(root_motion_goes_where_asked),
        cmocka_unit_test(rates_and_cuts),
        cmocka_unit_test(hands_twist_softly_up_to_a_limit),
        cmocka_unit_test(a_moment_is_the_same_in_every_stretch),
        cmocka_unit_test(what_is_no_motion_is_not_solved),
        cmocka_unit_test(unmatched_joints_keep_their_rest),
        cmocka_unit_test(refuses_what_breaks_the_rules),
        cmocka_unit_test(survives_every_failing_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
