// Writing the lattice and what moves it: SINEW_deformation at the document's root and on the meshes.
// docs/io.md defines the fields.
#include "gltf_build.h"
#include "sinew/bind.h"

static void put(sniOutput* out, sniJsonValue* object, const char* key, const void* data, size_t size) {
    sni_output_set(out, object, key, sni_json_uint(sni_output_view(out, data, size, 0, SNI_TARGET_NONE)));
}

static sniJsonValue* uints(sniOutput* out, const uint32_t* values, size_t count) {
    sniJsonValue* list = sni_json_array();
    for (size_t i = 0; i < count; i++) sni_output_add(out, list, sni_json_uint(values[i]));
    return list;
}

static sniJsonValue* lattice_object(sniOutput* out, const snLattice* lattice, float scale) {
    snLatticeCells cells = sn_lattice_cells(lattice);
    snVec3 origin = sn_scale(cells.origin, scale);
    sniJsonValue* object = sni_json_object();
    sni_output_set(out, object, "origin", sni_json_floats(&origin.x, 3));
    sni_output_set(out, object, "cellSize", sni_json_real((double)(cells.cell_size * scale)));
    sni_output_set(out, object, "grid", uints(out, cells.grid, 3));
    sni_output_set(out, object, "cellCount", sni_json_uint(cells.cell_count));
    sni_output_set(out, object, "particleCount", sni_json_uint(cells.particle_count));
    sni_output_set(out, object, "pointCount", sni_json_uint(cells.point_count));
    put(out, object, "cells", cells.cells, (size_t)cells.cell_count * sizeof *cells.cells);
    put(out, object, "cellParticles", cells.cell_particles,
        (size_t)cells.cell_count * sizeof *cells.cell_particles);
    put(out, object, "cellInside", cells.cell_inside, cells.cell_count);
    put(out, object, "pointCells", cells.point_cells, (size_t)cells.point_count * sizeof(uint32_t));
    put(out, object, "pointCoords", cells.point_coords, (size_t)cells.point_count * sizeof(snVec3));
    return object;
}

static bool put_binds(sniOutput* out, sniJsonValue* object, const snBinding* binding, float scale) {
    snMat4* binds = sni_copy_array(&out->allocator, binding->binds, binding->joint_count, sizeof(snMat4));
    if (binds == NULL) return false;
    for (uint32_t i = 0; i < binding->joint_count; i++) {
        for (int k = 12; k < 15; k++) binds[i].m[k] *= scale;
    }
    put(out, object, "binds", binds, binding->joint_count * sizeof(snMat4));
    sni_free(&out->allocator, binds);
    return true;
}

void sni_binding_add(sniOutput* out, const snModel* model, float scale) {
    const snBinding* binding = model->binding;
    if (binding == NULL) return;
    size_t particles = binding->lattice->particle_count;
    size_t entries = particles * binding->particles.influences;
    sniJsonValue* object = sni_json_object();
    sni_output_set(out, object, "version", sni_json_uint(SNI_EXTENSION_VERSION));
    sni_output_set(out, object, "lattice", lattice_object(out, binding->lattice, scale));
    sni_output_set(out, object, "joints", uints(out, binding->joints, binding->joint_count));
    if (!put_binds(out, object, binding, scale)) out->failed = true;
    sni_output_set(out, object, "influences", sni_json_uint(binding->particles.influences));
    put(out, object, "particleJoints", binding->particles.joints, entries * sizeof(uint16_t));
    put(out, object, "particleWeights", binding->particles.weights, entries * sizeof(float));
    put(out, object, "boneParts", binding->parts->bone_parts, particles * sizeof(uint32_t));
    put(out, object, "jointParts", binding->parts->joint_parts, particles * sizeof(uint32_t));
    if (binding->region_widths != NULL) put(out, object, "regionWidths", binding->region_widths, particles);
    sni_output_set(out, sni_output_object(out, out->json, "extensions"), SNI_EXTENSION, object);
    sni_output_use(out, SNI_EXTENSION);
}

static void count_member(void* user, const char* key, sniJsonValue* value) {
    (void)key, (void)value;
    ++*(size_t*)user;
}

void sni_binding_remove(sniOutput* out) {
    sniJsonValue* extensions = sni_json_find(out->json, "extensions");
    size_t left = 0;
    sni_json_remove(extensions, SNI_EXTENSION);
    sni_json_each(extensions, count_member, &left);
    if (left == 0) sni_json_remove(out->json, "extensions");
}

void sni_binding_drop(sniOutput* out) {
    sniJsonValue* meshes = sni_json_find(out->json, "meshes");
    for (size_t i = 0; i < sni_json_count(meshes); i++) {
        sniJsonValue* extensions = sni_json_find(sni_json_element(meshes, i), "extensions");
        sni_json_remove(sni_json_find(extensions, SNI_EXTENSION), "latticePoints");
    }
    sni_binding_remove(out);
}

void sni_binding_add_points(sniOutput* out, const snModel* model, uint32_t part, const sniVertexBlock* block,
                            sniJsonValue* extension) {
    const snBinding* binding = model->binding;
    if (binding == NULL || extension == NULL) return;
    uint32_t begin = binding->vertex_starts[part];
    if (binding->vertex_starts[part + 1] == begin) return;
    uint32_t* points = SNI_NEW_ARRAY(&out->allocator, uint32_t, block->count);
    if (points == NULL) {
        out->failed = true;
        return;
    }
    for (uint32_t v = 0; v < block->count; v++) {
        uint32_t vertex = block->origins != NULL ? block->origins[v] : block->begin + v;
        points[v] = binding->vertex_points[begin + vertex];
    }
    put(out, extension, "latticePoints", points, (size_t)block->count * sizeof *points);
    sni_free(&out->allocator, points);
}
