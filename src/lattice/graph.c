// What belongs together inside each surface cell.
//
// Nodes are the fragments (a triangle in a cell) and the samples. Fragments are joined where their triangles
// share a point or a stretch of an edge within the cell. Along each scanline the pieces between crossings are
// chords; a chord inside the solid joins its samples with the fragments that bound it. So the two sides of a
// palm become one through the flesh between them, and two fingers with air between them do not.
//
// A crossing with solid on both sides (the shell overlaps itself) joins nothing: an arm that dips into the
// belly stays an arm.
#include "base/memory.h"
#include "base/union_find.h"
#include "lattice/voxels.h"

// ------------------------------------------------------------------------------------------------ surface

// Joins the set of `node` with what is known to meet in the point; returns a node of both, the root if it is
// at hand.
static uint32_t join_at_point(sniVoxels* voxels, uint32_t point, uint32_t node) {
    uint32_t* known = &voxels->point_fragments[point];
    if (*known == node) return node;
    if (*known != SN_NONE) return *known = sni_sets_join(voxels->sets, *known, node);
    *known = node;
    voxels->shell_points[voxels->shell_point_count++] = point;
    return node;
}

// The fragments begin .. end - 1 of one triangle meet others at its corners; each corner lies in one cell.
static void join_at_points(sniVoxels* voxels, uint32_t begin, uint32_t end) {
    size_t first = 3 * (size_t)voxels->fragments[begin].triangle;
    bool single = end - begin == 1;
    uint32_t node = begin;
    for (size_t i = first; i < first + 3; i++) {
        uint32_t point = voxels->shells->triangles[i], id = voxels->shells->ids[i], f = begin;
        if (!single) {
            uint32_t key = sni_voxels_point_key(voxels, point);
            while (f < end && voxels->fragments[f].key != key) f++;
            if (f == end) continue;
        }
        node = join_at_point(voxels, point, single ? node : f);
        // Across a mended border, where both sides of it lie in this cell.
        if (id != point && voxels->points[id].cell == voxels->points[point].cell)
            node = join_at_point(voxels, id, node);
    }
}

static uint32_t cell_distance(const sniVoxels* voxels, uint32_t a, uint32_t b) {
    uint32_t sum = 0;
    for (int k = 0; k < 3; k++) {
        uint32_t p = sni_cell_of(voxels->points[a].at[k]), q = sni_cell_of(voxels->points[b].at[k]);
        sum += p > q ? p - q : q - p;
    }
    return sum;
}

// Joins a fragment with its neighbour across side `side` when that edge passes through its cell.
static void join_at_side(sniVoxels* voxels, uint32_t f, uint32_t side, uint32_t a, uint32_t b) {
    uint32_t at[3];
    sni_voxels_unpack(voxels, voxels->fragments[f].key, at);
    const uint32_t cell[3] = {at[0] + voxels->lo[0], at[1] + voxels->lo[1], at[2] + voxels->lo[2]};
    if (!sni_voxels_edge_reaches(voxels, a, b, cell)) return;
    uint32_t other = sni_voxels_find_fragment(voxels, sni_voxels_find_cell(voxels, at[0], at[1], at[2]),
                                              voxels->shells->mates[side] / 3);
    if (other != SN_NONE) sni_sets_join(voxels->sets, f, other);
}

// Edges that pass through cells where neither end lies: only those that span more than two neighbouring
// cells.
static void join_at_edges(sniVoxels* voxels, uint32_t begin, uint32_t end) {
    uint32_t triangle = voxels->fragments[begin].triangle;
    const uint32_t* corners = voxels->shells->triangles + 3 * (size_t)triangle;
    for (uint32_t k = 0; k < 3; k++) {
        uint32_t side = 3 * triangle + k, a = corners[k], b = corners[k == 2 ? 0 : k + 1];
        if (voxels->shells->mates[side] == side || cell_distance(voxels, a, b) < 2) continue;
        for (uint32_t f = begin; f < end; f++) join_at_side(voxels, f, side, a, b);
    }
}

static void join_surface(sniVoxels* voxels) {
    voxels->shell_point_count = 0;
    for (uint32_t begin = 0; begin < voxels->fragment_count;) {
        uint32_t end = begin + 1;
        while (end < voxels->fragment_count &&
               voxels->fragments[end].triangle == voxels->fragments[begin].triangle) {
            end++;
        }
        join_at_points(voxels, begin, end);
        if (end - begin > 2) join_at_edges(voxels, begin, end);
        begin = end;
    }
}

// ------------------------------------------------------------------------------------------------- chords

// A stretch of scanline between two crossings, or between a crossing and the side of the cell.
typedef struct Chord {
    bool solid;
    uint32_t first, last; // nodes at its ends, SN_NONE: none in this cell
} Chord;

static void chord_add(sniVoxels* voxels, Chord* chord, uint32_t node) {
    if (chord->first == SN_NONE) chord->first = node;
    if (chord->last != SN_NONE) sni_sets_join(voxels->sets, chord->last, node);
    chord->last = node;
}

// The chord in front of item `item`; *sample is the first sample not yet passed.
static Chord next_chord(sniVoxels* voxels, const sniLine* line, uint32_t item, uint32_t* sample) {
    Chord chord = {false, SN_NONE, SN_NONE};
    uint64_t behind = item < line->end ? line->columns->items[item] : UINT64_MAX;
    uint32_t before = *sample;
    for (; *sample < 1u << voxels->sample_bits; ++*sample) {
        if ((uint64_t)sni_sample_position(voxels, line->first_index + *sample) << 32 > behind) break;
        uint32_t index = line->first_sample + *sample * line->stride;
        if (voxels->samples[index] & SNI_SAMPLE_INSIDE)
            chord_add(voxels, &chord, voxels->fragment_count + index);
    }
    int32_t winding = sni_columns_before(line->columns, line->column, item);
    // Too short for a sample: the line itself must decide.
    chord.solid = *sample > before ? chord.first != SN_NONE : winding != 0 && winding != line->total;
    return chord;
}

// A line that meets nothing in its cell: all its samples lie on one chord.
static void join_plain_line(sniVoxels* voxels, const sniLine* line, uint32_t* ends) {
    Chord chord = {false, SN_NONE, SN_NONE};
    for (uint32_t k = 0; k < 1u << voxels->sample_bits; k++) {
        uint32_t index = line->first_sample + k * line->stride;
        if (voxels->samples[index] & SNI_SAMPLE_INSIDE)
            chord_add(voxels, &chord, voxels->fragment_count + index);
    }
    ends[0] = chord.first;
    ends[1] = chord.last;
}

// Joins the nodes of one line through a cell; ends[0] and ends[1] become what it enters and leaves the cell
// with.
static void join_line(sniVoxels* voxels, uint32_t cell, const sniLine* line, uint32_t* ends) {
    uint32_t sample = 0;
    Chord chord = next_chord(voxels, line, line->begin, &sample);
    ends[0] = chord.first;
    for (uint32_t item = line->begin; item < line->end; item++) {
        uint32_t triangle = (uint32_t)line->columns->items[item] >> 1;
        Chord next = next_chord(voxels, line, item + 1, &sample);
        if (chord.solid != next.solid) {
            uint32_t fragment = sni_voxels_find_fragment(voxels, cell, triangle);
            if (fragment != SN_NONE && chord.solid) chord_add(voxels, &chord, fragment);
            if (fragment != SN_NONE && next.solid) {
                if (next.first != SN_NONE) sni_sets_join(voxels->sets, next.first, fragment);
                next.first = fragment;
                if (next.last == SN_NONE) next.last = fragment;
            }
        }
        if (item == line->begin) ends[0] = chord.first;
        chord = next;
    }
    ends[1] = chord.last;
}

static void join_chords(sniVoxels* voxels) {
    uint32_t count = 3u << 2 * voxels->sample_bits;
    uint32_t* ends = voxels->ends;
    for (uint32_t cell = 0; cell < voxels->cell_count; cell++) {
        sniLine lines[SNI_MAX_LINES];
        sni_voxels_read_cell(voxels, cell, lines);
        for (uint32_t n = 0; n < count; n++, ends += 2) {
            if (lines[n].begin == lines[n].end)
                join_plain_line(voxels, &lines[n], ends);
            else
                join_line(voxels, cell, &lines[n], ends);
        }
    }
}

bool sni_voxels_graph(sniVoxels* voxels) {
    const snAllocator* memory = &voxels->allocator;
    uint32_t bits = voxels->sample_bits;
    size_t samples = (size_t)voxels->cell_count << 3 * bits, nodes = voxels->fragment_count + samples;
    size_t ends = (size_t)voxels->cell_count * 6 << 2 * bits;
    if (nodes >= UINT32_MAX ||
        !sni_grow(memory, &voxels->sets, &voxels->set_capacity, nodes, sizeof(uint32_t)) ||
        !sni_grow(memory, &voxels->looks, &voxels->looks_capacity, nodes, 1) ||
        !sni_grow(memory, &voxels->samples, &voxels->sample_capacity, samples, 1) ||
        !sni_grow(memory, &voxels->ends, &voxels->end_capacity, ends, sizeof(uint32_t))) {
        return false;
    }
    sni_sets_reset(voxels->sets, (uint32_t)nodes);
    memset(voxels->looks, 0, nodes);
    join_surface(voxels);
    join_chords(voxels);
    sni_voxels_join_slivers(voxels);
    return true;
}
