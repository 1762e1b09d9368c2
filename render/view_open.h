// Viewports in contexts of one's own: tests try what pages have (OpenGL ES) without a page.
#ifndef SINEW_VIEW_OPEN_H
#define SINEW_VIEW_OPEN_H

#include "gl_context.h"
#include "viewport.h"

typedef snResult snViewContextFn(snGlContext* out, snError* error);
// As sn_viewport_create; without a canvas the context comes from `open`.
snResult sn_view_open(const snViewportDef* def, snViewContextFn* open, const snAllocator* allocator,
                      snViewport** out, snError* error);

#endif
