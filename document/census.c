// What a model is made of, counted and measured.
#include <stdlib.h>
#include <string.h>

#include "base/progress.h"
#include "document.h"
#include "io/file.h"
#include "io/gltf.h"
#include "rig/place.h"

// Which mesh of the file a part shows: a glTF mesh that two nodes place is one mesh, while two meshes with
// the same bytes are two. Models that came from elsewhere have a mesh per part.
static uint64_t mesh_of_part(const snModel* model, uint32_t part) {
    const sniGltf* gltf = sni_gltf_source(model);
    int64_t mesh = part;
    if (gltf != NULL) {
        sniJson node = sni_gltf_object(gltf, "nodes", model->parts[part].joint);
        sniJson index = sni_json_get(&node, "mesh");
        if (!sni_json_whole(&index, &mesh)) mesh = part;
    }
    return (uint64_t)mesh;
}

static int compare_keys(const void* a, const void* b) {
    uint64_t x = *(const uint64_t*)a, y = *(const uint64_t*)b;
    return (x > y) - (x < y);
}

// How often each edge is used, over welded points (weld NULL: over vertices). Unlike snTopology this lets
// faces count that welding collapsed: what other tools see in the file is what a census has to say.
static snResult count_edges(const snMesh* mesh, const snWeld* weld, const snAllocator* memory,
                            snMeshCensus* out, snError* error) {
    uint64_t* keys = SNI_NEW_ARRAY(memory, uint64_t, mesh->corner_count);
    if (keys == NULL) return sni_fail_memory(error);
    size_t count = 0;
    for (uint32_t f = 0; f < mesh->face_count; f++) {
        uint32_t first = mesh->face_starts[f], end = mesh->face_starts[f + 1];
        for (uint32_t c = first; c < end; c++) {
            uint64_t a = mesh->corners[c];
            uint64_t b = mesh->corners[c + 1 < end ? c + 1 : first];
            if (weld != NULL) a = weld->point_of_vertex[a], b = weld->point_of_vertex[b];
            if (a != b) keys[count++] = a < b ? a << 32 | b : b << 32 | a;
        }
    }
    if (count > 0) qsort(keys, count, sizeof *keys, compare_keys);
    for (size_t i = 0, next; i < count; i = next) {
        for (next = i + 1; next < count && keys[next] == keys[i];) next++;
        if (next - i == 1) out->boundary_edges++;
        if (next - i > 2) out->bad_edges++;
    }
    sni_free(memory, keys);
    return SN_RESULT_OK;
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

// glTF cannot share a vertex across a seam, so its surface is judged after the weld; a format that can share
// them is taken at its word.
static snResult count_mesh(const snPart* part, bool seams, const snAllocator* memory, snMeshCensus* out,
                           snError* error) {
    const snMesh* mesh = part->mesh;
    snTopology* topology = NULL;
    const snWeld* weld = seams ? part->weld : NULL;
    snResult result = sn_topology_create(mesh, weld, memory, &topology, error);
    if (result == SN_RESULT_OK) result = count_edges(mesh, weld, memory, out, error);
    if (result != SN_RESULT_OK) {
        sn_topology_destroy(topology);
        return result;
    }
    out->instances = 1;
    out->vertices = mesh->vertex_count;
    out->welded = part->weld->point_count;
    out->faces = mesh->face_count;
    sn_mesh_count_faces(mesh, &out->triangles, &out->quads, &out->larger);
    out->components = topology->component_count;
    out->bad_points = topology->bad_point_count;
    out->closed = mesh->face_count > 0 && out->boundary_edges == 0;
    out->manifold = out->bad_edges == 0 && out->bad_points == 0;
    out->oriented = topology->oriented;
    out->morphs = part->morph_count;
    out->influences = count_influences(&part->weights);
    out->volume = sn_mesh_volume(mesh, NULL);
    sn_topology_destroy(topology);
    return SN_RESULT_OK;
}

static void add_total(snMeshCensus* total, const snMeshCensus* mesh) {
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

static snResult count_parts(snCensus* census, const snModel* model, const snProgress* progress,
                            snError* error) {
    for (uint32_t i = 0; i < model->part_count; i++) {
        SNI_TRY(sni_progress(progress, "counting", 0.8f * (float)i / (float)model->part_count, error));
        const snPart* part = &model->parts[i];
        snMeshCensus* known = NULL;
        uint64_t number = mesh_of_part(model, i);
        for (uint32_t k = 0; k < census->mesh_count && known == NULL; k++)
            if (census->meshes[k].mesh == number) known = &census->meshes[k];
        if (known != NULL) {
            known->instances++;
            continue;
        }
        snMeshCensus* mesh = &census->meshes[census->mesh_count];
        mesh->part = i;
        mesh->mesh = number;
        snResult result = count_mesh(part, sni_gltf_source(model) != NULL, &census->allocator, mesh, error);
        if (result != SN_RESULT_OK) return result;
        census->mesh_count++;
        for (uint32_t v = 0; v < part->mesh->vertex_count; v++)
            census->local = sn_bounds_add(census->local, part->mesh->positions[v]);
    }
    census->total = (snMeshCensus){
        .closed = census->mesh_count > 0, .manifold = true, .oriented = true, .instances = model->part_count};
    for (uint32_t k = 0; k < census->mesh_count; k++) add_total(&census->total, &census->meshes[k]);
    return SN_RESULT_OK;
}

// The sign of a part's volume in the world: a mirror turns it about.
static double facing(const snModel* model, uint32_t p, const snMat4* world) {
    const snPart* part = &model->parts[p];
    return part->mesh->face_count > 0 && sni_face_mirrors(model, part, world, 0) ? -1.0 : 1.0;
}

static snResult take_rest(snCensus* census, const snModel* model, snCharacter* character, const snMat4* world,
                          snError* error) {
    snResult result = sn_character_pose_clip(character, SN_CLIP_REST, 0, SN_WRAP_CLAMP);
    if (result != SN_RESULT_OK) return sni_fail(error, result, "the rest pose cannot be computed");
    for (uint32_t i = 0; i < model->part_count; i++) {
        snSurface surface = sn_character_surface(character, i);
        for (uint32_t v = 0; v < surface.vertex_count; v++)
            census->world = sn_bounds_add(census->world, surface.positions[v]);
        double volume = sn_mesh_volume(model->parts[i].mesh, surface.positions);
        census->total.volume += facing(model, i, world) * volume;
    }
    return SN_RESULT_OK;
}

// World bounds and volume come from the rest pose that everything else starts from.
static snResult measure_rest(snCensus* census, const snModel* model, snError* error) {
    snCharacterDef def = sn_character_def();
    def.model = model;
    snCharacter* character = NULL;
    snMat4* world = SNI_NEW_ARRAY(&census->allocator, snMat4, model->skeleton->joint_count);
    if (world == NULL) return sni_fail_memory(error);
    sn_skeleton_world(model->skeleton, NULL, world);
    snResult result = sn_character_create(&def, &census->allocator, &character, error);
    if (result == SN_RESULT_OK) result = take_rest(census, model, character, world, error);
    sn_character_destroy(character);
    sni_free(&census->allocator, world);
    return result;
}

// Joints of a file that is nothing but a skeleton: those the file names. End sites only say where a bone
// ends.
static uint32_t count_named(const snSkeleton* skeleton) {
    uint32_t count = 0;
    for (uint32_t j = 0; j < skeleton->joint_count; j++) {
        size_t length = strlen(skeleton->names[j]);
        count += length < 4 || strcmp(skeleton->names[j] + length - 4, "_end") != 0;
    }
    return count;
}

snResult sn_census_create(const snModel* model, const snProgress* progress, const snAllocator* allocator,
                          snCensus** out, snError* error) {
    const snProgress nobody = {0};
    if (progress == NULL) progress = &nobody;
    snAllocator memory = sni_allocator(allocator);
    snCensus* census = SNI_NEW(&memory, snCensus);
    if (census == NULL) return sni_fail_memory(error);
    census->allocator = memory;
    census->world = census->local = sn_bounds_empty();
    census->meshes = SNI_NEW_ARRAY(&memory, snMeshCensus, model->part_count);
    snResult result = census->meshes != NULL ? SN_RESULT_OK : sni_fail_memory(error);
    if (result == SN_RESULT_OK) result = count_parts(census, model, progress, error);
    if (result == SN_RESULT_OK) result = sni_progress(progress, "measuring", 0.8f, error);
    if (result == SN_RESULT_OK) result = measure_rest(census, model, error);
    if (result == SN_RESULT_OK) result = sni_progress(progress, "measuring", 1.0f, error);
    for (uint32_t i = 0; i < model->skin_count; i++) census->joints += model->skins[i].joint_count;
    if (model->part_count == 0) census->joints = count_named(model->skeleton);
    if (result != SN_RESULT_OK) {
        sn_census_destroy(census);
        return result;
    }
    *out = census;
    return SN_RESULT_OK;
}

void sn_census_destroy(snCensus* census) {
    if (census == NULL) return;
    snAllocator memory = census->allocator;
    sni_free(&memory, census->meshes);
    sni_free(&memory, census);
}

// An ASF counts its bones; the root is the frame they hang in.
static bool has_frame(const snSource* source) {
    const char* extension = sni_path_extension(source->name);
    return sni_extension_is(extension, ".asf") || sni_extension_is(extension, ".amc");
}

snResult sn_source_census(const snSource* source, const snProgress* progress, const snAllocator* allocator,
                          snCensus** out, snError* error) {
    SNI_TRY(sn_census_create(source->model, progress, allocator, out, error));
    if (has_frame(source)) (*out)->joints--;
    return SN_RESULT_OK;
}

snResult sn_document_census(const snDocument* document, const snProgress* progress,
                            const snAllocator* allocator, snCensus** out, snError* error) {
    SNI_TRY(sni_need_model(document, error));
    const sniBody* body = &document->state.body;
    SNI_TRY(sn_census_create(body->model, progress, allocator, out, error));
    if (body->joints == 0 && has_frame(body->source)) (*out)->joints--;
    return SN_RESULT_OK;
}

uint32_t sn_clip_keys(const snClip* clip) {
    uint32_t most = 0;
    for (uint32_t c = 0; c < clip->channel_count; c++)
        if (clip->channels[c].key_count > most) most = clip->channels[c].key_count;
    return most;
}
