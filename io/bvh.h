// Biovision hierarchies, written.
#ifndef SNI_IO_BVH_H
#define SNI_IO_BVH_H

#include "bytes.h"
#include "sinew/io.h"

snResult sni_bvh_write(const snModel* model, const char* path, const snWriteDef* def, sniBytes* out,
                       sniBytes* beside, snError* error);

#endif
