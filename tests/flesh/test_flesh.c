// Shape matching: what stays, what moves, and that it does so whatever the step, the place and the machine.
#include "flesh_scene.h"

#include <math.h>

static Scene *tube, *fine_tube; // 208 particles; 2139, so that several workers have something to do

static int open_tubes(void** state) {
    (void)state;
    tube = scene_tube(3, 12);
    fine_tube = scene_tube(3, 30);
    return 0;
}

static int close_tubes(void** state) {
    (void)state;
    scene_destroy(tube);
    scene_destroy(fine_tube);
    return 0;
}

// -------------------------------------------------------------------------------------------- what stays

static void without_delta_the_primary_shows(void** state) {
    (void)state;
    for (int by_scale = 0; by_scale < 2; by_scale++) {
        Flesh f = flesh_open(tube, NULL);
        f.job.gravity = sn_vec3(0, -9.81f, 0);
        flesh_steps(&f, 5);
        if (by_scale) {
            f.job.delta_scale = 0.0f;
        } else {
            flesh_fill(f.material.deltas, f.count, 0.0f);
        }
        for (int i = 1; i <= 60; i++) {
            flesh_clip(&f, "bend", (float)i / 60.0f, sn_vec3(0.1f * (float)i, 0, 0));
            flesh_step(&f);
            // What an earlier delta showed is still on its way out in the first step.
            for (int k = 0; k <= 3; k++) {
                if (i == 1 && k < 3) continue;
                flesh_show(&f, (float)k / 3.0f);
                assert_memory_equal(f.shown, f.primary, f.count * sizeof(snVec4));
            }
        }
        flesh_close(&f);
    }
}

static void a_static_primary_is_a_fixed_point(void** state) {
    (void)state;
    for (int far = 0; far < 2; far++) {
        Flesh f = flesh_open(tube, NULL);
        f.job.region_damping = 0.3f;
        flesh_clip(&f, "bend", 1.0f, far ? sn_vec3(1000, -300, 700) : sn_vec3(0, 0, 0));
        sn_flesh_reset(f.state, f.primary);
        flesh_steps(&f, 1000);
        flesh_show(&f, 1.0f);
        assert_true(flesh_largest(&f) <= 1e-6f * f.size);
        for (uint32_t p = 0; p < f.count; p++)
            assert_true(sn_length(f.state->velocities[p]) <= 1e-6f * f.size);
        flesh_close(&f);
    }
}

// Neither behind nor ahead, near the origin and a kilometre away, where a float is worth 0.06 mm.
static void steady_travel_leaves_nothing_behind(void** state) {
    (void)state;
    static const float starts[] = {0.0f, 1000.0f}, tolerances[] = {1e-4f, 2e-3f};
    for (int k = 0; k < 2; k++) {
        Flesh f = flesh_open(tube, NULL);
        for (int i = 0; i <= 300; i++) {
            flesh_shift(&f, sn_vec3(starts[k] + 10.0f * FLESH_STEP * (float)i, 0, 0));
            if (i == 0) {
                sn_flesh_reset(f.state, f.primary);
                continue;
            }
            flesh_step(&f);
            flesh_show(&f, 1.0f);
            assert_true(flesh_largest(&f) < tolerances[k] * f.size);
        }
        flesh_close(&f);
    }
}

static void what_is_held_does_not_move(void** state) {
    (void)state;
    Flesh f = flesh_open(tube, NULL);
    for (uint32_t p = 0; p < f.count; p += 3) f.material.holds[p] = 1.0f;
    f.job.gravity = sn_vec3(4, -9.81f, 0);
    f.job.wind = sn_vec3(0, 0, 5);
    f.job.drag = 3.0f;
    for (int i = 0; i < 60; i++) {
        flesh_clip(&f, "bend", 0.02f * (float)i, sn_vec3(0, 0, 0));
        flesh_step(&f);
        flesh_show(&f, 1.0f);
        for (uint32_t p = 0; p < f.count; p += 3)
            assert_memory_equal(&f.shown[p], &f.primary[p], sizeof(snVec4));
    }
    assert_true(flesh_largest(&f) > 1e-3f * f.size);
    flesh_close(&f);
}

// A rest pose moved as a whole keeps its shape; so with the shape of the rest pose, too, nothing happens.
static void the_rest_pose_anywhere_is_at_rest(void** state) {
    (void)state;
    Flesh f = flesh_open(tube, NULL);
    uint32_t random = 5;
    f.job.rest = SN_FLESH_INITIAL;
    for (int k = 0; k < 5; k++) {
        flesh_place(&f, (snRigid){test_random_rotation(&random), sn_vec3(3, (float)k, -2)});
        sn_flesh_reset(f.state, f.primary);
        flesh_steps(&f, 300);
        flesh_show(&f, 1.0f);
        assert_true(flesh_largest(&f) < 1e-5f * f.size);
    }
    flesh_close(&f);
}

// --------------------------------------------------------------------------------------------- what moves

static void a_bent_rest_pose_tries_to_unbend(void** state) {
    (void)state;
    Flesh f = flesh_open(tube, NULL);
    const snVec3* rest = tube->binding->lattice->rest;
    uint32_t low = 0, high = 0;
    for (uint32_t p = 0; p < f.count; p++) {
        if (rest[p].y < rest[low].y) low = p;
        if (rest[p].y > rest[high].y) high = p;
    }
    f.job.rest = SN_FLESH_INITIAL;
    flesh_clip(&f, "bend", 1.0f, sn_vec3(0, 0, 0));
    sn_flesh_reset(f.state, f.primary);
    flesh_steps(&f, 300);
    flesh_show(&f, 1.0f);
    float bent = sn_distance(xyz(f.primary[low]), xyz(f.primary[high]));
    float now = sn_distance(xyz(f.shown[low]), xyz(f.shown[high]));
    assert_true(bent < 0.9f * sn_distance(rest[low], rest[high]));
    assert_true(now > bent + 0.01f * f.size);
    flesh_close(&f);
}

// Runs at 2 m/s for half a second, then stops dead. Gives the mean of what is shown at every step after it.
static void stop_dead(Flesh* f, float* out, int steps, float step) {
    f->job.step = step;
    int before = (int)(0.5f / step + 0.5f);
    for (int i = 0; i < before; i++) {
        flesh_shift(f, sn_vec3(2.0f * step * (float)i, 0, 0));
        if (i == 0) sn_flesh_reset(f->state, f->primary);
        if (i > 0) flesh_step(f);
    }
    for (int i = 0; i < steps; i++) {
        flesh_step(f);
        flesh_show(f, 1.0f);
        out[i] = flesh_mean(f).x;
    }
}

static float peak_of(const float* values, int begin, int end) {
    float most = 0.0f;
    for (int i = begin; i < end; i++) most = sn_maxf(most, fabsf(values[i]));
    return most;
}

static void a_sudden_stop_swings_and_settles(void** state) {
    (void)state;
    static const float deltas[] = {0.3f, 0.6f, 0.9f};
    float earlier = 0.0f;
    for (int k = 0; k < 3; k++) {
        Flesh f = flesh_open(tube, NULL);
        float ahead[240];
        flesh_fill(f.material.deltas, f.count, deltas[k]);
        stop_dead(&f, ahead, 240, FLESH_STEP);
        float peak = peak_of(ahead, 0, 240);
        assert_true(ahead[2] > 0.0f); // on in the direction of travel
        assert_true(peak > 1.5f * earlier);
        assert_true(peak_of(ahead, 180, 240) < 0.01f * peak); // settled within 3 s
        earlier = peak;
        flesh_close(&f);
    }
    assert_true(earlier > 0.02f);
}

// The same swing, sampled at common times. Stiffness does not depend on the step; the error of the method
// does.
static void the_step_does_not_change_the_flesh(void** state) {
    (void)state;
    enum { TIMES = 30 };
    static const int per_thirtieth[] = {1, 2, 8};
    float swings[3][TIMES];
    for (int k = 0; k < 3; k++) {
        Flesh f = flesh_open(tube, NULL);
        float all[8 * TIMES];
        flesh_fill(f.material.alphas, f.count, 0.15f);
        stop_dead(&f, all, per_thirtieth[k] * TIMES, 1.0f / (30.0f * (float)per_thirtieth[k]));
        for (int i = 0; i < TIMES; i++) swings[k][i] = all[per_thirtieth[k] * (i + 1) - 1];
        flesh_close(&f);
    }
    float peak = peak_of(swings[2], 0, TIMES);
    assert_true(peak > 0.02f);
    for (int i = 0; i < TIMES; i++) {
        assert_near(swings[0][i], swings[2][i], 0.25f * peak);
        assert_near(swings[1][i], swings[2][i], 0.15f * peak);
    }
}

// One particle alone is pulled aside: the more of its surroundings its regions hold, the less it yields.
static float yielding(uint8_t width, snFleshRest rest) {
    uint8_t* widths = malloc(tube->count);
    memset(widths, width, tube->count);
    Flesh f = flesh_open(tube, widths);
    snVec4* push = calloc(f.count, sizeof *push);
    flesh_fill(f.material.deltas, f.count, 0.97f);
    f.job.rest = rest;
    f.job.accelerations = push;
    push[f.count / 2].x = 20.0f;
    flesh_steps(&f, 400);
    flesh_show(&f, 1.0f);
    float most = flesh_largest(&f);
    assert_true(most == sn_distance(xyz(f.shown[f.count / 2]), xyz(f.primary[f.count / 2])));
    flesh_close(&f);
    free(push);
    free(widths);
    return most;
}

static void wider_regions_are_stiffer(void** state) {
    (void)state;
    for (int rest = SN_FLESH_PRIMARY; rest <= SN_FLESH_INITIAL; rest++) {
        // A region of one particle has no shape to keep. Only the primary pulls it back, and holds it where
        // the move is a / (3600 alpha (1 - delta)), of which delta is shown.
        float earlier = yielding(0, (snFleshRest)rest);
        assert_near(earlier, 0.97f * 20.0f / (3600.0f * 0.5f * 0.03f), 1e-3f);
        for (uint8_t width = 1; width <= 3; width++) {
            float now = yielding(width, (snFleshRest)rest);
            assert_true(now > 1e-3f && now < 0.98f * earlier);
            earlier = now;
        }
    }
}

// ------------------------------------------------------------------------------------------- rigid motion

static void turn_mat3(snQuat q, const snMat3* r, snMat3* out) {
    // Q R Q^T: the rest pose is turned too.
    for (int c = 0; c < 3; c++) {
        snVec3 axis = {c == 0, c == 1, c == 2}, v = sn_quat_rotate(sn_quat_conjugate(q), axis);
        snVec3 rv = {0, 0, 0};
        const float parts[3] = {v.x, v.y, v.z};
        for (int k = 0; k < 3; k++)
            rv = sn_add(rv, sn_scale(sn_vec3(r->m[4 * k], r->m[4 * k + 1], r->m[4 * k + 2]), parts[k]));
        rv = sn_quat_rotate(q, rv);
        out->m[4 * c] = rv.x, out->m[4 * c + 1] = rv.y, out->m[4 * c + 2] = rv.z, out->m[4 * c + 3] = 0.0f;
    }
}

static snCollider turned_collider(snRigid m, const snCollider* c) {
    snCollider out = *c;
    out.from = sn_rigid_point(m, c->from), out.to = sn_rigid_point(m, c->to);
    out.from_before = sn_rigid_point(m, c->from_before), out.to_before = sn_rigid_point(m, c->to_before);
    return out;
}

// Runs the bend with everything on, as seen by someone who stands at the inverse of `m`.
static void run_turned(Flesh* f, snRigid m, snFleshRest rest) {
    snMat3* turns = malloc(f->count * sizeof *turns);
    f->job.rest = rest;
    f->job.region_damping = 0.2f;
    f->job.drag = 2.0f;
    f->job.friction = 0.3f;
    f->job.limit = 0.6f;
    f->job.wind = sn_quat_rotate(m.rotation, sn_vec3(3, 0, 6));
    f->job.gravity = sn_quat_rotate(m.rotation, sn_vec3(0, -9.81f, 0));
    f->job.rotations = turns;
    f->job.collider_count = 1;
    snCollider place = {.radius = 0.3f, .owner = SN_NONE};
    for (int i = 0; i <= 60; i++) {
        scene_clip(f->scene, "bend", (float)i / 60.0f);
        assert_ok(sn_lattice_skin_run(&f->scene->job));
        for (uint32_t p = 0; p < f->count; p++) {
            f->primary[p] = xyz0(sn_rigid_point(m, scene_point(f->scene, p)));
            turn_mat3(m.rotation, &f->scene->rotations[p], &turns[p]);
        }
        place.from_before = place.from, place.to_before = place.to;
        place.from = sn_vec3(1.2f - 0.02f * (float)i, 1.0f, 0.4f);
        place.to = sn_vec3(1.2f - 0.02f * (float)i, 2.0f, -0.4f);
        snCollider turned = turned_collider(m, &place);
        f->job.colliders = &turned;
        if (i == 0)
            sn_flesh_reset(f->state, f->primary);
        else
            flesh_step(f);
    }
    flesh_show(f, 1.0f);
    free(turns);
}

static void rigid_motion_of_everything_commutes(void** state) {
    (void)state;
    snRigid still = {sn_quat_identity(), {0, 0, 0}};
    snRigid moved = {sn_quat_axis_angle(sn_vec3(1, 2, -0.5f), 1.9f), {3, -2, 5}};
    for (int rest = SN_FLESH_PRIMARY; rest <= SN_FLESH_INITIAL; rest++) {
        Flesh a = flesh_open(tube, NULL), b = flesh_open(tube, NULL);
        run_turned(&a, still, (snFleshRest)rest);
        run_turned(&b, moved, (snFleshRest)rest);
        assert_true(flesh_largest(&a) > 0.02f * a.size);
        for (uint32_t p = 0; p < a.count; p++)
            assert_vec3_near(sn_rigid_point(moved, xyz(a.shown[p])), xyz(b.shown[p]), 1e-4f * a.size);
        flesh_close(&a);
        flesh_close(&b);
    }
}

// --------------------------------------------------------------------------------------------- same bits

static uint64_t run_everything(snFleshRest rest, snTasks tasks, snCpuLevel level) {
    uint8_t* widths = malloc(fine_tube->count);
    for (uint32_t p = 0; p < fine_tube->count; p++) widths[p] = (uint8_t)(p % 4);
    Flesh f = flesh_open(fine_tube, widths);
    uint32_t random = 3;
    for (uint32_t p = 0; p < f.count; p++) {
        f.material.deltas[p] = test_random_float(&random, 0, 1);
        f.material.alphas[p] = test_random_float(&random, 0, 1);
        f.material.dampings[p] = test_random_float(&random, 0, 20);
        f.material.holds[p] = p % 7 == 0 ? 1.0f : 0.0f;
    }
    f.job.tasks = &tasks;
    f.job.level = level;
    f.job.ground = true;
    f.job.ground_height = -0.05f;
    run_turned(&f, (snRigid){sn_quat_identity(), {0, 0, 0}}, rest);
    uint64_t hash = flesh_hash(&f);
    flesh_close(&f);
    free(widths);
    return hash;
}

static void every_machine_gives_the_same_bits(void** state) {
    (void)state;
    assert_true(fine_tube->count > 3 * 512);
    snTasks serial = {0};
    for (int rest = SN_FLESH_PRIMARY; rest <= SN_FLESH_INITIAL; rest++) {
        uint64_t truth = run_everything((snFleshRest)rest, serial, SN_CPU_SCALAR);
        for (int level = SN_CPU_AUTO; level < SN_CPU_LEVEL_COUNT; level++) {
            if (!sn_cpu_level_available((snCpuLevel)level)) continue;
            assert_true(run_everything((snFleshRest)rest, serial, (snCpuLevel)level) == truth);
        }
        for (uint32_t workers = 1; workers <= 8; workers += workers < 3 ? 2 : 5) {
            snPool* pool = NULL;
            assert_ok(sn_pool_create(workers, &pool));
            assert_true(run_everything((snFleshRest)rest, sn_pool_tasks(pool), SN_CPU_AUTO) == truth);
            sn_pool_destroy(pool);
        }
    }
}

// ----------------------------------------------------------------------------------------------- arguments

static void refuse_step(snFleshJob job) {
    uint32_t cut = 77;
    assert_int_equal(sn_flesh_step(&job, &cut), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(cut, 77);
}

static void bad_steps_are_refused(void** state) {
    (void)state;
    Flesh f = flesh_open(tube, NULL);
    f.job.material = &f.material;
    uint64_t before = flesh_hash(&f);
    snFleshJob job = f.job;
#define REFUSE(field, value)                                                                                 \
    job = f.job;                                                                                             \
    job.field = (value);                                                                                     \
    refuse_step(job)
    REFUSE(flesh, NULL);
    REFUSE(material, NULL);
    REFUSE(state, NULL);
    REFUSE(primary, NULL);
    REFUSE(scratch, NULL);
    REFUSE(step, 0.0f);
    REFUSE(step, NAN);
    REFUSE(limit, -1.0f);
    REFUSE(limit, NAN);
    REFUSE(collider_count, 1);
#undef REFUSE
    for (int k = 0; k < 5; k++) {
        snFleshMaterial material = f.material;
        float** arrays[] = {&material.deltas, &material.alphas, &material.dampings, &material.holds,
                            &material.forces};
        *arrays[k] = NULL;
        job = f.job;
        job.material = &material;
        refuse_step(job);
    }
    job = f.job;
    job.level = SN_CPU_LEVEL_COUNT;
    assert_int_equal(sn_flesh_step(&job, NULL), SN_RESULT_UNSUPPORTED);
    assert_int_equal(sn_flesh_step(NULL, NULL), SN_RESULT_INVALID_ARGUMENT);
    assert_true(flesh_hash(&f) == before);
    flesh_close(&f);
}

static void bad_shows_are_refused(void** state) {
    (void)state;
    Flesh f = flesh_open(tube, NULL);
    snFleshShowJob whole = {.flesh = f.flesh,
                            .material = &f.material,
                            .delta_scale = 1.0f,
                            .limit = 1.0f,
                            .state = f.state,
                            .blend = 1.0f,
                            .primary = f.primary,
                            .out_points = f.shown};
    for (int k = 0; k < 6; k++) {
        snFleshShowJob job = whole;
        if (k == 0) job.flesh = NULL;
        if (k == 1) job.material = NULL;
        if (k == 2) job.state = NULL;
        if (k == 3) job.primary = NULL;
        if (k == 4) job.out_points = NULL;
        if (k == 5) job.out_points = f.primary;
        assert_int_equal(sn_flesh_show(&job), SN_RESULT_INVALID_ARGUMENT);
    }
    whole.level = SN_CPU_LEVEL_COUNT;
    assert_int_equal(sn_flesh_show(&whole), SN_RESULT_UNSUPPORTED);
    assert_int_equal(sn_flesh_show(NULL), SN_RESULT_INVALID_ARGUMENT);
    flesh_close(&f);
}

static void definitions_are_checked(void** state) {
    (void)state;
    snFleshDef def = {0};
    snFlesh* flesh = NULL;
    snFleshState* moving = NULL;
    assert_int_equal(sn_flesh_create(&def, NULL, &flesh, NULL), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_flesh_create(NULL, NULL, &flesh, NULL), SN_RESULT_INVALID_ARGUMENT);
    def.binding = tube->binding;
    assert_int_equal(sn_flesh_create(&def, NULL, NULL, NULL), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_flesh_state_create(NULL, NULL, &moving, NULL), SN_RESULT_INVALID_ARGUMENT);
    assert_null(flesh);
    assert_null(moving);
    sn_flesh_destroy(NULL);
    sn_flesh_state_destroy(NULL);
}

static snResult build(const snAllocator* allocator, void* context) {
    snFleshDef def = {context, NULL};
    snFlesh* flesh = NULL;
    snFleshState* moving = NULL;
    snResult result = sn_flesh_create(&def, allocator, &flesh, NULL);
    if (result == SN_RESULT_OK) result = sn_flesh_state_create(flesh, allocator, &moving, NULL);
    sn_flesh_state_destroy(moving);
    sn_flesh_destroy(flesh);
    return result;
}

static void survives_every_failing_allocation(void** state) {
    (void)state;
    test_every_allocation(build, tube->binding);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_delta_the_primary_shows),
        cmocka_unit_test(a_static_primary_is_a_fixed_point),
        cmocka_unit_test(steady_travel_leaves_nothing_behind),
        cmocka_unit_test(what_is_held_does_not_move),
        cmocka_unit_test(the_rest_pose_anywhere_is_at_rest),
        cmocka_unit_test(a_bent_rest_pose_tries_to_unbend),
        cmocka_unit_test(a_sudden_stop_swings_and_settles),
        cmocka_unit_test(the_step_does_not_change_the_flesh),
        cmocka_unit_test(wider_regions_are_stiffer),
        cmocka_unit_test(rigid_motion_of_everything_commutes),
        cmocka_unit_test(every_machine_gives_the_same_bits),
        cmocka_unit_test(bad_steps_are_refused),
        cmocka_unit_test(bad_shows_are_refused),
        cmocka_unit_test(definitions_are_checked),
        cmocka_unit_test(survives_every_failing_allocation),
    };
    return cmocka_run_group_tests(tests, open_tubes, close_tubes);
}
