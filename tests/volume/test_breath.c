// Targets of a joint's volume go to what its bone carries: a chest breathes at the chest.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "volume_support.h"

#define EXACT 1e-6
#define SEGMENTS 5

static snShellState breathe(VolumeScene* s, const float* targets) {
    snShellState shell;
    snExactVolumeJob job = scene_job(s);
    job.out_shells = &shell;
    job.targets = targets;
    scene_run(s, &job);
    return shell;
}

// Mean way outward, away from the tube's axis, of its side between two heights.
static float mean_outward(const VolumeScene* s, float low, float high) {
    float sum = 0.0f, count = 0.0f;
    for (uint32_t i = 0; i < s->mesh->vertex_count; i++) {
        snVec3 p = s->plain[i], moved = sn_sub(s->positions[i], p);
        if (p.y < low || p.y > high) continue;
        sum += sn_dot(moved, sn_normalize_or(sn_vec3(p.x, 0.0f, p.z), sn_vec3(0, 0, 0)));
        count += 1.0f;
    }
    assert_true(count > 0.0f);
    return sum / count;
}

// Furthest of a part of the surface between two heights.
static float most_moved(const VolumeScene* s, float low, float high) {
    float most = 0.0f;
    for (uint32_t i = 0; i < s->mesh->vertex_count; i++)
        if (s->plain[i].y >= low && s->plain[i].y <= high)
            most = sn_maxf(most, sn_distance(s->positions[i], s->plain[i]));
    return most;
}

static void make_hard(VolumeScene* s) {
    float* weights = s->model->parts[0].weights.weights;
    for (uint32_t v = 0; v < s->mesh->vertex_count; v++) {
        float* w = weights + (size_t)v * s->influences;
        uint32_t most = 0;
        for (uint32_t k = 1; k < s->influences; k++)
            if (w[k] > w[most]) most = k;
        for (uint32_t k = 0; k < s->influences; k++) w[k] = k == most ? 1.0f : 0.0f;
    }
}

// A tube of five bones 0.6 m long whose middle one breathes, with weights soft and hard, straight and with a
// joint further off bent. Its middle moves by sqrt(1.2) - 1 of the radius, less what is spread over half a
// radius beyond its ends, 1 - e^(-0.3 / 0.175), and the 7 % that the caps at the tube's ends count.
static void moves_what_the_bone_carries(void** state) {
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        VolumeScene s = scene_tube(SEGMENTS, 24, 60, true);
        if (kind % 2 == 1) make_hard(&s);
        scene_build(&s);
        float bone = s.rig[3].place.y - s.rig[2].place.y, from = s.rig[2].place.y, to = s.rig[3].place.y;
        if (kind >= 2) scene_turn(&s, 4, sn_vec3(0, 0, 1), 0.7f); // two bones on: far off
        const float targets[SEGMENTS] = {1.0f, 1.0f, 1.2f, 1.0f, 1.0f};
        float still[SEGMENTS] = {1.0f, 1.0f, 1.0f, 1.0f, 1.0f};
        breathe(&s, still);
        float bent = most_moved(&s, from, to);
        snShellState shell = breathe(&s, targets);
        assert_near(shell.after, shell.target, EXACT * shell.target);
        float middle = mean_outward(&s, from + 0.2f * bone, to - 0.2f * bone);
        float own = mean_outward(&s, from, to), before = mean_outward(&s, from - bone, from),
              after = mean_outward(&s, to, to + 0.8f * bone);
        print_message("kind %d: own %.4f (middle %.4f), before %.4f, after %.4f m\n", kind, (double)own,
                      (double)middle, (double)before, (double)after);
        double known = 0.35 * (sqrt(1.2) - 1.0) * (1.0 - exp(-0.3 / 0.175)) * 0.93;
        assert_near(middle, known, 0.1 * known);
        assert_true(own > 3.0f * fabsf(before) && own > 3.0f * fabsf(after));
        assert_true(most_moved(&s, 0.0f, from - 0.8f * bone) == 0.0f);
        assert_true(bent < 0.1f * own);
        scene_destroy(&s);
    }
}

// Bones that breathe alike move the surface between them as far as in their middles: no ring.
static void neighbours_breathe_as_one(void** state) {
    (void)state;
    for (int hard = 0; hard < 2; hard++) {
        VolumeScene s = scene_tube(SEGMENTS, 24, 60, true);
        if (hard == 1) make_hard(&s);
        scene_build(&s);
        const float targets[SEGMENTS] = {1.0f, 1.15f, 1.15f, 1.15f, 1.0f};
        breathe(&s, targets);
        float bone = s.rig[3].place.y - s.rig[2].place.y, joint = s.rig[2].place.y;
        float middle = mean_outward(&s, joint + 0.4f * bone, joint + 0.6f * bone),
              border = mean_outward(&s, joint - 0.1f * bone, joint + 0.1f * bone);
        print_message("hard %d: middle %.4f, border %.4f m\n", hard, (double)middle, (double)border);
        assert_near(border / middle, 1.0, 0.06);
        scene_destroy(&s);
    }
}

// Where weights are hard nothing steps: neighbouring rings move by nearly the same.
static void hard_weights_make_no_step(void** state) {
    (void)state;
    VolumeScene s = scene_tube(SEGMENTS, 24, 120, true);
    make_hard(&s);
    scene_build(&s);
    const float targets[SEGMENTS] = {1.0f, 1.0f, 1.2f, 1.0f, 1.0f};
    breathe(&s, targets);
    float ring = 3.0f / 120.0f, most = most_moved(&s, 0.0f, 3.0f), last = 0.0f, step = 0.0f;
    for (int r = 1; r < 120; r++) {
        float y = ring * (float)r, now = mean_outward(&s, y - 0.1f * ring, y + 0.1f * ring);
        if (r > 1) step = sn_maxf(step, fabsf(now - last));
        last = now;
    }
    print_message("step from ring to ring %.2g of %.2g m\n", (double)step, (double)most);
    assert_true(step < 0.1f * most);
    scene_destroy(&s);
}

// Mean and largest move of the body's trunk between two heights; arms, which hang on no height, are left out.
static float trunk_moved(const VolumeScene* s, float low, float high) {
    float sum = 0.0f, count = 0.0f;
    for (uint32_t i = 0; i < s->mesh->vertex_count; i++) {
        snVec3 p = s->plain[i];
        if (p.y < low || p.y > high || fabsf(p.x) > 0.17f) continue;
        sum += sn_distance(s->positions[i], p);
        count += 1.0f;
    }
    assert_true(count > 0.0f);
    return sum / count;
}

static void a_chest_breathes_at_the_chest(void** state) {
    (void)state;
    snBodyDef def = sn_body_def();
    def.vertex_target = 6000;
    snModel* model = NULL;
    assert_ok(sn_builtin_body(&def, NULL, &model, NULL));
    VolumeScene s = scene_of(model);
    scene_build(&s);
    uint32_t chest = sn_skeleton_find(model->skeleton, "Chest");
    uint32_t upper = sn_skeleton_find(model->skeleton, "UpperChest");
    uint32_t spine = sn_skeleton_find(model->skeleton, "Spine");
    float targets[MOST_JOINTS];
    for (uint32_t j = 0; j < s.joint_count; j++) targets[j] = j == chest || j == upper ? 1.15f : 1.0f;
    snShellState shell = breathe(&s, targets);
    assert_near(shell.after, shell.target, EXACT * shell.target);
    float ribs = trunk_moved(&s, s.rig[chest].place.y + 0.05f, s.rig[upper].place.y + 0.05f),
          waist = trunk_moved(&s, s.rig[spine].place.y - 0.05f, s.rig[spine].place.y + 0.05f),
          legs = trunk_moved(&s, 0.0f, 0.7f);
    print_message("chest %.4f, belly %.4f, legs %.4f m\n", (double)ribs, (double)waist, (double)legs);
    assert_true(ribs > 0.004f && ribs > 4.0f * waist);
    assert_true(legs == 0.0f);
    scene_destroy(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moves_what_the_bone_carries),
        cmocka_unit_test(neighbours_breathe_as_one),
        cmocka_unit_test(hard_weights_make_no_step),
        cmocka_unit_test(a_chest_breathes_at_the_chest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
