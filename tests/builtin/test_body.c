// The built-in body's surface: closed, symmetric, on the skin, well shaped, at any resolution.
#include <math.h>
#include <stdlib.h>

#include "builtin/body_rig.h"
#include "builtin/body_shape.h"
#include "support.h"

static const sniBodyForm full_form = {0.0, 0.0};

static snModel* body_of(uint32_t target, bool quads) {
    snBodyDef def = sn_body_def();
    def.vertex_target = target;
    def.quads = quads;
    snModel* model = NULL;
    assert_ok(sn_builtin_body(&def, NULL, &model, NULL));
    return model;
}

// The default body, made once.
static snModel* shared;
static int make_shared(void** state) {
    (void)state;
    shared = body_of(sn_body_def().vertex_target, true);
    return 0;
}
static int free_shared(void** state) {
    (void)state;
    sn_model_destroy(shared);
    return 0;
}

static void assert_closed_manifold(const snModel* model) {
    snTopology* topology = NULL;
    assert_ok(sn_topology_create(model->parts[0].mesh, model->parts[0].weld, NULL, &topology, NULL));
    assert_true(topology->closed);
    assert_true(topology->manifold);
    assert_true(topology->oriented);
    assert_int_equal(topology->component_count, 1);
    assert_int_equal(topology->collapsed_face_count, 0);
    assert_int_equal(topology->point_count, model->parts[0].mesh->vertex_count);
    sn_topology_destroy(topology);
}

static void test_default_body_is_one_closed_skin(void** state) {
    (void)state;
    const snMesh* mesh = shared->parts[0].mesh;
    assert_closed_manifold(shared);
    snTopology* topology = NULL;
    assert_ok(sn_topology_create(mesh, NULL, NULL, &topology, NULL));
    // No handles: fingers, legs and arms touch nothing.
    assert_int_equal((int)mesh->vertex_count - (int)topology->edge_count + (int)mesh->face_count, 2);
    sn_topology_destroy(topology);
    uint32_t triangles = 0, quads = 0, larger = 0;
    sn_mesh_count_faces(mesh, &triangles, &quads, &larger);
    assert_int_equal(quads, mesh->face_count);
    double volume = sn_mesh_volume(mesh, NULL);
    assert_true(volume > 0.05 && volume < 0.1);
}

static void test_default_body_stands_in_a_t_pose(void** state) {
    (void)state;
    const snMesh* mesh = shared->parts[0].mesh;
    snBounds bounds = sn_bounds_of(mesh->positions, mesh->vertex_count);
    assert_near(bounds.min.y, 0.0, 1e-3);
    assert_near(bounds.max.y, 1.75, 1e-3);
    assert_true(bounds.max.x > 0.85f && bounds.max.x < 0.95f);
    // It faces +Z: the toes reach further forward than the heels back.
    assert_true(bounds.max.z > 0.15f && bounds.min.z > -0.15f);
}

static void test_vertex_target_is_met(void** state) {
    (void)state;
    static const uint32_t targets[] = {1000,  1300,  1800,  2500,  4000,  7000,
                                       12000, 20000, 28000, 45000, 120000};
    for (size_t n = 0; n < sizeof targets / sizeof targets[0]; n++) {
        snModel* model = body_of(targets[n], true);
        double count = (double)model->parts[0].mesh->vertex_count, target = (double)targets[n];
        assert_near(count, target, 0.1 * target);
        assert_closed_manifold(model);
        // No limb is lost, however coarse the mesh, and none grows a handle.
        snTopology* topology = NULL;
        assert_ok(sn_topology_create(model->parts[0].mesh, NULL, NULL, &topology, NULL));
        assert_int_equal((int)topology->point_count - (int)topology->edge_count +
                             (int)model->parts[0].mesh->face_count,
                         2);
        sn_topology_destroy(topology);
        snBounds bounds = sn_bounds_of(model->parts[0].mesh->positions, model->parts[0].mesh->vertex_count);
        assert_true(bounds.max.x > 0.83f && bounds.max.y > 1.72f && bounds.min.y < 0.01f &&
                    bounds.max.z > 0.13f);
        double volume = sn_mesh_volume(model->parts[0].mesh, NULL);
        assert_true(volume > 0.05 && volume < 0.1);
        sn_model_destroy(model);
    }
}

static void test_triangles_split_the_same_quads(void** state) {
    (void)state;
    snModel* quads = body_of(3000, true);
    snModel* triangles = body_of(3000, false);
    const snMesh *q = quads->parts[0].mesh, *t = triangles->parts[0].mesh;
    assert_int_equal(q->vertex_count, t->vertex_count);
    assert_memory_equal(q->positions, t->positions, q->vertex_count * sizeof *q->positions);
    assert_int_equal(t->face_count, 2 * q->face_count);
    assert_int_equal(t->corner_count, 3 * t->face_count);
    assert_closed_manifold(triangles);
    sn_model_destroy(quads);
    sn_model_destroy(triangles);
}

// ------------------------------------------------------------------------------------------------ symmetry

static const snVec3* sort_positions;

// Mirror images become neighbours: by y, z, |x|, then x.
static int compare_vertices(const void* a, const void* b) {
    snVec3 p = sort_positions[*(const uint32_t*)a], q = sort_positions[*(const uint32_t*)b];
    float left[4] = {p.y, p.z, fabsf(p.x), p.x}, right[4] = {q.y, q.z, fabsf(q.x), q.x};
    for (int n = 0; n < 4; n++) {
        if (left[n] != right[n]) return left[n] < right[n] ? -1 : 1;
    }
    return 0;
}

static float weight_of(const snWeights* weights, uint32_t vertex, uint32_t joint) {
    float sum = 0.0f;
    for (uint32_t n = 0; n < weights->influences; n++) {
        size_t at = (size_t)vertex * weights->influences + n;
        if (weights->joints[at] == joint) sum += weights->weights[at];
    }
    return sum;
}

static void assert_mirrored(const snPart* part, uint32_t right, uint32_t left) {
    snVec3 p = part->mesh->positions[right], q = part->mesh->positions[left];
    snVec3 m = part->mesh->normals[right], n = part->mesh->normals[left];
    assert_true(p.x == -q.x && p.y == q.y && p.z == q.z);
    assert_true(m.x == -n.x && m.y == n.y && m.z == n.z);
    for (uint32_t j = 0; j < SNI_BODY_JOINTS; j++) {
        assert_true(weight_of(&part->weights, right, j) ==
                    weight_of(&part->weights, left, sni_body_mirror(j)));
    }
}

static void test_left_and_right_are_exact_mirror_images(void** state) {
    (void)state;
    const snPart* part = &shared->parts[0];
    uint32_t count = part->mesh->vertex_count;
    uint32_t* order = malloc(count * sizeof *order);
    for (uint32_t v = 0; v < count; v++) order[v] = v;
    sort_positions = part->mesh->positions;
    qsort(order, count, sizeof *order, compare_vertices);
    uint32_t pairs = 0;
    for (uint32_t n = 0; n < count; n++) {
        if (part->mesh->positions[order[n]].x == 0.0f) {
            assert_mirrored(part, order[n], order[n]);
        } else {
            assert_true(n + 1 < count);
            assert_mirrored(part, order[n], order[n + 1]);
            n++;
            pairs++;
        }
    }
    assert_true(pairs > count / 3);
    free(order);
}

// ------------------------------------------------------------------------------------------------- quality

static void test_vertices_lie_on_the_skin(void** state) {
    (void)state;
    const snMesh* mesh = shared->parts[0].mesh;
    assert_int_equal(mesh->normal_count, mesh->vertex_count);
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        snVec3 p = mesh->positions[v], n = mesh->normals[v];
        assert_near(sni_body_field(&full_form, sni_point((double)p.x, (double)p.y, (double)p.z)), 0.0, 2e-4);
        assert_near(sn_length(n), 1.0, 1e-5);
    }
}

// Longest over shortest side of a face, and whether all its corners turn the way the normals say.
static float face_ratio(const snMesh* mesh, uint32_t face, bool* upright) {
    const uint32_t* c = &mesh->corners[mesh->face_starts[face]];
    float shortest = 1e30f, longest = 0.0f;
    for (uint32_t n = 0; n < 4; n++) {
        snVec3 here = mesh->positions[c[n]];
        snVec3 next = sn_sub(mesh->positions[c[(n + 1) % 4]], here);
        snVec3 back = sn_sub(mesh->positions[c[(n + 3) % 4]], here);
        shortest = sn_minf(shortest, sn_length(next));
        longest = sn_maxf(longest, sn_length(next));
        if (sn_dot(sn_cross(next, back), mesh->normals[c[n]]) <= 0.0f) *upright = false;
    }
    return longest / shortest;
}

static void test_faces_are_near_squares(void** state) {
    (void)state;
    const snMesh* mesh = shared->parts[0].mesh;
    double sum = 0.0;
    for (uint32_t f = 0; f < mesh->face_count; f++) {
        bool upright = true;
        float ratio = face_ratio(mesh, f, &upright);
        assert_true(upright);
        assert_true(ratio < 4.0f);
        sum += (double)ratio;
    }
    assert_true(sum / (double)mesh->face_count < 1.5);
}

// Half-way between neighbouring fingers, from the middle joints outwards, there is air, more than a
// default cell of it.
static void test_fingers_are_apart(void** state) {
    (void)state;
    for (int f = 1; f + 1 < SNI_BODY_FINGERS; f++) {
        const sniFinger *a = &sni_body_fingers[f], *b = &sni_body_fingers[f + 1];
        sniPoint middle = sni_point_scale(sni_point_add(a->points[1], b->points[1]), 0.5);
        sniPoint tip = sni_point_scale(sni_point_add(a->points[2], b->points[2]), 0.5);
        assert_true(sni_body_field(&full_form, middle) > 0.004);
        assert_true(sni_body_field(&full_form, tip) > 0.006);
    }
}

static void test_thighs_are_apart(void** state) {
    (void)state;
    for (int centimetres = 10; centimetres < 79; centimetres++) {
        assert_true(sni_body_field(&full_form, sni_point(0.0, 0.01 * centimetres, 0.0)) > 0.01);
    }
    assert_true(sni_body_field(&full_form, sni_point(0.0, 0.87, 0.0)) < 0.0);
}

// The field leaves parts out beyond planes; crossing one near the skin shows no step.
static void assert_no_step(sniPoint below, sniPoint above) {
    assert_near(sni_body_field(&full_form, below), sni_body_field(&full_form, above), 1e-6);
}

static void test_field_has_no_steps(void** state) {
    (void)state;
    static const double heights[] = {0.22, 0.70, 0.72, 1.05, 1.10, 1.20, 1.45}, sides[] = {0.05, 0.40, 0.65};
    const snMesh* mesh = shared->parts[0].mesh;
    const double e = 1e-8;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        double x = (double)mesh->positions[v].x, y = (double)mesh->positions[v].y,
               z = (double)mesh->positions[v].z;
        for (size_t n = 0; n < sizeof heights / sizeof heights[0]; n++) {
            if (fabs(y - heights[n]) > 0.006) continue;
            assert_no_step(sni_point(x, heights[n] - e, z), sni_point(x, heights[n] + e, z));
        }
        for (size_t n = 0; n < sizeof sides / sizeof sides[0]; n++) {
            // The planes are places of the rounded |x|.
            double side = sqrt(sides[n] * sides[n] - 1.6e-5);
            if (fabs(x - side) > 0.006) continue;
            assert_no_step(sni_point(side - e, y, z), sni_point(side + e, y, z));
        }
    }
}

static void test_field_is_mirrored(void** state) {
    (void)state;
    uint32_t seed = 9;
    for (int n = 0; n < 2000; n++) {
        double x = (double)test_random_float(&seed, 0.0f, 0.95f),
               y = (double)test_random_float(&seed, 0.0f, 1.8f);
        double z = (double)test_random_float(&seed, -0.2f, 0.2f);
        assert_true(sni_body_field(&full_form, sni_point(x, y, z)) ==
                    sni_body_field(&full_form, sni_point(-x, y, z)));
    }
}

// --------------------------------------------------------------------------------- skeleton, hash, refusals

static void test_skeleton(void** state) {
    (void)state;
    const snSkeleton* skeleton = shared->skeleton;
    assert_int_equal(skeleton->joint_count, 38);
    static const char* const names[] = {"Hips",       "UpperChest",  "Head",        "LeftShoulder",
                                        "RightHand",  "LeftThumb1",  "RightIndex2", "LeftMiddle2",
                                        "RightRing1", "LeftLittle1", "RightToes"};
    for (size_t n = 0; n < sizeof names / sizeof names[0]; n++) {
        assert_int_not_equal(sn_skeleton_find(skeleton, names[n]), SN_NONE);
    }
    snMat4 world[SNI_BODY_JOINTS];
    sn_skeleton_world(skeleton, NULL, world);
    for (uint32_t j = 0; j < SNI_BODY_JOINTS; j++) {
        snVec3 p = sn_mat4_translation(&world[j]);
        // Every joint sits in the flesh, at least 4 mm deep.
        assert_true(sni_body_field(&full_form, sni_point((double)p.x, (double)p.y, (double)p.z)) < -0.004);
        // Rest rotations are identity, and the skin undoes the rest pose.
        assert_true(skeleton->rest[j].rotation.w == 1.0f);
        snMat4 still = sn_mat4_mul(&world[j], &shared->skins[0].inverse_binds[j]);
        assert_vec3_near(sn_mat4_point(&still, p), p, 1e-6f);
    }
    assert_string_equal(shared->skins[0].name, "Body");
}

static void test_the_same_def_gives_the_same_bytes(void** state) {
    (void)state;
    snModel* again = body_of(sn_body_def().vertex_target, true);
    const snPart *a = &shared->parts[0], *b = &again->parts[0];
    assert_true(sn_mesh_hash(a->mesh) == sn_mesh_hash(b->mesh));
    size_t weights = (size_t)a->weights.vertex_count * a->weights.influences;
    assert_memory_equal(a->mesh->normals, b->mesh->normals, a->mesh->vertex_count * sizeof *a->mesh->normals);
    assert_memory_equal(a->weights.weights, b->weights.weights, weights * sizeof *a->weights.weights);
    assert_memory_equal(a->weights.joints, b->weights.joints, weights * sizeof *a->weights.joints);
    sn_model_destroy(again);
}

static void test_bad_defs(void** state) {
    (void)state;
    static const uint32_t bad[] = {0, 999, 1000001, UINT32_MAX};
    for (size_t n = 0; n < 4; n++) {
        snBodyDef def = sn_body_def();
        def.vertex_target = bad[n];
        snModel* model = NULL;
        snError error = sn_error_none();
        assert_int_equal(sn_builtin_body(&def, NULL, &model, &error), SN_RESULT_INVALID_ARGUMENT);
        assert_int_equal(error.code, SN_RESULT_INVALID_ARGUMENT);
        assert_null(model);
    }
    snBodyDef def = sn_body_def();
    snModel* model = NULL;
    assert_int_equal(sn_builtin_body(NULL, NULL, &model, NULL), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_builtin_body(&def, NULL, NULL, NULL), SN_RESULT_INVALID_ARGUMENT);
}

static snResult build_body(const snAllocator* allocator, void* context) {
    (void)context;
    snBodyDef def = sn_body_def();
    def.vertex_target = 1000;
    snModel* model = NULL;
    snResult result = sn_builtin_body(&def, allocator, &model, NULL);
    sn_model_destroy(model);
    return result;
}

static void test_out_of_memory(void** state) {
    (void)state;
    test_every_allocation(build_body, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_default_body_is_one_closed_skin),
        cmocka_unit_test(test_default_body_stands_in_a_t_pose),
        cmocka_unit_test(test_vertex_target_is_met),
        cmocka_unit_test(test_triangles_split_the_same_quads),
        cmocka_unit_test(test_left_and_right_are_exact_mirror_images),
        cmocka_unit_test(test_vertices_lie_on_the_skin),
        cmocka_unit_test(test_faces_are_near_squares),
        cmocka_unit_test(test_fingers_are_apart),
        cmocka_unit_test(test_thighs_are_apart),
        cmocka_unit_test(test_field_has_no_steps),
        cmocka_unit_test(test_field_is_mirrored),
        cmocka_unit_test(test_skeleton),
        cmocka_unit_test(test_the_same_def_gives_the_same_bytes),
        cmocka_unit_test(test_bad_defs),
        cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, make_shared, free_shared);
}
