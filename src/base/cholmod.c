// The solver seam filled by CHOLMOD. Its memory comes from malloc, and is counted before it is asked for.
#include <cholmod.h>

#include "base/error.h"
#include "base/memory.h"
#include "sinew/sparse.h"

// One way for all: CHOLMOD would otherwise try several orderings, and take dense kernels for large matrices,
// whose sums depend on the machine.
static void pin(cholmod_common* common) {
    common->nmethods = 1;
    common->method[0].ordering = CHOLMOD_AMD;
    common->postorder = 1;
    common->supernodal = CHOLMOD_SIMPLICIAL;
    common->final_ll = 0;
    common->final_asis = 1;
    common->print = 0;
    common->error_handler = NULL;
}

// CHOLMOD counts in int.
static bool fits(const snSparseMatrix* m) { return m->count < INT32_MAX && m->starts[m->count] < INT32_MAX; }

static cholmod_sparse* take_matrix(const snSparseMatrix* m, cholmod_common* common) {
    uint32_t entries = m->starts[m->count];
    cholmod_sparse* a = cholmod_allocate_sparse(m->count, m->count, entries, 1, 1, -1, CHOLMOD_REAL, common);
    if (a == NULL) return NULL;
    int *starts = a->p, *rows = a->i;
    double* values = a->x;
    for (uint32_t i = 0; i <= m->count; i++) starts[i] = (int)m->starts[i];
    for (uint32_t e = 0; e < entries; e++) {
        rows[e] = (int)m->rows[e];
        values[e] = m->values[e];
    }
    return a;
}

static snResult give_factor(const cholmod_factor* f, const snAllocator* memory, snSparseFactor* out,
                            snError* error) {
    const int *starts = f->p, *counts = f->nz, *rows = f->i, *order = f->Perm;
    const double* values = f->x;
    size_t total = 0;
    for (size_t j = 0; j < f->n; j++) total += (size_t)counts[j] - 1;
    snSparseFactor made = {.count = (uint32_t)f->n,
                           .order = SNI_NEW_ARRAY(memory, uint32_t, f->n),
                           .starts = SNI_NEW_ARRAY(memory, uint32_t, f->n + 1),
                           .rows = SNI_NEW_ARRAY(memory, uint32_t, total),
                           .values = SNI_NEW_ARRAY(memory, double, total),
                           .diagonals = SNI_NEW_ARRAY(memory, double, f->n)};
    if (made.order == NULL || made.starts == NULL || made.rows == NULL || made.values == NULL ||
        made.diagonals == NULL) {
        sn_sparse_factor_free(&made, memory);
        return sni_fail_memory(error);
    }
    uint32_t at = 0;
    for (size_t j = 0; j < f->n; j++) {
        made.order[j] = (uint32_t)order[j];
        made.diagonals[j] = values[starts[j]];
        for (int e = starts[j] + 1; e < starts[j] + counts[j]; e++, at++) {
            made.rows[at] = (uint32_t)rows[e];
            made.values[at] = values[e];
        }
        made.starts[j + 1] = at;
    }
    *out = made;
    return SN_RESULT_OK;
}

// The first row, in the matrix's own order, whose pivot is not above 0; SN_NONE: none.
static uint32_t find_bad_pivot(const cholmod_factor* f) {
    const int *starts = f->p, *order = f->Perm;
    const double* values = f->x;
    for (size_t j = 0; j < f->n; j++) {
        if (!(values[starts[j]] > 0.0)) return (uint32_t)order[j];
    }
    return SN_NONE;
}

static snResult fail_pivot(snError* error, uint32_t row) {
    return sni_fail_vertex(error, SN_RESULT_BAD_DATA, row,
                           "the system cannot be solved: row %u is not connected", row);
}

static snResult numbers(cholmod_sparse* a, cholmod_factor* f, size_t memory_limit, const snAllocator* memory,
                        snSparseFactor* out, cholmod_common* common, snError* error) {
    // Two copies of the factor exist at a time: CHOLMOD's, and the one handed out.
    double bytes = common->lnz * 2.0 * (sizeof(double) + sizeof(int));
    if (bytes > (double)memory_limit || common->lnz >= (double)INT32_MAX)
        return sni_fail(error, SN_RESULT_LIMIT, "factoring %zu unknowns needs %.0f MB, %.0f are allowed",
                        a->nrow, bytes / 1e6, (double)memory_limit / 1e6);
    int done = cholmod_factorize(a, f, common);
    if (common->status == CHOLMOD_OUT_OF_MEMORY) return sni_fail_memory(error);
    if (!done || common->status < CHOLMOD_OK)
        return sni_fail(error, SN_RESULT_BAD_DATA, "CHOLMOD could not factor the matrix: status %d",
                        common->status);
    if (f->minor < f->n) return fail_pivot(error, (uint32_t)((const int*)f->Perm)[f->minor]);
    uint32_t bad = find_bad_pivot(f);
    return bad != SN_NONE ? fail_pivot(error, bad) : give_factor(f, memory, out, error);
}

static snResult factor(const snSparseMatrix* matrix, size_t memory_limit, const snAllocator* allocator,
                       snSparseFactor* out, snError* error) {
    snAllocator memory = sni_allocator(allocator);
    if (!fits(matrix)) return sni_fail(error, SN_RESULT_UNSUPPORTED, "more than 2^31 entries");
    cholmod_common common;
    if (!cholmod_start(&common)) return sni_fail_memory(error);
    pin(&common);
    cholmod_sparse* a = take_matrix(matrix, &common);
    cholmod_factor* f = a != NULL ? cholmod_analyze(a, &common) : NULL;
    snResult result =
        f != NULL ? numbers(a, f, memory_limit, &memory, out, &common, error) : sni_fail_memory(error);
    cholmod_free_factor(&f, &common);
    cholmod_free_sparse(&a, &common);
    cholmod_finish(&common);
    return result;
}

const snSparse* sn_sparse_cholmod(void) {
    static const snSparse cholmod = {factor, "cholmod"};
    return &cholmod;
}
