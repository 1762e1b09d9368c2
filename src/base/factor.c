// Arranging a factor into panels.
#include "base/factor.h"

#include "base/error.h"
#include "base/factor_kernels.h"
#include "base/memory.h"

static SNI_DEFINE_KERNELS_OF(kernels_of, sni_factor_kernels, sniFactorKernels);

void sni_factor_solve(const sniFactor* factor, double* x, double* scratch, snCpuLevel level) {
    kernels_of(level)->solve(factor, x, scratch);
}

void sn_sparse_factor_free(snSparseFactor* factor, const snAllocator* allocator) {
    snAllocator memory = sni_allocator(allocator);
    sni_free(&memory, factor->order);
    sni_free(&memory, factor->starts);
    sni_free(&memory, factor->rows);
    sni_free(&memory, factor->values);
    sni_free(&memory, factor->diagonals);
    *factor = (snSparseFactor){0};
}

// How many columns from `column` on have the same rows below them: each is the next one's first row, and has
// one row more.
static uint32_t run_length(const snSparseFactor* f, uint32_t column) {
    uint32_t length = 1;
    for (uint32_t c = column; c + 1 < f->count && length < SNI_PANEL_COLUMNS; c++, length++) {
        uint32_t count = f->starts[c + 1] - f->starts[c];
        if (count == 0 || f->rows[f->starts[c]] != c + 1) break;
        if (count != f->starts[c + 2] - f->starts[c + 1] + 1) break;
    }
    return length;
}

static uint32_t panel_width(const snSparseFactor* f, uint32_t column) {
    uint32_t run = run_length(f, column), width = 1;
    while (width * 2 <= run) width *= 2;
    return width;
}

static sniPanel plan_panel(const snSparseFactor* f, uint32_t column, uint32_t row_begin, size_t value_begin) {
    uint32_t width = panel_width(f, column), last = column + width - 1;
    return (sniPanel){.first = column,
                      .width = width,
                      .row_begin = row_begin,
                      .row_count = f->starts[last + 1] - f->starts[last],
                      .value_begin = value_begin};
}

static size_t value_count(const sniPanel* p) {
    return (size_t)p->width * p->width + (size_t)p->row_count * p->width;
}

static void fill_panel(const snSparseFactor* f, const sniPanel* p, sniFactor* out) {
    double* triangle = out->values + p->value_begin;
    double* below = triangle + (size_t)p->width * p->width;
    uint32_t last = p->first + p->width - 1;
    memcpy(out->rows + p->row_begin, f->rows + f->starts[last], p->row_count * sizeof *out->rows);
    for (uint32_t c = 0; c < p->width; c++) {
        const double* values = f->values + f->starts[p->first + c];
        for (uint32_t d = c + 1; d < p->width; d++) triangle[d * p->width + c] = *values++;
        for (uint32_t r = 0; r < p->row_count; r++) below[(size_t)r * p->width + c] = values[r];
    }
}

// Panels of all columns; with `out` NULL they are only counted.
static void walk_panels(const snSparseFactor* f, sniFactor* out, uint32_t* panels, uint32_t* rows,
                        size_t* values) {
    *panels = *rows = 0;
    *values = 0;
    for (uint32_t column = 0; column < f->count;) {
        sniPanel panel = plan_panel(f, column, *rows, *values);
        if (out != NULL) {
            out->panels[*panels] = panel;
            fill_panel(f, &panel, out);
        }
        *panels += 1;
        *rows += panel.row_count;
        *values += value_count(&panel);
        column += panel.width;
    }
}

static snResult arrange(const snSparseFactor* f, sniFactor* out, snError* error) {
    uint32_t panels = 0, rows = 0;
    size_t values = 0;
    walk_panels(f, NULL, &panels, &rows, &values);
    out->count = f->count;
    out->panel_count = panels;
    out->size = f->starts[f->count];
    out->order = (uint32_t*)sni_copy_array(&out->allocator, f->order, f->count, sizeof *out->order);
    out->panels = SNI_NEW_ARRAY(&out->allocator, sniPanel, panels);
    out->rows = SNI_NEW_ARRAY(&out->allocator, uint32_t, rows);
    out->values = SNI_NEW_ARRAY(&out->allocator, double, values);
    out->inverses = SNI_NEW_ARRAY(&out->allocator, double, f->count);
    if (out->order == NULL || out->panels == NULL || out->rows == NULL || out->values == NULL ||
        out->inverses == NULL)
        return sni_fail_memory(error);
    walk_panels(f, out, &panels, &rows, &values);
    for (uint32_t i = 0; i < f->count; i++) out->inverses[i] = 1.0 / f->diagonals[i];
    return SN_RESULT_OK;
}

snResult sni_factor_create(const snSparse* sparse, const snSparseMatrix* matrix, size_t memory_limit,
                           const snAllocator* allocator, sniFactor* out, snError* error) {
    sniFactor factor = {.allocator = sni_allocator(allocator)};
    snSparseFactor plain = {0};
    snResult result = sparse->factor(matrix, memory_limit, &factor.allocator, &plain, error);
    if (result == SN_RESULT_OK) result = arrange(&plain, &factor, error);
    sn_sparse_factor_free(&plain, &factor.allocator);
    if (result != SN_RESULT_OK) {
        sni_factor_free(&factor);
        return result;
    }
    *out = factor;
    return SN_RESULT_OK;
}

void sni_factor_free(sniFactor* factor) {
    if (factor->allocator.free == NULL) return;
    sni_free(&factor->allocator, factor->order);
    sni_free(&factor->allocator, factor->panels);
    sni_free(&factor->allocator, factor->rows);
    sni_free(&factor->allocator, factor->values);
    sni_free(&factor->allocator, factor->inverses);
    *factor = (sniFactor){0};
}
