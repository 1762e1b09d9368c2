#include "shot_lattice.h"

#include <stddef.h>

#include "base/error.h"
#include "base/memory.h"
#include "lattice_glsl.h"
#include "uniform.h"

#define ROW 1024 // texels; lattice.glsl knows it too

// What a vertex of the pass reads.
typedef struct Source {
    uint32_t cell;
    snVec3 at;
    snVec3 normal;
} Source;

static const char main_text[] = "layout(location = 0) in uint cell;\n"
                                "layout(location = 1) in vec3 at;\n"
                                "layout(location = 2) in vec3 rest_normal;\n"
                                "out vec3 place;\n"
                                "out vec3 normal;\n"
                                "void main() {\n"
                                "    lattice_hang(cell, at, rest_normal, place, normal);\n"
                                "    gl_Position = vec4(0.0, 0.0, 0.0, 1.0);\n"
                                "}\n";
// OpenGL ES links no program without a fragment shader, even if nothing is drawn.
static const char fragment_text[] = "void main() {}\n";

GLuint sn_shot_lattice_program(snError* error) {
    const char* prologue = epoxy_is_desktop_gl() ? "#version 330 core\n"
                                                 : "#version 300 es\n"
                                                   "precision highp float;\n"
                                                   "precision highp int;\n";
    const snGlProgramDef def = {.name = "lattice",
                                .vertex = {prologue, sn_glsl_lattice, main_text},
                                .fragment = {prologue, fragment_text},
                                .captured = {"place", "normal"}};
    return sn_gl_program_of(&def, error);
}

// ------------------------------------------------------------------------------------------------- tables

// A texture for texelFetch. False when it is higher than OpenGL allows.
static bool open_texture(GLuint* out, GLint internal, GLenum format, GLenum type, uint32_t rows,
                         const void* texels) {
    GLint limit = 0;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &limit);
    if (rows > (uint32_t)limit) return false;
    glGenTextures(1, out);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, *out);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexImage2D(GL_TEXTURE_2D, 0, internal, ROW, (GLsizei)rows, 0, format, type, texels);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    return true;
}

static uint32_t rows_of(uint64_t texels) { return (uint32_t)((texels + ROW - 1) / ROW); }

static snResult open_tables(snShotLattice* l, snError* error) {
    const snLattice* lattice = l->def.lattice;
    l->particle_rows = rows_of(lattice->particle_count);
    l->staged = SNI_NEW_ARRAY(&l->allocator, snVec4, (size_t)l->particle_rows * ROW);
    uint32_t cell_rows = rows_of(2 * (uint64_t)lattice->cell_count);
    uint32_t(*cells)[8] = sni_alloc_array(&l->allocator, (size_t)cell_rows * (ROW / 2), sizeof *cells);
    snResult result = SN_RESULT_OK;
    if (l->staged == NULL || cells == NULL) {
        result = sni_fail_memory(error);
    } else {
        memcpy(cells, lattice->cell_particles, lattice->cell_count * sizeof *cells);
        bool opened =
            open_texture(&l->cells, GL_RGBA32UI, GL_RGBA_INTEGER, GL_UNSIGNED_INT, cell_rows, cells) &&
            open_texture(&l->particles, GL_RGBA32F, GL_RGBA, GL_FLOAT, l->particle_rows, NULL) &&
            sn_target_open_texture(&l->nowhere, 1, 1);
        if (!opened)
            result = sni_fail(error, SN_RESULT_UNSUPPORTED, "OpenGL has no texture for %u cells here",
                              lattice->cell_count);
    }
    sni_free(&l->allocator, cells);
    return result;
}

// -------------------------------------------------------------------------------------------------- lists

static void attribute(GLuint index, GLint floats, size_t offset) {
    glEnableVertexAttribArray(index);
    // OpenGL takes offsets into the bound buffer in a pointer's clothes.
    const void* at = (const void*)(uintptr_t)offset; // NOLINT(performance-no-int-to-ptr)
    if (floats == 0)
        glVertexAttribIPointer(index, 1, GL_UNSIGNED_INT, sizeof(Source), at);
    else
        glVertexAttribPointer(index, floats, GL_FLOAT, GL_FALSE, sizeof(Source), at);
}

// `vertices` are those of the mesh; NULL: the vertices of its geometry.
static snResult open_list(const snShotLattice* l, const uint32_t* vertices, uint32_t count, snHungList* out,
                          snError* error) {
    const snLattice* lattice = l->def.lattice;
    Source* sources = SNI_NEW_ARRAY(&l->allocator, Source, count);
    if (sources == NULL) return sni_fail_memory(error);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t vertex = vertices != NULL ? vertices[i] : sn_geometry_mesh_vertex(l->def.mesh, i);
        uint32_t point = l->def.vertex_points[vertex];
        sources[i] = (Source){.cell = lattice->point_cells[point], .at = lattice->point_coords[point]};
        if (l->def.normals != NULL) sources[i].normal = l->def.normals[vertex];
    }
    out->count = count;
    glGenVertexArrays(1, &out->arrays);
    glBindVertexArray(out->arrays);
    glGenBuffers(1, &out->sources);
    glBindBuffer(GL_ARRAY_BUFFER, out->sources);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(count * sizeof *sources), sources, GL_STATIC_DRAW);
    attribute(0, 0, offsetof(Source, cell));
    attribute(1, 3, offsetof(Source, at));
    attribute(2, 3, offsetof(Source, normal));
    glBindVertexArray(0);
    glGenBuffers(1, &out->places);
    glBindBuffer(GL_ARRAY_BUFFER, out->places);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(count * sizeof(snHungVertex)), NULL, GL_DYNAMIC_COPY);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    sni_free(&l->allocator, sources);
    return SN_RESULT_OK;
}

static void close_list(snHungList* list) {
    glDeleteVertexArrays(1, &list->arrays);
    glDeleteBuffers(1, &list->sources);
    glDeleteBuffers(1, &list->places);
}

static snResult check_def(const snShotLatticeDef* def, snError* error) {
    if (def == NULL || def->mesh == NULL || def->lattice == NULL || def->vertex_points == NULL)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a mesh, a lattice and its points are needed");
    for (uint32_t v = 0; v < def->mesh->vertex_count; v++) {
        if (def->vertex_points[v] < def->lattice->point_count) continue;
        sni_fail(error, SN_RESULT_BAD_DATA, "vertex %u is point %u, expected below %u", v,
                 def->vertex_points[v], def->lattice->point_count);
        return sni_fail_vertex(error, SN_RESULT_BAD_DATA, v);
    }
    return SN_RESULT_OK;
}

snResult sn_shot_lattice_open(GLuint program, const snShotLatticeDef* def, const snAllocator* allocator,
                              snShotLattice** out, snError* error) {
    snResult result = check_def(def, error);
    if (result != SN_RESULT_OK) return result;
    snAllocator memory = sni_allocator(allocator);
    snShotLattice* l = SNI_NEW(&memory, snShotLattice);
    if (l == NULL) return sni_fail_memory(error);
    *l = (snShotLattice){.def = *def, .program = program, .allocator = memory};
    result = open_tables(l, error);
    if (result == SN_RESULT_OK)
        result = open_list(l, NULL, sn_geometry_vertex_count(def->mesh), &l->surface, error);
    if (result != SN_RESULT_OK) {
        sn_shot_lattice_close(l);
        return result;
    }
    *out = l;
    return SN_RESULT_OK;
}

void sn_shot_lattice_close(snShotLattice* lattice) {
    if (lattice == NULL) return;
    snAllocator memory = lattice->allocator;
    glDeleteTextures(1, &lattice->cells);
    glDeleteTextures(1, &lattice->particles);
    close_list(&lattice->surface);
    close_list(&lattice->wires);
    sn_target_close(&lattice->nowhere);
    sni_free(&memory, lattice->staged);
    sni_free(&memory, lattice);
}

// ---------------------------------------------------------------------------------------------- every frame

// Scene units are near 1, wherever the character stands; the shader's floats then suffice.
static void upload_particles(snShotLattice* l, snSceneFrame frame, const snVec4* particles) {
    for (uint32_t i = 0; i < l->def.lattice->particle_count; i++) {
        snVec3 p = sn_scene_point(frame, sn_vec3(particles[i].x, particles[i].y, particles[i].z));
        l->staged[i] = (snVec4){p.x, p.y, p.z, 0};
    }
    glBindTexture(GL_TEXTURE_2D, l->particles);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, ROW, (GLsizei)l->particle_rows, GL_RGBA, GL_FLOAT, l->staged);
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

snResult sn_shot_lattice_hang(snShotLattice* lattice, const snGeometry* geometry, snSceneFrame frame,
                              const snVec4* particles, snError* error) {
    if (particles == NULL || geometry->vertex_count != lattice->surface.count)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a lattice needs its mesh and particles");
    uint32_t ends = geometry->edge_count * 2;
    if (lattice->wires.count != ends && ends > 0) {
        close_list(&lattice->wires);
        lattice->wires = (snHungList){0};
        snResult result = open_list(lattice, geometry->edge_vertices[0], ends, &lattice->wires, error);
        if (result != SN_RESULT_OK) return result;
    }
    glUseProgram(lattice->program);
    glActiveTexture(GL_TEXTURE0);
    upload_particles(lattice, frame, particles);
    sn_uniform_texture(lattice->program, "lattice_particles", 0, lattice->particles);
    sn_uniform_texture(lattice->program, "lattice_cells", 1, lattice->cells);
    sn_target_use(&lattice->nowhere);
    glEnable(GL_RASTERIZER_DISCARD);
    run_list(&lattice->surface);
    if (ends > 0) run_list(&lattice->wires);
    glDisable(GL_RASTERIZER_DISCARD);
    return SN_RESULT_OK;
}
