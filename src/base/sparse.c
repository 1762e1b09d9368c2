// Levels of the solver, and the choice of its kernel.
#include "base/sparse.h"

#include "base/memory.h"
#include "base/sparse_kernels.h"

bool sni_level_create(uint32_t rows, size_t entries, const snAllocator* allocator, sniLevel* out) {
    *out = (sniLevel){.before = SNI_NEW_ARRAY(allocator, sniTies, rows),
                      .after = SNI_NEW_ARRAY(allocator, sniTies, rows),
                      .more = SNI_NEW_ARRAY(allocator, uint32_t, 2 * (size_t)rows + 1),
                      .at = SNI_NEW_ARRAY(allocator, uint32_t, entries),
                      .values = SNI_NEW_ARRAY(allocator, float, entries),
                      .holds = SNI_NEW_ARRAY(allocator, float, rows),
                      .inverses = SNI_NEW_ARRAY(allocator, float, rows)};
    return out->before != NULL && out->after != NULL && out->more != NULL && out->at != NULL &&
           out->values != NULL && out->holds != NULL && out->inverses != NULL;
}

void sni_level_free(sniLevel* level, const snAllocator* allocator) {
    sni_free(allocator, level->before);
    sni_free(allocator, level->after);
    sni_free(allocator, level->more);
    sni_free(allocator, level->at);
    sni_free(allocator, level->values);
    sni_free(allocator, level->holds);
    sni_free(allocator, level->inverses);
    *level = (sniLevel){0};
}

// The ties of a row with rows before it, or after it; those beyond the first go to `entry` and on.
static uint32_t fill_ties(sniLevel* level, const sniMatrix* m, uint32_t row, bool before, uint32_t entry) {
    sniTies* first = before ? &level->before[row] : &level->after[row];
    uint32_t count = 0;
    // Where there is no tie, any row will do: nothing of it counts.
    for (int k = 0; k < SNI_FIRST_TIES; k++) first->at[k] = row * SNI_SOLVE_LANES, first->values[k] = 0.0f;
    for (uint32_t e = m->starts[row]; e < m->starts[row + 1]; e++) {
        if ((m->columns[e] < row) != before) continue;
        bool fits = count < SNI_FIRST_TIES;
        *(fits ? &first->at[count] : &level->at[entry]) = m->columns[e] * SNI_SOLVE_LANES;
        *(fits ? &first->values[count] : &level->values[entry]) = (float)m->values[e];
        count++;
        entry += !fits;
    }
    return entry;
}

void sni_level_fill(sniLevel* level, const sniMatrix* matrix) {
    uint32_t entry = 0;
    level->count = matrix->count;
    level->more[0] = 0;
    for (uint32_t i = 0; i < matrix->count; i++) {
        double diagonal = matrix->holds[i];
        for (uint32_t e = matrix->starts[i]; e < matrix->starts[i + 1]; e++) diagonal += matrix->values[e];
        level->holds[i] = (float)matrix->holds[i];
        level->inverses[i] = (float)(1.0 / diagonal);
        level->more[2 * (size_t)i + 1] = entry = fill_ties(level, matrix, i, true, entry);
        level->more[2 * (size_t)i + 2] = entry = fill_ties(level, matrix, i, false, entry);
    }
}

static SNI_DEFINE_KERNELS_OF(kernels_of, sni_solve_kernels, sniSolveKernels);

sniSolved sni_solve(const sniSolve* solve, snCpuLevel level) { return kernels_of(level)->solve(solve); }
