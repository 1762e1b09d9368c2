// The program with a counter in front of what costs time on the way to the first frame. Linked with --wrap,
// so that the program itself knows nothing of it.
#include <stdio.h>

#include "sinew/sinew.h"

static int files, welds, labellings, models, meshes;

snResult __real_sni_file_read(const char* path, size_t limit, const snAllocator* allocator, uint8_t** out,
                              size_t* out_size, snError* error);
snResult __wrap_sni_file_read(const char* path, size_t limit, const snAllocator* allocator, uint8_t** out,
                              size_t* out_size, snError* error);
snResult __wrap_sni_file_read(const char* path, size_t limit, const snAllocator* allocator, uint8_t** out,
                              size_t* out_size, snError* error) {
    files++;
    return __real_sni_file_read(path, limit, allocator, out, out_size, error);
}

snResult __real_sn_weld_create(const snVec3* positions, uint32_t count, float tolerance,
                               const snAllocator* allocator, snWeld** out, snError* error);
snResult __wrap_sn_weld_create(const snVec3* positions, uint32_t count, float tolerance,
                               const snAllocator* allocator, snWeld** out, snError* error);
snResult __wrap_sn_weld_create(const snVec3* positions, uint32_t count, float tolerance,
                               const snAllocator* allocator, snWeld** out, snError* error) {
    welds++;
    return __real_sn_weld_create(positions, count, tolerance, allocator, out, error);
}

bool __real_sni_label_joints(const snSkeleton* skeleton, const snAllocator* memory, snLabel* out);
bool __wrap_sni_label_joints(const snSkeleton* skeleton, const snAllocator* memory, snLabel* out);
bool __wrap_sni_label_joints(const snSkeleton* skeleton, const snAllocator* memory, snLabel* out) {
    labellings++;
    return __real_sni_label_joints(skeleton, memory, out);
}

snResult __real_sn_model_create(const snModelDef* def, const snAllocator* allocator, snModel** out,
                                snError* error);
snResult __wrap_sn_model_create(const snModelDef* def, const snAllocator* allocator, snModel** out,
                                snError* error);
snResult __wrap_sn_model_create(const snModelDef* def, const snAllocator* allocator, snModel** out,
                                snError* error) {
    models++;
    return __real_sn_model_create(def, allocator, out, error);
}

snResult __real_sn_mesh_create(const snMeshDef* def, const snAllocator* allocator, snMesh** out,
                               snError* error);
snResult __wrap_sn_mesh_create(const snMeshDef* def, const snAllocator* allocator, snMesh** out,
                               snError* error);
snResult __wrap_sn_mesh_create(const snMeshDef* def, const snAllocator* allocator, snMesh** out,
                               snError* error) {
    meshes++;
    return __real_sn_mesh_create(def, allocator, out, error);
}

__attribute__((destructor)) static void tell(void) {
    fprintf(stderr, "counted: %d files, %d welds, %d labellings, %d models, %d meshes\n", files, welds,
            labellings, models, meshes);
}
