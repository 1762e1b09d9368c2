#include "lattice/mend.h"

#include "base/memory.h"

// Points on an edge with a single side, in rising order; marks holds one entry a point and is left with the
// place of each in the list.
static uint32_t list_border(const sniShells* shells, uint32_t* marks, uint32_t* list) {
    for (uint32_t p = 0; p < shells->point_count; p++) marks[p] = SN_NONE;
    for (uint32_t i = 0; i < shells->starts[shells->count]; i++) {
        uint32_t triangle = shells->members[i];
        const uint32_t* corners = shells->triangles + 3 * (size_t)triangle;
        for (uint32_t k = 0; k < 3; k++) {
            if (shells->mates[3 * triangle + k] != 3 * triangle + k) continue;
            marks[corners[k]] = 0;
            marks[corners[k == 2 ? 0 : k + 1]] = 0;
        }
    }
    uint32_t count = 0;
    for (uint32_t p = 0; p < shells->point_count; p++) {
        if (marks[p] == SN_NONE) continue;
        marks[p] = count;
        list[count++] = p;
    }
    return count;
}

// marks[p] becomes the point that p is joined by.
static snResult join_border(const sniShells* shells, const snVec3* positions, float reach,
                            const uint32_t* shell_of_points, uint32_t* marks, const uint32_t* list,
                            uint32_t count) {
    snVec3* border = SNI_NEW_ARRAY(&shells->allocator, snVec3, count);
    if (border == NULL) return SN_RESULT_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < count; i++) border[i] = positions[list[i]];
    snWeld* weld = NULL;
    snResult result = sn_weld_create(border, count, reach, &shells->allocator, &weld, NULL);
    sni_free(&shells->allocator, border);
    if (result != SN_RESULT_OK) return result;
    for (uint32_t p = 0; p < shells->point_count; p++) {
        uint32_t place = marks[p];
        marks[p] = p;
        if (place == SN_NONE) continue;
        uint32_t first = list[weld->vertex_of_point[weld->point_of_vertex[place]]];
        if (shell_of_points[first] != shell_of_points[p]) marks[p] = first;
    }
    sn_weld_destroy(weld);
    return SN_RESULT_OK;
}

snResult sni_mend_borders(const sniShells* shells, const snVec3* positions, float reach,
                          const uint32_t* shell_of_points, uint32_t* ids, bool* changed) {
    const snAllocator* memory = &shells->allocator;
    uint32_t* marks = SNI_NEW_ARRAY(memory, uint32_t, shells->point_count);
    uint32_t* list = SNI_NEW_ARRAY(memory, uint32_t, shells->point_count);
    snResult result = marks != NULL && list != NULL ? SN_RESULT_OK : SN_RESULT_OUT_OF_MEMORY;
    if (result == SN_RESULT_OK) {
        uint32_t count = list_border(shells, marks, list);
        result = join_border(shells, positions, reach, shell_of_points, marks, list, count);
    }
    *changed = false;
    for (size_t i = 0; i < (size_t)shells->triangle_count * 3 && result == SN_RESULT_OK; i++) {
        ids[i] = marks[shells->triangles[i]];
        *changed = *changed || ids[i] != shells->triangles[i];
    }
    sni_free(memory, marks);
    sni_free(memory, list);
    return result;
}
