// Surfaces that the GPU moves by itself: a pass of vertices writes where they are into buffers (transform
// feedback), which every later pass then reads as plain attributes. What lattices and splines share.
#ifndef SINEW_HUNG_H
#define SINEW_HUNG_H

#include "geometry.h"
#include "gl_context.h"
#include "target.h"

// What the pass writes for each vertex, in scene units.
typedef struct snHungVertex {
    snVec3 position;
    snVec3 normal;
} snHungVertex;

// A list of vertices.
typedef struct snHungList {
    uint32_t count;
    GLuint arrays;
    GLuint sources; // what the pass reads
    GLuint places;  // snHungVertex; written by the pass
} snHungList;

// One attribute of what the pass reads.
typedef struct snHungAttribute {
    GLint count;   // numbers, 1 .. 4
    bool whole;    // uint32_t instead of float
    size_t offset; // bytes
} snHungAttribute;

typedef struct snHung snHung;
// Fills what the pass reads for `count` vertices of the mesh.
typedef void snHungFillFn(const snHung* hung, const uint32_t* vertices, uint32_t count, void* out_sources);

struct snHung {
    const snMesh* mesh;
    GLuint program; // not owned
    const snHungAttribute* attributes;
    uint32_t attribute_count;
    size_t stride;      // bytes of one source
    snHungFillFn* fill; // the owner is found from `hung`, its first member
    snTarget nowhere;   // OpenGL wants one to draw into even when nothing reaches it
    snHungList surface; // the vertices of an snGeometry of the mesh
    snHungList wires;   // both ends of its edges; empty until a wireframe is drawn
    snAllocator allocator;
};

// The program for the current context, in the GLSL it speaks: `text` and `main_text` make the vertex shader,
// which writes `place` and `normal`. 0 on failure.
GLuint sn_hung_program(const char* name, const char* text, const char* main_text, snError* error);
// Makes the list of the surface; everything above `nowhere` is set.
snResult sn_hung_open(snHung* hung, snError* error);
void sn_hung_close(snHung* hung);
// Makes sure of the wires where the geometry has edges, and uses the program; textures are to be bound then.
snResult sn_hung_begin(snHung* hung, const snGeometry* geometry, snError* error);
// Fills the surface, and the wires where there are any.
void sn_hung_run(const snHung* hung);

// Textures for texelFetch, SN_TEXEL_ROW texels wide: item i at (i % SN_TEXEL_ROW, i / SN_TEXEL_ROW). The
// shaders know it too.
#define SN_TEXEL_ROW 1024
static inline uint32_t sn_texel_rows(uint64_t texels) {
    uint64_t rows = (texels + SN_TEXEL_ROW - 1) / SN_TEXEL_ROW;
    return rows == 0 ? 1 : rows > UINT32_MAX ? UINT32_MAX : (uint32_t)rows;
}
// `texels` are whole rows, or NULL. False when it is higher than OpenGL allows.
bool sn_texels_open(GLuint* out, GLint internal, GLenum format, GLenum type, uint32_t rows,
                    const void* texels);
// New RGBA32F texels, whole rows.
void sn_texels_write(GLuint texture, uint32_t rows, const snVec4* texels);

#endif
