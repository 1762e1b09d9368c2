#include "shot_spline.h"

#include <stddef.h>

#include "base/error.h"
#include "base/memory.h"
#include "glsl.h"
#include "uniform.h"

// What a vertex of the pass reads.
typedef struct Source {
    snVec3 point, normal;
    uint32_t matrices[SN_SPLINE_MATRICES];
    uint32_t style, unused;
    float weights[SN_SPLINE_MATRICES + 2]; // the last two are 0
    snStyledPoint styled;
} Source;

#define FOUR(member, i) offsetof(Source, member) + (i)*4 * sizeof(float)
static const snHungAttribute attributes[] = {
    {3, false, offsetof(Source, point)}, {3, false, offsetof(Source, normal)}, {4, true, FOUR(matrices, 0)},
    {4, true, FOUR(matrices, 1)},        {4, true, FOUR(matrices, 2)}, // two of them, and the style
    {4, false, FOUR(weights, 0)},        {4, false, FOUR(weights, 1)},         {4, false, FOUR(weights, 2)},
    {4, false, FOUR(styled, 0)},         {4, false, FOUR(styled, 1)},          {4, false, FOUR(styled, 2)},
    {4, false, FOUR(styled, 3)},         {4, false, FOUR(styled, 4)},          {4, false, FOUR(styled, 5)},
    {4, false, FOUR(styled, 6)}};
_Static_assert(SN_SPLINE_MATRICES == 10 && sizeof(snStyledPoint) == 28 * sizeof(float),
               "spline.glsl knows these, too");

static const char main_text[] =
    "layout(location = 0) in vec3 rest;\n"
    "layout(location = 1) in vec3 rest_normal;\n"
    "layout(location = 2) in uvec4 m0;\n"
    "layout(location = 3) in uvec4 m1;\n"
    "layout(location = 4) in uvec4 m2;\n"
    "layout(location = 5) in vec4 w0;\n"
    "layout(location = 6) in vec4 w1;\n"
    "layout(location = 7) in vec4 w2;\n"
    "layout(location = 8) in vec4 s0;\n"
    "layout(location = 9) in vec4 s1;\n"
    "layout(location = 10) in vec4 s2;\n"
    "layout(location = 11) in vec4 s3;\n"
    "layout(location = 12) in vec4 s4;\n"
    "layout(location = 13) in vec4 s5;\n"
    "layout(location = 14) in vec4 s6;\n"
    "out vec3 place;\n"
    "out vec3 normal;\n"
    "void main() {\n"
    "    vec3 point = rest, turned = rest_normal;\n"
    "    if (m2.z != 0xffffffffu)\n"
    "        spline_style(m2.z, vec4[7](s0, s1, s2, s3, s4, s5, s6), point, turned);\n"
    "    spline_skin(uvec4[3](m0, m1, m2), vec4[3](w0, w1, w2), point, turned, place, normal);\n"
    "    gl_Position = vec4(0.0, 0.0, 0.0, 1.0);\n"
    "}\n";

GLuint sn_shot_spline_program(snError* error) {
    return sn_hung_program("spline", sn_glsl_spline, main_text, error);
}

// --------------------------------------------------------------------------------------------------- tables

// Texels of all styles, one after the other.
static uint64_t count_texels(const snSplineSkin* skin) {
    uint64_t count = 0;
    for (uint32_t i = 0; i < sn_spline_skin_style_count(skin); i++) {
        snStyledSpline style = sn_spline_skin_style(skin, i);
        if (style.texels != NULL) count += 2 * (uint64_t)style.columns * (style.rows + 1);
    }
    return count;
}

static void fill_texels(snShotSpline* s, snVec4* texels) {
    size_t first = 0;
    for (uint32_t i = 0; i < sn_spline_skin_style_count(s->def.skin); i++) {
        snStyledSpline style = sn_spline_skin_style(s->def.skin, i);
        size_t count = style.texels != NULL ? 2 * (size_t)style.columns * (style.rows + 1) : 0;
        // What does not change of a style in its pose.
        s->staged_styles[3 * (size_t)i + 1].w = (float)first;
        s->staged_styles[3 * (size_t)i + 2].z = (float)style.rows;
        s->staged_styles[3 * (size_t)i + 2].w = count > 0 ? 1.0f : 0.0f;
        if (count > 0) memcpy(texels + first, style.texels, count * sizeof *texels);
        first += count;
    }
}

static snResult open_textures(snShotSpline* s, snError* error) {
    const snAllocator* memory = &s->hung.allocator;
    uint64_t count = count_texels(s->def.skin);
    // Floats tell one texel from the next up to here.
    bool fits = count < (UINT64_C(1) << 24);
    uint32_t texel_rows = sn_texel_rows(fits ? count : 0);
    s->matrix_rows = sn_texel_rows(3 * (uint64_t)s->matrix_count);
    s->style_rows = sn_texel_rows(3 * (uint64_t)sn_spline_skin_style_count(s->def.skin));
    s->staged_matrices = SNI_NEW_ARRAY(memory, snVec4, (size_t)s->matrix_rows * SN_TEXEL_ROW);
    s->staged_styles = SNI_NEW_ARRAY(memory, snVec4, (size_t)s->style_rows * SN_TEXEL_ROW);
    snVec4* texels = SNI_NEW_ARRAY(memory, snVec4, (size_t)texel_rows * SN_TEXEL_ROW);
    snResult result = SN_RESULT_OK;
    if (s->staged_matrices == NULL || s->staged_styles == NULL || texels == NULL) {
        result = sni_fail_memory(error);
    } else {
        if (fits) fill_texels(s, texels);
        fits = fits && sn_texels_open(&s->texels, GL_RGBA32F, GL_RGBA, GL_FLOAT, texel_rows, texels) &&
               sn_texels_open(&s->matrices, GL_RGBA32F, GL_RGBA, GL_FLOAT, s->matrix_rows, NULL) &&
               sn_texels_open(&s->styles, GL_RGBA32F, GL_RGBA, GL_FLOAT, s->style_rows, NULL);
        if (!fits)
            result = sni_fail(error, SN_RESULT_UNSUPPORTED, "OpenGL has no texture for these styles here");
    }
    sni_free(memory, texels);
    return result;
}

static snResult fetch_points(snShotSpline* s, snError* error) {
    const snAllocator* memory = &s->hung.allocator;
    uint32_t count = s->def.mesh->vertex_count;
    s->points = SNI_NEW_ARRAY(memory, snVec3, count);
    s->normals = SNI_NEW_ARRAY(memory, snVec3, count);
    s->indices = SNI_NEW_ARRAY(memory, uint16_t, (size_t)count * SN_SPLINE_MATRICES);
    s->weights = SNI_NEW_ARRAY(memory, float, (size_t)count* SN_SPLINE_MATRICES);
    s->point_styles = SNI_NEW_ARRAY(memory, uint32_t, count);
    s->styled = SNI_NEW_ARRAY(memory, snStyledPoint, count);
    if (s->points == NULL || s->normals == NULL || s->indices == NULL || s->weights == NULL ||
        s->point_styles == NULL || s->styled == NULL)
        return sni_fail_memory(error);
    sn_spline_skin_rest(s->def.skin, s->points, s->normals);
    sn_spline_skin_influences(s->def.skin, s->indices, s->weights);
    if (!sn_spline_skin_styled_points(s->def.skin, s->point_styles, s->styled))
        return sni_fail(error, SN_RESULT_UNSUPPORTED, "vertices with several styles are drawn by positions");
    return SN_RESULT_OK;
}

static void fill(const snHung* hung, const uint32_t* vertices, uint32_t count, void* out_sources) {
    const snShotSpline* s = (const snShotSpline*)hung;
    Source* sources = out_sources;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t v = vertices[i];
        sources[i] = (Source){.point = s->points[v],
                              .normal = s->normals[v],
                              .style = s->point_styles[v],
                              .styled = s->styled[v]};
        for (uint32_t k = 0; k < SN_SPLINE_MATRICES; k++) {
            sources[i].matrices[k] = s->indices[(size_t)v * SN_SPLINE_MATRICES + k];
            sources[i].weights[k] = s->weights[(size_t)v * SN_SPLINE_MATRICES + k];
        }
    }
}

snResult sn_shot_spline_open(GLuint program, const snShotSplineDef* def, const snAllocator* allocator,
                             snShotSpline** out, snError* error) {
    if (def == NULL || def->mesh == NULL || def->skin == NULL || def->splines == NULL ||
        sn_spline_skin_point_count(def->skin) != def->mesh->vertex_count)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "splines, and a mesh with its skin, are needed");
    snAllocator memory = sni_allocator(allocator);
    snShotSpline* s = SNI_NEW(&memory, snShotSpline);
    if (s == NULL) return sni_fail_memory(error);
    s->def = *def;
    s->matrix_count = sn_splines_matrix_count(def->splines);
    s->hung = (snHung){.mesh = def->mesh,
                       .program = program,
                       .attributes = attributes,
                       .attribute_count = sizeof attributes / sizeof attributes[0],
                       .stride = sizeof(Source),
                       .fill = fill,
                       .allocator = memory};
    snResult result = fetch_points(s, error);
    if (result == SN_RESULT_OK) result = open_textures(s, error);
    if (result == SN_RESULT_OK) result = sn_hung_open(&s->hung, error);
    if (result != SN_RESULT_OK) {
        sn_shot_spline_close(s);
        return result;
    }
    *out = s;
    return SN_RESULT_OK;
}

void sn_shot_spline_close(snShotSpline* spline) {
    if (spline == NULL) return;
    snAllocator memory = spline->hung.allocator;
    GLuint textures[] = {spline->matrices, spline->texels, spline->styles};
    glDeleteTextures(3, textures);
    sn_hung_close(&spline->hung);
    void* arrays[] = {spline->staged_matrices, spline->staged_styles, spline->points,
                      spline->normals,         spline->indices,       spline->weights,
                      spline->point_styles,    spline->styled,        spline};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(&memory, arrays[i]);
}

// ---------------------------------------------------------------------------------------------- every frame

// Rows of matrices that lead to scene units, which are near 1 wherever the character stands.
static void upload_matrices(snShotSpline* s, snSceneFrame frame, const snMat4* matrices) {
    for (uint32_t i = 0; i < s->matrix_count; i++) {
        const float* m = matrices[i].m;
        snVec3 at = sn_scene_point(frame, sn_mat4_translation(&matrices[i]));
        const float move[3] = {at.x, at.y, at.z};
        for (uint32_t r = 0; r < 3; r++)
            s->staged_matrices[3 * (size_t)i + r] =
                (snVec4){m[r] * frame.scale, m[4 + r] * frame.scale, m[8 + r] * frame.scale, move[r]};
    }
    sn_texels_write(s->matrices, s->matrix_rows, s->staged_matrices);
}

static void upload_styles(snShotSpline* s, const snSplinePose* poses) {
    for (uint32_t i = 0; i < sn_spline_skin_style_count(s->def.skin); i++) {
        snStylePose pose = sn_spline_skin_style_pose(s->def.skin, i, poses);
        snVec4* texels = s->staged_styles + 3 * (size_t)i;
        texels[0] = (snVec4){pose.bend, pose.twist, pose.strength, pose.lateral_scale};
        texels[1] = (snVec4){pose.direction, pose.turn, pose.hollow, texels[1].w};
        texels[2] = (snVec4){pose.fold[0], pose.fold[1], texels[2].z, texels[2].w};
    }
    sn_texels_write(s->styles, s->style_rows, s->staged_styles);
}

snResult sn_shot_spline_hang(snShotSpline* spline, const snGeometry* geometry, snSceneFrame frame,
                             const snMat4* matrices, const snSplinePose* poses, snError* error) {
    if (matrices == NULL || poses == NULL)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "splines need matrices and poses");
    snResult result = sn_hung_begin(&spline->hung, geometry, error);
    if (result != SN_RESULT_OK) return result;
    upload_matrices(spline, frame, matrices);
    upload_styles(spline, poses);
    sn_uniform_texture(spline->hung.program, "spline_matrices", 0, spline->matrices);
    sn_uniform_texture(spline->hung.program, "spline_texels", 1, spline->texels);
    sn_uniform_texture(spline->hung.program, "spline_styles", 2, spline->styles);
    sn_hung_run(&spline->hung);
    return SN_RESULT_OK;
}
