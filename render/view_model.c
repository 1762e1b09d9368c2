#include "view_model.h"

#include "base/error.h"
#include "base/memory.h"
#include "show.h"

static GLuint upload(GLenum target, const void* data, size_t size, uint64_t* bytes) {
    GLuint buffer = 0;
    glGenBuffers(1, &buffer);
    glBindBuffer(target, buffer);
    glBufferData(target, (GLsizeiptr)size, data, GL_STATIC_DRAW);
    glBindBuffer(target, 0);
    *bytes += size;
    return buffer;
}

// --------------------------------------------------------------------------------------------------- colors

#define COLOR_BYTES (4 * sizeof(uint16_t))

static uint16_t share16(float x) { return (uint16_t)(sn_clampf(x, 0.0f, 1.0f) * 65535.0f + 0.5f); }

void sn_view_colors_upload(GLuint buffer, const snMesh* mesh, const snVec4* colors, uint16_t* staged) {
    uint32_t count = sn_geometry_vertex_count(mesh);
    for (uint32_t i = 0; i < count; i++) {
        const snVec4* c = &colors[sn_geometry_mesh_vertex(mesh, i)];
        uint16_t* to = staged + 4 * (size_t)i;
        to[0] = share16(c->x), to[1] = share16(c->y), to[2] = share16(c->z), to[3] = UINT16_MAX;
    }
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(count * COLOR_BYTES), staged, GL_STATIC_DRAW);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
}

void sn_view_colors_attach(GLuint buffer) {
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glEnableVertexAttribArray(2);
    glVertexAttribPointer(2, 4, GL_UNSIGNED_SHORT, GL_TRUE, COLOR_BYTES, NULL);
}

// ------------------------------------------------------------------------------------------------------ mesh

static snResult upload_colors(snViewMesh* m, const snAllocator* memory, snError* error) {
    uint16_t* staged = SNI_NEW_ARRAY(memory, uint16_t, 4 * (size_t)m->geometry->vertex_count);
    if (staged == NULL) return sni_fail_memory(error);
    glGenBuffers(1, &m->colors);
    sn_view_colors_upload(m->colors, m->mesh, m->mesh->colors, staged);
    m->bytes += m->geometry->vertex_count * COLOR_BYTES;
    sni_free(memory, staged);
    return SN_RESULT_OK;
}

static snResult upload_uvs(snViewMesh* m, const snAllocator* memory, snError* error) {
    const snGeometry* g = m->geometry;
    snVec2* uvs = SNI_NEW_ARRAY(memory, snVec2, g->vertex_count);
    if (uvs == NULL) return sni_fail_memory(error);
    for (uint32_t i = 0; i < g->vertex_count; i++) uvs[i] = (snVec2){g->vertices[i].u, g->vertices[i].v};
    m->uvs = upload(GL_ARRAY_BUFFER, uvs, g->vertex_count * sizeof *uvs, &m->bytes);
    sni_free(memory, uvs);
    return SN_RESULT_OK;
}

snResult sn_view_mesh_open(snViewMesh* mesh, const snShotItem* item, const snAllocator* allocator,
                           snError* error) {
    *mesh = (snViewMesh){.mesh = item->mesh};
    snShot scene = sn_shot();
    SNI_TRY(sn_geometry_create(&scene, item, allocator, &mesh->geometry, error));
    snGeometry* g = mesh->geometry;
    glBindVertexArray(0); // index buffers belong to arrays
    mesh->indices =
        upload(GL_ELEMENT_ARRAY_BUFFER, g->indices, g->index_count * sizeof *g->indices, &mesh->bytes);
    snResult result = SN_RESULT_OK;
    if (item->mesh->uvs != NULL) result = upload_uvs(mesh, allocator, error);
    if (result == SN_RESULT_OK && item->mesh->colors != NULL) result = upload_colors(mesh, allocator, error);
    sni_free(allocator, g->vertices);
    sni_free(allocator, g->indices);
    g->vertices = NULL;
    g->indices = NULL;
    if (result != SN_RESULT_OK) sn_view_mesh_close(mesh);
    return result;
}

void sn_view_mesh_close(snViewMesh* mesh) {
    GLuint buffers[] = {mesh->indices, mesh->uvs, mesh->colors};
    glDeleteBuffers(3, buffers);
    sn_geometry_destroy(mesh->geometry);
    *mesh = (snViewMesh){0};
}

snResult sn_view_mesh_need_edges(snViewMesh* mesh, snError* error) {
    if (mesh->geometry->edge_vertices != NULL) return SN_RESULT_OK;
    return sn_geometry_find_edges(mesh->geometry, mesh->mesh, error);
}

// ----------------------------------------------------------------------------------------------------- model

snShotItem sn_view_item(const snModel* model, uint32_t part) {
    snShotItem item = sn_shot_item(model->parts[part].mesh);
    item.materials = model->materials;
    item.group_materials = model->parts[part].group_materials;
    return item;
}

static snResult open_meshes(snViewModel* m, const snCharacter* character, snError* error) {
    for (uint32_t i = 0; i < m->model->part_count; i++) {
        const snPart* part = &m->model->parts[i];
        snShotItem item = sn_view_item(m->model, i);
        SNI_TRY(sn_view_mesh_open(&m->meshes[i], &item, &m->allocator, error));
        SNI_TRY(sn_part_is_solid(part, sn_character_surface(character, i), &m->allocator, &m->meshes[i].solid,
                                 error));
    }
    return SN_RESULT_OK;
}

snResult sn_view_model_open(const snModel* model, const snCharacter* character, const snAllocator* allocator,
                            snViewModel** out, snError* error) {
    snViewModel* m = SNI_NEW(allocator, snViewModel);
    if (m == NULL) return sni_fail_memory(error);
    *m = (snViewModel){.model = model, .allocator = *allocator};
    m->meshes = SNI_NEW_ARRAY(allocator, snViewMesh, model->part_count);
    snResult result = m->meshes != NULL ? open_meshes(m, character, error) : sni_fail_memory(error);
    if (result != SN_RESULT_OK) {
        sn_view_model_close(m);
        return result;
    }
    *out = m;
    return SN_RESULT_OK;
}

void sn_view_model_close(snViewModel* model) {
    if (model == NULL) return;
    for (uint32_t i = 0; model->meshes != NULL && i < model->model->part_count; i++)
        sn_view_mesh_close(&model->meshes[i]);
    snAllocator memory = model->allocator;
    sni_free(&memory, model->meshes);
    sni_free(&memory, model);
}

uint64_t sn_view_model_bytes(const snViewModel* model) {
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < model->model->part_count; i++) bytes += model->meshes[i].bytes;
    return bytes;
}
