// Splines by themselves: the curve, its frames, where points hang, and the matrices of a pose.
#include "spline_scene.h"

// One spline, from the middle of the first bone to the middle of the second.
static snSplines* random_elbow(uint32_t* random, float stiffness, float most_bend) {
    snVec3 way = sn_quat_rotate(test_random_rotation(random), sn_vec3(1, 0, 0));
    snVec3 on = sn_quat_rotate(random_turn(random, most_bend), way);
    snVec3 places[3] = {sn_vec3(0.3f, -0.2f, 0.1f)};
    places[1] = sn_add(places[0], sn_scale(way, test_random_float(random, 0.5f, 2.0f)));
    places[2] = sn_add(places[1], sn_scale(on, test_random_float(random, 0.5f, 2.0f)));
    snSplines* splines = chain_of(places, 3, stiffness, 0.5f);
    assert_int_equal(sn_splines_count(splines), 1);
    return splines;
}

// The same with a joint before the first, so that however it is bent it is a limb and no pivot.
static snSplines* random_limb(uint32_t* random, float stiffness, float most_bend) {
    snSplines* elbow = random_elbow(random, stiffness, most_bend);
    snSpline s = sn_splines_get(elbow, 0);
    sn_splines_destroy(elbow);
    // A pivot starts straight behind its joint: bend it again.
    snVec3 on = sn_sub(s.points[2], s.points[1]);
    snVec3 back = sn_quat_rotate(random_turn(random, most_bend), sn_sub(s.points[0], s.points[1]));
    snSplineJoint joints[4] = {{.parent = 3}, {.parent = 0, .weight = 1.0f}, {.parent = 1, .weight = 1.0f}};
    joints[3].parent = SN_NONE;
    joints[1].place = s.points[1];
    joints[0].place = sn_add(s.points[1], sn_scale(back, 2.0f));
    joints[2].place = joints[2].center = sn_add(s.points[1], sn_scale(on, 2.0f));
    joints[3].place = sn_add(joints[0].place, back);
    for (uint32_t j = 0; j < 4; j++) {
        if (j != 2) joints[j].center = joints[j].place;
        joints[j].stiffness = stiffness, joints[j].reach = 0.5f;
    }
    snSplinesDef def = {4, joints, 32};
    snSplines* splines = NULL;
    assert_ok(sn_splines_create(&def, NULL, &splines, NULL));
    assert_int_equal(sn_splines_count(splines), 1);
    assert_false(sn_splines_get(splines, 0).pivot);
    return splines;
}

static snSplines* straight_elbow(float stiffness) {
    const snVec3 places[3] = {{0, 0, 0}, {0, 1, 0}, {0, 2, 0}};
    return chain_of(places, 3, stiffness, 0.5f);
}

static const float stiffnesses[] = {2.0f, 2.5f, 3.0f, 5.0f, 10.0f, 32.0f};
enum { STIFFNESSES = sizeof stiffnesses / sizeof stiffnesses[0] };

// ------------------------------------------------------------------------------------------------- the curve

// Straight from the formula, in doubles.
static void curve_exactly(const snSpline* s, double x, double f[3], double slope[3]) {
    double a = (double)s->stiffness;
    const float* p[3] = {&s->points[0].x, &s->points[1].x, &s->points[2].x};
    for (int k = 0; k < 3; k++) {
        double d12 = (double)p[1][k] - (double)p[0][k], d23 = (double)p[2][k] - (double)p[1][k];
        f[k] = (double)p[0][k] + d12 * (1.0 - pow(1.0 - x, a)) + d23 * pow(x, a);
        slope[k] = a * (d12 * pow(1.0 - x, a - 1.0) + d23 * pow(x, a - 1.0));
    }
}

static void the_curve_is_the_formula(void** state) {
    (void)state;
    uint32_t random = 1;
    for (int s = 0; s < STIFFNESSES; s++) {
        snSplines* splines = random_limb(&random, stiffnesses[s], 2.0f);
        const sniSpline* spline = &splines->splines[0];
        for (int i = 0; i <= 100; i++) {
            float x = (float)i / 100.0f;
            double f[3], slope[3], before[3], after[3], unused[3];
            curve_exactly(&spline->spline, (double)x, f, slope);
            sniSplineFrame frame = sni_spline_frame(spline, x);
            assert_vec3_near(frame.origin, sn_vec3((float)f[0], (float)f[1], (float)f[2]), 1e-6f);
            double length = sqrt(slope[0] * slope[0] + slope[1] * slope[1] + slope[2] * slope[2]);
            assert_vec3_near(
                frame.t,
                sn_vec3((float)(slope[0] / length), (float)(slope[1] / length), (float)(slope[2] / length)),
                2e-6f);
            if (i == 0 || i == 100) continue;
            curve_exactly(&spline->spline, (double)x - 1e-6, before, unused);
            curve_exactly(&spline->spline, (double)x + 1e-6, after, unused);
            for (int k = 0; k < 3; k++) assert_near((after[k] - before[k]) / 2e-6, slope[k], 1e-5);
        }
        assert_memory_equal(&spline->first.origin, &spline->spline.points[0], sizeof(snVec3));
        assert_vec3_near(spline->last.origin, spline->spline.points[2], 2e-7f);
        sn_splines_destroy(splines);
    }
}

static void assert_frame(const sniSplineFrame* f) {
    assert_near(sn_length(f->e1), 1.0f, 1e-6f);
    assert_near(sn_length(f->t), 1.0f, 1e-6f);
    assert_vec3_near(f->e2, sn_cross(f->t, f->e1), 1e-6f);
    assert_near(sn_dot(f->t, f->e1), 0.0f, 1e-6f);
}

// The tangent turns by the angle between two neighbours; a frame that is carried along turns no more.
static void frames_are_right_handed_and_turn_no_more_than_the_tangent(void** state) {
    (void)state;
    uint32_t random = 2;
    for (int s = 0; s < 5 * STIFFNESSES; s++) {
        snSplines* splines = random_elbow(&random, stiffnesses[s % STIFFNESSES], 2.6f);
        const sniSpline* spline = &splines->splines[0];
        sniSplineFrame last = sni_spline_frame(spline, 0.0f);
        for (int i = 0; i <= 2000; i++) {
            sniSplineFrame frame = sni_spline_frame(spline, (float)i / 2000.0f);
            assert_frame(&frame);
            float turned = sn_distance(frame.t, last.t);
            assert_true(sn_distance(frame.e1, last.e1) <= turned + 2e-6f);
            assert_true(sn_distance(frame.e2, last.e2) <= turned + 2e-6f);
            last = frame;
        }
        sn_splines_destroy(splines);
    }
}

// Two bones in line leave the cross product of the paper without a direction; here nothing happens.
static void frames_do_not_jump_where_bones_are_in_line(void** state) {
    (void)state;
    for (int s = 0; s < STIFFNESSES; s++) {
        sniSplineFrame last[5];
        for (int i = -200; i <= 200; i++) {
            float angle = 0.1f * DEGREES * (float)i;
            const snVec3 places[3] = {{0, 0, 0}, {0, 1, 0}, {sn_sin(angle), 1.0f + sn_cos(angle), 0}};
            snSplines* splines = chain_of(places, 3, stiffnesses[s], 0.5f);
            for (int k = 0; k < 5; k++) {
                sniSplineFrame frame = sni_spline_frame(&splines->splines[0], (float)k / 4.0f);
                float step = 0.1f * DEGREES + 1e-6f;
                if (i > -200) assert_true(sn_distance(frame.e1, last[k].e1) <= step);
                if (i > -200) assert_true(sn_distance(frame.e2, last[k].e2) <= step);
                last[k] = frame;
            }
            sn_splines_destroy(splines);
        }
    }
}

// ----------------------------------------------------------------------------------------- where points hang

// The plane test in doubles.
static double plane_test(const snSpline* s, double x, snVec3 point) {
    double f[3], slope[3];
    curve_exactly(s, x, f, slope);
    return slope[0] * ((double)point.x - f[0]) + slope[1] * ((double)point.y - f[1]) +
           slope[2] * ((double)point.z - f[2]);
}

// Halving 1 by 26 steps leaves 2^-26 on both sides of the answer; what is left is the rounding of the test
// itself, a few ulp of coordinates near 2 over the slope. So the sign must change within a small interval
// around x, and a fine scan that knows no halving must find its only change there too.
static void halving_finds_the_only_change_of_sign(void** state) {
    (void)state;
    uint32_t random = 3, inside = 0;
    for (int i = 0; i < 600; i++) {
        snSplines* splines = random_limb(&random, stiffnesses[i % 4], 1.5f);
        const sniSpline* spline = &splines->splines[0];
        sniSplineFrame at = sni_spline_frame(spline, test_random_float(&random, 0.05f, 0.95f));
        snVec3 away = sn_add(sn_scale(at.e1, test_random_float(&random, -0.1f, 0.1f)),
                             sn_scale(at.e2, test_random_float(&random, -0.1f, 0.1f)));
        snVec3 point = sn_add(at.origin, away);
        int changes = 0;
        double change = 0.0, last = plane_test(&spline->spline, 0.0, point);
        for (int k = 1; k <= 4000; k++) {
            double test = plane_test(&spline->spline, k / 4000.0, point);
            if ((last > 0.0) != (test > 0.0)) changes++, change = (k - 0.5) / 4000.0;
            last = test;
        }
        float x = sn_splines_parameter(splines, 0, point);
        if (changes == 1) {
            inside++;
            assert_near(x, change, 0.5 / 4000.0 + 2e-5);
            assert_true(plane_test(&spline->spline, fmax((double)x - 2e-5, 0.0), point) >= 0.0);
            assert_true(plane_test(&spline->spline, fmin((double)x + 2e-5, 1.0), point) <= 0.0);
        }
        sn_splines_destroy(splines);
    }
    assert_true(inside > 550);
}

static float largest_curvature(const sniSpline* spline) {
    float worst = 0.0f;
    for (int i = 0; i < 200; i++) {
        sniSplineFrame a = sni_spline_frame(spline, (float)i / 200.0f);
        sniSplineFrame b = sni_spline_frame(spline, (float)(i + 1) / 200.0f);
        worst = sn_maxf(worst, sn_distance(a.t, b.t) / sn_distance(a.origin, b.origin));
    }
    return worst;
}

// The test's own derivative is <f'', p - f> - <f', f'>: it falls at every root of points that are nearer than
// the smallest radius of curvature, so there is one root only, and such points are found where they were put.
static void points_within_the_radius_of_curvature_hang_where_they_were_put(void** state) {
    (void)state;
    uint32_t random = 4;
    for (int i = 0; i < 1000; i++) {
        snSplines* splines = random_limb(&random, stiffnesses[i % 4], 1.5f);
        const sniSpline* spline = &splines->splines[0];
        float radius = sn_minf(0.8f / largest_curvature(spline), 0.2f);
        float x = test_random_float(&random, 0.05f, 0.95f), angle = test_random_float(&random, -SN_PI, SN_PI);
        sniSplineFrame at = sni_spline_frame(spline, x);
        snVec3 point = sn_add(at.origin, sn_scale(at.e1, radius * sn_cos(angle)));
        point = sn_add(point, sn_scale(at.e2, radius * sn_sin(angle)));
        assert_near(sn_splines_parameter(splines, 0, point), x, 2e-5);
        sn_splines_destroy(splines);
    }
}

static void points_beyond_the_ends_hang_at_the_ends(void** state) {
    (void)state;
    uint32_t random = 5;
    for (int i = 0; i < 100; i++) {
        snSplines* splines = random_limb(&random, stiffnesses[i % STIFFNESSES], 1.0f);
        const sniSpline* s = &splines->splines[0];
        snVec3 aside = sn_scale(s->first.e1, 0.05f), aside2 = sn_scale(s->last.e1, 0.05f);
        for (float d = 1e-4f; d < 3.0f; d *= 3.0f) {
            snVec3 before = sn_sub(sn_add(s->first.origin, aside), sn_scale(s->first.t, d));
            snVec3 behind = sn_add(sn_add(s->last.origin, aside2), sn_scale(s->last.t, d));
            assert_true(sn_splines_parameter(splines, 0, before) == 0.0f);
            assert_true(sn_splines_parameter(splines, 0, behind) == 1.0f);
        }
        // The slope of the curve is a * d12 at its beginning: so x leaves 0 at that rate, and no faster.
        float rate = 1.0f / (s->spline.stiffness * s->length12);
        float x = sn_splines_parameter(splines, 0, sn_add(s->first.origin, sn_scale(s->first.t, 1e-3f)));
        assert_true(x > 0.0f && x < 1.2f * rate * 1e-3f);
        rate = 1.0f / (s->spline.stiffness * s->length23);
        x = sn_splines_parameter(splines, 0, sn_sub(s->last.origin, sn_scale(s->last.t, 1e-3f)));
        assert_true(x < 1.0f && x > 1.0f - 1.2f * rate * 1e-3f);
        sn_splines_destroy(splines);
    }
}

static void the_rate_is_the_slope_of_the_place(void** state) {
    (void)state;
    uint32_t random = 6;
    for (int i = 0; i < 500; i++) {
        snSplines* splines = random_elbow(&random, stiffnesses[i % 4], 0.7f);
        const sniSpline* s = &splines->splines[0];
        float x = test_random_float(&random, 0.15f, 0.85f);
        sniSplineFrame at = sni_spline_frame(s, x);
        snVec3 point = sn_add(at.origin, sn_scale(at.e1, test_random_float(&random, -0.1f, 0.1f)));
        float h = 2e-3f;
        float after = sn_splines_parameter(splines, 0, sn_add(point, sn_scale(at.t, h)));
        float before = sn_splines_parameter(splines, 0, sn_sub(point, sn_scale(at.t, h)));
        float rate = sni_spline_rate(s, x, point);
        assert_near((after - before) / (2.0f * h), rate, 0.02f * rate + 2e-3f);
        sn_splines_destroy(splines);
    }
}

// -------------------------------------------------------------------------------------------------- matrices

typedef struct Posed {
    snMat4 joints[3];
    snMat4 out[64 + 3];
    snSplinePose pose;
    float twist;
} Posed;

static snMat4 elbow_turn(const snSplines* splines, snQuat turn) {
    return turn_about(splines->splines[0].spline.points[1], turn, sn_vec3(0, 0, 0));
}

// The second bone turned about the elbow; the hand follows.
static void pose_elbow(const snSplines* splines, snQuat turn, Posed* p) {
    p->joints[0] = sn_mat4_identity();
    p->joints[1] = p->joints[2] = elbow_turn(splines, turn);
    snSplinesJob job = {.splines = splines,
                        .matrices = p->joints,
                        .twists = &p->twist,
                        .out_matrices = p->out,
                        .out_poses = &p->pose};
    assert_ok(sn_splines_run(&job));
}

static void the_pose_tells_bend_twist_and_direction(void** state) {
    (void)state;
    snSplines* splines = straight_elbow(2.0f);
    const sniSpline* s = &splines->splines[0];
    snVec3 along = sn_vec3(0, 1, 0);
    for (int bend = 5; bend <= 170; bend += 15) {
        for (int twist = -170; twist <= 170; twist += 20) {
            for (int around = -170; around < 180; around += 35) {
                Posed p = {.twist = 0.0f};
                snVec3 axis = sn_vec3(sn_cos((float)around * DEGREES), 0, sn_sin((float)around * DEGREES));
                pose_elbow(splines, bent(axis, (float)bend * DEGREES, along, (float)twist * DEGREES), &p);
                assert_near(p.pose.bend, (float)bend * DEGREES, 2e-5f);
                // Close to a fold the twist is that of two nearly opposite directions.
                assert_near(p.pose.twist, (float)twist * DEGREES, 1e-4f);
                // The hand goes towards axis x along; the outside is on the other side.
                snVec3 outside = sn_cross(along, axis);
                snVec3 told = sn_add(sn_scale(s->middle.e1, sn_cos(p.pose.direction)),
                                     sn_scale(s->middle.e2, sn_sin(p.pose.direction)));
                assert_vec3_near(told, outside, 2e-5f);
                assert_near(p.twist, p.pose.twist, 0.0f);
            }
        }
    }
    sn_splines_destroy(splines);
}

static void ends_are_exactly_the_joints(void** state) {
    (void)state;
    uint32_t random = 7;
    for (int i = 0; i < 50; i++) {
        snSplines* splines = random_elbow(&random, stiffnesses[i % STIFFNESSES], 1.0f);
        Posed p = {.twist = 0.0f};
        pose_elbow(splines, random_turn(&random, 2.5f), &p);
        assert_memory_equal(p.out, p.joints, 3 * sizeof(snMat4));
        assert_memory_equal(&p.out[3], &p.joints[0], sizeof(snMat4));
        assert_memory_equal(&p.out[3 + 31], &p.joints[1], sizeof(snMat4));
        snMat4 first = sn_splines_matrix_at(splines, p.joints, 0, 0.0f, 0.0f);
        snMat4 last = sn_splines_matrix_at(splines, p.joints, 0, 1.0f, 0.0f);
        assert_memory_equal(&first, &p.joints[0], sizeof(snMat4));
        assert_memory_equal(&last, &p.joints[1], sizeof(snMat4));
        // And what lies between goes there.
        snMat4 near_first = sn_splines_matrix_at(splines, p.joints, 0, 1e-5f, 0.0f);
        snMat4 near_last = sn_splines_matrix_at(splines, p.joints, 0, 1.0f - 1e-5f, 0.0f);
        assert_true(matrix_distance(&near_first, &first) < 5e-3f);
        assert_true(matrix_distance(&near_last, &last) < 5e-3f);
        sn_splines_destroy(splines);
    }
}

// Joints that shift, grow or turn over: the matrices still begin with one and end with the other.
static void matrices_are_continuous_at_the_ends_of_any_joints(void** state) {
    (void)state;
    uint32_t random = 8;
    for (int i = 0; i < 200; i++) {
        snSplines* splines = random_elbow(&random, stiffnesses[i % 4], 0.8f);
        snMat4 joints[3];
        for (int j = 0; j < 2; j++) {
            float size = i % 3 == 0 ? 0.0f : 0.4f;
            snTrs trs = {sn_vec3(test_random_float(&random, -0.3f, 0.3f), 0.1f, 0.2f),
                         random_turn(&random, 0.8f), sn_vec3(1.0f - size, 1.0f + size, 1.0f)};
            if (i % 5 == 4) trs.scale.z = -1.0f;
            joints[j] = sn_mat4_from_trs(&trs);
        }
        joints[2] = joints[1];
        snMat4 near_first = sn_splines_matrix_at(splines, joints, 0, 1e-5f, 0.0f);
        snMat4 near_last = sn_splines_matrix_at(splines, joints, 0, 1.0f - 1e-5f, 0.0f);
        assert_true(matrix_distance(&near_first, &joints[0]) < 5e-3f);
        assert_true(matrix_distance(&near_last, &joints[1]) < 5e-3f);
        sn_splines_destroy(splines);
    }
}

// The largest change of any number of the matrices from one pose to the next.
static float largest_step(const snSplines* splines, const Posed* a, const Posed* b) {
    float worst = 0.0f;
    for (uint32_t k = 0; k < splines->samples; k++)
        worst = sn_maxf(worst, matrix_distance(&a->out[3 + k], &b->out[3 + k]));
    return worst;
}

// A frame turns by no more than the joint does, and its origin, a metre from the elbow, moves no faster than
// that: so twice the step of the joint bounds every number of a matrix.
static void bending_through_straight_does_not_jump(void** state) {
    (void)state;
    for (int s = 0; s < STIFFNESSES; s++) {
        snSplines* splines = straight_elbow(stiffnesses[s]);
        for (int around = 0; around < 180; around += 30) {
            snVec3 axis = sn_vec3(sn_cos((float)around * DEGREES), 0, sn_sin((float)around * DEGREES));
            Posed last = {.twist = 0.0f}, now;
            for (int i = -400; i <= 400; i++) {
                now.twist = last.twist;
                pose_elbow(splines, sn_quat_axis_angle(axis, 0.05f * (float)i * DEGREES), &now);
                if (i > -400)
                    assert_true(largest_step(splines, &last, &now) <= 2.0f * 0.05f * DEGREES + 2e-6f);
                last = now;
            }
        }
        sn_splines_destroy(splines);
    }
}

// At 90 degrees, turning the plane of the bend by a step turns the joint by sqrt(2) of it.
static void turning_the_plane_of_the_bend_does_not_flip(void** state) {
    (void)state;
    for (int s = 0; s < STIFFNESSES; s++) {
        snSplines* splines = straight_elbow(stiffnesses[s]);
        Posed last = {.twist = 0.0f}, now, first;
        for (int around = 0; around <= 360; around++) {
            snVec3 axis = sn_vec3(sn_cos((float)around * DEGREES), 0, sn_sin((float)around * DEGREES));
            now.twist = last.twist;
            pose_elbow(splines, sn_quat_axis_angle(axis, 90.0f * DEGREES), &now);
            if (around == 0) first = now;
            if (around > 0) assert_true(largest_step(splines, &last, &now) <= 2.0f * DEGREES);
            assert_near(now.pose.twist, 0.0f, 1e-5f);
            last = now;
        }
        assert_true(largest_step(splines, &first, &now) < 1e-4f);
        sn_splines_destroy(splines);
    }
}

// Twists go on past half a turn while the last one is handed on, and never jump until a turn and a half.
static void twists_are_carried_past_half_a_turn(void** state) {
    (void)state;
    snSplines* splines = straight_elbow(2.0f);
    for (int bend = 0; bend <= 120; bend += 60) {
        for (int sense = -1; sense <= 1; sense += 2) {
            Posed last = {.twist = 0.0f}, now;
            for (int i = 0; i <= 500; i++) {
                float twist = (float)(sense * i) * DEGREES;
                now.twist = last.twist;
                pose_elbow(splines, bent(sn_vec3(0, 0, 1), (float)bend * DEGREES, sn_vec3(0, 1, 0), twist),
                           &now);
                assert_near(now.pose.twist, twist, 1e-4f);
                if (i > 0) assert_true(largest_step(splines, &last, &now) <= 2.0f * DEGREES);
                last = now;
            }
        }
    }
    // Without them, or with a last twist that is no number, it is the nearest to 0.
    Posed p = {.twist = 0.0f};
    pose_elbow(splines, sn_quat_axis_angle(sn_vec3(0, 1, 0), 200.0f * DEGREES), &p);
    assert_near(p.pose.twist, -160.0f * DEGREES, 1e-4f);
    p.twist = NAN;
    pose_elbow(splines, sn_quat_axis_angle(sn_vec3(0, 1, 0), 200.0f * DEGREES), &p);
    assert_near(p.pose.twist, -160.0f * DEGREES, 1e-4f);
    // Wound up for ever, it stays within two turns.
    p.twist = 0.0f;
    for (int i = 0; i <= 4000; i++) {
        pose_elbow(splines, sn_quat_axis_angle(sn_vec3(0, 1, 0), (float)i * DEGREES), &p);
        assert_true(fabsf(p.pose.twist) <= 4.0f * SN_PI);
    }
    sn_splines_destroy(splines);
}

// The x that lies at a sample, by halving.
static float sample_x(const sniSpline* s, float at) {
    float low = 0.0f, high = 1.0f;
    for (int i = 0; i < 30; i++) {
        float x = 0.5f * (low + high);
        if (sni_spline_sample_at(s, x) < at)
            low = x;
        else
            high = x;
    }
    return high;
}

// Samples begin and end with the spline, and lie nowhere twice as far apart as if they were spread evenly
// over its length.
static void samples_are_spread_along_the_spline(void** state) {
    (void)state;
    uint32_t random = 20;
    for (int i = 0; i < 5 * STIFFNESSES; i++) {
        snSplines* splines = random_elbow(&random, stiffnesses[i % STIFFNESSES], 1.0f);
        const sniSpline* s = &splines->splines[0];
        assert_near(sni_spline_sample_at(s, 0.0f), 0.0f, 0.0f);
        assert_near(sni_spline_sample_at(s, 1.0f), 1.0f, 1e-6f);
        float last = 0.0f, share = 0.0f;
        for (int k = 1; k <= 1000; k++) {
            float x = (float)k / 1000.0f, now = sni_spline_sample_at(s, x);
            float length = sni_spline_factors(s, x).share;
            assert_true(now >= last - 1e-6f);
            assert_true(now - last >= 0.5f * (length - share) - 1e-6f);
            last = now;
            share = length;
        }
        sn_splines_destroy(splines);
    }
}

// The kernel and the function that is written apart from it say the same of every sample.
static void samples_equal_the_direct_matrices(void** state) {
    (void)state;
    uint32_t random = 9;
    for (int i = 0; i < 200; i++) {
        snSplines* splines = random_elbow(&random, stiffnesses[i % STIFFNESSES], 1.2f);
        Posed p = {.twist = 0.0f};
        pose_elbow(splines, random_turn(&random, 2.6f), &p);
        for (uint32_t k = 0; k < splines->samples; k++) {
            snMat4 direct = sn_splines_matrix_at(splines, p.joints, 0,
                                                 sample_x(&splines->splines[0], (float)k / 31.0f), p.twist);
            // A stiff spline turns by hundreds of radians per x.
            assert_true(matrix_distance(&direct, &p.out[3 + k]) < 1e-4f);
        }
        sn_splines_destroy(splines);
    }
}

// Where a chain has no kink, one spline ends with the matrix that the next begins with.
static void chains_meet_in_the_middle_of_bones(void** state) {
    (void)state;
    uint32_t random = 10;
    snVec3 places[6] = {{0, 0, 0}};
    for (int j = 1; j < 6; j++)
        places[j] = sn_add(places[j - 1], sn_quat_rotate(random_turn(&random, 0.6f), sn_vec3(0, 0.4f, 0)));
    snSplines* splines = chain_of(places, 6, 3.0f, 0.5f);
    assert_int_equal(sn_splines_count(splines), 4);
    snMat4 joints[6];
    for (int j = 0; j < 6; j++) {
        snMat4 turn = turn_about(places[j], random_turn(&random, 1.0f), sn_vec3(0, 0, 0));
        joints[j] = j > 0 ? sn_mat4_mul(&joints[j - 1], &turn) : turn;
    }
    for (uint32_t i = 0; i + 1 < 4; i++) {
        snSpline a = sn_splines_get(splines, i), b = sn_splines_get(splines, i + 1);
        assert_int_equal(a.joint, b.parent);
        assert_memory_equal(&a.points[2], &b.points[0], sizeof(snVec3));
        snMat4 end = sn_splines_matrix_at(splines, joints, i, 1.0f, 0.0f);
        snMat4 begin = sn_splines_matrix_at(splines, joints, i + 1, 0.0f, 0.0f);
        assert_memory_equal(&end, &begin, sizeof end);
        // No kink: the tangents agree there too.
        assert_vec3_near(splines->splines[i].last.t, splines->splines[i + 1].first.t, 1e-6f);
    }
    sn_splines_destroy(splines);
}

// --------------------------------------------------------------------------------------------- bad arguments

static void bad_definitions_are_refused(void** state) {
    (void)state;
    snSplineJoint good[3];
    for (uint32_t j = 0; j < 3; j++)
        good[j] = (snSplineJoint){.parent = j > 0 ? j - 1 : SN_NONE,
                                  .place = sn_vec3(0, (float)j, 0),
                                  .weight = 1.0f,
                                  .stiffness = 2.0f,
                                  .reach = 0.5f};
    for (int spoil = 0; spoil < 12; spoil++) {
        snSplineJoint joints[3];
        memcpy(joints, good, sizeof joints);
        snSplinesDef def = sn_splines_def();
        assert_int_equal(def.samples, 32);
        def.joint_count = 3;
        def.joints = joints;
        if (spoil == 0) def.joints = NULL;
        if (spoil == 1) def.samples = 1;
        if (spoil == 2) def.samples = SN_SPLINE_SAMPLES_MAX + 1;
        if (spoil == 3) joints[1].parent = 3;
        if (spoil == 4) joints[1].parent = 1;
        if (spoil == 5) joints[1].place.y = INFINITY;
        if (spoil == 6) joints[1].center.z = NAN;
        if (spoil == 7) joints[1].stiffness = 1.99f;
        if (spoil == 8) joints[1].stiffness = NAN;
        if (spoil == 9) joints[1].stiffness = 33.0f;
        if (spoil == 10) joints[1].reach = 0.0f;
        if (spoil == 11) joints[1].reach = 1.01f;
        snSplines* splines = NULL;
        snError error = sn_error_none();
        assert_int_equal(sn_splines_create(&def, NULL, &splines, &error), SN_RESULT_INVALID_ARGUMENT);
        assert_null(splines);
        assert_true(error.text[0] != '\0');
        assert_int_equal(error.joint, spoil < 3 ? SN_NONE : 1);
    }
    snSplines* splines = NULL;
    assert_int_equal(sn_splines_create(NULL, NULL, &splines, NULL), SN_RESULT_INVALID_ARGUMENT);
    snSplinesDef def = {3, good, 32};
    assert_int_equal(sn_splines_create(&def, NULL, NULL, NULL), SN_RESULT_INVALID_ARGUMENT);
    sn_splines_destroy(NULL);
}

static void more_matrices_than_numbers_are_refused(void** state) {
    (void)state;
    enum { MANY = 300 };
    snSplineJoint* joints = calloc(MANY, sizeof *joints);
    for (uint32_t j = 0; j < MANY; j++)
        joints[j] = (snSplineJoint){.parent = j > 0 ? j - 1 : SN_NONE,
                                    .place = sn_vec3(0, (float)j, 0),
                                    .weight = 1.0f,
                                    .center = sn_vec3(0, (float)j + 0.5f, 0),
                                    .stiffness = 2.0f,
                                    .reach = 0.5f};
    snSplinesDef def = {MANY, joints, SN_SPLINE_SAMPLES_MAX};
    snSplines* splines = NULL;
    assert_int_equal(sn_splines_create(&def, NULL, &splines, NULL), SN_RESULT_UNSUPPORTED);
    def.samples = 200;
    assert_ok(sn_splines_create(&def, NULL, &splines, NULL));
    assert_int_equal(sn_splines_matrix_count(splines), MANY + (MANY - 1) * 200);
    sn_splines_destroy(splines);
    free(joints);
}

static void jobs_are_checked(void** state) {
    (void)state;
    snSplines* splines = straight_elbow(2.0f);
    snMat4 matrices[3] = {sn_mat4_identity(), sn_mat4_identity(), sn_mat4_identity()}, out[64];
    assert_int_equal(sn_splines_run(NULL), SN_RESULT_INVALID_ARGUMENT);
    for (int spoil = 0; spoil < 3; spoil++) {
        snSplinesJob job = {.splines = splines, .matrices = matrices, .out_matrices = out};
        if (spoil == 0) job.splines = NULL;
        if (spoil == 1) job.matrices = NULL;
        if (spoil == 2) job.out_matrices = NULL;
        assert_int_equal(sn_splines_run(&job), SN_RESULT_INVALID_ARGUMENT);
    }
    snSplinesJob job = {.splines = splines, .matrices = matrices, .out_matrices = out};
    for (int level = SN_CPU_AUTO; level < SN_CPU_LEVEL_COUNT; level++) {
        job.level = (snCpuLevel)level;
        bool there = sn_cpu_level_available(job.level);
        assert_int_equal(sn_splines_run(&job), there ? SN_RESULT_OK : SN_RESULT_UNSUPPORTED);
    }
    sn_splines_destroy(splines);
    snSplinesDef none = {0, NULL, 32};
    assert_ok(sn_splines_create(&none, NULL, &splines, NULL));
    assert_int_equal(sn_splines_count(splines), 0);
    assert_int_equal(sn_splines_matrix_count(splines), 0);
    sn_splines_destroy(splines);
}

static snResult build(const snAllocator* allocator, void* context) {
    snSplines* splines = NULL;
    snResult result = sn_splines_create(context, allocator, &splines, NULL);
    sn_splines_destroy(splines);
    return result;
}

static void survives_every_failing_allocation(void** state) {
    (void)state;
    Scene* s = scene_body(1500);
    snSplinesDef def = {s->joint_count, s->joints, 32};
    test_every_allocation(build, &def);
    scene_destroy(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_curve_is_the_formula),
        cmocka_unit_test(frames_are_right_handed_and_turn_no_more_than_the_tangent),
        cmocka_unit_test(frames_do_not_jump_where_bones_are_in_line),
        cmocka_unit_test(halving_finds_the_only_change_of_sign),
        cmocka_unit_test(points_within_the_radius_of_curvature_hang_where_they_were_put),
        cmocka_unit_test(points_beyond_the_ends_hang_at_the_ends),
        cmocka_unit_test(the_rate_is_the_slope_of_the_place),
        cmocka_unit_test(the_pose_tells_bend_twist_and_direction),
        cmocka_unit_test(ends_are_exactly_the_joints),
        cmocka_unit_test(matrices_are_continuous_at_the_ends_of_any_joints),
        cmocka_unit_test(bending_through_straight_does_not_jump),
        cmocka_unit_test(turning_the_plane_of_the_bend_does_not_flip),
        cmocka_unit_test(twists_are_carried_past_half_a_turn),
        cmocka_unit_test(samples_are_spread_along_the_spline),
        cmocka_unit_test(samples_equal_the_direct_matrices),
        cmocka_unit_test(chains_meet_in_the_middle_of_bones),
        cmocka_unit_test(bad_definitions_are_refused),
        cmocka_unit_test(more_matrices_than_numbers_are_refused),
        cmocka_unit_test(jobs_are_checked),
        cmocka_unit_test(survives_every_failing_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
