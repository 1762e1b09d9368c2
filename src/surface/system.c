// The equations of details: rows of the operator, their normal equations, the factor.
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "surface/surface.h"

// Of details in the rigid method, for each unknown of a piece. More keeps closer to the fast method's shape,
// less lets a limb that is twisted by half a turn fall in. Chosen on the bars of tests/surface and pictures
// of twisted limbs.
#define STIFFNESS 0.2

// A sparse row being summed up, over all points.
typedef struct Row {
    double* values;    // point_count; 0 where not touched
    uint8_t* marks;    // point_count
    uint32_t* touched; // up to point_count
    uint32_t count;
} Row;

static bool row_create(Row* row, uint32_t count, const snAllocator* memory) {
    row->values = SNI_NEW_ARRAY(memory, double, count);
    row->marks = SNI_NEW_ARRAY(memory, uint8_t, count);
    row->touched = SNI_NEW_ARRAY(memory, uint32_t, count);
    return row->values != NULL && row->marks != NULL && row->touched != NULL;
}

static void row_free(Row* row, const snAllocator* memory) {
    sni_free(memory, row->values);
    sni_free(memory, row->marks);
    sni_free(memory, row->touched);
}

static void row_add(Row* row, uint32_t point, double value) {
    if (!row->marks[point]) {
        row->marks[point] = 1;
        row->touched[row->count++] = point;
    }
    row->values[point] += value;
}

static void row_clear(Row* row) {
    for (uint32_t k = 0; k < row->count; k++) {
        row->values[row->touched[k]] = 0.0;
        row->marks[row->touched[k]] = 0;
    }
    row->count = 0;
}

// --------------------------------------------------------------------------------------------- operator

// scale * (x_i - mean of its neighbours).
static void add_laplacian(const sniTable* edges, uint32_t i, double scale, Row* row) {
    double sum = 0.0;
    for (uint32_t e = edges->starts[i]; e < edges->starts[i + 1]; e++) sum += edges->values[e];
    if (!(sum > 0.0)) return;
    row_add(row, i, scale);
    for (uint32_t e = edges->starts[i]; e < edges->starts[i + 1]; e++) {
        row_add(row, edges->columns[e], -scale * (edges->values[e] / sum));
    }
}

static void add_operator(const sniTable* edges, uint32_t i, bool squared, Row* row) {
    if (!squared) {
        add_laplacian(edges, i, 1.0, row);
        return;
    }
    double sum = 0.0;
    for (uint32_t e = edges->starts[i]; e < edges->starts[i + 1]; e++) sum += edges->values[e];
    if (!(sum > 0.0)) return;
    add_laplacian(edges, i, 1.0, row);
    for (uint32_t e = edges->starts[i]; e < edges->starts[i + 1]; e++) {
        add_laplacian(edges, edges->columns[e], -(edges->values[e] / sum), row);
    }
}

// One row with rising columns, behind those that are there.
static void put_row(const sniSurfacePoints* points, const Row* row, sniTable* out, uint32_t index) {
    uint32_t begin = out->starts[index], at = begin;
    for (uint32_t k = 0; k < row->count; k++, at++) {
        uint32_t column = points->locals[row->touched[k]], to = at;
        for (; to > begin && out->columns[to - 1] > column; to--) {
            out->columns[to] = out->columns[to - 1];
            out->values[to] = out->values[to - 1];
        }
        out->columns[to] = column;
        out->values[to] = row->values[row->touched[k]];
    }
    out->starts[index + 1] = at;
}

// Rows of all points in rings `first` .. `last`; with `out` NULL they are only counted.
static void walk_rows(const sniSurfacePoints* points, bool squared, uint32_t first, uint32_t last, Row* row,
                      sniTable* out, uint32_t* rows, size_t* entries) {
    for (uint32_t i = 0; i < points->count; i++) {
        if (points->rings[i] < first || points->rings[i] > last) continue;
        add_operator(&points->edges, i, squared, row);
        if (out != NULL) put_row(points, row, out, *rows);
        *entries += row->count;
        *rows += 1;
        row_clear(row);
    }
}

// Rows of the unknowns in their order, then those of rigid points beside them.
static void walk_all_rows(const sniSurfacePoints* points, bool squared, Row* row, sniTable* out,
                          uint32_t* rows, size_t* entries) {
    *rows = 0;
    *entries = 0;
    walk_rows(points, squared, 0, 0, row, out, rows, entries);
    if (points->row_rings > 0) walk_rows(points, squared, 1, points->row_rings, row, out, rows, entries);
}

// What an unknown differs from its neighbours by.
static void measure_detail(const snHandleSurface* s, uint32_t u) {
    double* detail = s->details + (size_t)u * SNI_SURFACE_LANES;
    for (uint32_t e = s->rows.starts[u]; e < s->rows.starts[u + 1]; e++) {
        const double* x = s->rest + (size_t)s->rows.columns[e] * SNI_SURFACE_LANES;
        for (int k = 0; k < 3; k++) detail[k] += s->rows.values[e] * x[k];
    }
}

static snResult make_rows(snHandleSurface* s, const sniSurfacePoints* points, bool squared, Row* row,
                          snError* error) {
    size_t entries = 0;
    walk_all_rows(points, squared, row, NULL, &s->row_count, &entries);
    if (entries >= SN_NONE) return sni_fail(error, SN_RESULT_UNSUPPORTED, "more than 2^32 entries");
    s->rows.starts = SNI_NEW_ARRAY(&s->allocator, uint32_t, (size_t)s->row_count + 1);
    s->rows.columns = SNI_NEW_ARRAY(&s->allocator, uint32_t, entries);
    s->rows.values = SNI_NEW_ARRAY(&s->allocator, double, entries);
    s->details = SNI_NEW_ARRAY(&s->allocator, double, (size_t)s->unknown_count* SNI_SURFACE_LANES);
    if (s->rows.starts == NULL || s->rows.columns == NULL || s->rows.values == NULL || s->details == NULL)
        return sni_fail_memory(error);
    walk_all_rows(points, squared, row, &s->rows, &s->row_count, &entries);
    for (uint32_t u = 0; u < s->unknown_count; u++) measure_detail(s, u);
    return SN_RESULT_OK;
}

// The unknowns' part of the rows, by unknown.
static snResult make_columns(snHandleSurface* s, snError* error) {
    uint32_t count = s->unknown_count, entries = 0;
    for (uint32_t e = 0; e < s->rows.starts[s->row_count]; e++) entries += s->rows.columns[e] < count;
    s->columns.starts = SNI_NEW_ARRAY(&s->allocator, uint32_t, (size_t)count + 1);
    s->columns.columns = SNI_NEW_ARRAY(&s->allocator, uint32_t, entries);
    s->columns.values = SNI_NEW_ARRAY(&s->allocator, double, entries);
    if (s->columns.starts == NULL || s->columns.columns == NULL || s->columns.values == NULL)
        return sni_fail_memory(error);
    // Starts are counted one place late, and move to their place while the rows are filled in.
    uint32_t* starts = s->columns.starts;
    for (uint32_t e = 0; e < s->rows.starts[s->row_count]; e++) {
        if (s->rows.columns[e] + 1 < count) starts[s->rows.columns[e] + 2]++;
    }
    for (uint32_t u = 1; u < count; u++) starts[u + 1] += starts[u];
    for (uint32_t i = 0; i < s->row_count; i++) {
        for (uint32_t e = s->rows.starts[i]; e < s->rows.starts[i + 1]; e++) {
            if (s->rows.columns[e] >= count) continue;
            uint32_t at = starts[s->rows.columns[e] + 1]++;
            s->columns.columns[at] = i;
            s->columns.values[at] = s->rows.values[e];
        }
    }
    return SN_RESULT_OK;
}

// ------------------------------------------------------------------------------------- normal equations

// Column u of K^T S K from the diagonal down, with the rows' stiffness S or, where that is NULL, without.
// Points of `row` are unknowns here.
static void add_details(const snHandleSurface* s, uint32_t u, const double* stiffness, Row* row) {
    for (uint32_t c = s->columns.starts[u]; c < s->columns.starts[u + 1]; c++) {
        uint32_t i = s->columns.columns[c];
        double value = s->columns.values[c] * (stiffness != NULL ? stiffness[i] : 1.0);
        for (uint32_t e = s->rows.starts[i]; e < s->rows.starts[i + 1]; e++) {
            uint32_t v = s->rows.columns[e];
            if (v >= u && v < s->unknown_count) row_add(row, v, value * s->rows.values[e]);
        }
    }
}

static void add_detail_column(const snHandleSurface* s, uint32_t u, Row* row) {
    row_add(row, u, s->pulls[u]);
    add_details(s, u, NULL, row);
}

// The ring's Laplacian, and details enough to stay smooth.
static void add_rigid_column(const snHandleSurface* s, uint32_t u, Row* row) {
    row_add(row, u, s->rigid_pulls[u]);
    for (uint32_t e = s->ring.starts[u]; e < s->ring.starts[u + 1]; e++) {
        uint32_t v = s->ring.columns[e];
        row_add(row, u, s->ring.values[e]);
        if (v > u && v < s->unknown_count) row_add(row, v, -s->ring.values[e]);
    }
    add_details(s, u, s->stiffness, row);
}

typedef void ColumnFn(const snHandleSurface* s, uint32_t u, Row* row);

typedef struct Normal {
    uint32_t* starts;
    uint32_t* rows;
    double* values;
    size_t capacity, entries, value_capacity;
} Normal;

static bool append_column(Normal* n, const Row* row, uint64_t* keys, const snAllocator* memory) {
    size_t needed = n->entries + row->count;
    if (!sni_grow(memory, &n->rows, &n->capacity, needed, sizeof *n->rows) ||
        !sni_grow(memory, &n->values, &n->value_capacity, needed, sizeof *n->values))
        return false;
    for (uint32_t k = 0; k < row->count; k++) keys[k] = row->touched[k];
    sni_sort_u64(keys, row->count);
    for (uint32_t k = 0; k < row->count; k++, n->entries++) {
        n->rows[n->entries] = (uint32_t)keys[k];
        n->values[n->entries] = row->values[keys[k]];
    }
    return true;
}

static snResult factor_columns(const snHandleSurface* s, const snHandleSurfaceDef* def, ColumnFn* add,
                               Row* row, sniFactor* out, snError* error) {
    const snAllocator* memory = &s->allocator;
    Normal n = {.starts = SNI_NEW_ARRAY(memory, uint32_t, (size_t)s->unknown_count + 1)};
    uint64_t* keys = SNI_NEW_ARRAY(memory, uint64_t, s->unknown_count);
    bool enough = n.starts != NULL && keys != NULL;
    for (uint32_t u = 0; enough && u < s->unknown_count; u++) {
        add(s, u, row);
        enough = append_column(&n, row, keys, memory) && n.entries < SN_NONE;
        if (enough) n.starts[u + 1] = (uint32_t)n.entries;
        row_clear(row);
    }
    snSparseMatrix matrix = {s->unknown_count, n.starts, n.rows, n.values};
    snResult result = enough ? sni_factor_create(def->sparse, &matrix, def->memory_limit, memory, out, error)
                             : sni_fail_memory(error);
    sni_free(memory, n.starts);
    sni_free(memory, n.rows);
    sni_free(memory, n.values);
    sni_free(memory, keys);
    return result;
}

snResult sni_surface_system(snHandleSurface* s, const sniSurfacePoints* points, const snHandleSurfaceDef* def,
                            snError* error) {
    Row row = {0};
    snResult result = row_create(&row, points->count, &s->allocator) ? SN_RESULT_OK : sni_fail_memory(error);
    if (result == SN_RESULT_OK) result = make_rows(s, points, def->squared, &row, error);
    if (result == SN_RESULT_OK) result = make_columns(s, error);
    if (result == SN_RESULT_OK) result = factor_columns(s, def, add_detail_column, &row, &s->factor, error);
    row_free(&row, &s->allocator);
    return result;
}

// A mesh twice as fine has four times the unknowns, and its details a quarter of the say against its edges;
// so that both bend alike, their stiffness grows with the unknowns of a piece.
static void set_stiffness(snHandleSurface* s) {
    for (uint32_t i = 0; i < s->row_count; i++) {
        uint32_t first = s->rows.columns[s->rows.starts[i]]; // rows of rigid points have unknowns too
        s->stiffness[i] = STIFFNESS * (double)s->piece_sizes[s->piece_of_unknown[first]];
    }
    for (uint32_t u = 0; u < s->unknown_count; u++) s->rigid_pulls[u] = s->pulls[u] * s->stiffness[u];
}

snResult sni_surface_rigid(snHandleSurface* s, const snHandleSurfaceDef* def, snError* error) {
    Row row = {0};
    s->stiffness = SNI_NEW_ARRAY(&s->allocator, double, s->row_count);
    s->rigid_pulls = SNI_NEW_ARRAY(&s->allocator, double, s->unknown_count);
    bool enough =
        row_create(&row, s->unknown_count, &s->allocator) && s->rigid_pulls != NULL && s->stiffness != NULL;
    if (enough) set_stiffness(s);
    snResult result =
        enough ? factor_columns(s, def, add_rigid_column, &row, &s->rigid, error) : sni_fail_memory(error);
    row_free(&row, &s->allocator);
    return result;
}
