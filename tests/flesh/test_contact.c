// Colliders and the ground: nothing ends inside, nothing is passed through, and bones let their own flesh by.
#include "flesh_scene.h"

#include <math.h>

static Scene* tube;

static int open_tube(void** state) {
    (void)state;
    tube = scene_tube(3, 12);
    return 0;
}

static int close_tube(void** state) {
    (void)state;
    scene_destroy(tube);
    return 0;
}

// Only particle `soft` gives way, and of it all is shown.
static Flesh open_single(uint32_t soft) {
    Flesh f = flesh_open(tube, NULL);
    flesh_fill(f.material.deltas, f.count, 0.0f);
    f.material.deltas[soft] = 1.0f;
    f.job.limit = 50.0f;
    return f;
}

static uint32_t particle_at(snVec3 place) {
    const snLattice* lattice = tube->binding->lattice;
    uint32_t best = 0;
    for (uint32_t p = 0; p < lattice->particle_count; p++) {
        if (sn_distance(lattice->rest[p], place) < sn_distance(lattice->rest[best], place)) best = p;
    }
    return best;
}

static float axis_gap(const snCollider* c, snVec3 p) {
    snVec3 along = sn_sub(c->to, c->from);
    float length2 = sn_dot(along, along);
    float t = length2 > 0 ? sn_clampf(sn_dot(sn_sub(p, c->from), along) / length2, 0, 1) : 0;
    return sn_distance(p, sn_add(c->from, sn_scale(along, t)));
}

static snVec3 shown_at(Flesh* f, uint32_t p) {
    flesh_show(f, 1.0f);
    return xyz(f->shown[p]);
}

// A sphere or a capsule across the path, `way` metres in one step, from 0.5 m before the particle.
static void cross(float way, float half_length, bool passes) {
    uint32_t p = particle_at(sn_vec3(-0.4f, 1.5f, 0));
    Flesh f = open_single(p);
    snVec3 place = xyz(f.primary[p]), half = {0, 0.3f * half_length, half_length};
    snVec3 start = sn_sub(place, sn_vec3(0.5f, 0, 0)), end = sn_add(start, sn_vec3(way, 0, 0));
    snCollider c = {.radius = 0.2f, .owner = SN_NONE};
    c.from_before = sn_sub(start, half), c.to_before = sn_add(start, half);
    c.from = sn_sub(end, half), c.to = sn_add(end, half);
    f.job.collider_count = 1;
    f.job.colliders = &c;
    flesh_step(&f);
    snVec3 now = shown_at(&f, p);
    assert_true(axis_gap(&c, now) >= 0.2f * 0.998f);
    if (passes) {
        assert_near(axis_gap(&c, now), 0.2f, 1e-3f);
        assert_true(now.x > end.x); // ahead of it, not behind
    } else {
        assert_vec3_near(now, place, 1e-6f);
    }
    flesh_close(&f);
}

static void fast_colliders_do_not_tunnel(void** state) {
    (void)state;
    for (float half = 0.0f; half <= 0.5f; half += 0.25f) {
        cross(0.2f, half, false); // stops short of it
        cross(0.4f, half, true);
        cross(1.0f, half, true); // through its place and out on the other side
        cross(5.0f, half, true);
        cross(20.0f, half, true);
    }
}

static void slow_colliders_push(void** state) {
    (void)state;
    uint32_t p = particle_at(sn_vec3(-0.4f, 1.5f, 0));
    Flesh f = open_single(p);
    f.material.deltas[p] = 0.9f;
    snVec3 place = xyz(f.primary[p]);
    snCollider c = {.from = sn_sub(place, sn_vec3(0.5f, 0, 0)), .radius = 0.2f, .owner = SN_NONE};
    c.to = c.from;
    f.job.collider_count = 1;
    f.job.colliders = &c;
    for (int i = 0; i < 45; i++) { // longer, and it slips off sideways
        c.from_before = c.from, c.to_before = c.to;
        c.from.x += 0.01f;
        c.to = c.from;
        flesh_step(&f);
        assert_true(axis_gap(&c, shown_at(&f, p)) >= 0.2f * 0.998f);
    }
    assert_true(shown_at(&f, p).x > place.x + 0.14f);
    // Taken away again, it comes home.
    f.job.collider_count = 0;
    flesh_steps(&f, 300);
    assert_vec3_near(shown_at(&f, p), place, 1e-3f);
    flesh_close(&f);
}

// Random capsules that move, turn and grow longer; particles that move too. None ends inside.
static void nothing_ends_inside(void** state) {
    (void)state;
    uint32_t random = 11, hits = 0;
    for (int i = 0; i < 2000; i++) {
        uint32_t p = test_random(&random) % tube->count;
        Flesh f = open_single(p);
        snVec3 place = xyz(f.primary[p]);
        snVec3* ends[4];
        snCollider c = {.radius = test_random_float(&random, 0.02f, 0.5f), .owner = SN_NONE};
        ends[0] = &c.from, ends[1] = &c.to, ends[2] = &c.from_before, ends[3] = &c.to_before;
        for (int k = 0; k < 4; k++) {
            for (int axis = 0; axis < 3; axis++)
                (&ends[k]->x)[axis] = (&place.x)[axis] + test_random_float(&random, -1.5f, 1.5f);
        }
        f.state->fresh = false;
        f.state->velocities[p] = sn_vec3(test_random_float(&random, -40, 40), 0, 10);
        f.job.collider_count = 1;
        f.job.colliders = &c;
        Flesh free = open_single(p);
        free.state->fresh = false;
        free.state->velocities[p] = f.state->velocities[p];
        flesh_step(&f);
        flesh_step(&free);
        snVec3 now = shown_at(&f, p);
        assert_true(axis_gap(&c, now) >= c.radius * 0.99f);
        hits += sn_distance(now, shown_at(&free, p)) > 1e-4f;
        flesh_close(&f);
        flesh_close(&free);
    }
    assert_true(hits > 200);
}

static void the_ground_holds(void** state) {
    (void)state;
    Flesh f = flesh_open(tube, NULL);
    f.job.gravity = sn_vec3(0, -60, 0);
    f.job.ground = true;
    f.job.ground_height = -0.03f;
    f.job.friction = 1.0f;
    uint32_t low = 0;
    for (int i = 0; i < 120; i++) {
        flesh_step(&f);
        flesh_show(&f, 1.0f);
        low = 0;
        for (uint32_t p = 0; p < f.count; p++) {
            // What the primary itself puts below, and the lattice around a surface does, is lifted too.
            assert_true(f.shown[p].y >= -0.03f - 1e-4f);
            low += f.shown[p].y < -0.03f + 1e-4f;
            if (f.shown[p].y < -0.03f + 1e-4f) assert_true(f.state->velocities[p].y >= -1e-6f);
        }
    }
    assert_true(low > 0);
    f.job.ground = false;
    flesh_steps(&f, 120);
    flesh_show(&f, 1.0f);
    snBounds bounds = sn_bounds_empty();
    for (uint32_t p = 0; p < f.count; p++) bounds = sn_bounds_add(bounds, xyz(f.shown[p]));
    assert_true(bounds.min.y < -0.05f);
    flesh_close(&f);
}

static void friction_slows_along_the_ground(void** state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        uint32_t p = particle_at(sn_vec3(0, 0, 0));
        Flesh f = open_single(p);
        f.state->fresh = false;
        f.state->velocities[p] = sn_vec3(3, -1, 0);
        flesh_fill(f.material.alphas, f.count, 0.0f);
        flesh_fill(f.material.dampings, f.count, 0.0f);
        f.job.ground = true;
        f.job.ground_height = f.primary[p].y;
        f.job.friction = 0.5f * (float)k;
        flesh_step(&f);
        assert_vec3_near(f.state->velocities[p], sn_vec3(k == 0 ? 3.0f : 1.5f, 0, 0), 1e-5f);
        flesh_close(&f);
    }
}

static void bone_and_stiff_flesh_do_not_give_way(void** state) {
    (void)state;
    uint32_t p = particle_at(sn_vec3(-0.4f, 1.5f, 0));
    Flesh f = flesh_open(tube, NULL);
    f.material.holds[p] = 1.0f;
    snVec3 place = xyz(f.primary[p]);
    snCollider c = {.from = place,
                    .to = place,
                    .from_before = place,
                    .to_before = place,
                    .radius = 0.2f,
                    .owner = SN_NONE};
    f.job.collider_count = 1;
    f.job.colliders = &c;
    flesh_steps(&f, 10);
    assert_memory_equal(&f.state->primaries[p], &place, sizeof place);
    assert_vec3_near(shown_at(&f, p), place, 0.0f);
    flesh_close(&f);
}

// -------------------------------------------------------------------------------------------- own bones

// A capsule of bone `owner` put on a particle of bone `part`, thicker than they are apart at rest.
static float clearance(uint32_t owner, uint32_t part, float* out_rest) {
    const snBinding* binding = tube->binding;
    uint32_t p = 0;
    while (p < tube->count && binding->parts->bone_parts[p] != part) p++;
    assert_true(p < tube->count);
    Flesh f = open_single(p);
    snVec3 place = xyz(f.primary[p]), bone = sn_mat4_translation(&binding->binds[owner]);
    // At rest the capsule stands at the bone; now it touches the particle's place from one side.
    snCollider c = {
        .radius = 5.0f, .owner = owner, .from_rest = bone, .to_rest = sn_add(bone, sn_vec3(0, 0.2f, 0))};
    c.from = c.to = c.from_before = c.to_before = sn_add(place, sn_vec3(0.01f, 0, 0));
    snCollider rest = {.from = c.from_rest, .to = c.to_rest};
    *out_rest = axis_gap(&rest, place);
    f.job.collider_count = 1;
    f.job.colliders = &c;
    flesh_step(&f);
    float gap = axis_gap(&c, shown_at(&f, p));
    flesh_close(&f);
    return gap;
}

static void bones_pass_their_neighbors_and_keep_the_rest_clearance(void** state) {
    (void)state;
    assert_int_equal(tube->binding->joint_count, 3);
    assert_int_equal(tube->binding->parents[2], 1);
    float rest = 0.0f;
    for (uint32_t owner = 0; owner < 3; owner++) {
        for (uint32_t part = 0; part < 3; part++) {
            float gap = clearance(owner, part, &rest);
            if (owner + part == 2 && owner != part)
                assert_near(gap, rest, 1e-3f); // 5 m thick, but never nearer than at rest is all it asks
            else
                assert_near(gap, 0.01f, 1e-5f);
        }
    }
}

// At rest nobody's capsule pushes anybody.
static void capsules_at_rest_do_not_push(void** state) {
    (void)state;
    Flesh f = flesh_open(tube, NULL);
    snCollider c[3];
    for (uint32_t j = 0; j < 3; j++) {
        snVec3 from = sn_mat4_translation(&tube->binding->binds[j]), to = sn_add(from, sn_vec3(0, 1, 0));
        c[j] = (snCollider){from, to, from, to, 2.0f, j, from, to};
    }
    f.job.collider_count = 3;
    f.job.colliders = c;
    flesh_steps(&f, 100);
    flesh_show(&f, 1.0f);
    assert_true(flesh_largest(&f) < 1e-4f * f.size);
    flesh_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fast_colliders_do_not_tunnel),
        cmocka_unit_test(slow_colliders_push),
        cmocka_unit_test(nothing_ends_inside),
        cmocka_unit_test(the_ground_holds),
        cmocka_unit_test(friction_slows_along_the_ground),
        cmocka_unit_test(bone_and_stiff_flesh_do_not_give_way),
        cmocka_unit_test(bones_pass_their_neighbors_and_keep_the_rest_clearance),
        cmocka_unit_test(capsules_at_rest_do_not_push),
    };
    return cmocka_run_group_tests(tests, open_tube, close_tube);
}
