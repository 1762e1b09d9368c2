#include "hung.h"

#include "base/error.h"
#include "base/memory.h"

// OpenGL ES links no program without a fragment shader, even if nothing is drawn.
static const char fragment_text[] = "void main() {}\n";

GLuint sn_hung_program(const char* name, const char* text, const char* main_text, snError* error) {
    const snGlProgramDef def = {.name = name,
                                .vertex = {text, main_text},
                                .fragment = {fragment_text},
                                .captured = {"place", "normal"}};
    return sn_gl_program_of(&def, error);
}

// ------------------------------------------------------------------------------------------------- textures

bool sn_texels_open(GLuint* out, GLint internal, GLenum format, GLenum type, uint32_t rows,
                    const void* texels) {
    GLint limit = 0;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &limit);
    if (rows > (uint32_t)limit) return false;
    glGenTextures(1, out);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, *out);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexImage2D(GL_TEXTURE_2D, 0, internal, SN_TEXEL_ROW, (GLsizei)rows, 0, format, type, texels);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    return true;
}

void sn_texels_write(GLuint texture, uint32_t rows, const snVec4* texels) {
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, texture);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, SN_TEXEL_ROW, (GLsizei)rows, GL_RGBA, GL_FLOAT, texels);
}

// ---------------------------------------------------------------------------------------------------- lists

static void attribute(const snHung* hung, GLuint index) {
    const snHungAttribute* a = &hung->attributes[index];
    glEnableVertexAttribArray(index);
    // OpenGL takes offsets into the bound buffer in a pointer's clothes.
    const void* at = (const void*)(uintptr_t)a->offset; // NOLINT(performance-no-int-to-ptr)
    if (a->whole)
        glVertexAttribIPointer(index, a->count, GL_UNSIGNED_INT, (GLsizei)hung->stride, at);
    else
        glVertexAttribPointer(index, a->count, GL_FLOAT, GL_FALSE, (GLsizei)hung->stride, at);
}

// `vertices` are those of the mesh.
static snResult open_list(const snHung* hung, const uint32_t* vertices, uint32_t count, snHungList* out,
                          snError* error) {
    void* sources = sni_alloc_array(&hung->allocator, count, hung->stride);
    if (sources == NULL) return sni_fail_memory(error);
    hung->fill(hung, vertices, count, sources);
    out->count = count;
    glGenVertexArrays(1, &out->arrays);
    glBindVertexArray(out->arrays);
    glGenBuffers(1, &out->sources);
    glBindBuffer(GL_ARRAY_BUFFER, out->sources);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(count * hung->stride), sources, GL_STATIC_DRAW);
    for (GLuint i = 0; i < hung->attribute_count; i++) attribute(hung, i);
    glBindVertexArray(0);
    glGenBuffers(1, &out->places);
    glBindBuffer(GL_ARRAY_BUFFER, out->places);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(count * sizeof(snHungVertex)), NULL, GL_DYNAMIC_COPY);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    sni_free(&hung->allocator, sources);
    return SN_RESULT_OK;
}

static void close_list(snHungList* list) {
    glDeleteVertexArrays(1, &list->arrays);
    glDeleteBuffers(1, &list->sources);
    glDeleteBuffers(1, &list->places);
    *list = (snHungList){0};
}

snResult sn_hung_open(snHung* hung, snError* error) {
    uint32_t count = sn_geometry_vertex_count(hung->mesh);
    sn_target_open_pixel(&hung->nowhere);
    uint32_t* vertices = SNI_NEW_ARRAY(&hung->allocator, uint32_t, count);
    if (vertices == NULL) return sni_fail_memory(error);
    for (uint32_t i = 0; i < count; i++) vertices[i] = sn_geometry_mesh_vertex(hung->mesh, i);
    snResult result = open_list(hung, vertices, count, &hung->surface, error);
    sni_free(&hung->allocator, vertices);
    return result;
}

void sn_hung_close(snHung* hung) {
    close_list(&hung->surface);
    close_list(&hung->wires);
    sn_target_close(&hung->nowhere);
}

// ----------------------------------------------------------------------------------------------------- pass

snResult sn_hung_begin(snHung* hung, const snGeometry* geometry, snError* error) {
    if (geometry->vertex_count != hung->surface.count)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a surface on the GPU needs its own mesh");
    uint32_t ends = geometry->edge_count * 2;
    if (hung->wires.count != ends) {
        close_list(&hung->wires);
        snResult result = SN_RESULT_OK;
        if (ends > 0) result = open_list(hung, geometry->edge_vertices[0], ends, &hung->wires, error);
        if (result != SN_RESULT_OK) return result;
    }
    glUseProgram(hung->program);
    return SN_RESULT_OK;
}

static void run_list(const snHungList* list) {
    if (list->count == 0) return;
    glBindVertexArray(list->arrays);
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, list->places);
    glBeginTransformFeedback(GL_POINTS);
    glDrawArrays(GL_POINTS, 0, (GLsizei)list->count);
    glEndTransformFeedback();
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, 0);
    glBindVertexArray(0);
}

void sn_hung_run(const snHung* hung) {
    sn_target_use(&hung->nowhere);
    glEnable(GL_RASTERIZER_DISCARD);
    run_list(&hung->surface);
    run_list(&hung->wires);
    glDisable(GL_RASTERIZER_DISCARD);
}
