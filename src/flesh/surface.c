// The surface plan: vertices sorted by cell and packed into blocks of 16 lanes, and the run over them.
//
// A block belongs to one cell, whose coefficients are then made once and spread over the lanes. What a cell
// has left after its last whole block gets a block with spare lanes, or, when it is little, goes into blocks
// of mixed cells, where every lane fetches its own corners.
#include "base/error.h"
#include "base/memory.h"
#include "flesh/surface_kernels.h"

#define GRAIN 128 // blocks per task
// Vertices from which a cell's remainder is worth a block of its own: measured, a mixed block costs twice as
// much as a shared one.
#define FEW 8

// ------------------------------------------------------------------------------------------------- create

typedef struct Builder {
    const snSurfacePlanDef* def;
    const snAllocator* memory;
    snSurfacePlan* plan;
    uint32_t* starts; // of each cell of the lattice in `sorted`, and the end
    uint32_t* sorted; // vertices by cell, then by index
    uint32_t mixed;   // vertices in blocks of mixed cells
    uint32_t block;   // next to be filled
} Builder;

static uint32_t cell_of(const snSurfacePlanDef* def, uint32_t vertex) {
    return def->lattice->point_cells[def->vertex_points[vertex]];
}

static snResult check_def(const snSurfacePlanDef* def, snError* error) {
    if (def == NULL || def->lattice == NULL || (def->vertex_count > 0 && def->vertex_points == NULL))
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a lattice and points of it are needed");
    for (uint32_t v = 0; v < def->vertex_count; v++) {
        if (def->vertex_points[v] >= def->lattice->point_count) {
            return sni_fail_vertex(error, SN_RESULT_BAD_DATA, v, "vertex %u is point %u, expected below %u",
                                   v, def->vertex_points[v], def->lattice->point_count);
        }
        if (def->normals != NULL && !sn_vec3_finite(def->normals[v])) {
            return sni_fail_vertex(error, SN_RESULT_BAD_DATA, v, "the normal of vertex %u is not finite", v);
        }
    }
    return SN_RESULT_OK;
}

// A counting sort.
static bool sort_by_cell(Builder* b) {
    const snSurfacePlanDef* def = b->def;
    b->starts = SNI_NEW_ARRAY(b->memory, uint32_t, (size_t)def->lattice->cell_count + 1);
    b->sorted = SNI_NEW_ARRAY(b->memory, uint32_t, def->vertex_count);
    if (b->starts == NULL || b->sorted == NULL) return false;
    for (uint32_t v = 0; v < def->vertex_count; v++) b->starts[cell_of(def, v) + 1]++;
    for (uint32_t c = 0; c < def->lattice->cell_count; c++) b->starts[c + 1] += b->starts[c];
    for (uint32_t v = 0; v < def->vertex_count; v++) b->sorted[b->starts[cell_of(def, v)]++] = v;
    for (uint32_t c = def->lattice->cell_count; c > 0; c--) b->starts[c] = b->starts[c - 1];
    b->starts[0] = 0;
    return true;
}

// How many of a cell's vertices go into blocks of its own.
static uint32_t shared_of(uint32_t count) {
    uint32_t rest = count % SNI_SURFACE_BLOCK;
    return rest < FEW ? count - rest : count;
}

static uint32_t blocks_of(uint32_t count) {
    return count / SNI_SURFACE_BLOCK + (count % SNI_SURFACE_BLOCK != 0);
}

static void count_blocks(Builder* b) {
    snSurfacePlan* plan = b->plan;
    for (uint32_t c = 0; c < b->def->lattice->cell_count; c++) {
        uint32_t count = b->starts[c + 1] - b->starts[c];
        plan->cell_count += count > 0;
        plan->shared_count += blocks_of(shared_of(count));
        b->mixed += count - shared_of(count);
    }
    plan->block_count = plan->shared_count + blocks_of(b->mixed);
}

static bool allocate_plan(const Builder* b) {
    snSurfacePlan* plan = b->plan;
    size_t lanes = (size_t)plan->block_count * SNI_SURFACE_BLOCK;
    size_t mixed_lanes = (size_t)(plan->block_count - plan->shared_count) * SNI_SURFACE_BLOCK;
    plan->cells = sni_alloc_array(b->memory, plan->cell_count, sizeof *plan->cells);
    plan->bases = sni_alloc_array(b->memory, plan->cell_count, sizeof *plan->bases);
    plan->blocks = SNI_NEW_ARRAY(b->memory, sniSurfaceBlock, plan->block_count);
    plan->lane_cells = SNI_NEW_ARRAY(b->memory, uint32_t, mixed_lanes);
    plan->index = SNI_NEW_ARRAY(b->memory, uint32_t, lanes);
    plan->coords = sni_alloc_array(b->memory, lanes, 3 * sizeof(float));
    if (b->def->normals != NULL) plan->normals = sni_alloc_array(b->memory, lanes, 3 * sizeof(float));
    return plan->cells != NULL && plan->bases != NULL && plan->blocks != NULL && plan->lane_cells != NULL &&
           plan->index != NULL && plan->coords != NULL && (plan->normals != NULL || b->def->normals == NULL);
}

static void set_lane(float* lanes, uint32_t lane, snVec3 v) {
    lanes[lane] = v.x;
    lanes[lane + SNI_SURFACE_BLOCK] = v.y;
    lanes[lane + 2 * SNI_SURFACE_BLOCK] = v.z;
}

static void write_block(Builder* b, uint32_t cell, const uint32_t* vertices, uint32_t count) {
    snSurfacePlan* plan = b->plan;
    const snSurfacePlanDef* def = b->def;
    size_t first = (size_t)b->block * SNI_SURFACE_BLOCK;
    sniSurfaceBlock block = {cell, (uint8_t)count, count == SNI_SURFACE_BLOCK};
    for (uint32_t lane = 0; lane < SNI_SURFACE_BLOCK; lane++) {
        uint32_t v = vertices[lane < count ? lane : count - 1];
        plan->index[first + lane] = v;
        block.contiguous = block.contiguous && v == vertices[0] + lane;
        set_lane(plan->coords + 3 * first, lane, def->lattice->point_coords[def->vertex_points[v]]);
        if (plan->normals != NULL) set_lane(plan->normals + 3 * first, lane, def->normals[v]);
    }
    plan->blocks[b->block++] = block;
}

// Writes the shared blocks, and gathers at the front of `sorted`, still by cell, what they leave.
static void write_shared(Builder* b, uint32_t* plan_cells) {
    snSurfacePlan* plan = b->plan;
    uint32_t left = 0, cell = 0;
    for (uint32_t c = 0; c < b->def->lattice->cell_count; c++) {
        uint32_t begin = b->starts[c], end = b->starts[c + 1];
        if (begin == end) continue;
        memcpy(plan->cells[cell], b->def->lattice->cell_particles[c], sizeof plan->cells[cell]);
        const uint16_t *at = b->def->lattice->cells[c], *first = b->def->lattice->particles[0];
        for (int k = 0; k < 3; k++) plan->bases[cell][k] = (float)(at[k] - first[k]);
        plan->bases[cell][3] = 0.0f;
        uint32_t shared = shared_of(end - begin);
        for (uint32_t i = 0; i < shared; i += SNI_SURFACE_BLOCK) {
            uint32_t count = shared - i < SNI_SURFACE_BLOCK ? shared - i : SNI_SURFACE_BLOCK;
            write_block(b, cell, b->sorted + begin + i, count);
        }
        for (uint32_t i = begin + shared; i < end; i++) {
            plan_cells[left] = cell;
            b->sorted[left++] = b->sorted[i];
        }
        cell++;
    }
}

static void write_mixed(Builder* b, const uint32_t* plan_cells) {
    snSurfacePlan* plan = b->plan;
    for (uint32_t i = 0; i < b->mixed; i += SNI_SURFACE_BLOCK) {
        uint32_t count = b->mixed - i < SNI_SURFACE_BLOCK ? b->mixed - i : SNI_SURFACE_BLOCK;
        for (uint32_t lane = 0; lane < SNI_SURFACE_BLOCK; lane++)
            plan->lane_cells[i + lane] = plan_cells[i + (lane < count ? lane : count - 1)];
        write_block(b, SN_NONE, b->sorted + i, count);
    }
}

static bool fill_plan(Builder* b) {
    if (!sort_by_cell(b)) return false;
    count_blocks(b);
    if (!allocate_plan(b)) return false;
    uint32_t* plan_cells = SNI_NEW_ARRAY(b->memory, uint32_t, b->mixed);
    if (plan_cells == NULL) return false;
    write_shared(b, plan_cells);
    write_mixed(b, plan_cells);
    sni_free(b->memory, plan_cells);
    return true;
}

// Scaling by powers of two rounds nothing.
static void set_scale(snSurfacePlan* plan, float cell_size) {
    int exponent = 0;
    frexpf(cell_size, &exponent);
    exponent = exponent < -100 ? -100 : exponent > 100 ? 100 : exponent;
    plan->metres = ldexpf(1.0f, exponent);
    plan->per_metre = ldexpf(1.0f, -exponent);
    plan->coords_per_metre = 1.0f / cell_size;
}

snResult sn_surface_plan_create(const snSurfacePlanDef* def, const snAllocator* allocator,
                                snSurfacePlan** out, snError* error) {
    if (out == NULL) return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "an output is needed");
    SNI_TRY(check_def(def, error));
    snAllocator memory = sni_allocator(allocator);
    snSurfacePlan* plan = SNI_NEW(&memory, snSurfacePlan);
    if (plan == NULL) return sni_fail_memory(error);
    plan->allocator = memory;
    plan->vertex_count = def->vertex_count;
    set_scale(plan, def->lattice->cell_size);
    Builder b = {.def = def, .memory = &memory, .plan = plan};
    bool filled = fill_plan(&b);
    sni_free(&memory, b.starts);
    sni_free(&memory, b.sorted);
    if (!filled) {
        sn_surface_plan_destroy(plan);
        return sni_fail_memory(error);
    }
    *out = plan;
    return SN_RESULT_OK;
}

void sn_surface_plan_destroy(snSurfacePlan* plan) {
    if (plan == NULL) return;
    snAllocator memory = plan->allocator;
    void* arrays[] = {plan->cells, plan->bases,  plan->blocks,  plan->lane_cells,
                      plan->index, plan->coords, plan->normals, plan};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(&memory, arrays[i]);
}

// ---------------------------------------------------------------------------------------------------- run

static SNI_DEFINE_KERNELS_OF(kernels_of, sni_surface_kernels, sniSurfaceKernels);
static SNI_DEFINE_KERNELS_OF(smooth_kernels_of, sni_surface_smooth_kernels, sniSurfaceKernels);

typedef struct Run {
    const sniSurfaceKernels* kernels;
    const snSurfaceJob* job;
} Run;

static void surface_task(void* context, uint32_t begin, uint32_t end, uint32_t worker) {
    (void)worker;
    const Run* run = context;
    run->kernels->run(run->job, begin, end);
}

typedef struct SkinnedTask {
    const sniSurfaceKernels* kernels;
    sniSkinnedRun run;
} SkinnedTask;

static void skinned_task(void* context, uint32_t begin, uint32_t end, uint32_t worker) {
    (void)worker;
    const SkinnedTask* task = context;
    task->kernels->run_skinned(&task->run, begin, end);
}

snResult sni_surface_run_skinned(const snSurfaceJob* job, const snSkinPlanJob* skin, bool dual) {
    const sniSurfaceKernels* kernels = smooth_kernels_of(job->level);
    if (kernels == NULL) return SN_RESULT_UNSUPPORTED;
    SkinnedTask task = {kernels, {job, dual ? sni_plan_dual_run(skin) : (sniPlanDualRun){.job = skin}}};
    sn_tasks_run(job->tasks, skinned_task, &task, job->plan->block_count, GRAIN);
    return SN_RESULT_OK;
}

snResult sn_surface_run(const snSurfaceJob* job) {
    if (job == NULL || job->plan == NULL) return SN_RESULT_INVALID_ARGUMENT;
    if (job->plan->vertex_count == 0) return SN_RESULT_OK;
    bool normals =
        job->skin != NULL ? job->out_normals != NULL : job->normals != NULL || job->plan->normals != NULL;
    if (job->particles == NULL || job->points == NULL || (job->out_normals != NULL) != normals)
        return SN_RESULT_INVALID_ARGUMENT;
    Run run = {job->maps != NULL ? smooth_kernels_of(job->level) : kernels_of(job->level), job};
    if (run.kernels == NULL) return SN_RESULT_UNSUPPORTED;
    sn_tasks_run(job->tasks, surface_task, &run, job->plan->block_count, GRAIN);
    return SN_RESULT_OK;
}
