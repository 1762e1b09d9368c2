// Copies of the surface cells of a shell, and their links across faces.
#include "base/memory.h"
#include "base/union_find.h"
#include "lattice/voxels.h"

// Solid without surface needs this part of a cell's samples to count; less is noise at an open border.
// Judged.
#define LEAST_PART 16

// True when the set of sample `first`, its root, is worth a copy: enough samples, and not only the overlap of
// the shell with itself.
static bool solid_counts(const sniVoxels* voxels, uint32_t first, uint32_t end) {
    uint32_t root = voxels->fragment_count + first, count = 0, shallow = 0;
    for (uint32_t i = first; i < end; i++) {
        if (!(voxels->samples[i] & SNI_SAMPLE_INSIDE)) continue;
        if (voxels->sets[voxels->fragment_count + i] != root) continue;
        count++;
        shallow |= voxels->samples[i] & SNI_SAMPLE_SHALLOW;
    }
    return shallow != 0 && count * LEAST_PART >= 1u << 3 * voxels->sample_bits;
}

static bool add_copy(sniVoxels* voxels, uint32_t cell, uint32_t root) {
    voxels->copy_of_node[root] = voxels->copies->count;
    return sni_copies_add(voxels->copies, sni_voxels_grid_key(voxels, voxels->cell_keys[cell]), 0);
}

static bool number_cell(sniVoxels* voxels, uint32_t cell) {
    for (uint32_t i = voxels->cell_starts[cell]; i < voxels->cell_starts[cell + 1]; i++) {
        uint32_t root = voxels->sets[voxels->sorted[i]];
        if (voxels->copy_of_node[root] == SN_NONE && !add_copy(voxels, cell, root)) return false;
    }
    uint32_t samples = 1u << 3 * voxels->sample_bits;
    for (uint32_t i = cell * samples; i < (cell + 1) * samples; i++) {
        uint32_t node = voxels->fragment_count + i;
        if (!(voxels->samples[i] & SNI_SAMPLE_INSIDE) || voxels->sets[node] != node) continue;
        if (solid_counts(voxels, i, (cell + 1) * samples) && !add_copy(voxels, cell, node)) return false;
    }
    return true;
}

static uint32_t copy_of(const sniVoxels* voxels, uint32_t node) {
    return node == SN_NONE ? SN_NONE : voxels->copy_of_node[voxels->sets[node]];
}

static void embed_points(sniVoxels* voxels) {
    for (uint32_t i = 0; i < voxels->shell_point_count; i++) {
        uint32_t point = voxels->shell_points[i];
        voxels->copies->of_points[point] = copy_of(voxels, voxels->point_fragments[point]);
    }
}

// -------------------------------------------------------------------------------------------------- links

// Links many share are asked for again and again in a row; one is enough.
static bool link(sniVoxels* voxels, uint32_t low, uint32_t high, uint32_t axis) {
    if (low == SN_NONE || high == SN_NONE) return true;
    const sniCopies* copies = voxels->copies;
    if (copies->link_count > 0) {
        sniLink last = copies->links[copies->link_count - 1];
        if (last.low == low && last.high == high && last.axis == axis) return true;
    }
    return sni_copies_link(voxels->copies, low, high, axis);
}

// Of the fragments begin .. end - 1, all of one triangle, the one in the cell with this key; or SN_NONE.
static uint32_t find_sibling(const sniVoxels* voxels, uint32_t begin, uint32_t end, uint32_t key) {
    if (end - begin > 16) {
        uint32_t at[3];
        sni_voxels_unpack(voxels, key, at);
        uint32_t cell = at[2] < voxels->size[2] ? sni_voxels_find_cell(voxels, at[0], at[1], at[2]) : SN_NONE;
        if (cell == SN_NONE) return SN_NONE;
        return sni_voxels_find_fragment(voxels, cell, voxels->fragments[begin].triangle);
    }
    for (uint32_t g = begin; g < end; g++) {
        if (voxels->fragments[g].key == key) return g;
    }
    return SN_NONE;
}

// A triangle in two neighbouring cells passes through the face between them: both cells together are convex.
static bool link_fragments(sniVoxels* voxels, uint32_t begin, uint32_t end) {
    const uint32_t steps[3] = {1, voxels->size[0], voxels->size[0] * voxels->size[1]};
    for (uint32_t f = begin; f < end; f++) {
        for (uint32_t axis = 0; axis < 3; axis++) {
            // Fragments were found in rising order along every axis.
            uint32_t other = find_sibling(voxels, f + 1, end, voxels->fragments[f].key + steps[axis]);
            if (other == SN_NONE) continue;
            uint32_t at[3];
            sni_voxels_unpack(voxels, voxels->fragments[f].key, at);
            if (at[axis] + 1 == voxels->size[axis]) continue; // the key belongs to the next row
            if (!link(voxels, copy_of(voxels, f), copy_of(voxels, other), axis)) return false;
        }
    }
    return true;
}

static bool link_triangles(sniVoxels* voxels) {
    for (uint32_t begin = 0; begin < voxels->fragment_count;) {
        uint32_t end = begin + 1;
        while (end < voxels->fragment_count &&
               voxels->fragments[end].triangle == voxels->fragments[begin].triangle) {
            end++;
        }
        if (end - begin > 1 && !link_fragments(voxels, begin, end)) return false;
        begin = end;
    }
    return true;
}

// Scanlines that pass through solid from one cell into the next.
static bool link_lines(sniVoxels* voxels, uint32_t cell, uint32_t axis) {
    uint32_t lines = 1u << 2 * voxels->sample_bits;
    const uint32_t* ends = voxels->ends + ((size_t)cell * 3 + axis) * lines * 2;
    uint32_t at[3];
    sni_voxels_unpack(voxels, voxels->cell_keys[cell], at);
    uint32_t before = SN_NONE, behind = SN_NONE, next = SN_NONE;
    if (at[axis] > 0) {
        at[axis]--;
        before = sni_voxels_find_inside(voxels, at[0], at[1], at[2]);
        at[axis]++;
    }
    if (at[axis] + 1 < voxels->size[axis]) {
        at[axis]++;
        behind = sni_voxels_find_inside(voxels, at[0], at[1], at[2]);
        next = sni_voxels_find_cell(voxels, at[0], at[1], at[2]);
    }
    for (uint32_t n = 0; n < lines && before != SN_NONE; n++) {
        if (!link(voxels, before, copy_of(voxels, ends[2 * n]), axis)) return false;
    }
    if (behind == SN_NONE && next == SN_NONE) return true;
    for (uint32_t n = 0; n < lines; n++) {
        uint32_t copy = copy_of(voxels, ends[2 * n + 1]);
        if (copy == SN_NONE) continue;
        if (next != SN_NONE)
            behind = copy_of(voxels, voxels->ends[((size_t)next * 3 + axis) * lines * 2 + 2 * n]);
        if (!link(voxels, copy, behind, axis)) return false;
    }
    return true;
}

bool sni_voxels_copies(sniVoxels* voxels) {
    size_t nodes = voxels->fragment_count + ((size_t)voxels->cell_count << 3 * voxels->sample_bits);
    if (!sni_grow(&voxels->allocator, &voxels->copy_of_node, &voxels->copy_capacity, nodes,
                  sizeof(uint32_t))) {
        return false;
    }
    sni_sets_flatten(voxels->sets, (uint32_t)nodes);
    memset(voxels->copy_of_node, 0xff, nodes * sizeof(uint32_t)); // SN_NONE
    for (uint32_t cell = 0; cell < voxels->cell_count; cell++) {
        if (!number_cell(voxels, cell)) return false;
    }
    embed_points(voxels);
    if (!link_triangles(voxels)) return false;
    for (uint32_t cell = 0; cell < voxels->cell_count; cell++) {
        for (uint32_t axis = 0; axis < 3; axis++) {
            if (!link_lines(voxels, cell, axis)) return false;
        }
    }
    return true;
}
