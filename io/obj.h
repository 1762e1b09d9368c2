// Wavefront OBJ.
#ifndef SNI_IO_OBJ_H
#define SNI_IO_OBJ_H

#include "bytes.h"
#include "sinew/io.h"

// `text` has a zero byte behind its `size` bytes.
snResult sni_obj_read(const char* name, const char* text, size_t size, const snReadDef* def,
                      const snAllocator* allocator, snModel** out, snError* error);
// The rest pose: every part where its joint, or its skin, puts it.
snResult sni_obj_write(const snModel* model, const char* path, const snWriteDef* def, sniBytes* out,
                       snError* error);

#endif
