// Which handle was meant, for those who misspell one. Inline, as all that sinew_io shares with the library.
#ifndef SNI_HANDLES_NEAREST_H
#define SNI_HANDLES_NEAREST_H

#include "base/likeness.h"
#include "sinew/handles.h"

// The name that is most like this one, the first of equals; "" where there are no handles.
static inline const char* sni_handles_nearest(const snHandles* handles, const char* name) {
    const char* nearest = "";
    uint32_t least = UINT32_MAX;
    for (uint32_t h = 0; h < handles->handle_count; h++) {
        uint32_t distance = sni_edit_distance(name, handles->handles[h].name);
        if (distance >= least) continue;
        least = distance;
        nearest = handles->handles[h].name;
    }
    return nearest;
}

#endif
