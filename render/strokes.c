#include "strokes.h"

#include <stddef.h>

#include "base/error.h"
#include "base/memory.h"
#include "gpu_item.h"
#include "uniform.h"

// Each stroke is a quad in the plane of the picture. What lies behind the eye is cut off before it is
// divided; positions leave without a w, so that pixels are interpolated evenly.
static const char vertex_text[] =
    "layout(location = 0) in vec4 a;\n"
    "layout(location = 1) in vec4 b;\n"
    "layout(location = 2) in vec4 color;\n"
    "uniform mat4 view_projection;\n"
    "uniform vec3 eye;\n"
    "uniform vec2 half_size;\n"
    "uniform float scale, lift;\n"
    "out vec2 at;\n"    // pixels along and across, from a
    "out vec3 shape;\n" // length, radius at a and at b
    "out vec4 tint;\n"
    "vec4 project(vec3 p) { return view_projection * vec4(p + normalize(eye - p) * lift, 1.0); }\n"
    "void main() {\n"
    "    vec4 pa = project(a.xyz), pb = project(b.xyz);\n"
    "    const float near = 1e-3;\n"
    "    bool gone = pa.w < near && pb.w < near;\n"
    "    if (pa.w < near && !gone) pa = mix(pa, pb, (near - pa.w) / (pb.w - pa.w));\n"
    "    else if (pb.w < near && !gone) pb = mix(pb, pa, (near - pb.w) / (pa.w - pb.w));\n"
    "    vec3 na = pa.xyz / pa.w, nb = pb.xyz / pb.w;\n"
    "    vec2 along = (nb.xy - na.xy) * half_size;\n"
    "    float pixels = length(along);\n"
    "    vec2 dir = pixels > 1e-6 ? along / pixels : vec2(1.0, 0.0);\n"
    "    shape = vec3(pixels, 0.5 * scale * a.w, 0.5 * scale * b.w);\n"
    "    float reach = max(shape.y, shape.z) + 1.0;\n"
    "    bool first = (gl_VertexID >> 1) == 0;\n"
    "    at = vec2(first ? -reach : pixels + reach, (gl_VertexID & 1) == 0 ? -reach : reach);\n"
    "    vec2 place = na.xy * half_size + dir * at.x + vec2(-dir.y, dir.x) * at.y;\n"
    "    tint = vec4(mix(color.rgb / 12.92, pow((color.rgb + 0.055) / 1.055, vec3(2.4)),\n"
    "                    step(0.04045, color.rgb)), color.a);\n"
    "    gl_Position = gone ? vec4(2.0, 2.0, 2.0, 1.0)\n"
    "                       : vec4(place / half_size, first ? na.z : nb.z, 1.0);\n"
    "}\n";
static const char fragment_text[] =
    "in vec2 at;\n"
    "in vec3 shape;\n"
    "in vec4 tint;\n"
    "out vec4 result;\n"
    "void main() {\n"
    "    float beyond = max(-at.x, at.x - shape.x), d;\n"
    "    if (shape.y == shape.z) {\n"
    "        d = length(vec2(max(beyond, 0.0), at.y)) - shape.y;\n"
    "    } else {\n"
    "        float radius = mix(shape.y, shape.z, clamp(at.x / max(shape.x, 1e-6), 0.0, 1.0));\n"
    "        d = max(abs(at.y) - radius, beyond);\n"
    "    }\n"
    "    float cover = clamp(0.5 - d, 0.0, 1.0);\n"
    "    if (cover <= 0.0) discard;\n"
    "    result = vec4(tint.rgb, tint.a * cover);\n"
    "}\n";

snResult sn_strokes_open(snStrokes* strokes, const snAllocator* allocator, snError* error) {
    *strokes = (snStrokes){.allocator = *allocator};
    strokes->program = sn_gl_program("stroke", vertex_text, fragment_text, error);
    if (strokes->program == 0) return SN_RESULT_UNSUPPORTED;
    glGenVertexArrays(1, &strokes->arrays);
    glGenBuffers(1, &strokes->buffer);
    glBindVertexArray(strokes->arrays);
    glBindBuffer(GL_ARRAY_BUFFER, strokes->buffer);
    sn_gpu_attribute(0, 4, sizeof(snStroke), offsetof(snStroke, a), 1);
    sn_gpu_attribute(1, 4, sizeof(snStroke), offsetof(snStroke, b), 1);
    glEnableVertexAttribArray(2);
    const void* color = (const void*)offsetof(snStroke, color); // NOLINT(performance-no-int-to-ptr)
    glVertexAttribPointer(2, 4, GL_UNSIGNED_BYTE, GL_TRUE, sizeof(snStroke), color);
    glVertexAttribDivisor(2, 1);
    glBindVertexArray(0);
    return SN_RESULT_OK;
}

void sn_strokes_close(snStrokes* strokes) {
    if (strokes->program == 0) return;
    glDeleteProgram(strokes->program);
    glDeleteVertexArrays(1, &strokes->arrays);
    glDeleteBuffers(1, &strokes->buffer);
    sni_free(&strokes->allocator, strokes->list);
    *strokes = (snStrokes){0};
}

void sn_strokes_add(snStrokes* strokes, snVec3 a, snVec3 b, float size_a, float size_b, uint32_t color) {
    void* list = strokes->list;
    if (!sni_grow(&strokes->allocator, &list, &strokes->capacity, strokes->count + 1, sizeof(snStroke))) {
        strokes->failed = true;
        return;
    }
    strokes->list = list;
    strokes->list[strokes->count++] = (snStroke){a,
                                                 size_a,
                                                 b,
                                                 size_b,
                                                 {(uint8_t)(color >> 24), (uint8_t)(color >> 16 & 255),
                                                  (uint8_t)(color >> 8 & 255), (uint8_t)(color & 255)}};
}

uint32_t sn_strokes_draw(const snStrokes* strokes, size_t first, size_t count, const snStrokesView* view) {
    if (count == 0) return 0;
    GLuint p = strokes->program;
    glUseProgram(p);
    sn_uniform_mat4(p, "view_projection", &view->view_projection);
    sn_uniform_vec3(p, "eye", view->eye);
    sn_uniform_vec2(p, "half_size", 0.5f * view->width, 0.5f * view->height);
    sn_uniform_float(p, "scale", view->scale);
    sn_uniform_float(p, "lift", view->lift);
    glBindVertexArray(strokes->arrays);
    glBindBuffer(GL_ARRAY_BUFFER, strokes->buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(count * sizeof(snStroke)), strokes->list + first,
                 GL_STREAM_DRAW);
    sn_gl_blend();
    glDepthMask(GL_FALSE);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, (GLsizei)count);
    glDepthMask(GL_TRUE);
    glDisable(GL_BLEND);
    return 1;
}
