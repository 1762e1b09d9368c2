#include "lattice/voxels.h"
bool sni_voxels_crossings(sniVoxels* voxels) { return voxels != NULL; }
bool sni_voxels_interior(sniVoxels* voxels) { return voxels != NULL; }
uint32_t sni_voxels_find_inside(const sniVoxels* voxels, uint32_t x, uint32_t y, uint32_t z) {
    (void)voxels, (void)x, (void)y, (void)z;
    return SN_NONE;
}
// One copy per surface cell of each shell, joined to every neighbour.
bool sni_voxels_graph(sniVoxels* voxels) {
    uint32_t first = voxels->copies->count;
    for (uint32_t c = 0; c < voxels->cell_count; c++) {
        if (!sni_copies_add(voxels->copies, sni_voxels_grid_key(voxels, voxels->cell_keys[c]), 0))
            return false;
        for (uint32_t i = voxels->cell_starts[c]; i < voxels->cell_starts[c + 1]; i++) {
            const uint32_t* t =
                voxels->shells->triangles + 3 * (size_t)voxels->fragments[voxels->sorted[i]].triangle;
            for (int k = 0; k < 3; k++)
                if (sni_voxels_point_key(voxels, t[k]) == voxels->cell_keys[c])
                    voxels->copies->of_points[t[k]] = first + c;
        }
    }
    for (uint32_t c = 0; c < voxels->cell_count; c++) {
        uint32_t key = voxels->cell_keys[c];
        uint32_t at[3] = {key % voxels->size[0], key / voxels->size[0] % voxels->size[1],
                          key / voxels->size[0] / voxels->size[1]};
        for (uint32_t a = 0; a < 3; a++) {
            if (at[a] + 1 == voxels->size[a]) continue;
            at[a]++;
            uint32_t n = sni_voxels_find_cell(voxels, at[0], at[1], at[2]);
            at[a]--;
            if (n != SN_NONE && !sni_copies_link(voxels->copies, first + c, first + n, a)) return false;
        }
    }
    return true;
}
