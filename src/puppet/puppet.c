// A model posed by handles: what is made for it once, and what a pose costs.
#include "sinew/puppet.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/progress.h"
#include "handles/nearest.h"
#include "poses/step.h"

struct snPuppet {
    const snMesh* mesh;
    const snHandles* handles;
    snMesh* own_mesh;       // NULL: the caller's
    snHandles* own_handles; // NULL: the caller's
    snHandleSurface* surface;
    snHandleMethod method;
    uint32_t iterations;
    snCpuLevel level;
    snRigid* motions; // handle_count
    uint8_t* marks;   // handle_count: which a turn or move takes along
    uint32_t* moved;  // handle_count: the same as a list
    void* scratch;
    snVec3 *positions, *normals; // vertex_count
    uint32_t part_count;
    snSurface* parts; // into the two above
    snAllocator allocator;
};

snPuppetDef sn_puppet_def(void) {
    snHandleSurfaceDef surface = sn_handle_surface_def();
    return (snPuppetDef){.laplacian = surface.laplacian,
                         .squared = surface.squared,
                         .band = surface.band,
                         .memory_limit = surface.memory_limit};
}

void sn_puppet_destroy(snPuppet* puppet) {
    if (puppet == NULL) return;
    snAllocator memory = puppet->allocator;
    void* all[] = {puppet->motions,   puppet->marks,   puppet->moved, puppet->scratch,
                   puppet->positions, puppet->normals, puppet->parts};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) sni_free(&memory, all[i]);
    sn_handle_surface_destroy(puppet->surface);
    sn_handles_destroy(puppet->own_handles);
    sn_mesh_destroy(puppet->own_mesh);
    sni_free(&memory, puppet);
}

// -------------------------------------------------------------------------------------------------- making

static bool is_skinned(const snModel* model) {
    for (uint32_t p = 0; p < model->part_count; p++)
        if (model->parts[p].skin != SN_NONE) return true;
    return false;
}

static snResult find_handles(snPuppet* puppet, const snModel* model, const snProgress* progress,
                             snError* error) {
    const snAllocator* memory = &puppet->allocator;
    snHandles* found = NULL;
    snResult result;
    if (is_skinned(model)) {
        snHandlesFromSkinDef def = sn_handles_from_skin_def();
        def.model = model;
        result = sn_handles_from_skin(&def, puppet->mesh, memory, &found, error);
    } else {
        snSegmentationDef def = sn_segmentation_def();
        sniSpan span = {progress, 0.0f, 0.2f, NULL};
        def.mesh = puppet->mesh;
        def.progress = sni_span_progress(&span);
        result = sn_segmentation_create(&def, memory, &found, NULL, error);
    }
    if (result == SN_RESULT_OK) result = sni_progress(progress, "looking for handles", 0.2f, error);
    if (result == SN_RESULT_OK)
        result = sn_handles_hold_pieces(found, puppet->mesh, memory, &puppet->own_handles, NULL, error);
    sn_handles_destroy(found);
    puppet->handles = puppet->own_handles;
    return result;
}

static snResult make_surface(snPuppet* puppet, const snPuppetDef* def, snError* error) {
    snHandleSurfaceDef surface = sn_handle_surface_def();
    surface.mesh = puppet->mesh;
    surface.handles = puppet->handles;
    surface.laplacian = def->laplacian;
    surface.squared = def->squared;
    surface.band = def->band;
    surface.rigid = def->method == SN_HANDLES_RIGID;
    surface.sparse = def->sparse;
    surface.memory_limit = def->memory_limit;
    sniSpan span = {&def->progress, 0.3f, 1.0f, NULL};
    surface.progress = sni_span_progress(&span);
    return sn_handle_surface_create(&surface, &puppet->allocator, &puppet->surface, error);
}

static bool make_room(snPuppet* puppet, const snModel* model) {
    const snAllocator* memory = &puppet->allocator;
    uint32_t handles = puppet->handles->handle_count, vertices = puppet->mesh->vertex_count, first = 0;
    puppet->motions = SNI_NEW_ARRAY(memory, snRigid, handles);
    puppet->marks = SNI_NEW_ARRAY(memory, uint8_t, handles);
    puppet->moved = SNI_NEW_ARRAY(memory, uint32_t, handles);
    puppet->scratch = SNI_NEW_ARRAY(memory, uint8_t, sn_handle_surface_scratch_size(puppet->surface));
    puppet->positions = SNI_NEW_ARRAY(memory, snVec3, vertices);
    puppet->normals = SNI_NEW_ARRAY(memory, snVec3, vertices);
    puppet->parts = SNI_NEW_ARRAY(memory, snSurface, model->part_count);
    if (puppet->motions == NULL || puppet->marks == NULL || puppet->moved == NULL ||
        puppet->scratch == NULL || puppet->positions == NULL || puppet->normals == NULL ||
        puppet->parts == NULL)
        return false;
    puppet->part_count = model->part_count;
    for (uint32_t p = 0; p < model->part_count; p++) {
        uint32_t count = model->parts[p].mesh->vertex_count;
        puppet->parts[p] = (snSurface){count, puppet->positions + first, puppet->normals + first};
        first += count;
    }
    return true;
}

// What the mesh must have, whoever merged it: the parts are taken apart by these counts.
static snResult check_mesh(const snPuppet* puppet, const snModel* model, snError* error) {
    uint64_t count = 0;
    for (uint32_t p = 0; p < model->part_count; p++) count += model->parts[p].mesh->vertex_count;
    if (count == puppet->mesh->vertex_count) return SN_RESULT_OK;
    return sni_fail(error, SN_RESULT_BAD_DATA, "the mesh has %u vertices, the parts of the model %llu",
                    puppet->mesh->vertex_count, (unsigned long long)count);
}

static snResult make(snPuppet* puppet, const snPuppetDef* def, snError* error) {
    snResult result = SN_RESULT_OK;
    puppet->mesh = def->mesh;
    puppet->handles = def->handles;
    if (def->mesh == NULL) {
        result = sn_model_merge_mesh(def->model, &puppet->allocator, &puppet->own_mesh, error);
        puppet->mesh = puppet->own_mesh;
    }
    if (result == SN_RESULT_OK) result = check_mesh(puppet, def->model, error);
    if (result == SN_RESULT_OK) result = sni_progress(&def->progress, "looking for handles", 0.0f, error);
    if (result == SN_RESULT_OK && def->handles == NULL)
        result = find_handles(puppet, def->model, &def->progress, error);
    if (result == SN_RESULT_OK) result = sni_progress(&def->progress, "factoring", 0.3f, error);
    if (result == SN_RESULT_OK) result = make_surface(puppet, def, error);
    if (result == SN_RESULT_OK) result = sni_progress(&def->progress, "factoring", 1.0f, error);
    if (result != SN_RESULT_OK) return result;
    if (!make_room(puppet, def->model)) return sni_fail_memory(error);
    sn_puppet_reset(puppet);
    result = sn_puppet_run(puppet, NULL);
    return result == SN_RESULT_OK ? result : sni_fail(error, result, "the rest pose cannot be solved");
}

static snResult validate(const snPuppetDef* def, snPuppet** out, snError* error) {
    if (def == NULL || def->model == NULL || out == NULL)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a model and an output are needed");
    if ((uint32_t)def->method >= SN_HANDLES_METHOD_COUNT)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "there is no method %u", (uint32_t)def->method);
    if (!sn_cpu_level_available(def->level))
        return sni_fail(error, SN_RESULT_UNSUPPORTED, "this machine or build has no %s",
                        sn_cpu_level_name(def->level));
    // Before anything is made: looking for handles takes a while.
    if (def->sparse == NULL)
        return sni_fail(error, SN_RESULT_UNSUPPORTED,
                        "a puppet needs a sparse solver: sn_sparse_cholmod() of sinew::sparse");
    return SN_RESULT_OK;
}

snResult sn_puppet_create(const snPuppetDef* def, const snAllocator* allocator, snPuppet** out,
                          snError* error) {
    snResult result = validate(def, out, error);
    if (result != SN_RESULT_OK) return result;
    snAllocator memory = sni_allocator(allocator);
    snPuppet* puppet = SNI_NEW(&memory, snPuppet);
    if (puppet == NULL) return sni_fail_memory(error);
    puppet->allocator = memory;
    puppet->method = def->method;
    puppet->iterations = def->iterations;
    puppet->level = def->level;
    result = make(puppet, def, error);
    if (result != SN_RESULT_OK) {
        sn_puppet_destroy(puppet);
        return result;
    }
    *out = puppet;
    return SN_RESULT_OK;
}

// ------------------------------------------------------------------------------------------------- handles

const snMesh* sn_puppet_mesh(const snPuppet* puppet) { return puppet->mesh; }
const snHandles* sn_puppet_handles(const snPuppet* puppet) { return puppet->handles; }
const snRigid* sn_puppet_motions(const snPuppet* puppet) { return puppet->motions; }

void sn_puppet_reset(snPuppet* puppet) {
    for (uint32_t h = 0; h < puppet->handles->handle_count; h++)
        puppet->motions[h] = (snRigid){sn_quat_identity(), sn_vec3(0.0f, 0.0f, 0.0f)};
}

static bool is_finite(const snRigid* motion) {
    snQuat q = motion->rotation;
    return sn_vec3_finite(sn_vec3(q.x, q.y, q.z)) && sn_finite(q.w) && sn_vec3_finite(motion->translation);
}

snResult sn_puppet_set(snPuppet* puppet, const snRigid* motions) {
    if (puppet == NULL || motions == NULL) return SN_RESULT_INVALID_ARGUMENT;
    uint32_t count = puppet->handles->handle_count;
    for (uint32_t h = 0; h < count; h++)
        if (!is_finite(&motions[h])) return SN_RESULT_INVALID_ARGUMENT;
    memmove(puppet->motions, motions, count * sizeof *motions);
    return SN_RESULT_OK;
}

// Does a step to a handle and its followers, as a pose would do it.
static snResult take_step(snPuppet* puppet, const char* name, snPoseStep* step, snError* error) {
    uint32_t handle = name != NULL ? sn_handles_find(puppet->handles, name) : SN_NONE;
    if (handle == SN_NONE)
        return sni_fail(error, SN_RESULT_NOT_FOUND, "there is no handle \"%s\"; the nearest is \"%s\"",
                        name != NULL ? name : "",
                        sni_handles_nearest(puppet->handles, name != NULL ? name : ""));
    step->frame = step->center = handle;
    step->handles = puppet->moved;
    sn_handles_followers(puppet->handles, handle, puppet->marks);
    for (uint32_t h = 0; h < puppet->handles->handle_count; h++)
        if (puppet->marks[h]) puppet->moved[step->handle_count++] = h;
    sni_step_apply(puppet->handles, step, 1.0f, puppet->motions);
    return SN_RESULT_OK;
}

snResult sn_puppet_rotate(snPuppet* puppet, const char* handle, snVec3 axis, float angle, snError* error) {
    bool turns = sn_vec3_finite(axis) && (axis.x != 0.0f || axis.y != 0.0f || axis.z != 0.0f);
    if (puppet == NULL || !turns || !sn_finite(angle))
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT,
                        "an axis with a direction and an angle are needed");
    snPoseStep step = {.act = SN_POSE_ROTATE, .axis = sni_unit_axis(axis), .angle = angle};
    return take_step(puppet, handle, &step, error);
}

snResult sn_puppet_move(snPuppet* puppet, const char* handle, snVec3 move, snError* error) {
    if (puppet == NULL || !sn_vec3_finite(move))
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a distance that is finite is needed");
    snPoseStep step = {.act = SN_POSE_MOVE, .move = move};
    return take_step(puppet, handle, &step, error);
}

// ------------------------------------------------------------------------------------------------- surface

snResult sn_puppet_run(snPuppet* puppet, const float* offsets) {
    if (puppet == NULL) return SN_RESULT_INVALID_ARGUMENT;
    snHandleSurfaceJob job = {.surface = puppet->surface,
                              .handles = puppet->motions,
                              .method = puppet->method,
                              .iterations = puppet->iterations,
                              .offsets = offsets,
                              .exact_normals = true,
                              .scratch = puppet->scratch,
                              .out_positions = puppet->positions,
                              .out_normals = puppet->normals,
                              .level = puppet->level};
    return sn_handle_surface_run(&job);
}

snSurface sn_puppet_surface(const snPuppet* puppet, uint32_t part) {
    return part < puppet->part_count ? puppet->parts[part] : (snSurface){0};
}

const snSurface* sn_puppet_surfaces(const snPuppet* puppet) { return puppet->parts; }

uint64_t sn_puppet_hash(const snPuppet* puppet) {
    size_t count = (size_t)3 * puppet->mesh->vertex_count;
    uint64_t hash = sn_hash_floats(SN_HASH_SEED, &puppet->positions[0].x, count);
    return sn_hash_floats(hash, &puppet->normals[0].x, count);
}
