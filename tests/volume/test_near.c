// What a pose presses together stays as the skin has it, and the volume goes elsewhere.
#include <stdlib.h>
#include <string.h>

#include "volume_support.h"

// A tube of three segments whose last lies exactly in its second, or somewhere else.
static VolumeScene shifted(float far, snShellState* shell) {
    static const float targets[] = {1.1f, 1.1f, 1.1f};
    VolumeScene s = scene_tube(3, 24, 36, true);
    scene_build(&s);
    snVec3 by = sn_scale(sn_sub(s.rig[1].place, s.rig[2].place), far);
    s.matrices[2].m[12] += by.x, s.matrices[2].m[13] += by.y, s.matrices[2].m[14] += by.z;
    snExactVolumeJob job = scene_job(&s);
    job.targets = targets;
    job.out_shells = shell;
    scene_run(&s, &job);
    return s;
}

// Points of the last segment that lie on points of the second; `still`: those of them that did not move.
static uint32_t count_doubled(const VolumeScene* s, uint32_t* still) {
    uint32_t doubled = 0;
    float away = 0.5f * sn_distance(s->rig[1].place, s->rig[2].place);
    *still = 0;
    for (uint32_t i = 0; i < s->mesh->vertex_count; i++) {
        bool found = false;
        for (uint32_t k = 0; k < s->mesh->vertex_count && !found; k++)
            found = sn_distance(s->plain[i], s->plain[k]) < 1e-4f &&
                    sn_distance(s->mesh->positions[i], s->mesh->positions[k]) > away;
        doubled += found;
        *still += found && sn_distance(s->plain[i], s->positions[i]) == 0.0f;
    }
    return doubled;
}

static void surface_on_surface_stays(void** state) {
    (void)state;
    snShellState shell;
    VolumeScene s = shifted(1.0f, &shell);
    uint32_t still = 0, doubled = count_doubled(&s, &still), moved = 0;
    for (uint32_t i = 0; i < s.mesh->vertex_count; i++)
        moved += sn_distance(s.plain[i], s.positions[i]) > 1e-3f;
    print_message("%u points on others, %u still; %u moved of %u; %.3g held\n", doubled, still, moved,
                  s.mesh->vertex_count, shell.held / shell.target);
    assert_true(doubled > 200 && still == doubled);
    assert_true(moved > 100); // the first segment has room
    assert_near(shell.after / (shell.target - shell.held), 1.0, 1e-6);
    scene_destroy(&s);
}

static void surface_with_room_moves(void** state) {
    (void)state;
    snShellState shell;
    VolumeScene s = shifted(-1.0f, &shell); // drawn out, twice as far away
    uint32_t still = 0;
    assert_int_equal(count_doubled(&s, &still), 0);
    assert_near(shell.after / (shell.target - shell.held), 1.0, 1e-6);
    uint32_t moved = 0, own = 0;
    for (uint32_t i = 0; i < s.mesh->vertex_count; i++) {
        uint32_t k = i * s.influences;
        if (s.model->parts[0].weights.weights[k] <= 0.999f || s.joints[k] != 2) continue;
        own++;
        moved += sn_distance(s.plain[i], s.positions[i]) > 1e-4f;
    }
    print_message("%u of %u points of the last segment moved\n", moved, own);
    assert_true(own > 200 && moved > 50); // as far as the joint reaches
    scene_destroy(&s);
}

// Neither the size of the pose nor where it is matters.
static void scale_changes_nothing(void** state) {
    (void)state;
    snShellState shell;
    VolumeScene s = shifted(1.0f, &shell);
    double held = shell.held / shell.target;
    snTrs trs = {sn_vec3(1, 2, 3), sn_quat_axis_angle(sn_vec3(0, 0, 1), 1.0f), sn_vec3(8, 8, 8)};
    snMat4 larger = sn_mat4_from_trs(&trs);
    for (uint32_t j = 0; j < 3; j++) s.matrices[j] = sn_mat4_mul(&larger, &s.matrices[j]);
    static const float targets[] = {1.1f, 1.1f, 1.1f};
    snExactVolumeJob job = scene_job(&s);
    job.targets = targets;
    job.out_shells = &shell;
    scene_run(&s, &job);
    assert_near(shell.held / shell.target, held, 1e-3);
    scene_destroy(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(surface_on_surface_stays),
        cmocka_unit_test(surface_with_room_moves),
        cmocka_unit_test(scale_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
