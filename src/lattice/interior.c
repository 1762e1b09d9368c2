// Inside cells that no triangle touches, as runs along x.
//
// A closed shell decides a whole run between two surface cells with one scanline. An open one asks, for each
// cell, the six half lines through a sample near its middle; the majority decides, because some of them leave
// through the opening.
#include "base/memory.h"
#include "lattice/voxels.h"

typedef struct Row {
    uint32_t y, z; // local
} Row;

// Column through the middle sample of local cell coordinates (a, b) along the two axes behind `axis`.
static size_t middle_column(const sniVoxels* voxels, int axis, uint32_t a, uint32_t b) {
    uint32_t bits = voxels->sample_bits, middle = 1u << (bits - 1);
    return (size_t)((b << bits) + middle) * voxels->columns[axis].wide + ((a << bits) + middle);
}

static uint32_t middle_votes(const sniVoxels* voxels, int axis, const uint32_t* cell) {
    const sniColumns* columns = &voxels->columns[axis];
    size_t column = middle_column(voxels, axis, cell[(axis + 1) % 3], cell[(axis + 2) % 3]);
    if (columns->starts[column] == columns->starts[column + 1]) return SNI_SAMPLE_SHALLOW;
    uint32_t bits = voxels->sample_bits;
    uint32_t sample = ((voxels->lo[axis] + cell[axis]) << bits) + (1u << (bits - 1));
    uint32_t at = sni_columns_search(columns, column, (uint32_t)sni_sample_position(voxels, sample));
    return sni_sample_votes(sni_columns_before(columns, column, at), sni_columns_total(columns, column));
}

// Inside, and not only where the shell overlaps itself: there, two parts of it would be glued.
static bool cell_is_inside(const sniVoxels* voxels, uint32_t x, Row row) {
    const uint32_t cell[3] = {x, row.y, row.z};
    uint32_t first = middle_votes(voxels, 0, cell);
    if (voxels->shells->closed[voxels->shell]) {
        return (first & SNI_SAMPLE_VOTES) != 0 && (first & SNI_SAMPLE_SHALLOW) != 0;
    }
    uint32_t second = middle_votes(voxels, 1, cell);
    if ((first & SNI_SAMPLE_VOTES) + (second & SNI_SAMPLE_VOTES) < 2) return false;
    uint32_t third = middle_votes(voxels, 2, cell);
    uint32_t votes = (first & SNI_SAMPLE_VOTES) + (second & SNI_SAMPLE_VOTES) + (third & SNI_SAMPLE_VOTES);
    return votes >= SNI_SAMPLE_MAJORITY && ((first | second | third) & SNI_SAMPLE_SHALLOW) != 0;
}

static bool add_run(sniVoxels* voxels, Row row, uint32_t x0, uint32_t x1) {
    if (!sni_grow(&voxels->allocator, &voxels->runs, &voxels->run_capacity, (size_t)voxels->run_count + 1,
                  sizeof *voxels->runs)) {
        return false;
    }
    voxels->runs[voxels->run_count++] = (sniRun){x0, x1, voxels->copies->count};
    for (uint32_t x = x0; x < x1; x++) {
        uint32_t key = sni_voxels_grid_key(voxels, sni_voxels_local_key(voxels, x, row.y, row.z));
        if (!sni_copies_add(voxels->copies, key, 1)) return false;
        uint32_t copy = voxels->copies->count - 1;
        if (x > x0 && !sni_copies_link(voxels->copies, copy - 1, copy, 0)) return false;
    }
    return true;
}

// The cells x0 .. x1 - 1 of a row hold no triangle; adds those that are inside.
static bool add_gap(sniVoxels* voxels, Row row, uint32_t x0, uint32_t x1) {
    if (x0 >= x1) return true;
    if (voxels->shells->closed[voxels->shell]) {
        return !cell_is_inside(voxels, x0, row) || add_run(voxels, row, x0, x1);
    }
    for (uint32_t x = x0; x < x1; x++) {
        uint32_t begin = x;
        while (x < x1 && cell_is_inside(voxels, x, row)) x++;
        if (x > begin && !add_run(voxels, row, begin, x)) return false;
    }
    return true;
}

static bool add_row(sniVoxels* voxels, Row row) {
    uint32_t index = row.z * voxels->size[1] + row.y;
    uint32_t x = 0;
    for (uint32_t c = voxels->row_starts[index]; c < voxels->row_starts[index + 1]; c++) {
        uint32_t surface = voxels->cell_keys[c] % voxels->size[0];
        if (!add_gap(voxels, row, x, surface)) return false;
        x = surface + 1;
    }
    return add_gap(voxels, row, x, voxels->size[0]);
}

// Joins the runs of two neighbouring rows wherever they lie side by side.
static bool link_rows(sniVoxels* voxels, uint32_t low, uint32_t high, uint32_t axis) {
    uint32_t i = voxels->run_starts[low], j = voxels->run_starts[high];
    while (i < voxels->run_starts[low + 1] && j < voxels->run_starts[high + 1]) {
        sniRun a = voxels->runs[i], b = voxels->runs[j];
        uint32_t x0 = a.x0 > b.x0 ? a.x0 : b.x0;
        uint32_t x1 = a.x1 < b.x1 ? a.x1 : b.x1;
        for (uint32_t x = x0; x < x1; x++) {
            if (!sni_copies_link(voxels->copies, a.copy + (x - a.x0), b.copy + (x - b.x0), axis))
                return false;
        }
        if (a.x1 < b.x1)
            i++;
        else
            j++;
    }
    return true;
}

bool sni_voxels_interior(sniVoxels* voxels) {
    uint32_t rows = voxels->size[1] * voxels->size[2];
    if (!sni_grow(&voxels->allocator, &voxels->run_starts, &voxels->run_starts_capacity, (size_t)rows + 1,
                  sizeof(uint32_t))) {
        return false;
    }
    voxels->run_count = 0;
    for (uint32_t i = 0; i < rows; i++) {
        Row row = {i % voxels->size[1], i / voxels->size[1]};
        voxels->run_starts[i] = voxels->run_count;
        if (!add_row(voxels, row)) return false;
        voxels->run_starts[i + 1] = voxels->run_count;
        if (row.y > 0 && !link_rows(voxels, i - 1, i, 1)) return false;
        if (row.z > 0 && !link_rows(voxels, i - voxels->size[1], i, 2)) return false;
    }
    return true;
}

uint32_t sni_voxels_find_inside(const sniVoxels* voxels, uint32_t x, uint32_t y, uint32_t z) {
    uint32_t row = z * voxels->size[1] + y;
    uint32_t lo = voxels->run_starts[row], hi = voxels->run_starts[row + 1];
    while (lo < hi) {
        uint32_t middle = lo + (hi - lo) / 2;
        if (voxels->runs[middle].x1 <= x)
            lo = middle + 1;
        else
            hi = middle;
    }
    if (lo == voxels->run_starts[row + 1] || voxels->runs[lo].x0 > x) return SN_NONE;
    return voxels->runs[lo].copy + (x - voxels->runs[lo].x0);
}
