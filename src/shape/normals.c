// Area-weighted normals: the sum of the faces' area vectors.
#include "sinew/shape.h"

// Twice the area vector of a polygon (Newell's sum), relative to its first corner so that a mesh far from the
// origin keeps its digits.
static snVec3 area_vector(const snMesh* mesh, const snVec3* positions, uint32_t face) {
    uint32_t begin = mesh->face_starts[face];
    snVec3 origin = positions[mesh->corners[begin]];
    snVec3 sum = {0, 0, 0};
    snVec3 previous = sn_sub(positions[mesh->corners[begin + 1]], origin);
    for (uint32_t c = begin + 2; c < mesh->face_starts[face + 1]; c++) {
        snVec3 current = sn_sub(positions[mesh->corners[c]], origin);
        sum = sn_add(sum, sn_cross(previous, current));
        previous = current;
    }
    return sum;
}

// The vertex whose slot collects the sum for `vertex`: the first of its point.
static uint32_t collector(const snWeld* weld, uint32_t vertex) {
    return weld != NULL ? weld->vertex_of_point[weld->point_of_vertex[vertex]] : vertex;
}

snResult sn_normals_run(const snNormalsJob* job) {
    if (job == NULL || job->mesh == NULL || job->out_normals == NULL) return SN_RESULT_INVALID_ARGUMENT;
    const snMesh* mesh = job->mesh;
    const snWeld* weld = job->weld;
    if (weld != NULL && weld->vertex_count != mesh->vertex_count) return SN_RESULT_INVALID_ARGUMENT;
    const snVec3* positions = job->positions != NULL ? job->positions : mesh->positions;
    snVec3* normals = job->out_normals;

    for (uint32_t v = 0; v < mesh->vertex_count; v++) normals[v] = sn_vec3(0, 0, 0);
    for (uint32_t f = 0; f < mesh->face_count; f++) {
        snVec3 area = area_vector(mesh, positions, f);
        for (uint32_t c = mesh->face_starts[f]; c < mesh->face_starts[f + 1]; c++) {
            uint32_t v = collector(weld, mesh->corners[c]);
            normals[v] = sn_add(normals[v], area);
        }
    }
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        uint32_t first = collector(weld, v);
        // A point's first vertex comes before its others, so it is already normalised when they copy it.
        normals[v] = first == v ? sn_normalize_or(normals[v], sn_vec3(0, 1, 0)) : normals[first];
    }
    return SN_RESULT_OK;
}
