// What the surface between handles must keep: rest, rigid motion, details, volume, twist; the same bits.
#include "handle_scene.h"

#define PI 3.14159265f

// ------------------------------------------------------------------------------------- rest and rigid motion

typedef void PoseFn(Scene* s, snHandleMethod method);

// Every operator, once and squared, every band, both methods, quads and triangles.
static void with_all(PoseFn* pose) {
    uint32_t seed = 3;
    for (int kind = 0; kind < SN_LAPLACIAN_COUNT * 2 * 3 * 2; kind++) {
        Scene s = scene_create(12, 24, kind % 2 == 0);
        s.def.laplacian = (snLaplacian)(kind / 2 % 3);
        s.def.band = (uint32_t)(kind / 6 % 3) + 1;
        s.def.squared = kind / 18 == 1;
        for (uint32_t v = 0; v < s.mesh->vertex_count; v++) {
            snVec3 noise = sn_vec3(test_random_float(&seed, -1, 1), test_random_float(&seed, -1, 1),
                                   test_random_float(&seed, -1, 1));
            s.mesh->positions[v] = sn_add(s.mesh->positions[v], sn_scale(noise, 0.02f));
        }
        scene_build(&s);
        for (int m = 0; m < SN_HANDLES_METHOD_COUNT; m++) pose(&s, (snHandleMethod)m);
        scene_destroy(&s);
    }
}

static void check_rest(Scene* s, snHandleMethod method) {
    scene_run(s, method);
    snRigid rest = {.rotation = sn_quat_identity()};
    assert_true(scene_error(s, rest) <= 1e-6f * s->handles->size);
}
static void rest_is_rest(void** state) {
    (void)state;
    with_all(check_rest);
}

static void check_rigid(Scene* s, snHandleMethod method) {
    snRigid motion = {.rotation = sn_quat_axis_angle(sn_vec3(1, -2, 0.5f), 2.5f),
                      .translation = sn_vec3(0.3f, -0.7f, 0.5f)};
    s->motions[0] = s->motions[1] = motion;
    scene_run(s, method);
    assert_true(scene_error(s, motion) <= 2e-6f * s->handles->size);
    for (uint32_t v = 0; v < s->mesh->vertex_count; v += 7) {
        assert_near(sn_length(s->normals[v]), 1.0f, 1e-5f);
    }
}
static void rigid_motion_moves_everything_rigidly(void** state) {
    (void)state;
    with_all(check_rigid);
}

// Moving everything by the same motion afterwards changes nothing but that.
static void motion_commutes_with_bending(void** state) {
    (void)state;
    snRigid after = {.rotation = sn_quat_axis_angle(sn_vec3(0.2f, 1, -1), 1.9f),
                     .translation = sn_vec3(-0.4f, 0.2f, 0.9f)};
    for (int m = 0; m < SN_HANDLES_METHOD_COUNT; m++) {
        Scene s = scene_create(16, 30, true);
        scene_build(&s);
        scene_turn(&s, sn_vec3(0.3f, 0.4f, 1), 1.2f);
        scene_run(&s, (snHandleMethod)m);
        snVec3* bent = calloc(s.mesh->vertex_count, sizeof *bent);
        memcpy(bent, s.positions, s.mesh->vertex_count * sizeof *bent);
        for (int k = 0; k < 2; k++) s.motions[k] = sn_rigid_mul(after, s.motions[k]);
        scene_run(&s, (snHandleMethod)m);
        for (uint32_t v = 0; v < s.mesh->vertex_count; v++)
            assert_vec3_near(s.positions[v], sn_rigid_point(after, bent[v]), 5e-6f);
        free(bent);
        scene_destroy(&s);
    }
}

// -------------------------------------------------------------------------------------------------- details

#define MOST_SPIKES 64

typedef struct Spikes {
    uint32_t count;
    uint32_t vertices[MOST_SPIKES];
} Spikes;

// Single vertices pulled out of the free part.
static Spikes raise_spikes(Scene* s) {
    Spikes spikes = {0};
    for (uint32_t v = 0; v < s->mesh->vertex_count && spikes.count < MOST_SPIKES; v++) {
        snVec3 p = s->mesh->positions[v];
        if (p.y < 1.1f || p.y > 1.9f || v % 37 != 5) continue;
        spikes.vertices[spikes.count++] = v;
        snVec3 out = sn_normalize_or(sn_vec3(p.x, 0, p.z), sn_vec3(1, 0, 0));
        s->mesh->positions[v] = sn_add(p, sn_scale(out, 0.15f));
    }
    assert_true(spikes.count > 10);
    return spikes;
}

// From the middle of its neighbours to the spike.
static snVec3 spike(const snTopology* topology, const snVec3* positions, uint32_t vertex) {
    snVec3 sum = sn_vec3(0, 0, 0);
    float count = 0;
    for (uint32_t e = 0; e < topology->edge_count; e++) {
        for (int k = 0; k < 2; k++) {
            if (topology->edges[e][k] != vertex) continue;
            sum = sn_add(sum, positions[topology->edges[e][1 - k]]);
            count += 1;
        }
    }
    return sn_sub(positions[vertex], sn_scale(sum, 1 / count));
}

static void assert_spikes(Scene* s, const Spikes* spikes, float tolerance) {
    snTopology* topology = NULL;
    assert_ok(sn_topology_create(s->mesh, NULL, NULL, &topology, NULL));
    for (uint32_t i = 0; i < spikes->count; i++) {
        float before = sn_length(spike(topology, s->mesh->positions, spikes->vertices[i]));
        float after = sn_length(spike(topology, s->positions, spikes->vertices[i]));
        assert_near(after / before, 1.0f, tolerance);
    }
    sn_topology_destroy(topology);
}

// As wide as it takes for spikes inside of the bend not to reach beyond its center.
static void details_keep_their_height_in_a_bend(void** state) {
    (void)state;
    for (int kind = 0; kind < SN_LAPLACIAN_COUNT * 2; kind++) {
        Scene s = scene_create(40, 100, kind % 2 == 0);
        s.def.laplacian = (snLaplacian)(kind / 2);
        Spikes spikes = raise_spikes(&s);
        s.handles = scene_handles_beyond(s.mesh, 0.8f, 2.2f, 1.0f);
        scene_build(&s);
        scene_turn(&s, sn_vec3(0, 0, 1), PI / 2);
        for (int m = 0; m < SN_HANDLES_METHOD_COUNT; m++) {
            scene_run(&s, (snHandleMethod)m);
            assert_spikes(&s, &spikes, 0.02f);
        }
        scene_destroy(&s);
    }
}

// A handle that only moves turns the surface between, and the spikes on it: they stay upright on the slope.
static void moving_a_handle_turns_details(void** state) {
    (void)state;
    Scene s = scene_create(32, 80, true);
    Spikes spikes = raise_spikes(&s);
    scene_build(&s);
    s.motions[1].translation = sn_vec3(0.8f, 0, 0);
    scene_run(&s, SN_HANDLES_FAST);
    assert_spikes(&s, &spikes, 0.02f);
    snTopology* topology = NULL;
    assert_ok(sn_topology_create(s.mesh, NULL, NULL, &topology, NULL));
    uint32_t checked = 0;
    for (uint32_t i = 0; i < spikes.count; i++) {
        uint32_t v = spikes.vertices[i];
        snVec3 rest = s.mesh->positions[v];
        // Spikes of the front and back, where the surface leans with the slope.
        if (fabsf(rest.z) > 0.3f * fabsf(rest.x) || rest.y < 1.35f || rest.y > 1.65f) continue;
        snVec3 now = spike(topology, s.positions, v), before = spike(topology, s.mesh->positions, v);
        // The tube climbs by 0.8 over one metre, half as steep again in the middle: 50 degrees from upright.
        float turned = sn_acos(sn_dot(now, before) / (sn_length(now) * sn_length(before)));
        assert_true(turned > 0.6f && turned < 1.1f);
        checked++;
    }
    assert_true(checked >= 2);
    sn_topology_destroy(topology);
    scene_destroy(&s);
}

// --------------------------------------------------------------------------------------- volume and twist

static void bends_keep_the_volume(void** state) {
    (void)state;
    for (int m = 0; m < SN_HANDLES_METHOD_COUNT; m++) {
        Scene s = scene_create(32, 60, true);
        scene_build(&s);
        double rest = sn_mesh_volume(s.mesh, NULL);
        for (int axis = 0; axis < 2; axis++) {
            scene_turn(&s, axis == 0 ? sn_vec3(0, 0, 1) : sn_vec3(0, 1, 0), axis == 0 ? PI / 2 : 3.0f);
            scene_run(&s, (snHandleMethod)m);
            assert_near(sn_mesh_volume(s.mesh, s.positions) / rest, 1.0, 0.02);
        }
        s.motions[1] = (snRigid){.rotation = sn_quat_identity(), .translation = sn_vec3(0.5f, 0, 0)};
        scene_run(&s, (snHandleMethod)m);
        assert_near(sn_mesh_volume(s.mesh, s.positions) / rest, 1.0, 0.02);
        scene_destroy(&s);
    }
}

// However a limb is bent, twisted, pulled or pressed, the rigid method leaves it as much flesh as it had. Of
// triangles, whose volume is no matter of opinion.
static void rigid_keeps_the_volume(void** state) {
    (void)state;
    const snRigid motions[] = {
        {.rotation = sn_quat_axis_angle(sn_vec3(0, 0, 1), 2.4f), .translation = sn_vec3(1.01f, 2.61f, 0)},
        {.rotation = sn_quat_axis_angle(sn_vec3(0, 1, 0), 3.0f)},
        {.rotation = sn_quat_identity(), .translation = sn_vec3(0.8f, 0, 0)},
        {.rotation = sn_quat_identity(), .translation = sn_vec3(0, 0.5f, 0)},
        {.rotation = sn_quat_identity(), .translation = sn_vec3(0, -0.4f, 0)},
    };
    Scene s = scene_create(24, 60, false);
    scene_build(&s);
    double rest = sn_mesh_volume(s.mesh, NULL), worst_fast = 0.0;
    for (size_t i = 0; i < sizeof motions / sizeof motions[0]; i++) {
        s.motions[1] = motions[i];
        scene_run(&s, SN_HANDLES_FAST);
        worst_fast = fmax(worst_fast, fabs(sn_mesh_volume(s.mesh, s.positions) / rest - 1.0));
        scene_run(&s, SN_HANDLES_RIGID);
        assert_near(sn_mesh_volume(s.mesh, s.positions) / rest, 1.0, 1e-5);
    }
    assert_true(worst_fast > 0.1); // there was something to keep
    // What is between the handles drawn out to three times its length, or pressed to less than a third.
    for (int pressed = 0; pressed < 2; pressed++) {
        float by = SCENE_LENGTH / 3 * (pressed ? -0.7f : 2.0f);
        s.motions[1] = (snRigid){sn_quat_identity(), sn_vec3(0, by, 0)};
        scene_run(&s, SN_HANDLES_RIGID);
        assert_near(sn_mesh_volume(s.mesh, s.positions) / rest, 1.0, 5e-3);
    }
    scene_destroy(&s);
}

// How much longer or shorter edges have become: root mean square of the change, relative.
static float stretch(const Scene* s) {
    snTopology* topology = NULL;
    assert_ok(sn_topology_create(s->mesh, NULL, NULL, &topology, NULL));
    double sum = 0.0;
    for (uint32_t e = 0; e < topology->edge_count; e++) {
        uint32_t a = topology->edges[e][0], b = topology->edges[e][1];
        float before = sn_distance(s->mesh->positions[a], s->mesh->positions[b]);
        float change = sn_distance(s->positions[a], s->positions[b]) / before - 1.0f;
        sum += (double)(change * change);
    }
    sum /= topology->edge_count;
    sn_topology_destroy(topology);
    return (float)sqrt(sum);
}

// More iterations, truer lengths; none as far off as the fast method.
static void rigid_keeps_lengths(void** state) {
    (void)state;
    Scene s = scene_create(24, 60, true);
    scene_build(&s);
    s.motions[1].translation = sn_vec3(0.8f, 0, 0);
    scene_run(&s, SN_HANDLES_FAST);
    float last = stretch(&s);
    for (uint32_t iterations = 1; iterations <= 16; iterations *= 4) {
        snHandleSurfaceJob job = scene_job(&s, SN_HANDLES_RIGID);
        job.iterations = iterations;
        assert_ok(sn_handle_surface_run(&job));
        assert_true(stretch(&s) < last);
        last = stretch(&s);
    }
    scene_destroy(&s);
}

// Of the vertices beside one another at height y: how far they are turned about the axis, and how far out.
static void measure_ring(const Scene* s, float y, float* out_turn, float* out_radius) {
    float turn = 0, radius = 1e9f, count = 0;
    for (uint32_t v = 0; v < s->mesh->vertex_count; v++) {
        snVec3 a = s->mesh->positions[v], b = s->positions[v];
        if (fabsf(a.y - y) > 1e-4f || a.x * a.x + a.z * a.z < 0.1f) continue;
        float angle = sn_atan2(a.z * b.x - a.x * b.z, a.x * b.x + a.z * b.z);
        turn += angle;
        radius = fminf(radius, sqrtf(b.x * b.x + b.z * b.z));
        count += 1;
    }
    assert_true(count > 3);
    *out_turn = turn / count;
    *out_radius = radius;
}

static void twist_spreads_along_the_limb(void** state) {
    (void)state;
    for (int m = 0; m < SN_HANDLES_METHOD_COUNT; m++) {
        Scene s = scene_create(24, 60, true);
        scene_build(&s);
        scene_turn(&s, sn_vec3(0, 1, 0), 3.0f);
        scene_run(&s, (snHandleMethod)m);
        float last = -0.01f;
        for (int ring = 20; ring <= 40; ring++) {
            float turn = 0, radius = 0;
            measure_ring(&s, (float)ring * SCENE_LENGTH / 60, &turn, &radius);
            assert_true(turn >= last - 1e-3f && turn - last < 0.3f); // rising, no step
            assert_true(radius > 0.93f * SCENE_RADIUS);
            last = turn;
        }
        assert_near(last, 3.0f, 1e-3f);
        scene_destroy(&s);
    }
}

// -------------------------------------------------------------------------------------------------- weights

// How far the second handle's vertices are from where it wants them.
static float looseness(float weight, snHandleMethod method) {
    Scene s = scene_create(16, 30, true);
    s.handles = scene_handles(s.mesh, weight);
    scene_build(&s);
    scene_turn(&s, sn_vec3(0, 0, 1), 1.0f);
    scene_run(&s, method);
    float worst = 0.0f;
    const snHandle* handle = &s.handles->handles[1];
    for (uint32_t k = 0; k < handle->vertex_count; k++) {
        uint32_t v = handle->vertices[k];
        worst = fmaxf(worst, sn_distance(s.positions[v], sn_rigid_point(s.motions[1], s.mesh->positions[v])));
    }
    scene_destroy(&s);
    return worst;
}

static void weights_loosen_a_handle(void** state) {
    (void)state;
    for (int m = 0; m < SN_HANDLES_METHOD_COUNT; m++) {
        const float weights[] = {1.0f, 0.667f, 0.333f, 0.05f, 0.0f};
        float last = -1.0f;
        for (int i = 0; i < 5; i++) {
            float now = looseness(weights[i], (snHandleMethod)m);
            if (i == 0)
                assert_true(now < 1e-6f); // rigid means rigid
            else
                assert_true(now > last);
            last = now;
        }
        assert_true(last > 0.5f); // of weight 0: as if there were no handle
    }
}

// ----------------------------------------------------------------------------------------- normals, details

static float worst_normal(const Scene* s, const snVec3* truth) {
    float worst = 1.0f;
    for (uint32_t v = 0; v < s->mesh->vertex_count; v++)
        worst = fminf(worst, sn_dot(s->normals[v], truth[v]));
    return sn_acos(fminf(worst, 1.0f));
}

static void normals_turn_with_the_surface(void** state) {
    (void)state;
    Scene s = scene_create(32, 60, true);
    scene_build(&s);
    snVec3* truth = calloc(s.mesh->vertex_count, sizeof *truth);
    scene_turn(&s, sn_vec3(0, 0, 1), 1.0f);
    for (int m = 0; m < SN_HANDLES_METHOD_COUNT; m++) {
        snHandleSurfaceJob job = scene_job(&s, (snHandleMethod)m);
        assert_ok(sn_handle_surface_run(&job));
        snNormalsJob exact = {.mesh = s.mesh, .positions = s.positions, .out_normals = truth};
        assert_ok(sn_normals_run(&exact));
        assert_true(worst_normal(&s, truth) < 0.10f);
        job.exact_normals = true;
        assert_ok(sn_handle_surface_run(&job));
        assert_memory_equal(s.normals, truth, s.mesh->vertex_count * sizeof *truth);
    }
    free(truth);
    scene_destroy(&s);
}

static void offsets_stand_on_the_solved_surface(void** state) {
    (void)state;
    Scene s = scene_create(16, 30, true);
    scene_build(&s);
    uint32_t count = s.mesh->vertex_count;
    float* offsets = calloc(count, sizeof *offsets);
    snVec3* plain = calloc(count, sizeof *plain);
    scene_turn(&s, sn_vec3(0, 0, 1), 1.0f);
    scene_run(&s, SN_HANDLES_FAST);
    memcpy(plain, s.positions, count * sizeof *plain);
    snVec3* normals = calloc(count, sizeof *normals);
    memcpy(normals, s.normals, count * sizeof *normals);
    offsets[200] = 0.05f;
    snHandleSurfaceJob job = scene_job(&s, SN_HANDLES_FAST);
    job.offsets = offsets;
    assert_ok(sn_handle_surface_run(&job));
    for (uint32_t v = 0; v < count; v++)
        assert_vec3_near(s.positions[v], sn_add(plain[v], sn_scale(normals[v], offsets[v])), 1e-6f);
    snNormalsJob exact = {.mesh = s.mesh, .positions = s.positions, .out_normals = normals};
    assert_ok(sn_normals_run(&exact));
    assert_memory_equal(s.normals, normals, count * sizeof *normals);
    job.out_normals = NULL; // and where nobody wants normals
    assert_ok(sn_handle_surface_run(&job));
    assert_near(sn_distance(s.positions[200], plain[200]), 0.05f, 1e-6f);
    free(offsets);
    free(plain);
    free(normals);
    scene_destroy(&s);
}

// ---------------------------------------------------------------------------------------------------- bits

static void same_bits_on_every_level(void** state) {
    (void)state;
    Scene s = scene_create(13, 31, false); // not a multiple of any block
    scene_build(&s);
    uint32_t count = s.mesh->vertex_count;
    snVec3* first = calloc((size_t)count * 2, sizeof *first);
    scene_turn(&s, sn_vec3(0.2f, 0.5f, 1), 1.7f);
    for (int m = 0; m < SN_HANDLES_METHOD_COUNT; m++) {
        for (int level = SN_CPU_SCALAR; level < SN_CPU_LEVEL_COUNT; level++) {
            if (!sn_cpu_level_available((snCpuLevel)level)) continue;
            snHandleSurfaceJob job = scene_job(&s, (snHandleMethod)m);
            job.level = (snCpuLevel)level;
            memset(s.scratch, level, sn_handle_surface_scratch_size(s.surface)); // nothing is left over
            assert_ok(sn_handle_surface_run(&job));
            if (level == SN_CPU_SCALAR) {
                memcpy(first, s.positions, count * sizeof *first);
                memcpy(first + count, s.normals, count * sizeof *first);
            }
            assert_memory_equal(first, s.positions, count * sizeof *first);
            assert_memory_equal(first + count, s.normals, count * sizeof *first);
        }
    }
    free(first);
    scene_destroy(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rest_is_rest),
        cmocka_unit_test(rigid_motion_moves_everything_rigidly),
        cmocka_unit_test(motion_commutes_with_bending),
        cmocka_unit_test(details_keep_their_height_in_a_bend),
        cmocka_unit_test(moving_a_handle_turns_details),
        cmocka_unit_test(bends_keep_the_volume),
        cmocka_unit_test(rigid_keeps_the_volume),
        cmocka_unit_test(rigid_keeps_lengths),
        cmocka_unit_test(twist_spreads_along_the_limb),
        cmocka_unit_test(weights_loosen_a_handle),
        cmocka_unit_test(normals_turn_with_the_surface),
        cmocka_unit_test(offsets_stand_on_the_solved_surface),
        cmocka_unit_test(same_bits_on_every_level),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
