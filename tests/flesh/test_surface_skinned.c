// Vertices that are skinned on their way into the lattice, against the two stages one after the other.
#include <stdlib.h>
#include <string.h>

#include "flesh/surface_kernels.h"
#include "sinew/bind.h"
#include "sinew/builtin.h"
#include "support.h"

#define MOST_JOINTS 64

typedef struct Scene {
    snModel* model;
    uint32_t vertices, particles, joints;
    snSurfacePlan* surface;
    snParticleMaps* maps;
    snSkinPlan *sorted, *given;
    snMat4 matrices[MOST_JOINTS];
    snVec4 *skin, *moved;
    snMat4* map;
    void* scratch;
} Scene;

static void* room(size_t bytes) {
    void* memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
    assert_non_null(memory);
    return memory;
}

static void make_plans(Scene* s) {
    const snPart* part = &s->model->parts[0];
    const snBinding* binding = s->model->binding;
    snVec3* normals = room(s->vertices * sizeof *normals);
    snNormalsJob job = {.mesh = part->mesh, .out_normals = normals};
    sn_normals_run(&job);
    snSurfacePlanDef surface = {binding->lattice, s->vertices, binding->vertex_points, normals};
    assert_ok(sn_surface_plan_create(&surface, NULL, &s->surface, NULL));
    assert_ok(sn_particle_maps_create(binding->lattice, NULL, &s->maps, NULL));
    snSkinPlanDef def = {.point_count = s->vertices,
                         .points = part->mesh->positions,
                         .normals = normals,
                         .influences = part->weights.influences,
                         .joints = part->weights.joints,
                         .weights = part->weights.weights,
                         .matrix_count = s->joints};
    snAllocator memory = sn_allocator_default();
    assert_ok(sn_skin_plan_create(&def, NULL, &s->sorted, NULL));
    assert_ok(
        sni_skin_plan_create_in(&def, s->surface->index, s->surface->block_count, &memory, &s->given, NULL));
    assert_int_equal(s->given->block_count, s->surface->block_count);
    free(normals);
}

// Every joint turns by itself; `stretch` scales them, too.
static void pose(Scene* s, float stretch) {
    for (uint32_t j = 0; j < s->joints; j++) {
        snQuat turn = sn_quat_axis_angle(sn_vec3(1, (float)j, 2), 0.05f * (float)(j % 7));
        snTrs trs = {sn_vec3(0.01f * (float)j, 0, 0), turn, sn_vec3(1, 1 + stretch, 1)};
        s->matrices[j] = sn_mat4_from_trs(&trs);
    }
}

static Scene scene_create(void) {
    Scene s = {0};
    snBodyDef body = sn_body_def();
    body.vertex_target = 4000;
    assert_ok(sn_builtin_body(&body, NULL, &s.model, NULL));
    snBindDef bind = sn_bind_def();
    bind.method = SN_WEIGHTS_KEEP;
    bind.cells = 24;
    assert_ok(sn_model_bind(s.model, &bind, NULL, NULL));
    const snLattice* lattice = s.model->binding->lattice;
    s.vertices = s.model->parts[0].mesh->vertex_count;
    s.particles = lattice->particle_count;
    s.joints = s.model->skins[0].joint_count;
    assert_true(s.joints <= MOST_JOINTS);
    s.skin = room(s.particles * sizeof *s.skin);
    s.moved = room(s.particles * sizeof *s.moved);
    s.map = room(s.particles * sizeof *s.map);
    s.scratch = room(sn_skin_dual_scratch_size(s.joints));
    for (uint32_t p = 0; p < s.particles; p++) {
        snVec3 at = lattice->rest[p];
        s.skin[p] = (snVec4){at.x, at.y + 0.1f * at.x, at.z, 0.0f};
        s.moved[p] = (snVec4){at.x + 0.02f * sn_sin(9.0f * at.y), at.y + 0.1f * at.x, at.z, 0.0f};
    }
    make_plans(&s);
    return s;
}

static void scene_destroy(Scene* s) {
    sn_surface_plan_destroy(s->surface);
    sn_particle_maps_destroy(s->maps);
    sn_skin_plan_destroy(s->sorted);
    sn_skin_plan_destroy(s->given);
    sn_model_destroy(s->model);
    free(s->skin);
    free(s->moved);
    free(s->map);
    free(s->scratch);
}

// Both stages, or one that does both.
static uint64_t run_hash(Scene* s, bool dual, bool at_once, snCpuLevel level, const snTasks* tasks) {
    snVec3 *points = room(s->vertices * sizeof *points), *normals = room(s->vertices * sizeof *normals);
    snParticleMapsJob maps = {
        .maps = s->maps, .particles = s->moved, .skin = s->skin, .out = s->map, .level = level};
    assert_ok(sn_particle_maps_run(&maps));
    snSkinPlanJob skin = {.plan = at_once ? s->given : s->sorted,
                          .matrices = s->matrices,
                          .out_points = points,
                          .out_normals = normals,
                          .scratch = s->scratch,
                          .level = level};
    snSurfaceJob job = {.plan = s->surface,
                        .particles = s->moved,
                        .skin = s->skin,
                        .maps = s->map,
                        .points = points,
                        .out_normals = normals,
                        .tasks = tasks,
                        .level = level};
    if (at_once) {
        assert_ok(sni_surface_run_skinned(&job, &skin, dual));
    } else {
        assert_ok(dual ? sn_skin_plan_dual_run(&skin) : sn_skin_plan_run(&skin));
        assert_ok(sn_surface_run(&job));
    }
    uint64_t hash = sn_hash_bytes(SN_HASH_SEED, points, s->vertices * sizeof *points);
    hash = sn_hash_bytes(hash, normals, s->vertices * sizeof *normals);
    free(points);
    free(normals);
    return hash;
}

static void both_at_once_give_the_bits_of_one_after_the_other(void** state) {
    (void)state;
    Scene s = scene_create();
    for (int kind = 0; kind < 4; kind++) {
        bool dual = (kind & 1) != 0;
        pose(&s, (kind & 2) != 0 ? 0.25f : 0.0f);
        uint64_t reference = run_hash(&s, dual, false, SN_CPU_SCALAR, NULL);
        for (int level = SN_CPU_AUTO; level < SN_CPU_LEVEL_COUNT; level++) {
            if (!sn_cpu_level_available((snCpuLevel)level)) continue;
            snPool* pool = NULL;
            assert_ok(sn_pool_create(1 + (uint32_t)level, &pool));
            snTasks tasks = sn_pool_tasks(pool);
            assert_true(run_hash(&s, dual, true, (snCpuLevel)level, &tasks) == reference);
            sn_pool_destroy(pool);
        }
    }
    scene_destroy(&s);
}

static void a_block_of_too_many_joints_is_refused(void** state) {
    (void)state;
    enum { INFLUENCES = 8 };
    snVec3 points[SNI_BLOCK] = {{0, 0, 0}};
    uint32_t index[SNI_BLOCK];
    uint16_t joints[SNI_BLOCK * INFLUENCES];
    float weights[SNI_BLOCK * INFLUENCES];
    for (uint16_t i = 0; i < SNI_BLOCK * INFLUENCES; i++) joints[i] = i, weights[i] = 1.0f / INFLUENCES;
    for (uint32_t i = 0; i < SNI_BLOCK; i++) index[i] = i;
    snSkinPlanDef def = {.point_count = SNI_BLOCK,
                         .points = points,
                         .influences = INFLUENCES,
                         .joints = joints,
                         .weights = weights,
                         .matrix_count = SNI_BLOCK * INFLUENCES};
    snAllocator memory = sn_allocator_default();
    snSkinPlan* plan = NULL;
    assert_int_equal(sni_skin_plan_create_in(&def, index, 1, &memory, &plan, NULL), SN_RESULT_UNSUPPORTED);
    assert_null(plan);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_at_once_give_the_bits_of_one_after_the_other),
        cmocka_unit_test(a_block_of_too_many_joints_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
