// Surfaces that are smooth across cells: a tube in a lattice, bent so that the right answer is known.
#include <stdlib.h>
#include <string.h>

#include "support.h"

#define RINGS 400
#define AROUND 16
#define RADIUS 0.5f
#define LENGTH 6.0f
#define VERTICES (RINGS * AROUND)
#define BEND_ANGLE 2.2689280f // 130 degrees
#define BEND 1.5f             // metres that bend: three cells

typedef struct Scene {
    snLattice* lattice;
    snSurfacePlan* plan;
    snParticleMaps* maps;
    uint32_t* points;
    snVec3 *positions, *normals, *out, *out_normals;
    snVec4 *particles, *skin;
    snMat4* map;
} Scene;

static void* filled(size_t bytes) {
    void* memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
    assert_non_null(memory);
    memset(memory, 0xff, bytes); // NaN: what is not written shows
    return memory;
}

static uint32_t* make_tube(Scene* s) {
    uint32_t* triangles = filled((size_t)(RINGS - 1) * AROUND * 6 * sizeof *triangles);
    for (uint32_t v = 0; v < VERTICES; v++) {
        float turn = 6.2831853f * (float)(v % AROUND) / AROUND;
        s->normals[v] = sn_vec3(sn_cos(turn), 0, sn_sin(turn));
        s->positions[v] = sn_scale(s->normals[v], RADIUS);
        s->positions[v].y = LENGTH * ((float)(v / AROUND) / (RINGS - 1) - 0.5f);
        s->points[v] = v;
    }
    for (uint32_t v = 0; v < VERTICES - AROUND; v++) {
        uint32_t next = v % AROUND + 1 < AROUND ? v + 1 : v + 1 - AROUND;
        uint32_t corners[6] = {v, v + AROUND, next, next, v + AROUND, next + AROUND};
        memcpy(triangles + 6 * (size_t)v, corners, sizeof corners);
    }
    return triangles;
}

static Scene scene_create(void) {
    Scene s = {.points = filled(VERTICES * sizeof(uint32_t)),
               .positions = filled(VERTICES * sizeof(snVec3)),
               .normals = filled(VERTICES * sizeof(snVec3)),
               .out = filled(VERTICES * sizeof(snVec3)),
               .out_normals = filled(VERTICES * sizeof(snVec3))};
    uint32_t* triangles = make_tube(&s);
    snLatticeDef def = sn_lattice_def();
    def.point_count = VERTICES;
    def.points = s.positions;
    def.triangle_count = (RINGS - 1) * AROUND * 2;
    def.triangles = triangles;
    def.cells = 12;
    assert_ok(sn_lattice_create(&def, NULL, &s.lattice, NULL));
    free(triangles);
    snSurfacePlanDef plan = {s.lattice, VERTICES, s.points, s.normals};
    assert_ok(sn_surface_plan_create(&plan, NULL, &s.plan, NULL));
    assert_ok(sn_particle_maps_create(s.lattice, NULL, &s.maps, NULL));
    s.particles = filled(s.lattice->particle_count * sizeof *s.particles);
    s.skin = filled(s.lattice->particle_count * sizeof *s.skin);
    s.map = filled(s.lattice->particle_count * sizeof *s.map);
    return s;
}

static void scene_destroy(Scene* s) {
    sn_surface_plan_destroy(s->plan);
    sn_particle_maps_destroy(s->maps);
    sn_lattice_destroy(s->lattice);
    void* arrays[] = {s->points,      s->positions, s->normals, s->out,
                      s->out_normals, s->particles, s->skin,    s->map};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) free(arrays[i]);
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
static snVec3 swayed(snVec3 p) {
    return sn_add(stretched(p), sn_vec3(0.05f * sn_sin(2 * p.y), 0.04f * sn_cos(p.x), 0.03f * sn_sin(p.z)));
}

static float bend_angle(float y) {
    return BEND_ANGLE * (sn_clampf(y, -0.5f * BEND, 0.5f * BEND) / BEND + 0.5f);
}
// The middle of the tube runs along an arc of a circle, and straight on at both ends.
static snVec3 bent(snVec3 p) {
    float angle = bend_angle(p.y), radius = BEND / BEND_ANGLE;
    float beyond = p.y - sn_clampf(p.y, -0.5f * BEND, 0.5f * BEND);
    float start = p.y < 0 ? beyond : 0, end = p.y > 0 ? beyond : 0;
    snVec3 middle = {radius * (1 - sn_cos(angle)) + end * sn_sin(angle),
                     radius * sn_sin(angle) + end * sn_cos(angle) + start, 0};
    return sn_add(middle, sn_vec3(p.x * sn_cos(angle), -p.x * sn_sin(angle), p.z));
}

static void place(const Scene* s, snVec4* particles, MapFn* map) {
    for (uint32_t i = 0; i < s->lattice->particle_count; i++) {
        snVec3 p = map(s->lattice->rest[i]);
        particles[i] = (snVec4){p.x, p.y, p.z, 0};
    }
}

static snSurfaceJob job_of(const Scene* s, bool smooth) {
    return (snSurfaceJob){.plan = s->plan,
                          .particles = s->particles,
                          .maps = smooth ? s->map : NULL,
                          .points = s->out,
                          .out_normals = s->out_normals};
}

static void run(const Scene* s, snSurfaceJob job) {
    snParticleMapsJob maps = {.maps = s->maps,
                              .particles = job.particles,
                              .skin = job.skin,
                              .out = s->map,
                              .tasks = job.tasks,
                              .level = job.level};
    assert_ok(sn_particle_maps_run(&maps));
    assert_ok(sn_surface_run(&job));
}

// -------------------------------------------------------------------------------------------- exact maps

static void affine_maps_are_reproduced(void** state) {
    (void)state;
    Scene s = scene_create();
    place(&s, s.particles, same);
    run(&s, job_of(&s, true));
    for (uint32_t v = 0; v < VERTICES; v++) {
        assert_vec3_near(s.out[v], s.positions[v], 3e-7f * LENGTH);
        assert_vec3_near(s.out_normals[v], s.normals[v], 1e-5f);
    }
    place(&s, s.particles, stretched);
    run(&s, job_of(&s, true));
    for (uint32_t v = 0; v < VERTICES; v++) {
        assert_vec3_near(s.out[v], stretched(s.positions[v]), 5e-7f * LENGTH);
        assert_vec3_near(s.out_normals[v], stretched_normal(s.normals[v]), 2e-5f);
    }
    scene_destroy(&s);
}

static void rigid_motion_commutes(void** state) {
    (void)state;
    Scene s = scene_create();
    snVec3 *moved = filled(VERTICES * sizeof *moved), *turned = filled(VERTICES * sizeof *turned);
    place(&s, s.particles, bent);
    run(&s, job_of(&s, true));
    uint32_t random = 5;
    snRigid g = {test_random_rotation(&random), sn_vec3(3, -2, 1)};
    for (uint32_t i = 0; i < s.lattice->particle_count; i++) {
        snVec3 p = sn_rigid_point(g, sn_vec3(s.particles[i].x, s.particles[i].y, s.particles[i].z));
        s.particles[i] = (snVec4){p.x, p.y, p.z, 0};
    }
    snSurfaceJob job = job_of(&s, true);
    job.points = moved;
    job.out_normals = turned;
    run(&s, job);
    for (uint32_t v = 0; v < VERTICES; v++) {
        assert_vec3_near(moved[v], sn_rigid_point(g, s.out[v]), 1e-6f * LENGTH);
        assert_vec3_near(turned[v], sn_quat_rotate(g.rotation, s.out_normals[v]), 1e-4f);
    }
    free(moved);
    free(turned);
    scene_destroy(&s);
}

// -------------------------------------------------------------------------------------------------- facets

typedef struct Facets {
    float jump;   // degrees; of the normal from one ring to the next, in the plane of the bend
    float normal; // degrees off the normals of the bent tube
    float place;  // metres off it
} Facets;

static float degrees_between(snVec3 a, snVec3 b) {
    return 2.0f * asinf(sn_minf(0.5f * sn_distance(a, b), 1.0f)) * 57.29578f;
}

static Facets facets_of(Scene* s, bool smooth) {
    place(s, s->particles, bent);
    run(s, job_of(s, smooth));
    Facets facets = {0};
    for (uint32_t v = 0; v < VERTICES; v++) {
        snVec3 n = s->normals[v];
        float angle = bend_angle(s->positions[v].y);
        snVec3 right = {n.x * sn_cos(angle), -n.x * sn_sin(angle), n.z};
        facets.normal = sn_maxf(facets.normal, degrees_between(s->out_normals[v], right));
        facets.place = sn_maxf(facets.place, sn_distance(s->out[v], bent(s->positions[v])));
        if (v >= AROUND)
            facets.jump =
                sn_maxf(facets.jump, degrees_between(s->out_normals[v], s->out_normals[v - AROUND]));
    }
    return facets;
}

// 130 degrees over three cells: rings are 1.3 degrees apart in the bend. Trilinear cells jump by many times
// that from one ring to the next; smooth ones turn at most three times as fast as the tube.
static void no_facet_where_a_tube_bends(void** state) {
    (void)state;
    Scene s = scene_create();
    float apart = 57.29578f * BEND_ANGLE * LENGTH / (RINGS - 1) / BEND;
    Facets cells = facets_of(&s, false), smooth = facets_of(&s, true);
    print_message("trilinear: jump %.2f, normals %.1f degrees, places %.4f; smooth: %.2f, %.1f, %.4f\n",
                  (double)cells.jump, (double)cells.normal, (double)cells.place, (double)smooth.jump,
                  (double)smooth.normal, (double)smooth.place);
    assert_true(cells.jump > 15.0f * apart);
    assert_true(smooth.jump < 3.0f * apart);
    assert_true(smooth.normal < cells.normal);
    assert_true(smooth.place < cells.place);
    scene_destroy(&s);
}

// Two plates nearer to one another than a cell is wide: each has cells of its own.
static void what_shares_no_cell_does_not_move(void** state) {
    (void)state;
    snVec3 points[8];
    uint32_t triangles[12] = {0, 1, 2, 1, 3, 2, 4, 5, 6, 5, 7, 6}, vertices[8];
    for (uint32_t v = 0; v < 8; v++) {
        points[v] = sn_vec3((float)(v & 1), (float)(v >> 1 & 1), 0.02f * (float)(v >> 2));
        vertices[v] = v;
    }
    snLatticeDef def = sn_lattice_def();
    def.point_count = 8;
    def.points = points;
    def.triangle_count = 4;
    def.triangles = triangles;
    def.cells = 8;
    Scene s = {0};
    assert_ok(sn_lattice_create(&def, NULL, &s.lattice, NULL));
    assert_int_equal(s.lattice->piece_count, 2);
    assert_true(s.lattice->duplicated_cell_count > 0);
    snSurfacePlanDef plan = {s.lattice, 8, vertices, NULL};
    assert_ok(sn_surface_plan_create(&plan, NULL, &s.plan, NULL));
    assert_ok(sn_particle_maps_create(s.lattice, NULL, &s.maps, NULL));
    s.particles = filled(s.lattice->particle_count * sizeof *s.particles);
    s.map = filled(s.lattice->particle_count * sizeof *s.map);
    s.out = filled(8 * sizeof *s.out);
    place(&s, s.particles, same);
    uint32_t piece = s.lattice->pieces[s.lattice->cell_particles[s.lattice->point_cells[0]][0]];
    for (uint32_t p = 0; p < s.lattice->particle_count; p++)
        if (s.lattice->pieces[p] != piece) s.particles[p].z += 1.0f;
    run(&s, job_of(&s, true));
    for (uint32_t v = 0; v < 8; v++) {
        snVec3 right = sn_vec3(points[v].x, points[v].y, points[v].z + (v < 4 ? 0.0f : 1.0f));
        assert_vec3_near(s.out[v], right, 1e-6f);
    }
    scene_destroy(&s);
}

// ------------------------------------------------------------------------------------- over another skin

static void affine_moves_are_added(void** state) {
    (void)state;
    Scene s = scene_create();
    place(&s, s.skin, stretched);
    place(&s, s.particles, same);
    for (uint32_t v = 0; v < VERTICES; v++) {
        s.out[v] = stretched(s.positions[v]);
        s.out_normals[v] = stretched_normal(s.normals[v]);
    }
    snSurfaceJob job = job_of(&s, true);
    job.skin = s.skin;
    run(&s, job);
    for (uint32_t v = 0; v < VERTICES; v++) {
        assert_vec3_near(s.out[v], s.positions[v], 2e-6f * LENGTH);
        assert_vec3_near(s.out_normals[v], s.normals[v], 5e-5f);
    }
    scene_destroy(&s);
}

static void nothing_added_changes_nothing(void** state) {
    (void)state;
    Scene s = scene_create();
    place(&s, s.particles, bent);
    memcpy(s.out, s.positions, VERTICES * sizeof *s.out);
    memcpy(s.out_normals, s.normals, VERTICES * sizeof *s.out_normals);
    snSurfaceJob job = job_of(&s, true);
    job.skin = s.particles;
    run(&s, job);
    assert_memory_equal(s.out, s.positions, VERTICES * sizeof *s.out);
    for (uint32_t v = 0; v < VERTICES; v++) assert_vec3_near(s.out_normals[v], s.normals[v], 1e-6f);
    scene_destroy(&s);
}

// A skin without volume has no slopes: points move as the particles do.
static void a_flat_skin_moves_on(void** state) {
    (void)state;
    Scene s = scene_create();
    place(&s, s.skin, same);
    for (uint32_t p = 0; p < s.lattice->particle_count; p++) {
        s.skin[p].z = 0;
        s.particles[p] = s.skin[p];
        s.particles[p].x += 2;
    }
    for (uint32_t v = 0; v < VERTICES; v++) {
        s.out[v] = s.positions[v];
        s.out[v].z = 0;
        s.out_normals[v] = s.normals[v];
    }
    snSurfaceJob job = job_of(&s, true);
    job.skin = s.skin;
    run(&s, job);
    for (uint32_t v = 0; v < VERTICES; v++) {
        assert_vec3_near(s.out[v], sn_vec3(s.positions[v].x + 2, s.positions[v].y, 0), 1e-5f);
        assert_vec3_near(s.out_normals[v], s.normals[v], 1e-5f);
    }
    scene_destroy(&s);
}

// -------------------------------------------------------------------------------------------- equal bits

static uint64_t run_hash(const Scene* s, snSurfaceJob job) {
    memcpy(s->out, s->positions, VERTICES * sizeof *s->out);
    memcpy(s->out_normals, s->normals, VERTICES * sizeof *s->out_normals);
    run(s, job);
    uint64_t hash = sn_hash_bytes(SN_HASH_SEED, s->out, VERTICES * sizeof *s->out);
    return sn_hash_bytes(hash, s->out_normals, VERTICES * sizeof *s->out_normals);
}

static void every_level_and_worker_count_gives_the_same_bits(void** state) {
    (void)state;
    Scene s = scene_create();
    place(&s, s.particles, bent);
    place(&s, s.skin, swayed);
    snVec3* offsets = filled(VERTICES * sizeof *offsets);
    for (uint32_t v = 0; v < VERTICES; v++) offsets[v] = sn_scale(s.normals[v], 0.1f);
    for (int kind = 0; kind < 8; kind++) {
        snSurfaceJob job = job_of(&s, true);
        if ((kind & 1) != 0) job.skin = s.skin;
        if ((kind & 2) != 0) job.offsets = offsets;
        job.level = SN_CPU_SCALAR;
        uint64_t reference = run_hash(&s, job);
        job.cold = (kind & 4) != 0;
        for (int level = SN_CPU_AUTO; level < SN_CPU_LEVEL_COUNT; level++) {
            job.level = (snCpuLevel)level;
            if (!sn_cpu_level_available(job.level)) continue;
            snPool* pool = NULL;
            assert_ok(sn_pool_create(1 + (uint32_t)level, &pool));
            snTasks tasks = sn_pool_tasks(pool);
            job.tasks = &tasks;
            assert_true(run_hash(&s, job) == reference);
            sn_pool_destroy(pool);
        }
    }
    free(offsets);
    scene_destroy(&s);
}

// ------------------------------------------------------------------------------------------------- errors

static void what_is_missing_is_said(void** state) {
    (void)state;
    Scene s = scene_create();
    snParticleMaps* maps = NULL;
    assert_int_equal(sn_particle_maps_create(NULL, NULL, &maps, NULL), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_particle_maps_create(s.lattice, NULL, NULL, NULL), SN_RESULT_INVALID_ARGUMENT);
    snParticleMapsJob good = {.maps = s.maps, .particles = s.particles, .out = s.map}, bad = good;
    assert_int_equal(sn_particle_maps_run(NULL), SN_RESULT_INVALID_ARGUMENT);
    bad.maps = NULL;
    assert_int_equal(sn_particle_maps_run(&bad), SN_RESULT_INVALID_ARGUMENT);
    bad = good;
    bad.particles = NULL;
    assert_int_equal(sn_particle_maps_run(&bad), SN_RESULT_INVALID_ARGUMENT);
    bad = good;
    bad.out = NULL;
    assert_int_equal(sn_particle_maps_run(&bad), SN_RESULT_INVALID_ARGUMENT);
    sn_particle_maps_destroy(NULL);
    scene_destroy(&s);
}

static snResult create(const snAllocator* memory, void* context) {
    snParticleMaps* maps = NULL;
    snResult result = sn_particle_maps_create(context, memory, &maps, NULL);
    sn_particle_maps_destroy(maps);
    return result;
}

static void survives_every_failing_allocation(void** state) {
    (void)state;
    Scene s = scene_create();
    test_every_allocation(create, s.lattice);
    scene_destroy(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(affine_maps_are_reproduced),
        cmocka_unit_test(rigid_motion_commutes),
        cmocka_unit_test(no_facet_where_a_tube_bends),
        cmocka_unit_test(what_shares_no_cell_does_not_move),
        cmocka_unit_test(affine_moves_are_added),
        cmocka_unit_test(nothing_added_changes_nothing),
        cmocka_unit_test(a_flat_skin_moves_on),
        cmocka_unit_test(every_level_and_worker_count_gives_the_same_bits),
        cmocka_unit_test(what_is_missing_is_said),
        cmocka_unit_test(survives_every_failing_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
