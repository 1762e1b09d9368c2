#include "census.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"

static bool same_mesh(const snMesh* a, const snMesh* b) {
    return a->vertex_count == b->vertex_count && a->face_count == b->face_count &&
           a->corner_count == b->corner_count && sn_mesh_hash(a) == sn_mesh_hash(b) &&
           memcmp(a->positions, b->positions, a->vertex_count * sizeof *a->positions) == 0 &&
           memcmp(a->corners, b->corners, a->corner_count * sizeof *a->corners) == 0;
}

static uint32_t count_influences(const snWeights* weights) {
    uint32_t most = 0;
    for (uint32_t v = 0; v < weights->vertex_count; v++) {
        uint32_t own = 0;
        for (uint32_t k = 0; k < weights->influences; k++)
            if (weights->weights[(size_t)v * weights->influences + k] > 0) own++;
        if (own > most) most = own;
    }
    return most;
}

static snResult count_mesh(const snPart* part, const snAllocator* memory, cliMeshCensus* out,
                           snError* error) {
    const snMesh* mesh = part->mesh;
    snTopology* topology = NULL;
    snResult result = sn_topology_create(mesh, part->weld, memory, &topology, error);
    if (result != SN_RESULT_OK) return result;
    out->instances = 1;
    out->vertices = mesh->vertex_count;
    out->welded = part->weld->point_count;
    out->faces = mesh->face_count;
    sn_mesh_count_faces(mesh, &out->triangles, &out->quads, &out->larger);
    out->components = topology->component_count;
    out->boundary_edges = topology->boundary_edge_count;
    out->bad_edges = topology->bad_edge_count;
    out->bad_points = topology->bad_point_count;
    out->closed = topology->closed;
    out->manifold = topology->manifold;
    out->oriented = topology->oriented;
    out->morphs = part->morph_count;
    out->influences = count_influences(&part->weights);
    out->volume = sn_mesh_volume(mesh, NULL);
    sn_topology_destroy(topology);
    return SN_RESULT_OK;
}

static void add_total(cliMeshCensus* total, const cliMeshCensus* mesh) {
    total->vertices += mesh->vertices;
    total->welded += mesh->welded;
    total->faces += mesh->faces;
    total->triangles += mesh->triangles;
    total->quads += mesh->quads;
    total->larger += mesh->larger;
    total->components += mesh->components;
    total->boundary_edges += mesh->boundary_edges;
    total->bad_edges += mesh->bad_edges;
    total->bad_points += mesh->bad_points;
    total->morphs += mesh->morphs;
    total->closed = total->closed && mesh->closed;
    total->manifold = total->manifold && mesh->manifold;
    total->oriented = total->oriented && mesh->oriented;
    if (mesh->influences > total->influences) total->influences = mesh->influences;
}

static snResult count_parts(cliCensus* census, const snModel* model, snError* error) {
    for (uint32_t i = 0; i < model->part_count; i++) {
        const snPart* part = &model->parts[i];
        cliMeshCensus* known = NULL;
        for (uint32_t k = 0; k < census->mesh_count && known == NULL; k++)
            if (same_mesh(model->parts[census->meshes[k].part].mesh, part->mesh)) known = &census->meshes[k];
        if (known != NULL) {
            known->instances++;
            continue;
        }
        cliMeshCensus* mesh = &census->meshes[census->mesh_count];
        mesh->part = i;
        snResult result = count_mesh(part, &census->allocator, mesh, error);
        if (result != SN_RESULT_OK) return result;
        census->mesh_count++;
        for (uint32_t v = 0; v < part->mesh->vertex_count; v++)
            census->local = sn_bounds_add(census->local, part->mesh->positions[v]);
    }
    census->total = (cliMeshCensus){
        .closed = census->mesh_count > 0, .manifold = true, .oriented = true, .instances = model->part_count};
    for (uint32_t k = 0; k < census->mesh_count; k++) add_total(&census->total, &census->meshes[k]);
    return SN_RESULT_OK;
}

// World bounds and volume come from the rest pose that everything else starts from.
static snResult measure_rest(cliCensus* census, const snModel* model, snError* error) {
    snCharacterDef def = sn_character_def();
    def.model = model;
    snCharacter* character = NULL;
    snResult result = sn_character_create(&def, &census->allocator, &character, error);
    if (result != SN_RESULT_OK) return result;
    result = sn_character_pose_clip(character, SN_NONE, 0, SN_WRAP_CLAMP);
    for (uint32_t i = 0; i < model->part_count && result == SN_RESULT_OK; i++) {
        snSurface surface = sn_character_surface(character, i);
        for (uint32_t v = 0; v < surface.vertex_count; v++)
            census->world = sn_bounds_add(census->world, surface.positions[v]);
        census->total.volume += sn_mesh_volume(model->parts[i].mesh, surface.positions);
    }
    sn_character_destroy(character);
    return result == SN_RESULT_OK ? result : sni_fail(error, result, "the rest pose cannot be taken");
}

snResult census_take(const snModel* model, const snAllocator* allocator, cliCensus** out, snError* error) {
    snAllocator memory = sni_allocator(allocator);
    cliCensus* census = SNI_NEW(&memory, cliCensus);
    if (census == NULL) return sni_fail_memory(error);
    census->allocator = memory;
    census->world = census->local = sn_bounds_empty();
    census->meshes = SNI_NEW_ARRAY(&memory, cliMeshCensus, model->part_count);
    snResult result = census->meshes != NULL ? SN_RESULT_OK : sni_fail_memory(error);
    if (result == SN_RESULT_OK) result = count_parts(census, model, error);
    if (result == SN_RESULT_OK) result = measure_rest(census, model, error);
    for (uint32_t i = 0; i < model->skin_count; i++) census->joints += model->skins[i].joint_count;
    if (result != SN_RESULT_OK) {
        census_destroy(census);
        return result;
    }
    *out = census;
    return SN_RESULT_OK;
}

void census_destroy(cliCensus* census) {
    if (census == NULL) return;
    snAllocator memory = census->allocator;
    sni_free(&memory, census->meshes);
    sni_free(&memory, census);
}
