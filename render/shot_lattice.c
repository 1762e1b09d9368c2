#include "shot_lattice.h"

#include <stddef.h>

#include "base/error.h"
#include "base/memory.h"
#include "glsl.h"
#include "uniform.h"

// What a vertex of the pass reads.
typedef struct Source {
    uint32_t cell;
    snVec3 at;
    snVec3 normal;
} Source;

static const snHungAttribute attributes[] = {{1, true, offsetof(Source, cell)},
                                             {3, false, offsetof(Source, at)},
                                             {3, false, offsetof(Source, normal)}};

static const char main_text[] = "layout(location = 0) in uint cell;\n"
                                "layout(location = 1) in vec3 at;\n"
                                "layout(location = 2) in vec3 rest_normal;\n"
                                "out vec3 place;\n"
                                "out vec3 normal;\n"
                                "void main() {\n"
                                "    lattice_hang(cell, at, rest_normal, place, normal);\n"
                                "    gl_Position = vec4(0.0, 0.0, 0.0, 1.0);\n"
                                "}\n";

GLuint sn_shot_lattice_program(snError* error) {
    return sn_hung_program("lattice", sn_glsl_lattice, main_text, error);
}

// --------------------------------------------------------------------------------------------------- tables

static snResult open_tables(snShotLattice* l, snError* error) {
    const snAllocator* memory = &l->hung.allocator;
    const snLattice* lattice = l->def.lattice;
    l->particle_rows = sn_texel_rows(lattice->particle_count);
    l->staged = SNI_NEW_ARRAY(memory, snVec4, (size_t)l->particle_rows * SN_TEXEL_ROW);
    uint32_t cell_rows = sn_texel_rows(2 * (uint64_t)lattice->cell_count);
    uint32_t(*cells)[8] = sni_alloc_array(memory, (size_t)cell_rows * (SN_TEXEL_ROW / 2), sizeof *cells);
    snResult result = SN_RESULT_OK;
    if (l->staged == NULL || cells == NULL) {
        result = sni_fail_memory(error);
    } else {
        memcpy(cells, lattice->cell_particles, lattice->cell_count * sizeof *cells);
        bool opened =
            sn_texels_open(&l->cells, GL_RGBA32UI, GL_RGBA_INTEGER, GL_UNSIGNED_INT, cell_rows, cells) &&
            sn_texels_open(&l->particles, GL_RGBA32F, GL_RGBA, GL_FLOAT, l->particle_rows, NULL);
        if (!opened)
            result = sni_fail(error, SN_RESULT_UNSUPPORTED, "OpenGL has no texture for %u cells here",
                              lattice->cell_count);
    }
    sni_free(memory, cells);
    return result;
}

static void fill(const snHung* hung, const uint32_t* vertices, uint32_t count, void* out_sources) {
    const snShotLattice* l = (const snShotLattice*)hung;
    const snLattice* lattice = l->def.lattice;
    Source* sources = out_sources;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t point = l->def.vertex_points[vertices[i]];
        sources[i] = (Source){.cell = lattice->point_cells[point], .at = lattice->point_coords[point]};
        if (l->def.normals != NULL) sources[i].normal = l->def.normals[vertices[i]];
    }
}

static snResult check_def(const snShotLatticeDef* def, snError* error) {
    if (def == NULL || def->mesh == NULL || def->lattice == NULL || def->vertex_points == NULL)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a mesh, a lattice and its points are needed");
    for (uint32_t v = 0; v < def->mesh->vertex_count; v++) {
        if (def->vertex_points[v] < def->lattice->point_count) continue;
        return sni_fail_vertex(error, SN_RESULT_BAD_DATA, v, "vertex %u is point %u, expected below %u", v,
                               def->vertex_points[v], def->lattice->point_count);
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
    l->def = *def;
    l->hung = (snHung){.mesh = def->mesh,
                       .program = program,
                       .attributes = attributes,
                       .attribute_count = sizeof attributes / sizeof attributes[0],
                       .stride = sizeof(Source),
                       .fill = fill,
                       .allocator = memory};
    result = open_tables(l, error);
    if (result == SN_RESULT_OK) result = sn_hung_open(&l->hung, error);
    if (result != SN_RESULT_OK) {
        sn_shot_lattice_close(l);
        return result;
    }
    *out = l;
    return SN_RESULT_OK;
}

void sn_shot_lattice_close(snShotLattice* lattice) {
    if (lattice == NULL) return;
    snAllocator memory = lattice->hung.allocator;
    glDeleteTextures(1, &lattice->cells);
    glDeleteTextures(1, &lattice->particles);
    sn_hung_close(&lattice->hung);
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
    sn_texels_write(l->particles, l->particle_rows, l->staged);
}

snResult sn_shot_lattice_hang(snShotLattice* lattice, const snGeometry* geometry, snSceneFrame frame,
                              const snVec4* particles, snError* error) {
    if (particles == NULL) return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a lattice needs particles");
    snResult result = sn_hung_begin(&lattice->hung, geometry, error);
    if (result != SN_RESULT_OK) return result;
    upload_particles(lattice, frame, particles);
    sn_uniform_texture(lattice->hung.program, "lattice_particles", 0, lattice->particles);
    sn_uniform_texture(lattice->hung.program, "lattice_cells", 1, lattice->cells);
    sn_hung_run(&lattice->hung);
    return SN_RESULT_OK;
}
