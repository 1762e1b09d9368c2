// The default weights: what they promise on figures small enough to reason about.
#include <math.h>

#include "figure.h"
#include "sinew/builtin.h"

static void check_convex(const snModel* model) {
    for (uint32_t p = 0; p < model->part_count; p++) {
        const snWeights* w = &model->parts[p].weights;
        assert_int_equal(w->vertex_count, model->parts[p].mesh->vertex_count);
        for (uint32_t v = 0; v < w->vertex_count; v++) {
            float sum = 0.0f;
            for (uint32_t i = 0; i < w->influences; i++) {
                float weight = w->weights[(size_t)v * w->influences + i];
                assert_true(weight >= 0.0f && weight <= 1.0f);
                sum += weight;
            }
            assert_near(sum, 1.0f, 1e-5f);
        }
    }
}

// Largest difference of any weight of two bindings of the same skeleton, vertex by vertex.
static float largest_difference(const snModel* a, const snModel* b) {
    float largest = 0.0f;
    for (uint32_t v = 0; v < a->parts[0].weights.vertex_count; v++) {
        for (uint32_t j = 0; j < a->skeleton->joint_count; j++) {
            largest = sn_maxf(largest, fabsf(joint_weight(a, v, j) - joint_weight(b, v, j)));
        }
    }
    return largest;
}

// ----------------------------------------------------------------------------------------- properties

// Hips, two legs and two arms in one surface each way symmetric in x.
static void make_person(Figure* figure) {
    figure_begin(figure);
    Solid* solid = &figure->solid;
    add_post(solid, sn_vec3(0.0f, 0.9f, 0.0f), 0.3f, 1.0f, 16);
    uint32_t hips = add_joint(figure, "hips", 0, sn_vec3(0.0f, 1.0f, 0.0f));
    uint32_t chest = add_joint(figure, "chest", hips, sn_vec3(0.0f, 1.4f, 0.0f));
    add_tip(figure, chest, sn_vec3(0.0f, 1.8f, 0.0f));
    for (int side = -1; side <= 1; side += 2) {
        float x = 0.15f * (float)side;
        add_post(solid, sn_vec3(x, 0.0f, 0.0f), 0.12f, 1.0f, 16);
        uint32_t thigh = add_joint(figure, side < 0 ? "thigh.r" : "thigh.l", hips, sn_vec3(x, 0.95f, 0.0f));
        uint32_t shin = add_joint(figure, side < 0 ? "shin.r" : "shin.l", thigh, sn_vec3(x, 0.5f, 0.0f));
        add_tip(figure, shin, sn_vec3(x, 0.05f, 0.0f));
    }
}

static void test_convex(void** state) {
    (void)state;
    Figure figure;
    make_person(&figure);
    snModel* model = bind_figure(&figure);
    check_convex(model);
    sn_model_destroy(model);
    solid_free(&figure.solid);
}

static void test_body(void** state) {
    (void)state;
    snBodyDef body = sn_body_def();
    body.vertex_target = 4000;
    snModel* model = NULL;
    assert_ok(sn_builtin_body(&body, NULL, &model, NULL));
    snBindDef def = sn_bind_def();
    snBindReport report;
    assert_ok(sn_model_bind(model, &def, &report, NULL));
    check_convex(model);
    assert_int_equal(report.unweighted_vertices, 0);
    assert_int_equal(report.joints_without_weight_count, 0);
    assert_true(report.residual <= 2.0 * SN_BIND_TOLERANCE);
    sn_bind_report_free(&report);
    sn_model_destroy(model);
}

static void move_figure(Figure* figure, snQuat turn, snVec3 shift, float scale) {
    for (uint32_t i = 0; i < figure->solid.point_count; i++) {
        snVec3 p = sn_scale(sn_quat_rotate(turn, figure->solid.points[i]), scale);
        figure->solid.points[i] = sn_add(p, shift);
    }
    for (uint32_t j = 1; j < figure->joint_count; j++) {
        snVec3 p = sn_scale(sn_quat_rotate(turn, figure->places[j]), scale);
        figure->places[j] = sn_add(p, shift);
    }
}

static void check_moved(snQuat turn, snVec3 shift, float scale, float tolerance) {
    Figure figure, moved;
    make_person(&figure);
    make_person(&moved);
    move_figure(&moved, turn, shift, scale);
    snModel *a = bind_figure(&figure), *b = bind_figure(&moved);
    assert_near(largest_difference(a, b), 0.0f, tolerance);
    sn_model_destroy(a);
    sn_model_destroy(b);
    solid_free(&figure.solid);
    solid_free(&moved.solid);
}

// The grid of the flesh does not move with the figure, so a motion may show a little: where the way to a bone
// grazes the surface, a cell more or less of it counts as outside.
static void test_rigid_motion(void** state) {
    (void)state;
    uint32_t random = 5;
    check_moved(sn_quat_identity(), sn_vec3(10.0f, -3.0f, 2.0f), 1.0f, 0.03f);
    for (int i = 0; i < 4; i++) {
        check_moved(test_random_rotation(&random), sn_vec3(1.0f, 2.0f, 3.0f), 1.0f, 0.06f);
    }
}

static void test_scale(void** state) {
    (void)state;
    check_moved(sn_quat_identity(), sn_vec3(0.0f, 0.0f, 0.0f), 1024.0f, 1e-4f);
    check_moved(sn_quat_identity(), sn_vec3(0.0f, 0.0f, 0.0f), 0.001f, 0.02f);
}

static uint32_t vertex_at(const snModel* model, snVec3 p) {
    const snMesh* mesh = model->parts[0].mesh;
    uint32_t best = 0;
    for (uint32_t v = 1; v < mesh->vertex_count; v++) {
        if (sn_distance(mesh->positions[v], p) < sn_distance(mesh->positions[best], p)) best = v;
    }
    return best;
}

// Some programs write surfaces inside out.
static void test_inside_out(void** state) {
    (void)state;
    Figure figure;
    make_person(&figure);
    snModel* right = bind_figure(&figure);
    for (uint32_t t = 0; t < figure.solid.triangle_count; t++) {
        uint32_t* corners = figure.solid.triangles + (size_t)t * 3;
        uint32_t swap = corners[1];
        corners[1] = corners[2];
        corners[2] = swap;
    }
    snModel* turned = bind_figure(&figure);
    assert_near(largest_difference(right, turned), 0.0f, 0.01f);
    sn_model_destroy(right);
    sn_model_destroy(turned);
    solid_free(&figure.solid);
}

static uint64_t bind_hash(const Figure* figure, const snTasks* tasks) {
    snModel* model = NULL;
    assert_ok(make_model(figure, NULL, &model));
    snBindDef def = sn_bind_def();
    def.deforming = figure->deforming;
    if (tasks != NULL) def.tasks = *tasks;
    assert_ok(sn_model_bind(model, &def, NULL, NULL));
    const snWeights* w = &model->parts[0].weights;
    uint64_t hash = sn_hash_floats(SN_HASH_SEED, w->weights, (size_t)w->vertex_count * w->influences);
    hash = sn_hash_bytes(hash, w->joints, (size_t)w->vertex_count * w->influences * sizeof(uint16_t));
    sn_model_destroy(model);
    return hash;
}

static void test_workers(void** state) {
    (void)state;
    Figure figure;
    make_person(&figure);
    uint64_t alone = bind_hash(&figure, NULL);
    for (uint32_t workers = 1; workers <= 4; workers++) {
        snPool* pool = NULL;
        assert_ok(sn_pool_create(workers, &pool));
        snTasks tasks = sn_pool_tasks(pool);
        assert_true(bind_hash(&figure, &tasks) == alone);
        sn_pool_destroy(pool);
    }
    solid_free(&figure.solid);
}

// ------------------------------------------------------------------------------------------- ownership

static void test_tube_splits_at_joint(void** state) {
    (void)state;
    Figure figure;
    figure_begin(&figure);
    uint32_t first = add_post(&figure.solid, sn_vec3(0.0f, 0.0f, 0.0f), 0.2f, 2.0f, 40);
    uint32_t lower = add_joint(&figure, "lower", 0, sn_vec3(0.0f, 0.1f, 0.0f));
    uint32_t upper = add_joint(&figure, "upper", lower, sn_vec3(0.0f, 1.0f, 0.0f));
    add_tip(&figure, upper, sn_vec3(0.0f, 1.9f, 0.0f));
    snModel* model = bind_figure(&figure);
    float before = 1.0f;
    for (uint32_t ring = 0; ring <= 40; ring++) {
        float weight = joint_weight(model, first + ring * SIDES, lower);
        assert_true(weight <= before + 0.01f); // falls from foot to head
        before = weight;
        if (ring <= 12) assert_near(weight, 1.0f, 0.02f);
        if (ring == 20) assert_near(weight, 0.5f, 0.03f);
        if (ring >= 28) assert_near(weight, 0.0f, 0.02f);
    }
    sn_model_destroy(model);
    solid_free(&figure.solid);
}

// Two prongs of one surface, a finger's breadth apart.
static void test_no_weight_crosses_a_gap(void** state) {
    (void)state;
    Figure figure;
    figure_begin(&figure);
    solid_add_fork(&figure.solid, 0.2f, 0.03f, 1.0f, 0.2f);
    snBounds bounds = sn_bounds_of(figure.solid.points, figure.solid.point_count);
    float middle = 0.5f * (bounds.min.x + bounds.max.x), z = 0.5f * (bounds.min.z + bounds.max.z);
    float y = bounds.min.y + 0.1f;
    uint32_t root = add_joint(&figure, "bridge", 0, sn_vec3(middle, y, z));
    uint32_t prongs[2];
    for (int side = 0; side < 2; side++) {
        float x = side == 0 ? bounds.min.x + 0.1f : bounds.max.x - 0.1f;
        prongs[side] = add_joint(&figure, side == 0 ? "left" : "right", root, sn_vec3(x, y + 0.15f, z));
        add_tip(&figure, prongs[side], sn_vec3(x, bounds.max.y - 0.05f, z));
    }
    snModel* model = bind_figure(&figure);
    for (uint32_t v = 0; v < figure.solid.point_count; v++) {
        snVec3 p = figure.solid.points[v];
        if (p.y < y + 0.4f) continue;
        assert_true(joint_weight(model, v, prongs[p.x < middle]) < 0.01f);
    }
    sn_model_destroy(model);
    solid_free(&figure.solid);
}

// A foot that hangs on the root: the shin reaches down to it, and the root owns nothing of the leg.
static void test_planted_foot(void** state) {
    (void)state;
    Figure figure;
    figure_begin(&figure);
    uint32_t first = add_post(&figure.solid, sn_vec3(1.0f, 0.0f, 0.0f), 0.2f, 3.0f, 60);
    uint32_t root = add_joint(&figure, "root", 0, sn_vec3(0.0f, 0.0f, 0.0f));
    uint32_t foot = add_joint(&figure, "foot", root, sn_vec3(1.0f, 0.5f, 0.0f));
    add_tip(&figure, foot, sn_vec3(1.0f, 0.1f, 0.0f));
    uint32_t hip = add_joint(&figure, "hip", root, sn_vec3(1.0f, 2.9f, 0.0f));
    uint32_t shin = add_joint(&figure, "shin", hip, sn_vec3(1.0f, 1.7f, 0.0f));
    add_tip(&figure, shin, sn_vec3(1.0f, 1.2f, 0.0f)); // shorter than the way to the foot
    snModel* model = bind_figure(&figure);
    assert_true(joint_weight(model, first + 18 * SIDES, shin) > 0.9f);      // y = 0.9
    assert_true(joint_weight(model, first + 3 * SIDES, foot) > 0.9f);       // y = 0.15
    assert_near(joint_weight(model, first + 10 * SIDES, shin), 0.5f, 0.1f); // at the foot's joint
    for (uint32_t ring = 0; ring < 50; ring++) {
        assert_true(joint_weight(model, first + ring * SIDES, root) < 0.05f);
    }
    sn_model_destroy(model);
    solid_free(&figure.solid);
}

// A head whose only children are two ears still owns the face.
static void test_flesh_ahead_of_a_joint(void** state) {
    (void)state;
    Figure figure;
    figure_begin(&figure);
    add_post(&figure.solid, sn_vec3(0.0f, 0.0f, 0.0f), 0.3f, 4.0f, 80);
    uint32_t neck = add_joint(&figure, "neck", 0, sn_vec3(0.0f, 0.2f, 0.0f));
    uint32_t head = add_joint(&figure, "head", neck, sn_vec3(0.0f, 2.0f, 0.0f));
    for (int side = -1; side <= 1; side += 2) {
        snVec3 at = sn_vec3(0.2f * (float)side, 2.0f, 0.0f);
        uint32_t ear = add_joint(&figure, side < 0 ? "ear.r" : "ear.l", head, at);
        add_tip(&figure, ear, sn_vec3(0.28f * (float)side, 2.0f, 0.0f));
    }
    snModel* model = bind_figure(&figure);
    assert_true(joint_weight(model, vertex_at(model, sn_vec3(0.0f, 4.0f, 0.0f)), head) > 0.95f);
    assert_true(joint_weight(model, vertex_at(model, sn_vec3(0.0f, 3.0f, 0.3f)), head) > 0.9f);
    assert_true(joint_weight(model, vertex_at(model, sn_vec3(0.0f, 1.0f, 0.3f)), neck) > 0.9f);
    sn_model_destroy(model);
    solid_free(&figure.solid);
}

// ---------------------------------------------------------------------------------------------- pieces

// A leg in its own piece that reaches into the torso moves none of it.
static void test_pieces_keep_their_bones(void** state) {
    (void)state;
    Figure figure;
    make_person(&figure);
    snModel* model = bind_figure(&figure);
    uint32_t hips = sn_skeleton_find(model->skeleton, "hips");
    uint32_t chest = sn_skeleton_find(model->skeleton, "chest");
    uint32_t torso_points = 17 * SIDES + 2; // the first post
    for (uint32_t v = 0; v < torso_points; v++) {
        float own = joint_weight(model, v, hips) + joint_weight(model, v, chest);
        assert_true(own > (figure.solid.points[v].y < 1.1f ? 0.85f : 0.98f)); // less where a leg pierces it
    }
    for (uint32_t v = torso_points; v < figure.solid.point_count; v++) {
        assert_true(joint_weight(model, v, chest) < 0.01f);
    }
    sn_model_destroy(model);
    solid_free(&figure.solid);
}

static void check_rigid(const snModel* model, uint32_t first, uint32_t end) {
    for (uint32_t v = first; v < end; v++) {
        for (uint32_t j = 0; j < model->skeleton->joint_count; j++) {
            assert_near(joint_weight(model, v, j), joint_weight(model, first, j), 1e-6f);
        }
    }
}

static void test_island_follows_host(void** state) {
    (void)state;
    Figure figure;
    figure_begin(&figure);
    add_post(&figure.solid, sn_vec3(0.0f, 0.0f, 0.0f), 0.2f, 2.0f, 40);
    uint32_t button = figure.solid.point_count;
    solid_add_sphere(&figure.solid, sn_vec3(0.25f, 1.5f, 0.0f), 0.03f, 6);
    uint32_t belt = figure.solid.point_count; // an open ring, larger than what moves as one
    for (uint32_t s = 0; s < 32; s++) {
        float angle = (float)s * 2.0f * SN_PI / 32.0f;
        solid_add_point(&figure.solid, sn_vec3(0.23f * sn_cos(angle), 0.3f, 0.23f * sn_sin(angle)));
        solid_add_point(&figure.solid, sn_vec3(0.23f * sn_cos(angle), 0.4f, 0.23f * sn_sin(angle)));
    }
    for (uint32_t s = 0; s < 64; s += 2) {
        uint32_t next = (s + 2) % 64;
        solid_add_triangle(&figure.solid, belt + s, belt + s + 1, belt + next);
        solid_add_triangle(&figure.solid, belt + next, belt + s + 1, belt + next + 1);
    }
    uint32_t lower = add_joint(&figure, "lower", 0, sn_vec3(0.0f, 0.1f, 0.0f));
    uint32_t upper = add_joint(&figure, "upper", lower, sn_vec3(0.0f, 1.0f, 0.0f));
    add_tip(&figure, upper, sn_vec3(0.0f, 1.9f, 0.0f));
    snModel* model = bind_figure(&figure);
    check_rigid(model, button, belt);
    assert_true(joint_weight(model, button, upper) > 0.98f);
    for (uint32_t v = belt; v < figure.solid.point_count; v++) {
        assert_true(joint_weight(model, v, lower) > 0.95f);
    }
    sn_model_destroy(model);
    solid_free(&figure.solid);
}

// The ball between two rigid parts goes with the bone that ends in it.
static void test_ball_goes_with_upper_part(void** state) {
    (void)state;
    Figure figure;
    figure_begin(&figure);
    add_post(&figure.solid, sn_vec3(0.0f, 1.1f, 0.0f), 0.2f, 0.9f, 10);
    uint32_t lower_post = figure.solid.point_count;
    add_post(&figure.solid, sn_vec3(0.0f, 0.0f, 0.0f), 0.2f, 0.9f, 10);
    uint32_t ball = figure.solid.point_count;
    solid_add_sphere(&figure.solid, sn_vec3(0.0f, 1.0f, 0.0f), 0.08f, 8);
    uint32_t upper = add_joint(&figure, "upper", 0, sn_vec3(0.0f, 1.9f, 0.0f));
    uint32_t lower = add_joint(&figure, "lower", upper, sn_vec3(0.0f, 1.0f, 0.0f));
    add_tip(&figure, lower, sn_vec3(0.0f, 0.1f, 0.0f));
    snModel* model = bind_figure(&figure);
    for (uint32_t v = 0; v < figure.solid.point_count; v++) {
        uint32_t joint = v >= lower_post && v < ball ? lower : upper;
        assert_near(joint_weight(model, v, joint), 1.0f, 1e-6f);
    }
    sn_model_destroy(model);
    solid_free(&figure.solid);
}

// Bones of a cape run beside it, in no piece at all; the cape is theirs.
static void test_bones_in_thin_air(void** state) {
    (void)state;
    Figure figure;
    figure_begin(&figure);
    add_post(&figure.solid, sn_vec3(0.0f, 0.0f, 0.0f), 0.2f, 2.0f, 20);
    uint32_t cape = figure.solid.point_count;
    for (uint32_t y = 0; y <= 16; y++) {
        for (uint32_t x = 0; x <= 8; x++) {
            solid_add_point(&figure.solid, sn_vec3(0.1f * (float)x - 0.4f, 0.1f * (float)y + 0.2f, -0.6f));
        }
    }
    for (uint32_t i = 0; i < 16 * 9; i++) {
        if (i % 9 == 8) continue;
        solid_add_triangle(&figure.solid, cape + i, cape + i + 9, cape + i + 1);
        solid_add_triangle(&figure.solid, cape + i + 1, cape + i + 9, cape + i + 10);
    }
    uint32_t body = add_joint(&figure, "body", 0, sn_vec3(0.0f, 0.1f, 0.0f));
    add_tip(&figure, body, sn_vec3(0.0f, 1.9f, 0.0f));
    uint32_t top = add_joint(&figure, "cape", body, sn_vec3(0.0f, 1.8f, -0.7f));
    uint32_t hem = add_joint(&figure, "hem", top, sn_vec3(0.0f, 1.0f, -0.7f));
    add_tip(&figure, hem, sn_vec3(0.0f, 0.2f, -0.7f));
    snModel* model = bind_figure(&figure);
    assert_true(joint_weight(model, cape + 4, hem) > 0.95f);
    assert_true(joint_weight(model, cape + 16 * 9 + 4, top) > 0.8f);
    for (uint32_t v = 0; v < cape; v++) assert_true(joint_weight(model, v, body) > 0.95f);
    sn_model_destroy(model);
    solid_free(&figure.solid);
}

// -------------------------------------------------------------------------------------------- bad input

// Faces without area, faces on one line, loose points, a bone of length zero, a bone far away.
static void test_degenerate(void** state) {
    (void)state;
    Figure figure;
    figure_begin(&figure);
    Solid* solid = &figure.solid;
    add_post(solid, sn_vec3(0.0f, 0.0f, 0.0f), 0.2f, 2.0f, 4);
    solid_add_triangle(solid, 0, 0, 1);
    solid_add_triangle(solid, 0, SIDES, 2 * SIDES);
    solid_add_point(solid, sn_vec3(0.5f, 0.5f, 0.5f));
    uint32_t a = add_joint(&figure, "a", 0, sn_vec3(0.0f, 0.5f, 0.0f));
    uint32_t b = add_joint(&figure, "b", a, sn_vec3(0.0f, 0.5f, 0.0f));
    add_tip(&figure, b, sn_vec3(0.0f, 0.5f, 0.0f));
    uint32_t c = add_joint(&figure, "c", b, sn_vec3(0.0f, 5.0f, 0.0f));
    add_tip(&figure, c, sn_vec3(0.0f, 6.0f, 0.0f));
    snModel* model = bind_figure(&figure);
    check_convex(model);
    sn_model_destroy(model);
    solid_free(&figure.solid);
}

// No piece encloses anything: a heap of loose triangles binds to its nearest bones.
static void test_triangle_soup(void** state) {
    (void)state;
    Figure figure;
    uint32_t random = 3;
    figure_begin(&figure);
    for (int i = 0; i < 300; i++) {
        uint32_t first = figure.solid.point_count;
        snVec3 p = sn_vec3(test_random_float(&random, -1.0f, 1.0f), test_random_float(&random, -1.0f, 1.0f),
                           test_random_float(&random, -1.0f, 1.0f));
        for (int k = 0; k < 3; k++) {
            snVec3 d =
                sn_vec3(test_random_float(&random, -0.1f, 0.1f), test_random_float(&random, -0.1f, 0.1f),
                        test_random_float(&random, -0.1f, 0.1f));
            solid_add_point(&figure.solid, sn_add(p, d));
        }
        solid_add_triangle(&figure.solid, first, first + 1, first + 2);
    }
    uint32_t left = add_joint(&figure, "left", 0, sn_vec3(-0.9f, 0.0f, 0.0f));
    uint32_t right = add_joint(&figure, "right", left, sn_vec3(0.1f, 0.0f, 0.0f));
    add_tip(&figure, right, sn_vec3(0.9f, 0.0f, 0.0f));
    snModel* model = bind_figure(&figure);
    check_convex(model);
    uint32_t far_right = vertex_at(model, sn_vec3(1.0f, 0.0f, 0.0f));
    assert_true(joint_weight(model, far_right, right) > 0.9f);
    sn_model_destroy(model);
    solid_free(&figure.solid);
}

static snResult build(const snAllocator* allocator, void* context) {
    const Figure* figure = context;
    snModel* model = NULL;
    snError error = sn_error_none();
    snResult result = make_model(figure, allocator, &model);
    if (result != SN_RESULT_OK) return result;
    snBindDef def = sn_bind_def();
    def.cells = 4;
    def.deforming = figure->deforming;
    result = sn_model_bind(model, &def, NULL, &error);
    assert_int_equal(error.code, result);
    sn_model_destroy(model);
    return result;
}

static void test_allocations(void** state) {
    (void)state;
    Figure figure;
    figure_begin(&figure);
    add_post(&figure.solid, sn_vec3(0.0f, 0.0f, 0.0f), 0.2f, 2.0f, 2); // long edges: cut
    solid_add_sphere(&figure.solid, sn_vec3(0.3f, 1.5f, 0.0f), 0.03f, 2);
    uint32_t lower = add_joint(&figure, "lower", 0, sn_vec3(0.0f, 0.1f, 0.0f));
    uint32_t upper = add_joint(&figure, "upper", lower, sn_vec3(0.0f, 1.0f, 0.0f));
    uint32_t ear = add_joint(&figure, "ear", upper, sn_vec3(0.1f, 1.0f, 0.0f)); // the upper part has a center
    add_tip(&figure, ear, sn_vec3(0.15f, 1.0f, 0.0f));
    uint32_t air = add_joint(&figure, "air", lower, sn_vec3(1.0f, 0.1f, 0.0f)); // inside no piece
    add_tip(&figure, air, sn_vec3(1.2f, 0.1f, 0.0f));
    test_every_allocation(build, &figure);
    solid_free(&figure.solid);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_convex),
        cmocka_unit_test(test_body),
        cmocka_unit_test(test_rigid_motion),
        cmocka_unit_test(test_scale),
        cmocka_unit_test(test_inside_out),
        cmocka_unit_test(test_workers),
        cmocka_unit_test(test_tube_splits_at_joint),
        cmocka_unit_test(test_no_weight_crosses_a_gap),
        cmocka_unit_test(test_planted_foot),
        cmocka_unit_test(test_flesh_ahead_of_a_joint),
        cmocka_unit_test(test_pieces_keep_their_bones),
        cmocka_unit_test(test_island_follows_host),
        cmocka_unit_test(test_ball_goes_with_upper_part),
        cmocka_unit_test(test_bones_in_thin_air),
        cmocka_unit_test(test_degenerate),
        cmocka_unit_test(test_triangle_soup),
        cmocka_unit_test(test_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
