// A scene item in OpenGL buffers: for the length of one picture, or kept by a viewport.
#ifndef SINEW_GPU_ITEM_H
#define SINEW_GPU_ITEM_H

#include "geometry.h"
#include "gl_context.h"
#include "shot_lattice.h"
#include "shot_spline.h"

typedef struct snGpuItem {
    const snShotItem* item;
    snGeometry* geometry;
    GLuint arrays, vertices, indices;
    GLuint edge_arrays, edges; // 0 without a wireframe
} snGpuItem;

snResult sn_gpu_item_open(const snShot* scene, const snShotItem* item, const snAllocator* allocator,
                          snGpuItem* out, snError* error);
// Takes positions and normals, and ends of edges where there are any, from where the GPU put them.
void sn_gpu_item_attach(const snGpuItem* item, const snHung* hung);
// An attribute of floats from the bound buffer for the bound arrays.
void sn_gpu_attribute(GLuint index, GLint floats, size_t stride, size_t offset, GLuint divisor);
// Whether it has no normals but those of its faces.
bool sn_gpu_item_flat(const snGpuItem* item);
void sn_gpu_item_close(snGpuItem* item);
// Turns back faces off or on, as the item allows.
void sn_gpu_item_cull(const snGpuItem* item);
// Draws all triangles with the current program.
void sn_gpu_item_draw_all(const snGpuItem* item);
void sn_gpu_item_draw_range(const snGpuItem* item, const snGpuRange* range);
void sn_gpu_item_draw_edges(const snGpuItem* item);

#endif
