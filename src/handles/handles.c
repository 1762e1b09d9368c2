// The handle structure: a checked copy of what the caller gave.
#include "sinew/handles.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"

// ------------------------------------------------------------------------------------------------ checks

static snResult check_numbers(const snHandleDef* handle, uint32_t vertex_count, snError* error) {
    for (uint32_t i = 0; i < handle->vertex_count; i++) {
        uint32_t v = handle->vertices[i];
        if (v >= vertex_count) {
            return sni_fail_vertex(error, SN_RESULT_BAD_DATA, v,
                                   "handle \"%s\" has vertex %u, the mesh has %u", handle->name, v,
                                   vertex_count);
        }
        if (handle->weights == NULL) continue;
        float weight = handle->weights[i];
        if (weight >= 0.0f && weight <= 1.0f) continue;
        return sni_fail_vertex(error, SN_RESULT_BAD_DATA, v,
                               "handle \"%s\", vertex %u: the weight is %g, expected 0 to 1", handle->name, v,
                               (double)weight);
    }
    if (!sn_vec3_finite(handle->center)) {
        return sni_fail(error, SN_RESULT_BAD_DATA, "handle \"%s\" has a center that is not finite",
                        handle->name);
    }
    if (!(handle->confidence >= 0.0f && handle->confidence <= 1.0f)) {
        return sni_fail(error, SN_RESULT_BAD_DATA, "handle \"%s\": the confidence is %g, expected 0 to 1",
                        handle->name, (double)handle->confidence);
    }
    return SN_RESULT_OK;
}

static snResult check_handle(const snHandlesDef* def, uint32_t h, snError* error) {
    const snHandleDef* handle = &def->handles[h];
    if (handle->name == NULL || handle->name[0] == '\0') {
        return sni_fail(error, SN_RESULT_BAD_DATA, "handle %u has no name", h);
    }
    if (handle->vertex_count == 0) {
        return sni_fail(error, SN_RESULT_BAD_DATA, "handle \"%s\" has no vertices", handle->name);
    }
    if (handle->vertices == NULL || (handle->follower_count > 0 && handle->followers == NULL)) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "handle \"%s\" has counts without arrays",
                        handle->name);
    }
    for (uint32_t other = 0; other < h; other++) {
        if (strcmp(def->handles[other].name, handle->name) == 0) {
            return sni_fail(error, SN_RESULT_BAD_DATA, "handles %u and %u are both called \"%s\"", other, h,
                            handle->name);
        }
    }
    return check_numbers(handle, def->mesh->vertex_count, error);
}

static snResult check_followers(const snHandlesDef* def, uint32_t h, snError* error) {
    const snHandleDef* handle = &def->handles[h];
    uint8_t seen[SN_HANDLES_MAX] = {0};
    for (uint32_t i = 0; i < handle->follower_count; i++) {
        uint32_t f = handle->followers[i];
        if (f >= def->handle_count) {
            return sni_fail(error, SN_RESULT_BAD_DATA, "handle \"%s\" is followed by handle %u of %u",
                            handle->name, f, def->handle_count);
        }
        if (seen[f]++ > 0) {
            return sni_fail(error, SN_RESULT_BAD_DATA, "handle \"%s\" is followed by \"%s\" twice",
                            handle->name, def->handles[f].name);
        }
    }
    return SN_RESULT_OK;
}

// Names the handles of a circle in order: "a -> b -> a". A long one ends in dots.
static snResult fail_circle(const snHandlesDef* def, const uint32_t* path, uint32_t count, snError* error) {
    char text[256] = "";
    size_t length = 0;
    for (uint32_t i = 0; i <= count && length < sizeof text; i++) {
        const char* name = def->handles[path[i < count ? i : 0]].name;
        length += (size_t)snprintf(text + length, sizeof text - length, "%s%s", i > 0 ? " -> " : "", name);
    }
    const char* more = length < sizeof text ? "" : "...";
    return sni_fail(error, SN_RESULT_BAD_DATA, "followers go in a circle: %s%s", text, more);
}

// Walks down from every handle, depth first; meeting a handle of the way itself closes a circle.
static snResult check_circles(const snHandlesDef* def, snError* error) {
    enum { NEW, ON_THE_WAY, DONE };
    uint8_t states[SN_HANDLES_MAX] = {0};
    uint32_t path[SN_HANDLES_MAX] = {0};
    uint32_t next[SN_HANDLES_MAX] = {0}; // per step of the way: which follower to visit
    for (uint32_t root = 0; root < def->handle_count; root++) {
        if (states[root] != NEW) continue;
        uint32_t depth = 0;
        path[depth] = root;
        next[depth++] = 0;
        states[root] = ON_THE_WAY;
        while (depth > 0) {
            uint32_t h = path[depth - 1];
            if (next[depth - 1] == def->handles[h].follower_count) {
                states[h] = DONE;
                depth--;
                continue;
            }
            uint32_t f = def->handles[h].followers[next[depth - 1]++];
            if (states[f] == ON_THE_WAY) {
                uint32_t begin = 0;
                while (path[begin] != f) begin++;
                return fail_circle(def, path + begin, depth - begin, error);
            }
            if (states[f] == DONE) continue;
            states[f] = ON_THE_WAY;
            path[depth] = f;
            next[depth++] = 0;
        }
    }
    return SN_RESULT_OK;
}

// `owners` (vertex_count) is filled on the way.
static snResult check_owners(const snHandlesDef* def, uint32_t* owners, snError* error) {
    for (uint32_t v = 0; v < def->mesh->vertex_count; v++) owners[v] = SN_NONE;
    for (uint32_t h = 0; h < def->handle_count; h++) {
        const snHandleDef* handle = &def->handles[h];
        for (uint32_t i = 0; i < handle->vertex_count; i++) {
            uint32_t v = handle->vertices[i];
            uint32_t owner = owners[v];
            owners[v] = h;
            if (owner == SN_NONE) continue;
            if (owner == h)
                return sni_fail_vertex(error, SN_RESULT_BAD_DATA, v, "handle \"%s\" has vertex %u twice",
                                       handle->name, v);
            return sni_fail_vertex(error, SN_RESULT_BAD_DATA, v,
                                   "vertex %u is in two handles, \"%s\" and \"%s\"", v,
                                   def->handles[owner].name, handle->name);
        }
    }
    return SN_RESULT_OK;
}

static snResult check_def(const snHandlesDef* def, snError* error) {
    if (def->handle_count == 0) return sni_fail(error, SN_RESULT_BAD_DATA, "there are no handles");
    if (def->handle_count > SN_HANDLES_MAX) {
        return sni_fail(error, SN_RESULT_BAD_DATA, "%u handles, expected %u at most", def->handle_count,
                        SN_HANDLES_MAX);
    }
    for (uint32_t h = 0; h < def->handle_count; h++) {
        SNI_TRY(check_handle(def, h, error));
    }
    for (uint32_t h = 0; h < def->handle_count; h++) {
        SNI_TRY(check_followers(def, h, error));
    }
    return check_circles(def, error);
}

// -------------------------------------------------------------------------------------------------- copy

// Mean of the vertices by weight; where all weights are 0, the plain mean.
static snVec3 mean_position(const snHandle* handle, const snVec3* positions) {
    double sum[3] = {0.0, 0.0, 0.0};
    double plain[3] = {0.0, 0.0, 0.0};
    double total = 0.0;
    for (uint32_t i = 0; i < handle->vertex_count; i++) {
        snVec3 p = positions[handle->vertices[i]];
        double weight = (double)handle->weights[i];
        double place[3] = {(double)p.x, (double)p.y, (double)p.z};
        for (int k = 0; k < 3; k++) {
            sum[k] += weight * place[k];
            plain[k] += place[k];
        }
        total += weight;
    }
    const double* chosen = total > 0.0 ? sum : plain;
    if (!(total > 0.0)) total = (double)handle->vertex_count;
    return sn_vec3((float)(chosen[0] / total), (float)(chosen[1] / total), (float)(chosen[2] / total));
}

static bool copy_vertices(const snAllocator* memory, const snHandleDef* from, snHandle* to) {
    to->vertices = SNI_NEW_ARRAY(memory, uint32_t, from->vertex_count);
    to->weights = SNI_NEW_ARRAY(memory, float, from->vertex_count);
    uint64_t* keys = SNI_NEW_ARRAY(memory, uint64_t, from->vertex_count);
    bool enough = to->vertices != NULL && to->weights != NULL && keys != NULL;
    if (enough) {
        to->vertex_count = from->vertex_count;
        for (uint32_t i = 0; i < from->vertex_count; i++) keys[i] = (uint64_t)from->vertices[i] << 32 | i;
        sni_sort_u64(keys, from->vertex_count);
        for (uint32_t i = 0; i < from->vertex_count; i++) {
            to->vertices[i] = (uint32_t)(keys[i] >> 32);
            to->weights[i] = from->weights != NULL ? from->weights[(uint32_t)keys[i]] : 1.0f;
        }
    }
    sni_free(memory, keys);
    return enough;
}

static bool copy_followers(const snAllocator* memory, const snHandleDef* from, snHandle* to) {
    to->followers = sni_copy_array(memory, from->followers, from->follower_count, sizeof(uint32_t));
    if (to->followers == NULL) return false;
    to->follower_count = from->follower_count;
    for (uint32_t i = 1; i < to->follower_count; i++) {
        uint32_t follower = to->followers[i];
        uint32_t k = i;
        for (; k > 0 && to->followers[k - 1] > follower; k--) to->followers[k] = to->followers[k - 1];
        to->followers[k] = follower;
    }
    return true;
}

static bool copy_all(snHandles* handles, const snHandlesDef* def) {
    const snAllocator* memory = &handles->allocator;
    handles->handles = SNI_NEW_ARRAY(memory, snHandle, def->handle_count);
    if (handles->handles == NULL) return false;
    handles->handle_count = def->handle_count;
    for (uint32_t h = 0; h < def->handle_count; h++) {
        const snHandleDef* from = &def->handles[h];
        snHandle* to = &handles->handles[h];
        to->name = sni_copy_text(memory, from->name);
        if (to->name == NULL || !copy_vertices(memory, from, to) || !copy_followers(memory, from, to)) {
            return false;
        }
        to->center = from->center;
        to->confidence = from->confidence;
        to->position = mean_position(to, def->mesh->positions);
    }
    return true;
}

// ------------------------------------------------------------------------------------------------- whole

snResult sn_handles_create(const snHandlesDef* def, const snAllocator* allocator, snHandles** out,
                           snError* error) {
    if (def == NULL || def->mesh == NULL || out == NULL || (def->handle_count > 0 && def->handles == NULL)) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a mesh, handles and an output are needed");
    }
    snResult result = check_def(def, error);
    if (result != SN_RESULT_OK) return result;
    snAllocator memory = sni_allocator(allocator);
    uint32_t* owners = SNI_NEW_ARRAY(&memory, uint32_t, def->mesh->vertex_count);
    if (owners == NULL) return sni_fail_memory(error);
    result = check_owners(def, owners, error);
    sni_free(&memory, owners);
    if (result != SN_RESULT_OK) return result;
    snHandles* handles = SNI_NEW(&memory, snHandles);
    if (handles == NULL) return sni_fail_memory(error);
    handles->allocator = memory;
    handles->vertex_count = def->mesh->vertex_count;
    handles->mesh_hash = sn_mesh_hash(def->mesh);
    handles->size = sn_bounds_diagonal(sn_bounds_of(def->mesh->positions, def->mesh->vertex_count));
    if (!copy_all(handles, def)) {
        sn_handles_destroy(handles);
        return sni_fail_memory(error);
    }
    *out = handles;
    return SN_RESULT_OK;
}

void sn_handles_destroy(snHandles* handles) {
    if (handles == NULL) return;
    snAllocator memory = handles->allocator;
    for (uint32_t h = 0; h < handles->handle_count; h++) {
        sni_free(&memory, handles->handles[h].name);
        sni_free(&memory, handles->handles[h].vertices);
        sni_free(&memory, handles->handles[h].weights);
        sni_free(&memory, handles->handles[h].followers);
    }
    sni_free(&memory, handles->handles);
    sni_free(&memory, handles);
}

uint32_t sn_handles_find(const snHandles* handles, const char* name) {
    for (uint32_t h = 0; h < handles->handle_count; h++) {
        if (strcmp(handles->handles[h].name, name) == 0) return h;
    }
    return SN_NONE;
}

uint32_t sn_handles_free_count(const snHandles* handles) {
    uint32_t held = 0;
    for (uint32_t h = 0; h < handles->handle_count; h++) held += handles->handles[h].vertex_count;
    return handles->vertex_count - held;
}

float sn_handle_max_weight(const snHandle* handle) {
    float most = 0.0f;
    for (uint32_t i = 0; i < handle->vertex_count; i++) most = sn_maxf(most, handle->weights[i]);
    return most;
}

snResult sn_handles_validate(const snHandles* handles, const snMesh* mesh, snError* error) {
    if (handles->vertex_count != mesh->vertex_count) {
        return sni_fail(error, SN_RESULT_BAD_DATA,
                        "the handles were made for another mesh: %u vertices, this one has %u",
                        handles->vertex_count, mesh->vertex_count);
    }
    if (handles->mesh_hash != sn_mesh_hash(mesh)) {
        return sni_fail(error, SN_RESULT_BAD_DATA,
                        "the handles were made for another mesh: as many vertices (%u), but the positions or "
                        "faces differ",
                        mesh->vertex_count);
    }
    return SN_RESULT_OK;
}

void sn_handles_followers(const snHandles* handles, uint32_t handle, uint8_t* out_marks) {
    memset(out_marks, 0, handles->handle_count);
    if (handle >= handles->handle_count) return;
    uint32_t open[SN_HANDLES_MAX]; // marked, their followers not yet; each handle enters once
    uint32_t count = 0;
    open[count++] = handle;
    out_marks[handle] = 1;
    while (count > 0) {
        const snHandle* at = &handles->handles[open[--count]];
        for (uint32_t i = 0; i < at->follower_count; i++) {
            uint32_t f = at->followers[i];
            if (out_marks[f]) continue;
            out_marks[f] = 1;
            open[count++] = f;
        }
    }
}
