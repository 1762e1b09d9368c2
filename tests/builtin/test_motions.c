// The body's clips: loops that close, feet that stay where they are put, angles as promised.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "builtin/body_motions.h"
#include "support.h"

enum { WALK, JUMP, BEND, TWIST };

static snModel* body;
static int make_body(void** state) {
    (void)state;
    snBodyDef def = sn_body_def();
    return sn_builtin_body(&def, NULL, &body, NULL) == SN_RESULT_OK ? 0 : -1;
}
static int free_body(void** state) {
    (void)state;
    sn_model_destroy(body);
    return 0;
}

static void locals_at(uint32_t clip, float time, snTrs* locals) {
    memcpy(locals, body->skeleton->rest, SNI_BODY_JOINTS * sizeof *locals);
    sn_clip_sample(body->clips[clip], time, SN_WRAP_CLAMP, SNI_BODY_JOINTS, locals);
}

static void world_at_time(uint32_t clip, float time, snMat4* world) {
    snTrs locals[SNI_BODY_JOINTS];
    locals_at(clip, time, locals);
    sn_skeleton_world(body->skeleton, locals, world);
}

static void world_at(uint32_t clip, uint32_t key, snMat4* world) {
    world_at_time(clip, body->clips[clip]->channels[0].times[key], world);
}

static uint32_t key_count(uint32_t clip) { return body->clips[clip]->channels[0].key_count; }

static float degrees(snQuat q) {
    return 2.0f * sn_atan2(sqrtf(q.x * q.x + q.y * q.y + q.z * q.z), fabsf(q.w)) * 180.0f / SN_PI;
}

static void test_clips(void** state) {
    (void)state;
    static const char* const names[] = {"walk", "jump", "bend", "twist"};
    static const float seconds[] = {1.1f, 1.6f, 2.0f, 2.0f};
    assert_int_equal(body->clip_count, 4);
    for (uint32_t c = 0; c < 4; c++) {
        const snClip* clip = body->clips[c];
        assert_string_equal(clip->name, names[c]);
        assert_near(clip->duration, seconds[c], 1e-6);
        for (uint32_t n = 0; n < clip->channel_count; n++) {
            const snChannel* channel = &clip->channels[n];
            assert_int_equal(channel->interpolation, SN_INTERPOLATION_LINEAR);
            assert_int_equal(channel->key_count, (uint32_t)(seconds[c] * 30.0f + 0.5f) + 1);
            for (uint32_t k = 0; k < channel->key_count; k++) {
                assert_near(channel->times[k], (double)k / 30.0, 1e-6);
                if (channel->path != SN_PATH_ROTATION) continue;
                const float* v = &channel->values[(size_t)k * 4];
                assert_near(v[0] * v[0] + v[1] * v[1] + v[2] * v[2] + v[3] * v[3], 1.0, 1e-5);
            }
        }
    }
}

static void test_loops_close_exactly(void** state) {
    (void)state;
    for (uint32_t c = 0; c < 4; c++) {
        for (uint32_t n = 0; n < body->clips[c]->channel_count; n++) {
            const snChannel* channel = &body->clips[c]->channels[n];
            const float* last = &channel->values[(size_t)(channel->key_count - 1) * channel->width];
            assert_memory_equal(channel->values, last, channel->width * sizeof(float));
        }
    }
}

// Nothing jumps between keys, the seam of the loop included. An arm thrown up turns 25 degrees a key.
static void test_motion_is_continuous(void** state) {
    (void)state;
    for (uint32_t c = 0; c < 4; c++) {
        for (uint32_t k = 0; k + 1 < key_count(c); k++) {
            snTrs a[SNI_BODY_JOINTS], b[SNI_BODY_JOINTS];
            locals_at(c, (float)k / 30.0f, a);
            locals_at(c, (float)(k + 1) / 30.0f, b);
            for (uint32_t j = 0; j < SNI_BODY_JOINTS; j++) {
                snQuat turn = sn_quat_mul(sn_quat_conjugate(a[j].rotation), b[j].rotation);
                assert_true(degrees(turn) < 36.0f);
            }
            assert_true(sn_distance(a[0].translation, b[0].translation) < 0.10f);
        }
    }
}

// While a foot's sole or toes carry, its toe joint moves straight back at constant speed at its rest height.
static void test_walking_feet_do_not_slide(void** state) {
    (void)state;
    uint32_t intervals = key_count(WALK) - 1;
    for (int side = SNI_LEFT; side <= SNI_RIGHT; side++) {
        uint32_t toes = sni_limb((sniSide)side, SNI_TOES);
        uint32_t carried = 0;
        for (uint32_t k = 0; k < intervals; k++) {
            float phase = (float)k / (float)intervals + (side == SNI_LEFT ? 0.0f : 0.5f);
            if (phase >= 1.0f) phase -= 1.0f;
            if (phase < 0.12f || phase + 1.0f / (float)intervals > SNI_WALK_STANCE) continue;
            snMat4 now[SNI_BODY_JOINTS], next[SNI_BODY_JOINTS];
            world_at(WALK, k, now);
            world_at(WALK, k + 1, next);
            snVec3 p = sn_mat4_translation(&now[toes]), q = sn_mat4_translation(&next[toes]);
            assert_near(q.z - p.z, -SNI_WALK_SPEED / 30.0f, 1e-5);
            assert_near(q.x - p.x, 0.0, 1e-5);
            assert_near(p.y, 0.022, 1e-5);
            carried++;
        }
        assert_true(carried >= 14);
    }
}

// Between keys rotations are interpolated, not solved for; the planted toes drift by less than a millimetre.
static void test_feet_hold_between_keys(void** state) {
    (void)state;
    uint32_t intervals = key_count(WALK) - 1, toes = sni_limb(SNI_LEFT, SNI_TOES);
    for (uint32_t k = 4; (float)(k + 1) / (float)intervals < SNI_WALK_STANCE; k++) {
        snMat4 now[SNI_BODY_JOINTS], between[SNI_BODY_JOINTS], next[SNI_BODY_JOINTS];
        world_at(WALK, k, now);
        world_at(WALK, k + 1, next);
        world_at_time(WALK, ((float)k + 0.5f) / 30.0f, between);
        snVec3 p = sn_lerp(sn_mat4_translation(&now[toes]), sn_mat4_translation(&next[toes]), 0.5f);
        assert_vec3_near(sn_mat4_translation(&between[toes]), p, 0.001f);
    }
}

// The heel strikes and rolls: until the sole is down the lowest point of the heel is what moves straight
// back.
static void test_heel_strike_rolls(void** state) {
    (void)state;
    sniBodyRig rig;
    sni_body_rig_build(&rig);
    for (int n = 0; n < 10; n++) {
        sniFootPose foot = sni_walk_foot(&rig, SNI_LEFT, 0.01f * (float)n);
        assert_true(foot.pitch < 0.0f);
        snVec3 ankle = sni_pose_ankle(&rig, SNI_LEFT, &foot);
        snVec3 heel = sn_vec3(0.0f, -rig.places[sni_limb(SNI_LEFT, SNI_FOOT)].y, -0.048f);
        snVec3 ground = sn_add(ankle, sn_quat_rotate(sni_euler(foot.pitch, 0.0f, 0.0f), heel));
        assert_near(ground.y, 0.0, 1e-6);
        assert_near(ground.z, foot.flat.z - 0.048f, 1e-6);
    }
}

// Height of the lowest vertex at a key, by linear skinning.
static float lowest_at(uint32_t clip, uint32_t key, snVec3* points) {
    const snPart* part = &body->parts[0];
    snMat4 world[SNI_BODY_JOINTS], matrices[SNI_BODY_JOINTS];
    world_at(clip, key, world);
    for (uint32_t j = 0; j < SNI_BODY_JOINTS; j++) {
        matrices[j] = sn_mat4_mul(&world[body->skins[0].joints[j]], &body->skins[0].inverse_binds[j]);
    }
    snSkinJob job = {
        .point_count = part->mesh->vertex_count, .points = part->mesh->positions, .influences = 4};
    job.joints = part->weights.joints;
    job.weights = part->weights.weights;
    job.matrix_count = SNI_BODY_JOINTS;
    job.matrices = matrices;
    job.out_points = points;
    assert_ok(sn_skin_linear_run(&job));
    return sn_bounds_of(points, job.point_count).min.y;
}

static void test_feet_stay_on_the_ground(void** state) {
    (void)state;
    snVec3* points = malloc(body->parts[0].mesh->vertex_count * sizeof *points);
    for (uint32_t k = 0; k < key_count(WALK); k++) assert_near(lowest_at(WALK, k, points), 0.0, 0.003);
    uint32_t in_air = 0;
    for (uint32_t k = 0; k < key_count(JUMP); k++) {
        float lowest = lowest_at(JUMP, k, points);
        assert_true(lowest > -0.003f);
        if (lowest > 0.003f) in_air++;
    }
    // Off the ground for the twelve keys between take-off and landing, and only then.
    assert_int_equal(in_air, 12);
    free(points);
}

static void test_jump_is_a_free_fall(void** state) {
    (void)state;
    float highest = 0.0f;
    uint32_t free_keys = 0;
    snVec3* points = malloc(body->parts[0].mesh->vertex_count * sizeof *points);
    for (uint32_t k = 1; k + 1 < key_count(JUMP); k++) {
        snTrs before[SNI_BODY_JOINTS], now[SNI_BODY_JOINTS], after[SNI_BODY_JOINTS];
        locals_at(JUMP, (float)(k - 1) / 30.0f, before);
        locals_at(JUMP, (float)k / 30.0f, now);
        locals_at(JUMP, (float)(k + 1) / 30.0f, after);
        highest = sn_maxf(highest, now[0].translation.y);
        if (lowest_at(JUMP, k, points) < 0.003f) continue;
        float y0 = before[0].translation.y, y1 = now[0].translation.y, y2 = after[0].translation.y;
        assert_near((y2 - 2.0f * y1 + y0) * 900.0f, -9.81, 0.05);
        free_keys++;
    }
    assert_true(free_keys > 8);
    assert_true(highest > 1.15f && highest < 1.35f);
    free(points);
}

static void test_walk_carries_the_head_steadily_and_the_arms_low(void** state) {
    (void)state;
    float lowest = 1e30f, highest = 0.0f;
    for (uint32_t k = 0; k < key_count(WALK); k++) {
        snMat4 world[SNI_BODY_JOINTS];
        world_at(WALK, k, world);
        assert_true(degrees(sn_quat_from_mat4(&world[SNI_HEAD])) < 4.0f);
        lowest = sn_minf(lowest, world[SNI_HEAD].m[13]);
        highest = sn_maxf(highest, world[SNI_HEAD].m[13]);
        for (int side = SNI_LEFT; side <= SNI_RIGHT; side++) {
            snVec3 hand = sn_mat4_translation(&world[sni_limb((sniSide)side, SNI_HAND)]);
            assert_true(hand.y < 1.1f && fabsf(hand.x) < 0.45f && fabsf(hand.x) > 0.17f);
        }
    }
    // It bobs, but not like a cork.
    assert_true(highest - lowest > 0.02f && highest - lowest < 0.06f);
}

// In every key of walk and jump knees bend backwards only, and the planted foot is within the leg's reach.
static void test_knees(void** state) {
    (void)state;
    for (uint32_t c = WALK; c <= JUMP; c++) {
        float most = 0.0f;
        for (uint32_t k = 0; k < key_count(c); k++) {
            snTrs locals[SNI_BODY_JOINTS];
            locals_at(c, (float)k / 30.0f, locals);
            for (int side = SNI_LEFT; side <= SNI_RIGHT; side++) {
                snQuat knee = locals[sni_limb((sniSide)side, SNI_LOWER_LEG)].rotation;
                float bend = 2.0f * sn_atan2(knee.x, knee.w) * 180.0f / SN_PI;
                assert_true(bend > -4.5f);
                most = sn_maxf(most, bend);
            }
        }
        assert_true(most > 50.0f && most < 120.0f);
    }
}

static void test_bend_and_twist_angles(void** state) {
    (void)state;
    snTrs locals[SNI_BODY_JOINTS];
    uint32_t elbow = sni_limb(SNI_LEFT, SNI_LOWER_ARM), hand = sni_limb(SNI_LEFT, SNI_HAND);
    locals_at(BEND, 0.0f, locals);
    assert_near(degrees(locals[elbow].rotation), 0.0, 1e-3);
    locals_at(BEND, 1.0f, locals);
    assert_near(degrees(locals[elbow].rotation), 130.0, 1e-3);
    locals_at(TWIST, 0.0f, locals);
    assert_near(degrees(locals[hand].rotation), 0.0, 1e-3);
    locals_at(TWIST, 1.0f, locals);
    assert_near(degrees(locals[hand].rotation), 180.0, 1e-3);
    // About the forearm's own axis, which lies along x.
    assert_near(fabsf(locals[hand].rotation.x), 1.0, 1e-6);
}

static void test_out_of_reach_leg_stretches_towards_its_foot(void** state) {
    (void)state;
    sniBodyRig rig;
    sni_body_rig_build(&rig);
    sniPose pose = sni_pose_rest(&rig);
    sniFootPose foot = {{0.10f, 0.085f, 3.0f}, 0.0f};
    sni_pose_leg(&pose, &rig, SNI_LEFT, &foot);
    snQuat thigh = pose.local[sni_limb(SNI_LEFT, SNI_UPPER_LEG)];
    snVec3 along = sn_quat_rotate(thigh, rig.rest[sni_limb(SNI_LEFT, SNI_LOWER_LEG)].translation);
    snVec3 wanted = sn_sub(foot.flat, rig.places[sni_limb(SNI_LEFT, SNI_UPPER_LEG)]);
    float cosine = sn_dot(along, wanted) / (sn_length(along) * sn_length(wanted));
    assert_true(cosine > 0.999f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clips),
        cmocka_unit_test(test_loops_close_exactly),
        cmocka_unit_test(test_motion_is_continuous),
        cmocka_unit_test(test_walking_feet_do_not_slide),
        cmocka_unit_test(test_feet_hold_between_keys),
        cmocka_unit_test(test_heel_strike_rolls),
        cmocka_unit_test(test_feet_stay_on_the_ground),
        cmocka_unit_test(test_jump_is_a_free_fall),
        cmocka_unit_test(test_walk_carries_the_head_steadily_and_the_arms_low),
        cmocka_unit_test(test_knees),
        cmocka_unit_test(test_bend_and_twist_angles),
        cmocka_unit_test(test_out_of_reach_leg_stretches_towards_its_foot),
    };
    return cmocka_run_group_tests(tests, make_body, free_body);
}
