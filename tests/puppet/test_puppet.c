// A model posed by handles: rest, rigid motion, followers, the same bits as the job done by hand.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "handle_scene.h"

// A body of few vertices, whose handles come from its skin.
static snModel* make_body(void) {
    snBodyDef def = sn_body_def();
    def.vertex_target = 1500;
    snModel* model = NULL;
    assert_ok(sn_builtin_body(&def, NULL, &model, NULL));
    return model;
}

// Two tubes without a skin, one above the other: two parts, and handles have to be looked for.
static snModel* make_tubes(void) {
    snTubeDef tube = sn_tube_def();
    tube.length = SCENE_LENGTH;
    tube.sides = 8;
    tube.rings = 12;
    snModel* model = NULL;
    assert_ok(sn_builtin_tube(&tube, NULL, &model, NULL));
    const snMesh* mesh = model->parts[0].mesh;
    snMeshDef piece = {.vertex_count = mesh->vertex_count,
                       .positions = mesh->positions,
                       .face_count = mesh->face_count,
                       .face_starts = mesh->face_starts,
                       .corner_count = mesh->corner_count,
                       .corners = mesh->corners};
    uint32_t parents[] = {SN_NONE, SN_NONE};
    snTrs rest[] = {sn_trs_identity(), sn_trs_identity()};
    rest[1].translation = sn_vec3(0.0f, SCENE_LENGTH + 0.5f, 0.0f);
    snSkeletonDef skeleton = {2, NULL, parents, rest};
    snPartDef parts[] = {{.name = "lower", .mesh = &piece, .joint = 0, .skin = SN_NONE},
                         {.name = "upper", .mesh = &piece, .joint = 1, .skin = SN_NONE}};
    snModelDef def = {.skeleton = &skeleton, .part_count = 2, .parts = parts};
    snModel* two = NULL;
    assert_ok(sn_model_create(&def, NULL, &two, NULL));
    sn_model_destroy(model);
    return two;
}

static snPuppet* make_puppet(const snModel* model, snHandleMethod method) {
    snPuppetDef def = sn_puppet_def();
    def.model = model;
    def.method = method;
    def.sparse = sn_sparse_cholmod();
    snPuppet* puppet = NULL;
    snError error = sn_error_none();
    if (sn_puppet_create(&def, NULL, &puppet, &error) != SN_RESULT_OK) fail_msg("%s", error.text);
    return puppet;
}

static float worst_of(const snPuppet* puppet, snRigid motion) {
    const snMesh* mesh = sn_puppet_mesh(puppet);
    const snVec3* positions = sn_puppet_surface(puppet, 0).positions;
    float worst = 0.0f;
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        worst = sn_maxf(worst, sn_distance(positions[v], sn_rigid_point(motion, mesh->positions[v])));
    return worst;
}

// ------------------------------------------------------------------------------------------------ properties

static void rest_is_the_identity(void** state) {
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        snModel* model = kind % 2 == 0 ? make_body() : make_tubes();
        snPuppet* puppet = make_puppet(model, (snHandleMethod)(kind / 2));
        float size = sn_puppet_handles(puppet)->size;
        snRigid rest = {.rotation = sn_quat_identity()};
        assert_true(worst_of(puppet, rest) <= 2e-6f * size);
        uint64_t hash = sn_puppet_hash(puppet);
        // What was done is forgotten to the bit.
        const char* name = sn_puppet_handles(puppet)->handles[0].name;
        assert_ok(sn_puppet_rotate(puppet, name, sn_vec3(1, 2, 3), 0.7f, NULL));
        assert_ok(sn_puppet_run(puppet, NULL));
        assert_true(sn_puppet_hash(puppet) != hash);
        sn_puppet_reset(puppet);
        assert_ok(sn_puppet_run(puppet, NULL));
        assert_true(sn_puppet_hash(puppet) == hash);
        sn_puppet_destroy(puppet);
        sn_model_destroy(model);
    }
}

static void rigid_motion_commutes(void** state) {
    (void)state;
    snRigid after = {.rotation = sn_quat_axis_angle(sn_vec3(0.2f, 1, -1), 1.9f),
                     .translation = sn_vec3(-0.4f, 0.2f, 0.9f)};
    for (int method = 0; method < SN_HANDLES_METHOD_COUNT; method++) {
        snModel* model = make_body();
        snPuppet* puppet = make_puppet(model, (snHandleMethod)method);
        uint32_t handles = sn_puppet_handles(puppet)->handle_count;
        uint32_t vertices = sn_puppet_mesh(puppet)->vertex_count;
        assert_ok(sn_puppet_rotate(puppet, "LeftUpperArm", sn_vec3(0, 0, 1), -1.0f, NULL));
        assert_ok(sn_puppet_run(puppet, NULL));
        snVec3* bent = calloc(vertices, sizeof *bent);
        snRigid* moved = calloc(handles, sizeof *moved);
        memcpy(bent, sn_puppet_surface(puppet, 0).positions, vertices * sizeof *bent);
        for (uint32_t h = 0; h < handles; h++) moved[h] = sn_rigid_mul(after, sn_puppet_motions(puppet)[h]);
        assert_ok(sn_puppet_set(puppet, moved));
        assert_ok(sn_puppet_run(puppet, NULL));
        for (uint32_t v = 0; v < vertices; v++)
            assert_vec3_near(sn_puppet_surface(puppet, 0).positions[v], sn_rigid_point(after, bent[v]),
                             1e-5f);
        free(moved);
        free(bent);
        sn_puppet_destroy(puppet);
        sn_model_destroy(model);
    }
}

// A pose of one step for a handle and what follows it.
static snHandlePose* pose_of(const snHandles* handles, const char* name, snPoseStep step) {
    uint8_t marks[SN_HANDLES_MAX];
    uint32_t moved[SN_HANDLES_MAX];
    step.frame = step.center = sn_handles_find(handles, name);
    sn_handles_followers(handles, step.center, marks);
    for (uint32_t h = 0; h < handles->handle_count; h++)
        if (marks[h]) moved[step.handle_count++] = h;
    step.handles = moved;
    snHandlePoseDef def = {.name = name, .step_count = 1, .steps = &step};
    snHandlePose* pose = NULL;
    assert_ok(sn_handle_pose_create(&def, handles, NULL, &pose, NULL));
    return pose;
}

// Arm, hand and fingers swing together, the other side stays; one turn goes on from the other as the steps of
// a pose do, to the bit.
static void followers_go_along(void** state) {
    (void)state;
    snModel* model = make_body();
    snPuppet* puppet = make_puppet(model, SN_HANDLES_FAST);
    const snHandles* handles = sn_puppet_handles(puppet);
    assert_ok(sn_puppet_rotate(puppet, "LeftUpperArm", sn_vec3(0, 0, 2), -1.0f, NULL));
    assert_ok(sn_puppet_rotate(puppet, "LeftLowerArm", sn_vec3(0, 1, 0), -0.5f, NULL));
    assert_ok(sn_puppet_move(puppet, "Hips", sn_vec3(0.1f, -0.2f, 0.3f), NULL));
    const snRigid* motions = sn_puppet_motions(puppet);
    uint32_t hand = sn_handles_find(handles, "LeftHand"), lower = sn_handles_find(handles, "LeftLowerArm");
    uint32_t other = sn_handles_find(handles, "RightHand");
    assert_memory_equal(&motions[hand], &motions[lower], sizeof motions[0]);
    assert_near(sn_quat_dot(motions[other].rotation, sn_quat_identity()), 1.0f, 0.0f);
    assert_vec3_near(motions[other].translation, sn_vec3(0.1f, -0.2f, 0.3f), 0.0f);

    snHandlePose* poses[] = {
        pose_of(handles, "LeftUpperArm",
                (snPoseStep){.act = SN_POSE_ROTATE, .axis = sn_vec3(0, 0, 2), .angle = -1.0f}),
        pose_of(handles, "LeftLowerArm",
                (snPoseStep){.act = SN_POSE_ROTATE, .axis = sn_vec3(0, 1, 0), .angle = -0.5f}),
        pose_of(handles, "Hips", (snPoseStep){.act = SN_POSE_MOVE, .move = sn_vec3(0.1f, -0.2f, 0.3f)})};
    const float weights[] = {1.0f, 1.0f, 1.0f};
    snRigid blend[SN_HANDLES_MAX];
    sn_handle_poses_blend(handles, (const snHandlePose* const*)poses, weights, NULL, 3, blend);
    assert_memory_equal(blend, motions, handles->handle_count * sizeof blend[0]);
    for (int i = 0; i < 3; i++) sn_handle_pose_destroy(poses[i]);
    sn_puppet_destroy(puppet);
    sn_model_destroy(model);
}

// --------------------------------------------------------------------------------------------------- by hand

// Two parts, with a detail layer, by both methods: the same as mesh, handles, surface and job made one by
// one.
static void is_the_job_by_hand(void** state) {
    (void)state;
    snModel* model = make_tubes();
    for (int method = 0; method < SN_HANDLES_METHOD_COUNT; method++) {
        snMesh* mesh = NULL;
        assert_ok(sn_model_merge_mesh(model, NULL, &mesh, NULL));
        snHandles* handles = scene_handles_beyond(mesh, SCENE_LENGTH / 3, SCENE_LENGTH * 2, 0.9f);
        snHandles* held = NULL;
        assert_ok(sn_handles_hold_pieces(handles, mesh, NULL, &held, NULL, NULL));
        snHandleSurfaceDef surface_def = sn_handle_surface_def();
        surface_def.mesh = mesh;
        surface_def.handles = held;
        surface_def.laplacian = SN_LAPLACIAN_EDGE;
        surface_def.squared = true;
        surface_def.band = 3;
        surface_def.sparse = sn_sparse_cholmod();
        snHandleSurface* surface = NULL;
        assert_ok(sn_handle_surface_create(&surface_def, NULL, &surface, NULL));
        snPuppetDef def = sn_puppet_def();
        def.model = model;
        def.mesh = method == 0 ? mesh : NULL;
        def.handles = held;
        def.method = (snHandleMethod)method;
        def.iterations = 3;
        def.laplacian = SN_LAPLACIAN_EDGE;
        def.squared = true;
        def.band = 3;
        def.sparse = sn_sparse_cholmod();
        snPuppet* puppet = NULL;
        assert_ok(sn_puppet_create(&def, NULL, &puppet, NULL));
        assert_ptr_equal(sn_puppet_handles(puppet), held);
        snRigid motions[] = {{.rotation = sn_quat_identity()},
                             {.rotation = sn_quat_axis_angle(sn_vec3(0.1f, 0.2f, 1), 0.6f),
                              .translation = sn_vec3(0.5f, 0, 0)}};
        uint32_t count = mesh->vertex_count;
        float* offsets = calloc(count, sizeof *offsets);
        snVec3 *positions = calloc(count, sizeof *positions), *normals = calloc(count, sizeof *normals);
        for (uint32_t v = 0; v < count; v++) offsets[v] = 0.001f * (float)(v % 7);
        snHandleSurfaceJob job = {
            .surface = surface,
            .handles = motions,
            .method = (snHandleMethod)method,
            .iterations = 3,
            .offsets = offsets,
            .exact_normals = true,
            .scratch = aligned_alloc(64, (sn_handle_surface_scratch_size(surface) + 63) / 64 * 64),
            .out_positions = positions,
            .out_normals = normals};
        assert_ok(sn_handle_surface_run(&job));
        assert_ok(sn_puppet_set(puppet, motions));
        assert_ok(sn_puppet_run(puppet, offsets));
        uint32_t first = 0;
        for (uint32_t p = 0; p < model->part_count; p++) {
            snSurface part = sn_puppet_surface(puppet, p);
            assert_int_equal(part.vertex_count, model->parts[p].mesh->vertex_count);
            assert_memory_equal(part.positions, positions + first, part.vertex_count * sizeof(snVec3));
            assert_memory_equal(part.normals, normals + first, part.vertex_count * sizeof(snVec3));
            assert_ptr_equal(part.positions, sn_puppet_surfaces(puppet)[p].positions);
            first += part.vertex_count;
        }
        assert_int_equal(first, count);
        assert_int_equal(sn_puppet_surface(puppet, 2).vertex_count, 0);
        free(job.scratch);
        free(normals);
        free(positions);
        free(offsets);
        sn_puppet_destroy(puppet);
        sn_handle_surface_destroy(surface);
        sn_handles_destroy(held);
        sn_handles_destroy(handles);
        sn_mesh_destroy(mesh);
    }
    sn_model_destroy(model);
}

// ---------------------------------------------------------------------------------------------------- errors

static void expect(const snPuppetDef* def, snResult result, const char* text) {
    snPuppet* puppet = NULL;
    snError error = sn_error_none();
    assert_int_equal(sn_puppet_create(def, NULL, &puppet, &error), result);
    assert_null(puppet);
    assert_non_null(strstr(error.text, text));
}

static void bad_definitions_are_refused(void** state) {
    (void)state;
    snModel *body = make_body(), *tubes = make_tubes();
    snPuppetDef good = sn_puppet_def(), def = good;
    good.model = body;
    good.sparse = sn_sparse_cholmod();
    expect(NULL, SN_RESULT_INVALID_ARGUMENT, "a model");
    assert_int_equal(sn_puppet_create(&good, NULL, NULL, NULL), SN_RESULT_INVALID_ARGUMENT);
    def = good, def.model = NULL;
    expect(&def, SN_RESULT_INVALID_ARGUMENT, "a model");
    def = good, def.method = SN_HANDLES_METHOD_COUNT;
    expect(&def, SN_RESULT_INVALID_ARGUMENT, "method");
    def = good, def.band = 0;
    expect(&def, SN_RESULT_INVALID_ARGUMENT, "band");
    def = good, def.sparse = NULL;
    expect(&def, SN_RESULT_UNSUPPORTED, "sn_sparse_cholmod");
    def = good, def.level = sn_cpu_level_available(SN_CPU_NEON) ? SN_CPU_SSE2 : SN_CPU_NEON;
    expect(&def, SN_RESULT_UNSUPPORTED, "no ");
    def = good, def.memory_limit = 1000;
    expect(&def, SN_RESULT_LIMIT, "");
    snPuppet* other = make_puppet(tubes, SN_HANDLES_FAST);
    def = good, def.mesh = sn_puppet_mesh(other);
    expect(&def, SN_RESULT_BAD_DATA, "vertices");
    def = good, def.handles = sn_puppet_handles(other);
    expect(&def, SN_RESULT_BAD_DATA, "");
    sn_puppet_destroy(other);
    sn_puppet_destroy(NULL);
    sn_model_destroy(tubes);
    sn_model_destroy(body);
}

static void bad_motions_move_nothing(void** state) {
    (void)state;
    snModel* model = make_tubes();
    snPuppet* puppet = make_puppet(model, SN_HANDLES_FAST);
    const snHandles* handles = sn_puppet_handles(puppet);
    const char* name = handles->handles[0].name;
    assert_ok(sn_puppet_rotate(puppet, name, sn_vec3(0, 1, 0), 0.3f, NULL));
    snRigid before[SN_HANDLES_MAX], motions[SN_HANDLES_MAX];
    memcpy(before, sn_puppet_motions(puppet), handles->handle_count * sizeof before[0]);
    memcpy(motions, before, handles->handle_count * sizeof before[0]);
    motions[handles->handle_count - 1].rotation.w = NAN;
    snError error = sn_error_none();
    assert_int_equal(sn_puppet_set(puppet, motions), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_puppet_set(puppet, NULL), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_puppet_set(NULL, motions), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_puppet_run(NULL, NULL), SN_RESULT_INVALID_ARGUMENT);
    snVec3 up = sn_vec3(0, 1, 0);
    assert_int_equal(sn_puppet_rotate(puppet, name, sn_vec3(0, 0, 0), 1, &error), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_puppet_rotate(puppet, name, up, INFINITY, &error), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_puppet_rotate(NULL, name, up, 1, &error), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_puppet_move(puppet, name, sn_vec3(NAN, 0, 0), &error), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_puppet_move(puppet, NULL, up, &error), SN_RESULT_NOT_FOUND);
    char wrong[128];
    snprintf(wrong, sizeof wrong, "%sx", name);
    assert_int_equal(sn_puppet_rotate(puppet, wrong, up, 1, &error), SN_RESULT_NOT_FOUND);
    assert_non_null(strstr(error.text, name));
    assert_memory_equal(before, sn_puppet_motions(puppet), handles->handle_count * sizeof before[0]);
    sn_puppet_destroy(puppet);
    sn_model_destroy(model);
}

// ---------------------------------------------------------------------------------------------------- memory

static snResult build(const snAllocator* allocator, void* context) {
    snPuppetDef def = sn_puppet_def();
    def.model = context;
    def.method = SN_HANDLES_RIGID;
    def.sparse = sn_sparse_cholmod();
    snPuppet* puppet = NULL;
    snResult result = sn_puppet_create(&def, allocator, &puppet, NULL);
    sn_puppet_destroy(puppet);
    return result;
}
static void every_allocation_may_fail(void** state) {
    (void)state;
    snModel* model = make_tubes();
    test_every_allocation(build, model);
    sn_model_destroy(model);
    snTubeDef tube = sn_tube_def(); // with a skin
    tube.sides = 6;
    tube.rings = 24;
    assert_ok(sn_builtin_tube(&tube, NULL, &model, NULL));
    test_every_allocation(build, model);
    sn_model_destroy(model);
}

static void nothing_allocates_per_frame(void** state) {
    (void)state;
    snModel* model = make_tubes();
    TestAllocator counter = {.fail_at = UINT64_MAX};
    snAllocator memory = test_allocator(&counter);
    for (int method = 0; method < SN_HANDLES_METHOD_COUNT; method++) {
        snPuppetDef def = sn_puppet_def();
        def.model = model;
        def.method = (snHandleMethod)method;
        def.sparse = sn_sparse_cholmod();
        snPuppet* puppet = NULL;
        assert_ok(sn_puppet_create(&def, &memory, &puppet, NULL));
        const char* name = sn_puppet_handles(puppet)->handles[0].name;
        float* offsets = calloc(sn_puppet_mesh(puppet)->vertex_count, sizeof *offsets);
        uint64_t calls = counter.calls;
        for (int frame = 0; frame < 4; frame++) {
            if (frame == 2) sn_puppet_reset(puppet);
            assert_ok(sn_puppet_rotate(puppet, name, sn_vec3(0, 1, 0), 0.2f, NULL));
            assert_ok(sn_puppet_move(puppet, name, sn_vec3(0, 0.1f, 0), NULL));
            assert_ok(sn_puppet_set(puppet, sn_puppet_motions(puppet)));
            assert_ok(sn_puppet_run(puppet, offsets));
        }
        assert_int_equal(counter.calls, calls);
        free(offsets);
        sn_puppet_destroy(puppet);
        assert_int_equal(counter.held, 0);
    }
    sn_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rest_is_the_identity),        cmocka_unit_test(rigid_motion_commutes),
        cmocka_unit_test(followers_go_along),          cmocka_unit_test(is_the_job_by_hand),
        cmocka_unit_test(bad_definitions_are_refused), cmocka_unit_test(bad_motions_move_nothing),
        cmocka_unit_test(every_allocation_may_fail),   cmocka_unit_test(nothing_allocates_per_frame),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
