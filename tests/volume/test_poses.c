// Poses and settings that asked for more than they got: scale, mirrors, breath, axes that hardly face the
// surface, bad tables.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "volume_support.h"

#define EXACT 1e-6
static const snVec3 SIDE = {0, 0, 1};

// Scales a joint and all below it about its place.
static void scene_scale(VolumeScene* s, uint32_t joint, snVec3 by) {
    snVec3 place = sn_mat4_point(&s->matrices[joint], s->rig[joint].place);
    snTrs trs = {sn_sub(place, sn_vec3(place.x * by.x, place.y * by.y, place.z * by.z)), {0, 0, 0, 1}, by};
    snMat4 m = sn_mat4_from_trs(&trs);
    for (uint32_t j = 0; j < s->joint_count; j++) {
        uint32_t above = j;
        while (above != SN_NONE && above != joint) above = s->rig[above].parent;
        if (above == joint) s->matrices[j] = sn_mat4_mul(&m, &s->matrices[j]);
    }
}

static snShellState run(VolumeScene* s, bool loss_only, const float* targets) {
    snShellState shell;
    snExactVolumeJob job = scene_job(s);
    job.out_shells = &shell;
    job.loss_only = loss_only;
    job.targets = targets;
    scene_run(s, &job);
    return shell;
}

// Breath is a share of the volume that the pose asks for, at any scale.
static void breathes_alike_at_every_scale(void** state) {
    (void)state;
    const float scales[] = {0.1f, 1.0f, 10.0f}, targets[] = {1.2f, 1.2f};
    for (int i = 0; i < 3; i++) {
        VolumeScene s = scene_tube(2, 24, 36, true);
        scene_build(&s);
        scene_scale(&s, 0, sn_vec3(scales[i], scales[i], scales[i]));
        snShellState shell = run(&s, false, targets);
        assert_near(shell.target / shell.before, 1.2, 1e-4);
        scene_destroy(&s);
    }
}

// Scaling a joint is not a gain of volume; whatever the amount, the target lies between what the pose has and
// what full correction wants.
static void counts_scale_once(void** state) {
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        VolumeScene s = scene_tube(2, 24, 36, true);
        if (kind == 1) s.rig[1].amount = 0.5f;
        if (kind == 2) s.rig[1].amount = 0.0f;
        scene_build(&s);
        scene_scale(&s, 1, sn_vec3(1.3f, 1.3f, 1.3f));
        snShellState shell = run(&s, kind == 0, NULL);
        assert_near(shell.target / shell.before, 1.0, 0.08);
        scene_destroy(&s);
    }
}

static void is_exact_at_every_scale(void** state) {
    (void)state;
    const float scales[] = {1e-3f, 0.01f, 0.1f, 1.0f, 100.0f};
    for (int i = 0; i < 5; i++) {
        VolumeScene s = scene_tube(2, 24, 36, true);
        scene_build(&s);
        scene_turn(&s, 1, SIDE, 1.5f);
        scene_scale(&s, 0, sn_vec3(scales[i], scales[i], scales[i]));
        snShellState shell = run(&s, false, NULL);
        assert_near(shell.after / shell.target, 1.0, EXACT);
        scene_destroy(&s);
    }
}

static void corrects_losses_of_mirrored_poses(void** state) {
    (void)state;
    VolumeScene s = scene_tube(2, 24, 36, true);
    scene_build(&s);
    scene_turn(&s, 1, SIDE, 1.2f);
    scene_scale(&s, 0, sn_vec3(-1, 1, 1));
    snShellState shell = run(&s, true, NULL);
    assert_near(shell.after, -scene_volume(&s, NULL), EXACT);
    scene_destroy(&s);
}

// A tube that narrows a little hardly faces its own axis: what goes there must fade, not grow without end.
static void moves_little_along_axes_that_hardly_face(void** state) {
    (void)state;
    const float tapers[] = {0.0f, 5e-4f, 1e-3f, 5e-3f, 0.01f, 0.05f, 0.2f}, targets[] = {1, 1.05f, 1};
    for (int i = 0; i < 7; i++) {
        VolumeScene s = scene_tube(3, 24, 36, true);
        snMesh* mesh = s.model->parts[0].mesh;
        for (uint32_t v = 0; v < mesh->vertex_count; v++) {
            float k = 1.0f - tapers[i] * mesh->positions[v].y;
            mesh->positions[v].x *= k;
            mesh->positions[v].z *= k;
        }
        scene_build(&s);
        snShellState shell = run(&s, false, targets);
        assert_near(shell.after / shell.target, 1.0, EXACT);
        assert_true(scene_distance(&s, s.plain, s.positions) < 0.05f); // 0.016 m without a taper
        scene_destroy(&s);
    }
}

static void refuses_tables_that_are_not(void** state) {
    (void)state;
    for (int kind = 0; kind < 6; kind++) {
        VolumeScene s = scene_tube(3, 8, 12, true);
        scene_build(&s);
        if (kind == 0) s.order[1] = 1000;
        if (kind == 1) s.order[1] = s.order[0];
        if (kind == 2) s.order[0] = 2, s.order[2] = 0; // children first
        if (kind == 3) s.rig[1].parent = 1000;
        if (kind == 4) s.rig[1].amount = NAN;
        if (kind == 5) s.rig[1].place.x = NAN;
        snExactVolume* volume = NULL;
        snError error = {0};
        assert_int_equal(sn_exact_volume_create(&s.def, NULL, &volume, &error), SN_RESULT_INVALID_ARGUMENT);
        assert_null(volume);
        scene_destroy(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(breathes_alike_at_every_scale),
        cmocka_unit_test(counts_scale_once),
        cmocka_unit_test(is_exact_at_every_scale),
        cmocka_unit_test(corrects_losses_of_mirrored_poses),
        cmocka_unit_test(moves_little_along_axes_that_hardly_face),
        cmocka_unit_test(refuses_tables_that_are_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
