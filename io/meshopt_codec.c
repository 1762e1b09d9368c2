#include "meshopt.h"

#include <meshoptimizer.h>

bool sni_meshopt_available(void) { return true; }

bool sni_meshopt_fits(sniMeshoptMode mode, size_t count, size_t stride) {
    if (count == 0 || count > UINT32_MAX) return false;
    if (mode == SNI_MESHOPT_ATTRIBUTES) return stride % 4 == 0 && stride > 0 && stride <= 256;
    if (mode == SNI_MESHOPT_TRIANGLES && count % 3 != 0) return false;
    return stride == 2 || stride == 4;
}

// The codec takes 32 bits.
static uint32_t* widen(const uint8_t* data, size_t count, size_t stride, const snAllocator* memory) {
    uint32_t* wide = sni_alloc_array(memory, count, sizeof *wide);
    for (size_t i = 0; i < count && wide != NULL; i++)
        for (size_t b = 0; b < stride; b++) wide[i] |= (uint32_t)data[i * stride + b] << (8 * b);
    return wide;
}

bool sni_meshopt_encode(sniMeshoptMode mode, const uint8_t* data, size_t count, size_t stride,
                        sniBytes* out) {
    if (mode == SNI_MESHOPT_TRIANGLES || !sni_meshopt_fits(mode, count, stride)) return false;
    bool vertices = mode == SNI_MESHOPT_ATTRIBUTES;
    size_t bound = vertices ? meshopt_encodeVertexBufferBound(count, stride)
                            : meshopt_encodeIndexSequenceBound(count, UINT32_MAX);
    uint8_t* room = sni_alloc_array(&out->allocator, bound, 1);
    uint32_t* wide = vertices ? NULL : widen(data, count, stride, &out->allocator);
    size_t size = 0;
    if (room != NULL && vertices) size = meshopt_encodeVertexBuffer(room, bound, data, count, stride);
    if (room != NULL && wide != NULL) {
        meshopt_encodeIndexVersion(1); // what the extension asks for
        size = meshopt_encodeIndexSequence(room, bound, wide, count);
    }
    bool smaller = size > 0 && size < count * stride;
    if (smaller) sni_bytes_add(out, room, size);
    sni_free(&out->allocator, room);
    sni_free(&out->allocator, wide);
    return smaller;
}

bool sni_meshopt_decode(sniMeshoptMode mode, sniMeshoptFilter filter, const uint8_t* data, size_t size,
                        size_t count, size_t stride, uint8_t* out) {
    if (!sni_meshopt_fits(mode, count, stride)) return false;
    int failed = mode == SNI_MESHOPT_ATTRIBUTES ? meshopt_decodeVertexBuffer(out, count, stride, data, size)
                 : mode == SNI_MESHOPT_TRIANGLES
                     ? meshopt_decodeIndexBuffer(out, count, stride, data, size)
                     : meshopt_decodeIndexSequence(out, count, stride, data, size);
    if (failed != 0) return false;
    if (filter == SNI_MESHOPT_NONE) return true;
    if (mode != SNI_MESHOPT_ATTRIBUTES) return false;
    if (filter == SNI_MESHOPT_OCTAHEDRAL && stride != 4 && stride != 8) return false;
    if (filter == SNI_MESHOPT_QUATERNION && stride != 8) return false;
    if (filter == SNI_MESHOPT_OCTAHEDRAL) meshopt_decodeFilterOct(out, count, stride);
    if (filter == SNI_MESHOPT_QUATERNION) meshopt_decodeFilterQuat(out, count, stride);
    if (filter == SNI_MESHOPT_EXPONENTIAL) meshopt_decodeFilterExp(out, count, stride);
    return true;
}
