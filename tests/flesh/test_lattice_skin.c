// Skin of the particles: rotations about their own centers.
#include "primary_scene.h"

static snMat4 rigid_motion(snVec3 translation, snVec3 axis, float radians) {
    snRigid r = {sn_quat_axis_angle(axis, radians), translation};
    return sn_mat4_from_rigid(&r);
}

// Moves the whole pose.
static void move(Scene* s, const snMat4* motion) {
    for (uint32_t j = 0; j < s->binding->joint_count; j++)
        s->matrices[j] = sn_mat4_mul(motion, &s->matrices[j]);
}

static float far_from_rotation(const snMat3* r) {
    float worst = 0.0f;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j <= i; j++) {
            const float *a = r->m + 4 * i, *b = r->m + 4 * j;
            worst = sn_maxf(worst, fabsf(a[0] * b[0] + a[1] * b[1] + a[2] * b[2] - (i == j ? 1.0f : 0.0f)));
        }
    }
    snVec3 x = {r->m[0], r->m[1], r->m[2]}, y = {r->m[4], r->m[5], r->m[6]}, z = {r->m[8], r->m[9], r->m[10]};
    return sn_dot(sn_cross(x, y), z) > 0.0f ? worst : 2.0f;
}

static void all_are_rotations(const Scene* s) {
    for (uint32_t p = 0; p < s->count; p++) {
        assert_true(far_from_rotation(&s->rotations[p]) < 3e-6f);
        assert_true(sn_vec3_finite(scene_point(s, p)));
    }
}

static void rest_pose_is_the_identity(void** state) {
    (void)state;
    Scene* s = scene_body();
    memset(s->points, 0xff, s->count * sizeof *s->points);
    memset(s->pushes, 0xff, s->count * sizeof *s->pushes);
    assert_ok(sn_lattice_skin_run(&s->job));
    const snLattice* lattice = s->binding->lattice;
    for (uint32_t p = 0; p < s->count; p++) {
        assert_vec3_near(scene_point(s, p), lattice->rest[p], 1.75e-6f);
        assert_true(s->points[p].w == 0.0f && s->pushes[p].w == 0.0f);
        snVec3 push = {s->pushes[p].x, s->pushes[p].y, s->pushes[p].z}, out = lattice->outward[p];
        if (sn_dot(out, out) == 0.0f) continue;
        assert_vec3_near(push, sn_scale(out, 1.0f / (1.0f + (float)lattice->depths[p])), 2e-6f);
    }
    all_are_rotations(s);
    scene_destroy(s);
}

static void rigid_motion_commutes(void** state) {
    (void)state;
    Scene* s = scene_body();
    scene_clip(s, "jump", 0.4f);
    assert_ok(sn_lattice_skin_run(&s->job));
    snVec4* before = malloc(s->count * sizeof *before);
    memcpy(before, s->points, s->count * sizeof *before);
    snVec4* pushes = malloc(s->count * sizeof *pushes);
    memcpy(pushes, s->pushes, s->count * sizeof *pushes);
    snMat4 motion = rigid_motion(sn_vec3(1, -2, 3), sn_vec3(1, 2, 0.5f), 2.0f);
    move(s, &motion);
    assert_ok(sn_lattice_skin_run(&s->job));
    for (uint32_t p = 0; p < s->count; p++) {
        snVec3 was = {before[p].x, before[p].y, before[p].z}, push = {pushes[p].x, pushes[p].y, pushes[p].z};
        assert_vec3_near(scene_point(s, p), sn_mat4_point(&motion, was), 6e-6f);
        assert_vec3_near(sn_vec3(s->pushes[p].x, s->pushes[p].y, s->pushes[p].z),
                         sn_mat4_vector(&motion, push), 4e-6f);
    }
    free(before);
    free(pushes);
    scene_destroy(s);
}

// A center at the origin of the world instead of the particle's own would throw the bent arm about.
static void standing_far_away_changes_nothing(void** state) {
    (void)state;
    Scene* s = scene_body();
    scene_clip(s, "bend", 1.0f);
    assert_ok(sn_lattice_skin_run(&s->job));
    snVec4* before = malloc(s->count * sizeof *before);
    memcpy(before, s->points, s->count * sizeof *before);
    snMat4 motion = rigid_motion(sn_vec3(1000, 0, -1000), sn_vec3(0, 1, 0), 0.0f);
    move(s, &motion);
    assert_ok(sn_lattice_skin_run(&s->job));
    for (uint32_t p = 0; p < s->count; p++) {
        snVec3 was = {before[p].x + 1000.0f, before[p].y, before[p].z - 1000.0f};
        assert_vec3_near(scene_point(s, p), was, 5e-4f); // a few units in the last place at 1000 m
    }
    free(before);
    scene_destroy(s);
}

// The particle on a joint is where both bones agree, at every weight.
static void a_joints_own_point_stays_put(void** state) {
    (void)state;
    Scene* s = scene_tube(2, 12);
    const snBinding* b = s->binding;
    assert_int_equal(b->joint_count, 2);
    snVec3 elbow = sn_mat4_translation(&b->binds[1]);
    for (uint32_t p = 0; p < 9; p++) {
        b->lattice->rest[p] = elbow;
        scene_bind_two(s, p, 0, 1, 0.1f + 0.1f * (float)p);
    }
    scene_build(s);
    snTrs locals[8];
    assert_true(s->model->skeleton->joint_count <= 8);
    memcpy(locals, s->model->skeleton->rest, s->model->skeleton->joint_count * sizeof *locals);
    snTrs* bent = &locals[b->joints[1]];
    for (int i = 0; i < 16; i++) {
        bent->rotation = sn_quat_axis_angle(sn_vec3(1, 0, 0.3f), 0.2f * (float)i);
        scene_pose(s, locals);
        assert_ok(sn_lattice_skin_run(&s->job));
        for (uint32_t p = 0; p < 9; p++) assert_vec3_near(scene_point(s, p), elbow, 1e-6f);
    }
    scene_destroy(s);
}

// Joints 0 - 1 - 2 in a row: between 0 and 2 the middle of the joints 1 and 2 is the center, and with three
// influences the pairs count by the product of their weights.
static void centers_lie_between_the_joints(void** state) {
    (void)state;
    Scene* s = scene_tube(3, 12);
    snBinding* b = s->binding;
    assert_int_equal(b->joint_count, 3);
    snVec3 first = sn_mat4_translation(&b->binds[1]), second = sn_mat4_translation(&b->binds[2]);
    scene_bind_two(s, 0, 0, 2, 0.7f);
    scene_bind_two(s, 1, 2, 1, 0.6f);
    scene_bind_two(s, 2, 0, 1, 0.5f);
    b->particles.weights[2 * b->particles.influences + 1] = 0.25f;
    b->particles.joints[2 * b->particles.influences + 2] = 2;
    b->particles.weights[2 * b->particles.influences + 2] = 0.25f;
    // A particle at its center follows the plain blend of the matrices; one away from it does not.
    snVec3 both = sn_scale(sn_add(first, second), 0.5f);
    snVec3 three = sn_add(sn_scale(first, 0.125f), sn_add(sn_scale(both, 0.125f), sn_scale(second, 0.0625f)));
    snVec3 centers[3] = {both, second, sn_scale(three, 1.0f / 0.3125f)};
    for (uint32_t p = 0; p < 3; p++) b->lattice->rest[p] = centers[p];
    scene_build(s);
    scene_clip(s, "bend", 0.5f);
    assert_ok(sn_lattice_skin_run(&s->job));
    for (uint32_t p = 0; p < 3; p++) {
        snVec3 blend = {0, 0, 0};
        for (uint32_t i = 0; i < 3; i++) {
            size_t at = (size_t)p * b->particles.influences + i;
            snVec3 posed = sn_mat4_point(&s->matrices[b->particles.joints[at]], centers[p]);
            blend = sn_add(blend, sn_scale(posed, b->particles.weights[at]));
        }
        assert_vec3_near(scene_point(s, p), blend, 2e-6f);
    }
    scene_destroy(s);
}

static void one_influence_is_rigid(void** state) {
    (void)state;
    Scene* s = scene_tube(3, 12);
    for (uint32_t p = 0; p < s->count; p++) scene_bind_one(s, p, p % 3);
    scene_build(s);
    scene_clip(s, "bend", 0.7f);
    assert_ok(sn_lattice_skin_run(&s->job));
    for (uint32_t p = 0; p < s->count; p++) {
        snVec3 posed = sn_mat4_point(&s->matrices[p % 3], s->binding->lattice->rest[p]);
        assert_vec3_near(scene_point(s, p), posed, 0.0f);
        for (int k = 0; k < 12; k++) {
            float m = k % 4 < 3 ? s->matrices[p % 3].m[k] : 0.0f;
            assert_near(s->rotations[p].m[k], m, 1e-6);
        }
    }
    scene_destroy(s);
}

// Half way between two joints that are half a turn apart every turn about the axis is as near: the heavier
// joint, or the first of two equals, has its way.
static void half_a_turn_is_finite_and_proper(void** state) {
    (void)state;
    Scene* s = scene_tube(2, 12);
    for (uint32_t p = 0; p < s->count; p++) {
        scene_bind_two(s, p, 0, 1, p % 2 == 0 ? 0.5f : 0.5f + 0.001f * (float)(p % 64) - 0.03f);
    }
    scene_build(s);
    for (int i = 0; i <= 20; i++) {
        float angle = SN_PI * (i == 10 ? 1.0f : 0.9f + 0.01f * (float)i);
        snVec3 elbow = sn_mat4_translation(&s->binding->binds[1]);
        snMat4 back = rigid_motion(sn_neg(elbow), sn_vec3(0, 1, 0), 0.0f);
        snMat4 turn = rigid_motion(elbow, sn_vec3(0, 1, 0), angle);
        s->matrices[0] = sn_mat4_identity();
        s->matrices[1] = sn_mat4_mul(&turn, &back);
        assert_ok(sn_lattice_skin_run(&s->job));
        all_are_rotations(s);
        for (uint32_t p = 0; p < s->count; p++) {
            snVec3 rest = sn_sub(s->binding->lattice->rest[p], elbow),
                   posed = sn_sub(scene_point(s, p), elbow);
            assert_near(sn_length(posed), sn_length(rest), 1e-5); // a tube keeps its radius
        }
    }
    scene_destroy(s);
}

// Joints twice as long along y, on a pose that turns nothing: the blend of the stretches about the center.
static void scaled_joints_stretch_before_the_turn(void** state) {
    (void)state;
    Scene* s = scene_tube(2, 12);
    snMat4 scale = sn_mat4_identity();
    scale.m[5] = 2.0f;
    snMat4 turn = rigid_motion(sn_vec3(0.5f, 0, 1), sn_vec3(1, 1, 0), 1.1f);
    s->matrices[0] = s->matrices[1] = sn_mat4_mul(&turn, &scale);
    assert_ok(sn_lattice_skin_run(&s->job));
    all_are_rotations(s);
    for (uint32_t p = 0; p < s->count; p++) {
        snVec3 posed = sn_mat4_point(&s->matrices[0], s->binding->lattice->rest[p]);
        assert_vec3_near(scene_point(s, p), posed, 6e-6f);
        assert_near(s->rotations[p].m[1], turn.m[1], 2e-6);
    }
    // One of two joints is scaled: nothing moves across the tube.
    s->matrices[0] = sn_mat4_identity();
    s->matrices[1] = scale;
    assert_ok(sn_lattice_skin_run(&s->job));
    for (uint32_t p = 0; p < s->count; p++) {
        snVec3 rest = s->binding->lattice->rest[p], posed = scene_point(s, p);
        assert_near(posed.x, rest.x, 1e-5);
        assert_near(posed.z, rest.z, 1e-5);
    }
    scene_destroy(s);
}

// Where the ways out cancel (a sheet one cell thick), boundary particles move away from the bone: off its
// segment, or from the joint where no further one follows.
static void without_a_way_out_it_leads_away_from_the_bone(void** state) {
    (void)state;
    Scene* s = scene_tube(2, 12);
    const snLattice* lattice = s->binding->lattice;
    for (uint32_t p = 0; p < s->count; p++) lattice->outward[p] = sn_vec3(0, 0, 0);
    scene_build(s);
    assert_ok(sn_lattice_skin_run(&s->job));
    float low = s->binding->binds[0].m[13], high = s->binding->binds[1].m[13];
    uint32_t seen[2] = {0, 0};
    for (uint32_t p = 0; p < s->count; p++) {
        snVec3 rest = lattice->rest[p], push = {s->pushes[p].x, s->pushes[p].y, s->pushes[p].z};
        uint32_t bone = s->binding->parts->bone_parts[p];
        float y = bone == 0 ? sn_clampf(rest.y, low, high) : high;
        snVec3 away = sn_normalize_or(sn_vec3(rest.x, rest.y - y, rest.z), sn_vec3(0, 0, 0));
        assert_vec3_near(push, lattice->depths[p] == 0 ? away : sn_vec3(0, 0, 0), 2e-6f);
        seen[bone] += lattice->depths[p] == 0;
    }
    assert_true(seen[0] > 20 && seen[1] > 20);
    scene_destroy(s);
}

static uint64_t hash_of(const Scene* s) {
    uint64_t hash = sn_hash_floats(SN_HASH_SEED, &s->points[0].x, (size_t)4 * s->count);
    hash = sn_hash_floats(hash, &s->pushes[0].x, (size_t)4 * s->count);
    return sn_hash_floats(hash, s->rotations[0].m, (size_t)12 * s->count);
}

static void check_levels(Scene* s) {
    s->job.level = SN_CPU_SCALAR;
    assert_ok(sn_lattice_skin_run(&s->job));
    uint64_t truth = hash_of(s);
    for (int level = SN_CPU_AUTO; level < SN_CPU_LEVEL_COUNT; level++) {
        s->job.level = (snCpuLevel)level;
        if (!sn_cpu_level_available(s->job.level)) {
            assert_int_equal(sn_lattice_skin_run(&s->job), SN_RESULT_UNSUPPORTED);
            continue;
        }
        static const uint32_t workers[] = {1, 3, 8};
        for (int k = 0; k < 3; k++) {
            snPool* pool = NULL;
            assert_ok(sn_pool_create(workers[k], &pool));
            snTasks tasks = sn_pool_tasks(pool);
            s->job.tasks = &tasks;
            memset(s->points, 0xff, s->count * sizeof *s->points);
            memset(s->rotations, 0xff, s->count * sizeof *s->rotations);
            assert_ok(sn_lattice_skin_run(&s->job));
            assert_true(hash_of(s) == truth);
            sn_pool_destroy(pool);
        }
        s->job.tasks = NULL;
    }
}

static void every_level_and_worker_count_gives_the_same_bits(void** state) {
    (void)state;
    Scene* s = scene_body();
    scene_clip(s, "jump", 0.3f);
    check_levels(s);
    scene_clip(s, "twist", 1.0f);
    check_levels(s);
    for (uint32_t j = 0; j < s->binding->joint_count; j += 3) s->matrices[j].m[4] *= 1.3f; // sheared
    check_levels(s);
    uint32_t random = 3;
    for (uint32_t j = 0; j < s->binding->joint_count; j++) {
        snRigid r = {test_random_rotation(&random), {0.0f, 0.0f, 0.0f}};
        s->matrices[j] = sn_mat4_from_rigid(&r);
    }
    check_levels(s);
    scene_destroy(s);
}

static void optional_outputs_may_be_left_out(void** state) {
    (void)state;
    Scene* s = scene_tube(3, 12);
    scene_clip(s, "bend", 0.5f);
    assert_ok(sn_lattice_skin_run(&s->job));
    uint64_t truth = sn_hash_floats(SN_HASH_SEED, &s->points[0].x, (size_t)4 * s->count);
    s->job.out_pushes = NULL;
    s->job.out_rotations = NULL;
    memset(s->points, 0, s->count * sizeof *s->points);
    assert_ok(sn_lattice_skin_run(&s->job));
    assert_true(sn_hash_floats(SN_HASH_SEED, &s->points[0].x, (size_t)4 * s->count) == truth);
    scene_destroy(s);
}

static void arguments_are_checked(void** state) {
    (void)state;
    Scene* s = scene_tube(2, 8);
    snLatticeSkin* skin = NULL;
    snError error = sn_error_none();
    assert_int_equal(sn_lattice_skin_create(NULL, 0, NULL, &skin, &error), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(error.code, SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_lattice_skin_create(s->binding, 0, NULL, NULL, &error), SN_RESULT_INVALID_ARGUMENT);
    assert_null(skin);
    assert_int_equal(sn_lattice_skin_run(NULL), SN_RESULT_INVALID_ARGUMENT);
    for (int spoil = 0; spoil < 4; spoil++) {
        snLatticeSkinJob job = s->job;
        if (spoil == 0) job.skin = NULL;
        if (spoil == 1) job.matrices = NULL;
        if (spoil == 2) job.out_points = NULL;
        if (spoil == 3) job.scratch = NULL;
        assert_int_equal(sn_lattice_skin_run(&job), SN_RESULT_INVALID_ARGUMENT);
    }
    s->binding->particles.joints[5] = 99;
    assert_int_equal(sn_lattice_skin_create(s->binding, 0, NULL, &skin, &error), SN_RESULT_BAD_DATA);
    assert_null(skin);
    sn_lattice_skin_destroy(NULL);
    scene_destroy(s);
}

static snResult build(const snAllocator* allocator, void* context) {
    snLatticeSkin* skin = NULL;
    snResult result = sn_lattice_skin_create(context, 0, allocator, &skin, NULL);
    if (result == SN_RESULT_OK) sn_lattice_skin_destroy(skin);
    return result;
}

static void survives_every_failing_allocation(void** state) {
    (void)state;
    Scene* s = scene_tube(2, 8);
    test_every_allocation(build, s->binding);
    scene_destroy(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rest_pose_is_the_identity),
        cmocka_unit_test(rigid_motion_commutes),
        cmocka_unit_test(standing_far_away_changes_nothing),
        cmocka_unit_test(a_joints_own_point_stays_put),
        cmocka_unit_test(centers_lie_between_the_joints),
        cmocka_unit_test(one_influence_is_rigid),
        cmocka_unit_test(half_a_turn_is_finite_and_proper),
        cmocka_unit_test(scaled_joints_stretch_before_the_turn),
        cmocka_unit_test(without_a_way_out_it_leads_away_from_the_bone),
        cmocka_unit_test(every_level_and_worker_count_gives_the_same_bits),
        cmocka_unit_test(optional_outputs_may_be_left_out),
        cmocka_unit_test(arguments_are_checked),
        cmocka_unit_test(survives_every_failing_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
