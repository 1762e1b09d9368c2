// Handles as bytes.
#include "base/error.h"
#include "handled.h"

static snResult damaged(snError* error) {
    return sni_fail(error, SN_RESULT_BAD_DATA, "the stored handles are damaged");
}

void sni_rig_put(const snHandles* rig, sniBytes* out) {
    if (rig == NULL) return;
    sni_put_u32(out, rig->vertex_count);
    sni_put_u64(out, rig->mesh_hash);
    sni_put_float(out, rig->size);
    sni_put_u32(out, rig->handle_count);
    for (uint32_t h = 0; h < rig->handle_count; h++) {
        const snHandle* handle = &rig->handles[h];
        sni_put_text(out, handle->name);
        sni_put_array(out, &handle->center, 3, sizeof(float));
        sni_put_array(out, &handle->position, 3, sizeof(float));
        sni_put_float(out, handle->confidence);
        sni_put_u32(out, handle->vertex_count);
        sni_put_array(out, handle->vertices, handle->vertex_count, sizeof *handle->vertices);
        sni_put_array(out, handle->weights, handle->vertex_count, sizeof *handle->weights);
        sni_put_u32(out, handle->follower_count);
        sni_put_array(out, handle->followers, handle->follower_count, sizeof *handle->followers);
    }
}

// Creating checks everything but needs a mesh, of which it looks at positions alone, to find what is known
// already: a cloud of as many points stands for it.
static snResult create(uint32_t vertices, const snHandleDef* handles, uint32_t count,
                       const snAllocator* memory, snHandles** out, snError* error) {
    uint32_t no_faces = 0;
    snMesh cloud = {.vertex_count = vertices, .face_starts = &no_faces};
    cloud.positions = SNI_NEW_ARRAY(memory, snVec3, vertices);
    if (cloud.positions == NULL) return sni_fail_memory(error);
    snHandlesDef def = {&cloud, count, handles};
    snResult result = sn_handles_create(&def, memory, out, error);
    sni_free(memory, cloud.positions);
    return result;
}

// Floats are checked here and in what creates.
static void take_handle(sniReader* r, snHandleDef* to, snVec3* position) {
    *to = (snHandleDef){.name = sni_take_text(r)};
    const float* center = sni_take_floats(r, 3);
    const float* place = sni_take_floats(r, 3);
    if (center != NULL) memcpy(&to->center, center, sizeof to->center);
    if (place != NULL) memcpy(position, place, sizeof *position);
    to->confidence = sni_take_float(r);
    to->vertex_count = sni_take_u32(r);
    to->vertices = sni_take_array(r, to->vertex_count, sizeof *to->vertices);
    to->weights = sni_take_floats(r, to->vertex_count);
    to->follower_count = sni_take_u32(r);
    to->followers = sni_take_array(r, to->follower_count, sizeof *to->followers);
}

snResult sni_rig_get(sniSlice bytes, uint64_t vertices, const snAllocator* memory, snHandles** out,
                     snError* error) {
    if (bytes.size == 0) return SN_RESULT_OK;
    sniReader r = {bytes.data, bytes.size, 0, false};
    uint32_t points = sni_take_u32(&r);
    uint64_t hash = sni_take_u64(&r);
    float size = sni_take_float(&r);
    uint32_t count = sni_take_u32(&r);
    if (r.failed || points != vertices || count > SN_HANDLES_MAX) return damaged(error);
    snHandleDef* handles = SNI_NEW_ARRAY(memory, snHandleDef, count);
    snVec3* positions = SNI_NEW_ARRAY(memory, snVec3, count);
    snHandles* made = NULL;
    snResult result = handles != NULL && positions != NULL ? SN_RESULT_OK : sni_fail_memory(error);
    for (uint32_t h = 0; h < count && result == SN_RESULT_OK; h++) {
        take_handle(&r, &handles[h], &positions[h]);
        if (r.failed) result = damaged(error);
    }
    if (result == SN_RESULT_OK && !sni_reader_done(&r)) result = damaged(error);
    if (result == SN_RESULT_OK) result = create(points, handles, count, memory, &made, error);
    if (result == SN_RESULT_OK) {
        made->mesh_hash = hash;
        made->size = size;
        for (uint32_t h = 0; h < count; h++) made->handles[h].position = positions[h];
        *out = made;
    }
    sni_free(memory, handles);
    sni_free(memory, positions);
    return result;
}

snResult sni_rig_copy(const snHandles* from, const snAllocator* memory, snHandles** out, snError* error) {
    sniBytes bytes = sni_bytes(memory);
    sni_rig_put(from, &bytes);
    snResult result = bytes.failed ? sni_fail_memory(error)
                                   : sni_rig_get((sniSlice){bytes.data, bytes.size}, from->vertex_count,
                                                 memory, out, error);
    sni_bytes_free(&bytes);
    return result;
}

void sni_handled_free(sniHandled* handled, const snAllocator* memory) {
    sn_handles_destroy(handled->rig);
    sni_poses_free(&handled->poses, memory);
    sni_path_free(handled->path, memory);
    *handled = (sniHandled){0};
}
