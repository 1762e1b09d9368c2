// Volume of the joint parts of characters in motion. The functional itself: test_part_volume_cells.c.
#include <math.h>

#include "flesh/part_volume_kernels.h"
#include "primary_scene.h"

typedef struct Body {
    Scene* scene;
    snPartVolume* volume;
    snPartVolumeState* states;
    snPartVolumeJob job;
} Body;

static Body body_of(Scene* scene) {
    Body b = {.scene = scene};
    assert_ok(sn_part_volume_create(scene->binding, NULL, &b.volume, NULL));
    b.states = calloc(scene->binding->joint_count, sizeof *b.states);
    b.job = (snPartVolumeJob){.volume = b.volume,
                              .sweeps = 2,
                              .pushes = scene->pushes,
                              .points = scene->points,
                              .scratch =
                                  aligned_alloc(64, (sn_part_volume_scratch_size(b.volume) + 63) / 64 * 64),
                              .out_parts = b.states};
    return b;
}

static void body_free(Body* b) {
    free(b->states);
    free(b->job.scratch);
    sn_part_volume_destroy(b->volume);
    scene_destroy(b->scene);
}

static void run(Body* b) {
    assert_ok(sn_lattice_skin_run(&b->scene->job));
    assert_ok(sn_part_volume_run(&b->job));
}

// Largest loss of all parts, before and after.
static float worst(const Body* b, bool after) {
    float loss = 0.0f;
    for (uint32_t j = 0; j < b->scene->binding->joint_count; j++) {
        loss = sn_maxf(loss, 1.0f - (after ? b->states[j].after : b->states[j].before));
    }
    return loss;
}

static void rest_pose_pushes_nothing(void** state) {
    (void)state;
    Body b = body_of(scene_body());
    assert_ok(sn_lattice_skin_run(&b.scene->job));
    snVec4* before = malloc(b.scene->count * sizeof *before);
    memcpy(before, b.scene->points, b.scene->count * sizeof *before);
    b.job.both_ways = true;
    assert_ok(sn_part_volume_run(&b.job));
    assert_memory_equal(before, b.scene->points, b.scene->count * sizeof *before);
    for (uint32_t j = 0; j < b.scene->binding->joint_count; j++) {
        assert_near(b.states[j].before, 1.0, 1e-5);
        assert_near(b.states[j].after, 1.0, 1e-5);
        assert_true(b.states[j].push == 0.0f && !b.states[j].clamped);
    }
    free(before);
    body_free(&b);
}

// The left elbow at 130 degrees.
static void a_bent_elbow_gets_its_volume_back(void** state) {
    (void)state;
    Body b = body_of(scene_body());
    scene_clip(b.scene, "bend", 1.0f);
    b.job.sweeps = 0;
    run(&b);
    assert_true(worst(&b, false) > 0.1f);
    assert_near(worst(&b, true), worst(&b, false), 0.0); // only measured
    b.job.sweeps = 1;
    run(&b);
    assert_true(worst(&b, true) < 0.03f);
    b.job.sweeps = 2;
    run(&b);
    assert_true(worst(&b, true) < 2e-3f);
    b.job.sweeps = 3;
    run(&b);
    assert_true(worst(&b, true) < 5e-4f);
    b.job.sweeps = 6;
    run(&b);
    assert_true(worst(&b, true) < 2e-4f);
    float push = 0.0f;
    for (uint32_t j = 0; j < b.scene->binding->joint_count; j++) {
        assert_false(b.states[j].clamped);
        assert_true(b.states[j].push >= -0.25f * b.volume->cell_size); // what gained gives
        push = sn_maxf(push, b.states[j].push);
    }
    assert_true(push > 0.005f && push < 0.03f); // metres
    body_free(&b);
}

static void motions_keep_their_volume(void** state) {
    (void)state;
    static const char* const clips[] = {"walk", "jump", "twist"};
    Body b = body_of(scene_body());
    float most = 0.0f;
    for (int c = 0; c < 3; c++) {
        for (int i = 0; i < 40; i++) {
            scene_clip(b.scene, clips[c], 0.05f * (float)i);
            run(&b);
            most = sn_maxf(most, worst(&b, true));
        }
    }
    assert_true(most < 6e-3f);
    body_free(&b);
}

// All parts together, in the volumes that are kept: as far from rest as before, at most.
static void the_whole_does_not_swell(void** state) {
    (void)state;
    static const char* const clips[] = {"walk", "jump", "twist", "bend"};
    Body b = body_of(scene_body());
    b.job.sweeps = 4;
    for (int c = 0; c < 4; c++) {
        for (int i = 0; i < 20; i++) {
            scene_clip(b.scene, clips[c], 0.1f * (float)i);
            run(&b);
            double before = 0.0, after = 0.0, rest = 0.0;
            for (uint32_t k = 0; k < b.volume->part_count; k++) {
                const sniVolumePart* part = &b.volume->parts[k];
                before += part->rest * ((double)b.states[part->joint].before - 1.0);
                after += part->rest * ((double)b.states[part->joint].after - 1.0);
                rest += part->rest;
            }
            assert_true(fabs(after) <= fabs(before) + 1e-3 * rest);
        }
    }
    body_free(&b);
}

// No push ends within a cell, and together they are one.
static void pushes_fade_into_their_neighbours(void** state) {
    (void)state;
    Body b = body_of(scene_body());
    const snPartVolume* v = b.volume;
    const snLattice* lattice = b.scene->binding->lattice;
    float* sums = calloc(v->particle_count, sizeof *sums);
    for (uint32_t k = 0; k < v->part_count; k++) {
        const sniVolumePart* part = &v->parts[k];
        for (uint32_t i = 0; i < part->reach_count; i++) {
            uint32_t p = v->reaches[part->reach_begin + i];
            float own = v->windows[part->reach_begin + i];
            sums[p] += own;
            for (uint32_t n = lattice->neighbor_starts[p]; n < lattice->neighbor_starts[p + 1]; n++) {
                uint32_t place = sni_part_volume_place(v, part, lattice->neighbors[n]);
                float next = place != 0 ? v->windows[part->reach_begin + place - 1] : 0.0f;
                assert_true(fabsf(own - next) < 0.8f); // a border in one cell has 1
            }
        }
    }
    for (uint32_t p = 0; p < v->particle_count; p++) assert_near(sums[p], 1.0, 1e-5);
    free(sums);
    body_free(&b);
}

static void targets_are_reached_both_ways(void** state) {
    (void)state;
    Body b = body_of(scene_tube(3, 12));
    float targets[3];
    static const float factors[] = {1.1f, 0.9f};
    for (int k = 0; k < 2; k++) {
        for (int j = 0; j < 3; j++) targets[j] = factors[k];
        b.job.targets = targets;
        b.job.both_ways = true;
        b.job.sweeps = 3;
        run(&b);
        for (int j = 0; j < 3; j++) {
            assert_near(b.states[j].before, 1.0f / factors[k], 1e-4);
            assert_near(b.states[j].after, 1.0, 1e-3);
            assert_true((b.states[j].push > 0.0f) == (k == 0) && !b.states[j].clamped);
        }
        // The same against a target of 1: the volume really is what was asked for.
        b.job.targets = NULL;
        b.job.sweeps = 0;
        assert_ok(sn_part_volume_run(&b.job));
        for (int j = 0; j < 3; j++) assert_near(b.states[j].before, factors[k], 1.2e-3);
    }
    body_free(&b);
}

static void only_losses_are_given_back_by_default(void** state) {
    (void)state;
    Body b = body_of(scene_tube(3, 12));
    float targets[3] = {0.8f, 0.8f, 0.8f};
    b.job.targets = targets;
    assert_ok(sn_lattice_skin_run(&b.scene->job));
    snVec4* before = malloc(b.scene->count * sizeof *before);
    memcpy(before, b.scene->points, b.scene->count * sizeof *before);
    assert_ok(sn_part_volume_run(&b.job));
    assert_memory_equal(before, b.scene->points, b.scene->count * sizeof *before);
    assert_near(b.states[1].after, 1.25, 1e-4);
    free(before);
    body_free(&b);
}

static void what_is_out_of_reach_is_clamped_and_said(void** state) {
    (void)state;
    Body b = body_of(scene_tube(3, 12));
    float targets[3] = {1.0f, 1000.0f, 1.0f}, cell = b.scene->binding->lattice->cell_size;
    b.job.targets = targets;
    run(&b);
    assert_true(b.states[1].clamped);
    assert_true(b.states[1].after < 0.1f && b.states[1].push > 0.0f && b.states[1].push <= cell);
    assert_false(b.states[0].clamped);
    targets[1] = 0.001f;
    b.job.both_ways = true;
    run(&b);
    assert_true(b.states[1].clamped);
    assert_true(b.states[1].push < 0.0f && b.states[1].push >= -0.25f * cell);
    body_free(&b);
}

static void rigid_motion_commutes(void** state) {
    (void)state;
    Body b = body_of(scene_body());
    scene_clip(b.scene, "jump", 0.4f);
    run(&b);
    uint32_t count = b.scene->count, joints = b.scene->binding->joint_count;
    snVec4* before = malloc(count * sizeof *before);
    memcpy(before, b.scene->points, count * sizeof *before);
    snPartVolumeState* states = malloc(joints * sizeof *states);
    memcpy(states, b.states, joints * sizeof *states);
    snRigid r = {sn_quat_axis_angle(sn_vec3(1, 2, 3), 1.0f), {1.0f, 2.0f, -1.0f}};
    snMat4 motion = sn_mat4_from_rigid(&r);
    for (uint32_t j = 0; j < joints; j++) b.scene->matrices[j] = sn_mat4_mul(&motion, &b.scene->matrices[j]);
    run(&b);
    for (uint32_t p = 0; p < count; p++) {
        snVec3 was = {before[p].x, before[p].y, before[p].z};
        assert_vec3_near(scene_point(b.scene, p), sn_mat4_point(&motion, was), 1e-5f);
    }
    for (uint32_t j = 0; j < joints; j++) {
        assert_near(b.states[j].before, states[j].before, 5e-5);
        assert_near(b.states[j].push, states[j].push, 1e-5);
    }
    free(before);
    free(states);
    body_free(&b);
}

static uint64_t hash_of(const Body* b) {
    uint64_t hash = sn_hash_floats(SN_HASH_SEED, &b->scene->points[0].x, (size_t)4 * b->scene->count);
    for (uint32_t j = 0; j < b->scene->binding->joint_count; j++) {
        const snPartVolumeState* s = &b->states[j];
        float values[4] = {s->before, s->after, s->push, s->clamped ? 1.0f : 0.0f};
        hash = sn_hash_floats(hash, values, 4);
    }
    return hash;
}

static void every_level_gives_the_same_bits(void** state) {
    (void)state;
    Body b = body_of(scene_body());
    assert_true(b.volume->branch_count > 0);
    for (int pass = 0; pass < 2; pass++) {
        scene_clip(b.scene, pass == 0 ? "jump" : "bend", 0.6f);
        b.job.both_ways = pass == 1;
        b.job.level = SN_CPU_SCALAR;
        run(&b);
        uint64_t truth = hash_of(&b);
        for (int level = SN_CPU_AUTO; level < SN_CPU_LEVEL_COUNT; level++) {
            b.job.level = (snCpuLevel)level;
            if (!sn_cpu_level_available(b.job.level)) {
                assert_int_equal(sn_part_volume_run(&b.job), SN_RESULT_UNSUPPORTED);
                continue;
            }
            memset(b.job.scratch, 0xff, sn_part_volume_scratch_size(b.volume));
            memset(b.states, 0xff, b.scene->binding->joint_count * sizeof *b.states);
            run(&b);
            assert_true(hash_of(&b) == truth);
        }
        // Without a report, and without w.
        b.job.level = SN_CPU_AUTO;
        b.job.out_parts = NULL;
        run(&b);
        assert_true(hash_of(&b) == truth);
        for (uint32_t p = 0; p < b.scene->count; p++) assert_true(b.scene->points[p].w == 0.0f);
        b.job.out_parts = b.states;
    }
    body_free(&b);
}

static void empty_parts_are_kept(void** state) {
    (void)state;
    Scene* s = scene_tube(3, 12);
    uint32_t* all = calloc(s->count, sizeof *all);
    for (uint32_t p = 0; p < s->count; p++) all[p] = 2;
    assert_ok(sn_binding_set_parts(s->binding, NULL, all, NULL));
    free(all);
    Body b = body_of(s);
    scene_clip(s, "bend", 0.5f);
    memset(b.states, 0xff, 3 * sizeof *b.states);
    run(&b);
    for (int j = 0; j < 2; j++) {
        assert_true(b.states[j].before == 1.0f && b.states[j].after == 1.0f && b.states[j].push == 0.0f);
        assert_false(b.states[j].clamped);
    }
    assert_true(b.states[2].before != 1.0f);
    body_free(&b);
}

static void parents_come_before_their_children(void** state) {
    (void)state;
    Body b = body_of(scene_body());
    const snBinding* binding = b.scene->binding;
    for (uint32_t i = 0; i < b.volume->part_count; i++) {
        uint32_t parent = binding->parents[b.volume->parts[i].joint];
        for (uint32_t k = i + 1; k < b.volume->part_count; k++) {
            assert_int_not_equal(b.volume->parts[k].joint, parent);
        }
    }
    body_free(&b);
}

static void arguments_are_checked(void** state) {
    (void)state;
    Body b = body_of(scene_tube(2, 8));
    snPartVolume* volume = NULL;
    snError error = sn_error_none();
    assert_int_equal(sn_part_volume_create(NULL, NULL, &volume, &error), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(error.code, SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_part_volume_create(b.scene->binding, NULL, NULL, &error), SN_RESULT_INVALID_ARGUMENT);
    assert_null(volume);
    assert_ok(sn_lattice_skin_run(&b.scene->job));
    assert_int_equal(sn_part_volume_run(NULL), SN_RESULT_INVALID_ARGUMENT);
    float targets[2] = {1.0f, 1.0f};
    for (int spoil = 0; spoil < 7; spoil++) {
        snPartVolumeJob job = b.job;
        job.targets = targets;
        if (spoil == 0) job.volume = NULL;
        if (spoil == 1) job.points = NULL;
        if (spoil == 2) job.scratch = NULL;
        if (spoil == 3) job.pushes = NULL;
        targets[1] = spoil == 4 ? -1.0f : (spoil == 5 ? NAN : (spoil == 6 ? INFINITY : 1.0f));
        assert_int_equal(sn_part_volume_run(&job), SN_RESULT_INVALID_ARGUMENT);
    }
    b.job.sweeps = 0; // measuring needs no pushes
    b.job.pushes = NULL;
    assert_ok(sn_part_volume_run(&b.job));
    sn_part_volume_destroy(NULL);
    body_free(&b);
}

static snResult build(const snAllocator* allocator, void* context) {
    snPartVolume* volume = NULL;
    snResult result = sn_part_volume_create(context, allocator, &volume, NULL);
    if (result == SN_RESULT_OK) sn_part_volume_destroy(volume);
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
        cmocka_unit_test(rest_pose_pushes_nothing),
        cmocka_unit_test(a_bent_elbow_gets_its_volume_back),
        cmocka_unit_test(motions_keep_their_volume),
        cmocka_unit_test(the_whole_does_not_swell),
        cmocka_unit_test(pushes_fade_into_their_neighbours),
        cmocka_unit_test(targets_are_reached_both_ways),
        cmocka_unit_test(only_losses_are_given_back_by_default),
        cmocka_unit_test(what_is_out_of_reach_is_clamped_and_said),
        cmocka_unit_test(rigid_motion_commutes),
        cmocka_unit_test(every_level_gives_the_same_bits),
        cmocka_unit_test(empty_parts_are_kept),
        cmocka_unit_test(parents_come_before_their_children),
        cmocka_unit_test(arguments_are_checked),
        cmocka_unit_test(survives_every_failing_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
