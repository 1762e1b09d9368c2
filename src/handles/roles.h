// What handles are for a body.
#ifndef SNI_HANDLES_ROLES_H
#define SNI_HANDLES_ROLES_H

#include "sinew/handles.h"

// The handle that is a part of a body, whatever its name; SN_NONE: there is none.
uint32_t sni_handles_part(const snHandles* handles, const snJointName* anatomy, const char* part);

#endif
