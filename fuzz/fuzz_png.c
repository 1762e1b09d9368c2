#include <stdlib.h>

#include "sinew/io.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    snReadDef def = sn_read_def();
    def.memory_limit = (size_t)64 << 20;
    snImage* image = NULL;
    if (sn_png_read_memory("fuzz.png", data, size, &def, &image, NULL) != SN_RESULT_OK) return 0;
    if (image->width == 0 || image->height == 0) abort();
    sn_image_destroy(image);
    return 0;
}
