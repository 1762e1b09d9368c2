// The codec of EXT_meshopt_compression, the one place where meshoptimizer is known. Without it files are
// neither written nor read that way, and say so.
#ifndef SNI_IO_MESHOPT_H
#define SNI_IO_MESHOPT_H

#include "bytes.h"

#define SNI_MESHOPT "EXT_meshopt_compression"
#define SNI_MESHOPT_PACKAGE "libmeshoptimizer-dev"

typedef enum sniMeshoptMode {
    SNI_MESHOPT_ATTRIBUTES,
    SNI_MESHOPT_TRIANGLES,
    SNI_MESHOPT_INDICES
} sniMeshoptMode;
typedef enum sniMeshoptFilter {
    SNI_MESHOPT_NONE,
    SNI_MESHOPT_OCTAHEDRAL,
    SNI_MESHOPT_QUATERNION,
    SNI_MESHOPT_EXPONENTIAL
} sniMeshoptFilter;

bool sni_meshopt_available(void);
// Whether a view of `count` elements of `stride` bytes can be of a mode.
bool sni_meshopt_fits(sniMeshoptMode mode, size_t count, size_t stride);
// Appends the bytes; false, with nothing added, where they would not be fewer, or out of memory. Attributes
// and indices only: triangles would be turned.
bool sni_meshopt_encode(sniMeshoptMode mode, const uint8_t* data, size_t count, size_t stride, sniBytes* out);
// Fills count * stride bytes; false where the data is damaged.
bool sni_meshopt_decode(sniMeshoptMode mode, sniMeshoptFilter filter, const uint8_t* data, size_t size,
                        size_t count, size_t stride, uint8_t* out);

#endif
