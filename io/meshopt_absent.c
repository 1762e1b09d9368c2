// Where meshoptimizer is not there.
#include "meshopt.h"

bool sni_meshopt_available(void) { return false; }

bool sni_meshopt_fits(sniMeshoptMode mode, size_t count, size_t stride) {
    (void)mode, (void)count, (void)stride;
    return false;
}

bool sni_meshopt_encode(sniMeshoptMode mode, const uint8_t* data, size_t count, size_t stride,
                        sniBytes* out) {
    (void)mode, (void)data, (void)count, (void)stride, (void)out;
    return false;
}

bool sni_meshopt_decode(sniMeshoptMode mode, sniMeshoptFilter filter, const uint8_t* data, size_t size,
                        size_t count, size_t stride,
                        uint8_t* out) { // NOLINT(readability-non-const-parameter): as the other one has it
    (void)mode, (void)filter, (void)data, (void)size, (void)count, (void)stride, (void)out;
    return false;
}
