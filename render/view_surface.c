#include "view_surface.h"

#include "base/error.h"
#include "base/memory.h"

// --------------------------------------------------------------------------------------------- open, close

// What is too large for the GPU to hang is drawn by positions like all else.
static snResult or_by_positions(snResult result, snError* error) {
    if (result != SN_RESULT_UNSUPPORTED) return result;
    if (error != NULL) *error = sn_error_none();
    return SN_RESULT_OK;
}

static snResult hang_in_lattice(snViewSurface* s, const snViewSurfaceDef* from, snError* error) {
    const snMesh* mesh = s->mesh->mesh;
    if (from->model->binding == NULL) return SN_RESULT_OK;
    s->embedded = SNI_NEW_ARRAY(&s->allocator, uint32_t, mesh->vertex_count);
    s->normals = SNI_NEW_ARRAY(&s->allocator, snVec3, mesh->vertex_count);
    if (s->embedded == NULL || s->normals == NULL) return sni_fail_memory(error);
    if (!sn_character_embedding(from->character, from->part, s->embedded, s->normals)) return SN_RESULT_OK;
    snShotLatticeDef def = {mesh, from->model->binding->lattice, s->embedded, s->normals};
    snResult result =
        sn_shot_lattice_open(from->painter->lattice_program, &def, &s->allocator, &s->lattice, error);
    return or_by_positions(result, error);
}

static snResult hang_on_splines(snViewSurface* s, const snViewSurfaceDef* from, snError* error) {
    snShotSplineDef def = {s->mesh->mesh, sn_character_splines(from->character),
                           sn_character_spline_skin(from->character, from->part)};
    if (def.skin == NULL || s->lattice != NULL) return SN_RESULT_OK;
    snResult result =
        sn_shot_spline_open(from->painter->spline_program, &def, &s->allocator, &s->splines, error);
    return or_by_positions(result, error);
}

// Bytes that were uploaded to hang it, and stay.
static uint64_t kept_bytes(const snViewSurface* s) {
    const snHung* hung = s->lattice != NULL   ? &s->lattice->hung
                         : s->splines != NULL ? &s->splines->hung
                                              : &s->points->hung;
    return (uint64_t)hung->surface.count * hung->stride;
}

static void make_arrays(snViewSurface* s) {
    snGpuItem* gpu = &s->gpu;
    gpu->item = &s->item;
    gpu->geometry = s->mesh->geometry;
    glGenVertexArrays(1, &gpu->edge_arrays);
    glGenVertexArrays(1, &gpu->arrays);
    glBindVertexArray(gpu->arrays);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, s->mesh->indices);
    if (s->mesh->uvs != 0) {
        glBindBuffer(GL_ARRAY_BUFFER, s->mesh->uvs);
        sn_gpu_attribute(3, 2, 2 * sizeof(float), 0, 0);
    }
    glBindVertexArray(0);
}

snResult sn_view_surface_open(snViewSurface* surface, const snViewSurfaceDef* def,
                              const snAllocator* allocator, snError* error) {
    *surface =
        (snViewSurface){.mesh = def->mesh, .item = def->item, .bytes = def->bytes, .allocator = *allocator};
    surface->item.one_sided = def->mesh->solid;
    snResult result = SN_RESULT_OK;
    if (def->character != NULL) {
        result = hang_in_lattice(surface, def, error);
        if (result == SN_RESULT_OK) result = hang_on_splines(surface, def, error);
    }
    if (result == SN_RESULT_OK && surface->lattice == NULL && surface->splines == NULL)
        result = sn_shot_points_open(def->painter->points_program, def->mesh->mesh, allocator,
                                     &surface->points, error);
    if (result != SN_RESULT_OK) {
        sn_view_surface_close(surface);
        return result;
    }
    surface->item.lattice = surface->lattice;
    surface->item.splines = surface->splines;
    make_arrays(surface);
    def->bytes->kept += kept_bytes(surface);
    return SN_RESULT_OK;
}

void sn_view_surface_close(snViewSurface* surface) {
    glDeleteVertexArrays(1, &surface->gpu.arrays);
    glDeleteVertexArrays(1, &surface->gpu.edge_arrays);
    GLuint buffers[] = {surface->heat, surface->paint};
    glDeleteBuffers(2, buffers);
    sn_shot_points_close(surface->points);
    sn_shot_lattice_close(surface->lattice);
    sn_shot_spline_close(surface->splines);
    void* arrays[] = {surface->embedded, surface->normals, surface->values, surface->staged};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(&surface->allocator, arrays[i]);
    *surface = (snViewSurface){.allocator = surface->allocator};
}

// ----------------------------------------------------------------------------------------------- each frame

snResult sn_view_surface_hang(snViewSurface* surface, const snViewPlace* place, snError* error) {
    snViewSurface* s = surface;
    if (s->wires) SNI_TRY(sn_view_mesh_need_edges(s->mesh, error));
    snGeometry geometry = *s->mesh->geometry; // the same arrays, without edges where nobody sees them
    if (!s->wires) geometry.edge_count = 0;
    const snHung* hung = NULL;
    uint64_t rows = 0;
    if (s->lattice != NULL) {
        SNI_TRY(sn_shot_lattice_hang(s->lattice, &geometry, place->frame, place->particles, error));
        hung = &s->lattice->hung;
        rows = s->lattice->particle_rows;
    } else if (s->splines != NULL) {
        SNI_TRY(
            sn_shot_spline_hang(s->splines, &geometry, place->frame, place->matrices, place->poses, error));
        hung = &s->splines->hung;
        rows = (uint64_t)s->splines->matrix_rows + s->splines->style_rows;
    } else {
        s->item.normals = place->surface.normals;
        SNI_TRY(sn_shot_points_hang(s->points, &geometry, place->frame, place->surface.positions,
                                    place->surface.normals, error));
        hung = &s->points->hung;
        rows = s->points->rows;
    }
    s->bytes->streamed += rows * SN_TEXEL_ROW * sizeof(snVec4);
    if (hung->surface.places != s->attached_surface || hung->wires.places != s->attached_wires) {
        sn_gpu_item_attach(&s->gpu, hung);
        s->attached_surface = hung->surface.places;
        s->attached_wires = hung->wires.places;
    }
    return SN_RESULT_OK;
}

// ---------------------------------------------------------------------------------------------------- looks

snResult sn_view_surface_need_heat(snViewSurface* surface, snError* error) {
    if (surface->heat != 0) return SN_RESULT_OK;
    surface->values = SNI_NEW_ARRAY(&surface->allocator, float, surface->mesh->mesh->vertex_count);
    surface->staged = SNI_NEW_ARRAY(&surface->allocator, float, surface->mesh->geometry->vertex_count);
    if (surface->values == NULL || surface->staged == NULL) return sni_fail_memory(error);
    glGenBuffers(1, &surface->heat);
    return SN_RESULT_OK;
}

void sn_view_surface_heat(snViewSurface* surface, float low, float high) {
    uint32_t count = surface->mesh->geometry->vertex_count;
    for (uint32_t i = 0; i < count; i++)
        surface->staged[i] =
            sn_heat_share(low, high, surface->values[sn_geometry_mesh_vertex(surface->mesh->mesh, i)]);
    glBindBuffer(GL_ARRAY_BUFFER, surface->heat);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(count * sizeof(float)), surface->staged, GL_DYNAMIC_DRAW);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    surface->bytes->streamed += count * sizeof(float);
}

snResult sn_view_surface_paint(snViewSurface* surface, const snVec4* colors, snError* error) {
    uint32_t count = surface->mesh->geometry->vertex_count;
    uint16_t* staged = SNI_NEW_ARRAY(&surface->allocator, uint16_t, 4 * (size_t)count);
    if (staged == NULL) return sni_fail_memory(error);
    if (surface->paint == 0) glGenBuffers(1, &surface->paint);
    sn_view_colors_upload(surface->paint, surface->mesh->mesh, colors, staged);
    surface->bytes->streamed += 4 * count * sizeof *staged;
    sni_free(&surface->allocator, staged);
    return SN_RESULT_OK;
}

void sn_view_surface_dress(snViewSurface* surface, snViewTint tint, bool heat) {
    glBindVertexArray(surface->gpu.arrays);
    GLuint colors = tint == SN_VIEW_TINT_MESH    ? surface->mesh->colors
                    : tint == SN_VIEW_TINT_PAINT ? surface->paint
                                                 : 0;
    if (colors != 0)
        sn_view_colors_attach(colors);
    else
        glDisableVertexAttribArray(2);
    if (heat) {
        glBindBuffer(GL_ARRAY_BUFFER, surface->heat);
        sn_gpu_attribute(4, 1, sizeof(float), 0, 0);
    } else {
        glDisableVertexAttribArray(4);
    }
    surface->item.heat = heat ? surface->values : NULL;
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glBindVertexArray(0);
}
