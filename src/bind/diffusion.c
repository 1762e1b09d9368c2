// Diffusion: one system, solved for many joints.
//
// Conjugate gradients carry a weight one point a step, and a fine mesh has hundreds of points between two
// joints. So large systems are solved together with a smaller one of groups of points (coarse.h): it gives
// the first guess, and after every few steps takes out of the error what is smooth.
#include "base/error.h"
#include "base/memory.h"
#include "base/progress.h"
#include "bind/coarse.h"

#define LANES SNI_SOLVE_LANES
// The numbers below decide how long it takes; systems are solved to the same tolerance whatever they are.

// Systems larger than this get groups.
#define LARGE 20000
// A joint whose weight is below this in a group has none on the points around it: the tolerance of the
// solver.
#define LEAST_WEIGHT 1e-6f
#define CYCLE_STEPS 16
#define MOST_CYCLES 40
#define MOST_STEPS 2000
// The groups only help; a correction need not be accurate.
#define GROUP_TOLERANCE 1e-2

// The part of a system that a block of joints can reach; beyond it their weights are zero.
typedef struct Part {
    uint32_t count;
    uint32_t* rows;   // in the whole system
    uint32_t* locals; // per row of the whole system: row here, or SN_NONE
    double* diagonal;
    uint32_t* starts;
    uint32_t* columns;
    double* values;
    double* vectors; // rhs, x, scratch
} Part;

// One block of joints at work, in memory of its own.
typedef struct Slot {
    Part points, groups;
    sniSolved solved;
} Slot;

// Joints are solved in blocks of eight, and as many blocks at a time as there are workers. Results are handed
// on block after block, so their order does not depend on the workers.
typedef struct Wave {
    const sniDiffusion* diffusion;
    const sniCoarse* coarse; // NULL: the system is small
    const sniTop* guess;     // of the groups
    uint32_t first_block;    // of this wave
    Slot* slots;
} Wave;

static bool in_block(uint32_t joint, uint32_t first) {
    return joint - first < LANES; // those below `first` wrap around
}

// ----------------------------------------------------------------------------------------------- parts

static bool is_reached(const Wave* wave, uint32_t row, uint32_t first) {
    const sniSources* sources = wave->diffusion->sources;
    if (wave->coarse == NULL) return true;
    for (uint32_t e = sources->starts[row]; e < sources->starts[row + 1]; e++) {
        if (in_block(sources->joints[e], first)) return true;
    }
    size_t at = (size_t)wave->coarse->of[row] * SNI_TOP;
    for (size_t k = at; k < at + SNI_TOP && wave->guess->weights[k] >= LEAST_WEIGHT; k++) {
        if (in_block(wave->guess->joints[k], first)) return true;
    }
    return false;
}

static void add_row(Part* part, uint32_t row) {
    part->locals[row] = part->count;
    part->rows[part->count++] = row;
}

static void choose_rows(const Wave* wave, uint32_t first, Slot* slot) {
    uint32_t count = wave->diffusion->laplacian->count;
    slot->points.count = slot->groups.count = 0;
    for (uint32_t g = 0; wave->coarse != NULL && g < wave->coarse->laplacian.count; g++) {
        slot->groups.locals[g] = SN_NONE;
    }
    for (uint32_t i = 0; i < count; i++) {
        slot->points.locals[i] = SN_NONE;
        if (!is_reached(wave, i, first)) continue;
        add_row(&slot->points, i);
        if (wave->coarse != NULL && slot->groups.locals[wave->coarse->of[i]] == SN_NONE)
            add_row(&slot->groups, wave->coarse->of[i]);
    }
}

static void cut(const sniLaplacian* l, const double* holds, Part* part) {
    uint32_t entries = 0;
    part->starts[0] = 0;
    for (uint32_t r = 0; r < part->count; r++) {
        uint32_t i = part->rows[r];
        part->diagonal[r] = holds[i];
        for (uint32_t e = l->starts[i]; e < l->starts[i + 1]; e++) {
            part->diagonal[r] += l->values[e];
            if (part->locals[l->columns[e]] == SN_NONE) continue;
            part->columns[entries] = part->locals[l->columns[e]];
            part->values[entries++] = l->values[e];
        }
        part->starts[r + 1] = entries;
    }
}

static double* rhs_of(const Part* part) { return part->vectors; }
static double* x_of(const Part* part) { return part->vectors + (size_t)part->count * LANES; }

static sniSolved solve_part(const Wave* wave, const Part* part, double tolerance, uint32_t steps) {
    sniMatrix matrix = {part->count, part->diagonal, part->starts, part->columns, part->values};
    sniSolve solve = {.matrix = &matrix,
                      .rhs = rhs_of(part),
                      .x = x_of(part),
                      .scratch = part->vectors + 2 * (size_t)part->count * LANES,
                      .tolerance = tolerance,
                      .max_iterations = steps};
    return sni_solve(&solve, wave->diffusion->level);
}

// ------------------------------------------------------------------------------------------------ blocks

// The right-hand sides H p of one block. The first guess is that of the groups, or p itself.
static void fill_block(const Wave* wave, uint32_t first, const Part* part) {
    const sniSources* sources = wave->diffusion->sources;
    double *rhs = rhs_of(part), *x = x_of(part);
    memset(rhs, 0, 2 * (size_t)part->count * LANES * sizeof *rhs);
    for (uint32_t r = 0; r < part->count; r++) {
        uint32_t i = part->rows[r];
        size_t at = (size_t)r * LANES;
        for (uint32_t e = sources->starts[i]; e < sources->starts[i + 1]; e++) {
            if (!in_block(sources->joints[e], first)) continue;
            uint32_t lane = sources->joints[e] - first;
            rhs[at + lane] += wave->diffusion->holds[i] * (double)sources->values[e];
            if (wave->coarse == NULL) x[at + lane] += (double)sources->values[e];
        }
        if (wave->coarse == NULL) continue;
        size_t from = (size_t)wave->coarse->of[i] * SNI_TOP;
        for (size_t k = from; k < from + SNI_TOP && wave->guess->weights[k] > 0.0f; k++) {
            if (!in_block(wave->guess->joints[k], first)) continue;
            x[at + wave->guess->joints[k] - first] = (double)wave->guess->weights[k];
        }
    }
}

// What is missing at the points, summed over each group.
static void gather_residual(const Wave* wave, const Slot* slot) {
    const Part *points = &slot->points, *groups = &slot->groups;
    const double *rhs = rhs_of(points), *x = x_of(points);
    memset(rhs_of(groups), 0, 2 * (size_t)groups->count * LANES * sizeof(double));
    for (uint32_t r = 0; r < points->count; r++) {
        double missing[LANES];
        for (size_t k = 0; k < LANES; k++) {
            missing[k] = rhs[(size_t)r * LANES + k] - points->diagonal[r] * x[(size_t)r * LANES + k];
        }
        for (uint32_t e = points->starts[r]; e < points->starts[r + 1]; e++) {
            const double* other = x + (size_t)points->columns[e] * LANES;
            for (size_t k = 0; k < LANES; k++) missing[k] += points->values[e] * other[k];
        }
        uint32_t group = groups->locals[wave->coarse->of[points->rows[r]]];
        double* sum = rhs_of(groups) + (size_t)group * LANES;
        for (size_t k = 0; k < LANES; k++) sum[k] += missing[k];
    }
}

static void spread_correction(const Wave* wave, const Slot* slot) {
    const Part *points = &slot->points, *groups = &slot->groups;
    double* x = x_of(points);
    for (uint32_t r = 0; r < points->count; r++) {
        uint32_t group = groups->locals[wave->coarse->of[points->rows[r]]];
        const double* correction = x_of(groups) + (size_t)group * LANES;
        for (size_t k = 0; k < LANES; k++) x[(size_t)r * LANES + k] += correction[k];
    }
}

static void solve_block(const Wave* wave, uint32_t block, Slot* slot) {
    uint32_t first = block * LANES, steps = 0;
    double tolerance = wave->diffusion->tolerance;
    bool done = false;
    choose_rows(wave, first, slot);
    cut(wave->diffusion->laplacian, wave->diffusion->holds, &slot->points);
    if (wave->coarse != NULL) cut(&wave->coarse->laplacian, wave->coarse->holds, &slot->groups);
    fill_block(wave, first, &slot->points);
    for (int cycle = 0; cycle < MOST_CYCLES && wave->coarse != NULL && !done; cycle++) {
        slot->solved = solve_part(wave, &slot->points, tolerance, CYCLE_STEPS);
        steps += slot->solved.iterations;
        done = slot->solved.residual <= tolerance;
        if (done) break;
        gather_residual(wave, slot);
        solve_part(wave, &slot->groups, GROUP_TOLERANCE, MOST_STEPS);
        spread_correction(wave, slot);
    }
    if (!done) slot->solved = solve_part(wave, &slot->points, tolerance, MOST_STEPS);
    slot->solved.iterations += done ? steps - slot->solved.iterations : steps;
}

static void solve_blocks(void* context, uint32_t begin, uint32_t end, uint32_t worker) {
    const Wave* wave = context;
    (void)worker;
    for (uint32_t b = begin; b < end; b++) solve_block(wave, wave->first_block + b, &wave->slots[b]);
}

static void collect_block(const Wave* wave, uint32_t block, const Part* part, sniTop* top) {
    uint32_t first = block * LANES, left = wave->diffusion->joint_count - first;
    const double* x = x_of(part);
    for (uint32_t r = 0; r < part->count; r++) {
        for (uint32_t k = 0; k < LANES && k < left; k++) {
            sni_top_add(top, part->rows[r], first + k, (float)x[(size_t)r * LANES + k]);
        }
    }
}

static snResult run_waves(Wave* wave, uint32_t blocks, uint32_t together, sniTop* top, sniSolved* out,
                          snError* error) {
    for (uint32_t b = 0; b < blocks; b += together) {
        SNI_TRY(sni_progress(&wave->diffusion->progress, "weights", (float)b / (float)blocks, error));
        uint32_t count = blocks - b < together ? blocks - b : together;
        wave->first_block = b;
        sn_tasks_run(wave->diffusion->tasks, solve_blocks, wave, count, 1);
        for (uint32_t i = 0; i < count; i++) {
            const Slot* slot = &wave->slots[i];
            collect_block(wave, b + i, &slot->points, top);
            if (slot->solved.residual > out->residual) out->residual = slot->solved.residual;
            if (slot->solved.iterations > out->iterations) out->iterations = slot->solved.iterations;
        }
    }
    return SN_RESULT_OK;
}

// ------------------------------------------------------------------------------------------------- whole

static bool create_part(const sniLaplacian* l, const snAllocator* memory, Part* part) {
    size_t rows = l->count, edges = l->starts[l->count];
    part->rows = SNI_NEW_ARRAY(memory, uint32_t, rows);
    part->locals = SNI_NEW_ARRAY(memory, uint32_t, rows);
    part->diagonal = SNI_NEW_ARRAY(memory, double, rows);
    part->starts = SNI_NEW_ARRAY(memory, uint32_t, rows + 1);
    part->columns = SNI_NEW_ARRAY(memory, uint32_t, edges);
    part->values = SNI_NEW_ARRAY(memory, double, edges);
    part->vectors = SNI_NEW_ARRAY(memory, double, rows* LANES * 2 + sni_solve_scratch(l->count));
    return part->rows != NULL && part->locals != NULL && part->diagonal != NULL && part->starts != NULL &&
           part->columns != NULL && part->values != NULL && part->vectors != NULL;
}

static void free_part(const snAllocator* memory, Part* part) {
    sni_free(memory, part->rows);
    sni_free(memory, part->locals);
    sni_free(memory, part->diagonal);
    sni_free(memory, part->starts);
    sni_free(memory, part->columns);
    sni_free(memory, part->values);
    sni_free(memory, part->vectors);
}

static bool create_slot(const Wave* wave, const snAllocator* memory, Slot* slot) {
    return create_part(wave->diffusion->laplacian, memory, &slot->points) &&
           (wave->coarse == NULL || create_part(&wave->coarse->laplacian, memory, &slot->groups));
}

static snResult solve_all(Wave* wave, const snAllocator* memory, sniTop* top, sniSolved* solved,
                          snError* error) {
    const sniDiffusion* diffusion = wave->diffusion;
    uint32_t blocks = (diffusion->joint_count + LANES - 1) / LANES;
    uint32_t workers =
        diffusion->tasks != NULL && diffusion->tasks->enqueue != NULL ? diffusion->tasks->workers : 1;
    uint32_t together = workers < blocks ? workers : blocks;
    wave->slots = SNI_NEW_ARRAY(memory, Slot, together);
    if (wave->slots == NULL) return sni_fail_memory(error);
    bool enough = true;
    for (uint32_t i = 0; i < together && enough; i++) enough = create_slot(wave, memory, &wave->slots[i]);
    *solved = (sniSolved){0, 0.0};
    snResult result = enough ? run_waves(wave, blocks, together, top, solved, error) : sni_fail_memory(error);
    for (uint32_t i = 0; i < together; i++) {
        free_part(memory, &wave->slots[i].points);
        free_part(memory, &wave->slots[i].groups);
    }
    sni_free(memory, wave->slots);
    return result;
}

// Solves the groups of a large system, where they are fewer than the points by enough to help.
static snResult solve_groups(Wave* wave, const snAllocator* memory, sniCoarse* coarse, sniTop* guess,
                             snError* error) {
    const sniDiffusion* diffusion = wave->diffusion;
    snResult result = sni_coarse_create(diffusion->laplacian, diffusion->holds, diffusion->sources,
                                        diffusion->joint_count, memory, coarse, error);
    if (result != SN_RESULT_OK || coarse->laplacian.count > diffusion->laplacian->count / 2) return result;
    result = sni_top_create(coarse->laplacian.count, memory, guess, error);
    if (result != SN_RESULT_OK) return result;
    sniDiffusion smaller = *diffusion;
    sniSolved solved;
    smaller.laplacian = &coarse->laplacian;
    smaller.holds = coarse->holds;
    smaller.sources = &coarse->sources;
    smaller.progress = (snProgress){0}; // it is done before the first share of the whole
    wave->coarse = coarse;
    wave->guess = guess;
    return sni_diffuse(&smaller, memory, guess, &solved, error);
}

snResult sni_diffuse(const sniDiffusion* diffusion, const snAllocator* allocator, sniTop* top,
                     sniSolved* solved, snError* error) {
    Wave wave = {.diffusion = diffusion};
    sniCoarse coarse = {0};
    sniTop guess = {0};
    snResult result = SN_RESULT_OK;
    if (diffusion->laplacian->count > LARGE) result = solve_groups(&wave, allocator, &coarse, &guess, error);
    if (result == SN_RESULT_OK) result = solve_all(&wave, allocator, top, solved, error);
    sni_coarse_free(&coarse);
    sni_top_free(&guess);
    return result;
}
