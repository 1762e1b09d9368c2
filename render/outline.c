#include "outline.h"

#include "base/error.h"
#include "ramp.h"
#include "shaders.h"
#include "uniform.h"

static const char mask_vertex[] = "layout(location = 0) in vec3 position;\n"
                                  "uniform mat4 view_projection;\n"
                                  "void main() { gl_Position = view_projection * vec4(position, 1.0); }\n";
static const char mask_fragment[] = "out vec4 result;\n"
                                    "void main() { result = vec4(1.0); }\n";

// Two circles of taps around each pixel outside: the line is solid within the inner one and fades to the
// outer one.
static const char line_fragment[] =
    "uniform sampler2D mask;\n"
    "uniform float width;\n"
    "uniform vec4 color;\n"
    "out vec4 result;\n"
    "float around(vec2 at, vec2 texel, float radius) {\n"
    "    float most = 0.0;\n"
    "    for (int i = 0; i < 12; i++) {\n"
    "        float angle = 0.5235988 * float(i);\n"
    "        most = max(most, textureLod(mask, at + texel * radius * vec2(cos(angle), sin(angle)), 0.0).r);\n"
    "    }\n"
    "    return most;\n"
    "}\n"
    "void main() {\n"
    "    vec2 texel = 1.0 / vec2(textureSize(mask, 0)), at = gl_FragCoord.xy * texel;\n"
    "    float inside = textureLod(mask, at, 0.0).r;\n"
    "    if (inside >= 1.0) discard;\n"
    "    float cover = max(around(at, texel, 0.6 * width), 0.6 * around(at, texel, width));\n"
    "    cover *= 1.0 - inside;\n"
    "    if (cover <= 0.0) discard;\n"
    "    result = vec4(color.rgb, color.a * cover);\n"
    "}\n";

snResult sn_outline_open(snOutline* outline, snError* error) {
    outline->mask_program = sn_gl_program("outline mask", mask_vertex, mask_fragment, error);
    if (outline->mask_program == 0) return SN_RESULT_UNSUPPORTED;
    outline->line_program = sn_gl_program("outline", sn_glsl_screen_vertex, line_fragment, error);
    if (outline->line_program == 0) return SN_RESULT_UNSUPPORTED;
    glGenVertexArrays(1, &outline->empty_arrays);
    return SN_RESULT_OK;
}

void sn_outline_close(snOutline* outline) {
    glDeleteProgram(outline->mask_program);
    glDeleteProgram(outline->line_program);
    glDeleteVertexArrays(1, &outline->empty_arrays);
    sn_target_close(&outline->mask);
    *outline = (snOutline){0};
}

bool sn_outline_begin(snOutline* outline, uint32_t width, uint32_t height) {
    if (outline->mask.width != width || outline->mask.height != height) {
        sn_target_close(&outline->mask);
        if (!sn_target_open_texture(&outline->mask, width, height)) return false;
    }
    sn_target_use(&outline->mask);
    return true;
}

void sn_outline_add(const snOutline* outline, const snGpuItem* item, const snMat4* view_projection) {
    glUseProgram(outline->mask_program);
    sn_uniform_mat4(outline->mask_program, "view_projection", view_projection);
    sn_gpu_item_cull(item);
    sn_gpu_item_draw_all(item);
    glDisable(GL_CULL_FACE);
}

void sn_outline_draw(const snOutline* outline, float width, uint32_t color) {
    GLuint p = outline->line_program;
    glUseProgram(p);
    sn_uniform_texture(p, "mask", 0, outline->mask.color);
    sn_uniform_float(p, "width", width);
    glUniform4f(glGetUniformLocation(p, "color"), sn_srgb_decode((float)(color >> 24) / 255.0f),
                sn_srgb_decode((float)(color >> 16 & 255) / 255.0f),
                sn_srgb_decode((float)(color >> 8 & 255) / 255.0f), (float)(color & 255) / 255.0f);
    sn_gl_blend();
    glBindVertexArray(outline->empty_arrays);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glDisable(GL_BLEND);
}
