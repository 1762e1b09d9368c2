// Wavefront OBJ.
#ifndef SNI_IO_OBJ_H
#define SNI_IO_OBJ_H

#include "bytes.h"
#include "sinew/io.h"

// The rest pose: every part where its joint, or its skin, puts it.
snResult sni_obj_write(const snModel* model, const char* path, const snWriteDef* def, sniBytes* out,
                       sniBytes* beside, snError* error);

#endif
