// Drives a document, and ends the program where something is not as it should be.
#ifndef SINEW_GOLDEN_DOCUMENT_H
#define SINEW_GOLDEN_DOCUMENT_H

#include <stddef.h>
#include <stdint.h>

// Hash of the document after all steps and of some frames of it.
uint64_t golden_document(const void* glb, size_t size);

#endif
