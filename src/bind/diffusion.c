// Diffusion: one system, solved for many joints.
//
// A fine mesh has hundreds of points between two joints, so a system is solved with the help of ever smaller
// ones of groups of points (coarse.h). The smallest is solved first; its answer is where the next one starts
// from, and says which points a joint can reach at all. On the way they all serve the solver as its levels
// (base/sparse.h).
#include "base/error.h"
#include "base/memory.h"
#include "base/progress.h"
#include "bind/coarse.h"

#define LANES SNI_SOLVE_LANES
// The numbers below decide how long it takes. What a point keeps in the end are its SNI_TOP largest weights;
// of a group, too, only those are known, so a joint that is none of them there, or has less than this, has
// nothing on the points around it.
#define LEAST_WEIGHT 1e-5f
// Systems that are not larger than this are solved as a whole for every joint.
#define WHOLE 3000
#define MOST_STEPS 500

// A system and the smaller ones that help.
typedef struct Hierarchy {
    const sniDiffusion* diffusion;
    uint32_t count;                     // levels; the first is the system itself
    sniCoarse coarse[SNI_SOLVE_LEVELS]; // those after the first
    uint32_t joint_count;               // that have a source anywhere
    uint32_t* joints;
    uint32_t* places; // per joint of the diffusion: its place in `joints`, or SN_NONE
} Hierarchy;

static const sniLaplacian* laplacian_of(const Hierarchy* h, uint32_t level) {
    return level == 0 ? h->diffusion->laplacian : &h->coarse[level].laplacian;
}
static const double* holds_of(const Hierarchy* h, uint32_t level) {
    return level == 0 ? h->diffusion->holds : h->coarse[level].holds;
}
static const sniSources* sources_of(const Hierarchy* h, uint32_t level) {
    return level == 0 ? h->diffusion->sources : &h->coarse[level].sources;
}

// The part of a level that a block of joints can reach; beyond it their weights are zero.
typedef struct Part {
    uint32_t count;
    uint32_t* rows;   // in the whole level
    uint32_t* locals; // per row of the whole level: row here, or SN_NONE
    double *holds, *values;
    uint32_t *starts, *columns;
    sniLevel level;
    uint32_t* of; // per row: that of the next level
} Part;

// One block of joints at work, in memory of its own.
typedef struct Slot {
    Part parts[SNI_SOLVE_LEVELS];
    double* vectors; // rhs, x, scratch
    sniSolved solved;
} Slot;

// Joints are solved in blocks of eight, and as many blocks at a time as there are workers. Results are handed
// on block after block, so their order does not depend on the workers.
typedef struct Wave {
    const Hierarchy* hierarchy;
    uint32_t level;       // that is solved
    const sniTop* guess;  // of the next one; NULL on the last
    uint32_t first_block; // of this wave
    Slot* slots;
} Wave;

// The lane of a joint in the block whose first place is given, or LANES or more when it is not in it.
static uint32_t lane_of(const Wave* wave, uint32_t joint, uint32_t first) {
    return wave->hierarchy->places[joint] - first; // those below `first` wrap around
}

// ----------------------------------------------------------------------------------------------- parts

// Whether a row hears a joint of the block itself.
static bool is_source(const Wave* wave, const sniSources* sources, uint32_t row, uint32_t first) {
    for (uint32_t e = sources->starts[row]; e < sources->starts[row + 1]; e++) {
        if (lane_of(wave, sources->joints[e], first) < LANES) return true;
    }
    return false;
}

// Whether a joint of the block is felt in a group.
static bool is_felt(const Wave* wave, uint32_t group, uint32_t first) {
    size_t at = (size_t)group * SNI_TOP;
    for (size_t k = at; k < at + SNI_TOP && wave->guess->weights[k] >= LEAST_WEIGHT; k++) {
        if (lane_of(wave, wave->guess->joints[k], first) < LANES) return true;
    }
    return false;
}

// Numbers the rows that are marked; the others have SN_NONE.
static void number_rows(Part* part, uint32_t rows) {
    part->count = 0;
    for (uint32_t i = 0; i < rows; i++) {
        if (part->locals[i] == SN_NONE) continue;
        part->locals[i] = part->count;
        part->rows[part->count++] = i;
    }
}

static void choose_first(const Wave* wave, uint32_t first, Slot* slot) {
    const Hierarchy* h = wave->hierarchy;
    const sniSources* sources = sources_of(h, wave->level);
    Part* part = &slot->parts[wave->level];
    uint32_t rows = laplacian_of(h, wave->level)->count;
    if (wave->guess == NULL || rows <= WHOLE) {
        for (uint32_t i = 0; i < rows; i++) part->locals[i] = 0;
    } else {
        const uint32_t* of = h->coarse[wave->level + 1].of;
        uint32_t* felt = slot->parts[wave->level + 1].locals;
        for (uint32_t g = 0; g < wave->guess->count; g++) felt[g] = is_felt(wave, g, first) ? 0 : SN_NONE;
        for (uint32_t i = 0; i < rows; i++) {
            part->locals[i] = felt[of[i]] == 0 || is_source(wave, sources, i, first) ? 0 : SN_NONE;
        }
    }
    number_rows(part, rows);
}

static void choose_rows(const Wave* wave, uint32_t first, Slot* slot) {
    const Hierarchy* h = wave->hierarchy;
    choose_first(wave, first, slot);
    for (uint32_t k = wave->level + 1; k < h->count; k++) {
        Part *part = &slot->parts[k], *finer = &slot->parts[k - 1];
        const uint32_t* of = h->coarse[k].of;
        uint32_t rows = laplacian_of(h, k)->count;
        for (uint32_t i = 0; i < rows; i++) part->locals[i] = SN_NONE;
        for (uint32_t r = 0; r < finer->count; r++) part->locals[of[finer->rows[r]]] = 0;
        number_rows(part, rows);
        for (uint32_t r = 0; r < finer->count; r++) finer->of[r] = part->locals[of[finer->rows[r]]];
    }
}

static sniMatrix matrix_of(const Part* part) {
    return (sniMatrix){part->count, part->holds, part->starts, part->columns, part->values};
}

static void cut(const sniLaplacian* l, const double* holds, Part* part) {
    uint32_t entries = 0;
    part->starts[0] = 0;
    for (uint32_t r = 0; r < part->count; r++) {
        uint32_t i = part->rows[r];
        double hold = holds[i];
        for (uint32_t e = l->starts[i]; e < l->starts[i + 1]; e++) {
            uint32_t column = part->locals[l->columns[e]];
            if (column == SN_NONE) {
                hold += l->values[e]; // what lies beyond the part has no weight, and holds the row to that
            } else if (l->values[e] > 0.0) {
                part->columns[entries] = column;
                part->values[entries++] = l->values[e];
            }
        }
        part->holds[r] = hold;
        part->starts[r + 1] = entries;
    }
    sniMatrix matrix = matrix_of(part);
    sni_level_fill(&part->level, &matrix);
    part->level.of = part->of;
}

// ------------------------------------------------------------------------------------------------ blocks

// The right-hand sides H p of one block. The first guess is that of the groups, or p itself.
static void fill_block(const Wave* wave, uint32_t first, const Part* part, double* rhs, double* x) {
    const Hierarchy* h = wave->hierarchy;
    const sniSources* sources = sources_of(h, wave->level);
    const double* holds = holds_of(h, wave->level);
    memset(rhs, 0, (size_t)part->count * LANES * sizeof *rhs);
    memset(x, 0, (size_t)part->count * LANES * sizeof *x);
    for (uint32_t r = 0; r < part->count; r++) {
        uint32_t i = part->rows[r], lane;
        size_t at = (size_t)r * LANES;
        for (uint32_t e = sources->starts[i]; e < sources->starts[i + 1]; e++) {
            if ((lane = lane_of(wave, sources->joints[e], first)) >= LANES) continue;
            rhs[at + lane] += holds[i] * (double)sources->values[e];
            if (wave->guess == NULL) x[at + lane] += (double)sources->values[e];
        }
        if (wave->guess == NULL) continue;
        size_t from = (size_t)h->coarse[wave->level + 1].of[i] * SNI_TOP;
        for (size_t k = from; k < from + SNI_TOP && wave->guess->weights[k] > 0.0f; k++) {
            if ((lane = lane_of(wave, wave->guess->joints[k], first)) >= LANES) continue;
            x[at + lane] = (double)wave->guess->weights[k];
        }
    }
}

static double* x_of(const Wave* wave, const Slot* slot) {
    return slot->vectors + (size_t)slot->parts[wave->level].count * LANES;
}

static void solve_block(const Wave* wave, uint32_t block, Slot* slot) {
    const Hierarchy* h = wave->hierarchy;
    Part* part = &slot->parts[wave->level];
    sniLevel levels[SNI_SOLVE_LEVELS];
    choose_rows(wave, block * LANES, slot);
    for (uint32_t k = wave->level; k < h->count; k++) {
        Part* p = &slot->parts[k];
        cut(laplacian_of(h, k), holds_of(h, k), p);
        levels[k - wave->level] = p->level;
    }
    double *rhs = slot->vectors, *x = x_of(wave, slot);
    fill_block(wave, block * LANES, part, rhs, x);
    sniMatrix matrix = matrix_of(part);
    sniSolve solve = {.matrix = &matrix,
                      .levels = levels,
                      .level_count = h->count - wave->level,
                      .rhs = rhs,
                      .x = x,
                      .scratch = x + (size_t)part->count * LANES,
                      .tolerance = h->diffusion->tolerance,
                      .max_iterations = MOST_STEPS};
    slot->solved = sni_solve(&solve, h->diffusion->level);
}

static void solve_blocks(void* context, uint32_t begin, uint32_t end, uint32_t worker) {
    const Wave* wave = context;
    (void)worker;
    for (uint32_t b = begin; b < end; b++) solve_block(wave, wave->first_block + b, &wave->slots[b]);
}

static void collect_block(const Wave* wave, uint32_t block, const Slot* slot, sniTop* top) {
    const Hierarchy* h = wave->hierarchy;
    const Part* part = &slot->parts[wave->level];
    uint32_t first = block * LANES, left = h->joint_count - first;
    const double* x = x_of(wave, slot);
    for (uint32_t r = 0; r < part->count; r++) {
        for (uint32_t k = 0; k < LANES && k < left; k++) {
            sni_top_add(top, part->rows[r], h->joints[first + k], (float)x[(size_t)r * LANES + k]);
        }
    }
}

// `begin` to `end`: the share of the diffusion that this level has.
static snResult run_waves(Wave* wave, uint32_t together, float begin, float end, sniTop* top, sniSolved* out,
                          snError* error) {
    const sniDiffusion* diffusion = wave->hierarchy->diffusion;
    uint32_t blocks = (wave->hierarchy->joint_count + LANES - 1) / LANES;
    *out = (sniSolved){0, 0.0};
    for (uint32_t b = 0; b < blocks; b += together) {
        float share = begin + (end - begin) * (float)b / (float)blocks;
        SNI_TRY(sni_progress(&diffusion->progress, "weights", share, error));
        uint32_t count = blocks - b < together ? blocks - b : together;
        wave->first_block = b;
        sn_tasks_run(diffusion->tasks, solve_blocks, wave, count, 1);
        for (uint32_t i = 0; i < count; i++) {
            const Slot* slot = &wave->slots[i];
            collect_block(wave, b + i, slot, top);
            if (slot->solved.residual > out->residual) out->residual = slot->solved.residual;
            if (slot->solved.iterations > out->iterations) out->iterations = slot->solved.iterations;
        }
    }
    return SN_RESULT_OK;
}

// ------------------------------------------------------------------------------------------------- slots

static bool create_part(const sniLaplacian* l, const snAllocator* memory, Part* part) {
    size_t rows = l->count, edges = l->starts[l->count];
    part->rows = SNI_NEW_ARRAY(memory, uint32_t, rows);
    part->locals = SNI_NEW_ARRAY(memory, uint32_t, rows);
    part->holds = SNI_NEW_ARRAY(memory, double, rows);
    part->starts = SNI_NEW_ARRAY(memory, uint32_t, rows + 1);
    part->columns = SNI_NEW_ARRAY(memory, uint32_t, edges);
    part->values = SNI_NEW_ARRAY(memory, double, edges);
    part->of = SNI_NEW_ARRAY(memory, uint32_t, rows);
    return sni_level_create(l->count, edges, memory, &part->level) && part->rows != NULL &&
           part->locals != NULL && part->holds != NULL && part->starts != NULL && part->columns != NULL &&
           part->values != NULL && part->of != NULL;
}

static void free_part(const snAllocator* memory, Part* part) {
    sni_free(memory, part->rows);
    sni_free(memory, part->locals);
    sni_free(memory, part->holds);
    sni_free(memory, part->starts);
    sni_free(memory, part->columns);
    sni_free(memory, part->values);
    sni_level_free(&part->level, memory);
    sni_free(memory, part->of);
}

static bool create_slot(const Hierarchy* h, const snAllocator* memory, Slot* slot) {
    sniLevel levels[SNI_SOLVE_LEVELS] = {{0}};
    for (uint32_t k = 0; k < h->count; k++) {
        levels[k].count = laplacian_of(h, k)->count;
        if (!create_part(laplacian_of(h, k), memory, &slot->parts[k])) return false;
    }
    size_t rows = (size_t)levels[0].count * LANES;
    slot->vectors = SNI_NEW_ARRAY(memory, double, rows * 2 + sni_solve_scratch(levels, h->count));
    return slot->vectors != NULL;
}

static void free_slot(const snAllocator* memory, Slot* slot) {
    for (uint32_t k = 0; k < SNI_SOLVE_LEVELS; k++) free_part(memory, &slot->parts[k]);
    sni_free(memory, slot->vectors);
}

// ------------------------------------------------------------------------------------------------- whole

static bool is_tied(const sniLaplacian* l, const double* holds, uint32_t i) {
    double sum = 0.0;
    for (uint32_t e = l->starts[i]; e < l->starts[i + 1]; e++) sum += l->values[e];
    return sum > holds[i];
}

static bool any_tied(const sniLaplacian* l, const double* holds) {
    bool any = false;
    for (uint32_t i = 0; i < l->count && !any; i++) any = is_tied(l, holds, i);
    return any;
}

// Ever smaller systems, until every point holds to its own more than to others: a sweep or two solve that.
static snResult create_levels(Hierarchy* h, const snAllocator* memory, snError* error) {
    bool smaller = true;
    for (h->count = 1; h->count < SNI_SOLVE_LEVELS && smaller; h->count += smaller) {
        uint32_t last = h->count - 1;
        const sniLaplacian* l = laplacian_of(h, last);
        if (!any_tied(l, holds_of(h, last))) break;
        SNI_TRY(sni_coarse_create(l, holds_of(h, last), sources_of(h, last), h->diffusion->joint_count,
                                  memory, &h->coarse[h->count], error));
        smaller = h->coarse[h->count].laplacian.count < l->count;
        if (!smaller) sni_coarse_free(&h->coarse[h->count]);
    }
    return SN_RESULT_OK;
}

// Numbers joints limb by limb, children after their parents: a block of joints that lie near each other
// reaches fewer points than one that is spread over the body. `sizes` is scratch, all 0.
static void order_joints(const uint32_t* parents, uint32_t count, uint32_t* sizes, uint32_t* order) {
    uint32_t root = 0;
    for (uint32_t j = count; j-- > 0;) {
        sizes[j]++;
        if (parents[j] != SN_NONE) sizes[parents[j]] += sizes[j];
    }
    for (uint32_t j = 0; j < count; j++) {
        uint32_t* next = parents[j] == SN_NONE ? &root : &sizes[parents[j]];
        uint32_t size = sizes[j];
        order[*next] = j;
        sizes[j] = *next + 1; // from here on: where its next child goes
        *next += size;
    }
}

static snResult list_joints(Hierarchy* h, const snAllocator* memory, snError* error) {
    const sniSources* sources = h->diffusion->sources;
    uint32_t count = h->diffusion->joint_count;
    h->joints = SNI_NEW_ARRAY(memory, uint32_t, count);
    h->places = SNI_NEW_ARRAY(memory, uint32_t, count);
    if (h->joints == NULL || h->places == NULL) return sni_fail_memory(error);
    order_joints(h->diffusion->parents, count, h->places, h->joints);
    for (uint32_t j = 0; j < count; j++) h->places[j] = SN_NONE;
    for (uint32_t e = 0; e < sources->starts[h->diffusion->laplacian->count]; e++) {
        h->places[sources->joints[e]] = 0;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t joint = h->joints[i];
        if (h->places[joint] == SN_NONE) continue;
        h->places[joint] = h->joint_count;
        h->joints[h->joint_count++] = joint;
    }
    return SN_RESULT_OK;
}

// From the smallest system to the whole one, which takes most of the time.
static snResult climb(Wave* wave, uint32_t together, const snAllocator* memory, sniTop* top,
                      sniSolved* solved, snError* error) {
    sniTop guess = {0};
    snResult result = SN_RESULT_OK;
    for (uint32_t k = wave->hierarchy->count - 1; k > 0 && result == SN_RESULT_OK; k--) {
        sniTop answer = {0};
        wave->level = k;
        result = sni_top_create(laplacian_of(wave->hierarchy, k)->count, memory, &answer, error);
        if (result == SN_RESULT_OK) {
            float end = k == 1 ? 0.2f : 0.0f;
            result = run_waves(wave, together, 0.0f, end, &answer, solved, error);
        }
        sni_top_free(&guess);
        guess = answer;
        wave->guess = &guess;
    }
    wave->level = 0;
    if (result == SN_RESULT_OK) result = run_waves(wave, together, 0.2f, 1.0f, top, solved, error);
    wave->guess = NULL;
    sni_top_free(&guess);
    return result;
}

static snResult solve_all(const Hierarchy* h, const snAllocator* memory, sniTop* top, sniSolved* solved,
                          snError* error) {
    const snTasks* tasks = h->diffusion->tasks;
    uint32_t blocks = (h->joint_count + LANES - 1) / LANES;
    uint32_t workers = tasks != NULL && tasks->enqueue != NULL ? tasks->workers : 1;
    uint32_t together = workers < blocks ? workers : blocks;
    Wave wave = {.hierarchy = h, .slots = SNI_NEW_ARRAY(memory, Slot, together)};
    bool enough = wave.slots != NULL;
    for (uint32_t i = 0; i < together && enough; i++) enough = create_slot(h, memory, &wave.slots[i]);
    snResult result = enough ? climb(&wave, together, memory, top, solved, error) : sni_fail_memory(error);
    for (uint32_t i = 0; wave.slots != NULL && i < together; i++) free_slot(memory, &wave.slots[i]);
    sni_free(memory, wave.slots);
    return result;
}

snResult sni_diffuse(const sniDiffusion* diffusion, const snAllocator* allocator, sniTop* top,
                     sniSolved* solved, snError* error) {
    Hierarchy hierarchy = {.diffusion = diffusion};
    snResult result = list_joints(&hierarchy, allocator, error);
    *solved = (sniSolved){0, 0.0};
    if (result == SN_RESULT_OK) result = create_levels(&hierarchy, allocator, error);
    if (result == SN_RESULT_OK && hierarchy.joint_count > 0)
        result = solve_all(&hierarchy, allocator, top, solved, error);
    for (uint32_t k = 1; k < SNI_SOLVE_LEVELS; k++) sni_coarse_free(&hierarchy.coarse[k]);
    sni_free(allocator, hierarchy.joints);
    sni_free(allocator, hierarchy.places);
    return result;
}
