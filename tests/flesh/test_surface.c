// The surface that hangs in a lattice: exact maps, normals against finite differences, both ways through the
// kernels, every level bit for bit.
#include <stdlib.h>
#include <string.h>

#include "flesh/surface_kernels.h"
#include "support.h"

#define HEIGHT 1.75f // of the body

typedef struct Scene {
    snModel* model;
    const snLattice* lattice;
    uint32_t count;
    const uint32_t* points; // of the lattice, per vertex
    const snVec3* positions;
    const snVec3* normals;
    snSurfacePlan* plan;
    snVec4* particles;
    snVec4* skin;
    snVec3* out;
    snVec3* out_normals;
} Scene;

static void* filled(size_t bytes) {
    void* memory = malloc(bytes > 0 ? bytes : 1);
    assert_non_null(memory);
    memset(memory, 0xff, bytes); // NaN: what is not written shows
    return memory;
}

static Scene scene_create(uint32_t vertices, uint32_t cells) {
    Scene s = {0};
    snBodyDef body = sn_body_def();
    body.vertex_target = vertices;
    assert_ok(sn_builtin_body(&body, NULL, &s.model, NULL));
    snBindDef bind = sn_bind_def();
    bind.method = SN_WEIGHTS_KEEP;
    bind.cells = cells;
    assert_ok(sn_model_bind(s.model, &bind, NULL, NULL));
    s.lattice = s.model->binding->lattice;
    s.count = s.model->parts[0].mesh->vertex_count;
    s.points = s.model->binding->vertex_points + s.model->binding->vertex_starts[0];
    s.positions = s.model->parts[0].mesh->positions;
    s.normals = s.model->parts[0].mesh->normals;
    snSurfacePlanDef def = {s.lattice, s.count, s.points, s.normals};
    assert_ok(sn_surface_plan_create(&def, NULL, &s.plan, NULL));
    s.particles = filled(s.lattice->particle_count * sizeof *s.particles);
    s.skin = filled(s.lattice->particle_count * sizeof *s.skin);
    s.out = filled(s.count * sizeof *s.out);
    s.out_normals = filled(s.count * sizeof *s.out_normals);
    return s;
}

static void scene_destroy(Scene* s) {
    sn_surface_plan_destroy(s->plan);
    sn_model_destroy(s->model);
    free(s->particles);
    free(s->skin);
    free(s->out);
    free(s->out_normals);
}

static snSurfaceJob job_of(const Scene* s) {
    snSurfaceJob job = {
        .plan = s->plan, .particles = s->particles, .points = s->out, .out_normals = s->out_normals};
    return job;
}

typedef snVec3 MapFn(snVec3 p);

static snVec3 same(snVec3 p) { return p; }
static snVec3 stretched(snVec3 p) {
    return sn_vec3(1.5f * p.x + 0.3f * p.y - 2, 0.8f * p.y - 0.2f * p.z + 1, 0.1f * p.x + 1.1f * p.z + 0.5f);
}
// The cofactors of `stretched`.
static snVec3 stretched_normal(snVec3 n) {
    snVec3 c0 = {1.5f, 0, 0.1f}, c1 = {0.3f, 0.8f, 0}, c2 = {0, -0.2f, 1.1f};
    snVec3 sum = sn_add(sn_add(sn_scale(sn_cross(c1, c2), n.x), sn_scale(sn_cross(c2, c0), n.y)),
                        sn_scale(sn_cross(c0, c1), n.z));
    return sn_normalize_or(sum, n);
}
static snVec3 mirrored(snVec3 p) { return sn_vec3(-p.x, p.y, p.z); }
static snVec3 laid_down(snVec3 p) { return sn_vec3(-p.y, p.x, p.z); }
// Twists about the vertical and bends forward: every cell changes differently.
static snVec3 bent(snVec3 p) {
    snVec3 q = sn_quat_rotate(sn_quat_axis_angle(sn_vec3(0, 1, 0), 1.3f * p.y), p);
    return sn_quat_rotate(sn_quat_axis_angle(sn_vec3(1, 0, 0), 0.6f * q.y), q);
}
static snVec3 swayed(snVec3 p) {
    snVec3 q = sn_quat_rotate(sn_quat_axis_angle(sn_vec3(0, 0, 1), 0.5f * p.y), p);
    return sn_add(q, sn_vec3(0.05f * sn_sin(9 * p.y), 0.04f * sn_cos(7 * p.x), 0.03f * sn_sin(8 * p.z)));
}

static void place(const Scene* s, snVec4* particles, MapFn* map) {
    for (uint32_t i = 0; i < s->lattice->particle_count; i++) {
        snVec3 p = map(s->lattice->rest[i]);
        particles[i] = (snVec4){p.x, p.y, p.z, 0};
    }
}

// -------------------------------------------------------------------------------------------- exact maps

static void check_map(Scene* s, MapFn* map, MapFn* normal_map, float tolerance) {
    place(s, s->particles, map);
    snSurfaceJob job = job_of(s);
    assert_ok(sn_surface_run(&job));
    for (uint32_t v = 0; v < s->count; v++) {
        assert_vec3_near(s->out[v], map(s->positions[v]), tolerance);
        assert_vec3_near(s->out_normals[v], normal_map(s->normals[v]), 2e-5f);
        assert_near(sn_length(s->out_normals[v]), 1.0, 1e-6);
    }
}

// The area vector of a mirrored face points the other way: its corners now run clockwise.
static snVec3 mirrored_normal(snVec3 n) { return sn_vec3(n.x, -n.y, -n.z); }

static void affine_maps_are_reproduced(void** state) {
    (void)state;
    static const uint32_t cells[] = {0, 96};
    for (int i = 0; i < 2; i++) {
        Scene s = scene_create(3000, cells[i]);
        check_map(&s, same, same, 1e-6f * HEIGHT);
        check_map(&s, stretched, stretched_normal, 2e-6f * HEIGHT);
        check_map(&s, mirrored, mirrored_normal, 1e-6f * HEIGHT);
        scene_destroy(&s);
    }
}

static void rigid_motion_commutes(void** state) {
    (void)state;
    Scene s = scene_create(3000, 0);
    place(&s, s.particles, bent);
    snSurfaceJob job = job_of(&s);
    assert_ok(sn_surface_run(&job));
    snVec3* moved = filled(s.count * sizeof *moved);
    snVec3* turned = filled(s.count * sizeof *turned);
    uint32_t random = 5;
    snRigid g = {test_random_rotation(&random), sn_vec3(3, -2, 1)};
    for (uint32_t i = 0; i < s.lattice->particle_count; i++) {
        snVec3 p = sn_rigid_point(g, sn_vec3(s.particles[i].x, s.particles[i].y, s.particles[i].z));
        s.particles[i] = (snVec4){p.x, p.y, p.z, 0};
    }
    job.points = moved;
    job.out_normals = turned;
    assert_ok(sn_surface_run(&job));
    for (uint32_t v = 0; v < s.count; v++) {
        assert_vec3_near(moved[v], sn_rigid_point(g, s.out[v]), 2e-6f);
        assert_vec3_near(turned[v], sn_quat_rotate(g.rotation, s.out_normals[v]), 1e-4f);
    }
    free(moved);
    free(turned);
    scene_destroy(&s);
}

// The trilinear map in doubles, from the same corners.
static void exact_point(const Scene* s, uint32_t vertex, double out[3]) {
    const uint32_t* corners = s->lattice->cell_particles[s->lattice->point_cells[s->points[vertex]]];
    snVec3 at = s->lattice->point_coords[s->points[vertex]];
    out[0] = out[1] = out[2] = 0;
    for (int i = 0; i < 8; i++) {
        double x = at.x, y = at.y, z = at.z;
        double share = ((i & 1) != 0 ? x : 1 - x) * ((i & 2) != 0 ? y : 1 - y) * ((i & 4) != 0 ? z : 1 - z);
        const snVec4* p = &s->particles[corners[i]];
        out[0] += share * (double)p->x;
        out[1] += share * (double)p->y;
        out[2] += share * (double)p->z;
    }
}

// One kilometre from the origin floats are 6e-5 apart; what the stage adds is half of that and no more.
static void distance_costs_one_rounding(void** state) {
    (void)state;
    Scene s = scene_create(3000, 0);
    static const float far[] = {0.0f, 1000.0f};
    for (int i = 0; i < 2; i++) {
        place(&s, s.particles, bent);
        for (uint32_t p = 0; p < s.lattice->particle_count; p++) s.particles[p].x += far[i];
        snSurfaceJob job = job_of(&s);
        assert_ok(sn_surface_run(&job));
        double worst = 0;
        for (uint32_t v = 0; v < s.count; v++) {
            double exact[3];
            exact_point(&s, v, exact);
            worst = fmax(worst, fabs((double)s.out[v].x - exact[0]));
        }
        assert_true(worst <= (i == 0 ? 1e-7 : 0.505 * 0x1p-14));
    }
    scene_destroy(&s);
}

// ----------------------------------------------------------------------------------------------- normals

// Shifts vertices by `step` along a direction of their own and returns where they land.
static void shifted(const Scene* s, const snVec3* along, float step, snVec3* out) {
    snVec3* offsets = filled(s->count * sizeof *offsets);
    for (uint32_t v = 0; v < s->count; v++) offsets[v] = sn_scale(along[v], step);
    snSurfaceJob job = job_of(s);
    job.offsets = offsets;
    job.points = out;
    assert_ok(sn_surface_run(&job));
    free(offsets);
}

static void normals_match_finite_differences(void** state) {
    (void)state;
    Scene s = scene_create(3000, 0);
    place(&s, s.particles, swayed);
    snVec3* tangents[2];
    snVec3* ends[4];
    for (int i = 0; i < 2; i++) tangents[i] = filled(s.count * sizeof(snVec3));
    for (int i = 0; i < 4; i++) ends[i] = filled(s.count * sizeof(snVec3));
    for (uint32_t v = 0; v < s.count; v++) {
        snVec3 n = s.normals[v];
        snVec3 axis = fabsf(n.x) < 0.7f ? sn_vec3(1, 0, 0) : sn_vec3(0, 1, 0);
        tangents[0][v] = sn_normalize_or(sn_cross(axis, n), axis);
        tangents[1][v] = sn_cross(n, tangents[0][v]);
    }
    const float step = 2e-3f;
    for (int i = 0; i < 4; i++) shifted(&s, tangents[i / 2], (i & 1) != 0 ? step : -step, ends[i]);
    snSurfaceJob job = job_of(&s);
    assert_ok(sn_surface_run(&job));
    for (uint32_t v = 0; v < s.count; v++) {
        snVec3 u = sn_sub(ends[1][v], ends[0][v]), w = sn_sub(ends[3][v], ends[2][v]);
        snVec3 n = sn_normalize_or(sn_cross(u, w), sn_vec3(0, 0, 0));
        assert_vec3_near(s.out_normals[v], n, 1e-3f);
    }
    for (int i = 0; i < 2; i++) free(tangents[i]);
    for (int i = 0; i < 4; i++) free(ends[i]);
    scene_destroy(&s);
}

// Cells without volume have no normals, numbers that overflow neither; the rest normals stay.
static void hopeless_cells_keep_the_normals(void** state) {
    (void)state;
    Scene s = scene_create(1000, 0);
    for (int i = 0; i < 3; i++) {
        for (uint32_t p = 0; p < s.lattice->particle_count; p++) {
            snVec3 rest = s.lattice->rest[p];
            s.particles[p] = (snVec4){0.25f, 1, 2, 0};
            if (i > 0) s.particles[p].y = rest.y * 1e25f;
            if (i > 1) s.particles[p].x = rest.x * 1e30f;
        }
        snSurfaceJob job = job_of(&s);
        assert_ok(sn_surface_run(&job));
        for (uint32_t v = 0; v < s.count; v++) {
            assert_true(sn_vec3_finite(s.out[v]));
            assert_memory_equal(&s.out_normals[v], &s.normals[v], sizeof(snVec3));
            if (i == 0) assert_vec3_near(s.out[v], sn_vec3(0.25f, 1, 2), 0.0f);
        }
    }
    scene_destroy(&s);
}

// A speck and a mountain get the normals of the body: cells count as one unit inside.
static void size_does_not_matter(void** state) {
    (void)state;
    Scene s = scene_create(1000, 0);
    static const float sizes[] = {1e-9f, 1e9f};
    for (int i = 0; i < 2; i++) {
        snVec3* points = filled(s.lattice->point_count * sizeof *points);
        for (uint32_t v = 0; v < s.count; v++) points[s.points[v]] = sn_scale(s.positions[v], sizes[i]);
        snLatticeDef def = sn_lattice_def();
        def.point_count = s.lattice->point_count;
        def.points = points;
        def.cells = 30;
        snLattice* lattice = NULL;
        assert_ok(sn_lattice_create(&def, NULL, &lattice, NULL));
        snSurfacePlanDef plan_def = {lattice, s.count, s.points, s.normals};
        Scene t = s;
        t.lattice = lattice;
        t.particles = filled(lattice->particle_count * sizeof *t.particles);
        assert_ok(sn_surface_plan_create(&plan_def, NULL, &t.plan, NULL));
        place(&t, t.particles, laid_down);
        snSurfaceJob job = job_of(&t);
        assert_ok(sn_surface_run(&job));
        for (uint32_t v = 0; v < s.count; v++) {
            assert_vec3_near(t.out[v], laid_down(points[s.points[v]]), sizes[i] * 1e-6f * HEIGHT);
            assert_vec3_near(t.out_normals[v], laid_down(s.normals[v]), 1e-4f);
        }
        sn_surface_plan_destroy(t.plan);
        sn_lattice_destroy(lattice);
        free(t.particles);
        free(points);
    }
    scene_destroy(&s);
}

// ------------------------------------------------------------------------------------- over another skin

// Runs the lattice alone into `points` and `normals`.
static void hang(const Scene* s, const snVec4* particles, snVec3* points, snVec3* normals) {
    snSurfaceJob job = job_of(s);
    job.particles = particles;
    job.points = points;
    job.out_normals = normals;
    assert_ok(sn_surface_run(&job));
}

static void displacing_a_trilinear_skin_equals_hanging(void** state) {
    (void)state;
    static const uint32_t cells[] = {0, 96};
    for (int i = 0; i < 2; i++) {
        Scene s = scene_create(3000, cells[i]);
        snVec3* points = filled(s.count * sizeof *points);
        snVec3* normals = filled(s.count * sizeof *normals);
        place(&s, s.skin, i == 0 ? bent : mirrored);
        place(&s, s.particles, swayed);
        hang(&s, s.particles, points, normals);
        hang(&s, s.skin, s.out, s.out_normals);
        snSurfaceJob job = job_of(&s);
        job.skin = s.skin;
        assert_ok(sn_surface_run(&job));
        for (uint32_t v = 0; v < s.count; v++) {
            assert_vec3_near(s.out[v], points[v], 1e-6f * HEIGHT);
            assert_vec3_near(s.out_normals[v], normals[v], 2e-4f); // a mirrored skin is no obstacle
        }
        free(points);
        free(normals);
        scene_destroy(&s);
    }
}

static void nothing_added_changes_nothing(void** state) {
    (void)state;
    static MapFn* const maps[] = {bent, mirrored};
    Scene s = scene_create(3000, 0);
    for (int i = 0; i < 2; i++) {
        place(&s, s.particles, maps[i]);
        memcpy(s.out, s.positions, s.count * sizeof *s.out);
        memcpy(s.out_normals, s.normals, s.count * sizeof *s.out_normals);
        snSurfaceJob job = job_of(&s);
        job.skin = s.particles;
        assert_ok(sn_surface_run(&job));
        assert_memory_equal(s.out, s.positions, s.count * sizeof *s.out);
        for (uint32_t v = 0; v < s.count; v++) assert_vec3_near(s.out_normals[v], s.normals[v], 1e-4f);
    }
    // A skin that lost its volume: no way back to the rest, so normals stay, while points move.
    place(&s, s.particles, bent);
    for (uint32_t p = 0; p < s.lattice->particle_count; p++) {
        s.skin[p] = s.particles[p];
        s.skin[p].z = 0.5f * s.skin[p].x;
    }
    snSurfaceJob job = job_of(&s);
    job.skin = s.skin;
    memcpy(s.out_normals, s.normals, s.count * sizeof *s.out_normals);
    assert_ok(sn_surface_run(&job));
    assert_memory_equal(s.out_normals, s.normals, s.count * sizeof *s.out_normals);
    // Without normals only points move.
    job.out_normals = NULL;
    assert_ok(sn_surface_run(&job));
    scene_destroy(&s);
}

// ------------------------------------------------------------------------------------------------- morphs

static void offsets_move_vertices_in_the_rest_space(void** state) {
    (void)state;
    Scene s = scene_create(3000, 0);
    snVec3* offsets = filled(s.count * sizeof *offsets);
    snVec3* normals = filled(s.count * sizeof *normals);
    uint32_t random = 11;
    for (uint32_t v = 0; v < s.count; v++) {
        offsets[v] = sn_vec3(test_random_float(&random, -0.2f, 0.2f), test_random_float(&random, -0.2f, 0.2f),
                             test_random_float(&random, -0.2f, 0.2f));
        normals[v] = sn_quat_rotate(test_random_rotation(&random), sn_vec3(0, 1, 0));
    }
    place(&s, s.particles, stretched);
    snSurfaceJob job = job_of(&s);
    job.offsets = offsets;
    job.normals = normals;
    assert_ok(sn_surface_run(&job));
    for (uint32_t v = 0; v < s.count; v++) {
        assert_vec3_near(s.out[v], stretched(sn_add(s.positions[v], offsets[v])), 1e-5f);
        assert_vec3_near(s.out_normals[v], stretched_normal(normals[v]), 5e-5f);
    }
    free(offsets);
    free(normals);
    scene_destroy(&s);
}

// -------------------------------------------------------------------------------------------- equal bits

static void lanes_of_one_cell_and_of_many_agree(void** state) {
    (void)state;
    Scene s = scene_create(3000, 0);
    place(&s, s.particles, bent);
    place(&s, s.skin, swayed);
    hang(&s, s.particles, s.out, s.out_normals);
    assert_true(s.plan->shared_count > 0);
    assert_true(s.plan->block_count > s.plan->shared_count);
    snVec3* displaced = filled(s.count * sizeof *displaced);
    memcpy(displaced, s.positions, s.count * sizeof *displaced);
    snSurfaceJob all = job_of(&s);
    all.skin = s.skin;
    all.points = displaced;
    all.out_normals = NULL;
    assert_ok(sn_surface_run(&all));
    // Alone, a vertex is in a block of mixed cells.
    for (uint32_t v = 0; v < s.count; v += 7) {
        snSurfacePlanDef def = {s.lattice, 1, &s.points[v], &s.normals[v]};
        snSurfacePlan* plan = NULL;
        assert_ok(sn_surface_plan_create(&def, NULL, &plan, NULL));
        assert_int_equal(plan->shared_count, 0);
        snVec3 point, normal;
        snSurfaceJob job = {.plan = plan, .particles = s.particles, .points = &point, .out_normals = &normal};
        assert_ok(sn_surface_run(&job));
        assert_memory_equal(&point, &s.out[v], sizeof point);
        assert_memory_equal(&normal, &s.out_normals[v], sizeof normal);
        point = s.positions[v];
        job.skin = s.skin;
        assert_ok(sn_surface_run(&job));
        assert_memory_equal(&point, &displaced[v], sizeof point);
        sn_surface_plan_destroy(plan);
    }
    free(displaced);
    scene_destroy(&s);
}

static uint64_t run_hash(const Scene* s, const snSurfaceJob* job) {
    if (job->skin != NULL) {
        memcpy(s->out, s->positions, s->count * sizeof *s->out);
        memcpy(s->out_normals, s->normals, s->count * sizeof *s->out_normals);
    } else {
        memset(s->out, 0xff, s->count * sizeof *s->out);
        memset(s->out_normals, 0xff, s->count * sizeof *s->out_normals);
    }
    assert_ok(sn_surface_run(job));
    uint64_t hash = sn_hash_bytes(SN_HASH_SEED, s->out, s->count * sizeof *s->out);
    return sn_hash_bytes(hash, s->out_normals, s->count * sizeof *s->out_normals);
}

static void check_levels(const Scene* s, snSurfaceJob job) {
    job.level = SN_CPU_SCALAR;
    uint64_t reference = run_hash(s, &job);
    for (int level = SN_CPU_AUTO; level < SN_CPU_LEVEL_COUNT; level++) {
        job.level = (snCpuLevel)level;
        if (!sn_cpu_level_available(job.level)) {
            assert_int_equal(sn_surface_run(&job), SN_RESULT_UNSUPPORTED);
            continue;
        }
        static const uint32_t workers[] = {1, 3, 8};
        for (int w = 0; w < 3; w++) {
            snPool* pool = NULL;
            assert_ok(sn_pool_create(workers[w], &pool));
            snTasks tasks = sn_pool_tasks(pool);
            job.tasks = &tasks;
            assert_true(run_hash(s, &job) == reference);
            sn_pool_destroy(pool);
        }
        job.tasks = NULL;
    }
}

static void every_level_and_worker_count_gives_the_same_bits(void** state) {
    (void)state;
    static const uint32_t cells[] = {0, 96};
    for (int i = 0; i < 2; i++) {
        Scene s = scene_create(9000, cells[i]);
        place(&s, s.particles, bent);
        place(&s, s.skin, swayed);
        snVec3* offsets = filled(s.count * sizeof *offsets);
        for (uint32_t v = 0; v < s.count; v++) offsets[v] = sn_scale(s.normals[v], 0.01f);
        for (int kind = 0; kind < 4; kind++) {
            snSurfaceJob job = job_of(&s);
            if ((kind & 1) != 0) job.skin = s.skin;
            if ((kind & 2) != 0) job.offsets = offsets;
            if ((kind & 2) != 0) job.normals = s.normals;
            check_levels(&s, job);
        }
        free(offsets);
        scene_destroy(&s);
    }
}

// ------------------------------------------------------------------------------------------------- errors

static void defs_are_checked(void** state) {
    (void)state;
    Scene s = scene_create(1000, 0);
    snSurfacePlan* plan = NULL;
    snError error;
    snSurfacePlanDef good = {s.lattice, s.count, s.points, s.normals}, bad = good;
    assert_int_equal(sn_surface_plan_create(&good, NULL, NULL, &error), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_surface_plan_create(NULL, NULL, &plan, &error), SN_RESULT_INVALID_ARGUMENT);
    bad.lattice = NULL;
    assert_int_equal(sn_surface_plan_create(&bad, NULL, &plan, &error), SN_RESULT_INVALID_ARGUMENT);
    bad = good;
    bad.vertex_points = NULL;
    assert_int_equal(sn_surface_plan_create(&bad, NULL, &plan, &error), SN_RESULT_INVALID_ARGUMENT);
    uint32_t outside[2] = {0, s.lattice->point_count};
    bad = (snSurfacePlanDef){s.lattice, 2, outside, NULL};
    assert_int_equal(sn_surface_plan_create(&bad, NULL, &plan, &error), SN_RESULT_BAD_DATA);
    assert_int_equal(error.vertex, 1);
    snVec3 broken[3] = {{0, 1, 0}, {0, 0, 1}, {NAN, 0, 0}};
    bad = (snSurfacePlanDef){s.lattice, 3, s.points, broken};
    assert_int_equal(sn_surface_plan_create(&bad, NULL, &plan, &error), SN_RESULT_BAD_DATA);
    assert_int_equal(error.vertex, 2);
    assert_null(plan);
    sn_surface_plan_destroy(NULL);
    scene_destroy(&s);
}

static void jobs_are_checked(void** state) {
    (void)state;
    Scene s = scene_create(1000, 0);
    assert_int_equal(sn_surface_run(NULL), SN_RESULT_INVALID_ARGUMENT);
    for (int spoil = 0; spoil < 4; spoil++) {
        snSurfaceJob job = job_of(&s);
        if (spoil == 0) job.plan = NULL;
        if (spoil == 1) job.particles = NULL;
        if (spoil == 2) job.points = NULL;
        if (spoil == 3) job.out_normals = NULL;
        assert_int_equal(sn_surface_run(&job), SN_RESULT_INVALID_ARGUMENT);
    }
    // A plan without normals takes them from the job or does without.
    place(&s, s.particles, bent);
    snSurfacePlanDef def = {s.lattice, s.count, s.points, NULL};
    snSurfacePlan* bare = NULL;
    assert_ok(sn_surface_plan_create(&def, NULL, &bare, NULL));
    snSurfaceJob job = job_of(&s);
    uint64_t reference = run_hash(&s, &job);
    job.plan = bare;
    assert_int_equal(sn_surface_run(&job), SN_RESULT_INVALID_ARGUMENT);
    job.normals = s.normals;
    assert_true(run_hash(&s, &job) == reference);
    job.normals = NULL;
    job.out_normals = NULL;
    snVec3* points = filled(s.count * sizeof *points);
    job.points = points;
    assert_ok(sn_surface_run(&job));
    assert_memory_equal(points, s.out, s.count * sizeof *points);
    free(points);
    sn_surface_plan_destroy(bare);
    def = (snSurfacePlanDef){.lattice = s.lattice};
    assert_ok(sn_surface_plan_create(&def, NULL, &bare, NULL));
    snSurfaceJob nothing = {.plan = bare};
    assert_ok(sn_surface_run(&nothing));
    sn_surface_plan_destroy(bare);
    scene_destroy(&s);
}

static snResult build(const snAllocator* allocator, void* context) {
    const Scene* s = context;
    snSurfacePlanDef def = {s->lattice, s->count, s->points, s->normals};
    snSurfacePlan* plan = NULL;
    snResult result = sn_surface_plan_create(&def, allocator, &plan, NULL);
    if (result == SN_RESULT_OK) sn_surface_plan_destroy(plan);
    return result;
}

static void survives_every_failing_allocation(void** state) {
    (void)state;
    Scene s = scene_create(1000, 0);
    test_every_allocation(build, &s);
    scene_destroy(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(affine_maps_are_reproduced),
        cmocka_unit_test(rigid_motion_commutes),
        cmocka_unit_test(distance_costs_one_rounding),
        cmocka_unit_test(normals_match_finite_differences),
        cmocka_unit_test(hopeless_cells_keep_the_normals),
        cmocka_unit_test(size_does_not_matter),
        cmocka_unit_test(displacing_a_trilinear_skin_equals_hanging),
        cmocka_unit_test(nothing_added_changes_nothing),
        cmocka_unit_test(offsets_move_vertices_in_the_rest_space),
        cmocka_unit_test(lanes_of_one_cell_and_of_many_agree),
        cmocka_unit_test(every_level_and_worker_count_gives_the_same_bits),
        cmocka_unit_test(defs_are_checked),
        cmocka_unit_test(jobs_are_checked),
        cmocka_unit_test(survives_every_failing_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
