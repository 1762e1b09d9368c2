// Smooth fields on the surface at rest, solved once.
#ifndef SNI_VOLUME_SMOOTH_H
#define SNI_VOLUME_SMOOTH_H

#include "volume/exact.h"

// Fills laplacian, normals, radii and areas of a shell that has its rings; `faces` are its real ones.
// `places`: one per point.
snResult sni_shell_smooth(const sniClosed* closed, const uint32_t* faces, uint32_t face_count,
                          const uint32_t* places, const snAllocator* memory, sniShellTables* shell,
                          snError* error);
void sni_shell_free(sniShellTables* shell, const snAllocator* memory);

// Spreads values of some places (rising; all others stay 0) over about a length in metres. `locals` has one
// SN_NONE per inner place, and is left so.
snResult sni_smooth_values(const sniShellTables* shell, const uint32_t* places, uint32_t count, float length,
                           uint32_t* locals, const snAllocator* memory, float* values, snError* error);

#endif
