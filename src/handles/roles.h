// What handles are for a body.
#ifndef SNI_HANDLES_ROLES_H
#define SNI_HANDLES_ROLES_H

#include <string.h>

#include "sinew/handles.h"

// The handle that is a part of a body, whatever its name; SN_NONE: there is none. Inline, for io, which links
// to what the library shows alone.
static inline uint32_t sni_handles_part(const snHandles* handles, const snJointName* anatomy,
                                        const char* part) {
    for (uint32_t h = 0; part[0] != '\0' && h < handles->handle_count; h++)
        if (strcmp(anatomy[h].text, part) == 0) return h;
    return SN_NONE;
}

#endif
