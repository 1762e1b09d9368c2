// PNG in memory, for files that carry pictures inside.
#ifndef SNI_IO_PICTURE_H
#define SNI_IO_PICTURE_H

#include "bytes.h"
#include "sinew/rig.h"

// Appends the encoded picture to `out`. `name` appears in errors.
snResult sni_png_encode(const snImage* image, const char* name, sniBytes* out, snError* error);

#endif
