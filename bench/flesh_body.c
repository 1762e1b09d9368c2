#include "flesh_body.h"

#include <stdlib.h>
#include <string.h>

#define STEP (1.0f / 60.0f)
#define LIMIT 0.05f // metres

snCpuLevel flesh_level = SN_CPU_AUTO;

// ------------------------------------------------------------------------------------------------- create

static snResult make_model(const FleshBodyDef* def, FleshBody* body) {
    snBodyDef shape = sn_body_def();
    shape.vertex_target = def->vertices;
    snResult result = sn_builtin_body(&shape, NULL, &body->model, NULL);
    if (result != SN_RESULT_OK) return result;
    snBindDef bind = sn_bind_def();
    bind.method = SN_WEIGHTS_KEEP;
    bind.cells = def->cells;
    return sn_model_bind(body->model, &bind, NULL, NULL);
}

static bool allocate(FleshBody* body) {
    size_t particles = body->particles, vertices = body->vertices;
    body->matrices = calloc((size_t)FLESH_FRAMES * body->joints, sizeof(snMat4));
    body->skin_matrices = calloc((size_t)FLESH_FRAMES * body->skin_joints, sizeof(snMat4));
    body->normals = calloc(vertices, sizeof(snVec3));
    body->out_points = calloc(vertices, sizeof(snVec3));
    body->out_normals = calloc(vertices, sizeof(snVec3));
    body->material_floats = calloc(5 * particles, sizeof(float));
    body->primary = bench_room(particles * sizeof(snVec4));
    body->pushes = bench_room(particles * sizeof(snVec4));
    body->shown = bench_room(particles * sizeof(snVec4));
    body->rotations = bench_room(particles * sizeof(snMat3));
    body->particle_maps = bench_room(particles * sizeof(snMat4));
    // Displaced before the first frame: by nothing.
    if (body->primary != NULL) memset(body->primary, 0, particles * sizeof(snVec4));
    if (body->shown != NULL) memset(body->shown, 0, particles * sizeof(snVec4));
    body->dual_scratch = bench_room(sn_skin_dual_scratch_size(body->skin_joints));
    return body->matrices != NULL && body->skin_matrices != NULL && body->normals != NULL &&
           body->out_points != NULL && body->out_normals != NULL && body->material_floats != NULL &&
           body->primary != NULL && body->pushes != NULL && body->shown != NULL && body->rotations != NULL &&
           body->particle_maps != NULL && body->dual_scratch != NULL;
}

// Flesh all through: no particle is spared.
static void fill_material(FleshBody* body) {
    size_t count = body->particles;
    float* f = body->material_floats;
    body->material = (snFleshMaterial){f, f + count, f + 2 * count, f + 3 * count, f + 4 * count};
    for (size_t p = 0; p < count; p++) {
        body->material.deltas[p] = 0.8f;
        body->material.alphas[p] = 0.8f;
        body->material.dampings[p] = 6.0f;
        body->material.forces[p] = 1.0f;
    }
}

static snResult fill_matrices(FleshBody* body) {
    const snModel* model = body->model;
    const snBinding* binding = model->binding;
    const snSkin* skin = &model->skins[model->parts[0].skin];
    snTrs* locals = calloc(model->skeleton->joint_count, sizeof *locals);
    snMat4* world = calloc(model->skeleton->joint_count, sizeof *world);
    for (uint32_t f = 0; f < FLESH_FRAMES && locals != NULL && world != NULL; f++) {
        memcpy(locals, model->skeleton->rest, model->skeleton->joint_count * sizeof *locals);
        sn_clip_sample(model->clips[0], STEP * (float)f, SN_WRAP_LOOP, model->skeleton->joint_count, locals);
        sn_skeleton_world(model->skeleton, locals, world);
        for (uint32_t j = 0; j < body->joints; j++) {
            snMat4 inverse = sn_mat4_identity();
            sn_mat4_inverse_affine(&binding->binds[j], &inverse);
            body->matrices[f * body->joints + j] = sn_mat4_mul(&world[binding->joints[j]], &inverse);
        }
        for (uint32_t j = 0; j < body->skin_joints; j++) {
            body->skin_matrices[f * body->skin_joints + j] =
                sn_mat4_mul(&world[skin->joints[j]], &skin->inverse_binds[j]);
        }
    }
    snResult result = locals != NULL && world != NULL ? SN_RESULT_OK : SN_RESULT_OUT_OF_MEMORY;
    free(locals);
    free(world);
    return result;
}

static snResult make_regions(FleshBody* body, uint8_t width, const snAllocator* memory) {
    const snBinding* binding = body->model->binding;
    uint8_t* widths = malloc(body->particles);
    snRegions* regions = NULL;
    if (widths == NULL) return SN_RESULT_OUT_OF_MEMORY;
    memset(widths, width, body->particles);
    snFleshDef def = {binding, widths};
    snResult result = sn_regions_create(binding->lattice, widths, NULL, &regions, NULL);
    if (result == SN_RESULT_OK) {
        body->region_mean = (double)regions->starts[body->particles] / body->particles;
        sn_regions_destroy(regions);
        result = sn_flesh_create(&def, memory, &body->flesh, NULL);
    }
    free(widths);
    return result;
}

static snResult make_plans(FleshBody* body, uint8_t width) {
    const snPart* part = &body->model->parts[0];
    const snBinding* binding = body->model->binding;
    snNormalsJob normals = {.mesh = part->mesh, .out_normals = body->normals};
    sn_normals_run(&normals);
    body->budget = sn_budget(NULL, SIZE_MAX);
    snAllocator memory = sn_budget_allocator(&body->budget);
    snResult result = sn_lattice_skin_create(binding, 2, &memory, &body->skin, NULL);
    if (result == SN_RESULT_OK) result = sn_part_volume_create(binding, &memory, &body->volume, NULL);
    if (result == SN_RESULT_OK) result = make_regions(body, width, &memory);
    snSurfacePlanDef surface = {binding->lattice, body->vertices, binding->vertex_points, body->normals};
    if (result == SN_RESULT_OK) result = sn_surface_plan_create(&surface, &memory, &body->surface, NULL);
    if (result == SN_RESULT_OK)
        result = sn_particle_maps_create(binding->lattice, &memory, &body->maps, NULL);
    body->static_bytes = body->budget.used;
    snSkinPlanDef plan = {
        .point_count = body->vertices,
        .points = part->mesh->positions,
        .normals = body->normals,
        .influences = part->weights.influences,
        .joints = part->weights.joints,
        .weights = part->weights.weights,
        .matrix_count = body->skin_joints,
    };
    return result == SN_RESULT_OK ? sn_skin_plan_create(&plan, NULL, &body->plan, NULL) : result;
}

static size_t largest(size_t a, size_t b) { return a > b ? a : b; }

snResult flesh_body_create(const FleshBodyDef* def, FleshBody* body) {
    *body = (FleshBody){0};
    snResult result = make_model(def, body);
    if (result != SN_RESULT_OK) return result;
    const snBinding* binding = body->model->binding;
    body->vertices = body->model->parts[0].mesh->vertex_count;
    body->particles = binding->lattice->particle_count;
    body->cells = binding->lattice->cell_count;
    body->joints = binding->joint_count;
    body->skin_joints = body->model->skins[body->model->parts[0].skin].joint_count;
    if (!allocate(body)) return SN_RESULT_OUT_OF_MEMORY;
    fill_material(body);
    result = fill_matrices(body);
    if (result == SN_RESULT_OK) result = make_plans(body, def->width);
    if (result != SN_RESULT_OK) return result;
    body->scratch = bench_room(
        largest(sn_flesh_scratch_size(body->flesh), largest(sn_part_volume_scratch_size(body->volume),
                                                            sn_lattice_skin_scratch_size(body->skin))));
    return body->scratch != NULL ? SN_RESULT_OK : SN_RESULT_OUT_OF_MEMORY;
}

void flesh_body_destroy(FleshBody* body) {
    sn_lattice_skin_destroy(body->skin);
    sn_part_volume_destroy(body->volume);
    sn_flesh_destroy(body->flesh);
    sn_surface_plan_destroy(body->surface);
    sn_particle_maps_destroy(body->maps);
    sn_skin_plan_destroy(body->plan);
    sn_model_destroy(body->model);
    void* arrays[] = {body->matrices,     body->skin_matrices,   body->normals, body->out_points,
                      body->out_normals,  body->material_floats, body->primary, body->pushes,
                      body->shown,        body->rotations,       body->scratch, body->dual_scratch,
                      body->particle_maps};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) free(arrays[i]);
}

// ------------------------------------------------------------------------------------------------- frames

snResult flesh_run_create(FleshBody* body, snFleshRest rest, uint32_t sweeps, FleshRun* out) {
    *out = (FleshRun){.body = body, .rest = rest, .sweeps = sweeps};
    return sn_flesh_state_create(body->flesh, NULL, &out->state, NULL);
}

void flesh_run_destroy(FleshRun* run) { sn_flesh_state_destroy(run->state); }

static void skin(FleshRun* run) {
    FleshBody* body = run->body;
    snLatticeSkinJob job = {.skin = body->skin,
                            .matrices = body->matrices + (size_t)run->frame * body->joints,
                            .out_points = body->primary,
                            .out_pushes = body->pushes,
                            .out_rotations = body->rotations,
                            .scratch = body->scratch,
                            .level = flesh_level};
    sn_lattice_skin_run(&job);
}

static void keep_volume(FleshRun* run) {
    FleshBody* body = run->body;
    snPartVolumeJob job = {.volume = body->volume,
                           .sweeps = run->sweeps,
                           .pushes = body->pushes,
                           .points = body->primary,
                           .scratch = body->scratch,
                           .level = flesh_level};
    sn_part_volume_run(&job);
}

// Runs every pass here and notes how long it took: a step hands its passes over one after the other.
typedef struct Stopwatch {
    uint32_t pass;
    double seconds[8];
} Stopwatch;

static void* run_pass(void* user, snTaskFn* task, void* context, uint32_t count, uint32_t grain) {
    Stopwatch* watch = user;
    double start = bench_seconds();
    snTasks serial = {0};
    sn_tasks_run(&serial, task, context, count, grain);
    if (watch->pass < 8) watch->seconds[watch->pass++] = bench_seconds() - start;
    return NULL;
}

static void finish_pass(void* user, void* handle) { (void)user, (void)handle; }

static void step(FleshRun* run, Stopwatch* watch) {
    FleshBody* body = run->body;
    snTasks tasks = {run_pass, finish_pass, watch, 2};
    snFleshJob job = {.flesh = body->flesh,
                      .material = &body->material,
                      .rest = run->rest,
                      .step = STEP,
                      .delta_scale = 1.0f,
                      .limit = LIMIT,
                      .gravity = {0.0f, -9.81f, 0.0f},
                      .primary = body->primary,
                      .rotations = body->rotations,
                      .state = run->state,
                      .scratch = body->scratch,
                      .tasks = &tasks,
                      .level = flesh_level};
    sn_flesh_step(&job, NULL);
}

static void show(FleshRun* run) {
    FleshBody* body = run->body;
    snFleshShowJob job = {.flesh = body->flesh,
                          .material = &body->material,
                          .delta_scale = 1.0f,
                          .limit = LIMIT,
                          .state = run->state,
                          .blend = 1.0f,
                          .primary = body->primary,
                          .out_points = body->shown,
                          .level = flesh_level};
    sn_flesh_show(&job);
}

static void hang(FleshRun* run) {
    FleshBody* body = run->body;
    snSurfaceJob job = {.plan = body->surface,
                        .particles = body->shown,
                        .points = body->out_points,
                        .out_normals = body->out_normals,
                        .level = flesh_level};
    sn_surface_run(&job);
}

// The stages that are functions of their own; FLESH_POINTS stands for the step.
static void run_stage(FleshRun* run, FleshStage stage, Stopwatch* watch) {
    switch (stage) {
    case FLESH_SKIN:
        skin(run);
        break;
    case FLESH_VOLUME:
        keep_volume(run);
        break;
    case FLESH_POINTS:
        step(run, watch);
        break;
    case FLESH_SHOW:
        show(run);
        break;
    case FLESH_SURFACE:
        hang(run);
        break;
    default:
        break;
    }
}

__attribute__((noinline)) void bench_counted_stage(FleshRun* run, FleshStage stage, Stopwatch* watch);
void bench_counted_stage(FleshRun* run, FleshStage stage, Stopwatch* watch) { run_stage(run, stage, watch); }

void flesh_run_frame(FleshRun* run, FleshStage counted, double* seconds) {
    static const FleshStage stages[] = {FLESH_SKIN, FLESH_VOLUME, FLESH_POINTS, FLESH_SHOW, FLESH_SURFACE};
    for (size_t i = 0; i < sizeof stages / sizeof stages[0]; i++) {
        Stopwatch watch = {0};
        if (stages[i] == FLESH_POINTS && run->state->fresh) sn_flesh_reset(run->state, run->body->primary);
        double start = bench_seconds();
        if (stages[i] == counted)
            bench_counted_stage(run, stages[i], &watch);
        else
            run_stage(run, stages[i], &watch);
        double taken = bench_seconds() - start;
        if (stages[i] != FLESH_POINTS) seconds[stages[i]] += taken;
        // What a step does between its passes goes to the last of them.
        for (uint32_t pass = 0; pass < watch.pass && stages[i] == FLESH_POINTS; pass++) {
            seconds[FLESH_POINTS + pass] += watch.seconds[pass];
            taken -= watch.seconds[pass];
        }
        if (stages[i] == FLESH_POINTS) seconds[FLESH_INTEGRATE] += taken;
    }
    run->frame = (run->frame + 1) % FLESH_FRAMES;
}

// --------------------------------------------------------------------------------------------- plain skins

static snSkinJob plain_job(FleshBody* body, uint32_t frame) {
    const snPart* part = &body->model->parts[0];
    return (snSkinJob){.point_count = body->vertices,
                       .points = part->mesh->positions,
                       .normals = body->normals,
                       .influences = part->weights.influences,
                       .joints = part->weights.joints,
                       .weights = part->weights.weights,
                       .matrix_count = body->skin_joints,
                       .matrices = body->skin_matrices + (size_t)frame * body->skin_joints,
                       .out_points = body->out_points,
                       .out_normals = body->out_normals,
                       .scratch = body->dual_scratch,
                       .level = flesh_level};
}

void flesh_body_linear(FleshBody* body, uint32_t frame) {
    snSkinJob job = plain_job(body, frame);
    sn_skin_linear_run(&job);
}

void flesh_body_dual(FleshBody* body, uint32_t frame) {
    snSkinJob job = plain_job(body, frame);
    sn_skin_dual_run(&job);
}

static snSkinPlanJob plan_job(FleshBody* body, uint32_t frame) {
    return (snSkinPlanJob){.plan = body->plan,
                           .matrices = body->skin_matrices + (size_t)frame * body->skin_joints,
                           .out_points = body->out_points,
                           .out_normals = body->out_normals,
                           .scratch = body->dual_scratch,
                           .level = flesh_level};
}

void flesh_body_plan(FleshBody* body, uint32_t frame) {
    snSkinPlanJob job = plan_job(body, frame);
    sn_skin_plan_run(&job);
}

void flesh_body_dual_plan(FleshBody* body, uint32_t frame) {
    snSkinPlanJob job = plan_job(body, frame);
    sn_skin_plan_dual_run(&job);
}

static void map_particles(FleshBody* body, const snVec4* skin) {
    snParticleMapsJob job = {.maps = body->maps,
                             .particles = body->shown,
                             .skin = skin,
                             .out = body->particle_maps,
                             .level = flesh_level};
    sn_particle_maps_run(&job);
}

void flesh_body_displace(FleshBody* body, bool smooth) {
    if (smooth) map_particles(body, body->primary);
    snSurfaceJob job = {.plan = body->surface,
                        .particles = body->shown,
                        .skin = body->primary,
                        .maps = smooth ? body->particle_maps : NULL,
                        .points = body->out_points,
                        .out_normals = body->out_normals,
                        .level = flesh_level};
    sn_surface_run(&job);
}

void flesh_body_hang_smooth(FleshBody* body) {
    map_particles(body, NULL);
    snSurfaceJob job = {.plan = body->surface,
                        .particles = body->shown,
                        .maps = body->particle_maps,
                        .points = body->out_points,
                        .out_normals = body->out_normals,
                        .level = flesh_level};
    sn_surface_run(&job);
}

BenchScene flesh_body_scene(FleshBody* body, uint32_t frame) {
    const snPart* part = &body->model->parts[0];
    return (BenchScene){.vertices = body->vertices,
                        .influences = part->weights.influences,
                        .points = part->mesh->positions,
                        .normals = body->normals,
                        .skin_joints = part->weights.joints,
                        .weights = part->weights.weights,
                        .matrices = body->skin_matrices + (size_t)frame * body->skin_joints,
                        .out_points = body->out_points,
                        .out_normals = body->out_normals};
}
