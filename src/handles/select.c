// Choosing vertices.
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "handles/selector.h"

snResult sn_selector_create(const snMesh* mesh, const snWeld* weld, const snAllocator* allocator,
                            snSelector** out, snError* error) {
    if (mesh == NULL || out == NULL || (weld != NULL && weld->vertex_count != mesh->vertex_count)) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a mesh, its weld and an output are needed");
    }
    snAllocator memory = sni_allocator(allocator);
    snSelector* selector = SNI_NEW(&memory, snSelector);
    if (selector == NULL) return sni_fail_memory(error);
    selector->allocator = memory;
    selector->mesh = mesh;
    selector->points.allocator = memory;
    snResult result = sni_points_create(mesh, weld, &memory, &selector->points, error);
    if (result == SN_RESULT_OK) {
        uint32_t count = selector->points.point_count;
        selector->marks = SNI_NEW_ARRAY(&memory, uint8_t, count);
        selector->rings = SNI_NEW_ARRAY(&memory, uint32_t, count);
        selector->queue = SNI_NEW_ARRAY(&memory, uint32_t, count);
        if (selector->marks == NULL || selector->rings == NULL || selector->queue == NULL ||
            !sni_distances_create(count, &memory, &selector->distances))
            result = sni_fail_memory(error);
    }
    if (result == SN_RESULT_OK)
        *out = selector;
    else
        sn_selector_destroy(selector);
    return result;
}

void sn_selector_destroy(snSelector* selector) {
    if (selector == NULL) return;
    snAllocator memory = selector->allocator;
    sni_points_free(&selector->points);
    sni_distances_free(&memory, &selector->distances);
    sni_free(&memory, selector->marks);
    sni_free(&memory, selector->rings);
    sni_free(&memory, selector->queue);
    sni_free(&memory, selector);
}

static void combine_mark(snCombine combine, bool found, uint8_t* mark) {
    switch (combine) {
    case SN_COMBINE_ADD:
        *mark = *mark != 0 || found;
        break;
    case SN_COMBINE_SUBTRACT:
        *mark = *mark != 0 && !found;
        break;
    case SN_COMBINE_KEEP:
        *mark = *mark != 0 && found;
        break;
    default:
        *mark = found;
        break;
    }
}

static const snVec3* positions_or_own(const snSelector* selector, const snVec3* positions) {
    return positions != NULL ? positions : selector->mesh->positions;
}

// ------------------------------------------------------------------------------------------------- places

static bool in_box(const snScreenBox* box, snVec3 p) {
    const float* m = box->view_projection.m;
    float w = m[3] * p.x + m[7] * p.y + m[11] * p.z + m[15];
    if (!(w > 0.0f)) return false;
    snVec3 clip = sn_mat4_point(&box->view_projection, p);
    float x = clip.x / w, y = clip.y / w;
    return x >= sn_minf(box->x0, box->x1) && x <= sn_maxf(box->x0, box->x1) &&
           y >= sn_minf(box->y0, box->y1) && y <= sn_maxf(box->y0, box->y1);
}

void sn_select_box(const snSelector* selector, const snVec3* positions, const snScreenBox* box,
                   snCombine combine, uint8_t* marks) {
    positions = positions_or_own(selector, positions);
    for (uint32_t v = 0; v < selector->mesh->vertex_count; v++) {
        combine_mark(combine, in_box(box, positions[v]), &marks[v]);
    }
}

void sn_select_flood(snSelector* selector, const snVec3* positions, const snScreenBox* box, uint32_t seed,
                     snCombine combine, uint8_t* marks) {
    const sniPoints* points = &selector->points;
    uint32_t vertex_count = selector->mesh->vertex_count;
    positions = positions_or_own(selector, positions);
    memset(selector->marks, 0, points->point_count);
    uint32_t count = 0;
    if (seed < vertex_count && in_box(box, positions[seed])) {
        uint32_t p = points->point_of_vertex[seed];
        selector->marks[p] = 1;
        selector->queue[count++] = p;
    }
    while (count > 0) {
        uint32_t p = selector->queue[--count];
        for (uint32_t i = points->starts[p]; i < points->starts[p + 1]; i++) {
            uint32_t n = points->neighbours[i];
            if (selector->marks[n] || !in_box(box, positions[points->vertex_of_point[n]])) continue;
            selector->marks[n] = 1;
            selector->queue[count++] = n;
        }
    }
    for (uint32_t v = 0; v < vertex_count; v++) {
        combine_mark(combine, selector->marks[points->point_of_vertex[v]] != 0, &marks[v]);
    }
}

void sn_select_facing(const snSelector* selector, const snVec3* positions, const snVec3* normals, snVec3 eye,
                      snCombine combine, uint8_t* marks) {
    positions = positions_or_own(selector, positions);
    for (uint32_t v = 0; v < selector->mesh->vertex_count; v++) {
        combine_mark(combine, sn_dot(normals[v], sn_sub(eye, positions[v])) > 0.0f, &marks[v]);
    }
}

void sn_select_bounds(const snSelector* selector, const snVec3* positions, snBounds bounds, snCombine combine,
                      uint8_t* marks) {
    positions = positions_or_own(selector, positions);
    snVec3 a = bounds.min, b = bounds.max;
    for (uint32_t v = 0; v < selector->mesh->vertex_count; v++) {
        snVec3 p = positions[v];
        bool inside = p.x >= a.x && p.y >= a.y && p.z >= a.z && p.x <= b.x && p.y <= b.y && p.z <= b.z;
        combine_mark(combine, inside, &marks[v]);
    }
}

void sn_select_ball(const snSelector* selector, const snVec3* positions, snVec3 center, float radius,
                    snCombine combine, uint8_t* marks) {
    positions = positions_or_own(selector, positions);
    for (uint32_t v = 0; v < selector->mesh->vertex_count; v++) {
        combine_mark(combine, sn_distance(positions[v], center) <= radius, &marks[v]);
    }
}

void sn_select_brush(snSelector* selector, const snVec3* positions, uint32_t seed, float radius,
                     snCombine combine, uint8_t* marks, float* out_distances) {
    const sniPoints* points = &selector->points;
    uint32_t vertex_count = selector->mesh->vertex_count;
    positions = positions_or_own(selector, positions);
    uint32_t point = seed < vertex_count ? points->point_of_vertex[seed] : 0;
    uint32_t seed_count = seed < vertex_count && radius >= 0.0f;
    sni_distances_run(points, positions, &point, seed_count, radius, &selector->distances);
    for (uint32_t v = 0; v < vertex_count; v++) {
        float distance = selector->distances.values[points->point_of_vertex[v]];
        combine_mark(combine, distance <= radius, &marks[v]);
        if (out_distances != NULL) out_distances[v] = distance;
    }
}

// -------------------------------------------------------------------------------------------- what is said

// Vertices found in the order of faces; 2 in the marks until they are put together.
snResult sn_select_group(const snSelector* selector, const char* name, snCombine combine, uint8_t* marks,
                         snError* error) {
    const snMesh* mesh = selector->mesh;
    bool known = false;
    for (uint32_t g = 0; g < mesh->group_count; g++) known |= strcmp(mesh->group_names[g], name) == 0;
    if (!known || mesh->face_groups == NULL) {
        return sni_fail(error, SN_RESULT_NOT_FOUND, "the mesh has no group \"%s\"", name);
    }
    enum { FOUND = 2 };
    for (uint32_t v = 0; v < mesh->vertex_count; v++) marks[v] = marks[v] != 0;
    for (uint32_t f = 0; f < mesh->face_count; f++) {
        uint32_t group = mesh->face_groups[f];
        if (group == SN_NONE || strcmp(mesh->group_names[group], name) != 0) continue;
        for (uint32_t c = mesh->face_starts[f]; c < mesh->face_starts[f + 1]; c++) {
            marks[mesh->corners[c]] |= FOUND;
        }
    }
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        bool found = (marks[v] & FOUND) != 0;
        marks[v] &= 1;
        combine_mark(combine, found, &marks[v]);
    }
    return SN_RESULT_OK;
}

snResult sn_select_color(const snSelector* selector, snVec3 color, float tolerance, snCombine combine,
                         uint8_t* marks, snError* error) {
    const snMesh* mesh = selector->mesh;
    if (mesh->colors == NULL) {
        return sni_fail(error, SN_RESULT_NOT_FOUND, "the mesh has no vertex colors");
    }
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        snVec4 own = mesh->colors[v];
        float most = sn_maxf(sn_maxf(fabsf(own.x - color.x), fabsf(own.y - color.y)), fabsf(own.z - color.z));
        combine_mark(combine, most <= tolerance, &marks[v]);
    }
    return SN_RESULT_OK;
}

static float share_of_joint(const snModel* model, const snPart* part, uint32_t vertex, uint32_t joint) {
    if (part->skin == SN_NONE) return part->joint == joint ? 1.0f : 0.0f;
    const snSkin* skin = &model->skins[part->skin];
    const snWeights* weights = &part->weights;
    float share = 0.0f;
    for (uint32_t i = 0; i < weights->influences; i++) {
        size_t at = (size_t)vertex * weights->influences + i;
        if (weights->joints[at] < skin->joint_count && skin->joints[weights->joints[at]] == joint)
            share += weights->weights[at];
    }
    return share;
}

void sn_select_joint(const snModel* model, uint32_t joint, float share, snCombine combine, uint8_t* marks) {
    for (uint32_t p = 0; p < model->part_count; p++) {
        const snPart* part = &model->parts[p];
        for (uint32_t v = 0; v < part->mesh->vertex_count; v++) {
            float own = share_of_joint(model, part, v, joint);
            combine_mark(combine, own > 0.0f && own >= share, marks++);
        }
    }
}
