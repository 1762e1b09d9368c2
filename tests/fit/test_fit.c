// Fitting on bodies made in code, where every joint's true place is known.
#include <stdlib.h>
#include <string.h>

#include "fit/fit.h"
#include "fit_support.h"
#include "people.h"
#include "shapes.h"

// ----------------------------------------------------------------------------------------------------- solid

static Flesh flesh_of_mesh(const snMesh* mesh) {
    Flesh flesh = {mesh->vertex_count, NULL, sn_mesh_triangle_count(mesh), NULL};
    flesh.points = malloc(flesh.point_count * sizeof *flesh.points);
    flesh.triangles = malloc(3 * flesh.triangle_count * sizeof *flesh.triangles);
    assert_true(flesh.points != NULL && flesh.triangles != NULL);
    memcpy(flesh.points, mesh->positions, flesh.point_count * sizeof *flesh.points);
    sn_mesh_triangulate(mesh, flesh.triangles);
    return flesh;
}

static sniSolid solid_of(const Flesh* flesh, uint32_t triangle_count) {
    snAllocator memory = sn_allocator_default();
    snFitDef def = flesh_def(flesh, NULL);
    def.triangle_count = triangle_count;
    def.cells = 96;
    sniSolid solid;
    assert_ok(sni_solid_create(&solid, &def, &memory, NULL));
    return solid;
}

static Flesh unit_cube(void) {
    snMesh* cube = test_cube(sn_vec3(0, 0, 0));
    Flesh flesh = flesh_of_mesh(cube);
    sn_mesh_destroy(cube);
    return flesh;
}

static void a_cube_is_solid(void** state) {
    (void)state;
    snAllocator memory = sn_allocator_default();
    Flesh cube = unit_cube();
    sniSolid solid = solid_of(&cube, cube.triangle_count);
    assert_near(solid.volume, 1.0f, 0.1f);
    uint32_t middle = sni_solid_nearest(&solid, sn_vec3(0.5f, 0.5f, 0.5f), 0.1f);
    assert_true(middle != SN_NONE);
    // Steps of 3, 4 and 5 thirds: the faces are half an edge away.
    assert_near((float)solid.depth[middle] * solid.size / SNI_STEP, 0.5f, 2.0f * solid.size);
    assert_int_equal(sni_solid_nearest(&solid, sn_vec3(2.0f, 0.5f, 0.5f), 0.5f), SN_NONE);
    sni_solid_destroy(&solid, &memory);
    flesh_free(&cube);
}

// One side missing, one side turned inside out: still the same solid.
static void holes_and_flipped_faces_leave_it_solid(void** state) {
    (void)state;
    snAllocator memory = sn_allocator_default();
    Flesh cube = unit_cube();
    sniSolid open = solid_of(&cube, cube.triangle_count - 2);
    assert_near(open.volume, 1.0f, 0.1f);
    sni_solid_destroy(&open, &memory);
    for (int t = 0; t < 2; t++) {
        uint32_t* c = cube.triangles + 3 * t;
        uint32_t first = c[0];
        c[0] = c[1];
        c[1] = first;
    }
    sniSolid flipped = solid_of(&cube, cube.triangle_count);
    assert_near(flipped.volume, 1.0f, 0.1f);
    sni_solid_destroy(&flipped, &memory);
    flesh_free(&cube);
}

// Two cubes that overlap are their union, two that float apart are tied together.
static void pieces_become_one(void** state) {
    (void)state;
    snAllocator memory = sn_allocator_default();
    static const struct {
        float shift;
        float volume;
    } cases[] = {{0.5f, 1.5f}, {1.25f, 2.0f}};
    for (int i = 0; i < 2; i++) {
        Flesh cube = unit_cube();
        Flesh both = {2 * cube.point_count, NULL, 2 * cube.triangle_count, NULL};
        both.points = malloc(both.point_count * sizeof *both.points);
        both.triangles = malloc(3 * both.triangle_count * sizeof *both.triangles);
        for (uint32_t p = 0; p < both.point_count; p++) {
            float shift = p < cube.point_count ? 0.0f : cases[i].shift;
            both.points[p] = sn_add(cube.points[p % cube.point_count], sn_vec3(shift, 0, 0));
        }
        for (uint32_t c = 0; c < 3 * both.triangle_count; c++) {
            uint32_t shift = c < 3 * cube.triangle_count ? 0 : cube.point_count;
            both.triangles[c] = cube.triangles[c % (3 * cube.triangle_count)] + shift;
        }
        sniSolid solid = solid_of(&both, both.triangle_count);
        assert_near(solid.volume, cases[i].volume, 0.15f);
        uint32_t* distances = malloc(solid.cell_count * sizeof *distances);
        uint32_t* links = malloc(2 * solid.cell_count * sizeof *links);
        uint32_t left = sni_solid_nearest(&solid, sn_vec3(0.05f, 0.5f, 0.5f), 0.2f);
        uint32_t right = sni_solid_nearest(&solid, sn_vec3(0.95f + cases[i].shift, 0.5f, 0.5f), 0.2f);
        sni_solid_walk(&solid, left, distances, links);
        float length = (float)distances[right] * solid.size / SNI_STEP;
        float straight = 0.9f + cases[i].shift;
        assert_true(length > straight - 2.0f * solid.size && length < 1.3f * straight);
        free(distances);
        free(links);
        sni_solid_destroy(&solid, &memory);
        flesh_free(&cube);
        flesh_free(&both);
    }
}

// ----------------------------------------------------------------------------------------------- whole body

static snModel* body_model(void) {
    snBodyDef def = sn_body_def();
    def.vertex_target = 6000;
    snModel* model = NULL;
    assert_ok(sn_builtin_body(&def, NULL, &model, NULL));
    return model;
}

// The built-in skeleton as another person's: in centimetres, long-legged, arms lowered, turned and elsewhere.
static snSkeleton* stranger(const snSkeleton* s) {
    snVec3 points[PEOPLE_MOST];
    snQuat rotations[PEOPLE_MOST];
    people_rest(s, points, rotations);
    static const char* const arms[] = {"LeftUpperArm", "RightUpperArm"};
    for (int i = 0; i < 2; i++) {
        snQuat down = sn_quat_axis_angle(sn_vec3(0, 0, 1), i == 0 ? -0.9f : 0.9f);
        people_turn(s, points, rotations, sn_skeleton_find(s, arms[i]), down);
    }
    float hips = points[sn_skeleton_find(s, "Hips")].y;
    snQuat turn = sn_quat_axis_angle(sn_vec3(0, 1, 0), 2.0f);
    for (uint32_t j = 0; j < s->joint_count; j++) {
        float below = sn_minf(points[j].y - hips, 0.0f);
        if (strstr(s->names[j], "Leg") == NULL && strstr(s->names[j], "Foot") == NULL &&
            strstr(s->names[j], "Toes") == NULL)
            below = 0.0f;
        points[j].y += 0.2f * below;
        points[j] = sn_add(sn_scale(sn_quat_rotate(turn, points[j]), 100.0f), sn_vec3(300.0f, 40.0f, -70.0f));
        rotations[j] = sn_quat_mul(turn, rotations[j]);
    }
    return people_pose(s, points, rotations, true);
}

static const char* const main_joints[] = {"Head",          "LeftUpperArm",  "LeftLowerArm", "LeftHand",
                                          "LeftUpperLeg",  "LeftLowerLeg",  "LeftFoot",     "LeftToes",
                                          "RightUpperArm", "RightLowerArm", "RightHand",    "RightUpperLeg",
                                          "RightLowerLeg", "RightFoot",     "RightToes"};

// How far the main joints are from `truth`, at worst.
static float worst_joint(const snSkeleton* fitted, const snVec3* truth, const char** which) {
    snVec3* points = flesh_joints(fitted);
    float worst = 0.0f;
    for (size_t i = 0; i < sizeof main_joints / sizeof main_joints[0]; i++) {
        uint32_t j = sn_skeleton_find(fitted, main_joints[i]);
        float off = sn_distance(points[j], truth[j]);
        if (off > worst) *which = main_joints[i];
        worst = sn_maxf(worst, off);
    }
    free(points);
    return worst;
}

static void another_persons_skeleton_finds_its_joints(void** state) {
    (void)state;
    snModel* body = body_model();
    Flesh flesh = flesh_of(body, NULL);
    snSkeleton* other = stranger(body->skeleton);
    snFitDef def = flesh_def(&flesh, other);
    snFit* fit = NULL;
    snSkeleton* fitted = flesh_fit(&def, &fit);
    assert_int_equal(fit->mode, SN_FIT_BODY);
    assert_near(fit->scale, 0.01f / 1.2f, 0.0006f);
    snVec3* truth = flesh_joints(body->skeleton);
    const char* which = "";
    float worst = worst_joint(fitted, truth, &which);
    print_message("worst joint: %s, %.2f %% of the height\n", which, (double)(100.0f * worst / 1.75f));
    assert_true(worst < 0.03f * 1.75f);
    for (uint32_t j = 0; j < fitted->joint_count; j++) {
        assert_string_equal(fitted->names[j], other->names[j]);
        assert_int_equal(fitted->parents[j], other->parents[j]);
        assert_true(fit->confidence[j] > 0.0f && fit->confidence[j] <= 1.0f);
    }
    // Fingers are only carried along, knees are seen.
    assert_true((fit->doubts[sn_skeleton_find(other, "LeftIndex2")] & SN_FIT_FOLLOWS) != 0);
    assert_true(fit->confidence[sn_skeleton_find(other, "LeftIndex2")] < SN_FIT_SURE);
    assert_true(fit->confidence[sn_skeleton_find(other, "LeftLowerLeg")] > SN_FIT_SURE);
    free(truth);
    sn_fit_destroy(fit);
    sn_skeleton_destroy(fitted);
    sn_skeleton_destroy(other);
    flesh_free(&flesh);
    sn_model_destroy(body);
}

// A T-posed skeleton into bodies whose arms hang lower and lower.
static void arms_may_hang(void** state) {
    (void)state;
    snModel* body = body_model();
    const snSkeleton* s = body->skeleton;
    snTrs locals[PEOPLE_MOST];
    snMat4 world[PEOPLE_MOST];
    for (int degrees = 15; degrees <= 60; degrees += 15) {
        memcpy(locals, s->rest, s->joint_count * sizeof *locals);
        for (int side = 0; side < 2; side++) {
            float angle = (float)degrees * SN_PI / 180.0f * (side == 0 ? -1.0f : 1.0f);
            uint32_t j = sn_skeleton_find(s, side == 0 ? "LeftUpperArm" : "RightUpperArm");
            snQuat turn = sn_quat_axis_angle(sn_vec3(0, 0, 1), angle);
            locals[j].rotation = sn_quat_mul(turn, locals[j].rotation);
        }
        Flesh flesh = flesh_of(body, locals);
        snVec3 truth[PEOPLE_MOST];
        sn_skeleton_world(s, locals, world);
        for (uint32_t j = 0; j < s->joint_count; j++) truth[j] = sn_mat4_translation(&world[j]);
        snFitDef def = flesh_def(&flesh, s);
        if (degrees < 30) def.mode = SN_FIT_BODY; // nearer than that it still stands in the mesh
        snFit* fit = NULL;
        snSkeleton* fitted = flesh_fit(&def, &fit);
        assert_int_equal(fit->mode, SN_FIT_BODY);
        const char* which = "";
        float worst = worst_joint(fitted, truth, &which);
        print_message("arms %d degrees below level: worst joint %s, %.2f %% of the height\n", degrees, which,
                      (double)(100.0f * worst / 1.75f));
        assert_true(worst < 0.04f * 1.75f);
        sn_fit_destroy(fit);
        sn_skeleton_destroy(fitted);
        flesh_free(&flesh);
    }
    sn_model_destroy(body);
}

// The body with one joint turned about a world axis, as a mesh; `world` receives its joints.
static Flesh turned_body(const snModel* body, const char* name, snVec3 axis, float angle, snMat4* world) {
    const snSkeleton* s = body->skeleton;
    snTrs locals[PEOPLE_MOST];
    snVec3 points[PEOPLE_MOST];
    snQuat rotations[PEOPLE_MOST];
    people_rest(s, points, rotations);
    memcpy(locals, s->rest, s->joint_count * sizeof *locals);
    uint32_t j = sn_skeleton_find(s, name);
    snQuat above = rotations[s->parents[j]];
    snQuat turned = sn_quat_mul(sn_quat_axis_angle(axis, angle), rotations[j]);
    locals[j].rotation = sn_quat_mul(sn_quat_conjugate(above), turned);
    sn_skeleton_world(s, locals, world);
    return flesh_of(body, locals);
}

static snVec3 knuckles(const snSkeleton* s, const snVec3* points) {
    uint32_t index = sn_skeleton_find(s, "LeftIndex1");
    uint32_t little = sn_skeleton_find(s, "LeftLittle1");
    return sn_normalize_or(sn_sub(points[index], points[little]), sn_vec3(0, 1, 0));
}

// A hand turned about its length: the row of knuckles follows the palm of the mesh.
static void hands_roll_with_their_palms(void** state) {
    (void)state;
    snModel* body = body_model();
    const snSkeleton* s = body->skeleton;
    snMat4 world[PEOPLE_MOST];
    for (int degrees = -60; degrees <= 60; degrees += 40) {
        float angle = (float)degrees * SN_PI / 180.0f;
        Flesh flesh = turned_body(body, "LeftLowerArm", sn_vec3(1, 0, 0), angle, world);
        snVec3 truth[PEOPLE_MOST];
        for (uint32_t j = 0; j < s->joint_count; j++) truth[j] = sn_mat4_translation(&world[j]);
        snFitDef def = flesh_def(&flesh, s);
        def.mode = SN_FIT_BODY;
        snFit* fit = NULL;
        snSkeleton* fitted = flesh_fit(&def, &fit);
        snVec3* points = flesh_joints(fitted);
        assert_true(sn_dot(knuckles(fitted, points), knuckles(s, truth)) > 0.9f); // 26 degrees
        free(points);
        sn_fit_destroy(fit);
        sn_skeleton_destroy(fitted);
        flesh_free(&flesh);
    }
    sn_model_destroy(body);
}

// One arm up, one down: both are found where they are, and doubted.
static void uneven_arms_are_doubted(void** state) {
    (void)state;
    snModel* body = body_model();
    snMat4 world[PEOPLE_MOST];
    Flesh flesh = turned_body(body, "LeftUpperArm", sn_vec3(0, 0, 1), -0.6f, world);
    snVec3 truth[PEOPLE_MOST];
    for (uint32_t j = 0; j < body->skeleton->joint_count; j++) truth[j] = sn_mat4_translation(&world[j]);
    snSkeleton* other = stranger(body->skeleton);
    snFitDef def = flesh_def(&flesh, other);
    snFit* fit = NULL;
    snSkeleton* fitted = flesh_fit(&def, &fit);
    const char* which = "";
    assert_true(worst_joint(fitted, truth, &which) < 0.04f * 1.75f);
    uint32_t hand = sn_skeleton_find(other, "LeftHand");
    assert_true((fit->doubts[hand] & SN_FIT_ASYMMETRIC) != 0);
    assert_true(fit->confidence[hand] < SN_FIT_SURE);
    assert_int_equal(fit->doubts[sn_skeleton_find(other, "LeftLowerLeg")], 0);
    sn_fit_destroy(fit);
    sn_skeleton_destroy(fitted);
    sn_skeleton_destroy(other);
    flesh_free(&flesh);
    sn_model_destroy(body);
}

// The mesh turned, enlarged and moved: the joints follow.
static void the_result_follows_the_mesh(void** state) {
    (void)state;
    snModel* body = body_model();
    Flesh flesh = flesh_of(body, NULL);
    snSkeleton* other = stranger(body->skeleton);
    snVec3* truth = flesh_joints(body->skeleton);
    static const struct {
        float degrees, size, tolerance;
    } cases[] = {{90.0f, 1.0f, 0.03f},
                 {180.0f, 1.0f, 0.03f},
                 {-90.0f, 100.0f, 0.03f},
                 {0.0f, 0.01f, 0.03f},
                 {35.0f, 1.0f, 0.035f}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        snQuat turn = sn_quat_axis_angle(sn_vec3(0, 1, 0), cases[i].degrees * SN_PI / 180.0f);
        snVec3 shift = sn_scale(sn_vec3(3.0f, -2.0f, 1.0f), cases[i].size);
        snVec3 wanted[PEOPLE_MOST];
        Flesh moved = flesh_of(body, NULL);
        for (uint32_t p = 0; p < moved.point_count; p++)
            moved.points[p] = sn_add(sn_scale(sn_quat_rotate(turn, flesh.points[p]), cases[i].size), shift);
        for (uint32_t j = 0; j < other->joint_count; j++)
            wanted[j] = sn_add(sn_scale(sn_quat_rotate(turn, truth[j]), cases[i].size), shift);
        snFitDef def = flesh_def(&moved, other);
        snFit* fit = NULL;
        snSkeleton* fitted = flesh_fit(&def, &fit);
        const char* which = "";
        float worst = worst_joint(fitted, wanted, &which) / (1.75f * cases[i].size);
        print_message("turned by %g, times %g: worst joint %s, %.2f %%\n", (double)cases[i].degrees,
                      (double)cases[i].size, which, (double)(100.0f * worst));
        assert_true(worst < cases[i].tolerance);
        assert_near(fit->scale / cases[i].size, 0.01f / 1.2f, 0.0006f);
        sn_fit_destroy(fit);
        sn_skeleton_destroy(fitted);
        flesh_free(&moved);
    }
    free(truth);
    sn_skeleton_destroy(other);
    flesh_free(&flesh);
    sn_model_destroy(body);
}

// Told that a body faces the other way, the fit puts its left where its right is.
static void a_facing_that_is_given_is_believed(void** state) {
    (void)state;
    snModel* body = body_model();
    Flesh flesh = flesh_of(body, NULL);
    snSkeleton* other = stranger(body->skeleton);
    for (int turned = 0; turned < 2; turned++) {
        snFitDef def = flesh_def(&flesh, other);
        def.mode = SN_FIT_BODY;
        def.facing = turned ? SN_AXIS_MINUS_Z : SN_AXIS_Z;
        snFit* fit = NULL;
        snSkeleton* fitted = flesh_fit(&def, &fit);
        uint32_t hand = flesh_find(other, SN_ROLE_HAND, SN_SIDE_LEFT);
        assert_true(turned ? fit->places[hand].x < -0.3f : fit->places[hand].x > 0.3f);
        for (uint32_t j = 0; j < fit->joint_count; j++) assert_int_equal(fit->doubts[j] & SN_FIT_FACING, 0);
        sn_fit_destroy(fit);
        sn_skeleton_destroy(fitted);
    }
    sn_skeleton_destroy(other);
    flesh_free(&flesh);
    sn_model_destroy(body);
}

// Helpers around a closed body (here: a skirt of two walls and a box between the feet) are not seen.
static void helpers_are_ignored(void** state) {
    (void)state;
    snModel* body = body_model();
    Flesh flesh = flesh_of(body, NULL);
    snSkeleton* other = stranger(body->skeleton);
    snFitDef def = flesh_def(&flesh, other);
    snFit* alone = NULL;
    sn_skeleton_destroy(flesh_fit(&def, &alone));
    snVec3 wall[] = {{-0.3f, 0.1f, 0.2f},  {0.3f, 0.1f, 0.2f},  {0.3f, 1.0f, 0.2f},  {-0.3f, 1.0f, 0.2f},
                     {-0.3f, 0.1f, -0.2f}, {0.3f, 0.1f, -0.2f}, {0.3f, 1.0f, -0.2f}, {-0.3f, 1.0f, -0.2f}};
    static const uint32_t corners[] = {0, 1, 2, 0, 2, 3, 4, 7, 6, 4, 6, 5};
    uint32_t first = flesh.point_count;
    flesh.point_count += 8;
    flesh.triangle_count += 4;
    flesh.points = realloc(flesh.points, flesh.point_count * sizeof *flesh.points);
    flesh.triangles = realloc(flesh.triangles, 3 * flesh.triangle_count * sizeof *flesh.triangles);
    assert_true(flesh.points != NULL && flesh.triangles != NULL);
    memcpy(flesh.points + first, wall, sizeof wall);
    for (uint32_t c = 0; c < 12; c++) flesh.triangles[3 * flesh.triangle_count - 12 + c] = first + corners[c];
    def = flesh_def(&flesh, other);
    snFit* dressed = NULL;
    sn_skeleton_destroy(flesh_fit(&def, &dressed));
    assert_memory_equal(alone->rest, dressed->rest, alone->joint_count * sizeof *alone->rest);
    sn_fit_destroy(alone);
    sn_fit_destroy(dressed);
    sn_skeleton_destroy(other);
    flesh_free(&flesh);
    sn_model_destroy(body);
}

// ---------------------------------------------------------------------------------------------------- center

static void rough_joints_move_to_the_center(void** state) {
    (void)state;
    snModel* body = body_model();
    Flesh flesh = flesh_of(body, NULL);
    bool* deforming = flesh_deforming(body);
    float before = 0.0f;
    float after = 0.0f;
    for (uint32_t seed = 1; seed <= 8; seed++) {
        snSkeleton* rough = flesh_jitter(body->skeleton, NULL, 0.03f * 1.75f, seed);
        snFitDef def = flesh_def(&flesh, rough);
        snFit* fit = NULL;
        snSkeleton* fitted = flesh_fit(&def, &fit);
        assert_int_equal(fit->mode, SN_FIT_CENTER);
        assert_near(fit->scale, 1.0f, 0.0f);
        float now = flesh_apart(fitted, body->skeleton, deforming);
        assert_true(now < flesh_apart(rough, body->skeleton, deforming));
        before += flesh_apart(rough, body->skeleton, deforming) / 8.0f;
        after += now / 8.0f;
        sn_fit_destroy(fit);
        sn_skeleton_destroy(fitted);
        sn_skeleton_destroy(rough);
    }
    print_message("%.2f %% of the height off, %.2f %% after\n", (double)(100.0f * before / 1.75f),
                  (double)(100.0f * after / 1.75f));
    assert_true(after < 0.8f * before);
    free(deforming);
    flesh_free(&flesh);
    sn_model_destroy(body);
}

// A bar with a bone off its axis: the joints return to it exactly, and stay where they were along it.
static void a_tube_centers_its_bones(void** state) {
    (void)state;
    snTubeDef tube = sn_tube_def();
    snModel* model = NULL;
    assert_ok(sn_builtin_tube(&tube, NULL, &model, NULL));
    Flesh flesh = flesh_of(model, NULL);
    snVec3* truth = flesh_joints(model->skeleton);
    snSkeleton* rough = flesh_jitter(model->skeleton, NULL, 0.0f, 1);
    for (uint32_t j = 0; j < rough->joint_count; j++) {
        if (rough->parents[j] == SN_NONE) rough->rest[j].translation.x += 0.2f;
    }
    snFitDef def = flesh_def(&flesh, rough);
    snFit* fit = NULL;
    snSkeleton* fitted = flesh_fit(&def, &fit);
    snVec3* points = flesh_joints(fitted);
    assert_int_equal(fit->mode, SN_FIT_CENTER);
    for (uint32_t j = 0; j < fitted->joint_count; j++) {
        // The ends of the tube have no middle of their own.
        if (truth[j].y < 0.4f || truth[j].y > tube.length - 0.4f) continue;
        assert_vec3_near(points[j], truth[j], 0.06f);
        assert_near(points[j].y, truth[j].y, 0.03f);
    }
    free(points);
    free(truth);
    sn_fit_destroy(fit);
    sn_skeleton_destroy(fitted);
    sn_skeleton_destroy(rough);
    flesh_free(&flesh);
    sn_model_destroy(model);
}

static void kept_joints_stay(void** state) {
    (void)state;
    snModel* body = body_model();
    Flesh flesh = flesh_of(body, NULL);
    snSkeleton* rough = flesh_jitter(body->skeleton, NULL, 0.03f * 1.75f, 5);
    bool keep[PEOPLE_MOST] = {false};
    uint32_t elbow = sn_skeleton_find(rough, "LeftLowerArm");
    keep[elbow] = true;
    snFitDef def = flesh_def(&flesh, rough);
    def.keep = keep;
    snFit* fit = NULL;
    snSkeleton* fitted = flesh_fit(&def, &fit);
    snMat4 a[PEOPLE_MOST];
    snMat4 b[PEOPLE_MOST];
    sn_skeleton_world(rough, NULL, a);
    sn_skeleton_world(fitted, NULL, b);
    for (int i = 0; i < 16; i++) assert_near(a[elbow].m[i], b[elbow].m[i], 1e-5f);
    uint32_t other = sn_skeleton_find(rough, "RightLowerArm");
    assert_true(sn_distance(sn_mat4_translation(&a[other]), sn_mat4_translation(&b[other])) > 1e-3f);
    sn_fit_destroy(fit);
    sn_skeleton_destroy(fitted);
    sn_skeleton_destroy(rough);
    flesh_free(&flesh);
    sn_model_destroy(body);
}

// A joint far outside stays and is doubted; scales of the rig survive.
static void joints_outside_are_doubted(void** state) {
    (void)state;
    snModel* body = body_model();
    Flesh flesh = flesh_of(body, NULL);
    snSkeleton* rig = flesh_jitter(body->skeleton, NULL, 0.0f, 1);
    uint32_t hand = sn_skeleton_find(rig, "LeftIndex2");
    rig->rest[hand].translation = sn_vec3(0.0f, 1.0f, 0.0f);
    uint32_t foot = sn_skeleton_find(rig, "LeftFoot");
    rig->rest[foot].scale = sn_vec3(2.0f, 2.0f, 2.0f);
    snVec3* before = flesh_joints(rig);
    snFitDef def = flesh_def(&flesh, rig);
    def.mode = SN_FIT_CENTER;
    snFit* fit = NULL;
    snSkeleton* fitted = flesh_fit(&def, &fit);
    snVec3* after = flesh_joints(fitted);
    assert_vec3_near(before[hand], after[hand], 1e-4f);
    assert_true((fit->doubts[hand] & SN_FIT_OUTSIDE) != 0);
    assert_true(fit->confidence[hand] < SN_FIT_SURE && fit->unsure >= 1);
    assert_near(fitted->rest[foot].scale.x, 2.0f, 0.0f);
    free(before);
    free(after);
    sn_fit_destroy(fit);
    sn_skeleton_destroy(fitted);
    sn_skeleton_destroy(rig);
    flesh_free(&flesh);
    sn_model_destroy(body);
}

// ---------------------------------------------------------------------------------------------------- motion

// A model is fitted as its triangles are.
static void a_model_is_its_triangles(void** state) {
    (void)state;
    snModel* body = body_model();
    Flesh flesh = flesh_of(body, NULL);
    snSkeleton* other = stranger(body->skeleton);
    snFitDef def = flesh_def(&flesh, other);
    snFit *triangles = NULL, *model = NULL;
    assert_ok(sn_fit_create(&def, NULL, &triangles, NULL));
    snFitDef bare = sn_fit_def();
    bare.skeleton = other;
    assert_ok(sn_fit_model(&bare, body, NULL, &model, NULL));
    assert_int_equal(model->mode, triangles->mode);
    for (uint32_t j = 0; j < model->joint_count; j++) {
        assert_vec3_near(model->rest[j].translation, triangles->rest[j].translation, 1e-4f);
        assert_near(model->confidence[j], triangles->confidence[j], 1e-4f);
    }
    assert_int_equal(sn_fit_model(&bare, NULL, NULL, &model, NULL), SN_RESULT_INVALID_ARGUMENT);
    sn_fit_destroy(triangles);
    sn_fit_destroy(model);
    sn_skeleton_destroy(other);
    flesh_free(&flesh);
    sn_model_destroy(body);
}

// A squat made for the stranger, on the fitted skeleton: feet stay on the floor, hands beside the body.
static void motion_reaches_the_fitted_skeleton(void** state) {
    (void)state;
    snModel* body = body_model();
    Flesh flesh = flesh_of(body, NULL);
    snSkeleton* other = stranger(body->skeleton);
    snClip* squat = people_squat(body->skeleton);
    snFitDef def = flesh_def(&flesh, other);
    snFit* fit = NULL;
    snSkeleton* fitted = flesh_fit(&def, &fit);
    snJointMap* map = NULL;
    assert_ok(sn_joint_map_create(body->skeleton, fitted, NULL, &map, NULL));
    assert_true(map->confidence > 0.9f);
    snRetargetDef retarget = sn_retarget_def();
    retarget.source = body->skeleton;
    retarget.clip = squat;
    retarget.target = fitted;
    retarget.map = map;
    snClip* clip = NULL;
    snRetargetReport report;
    assert_ok(sn_retarget_clip(&retarget, NULL, &clip, &report, NULL));
    assert_near(report.scale, 1.0f, 0.03f);
    assert_true(report.foot_slide_max < 0.01f * report.height);
    uint32_t toes = sn_skeleton_find(fitted, "LeftToes");
    uint32_t hand = sn_skeleton_find(fitted, "RightHand");
    snVec3 points[PEOPLE_MOST];
    for (float time = 0.0f; time <= clip->duration; time += 0.1f) {
        people_sample(fitted, clip, time, points);
        assert_near(points[toes].y, 0.02f, 0.03f);
        assert_true(points[hand].x < -0.5f); // the squat leaves the arms level
    }
    sn_joint_map_destroy(map);
    sn_clip_destroy(clip);
    sn_clip_destroy(squat);
    sn_fit_destroy(fit);
    sn_skeleton_destroy(fitted);
    sn_skeleton_destroy(other);
    flesh_free(&flesh);
    sn_model_destroy(body);
}

// ---------------------------------------------------------------------------------------------------- errors

static void expect(const snFitDef* def, snResult wanted, const char* word) {
    snFit* fit = NULL;
    snError error = sn_error_none();
    assert_int_equal(sn_fit_create(def, NULL, &fit, &error), wanted);
    assert_null(fit);
    assert_int_equal(error.code, wanted);
    if (strstr(error.text, word) == NULL) fail_msg("\"%s\" does not say \"%s\"", error.text, word);
}

static void bad_defs_are_refused(void** state) {
    (void)state;
    snModel* body = people_body();
    Flesh flesh = flesh_of(body, NULL);
    const snFitDef good = flesh_def(&flesh, body->skeleton);
    snFitDef def = good;
    def.skeleton = NULL;
    expect(&def, SN_RESULT_INVALID_ARGUMENT, "skeleton");
    expect(NULL, SN_RESULT_INVALID_ARGUMENT, "mesh");
    assert_int_equal(sn_fit_create(&good, NULL, NULL, NULL), SN_RESULT_INVALID_ARGUMENT);
    def = good;
    def.points = NULL;
    expect(&def, SN_RESULT_INVALID_ARGUMENT, "mesh");
    def = good;
    def.cells = 63;
    expect(&def, SN_RESULT_INVALID_ARGUMENT, "cells");
    def = good;
    def.mode = (snFitMode)9;
    expect(&def, SN_RESULT_INVALID_ARGUMENT, "mode");
    def = good;
    def.facing = SN_AXIS_MINUS_Y;
    expect(&def, SN_RESULT_INVALID_ARGUMENT, "cannot face -y");
    def.facing = (snAxis)7;
    expect(&def, SN_RESULT_INVALID_ARGUMENT, "cannot face");
    def = good;
    def.triangle_count = 0;
    expect(&def, SN_RESULT_BAD_DATA, "no triangles");
    snFit* fit = NULL;
    assert_ok(sn_fit_create(&good, NULL, &fit, NULL));
    snMat4 world[PEOPLE_MOST]; // places are where the new rest puts the joints
    sn_skeleton_world(body->skeleton, fit->rest, world);
    for (uint32_t j = 0; j < fit->joint_count; j++)
        assert_vec3_near(fit->places[j], sn_mat4_translation(&world[j]), 1e-4f);
    fit->joint_count--;
    snSkeleton* out = NULL;
    assert_int_equal(sn_skeleton_refit(body->skeleton, fit, NULL, &out, NULL), SN_RESULT_INVALID_ARGUMENT);
    assert_null(out);
    sn_fit_destroy(fit);
    flesh_free(&flesh);
    sn_model_destroy(body);
}

static void bad_meshes_are_refused(void** state) {
    (void)state;
    snModel* body = people_body();
    Flesh flesh = flesh_of(body, NULL);
    snFitDef def = flesh_def(&flesh, body->skeleton);
    snVec3 was = flesh.points[7];
    flesh.points[7].y = NAN;
    expect(&def, SN_RESULT_BAD_DATA, "point 7");
    flesh.points[7] = was;
    uint32_t corner = flesh.triangles[4];
    flesh.triangles[4] = flesh.point_count;
    expect(&def, SN_RESULT_BAD_DATA, "corner");
    flesh.triangles[4] = corner;
    for (uint32_t p = 0; p < flesh.point_count; p++) flesh.points[p] = sn_vec3(1, 2, 3);
    expect(&def, SN_RESULT_BAD_DATA, "long");
    flesh_free(&flesh);
    snMesh* sheet = test_grid(4);
    flesh = flesh_of_mesh(sheet);
    def = flesh_def(&flesh, body->skeleton);
    expect(&def, SN_RESULT_BAD_DATA, "volume");
    flesh_free(&flesh);
    sn_mesh_destroy(sheet);
    sn_model_destroy(body);
}

static void bad_skeletons_are_refused(void** state) {
    (void)state;
    snModel* body = people_body();
    Flesh flesh = flesh_of(body, NULL);
    snSkeleton* point = flesh_jitter(body->skeleton, NULL, 0.0f, 1);
    for (uint32_t j = 0; j < point->joint_count; j++) point->rest[j].translation = sn_vec3(0, 0, 0);
    snFitDef def = flesh_def(&flesh, point);
    expect(&def, SN_RESULT_BAD_DATA, "one point");
    sn_skeleton_destroy(point);

    snSkeleton* flat = flesh_jitter(body->skeleton, NULL, 0.0f, 1);
    flat->rest[sn_skeleton_find(flat, "LeftUpperArm")].scale = sn_vec3(0, 1, 1);
    def = flesh_def(&flesh, flat);
    def.mode = SN_FIT_CENTER;
    expect(&def, SN_RESULT_BAD_DATA, "scaled to zero");
    sn_skeleton_destroy(flat);

    snSkeletonDef none = {0, NULL, NULL, NULL};
    snSkeleton* empty = NULL;
    assert_ok(sn_skeleton_create(&none, NULL, &empty, NULL));
    def = flesh_def(&flesh, empty);
    expect(&def, SN_RESULT_BAD_DATA, "no joints");
    sn_skeleton_destroy(empty);
    flesh_free(&flesh);
    sn_model_destroy(body);
}

// What is no person is refused with the reason: a tube's skeleton in a body, a body's skeleton in a tube.
static void what_is_no_person_is_refused(void** state) {
    (void)state;
    snModel* body = people_body();
    snTubeDef tube_def = sn_tube_def();
    tube_def.length = 300.0f;
    tube_def.radius = 30.0f;
    snModel* tube = NULL;
    assert_ok(sn_builtin_tube(&tube_def, NULL, &tube, NULL));
    Flesh flesh = flesh_of(body, NULL);
    snFitDef def = flesh_def(&flesh, tube->skeleton);
    expect(&def, SN_RESULT_UNSUPPORTED, "recognised");
    flesh_free(&flesh);
    flesh = flesh_of(tube, NULL);
    def = flesh_def(&flesh, body->skeleton);
    expect(&def, SN_RESULT_UNSUPPORTED, "arm");
    flesh_free(&flesh);
    sn_model_destroy(tube);
    sn_model_destroy(body);
}

static snResult fit_once(const snAllocator* allocator, void* context) {
    const snFitDef* def = context;
    snFit* fit = NULL;
    snSkeleton* fitted = NULL;
    snResult result = sn_fit_create(def, allocator, &fit, NULL);
    if (result == SN_RESULT_OK) result = sn_skeleton_refit(def->skeleton, fit, allocator, &fitted, NULL);
    sn_skeleton_destroy(fitted);
    sn_fit_destroy(fit);
    return result;
}

static void every_allocation_may_fail(void** state) {
    (void)state;
    snModel* body = people_body();
    Flesh flesh = flesh_of(body, NULL);
    snSkeleton* other = stranger(body->skeleton);
    snFitDef def = flesh_def(&flesh, other);
    def.cells = 64;
    test_every_allocation(fit_once, &def);
    def.skeleton = body->skeleton;
    test_every_allocation(fit_once, &def);
    sn_skeleton_destroy(other);
    flesh_free(&flesh);
    sn_model_destroy(body);
}

static void doubts_have_words(void** state) {
    (void)state;
    char text[200];
    assert_int_equal(sn_fit_doubt_text(0, text, sizeof text), 0);
    assert_string_equal(text, "");
    sn_fit_doubt_text(SN_FIT_ASYMMETRIC | SN_FIT_PROPORTION, text, sizeof text);
    assert_string_equal(text, "left and right differ, placed by proportion");
    assert_int_equal(sn_fit_doubt_text(SN_FIT_OUTSIDE, text, 8), 7);
    assert_string_equal(text, "outside");
    assert_int_equal(sn_fit_doubt_text(SN_FIT_OUTSIDE, NULL, 0), 0);
    static const char* const names[SN_FIT_DOUBTS] = {"outside",    "moved-far", "asymmetric",
                                                     "proportion", "follows",   "facing"};
    for (uint32_t i = 0; i < SN_FIT_DOUBTS; i++) {
        assert_string_equal(sn_fit_doubt_name(1u << i), names[i]);
        assert_true(sn_fit_doubt_text(1u << i, text, sizeof text) > 0);
    }
    assert_string_equal(sn_fit_doubt_name(SN_FIT_OUTSIDE | SN_FIT_FACING), "none");
    assert_string_equal(sn_fit_doubt_name(1u << SN_FIT_DOUBTS), "none");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cube_is_solid),
        cmocka_unit_test(a_model_is_its_triangles),
        cmocka_unit_test(holes_and_flipped_faces_leave_it_solid),
        cmocka_unit_test(pieces_become_one),
        cmocka_unit_test(another_persons_skeleton_finds_its_joints),
        cmocka_unit_test(arms_may_hang),
        cmocka_unit_test(hands_roll_with_their_palms),
        cmocka_unit_test(uneven_arms_are_doubted),
        cmocka_unit_test(the_result_follows_the_mesh),
        cmocka_unit_test(a_facing_that_is_given_is_believed),
        cmocka_unit_test(helpers_are_ignored),
        cmocka_unit_test(rough_joints_move_to_the_center),
        cmocka_unit_test(a_tube_centers_its_bones),
        cmocka_unit_test(kept_joints_stay),
        cmocka_unit_test(joints_outside_are_doubted),
        cmocka_unit_test(motion_reaches_the_fitted_skeleton),
        cmocka_unit_test(bad_defs_are_refused),
        cmocka_unit_test(bad_meshes_are_refused),
        cmocka_unit_test(bad_skeletons_are_refused),
        cmocka_unit_test(what_is_no_person_is_refused),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(doubts_have_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
