#include "gpu_item.h"

#include <stddef.h>

void sn_gpu_attribute(GLuint index, GLint floats, size_t stride, size_t offset, GLuint divisor) {
    glEnableVertexAttribArray(index);
    // OpenGL takes offsets into the bound buffer in a pointer's clothes.
    glVertexAttribPointer(index, floats, GL_FLOAT, GL_FALSE, (GLsizei)stride,
                          (const void*)(uintptr_t)offset); // NOLINT(performance-no-int-to-ptr)
    glVertexAttribDivisor(index, divisor);
}

static void upload_triangles(snGpuItem* gpu) {
    const snGeometry* g = gpu->geometry;
    glGenVertexArrays(1, &gpu->arrays);
    glBindVertexArray(gpu->arrays);
    glGenBuffers(1, &gpu->vertices);
    glBindBuffer(GL_ARRAY_BUFFER, gpu->vertices);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(g->vertex_count * sizeof *g->vertices), g->vertices,
                 GL_STREAM_DRAW);
    sn_gpu_attribute(0, 3, sizeof(snGpuVertex), offsetof(snGpuVertex, position), 0);
    sn_gpu_attribute(1, 3, sizeof(snGpuVertex), offsetof(snGpuVertex, normal), 0);
    sn_gpu_attribute(2, 3, sizeof(snGpuVertex), offsetof(snGpuVertex, color), 0);
    sn_gpu_attribute(3, 2, sizeof(snGpuVertex), offsetof(snGpuVertex, u), 0);
    sn_gpu_attribute(4, 1, sizeof(snGpuVertex), offsetof(snGpuVertex, heat), 0);
    glGenBuffers(1, &gpu->indices);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, gpu->indices);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)(g->index_count * sizeof *g->indices), g->indices,
                 GL_STREAM_DRAW);
}

static void upload_edges(snGpuItem* gpu) {
    const snGeometry* g = gpu->geometry;
    glGenVertexArrays(1, &gpu->edge_arrays);
    glBindVertexArray(gpu->edge_arrays);
    glGenBuffers(1, &gpu->edges);
    glBindBuffer(GL_ARRAY_BUFFER, gpu->edges);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(g->edge_count * sizeof *g->edges), g->edges, GL_STREAM_DRAW);
    sn_gpu_attribute(0, 3, sizeof *g->edges, 0, 1);
    sn_gpu_attribute(1, 3, sizeof *g->edges, sizeof(snVec3), 1);
}

void sn_gpu_item_attach(const snGpuItem* gpu, const snHung* hung) {
    glBindVertexArray(gpu->arrays);
    glBindBuffer(GL_ARRAY_BUFFER, hung->surface.places);
    sn_gpu_attribute(0, 3, sizeof(snHungVertex), offsetof(snHungVertex, position), 0);
    sn_gpu_attribute(1, 3, sizeof(snHungVertex), offsetof(snHungVertex, normal), 0);
    if (hung->wires.count > 0) {
        glBindVertexArray(gpu->edge_arrays);
        glBindBuffer(GL_ARRAY_BUFFER, hung->wires.places);
        sn_gpu_attribute(0, 3, 2 * sizeof(snHungVertex), offsetof(snHungVertex, position), 1);
        sn_gpu_attribute(1, 3, 2 * sizeof(snHungVertex),
                         sizeof(snHungVertex) + offsetof(snHungVertex, position), 1);
    }
    glBindVertexArray(0);
    glBindBuffer(GL_ARRAY_BUFFER, 0); // WebGL writes into no buffer that is bound for reading
}

snResult sn_gpu_item_open(const snShot* scene, const snShotItem* item, const snAllocator* allocator,
                          snGpuItem* out, snError* error) {
    snGpuItem gpu = {.item = item};
    snResult result = sn_geometry_create(scene, item, allocator, &gpu.geometry, error);
    if (result != SN_RESULT_OK) return result;
    upload_triangles(&gpu);
    if (gpu.geometry->edge_count > 0) upload_edges(&gpu);
    snSceneFrame frame = sn_scene_frame(scene->bounds);
    if (item->lattice != NULL) {
        result = sn_shot_lattice_hang(item->lattice, gpu.geometry, frame, item->particles, error);
        if (result == SN_RESULT_OK) sn_gpu_item_attach(&gpu, &item->lattice->hung);
    } else if (item->splines != NULL) {
        result = sn_shot_spline_hang(item->splines, gpu.geometry, frame, item->spline_matrices,
                                     item->spline_poses, error);
        if (result == SN_RESULT_OK) sn_gpu_item_attach(&gpu, &item->splines->hung);
    }
    glBindVertexArray(0);
    if (result == SN_RESULT_OK)
        *out = gpu;
    else
        sn_gpu_item_close(&gpu);
    return result;
}

bool sn_gpu_item_flat(const snGpuItem* item) {
    const snShotItem* i = item->item;
    if (i->lattice != NULL) return i->lattice->def.normals == NULL;
    return i->splines == NULL && i->normals == NULL;
}

void sn_gpu_item_close(snGpuItem* item) {
    glDeleteVertexArrays(1, &item->arrays);
    glDeleteVertexArrays(1, &item->edge_arrays);
    glDeleteBuffers(1, &item->vertices);
    glDeleteBuffers(1, &item->indices);
    glDeleteBuffers(1, &item->edges);
    sn_geometry_destroy(item->geometry);
    *item = (snGpuItem){0};
}

void sn_gpu_item_cull(const snGpuItem* item) {
    if (item->item->one_sided) {
        glEnable(GL_CULL_FACE);
    } else {
        glDisable(GL_CULL_FACE);
    }
}

void sn_gpu_item_draw_range(const snGpuItem* item, const snGpuRange* range) {
    glBindVertexArray(item->arrays);
    const void* first = (const void*)(range->first * sizeof(uint32_t)); // NOLINT(performance-no-int-to-ptr)
    glDrawElements(GL_TRIANGLES, (GLsizei)range->count, GL_UNSIGNED_INT, first);
}

void sn_gpu_item_draw_all(const snGpuItem* item) {
    snGpuRange all = {NULL, 0, item->geometry->index_count};
    sn_gpu_item_draw_range(item, &all);
}

void sn_gpu_item_draw_edges(const snGpuItem* item) {
    if (item->geometry->edge_count == 0) return;
    glBindVertexArray(item->edge_arrays);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, (GLsizei)item->geometry->edge_count);
}
