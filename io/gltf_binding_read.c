// Reading the lattice and what moves it back from SINEW_deformation.
#include "gltf_output.h"
#include "sinew/bind.h"

typedef struct Reader {
    const sniGltf* gltf;
    const sniJson* object; // the extension at the root
    snModel* model;
    snLatticeCells cells;
    uint32_t* joints;
    uint32_t joint_count;
    snMat4* binds;
    uint32_t* vertex_starts;
    uint32_t* vertex_points;
    snLattice* lattice;
} Reader;

// The bytes behind object[key], which must be exactly count * size; NULL stays when the key may be missing.
static snResult view_of(const Reader* r, const sniJson* object, const char* key, size_t count, size_t size,
                        const void** out) {
    uint32_t view = 0;
    const uint8_t* data = NULL;
    size_t bytes = 0, expected = 0;
    SNI_TRY(sni_gltf_index(r->gltf, object, key, sni_gltf_count(r->gltf, "bufferViews"), &view));
    if (view == SN_NONE) {
        return sni_gltf_fail(r->gltf, SN_RESULT_BAD_DATA, object, "lacks %s", key);
    }
    SNI_TRY(sni_gltf_view(r->gltf, view, &data, &bytes, NULL));
    if (!sni_mul_size(count, size, &expected) || bytes != expected) {
        return sni_gltf_fail(r->gltf, SN_RESULT_BAD_DATA, object,
                             "has %zu bytes in %s, expected %zu items of %zu", bytes, key, count, size);
    }
    *out = data;
    return SN_RESULT_OK;
}

// The same as a copy that is aligned; views of other programs need not be.
static snResult copy_of(const Reader* r, const sniJson* object, const char* key, size_t count, size_t size,
                        void** out) {
    const void* data = NULL;
    SNI_TRY(view_of(r, object, key, count, size, &data));
    *out = data != NULL ? sni_copy_array(&r->gltf->allocator, data, count, size) : NULL;
    return *out != NULL ? SN_RESULT_OK : sni_fail_memory(r->gltf->error);
}

static snResult read_count(const Reader* r, const sniJson* object, const char* key, uint32_t* out) {
    uint64_t count = 0;
    SNI_TRY(sni_gltf_whole(r->gltf, object, key, 1, UINT32_MAX / 8, 0, &count));
    *out = (uint32_t)count;
    return SN_RESULT_OK;
}

// --------------------------------------------------------------------------------------------- lattice

static snResult read_frame(Reader* r, const sniJson* object) {
    bool origin = false;
    double size = 0.0;
    SNI_TRY(sni_gltf_floats(r->gltf, object, "origin", 3, &r->cells.origin.x, &origin));
    sniJson cell_size = sni_json_get(object, "cellSize");
    if (!origin || !sni_json_number(&cell_size, &size) || !(size > 0.0) || !sn_finite((float)size)) {
        return sni_gltf_fail(r->gltf, SN_RESULT_BAD_DATA, object, "lacks origin or a cellSize above 0");
    }
    r->cells.origin = sn_scale(r->cells.origin, r->gltf->unit);
    r->cells.cell_size = (float)size * r->gltf->unit;
    sniJson grid = sni_json_get(object, "grid");
    for (uint32_t a = 0; a < 3; a++) {
        sniJson item = sni_json_item(&grid, a);
        SNI_TRY(sni_gltf_index_value(r->gltf, &item, SN_LATTICE_MAX_CELLS + 1, &r->cells.grid[a]));
    }
    SNI_TRY(read_count(r, object, "cellCount", &r->cells.cell_count));
    SNI_TRY(read_count(r, object, "particleCount", &r->cells.particle_count));
    return read_count(r, object, "pointCount", &r->cells.point_count);
}

typedef struct Tables {
    void* cells;
    void* corners;
    void* inside;
    void* point_cells;
    void* point_coords;
} Tables;

static snResult read_tables(Reader* r, const sniJson* object, Tables* t) {
    snLatticeCells* cells = &r->cells;
    SNI_TRY(copy_of(r, object, "cells", cells->cell_count, sizeof *cells->cells, &t->cells));
    SNI_TRY(
        copy_of(r, object, "cellParticles", cells->cell_count, sizeof *cells->cell_particles, &t->corners));
    SNI_TRY(copy_of(r, object, "cellInside", cells->cell_count, 1, &t->inside));
    SNI_TRY(copy_of(r, object, "pointCells", cells->point_count, sizeof(uint32_t), &t->point_cells));
    SNI_TRY(copy_of(r, object, "pointCoords", cells->point_count, sizeof(snVec3), &t->point_coords));
    cells->cells = t->cells;
    cells->cell_particles = t->corners;
    cells->cell_inside = t->inside;
    cells->point_cells = t->point_cells;
    cells->point_coords = t->point_coords;
    snError detail = sn_error_none();
    snResult result = sn_lattice_restore(cells, &r->gltf->allocator, &r->lattice, &detail);
    if (result == SN_RESULT_OK) return SN_RESULT_OK;
    if (result == SN_RESULT_OUT_OF_MEMORY) return sni_fail_memory(r->gltf->error);
    return sni_gltf_fail(r->gltf, result, object, "cannot be used: %s", detail.text);
}

static snResult read_lattice(Reader* r) {
    sniJson object = sni_json_get(r->object, "lattice");
    Tables tables = {0};
    SNI_TRY(read_frame(r, &object));
    snResult result = read_tables(r, &object, &tables);
    void* arrays[] = {tables.cells, tables.corners, tables.inside, tables.point_cells, tables.point_coords};
    for (int i = 0; i < 5; i++) sni_free(&r->gltf->allocator, arrays[i]);
    return result;
}

// ------------------------------------------------------------------------------------ joints, vertices

static snResult read_joints(Reader* r) {
    sniJson list = sni_json_get(r->object, "joints");
    void* binds = NULL;
    size_t count = sni_json_length(&list);
    if (count == 0 || count > UINT16_MAX) {
        return sni_gltf_fail(r->gltf, SN_RESULT_BAD_DATA, &list, "has %zu joints, expected 1 to 65535",
                             count);
    }
    r->joint_count = (uint32_t)count;
    r->joints = SNI_NEW_ARRAY(&r->gltf->allocator, uint32_t, count);
    if (r->joints == NULL) return sni_fail_memory(r->gltf->error);
    for (size_t i = 0; i < count; i++) {
        sniJson item = sni_json_item(&list, i);
        SNI_TRY(sni_gltf_index_value(r->gltf, &item, r->model->skeleton->joint_count, &r->joints[i]));
    }
    SNI_TRY(copy_of(r, r->object, "binds", count, sizeof(snMat4), &binds));
    r->binds = binds;
    for (size_t i = 0; i < count; i++) {
        for (int k = 12; k < 15; k++) r->binds[i].m[k] *= r->gltf->unit;
    }
    return SN_RESULT_OK;
}

static sniJson mesh_extension(const Reader* r, const snPart* part) {
    sniJson node = sni_gltf_object(r->gltf, "nodes", part->joint);
    sniJson index = sni_json_get(&node, "mesh");
    int64_t mesh = 0;
    sni_json_whole(&index, &mesh);
    sniJson object = sni_gltf_object(r->gltf, "meshes", (uint32_t)mesh);
    sniJson extensions = sni_json_get(&object, "extensions");
    return sni_json_get(&extensions, SNI_EXTENSION);
}

static snResult read_vertices(Reader* r) {
    const snModel* model = r->model;
    uint64_t total = 0;
    for (uint32_t p = 0; p < model->part_count; p++) total += model->parts[p].mesh->vertex_count;
    if (total >= SN_NONE) return sni_fail_memory(r->gltf->error);
    r->vertex_starts = SNI_NEW_ARRAY(&r->gltf->allocator, uint32_t, (size_t)model->part_count + 1);
    r->vertex_points = SNI_NEW_ARRAY(&r->gltf->allocator, uint32_t, (size_t)total);
    if (r->vertex_starts == NULL || r->vertex_points == NULL) return sni_fail_memory(r->gltf->error);
    uint32_t at = 0;
    for (uint32_t p = 0; p < model->part_count; p++) {
        const snPart* part = &model->parts[p];
        sniJson extension = mesh_extension(r, part);
        sniJson key = sni_json_get(&extension, "latticePoints");
        r->vertex_starts[p] = at;
        if (key.value == NULL || !r->gltf->intact[part->joint]) continue;
        const void* points = NULL;
        SNI_TRY(view_of(r, &extension, "latticePoints", part->mesh->vertex_count, sizeof(uint32_t), &points));
        if (points == NULL) continue; // a part without vertices
        memcpy(r->vertex_points + at, points, part->mesh->vertex_count * sizeof(uint32_t));
        at += part->mesh->vertex_count;
    }
    r->vertex_starts[model->part_count] = at;
    return SN_RESULT_OK;
}

// ---------------------------------------------------------------------------------------------- whole

typedef struct Particles {
    void* joints;
    void* weights;
    void* bone_parts;
    void* joint_parts;
    void* widths;
} Particles;

static snResult make_binding(Reader* r, Particles* p) {
    uint64_t influences = 0;
    size_t count = r->lattice->particle_count;
    SNI_TRY(sni_gltf_whole(r->gltf, r->object, "influences", 1, 64, 0, &influences));
    SNI_TRY(copy_of(r, r->object, "particleJoints", count * influences, sizeof(uint16_t), &p->joints));
    SNI_TRY(copy_of(r, r->object, "particleWeights", count * influences, sizeof(float), &p->weights));
    SNI_TRY(copy_of(r, r->object, "boneParts", count, sizeof(uint32_t), &p->bone_parts));
    SNI_TRY(copy_of(r, r->object, "jointParts", count, sizeof(uint32_t), &p->joint_parts));
    sniJson widths = sni_json_get(r->object, "regionWidths");
    if (widths.value != NULL) SNI_TRY(copy_of(r, r->object, "regionWidths", count, 1, &p->widths));
    snBindingDef def = {.model = r->model,
                        .joint_count = r->joint_count,
                        .joints = r->joints,
                        .binds = r->binds,
                        .influences = (uint32_t)influences,
                        .particle_joints = p->joints,
                        .particle_weights = p->weights,
                        .vertex_starts = r->vertex_starts,
                        .vertex_points = r->vertex_points,
                        .bone_overrides = p->bone_parts,
                        .joint_overrides = p->joint_parts,
                        .region_widths = p->widths};
    snBinding* binding = NULL;
    snError detail = sn_error_none();
    snResult result = sn_binding_create(&def, r->lattice, &r->gltf->allocator, &binding, &detail);
    if (result == SN_RESULT_OUT_OF_MEMORY) return sni_fail_memory(r->gltf->error);
    if (result != SN_RESULT_OK)
        return sni_gltf_fail(r->gltf, result, r->object, "cannot be used: %s", detail.text);
    r->lattice = NULL;
    sn_model_set_binding(r->model, binding);
    r->model->rebound = false;
    return SN_RESULT_OK;
}

// True when every mesh that has points of the lattice is the one they were written for.
static bool all_intact(const Reader* r) {
    bool any = false;
    for (uint32_t p = 0; p < r->model->part_count; p++) {
        sniJson extension = mesh_extension(r, &r->model->parts[p]);
        sniJson points = sni_json_get(&extension, "latticePoints");
        if (points.value == NULL) continue;
        any = true;
        if (!r->gltf->intact[r->model->parts[p].joint]) return false;
    }
    return any;
}

snResult sni_binding_read(const sniGltf* gltf, snModel* model) {
    sniJson object = sni_gltf_deformation(gltf);
    sniJson lattice = sni_json_get(&object, "lattice");
    uint64_t version = 0;
    if (lattice.value == NULL) return SN_RESULT_OK;
    SNI_TRY(sni_gltf_whole(gltf, &object, "version", 1, UINT32_MAX, 0, &version));
    Reader reader = {.gltf = gltf, .object = &object, .model = model};
    if (version != SNI_EXTENSION_VERSION || !all_intact(&reader)) {
        sni_note(gltf->notes, "the meshes have changed since " SNI_EXTENSION " was written; lattice dropped");
        return SN_RESULT_OK;
    }
    Particles particles = {0};
    snResult result = read_lattice(&reader);
    if (result == SN_RESULT_OK) result = read_joints(&reader);
    if (result == SN_RESULT_OK) result = read_vertices(&reader);
    if (result == SN_RESULT_OK) result = make_binding(&reader, &particles);
    sn_lattice_destroy(reader.lattice);
    void* arrays[] = {reader.joints,        reader.binds,          reader.vertex_starts,
                      reader.vertex_points, particles.joints,      particles.weights,
                      particles.bone_parts, particles.joint_parts, particles.widths};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(&gltf->allocator, arrays[i]);
    return result;
}
