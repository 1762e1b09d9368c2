// Drives a document, and ends the program where something is not as it should be.
#ifndef SINEW_GOLDEN_DOCUMENT_H
#define SINEW_GOLDEN_DOCUMENT_H

#include <stddef.h>
#include <stdint.h>

#include "sinew/base.h"

// How a call is made: at once, or some other way that comes to the same. NULL: at once.
typedef snResult GoldenCallFn(void* user, const snProgress* progress, snError* error);
typedef snResult GoldenRunFn(GoldenCallFn* call, void* user, const snProgress* progress, snError* error);

// Of the document after all steps and of what it looks like.
typedef struct GoldenDocument {
    uint64_t document; // and its character in some frames
    uint64_t path;     // frames of its handles; 0 without CHOLMOD
    uint64_t bake;     // morph targets of a clip
    uint64_t check;    // what was measured in it
} GoldenDocument;
GoldenDocument golden_document(const void* glb, size_t size, GoldenRunFn* run);

#endif
