// Tables of the part volumes: who is whose neighbour, part by part from the root to the leaves.
#include "base/error.h"
#include "base/memory.h"
#include "flesh/part_volume_kernels.h"

// A part of fewer particles says nothing about volume: a finger thinner than a cell is all corners. It counts
// as part of what carries it. Chosen on the three characters and two motions of docs/flesh.md.
#define LEAST_PARTICLES 16

static uint32_t depth_of(const snBinding* binding, uint32_t joint) {
    uint32_t depth = 0;
    while (binding->parents[joint] != SN_NONE) joint = binding->parents[joint], depth++;
    return depth;
}

static uint32_t deepest_of(const snBinding* binding) {
    uint32_t deepest = 0;
    for (uint32_t j = 0; j < binding->joint_count; j++) {
        uint32_t depth = depth_of(binding, j);
        if (depth > deepest) deepest = depth;
    }
    return deepest;
}

// The child with the most particles, or SN_NONE.
static uint32_t largest_child(const snBinding* binding, const uint32_t* counts, uint32_t joint) {
    uint32_t best = SN_NONE;
    for (uint32_t j = 0; j < binding->joint_count; j++) {
        if (binding->parents[j] != joint || counts[j] == 0) continue;
        if (best == SN_NONE || counts[j] > counts[best]) best = j;
    }
    return best;
}

// Hands small parts to the joints above, leaves first, and that of a root to its largest child. `counts` gets
// the particles of every joint, `heirs` whose part each joint's became.
static void merge_parts(snPartVolume* v, const snBinding* binding, uint32_t* counts, uint32_t* heirs) {
    for (uint32_t j = 0; j < binding->joint_count; j++) heirs[j] = j;
    for (uint32_t p = 0; p < v->particle_count; p++) counts[v->joint_parts[p]]++;
    for (uint32_t level = deepest_of(binding) + 1; level > 0; level--) {
        for (uint32_t j = 0; j < binding->joint_count; j++) {
            if (depth_of(binding, j) + 1 != level || counts[j] == 0 || counts[j] >= LEAST_PARTICLES) continue;
            uint32_t heir = level > 1 ? binding->parents[j] : largest_child(binding, counts, j);
            if (heir == SN_NONE) continue;
            heirs[j] = heir;
            counts[heir] += counts[j];
            counts[j] = 0;
        }
    }
    for (uint32_t p = 0; p < v->particle_count; p++) {
        uint32_t joint = v->joint_parts[p];
        while (heirs[joint] != joint) joint = heirs[joint];
        v->joint_parts[p] = joint;
    }
}

// Parts with particles: by depth of the joint in the tree, then by its number.
static void order_parts(snPartVolume* v, const snBinding* binding, const uint32_t* counts) {
    uint32_t deepest = deepest_of(binding);
    for (uint32_t depth = 0; depth <= deepest; depth++) {
        for (uint32_t j = 0; j < binding->joint_count; j++) {
            if (depth_of(binding, j) != depth || counts[j] == 0) continue;
            v->parts[v->part_count++] = (sniVolumePart){.joint = j, .member_count = counts[j]};
        }
    }
}

static bool branches_along(const snLattice* lattice, uint32_t p, uint32_t axis) {
    const uint32_t* starts = lattice->adjacent_starts + (size_t)SN_DIRECTIONS * p + 2 * (size_t)axis;
    return starts[1] - starts[0] > 1 || starts[2] - starts[1] > 1;
}

// Neighbours both ways, the particle itself where there are none.
static uint32_t ends_along(const snLattice* lattice, uint32_t p, uint32_t axis) {
    const uint32_t* starts = lattice->adjacent_starts + (size_t)SN_DIRECTIONS * p + 2 * (size_t)axis;
    return starts[2] - starts[0] + (starts[1] == starts[0]) + (starts[2] == starts[1]);
}

// Places of everything, and how much there is of it.
static void lay_out(snPartVolume* v, const snBinding* binding) {
    uint32_t members = 0;
    for (uint32_t i = 0; i < v->part_count; i++) {
        sniVolumePart* part = &v->parts[i];
        part->member_begin = members;
        part->block_begin = v->block_count;
        part->branch_begin = v->branch_count;
        part->block_count = (part->member_count + SNI_VOLUME_LANES - 1) / SNI_VOLUME_LANES;
        for (uint32_t p = 0; p < v->particle_count; p++) {
            if (v->joint_parts[p] != part->joint) continue;
            v->members[members++] = p;
            for (uint32_t axis = 0; axis < 3; axis++) {
                if (!branches_along(binding->lattice, p, axis)) continue;
                part->branch_count++;
                v->branch_end_count += ends_along(binding->lattice, p, axis);
            }
        }
        v->block_count += part->block_count;
        v->branch_count += part->branch_count;
        if (part->block_count > v->largest_blocks) v->largest_blocks = part->block_count;
    }
}

static void fill_lane(snPartVolume* v, const snLattice* lattice, const sniVolumePart* part, uint32_t slot) {
    uint32_t p = v->members[part->member_begin + slot], lane = slot % SNI_VOLUME_LANES;
    size_t block = part->block_begin + slot / SNI_VOLUME_LANES;
    const uint32_t* starts = lattice->adjacent_starts + (size_t)SN_DIRECTIONS * p;
    for (int d = 0; d < SN_DIRECTIONS; d++) {
        uint32_t end = starts[d] < starts[d + 1] ? lattice->adjacent[starts[d]] : p;
        v->blocks[block].ends[d][lane] = SNI_VOLUME_ROW * end;
        v->push_blocks[block].ends[d][lane] = SNI_VOLUME_ROW * sni_part_volume_place(v, part, end);
    }
}

// The ends of a particle's neighbours in one direction; itself where there are none.
static uint32_t list_ends(snPartVolume* v, const snLattice* lattice, const sniVolumePart* part, uint32_t p,
                          size_t direction) {
    const uint32_t* starts = lattice->adjacent_starts + (size_t)SN_DIRECTIONS * p + direction;
    uint32_t count = starts[1] - starts[0];
    for (uint32_t i = 0; i == 0 || i < count; i++, v->branch_end_count++) {
        uint32_t end = count > 0 ? lattice->adjacent[starts[0] + i] : p;
        v->branch_ends[v->branch_end_count] = end;
        v->branch_push_ends[v->branch_end_count] = sni_part_volume_place(v, part, end);
    }
    return v->branch_end_count;
}

static sniVolumeBranch branch_at(snPartVolume* v, const snLattice* lattice, const sniVolumePart* part,
                                 uint32_t slot, uint32_t axis) {
    uint32_t p = v->members[part->member_begin + slot];
    sniVolumeBranch branch = {.slot = slot, .axis = axis, .begin = v->branch_end_count};
    branch.middle = list_ends(v, lattice, part, p, 2 * (size_t)axis);
    branch.end = list_ends(v, lattice, part, p, 2 * (size_t)axis + 1);
    return branch;
}

static void fill_part(snPartVolume* v, const snLattice* lattice, const sniVolumePart* part) {
    sniVolumeBranch* branch = v->branches + part->branch_begin;
    for (uint32_t slot = 0; slot < part->block_count * SNI_VOLUME_LANES; slot++) {
        if (slot >= part->member_count) {
            // No volume; `push_blocks` is zero there already.
            for (int d = 0; d < SN_DIRECTIONS; d++) {
                v->blocks[part->block_begin + slot / SNI_VOLUME_LANES].ends[d][slot % SNI_VOLUME_LANES] =
                    SNI_VOLUME_ROW * v->members[part->member_begin];
            }
            continue;
        }
        fill_lane(v, lattice, part, slot);
        v->weights[(size_t)part->block_begin * SNI_VOLUME_LANES + slot] = 1.0f;
        uint32_t p = v->members[part->member_begin + slot];
        for (uint32_t axis = 0; axis < 3; axis++) {
            if (branches_along(lattice, p, axis)) *branch++ = branch_at(v, lattice, part, slot, axis);
        }
    }
}

// Whether the volume of a particle changes with the push of a part.
static bool moves_with(const snPartVolume* v, const snLattice* lattice, const sniVolumePart* part,
                       uint32_t p) {
    const uint32_t* starts = lattice->adjacent_starts + (size_t)SN_DIRECTIONS * p;
    for (uint32_t e = starts[0]; e < starts[SN_DIRECTIONS]; e++)
        if (sni_part_volume_place(v, part, lattice->adjacent[e]) != 0) return true;
    return sni_part_volume_place(v, part, p) != 0;
}

// Which parts have an end of an edge, or a particle, in reach of part `index`.
static void fill_touched(const snPartVolume* v, const snLattice* lattice, uint32_t index) {
    uint8_t* touched = v->touched + (size_t)index * v->part_count;
    for (uint32_t i = 0; i < v->part_count; i++) {
        const sniVolumePart* part = &v->parts[i];
        touched[i] = i == index;
        for (uint32_t k = 0; k < part->member_count && !touched[i]; k++)
            touched[i] = moves_with(v, lattice, &v->parts[index], v->members[part->member_begin + k]);
    }
}

static snResult create_lists(snPartVolume* v, const snBinding* binding) {
    const snAllocator* memory = &v->allocator;
    v->parts = SNI_NEW_ARRAY(memory, sniVolumePart, v->joint_count);
    v->members = SNI_NEW_ARRAY(memory, uint32_t, v->particle_count);
    v->shares = SNI_NEW_ARRAY(memory, float, v->particle_count);
    v->joint_parts =
        sni_copy_array(memory, binding->parts->joint_parts, v->particle_count, sizeof *v->joint_parts);
    bool ready = v->parts != NULL && v->members != NULL && v->shares != NULL && v->joint_parts != NULL;
    return ready ? SN_RESULT_OK : SN_RESULT_OUT_OF_MEMORY;
}

static snResult create_blocks(snPartVolume* v, const snBinding* binding) {
    uint32_t* counts = SNI_NEW_ARRAY(&v->allocator, uint32_t, (size_t)2 * v->joint_count);
    if (counts == NULL) return SN_RESULT_OUT_OF_MEMORY;
    merge_parts(v, binding, counts, counts + v->joint_count);
    order_parts(v, binding, counts);
    sni_free(&v->allocator, counts);
    lay_out(v, binding);
    if (sni_part_volume_windows(v, binding) != SN_RESULT_OK) return SN_RESULT_OUT_OF_MEMORY;
    v->blocks = SNI_NEW_ARRAY(&v->allocator, sniVolumeBlock, v->block_count);
    v->push_blocks = SNI_NEW_ARRAY(&v->allocator, sniVolumeBlock, v->block_count);
    v->branches = SNI_NEW_ARRAY(&v->allocator, sniVolumeBranch, v->branch_count);
    v->branch_ends = SNI_NEW_ARRAY(&v->allocator, uint32_t, v->branch_end_count);
    v->branch_push_ends = SNI_NEW_ARRAY(&v->allocator, uint32_t, v->branch_end_count);
    v->touched = SNI_NEW_ARRAY(&v->allocator, uint8_t, (size_t)v->part_count * v->part_count);
    v->weights = SNI_NEW_ARRAY(&v->allocator, float, (size_t)v->block_count* SNI_VOLUME_LANES);
    if (v->weights == NULL || v->blocks == NULL || v->push_blocks == NULL || v->branches == NULL ||
        v->branch_ends == NULL || v->branch_push_ends == NULL || v->touched == NULL) {
        return SN_RESULT_OUT_OF_MEMORY;
    }
    v->branch_end_count = 0; // counted again as they are listed
    for (uint32_t i = 0; i < v->part_count; i++) fill_touched(v, binding->lattice, i);
    for (uint32_t i = 0; i < v->part_count; i++) fill_part(v, binding->lattice, &v->parts[i]);
    return SN_RESULT_OK;
}

snResult sni_part_volume_tables(snPartVolume* volume, const snBinding* binding) {
    snResult result = create_lists(volume, binding);
    return result == SN_RESULT_OK ? create_blocks(volume, binding) : result;
}
