#include <stdlib.h>
#include <string.h>

#include "sinew/io.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

// Every rule of a handle structure holds.
static void check_handles(const snHandles* handles) {
    for (uint32_t h = 0; h < handles->handle_count; h++) {
        const snHandle* handle = &handles->handles[h];
        if (handle->name[0] == '\0' || handle->vertex_count == 0 || !sn_vec3_finite(handle->center)) abort();
        if (!(handle->confidence >= 0.0f && handle->confidence <= 1.0f)) abort();
        for (uint32_t i = 0; i < handle->vertex_count; i++) {
            if (handle->vertices[i] >= handles->vertex_count) abort();
            if (i > 0 && handle->vertices[i] <= handle->vertices[i - 1]) abort();
            if (!(handle->weights[i] >= 0.0f && handle->weights[i] <= 1.0f)) abort();
        }
        for (uint32_t i = 0; i < handle->follower_count; i++) {
            if (handle->followers[i] >= handles->handle_count) abort();
        }
        uint8_t marks[SN_HANDLES_MAX];
        sn_handles_followers(handles, h, marks);
    }
}

// What is refused says why; what is taken is a sound structure. The file alone speaks: fuzzed files would
// never match the hash of a mesh.
int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    snHandles* handles = NULL;
    snError error = sn_error_none();
    snReadDef def = sn_read_def();
    def.memory_limit = (size_t)64 << 20;
    snResult result = sn_handles_read_memory("fuzz.snrig", data, size, NULL, &def, &handles, &error);
    if (result != SN_RESULT_OK) {
        if (error.code != result || error.text[0] == '\0' || handles != NULL) abort();
        return 0;
    }
    check_handles(handles);
    sn_handles_destroy(handles);
    return 0;
}
