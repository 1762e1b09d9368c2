// Surfaces on splines: what every pose must keep, what samples cost, and the same bytes on every level.
#include "spline_scene.h"

static const float stiffnesses[] = {2.0f, 3.0f, 5.0f, 12.0f};
enum { STIFFNESSES = sizeof stiffnesses / sizeof stiffnesses[0] };

static const snVec3 UP = {0, 1, 0};

// ------------------------------------------------------------------------------------------------ identities

static void the_rest_pose_is_the_identity(void** state) {
    (void)state;
    static const uint32_t samples[] = {2, 3, 16, 32, 33, 256};
    for (int kind = 0; kind < 2; kind++) {
        Scene* s = kind == 0 ? scene_tube(4, 60, 16) : scene_body(3000);
        for (int i = 0; i < STIFFNESSES * 6; i++) {
            SceneDef def = scene_def(stiffnesses[i % STIFFNESSES], NULL);
            def.samples = samples[i / STIFFNESSES];
            scene_build(s, &def);
            scene_rest(s);
            scene_run(s);
            for (uint32_t p = 0; p < s->count; p++) {
                assert_true(sn_distance(s->out[p], s->points[p]) < 1e-6f * s->height);
                assert_vec3_near(s->out_normals[p], s->normals[p], 2e-6f);
            }
        }
        scene_destroy(s);
    }
}

static void moving_the_skeleton_moves_the_surface(void** state) {
    (void)state;
    uint32_t random = 11;
    for (int kind = 0; kind < 2; kind++) {
        Scene* s = kind == 0 ? scene_tube(4, 60, 16) : scene_body(3000);
        SceneDef def = scene_def(3.0f, NULL);
        scene_build(s, &def);
        snVec3* before = malloc(s->count * sizeof *before);
        snVec3* before_normals = malloc(s->count * sizeof *before_normals);
        for (int i = 0; i < 10; i++) {
            scene_rest(s);
            scene_random_pose(s, &random, i < 2 ? 0.0f : 0.7f);
            scene_run(s);
            memcpy(before, s->out, s->count * sizeof *before);
            memcpy(before_normals, s->out_normals, s->count * sizeof *before_normals);
            float size = i % 2 == 0 ? 1.0f : test_random_float(&random, 0.3f, 3.0f);
            snTrs motion = {sn_vec3(test_random_float(&random, -2, 2), 1, -1), test_random_rotation(&random),
                            sn_vec3(size, size, size)};
            snMat4 g = sn_mat4_from_trs(&motion);
            motion.scale = sn_vec3(1, 1, 1);
            snMat4 turn = sn_mat4_from_trs(&motion);
            for (uint32_t j = 0; j < s->joint_count; j++) s->matrices[j] = sn_mat4_mul(&g, &s->matrices[j]);
            memset(s->twists, 0, sn_splines_count(s->splines) * sizeof *s->twists);
            scene_run(s);
            for (uint32_t p = 0; p < s->count; p++) {
                assert_vec3_near(s->out[p], sn_mat4_point(&g, before[p]),
                                 1e-5f * s->height * sn_maxf(size, 1));
                assert_vec3_near(s->out_normals[p], sn_mat4_vector(&turn, before_normals[p]), 2e-3f);
            }
        }
        free(before);
        free(before_normals);
        scene_destroy(s);
    }
}

// --------------------------------------------------------------------------------------------------- samples

static float sampling_error(Scene* s) {
    float worst = 0.0f;
    scene_run(s);
    for (uint32_t p = 0; p < s->count; p++) {
        snMat4 m = scene_matrix(s, p);
        worst = sn_maxf(worst, sn_distance(s->out[p], sn_mat4_point(&m, s->points[p])));
    }
    return worst / s->height;
}

// Under 0.1 % of the body's height at 32 samples in a bend of 150 degrees, on the tube and on the body.
static void samples_hardly_show(void** state) {
    (void)state;
    Scene* tube = scene_tube(3, 96, 24);
    Scene* body = scene_body(6000);
    uint32_t elbow = scene_joint(body, "LeftLowerArm");
    for (int i = 0; i < 3; i++) {
        SceneDef def = scene_def(stiffnesses[i], NULL);
        scene_build(tube, &def);
        scene_rest(tube);
        tube->turns[1] = sn_quat_axis_angle(sn_vec3(1, 0, 0.3f), 150.0f * DEGREES);
        scene_pose(tube);
        float of_tube = sampling_error(tube);
        scene_build(body, &def);
        scene_rest(body);
        body->turns[elbow] = sn_quat_axis_angle(sn_vec3(0, 1, 0), -150.0f * DEGREES);
        scene_pose(body);
        float of_body = sampling_error(body);
        assert_true(of_tube < 1e-3f);
        assert_true(of_body < 1e-3f);
    }
    scene_destroy(tube);
    scene_destroy(body);
}

// ---------------------------------------------------------------------------------------------------- sweeps

// How far a point may move when a joint bends from `bend` on by a step. The bone beyond moves as a whole,
// `reach` metres around the joint. The tangent of the curve between them, at a place where its slope has q
// times as much of the second bone as of the first, stands at atan2(q sin b, 1 + q cos b), which grows by at
// most (1 + 1 / sin b) / 2 of the step beyond a right angle, and by at most the whole step before.
static float largest_move(float reach, float radius, float bend, float step) {
    float speed = bend > 0.5f * SN_PI ? 0.5f * (1.0f + 1.0f / sn_sin(bend)) : 1.0f;
    return (reach + radius * speed) * step;
}

typedef struct Sweep {
    snVec3* last;
    float worst; // of the bound
} Sweep;

static void sweep_step(Scene* s, Sweep* sweep, snQuat turn, float bound) {
    s->turns[1] = turn;
    scene_pose(s);
    scene_run(s);
    for (uint32_t p = 0; p < s->count && bound > 0.0f; p++)
        sweep->worst = sn_maxf(sweep->worst, sn_distance(s->out[p], sweep->last[p]) / bound);
    memcpy(sweep->last, s->out, s->count * sizeof *s->out);
}

static void bends_and_twists_do_not_jump(void** state) {
    (void)state;
    Scene* s = scene_tube(3, 48, 12);
    const float reach = 2.1f, radius = 0.2f, step = DEGREES;
    Sweep sweep = {.last = malloc(s->count * sizeof(snVec3))};
    for (int i = 0; i < STIFFNESSES; i++) {
        SceneDef def = scene_def(stiffnesses[i], NULL);
        scene_build(s, &def);
        for (int twist = 0; twist <= 270; twist += 90) {
            scene_rest(s);
            for (int bend = 0; bend <= 170; bend++) {
                snQuat turn = bent(sn_vec3(1, 0, 0), (float)bend * DEGREES, UP, (float)twist * DEGREES);
                sweep_step(s, &sweep, turn,
                           bend > 0 ? largest_move(reach, radius, (float)bend * DEGREES, step) : 0.0f);
            }
        }
        for (int bend = 0; bend <= 170; bend += 34) {
            scene_rest(s);
            for (int twist = 0; twist <= 360; twist++) {
                snQuat turn = bent(sn_vec3(1, 0, 0), (float)bend * DEGREES, UP, (float)twist * DEGREES);
                // The bone beyond turns about itself; joint 2's own points stay within it.
                sweep_step(s, &sweep, turn, twist > 0 ? 1.05f * radius * 1.5f * step : 0.0f);
            }
        }
        scene_rest(s);
        for (int both = 0; both <= 340; both++) {
            float bend = 0.5f * (float)both * DEGREES;
            snQuat turn = bent(sn_vec3(1, 0, 0), bend, UP, (float)both * DEGREES);
            sweep_step(s, &sweep, turn,
                       both > 0 ? largest_move(reach, radius, bend, 0.5f * step) + 1.5f * radius * step
                                : 0.0f);
        }
        assert_true(sweep.worst < 1.0f);
    }
    assert_true(sweep.worst > 0.3f); // the bound is not idle
    free(sweep.last);
    scene_destroy(s);
}

// -------------------------------------------------------------------------------------------------- sections

static double area(const snSection* section, const Scene* s) {
    return sn_section_area(section, s->mesh, s->out);
}

static double linear_area(Scene* s, const snSection* section) {
    snSkinJob job = {.point_count = s->count,
                     .points = s->points,
                     .influences = s->influences,
                     .joints = s->influence_joints,
                     .weights = s->weights,
                     .matrix_count = s->joint_count,
                     .matrices = s->matrices,
                     .out_points = s->out};
    assert_ok(sn_skin_linear_run(&job));
    return area(section, s);
}

// Twisted by any angle, the limb keeps its girth at the joint; linear skinning loses it at half a turn.
static void twisting_keeps_the_girth(void** state) {
    (void)state;
    Scene* s = scene_tube(3, 192, 48);
    for (int i = 0; i < STIFFNESSES; i++) {
        SceneDef def = scene_def(stiffnesses[i], NULL);
        scene_build(s, &def);
        snSection* section = NULL;
        assert_ok(sn_section_create(s->mesh, NULL, sn_vec3(0, 1.002f, 0), UP, NULL, &section, NULL));
        double rest = sn_section_area(section, s->mesh, s->points), least = 1.0, most = 1.0;
        scene_rest(s);
        for (int twist = 0; twist <= 360; twist++) {
            s->turns[1] = sn_quat_axis_angle(UP, (float)twist * DEGREES);
            scene_pose(s);
            scene_run(s);
            double now = area(section, s) / rest;
            least = now < least ? now : least;
            most = now > most ? now : most;
            if (twist == 180) assert_true(linear_area(s, section) / rest < 0.05);
        }
        assert_true(least > 0.98 && most < 1.02);
        sn_section_destroy(section);
    }
    scene_destroy(s);
}

// The girth of all the limb: what samples cost is worst where the twist is spread over few of them.
static void half_a_twist_keeps_the_girth_everywhere(void** state) {
    (void)state;
    Scene* s = scene_tube(3, 384, 48);
    for (int i = 0; i < 3; i++) {
        SceneDef def = scene_def(stiffnesses[i], NULL);
        scene_build(s, &def);
        scene_rest(s);
        s->turns[1] = sn_quat_axis_angle(UP, SN_PI);
        scene_pose(s);
        scene_run(s);
        for (float y = 0.3f; y < 1.8f; y += 0.05f) {
            snSection* section = NULL;
            assert_ok(sn_section_create(s->mesh, NULL, sn_vec3(0, y + 0.001f, 0), UP, NULL, &section, NULL));
            double rest = sn_section_area(section, s->mesh, s->points);
            assert_near(area(section, s) / rest, 1.0, 0.02);
            sn_section_destroy(section);
        }
    }
    scene_destroy(s);
}

// ---------------------------------------------------------------------------------------- levels and workers

static uint64_t hash_of(const Scene* s) {
    uint64_t hash = sn_hash_bytes(SN_HASH_SEED, s->out, s->count * sizeof *s->out);
    hash = sn_hash_bytes(hash, s->samples, sn_splines_matrix_count(s->splines) * sizeof *s->samples);
    return sn_hash_bytes(hash, s->out_normals, s->count * sizeof *s->out_normals);
}

static void every_level_and_worker_count_gives_the_same_bits(void** state) {
    (void)state;
    Scene* s = scene_body(6000);
    uint32_t random = 17;
    for (int kind = 0; kind < 4; kind++) {
        SceneDef def = scene_def(kind == 0 ? 2.0f : 3.7f, NULL);
        def.samples = kind == 1 ? 7 : 32;
        def.no_normals = kind == 2;
        scene_build(s, &def);
        scene_rest(s);
        scene_random_pose(s, &random, 1.2f);
        if (kind == 3) s->matrices[5].m[0] *= 1.5f;
        memset(s->twists, 0, sn_splines_count(s->splines) * sizeof *s->twists);
        scene_run_at(s, SN_CPU_SCALAR, NULL);
        uint64_t reference = hash_of(s);
        for (int level = SN_CPU_AUTO; level < SN_CPU_LEVEL_COUNT; level++) {
            if (!sn_cpu_level_available((snCpuLevel)level)) continue;
            for (uint32_t workers = 1; workers <= 8; workers += workers < 3 ? 2 : 5) {
                snPool* pool = NULL;
                assert_ok(sn_pool_create(workers, &pool));
                snTasks tasks = sn_pool_tasks(pool);
                memset(s->out, 0xff, s->count * sizeof *s->out);
                memset(s->twists, 0, sn_splines_count(s->splines) * sizeof *s->twists);
                scene_run_at(s, (snCpuLevel)level, &tasks);
                assert_true(hash_of(s) == reference);
                sn_pool_destroy(pool);
            }
        }
    }
    scene_destroy(s);
}

// Points given for one frame hang where the Def's own do.
static void points_may_be_given_for_a_frame(void** state) {
    (void)state;
    Scene* s = scene_tube(3, 30, 8);
    SceneDef def = scene_def(2.0f, NULL);
    scene_build(s, &def);
    uint32_t random = 18;
    scene_rest(s);
    scene_random_pose(s, &random, 1.0f);
    scene_run(s);
    snVec3* plain = malloc(s->count * sizeof *plain);
    snVec3* given = malloc(s->count * sizeof *given);
    memcpy(plain, s->out, s->count * sizeof *plain);
    memcpy(given, s->points, s->count * sizeof *given);
    for (int shift = 0; shift < 2; shift++) {
        snVec3 by = sn_vec3(shift == 1 ? 0.1f : 0.0f, 0.0f, 0.0f);
        for (uint32_t p = 0; p < s->count; p++) given[p] = sn_add(s->points[p], by);
        snSplineSkinJob job = {.skin = s->skin,
                               .matrices = s->samples,
                               .points = given,
                               .normals = s->normals,
                               .out_points = s->out,
                               .out_normals = s->out_normals};
        for (int level = SN_CPU_AUTO; level < SN_CPU_LEVEL_COUNT; level++) {
            job.level = (snCpuLevel)level;
            if (!sn_cpu_level_available(job.level)) {
                assert_int_equal(sn_spline_skin_run(&job), SN_RESULT_UNSUPPORTED);
                continue;
            }
            assert_ok(sn_spline_skin_run(&job));
            if (shift == 0) assert_memory_equal(s->out, plain, s->count * sizeof *plain);
            for (uint32_t p = 0; p < s->count; p++)
                assert_near(sn_distance(s->out[p], plain[p]), shift == 0 ? 0.0f : 0.1f, 1e-3f);
        }
    }
    free(plain);
    free(given);
    scene_destroy(s);
}

// ------------------------------------------------------------------------------------------------- bad input

static void matrices_that_are_no_numbers_do_no_harm(void** state) {
    (void)state;
    static const float bad[] = {NAN, INFINITY, -INFINITY, 3e38f, 1e-40f, 0.0f};
    Scene* s = scene_tube(3, 30, 8);
    SceneDef def = scene_def(2.0f, NULL);
    scene_build(s, &def);
    for (int i = 0; i < 6 * 17; i++) {
        scene_rest(s);
        for (int k = 0; k < 16; k++) {
            if (i % 17 == 16 || i % 17 == k) s->matrices[1].m[k] = bad[i / 17];
        }
        scene_run(s);
        // Once the pose is whole again, so is the surface.
        scene_rest(s);
        scene_run(s);
        for (uint32_t p = 0; p < s->count; p++) assert_vec3_near(s->out[p], s->points[p], 1e-5f);
    }
    scene_destroy(s);
}

static void bad_definitions_are_refused(void** state) {
    (void)state;
    Scene* s = scene_tube(3, 30, 8);
    SceneDef scene = scene_def(2.0f, NULL);
    scene_build(s, &scene);
    for (int spoil = 0; spoil < 11; spoil++) {
        snSplineSkinDef def = scene_skin_def(s, &scene);
        float weight = s->weights[9];
        snVec3 point = s->points[9 / s->influences];
        if (spoil == 0) def.splines = NULL;
        if (spoil == 1) def.influences = 0;
        if (spoil == 2) def.points = NULL;
        if (spoil == 3) def.joints = NULL;
        if (spoil == 4) def.weights = NULL;
        if (spoil == 6) s->influence_joints[9] = 3;
        if (spoil == 7) s->weights[9] = NAN;
        if (spoil == 8) s->weights[9] = INFINITY;
        if (spoil == 9) s->weights[9] = -0.1f;
        if (spoil == 10) s->points[9 / s->influences].z = NAN;
        snSplineSkin* skin = NULL;
        snError error = sn_error_none();
        snResult expected = spoil > 5 ? SN_RESULT_BAD_DATA : SN_RESULT_INVALID_ARGUMENT;
        assert_int_equal(sn_spline_skin_create(spoil == 5 ? NULL : &def, NULL, &skin, &error), expected);
        assert_null(skin);
        assert_true(error.text[0] != '\0');
        assert_int_equal(error.vertex, spoil > 5 ? 9 / s->influences : SN_NONE);
        s->influence_joints[9] = 0;
        s->weights[9] = weight;
        s->points[9 / s->influences] = point;
    }
    snSplineSkinDef def = scene_skin_def(s, &scene);
    assert_int_equal(sn_spline_skin_create(&def, NULL, NULL, NULL), SN_RESULT_INVALID_ARGUMENT);
    sn_spline_skin_destroy(NULL);
    snSplineSkin* none = NULL;
    def.point_count = 0;
    assert_ok(sn_spline_skin_create(&def, NULL, &none, NULL));
    snSplineSkinJob job = {.skin = none};
    assert_ok(sn_spline_skin_run(&job));
    sn_spline_skin_destroy(none);
    scene_destroy(s);
}

static void jobs_are_checked(void** state) {
    (void)state;
    Scene* s = scene_tube(3, 30, 8);
    SceneDef def = scene_def(2.0f, NULL);
    scene_build(s, &def);
    scene_rest(s);
    scene_run(s);
    assert_int_equal(sn_spline_skin_run(NULL), SN_RESULT_INVALID_ARGUMENT);
    for (int normals = 0; normals < 2; normals++) {
        def.no_normals = normals == 0;
        scene_build(s, &def);
        for (int spoil = 0; spoil < 5; spoil++) {
            snSplineSkinJob job = {.skin = s->skin,
                                   .matrices = s->samples,
                                   .out_points = s->out,
                                   .out_normals = normals == 1 ? s->out_normals : NULL};
            if (spoil == 0) job.skin = NULL;
            if (spoil == 1) job.matrices = NULL;
            if (spoil == 2) job.out_points = NULL;
            if (spoil == 3) job.out_normals = normals == 1 ? NULL : s->out_normals;
            if (spoil == 4) job.normals = s->normals;
            bool good = spoil == 4 && normals == 1;
            assert_int_equal(sn_spline_skin_run(&job), good ? SN_RESULT_OK : SN_RESULT_INVALID_ARGUMENT);
        }
    }
    scene_destroy(s);
}

static snResult build(const snAllocator* allocator, void* context) {
    snSplineSkin* skin = NULL;
    snResult result = sn_spline_skin_create(context, allocator, &skin, NULL);
    sn_spline_skin_destroy(skin);
    return result;
}

static void survives_every_failing_allocation(void** state) {
    (void)state;
    Scene* s = scene_tube(3, 30, 8);
    SceneDef def = scene_def(2.0f, NULL);
    scene_build(s, &def);
    snSplineSkinDef skin = scene_skin_def(s, &def);
    test_every_allocation(build, &skin);
    scene_destroy(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_rest_pose_is_the_identity),
        cmocka_unit_test(moving_the_skeleton_moves_the_surface),
        cmocka_unit_test(samples_hardly_show),
        cmocka_unit_test(bends_and_twists_do_not_jump),
        cmocka_unit_test(twisting_keeps_the_girth),
        cmocka_unit_test(half_a_twist_keeps_the_girth_everywhere),
        cmocka_unit_test(every_level_and_worker_count_gives_the_same_bits),
        cmocka_unit_test(points_may_be_given_for_a_frame),
        cmocka_unit_test(matrices_that_are_no_numbers_do_no_harm),
        cmocka_unit_test(bad_definitions_are_refused),
        cmocka_unit_test(jobs_are_checked),
        cmocka_unit_test(survives_every_failing_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
