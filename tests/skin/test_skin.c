// Skinning: properties, every level against the scalar reference bit for bit, the plan against the plain job.
#include <stdlib.h>
#include <string.h>

#include "skin/kernels.h"
#include "support.h"

enum { JOINTS = 40, POINTS = 5000 };

typedef struct Scene {
    uint32_t influences;
    snVec3 points[POINTS], normals[POINTS];
    uint16_t* joints;
    float* weights;
    snMat4 matrices[JOINTS];
    snVec3 out_points[POINTS], out_normals[POINTS];
    _Alignas(64) unsigned char scratch[JOINTS * 256];
} Scene;

// Points around a line with neighbouring joints blended, as on a character; some with one joint only.
static Scene* scene_create(uint32_t influences, bool rigid) {
    Scene* s = calloc(1, sizeof *s);
    s->influences = influences;
    s->joints = calloc((size_t)POINTS * influences, sizeof *s->joints);
    s->weights = calloc((size_t)POINTS * influences, sizeof *s->weights);
    uint32_t random = 77;
    for (uint32_t p = 0; p < POINTS; p++) {
        s->points[p] = sn_vec3(test_random_float(&random, -1, 1), test_random_float(&random, -1, 1),
                               test_random_float(&random, -1, 1));
        s->normals[p] = sn_quat_rotate(test_random_rotation(&random), sn_vec3(0, 0, 1));
        uint32_t first = p * (JOINTS - influences) / POINTS;
        uint32_t used = p % 7 == 0 ? 1 : 1 + test_random(&random) % influences;
        float sum = 0.0f;
        for (uint32_t i = 0; i < influences; i++) {
            s->joints[p * influences + i] = (uint16_t)(i < used ? first + i : 0);
            s->weights[p * influences + i] = i < used ? test_random_float(&random, 0.1f, 1.0f) : 0.0f;
            sum += s->weights[p * influences + i];
        }
        for (uint32_t i = 0; i < influences; i++) s->weights[p * influences + i] /= sum;
        if (used <
            influences) { // joints of a point in rising order, the unused ones too, as the plan sums them
            for (uint32_t i = used; i < influences; i++)
                s->joints[p * influences + i] = (uint16_t)(first + i);
        }
    }
    for (uint32_t j = 0; j < JOINTS; j++) {
        snTrs trs = {sn_vec3(test_random_float(&random, -3, 3), 0, 1), test_random_rotation(&random),
                     sn_vec3(1, 1, 1)};
        if (!rigid)
            trs.scale =
                sn_vec3(test_random_float(&random, 0.5f, 2), test_random_float(&random, 0.5f, 2), 1.25f);
        s->matrices[j] = sn_mat4_from_trs(&trs);
    }
    return s;
}

static void scene_destroy(Scene* s) {
    free(s->joints);
    free(s->weights);
    free(s);
}

static snSkinJob job_of(Scene* s) {
    snSkinJob job = {.point_count = POINTS,
                     .points = s->points,
                     .normals = s->normals,
                     .influences = s->influences,
                     .joints = s->joints,
                     .weights = s->weights,
                     .matrix_count = JOINTS,
                     .matrices = s->matrices,
                     .out_points = s->out_points,
                     .out_normals = s->out_normals,
                     .scratch = s->scratch};
    return job;
}

static uint64_t hash_of(const Scene* s) {
    uint64_t hash = sn_hash_floats(SN_HASH_SEED, &s->out_points[0].x, 3 * POINTS);
    return sn_hash_floats(hash, &s->out_normals[0].x, 3 * POINTS);
}

typedef snResult RunFn(const snSkinJob* job);

static void every_level_and_worker_count_gives_the_same_bits(void** state) {
    (void)state;
    assert_true(sn_skin_dual_scratch_size(JOINTS) <= sizeof((Scene*)NULL)->scratch);
    static const uint32_t influences[] = {1, 2, 3, 4, 8};
    RunFn* methods[] = {sn_skin_linear_run, sn_skin_dual_run};
    for (size_t k = 0; k < sizeof influences / sizeof influences[0]; k++) {
        for (int m = 0; m < 4; m++) {
            Scene* s = scene_create(influences[k], m < 2);
            snSkinJob job = job_of(s);
            job.level = SN_CPU_SCALAR;
            assert_ok(methods[m % 2](&job));
            uint64_t reference = hash_of(s);
            for (int level = SN_CPU_AUTO; level < SN_CPU_LEVEL_COUNT; level++) {
                job.level = (snCpuLevel)level;
                if (!sn_cpu_level_available(job.level)) {
                    assert_int_equal(methods[m % 2](&job), SN_RESULT_UNSUPPORTED);
                    continue;
                }
                for (uint32_t workers = 1; workers <= 8; workers += workers < 3 ? 1 : 5) {
                    snPool* pool = NULL;
                    assert_ok(sn_pool_create(workers, &pool));
                    snTasks tasks = sn_pool_tasks(pool);
                    job.tasks = &tasks;
                    memset(s->out_points, 0xff, sizeof s->out_points);
                    assert_ok(methods[m % 2](&job));
                    assert_true(hash_of(s) == reference);
                    sn_pool_destroy(pool);
                }
                job.tasks = NULL;
            }
            scene_destroy(s);
        }
    }
}

static snSkinPlan* plan_of(const Scene* s, bool normals) {
    snSkinPlanDef def = {POINTS, s->points, normals ? s->normals : NULL, s->influences, s->joints, s->weights,
                         JOINTS, NULL};
    snSkinPlan* plan = NULL;
    assert_ok(sn_skin_plan_create(&def, NULL, &plan, NULL));
    return plan;
}

static void expect_plan_equals(Scene* s, RunFn* plain_run, snResult (*plan_run)(const snSkinPlanJob* job)) {
    snSkinJob plain = job_of(s);
    plain.level = SN_CPU_SCALAR;
    assert_ok(plain_run(&plain));
    uint64_t reference = hash_of(s);
    snSkinPlan* plan = plan_of(s, true);
    for (int level = SN_CPU_AUTO; level < SN_CPU_LEVEL_COUNT; level++) {
        if (!sn_cpu_level_available((snCpuLevel)level)) continue;
        memset(s->out_points, 0xff, sizeof s->out_points);
        memset(s->out_normals, 0xff, sizeof s->out_normals);
        snSkinPlanJob job = {.plan = plan,
                             .matrices = s->matrices,
                             .out_points = s->out_points,
                             .out_normals = s->out_normals,
                             .level = (snCpuLevel)level,
                             .scratch = s->scratch};
        assert_ok(plan_run(&job));
        assert_true(hash_of(s) == reference);
    }
    sn_skin_plan_destroy(plan);
}

static void plan_equals_the_plain_job(void** state) {
    (void)state;
    static const uint32_t influences[] = {1, 2, 4, 8};
    for (size_t k = 0; k < sizeof influences / sizeof influences[0]; k++) {
        for (int rigid = 0; rigid < 2; rigid++) {
            Scene* s = scene_create(influences[k], rigid != 0);
            expect_plan_equals(s, sn_skin_linear_run, sn_skin_plan_run);
            expect_plan_equals(s, sn_skin_dual_run, sn_skin_plan_dual_run);
            scene_destroy(s);
        }
    }
}

// Half turns that cancel: the plan too follows the heaviest, and of equal ones the first.
static void plan_follows_the_heaviest_where_turns_cancel(void** state) {
    (void)state;
    Scene* s = scene_create(2, true);
    for (uint32_t p = 0; p < POINTS; p++) {
        s->weights[2 * p] = p % 3 == 0 ? 0.5f : 0.25f;
        s->weights[2 * p + 1] = 1.0f - s->weights[2 * p];
    }
    for (uint32_t j = 0; j < JOINTS; j++) {
        snTrs trs = {sn_vec3(0, 0, (float)j), sn_quat_axis_angle(sn_vec3(1, 0, 0), (float)j * 3.14159265f),
                     sn_vec3(1, 1, 1)};
        s->matrices[j] = sn_mat4_from_trs(&trs);
    }
    expect_plan_equals(s, sn_skin_dual_run, sn_skin_plan_dual_run);
    scene_destroy(s);
}

static void plan_without_normals_writes_points_only(void** state) {
    (void)state;
    Scene* s = scene_create(4, true);
    snSkinPlan* plan = plan_of(s, false);
    snSkinPlanJob job = {.plan = plan, .matrices = s->matrices, .out_points = s->out_points};
    assert_ok(sn_skin_plan_run(&job));
    assert_int_equal(sn_skin_plan_dual_run(&job), SN_RESULT_INVALID_ARGUMENT); // no scratch
    job.out_normals = s->out_normals;
    assert_int_equal(sn_skin_plan_run(&job), SN_RESULT_INVALID_ARGUMENT);
    sn_skin_plan_destroy(plan);
    scene_destroy(s);
}

// Points of different groups share no block, whole sets and what is left of them, and move as without groups.
static void plan_keeps_groups_apart(void** state) {
    (void)state;
    static const uint32_t group_counts[] = {1, 2, 7, 300};
    Scene* s = scene_create(4, false);
    snSkinJob plain = job_of(s);
    assert_ok(sn_skin_linear_run(&plain));
    uint64_t reference = hash_of(s);
    uint32_t* groups = malloc(POINTS * sizeof *groups);
    uint8_t* seen = malloc(POINTS);
    uint32_t random = 9;
    for (int g = 0; g < 4; g++) {
        for (uint32_t p = 0; p < POINTS; p++) groups[p] = test_random(&random) % group_counts[g] * 1000003u;
        snSkinPlanDef def = {POINTS, s->points, s->normals, 4, s->joints, s->weights, JOINTS, groups};
        snSkinPlan* plan = NULL;
        assert_ok(sn_skin_plan_create(&def, NULL, &plan, NULL));
        memset(seen, 0, POINTS);
        for (uint32_t i = 0; i < plan->block_count * SNI_BLOCK; i++) {
            assert_int_equal(groups[plan->index[i]], plan->blocks[i / SNI_BLOCK].group);
            seen[plan->index[i]] = 1;
        }
        for (uint32_t p = 0; p < POINTS; p++) assert_int_equal(seen[p], 1);
        memset(s->out_points, 0xff, sizeof s->out_points);
        snSkinPlanJob job = {.plan = plan,
                             .matrices = s->matrices,
                             .out_points = s->out_points,
                             .out_normals = s->out_normals};
        assert_ok(sn_skin_plan_run(&job));
        assert_true(hash_of(s) == reference);
        sn_skin_plan_destroy(plan);
    }
    free(groups);
    free(seen);
    scene_destroy(s);
}

static void rest_pose_is_the_identity(void** state) {
    (void)state;
    RunFn* methods[] = {sn_skin_linear_run, sn_skin_dual_run};
    for (int m = 0; m < 2; m++) {
        Scene* s = scene_create(4, true);
        for (uint32_t j = 0; j < JOINTS; j++) s->matrices[j] = sn_mat4_identity();
        snSkinJob job = job_of(s);
        assert_ok(methods[m](&job));
        for (uint32_t p = 0; p < POINTS; p++) {
            assert_vec3_near(s->out_points[p], s->points[p], 1e-6f);
            assert_vec3_near(s->out_normals[p], s->normals[p], 1e-6f);
        }
        scene_destroy(s);
    }
}

// Moving the whole skeleton moves the result along.
static void rigid_motion_commutes(void** state) {
    (void)state;
    RunFn* methods[] = {sn_skin_linear_run, sn_skin_dual_run};
    uint32_t random = 5;
    for (int m = 0; m < 2; m++) {
        Scene* s = scene_create(4, m == 1);
        snSkinJob job = job_of(s);
        assert_ok(methods[m](&job));
        snVec3* before = malloc(sizeof s->out_points);
        snVec3* before_normals = malloc(sizeof s->out_normals);
        memcpy(before, s->out_points, sizeof s->out_points);
        memcpy(before_normals, s->out_normals, sizeof s->out_normals);
        snTrs motion = {sn_vec3(1, 2, 3), test_random_rotation(&random), sn_vec3(1, 1, 1)};
        snMat4 g = sn_mat4_from_trs(&motion);
        for (uint32_t j = 0; j < JOINTS; j++) s->matrices[j] = sn_mat4_mul(&g, &s->matrices[j]);
        assert_ok(methods[m](&job));
        for (uint32_t p = 0; p < POINTS; p++) {
            assert_vec3_near(s->out_points[p], sn_mat4_point(&g, before[p]), 2e-5f);
            assert_vec3_near(s->out_normals[p], sn_mat4_vector(&g, before_normals[p]), 1e-3f);
        }
        free(before);
        free(before_normals);
        scene_destroy(s);
    }
}

// A plane stays perpendicular to its normal under scale and shear.
static void normals_follow_scale_and_shear(void** state) {
    (void)state;
    snMat4 shear = sn_mat4_identity();
    shear.m[0] = 3.0f;
    shear.m[4] = 0.7f;
    shear.m[9] = -0.4f;
    snVec3 n = sn_normalize_or(sn_vec3(1, 1, 0.5f), sn_vec3(0, 0, 1));
    snVec3 u = sn_cross(n, sn_vec3(1, 0, 0)), v = sn_cross(n, u);
    uint16_t joint = 0;
    float weight = 1.0f;
    snVec3 origin = {0, 0, 0}, out, turned;
    _Alignas(16) unsigned char scratch[256];
    snSkinJob job = {.point_count = 1,
                     .points = &origin,
                     .normals = &n,
                     .influences = 1,
                     .joints = &joint,
                     .weights = &weight,
                     .matrix_count = 1,
                     .matrices = &shear,
                     .out_points = &out,
                     .out_normals = &turned,
                     .scratch = scratch};
    RunFn* methods[] = {sn_skin_linear_run, sn_skin_dual_run};
    for (int m = 0; m < 2; m++) {
        assert_ok(methods[m](&job));
        assert_near(sn_length(turned), 1.0, 1e-6);
        assert_near(sn_dot(turned, sn_mat4_vector(&shear, u)), 0.0, 1e-5);
        assert_near(sn_dot(turned, sn_mat4_vector(&shear, v)), 0.0, 1e-5);
    }
    snMat4 nothing = {{0}};
    job.matrices = &nothing;
    assert_ok(sn_skin_linear_run(&job));
    assert_vec3_near(turned, n, 0.0f); // no direction left: the rest normal
}

// One point between two joints, the second turned about y.
typedef struct Pair {
    snMat4 matrices[2];
    snVec3 point, out;
    uint16_t joints[2];
    float weights[2];
    _Alignas(16) unsigned char scratch[512];
    snSkinJob job;
} Pair;

static void pair_create(Pair* pair, snVec3 point, float weight, float radians) {
    snTrs turn = {sn_vec3(0, 0, 0), sn_quat_axis_angle(sn_vec3(0, 1, 0), radians), sn_vec3(1, 1, 1)};
    *pair = (Pair){.matrices = {sn_mat4_identity(), sn_mat4_from_trs(&turn)},
                   .point = point,
                   .joints = {0, 1},
                   .weights = {weight, weight}};
    pair->job = (snSkinJob){.point_count = 1,
                            .points = &pair->point,
                            .influences = 2,
                            .joints = pair->joints,
                            .weights = pair->weights,
                            .matrix_count = 2,
                            .matrices = pair->matrices,
                            .out_points = &pair->out,
                            .scratch = pair->scratch};
}

// Half way between no turn and half a turn, linear skinning collapses a tube and dual quaternions keep its
// radius.
static void twist_shows_the_difference(void** state) {
    (void)state;
    Pair pair;
    pair_create(&pair, sn_vec3(0.3f, 1, 0), 0.5f, SN_PI * 0.999f);
    assert_ok(sn_skin_linear_run(&pair.job));
    assert_true(sqrtf(pair.out.x * pair.out.x + pair.out.z * pair.out.z) < 0.01f);
    assert_ok(sn_skin_dual_run(&pair.job));
    assert_near(sqrtf(pair.out.x * pair.out.x + pair.out.z * pair.out.z), 0.3, 1e-5);
}

// 350 degrees and -10 degrees are the same rotation; blending with the identity must not go the long way.
static void quaternion_signs_do_not_matter(void** state) {
    (void)state;
    Pair pair;
    pair_create(&pair, sn_vec3(1, 0, 0), 0.5f, SN_PI * 350.0f / 180.0f);
    assert_ok(sn_skin_dual_run(&pair.job));
    float five = SN_PI * 5.0f / 180.0f;
    assert_vec3_near(pair.out, sn_vec3(sn_cos(five), 0, sn_sin(five)), 1e-5f);
}

// Twisted on and on and back again, skin half way between two joints turns half as far, past half a turn too;
// by itself each frame would take the short way and jump over. After two thirds it has gone round.
static void turns_go_on_past_half_a_round(void** state) {
    (void)state;
    const uint32_t parents[] = {SN_NONE, 0}, order[] = {0, 1};
    snQuat last[2] = {{0}};
    const snDualSigns turns = {parents, order, last};
    const float degree = SN_PI / 180.0f;
    for (int step = 0; step <= 460; step++) {
        float angle = degree * (float)(step <= 230 ? step : 460 - step);
        Pair pair;
        pair_create(&pair, sn_vec3(1, 0, 0), 0.5f, angle);
        pair.job.turns = &turns;
        assert_ok(sn_skin_dual_run(&pair.job));
        assert_vec3_near(pair.out, sn_vec3(sn_cos(0.5f * angle), 0, -sn_sin(0.5f * angle)), 1e-5f);
    }
    Pair far;
    pair_create(&far, sn_vec3(1, 0, 0), 0.5f, 250.0f * degree);
    far.job.turns = &turns;
    assert_ok(sn_skin_dual_run(&far.job));
    assert_vec3_near(far.out, sn_vec3(sn_cos(55.0f * degree), 0, sn_sin(55.0f * degree)), 1e-5f);
}

// Two children a long way apart, each less than half a turn from the joint they hang on: between them skin
// goes by that joint.
static void siblings_meet_at_their_parent(void** state) {
    (void)state;
    const uint32_t parents[] = {2, 2, SN_NONE}, order[] = {2, 1, 0};
    snQuat last[3] = {{0}};
    const snDualSigns turns = {parents, order, last};
    snMat4 matrices[3];
    for (int j = 0; j < 3; j++) {
        float angle = j == 2 ? 0.0f : j == 1 ? 1.9f : -1.9f;
        snTrs trs = {sn_vec3(0, 0, 0), sn_quat_axis_angle(sn_vec3(0, 1, 0), angle), sn_vec3(1, 1, 1)};
        matrices[j] = sn_mat4_from_trs(&trs);
    }
    const snVec3 point = {1, 0, 0};
    const uint16_t joints[] = {0, 1};
    const float weights[] = {0.5f, 0.5f};
    snVec3 out;
    _Alignas(16) unsigned char scratch[3 * 256];
    snSkinJob job = {.point_count = 1,
                     .points = &point,
                     .influences = 2,
                     .joints = joints,
                     .weights = weights,
                     .matrix_count = 3,
                     .matrices = matrices,
                     .out_points = &out,
                     .scratch = scratch};
    assert_ok(sn_skin_dual_run(&job)); // the short way is behind the parent's back
    assert_vec3_near(out, sn_vec3(-1, 0, 0), 1e-5f);
    job.turns = &turns;
    assert_ok(sn_skin_dual_run(&job));
    assert_vec3_near(out, point, 1e-5f);
}

// The plan and the plain job, on every level, have the same bits where joints know which way they go.
static void turns_have_the_same_bits_everywhere(void** state) {
    (void)state;
    Scene* s = scene_create(4, false);
    uint32_t parents[JOINTS], order[JOINTS];
    snQuat last[JOINTS];
    const snDualSigns turns = {parents, order, last};
    for (uint32_t j = 0; j < JOINTS; j++) {
        order[j] = j;
        parents[j] = j > 0 ? (j - 1) / 2 : SN_NONE;
    }
    snSkinPlan* plan = plan_of(s, true);
    uint64_t reference = 0;
    for (int level = SN_CPU_SCALAR; level < SN_CPU_LEVEL_COUNT; level++) {
        if (!sn_cpu_level_available((snCpuLevel)level)) continue;
        snSkinJob job = job_of(s);
        job.turns = &turns;
        job.level = (snCpuLevel)level;
        memset(last, 0, sizeof last);
        assert_ok(sn_skin_dual_run(&job));
        if (level == SN_CPU_SCALAR) reference = hash_of(s);
        assert_true(hash_of(s) == reference);
        snSkinPlanJob planned = {.plan = plan,
                                 .matrices = s->matrices,
                                 .out_points = s->out_points,
                                 .out_normals = s->out_normals,
                                 .level = (snCpuLevel)level,
                                 .scratch = s->scratch,
                                 .turns = &turns};
        memset(s->out_points, 0xff, sizeof s->out_points);
        memset(last, 0, sizeof last);
        assert_ok(sn_skin_plan_dual_run(&planned));
        assert_true(hash_of(s) == reference);
    }
    sn_skin_plan_destroy(plan);
    scene_destroy(s);
}

// Without any weight there is no mean rotation; the point follows its first joint instead of becoming NaN.
static void no_mean_rotation_follows_the_heaviest(void** state) {
    (void)state;
    Pair pair;
    pair_create(&pair, sn_vec3(1, 2, 3), 0.0f, 1.0f);
    assert_ok(sn_skin_dual_run(&pair.job));
    assert_vec3_near(pair.out, pair.point, 1e-6f);
}

static void jobs_are_checked(void** state) {
    (void)state;
    Scene* s = scene_create(4, true);
    RunFn* methods[] = {sn_skin_linear_run, sn_skin_dual_run};
    for (int m = 0; m < 2; m++) {
        assert_int_equal(methods[m](NULL), SN_RESULT_INVALID_ARGUMENT);
        for (int spoil = 0; spoil < 8; spoil++) {
            snSkinJob job = job_of(s);
            if (spoil == 0) job.points = NULL;
            if (spoil == 1) job.joints = NULL;
            if (spoil == 2) job.weights = NULL;
            if (spoil == 3) job.matrices = NULL;
            if (spoil == 4) job.out_points = NULL;
            if (spoil == 5) job.influences = 0;
            if (spoil == 6) job.out_normals = NULL;
            if (spoil == 7) job.matrix_count = 0;
            assert_int_equal(methods[m](&job), SN_RESULT_INVALID_ARGUMENT);
        }
        snSkinJob none = {0};
        assert_ok(methods[m](&none));
    }
    snSkinJob job = job_of(s);
    job.scratch = NULL;
    assert_int_equal(sn_skin_dual_run(&job), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_skin_plan_run(NULL), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_skin_plan_dual_run(NULL), SN_RESULT_INVALID_ARGUMENT);

    snSkinPlan* plan = NULL;
    snError error;
    snSkinPlanDef def = {POINTS, s->points, NULL, 4, s->joints, s->weights, 10, NULL};
    assert_int_equal(sn_skin_plan_create(&def, NULL, &plan, &error), SN_RESULT_BAD_DATA);
    assert_true(error.vertex != SN_NONE);
    def.matrix_count = 0;
    assert_int_equal(sn_skin_plan_create(&def, NULL, &plan, &error), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_skin_plan_create(NULL, NULL, &plan, &error), SN_RESULT_INVALID_ARGUMENT);
    uint16_t many_joints[100];
    float many_weights[100];
    for (uint16_t i = 0; i < 100; i++) many_joints[i] = i, many_weights[i] = 0.01f;
    snSkinPlanDef many = {1, s->points, NULL, 100, many_joints, many_weights, 100, NULL};
    assert_int_equal(sn_skin_plan_create(&many, NULL, &plan, &error), SN_RESULT_UNSUPPORTED);
    assert_null(plan);
    snSkinPlanDef empty = {.influences = 1, .matrix_count = 1};
    assert_ok(sn_skin_plan_create(&empty, NULL, &plan, NULL));
    snSkinPlanJob nothing = {.plan = plan};
    assert_ok(sn_skin_plan_run(&nothing));
    assert_ok(sn_skin_plan_dual_run(&nothing));
    sn_skin_plan_destroy(plan);
    sn_skin_plan_destroy(NULL);
    scene_destroy(s);
}

static snResult build(const snAllocator* allocator, void* context) {
    Scene* s = context;
    snSkinPlanDef def = {POINTS, s->points, s->normals, s->influences, s->joints, s->weights, JOINTS, NULL};
    snSkinPlan* plan = NULL;
    snResult result = sn_skin_plan_create(&def, allocator, &plan, NULL);
    if (result == SN_RESULT_OK) sn_skin_plan_destroy(plan);
    return result;
}

static void survives_every_failing_allocation(void** state) {
    (void)state;
    Scene* s = scene_create(4, true);
    test_every_allocation(build, s);
    scene_destroy(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_level_and_worker_count_gives_the_same_bits),
        cmocka_unit_test(plan_equals_the_plain_job),
        cmocka_unit_test(plan_follows_the_heaviest_where_turns_cancel),
        cmocka_unit_test(plan_without_normals_writes_points_only),
        cmocka_unit_test(plan_keeps_groups_apart),
        cmocka_unit_test(rest_pose_is_the_identity),
        cmocka_unit_test(rigid_motion_commutes),
        cmocka_unit_test(normals_follow_scale_and_shear),
        cmocka_unit_test(twist_shows_the_difference),
        cmocka_unit_test(quaternion_signs_do_not_matter),
        cmocka_unit_test(turns_go_on_past_half_a_round),
        cmocka_unit_test(siblings_meet_at_their_parent),
        cmocka_unit_test(turns_have_the_same_bits_everywhere),
        cmocka_unit_test(no_mean_rotation_follows_the_heaviest),
        cmocka_unit_test(jobs_are_checked),
        cmocka_unit_test(survives_every_failing_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
