#include "shot_points.h"

#include "base/error.h"
#include "base/memory.h"
#include "uniform.h"

static const snHungAttribute attributes[] = {{1, true, 0}};

// Normals are folded onto an octahedron (Cigolle et al. 2014), 16 bits a side.
static const char text[] =
    "uniform highp usampler2D points;\n"
    "vec3 unfold(uint folded) {\n"
    "    vec2 p = vec2(float(folded & 0xffffu), float(folded >> 16)) / 32767.0 - 1.0;\n"
    "    vec3 n = vec3(p, 1.0 - abs(p.x) - abs(p.y));\n"
    "    float over = max(-n.z, 0.0);\n"
    "    n.x += n.x < 0.0 ? over : -over;\n"
    "    n.y += n.y < 0.0 ? over : -over;\n"
    "    return normalize(n);\n"
    "}\n";

static const char main_text[] =
    "layout(location = 0) in uint vertex;\n"
    "out vec3 place;\n"
    "out vec3 normal;\n"
    "void main() {\n"
    "    uvec4 texel = texelFetch(points, ivec2(int(vertex & 1023u), int(vertex >> 10)), 0);\n"
    "    place = uintBitsToFloat(texel.xyz);\n"
    "    normal = unfold(texel.w);\n"
    "    gl_Position = vec4(0.0, 0.0, 0.0, 1.0);\n"
    "}\n";

GLuint sn_shot_points_program(snError* error) { return sn_hung_program("points", text, main_text, error); }

static void fill(const snHung* hung, const uint32_t* vertices, uint32_t count, void* out_sources) {
    (void)hung;
    memcpy(out_sources, vertices, count * sizeof *vertices);
}

snResult sn_shot_points_open(GLuint program, const snMesh* mesh, const snAllocator* allocator,
                             snShotPoints** out, snError* error) {
    snAllocator memory = sni_allocator(allocator);
    snShotPoints* p = SNI_NEW(&memory, snShotPoints);
    if (p == NULL) return sni_fail_memory(error);
    p->hung = (snHung){.mesh = mesh,
                       .program = program,
                       .attributes = attributes,
                       .attribute_count = 1,
                       .stride = sizeof(uint32_t),
                       .fill = fill,
                       .allocator = memory};
    p->count = mesh->vertex_count;
    p->rows = sn_texel_rows(p->count);
    p->staged = SNI_NEW_ARRAY(&memory, uint32_t, (size_t)p->rows * SN_TEXEL_ROW * 4);
    snResult result = p->staged != NULL ? SN_RESULT_OK : sni_fail_memory(error);
    if (result == SN_RESULT_OK &&
        !sn_texels_open(&p->points, GL_RGBA32UI, GL_RGBA_INTEGER, GL_UNSIGNED_INT, p->rows, NULL))
        result =
            sni_fail(error, SN_RESULT_UNSUPPORTED, "OpenGL has no texture for %u vertices here", p->count);
    if (result == SN_RESULT_OK) result = sn_hung_open(&p->hung, error);
    if (result != SN_RESULT_OK) {
        sn_shot_points_close(p);
        return result;
    }
    *out = p;
    return SN_RESULT_OK;
}

void sn_shot_points_close(snShotPoints* points) {
    if (points == NULL) return;
    snAllocator memory = points->hung.allocator;
    glDeleteTextures(1, &points->points);
    sn_hung_close(&points->hung);
    sni_free(&memory, points->staged);
    sni_free(&memory, points);
}

// ---------------------------------------------------------------------------------------------- every frame

// The lower half turns out over the edges: |x| + |y| + |z| is 1, so each side grows by what z is below 0.
// Without branches, which normals in all directions would mislead.
static uint32_t fold(snVec3 n) {
    float sum = fabsf(n.x) + fabsf(n.y) + fabsf(n.z);
    float share = 1.0f / sn_maxf(sum, 1e-20f);
    float over = n.z < 0.0f ? -n.z * share : 0.0f;
    float x = n.x * share, y = n.y * share;
    x += copysignf(over, x);
    y += copysignf(over, y);
    return (uint32_t)(int32_t)((x + 1.0f) * 32767.0f + 0.5f) |
           (uint32_t)(int32_t)((y + 1.0f) * 32767.0f + 0.5f) << 16;
}

snResult sn_shot_points_hang(snShotPoints* points, const snGeometry* geometry, snSceneFrame frame,
                             const snVec3* positions, const snVec3* normals, snError* error) {
    SNI_TRY(sn_hung_begin(&points->hung, geometry, error));
    for (uint32_t v = 0; v < points->count; v++) {
        snVec3 p = sn_scene_point(frame, positions[v]);
        uint32_t* texel = points->staged + 4 * (size_t)v;
        memcpy(texel, &p, sizeof p);
        texel[3] = normals != NULL ? fold(normals[v]) : 0;
    }
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, points->points);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, SN_TEXEL_ROW, (GLsizei)points->rows, GL_RGBA_INTEGER,
                    GL_UNSIGNED_INT, points->staged);
    sn_uniform_texture(points->hung.program, "points", 0, points->points);
    sn_hung_run(&points->hung);
    return SN_RESULT_OK;
}
