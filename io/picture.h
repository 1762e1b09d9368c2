// Pictures in memory, for files that carry them inside.
#ifndef SNI_IO_PICTURE_H
#define SNI_IO_PICTURE_H

#include "bytes.h"
#include "sinew/rig.h"

// Appends the encoded picture to `out`. `name` appears in errors; NULL: none.
snResult sni_png_encode(const snImage* image, const char* name, sniBytes* out, snError* error);

// A JPEG as 8-bit RGBA; SN_RESULT_UNSUPPORTED in a build without libjpeg. Errors have no file.
snResult sni_jpeg_decode(const void* data, size_t size, const snProgress* progress,
                         const snAllocator* allocator, snImage** out, snError* error);

// Plain numbers as a picture without colors.
typedef struct sniGrey {
    uint32_t width, height;
    uint32_t depth;    // bits: 8 or 16
    uint16_t* samples; // width * height, rows from the top
} sniGrey;
snResult sni_grey_encode(const sniGrey* grey, const char* name, sniBytes* out, snError* error);
// Any PNG that is grey and opaque in all its pixels, whatever its color type; others are SN_RESULT_BAD_DATA,
// and so are pictures with sides below `least` or above `most`. The caller frees the samples. Errors have no
// file: the caller knows what the bytes are called.
snResult sni_grey_decode(const void* data, size_t size, uint32_t least, uint32_t most,
                         const snAllocator* allocator, sniGrey* out, snError* error);

#endif
