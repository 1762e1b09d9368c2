// A file that assimp reads, in whatever keeps its crashes apart from us: a process, or a module of
// WebAssembly.
#ifndef SNI_IO_ASSIMP_IMPORT_H
#define SNI_IO_ASSIMP_IMPORT_H

#include "bytes.h"

// Appends the stream (import_stream.h) of the model, or of why there is none, to an empty `output`.
void sni_assimp_import(const sniBytes* input, const char* extension, float unit, sniBytes* output);

#endif
