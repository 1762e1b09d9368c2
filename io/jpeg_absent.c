// Where libjpeg is not there.
#include "base/error.h"
#include "picture.h"

snResult sni_jpeg_decode(const void* data, size_t size, const snProgress* progress,
                         const snAllocator* allocator, snImage** out, snError* error) {
    (void)data, (void)size, (void)progress, (void)allocator, (void)out;
    return sni_fail(error, SN_RESULT_UNSUPPORTED,
                    "this Sinew was built without JPEG; libjpeg62-turbo-dev and a new build bring it");
}
