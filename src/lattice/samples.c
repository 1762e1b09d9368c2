// Which samples of the surface cells are inside.
//
// A sample is inside when most of the six half scanlines that leave it have entered the shell more often than
// they left it: open borders make some of them miss, overlaps make them count twice, neither makes most of
// them wrong.
#include <string.h>

#include "lattice/voxels.h"

static sniLine line_through(const sniVoxels* voxels, uint32_t cell, const uint32_t* at, int axis, uint32_t i,
                            uint32_t j) {
    const sniColumns* columns = &voxels->columns[axis];
    uint32_t bits = voxels->sample_bits;
    int u = (axis + 1) % 3, v = (axis + 2) % 3;
    uint32_t depth = (voxels->lo[axis] + at[axis]) << SNI_CELL_BITS;
    sniLine line = {.columns = columns,
                    .column = (size_t)((at[v] << bits) + j) * columns->wide + ((at[u] << bits) + i),
                    .first_sample = (cell << 3 * bits) + (i << (u * (int)bits)) + (j << (v * (int)bits)),
                    .stride = 1u << (axis * (int)bits),
                    .first_index = (voxels->lo[axis] + at[axis]) << bits};
    line.begin = line.end = columns->starts[line.column];
    if (line.begin == columns->starts[line.column + 1]) return line; // meets nothing anywhere
    line.total = sni_columns_total(columns, line.column);
    line.begin = line.end = sni_columns_search(columns, line.column, depth);
    uint64_t behind = (uint64_t)(depth + SNI_CELL) << 32;
    while (line.end < columns->starts[line.column + 1] && columns->items[line.end] < behind) line.end++;
    return line;
}

// While lines are counted, a sample is the sum of what they say: votes in the lowest three bits, and above
// them how many saw it shallow.
#define VOTE_BITS 3
_Static_assert(SNI_SAMPLE_VOTES == (1 << VOTE_BITS) - 1 && SNI_SAMPLE_SHALLOW == 1 << VOTE_BITS,
               "what a line says can be summed");

// Adds what one line says to the samples on it.
static void vote(const sniVoxels* voxels, const sniLine* line) {
    uint32_t item = line->begin;
    int32_t winding = sni_columns_before(line->columns, line->column, item);
    if (line->begin == line->end) { // most lines: the same for all samples
        uint32_t votes = sni_sample_votes(winding, line->total);
        uint8_t* sample = &voxels->samples[line->first_sample];
        for (uint32_t k = 0; k < 1u << voxels->sample_bits; k++, sample += line->stride)
            *sample = (uint8_t)(*sample + votes);
        return;
    }
    for (uint32_t k = 0; k < 1u << voxels->sample_bits; k++) {
        uint64_t behind = (uint64_t)sni_sample_position(voxels, line->first_index + k) << 32;
        for (; item < line->end && line->columns->items[item] < behind; item++) {
            winding = line->columns->windings[item];
        }
        uint8_t* sample = &voxels->samples[line->first_sample + k * line->stride];
        *sample = (uint8_t)(*sample + sni_sample_votes(winding, line->total));
    }
}

void sni_voxels_read_cell(sniVoxels* voxels, uint32_t cell, sniLine* lines) {
    uint32_t side = 1u << voxels->sample_bits, samples = side * side * side, at[3];
    uint8_t* first = voxels->samples + (size_t)cell * samples;
    memset(first, 0, samples);
    sni_voxels_unpack(voxels, voxels->cell_keys[cell], at);
    for (int axis = 0; axis < 3; axis++) {
        for (uint32_t j = 0; j < side; j++) {
            for (uint32_t i = 0; i < side; i++) {
                sniLine line = line_through(voxels, cell, at, axis, i, j);
                vote(voxels, &line);
                *lines++ = line;
            }
        }
    }
    for (uint32_t i = 0; i < samples; i++) {
        uint8_t votes = first[i] & SNI_SAMPLE_VOTES;
        uint8_t shallow = first[i] > SNI_SAMPLE_VOTES ? SNI_SAMPLE_SHALLOW : 0;
        uint8_t inside = votes >= SNI_SAMPLE_MAJORITY ? SNI_SAMPLE_INSIDE : 0;
        first[i] = votes | shallow | inside;
    }
}
